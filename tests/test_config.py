"""The configuration: closed, checked at once, and documented key by key."""

import copy
import json
import re
from collections.abc import Iterator

import pytest
import yaml
from pydantic import BaseModel

from scripts.collaboration.arms import clause_text, clauses_by_arm
from scripts.config import SCHEMA, Config, load_config
from scripts.lib.agents.models import Model
from scripts.lib.dialogue.prompts import prompt
from scripts.lib.errors import UserError
from tasks import TASKS

ROOT = SCHEMA.parents[1]
DEMO = ROOT / "config" / "config.yaml"
README = ROOT / "config" / "README.md"
NO_CONFIG = {"models.yaml", "paper_models.yaml", "published.yaml", "published_handoff.yaml"}
OTHERS = sorted(
    path
    for folder in (ROOT / "config", ROOT / "tests" / "recorded")
    for path in folder.glob("*.yaml")
    if path.name not in NO_CONFIG and path != DEMO
)


@pytest.fixture(autouse=True)
def _in_the_project(monkeypatch):
    monkeypatch.chdir(ROOT)  # models_file is read from where Snakemake runs


def read(path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def merged(below, above):
    """As Snakemake lays one configuration file over another: mappings are merged, all else replaced."""
    both = copy.deepcopy(below)
    for key, value in above.items():
        both[key] = (
            merged(both[key], value) if isinstance(value, dict) and isinstance(both.get(key), dict) else value
        )
    return both


def test_the_demo_is_valid_and_needs_no_key():
    config, models = load_config(read(DEMO), [DEMO])
    study = config.collaboration
    used = {*study.models, *(name for pair in study.pairs for name in pair), study.grader}
    assert all(models[name].simulated for name in used)


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_other_configuration_is_valid_on_top_of_the_demo(path):
    config, models = load_config(merged(read(DEMO), read(path)), [DEMO, path])
    assert set(config.collaboration.models) <= set(models)


def paper():
    """The study at full size, and its models."""
    path = ROOT / "config" / "paper.yaml"
    return load_config(merged(read(DEMO), read(path)), [DEMO, path])


def test_the_whole_study_has_its_published_size():
    study = paper()[0].collaboration
    assert (study.tasks, study.size, len(study.pairs)) == ("all", "paper", 4)
    assert len(TASKS) * len(study.models) * len(study.modes) * study.rollouts == 52_800


def test_nobody_takes_the_models_of_the_whole_study_for_real_ones():
    config, models = paper()
    assert {*config.collaboration.models, *config.collaboration.readers.values()} == set(models)
    for name, model in models.items():
        assert name.startswith("simulated/") and model.simulated and model.price


def test_their_rates_lie_on_the_line_from_strong_to_weak_and_nowhere_else():
    config, models = paper()
    demo = load_config(read(DEMO), [DEMO])[1]
    ends = [rates(demo[f"simulated-{name}"]) for name in ("strong", "weak")]
    for number, name in enumerate(config.collaboration.models):
        found = rates(models[name])
        share = number / (len(config.collaboration.models) - 1)
        for rate, strong, weak in zip(found, *ends, strict=True):
            assert rate == pytest.approx(strong + share * (weak - strong), abs=1e-9)


def rates(model):
    """The planted rates of a simulated model, in the order of the schema."""
    profile = model.profile.model_dump()
    return [*profile.pop("skill").values(), *profile.pop("heed").values(), *profile.values()]


def test_the_schema_is_the_generated_one():
    generated = json.dumps(Config.model_json_schema(), indent=2) + "\n"
    assert SCHEMA.read_text(encoding="utf-8") == generated, "run: make schema"


def blocks(block: type[BaseModel], place: str = "") -> Iterator[tuple[str, str]]:
    """Every key of a block and of the blocks in it, and the block it stands in."""
    for name, field in block.model_fields.items():
        yield name, place
        inner = [field.annotation, *getattr(field.annotation, "__args__", ())]
        for one in inner:
            if isinstance(one, type) and issubclass(one, BaseModel):
                yield from blocks(one, f"{place}{name}.")


@pytest.mark.parametrize(
    ("key", "place"), [*blocks(Config), *((key, f"models.yaml {place}") for key, place in blocks(Model))]
)
def test_the_readme_explains_every_key(key, place):
    code = " ".join(re.findall(r"`([^`\n]+)`", README.read_text(encoding="utf-8")))
    assert re.search(rf"\b{key}\b", code), f"{place}{key} is not in config/README.md"


@pytest.fixture
def complaint(tmp_path):
    """What is said about the demo with one key changed, and the changed file."""

    def change(*place, value):
        values = read(DEMO)
        block = values
        for part in place[:-1]:
            block = block[part]
        block[place[-1]] = value
        path = tmp_path / "user.yaml"
        path.write_text(yaml.safe_dump(values, sort_keys=False), encoding="utf-8")
        with pytest.raises(UserError) as error:
            load_config(values, [DEMO, path])
        line = 1 + next(
            number
            for number, text in enumerate(path.read_text(encoding="utf-8").splitlines())
            if text.strip().startswith(f"{place[-1]}:")
        )
        return str(error.value), f"{path} line ", line

    return change


STUDY = "collaboration"


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (("offlin",), True, 'unknown key "offlin"; did you mean "offline"?'),
        ((STUDY, "rolouts"), 3, f'unknown key "{STUDY}.rolouts"; did you mean "rollouts"?'),
        ((STUDY, "statistics", "sed"), 3, f'unknown key "{STUDY}.statistics.sed"; did you mean "seed"?'),
        ((STUDY, "api_key"), "sk-1", f'unknown key "{STUDY}.api_key"'),
        ((STUDY, "rollouts"), "20", f"\"{STUDY}.rollouts\" is '20'"),
        ((STUDY, "rollouts"), 0, f'"{STUDY}.rollouts" is 0'),
        ((STUDY, "rollouts"), 2.0, f'"{STUDY}.rollouts" is 2.0'),
        ((STUDY, "critic"), "yes", f"\"{STUDY}.critic\" is 'yes'"),
        ((STUDY, "report"), None, f'"{STUDY}.report" is None'),
        ((STUDY, "size"), "papr", f'"{STUDY}.size" is "papr"; did you mean "paper"?'),
        ((STUDY, "tasks"), "maze", f"\"{STUDY}.tasks\" is 'maze'"),
        ((STUDY, "tasks"), None, f'"{STUDY}.tasks" is None'),
        ((STUDY, "models"), "simulated-strong", f"\"{STUDY}.models\" is 'simulated-strong'"),
        ((STUDY, "models"), [], f"{STUDY}.models names no model"),
        ((STUDY, "tasks"), [], f"{STUDY}.tasks names no task"),
        ((STUDY, "modes"), [], f"{STUDY}.modes names no mode"),
        ((STUDY, "grader"), "gpt-4o-mni", 'unknown model "gpt-4o-mni"; did you mean "gpt-4o-mini"?'),
        (("ledger",), [], '"ledger" needs at least one folder'),
        (("ledger",), "data/ledger", "\"ledger\" is 'data/ledger'"),
    ],
)
def test_a_mistake_is_one_error_with_key_place_and_remedy(complaint, place, value, said):
    message, where, line = complaint(*place, value=value)
    assert "\n" not in message
    assert said in message
    assert message.startswith(f"{where}{line}: ")


