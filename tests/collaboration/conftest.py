"""A fake endpoint for the stages that call models."""

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
        with FakeEndpoint(*script).in_thread() as fake:
            models = tmp_path / "models.yaml"
            known = yaml.safe_load(MODELS.read_text(encoding="utf-8"))
            fake_model = {"base_url": fake.url, "limits": {"retries": 0, "in_flight": 1}, **settings}
            models.write_text(yaml.safe_dump(known | {"fake": fake_model}), encoding="utf-8")
            yield fake, models

    return serve
