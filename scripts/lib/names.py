"""Names of models and teams as parts of paths."""

import hashlib
import re

SLUG_PATTERN = r"[A-Za-z0-9.][A-Za-z0-9._+-]*"


def slug(name: str) -> str:
    """A path component for any name: readable, and distinct names stay distinct (a short hash is added).

    Names may hold ``/``, ``:``, spaces or anything else.
    """
    safe = re.sub(r"[^A-Za-z0-9._-]+", "_", name).lstrip("_.-").rstrip("_.")[:60]
    if safe and safe == name:
        return name
    return f"{safe or 'model'}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def resource_name(model: str) -> str:
    """The Snakemake resource that stands for the right to call a model; distinct for distinct models."""
    safe = re.sub(r"\W+", "_", slug(model))
    mark = "" if safe == model else f"_{hashlib.sha256(model.encode()).hexdigest()[:8]}"
    return f"calls_{safe}{mark}"


def team_name(models: tuple[str, ...]) -> str:
    """A team's name: the model, or the two models in slot order joined by `` + ``."""
    return " + ".join(models)


def team_slug(models: tuple[str, ...]) -> str:
    """A team as one path component, the models' slugs in slot order joined by ``+``."""
    return "+".join(slug(model) for model in models)
