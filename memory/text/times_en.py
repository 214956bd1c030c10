"""Times in English: what each word says of an hour, a day or a recurrence.

The rules run from the most particular on; each takes what it has read out of the lower-case text.
"""

import re
from datetime import date, timedelta
from typing import Final

from memory.text import calendars
from memory.text.calendars import WEEKDAYS
from memory.text.dates_en import (
    COUNT_WORDS,
    DAY_NAMES,
    DAY_PATTERN,
    DAY_WORDS,
    EVERY_WORDS,
    FEAST_DAYS,
    MONTH_PATTERN,
    MONTHS,
    ORDINAL_WORDS,
    WORDS_BEHIND_MONTH,
    day_number,
)
from memory.text.late_pattern import LatePattern
from memory.text.time_parts import ClockSaid, DaySaid, TimeParts, part_named

_NUMBER: Final = "[0-9]+|" + "|".join(sorted(COUNT_WORDS, key=len, reverse=True))
_HOUR_WORD: Final = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_DAY: Final = "|".join(sorted(DAY_NAMES, key=len, reverse=True))
_ORDINAL_DAY: Final = DAY_PATTERN.removesuffix("?")
_EACH: Final = r"(?:every|each)(?: single)?"
_UNTIL_WORD: Final = r"(?:until|untill|till|til|'til|through|thru|up to|to)"

_DATE: Final = (
    rf"(?:(?P<y1>[12][0-9]{{3}})-(?P<m1>1[0-2]|0?[1-9])-(?P<d1>3[01]|[12][0-9]|0?[1-9])|(?P<md_m>{MONTH_PATTERN})\.? (?:the )?(?P<md_d>{DAY_PATTERN}|{WORDS_BEHIND_MONTH})(?![0-9:.]|\s?[ap]m)(?:,? (?P<md_y>20[0-9]{{2}}))?"
    rf"|(?P<dm_d>{DAY_PATTERN}|(?:{DAY_WORDS})(?= of ))(?: of)? (?P<dm_m>{MONTH_PATTERN})(?:,? (?P<dm_y>20[0-9]{{2}}))?)"
)
_DATES: Final = LatePattern(rf"\b(?:on )?(?:the )?{_DATE}\b")
_NEAR: Final = LatePattern(
    r"\b(?:the )?(?P<after>day after tomorrow)\b"
    r"|\b(?P<tomorrow>tomorrow|tomoro|tommorow|tomorow|tmrw|tmw|tmr|tomoz|2moro|2morrow)(?:'s)?\b"
    r"|\b(?P<today>today|2day|(?=this (?:morning|afternoon|evening)\b)this)(?!'s)\b"
    r"|\b(?P<tonight>tonight|tonite|2nite)\b"
)
_AHEAD: Final = LatePattern(
    rf"\b(?:in )?(?P<n>{_NUMBER}) (?P<unit>day|week|month|year|fortnight)s?(?:'s?)?"
    r" (?:from (?P<from>today|now|tomorrow)|time)\b|\bin (?P<n2>"
    rf"{_NUMBER}) (?P<unit2>day|week|month|year|fortnight)s?\b(?!'s)"
)
_WEEKDAY: Final = LatePattern(
    rf"\b(?:on )?(?:(?P<away>this coming|coming|this|next) )?(?P<day>{_DAY})(?: (?P<week>week))?\b(?!'s|-)"
)
_THE_DAY: Final = LatePattern(
    rf"\b(?:on )?(?:the )?(?P<d>{_ORDINAL_DAY})\b|\b(?:on|the) (?P<d2>3[01]|[12][0-9]|[1-9])(?=\s+at\b)"
    rf"|\bon the (?P<dw>{DAY_WORDS})(?= at\b|\W*$)"
    r"|\b(?:on )?the (?P<last>last day of (?:the|this) month)\b"
)
_FEAST_NAMES: Final = "|".join(sorted(FEAST_DAYS, key=len, reverse=True))
_FEAST: Final = LatePattern(rf"\b(?:on|at|by|this|next) (?P<name>{_FEAST_NAMES})\b")

