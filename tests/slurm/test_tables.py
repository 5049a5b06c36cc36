"""The whole small study through SLURM."""

from tests.slurm.conftest import ONE_TASK, SlurmStudy


def test_the_tables_are_those_of_a_local_run(tmp_path, cluster, local):
    study = SlurmStudy(tmp_path / "study", **ONE_TASK).on(cluster)
    study.run()
    assert study.tables() == local.tables()
    assert (study.folder / "reports/collaboration/report.html").exists()
    there, here = (one.folder / "data/collaboration/manifest.csv" for one in (study, local))
    assert there.read_bytes() == here.read_bytes()
    jobs = study.history()
    assert {state for _, state, *_ in jobs} == {"COMPLETED"} and not study.active()
    # Short stages shared jobs of one core; those that call models and the properties had one each.
    wanted = [
        "describe_failures",
        "grades_",
        "instances_",
        "judge_stages",
        "measure_task_properties",
        "report_compare_arms_",
        "report_write_annotation_kit",  # nothing of the report is made of it
    ]
    wanted += [*["run_rollouts"] * 3, "samples_", "themes_"]
    rules = sorted(comment.partition("_wildcards")[0] for comment, *_ in jobs)
    assert len(rules) == len(wanted), rules
    assert all(rule.startswith(f"rule_{name}") for rule, name in zip(rules, wanted, strict=True)), rules
    assert "Nothing to be done" in study.run() and len(study.history()) == len(jobs)
