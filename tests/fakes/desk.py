"""A desk over a real memory in this process, and the person who gives it commands."""

from dataclasses import replace
from datetime import timedelta
from typing import Self

from bot.conversation.messages import read_command
from bot.desk.answers import as_text
from bot.desk.caller import SHELL_CALLER, CommandRequest, file_from_bytes
from bot.desk.desk import Desk
from bot.desk.documents import Buttons, Document
from bot.desk.services import DeskServices
from bot.identity import AccessLevel
from memory.agent import AgentMemory
from memory.changes import Correction, Corrections, Links, Put, Receipt, Record, Used
from memory.jobs.steps import AgentParts
from memory.learning.outcomes import OnLearnt, ignore_learnt
from memory.model import AgentSettings, Link, LinkType, Tier
from memory.ports import LanguageModel, MemoryStore
from memory.state import MemoryState
from tests.builders import a_memory
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.in_memory_store import InMemoryStore


class DeskSession:
    """One agent with a desk, and a person who types (``ask``) and presses buttons (``press``)."""

    def __init__(
        self,
        *,
        settings: AgentSettings | None = None,
        store: MemoryStore | None = None,
        services: DeskServices | None = None,
        on_learnt: OnLearnt = ignore_learnt,
        model: LanguageModel | None = None,
    ) -> None:
        self.clock = FakeClock(NOON)
        self.conversation = ""
        self.caller = SHELL_CALLER
        self._settings = settings or AgentSettings()
        self._store = store or InMemoryStore()
        self._services = services
        self._on_learnt = on_learnt
        self._model = model

    async def __aenter__(self) -> Self:
        self.agent = await AgentMemory.open(
            self._store,
            AgentParts(clock=self.clock, model=self._model, on_learnt=self._on_learnt),
            choose_settings=lambda known: known or self._settings,
        )
        self.desk = Desk(self._agent, self.clock, self._services)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.agent.close()

    @property
    def state(self) -> MemoryState:
        return self.agent.state

    async def ask(
        self,
        line: str,
        *,
        standing: AccessLevel = AccessLevel.OWNER,
        private: bool = True,
        file: bytes | None = None,
    ) -> Document:
        command = read_command(line)
        assert command is not None, line
        request = CommandRequest(
            command=command,
            agent_id="a",
            access_level=standing,
            private=private,
            conversation=self.conversation,
            caller=replace(
                self.caller, file=file_from_bytes("a.json", file) if file is not None else None
            ),
        )
        return await self.desk.answer(request)

    async def says(
        self, line: str, *, standing: AccessLevel = AccessLevel.OWNER, private: bool = True
    ) -> str:
        return lines(await self.ask(line, standing=standing, private=private))

    async def press(self, document: Document, number: int = 0) -> Document:
        """Press one of the buttons below an answer."""
        return await self.ask(commands(document)[number])

    async def _agent(self, agent_id: str) -> AgentMemory:
        assert agent_id == "a"
        return self.agent


def lines(document: Document) -> str:
    return "\n".join(as_text(block) for block in document.blocks)


def commands(document: Document) -> list[str]:
    return [
        button.command
        for block in document.blocks
        if isinstance(block, Buttons)
        for button in block.buttons
    ]


async def add_samples(session: DeskSession) -> None:
    """Give the agent three tiers of memory, a name, links, a correction and a receipt."""
    link = Link(target=2, strength=0.8, type=LinkType.KEYWORD, relation="因为")
    lost = Link(target=99, strength=0.3, type=LinkType.FOCUS)
    corrected = Correction(at=NOON, reason="edit", before="我对虾过敏", after="我对花生过敏")
    records: list[Record] = [
        a_memory(1, "我对花生过敏", keywords=("花生",)),
        a_memory(2, "猫叫团子 👋", tier=Tier.CORE),
        a_memory(3, "[2026-01-03] 聊了面试", tier=Tier.EPISODE, at=NOON - timedelta(days=9)),
        a_memory(4, "团子", tier=Tier.ENTITY),
        Links(source=1, links=(link, lost)),
        Links(source=2, links=(replace(link, target=1, relation=""),)),
        Corrections(memory_id=1, entries=(corrected,)),
        Receipt(
            turn_id="t",
            at=NOON,
            used=(Used(memory_id=1, score=0.9, reasons=("word:花生", "path:#2→#1")),),
            learnt=("ADD #2",),
        ),
    ]
    await session.agent.steer(lambda state, index: [Put(record) for record in records])


def session_with(**settings: object) -> DeskSession:
    return DeskSession(settings=replace(AgentSettings(), **settings))  # type: ignore[arg-type]


async def remember(session: DeskSession, *texts: str) -> None:
    for text in texts:
        await session.ask(f"/remember {text}")