@pytest.mark.parametrize(
    ("key", "value", "said", "after"),
    [
        ("tasks", ["maze", "mazes"], 'unknown task "mazes"; did you mean "maze"?', 2),
        ("tasks", ["maze", "maze"], 'task "maze" is listed twice', 2),
        ("tasks", ["maze", 3], f'"{STUDY}.tasks.1" is 3', 2),
        (
            "models",
            ["simulated-stronk"],
            'unknown model "simulated-stronk"; did you mean "simulated-strong"?',
            1,
        ),
        ("models", ["simulated-weak"] * 2, 'model "simulated-weak" is listed twice', 2),
        ("modes", ["solo_ful"], f'"{STUDY}.modes.0" is "solo_ful"; did you mean "solo_full"?', 1),
        ("modes", ["collab", "collab"], 'mode "collab" is listed twice', 2),
        ("pairs", [["simulated-weak", "simulated-wek"]], 'unknown model "simulated-wek"', 2),
        ("pairs", [["simulated-weak", "simulated-weak"]], 'model "simulated-weak" is listed twice', 2),
        ("pairs", [["simulated-weak"]], f'"{STUDY}.pairs.0" is', 1),
        ("arms", ["all_for"], 'unknown arm or clause "all_for"; did you mean "all_four"?', 1),
        ("arms", ["no_l1", "no_l1"], 'arm "no_l1" is listed twice', 2),
        ("arms", ["baseline"], 'the name "baseline" is taken', 1),
        ("arms", [{"all_four": ["querying"]}], 'the name "all_four" is taken', 1),
        ("arms", [{"mine": ["querry"]}], 'unknown clause "querry"; did you mean "querying"?', 1),
        ("arms", [{"mine": []}], f'"{STUDY}.arms.0.mine" is []', 1),
        ("arms", [3], f'"{STUDY}.arms.0" is 3', 1),
        ("arm_models", ["simulated-wek"], '"simulated-wek" is not in models; did you mean', 1),
    ],
)
def test_a_mistake_in_a_list_is_placed_on_its_line(complaint, key, value, said, after):
    message, where, line = complaint(STUDY, key, value=value)
    assert "\n" not in message
    assert said in message
    assert message.startswith(f"{where}{line + after}: ")


