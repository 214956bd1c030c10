"""Print what episodes made by rule are called, beside what was said, for a reader to judge.

    .venv/bin/python -m benchmarks.gists --data DIR [--count 120] [--seed N] [--people N]

Lives of MemoryBank and LifeBench (Chinese) and of LoCoMo, RealMem and MemoryBank (English) are
lived through ``open_memory`` with their nights and without a model; of the episodes that stand at
the end half are drawn in each language. Printed are the phrase, the gist and the partner's lines.
"""

import argparse
import asyncio
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.datasets import Life, lifebench, locomo, memorybank, realmem
from benchmarks.living import lived_in

SHOWN: Final = 160
"""So many characters of each line are printed."""

SITTINGS: Final = 12
"""So many sittings of a life are lived: enough episodes to draw from, in minutes."""


def lives(data: Path, language: str, people: int) -> Iterator[Life]:
    """Yield the first sittings of some lives of each data set in a language."""
    sets: Sequence[Sequence[Life]] = (
        (memorybank(data, ("cn",)), lifebench(data, "chat"))
        if language == "zh"
        else (locomo(data), realmem(data), memorybank(data, ("en",)))
    )
    for each in sets:
        yield from each[:people]


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """What an episode is called, and what was said in it."""

    life: str
    phrase: str
    gist: str
    keywords: tuple[str, ...]
    lines: tuple[str, ...]


async def episodes_of(life: Life, seed: int) -> list[Episode]:
    """Return the episodes of some sittings in a row of a life, lived with their nights."""
    last = max(len(life.sittings) - SITTINGS, 0)
    start = random.Random(f"{seed} {life.name}").randint(0, last)
    part = replace(life, sittings=life.sittings[start : start + SITTINGS])
    said = {message.id: message for message in part.messages}
    with TemporaryDirectory(prefix="xiaoxiang-bench-") as folder:
        async with lived_in(Path(folder), part, nights=True, idle=False) as mem:
            return [
                Episode(
                    life=life.name,
                    phrase=each.phrase,
                    gist=each.text,
                    keywords=each.keywords,
                    lines=tuple(
                        f"{said[key].speaker}: {' '.join(said[key].text.split())[:SHOWN]}"
                        for key in each.source_ids
                    ),
                )
                for each in mem.memories()
                if each.tier == "episode"
            ]


async def main() -> None:
    """Draw episodes and print them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--count", type=int, default=120, help="episodes, half in each language")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--people", type=int, default=4, help="lives of each data set")
    asked = parser.parse_args()
    number = 0
    for language in ("zh", "en"):
        found: list[Episode] = []
        for life in lives(asked.data, language, asked.people):
            found += await episodes_of(life, asked.seed)
        drawn = random.Random(asked.seed).sample(found, min(asked.count // 2, len(found)))
        for each in drawn:
            number += 1
            print(f"\n{number}. {each.life}: {each.phrase}")
            print(f"   {each.gist}  [{' '.join(each.keywords)}]")
            print("".join(f"     {line}\n" for line in each.lines), end="")


if __name__ == "__main__":
    asyncio.run(main())
