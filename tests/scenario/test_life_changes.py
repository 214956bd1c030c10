"""Life changes, told day by day in words of people who had not read the program.

Offline and with a perfect judge the new answer is current and the old one past; what only looks
like a change changes nothing.
"""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from memory.model import Lineage
from memory.offline.replies import reply_to
from prompts import PromptLine, PromptMemory, Reply
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.life import Life, PerfectJudge, lived
from tests.sets import load_set

LEAST: float = 0.95

CHANGES = load_set("truth/life_changes")

LOOK_ALIKES = load_set("truth/look_alikes")


def came_out_right(case: dict[str, Any], life: Life) -> bool:
    return life.holds(case["now"]) and all(map(life.is_over, case["past"]))


async def test_offline_the_new_answer_holds_and_the_old_one_is_past() -> None:
    missed = [case["id"] for case in CHANGES if not came_out_right(case, await lived(case))]

    assert len(missed) <= (1 - LEAST) * len(CHANGES), missed


async def test_a_perfect_judge_can_replace_what_shares_no_word_with_its_change() -> None:
    missed = []
    for case in CHANGES:
        life = await lived(case, PerfectJudge())
        # What is refused as unsaid is missed too: the judge writes nearly what was said.
        if life.unsaid or not came_out_right(case, life):
            missed.append(case["id"])

    assert len(missed) <= (1 - LEAST) * len(CHANGES), missed


@pytest.mark.parametrize("judge", [None, PerfectJudge()], ids=["offline", "judged"])
async def test_what_only_looks_like_a_change_changes_nothing(judge: PerfectJudge | None) -> None:
    lives = [(case["id"], await lived(case, judge)) for case in LOOK_ALIKES]

    assert [name for name, life in lives if any(m.is_past for m in life.facts)] == []


def question(asked: str, *memories: PromptMemory) -> Reply:
    line = PromptLine("user", "主人", NOON, asked)
    return Reply(
        persona="", language="zh", partner="主人", now=NOON, window=(line,), memories=memories
    )


def test_a_question_is_answered_by_what_holds_and_the_former_is_told_as_such() -> None:
    was = PromptMemory("m1", "主人住在北京", NOON - timedelta(days=400), past=True)
    is_now = PromptMemory("m2", "主人搬到上海了", NOON - timedelta(days=9))

    today = reply_to(question("我现在住在哪里？", was, is_now))
    before = reply_to(question("我以前住在哪里？", was, is_now))

    assert today.index("上海") < today.index("以前你住在北京")
    assert before.index("以前你住在北京") < before.index("上海")


def test_what_is_past_is_no_living_fact_and_what_is_doubted_is() -> None:
    over = replace(a_memory(1), lineage=Lineage(replaced_by=2, valid_until=NOON))
    doubted = replace(a_memory(1), lineage=Lineage(replaced_by=2))

    assert not over.is_living_fact
    assert doubted.is_living_fact


async def test_an_age_put_right_leaves_the_figure_told_after_it_alone() -> None:
    told = (
        "My name is Daniel, I'm 41 and I teach maths in Leeds",
        "we have two kids, Tom is 9 and Lily is 6",
        "sorry I meant 42, I'm 42",
    )
    days = [{"day": 0, "text": text} for text in told]
    life = await lived({"lang": "en", "told": days})

    assert life.is_over("41")
    assert life.is_current("is 42")
    assert life.is_current("two kids")
