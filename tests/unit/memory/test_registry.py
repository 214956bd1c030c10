"""What each event does to the numbers of every law at once."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from memory.laws.contract import LawContext
from memory.laws.law import Event
from memory.model import AgentSettings, Memory, Tier
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.laws import after_event, crossed_promotion, new_trace, quantities

SETTINGS = AgentSettings()
TIERS_ACCESS = {Event.MANUAL, Event.MENTION, Event.BOOST, Event.KEEP, Event.PROMOTE}


def on(days: float) -> datetime:
    return NOON + timedelta(days=days)


def happened(memory: Memory, event: Event, days: float) -> Memory:
    return after_event(memory, event, on(days), SETTINGS)


@pytest.mark.parametrize(
    ("event", "stability", "count"),
    [
        (Event.ACCESS, 28.8, 1),
        (Event.SUCCESS, 48.0, 1),
        (Event.FAILURE, 19.2, 0),
        (Event.MANUAL, 36.0, 1),
        (Event.ASSOCIATION_HIT, 26.4, 1),
        (Event.MENTION, 48.0, 1),
        (Event.BOOST, 48.0, 1),
        (Event.NEGATE, 19.2, 0),
        (Event.KEEP, 24.0, 0),
        (Event.PROMOTE, 24.0, 0),
    ],
)
def test_stability_after_each_event(event: Event, stability: float, count: int) -> None:
    trace = happened(a_memory(), event, 2).trace

    assert trace.stability_hours == pytest.approx(stability)
    assert trace.reinforce_count == count
    assert trace.reinforced_at == (on(2) if count else on(0))


@pytest.mark.parametrize("event", [Event.FAILURE, Event.NEGATE])
def test_a_correction_weakens_and_only_the_literal_rule_begins_the_curve_anew(
    event: Event,
) -> None:
    literal = AgentSettings(law="ebbinghaus", parameters=(("ebbinghaus.literal_failure", True),))

    corrected = happened(a_memory(), event, 2)
    anew = after_event(a_memory(), event, on(2), literal)

    context = LawContext(on(2), SETTINGS.zone)
    assert quantities(a_memory(), context, SETTINGS).strength == 14
    assert quantities(corrected, context, SETTINGS).strength == 8
    assert quantities(anew, context, literal).strength == 100


@pytest.mark.parametrize("event", [Event.FAILURE, Event.NEGATE])
def test_a_correction_weakens_also_as_the_fifth_event(event: Event) -> None:
    memory = a_memory()
    for day in range(4):
        memory = happened(memory, Event.ACCESS, day)
    corrected = happened(memory, event, 5)

    before, after = (
        quantities(each, LawContext(on(5), SETTINGS.zone), SETTINGS).strength
        for each in (memory, corrected)
    )
    assert after < before


def test_stability_has_a_highest_value() -> None:
    memory = a_memory()
    for _ in range(1000):
        memory = happened(memory, Event.SUCCESS, 1)

    assert memory.trace.stability_hours == 8760


def test_a_thousand_failures_leave_a_stability_above_zero() -> None:
    memory = a_memory()
    for _ in range(1000):
        memory = happened(memory, Event.FAILURE, 1)

    assert memory.trace.stability_hours > 0


@pytest.mark.parametrize("event", list(Event))
def test_only_use_counts_as_an_access_of_tiers(event: Event) -> None:
    trace = happened(a_memory(), event, 9).trace

    touched = event in TIERS_ACCESS
    assert trace.accessed_at == (on(9) if touched else on(0))
    assert trace.importance_at == (on(9) if touched else on(0))


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (Event.MANUAL, 1.3),
        (Event.MENTION, 1.1),
        (Event.BOOST, 1.2025),
        (Event.KEEP, 0.9025),
        (Event.PROMOTE, 3.0),
        (Event.ACCESS, 1.0),
    ],
)
def test_importance_is_settled_to_the_event_and_then_changed(
    event: Event, expected: float
) -> None:
    assert happened(a_memory(), event, 9).trace.importance == expected


def test_importance_is_kept_to_six_decimals() -> None:
    assert happened(a_memory(), Event.BOOST, 20).trace.importance == round(0.95**13 + 0.3, 6)


def test_keep_lifts_a_faded_fact_to_half_and_never_lowers_one() -> None:
    assert happened(a_memory(), Event.KEEP, 40).trace.importance == 0.5
    assert happened(a_memory(), Event.KEEP, 1).trace.importance == 1.0


def test_promote_makes_a_fact_core_and_only_a_fact() -> None:
    assert happened(a_memory(), Event.PROMOTE, 1).nature.tier is Tier.CORE
    episode = happened(a_memory(tier=Tier.EPISODE), Event.PROMOTE, 1)
    assert episode.nature.tier is Tier.EPISODE


@pytest.mark.parametrize("event", list(Event))
def test_only_a_mention_activates(event: Event) -> None:
    trace = happened(a_memory(), event, 3).trace

    mentioned = event is Event.MENTION
    assert trace.activated_at == (on(3) if mentioned else on(0))
    assert trace.mention_count == int(mentioned)
    assert trace.mentions == ((on(3),) if mentioned else ())


@pytest.mark.parametrize("event", list(Event))
def test_no_event_changes_when_a_memory_began_or_what_it_says(event: Event) -> None:
    after = happened(a_memory(), event, 3)

    assert after.trace.created_at == NOON
    assert after.trace.updated_at == NOON
    assert after.words == a_memory().words


def test_mentions_keep_only_the_recent_ones_and_count_all() -> None:
    memory = a_memory()
    for day in range(10):
        memory = happened(memory, Event.MENTION, day)

    assert memory.trace.mentions == (on(6), on(7), on(8), on(9))
    assert memory.trace.mention_count == 10


def test_a_flood_of_mentions_stays_bounded() -> None:
    memory = a_memory()
    for minute in range(500):
        memory = after_event(memory, Event.MENTION, NOON + timedelta(minutes=minute), SETTINGS)

    assert len(memory.trace.mentions) == 32
    assert memory.trace.mention_count == 500


def test_uses_in_prompts_and_looks_by_hand_are_counted() -> None:
    memory = a_memory()
    for event in Event:
        memory = happened(memory, event, 1)

    assert memory.trace.access_count == 3


def test_crossing_the_promotion_border_is_noticed_once() -> None:
    low, high = (
        replace(a_memory(), trace=replace(a_memory().trace, importance=value))
        for value in (2.2, 2.5)
    )
    boosted = happened(low, Event.BOOST, 0)

    assert crossed_promotion(low, boosted, on(0), SETTINGS)
    assert not crossed_promotion(boosted, happened(boosted, Event.BOOST, 0), on(0), SETTINGS)
    assert not crossed_promotion(a_memory(), happened(a_memory(), Event.BOOST, 0), on(0), SETTINGS)
    assert crossed_promotion(low, high, on(0), SETTINGS)


def test_a_fact_that_sank_may_cross_the_border_again() -> None:
    memory = replace(a_memory(), trace=replace(a_memory().trace, importance=2.5))

    assert crossed_promotion(memory, happened(memory, Event.BOOST, 9), on(9), SETTINGS)
    assert not crossed_promotion(memory, happened(memory, Event.BOOST, 10), on(10), SETTINGS)


def test_switching_the_law_changes_nothing_an_event_does() -> None:
    outcomes = {
        law: after_event(a_memory(), Event.MENTION, on(9), AgentSettings(law=law))
        for law in ("tiers", "ebbinghaus", "weights", "network")
    }

    assert len(set(outcomes.values())) == 1


def test_a_fact_told_explicitly_starts_firmer() -> None:
    told = new_trace(NOON, SETTINGS, explicit=True)
    plain = new_trace(NOON, SETTINGS)

    assert (plain.importance, plain.stability_hours) == (1.0, 24.0)
    assert (told.importance, told.stability_hours) == (1.5, 168.0)


def test_a_new_memory_starts_as_its_agent_chose() -> None:
    chosen = (("tiers.fact_importance", 0.9), ("ebbinghaus.initialStability", 48))

    born = new_trace(NOON, AgentSettings(parameters=chosen))

    assert (born.importance, born.stability_hours) == (0.9, 48.0)
