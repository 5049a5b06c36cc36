"""The report: one safe, self-contained page that says what is simulated and what is not known."""

import random
import re
from collections import Counter
from html.parser import HTMLParser

import pytest

from scripts.collaboration.draw_game import draw_game
from scripts.collaboration.draw_pairs import draw_pairs
from scripts.collaboration.draw_ratio_gap import draw_ratio_gap
from scripts.collaboration.draw_tax import draw_tax
from scripts.collaboration.draw_views import draw_views
from scripts.collaboration.schemas import ARMS, GRADES, TAX
from scripts.collaboration.transcripts import candidates, choose, read_transcripts
from scripts.collaboration.write_report import write_report
from scripts.lib.drawing.numbers import UNKNOWN
from scripts.lib.errors import UserError
from scripts.lib.page import source_hash
from scripts.lib.tables import read_rows, write_rows
from tests.collaboration.fixtures import COUNT, TASK_FAMILIES, made_up_study
from tests.collaboration.statistics_cases import arm_row

KIT = "annotation_kit.html"  # the page beside the report, to which it links
HOSTILE = (
    "</pre></script><script>alert(1)</script><img src=//evil.example onerror=x>{{7*7}}{% raw %}\"'<b \x07"
)


class Page(HTMLParser):
    """Collects tags and attributes, and checks that tags are closed in order."""

    void = {"meta", "img", "br", "link", "input", "hr"}

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.ids, self.attributes, self.words = [], Counter(), Counter(), [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags[tag] += 1
        self.attributes += [(tag, name, value) for name, value in attrs]
        self.ids.update(value for name, value in attrs if name == "id")
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] not in (["style"], ["script"]):
            self.words.append(data)

    @property
    def text(self):
        return " ".join("".join(self.words).split())


def written(folder, simulated=True, hostile=""):
    study = made_up_study(folder, simulated, hostile)
    figures = folder / "figures"
    index = {"tasks": {family: task for task, family in TASK_FAMILIES.items()}, "index": 0}
    draw_views(study.instances, study.views, figures, index)
    draw_tax(study.tax, figures, {})
    draw_ratio_gap(study.tax, figures, {})
    statistics = study.folder / "statistics"
    draw_game(statistics / "game_values.parquet", figures, {})
    draw_pairs(statistics / "pairs.parquet", figures, {})
    output = folder / "report.html"
    svgs = sorted(figures.glob("*.svg"))
    write_report(study.folder, svgs, output, study.job)
    return output.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    return written(tmp_path_factory.mktemp("report"))


@pytest.fixture(scope="module")
def hostile_report(tmp_path_factory):
    return written(tmp_path_factory.mktemp("hostile"), simulated=False, hostile=HOSTILE)


def test_the_page_is_well_formed_and_accessible(report):
    page = Page(report)
    assert page.ids and max(page.ids.values()) == 1
    targets = {value for tag, name, value in page.attributes if tag == "a" and name == "href"}
    beside = {target for target in targets if target.startswith(KIT)}
    assert beside and targets - beside <= {f"#{name}" for name in page.ids}
    assert page.tags["caption"] == page.tags["table"] > 0
    assert sum(name == "scope" for tag, name, _ in page.attributes if tag == "th") == page.tags["th"]
    assert sum(name == "alt" and bool(value) for _, name, value in page.attributes) == page.tags["img"] == 5


def test_the_page_needs_nothing_from_elsewhere(report, hostile_report):
    for text in (report, hostile_report):
        page = Page(text)
        assert not page.tags["link"] and not page.tags["iframe"]
        loaded = [value for _, name, value in page.attributes if name in ("src", "href", "srcset", "action")]
        assert all(value.startswith(("#", KIT, "data:image/svg+xml;base64,")) for value in loaded)
        assert not re.search(r"@import|url\(", text)


def test_the_page_runs_its_own_scripts_and_no_other(report, hostile_report):
    for text in (report, hostile_report):
        page = Page(text)
        (policy,) = [
            value for _, name, value in page.attributes if name == "content" and "default-src" in value
        ]
        scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
        assert len(scripts) == page.tags["script"] == 1
        allowed = " ".join(f"'{source_hash(script)}'" for script in scripts)
        assert policy.endswith(f"; script-src {allowed}") and "default-src 'none'" in policy


def test_simulated_results_are_called_so_and_real_ones_not(report, hostile_report):
    assert "no language model was called" in Page(report).text
    assert "strong (simulated)" in Page(report).text
    assert "(simulated)" not in Page(hostile_report).text
    assert "no language model was called" not in Page(hostile_report).text


def test_what_models_write_stays_text(hostile_report):
    page = Page(hostile_report)
    assert "<script>alert(1)</script>" in page.text and "{{7*7}}{% raw %}" in page.text
    assert page.tags["img"] == 5 and "49" not in re.findall(r"strong[^ ]*", page.text)
    assert not any(name.startswith("on") for _, name, _ in page.attributes)
    assert "\x07" not in hostile_report


def test_keys_in_addresses_are_not_shown(hostile_report):
    assert "secret" not in hostile_report and "https://api.example.org/v1" in hostile_report


def test_unknown_values_are_dashes(report):
    text = Page(report).text
    assert not re.search(r"\b(nan|NaN|None|null)\b", text)
    assert f"and {UNKNOWN} in replies" in text


