"""A small OpenAI-shaped server on loopback: it says what its script holds and keeps what it was sent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

MESSAGES = [{"role": "user", "content": "hello"}]


def completion(content: Any = "hi", finish_reason: str | None = "stop", **more: Any) -> dict[str, Any]:
    """A chat completion's body; ``message`` in ``more`` adds to the message, all else to the body."""
    message = {"role": "assistant", "content": content, **more.pop("message", {})}
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    return {"id": "1", "object": "chat.completion", "model": "served", "choices": [choice], **more}


def embedding(*numbers: float, tokens: int = 5) -> dict[str, Any]:
    """An embeddings response's body."""
    data = [{"object": "embedding", "index": 0, "embedding": list(numbers)}]
    return {"object": "list", "data": data, "usage": {"prompt_tokens": tokens, "total_tokens": tokens}}


def error(
    status: int, message: str = "no", headers: dict[str, str] | None = None, **more: Any
) -> web.Response:
    """An error as OpenAI sends it."""
    return web.json_response({"error": {"message": message, **more}}, status=status, headers=headers)


class FakeEndpoint:
    """``script`` holds bodies (dict) or responses, one a request; the last one is repeated."""

    def __init__(self, *script: Any, delay: float = 0.0) -> None:
        self.script, self.delay = list(script) or [completion()], delay
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.at_once = self.most_at_once = 0
        self.url = ""

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.headers.append(dict(request.headers))
        self.bodies.append(await request.json())
        try:
            await asyncio.sleep(self.delay)
        finally:
            self.at_once -= 1
        said = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        return web.json_response(said) if isinstance(said, dict) else said()

    @asynccontextmanager
    async def serve(self) -> AsyncIterator[FakeEndpoint]:
        """Listen on a free port of the loopback; ``url`` is the base URL."""
        app = web.Application()
        for path in ("chat/completions", "embeddings"):
            app.router.add_post(f"/v1/{path}", self._answer)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        try:
            yield self
        finally:
            await runner.cleanup()
