"""A desk over a real memory that lives in this process, and orders for it."""

from dataclasses import dataclass, replace
from typing import Self

from bot.conversation.messages import ParsedCommand, read_command
from bot.desk.caller import SHELL_CALLER, Caller, file_from_bytes
from bot.desk.desk import Desk
from bot.desk.documents import Buttons, Document
from bot.desk.plain_text import as_text
from bot.desk.services import DeskServices
from bot.identity import AccessLevel
from memory.agent import AgentMemory
from memory.jobs.parts import AgentParts
from memory.learning.outcomes import OnLearnt, ignore_learnt
from memory.model import AgentSettings
from memory.ports import MemoryStore
from memory.state import MemoryState
from memory.stores.in_memory import InMemoryStore
from tests.fakes.clock import NOON, FakeClock


@dataclass(frozen=True, kw_only=True)
class FakeOrder:
    command: ParsedCommand
    agent_id: str = "a"
    access_level: AccessLevel = AccessLevel.OWNER
    private: bool = True
    reply_to: str = ""
    conversation: str = ""
    caller: Caller = SHELL_CALLER


class FakeOffice:
    """One agent and the desk before it: ``ask`` is what a person types."""

    def __init__(
        self,
        *,
        settings: AgentSettings | None = None,
        store: MemoryStore | None = None,
        premises: DeskServices | None = None,
        hears: OnLearnt = ignore_learnt,
    ) -> None:
        self.clock = FakeClock(NOON)
        self.conversation = ""
        self.asking = SHELL_CALLER
        self._settings = settings or AgentSettings()
        self._store = store or InMemoryStore()
        self._premises = premises
        self._hears = hears

    async def __aenter__(self) -> Self:
        self.agent = await AgentMemory.open(
            self._store,
            AgentParts(clock=self.clock, on_learnt=self._hears),
            choose_settings=lambda known: known or self._settings,
        )
        self.desk = Desk(self._agent, self.clock, self._premises)
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
        order = FakeOrder(
            command=command,
            access_level=standing,
            private=private,
            conversation=self.conversation,
            caller=replace(
                self.asking, file=file_from_bytes("a.json", file) if file is not None else None
            ),
        )
        return await self.desk.answer(order)

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
