"""One compression cycle of a node: decaying links, scan order, what is left."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import assert_never

import pytest

from memory.changes import AgentInfo, Links, Put
from memory.laws.network import Forget, NetworkParameters, Shrink, Stay, target_of
from memory.model import (
    ACTIVE,
    AgentSettings,
    Archived,
    Deleted,
    DeletionPolicy,
    Level,
    Link,
    LinkType,
    Memory,
    Tier,
    Words,
)
from memory.network.cycle import (
    in_scan_order,
    is_unused_entity,
    original_length,
    scanned_node,
    shortened_words,
)
from memory.network.index import NetworkIndex
from memory.network.links import SpokenOf, connectedness, links_for
from memory.state import MemoryState
from tests.builders import a_memory
from tests.fakes.clock import NOON

NETWORK = AgentSettings(law="network")
PARAMS = NetworkParameters()


def linked(strength: float, target: int = 2, *, type_: LinkType = LinkType.KEYWORD) -> Link:
    return Link(target=target, strength=strength, type=type_)


def a_net(
    *memories: Memory,
    links: Mapping[int, Sequence[Link]] | None = None,
    focus: tuple[int, ...] = (),
) -> MemoryState:
    lists = [Put(Links(source=s, links=tuple(e))) for s, e in (links or {}).items()]
    house = AgentInfo(settings=NETWORK, focus=focus)
    state, _ = MemoryState().apply([*map(Put, memories), *lists, Put(house)])
    return state


def strengths(state: MemoryState, node: int = 1) -> list[float]:
    return [round(link.strength, 6) for link in state.links_of(node)]


def test_a_cycle_wears_every_link_by_three_hundredths() -> None:
    state = a_net(*map(a_memory, (1, 2, 3)), links={1: [linked(0.8), linked(0.5, 3)]})
    scanned = scanned_node(1, state)
    assert scanned.connectedness == pytest.approx(0.97 * 1.3)
    after, _ = state.apply(scanned.unchanged())
    assert strengths(after) == [0.776, 0.485]


def test_the_rate_is_a_parameter() -> None:
    state = a_net(a_memory(1), a_memory(2), links={1: [linked(0.8)]})
    assert scanned_node(1, state, decay_rate=0.5).connectedness == 0.4


@pytest.mark.parametrize(("strength", "left"), [(0.0103, []), (0.0104, [0.010088])])
def test_a_link_worn_under_a_hundredth_breaks(strength: float, left: list[float]) -> None:
    state = a_net(a_memory(1), a_memory(2), links={1: [linked(strength)]})
    after, _ = state.apply(scanned_node(1, state).unchanged())
    assert strengths(after) == left


def test_a_node_whose_links_all_broke_is_not_taken_for_one_that_never_had_any() -> None:
    state = a_net(a_memory(1), a_memory(2), links={1: [linked(0.01)]})
    after, _ = state.apply(scanned_node(1, state).unchanged())
    assert connectedness(1, after) == 0
    assert scanned_node(1, after).connectedness == 0


def test_a_node_that_never_had_a_link_counts_as_half_and_fades_by_being_scanned() -> None:
    state = a_net(a_memory(1))
    assert connectedness(1, state) == 0.5
    for scan in range(1, 301):
        scanned = scanned_node(1, state)
        state, _ = state.apply(scanned.unchanged())
        assert scanned.connectedness == connectedness(1, state) == 0.5 * 0.97**scan

    assert 1 not in state.links
    assert connectedness(1, state) < 0.001


def test_a_link_to_what_is_in_focus_is_held_at_one() -> None:
    mother = a_memory(2, "妈妈", tier=Tier.ENTITY)
    state = a_net(a_memory(1), mother, links={1: [linked(0.6, type_=LinkType.FOCUS)]}, focus=(2,))
    for _ in range(3):
        state, _ = state.apply(scanned_node(1, state).unchanged())
    assert strengths(state) == [1.0]


def test_out_of_focus_it_wears_from_the_value_it_had() -> None:
    mother = a_memory(2, "妈妈", tier=Tier.ENTITY)
    hanging = linked(1.0, type_=LinkType.FOCUS)
    state = a_net(a_memory(1), mother, links={1: [hanging]})
    after, _ = state.apply(scanned_node(1, state).unchanged())
    assert strengths(after) == [0.97]


def test_links_stay_strongest_first_when_one_of_them_is_held() -> None:
    mother = a_memory(2, "妈妈", tier=Tier.ENTITY)
    links = [linked(0.9, 3), linked(0.2, type_=LinkType.FOCUS)]
    state = a_net(a_memory(1), mother, a_memory(3), links={1: links}, focus=(2,))
    after, _ = state.apply(scanned_node(1, state).unchanged())
    assert [link.target for link in after.links_of(1)] == [2, 3]


def test_dangling_links_wear_like_any_other_but_connect_to_nothing() -> None:
    state = a_net(a_memory(1), a_memory(2), links={1: [linked(0.6), linked(0.5, 99)]})
    scanned = scanned_node(1, state)
    after, _ = state.apply(scanned.unchanged())
    assert scanned.connectedness == pytest.approx(0.582)
    assert strengths(after) == [0.582, 0.485]


def test_every_scan_is_counted_whatever_becomes_of_the_node() -> None:
    state = a_net(a_memory(1))
    scanned = scanned_node(1, state)
    for changes in (
        scanned.unchanged(),
        scanned.shortened(scanned.memory),
        scanned.forgotten(NOON),
    ):
        after, _ = state.apply(changes)
        assert after.memory(1).trace.scan_count == 1


def test_compressing_changes_neither_when_it_began_nor_when_it_was_mentioned() -> None:
    state = a_net(a_memory(1))
    after, _ = state.apply(scanned_node(1, state).unchanged())
    assert replace(after.memory(1).trace, scan_count=0) == state.memory(1).trace


def test_the_node_goes_at_once_and_links_to_it_stay() -> None:
    state = a_net(a_memory(1), a_memory(2), links={1: [linked(0.5)], 2: [linked(0.5, 1)]})
    later = NOON + timedelta(days=1)
    after, _ = state.apply(scanned_node(1, state).forgotten(later))
    assert after.memory(1).standing == Deleted(later, DeletionPolicy.AUTO_CLEANUP)
    assert [link.target for link in after.links_of(2)] == [1]
    assert connectedness(2, after) == 0


def test_what_was_scanned_least_is_scanned_first() -> None:
    def scanned_often(memory_id: int, count: int) -> Memory:
        memory = a_memory(memory_id)
        return replace(memory, trace=replace(memory.trace, scan_count=count))

    state = a_net(scanned_often(1, 3), scanned_often(2, 0), scanned_often(3, 1), a_memory(4))
    assert in_scan_order(state, made_before=5) == [2, 4, 3, 1]


def test_focus_and_what_is_newer_than_the_last_remember_are_skipped() -> None:
    mother = a_memory(2, "妈妈", tier=Tier.ENTITY)
    state = a_net(a_memory(1), mother, a_memory(3), a_memory(4), focus=(2,))
    assert in_scan_order(state, made_before=4) == [1, 3]


@pytest.mark.parametrize(
    "standing", [Archived(NOON), Deleted(NOON, DeletionPolicy.USER_DELETE)], ids=repr
)
def test_only_what_is_in_recall_is_scanned(standing: Archived | Deleted) -> None:
    state = a_net(replace(a_memory(1), standing=standing), a_memory(2))
    assert in_scan_order(state, made_before=9) == [2]


def test_stopping_after_any_node_and_going_on_scans_each_once() -> None:
    state = a_net(*(a_memory(n) for n in range(1, 8)))
    seen: list[int] = []
    while len(seen) < 7:
        for node in in_scan_order(state, made_before=8)[:3]:
            state, _ = state.apply(scanned_node(node, state).unchanged())
            seen.append(node)
    assert seen[:7] == [1, 2, 3, 4, 5, 6, 7]


def test_a_name_goes_only_when_nothing_alive_hangs_on_it() -> None:
    mother, episode = a_memory(1, "妈妈", tier=Tier.ENTITY), a_memory(2)
    index, state = NetworkIndex(), a_net(mother)
    changes = [
        Put(episode),
        *links_for([episode], state, index=index, focus={2: {1: SpokenOf("关于")}}),
    ]
    state, _ = state.apply(changes)
    index.note(changes)
    assert not is_unused_entity(mother, state, index)
    gone, _ = state.apply(scanned_node(2, state).forgotten(NOON))
    assert is_unused_entity(mother, gone, index)
    assert not is_unused_entity(episode, gone, index)
    focused, _ = gone.apply([Put(AgentInfo(settings=NETWORK, focus=(1,)))])
    assert not is_unused_entity(mother, focused, index)


def test_a_name_goes_once_the_last_link_to_it_has_broken() -> None:
    mother = a_memory(1, "妈妈", tier=Tier.ENTITY)
    worn = linked(0.0103, 1, type_=LinkType.FOCUS)
    state = a_net(mother, a_memory(2), links={2: [worn]})
    index = NetworkIndex.build(state)
    assert not is_unused_entity(mother, state, index)
    changes = scanned_node(2, state).unchanged()
    state, _ = state.apply(changes)
    index.note(changes)
    assert is_unused_entity(mother, state, index)


WORDS = Words(text="今天面试很紧张，但是通过了", phrase="面试通过", keywords=("面试", "紧张"))


def test_a_compression_rewrites_text_phrase_and_keywords() -> None:
    assert shortened_words(WORDS, " 面试通过了 ", "面试", ["面试"], 8) == Words(
        text="面试通过了",
        phrase="面试",
        keywords=("面试",),
        level=Level.SUMMARY,
        original_length=13,
    )


@pytest.mark.parametrize("answer", ["", "  \n", "面试通过了，很紧张"])
def test_an_empty_or_too_long_answer_is_none(answer: str) -> None:
    assert shortened_words(WORDS, answer, "", [], 8) is None


def test_phrase_and_keywords_are_never_longer_than_before() -> None:
    shorter = shortened_words(WORDS, "面试通过了", "今天的面试", ["a", "b", "c", "a", " "], 8)
    assert shorter is not None
    assert (shorter.phrase, shorter.keywords) == ("面试通过", ("a", "b"))


def test_phrase_and_keywords_that_were_not_answered_stay() -> None:
    shorter = shortened_words(WORDS, "面试通过了", "", [], 8)
    assert shorter is not None
    assert (shorter.phrase, shorter.keywords) == ("面试通过", ("面试", "紧张"))


def test_the_original_length_outlives_compressions_and_a_level_never_rises() -> None:
    tag = replace(WORDS, level=Level.TAG)
    once = shortened_words(tag, "面试通过了", "", [], 8)
    assert once is not None
    twice = shortened_words(once, "通过", "", [], 4)
    assert twice is not None
    assert (original_length(WORDS), original_length(once), original_length(twice)) == (13,) * 3
    assert twice.level is Level.TAG


def one_cycle(state: MemoryState) -> MemoryState:
    """Return the state after node 1 was scanned; the model keeps the first characters."""
    scanned = scanned_node(1, state)
    words = scanned.memory.words
    target = target_of(scanned.memory, scanned.connectedness, original_length(words), PARAMS)
    match target:
        case Stay():
            changes = scanned.unchanged()
        case Shrink(characters):
            shorter = shortened_words(words, words.text[:characters], "", [], characters)
            assert shorter is not None
            changes = scanned.shortened(replace(scanned.memory, words=shorter))
        case Forget():
            changes = scanned.forgotten(NOON)
        case never:
            assert_never(never)
    return state.apply(changes)[0]


def test_nobody_talks_of_it_again_so_it_shrinks_and_is_forgotten() -> None:
    text = "昨天和老王在河边钓鱼，钓到三条鲫鱼，晚上炖了汤，味道特别鲜美"
    state = a_net(a_memory(1, text), a_memory(2), links={1: [linked(1.0)]})
    lengths = []
    while state.memory(1).standing == ACTIVE:
        lengths.append(len(state.memory(1).words.text))
        state = one_cycle(state)
    assert 30 * 0.97**59 < 5 < 30 * 0.97**58
    assert (lengths[0], len(lengths)) == (30, 59)
    assert lengths == sorted(lengths, reverse=True)
    assert 4 <= len(set(lengths)) <= 10
