"""A small pilot of the simulated solver, and rows as a pilot leaves them."""

from pathlib import Path

import yaml

from scripts.handoff.fit_pilot import fit_pilot
from scripts.handoff.pilot_schemas import PILOT, PILOT_HINGES, PILOT_LOADS
from scripts.handoff.run_pilot import run_pilot
from scripts.lib.tables import read_rows, write_rows

MODEL = "solver"
LOADS = [0, 500, 1000, 2000]
STATISTICS = {"seed": 1, "resamples": 400, "level": 0.95}


def models_file(folder, **entry):
    """A file of models with one model in it."""
    path = folder / "models.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump({MODEL: {"base_url": "simulated:"} | entry}), encoding="utf-8")
    return path


def play(folder, problems=20, first=0, loads=LOADS, calls=2, seed=0, **entry):
    """The rows of one batch of a pilot."""
    entry = entry or {"planted": {"base": 0.05, "slope": 4e-4, "knee": 700.0}}
    output = folder / "pilot" / MODEL / f"{first // problems:03d}.parquet"
    how = {"models_file": models_file(folder, **entry), "ledger": [folder / "ledger"], "replay_only": False}
    job = {"model": MODEL, "first": first, "last": first + problems, "seed": seed}
    run_pilot(output, how, job | {"calls": calls, "steps": 4, "loads": loads})
    return read_rows(output, PILOT)


def fit(folder, problems=20, loads=LOADS, calls=2, simulated=True, statistics=STATISTICS):
    """Both tables of a pilot whose batch is there."""
    pilot = {"problems": problems, "calls": calls, "loads": loads, "batch_size": problems}
    paths = folder / "pilot.parquet", folder / "pilot_hinges.parquet"
    fit_pilot(folder, *paths, {"models": {MODEL: simulated}, "pilot": pilot, "statistics": statistics})
    return read_rows(paths[0], PILOT_LOADS), read_rows(paths[1], PILOT_HINGES)


def call(index, level, missing, wrong, load=None, outcome="answered", **more):
    """A row with what the statistics look at."""
    load = 100 + 1000 * level if load is None else load
    about = {
        "model": MODEL,
        "simulated": True,
        "index": index,
        "level": level,
        "aim": 1000 * level,
        "call": 0,
    }
    return about | {"load": load, "outcome": outcome, "missing": missing, "wrong": wrong, "answer": 1} | more


def write_calls(folder, rows):
    """Rows as the batch of a pilot."""
    write_rows(Path(folder) / "pilot" / MODEL / "000.parquet", rows, PILOT)
