"""What is kept of what is later asked for, at what cost, under each law: on real lives.

    .venv/bin/python -m benchmarks.keep lives [--data DIR] [--sets locomo …] [--into DIR] [--write]
    .venv/bin/python -m benchmarks.keep reviews [--data DIR]

``lives``: every life is remembered through ``open_memory`` at its own dates, and every night up to
the one after its last message is lived under each law, without a model. Then its messages stand in
the order of how much of them comes to mind: the retention of the memory that quotes them, those
that everyday recall may not use last, ties by the mean of many lots. *Kept* is the share of what
is later asked for among the first that hold 20 % or 30 % of all words. *In reach* is what everyday
recall may use as the law leaves it, and at which share of the words. ``--into`` keeps every life
that was lived in a folder, and lives none twice: a run cut short goes on, and several may live
different laws at once. ``--write`` draws ``docs/keeping/*.svg``.

``reviews``: one person's flash cards. What each law retains is taken for the chance that a card is
recalled; a success is the event ``success``, a failure ``failure``. Log-loss on the last fifth of
the reviews, delays of 12 hours and more; *fitted* is after two numbers that map it to a chance
were fitted on the first four fifths. FSRS-6 is the ``fsrs`` package with its published defaults.
"""

import argparse
import asyncio
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from benchmarks.datasets import Life, lifebench, locomo, realmem
from benchmarks.keep_reviews import report_reviews
from benchmarks.lab.drawing import Chart, svg
from benchmarks.living import lived_in
from benchmarks.salience import Person, counts, fitted, judged_by, person_of, weights_in_use
from memory.api import OpenMemory
from memory.laws import disuse
from memory.laws.law import Birth, Law
from memory.laws.registry import LAWS, Laws
from memory.model import AgentSettings, Memory, Nature, Origin, Source, Tier, Words
from memory.recall.in_mind import InMind
from memory.recall.placement import index_of
from memory.text.tokens import words

Vector: TypeAlias = npt.NDArray[np.float64]

DRAWN: Final = Path(__file__).resolve().parents[1] / "docs" / "keeping"
OURS: Final = disuse.LAW.name
HELD_OUT: Final = "disuse, unused, held out"
SHARES: Final = (0.2, 0.3)
RESAMPLES: Final = 2_000
LOTS: Final = 100
"""By so many lots ties are broken: of one, the chance of that lot would be part of the figure."""

FEWEST: Final = 3
"""Fewer lives have no interval."""
STEPS: Final = 20
SETS: Final[dict[str, tuple[str, Callable[[Path], list[Life]]]]] = {
    "locomo": ("LoCoMo", locomo),
    "chats": ("LifeBench-zh, chats", lambda data: lifebench(data, "chat")),
    "realmem": ("RealMem", realmem),
}


@dataclass(frozen=True, slots=True)
class Ranked:
    """One life in one order: which messages were needed, their words, their place in mind.

    ``reach`` says of each whether everyday recall may use it; None where an order has no border.
    """

    needed: Vector
    length: Vector
    score: Vector
    reach: npt.NDArray[np.bool_] | None = None

    def kept(self, share: float) -> float:
        """Return the share of what was needed among the first that hold that share of words.

        A law that lets nearly everything go says nothing of its order: the mean over many lots.
        """
        lots = LOTS if len(np.unique(self.score)) < len(self.score) else 1
        found = 0.0
        for lot in range(lots):
            drawn = np.random.default_rng(lot).random(len(self.score))
            order = np.lexsort((drawn, -self.score))
            within = np.cumsum(self.length[order]) <= share * self.length.sum()
            found += float(self.needed[order][within].sum()) / lots
        return found / max(float(self.needed.sum()), 1.0)

    def in_reach(self) -> tuple[float, float]:
        """Return what is kept as the law leaves it, and which share of the words that is."""
        if self.reach is None:
            return (float("nan"), float("nan"))
        kept = float(self.needed[self.reach].sum() / max(self.needed.sum(), 1.0))
        return kept, float(self.length[self.reach].sum() / self.length.sum())


