"""What a turn of hers takes beside a bare bot that only sends the last 30 messages to the model.

    .venv/bin/python -m benchmarks.whole_turn [--sizes 2000 10000] [--turns 200] [--wakeful]
    .venv/bin/python -m benchmarks.whole_turn --data DIR [--turns 100]

What she remembers was lived through, with a night after every ten days; ``--wakeful``: none was.
The process is set up as a running one, for both. With ``--data`` two people of LifeBench's chats
talk instead of made-up words: all but their last lines are remembered, and those are said. They
are long, and nearly all of them ask something.

Both ask the same server on loopback, which answers at once, and take turns, so that whatever else
the machine does meets both. A turn lasts from the message that arrives to the finished answer: of
the bare bot one streamed call; of hers the ledger, recall, the prompt, the call, what is written
down, and the answer. What she does after it in the background is waited for before the next. On a
busy machine only the processor's time says anything.

The answer grows on her screen as on Telegram and Lark: in a task of its own, so that the model
does not wait until the screen, and the ledger for it, have what came so far.
"""

import argparse
import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from statistics import median
from time import perf_counter, process_time
from typing import Final, NamedTuple

from openai import AsyncOpenAI
from openai.types.chat import ChatCompletionMessageParam

from benchmarks.datasets import Life, lifebench
from benchmarks.speed import RecordedClock, live_through, questions, talk
from bot.__main__ import prepare_process
from bot.adapters.calls import StreamUpdater
from bot.adapters.telegram.delivery import PRIVATE_GAP
from bot.app import App, running
from bot.conversation.delivery import RecordPiece, Target
from bot.conversation.messages import Incoming
from bot.sections import SecretStr
from bot.settings import Settings
from bot.tasks import Supervisor, wait_for_event
from memory import Message, open_memory
from prompts import default_persona
from tests.fakes.chat import FakeChat, FakeDelivery
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.platforms import adapters_of, only_a_terminal
from tests.fakes.two_chats import TERMINAL, WHO
from tests.fakes.waiting import unless_it_hangs

HISTORY: Final = 30
MODEL: Final = "answers-at-once"
ANSWER: Final = "嗯，记得，我们说过的。"
_PEOPLE: Final = (1, 0)
"""Two of LifeBench's people: of some 2,000 and 8,000 messages."""


class BareBot:
    """Knows nothing but what was said last."""

    def __init__(self, base_url: str, said: list[Message]) -> None:
        self._client = AsyncOpenAI(base_url=base_url, api_key="none")
        self._history: list[ChatCompletionMessageParam] = [
            {"role": "user", "content": each.text}
            if each.role == "user"
            else {"role": "assistant", "content": each.text}
            for each in said[-HISTORY:]
        ]

    async def answer(self, text: str) -> None:
        """Stream one answer, and keep the last 30 messages."""
        self._history.append({"role": "user", "content": text})
        stream = await self._client.chat.completions.create(
            model=MODEL,
            messages=[{"role": "system", "content": default_persona("zh")}, *self._history],
            stream=True,
        )
        pieces = [each.choices[0].delta.content or "" async for each in stream if each.choices]
        self._history.append({"role": "assistant", "content": "".join(pieces)})
        del self._history[:-HISTORY]

    async def close(self) -> None:
        await self._client.close()


@dataclass
class GrowingChat(FakeChat):
    """A screen on which answers grow as on the platforms."""

    tasks: Supervisor = field(default_factory=Supervisor)

    def delivery(self, target: Target, record_piece: RecordPiece) -> "GrowingDelivery":
        return GrowingDelivery(self, target, record_piece)


class GrowingDelivery(FakeDelivery):
    """Shows what there is of an answer when the platforms would: the last of it, once a second."""

    def __init__(self, chat: GrowingChat, target: Target, record_piece: RecordPiece) -> None:
        super().__init__(chat, target, record_piece)
        self._text = ""
        self._updater = StreamUpdater(chat.tasks, self._show_progress)

    async def show(self, text: str) -> None:
        self._text = text
        self._updater.request_update()

    async def finish(self, text: str, *, plain: bool = False) -> None:
        await self._updater.stop()
        await super().finish(text, plain=plain)

    async def stop_showing(self) -> None:
        await self._updater.stop_soon()

    async def _show_progress(self) -> None:
        await super().show(self._text)
        await wait_for_event(self._updater.stopped, PRIVATE_GAP)
        await self._updater.changed.wait()


