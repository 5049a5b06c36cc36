"""A table's hash follows what it holds and nothing else."""

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scripts.lib.errors import UserError
from scripts.lib.manifest import hash_table, read_manifest, write_manifest

ROOT = Path(__file__).resolve().parents[2]
TURN = pa.struct([("slot", pa.int32()), ("text", pa.string())])
SCHEMA = pa.schema(
    [
        ("task", pa.string()),
        ("index", pa.int32()),
        ("score", pa.float64()),
        ("simulated", pa.bool_()),
        ("turns", pa.list_(TURN)),
        ("accepted", pa.list_(pa.string())),
    ]
)
ROWS = [
    {
        "task": "maze" if number % 3 else None,
        "index": number,
        "score": None if number % 5 == 0 else number / 7,
        "simulated": number % 2 == 0,
        "turns": None if number % 11 == 0 else [{"slot": 1, "text": "é" * (number % 4)}, None] * (number % 3),
        "accepted": ["a", "", None][: number % 4],
    }
    for number in range(100)
]


@pytest.fixture
def hashed(tmp_path):
    """The hash of rows under a schema, written with the options given."""

    def of(rows=ROWS, schema=SCHEMA, without=(), **options):
        path = tmp_path / "table.parquet"
        pq.write_table(pa.Table.from_pylist(rows, schema=schema), path, **options)
        return hash_table(path, without)

    return of


def changed(number, **values):
    """The rows with other values in one of them."""
    return [row | values if at == number else row for at, row in enumerate(ROWS)]


@pytest.mark.parametrize(
    "options",
    [
        {"compression": "none"},
        {"compression": "zstd", "row_group_size": 7},
        {"use_dictionary": False, "write_statistics": False},
        {"store_schema": False},
    ],
)
def test_how_a_file_is_written_is_not_in_its_hash(hashed, options):
    assert hashed(**options) == hashed()
    assert hashed()[0] == "100"


def test_metadata_is_not_in_it(hashed):
    assert hashed(schema=SCHEMA.with_metadata({"at": "Monday"})) == hashed()


@pytest.mark.parametrize(
    "rows",
    [
        ROWS[::-1],
        ROWS[:-1],
        changed(7, score=7 / 7 + 1e-15),
        changed(7, score=None),
        changed(7, task=""),
        changed(9, task=""),  # null in ROWS
        changed(7, simulated=True),
        changed(7, index=8),
        changed(11, turns=[]),  # null in ROWS
        changed(1, turns=[{"slot": 1, "text": "é"}, {"slot": None, "text": None}]),
        changed(1, turns=[None, {"slot": 1, "text": "é"}]),
        changed(3, accepted=["", "a", None]),
        changed(3, accepted=["a", ""]),
        changed(6, accepted=["a"]),
    ],
    ids=range(14),
)
def test_any_other_value_or_order_is_another_hash(hashed, rows):
    assert hashed(rows) != hashed()


def test_names_and_types_of_columns_are_in_it(hashed):
    wider = SCHEMA.set(1, pa.field("index", pa.int64()))
    assert hashed(schema=wider) != hashed()
    renamed = [{("number" if key == "index" else key): value for key, value in row.items()} for row in ROWS]
    assert hashed(renamed, SCHEMA.set(1, pa.field("number", pa.int32()))) != hashed()
    assert hashed([], SCHEMA) != hashed([], wider)


def test_a_column_can_be_left_out(hashed):
    assert hashed(changed(7, score=3.0), without=["score"]) == hashed(without=["score"]) != hashed()


@pytest.mark.parametrize("damage", ["truncated", "foreign", "missing", "pages"])
def test_a_file_that_cannot_be_read_is_named(hashed, tmp_path, damage):
    hashed(compression="zstd")
    path = tmp_path / "table.parquet"
    data = path.read_bytes()
    if damage == "missing":
        path.unlink()
    elif damage == "pages":
        path.write_bytes(data[:20] + bytes(400) + data[420:])
    else:
        path.write_bytes(data[:200] if damage == "truncated" else b"not a table")
    with pytest.raises(UserError, match=r"table\.parquet"):
        hash_table(path)


def test_a_manifest_comes_back_sorted(tmp_path):
    path = tmp_path / "data" / "manifest.csv"
    entries = {"views/b.parquet": ("2", "ff"), "answers/a, b.parquet": ("1", "00")}
    write_manifest(path, entries)
    assert read_manifest(path) == entries
    assert path.read_bytes() == b'table,rows,sha256\n"answers/a, b.parquet",1,00\nviews/b.parquet,2,ff\n'


@pytest.mark.parametrize("text", ["", "table,rows\n", "table,rows,sha256\nviews/b.parquet,2\n"])
def test_a_damaged_manifest_is_named_with_its_remedy(tmp_path, text):
    path = tmp_path / "manifest.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=r"manifest\.csv is damaged.*make analysis"):
        read_manifest(path)


def test_hashing_imports_no_pandas(hashed, tmp_path):
    hashed()
    code = (
        "import sys; from pathlib import Path; from scripts.lib.manifest import hash_table;"
        f"hash_table(Path({str(tmp_path / 'table.parquet')!r})); sys.exit('pandas' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
