"""The ledger experiment without Snakemake: all its stages on a small plan, in a folder."""

from pathlib import Path

import yaml

from scripts.handoff.compare_prediction import compare_prediction
from scripts.handoff.estimate_handoffs import estimate_handoffs
from scripts.handoff.predict_success import predict_success
from scripts.handoff.run_chains import run_chains
from scripts.handoff.run_handoffs import run_handoffs
from scripts.handoff.run_trajectories import run_trajectories
from scripts.handoff.settings import Ledger, Statistics
from scripts.lib.tables import read_rows

KEEPER = "keeper"
PLANTED = {"base": 0.01, "slope": 1e-4, "knee": 500.0, "handoff": 0.04, "brevity": 6.0}
NOTHING = dict.fromkeys(PLANTED, 0.0)


class Experiment:
    """Paths, jobs and stages. ``planted``: losses of the keeper, unless it is behind an endpoint's ``url``.

    ``ledger``: changes of its settings.
    """

    def __init__(self, folder: Path, planted=PLANTED, seed=1, url=None, **ledger):
        self.data = folder
        self.ledger = Ledger(**({"batch_size": 100} | ledger)).model_dump()
        models = folder / "models.yaml"
        model = {"base_url": url} if url else {"base_url": "simulated:", "planted": planted}
        models.write_text(yaml.safe_dump({KEEPER: model}))
        self.calls = {"models_file": str(models), "ledger": [str(folder / "replies")], "replay_only": False}
        names = ("reach", "memo", "chunk", "chunks", "cuts", "notes", "note")
        self.play = {"model": KEEPER, "first": 0, "last": self.ledger["tasks"], "seed": seed}
        self.play |= {"depth": self.ledger["depths"][-1]} | {name: self.ledger[name] for name in names}
        self.job = {"model": KEEPER, "models": {KEEPER: True}, "ledger": self.ledger}
        self.job["statistics"] = Statistics(resamples=500).model_dump()

    def steps(self, stage):
        path = self.data / stage / KEEPER / "000.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def table(self, name):
        path = self.data / "statistics" / f"{name}.parquet"
        path.parent.mkdir(exist_ok=True)
        return path

    @property
    def prediction(self):
        path = self.data / "predictions" / f"{KEEPER}.json"
        path.parent.mkdir(exist_ok=True)
        return path

    def run_all(self):
        run_trajectories(self.steps("trajectories"), self.calls, self.play)
        run_handoffs(self.steps("trajectories"), self.steps("handoffs"), self.calls, self.play)
        estimate_handoffs(self.data, *map(self.table, ("curve", "hinges", "handoffs")), self.job)
        predict_success(self.data, self.prediction, self.job)
        self.run_chains()
        return self

    def run_chains(self):
        run_chains(self.prediction, self.steps("chains"), self.calls, self.play)
        self.compare()

    def compare(self):
        compare_prediction(self.data, *map(self.table, ("comparison", "independence")), self.job)

    def rows(self, name, schema, **where):
        found = read_rows(self.table(name), schema)
        return [row for row in found if all(row[key] == value for key, value in where.items())]
