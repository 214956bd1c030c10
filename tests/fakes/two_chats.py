"""Two platforms in one program, each with a chat of its own, and people who write there."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from bot.app import App, running
from bot.conversation.delivery import RecordPiece, Target
from bot.conversation.messages import ConversationKey, Incoming, Sender
from bot.desk.documents import Document
from bot.identity import Access, PlatformId
from bot.settings import Settings
from memory.agent import AgentMemory
from memory.laws.law import Law
from memory.laws.registry import LAWS
from memory.model import Language
from memory.privacy.vault import Keys
from memory.state import MemoryState
from tests.fakes.chat import FakeChat
from tests.fakes.clock import FakeClock
from tests.fakes.desk import commands, lines
from tests.fakes.owed import until_nothing_is_owed
from tests.fakes.platforms import IDENTITIES, adapters_of
from tests.fakes.waiting import unless_it_hangs

TELEGRAM = ConversationKey(platform="telegram", account="7", chat="42")
LARK = ConversationKey(platform="lark", account="cli_a", chat="oc_ann")
STRANGER = ConversationKey(platform="lark", account="cli_a", chat="oc_eve")
TERMINAL = ConversationKey(platform="console", account="local", chat="local")

WHO = {
    TELEGRAM: Sender(id="42", name="安"),
    LARK: Sender(id="ou_ann", name="Ann"),
    STRANGER: Sender(id="ou_eve", name="Eve"),
    TERMINAL: Sender(id="local", name="local"),
}


class Screens(FakeChat):
    """A platform that also remembers the documents it showed, by conversation."""

    def __init__(self) -> None:
        super().__init__()
        self.documents: dict[ConversationKey, list[Document]] = {}

    async def present(
        self, conversation: ConversationKey, document: Document, *, reply_to: str
    ) -> None:
        self.documents.setdefault(conversation, []).append(document)
        await super().present(conversation, document, reply_to=reply_to)

    async def deliver(self, document: Document, target: Target, record_piece: RecordPiece) -> None:
        self.documents.setdefault(target.conversation, []).append(document)
        await super().deliver(document, target, record_piece)


@dataclass
class Someone:
    """The program, and whoever writes to it from any of the chats."""

    app: App
    screens: Screens
    clock: FakeClock

    async def writes(
        self,
        place: ConversationKey,
        text: str,
        *,
        private: bool = True,
        ago: timedelta = timedelta(),
    ) -> None:
        """Write something and wait for nothing; it comes so long after it was written."""
        await self.app.receive(
            Incoming(
                dedupe_key=secrets.token_hex(8),
                conversation=place,
                sender=WHO[place],
                at=self.clock.now() - ago,
                text=text,
                private=private,
            )
        )

    async def says(self, place: ConversationKey, text: str, *, private: bool = True) -> str:
        """Write something, and return what everything came to in that chat."""
        before = len(self.screens.finals(place))
        await self.writes(place, text, private=private)
        await self.settled()
        return "\n".join(self.screens.finals(place)[before:])

    async def told(self, place: ConversationKey, command: str, *, private: bool = True) -> str:
        """Give a command and return the whole of the answer as text."""
        await self.says(place, command, private=private)
        return lines(self.screens.documents[place][-1])

    def button(self, place: ConversationKey, number: int = 0) -> str:
        """Return what a button says, under the newest document of a chat that has any."""
        shown = reversed(self.screens.documents[place])
        return next(found for found in map(commands, shown) if found)[number]

    async def presses(self, place: ConversationKey, number: int = 0) -> str:
        """Press a button under the newest document of a chat that has any."""
        return await self.told(place, self.button(place, number))

    async def settled(self) -> None:
        """Wait until nothing is owed and no lane is still cleaning up after itself."""
        platforms = ["telegram", "lark", "console"]
        async with unless_it_hangs():
            await until_nothing_is_owed(self.app.intake, platforms)
            while self.app.supervisor.running:
                await asyncio.sleep(0.001)
                await until_nothing_is_owed(self.app.intake, platforms)

    async def plans(self) -> None:
        """Wait until the ledger knows what comes next in every agent that is open."""
        await self.settled()
        for agent_id in list(self.app.agents._open):
            await self.app.reminding._plan(agent_id)

    async def looks_what_is_due(self, **later: float) -> None:
        """Let time pass, once it is known what comes when, and let the program look once."""
        await self.plans()
        self.clock.tick(**later)
        await self.app.reminding.look()
        await self.settled()

    async def agent(self, place: ConversationKey) -> AgentMemory:
        """Return whoever remembers a chat, with its background done."""
        agent = await self.app.agents.get(await self.app.bindings.agent_id(place, private=True))
        await agent.background.wait_until_idle()
        return agent

    async def state(self, place: ConversationKey) -> MemoryState:
        return (await self.agent(place)).state

    async def knows(self, place: ConversationKey) -> set[str]:
        """Return what is actively known in a chat."""
        memories = (await self.state(place)).memories.values()
        return {memory.words.text for memory in memories if memory.is_active}

    async def link(self, host: ConversationKey, guest: ConversationKey) -> str:
        """Join two chats the whole way, and return what the host is told at the end."""
        code = (await self.told(host, "/link")).split("：")[1].split()[0]
        await self.told(guest, f"/link {code}")
        await self.presses(guest)
        return await self.presses(host)


@asynccontextmanager
async def two_chats(
    data: Path,
    clock: FakeClock,
    *,
    key: Path | None = None,
    screens: Screens | None = None,
    laws: Sequence[Law[Any]] = LAWS,
    language: Language = "zh",
) -> AsyncIterator[Someone]:
    """Run the whole program for Telegram, Lark and the terminal, without any model."""
    if key is not None and not key.exists():
        Keys.create(key, data=data)
    screens = screens or Screens()
    settings = Settings(
        capture_notice=False, data_dir=data, memory_key_file=key, language=language
    )
    people = {PlatformId("telegram", "42"), PlatformId("lark", "ou_ann")}
    access = Access(people, {PlatformId("lark", "ou_eve")}, IDENTITIES)
    async with running(
        settings,
        adapters_of(screens, "telegram", "lark", "console"),
        clock=clock,
        quiet_seconds=0.0,
        offline=True,
        access=access,
        laws=laws,
    ) as app:
        yield Someone(app, screens, clock)
