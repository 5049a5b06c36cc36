"""What each model of a plan has still to do, batch by batch: planned, paid, and the calls that are left."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from scripts.collaboration.layout import BASELINE, artifacts, shards
from scripts.collaboration.plan_paid import (
    History,
    Paid,
    Replayer,
    read_history,
    read_spoken,
    view_texts,
)
from scripts.collaboration.plan_readers import ROLES, add_reader
from scripts.collaboration.plan_time import Latency, assumed_latency, recorded_latency
from scripts.collaboration.plan_usage import (
    LEDGER,
    SIMULATED,
    Estimate,
    Recorded,
    Sample,
    Use,
    estimate,
    mean_tokens,
    read_recorded,
    simulate,
)
from scripts.collaboration.run_rollouts import Item
from scripts.lib.agents.models import Model
from scripts.lib.dryrun import Job
from scripts.lib.names import team_slug

NOTHING = Use()
INSTANCES = 3  # instances a task that simulated agents talk about

Cell = tuple[str, tuple[str, ...], str]  # arm, team and mode


@dataclass(frozen=True)
class Shard:
    """One batch of a family's rollouts in one mode; ``indices`` of each task."""

    name: str
    arm: str
    team: tuple[str, ...]
    mode: str
    tasks: tuple[str, ...]
    batch: str
    indices: range
    rollouts: Path

    @property
    def cell(self) -> Cell:
        """Arm, team and mode."""
        return self.arm, self.team, self.mode


class Part(NamedTuple):
    """A model as one that talks (role ""), or as one that reads: grader, judge."""

    model: str
    role: str = ""


@dataclass
class Need:
    """What a model has to do. ``jobs``: what is left of each batch, and its dialogues at once."""

    planned: float = 0
    paid: float = 0
    left: Use = NOTHING
    sources: Counter[str] = field(default_factory=Counter)
    jobs: list[tuple[Use, int]] = field(default_factory=list)

    def book(self, use: Use, at_once: int) -> None:
        """Add what a batch has left, where it has."""
        if use.calls:
            self.left += use
            self.jobs.append((use, at_once))


def planned_shards(data: Path, job: dict[str, Any]) -> list[Shard]:
    """Every planned batch of rollouts, in the order of the configuration."""
    return [_shard(data, job, *where) for where in shards(job)]


def _shard(
    data: Path, job: dict[str, Any], arm: str, team: tuple[str, ...], mode: str, family: str, batch: str
) -> Shard:
    tasks = {task: its for task, its in job["tasks"].items() if its == family}
    one = {"arms": [arm], "teams": [team], "modes": [mode], "tasks": tasks, "batches": [batch]}
    (path,) = artifacts(data, "rollouts", job | one)
    name = "/".join([arm, team_slug(team), mode, family, batch])
    return Shard(name, arm, team, mode, tuple(tasks), batch, batch_indices(batch, job), path)


def batch_indices(batch: str, job: dict[str, Any]) -> range:
    """The instances of a batch."""
    first = int(batch) * job["batch_size"]
    return range(first, min(first + job["batch_size"], job["rollouts"]))


