"""Writing to a chat: new messages, edits, and waiting when Telegram asks for it."""

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from telegram import InlineKeyboardMarkup, LinkPreviewOptions, ReplyParameters
from telegram.constants import ChatAction

from bot.adapters.calls import RateLimited, RateLimits, RequestRejected
from bot.adapters.telegram.api import BotApi, GroupMoved, TelegramPlace, translated_errors
from bot.adapters.telegram.formatting import FormattedMessage
from bot.timing import Timer

T = TypeVar("T")

_NO_PREVIEW: Final = LinkPreviewOptions(is_disabled=True)
_UNCHANGED: Final = "message is not modified"


class TelegramMessageWriter:
    """Write to chats. What Telegram asks to wait is kept per chat: no other one waits for it."""

    def __init__(self, bot: BotApi, timer: Timer) -> None:
        self._bot = bot
        self._rate_limits = RateLimits(timer)
        self._new_ids: dict[int, int] = {}

    async def send(
        self,
        place: TelegramPlace,
        what: FormattedMessage,
        *,
        reply_to: int | None = None,
        keyboard: InlineKeyboardMarkup | None = None,
        silent: bool = False,
    ) -> int:
        """Write a new message, making no sound if ``silent``; return its id, raise Trouble."""

        async def call(chat: int) -> int:
            message = await self._bot.send_message(
                chat,
                what.text,
                entities=what.entities,
                message_thread_id=place.thread,
                reply_parameters=_reply_parameters(reply_to),
                reply_markup=keyboard,
                link_preview_options=_NO_PREVIEW,
                disable_notification=silent or None,
            )
            return message.message_id

        return await self._call(place.chat, call)

    async def send_picture(self, place: TelegramPlace, png: bytes, reply_to: int | None) -> None:
        """Send a picture."""

        async def call(chat: int) -> None:
            await self._bot.send_photo(
                chat,
                png,
                message_thread_id=place.thread,
                reply_parameters=_reply_parameters(reply_to),
            )

        await self._call(place.chat, call)

    async def send_file(
        self, place: TelegramPlace, name: str, data: bytes, reply_to: int | None
    ) -> None:
        """Send a file."""

        async def call(chat: int) -> None:
            await self._bot.send_document(
                chat,
                data,
                filename=name,
                message_thread_id=place.thread,
                reply_parameters=_reply_parameters(reply_to),
                disable_content_type_detection=True,
            )

        await self._call(place.chat, call)

    async def edit(
        self,
        place: TelegramPlace,
        message: int,
        what: FormattedMessage,
        *,
        keyboard: InlineKeyboardMarkup | None = None,
    ) -> None:
        """Let a message say something else; saying what it says already is no error."""

        async def call(chat: int) -> None:
            await self._bot.edit_message_text(
                what.text,
                chat_id=chat,
                message_id=message,
                entities=what.entities,
                reply_markup=keyboard,
                link_preview_options=_NO_PREVIEW,
            )

        try:
            await self._call(place.chat, call)
        except RequestRejected as error:
            if _UNCHANGED not in str(error).lower():
                raise

    async def erase(self, place: TelegramPlace, message: int) -> None:
        """Take a message back."""

        async def call(chat: int) -> None:
            await self._bot.delete_message(chat, message)

        await self._call(place.chat, call)

    async def show_typing(self, place: TelegramPlace) -> None:
        """Show for five seconds, or until the next message, that she is writing."""

        async def call(chat: int) -> None:
            await self._bot.send_chat_action(
                chat, ChatAction.TYPING, message_thread_id=place.thread
            )

        await self._call(place.chat, call)

    async def show_draft(self, place: TelegramPlace, number: int, what: FormattedMessage) -> None:
        """Show for half a minute, in a private chat, what a message is going to say."""

        async def call(chat: int) -> None:
            await self._bot.send_message_draft(
                chat, number, what.text, message_thread_id=place.thread
            )

        await self._call(place.chat, call)

    async def call_with_retries(
        self, place: TelegramPlace, write: Callable[[], Awaitable[T]], *, again: bool = True
    ) -> T:
        """Do what writes, again after a short failure and when Telegram's waiting time is over.

        Without ``again`` a call that may have worked is not made a second time. Raises
        :class:`Flooded` if that is too long, and :class:`Away` if it goes on failing.
        """
        return await self._rate_limits.call_with_retries(str(place.chat), write, again=again)

    async def _call(self, chat: int, call: Callable[[int], Awaitable[T]]) -> T:
        try:
            with translated_errors():
                return await call(self._new_ids.get(chat, chat))
        except RateLimited as error:
            self._rate_limits.block_chat(str(chat), error.seconds)
            raise
        except GroupMoved as error:
            self._new_ids[chat] = error.chat
            with translated_errors():
                return await call(error.chat)


def _reply_parameters(message: int | None) -> ReplyParameters | None:
    return ReplyParameters(message, allow_sending_without_reply=True) if message else None
