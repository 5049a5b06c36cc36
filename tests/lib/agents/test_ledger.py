"""The ledger: nothing that was paid for is lost, and nothing is mixed up."""

import json
import logging
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.lib.agents.calls import Reply, call_key
from scripts.lib.agents.ledger import Ledger
from scripts.lib.agents.models import Model
from scripts.lib.errors import UserError
from tests.lib.agents.simulated.game import ROOT

FULL = Reply(
    text="Grüße\n\u2028 \U0001f600 {}",
    finish_reason="length",
    reasoning="därum",
    prompt_tokens=12,
    completion_tokens=3,
    fingerprint="fp_1",
)


def segments(folder):
    return sorted(folder.rglob("*.jsonl"))


def written(folder, model="model", task="maze", **replies):
    ledger = Ledger([folder], model, task)
    for key, text in replies.items():
        ledger.append(key, Reply(text))
    ledger.close()


def test_what_is_appended_is_read_again(tmp_path):
    ledger = Ledger([tmp_path], "model", "maze")
    assert ledger.get("k") is None
    assert ledger.append("k", FULL, model="model", replicate=0) == replace(FULL, key="k")
    assert ledger.get("k") == replace(FULL, key="k")
    ledger.close()
    again = Ledger([tmp_path], "model", "maze")
    assert again.get("k") == replace(FULL, key="k")
    assert Ledger([tmp_path], "model", "logic").get("k") is None
    assert Ledger([tmp_path], "other", "maze").get("k") is None


def test_what_is_not_known_stays_unknown(tmp_path):
    written(tmp_path, k="hello")
    assert Ledger([tmp_path], "model", "maze").get("k") == Reply("hello", key="k")


def test_reading_alone_writes_nothing(tmp_path):
    Ledger([tmp_path / "ledger"], "model", "maze").close()
    assert list(tmp_path.iterdir()) == []


def test_a_line_is_readable_json_in_utf8(tmp_path):
    ledger = Ledger([tmp_path], "model", "maze")
    ledger.append("k", replace(FULL, sent={"temperature": 0.7}), model="model", task="maze", replicate=0)
    ledger.close()
    (segment,) = segments(tmp_path)
    text = segment.read_text(encoding="utf-8")
    assert "Grüße" in text and "\U0001f600" in text and text.count("\n") == 1
    line = json.loads(text)
    assert line["key"] == "k" and line["reply"]["text"] == FULL.text
    assert line["sent"] == {"temperature": 0.7} and line["replicate"] == 0


def test_two_writers_have_a_segment_each(tmp_path):
    first, second = Ledger([tmp_path], "model", "maze"), Ledger([tmp_path], "model", "maze")
    for number in range(5):
        first.append(f"a{number}", Reply(f"first {number}"))
        second.append(f"b{number}", Reply(f"second {number}"))
    assert len(segments(tmp_path)) == 2
    both = Ledger([tmp_path], "model", "maze")  # the writers have not closed theirs
    assert [both.get(f"b{number}").text for number in range(5)] == [f"second {n}" for n in range(5)]
    assert len(both) == 10


def test_a_damaged_tail_is_reported_and_left_out(tmp_path, caplog):
    written(tmp_path, a="one", b="two")
    (segment,) = segments(tmp_path)
    whole = segment.read_bytes()
    segment.write_bytes(whole[:-20])
    with caplog.at_level(logging.WARNING):
        ledger = Ledger([tmp_path], "model", "maze")
    assert (ledger.get("a").text, ledger.get("b")) == ("one", None)
    assert f"{segment} line 2 is damaged" in caplog.text
    ledger.append("b", Reply("two again"))
    ledger.close()
    assert Ledger([tmp_path], "model", "maze").get("b").text == "two again"


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_cut_at_any_byte_loses_only_its_line(tmp_path, cut):
    written(tmp_path, a="ä" * 9, b="é" * 9)
    (segment,) = segments(tmp_path)
    first = segment.read_bytes().split(b"\n")[0] + b"\n"
    segment.write_bytes(first + segment.read_bytes()[len(first) :][:cut])
    ledger = Ledger([tmp_path], "model", "maze")
    assert (ledger.get("a").text, len(ledger)) == ("ä" * 9, 1)


@given(st.binary(max_size=200))
def test_any_bytes_are_read(tmp_path_factory, noise):
    root = tmp_path_factory.mktemp("noise")
    segment = root / "model" / "maze" / "x.jsonl"
    segment.parent.mkdir(parents=True)
    segment.write_bytes(noise + b'\n{"key": "k", "reply": {"text": "kept"}}\n' + noise)
    assert Ledger([root], "model", "maze").get("k").text == "kept"


