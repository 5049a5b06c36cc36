"""A ledger at rest: listed, verified, compacted and exported; compacting loses and doubles nothing."""

import fcntl
import json
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from scripts.ledger import main
from scripts.lib.agents import ledger_tools
from scripts.lib.agents.calls import Reply
from scripts.lib.agents.ledger import Ledger, spent
from scripts.lib.agents.ledger_tools import (
    REPLIES,
    compact_ledger,
    export_ledger,
    list_ledger,
    verify_ledger,
)
from scripts.lib.agents.models import Model, Price

NAME = "org/model"
MODELS = {NAME: Model(base_url="http://127.0.0.1:9/v1", price=Price(input=1.0, output=3.0))}
REPLY = Reply("Grüße\n", reasoning="därum", prompt_tokens=1000, completion_tokens=100, fingerprint="fp")
DOLLARS = (1000 * 1 + 100 * 3) / 1e6


def key(number):
    return f"{number:032x}"


def write(root, *numbers, task="maze", reply=REPLY):
    """One segment with replies to these calls; a call that is there already becomes a repetition."""
    ledger = Ledger([root], NAME, task)
    for number in numbers:
        ledger.append(key(number), reply, model=NAME, task=task, replicate=0)
    ledger.close()


def segments(root):
    return sorted(root.rglob("*.jsonl"))


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def root(tmp_path):
    """Two tasks, three segments, seven lines of which one is a repetition."""
    folder = tmp_path / "ledger"
    write(folder, 1, 2)
    write(folder, 3, 1, 4)
    write(folder, 5, task="logic")
    write(folder, 6, task="logic", reply=replace(REPLY, batch=True))
    return folder


def test_the_list_counts_what_is_there(root):
    logic, maze = list_ledger(root, MODELS)
    assert (maze.model, maze.task, maze.segments, maze.replies, maze.repetitions) == (NAME, "maze", 2, 4, 1)
    assert (maze.prompt, maze.completion) == (5000, 500)
    assert maze.cost == pytest.approx(5 * DOLLARS)
    assert logic.cost == pytest.approx(1.5 * DOLLARS)  # one of the two at the price of a batch
    assert maze.size == sum(path.stat().st_size for path in segments(root) if path.parent.name == "maze")
    assert maze.first and maze.first <= maze.last
    assert list_ledger(root, {})[0].cost is None


def test_a_whole_ledger_has_no_fault(root, capsys):
    assert verify_ledger(root).faults == []
    assert main(["verify", "--ledger", str(root)]) == 0
    assert "7 lines, 0 cut off, 0 faults" in capsys.readouterr().out


def test_a_cut_tail_is_told_and_tolerated(root, capsys):
    segment = segments(root)[-1]
    segment.write_bytes(segment.read_bytes()[:-30])
    number = len(segment.read_bytes().splitlines())
    assert main(["verify", "--ledger", str(root)]) == 0
    assert f"{segment} line {number} is cut off" in capsys.readouterr().out


def test_damage_elsewhere_is_a_fault_with_its_place(root, capsys):
    segment = segments(root)[-1]
    lines = segment.read_bytes().splitlines(keepends=True)
    segment.write_bytes(lines[0][:40] + b"\n" + b"".join(lines[1:]) + b'{"key": "x"}\n' + lines[0])
    assert main(["verify", "--ledger", str(root)]) == 1
    output = capsys.readouterr().out
    assert f"{segment} line 1 is damaged" in output
    assert f"{segment} line {len(lines) + 1} is damaged" in output


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("text", 5, "line 1 is damaged"),
        ("prompt_tokens", "many", "line 1 is damaged"),
        ("prompt_tokens", -1, "prompt_tokens is -1"),
        ("key", "short", "the key 'short' is not 32 hex digits"),
        ("task", "logic", "the task 'logic' does not belong into"),
    ],
)
def test_wrong_shapes_are_faults(tmp_path, field, value, told):
    root = tmp_path / "ledger"
    write(root, 1, 2)
    (segment,) = segments(root)
    first, second = segment.read_text(encoding="utf-8").splitlines()
    entry = json.loads(first)
    (entry["reply"] if field in entry["reply"] else entry)[field] = value
    segment.write_text(f"{json.dumps(entry)}\n{second}\n", encoding="utf-8")
    (fault,) = verify_ledger(root).faults
    assert told in fault and str(segment) in fault


