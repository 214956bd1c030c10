"""The law ebbinghaus against the anchors of source document 000."""

from dataclasses import replace
from datetime import timedelta
from math import exp
from zoneinfo import ZoneInfo

import pytest

from memory.laws import ebbinghaus
from memory.laws.contract import Archive, Fate, HealthColour, LawContext, SoftDelete
from memory.laws.ebbinghaus import EbbinghausParameters
from memory.model import AgentSettings, Archived, Kind, Memory, Sensitivity, Tier
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.laws import fates, health_colour, quantities, retention

SETTINGS = AgentSettings(law="ebbinghaus")
DEFAULTS = EbbinghausParameters()


def after(hours: float) -> LawContext:
    return LawContext(NOON + timedelta(hours=hours), ZoneInfo("Asia/Shanghai"))


def shaped(stability: float = 24.0, confidence: float = 0.7, reinforced: int = 0) -> Memory:
    memory = a_memory()
    trace = replace(
        memory.trace,
        stability_hours=stability,
        confidence=confidence,
        reinforce_count=reinforced,
    )
    return replace(memory, trace=trace)


@pytest.mark.parametrize(
    ("stability", "hours", "confidence", "expected"),
    [
        (24, 0, 0.7, 100),
        (24, 24, 0.7, 37),
        (24, 24, 0.8, 50),
        (24, 24, 1.0, 50),
        (168, 168, 0.7, 37),
        (168, 24, 0.7, 87),
        (24, 48, 0.7, 14),
        (24, 1000, 0.7, 0),
        (8760, 8760, 0.7, 37),
    ],
)
def test_strength_follows_the_curve(
    stability: float, hours: float, confidence: float, expected: int
) -> None:
    memory = shaped(stability, confidence)

    assert quantities(memory, after(hours), SETTINGS).strength == expected
    assert retention(memory, after(hours), SETTINGS) == expected / 100


def test_a_lesson_fades_more_slowly_than_a_fact() -> None:
    fact = shaped()
    lesson = replace(fact, nature=replace(fact.nature, kind=Kind.LESSON))

    assert quantities(lesson, after(24), SETTINGS).strength == round(100 * exp(-0.9))
    assert quantities(fact, after(24), SETTINGS).strength == round(100 * exp(-1.0))


@pytest.mark.parametrize(
    ("confidence", "count", "kind", "expected"),
    [
        (0.79, 4, Kind.FACT, 1.0),
        (0.8, 4, Kind.FACT, 0.7),
        (0.7, 5, Kind.FACT, 0.8),
        (0.7, 0, Kind.LESSON, 0.9),
        (0.8, 5, Kind.FACT, 0.56),
        (0.8, 5, Kind.LESSON, 0.504),
    ],
)
def test_confidence_use_and_lessons_slow_the_decay(
    confidence: float, count: int, kind: Kind, expected: float
) -> None:
    rate = ebbinghaus.decay_rate(
        confidence=confidence, reinforce_count=count, kind=kind, params=DEFAULTS
    )

    assert rate == pytest.approx(expected)


def test_the_decay_never_goes_under_its_floor() -> None:
    slower = EbbinghausParameters(confident_decay=0.2)

    rate = ebbinghaus.decay_rate(
        confidence=0.9, reinforce_count=9, kind=Kind.LESSON, params=slower
    )

    assert rate == 0.5


@pytest.mark.parametrize(
    ("retained", "expected"), [(0.0949, 9), (0.095, 10), (0.0451, 5), (0.045, 5), (0.0449, 4)]
)
def test_strength_rounds_half_up(retained: float, expected: int) -> None:
    assert ebbinghaus.rounded_strength(retained) == expected


@pytest.mark.parametrize(
    ("strength", "expected"),
    [(10, ()), (9, (Archive(),)), (5, (Archive(),)), (4, (Archive(), SoftDelete()))],
)
def test_below_ten_it_is_archived_and_below_five_deleted(
    strength: int, expected: tuple[Fate, ...]
) -> None:
    hours = next(h / 100 for h in range(20000) if round(100 * exp(-h / 2400)) == strength)

    assert quantities(shaped(), after(hours), SETTINGS).strength == strength
    assert fates(shaped(), after(hours), SETTINGS) == expected


def test_an_archived_memory_keeps_fading_and_is_deleted() -> None:
    archived = replace(shaped(), standing=Archived(NOON))

    assert SoftDelete() in fates(archived, after(100), SETTINGS)


def test_sensitivity_one_takes_twice_as_long() -> None:
    memory = shaped()
    ordinary = replace(memory, nature=replace(memory.nature, sensitivity=Sensitivity.ORDINARY))

    assert fates(memory, after(57), SETTINGS) == (Archive(),)
    assert fates(ordinary, after(57), SETTINGS) == ()
    assert fates(ordinary, after(114), SETTINGS) == (Archive(),)


@pytest.mark.parametrize("tier", [Tier.CORE, Tier.SYSTEM, Tier.ENTITY])
def test_what_is_firm_is_neither_archived_nor_deleted(tier: Tier) -> None:
    assert fates(a_memory(tier=tier), after(10_000), SETTINGS) == ()


def test_an_episode_that_was_not_consolidated_is_at_most_archived() -> None:
    assert fates(a_memory(tier=Tier.EPISODE), after(1000), SETTINGS) == (Archive(),)


@pytest.mark.parametrize(
    ("hours", "band"),
    [
        (28, HealthColour.GREEN),
        (29.5, HealthColour.YELLOW),
        (56, HealthColour.YELLOW),
        (57, HealthColour.RED),
    ],
)
def test_health_turns_yellow_under_thirty_and_red_under_ten(
    hours: float, band: HealthColour
) -> None:
    assert health_colour(ebbinghaus.LAW, shaped(), after(hours), SETTINGS) is band
