"""Command or turn: what becomes of a message, from the platform's hand to its lane."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Final, Protocol, TypeAlias, assert_never

from bot.access import Access, Standing
from bot.conversation.batches import Batch, Heard, Ordered, Said
from bot.conversation.commands import Command, read_command
from bot.conversation.lanes import Lanes
from bot.conversation.ledger import Acceptance, Accepted, Duplicate, Ledger, Received
from bot.conversation.messages import ConversationKey, Incoming, Platform
from bot.conversation.response_handler import ResponseHandler
from bot.desk.documents import Document, Text
from bot.supervise import Done, Supervisor, attempt
from bot.texts import Sentence, access, commands, say
from memory.ports import Clock
from memory.settings import Language

REVIVAL_SECONDS: Final = 15.0
"""How often the ledger is asked what is due."""

PRUNING: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A command, who gave it and where."""

    command: Command
    message: Received
    standing: Standing
    agent_id: str

    @property
    def private(self) -> bool:
        return self.message.incoming.private

    @property
    def reply_to(self) -> str:
        return self.message.incoming.reply_to

    @property
    def conversation(self) -> str:
        return str(self.message.conversation)


class Desk(Protocol):
    """Whoever carries out commands."""

    @property
    def names(self) -> Collection[str]:
        """Return the Latin names of the commands it knows."""

    async def obey(self, order: Order) -> Document:
        """Carry out a command whose name it knows, and return what to answer."""


class Presenter(Protocol):
    """A platform that can show documents."""

    async def present(
        self, conversation: ConversationKey, document: Document, *, reply_to: str
    ) -> None:
        """Show a document; what goes wrong with the platform is the presenter's own affair."""


Presenters: TypeAlias = Mapping[Platform, Presenter]


class Dispatcher:
    """Do the work of the lanes: answer what was said, hear chatter, carry out commands."""

    def __init__(
        self,
        ledger: Ledger,
        handler: ResponseHandler,
        access: Access,
        desk: Desk,
        presenters: Presenters,
        clock: Clock,
    ) -> None:
        self._ledger = ledger
        self._handler = handler
        self._access = access
        self._desk = desk
        self._presenters = presenters
        self._clock = clock

    async def resume(self, conversation: ConversationKey) -> bool:
        """Finish what is owed in the conversation; False if nothing new may begin yet."""
        return await self._handler.resume(conversation)

    async def waiting(self, conversation: ConversationKey) -> Sequence[Received]:
        """Return what waits in the conversation and is due."""
        return await self._ledger.inbox.waiting(conversation, self._clock.now())

    async def handle(self, batch: Batch) -> bool:
        """Do one batch; False if nothing new may begin before what it left is finished."""
        match batch:
            case Said(messages):
                return await self._handler.answer(messages)
            case Heard(messages):
                return await self._handler.listen(messages)
            case Ordered(message):
                await self._obey(message)
                return True
            case never:
                assert_never(never)

    async def _obey(self, message: Received) -> None:
        """Carry out a command at most once: better unanswered than undone twice."""
        command = read_command(message.incoming.text) or Command("")
        answer: Document | Sentence
        if message.interrupted:
            answer = commands.INTERRUPTED
        elif command.name not in self._desk.names:
            answer = commands.UNKNOWN
        else:
            await self._ledger.inbox.begin_command(message)
            answer = await self._carried_out(command, message)
        if isinstance(answer, Sentence):
            language = await self._handler.language([message])
            answer = Document((Text(say(language, answer, name=command.name)),))
        presenter = self._presenters[message.conversation.platform]
        await presenter.present(message.conversation, answer, reply_to=message.incoming.dedupe_key)
        await self._ledger.inbox.done([message])

    async def _carried_out(self, command: Command, message: Received) -> Document | Sentence:
        incoming = message.incoming
        place = incoming.conversation
        order = Order(
            command=command,
            message=message,
            standing=self._access.standing(
                place.platform, incoming.sender.id, place.chat, is_bot=incoming.sender.is_bot
            ),
            agent_id=await self._ledger.bindings.agent_id(place, private=incoming.private),
        )
        step = await attempt(f"/{command.name}", lambda: self._desk.obey(order))
        return step.value if isinstance(step, Done) else commands.FAILED


class Door:
    """Turn away whoever may not talk, with one polite line each."""

    def __init__(
        self,
        access: Access,
        presenters: Presenters,
        supervisor: Supervisor,
        *,
        language: Language = "zh",
    ) -> None:
        self._access = access
        self._presenters = presenters
        self._supervisor = supervisor
        self._language = language

    def opens_to(self, incoming: Incoming) -> bool:
        """Say whether the message may come in; a stranger who spoke to her hears why not, once."""
        place, sender = incoming.conversation, incoming.sender
        standing = self._access.standing(
            place.platform, sender.id, place.chat, is_bot=sender.is_bot
        )
        match standing:
            case Standing.OWNER | Standing.ALLOWED:
                return True
            case Standing.MACHINE:
                return False
            case Standing.STRANGER:
                if incoming.addressed and self._access.first_meeting(place.platform, sender.id):
                    self._supervisor.start("turning away", self._turn_away(incoming))
                return False
            case never:
                assert_never(never)

    async def _turn_away(self, incoming: Incoming) -> None:
        person = f"{incoming.conversation.platform}:{incoming.sender.id}"
        line = Text(say(self._language, access.STRANGER, person=person))
        presenter = self._presenters[incoming.conversation.platform]
        await presenter.present(
            incoming.conversation, Document((line,)), reply_to=incoming.dedupe_key
        )


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """Not accepted and not kept: the sender is a stranger, or no person."""


Receipt: TypeAlias = Acceptance | TurnedAway


class Intake:
    """Take messages from the platforms: durable first, then into their lane."""

    def __init__(self, ledger: Ledger, lanes: Lanes, door: Door, clock: Clock) -> None:
        self._ledger = ledger
        self._lanes = lanes
        self._door = door
        self._clock = clock

    async def receive(self, incoming: Incoming) -> Receipt:
        """Return once the message is durable; only then may the platform be told so.

        Raises :class:`memory.errors.StoreError` if it could not be kept. A repeated delivery
        changes nothing, but makes sure that somebody works on the first one.
        """
        if not self._door.opens_to(incoming):
            return TurnedAway()
        receipt = await self._ledger.inbox.accept(incoming, self._clock.now())
        match receipt:
            case Accepted():
                self._lanes.arrived(incoming.conversation)
            case Duplicate():
                self._lanes.wake(incoming.conversation)
            case never:
                assert_never(never)
        return receipt

    async def revive(self, platforms: Collection[Platform]) -> int:
        """Wake every conversation in which something is due; return how many.

        At the start this is the recovery after a crash; later it is what keeps promises.
        """
        owed = await self._ledger.inbox.owed(platforms, self._clock.now())
        for conversation in owed:
            self._lanes.wake(conversation)
        return len(owed)

    async def keep_reviving(
        self, platforms: Collection[Platform], *, every_seconds: float = REVIVAL_SECONDS
    ) -> None:
        """Revive what is due, at once and then again and again, until cancelled.

        Once an hour the ledger lets go of what was settled long ago.
        """
        pruned: datetime | None = None
        while True:
            await attempt("reviving", lambda: self.revive(platforms))
            now = self._clock.now()
            if pruned is None or now - pruned >= PRUNING:
                await attempt("pruning", partial(self._ledger.inbox.prune, now))
                pruned = now
            await asyncio.sleep(every_seconds)
