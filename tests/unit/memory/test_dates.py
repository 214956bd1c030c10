from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from memory.text.dates import absolute_dates, date_spans

SHANGHAI = ZoneInfo("Asia/Shanghai")
SATURDAY = datetime(2026, 1, 3, 4, 0, tzinfo=UTC)
WEDNESDAY = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)


def days(text: str, now: datetime = WEDNESDAY) -> list[tuple[str, str]]:
    """Return the first and last day of each stretch a text means."""
    return [
        (span.start.date().isoformat(), date.fromordinal(span.end.toordinal() - 1).isoformat())
        for span in date_spans(text, now, SHANGHAI)
    ]


@pytest.mark.parametrize("text", ["通过年度会议定下来", "最近一次看海", "超过年级平均"])
def test_what_only_looks_like_a_date_is_none(text: str) -> None:
    assert days(text) == []


def only(text: str, now: datetime = WEDNESDAY) -> tuple[str, str]:
    (found,) = days(text, now)
    return found


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("今天吃了什么", "2026-03-04", "2026-03-04"),
        ("昨晚聊了什么", "2026-03-03", "2026-03-03"),
        ("大前天", "2026-03-01", "2026-03-01"),
        ("上周三做了什么", "2026-02-25", "2026-02-25"),
        ("这周五", "2026-03-06", "2026-03-06"),
        ("下下周一", "2026-03-16", "2026-03-16"),
        ("上个星期", "2026-02-23", "2026-03-01"),
        ("上周末去哪了", "2026-02-28", "2026-03-01"),
        ("我周末做什么了？", "2026-02-28", "2026-03-01"),
        ("周末我去了哪里", "2026-02-28", "2026-03-01"),
        ("周末做什么", "2026-03-07", "2026-03-08"),
        ("周五那天", "2026-02-27", "2026-02-27"),
        ("上个月底", "2026-02-21", "2026-02-28"),
        ("上上个月", "2026-01-01", "2026-01-31"),
        ("去年夏天", "2025-06-01", "2025-08-31"),
        ("前年国庆", "2024-09-29", "2024-10-08"),
        ("2025年春节", "2025-01-21", "2025-02-25"),
        ("2025年春天", "2025-03-01", "2025-05-31"),
        ("过年那阵", "2026-01-21", "2026-02-25"),
        ("去年", "2025-01-01", "2025-12-31"),
        ("二〇二四年五月", "2024-05-01", "2024-05-31"),
        ("2025年5月12日", "2025-05-12", "2025-05-12"),
        ("2025-05-12", "2025-05-12", "2025-05-12"),
        ("5月12号", "2025-05-12", "2025-05-12"),
        ("3月5日到8日", "2025-03-05", "2025-03-08"),
        ("1月中旬", "2026-01-11", "2026-01-20"),
        ("十二月三号", "2025-12-03", "2025-12-03"),
        ("第三季度", "2025-07-01", "2025-09-30"),
        ("三天前", "2026-03-01", "2026-03-01"),
        ("两周前", "2026-02-18", "2026-02-18"),
        ("三个月前", "2025-12-01", "2025-12-31"),
        ("最近一个月", "2026-02-02", "2026-03-04"),
    ],
)
def test_a_chinese_date_means_its_days(text: str, first: str, last: str) -> None:
    assert only(text) == (first, last)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("What did we do yesterday?", "2026-03-03", "2026-03-03"),
        ("the day before yesterday", "2026-03-02", "2026-03-02"),
        ("last Friday", "2026-02-27", "2026-02-27"),
        ("last Wednesday", "2026-02-25", "2026-02-25"),
        ("this Friday", "2026-03-06", "2026-03-06"),
        ("next Friday", "2026-03-13", "2026-03-13"),
        ("last weekend", "2026-02-28", "2026-03-01"),
        ("last month", "2026-02-01", "2026-02-28"),
        ("last summer", "2025-06-01", "2025-08-31"),
        ("in the summer of 2023", "2023-06-01", "2023-08-31"),
        ("on 7 May 2023", "2023-05-07", "2023-05-07"),
        ("on May 7th, 2023", "2023-05-07", "2023-05-07"),
        ("in October 2023", "2023-10-01", "2023-10-31"),
        ("in early June 2024", "2024-06-01", "2024-06-10"),
        ("in June", "2025-06-01", "2025-06-30"),
        ("in 2022", "2022-01-01", "2022-12-31"),
        ("two days ago", "2026-03-02", "2026-03-02"),
        ("a week ago", "2026-02-25", "2026-02-25"),
        ("last Christmas", "2025-12-23", "2025-12-27"),
        ("we met on the twentieth of october", "2025-10-20", "2025-10-20"),
        ("my birthday is may the first", "2025-05-01", "2025-05-01"),
        ("on June twenty-second, 2024", "2024-06-22", "2024-06-22"),
    ],
)
def test_an_english_date_means_its_days(text: str, first: str, last: str) -> None:
    assert only(text) == (first, last)


