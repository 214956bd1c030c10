"""The review log of one person's flash cards: how well each law forecasts what is recalled."""

import asyncio
import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from math import exp, log
from pathlib import Path
from typing import Any, Final, TypeAlias

import fsrs
import numpy as np

from bot import law_fit
from memory.laws import disuse
from memory.laws.law import UNJUDGED, Birth, Event, with_number
from memory.laws.registry import LAWS, Laws
from memory.learning.outcomes import Recollection
from memory.model import AgentSettings, Memory, Nature, Origin, Source, Tier, Words

LOG: Final = Path("fsrs_revlog") / "review_logs_josh.csv"
FIT_SHARE: Final = 0.8
LEAST_DELAY: Final = timedelta(hours=12)
SUREST: Final = 1e-4
"""No forecast is surer than this: one certain mistake would outweigh all the others."""

BIRTHS: Final = (0.2, 0.26, 0.3, 0.32, 0.34, 0.4, 0.5, 0.6)
"""Saliences to begin a card with, of which the first part chooses ``UNJUDGED``."""

FSRS_BIRTHS: Final = {1: 0.212, 2: 1.2931, 3: 2.3065, 4: 8.2956}
"""S in days after the first grade: w0 to w3 of FSRS-6 as published (py-fsrs 6.3)."""


PUBLISHED: Final = disuse.DisuseParameters()


@dataclass(frozen=True, slots=True)
class Review:
    """One look at a card: when, and the grade 1 to 4, of which 1 is a failure."""

    card: str
    at: datetime
    grade: int

    @property
    def recalled(self) -> bool:
        return self.grade > 1


Forecasts: TypeAlias = list[float]
Forecaster: TypeAlias = Callable[[Sequence[Review]], Forecasts]
"""Returns the chance of recall at each review of one card but the first."""


def report_reviews(data: Path) -> None:
    """Print the log-loss of each forecast."""
    cards = _cards(data / LOG)
    every = sorted(each.at for reviews in cards for _, each in _counts(reviews))
    border = every[int(FIT_SHARE * len(every))]
    outcomes = _outcomes(cards, border)
    base = _mean([float(each) for each in outcomes[0]])
    print(f"{len(outcomes[0])} reviews to fit, {len(outcomes[1])} to test; {base:.3f} recalled")
    print("\n| forecast | first part | last part | fitted |\n|---|---|---|---|")
    constant = " | ".join(f"{log_loss([base] * len(part), part):.3f}" for part in outcomes)
    print(f"| constant | {constant} | |")
    for name, forecaster in (_forecasters() | _fitted(cards, border)).items():
        found = _forecasts(cards, border, forecaster)
        mapped = calibrated(found[0], outcomes[0])
        after = log_loss([mapped(each) for each in found[1]], outcomes[1])
        raw = " | ".join(f"{log_loss(*both):.3f}" for both in zip(found, outcomes, strict=True))
        print(f"| {name} | {raw} | {after:.3f} |", flush=True)
    _report_births(cards, border, outcomes)


def _report_births(
    cards: Sequence[Sequence[Review]], border: datetime, outcomes: tuple[list[bool], ...]
) -> None:
    """Print the log-loss of ``disuse`` by the salience a card begins with, on both parts."""
    print("\n| salience | S, days | difficulty | first part | last part |\n|---|---|---|---|---|")
    for salience in BIRTHS:
        storage, difficulty = disuse.birth(salience, PUBLISHED)
        found = _forecasts(cards, border, _by_law(disuse.LAW.name, salience=salience))
        losses = (f"{log_loss(*both):.4f}" for both in zip(found, outcomes, strict=True))
        print(f"| {salience} | {storage:.2f} | {difficulty:.1f} | {' | '.join(losses)} |")


def log_loss(forecasts: Sequence[float], outcomes: Sequence[bool]) -> float:
    """Return the mean of −ln of the chance that was given to what happened.

    >>> round(log_loss([0.5, 0.5], [True, False]), 4)
    0.6931
    """
    sure = [min(max(each, SUREST), 1.0 - SUREST) for each in forecasts]
    pairs = zip(sure, outcomes, strict=True)
    return _mean([-log(chance if happened else 1.0 - chance) for chance, happened in pairs])


def calibrated(forecasts: Sequence[float], outcomes: Sequence[bool]) -> Callable[[float], float]:
    """Return what maps a forecast to a chance: a logistic of its log-odds, by Newton's method."""
    signs = np.array([[1.0, _odds(each)] for each in forecasts])
    happened = np.array(outcomes, dtype=float)
    found = np.array([0.0, 0.0])
    for _ in range(50):
        likely = 1.0 / (1.0 + np.exp(-signs @ found))
        slope = signs.T @ (happened - likely) - 1e-6 * found
        curve = (signs * (likely * (1.0 - likely))[:, None]).T @ signs + 1e-6 * np.eye(2)
        found = found + np.linalg.solve(curve, slope)
    return lambda each: 1.0 / (1.0 + exp(-float(found[0] + found[1] * _odds(each))))


def _odds(chance: float) -> float:
    sure = min(max(chance, SUREST), 1.0 - SUREST)
    return log(sure / (1.0 - sure))


