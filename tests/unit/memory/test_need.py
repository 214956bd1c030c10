"""A line that needs nothing remembered is given nothing; who asks is always told."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from memory.recall import Hit
from memory.recall.need import (
    NEED_BORDER,
    asks_for_memory,
    lines_answered,
    needs_memory,
    newness,
    said_before,
)
from prompts.notes import PromptLine
from tests.builders import a_message
from tests.fakes.clock import NOON

UTC = ZoneInfo("UTC")


def a_hit(relevance: float, *, looked_up: bool = False) -> Hit:
    return Hit(
        memory_id=1,
        score=relevance,
        relevance=relevance,
        activation=0.0,
        retention=1.0,
        source_ids=("1",),
        quote="…",
        looked_up=looked_up,
    )


FAR = a_hit(0.01)
NEAR = a_hit(min(NEED_BORDER, 1.0))


def needs(line: str, *before: str, best: Hit = FAR) -> bool:
    # What is newer of one matter comes first, however near the older is.
    return needs_memory(line, [FAR, best], before, now=NOON, zone=UTC)


@pytest.mark.parametrize(
    ("line", "before"),
    [
        ("好的，就这么办", ("就这么办好的",)),
        ("好，周五去看牙。", ("那周五去看牙好吗？",)),
        ("Thanks, let me try that plan.", ("Why not try that plan tonight? Thanks for asking.",)),
        ("Friday works for the dentist.", ("So the dentist works on Friday?",)),
    ],
)
def test_a_line_that_only_goes_on_and_comes_near_to_nothing_is_given_nothing(
    line: str, before: tuple[str, ...]
) -> None:
    assert not needs(line, *before)
    assert needs(line, *before, best=NEAR)


@pytest.mark.parametrize(
    "line",
    [
        "我妈妈住在哪里？",
        "我养的猫叫什么名字",
        "好的。对了，我几月去的北京？",
        "Where does my mother live?",
        "tell me what my cat is called",
        "Fine. By the way, when did I go to Beijing?",
        "我上次跟你说过的那家店我去了",
        "I went to the shop I told you about",
    ],
)
def test_whoever_asks_or_speaks_of_earlier_talk_is_told_whatever_was_said_before(
    line: str,
) -> None:
    assert needs(line, line, line)
    assert asks_for_memory(line, [], now=NOON, zone=UTC)


def test_what_had_to_be_looked_up_is_told() -> None:
    assert needs("团子来了", "团子来了", best=a_hit(0.01, looked_up=True))


def test_where_nothing_was_found_there_is_nothing_to_keep_back() -> None:
    assert needs_memory("好", [], ["好"], now=NOON + timedelta(days=1), zone=UTC)


def test_a_line_is_new_by_the_words_its_talk_has_not_had() -> None:
    assert newness("我买了一把吉他", ()) == 1.0
    assert newness("I bought a guitar", ("A guitar?", "Yes, bought today")) == 0.0
    assert 0.0 < newness("I bought a guitar and a drum", ("I bought a guitar",)) < 1.0
    assert newness("嗯", ()) in {0.0, 1.0}


def test_words_of_long_ago_in_a_talk_are_new_again() -> None:
    talk = ["I bought a guitar", *["Rain again"] * 8]
    assert newness("I bought a guitar", talk) == 1.0
    assert newness("I bought a guitar", talk[:-1]) == 0.0


def test_of_the_lines_since_her_last_reply_only_the_new_ones_are_answered() -> None:
    told = ("记住我对花生过敏", "我回来了", "饿了")
    window = [PromptLine("user", "主人", NOON, text) for text in told]
    shown = [PromptLine("assistant", "小祥", NOON, "在"), *window]

    assert [x.text for x in lines_answered(shown)] == list(told)
    assert [x.text for x in lines_answered(shown, 1)] == ["饿了"]
    assert [x.text for x in lines_answered(shown, 2)] == ["我回来了", "饿了"]


def test_in_a_group_what_one_member_wrote_in_one_go_is_answered_however_much_is_new() -> None:
    window = [
        PromptLine("user", "小波", NOON, "我也去"),
        PromptLine("user", "安安", NOON, "我爱喝冰茶"),
        PromptLine("user", "安安", NOON, "小祥，我爱喝什么？"),
    ]

    assert [x.text for x in lines_answered(window, 1)] == ["我爱喝冰茶", "小祥，我爱喝什么？"]


@pytest.mark.parametrize(
    ("talk", "said", "private", "before"),
    [
        ("a A b c", "b", True, "a A"),
        ("a A b c", "b", False, "a A c"),
        ("a A b c", "b c", True, "a A"),
        ("a A b c", "c", True, "a A b"),
        ("a A b c", "b d", True, "a A c"),
        ("a A b c", "d", True, "a A b c"),
        ("a b B c", "a", True, "b B"),
        ("a A b", "", True, "a A b"),
        ("a b", "a", True, ""),
        ("", "a", True, ""),
    ],
)
def test_what_waits_behind_a_line_was_not_said_before_it(
    talk: str, said: str, *, private: bool, before: str
) -> None:
    window = [
        a_message(each, text=each, role="assistant" if each.isupper() else "user")
        for each in talk.split()
    ]
    asked = [a_message(each, text=each) for each in said.split()]

    assert [e.text for e in said_before(window, asked, private=private)] == before.split()
