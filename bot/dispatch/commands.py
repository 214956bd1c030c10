"""Carrying out commands: those given in a chat, and those the shell hands over the socket."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Collection, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from functools import partial
from itertools import dropwhile, takewhile
from pathlib import Path
from typing import Final, Protocol

from bot.conversation.growing import wants_again
from bot.conversation.lanes import Batch, Bell, CommandBatch, PauseConversations, pause_nothing
from bot.conversation.ledger import Ledger, Received, TurnAnswer
from bot.conversation.ledger.inbox import Bindings
from bot.conversation.media import DOCUMENT, FILE_NAME
from bot.conversation.messages import TAKEN_BACK, ConversationKey, Incoming, ParsedCommand
from bot.conversation.response_handler import ResponseHandler
from bot.desk.answers import document_text
from bot.desk.caller import AttachedFile, Caller, CommandRequest, file_from_bytes
from bot.desk.control_socket import SocketRequest, serve_control_socket
from bot.desk.desk import Desk
from bot.desk.documents import Adapters, Document, Text, owed_json
from bot.identity import Access
from bot.tasks import Done, Failed, Supervisor, attempt, wait_for_event
from bot.texts import Sentence, desk_link, dialogue, refusals, say
from memory.agents import Agents
from memory.errors import UnknownAgent
from memory.ports import Clock
from memory.privacy.redaction import is_secret


class CommandDesk(Protocol):
    """Carries out commands, as far as the runner has to know."""

    @property
    def names(self) -> Collection[str]:
        """Return the Latin names of the commands it knows."""

    def is_urgent(self, command: ParsedCommand) -> bool:
        """Whether a command may not wait behind a reply, and may safely be obeyed twice."""

    def passes_answers(self, command: ParsedCommand) -> bool:
        """Whether a command may be answered before a reply under way: it only shows something."""

    async def answer(self, request: CommandRequest) -> Document:
        """Carry out a command whose name it knows, and return what to answer."""

    async def forget_message(self, agent_id: str, message_id: str) -> None:
        """Erase one message, and what rests on it, for good."""


class CommandRunner:
    """Carry out commands and show what they answer.

    ``pause`` lets the conversations of an agent stand still while a command erases.
    """

    def __init__(
        self,
        ledger: Ledger,
        handler: ResponseHandler,
        access: Access,
        desk: CommandDesk,
        platforms: Adapters,
        pause: PauseConversations = pause_nothing,
    ) -> None:
        self._ledger = ledger
        self._handler = handler
        self._access = access
        self._desk = desk
        self._platforms = platforms
        self._pause = pause
        self.looks: Final = Looks(ledger, self)

    def is_urgent(self, message: Received) -> bool:
        """Whether a message is a command that may not wait behind a reply."""
        incoming = message.incoming
        # Most of what waits was said to her, and no command at all.
        if not incoming.is_command:
            return False
        if TAKEN_BACK in incoming.raw:
            return True
        command = incoming.command if incoming.addressed else None
        return command is not None and self._desk.is_urgent(command)

    def passes_answers(self, message: Received) -> bool:
        """Whether a message is a command that may be answered while a reply is under way."""
        incoming = message.incoming
        command = incoming.command if incoming.addressed and not incoming.pending else None
        return command is not None and self._desk.passes_answers(command)

    async def run(self, message: Received) -> bool:
        """Carry out a command at most once: better unanswered than undone twice.

        An urgent one is begun anew after a crash: it is finished by that, and never done twice.
        Return False while what it answers waits to be sent.
        """
        if TAKEN_BACK in message.incoming.raw:
            return await self._forget_taken_back(message)
        command = message.incoming.command or ParsedCommand("")
        urgent = self.is_urgent(message)
        answer: Document | Sentence
        # An interrupted command may have been done already. Only what erases is begun anew: it
        # comes to the same however often it is done.
        if message.interrupted and not urgent:
            answer = await self._what_was_cut_short(command, message.incoming)
        elif command.name not in self._desk.names:
            answer = dialogue.UNKNOWN_COMMAND
        else:
            # Before it is carried out, so that a crash leaves it interrupted and not waiting.
            await self._ledger.inbox.begin_command(message)
            answer = await self._run_at_desk(command, message)
        if isinstance(answer, Sentence):
            language = await self._handler.language([message])
            answer = Document((Text(say(language, answer, name=command.name)),))
        is_sent = await self._report(command, message, answer)
        # Settling takes the text out of the table; the checkpoint, out of the write-ahead log.
        if urgent or answer.secret or is_secret(message.incoming.text):
            await self._ledger.checkpoint()
        return is_sent

    async def _what_was_cut_short(self, command: ParsedCommand, incoming: Incoming) -> Sentence:
        """Return what to say of a command that is not begun anew: what to look at, or to do."""
        if command.name != "link":
            return dialogue.COMMAND_INTERRUPTED
        # Whether the two are joined shows nowhere in the chat; a start ends or undoes half a join.
        bindings, place = self._ledger.bindings, incoming.conversation
        agent_id = await bindings.agent_id(place, private=incoming.private)
        known = {(x.platform, x.chat) for x in await bindings.conversations(agent_id)}
        joined = known - {(place.platform, place.chat)}
        return desk_link.LINK_INTERRUPTED_BUT_DONE if joined else desk_link.LINK_INTERRUPTED

    async def _forget_taken_back(self, message: Received) -> bool:
        """Forget a message that was taken back, without a word; cut short, it is begun anew."""
        incoming = message.incoming
        agent_id = await self._ledger.bindings.agent_id(
            incoming.conversation, private=incoming.private
        )
        step = await attempt(
            "forgetting a message that was taken back",
            lambda: self._forget(agent_id, str(incoming.raw[TAKEN_BACK])),
        )
        if isinstance(step, Failed):
            return False
        await self._ledger.inbox.settle([message])
        await self._ledger.checkpoint()
        return True

    async def _forget(self, agent_id: str, message_id: str) -> None:
        async with paused_agent(self._ledger.bindings, self._pause, agent_id):
            await self._ledger.erasure.forget_message(message_id)
            await self._desk.forget_message(agent_id, message_id)

    async def _report(self, command: ParsedCommand, message: Received, document: Document) -> bool:
        """Show a document; where it may not be written down, the ledger keeps that it was done."""
        text, owed = document_text(document), owed_json(document)
        if document.secret or is_secret(text):
            language = await self._handler.language([message])
            text, owed = say(language, dialogue.COMMAND_DONE, name=command.name), ""
        sender, now = self._handler.sender, self._handler.clock.now()
        answer = TurnAnswer("apology", text, at=now, document=owed)
        turn = await self._ledger.inbox.settle_command(message, answer)
        whole = replace(turn, answer=replace(answer, document=document))
        return await sender.send_in_order(whole, sender.delivery(turn), now)

    async def _run_at_desk(self, command: ParsedCommand, message: Received) -> Document | Sentence:
        incoming = message.incoming
        place = incoming.conversation
        agent_id = await self._ledger.bindings.agent_id(place, private=incoming.private)
        request = CommandRequest(
            command=command,
            access_level=self._access.level_of(incoming.author),
            agent_id=agent_id,
            private=incoming.private,
            reply_to=incoming.reply_to,
            conversation=str(place),
            caller=Caller(
                person=incoming.person,
                name=incoming.sender.name,
                place=place,
                message=message.id,
                resumed=message.interrupted,
                paused=partial(paused_agent, self._ledger.bindings, self._pause, agent_id),
                file=self._attached_file(incoming),
            ),
        )
        step = await attempt(f"/{command.name}", lambda: self._desk.answer(request))
        return step.value if isinstance(step, Done) else dialogue.COMMAND_FAILED

    def _attached_file(self, incoming: Incoming) -> AttachedFile | None:
        """Return the file that came with a command; read from its platform when it is wanted."""
        platform = self._platforms.get(incoming.conversation.platform)
        if platform is None or DOCUMENT not in incoming.raw:
            return None
        name = str(incoming.raw.get(FILE_NAME, ""))
        return AttachedFile(name, partial(platform.fetch, incoming))


@asynccontextmanager
async def paused_agent(
    bindings: Bindings, pause: PauseConversations, agent_id: str
) -> AsyncIterator[None]:
    """Let every conversation of an agent stand still for the length of the block."""
    async with pause(await bindings.conversations(agent_id)):
        yield


class TakingBack:
    """Take back messages, in the lanes of urgent commands."""

    def __init__(self, ledger: Ledger, urgent: Bell, clock: Clock) -> None:
        self._ledger = ledger
        self._urgent = urgent
        self._clock = clock

    async def take_back(self, chat: ConversationKey, dedupe_key: str) -> None:
        """Return once it is durable that a message was taken back; raises :class:`StoreError`."""
        place = await self._ledger.erasure.take_back(chat, dedupe_key, self._clock.now())
        if place is not None:
            self._urgent.wake(place)


class ShellCommands:
    """Carry out what the shell asks of the running program, for whoever owns the machine."""

    def __init__(
        self, agents: Agents, desk: Desk, bindings: Bindings, pause: PauseConversations
    ) -> None:
        self._agents = agents
        self._desk = desk
        self._bindings = bindings
        self._pause = pause

    def control_socket(
        self, data: Path, supervisor: Supervisor
    ) -> AbstractAsyncContextManager[None]:
        """Return the control socket in the data folder, open while it is entered."""
        return serve_control_socket(data, self.answer, supervisor)

    async def answer(self, question: SocketRequest) -> Document:
        """Carry out a command; raises InputRefused, and StoreLocked if another has the agent."""
        agent_id = question.agent_id
        if not await self._agents.knows(agent_id):
            raise UnknownAgent(refusals.NO_AGENT_HERE, agent=repr(agent_id))
        file = question.file
        request = CommandRequest(
            command=ParsedCommand(question.name, question.words),
            agent_id=agent_id,
            caller=Caller(
                paused=partial(paused_agent, self._bindings, self._pause, agent_id),
                file=None if file is None else file_from_bytes(question.file_name, file),
            ),
        )
        agent = await self._agents.get(agent_id)
        return await self._desk.carry_out(request, agent.state, agent)


def commands_first(waiting: Sequence[Received]) -> Sequence[Received]:
    """Return waiting messages, those that were tried in vain behind the commands after them."""
    rest = [*dropwhile(lambda message: message.attempts, waiting)]
    commands = [
        *takewhile(lambda each: each.incoming.is_for_desk and not wants_again([each]), rest)
    ]
    return (*commands, *waiting[: len(waiting) - len(rest)], *rest[len(commands) :])


ANSWERED_SOON: Final = 2.0
"""What is answered within this time keeps its place before a command that was given after it."""


class Looks:
    """Answer commands that only show something, while their conversation waits for an answer.

    A model may think for minutes. They belong to the conversation's own lane, and are over when
    its step is: so none is taken twice, and whatever stops the lane stops them.
    """

    def __init__(self, ledger: Ledger, runner: CommandRunner) -> None:
        self._ledger = ledger
        self._runner = runner
        self._given: dict[ConversationKey, asyncio.Event] = {}

    def notify(self, conversation: ConversationKey) -> None:
        """Look into the ledger: a command was given there."""
        if (given := self._given.get(conversation)) is not None:
            given.set()

    async def beside(self, conversation: ConversationKey, step: Awaitable[bool]) -> bool:
        """Return what a step of the lane comes to; such commands are answered meanwhile."""
        given = self._given[conversation] = asyncio.Event()
        over = asyncio.Event()
        answering = partial(self._answer, conversation, given, over)
        answers = asyncio.get_running_loop().create_task(attempt("looking", answering))
        try:
            return await step
        except BaseException:
            answers.cancel()
            raise
        finally:
            del self._given[conversation]
            over.set()
            given.set()
            await asyncio.wait({answers})

    async def _answer(
        self, conversation: ConversationKey, given: asyncio.Event, over: asyncio.Event
    ) -> None:
        await wait_for_event(over, ANSWERED_SOON)
        while not over.is_set():
            given.clear()
            found = await self._ledger.inbox.waiting_commands(conversation)
            commands = (each for each in found if each.incoming.is_for_desk)
            # What changes something is not overtaken: it may be what is looked at.
            for each in takewhile(self._runner.passes_answers, commands):
                await self._runner.run(each)
            await given.wait()


class UrgentCommands:
    """The work of the lanes beside those of the conversations: commands that wait for no reply."""

    def __init__(self, ledger: Ledger, runner: CommandRunner) -> None:
        self._ledger = ledger
        self._runner = runner

    async def resume(self, conversation: ConversationKey) -> Sequence[Received]:
        """Owe nothing: a command that was cut short waits as it did before."""
        return await self.waiting(conversation)

    async def waiting(self, conversation: ConversationKey) -> Sequence[Received]:
        """Return the urgent commands of a conversation, oldest first."""
        self._runner.looks.notify(conversation)
        found = await self._ledger.inbox.waiting_commands(conversation)
        return tuple(message for message in found if self._runner.is_urgent(message))

    async def handle(self, batch: Batch) -> bool:
        """Carry out a command."""
        if isinstance(batch, CommandBatch):
            await self._runner.run(batch.message)
        return True
