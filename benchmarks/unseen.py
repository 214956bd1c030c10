"""How much is found in kinds of talk that no data set of ``benchmarks.recall`` has.

    .venv/bin/python -m benchmarks.unseen [--scored] [--misses] [--embedding FOLDER]

The talk is our own (tests/sets/unseen): a team that mixes Chinese and English, spoken messages
without a pause, a journal of bullets, a Cantonese family, letters, and a teenager's emoji between
two languages. Each is one life; "in one memory" lives them all as one. A line of a file is a
sitting (``==``), a message (id, speaker, text), a question (``?``), something told (``!``) or a
list of words (``#``), the last three with the messages that should come back. ``--scored`` asks
the third that was kept apart, ``--misses`` names what is not among the first five.
"""

import argparse
import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from benchmarks.datasets import Life, Question
from benchmarks.recall import Asked, Ranked, ask
from benchmarks.scoring import HEAD, figures
from bot.llm.auxiliary_models import LocalEmbedder
from memory.model import Message, Role

FOLDER: Final = Path(__file__).resolve().parents[1] / "tests" / "sets" / "unseen"
COMPANION: Final = "小祥"
SORTS: Final = {"?": "asked", "!": "told", "#": "words"}
_SHOWN: Final = 5


def lives_of(*, scored: bool) -> list[Life]:
    """Read every kind of talk with its questions: the open ones, or those kept apart."""
    return [_life(file, scored=scored) for file in sorted(FOLDER.glob("*.txt"))]


def in_one_memory(lives: Sequence[Life]) -> Life:
    """Return the lives as one: a memory of many languages, with more to mistake."""
    sittings = sorted((s for life in lives for s in life.sittings), key=lambda each: each[0].at)
    return replace(
        lives[0],
        name="in one memory",
        sittings=tuple(sittings),
        unit_of={key: unit for life in lives for key, unit in life.unit_of.items()},
        questions=tuple(question for life in lives for question in life.questions),
        partner="",
    )


def _life(file: Path, *, scored: bool) -> Life:
    lines = file.read_text("utf-8").splitlines()
    zone = ZoneInfo(lines[0].removeprefix("zone "))
    partner = lines[1].removeprefix("partner ")
    asked = (FOLDER / "scored" / file.name).read_text("utf-8").splitlines() if scored else lines
    sittings = tuple(_sittings(lines[2:], zone))
    return Life(
        name=file.stem,
        level="turn",
        zone=zone,
        sittings=sittings,
        unit_of={message.id: message.id for sitting in sittings for message in sitting},
        questions=tuple(_question(line) for line in asked if line[:1] in SORTS),
        partner=partner,
    )


def _sittings(lines: Sequence[str], zone: ZoneInfo) -> Iterator[tuple[Message, ...]]:
    sitting: list[Message] = []
    at = datetime.min.replace(tzinfo=UTC)
    for line in lines:
        if line.startswith("=="):
            if sitting:
                yield tuple(sitting)
            at, sitting = datetime.fromisoformat(line[3:]).replace(tzinfo=zone), []
        elif line and line[0] not in SORTS:
            key, said = line.split(" ", 1)
            speaker, text = said.split(": ", 1)
            role: Role = "assistant" if speaker == COMPANION else "user"
            sitting.append(Message(id=key, at=at, speaker=speaker, role=role, text=text))
            at += timedelta(minutes=1)
    yield tuple(sitting)


def _question(line: str) -> Question:
    text, gold = line[2:].rsplit(" | ", 1)
    return Question(
        text=text, gold=frozenset(gold.split()), category=SORTS[line[0]], undated=False
    )


async def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scored", action="store_true")
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--embedding", type=Path, help="the folder of an ONNX model")
    given = parser.parse_args()
    embedder = LocalEmbedder(given.embedding) if given.embedding else None
    lives = lives_of(scored=given.scored)
    apart = [await ask(life, embedder) for life in lives]
    print(HEAD)
    for each in apart:
        _print_rows(each.life.name, [each])
    for sort in SORTS.values():
        _print_rows(sort, apart, sort)
    _print_rows("all six", apart)
    _print_rows("in one memory", [await ask(in_one_memory(lives), embedder)])
    if given.misses:
        for each in apart:
            _print_misses(each.found)


def _print_rows(title: str, asked: Sequence[Asked], sort: str = "") -> None:
    for name, column in (("BM25", "baseline"), ("**小祥**", "found")):
        pairs = [
            (units, question.gold)
            for each in asked
            for question, units in getattr(each, column)
            if sort in ("", question.category)
        ]
        print(figures(pairs).row(f"{title}, {name}"))


def _print_misses(found: Ranked) -> None:
    for question, units in found:
        if missed := question.gold - set(units[:_SHOWN]):
            places = {unit: place for place, unit in enumerate(units, 1)}
            print(f"{question.text}: {sorted((unit, places.get(unit)) for unit in missed)}")


if __name__ == "__main__":
    asyncio.run(main())
