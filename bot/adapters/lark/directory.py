"""What Lark knows of people, chats and messages: asked once, and cached.

An app may lack the right to ask: then the answer is "not known", and nothing depends on it. If
Lark does not answer, that is raised for messages, which are worth asking for again; names and
chats are not known for a while. One question that fails stops no other.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Final, Generic, Protocol, TypeVar

from bot.adapters.calls import (
    PlatformError,
    PlatformUnreachable,
    RateLimited,
    RateLimits,
    Retry,
)
from bot.adapters.lark.api import route
from bot.tasks import Failed, Timer, attempt

T = TypeVar("T")

CACHE_SIZE: Final = 2_000
"""Entries each cache holds at most."""

NAME_SECONDS: Final = 24 * 3600.0
# As long as an admin who was dismissed can still steer; the same as on Telegram.
CHAT_SECONDS: Final = 300.0
# A chat never changes from private to group, so only the cache's size bounds this.
KIND_SECONDS: Final = 30 * 24 * 3600.0
UNKNOWN_SECONDS: Final = 600.0
"""How long a name that Lark does not tell is not asked for again."""

OWN_SECONDS: Final = 30 * 24 * 3600.0
# As long as the ledger knows what showed a turn.
FAILED_SECONDS: Final = 30.0
"""How long a name or a chat is not asked for again after Lark did not answer that question."""

MESSAGE_SECONDS: Final = 10.0
"""How long asking for a message may take in all; its conversation waits meanwhile."""

PAGES: Final = 5
"""The most pages of a group's members that are read, of a hundred each."""