def test_all_roots_are_read_and_the_first_is_written(tmp_path):
    mine, shared = tmp_path / "mine", tmp_path / "shared"
    written(shared, a="shared")
    before = [path.read_bytes() for path in segments(shared)]
    ledger = Ledger([mine, shared], "model", "maze")
    assert ledger.get("a").text == "shared"
    ledger.append("b", Reply("new"))
    ledger.close()
    assert [path.read_bytes() for path in segments(shared)] == before
    assert len(segments(mine)) == 1
    assert {key for key in "abc" if key in Ledger([mine, shared], "model", "maze")} == {"a", "b"}


@pytest.mark.parametrize("name", ["org/model", "a:b", "two words", "../up", "..", "ü", "org_model", "/abs"])
def test_any_model_name_has_a_folder_of_its_own(tmp_path, name):
    root = tmp_path / "ledger"
    written(root, model=name, k=f"said by {name}")
    assert Ledger([root], name, "maze").get("k").text == f"said by {name}"
    assert segments(tmp_path) == segments(root)
    (segment,) = segments(root)
    assert len(segment.relative_to(root).parts) == 3
    for other in ("org/model", "a:b", "two words", "../up", "..", "ü", "org_model", "/abs"):
        assert (Ledger([root], other, "maze").get("k") is None) == (other != name)


def test_a_folder_that_cannot_be_written_is_the_users_to_mend(tmp_path):
    (tmp_path / "ledger").write_text("a file where the folder should be")
    with pytest.raises(UserError, match=r"cannot write to the ledger .*ledger.*are\s+kept"):
        Ledger([tmp_path / "ledger"], "model", "maze").append("k", Reply("x"))


WRITE_UNTIL_KILLED = """
import sys
from pathlib import Path
from scripts.lib.agents.calls import Reply
from scripts.lib.agents.ledger import Ledger
ledger = Ledger([Path(sys.argv[1])], "model", "maze")
for number in range(10**9):
    ledger.append(str(number), Reply("x" * 500))
    print(number, flush=True)
"""


def test_a_kill_loses_nothing_that_was_appended(tmp_path):
    command = [sys.executable, "-c", WRITE_UNTIL_KILLED, str(tmp_path)]
    writer = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    lines = [writer.stdout.readline() for _ in range(20)]
    time.sleep(0.05)
    writer.kill()  # kill -9
    lines += writer.communicate()[0].splitlines()
    told = int(lines[-2])  # the last line may be half
    assert told >= 20
    ledger = Ledger([tmp_path], "model", "maze")
    assert all(ledger.get(str(number)) == Reply("x" * 500, key=str(number)) for number in range(told + 1))


MODEL = {"base_url": "http://localhost:1/v1", "parameters": {"temperature": 0.7, "max_tokens": 9}}
CHAT = [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]


def key(changes=(), name="model", messages=CHAT, replicate=0):
    return call_key(Model(**(MODEL | dict(changes))).identity(name), messages, replicate)


def test_the_key_depends_on_all_that_decides_a_reply():
    keys = [
        key(),
        key({"base_url": "http://localhost:2/v1"}),
        key({"served_name": "other"}),
        key(name="other model"),
        key({"parameters": {"temperature": 0.8, "max_tokens": 9}}),
        key({"parameters": {"temperature": 0.7, "max_tokens": 10}}),
        key({"parameters": {"temperature": 0.7}}),
        key({"parameters": {"temperature": 0.7, "max_tokens": 9, "seed": 0}}),
        key({"parameters": {"temperature": 0.7, "max_tokens": 9, "extra_body": {"a": [1]}}}),
        key(messages=[CHAT[0], {"role": "user", "content": "v"}]),
        key(messages=[CHAT[0], {"role": "assistant", "content": "u"}]),
        key(messages=CHAT[:1]),
        key(messages=CHAT[::-1]),
        key(replicate=1),
    ]
    assert len(set(keys)) == len(keys)


def test_the_key_does_not_depend_on_what_decides_no_reply():
    turned = {"parameters": {"max_tokens": 9, "temperature": 0.7}}
    for changes in (
        turned,
        {"base_url": "http://localhost:1/v1/"},
        {"limits": {"in_flight": 3, "timeout": 1.0}},
        {"price": {"input": 3.0}},
        {"key_variable": "SOME_KEY"},
        {"served_name": "model"},
    ):
        assert key(changes) == key()


def test_the_key_is_the_same_for_ever():
    """A changed key would orphan every recorded ledger."""
    assert key() == "3763b4c858c5c1e2f13b69875362e335"
