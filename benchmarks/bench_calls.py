"""Calls a second and CPU time a call of the stage that runs rollouts, beside other clients: ``make bench``.

Each client is a process of its own, pinned to one core, and talks to one loopback server on another.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from urllib.request import urlopen

from benchmarks.call_peers import MODEL, PARAMETERS

ROOT = Path(__file__).resolve().parents[1]
PEERS = ROOT / ".venv-peers"  # inspect_ai is no dependency of the pipeline
INSPECT = "0.3.285"
MAXRSS = 1 if sys.platform == "darwin" else 1024  # bytes in a unit of ru_maxrss


@dataclass(frozen=True)
class Setting:
    """What is run: ``dialogues`` with two calls an exchange, ``delay`` seconds until a reply."""

    title: str
    clients: tuple[str, ...]
    dialogues: int
    exchanges: int = 1
    in_flight: int = 32
    delay: float = 0.0

    @property
    def calls(self) -> int:
        """How many calls that makes."""
        return self.dialogues * 2 * self.exchanges


ALL = ("ours", "plain", "raw", "inspect_ai")
SETTINGS = {
    "two": Setting("2 messages, 32 in flight", ALL, 2000),
    "twenty": Setting("20 messages, 32 in flight", ALL, 200, exchanges=10),
    "slow": Setting("after 500 ms, 256 in flight", ALL[:3], 2560, in_flight=256, delay=0.5),
    "many": Setting("2 messages, 32 in flight", ALL[:1], 20_000),
}


@dataclass(frozen=True)
class Seen:
    """One client in one setting.

    ``rate``: calls a second, from the first call to the last reply. ``cost``: CPU (user and system)
    milliseconds a call, from the first call to the end of the process. ``whole_*``: the same from the
    start of the process to its end. ``peak``: MiB resident.
    """

    calls: int
    rate: float
    cost: float
    whole_rate: float
    whole_cost: float
    peak: float


Table = dict[tuple[str, str], Seen]  # by setting and client


@contextmanager
def loopback(core: int | None) -> Iterator[str]:
    """A running server; yields its address."""
    command = [sys.executable, "-m", "benchmarks.call_server", *([] if core is None else [str(core)])]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, text=True, stdin=pipe, stdout=pipe) as server:
        assert server.stdin and server.stdout
        yield f"http://127.0.0.1:{int(server.stdout.readline())}"
        server.stdin.close()


def ask(url: str) -> dict[str, float]:
    """What the server has seen."""
    with urlopen(url) as answer:
        return json.load(answer)


def stage_command(folder: Path, setting: Setting, url: str) -> list[str]:
    """Our runner: the stage as the workflow calls it."""
    models = folder / "models.yaml"
    limits = {"jobs": 1, "in_flight": setting.in_flight, "timeout": 600, "retries": 0}
    model = {"base_url": f"{url}/v1", "parameters": PARAMETERS, "limits": limits}
    models.write_text(json.dumps({MODEL: model}), encoding="utf-8")
    job = {"arm": "baseline", "team": [MODEL], "mode": "collab", "family": "relational", "critic": None}
    calls = {"models_file": str(models), "ledger": [str(folder / "ledger")], "replay_only": False}
    return [
        *(sys.executable, "-m", "scripts.collaboration.run_rollouts"),
        *("--views", str(folder / "views.parquet"), "--output", str(folder / "rollouts.parquet")),
        *("--job", json.dumps(job | {"max_exchanges": setting.exchanges}), "--calls", json.dumps(calls)),
    ]


def peer_command(client: str, folder: Path, setting: Setting, url: str) -> list[str]:
    """Another client, given the same texts."""
    python = str(PEERS / "bin" / "python") if client == "inspect_ai" else sys.executable
    return [
        *(python, "-m", "benchmarks.call_peers", client, "--url", f"{url}/v1"),
        *("--views", str(folder / "views.json"), "--exchanges", str(setting.exchanges)),
        *("--in-flight", str(setting.in_flight)),
    ]


def measure(command: list[str], setting: Setting, url: str) -> Seen:
    """Run a client to its end. Raises RuntimeError where it fails or makes another number of calls."""
    with tempfile.TemporaryFile() as said:
        start = time.monotonic()
        process = subprocess.Popen(command, cwd=ROOT, stdout=said, stderr=subprocess.STDOUT)
        ask(f"{url}/watch/{process.pid}/{setting.delay}")
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read().decode(errors="replace")
    seen, calls = ask(f"{url}/seen"), setting.calls
    if process.returncode or seen["calls"] != calls:
        raise RuntimeError(f"{command}\nmade {seen['calls']} of {calls} calls and said:\n{text[-2000:]}")
    cpu = used.ru_utime + used.ru_stime
    cost, whole_cost = (1000 * each / calls for each in (cpu - seen["cpu_before"], cpu))
    return Seen(
        calls, calls / seen["seconds"], cost, calls / seconds, whole_cost, used.ru_maxrss * MAXRSS / 2**20
    )


def install_inspect() -> str | None:
    """Install inspect_ai into a venv of its own, once; why not where it cannot be."""
    python = PEERS / "bin" / "python"
    look = "from importlib.metadata import version; print(version('inspect_ai'))"
    if python.exists():
        found = subprocess.run([str(python), "-c", look], capture_output=True, text=True, check=False)
        if found.stdout.strip() == INSPECT:
            return None
    print(f"installing inspect_ai {INSPECT} into {PEERS.name}/ ...", flush=True)
    wanted = [f"inspect_ai=={INSPECT}", f"openai=={version('openai')}"]
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted]
    for command in ([sys.executable, "-m", "venv", str(PEERS)], pip):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            return (done.stderr.strip() or done.stdout.strip() or "no reason given").splitlines()[-1]
    return None


def bench(settings: dict[str, Setting], cores: list[int]) -> Table:
    """Measure every client in every setting, printing a line each."""
    refused = None
    if any("inspect_ai" in setting.clients for setting in settings.values()):
        refused = install_inspect()
    if refused:
        print(f"inspect_ai is left out, it could not be installed: {refused}")
    print(f"{'':50}{'from the first call':>24}{'whole process':>24}")
    print(
        f"{'setting':<29}{'client':<11}{'calls':>10}"
        + f"{'calls/s':>12}{'CPU ms/call':>12}" * 2
        + "  peak MiB"
    )
    seen = {}
    with loopback(cores[-1] if cores else None) as url:
        for name, setting in settings.items():
            for client in setting.clients:
                if client != "inspect_ai" or not refused:
                    seen[name, client] = bench_client(client, setting, url)
    return seen


def bench_client(client: str, setting: Setting, url: str) -> Seen:
    """Measure one client in one setting, in a folder that is thrown away, and print its line."""
    with tempfile.TemporaryDirectory() as name:
        make = [sys.executable, "-m", "benchmarks.call_views", name, str(setting.dialogues)]
        subprocess.run(make, cwd=ROOT, check=True)
        if client == "ours":
            command = stage_command(Path(name), setting, url)
        else:
            command = peer_command(client, Path(name), setting, url)
        seen = measure(command, setting, url)
    print(
        f"{setting.title:<29}{client:<11}{seen.calls:>10}{seen.rate:>12.0f}{seen.cost:>12.2f}"
        f"{seen.whole_rate:>12.0f}{seen.whole_cost:>12.2f}{seen.peak:>10.0f}",
        flush=True,
    )
    return seen


def compare(seen: Table) -> Iterator[tuple[str, float, str]]:
    """What was aimed at: words, value seen, and the goal as a comparison ("" for what is told beside it)."""
    ours = {setting: each for (setting, client), each in seen.items() if client == "ours"}
    if ("two", "inspect_ai") in seen:
        peer = seen["two", "inspect_ai"]
        yield "2 messages: calls/s, times inspect_ai", ours["two"].rate / peer.rate, ">= 10"
        yield "2 messages: the same, whole process", ours["two"].whole_rate / peer.whole_rate, ">= 10"
        yield "2 messages: CPU a call, inspect_ai over ours", peer.cost / ours["two"].cost, ""
    if "twenty" in ours:
        plain = seen["twenty", "plain"]
        yield "20 messages: calls/s, times plain", ours["twenty"].rate / plain.rate, ">= 3"
        yield "20 messages: CPU a call, plain over ours", plain.cost / ours["twenty"].cost, ""
        yield "20 messages: CPU ms a call", ours["twenty"].cost, "<= 1"
    if "slow" in ours:
        ceiling = SETTINGS["slow"].in_flight / SETTINGS["slow"].delay
        for client in SETTINGS["slow"].clients:
            words = f"after 500 ms: % of {ceiling:.0f} calls/s, {client}"
            yield words, 100 * seen["slow", client].rate / ceiling, ">= 85" if client == "ours" else ""
    if "two" in ours:
        yield f"{ours['two'].calls // 2:,} rollouts in one run: peak MiB", ours["two"].peak, ""
    if "many" in ours:
        yield f"{ours['many'].calls // 2:,} rollouts in one run: peak MiB", ours["many"].peak, "<= 1024"


def print_goals(seen: Table) -> None:
    """Print each goal beside what was seen."""
    print(f"\n{'goal':<52}{'seen':>8}")
    for words, value, goal in compare(seen):
        side, _, bound = goal.partition(" ")
        missed = goal and (value < float(bound) if side == ">=" else value > float(bound))
        print(f"{words:<52}{value:>8.2f}  {goal:<8}{'MISSED' if missed else 'met' if goal else ''}".rstrip())


def main() -> None:
    """Print the table and the goals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the dialogues")
    parser.add_argument("--only", nargs="+", choices=SETTINGS, default=list(SETTINGS), metavar="SETTING")
    options = parser.parse_args()
    settings = {
        name: replace(SETTINGS[name], dialogues=SETTINGS[name].dialogues // (10 if options.quick else 1))
        for name in options.only
    }
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    if len(cores) > 1:
        os.sched_setaffinity(0, cores[:1])  # the clients are children and stay there
    else:
        print("nothing is pinned: clients and server share what cores there are")
        cores = []
    if os.getloadavg()[0] > 1:
        print(f"load {os.getloadavg()[0]:.1f}: others are at work here, calls/s will be too low, CPU less so")
    print_goals(bench(settings, cores))


if __name__ == "__main__":
    main()
