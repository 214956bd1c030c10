"""Dates in English text: the words, the one pattern that finds them, and what each means.

A text is searched once, by one pattern with named groups; the group that matched names the rule.
"""

import re
from collections.abc import Callable, Iterator
from datetime import date
from typing import Final

from memory.text import calendars
from memory.text.late_pattern import LatePattern

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

ORDINALS: Final = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth"

SEASONS: Final = {"spring": 3, "summer": 6, "fall": 9, "autumn": 9, "winter": 12}

NUMBER_WORDS: Final = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "twelve": 12, "couple of": 2, "a couple of": 2, "few": 3,
    "a few": 3, "several": 4,
}  # fmt: skip

# As wide as people mean them: around Christmas they say "at Christmas" for five days. Easter and
# Thanksgiving move; theirs is the range in which they can fall.
HOLIDAYS: Final[dict[str, Callable[[int], calendars.Days]]] = {
    "new year": lambda y: calendars.widened_by(calendars.single_day(date(y, 1, 1)), 1),
    "valentine": lambda y: calendars.single_day(date(y, 2, 14)),
    "easter": lambda y: calendars.Days(date(y, 3, 22), date(y, 4, 25)),
    "halloween": lambda y: calendars.widened_by(calendars.single_day(date(y, 10, 31)), 1),
    "thanksgiving": lambda y: calendars.Days(date(y, 11, 22), date(y, 11, 28)),
    "christmas": lambda y: calendars.Days(date(y, 12, 23), date(y, 12, 27)),
}

EVERY_WORDS: Final = {
    "daily": "day", "everyday": "day", "nightly": "night", "weekly": "week",
    "fortnightly": "fortnight", "monthly": "month", "yearly": "year", "annually": "year",
    "quarterly": "quarter",
}  # fmt: skip

COUNT_WORDS: Final = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20,
    "thirty": 30, "twenty five": 25, "twenty-five": 25, "forty five": 45, "forty-five": 45,
    "forty": 40, "fifty": 50, "a couple of": 2, "couple of": 2,
}  # fmt: skip
ORDINAL_WORDS: Final = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1,
    "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5,
}  # fmt: skip
DAY_NAMES: Final = {
    name: n
    for n, names in enumerate(
        (
            "mondays monday mon", "tuesdays tuesday tues tue", "wednesdays wednesday weds wed",
            "thursdays thursday thurs thur thu", "fridays friday fri", "saturdays saturday sat",
            "sundays sunday sun",
        )
    )
    for name in names.split()
}  # fmt: skip
FEAST_DAYS: Final = {
    "new year's eve": (12, 31), "new years eve": (12, 31), "new year's day": (1, 1),
    "valentine's day": (2, 14), "st patrick's day": (3, 17), "april fool's day": (4, 1),
    "independence day": (7, 4), "halloween": (10, 31), "bonfire night": (11, 5),
    "christmas eve": (12, 24), "xmas eve": (12, 24), "christmas day": (12, 25),
    "christmas": (12, 25), "xmas": (12, 25), "boxing day": (12, 26),
}  # fmt: skip

MONTH_PATTERN: Final = "|".join(sorted(MONTHS, key=len, reverse=True))

DAY_PATTERN: Final = "(?:3[01]|[12][0-9]|0?[1-9])(?:st|nd|rd|th)?"

_ORDINALS: Final = """first second third fourth fifth sixth seventh eighth ninth tenth eleventh
twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"""
_DAY_NUMBERS: Final = {
    **{word: number for number, word in enumerate(_ORDINALS.split(), 1)},
    **{f"twenty {word}": 20 + number for number, word in enumerate(ORDINALS.split("|")[:9], 1)},
    "thirtieth": 30, "thirty first": 31,
}  # fmt: skip
DAY_WORDS: Final = "|".join(sorted(_DAY_NUMBERS, key=len, reverse=True)).replace(" ", "[ -]")
"""The days of a month as they are dictated: the twenty-first."""


