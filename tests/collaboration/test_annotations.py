"""Raters' files: what is read, what is refused and by which words."""

import pytest

from scripts.collaboration.annotations import opaque_id, planned_rollouts, read_ratings
from scripts.lib.errors import UserError

HEAD = "rater,rollout,stage,satisfied,note"
KNOWN = ["r1", "r2"]
JOB = {"arms": ["baseline"], "teams": [["m"], ["a", "b"]], "modes": ["collab"], "rollouts": 2}


def read(folder, *lines, head=HEAD, end="\n", encoding="utf-8", **settings):
    path = folder / "ann.csv"
    path.write_bytes(end.join([head, *lines, ""]).encode(encoding))
    return read_ratings([path], KNOWN, **settings)


def test_labels_are_read(tmp_path):
    ratings = read(tmp_path, "ann,r1,l1,1,", 'ann,r1,l2,0,"one, ""two""\nlines"', "bob,r1,l1,,unsure", "")
    assert [tuple(rating) for rating in ratings] == [
        ("ann", "r1", "l1", True),
        ("ann", "r1", "l2", False),
        ("bob", "r1", "l1", None),
    ]


@pytest.mark.parametrize(
    "settings", [{"end": "\r\n"}, {"encoding": "utf-8-sig"}, {"head": HEAD.replace(",", ";")}]
)
def test_what_spreadsheets_write_is_read(tmp_path, settings):
    mark = ";" if ";" in settings.get("head", "") else ","
    assert read(tmp_path, mark.join(["ann", "r2", "l4", "0", "a note"]), **settings) == [
        ("ann", "r2", "l4", False)
    ]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("ann,r9,l1,1,", 'rollout "r9" is none of this study'),
        ("ann,r1,l5,1,", 'unknown stage "l5"; did you mean'),
        ("ann,r1,l1,yes,", 'satisfied is "yes"; valid: 1, 0 or nothing'),
        (" ,r1,l1,1,", "write who labelled"),
        ("ann,r2,l1,0,", "repeats what .*ann.csv, line 2 says"),
        ("ann,r1,l1,1", "4 cells, not 5"),
        ('ann,r1,l1,1,"x"y', "export it again"),
        ("simulated-1,r1,l1,1,", "is the name of a simulated rater"),
    ],
)
def test_what_is_no_label_is_named_with_file_and_line(tmp_path, row, words):
    with pytest.raises(UserError, match=rf"ann\.csv, line 3: .*{words}"):
        read(tmp_path, "ann,r2,l1,1,", row)


def test_one_rater_in_two_files_may_not_label_twice(tmp_path):
    paths = [tmp_path / "one.csv", tmp_path / "two.csv"]
    for path in paths:
        path.write_text(f"{HEAD}\nann,r1,l1,1,\n")
    with pytest.raises(UserError, match=r"two\.csv, line 2: repeats what .*one\.csv, line 2 says"):
        read_ratings(paths, KNOWN)


@pytest.mark.parametrize("head", ["", "rater,rollout,stage,satisfied", "a,b,c,d,e"])
def test_a_file_with_other_columns_is_refused(tmp_path, head):
    with pytest.raises(UserError, match=r"line 1: the columns must be rater,rollout,stage,satisfied,note"):
        read(tmp_path, head=head)


def test_a_file_that_is_no_text_is_refused(tmp_path):
    with pytest.raises(UserError, match="cannot be read as UTF-8"):
        read(tmp_path, head="\N{POUND SIGN}", encoding="latin-1")


def test_simulated_raters_are_told_from_people_by_name(tmp_path):
    assert read(tmp_path, "simulated-1,r1,l1,1,", simulated=True)[0].rater == "simulated-1"
    with pytest.raises(UserError, match="name of a simulated rater"):
        read(tmp_path, "ann,r1,l1,1,", simulated=True)


def test_opaque_ids_are_of_planned_conversations_and_distinct():
    job = JOB | {"teams": [["m"], ["n"]], "tasks": {"maze": "spatial", "graph": "relational"}}
    planned = planned_rollouts(job)
    assert len(planned) == 2 * 2 * 2 and all(opaque_id(row) == name for name, row in planned.items())
    assert all(name[0] == "r" and len(name) == 13 for name in planned)
    row = {"arm": "baseline", "team": "m", "mode": "collab", "family": "spatial", "task": "maze", "index": 0}
    assert next(iter(planned.values())) == row
