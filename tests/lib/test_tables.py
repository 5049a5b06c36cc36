"""Parquet tables: what is written comes back; what is damaged is named, with the command that mends it."""

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.collaboration import schemas
from scripts.lib.errors import UserError
from scripts.lib.tables import read_frame, read_rows, read_table, write_frame, write_rows, write_table

SCHEMA = pa.schema([("task", pa.string()), ("index", pa.int32()), ("score", pa.float64())])
ROWS = [{"task": "maze", "index": 0, "score": 0.25}, {"task": "logic", "index": 1, "score": None}]


ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "grades" / "maze.parquet"


def test_rows_come_back(path):
    write_rows(path, ROWS, SCHEMA)
    assert read_rows(path, SCHEMA) == ROWS
    assert read_rows(path, SCHEMA, ["score", "task"]) == [
        {"score": 0.25, "task": "maze"},
        {"score": None, "task": "logic"},
    ]
    assert pq.read_schema(path) == SCHEMA


def test_rows_are_written_without_pandas_which_would_cost_every_job_its_import(path):
    code = f"""
import sys
from pathlib import Path
from scripts.collaboration.schemas import TAX
from scripts.lib.tables import read_rows, write_rows
path = Path({str(path)!r})
write_rows(path, [dict(task="maze")], TAX)
read_rows(path, TAX)
sys.exit("pandas" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_no_rows_come_back_with_their_columns(path):
    write_rows(path, [], SCHEMA)
    assert (read_rows(path, SCHEMA), pq.read_schema(path)) == ([], SCHEMA)


def test_a_missing_value_is_null(path):
    write_rows(path, [{"task": "maze"}], SCHEMA)
    assert read_rows(path, SCHEMA) == [{"task": "maze", "index": None, "score": None}]


def test_an_all_null_column_keeps_its_type(tmp_path):
    """Else the shards of a stage could not be read together."""
    write_rows(tmp_path / "0.parquet", [{"task": "maze", "index": 0}], SCHEMA)
    write_rows(tmp_path / "1.parquet", ROWS, SCHEMA)
    write_rows(tmp_path / "2.parquet", [], SCHEMA)
    assert len(ds.dataset(tmp_path).to_table()) == 3
    frame = read_frame(sorted(tmp_path.iterdir()), SCHEMA)
    assert list(frame["task"]) == ["maze", "maze", "logic"] and frame["score"].dtype == "float64"
    assert list(read_frame([], SCHEMA).columns) == SCHEMA.names


MESSAGE = {
    "turn": 0,
    "slot": 1,
    "text": "Grüße",
    "reply": "Grüße\n",
    "reasoning": None,
    "finish_reason": "stop",
    "wrote_prefix": False,
    "prompt_tokens": 2**40,
    "completion_tokens": None,
    "key": "ab",
}


def test_nested_messages_come_back(path):
    blank = dict.fromkeys(schemas.ROLLOUTS.names)
    rows = [
        blank | {"task": "maze", "index": 0, "messages": [MESSAGE, MESSAGE | {"turn": 1, "reply": None}]},
        blank | {"task": "maze", "index": 1, "messages": [], "usage": []},
    ]
    write_rows(path, rows, schemas.ROLLOUTS)
    assert read_rows(path, schemas.ROLLOUTS) == rows


SPECIAL = [
    "",
    " ",
    "Grüße",
    "\U0001f600",
    "a\nb\r\n",
    "\u2028\x85",
    "\x00",
    '"\\',
    "2020-01-01",
    "null",
    "1e5",
    "[1]",
]


@pytest.mark.parametrize("text", SPECIAL, ids=repr)
def test_any_text_comes_back(path, text):
    write_rows(path, [{"task": text}], SCHEMA)
    assert read_rows(path, SCHEMA)[0]["task"] == text


@given(st.lists(st.text(), min_size=1, max_size=5))
def test_all_text_comes_back(tmp_path_factory, texts):
    path = tmp_path_factory.mktemp("texts") / "x.parquet"
    write_rows(path, [{"task": text} for text in texts], SCHEMA)
    assert [row["task"] for row in read_rows(path, SCHEMA)] == texts


def test_a_lone_surrogate_becomes_a_question_mark(path):
    write_rows(path, [{"task": "half \ud800 a pair"}], SCHEMA)
    assert read_rows(path, SCHEMA)[0]["task"] == "half ? a pair"


def test_a_long_text_comes_back(path):
    write_rows(path, [{"task": "é" * 2**22}], SCHEMA)
    assert read_rows(path, SCHEMA)[0]["task"] == "é" * 2**22


@given(st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_come_back_exactly(tmp_path_factory, whole, number):
    schema = pa.schema([("whole", pa.int64()), ("number", pa.float64())])
    path = tmp_path_factory.mktemp("numbers") / "x.parquet"
    write_rows(path, [{"whole": whole, "number": number}], schema)
    assert read_rows(path, schema) == [{"whole": whole, "number": number}]


def test_the_same_rows_are_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        write_rows(tmp_path / name, ROWS, SCHEMA)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


PLAIN_STAGE = """
import sys
from pathlib import Path
from scripts.collaboration.schemas import ROLLOUTS
from scripts.lib.tables import read_rows, write_rows

