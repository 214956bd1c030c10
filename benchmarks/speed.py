"""How fast 小祥's memory is, in remembered messages; prints one Markdown table.

    .venv/bin/python -m benchmarks.speed [--sizes 1000 2000 10000] [--queries 200]
    .venv/bin/python -m benchmarks.speed --lived DIR --sizes 10000 100000 [--wakeful]
    .venv/bin/python -m benchmarks.speed --fed --sizes 10000 100000
    .venv/bin/python -m benchmarks.speed --talk DATA

With ``--lived`` each life is lived once into ``DIR/size``, with a night after every ten days, and
then only opened and searched, in a process that has loaded what a running program has loaded: so a
large one can be measured again and again. ``--wakeful``: without nights, in ``DIR/size-wakeful``,
so that all of it is in mind. The rest of the figures are those of the first command.

With ``--fed`` all of a life is handed over at once, as by a replay, in a process that gives freed
memory back as a running program does; what it holds is looked at ten times a second.

With ``--talk`` the lines of two real lives (a conversation of LoCoMo, a person of RealMem) and the
questions about them are searched for, alone and with the eight lines before them.

Every size runs in a process of its own, so that resident memory is its own too. Messages are made
up from a seeded vocabulary with Zipf frequencies, Chinese and English, so posting lists are as
long as in real talk. No model is called: what is measured is ours.
"""

import argparse
import asyncio
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, process_time
from zoneinfo import ZoneInfo

from benchmarks.datasets import locomo, realmem
from benchmarks.living import lived
from bot.__main__ import prepare_process
from memory import Message, open_memory
from memory.agent import AgentMemory
from memory.api import OpenMemory
from memory.changes import Turn
from memory.recall import DepthName
from memory.stores.sidecars import INDEX_FILE
from prompts import PromptLine, Reply, default_persona

START = datetime(2024, 1, 1, 12, tzinfo=UTC)
SYLLABLES = (
    "安白长大东方飞高海河红花家江开来蓝乐林马梦明南年青秋人山上石水天文西夏小心新星雪阳叶雨月云"
)


BEFORE = 8
"""Lines of a talk before the one that is searched for: as many as a search looks at."""


A_DAY = 30
"""Lines that are said on one day."""

DAYS_PER_NIGHT = 10
NIGHT_AFTER = timedelta(hours=8)
"""From the first line of a day to the night after it: it is noon in UTC, evening in Shanghai."""


