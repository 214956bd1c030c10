"""Times in both languages: what they mean, what is asked back, and every occurrence of a rule."""

import json
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from benchmarks.reminder_times import OPEN_SET, verdict
from memory.text.times import TimeDoubt, TimeSaid, in_zone, read_day, read_time, walls_after
from tests.fakes.cost import at_most

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 3, 4, 15, 20, tzinfo=SHANGHAI)


def test_strangers_requests_are_read_right_or_asked_back() -> None:
    """The open two thirds of 400 requests, written by somebody who had not seen the rules."""
    cases = [json.loads(line) for line in Path(OPEN_SET).read_text("utf-8").splitlines()]
    found = {case["id"]: verdict(case) for case in cases}

    assert [key for key, each in found.items() if each in {"wrong", "missed"}] == []
    assert sum(each == "right" for each in found.values()) >= 0.97 * len(cases)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("明天早上八点", "2026-03-05T08:00"),
        ("差五分钟六点", "2026-03-04T17:55"),
        ("三天后下午两点", "2026-03-07T14:00"),
        ("下个月3号上午十点", "2026-04-03T10:00"),
        ("这个月底晚上九点", "2026-03-31T21:00"),
        ("大后天中午", "2026-03-07T12:00"),
        ("农历八月十五晚上七点", "2026-09-25T19:00"),
        ("清明早上七点", "2026-04-05T07:00"),
        ("晚上十二点", "2026-03-05T00:00"),
        ("1小时20分钟后", "2026-03-04T16:40"),
        ("2027年1月1日零点", "2027-01-01T00:00"),
        ("at twenty past four", "2026-03-04T16:20"),
        ("in 1 hour and 20 minutes", "2026-03-04T16:40"),
        ("in 1.5 hours", "2026-03-04T16:50"),
        ("three days from now at noon", "2026-03-07T12:00"),
        ("on christmas eve at 6 pm", "2026-12-24T18:00"),
        ("a fortnight from tomorrow at 8am", "2026-03-19T08:00"),
        ("2027-01-05 at 7:45", "2027-01-05T07:45"),
        ("midnight tonight", "2026-03-05T00:00"),
        # By a clock elsewhere, on the day that it is here.
        ("tomorrow at 9am New York time", "2026-03-05T22:00"),
        ("tomorrow at 3 pm EST", "2026-03-06T04:00"),
        ("at 9am Tokyo time", "2026-03-05T08:00"),
        ("明天纽约时间上午九点", "2026-03-05T22:00"),
        ("伦敦时间明天下午三点", "2026-03-05T23:00"),
        ("明天北京时间上午九点", "2026-03-05T09:00"),
        ("tomorrow at 7 pm story time", "2026-03-05T19:00"),
        ("the day after my exam on the 20th at 8am", "2026-03-21T08:00"),
        ("an hour after the match on Saturday at 3pm", "2026-03-07T16:00"),
        # As it is dictated.
        ("on the twentieth of october at three in the afternoon", "2026-10-20T15:00"),
        ("on the twenty-first of november at nine in the morning", "2026-11-21T09:00"),
        ("on the thirty first of october at 8am", "2026-10-31T08:00"),
        ("october twentieth at 3pm", "2026-10-20T15:00"),
        ("on may the fifth at noon", "2026-05-05T12:00"),
        ("on the twelfth at noon", "2026-03-12T12:00"),
        # No day of a month.
        ("we may first meet at 3pm tomorrow", "2026-03-05T15:00"),
        ("the first thing tomorrow at 9am", "2026-03-05T09:00"),
        ("tomorrow at 9am to buy the second of the books", "2026-03-05T09:00"),
        ("tomorrow at 9am for the third time", "2026-03-05T09:00"),
    ],
)
def test_once(text: str, at: str) -> None:
    found = read_time(text, NOW, SHANGHAI)

    assert isinstance(found, TimeSaid)
    assert (found.at.replace(tzinfo=None), found.rule) == (datetime.fromisoformat(at), "")


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("明天", "hour"),
        ("周末", "hour"),
        ("改天", "hour"),
        ("今天早上八点", "past"),
        ("明天六点", "half"),
        ("明天三点或者四点", "several"),
        ("没有时间的话", "time"),
        ("tomorrow", "hour"),
        ("tomorrow at six", "half"),
        ("this morning at 8", "past"),
        ("nothing of a time", "time"),
        ("every week at 8 am", "day"),
        ("昨天", "past"),
        ("上周五九点", "past"),
        ("2月30号", "day"),
        ("每月32号9点", "day"),
        ("每年2月30日9点", "day"),
        ("on feb 30 every year at 9 am", "day"),
        ("tomorrow at 9am Lisbon time", "zone"),
        ("明天他那边时间九点", "zone"),
        ("every day at 9am Tokyo time", "zone"),
        ("每天纽约时间上午九点", "zone"),
        ("the day after my birthday at 9", "event"),
        ("the second day after my exam at 9am", "unread"),
        ("半小时后和一小时后", "several"),
        ("in half an hour and in an hour", "several"),
        ("明天早上八点和晚上八点", "several"),
        ("tomorrow at 8am and 8pm", "several"),
        ("周二和周四上午九点", "several"),
        ("明天和后天早上八点", "several"),
        ("下个月最后一个工作日下午3点", "day"),
        ("每月最后一个工作日下午3点", "day"),
        ("每月第一个工作日上午9点", "day"),
        ("节后第一个工作日上午九点", "unread"),
        ("on the last working day of the month at 3pm", "unread"),
        ("on the first business day of next month at 9", "day"),
    ],
)
def test_what_two_people_might_read_differently_is_asked(text: str, missing: str) -> None:
    found = read_time(text, NOW, SHANGHAI)

    assert isinstance(found, TimeDoubt)
    assert found.missing == missing