def _cards(path: Path) -> list[list[Review]]:
    """Return the reviews of each card in their order."""
    cards: dict[str, list[Review]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            at = datetime.fromisoformat(row["review_time"])
            review = Review(row["card_id"], at, int(row["review_rating"]))
            cards.setdefault(review.card, []).append(review)
    return [sorted(reviews, key=lambda each: each.at) for reviews in cards.values()]


def _counts(reviews: Sequence[Review]) -> Iterator[tuple[int, Review]]:
    """Yield what is forecast, with its place: not the first review, none within half a day."""
    for place in range(1, len(reviews)):
        if reviews[place].at - reviews[place - 1].at >= LEAST_DELAY:
            yield place, reviews[place]


def _outcomes(cards: Sequence[Sequence[Review]], border: datetime) -> tuple[list[bool], ...]:
    parts: tuple[list[bool], ...] = ([], [])
    for reviews in cards:
        for _, review in _counts(reviews):
            parts[review.at >= border].append(review.recalled)
    return parts


def _forecasts(
    cards: Sequence[Sequence[Review]], border: datetime, forecaster: Forecaster
) -> tuple[Forecasts, ...]:
    parts: tuple[Forecasts, ...] = ([], [])
    for reviews in cards:
        found = forecaster(reviews)
        for place, review in _counts(reviews):
            parts[review.at >= border].append(found[place - 1])
    return parts


def _forecasters() -> dict[str, Forecaster]:
    by_law: dict[str, Forecaster] = {law.name: _by_law(law.name) for law in LAWS}
    return by_law | {
        "disuse, what failed is seen again": _by_law(disuse.LAW.name, shown=True),
        "disuse, birth by the first outcome": partial(_by_outcome, shown=False),
        "disuse, birth by the first outcome, what failed is seen again": _by_outcome,
        "FSRS-6": _by_fsrs,
    }


def _fitted(cards: Sequence[Sequence[Review]], border: datetime) -> dict[str, Forecaster]:
    """Return what forecasts as ``disuse`` does, its weights fitted to what came before."""
    if not law_fit.can_fit():
        return {}
    history = [
        Recollection(number, review.at, review.recalled)
        for number, reviews in enumerate(cards)
        for review in reviews
        if review.at < border
    ]
    weights = asyncio.run(law_fit.optimized(history))
    if weights is None:
        return {}
    settings = law_fit.with_weights(AgentSettings(law=disuse.LAW.name), weights)
    params = Laws().rules(settings).parameters_of(disuse.LAW)
    return {"disuse, fitted, birth by the first outcome": partial(_by_outcome, params=params)}


def _by_law(name: str, *, shown: bool = False, salience: float = UNJUDGED) -> Forecaster:
    """Return what forecasts by the retention of a law, with the birth of a plain fact.

    The first review is the birth, and its outcome the first event. Under ``disuse`` time counts
    from the last success; with ``shown`` also from a failure, since a card that failed is shown.
    """
    rules = Laws().rules(AgentSettings(law=name))

    def forecast(reviews: Sequence[Review]) -> Forecasts:
        memory = _a_fact(
            rules.new_trace(Birth(at=reviews[0].at, salience=salience)), reviews[0].at
        )
        found: Forecasts = []
        for place, review in enumerate(reviews):
            if place:
                found.append(rules.judge_recall(memory, rules.context(review.at)).retention)
            event = Event.SUCCESS if review.recalled else Event.FAILURE
            memory = rules.after_event(memory, event, review.at)
            if shown:
                seen = with_number(memory.trace, disuse.SUCCESS_AT, review.at.timestamp())
                memory = replace(memory, trace=seen)
        return found

    return forecast


def _a_fact(trace: Any, at: datetime) -> Memory:
    return Memory(
        id=1,
        words=Words(text=""),
        nature=Nature(tier=Tier.FACT),
        trace=trace,
        origin=Origin(source=Source.USER, at=at),
    )


def _by_outcome(
    reviews: Sequence[Review],
    params: disuse.DisuseParameters = PUBLISHED,
    *,
    shown: bool = True,
) -> Forecasts:
    """Forecast as ``disuse`` does, born by the first outcome as FSRS-6 has it.

    With ``shown`` time counts from the last review, as FSRS-6 has that too.
    """
    first = reviews[0]
    grade = 3 if first.recalled else 1
    hard = params.difficulty_base - exp(params.difficulty_grade * (grade - 1)) + 1.0
    known = disuse.Strengths(FSRS_BIRTHS[grade], min(max(hard, 1.0), 10.0), first.at)
    found: Forecasts = []
    for review in reviews[1:]:
        days = (review.at - known.at) / timedelta(days=1)
        found.append(disuse.retrieval(days, known.storage, params.decay))
        step = disuse.after_success if review.recalled else disuse.after_lapse
        at = review.at if shown or review.recalled else known.at
        known = disuse.Strengths(*step(known, days, params), at)
    return found


def _by_fsrs(reviews: Sequence[Review]) -> Forecasts:
    """Forecast by the package of FSRS-6, all four grades as they were given.

    The package counts whole days only, so that within a day nothing would ever be forgotten: its
    curve is asked for the real time.
    """
    decay = disuse.DisuseParameters().decay
    scheduler = fsrs.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    card = fsrs.Card(card_id=1, due=reviews[0].at)
    found: Forecasts = []
    for place, review in enumerate(reviews):
        if place:
            days = (review.at - reviews[place - 1].at) / timedelta(days=1)
            found.append(disuse.retrieval(days, card.stability or 1.0, decay))
        card, _ = scheduler.review_card(card, fsrs.Rating(review.grade), review.at)
    return found


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
