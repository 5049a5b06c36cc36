"""The loopback server of ``bench_calls``: answers every chat completion with one text and counts calls.

``GET /watch/<pid>/<delay>`` starts a measurement: counts go to zero, replies take ``delay`` seconds from
now on, and the CPU time of that process is noted when its first call arrives. ``GET /seen`` tells:
``calls``, ``seconds`` from the first call to the last reply, ``cpu_before`` the first call.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import time
from typing import Any

import psutil

TEXT = (
    "I have read my part and will tell you what stands in it, line by line. Please do the same with yours, "
    "and say which notation you use, so that neither of us assumes anything. After that we compare what "
    "both parts say, work out the answer on our own, and agree on it only when both of us come to the same."
)
REPLY = {
    "id": "1",
    "object": "chat.completion",
    "created": 1,
    "model": "served",
    "choices": [
        {"index": 0, "message": {"role": "assistant", "content": TEXT}, "finish_reason": "stop"},
    ],
    "usage": {"prompt_tokens": 500, "completion_tokens": 70, "total_tokens": 570},
}
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_WATCH = re.compile(rb"GET /watch/(\d+)/([\d.]+)")


def response(body: object) -> bytes:
    """A whole HTTP response."""
    data = json.dumps(body).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
    return head.encode() + data


class Counts:
    """What has been seen of the process that is measured."""

    def __init__(self, pid: int = 0, delay: float = 0.0) -> None:
        self.pid, self.delay = pid, delay
        self.calls = 0
        self.first = self.last = self.cpu_before = 0.0

    def call(self) -> None:
        """Count a call."""
        if not self.calls:
            self.first = time.monotonic()
            times = psutil.Process(self.pid).cpu_times()
            self.cpu_before = times.user + times.system
        self.calls += 1

    def seen(self) -> dict[str, float]:
        """The counts as they are told."""
        return {"calls": self.calls, "seconds": self.last - self.first, "cpu_before": self.cpu_before}


class Connection(asyncio.Protocol):
    """One connection; a client sends its next request only after the reply."""

    counts = Counts()
    reply = response(REPLY)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep where replies go."""
        self.transport: Any = transport
        self.waiting = bytearray()

    def data_received(self, data: bytes) -> None:
        """Answer as soon as the request is whole."""
        self.waiting += data
        head = self.waiting.find(b"\r\n\r\n")
        if head < 0:
            return
        length = _LENGTH.search(self.waiting, 0, head)
        if len(self.waiting) < head + 4 + (int(length[1]) if length else 0):
            return
        request = bytes(self.waiting[:head])
        self.waiting.clear()
        if request.startswith(b"POST"):
            self.counts.call()
            if self.counts.delay:
                asyncio.get_running_loop().call_later(self.counts.delay, self.answer)
            else:
                self.answer()
        else:
            self.control(request)

    def answer(self) -> None:
        """Send the reply to a call."""
        if not self.transport.is_closing():
            self.transport.write(self.reply)
        self.counts.last = time.monotonic()

    def control(self, request: bytes) -> None:
        """Start a measurement or tell what it saw."""
        watch = _WATCH.match(request)
        if watch:
            Connection.counts = Counts(int(watch[1]), float(watch[2]))
        self.transport.write(response(self.counts.seen()))


async def serve() -> None:
    """Serve on a free port of the loopback, printed as the first line, until the caller is gone."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Connection, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        os.sched_setaffinity(0, {int(sys.argv[1])})
    asyncio.run(serve())
