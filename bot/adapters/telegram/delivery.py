"""Delivering one answer to a Telegram chat: "typing", the growing text, the final text.

Telegram has no idempotency key, so a message that is sent twice appears twice. Therefore each
message is first sent as ``…`` and its id made durable; every later step edits it. An edit may be
repeated, so after any crash the partner sees the answer exactly once. At worst a ``…`` stays.
"""

from functools import partial
from hashlib import blake2b
from typing import Final, TypeAlias

from bot.adapters import calls
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
"""How often "typing" is repeated; Telegram shows it for five seconds."""

PRIVATE_GAP: Final = 1.0
GROUP_GAP: Final = 3.0
"""Seconds between two edits of a growing answer: Telegram takes one write a second in a private
chat and twenty a minute in a group."""

_NOT_EDITABLE: Final = (
    "message to edit not found",
    "message can't be edited",
    "message_id_invalid",
)


Doubts: TypeAlias = dict[tuple[str, int], int]
"""By turn and piece: the id after which there may be a message of it that nobody knows of."""

DOUBTS_KEPT: Final = 256


class TelegramChannel:
    """Telegram's :class:`~bot.conversation.delivery.Channel`.

    ``drafts``: in private chats a growing answer is shown as a draft and not as an edited message.
    """

    def __init__(
        self, writer: TelegramMessageWriter, tasks: Supervisor, *, drafts: bool = False
    ) -> None:
        self._writer = writer
        self._tasks = tasks
        self._drafts = drafts
        self._doubts: Doubts = {}

    def delivery(self, target: Target, record_piece: RecordPiece) -> "TelegramDelivery":
        """Begin to deliver an answer, in the messages an earlier attempt sent."""
        drafts = self._drafts and target.private
        return TelegramDelivery(
            self._writer, self._tasks, target, record_piece, self._doubts, drafts=drafts
        )


