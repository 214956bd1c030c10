"""How soon Lark hears that an event is kept; prints a table.

    python -m benchmarks.lark_acks [--events 5000]

``xiaoxiang run`` against a Lark platform of our own in this process, with a model that answers
nobody while events arrive: four kinds of them, by fifty people. Lark waits three seconds.
"""

import argparse
import asyncio
import os
import signal
import sys
import tempfile
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from tests.fakes.lark_platform import LarkPlatform
from tests.fakes.lark_world import ANN, APP_ID, APP_SECRET
from tests.fakes.openai_answers import hang
from tests.fakes.openai_server import OpenAIServer

PEOPLE = 50
PAUSE_SECONDS = 0.01
"""After each four events."""

BURST = 1_000
"""So many come at once in the end."""


@asynccontextmanager
async def program(**settings: str) -> AsyncIterator[Process]:
    with tempfile.TemporaryDirectory() as folder:
        env = {"PATH": os.environ["PATH"], "PYTHONUTF8": "1", "DATA_DIR": folder, **settings}
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", "run", env=env, stdout=DEVNULL, stderr=DEVNULL
        )
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            await process.wait()


async def until(true: Callable[[], object], seconds: float = 120.0) -> None:
    async with asyncio.timeout(seconds):
        while not true():
            await asyncio.sleep(0.005)


def on(platform: LarkPlatform, **more: str) -> dict[str, str]:
    app = {"LARK_APP_ID": APP_ID, "LARK_APP_SECRET": APP_SECRET, "LARK_DOMAIN": platform.url}
    return {**app, "OWNER_IDS": f"lark:{ANN}", **more}


async def acknowledged(events: int) -> tuple[list[float], list[float]]:
    """Return the seconds each acknowledgement took while the model answers nobody.

    First of events that keep coming, then of a burst.
    """
    async with LarkPlatform() as platform, OpenAIServer() as model:
        model.always(hang())
        people = [platform.person(f"ou_{n:032x}", f"人{n}") for n in range(PEOPLE)]
        allowed = ",".join(f"lark:{person}" for person in people)
        talks = {"LLM_BASE_URL": model.base_url, "LLM_MODEL": "m", "LLM_API_KEY": "sk-none"}
        async with program(**on(platform, ALLOWED_IDS=allowed, **talks)):
            await platform.connected()
            for person in people:
                platform.say("你好", person=person)
            await until(lambda: len(model.asked) >= PEOPLE)
            steady = await _acknowledged(platform, people, events, PAUSE_SECONDS)
            return steady, await _acknowledged(platform, people, BURST, 0.0)


async def _acknowledged(
    platform: LarkPlatform, people: list[str], events: int, pause: float
) -> list[float]:
    await platform.settled()
    platform.pushes.acks.clear()
    for number in range(events // 4):
        person = people[number % PEOPLE]
        message = platform.say(f"第 {number} 句", person=person)
        platform.read(message, person)
        platform.react(message, person=person)
        platform.withdraw(message)
        await asyncio.sleep(pause)
    await platform.settled()
    assert {code for code, _ in platform.pushes.acks} == {200}, platform.pushes.acks
    return sorted(seconds for _, seconds in platform.pushes.acks)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--events", type=int, default=5_000)
    given = options.parse_args()
    print("| | p50 | p99.9 | at most |\n|---|---|---|---|")
    steady, burst = asyncio.run(acknowledged(given.events))
    for what, seconds in (("one after another", steady), ("at once", burst)):
        places = (len(seconds) // 2, len(seconds) * 999 // 1000, len(seconds) - 1)
        told = " | ".join(f"{seconds[place] * 1000:.0f} ms" for place in places)
        print(f"| {len(seconds):,} events {what} | {told} |")


if __name__ == "__main__":
    main()
