"""``make paper-slurm``: the study on a SLURM cluster, by a head process that outlives its terminal.

Snakemake submits the jobs and waits for them; this program stands around it. It cancels what a killed run
left behind, keeps Snakemake going when the connection is lost, starts a model server as a job where one is
asked for, and ends with no job left.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import TextIO

from scripts.lib import slurm
from scripts.lib.errors import UserError

PREFIX = "collaboration-tax"  # of the names of all jobs, which tells them from the user's other jobs
STATE = Path(".snakemake/slurm")
PROFILE = "profiles/slurm"
POLL_SECONDS = 0.3
WATCH_SECONDS = 30.0  # between two looks for jobs that will never start


def main() -> int:
    """Run; returns Snakemake's exit code. What is not known here is handed to Snakemake."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--server", type=Path, help="batch script of a model server, see docs/slurm.md")
    arguments, snakemake = parser.parse_known_args()
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's "&" in a script ignores it
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    try:
        return run_on_slurm(arguments.server, snakemake)
    except UserError as error:
        say(f"error: {error}")
    except KeyboardInterrupt:
        say("stopped")
    return 1


def run_on_slurm(server: Path | None, snakemake: list[str]) -> int:
    """Run Snakemake on the cluster, between two sweeps of this folder's jobs."""
    profile = [] if "--workflow-profile" in snakemake else ["--workflow-profile", PROFILE]
    command = [sys.executable, "-m", "snakemake", *profile, "--slurm-jobname-prefix", PREFIX]
    if not slurm.has_accounting():
        command += ["--slurm-status-command", "squeue"]
    log = STATE / f"{datetime.now():%Y-%m-%dT%H%M%S}.log"
    with only_head(log) as lock:
        if orphans := slurm.cancel(PREFIX, Path.cwd()):
            say(f"cancelled {len(orphans)} jobs that an earlier run left behind")
        try:
            environment = os.environ | (start_server(server) if server else {})
            say(f"This run goes on when the connection is lost. Its output: tail -f {log}")
            code = follow([*command, *snakemake], environment, log, lock)
        finally:
            slurm.cancel(PREFIX, Path.cwd())
    if code:
        say(f"The run ended early; {log} says why. The same command goes on from here.")
    return abs(code)


@contextmanager
def only_head(log: Path) -> Iterator[TextIO]:
    """Hold this folder's lock, a file that says which process is at work and where its output goes.

    The system drops the lock when this process and its Snakemake have ended, however they end.
    """
    STATE.mkdir(parents=True, exist_ok=True)
    with (STATE / "head").open("a+", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise UserError(f"a run is at work in this folder: {lock.read()}") from None
        except OSError as error:
            raise UserError(
                f"cannot lock {lock.name}: {error.strerror}. This folder's file system must know flock."
            ) from None
        note(lock, os.getpid(), log)
        yield lock


def note(lock: TextIO, process: int, log: Path) -> None:
    """Write into the lock file whom to ask and whom to stop."""
    lock.truncate(0)
    host = socket.gethostname()
    lock.write(f"process {process} on {host}. Follow it: tail -f {log}. Stop it: kill -INT {process}")
    lock.flush()
    os.fsync(lock.fileno())  # else another machine may read an empty file


def start_server(script: Path) -> dict[str, str]:
    """Submit a model server and wait until it answers; returns the variables that lead to it."""
    if not script.is_file():
        raise UserError(f"no such file: {script}. SERVER names a batch script, see docs/slurm.md.")
    started = f"{datetime.now():%Y-%m-%dT%H%M%S}"
    log, address = STATE / f"server-{started}.log", STATE / f"server-{started}.json"
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": programs, "PYTHONPATH": str(Path.cwd())}
    environment["MODEL_SERVER_ADDRESS"] = str(address.absolute())
    name, output = f"--job-name={PREFIX}_server", f"--output={log}"
    options = ["--parsable", "--export=ALL", "--no-requeue", f"--chdir={Path.cwd()}", name, output]
    number = slurm.call("sbatch", *options, str(script), env=environment).strip().partition(";")[0]
    _await_address(number, address, log)
    served = json.loads(address.read_text(encoding="utf-8"))
    say(f"{served['name']} answers at {served['url']} (job {number}, its output: {log})")
    direct = {name: ",".join(filter(None, [os.environ.get(name), served["host"]])) for name in NO_PROXY}
    return {"LOCAL_MODEL_URL": served["url"], "LOCAL_MODEL_NAME": served["name"], **direct}


NO_PROXY = ("no_proxy", "NO_PROXY")  # a proxy for the world outside does not lead to a node


def _await_address(number: str, address: Path, log: Path) -> None:
    """Wait until the server's job wrote where it answers, as long as it waits in the queue or runs."""
    told = ""
    while not address.exists():
        states = {job.number: job.state for job in slurm.jobs(PREFIX, Path.cwd())}
        state = states.get(number, "COMPLETING")
        if state == "COMPLETING" and not address.exists():
            last = log.read_text(encoding="utf-8", errors="replace")[-2000:] if log.exists() else ""
            raise UserError(f"the model server ended before it answered (job {number}, {log}):\n{last}")
        if state != told:
            say(f"waiting for the model server: job {number} is {state}")
            told = state
        time.sleep(POLL_SECONDS)


def follow(command: list[str], environment: dict[str, str], log: Path, lock: TextIO) -> int:
    """Run a command that writes to a file, and show the file as long as there is a terminal."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C reaches it once, through here
            pass_fds=[lock.fileno()],
        )
    note(lock, process.pid, log)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda received, _: process.send_signal(received))
    told: set[str] = set()
    next_look = time.monotonic() + WATCH_SECONDS
    with log.open(encoding="utf-8", errors="replace") as output:
        while True:
            code = process.poll()
            say(output.read(), end="")
            if code is not None:
                return code
            if time.monotonic() > next_look:
                tell_stuck(told, log)
                next_look = time.monotonic() + WATCH_SECONDS
            time.sleep(POLL_SECONDS)


def tell_stuck(told: set[str], log: Path) -> None:
    """Add a line to the run's output for each job that will never start; ``told`` are those before."""
    with suppress(UserError), log.open("a", encoding="utf-8") as output:
        for job in slurm.jobs(PREFIX, Path.cwd()):
            if job.reason in slurm.NEVER and job.number not in told:
                told.add(job.number)
                output.write(
                    f"job {job.number} will never start: {job.reason}. It asks for more than its partition "
                    "or account allows. Press Ctrl-C, change the profile (docs/slurm.md), start again.\n"
                )


def say(text: str, end: str = "\n") -> None:
    """Print; the terminal may be gone."""
    with suppress(OSError):
        print(text, end=end, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