WORDS_BEHIND_MONTH: Final = rf"(?:(?<=the )|(?<!\bmay )(?<!\bmarch ))(?:{DAY_WORDS})"
"""Who may first go there names no first of May."""


def day_number(said: str) -> int:
    """Return the number of a day as it is written or dictated.

    >>> day_number("21st"), day_number("Twenty-first")
    (21, 21)
    """
    word = said.lower().replace("-", " ")
    return _DAY_NUMBERS.get(word) or int(re.sub("[a-z]+", "", word))


DIGIT_NAMES: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
)  # fmt: skip

COUNT_PATTERN: Final = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True)) + "|[0-9]{1,3}"

UNIT_PATTERN: Final = "(?:day|week|weekend|month|year|fortnight)"

# The order of the alternatives decides: the more exact form of a date stands before the one that
# begins alike. A bare "may" or "march" is no date; a word before it or a number must make it one.
DATE_PATTERN: Final = LatePattern(
    r"\b(?:(?P<iso>[12][0-9]{3}-(?:1[0-2]|0?[1-9])-(?:3[01]|[12][0-9]|0?[1-9]))"
    f"|(?P<dm_day>{DAY_PATTERN}|(?:{DAY_WORDS})(?= of ))(?: of)? (?P<dm_month>{MONTH_PATTERN})\\.?"
    f"(?:,? (?P<dm_year>[12][0-9]{{3}}))?"
    f"|(?P<md_month>{MONTH_PATTERN})\\.? (?:the )?"
    rf"(?P<md_day>{DAY_PATTERN}|{WORDS_BEHIND_MONTH})(?![0-9:])"
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
    "|(?P<near>yesterday|today|tonight|tomorrow|last night|this (?:morning|evening|afternoon)"
    "|tmrw|tmw|tmr|tomoz|2moro|2morrow|2day|2nite|tonite|yday)"
    rf"|(?:the )?(?P<nth>[0-9]{{1,2}}(?:st|nd|rd|th)?|{ORDINALS})"
    " of (?P<nth_rel>last|this|next) month"
    f"|(?P<rel>last|this|next|past|previous|coming) (?P<rel_unit>{UNIT_PATTERN}|{WEEKDAYS})"
    f"|(?P<ago>{COUNT_PATTERN}) (?P<ago_unit>{UNIT_PATTERN})s?"
    f" (?P<side>ago|from now|back|earlier(?! than))"
    f"|in (?P<ahead>{COUNT_PATTERN}) (?P<ahead_unit>{UNIT_PATTERN})s?(?:'s? time)?(?! of\\b)"
    f"|(?:the |over the )?(?:last|past) (?P<recent>{COUNT_PATTERN})"
    f" (?P<recent_unit>{UNIT_PATTERN})s"
    f"|(?:on|is|by) (?P<bare>{WEEKDAYS})(?!s)|(?P<lately>these days|just now|earlier today)"
    "|(?:in|during|since|of|by|year) (?P<year>(?:19|20)[0-9]{2}))\\b",
    re.IGNORECASE,
)


def mentions(text: str, today: date) -> Iterator[calendars.Mention]:
    """Yield what ``text`` means by its dates, seen from ``today``, in order."""
    return calendars.mentions_by(_RULES, DATE_PATTERN.finditer(text), today)


def _iso_date(found: re.Match[str], _: date) -> calendars.Days | None:
    y, m, d = (int(part) for part in found["iso"].split("-"))
    return calendars.day_of_month(calendars.month(y, m), d)


def _day_of_named_month(
    day: str, name: str, year_text: str | None, today: date
) -> calendars.Days | None:
    number, index = day_number(day), MONTHS[name.lower()]
    if year_text:
        return calendars.day_of_month(calendars.month(int(year_text), index), number)
    return calendars.latest_occurrence(
        lambda y: calendars.day_of_month(calendars.month(y, index), number), today
    )


