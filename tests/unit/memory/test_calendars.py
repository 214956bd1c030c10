"""The Chinese calendar, against days that everybody knows."""

from datetime import date

import pytest

from memory.text.calendars import dongzhi, lunar_date, next_lunar, qingming


@pytest.mark.parametrize(
    ("day", "year", "month", "number"),
    [
        (date(2020, 1, 25), 2020, 1, 1),
        (date(2023, 6, 22), 2023, 5, 5),
        (date(2025, 10, 6), 2025, 8, 15),
        (date(2026, 2, 17), 2026, 1, 1),
        (date(2027, 2, 5), 2026, 12, 30),
        (date(2033, 1, 31), 2033, 1, 1),
        (date(2026, 8, 19), 2026, 7, 7),
    ],
)
def test_a_lunar_day(day: date, year: int, month: int, number: int) -> None:
    assert lunar_date(year, month, number) == day


def test_outside_the_table_nothing_is_guessed() -> None:
    assert lunar_date(2014, 1, 1) is None
    assert lunar_date(2061, 1, 1) is None
    assert lunar_date(2026, 13, 1) is None
    assert next_lunar(8, 15, date(2070, 1, 1)) is None


def test_the_days_by_the_sun() -> None:
    assert qingming(2026) == date(2026, 4, 5)
    assert qingming(2028) == date(2028, 4, 4)
    assert dongzhi(2026) == date(2026, 12, 22)
