"""What neighbours and association bring to recall: LoCoMo searched with and without them.

    .venv/bin/python -m benchmarks.association [--data DIR] [--people N]

One life is remembered once and then searched three times, with the same shipped weights: as it
is; with every link taken out of the state; and with those signs at nothing as well that look at
what stands around a message. Prints a Markdown table of R@10 by category.
"""

import argparse
import asyncio
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from immutables import Map

from benchmarks.datasets import Life, locomo
from benchmarks.living import lived
from benchmarks.scoring import figures
from memory.recall import Recall
from memory.recall.query import Query
from memory.recall.weights import fitted_weights
from memory.state import MemoryState

AROUND: Final = ("band", "scene", "day", "days_beside", "week", "covered", "answers", "opening")
"""The signs that read more than the message itself."""

DEEP: Final = 100
Found = list[tuple[str, list[str], frozenset[str]]]


def alone(query: Query) -> Mapping[str, float]:
    """Return the shipped weights with everything around a message left out."""
    shipped = fitted_weights(query)
    own = shipped["band"] + shipped["own"]
    return {**shipped, **dict.fromkeys(AROUND, 0.0), "own": own}


async def searched(life: Life) -> dict[str, Found]:
    """Return what each way of searching finds for every question of a life."""
    async with lived(life) as mem:
        state, now = mem._agent.state, mem._clock.now()
    unlinked = replace(state, links=Map())
    ways: dict[str, tuple[Recall, MemoryState]] = {
        "as it is": (Recall(), state),
        "without association": (Recall(), unlinked),
        "without association and neighbours": (Recall(alone), unlinked),
    }
    found: dict[str, Found] = {name: [] for name in ways}
    for name, (recall, known) in ways.items():
        for question in life.questions:
            hits = recall.search(question.text, known, now=now, k=DEEP)
            ids = (source for hit in hits for source in hit.source_ids)
            units = list(dict.fromkeys(life.unit_of[one] for one in ids))
            found[name].append((question.category, units, frozenset(question.gold)))
    return found


async def main() -> int:
    parser = argparse.ArgumentParser(description="Measure what neighbours and association bring.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--people", type=int, default=99)
    options = parser.parse_args()
    if not options.data.is_dir():
        print(f"no data at {options.data}: give the folder with --data DIR", file=sys.stderr)
        return 2
    ways: dict[str, Found] = {}
    for life in locomo(options.data)[: options.people]:
        for name, found in (await searched(life)).items():
            ways.setdefault(name, []).extend(found)
    categories = sorted({category for category, _, _ in ways["as it is"]})
    print("| R@10 | all | " + " | ".join(categories) + " |")
    print("|---" * (len(categories) + 2) + "|")
    for name, found in ways.items():
        cells = [figures((units, gold) for _, units, gold in found).recall[1]]
        for category in categories:
            of_it = [(units, gold) for kind, units, gold in found if kind == category]
            cells.append(figures(of_it).recall[1])
        print(f"| {name} | " + " | ".join(f"{cell:.3f}" for cell in cells) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
