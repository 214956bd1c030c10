"""What a law is given, what it may decide, and what no law may do.

The walls that every law has to keep stand here and not in the laws, so that a new law cannot
forget them. A law declares its parameters by the names its source document gives them;
``docs/settings.md`` is generated from the declarations (``python -m benchmarks.settings_page``).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields
from datetime import UTC, datetime, timedelta
from enum import Enum
from math import isfinite
from typing import Any, Final, Literal, TypeAlias, assert_never, cast
from unicodedata import normalize
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from memory import refusals
from memory.model import Language, Level, Memory, Sensitivity, Tier
from memory.sentences import FilledSentence

DAY: Final = timedelta(days=1)

HOUR: Final = timedelta(hours=1)

# No daylight saving moves a clock by more than two hours; a zone that changes its standard time
# moves it further, and then the slow way is taken.
_SHIFT: Final = 3 * HOUR

LONE_CONNECTEDNESS: Final = 0.5


@dataclass(frozen=True, slots=True)
class LawContext:
    """What a law may see besides the memory and its own parameters.

    ``now`` is aware, ``zone`` is the agent's. ``connectedness`` is real only for a law that
    ``reads_links``. ``user_factor`` is U of source document 001: 0.8 forgets slowly, 1.3 fast.
    """

    now: datetime
    zone: ZoneInfo
    connectedness: float = LONE_CONNECTEDNESS
    user_factor: float = 1.0


def elapsed_days(since: datetime, now: datetime) -> float:
    """Return the days of 24 hours from ``since`` to ``now``, and 0 while a clock was set back."""
    return max((now - since) / DAY, 0.0)


def elapsed_hours(since: datetime, now: datetime) -> float:
    """Return the hours from ``since`` to ``now``, and 0 while a clock was set back."""
    return max((now - since) / HOUR, 0.0)


def whole_days(since: datetime, now: datetime, zone: ZoneInfo) -> int:
    """Return how many days of the agent's calendar have passed in full, never less than 0.

    A day ends at the same time of day it began, by the clock on the agent's wall: it has 23 or 25
    hours when daylight saving changes. So it never goes backwards, not even in the repeated hour.

    >>> berlin = ZoneInfo("Europe/Berlin")
    >>> evening = datetime(2026, 3, 28, 20, tzinfo=berlin).astimezone(UTC)
    >>> whole_days(evening, evening + timedelta(hours=23), berlin)  # the clock went forward
    1
    """
    if now <= since:
        return 0
    days, rest = divmod(now - since, DAY)
    local = since.astimezone(zone)
    # Far from the turn of a day the clock change cannot matter, and no calendar is needed: a night
    # asks this once per memory.
    if _SHIFT <= rest <= DAY - _SHIFT and _offsets_are_near(local, now.astimezone(zone)):
        return days
    wall = local.replace(tzinfo=None, fold=0)
    offset = local.utcoffset()
    # Where the clock goes as it did then, the days so far had 24 hours, and the next has.
    if offset == _offset_at(wall, days, zone) == _offset_at(wall, days + 1, zone):
        return days
    moment = now.astimezone(UTC)
    while _anniversary(wall, days + 1, zone) <= moment:
        days += 1
    while days > 0 and _anniversary(wall, days, zone) > moment:
        days -= 1
    return days


def _offsets_are_near(then: datetime, now: datetime) -> bool:
    """Whether the two offsets differ no more than any daylight saving moves a clock."""
    before, after = then.utcoffset(), now.utcoffset()
    return before is not None and after is not None and abs(after - before) <= _SHIFT


def _offset_at(wall: datetime, days: int, zone: ZoneInfo) -> timedelta | None:
    return (wall + days * DAY).replace(tzinfo=zone).utcoffset()


def _anniversary(wall: datetime, days: int, zone: ZoneInfo) -> datetime:
    """Return the instant at which the wall clock shows ``wall`` again, ``days`` days later."""
    return (wall + days * DAY).replace(tzinfo=zone).astimezone(UTC)


GRACE: Final = timedelta(days=30)
"""How long a deleted memory, a previous text and an undo entry can be brought back."""

ReviewTask: TypeAlias = Literal["promotion", "decay"]


@dataclass(frozen=True, slots=True)
class CompressTo:
    """Let no more than ``level`` be left of it."""

    level: Level


@dataclass(frozen=True, slots=True)
class AskReview:
    """Let the reviewer judge it (source document 003)."""

    task: ReviewTask


@dataclass(frozen=True, slots=True)
class Archive:
    """Take it out of everyday recall, and keep it."""


@dataclass(frozen=True, slots=True)
class SoftDelete:
    """Delete it softly: it can be brought back for 30 days."""


Fate: TypeAlias = CompressTo | AskReview | Archive | SoftDelete

Fates: TypeAlias = tuple[Fate, ...]

NO_FATES: Final[Fates] = ()
"""The fate of most memories on most nights: nothing happens."""


class HealthColour(Enum):
    """How a memory is doing, as health colours show it."""

    GREEN = "green"
    YELLOW = "yellow"
    RED = "red"


_FADING_TIERS: Final = frozenset({Tier.FACT, Tier.EPISODE})


def may_fade(memory: Memory) -> bool:
    """Whether it fades and a law decides about it: a fact or an episode that nobody pinned.

    ``system``, ``core`` and what is pinned are firm. An entity is only a name that links hang on;
    it goes when nothing alive links to it.
    """
    return not memory.nature.pinned and memory.nature.tier in _FADING_TIERS


def grace_factor(memory: Memory) -> int:
    """Return by how much every waiting time grows: 2 for sensitivity 1, else 1.

    Source document 001, sensitivity.
    """
    return 2 if memory.nature.sensitivity is Sensitivity.ORDINARY else 1


def may_delete(memory: Memory) -> bool:
    """Whether a law or the reviewer may delete it.

    Never what is firm or of sensitivity ≥ 2, nor an episode before it was consolidated.
    """
    if memory.nature.tier is Tier.EPISODE and memory.lineage.consolidated_at is None:
        return False
    return may_fade(memory) and memory.nature.sensitivity < Sensitivity.SENSITIVE


def may_compress(memory: Memory) -> bool:
    """Whether a law may shorten it: never what is firm or of sensitivity ≥ 2."""
    return may_fade(memory) and memory.nature.sensitivity < Sensitivity.SENSITIVE


def allowed_fates(memory: Memory, fates: Fates) -> Fates:
    """Return those of a law's ``fates`` that every law must allow."""
    if all(_is_allowed(memory, fate) for fate in fates):
        return fates
    return tuple(fate for fate in fates if _is_allowed(memory, fate))


