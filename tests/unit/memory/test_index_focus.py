"""Focus: five at most, names found or made, links locked in focus (source document 002 §8)."""

import pytest

from memory.changes import Drop, Put
from memory.model import Link, LinkType, Memory, Tier
from memory.network.index import (
    NetworkIndex,
    effective_strength,
    focus_after,
    is_locked,
    named_entities,
)
from tests.builders import a_memory
from tests.fakes.clock import NOON


def an_entity(memory_id: int, name: str) -> Memory:
    return a_memory(memory_id, name, tier=Tier.ENTITY)


def test_what_is_mentioned_becomes_the_most_recent() -> None:
    assert focus_after((1, 2), (3,)) == (1, 2, 3)
    assert focus_after((1, 2, 3), (1,)) == (2, 3, 1)


def test_the_one_not_mentioned_longest_leaves_when_a_sixth_comes() -> None:
    assert focus_after((1, 2, 3, 4, 5), (6,)) == (2, 3, 4, 5, 6)
    assert focus_after((1, 2, 3, 4, 5), (1, 6)) == (3, 4, 5, 1, 6)


def test_of_several_mentions_the_last_counts() -> None:
    assert focus_after((), (1, 2, 1)) == (2, 1)


def test_more_names_at_once_than_there_is_room_for_leave_the_last_ones() -> None:
    assert focus_after((9,), (1, 2, 3, 4, 5, 6, 7)) == (3, 4, 5, 6, 7)
    assert focus_after((9, 8), (1, 2), limit=3) == (8, 1, 2)


def test_without_a_mention_focus_stays() -> None:
    assert focus_after((4, 2), ()) == (4, 2)


def test_a_known_name_is_found_however_it_is_spelt() -> None:
    index = NetworkIndex.of([an_entity(3, "Ramen House"), an_entity(4, "妈妈")])
    named = named_entities(["ｒａｍｅｎ　house ", "妈妈"], index, first_id=9, at=NOON)
    assert dict(named.ids) == {"ｒａｍｅｎ　house ": 3, "妈妈": 4}
    assert named.new == ()


def test_an_unknown_name_becomes_an_entity_once() -> None:
    named = named_entities(["面试", " 面试", "أمي"], NetworkIndex(), first_id=7, at=NOON)
    assert dict(named.ids) == {"面试": 7, " 面试": 7, "أمي": 8}
    assert [(m.id, m.words.text, m.nature.tier) for m in named.new] == [
        (7, "面试", Tier.ENTITY),
        (8, "أمي", Tier.ENTITY),
    ]
    assert named.new[0].trace.created_at == NOON


@pytest.mark.parametrize("name", ["", "   ", "\n"])
def test_an_empty_name_is_no_entity(name: str) -> None:
    named = named_entities([name], NetworkIndex(), first_id=1, at=NOON)
    assert (dict(named.ids), named.new) == ({}, ())


def test_a_name_that_was_dropped_is_made_anew_under_a_new_id() -> None:
    index = NetworkIndex.of([an_entity(3, "妈妈")])
    index.note([Drop(Memory, 3)])
    assert dict(named_entities(["妈妈"], index, first_id=4, at=NOON).ids) == {"妈妈": 4}


def test_a_renamed_entity_is_found_by_its_new_name_only() -> None:
    index = NetworkIndex.of([an_entity(3, "妈")])
    index.note([Put(an_entity(3, "妈妈"))])
    assert (index.entity("妈"), index.entity("妈妈")) == (None, 3)


def test_a_link_to_what_is_in_focus_is_locked_at_one_and_keeps_its_value_after() -> None:
    link = Link(target=3, strength=0.4, type=LinkType.FOCUS)
    assert (is_locked(link, (3,)), effective_strength(link, (3,))) == (True, 1.0)
    assert (is_locked(link, (5,)), effective_strength(link, (5,))) == (False, 0.4)


def test_only_links_of_type_focus_are_locked() -> None:
    assert not is_locked(Link(target=3, strength=0.4, type=LinkType.KEYWORD), (3,))
