"""A value is put right as a whole, in the one place that is meant, and by one of its kind."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from memory.offline.by_slot import says_no_more
from memory.offline.lines_at_hand import names_what_changed
from memory.recall.query_terms import telling_terms
from memory.text.correction_forms import told_rightly
from memory.text.corrections import corrected, put_right, right_word, says_only_right
from memory.text.dates import absolute_dates
from memory.text.word_forms import whole_places

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 3, 4, 12, tzinfo=ZONE)


@pytest.mark.parametrize(
    ("word", "text", "found"),
    [
        ("周", "我姓周，叫周建国", "周"),
        ("周", "主人儿子周磊在成都上大学", ""),
        ("周", "主人的弟弟叫周建军", ""),
        ("建国", "主人叫周建国", ""),
        ("磊", "主人儿子周磊在成都", ""),
        ("李明", "主人的弟弟叫李明明", ""),
        ("李明", "主人的弟弟叫李明", "李明"),
        ("糯米", "主人家猫叫糯米团", ""),
        ("團子", "主人家猫叫团子", "团子"),
        ("八", "女儿十八岁", ""),
        ("六十七", "主人妈妈六十七岁", "六十七"),
        ("杭州", "主人住在杭州", "杭州"),
        ("猫", "主人养了一只猫", "猫"),
        ("Ann", "Anna is my sister", ""),
        ("ann", "Anna met Ann's mum", "Ann"),
        ("Tom", "Tomas", ""),
        ("Ann", "Ann-Marie", ""),
        ("8", "I am 18", ""),
        ("5", "it costs 4.5", ""),
        ("", "nothing", ""),
    ],
)
def test_a_word_is_found_as_a_whole_only(word: str, text: str, found: str) -> None:
    assert "".join(text[start:end] for start, end in whole_places(word, text)) == found


@pytest.mark.parametrize(
    ("told", "said", "now"),
    [
        ("my friend: college day is tuesday", "that's wrong, it's Thursday", "Thursday"),
        ("my friend: college day is tuesday", "no, not Tuesday, Thursday", "Thursday"),
        ("my friend: college day is tuesday", "no, not tuesday, thursday", "thursday"),
        ("my friend: college day is tuesday", "no, it's on Thursday not tuesday", "Thursday"),
        ("主人周二上瑜伽课", "不对，是周三", "主人周三上瑜伽课"),
        ("the meeting is at 3pm", "no wait, it's 4:30", "at 4:30pm"),
        ("I am 18", "that's wrong, it's 8", "I am 8"),
        ("Tomas lives with Tom", "no, it's Tim, not Tom", "Tomas lives with Tim"),
        (
            "my friend's boss is called Darren",
            "actually my boss isnt called Darren his name is Darran with an a",
            "boss is called Darran",
        ),
        (
            "my friend's boss is called Darren",
            "my boss isn't called Darren, it's Darran",
            "Darran",
        ),
        ("主人的老板叫李明", "我老板不叫李明，叫李鸣", "主人的老板叫李鸣"),
        ("主人的老板叫李明", "不对，我老板不叫李明叫李鸣，一鸣惊人的鸣", "主人的老板叫李鸣"),
        ("主人的老板叫李明", "我老板不是李明，是李鸣", "主人的老板叫李鸣"),
    ],
)
def test_a_value_gives_way_to_one_of_its_kind(told: str, said: str, now: str) -> None:
    found = corrected(said, told, ("college day",), NOW, ZONE)
    assert found is not None
    assert found.endswith(now)


@pytest.mark.parametrize(
    ("told", "said", "values"),
    [
        ("主人的弟弟叫周建军", "不对，是周建国，不是周", ("周建军",)),
        ("主人姓周，叫周建国", "不对，是周建国，不是周", ("周",)),
        ("my friend: college is at Leeds", "that's wrong, it's Thursday", ("Leeds",)),
        ("Anna is my sister", "no, it's Amy, not Ann", ("Anna",)),
        ("I am 18", "no, it's 9, not 8", ("18",)),
        ("主人女儿十八岁", "不对，是九，不是八", ()),
        ("Tom is Tom's son", "no, it's Tim, not Tom", ()),
        ("I live in Bristol, work at Boots", "that's wrong, it's Bath", ("Bristol", "Boots")),
        ("Ann lives in Bristol", "no, it's Tuesday, not Bristol", ("Bristol",)),
    ],
)
def test_where_no_whole_value_is_meant_nothing_changes(
    told: str, said: str, values: tuple[str, ...]
) -> None:
    right = right_word(said)
    assert corrected(said, told, values, NOW, ZONE) is None
    assert right is None or put_right(told, right, values, NOW, ZONE) is None


def test_she_asks_of_what_only_where_something_is_put_right() -> None:
    assert says_only_right("不对，是周建国，不是周")
    assert says_only_right("that's wrong, it's Thursday")
    assert not says_only_right("no, it's fine")
    assert not says_only_right("不是吧，这么难")


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("college day is tuesday", False),
        ("my day off is friday", False),
        ("垃圾日是周四", False),
        ("瑜伽课是周五", False),
        ("my exam is on friday", True),
        ("my wedding day is saturday", True),
        ("家长会是周四", True),
    ],
)
def test_a_weekly_day_is_bound_to_no_date(text: str, *, bound: bool) -> None:
    assert ("2026" in absolute_dates(text, NOW, ZONE)) is bound


def test_a_name_denied_is_told_as_the_right_one() -> None:
    said = "actually my boss isnt called Darren his name is Darran with an a"
    assert told_rightly(said) == "my boss is called Darran"
    assert told_rightly("我老板不叫李明，叫李鸣") == "我老板叫李鸣"


@pytest.mark.parametrize(
    ("since", "known", "asked", "changed"),
    [
        ("my nans dog biscuit died today", "I live with my nan and her dog biscuit", "who?", True),
        ("老何昨天还钱了", "老何还欠我三百块钱", "老何还欠我钱吗", True),
        ("老何还没还钱", "老何还欠我三百块钱", "老何还欠我钱吗", False),
        ("老李昨天还钱了", "老何还欠我三百块钱", "老何还欠我钱吗", False),
        ("Tom paid me back", "Tom owes me 50 quid", "does Tom still owe me money?", True),
    ],
)
def test_what_ended_a_matter_is_known_by_whom_it_names(
    since: str, known: str, asked: str, *, changed: bool
) -> None:
    words = frozenset(telling_terms(known) | telling_terms(asked))
    assert names_what_changed(since, words, known, asked) is changed


def test_what_is_studied_no_more_is_over() -> None:
    assert says_no_more("儿子不学土木了，转到计算机系了", "主人儿子学土木")
    assert says_no_more("my son doesn't study law any more", "my friend's son studies law")
    assert not says_no_more("女儿不学土木了", "主人儿子学土木")
    assert not says_no_more("儿子不学了", "主人儿子学土木")
