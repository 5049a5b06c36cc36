"""Studies that travel: one manifest wherever they are run, one file, and an analysis without calls."""

import shutil

import pyarrow.parquet as pq
import pytest
import yaml

from scripts.archive import main
from scripts.collaboration.annotations import opaque_id
from scripts.lib.archive import pack, read_contents
from tests.hostile.server import HostileServer
from tests.pipeline.study import ANALYSIS, Study

LABELS = "data/collaboration/annotations/ann.csv"
MANIFEST = "data/collaboration/manifest.csv"
CELL = "baseline/simulated-middle/collab/spatial/000.parquet"
GRADES = f"data/collaboration/grades/{CELL}"
RESTORED = "config/restored/study.yaml"
OFFLINE = ("--config", "offline=True")


@pytest.fixture
def tool(monkeypatch, capsys):
    """The command line of archives in a study's folder: its exit code and what it printed."""

    def call(study, *arguments):
        monkeypatch.chdir(study.folder)
        configured = [] if arguments[0] == "restore" else ["--configfile", "config/study.yaml"]
        code = main([*arguments, *configured])
        return code, "".join(capsys.readouterr())

    return call


def test_the_manifest_is_the_same_in_another_folder_on_one_core_with_another_hash_seed(finished, tmp_path):
    other = Study(tmp_path / "a folder of another name" / "study")
    other.run("--cores", "1", PYTHONHASHSEED="12345")
    there, here = ((study.folder / MANIFEST).read_bytes() for study in (other, finished))
    assert there == here
    lines = here.decode().splitlines()
    tables = {line.partition(",")[0] for line in lines[1:]}
    assert tables == set(finished.tables()) | {"annotations/simulated/ratings.csv"} | {
        f"reports/tables/{path.name}" for path in (finished.folder / "reports/collaboration/tables").iterdir()
    }
    assert f"grades/{CELL},4," in here.decode()
    assert str(tmp_path) not in here.decode()


def test_verify_names_what_is_not_as_it_was(study, tool):
    tables = (study.folder / MANIFEST).read_text().count("\n") - 1
    assert tool(study, "verify") == (0, f"{tables} tables are as in {MANIFEST}, 0 are not\n")
    data = study.folder / "data/collaboration"
    pq.write_table(pq.ParquetFile(study.folder / GRADES).read(), study.folder / GRADES, compression="none")
    assert tool(study, "verify")[0] == 0  # the same rows
    table = pq.ParquetFile(study.folder / GRADES).read()
    scores = [1 - score for score in table["score"].to_pylist()]
    table = table.set_column(table.schema.get_field_index("score"), "score", [scores])
    pq.write_table(table, study.folder / GRADES)
    (data / "answers" / CELL).write_bytes(b"not a table")
    (data / "views/maze/000.parquet").unlink()
    shutil.copy(data / "views/treesum/000.parquet", data / "views/treesum/001.parquet")
    with (study.folder / "reports/collaboration/tables/tax_tasks.csv").open("a") as file:
        file.write("one more line\n")
    code, output = tool(study, "verify")
    lines = output.splitlines()
    assert code == 1
    assert lines[0].startswith(f"damaged: data/collaboration/answers/{CELL} is damaged or no Parquet file")
    assert lines[1:] == [
        "missing: views/maze/000.parquet",
        f"differs: grades/{CELL}",
        "differs: reports/tables/tax_tasks.csv",
        "extra: views/treesum/001.parquet",
        f"{tables - 4} tables are as in {MANIFEST}, 5 are not",
    ]
    code, output = tool(study, "pack")
    assert code == 1 and f"differs: grades/{CELL}" in output and not list(study.folder.glob("*.tar"))


def test_a_study_without_a_manifest_is_told_how_to_get_one(study, tool):
    (study.folder / MANIFEST).unlink()
    assert tool(study, "verify") == (
        1,
        f"error: {MANIFEST} does not exist. A whole run writes it: make paper\n",
    )