_DELTA_UNIT: Final = "(?:hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?)"
_DELTA: Final = rf"(?:(?P<half>half an? hour|half hour)|(?P<n>[0-9]+\.[0-9]+|{_NUMBER})(?P<mid> and a half| and a quarter)? ?(?P<unit>{_DELTA_UNIT})(?P<more> and a half)?(?:(?: and)? ?(?P<n2>[0-9]+|{_NUMBER}) ?(?P<unit2>minutes?|mins?|m))?)"
_BEFOREHAND: Final = LatePattern(
    rf"(?<!in )(?<!within )(?<!half )(?<!and )\b(?:{_DELTA}|(?P<dn>the|{_NUMBER}) (?P<du>day|week|fortnight|night|evening|morning)s?)"
    r"(?:'s?)? (?:before(?: ?hand)?(?! yesterday)|ahead(?: of(?: time)?)?|prior(?: to)?|in advance(?: of)?|early|earlier|(?P<after>after(?! tomorrow)))\b"
)
_BIDS: Final = LatePattern(r"\b(?:remind|reminder|ping|nudge|buzz|alert|wake|alarm)\b")
_BEGINS: Final = LatePattern(r"(?:^|[,.;:]\s)(?:\s|and |so |then )*$")
_DELTAS: Final = LatePattern(rf"\b(?P<in>in|after|within) {_DELTA}(?:'s?)?(?: time| from now)?\b")
_DELTAS_FROM: Final = LatePattern(rf"\b{_DELTA}(?:'s?)? (?:from now|time|later)\b")
_DELTAS_BARE: Final = LatePattern(rf"^\W*(?:remind me )?{_DELTA}(?=\W|$)")

_CLOCK: Final = LatePattern(
    rf"\b(?:(?:at|by|around|@) ?)?(?:(?P<h>2[0-4]|1[0-9]|0?[0-9])[:.](?P<mm>[0-5][0-9])(?![0-9])"
    r"|(?P<mil>0[0-9][0-5][0-9]\b|(?:1[0-9]|2[0-3])[0-5][0-9](?= ?(?:hrs|hours|h)\b))(?!-)"
    rf"|(?P<past>half(?= )|(?:a )?quarter|[0-9]+|five|ten|twenty[ -]five|twenty)(?: minutes?)?(?P<way> past| to|(?<=half))\s(?P<ph>{_HOUR_WORD}|1[0-2]|[1-9])(?![0-9:.])"
    rf"|(?P<wh>{_HOUR_WORD})(?: (?P<wm>thirty|fifteen|forty[ -]five|twenty|ten|forty|fifty))?(?=\s*(?:o'?clock|[ap]\.?m\b|today|tonight|tomorrow|in the|this|$|,|\.)|(?<=thirty)|(?<=fifteen)|(?<=five))"
    rf"|(?P<oh>1[0-2]|[1-9]) ?(?=o'?clock|[ap]\.?m\b))"
    r"(?: ?o'?clock)?(?: ?(?P<half>a\.?m\b|p\.?m\b)\.?)?(?: ?(?:hrs|hours)\b)?"
)
_AT_HOUR: Final = LatePattern(
    rf"\b(?:at|by|@) ?(?P<h>2[0-3]|1[0-9]|[1-9]|{_HOUR_WORD})(?![0-9:.%]| ?(?:st|nd|rd|th)\b)\b"
)
_BARE_HOUR: Final = LatePattern(
    r"^\W*(?P<h>1[0-2]|[1-9])(?=[\s\x00]+\w|[\s\x00]*$)|(?<=\x00 )(?P<h2>1[0-2]|[1-9])(?= remind|\b[\s,]*$)|\b(?P<h3>1[0-2]|[1-9])(?= \x00)"
)
_NAMED: Final = LatePattern(r"\b(?:at )?(?:(?P<noon>noon|midday)|(?P<midnight>midnight))\b")
_IN_THE: Final = r"(?:\b(?:in the |this |at )|(?<=\x00) ?)"
_ON: Final = r"(?= ?(?:\x00|at\b|[0-9]))"
_PART: Final = LatePattern(
    rf"{_IN_THE}(?P<dawn>small hours|early hours)\b"
    + "".join(
        rf"|(?:{_IN_THE}(?P<{name}>{words})s?\b|\b(?P<{name}_2>{words})s?\b{_ON})"
        for name, words in (
            ("morning", "morning|mornin"),
            ("afternoon", "afternoon|arvo"),
            ("evening", "evening|night"),
        )
    )
)
_VAGUE: Final = LatePattern(
    r"\b(?:sometime|at some point|later|soon|nearer the time|this weekend|the weekend|(?:next|this) (?:week|weekend|month|year)|before|every so often|now and then)\b"
)

