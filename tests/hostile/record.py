"""What happened to every request, in memory and as JSON lines, and what tests want to know of it."""

from __future__ import annotations

import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

DELIVERED, GONE, REFUSED = "delivered", "gone", ("over_rate", "over_at_once")


@dataclass
class Entry:
    """One request, or one line of a batch (``where`` is "batch"). Times are Unix seconds."""

    time: float  # when it arrived
    where: str  # chat, batch, files or batches
    body: str  # hash of what was asked
    model: str
    in_flight: int  # requests of the same ``where`` under way on arrival, with this one
    ended: float = 0.0
    fault: str | None = None  # what it met instead of its plain good reply
    final: bool = True  # whether asking again would bring nothing else
    delivered: bool = False  # the whole body of a 200 went out, and the client was there


class Record:
    """``entries`` in the order in which the requests ended; each is in the file as soon as it is there."""

    def __init__(self, path: Path | None = None) -> None:
        self.entries: list[Entry] = []
        self.under_way: list[tuple[str, Callable[[], bool]]] = []
        self.file = path.open("a", encoding="utf-8") if path else None

    @contextmanager
    def watch(
        self, where: str, body: str, model: str = "", there: Callable[[], bool] = lambda: True
    ) -> Iterator[Entry]:
        """Keep the entry of a request once it is over, one way or another; ``there``: its client still is."""
        at_once = sum(other == where and is_there() for other, is_there in self.under_way)
        entry = Entry(time.time(), where, body, model, at_once + 1)
        self.under_way.append((where, there))
        try:
            yield entry
        finally:
            self.under_way.remove((where, there))
            entry.ended = time.time()
            self.entries.append(entry)
            if self.file:
                self.file.write(f"{json.dumps(asdict(entry))}\n")
                self.file.flush()

    def close(self) -> None:
        """Close the file."""
        if self.file:
            self.file.close()


def read_log(path: Path) -> list[Entry]:
    """The entries of a record's file."""
    return [Entry(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def _chats(entries: Iterable[Entry]) -> list[Entry]:
    return sorted((one for one in entries if one.where == "chat"), key=lambda one: one.time)


def repeated_after_delivery(entries: Iterable[Entry]) -> dict[str, int]:
    """Bodies that were paid for and asked again, with how often; chats and lines of batches together.

    A request counts that came after a final reply had been delivered, or that got one as well.
    """
    by_body: dict[str, list[Entry]] = defaultdict(list)
    for one in entries:
        if one.where in ("chat", "batch"):
            by_body[one.body].append(one)
    counts = {}
    for body, requests in by_body.items():
        paid = [one for one in requests if one.delivered and one.final]
        if paid:
            first = min(paid, key=lambda one: one.ended)
            again = [one for one in requests if one.time > first.ended or one in paid]
            counts[body] = len(again) - 1
    return {body: count for body, count in counts.items() if count}


def counts_by_fault(entries: Iterable[Entry], where: str = "chat") -> Counter[str]:
    """Requests by fault; without one, by whether the good reply was delivered or the client gone."""
    return Counter(
        one.fault or (DELIVERED if one.delivered else GONE) for one in entries if one.where == where
    )


def most_in_flight(entries: Iterable[Entry]) -> int:
    """The most chats that were under way at once, refused ones too."""
    return max((one.in_flight for one in _chats(entries)), default=0)


def most_in_window(entries: Iterable[Entry], seconds: float) -> int:
    """The most chats that were admitted within any span of so many seconds."""
    times = [one.time for one in _chats(entries) if one.fault not in REFUSED]
    most = start = 0
    for end, arrived in enumerate(times):
        while times[start] <= arrived - seconds:
            start += 1
        most = max(most, end - start + 1)
    return most


def pace(entries: Iterable[Entry], seconds: float) -> list[tuple[int, int]]:
    """Chats admitted and refused by a limit in each span of so many seconds since the first chat."""
    chats = _chats(entries)
    if not chats:
        return []
    spans: list[Counter[Any]] = [
        Counter() for _ in range(int((chats[-1].time - chats[0].time) / seconds) + 1)
    ]
    for one in chats:
        spans[int((one.time - chats[0].time) / seconds)][one.fault in REFUSED] += 1
    return [(span[False], span[True]) for span in spans]
