"""A chat platform that remembers what its user would see."""

from collections.abc import Callable
from dataclasses import dataclass, field

from bot.conversation.delivery import RecordPiece, Target
from bot.conversation.messages import ConversationKey
from bot.desk.documents import Document, Text

THINKING = "…"


class Killed(BaseException):
    """The process ends here, as by ``kill -9``: nothing may catch it."""


@dataclass
class Tripwire:
    """Count the steps of a program and kill it at one of them; a dead program stays dead."""

    at: int | None = None
    steps: int = 0

    def step(self) -> None:
        self.steps += 1
        if self.at is not None and self.steps >= self.at:
            raise Killed


@dataclass
class Shown:
    """One message on the user's screen; editing it changes ``text``."""

    conversation: ConversationKey
    text: str
    final: bool = False
    reply_to: str = ""


@dataclass
class FakeChat:
    """A platform that can edit its messages, as Telegram; it outlives the program it serves.

    ``screen`` is what the user sees, by the platform's ids. ``failures`` are raised by the next
    attempts to finish, each before anything is shown. ``plain`` is what was sent unformatted.
    """

    wire: Tripwire = field(default_factory=Tripwire)
    screen: dict[str, Shown] = field(default_factory=dict)
    failures: list[Exception] = field(default_factory=list)
    plain: list[str] = field(default_factory=list)
    history: list[str] = field(default_factory=list)
    listeners: list[Callable[[str], None]] = field(default_factory=list)
    count: int = 0

    def delivery(self, target: Target, record_piece: RecordPiece) -> "FakeDelivery":
        return FakeDelivery(self, target, record_piece)

    async def present(
        self, conversation: ConversationKey, document: Document, *, reply_to: str
    ) -> None:
        self.wire.step()
        text = "\n".join(block.text for block in document.blocks if isinstance(block, Text))
        self.put(conversation, text, final=True, reply_to=reply_to)

    async def deliver(self, document: Document, target: Target, record_piece: RecordPiece) -> None:
        delivery = FakeDelivery(self, target, record_piece)
        text = "\n".join(block.text for block in document.blocks if isinstance(block, Text))
        await delivery.finish(text)

    def put(
        self, conversation: ConversationKey, text: str, *, final: bool, reply_to: str = ""
    ) -> str:
        self.count += 1
        number = str(self.count)
        self.screen[number] = Shown(conversation, text, final, reply_to)
        self.note(text)
        return number

    def note(self, text: str) -> None:
        self.history.append(text)
        for listener in self.listeners:
            listener(text)

    def finals(self, conversation: ConversationKey | None = None) -> list[str]:
        """Return the finished answers on the screen, in order."""
        return [
            shown.text
            for shown in self.screen.values()
            if shown.final and conversation in {None, shown.conversation}
        ]

    def unfinished(self) -> list[str]:
        """Return what still looks as if something were coming."""
        return [shown.text for shown in self.screen.values() if not shown.final]


class FakeDelivery:
    """Puts a placeholder, reports its id, and edits it: the way that survives a crash."""

    def __init__(self, chat: FakeChat, target: Target, record_piece: RecordPiece) -> None:
        self._chat = chat
        self._target = target
        self._report = record_piece
        self._message = target.piece_ids[0] if target.piece_ids else None

    async def show_thinking(self) -> None:
        self._chat.wire.step()

    async def show(self, text: str) -> None:
        self._chat.wire.step()
        message = await self._placed()
        self._chat.screen[message].text = text or THINKING
        self._chat.note(text)

    async def finish(self, text: str, *, plain: bool = False) -> None:
        self._chat.wire.step()
        if self._chat.failures:
            raise self._chat.failures.pop(0)
        if plain:
            self._chat.plain.append(text)
        shown = self._chat.screen[await self._placed()]
        shown.text, shown.final = text, True
        self._chat.note(text)
        self._chat.wire.step()

    async def withdraw(self) -> None:
        self._chat.wire.step()
        if self._message is not None:
            self._chat.screen.pop(self._message, None)

    async def stop_showing(self) -> None:
        """Nothing is shown but when it is told to."""

    async def _placed(self) -> str:
        # What is not there any more, or never was on this screen, is placed anew.
        if self._message not in self._chat.screen:
            self._message = self._chat.put(
                self._target.conversation, THINKING, final=False, reply_to=self._target.reply_to
            )
            await self._report(0, self._message)
        return self._message
