"""A model server that runs as a job of the cluster, beside the jobs that call it."""

import re

from tests.slurm.conftest import ONE_TASK, targets

# On this cluster all nodes are one machine, which other programs know as 127.0.0.1.
SCRIPT = """\
#!/bin/sh
#SBATCH --time=30 --mem=1000
python -m scripts.serve_on_node --host 127.0.0.1 \\
    python -m scripts.lib.agents.simulated.server --port {port}
"""
MODELS = """
on-the-cluster:
  base_url: ${LOCAL_MODEL_URL}
  served_name: ${LOCAL_MODEL_NAME}
  key_variable: SERVER_KEY
  limits: {jobs: 1}
"""
KEY = "sk-stays-in-the-environment"


def test_a_server_is_started_reached_by_the_jobs_and_stopped(study):
    study.write("server.sh", SCRIPT)
    study.write("config/models.yaml", (study.folder / "config/models.yaml").read_text() + MODELS)
    study.configure(**ONE_TASK | {"models": ["on-the-cluster"], "grader": "on-the-cluster"})
    output = study.run("--server", "server.sh", *_grades("solo_full", "collab"), SERVER_KEY=KEY)
    assert "simulated-strong answers at http://127.0.0.1:" in output
    states = {comment.partition("_wildcards")[0] or "server": state for comment, state, *_ in study.history()}
    grades = "rule_grades_extract_answers_grade_answers"
    assert states == {"(null)": "CANCELLED", "rule_run_rollouts": "COMPLETED", grades: "COMPLETED"}
    assert not study.active()
    rows = study.rows("grades")
    assert {row["team"] for row in rows} == {"on-the-cluster"} and len(rows) == 2 * 4
    assert set(study.outcomes()) == {"answered"}
    # The next server has another address, and is the same model.
    again = study.run("--server", "server.sh", *_grades("solo_full", "collab"), SERVER_KEY=KEY)
    assert "Nothing to be done" in again and _address(again) != _address(output)
    # The key reached the jobs, or they would have refused to start; it was written nowhere.
    written = [p for p in study.folder.rglob("*") if p.is_file() and KEY.encode() in p.read_bytes()]
    assert not written and KEY not in output


def _address(output):
    return re.search(r"answers at (\S+)", output)[1]


def _grades(*modes):
    return [target.replace("simulated-middle", "on-the-cluster") for target in targets("grades", *modes)]


def test_a_server_that_does_not_start_is_told_with_its_own_words(study):
    study.write("server.sh", "#!/bin/sh\necho no GPU was found\nexit 3\n")
    output = study.run("--server", "server.sh", fails=True)
    assert "the model server ended before it answered" in output and "no GPU was found" in output
    assert "Traceback" not in output and not study.active()
    assert [state for _, state, *_ in study.history()] == ["FAILED"]
