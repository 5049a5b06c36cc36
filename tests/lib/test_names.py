"""Names as parts of paths: distinct names stay distinct, and no name leaves its folder."""

import re
from pathlib import PurePosixPath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scripts.lib.names import SLUG_PATTERN, slug, team_name, team_slug

names = st.one_of(st.text(max_size=80), st.text("aB1./:_- +", max_size=12))


@given(names)
@example("")
@example("..")
@example("../../etc/passwd")
@example("-rf")
@example("x" * 500)
@example("a\n")
@example("con fig")
def test_a_slug_is_one_safe_path_component(name):
    part = slug(name)
    assert re.fullmatch(SLUG_PATTERN, part)
    assert PurePosixPath(part).name == part and part not in (".", "..")
    assert len(part.encode()) <= 100 or part == name
    assert "+" not in part and "/" not in part and not part.startswith("-")
    assert slug(name) == part


@given(st.lists(names, min_size=2, max_size=8, unique=True))
@example(["a/b", "a_b", "a:b", "a b", "_a_b", "a_b."])
@example(["", "model", " "])
@example(["x" * 61, "x" * 62])
def test_distinct_names_have_distinct_slugs(many):
    assert len({slug(name) for name in many}) == len(many)


@pytest.mark.parametrize("name", ["gpt-4o-mini", "claude-3.5_x", "simulated-strong", "7b"])
def test_a_plain_name_is_its_own_slug(name):
    assert slug(name) == name


@pytest.mark.parametrize(
    ("name", "readable"), [("org/model", "org_model-"), ("llama3:8b", "llama3_8b-"), ("Phi 4", "Phi_4-")]
)
def test_another_name_stays_readable(name, readable):
    assert re.fullmatch(re.escape(readable) + "[0-9a-f]{8}", slug(name))


def test_a_team_is_its_models_in_slot_order():
    assert (team_name(("a", "b/c")), team_name(("a",))) == ("a + b/c", "a")
    assert team_slug(("a", "b")) == "a+b" != team_slug(("b", "a"))
    assert team_slug(("a",)) == "a"
    assert team_slug(("a+b",)) != team_slug(("a", "b"))
    assert re.fullmatch(SLUG_PATTERN, team_slug(("org/model", "x:y")))
