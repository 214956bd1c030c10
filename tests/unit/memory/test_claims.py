"""A line is read once for all who ask what it claims, and a long text is kept for nobody."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from memory.judgement.claims import claims_of
from memory.judgement.wording import NO_NAMES, Names

AT = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)
ZONE = ZoneInfo("Asia/Shanghai")
LINES = [
    "安安昨天把旧车卖了，换了一辆自行车。",
    "Ann sold the old car yesterday and bought a bike.",
]


@pytest.mark.parametrize("line", LINES)
def test_a_line_that_was_read_is_not_read_again(line: str) -> None:
    read = claims_of(line, NO_NAMES, AT, ZONE, learnt=False)

    assert read
    assert claims_of(line, NO_NAMES, AT, ZONE, learnt=False) is read


@pytest.mark.parametrize("line", LINES)
def test_of_another_day_place_name_or_kind_of_text_it_is_read_anew(line: str) -> None:
    learnt = claims_of(line, NO_NAMES, AT, ZONE, learnt=True)

    later = claims_of(line, NO_NAMES, AT + timedelta(days=1), ZONE, learnt=True)
    elsewhere = claims_of(line, NO_NAMES, AT, ZoneInfo("America/New_York"), learnt=True)

    days = [[each.days for each in read] for read in (learnt, later, elsewhere)]
    assert days[0] != days[1]
    assert days[0] != days[2]
    assert claims_of(line, NO_NAMES, AT, ZONE, learnt=False) != learnt
    assert claims_of(line, Names.of({"安安", "Ann"}), AT, ZONE, learnt=True) != learnt


@pytest.mark.parametrize("line", LINES)
def test_a_long_text_is_not_kept(line: str) -> None:
    text = line * (1_001 // len(line) + 1)
    read = claims_of(text, NO_NAMES, AT, ZONE, learnt=False)

    again = claims_of(text, NO_NAMES, AT, ZONE, learnt=False)

    assert again == read
    assert again is not read
