"""What she is to say at a time, as stored: what somebody asked for, and what she means to ask.

A :class:`Reminder` was asked for. An :class:`Intention` is hers: it follows from what was said,
and is said only where her partner lets her begin (:mod:`memory.initiative`).
"""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal, TypeAlias

Ending: TypeAlias = Literal["", "rung", "done", "stopped"]
"""Why nothing more comes of a reminder: it rang for the last time, or its partner ended it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder:
    """What somebody asked to be reminded of.

    ``first_at`` is the first instant and ``rule`` how it recurs (:mod:`memory.text.times`), empty
    for once; the rule counts in the wall clock of ``zone``. ``rung_at`` is the last instant it
    came at, or should have; ``snoozed_until`` one more that the partner chose. ``message_ids`` are
    the messages that asked, in ``conversation``, of ``speaker``; ``speaker_id`` is empty in
    private. ``ended_at`` is set with ``ended``.
    """

    id: int
    text: str
    first_at: datetime
    zone: str
    made_at: datetime
    rule: str = ""
    rung_at: datetime | None = None
    snoozed_until: datetime | None = None
    conversation: str = ""
    private: bool = True
    turn_id: str = ""
    message_ids: tuple[str, ...] = ()
    speaker: str = ""
    speaker_id: str = ""
    ended: Ending = ""
    ended_at: datetime | None = None

    @property
    def key(self) -> int:
        return self.id

    @property
    def is_open(self) -> bool:
        """Whether it is still to come, or may be put off."""
        return not self.ended


IntentionKind: TypeAlias = Literal["follow_up", "promise", "day", "review", "quiet"]
"""Why she would begin: to ask how it went, before something is due, for the day it is, to ask
whether something still holds, or because nobody wrote for days."""

IntentionEnd: TypeAlias = Literal["", "said", "told", "stopped", "passed"]
"""Why nothing more comes of it: she said it, it was told or called off before, the partner stopped
it, or its time went by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intention:
    """What she means to bring up by herself, in private.

    ``text`` are the words it rests on, said at ``told_at``; ``about`` is what they name
    (:mod:`memory.initiative.occasions`) and ``what`` that name in their words. It may be said from
    ``at`` on and before ``until``; ``day`` is the day it is about, which comes back every year if
    it is ``yearly``, by the moon as ``moon`` (month, day). ``ended_at`` is set with ``ended``;
    ``answered_at`` if its partner pressed a button below it.
    """

    id: int
    kind: IntentionKind
    text: str
    at: datetime
    until: datetime
    told_at: datetime
    made_at: datetime
    about: str = ""
    what: str = ""
    day: date | None = None
    yearly: bool = False
    moon: tuple[int, ...] = ()
    memory_ids: tuple[int, ...] = ()
    message_ids: tuple[str, ...] = ()
    ended: IntentionEnd = ""
    ended_at: datetime | None = None
    said_at: datetime | None = None
    answered_at: datetime | None = None

    @property
    def key(self) -> int:
        return self.id

    @property
    def is_open(self) -> bool:
        """Whether it may still be said."""
        return not self.ended
