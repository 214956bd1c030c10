"""The records a state is made of, and the two changes that may be made to it.

A state is tables of small frozen records, each with its key. A record is replaced whole, so there
are only two changes, ``Put`` and ``Drop``, and the inverse of each is one of the two.

Field names and literals are stored: renaming one needs a step in ``memory/stores/codec.py``.
"""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Final, Literal, TypeAlias

from memory.model import AgentSettings, Link, Memory, Message, Passage, Words
from memory.reminder import Intention, Reminder


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """The outgoing links of one node, strongest first; a target may be gone.

    Such a dangling link is how one knows of having forgotten (docs/decisions/law-network.md).
    """

    source: int
    links: tuple[Link, ...]

    @property
    def key(self) -> int:
        return self.source


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The working memory of one conversation.

    ``lines`` are the last 30 to 46 messages verbatim; ``tail`` is what left them and still waits
    to be summarised: at once if it is ``due``, for the model has no room for it any more.
    """

    conversation: str
    lines: tuple[Message, ...] = ()
    tail: tuple[Message, ...] = ()
    due: bool = False

    @property
    def key(self) -> str:
        return self.conversation


@dataclass(frozen=True, slots=True, kw_only=True)
class DiaryLine:
    """One message of the diary: every message once, in the order of ``number``, as it was said.

    Laws never touch it. ``scene`` is the id of the memory that was cut from it, which may be gone;
    0 while it waits to be cut, :data:`ELSEWHERE` for what no memory here was cut from. ``hidden``:
    the partner hid what rested on it, and that is purged; ``past``: that did not hold any more.
    """

    message: Message
    conversation: str = ""
    number: int = 0
    scene: int = 0
    hidden: bool = False
    past: bool = False

    @property
    def key(self) -> str:
        return self.message.id


ELSEWHERE: Final = -1
"""The scene of a line that came from another agent without a memory cut from it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """One memory that was put into a prompt: its score, the reasons, and how it was found.

    ``memory_id`` is 0 for a line of the diary that no memory held; ``source_ids`` name it.
    ``associated``: a link brought it, not its own words; ``path`` then lists the memories along
    the links, from the one that was found to itself.
    """

    memory_id: int
    score: float
    reasons: tuple[str, ...] = ()
    associated: bool = False
    source_ids: tuple[str, ...] = ()
    path: tuple[int, ...] = ()

    @property
    def looked_up(self) -> bool:
        """Whether it did not come to mind by itself."""
        return any(reason.startswith("deep:") for reason in self.reasons)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One user utterance (quick messages merged) and the reply, waiting for the background.

    ``private``: nobody but the partner reads it. What others read is never sealed. ``attempts``
    counts failed judgements, ``error`` says why the last one failed. ``learnt_by_rule`` once the
    rules have judged it; a model, if there is one, is asked after them. ``replaces`` is the id of
    an earlier reply in whose place this one stands; then nothing new was said. ``edited``: it is
    one message that was said before, in the words its author has given it since; nobody replies.
    """

    id: str
    conversation: str
    at: datetime
    said: tuple[Message, ...]
    reply: Message | None = None
    used: tuple[Used, ...] = ()
    attempts: int = 0
    error: str = ""
    private: bool = True
    learnt_by_rule: bool = False
    replaces: str = ""
    edited: bool = False

    @property
    def key(self) -> str:
        return self.id

    @property
    def messages(self) -> tuple[Message, ...]:
        """What was said, and the reply if there is one."""
        return self.said if self.reply is None else (*self.said, self.reply)


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What one reply used and what was learnt from it; it also makes ``commit`` idempotent.

    ``judged`` is how a model's answer about the turn fared; empty where none was given.
    """

    turn_id: str
    at: datetime
    used: tuple[Used, ...] = ()
    learnt: tuple[str, ...] = ()
    outcome: Literal["waiting", "learnt", "nothing", "parked", "offline"] = "waiting"
    judged: Literal["", "kept", "refused", "unreadable"] = ""

    @property
    def key(self) -> str:
        return self.turn_id


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingReview:
    """A memory that crossed a threshold and waits for a verdict of the reviewer."""

    memory_id: int
    task: Literal["promotion", "decay"]
    since: datetime

    @property
    def key(self) -> int:
        return self.memory_id


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightChange:
    """One entry of the weight log of source document 001, with every factor of the new weight."""

    at: datetime
    old: float
    new: float
    reason: str
    factors: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightLog:
    """The newest weight changes of one memory, oldest first, bounded."""

    memory_id: int
    entries: tuple[WeightChange, ...]

    @property
    def key(self) -> int:
        return self.memory_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """One time a memory was corrected: why, and both wordings."""

    at: datetime
    reason: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PastReview:
    """What one review decided.

    ``by`` names the model, or the rules, or ``partner`` who took a decision back. ``reason`` is
    one of our own short words and stands only where the rules decided: what a model wrote about
    its reasons could quote other memories and outlive them.
    """

    at: datetime
    task: Literal["promotion", "decay"]
    decision: Literal["promote", "keep", "delete"]
    by: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrections:
    """The correction history of one memory (source document 001), and of its reviews.

    Both bounded, oldest first.
    """

    memory_id: int
    entries: tuple[Correction, ...] = ()
    reviews: tuple[PastReview, ...] = ()

    @property
    def key(self) -> int:
        return self.memory_id


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviousText:
    """What a memory said before it was compressed, kept for 30 days."""

    memory_id: int
    at: datetime
    words: Words
    passages: tuple[Passage, ...]

    @property
    def key(self) -> int:
        return self.memory_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """Background work that must survive a restart: its kind, its material, and its failures.

    Failed too often it is ``parked`` for the nights; ``learnt_by_rule`` if only a model is left.
    ``lines`` of the diary are to be cut; older tasks hold the ``messages`` themselves.
    """

    id: str
    kind: Literal["segment", "consolidate"]
    at: datetime
    lines: tuple[str, ...] = ()
    messages: tuple[Message, ...] = ()
    memory_ids: tuple[int, ...] = ()
    conversation: str = ""
    explicit: bool = False
    attempts: int = 0
    parked: bool = False
    error: str = ""
    learnt_by_rule: bool = False

    @property
    def key(self) -> str:
        return self.id


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberedId:
    """The id of a message that was remembered: the same id is never taken twice."""

    message_id: str

    @property
    def key(self) -> str:
        return self.message_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """How to take one step back: its inverse changes.

    ``left`` holds a digest of each record as the step left it: did something touch it since?
    """

    id: int
    at: datetime
    actor: Literal["partner", "background", "law"]
    label: str
    inverse: tuple["Change", ...]
    left: tuple[str, ...] = ()

    @property
    def key(self) -> int:
        return self.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """The record that something was erased or sealed, without any of what it was.

    ``key_hex`` keys the digests of :class:`ErasedId`, if there are any. Until ``scrubbed``, files
    may hold former states; whoever opens the agent cleans them first.
    """

    id: int
    at: datetime
    key_hex: str
    count: int = 0
    scrubbed: bool = False
    kind: Literal["erasure", "sealing"] = "erasure"

    @property
    def key(self) -> int:
        return self.id


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasedId:
    """The keyed digest of the id of an erased message: nothing is learnt from it again."""

    digest: str

    @property
    def key(self) -> str:
        return self.digest


