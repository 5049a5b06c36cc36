"""Calls of one model in one job: answered from the ledger where it can be, else by the endpoint."""

from __future__ import annotations

import asyncio
import functools
import logging
import signal
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from scripts.lib.agents.account import Account
from scripts.lib.agents.calls import BudgetSpent, Messages, NoCredit, Reply, RunStopped, call_key
from scripts.lib.agents.embedding import EmbeddingEndpoint
from scripts.lib.agents.endpoint import OpenAIEndpoint
from scripts.lib.agents.ledger import Ledger
from scripts.lib.agents.models import Model, check_keys, cost, load_models
from scripts.lib.agents.pacing import Pause, Stopping
from scripts.lib.errors import UserError
from scripts.lib.progress import Meter

log = logging.getLogger(__name__)

LONG_REPLY = 2000  # tokens that a reply may have, where no limit is sent, before longer ones were seen
UNLIMITED = 2**31


@dataclass(frozen=True)
class Calls:
    """How a job reaches models: the file that names them, the ledger's folders, and the run's shared file."""

    models_file: Path
    ledger: tuple[Path, ...]
    replay_only: bool = False
    state: Path | None = None

    @classmethod
    def read(cls, given: dict[str, Any]) -> Calls:
        """From the option ``--calls`` of a stage."""
        state = given.get("state")
        ledger = tuple(Path(folder) for folder in given["ledger"])
        return cls(Path(given["models_file"]), ledger, given["replay_only"], Path(state) if state else None)


class Endpoint(Protocol):
    """Whatever answers: an OpenAI-compatible API or an embedded simulated agent."""

    async def complete(self, messages: Messages) -> Reply:
        """One chat completion; raises CallFailed or RunStopped."""

    async def close(self) -> None:
        """Release what it holds."""


class SimulatedEndpoint:
    """Simulated agents behind the interface of an endpoint, inside the process."""

    def __init__(self, model: Model) -> None:
        from scripts.lib.agents.simulated.agent import answer_messages
        from scripts.lib.agents.simulated.brought import answer_brought

        self.answer = (
            functools.partial(answer_messages, model.profile)
            if model.profile
            else functools.partial(answer_brought, model.planted or {})
        )

    async def complete(self, messages: Messages) -> Reply:
        """One reply, computed at once."""
        return self.answer(messages)

    async def close(self) -> None:
        """Nothing to release."""


@dataclass
class Session:
    """The callers of one job by model name, and what they share."""

    calls: Calls
    meter: Meter
    account: Account
    callers: dict[str, Caller] = field(default_factory=dict)
    stopping: Stopping = field(default_factory=Stopping)
    pauses: dict[str, Pause] = field(default_factory=dict)

    def pause(self, base_url: str) -> Pause:
        """The pause that all models at a URL share."""
        return self.pauses.setdefault(base_url.rstrip("/"), Pause())

    def stop(self, error: Exception) -> None:
        """No further call in this job; for lack of money in no other job of the run either."""
        self.stopping.stop(error)
        if isinstance(error, NoCredit | BudgetSpent):
            self.account.stop(error)


