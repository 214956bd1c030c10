"""Whether she may begin, in the words of whoever says so."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from memory.changes import Put
from memory.initiative.consent import choice_said, may_ask, quiet_said, says_more
from memory.model import Message
from memory.offline.vocabulary import MAY_I_BEGIN
from memory.state import MemoryState
from tests.builders import a_message

AT = datetime(2026, 3, 3, 1, 0, tzinfo=UTC)


def state(begins: str = "") -> MemoryState:
    info = MemoryState().agent_info
    settings = replace(info.settings, begins=begins)  # type: ignore[arg-type]
    return MemoryState().apply([Put(replace(info, settings=settings))])[0]


def said(text: str) -> list[Message]:
    return [a_message("9", text, at=AT)]


def asked(language: str = "zh") -> list[Message]:
    text = f"别紧张。\n\n{MAY_I_BEGIN[language]}"  # type: ignore[index]
    return [a_message("8", text, at=AT, speaker="小祥", role="assistant")]


@pytest.mark.parametrize(
    "text",
    [
        "别打扰我",
        "别烦我了",
        "以后别主动找我了",
        "不要主动给我发消息了",
        "让我一个人静一静",
        "别再来找我聊天了",
        "小祥，别再主动联系我了，谢谢",
        "不准主动发消息",
        "别主动找我聊",
        "以后不用主动来找我聊聊",
        "no, don't write to me first",
        "leave me alone",
        "Please leave me alone.",
        "stop messaging me",
        "don't text me first",
        "don’t write to me out of the blue",
        "give me some space please",
    ],
)
def test_she_is_told_not_to_begin(text: str) -> None:
    assert choice_said(said(text), (), state("yes"), private=True) == "no"
    assert choice_said(said(text), (), state("yes"), private=False) is None


@pytest.mark.parametrize(
    "text",
    [
        "你可以主动找我",
        "你又可以主动找我了",
        "欢迎随时主动来找我聊天",
        "you can text me first",
        "You may write to me again",
        "feel free to message me first",
        "yes you can write to me first",
        "sure, text me first any time",
        "text me first any time",
        "yeah message me whenever you like",
        "of course you may write first",
        "go ahead and text me first",
        "可以呀 你想我了就先找我",
        "好啊，你想我了就来找我吧",
        "你能先给我发消息吗 想我了就发",
        "准你主动发消息",
        "允许你主动找我",
        "嗯，你可以先给我发消息",
        "欢迎你随时先来找我聊天",
        "當然可以，你先找我就好",
        "你以后可以主动找我聊",
        "你可以主动来找我聊天的",
        "有空可以主动找我聊聊天",
        "没事多主动找我聊聊呀",
        "你随时可以来找我说说话的",
        "欢迎你主动找我聊",
        "you're welcome to message me first",
        "you can reach out to me first",
        "I'd like you to text me first",
        "please do message me first",
    ],
)
def test_she_is_told_that_she_may(text: str) -> None:
    assert choice_said(said(text), (), state("no"), private=True) == "yes"


@pytest.mark.parametrize(
    "text",
    [
        "他让我别打扰他",
        "我不想打扰你",
        "别打扰我睡觉的猫",
        "别提醒我了",
        "妈妈说别主动找我前男友",
        "你可以主动找我妈妈",
        "想我了就先找我妈妈",
        "不想我了就找我",
        "你能主动给我发消息吗",
        "你先发消息给我",
        "有事先找我",
        "他准我主动发消息",
        "我男朋友想我了就先找我",
        "text me first, then ring the bell for Joe",
        "he can text me first any time",
        "can you write to me first?",
        "why do i always text first",
        "yes you can write to my mum first",
        "leave me alone with him for a minute and I panic",
        "he told me to leave him alone",
        "can you text me the recipe",
        "“别打扰我”用英语怎么说",
        "你可以主动找我聊吗",
        "他可以主动找我聊",
        "你可以找我妈聊",
        "客户可以主动找我聊",
        "you can reach out to my boss first",
        "you can text me the list",
    ],
)
def test_what_only_sounds_like_it_is_none(text: str) -> None:
    assert choice_said(said(text), (), state("yes"), private=True) is None


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("好", "yes"), ("好呀", "yes"), ("可以的", "yes"), ("嗯嗯", "yes"), ("yes please", "yes"),
        ("sure", "yes"), ("不用了", "no"), ("不要", "no"), ("no thanks", "no"),
        ("rather not", "no"), ("好难过", None), ("不知道", None), ("面试怎么准备？", None),
        ("no idea what to wear", None),
        ("好，那我先睡了", "yes"), ("好，但是别太频繁", None), ("不用，谢谢你", "no"),
        ("sure, that would be nice", "yes"), ("yes, but not in the morning", None),
    ],
)  # fmt: skip
def test_her_question_is_answered_in_a_word(text: str, choice: str | None) -> None:
    assert choice_said(said(text), asked(), state("asked"), private=True) == choice


def test_a_yes_to_anything_else_is_no_leave_to_begin() -> None:
    other = [a_message("8", "要不要喝点水？", at=AT, speaker="小祥", role="assistant")]

    assert choice_said(said("好"), other, state("asked"), private=True) is None
    assert choice_said(said("好"), asked(), state(""), private=True) is None


def test_she_asks_once_in_private_when_there_is_an_occasion() -> None:
    occasion = said("明天下午三点我有个面试")

    assert may_ask(occasion, (), state(), private=True)
    assert not may_ask(occasion, (), state(), private=False)
    assert not may_ask(said("今天好累"), (), state(), private=True)
    assert not any(may_ask(occasion, (), state(e), private=True) for e in ("asked", "yes", "no"))


def test_what_goes_on_after_the_yes_is_answered_as_well() -> None:
    assert says_more(said("好，那我先睡了")[0])
    assert not says_more(said("不用，谢谢你")[0])
    assert not says_more(said("好")[0])


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("晚上十一点以后别给我发消息", "23-9"),
        ("晚上11点之后不要打扰我", "23-9"),
        ("以后晚上十点半以后就别给我发消息了", "22-9"),
        ("早上八点前别打扰我", "22-8"),
        ("上午10点之前不要找我，谢谢", "22-10"),
        ("早上八点半前别给我发消息", "22-9"),
        ("小祥，请别在早上九点以前打扰我", "22-9"),
        ("十一点以后别找我了", "23-9"),
        ("半夜十二点以后别给我发消息", "0-9"),
        ("晚上11点到早上8点别打扰我", "23-8"),
        ("晚上11点以后、早上8点以前别给我发消息", "23-8"),
        ("23:00到8:00之间不要给我发消息", "23-8"),
        ("过了晚上十一点就别给我发消息了", "23-9"),
        ("晚上十一点以后我要睡觉，别给我发消息", "23-9"),
        ("把免打扰时间改成晚上12点到早上7点", "0-7"),
        ("晚上九點以後別給我發消息", "21-9"),
        ("don't message me after 11 pm", "23-9"),
        ("please don’t text me after eleven", "23-9"),
        ("Do not write to me before 8 in the morning", "22-8"),
        ("no messages before 9 in the morning please", "22-9"),
        ("please no messages after 10pm", "22-9"),
        ("after 11 pm, please don't message me", "23-9"),
        ("don't bother me between 11 pm and 8 am", "23-8"),
        ("don't text me from midnight to 7", "0-7"),
        ("don't message me after 11pm or before 8am", "23-8"),
        ("no texts until 10 am please", "22-10"),
        ("never ping me past 10:30 pm", "22-9"),
        ("can you not message me after midnight?", "0-9"),
        ("set your quiet hours to 11 pm to 8 am", "23-8"),
    ],
)
def test_quiet_hours_are_told_in_words(text: str, hours: str) -> None:
    assert quiet_said(said(text), (), state("yes"), private=True) == hours
    assert quiet_said(said(text), (), state("yes"), private=False) is None
    assert choice_said(said(text), (), state("yes"), private=True) is None


@pytest.mark.parametrize(
    "text",
    [
        "他说晚上十一点以后别给他发消息",
        "他说晚上十一点以后别给我发消息",
        "我妈晚上十一点以后别给她发消息",
        "老板早上八点前别打扰我的邮件",
        "今晚十一点以后别给我发消息",
        "明天早上八点前别打扰我",
        "晚上十一点以后别给我发消息是什么意思",
        "晚上十一点以后别给我妈发消息",
        "晚上十一点以后别提醒我喝水",
        "晚上十一点以后别让我吃东西",
        "晚上十一点以后她不让我给她发消息",
        "上午九点到下午六点别打扰我",
        "“晚上十一点以后别给我发消息”怎么翻译",
        "my boss wants no messages after 11",
        "he said don't message me after 11 pm",
        "don't message him after 11 pm",
        "don't message me after 11 tonight",
        "no messages after 11",
        "don't text me after the party",
        "don't message me after 25",
        "why don't you message me after 11 pm",
        "don't let me eat after 11 pm",
        "don't remind me before 9",
        "“don't message me after 11 pm” was all he wrote",
    ],
)
def test_what_only_sounds_like_quiet_hours_sets_none(text: str) -> None:
    assert quiet_said(said(text), (), state("yes"), private=True) is None


def test_one_end_of_the_quiet_hours_leaves_the_other() -> None:
    info = MemoryState().agent_info
    settings = replace(info.settings, quiet_hours="0-7")
    known = MemoryState().apply([Put(replace(info, settings=settings))])[0]

    assert quiet_said(said("晚上十一点以后别给我发消息"), (), known, private=True) == "23-7"
    assert quiet_said(said("no texts before 10 am please"), (), known, private=True) == "0-10"


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("可以，但是晚上十一点以后别给我发消息", "23-9"),
        ("好呀，不过早上十点前别打扰我", "22-10"),
        ("yes, but don't message me after 11 pm", "23-9"),
        ("sure, just no texts before 10 am please", "22-10"),
    ],
)
def test_her_question_is_answered_with_yes_and_quiet_hours(text: str, hours: str) -> None:
    assert choice_said(said(text), asked(), state("asked"), private=True) == "yes"
    assert quiet_said(said(text), asked(), state("asked"), private=True) == hours


@pytest.mark.parametrize(
    "text",
    ["可以，但他晚上十一点以后别给我发消息", "yes, but no idea after 11 pm", "好，但别太晚"],
)
def test_half_a_yes_without_hours_stays_none(text: str) -> None:
    assert choice_said(said(text), asked(), state("asked"), private=True) is None
    assert quiet_said(said(text), asked(), state("asked"), private=True) is None
