"""What she means to bring up: found in what was said and in stored dates, said when manners allow.

Pure: plans are changes, nothing is said here. What she may say follows from records and numbers;
no model is asked what to say, or whether. The manners are in :mod:`memory.initiative.manners`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from hashlib import blake2b
from typing import Final
from zoneinfo import ZoneInfo

from memory.changes import Change, Drop, Put, Turn
from memory.diary import window_lines
from memory.initiative.manners import Manners, hours_of
from memory.initiative.occasions import (
    DELICATE,
    Occasion,
    calls_off,
    is_of_another,
    occasions_said,
    promise_of_hers,
    tells_of,
    tells_outcome,
)
from memory.lifecycle.undo import with_undo
from memory.model import Memory, Message, Sensitivity
from memory.privacy.redaction import is_secret, sensitivity_of
from memory.privacy.talk import places_in_talk
from memory.recall.in_mind import is_unmentioned
from memory.reminder import Intention, IntentionEnd, IntentionKind
from memory.state import MemoryState, is_hidden
from memory.text.time_parts import DaySaid
from memory.text.times import in_zone
from memory.text.tokens import tokens

KINDS: Final[tuple[IntentionKind, ...]] = ("promise", "day", "follow_up", "review", "quiet")
"""Every kind, what is most urgent first."""

LABEL: Final = "initiative"
"""The label of the undo entry of every step a partner takes with them."""

MORNING: Final = time(10)
EVENING: Final = time(20)
BEFORE_DUE: Final = time(19, 30)
DAY_BEGINS: Final = time(9, 30)
QUIET_HOUR: Final = time(19)
"""The hours, in the agent's zone, at which the kinds come; manners may move them."""

EVENT_HOURS: Final = 3
"""So long after it began an event is taken to be over."""

STALE_AFTER: Final = timedelta(hours=36)
"""So long after its time nobody is asked any more how it went."""

QUIET_DAYS: Final = 5
"""After so many days without a line of the partner, one line."""

ENDED_KEPT: Final = 60
"""How many ended intentions are kept, the newest."""

_DAY: Final = timedelta(days=1)
_LEAST_SHARED: Final = 2
_LINES_BEFORE: Final = 6


def manners_of(state: MemoryState, now: datetime) -> Manners:
    """Return what decides at ``now`` when she may begin; nothing counts as later than that."""
    settings = state.agent_info.settings
    lines = [line for key in state.windows for line in window_lines(key, state)]
    written = [line.at for line in lines if line.role == "user"]
    written += [each.answered_at for each in state.intentions.values() if each.answered_at]
    # A reminder that rings now is a line of the talk before it stands in the window, and what was
    # just erased was one: the talk did not pause for it.
    spoken = [line.at for line in lines]
    spoken += [each.at for each in state.tombstones.values()]
    spoken += [each.rung_at for each in state.reminders.values() if each.rung_at]
    said = sorted(min(each.said_at, now) for each in state.intentions.values() if each.said_at)
    return Manners(
        zone=settings.zone,
        quiet=hours_of(settings.quiet_hours),
        written_at=min(max(written), now) if written else None,
        line_at=min(max(spoken), now) if spoken else None,
        said=said,
    )


def holds(one: Intention, state: MemoryState) -> bool:
    """Whether what an intention rests on may still be spoken of: there, not past, not hidden."""
    for key in one.memory_ids:
        memory = state.memories.get(key)
        if memory is None or memory.is_past or memory.sealed or not memory.is_active:
            return False
    lines = map(state.diary.get, one.message_ids)
    if is_unmentioned(one.text, state) or any(x is None or x.hidden or x.past for x in lines):
        return False
    return not any(_withdraws(each, one) for each in state.memories.values())


def _withdraws(memory: Memory, one: Intention) -> bool:
    """Whether a memory of the same words was ended or hidden since."""
    if not (is_hidden(memory) or (memory.is_fact and memory.is_past) or memory.sealed):
        return False
    return not set(one.message_ids).isdisjoint(memory.source_ids)


