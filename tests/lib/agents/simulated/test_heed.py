"""Which clauses a simulated agent heeds, and what that does to its rates."""

import pytest

from scripts.lib.agents.models import Heed
from scripts.lib.agents.simulated.heed import RATES, heeded
from scripts.lib.dialogue.prompts import prompt
from scripts.lib.dialogue.stages import STAGES
from tests.lib.agents.simulated.game import profile

CLAUSES = {clause: prompt(f"clause_{clause}") for clause in STAGES.values()}
PLANTED = {"attribute": 0.2, "ask": 0.4, "integrate": 0.6, "verify": 0.8}
HEED = {"attribution": 0.5, "querying": 0.25, "integration": 1.0, "verification": 0.0}
AGENT = profile("simulated-middle", **PLANTED, heed=HEED)


@pytest.mark.parametrize(
    ("clause", "rate"),
    [("attribution", 0.6), ("querying", 0.55), ("integration", 1.0), ("verification", 0.8)],
)
def test_a_clause_raises_its_own_rate_by_the_planted_share_of_what_it_lacks(clause, rate):
    found = heeded(AGENT, f"{prompt('collab_system')}\n\n{CLAUSES[clause]}").model_dump()
    assert found.pop(RATES[clause]) == pytest.approx(rate)
    assert found == {name: its for name, its in AGENT.model_dump().items() if name != RATES[clause]}


def test_without_a_clause_or_heed_nothing_changes():
    assert heeded(AGENT, prompt("collab_system")) == AGENT
    assert heeded(AGENT, f"{prompt('collab_system')}\n\nAsk often.") == AGENT
    deaf = profile("simulated-middle", heed=Heed().model_dump())
    assert heeded(deaf, "\n\n".join(CLAUSES.values())) == deaf


def test_the_demo_plants_one_clause_that_does_nothing():
    for name in ("strong", "middle", "weak"):
        heed = profile(f"simulated-{name}").heed.model_dump()
        assert [clause for clause, share in heed.items() if not share] == ["attribution"]
