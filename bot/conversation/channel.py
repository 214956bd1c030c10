"""What a platform does for one turn: show that she is at it, show the answer, deliver it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol, TypeAlias

from bot.conversation.messages import ConversationKey, Platform
from memory.errors import XiaoxiangError

RecordPiece: TypeAlias = Callable[[int, str], Awaitable[None]]
"""Make durable that piece ``n`` of the answer (from 0) is the platform's message of that id."""


class NotDelivered(XiaoxiangError):
    """Nothing of this delivery was shown; later it may work."""


class Undeliverable(XiaoxiangError):
    """It can never be delivered: the chat is gone, or the partner blocked the bot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where an answer goes.

    ``turn_id`` never changes over attempts: keys that make sending idempotent are made of it.
    ``reply_to`` is the platform's own id (``dedupe_key``) of the last message that is answered.
    ``placed`` are the platform's ids of what an earlier attempt put there, piece by piece.
    ``in_doubt`` says that an earlier attempt may have delivered it: a platform that cannot
    recognise a repetition marks this one as such. ``tried_since`` is the earliest that any attempt
    can have been made, None before the first.
    """

    turn_id: str
    conversation: ConversationKey
    private: bool
    reply_to: str
    piece_ids: tuple[str, ...] = ()
    in_doubt: bool = False
    tried_since: datetime | None = None


class Delivery(Protocol):
    """One answer on its way to the partner. ``thinking`` and ``show`` are optional extras."""

    async def show_thinking(self) -> None:
        """Show that she is at it, until something else happens; returns at once, never raises."""

    async def show(self, text: str) -> None:
        """Show the whole answer so far; returns at once, never raises, may skip.

        A text that does not continue the last one means that the answer began again.
        """

    async def finish(self, text: str) -> None:
        """Deliver the final text, in place of whatever was shown.

        Raises :class:`NotDelivered` or :class:`Undeliverable`. Any other failure, also
        cancellation, leaves in doubt what the partner saw.
        """

    async def withdraw(self) -> None:
        """Take back what was shown, as far as the platform can; never raises."""

    async def stop_showing(self) -> None:
        """Show nothing more: the turn ended, or was stopped where it stands; never raises.

        Returns at once or nearly so. A turn that was stopped gets another delivery later.
        """


@dataclass(frozen=True, slots=True)
class ChannelHealth:
    """How hearing goes: since when, in the seconds of the running loop, and why not well."""

    state: Literal["starting", "well", "troubled", "stopped"]
    since: float
    reason: str = ""


def no_link(conversation: ConversationKey, message: str) -> str:
    """Return nothing: the platform has no address for a message."""
    del conversation, message
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformInfo:
    """What a platform tells about itself.

    ``link`` returns an address that opens a message of a conversation, empty if there is none.
    """

    health: Callable[[], ChannelHealth]
    link: Callable[[ConversationKey, str], str] = no_link


PlatformInfos: TypeAlias = Mapping[Platform, PlatformInfo]


class Channel(Protocol):
    """A platform as a turn sees it."""

    def delivery(self, target: Target, record_piece: RecordPiece) -> Delivery:
        """Begin to deliver an answer.

        A message that will show it is reported to ``placed`` before it shows any of it.
        """