class Companion:
    """The whole program, and a chat in which somebody writes."""

    def __init__(self, app: App, chat: FakeChat, clock: RecordedClock) -> None:
        self._app, self._chat, self._clock = app, chat, clock

    async def answer(self, text: str) -> None:
        """Write something and wait until the answer is finished on the screen."""
        # A screen is looked through from its beginning: what is on it already is not hers to pay.
        self._chat.screen.clear()
        shown = asyncio.Event()
        self._chat.listeners[:] = [lambda _: shown.set()]
        await self._app.receive(
            Incoming(
                dedupe_key=token_hex(8),
                conversation=TERMINAL,
                sender=WHO[TERMINAL],
                at=self._clock.now(),
                text=text,
                private=True,
            )
        )
        async with unless_it_hangs():
            while not self._chat.finals():
                shown.clear()
                await shown.wait()

    async def settle(self) -> None:
        """Wait until nothing is left to do for what was said."""
        async with unless_it_hangs():
            while await self._app.intake.wake_due(["console"]) or self._app.supervisor.running:
                await asyncio.sleep(0.002)
            agent_id = await self._app.bindings.agent_id(TERMINAL, private=True)
            await (await self._app.agents.get(agent_id)).background.wait_until_idle()


@asynccontextmanager
async def companion(data: Path, clock: RecordedClock, base_url: str) -> AsyncIterator[Companion]:
    """Run the program for a terminal, with a model."""
    settings = Settings(
        capture_notice=False,
        data_dir=data,
        llm_base_url=base_url,
        llm_model=MODEL,
        llm_api_key=SecretStr("none"),
    )
    chat = GrowingChat()
    adapters = adapters_of(chat, "console")
    access = only_a_terminal()
    async with running(settings, adapters, access, clock=clock, quiet_seconds=0.0) as app:
        yield Companion(app, chat, clock)


class Took(NamedTuple):
    """Milliseconds that a turn took, by the clock and of this process's processors."""

    clock: float
    processor: float


class Talk(NamedTuple):
    """What was said until now, and what the partner says then."""

    said: list[Message]
    asked: list[str]


def made_up(size: int, turns: int) -> Talk:
    """Return a talk of made-up words, of which three at a time are asked for."""
    said = list(talk(size))
    return Talk(said, questions(said, turns))


def real(life: Life, turns: int) -> Talk:
    """Return a talk as it went on, in whole exchanges."""
    said = list(life.messages)
    asked = [place for place, each in enumerate(said) if each.role == "user"][-turns:]
    return Talk(said[: asked[0]], [said[place].text for place in asked])


async def measured(spoken: Talk, *, nights: bool) -> tuple[Took, Took]:
    """Return the medians of the bare bot's turns and of hers."""
    said = spoken.said
    clock = RecordedClock(said[-1].at)
    with tempfile.TemporaryDirectory(prefix="xiaoxiang-bench-") as folder:
        async with OpenAIServer(lambda _: ANSWER) as server:
            async with companion(Path(folder), clock, server.base_url) as she:
                await she.answer("你好")
                await she.settle()
            (agent,) = (each.name for each in (Path(folder) / "agents").iterdir())
            async with open_memory(folder, agent=agent, clock=clock) as memory:
                await live_through(memory, said, clock, nights=nights)
            bare = BareBot(server.base_url, said)
            async with companion(Path(folder), clock, server.base_url) as she:
                took = await _in_turn(bare, she, spoken.asked)
            await bare.close()
    return took


async def _in_turn(bare: BareBot, she: Companion, asked: list[str]) -> tuple[Took, Took]:
    took: tuple[list[Took], list[Took]] = ([], [])
    for text in asked:
        took[0].append(await _milliseconds(bare.answer, text))
        took[1].append(await _milliseconds(she.answer, text))
        await she.settle()
    return _medians(took[0]), _medians(took[1])


async def _milliseconds(answer: Callable[[str], Awaitable[None]], text: str) -> Took:
    begun, busy = perf_counter(), process_time()
    await answer(text)
    return Took(1000 * (perf_counter() - begun), 1000 * (process_time() - busy))


def _medians(took: list[Took]) -> Took:
    return Took(median(each.clock for each in took), median(each.processor for each in took))


def main() -> None:
    prepare_process()
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[2_000, 10_000])
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--wakeful", action="store_true", help="no night is lived before")
    parser.add_argument("--data", type=Path, help="real talk, of this folder")
    options = parser.parse_args()
    talks = (made_up(size, options.turns) for size in options.sizes)
    if options.data:
        talks = (real(lifebench(options.data, "chat")[which], options.turns) for which in _PEOPLE)
    print("| remembered | bare bot, p50 | 小祥, p50 | more | of the processor, more |")
    print("|---:|---:|---:|---:|---:|")
    for spoken in talks:
        bare, hers = asyncio.run(measured(spoken, nights=not options.wakeful))
        by_clock, busy = hers.clock - bare.clock, hers.processor - bare.processor
        row = " | ".join(f"{each:.1f} ms" for each in (bare.clock, hers.clock, by_clock, busy))
        print(f"| {len(spoken.said):,} | {row} |", flush=True)


if __name__ == "__main__":
    main()
