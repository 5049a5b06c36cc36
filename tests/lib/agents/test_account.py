"""What the jobs of a run share: the budget, the stop, the run itself."""

import asyncio
from concurrent.futures import ProcessPoolExecutor

import pytest

from scripts.lib.agents.account import Account, open_run, read_stop
from scripts.lib.agents.calls import BudgetSpent, NoCredit, RunStopped
from scripts.lib.errors import UserError
from tests.lib.agents.fake_endpoint import FakeEndpoint, completion
from tests.lib.agents.test_caller import session

USAGE = {"prompt_tokens": 1000, "completion_tokens": 1000}


@pytest.fixture
def run(tmp_path):
    """The file of a run with a budget of 1 dollar, of which .25 were spent before."""
    open_run(tmp_path / "ledger" / "run.json", 1.0, 0.25)
    return tmp_path / "ledger" / "run.json"


def test_what_is_set_aside_counts_until_it_is_settled(run):
    first, second = Account(run), Account(run)
    first.reserve(0.5)
    with pytest.raises(BudgetSpent, match=r"0\.2500 spent, 0\.5000 set aside .* 0\.3000 needed"):
        second.reserve(0.3)


def test_a_cheaper_call_frees_the_rest(run):
    first, second = Account(run), Account(run)
    first.reserve(0.5)
    first.settle(0.5, 0.125)
    second.reserve(0.625)  # to the last cent
    second.settle(0.625, 0.0)  # it failed
    second.reserve(0.5)


def test_a_spent_budget_stops_every_job_with_its_own_exit_code(run):
    first, second = Account(run), Account(run)
    with pytest.raises(BudgetSpent):
        first.reserve(2.0)
    with pytest.raises(BudgetSpent, match="raise budget"):
        second.check()
    code, reason = read_stop(run)
    assert (code, BudgetSpent.code, UserError.code) == (4, 4, 1)
    assert "the budget of 1 USD does not last" in reason


def test_no_credit_stops_every_job(run):
    first, second = Account(run), Account(run)
    second.check()
    first.stop(NoCredit("no credit left at X"))
    first.stop(NoCredit("again"))
    with pytest.raises(NoCredit, match="no credit left at X"):
        second.check()
    assert read_stop(run) == (3, "no credit left at X")


def test_a_job_that_is_left_over_from_an_earlier_run_stops_and_spends_nothing_of_the_new_one(run):
    old = Account(run)
    old.reserve(0.5)
    open_run(run, 1.0, 0.25)
    with pytest.raises(RunStopped, match="another run has begun"):
        old.check()
    with pytest.raises(RunStopped, match="another run has begun"):
        old.reserve(0.1)
    old.settle(0.5, 0.5)
    old.stop(NoCredit("not ours"))
    Account(run).reserve(0.75)
    assert read_stop(run) is None


def test_without_a_run_or_a_budget_nothing_is_limited(tmp_path):
    Account(None).reserve(1e9)
    Account(tmp_path / "nothing.json").reserve(1e9)
    open_run(tmp_path / "run.json", None, 5.0)
    Account(tmp_path / "run.json").reserve(1e9)
    assert read_stop(tmp_path / "nothing.json") is None


def spend(path):
    account, paid = Account(path), 0
    try:
        for _ in range(1000):
            account.reserve(0.002)
            account.settle(0.002, 0.001)
            paid += 1
    except BudgetSpent:
        return paid
    return paid


def test_many_processes_stay_inside_one_budget(tmp_path):
    open_run(tmp_path / "run.json", 1.0, 0.0)
    with ProcessPoolExecutor(4) as pool:
        paid = sum(pool.map(spend, [tmp_path / "run.json"] * 4))
    assert 992 <= paid <= 999  # four reservations of .002 may stand at the end, none beyond the budget


# -- in front of an endpoint -------------------------------------------------------------------


def chats(count):
    return [[{"role": "user", "content": f"{number:04d}"}] for number in range(count)]


def spend_on_calls(folder, run, parameters, count=50):
    """So many calls that may cost (4 + 16 + max_tokens) tokens at 1 dollar a thousand, and cost 20."""
    fake = FakeEndpoint(completion(usage={"prompt_tokens": 10, "completion_tokens": 10}))

    async def ask(caller):
        asked = (caller.call("maze", chat) for chat in chats(count))
        return await asyncio.gather(*asked, return_exceptions=True)

    settings = {"price": {"input": 1000, "output": 1000}, "parameters": parameters, "state": run}
    return session(fake, folder, ask, in_flight=1, **settings)[0], fake


def test_a_run_stops_before_the_call_that_could_exceed_the_budget(tmp_path, run):
    ends, fake = spend_on_calls(tmp_path, run, {"max_tokens": 20})
    assert len(fake.bodies) == 36  # .25 + 36 x .02 = .97; with .04 for the next it could be 1.01
    assert [isinstance(end, BudgetSpent) for end in ends] == [False] * 36 + [True] * 14
    assert read_stop(run)[0] == 4
    recorded = [line for path in tmp_path.rglob("*.jsonl") for line in path.read_text().splitlines()]
    assert len(recorded) == 36


def test_a_budget_that_lasts_stops_nothing(tmp_path):
    open_run(tmp_path / "run.json", 100.0, 0.0)
    ends, fake = spend_on_calls(tmp_path, tmp_path / "run.json", {"max_tokens": 20})
    assert len(fake.bodies) == len(ends) == 50
