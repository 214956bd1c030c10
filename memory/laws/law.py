"""What a law is: one value that says how memories fade, and how that is worded.

A law is written as one module of this package that exports one :class:`Law` named ``LAW``; it
becomes known to the program by its place in :data:`memory.laws.registry.LAWS`. Every command,
setting and generated page reads these values, so nothing else names a law.

Each law keeps its own numbers in a memory's :class:`~memory.model.Trace`, and every event reaches
every law, whichever law the agent lives by. That is why an agent can change its law and change
back, and finds every number where it would have been.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, Generic, NamedTuple, TypeVar

from memory.laws.contract import NO_FATES, Fates, HealthColour, LawContext
from memory.model import Language, Level, Memory, Tier, Trace


class Event(StrEnum):
    """What can happen to a memory.

    ``BOOST`` is "the monitor says it was really used", ``MENTION`` "the partner said it again".
    Each carries the success that a law may count for it: one event, never two for one thing.
    """

    ACCESS = "access"
    SUCCESS = "success"
    FAILURE = "failure"
    MANUAL = "manual"
    ASSOCIATION_HIT = "association_hit"
    MENTION = "mention"
    BOOST = "boost"
    KEEP = "keep"
    PROMOTE = "promote"
    NEGATE = "negate"


class Title(NamedTuple):
    """A name for people, in both languages of the program."""

    zh: str
    en: str

    def in_language(self, language: Language) -> str:
        """Return the name in that language."""
        return self.zh if language == "zh" else self.en


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """The number that a law keeps of a memory, and how it is shown.

    ``key`` names it in JSON. ``full`` is the value at which a bar is full. ``format`` writes a
    value for people.
    """

    key: str
    title: Title
    full: float
    format: Callable[[float], str]


class Assessment(NamedTuple):
    """What a law says of one memory at one instant.

    ``amount`` is the law's quantity. ``retention`` is 0 to 1, for ranking, health and curves.
    ``recallable``: whether everyday recall may find it, as far as the law is concerned. Every
    ``colour`` but green means that it is fading. ``fates`` is what should happen to it now.
    """

    # A NamedTuple, because one is made for every memory of a night and of a search: a frozen
    # dataclass sets each field through object.__setattr__ and takes several times as long.
    amount: float
    retention: float
    recallable: bool
    colour: HealthColour
    fates: Fates

    @property
    def is_fading(self) -> bool:
        """Whether the memory is on its way out."""
        return self.colour is not HealthColour.GREEN


def firm(amount: float, retention: float = 1.0) -> Assessment:
    """Return what every law says of a memory that does not fade."""
    return Assessment(amount, retention, True, HealthColour.GREEN, NO_FATES)


UNJUDGED: Final = 0.32
"""The salience of what nobody judged by its words, 0 to 1.

With it ``disuse`` forecasts the first four fifths of a review log best
(``python -m benchmarks.keep reviews``): a card tells the law no words.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Birth:
    """What a law may know of a memory that begins.

    ``explicit``: the partner asked for it to be remembered. ``salience`` is how likely it will be
    needed, 0 to 1 (``memory.text.salience``). ``due``: when what it promises or plans is over.
    """

    at: datetime
    tier: Tier = Tier.FACT
    explicit: bool = False
    salience: float = UNJUDGED
    due: datetime | None = None


def number_of(trace: Trace, name: str, default: float = 0.0) -> float:
    """Return the number that a law keeps under its whole name, such as ``toy.fresh``."""
    # Read for every memory of a night, out of a handful: a dictionary would cost more.
    for known, value in trace.numbers:
        if known == name:
            return value
    return default


def with_number(trace: Trace, name: str, value: float) -> Trace:
    """Return the trace with a number of a law set."""
    numbers = {**dict(trace.numbers), name: value}
    return replace(trace, numbers=tuple(sorted(numbers.items())))


P = TypeVar("P")


# Compared and hashed by identity: two laws are the same only if they are one value, and the rules
# of an agent are cached by the laws they came from.
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Law(Generic[P]):
    """One way to forget. ``P`` is the frozen dataclass of its parameters.

    ``name`` is stored in the settings of an agent and never changes; ``also`` are other words by
    which people may ask for the law. ``ordered`` lists pairs of parameters whose first may not
    exceed their second.

    ``judge`` answers everything the program asks about one memory. ``at_birth`` sets the law's own
    numbers in the trace of a new memory; ``after_event`` returns the trace as the event leaves it.
    Both change only fields that no other law changes, so their order does not matter. A law
    without numbers of its own has neither.
    """

    name: str
    title: Title
    quantity: Quantity
    parameters: type[P]
    judge: Callable[[Memory, LawContext, P], Assessment]
    also: tuple[str, ...] = ()
    ordered: tuple[tuple[str, str], ...] = ()
    judge_line: Callable[[Memory, float, LawContext, P], Assessment] | None = None
    """What it says of one line of the talk an episode was cut from, by the line's salience.

    Without it a line comes to mind as its episode does.
    """

    at_birth: Callable[[Trace, Birth, P], Trace] | None = None
    after_event: Callable[[Memory, Event, LawContext, P], Trace] | None = None
    asks_promotion: Callable[[Memory, Memory, LawContext, P], bool] | None = None
    """Whether what happened between two states of a memory calls for a promotion review."""

    cleanup_pause: Callable[[P], timedelta] | None = None
    """How long after a cleanup by hand the next one has to wait."""

    decides_fates: bool = True
    """Whether ``judge`` ever names a fate; if not, no night asks it about every memory."""

    asks_reviews: bool = False
    """Whether it leaves decisions to a reviewer: a model, or the rules where none answers."""

    spares_sensitive: bool = False
    """Whether nothing becomes of what is sensitive (≥ 2), however little the law counts of it.

    Elsewhere such a memory is not deleted or shortened either, but put away or out of mind.
    """

    reads_links: bool = False
    """Whether ``judge`` needs ``LawContext.connectedness``, which costs a walk over the links."""

    logs_nights: bool = False
    """Whether the weight log also notes what a night did (source document 001, weight log)."""

    level: Callable[[float, P], Level] | None = None
    """How much of a memory comes to mind at a retention, where no stored word is to change."""

    cue_from: Callable[[P], float] | None = None
    """From which retention on a strong cue brings to mind what else would not come."""

    by_cycle: Callable[[int, P], float] | None = None
    """What is retained of a memory with one link after so many cycles; for a law without days."""

    runs_slices: bool = False
    """Whether memories are compressed in time slices after each remember (source document 002)."""
