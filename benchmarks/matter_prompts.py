"""How often a prompt holds the line that tells what is asked of a life: a sideways question.

    .venv/bin/python -m benchmarks.matter_prompts [--voices NAME ...]

The lives of ``benchmarks/matter_lives`` are told a line every three days, without a model and
without nights, then their questions are asked, each in a talk of its own. Most share no word with
the line that answers them. Counted is how many find it among the first twelve hits, with what was
said since of those or ended one of them, and with what was told last of the matter.
"""

import argparse
import asyncio
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from benchmarks.matter_voices import HERE, numbers_in, rows_in
from memory.agent import AgentMemory
from memory.model import Language
from tests.fakes.clock import FakeClock
from tests.fakes.life import empty_memory, tell

HITS: Final = 12
BETWEEN: Final = timedelta(days=3)
LINES: Final = HERE / "matter_lives"


def lives_of(voice: str) -> Iterator[dict[int, list[str]]]:
    """Yield the lines of each life of a voice by their numbers: kind, ends, seems, text."""
    lives: dict[str, dict[int, list[str]]] = {}
    for life, number, *row in rows_in(LINES / f"{voice}.tsv"):
        lives.setdefault(life, {})[int(number)] = row
    yield from lives.values()


async def told(lines: dict[int, list[str]], clock: FakeClock, language: Language) -> AgentMemory:
    """Return a memory to which all lines of a life but its questions were told."""
    agent = await empty_memory(clock, language)
    for number, (kind, _, _, text) in lines.items():
        if kind != "ask":
            clock.set(clock.now() + BETWEEN)
            await tell(agent, number, text, clock.now())
    return agent


async def count(voice: str, found: Counter[str]) -> None:
    """Add what the questions of a voice find to the counts."""
    for lines in lives_of(voice):
        agent = await told(lines, FakeClock(), "zh" if voice.startswith("zh") else "en")
        lines_by_id = {f"s{number}": row[-1] for number, row in lines.items()}
        for kind, ends, _, text in lines.values():
            if kind != "ask":
                continue
            right = {lines[each][-1] for each in numbers_in(ends)}
            hits = await agent.search(text, k=HITS)
            brought = await agent.kept_in_mind(text, hits)
            found["asked"] += 1
            told_by = {lines_by_id.get(each, "") for hit in hits for each in hit.source_ids}
            found["among the hits"] += bool(told_by & right)
            shown = {
                text for each in brought for text in (each.text, *(x.text for x in each.said))
            }
            found["in the prompt"] += bool((told_by | shown) & right)
        await agent.close()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--voices", nargs="+", default=[x.stem for x in sorted(LINES.glob("*"))])
    print("| voice | asked | among the hits | in the prompt |\n|---|---|---|---|")
    whole = Counter[str]()
    for voice in parser.parse_args().voices:
        found = Counter[str]()
        asyncio.run(count(voice, found))
        whole += found
        print(f"| {voice} | {' | '.join(str(x) for x in found.values())} |", flush=True)
    print(f"| all | {' | '.join(str(x) for x in whole.values())} |")


if __name__ == "__main__":
    main()
