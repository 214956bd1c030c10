"""How much 小祥 finds on real conversations, without any model; prints Markdown tables.

    .venv/bin/python -m benchmarks.recall [--data DIR] [--sets locomo chats …] [--fit]
                                          [--fit-only TABLE] [--tokens] [--people N]
                                          [--embedding FOLDER]

Every life is remembered through ``open_memory`` at its own dates, sitting by sitting. Questions
are asked after its last message; those of RealMem and MADial are lines of a talk, asked with what
was said in it before, when only earlier sittings are remembered. Units (turns, chats, events,
sessions) are counted in the order of the hits, each once. ``BM25`` is a good BM25 over the same
words in the same run; with the talk, its query is the last lines. ``--fit`` fits the weights anew
without the person that is asked, and without the whole kind of talk that is asked, and prints what
is found with them; last those fitted on all. ``--fit-only dense`` does so for what Chinese changes
of the shipped weights, without the person. ``--tokens`` prints how much of the gold stands in
what a prompt would show at 400, 800 and 1,200 tokens. ``--embedding`` searches by meaning as well,
with the ONNX model of a folder (the extra ``meaning``).
"""

import argparse
import asyncio
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.datasets import Life, Question, lifebench, locomo, madial, realmem, told_before
from benchmarks.fit import TABLES, Example, Vector, fit, named
from benchmarks.living import sitting_by_sitting
from benchmarks.newer import newer_above, newer_en, newer_zh
from benchmarks.scoring import HEAD, figures
from bot.llm.auxiliary_models import LocalEmbedder, missing_for
from bot.llm.tokens import TokenCounter
from memory.ports import Embedder
from memory.recall import Recall
from memory.recall.index import PassageIndex
from memory.recall.query import TalkLine, parse_query
from memory.recall.relevance import passage_signs
from memory.recall.weights import SIGN_NAMES, Weights, fitted_weights
from memory.state import MemoryState
from memory.text.bm25 import Bm25, length_norm, saturation
from memory.text.tokens import tokens
from memory.views import memories_within_budget

SETS: Final[dict[str, Callable[[Path], list[Life]]]] = {
    "locomo": locomo,
    "chats": lambda data: lifebench(data, "chat"),
    "events": lambda data: lifebench(data, "event"),
    "realmem": lambda data: [told_before(life) for life in realmem(data)],
    "madial-zh": lambda data: madial(data, "zh"),
    "madial-en": lambda data: madial(data, "en"),
    "newer-zh": newer_zh,
    "newer-en": newer_en,
}
TITLES: Final = {
    "locomo": "LoCoMo, turns",
    "chats": "LifeBench-zh, chats only",
    "events": "LifeBench-zh, events",
    "realmem": "RealMem, sessions",
    "madial-zh": "MADial, Chinese",
    "madial-en": "MADial, English",
    "newer-zh": "pairs of LifeBench, the newer of two",
    "newer-en": "pairs of RealMem, the newer of two",
}
KINDS: Final = (("locomo",), ("chats", "events"), ("realmem",), ("madial-zh", "madial-en"))
"""Sets of one kind of talk: people, or texts, of one stand in the other as well."""
DEEP: Final = 100
"""Passages asked for, so that twenty units are among them."""

CLOSEST: Final = 300
"""Passages of a question that its weights are fitted on: the best by each of some signs."""

Ranked = list[tuple[Question, list[str]]]


@dataclass(frozen=True, slots=True)
class Asked:
    """A life that was lived: what its questions brought back, and what they were ranked by.

    ``state`` and ``now`` are those at its end; ``names`` the units by their numbers.
    """

    life: Life
    state: MemoryState
    now: datetime
    found: Ranked
    baseline: Ranked
    with_talk: Ranked
    examples: list[Example]
    names: list[str]


async def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    parser.add_argument("--people", type=int, default=99, help="only the first N lives of a set")
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--fit-only", choices=TABLES, default="")
    parser.add_argument("--tokens", action="store_true")
    parser.add_argument("--embedding", type=Path, help="the folder of an ONNX model")
    given = parser.parse_args()
    if not given.data.is_dir():
        print(f"no data at {given.data}: give the folder with --data DIR", file=sys.stderr)
        return 2
    if given.embedding and (lacking := missing_for(given.embedding)):
        print(f"no {lacking} for --embedding {given.embedding}", file=sys.stderr)
        return 2
    embedder = LocalEmbedder(given.embedding) if given.embedding else None
    asked: dict[str, list[Asked]] = {}
    for name in given.sets:
        lives = SETS[name](given.data)[: given.people]
        asked[name] = [await ask(life, embedder) for life in lives]
        _print_set(TITLES[name], asked[name])
        if given.tokens:
            _print_tokens(TITLES[name], asked[name])
    if given.fit or given.fit_only:
        _print_held_out(asked, given.fit_only)
    return 0


