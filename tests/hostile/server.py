"""The hostile endpoint: simulated agents behind ``/v1/chat/completions``, ``/v1/files`` and ``/v1/batches``.

In a test: ``with HostileServer(Options(faults=0.3)).in_thread() as server``, or ``async with
server.serve()``. As a process that outlives its clients: ``python -m tests.hostile.server --port 0
--faults 0.3 --seed 1 --log FILE``, which prints its URL; ``own_process`` starts one for a test.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from aiohttp import web

from scripts.lib.agents.models import load_models
from scripts.lib.agents.simulated.agent import answer_messages
from tests.hostile.batches import CHATS, Batches
from tests.hostile.faults import Answer, Body, Call, Kind, as_error, as_json
from tests.hostile.limiter import Limiter
from tests.hostile.options import Options, add_arguments, from_arguments
from tests.hostile.plan import Plan, body_hash, content_hash
from tests.hostile.record import Entry, Record
from tests.hostile.wire import client_is_there, send
from tests.lib.agents.fake_endpoint import completion

ROOT = Path(__file__).resolve().parents[2]
_LARGEST = 2**30


class HostileServer:
    """``requests`` holds the chats as they came in, ``log`` what became of them; ``options`` may change."""

    def __init__(
        self, options: Options | None = None, models_file: Path = ROOT / "config/models.yaml"
    ) -> None:
        self.options = options or Options()
        self.profiles = {name: m.profile for name, m in load_models(models_file).items() if m.profile}
        self.plan, self.limiter = Plan(self.options), Limiter(self.options)
        self.record = Record(self.options.log)
        self.batches = Batches(self.options, self.plan, self.record, self.answer_line)
        self.requests: list[str] = []
        self.url = ""
        self.loop: asyncio.AbstractEventLoop | None = None
        self.thread = 0

    @property
    def log(self) -> list[Entry]:
        """The entries of all requests that are over."""
        if self.loop and threading.get_ident() != self.thread:  # a reply is read before its entry is made
            asyncio.run_coroutine_threadsafe(asyncio.sleep(0.001), self.loop).result()
        return self.record.entries

    # -- chats ---------------------------------------------------------------------------------

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        text = await request.text()
        self.requests.append(text)
        body = _read(text)
        there = partial(client_is_there, request)
        with self.record.watch("chat", body_hash(body), str(body.get("model")), there) as entry:
            refused = self.limiter.refuse(entry.time)
            if refused:
                entry.fault, answer = refused
                entry.final = False
                return await self._send(request, entry, answer)
            try:
                answer = self.answer_line(body, entry, _key(request))
                await asyncio.sleep(self.options.delay)
                return await self._send(request, entry, answer)
            finally:
                self.limiter.leave()

    def answer_line(self, body: Body, entry: Entry, key: str = "") -> Answer:
        """The answer to a chat, from a request or a line of a batch; its fault is noted in the entry."""
        problem = self._problem(body)
        if problem:
            entry.fault = "bad_request"
            return problem
        call = Call(body, lambda: self._complete(body), key, self.options.retry_after)
        return self._meet(call, entry, chat=True)

    def _meet(self, call: Call, entry: Entry, chat: bool) -> Answer:
        fault = self.plan.next_fault(entry.body, chat)
        spoilt = fault.make(call) if fault else None
        if spoilt is None:
            return call.answer
        entry.fault, entry.final = fault.name, fault.kind != Kind.TRANSIENT
        return spoilt

    def _problem(self, body: Body) -> Answer | None:
        try:
            _messages(body)
        except (KeyError, TypeError, AttributeError):
            return as_error(400, "the body must be JSON with model and messages")
        if body.get("model") not in self.profiles:
            return as_error(404, f"The model `{body.get('model')}` does not exist", code="model_not_found")
        return as_error(400, "stream is not supported", param="stream") if body.get("stream") else None

    def _complete(self, body: Body) -> Answer:
        messages = _messages(body)
        reply = answer_messages(self.profiles[body["model"]], messages)
        usage = {"prompt_tokens": reply.prompt_tokens or 0, "completion_tokens": reply.completion_tokens or 0}
        more = {
            "id": f"chatcmpl-{body_hash(body)}",
            "model": body["model"],
            "system_fingerprint": reply.fingerprint,
            "usage": usage | {"total_tokens": sum(usage.values())},
        }
        greeting = "" if Call(body, Answer).for_grader else self.options.greeting
        return as_json(completion(f"{greeting}{reply.text}", reply.finish_reason, **more))

    # -- files and batches ---------------------------------------------------------------------

    async def _add_file(self, request: web.Request) -> web.StreamResponse:
        form = await request.post()
        file = form.get("file")
        if not isinstance(file, web.FileField):
            return await self._other(request, "files", b"", lambda: as_error(400, "no file", param="file"))
        content = file.file.read()

        def work() -> Answer:
            return self.batches.add_file(content, file.filename, str(form.get("purpose")))

        return await self._other(request, "files", content, work)

    async def _show_file(self, request: web.Request) -> web.StreamResponse:
        return await self._other(request, "files", b"", lambda: self.batches.show_file(_name(request)))

    async def _read_file(self, request: web.Request) -> web.StreamResponse:
        return await self._other(request, "files", b"", lambda: self.batches.read_file(_name(request)))

    async def _create(self, request: web.Request) -> web.StreamResponse:
        text = await request.text()
        return await self._other(request, "batches", text.encode(), lambda: self.batches.create(_read(text)))

    async def _show(self, request: web.Request) -> web.StreamResponse:
        return await self._other(request, "batches", b"", lambda: self.batches.show(_name(request)))

    async def _cancel(self, request: web.Request) -> web.StreamResponse:
        return await self._other(request, "batches", b"", lambda: self.batches.cancel(_name(request)))

    async def _list(self, request: web.Request) -> web.StreamResponse:
        limit, after = int(request.query.get("limit", 20)), request.query.get("after")
        return await self._other(request, "batches", b"", lambda: self.batches.page(limit, after))

    async def _other(self, request: web.Request, where: str, content: bytes, work: Any) -> web.StreamResponse:
        """Answer what is no chat; the fault is decided by method, path and content."""
        key = content_hash(f"{request.method} {request.path_qs} ".encode() + content)
        with self.record.watch(where, key) as entry:
            call = Call({}, work, _key(request), self.options.retry_after)
            return await self._send(request, entry, self._meet(call, entry, chat=False))

    async def _models(self, _: web.Request) -> web.Response:
        entries = [{"id": name, "object": "model", "owned_by": "simulated"} for name in self.profiles]
        return web.json_response({"object": "list", "data": entries})

    async def _send(self, request: web.Request, entry: Entry, answer: Answer) -> web.StreamResponse:
        response, entry.delivered = await send(request, answer, self.options.pause)
        return response

    # -- running -------------------------------------------------------------------------------

    def _app(self) -> web.Application:
        app = web.Application(client_max_size=_LARGEST)
        app.router.add_get("/v1/models", self._models)
        app.router.add_post(CHATS, self._chat)
        app.router.add_post("/v1/files", self._add_file)
        app.router.add_get("/v1/files/{name}", self._show_file)
        app.router.add_get("/v1/files/{name}/content", self._read_file)
        app.router.add_post("/v1/batches", self._create)
        app.router.add_get("/v1/batches", self._list)
        app.router.add_get("/v1/batches/{name}", self._show)
        app.router.add_post("/v1/batches/{name}/cancel", self._cancel)
        return app

    @asynccontextmanager
    async def serve(self, port: int = 0) -> AsyncIterator[HostileServer]:
        """Listen on the loopback, on a free port where none is given; ``url`` is the base URL."""
        runner = web.AppRunner(self._app(), access_log=None, handler_cancellation=True, shutdown_timeout=0.1)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", port).start()
            self.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
            self.loop, self.thread = asyncio.get_running_loop(), threading.get_ident()
            yield self
        finally:
            self.loop = None
            await runner.cleanup()
            for task in self.batches.running:
                task.cancel()
            self.record.close()

    @contextmanager
    def in_thread(self, port: int = 0) -> Iterator[HostileServer]:
        """The same in a thread and loop of its own."""
        ready, stop = threading.Event(), asyncio.Event()
        loop = asyncio.new_event_loop()

        async def live() -> None:
            async with self.serve(port):
                ready.set()
                await stop.wait()

        thread = threading.Thread(target=lambda: loop.run_until_complete(live()), daemon=True)
        thread.start()
        try:
            assert ready.wait(10)
            yield self
        finally:
            loop.call_soon_threadsafe(stop.set)
            thread.join(10)
            loop.close()


def _read(text: str) -> Body:
    try:
        body = json.loads(text)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _messages(body: Body) -> list[dict[str, str]]:
    return [{"role": str(one["role"]), "content": _text(one["content"])} for one in body["messages"]]


def _text(content: Any) -> str:
    """A message's content as text, also where it comes in parts; a lone surrogate becomes "?"."""
    if isinstance(content, list):
        content = "".join(part.get("text") or "" for part in content)
    return (content or "").encode("utf-8", "replace").decode()


def _key(request: web.Request) -> str:
    return request.headers.get("Authorization", "").removeprefix("Bearer ")


def _name(request: web.Request) -> str:
    return request.match_info["name"]


@contextmanager
def own_process(*arguments: str) -> Iterator[str]:
    """The server as a process of its own, on a free port; gives its base URL. Arguments: see ``Options``.

    Its record is whole once it has ended; before that, a line may come a moment after its reply.
    """
    command = [sys.executable, "-m", "tests.hostile.server", "--port", "0", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            url = process.stdout.readline().strip()
            assert url, "the server did not start"
            yield url
        finally:
            process.terminate()


async def _live(server: HostileServer, port: int) -> None:
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    async with server.serve(port):
        print(server.url, flush=True)
        await stop.wait()


def main() -> None:
    """Serve until killed; prints the base URL."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile.server", description=main.__doc__)
    parser.add_argument("--port", type=int, default=0, help="0: a free one")
    add_arguments(parser)
    arguments = parser.parse_args()
    try:
        server = HostileServer(from_arguments(arguments))
    except ValueError as error:
        parser.error(str(error))
    with suppress(KeyboardInterrupt):
        asyncio.run(_live(server, arguments.port))


if __name__ == "__main__":
    main()