_EVERY_TIME: Final = LatePattern(
    rf"\b(?:{_EACH}(?: (?P<n>{_NUMBER}|half|other))?(?: an?)? (?P<unit>hour|hr|minute|min)s?|(?P<word>hourly))\b"
)
_NTH: Final = LatePattern(
    rf"\b(?:on )?(?:the )?(?P<nth>{'|'.join(ORDINAL_WORDS)}) (?P<day>{_DAY}) (?:of|in|on)? ?(?:{_EACH}|the|a) month\b|\b{_EACH} (?P<nth2>first|second|third|fourth|last) (?P<day2>{_DAY})(?: of (?:the|every|each) month)\b"
)
_LAST_DAY: Final = LatePattern(
    rf"\b(?:on )?(?:the )?last day of (?:{_EACH} month|the month|months)\b"
)
_MONTHLY: Final = LatePattern(
    rf"\b(?:on )?(?:the )?(?P<d>{DAY_PATTERN})(?:(?:,| and) (?:the )?(?P<d2>{DAY_PATTERN}))? (?:of )?(?:{_EACH}|the|a) month\b|\b{_EACH} month,?(?: on)?(?: the)? (?P<d3>{DAY_PATTERN})(?! ?[ap]m|[:.0-9])\b"
    rf"|\bmonthly,? on the (?P<d4>{DAY_PATTERN})\b|\b{_EACH} (?P<n>{_NUMBER}|other|second) months?(?: on)? the (?P<d5>{DAY_PATTERN})\b"
)
_SEPARATOR: Final = r"(?: ?(?:,|&|/|and|or|\+) ?(?:and )?(?:on )?(?:every )?| )"
_EVERY_DAYS: Final = LatePattern(
    rf"\b{_EACH} (?P<n>other|second|third|{_NUMBER})? ?(?P<weeks>weeks?,?(?: on)? )?(?P<days>(?:{_DAY})(?:{_SEPARATOR}(?:{_DAY}))*)\b|\b(?:on )?(?P<plural>(?:{_DAY})s?(?:{_SEPARATOR}(?:{_DAY}))*{_SEPARATOR}(?:{_DAY})"
    rf"|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b|\b(?:from )?(?P<a>{_DAY}) ?(?:to|-|through|thru|till) ?(?P<b>{_DAY})\b"
)
_EVERY: Final = LatePattern(
    rf"\b{_EACH} (?P<n>other|second|third|{_NUMBER})? ?(?P<unit>day|morning|evening|night|afternoon"
    r"|weekday|weekend|week|fortnight|month|quarter|year|workday|work day|working day)s?\b|\b(?P<word>daily|everyday|nightly|weekly|fortnightly|monthly|yearly|annually|quarterly)\b"
    r"|\b(?:on )?(?P<work>weekday|work ?day|weekend)(?P<s>s)?(?=(?(s)| (?:mornings|evenings|nights|afternoons)))"
)
_FEAST_OR_DATE: Final = rf"(?:{_DATE}|{_FEAST_NAMES})"
_A_DAY: Final = re.sub(
    r"\?P<\w+>", "?:",
    rf"(?:the end of (?:this|the|next) (?:month|year)|end of (?:the )?month|{_FEAST_OR_DATE}|day after tomorrow"
    rf"|tomorrow|tmrw|today|tonight|(?:this coming |next |this )?(?:{_DAY})|the {_ORDINAL_DAY}|{_ORDINAL_DAY}"
    rf"|(?:the )?(?:next )?(?:{MONTH_PATTERN})(?: 20[0-9]{{2}})?)",
)  # fmt: skip
_FROM: Final = LatePattern(
    rf"(?<!days )(?<!day )(?<!weeks )(?<!week )(?<!months )(?<!month )(?<!fortnight )\b(?:starting|beginning|start|from|begin)(?: from| on)? (?:the )?(?P<day>{_A_DAY})\b"
)
_TO: Final = LatePattern(
    rf"\b(?P<word>{_UNTIL_WORD}) (?:(?P<hour>[0-9]{{1,2}}(?:[:.][0-9]{{2}})? ?[ap]m)(?: (?P<of>today|tomorrow))?|(?:the )?(?P<day>{_A_DAY}))(?![\w])"
)
_LENGTH: Final = LatePattern(
    rf"\bfor (?:the next |the coming |the following )?(?P<n>{_NUMBER}) (?P<unit>day|week|night|month)s?\b|\b(?:for )?the next (?P<n2>{_NUMBER}) (?P<unit2>day|week|night|month)s?\b"
)
_TIMES: Final = LatePattern(rf"\b(?P<n>{_NUMBER}) times\b(?! (?:a|per)\b)")


