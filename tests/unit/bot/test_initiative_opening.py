"""The words she begins with: a model's where they keep to the facts, else a sentence of hers."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from immutables import Map

from bot.initiative.noted import REMINDS
from bot.initiative.opening import OpeningWords, keeps_to
from memory.initiative import requests
from memory.ports import Unavailable
from memory.reminder import Intention
from memory.state import MemoryState
from prompts import Begin
from tests.fakes.clock import FakeClock
from tests.fakes.model import ScriptedModel

AT = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
"""Eight in the evening in Shanghai."""

INTERVIEW = Intention(
    id=1,
    kind="follow_up",
    about="interview",
    what="面试",
    text="明天下午三点我有个面试",
    at=AT,
    until=AT + timedelta(days=1),
    told_at=AT - timedelta(days=1),
    made_at=AT - timedelta(days=1),
    day=AT.date(),
)
SAID_BEFORE = replace(INTERVIEW, id=2, ended="said", said_at=AT - timedelta(days=3))


def a_state(*known: Intention) -> MemoryState:
    return MemoryState(intentions=Map({each.id: each for each in known}))


def prompt(draft: str = "今天的面试怎么样，还顺利吗？", said: str = INTERVIEW.text) -> Begin:
    return Begin(
        persona="小祥", language="zh", partner="主人", now=AT, told_at=AT, said=said, draft=draft
    )


async def worded(model: ScriptedModel | None) -> str:
    words = OpeningWords(FakeClock(AT), model, lambda _: "小祥")
    answer = await words.answer(INTERVIEW, a_state(INTERVIEW, SAID_BEFORE))
    return answer.text


async def test_a_model_words_it_once_and_offline_a_sentence_does() -> None:
    model = ScriptedModel(["面试完啦？今天感觉怎么样，跟我说说？"])

    assert await worded(model) == "面试完啦？今天感觉怎么样，跟我说说？"
    assert len(model.asked) == 1
    assert await worded(None) == "今天的面试怎么样，还顺利吗？"


async def test_what_does_not_keep_to_the_facts_is_not_said() -> None:
    for answer in (
        "",
        "面试在18楼，怎么样？",
        "面试怎么样？\n你怎么不理我",
        "How did the interview go?",
    ):
        assert await worded(ScriptedModel([answer])) == "今天的面试怎么样，还顺利吗？"
    away = ScriptedModel([Unavailable("timeout")])
    assert await worded(away) == "今天的面试怎么样，还顺利吗？"


async def test_the_first_time_she_says_how_to_stop_it() -> None:
    words = OpeningWords(FakeClock(AT), None, lambda _: "")
    answer = await words.answer(INTERVIEW, a_state(INTERVIEW))

    assert "别主动找我" in answer.text


async def test_a_private_matter_is_never_given_to_a_model() -> None:
    private = replace(INTERVIEW, text="我怀孕了，周五做产检", about="health")
    model = ScriptedModel()
    words = OpeningWords(FakeClock(AT), model, lambda _: "")
    answer = await words.answer(private, a_state(private, SAID_BEFORE))

    assert "怀孕" not in answer.text
    assert model.asked == []


async def test_what_is_asked_of_health_names_nothing_and_is_worded_by_no_model() -> None:
    checked = replace(INTERVIEW, about="health", what="胃镜", text="我后天要做胃镜")
    model = ScriptedModel()
    words = OpeningWords(FakeClock(AT), model, lambda _: "")
    answer = await words.answer(checked, a_state(checked, SAID_BEFORE))

    assert "胃镜" not in answer.text
    assert "身体" in answer.text
    assert model.asked == []


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("面试怎么样呀，顺利吗？", True),
        ("今天的面试还好吗？不急着回我。", True),
        ("祝你好运！", False),
        ("面试完了吧？腾讯的面试官凶不凶？他说“下周出结果”了吗", False),
        ("面试怎么样？怎么一直不理我", False),
        ("[ADD] 面试怎么样", False),
        ("面" * 300, False),
    ],
)
def test_an_opening_says_no_more_than_the_facts(said: str, *, kept: bool) -> None:
    assert keeps_to(said, prompt()) == kept


def test_names_and_numbers_in_english_have_to_be_given() -> None:
    asked = replace(prompt("How did the interview go today?", "I have an interview on Thursday"))
    english = replace(asked, language="en")

    assert keeps_to("So, how did the interview go today?", english)
    assert not keeps_to("How did the interview at Google go?", english)
    assert not keeps_to("How did the interview go? I missed you.", english)


@given(st.from_regex(requests._CUE_ZH) | st.from_regex(requests._CUE_EN))
def test_no_request_to_be_reminded_is_without_what_is_looked_for_first(asked: str) -> None:
    assert REMINDS.search(asked)
