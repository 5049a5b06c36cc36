"""From seed to grade: the stages that make, run, read and grade rollouts, on one task a family."""

import hashlib
import json
import os
import subprocess
import sys

import pyarrow.parquet as pq
import pytest

from scripts.collaboration import schemas
from scripts.collaboration.generate_instances import generate_instances
from scripts.collaboration.grade_answers import grade_answers
from scripts.collaboration.instances import facts_from_json, facts_to_json, read_puzzle
from scripts.collaboration.split_views import split_views
from scripts.lib.agents.calls import RunStopped
from scripts.lib.errors import UserError
from scripts.lib.tables import read_rows, write_rows
from tasks import TASKS, get_task
from tasks.contract import HOLDERS, Draft
from tests.collaboration.stage_walk import ONE_A_FAMILY, ROOT, grade, make, read, roll
from tests.lib.agents.fake_endpoint import completion, error
from tests.lib.agents.simulated.game import instance


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("size", ["tiny", "small", "paper"])
def test_facts_come_back_from_json(task, size):
    for index in range(3):
        draft = instance(task, size, index).draft
        for facts in (*draft.facts.values(), draft.union, {}):
            text = facts_to_json(facts)
            assert facts_from_json(text) == facts
            assert facts_to_json(facts_from_json(text)) == text
            assert facts_to_json(dict(reversed(facts.items()))) == text


@pytest.mark.parametrize("task", TASKS)
def test_an_instance_comes_back_from_its_row(tmp_path, task):
    instances, views = make(tmp_path, task, count=2)
    for index, row in enumerate(read_rows(instances, schemas.INSTANCES)):
        made, puzzle = instance(task, "small", index), read_puzzle(row)
        assert (puzzle.facts, puzzle.frames) == (made.draft.facts, made.draft.frames)
        assert puzzle.union == made.draft.union
        assert json.loads(json.dumps(made.answer)) == puzzle.answer
        assert (row["index"], row["seed"], row["family"]) == (index, made.seed, TASKS[task])
        assert (row["union_gaps"], row["union_score"]) == (0, 1.0)
        assert all(value is not None for value in row.values())
        assert [row[f"floor_{holder}"] for holder in HOLDERS] == [made.floor[holder] for holder in HOLDERS]
        texts = {view["view"]: view for view in read_rows(views, schemas.VIEWS) if view["index"] == index}
        seen = "\x1f".join(texts[name]["text"] for name in ("full", "a", "b"))
        assert row["digest"] == hashlib.sha256(seen.encode()).hexdigest()[:16]
        for name in ("full", "a", "b"):
            assert texts[name]["text"] == get_task(task).view(Draft(puzzle.facts, puzzle.frames), name)
            assert texts[name]["digest"] == row["digest"]
            assert json.loads(texts[name]["frame"]) == made.draft.frames[name]


# -- the whole way -----------------------------------------------------------------------------


@pytest.mark.parametrize("task", ONE_A_FAMILY.values())
@pytest.mark.parametrize(
    ("team", "mode"),
    [
        (("simulated-middle",), "collab"),
        (("simulated-strong", "simulated-weak"), "collab"),
        (("simulated-middle",), "solo_full"),
        (("simulated-middle",), "solo_split"),
    ],
)
def test_the_way_from_seed_to_grade(tmp_path, task, team, mode):
    instances, views = make(tmp_path, task)
    rollouts = roll(tmp_path, task, views, team, mode)
    answers = read(tmp_path, rollouts)
    grades = grade(tmp_path, answers, instances)
    paths = {
        instances: schemas.INSTANCES,
        views: schemas.VIEWS,
        rollouts: schemas.ROLLOUTS,
        answers: schemas.ANSWERS,
        grades: schemas.GRADES,
    }
    for path, schema in paths.items():
        assert pq.read_schema(path) == schema
    seats = [*team, *team][:2] if mode == "collab" else list(team)
    for index, row in enumerate(read_rows(rollouts, schemas.ROLLOUTS)):
        assert (row["arm"], row["team"], row["mode"]) == ("baseline", " + ".join(team), mode)
        assert (row["task"], row["index"], row["simulated"]) == (task, index, True)
        assert [use["model"] for use in row["usage"]] == seats
        assert sum(use["calls"] for use in row["usage"]) == row["turns"]
        slots = [message["slot"] for message in row["messages"]]
        assert slots == ([1, 0, 1] if mode != "collab" else ([1, 2] * len(slots))[: len(slots)])
        assert [sent["model"] for sent in json.loads(row["sent"])] == seats
    for answer, row in zip(
        read_rows(answers, schemas.ANSWERS), read_rows(grades, schemas.GRADES), strict=True
    ):
        assert answer["outcome"] == row["outcome"] == "answered"
        assert answer["answered_by"] == "program" and answer["grader_error"] is None
        assert answer["answer"] == answer["program_answer"] == answer["grader_answer"]
        assert 0 <= row["score"] <= 1 and bool(row["accepted"]) == (row["score"] > 0)


