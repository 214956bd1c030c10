"""An answer tells what holds first, and what was said since though no rule read it."""

from datetime import timedelta

import pytest

from memory.offline.replies import reply_to
from memory.offline.since import said_since
from prompts import PromptLine, PromptMemory, Reply
from tests.fakes.clock import NOON

LONG_AGO = NOON - timedelta(days=60)
LATELY = NOON - timedelta(days=1)


def asked(text: str, *memories: PromptMemory, language: str = "zh") -> str:
    line = PromptLine("user", "安", NOON, text)
    prompt = Reply(
        persona="",
        language=language,
        partner="安",
        now=NOON,
        window=(line,),
        memories=memories,
        again=True,
    )
    return reply_to(prompt)


def said(text: str, *, speaker: str = "安") -> PromptMemory:
    return PromptMemory("", text, LATELY, tier="diary", speaker=speaker)


@pytest.mark.parametrize(
    ("question", "known", "newer", "language"),
    [
        ("我养的狗叫什么", "安的狗叫旺财", "旺财送人了", "zh"),
        ("我叫什么", "安叫王建国", "身份证改名了，以后叫我王一鸣", "zh"),
        ("who's my boss", "安's boss is a guy named Gary", "Gary got fired, it's Linda", "en"),
    ],
)
def test_a_newer_line_of_the_same_matter_is_quoted_before_what_was_known(
    question: str, known: str, newer: str, language: str
) -> None:
    fact = PromptMemory("m1", known, LONG_AGO, speaker="安")

    alone = asked(question, fact, language=language)
    both = asked(question, fact, said(newer), language=language)

    was = known.removeprefix("安").removeprefix("的").removeprefix("'s")
    assert was in alone
    assert both.index(newer) < both.index(was)
    assert ("Before that" if language == "en" else "在那之前") in both


@pytest.mark.parametrize(
    ("known", "newer"),
    [
        ("安的狗叫旺财", "旺财今天吃了两碗"),
        ("安住在北京", "今天的面真好吃"),
        ("安 has a dog named Rex", "do you think Rex is gone?"),
        ("安 has a dog named Rex", "your Rex is gone"),
        ("安 loves getting lost in books", "the kids got new books last week"),
    ],
)
def test_what_tells_of_no_change_or_of_nobodys_is_no_newer_line(known: str, newer: str) -> None:
    line = PromptLine("user", "安", LATELY, newer)

    assert said_since(known, LONG_AGO, [line], frozenset({"安"})) is None


def test_who_asks_about_former_times_or_reads_another_ones_line_gets_what_was_known() -> None:
    fact = PromptMemory("m1", "安住在北京", LONG_AGO, speaker="安")

    assert "在那之前" not in asked("我以前住在哪里", fact, said("我搬到上海了"))
    assert "在那之前" not in asked("我住在哪里", fact, said("我搬到上海了", speaker="小白"))
    assert "在那之前" in asked("我住在哪里", fact, said("我搬到上海了"))


def test_what_took_the_place_of_something_past_is_told_first() -> None:
    now = PromptMemory("", "安 now rides a Vespa", LATELY, speaker="安")
    was = PromptMemory("m1", "安 rides a Corolla", LONG_AGO, speaker="安", past=True, instead=now)

    today = asked("what do I ride", was, language="en")
    before = asked("what did I use to ride", was, language="en")

    assert today.index("Vespa") < today.index("no longer so")
    assert before.index("Corolla") < before.index("Vespa")


def test_a_fact_is_told_to_the_partner_in_its_own_language() -> None:
    together = PromptMemory("m1", "安：我们在苏州买了房", LATELY, speaker="安")
    english = PromptMemory("m1", "安 likes jazz", LATELY, speaker="安")

    assert "你们在苏州买了房" in asked("我们在哪买的房", together)
    assert "you like jazz" in asked("我喜欢什么", english)
