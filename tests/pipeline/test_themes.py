"""Themes in a whole run: embeddings and names from a real server, and a new clustering without one."""

import asyncio
import json
import threading
from contextlib import contextmanager

from aiohttp import web

from tests.lib.agents.fake_endpoint import FakeEndpoint, completion, embedding
from tests.pipeline.study import THEMES


class Reader(FakeEndpoint):
    """Embeds a text as how often it has each letter, and names whatever it is asked to name."""

    async def _answer(self, request):
        body = await request.json()
        self.bodies.append(body)
        if "input" in body:
            return web.json_response(embedding(*(1.0 + body["input"].count(chr(n)) for n in range(97, 123))))
        return web.json_response(completion(f"Name {len(self.bodies)} <b>"))

    @contextmanager
    def running(self):
        """Serve from a thread until the end of the block."""
        ready, stop = threading.Event(), threading.Event()

        async def run():
            async with self.serve():
                ready.set()
                await asyncio.to_thread(stop.wait)

        thread = threading.Thread(target=lambda: asyncio.run(run()))
        thread.start()
        assert ready.wait(10)
        try:
            yield self
        finally:
            stop.set()
            thread.join()


def summary(study):
    """The themes with their names."""
    return [row for row in study.rows("statistics") if "named_by" in row]


def test_embeddings_and_names_are_asked_for_once_and_a_new_clustering_asks_nothing(study):
    themes = {"k": 3, "k_range": [2, 4], "resamples": 2, "embedder": "vectors", "namer": "namer"}
    study.configure(themes=themes)
    with Reader().running() as server:
        text = (study.folder / "config/models.yaml").read_text(encoding="utf-8")
        for name, more in (("vectors", "\n  embeds: true"), ("namer", "")):
            text += f"\n{name}:\n  base_url: {json.dumps(server.url)}{more}\n"
        study.write("config/models.yaml", text)
        study.run()
        asked = len(server.bodies)
        descriptions = {row["description"] for row in study.rows("descriptions")}
        assert sum("input" in body for body in server.bodies) == len(descriptions)
        assert study.jobs() == {}
    found = summary(study)
    assert {row["source"] for row in found} == {"tfidf", "embedding"}
    assert all(row["named_by"] == "model" and row["name"].startswith("Name ") for row in found)
    assert len(descriptions) < asked <= len(descriptions) + len(found)  # equal themes are one question
    page = (study.folder / "reports/collaboration/report.html").read_text(encoding="utf-8")
    assert "Name" in page and "&lt;b&gt;" in page
    study.configure(themes=themes | {"k": 2})
    study.run("--config", "offline=True")  # the server is gone
    again = summary(study)
    assert {row["wanted"] for row in again} == {2} and len(server.bodies) == asked
    known = [row["top_terms"] for row in found]
    assert {row["named_by"] for row in again if row["top_terms"] not in known} <= {"terms"}


def test_without_a_describer_the_report_says_that_nothing_was_described(study):
    study.configure(descriptions={"describer": None})
    assert set(study.jobs()) == {*THEMES, "write_tables", "write_report", "write_manifest"}
    study.run()
    page = (study.folder / "reports/collaboration/report.html").read_text(encoding="utf-8")
    assert "No failure was described" in page and summary(study) == []
