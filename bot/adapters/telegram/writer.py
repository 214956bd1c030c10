"""Writing to Telegram chats: new messages, edits, files, and the waiting Telegram asks for.

Every write goes through one place, so that rate limits, groups that got a new id and the choice of
what may be repeated are handled once.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeAlias, TypeVar

from telegram import InlineKeyboardMarkup, LinkPreviewOptions, ReplyParameters
from telegram.constants import ChatAction

from bot.adapters.calls import (
    LONGEST_RATE_LIMIT_WAIT,
    RateLimited,
    RateLimits,
    RequestRejected,
    Retry,
)
from bot.adapters.telegram.api import (
    BotApi,
    GroupMoved,
    TelegramPlace,
    key_of,
    place_of,
    translated_errors,
)
from bot.adapters.telegram.formatting import FormattedMessage
from bot.adapters.telegram.own_messages import OwnMessages
from bot.conversation.messages import ConversationKey
from bot.tasks import Timer

T = TypeVar("T")

CANDIDATES: Final = 12
"""How many ids beyond the newest known are tried to find a message whose answer was lost."""

MOST_CANDIDATES: Final = 64
"""How many are tried at most, however many nobody knows of."""

# For a preview Telegram fetches the address at once: a model that was tricked into writing one
# with secrets in it would have sent them away before anybody could read the message.
_NO_PREVIEW: Final = LinkPreviewOptions(is_disabled=True)
_UNCHANGED: Final = "message is not modified"


IsOurs: TypeAlias = Callable[[ConversationKey, str], Awaitable[bool]]
"""Whether a message of a chat, by its key, shows an answer that is known."""


async def nothing_is_ours(conversation: ConversationKey, key: str) -> bool:
    """Know of no message."""
    del conversation, key
    return False


GROUP_WRITES: Final = 20
"""Messages and edits that Telegram takes in one group in a minute, all its topics together."""

ALL_WRITES: Final = 30
"""Calls that Telegram takes in a second, all chats together."""

KEPT_FOR_SENDS: Final = {GROUP_WRITES: 6, ALL_WRITES: 10}
"""So much of each is never used up by what gives way."""

_GROUP_SECONDS: Final = 61.0
_ALL_SECONDS: Final = 1.05
# A little more than Telegram counts: on the way two calls may come closer together.


class _Window:
    """What was written lately: at most ``most`` in ``seconds``."""

    def __init__(self, most: int, seconds: float) -> None:
        self._most, self._seconds = most, seconds
        self._written: deque[float] = deque()
        self.waiting = 0

    def seconds_left(self, now: float, *, gives_way: bool) -> float:
        """Return in how many seconds one more may be written; 0 for now."""
        while self._written and self._written[0] <= now - self._seconds:
            self._written.popleft()
        taken = KEPT_FOR_SENDS[self._most] + self.waiting if gives_way else 0
        room = max(self._most - taken, 0)
        if len(self._written) < room:
            return 0.0
        if not room:
            return self._seconds
        return self._written[len(self._written) - room] + self._seconds - now

    def note(self, now: float) -> None:
        """Note that one is written."""
        self._written.append(now)

    @property
    def is_idle(self) -> bool:
        """Whether it limits nothing at the moment."""
        return not self._written and not self.waiting


class WritePace:
    """Keep all writes together within what Telegram takes; what only shows progress gives way.

    A private chat needs none: what grows there has a gap of its own.
    """

    def __init__(self, timer: Timer) -> None:
        self._timer = timer
        self._all = _Window(ALL_WRITES, _ALL_SECONDS)
        self._groups: dict[int, _Window] = {}

    async def take(self, chat: int, *, gives_way: bool, is_message: bool = True) -> None:
        """Wait until a call may be made, and count it.

        Raises :class:`RateLimited` if that would be too long; for what gives way, if it cannot be
        at once.
        """
        windows = self._windows(chat, is_message=is_message)
        if gives_way:
            if left := self._seconds_left(windows, gives_way=True):
                raise RateLimited(left)
        else:
            await self._wait(windows)
        for window in windows:
            window.note(self._timer.now())

    async def room(self, chat: int, stopped: asyncio.Event) -> bool:
        """Wait until something that gives way may be written; False if ``stopped`` before."""
        while not stopped.is_set():
            left = self._seconds_left(self._windows(chat), gives_way=True)
            if not left:
                return True
            await self._timer.wait_for(stopped, left)
        return False

    async def _wait(self, windows: Sequence[_Window]) -> None:
        until = self._timer.now() + LONGEST_RATE_LIMIT_WAIT
        for window in windows:
            window.waiting += 1
        try:
            while left := self._seconds_left(windows, gives_way=False):
                if self._timer.now() + left > until:
                    raise RateLimited(left)
                await self._timer.sleep(left)
        finally:
            for window in windows:
                window.waiting -= 1

    def _seconds_left(self, windows: Sequence[_Window], *, gives_way: bool) -> float:
        now = self._timer.now()
        return max(each.seconds_left(now, gives_way=gives_way) for each in windows)

    def _windows(self, chat: int, *, is_message: bool = True) -> tuple[_Window, ...]:
        # The ids of groups are negative.
        if chat > 0 or not is_message:
            return (self._all,)
        if chat not in self._groups:
            now = self._timer.now()
            for known, window in list(self._groups.items()):
                window.seconds_left(now, gives_way=False)
                if window.is_idle:
                    del self._groups[known]
            self._groups[chat] = _Window(GROUP_WRITES, _GROUP_SECONDS)
        return (self._all, self._groups[chat])


class TelegramMessageWriter:
    """Write to chats. Every method raises :class:`PlatformError`; see :class:`Retry`.

    ``is_ours`` knows the messages of earlier runs of the program.
    """

    def __init__(self, bot: BotApi, timer: Timer, is_ours: IsOurs = nothing_is_ours) -> None:
        self._bot = bot
        self._is_ours = is_ours
        self.timer: Final = timer
        self._rate_limits = RateLimits(timer)
        self.pace: Final = WritePace(timer)
        self._new_ids: dict[int, int] = {}
        self.own: Final = OwnMessages()

    async def send(
        self,
        place: TelegramPlace,
        message: FormattedMessage,
        *,
        reply_to: int | None = None,
        keyboard: InlineKeyboardMarkup | None = None,
        silent: bool = False,
        retry: Retry = Retry.IF_NOT_DONE,
    ) -> int:
        """Send a message, without a notification if ``silent``; return its id.

        Where it may have been sent, it is not sent again: it would appear twice.
        """

        async def call(chat: int) -> int:
            sent = await self._bot.send_message(
                chat,
                message.text,
                entities=message.entities,
                message_thread_id=place.thread,
                reply_parameters=_reply_parameters(reply_to),
                reply_markup=keyboard,
                link_preview_options=_NO_PREVIEW,
                disable_notification=silent or None,
            )
            self.own.note(place.chat, sent.message_id)
            return sent.message_id

        return await self._call(place.chat, call, retry)

    async def find_sent(
        self,
        conversation: ConversationKey,
        after: int,
        touch: Callable[[TelegramPlace, int], Awaitable[None]],
        *,
        beyond: int = CANDIDATES,
    ) -> int | None:
        """Return the id of a message of the bot's that nobody knows of; None if there is none.

        It was sent after the message with the id ``after``, and its answer was lost. Telegram does
        not tell what the bot wrote; but only its own messages can be edited, and what they say may
        be replaced by the same: ``touch`` does that with each of the ids that follow of which it
        is not known whose they are, up to the newest known and so many ``beyond`` it.
        """
        place = place_of(conversation)
        tried = 0
        for candidate in self.own.unknown(place.chat, after, beyond):
            if await self._is_ours(conversation, key_of(place.chat, candidate)):
                continue
            if (tried := tried + 1) > MOST_CANDIDATES:
                return None
            try:
                await touch(place, candidate)
            except RequestRejected:
                continue
            self.own.note(place.chat, candidate)
            return candidate
        return None

    async def send_picture(self, place: TelegramPlace, png: bytes, reply_to: int | None) -> int:
        """Send a picture; return the id of its message."""

        async def call(chat: int) -> int:
            sent = await self._bot.send_photo(
                chat,
                png,
                message_thread_id=place.thread,
                reply_parameters=_reply_parameters(reply_to),
            )
            self.own.note(place.chat, sent.message_id)
            return sent.message_id

        return await self._call(place.chat, call, Retry.IF_NOT_DONE)

    async def send_file(
        self, place: TelegramPlace, name: str, data: bytes, reply_to: int | None
    ) -> int:
        """Send a file; return the id of its message."""

        async def call(chat: int) -> int:
            sent = await self._bot.send_document(
                chat,
                data,
                filename=name,
                message_thread_id=place.thread,
                reply_parameters=_reply_parameters(reply_to),
                # An export has to arrive as the file it is, not as what Telegram takes it for.
                disable_content_type_detection=True,
            )
            self.own.note(place.chat, sent.message_id)
            return sent.message_id

        return await self._call(place.chat, call, Retry.IF_NOT_DONE)

    async def edit(
        self,
        place: TelegramPlace,
        message: int,
        text: FormattedMessage,
        *,
        keyboard: InlineKeyboardMarkup | None = None,
        retry: Retry = Retry.ALWAYS,
    ) -> None:
        """Replace what a message says; replacing it by the same is no error."""

        async def call(chat: int) -> None:
            await self._bot.edit_message_text(
                text.text,
                chat_id=chat,
                message_id=message,
                entities=text.entities,
                reply_markup=keyboard,
                link_preview_options=_NO_PREVIEW,
            )

        try:
            await self._call(place.chat, call, retry)
        except RequestRejected as error:
            # The answer to the first try was lost, or an earlier run wrote this very text.
            if _UNCHANGED not in str(error).lower():
                raise

    async def touch_file(self, place: TelegramPlace, message: int) -> None:
        """Change nothing of a file's message; refused if it is none of the bot's."""

        async def call(chat: int) -> None:
            await self._bot.edit_message_caption(chat, message)

        try:
            await self._call(place.chat, call, Retry.ALWAYS)
        except RequestRejected as error:
            if _UNCHANGED not in str(error).lower():
                raise

    async def erase(self, place: TelegramPlace, message: int) -> None:
        """Delete a message. It gives way to nothing: nobody would come back to it."""

        async def call(chat: int) -> None:
            await self._bot.delete_message(chat, message)

        await self._call(place.chat, call, Retry.ALWAYS)

    async def show_typing(self, place: TelegramPlace) -> None:
        """Show "typing" for five seconds or until the next message; tried once."""

        async def call(chat: int) -> None:
            action = ChatAction.TYPING
            await self._bot.send_chat_action(chat, action, message_thread_id=place.thread)

        await self._call(place.chat, call, Retry.NEVER, is_message=False)

    async def show_draft(self, place: TelegramPlace, number: int, text: FormattedMessage) -> None:
        """Show for half a minute, in a private chat, what a message will say; tried once."""

        async def call(chat: int) -> None:
            await self._bot.send_message_draft(
                chat, number, text.text, message_thread_id=place.thread
            )

        await self._call(place.chat, call, Retry.NEVER)

    async def _call(
        self, chat: int, call: Callable[[int], Awaitable[T]], retry: Retry, **kind: bool
    ) -> T:
        async def write() -> T:
            await self.pace.take(chat, gives_way=retry is Retry.NEVER, **kind)
            return await self._call_once(chat, call)

        return await self._rate_limits.call(str(chat), write, retry)

    async def _call_once(self, chat: int, call: Callable[[int], Awaitable[T]]) -> T:
        try:
            with translated_errors():
                return await call(self._new_ids.get(chat, chat))
        except RateLimited as error:
            # Noted for every other writer of this chat too, whatever becomes of this call.
            self._rate_limits.block_chat(str(chat), error.seconds)
            raise
        except GroupMoved as error:
            # Turns that began before the move still hold the old id; it is not stored.
            self._new_ids[chat] = error.chat
            with translated_errors():
                return await call(error.chat)


def _reply_parameters(message: int | None) -> ReplyParameters | None:
    # The question may have been deleted meanwhile; the answer is still owed.
    return ReplyParameters(message, allow_sending_without_reply=True) if message else None
