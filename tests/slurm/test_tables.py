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
    # Short stages shared jobs of one core; only the rollouts and the properties had one each.
    rules = sorted(comment.partition("_wildcards")[0] for comment, *_ in jobs)
    assert rules.pop(3).startswith("rule_report_")
    assert rules == [
        "rule_grades_extract_answers_grade_answers",
        "rule_instances_generate_instances_split_views",
        "rule_measure_task_properties",
        *["rule_run_rollouts"] * 3,
    ]
    assert "Nothing to be done" in study.run() and len(study.history()) == len(jobs)