@pytest.mark.parametrize("task", TASKS)
def test_perfect_agents_get_full_marks(tmp_path, task):
    instances, views = make(tmp_path, task, count=2)
    for mode in ("solo_full", "solo_split", "collab"):
        rollouts = roll(tmp_path, task, views, ("simulated-perfect",), mode)
        grades = grade(tmp_path, read(tmp_path, rollouts, None), instances)
        assert [row["score"] for row in read_rows(grades, schemas.GRADES)] == [1.0, 1.0]


WALK = """
import sys
from pathlib import Path
from tests.collaboration.test_stages import ONE_A_FAMILY, grade, make, read, roll
for task in ONE_A_FAMILY.values():
    folder = Path(sys.argv[1])
    instances, views = make(folder, task)
    grade(folder, read(folder, roll(folder, task, views)), instances)
"""


def test_the_same_bytes_again_and_under_another_hash_seed(tmp_path):
    contents = []
    for name, seed in (("once", "0"), ("twice", "4242")):
        folder = tmp_path / name
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        subprocess.run([sys.executable, "-c", WALK, str(folder)], check=True, env=environment, cwd=ROOT)
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        contents.append({str(path.relative_to(folder)): path.read_bytes() for path in files})
    assert len(contents[0]) == 5 * len(ONE_A_FAMILY)
    assert contents[0] == contents[1]


def test_a_batch_gives_the_rows_that_it_would_have_in_the_whole(tmp_path):
    _, views = make(tmp_path, "maze")
    whole = read_rows(roll(tmp_path, "maze", views), schemas.ROLLOUTS)
    assert [row["index"] for row in whole] == [0, 1, 2, 3]
    job = {"task": "maze", "size": "small", "seed": 0, "first": 1, "last": 3}
    generate_instances(tmp_path / "batch.parquet", job)
    split_views(tmp_path / "batch.parquet", tmp_path / "views.parquet", {"task": "maze"})
    assert read_rows(roll(tmp_path, "maze", tmp_path / "views.parquet"), schemas.ROLLOUTS) == whole[1:3]


# -- where things go wrong ---------------------------------------------------------------------


def test_a_rollout_of_another_instance_is_not_graded(tmp_path):
    _, views = make(tmp_path / "old", "maze")
    answers = read(tmp_path / "old", roll(tmp_path / "old", "maze", views), None)
    other, _ = make(tmp_path / "new", "maze", seed=1)
    with pytest.raises(UserError, match=r"maze 0 was made on another instance .*--forcerun run_rollouts"):
        grade(tmp_path / "old", answers, other)
    assert not (tmp_path / "old" / "grades").exists()
    fewer, _ = make(tmp_path / "few", "maze", count=2)
    with pytest.raises(UserError, match="maze 2 was made on another instance"):
        grade(tmp_path / "old", answers, fewer)


def test_a_failed_rollout_has_no_score_and_stays_in_the_table(tmp_path, served):
    instances, views = make(tmp_path, "maze")
    script = [lambda: error(400, "bad"), completion("ACTI! nonsense"), completion("ACTI!"), completion("no")]
    with served(*script) as (_, models):
        rollouts = roll(tmp_path, "maze", views, ("fake",), "solo_full", models, critic=False)
        answers = read(tmp_path, rollouts, None, models)
    rows = read_rows(grade(tmp_path, answers, instances), schemas.GRADES)
    scores = sorted((row["outcome"], row["score"]) for row in rows)
    assert scores == [("answered", 0.0), ("failed", None), ("no_answer", 0.0), ("no_answer", 0.0)]
    failed = next(r for r in read_rows(rollouts, schemas.ROLLOUTS) if r["outcome"] == "failed")
    assert "bad" in failed["error"] and failed["messages"] == [] and failed["turns"] == 0
    assert failed["usage"] == [
        {"slot": 1, "model": "fake", "calls": 0, "prompt_tokens": 0, "completion_tokens": 0}
    ]


def test_a_stopped_run_says_why_and_keeps_what_was_answered(tmp_path, served):
    _, views = make(tmp_path, "maze")
    with served(completion("ACTI! 1"), lambda: error(401)) as (fake, models):
        with pytest.raises(RunStopped, match="was refused"):
            roll(tmp_path, "maze", views, ("fake",), "solo_full", models, critic=False)
        asked = len(fake.bodies)
        fake.script[:] = [completion("ACTI! 2")]
        rows = read_rows(
            roll(tmp_path, "maze", views, ("fake",), "solo_full", models, critic=False), schemas.ROLLOUTS
        )
        assert sorted(row["answer_text"] for row in rows) == ["1", "2", "2", "2"]
        assert len(fake.bodies) == asked + 3
    replayed = roll(tmp_path, "maze", views, ("fake",), "solo_full", models, critic=False, replay_only=True)
    assert read_rows(replayed, schemas.ROLLOUTS) == rows


