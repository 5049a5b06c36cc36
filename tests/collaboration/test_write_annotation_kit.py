"""The annotation kit: what it holds, what it hides, and a rater at work in a real browser."""

import csv
import json
import re

import pytest

from scripts.collaboration.annotations import opaque_id, read_ratings
from scripts.collaboration.schemas import SAMPLES
from scripts.collaboration.write_annotation_kit import render, write_annotation_kit
from scripts.lib.errors import UserError
from scripts.lib.tables import write_rows
from tests.browser import IN_BROWSER
from tests.collaboration.fixtures import made_up_study, sampled

TAKE = "document.title = 'taken'"
HOSTILE = (
    f'</script><script>{TAKE}</script><!-- <script> <img src=x onerror="{TAKE}"> {{{{ 7 * 7 }}}}\u2028\x00'
)
IDS = ["r1", "r2", "r3", "r4"]


def written(folder, seed=0, **settings):
    """A kit of a made-up study: its text, its data and the study."""
    study = made_up_study(folder, **settings)
    sample, output = folder / "sample.parquet", folder / "kit.html"
    write_rows(sample, sampled(study.job["teams"][:2]), SAMPLES)
    write_annotation_kit(sample, study.views, study.rollouts, output, {"seed": seed})
    text = output.read_text(encoding="utf-8")
    return text, data_of(text), study


def data_of(text):
    return json.loads(re.search(r'<script type="application/json" id="kit">(.*?)</script>', text)[1])


def test_the_kit_holds_every_rollout_with_both_views_and_all_turns(tmp_path):
    _, kit, study = written(tmp_path)
    assert sorted(item["id"] for item in kit["rollouts"]) == sorted(
        map(opaque_id, sampled(study.job["teams"][:2]))
    )
    for item in kit["rollouts"]:
        assert len(item["views"]) == 2 and item["views"][0] != item["views"][1]
        assert [turn["turn"] for turn in item["turns"]] == [1, 2, 3]
        assert [turn["slot"] for turn in item["turns"]] == [1, 2, 1]


def test_model_score_outcome_and_place_are_hidden(tmp_path):
    text, kit, study = written(tmp_path)
    assert not any(name in json.dumps(kit) for name in [*study.job["models"], "maze_", "baseline"])
    assert "answered" not in text and "score" not in text
    assert set(kit["rollouts"][0]) == {"id", "views", "turns"}


def test_the_seed_shuffles_the_order_and_nothing_else(tmp_path):
    kits = [written(tmp_path / str(number), seed=seed)[0] for number, seed in enumerate((0, 0, 1))]
    assert kits[0] == kits[1]
    orders = [[item["id"] for item in data_of(text)["rollouts"]] for text in kits]
    assert orders[0] != orders[2] and sorted(orders[0]) == sorted(orders[2])


def test_simulated_conversations_are_called_so(tmp_path):
    assert "Simulated agents" in written(tmp_path / "one", simulated=True)[0]
    assert "Simulated agents" not in written(tmp_path / "two", simulated=False)[0]


def test_a_rollout_that_is_gone_is_named(tmp_path):
    study = made_up_study(tmp_path)
    write_rows(tmp_path / "sample.parquet", [sampled(study.job["teams"][:2])[0] | {"index": 99}], SAMPLES)
    with pytest.raises(UserError, match=r"99.* is in none of the files"):
        write_annotation_kit(
            tmp_path / "sample.parquet", study.views, study.rollouts, tmp_path / "kit.html", {"seed": 0}
        )


def test_the_page_asks_for_nothing_from_outside(tmp_path):
    text, *_ = written(tmp_path)
    assert "default-src 'none'" in text and "unsafe" not in text.partition("</head>")[0]
    assert not re.search(r"(?:src|href)=[\"']?(?:https?:|//)", text.partition('id="kit"')[0])


# --- in the browser -----------------------------------------------------------------------------------


def small_kit(folder, ids=IDS, text="I see a door."):
    """A kit with few rollouts; its path."""
    items = [
        {
            "id": name,
            "views": [f"view a of {name}", f"view b of {name}"],
            "turns": [{"turn": n + 1, "slot": 1 + n % 2, "text": f"{text} {name} {n}"} for n in range(3)],
        }
        for name in ids
    ]
    path = folder / "annotation_kit.html"
    path.write_text(render(items, simulated=True), encoding="utf-8", newline="\n")
    return path


def labels_on(page):
    """The label of each stage of the shown rollout."""
    return {
        stage: page.evaluate(f"document.querySelector('#{stage} input:checked')?.value ?? null")
        for stage in ("l1", "l2", "l3", "l4")
    }


def exported(page, folder):
    """The exported CSV: its path and its rows."""
    with page.expect_download() as download:
        page.keyboard.press("e")
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path, list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