async def ask(life: Life, embedder: Embedder | None = None) -> Asked:
    found: Ranked = []
    examples: list[Example] = []
    names = sorted(set(life.unit_of.values()))
    due = _questions_due(life)
    after = MemoryState(), life.sittings[0][0].at
    async for number, mem in sitting_by_sitting(life, embedder):
        for question in due[number]:
            hits = await mem.search(question.text, k=DEEP, context=question.context)
            found.append((question, units_found(life, (hit.source_ids for hit in hits))))
            index = (await mem._agent._writer.recall())._index
            if index is not None:
                examples.append(_example(life, question, index, mem._clock.now(), names))
        after = mem._agent.state, mem._clock.now()
    has_talk = any(question.context for question in life.questions)
    return Asked(
        life=life,
        state=after[0],
        now=after[1],
        found=found,
        baseline=bm25_ranking(life),
        with_talk=bm25_ranking(life, with_talk=True) if has_talk else [],
        examples=examples,
        names=names,
    )


def _questions_due(life: Life) -> Mapping[int, list[Question]]:
    """Return the questions by how many sittings are over when they are asked."""
    due: dict[int, list[Question]] = defaultdict(list)
    for question in life.questions:
        at = len(life.sittings) if question.sittings is None else question.sittings
        due[at].append(question)
    return due


def units_found(life: Life, sources: Iterable[tuple[str, ...]]) -> list[str]:
    ids = (source for each in sources for source in each)
    return list(dict.fromkeys(life.unit_of[i] for i in ids))


def bm25_ranking(life: Life, *, with_talk: bool = False) -> Ranked:
    """Rank with a good BM25: stems, stop words, words and bigrams; chats as whole texts."""
    index = Bm25()
    units: list[str] = []
    texts, due = _texts(life), _questions_due(life)
    ranked: Ranked = []
    for number in range(len(life.sittings) + 1):
        norms = length_norm(index.lengths)
        for question in due.get(number, ()):
            before = [m.text for m in question.context] if with_talk else []
            score = np.zeros(len(index), np.float32)
            for token in set(tokens("\n".join([*before, question.text]))):
                slots, times = index.slots_with(token)
                score[slots] += index.idf(token) * saturation(times, norms[slots])
            order = np.argsort(-score, kind="stable")[: int(np.count_nonzero(score))]
            ranked.append((question, list(dict.fromkeys(units[i] for i in order))))
        for unit, text in texts[number] if number < len(texts) else ():
            index.add(tokens(text))
            units.append(unit)
    return ranked


def _texts(life: Life) -> list[list[tuple[str, str]]]:
    """Return the (unit, text) the baseline searches, by sitting: a turn with its speaker, a
    record, a chat, a session."""
    found = []
    for sitting in life.sittings:
        records: dict[str, tuple[str, list[str]]] = {}
        for message in sitting:
            record = ":".join(message.id.split(":")[:2])
            unit = life.unit_of[message.id]
            speaker = f"{message.speaker} " if life.level == "turn" else ""
            key = unit if life.level == "session" else record
            records.setdefault(key, (unit, []))[1].append(speaker + message.text)
        found.append([(unit, "\n".join(texts)) for unit, texts in records.values()])
    return found


def _print_set(title: str, asked: Sequence[Asked]) -> None:
    found = [pair for each in asked for pair in each.found]
    baseline = [pair for each in asked for pair in each.baseline]
    print(f"\n### {title}\n\n{HEAD}")
    print(_row("BM25", baseline))
    if with_talk := [pair for each in asked for pair in each.with_talk]:
        print(_row("BM25 with the talk", with_talk))
    print(_row("BM25, undated", [pair for pair in baseline if pair[0].undated]))
    _print_rows("小祥", found)
    if title.startswith("pairs"):
        for name in ("baseline", "found"):
            above = [
                newer_above(each.life, question, units)
                for each in asked
                for question, units in getattr(each, name)
            ]
            print(f"\nnewer above older, {name}: {sum(above) / len(above):.3f} of {len(above)}")


def _row(name: str, ranked: Ranked) -> str:
    return figures((units, question.gold) for question, units in ranked).row(name)


