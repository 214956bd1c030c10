"""Of two things told of one matter the newer comes first, and the older is told as before."""

from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from memory.changes import DiaryLine, Put
from memory.recall import Hit, Recall
from memory.recall.newer import ComparedPassage, newer_first
from memory.recall.said_around import told_as_before
from memory.state import MemoryState
from memory.views import memories_within_budget
from tests.builders import a_message
from tests.fakes.clock import NOON

DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)


def a_diary(*texts: str, speaker: str = "主人") -> MemoryState:
    """Return a diary of lines, ten days apart."""
    lines = [
        DiaryLine(
            number=number,
            message=replace(a_message(str(number), text, speaker=speaker), at=told_at(number)),
            conversation="c",
        )
        for number, text in enumerate(texts, start=1)
    ]
    return MemoryState().apply([Put(line) for line in lines])[0]


def told_at(number: int) -> datetime:
    return NOON + 10 * number * DAY


def found(state: MemoryState, line: str) -> list[Hit]:
    return Recall().search(line, state, now=NOON + 400 * DAY, k=30)


def told(day: float, score: float, *terms: str) -> ComparedPassage:
    return ComparedPassage(day, score, dict.fromkeys(terms, 1.0))


def test_the_newer_of_one_matter_goes_first_and_the_rest_stays() -> None:
    order = newer_first(
        [told(1, 0.9, "trip"), told(5, 0.8, "cat"), told(3, 0.75, "trip"), told(2, 0.74, "trip")]
    )

    assert order == [2, 3, 0, 1]


@pytest.mark.parametrize(
    "newer",
    [
        told(1, 0.8, "trip", "plan"),  # as old
        told(2, 0.1, "trip", "plan"),  # speaks of it in passing
        told(2, 0.8, "cat"),  # another matter
        told(2, 0.8),
    ],
)
def test_what_is_no_news_of_the_matter_stays_behind(newer: ComparedPassage) -> None:
    assert newer_first([told(1, 0.9, "trip", "plan"), newer]) == [0, 1]


def test_the_more_of_the_matter_is_answered_the_less_near_the_newer_must_come() -> None:
    old = told(1, 1.0, "trip", "plan", "Rome")
    assert newer_first([old, told(2, 0.5, "trip", "plan", "Rome")]) == [1, 0]
    assert newer_first([old, told(2, 0.5, "trip", "plan")]) == [0, 1]
    assert newer_first([old, told(2, 0.8, "trip", "plan")]) == [1, 0]


def test_where_meaning_is_known_news_is_about_as_near_in_it() -> None:
    old = told(1, 1.0, "trip", "plan")._replace(cosine=0.6)
    new = told(2, 0.9, "trip", "plan")

    assert newer_first([old, new._replace(cosine=0.58)]) == [1, 0]
    assert newer_first([old, new._replace(cosine=0.4)]) == [0, 1]
    assert newer_first([old, new]) == [1, 0]  # nothing was made of it yet


def test_words_right_beside_a_newer_line_belong_to_its_matter_where_a_line_tells() -> None:
    old = told(1, 1.0, "trip", "plan", "Rome")
    goes_on = told(2, 0.9, "trip")._replace(around=frozenset({"plan", "Rome"}))

    assert newer_first([old, goes_on], beside=1.0) == [1, 0]
    assert newer_first([old, goes_on], beside=0.0) == [0, 1]


@pytest.mark.parametrize(
    ("older", "newer", "line"),
    [
        (
            "Savings plan: forty a month for the trip to Lisbon",
            ["The savings plan for Lisbon is another now", "Sixty a month, trip in May"],
            "savings plan month trip Lisbon",
        ),
        (
            "存钱计划：每个月四百块，去里斯本旅行",
            ["里斯本的存钱计划改了", "现在每个月六百块，五月旅行"],
            "存钱 计划 每个月 里斯本 旅行",
        ),
    ],
)
def test_a_matter_that_goes_on_over_two_lines_comes_before_the_older(
    older: str, newer: list[str], line: str
) -> None:
    said = [(NOON, older), *((NOON + 30 * DAY + n * MINUTE, text) for n, text in enumerate(newer))]
    lines = [
        DiaryLine(number=n, message=replace(a_message(str(n), text), at=at), conversation="c")
        for n, (at, text) in enumerate(said, start=1)
    ]
    quotes = [hit.quote for hit in found(MemoryState().apply(map(Put, lines))[0], line)]
    assert quotes.index(newer[0]) < quotes.index(older)