class Survey:
    """Looks at what is there and what a dry run would start, and adds up what is left to do.

    ``job``: arms, arm_models, teams, modes, tasks ({task: family}), batches, batch_size, rollouts, sizes
    ({task: size}), seed, critic, max_exchanges, clauses ({arm: texts}), grader, readers ({role: model,
    rollouts: how many it reads}).
    """

    def __init__(
        self,
        runs: Sequence[Job],
        data: Path,
        models: dict[str, Model],
        roots: Sequence[Path],
        job: dict[str, Any],
    ) -> None:
        self.data, self.models, self.roots, self.job = data, models, roots, job
        self.waiting: dict[str, set[str]] = defaultdict(set)  # by rule: the jobs that would run
        for run in runs:
            self.waiting[run.rule].add(run.name)
        self.shards = planned_shards(data, job)
        self.replayer = Replayer(models, roots)
        self.latencies: dict[str, Latency] = {}
        self.paid: dict[tuple[str, str], Paid] = {}  # by batch and task, of what would run
        self._means: dict[tuple[str, str], Use | None] = {}  # a call of a model on a task, from the ledger
        self._recorded: dict[Cell, tuple[Recorded, Recorded]] = {}
        self._samples: dict[tuple[str, str, str], Sample] = {}  # by arm, mode and task

    def add_up(self) -> dict[Part, Need]:
        """What each model has to do."""
        self._replay_all()
        for name in self.real():
            self._look_back(name)
        needs: dict[Part, Need] = defaultdict(Need)
        for shard in self.shards:
            for name in shard.team:
                self._add_rollouts(needs[Part(name)], name, shard)
            if grader := self.job["grader"]:
                self._add_readings(needs[Part(grader, "grader")], grader, shard)
        for role, reader in self.job["readers"].items():
            add_reader(self, needs[Part(reader["model"], role)], role, reader["model"])
        return needs

    def rollouts(self) -> tuple[int, int]:
        """Rollouts that are planned, and those of them that are paid to their end; after ``add_up``."""
        batches = [(shard, task) for shard in self.shards for task in shard.tasks]
        held = sum(self._held(shard, task).ended for shard, task in batches)
        return sum(len(shard.indices) for shard, _ in batches), held

    def real(self) -> list[str]:
        """The models of the plan that are called and recorded."""
        names = [name for shard in self.shards for name in shard.team] + [self.job["grader"]]
        names += [reader["model"] for reader in self.job["readers"].values()]
        return [name for name in dict.fromkeys(names) if name and not self.models[name].simulated]

    def runs(self, shard: Shard) -> bool:
        """Whether the batch's rollouts would run."""
        return shard.name in self.waiting["run_rollouts"]

    def conversations(self) -> dict[str, Any]:
        """The plan of what the readers read: single models with themselves, in the baseline."""
        teams = [list(team) for team in self.job["teams"] if len(team) == 1]
        modes = [mode for mode in self.job["modes"] if mode == "collab"]
        return self.job | {"arms": ["baseline"], "teams": teams, "modes": modes}

    def stands(self, team: Sequence[str]) -> bool:
        """Whether all conversations of a team with itself are there and stay as they are."""
        its = [shard for shard in self.shards if shard.team == tuple(team) and shard.mode == "collab"]
        return all(shard.rollouts.exists() and not self.runs(shard) for shard in its)

    def mean(self, name: str, task: str) -> Use | None:
        """A mean call of a model on a task, from the ledger."""
        return self._means.get((name, task))

    def only_reads(self, name: str) -> bool:
        """Whether a model does not talk, and reads in one role alone."""
        roles = [self.job["grader"], *(reader["model"] for reader in self.job["readers"].values())]
        return roles.count(name) == 1 and not any(name in shard.team for shard in self.shards)

    def read_call(self, role: str, task: str) -> Use:
        """A mean call of a reader about a conversation of simulated agents."""
        return self._sample(BASELINE, "collab", task).readers[role]

    def latency(self, name: str, use: Use) -> Latency:
        """Seconds of a model's call."""
        return self.latencies.get(name) or assumed_latency(use)

    def _replay_all(self) -> None:
        """Find out what the ledger holds of rollouts that would run; one task at a time."""
        for task in self.job["tasks"]:
            texts: dict[str, list[Item]] = {}
            known = {name for name in self.real() if self.replayer.knows(name, task)}
            for shard in self.shards:
                if task in shard.tasks and self.runs(shard) and known.intersection(shard.team):
                    if shard.batch not in texts:
                        texts[shard.batch] = self._texts(task, shard.batch, shard.indices)
                    how = shard.team, self._talk(shard.arm, shard.mode), self.job["grader"]
                    self.paid[shard.name, task] = self.replayer.replay(texts[shard.batch], *how)
            self.replayer.forget()

    def _talk(self, arm: str, mode: str) -> dict[str, Any]:
        talk = {"mode": mode, "clauses": self.job["clauses"][arm]}
        return talk | {name: self.job[name] for name in ("critic", "max_exchanges")}

    def _texts(self, task: str, batch: str, indices: range) -> list[Item]:
        """Instances as agents see them: from their file where it stays as it is."""
        path = self.data / "views" / task / f"{batch}.parquet"
        stands = path.exists() and f"{task}/{batch}" not in self.waiting["split_views"]
        return view_texts(path if stands else None, task, self.job["sizes"][task], self.job["seed"], indices)

    def _look_back(self, name: str) -> None:
        """Mean counts and the latency of a model, from one pass over its ledger."""
        history = read_history(self.roots, name)
        for task in self.job["tasks"]:
            self._means[name, task] = mean_tokens(history.counts.get(task, []))
        if latency := self._recorded_latency(name, history):
            self.latencies[name] = latency

    def _recorded_latency(self, name: str, history: History) -> Latency | None:
        spoken = [talk for some in self.replayer.spoken.values() for talk in some]
        finished = {
            shard.cell: shard.rollouts
            for shard in self.shards
            if name in shard.team and not self.runs(shard) and shard.rollouts.exists()
        }
        for rollouts in finished.values() if history.at else ():
            spoken += read_spoken(rollouts)
        return recorded_latency(name, self.models[name], history, spoken)

    def _usage(self, cell: Cell) -> tuple[Recorded, Recorded]:
        """Recorded rollouts of an arm, team and mode: those that stay, and those that would run again."""
        if cell not in self._recorded:
            shards = [shard for shard in self.shards if shard.cell == cell]
            stands = read_recorded([shard.rollouts for shard in shards if not self.runs(shard)])
            before = read_recorded([shard.rollouts for shard in shards if self.runs(shard)], forgiving=True)
            self._recorded[cell] = stands, before
        return self._recorded[cell]

    def _sample(self, arm: str, mode: str, task: str) -> Sample:
        if (arm, mode, task) not in self._samples:
            batch = self.job["batches"][0]
            items = self._texts(task, batch, batch_indices(batch, self.job)[:INSTANCES])
            judged = arm == BASELINE and mode == "collab"
            asks = {role: ROLES[role].asks for role in self.job["readers"] if judged}
            self._samples[arm, mode, task] = simulate(items, self._talk(arm, mode), asks)
        return self._samples[arm, mode, task]

    def _held(self, shard: Shard, task: str) -> Paid:
        """What is paid of a task's rollouts in a batch: all of them where the batch stays as it is."""
        if not self.runs(shard):
            return Paid(ended=len(shard.indices))
        return self.paid.get((shard.name, task), Paid())

    def _add_rollouts(self, need: Need, name: str, shard: Shard) -> None:
        """What a batch leaves to do for one model of its team."""
        batch, number = Use(), 0
        for task in shard.tasks:
            held = self._held(shard, task)
            need.planned += len(shard.indices)
            need.paid += held.ended
            if left := len(shard.indices) - held.ended:
                known = self._estimate(name, shard, task)
                begun = [uses.get(name, Use()) for uses in held.begun]
                batch += known.use.times(left - len(begun))
                batch += sum((known.use.less(use) for use in begun), Use())
                need.sources[known.source] += 1
                number += left
        need.book(batch, number)

    def _estimate(self, name: str, shard: Shard, task: str) -> Estimate:
        known = self._means.get((name, task))
        stands, before = self._usage(shard.cell)

        def sample() -> Sample:
            return self._sample(shard.arm, shard.mode, task)

        return estimate(name, shard.team, task, stands, before, known, sample)

    def _add_readings(self, need: Need, grader: str, shard: Shard) -> None:
        """What a batch leaves to do for the grader: one call a dialogue."""
        batch, number = Use(), 0
        for task, (wanted, done) in self._readings(grader, shard).items():
            need.planned += wanted
            need.paid += done
            if left := wanted - done:
                reading = self._reading(grader, shard, task)
                batch += reading.use.times(left)
                need.sources[reading.source] += 1
                number += left
        need.book(batch, number)

    def _readings(self, grader: str, shard: Shard) -> dict[str, tuple[int, int]]:
        """By task: dialogues of a batch that the grader reads, and how many of these readings are paid."""
        whole = len(shard.indices)
        if shard.name not in self.waiting["extract_answers"]:
            return dict.fromkeys(shard.tasks, (whole, whole))
        if not self.runs(shard):
            return self.replayer.readings(shard.rollouts, grader)
        return {task: (whole, self._held(shard, task).read) for task in shard.tasks}

    def _reading(self, grader: str, shard: Shard, task: str) -> Estimate:
        """A grader's call; the ledger tells only where the grader is not one of those that talk, too."""
        if known := self.mean(grader, task) if self.only_reads(grader) else None:
            return Estimate(known, LEDGER)
        return Estimate(self._sample(shard.arm, shard.mode, task).grader, SIMULATED)
