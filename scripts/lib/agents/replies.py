"""A chat completion's body as a Reply."""

from __future__ import annotations

import json
import re
from typing import Any

from scripts.lib.agents.calls import Reply

_THINK = re.compile(r"\s*<think>(.*?)(?:</think>|\Z)\s*", re.DOTALL)


class BadBody(Exception):
    """A body that holds no reply. ``error`` is the error in it, where a 200 carries one."""

    def __init__(self, message: str, error: Any = None) -> None:
        super().__init__(message)
        self.error = error


def read_body(content: bytes, charset: str | None) -> Any:
    """JSON from bytes: UTF-8 whatever the header says, else the charset of the header."""
    try:
        return json.loads(content)
    except ValueError as error:
        if isinstance(error, UnicodeDecodeError) and charset:
            try:
                return json.loads(content.decode(charset))
            except (ValueError, LookupError):
                pass
        raise BadBody(f"not JSON: {content[:200].decode('utf-8', 'replace')}") from None


def read_error(content: bytes) -> Any:
    """The error of an error response: the object under "error" where there is one, else all of it."""
    try:
        data = json.loads(content)
    except ValueError:
        return content.decode("utf-8", "replace")
    data = data[0] if isinstance(data, list) and data else data
    return data.get("error", data) if isinstance(data, dict) else data


def error_text(error: Any) -> str:
    """What an error says, for people."""
    if isinstance(error, dict):
        return str(error.get("message") or error.get("detail") or error)
    return str(error)


def read_reply(data: Any) -> Reply:
    """A chat completion as a Reply. Reasoning is kept apart and never becomes the answer.

    A refusal in a field of its own is the text, with finish reason "refusal". Counts that are missing, or
    zero for a prompt, are None: the endpoint did not count. Raises BadBody.
    """
    if not isinstance(data, dict) or not data.get("choices"):
        error = data.get("error") if isinstance(data, dict) else None
        raise BadBody(f"no choices in the reply: {str(data)[:200]}", error)
    try:
        choice = data["choices"][0]
        if choice.get("error"):  # a router whose provider failed in mid-reply
            raise BadBody(f"an error in the choice: {str(choice['error'])[:200]}", choice["error"])
        message = choice.get("message") or {}
        text, refusal = _text(message.get("content")), _text(message.get("refusal"))
        reasoning = _reasoning(message)
        usage = data.get("usage") or {}
        counts = [_count(usage.get(name)) for name in ("prompt_tokens", "completion_tokens")]
    except (KeyError, TypeError, AttributeError, IndexError):
        raise BadBody(f"not a chat completion: {str(data)[:200]}") from None
    thought = _THINK.match(text)
    if thought:  # an unclosed tag takes the whole text: there is no answer after it
        reasoning, text = reasoning or thought[1], text[thought.end() :]
    reason = choice.get("finish_reason")
    return Reply(
        text=text or refusal,
        finish_reason="refusal" if refusal and not text else str(reason or "unknown"),
        reasoning=reasoning,
        prompt_tokens=counts[0] or None,
        completion_tokens=counts[1] if counts[0] else None,
        fingerprint=data.get("system_fingerprint"),
    )


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and value >= 0 else None


def _reasoning(message: dict[str, Any]) -> str | None:
    """The reasoning under each of its spellings."""
    for name in ("reasoning_content", "reasoning"):
        if text := _text(message.get(name)):
            return text
    details = message.get("reasoning_details") or []
    parts = [part.get("text") or part.get("summary") or "" for part in details if isinstance(part, dict)]
    return "\n".join(filter(None, parts)) or None


def _text(content: Any) -> str:
    """Content as text, also where it comes in parts; a lone surrogate (no file can hold one) becomes "?"."""
    if isinstance(content, list):
        content = "".join(part.get("text") or "" for part in content)
    return (content or "").encode("utf-8", "replace").decode()
