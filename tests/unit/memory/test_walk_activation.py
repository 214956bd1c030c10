"""Spreading activation (source document 000 §11.4): hops, cycles, depth limit, ordering."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from random import Random

import pytest

from memory.changes import Put
from memory.model import Link, LinkType, Tier
from memory.network.links import SpokenOf, links_for
from memory.network.walk import Activated, Ways, spread
from memory.state import MemoryState
from tests.builders import a_memory
from tests.fakes.clock import NOON

Net = Mapping[int, Mapping[int, float]]


def walk(net: Net, seeds: Mapping[int, float], **limits: float) -> list[Activated]:
    """Spread over a network written as ``{source: {target: strength}}``."""

    def links_of(node: int) -> Sequence[Link]:
        targets = net.get(node, {})
        return [Link(target=t, strength=s, type=LinkType.KEYWORD) for t, s in targets.items()]

    return spread(seeds, Ways(links_of), **limits)  # type: ignore[arg-type]


def as_map(found: list[Activated]) -> dict[int, float]:
    return {each.memory_id: each.activation for each in found}


def test_one_link_passes_on_strength_times_half() -> None:
    assert walk({1: {2: 0.8}}, {1: 1.0}) == [Activated(2, 0.4, (1, 2))]


def test_two_links_pass_on_the_product_and_the_way_is_kept() -> None:
    found = walk({1: {2: 1.0}, 2: {3: 0.8}}, {1: 1.0})
    assert found == [Activated(2, 0.5, (1, 2)), Activated(3, 0.2, (1, 2, 3))]
    assert [each.depth for each in found] == [1, 2]


def test_the_first_designs_factor_is_a_setting() -> None:
    assert as_map(walk({1: {2: 0.5}}, {1: 1.0}, factor=0.7)) == {2: pytest.approx(0.35)}


def test_nothing_beyond_the_depth_is_reached() -> None:
    chain = {1: {2: 1.0}, 2: {3: 1.0}, 3: {4: 1.0}}
    assert as_map(walk(chain, {1: 1.0}, depth=2)) == {2: 0.5, 3: 0.25}
    assert as_map(walk(chain, {1: 1.0}, depth=3)) == {2: 0.5, 3: 0.25, 4: 0.125}
    assert walk(chain, {1: 1.0}, depth=0) == []


def test_a_circle_ends_and_brings_no_seed_back() -> None:
    circle = {1: {2: 1.0}, 2: {3: 1.0}, 3: {1: 1.0}}
    assert as_map(walk(circle, {1: 1.0}, depth=50, floor=0.0)) == {2: 0.5, 3: 0.25}


def test_a_full_circle_without_loss_ends_too() -> None:
    both_ways = {1: {2: 1.0}, 2: {1: 1.0}}
    assert as_map(walk(both_ways, {1: 1.0}, depth=50, factor=1.0)) == {2: 1.0}


def test_what_equals_the_floor_stays_and_what_is_below_stops() -> None:
    assert as_map(walk({1: {2: 0.2, 3: 0.199}}, {1: 1.0})) == {2: 0.1}


def test_what_equals_the_floor_but_for_rounding_stays() -> None:
    assert 0.8 * (0.21 / 0.8) < 0.21
    assert len(walk({1: {2: 0.21 / 0.8}}, {1: 1.0}, factor=0.8, floor=0.21)) == 1


def test_a_weak_seed_reaches_less_far_than_a_strong_one() -> None:
    net = {1: {2: 0.5}, 3: {4: 0.5}}
    assert as_map(walk(net, {1: 1.0, 3: 0.3})) == {2: 0.25}


def test_the_strongest_way_is_kept_even_when_it_is_longer() -> None:
    net = {1: {3: 0.2, 2: 1.0}, 2: {3: 1.0}}
    assert walk(net, {1: 1.0})[1] == Activated(3, 0.25, (1, 2, 3))


def test_a_way_may_lead_over_another_seed_and_the_seed_is_no_result() -> None:
    net = {1: {2: 1.0}, 2: {3: 1.0}}
    assert walk(net, {1: 1.0, 2: 0.2}) == [Activated(3, 0.25, (1, 2, 3))]


def test_equal_ways_are_settled_by_length_and_then_by_id() -> None:
    net = {9: {5: 0.5}, 2: {5: 0.5}}
    assert walk(net, {9: 1.0, 2: 1.0}) == [Activated(5, 0.25, (2, 5))]
    shortcut = {1: {2: 1.0, 3: 0.5}, 2: {3: 1.0}}
    assert walk(shortcut, {1: 1.0})[1].path == (1, 3)


def test_results_come_strongest_first_and_equal_ones_by_id() -> None:
    net = {1: {7: 0.6, 4: 0.6, 5: 0.9}}
    assert [each.memory_id for each in walk(net, {1: 1.0})] == [5, 4, 7]


def test_at_most_so_many_come_up_as_were_asked_for() -> None:
    net = {1: {n: n / 20 for n in range(10, 20)}}
    assert [each.memory_id for each in walk(net, {1: 1.0})] == [19, 18, 17, 16, 15]
    assert [each.memory_id for each in walk(net, {1: 1.0}, limit=2)] == [19, 18]


def test_what_hangs_on_one_name_brings_each_other_up_without_a_common_word() -> None:
    mother = a_memory(1, "妈妈", tier=Tier.ENTITY)
    call = a_memory(2, "昨晚打来电话", keywords=("电话",), at=NOON - timedelta(days=9))
    stew = a_memory(3, "红烧肉最好吃", keywords=("红烧肉",))
    state, _ = MemoryState().apply(map(Put, (mother, call, stew)))
    focus = {2: {1: SpokenOf("来自")}, 3: {1: SpokenOf("做的")}}
    state, _ = state.apply(links_for([call, stew], state, focus=focus))
    assert spread({2: 1.0}, Ways(state.links_of)) == [
        Activated(1, 0.5, (2, 1)),
        Activated(3, 0.25, (2, 1, 3)),
    ]


def test_no_seed_brings_up_nothing() -> None:
    assert walk({1: {2: 1.0}}, {}) == []


@pytest.mark.parametrize("factor", [0.0, -0.5, 1.01])
def test_a_factor_that_would_let_activation_grow_is_refused(factor: float) -> None:
    with pytest.raises(ValueError, match="outside 0 to 1"):
        walk({}, {1: 1.0}, factor=factor)


def test_what_may_not_be_reached_is_no_result_and_passes_nothing_on() -> None:
    def links_of(node: int) -> Sequence[Link]:
        chain = {1: (2, 4), 2: (3,), 4: (5,)}
        return [Link(target=t, strength=1.0, type=LinkType.KEYWORD) for t in chain.get(node, ())]

    found = spread({1: 1.0}, Ways(links_of, may_reach=lambda node: node != 2))

    assert as_map(found) == {4: 0.5, 5: 0.25}
    # A seed was found by itself: it passes on whatever may be said of it.
    assert as_map(spread({2: 1.0}, Ways(links_of, lambda node: node == 3))) == {3: 0.5}


@pytest.mark.parametrize("seed", range(20))
def test_asking_for_few_gives_the_first_of_all(seed: int) -> None:
    """What is too weak to be among the few is not looked at, and would not have been."""
    chance = Random(seed)
    net = {
        node: {to: chance.choice([0.2, 0.5, 0.8, 1.0]) for to in chance.sample(range(40), 6)}
        for node in range(40)
    }
    seeds = {node: chance.choice([0.5, 1.0]) for node in chance.sample(range(40), 3)}
    everything = walk(net, seeds, limit=1000, depth=3)
    assert [walk(net, seeds, limit=n, depth=3) for n in (1, 3, 10)] == [
        everything[:n] for n in (1, 3, 10)
    ]


def test_what_cannot_be_among_the_few_is_not_asked_for_its_links() -> None:
    asked = list[int]()

    def links_of(node: int) -> Sequence[Link]:
        asked.append(node)
        return [
            Link(target=10 * node + n, strength=0.9, type=LinkType.KEYWORD) for n in range(1, 5)
        ]

    spread({1: 1.0}, Ways(links_of), limit=3)
    assert asked == [1]
