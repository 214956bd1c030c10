"""The four things memory needs from outside, as protocols: clock, model, embedder, store.

Each is as narrow as its user allows. A failing model is a value here, not an exception: "nothing
new", "unreadable" and "unavailable" are different answers, and a caller must treat all of them.
Only the clock is implemented here, by asking the operating system, which knows its zone as well.
"""

import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Protocol, TypeAlias
from zoneinfo import ZoneInfo

from memory.changes import Change
from memory.errors import StoreUnwritable
from memory.state import MemoryState
from prompts import Prompt

LOCAL_TIME: Final = Path("/etc/localtime")


def usual_zone(tz: str, language: object, local_time: Path = LOCAL_TIME) -> str:
    """Return the time zone of a machine by ``tz`` (its TZ), or else by its link to the zone.

    Where it says UTC, as most servers and containers do, it does not say where anybody is: then it
    is that of most who speak Chinese, or UTC.

    >>> usual_zone("Europe/London", "en"), usual_zone("Etc/UTC", "zh")
    ('Europe/London', 'Asia/Shanghai')
    """
    named = tz.removeprefix(":") or str(local_time.resolve()).partition("zoneinfo/")[2]
    return named if _is_place(named) else "UTC" if language == "en" else "Asia/Shanghai"


_NO_PLACES: Final = ("Etc/", "posix/", "right/")


def _is_place(named: str) -> bool:
    """Tell whether a zone is known; to list all that are known took a tenth of the start."""
    if "/" not in named or named.startswith(_NO_PLACES):
        return False
    try:
        ZoneInfo(named)
    except (KeyError, ValueError, OSError):  # unknown, no name of a zone, or a folder of them
        return False
    return True


class Clock(Protocol):
    """Tells the time. A test or a replay lives at other dates than the machine."""

    def now(self) -> datetime:
        """Return the present instant, aware."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What one call cost, in tokens as the provider counts them.

    ``cached_tokens`` of the prompt the server had read before; None where it does not say.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Replied:
    """The model finished; ``text`` is its whole answer, ``model`` its name as reported."""

    text: str
    model: str = ""
    usage: Usage = Usage()


@dataclass(frozen=True, slots=True)
class Refused:
    """The model declined to answer, or its provider's filter did.

    ``text`` is what had come of an answer that a filter ended.
    """

    text: str = ""


@dataclass(frozen=True, slots=True)
class Truncated:
    """The answer broke off; ``text`` is what came and must never be taken for a whole answer.

    ``at_limit`` says that the model's own length limit ended it, so that asking again will not
    help; otherwise the connection just stopped. ``endless``: it said the same again and again, and
    the text is what it said until the first time was over.
    """

    text: str
    at_limit: bool = False
    endless: bool = False


@dataclass(frozen=True, slots=True)
class TooLong:
    """The prompt does not fit the model; a shorter one may."""


DAILY_LIMIT_REACHED: Final = "budget"
"""The reason of :class:`Unavailable` that is our own doing, and says nothing about the model."""


@dataclass(frozen=True, slots=True)
class Unavailable:
    """Nothing came for now: no network, overload, deadline, limit. Trying later may help.

    ``reason`` is one of our own short words (``timeout``, ``overloaded``, ``refused_key``,
    ``budget``…), never a provider's text. ``retry_after`` is how many seconds it asks us to wait.
    """

    reason: str
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class Invalid:
    """Something came that is no answer: HTML, no choices, an empty text; ``reason`` says what."""

    reason: str


Outcome: TypeAlias = Replied | Refused | Truncated | TooLong | Unavailable | Invalid


@dataclass(frozen=True, slots=True)
class Piece:
    """The next part of a streamed answer."""

    text: str


@dataclass(frozen=True, slots=True)
class StartAgain:
    """Discard the pieces so far: another attempt starts from the beginning."""


Streamed: TypeAlias = Piece | StartAgain | Outcome


class LanguageModel(Protocol):
    """Answers a prompt value. It never raises for a failing model: failures are outcomes."""

    @property
    def name(self) -> str:
        """Return what the model is called, for provenance and status."""

    async def complete(self, prompt: Prompt) -> Outcome:
        """Return the whole answer or why there is none."""

    def stream(self, prompt: Prompt) -> AsyncIterator[Streamed]:
        """Yield pieces, at most one ``StartAgain``, and end with exactly one outcome.

        The pieces since the last ``StartAgain`` joined are the text of a ``Replied`` outcome.
        """


class Embedder(Protocol):
    """Turns texts into vectors of one length."""

    @property
    def name(self) -> str:
        """Return what the model is called; vectors made under another name are useless."""

    async def embed(self, texts: Sequence[str]) -> list[list[float]] | None:
        """Return one vector per text, or None while the service cannot answer."""


class MemoryStore(Protocol):
    """Keeps one agent's state. It has one owner; a commit is durable when ``append`` returns."""

    async def snapshot(self) -> str:
        """Return the name under which the state of the last commit is kept, "" if it has none.

        A state that is loaded from there has that name for its ``read_from``; no other state
        ever has it.
        """

    async def load(self) -> MemoryState:
        """Return the last durable state; raises :class:`StoreError` if none can be trusted."""

    async def append(self, changes: Sequence[Change], state: MemoryState) -> None:
        """Make one commit durable, all or nothing; ``state`` is the state after it.

        Raises :class:`StoreUnwritable`, and then the commit is not in the store.
        """

    async def rebased(self, state: MemoryState) -> MemoryState:
        """Return the same state; what the store can look up by now is not held in memory."""

    async def fold(self) -> None:
        """Fold the journal into the snapshots; what was readable before is readable after."""

    async def scrub(self) -> None:
        """Let nothing be kept anywhere but the present state; raises :class:`StoreUnwritable`."""

    async def close(self) -> None:
        """Fold what is left and release the folder."""


# Counts the time a machine sleeps as well, so that a laptop that was shut for a holiday looks
# like one that ran. Only Linux names it so; elsewhere the monotonic clock is the nearest.
_NEVER_SET: Final = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class SystemClock:
    """The time of this machine, in UTC."""

    def now(self) -> datetime:
        """Return the present instant, aware, in UTC."""
        return datetime.now(UTC)

    def uptime(self) -> float:
        """Return seconds since some start that nobody can set, time asleep included."""
        return time.clock_gettime(_NEVER_SET)


class ShiftedClock:
    """The time of this machine, as if it had been ``start`` when the clock was made."""

    def __init__(self, start: datetime) -> None:
        self._shift = start.astimezone(UTC) - datetime.now(UTC)

    def now(self) -> datetime:
        """Return the shifted instant, aware, in UTC."""
        return datetime.now(UTC) + self._shift


@dataclass(slots=True)
class CommitTimes:
    """How long the commits of all agents of a process took until they were durable, in seconds.

    ``refused`` is how many the disk, or the database, did not take.
    """

    count: int = 0
    refused: int = 0
    seconds: float = 0.0
    longest: float = 0.0

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Count one commit that succeeds."""
        begun = time.monotonic()
        try:
            yield
        except StoreUnwritable:
            self.refused += 1
            raise
        seconds = time.monotonic() - begun
        self.count += 1
        self.seconds += seconds
        self.longest = max(self.longest, seconds)
