"""Writing to Lark: new messages, changes, reactions, and waiting when Lark asks for it."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final, TypeVar

from bot.adapters.calls import PlatformUnreachable, RateLimits, RequestRejected
from bot.adapters.lark.api import LarkApi, MessageWithdrawn, route
from bot.adapters.lark.formatting import LarkPayload
from bot.adapters.lark.places import LarkPlace
from bot.timing import Timer

T = TypeVar("T")

WORKING_REACTION: Final = "Typing"
"""The reaction that says that she is at it."""

NO_THREAD_CODES: Final = frozenset({230071, 230072})
"""Where a message is, or what it is, allows no thread."""

_MESSAGES: Final = ("im", "v1", "messages")


class LarkMessageWriter:
    """Write to chats. What Lark asks to wait is kept per chat: no other one waits for it."""

    def __init__(self, api: LarkApi, timer: Timer) -> None:
        self.timer: Final = timer
        self.api: Final = api
        self._rate_limits = RateLimits(timer)

    async def send(
        self, place: LarkPlace, message: LarkPayload, *, uuid: str, reply_to: str = ""
    ) -> str:
        """Write a new message and return its id; the same ``uuid`` writes it once an hour.

        It is a reply if there is something to reply to, in the thread if there is one. Raises
        :class:`Trouble`.
        """
        body = {"msg_type": message.kind, "content": message.content, "uuid": uuid}
        if reply_to:
            try:
                return await self._reply(reply_to, body, in_thread=bool(place.thread))
            except MessageWithdrawn:
                # What was asked is gone; the answer is still owed.
                pass
        return _message_id(
            await self.api.call(
                "POST",
                route(*_MESSAGES),
                query={"receive_id_type": "chat_id"},
                body={**body, "receive_id": place.chat},
            )
        )

    async def edit(self, message: str, what: LarkPayload) -> None:
        """Let a message of hers say something else; raises :class:`Trouble`."""
        if what.kind == "interactive":
            body = {"content": what.content}
            await self.api.call("PATCH", route(*_MESSAGES, message), body=body)
        else:
            body = {"msg_type": what.kind, "content": what.content}
            await self.api.call("PUT", route(*_MESSAGES, message), body=body)

    async def erase(self, message: str) -> None:
        """Take a message back; one that is gone already is no error."""
        with suppress(MessageWithdrawn):
            await self.api.call("DELETE", route(*_MESSAGES, message))

    async def add_reaction(self, message: str) -> str:
        """Show on a message that she is at it, once; return the reaction."""
        body = {"reaction_type": {"emoji_type": WORKING_REACTION}}
        told = await self.api.call("POST", route(*_MESSAGES, message, "reactions"), body=body)
        return str(told.get("reaction_id", ""))

    async def remove_reaction(self, message: str, reaction: str) -> None:
        """Take a reaction away."""
        await self.api.call("DELETE", route(*_MESSAGES, message, "reactions", reaction))

    async def call_with_retries(
        self, place: LarkPlace, write: Callable[[], Awaitable[T]], *, again: bool = True
    ) -> T:
        """Do what writes, again after a short failure and when Lark's waiting time is over.

        Without ``again`` a call that may have worked is not made a second time. Raises
        :class:`Flooded` if that is too long, and :class:`Away` if it goes on failing.
        """
        return await self._rate_limits.call_with_retries(place.chat, write, again=again)

    async def _reply(self, to: str, body: dict[str, Any], *, in_thread: bool) -> str:
        path = route(*_MESSAGES, to, "reply")
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


def _message_id(told: dict[str, Any]) -> str:
    if not (identity := told.get("message_id")):
        raise PlatformUnreachable("a message without an id")
    return str(identity)
