"""Writing to Lark chats: new messages, changes, reactions, files, and the waiting Lark asks for.

Unlike Telegram, Lark recognises a repeated send by its ``uuid`` for an hour, so a send may be
repeated without showing anything twice.
"""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final, TypeVar

from bot.adapters.calls import PlatformUnreachable, RateLimits, RequestRejected, Retry
from bot.adapters.lark.api import LarkApi, LarkPlace, MessageWithdrawn, route
from bot.adapters.lark.formatting import LarkPayload
from bot.timing import Timer

T = TypeVar("T")

WORKING_REACTION: Final = "Typing"
"""The reaction that says that an answer is being written."""

NO_THREAD_CODES: Final = frozenset({230071, 230072})
"""The message, or the chat it is in, cannot have a thread."""

_MESSAGES: Final = ("im", "v1", "messages")


class LarkMessageWriter:
    """Write to chats. Every method raises :class:`PlatformError`; see :class:`Retry`.

    ``note_sent`` is told the id of every message that was sent.
    """

    def __init__(
        self, api: LarkApi, timer: Timer, note_sent: Callable[[str], object] = str
    ) -> None:
        self._note_sent = note_sent
        self.timer: Final = timer
        self.api: Final = api
        self._rate_limits = RateLimits(timer)

    async def send(
        self,
        place: LarkPlace,
        message: LarkPayload,
        *,
        uuid: str,
        reply_to: str = "",
        retry: Retry = Retry.ALWAYS,
    ) -> str:
        """Send a message and return its id; the same ``uuid`` sends it once an hour.

        It is a reply if there is something to reply to, in the thread if there is one.
        """
        body = {"msg_type": message.kind, "content": message.content, "uuid": uuid}
        sent = await self.with_retries(
            place, partial(self._send_once, place, body, reply_to), retry
        )
        self._note_sent(sent)
        return sent

    async def edit_card(self, place: LarkPlace, message: str, card: LarkPayload) -> None:
        """Replace the card that a message shows."""
        path, body = route(*_MESSAGES, message), {"content": card.content}
        await self.with_retries(place, partial(self.api.call, "PATCH", path, body=body))

    async def erase(self, place: LarkPlace, message: str) -> None:
        """Withdraw a message; one that is gone already is no error."""
        with suppress(MessageWithdrawn):
            path = route(*_MESSAGES, message)
            await self.with_retries(place, partial(self.api.call, "DELETE", path))

    async def add_reaction(self, message: str) -> str:
        """Show on a message that an answer is being written; return the reaction's id."""
        body = {"reaction_type": {"emoji_type": WORKING_REACTION}}
        added = await self.api.call("POST", route(*_MESSAGES, message, "reactions"), body=body)
        return str(added.get("reaction_id", ""))

    async def remove_reaction(self, place: LarkPlace, message: str, reaction: str) -> None:
        """Remove a reaction; an empty id stands for one that nobody knows to be there."""

        async def remove() -> None:
            # Added again, a reaction that is there already tells its id.
            known = reaction or await self.add_reaction(message)
            await self.api.call("DELETE", route(*_MESSAGES, message, "reactions", known))

        await self.with_retries(place, remove)

    async def upload_picture(self, place: LarkPlace, png: bytes) -> str:
        """Upload a picture to be shown in a chat; return its key."""
        return await self.with_retries(place, partial(self.api.upload_picture, png))

    async def with_retries(
        self, place: LarkPlace, write: Callable[[], Awaitable[T]], retry: Retry = Retry.ALWAYS
    ) -> T:
        """Make calls that write to a chat, and make them again as ``retry`` allows."""
        return await self._rate_limits.call(place.chat, write, retry)

    async def _send_once(self, place: LarkPlace, body: dict[str, Any], reply_to: str) -> str:
        if reply_to:
            try:
                return await self._reply(reply_to, body, in_thread=bool(place.thread))
            except MessageWithdrawn:
                # The question is gone; the answer is still owed.
                pass
        return _message_id(
            await self.api.call(
                "POST",
                route(*_MESSAGES),
                query={"receive_id_type": "chat_id"},
                body={**body, "receive_id": place.chat},
            )
        )

    async def _reply(self, message: str, body: dict[str, Any], *, in_thread: bool) -> str:
        path = route(*_MESSAGES, message, "reply")
        try:
            return _message_id(
                await self.api.call("POST", path, body={**body, "reply_in_thread": in_thread})
            )
        except RequestRejected as error:
            if error.code not in NO_THREAD_CODES or not in_thread:
                raise
        return _message_id(
            await self.api.call("POST", path, body={**body, "reply_in_thread": False})
        )


def _message_id(sent: dict[str, Any]) -> str:
    if not (message_id := sent.get("message_id")):
        raise PlatformUnreachable("a message without an id")
    return str(message_id)
