"""What somebody says that she may come back to, and what gives no occasion."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from memory.initiative.occasions import (
    calls_off,
    is_of_another,
    occasions_in,
    occasions_said,
    promise_of_hers,
    tells_of,
)
from tests.builders import a_message

ZONE = ZoneInfo("Asia/Shanghai")
AT = datetime(2026, 3, 3, 1, 0, tzinfo=UTC)
"""Nine in the morning in Shanghai, a Tuesday."""


@pytest.mark.parametrize(
    ("said", "kind", "about", "day"),
    [
        ("明天下午三点我有个面试，好紧张", "follow_up", "interview", date(2026, 3, 4)),
        ("我女儿下周一中考", "follow_up", "exam", date(2026, 3, 9)),
        ("我后天要做胃镜", "follow_up", "health", date(2026, 3, 5)),
        ("我下周三要去北京出差", "follow_up", "trip", date(2026, 3, 11)),
        ("我们周六搬家", "follow_up", "move", date(2026, 3, 7)),
        ("I have an exam on Friday", "follow_up", "exam", date(2026, 3, 6)),
        ("I'm going to the dentist tomorrow", "follow_up", "health", date(2026, 3, 4)),
        ("presentation on Thursday at 3pm, wish me luck", "follow_up", "stage", date(2026, 3, 5)),
        ("We fly to Lisbon next Tuesday", "follow_up", "trip", date(2026, 3, 10)),
        ("我答应明天晚上给妈妈打电话", "promise", "promise", date(2026, 3, 4)),
        ("报告周五要交", "promise", "promise", date(2026, 3, 6)),
        ("I promised Tom the report by Thursday", "promise", "promise", date(2026, 3, 5)),
        ("我的生日是6月12号", "day", "own_birthday", date(2026, 6, 12)),
        ("妈妈的生日是3月5日", "day", "birthday", date(2026, 3, 5)),
        ("我们的结婚纪念日是10月1日", "day", "anniversary", date(2026, 10, 1)),
        ("我今天接到电话，我爸下周三要做CT复查", "follow_up", "health", date(2026, 3, 11)),
        ("面试改到周五了", "follow_up", "interview", date(2026, 3, 6)),
        ("我今晚有个面试", "follow_up", "interview", date(2026, 3, 3)),
        ("My birthday is on 4 May", "day", "own_birthday", date(2026, 5, 4)),
        ("my mum's birthday is on 12 April", "day", "birthday", date(2026, 4, 12)),
        ("3月12日是我和阿哲的结婚纪念日", "day", "anniversary", date(2026, 3, 12)),
        ("帮我记一下，3月15日是我和阿哲的订婚纪念日", "day", "anniversary", date(2026, 3, 15)),
        ("我儿子农历八月初八生日", "day", "birthday", date(2026, 9, 18)),
        ("我1990年3月5日出生", "day", "own_birthday", date(2026, 3, 5)),
        ("I was born on 5 March 1990", "day", "own_birthday", date(2026, 3, 5)),
    ],
)
def test_a_sentence_gives_an_occasion(said: str, kind: str, about: str, day: date) -> None:
    (found,) = occasions_in(said, AT, ZONE)

    assert (found.kind, found.about) == (kind, about)
    assert found.day is not None
    assert found.day.day == day


@pytest.mark.parametrize("said", ["我发烧了，39度", "孩子发烧了", "I have the flu"])
def test_an_illness_has_no_day(said: str) -> None:
    (found,) = occasions_in(said, AT, ZONE)

    assert (found.about, found.day) == ("illness", None)


@pytest.mark.parametrize(
    "said",
    [
        "明天的面试取消了",
        "昨天面试挺顺利的",
        "今天面试完了，感觉还行",
        "如果明天面试过了就好了",
        "明天要不要去面试？",
        "她说明天有面试",
        "我每天都考试",
        "明天天气真好",
        "同事感冒了",
        "昨晚梦见明天考试",
        "I had an interview yesterday",
        "I won't go to the interview tomorrow",
        "should I go to the interview tomorrow?",
        "if I pass the exam on Friday we celebrate",
        "my brother and I talked",
        "今天想和你聊聊我的旅行计划",
        "今天我参加了一个聚会，认识了新朋友",
        "等待期就是生效后一段时间内生病不赔",
        "店铺是那种带点工业风的潮流感",
        "流感疫苗约好了吗",
        "我女儿没发烧，就是流鼻涕",
        "明天给妈妈买生日礼物",
        "今晚做的鱼家人都说好吃",
        "苏轼1037年1月8日出生",
    ],
)
def test_what_is_over_refused_supposed_or_told_of_is_none(said: str) -> None:
    assert occasions_in(said, AT, ZONE) == ()


def test_whose_day_it_is_is_kept_in_their_words() -> None:
    told = ["我女朋友生日是下周六", "小明的生日是7月2日", "my mum's birthday is on 12 April"]
    found = [occasions_in(each, AT, ZONE)[0].what for each in told]

    assert found == ["女朋友的生日", "小明的生日", "your mum's birthday"]


def test_a_birthday_by_the_moon_keeps_its_month_and_day() -> None:
    (found,) = occasions_in("我妈妈农历八月十五生日", AT, ZONE)

    assert found.day is not None
    assert found.day.moon == (8, 15)
    assert found.day.day == date(2026, 9, 25)


def test_what_asks_for_a_reminder_or_is_quoted_is_none() -> None:
    asked = a_message("1", at=AT, text="明天下午三点提醒我去面试")
    quoted = a_message("2", at=AT, text="小李发消息说：“我明天有个面试”")

    assert occasions_said([asked], (), ZONE) == ()
    assert occasions_said([quoted], (), ZONE) == ()


def test_she_keeps_her_own_promises_in_mind() -> None:
    zh = promise_of_hers("好呀，我明天给你讲个故事。", AT, ZONE)
    en = promise_of_hers("Sleep well! I'll tell you a story tomorrow.", AT, ZONE)

    assert zh is not None
    assert zh.about == "hers"
    assert zh.text == "我明天给你讲个故事"
    assert en is not None
    assert promise_of_hers("明天见。", AT, ZONE) is None


def test_what_tells_of_it_or_calls_it_off_is_known() -> None:
    assert tells_of("面试过了！", "interview")
    assert tells_of("the exam was easy", "exam")
    assert not tells_of("今天吃了面", "interview")
    assert calls_off("面试改到周五了")
    assert calls_off("the match was cancelled")
    assert not calls_off("面试好紧张")


@pytest.mark.parametrize(
    "said",
    [
        "我朋友小李明天有个面试",
        "下周一我姐要做手术",
        "小李明天面试",
        "我今天接到电话，我爸下周三要做CT复查",
        "明天陪我妈去做检查",
        "孩子发烧了",
        "Tom has surgery on Monday",
        "Tom's exam is on Friday",
        "my sister has an exam tomorrow",
        "my son has a fever",
    ],
)
def test_what_is_somebody_elses_is_known_to_be(said: str) -> None:
    (found,) = occasions_in(said, AT, ZONE)

    assert is_of_another(found.text, found.about)
    assert found.what == ""


@pytest.mark.parametrize(
    "said",
    [
        "明天下午三点我有个面试，好紧张",
        "周六我跟我姐去旅行",
        "明天和女朋友去旅行",
        "妈妈明天陪我去面试",
        "小组面试在明天",
        "我发烧了，39度",
        "My wife and I fly to Lisbon on Friday",
        "my doctor's appointment is on Friday",
        "presentation on Thursday at 3pm, wish me luck",
    ],
)
def test_what_is_done_with_others_is_the_partners_own(said: str) -> None:
    (found,) = occasions_in(said, AT, ZONE)

    assert not is_of_another(found.text, found.about)