class TelegramDelivery:
    """Show a growing answer in a task of its own, so that the model never waits for Telegram."""

    def __init__(
        self,
        writer: TelegramMessageWriter,
        tasks: Supervisor,
        target: Target,
        record_piece: RecordPiece,
        doubts: "Doubts",
        *,
        drafts: bool,
    ) -> None:
        self._writer = writer
        self._record_piece = record_piece
        self._place: TelegramPlace = place_of(target.conversation)
        self._question = message_of(target.reply_to) or 0
        self._reply_to = None if target.private else message_of(target.reply_to)
        self._doubts = doubts
        self._turn_id = target.turn_id
        self._draft = _draft_number(target.turn_id) if drafts else None
        self._gap = PRIVATE_GAP if target.private else GROUP_GAP
        self._messages = [placed_message(each) for each in target.piece_ids]
        self._shown_parts: list[FormattedMessage | None] = [None] * len(self._messages)
        self._text = ""
        self._updater = StreamUpdater(tasks, self._show_progress)

    async def show_thinking(self) -> None:
        """Show "typing" until there is something to read."""
        self._updater.start()

    async def show(self, text: str) -> None:
        """Show the answer so far, soon."""
        self._text = text
        self._updater.request_update()

    async def finish(self, text: str) -> None:
        """Replace the growing text by the final one, with its formatting."""
        await self._updater.stop()
        parts = formatted_messages(text) or (PLACEHOLDER,)
        try:
            for number, part in enumerate(parts):
                await self._put_final(number, part)
        except calls.ChatUnavailable as error:
            raise Undeliverable("the chat does not take it") from error
        except (calls.PlatformUnreachable, calls.RateLimited) as error:
            # Not in doubt, whatever was shown: the next attempt edits the same messages.
            raise NotDelivered("Telegram does not take it now") from error
        await self._erase_from(len(parts))

    async def withdraw(self) -> None:
        """Delete every message that was sent."""
        await self._updater.stop()
        await self._erase_from(0)

    async def stop_showing(self) -> None:
        """Show nothing more; an edit under way gets a moment to end."""
        await self._updater.stop_soon()

    async def _show_progress(self) -> None:
        """Show the text so far, then wait until more may be shown."""
        # Without formatting: Markdown that is not closed yet would flicker with every edit.
        parts = plain_messages(self._text)
        if not parts:
            await self._writer.show_typing(self._place)
            await wait_for_event(self._updater.changed, TYPING_SECONDS)
            return
        if self._draft is not None:
            await self._writer.show_draft(self._place, self._draft, parts[-1])
        else:
            for number, part in enumerate(parts):
                await self._put_part(number, part, calls.Retry.NEVER)
        await wait_for_event(self._updater.stopped, self._gap)
        await self._updater.changed.wait()

    async def _put_final(self, number: int, part: FormattedMessage) -> None:
        """Put a part of the final text in place; a message that was deleted is sent anew."""
        try:
            await self._put_part(number, part, calls.Retry.ALWAYS)
        except calls.RequestRejected as error:
            if not any(word in str(error).lower() for word in _NOT_EDITABLE):
                raise
            await self._place_message(number, calls.Retry.ALWAYS)
            await self._put_part(number, part, calls.Retry.ALWAYS)

    async def _put_part(self, number: int, part: FormattedMessage, retry: calls.Retry) -> None:
        if number == len(self._messages):
            await self._place_message(number, retry)
        if self._shown_parts[number] != part:
            await self._writer.edit(self._place, self._messages[number], part, retry=retry)
            self._shown_parts[number] = part

    async def _place_message(self, number: int, retry: calls.Retry) -> None:
        """Send a message that says nothing yet, and make its id durable."""
        # One quotation of the question is enough for an answer in several messages.
        reply_to = self._reply_to if number == 0 else None
        message = await self._send_once(number, reply_to, retry)
        try:
            await self._record_piece(number, key_of(self._place.chat, message))
        except StoreError:
            # Unrecorded it would never be edited, and the next attempt would send another.
            await attempt("taking back", partial(self._writer.erase, self._place, message))
            raise
        self._messages[number:] = [message, *self._messages[number + 1 :]]
        self._shown_parts[number:] = [None, *self._shown_parts[number + 1 :]]

    async def _send_once(self, number: int, reply_to: int | None, retry: calls.Retry) -> int:
        """Send a placeholder, or find the one that was sent when its answer got lost."""
        piece = (self._turn_id, number)
        pauses = iter(calls.RETRY_PAUSES if retry is calls.Retry.ALWAYS else ())
        while True:
            try:
                if piece not in self._doubts:
                    return await self._send_placeholder(piece, reply_to, retry)
                found = await self._writer.find_sent(self._place, PLACEHOLDER, self._doubts[piece])
                del self._doubts[piece]
                if found is not None:
                    return found
            except calls.NeverSent:
                raise
            except calls.PlatformUnreachable:
                pause = next(pauses, None)
                if pause is None:
                    raise
                await self._writer.timer.sleep(pause)

    async def _send_placeholder(
        self, piece: tuple[str, int], reply_to: int | None, retry: calls.Retry
    ) -> int:
        newest = max(self._question, self._writer.newest_own(self._place))
        only_new = calls.Retry.NEVER if retry is calls.Retry.NEVER else calls.Retry.IF_NOT_DONE
        try:
            return await self._writer.send(
                self._place, PLACEHOLDER, reply_to=reply_to, retry=only_new
            )
        except calls.NeverSent:
            raise
        except calls.PlatformUnreachable:
            self._doubts[piece] = newest
            # What is given up is never asked for again.
            for old in list(self._doubts)[:-DOUBTS_KEPT]:
                del self._doubts[old]
            raise

    async def _erase_from(self, number: int) -> None:
        for message in self._messages[number:]:
            await attempt("taking back", partial(self._writer.erase, self._place, message))


def _draft_number(turn_id: str) -> int:
    """Return the number of a turn's draft: the same for the same turn, and never zero."""
    # Telegram animates drafts of one number as one text, and refuses the number 0.
    return int.from_bytes(blake2b(turn_id.encode(), digest_size=3).digest()) + 1
