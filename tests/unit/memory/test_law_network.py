"""The arithmetic of the law network against source document 002."""

from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from memory.laws import network
from memory.laws.contract import HealthColour, LawContext
from memory.laws.network import (
    Forget,
    NetworkParameters,
    Shrink,
    Stay,
    Target,
    compression_target,
    target_of,
)
from memory.model import AgentSettings, Lineage, Memory, Sensitivity, Source, Tier
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.laws import fates, health_colour, is_fading, retention

SETTINGS = AgentSettings(law="network")
DEFAULTS = NetworkParameters()
LONG = a_memory(text="讨论" * 50)


def seen(connectedness: float) -> LawContext:
    return LawContext(NOON, ZoneInfo("Asia/Shanghai"), connectedness)


@pytest.mark.parametrize(
    ("connectedness", "length", "target"),
    [
        (1.0, 100, Stay()),
        (7.5, 100, Stay()),
        (0.99, 100, Shrink(99)),
        (0.5, 100, Shrink(50)),
        (0.5, 8, Shrink(10)),
        (0.25, 20, Shrink(5)),
        (0.24, 20, Forget()),
        (0.05, 100, Shrink(5)),
        (0.049, 100, Forget()),
        (0.0, 1000, Forget()),
    ],
)
def test_a_node_keeps_its_share_or_is_forgotten(
    connectedness: float, length: int, target: Target
) -> None:
    assert compression_target(connectedness, length, DEFAULTS) == target


def test_a_text_is_shortened_only_if_the_target_is_clearly_below_it() -> None:
    assert target_of(LONG, 0.8, 100, DEFAULTS) == Stay()
    assert target_of(LONG, 0.79, 100, DEFAULTS) == Shrink(79)


@pytest.mark.parametrize("tier", [Tier.CORE, Tier.SYSTEM, Tier.ENTITY])
def test_what_is_firm_stays_however_lonely(tier: Tier) -> None:
    assert target_of(a_memory(tier=tier), 0.0, 100, DEFAULTS) == Stay()


def sensitive(level: Sensitivity) -> Memory:
    return replace(LONG, nature=replace(LONG.nature, sensitivity=level))


def test_what_was_asked_to_be_kept_is_not_cut() -> None:
    asked = replace(LONG, origin=replace(LONG.origin, verified=True))
    assert target_of(LONG, 0.5, 100, DEFAULTS) == Shrink(50)
    assert target_of(asked, 0.5, 100, DEFAULTS) == Stay()
    assert target_of(asked, 0.0, 100, DEFAULTS) == Forget()


def test_what_was_brought_back_by_hand_is_not_cut_again() -> None:
    back = replace(LONG, lineage=Lineage(restored_at=NOON))
    brought = replace(back, origin=replace(back.origin, source=Source.IMPORT))
    assert target_of(back, 0.5, 100, DEFAULTS) == Stay()
    assert target_of(brought, 0.5, 100, DEFAULTS) == Shrink(50)


def test_what_is_sensitive_is_neither_shortened_nor_forgotten() -> None:
    assert target_of(sensitive(Sensitivity.SENSITIVE), 0.5, 100, DEFAULTS) == Stay()
    assert target_of(sensitive(Sensitivity.SECRET), 0.0, 100, DEFAULTS) == Stay()


def test_sensitivity_one_is_touched_at_every_second_scan_only() -> None:
    ordinary = sensitive(Sensitivity.ORDINARY)
    targets = [
        target_of(
            replace(ordinary, trace=replace(ordinary.trace, scan_count=scans)), 0.5, 100, DEFAULTS
        )
        for scans in range(4)
    ]

    assert targets == [Shrink(50), Stay(), Shrink(50), Stay()]


def test_an_episode_is_forgotten_only_after_it_was_consolidated() -> None:
    episode = a_memory(tier=Tier.EPISODE)
    consolidated = replace(episode, lineage=Lineage(consolidated_at=NOON))

    assert target_of(episode, 0.0, 100, DEFAULTS) == Stay()
    assert target_of(consolidated, 0.0, 100, DEFAULTS) == Forget()


def test_a_night_decides_nothing_because_time_is_no_parameter() -> None:
    assert fates(LONG, seen(0.0), SETTINGS) == ()


def test_retention_is_the_connectedness_up_to_one() -> None:
    assert retention(LONG, seen(0.4), SETTINGS) == 0.4
    assert retention(LONG, seen(3.0), SETTINGS) == 1.0


@pytest.mark.parametrize(
    ("connectedness", "band"),
    [
        (0.3, HealthColour.GREEN),
        (0.29, HealthColour.YELLOW),
        (0.1, HealthColour.YELLOW),
        (0.09, HealthColour.RED),
    ],
)
def test_health_follows_the_connectedness(connectedness: float, band: HealthColour) -> None:
    assert health_colour(network.LAW, LONG, seen(connectedness), SETTINGS) is band
    assert is_fading(LONG, seen(connectedness), SETTINGS) is (band is not HealthColour.GREEN)
