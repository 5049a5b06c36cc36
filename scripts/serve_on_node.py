"""Start a model server on a free port of this node and write down where it answers.

For the batch script that ``make paper-slurm SERVER=...`` submits::

    python -m scripts.serve_on_node vllm serve MODEL --host 0.0.0.0 --port {port}

``{port}`` is replaced. As soon as ``/v1/models`` answers, URL and name of the model go to the file that
the variable MODEL_SERVER_ADDRESS names. Ends with the server, with its exit code.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

from scripts.lib.errors import UserError
from scripts.run_local import served_name, wait_for

PATIENCE_SECONDS = 3600.0  # loading a large model from a slow disk takes a while


def main() -> int:
    """Serve until the server ends."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--host", default=socket.gethostname(), help="this node's name for other nodes")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="the server; {port} is replaced")
    arguments = parser.parse_args()
    port = free_port()
    command = [part.replace("{port}", str(port)) for part in arguments.command]
    try:
        if command == arguments.command:
            raise UserError("the server's command holds no {port}, so nobody would know where it listens")
        if not (address := os.environ.get("MODEL_SERVER_ADDRESS")):
            raise UserError("MODEL_SERVER_ADDRESS is not set; `make paper-slurm SERVER=...` sets it")
        with subprocess.Popen(command) as server:
            try:
                here = f"http://127.0.0.1:{port}/v1"
                wait_for(here, server, PATIENCE_SECONDS)
                url = f"http://{arguments.host}:{port}/v1"
                write(Path(address), {"url": url, "host": arguments.host, "name": served_name(here)})
                return server.wait()
            finally:
                server.terminate()
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


def free_port() -> int:
    """A port that nobody on this node listens on."""
    with socket.socket() as probe:
        probe.bind(("", 0))
        port: int = probe.getsockname()[1]
        return port


def write(path: Path, address: dict[str, str]) -> None:
    """Write the address whole or not at all."""
    temporary = path.with_suffix(".tmp")
    temporary.write_text(json.dumps(address), encoding="utf-8")
    temporary.replace(path)


if __name__ == "__main__":
    sys.exit(main())
