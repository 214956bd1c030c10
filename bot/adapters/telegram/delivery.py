"""Delivering one answer to a Telegram chat: "typing", the growing text, the final text.

Telegram has no idempotency key, so a message that is sent twice appears twice. Therefore each
message is first sent as ``…`` and its id made durable; every later step edits it. An edit may be
repeated, so after any crash the partner sees the answer exactly once. That a ``…`` is about to be
sent is made durable as well: the next attempt finds it, and edits it too. Where it looks in vain,
since nobody knows how far Telegram had counted, another is sent; its id tells that, and what still
stands there of the first is deleted once the answer is seen.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from hashlib import blake2b
from typing import Final, TypeAlias

from telegram import InlineKeyboardMarkup

from bot.adapters import calls
from bot.adapters.calls import StreamUpdater
from bot.adapters.telegram.api import (
    TelegramPlace,
    key_of,
    message_of,
    place_of,
)
from bot.adapters.telegram.formatting import FormattedMessage, formatted_messages, plain_messages
from bot.adapters.telegram.own_messages import (
    LOST_PLACE,
    doubt_key,
    lost_key,
    read_pieces,
)
from bot.adapters.telegram.writer import CANDIDATES, TelegramMessageWriter
from bot.conversation.delivery import RecordPiece, Target
from bot.tasks import Supervisor, attempt, wait_for_event
from memory.errors import StoreError

PLACEHOLDER: Final = FormattedMessage("…")

NOT_SHOWN: Final = 0
"""Recorded in place of the id of a file that Telegram does not take."""

_NO_TEXT: Final = "there is no text in the message to edit"

_NOT_EDITABLE: Final = (
    "message to edit not found",
    "message can't be edited",
    "message_id_invalid",
    _NO_TEXT,
)


class TelegramMessages:
    """The messages of one answer, those of earlier attempts among them."""

    def __init__(
        self, writer: TelegramMessageWriter, target: Target, record_piece: RecordPiece
    ) -> None:
        self._writer = writer
        self._record_piece = record_piece
        self._conversation = target.conversation
        self.place: Final[TelegramPlace] = place_of(target.conversation)
        writer.own.note_any(self.place.chat, message_of(target.reply_to) or 0)
        self._reply_to = None if target.private else message_of(target.reply_to)
        self._messages, self._doubts, self._lost = read_pieces(target.piece_ids)
        for message in self._messages:
            writer.own.note(self.place.chat, message)
        # What each says, and whether there is a button below it.
        self._shown: list[tuple[FormattedMessage, bool] | None] = [None] * len(self._messages)

    @property
    def count(self) -> int:
        """Return how many messages were placed, by this attempt or an earlier one."""
        return len(self._messages)

    async def put(
        self,
        number: int,
        part: FormattedMessage,
        retry: calls.Retry,
        keyboard: InlineKeyboardMarkup | None = None,
    ) -> None:
        """Let message ``number`` (from 0) say this; raises :class:`PlatformError`."""
        if number == len(self._messages):
            await self._place(number, retry)
        if self._shown[number] != (part, keyboard is not None):
            message = self._messages[number]
            await self._writer.edit(self.place, message, part, keyboard=keyboard, retry=retry)
            self._shown[number] = (part, keyboard is not None)

    async def put_final(
        self, number: int, part: FormattedMessage, keyboard: InlineKeyboardMarkup | None = None
    ) -> None:
        """Put a part of the final text in place; a message that was deleted is sent anew."""
        try:
            await self._finalize(number, part, keyboard)
        except calls.RequestRejected as error:
            if not any(word in str(error).lower() for word in _NOT_EDITABLE):
                raise
            await self._place(number, calls.Retry.ALWAYS)
            await self._finalize(number, part, keyboard)

    async def put_file(self, number: int, send: Callable[[int | None], Awaitable[int]]) -> bool:
        """Send a file as message ``number`` unless that was done; return whether it is there.

        ``send`` sends it as a reply to a message and returns its id.
        """
        if number < len(self._messages):
            return self._messages[number] != NOT_SHOWN
        try:
            message = await self._send_once(
                number,
                partial(send, self._reply_to if number == 0 else None),
                self._writer.touch_file,
            )
        except calls.RequestRejected:
            message = NOT_SHOWN
        await self._record(number, message)
        return message != NOT_SHOWN

    async def erase_from(self, number: int) -> None:
        """Delete the messages from ``number`` on; never raises."""
        for message in self._messages[number:]:
            if message != NOT_SHOWN:
                await attempt("taking back", partial(self._writer.erase, self.place, message))
        for each in [each for each in self._doubts if each >= number]:
            after = self._doubts.pop(each)
            await attempt("taking back", partial(self._erase_sent, after, beyond=CANDIDATES))
        if self._lost is not None:
            await attempt("taking back", partial(self._erase_lost, self._lost))

    async def _erase_lost(self, after: int) -> None:
        # Nothing beyond the newest: a message sent since told how far Telegram has counted.
        await self._erase_sent(after, beyond=0)
        await self._record_piece(LOST_PLACE, "")
        self._lost = None

    async def _erase_sent(self, after: int, *, beyond: int) -> None:
        """Delete what was sent after an id and nobody knows of, one or several."""
        find = partial(
            self._writer.find_sent, self._conversation, touch=self._touch, beyond=beyond
        )
        while (found := await find(after)) is not None:
            await self._writer.erase(self.place, found)
            after = found

    async def _touch(self, place: TelegramPlace, message: int) -> None:
        """Change nothing of a message, whether it is words or a file."""
        try:
            await self._writer.edit(place, message, PLACEHOLDER)
        except calls.RequestRejected as error:
            if _NO_TEXT not in str(error).lower():
                raise
            await self._writer.touch_file(place, message)

    async def _finalize(
        self, number: int, part: FormattedMessage, keyboard: InlineKeyboardMarkup | None
    ) -> None:
        if keyboard is None:
            await self.put(number, part, calls.Retry.ALWAYS)
            return
        if number == len(self._messages):
            await self._place(number, calls.Retry.ALWAYS)
        await self._writer.edit(self.place, self._messages[number], part, keyboard=keyboard)

    async def _place(self, number: int, retry: calls.Retry) -> None:
        """Send a message that says nothing yet, and make its id durable."""
        only_new = calls.Retry.NEVER if retry is calls.Retry.NEVER else calls.Retry.IF_NOT_DONE
        # One quotation of the question is enough for an answer in several messages.
        reply_to = self._reply_to if number == 0 else None
        message = await self._send_once(
            number,
            partial(self._writer.send, self.place, PLACEHOLDER, reply_to=reply_to, retry=only_new),
            partial(self._writer.edit, text=PLACEHOLDER),
            tries=1 if retry is calls.Retry.NEVER else len(calls.RETRY_PAUSES) + 1,
        )
        await self._record(number, message)

    async def _record(self, number: int, message: int) -> None:
        try:
            await self._record_piece(number, key_of(self.place.chat, message))
        except StoreError:
            # Unrecorded it would never be edited, and the next attempt would send another.
            if message != NOT_SHOWN:
                await attempt("taking back", partial(self._writer.erase, self.place, message))
            raise
        self._messages[number:] = [message, *self._messages[number + 1 :]]
        self._shown[number:] = [None, *self._shown[number + 1 :]]

    async def _send_once(
        self,
        number: int,
        send: Callable[[], Awaitable[int]],
        touch: Callable[[TelegramPlace, int], Awaitable[None]],
        *,
        tries: int = len(calls.RETRY_PAUSES) + 1,
    ) -> int:
        """Send a message, or find the one that was sent when its answer got lost.

        ``touch`` changes nothing of such a message, and is refused for every other.
        """
        pauses = iter(calls.RETRY_PAUSES[: tries - 1])
        while True:
            try:
                return await self._send_or_find(number, send, touch)
            except calls.NeverSent:
                raise
            except calls.PlatformUnreachable:
                pause = next(pauses, None)
                if pause is None:
                    raise
                await self._writer.timer.sleep(pause)

    async def _send_or_find(
        self,
        number: int,
        send: Callable[[], Awaitable[int]],
        touch: Callable[[TelegramPlace, int], Awaitable[None]],
    ) -> int:
        if (after := self._doubts.get(number)) is not None:
            found = await self._writer.find_sent(self._conversation, after, touch)
            if found is None:
                await self._note_lost(after)
            del self._doubts[number]
            if found is not None:
                return found
        newest = self._writer.own.newest(self.place.chat)
        # Before it is sent: whoever is killed before the answer comes never learns its id.
        await self._note_doubt(number, doubt_key(self.place.chat, newest))
        try:
            return await send()
        except calls.PlatformError as error:
            if isinstance(error, calls.PlatformUnreachable) and not isinstance(
                error, calls.NeverSent
            ):
                self._doubts[number] = newest
            else:
                await attempt("settling a doubt", partial(self._note_doubt, number, ""))
            raise

    async def _note_lost(self, after: int) -> None:
        # Where nothing was known, nothing would end the search among all she ever wrote.
        if after and (self._lost is None or after < self._lost):
            await self._record_piece(LOST_PLACE, lost_key(self.place.chat, after))
            self._lost = after

    async def _note_doubt(self, number: int, key: str) -> None:
        # In the place of a message that was deleted its id stays; those that follow are known.
        if number == len(self._messages):
            await self._record_piece(number, key)


TYPING_SECONDS: Final = 4.0
"""How often "typing" is repeated; Telegram shows it for five seconds."""

PRIVATE_GAP: Final = 1.0
GROUP_GAP: Final = 3.0
"""Seconds between two edits of a growing answer: Telegram takes one write a second in a private
chat and twenty a minute in a group."""


StopKeyboard: TypeAlias = Callable[[int], InlineKeyboardMarkup | None]
"""Returns the button that stops a growing answer in a chat."""


def no_stop_keyboard(chat: int) -> None:
    """Return no button."""
    del chat


class TelegramChannel:
    """Telegram's :class:`~bot.conversation.delivery.Channel`.

    ``drafts``: in private chats a growing answer is shown as a draft and not as an edited message.
    A draft has no buttons; below a message that grows is ``stop_keyboard``.
    """

    def __init__(
        self,
        writer: TelegramMessageWriter,
        tasks: Supervisor,
        *,
        drafts: bool = False,
        stop_keyboard: StopKeyboard = no_stop_keyboard,
    ) -> None:
        self._stop_keyboard = stop_keyboard
        self._writer = writer
        self._tasks = tasks
        self._drafts = drafts

    def delivery(self, target: Target, record_piece: RecordPiece) -> "TelegramDelivery":
        """Begin to deliver an answer, in the messages an earlier attempt sent."""
        drafts = self._drafts and target.private
        messages = TelegramMessages(self._writer, target, record_piece)
        delivery = TelegramDelivery(self._writer, self._tasks, target, messages, drafts=drafts)
        delivery.stop_keyboard = self._stop_keyboard
        return delivery


class TelegramDelivery:
    """Show a growing answer in a task of its own, so that the model never waits for Telegram."""

    def __init__(
        self,
        writer: TelegramMessageWriter,
        tasks: Supervisor,
        target: Target,
        messages: TelegramMessages,
        *,
        drafts: bool,
    ) -> None:
        self._writer = writer
        self._messages = messages
        self._draft = _draft_number(target.turn_id) if drafts else None
        self.stop_keyboard: StopKeyboard = no_stop_keyboard
        self._keyboard: InlineKeyboardMarkup | None = None
        self._gap = PRIVATE_GAP if target.private else GROUP_GAP
        self._text = ""
        self._updater = StreamUpdater(tasks, self._show_progress)

    async def show_thinking(self) -> None:
        """Show "typing" until there is something to read."""
        self._updater.start()

    async def show(self, text: str) -> None:
        """Show the answer so far, soon."""
        self._text = text
        self._updater.request_update()

    async def finish(self, text: str, *, plain: bool = False) -> None:
        """Replace the growing text by the final one, with its formatting."""
        await self._updater.stop()
        parts = (plain_messages if plain else formatted_messages)(text) or (PLACEHOLDER,)
        with calls.delivery_errors():
            for number, part in enumerate(parts):
                await self._messages.put_final(number, part)
        await self._messages.erase_from(len(parts))

    async def withdraw(self) -> None:
        """Delete every message that was sent."""
        await self._updater.stop()
        await self._messages.erase_from(0)

    async def stop_showing(self) -> None:
        """Show nothing more; an edit under way gets a moment to end."""
        await self._updater.stop_soon()

    async def _show_progress(self) -> None:
        """Show the text so far, then wait until more may be shown."""
        chat, stopped = self._messages.place.chat, self._updater.stopped
        if self._text and not await self._writer.pace.room(chat, stopped):
            return
        # Without formatting: Markdown that is not closed yet would flicker with every edit.
        parts = plain_messages(self._text)
        if not parts:
            # An extra: unless Telegram asks to wait, the answer goes on growing without it.
            try:
                await self._writer.show_typing(self._messages.place)
            except calls.RateLimited:
                raise
            except calls.PlatformError:
                pass
            await wait_for_event(self._updater.changed, TYPING_SECONDS)
            return
        if self._draft is not None:
            await self._writer.show_draft(self._messages.place, self._draft, parts[-1])
        else:
            # Made once: whoever presses any of them presses the same button.
            self._keyboard = self._keyboard or self.stop_keyboard(self._messages.place.chat)
            for number, part in enumerate(parts):
                keyboard = self._keyboard if number == len(parts) - 1 else None
                await self._messages.put(number, part, calls.Retry.NEVER, keyboard)
        await wait_for_event(self._updater.stopped, self._gap)
        await self._updater.changed.wait()


def _draft_number(turn_id: str) -> int:
    """Return the number of a turn's draft: the same for the same turn, and never zero."""
    # Telegram animates drafts of one number as one text, and refuses the number 0.
    return int.from_bytes(blake2b(turn_id.encode(), digest_size=3).digest()) + 1
