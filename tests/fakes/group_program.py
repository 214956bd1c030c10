"""The whole program among people: private chats and a group, with every answer kept."""

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bot.app import App, running
from bot.conversation.delivery import RecordPiece, Target
from bot.conversation.messages import ConversationKey, Incoming, Sender
from bot.desk.documents import Document
from bot.identity import Access, PlatformId
from bot.sections import SecretStr
from bot.settings import Settings
from memory.agent import AgentMemory
from tests.fakes.chat import FakeChat
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.desk import commands, lines
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.owed import until_nothing_is_owed
from tests.fakes.platforms import IDENTITIES, adapters_of
from tests.fakes.waiting import until

ANN = Sender(id="42", name="安")
BEN = Sender(id="43", name="Ben")
CEM = Sender(id="44", name="安")
GROUP = "-100"


def chat_of(person: Sender) -> ConversationKey:
    """Return somebody's private chat."""
    return ConversationKey(platform="telegram", account="7", chat=person.id)


def in_group(thread: str = "") -> ConversationKey:
    """Return the group, or a topic in it."""
    return ConversationKey(platform="telegram", account="7", chat=GROUP, thread=thread)


@dataclass
class Screen(FakeChat):
    """A platform that also keeps the documents that were shown."""

    documents: list[tuple[ConversationKey, Document]] = field(default_factory=list)

    async def present(
        self, conversation: ConversationKey, document: Document, *, reply_to: str
    ) -> None:
        self.documents.append((conversation, document))
        await super().present(conversation, document, reply_to=reply_to)

    async def deliver(self, document: Document, target: Target, record_piece: RecordPiece) -> None:
        self.documents.append((target.conversation, document))
        await super().deliver(document, target, record_piece)


@dataclass
class GroupProgram:
    """One run of the program. ``ANN`` owns it; Ben and the group are allowed."""

    app: App
    screen: Screen
    clock: FakeClock
    said: int = 0
    run: str = field(default_factory=lambda: secrets.token_hex(4))

    async def hear(
        self,
        who: Sender,
        text: str,
        *,
        where: ConversationKey | None = None,
        admin: bool = False,
        addressed: bool = True,
    ) -> None:
        """Hand over what somebody wrote; returns when the platform may be told so."""
        self.said += 1
        self.clock.tick(seconds=1)
        place = where or chat_of(who)
        await self.app.intake.receive(
            Incoming(
                dedupe_key=f"{self.run}-{self.said}",
                conversation=place,
                sender=who,
                at=self.clock.now(),
                text=text,
                private=not place.chat.startswith("-"),
                addressed=addressed,
                sender_is_admin=admin,
            )
        )

    async def say(self, who: Sender, text: str, *, where: ConversationKey | None = None) -> str:
        """Say something and return the reply."""
        place = where or chat_of(who)
        before = len(self.screen.finals(place))
        await self.hear(who, text, where=place)
        await until(lambda: len(self.screen.finals(place)) > before)
        return self.screen.finals(place)[-1]

    async def order(
        self, who: Sender, line: str, *, where: ConversationKey | None = None, admin: bool = False
    ) -> Document:
        """Give a command and return what it answers."""
        before = len(self.screen.documents)
        await self.hear(who, line, where=where, admin=admin)
        await until(lambda: len(self.screen.documents) > before)
        return self.screen.documents[-1][1]

    async def forget(
        self, who: Sender, what: str, *, where: ConversationKey | None = None, admin: bool = False
    ) -> str:
        """Look at what would be erased, press the button, and return the receipt."""
        preview = await self.order(who, f"/forget {what}", where=where, admin=admin)
        (button,) = commands(preview)
        return lines(await self.order(who, button, where=where, admin=admin))

    async def memory(self, agent_id: str) -> AgentMemory:
        return await self.app.agents.get(agent_id)

    async def answered(self) -> None:
        """Wait until nothing is owed to anybody."""
        await until_nothing_is_owed(self.app.intake, ["telegram"])

    async def settled(self) -> None:
        """Wait until nothing is owed to anybody and every memory is at rest."""
        await self.answered()
        for agent_id in self.app.agents.known_ids():
            await (await self.memory(agent_id)).background.wait_until_idle()


@asynccontextmanager
async def group_program(
    data: Path,
    *,
    model: OpenAIServer | None = None,
    clock: FakeClock | None = None,
    screen: Screen | None = None,
    meaning: bool = False,
    database: str = "",
    workers: bool = False,
) -> AsyncIterator[GroupProgram]:
    """Run the program; with ``workers`` as one of several that talk from one database."""
    settings = Settings(
        data_dir=data,
        database_url=SecretStr(database),
        capture_notice=False,  # a notice may come between an order and its answer
        llm_base_url=model.base_url if model else "",
        llm_model="test-model" if model else "",
        llm_api_key=SecretStr("sk-none"),
        embedding_base_url=model.base_url if model and meaning else "",
        embedding_model="vectors" if model and meaning else "",
    )
    chat, time = screen or Screen(), clock or FakeClock(NOON)
    access = Access(
        {PlatformId("telegram", ANN.id)},
        {PlatformId("telegram", each) for each in (BEN.id, CEM.id, GROUP)},
        IDENTITIES,
    )
    platforms = adapters_of(chat, "telegram")
    async with running(
        settings,
        platforms,
        clock=time,
        quiet_seconds=0.0,
        offline=model is None,
        access=access,
        workers=workers,
    ) as app:
        yield GroupProgram(app, chat, time)
