"""Texts as vectors, from the embeddings of an OpenAI-compatible API: recorded and paid for like any reply.

A vector is kept as text, a JSON list of numbers in single precision, which is what endpoints compute in.
"""

from __future__ import annotations

import json
import math
from array import array
from typing import Any

from scripts.lib.agents.calls import Messages, Reply
from scripts.lib.agents.endpoint import OpenAIEndpoint
from scripts.lib.agents.replies import BadBody


def text_to_embed(text: str) -> Messages:
    """A text as what ``Caller.call`` is asked with; it must not be empty, which endpoints refuse."""
    return [{"role": "user", "content": text}]


def read_embedding(data: Any) -> Reply:
    """The one vector of an embeddings response. Raises BadBody, also where a number is not finite."""
    try:
        vector = [float(number) for number in data["data"][0]["embedding"]]
        tokens = (data.get("usage") or {}).get("prompt_tokens")
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        error = data.get("error") if isinstance(data, dict) else None
        raise BadBody(f"no embedding in the reply: {str(data)[:200]}", error) from None
    if not any(vector) or not all(map(math.isfinite, vector)):
        raise BadBody(f"an embedding without direction: {str(vector)[:200]}")
    counts = (tokens, 0) if isinstance(tokens, int) and tokens > 0 else (None, None)
    return Reply(_as_text(vector), prompt_tokens=counts[0], completion_tokens=counts[1])


def _as_text(vector: list[float]) -> str:
    try:
        return json.dumps([float(f"{number:.9g}") for number in array("f", vector)], allow_nan=False)
    except (OverflowError, ValueError):
        raise BadBody(f"an embedding beyond single precision: {str(vector)[:200]}") from None


def read_vector(reply: Reply) -> list[float]:
    """The vector of a reply."""
    vector: list[float] = json.loads(reply.text)
    return vector


class EmbeddingEndpoint(OpenAIEndpoint):
    """An embedding model behind an OpenAI-compatible API."""

    path = "embeddings"
    read = staticmethod(read_embedding)

    def body(self, messages: Messages, sent: dict[str, Any]) -> dict[str, Any]:
        """A request for the embedding of the last message's text."""
        return {"model": self.model.served_name or self.name, **sent, "input": messages[-1]["content"]}
