"""The pace of calls: levels, rates and pauses, on a clock of the test's own where time decides."""

import asyncio
import time

import pytest

from scripts.lib.agents.calls import RunStopped
from scripts.lib.agents.models import Limits
from scripts.lib.agents.pacing import Pacer, Pause, Rate, Stopping


def pacer(**limits):
    return Pacer(Limits(jobs=1, **limits), Pause(), Stopping())


def levels(replies, in_flight=64):
    """The level after each call: "ok", "no" reply, pushed "back", or "late" (the same, but sent earlier)."""

    async def run():
        paced, found = pacer(in_flight=in_flight), []
        for reply in replies:
            started = await paced.enter()
            if reply == "late":
                started = paced.pushed_back_at - 1
            paced.leave(started, reply == "ok", reply in ("back", "late"), None)
            found.append(paced.level)
        return found

    return asyncio.run(run())


def test_the_level_rises_with_each_reply_up_to_the_limit():
    assert levels(["ok"] * 40, in_flight=128)[:3] == [66, 68, 70]
    assert levels(["ok"] * 40, in_flight=128)[-1] == 128
    assert levels(["ok"] * 3, in_flight=4) == [4, 4, 4]


def test_a_push_back_lowers_the_level_once_and_then_it_rises_slowly():
    found = levels(["back", "late", "late", "ok", "no"])
    assert found[0] == pytest.approx(44.8)
    assert found[1] == found[2] == found[0]
    assert found[3] == pytest.approx(44.8 + 1 / 44.8)
    assert found[4] == found[3]


def test_the_level_never_falls_below_an_eighth_of_the_limit():
    assert levels(["back"] * 50)[-1] == 8
    assert levels(["back"] * 50, in_flight=4)[-1] == 1
    assert levels(["back"] * 50, in_flight=1024)[-1] == 64  # nor does a push back raise it


def test_no_more_run_at_once_than_the_level():
    async def run():
        paced, at_once, most = pacer(in_flight=5), 0, 0

        async def one():
            nonlocal at_once, most
            started = await paced.enter()
            at_once += 1
            most = max(most, at_once)
            await asyncio.sleep(0.001)
            at_once -= 1
            paced.leave(started, True, False, None)

        await asyncio.gather(*(one() for _ in range(40)))
        return most, paced.running

    assert asyncio.run(run()) == (5, 0)


def test_nobody_passes_by_who_waits():
    """Otherwise the first dialogues would come to their end last, and hold up all that follow."""

    async def run():
        paced, order = pacer(in_flight=2), []

        async def one(number):
            for turn in range(2):
                started = await paced.enter()
                order.append((turn, number))
                await asyncio.sleep(0.001)
                paced.leave(started, True, False, None)

        await asyncio.gather(*(one(number) for number in range(9)))
        return order

    order = asyncio.run(run())
    assert order == sorted(order)


def test_a_place_that_is_not_taken_goes_to_the_next():
    async def run():
        paced = pacer(in_flight=1)
        started = await paced.enter()
        gone, waiting, next_one = (asyncio.ensure_future(paced.enter()) for _ in range(3))
        await asyncio.sleep(0)
        gone.cancel()  # while it waits
        paced.leave(started, True, False, None)
        waiting.cancel()  # when its place was handed over
        await asyncio.wait_for(next_one, 1)
        return paced.running, gone.cancelled(), waiting.cancelled()

    assert asyncio.run(run()) == (1, True, True)


def test_a_rate_spaces_calls_evenly(monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    rate = Rate(60)
    assert [rate.book(1) for _ in range(4)] == [0, 1, 2, 3]
    clock[0] += 10  # unused time is not saved up
    assert [rate.book(2), rate.book(1)] == [0, 2]
    rate.correct(5)
    assert rate.book(1) == 8


def test_tokens_are_booked_by_what_replies_took(monkeypatch):
    clock, waits = [100.0], []
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])

    async def run():
        paced = pacer(tokens_per_minute=60_000)

        async def sleep(seconds):
            waits.append(seconds)
            clock[0] += seconds

        monkeypatch.setattr(paced.stopping, "sleep", sleep)
        for _ in range(3):
            paced.leave(await paced.enter(), True, False, 2000)

    asyncio.run(run())
    assert waits == [2, 2]  # 2,000 tokens at 1,000 a second


def test_a_pause_holds_all_that_share_it():
    async def run():
        pause, stopping = Pause(), Stopping()
        first, second = (Pacer(Limits(), pause, stopping) for _ in range(2))
        first.leave(await first.enter(), False, True, None)
        pause.extend(0.2)
        began = time.monotonic()
        await second.enter()
        return time.monotonic() - began

    assert 0.2 <= asyncio.run(run()) < 1


def test_whoever_waits_is_let_go_when_the_job_is_to_end():
    async def run():
        paced = pacer(in_flight=1)
        started = await paced.enter()
        waiting = [asyncio.ensure_future(paced.enter()) for _ in range(3)]
        sleeping = asyncio.ensure_future(paced.stopping.sleep(60))
        await asyncio.sleep(0)
        paced.stopping.stop(RunStopped("first"))
        paced.stopping.stop(RunStopped("second"))
        paced.leave(started, True, False, None)
        return await asyncio.wait_for(asyncio.gather(*waiting, sleeping, return_exceptions=True), 1)

    ends = asyncio.run(run())
    assert [str(end) for end in ends] == ["first"] * 4
    assert all(isinstance(end, RunStopped) for end in ends)


def test_a_share_of_the_limits():
    limits = Limits(jobs=20, in_flight=64, requests_per_minute=600, tokens_per_minute=1e6)
    share = limits.share()
    assert (share.in_flight, share.requests_per_minute, share.tokens_per_minute) == (3, 30, 50_000)
    assert limits.shares == 20
    assert Limits(jobs=20, in_flight=4).shares == 4
    assert Limits(jobs=20, in_flight=4).share().in_flight == 1
