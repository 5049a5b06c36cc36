"""The study's block of the configuration: its one source for defaults, schema and documentation."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from scripts.lib.closed import Closed

Mode = Literal["solo_full", "solo_split", "collab"]
Size = Literal["tiny", "small", "paper", "large"]

Pair = Annotated[list[str], Field(min_length=2, max_length=2)]
Name = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]*$")]
Text = Annotated[str, Field(pattern=r"\S")]
# By its name, or {name: its clauses}.
Arm = str | Annotated[dict[Name, Annotated[list[str], Field(min_length=1)]], Field(min_length=1)]


class Statistics(Closed):
    """How estimates and intervals are made; a change reruns only the analysis."""

    resamples: int = Field(2000, ge=100, description="bootstrap resamples of the instances")
    seed: int = Field(1, description="seed of the resampling")
    level: float = Field(0.95, gt=0, lt=1, description="level of the intervals")
    solo_tractable: float = Field(0.55, ge=0, le=1, description="solo score below which a task gets a dagger")
    least_solo: float = Field(
        0.05, gt=0, le=1, description="solo score below which the ratio gap is undefined"
    )
    least_tax: float = Field(
        0.05, gt=0, le=1, description="tax below which the share of it that an arm recovers is undefined"
    )

    success: float = Field(1.0, gt=0, le=1, description="score from which a rollout counts as a success")


class Judging(Closed):
    """Which conversations are judged stage by stage, and by whom."""

    judge: str | None = Field(None, description="model that judges; null: nothing is judged")
    rollouts: int = Field(1351, ge=1, description="conversations judged, stratified; 1,351 as published")


class Descriptions(Closed):
    """Which failures are described in words, and by whom."""

    describer: str | None = Field(None, description="model that describes; null: nothing is described")
    rollouts: int = Field(700, ge=1, description="failures described, stratified; 700 as published")


class Themes(Closed):
    """How the descriptions are clustered into themes."""

    k: int = Field(16, ge=2, description="themes; 16 as published")
    k_range: Annotated[list[int], Field(min_length=2, max_length=2)] = Field(
        [4, 30], description="least and most themes for which silhouette and stability are measured"
    )
    resamples: int = Field(20, ge=2, description="resamples of the stability, for each number of themes")
    seed: int = Field(1, description="seed of the clustering and its resamples")
    embedder: str | None = Field(None, description="embedding model for a second clustering; null for none")
    namer: str | None = Field(None, description="model that names themes; null: their top terms do")

    @model_validator(mode="after")
    def _range_ascends(self) -> Themes:
        if not 2 <= self.k_range[0] <= self.k_range[1]:
            raise ValueError("k_range is not two ascending numbers from 2 on")
        return self


class Annotation(Closed):
    """The conversations that people label."""

    rollouts: int = Field(100, ge=1, description="conversations in the kit, stratified; some of the judged")
    seed: int = Field(0, description="seed of the order in the kit, and of what simulated raters err in")
    simulated_raters: int = Field(0, ge=0, description="simulated raters, to rehearse without people")


class Prediction(Closed):
    """How cells are predicted from the shape of their conversations."""

    folds: int = Field(5, ge=3, description="folds, each of whole tasks")
    penalty: float = Field(1.0, gt=0, description="ridge penalty, the lambda; 1 as published")
    penalties: list[Annotated[float, Field(gt=0)]] = Field(
        [0.01, 0.1, 1.0, 10.0, 100.0, 1000.0],
        min_length=1,
        description="penalties from which each fold also chooses its own",
    )
    bootstraps: int = Field(1000, ge=100, description="bootstrap resamples of the tasks")
    permutations: int = Field(1000, ge=100, description="permutations of the targets under the null")
    seed: int = Field(1, description="seed of folds, resamples and permutations")

    @field_validator("penalties")
    @classmethod
    def _ascending(cls, values: list[float]) -> list[float]:
        if values != sorted(set(values)):
            raise ValueError("the penalties must be distinct and ascend")
        return values


class Properties(Closed):
    """How the tasks themselves are measured; no model takes part."""

    instances: int = Field(100, ge=2, description="instances a task over which floors and rates are measured")


class Calibration(Closed):
    """``make calibrate``: which size suits a model."""

    target: float = Field(0.70, gt=0, le=1, description="solo score that the proposed size should reach")
    rollouts: int = Field(20, ge=1, description="solo rollouts a task and size")


class Report(Closed):
    """What the report shows."""

    transcripts: int = Field(4, ge=0, description="conversations shown in full")


class Collaboration(Closed):
    """The collaboration tax: which tasks, models and modes, how often."""

    tasks: Literal["all"] | list[str] = Field("all", description="task names, or all")
    size: Size = Field("paper", description="how large the instances are")
    sizes: dict[str, Size] = Field({}, description="other sizes for single tasks, as calibration proposes")
    seed: int = Field(0, description="study seed: decides every instance and partition")
    models: list[str] = Field(description="models that work alone and with themselves")
    pairs: list[Pair] = Field([], description="mixed teams, two models in slot order")
    arms: list[Arm] = Field(
        [],
        description="arms beside the baseline: all_four, no_l1 .. no_l4, only_l1 .. only_l4, a clause's name",
    )
    clauses: dict[Name, Text] = Field({}, description="clauses of your own; each is also an arm of its name")
    arm_models: list[str] | None = Field(None, description="models that play the arms; null for all")
    modes: list[Mode] = Field(["solo_full", "solo_split", "collab"], description="modes that are run")
    rollouts: int = Field(50, ge=1, description="rollouts a cell (model x task x mode), one an instance")
    batch_size: int = Field(50, ge=1, description="rollouts a task in one job")
    max_exchanges: int = Field(50, ge=1, description="exchanges (one turn of each agent) before the turn cap")
    critic: bool = Field(True, description="whether solo modes get the critic pass")
    grader: str | None = Field(None, description="model that also reads answers; null for the program alone")
    published: str | None = Field(
        None, description="file of published numbers to show beside this run's; null for none"
    )
    statistics: Statistics = Statistics()
    judging: Judging = Judging()
    descriptions: Descriptions = Descriptions()
    themes: Themes = Themes()
    annotation: Annotation = Annotation()
    prediction: Prediction = Prediction()
    properties: Properties = Properties()
    calibration: Calibration = Calibration()
    report: Report = Report()

    @property
    def readers(self) -> dict[tuple[str, ...], str]:
        """The models that only read what teams wrote, by the key that names them."""
        named = {
            ("grader",): self.grader,
            ("judging", "judge"): self.judging.judge,
            ("descriptions", "describer"): self.descriptions.describer,
            ("themes", "embedder"): self.themes.embedder,
            ("themes", "namer"): self.themes.namer,
        }
        return {key: model for key, model in named.items() if model is not None}

    @model_validator(mode="after")
    def _annotated_are_judged(self) -> Collaboration:
        if self.annotation.rollouts > self.judging.rollouts:
            raise ValueError("annotation.rollouts is more than judging.rollouts, of which they are a part")
        return self
