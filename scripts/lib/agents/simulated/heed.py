"""How a simulated agent heeds the clauses that it reads in its system prompt."""

from scripts.lib.agents.models import Profile
from scripts.lib.dialogue.prompts import prompt

# clause -> the planted rate that it raises
RATES = {
    "attribution": "attribute",
    "querying": "ask",
    "integration": "integrate",
    "verification": "verify",
}


def heeded(profile: Profile, system: str) -> Profile:
    """The profile under a system prompt: a clause in it closes a share of what a rate lacks to 1."""
    rates = {}
    for clause, rate in RATES.items():
        if prompt(f"clause_{clause}") in system:
            planted = getattr(profile, rate)
            rates[rate] = planted + getattr(profile.heed, clause) * (1 - planted)
    return profile.model_copy(update=rates) if rates else profile
