"""The tasks measured: floors, lucky answers, text lengths."""

import json

import pytest

from scripts.collaboration.instances import instance_row
from scripts.collaboration.measure_task_properties import measure_task, measure_task_properties
from scripts.collaboration.schemas import TASK_PROPERTIES
from scripts.lib.tables import read_rows
from tasks import TASKS, get_task
from tasks.making import make_instance


def test_a_row_is_what_the_instances_say(tmp_path):
    rows = [instance_row(get_task("maze"), make_instance(get_task("maze"), "tiny", 3, i)) for i in range(8)]
    made = measure_task("maze", "tiny", seed=3, instances=8)
    floors = [row[f"floor_{holder}"] for row in rows for holder in "ab"]
    assert made["floor"] == pytest.approx(sum(floors) / len(floors))
    refused = sum(sum(json.loads(row["rejected"]).values()) for row in rows)
    assert made["draws"] == 8 + refused and made["rejected_share"] == refused / (8 + refused)
    assert sum(json.loads(made["rejected"]).values()) == refused
    assert made["conventions"] == 16
    assert max(made["floor_optimistic"], made["floor_random"]) <= made["floor"] <= 1
    assert made["answers_seen"] <= 8 and made["answers_open"] >= 2
    assert made["characters_full"] > 100 and made["seconds"] > 0


def test_one_row_a_task_whatever_the_number_of_processes(tmp_path):
    job = {"sizes": {"treesum": "small", "logic": "tiny"}, "seed": 0, "instances": 4}
    for threads in (1, 2):
        measure_task_properties(tmp_path / f"{threads}.parquet", job, threads)
    one, two = (read_rows(tmp_path / f"{threads}.parquet", TASK_PROPERTIES) for threads in (1, 2))
    assert [row["task"] for row in one] == ["treesum", "logic"]
    for row in (*one, *two):
        row.pop("seconds")
    assert one == two


@pytest.mark.parametrize("name", TASKS)
def test_answers_to_other_instances_are_rarely_right(name):
    made = measure_task(name, "paper", seed=0, instances=12)
    assert made["false_accept"] <= 0.1
    assert 0 <= made["convention_gain"] <= 0.35
