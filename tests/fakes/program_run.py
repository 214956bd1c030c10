"""The whole way of a message, with a fake chat, a fake memory and a scripted model.

What outlives a crash is given from outside: the folder, the chat and the memory.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from bot.clock_watch import ClockWatch
from bot.conversation.delivery import AnswerSender
from bot.conversation.growing import GrowingAnswers
from bot.conversation.lanes import ConversationPauses, Lanes
from bot.conversation.ledger import Ledger
from bot.conversation.ledger.database import Database
from bot.conversation.ledger.ledger import FILE_NAME
from bot.conversation.ledger.tables import Connection
from bot.conversation.ledger.turns import StopOrder
from bot.conversation.messages import ConversationKey, Incoming, ParsedCommand, Sender
from bot.conversation.prompt_budget import TokenBudget
from bot.conversation.reply_generator import ReplyGenerator, RuleReply, TurnContext
from bot.conversation.response_handler import ResponseHandler
from bot.desk.caller import CommandRequest
from bot.desk.documents import Document, Text, document_sender
from bot.desk.people import Doorkeeper
from bot.dispatch import (
    AccessGate,
    ClockQuestion,
    CommandRunner,
    Dispatcher,
    Intake,
    IntakeResult,
    LookUps,
    UrgentCommands,
)
from bot.dispatch.commands import TakingBack
from bot.identity import Access, AccessLevel, PlatformId
from bot.tasks import Supervisor, Timer
from bot.texts import dialogue, say
from memory.model import AgentSettings
from memory.ports import LanguageModel, Outcome, Piece, Replied, Streamed
from prompts import Prompt, Reply
from tests.fakes.agent import FakeAgent
from tests.fakes.chat import FakeChat, Tripwire
from tests.fakes.clock import FakeClock
from tests.fakes.platforms import IDENTITIES, adapters_of

T = TypeVar("T")

HOME = ConversationKey(platform="telegram", account="7", chat="42")
ANN = Sender(id="42", name="安")
BEN = Sender(id="43", name="Ben")
CUT = "（停在这里）"
NOTHING = "（没有答）"
LONGEST_ECHOED = 60
"""Characters; what is longer is answered with its beginning."""


class EchoModel:
    """A model that answers with what was said last, in two pieces; or with ``outcomes`` first."""

    def __init__(self, wire: Tripwire, outcomes: Sequence[Outcome] = ()) -> None:
        self.name = "echo"
        self.outcomes = list(outcomes)
        self.asked: list[Reply] = []
        self._wire = wire

    async def complete(self, prompt: Prompt) -> Outcome:
        assert isinstance(prompt, Reply)
        self.asked.append(prompt)
        if self.outcomes:
            return self.outcomes.pop(0)
        said = prompt.window[-1].text
        return Replied(f"你说：{said if len(said) <= LONGEST_ECHOED else said[:10] + '……'}")

    async def stream(self, prompt: Prompt) -> AsyncIterator[Streamed]:
        self._wire.step()
        outcome = await self.complete(prompt)
        if isinstance(outcome, Replied):
            for piece in (outcome.text[:2], outcome.text[2:]):
                yield Piece(piece)
                self._wire.step()
        yield outcome


class FakeDesk:
    """Knows ``/memory``, ``/forget``, ``/link`` and ``/stop``, and remembers what it was told.

    Only the last is carried out, by ``growing``.
    """

    def __init__(self) -> None:
        self.growing: GrowingAnswers | None = None
        self.forgotten: list[tuple[str, str]] = []
        self.carried_out: list[CommandRequest] = []
        self.failures: list[Exception] = []
        self.secret = False
        self.held: asyncio.Event | None = None

    @property
    def names(self) -> frozenset[str]:
        return frozenset({"memory", "forget", "link", "stop"})

    def is_urgent(self, command: ParsedCommand) -> bool:
        return command.name in {"forget", "stop"}

    def passes_answers(self, command: ParsedCommand) -> bool:
        return command.name == "memory"

    async def forget_message(self, agent_id: str, message_id: str) -> None:
        self.forgotten.append((agent_id, message_id))
        if self.failures:
            raise self.failures.pop(0)

    async def answer(self, request: CommandRequest) -> Document:
        self.carried_out.append(request)
        if self.held is not None:
            await self.held.wait()
        if self.failures:
            raise self.failures.pop(0)
        if request.command.name == "stop" and self.growing and request.caller.place:
            order = StopOrder(request.caller.place, request.caller.message, request.caller.person)
            done = await self.growing.stop(order, cut=CUT, nothing=NOTHING)
            return Document((Text("stopped" if done else "nothing to stop"),))
        text = f"{request.command.name}: {request.command.words}"
        return Document((Text(text),), secret=self.secret)


class WiredDatabase(Database):
    """A ledger file whose every piece of work has a step before and after it.

    Nothing is synced: what dies here is the process and not the machine.
    """

    def __init__(self, path: Path, wire: Tripwire) -> None:
        super().__init__(path)
        self._wire = wire

    async def run(self, work: Callable[[Connection], T], *, synced: bool = True) -> T:
        self._wire.step()
        done = await super().run(work, synced=False)
        self._wire.step()
        return done

    async def _sync_log(self) -> None:
        self._wire.step()


@dataclass
class ProgramRun:
    """One run of the program, from ``open`` to a crash or ``close``."""

    folder: Path
    wire: Tripwire = field(default_factory=Tripwire)
    chat: FakeChat = field(default_factory=FakeChat)
    agent: FakeAgent = field(default_factory=FakeAgent)
    clock: FakeClock = field(default_factory=FakeClock)
    desk: FakeDesk = field(default_factory=FakeDesk)
    model: LanguageModel | None = None
    outcomes: list[Outcome] = field(default_factory=list)
    timer: Timer | None = None
    quiet_seconds: float = 0.0
    by_rule: Callable[[TurnContext, datetime], RuleReply | None] = lambda _context, _now: None
    budget: TokenBudget = field(default_factory=lambda: TokenBudget(8_000, len))

    async def open(self) -> "ProgramRun":
        self.chat.wire = self.agent.wire = self.wire
        self.database = WiredDatabase(self.folder / FILE_NAME, self.wire)
        await self.database.open()
        self.ledger = Ledger(self.database, IDENTITIES)
        self.supervisor = Supervisor()
        self.echo = EchoModel(self.wire, self.outcomes)
        access = Access(
            {PlatformId("telegram", "42")}, {PlatformId("telegram", "-100")}, IDENTITIES
        )
        self.adapters = adapters = adapters_of(self.chat, "telegram")
        handler = ResponseHandler(
            self.ledger,
            self._open_agent,
            AnswerSender(
                self.ledger.turns,
                adapters,
                document_sender(adapters),
                given_up=say("zh", dialogue.NEVER_DELIVERED),
            ),
            ReplyGenerator(
                model=self.model or self.echo,
                persona=lambda _: "你是小祥。",
                budget=self.budget,
                clock=self.clock,
                by_rule=self.by_rule,
                is_owner=lambda said: access.level_of(said.author) is AccessLevel.OWNER,
            ),
            self.clock,
        )
        self.desk.growing = handler.growing
        self.pauses = pauses = ConversationPauses()
        runner = CommandRunner(self.ledger, handler, access, self.desk, adapters, pauses.paused)
        look_ups = LookUps(self.ledger, adapters, self.clock)
        self.dispatcher = Dispatcher(self.ledger, handler, runner, look_ups, self.clock)
        self.lanes = Lanes(
            self.dispatcher,
            self.supervisor,
            pauses,
            quiet_seconds=self.quiet_seconds,
            timer=self.timer,
        )
        self.urgent = Lanes(UrgentCommands(self.ledger, runner), self.supervisor)
        self.door = Doorkeeper(self.ledger.people, adapters, self.clock)
        self.taking_back = TakingBack(self.ledger, self.urgent, self.clock)
        self.gate = AccessGate(access, adapters, self.supervisor, self.door)
        question = ClockQuestion(
            ClockWatch(self.clock, self.folder),
            access,
            adapters,
            self.supervisor,
            self.clock,
            agent_defaults=AgentSettings(),
        )
        self.clock_question = question
        self.intake = Intake(self.ledger, self.lanes, self.urgent, self.gate, question, self.clock)
        return self

    def message(
        self,
        key: str,
        text: str,
        *,
        conversation: ConversationKey = HOME,
        sender: Sender = ANN,
        addressed: bool = True,
    ) -> Incoming:
        """Return a message as the platform delivers it now."""
        return Incoming(
            dedupe_key=key,
            conversation=conversation,
            sender=sender,
            at=self.clock.now(),
            text=text,
            private=not conversation.chat.startswith("-"),
            addressed=addressed,
        )

    async def receive(
        self,
        key: str,
        text: str,
        *,
        conversation: ConversationKey = HOME,
        sender: Sender = ANN,
        addressed: bool = True,
    ) -> IntakeResult:
        """Hand a message over as the platform does, and return what it gets for it."""
        return await self.intake.receive(
            self.message(key, text, conversation=conversation, sender=sender, addressed=addressed)
        )

    async def recover(self) -> None:
        """Do at the start what is owed from before, and let it finish."""
        await self.intake.wake_due(["telegram"])
        await self.wait_until_idle()

    async def wait_until_idle(self) -> None:
        """Wait until no conversation has anything left that can be done now."""
        await self.urgent.wait_until_idle()
        await self.lanes.wait_until_idle()

    async def close(self) -> None:
        self.urgent.close()
        self.lanes.close()
        await self.supervisor.stop(1)
        await self.database.close()

    async def _open_agent(self, agent_id: str) -> FakeAgent:
        self.wire.step()
        if self.agent.opening_failures:
            raise self.agent.opening_failures.pop(0)
        self.agent.opened_as = agent_id
        return self.agent