def _day_month(found: re.Match[str], today: date) -> calendars.Days | None:
    return _day_of_named_month(found["dm_day"], found["dm_month"], found["dm_year"], today)


def _month_day(found: re.Match[str], today: date) -> calendars.Days | None:
    return _day_of_named_month(found["md_day"], found["md_month"], found["md_year"], today)


def _month_year(found: re.Match[str], _: date) -> calendars.Days:
    return _part_of_month(
        found["part"], calendars.month(int(found["my_year"]), MONTHS[found["my_month"].lower()])
    )


def _part_of_month(word: str | None, whole: calendars.Days) -> calendars.Days:
    parts = ("early", "mid", "late")
    name = (word or "").lower()
    return calendars.part_of_month(whole, parts.index(name)) if name in parts else whole


def _named_month(found: re.Match[str], today: date) -> calendars.Days | None:
    said, index = found["said"].lower(), MONTHS[found["month"].lower()]
    if said == "next":
        return calendars.month(today.year + (index <= today.month), index)
    if said == "last" and index == today.month:
        return calendars.month(today.year - 1, index)
    whole = calendars.latest_occurrence(lambda y: calendars.month(y, index), today)
    return _part_of_month(said, whole) if whole else None


def _season_year(found: re.Match[str], _: date) -> calendars.Days:
    return calendars.season(int(found["season_year"]), SEASONS[found["season"].lower()])


def _named_season(found: re.Match[str], today: date) -> calendars.Days | None:
    first = SEASONS[(found["season_name"] or found["plain_season"]).lower()]
    which = (found["which"] or "").lower()
    if which == "next":
        whole = calendars.season(today.year, first)
        return whole if whole.first > today else calendars.season(today.year + 1, first)
    if which == "this":
        return calendars.season(today.year, first)
    whole = calendars.season(today.year, first)
    if which and whole.first <= today <= whole.last:
        return calendars.season(today.year - 1, first)
    return calendars.latest_occurrence(lambda y: calendars.season(y, first), today)


def _holiday(found: re.Match[str], today: date) -> calendars.Days | None:
    of_year = HOLIDAYS[found["feast"].lower()]
    return (
        of_year(int(found["feast_year"]))
        if found["feast_year"]
        else calendars.latest_occurrence(of_year, today)
    )


def _two_days_away(found: re.Match[str], today: date) -> calendars.Days:
    return calendars.days_after(today, -2 if found["beside"].lower().startswith("before") else 2)


# As they are said and as they are typed on a phone; what is not here is today.
_NEAR_DAYS: Final = dict.fromkeys(("yesterday", "last night", "yday"), -1) | dict.fromkeys(
    ("tomorrow", "tmrw", "tmw", "tmr", "tomoz", "2moro", "2morrow"), 1
)


def _near_day(found: re.Match[str], today: date) -> calendars.Days:
    return calendars.days_after(today, _NEAR_DAYS.get(found["near"].lower(), 0))


def _last_this_next(found: re.Match[str], today: date) -> calendars.Days:
    """Resolve last, this, next: "next Friday" is that of next week, "last Friday" the newest."""
    side = {"this": 0, "next": 1, "coming": 1}.get(found["rel"].lower(), -1)
    unit = found["rel_unit"].lower()
    if unit in WEEKDAYS.split("|"):
        return _weekday(WEEKDAYS.split("|").index(unit), found["rel"].lower(), today)
    if unit == "day":
        return calendars.days_until(today, 1) if side < 0 else calendars.days_after(today, side)
    if unit == "month":
        return calendars.month(today.year, today.month + side)
    if unit == "year":
        return calendars.year(today.year + side)
    whole = calendars.week(today, side * (2 if unit == "fortnight" else 1))
    return (
        calendars.Days(calendars.days_after(whole.last, -1).first, whole.last)
        if unit == "weekend"
        else whole
    )


