"""The law disuse: two strengths, against FSRS-6 as its authors publish it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from math import isclose
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from memory.laws import disuse
from memory.laws.contract import HealthColour, LawContext
from memory.laws.disuse import (
    DisuseParameters,
    Strengths,
    after_lapse,
    after_success,
    birth,
    line_birth,
    retrieval,
    strengths,
)
from memory.laws.law import Birth, Event
from memory.laws.registry import Laws, level_in_mind
from memory.model import AgentSettings, Kind, Level, Memory, Mode, Sensitivity, Tier
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.laws import after_event, assessed, is_recallable, rules_of

SETTINGS = AgentSettings(law=disuse.LAW.name)
DEFAULTS = DisuseParameters()
HISTORIES = 1_000


def after(days: float) -> LawContext:
    return LawContext(NOON + timedelta(days=days), ZoneInfo("Asia/Shanghai"))


def born(salience: float, *, due: float | None = None, explicit: bool = False) -> Memory:
    at = None if due is None else NOON + timedelta(days=due)
    told = Birth(at=NOON, salience=salience, due=at, explicit=explicit)
    memory = a_memory()
    return replace(memory, trace=rules_of(SETTINGS).new_trace(told))


def now(memory: Memory, days: float) -> float:
    return assessed(memory, after(days), SETTINGS).amount


def happened(memory: Memory, event: Event, days: float) -> Memory:
    return after_event(memory, event, after(days).now, SETTINGS)


@pytest.fixture(scope="module")
def fsrs() -> Any:
    return pytest.importorskip("fsrs", reason="the dev group names it: make sets it up")


def test_a_thousand_histories_go_as_in_the_package_of_fsrs(fsrs: Any) -> None:
    rng = Random(6)
    scheduler = fsrs.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    start = datetime(2026, 1, 1, tzinfo=UTC)
    for _ in range(HISTORIES):
        storage, difficulty = rng.uniform(0.1, 90), rng.uniform(1, 10)
        card = fsrs.Card(
            state=fsrs.State.Review,
            stability=storage,
            difficulty=difficulty,
            due=start,
            last_review=start,
        )
        known = Strengths(storage, difficulty, start)
        for _ in range(rng.randint(1, 8)):
            gap = rng.choice((0, 0, rng.randint(1, 9), rng.randint(1, 90)))
            at = known.at + timedelta(days=gap)
            retrieved = scheduler.get_card_retrievability(card, at)
            assert isclose(retrieval(gap, known.storage, DEFAULTS.decay), retrieved)
            good = rng.random() < 0.8
            step = after_success if good else after_lapse
            known = Strengths(*step(known, gap, DEFAULTS), at)
            card, _log = scheduler.review_card(
                card, fsrs.Rating.Good if good else fsrs.Rating.Again, at
            )
            assert isclose(known.difficulty, card.difficulty)
            # The package knows no largest S.
            assert isclose(known.storage, min(card.stability, 365_000))
            if card.stability > 365_000:
                break


@pytest.mark.parametrize(
    ("storage", "seventy", "sixty"), [(0.5, 4.65, 13.5), (5, 46.44, 135.0), (60, 557.2, 1619.5)]
)
def test_the_curve_reaches_its_borders_when_the_page_says(
    storage: float, seventy: float, sixty: float
) -> None:
    decay = DEFAULTS.decay

    assert retrieval(0, storage, decay) == 1.0
    assert retrieval(storage, storage, decay) == pytest.approx(0.9)
    assert retrieval(seventy, storage, decay) == pytest.approx(0.7, abs=1e-3)
    assert retrieval(sixty, storage, decay) == pytest.approx(0.6, abs=1e-3)


@pytest.mark.parametrize(
    ("salience", "storage", "difficulty"),
    [(0.0, 0.25, 10), (0.2, 0.25, 10), (0.5, 15**0.5, 5.5), (0.8, 60, 1), (1.0, 60, 1)],
)
def test_birth_goes_from_chatter_to_what_matters(
    salience: float, storage: float, difficulty: float
) -> None:
    assert birth(salience, DEFAULTS) == pytest.approx((storage, difficulty))
    kept = strengths(born(salience), DEFAULTS)
    assert (kept.storage, kept.difficulty) == pytest.approx((storage, difficulty), abs=1e-5)
    assert kept.at == NOON


def test_what_was_asked_to_be_kept_matters_whatever_it_says() -> None:
    assert strengths(born(0.01, explicit=True), DEFAULTS)[:2] == (60, 1)


def test_chatter_leaves_the_mind_within_a_week_and_what_matters_after_years() -> None:
    chatter, firm = born(0.0), born(1.0)

    assert is_recallable(chatter, after(6.7), Mode.NORMAL, SETTINGS)
    assert not is_recallable(chatter, after(6.8), Mode.NORMAL, SETTINGS)
    assert is_recallable(firm, after(1619), Mode.NORMAL, SETTINGS)
    assert not is_recallable(firm, after(1620), Mode.NORMAL, SETTINGS)


def an_episode(salience: float) -> Memory:
    told = Birth(at=NOON, tier=Tier.EPISODE, salience=salience)
    return replace(a_memory(tier=Tier.EPISODE), trace=rules_of(SETTINGS).new_trace(told))


def in_mind(episode: Memory, salience: float, days: float) -> float:
    return rules_of(SETTINGS).judge_recall(episode, after(days), salience).retention


@pytest.mark.parametrize(("salience", "storage"), [(0.2, 0.25), (0.5, 9125**0.5), (0.8, 36_500)])
def test_a_line_of_talk_begins_by_its_own_salience(salience: float, storage: float) -> None:
    assert line_birth(salience, DEFAULTS)[0] == pytest.approx(storage)
    assert in_mind(an_episode(0.9), salience, storage) == pytest.approx(0.9)


def test_an_episode_shows_its_firmest_line() -> None:
    episode = an_episode(0.6)

    assert in_mind(episode, 0.6, 90) == pytest.approx(now(episode, 90), abs=1e-5)
    assert in_mind(episode, 0.3, 90) < now(episode, 90)


def test_the_lines_of_an_episode_grow_and_shrink_with_it() -> None:
    episode = an_episode(0.6)

    for event in (Event.SUCCESS, Event.FAILURE, Event.NEGATE):
        known = happened(episode, event, 60)
        began = 60.0 if event is Event.SUCCESS else 0.0
        grown = strengths(known, DEFAULTS).storage / strengths(episode, DEFAULTS).storage
        line = line_birth(0.4, DEFAULTS)[0] * grown
        expected = retrieval(200 - began, line, DEFAULTS.decay)
        assert in_mind(known, 0.4, 200) == pytest.approx(expected, abs=1e-4)


def test_an_episode_older_than_its_lines_births_grows_from_where_it_began() -> None:
    told = born(0.9)  # as a fact is born, and without what an episode keeps
    old = replace(an_episode(0.9), trace=told.trace)

    assert in_mind(old, 0.8, 36_500) == pytest.approx(0.9)


def test_a_pinned_episode_keeps_every_line() -> None:
    episode = an_episode(0.1)
    pinned = replace(episode, nature=replace(episode.nature, pinned=True))

    assert in_mind(pinned, 0.0, 3650) == 1.0


def test_a_law_that_judges_no_lines_gives_them_what_their_episode_has() -> None:
    rules = rules_of(AgentSettings(law="tiers"))
    episode = an_episode(0.9)

    assert rules.judge_recall(episode, after(9), 0.0) == rules.judge_recall(episode, after(9))


GOOD = (Event.SUCCESS, Event.MENTION, Event.BOOST, Event.MANUAL, Event.KEEP, Event.PROMOTE)


@pytest.mark.parametrize("event", GOOD)
def test_a_success_begins_the_curve_anew_and_makes_it_longer(event: Event) -> None:
    memory = happened(born(0.5), event, 30)

    assert now(memory, 30) == 1.0
    assert strengths(memory, DEFAULTS).storage > strengths(born(0.5), DEFAULTS).storage


def test_the_harder_to_reach_the_more_a_success_gives() -> None:
    soon, late = (happened(born(0.5), Event.SUCCESS, days) for days in (2, 60))

    assert strengths(late, DEFAULTS).storage > 2 * strengths(soon, DEFAULTS).storage


@pytest.mark.parametrize("event", [Event.ACCESS, Event.ASSOCIATION_HIT])
def test_to_be_shown_is_no_use(event: Event) -> None:
    memory = born(0.5)

    shown = dict(happened(memory, event, 30).trace.numbers)
    assert shown == dict(memory.trace.numbers)


def test_a_correction_shortens_and_a_negation_leaves_a_tenth() -> None:
    memory = born(1.0)

    corrected = strengths(happened(memory, Event.FAILURE, 30), DEFAULTS)
    negated = strengths(happened(memory, Event.NEGATE, 30), DEFAULTS)
    assert corrected.storage < 60
    assert corrected.difficulty > 1
    assert corrected.at == NOON
    assert now(happened(memory, Event.FAILURE, 30), 30) < now(memory, 30)
    assert negated == Strengths(6, 1, NOON)
    assert now(happened(memory, Event.NEGATE, 30), 30) < now(memory, 30)


def test_what_has_a_day_comes_to_mind_until_then_and_hardly_after() -> None:
    promise = born(0.3, due=40)

    assert now(promise, 39.9) >= DEFAULTS.full_from
    assert now(promise, 40.1) < DEFAULTS.everyday


def test_nothing_is_ever_deleted_archived_or_shortened() -> None:
    for salience in (0.0, 0.5, 1.0):
        assert assessed(born(salience), after(3650), SETTINGS).fates == ()
    assert not disuse.LAW.decides_fates


@pytest.mark.parametrize("tier", [Tier.SYSTEM, Tier.CORE])
def test_what_is_firm_is_always_there(tier: Tier) -> None:
    memory = replace(born(0.0), nature=replace(born(0.0).nature, tier=tier))

    assert now(memory, 3650) == 1.0


def test_what_is_private_fades_half_as_fast() -> None:
    memory = born(0.5)
    ordinary = replace(memory, nature=replace(memory.nature, sensitivity=Sensitivity.ORDINARY))

    assert now(ordinary, 60) == pytest.approx(now(memory, 30))


def test_only_what_is_salient_is_warned_about() -> None:
    def colour(salience: float, days: float) -> HealthColour:
        return assessed(born(salience), after(days), SETTINGS).colour

    assert colour(0.6, 1) is HealthColour.GREEN
    assert colour(0.6, 150) is HealthColour.YELLOW
    assert colour(0.6, 3000) is HealthColour.RED
    assert colour(0.1, 3000) is HealthColour.GREEN


def test_the_level_is_seen_and_no_word_is_changed() -> None:
    rules = rules_of(SETTINGS)

    seen = [level_in_mind(a_memory(), share, rules) for share in (0.7, 0.69, 0.59, 0.44)]
    assert seen == [Level.FULL, Level.SUMMARY, Level.TAG, Level.TRACE]
    other = Laws().rules(AgentSettings())
    assert level_in_mind(a_memory(), 0.0, other) is Level.FULL


def test_a_memory_older_than_the_law_begins_by_its_sort() -> None:
    def storage(kind: Kind) -> float:
        return strengths(a_memory(kind=kind), DEFAULTS).storage

    assert storage(Kind.IDENTITY) == 60
    assert storage(Kind.TEMPORARY) == 0.25
    assert 0.25 < storage(Kind.FACT) < 60


def test_its_numbers_go_on_under_every_other_law() -> None:
    memory = born(0.5)
    other = AgentSettings()

    lived = after_event(memory, Event.MENTION, after(30).now, other)
    assert strengths(lived, DEFAULTS) == strengths(happened(memory, Event.MENTION, 30), DEFAULTS)
