"""Revision: the five scenarios of source document 001, three strategies, merging alike ones."""

from dataclasses import replace
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from memory.laws.contract import LawContext
from memory.laws.law import Event
from memory.merging.batch_merge import similar_batches
from memory.model import AgentSettings, Kind, Merged, Sensitivity, Tier
from memory.revision import (
    CreateNew,
    MergeInto,
    NoChange,
    Refresh,
    Strategy,
    Supersede,
    Trigger,
    merged_memory,
    negated,
    revise,
    strategy_for,
    successor,
    superseded,
)
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.laws import after_event, quantities, rules_of

SETTINGS = AgentSettings()
RULES = rules_of(SETTINGS)
SETTINGS_ZONE = ZoneInfo(SETTINGS.time_zone)
LATER = NOON + timedelta(days=3)


def test_a_mention_refreshes_what_is_known_and_creates_what_is_not() -> None:
    assert revise(Trigger.MENTION, a_memory(1), LATER, RULES) == Refresh(1)
    assert revise(Trigger.MENTION, None, LATER, RULES) == CreateNew()


def test_the_third_statement_in_a_day_merges_and_the_first_one_counts() -> None:
    memory = after_event(a_memory(1), Event.MENTION, NOON + timedelta(hours=5), SETTINGS)

    assert revise(Trigger.MENTION, memory, NOON + timedelta(hours=10), RULES) == MergeInto(1)
    assert revise(Trigger.MENTION, memory, NOON + timedelta(hours=25), RULES) == Refresh(1)


def test_the_third_mention_in_a_day_merges() -> None:
    memory = a_memory(1)
    for hours in (0, 5):
        memory = after_event(memory, Event.MENTION, LATER + timedelta(hours=hours), SETTINGS)

    assert revise(Trigger.MENTION, memory, LATER + timedelta(hours=10), RULES) == MergeInto(1)
    assert revise(Trigger.MENTION, memory, LATER + timedelta(hours=30), RULES) == Refresh(1)


@pytest.mark.parametrize("trigger", [Trigger.NEGATION, Trigger.CORRECTION])
def test_a_contradiction_negates_by_kind_and_certainty(trigger: Trigger) -> None:
    home = a_memory(1, kind=Kind.FACT)
    taste = a_memory(2, kind=Kind.LASTING_PREFERENCE)

    assert revise(trigger, home, LATER, RULES) == Supersede(1, Strategy.LATEST_WINS)
    assert revise(trigger, taste, LATER, RULES) == Supersede(2, Strategy.VERSION_KEEP)
    unsure = revise(trigger, taste, LATER, RULES, confidence=0.4)
    assert unsure == Supersede(2, Strategy.WEIGHT_BALANCE)
    assert revise(trigger, None, LATER, RULES) == CreateNew()


def test_passive_compression_moves_nothing() -> None:
    assert revise(Trigger.COMPRESSION, a_memory(1), LATER, RULES) == NoChange()


@pytest.mark.parametrize(
    ("kind", "strategy"),
    [
        (Kind.IDENTITY, Strategy.LATEST_WINS),
        (Kind.FACT, Strategy.LATEST_WINS),
        (Kind.PASSING_PREFERENCE, Strategy.VERSION_KEEP),
        (Kind.LASTING_PREFERENCE, Strategy.VERSION_KEEP),
    ],
)
def test_the_strategy_follows_the_kind(kind: Kind, strategy: Strategy) -> None:
    assert strategy_for(a_memory(1, kind=kind), 0.5) is strategy
    assert strategy_for(a_memory(1, kind=kind), 0.49) is Strategy.WEIGHT_BALANCE


def test_latest_wins_marks_the_old_as_over() -> None:
    old = superseded(a_memory(1), 2, Strategy.LATEST_WINS, LATER, RULES)

    assert (old.is_active, old.is_past) == (True, True)
    assert (old.lineage.replaced_by, old.lineage.valid_until) == (2, LATER)


def test_version_keep_keeps_it_as_a_thing_of_the_past() -> None:
    old = superseded(a_memory(1), 2, Strategy.VERSION_KEEP, LATER, RULES)

    assert old.is_active
    assert (old.trace.negated_at, old.lineage.valid_until) == (LATER, LATER)
    context = LawContext(LATER, SETTINGS_ZONE)
    assert (
        quantities(old, context, SETTINGS).weight
        < quantities(a_memory(1), context, SETTINGS).weight
    )


def test_weight_balance_lets_both_stand() -> None:
    old = superseded(a_memory(1), 2, Strategy.WEIGHT_BALANCE, LATER, RULES)

    assert old.is_active
    assert (old.trace.negated_at, old.lineage.valid_until) == (None, None)
    assert old.trace.stability_hours < a_memory(1).trace.stability_hours
    assert old.lineage.replaced_by == 2


def test_a_negation_refreshes_no_activation() -> None:
    old = negated(a_memory(1), 2, LATER, RULES)

    assert old.trace.activated_at == NOON
    assert old.trace.created_at == NOON
    assert old.trace.negated_at == LATER


def test_a_successor_inherits_pin_tier_and_importance_as_of_now() -> None:
    old = a_memory(1, tier=Tier.CORE)
    old = replace(
        old,
        nature=replace(old.nature, pinned=True),
        trace=replace(old.trace, importance=3.0),
    )

    new = successor(a_memory(2, "新的"), old, LATER, RULES)

    assert (new.nature.tier, new.nature.pinned, new.trace.importance) == (Tier.CORE, True, 3.0)
    assert (new.lineage.replaces, new.lineage.valid_from) == (1, LATER)
    assert new.words.text == "新的"


def test_ten_mornings_of_coffee_are_one_batch() -> None:
    mornings = [a_memory(n, "主人早上喝了咖啡", at=NOON + timedelta(days=n)) for n in range(1, 11)]
    others = [
        a_memory(20, "主人喜欢猫"),
        a_memory(21, "主人早上没喝咖啡"),
        a_memory(22, "主人早上喝了咖啡", tier=Tier.EPISODE),
        replace(a_memory(23, "主人早上喝了咖啡"), standing=Merged(NOON, 1)),
    ]

    (batch,) = similar_batches([*others, *mornings])

    assert [memory.id for memory in batch] == list(range(10, 0, -1))


def test_what_is_alike_at_the_border_is_a_batch() -> None:
    pair = [a_memory(1, "I love morning coffee"), a_memory(2, "I love morning coffee a lot")]

    assert similar_batches(pair, 1.0) == []
    assert len(similar_batches(pair)) == 1


def test_a_batch_becomes_one_based_on_the_latest_activated() -> None:
    mornings = []
    for n in range(1, 11):
        memory = a_memory(n, "主人早上喝了咖啡", at=NOON + timedelta(days=n))
        mornings.append(after_event(memory, Event.MENTION, NOON + timedelta(days=n), SETTINGS))
    first, *rest = mornings
    special = replace(first.nature, sensitivity=Sensitivity.ORDINARY, pinned=True)

    one = merged_memory([replace(first, nature=special), *rest], 99, "主人每天早上喝咖啡", LATER)

    assert (one.id, one.words.text) == (99, "主人每天早上喝咖啡")
    assert one.lineage.merged_from == tuple(range(1, 11))
    assert one.trace.mention_count == 20
    assert len(one.trace.mentions) == 19
    assert one.trace.activated_at == NOON + timedelta(days=10)
    assert one.trace.created_at == NOON + timedelta(days=1)
    assert one.source_ids == tuple(f"s{n}" for n in range(1, 11))
    assert (one.nature.sensitivity, one.nature.pinned) == (Sensitivity.ORDINARY, True)
