"""The platforms of the program as tests use them, and one of which only the screen is there."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bot.adapters import identities_of
from bot.conversation.delivery import Channel, ChannelHealth
from bot.conversation.messages import ConversationKey, Incoming
from bot.desk.documents import Presenter
from bot.identity import Access, Identities

IDENTITIES: Identities = identities_of()


def only_a_terminal() -> Access:
    """Return who may talk where nobody is listed."""
    return Access((), (), IDENTITIES)


@dataclass
class FakeAdapter:
    """An open platform: where its answers and documents go is given, the rest is missing.

    ``asked`` is what it tells of messages that are not complete, or raises.
    """

    channel: Channel
    presenter: Presenter
    platform: str = "telegram"
    health: ChannelHealth | None = None
    asked: Callable[[Incoming], Incoming] = lambda incoming: incoming

    async def fetch(self, incoming: Incoming) -> bytes | None:
        return None

    async def complete(self, incoming: Incoming) -> Incoming:
        return self.asked(incoming)

    def link(self, conversation: ConversationKey, message: str) -> str:
        return ""

    def shows(self, conversation: ConversationKey) -> bool:
        return True


def adapters_of(chat: Any, *platforms: str) -> dict[str, FakeAdapter]:
    """Return platforms that share one screen, which shows answers and documents alike."""
    return {each: FakeAdapter(chat, chat, each) for each in platforms}
