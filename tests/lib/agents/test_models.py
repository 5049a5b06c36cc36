"""models.yaml: what a user may write, and what is said where it is wrong."""

import re

import pytest

from scripts.lib.agents.models import check_keys, load_models
from scripts.lib.errors import UserError

PROFILE = """
  profile:
    skill: {spatial: 1.0, relational: 1.0, csp: 1.0}
    attribute: 1.0
    ask: 1.0
    integrate: 1.0
    verify: 1.0
    frame: 1.0
    critic: 1.0
"""
MODEL = "m:\n  base_url: http://localhost:1/v1\n"


@pytest.fixture
def load(tmp_path):
    def load_text(text):
        path = tmp_path / "models.yaml"
        path.write_text(text, encoding="utf-8")
        return load_models(path)

    return load_text


def complaint(load, text):
    with pytest.raises(UserError) as error:
        load(text)
    return str(error.value)


def test_a_model_needs_its_url_only(load):
    model = load(MODEL)["m"]
    assert (model.base_url, model.served_name, model.key_variable) == ("http://localhost:1/v1", None, None)
    assert (model.parameters, model.price, model.simulated) == ({}, None, False)
    assert (model.limits.in_flight, model.limits.timeout, model.limits.retries) == (32, 120.0, 5)
    assert model.identity("m") == {"base_url": "http://localhost:1/v1", "model": "m", "parameters": {}}


def test_a_simulated_model_is_known_by_its_rates(load):
    model = load(f'm:\n  base_url: "simulated:"{PROFILE}')["m"]
    assert model.simulated and model.profile.skill.csp == 1.0
    assert model.identity("m")["profile"]["verify"] == 1.0


def test_a_server_that_moved_is_the_same_model(load, monkeypatch):
    known = []
    for url, served in [("http://n1:5000/v1", "a"), ("http://n2:6000/v1", "a"), ("http://n2:6000/v1", "b")]:
        monkeypatch.setenv("PLACE", url)
        monkeypatch.setenv("SERVED", served)
        model = load("m:\n  base_url: ${PLACE:-http://localhost:1/v1}\n  served_name: ${SERVED}\n")["m"]
        assert model.base_url == url
        known.append(model.identity("m"))
    assert known[0] == known[1] != known[2]


@pytest.mark.parametrize("name", ["org/model", "llama3:8b", "two words", "ü", "gpt-4o-mini", "1.5"])
def test_names_may_hold_anything(load, name):
    models = load(f'"{name}":\n  base_url: http://localhost:1/v1\n')
    assert list(models) == [name]
    assert models[name].identity(name)["model"] == name


def test_a_name_that_looks_like_a_number_is_a_name(load):
    assert list(load("7:\n  base_url: http://localhost:1/v1\n")) == ["7"]


def test_url_and_served_name_are_taken_from_the_environment(load, monkeypatch):
    text = (
        "m:\n  base_url: ${SOME_URL:-http://127.0.0.1:1/v1}\n  served_name: ${SOME_NAME:-a}-${SOME_SIZE}\n"
        "  parameters: {stop: '${SOME_NAME}'}\n"
    )
    for variable in ("SOME_URL", "SOME_NAME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("SOME_SIZE", "7b")
    model = load(text)["m"]
    assert (model.base_url, model.served_name) == ("http://127.0.0.1:1/v1", "a-7b")
    monkeypatch.setenv("SOME_URL", "http://elsewhere/v1")
    monkeypatch.setenv("SOME_NAME", "b")
    model = load(text)["m"]
    assert (model.base_url, model.served_name) == ("http://elsewhere/v1", "b-7b")
    assert model.parameters == {"stop": "${SOME_NAME}"}  # sent as it is
    monkeypatch.setenv("SOME_URL", "")
    assert load(text)["m"].base_url == "http://127.0.0.1:1/v1"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (f"{MODEL}  base_ur: x\n", 3, r'unknown key "m\.base_ur"; did you mean "base_url"\?'),
        (f"{MODEL}  api_key: sk-1\n", 3, r'unknown key "m\.api_key"'),
        (f"{MODEL}  limits: {{in_fligth: 3}}\n", 3, r'"m\.limits\.in_fligth"; did you mean "in_flight"\?'),
        (f"{MODEL}  limits:\n    in_flight: 0\n", 4, r'"m\.limits\.in_flight" is 0'),
        (f"{MODEL}  limits:\n    retries: three\n", 4, r'"m\.limits\.retries" is \'three\''),
        (f"{MODEL}  price: {{input: -1.0}}\n", 3, r'"m\.price\.input" is -1\.0'),
        (f"{MODEL}  parameters: [temperature]\n", 3, r'"m\.parameters" is'),
        ("x:\n  base_url: http://a/v1\nm:\n  served_name: x\n", 3, r'key "m\.base_url" is missing'),
        ('m:\n  base_url: "simulated:"\n', 1, r"m: a profile belongs to base_url \"simulated:\""),
        (f"{MODEL}{PROFILE}", 1, r"m: a profile belongs to base_url \"simulated:\""),
        (
            f'm:\n  base_url: "simulated:"{PROFILE.replace("ask", "aks")}',
            6,
            r'"m\.profile\.aks"; did you mean',
        ),
        (
            f'm:\n  base_url: "simulated:"{PROFILE.replace("frame: 1.0", "frame: 1.5")}',
            9,
            r'"m\.profile\.frame" is 1\.5',
        ),
        ("m: http://localhost:1/v1\n", 1, r"m: "),
        ('"org/a: b":\n  base_url: 3\n', 2, r'"org/a: b\.base_url" is 3'),
    ],
)
def test_an_error_names_key_and_line(load, tmp_path, text, line, said):
    message = complaint(load, text)
    errors = [one for one in message.splitlines() if re.search(said, one)]
    assert len(errors) == 1, message
    assert errors[0].startswith(f"{tmp_path / 'models.yaml'} line {line}: ")


@pytest.mark.parametrize("text", ["", "- a\n", "just text\n", "m: [\n", "m: {a: b\n"])
def test_what_is_no_mapping_is_refused_with_the_files_name(load, tmp_path, text):
    message = complaint(load, text)
    assert str(tmp_path / "models.yaml") in message and "\n" not in message


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(UserError, match=r"absent\.yaml does not exist"):
        load_models(tmp_path / "absent.yaml")


def test_all_missing_keys_are_named_at_once(load, monkeypatch):
    models = load(
        "a:\n  base_url: http://x/v1\n  key_variable: KEY_A\n"
        "b:\n  base_url: http://x/v1\n  key_variable: KEY_B\n"
        "c:\n  base_url: http://x/v1\n  key_variable: KEY_C\nd:\n  base_url: http://x/v1\n"
    )
    for variable in ("KEY_A", "KEY_B", "KEY_C"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(UserError) as error:
        check_keys(models, ["a", "b", "d"])
    assert all(part in str(error.value) for part in ("KEY_A", 'model "a"', "KEY_B", 'model "b"', "export"))
    assert "KEY_C" not in str(error.value)
    monkeypatch.setenv("KEY_A", "sk-secret")
    monkeypatch.setenv("KEY_B", "")
    with pytest.raises(UserError, match="KEY_B") as error:
        check_keys(models, ["a", "b", "d"])
    assert "sk-secret" not in str(error.value) and "KEY_A" not in str(error.value)
    monkeypatch.setenv("KEY_B", "x")
    check_keys(models, ["a", "b", "d"])