def test_a_clause_of_ones_own_is_an_arm_and_part_of_others():
    mine = {
        "clauses": {"brief": " Be brief.\n"},
        "arms": ["brief", "no_l1", {"both": ["verification", "brief"]}],
    }
    study = load_config(merged(read(DEMO), {STUDY: mine}), [DEMO])[0].collaboration
    arms = clauses_by_arm(study)
    assert list(arms) == ["baseline", "brief", "no_l1", "both"]
    assert arms["baseline"] == [] and arms["brief"] == ["brief"]
    assert arms["no_l1"] == ["querying", "integration", "verification"]
    assert [clause_text(clause, study.clauses) for clause in arms["both"]] == [
        prompt("clause_verification"),
        "Be brief.",
    ]


def test_without_arms_nobody_needs_to_play_them():
    mine = {
        "models": ["simulated-strong"],
        "pairs": [],
        "relays": [],
        "ask_alone": [],
        "arm_models": ["gone"],
    }
    assert load_config(merged(read(DEMO), {STUDY: mine | {"arms": []}}), [DEMO])
    with pytest.raises(UserError, match="arm_models: null is all of them"):
        load_config(merged(read(DEMO), {STUDY: mine}), [DEMO])


@pytest.mark.parametrize("name", ["all_four", "querying", "baseline", "a/b", ".."])
def test_a_clause_of_ones_own_needs_a_name_of_its_own(name):
    with pytest.raises(UserError, match=re.escape(name)):
        load_config(merged(read(DEMO), {STUDY: {"clauses": {name: "Be brief."}}}), [DEMO])


def test_two_mistakes_are_two_lines():
    values = merged(read(DEMO), {"offlin": True, STUDY: {"rolouts": 3}})
    with pytest.raises(UserError) as error:
        load_config(values, [DEMO])
    assert sorted(re.findall(r'unknown key "(\S+)"', str(error.value))) == [f"{STUDY}.rolouts", "offlin"]


def test_a_name_far_from_all_others_gets_the_list():
    with pytest.raises(UserError) as error:
        load_config(merged(read(DEMO), {STUDY: {"tasks": ["zzz"]}}), [DEMO])
    assert f"valid: {', '.join(TASKS)}" in str(error.value)


def test_a_missing_models_file_is_named():
    with pytest.raises(UserError, match=r"nowhere\.yaml does not exist"):
        load_config(merged(read(DEMO), {"models_file": "nowhere.yaml"}), [DEMO])


def test_without_models_the_key_is_named():
    values = read(DEMO)
    del values[STUDY]["models"]
    with pytest.raises(UserError, match=f'key "{STUDY}.models" is missing'):
        load_config(values, [DEMO])