@pytest.mark.parametrize(
    "text",
    [
        "整个四月每天早上七点",
        "明天起十五天每晚九点",
        "廿三晚上八点",
        "每天八点，除了周日",
        "每天早上七点到九点每小时",
        "easter morning at 7 am",
        "in mid april at 9am",
        "at 9am the first week of may",
        "every day at 8am except sundays",
        # What no clock comes to, and no calendar holds.
        "every 0 minutes",
        "every 0 hours",
        "every 0 days at 8 am",
        "每隔0分钟",
        "13月1号",
        "每9999999999分钟",
        "9999999999天后",
        "in 9999999999 days",
        "every day at 8 am for 9999999999 days",
    ],
)
def test_a_word_of_time_that_no_rule_took_leaves_nothing_set(text: str) -> None:
    found = read_time(text, NOW, SHANGHAI)

    assert isinstance(found, TimeDoubt)
    assert found.missing == "unread"


NUMBERS = ("9" * 12, "9" * 30, "0" * 30 + "5", "9" * 5_000, "９" * 5_000, "九" * 5_000)
"""Numbers as long as a message may be; Python reads none of more than 4,300 digits."""


@pytest.mark.parametrize("number", NUMBERS, ids=lambda each: f"{each[0]}x{len(each)}")
@pytest.mark.parametrize(
    "text",
    [
        "{}分钟后提醒我喝水", "明天早上8点，{}天后", "每{}天早上8点", "每月{}号8点",
        "连续{}天早上8点", "周五{}点", "{}点半", "3月{}号8点", "农历{}月初一", "{}年后的今天",
        "从{}月到{}月", "remind me in {} minutes", "in {} days", "every {} days at 8am",
        "in {}.5 hours", "tomorrow at 8, in {} days",
    ],
)  # fmt: skip
def test_a_number_beyond_every_calendar_sets_nothing_and_takes_no_time(
    text: str, number: str
) -> None:
    said = text.format(number, number)
    with at_most(0.5):
        found = read_time(said, NOW, SHANGHAI)
        read_day(said, NOW, SHANGHAI)

    assert isinstance(found, TimeDoubt)


def test_a_long_number_beside_a_time_does_it_no_harm() -> None:
    for matter in ("打4008123123", "输入4111111111111111", "寄快递773012345678901"):
        found = read_time(f"明天早上八点{matter}", NOW, SHANGHAI)

        assert isinstance(found, TimeSaid)
        assert found.at == datetime(2026, 3, 5, 8, tzinfo=SHANGHAI)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("5 april 17:45 easter party", "2026-04-05T17:45"),
        ("12月25日晚上六点 圣诞第二天", "2026-12-25T18:00"),
        ("下午四点三个字", "2026-03-04T16:15"),
        ("零点零五分", "2026-03-05T00:05"),
        ("明早八点带三天的药", "2026-03-05T08:00"),
        ("tomorrow at 9 am buy a 3 day pass", "2026-03-05T09:00"),
    ],
)
def test_what_only_stands_in_the_matter_does_no_harm(text: str, at: str) -> None:
    found = read_time(text, NOW, SHANGHAI)

    assert isinstance(found, TimeSaid)
    assert found.at.replace(tzinfo=None) == datetime.fromisoformat(at)


@pytest.mark.parametrize("zone", ["America/New_York", "Europe/London", "Asia/Shanghai"])
@pytest.mark.parametrize(
    ("text", "hours", "count"),
    [
        ("每天早上八点", {(8, 0)}, 365),
        ("every day at 2:30 am", {(2, 30)}, 365),
        ("每个工作日下午六点", {(18, 0)}, 261),
        ("every other monday at 7 am", {(7, 0)}, 26),
        ("每月最后一天晚上八点", {(20, 0)}, 12),
    ],
)
def test_a_year_keeps_every_hour_of_the_wall_clock(
    zone: str, text: str, hours: set[tuple[int, int]], count: int
) -> None:
    here = ZoneInfo(zone)
    begin = datetime(2026, 1, 1, tzinfo=here)
    found = read_time(text, begin, here)
    assert isinstance(found, TimeSaid)
    start = found.at.astimezone(here).replace(tzinfo=None)
    walls = walls_after(found.rule, start, start - timedelta(seconds=1))
    year = [wall for wall in islice(walls, 400) if wall.year == 2026]
    instants = [in_zone(wall, here) for wall in year]

    assert abs(len(year) - count) <= 1
    assert instants == sorted(set(instants))
    shown = {(at.hour, at.minute) for at in instants}
    # On one night of spring half past two is left out, and it is half past three by then.
    assert shown - hours <= {(3, 30)} if hours == {(2, 30)} else shown == hours
    assert sum((at.hour, at.minute) not in hours for at in instants) <= 1


def test_the_moon_brings_its_days_back_every_year() -> None:
    found = read_time("每年农历八月十五晚上七点", NOW, SHANGHAI)
    assert isinstance(found, TimeSaid)
    start = found.at.replace(tzinfo=None)
    walls = islice(walls_after(found.rule, start, start - timedelta(seconds=1)), 3)

    assert [f"{wall:%Y-%m-%d %H}" for wall in walls] == [
        "2026-09-25 19",
        "2027-09-15 19",
        "2028-10-03 19",
    ]