AGENT_INFO_KEY: Final = "household"  # the word of the first version, kept in every store


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentInfo:
    """The facts about the agent as a whole: settings, focus (least recent first), nights.

    ``settled_on`` is the agent's local date of the last night, ``settled_at`` its instant,
    ``cleaned_at`` the instant of the last clean-up. ``counters`` are the seven metrics of source
    document 001, as (name, value). Under the law ``network`` a compression slice is due after
    every remember; it passes over ids from ``made_before`` on: too new to fade. ``slice_left``: so
    many nodes one that ran out of time has yet to scan, 0 for all. From the id ``meant_before`` on
    nothing was linked by meaning. ``model_doubted``: more of the last answers of the background's
    model were refused than not, and the partner was told.
    """

    settings: AgentSettings
    focus: tuple[int, ...] = ()
    settled_on: date | None = None
    settled_at: datetime | None = None
    cleaned_at: datetime | None = None
    counters: tuple[tuple[str, float], ...] = ()
    slice_due: bool = False
    slice_left: int = 0
    made_before: int = 1
    meant_before: int = 1
    model_doubted: bool = False

    @property
    def key(self) -> str:
        return AGENT_INFO_KEY


Record: TypeAlias = (
    Memory
    | Links
    | Window
    | DiaryLine
    | Turn
    | Receipt
    | PendingReview
    | WeightLog
    | Corrections
    | PreviousText
    | Task
    | RememberedId
    | Undo
    | Tombstone
    | ErasedId
    | AgentInfo
    | Reminder
    | Intention
)
Key: TypeAlias = int | str


@dataclass(frozen=True, slots=True)
class Put:
    """Store the record under its key, in place of whatever was there."""

    record: Record


@dataclass(frozen=True, slots=True)
class Drop:
    """Remove the record under that key of that table; where there is none, do nothing."""

    table: type[Record]
    key: Key


Change: TypeAlias = Put | Drop