_MOST_HOURS: Final = 24
_MINUTES: Final = 60


def fill(parts: TimeParts) -> None:
    """Read what English words say of a time into the parts."""
    parts.read_by((_corrections, _beforehand, _recurrence, _ends, _deltas), (_days, _hours))


def _corrections(parts: TimeParts) -> None:
    """Pass over what is taken back at once: 8:15 no wait 9:15."""
    for _ in parts.take(LatePattern(r"[0-9:.apm]+ (?:no,? )?(?:wait|sorry|i mean)[, ]+(?=[0-9])")):
        parts.spans.pop()


def _number(text: str | None) -> int:
    word = (text or "one").strip()
    if word in {"other", "second"}:
        return 2
    return 3 if word == "third" else COUNT_WORDS.get(word) or int(re.sub("[^0-9]", "", word) or 1)


def _recurrence(parts: TimeParts) -> None:
    for found in parts.take(_EVERY_TIME):
        minutes = (found["unit"] or "").startswith("min")
        parts.frequency = "MINUTELY" if minutes or found["n"] == "half" else "HOURLY"
        parts.interval = 30 if found["n"] == "half" else _number(found["n"])
    for found in parts.take(_NTH):
        number = ORDINAL_WORDS[found["nth"] or found["nth2"]]
        parts.frequency = "MONTHLY"
        day = WEEKDAYS[DAY_NAMES[found["day"] or found["day2"]]]
        parts.by_day = (f"{number}{day}",)
    for _ in parts.take(_LAST_DAY):
        parts.frequency, parts.month_days = "MONTHLY", (-1,)
    for found in parts.take(_MONTHLY):
        given = [found[name] for name in ("d", "d2", "d3", "d4", "d5") if found[name]]
        parts.frequency, parts.interval = "MONTHLY", _number(found["n"])
        parts.month_days = tuple(map(_number, given))
    for found in parts.take(_EVERY_DAYS):
        _every_days(found, parts)
    for found in parts.take(_EVERY):
        _every(found, parts)


def _every_days(found: re.Match[str], parts: TimeParts) -> None:
    if found["a"]:
        first, last = DAY_NAMES[found["a"]], DAY_NAMES[found["b"]]
        chosen = list(range(first, last + 1)) if first <= last else [first, last]
    else:
        names = re.findall(rf"\b(?:{_DAY})\b", found["days"] or found["plural"])
        chosen = sorted({DAY_NAMES[name] for name in names})
    parts.frequency = "WEEKLY"
    parts.interval = _number(found["n"]) if found["n"] else parts.interval
    parts.by_day = tuple(WEEKDAYS[each] for each in chosen)


def _every(found: re.Match[str], parts: TimeParts) -> None:
    unit = (
        found["unit"] or EVERY_WORDS.get(found["word"] or "") or (found["work"] or "").rstrip("s")
    )
    interval = _number(found["n"])
    match unit.replace(" ", ""):
        case "weekday" | "workday" | "workingday":
            parts.frequency, parts.by_day = "WEEKLY", WEEKDAYS[:5]
        case "weekend":
            parts.frequency, parts.by_day = "WEEKLY", WEEKDAYS[5:]
        case "week" | "fortnight":
            parts.frequency = "WEEKLY"
            # mondays 6pm, every week: said twice, it is still every Monday.
            parts.interval = max(parts.interval, interval * (2 if unit == "fortnight" else 1))
        case "month" | "quarter":
            parts.frequency, parts.interval = "MONTHLY", interval * (3 if unit == "quarter" else 1)
        case "year":
            parts.frequency, parts.interval = "YEARLY", interval
        case _ if not parts.frequency:
            parts.frequency, parts.interval = "DAILY", interval
            parts.part = part_named(unit)
        case _:
            parts.part = parts.part or part_named(unit)