class RecordedClock:
    """Stands at the end of what is remembered."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def now(self) -> datetime:
        return self.at


def vocabulary(chance: Random) -> list[str]:
    """Return 6,000 words, two thirds Chinese, commonest first."""
    chinese = ["".join(chance.choices(SYLLABLES, k=2 + chance.randrange(2))) for _ in range(4000)]
    letters = "abcdefghijklmnoprstuvw"
    english = ["".join(chance.choices(letters, k=chance.randrange(4, 9))) for _ in range(2000)]
    words = chinese + english
    chance.shuffle(words)
    return words


def talk(count: int, seed: int = 1) -> Iterator[Message]:
    """Yield messages of 8 to 24 words, thirty a day, both sides taking turns."""
    chance = Random(seed)
    words = vocabulary(chance)
    weights = [1 / (rank + 10) for rank in range(len(words))]
    for number in range(count):
        partner = number % 2 == 0
        text = "，".join(chance.choices(words, weights, k=chance.randrange(8, 25)))
        yield Message(
            id=f"m{number}",
            at=START + timedelta(days=number // A_DAY, minutes=number % A_DAY),
            speaker="主人" if partner else "小祥",
            role="user" if partner else "assistant",
            text=text,
        )


def questions(said: list[Message], count: int) -> list[str]:
    """Return queries of three words each, taken from something that was said."""
    chance = Random(2)
    return [
        "，".join(chance.sample(chance.choice(said).text.split("，"), 3)) for _ in range(count)
    ]


async def measured(size: int, queries: int) -> dict[str, float]:
    """Return every figure of one size; times in milliseconds, memory in MB."""
    said = list(talk(size))
    clock = RecordedClock(said[-1].at + timedelta(hours=1))
    asked = questions(said, queries)
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        begun = perf_counter()
        async with open_memory(folder, clock=clock) as mem:
            for first in range(0, size, 30):
                mem.remember(said[first : first + 30])
            await mem.settled()
            figures["remember a message"] = 1000 * (perf_counter() - begun) / size
        async with reopened(folder, clock, asked[0], figures) as mem:
            figures["search p50"] = await _p50(mem.search(query) for query in asked)
            figures |= await _by_the_moment(mem, said, queries)
            figures["one turn p50"] = await _p50(
                a_turn(mem._agent, query, f"t{number}", clock)
                for number, query in enumerate(asked)
            )
            figures["resident memory MB"] = resident()
            begun = perf_counter()
            await mem.nightly()
            figures["night"] = 1000 * (perf_counter() - begun)
        for file in Path(folder).rglob(INDEX_FILE):
            file.unlink()
        anew: dict[str, float] = {}
        async with reopened(folder, clock, asked[0], anew):
            name = "first search, of the processor"
            figures[f"{name}, without index.bin"] = anew[name]
    return figures


async def live(folder: Path, size: int, *, nights: bool = True) -> None:
    """Live through a talk of that size, and close it as a program does that was searched."""
    said = list(talk(size))
    clock = RecordedClock(said[-1].at + timedelta(hours=1))
    async with open_memory(folder, clock=clock) as mem:
        await live_through(mem, said, clock, nights=nights)
        await mem.search(said[0].text)


async def live_through(
    mem: OpenMemory, said: Sequence[Message], clock: RecordedClock, *, nights: bool = True
) -> None:
    """Remember a talk day by day, with a night after every ten days; the clock ends as it was.

    A night of each day would leave the same in mind, and takes ten times as long.
    """
    now = clock.at
    for number, first in enumerate(range(0, len(said), A_DAY), start=1):
        day = said[first : first + A_DAY]
        clock.at = day[-1].at if nights else now
        mem.remember(day)
        if nights and number % DAYS_PER_NIGHT == 0:
            await mem.settled()
            clock.at = day[0].at + NIGHT_AFTER
            await mem.nightly()
    clock.at = now
    await mem.settled()


async def fed(folder: Path, size: int) -> dict[str, float]:
    """Return what taking in a life that is handed over at once holds, and costs the processor."""
    prepare_process()
    # Not unpacked: the instants of all lines would be held to the end, and counted as hers.
    last = max(message.at for message in talk(size))
    before, busy, held = resident(), process_time(), [resident()]
    lines = talk(size)
    async with open_memory(folder, agent="fed", clock=RecordedClock(last)) as mem:
        while some := list(islice(lines, 30)):
            mem.remember(some)
        settled = asyncio.ensure_future(mem.settled())
        while not settled.done():
            await asyncio.wait([settled], timeout=0.1)
            held.append(resident())
        return {
            "resident memory MB, before": before,
            "most of it MB": max(held),
            "at last MB": held[-1],
            "taking it in": 1000 * (process_time() - busy),
        }


async def only_opened(folder: Path, size: int, queries: int) -> dict[str, float]:
    """Return what opening and searching a life costs that was lived before, of the processor."""
    with tempfile.TemporaryDirectory() as other:
        await live(Path(other), 60)
    said = list(talk(size))
    clock, asked = RecordedClock(said[-1].at + timedelta(hours=1)), questions(said, 3 * queries)
    del said
    figures: dict[str, float] = {}
    before, busy = resident(), process_time()
    async with open_memory(folder, clock=clock) as mem:
        figures["open"] = 1000 * (process_time() - busy)
        figures["resident memory MB, opened"] = resident()
        figures["of these before opening MB"] = before
        busy = process_time()
        await mem.search(asked[0])
        figures["first search"] = 1000 * (process_time() - busy)
        figures["resident memory MB, searched once"] = resident()
        depths: tuple[DepthName, ...] = ("auto", "everyday", "deep")
        for number, depth in enumerate(depths):
            took = []
            for query in asked[number * queries : (number + 1) * queries]:
                busy = process_time()
                await mem.search(query, depth=depth)
                took.append(1000 * (process_time() - busy))
            figures[f"search p50, {depth}"] = median(took)
        figures["resident memory MB, at last"] = resident()
    return figures


@asynccontextmanager
async def reopened(
    folder: str, clock: RecordedClock, query: str, figures: dict[str, float]
) -> AsyncIterator[OpenMemory]:
    """Open a memory and search it once; both are measured, by the clock and of the processor."""
    begun, busy = perf_counter(), process_time()
    async with open_memory(folder, clock=clock) as mem:
        figures["reopen"] = 1000 * (perf_counter() - begun)
        figures["reopen, of the processor"] = 1000 * (process_time() - busy)
        begun, busy = perf_counter(), process_time()
        await mem.search(query)
        figures["first search"] = 1000 * (perf_counter() - begun)
        figures["first search, of the processor"] = 1000 * (process_time() - busy)
        yield mem


async def _p50(calls: "Iterator[object]", clock: Callable[[], float] = perf_counter) -> float:
    took = []
    for call in calls:
        begun = clock()
        await call  # type: ignore[misc]
        took.append(1000 * (clock() - begun))
    return median(took)


async def _by_the_moment(mem: OpenMemory, said: list[Message], count: int) -> dict[str, float]:
    """Return what a search for a line costs the processor, alone and with what was said before.

    Every second line of a running talk is asked, as turns follow one another.
    """
    first = Random(3).randrange(BEFORE, max(len(said) - 2 * count, BEFORE + 1))
    places = range(first, min(first + 2 * count, len(said)), 2)
    alone = (mem.search(said[place].text) for place in places)
    within = (
        mem.search(said[place].text, context=said[place - BEFORE : place]) for place in places
    )
    return {
        "search a line p50, of the processor": await _p50(alone, process_time),
        f"with {BEFORE} lines before it, of the processor": await _p50(within, process_time),
    }


ROUNDS = 4
"""How often each search is measured; the quickest counts, for other programs run beside it."""


async def talked(data: Path) -> None:
    """Print what a search costs the processor, alone and with the lines before it."""
    print("| | alone, ms | with eight lines | times |\n|---|---|---|---|")
    for life in (locomo(data)[3], realmem(data)[0]):
        said = list(life.messages)
        running = list(range(100, 340, 2))
        apart = [BEFORE + at * (len(said) - BEFORE) // 60 for at in range(60)]
        async with lived(life) as mem:
            for talk_name, places in (("running talk", running), ("all lines new", apart)):
                asked = [life.questions[n % len(life.questions)].text for n in range(len(places))]
                lines = [said[place].text for place in places]
                for name, queries in (("line", lines), ("question", asked)):
                    before = [said[place - BEFORE : place] for place in places]
                    alone, within = await _alone_and_within(mem, queries, before)
                    row = f"{alone:.2f} | {within:.2f} | {within / alone:.2f}"
                    print(f"| {life.name}, a {name}, {talk_name} | {row} |", flush=True)


async def _alone_and_within(
    mem: OpenMemory, queries: Sequence[str], before: Sequence[Sequence[Message]]
) -> tuple[float, float]:
    """Return the medians of what each search takes at its quickest, alone and with the talk."""
    best: dict[tuple[int, bool], float] = {}
    for _ in range(ROUNDS):
        for number, (query, lines) in enumerate(zip(queries, before, strict=True)):
            for within in (False, True):
                begun = process_time()
                await mem.search(query, context=lines if within else ())
                took = 1000 * (process_time() - begun)
                best[number, within] = min(took, best.get((number, within), took))
    alone, with_talk = (
        median(took for (_, within), took in best.items() if within is kind)
        for kind in (False, True)
    )
    return alone, with_talk


async def a_turn(agent: AgentMemory, query: str, turn: str, clock: RecordedClock) -> None:
    """Do all of one turn that is ours: recall, prompt, commit."""
    zone = ZoneInfo(agent.settings.time_zone)
    hits = await agent.search(query, k=12)
    injected = agent.memories_for_prompt(hits, budget_tokens=1200, count=len)
    asked = Message(id=f"{turn}-q", at=clock.now(), speaker="主人", role="user", text=query)
    reply = Message(id=f"{turn}-r", at=clock.now(), speaker="小祥", role="assistant", text="好")
    window = (*agent.window("c"), asked)
    Reply(
        persona=default_persona("zh"),
        language="zh",
        partner="主人",
        now=clock.now().astimezone(zone),
        window=tuple(
            PromptLine(role=m.role, speaker=m.speaker, at=m.at.astimezone(zone), text=m.text)
            for m in window
        ),
        memories=injected.shown,
    ).messages()
    await agent.commit(
        Turn(
            id=turn,
            conversation="c",
            at=clock.now(),
            said=(asked,),
            reply=reply,
            used=injected.used,
        )
    )


def resident() -> float:
    """Return the resident memory of this process now, in MB; its peak where that is not told."""
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def _figures_of_one(options: argparse.Namespace) -> dict[str, float]:
    """Return the figures of one size, which has this process to itself."""
    if options.fed:
        with tempfile.TemporaryDirectory(prefix="xiaoxiang-bench-") as name:
            return await fed(Path(name), options.one)
    if options.lived:
        prepare_process()
        return await only_opened(_life(options, options.one), options.one, options.queries)
    return await measured(options.one, options.queries)


def _life(options: argparse.Namespace, size: int) -> Path:
    """Return the folder of a life of that size."""
    kept: Path = options.lived
    return kept / f"{size}-wakeful" if options.wakeful else kept / str(size)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how fast the memory is.")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 2_000, 10_000])
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--lived", type=Path, help="only open lives that are kept here")
    parser.add_argument("--wakeful", action="store_true", help="the lives have no nights")
    parser.add_argument("--fed", action="store_true", help="only hand lives over, all at once")
    parser.add_argument("--talk", type=Path, help="only search in real talk of this data folder")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.talk:
        asyncio.run(talked(options.talk))
        return
    if options.one:
        print(json.dumps(asyncio.run(_figures_of_one(options))))
        return
    columns = {}
    for size in options.sizes:
        command = [sys.executable, "-m", "benchmarks.speed", "--one", str(size)]
        command += ["--queries", str(options.queries)]
        command += ["--fed"] if options.fed else []
        if options.lived:
            command += ["--lived", str(options.lived)]
            command += ["--wakeful"] if options.wakeful else []
            if not _life(options, size).exists():
                asyncio.run(live(_life(options, size), size, nights=not options.wakeful))
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        columns[size] = json.loads(done.stdout)
    print("| | " + " | ".join(f"{size:,}" for size in columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for name in next(iter(columns.values())):
        row = " | ".join(f"{figures[name]:.2f}" for figures in columns.values())
        print(f"| {name}{'' if 'MB' in name else ', ms'} | {row} |")


if __name__ == "__main__":
    main()
