"""Time the nightly settling of many memories under each law: ``python -m benchmarks.nightly``.

The goal is 100,000 memories in at most 2 s (docs/performance.md). Exits with status 1 where a law
is slower.
An ordinary night finds one memory in a hundred due for something. ``--all-due`` is the worst there
is, the first night after two years: nearly all are due, and each leaves an entry; it has no limit.
"""

import argparse
import gc
import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from time import perf_counter
from typing import Final

from memory.changes import AgentInfo, Put
from memory.laws.registry import Laws
from memory.lifecycle.night import plan_night
from memory.model import (
    AgentSettings,
    Kind,
    Lineage,
    Memory,
    Nature,
    Origin,
    Passage,
    Source,
    Tier,
    Trace,
    Words,
)
from memory.state import MemoryState

NOW: Final = datetime(2026, 11, 1, 20, tzinfo=UTC)
ALLOWED_SECONDS: Final = 2.0


def populated(count: int, law: str, rng: random.Random, *, due: float) -> MemoryState:
    """Return a state of ``count`` memories of the last two years; ``due`` is the share unused."""
    settings = AgentSettings(law=law)
    puts = [Put(AgentInfo(settings=settings)), *memories(count, rng, due)]
    return MemoryState().apply(puts)[0]


def memories(count: int, rng: random.Random, due: float) -> Iterator[Put]:
    """Yield memories that were made, used and mentioned at random times."""
    for number in range(1, count + 1):
        tier = rng.choices((Tier.FACT, Tier.EPISODE, Tier.CORE), (6, 2, 2))[0]
        unused = rng.random() < due
        long = 13 if tier is Tier.EPISODE and not unused else 730
        born = NOW - timedelta(days=rng.uniform(0, long))
        used = born if unused else max(born, NOW - timedelta(days=rng.uniform(0, 15)))
        mentions = () if unused else (used,)
        trace = replace(
            Trace.starting_at(
                born, importance=rng.choice((1.0, 1.5, 2.2)), stability_hours=1000.0
            ),
            accessed_at=used,
            importance_at=used,
            reinforced_at=used,
            activated_at=used,
            mentions=mentions,
            mention_count=len(mentions),
        )
        text = f"第{number}件事"
        yield Put(
            Memory(
                id=number,
                words=Words(text=text, phrase=text),
                nature=Nature(tier=tier, kind=rng.choice(list(Kind))),
                trace=trace,
                origin=Origin(source=Source.BACKGROUND, at=born),
                lineage=Lineage(consolidated_at=born),
                passages=(Passage(text=text, source_ids=(str(number),), at=born),),
            )
        )


def main() -> int:
    """Print how long each law takes to plan and to apply a night."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--count", type=int, default=100_000)
    asked.add_argument("--all-due", action="store_true")
    options = asked.parse_args()
    slowest = 0.0
    for law in Laws().names:
        due = 1.0 if options.all_due else 0.01
        state = populated(options.count, law, random.Random(7), due=due)
        gc.collect()
        began = perf_counter()
        night = plan_night(state, NOW)
        planned = perf_counter() - began
        state.apply(night.changes)
        applied = perf_counter() - began
        slowest = max(slowest, applied)
        each = planned / options.count * 1e6
        print(f"{law:10}  {planned:.2f} s ({each:.1f} µs each), applied {applied:.2f} s", end="  ")
        print(night.counts)
    return 0 if options.all_due or slowest <= ALLOWED_SECONDS else 1


if __name__ == "__main__":
    sys.exit(main())