def _ends(parts: TimeParts) -> None:
    for found in parts.take(_FROM):
        parts.start = _day_in(found["day"], parts)
    if not parts.frequency and not parts.start and not _LENGTH.search(parts.text):
        return
    for found in parts.take(_TO):
        if found["hour"]:
            inner = TimeParts(found["hour"], parts.now)
            _hours(inner)
            parts.until = DaySaid.of(parts.today + timedelta(days=found["of"] == "tomorrow"))
            parts.until_clock = next(iter(inner.clocks), None)
            continue
        parts.until = _day_in(found["day"], parts)
        # Until June is over when June begins; through June takes it in.
        parts.before_until = bool(re.fullmatch(rf"(?:{MONTH_PATTERN})", found["day"]))
    for found in parts.take(_LENGTH):
        unit = found["unit"] or found["unit2"]
        size = {"week": 7, "month": 30}.get(unit, 1)
        parts.length = size * _number(found["n"] or found["n2"])
        parts.frequency = parts.frequency or "DAILY"
    for found in parts.take(_TIMES):
        parts.times = _number(found["n"])


def _day_in(text: str, parts: TimeParts) -> DaySaid | None:
    """Return the day that a piece of text names; a month is its first day."""
    if "end of" in text:
        offset = "next" in text
        if "year" in text:
            return DaySaid.of(date(parts.today.year + offset, 12, 31))
        return DaySaid.of(calendars.month(parts.today.year, parts.today.month + offset).last)
    month = re.fullmatch(rf"(?:the )?(?:next )?(?P<m>{MONTH_PATTERN})", text)
    if month:
        return DaySaid("yearday", (MONTHS[month["m"]], 1))
    if text in FEAST_DAYS:
        return DaySaid("yearday", FEAST_DAYS[text])
    inner = TimeParts(text, parts.now)
    _days(inner)
    return inner.days[0] if inner.days else None


def _beforehand(parts: TimeParts) -> None:
    """Read how long before something: an hour before the match, the night before, or the day after it."""
    found = _BEFOREHAND.search(parts.text)
    if found is None:
        return
    before, after = parts.text[: found.start()], parts.text[found.end() :]
    # "I slept badly the night before, remind me at 9" tells of that night.
    if _BIDS.search(after) and not (_BIDS.search(before) or _BEGINS.search(before)):
        return
    parts.cut(*found.span())
    sign = -1 if found["after"] else 1
    if not found["du"]:
        parts.ahead = sign * _delta_of(found)
        return
    size = sign * {"week": 7, "fortnight": 14}.get(found["du"], 1)
    parts.ahead = timedelta(days=size * (1 if found["dn"] == "the" else _number(found["dn"])))
    parts.part = part_named(found["du"])


def _deltas(parts: TimeParts) -> None:
    for pattern in (_DELTAS, _DELTAS_FROM):
        parts.deltas += [_delta_of(found) for found in parts.take(pattern)]
    if parts.delta is None and not parts.frequency:
        bare = _DELTAS_BARE.search(parts.text)
        if bare:
            parts.deltas.append(_delta_of(bare))
            parts.cut(bare.start("half" if bare["half"] else "n"), bare.end())


def _delta_of(found: re.Match[str]) -> timedelta:
    if found["half"]:
        return timedelta(minutes=30)
    amount = float(found["n"]) if "." in found["n"] else float(_number(found["n"]))
    amount += {" and a half": 0.5, " and a quarter": 0.25}.get(found["mid"] or "", 0.0)
    amount += 0.5 * bool(found["more"])
    unit = {"h": 3600.0, "s": 1.0}.get(found["unit"][0], 60.0)
    rest = timedelta(minutes=_number(found["n2"])) if found["n2"] else timedelta()
    return timedelta(seconds=amount * unit) + rest