def _is_allowed(memory: Memory, fate: Fate) -> bool:
    match fate:
        case SoftDelete() | AskReview():
            return may_delete(memory)
        case CompressTo(level):
            return may_compress(memory) and level < memory.words.level
        case Archive():
            return may_fade(memory)
        case never:
            assert_never(never)


ParameterValue: TypeAlias = float | int | str | bool


_SWITCHES: Final = {
    True: frozenset({"true", "on", "yes", "开", "是"}),
    False: frozenset({"false", "off", "no", "关", "否"}),
}

LONGEST_NAME: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """What a parameter may be: a number in [low, high], one of ``choices``, or text of a ``form``.

    ``name`` is the one the source document uses; ``zh`` and ``en`` say what it means.
    """

    name: str
    zh: str
    en: str
    low: float = 0.0
    high: float = 0.0
    whole: bool = False
    choices: tuple[ParameterValue, ...] = ()
    form: Literal["number", "zone", "name", "hours"] = "number"

    def __str__(self) -> str:
        return self.in_language("en")

    def in_language(self, language: Language) -> str:
        """Return what it may be, in words of that language."""
        chinese = language == "zh"
        if self.choices:
            # A switch is written as it is set: true, false.
            shown = (str(c).lower() if isinstance(c, bool) else str(c) for c in self.choices)
            return " | ".join(shown)
        if self.form == "zone":
            return "时区，如 Asia/Shanghai" if chinese else "a time zone such as Asia/Shanghai"
        if self.form == "name":
            most = LONGEST_NAME
            return f"1 到 {most} 个字，一行" if chinese else f"1 to {most} characters in one line"
        if self.form == "hours":
            return "两个整点，如 22-9" if chinese else "two full hours such as 22-9"
        to, whole = (" 到 ", "，整数") if chinese else (" to ", ", whole")
        # Enough digits that a million is no 1e+06.
        return f"{self.low:.10g}{to}{self.high:.10g}{whole * self.whole}"

    def admits(self, value: ParameterValue) -> bool:
        """Whether a parameter may be ``value``; a not-a-number never may."""
        if self.choices:
            return value in self.choices
        if self.form != "number":
            return isinstance(value, str) and _is_of_form(value, self.form)
        if isinstance(value, str) or not self.low <= value <= self.high:
            return False
        return not self.whole or value == int(value)

    def read(self, written: str) -> ParameterValue | None:
        """Return the value somebody wrote; None for what the parameter may not be.

        >>> Bound(name="rest_days", zh="", en="", low=0, high=365, whole=True).read("７")
        7
        """
        plain = normalize("NFKC", written).strip()
        value: ParameterValue | None = plain
        if self.choices:
            value = next((each for each in self.choices if _means(plain, each)), None)
        elif self.form == "number":
            value = _number(plain, whole=self.whole)
        elif self.form == "zone" and not self.admits(plain):
            named = (each for each in available_timezones() if _means(plain, each))
            value = next(named, plain)
        return value if value is not None and self.admits(value) else None


