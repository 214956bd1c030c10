"""A bare answer to a question of hers is told, and kept, with what was asked."""

import asyncio
from datetime import timedelta

import pytest

from memory.changes import Turn
from memory.judgement.answers import told_with_question
from tests.builders import a_message
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.life import empty_memory


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("Where do you live?", "Leeds", "I live in Leeds"),
        ("Nice! And where do you live?", "In Leeds.", "I live in Leeds"),
        ("What do you do for work?", "nurse", "I work as a nurse"),
        ("What's your name?", "Sam", "My name is Sam"),
        ("How old are you?", "34", "I am 34 years old"),
        ("What are you allergic to?", "peanuts and eggs", "I'm allergic to peanuts and eggs"),
        ("When is your birthday?", "June 4th", "My birthday is June 4th"),
        ("Do you have any pets?", "two cats", "I have two cats"),
        ("你住在哪里？", "杭州", "我住在杭州"),
        ("真好。那你住哪呀？", "在杭州。", "我住在杭州"),
        ("你是做什么工作的？", "护士", "我是护士"),
        ("你叫什么名字？", "小林", "我叫小林"),
        ("你今年多大了？", "三十四", "我三十四岁"),
        ("你对什么过敏？", "花生和虾", "我对花生和虾过敏"),
        ("你生日是哪天？", "六月四号", "我生日是六月四号"),
        ("你养宠物吗？", "两只猫", "我养了两只猫"),
    ],
)
def test_an_answer_is_told_with_its_question(asked: str, said: str, told: str) -> None:
    assert told_with_question(asked, said) == told


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Where do you live?", "with my mum"), ("Where do you live?", "Why do you ask"),
        ("Where do you live?", "somewhere"), ("Where do you live? I like Leeds.", "Leeds"),
        ("Where does your sister live?", "Leeds"), ("Do you like Leeds?", "Leeds"),
        ("What's your name?", "guess"), ("How old is your son?", "3"), ("Any allergies?", "none"),
        ("Are you allergic to anything?", "yes"), ("What do you do when you are sad?", "nurse"),
        ("你住哪呀？", "不告诉你"), ("你住在哪里？", "随便"), ("你住哪？", "家里"),
        ("你叫什么名字？", "秘密"), ("你叫什么名字？", "晚安"), ("你妹妹多大了？", "三十"),
        ("你对什么过敏吗？", "没有"), ("你住在杭州吗？", "对"), ("吃了吗？", "花生"),
        ("你住在哪里，我住在手机里。", "杭州"),
    ],
)  # fmt: skip
def test_what_answers_otherwise_is_told_of_nothing(asked: str, said: str) -> None:
    assert told_with_question(asked, said) == ""


def _kept(
    hers: str, said: str, *, before: str = "", minutes: int = 1, private: bool = True
) -> str:
    """Return what is known to hold once a line answered hers, minutes after it."""

    async def told() -> str:
        clock = FakeClock()
        agent = await empty_memory(clock, "en" if hers.isascii() else "zh")
        for number, (line, reply) in enumerate(((before or "hi", hers), (said, "ok"))):
            at = NOON + timedelta(minutes=number * minutes)
            clock.set(at)
            answer = a_message(f"r{number}", reply, at=at, speaker="小祥", role="assistant")
            heard = (a_message(f"s{number}", line, at=at),)
            turn = Turn(
                id=f"t{number}",
                conversation="c",
                at=at,
                said=heard,
                reply=answer,
                private=private,
            )
            await agent.commit(turn)
            await agent.background.wait_until_idle()
        facts = [m.words.text for m in agent.state.memories.values() if m.is_living_fact]
        await agent.close()
        return "；".join(facts)

    return asyncio.run(told())


@pytest.mark.parametrize(
    ("hers", "said", "known"),
    [
        ("Where do you live?", "Leeds", "lives in Leeds"),
        ("What's your name?", "Sam", "name is Sam"),
        ("What are you allergic to?", "peanuts", "allergic to peanuts"),
        ("你住在哪里？", "杭州", "主人住在杭州"),
        ("你叫什么名字？", "小林", "主人叫小林"),
        ("你对什么过敏？", "花生", "主人对花生过敏"),
    ],
)
def test_an_answer_is_kept_with_what_was_asked(hers: str, said: str, known: str) -> None:
    assert known in _kept(hers, said)


def test_a_newer_answer_takes_the_place_of_what_was_known() -> None:
    assert _kept("你住在哪里？", "苏州", before="我住在杭州") == "主人住在苏州"
    assert _kept("How old are you?", "34", before="I'm 33").endswith("is 34 years old")


def test_what_comes_later_or_in_a_group_answers_nothing() -> None:
    assert _kept("Where do you live?", "Leeds", minutes=30) == ""
    assert _kept("你住在哪里？", "杭州", private=False) == ""
