"""The law weights against every table with inputs of source document 001."""

from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from memory.laws import weights
from memory.laws.contract import Archive, CompressTo, HealthColour, LawContext, SoftDelete
from memory.laws.law import Event
from memory.laws.weights import WeightsParameters
from memory.model import AgentSettings, Archived, Kind, Level, Memory, Sensitivity
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.laws import after_event, factors, fates, health_colour, quantities, retention

SETTINGS = AgentSettings(law="weights")
DEFAULTS = WeightsParameters()
SINKING = WeightsParameters(c_mode="sinking")


def on(days: float) -> datetime:
    return NOON + timedelta(days=days)


def after(days: float) -> LawContext:
    return LawContext(on(days), ZoneInfo("Asia/Shanghai"))


def mentioned(memory: Memory, *days: float) -> Memory:
    for day in days:
        memory = after_event(memory, Event.MENTION, on(day), SETTINGS)
    return memory


@pytest.mark.parametrize(("kind", "expected"), [(Kind.IDENTITY, 0.4545), (Kind.TEMPORARY, 0.3077)])
def test_time_weight_after_180_days(kind: Kind, expected: float) -> None:
    value = weights.time_weight(
        days=180,
        importance=weights.category_importance(kind, DEFAULTS),
        user_factor=1.0,
        params=DEFAULTS,
    )

    assert value == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(("days", "expected"), [(0, 1.50), (7, 1.35), (30, 1.11)])
def test_a_mention_lifts_by_half_and_fades(days: float, expected: float) -> None:
    boost = weights.semantic_boost(days=days, frequent=False, params=DEFAULTS)

    assert boost == pytest.approx(expected, abs=0.005)


@pytest.mark.parametrize(("days", "expected"), [(0, 0.30), (7, 0.35), (30, 0.48), (90, 0.72)])
def test_a_negation_drops_at_once_and_recovers_slowly(days: float, expected: float) -> None:
    assert weights.conflict_penalty(days=days, params=DEFAULTS) == pytest.approx(
        expected, abs=5e-3
    )


@pytest.mark.parametrize(("days", "expected"), [(0, 1.00), (7, 0.95), (30, 0.82), (90, 0.58)])
def test_the_literal_curve_sinks_as_in_the_document(days: float, expected: float) -> None:
    assert weights.conflict_penalty(days=days, params=SINKING) == pytest.approx(expected, abs=6e-3)


@pytest.mark.parametrize(("mentions", "expected"), [(0, 1.00), (3, 1.23), (10, 1.30)])
def test_momentum_grows_towards_its_cap(mentions: int, expected: float) -> None:
    value = weights.momentum(recent=mentions, frequent=False, params=DEFAULTS)

    assert value == pytest.approx(expected, abs=0.005)


def test_momentum_gains_a_fifth_while_frequent() -> None:
    value = weights.momentum(recent=3, frequent=True, params=DEFAULTS)

    assert value == pytest.approx(1.433, abs=0.001)


def test_the_example_of_the_weight_log() -> None:
    liked = mentioned(a_memory(kind=Kind.LASTING_PREFERENCE), 0)

    found = factors(liked, after(11), SETTINGS)

    assert found.time_weight == pytest.approx(0.9220, abs=5e-5)
    assert found.semantic_boost == pytest.approx(1.2885, abs=5e-5)
    assert found.momentum == 1.0
    assert quantities(liked, after(11), SETTINGS).weight == pytest.approx(1.5443, abs=5e-5)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (Kind.IDENTITY, 1.5),
        (Kind.LASTING_PREFERENCE, 1.3),
        (Kind.SKILL, 1.2),
        (Kind.LESSON, 1.2),
        (Kind.FACT, 1.1),
        (Kind.PASSING_PREFERENCE, 0.9),
        (Kind.TEMPORARY, 0.8),
    ],
)
def test_a_new_memory_weighs_what_its_kind_does(kind: Kind, expected: float) -> None:
    assert quantities(a_memory(kind=kind), after(0), SETTINGS).weight == expected


def test_three_mentions_within_a_day_are_frequent_and_lift_less() -> None:
    often = mentioned(a_memory(), 0, 0.5, 1.0)

    found = factors(often, after(1), SETTINGS)

    assert found.semantic_boost == pytest.approx(1.3)
    assert found.momentum == pytest.approx(1.433, abs=0.001)


def test_three_mentions_in_more_than_a_day_are_not_frequent() -> None:
    now_and_then = mentioned(a_memory(), 0, 0.5, 1.01)

    found = factors(now_and_then, after(1.01), SETTINGS)

    assert found.semantic_boost == pytest.approx(1.5)
    assert found.momentum == pytest.approx(1.233, abs=0.001)


def test_the_day_after_a_frequent_mention_the_boost_does_not_jump_back() -> None:
    often = mentioned(a_memory(), 0, 0.1, 0.2)

    steps = [quantities(often, after(0.2 + n / 50), SETTINGS).weight for n in range(300)]

    assert steps == sorted(steps, reverse=True)