def _days(parts: TimeParts) -> None:
    for found in parts.take(_DATES):
        parts.days += filter(None, [_dated(found)])
    for found in parts.take(_AHEAD):
        parts.days.append(_ahead(found, parts.today))
    for found in parts.take(_NEAR):
        away = 2 if found["after"] else 1 if found["tomorrow"] else 0
        parts.days.append(DaySaid.of(parts.today + timedelta(days=away)))
        parts.part = "evening" if found["tonight"] else parts.part
    for found in parts.take(_WEEKDAY):
        parts.days += [] if parts.by_day else [_weekday(found, parts.today)]
    for found in parts.take(_THE_DAY):
        number = -1 if found["last"] else day_number(found["d"] or found["d2"] or found["dw"])
        parts.days.append(DaySaid("monthday", (number,)))
    for found in parts.take(_FEAST):
        parts.feast = DaySaid("yearday", FEAST_DAYS[found["name"]])
    for each in parts.take(_VAGUE):
        parts.vague = bool(each)


def _dated(found: re.Match[str]) -> DaySaid | None:
    month = int(found["m1"] or 0) or MONTHS[found["md_m"] or found["dm_m"]]
    day = day_number(found["d1"] or found["md_d"] or found["dm_d"])
    year = found["y1"] or found["md_y"] or found["dm_y"]
    if not year:
        return DaySaid("yearday", (month, day))
    exact = calendars.day_of_month(calendars.month(int(year), month), day)
    return DaySaid.of(exact.first) if exact else None


def _ahead(found: re.Match[str], today: date) -> DaySaid:
    amount, unit = _number(found["n"] or found["n2"]), found["unit"] or found["unit2"]
    begin = today + timedelta(days=found["from"] == "tomorrow")
    if unit == "fortnight":
        return DaySaid.of(calendars.day_ahead(begin, 2 * amount, "week"))
    return DaySaid.of(calendars.day_ahead(begin, amount, unit))


def _weekday(found: re.Match[str], today: date) -> DaySaid:
    number = DAY_NAMES[found["day"]]
    if found["away"] == "next" or found["week"]:
        return DaySaid.of(calendars.week(today, 1).first + timedelta(days=number))
    return DaySaid("weekday", (number,))


def _hours(parts: TimeParts) -> None:
    for found in parts.take(_NAMED):
        parts.clocks.append(ClockSaid(12 if found["noon"] else 24, 0, sure=True))
    for found in parts.take(_PART):
        name = next(name for name, words in found.groupdict().items() if words)
        parts.part = part_named(name.removesuffix("_2"))
    for found in parts.take(_CLOCK):
        parts.clocks += filter(None, [_clock_of(found)])
    for found in parts.take(_AT_HOUR) if not parts.clocks else ():
        parts.clocks.append(ClockSaid(_number(found["h"]), 0))
    bare = _BARE_HOUR.search(parts.text) if not parts.clocks else None
    if bare is not None:
        parts.cut(*bare.span())
        parts.clocks.append(ClockSaid(int(bare["h"] or bare["h2"] or bare["h3"]), 0))


def _clock_of(found: re.Match[str]) -> ClockSaid | None:
    half = (found["half"] or "").replace(".", "")
    if found["mil"]:
        return ClockSaid(int(found["mil"][:2]), int(found["mil"][2:]), sure=True)
    if found["past"]:
        hour, minute = _past(found)
    else:
        hour = (
            _number(found["h"] or found["wh"] or found["oh"])
            if not found["h"]
            else int(found["h"])
        )
        minute = int(found["mm"] or 0) if not found["wm"] else _number(found["wm"])
    if hour > _MOST_HOURS or minute >= _MINUTES:
        return None
    if half == "pm":
        return ClockSaid(hour % 12 + 12, minute, sure=True)
    if half == "am":
        return ClockSaid(hour % 12, minute, sure=True)
    # 08:30 is written as on a clock of 24 hours.
    return ClockSaid(hour, minute, sure=bool(found["h"] and found["h"].startswith("0")))


def _past(found: re.Match[str]) -> tuple[int, int]:
    hour, way = _number(found["ph"]), found["way"].strip()
    word = found["past"]
    minute = 30 if word == "half" else 15 if word.endswith("quarter") else _number(word)
    if way == "to":
        return (hour - 1) or 12, 60 - minute
    return hour, minute
