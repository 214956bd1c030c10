"""A correction that says only what is right puts that, and nothing else, in what was told."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from memory.text.corrections import (
    corrected,
    is_put_right,
    put_right,
    right_word,
    says_what_is_right,
)

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 3, 4, 12, tzinfo=ZONE)


@pytest.mark.parametrize(
    ("told", "said", "values", "now"),
    [
        ("主人生日是6月18", "说错了，是6月16", ("6月18",), "主人生日是6月16"),
        ("主人住在6栋502", "打错了，6栋205", ("6栋502",), "主人住在6栋205"),
        (
            "Ann's birthday is July 4th",
            "oops i meant July 14th",
            (),
            "Ann's birthday is July 14th",
        ),
        ("主人住在杭州", "口误，是湖州", ("杭州",), "主人住在湖州"),
        ("主人的女儿叫小雨", "不对，叫小语", (), "主人的女儿叫小语"),
        ("Ann lives in Bristol", "sorry, I meant Bath", ("Bristol",), "Ann lives in Bath"),
        ("Ann is 34", "sorry, 35!", (), "Ann is 35"),
        ("主人有两只猫", "不对，三只", (), "主人有三只猫"),
        ("主人下周三（2026-03-11）飞西安", "不对，是下周四", (), "主人下周四飞西安"),
        (
            "Ann's brother is called Emil",
            "No, I meant Elias, not Emil",
            (),
            "Ann's brother is called Elias",
        ),
        (
            "Ann's brother is called Emil",
            "no, his name is Elias, not Emil",
            (),
            "Ann's brother is called Elias",
        ),
        ("Ann's brother is called Emil", "Not Emil, Elias", (), "Ann's brother is called Elias"),
        (
            "Ann's brother is called Emil",
            "No, my brother is called Elias",
            (),
            "Ann's brother is called Elias",
        ),
        ("主人的弟弟叫大壮", "不对，我是说我弟弟叫小壮", (), "主人的弟弟叫小壮"),
        ("主人的弟弟叫大壮", "不对，我弟弟叫小壮", (), "主人的弟弟叫小壮"),
        ("主人的弟弟叫大壮", "错了，是小强", (), "主人的弟弟叫小强"),
        ("主人的弟弟叫大壮", "不对，他叫小壮，不叫大壮", (), "主人的弟弟叫小壮"),
        ("Ann's exam is on Tuesday (2026-03-10)", "sorry, Friday", (), "Ann's exam is on Friday"),
    ],
)
def test_the_right_word_takes_the_place_of_the_wrong_one(
    told: str, said: str, values: tuple[str, ...], now: str
) -> None:
    right = right_word(said)
    assert right is not None
    found = put_right(told, right, values, NOW, ZONE)
    assert found is not None
    assert found[0] == now
    assert is_put_right(now, told, right, values, NOW, ZONE)
    assert not is_put_right(f"{now}!", told, right, values, NOW, ZONE)


@pytest.mark.parametrize(
    "said",
    [
        "不对，我叫李鸣",
        "不对，我女儿叫我回家",
        "no wait, I'm moving to York",
        "sorry, she left",
        "今天真累",
        "Bath",
        "说错了吗？那天他来过，后来走了",
        "🙈",
        "",
    ],
)
def test_whoever_says_more_or_corrects_nothing_is_read_as_any_other(said: str) -> None:
    assert right_word(said) is None


@pytest.mark.parametrize(
    ("told", "said", "values"),
    [
        ("Ann lives in Bristol", "Sorry, Mum", ("Bristol",)),
        ("Ann lives in Bristol", "sorry, 35", ("Bristol",)),
        ("主人住在杭州", "口误，6月16", ("杭州",)),
        ("Ann lives in Bristol", "sorry, I meant bath time", ("Bristol",)),
        ("主人住在湖州", "口误，是湖州", ("湖州",)),
    ],
)
def test_a_word_of_another_kind_is_no_right_one(
    told: str, said: str, values: tuple[str, ...]
) -> None:
    right = right_word(said)
    assert right is not None
    assert put_right(told, right, values, NOW, ZONE) is None


@pytest.mark.parametrize(
    ("told", "said", "now"),
    [
        ("我妈住扬州", "说错了，我妈是住泰州，不是扬州", "我妈住泰州"),
        ("我妈住在扬州", "说错了，我妈是住泰州，不是扬州", "我妈住在泰州"),
        ("我妈住扬州", "说错了，我妈是住在泰州，不是扬州", "我妈住在泰州"),
        ("我妈住在扬州", "说错了，我妈是在泰州，不是扬州", "我妈住在泰州"),
        ("主人的妈妈住扬州", "说错了，是住泰州，不是扬州", "主人的妈妈住泰州"),
        ("主人老家在河南南阳", "说错了，是南昌，不是南阳", "主人老家在河南南昌"),
        ("主人老家在河南南阳", "说错了，老家是南昌，不是南阳", "主人老家在河南南昌"),
        ("my hometown is York", "sorry, my hometown is Hull, not York", "my hometown is Hull"),
        ("My mum lives in York", "sorry, it's in Hull, not York", "My mum lives in Hull"),
        ("My mum lives in York", "oops, mum lives in Hull, not York", "My mum lives in Hull"),
        ("My mum lives in York", "sorry, lives in Hull, not York", "My mum lives in Hull"),
    ],
)
def test_words_that_lead_up_to_a_value_are_not_told_twice(told: str, said: str, now: str) -> None:
    assert corrected(said, told, (), NOW, ZONE) == now
    right = right_word(said)
    found = put_right(told, right, (), NOW, ZONE) if right else (now, 1.0)
    assert found is not None
    assert found[0] == now


BAKER = "Fintan's got a girlfriend called Priya, she's a baker"


@pytest.mark.parametrize(
    ("told", "said", "now"),
    [
        ("主人的妈住在扬州", "说错了，我妈不是住扬州，是住泰州", "主人的妈住在泰州"),
        ("主人妈在扬州养老", "我妈不是住扬州，是住泰州", "主人妈在泰州养老"),
        ("主人爸住在扬州", "我妈不是住扬州，是住泰州", None),
        ("主人的妈住在扬州", "我不是住扬州，是住泰州", None),
        ("my mum lives in York", "sorry, my mum doesn't live in York, she lives in Hull", "Hull"),
        # Without a word of regret it may be a change of life.
        ("my mum lives in York", "my mum doesn't live in York, she lives in Hull", None),
        ("my mum lives in York", "sorry, she doesn't live in York, she lives in Hull", "in Hull"),
        ("my dad lives in York", "sorry, she doesn't live in York, she lives in Hull", None),
        ("I live in York", "sorry, she doesn't live in York, she lives in Hull", None),
        ("my dad lives in York", "sorry, my mum doesn't live in York, she lives in Hull", None),
        ("my mum lives in York", "I don't live in York, I live in Hull", None),
        # Whom it calls "she" itself is meant.
        (BAKER, "no wait, she's not a baker, she's a butcher", "called Priya, she's a butcher"),
        (BAKER, "no wait, she's not a baker but a butcher", "called Priya, she's a butcher"),
        (BAKER, "no wait, he's not a baker, he's a butcher", None),
        (BAKER, "no wait, she's not a nurse, she's a butcher", None),
        (BAKER, "no wait, I'm not a baker, I'm a butcher", None),
        ("the shop is run by a baker", "no wait, she's not a baker, she's a butcher", None),
        ("弟弟的女朋友叫雅雅，她是木工", "不对，她不是木工，是电工", "叫雅雅，她是电工"),
        ("弟弟是木工", "不对，她不是木工，是电工", None),
    ],
)
def test_what_is_denied_of_somebody_is_put_right_of_them(
    told: str, said: str, now: str | None
) -> None:
    right = corrected(said, told, (), NOW, ZONE)
    assert right is None if now is None else right is not None and right.endswith(now)


def test_what_names_another_puts_nothing_right() -> None:
    for told, said in (
        ("主人的妹妹叫小美", "不对，我弟弟叫小壮"),
        ("Ann's sister is called Mia", "No, my brother is called Elias"),
        ("Ann's sister is called Mia", "I meant Elias, not Emil"),
    ):
        right = right_word(said)
        assert right is not None
        assert put_right(told, right, (), NOW, ZONE) is None


@pytest.mark.parametrize(
    "row", ["no wait ", "不对，", "sorry ", "wait, no ", "错了", " ", "！", "it's "]
)
def test_a_row_of_words_that_put_right_is_read_at_once(row: str) -> None:
    text = f"{row * (4_000 // len(row))}x"

    # What tries every way to part the row would not end in a lifetime.
    right_word(text)
    says_what_is_right(text)
    assert corrected(text, "我妈六十八", (), NOW, ZONE) is None