def test_a_weight_stays_within_its_bounds() -> None:
    often = mentioned(a_memory(kind=Kind.IDENTITY), 0, 0.1, 0.2)

    assert quantities(often, after(0.2), SETTINGS).weight == 2.0
    assert retention(often, after(0.2), SETTINGS) == 1.0
    assert quantities(a_memory(), after(400_000), SETTINGS).weight == 0.01


def test_a_partner_who_forgets_fast_forgets_faster() -> None:
    slow, fast = (replace(SETTINGS, user_factor=u) for u in (0.8, 1.3))
    memory = a_memory(kind=Kind.IDENTITY)

    assert quantities(memory, after(0), fast).weight == quantities(memory, after(0), slow).weight
    assert quantities(memory, after(90), fast).weight < quantities(memory, after(90), slow).weight


def test_the_literal_formula_multiplies_by_u_as_well() -> None:
    literal = replace(SETTINGS, user_factor=1.3, parameters=(("weights.u_mode", "literal"),))

    assert quantities(a_memory(), after(0), literal).weight == pytest.approx(1.1 * 1.3)


@pytest.mark.parametrize(
    ("weight", "level"),
    [
        (0.5, Level.FULL),
        (0.4999, Level.SUMMARY),
        (0.3, Level.SUMMARY),
        (0.2999, Level.TAG),
        (0.1, Level.TAG),
        (0.0999, Level.TRACE),
    ],
)
def test_levels_follow_the_weight_at_exact_borders(weight: float, level: Level) -> None:
    assert weights.level_of(weight, DEFAULTS) is level


def test_levels_never_rise_by_arithmetic() -> None:
    memory = a_memory()
    faint = replace(memory, words=replace(memory.words, level=Level.TRACE))

    assert fates(faint, after(0), SETTINGS) == ()


def test_a_fact_is_compressed_when_its_weight_says_so() -> None:
    full_until = next(
        d for d in range(1000) if quantities(a_memory(), after(d), SETTINGS).weight < 0.5
    )

    assert fates(a_memory(), after(full_until - 1), SETTINGS) == ()
    assert fates(a_memory(), after(full_until), SETTINGS) == (CompressTo(Level.SUMMARY),)


def test_a_trace_is_archived_once_it_was_not_mentioned_for_180_days() -> None:
    memory = mentioned(a_memory(), 0)
    negated = after_event(memory, Event.NEGATE, on(0), SETTINGS)
    faint = AgentSettings(law="weights", parameters=(("weights.archive_below", 2.0),))

    assert fates(negated, after(179.99), faint) == (CompressTo(Level.SUMMARY),)
    assert fates(negated, after(180), faint) == (CompressTo(Level.SUMMARY), Archive())


def test_archived_memories_are_deleted_only_where_the_setting_allows() -> None:
    archived = replace(a_memory(), standing=Archived(NOON))
    allowed = replace(SETTINGS, parameters=(("weights.delete_archived", True),))

    assert fates(archived, after(366), SETTINGS) == ()
    assert fates(archived, after(365), allowed) == ()
    assert fates(archived, after(365.01), allowed) == (SoftDelete(),)


def test_sensitivity_one_takes_twice_as_long_and_two_is_never_compressed() -> None:
    memory = a_memory(kind=Kind.TEMPORARY)
    ordinary = replace(memory, nature=replace(memory.nature, sensitivity=Sensitivity.ORDINARY))
    sensitive = replace(memory, nature=replace(memory.nature, sensitivity=Sensitivity.SENSITIVE))

    assert fates(memory, after(50), SETTINGS) == (CompressTo(Level.SUMMARY),)
    assert fates(ordinary, after(50), SETTINGS) == ()
    assert fates(ordinary, after(100), SETTINGS) == (CompressTo(Level.SUMMARY),)
    assert fates(sensitive, after(150), SETTINGS) == ()


def test_a_negation_leaves_the_last_mention_where_it_was() -> None:
    memory = mentioned(a_memory(), 0)

    negated = after_event(memory, Event.NEGATE, on(9), SETTINGS)

    assert negated.trace.activated_at == on(0)
    assert factors(negated, after(9), SETTINGS).conflict_penalty == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("days", "band"),
    [(0, HealthColour.GREEN), (300, HealthColour.YELLOW), (1500, HealthColour.RED)],
)
def test_health_follows_the_weight(days: float, band: HealthColour) -> None:
    assert health_colour(weights.LAW, a_memory(), after(days), SETTINGS) is band


def test_a_mention_exactly_three_days_old_still_counts_for_the_momentum() -> None:
    memory = mentioned(a_memory(), 0)

    assert factors(memory, after(3), SETTINGS).momentum > 1.1
    assert factors(memory, after(3.001), SETTINGS).momentum == 1.0