class ApiCaller(Protocol):
    """The one call of :class:`LarkApi` that the directory needs."""

    async def call(
        self, method: str, path: str, *, query: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        """Return Lark's answer; raises :class:`PlatformError`."""


class ExpiringCache(Generic[T]):
    """Keep the latest values, each for its own time."""

    def __init__(self, timer: Timer) -> None:
        self._timer = timer
        self._entries: OrderedDict[str, tuple[float, T]] = OrderedDict()

    def get(self, key: str) -> T | None:
        """Return the value of a key, None if there is none or it has expired."""
        until, value = self._entries.get(key, (0.0, None))
        return value if self._timer.now() < until else None

    def put(self, key: str, value: T, seconds: float) -> None:
        """Keep a value for so long."""
        self._entries[key] = (self._timer.now() + seconds, value)
        self._entries.move_to_end(key)
        if len(self._entries) > CACHE_SIZE:
            self._entries.popitem(last=False)

    def drop(self, key: str) -> None:
        """Remove a key, if it is there."""
        self._entries.pop(key, None)


class Directory:
    """Names of people, what chats are, and what messages say.

    ``own`` holds the messages that the bot has sent of late.
    """

    def __init__(self, api: ApiCaller, timer: Timer) -> None:
        self._api = api
        self._timer = timer
        self._names: ExpiringCache[str] = ExpiringCache(timer)
        self._chats: ExpiringCache[dict[str, Any]] = ExpiringCache(timer)
        self._kinds: ExpiringCache[bool] = ExpiringCache(timer)
        self._listed: ExpiringCache[bool] = ExpiringCache(timer)
        self._asking: dict[str, asyncio.Event] = {}
        self.own: Final = ExpiringCache[bool](timer)
        self._rate_limits = RateLimits(timer)

    def record_chat_kind(self, chat: str, *, private: bool) -> None:
        """Note whether a chat is private."""
        self._kinds.put(chat, private, KIND_SECONDS)

    def record_name(self, person: str, name: str) -> None:
        """Note somebody's name; an empty one is ignored."""
        if name:
            self._names.put(person, name, NAME_SECONDS)

    def known_name(self, person: str) -> str:
        """Return somebody's name if it is cached, else an empty text."""
        return self._names.get(person) or ""

    def forget_chat(self, chat: str) -> None:
        """Drop what is cached about a chat."""
        self._chats.drop(chat)
        self._listed.drop(chat)

    async def fetch_name(self, person: str, chat: str, *, private: bool) -> str:
        """Return somebody's name; empty if Lark does not tell it."""
        # Who writes twice before Lark has told it is not nameless in the second message.
        if (asked := self._asking.get(person)) is not None:
            await asked.wait()
        known = self._names.get(person)
        if known is not None:
            return known
        self._asking[person] = asked = asyncio.Event()
        try:
            return await self._ask_name(person, chat, private=private)
        finally:
            del self._asking[person]
            asked.set()

    async def _ask_name(self, person: str, chat: str, *, private: bool) -> str:
        # For a while if no answer comes.
        self._names.put(person, "", FAILED_SECONDS)
        answer = await self._ask("contact", "v3", "users", person, user_id_type="open_id")
        user = answer.get("user")
        self.record_name(person, str(user.get("name") or "") if isinstance(user, dict) else "")
        # The contacts hold only people within the app's range; a group lists all its members.
        if not self.known_name(person) and not private and not self._listed.get(chat):
            await self._record_member_names(chat)
        if not self.known_name(person):
            self._names.put(person, "", UNKNOWN_SECONDS)
        return self.known_name(person)

    def may_tell_name(self, person: str) -> bool:
        """Whether it makes sense to ask for somebody's name: it is not cached, nor refused."""
        return person in self._asking or self._names.get(person) is None

    async def is_private(self, chat: str) -> bool | None:
        """Whether a chat is with a single person; None if Lark does not tell."""
        known = self._kinds.get(chat)
        if known is not None:
            return known
        mode = (await self._fetch_chat(chat)).get("chat_mode")
        return None if mode is None else mode == "p2p"

    async def fetch_admins(self, chat: str) -> frozenset[str]:
        """Return the owner and the admins of a group; empty if Lark does not tell."""
        about = await self._fetch_chat(chat)
        managers = about.get("user_manager_id_list")
        listed = managers if isinstance(managers, list) else []
        return frozenset(each for each in (about.get("owner_id"), *listed) if each)

    async def fetch_messages(self, message: str) -> list[dict[str, Any]]:
        """Return a message; a forwarded bundle is followed by the messages in it.

        Nothing if Lark does not tell. Raises :class:`PlatformError` or :class:`TimeoutError` if it
        did not answer, asked three times within ten seconds.
        """
        ask = partial(self._ask, "im", "v1", "messages", message, user_id_type="open_id")
        async with asyncio.timeout(MESSAGE_SECONDS):
            answer = await self._rate_limits.call(message, ask, Retry.ALWAYS)
        items = answer.get("items")
        return (
            [each for each in items if isinstance(each, dict)] if isinstance(items, list) else []
        )

    async def fetch_thread(self, message: str) -> str:
        """Return the thread a message is in; empty if in none, or if Lark does not tell."""
        messages = await self.fetch_messages(message)
        return str(messages[0].get("thread_id") or "") if messages else ""

    async def _fetch_chat(self, chat: str) -> dict[str, Any]:
        known = self._chats.get(chat)
        if known is None:
            known = await self._ask("im", "v1", "chats", chat, user_id_type="open_id")
            # Not telling is remembered for a shorter time: it may be a fault that passes.
            self._chats.put(chat, known, CHAT_SECONDS if known else FAILED_SECONDS)
        return known

    async def _record_member_names(self, chat: str) -> None:
        """Read the names of a group's members."""
        # Noted before asking: a group whose list is refused is not asked again at each message.
        self._listed.put(chat, value=True, seconds=FAILED_SECONDS)
        page = ""
        for _ in range(PAGES):
            query = {"member_id_type": "open_id", "page_size": "100"}
            query |= {"page_token": page} if page else {}
            answer = await self._ask("im", "v1", "chats", chat, "members", **query)
            for each in answer.get("items") or []:
                self.record_name(str(each.get("member_id")), str(each.get("name") or ""))
            page = str(answer.get("page_token") or "")
            if not answer.get("has_more") or not page:
                break
        self._listed.put(chat, value=True, seconds=CHAT_SECONDS)

    async def _ask(self, *path: str, **query: str) -> dict[str, Any]:
        """Return Lark's answer; empty if it refuses.

        Raises :class:`PlatformUnreachable` and :class:`RateLimited`.
        """
        try:
            return await self._api.call("GET", route(*path), query=query)
        except (PlatformUnreachable, RateLimited):
            raise
        except PlatformError:
            return {}


async def ask_or_default(seconds: float, ask: Callable[[], Awaitable[T]], otherwise: T) -> T:
    """Return what ``ask`` returns, or ``otherwise`` if it fails or takes too long."""

    async def ask_in_time() -> T:
        async with asyncio.timeout(seconds):
            return await ask()

    step = await attempt("looking up", ask_in_time)
    return otherwise if isinstance(step, Failed) else step.value