@pytest.mark.parametrize(
    ("said", "line"),
    [("罗马旅行计划，{}，第{}天", "罗马 旅行 计划"), ("{} Rome trip plan {}", "Rome trip plan")],
    ids=["zh", "en"],
)
def test_news_orders_the_ten_best_and_lets_nothing_else_among_them(
    said: str, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = a_diary(*[said.format("rain " * (n % 5), n) for n in range(30)])
    by_news = [hit.quote for hit in found(state, line)]
    monkeypatch.setattr("memory.recall.ranking.newer_first", lambda told, beside: range(len(told)))
    by_score = [hit.quote for hit in found(state, line)]
    assert by_news[:10] != by_score[:10]
    assert set(by_news[:10]) == set(by_score[:10])


@pytest.mark.parametrize(
    ("older", "newer", "line"),
    [
        (
            "体检安排在周二上午，去市一医院",
            "体检改到周五下午了，市一医院那边换了时间",
            "体检，医院",
        ),
        (
            "the check-up is on Tuesday at the clinic, ten in the morning",
            "the clinic moved my check-up, it is Friday afternoon now, at two",
            "my check-up at the clinic",
        ),
    ],
)
def test_a_line_of_the_present_finds_the_newer_first(older: str, newer: str, line: str) -> None:
    hits = found(a_diary(older, newer), line)

    assert [hit.quote for hit in hits] == [newer, older]
    assert hits[0].score >= hits[1].score


@pytest.mark.parametrize(
    ("was", "now", "line"),
    [
        ("我住在苏州", "我上个月搬到青岛了", "苏州 青岛"),
        ("I live in Leeds", "I moved to Bristol last month", "Leeds Bristol"),
    ],
)
def test_what_a_newer_line_ended_is_told_as_before(was: str, now: str, line: str) -> None:
    state = a_diary(was, "今天下雨，没出门", now)
    hits = found(state, line)
    marked = told_as_before(hits)
    made = memories_within_budget(hits, state, budget_tokens=500, zone=ZoneInfo("UTC"), count=len)

    assert not any(hit.past for hit in hits)
    assert [(hit.quote, hit.past) for hit in marked] == [(now, False), (was, True)]
    assert [(each.text, each.past) for each in made.shown] == [(now, False), (was, True)]


@pytest.mark.parametrize(
    ("was", "now", "line"),
    [
        ("我住在苏州", "我妹妹搬到青岛了", "苏州 青岛"),
        ("I live in Leeds", "My sister moved to Bristol", "Leeds Bristol"),
        ("我住在苏州", "要是我搬到青岛就好了", "苏州 青岛"),
        ("I live in Leeds", "I live in Leeds, near the park", "Leeds park"),
    ],
)
def test_what_ends_nothing_leaves_it_as_it_is(was: str, now: str, line: str) -> None:
    hits = found(a_diary(was, now), line)

    assert len(hits) == 2
    assert told_as_before(hits) == hits


def test_another_person_ends_nothing_of_mine() -> None:
    state = a_diary("I live in Leeds", speaker="Ann")
    later = DiaryLine(
        number=9,
        message=replace(
            a_message("9", "I moved to Bristol last month", speaker="Bob"), at=told_at(9)
        ),
        conversation="c",
    )
    hits = found(state.apply([Put(later)])[0], "Leeds Bristol")

    assert len(hits) == 2
    assert told_as_before(hits) == hits


def test_what_she_says_back_is_no_news_of_what_she_was_told() -> None:
    heard = told(1, 0.9, "peanuts")
    said_back = told(2, 0.9, "peanuts")._replace(hers=True)

    assert newer_first([heard, said_back]) == [0, 1]
    assert newer_first([heard, said_back._replace(hers=False)]) == [1, 0]
