"""A memory, one node of the network, as stored; and the settings of the agent it belongs to.

What changes by the hour (importance, strength, weight, connectedness) is not here: the laws
compute it from the :class:`Trace` at an instant, and :mod:`memory.views` shows it. Field names and
enumeration values are stored: a new name for one needs a migration.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum, IntEnum, StrEnum
from typing import Literal, TypeAlias
from zoneinfo import ZoneInfo

Role: TypeAlias = Literal["user", "assistant"]


class Tier(StrEnum):
    """How settled a memory is (source document 003); ``entity`` is a name that links lead to."""

    SYSTEM = "system"
    CORE = "core"
    FACT = "fact"
    EPISODE = "episode"
    ENTITY = "entity"


class Kind(StrEnum):
    """What sort of knowledge it is: six classes of source document 001, ``lesson`` of 000."""

    IDENTITY = "identity"
    LASTING_PREFERENCE = "lasting_preference"
    PASSING_PREFERENCE = "passing_preference"
    FACT = "fact"
    SKILL = "skill"
    LESSON = "lesson"
    TEMPORARY = "temporary"


class Topic(StrEnum):
    """What it is about (source document 003, second improvement)."""

    PREFERENCE = "preference"
    PERSONAL = "personal"
    MEMORY = "memory"
    PROMISE = "promise"


class Level(IntEnum):
    """How much is left of a memory; a law may only lower it."""

    TRACE = 0  # the phrase
    TAG = 1  # phrase and keywords
    SUMMARY = 2  # the gist
    FULL = 3  # the gist and every verbatim passage


class Sensitivity(IntEnum):
    """How private it is (source document 001): 2 is never compressed, 3 is sealed."""

    PUBLIC = 0
    ORDINARY = 1
    SENSITIVE = 2
    SECRET = 3


class Source(StrEnum):
    """Through whom a memory entered."""

    USER = "user"
    BACKGROUND = "background"
    SYSTEM = "system"
    IMPORT = "import"


class DeletionPolicy(StrEnum):
    """Why a memory was deleted (source document 001, lifecycle)."""

    USER_DELETE = "user_delete"
    AUTO_CLEANUP = "auto_cleanup"
    MERGE_CLEANUP = "merge_cleanup"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One thing that was said.

    ``id`` is unique per agent; ``at`` is aware and dates whatever is remembered of it. ``quoted``
    was shown, not said (a quotation, a forward, a file): never the speaker's own words.
    ``speaker_id`` is the platform's id of the author where several write; it is never shown.
    """

    id: str
    at: datetime
    speaker: str
    role: Role
    text: str
    quoted: str = ""
    modality: Literal["text", "image", "audio"] = "text"
    speaker_id: str = ""

    def __post_init__(self) -> None:
        if not self.id:
            raise ValueError("a message needs an id that is unique in its agent")
        if self.at.tzinfo is None:
            raise ValueError(f"message {self.id!r} has a time without a zone: {self.at!r}")
        if self.role not in {"user", "assistant"}:
            raise ValueError(f"message {self.id!r} has role {self.role!r}, not user or assistant")


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What the memory says, from longest to shortest, and how much of it is left.

    ``original_length``: of ``text``, before ``network`` compressed it to a share of that; or 0.
    """

    text: str
    phrase: str = ""
    keywords: tuple[str, ...] = ()
    level: Level = Level.FULL
    original_length: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Nature:
    """What sort of memory it is; decided when it is written, changed only by judgement."""

    tier: Tier
    kind: Kind = Kind.FACT
    topic: Topic = Topic.MEMORY
    sensitivity: Sensitivity = Sensitivity.PUBLIC
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class Active:
    """In everyday recall."""


@dataclass(frozen=True, slots=True)
class Archived:
    """Out of everyday recall, but kept."""

    at: datetime


@dataclass(frozen=True, slots=True)
class Deleted:
    """Out of sight of all but ``restore``, and purged 30 days after ``at``."""

    at: datetime
    policy: DeletionPolicy


@dataclass(frozen=True, slots=True)
class Merged:
    """Became part of the memory ``into``."""

    at: datetime
    into: int


Standing: TypeAlias = Active | Archived | Deleted | Merged

ACTIVE = Active()


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """Every number and date the laws read. All instants are aware UTC.

    ``importance`` is the value as of ``importance_at``, its last event; the law ``tiers`` computes
    what it is now. ``mentions`` holds the recent instants only, ``mention_count`` counts all.
    ``stability_hours`` belongs to ``ebbinghaus``, ``scan_count`` to ``network``.
    """

    created_at: datetime
    updated_at: datetime
    accessed_at: datetime
    activated_at: datetime
    reinforced_at: datetime
    importance_at: datetime
    importance: float = 1.0
    confidence: float = 0.7
    access_count: int = 0
    mentions: tuple[datetime, ...] = ()
    mention_count: int = 0
    reinforce_count: int = 0
    stability_hours: float = 24.0
    scan_count: int = 0
    negated_at: datetime | None = None
    # Kept also by a program that does not know the law: an agent that lived by it for a while
    # finds its numbers again. A field of its own for each law would change what is stored.
    numbers: tuple[tuple[str, float], ...] = ()

    @classmethod
    def starting_at(
        cls,
        at: datetime,
        *,
        importance: float = 1.0,
        stability_hours: float = 24.0,
        confidence: float = 0.7,
    ) -> "Trace":
        """Return the trace of a memory that begins at ``at``: every instant is that instant."""
        return cls(
            created_at=at,
            updated_at=at,
            accessed_at=at,
            activated_at=at,
            reinforced_at=at,
            importance_at=at,
            importance=importance,
            stability_hours=stability_hours,
            confidence=confidence,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Who said it, where and when, through whom it entered, and how far it is verified."""

    source: Source
    at: datetime
    speaker: str = ""
    conversation: str = ""
    turn_id: str = ""
    model: str = ""
    quote: str = ""
    verified: bool = False
    modalities: tuple[str, ...] = ("text",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineage:
    """Which memories it came from or made way for, and during what time it was true.

    ``consolidated_at``: when the lasting facts of an episode were taken out of it. Its days count
    from ``restored_at``, when the partner took it back, or ``revived_at``: looked up, and used.
    """

    merged_from: tuple[int, ...] = ()
    compressed_from: int | None = None
    replaces: int | None = None
    replaced_by: int | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    consolidated_at: datetime | None = None
    restored_at: datetime | None = None
    revived_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One indexed stretch of text of a memory: its gist, or one verbatim message.

    ``speaker_id`` names the one person whose words it rests on; empty if several or unknown.
    """

    text: str
    source_ids: tuple[str, ...]
    at: datetime
    speaker: str = ""
    role: Role = "user"
    verbatim: bool = False
    speaker_id: str = ""


def only_speaker(parts: Iterable[Message | Passage]) -> str:
    """Return the id of the one person who wrote all parts; empty if there are several."""
    # A part without an id is a person of its own: unknown is not "the same as the rest".
    ids = {part.speaker_id for part in parts}
    return ids.pop() if len(ids) == 1 else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed:
    """What a secret memory says, encrypted by :mod:`memory.privacy.vault`.

    ``key`` names the key it needs, ``version`` counts how often the memory was sealed.
    """

    key: str
    version: int
    box: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One node of the network. While ``sealed``, its own texts hold a placeholder only."""

    id: int
    words: Words
    nature: Nature
    trace: Trace
    origin: Origin
    standing: Standing = ACTIVE
    lineage: Lineage = field(default_factory=Lineage)
    passages: tuple[Passage, ...] = ()
    sealed: Sealed | None = None

    @property
    def key(self) -> int:
        return self.id

    @property
    def source_ids(self) -> tuple[str, ...]:
        """The ids of every message the memory rests on, each once, in order."""
        return tuple(dict.fromkeys(i for p in self.passages for i in p.source_ids))

    @property
    def is_past(self) -> bool:
        """Whether what it says no longer holds; what is only doubted still does."""
        return self.lineage.valid_until is not None or self.trace.negated_at is not None

    @property
    def is_fact(self) -> bool:
        """Whether it says what somebody said of the world: no episode, entity or system memory."""
        return self.nature.tier in {Tier.FACT, Tier.CORE}

    @property
    def is_living_fact(self) -> bool:
        """Whether it is a fact that holds now, stands in everyday recall and can be read."""
        return self.is_fact and self.is_active and not self.is_past and self.sealed is None

    @property
    def is_active(self) -> bool:
        """Whether it stands in everyday recall."""
        return isinstance(self.standing, Active)


class LinkType(StrEnum):
    """Why two memories are linked."""

    KEYWORD = "keyword"
    CO_TURN = "co_turn"
    TEMPORAL = "temporal"
    SEMANTIC = "semantic"
    SEQUENCE = "sequence"
    FOCUS = "focus"


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A directed association to ``target``; ``strength`` in [0, 1], ``relation`` may be empty."""

    target: int
    strength: float
    type: LinkType
    relation: str = ""

    def __post_init__(self) -> None:
        if not 0.0 <= self.strength <= 1.0:
            raise ValueError(f"link strength {self.strength!r} is outside 0 to 1")


class Mode(Enum):
    """What a query may see: what the law lets be recalled, all not deleted, or everything."""

    NORMAL = "normal"
    REVIEW = "review"
    DEBUG = "debug"


Language: TypeAlias = Literal["zh", "en"]
ModeName: TypeAlias = Literal["normal", "review", "debug"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSettings:
    """The settings of one agent, stored with it, by the names of ``docs/settings.md``.

    ``diary_days``: how long words are kept, None for ever. ``begins``: whether she may write
    first, empty before that was asked; never of a kind ``not_begun`` or what is ``unmentioned``.
    """

    law: str = "tiers"
    parameters: tuple[tuple[str, float | int | str | bool], ...] = field(default=())
    user_factor: float = 1.0
    time_zone: str = "Asia/Shanghai"
    language: Language = "zh"
    partner: str = "主人"
    retention_floor: float = 0.8
    mode: ModeName = "normal"
    listening: bool = True
    learning: bool = True
    notices: bool = True
    injected_tokens: int = 1200
    context_threshold_ratio: float = 0.8
    diary_days: int | None = None
    begins: Literal["", "asked", "yes", "no"] = ""
    not_begun: tuple[str, ...] = ()
    unmentioned: tuple[str, ...] = ()
    quiet_hours: str = "22-9"

    @property
    def zone(self) -> ZoneInfo:
        """Return the time zone in which the agent's days begin and its dates are meant."""
        return ZoneInfo(self.time_zone)
