"""Doubting the clock of the machine, so that a wrong date makes nobody forget.

What is forgotten follows from dates. A clock that runs ten years ahead would end in one night
what was meant to last for years, so while the clock is doubted no night is lived through and
nothing is purged. Recall, answers and learning go on as ever.
"""

import json
import logging
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from memory.errors import StoreUnwritable
from memory.ports import Clock, SystemClock
from memory.stores.disk import REAL_DISK, disk_errors, replace_file

CLOCK_FILE: Final = "clock.json"
"""The file in the data folder that says when the program last ran, and what it doubts."""

FAR_OFF: Final = timedelta(days=2)
"""How far clocks may part. Telegram keeps an update for a day, so a backlog is never that old."""

LONG_GAP: Final = timedelta(days=400)
"""After a longer gap between two runs the date is asked for: few are away for over a year."""

TRUSTED_AFTER: Final = timedelta(days=7)
"""A clock that has run so long without another sign is believed, whatever it says."""

logger = logging.getLogger(__name__)

Cause: TypeAlias = Literal["moved", "platform", "gap"]


@dataclass(frozen=True, slots=True)
class ClockDoubt:
    """Why the clock is doubted, since when by that clock, and how long she has run since.

    ``cause``: it was ``moved`` while she ran, a ``platform`` tells another time, or there is a
    ``gap`` since she last ran. ``asked``: the owner was asked whether the date is right.
    """

    cause: Cause
    since: datetime
    seconds: float = 0.0
    asked: bool = False


class ClockWatch:
    """Watches one clock, and remembers across restarts what it doubts.

    Only the clock of the machine is doubted: a replay, a test and a shell command with ``--at``
    live at other dates on purpose.
    """

    def __init__(self, clock: Clock, folder: Path) -> None:
        """Read what is known of the clock of the machine."""
        self.clock = clock
        self._uptime: Callable[[], float] | None = (
            clock.uptime if isinstance(clock, SystemClock) else None
        )
        self._path = folder / CLOCK_FILE
        self._doubt: ClockDoubt | None = None
        self._saved = ""
        if self._uptime is None:
            return
        seen_at, self._doubt = _read(self._path)
        now = clock.now()
        if self._doubt is None and seen_at is not None and now - seen_at > LONG_GAP:
            self._doubt = ClockDoubt("gap", now)
        self._last_uptime = self._uptime()
        # The uptime at which the clock would have shown the epoch: it stays, or somebody set it.
        self._offset = self._offset_now()
        # How far a clock was moved before this start is not known, so it cannot be seen to return.
        self._may_return = False
        self._save(seen_at)

    @property
    def doubt(self) -> ClockDoubt | None:
        """Return why the clock is doubted, None while it is trusted."""
        return self._doubt

    @property
    def wants_to_ask(self) -> bool:
        """Whether the owner has still to be asked if the date is right."""
        return self._doubt is not None and self._doubt.cause == "gap" and not self._doubt.asked

    def check(self) -> ClockDoubt | None:
        """Compare the clock with the time that passed; return the doubt there is now.

        To be called every few minutes, and before anything that cannot be taken back.
        """
        if self._uptime is None:
            return None
        uptime = self._uptime()
        passed, self._last_uptime = uptime - self._last_uptime, uptime
        moved = abs(self._offset_now() - self._offset) > FAR_OFF.total_seconds()
        doubt = self._doubt
        if doubt is None:
            if moved:
                self._doubt, self._may_return = ClockDoubt("moved", self.clock.now()), True
        elif self._may_return and not moved:
            self._doubt, self._may_return = None, False
        else:
            doubt = replace(doubt, seconds=doubt.seconds + passed)
            self._doubt = doubt if doubt.seconds < TRUSTED_AFTER.total_seconds() else None
            if self._doubt is None:
                self._may_return, self._offset = False, self._offset_now()
        self._save(None)
        return self._doubt

    def compare(self, told: datetime) -> None:
        """Compare the clock with a time that a platform told just now."""
        if self._uptime is None:
            return
        agrees = abs(told - self.clock.now()) <= FAR_OFF
        doubt = self._doubt
        if not agrees and doubt is None:
            self._doubt = ClockDoubt("platform", self.clock.now())
            self._save(None)
        elif agrees and doubt is not None and doubt.cause != "gap":
            self.trust()

    def note_asked(self) -> None:
        """Note that the owner was asked: once is enough."""
        if self._doubt is not None:
            self._doubt = replace(self._doubt, asked=True)
            self._save(None)

    def trust(self) -> None:
        """Believe the clock as it is: the owner says so, or a platform agrees."""
        if self._uptime is not None:
            self._doubt, self._may_return = None, False
            self._offset = self._offset_now()
            self._save(None)

    def _offset_now(self) -> float:
        return self.clock.now().timestamp() - self._last_uptime

    def _save(self, seen_at: datetime | None) -> None:
        """Write down what is known; a doubted time is not taken for a time at which she ran.

        The day is enough, so a file is written once a day. A disk that is full loses the note and
        nothing else: a message must not fail for it.
        """
        doubt = self._doubt
        seen = self.clock.now() if doubt is None else (seen_at or doubt.since)
        day = seen.replace(hour=0, minute=0, second=0, microsecond=0)
        known: dict[str, Any] = {"seen_at": day.isoformat(), "doubt": None}
        if doubt is not None:
            known["doubt"] = asdict(doubt) | {"since": doubt.since.isoformat()}
        text = json.dumps(known)
        if text == self._saved:
            return
        try:
            with disk_errors(self._path):
                replace_file(REAL_DISK, self._path, text.encode())
            self._saved = text
        except StoreUnwritable:
            logger.warning("%s cannot be written", self._path.name)


def _read(path: Path) -> tuple[datetime | None, ClockDoubt | None]:
    """Return when the program last ran and what it doubted; nothing from a file nobody can read.

    The file may be deleted at any time: then the clock is trusted.
    """
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
        seen, doubt = datetime.fromisoformat(known["seen_at"]), known["doubt"]
        if doubt is None:
            return seen, None
        since = datetime.fromisoformat(doubt["since"])
        return seen, ClockDoubt(
            doubt["cause"], since, float(doubt["seconds"]), doubt["asked"] is True
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None, None