def test_two_replies_to_one_call_are_a_fault_unless_one_is_a_repetition(tmp_path):
    root = tmp_path / "ledger"
    write(root, 1)
    write(root, 1, reply=replace(REPLY, text="another"))
    assert verify_ledger(root).faults == []
    segment = next(path for path in segments(root) if b"repeat" in path.read_bytes())
    segment.write_bytes(segment.read_bytes().replace(b'"repeat": true, ', b""))
    (fault,) = verify_ledger(root).faults
    assert "another reply to the call of" in fault


def held(root):
    """What readers and the bill see of a ledger."""
    ledgers = {task: Ledger([root], NAME, task) for task in ("maze", "logic")}
    replies = {(t, n): ledger.get(key(n)) for t, ledger in ledgers.items() for n in range(1, 7)}
    listed = [replace(h, segments=0, size=0, damaged=0) for h in list_ledger(root, MODELS)]
    return replies, spent(root, MODELS), listed


def test_compacting_keeps_every_paid_reply_in_one_segment_a_task(root):
    segment = segments(root)[-1]
    segment.write_bytes(b"noise\n" + segment.read_bytes() + b'{"key": "cut')
    before = held(root)
    assert before[1] == pytest.approx(6.5 * DOLLARS)
    assert compact_ledger(root) == (4, 2, 2)
    assert len(segments(root)) == 2
    assert held(root) == before
    assert verify_ledger(root).faults == verify_ledger(root).notes == []
    contents = [path.read_bytes() for path in segments(root)]
    assert compact_ledger(root) == (2, 2, 0)
    assert [path.read_bytes() for path in segments(root)] == contents
    write(root, 7)
    assert Ledger([root], NAME, "maze").get(key(7)) == replace(REPLY, key=key(7))


@pytest.mark.parametrize("moment", ["before the rename", "after the rename", "half-way through the old ones"])
def test_a_kill_in_a_compaction_loses_and_doubles_nothing(root, monkeypatch, moment):
    write(root, 7, 1)  # three segments of mazes
    before, unlink, gone = held(root), Path.unlink, []
    assert before[1] == pytest.approx(8.5 * DOLLARS)

    def killed(*_):
        raise KeyboardInterrupt(moment)

    def unlink_one(path, **options):
        if path.suffix == ".jsonl":
            gone.append(path)
            if len(gone) > 2:
                killed()
        unlink(path, **options)

    with monkeypatch.context() as patch:
        if moment == "before the rename":
            patch.setattr(Path, "replace", killed)
        elif moment == "after the rename":
            patch.setattr(ledger_tools, "_sync", killed)
        else:
            patch.setattr(Path, "unlink", unlink_one)
        with pytest.raises(KeyboardInterrupt):
            compact_ledger(root)
    assert len(segments(root)) > 2
    assert held(root) == before
    assert verify_ledger(root).faults == []
    compact_ledger(root)
    assert sum(len(path.read_bytes().splitlines()) for path in segments(root)) == 9
    assert len(segments(root)) == 2
    assert held(root) == before


def test_another_reply_to_a_call_stays_the_second_one(tmp_path):
    root = tmp_path / "ledger"
    write(root, 1)
    (segment,) = segments(root)
    later = segment.with_name("z-later.jsonl")  # written where the file system knows no locks
    later.write_bytes(segment.read_bytes().replace("Grüße".encode(), b"another"))
    compact_ledger(root)
    assert len(segments(root)) == 1
    assert Ledger([root], NAME, "maze").get(key(1)).text == REPLY.text
    assert spent(root, MODELS) == pytest.approx(2 * DOLLARS)