def _means(written: str, choice: ParameterValue) -> bool:
    if isinstance(choice, bool):
        return written.casefold() in _SWITCHES[choice]
    return written.casefold() == str(choice).casefold()


def _number(written: str, *, whole: bool) -> float | int | None:
    try:
        value = float(written)
    except ValueError:
        return None
    if not isfinite(value):
        return None
    return int(value) if whole and value == int(value) else value


_HOURS: Final = re.compile(r"(?:1?[0-9]|2[0-3])-(?:1?[0-9]|2[0-3])")
"""From when until when; the same hour twice is never."""


def _is_of_form(text: str, form: str) -> bool:
    if form == "name":
        return 0 < len(text) <= LONGEST_NAME and text.isprintable() and bool(text.strip())
    if form == "hours":
        return _HOURS.fullmatch(text) is not None
    try:
        return bool(ZoneInfo(text).key)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False


def number_parameter(name: str, default: float, low: float, high: float, zh: str, en: str) -> Any:
    """Declare a parameter that is any number from ``low`` to ``high``."""
    return _declare_field(default, Bound(name=name, zh=zh, en=en, low=low, high=high))


def whole_parameter(name: str, default: int, low: int, high: int, zh: str, en: str) -> Any:
    """Declare a parameter that is a whole number from ``low`` to ``high``."""
    return _declare_field(default, Bound(name=name, zh=zh, en=en, low=low, high=high, whole=True))


def choice_parameter(name: str, choices: tuple[ParameterValue, ...], zh: str, en: str) -> Any:
    """Declare a parameter that is one of ``choices``; the first is the default."""
    return _declare_field(choices[0], Bound(name=name, zh=zh, en=en, choices=choices))


def bounds_of(kind: type) -> Iterator[tuple[str, Bound, ParameterValue]]:
    """Yield field name, bound and default of every parameter of a settings class."""
    for each in fields(kind):
        yield each.name, _bound_of(each), cast("ParameterValue", each.default)


def read_parameters(
    kind: type, law: str, given: Mapping[str, ParameterValue]
) -> tuple[dict[str, Any], list[FilledSentence]]:
    """Return the field values ``given`` under their names for ``law``, and every violation."""
    values: dict[str, Any] = {}
    violations: list[FilledSentence] = []
    for name, bound, default in bounds_of(kind):
        key = f"{law}.{bound.name}"
        if key not in given:
            continue
        value = given[key]
        if bound.admits(value):
            values[name] = value if bound.choices else type(default)(value)
        else:
            violations.append(
                FilledSentence(refusals.OUT_OF_RANGE, name=key, value=repr(value), range=bound)
            )
    return values, violations


def _declare_field(default: ParameterValue, bound: Bound) -> Any:
    return field(default=default, metadata={"bound": bound})


def _bound_of(each: "Field[Any]") -> Bound:
    return cast("Bound", each.metadata["bound"])


USER_FACTOR: Final = (0.5, 2.0)
"""The range of ``AgentSettings.user_factor``, U of source document 001."""
