"""How much 小祥 finds on real conversations, without any model; prints Markdown tables.

    .venv/bin/python -m benchmarks.recall [--data DIR] [--sets locomo chats events] [--fit]
                                          [--tokens] [--people N]

Every life is remembered through ``open_memory`` at its own dates, sitting by sitting, and asked
after its last message. Units (turns, chats, events) are counted in the order of the hits, each
once. ``BM25`` is a good BM25 over the same words in the same run. ``--fit`` fits the weights anew
without the life that is asked (leave one conversation, or one person, out), prints what the
search finds with them, and the weights fitted on all. ``--tokens`` prints how much of the gold
stands in what a prompt would show at 400, 800 and 1,200 tokens.
"""

import argparse
import asyncio
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.datasets import Life, Question, lifebench, locomo
from benchmarks.fit import Example, fit
from benchmarks.living import lived
from benchmarks.scoring import HEAD, figures
from bot.llm.tokens import TokenCounter
from memory.recall import Recall
from memory.recall.index import PassageIndex
from memory.recall.query import parse_query
from memory.recall.relevance import Weights, fitted_weights, passage_signs
from memory.state import MemoryState
from memory.text.bm25 import Bm25, length_norm, saturation
from memory.text.tokens import tokens
from memory.views import memories_within_budget

SETS: Final[dict[str, Callable[[Path], list[Life]]]] = {
    "locomo": locomo,
    "chats": lambda data: lifebench(data, "chat"),
    "events": lambda data: lifebench(data, "event"),
}
TITLES: Final = {
    "locomo": "LoCoMo, turns",
    "chats": "LifeBench-zh, chats only",
    "events": "LifeBench-zh, events",
}
SHARES: Final = {"locomo": 1.0, "chats": 2.0, "events": 1.0}
DEEP: Final = 100
"""Passages asked for, so that twenty units are among them."""

Ranked = list[tuple[Question, list[str]]]


@dataclass(frozen=True, slots=True)
class Asked:
    """A life that was lived: its memory at the end, and what the questions brought back."""

    life: Life
    state: MemoryState
    now: datetime
    found: Ranked
    baseline: Ranked


async def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    parser.add_argument("--people", type=int, default=99, help="only the first N lives of a set")
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--tokens", action="store_true")
    given = parser.parse_args()
    if not given.data.is_dir():
        print(f"no data at {given.data}: give the folder with --data DIR", file=sys.stderr)
        return 2
    asked: dict[str, list[Asked]] = {}
    for name in given.sets:
        lives = SETS[name](given.data)[: given.people]
        asked[name] = [await _ask(life) for life in lives]
        _print_set(TITLES[name], asked[name])
        if given.tokens:
            _print_tokens(TITLES[name], asked[name])
    if given.fit:
        _print_held_out(asked)
    return 0


async def _ask(life: Life) -> Asked:
    async with lived(life) as mem:
        found = []
        for question in life.questions:
            hits = await mem.search(question.text, k=DEEP)
            found.append((question, units_found(life, (hit.source_ids for hit in hits))))
        state, now = mem._agent.state, mem._clock.now()
    return Asked(life, state, now, found, bm25_ranking(life))


def units_found(life: Life, sources: Iterator[tuple[str, ...]]) -> list[str]:
    ids = (source for each in sources for source in each)
    return list(dict.fromkeys(life.unit_of[i] for i in ids))


def bm25_ranking(life: Life) -> Ranked:
    """Rank with a good BM25: stems, stop words, words and bigrams; chats as whole texts."""
    index, units = Bm25(), []
    for unit, text in _texts(life):
        index.add(tokens(text))
        units.append(unit)
    norms = length_norm(index.lengths)
    ranked: Ranked = []
    for question in life.questions:
        score = np.zeros(len(index), np.float32)
        for token in set(tokens(question.text)):
            slots, times = index.slots_with(token)
            score[slots] += index.idf(token) * saturation(times, norms[slots])
        order = np.argsort(-score, kind="stable")[: int(np.count_nonzero(score))]
        ranked.append((question, list(dict.fromkeys(units[i] for i in order))))
    return ranked


def _texts(life: Life) -> list[tuple[str, str]]:
    """Return the (unit, text) the baseline searches: a turn with its speaker, a record, a chat."""
    records: dict[str, tuple[str, list[str]]] = {}
    for message in life.messages:
        record = ":".join(message.id.split(":")[:2])
        speaker = f"{message.speaker} " if life.level == "turn" else ""
        texts = records.setdefault(record, (life.unit_of[message.id], []))[1]
        texts.append(speaker + message.text)
    return [(unit, "\n".join(texts)) for unit, texts in records.values()]


