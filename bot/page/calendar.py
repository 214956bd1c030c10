"""The diary by days: how much was said on each, and the lines of one, in their order.

A hundred thousand lines are counted once; after that only what came or went since.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.tasks import Pace
from memory.changes import DiaryLine
from memory.diary import in_order
from memory.recall.reading import said_at
from memory.record_table import RecordTable
from memory.state import MemoryState, is_hidden

_MANY: Final = 1_000
"""So many lines are read in the order in which they stand; fewer are asked for one by one."""

AROUND: Final = 2
MOST_AROUND: Final = 16


@dataclass(eq=False)
class DiaryDays:
    """The keys of the lines of each day. The lines themselves are always read anew."""

    zone: ZoneInfo
    _days: dict[str, date] = field(default_factory=dict)
    _keys: dict[date, dict[str, None]] = field(default_factory=dict)
    _seen: object = None
    _kept_in: object = None
    _touched: frozenset[str] = frozenset()
    _hidden: tuple[object, frozenset[str]] = (None, frozenset())

    def follow(self, state: MemoryState, pace: Pace) -> None:
        """Take in the lines that came since, and let go of those that went."""
        diary = state.diary
        if self._seen is diary:
            return
        came, gone = self._came_and_gone(diary)
        for key in gone:
            del self._keys[self._days.pop(key)][key]
        for key, at in pace.over(_instants_of(came, diary), 256):
            day = at.astimezone(self.zone).date()
            self._days[key] = day
            self._keys.setdefault(day, {})[key] = None
        self._seen = diary

    def _came_and_gone(
        self, diary: Mapping[str, DiaryLine]
    ) -> tuple[AbstractSet[str], AbstractSet[str]]:
        """Return the keys of the lines that are new, and of those that are there no more."""
        known = self._days.keys()
        kept_in, touched = None, frozenset[str]()
        if isinstance(diary, RecordTable):
            kept_in, touched = diary.documents, frozenset(diary.changes)
        if kept_in is not None and kept_in is self._kept_in:
            # The lines on disk are the same: only what was put or dropped besides may be new.
            either = touched | self._touched
            present: AbstractSet[str] = {key for key in either if key in diary}
            was_known: AbstractSet[str] = either & known
        else:
            present, was_known = set(diary), known
        self._kept_in, self._touched = kept_in, touched
        return present - known, was_known - present

    @property
    def counts(self) -> Counter[date]:
        """How many lines each day has."""
        return Counter({day: len(keys) for day, keys in self._keys.items() if keys})

    @property
    def newest(self) -> date | None:
        """The last day on which anything was said."""
        return max((day for day, keys in self._keys.items() if keys), default=None)

    def named(self, written: str) -> date | None:
        """Return the day that is written as 2026-05-07; None for anything else."""
        try:
            return date.fromisoformat(written)
        except ValueError:
            return None

    def lines(self, day: date, state: MemoryState) -> list[DiaryLine]:
        """Return the lines of a day that may be read, in order."""
        found = [state.diary[key] for key in self._keys.get(day, {}) if key in state.diary]
        hidden = self._hidden_in(state)
        return in_order(e for e in found if not e.hidden and e.key not in hidden)

    def around(self, source_ids: Sequence[str], state: MemoryState) -> list[DiaryLine]:
        """Return the lines of messages with the two before and after each, at most 16."""
        near: dict[str, DiaryLine] = {}
        by_day: dict[date, list[DiaryLine]] = {}
        for source in source_ids[:MOST_AROUND]:
            line, day = state.diary.get(source), self._days.get(source)
            if line is None or day is None:
                continue
            said = by_day.get(day) or by_day.setdefault(day, self.lines(day, state))
            talk = [each for each in said if each.conversation == line.conversation]
            places = [n for n, each in enumerate(talk) if each.key == source]
            for place in places:
                part = talk[max(place - AROUND, 0) : place + AROUND + 1]
                near.update((each.key, each) for each in part)
        return in_order(near.values())[:MOST_AROUND]

    def _hidden_in(self, state: MemoryState) -> frozenset[str]:
        """Return what rests under what the partner hid, worked out once for each state."""
        kept = self._hidden
        if kept[0] is not state.memories:
            hiding = (memory for memory in state.memories.values() if is_hidden(memory))
            sources = frozenset(each for memory in hiding for each in memory.source_ids)
            # In one step: another thread may be asking of another state.
            kept = self._hidden = (state.memories, sources)
        return kept[1]


def _instants_of(
    keys: AbstractSet[str], diary: Mapping[str, DiaryLine]
) -> Iterable[tuple[str, datetime]]:
    """Yield some lines' keys, each with the instant at which it was said."""
    if len(keys) > _MANY:
        return (pair for pair in said_at(diary) if pair[0] in keys)
    return ((key, diary[key].message.at) for key in keys)


@dataclass(frozen=True, slots=True)
class Month:
    """A month of the calendar and its neighbours, each written as 2026-05."""

    first: date

    def __str__(self) -> str:
        return f"{self.first:%Y-%m}"

    @property
    def before(self) -> "Month":
        return Month((self.first - timedelta(days=1)).replace(day=1))

    @property
    def after(self) -> "Month":
        return Month((self.first + timedelta(days=31)).replace(day=1))


def shown_month(written: str, usual: date) -> Month:
    """Return the month that is written as 2026-05, or that of the usual day."""
    try:
        first = date.fromisoformat(f"{written}-01")
    except ValueError:
        first = usual
    # Its neighbours must exist.
    return Month(min(max(first, date(2, 1, 1)), date(9998, 1, 1)).replace(day=1))


@dataclass(frozen=True, slots=True)
class Day:
    """A day of the calendar: how many lines it has, and how full that is, 0 to 4."""

    day: date
    count: int
    fill: int
    inside: bool


def month_weeks(month: Month, counts: Counter[date]) -> list[list[Day]]:
    """Return the weeks of a month, each from Monday, with the days that complete them."""
    most = max((n for day, n in counts.items() if day.replace(day=1) == month.first), default=0)
    day = month.first - timedelta(days=month.first.weekday())
    weeks: list[list[Day]] = []
    while day < month.after.first:
        weeks.append([_day(day + timedelta(days=n), counts, most, month) for n in range(7)])
        day += timedelta(days=7)
    return weeks


def _day(day: date, counts: Counter[date], most: int, month: Month) -> Day:
    inside = day.replace(day=1) == month.first
    count = counts.get(day, 0)
    fill = -(-4 * count // most) if count and most and inside else 0
    return Day(day, count, min(fill, 4), inside)
