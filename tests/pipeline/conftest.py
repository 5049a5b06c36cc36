"""The finished small study that the tests copy, and a real endpoint on loopback."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path

import pytest
from aiohttp import web

from scripts.lib.agents.models import load_models
from scripts.lib.agents.simulated.server import make_app
from tests.pipeline.study import ROOT, Study


@pytest.fixture(scope="session")
def finished(tmp_path_factory) -> Study:
    """A study that was run once; copy it before changing anything."""
    study = Study(tmp_path_factory.mktemp("finished") / "study")
    study.run("--cores", "2")
    return study


@pytest.fixture
def study(finished, tmp_path) -> Study:
    """A finished study of this test's own."""
    return finished.copy(tmp_path / "study")


class Server:
    """Simulated agents over HTTP that counts its requests and can be slow."""

    def __init__(self) -> None:
        self.requests: list[str] = []
        self.delay = 0.0
        self.loop = asyncio.new_event_loop()
        self.ready = threading.Event()
        threading.Thread(target=self._serve, daemon=True).start()
        assert self.ready.wait(10)

    def _serve(self) -> None:
        asyncio.set_event_loop(self.loop)
        app = make_app(load_models(ROOT / "config" / "models.yaml"))
        app.middlewares.append(self._count)
        runner = web.AppRunner(app)
        self.loop.run_until_complete(runner.setup())
        site = web.TCPSite(runner, "127.0.0.1", 0)
        self.loop.run_until_complete(site.start())
        self.port = runner.addresses[0][1]
        self.ready.set()
        self.loop.run_forever()

    @web.middleware
    async def _count(self, request, handler):
        self.requests.append(await request.text())
        await asyncio.sleep(self.delay)
        return await handler(request)

    @property
    def url(self) -> str:
        """The base URL for clients."""
        return f"http://127.0.0.1:{self.port}/v1"


@pytest.fixture
def server():
    """A fresh counting endpoint."""
    running = Server()
    yield running
    running.loop.call_soon_threadsafe(running.loop.stop)


def over_http(study: Study, url: str, name: str = "served") -> None:
    """Give the study a model behind a real endpoint, and use it."""
    entry = (
        f"\n{json.dumps(name)}:\n  base_url: {url}\n  served_name: simulated-middle\n"
        "  limits: {in_flight: 4, timeout: 20, retries: 1}\n"
    )
    path = Path("config/models.yaml")
    study.write(str(path), (study.folder / path).read_text(encoding="utf-8") + entry)
    study.configure(models=[name], grader=None)
