"""The hash that decides whether a stage runs again: it follows the code, not its looks."""

from pathlib import Path

import pytest

from scripts.collaboration import code
from scripts.lib import codehash
from tasks import TASKS

MODULE = '''"""A module."""

from tasks.helper import double

LIMIT = 3


class Task:
    """A class."""

    rule = "old"

    def grade(self, answer):
        """Grade."""
        # how good it is
        return double(answer) / LIMIT

    def solve(self):
        return 1
'''
HELPER = "import math\n\n\ndef double(number):\n    return 2 * number\n"


def forget():
    """As a new process: only what was written down is still known."""
    for cached in (codehash._hash, codehash._read, codehash._file, codehash._is_ours, codehash._memory):
        cached.cache_clear()


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A small project; calling it with file=text writes files and gives the hash of ``tasks.one``."""
    monkeypatch.setattr(codehash, "ROOT", tmp_path)
    monkeypatch.chdir(tmp_path)

    def write_and_hash(*modules, without=(), follow=True, **files):
        for name, text in files.items():
            path = tmp_path / "tasks" / f"{name}.py"
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        forget()
        return codehash.code_hash(modules or ["tasks.one"], without=frozenset(without), follow=follow)

    write_and_hash(__init__="", one=MODULE, helper=HELPER, unused="A = 1\n")
    yield write_and_hash
    forget()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# how good it is", "# how very good it is"),
        ('"""A module."""', '"""Another text."""'),
        ('    """A class."""\n', ""),
        ('        """Grade."""\n', ""),
        ("LIMIT = 3", "LIMIT   =  (3)"),
        ("double(answer) / LIMIT", "(\n            double(answer)\n            / LIMIT\n        )"),
        ('"old"', "'old'"),
        ("\n\n\nclass", "\n\n\n\n\nclass"),
    ],
)
def test_looks_do_not_count(project, old, new):
    before = project()
    assert old in MODULE
    assert project(one=MODULE.replace(old, new)) == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LIMIT = 3", "LIMIT = 4"),
        ('"old"', '"new"'),
        ("return 1", "return 2"),
        ("/ LIMIT", "* LIMIT"),
        ("solve", "s"),
    ],
)
def test_code_counts(project, old, new):
    before = project()
    assert old in MODULE
    assert project(one=MODULE.replace(old, new)) != before


def test_what_a_module_imports_counts(project):
    before, alone = project(), project(follow=False)
    changed = HELPER.replace("2 *", "3 *")
    assert project(helper=changed) != before
    assert project(helper=changed, follow=False) == alone
    assert project(helper=HELPER, unused="A = 2\n") == before


@pytest.mark.parametrize(
    "statement",
    [
        "import tasks.unused",
        "from tasks import unused",
        "from tasks.unused import A",
        "def f():\n    from tasks.unused import A",
    ],
)
def test_every_kind_of_import_is_followed(project, statement):
    before = project(one=f"{statement}\n")
    assert project(unused="A = 2\n") != before


def test_imports_are_followed_through_modules_and_in_circles(project):
    before = project(helper=f"from tasks import unused\nfrom tasks import one\n{HELPER}")
    assert project(unused="A = 2\n") != before


def test_what_decides_no_row_is_left_out(project):
    before = project(without=["grade", "LIMIT"])
    assert (
        project(
            one=MODULE.replace("/ LIMIT", "* LIMIT").replace("LIMIT = 3", "LIMIT = 5"),
            without=["grade", "LIMIT"],
        )
        == before
    )
    assert project(one=MODULE.replace("return 1", "return 2"), without=["grade", "LIMIT"]) != before
    assert before != project(one=MODULE)


def test_the_order_of_modules_does_not_count(project):
    assert project("tasks.one", "tasks.unused") == project("tasks.unused", "tasks.one", "tasks.one")
    assert project("tasks.one", "tasks.unused") != project("tasks.one")


def test_what_was_read_is_remembered_by_its_text(project, monkeypatch):
    before = project()
    codehash.MEMORY.parent.mkdir()
    assert project() == before and codehash.MEMORY.is_file()
    with monkeypatch.context() as patch:
        patch.setattr(codehash, "_tree", None)  # nothing is read anew ...
        assert project() == before
        with pytest.raises(TypeError):  # ... but what changed
            project(one=MODULE.replace("return 1", "return 2"))
    assert project() != before
    assert project(one=MODULE) == before
    assert project(without=["grade"]) != before


@pytest.mark.parametrize("damaged", ["", "{", "nothing"])
def test_a_damaged_memory_is_no_memory(project, damaged):
    before = project()
    codehash.MEMORY.parent.mkdir()
    codehash.MEMORY.write_text(damaged, encoding="utf-8")
    assert project() == before
    forget()
    assert len(codehash._memory()) == 2  # it was written anew: the module and its helper


def test_texts_count_with_their_names(tmp_path):
    (tmp_path / "a.txt").write_text("x")
    before = codehash.text_hash(tmp_path, "*.txt")
    (tmp_path / "b.md").write_text("y")
    assert codehash.text_hash(tmp_path, "*.txt") == before
    (tmp_path / "a.txt").rename(tmp_path / "c.txt")
    assert codehash.text_hash(tmp_path, "*.txt") != before


# -- which code decides which table of this study ----------------------------------------------


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """The project's own code in a folder of the test's; ``change(path, old, new)`` edits it."""
    root = codehash.ROOT
    for path in [*root.glob("tasks/**/*.py"), *root.glob("scripts/**/*.py")]:
        copy = tmp_path / path.relative_to(root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(codehash, "ROOT", tmp_path)
    monkeypatch.chdir(tmp_path)

    def append(name, text):
        path: Path = tmp_path / name
        path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")
        forget()

    forget()
    yield append
    forget()


def hashes():
    tasks = ["maze"]
    return {
        "instances": code.instances_code(tasks),
        "rollouts": code.rollouts_code(tasks, "collab", simulated=False),
        "simulated rollouts": code.rollouts_code(tasks, "collab", simulated=True),
        "answers": code.answers_code(tasks, simulated=False),
        "grades": code.stage_code("grade_answers", tasks),
        "tax": code.stage_code("estimate_tax"),
    }


ALL_DATA = {"instances", "rollouts", "simulated rollouts", "grades"}


@pytest.mark.parametrize(
    ("name", "text", "rerun"),
    [
        ("tasks/spatial/maze.py", "\n# a comment\n", set()),
        ("tasks/spatial/maze.py", "\nMORE = 1\n", ALL_DATA | {"answers"}),
        ("tasks/spatial/maze.py", "\ndef grade():\n    return 1\n", {"grades"}),
        ("tasks/spatial/maze.py", "\ndef read_loosely():\n    return 1\n", {"answers", "grades"}),
        ("tasks/csp/logic.py", "\nMORE = 1\n", set()),
        ("tasks/making.py", "\nMORE = 1\n", ALL_DATA),
        ("scripts/lib/agents/endpoint.py", "\nMORE = 1\n", set()),
        ("scripts/lib/agents/ledger.py", "\nMORE = 1\n", set()),
        ("scripts/lib/dialogue/protocol.py", "\nMORE = 1\n", {"rollouts", "simulated rollouts"}),
        ("scripts/lib/agents/simulated/mind.py", "\nMORE = 1\n", {"simulated rollouts"}),
        ("scripts/collaboration/grade_answers.py", "\nMORE = 1\n", {"grades"}),
        ("scripts/collaboration/estimate_tax.py", "\nMORE = 1\n", {"tax"}),
        ("scripts/lib/drawing/style.py", "\nMORE = 1\n", set()),
    ],
)
def test_a_change_reruns_what_it_decides_and_nothing_else(copied, name, text, rerun):
    before = hashes()
    copied(name, text)
    after = hashes()
    assert {table for table in before if before[table] != after[table]} == rerun


@pytest.mark.parametrize("task", TASKS)
def test_every_task_has_a_hash_of_its_own(task):
    assert sum(code.instances_code([task]) == code.instances_code([other]) for other in TASKS) == 1