def _print_set(title: str, asked: Sequence[Asked]) -> None:
    found = [pair for each in asked for pair in each.found]
    baseline = [pair for each in asked for pair in each.baseline]
    print(f"\n### {title}\n\n{HEAD}")
    print(_row("BM25", baseline))
    print(_row("BM25, undated", [pair for pair in baseline if pair[0].undated]))
    _print_rows("小祥", found)


def _row(name: str, ranked: Ranked) -> str:
    return figures((units, question.gold) for question, units in ranked).row(name)


def _print_held_out(asked: Mapping[str, Sequence[Asked]]) -> None:
    """Print what is found with weights that never saw the life that is asked."""
    print(f"\n### Held out\n\n{HEAD}")
    fits = []
    for sets in (("locomo",), ("chats", "events")):
        group = {name: asked[name] for name in sets if name in asked}
        examples = [
            (name, each, list(_examples(each, SHARES[name])))
            for name, lives in group.items()
            for each in lives
        ]
        by_set: dict[str, Ranked] = defaultdict(list)
        for person in sorted({each.life.name for _, each, _ in examples}):
            others = (some for _, each, some in examples if each.life.name != person)
            weights = fit(example for some in others for example in some)
            for name, each, _ in examples:
                if each.life.name == person:
                    by_set[name] += _ranked(each, weights)
        for name, ranked in by_set.items():
            _print_rows(TITLES[name], ranked)
        if examples:
            fits.append((sets, fit(example for *_, some in examples for example in some)))
    for sets, weights in fits:
        print(f"\nweights fitted on all of {' and '.join(sets)}: {weights}")


def _print_rows(title: str, ranked: Ranked) -> None:
    print(_row(f"**{title}**", ranked))
    for category in sorted({question.category for question, _ in ranked}):
        print(_row(category, [pair for pair in ranked if pair[0].category == category]))
    print(_row("undated", [pair for pair in ranked if pair[0].undated]), flush=True)


def _ranked(each: Asked, weights: Mapping[str, float]) -> Ranked:
    """Search a life's memory with other weights."""
    recall = Recall(lambda _: weights)
    return [
        (question, units_found(each.life, (hit.source_ids for hit in hits)))
        for question in each.life.questions
        for hits in [recall.search(question.text, each.state, now=each.now, k=DEEP)]
    ]


def _examples(each: Asked, share: float) -> Iterator[Example]:
    index = PassageIndex.of(
        (memory for _, memory in sorted(each.state.memories.items())), each.life.zone
    )
    numbers = {unit: n for n, unit in enumerate(sorted(set(each.life.unit_of.values())))}
    for question in each.life.questions:
        seen = passage_signs(parse_query(question.text, index, each.now), index)
        passages = [index.entry(int(slot)).passage for slot in seen.slots]
        told = np.array([passage.verbatim for passage in passages], np.bool_)
        units = [numbers[each.life.unit_of[p.source_ids[0]]] for p in passages if p.verbatim]
        gold = frozenset(numbers[unit] for unit in question.gold)
        yield Example(seen.signs[told], np.array(units, np.int64), gold, share)


def _print_tokens(title: str, asked: Sequence[Asked], weights: Weights = fitted_weights) -> None:
    """Print how much of the gold a prompt holds at three budgets, and what it costs."""
    print(f"\n### {title}: what a prompt shows\n")
    print("| budget | tokens used | share of gold shown |\n|---|---|---|")
    counter = TokenCounter()
    for budget in (400, 800, 1200):
        costs, shares = [], []
        for each in asked:
            recall = Recall(weights)
            for question in each.life.questions:
                hits = recall.search(question.text, each.state, now=each.now, k=40)
                made = memories_within_budget(
                    hits,
                    each.state,
                    budget_tokens=budget,
                    zone=each.life.zone,
                    count=counter.count,
                )
                costs.append(sum(counter.count(f"{s.text} {s.quote}") for s in made.shown))
                units = units_found(each.life, (used.source_ids for used in made.used))
                shares.append(len(set(units) & question.gold) / len(question.gold))
        print(f"| {budget} | {sum(costs) / len(costs):.0f} | {sum(shares) / len(shares):.3f} |")


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