def main() -> int:
    """Print what was asked for."""
    asked = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    asked.add_argument("what", choices=("lives", "reviews"))
    asked.add_argument("--data", type=Path, default=Path("../shared/data"))
    asked.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    asked.add_argument("--laws", nargs="*", default=[law.name for law in LAWS])
    asked.add_argument("--lives", type=int, default=99, help="only the first N of each set")
    asked.add_argument("--named", nargs="+", help="only the lives of these names")
    asked.add_argument("--minutes", type=float, default=inf, help="then begin no further life")
    asked.add_argument("--into", type=Path, help="keep what was lived here, live nothing twice")
    asked.add_argument("--write", action="store_true", help="draw docs/keeping/*.svg")
    given = asked.parse_args()
    if not given.data.is_dir():
        print(f"no data at {given.data}: give the folder with --data DIR", file=sys.stderr)
        return 2
    if given.what == "reviews":
        report_reviews(given.data)
        return 0
    everybody = [person_of(life) for _, read in SETS.values() for life in read(given.data)]
    for name in given.sets:
        title, read = SETS[name]
        lives = [each for each in read(given.data) if each.name in (given.named or each.name)]
        lives = lives[: given.lives]
        until = time.monotonic() + 60 * given.minutes
        if given.into is not None:
            given.into.mkdir(parents=True, exist_ok=True)
        orders = asyncio.run(_orders(lives, everybody, given.laws, until, given.into))
        _report(title, orders)
        if given.write:
            DRAWN.mkdir(exist_ok=True)
            (DRAWN / f"{name}.svg").write_text(svg(_chart(title, orders)), encoding="utf-8")
    return 0


async def _orders(
    lives: Sequence[Life],
    everybody: Sequence[Person],
    laws: Sequence[str],
    until: float,
    into: Path | None,
) -> dict[str, list[Ranked]]:
    """Return every order of the messages of every life: by law, by rule, by chance."""
    orders: dict[str, list[Ranked]] = {}
    for number, life in enumerate(lives):
        if number and time.monotonic() > until:
            break
        person = person_of(life)
        others = fitted([each for each in everybody if each.name != person.name])
        for law in laws:
            orders.setdefault(law, []).append(await _lived_once(life, law, others, into))
        for name, score in _plain_orders(person, others).items():
            orders.setdefault(name, []).append(Ranked(person.needed, person.length, score))
    return orders


async def _lived_once(life: Life, law: str, weights: Vector, into: Path | None) -> Ranked:
    """Live a life under a law, or read what was kept of it in the folder ``into``."""
    if into is None:
        return await under_law(life, law, weights)
    file = into / f"{life.name}-{life.level}-{law}.npz"
    if not file.is_file():
        lived = await under_law(life, law, weights)
        being_written = file.with_suffix(".part")
        with being_written.open("wb") as opened:
            np.savez(
                opened,
                needed=lived.needed,
                length=lived.length,
                score=lived.score,
                reach=lived.score >= 0.0,
            )
        being_written.replace(file)
    with np.load(file) as kept:
        return Ranked(**{name: kept[name] for name in kept.files})


def _plain_orders(person: Person, others: Vector) -> dict[str, Vector]:
    """Return the orders that need no life: each message by itself."""
    params = disuse.DisuseParameters()
    end = person.at[-1] + timedelta(days=1)
    days = [(end - at).total_seconds() / 86_400 for at in person.at]

    def retained(weights: Vector) -> Vector:
        """Return R of each message as a line that nobody used."""
        salience = 1 / (1 + np.exp(-(person.signs @ weights)))
        births = [disuse.line_birth(float(each), params)[0] for each in salience]
        return np.array(
            [
                disuse.retrieval(day, born, params.decay)
                for day, born in zip(days, births, strict=True)
            ]
        )

    return {
        "disuse, unused": retained(weights_in_use()),
        HELD_OUT: retained(others),
        **{f"{law.name}, unused": _unused(person, law.name, end) for law in LAWS if _by_age(law)},
        "newest first": np.arange(len(days), dtype=float),
        "longest first": person.length,
        "random": np.zeros(len(days)),
    }


def _by_age(law: Law[Any]) -> bool:
    """Whether a law judges talk that nobody used by its age alone: not by its words or links."""
    return law.judge_line is None and not law.reads_links


def _unused(person: Person, law: str, end: datetime) -> Vector:
    """Return what a law retains of each message as part of a talk that nobody used."""
    rules = Laws().rules(AgentSettings(law=law))
    context = rules.context(end)
    found = []
    for at in person.at:
        talk = Memory(
            id=1,
            words=Words(text=""),
            nature=Nature(tier=Tier.EPISODE),
            trace=rules.new_trace(Birth(at=at, tier=Tier.EPISODE)),
            origin=Origin(source=Source.BACKGROUND, at=at),
        )
        found.append(rules.judge_recall(talk, context).retention)
    return np.array(found)


