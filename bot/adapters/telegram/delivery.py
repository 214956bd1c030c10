"""One answer on its way to a chat: typing, words as they come, the final text in their place.

A message is put there as ``…`` and its id made durable before it says anything; every later step
is an edit of it. An edit may be repeated as often as one likes, so whatever crash or failure lies
between, the partner sees the answer exactly once (promises.md, 0.5). At worst a ``…`` stays.
"""

from functools import partial
from hashlib import blake2b
from typing import Final

from bot.adapters.calls import Away, Flooded, Gone, Rejected, set_within
from bot.adapters.growing import Growing
from bot.adapters.telegram.formatting import Formatted, formatted, undressed
from bot.adapters.telegram.places import Place, key_of, message_of, message_placed, place_of
from bot.adapters.telegram.writing import Pen
from bot.conversation.channel import NotDelivered, Placed, Target, Undeliverable
from bot.supervise import Supervisor, attempt
from memory.errors import StoreError

PLACEHOLDER: Final = Formatted("…")
TYPING_SECONDS: Final = 4.0
"""How often "typing" is said again; Telegram shows it for five."""

PRIVATE_GAP: Final = 1.0
GROUP_GAP: Final = 3.0
"""So far apart are the edits that show an answer growing; a group allows 20 a minute."""

_LOST: Final = ("message to edit not found", "message can't be edited", "message_id_invalid")


class TelegramChannel:
    """Telegram as a turn sees it."""

    def __init__(self, pen: Pen, tasks: Supervisor, *, drafts: bool = False) -> None:
        self._pen = pen
        self._tasks = tasks
        self._drafts = drafts

    def delivery(self, target: Target, placed: Placed) -> "TelegramDelivery":
        """Begin to deliver an answer, in the messages an earlier attempt put there."""
        drafts = self._drafts and target.private
        return TelegramDelivery(self._pen, self._tasks, target, placed, drafts=drafts)


class TelegramDelivery:
    """Shows in a task of its own, so that the model never waits for Telegram."""

    def __init__(
        self, pen: Pen, tasks: Supervisor, target: Target, placed: Placed, *, drafts: bool
    ) -> None:
        self._pen = pen
        self._report = placed
        self._place: Place = place_of(target.conversation)
        self._reply_to = None if target.private else message_of(target.reply_to)
        self._draft = _draft_number(target.turn_id) if drafts else None
        self._gap = PRIVATE_GAP if target.private else GROUP_GAP
        self._messages = [message_placed(each) for each in target.placed]
        self._says: list[Formatted | None] = [None] * len(self._messages)
        self._text = ""
        self._growing = Growing(tasks, self._shown)

    async def thinking(self) -> None:
        """Show that she is writing, until there is something to read."""
        self._growing.begin()

    async def show(self, text: str) -> None:
        """Show the answer so far, soon."""
        self._text = text
        self._growing.grow()

    async def finish(self, text: str) -> None:
        """Put the final text where the growing one stood, dressed."""
        await self._growing.stop()
        parts = formatted(text) or (PLACEHOLDER,)
        try:
            for number, part in enumerate(parts):
                await self._settle(number, part)
        except Gone as error:
            raise Undeliverable("the chat does not take it") from error
        except (Away, Flooded) as error:
            # Nothing is in doubt: the next attempt edits the same messages.
            raise NotDelivered("Telegram does not take it now") from error
        await self._erase_from(len(parts))

    async def withdraw(self) -> None:
        """Take back every message that was put there."""
        await self._growing.stop()
        await self._erase_from(0)

    async def leave(self) -> None:
        """Show nothing more; an edit under way is waited for, a little."""
        await self._growing.leave()

    async def _shown(self) -> None:
        """Show what there is, then wait until something else may be shown."""
        parts = undressed(self._text)
        if not parts:
            await self._pen.typing(self._place)
            await set_within(self._growing.grown, TYPING_SECONDS)
            return
        if self._draft is not None:
            await self._pen.draft(self._place, self._draft, parts[-1])
        else:
            for number, part in enumerate(parts):
                await self._put(number, part)
        await set_within(self._growing.over, self._gap)
        await self._growing.grown.wait()

    async def _settle(self, number: int, part: Formatted) -> None:
        """Put a part of the final text in place; one the partner deleted is written anew."""
        try:
            await self._pen.patiently(self._place, lambda: self._put(number, part))
        except Rejected as error:
            if not any(word in str(error).lower() for word in _LOST):
                raise
            await self._pen.patiently(self._place, lambda: self._new(number))
            await self._pen.patiently(self._place, lambda: self._put(number, part))

    async def _put(self, number: int, part: Formatted) -> None:
        if number == len(self._messages):
            await self._new(number)
        if self._says[number] != part:
            await self._pen.edit(self._place, self._messages[number], part)
            self._says[number] = part

    async def _new(self, number: int) -> None:
        """Put a message there that says nothing yet, and make its id durable."""
        reply_to = self._reply_to if number == 0 else None
        message = await self._pen.send(self._place, PLACEHOLDER, reply_to=reply_to)
        try:
            await self._report(number, key_of(self._place.chat, message))
        except StoreError:
            await attempt("taking back", partial(self._pen.erase, self._place, message))
            raise
        self._messages[number:] = [message, *self._messages[number + 1 :]]
        self._says[number:] = [None, *self._says[number + 1 :]]

    async def _erase_from(self, number: int) -> None:
        for message in self._messages[number:]:
            await attempt("taking back", partial(self._pen.erase, self._place, message))


def _draft_number(turn_id: str) -> int:
    """Return the number of a turn's draft, which may not be zero."""
    return int.from_bytes(blake2b(turn_id.encode(), digest_size=3).digest()) + 1
