"""The padded-context pilot: one problem behind filler, asked and graded (see ``pilot_schemas.PILOT``)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.handoff import solver as _  # noqa: F401  (brings the simulated solver)
from scripts.handoff.answer_line import read_number
from scripts.handoff.padded_problem import MARK, grade_reply, make_filler, make_problem, padded
from scripts.lib.agents.caller import Caller
from scripts.lib.agents.calls import CallFailed, Messages, Reply
from scripts.lib.agents.simulated.brought import count_tokens
from scripts.lib.outcomes import UNFINISHED, Outcome

Row = dict[str, Any]
TASK = "padded_problem"  # the name under which replies are recorded
SYSTEM = (Path(__file__).parent / "prompts" / "pilot_system.txt").read_text(encoding="utf-8").strip()
LEAST = 14  # words that hold one sentence of filler: without any, the calls on a problem would be the same
PROBE = 300  # words of filler by which the tokens of a word are measured
NOT_GRADED = UNFINISHED | {Outcome.CONTEXT_OVERFLOW}  # no reply of the model


@dataclass(frozen=True)
class Scale:
    """How the endpoint counts: tokens of a prompt with LEAST words of filler, and of a word of filler."""

    least: float
    word: float = 4 / 3

    def words(self, load: int) -> int:
        """Words of filler for a prompt of about so many tokens."""
        return max(LEAST, LEAST + round((load - self.least) / self.word))


class Pilot:
    """The pilot of one job. ``job``: seed, calls (a problem and load), steps (of a problem), loads."""

    def __init__(self, caller: Caller, job: Row) -> None:
        self.caller, self.job = caller, job
        self._scale: asyncio.Task[Scale] | None = None

    def prompt(self, index: int, call: int, words: int) -> Messages:
        """The chat: the filler of a call is its own, and longer with the load."""
        problem = make_problem(self.job["seed"], index, self.job["steps"])
        filler = make_filler(self.job["seed"], index * 1000 + call, words)
        return [{"role": "system", "content": SYSTEM}, {"role": "user", "content": padded(problem, filler)}]

    async def scale(self) -> Scale:
        """Measured once, on problem 0, whichever problems the job has; the others wait for it."""
        if self._scale is None:
            self._scale = asyncio.ensure_future(self._measure())
        return await self._scale

    async def _measure(self) -> Scale:
        prompts = [self.prompt(0, 0, words) for words in (LEAST, PROBE)]
        guessed = Scale(estimate(prompts[0]))
        try:
            replies = [await self.caller.call(TASK, prompt) for prompt in prompts]
        except CallFailed:
            return guessed
        few, many = (reply.prompt_tokens for reply in replies)
        if few is None or many is None or many <= few:
            return guessed
        words = [len(prompt[-1]["content"].split()) for prompt in prompts]
        return Scale(few, (many - few) / (words[1] - words[0]))

    async def ask(self, index: int) -> list[Row]:
        """All calls on one problem, a row each."""
        scale = await self.scale()
        return [
            await self._call(index, level, call, scale.words(load))
            for level, load in enumerate(self.job["loads"])
            for call in range(self.job["calls"])
        ]

    async def _call(self, index: int, level: int, call: int, words: int) -> Row:
        prompt, caller = self.prompt(index, call, words), self.caller
        answer = make_problem(self.job["seed"], index, self.job["steps"]).answer
        row: Row = {"model": caller.name, "simulated": caller.model.simulated, "index": index}
        row |= {"level": level, "aim": self.job["loads"][level], "call": call, "words": words}
        row["answer"] = answer
        try:
            row |= judged(await caller.call(TASK, prompt, replicate=call), answer)
        except CallFailed as failure:
            missing = None if failure.outcome in NOT_GRADED else True
            row |= {"outcome": failure.outcome.value, "error": str(failure), "missing": missing}
        if row.get("load") is None:
            row["estimate"] = estimate(prompt)
        return row


def estimate(prompt: Messages) -> int:
    """Tokens of a prompt, estimated."""
    return sum(count_tokens(message["content"]) for message in prompt)


def judged(reply: Reply, answer: int) -> Row:
    """What a reply adds to a row."""
    failures = grade_reply(reply.text, answer)
    outcome = Outcome.NO_ANSWER if failures.format else Outcome.ANSWERED
    if failures.format and reply.finish_reason == "length":
        outcome = Outcome.TRUNCATED
    stated = read_number(reply.text, MARK)
    return {
        "load": reply.prompt_tokens,
        "completion_tokens": reply.completion_tokens,
        "finish_reason": reply.finish_reason,
        "outcome": outcome.value,
        "stated": stated if stated is not None and abs(stated) < 2**63 else None,  # what a column can hold
        "missing": failures.format,
        "wrong": failures.arithmetic,
        "reply": reply.text,
    }
