"""A simulated solver of padded problems: it reads and writes what a model does, and errs as planted.

It knows nothing but the messages. Its planted ``base`` (``Planted``) is a wrong number, whatever the load;
the rise beyond the knee, a reply without an answer line. So failures of either kind follow the planted hinge.
All its chance is drawn from the text, so the same prompt always gets the same reply.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

from scripts.handoff.padded_problem import MARK, STEPS
from scripts.handoff.planted import Planted, fails
from scripts.lib.agents.calls import Messages
from scripts.lib.agents.simulated.brought import bring, count_tokens
from tasks.making import stable_seed

PROMPT = Path(__file__).parent / "prompts" / "pilot_system.txt"
OPENING = PROMPT.read_text(encoding="utf-8").partition("\n")[0]
_HELD = re.compile(r"A depot holds (\d+) crates\.")
_STEPS = {
    kind: re.compile(re.escape(text).replace(re.escape("{number}"), r"(\d+)")) for kind, text in STEPS.items()
}
_WAYS = {
    "add": lambda stock, number: stock + number,
    "subtract": lambda stock, number: stock - number,
    "multiply": lambda stock, number: stock * number,
    "share": lambda stock, number: stock - stock // number,
}


def solve_padded(planted: dict[str, float], messages: Messages) -> str:
    """The reply to a padded problem."""
    rates = Planted(**planted)
    contents = [message["content"] for message in messages]
    stocks = read_stocks(contents[-1].rpartition("\n\n")[2])
    if not stocks:
        return "I find no problem."
    rng = random.Random(stable_seed(*contents))
    lost = fails(rates.step(sum(map(count_tokens, contents))) - rates.base, rng.random())
    wrong = fails(rates.base, rng.random())
    if wrong:
        stocks[-1] += rng.choice((-10, -1, 1, 10))
    working = "The depot holds " + ", then ".join(map(str, stocks)) + "."
    return working if lost else f"{working}\n{MARK}: {stocks[-1]}"


def read_stocks(text: str) -> list[int]:
    """What the depot holds at first and after each step of a problem; nothing where there is no problem."""
    held = _HELD.search(text)
    stocks = [int(held[1])] if held else []
    for sentence in text[held.end() :].split(". ") if held else []:
        for kind, form in _STEPS.items():
            if found := form.match(sentence.strip().rstrip(".") + "."):
                stocks.append(_WAYS[kind](stocks[-1], int(found[1])))
    return stocks


bring(OPENING, solve_padded)
