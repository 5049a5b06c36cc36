"""The plan: what is paid, what is left, what it costs; exact on small studies, and without a call."""

import json
from collections import Counter

import pytest
import yaml

from scripts.collaboration.extract_answers import extract_answers
from scripts.collaboration.judge_stages import judge_stages
from scripts.collaboration.plan_cost import make_plan
from scripts.collaboration.plan_needs import Part
from scripts.collaboration.plan_run import describe_plan
from scripts.collaboration.run_rollouts import run_rollouts
from scripts.collaboration.schemas import ROLLOUTS, SAMPLES
from scripts.lib.agents.caller import Calls
from scripts.lib.dryrun import Job
from scripts.lib.names import team_name, team_slug
from scripts.lib.tables import read_rows, write_rows
from tasks import TASKS
from tests.collaboration.judged import sample_row
from tests.collaboration.stage_walk import MODELS, how, make
from tests.lib.agents.fake_endpoint import completion

PRICE = {"input": 2.0, "output": 10.0}
USAGE = {"usage": {"prompt_tokens": 100, "completion_tokens": 20}}


def job(**changes):
    """Two tasks of two families, one model alone, two batches of four."""
    plan = {
        "arms": ["baseline"],
        "clauses": {"baseline": []},
        "teams": [["fake"]],
        "modes": ["solo_full"],
        "tasks": {"maze": "spatial", "treesum": "relational"},
        "batches": ["000", "001"],
        "batch_size": 4,
        "rollouts": 8,
        "sizes": {"maze": "small", "treesum": "small"},
        "seed": 0,
        "critic": True,
        "max_exchanges": 20,
        "grader": None,
        "readers": {},
        "budget": None,
        "jobs": 2,
    }
    return plan | changes


def models_file(folder, **models):
    """A models file with the simulated ones of the demo and these."""
    known = yaml.safe_load(MODELS.read_text(encoding="utf-8"))
    fake = {"base_url": "http://127.0.0.1:9/v1", "price": PRICE}
    path = folder / "models.yaml"
    path.write_text(yaml.safe_dump(known | {"fake": fake} | models), encoding="utf-8")
    return path


def would_run(plan, rule="run_rollouts", but=()):
    """The jobs of a dry run in which every batch would run, but some."""
    names = [
        "/".join([arm, team_slug(tuple(team)), mode, family, batch])
        for arm in plan["arms"]
        for team in plan["teams"]
        for mode in plan["modes"]
        for family in dict.fromkeys(plan["tasks"].values())
        for batch in plan["batches"]
    ]
    values = [name.split("/") for name in names if name not in but]
    keys = ("arm", "team", "mode", "family", "batch")
    wildcards = [", ".join(map("=".join, zip(keys, value, strict=True))) for value in values]
    return [Job(rule, {"reason": "Missing output files: x", "wildcards": text}) for text in wildcards]


def recorded(data, task, calls, prompt, completion, team=("fake",), mode="solo_full", batch="000", count=4):
    """Finished rollouts of a batch in which the team's first model used so much in each."""
    family = TASKS[task]
    about = {"arm": "baseline", "team": team_name(team), "mode": mode, "family": family, "task": task}
    use = {"slot": 1, "model": team[0], "calls": calls, "prompt_tokens": prompt}
    rest = {"outcome": "answered", "simulated": False, "turns": calls, "truncated": 0, "messages": []}
    rows = [
        about | {"index": index, "usage": [use | {"completion_tokens": completion}]} | rest
        for index in range(count)
    ]
    path = data / "rollouts" / "baseline" / team_slug(team) / mode / family / f"{batch}.parquet"
    write_rows(path, rows, ROLLOUTS)


def planned(folder, jobs, plan, models=None, **calls):
    """The plan, and its text."""
    told = Calls.read(how(folder, models or models_file(folder)) | calls)
    made = make_plan(jobs, folder / "data", told, plan)
    return made, "\n".join(describe_plan(made, told))


