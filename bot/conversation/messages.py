"""What comes in and what goes out, whatever the platform."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

from bot.conversation.commands import read_command

Platform: TypeAlias = Literal["telegram", "lark", "console"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationKey:
    """One lane and one window: (platform, account, chat, thread)."""

    platform: Platform
    account: str
    chat: str
    thread: str = ""

    def __str__(self) -> str:
        return f"{self.platform}/{self.account}/{self.chat}/{self.thread}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sender:
    """Who wrote it: ``id`` is the platform's numeric or open id, the only thing trusted."""

    id: str
    name: str
    is_bot: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """One message as a platform handed it over.

    ``dedupe_key`` is the platform's own id of it, stable over redelivery. ``addressed`` says
    whether it asks for an answer (always in private). ``quoted`` is text the sender showed but
    did not write. ``sender_is_admin`` says that the platform names the sender among those who
    lead the group; it is asked only for a command that depends on it, and no answer means no.
    """

    dedupe_key: str
    conversation: ConversationKey
    sender: Sender
    at: datetime
    text: str
    private: bool = True
    addressed: bool = True
    quoted: str = ""
    modality: Literal["text", "image", "audio"] = "text"
    reply_to: str = ""
    raw: dict[str, object] = field(default_factory=dict)
    sender_is_admin: bool = False

    @property
    def is_command(self) -> bool:
        """Whether the text is a command for the desk rather than something said."""
        return read_command(self.text) is not None

    @property
    def person(self) -> str:
        """Who wrote it: the platform and its id of them, which no name can imitate."""
        return f"{self.conversation.platform}:{self.sender.id}"