def _print_held_out(asked: Mapping[str, Sequence[Asked]], only: str = "") -> None:
    """Print what is found with weights that never saw the life, or the kind of talk, asked.

    With ``only`` that table of the shipped weights is fitted anew, without the life.
    """
    kinds = [kind for kind in ([n for n in kind if n in asked] for kind in KINDS) if kind]
    print(f"\n### Held out: without the person\n\n{HEAD}")
    by_set: dict[str, Ranked] = defaultdict(list)
    for person in sorted({each.life.name for lives in asked.values() for each in lives}):
        tables = fit([_of_kind(kind, asked, without=person) for kind in kinds], only=only)
        for name, each in ((name, each) for name, lives in asked.items() for each in lives):
            by_set[name] += _ranked(each, tables) if each.life.name == person else []
    for name, ranked in by_set.items():
        _print_rows(TITLES[name], ranked)
    if len(kinds) > 1 and not only:
        left_out: dict[str, Ranked] = {}
        print(f"\n### Held out: without the kind of talk\n\n{HEAD}")
        for kind in kinds:
            tables = fit([_of_kind(each, asked) for each in kinds if each != kind])
            for name in kind:
                left_out[name] = [pair for each in asked[name] for pair in _ranked(each, tables)]
                _print_rows(TITLES[name], left_out[name])
        _print_beside_bm25(asked, left_out)
    _print_tables(fit([_of_kind(each, asked) for each in kinds], only=only))


def _print_beside_bm25(
    asked: Mapping[str, Sequence[Asked]], left_out: Mapping[str, Ranked]
) -> None:
    """Print what weights that never saw a kind find of it, beside the better BM25 of this run."""
    print("\n### Left out, beside BM25: R@10\n")
    print("| | BM25 of the line | of the whole talk | left out | above the better | R@5 |")
    print("|---|---|---|---|---|---|")
    for name, ranked in left_out.items():
        alone = _recalls([pair for each in asked[name] for pair in each.baseline])[1]
        talk = _recalls([pair for each in asked[name] for pair in each.with_talk])[1]
        at_five, at_ten, _ = _recalls(ranked)
        cells = [f"{value:.3f}" if value else "" for value in (alone, talk, at_ten)]
        above = f"{at_ten - max(alone, talk):+.3f}"
        print(f"| {TITLES[name]} | " + " | ".join([*cells, above, f"{at_five:.3f}"]) + " |")


def _recalls(ranked: Ranked) -> tuple[float, ...]:
    return figures((units, question.gold) for question, units in ranked).recall


def _print_tables(tables: Vector) -> None:
    print("\nweights fitted on all:")
    by_table = named(tables)
    for sign in SIGN_NAMES:
        row = ", ".join(f"{by_table[table][sign]:.2f}" for table in TABLES)
        print(f'    "{sign}": SignWeight({row}),')


def _of_kind(
    kind: Sequence[str], asked: Mapping[str, Sequence[Asked]], without: str = ""
) -> list[list[Example]]:
    """Return the examples of each set of a kind, without those of a person."""
    sets = (
        [e for each in asked[name] if each.life.name != without for e in each.examples]
        for name in kind
    )
    return [examples for examples in sets if examples]


def _print_rows(title: str, ranked: Ranked) -> None:
    print(_row(f"**{title}**", ranked))
    for category in sorted({question.category for question, _ in ranked}):
        print(_row(category, [pair for pair in ranked if pair[0].category == category]))
    print(_row("undated", [pair for pair in ranked if pair[0].undated]), flush=True)


def _ranked(each: Asked, tables: Vector) -> Ranked:
    """Rank a life's passages with other weights: by relevance alone, without law and links."""
    return [
        (question, [each.names[unit] for unit in example.ranked(tables)])
        for (question, _), example in zip(each.found, each.examples, strict=True)
    ]


def _example(
    life: Life, question: Question, index: PassageIndex, now: datetime, names: Sequence[str]
) -> Example:
    numbers = {unit: number for number, unit in enumerate(names)}
    said = [TalkLine(line.text, line.role == "assistant") for line in question.context]
    query = parse_query(question.text, index, now, said)
    seen = passage_signs(query, index)
    passages = [index.entry(int(slot)).passage for slot in seen.slots]
    told = np.array([passage.verbatim for passage in passages], np.bool_)
    units = [numbers[life.unit_of[p.source_ids[0]]] for p in passages if p.verbatim]
    signs = seen.signs[told]
    looks = (signs[:, SIGN_NAMES.index(sign)] for sign in ("band", "own", "talk"))
    looks_best = [np.argsort(-look)[: CLOSEST // 2] for look in (signs.sum(axis=1), *looks)]
    close = np.unique(np.concatenate(looks_best)) if len(signs) > CLOSEST else slice(None)
    return Example(
        signs=signs[close],
        units=np.array(units, np.int64)[close],
        gold=frozenset(numbers[unit] for unit in question.gold),
        dense=float(query.dense),
        told=1.0 - query.asking,
    )


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
                said = [TalkLine(line.text, line.role == "assistant") for line in question.context]
                hits = recall.search(question.text, each.state, now=each.now, k=40, context=said)
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
