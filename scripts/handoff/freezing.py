"""Which prediction was there first: kept beside the replies, so that a later one cannot pass for it."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from scripts.lib.files import temporary_name
from scripts.lib.names import slug

SETUP = ("identity", "seed", "depth", "note", "reach", "memo")  # what, with the chunk, makes other chains


def first_prediction(folder: Path, task: str, chunk: int, job: dict[str, Any], prediction: str) -> str:
    """The hash of the prediction under which these chains were first run; ``prediction`` where it is now.

    Written once into the folder of the replies of ``job["model"]`` to a task, before the first call, by
    whichever process comes first. ``job``: model and what SETUP names.
    """
    setup = json.dumps([chunk, *(job.get(name) for name in SETUP)], sort_keys=True)
    place = folder / slug(job["model"]) / task
    path = place / f"prediction-{hashlib.sha256(setup.encode()).hexdigest()[:12]}.json"
    place.mkdir(parents=True, exist_ok=True)
    written = temporary_name(path)
    written.write_text(json.dumps({"chunk": chunk, "prediction": prediction}) + "\n", encoding="utf-8")
    try:
        os.link(written, path)  # fails where another was first
    except FileExistsError:
        pass
    finally:
        written.unlink()
    found: str = json.loads(path.read_text(encoding="utf-8"))["prediction"]
    return found