@pytest.mark.parametrize(
    "text",
    [
        "May I ask you?",
        "we may first go there",
        "the third of us",
        "我喜欢拉面",
        "每周三游泳",
        "",
        "march on",
        "0月40日",
        "😀 12:30",
    ],
)
def test_a_text_without_a_date_means_none(text: str) -> None:
    assert days(text) == []


def test_what_was_said_without_a_year_means_the_newest_that_has_begun() -> None:
    assert only("6月", datetime(2025, 12, 31, tzinfo=UTC))[0] == "2025-06-01"
    assert only("6月", datetime(2026, 5, 31, tzinfo=UTC))[0] == "2025-06-01"
    assert only("6月", datetime(2026, 6, 2, tzinfo=UTC))[0] == "2026-06-01"


def test_today_is_the_day_in_the_zone_of_the_one_who_asks() -> None:
    late = datetime(2026, 3, 4, 17, 0, tzinfo=UTC)  # already the fifth in Shanghai
    assert only("昨天", late) == ("2026-03-04", "2026-03-04")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("明天要面试", "明天（2026-01-04）要面试"),
        ("后天和大后天休息", "后天（2026-01-05）和大后天（2026-01-06）休息"),
        ("昨天、前天都在加班", "昨天（2026-01-02）、前天（2026-01-01）都在加班"),
        ("下周三去体检", "下周三（2026-01-07）去体检"),
        ("上个月搬的家", "上个月（2025-12）搬的家"),
        ("下个月去日本", "下个月（2026-02）去日本"),
        ("周末去爬山", "周末（2026-01-03~2026-01-04）去爬山"),
        ("10天后交稿", "10天后（2026-01-13）交稿"),
        ("三天前感冒了", "三天前（2025-12-31）感冒了"),
        ("两周后考试", "两周后（2026-01-17）考试"),
        ("deadline改到周五了", "deadline改到周五（2026-01-09）了"),
    ],
)
def test_a_relative_date_is_written_out_in_chinese(text: str, written: str) -> None:
    assert absolute_dates(text, SATURDAY, SHANGHAI) == written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("I start tomorrow", "I start tomorrow (2026-01-04)"),
        ("see you next Friday", "see you next Friday (2026-01-09)"),
        ("the exam is in two weeks", "the exam is in two weeks (2026-01-17)"),
        ("we moved last month", "we moved last month (2025-12)"),
        ("I was ill three days ago", "I was ill three days ago (2025-12-31)"),
        ("we met last year", "we met last year (2025)"),
        ("主人 says she leaves tomorrow", "主人 says she leaves tomorrow (2026-01-04)"),
        ("im fasting tmrw", "im fasting tmrw (2026-01-04)"),
        ("my flight is Friday", "my flight is Friday (2026-01-09)"),
        ("she left yday", "she left yday (2026-01-02)"),
    ],
)
def test_a_relative_date_is_written_out_in_english(text: str, written: str) -> None:
    assert absolute_dates(text, SATURDAY, SHANGHAI) == written


