"""Simulated agents that a study brings with it, by how the prompts that they answer begin.

A study calls ``bring`` where it imports its agents; what their planted numbers mean is the study's own.
"""

from __future__ import annotations

from collections.abc import Callable

from scripts.lib.agents.calls import Messages, Reply

Planted = dict[str, float]
BROUGHT: dict[str, Callable[[Planted, Messages], str]] = {}


def bring(opening: str, answer: Callable[[Planted, Messages], str]) -> None:
    """Have chats whose first message begins with ``opening`` answered by a function."""
    BROUGHT[opening] = answer


def answer_brought(planted: Planted, messages: Messages) -> Reply:
    """The reply of the agent whose prompt the chat begins with."""
    first = messages[0]["content"] if messages else ""
    for opening, answer in BROUGHT.items():
        if first.startswith(opening):
            return counted(answer(planted, messages), messages)
    return counted("I know no work that begins like this.", messages)


def counted(text: str, messages: Messages) -> Reply:
    """A simulated reply. Token counts are words times 4/3, rounded, and so estimates."""
    return Reply(
        text=text,
        prompt_tokens=sum(count_tokens(message["content"]) for message in messages),
        completion_tokens=count_tokens(text),
        fingerprint="simulated",
    )


def count_tokens(text: str) -> int:
    """Words times 4/3, rounded."""
    return round(len(text.split()) * 4 / 3)
