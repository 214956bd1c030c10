"""A model server as one has it at home: one call at a time, slow, and never stopped at once.

It reads a prompt in batches, and looks only between two of them whether whoever asked has gone, as
llama.cpp does. Whatever else comes waits. :func:`talked` holds a talk with the whole program on
such a server and returns how long each message waited.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from aiohttp import web

from bot.app import running
from bot.conversation.messages import ConversationKey, Incoming, Sender
from bot.sections import SecretStr
from bot.settings import Settings
from tests.fakes.chat import FakeChat
from tests.fakes.clock import FakeMachineClock
from tests.fakes.openai_answers import Asked, say
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.platforms import adapters_of, only_a_terminal
from tests.fakes.waiting import until

PLACE = ConversationKey(platform="console", account="local", chat="local")


@dataclass(slots=True)
class Call:
    """One request: when it came and when it was begun, in the loop's seconds."""

    background: bool
    came: float
    begun: float = 0.0
    given_up: bool = False
    answered: bool = False

    @property
    def is_under_way(self) -> bool:
        """Whether somebody still waits for it."""
        return not (self.given_up or self.answered)


@dataclass(slots=True)
class OneSlot:
    """Answers one call after another: ``batches`` of ``batch_seconds`` each, then the words."""

    batches: int
    batch_seconds: float
    answer: Callable[[Asked], str]
    calls: list[Call] = field(default_factory=list)
    _slot: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def behave(self, request: web.Request, asked: Asked) -> web.StreamResponse:
        """Answer once the slot is free; if nobody waits any more, the batch is still finished."""
        loop = asyncio.get_running_loop()
        call = Call(is_background(asked), loop.time())
        self.calls.append(call)
        gone = asyncio.Event()
        work = loop.create_task(self._work(call, gone))
        try:
            await asyncio.shield(work)
        except asyncio.CancelledError:
            gone.set()
            call.given_up = True
            raise
        call.answered = True
        return await say(self.answer(asked))(request, asked)

    async def _work(self, call: Call, gone: asyncio.Event) -> None:
        async with self._slot:
            call.begun = asyncio.get_running_loop().time()
            for _ in range(self.batches):
                if gone.is_set():
                    return
                await asyncio.sleep(self.batch_seconds)


def is_background(asked: Asked) -> bool:
    """Tell whether a request is one of the background, by its first words."""
    return "后台程序" in asked.prompt or "background program" in asked.prompt


@dataclass(frozen=True, slots=True)
class Waited:
    """What a message waited, in the loop's seconds.

    ``for_slot`` until its call was begun, of all that the answer took; ``behind_background`` if a
    call of the background was under way when it was said.
    """

    for_slot: float
    behind_background: bool


def has_answered(chat: FakeChat, before: int) -> bool:
    """Tell whether one more answer is whole than there were before."""
    return len(chat.finals()) > before


async def talked(slot: OneSlot, folder: Path, lines: list[str]) -> list[Waited]:
    """Return how long each line waited; every other one is said while the background works."""
    waits: list[Waited] = []
    loop, chat, clock = asyncio.get_running_loop(), FakeChat(), FakeMachineClock()
    async with OpenAIServer() as server:
        server.slots = 1
        server.always(slot.behave)
        settings = Settings(
            capture_notice=False,
            data_dir=folder,
            llm_provider="llamacpp",
            llm_base_url=server.base_url,
            llm_model="small",
            llm_api_key=SecretStr("none"),
        )
        platforms = adapters_of(chat, "console")
        async with running(
            settings, platforms, only_a_terminal(), clock=clock, quiet_seconds=0.0
        ) as app:
            agent = await app.agents.get("local")
            for number, line in enumerate(lines):
                answered, asked = len(chat.finals()), len(slot.calls)
                behind = any(each.background and each.is_under_way for each in slot.calls)
                said = loop.time()
                await app.intake.receive(
                    Incoming(
                        dedupe_key=str(number),
                        conversation=PLACE,
                        sender=Sender(id="local", name="主人"),
                        at=clock.now(),
                        text=line,
                    )
                )
                await until(partial(has_answered, chat, answered))
                own = next(each for each in slot.calls[asked:] if not each.background)
                waits.append(Waited(own.begun - said, behind))
                if number % 2:
                    await agent.background.wait_until_idle()
                else:
                    await until(lambda: slot.calls[-1].background and slot.calls[-1].begun)
            await agent.background.wait_until_idle()
    return waits
