"""A real SLURM cluster of several logical nodes on this machine, on loopback only, for the tests.

On the command line (as root, with Debian's packages)::

    python -m tests.slurm.cluster install    # apt-get install what is missing
    eval "$(python -m tests.slurm.cluster start)"   # then squeue, sbatch ... in this shell reach it
    python -m tests.slurm.cluster stop

The daemons run without systemd, accounting and cgroups, with all their files below one folder.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

PACKAGES = ["slurmctld", "slurmd", "slurm-client", "munge"]
CLIENTS = ["srun", "sbatch", "squeue", "scancel", "sinfo", "scontrol", "sacct"]
PROGRAMS = ["munged", "slurmctld", "slurmd", *CLIENTS]
NODES = 4
FOLDER = Path(tempfile.gettempdir()) / f"slurm-on-loopback-{os.getuid()}"

# Short time-outs, so that a node is missed within seconds; a long MinJobAge, because without accounting
# only squeue tells how a job ended; OverTimeLimit and KillWait, so that time-outs come when they are due.
CONFIGURATION = """\
ClusterName=loopback
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/run/munge.socket
CredType=cred/munge
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmctldPort={port}
SlurmctldPidFile={folder}/run/slurmctld.pid
SlurmctldLogFile={folder}/log/slurmctld.log
SlurmdPidFile={folder}/run/slurmd.%n.pid
SlurmdLogFile={folder}/log/slurmd.%n.log
SlurmdSpoolDir={folder}/spool/%n
StateSaveLocation={folder}/state
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
ReturnToService=2
SlurmctldTimeout=30
SlurmdTimeout=10
KillWait=2
OverTimeLimit=0
JobRequeue=0
MinJobAge=3600
DefMemPerCPU=500
InactiveLimit=0
MailProg=/bin/true
{nodes}
PartitionName=main Nodes=ALL Default=YES MaxTime=60 DefaultTime=10 State=UP
"""


class Cluster:
    """A cluster; as a context manager it is stopped at the end. Its nodes are n1, n2 ..."""

    def __init__(self, folder: Path, nodes: int = NODES) -> None:
        self.folder = folder
        self.nodes = [f"n{number}" for number in range(1, nodes + 1)]
        self.configuration = folder / "slurm.conf"

    @property
    def environment(self) -> dict[str, str]:
        """What a process needs to reach the cluster."""
        path = f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        return {"SLURM_CONF": str(self.configuration), "PATH": path}

    def __enter__(self) -> Cluster:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start all daemons and wait until every node is idle."""
        if reason := missing():
            raise RuntimeError(reason)
        self.stop()  # one that was left there
        for name in ("run", "log", "state", "bin", *(f"spool/{node}" for node in self.nodes)):
            (self.folder / name).mkdir(parents=True, mode=0o755)
        self._write_configuration()
        try:
            self._start_munge()
            self._daemon("slurmctld", "-c", "-f", str(self.configuration))
            for node in self.nodes:
                self.start_node(node)
            self._await_idle()
        except BaseException:
            self.stop()
            raise

    def start_node(self, node: str) -> None:
        """Start a node, also one that was taken down."""
        self._daemon("slurmd", "-c", "-N", node, "-f", str(self.configuration))

    def kill_node(self, node: str) -> None:
        """Take a node down as a power cut does: its daemon and all processes of its jobs end at once."""
        kill_all(holders(self.folder / "log" / f"slurmd.{node}.log"))

    def run(self, *command: str) -> str:
        """What a SLURM command prints."""
        result = self._do(command)
        if result.returncode:
            raise RuntimeError(f"{' '.join(command)}: {result.stderr.strip()}")
        return result.stdout

    def stop(self) -> None:
        """Cancel all jobs, stop the daemons and wait until all of them are gone."""
        if self._pid("slurmctld"):
            with contextlib.suppress(RuntimeError, subprocess.TimeoutExpired):
                self._cancel_all()
        names = ["slurmctld", *(f"slurmd.{node}" for node in self.nodes), "munged"]
        pids = [pid for name in names if (pid := self._pid(name))]
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
        await_true(lambda: not any(alive(pid) for pid in pids), 30, "the daemons to end")
        kill_all(holders(self.folder / "log"))  # what a broken daemon left behind
        shutil.rmtree(self.folder, ignore_errors=True)

    def _write_configuration(self) -> None:
        host = socket.gethostname().partition(".")[0]
        first, *ports = free_ports(1 + len(self.nodes))
        nodes = "\n".join(
            f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=1 RealMemory=8000"
            for node, port in zip(self.nodes, ports, strict=True)
        )
        text = CONFIGURATION.format(host=host, folder=self.folder, port=first, nodes=nodes)
        self.configuration.write_text(text, encoding="utf-8")
        # Inside a job, Snakemake's plugin drops SLURM_CONF before it calls these.
        for name in CLIENTS:
            wrapper = self.folder / "bin" / name
            setting = f"SLURM_CONF=${{SLURM_CONF:-{self.configuration}}}"
            program = f'{setting} exec {shutil.which(name)} "$@"'
            wrapper.write_text(f"#!/bin/sh\n{program}\n", encoding="utf-8")
            wrapper.chmod(0o755)

    def _start_munge(self) -> None:
        run, log = self.folder / "run", self.folder / "log"
        key = self.folder / "munge.key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o400)
        files = {
            "key-file": key,
            "socket": run / "munge.socket",
            "pid-file": run / "munged.pid",
            "log-file": log / "munged.log",
            "seed-file": self.folder / "munge.seed",
        }
        self._daemon("munged", *(f"--{name}={path}" for name, path in files.items()))

    def _do(self, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        """A command with the cluster's environment."""
        return subprocess.run(
            command,
            env=os.environ | self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    def _daemon(self, *command: str) -> None:
        done = self._do(command)
        if done.returncode:
            raise RuntimeError(f"{command[0]} does not start: {done.stdout}{done.stderr}")

    def _await_idle(self) -> None:
        def all_idle() -> bool:
            with contextlib.suppress(RuntimeError):
                return (
                    self._is_reached()
                    and self.run("sinfo", "-h", "-N", "-t", "idle", "-o", "%N").split() == self.nodes
                )
            return False

        await_true(all_idle, 30, f"all nodes to be idle; see {self.folder / 'log'}")

    def _is_reached(self) -> bool:
        """Whether the commands lead to this cluster and no other."""
        return str(self.configuration) in self.run("scontrol", "show", "config")

    def _cancel_all(self) -> None:
        if not self._is_reached():
            return
        if jobs := self.run("squeue", "-h", "-o", "%A").split():
            self.run("scancel", *jobs)
        await_true(lambda: not self.run("squeue", "-h").strip(), 30, "all jobs to end")

    def _pid(self, name: str) -> int | None:
        """The process of a daemon, or None."""
        try:
            pid = int((self.folder / "run" / f"{name}.pid").read_text(encoding="ascii"))
        except (OSError, ValueError):
            return None
        return pid if alive(pid) else None


def holders(path: Path) -> list[int]:
    """The processes that hold a file, or a file in a folder, open: a daemon and the steps of its jobs."""
    found = []
    for folder in Path("/proc").glob("[0-9]*/fd"):
        with contextlib.suppress(OSError):
            if any(Path(link.readlink()).is_relative_to(path) for link in folder.iterdir()):
                found.append(int(folder.parent.name))
    return found


def kill_all(pids: list[int]) -> None:
    """End processes and all below them at once."""
    for pid in [*pids, *descendants(pids)]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def descendants(pids: list[int]) -> list[int]:
    """All processes below these."""
    listing = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    parents = [tuple(map(int, line.split())) for line in listing.splitlines()]
    found: list[int] = []
    level = set(pids)
    while level := {pid for pid, parent in parents if parent in level}:
        found += level
    return found


def alive(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def await_true(condition, seconds: float, what: str) -> None:
    """Poll a condition; raises TimeoutError."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {seconds:.0f} s for {what}")
        time.sleep(0.1)


def free_ports(count: int) -> list[int]:
    """Ports of loopback that nobody listens on."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def missing() -> str:
    """Why no cluster can be started here; empty where it can."""
    if os.geteuid() != 0:
        return "a SLURM cluster is started by root only"
    lacking = [name for name in PROGRAMS if not shutil.which(name)]
    if lacking:
        return (
            f"SLURM is not installed ({', '.join(lacking)}); on Debian, root's `make test-slurm` installs it"
        )
    return ""


def install() -> str:
    """Install Debian's packages where they are missing; returns why it cannot be done, or nothing."""
    if not (reason := missing()) or os.geteuid() != 0:
        return reason
    if not shutil.which("apt-get"):
        return f"{reason}; there is no apt-get here"
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update", "-q"], ["install", "-y", "-q", "--no-install-recommends", *PACKAGES]):
        done = subprocess.run(["apt-get", *command], env=environment, stdout=sys.stderr, check=False)
        if done.returncode:
            return f"apt-get {command[0]} failed; see above"
    return missing()


def main() -> None:
    """Install, start or stop from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("action", choices=["install", "start", "stop"])
    cluster = Cluster(FOLDER)
    match parser.parse_args().action:
        case "install":
            if reason := install():
                print(f"no SLURM cluster here, its tests are skipped: {reason}", file=sys.stderr)
        case "start":
            if reason := missing():
                sys.exit(reason)
            cluster.start()
            for name, value in cluster.environment.items():
                print(f"export {name}={value}")
        case "stop":
            cluster.stop()


if __name__ == "__main__":
    main()
