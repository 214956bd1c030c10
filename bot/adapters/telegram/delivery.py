"""One answer on its way to a chat: typing, words as they come, the final text in their place.

A message is put there as ``…`` and its id made durable before it says anything; every later step
is an edit of it. An edit may be repeated as often as one likes, so whatever crash or failure lies
between, the partner sees the answer exactly once (promises.md, 0.5). At worst a ``…`` stays.
"""

from functools import partial
from hashlib import blake2b
from typing import Final

from bot.adapters.calls import ChatUnavailable, PlatformUnreachable, RateLimited, RequestRejected
from bot.adapters.streaming import StreamUpdater
from bot.adapters.telegram.api import TelegramPlace, key_of, message_of, place_of, placed_message
from bot.adapters.telegram.formatting import FormattedMessage, formatted_messages, plain_messages
from bot.adapters.telegram.writer import TelegramMessageWriter
from bot.conversation.delivery import NotDelivered, RecordPiece, Target, Undeliverable
from bot.supervise import Supervisor, attempt
from bot.timing import wait_for_event
from memory.errors import StoreError

PLACEHOLDER: Final = FormattedMessage("…")
TYPING_SECONDS: Final = 4.0
"""How often "typing" is said again; Telegram shows it for five."""

PRIVATE_GAP: Final = 1.0
GROUP_GAP: Final = 3.0
"""So far apart are the edits that show an answer growing; a group allows 20 a minute."""

_NOT_EDITABLE: Final = (
    "message to edit not found",
    "message can't be edited",
    "message_id_invalid",
)


class TelegramChannel:
    """Telegram as a turn sees it."""

    def __init__(
        self, pen: TelegramMessageWriter, tasks: Supervisor, *, drafts: bool = False
    ) -> None:
        self._pen = pen
        self._tasks = tasks
        self._drafts = drafts

    def delivery(self, target: Target, record_piece: RecordPiece) -> "TelegramDelivery":
        """Begin to deliver an answer, in the messages an earlier attempt put there."""
        drafts = self._drafts and target.private
        return TelegramDelivery(self._pen, self._tasks, target, record_piece, drafts=drafts)


class TelegramDelivery:
    """Shows in a task of its own, so that the model never waits for Telegram."""

    def __init__(
        self,
        pen: TelegramMessageWriter,
        tasks: Supervisor,
        target: Target,
        record_piece: RecordPiece,
        *,
        drafts: bool,
    ) -> None:
        self._pen = pen
        self._record_piece = record_piece
        self._place: TelegramPlace = place_of(target.conversation)
        self._reply_to = None if target.private else message_of(target.reply_to)
        self._draft = _draft_number(target.turn_id) if drafts else None
        self._gap = PRIVATE_GAP if target.private else GROUP_GAP
        self._messages = [placed_message(each) for each in target.piece_ids]
        self._shown_parts: list[FormattedMessage | None] = [None] * len(self._messages)
        self._text = ""
        self._updater = StreamUpdater(tasks, self._show_progress)

    async def show_thinking(self) -> None:
        """Show that she is writing, until there is something to read."""
        self._updater.start()

    async def show(self, text: str) -> None:
        """Show the answer so far, soon."""
        self._text = text
        self._updater.request_update()

    async def finish(self, text: str) -> None:
        """Put the final text where the growing one stood, dressed."""
        await self._updater.stop()
        parts = formatted_messages(text) or (PLACEHOLDER,)
        try:
            for number, part in enumerate(parts):
                await self._put_final(number, part)
        except ChatUnavailable as error:
            raise Undeliverable("the chat does not take it") from error
        except (PlatformUnreachable, RateLimited) as error:
            # Nothing is in doubt: the next attempt edits the same messages.
            raise NotDelivered("Telegram does not take it now") from error
        await self._erase_from(len(parts))

    async def withdraw(self) -> None:
        """Take back every message that was put there."""
        await self._updater.stop()
        await self._erase_from(0)

    async def stop_showing(self) -> None:
        """Show nothing more; an edit under way is waited for, a little."""
        await self._updater.stop_soon()

    async def _show_progress(self) -> None:
        """Show what there is, then wait until something else may be shown."""
        parts = plain_messages(self._text)
        if not parts:
            await self._pen.show_typing(self._place)
            await wait_for_event(self._updater.changed, TYPING_SECONDS)
            return
        if self._draft is not None:
            await self._pen.show_draft(self._place, self._draft, parts[-1])
        else:
            for number, part in enumerate(parts):
                await self._put_part(number, part)
        await wait_for_event(self._updater.stopped, self._gap)
        await self._updater.changed.wait()

    async def _put_final(self, number: int, part: FormattedMessage) -> None:
        """Put a part of the final text in place; one the partner deleted is written anew."""
        try:
            await self._pen.call_with_retries(self._place, lambda: self._put_part(number, part))
        except RequestRejected as error:
            if not any(word in str(error).lower() for word in _NOT_EDITABLE):
                raise
            await self._pen.call_with_retries(self._place, lambda: self._place_message(number))
            await self._pen.call_with_retries(self._place, lambda: self._put_part(number, part))

    async def _put_part(self, number: int, part: FormattedMessage) -> None:
        if number == len(self._messages):
            await self._place_message(number)
        if self._shown_parts[number] != part:
            await self._pen.edit(self._place, self._messages[number], part)
            self._shown_parts[number] = part

    async def _place_message(self, number: int) -> None:
        """Put a message there that says nothing yet, and make its id durable."""
        reply_to = self._reply_to if number == 0 else None
        message = await self._pen.send(self._place, PLACEHOLDER, reply_to=reply_to)
        try:
            await self._record_piece(number, key_of(self._place.chat, message))
        except StoreError:
            await attempt("taking back", partial(self._pen.erase, self._place, message))
            raise
        self._messages[number:] = [message, *self._messages[number + 1 :]]
        self._shown_parts[number:] = [None, *self._shown_parts[number + 1 :]]

    async def _erase_from(self, number: int) -> None:
        for message in self._messages[number:]:
            await attempt("taking back", partial(self._pen.erase, self._place, message))


def _draft_number(turn_id: str) -> int:
    """Return the number of a turn's draft, which may not be zero."""
    return int.from_bytes(blake2b(turn_id.encode(), digest_size=3).digest()) + 1