def cells(text, name):
    """The words of a model's line."""
    (line,) = [line for line in text.splitlines() if line.startswith(name)]
    return line.removeprefix(name).split()


def test_recorded_usage_gives_exact_numbers(tmp_path):
    plan, kept = job(), ("baseline/fake/solo_full/spatial/000", "baseline/fake/solo_full/relational/000")
    recorded(tmp_path / "data", "maze", 2, 300, 50)
    recorded(tmp_path / "data", "treesum", 1, 100, 10)
    made, text = planned(tmp_path, would_run(plan, but=kept), plan)
    (row,) = made.rows
    assert (row.planned, row.paid, made.rollouts, made.paid) == (16, 8, 16, 8)
    assert (row.use.calls, row.use.prompt, row.use.completion) == (12, 1600, 240)
    assert row.cost == pytest.approx((1600 * 2 + 240 * 10) / 1e6)
    assert row.sources == {"recorded": 2}
    assert cells(text, "fake")[:6] == ["16", "8", "12", "1,600", "240", "0.0056"]
    assert cells(text, "fake")[-1] == "recorded"
    assert cells(text, "total")[:6] == ["16", "8", "12", "1,600", "240", "0.0056"]


def test_a_task_that_was_not_run_takes_the_mean_of_its_mode(tmp_path):
    plan = job()
    recorded(tmp_path / "data", "maze", 2, 300, 50)
    jobs = would_run(plan, but=("baseline/fake/solo_full/spatial/000",))
    made, text = planned(tmp_path, jobs, plan)
    assert made.rows[0].use.calls == 4 * 2 + 8 * 2
    assert made.rows[0].sources == {"recorded": 1, "recorded on other tasks": 2}
    assert "recorded on other tasks (2), recorded (1)" in text


def test_rollouts_that_run_again_are_no_more_than_a_hint_and_the_line_says_so(tmp_path):
    plan = job(rollouts=4, batches=["000"], tasks={"maze": "spatial"})
    recorded(tmp_path / "data", "maze", 3, 30, 5)
    made, text = planned(tmp_path, would_run(plan), plan)
    assert (made.paid, made.use.calls) == (0, 12)
    assert "recorded before a change" in text


def test_without_records_simulated_dialogues_tell(tmp_path):
    plan = job(modes=["solo_full", "solo_split", "collab"])
    made, text = planned(tmp_path, would_run(plan), plan)
    (row,) = made.rows
    assert row.sources == Counter({"simulated": 12})
    assert row.planned == 48 and row.paid == 0
    assert 48 * 2 < row.use.calls < 48 * 10  # two calls alone, a few in a talk
    assert row.use.prompt > 20 * row.use.calls
    assert '"simulated": estimated; simulated agents talked on 3 instances' in text
    again, _ = planned(tmp_path, would_run(plan), plan)
    assert again == made


def test_a_model_that_only_listens_in_one_slot_of_a_pair_pays_for_its_own_turns(tmp_path):
    plan = job(teams=[["fake", "simulated-strong"]], modes=["collab"])
    made, _ = planned(tmp_path, would_run(plan), plan)
    alone, _ = planned(tmp_path, would_run(job(modes=["collab"])), job(modes=["collab"]))
    first, second = made.rows
    assert first.use.calls + second.use.calls == pytest.approx(alone.rows[0].use.calls)
    assert (made.rollouts, first.planned, second.planned) == (16, 16, 16)


@pytest.fixture
def paid_study(tmp_path, served):
    """Two tasks in one batch that were run against an endpoint and then lost, but for the ledger."""
    plan = job(rollouts=4, batches=["000"])
    with served(completion('ACTI! {"path": []}', **USAGE), price=PRICE) as (fake, models):
        for task, family in plan["tasks"].items():
            _, views = make(tmp_path / "data", task)
            about = {"arm": "baseline", "team": ["fake"], "mode": "solo_full", "family": family}
            run_rollouts([views], tmp_path / "rollouts.parquet", how(tmp_path, models), plan | about)
        yield plan, models, fake


