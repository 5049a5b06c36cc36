"""``make paper-local``, ``make handoff-local``: a study with a real model here or behind a running endpoint.

``MODEL`` is the one setting: nothing (the small model that is installed along), the path of any GGUF file,
or the URL of a running OpenAI-compatible endpoint, optionally followed by ``#`` and the model's name.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from scripts.lib.agents.local_server import find_gguf, model_name
from scripts.lib.errors import UserError

PORT = 8642
CONFIG = "config/local.yaml"


def main() -> int:
    """Start a server where one is needed, run Snakemake, stop the server; returns Snakemake's exit code."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--model", default="", help="GGUF path or URL; default: the installed model")
    parser.add_argument("--config", default=CONFIG, help="what is laid over config/config.yaml")
    arguments, snakemake = parser.parse_known_args()
    try:
        if arguments.model.startswith(("http://", "https://")):
            url, _, name = arguments.model.partition("#")
            return run_study(
                url.rstrip("/"), name or served_name(url.rstrip("/")), snakemake, arguments.config
            )
        gguf = find_gguf(arguments.model or None)
        url = f"http://127.0.0.1:{PORT}/v1"
        command = [sys.executable, "-m", "scripts.lib.agents.local_server", "--gguf", str(gguf)]
        with subprocess.Popen([*command, "--port", str(PORT)]) as server:
            try:
                wait_for(url, server)
                return run_study(url, model_name(gguf), snakemake, arguments.config)
            finally:
                server.terminate()
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


def run_study(url: str, name: str, snakemake: list[str], config: str = CONFIG) -> int:
    """Run a configuration of the model ``local`` against an endpoint."""
    environment = os.environ | {"LOCAL_MODEL_URL": url, "LOCAL_MODEL_NAME": name}
    command = ["snakemake", *snakemake, "--configfile", config]  # which takes all names after it
    program = str(Path(sys.executable).with_name(command[0]))
    return subprocess.run([program, *command[1:]], env=environment, check=False).returncode


def served_name(url: str) -> str:
    """The first model that an endpoint lists."""
    try:
        with urllib.request.urlopen(f"{url}/models", timeout=30) as response:
            return json.load(response)["data"][0]["id"]
    except (urllib.error.URLError, OSError, ValueError, LookupError) as error:
        raise UserError(
            f"{url}/models names no model ({error}); is it running? Name one with MODEL={url}#name"
        ) from None


def wait_for(url: str, server: subprocess.Popen[bytes], seconds: float = 120.0) -> None:
    """Wait until the server answers. Raises UserError where it ends or stays silent."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if server.poll() is not None:
            raise UserError(
                f"the model server ended with exit code {server.returncode}; see its message above"
            )
        try:
            with urllib.request.urlopen(f"{url}/models", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.3)
    raise UserError(f"the model server at {url} did not answer within {seconds:.0f} s")


if __name__ == "__main__":
    sys.exit(main())