def served(study, url):
    """Let a model with a key behind a real endpoint play, and another one read the answers."""
    entries = {
        name: {
            "base_url": url,
            "served_name": served,
            "key_variable": "STUDY_KEY",
            "limits": {"in_flight": 4, "timeout": 20, "retries": 0},
        }
        for name, served in {"player": "simulated-middle", "reader": "simulated-grader"}.items()
    }
    known = yaml.safe_load((study.folder / "config/models.yaml").read_text(encoding="utf-8"))
    entries["simulated-judge"] = known["simulated-judge"]
    study.write("config/own_models.yaml", yaml.safe_dump(entries))
    study.configure(tasks=["maze"], models=["player"], grader="reader")
    study.top["models_file"] = "config/own_models.yaml"
    study.write("config/own_numbers.yaml", "study: another one\n")
    study.top["collaboration"]["published"] = "config/own_numbers.yaml"
    study.write("config/study.yaml", yaml.safe_dump(study.top))


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A study of a real endpoint, and the endpoint, which counts."""
    with HostileServer().in_thread() as server:
        study = Study(tmp_path_factory.mktemp("played") / "study")
        served(study, server.url)
        (study.folder / LABELS).parent.mkdir(parents=True)
        name = opaque_id({"arm": "baseline", "team": "player", "task": "maze", "index": 0})
        study.write(LABELS, f"rater,rollout,stage,satisfied,note\nann,{name},l1,1,\n")
        study.run(STUDY_KEY="key-of-the-study")
        yield study, server


def test_a_restored_study_is_analysed_anew_without_a_call_a_key_or_its_configuration(
    played, tool, tmp_path, monkeypatch
):
    study, server = played
    monkeypatch.delenv("STUDY_KEY", raising=False)
    paid = len(server.requests)
    assert paid > 2 * 4
    file = tmp_path / "study.tar"
    assert tool(study, "pack", "--file", str(file))[0] == 0
    assert b"key-of-the-study" not in file.read_bytes()
    assert str(study.folder).encode() not in file.read_bytes()
    other = Study(tmp_path / "elsewhere")  # a bare copy of the repository, which knows no such model
    code, output = tool(other, "restore", "--file", str(file))
    assert code == 0 and f"make analysis CONFIG={RESTORED}" in output
    assert other.tables() == study.tables()
    assert (other.folder / LABELS).read_bytes() == (study.folder / LABELS).read_bytes()
    config = other.folder / RESTORED
    other.top = yaml.safe_load(config.read_text(encoding="utf-8"))
    numbers = other.folder / other.top["collaboration"]["published"]
    assert numbers.read_text(encoding="utf-8") == "study: another one\n"
    other.write("config/study.yaml", config.read_text(encoding="utf-8"))
    assert other.jobs() == other.jobs(*OFFLINE) == {}
    change = {"statistics": other.top["collaboration"]["statistics"] | {"resamples": 300}}
    other.write(
        "config/study.yaml",
        yaml.safe_dump(other.top | {"collaboration": other.top["collaboration"] | change}),
    )
    assert other.jobs(STUDY_KEY="x") == other.jobs(*OFFLINE) == ANALYSIS
    other.run(*OFFLINE)
    assert tool(other, "verify")[0] == 0
    differing = {name for name, table in other.tables().items() if table != study.tables()[name]}
    assert differing >= {"statistics/cells.parquet", "statistics/tax.parquet"}
    assert all(name.startswith("statistics/") for name in differing)
    other.run(STUDY_KEY="x")  # calls are allowed, and none is needed
    assert len(server.requests) == paid
    # Lost answers are read anew from the recorded replies, and no call stands in for a lost reply.
    lost = "data/collaboration/answers/baseline/player/collab/spatial/000.parquet"
    answers = (other.folder / lost).read_bytes()
    (other.folder / lost).unlink()
    other.run(lost, *OFFLINE)
    assert (other.folder / lost).read_bytes() == answers
    shutil.rmtree(other.folder / "data/ledger/reader")
    (other.folder / lost).unlink()
    output = other.run(lost, *OFFLINE, fails=True)
    assert "the ledger holds no reply" in output and "Traceback" not in output
    assert len(server.requests) == paid


def test_without_snakemakes_records_the_file_times_are_in_order(study, tool, tmp_path):
    shutil.rmtree(study.folder / ".snakemake/metadata")
    for path in (study.folder / "data").rglob("*.parquet"):
        path.touch()  # in no order
    assert tool(study, "pack")[0] == 0
    other = Study(tmp_path / "elsewhere")
    assert tool(other, "restore", "--file", str(study.folder / "study.tar"))[0] == 0
    assert other.jobs() == {}


def test_an_archive_restores_over_itself_and_not_over_other_contents(study, tool):
    assert tool(study, "pack")[0] == 0
    before = study.tables()
    assert tool(study, "restore", "--file", "study.tar")[0] == 0
    assert study.jobs() == {} and study.tables() == before
    (study.folder / GRADES).write_bytes(b"mine")
    code, output = tool(study, "restore", "--file", "study.tar")
    assert code == 1 and f"the first is {GRADES}" in output
    assert (study.folder / GRADES).read_bytes() == b"mine"
    assert tool(study, "restore", "--file", "study.tar", "--replace")[0] == 0
    assert study.tables() == before


@pytest.mark.parametrize(
    "name",
    [
        "scripts/archive.py",
        "Snakefile",
        "tasks/spatial/maze.pyc",
        "config/config.yaml",
        ".git/hooks/post-checkout",
        ".git/page.html",
        ".snakemake/page.html",
        ".snakemake/metadata/../../page.html",
        "page.html",
    ],
)
def test_an_archive_brings_no_code_and_no_configuration_of_its_own(finished, tool, tmp_path, name):
    other = Study.__new__(Study)
    other.folder = tmp_path / "elsewhere"
    other.folder.mkdir()
    pack(tmp_path / "study.tar", {name: b"x"}, {"config": RESTORED})
    code, output = tool(other, "restore", "--file", str(tmp_path / "study.tar"))
    assert code == 1 and "is refused" in output and not list(other.folder.iterdir())


def test_folders_outside_this_one_cannot_travel(study, tool, tmp_path):
    shutil.move(study.folder / "data", tmp_path / "data")
    study.write("config/study.yaml", yaml.safe_dump(study.top | {"data_dir": str(tmp_path / "data")}))
    code, output = tool(study, "pack")
    assert code == 1 and '"data_dir" is' in output and "not below this folder" in output
    (study.folder / "data").symlink_to(tmp_path / "data")
    study.configure()
    assert tool(study, "pack")[0] == 0
    assert GRADES in read_contents(study.folder / "study.tar").members