def test_what_the_ledger_holds_is_paid_and_nothing_is_called(tmp_path, paid_study):
    plan, models, fake = paid_study
    before = len(fake.bodies)
    made, text = planned(tmp_path, would_run(plan), plan, models)
    assert (made.rollouts, made.paid, made.use.calls, made.cost) == (8, 8, 0, 0)
    assert cells(text, "fake")[:3] == ["8", "8", "0"] and "all paid" in text
    assert len(fake.bodies) == before == 16


def test_the_paid_are_found_without_instances_on_the_disk(tmp_path, paid_study):
    plan, models, _ = paid_study
    for path in (tmp_path / "data").rglob("*.parquet"):
        path.unlink()
    made, _ = planned(tmp_path, would_run(plan), plan, models)
    assert (made.paid, made.use.calls) == (8, 0)


def test_stale_views_are_not_asked_about(tmp_path, paid_study):
    plan, models, _ = paid_study
    make(tmp_path / "data", "maze", seed=1)  # views of another study seed, which would be made anew
    wildcards = {"reason": "Params have changed", "wildcards": "task=maze, batch=000"}
    made, _ = planned(tmp_path, [*would_run(plan), Job("split_views", wildcards)], plan, models)
    assert made.paid == 8


def test_calls_of_a_rollout_that_was_cut_short_count_as_paid(tmp_path, paid_study):
    plan, models, _ = paid_study
    (segment,) = (tmp_path / "ledger" / "fake" / "maze").glob("*.jsonl")
    lines = segment.read_text(encoding="utf-8").splitlines(keepends=True)
    critics = [line for line in lines if json.loads(line)["key"] in second_calls(tmp_path, plan)]
    segment.write_text("".join(line for line in lines if line not in critics[:3]), encoding="utf-8")
    made, _ = planned(tmp_path, would_run(plan), plan, models)
    assert len(critics) == 4
    assert made.paid == 8 - 3
    assert made.use.calls == 3  # the three critic passes
    assert made.rows[0].sources == {"ledger": 1}
    assert made.cost == pytest.approx(3 * PRICE["input"] * 100 / 1e6 + 3 * PRICE["output"] * 20 / 1e6)


def second_calls(folder, plan, task="maze"):
    """The keys of the critic passes on a task, in the order of the instances."""
    about = {"arm": "baseline", "team": ["fake"], "mode": "solo_full", "family": TASKS[task]}
    again = folder / "again.parquet"
    views = folder / "data" / "views" / task / "000.parquet"
    calls = how(folder, folder / "models.yaml", replay_only=True)
    run_rollouts([views], again, calls, plan | about)
    return [row["messages"][2]["key"] for row in read_rows(again, ROLLOUTS)]


def test_a_graders_readings_are_looked_up_too(tmp_path, served):
    plan = job(rollouts=4, batches=["000"], tasks={"maze": "spatial"}, grader="judge")
    with served(completion('ACTI! {"path": []}', **USAGE), price=PRICE) as (fake, models):
        judge = {"base_url": fake.url, "price": PRICE, "batch": True, "limits": {"retries": 0}}
        known = yaml.safe_load(models.read_text(encoding="utf-8")) | {"judge": judge}
        models.write_text(yaml.safe_dump(known), encoding="utf-8")
        _, views = make(tmp_path / "data", "maze")
        about = {"arm": "baseline", "team": ["fake"], "mode": "solo_full", "family": "spatial"}
        rollouts = tmp_path / "data/rollouts/baseline/fake/solo_full/spatial/000.parquet"
        run_rollouts([views], rollouts, how(tmp_path, models), plan | about)
        unread, _ = planned(tmp_path, would_run(plan, "extract_answers"), plan, models)
        answers = tmp_path / "answers.parquet"
        extract_answers(rollouts, answers, how(tmp_path, unbatched(models)), {"grader": "judge"})
        read, _ = planned(tmp_path, would_run(plan, "extract_answers"), plan, models)
        both = [*would_run(plan), *would_run(plan, "extract_answers")]
        lost, _ = planned(tmp_path, both, plan, models)
        calls = len(fake.bodies)
    talks, reads = unread.rows
    assert talks.use.calls == 0 and reads.part == Part("judge", "grader")
    assert (reads.planned, reads.paid, reads.use.calls, reads.sources) == (4, 0, 4, {"simulated": 1})
    dollars = (round(reads.use.prompt) * 2 + round(reads.use.completion) * 10) / 1e6
    assert reads.cost == pytest.approx(dollars / 2)  # through the Batch API
    assert [(row.paid, row.use.calls) for made in (read, lost) for row in made.rows] == [(4, 0)] * 4
    assert calls == 4 * 2 + 1  # the four dialogues read the same, so one reading serves them


