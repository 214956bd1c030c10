"""Delivering one answer to a Telegram chat: "typing", the growing text, the final text.

What is placed in the chat, and how that survives a crash, is the business of ``placed_messages``;
here is what is shown when.
"""

from hashlib import blake2b
from typing import Final

from bot.adapters import calls
from bot.adapters.streaming import StreamUpdater
from bot.adapters.telegram.formatting import formatted_messages, plain_messages
from bot.adapters.telegram.placed_messages import PLACEHOLDER, TelegramMessages
from bot.adapters.telegram.writer import TelegramMessageWriter
from bot.conversation.delivery import RecordPiece, Target
from bot.supervise import Supervisor
from bot.timing import wait_for_event

TYPING_SECONDS: Final = 4.0
"""How often "typing" is repeated; Telegram shows it for five seconds."""

PRIVATE_GAP: Final = 1.0
GROUP_GAP: Final = 3.0
"""Seconds between two edits of a growing answer: Telegram takes one write a second in a private
chat and twenty a minute in a group."""


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

    def delivery(self, target: Target, record_piece: RecordPiece) -> "TelegramDelivery":
        """Begin to deliver an answer, in the messages an earlier attempt sent."""
        drafts = self._drafts and target.private
        messages = TelegramMessages(self._writer, target, record_piece)
        return TelegramDelivery(self._writer, self._tasks, target, messages, drafts=drafts)


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
        # Without formatting: Markdown that is not closed yet would flicker with every edit.
        parts = plain_messages(self._text)
        if not parts:
            await self._writer.show_typing(self._messages.place)
            await wait_for_event(self._updater.changed, TYPING_SECONDS)
            return
        if self._draft is not None:
            await self._writer.show_draft(self._messages.place, self._draft, parts[-1])
        else:
            for number, part in enumerate(parts):
                await self._messages.put(number, part, calls.Retry.NEVER)
        await wait_for_event(self._updater.stopped, self._gap)
        await self._updater.changed.wait()


def _draft_number(turn_id: str) -> int:
    """Return the number of a turn's draft: the same for the same turn, and never zero."""
    # Telegram animates drafts of one number as one text, and refuses the number 0.
    return int.from_bytes(blake2b(turn_id.encode(), digest_size=3).digest()) + 1