async def under_law(life: Life, law: str, weights: Vector) -> Ranked:
    """Live a life with all its nights under a law, and rank its messages by what is retained.

    ``weights`` are those of the salience of its lines.
    """
    with TemporaryDirectory(prefix="xiaoxiang-keep-") as name, judged_by(weights):
        idle = law != OURS  # under ours a night in which nothing was said changes nothing
        async with lived_in(Path(name), life, law=law, nights=True, idle=idle) as mem:
            retained = retained_of(mem)
    gold = Counter(unit for question in life.questions for unit in question.gold)
    said = [message for message in life.messages if counts(life, message.role)]
    return Ranked(
        needed=np.array([float(gold[life.unit_of.get(each.id, each.id)]) for each in said]),
        length=np.array([float(max(len(words(each.text)), 1)) for each in said]),
        score=np.array([retained.get(each.id, -1.0) for each in said]),
        reach=np.array([each.id in retained for each in said]),
    )


def retained_of(mem: OpenMemory) -> dict[str, float]:
    """Return how much is retained of each message that everyday recall may use."""
    state, now = mem._agent.state, mem._clock.now()
    index = index_of(state)
    in_mind = InMind(index, state, now=now)
    found: dict[str, float] = {}
    for slot, _ in index.texts():
        entry = index.entry(slot)
        standing = in_mind.of_passage(entry) if entry.line is not None else None
        if entry.line is not None and standing is not None:
            key = entry.line.key
            found[key] = max(found.get(key, 0.0), standing.retention)
    facts = [memory for memory in state.memories.values() if memory.is_fact]
    for memory in facts:
        # A fact without a quotation still tells what its messages said.
        if (standing := in_mind.of_memory(memory.id)) is not None:
            for key in memory.source_ids:
                found[key] = max(found.get(key, 0.0), standing.retention)
    return found


def _report(title: str, orders: dict[str, list[Ranked]]) -> None:
    """Print a table, and by how much ``disuse`` is above the others."""
    count = len(next(iter(orders.values())))
    print(f"\n### {title}: {count} lives\n\n| order | 20 % | 30 % | in reach | of the words |")
    print("|---|---|---|---|---|")
    for name, lives in orders.items():
        kept = [f"{_mean([life.kept(share) for life in lives]):.3f}" for share in SHARES]
        reach = [_mean(list(each)) for each in zip(*(x.in_reach() for x in lives), strict=True)]
        shown = ["" if np.isnan(each) else f"{each:.3f}" for each in reach]
        print(f"| {name} | {' | '.join((*kept, *shown))} |")
    if count >= FEWEST:
        _report_gaps(orders)
    sys.stdout.flush()


def _report_gaps(orders: dict[str, list[Ranked]]) -> None:
    """Print by how much ours is above every other order, lived and unused each."""
    print("\n| above | at 20 % | at 30 % |\n|---|---|---|")
    for ours in (OURS, HELD_OUT):
        for name, lives in orders.items():
            if ours in orders and not name.startswith(OURS):
                gaps = [_interval(orders[ours], lives, share) for share in SHARES]
                shown = " | ".join(f"{low:+.3f} to {high:+.3f}" for low, high in gaps)
                print(f"| {ours} above {name} | {shown} |")


def _interval(one: Sequence[Ranked], other: Sequence[Ranked], share: float) -> tuple[float, float]:
    """Return the 95 % interval of the mean difference, by a paired bootstrap of lives."""
    gaps = np.array([a.kept(share) - b.kept(share) for a, b in zip(one, other, strict=True)])
    picks = np.random.default_rng(3).integers(0, len(gaps), (RESAMPLES, len(gaps)))
    low, high = np.quantile(gaps[picks].mean(axis=1), (0.025, 0.975))
    return float(low), float(high)


def _chart(title: str, orders: dict[str, list[Ranked]]) -> Chart:
    shares = [step / STEPS for step in range(STEPS + 1)]
    lived = [name for name in orders if name in {law.name for law in LAWS}]
    drawn = [*(lived or [HELD_OUT, "newest first"]), "longest first"]
    return Chart(
        title=f"{title}: kept of what is later asked for",
        across="share of all words, %",
        lines={
            name: [(100 * s, _mean([life.kept(s) for life in orders[name]])) for s in shares]
            for name in drawn
        },
        right=100,
        top=1.0,
        percent=True,
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


if __name__ == "__main__":
    sys.exit(main())