def unbatched(models):
    """The same models file with single calls: the fake endpoint has no Batch API. Their keys are the same."""
    path = models.with_name("unbatched.yaml")
    path.write_text(
        models.read_text(encoding="utf-8").replace("batch: true", "batch: false"), encoding="utf-8"
    )
    return path


def test_the_budget_stands_beside_the_total(tmp_path, paid_study):
    _, models, _ = paid_study
    spent = 16 * (100 * 2 + 20 * 10) / 1e6
    more = job(rollouts=8)
    jobs = would_run(more)
    made, text = planned(tmp_path, jobs, more | {"budget": 1.0}, models)
    assert made.spent == pytest.approx(spent)
    assert made.cost == pytest.approx(spent)  # as many again
    assert "budget: 1.00 USD, 0.0064 spent, 0.0064 planned: it lasts, 0.9872 left" in text
    _, text = planned(tmp_path, jobs, more | {"budget": 0.01}, models)
    assert "budget: 0.0100 USD, 0.0064 spent, 0.0064 planned: it does NOT last, 0.0028 short" in text
    assert "budget" not in planned(tmp_path, jobs, more, models)[1]


def test_a_missing_key_and_an_unknown_price_are_lines_of_the_plan(tmp_path, monkeypatch):
    monkeypatch.delenv("SOME_KEY", raising=False)
    hosted = {"base_url": "http://127.0.0.1:9/v1", "key_variable": "SOME_KEY"}
    plan = job(teams=[["hosted"], ["fake"]])
    made, text = planned(tmp_path, would_run(plan), plan, models_file(tmp_path, hosted=hosted))
    assert made.rows[0].cost is None
    assert cells(text, "hosted")[5] == "unknown"
    assert "+ unknown" in text
    assert 'not set: SOME_KEY (key of model "hosted")' in text


def test_simulated_costs_are_called_so(tmp_path):
    model = yaml.safe_load(MODELS.read_text(encoding="utf-8"))["simulated-middle"] | {"price": PRICE}
    plan = job(teams=[["rehearsal"], ["simulated-weak"]])
    made, text = planned(tmp_path, would_run(plan), plan, models_file(tmp_path, rehearsal=model))
    rehearsal, free = made.rows
    assert rehearsal.cost > 0 and free.cost == 0
    assert rehearsal.seconds is None  # computing time is nobody's limit
    assert cells(text, "rehearsal")[6:8] == ["simulated", "-"]
    assert "USD simulated: a rehearsal" in text


def test_time_follows_the_limits_and_an_assumed_latency(tmp_path):
    plan = job(rollouts=4, batches=["000"], tasks={"maze": "spatial"}, jobs=1)
    recorded(tmp_path / "data", "maze", 3, 1000, 60)
    recorded(tmp_path / "data", "maze", 3, 1000, 60, batch="001")
    plan |= {"batches": ["000", "001"], "rollouts": 8}
    jobs = would_run(plan, but=("baseline/fake/solo_full/spatial/000",))
    limits = {
        "wide": {"jobs": 1, "in_flight": 32},  # four dialogues at most: 12 calls, 4 at once
        "narrow": {"jobs": 1, "in_flight": 2},
        "slow": {"jobs": 1, "requests_per_minute": 6},
        "thin": {"jobs": 1, "tokens_per_minute": 424},
        "shared": {"jobs": 2, "in_flight": 4},  # each job has two places, but one job runs at a time
    }
    latency = 1 + 20 / 50
    expected = {"wide": 3, "narrow": 6, "shared": 6}
    seconds = {name: calls * latency for name, calls in expected.items()} | {"slow": 120, "thin": 600}
    for name, limit in limits.items():
        fake = {"base_url": "http://127.0.0.1:9/v1", "price": PRICE, "limits": limit}
        made, text = planned(tmp_path, jobs, plan, models_file(tmp_path, fake=fake))
        assert made.rows[0].seconds == made.seconds == pytest.approx(seconds[name]), name
        assert "1.4 s assumed" in text and "assumed: 1 s and 50 tokens a second" in text


