"""What is still found after every night was lived, under each law; prints Markdown tables.

    .venv/bin/python -m benchmarks.nights [--data DIR] [--sets locomo chats memorybank]
                                          [--conversations N] [--laws tiers …]

Every life is remembered through ``open_memory`` at its own dates, every night between its first
message and the one after its last is lived, and then its questions are asked. Without nights the
same life is asked right after its last message. ``BM25`` is a good BM25 over the same words.
*Active* are the memories still active of all that are there; *in reach* the share of the messages
that everyday recall can still quote; *disk* what the folder holds when it was closed.

The questions of MemoryBank have no answers to count, so its gold is what the run without nights
finds first: its first three rounds. Its BM25 is measured against the same, and says little.
"""

import argparse
import asyncio
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.datasets import Life, Question, lifebench, locomo, memorybank
from benchmarks.living import lived_in
from benchmarks.recall import DEEP, bm25_ranking, units_found
from benchmarks.scoring import figures
from memory.api import OpenMemory
from memory.laws.registry import LAWS, is_visible
from memory.model import Mode
from memory.recall import DepthName
from memory.recall.in_mind import assessment

DEPTHS: Final[tuple[DepthName, ...]] = ("everyday", "auto", "deep")
FIRST_FOUND: Final = 3
TITLES: Final = {
    "locomo": "LoCoMo, turns",
    "chats": "LifeBench-zh, chats",
    "memorybank": "MemoryBank, rounds (gold: what is found first without nights)",
}
SETS: Final[dict[str, Callable[[Path], list[Life]]]] = {
    "locomo": locomo,
    "chats": lambda data: lifebench(data, "chat"),
    "memorybank": memorybank,
}
HEAD: Final = (
    "| | everyday R@10 | auto R@10 | deep R@10 | active | in reach | disk |\n"
    "|---|---|---|---|---|---|---|"
)

Ranked = list[tuple[list[str], frozenset[str]]]


@dataclass(slots=True)
class Row:
    """What one run found, over all lives of a set."""

    found: dict[DepthName, Ranked] = field(default_factory=lambda: {d: [] for d in DEPTHS})
    active: int = 0
    memories: int = 0
    in_reach: int = 0
    messages: int = 0
    disk: int = 0

    def text(self, name: str) -> str:
        """Write the run as one row of the table."""
        recalls = [f"{figures(self.found[depth]).recall[1]:.3f}" for depth in DEPTHS]
        reach = f"{self.in_reach / max(self.messages, 1):.2f}"
        cells = [*recalls, f"{self.active:,} of {self.memories:,}", reach, _size_text(self.disk)]
        return f"| {name} | " + " | ".join(cells) + " |"


async def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    laws = [law.name for law in LAWS]
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    parser.add_argument("--laws", nargs="+", choices=laws, default=laws)
    parser.add_argument(
        "--conversations", type=int, default=99, help="only the first N lives of a set"
    )
    given = parser.parse_args()
    if not given.data.is_dir():
        print(f"no data at {given.data}: give the folder with --data DIR", file=sys.stderr)
        return 2
    for name in given.sets:
        lives = SETS[name](given.data)[: given.conversations]
        await _print_set(TITLES[name], lives, given.laws)
    return 0


async def _print_set(title: str, lives: Sequence[Life], laws: Iterable[str]) -> None:
    """Live all lives without nights, then under each law, and print a row of each."""
    awake = Row()
    asked = [await _without_nights(life, awake) for life in lives]
    baseline = [(units, q.gold) for life in asked for q, units in bm25_ranking(life)]
    count = sum(len(life.questions) for life in asked)
    print(f"\n### {title}: {len(asked)} lives, {count} questions\n\n{HEAD}")
    print(f"| BM25 | {figures(baseline).recall[1]:.3f} | | | | | |")
    print(awake.text("without nights"), flush=True)
    for law in laws:
        row = Row()
        for life in asked:
            await _live(life, row, law=law)
        print(row.text(law), flush=True)


async def _without_nights(life: Life, row: Row) -> Life:
    """Live a life awake; return it with the gold its questions have, or get from this run."""
    if all(question.gold for question in life.questions):
        await _live(life, row)
        return life
    own = Row()
    await _live(life, own)
    questions = tuple(
        replace(question, gold=frozenset(units[:FIRST_FOUND]))
        for question, (units, _) in zip(life.questions, own.found["auto"], strict=True)
        if units
    )
    with_gold = replace(life, questions=questions)
    await _live(with_gold, row)
    return with_gold


async def _live(life: Life, row: Row, *, law: str | None = None) -> None:
    with TemporaryDirectory(prefix="xiaoxiang-bench-") as name:
        folder = Path(name)
        async with lived_in(folder, life, law=law, nights=law is not None) as mem:
            for depth in DEPTHS:
                row.found[depth] += [
                    (await _found(mem, life, question, depth), question.gold)
                    for question in life.questions
                ]
            memories = mem._agent.state.memories.values()
            row.active += sum(memory.is_active for memory in memories)
            row.memories += len(memories)
            row.in_reach += len(_in_reach(mem))
            row.messages += len(life.unit_of)
        row.disk += sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


async def _found(mem: OpenMemory, life: Life, question: Question, depth: DepthName) -> list[str]:
    hits = await mem.search(question.text, k=DEEP, depth=depth)
    return units_found(life, (hit.source_ids for hit in hits))


def _in_reach(mem: OpenMemory) -> set[str]:
    """Return the messages that everyday recall can quote: the present, and what is remembered."""
    state, now = mem._agent.state, mem._clock.now()
    found = {key for key, line in state.diary.items() if line.scene == 0 and not line.hidden}
    for memory in state.memories.values():
        if is_visible(memory, assessment(memory, state, now), Mode.NORMAL):
            found.update(p.source_ids[0] for p in memory.passages if p.verbatim)
    return found


def _size_text(size: int) -> str:
    return f"{size / 1e6:.1f} MB"


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