def is_private(one: Intention, state: MemoryState) -> bool:
    """Whether its words may not be shown where others look, as on a lock screen."""
    quoted = one.kind != "follow_up" or is_of_another(one.text, one.about)
    if quoted and any(tells_of(one.text, each) for each in DELICATE):
        return True
    known = [state.memories.get(key) for key in one.memory_ids]
    known += [m for m in state.memories.values() if set(one.message_ids) & set(m.source_ids)]
    graded = [m.nature.sensitivity for m in known if m is not None and m.is_fact]
    return max([sensitivity_of(one.text), *graded]) >= Sensitivity.SENSITIVE


@dataclass(frozen=True, slots=True)
class Beginning:
    """An intention and the first instant at which it may be said."""

    intention: Intention
    at: datetime

    @property
    def turn_id(self) -> str:
        """The id of the message that says it: the same for this occurrence, for ever."""
        one = self.intention
        made = one.made_at.astimezone(UTC).isoformat()
        # The line after a silence has no record before it is said: its number counts for nothing.
        number = 0 if one.kind == "quiet" else one.id
        told = f"{one.kind} {made} {number} {one.at.astimezone(UTC).isoformat()}"
        return f"begun:{blake2b(told.encode(), digest_size=10).hexdigest()}"


def next_beginning(state: MemoryState, now: datetime) -> Beginning | None:
    """Return what she would say next and when, as far as is known by now.

    None while her partner does not let her begin. It may be due already, or even past.
    """
    if state.agent_info.settings.begins != "yes":
        return None
    manners = manners_of(state, now)
    found = [
        Beginning(one, at)
        for one in planned(state, now)
        if (at := manners.first_moment(max(one.at, now), one.until)) is not None
    ]
    return min(found, key=_order, default=None)


def _order(each: Beginning) -> tuple[datetime, int, int]:
    return each.at, KINDS.index(each.intention.kind), each.intention.id


def planned(state: MemoryState, now: datetime) -> tuple[Intention, ...]:
    """Return everything she means to say that still may be said, the next first."""
    off = state.agent_info.settings.not_begun
    wanted = [e for e in state.intentions.values() if e.is_open and e.until > now]
    if quiet := _quiet_line(state, now):
        wanted.append(quiet)
    kept = [each for each in wanted if each.kind not in off and holds(each, state)]
    return tuple(sorted(kept, key=lambda each: (each.at, each.id)))


def _quiet_line(state: MemoryState, now: datetime) -> Intention | None:
    """Return the one line after days of silence; None once it was said in this silence."""
    manners = manners_of(state, now)
    since = manners.written_at
    # Whoever did not answer is not asked how they are: that would be a reproach.
    if (
        since is None
        or manners.unanswered
        or any(
            each.kind == "quiet" and each.told_at == since for each in state.intentions.values()
        )
    ):
        return None
    zone = state.agent_info.settings.zone
    at = _at(since.astimezone(zone).date() + QUIET_DAYS * _DAY, QUIET_HOUR, zone)
    return Intention(
        id=0,
        kind="quiet",
        text="",
        at=at,
        until=at + QUIET_DAYS * _DAY,
        told_at=since,
        made_at=since,
    )


def _at(day: date, hour: time, zone: ZoneInfo) -> datetime:
    return in_zone(datetime.combine(day, hour), zone).astimezone(UTC)


def plan_turn(turn: Turn, before: Sequence[Message], state: MemoryState) -> tuple[Change, ...]:
    """Return what a finished turn in private gives her to come back to, and what it settles."""
    settings = state.agent_info.settings
    if not turn.private or not settings.learning:
        return ()
    zone, ended = settings.zone, [*_settled(turn, state)]
    if settings.begins == "no":
        return tuple(ended)
    new = [
        intention_of(occasion, message.at, zone, message_ids=(message.id,))
        for occasion, message in occasions_said(turn.said, before, zone)
    ]
    # What is secret for what was said before is repeated by nobody.
    if new and any(places_in_talk((*before[-_LINES_BEFORE:], *turn.said))):
        return tuple(ended)
    after, _ = state.apply(ended)
    if (reply := turn.reply) and (hers := promise_of_hers(reply.text, reply.at, zone)):
        new.append(intention_of(hers, reply.at, zone, message_ids=(reply.id,)))
    return (*ended, *plan_new(filter(None, new), after))


