"""Mistakes stop the run before the first job, with one error that says where and what to do."""

import pytest
import yaml

from tests.pipeline.study import TABLES


def refuse(study, change, *expected, top=None):
    """Run with a changed configuration; it must fail, name all of ``expected`` and start no job."""
    study.write("config/study.yaml", yaml.safe_dump({"collaboration": change} | (top or {})))
    output = study.run(fails=True)
    for text in expected:
        assert text in output, output
    assert "Traceback" not in output and "Job stats" not in output
    return output


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            {"rollout": 3},
            ['unknown key "collaboration.rollout"', 'did you mean "rollouts"', "config/study.yaml line 2"],
        ),
        ({"rollouts": "many"}, ['"collaboration.rollouts"', "'many'", "config/study.yaml line 2"]),
        ({"tasks": ["maz"]}, ['unknown task "maz"', 'did you mean "maze"', "config/study.yaml line 3"]),
        ({"models": ["simulated-strnog"]}, ['unknown model "simulated-strnog"', '"simulated-strong"']),
        ({"modes": ["colab"]}, ['"colab"', 'did you mean "collab"']),
        (
            {"statistics": {"resample": 5}},
            ['"collaboration.statistics.resample"', 'did you mean "resamples"'],
        ),
        (
            {"models": ["gpt-4o-mini"], "ask_alone": [], "arm_models": None},
            ["OPENAI_API_KEY", "gpt-4o-mini", "export"],
        ),
    ],
)
def test_a_wrong_configuration_is_one_clear_error(study, change, expected, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    refuse(study, change, *expected)


def test_an_unknown_key_at_the_top(study):
    refuse(study, {}, 'unknown key "ledgers"', 'did you mean "ledger"', top={"ledgers": ["x"]})


@pytest.mark.parametrize("damage", ["truncated", "foreign", "column"])
def test_a_damaged_table_is_named_with_its_rebuild(study, damage):
    path = study.folder / "data/collaboration/answers/baseline/simulated-middle/collab/spatial/000.parquet"
    if damage == "truncated":
        path.write_bytes(path.read_bytes()[:500])
    elif damage == "foreign":
        path.write_text("not a table", encoding="utf-8")
    else:
        other = (
            study.folder / "data/collaboration/grades/baseline/simulated-middle/collab/spatial/000.parquet"
        )
        path.write_bytes(other.read_bytes())
    output = study.run(fails=True)
    name = "data/collaboration/answers/baseline/simulated-middle/collab/spatial/000.parquet"
    assert f"rm {name} && snakemake {name}" in output and "Traceback" not in output
    path.unlink()
    study.run(name)  # what the message says
    study.run(TABLES)