def test_tokens_without_a_count_are_unknown(tmp_path, served):
    _, views = make(tmp_path, "maze", count=1)
    usage = {"prompt_tokens": 3, "completion_tokens": 2}
    with served(completion("ACTI! 1", usage=usage), completion("ACTI! 1")) as (_, models):
        (row,) = read_rows(roll(tmp_path, "maze", views, ("fake",), "solo_full", models), schemas.ROLLOUTS)
    assert [m["prompt_tokens"] for m in row["messages"]] == [3, None, None]
    assert row["usage"][0] == {
        "slot": 1,
        "model": "fake",
        "calls": 2,
        "prompt_tokens": None,
        "completion_tokens": None,
    }
    assert json.loads(row["sent"])[0]["model"] == "fake" and not row["simulated"]


# -- who reads the answer ----------------------------------------------------------------------


def command(stage, *arguments):
    return subprocess.run(
        [sys.executable, "-m", f"scripts.collaboration.{stage}", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )


def test_a_damaged_input_is_one_line_and_exit_code_1(tmp_path):
    instances, _ = make(tmp_path, "maze", count=1)
    answers, output, log = (
        tmp_path / "answers.parquet",
        tmp_path / "grades.parquet",
        tmp_path / "logs" / "x.log",
    )
    answers.write_bytes(b"PAR1 and no more")
    shown = command(
        "grade_answers", "--answers", answers, "--instances", instances, "--output", output, "--log", log
    )
    assert (shown.returncode, shown.stdout) == (1, "")
    assert shown.stderr.count("\n") == 1
    assert f"grade_answers ERROR: {answers} is damaged" in shown.stderr
    assert f"rm {answers} && snakemake {answers}" in shown.stderr
    assert log.read_text(encoding="utf-8") == shown.stderr
    assert not output.exists()


def test_a_reply_that_the_ledger_lacks_is_one_line_and_exit_code_1(tmp_path):
    """Also from inside many conversations at once."""
    _, views = make(tmp_path, "maze", count=3)
    models, output = tmp_path / "models.yaml", tmp_path / "rollouts.parquet"
    models.write_text("m:\n  base_url: http://127.0.0.1:9/v1\n")
    job = {"arm": "baseline", "team": ["m"], "mode": "collab", "family": "spatial"}
    calls = {"models_file": str(models), "ledger": [str(tmp_path / "ledger")], "replay_only": True}
    shown = command(
        "run_rollouts",
        *("--views", views, "--output", output, "--calls", json.dumps(calls)),
        *("--job", json.dumps(job | {"critic": None, "max_exchanges": 5})),
    )
    assert shown.returncode == 1, shown.stderr
    assert "Traceback" not in shown.stderr
    assert 'the ledger holds no reply of model "m"' in shown.stderr
    assert not output.exists()


def test_a_stage_writes_what_its_function_writes(tmp_path):
    job = {"task": "maze", "size": "small", "seed": 0, "first": 0, "last": 2}
    shown = command("generate_instances", "--output", tmp_path / "cli.parquet", "--job", json.dumps(job))
    assert shown.returncode == 0, shown.stderr
    generate_instances(tmp_path / "function.parquet", job)
    assert (tmp_path / "cli.parquet").read_bytes() == (tmp_path / "function.parquet").read_bytes()


def test_an_answer_in_any_accepted_convention_is_graded(tmp_path):
    """The same right answer, as each holder writes it."""
    instances, _ = make(tmp_path, "maze", count=1)
    (row,) = read_rows(instances, schemas.INSTANCES)
    made, task = instance("maze", "small", 0), get_task("maze")
    blank = dict.fromkeys(schemas.ANSWERS.names) | {"outcome": "answered", "answered_by": "program"}
    about = {name: row[name] for name in ("task", "family", "index", "digest")}
    for name, frame in made.draft.frames.items():
        value = task.write_answer(made.answer, frame)
        answers = tmp_path / f"{name}.parquet"
        write_rows(answers, [blank | about | {"answer": json.dumps(value)}], schemas.ANSWERS)
        grade_answers(answers, [instances], tmp_path / f"{name}.grades")
        (graded,) = read_rows(tmp_path / f"{name}.grades", schemas.GRADES)
        assert graded["score"] == 1.0 and graded["accepted"]