def _day_of_month_near(found: re.Match[str], today: date) -> calendars.Days | None:
    side = {"last": -1, "next": 1}.get(found["nth_rel"].lower(), 0)
    words, day = ORDINALS.split("|"), found["nth"].lower()
    number = words.index(day) + 1 if day in words else int(re.sub("[a-z]+", "", day))
    return calendars.day_of_month(calendars.month(today.year, today.month + side), number)


def _weekday(index: int, which: str, today: date) -> calendars.Days:
    if which == "this":
        return calendars.days_after(calendars.week(today).first, index)
    if which == "next":
        return calendars.days_after(calendars.week(today, 1).first, index)
    if which == "coming":
        return calendars.days_after(today, (index - today.weekday() - 1) % 7 + 1)
    return calendars.days_after(today, -((today.weekday() - index - 1) % 7 + 1))


def _ago(found: re.Match[str], today: date) -> calendars.Days:
    side = 1 if found["side"].lower() == "from now" else -1
    return _distance_away(found["ago"].lower(), found["ago_unit"].lower(), side, today)


def _ahead(found: re.Match[str], today: date) -> calendars.Days:
    return _distance_away(found["ahead"].lower(), found["ahead_unit"].lower(), 1, today)


def _distance_away(count: str, unit: str, side: int, today: date) -> calendars.Days:
    size = NUMBER_WORDS.get(count) or int(count)
    # "A few weeks ago" is a guess of the speaker, so the range grows with the unit.
    vague = count in {"few", "a few", "several", "couple of", "a couple of"}
    if unit == "day":
        return calendars.widened_by(calendars.days_after(today, side * size), 2 if vague else 0)
    if unit in {"week", "weekend", "fortnight"}:
        days = 14 if unit == "fortnight" else 7
        return calendars.widened_by(
            calendars.days_after(today, side * days * size), 7 if vague else 0
        )
    if unit == "month":
        return calendars.months(
            today.year, today.month + side * size - vague, today.month + side * size + vague
        )
    return calendars.Days(
        calendars.year(today.year + side * size - vague).first,
        calendars.year(today.year + side * size + vague).last,
    )


def _recent_period(found: re.Match[str], today: date) -> calendars.Days:
    days = {"day": 1, "month": 30, "year": 365, "fortnight": 14}.get(
        found["recent_unit"].lower(), 7
    )
    return calendars.days_until(
        today, days * (NUMBER_WORDS.get(found["recent"].lower()) or int(found["recent"]))
    )


def _bare_weekday(found: re.Match[str], today: date) -> calendars.Days:
    # Of what happened "on Monday" people tell in the days after it; plans say "next" or "this".
    index = WEEKDAYS.split("|").index(found["bare"].lower())
    return calendars.days_after(today, -((today.weekday() - index) % 7))


def _recent_weeks(found: re.Match[str], today: date) -> calendars.Days:
    return calendars.days_until(
        today, 1 if found["lately"].lower() in {"just now", "earlier today"} else 21
    )


def _bare_year(found: re.Match[str], _: date) -> calendars.Days:
    return calendars.year(int(found["year"]))


# Several groups of one match may be set: the first one listed here names the rule. The flag says
# that the date counts from the day of speaking.
_RULES: Final[tuple[calendars.DateRule, ...]] = (
    ("iso", _iso_date, False),
    ("dm_day", _day_month, False),
    ("md_month", _month_day, False),
    ("my_month", _month_year, False),
    ("month", _named_month, False),
    ("season", _season_year, False),
    ("season_name", _named_season, True),
    ("plain_season", _named_season, False),
    ("feast", _holiday, False),
    ("beside", _two_days_away, True),
    ("near", _near_day, True),
    ("nth", _day_of_month_near, True),
    ("rel", _last_this_next, True),
    ("ago", _ago, True),
    ("ahead", _ahead, True),
    ("recent", _recent_period, False),
    ("bare", _bare_weekday, False),
    ("lately", _recent_weeks, False),
    ("year", _bare_year, False),
)
