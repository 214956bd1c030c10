"""A reminder, as stored: of what, when first, by which rule again, and how far it has come."""

from dataclasses import dataclass
from datetime import datetime
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
