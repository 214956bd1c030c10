"""When she may begin, by rule: her manners, which stand above every wish of a model.

Pure arithmetic on instants, and how quiet hours are told in words. A reminder knows none of this:
it was asked for, and comes at its hour. What she says unasked waits for the first instant at which
all of it fits, or is let go.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from memory.text.dates_zh import numeral_value
from memory.text.late_pattern import LatePattern
from memory.text.times import in_zone

PAUSE: Final = timedelta(minutes=30)
"""After so long without a line of either side a conversation has come to a pause."""

MOST_A_DAY: Final = 2
"""So many messages that nobody asked for a day, at most."""

HALF_AFTER: Final = 2
"""From so many that were not answered on, half as often."""

SILENT_AFTER: Final = 4
"""After so many that were not answered, nothing until the partner writes."""

_ROUNDS: Final = 12
_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manners:
    """What decides when she may begin.

    ``quiet`` are the hours of the day from which and until which she does not, the same twice for
    never. ``written_at`` is when the partner last wrote, ``line_at`` when either side last said
    anything; ``said`` are the instants of what she said unasked, in order.
    """

    zone: ZoneInfo
    quiet: tuple[int, int]
    written_at: datetime | None = None
    line_at: datetime | None = None
    said: Sequence[datetime] = ()

    @property
    def unanswered(self) -> int:
        """How many of hers the partner has not answered: they wrote nothing since."""
        since = self.written_at
        return sum(1 for at in self.said if since is None or at > since)

    def first_moment(self, at: datetime, until: datetime) -> datetime | None:
        """Return the first instant from ``at`` on when she may begin; None after ``until``."""
        if self.unanswered >= SILENT_AFTER:
            return None
        found = at
        for _ in range(_ROUNDS):
            later = self._after_quiet(self._after_budget(self._after_talk(found)))
            if later >= until:
                return None
            if later == found:
                return found
            found = later
        return None

    def _after_talk(self, at: datetime) -> datetime:
        return at if self.line_at is None else max(at, self.line_at + PAUSE)

    def _after_budget(self, at: datetime) -> datetime:
        """Return when the budget of its day, and that of this pause, lets her begin."""
        if not self.said:
            return at
        if self.unanswered:
            # One in a pause; with no answer the next day is a new chance, or every second one.
            days = 2 if self.unanswered >= HALF_AFTER else 1
            return max(at, self._day_after(self.said[-1], days))
        today = self._day(at)
        if sum(1 for each in self.said if self._day(each) == today) >= MOST_A_DAY:
            return self._day_after(at, 1)
        return at

    def _after_quiet(self, at: datetime) -> datetime:
        begin, end = self.quiet
        wall = at.astimezone(self.zone)
        hour = wall.hour
        if begin == end:
            return at
        quiet = begin <= hour < end if begin < end else hour >= begin or hour < end
        if not quiet:
            return at
        day = wall.date() + _DAY * (begin > end and hour >= begin)
        return in_zone(datetime.combine(day, time(end)), self.zone)

    def _day(self, at: datetime) -> int:
        return at.astimezone(self.zone).date().toordinal()

    def _day_after(self, at: datetime, days: int) -> datetime:
        day = at.astimezone(self.zone).date() + _DAY * days
        return in_zone(datetime.combine(day, time()), self.zone)


def hours_of(written: str) -> tuple[int, int]:
    """Return the hours that a setting names: 22-9.

    >>> hours_of("22-9")
    (22, 9)
    """
    begin, _, end = written.partition("-")
    return int(begin), int(end)


def hours_asked(text: str, known: str) -> str | None:
    """Return the quiet hours that a whole message asks for, and nothing else; None for none.

    One end that is told leaves the other as it is ``known``. Half an hour is quiet as well. Hours
    of the day alone are none: the night would be quiet no more.

    >>> hours_asked("晚上十点半以后别给我发消息", "22-9"), hours_asked("别打扰我", "22-9")
    ('22-9', None)
    >>> hours_asked("no messages before 8 in the morning please", "22-9")
    '22-8'
    """
    found = _WHEN.search(text)
    if found is None or not _FRAME.fullmatch(f"{text[: found.start()]}@{text[found.end() :]}"):
        return None
    if "@" in text or (_IS_NOUN.search(text) and not _TO_HER.search(text)):
        return None
    said, (begin, end) = found.groupdict(), hours_of(known)
    for name in ("a", "b", "x", "y"):
        if said[f"from_{name}"]:
            begin = _hour(said, f"from_{name}", begins=True)
    for name in ("a", "c", "x", "z"):
        if said[f"to_{name}"]:
            end = _hour(said, f"to_{name}", begins=False)
    quiet = range(begin, end) if begin < end else (*range(begin, 24), *range(end))
    return f"{begin}-{end}" if _DEEP_NIGHT in quiet and begin != end else None


_DEEP_NIGHT: Final = 3


def _hour(said: dict[str, str | None], name: str, *, begins: bool) -> int:
    """Return the full hour that a clock names: earlier where quiet begins, later where it ends."""
    word, part = (said[name] or "").lower(), (said[f"{name}_part"] or "").strip().lower()
    hour = _HOURS_EN.index(word) if word in _HOURS_EN else numeral_value(word)
    if word != "noon" and hour <= _NOON:
        hour = _in_part(hour, part, begins=begins)
    ends_later = not begins and (said[f"{name}_late"] or "00") != "00"
    return (hour + ends_later) % 24


def _in_part(hour: int, part: str, *, begins: bool) -> int:
    if part in {"中午", "下午", "傍晚"} or part[:1] == "p" or "afternoon" in part:
        return hour if part == "中午" and hour > _EARLY else hour % _NOON + _NOON
    if _MORNING.search(part):
        return hour % _NOON
    if (part or begins) and hour > _EARLY:
        return (hour % _NOON + _NOON) % 24 if hour < _NOON else 0
    return hour


_NOON: Final = 12
_EARLY: Final = 4
"""Until then it is the night that goes on; later hours of the evening are those of the clock."""
_MORNING: Final = re.compile(r"早|上午|晨|^a|morning")


def _clock_zh(name: str) -> str:
    return (
        rf"(?P<{name}_part>凌晨|半夜|深夜|夜里|夜晚|晚上|早上|早晨|清晨|上午|中午|下午|傍晚|晚|早)?的?"
        rf"(?P<{name}>[01]?[0-9]|2[0-4]|[零一二两三四五六七八九十]{{1,3}})"
        rf"(?:点(?:钟|整)?|[:：])(?P<{name}_late>半|[0-5][0-9])?分?"
    )


def _clock_en(name: str) -> str:
    return (
        rf"(?P<{name}>[01]?[0-9]|2[0-4]|{'|'.join(_HOURS_EN)})(?:[:.](?P<{name}_late>[0-5][0-9]))?"
        rf"(?:\s?o['’]?clock)?(?P<{name}_part>\s?[ap]\.?m\b\.?| in the (?:morning|evening|afternoon)| at night)?"
    )


_HOURS_EN: Final = (
    *("midnight", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "noon"),
)
_WHEN: Final = LatePattern(
    rf"[从在]?{_clock_zh('from_a')}(?:以后|之后|后)?(?:[-~～—–、，,和或]|到|至|直到|一直到|或者){{1,2}}(?:第二天|次日|隔天)?{_clock_zh('to_a')}(?:以前|之前|前)?"
    rf"|(?:[过在]了?)?{_clock_zh('from_b')}(?:以后|之后|过后|后|就|(?=[别不]))|在?{_clock_zh('to_c')}(?:以前|之前|前)"
    rf"|(?:\b(?:after|past|from|between) )?\b{_clock_en('from_x')},? ?(?:to|and|or|until|till|-|–)(?: before)? ?{_clock_en('to_x')}"
    rf"|\b(?:after|past|later than) {_clock_en('from_y')}|\b(?:before|until|till|earlier than) {_clock_en('to_z')}",
    re.IGNORECASE,
)
_NO_ZH: Final = r"(?:别|不要|不许|不准|不能|不可以|请勿|勿|甭)(?:再|老|总|一直|来|主动|随便)*"
_REACH_ZH: Final = (
    r"(?:打[扰搅]我|[烦吵]我|吵醒我|找我(?:聊天)?|联系我|发(?:消息|信息|微信)(?:给我)?|发给我"
    r"|给我发(?:消息|信息|微信|东西)|[跟和]我(?:说话|聊天))"
)
_LEAD: Final = (
    r"(?:小祥|拜托|请|麻烦你?|以后|从今天起|从现在起|每天|平时|对了|嗯|能不能|可不可以|你"
    r"|xiaoxiang\b|please\b|hey\b|ok(?:ay)?\b|and\b|also\b|so\b|from now on\b|just\b|[\s,，。.！!~～])*+"
)
_END: Final = (
    r"(?:了|就[好行]|吧|啦|呀|啊|哦|好吗|好不好|行吗|可以吗|谢谢|please\b|thanks\b|thank you\b"
    r"|ok(?:ay)?\b|any ?more\b|again\b|at all\b|every day\b|[\s,，。.！!?？~～])*+"
)
_NO_EN: Final = (
    r"(?:(?:do not|don['’]?t|never|stop|(?:can|could|would) you (?:please )?(?:not|stop))(?: ever)? "
    r"(?:messag(?:e|ing)|text(?:ing)?|writ(?:e|ing)(?: to)?|ping(?:ing)?|contact(?:ing)?"
    r"|bother(?:ing)?|disturb(?:ing)?) me(?: first| unasked)?"
    r"|no (?:more )?(?:messages|texts|pings)(?: (?:to|for) me| from you)?)"
)
_FRAME: Final = LatePattern(
    rf"{_LEAD}(?:@(?:就|都|请|你|也|千万|一律|最好|之间|期间|这段时间|[，,\s]"
    rf"|我(?:[就都要得该会在]|已经)*(?:睡|休息|上班|上课|开会)[^，,。@]{{0,4}}[，,])*+{_NO_ZH}{_REACH_ZH}"
    rf"|{_NO_ZH}@{_REACH_ZH}"
    r"|把?(?:你的)?(?:免打扰|安静)(?:的?时[间段]|时候)?(?:改[成为到]|设[成为到]|调[成为到]|换成|定在|是)@"
    rf"|{_NO_EN} @|@,? ?(?:please,? )?{_NO_EN}"
    rf"|(?:set|change|make|move)? ?(?:your|the|my)? ?quiet (?:hours?|time)(?: to| be| are)? @){_END}",
    re.IGNORECASE,
)
_IS_NOUN: Final = re.compile(r"\bno (?:more )?(?:messages|texts|pings)\b", re.IGNORECASE)
_TO_HER: Final = re.compile(r"\b(?:please|me|from you|thanks?)\b", re.IGNORECASE)
"""“No messages after 11” alone may as well tell of others'."""
