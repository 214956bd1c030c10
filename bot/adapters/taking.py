"""What taking in is on every platform: durable before it is confirmed, and by whom it was said."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias, TypeVar

from bot.access import Access, AccessLevel
from bot.conversation.messages import Incoming
from bot.desk.desk import needs_sender_rank
from bot.supervise import Done, Failed, attempt
from memory.errors import StoreError

T = TypeVar("T")

Receive: TypeAlias = Callable[[Incoming], Awaitable[object]]
"""Take a message into the program; raises :class:`StoreError` if it could not be kept."""

HandleEvent: TypeAlias = Callable[[Any], Awaitable[object]]
"""Have what a platform tells kept; what it returns is the answer. Raises if it was not kept."""


class Acknowledger:
    """Have things kept. ``skipped`` counts those nobody can read: they need not come again."""

    def __init__(self) -> None:
        self.skipped = 0

    async def handle_or_skip(self, what: str, handle: Callable[[], Awaitable[T]]) -> T | None:
        """Return what taking returns, None for what nobody can read.

        Raises :class:`StoreError` or :class:`TimeoutError` for what has to come again.
        """
        step = await attempt(f"taking {what}", handle)
        match step:
            case Done(value):
                return value
            case Failed(StoreError() | TimeoutError() as error):
                raise error
            case Failed():
                self.skipped += 1
                return None


def exceeds_known_rights(incoming: Incoming, access: Access) -> bool:
    """Whether it is a command in a group that its sender may not give as far as is known."""
    if incoming.private or not incoming.addressed or not needs_sender_rank(incoming.text):
        return False
    place, sender = incoming.conversation, incoming.sender
    standing = access.level_of(
        place.platform,
        sender.id,
        place.chat,
        is_bot=sender.is_bot,
        is_admin=incoming.sender_is_admin,
    )
    return standing is AccessLevel.ALLOWED
