"""What a dry run says, in words."""

import pytest

from scripts.lib.dryrun import describe_reasons, only_looks, parse_jobs

SAID = """\
Building DAG of jobs...
Job stats:
job                 count
run_rollouts            3

[Mon Nov 30 18:23:20 2026]
rule generate_instances:
    output: data/instances/maze/000.parquet
    jobid: 4
    reason: Params have changed since last execution: Union of exclusive params before and now across all \
output: before: '{"size": "tiny", "seed": 0}' now: '{"size": "small", "seed": 0, "more": 1}' 
    wildcards: task=maze, batch=000
[Mon Nov 30 18:23:20 2026]
rule run_rollouts:
    input: data/views/maze/000.parquet
    reason: Missing output files: x.parquet; Input files updated by another job: views/000.parquet
    wildcards: arm=baseline, team=m, mode=collab, family=spatial, batch=000
    resources: mem_mb=100
[Mon Nov 30 18:23:20 2026]
rule run_rollouts:
    reason: Missing output files: data/y.parquet
    wildcards: arm=baseline, team=m, mode=collab, family=csp, batch=000
[Mon Nov 30 18:23:20 2026]
rule run_rollouts:
    reason: Input files updated by another job: data/views/maze/000.parquet
    wildcards: arm=baseline, team=m, mode=solo_full, family=spatial, batch=000
[Mon Nov 30 18:23:20 2026]
rule write_report:
    reason: Set of input files has changed since last execution
[Mon Nov 30 18:23:20 2026]
localrule all:
    reason: Input files updated by another job: report.html
Job stats:
    not a field: of a job
"""


def test_jobs_are_summed_up_by_rule_and_reason_in_words():
    assert describe_reasons(parse_jobs(SAID)) == [
        "generate_instances: 1 job: parameters changed (1)",
        "  parameters changed [more, size]: maze/000",
        "run_rollouts: 3 jobs: not there yet (2), what it reads is made anew (1)",
        "  not there yet: baseline/m/collab/csp/000, baseline/m/collab/spatial/000",
        "  what it reads is made anew: baseline/m/solo_full/spatial/000",
        "write_report: 1 job: reads other files than before (1)",
    ]


def test_few_of_many_jobs_are_named():
    block = "rule split_views:\n    reason: Missing output files: x\n    wildcards: task=maze, batch={:03d}\n"
    lines = describe_reasons(parse_jobs("".join(block.format(number) for number in range(5))))
    assert lines[1] == "  not there yet: maze/000, maze/001 and 3 more"


def test_nothing_to_do_is_no_job():
    assert (
        parse_jobs("Building DAG of jobs...\nNothing to be done (all requested files are present).\n") == []
    )


@pytest.mark.parametrize("arguments", ["-n", "--dry-run report.html", "--lint", "plan", "plan --quiet all"])
def test_who_only_looks_starts_no_run(arguments):
    assert only_looks(arguments.split())


def test_other_rules_may_only_look_too():
    assert only_looks(["estimate_power", "--quiet", "all"], ["plan", "estimate_power"])
    assert only_looks(["estimate_power", "plan"], ["plan", "estimate_power"])
    assert not only_looks(["estimate_power", "all"], ["plan", "estimate_power"])
    assert not only_looks([], ["plan", "estimate_power"])


@pytest.mark.parametrize("arguments", ["", "all", "plan all", "--config plan=1", "--configfile plan"])
def test_all_else_is_a_run(arguments):
    assert not only_looks(arguments.split())
