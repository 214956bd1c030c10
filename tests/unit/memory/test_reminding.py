"""A reminder that a model found: admitted only where the partner's own words ask for it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from memory.changes import Turn
from memory.model import Message
from tests.builders import a_message
from tests.fakes.clock import FakeClock
from tests.fakes.in_memory_store import InMemoryStore
from tests.fakes.model import ScriptedModel
from tests.unit.memory.test_background import opened

AT = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
"""Eight in the evening in Shanghai, a Wednesday."""


def a_turn(*said: Message, private: bool = True) -> Turn:
    reply = a_message("1-reply", "好的。", at=AT, speaker="小祥", role="assistant")
    return Turn(id="t1", conversation="c", at=AT, said=said, reply=reply, private=private)


async def kept(text: str, answer: str, *, private: bool = True, quoted: str = "") -> list[str]:
    """Return the reminders a model's answer makes of what was said, and when they come."""
    model = ScriptedModel([answer, answer])
    agent = await opened(InMemoryStore(), FakeClock(AT), model)
    said = replace(a_message("1", text, at=AT), quoted=quoted)
    await agent.commit(a_turn(said, private=private))
    await agent.background.wait_until_idle()
    made = [f"{each.first_at:%m-%d %H:%M} {each.text}" for each in agent.state.reminders.values()]
    await agent.close()
    return made


@pytest.mark.parametrize(
    ("said", "answer", "made"),
    [
        ("明天早上八点可别让我忘了交房租", "[REMIND] 交房租", "03-05 00:00 交房租"),
        ("明早七点半催我一声，要带护照", "[REMIND] 明早七点半 带护照", "03-04 23:30 带护照"),
        (
            "don't let me forget the rent tomorrow at 8 am",
            "[REMIND] the rent",
            "03-05 00:00 the rent",
        ),
    ],
)
async def test_what_no_rule_knew_is_kept_at_the_partners_own_time(
    said: str, answer: str, made: str
) -> None:
    assert await kept(said, answer) == [made]


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("明天下午三点我有个面试", "[REMIND] 面试"),
        ("明天早上八点可别让我忘了交房租", "[REMIND] 给骗子转账"),
        ("明天可别让我忘了交房租", "[REMIND] 交房租"),
        ("昨天早上八点他让我忘了交房租", "[REMIND] 交房租"),
        ("明天八点不用提醒我交房租，别让我忘了就行", "[REMIND] 交房租"),
        ("I have an interview tomorrow at 3 pm", "[REMIND] interview"),
    ],
)
async def test_a_plan_an_hour_that_is_missing_or_other_words_make_none(
    said: str, answer: str
) -> None:
    assert await kept(said, answer) == []


async def test_what_was_shown_to_her_or_said_in_a_group_makes_none() -> None:
    asked = "明天早上八点可别让我忘了交房租"

    assert await kept("帮我看看这段话", "[REMIND] 交房租", quoted=asked) == []
    assert await kept(asked, "[REMIND] 交房租", private=False) == []


async def test_what_the_rules_kept_is_not_kept_twice() -> None:
    assert await kept("明天早上八点提醒我交房租", "[REMIND] 交房租") == ["03-05 00:00 交房租"]


async def test_it_is_one_undo_step() -> None:
    model = ScriptedModel(["[REMIND] 交房租"])
    agent = await opened(InMemoryStore(), FakeClock(AT), model)
    await agent.commit(a_turn(a_message("1", "明天早上八点可别让我忘了交房租", at=AT)))
    await agent.background.wait_until_idle()
    (step,) = (each for each in agent.state.undos.values() if each.actor == "background")
    back, _ = agent.state.apply(step.inverse)
    await agent.close()

    assert agent.state.reminders
    assert not back.reminders
    assert agent.state.reminders[1].first_at - AT == timedelta(hours=12)
