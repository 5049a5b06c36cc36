"""``config/models.yaml``: which models there are and how they are reached."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from pydantic import Field, PrivateAttr, model_validator

from scripts.lib.agents.calls import Reply
from scripts.lib.closed import Closed, load_yaml, validate
from scripts.lib.errors import UserError

SIMULATED = "simulated:"
_VARIABLE = re.compile(r"\$\{([A-Z_][A-Z0-9_]*)(?::-([^}]*))?\}")
_SECRET = re.compile(r"api.?key|secret|password|authorization|bearer", re.IGNORECASE)
_URL_SECRET = re.compile(r"//[^/]*@|[?&][^=]*(key|token|secret)=", re.IGNORECASE)


class Price(Closed):
    """US dollars per million tokens. A simulated model may have one, to rehearse a bill."""

    input: float = Field(0.0, ge=0, description="per million prompt tokens")
    output: float = Field(0.0, ge=0, description="per million completion tokens")
    batch: float = Field(0.5, ge=0, le=1, description="share of the price that a call in a batch costs")

    def cost(self, prompt_tokens: int, completion_tokens: int, batch: bool = False) -> float:
        """US dollars of a call."""
        dollars = (prompt_tokens * self.input + completion_tokens * self.output) / 1e6
        return dollars * self.batch if batch else dollars


class Limits(Closed):
    """How hard a model may be driven, by all jobs of a run together."""

    jobs: int = Field(2, ge=1, description="jobs that may call it at once; each gets its share of the rest")
    in_flight: int = Field(32, ge=1, description="calls in flight at most; the level finds itself below it")
    requests_per_minute: float | None = Field(None, gt=0, description="calls a minute at most")
    tokens_per_minute: float | None = Field(None, gt=0, description="tokens a minute at most, both ways")
    timeout: float = Field(120.0, gt=0, description="seconds an attempt may take")
    retries: int = Field(5, ge=0, description="further attempts after a transient failure")

    @property
    def shares(self) -> int:
        """Jobs at once; no more than calls, because each job needs one."""
        return min(self.jobs, self.in_flight)

    def share(self) -> Limits:
        """What one job may use of the limits."""
        parts = {name: getattr(self, name) for name in ("requests_per_minute", "tokens_per_minute")}
        rates = {name: value and value / self.shares for name, value in parts.items()}
        return self.model_copy(update={"in_flight": self.in_flight // self.shares, **rates})


class Skill(Closed):
    """Probability that one attempt to solve is free of slips, by family."""

    spatial: float = Field(ge=0, le=1)
    relational: float = Field(ge=0, le=1)
    csp: float = Field(ge=0, le=1)


class Heed(Closed):
    """How far a simulated agent follows each clause that stands in its system prompt."""

    attribution: float = Field(0.0, ge=0, le=1, description="share that the clause closes of 1 - attribute")
    querying: float = Field(0.0, ge=0, le=1, description="share that the clause closes of 1 - ask")
    integration: float = Field(0.0, ge=0, le=1, description="share that the clause closes of 1 - integrate")
    verification: float = Field(0.0, ge=0, le=1, description="share that the clause closes of 1 - verify")


class Profile(Closed):
    """Planted rates of a simulated agent, each a probability; see ``agents/simulated/agent.py``."""

    skill: Skill
    attribute: float = Field(ge=0, le=1, description="L1: keeps what it assumes apart from what it knows")
    ask: float = Field(ge=0, le=1, description="L2: asks while facts are missing")
    integrate: float = Field(ge=0, le=1, description="L3: takes up a message's facts into its state")
    verify: float = Field(ge=0, le=1, description="L4: recomputes before it agrees, waits for the partner")
    frame: float = Field(ge=0, le=1, description="reads a notation that is not its own rightly")
    critic: float = Field(ge=0, le=1, description="solves again in the critic pass instead of repeating")
    heed: Heed = Heed()


class Model(Closed):
    """One model: where it is, what is sent, what it costs. What is not set is not sent."""

    base_url: str = Field(description='URL of an OpenAI-compatible API, or "simulated:"')
    served_name: str | None = Field(None, description="the name the endpoint knows; default: the name here")
    key_variable: str | None = Field(None, description="environment variable that holds the key")
    parameters: dict[str, Any] = Field({}, description="sent with every call, as they are")
    fold_system: bool = Field(False, description="the system prompt opens the first user turn instead")
    batch: bool = Field(False, description="calls that no dialogue waits for go through the Batch API")
    embeds: bool = Field(False, description="an embedding model: turns texts into numbers and does not talk")
    price: Price | None = Field(None, description="unknown cost where left out")
    limits: Limits = Limits()
    profile: Profile | None = Field(None, description="planted rates; for simulated models only")
    planted: dict[str, float] | None = Field(
        None, description="planted numbers of a simulated model that a study brings, instead of a profile"
    )
    _written_url: str = PrivateAttr("")

    @model_validator(mode="after")
    def _profile_iff_simulated(self) -> Model:
        if (self.profile is not None or self.planted is not None) != self.simulated:
            raise ValueError(f'a profile belongs to base_url "{SIMULATED}" and is needed there')
        if self.profile is not None and self.planted is not None:
            raise ValueError("a simulated model has a profile or planted numbers, not both")
        return self

    @model_validator(mode="after")
    def _embeds_for_real(self) -> Model:
        if self.embeds and self.simulated:
            raise ValueError("simulated agents talk; an embedding model needs an endpoint")
        return self

    @model_validator(mode="after")
    def _no_keys(self) -> Model:
        secret = [name for name in self.parameters if _SECRET.search(name)]
        if secret or _URL_SECRET.search(self.base_url):
            where = f"parameter {secret[0]}" if secret else "base_url"
            raise ValueError(f"{where} seems to hold a key; name an environment variable in key_variable")
        return self

    @property
    def simulated(self) -> bool:
        """Whether an embedded simulated agent answers."""
        return self.base_url == SIMULATED

    def identity(self, name: str) -> dict[str, Any]:
        """What decides a reply besides the messages: part of the ledger key and of the job's parameters.

        A variable in ``base_url`` stands for itself: a server that moved to another node is the same model.
        """
        url = self._written_url or self.base_url
        known = {"base_url": url.rstrip("/"), "model": self.served_name or name}
        if self.planted is not None:
            return known | {"planted": self.planted}
        if self.profile is None:
            set_flags = {name: True for name in ("fold_system", "embeds") if getattr(self, name)}
            return known | {"parameters": self.parameters} | set_flags
        return known | {"profile": self.profile.model_dump()}


def cost(model: Model, reply: Reply) -> float | None:
    """US dollars of a reply: 0 for simulated ones without a price, None where price or counts are unknown."""
    if model.price is None:
        return 0.0 if model.simulated else None
    if reply.prompt_tokens is None or reply.completion_tokens is None:
        return None
    return model.price.cost(reply.prompt_tokens, reply.completion_tokens, reply.batch)


def load_models(path: Path) -> dict[str, Model]:
    """Read models.yaml. ``${NAME:-default}`` in base_url and served_name is taken from the environment."""
    loaded = load_yaml(path)
    models = {}
    for name, entry in loaded.items():
        if not str(name).isprintable() or not str(name).strip():
            raise UserError(f"{path}: the model name {name!r} is empty or holds control characters")
        written = entry.get("base_url") if isinstance(entry, dict) else None
        if isinstance(entry, dict):
            entry = {k: _expand(v) if k in ("base_url", "served_name") else v for k, v in entry.items()}
        models[str(name)] = validate(Model, entry, [path], (str(name),))
        models[str(name)]._written_url = written or ""
    return models


def _expand(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return _VARIABLE.sub(lambda match: os.environ.get(match[1]) or match[2] or match[0], value)


def missing_keys(models: dict[str, Model], used: list[str]) -> list[str]:
    """Every variable that the used models need and that is not set, as ``OPENAI_API_KEY (key of ...)``."""
    missing: dict[str, str] = {}
    for name in used:
        model = models[name]
        if model.key_variable and not os.environ.get(model.key_variable):
            missing[model.key_variable] = f'key of model "{name}"'
        for text in (model.base_url, model.served_name or ""):
            missing |= {variable[1]: f'address of model "{name}"' for variable in _VARIABLE.finditer(text)}
    return [f"{variable} ({what})" for variable, what in missing.items()]


def check_keys(models: dict[str, Model], used: list[str]) -> None:
    """Raise UserError that names every variable that the used models need and that is not set."""
    if missing := missing_keys(models, used):
        lines = "; ".join(f"environment variable {line}" for line in missing)
        raise UserError(f"{lines} is not set. Set it with: export {missing[0].partition(' ')[0]}=...")