def test_a_recorded_latency_is_read_from_the_time_stamps(tmp_path, paid_study):
    plan, models, _ = paid_study
    for segment in (tmp_path / "ledger").rglob("*.jsonl"):
        lines = [json.loads(line) for line in segment.read_text(encoding="utf-8").splitlines()]
        keys = second_calls(tmp_path, plan, segment.parent.name)
        for line in lines:  # the first four calls at once, the critic's eight seconds later
            hour = "10" if segment.parent.name == "maze" else "15"
            line["at"] = f"2026-11-30T{hour}:00:{8 * (line['key'] in keys):02d}+00:00"
        segment.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    more = job(rollouts=8)
    made, text = planned(tmp_path, would_run(more), more, models)
    assert made.rows[0].latency.recorded
    assert made.rows[0].latency.seconds == pytest.approx(1 * 16 / 15)  # one in flight: 16 s for 15 replies
    assert "1.1 s recorded" in text


# -- the judge ---------------------------------------------------------------------------------


def test_the_judges_calls_are_four_a_conversation_and_found_in_the_ledger(tmp_path, served):
    team, data = "simulated-middle", tmp_path / "data"
    plan = job(
        teams=[[team]],
        modes=["collab"],
        tasks={"maze": "spatial"},
        batches=["000"],
        rollouts=4,
        readers={"judge": {"model": "fake", "rollouts": 3}},
    )
    waiting = [Job("judge_stages", {"wildcards": f"team={team}"})]
    with served(completion("void", **USAGE), price=PRICE) as (_, models):
        bare = [*would_run(plan), Job("select_rollouts", {}), *waiting]
        nothing, text = planned(tmp_path, bare, plan, models)
        _, views = make(data, "maze")
        rollouts = data / "rollouts/baseline" / team / "collab/spatial/000.parquet"
        about = {"arm": "baseline", "team": [team], "mode": "collab", "family": "spatial"}
        run_rollouts([views], rollouts, how(tmp_path, models), plan | about)
        found = read_rows(rollouts, ROLLOUTS)
        sample = data / "samples" / "judgements.parquet"
        write_rows(sample, [sample_row(row) for row in found[:1]], SAMPLES)
        asked = {"team": [team], "judge": "fake"}
        judge_stages(sample, [views], [rollouts], data / "j.parquet", how(tmp_path, models), asked)
        write_rows(sample, [sample_row(row) for row in found[:3]], SAMPLES)
        partly, _ = planned(tmp_path, waiting, plan, models)
        done, _ = planned(tmp_path, [], plan, models)
    talks, reads = nothing.rows
    assert (talks.part, reads.part) == (Part(team), Part("fake", "judge"))
    assert (reads.planned, reads.paid, reads.use.calls, reads.sources) == (3, 0, 12, {"simulated": 1})
    assert reads.use.prompt > 12 * 100 and cells(text, "fake (judge)")[:3] == ["3", "0", "12"]
    assert nothing.rollouts == 4  # readings are no rollouts
    reads = partly.rows[1]
    assert (reads.planned, reads.paid, reads.use.calls, reads.sources) == (3, 1, 8, {"ledger": 1})
    assert (reads.use.prompt, reads.use.completion) == (800, 160)
    assert [(row.paid, row.use.calls) for row in done.rows] == [(4, 0), (3, 0)]