path = Path(sys.argv[1])
for rows in ([], [{"task": "maze", "messages": [{"turn": 0, "text": "Hello"}]}]):
    write_rows(path, rows, ROLLOUTS)
    assert len(read_rows(path, ROLLOUTS)) == len(rows)
assert "pandas" not in sys.modules
"""


def test_rows_come_and_go_without_pandas(path):
    root = Path(__file__).resolve().parents[2]
    subprocess.run([sys.executable, "-c", PLAIN_STAGE, str(path)], cwd=root, check=True)


@pytest.mark.parametrize(
    "row",
    [
        {"task": "maze", "scoer": 1.0},
        {"index": "first"},
        {"index": 2**31},
        {"score": float("nan")},
        {"score": float("inf")},
        {"task": ["maze"]},
        {"task": {1, 2}},
    ],
    ids=str,
)
def test_a_failing_write_leaves_the_earlier_file_and_no_other(path, row):
    write_rows(path, ROWS, SCHEMA)
    before = path.read_bytes()
    with pytest.raises((pa.ArrowInvalid, ValueError, TypeError)):
        write_rows(path, [*ROWS, row], SCHEMA)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_a_write_that_breaks_off_leaves_the_earlier_file_and_no_other(path, monkeypatch):
    write_rows(path, ROWS, SCHEMA)
    before = path.read_bytes()

    def break_off(table, where, **_):
        where.write_bytes(b"PAR1 half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pq, "write_table", break_off)
    with pytest.raises(UserError, match=rf"cannot write {path}: No space left on device"):
        write_rows(path, ROWS[:1], SCHEMA)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_who_reads_while_another_writes_sees_the_earlier_file_whole(path):
    write_rows(path, ROWS, SCHEMA)
    with path.open("rb") as reader:
        write_rows(path, ROWS * 99, SCHEMA)
        assert pq.read_table(reader).to_pylist() == ROWS
    assert len(read_rows(path, SCHEMA)) == 198


def test_a_frame_comes_back(path):
    write_frame(path, pd.DataFrame(ROWS), SCHEMA)
    assert pq.read_schema(path) == SCHEMA and pq.read_schema(path).metadata is None
    frame = read_frame([path], SCHEMA)
    assert list(frame["task"]) == ["maze", "logic"] and frame["score"].isna().tolist() == [False, True]
    with pytest.raises((KeyError, ValueError)):
        write_frame(path, pd.DataFrame(ROWS).drop(columns="score"), SCHEMA)


def complaint(path):
    with pytest.raises(UserError) as error:
        read_rows(path, SCHEMA)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_file_that_is_not_there(path):
    assert complaint(path) == f"{path} does not exist. Make it with: snakemake {path}"


@pytest.mark.parametrize("keep", [0, 3, 20, 200, -1, -8])
def test_a_truncated_file(path, keep):
    write_rows(path, ROWS * 50, SCHEMA)
    path.write_bytes(path.read_bytes()[:keep])
    message = complaint(path)
    assert str(path) in message and "damaged" in message
    assert message.endswith(f"Rebuild it with: rm {path} && snakemake {path}")


def test_a_file_with_a_damaged_middle(path):
    write_rows(
        path, [{"task": f"{n * 7919 % 1000}", "index": n, "score": n / 7} for n in range(2000)], SCHEMA
    )
    content = bytearray(path.read_bytes())
    content[100:1000] = bytes(900)
    path.write_bytes(content)
    assert f"rm {path} && snakemake {path}" in complaint(path)


def test_a_file_of_another_kind(path):
    path.parent.mkdir()
    path.write_text("task,index,score\nmaze,0,1.0\n")
    assert f"{path} is damaged or no Parquet file" in complaint(path)


def test_a_folder_in_the_files_place(path):
    path.mkdir(parents=True)
    assert f"{path} is damaged or no Parquet file" in complaint(path)


def test_a_missing_column_is_named(path):
    write_rows(path, [{"task": "maze"}], pa.schema([SCHEMA.field("task"), SCHEMA.field("index")]))
    assert complaint(path) == (
        f'{path} lacks the column "score": it comes from elsewhere. '
        f"Rebuild it with: rm {path} && snakemake {path}"
    )
    assert read_rows(path, SCHEMA, ["task"]) == [{"task": "maze"}]


def test_a_column_of_another_type_is_named(path):
    write_table(path, pa.table({"task": ["maze"], "index": ["0"], "score": [1.0]}))
    message = complaint(path)
    assert f'{path}: column "index" holds string instead of int32. Rebuild it with: rm {path} &&' in message


def test_a_further_column_does_no_harm(path):
    write_table(path, pa.table({"more": [1], "task": ["maze"], "score": [1.0]}))
    assert read_table(path, SCHEMA, ["task", "score"]).column_names == ["task", "score"]