def _settled(turn: Turn, state: MemoryState) -> Iterator[Change]:
    """Yield the end of what a turn tells of by itself, or calls off."""
    zone = state.agent_info.settings.zone
    known = [each for each in state.intentions.values() if each.is_open]
    for message in turn.said if known else ():
        said, off = set(tokens(message.text)), calls_off(message.text)
        for one in known:
            if _settles(message, said, one, off=off, zone=zone):
                yield Put(replace(one, ended="told", ended_at=message.at))
            elif turn.reply is not None and _is_asked(turn.reply, one, zone):
                yield Put(replace(one, ended="said", ended_at=turn.reply.at))


def _is_asked(reply: Message, one: Intention, zone: ZoneInfo) -> bool:
    """Whether a reply of hers asks, on its day or after it, how something went."""
    due = one.day is not None and reply.at.astimezone(zone).date() >= one.day
    return due and not {*reply.text}.isdisjoint("?？") and tells_of(reply.text, one.about)


def _settles(
    message: Message, said: set[str], one: Intention, *, off: bool, zone: ZoneInfo
) -> bool:
    if message.id in one.message_ids or one.kind not in {"follow_up", "promise"}:
        return False
    if one.about not in {"promise", "hers"}:
        speaks = tells_of(message.text, one.about)
    else:
        speaks = len(said & set(tokens(one.text))) >= _LEAST_SHARED
    days = (message.at.astimezone(zone).date() - one.day).days if one.day else 1
    told = days > 0 or (days == 0 and tells_outcome(message.text))
    return speaks and (off or (told and one.kind == "follow_up"))


def plan_new(made: Iterable[Intention], state: MemoryState) -> Iterator[Change]:
    """Yield new intentions, counted on; what is known already is not kept twice."""
    settings, number = state.agent_info.settings, max(state.intentions, default=0)
    known = {_same(each) for each in state.intentions.values() if each.ended != "told"}
    for one in made:
        if one.kind in settings.not_begun or _same(one) in known or is_secret(one.text):
            continue
        known.add(_same(one))
        number += 1
        yield Put(replace(one, id=number))


def _same(one: Intention) -> tuple[object, ...]:
    """Return what two intentions share that are one."""
    rests = one.memory_ids if one.kind == "review" else one.what if one.kind == "day" else ""
    return (one.kind, one.about, one.day or one.told_at.date(), rests)


def intention_of(
    found: Occasion,
    told_at: datetime,
    zone: ZoneInfo,
    *,
    message_ids: tuple[str, ...] = (),
    memory_ids: tuple[int, ...] = (),
) -> Intention | None:
    """Return the intention an occasion gives; None if its time is over as soon as it is told."""
    at, until = _times(found, told_at, zone)
    if at is None or until <= told_at:
        return None
    yearly = found.kind == "day"
    return Intention(
        id=0,
        kind=found.kind,
        text=found.text,
        about=found.about,
        what=found.what,
        at=at,
        until=until,
        day=found.day.day if found.day else None,
        yearly=yearly,
        moon=found.day.moon if found.day and yearly else (),
        told_at=told_at,
        made_at=told_at,
        message_ids=message_ids,
        memory_ids=memory_ids,
    )


