"""What a surface sees of a memory."""

from dataclasses import replace
from datetime import timedelta

import pytest

from memory.changes import AgentInfo, Links, Put
from memory.model import AgentSettings, Lineage, Link, LinkType
from memory.state import MemoryState
from memory.views import view
from tests.builders import a_memory
from tests.fakes.clock import NOON


def test_a_view_shows_the_four_quantities_at_the_instant() -> None:
    state, _ = MemoryState().apply([Put(a_memory())])

    seen = view(a_memory(), state, NOON + timedelta(days=8))

    assert (seen.importance, seen.strength) == (0.95, 0)
    assert seen.weight == pytest.approx(1.1 / (1 + 0.08 / 1.1))
    assert seen.connectedness == 0.5
    assert seen.retention == pytest.approx(0.95 / 3)
    assert not seen.fading


def test_a_view_shows_what_is_stored() -> None:
    memory = a_memory(keywords=("拉面",))
    state, _ = MemoryState().apply([Put(memory)])

    seen = view(memory, state, NOON)

    assert (seen.id, seen.text, seen.keywords) == (1, "主人喜欢拉面", ("拉面",))
    assert (seen.tier, seen.kind, seen.topic) == ("fact", "fact", "memory")
    assert seen.source_ids == ("s1",)
    assert seen.created_at == NOON


def test_retention_is_judged_under_the_agents_own_law() -> None:
    link = Link(target=2, strength=0.2, type=LinkType.KEYWORD)
    state, _ = MemoryState().apply(
        [
            Put(AgentInfo(settings=AgentSettings(law="network"))),
            Put(a_memory()),
            Put(a_memory(2)),
            Put(Links(source=1, links=(link,))),
        ]
    )

    seen = view(a_memory(), state, NOON)

    assert seen.retention == seen.connectedness == 0.2
    assert seen.fading


def test_what_was_negated_or_replaced__past() -> None:
    memory = a_memory()
    negated = replace(memory, trace=replace(memory.trace, negated_at=NOON))
    replaced = replace(memory, lineage=Lineage(replaced_by=2, valid_until=NOON))
    doubted = replace(memory, lineage=Lineage(replaced_by=2))

    assert not view(memory, MemoryState(), NOON).past
    assert view(negated, MemoryState(), NOON).past
    assert view(replaced, MemoryState(), NOON).past
    assert not view(doubted, MemoryState(), NOON).past
