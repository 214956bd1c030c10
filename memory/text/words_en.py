"""How English names dates: the words, what they stand for, and the one pattern that finds them."""

import re
from collections.abc import Callable
from datetime import date
from typing import Final

from memory.text.calendars import Days, single_day, widened_by

MONTHS: Final = {
    name: n
    for n, names in enumerate(
        [
            "jan january",
            "feb february",
            "mar march",
            "apr april",
            "may",
            "jun june",
            "jul july",
            "aug august",
            "sep sept september",
            "oct october",
            "nov november",
            "dec december",
        ],
        1,
    )
    for name in names.split()
}
WEEKDAYS: Final = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
SEASONS: Final = {"spring": 3, "summer": 6, "fall": 9, "autumn": 9, "winter": 12}
NUMBER_WORDS: Final = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "twelve": 12, "couple of": 2, "a couple of": 2, "few": 3,
    "a few": 3, "several": 4,
}  # fmt: skip
HOLIDAYS: Final[dict[str, Callable[[int], Days]]] = {
    "new year": lambda y: widened_by(single_day(date(y, 1, 1)), 1),
    "valentine": lambda y: single_day(date(y, 2, 14)),
    "easter": lambda y: Days(date(y, 3, 22), date(y, 4, 25)),
    "halloween": lambda y: widened_by(single_day(date(y, 10, 31)), 1),
    "thanksgiving": lambda y: Days(date(y, 11, 22), date(y, 11, 28)),
    "christmas": lambda y: Days(date(y, 12, 23), date(y, 12, 27)),
}
MONTH_PATTERN: Final = "|".join(sorted(MONTHS, key=len, reverse=True))
DAY_PATTERN: Final = "(?:3[01]|[12][0-9]|0?[1-9])(?:st|nd|rd|th)?"
COUNT_PATTERN: Final = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True)) + "|[0-9]{1,3}"
UNIT_PATTERN: Final = "(?:day|week|weekend|month|year|fortnight)"
DATE_PATTERN: Final = re.compile(
    r"\b(?:(?P<iso>[12][0-9]{3}-(?:1[0-2]|0?[1-9])-(?:3[01]|[12][0-9]|0?[1-9]))"
    f"|(?P<dm_day>{DAY_PATTERN})(?: of)? (?P<dm_month>{MONTH_PATTERN})\\.?(?:,? (?P<dm_year>[12][0-9]{{3}}))?"
    f"|(?P<md_month>{MONTH_PATTERN})\\.? (?:the )?(?P<md_day>{DAY_PATTERN})(?![0-9:])"
    "(?:,? (?P<md_year>[12][0-9]{3}))?"
    f"|(?:(?P<part>early|mid|late)[ -])?(?P<my_month>{MONTH_PATTERN})\\.?,?(?: of)?"
    " (?P<my_year>[12][0-9]{3})"
    "|(?P<said>in|of|since|during|until|by|last|this|next|early|mid|late)[ -]"
    f"(?P<month>{MONTH_PATTERN})(?! [0-9])"
    f"|(?P<season>{'|'.join(SEASONS)})(?:,? of|,? in)?,? (?P<season_year>[12][0-9]{{3}})"
    f"|(?P<which>last|this|next|past) (?P<season_name>{'|'.join(SEASONS)})"
    f"|(?:in|during) the (?P<plain_season>{'|'.join(SEASONS)})(?! of [12])"
    f"|(?P<feast>{'|'.join(HOLIDAYS)})(?:'?s)?(?: eve| day)?"
    "(?:,?(?: of| in)? (?P<feast_year>[12][0-9]{3}))?"
    "|(?P<before_last>the )?day (?P<beside>before yesterday|after tomorrow)"
    "|(?P<near>yesterday|today|tonight|tomorrow|last night|this (?:morning|evening|afternoon))"
    f"|(?P<rel>last|this|next|past|previous|coming) (?P<rel_unit>{UNIT_PATTERN}|{WEEKDAYS})"
    f"|(?P<ago>{COUNT_PATTERN}) (?P<ago_unit>{UNIT_PATTERN})s? (?P<side>ago|from now|back|earlier(?! than))"
    f"|in (?P<ahead>{COUNT_PATTERN}) (?P<ahead_unit>{UNIT_PATTERN})s?(?:'s? time)?(?! of\\b)"
    f"|(?:the |over the )?(?:last|past) (?P<recent>{COUNT_PATTERN}) (?P<recent_unit>{UNIT_PATTERN})s"
    f"|on (?P<bare>{WEEKDAYS})(?!s)|(?P<lately>these days|just now|earlier today)"
    "|(?:in|during|since|of|by|year) (?P<year>(?:19|20)[0-9]{2}))\\b",
    re.IGNORECASE,
)
