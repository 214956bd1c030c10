"""Reminders as plans: made, due, rung, put off, ended; pure, nothing is written or sent here."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from hashlib import blake2b
from itertools import takewhile
from typing import Final
from zoneinfo import ZoneInfo

from memory.changes import Change, Drop, Put
from memory.initiative.reminder_forms import COUNT_ALONE, PROMISES, TO
from memory.initiative.requests import AskedReminder, says_more_than
from memory.lifecycle.undo import with_undo
from memory.model import AgentSettings, Message
from memory.privacy.redaction import is_secret, masked
from memory.reminder import Ending, Reminder
from memory.state import MemoryState
from memory.text.dates import shift_said, time_instead
from memory.text.late_pattern import LatePattern
from memory.text.times import TimeSaid, in_zone, read_time, walls_after

LABEL: Final = "remind"
"""The label of the undo entry of every step a partner takes with reminders."""

LATE: Final = timedelta(minutes=10)
"""A reminder that comes so much after its hour says that it is late."""

ENDED_KEPT: Final = 50
"""How many ended reminders are kept, the newest, to be put off or looked at again."""

_MISSED_COUNTED: Final = 1_000
_TOKEN_BYTES: Final = 4


@dataclass(frozen=True, slots=True)
class DueReminder:
    """A reminder that is due: the instant it is due at, how many came to nothing before it."""

    reminder: Reminder
    at: datetime
    missed: int = 0

    def is_late(self, now: datetime) -> bool:
        """Whether it has to say that it comes late."""
        return now - self.at >= LATE or self.missed > 0

    @property
    def turn_id(self) -> str:
        """The id of the message that says it: the same for this occurrence, for ever."""
        one = self.reminder
        made = one.made_at.astimezone(UTC).isoformat()
        told = f"{one.turn_id} {made} {one.id} {self.at.astimezone(UTC).isoformat()}"
        return f"begun:{blake2b(told.encode(), digest_size=10).hexdigest()}"


def occurrences(reminder: Reminder, after: datetime) -> Iterator[datetime]:
    """Yield when a reminder comes by its rule after an instant, in order; snoozing apart."""
    zone = ZoneInfo(reminder.zone)
    if not reminder.rule:
        if reminder.first_at > after:
            yield reminder.first_at
        return
    start = reminder.first_at.astimezone(zone).replace(tzinfo=None)
    # An hour earlier on the wall: where clocks are set back, it may still lie ahead.
    begin = max(start - timedelta(seconds=1), _wall(after, zone) - timedelta(hours=2))
    for wall in walls_after(reminder.rule, start, begin):
        at = in_zone(wall, zone)
        if at > after:
            yield at


def _wall(at: datetime, zone: ZoneInfo) -> datetime:
    return at.astimezone(zone).replace(tzinfo=None)


def next_at(reminder: Reminder) -> datetime | None:
    """Return when a reminder comes next, also if that has passed; None if it has ended."""
    if reminder.ended:
        return None
    before = reminder.first_at - timedelta(microseconds=1)
    regular = next(occurrences(reminder, reminder.rung_at or before), None)
    times = [each for each in (regular, reminder.snoozed_until) if each is not None]
    return min(times) if times else None


def due_reminder(reminder: Reminder, now: datetime) -> DueReminder | None:
    """Return what is due of a reminder: of several missed times only the last one."""
    first = next_at(reminder)
    if first is None or first > now:
        return None
    before = reminder.rung_at or reminder.first_at - timedelta(microseconds=1)
    passed = list(takewhile(lambda at: at <= now, occurrences(reminder, before)))[
        -_MISSED_COUNTED:
    ]
    if reminder.snoozed_until is not None and reminder.snoozed_until <= now:
        passed.append(reminder.snoozed_until)
    return DueReminder(reminder, max(passed), len(passed) - 1)


def next_times(state: MemoryState) -> dict[int, datetime]:
    """Return when each open reminder of an agent comes next."""
    found = {each.id: next_at(each) for each in state.reminders.values() if not each.ended}
    return {key: at for key, at in found.items() if at is not None}


def promises_in_vain(reply: str, state: MemoryState) -> bool:
    """Whether words of hers promise a reminder while none waits: a model says so lightly.

    >>> promises_in_vain("Of course! I have set a reminder for 5 pm.", MemoryState())
    True
    >>> promises_in_vain("要我提醒你的话，说一声几点。", MemoryState())
    False
    """
    return PROMISES.search(reply) is not None and not next_times(state)


def plan_reminders(
    asked: Sequence[AskedReminder],
    state: MemoryState,
    now: datetime,
    *,
    conversation: str,
    turn_id: str,
    private: bool,
) -> tuple[Change, ...]:
    """Return the changes that keep what was asked, with one undo entry; what is known is not."""
    made = new_reminders(
        asked, state, now, conversation=conversation, turn_id=turn_id, private=private
    )
    return with_undo(state, tuple(map(Put, made)), now, actor="partner", label=LABEL)


def new_reminders(
    asked: Sequence[AskedReminder],
    state: MemoryState,
    now: datetime,
    *,
    conversation: str,
    turn_id: str,
    private: bool,
) -> list[Reminder]:
    """Return the reminders that keep what was asked, counted on; a secret is in none of them."""
    number = max(state.reminders, default=0)
    made: list[Reminder] = []
    for each in asked:
        if not isinstance(each.request.when, TimeSaid):
            continue
        number += 1
        new = _new_reminder(number, each, each.request.when, state.agent_info.settings, now)
        made.append(replace(new, private=private, conversation=conversation, turn_id=turn_id))
    return made


def _new_reminder(
    number: int, asked: AskedReminder, when: TimeSaid, settings: AgentSettings, now: datetime
) -> Reminder:
    text, message = asked.request.what, asked.message
    return Reminder(
        id=number,
        text=masked(text) if is_secret(message.text) else text,
        first_at=when.at.astimezone(UTC),
        rule=when.rule,
        zone=settings.time_zone,
        made_at=now,
        message_ids=asked.message_ids,
        speaker=message.speaker,
        speaker_id=message.speaker_id,
    )


def moved_time(one: Reminder, told: str, at: datetime, zone: ZoneInfo) -> TimeSaid | None:
    """Return when a reminder is to come instead, as told at ``at``; None where that is not clear.

    What is left out stays: the day beside an hour, the hour beside a day, the half of the day.
    """
    begin = (next_at(one) or at).astimezone(zone)
    shift = shift_said(told, at, zone)
    if shift is not None:
        whole = not shift.by % timedelta(days=1)
        later = begin + shift.by if whole else begin.astimezone(UTC) + shift.by
        found: TimeSaid | None = TimeSaid(later.astimezone(zone), "", ())
    else:
        found = time_instead(told.strip(), begin, at, zone)
    if found is not None and one.rule and not found.rule:
        return _rule_instead(one, begin, found, at)
    return found if found is not None and found.at > at else None


def _rule_instead(
    one: Reminder, begin: datetime, found: TimeSaid, at: datetime
) -> TimeSaid | None:
    """Return the rule of a reminder with another hour; of another day it is not clear which."""
    local, zone = found.at.astimezone(begin.tzinfo), ZoneInfo(one.zone)
    simple = re.fullmatch(r"(.*;BYHOUR=)[0-9]+(;BYMINUTE=)[0-9]+(;BYSECOND=0.*)", one.rule)
    if simple is None or "|" in one.rule or local.date() != begin.date():
        return None
    rule = f"{simple[1]}{local.hour}{simple[2]}{local.minute}{simple[3]}"
    start = datetime.combine(one.first_at.astimezone(zone).date(), local.time())
    first = next(iter(walls_after(rule, start, _wall(at, zone))), None)
    return TimeSaid(in_zone(first, zone), rule, ()) if first else None


def plan_rung(state: MemoryState, due: DueReminder, now: datetime) -> tuple[Change, ...]:
    """Return the changes after a reminder came; nothing if it has changed since."""
    reminder = state.reminders.get(due.reminder.id)
    if reminder is None or reminder.ended or reminder.made_at != due.reminder.made_at:
        return ()
    snoozed = reminder.snoozed_until
    rung = replace(
        reminder,
        rung_at=max(due.at, reminder.rung_at or due.at),
        snoozed_until=None if snoozed is not None and snoozed <= due.at else snoozed,
    )
    if next_at(rung) is None:
        rung = replace(rung, ended="rung", ended_at=now)
    return (Put(rung), *_drops_of_old(state))


def _drops_of_old(state: MemoryState) -> Iterator[Change]:
    ended = [each for each in state.reminders.values() if each.ended_at is not None]
    ended.sort(key=lambda each: (each.ended_at or each.made_at, each.id))
    yield from (Drop(Reminder, each.id) for each in ended[: max(len(ended) - ENDED_KEPT, 0)])


def silenced(reminder: Reminder, now: datetime) -> Reminder:
    """Return a reminder from a file or a former state without the times that have passed."""
    due = due_reminder(reminder, now)
    if due is None:
        return reminder
    quiet = replace(reminder, rung_at=now, snoozed_until=None)
    return quiet if next_at(quiet) else replace(quiet, ended="rung", ended_at=now)


def plan_snoozed(
    state: MemoryState, reminder_id: int, until: datetime, now: datetime
) -> tuple[Change, ...]:
    """Return the changes that let a reminder come once more at ``until``, also one that rang."""
    reminder = state.reminders.get(reminder_id)
    if reminder is None:
        return ()
    later = replace(reminder, snoozed_until=until, ended="", ended_at=None)
    if not reminder.rule and reminder.rung_at is None and reminder.first_at > now:
        # It has not come yet: it is moved, and not doubled.
        later = replace(later, first_at=until, snoozed_until=None)
    return with_undo(state, (Put(later),), now, actor="partner", label=LABEL)


def plan_moved(
    state: MemoryState, reminder_id: int, when: TimeSaid, now: datetime, *, message_id: str = ""
) -> tuple[Change, ...]:
    """Return the changes that give a reminder another time; ``message_id`` asked for that."""
    reminder = state.reminders.get(reminder_id)
    if reminder is None:
        return ()
    moved = replace(
        reminder,
        message_ids=(*reminder.message_ids, *filter(None, [message_id])),
        first_at=when.at.astimezone(UTC),
        rule=when.rule,
        zone=state.agent_info.settings.time_zone,
        rung_at=None,
        snoozed_until=None,
        ended="",
        ended_at=None,
    )
    return with_undo(state, (Put(moved),), now, actor="partner", label=LABEL)


def plan_ended(
    state: MemoryState, ids: Sequence[int], how: Ending, now: datetime
) -> tuple[Change, ...]:
    """Return the changes that end reminders; of a repeated one ``done`` ends this time only."""
    puts: list[Change] = []
    for each in (state.reminders[key] for key in ids if key in state.reminders):
        if how == "done" and each.rule and each.ended != "rung":
            after = replace(each, snoozed_until=None)
        else:
            after = replace(each, snoozed_until=None, ended=how, ended_at=now)
        if after != each:
            puts.append(Put(after))
    return with_undo(state, tuple(puts), now, actor="partner", label=LABEL)


def plan_reopened(state: MemoryState, ids: Sequence[int], now: datetime) -> tuple[Change, ...]:
    """Return the changes that let ended reminders come again; what has passed stays passed."""
    known = (state.reminders[key] for key in ids if key in state.reminders)
    puts = tuple(
        Put(silenced(replace(each, ended="", ended_at=None), now)) for each in known if each.ended
    )
    return with_undo(state, puts, now, actor="partner", label=LABEL)


def plan_zone(state: MemoryState, zone: str, now: datetime) -> tuple[Change, ...]:
    """Return the changes that let every open reminder keep its hour in another zone."""
    puts: list[Change] = []
    for each in state.reminders.values():
        if each.is_open and each.zone != zone:
            wall = _wall(each.first_at, ZoneInfo(each.zone))
            first = in_zone(wall, ZoneInfo(zone)).astimezone(UTC)
            puts.append(Put(replace(each, first_at=first, zone=zone)))
    return with_undo(state, tuple(puts), now, actor="partner", label=LABEL)


def own_reminders(
    message: Message, state: MemoryState, place: str, *, is_open: bool = True
) -> tuple[Reminder, ...]:
    """Return the reminders of whoever wrote a message: asked for in private, or in that group."""
    return tuple(
        each
        for each in state.reminders.values()
        if each.is_open == is_open
        and (each.private or each.conversation == place)
        and each.speaker_id == message.speaker_id
    )


def shown_reminders(message: Message, state: MemoryState, place: str) -> tuple[Reminder, ...]:
    """Return the open reminders that whoever wrote a message sees: in a group those of all."""
    here = (e for e in state.reminders.values() if not e.private and e.conversation == place)
    found = {e.id: e for e in (*own_reminders(message, state, place), *here) if e.is_open}
    return tuple(found.values())


def coming_between(
    state: MemoryState, asker: Message, place: str, days: tuple[date, date], now: datetime
) -> list[tuple[datetime, Reminder]]:
    """Return when the reminders of whoever asks come first within some days, the next first."""
    zone = state.agent_info.settings.zone
    begin = max(now, in_zone(datetime.combine(days[0], time()), zone))
    found: list[tuple[datetime, Reminder]] = []
    for each in shown_reminders(asker, state, place):
        at = next_at(each)
        if at is not None and at < begin:
            at = next(occurrences(each, begin), None)
        if at is not None and at.astimezone(zone).date() <= days[1]:
            found.append((at, each))
    return sorted(found, key=lambda each: (each[0], each[1].id))


def names_only_time(told: str, message: Message, zone: ZoneInfo) -> bool:
    """Whether words name a time, or how much later or earlier, and nothing else."""
    shift = shift_said(told, message.at, zone)
    plain = told if shift else TO.sub("", told).rstrip(" ,，。.!！")
    if COUNT_ALONE.fullmatch(plain):
        return True
    spans = [shift.span] if shift else read_time(plain, message.at, zone).spans
    return bool(spans) and not says_more_than(spans, plain, 0)


def token_of(message_id: str) -> str:
    """Return the short name by which a button means the reminders that one message asked for."""
    return f"t{blake2b(message_id.encode(), digest_size=_TOKEN_BYTES).hexdigest()}"


def of_token(state: MemoryState, token: str) -> tuple[int, ...]:
    """Return the reminders that the message of a token asked for."""
    made = state.reminders.values()
    return tuple(e.id for e in made if e.message_ids and token_of(e.message_ids[-1]) == token)


def nth_of(matter: str, among: Sequence[Reminder]) -> tuple[Reminder, ...]:
    """Return the reminder that is the first, second or last as they are listed; else none."""
    found = _NTH.fullmatch(matter.strip())
    if found is None:
        return ()
    listed = sorted(among, key=lambda each: (next_at(each) or each.first_at, each.id))
    name = (found["zh"] or found["n"] or found["en"] or "").lower()
    place = len(listed) if found["last"] else _NUMERALS.get(name) or int(name)
    return tuple(listed[place - 1 : place]) if place else ()


_NTH: Final = LatePattern(
    r"第(?P<zh>[一二两三四五六七八九十]|[0-9]{1,2})[个条项]?|number (?P<n>[0-9]{1,2})"
    r"|(?P<last>最后一[个条项]?|(?:the )?last(?: one)?)"
    r"|(?:the )?(?P<en>first|second|third|fourth|fifth)(?: one)?",
    re.IGNORECASE,
)
_NUMERALS: Final = {
    **{each: number for number, each in enumerate("一二三四五六七八九十", start=1)},
    **{each: n for n, each in enumerate(("first", "second", "third", "fourth", "fifth"), start=1)},
    "两": 2,
}
