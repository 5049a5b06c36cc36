"""Which call meets which fault: decided by the seed, the call's body and how often that body was seen."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter

import tests.hostile.lasting  # noqa: F401, it registers its faults
from tests.hostile.faults import Body, Fault, Kind, named
from tests.hostile.options import Options


def body_hash(body: Body) -> str:
    """A chat's model and messages as 16 hex digits; parameters do not count."""
    return content_hash(json.dumps([body.get("model"), body.get("messages")], sort_keys=True))


def content_hash(content: str | bytes) -> str:
    """Any content as 16 hex digits."""
    data = content.encode() if isinstance(content, str) else content
    return hashlib.sha256(data).hexdigest()[:16]


class Plan:
    """Deterministic whatever the order of calls. Raises ValueError for a fault that there is not."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.seen: Counter[str] = Counter()
        named(options.only)

    def next_fault(self, key: str, chat: bool = True) -> Fault | None:
        """The fault that a body meets now, or None for its good reply; counts the body as seen."""
        seen = self.seen[key]
        self.seen[key] += 1
        options = self.options
        lasting_kinds = (Kind.TERMINAL, Kind.STANDING) if options.only else (Kind.TERMINAL,)
        return (
            self._draw(key, options.terminal, chat, *lasting_kinds)
            or self._passing(key, seen, chat)
            or self._draw(key, options.harmless, chat, Kind.HARMLESS)
        )

    def batch_fault(self, key: str) -> Fault | None:
        """The fault that a batch meets, by the content of its file: the first time only."""
        seen = self.seen[f"batch {key}"]
        self.seen[f"batch {key}"] += 1
        return None if seen else self._draw(key, self.options.batch_faults, True, Kind.BATCH)

    def _pool(self, chat: bool, kinds: tuple[Kind, ...]) -> list[Fault]:
        found = named(self.options.only)
        return [one for one in found if one.kind in kinds and (chat or not one.chat_only)]

    def _chance(self, key: str, kind: Kind) -> random.Random:
        return random.Random(f"{self.options.seed} {key} {kind}")

    def _draw(self, key: str, rate: float, chat: bool, *kinds: Kind) -> Fault | None:
        pool, chance = self._pool(chat, kinds), self._chance(key, kinds[0])
        return chance.choice(pool) if chance.random() < rate and pool else None

    def _passing(self, key: str, seen: int, chat: bool) -> Fault | None:
        pool, chance = self._pool(chat, (Kind.TRANSIENT,)), self._chance(key, Kind.TRANSIENT)
        rate = self.options.faults if chat else self.options.api_faults
        if chance.random() >= rate or not pool:
            return None
        met = [chance.choice(pool) for _ in range(chance.randint(1, self.options.in_a_row))]
        return met[seen] if seen < len(met) else None
