"""What the ledger hands out: frozen values, no rows and no dictionaries."""

from base64 import b32encode
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from hashlib import blake2b
from typing import Literal, TypeAlias

from bot.conversation.messages import ConversationKey, Incoming
from memory.changes import Used
from memory.model import Message


class MessageState(StrEnum):
    """How far a message has come."""

    RECEIVED = "received"
    IN_TURN = "in_turn"
    ANSWERED = "answered"
    COMMITTED = "committed"
    DONE = "done"
    FAILED = "failed"


class SendState(StrEnum):
    """How far the text of a turn has come on its way to the partner."""

    NONE = "none"
    PLANNED = "planned"
    SENDING = "sending"
    IN_DOUBT = "in_doubt"
    SENT = "sent"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """A message the ledger holds.

    ``id`` is the id its words have in memory for ever. ``attempts`` counts answers that failed,
    ``told`` whether the partner was told so. ``interrupted`` marks a command that had begun when
    the program ended.
    """

    id: str
    incoming: Incoming
    attempts: int = 0
    told: bool = False
    interrupted: bool = False

    @property
    def conversation(self) -> ConversationKey:
        return self.incoming.conversation

    def as_message(self, speaker: str) -> Message:
        """Return it as memory keeps it."""
        return Message(
            id=self.id,
            at=self.incoming.at,
            speaker=speaker,
            role="user",
            text=self.incoming.text,
            quoted=self.incoming.quoted,
            modality=self.incoming.modality,
            speaker_id="" if self.incoming.private else self.incoming.person,
        )


@dataclass(frozen=True, slots=True)
class Accepted:
    """The message is new and durable."""

    message: Received


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The message was accepted before; how far it has come since."""

    state: MessageState


Acceptance: TypeAlias = Accepted | Duplicate


@dataclass(frozen=True, slots=True)
class TurnAnswer:
    """What a turn says to the partner. Only a ``reply`` is remembered; an ``apology`` is not."""

    kind: Literal["reply", "apology"]
    text: str
    at: datetime = field(kw_only=True)
    used: tuple[Used, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEntry:
    """A turn that is not finished: what was said, what is answered, what is owed.

    ``sends`` counts how often its send began; ``placed`` are the platform's ids of the messages
    that show the answer or will, in order.
    """

    id: str
    conversation: ConversationKey
    at: datetime
    private: bool
    reply_to: str
    messages: tuple[Received, ...]
    answer: TurnAnswer | None = None
    send: SendState = SendState.NONE
    sends: int = 0
    committed: bool = False
    piece_ids: tuple[str, ...] = ()

    @property
    def reply_id(self) -> str:
        """Return the id the reply has in memory."""
        return f"{self.id}-reply"

    @property
    def is_sent(self) -> bool:
        """Whether nothing is left to send: the partner has it, or never will."""
        return self.send in {SendState.SENT, SendState.REFUSED}

    @property
    def owes_commit(self) -> bool:
        """Whether it holds a reply that memory does not have yet."""
        return self.answer is not None and self.answer.kind == "reply" and not self.committed


@dataclass(frozen=True, slots=True)
class TryAgain:
    """The messages of a failed turn wait until then; a new message ends the waiting early."""

    not_before: datetime


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The messages of a failed turn are marked with the reason, a word of ours."""

    reason: str


Fate: TypeAlias = TryAgain | GiveUp


def message_id(platform: str, account: str, dedupe_key: str) -> str:
    """Return the id of what a platform delivered: the same for every delivery, for ever.

    It is made from the platform's own id and not from a counter, so that a new ledger never gives
    an old id to new words.
    """
    return f"{platform}:{_short_digest(platform, account, dedupe_key)}"


def turn_id(first_message: str, attempt: int) -> str:
    """Return the id of the turn that begins with a message, at this attempt to answer it."""
    return f"turn:{_short_digest(first_message, str(attempt))}"


def _short_digest(*parts: str) -> str:
    hashed = blake2b(digest_size=10)
    for part in parts:
        encoded = part.encode("utf-8", "surrogatepass")
        hashed.update(len(encoded).to_bytes(4, "big") + encoded)
    return b32encode(hashed.digest()).decode("ascii").lower()