def test_no_compaction_while_a_run_is_at_work(root, tmp_path, capsys):
    before = [path.read_bytes() for path in segments(root)]
    (tmp_path / ".snakemake").mkdir()
    with (tmp_path / ".snakemake" / "run.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert main(["compact", "--ledger", str(root)]) == 1
    assert capsys.readouterr().err.startswith("error: a run is at work in this folder")
    assert [path.read_bytes() for path in segments(root)] == before
    assert main(["compact", "--ledger", str(root)]) == 0
    assert "4 segments became 2; 0 damaged lines" in capsys.readouterr().out


def test_the_export_is_one_table_of_all_replies(root, tmp_path):
    reply = Reply("lone \ud800", sent={"model": "m", "parameters": {}}, finish_reason="length")
    write(root, 8, task="order", reply=reply)
    output = tmp_path / "replies.parquet"
    assert export_ledger(root, output) == 8
    table = pq.ParquetFile(output).read()
    assert table.schema == REPLIES
    rows = table.to_pylist()
    assert sum(row["repeat"] for row in rows) == 1 and sum(row["batch"] for row in rows) == 1
    maze = next(row for row in rows if row["key"] == key(1) and not row["repeat"])
    assert {name: maze[name] for name in ("model", "task", "replicate", "text", "reasoning")} == {
        "model": NAME,
        "task": "maze",
        "replicate": 0,
        "text": REPLY.text,
        "reasoning": REPLY.reasoning,
    }
    assert (maze["prompt_tokens"], maze["completion_tokens"], maze["sent"]) == (1000, 100, None)
    (other,) = [row for row in rows if row["task"] == "order"]
    assert (other["text"], other["finish_reason"]) == ("lone ?", "length")
    assert json.loads(other["sent"]) == reply.sent and other["at"].startswith("20")


def test_one_model_alone(root, tmp_path):
    other = Ledger([root], "other", "maze")
    other.append(key(1), REPLY, model="other", task="maze")
    other.close()
    assert [holding.model for holding in list_ledger(root, {}, "other")] == ["other"]
    assert export_ledger(root, tmp_path / "one.parquet", "other") == 1
    assert len(list_ledger(root, {})) == 3


def test_a_wrong_folder_and_an_unknown_model_are_one_line(root, capsys, tmp_path):
    for what in (["list"], ["verify"], ["compact"], ["export", "--output", "x.parquet"]):
        models = ["--models-file", str(write_models(tmp_path))] if what == ["list"] else []
        assert main([*what, *models, "--ledger", "nowhere"]) == 1
        assert (
            capsys.readouterr().err == "error: there is no ledger at nowhere; name its folder with --ledger\n"
        )
        assert main([*what, *models, "--ledger", str(root), "--model", "org/modle"]) == 1
        error = capsys.readouterr().err
        assert f'{root} holds no reply of model "org/modle"; did you mean "{NAME}"?' in error
        assert error.count("\n") == 1


def write_models(folder):
    path = folder / "models.yaml"
    path.write_text(f'"{NAME}": {{base_url: "http://127.0.0.1:9/v1", price: {{input: 1, output: 3}}}}\n')
    return path


def test_the_list_on_the_terminal(root, tmp_path, capsys):
    assert main(["list", "--ledger", str(root), "--models-file", str(write_models(tmp_path))]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.split()[:4] == ["model", "task", "segments", "replies"]
    maze = next(line.split() for line in lines if " maze " in line)
    assert maze[:9] == [NAME, "maze", "2", "4", "1", "0", "5,000", "500", "0.0065"]
    assert lines[-1].split()[:5] == ["total", "4", "6", "1", "0"]
