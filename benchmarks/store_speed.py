"""How fast a store commits, folds and opens again; prints one line a size.

    python -m benchmarks.store_speed --sizes 10000 100000

A size counts memories, each with two passages and links to two others. Commits are timed from the
event loop, as the agent sees them: alone, and while a fold is under way. The longest block is how
late the loop was woken at worst while a fold was under way.
"""

import argparse
import asyncio
import resource
import sys
import tempfile
from collections.abc import Callable, Coroutine
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Any

from memory.changes import Change, Links, Put, Receipt, Used
from memory.model import Link, LinkType, Memory
from memory.state import MemoryState
from memory.stores.file_store import FileStore
from memory.stores.recovery import read_agent_state
from memory.stores.snapshot import SNAPSHOT_FILES
from tests.builders import a_memory
from tests.fakes.clock import NOON

COMMITS = 250


def memory_of(number: int) -> Memory:
    """Return a memory of the size an episode's gist and one message have."""
    text = f"[2026-03-04 20:{number % 60:02}] 主人聊了第{number}次面试，说下周三还想去那家店吃拉面"
    memory = a_memory(number, text, at=NOON + timedelta(minutes=number), keywords=("面试", "拉面"))
    said = replace(memory.passages[0], text="我下周三还要去面试，之后想吃拉面", verbatim=True)
    return replace(memory, passages=(memory.passages[0], said))


def state_of(size: int) -> tuple[list[Change], MemoryState]:
    changes: list[Change] = []
    for number in range(1, size + 1):
        links = (
            Link(target=number + 1, strength=0.5, type=LinkType.SEQUENCE, relation="下文"),
            Link(target=number + 2, strength=0.35, type=LinkType.KEYWORD),
        )
        changes += [Put(memory_of(number)), Put(Links(source=number, links=links))]
    return changes, MemoryState().apply(changes)[0]


def turn(number: int, size: int) -> list[Change]:
    """Return what the commit of one turn changes: six memories and a receipt."""
    touched = [memory_of(1 + (number * 37 + step) % size) for step in range(6)]
    used = tuple(Used(memory_id=m.id, score=0.5, reasons=("拉面",)) for m in touched)
    return [*map(Put, touched), Put(Receipt(turn_id=f"t{number}", at=NOON, used=used))]


async def commits(
    store: FileStore, state: MemoryState, size: int, go_on: Callable[[int], bool]
) -> tuple[MemoryState, list[float]]:
    """Commit while ``go_on`` and return the seconds each commit took."""
    took: list[float] = []
    while go_on(len(took)):
        changes = turn(len(took), size)
        state, _ = state.apply(changes)
        start = perf_counter()
        await store.append(changes, state)
        took.append(perf_counter() - start)
        await asyncio.sleep(0.001)
    return state, took


async def longest_block(fold: "asyncio.Future[Any]") -> float:
    worst = 0.0
    while not fold.done():
        start = perf_counter()
        await asyncio.sleep(0.001)
        worst = max(worst, perf_counter() - start - 0.001)
    return worst


async def timed(work: Coroutine[Any, Any, Any]) -> tuple[Any, float]:
    start = perf_counter()
    result = await work
    return result, perf_counter() - start


def told(took: list[float]) -> str:
    parts = quantiles(took, n=20)
    return f"p50 {1000 * parts[9]:.2f} ms, p95 {1000 * parts[18]:.2f} ms ({len(took)})"


async def measure(size: int, folder: Path) -> None:
    changes, state = state_of(size)
    store = FileStore(folder, fold_every=10**9)
    await store.load()
    await store.append(changes, state)
    _, first_fold = await timed(store.fold())

    state, alone = await commits(store, state, size, lambda made: made < COMMITS)
    fold = asyncio.ensure_future(timed(store.fold()))
    block = asyncio.ensure_future(longest_block(fold))
    state, meeting = await commits(store, state, size, lambda made: not fold.done() or made < 2)
    _, fold_took = await fold
    await store.close()

    again = FileStore(folder)
    loaded, load = await timed(again.load())
    assert loaded == state
    start = perf_counter()
    assert read_agent_state(folder) == state
    looking = perf_counter() - start
    await again.close()
    megabytes = sum((folder / name).stat().st_size for name in SNAPSHOT_FILES) / 1e6
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{size} memories, {megabytes:.1f} MB: commit {told(alone)}; during a fold "
        f"{told(meeting)}; fold {first_fold:.2f} s alone, {fold_took:.2f} s with commits, the "
        f"loop late by at most {1000 * await block:.1f} ms; load {load:.2f} s; "
        f"read-only {looking:.2f} s; peak memory {peak:.0f} MB"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    for size in parser.parse_args().sizes:
        with tempfile.TemporaryDirectory(prefix="store-speed-") as home:
            asyncio.run(measure(size, Path(home) / "agent"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