class Caller:
    """One model. Embedded simulated agents are not recorded: they are free and always say the same."""

    def __init__(self, name: str, model: Model, session: Session) -> None:
        self.name, self.model, self.session, self.meter = name, model, session, session.meter
        self.identity = model.identity(name)
        self.ledgers: dict[str, Ledger] = {}
        self._asked: dict[str, asyncio.Future[Reply]] = {}
        self._longest = LONG_REPLY / 2
        # With a budget, money is set aside only for calls that can go out.
        limited = session.account.budget is not None
        self._places = asyncio.Semaphore(model.limits.share().in_flight if limited else UNLIMITED)
        kind = EmbeddingEndpoint if model.embeds else OpenAIEndpoint
        self.endpoint: Endpoint = (
            SimulatedEndpoint(model)
            if model.simulated
            else kind(*(name, model, session.pause(model.base_url), session.stopping, self.meter))
        )

    async def call(self, task: str, messages: Messages, replicate: int = 0) -> Reply:
        """The reply to a chat, recorded before it is returned. Raises CallFailed or RunStopped."""
        if self.model.simulated:
            return await self._simulate(messages)
        key = call_key(self.identity, messages, replicate)
        if recorded := self.recorded(task, key):
            return recorded
        if key in self._asked:  # the same question is on its way
            return await asyncio.shield(self._asked[key])
        self._asked[key] = answer = asyncio.get_running_loop().create_future()
        try:
            reply = await self._pay(task, key, messages, replicate)
        except BaseException as error:
            answer.set_exception(error if isinstance(error, Exception) else RunStopped("interrupted"))
            answer.exception()  # nobody else may have asked
            raise
        finally:
            del self._asked[key]
        answer.set_result(reply)
        return reply

    async def _simulate(self, messages: Messages) -> Reply:
        self.session.stopping.check()
        reply = await self.endpoint.complete(messages)
        if self.model.price:  # a rehearsal of the bill
            dollars = cost(self.model, reply) or 0.0
            self.reserve(dollars)
            self.session.account.settle(dollars, dollars)
        self.meter.count(self.model, reply, replayed=False)
        await asyncio.sleep(0)  # lets the progress line be written
        return reply

    def holds(self, task: str, key: str) -> bool:
        """Whether the ledger has a reply."""
        return key in self._ledger(task)

    def recorded(self, task: str, key: str) -> Reply | None:
        """The reply in the ledger; raises RunStopped where there is none and none may be asked for."""
        recorded = self._ledger(task).get(key)
        if recorded is not None:
            self.meter.count(self.model, recorded, replayed=True)
        elif self.session.calls.replay_only:
            raise RunStopped(
                f'replay_only is set, but the ledger holds no reply of model "{self.name}" to this call on '
                f"task {task} (key {key}; looked in {', '.join(map(str, self.session.calls.ledger))})"
            )
        return recorded

    async def _pay(self, task: str, key: str, messages: Messages, replicate: int) -> Reply:
        """Ask the endpoint, inside the budget, and record what it says."""
        async with self._places:
            self.session.stopping.check()
            worst, spent = self.worst_cost(messages), 0.0
            self.reserve(worst)
            try:
                reply = await self.endpoint.complete(messages)
                spent = cost(self.model, reply) or 0.0
                return self.record(task, key, reply, replicate)
            except UserError as error:  # no credit, no access, a full disk: no other call makes sense
                self.session.stop(error)
                raise
            finally:
                self.session.account.settle(worst, spent)

    def record(self, task: str, key: str, reply: Reply, replicate: int) -> Reply:
        """Write a paid reply to the ledger; returns the reply that counts."""
        self.meter.count(self.model, reply, replayed=False)
        self._longest = max(self._longest, reply.completion_tokens or 0)
        about = {"model": self.name, "task": task, "replicate": replicate}
        return self._ledger(task).append(key, reply, **about)

    def reserve(self, dollars: float) -> None:
        """Set aside what is to be paid; raises RunStopped where the run is over or the budget too small."""
        try:
            self.session.account.check()
            self.session.account.reserve(dollars)
        except RunStopped as error:
            self.session.stop(error)
            raise

    def worst_cost(self, messages: Messages, batch: bool = False) -> float:
        """US dollars that a call can cost at most: a token for each byte, the longest reply allowed."""
        if self.model.price is None:
            return 0.0
        prompt = sum(len(message["content"].encode()) + 16 for message in messages)
        sent = self.model.parameters
        most = sent.get("max_completion_tokens", sent.get("max_tokens"))
        longest = most if isinstance(most, int) else int(2 * self._longest)
        return self.model.price.cost(prompt, longest, batch)

    def _ledger(self, task: str) -> Ledger:
        if task not in self.ledgers:
            self.ledgers[task] = Ledger(self.session.calls.ledger, self.name, task)
        return self.ledgers[task]

    async def close(self) -> None:
        """Close connections and segments."""
        await self.endpoint.close()
        for ledger in self.ledgers.values():
            ledger.close()


@asynccontextmanager
async def open_callers(names: Iterable[str], calls: Calls, meter: Meter) -> AsyncIterator[Session]:
    """The callers of a job, with their progress logged; closed at the end, come what may.

    On an interrupt or termination signal calls in flight are waited for, and the next call raises
    RunStopped. Raises UserError where a key is missing; a replay needs none.
    """
    models, names = load_models(calls.models_file), list(dict.fromkeys(names))
    if not calls.replay_only:
        check_keys(models, names)
    session = Session(calls, meter, Account(calls.state))
    session.callers = {name: Caller(name, models[name], session) for name in names}
    _stop_on_signals(session)
    reporter = asyncio.create_task(meter.report())
    try:
        yield session
    finally:
        reporter.cancel()
        for caller in session.callers.values():
            await caller.close()
        session.account.close()
        log.info(meter.line())


def _stop_on_signals(session: Session) -> None:
    loop = asyncio.get_running_loop()

    def stop(name: str) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)  # the second signal ends the job at once
        log.warning("%s: waiting for the calls in flight; once more ends at once", name)
        session.stop(RunStopped(f"stopped by {name}; start the same command again to go on"))

    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop, number.name)
    except (RuntimeError, ValueError):  # not in the main thread
        return
