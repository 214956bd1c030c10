"""What all laws share (docs/decisions/fading-laws.md): modes, fading, and what no law may do."""

from dataclasses import replace
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from memory.laws.contract import (
    Archive,
    AskReview,
    CompressTo,
    LawContext,
    SoftDelete,
    allowed_fates,
    may_compress,
)
from memory.laws.registry import Laws
from memory.model import (
    ACTIVE,
    AgentSettings,
    Archived,
    Deleted,
    DeletionPolicy,
    Level,
    Lineage,
    Memory,
    Merged,
    Mode,
    Sensitivity,
    Standing,
    Tier,
)
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.laws import is_fading, is_recallable, quantities, retention

GONE = Deleted(NOON, DeletionPolicy.AUTO_CLEANUP)
LAWS: tuple[str, ...] = Laws().names
WORST = (CompressTo(Level.TRACE), Archive(), AskReview("decay"), SoftDelete())


def after(days: float, connectedness: float = 0.5) -> LawContext:
    return LawContext(NOON + timedelta(days=days), ZoneInfo("Asia/Shanghai"), connectedness)


def under(law: str) -> AgentSettings:
    return AgentSettings(law=law)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(
    ("standing", "normal", "review"),
    [
        (ACTIVE, True, True),
        (Archived(NOON), False, True),
        (Merged(NOON, 2), False, True),
        (GONE, False, False),
    ],
    ids=["active", "archived", "merged", "deleted"],
)
def test_modes_show_more_and_more(
    law: str, standing: Standing, *, normal: bool, review: bool
) -> None:
    memory = replace(a_memory(), standing=standing)

    assert is_recallable(memory, after(0), Mode.NORMAL, under(law)) is normal
    assert is_recallable(memory, after(0), Mode.REVIEW, under(law)) is review
    assert is_recallable(memory, after(0), Mode.DEBUG, under(law)) is True


@pytest.mark.parametrize(("level", "seen"), [(3, True), (2, True), (1, False), (0, False)])
def test_everyday_recall_needs_at_least_a_gist(level: int, *, seen: bool) -> None:
    memory = a_memory()
    less = replace(memory, words=replace(memory.words, level=Level(level)))

    assert is_recallable(less, after(0), Mode.NORMAL, under("tiers")) is seen
    assert is_recallable(less, after(0), Mode.REVIEW, under("tiers")) is True


def test_everyday_recall_passes_over_what_its_law_holds_too_weak() -> None:
    seen = {
        law: [is_recallable(a_memory(), after(d), Mode.NORMAL, under(law)) for d in (1, 3, 500)]
        for law in LAWS
    }

    assert seen == {
        "tiers": [True, True, True],
        "ebbinghaus": [True, False, False],
        "weights": [True, True, False],
        "network": [True, True, True],
        "disuse": [True, True, True],
    }


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("tier", [Tier.CORE, Tier.SYSTEM, Tier.ENTITY])
def test_what_no_law_rules_is_always_recalled_and_never_called_fading(
    law: str, tier: Tier
) -> None:
    memory = a_memory(tier=tier)

    assert is_recallable(memory, after(5000, 0.0), Mode.NORMAL, under(law))
    assert not is_fading(memory, after(5000, 0.0), under(law))


@pytest.mark.parametrize(
    ("law", "firm", "fades"),
    [
        ("tiers", after(16), after(18)),
        ("ebbinghaus", after(1.1), after(1.3)),
        ("weights", after(290), after(300)),
        ("network", after(0, 0.3), after(0, 0.29)),
    ],
)
def test_fading_begins_at_the_border_of_the_law(
    law: str, firm: LawContext, fades: LawContext
) -> None:
    assert not is_fading(a_memory(), firm, under(law))
    assert is_fading(a_memory(), fades, under(law))


def with_nature(**changed: object) -> Memory:
    memory = a_memory()
    return replace(memory, nature=replace(memory.nature, **changed))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "memory",
    [with_nature(pinned=True), with_nature(tier=Tier.CORE), with_nature(tier=Tier.SYSTEM)],
    ids=["pinned", "core", "system"],
)
def test_nothing_happens_to_what_is_firm(memory: Memory) -> None:
    assert allowed_fates(memory, WORST) == ()


@pytest.mark.parametrize("law", LAWS)
def test_what_is_pinned_is_retained_whole_and_never_the_weakest(law: str) -> None:
    pinned = with_nature(pinned=True)
    late = after(900, 0.1)

    assert retention(pinned, late, under(law)) == 1.0
    assert retention(a_memory(), late, under(law)) < 1.0


def test_what_is_sensitive_may_be_archived_and_nothing_worse() -> None:
    memory = with_nature(sensitivity=Sensitivity.SENSITIVE)

    assert allowed_fates(memory, WORST) == (Archive(),)
    assert not may_compress(memory)


def test_an_episode_may_be_deleted_only_after_consolidation() -> None:
    episode = a_memory(tier=Tier.EPISODE)
    consolidated = replace(episode, lineage=Lineage(consolidated_at=NOON))

    assert SoftDelete() not in allowed_fates(episode, WORST)
    assert SoftDelete() in allowed_fates(consolidated, WORST)


def test_a_plain_fact_has_no_protection() -> None:
    assert allowed_fates(a_memory(), WORST) == WORST


def test_every_quantity_is_shown_the_same_under_every_law() -> None:
    (shown,) = {quantities(a_memory(), after(20, connectedness=0.7), under(law)) for law in LAWS}

    assert shown.connectedness == 0.7
    assert shown.strength == 0
    assert 0 < shown.importance < 1
    assert 0.5 < shown.weight < 1.1


@pytest.mark.parametrize("law", LAWS)
def test_a_memory_met_before_its_birth_is_as_new(law: str) -> None:
    assert retention(a_memory(), after(-3), under(law)) == retention(
        a_memory(), after(0), under(law)
    )