def _times(found: Occasion, told_at: datetime, zone: ZoneInfo) -> tuple[datetime | None, datetime]:
    """Return from when until when an occasion may be brought up."""
    today = told_at.astimezone(zone).date()
    if found.day is None:
        at = _at(today + _DAY, MORNING, zone)
        return at, at + STALE_AFTER
    day, hour = found.day.day, found.day.hour
    ends = _at(day + _DAY, time(), zone)
    if found.kind == "day":
        at = _at(day, DAY_BEGINS, zone)
        return (at if at > told_at else None), ends
    if found.kind == "promise":
        due = ends if hour is None else _at(day, time(min(hour, 23)), zone)
        begin = _at(day - _DAY, BEFORE_DUE, zone)
        if found.about == "hers" or begin <= told_at:
            begin = _at(day, MORNING, zone)
        return max(begin, told_at + timedelta(hours=1)), due
    late = found.day.late or (hour is not None and hour + EVENT_HOURS > EVENING.hour)
    at = _at(day + _DAY, MORNING, zone) if late else _at(day, EVENING, zone)
    if at <= told_at:
        at = _at(day + _DAY, MORNING, zone)
    return at, at + STALE_AFTER


def plan_said(state: MemoryState, begun: Beginning, now: datetime) -> tuple[Change, ...]:
    """Return the changes after she said it: a yearly day comes again; the oldest are dropped."""
    one = replace(begun.intention, ended="said", ended_at=now, said_at=now)
    if one.kind == "quiet":
        one = replace(one, id=max(state.intentions, default=0) + 1)
    elif state.intentions.get(one.id) != begun.intention:
        return ()
    again = next_year(one, state)
    return (Put(one), *((Put(again),) if again else ()), *drops_of_old(state))


def next_year(one: Intention, state: MemoryState) -> Intention | None:
    """Return a yearly day as it comes next."""
    if not one.yearly or one.day is None:
        return None
    said = (
        DaySaid("lunar", one.moon)
        if one.moon
        else DaySaid("yearday", (one.day.month, one.day.day))
    )
    day, zone = said.first(one.day + _DAY), state.agent_info.settings.zone
    if day is None:
        return None
    return replace(
        one,
        id=max((*state.intentions, one.id)) + 1,
        day=day,
        at=_at(day, DAY_BEGINS, zone),
        until=_at(day + _DAY, time(), zone),
        ended="",
        ended_at=None,
        said_at=None,
        answered_at=None,
    )


def drops_of_old(state: MemoryState) -> Iterator[Change]:
    """Yield the end of the oldest ended intentions."""
    ended = [each for each in state.intentions.values() if each.ended_at is not None]
    ended.sort(key=lambda each: (each.ended_at or each.made_at, each.id))
    yield from (Drop(Intention, each.id) for each in ended[: max(len(ended) - ENDED_KEPT, 0)])


def plan_passed(state: MemoryState, now: datetime) -> Iterator[Change]:
    """Yield the end of what was never said in its time; a yearly day comes again."""
    number = max(state.intentions, default=0)
    for one in state.intentions.values():
        if one.ended or one.until > now:
            continue
        yield Put(replace(one, ended="passed", ended_at=now))
        again = next_year(one, state)
        while again is not None and again.until <= now:
            again = next_year(again, state)
        if again is not None:
            number += 1
            yield Put(replace(again, id=number))


def hushed(one: Intention, now: datetime) -> Intention:
    """Return an intention from a file or a former state: what was due by now is not said."""
    if one.ended or one.at > now:
        return one
    return replace(one, ended="passed", ended_at=now)


def plan_stopped(
    state: MemoryState, ids: Sequence[int], how: IntentionEnd, now: datetime
) -> tuple[Change, ...]:
    """Return the changes by which the partner ends intentions."""
    known = (state.intentions[key] for key in ids if key in state.intentions)
    puts = tuple(Put(replace(e, ended=how, ended_at=now)) for e in known if e.is_open)
    return with_undo(state, puts, now, actor="partner", label=LABEL)


def reply_id(one: Intention) -> str:
    """Return the id that her message has in the window and in the diary."""
    return f"{Beginning(one, one.at).turn_id}-reply"
