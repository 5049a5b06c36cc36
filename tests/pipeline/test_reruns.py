"""What a run makes, and what a change makes run again: the table of docs/reruns.md, row by row."""

import re
import shutil

import pyarrow.parquet as pq
import pytest

from tests.hostile.server import HostileServer
from tests.pipeline.changes import CHANGES, plan, serve
from tests.pipeline.study import ANALYSIS, FOLLOWING, GROUPS, ROOT, TABLES, TAXES, Study

DOCUMENT = (ROOT / "docs" / "reruns.md").read_text(encoding="utf-8")
ROWS = {row[0]: row[1:] for row in re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \|$", DOCUMENT, re.MULTILINE)[1:]}

CALLING = {"run_rollouts", "extract_answers", "judge_stages", "ask_alone"}


@pytest.fixture(scope="session")
def counted(tmp_path_factory):
    """A finished study whose model, grader and judge are behind an endpoint that counts; its server."""
    with HostileServer().in_thread() as server:
        study = Study(tmp_path_factory.mktemp("counted") / "study")
        serve(study, server.url)  # the report names the address, so each test process has a study of its own
        plan(study)
        study.run()
        yield study, server, frozenset(server.requests)


# What is drawn anew, or made of what is drawn, when there is more to draw from.
SAMPLED = ("samples", "judgements", "descriptions", "themes", "statistics")


def rules_of(cell: str) -> set[str]:
    """The rules that a cell of the table names."""
    words = [set(rules) for word, rules in GROUPS.items() if word in cell]
    return set(re.findall(r"`(\w+)`", cell)).union(*words)


def test_the_document_and_the_tests_name_the_same_changes():
    assert list(ROWS) == list(CHANGES)
    words = dict(re.findall(r"^\| ([^|`]+) \| ([^|]+) \|$", DOCUMENT, re.MULTILINE))
    assert {word: rules_of(words[word]) for word in GROUPS} == {word: set(GROUPS[word]) for word in GROUPS}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_reruns(name, counted, tmp_path):
    finished, server, paid = counted
    runs, calls = ROWS[name]
    study = finished.copy(tmp_path / "study")
    CHANGES[name].make(study)
    jobs = study.jobs()
    assert jobs == CHANGES[name].jobs
    assert set(jobs) == rules_of(runs) and (runs == "nothing") == (not jobs)
    if calling := CALLING & set(jobs):
        before = len(server.requests)
        study.run("--until", *sorted(calling))
        new = server.requests[before:]
        assert bool(new) == (calls != "none")
        assert len(new) == len(set(new) - paid)  # nothing is asked twice
    else:  # judge and describer are simulated here, so their calls cannot be counted
        readers = {"judge_stages": "the judge's", "describe_failures": "the describer's"}
        assert calls in {"none", *(said for rule, said in readers.items() if rule in jobs)}


def test_a_study_makes_all_it_promises(finished):
    reports = finished.folder / "reports" / "collaboration"
    assert "simulated" in (reports / "report.html").read_text(encoding="utf-8").lower()
    for stem in ("fig1_views", "fig3_tax", "fig4_ratio_gap", "fig5_cascade", "fig_prediction"):
        for form in ("pdf", "svg", "png"):
            assert (reports / "figures" / f"{stem}.{form}").stat().st_size > 1000
    assert {p.suffix for p in (reports / "tables").iterdir()} == {".csv", ".tex"}
    stages = ("instances", "views", "rollouts", "answers", "grades", "judgements", "shape", "statistics")
    assert all(finished.rows(stage) for stage in stages)
    grades = pq.read_table(finished.folder / "data/collaboration/grades")  # a whole stage in one line
    assert grades.num_rows == 2 * 2 * 4
    assert sum(finished.outcomes().values()) == 2 * 2 * 4


def test_a_stage_can_be_forced_with_what_follows(finished):
    statistics = [rule for rule in TAXES if rule.startswith(("estimate", "compare"))]
    assert finished.jobs("--forcerun", *statistics) == TAXES
    assert len(finished.jobs("--forceall")) == len(FOLLOWING) + 9


def test_running_again_does_nothing_and_says_so(finished):
    assert "Nothing to be done" in finished.run()


def test_more_resamples_rerun_the_analysis_alone(study):
    before = study.tables()
    study.configure(statistics={"resamples": 300})
    assert study.jobs() == ANALYSIS
    study.run(TABLES)
    after = study.tables()
    changed = {name for name in after if after[name] != before.get(name)}
    assert changed >= {f"statistics/{name}.parquet" for name in ("cells", "tax", "stages", "agreement")}
    assert all(name.startswith("statistics/") for name in changed)


def test_more_rollouts_run_the_new_batches_only(study):
    study.configure(rollouts=8)
    new = {
        "generate_instances": 2,
        "split_views": 2,
        "run_rollouts": 4,
        "extract_answers": 4,
        "grade_answers": 4,
        "measure_shape": 2,
    }
    assert study.jobs() == new | FOLLOWING
    before = study.tables()
    study.run(TABLES)
    after = study.tables()
    kept = [name for name in before if not name.startswith(SAMPLED)]
    assert all(after[name] == before[name] for name in kept)
    indices = {(row["mode"], row["task"], row["index"]) for row in study.rows("grades")}
    assert len(indices) == 2 * 2 * 8


def test_a_tasks_generator_reruns_its_family_from_the_instances(study):
    study.edit(
        "tasks/spatial/maze.py", '"walls": 0.30, "shortest": (3, 6)', '"walls": 0.31, "shortest": (3, 6)'
    )
    jobs = study.jobs()
    upstream = {"generate_instances": 1, "split_views": 1, "run_rollouts": 2, "extract_answers": 2}
    upstream |= {"measure_shape": 1}
    assert jobs == upstream | {"grade_answers": 2, "draw_views": 1, "measure_task_properties": 1} | FOLLOWING
    study.run(TABLES)
    study.run()  # the digests of instances and rollouts agree, or grading would have refused
    assert len({row["digest"] for row in study.rows("rollouts") if row["task"] == "maze"}) == 4


def test_another_study_seed_reaches_the_rollouts_at_once(study):
    study.configure(seed=1)
    jobs = study.jobs()
    assert jobs["generate_instances"] == 2 and jobs["run_rollouts"] == 4 and jobs["grade_answers"] == 4


def test_offline_a_missing_rollout_is_an_error_and_no_job_may_call(study):
    study.configure(statistics={"resamples": 300})
    assert study.jobs("--config", "offline=True") == ANALYSIS
    shard = "data/collaboration/rollouts/baseline/simulated-middle/collab/spatial/000.parquet"
    for stage in ("rollouts", "answers", "grades"):
        (study.folder / shard.replace("rollouts", stage)).unlink()
    output = study.run("--config", "offline=True", fails=True)
    assert "1 of the planned tables that take calls are missing" in output and shard in output
    assert "Job stats" not in output


def test_a_tenth_task_is_one_file_and_one_line(study):
    source = (study.folder / "tasks/relational/treesum.py").read_text(encoding="utf-8")
    source = source.replace('name = "treesum"', 'name = "mytask"').replace(
        'title = "Totals in a tree of jobs"', 'title = "My task"'
    )
    study.write("tasks/relational/mytask.py", source)
    line = '    "treesum": "relational",\n'
    study.edit("tasks/__init__.py", line, line + '    "mytask": "relational",\n')
    assert study.jobs() == {}  # the other tasks do not notice
    study.configure(tasks=["mytask"], models=["simulated-perfect"])
    shutil.rmtree(study.folder / "data")
    study.run(TABLES)
    assert {(row["task"], row["score"]) for row in study.rows("grades")} == {("mytask", 1.0)}
