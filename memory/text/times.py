"""When somebody wants something: an instant, or a recurrence (RFC 5545), or what must be asked.

Each language fills :class:`TimeParts` from its own words; here the parts become one time. A rule
counts in the wall clock of a zone, so that eight in the morning stays that over every change of
the clocks; an hour that a change leaves out comes as much later, one that it repeats comes once.
Whatever two sensible people might read differently is asked back and never guessed.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, Literal, NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr

from memory.text import times_en, times_zh
from memory.text.calendars import WEEKDAYS, next_lunar
from memory.text.late_pattern import LatePattern
from memory.text.time_parts import (
    ClockSaid,
    DaySaid,
    PartOfDay,
    TimeParts,
    has_unread,
    names_several,
)

_DAY: Final = timedelta(days=1)
_NOON: Final = 12
_MIDNIGHT: Final = 24
_EVENING: Final = 18
_LONGEST_MONTH: Final = 31

Missing: TypeAlias = Literal[
    "time", "hour", "half", "day", "past", "several", "unread", "event", "zone"
]
"""What has to be asked: all of it, the hour, which half of the day, the day, or which of several
hours; or it is over; or a part of what was said of the time was not understood; or when that is
before or after which it is meant; or it is told by a clock elsewhere that she cannot convert."""

_LATIN: Final = LatePattern("[a-z0-9]")  # without any there is no English to be read


class TimeSaid(NamedTuple):
    """A time that is clear: the first instant, the rule of the others, and where it stands.

    ``rule`` is empty for once; else one recurrence rule or several, by ``|``, in wall-clock time
    of the zone. ``LUNAR:8-15`` recurs every year of the Chinese calendar.
    """

    at: datetime
    rule: str
    spans: tuple[tuple[int, int], ...]


class TimeDoubt(NamedTuple):
    """A time that has to be asked: what is missing, and where what was said stands."""

    missing: Missing
    spans: tuple[tuple[int, int], ...]


def read_time(text: str, at: datetime, zone: ZoneInfo) -> TimeSaid | TimeDoubt:
    """Return the time that a text means, as said at the aware instant ``at`` in a zone."""
    parts = TimeParts.of(text, at.astimezone(zone))
    found: tuple[datetime, str] | Missing
    elsewhere = parts.take_zone(text)
    try:
        _fill(parts)
        found = _recurring(parts, zone) if parts.frequency else _once(parts, zone)
        if parts.ahead is not None:
            found = _counted_back(found, parts, parts.ahead)
    except OverflowError:  # in ten million years
        found = "unread"
    spans = tuple(sorted(parts.spans))
    if isinstance(found, tuple) and not found[1] and names_several(parts):
        found = "several"
    if (not isinstance(found, str) or found in {"hour", "half"}) and has_unread(parts):
        found = "unread"
    if not isinstance(found, str) and elsewhere is not None:
        found = _by_its_clock(found, elsewhere, parts)
    if isinstance(found, str):
        return TimeDoubt(found, spans)
    return TimeSaid(found[0], found[1], spans)


def _fill(parts: TimeParts) -> None:
    """Let both languages read their words. Raises OverflowError for what no calendar holds."""
    if not parts.text.isascii():
        times_zh.fill(parts)
    if _LATIN.search(parts.text):
        times_en.fill(parts)


class DayRead(NamedTuple):
    """A day that a text names for something that is still to come.

    ``hour`` is that of the day, as far as it is said; ``late`` says that it is in the evening.
    ``yearly`` names month and day, as birthdays are told; ``moon`` those of the Chinese calendar.
    """

    day: date
    hour: int | None = None
    late: bool = False
    yearly: bool = False
    moon: tuple[int, ...] = ()


def read_day(text: str, at: datetime, zone: ZoneInfo) -> DayRead | None:
    """Return the day on which a text says that something is; None if it names none, or many."""
    now = at.astimezone(zone)
    parts = TimeParts.of(text, now)
    try:
        _fill(parts)
        day = (now + parts.delta).date() if parts.delta is not None else None
        said = _one_day(parts)
        day = said.first(now.date()) if said is not None else day
    except OverflowError:
        return None
    if day is None or parts.frequency not in {"", "YEARLY"}:
        return None
    clock = _one_clock(parts)
    hour = clock.hour_in(parts.part) if isinstance(clock, ClockSaid) else None
    moon = said.value if said is not None and said.kind == "lunar" else ()
    return DayRead(
        day,
        hour,
        late=parts.part == "evening" or (hour or 0) >= _EVENING,
        yearly=said is not None and said.kind in {"yearday", "lunar"},
        moon=moon,
    )


def _once(parts: TimeParts, zone: ZoneInfo) -> tuple[datetime, str] | Missing:
    if parts.delta is not None:
        return (parts.now.astimezone(UTC) + parts.delta).astimezone(zone), ""
    clock, said = _one_clock(parts), _one_day(parts)
    today = parts.now.date()
    day = said.first(today) if said else today
    # No hour is asked of a day that never comes, or never again: 昨天, the 30th of February.
    if day is None or day < today:
        return "past" if said and said.kind == "fixed" else "day"
    if clock is None:
        return "hour" if said or parts.part or parts.vague else "time"
    if isinstance(clock, str):
        return clock
    if said is None and parts.vague:
        return "day"
    found = _on_day(said, clock, parts, zone)
    return found if isinstance(found, str) else (found, "")


def _by_its_clock(
    found: tuple[datetime, str], place: str, parts: TimeParts
) -> tuple[datetime, str] | Missing:
    """Return when a clock elsewhere shows that hour, on the day that was said here."""
    if found[1] or parts.delta is not None or not place:
        # Of what recurs the clocks here and there would part when they change.
        return "zone" if parts.delta is None else found
    at = in_zone(found[0].replace(tzinfo=None), ZoneInfo(place)).astimezone(found[0].tzinfo)
    if not parts.days and at - _DAY > parts.now:
        at -= _DAY
    return (at, "") if at > parts.now else "past"


def _counted_back(
    found: tuple[datetime, str] | Missing, parts: TimeParts, ahead: timedelta
) -> tuple[datetime, str] | Missing:
    """Return what is so long before a time that was named; ``event`` where it was not.

    The hour beside whole days is that of the day before, and not of what is to come.
    """
    # Of two hours one may be that of what is to come: the exam at nine, the day before at eight.
    if parts.frequency or found == "several":
        return "unread"
    by_days = not ahead % _DAY
    known = parts.days or parts.feast or (parts.clocks and not by_days)
    if not known or (found in {"time", "day", "hour"} and not by_days):
        return "event"
    if isinstance(found, str):
        return found
    at = found[0] - ahead if by_days else (found[0].astimezone(UTC) - ahead)
    at = at.astimezone(found[0].tzinfo)
    return (at, "") if at > parts.now else "past"


def _on_day(
    said: DaySaid | None, clock: ClockSaid, parts: TimeParts, zone: ZoneInfo
) -> datetime | Missing:
    """Return when that hour comes first on such a day; without a day, today or tomorrow."""
    now = parts.now
    day: date | None = said.first(now.date()) if said else now.date()
    if day == now.date():
        found = _nearest(clock, parts.part, now, zone)
        if found is not None or (said is not None and said.kind == "fixed"):
            return found or "past"
        day = said.first(day + _DAY) if said else day + _DAY
    hour = clock.hour_in(parts.part)
    if day is None or hour is None:
        return "day" if day is None else "half"
    at = _instant(day, hour, clock.minute, zone)
    return at if at > now else "past"


def _one_day(parts: TimeParts) -> DaySaid | None:
    """Return the one day that is meant: a date before a weekday, and both before a feast."""
    dates = [each for each in parts.days if each.kind != "weekday"]
    found = dates or parts.days or ([parts.start] if parts.start else [])
    return found[0] if found else parts.feast


def _one_clock(parts: TimeParts) -> ClockSaid | Missing | None:
    """Return the one hour that is meant; noon and the like are one without a number."""
    if not parts.clocks:
        return ClockSaid(_NOON, 0, sure=True) if parts.part == "noon" else None
    # 十点约了看房，十点提醒: the same hour twice is one; of two, nobody knows which.
    hours = {(each.hour % _NOON, each.minute) for each in parts.clocks}
    if len(hours) > 1:
        return "several"
    return max(parts.clocks, key=lambda each: (each.sure, each.hour))


def _nearest(clock: ClockSaid, part: PartOfDay, now: datetime, zone: ZoneInfo) -> datetime | None:
    """Return when that hour comes next today; None if it is over."""
    if clock.sure or part or clock.hour in {0, _NOON} or clock.hour > _NOON:
        hour = clock.hour_in(part)
        hours = [] if hour is None else [hour]
    else:
        hours = [clock.hour, clock.hour + _NOON]
    found = (_instant(now.date(), hour, clock.minute, zone) for hour in hours)
    return next((each for each in found if each > now), None)


def _instant(day: date, hour: int, minute: int, zone: ZoneInfo) -> datetime:
    day += _DAY * (hour // _MIDNIGHT)
    return in_zone(datetime.combine(day, time(hour % _MIDNIGHT, minute)), zone)


def in_zone(wall: datetime, zone: ZoneInfo) -> datetime:
    """Return the instant at which a clock on the wall shows ``wall``, in that zone.

    A time that the clocks leave out is as much later; of one they show twice it is the first.
    """
    return wall.replace(tzinfo=zone).astimezone(UTC).astimezone(zone)


def _recurring(parts: TimeParts, zone: ZoneInfo) -> tuple[datetime, str] | Missing:
    now = parts.now.replace(tzinfo=None)
    if parts.interval < 1:  # every 0 minutes
        return "unread"
    if parts.frequency in {"HOURLY", "MINUTELY"}:
        step = timedelta(**{"hours" if parts.frequency == "HOURLY" else "minutes": parts.interval})
        rules = [f"FREQ={parts.frequency};INTERVAL={parts.interval}"]
        begin = now + step
    else:
        clocks = parts.clocks or ([ClockSaid(_NOON, 0, sure=True)] * (parts.part == "noon"))
        hours = [clock.hour_in(parts.part) for clock in clocks]
        if not hours:
            return "hour"
        if None in hours:
            return "half"
        pairs = {(hour or 0, each.minute) for hour, each in zip(hours, clocks, strict=True)}
        base = _days_rule(parts)
        if base is None:
            return "day"
        rules = [f"{base}{rest}" for rest in _by_hours(pairs)]
        day = parts.start.first(now.date()) if parts.start else now.date()
        begin = max(datetime.combine(day or now.date(), time()), now)
    rule = "|".join(f"{each}{_end_of(parts, begin, each)}" for each in rules)
    # The phase of every second week counts from the first time, not from the day it was said.
    first = next(iter(walls_after(rule, begin, begin - timedelta(seconds=1))), None)
    if first is None:
        return "past"
    if first <= now:
        first = next(iter(walls_after(rule, begin, now)), None)
    return (in_zone(first, zone), rule) if first else "past"


def _by_hours(pairs: set[tuple[int, int]]) -> Iterator[str]:
    """Yield the part of a rule for each set of hours that share their minute."""
    for minute in sorted({minute for _, minute in pairs}):
        hours = ",".join(str(hour % _MIDNIGHT) for hour, own in sorted(pairs) if own == minute)
        yield f";BYHOUR={hours};BYMINUTE={minute};BYSECOND=0"


def _days_rule(parts: TimeParts) -> str | None:
    """Return the part of a rule that says on which days; None if no day can be told."""
    dates = [each for each in parts.days if each.kind != "weekday" and _is_some_day(each, parts)]
    rule = f"FREQ={parts.frequency}"
    if parts.interval > 1:
        rule += f";INTERVAL={parts.interval}"
    weekdays = tuple(WEEKDAYS[d.value[0]] for d in parts.days if d.kind == "weekday")
    by_day = parts.by_day or (weekdays if parts.frequency in {"WEEKLY", "MONTHLY"} else ())
    match parts.frequency:
        case "WEEKLY" if not by_day:
            return None if not parts.start else rule
        case "MONTHLY" if not by_day:
            own = parts.month_days or tuple(d.value[0] for d in dates if d.kind == "monthday")
            own = tuple(day for day in own if abs(day) <= _LONGEST_MONTH)
            return f"{rule};BYMONTHDAY={','.join(map(str, own))}" if own else None
        case "YEARLY":
            said = next(iter(dates), parts.feast)
            if said is None or said.kind not in {"lunar", "yearday"}:
                return None
            if said.kind == "lunar":
                return f"LUNAR:{said.value[0]}-{said.value[1]}"
            return f"{rule};BYMONTH={said.value[0]};BYMONTHDAY={said.value[1]}"
        case _:
            return f"{rule};BYDAY={','.join(by_day)}" if by_day else rule


def _is_some_day(said: DaySaid, parts: TimeParts) -> bool:
    """Whether there is ever such a day: not on the 30th of February, nor on the 32nd."""
    return said.first(parts.now.date()) is not None


def _end_of(parts: TimeParts, begin: datetime, rule: str) -> str:
    """Return the part of a rule that ends it; nothing where no end was said."""
    if parts.until is not None:
        last = parts.until.first(begin.date()) or begin.date()
        if parts.before_until:
            last -= _DAY
        clock = parts.until_clock
        hour = clock.hour_in(parts.part) if clock else None
        end = datetime.combine(last, time(23, 59, 59))
        if clock and hour is not None:
            end = datetime.combine(last, time(hour % _MIDNIGHT, clock.minute))
        return f";UNTIL={end:%Y%m%dT%H%M%S}"
    if parts.length:
        first = next(iter(walls_after(rule, begin, begin)), begin)
        end = datetime.combine(first.date() + timedelta(days=parts.length - 1), time(23, 59, 59))
        return f";UNTIL={end:%Y%m%dT%H%M%S}"
    return f";COUNT={parts.times}" if parts.times else ""


_LUNAR: Final = LatePattern(
    r"LUNAR:(?P<month>\d+)-(?P<day>\d+);BYHOUR=(?P<hours>[\d,]+);BYMINUTE=(?P<minute>\d+)"
    r";BYSECOND=0(?:;UNTIL=(?P<until>\d{8}T\d{6}))?"
)


def walls_after(rule: str, start: datetime, after: datetime) -> Iterator[datetime]:
    """Yield, in order, the wall-clock times of a rule that began at ``start``, after an instant.

    All are without a zone. Raises ValueError for what is no rule.
    """
    streams = [_walls(each, start, after) for each in rule.split("|")]
    heads = [next(each, None) for each in streams]
    while any(heads):
        least = min(each for each in heads if each is not None)
        yield least
        heads = [next(s, None) if h == least else h for s, h in zip(streams, heads, strict=True)]


def _walls(rule: str, start: datetime, after: datetime) -> Iterator[datetime]:
    moon = _LUNAR.fullmatch(rule)
    if moon is None:
        if "INTERVAL=0" in rule:  # the library would look for its second time for ever
            raise ValueError(f"no recurrence: {rule}")
        begin = start.replace(microsecond=0)
        yield from rrulestr(rule, dtstart=begin).xafter(after)
        return
    day = after.date()
    until = datetime.fromisoformat(moon["until"]) if moon["until"] else None
    while (found := next_lunar(int(moon["month"]), int(moon["day"]), day)) is not None:
        for hour in sorted(map(int, moon["hours"].split(","))):
            wall = datetime.combine(found, time(hour, int(moon["minute"])))
            if until and wall > until:
                return
            if wall > after and wall >= start:
                yield wall
        day = found + _DAY
