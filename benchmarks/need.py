"""Which lines of a talk need memory: what a border keeps, and the tokens it saves.

    .venv/bin/python -m benchmarks.need [--data DIR] [--people N] [--fit]

Every turn of the partner in RealMem is searched for with what was said in its session before, when
only earlier sessions are remembered. The data marks which turns need memory, and which sessions
hold it. In MADial every line that is asked needs memory: a kind of talk nothing is fitted on.

*Kept* is what is left of the gold that stands in the prompts without a border. *Precision*: turns
that need memory, of those that are given any. *Silenced*: turns that are given none. ``--fit``
looks for the weight and the border that keep 90 % at the most silence: without the person who is
asked, without MADial, and so that every kind keeps as much.
"""

import argparse
import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from benchmarks.datasets import Life, madial, realmem, told_before
from benchmarks.living import sitting_by_sitting
from benchmarks.recall import units_found
from bot.conversation.reply_generator import SEARCHED_PASSAGES
from bot.llm.tokens import TokenCounter
from memory.api import OpenMemory
from memory.model import AgentSettings, Message
from memory.recall.need import (
    NEED_BORDER,
    NEWNESS_WEIGHT,
    asks_for_memory,
    newness,
)

KEPT: Final = 0.9
WEIGHTS: Final = np.arange(0.0, 3.01, 0.1)
COUNT: Final = TokenCounter().count
BUDGET: Final = AgentSettings().injected_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A turn: whether it needs memory, what it is given without a border, what decides.

    ``shown`` is the share of its gold in the prompt, ``tokens`` what the prompt spends on it.
    ``sure``: it is given that whatever the border, because it asks.
    """

    person: str
    needs: bool
    shown: float
    tokens: int
    sure: bool
    relevance: float
    newness: float


async def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--people", type=int, default=99, help="only the first N of RealMem")
    parser.add_argument("--fit", action="store_true")
    given = parser.parse_args()
    if not given.data.is_dir():
        print(f"no data at {given.data}: give the folder with --data DIR", file=sys.stderr)
        return 2
    people = [told_before(life) for life in realmem(given.data)[: given.people]]
    turns = [turn for life in people for turn in await _turns_of(life)]
    print("| | turns | need it | kept | precision | silenced | tokens saved |")
    print("|---|---|---|---|---|---|---|")
    print(_row("RealMem, everything shown", turns, np.ones(len(turns), np.bool_)))
    shipped = _given(turns, NEWNESS_WEIGHT, NEED_BORDER)
    print(_row("**RealMem, shipped**", turns, shipped), flush=True)
    kinds = [turns]
    for language in ("zh", "en"):
        lines = [turn for life in madial(given.data, language) for turn in await _turns_of(life)]
        row = _row(f"**MADial {language}**", lines, _given(lines, NEWNESS_WEIGHT, NEED_BORDER))
        print(row, flush=True)
        kinds.append(lines)
    if given.fit:
        _print_fits(turns, kinds)
    return 0


def _print_fits(turns: Sequence[Turn], kinds: Sequence[Sequence[Turn]]) -> None:
    """Print what a border keeps of people and of a kind it was not fitted on, and that of all."""
    kept = np.zeros(len(turns), np.bool_)
    people = np.array([turn.person for turn in turns])
    for person in np.unique(people):
        others = [turn for turn in turns if turn.person != person]
        if others:
            kept |= (people == person) & _given(turns, *_fitted([others]))
    print(_row("RealMem, without the person", turns, kept))
    alone = _fitted([turns])
    for lines in kinds[1:]:
        print(_row("MADial, by the border of RealMem alone", lines, _given(lines, *alone)))
    weight, border = _fitted(kinds)
    print(f"\nfitted on all: NEWNESS_WEIGHT {weight:.1f}, NEED_BORDER {border:.2f}")


def _fitted(kinds: Sequence[Sequence[Turn]]) -> tuple[float, float]:
    """Return a weight and the border that keeps enough of every kind.

    Those by which fewest turns of the first are given any.
    """
    found = []
    for weight in WEIGHTS.tolist():
        border = min(_border_that_keeps(turns, weight) for turns in kinds)
        found.append((int(_given(kinds[0], weight, border).sum()), weight, border))
    _, weight, border = min(found)
    return weight, border


def _border_that_keeps(turns: Sequence[Turn], weight: float) -> float:
    shown = np.array([turn.shown for turn in turns])
    need = _needs(turns, weight)
    order = np.argsort(-need)
    so_far = np.cumsum(shown[order]) / max(shown.sum(), 1e-9)
    return float(need[order][np.searchsorted(so_far, KEPT)])


def _needs(turns: Sequence[Turn], weight: float) -> npt.NDArray[np.float64]:
    # Whoever is sure to be given something lies above every border.
    return np.array(
        [np.inf if turn.sure else turn.relevance + weight * turn.newness for turn in turns]
    )


def _given(turns: Sequence[Turn], weight: float, border: float) -> npt.NDArray[np.bool_]:
    return np.asarray(_needs(turns, weight) >= border)


def _row(name: str, turns: Sequence[Turn], given: npt.NDArray[np.bool_]) -> str:
    needs = np.array([turn.needs for turn in turns])
    shown = np.array([turn.shown for turn in turns])
    tokens = np.array([turn.tokens for turn in turns], np.float64)
    figures = (
        shown[given].sum() / max(shown.sum(), 1e-9),
        needs[given].mean() if given.any() else 0.0,
        1.0 - given.mean(),
        1.0 - tokens[given].sum() / max(tokens.sum(), 1.0),
    )
    cells = [str(len(turns)), str(int(needs.sum())), *(f"{each:.3f}" for each in figures)]
    return f"| {name} | " + " | ".join(cells) + " |"


async def _turns_of(life: Life) -> list[Turn]:
    """Return the turns of a life that stand in its sittings, or else its questions."""
    found: list[Turn] = []
    async for number, mem in sitting_by_sitting(life):
        found += [turn async for turn in _turns_before(life, number, mem)]
    return found


async def _turns_before(life: Life, number: int, mem: OpenMemory) -> AsyncIterator[Turn]:
    gold = {each.message_id: each.gold for each in life.questions if each.message_id}
    if gold and number < len(life.sittings):
        said = life.sittings[number]
        for place, message in enumerate(said):
            if message.role == "user":
                yield await _turn(life, mem, message.text, said[:place], gold.get(message.id))
    elif not gold and number == len(life.sittings):
        for each in life.questions:
            yield await _turn(life, mem, each.text, each.context, each.gold)


async def _turn(
    life: Life,
    mem: OpenMemory,
    text: str,
    before: Sequence[Message],
    gold: frozenset[str] | None,
) -> Turn:
    hits = await mem._agent.search(text, k=SEARCHED_PASSAGES, context=before)
    made = mem._agent.memories_for_prompt(hits, budget_tokens=BUDGET, count=COUNT)
    units = units_found(life, (used.source_ids for used in made.used))
    return Turn(
        person=life.name,
        needs=bool(gold),
        shown=len(set(units) & gold) / len(gold) if gold else 0.0,
        tokens=sum(COUNT(f"{each.text} {each.quote}") for each in made.shown),
        sure=asks_for_memory(text, hits, now=mem._clock.now(), zone=life.zone),
        relevance=max((hit.relevance for hit in hits), default=0.0),
        newness=newness(text, [each.text for each in before]),
    )


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