@IN_BROWSER
def test_three_rollouts_by_keyboard_then_reload_export_import_elsewhere_and_go_on(tmp_path, open_page):
    kit, page = small_kit(tmp_path), open_page()
    page.goto(kit.as_uri())
    page.fill("#rater", "Ann, B.")
    page.locator("#place").focus()
    for keys in ("yynu", "nnnn", "2y4n"):
        for key in keys:
            page.keyboard.press(key)
        page.keyboard.press("ArrowRight")
    page.keyboard.press("k")  # back to the third: note on its fourth stage
    page.keyboard.press("4")
    page.keyboard.press("c")
    page.keyboard.type('only "ok",\njust 1 word')
    page.keyboard.press("Escape")
    assert page.inner_text("#progress") == "2 of 4 labelled in full"

    page.reload()
    assert page.inner_text("#place") == "Conversation 3 of 4 (r3)" and page.input_value("#rater") == "Ann, B."
    assert labels_on(page) == {"l1": None, "l2": "y", "l3": None, "l4": "n"}
    path, rows = exported(page, tmp_path)
    assert path.name == "annotations-Ann-B-.csv"
    assert [(r["rollout"], r["stage"], r["satisfied"]) for r in rows] == [
        *(("r1", f"l{n + 1}", value) for n, value in enumerate(["1", "1", "0", ""])),
        *(("r2", f"l{n + 1}", "0") for n in range(4)),
        ("r3", "l2", "1"),
        ("r3", "l4", "0"),
    ]
    assert read_ratings([path], IDS)[-1] == ("Ann, B.", "r3", "l4", False)

    elsewhere = open_page()
    elsewhere.goto(kit.as_uri())
    elsewhere.set_input_files("#import", path)
    elsewhere.get_by_text("Imported 10 labels.").wait_for()
    assert elsewhere.input_value("#rater") == "Ann, B."
    elsewhere.locator("#place").focus()
    elsewhere.keyboard.press("g")  # the first that is not labelled in full
    assert elsewhere.inner_text("#place").endswith("(r3)")
    assert elsewhere.input_value("#l4 textarea") == 'only "ok",\njust 1 word'
    elsewhere.keyboard.press("y")
    elsewhere.keyboard.press("3")
    elsewhere.keyboard.press("u")
    assert elsewhere.inner_text("#progress") == "3 of 4 labelled in full"
    assert len(exported(elsewhere, tmp_path)[1]) == 12


@IN_BROWSER
def test_a_hostile_transcript_is_text_and_nothing_more(tmp_path, page):
    page.goto(small_kit(tmp_path, ids=["r1"], text=HOSTILE).as_uri())
    assert page.inner_text(".chat li:first-child pre").startswith(HOSTILE[:90])
    assert page.title() == "Annotation kit: where the conversation breaks"
    assert page.locator(".chat img, .chat script").count() == 0
    assert "{{ 7 * 7 }}" in page.inner_text(".chat li:first-child pre")


@IN_BROWSER
def test_an_import_tells_of_foreign_and_damaged_rows_and_overwrites_nothing(tmp_path, page):
    page.goto(small_kit(tmp_path).as_uri())
    page.fill("#rater", "ann")
    page.locator("#place").focus()
    page.keyboard.press("y")
    rows = [
        "\ufeffrater;rollout;stage;satisfied;note",
        "ann;r1;l1;0;",
        "ann;r1;l2;1;a; b",
        "bob;r1;l2;1;",
        "ann;r9;l2;1;",
        "ann;r1;l5;1;",
        "ann;r1;l2;yes;",
        'ann;r1;l3;0;"a; ""b"""',
        "",
    ]
    text = "\r\n".join(rows).encode()
    page.set_input_files("#import", {"name": "a.csv", "mimeType": "text/csv", "buffer": text})
    page.get_by_text("Imported 1 labels.").wait_for()
    told = page.inner_text("#status").splitlines()
    assert [line.partition(":")[0] for line in told[2:]] == [f"row {n}" for n in (2, 3, 4, 5, 6, 7)]
    assert labels_on(page) == {"l1": "y", "l2": None, "l3": "n", "l4": None}
    assert page.input_value("#l3 textarea") == 'a; "b"'
    wrong = {"name": "b.csv", "mimeType": "text/csv", "buffer": b"a,b\n1,2\n"}
    page.set_input_files("#import", wrong)
    page.get_by_text("Nothing was imported: the file lacks the columns rater").wait_for()


@IN_BROWSER
def test_mouse_and_addresses_do_as_well_and_shortcuts_can_be_switched_off(tmp_path, page):
    page.goto(f"{small_kit(tmp_path).as_uri()}#r3")
    assert page.inner_text("#place") == "Conversation 3 of 4 (r3)"
    page.check("#l2 input[value=n]")
    page.fill("#l1 textarea", "a note alone")
    page.click("#previous")
    page.click("#next")
    assert labels_on(page) == {"l1": "u", "l2": "n", "l3": None, "l4": None}
    page.uncheck("#shortcuts")
    page.keyboard.press("y")
    page.keyboard.press("ArrowLeft")
    assert page.inner_text("#place") == "Conversation 3 of 4 (r3)" and labels_on(page)["l3"] is None
    page.click("#export")
    assert page.inner_text("#status") == "Give your name first."


@IN_BROWSER
def test_a_kit_without_rollouts_says_so(tmp_path, page):
    page.goto(small_kit(tmp_path, ids=[]).as_uri())
    assert page.inner_text("#place") == "There is no conversation in this kit"
