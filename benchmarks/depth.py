"""How often ``auto`` looks things up, where it should and where it should not.

    .venv/bin/python -m benchmarks.depth [--data DIR] [--lives N] [--sets turns general requests
                                         statements]

- *turns*: what the people of MemoryBank say, each said to a memory of all that came before it,
  with its nights. Only those of the sample in this file, which was read by hand: none of them asks
  for the past.
- *general*: 200 questions about the world, how-to and small talk (``tests.fakes``), asked of a
  memory of a LoCoMo conversation, or of a Chinese one of MemoryBank, after its nights.
- *requests*: the questions of LoCoMo, LifeBench and MemoryBank: all of them by the line alone, and
  those of the first ``--lives`` after their nights.
- *statements*: the turns of RealMem that need memory and ask nothing, each after the nights before
  it: deep, or a session of the gold among the first ten that came to mind.

Turns and statements are said in a running talk, as to her: the lines of it before them say what
they are about, and are not brought up, for they stand in the prompt.
"""

import argparse
import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.datasets import Life, lifebench, locomo, memorybank, realmem
from benchmarks.living import live_on, lived_in
from memory.api import OpenMemory
from memory.diary import WINDOW_MESSAGES
from memory.model import AgentSettings, Message
from memory.recall import Reach, TalkLine
from memory.recall.search import Found, asks_about_past
from memory.text.tokens import ends_as_question
from tests.fakes.general_questions import CHINESE, ENGLISH

LAW: Final = AgentSettings().law
SHOWN: Final = 10

REQUESTS_IN_SAMPLE: Final = {"cn": frozenset({268, 536}), "en": frozenset({536})}
"""Turns of the sample that do ask for what was said: about the hobbies she was told of."""

SAMPLED: Final = 4
"""Every fourth turn of each language was read, 142 of 566: by its place among all turns of the
file, person by person and day by day."""


@dataclass(slots=True)
class Rate:
    """How many lines there were, and for how many of them ``auto`` looked things up."""

    lines: int = 0
    deep: int = 0
    near: int = 0

    def text(self, name: str) -> str:
        """Write it as one row of the table."""
        share = self.deep / max(self.lines, 1)
        either = f"{(self.deep + self.near) / max(self.lines, 1):.3f}" if self.near else ""
        return f"| {name} | {self.lines} | {share:.3f} | {either} |"


async def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    measures: dict[str, Callable[[Path, int], AsyncIterator[tuple[str, Rate]]]] = {
        "turns": _turns,
        "general": _general,
        "requests": _requests,
        "statements": _statements,
    }
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--sets", nargs="+", choices=measures, default=list(measures))
    parser.add_argument("--lives", type=int, default=99, help="only the first N lives of a set")
    given = parser.parse_args()
    if not given.data.is_dir():
        print(f"no data at {given.data}: give the folder with --data DIR", file=sys.stderr)
        return 2
    print("| lines | number | deep | deep or near |\n|---|---|---|---|")
    for name in given.sets:
        async for row, rate in measures[name](given.data, given.lives):
            print(rate.text(row), flush=True)
    return 0


async def _found(mem: OpenMemory, text: str, talk: Sequence[Message] = ()) -> Found:
    """Return what ``auto`` finds for a line that is said after a talk, and why deep, if so."""
    recall = await mem._agent._writer.recall()
    reach = Reach(skip=frozenset(each.id for each in talk))
    said = [TalkLine(each.text, each.role == "assistant") for each in talk]
    state, now = mem._agent.state, mem._clock.now()
    return recall.search_and_say(text, state, now=now, k=SHOWN, reach=reach, context=said)


async def _count(
    mem: OpenMemory, texts: Iterable[str], rate: Rate, talk: Sequence[Message] = ()
) -> None:
    for text in texts:
        rate.lines += 1
        rate.deep += bool((await _found(mem, text, talk)).deep)


def _talks(life: Life) -> dict[str, tuple[Message, ...]]:
    """Return for each message the lines of its sitting before it, as many as a prompt shows."""
    return {
        message.id: sitting[max(place - WINDOW_MESSAGES, 0) : place]
        for sitting in life.sittings
        for place, message in enumerate(sitting)
    }


async def _turns(data: Path, lives: int) -> AsyncIterator[tuple[str, Rate]]:
    for language in ("cn", "en"):
        rate, place = Rate(), 0
        for life in memorybank(data, (language,))[:lives]:
            talks = _talks(life)
            with TemporaryDirectory(prefix="xiaoxiang-bench-") as folder:
                async for mem, message in live_on(Path(folder), life, law=LAW):
                    if message.role != "user":
                        continue
                    if place % SAMPLED == 0 and place not in REQUESTS_IN_SAMPLE[language]:
                        await _count(mem, [message.text], rate, talks[message.id])
                    place += 1
        yield f"MemoryBank {language}, turns that ask for nothing", rate


async def _general(data: Path, lives: int) -> AsyncIterator[tuple[str, Rate]]:
    del lives
    chinese, english = memorybank(data, ("cn",))[0], locomo(data)[0]
    for name, life, texts in (("zh", chinese, CHINESE), ("en", english, ENGLISH)):
        rate = Rate()
        with TemporaryDirectory(prefix="xiaoxiang-bench-") as folder:
            async with lived_in(Path(folder), life, law=LAW, nights=True) as mem:
                await _count(mem, texts, rate)
        yield f"general questions, {name}", rate


async def _requests(data: Path, lives: int) -> AsyncIterator[tuple[str, Rate]]:
    asked: Sequence[tuple[str, list[Life]]] = (
        ("LoCoMo", locomo(data)),
        ("LifeBench", lifebench(data, "chat")),
        ("MemoryBank cn", memorybank(data, ("cn",))),
        ("MemoryBank en", memorybank(data, ("en",))),
    )
    for name, people in asked:
        yield f"{name}, questions, by the line alone", _by_line_alone(people)
    for name, people in asked:
        rate = Rate()
        for life in people[:lives]:
            with TemporaryDirectory(prefix="xiaoxiang-bench-") as folder:
                async with lived_in(Path(folder), life, law=LAW, nights=True) as mem:
                    await _count(mem, (question.text for question in life.questions), rate)
        yield f"{name}, questions, after the nights", rate


def _by_line_alone(people: Iterable[Life]) -> Rate:
    """Return how often the question alone is reason enough: nothing has to be lived for that."""
    rate = Rate()
    for life in people:
        speakers = {message.speaker for message in life.messages if message.role == "user"}
        now = life.sittings[-1][-1].at + timedelta(days=1)
        for question in life.questions:
            known = {*speakers, life.partner} - {""}
            names = [name for name in known if name.split()[0] in question.text]
            rate.lines += 1
            rate.deep += bool(asks_about_past(question.text, now, life.zone, names))
    return rate


async def _statements(data: Path, lives: int) -> AsyncIterator[tuple[str, Rate]]:
    rate = Rate()
    for life in realmem(data)[:lives]:
        asked = {question.message_id: question for question in life.questions}
        talks = _talks(life)
        with TemporaryDirectory(prefix="xiaoxiang-bench-") as folder:
            async for mem, message in live_on(Path(folder), life, law=LAW):
                question = asked.get(message.id)
                if question is None or ends_as_question(message.text):
                    continue
                rate.lines += 1
                found = await _found(mem, message.text, talks[message.id])
                rate.deep += bool(found.deep)
                units = {life.unit_of[source] for hit in found.hits for source in hit.source_ids}
                rate.near += not found.deep and bool(units & question.gold)
    yield "RealMem, statements that need memory", rate


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
