"""The law tiers against the decay rules of source document 003, day by day."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from memory.laws import tiers
from memory.laws.contract import AskReview, HealthColour, LawContext, SoftDelete, whole_days
from memory.laws.law import Event
from memory.model import AgentSettings, Lineage, Memory, Sensitivity, Source, Tier
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.laws import after_event, fates, health_colour, quantities, retention

SHANGHAI = ZoneInfo("Asia/Shanghai")
BERLIN = ZoneInfo("Europe/Berlin")
SETTINGS = AgentSettings()


def after(days: float, zone: ZoneInfo = SHANGHAI) -> LawContext:
    return LawContext(NOON + timedelta(days=days), zone)


def importance(memory: Memory, days: float) -> float:
    return quantities(memory, after(days), SETTINGS).importance


def with_importance(memory: Memory, value: float) -> Memory:
    return replace(memory, trace=replace(memory.trace, importance=value))


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        (0, 1.0),
        (7, 1.0),
        (7.999, 1.0),
        (8, 0.95),
        (8.999, 0.95),
        (9, 0.9025),
        (14, 0.95**7),
        (20, 0.95**13),
        (21, 0.95**14),
        (30, 0.95**23),
        (31, 0.95**24),
    ],
)
def test_a_fact_rests_seven_days_and_then_loses_a_twentieth_a_day(
    days: float, expected: float
) -> None:
    assert importance(a_memory(), days) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("days", "expected"), [(0, 1.0), (7, 1.0), (8, 0.8), (9, 0.64), (10, 0.512), (13, 0.262144)]
)
def test_an_episode_rests_seven_days_and_then_loses_a_fifth_a_day(
    days: float, expected: float
) -> None:
    assert importance(a_memory(tier=Tier.EPISODE), days) == pytest.approx(expected, abs=1e-12)


def test_an_access_does_not_keep_an_episode() -> None:
    episode = after_event(a_memory(tier=Tier.EPISODE), Event.MENTION, NOON, SETTINGS)
    late = after_event(episode, Event.MENTION, after(6).now, SETTINGS)

    assert importance(late, 9) == pytest.approx(0.64)


@pytest.mark.parametrize("tier", [Tier.SYSTEM, Tier.CORE, Tier.ENTITY])
def test_system_core_and_entities_do_not_fade(tier: Tier) -> None:
    memory = a_memory(tier=tier)

    assert importance(memory, 1000) == 1.0
    assert retention(memory, after(1000), SETTINGS) == 1.0
    assert fates(memory, after(1000), SETTINGS) == ()


def test_a_pinned_fact_does_not_fade() -> None:
    memory = a_memory()
    pinned = replace(memory, nature=replace(memory.nature, pinned=True))

    assert importance(pinned, 1000) == 1.0
    assert fates(pinned, after(1000), SETTINGS) == ()


def test_a_fact_of_three_does_not_fade_and_one_just_below_does() -> None:
    assert importance(with_importance(a_memory(), 3.0), 1000) == 3.0
    assert importance(with_importance(a_memory(), 2.999999), 8) == pytest.approx(0.95 * 2.999999)


def test_retention_is_a_third_of_the_importance_and_at_most_one() -> None:
    assert retention(a_memory(), after(0), SETTINGS) == pytest.approx(1 / 3)
    assert retention(with_importance(a_memory(), 9.0), after(0), SETTINGS) == 1.0


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.5, ()),
        (0.499999, (AskReview("decay"),)),
        (0.3, (AskReview("decay"),)),
        (0.299999, (AskReview("decay"), SoftDelete())),
    ],
)
def test_the_borders_of_a_fact_are_exact(value: float, expected: tuple[object, ...]) -> None:
    assert fates(with_importance(a_memory(), value), after(0), SETTINGS) == expected


def test_a_consolidated_episode_ends_on_its_fourteenth_day_by_date_alone() -> None:
    episode = a_memory(tier=Tier.EPISODE)
    episode = replace(episode, lineage=Lineage(consolidated_at=NOON))

    assert fates(episode, after(13.99), SETTINGS) == ()
    assert fates(episode, after(14), SETTINGS) == (SoftDelete(),)
    assert fates(with_importance(episode, 99.0), after(14), SETTINGS) == (SoftDelete(),)


def test_an_episode_never_asks_for_a_review() -> None:
    faint = with_importance(a_memory(tier=Tier.EPISODE), 0.01)

    assert fates(faint, after(1), SETTINGS) == ()


def test_no_episode_ends_before_it_was_consolidated() -> None:
    assert fates(a_memory(tier=Tier.EPISODE), after(400), SETTINGS) == ()


def test_an_episode_brought_back_begins_its_days_anew() -> None:
    episode = a_memory(tier=Tier.EPISODE)
    lineage = Lineage(consolidated_at=NOON, restored_at=after(20).now)
    restored = replace(episode, lineage=lineage)

    assert fates(restored, after(33), SETTINGS) == ()
    assert fates(restored, after(34), SETTINGS) == (SoftDelete(),)


def test_sensitivity_one_doubles_the_waiting() -> None:
    memory = a_memory()
    ordinary = replace(memory, nature=replace(memory.nature, sensitivity=Sensitivity.ORDINARY))

    assert importance(ordinary, 14) == 1.0
    assert importance(ordinary, 15) == pytest.approx(0.95)


def test_what_is_sensitive_is_neither_reviewed_nor_deleted() -> None:
    memory = with_importance(a_memory(), 0.1)
    sensitive = replace(memory, nature=replace(memory.nature, sensitivity=Sensitivity.SENSITIVE))

    assert fates(sensitive, after(100), SETTINGS) == ()


@pytest.mark.parametrize(
    ("value", "band"),
    [
        (0.6, HealthColour.GREEN),
        (0.59, HealthColour.YELLOW),
        (0.5, HealthColour.YELLOW),
        (0.4, HealthColour.RED),
    ],
)
def test_health_turns_yellow_under_sixty_and_red_where_a_review_is_due(
    value: float, band: HealthColour
) -> None:
    assert health_colour(tiers.LAW, with_importance(a_memory(), value), after(0), SETTINGS) is band


def test_an_allergy_that_no_law_may_delete_is_not_called_almost_gone() -> None:
    fact = with_importance(a_memory(text="主人对花生过敏"), 0.02)
    private = replace(fact, nature=replace(fact.nature, sensitivity=Sensitivity.SENSITIVE))

    assert health_colour(tiers.LAW, fact, after(0), SETTINGS) is HealthColour.RED
    assert health_colour(tiers.LAW, private, after(0), SETTINGS) is HealthColour.GREEN


def test_settling_between_events_counts_no_day_twice() -> None:
    fact = a_memory()
    settled = replace(
        fact, trace=replace(fact.trace, importance=0.95**3, importance_at=after(10.5).now)
    )

    for days in (10.5, 11, 12.25, 30):
        assert importance(settled, days) == pytest.approx(importance(fact, days), rel=1e-12)


def test_a_clock_set_back_never_makes_a_memory_older_or_younger_than_new() -> None:
    assert importance(a_memory(), -400) == 1.0


@pytest.mark.parametrize(
    ("start", "hours"),
    [
        (datetime(2026, 3, 28, 20, tzinfo=BERLIN), 23),
        (datetime(2026, 10, 24, 20, tzinfo=BERLIN), 25),
    ],
    ids=["the clock goes forward", "the clock goes back"],
)
def test_a_day_ends_at_the_same_hour_on_the_wall(start: datetime, hours: int) -> None:
    since = start.astimezone(UTC)

    assert whole_days(since, since + timedelta(hours=hours, seconds=-1), BERLIN) == 0
    assert whole_days(since, since + timedelta(hours=hours), BERLIN) == 1
    assert whole_days(since, since + timedelta(hours=hours + 24), BERLIN) == 2


def test_the_repeated_hour_does_not_take_a_day_back() -> None:
    since = datetime(2026, 10, 24, 2, 30, tzinfo=BERLIN).astimezone(UTC)
    quarter = timedelta(minutes=15)
    counts = [whole_days(since, since + n * quarter, BERLIN) for n in range(4 * 60)]

    assert counts == sorted(counts)


def told_again(days: float) -> Memory:
    return after_event(a_memory(), Event.MENTION, after(days).now, SETTINGS)


def test_what_is_told_again_is_worth_its_birth_and_a_tenth_more() -> None:
    assert told_again(0).trace.importance == 1.1
    assert told_again(29).trace.importance == 1.1
    assert importance(told_again(29), 45) > importance(a_memory(at=after(29).now), 45)
    assert fates(told_again(29), after(45), SETTINGS) == ()


def test_what_was_asked_to_be_kept_comes_back_to_what_that_was_worth() -> None:
    memory = with_importance(a_memory(), 1.5)
    asked = replace(memory, origin=replace(memory.origin, source=Source.USER))

    again = after_event(asked, Event.MENTION, after(60).now, SETTINGS)
    assert again.trace.importance == 1.6


def test_reinforced_by_hand_a_fading_fact_stays() -> None:
    faded = with_importance(a_memory(), 0.4)

    firm = after_event(faded, Event.MANUAL, NOON, SETTINGS)
    assert fates(faded, after(0), SETTINGS) == (AskReview("decay"),)
    assert firm.trace.importance == 1.3
    assert fates(firm, after(20), SETTINGS) == ()
