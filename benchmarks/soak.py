"""A year with her in half an hour: does anything grow that should not?

    python -m benchmarks.soak [--days 340] [--turns 30]

The whole program, on a file store, with a model that answers every prompt over HTTP: so many turns
a day, facts among the chatter, a night after every day. Prints what the process holds as time goes
by, and fails if an answer is missing or doubled, or if the prompts of the last tenth are longer
than those after the first hundred turns allow.
"""

import argparse
import asyncio
import gc
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

from benchmarks.speed import resident, vocabulary
from bot.app import App, running
from bot.conversation.messages import Incoming
from bot.identity import Access, PlatformId
from bot.sections import SecretStr
from bot.settings import Settings
from prompts import default_persona
from tests.fakes.chat import FakeChat
from tests.fakes.clock import FakeClock
from tests.fakes.obedient import obedient
from tests.fakes.openai_answers import Asked
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.platforms import IDENTITIES, adapters_of
from tests.fakes.program_run import ANN, HOME

BEGIN = datetime(2026, 1, 1, 1, 0, tzinfo=UTC)
AGENT = "tg-p-42"
EVERY_DAYS = 17
PERSONA = default_persona("zh").strip().splitlines()[0]
PATIENCE_SECONDS = 300.0


@dataclass
class Life:
    """What is said to her, and what was seen of it."""

    app: App
    chat: FakeChat
    clock: FakeClock
    server: OpenAIServer
    folder: Path
    said: int = 0
    wrong: int = 0
    prompts: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    async def day(self, lines: Iterator[str], turns: int) -> None:
        """Talk through a day, then let its night pass."""
        morning = self.clock.now()
        for _ in range(turns):
            await self.turn(next(lines))
            self.clock.tick(minutes=25)
        self.clock.set(morning + timedelta(days=1))
        agent = await self.app.agents.get(AGENT)
        await agent.background.wait_until_idle()
        await agent.nightly()

    async def turn(self, text: str) -> None:
        """Say one thing and wait for its one answer."""
        self.said += 1
        self.chat.screen.clear()
        self.server.asked.clear()
        incoming = Incoming(
            dedupe_key=f"42:{self.said}",
            conversation=HOME,
            sender=ANN,
            at=self.clock.now(),
            text=text,
            private=True,
            addressed=True,
        )
        begun = perf_counter()
        await self.app.receive(incoming)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not self.chat.finals():
                await asyncio.sleep(0.001)
        self.seconds.append(perf_counter() - begun)
        self.wrong += len(self.chat.finals()) != 1
        replies = filter(wants_a_reply, self.server.asked)
        self.prompts += [len(asked.prompt) for asked in replies]

    def row(self, day: int) -> str:
        """Return what there is at the end of a day, and how long its last turns took."""
        gc.collect()
        descriptors = len(list(Path("/proc/self/fd").iterdir()))
        ledger = sum(file.stat().st_size for file in self.folder.glob("ledger.sqlite3*"))
        agent = sum(f.stat().st_size for f in (self.folder / "agents").rglob("*") if f.is_file())
        figures = (
            f"{day}",
            f"{self.said:,}",
            f"{resident():.0f}",
            f"{descriptors}",
            f"{len(asyncio.all_tasks())}",
            f"{ledger / 1e6:.1f}",
            f"{agent / 1e6:.1f}",
            f"{median(self.prompts[-200:]):,.0f}",
            f"{max(self.prompts[-200:]):,}",
            f"{1000 * median(self.seconds[-200:]):.0f}",
        )
        return f"| {' | '.join(figures)} |"


def talk(chance: Random) -> Iterator[str]:
    """Yield chatter for ever, and now and then something worth keeping."""
    words = vocabulary(chance)
    weights = [1 / (rank + 10) for rank in range(len(words))]
    while True:
        line = "，".join(chance.choices(words, weights, k=chance.randrange(4, 20)))
        if chance.random() < 0.05:
            yield f"记住：主人喜欢{chance.choice(words)}和{chance.choice(words)}"
        else:
            yield line


def wants_a_reply(asked: Asked) -> bool:
    """Tell a prompt for a reply from one of the background's."""
    return PERSONA in asked.prompt


def answered(asked: Asked) -> str:
    """Do in the background what the words order; answer like somebody who listens."""
    return "嗯，我在听。" if wants_a_reply(asked) else obedient(asked)


async def soaked(days: int, turns: int) -> int:
    """Live so many days; return the exit status."""
    clock, chat, lines = FakeClock(BEGIN), FakeChat(), talk(Random(4))
    access = Access({PlatformId("telegram", ANN.id)}, (), IDENTITIES)
    with tempfile.TemporaryDirectory(prefix="xiaoxiang-soak-") as folder:
        async with OpenAIServer(answered) as server:
            settings = Settings(
                data_dir=Path(folder),
                llm_base_url=server.base_url,
                llm_model="obedient",
                llm_api_key=SecretStr("none"),
            )
            platforms = adapters_of(chat, "telegram")
            async with running(
                settings, platforms, clock=clock, quiet_seconds=0.0, access=access
            ) as app:
                life = Life(app, chat, clock, server, Path(folder))
                print(
                    "| day | turns | resident MB | files open | tasks | ledger MB | agent MB"
                    " | prompt p50 | prompt max | turn p50, ms |\n" + "|--:" * 10 + "|"
                )
                for day in range(1, days + 1):
                    await life.day(lines, turns)
                    chat.history.clear()
                    if day % EVERY_DAYS == 0 or day in {4, days}:
                        print(life.row(day), flush=True)
    early, late = max(life.prompts[:200]), max(life.prompts[-len(life.prompts) // 10 :])
    print(
        f"\n{life.said:,} turns in {days} days: {life.wrong} not answered exactly once; the"
        f" longest prompt of the first 200 turns {early:,} characters, of the last tenth {late:,}"
    )
    return 1 if life.wrong else 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Live a long time and see what grows.")
    parser.add_argument("--days", type=int, default=340)
    parser.add_argument("--turns", type=int, default=30)
    given = parser.parse_args()
    return asyncio.run(soaked(given.days, given.turns))


if __name__ == "__main__":
    sys.exit(main())
