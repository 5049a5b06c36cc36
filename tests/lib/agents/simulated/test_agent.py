"""Simulated agents: what they can do, what each planted rate does, and that nothing is whispered to them."""

import json
import os
import subprocess
import sys

import pytest

from scripts.lib.agents.simulated.agent import answer_messages, convert_outcome, find_task
from scripts.lib.dialogue.marker import PARTNER, read_message
from scripts.lib.dialogue.prompts import prompt
from scripts.lib.outcomes import Outcome
from tasks import TASKS, get_task
from tests.lib.agents.simulated.game import ROOT, graded, instance, mean, overall, play, profile, scores, view

every_task = pytest.mark.parametrize("task", TASKS)
RATES = ("attribute", "ask", "integrate", "verify", "frame", "skill")


def opening(mode, text):
    return [
        {"role": "system", "content": prompt(f"{mode}_system")},
        {"role": "user", "content": f"[user]: {text.rstrip()}"},
    ]


@every_task
@pytest.mark.parametrize("size", ["tiny", "small", "paper"])
def test_perfect_agents_solve_everything_together(task, size):
    assert scores(profile("simulated-perfect"), "collab", task, size, 12) == [1.0] * 12


@every_task
@pytest.mark.parametrize("mode", ["solo_full", "solo_split"])
def test_a_perfect_agent_solves_everything_alone(task, mode):
    assert scores(profile("simulated-perfect"), mode, task, "paper", 12) == [1.0] * 12


@every_task
def test_agents_that_do_not_work_together_only_guess(task):
    """The same skill with all four collaboration rates at 0 is near the floor of one view."""
    mute, count = profile("simulated-mute"), 30
    floor = mean([mean(list(instance(task, "paper", index).floor.values())) for index in range(count)])
    assert mean(scores(mute, "collab", task, "paper", count)) <= floor + 0.10
    assert scores(mute, "solo_full", task, "paper", count) == [1.0] * count


@pytest.mark.parametrize("rate", RATES)
def test_each_rate_matters(rate):
    """In agents of middling rates: perfect ones make up for one lacking habit by their others."""
    high, low = (overall(profile("simulated-middle", **{rate: value}), count=8) for value in (1.0, 0.0))
    assert low < high - 0.05


@pytest.mark.parametrize("rate", ["attribute", "integrate", "frame", "skill"])
def test_what_no_other_habit_makes_up_for_matters_in_perfect_agents_too(rate):
    assert overall(profile("simulated-perfect", **{rate: 0.0}), count=6) < 0.95


def test_stronger_agents_score_higher():
    strong, middle, weak = (overall(profile(f"simulated-{name}")) for name in ("strong", "middle", "weak"))
    assert strong > middle + 0.1 > weak + 0.2


def test_working_together_costs_what_agents_lack():
    for name in ("middle", "weak"):
        agent = profile(f"simulated-{name}")
        alone = mean([mean(scores(agent, "solo_full", task, "small", 12)) for task in TASKS])
        assert alone > overall(agent)


# -- nothing is whispered ----------------------------------------------------------------------

ANSWER_ALL = """
import json, sys
from pathlib import Path
from scripts.lib.agents.models import load_models
from scripts.lib.agents.simulated.agent import answer_messages
agent = load_models(Path("config/models.yaml"))["simulated-middle"].profile
print(json.dumps([answer_messages(agent, chat).text for chat in json.load(sys.stdin)]))
"""


def test_the_reply_depends_on_the_messages_alone():
    """Another process, under another hash seed, says the same to the same chat."""
    agent, chats = profile("simulated-middle"), []
    for task in TASKS:
        made = instance(task, "small", 0)
        chats.append(opening("collab", view(task, made, "a")))
        said = answer_messages(agent, chats[-1]).text
        chats.append(opening("collab", f"{view(task, made, 'b').rstrip()}\n\n{PARTNER} {said}"))
        chats.append(opening("solo_full", view(task, made, "full")))
    here = [answer_messages(agent, chat).text for chat in chats]
    shown = subprocess.run(
        [sys.executable, "-c", ANSWER_ALL],
        input=json.dumps(chats),
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONHASHSEED": "17"},
        cwd=ROOT,
    )
    assert json.loads(shown.stdout) == here
    assert len(set(here)) == len(here)