@pytest.mark.parametrize(
    "text", ["2026年5月1日结婚", "我喜欢拉面", "on 7 May 2023", "生日是3月5日"]
)
def test_a_date_that_is_absolute_already_is_left_alone(text: str) -> None:
    assert absolute_dates(text, SATURDAY, SHANGHAI) == text


def test_writing_a_date_out_twice_changes_nothing_more() -> None:
    once = absolute_dates("明天要面试", SATURDAY, SHANGHAI)
    assert absolute_dates(once, SATURDAY, SHANGHAI) == once


@pytest.mark.parametrize(
    ("text", "written"),
    [
        # What was done at the weekend was done at the last one.
        ("周末跟表弟去了莫干山", "周末（2026-02-28~2026-03-01）跟表弟去了莫干山"),
        ("我周末去看了我爸，他还好", "我周末（2026-02-28~2026-03-01）去看了我爸，他还好"),
        ("这周末爬了山", "这周末（2026-02-28~2026-03-01）爬了山"),
        ("周末去过苏州", "周末（2026-02-28~2026-03-01）去过苏州"),
        ("I went to Skye at the weekend", "I went to Skye at the weekend (2026-02-28~2026-03-01)"),
        (
            "We visited my dad over the weekend",
            "We visited my dad over the weekend (2026-02-28~2026-03-01)",
        ),
        # What is to be done, and what was arranged for it, is of the coming one.
        ("周末去爬山", "周末（2026-03-07~2026-03-08）去爬山"),
        ("周末要去爬山了", "周末（2026-03-07~2026-03-08）要去爬山了"),
        ("周末约了表弟吃饭", "周末（2026-03-07~2026-03-08）约了表弟吃饭"),
        ("周末过来吃饭", "周末（2026-03-07~2026-03-08）过来吃饭"),
        ("周末吃了饭再去", "周末（2026-03-07~2026-03-08）吃了饭再去"),
        ("票买了，周末去爬山", "票买了，周末（2026-03-07~2026-03-08）去爬山"),
        ("I teach at the weekend", "I teach at the weekend"),
        ("I'm going to Skye at the weekend", "I'm going to Skye at the weekend"),
        ("she said she will call at the weekend", "she said she will call at the weekend"),
        ("上周末去了苏州", "上周末（2026-02-28~2026-03-01）去了苏州"),
    ],
)
def test_a_weekend_that_is_over_is_the_last_one(text: str, written: str) -> None:
    assert absolute_dates(text, WEDNESDAY, SHANGHAI) == written
    assert absolute_dates(written, WEDNESDAY, SHANGHAI) == written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("下周六3月14号我生日", "下周六3月14号（2026-03-14）我生日"),
        ("下周六，3月14日，我生日", "下周六，3月14日（2026-03-14），我生日"),
        ("明天是3月5号", "明天是3月5号（2026-03-05）"),
        ("tomorrow, March 5, I fly", "tomorrow, March 5 (2026-03-05), I fly"),
        # Another day, or one that is told of apart, is another.
        ("明天和3月5号都有课", "明天（2026-03-05）和3月5号都有课"),
        ("下周六3月15号开会", "下周六（2026-03-14）3月15号开会"),
        ("我生日是3月14号，下周六", "我生日是3月14号，下周六（2026-03-14）"),
        ("下周六我生日", "下周六（2026-03-14）我生日"),
    ],
)
def test_a_day_that_is_named_twice_is_written_once(text: str, written: str) -> None:
    assert absolute_dates(text, WEDNESDAY, SHANGHAI) == written
    assert absolute_dates(written, WEDNESDAY, SHANGHAI) == written


def test_what_was_done_at_the_weekend_may_have_been_done_today() -> None:
    today = "周末（2026-01-03~2026-01-04）去了苏州"
    assert absolute_dates("周末去了苏州", SATURDAY, SHANGHAI) == today
    here = "I went home at the weekend (2026-01-03~2026-01-04)"
    assert absolute_dates("I went home at the weekend", SATURDAY, SHANGHAI) == here