def test_a_study_without_results_says_so(tmp_path):
    study = made_up_study(tmp_path)
    about = ("arm", "team", "kind", "scope", "family", "task", "simulated")
    counts = {"tasks": 0, "planned": COUNT, "graded": 0}
    rows = [{name: row[name] for name in about} | counts for row in read_rows(study.tax, TAX)]
    write_rows(study.tax, rows, TAX)
    write_report(study.folder, [], tmp_path / "report.html", study.job | {"modes": ["solo_full"]})
    text = Page((tmp_path / "report.html").read_text(encoding="utf-8")).text
    assert not re.search(r"\b(nan|NaN|None|null)\b", text)
    assert "0 of 3 tasks are solo-tractable (3 have no solo score yet)" in text
    assert "No graded conversation" in text and "No figures were drawn" in text


def test_a_model_that_can_do_no_task_alone_is_named(tmp_path):
    study = made_up_study(tmp_path)
    write_rows(study.tax, [row | {"dagger": True} for row in read_rows(study.tax, TAX)], TAX)
    write_report(study.folder, [], tmp_path / "report.html", study.job | {"modes": ["solo_full"]})
    text = Page((tmp_path / "report.html").read_text(encoding="utf-8")).text
    assert "Not one is, so the tax means little for this model" in text and "\N{DAGGER}" in text


def test_a_missing_shard_is_named(tmp_path):
    study = made_up_study(tmp_path)
    with pytest.raises(UserError, match=r"the report needs .*maze.*no file"):
        read_transcripts(study.instances, study.views, [], study.answers, study.grades, study.job)


def test_truncated_replies_are_warned_of(report):
    assert "strong (simulated), collab: 5.0 %" in Page(report).text


def test_two_runs_are_byte_identical(tmp_path, report):
    assert written(tmp_path) == report


def test_transcripts_alternate_and_spread():
    rows = [
        {"mode": mode, "score": score, "family": family, "team": team, "task": family}
        for team in ("one", "two")
        for family in ("spatial", "csp")
        for mode, score in (("collab", 1.0), ("collab", 0.5), ("solo_full", 1.0), ("collab", None))
    ]
    chosen = choose(rows, 4)
    assert [row["score"] for row in chosen] == [1.0, 0.5, 1.0, 0.5]
    assert {(row["family"], row["team"]) for row in chosen[:2]} == {("spatial", "one"), ("csp", "two")}
    assert len(choose(rows, 99)) == 8
    assert choose([], 4) == []


@pytest.mark.parametrize("seed", range(10))
def test_the_choice_among_candidates_is_the_choice_among_all(tmp_path, seed):
    rng = random.Random(seed)
    tasks = {"maze": "spatial", "logic": "csp"}
    job = {"arms": ["baseline"], "teams": [["m"], ["m", "n"]], "tasks": tasks, "rollouts": 9}
    end = {"arm": "baseline", "mode": "collab", "outcome": "answered", "accepted": []}
    rows = [
        end | {"team": team, "task": task, "family": tasks[task], "index": index}
        for team in ("m", "m + n")
        for task in tasks
        for index in range(12)
    ]
    for row in rows:
        row["score"] = rng.choice([0.0, 0.5, 1.0, 1.0, None])
    planned = [row for row in rows if row["index"] < 9]
    rng.shuffle(rows)
    shards = []
    for number in range(3):
        shards.append(tmp_path / "grades" / f"{number}.parquet")
        write_rows(shards[-1], rows[number::3], GRADES)
    for count in (1, 4, 12):
        few = candidates(shards, job | {"report": {"transcripts": count}})
        wanted = [(row["team"], row["task"], row["index"]) for row in choose(planned, count)]
        assert [(row["team"], row["task"], row["index"]) for row in choose(few, count)] == wanted
        assert len(few) <= 2 * 2 * 2 * count


def test_the_arms_have_a_section_with_the_published_shares_apart(tmp_path):
    study = made_up_study(tmp_path)
    rows = [
        arm_row(arm=arm, team=team, scope=scope, family=family, simulated=True)
        for arm in ("all_four", "mine")
        for team in ("strong", None)
        for scope, family in [*(("family", family) for family in TASK_FAMILIES.values()), ("all", None)]
    ]
    rows[0] |= dict.fromkeys(("recovered", "recovered_low", "recovered_high"))
    write_rows(tmp_path / "statistics" / "arms.parquet", rows, ARMS)
    shares = {"spatial": 0.271, "relational": 0.414, "csp": 0.525, "all": 0.383}
    published = {"mark": "published", "recovered": {"all_four": shares}, "half_width": {"all_four": 0.141}}
    job = study.job | {
        "arm_clauses": {"baseline": [], "all_four": ["attribution", "querying"], "mine": ["mine"]},
        "own_clauses": {"mine": HOSTILE},
        "published": study.job["published"] | {"arms": published},
    }
    write_report(study.folder, [], tmp_path / "report.html", job)
    page = Page((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert "Which clauses help" in page.text and "all models (simulated)" in page.text
    assert f"all_four{UNKNOWN}33 [28, 38]" in page.text  # cells without a space between them
    assert "published: not of this runall_four27.141.452.538.3 ± 14.1" in page.text
    assert "<script>alert(1)</script>" in page.text and page.tags["script"] == 1  # the game
    assert not re.search(r"\b(nan|NaN|None|null)\b", page.text)
