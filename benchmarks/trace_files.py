"""Which source files one thing passes through: a Telegram text, a search, the birth of a memory.

``python -m benchmarks.trace_files [--list]`` runs each once to warm up and once under
``sys.setprofile`` (in every thread), and prints how many files of ``bot``, ``memory`` and
``prompts`` ran a function. The fewer files one thing passes through, the less there is to know
before changing it. A thread that runs already is only seen from Python 3.12 on.
"""

import argparse
import asyncio
import sys
import tempfile
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TypeAlias

from memory import Message, open_memory
from memory.agent import AgentMemory
from tests.fakes.clock import FakeClock
from tests.fakes.telegram_program import on_telegram
from tests.fakes.telegram_server import TelegramServer
from tests.fakes.waiting import until

ProfileFunction: TypeAlias = Callable[[FrameType, str, object], object]

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = tuple(f"{ROOT / name}/" for name in ("bot", "memory", "prompts"))
MORNING = datetime(2026, 3, 4, 8, tzinfo=UTC)
TALK = ("我叫阿梅，在成都做护士。", "幸会，阿梅。", "我对花生过敏，记住这个。", "好，我记下了。")


@contextmanager
def traced(files: set[str]) -> Iterator[None]:
    """Collect the source file of every function that runs meanwhile, in every thread."""

    def note(frame: FrameType, event: str, argument: object) -> None:
        del argument
        name = frame.f_code.co_filename
        # A body of a module or a class runs when it is imported, not because something passes.
        if event == "call" and name.startswith(PACKAGES) and frame.f_code.co_name != "<module>":
            files.add(name.removeprefix(f"{ROOT}/"))

    # Python 3.12 and newer can also reach the threads that run already.
    everywhere: Callable[[ProfileFunction], None] = getattr(
        threading, "setprofile_all_threads", threading.setprofile
    )
    everywhere(note)
    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


async def telegram_text(data: Path, *, learnt: bool = False) -> set[str]:
    """A text of the partner on Telegram, from the update until it is answered and kept.

    ``learnt`` goes on until the background has judged what it means.
    """
    files: set[str] = set()
    async with TelegramServer() as server, on_telegram(data, server) as she:
        server.says("你好")
        await she.answers(1)
        (agent_id,) = she.app.agents.known_ids()
        agent = await she.app.agents.get(agent_id)
        await _learnt(agent, turns=1)
        async with AsyncExitStack() as held:
            if not learnt:
                # Held back, or the count would depend on how far it came meanwhile.
                await held.enter_async_context(agent.background.paused())
            with traced(files):
                server.says("我在成都做护士")
                await she.answers(2)
                await until(lambda: len(agent.state.receipts) == 2)
                if learnt:
                    await _learnt(agent, turns=2)
    return files


async def _learnt(agent: AgentMemory, *, turns: int) -> None:
    """Wait until so many turns are kept and judged: without it the count depends on the moment."""
    await until(lambda: len(agent.state.receipts) == turns and not agent.state.turns)
    await agent.background.wait_until_idle()


async def one_search(data: Path) -> set[str]:
    """A search in a memory that was searched before."""
    files: set[str] = set()
    clock = FakeClock(MORNING)
    async with open_memory(data, agent="a", clock=clock) as memory:
        memory.remember(_talk())
        await memory.settled()
        await memory.search("花生", k=3)
        with traced(files):
            await memory.search("我对什么过敏？", k=3)
    return files


async def birth_of_a_memory(data: Path) -> set[str]:
    """Four messages that become a memory."""
    files: set[str] = set()
    clock = FakeClock(MORNING)
    async with open_memory(data, agent="a", clock=clock) as memory:
        memory.remember(_talk())
        await memory.settled()
        with traced(files):
            memory.remember(_talk(start=10))
            await memory.settled()
    return files


def _talk(start: int = 0) -> tuple[Message, ...]:
    return tuple(
        Message(
            id=str(start + number),
            at=MORNING + timedelta(minutes=start + number),
            speaker="小祥" if number % 2 else "阿梅",
            role="assistant" if number % 2 else "user",
            text=text,
        )
        for number, text in enumerate(TALK)
    )


WAYS: dict[str, Callable[[Path], Awaitable[set[str]]]] = {
    "one Telegram text, until it is answered and kept": telegram_text,
    "the same, until it is judged as well": partial(telegram_text, learnt=True),
    "one search": one_search,
    "a memory's birth from four messages": birth_of_a_memory,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true", help="name the files")
    asked = parser.parse_args()
    for title, way in WAYS.items():
        with tempfile.TemporaryDirectory() as folder:
            files = asyncio.run(_run(way, Path(folder)))
        print(f"{title}: {len(files)} files")
        if asked.list:
            print("\n".join(f"  {name}" for name in sorted(files)))


async def _run(way: Callable[[Path], Awaitable[set[str]]], folder: Path) -> set[str]:
    return await way(folder)


if __name__ == "__main__":
    main()
