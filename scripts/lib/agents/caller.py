"""Calls of one model in one job: answered from the ledger where it can be, else by the endpoint."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Protocol

from scripts.lib.agents.calls import Messages, Reply, RunStopped, call_key
from scripts.lib.agents.endpoint import OpenAIEndpoint
from scripts.lib.agents.ledger import Ledger
from scripts.lib.agents.models import Model, Profile, check_keys, load_models
from scripts.lib.progress import Meter

log = logging.getLogger(__name__)


class Endpoint(Protocol):
    """Whatever answers: an OpenAI-compatible API or an embedded simulated agent."""

    async def complete(self, messages: Messages) -> Reply:
        """One chat completion; raises CallFailed or RunStopped."""

    async def close(self) -> None:
        """Release what it holds."""


class SimulatedEndpoint:
    """Simulated agents behind the interface of an endpoint, inside the process."""

    def __init__(self, profile: Profile) -> None:
        from scripts.lib.agents.simulated.agent import answer_messages

        self.profile, self.answer = profile, answer_messages

    async def complete(self, messages: Messages) -> Reply:
        """One reply, computed at once."""
        return self.answer(self.profile, messages)

    async def close(self) -> None:
        """Nothing to release."""


class Caller:
    """One model. Embedded simulated agents are not recorded: they are free and always say the same."""

    def __init__(
        self, name: str, model: Model, ledger_roots: Sequence[Path], meter: Meter, replay_only: bool = False
    ) -> None:
        self.name, self.model, self.meter, self.replay_only = name, model, meter, replay_only
        self.roots = ledger_roots
        self.identity = model.identity(name)
        self.ledgers: dict[str, Ledger] = {}
        self.slots = asyncio.Semaphore(model.limits.in_flight)
        self.endpoint: Endpoint = (
            SimulatedEndpoint(model.profile) if model.profile else OpenAIEndpoint(name, model)
        )

    async def call(self, task: str, messages: Messages, replicate: int = 0) -> Reply:
        """The reply to a chat, recorded before it is returned. Raises CallFailed or RunStopped."""
        if self.model.simulated:
            reply = await self.endpoint.complete(messages)
            self.meter.count(self.model, reply, replayed=False)
            await asyncio.sleep(0)  # lets the progress line be written
            return reply
        key = call_key(self.identity, messages, replicate)
        recorded = self._ledger(task).get(key)
        if recorded is not None:
            self.meter.count(self.model, recorded, replayed=True)
            return recorded
        if self.replay_only:
            raise RunStopped(
                f'replay_only is set, but the ledger holds no reply of model "{self.name}" to this call '
                f"on task {task} (key {key}; looked in {', '.join(map(str, self.roots))})"
            )
        async with self.slots:
            reply = await self.endpoint.complete(messages)
        self.meter.count(self.model, reply, replayed=False)
        about = {"model": self.name, "task": task, "replicate": replicate, "sent": self.identity}
        return self._ledger(task).append(key, reply, **about)

    def _ledger(self, task: str) -> Ledger:
        if task not in self.ledgers:
            self.ledgers[task] = Ledger(self.roots, self.name, task)
        return self.ledgers[task]

    async def close(self) -> None:
        """Close connections and segments."""
        await self.endpoint.close()
        for ledger in self.ledgers.values():
            ledger.close()


@asynccontextmanager
async def open_callers(
    names: Iterable[str], models_file: Path, ledger: Sequence[Path], replay_only: bool, meter: Meter
) -> AsyncIterator[dict[str, Caller]]:
    """The callers of a job by model name, with their progress logged; closed at the end, come what may.

    Raises UserError where a key is missing; a replay needs none.
    """
    models, names = load_models(models_file), list(dict.fromkeys(names))
    if not replay_only:
        check_keys(models, names)
    callers = {name: Caller(name, models[name], ledger, meter, replay_only) for name in names}
    reporter = asyncio.create_task(meter.report())
    try:
        yield callers
    finally:
        reporter.cancel()
        for caller in callers.values():
            await caller.close()
        log.info(meter.line())