@every_task
@pytest.mark.parametrize(("mode", "name"), [("solo_full", "full"), ("collab", "a"), ("collab", "b")])
def test_without_its_facts_an_agent_cannot_answer(task, mode, name):
    made = instance(task, "paper", 0)
    text = view(task, made, name)
    facts = made.draft.union if name == "full" else made.draft.facts[name]
    block = get_task(task).block(facts, made.draft.frames[name])
    assert block in text
    message = read_message(
        answer_messages(profile("simulated-perfect"), opening(mode, text.replace(block, ""))).text
    )
    assert message.answer is None and "cannot find the facts" in message.text


@every_task
def test_what_the_partner_never_said_is_not_known(task):
    """A perfect agent whose partner says nothing of use is right no more often than by guessing."""
    count, right = 12, 0
    for index in range(count):
        made = instance(task, "paper", index)
        chat = opening("collab", view(task, made, "a"))
        for _ in range(12):
            reply = answer_messages(profile("simulated-perfect"), chat).text
            chat += [
                {"role": "assistant", "content": reply},
                {"role": "user", "content": f"{PARTNER} I agree with your proposal."},
            ]
            answer = read_message(reply).answer
            if answer:
                break
        right += graded(task, made, answer) == 1.0
    assert right <= count / 2


@pytest.mark.parametrize(
    "chat",
    [
        [],
        [{"role": "system", "content": ""}],
        [{"role": "user", "content": "What is the weather?"}],
        [{"role": "user", "content": "Task: Tetris"}],
        [{"role": "assistant", "content": "Task:"}],
    ],
)
def test_a_chat_about_something_else_is_answered_in_words(chat):
    assert read_message(answer_messages(profile("simulated-perfect"), chat).text).answer is None


@every_task
def test_the_task_is_known_by_its_first_line_alone(task):
    assert find_task(f"x\n[user]: Task: {get_task(task).title}\ny").name == task
    assert find_task(get_task(task).title) is None


def test_token_counts_are_estimates_from_words():
    reply = answer_messages(profile("simulated-perfect"), [{"role": "user", "content": "one two three"}])
    assert (reply.prompt_tokens, reply.finish_reason, reply.fingerprint) == (4, "stop", "simulated")
    assert reply.completion_tokens == round(len(reply.text.split()) * 4 / 3)


# -- the simulated grader ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('ACTI! {"count": 3}', 3),
        ('Proposal: {"count": 3}\nACTI! {"count": 4}', 4),
        ('ACTI! {"path": [[0, 1], [0, 2]]}\n\nBye.', [[0, 1], [0, 2]]),
        ('Proposal: {"count": 3}\n\nI think so.', 3),
        ("We did not finish.", None),
        ("", None),
    ],
)
def test_the_grader_converts_the_outcome(text, answer):
    assert json.loads(convert_outcome(text))["answer"] == answer


@every_task
def test_the_grader_finds_what_was_submitted(task):
    """From the prompt that the stage sends, where the conversation stands as JSON."""
    from scripts.collaboration.extract_answers import grader_messages

    made = instance(task, "small", 1)
    dialogue = play(profile("simulated-perfect"), "collab", task, made)
    assert dialogue.outcome == Outcome.ANSWERED
    row = {"messages": [{"slot": turn.slot, "text": turn.text} for turn in dialogue.turns]}
    reply = json.loads(
        answer_messages(profile("simulated-grader"), grader_messages(get_task(task), row)).text
    )
    assert reply["answer"] == get_task(task).read_answer(dialogue.answer)[0]
