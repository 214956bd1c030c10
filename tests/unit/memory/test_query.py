"""What a question is understood to ask: which times, which names, which parts of its words."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from memory.changes import DiaryLine
from memory.recall.index import PassageIndex
from memory.recall.query import (
    NEAR_SHARE,
    Query,
    asks_how_many,
    asks_name,
    asks_when,
    parse_query,
    share_asked,
)
from tests.builders import a_memory, a_message

SHANGHAI = ZoneInfo("Asia/Shanghai")
WEDNESDAY = datetime(2025, 12, 31, 4, 0, tzinfo=UTC)
NEW_YEAR = datetime(2026, 1, 1, 4, 0, tzinfo=UTC)


def asked(text: str, now: datetime = WEDNESDAY, *speakers: str) -> Query:
    said = [a_memory(1, "随便聊聊", at=WEDNESDAY)]
    index = PassageIndex.of(said, SHANGHAI)
    for number, name in enumerate(speakers, start=1):
        hers = a_message(f"by{number}", "嗯", at=WEDNESDAY, speaker=name)
        index.put_line(DiaryLine(message=hers, number=number))
    return parse_query(text, index, now)


def starts(text: str, now: datetime = WEDNESDAY) -> list[str]:
    return [span.start.date().isoformat() for span in asked(text, now).spans]


@pytest.mark.parametrize("text", ["下周有什么安排", "周末通常做什么", "考完试两天后收到了什么"])
def test_a_time_to_come_is_not_when_something_was_told(text: str) -> None:
    assert starts(text) == []


def test_what_happened_lately_in_a_month_that_is_named_is_of_that_month() -> None:
    assert starts("2025年3月聊天时得知阿青最近怎么了") == ["2025-03-01"]
    assert starts("阿青最近怎么了") == ["2025-12-10"]


def test_in_its_first_days_a_month_may_be_that_of_the_year_before() -> None:
    assert starts("1月份学了什么", NEW_YEAR) == ["2026-01-01", "2025-01-01"]
    assert starts("12月学了什么") == ["2025-12-01"]


@pytest.mark.parametrize("text", ["这个月做了什么", "今年做了什么", "what did I do this month"])
def test_this_month_is_never_an_earlier_one(text: str) -> None:
    assert starts(text, NEW_YEAR) == ["2026-01-01"]


def test_a_chinese_name_is_looked_for_in_the_text_too_and_an_english_one_only_as_speaker() -> None:
    chinese = asked("和老陈聊了什么电影", WEDNESDAY, "老陈")
    assert chinese.speakers == ("老陈",)
    assert "老陈" in chinese.terms
    english = asked("Which film did Anna like", WEDNESDAY, "Anna")
    assert english.speakers == ("Anna",)
    assert "anna" not in english.terms


def test_whose_last_line_is_gone_is_named_by_no_question() -> None:
    index = PassageIndex.of([], SHANGHAI)
    index.put_line(DiaryLine(message=a_message("1", "嗯", at=WEDNESDAY, speaker="老陈"), number=1))
    assert parse_query("和老陈聊了什么", index, WEDNESDAY).speakers == ("老陈",)
    index.drop_line("1")
    assert parse_query("和老陈聊了什么", index, WEDNESDAY).speakers == ()


def test_the_pieces_of_a_question_are_its_characters_and_stems_without_dates_and_frame() -> None:
    assert set(asked("3月具体提到了哪些PPT课程").pieces) == {"ppt", "课", "程"}
    assert set(asked("Which guitars did you buy").pieces) == {"guitar", "buy"}


def test_of_a_dialogue_the_pieces_of_the_last_line_count_most() -> None:
    pieces = asked("猫怎么了\n狗怎么了").pieces
    assert pieces["狗"] > pieces["猫"]


def test_what_a_question_wants_is_read_off_its_words() -> None:
    assert asks_when("你什么时候去的")
    assert asks_when("When did we meet?")
    assert asks_how_many("你有几只猫")
    assert asks_how_many("How many cats?")
    assert asks_name("她叫什么名字")
    assert asks_name("Where was it?")
    assert not asks_when("你喜欢猫吗")


@pytest.mark.parametrize(
    "text", ["擺酒係幾時", "佢喺邊度返工", "你食咗飯嗎", "¿cómo te llamas", "在哪儿啊"]
)
def test_a_question_is_one_in_traditional_characters_cantonese_and_spanish_too(text: str) -> None:
    assert share_asked(text) == 1.0


def test_what_is_wanted_is_understood_in_traditional_characters() -> None:
    assert asked("什麼時候去").wants_time
    assert asked("租金幾多").wants_number
    assert asked("邊個煮飯").wants_name


def test_a_rare_word_that_people_say_for_a_common_one_counts_no_more_than_that_one() -> None:
    told = [a_memory(n, f"my job, day {n}") for n in range(1, 30)]
    index = PassageIndex.of([*told, a_memory(30, "a profession")], SHANGHAI)
    terms = parse_query("what is my job", index, WEDNESDAY).terms
    telling = {term: much * index.words.idf(term) for term, much in terms.items()}
    assert 0.0 < telling["profess"] <= NEAR_SHARE * telling["job"] + 1e-9


def test_a_line_that_only_tells_is_not_looked_for_at_its_own_dates() -> None:
    tells = asked("昨天我去看了牙医，医生讲牙齿都好好的，就是让我少吃糖，每天晚上记得刷牙")
    asks = asked("昨天我去看了谁？")

    assert tells.spans
    assert not tells.times_asked_about
    assert asks.times_asked_about == asks.spans != ()


@pytest.mark.parametrize("text", ["请描述我昨天做的事", "请列举我看过的书", "请回忆一下那次旅行"])
def test_a_request_to_tell_asks(text: str) -> None:
    assert asked(text).asking > 0.0
