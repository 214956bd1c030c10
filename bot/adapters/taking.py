"""What taking in is on every platform: durable before it is confirmed, and by whom it was said."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias, TypeVar

from bot.access import Access, Standing
from bot.conversation.messages import Incoming
from bot.desk.desk import weighs_rank
from bot.supervise import Done, Stumbled, attempt
from memory.errors import StoreError

T = TypeVar("T")

Receive: TypeAlias = Callable[[Incoming], Awaitable[object]]
"""Take a message into the program; raises :class:`StoreError` if it could not be kept."""

Take: TypeAlias = Callable[[Any], Awaitable[object]]
"""Have what a platform tells kept; what it returns is the answer. Raises if it was not kept."""


class Keeper:
    """Have things kept. ``skipped`` counts those nobody can read: they need not come again."""

    def __init__(self) -> None:
        self.skipped = 0

    async def keep(self, what: str, take: Callable[[], Awaitable[T]]) -> T | None:
        """Return what taking returns, None for what nobody can read.

        Raises :class:`StoreError` or :class:`TimeoutError` for what has to come again.
        """
        step = await attempt(f"taking {what}", take)
        match step:
            case Done(value):
                return value
            case Stumbled(StoreError() | TimeoutError() as error):
                raise error
            case Stumbled():
                self.skipped += 1
                return None


def may_only_try(incoming: Incoming, access: Access) -> bool:
    """Whether it is a command in a group that its sender may not give as far as is known."""
    if incoming.private or not incoming.addressed or not weighs_rank(incoming.text):
        return False
    place, sender = incoming.conversation, incoming.sender
    standing = access.standing(
        place.platform,
        sender.id,
        place.chat,
        is_bot=sender.is_bot,
        is_admin=incoming.sender_is_admin,
    )
    return standing is Standing.ALLOWED
