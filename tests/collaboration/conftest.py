"""A fake endpoint for the stages that call models."""

import asyncio
import threading
from contextlib import contextmanager

import pytest
import yaml

from scripts.lib.agents import endpoint as endpoint_module
from tests.browser import browser, open_page, page  # noqa: F401
from tests.collaboration.stage_walk import MODELS
from tests.lib.agents.fake_endpoint import FakeEndpoint


@pytest.fixture
def served(tmp_path, monkeypatch):
    """``served(*script)``: a fake endpoint as model "fake", and the models file that names it."""
    monkeypatch.setattr(endpoint_module, "backoff", lambda *_: 0.0)

    @contextmanager
    def serve(*script, **settings):
        fake, ready, stop = FakeEndpoint(*script), threading.Event(), threading.Event()

        async def run():
            async with fake.serve():
                ready.set()
                await asyncio.to_thread(stop.wait)

        thread = threading.Thread(target=lambda: asyncio.run(run()))
        thread.start()
        assert ready.wait(10)
        models = tmp_path / "models.yaml"
        known = yaml.safe_load(MODELS.read_text(encoding="utf-8"))
        fake_model = {"base_url": fake.url, "limits": {"retries": 0, "in_flight": 1}, **settings}
        models.write_text(yaml.safe_dump(known | {"fake": fake_model}), encoding="utf-8")
        try:
            yield fake, models
        finally:
            stop.set()
            thread.join()

    return serve
