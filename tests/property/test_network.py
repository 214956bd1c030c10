"""What holds for every network, whatever its links."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from memory.changes import AgentInfo, Links, Put
from memory.model import AgentSettings, Link, LinkType, Memory, Tier
from memory.network.cycle import in_scan_order, scanned_node
from memory.network.index import NetworkIndex
from memory.network.links import connectedness, links_for, links_used_together, missing_links
from memory.network.walk import Activated, Ways, recall_text, spread
from memory.state import MemoryState
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.cost import times

NODES = st.integers(1, 8)
UNIT = st.floats(0.0, 1.0)
NETS = st.dictionaries(NODES, st.dictionaries(NODES, UNIT, max_size=5), max_size=8)
SEEDS = st.dictionaries(NODES, UNIT, min_size=1, max_size=3)

Net = Mapping[int, Mapping[int, float]]


@st.composite
def memories(draw: st.DrawFn) -> list[Memory]:
    """Draw memories that share few words, few turns and few hours, so that much is equal."""
    made = []
    for memory_id in range(1, draw(st.integers(2, 45)) + 1):
        words = draw(st.lists(st.sampled_from(["面试", "妈妈", "ramen", "☕"]), max_size=3))
        hours = draw(st.integers(0, 40))
        turn = draw(st.sampled_from(["", "", "t1", "t2"]))
        tier = Tier.EPISODE if turn and draw(st.booleans()) else Tier.FACT
        memory = a_memory(
            memory_id, at=NOON + timedelta(hours=hours), keywords=tuple(words), tier=tier
        )
        made.append(replace(memory, origin=replace(memory.origin, turn_id=turn)))
    return made


def by_stretch(given: list[Memory]) -> list[list[Memory]]:
    """Group memories as they are really remembered: a turn at once, the others one by one."""
    batches: dict[str, list[Memory]] = {}
    for memory in given:
        batches.setdefault(memory.origin.turn_id or f"alone {memory.id}", []).append(memory)
    return list(batches.values())


def links_after(batches: list[list[Memory]]) -> Mapping[int, Links]:
    state, index = MemoryState(), NetworkIndex()
    for batch in batches:
        changes = [*map(Put, batch), *links_for(batch, state, index=index)]
        state, _ = state.apply(changes)
        index.note(changes)
    return state.links


@settings(max_examples=times(6, hunting=150), deadline=None)
@given(memories(), st.randoms(use_true_random=False))
def test_links_do_not_depend_on_the_order_of_remembering(
    given: list[Memory], chance: Random
) -> None:
    batches = by_stretch(given)
    shuffled = [chance.sample(batch, len(batch)) for batch in batches]
    chance.shuffle(shuffled)
    assert links_after(shuffled) == links_after(batches)


@settings(max_examples=times(8, hunting=150), deadline=None)
@given(memories())
def test_rebuilding_equals_growing(given: list[Memory]) -> None:
    bare, _ = MemoryState().apply(map(Put, given))
    rebuilt, _ = bare.apply(missing_links(bare))
    assert rebuilt.links == links_after(by_stretch(given))
    assert missing_links(rebuilt) == []


@settings(max_examples=times(10, hunting=200), deadline=None)
@given(memories(), st.lists(st.lists(st.integers(1, 45), max_size=6), max_size=8))
def test_strengths_stay_within_one_and_lists_strongest_first(
    given: list[Memory], recalled: list[list[int]]
) -> None:
    state, _ = MemoryState().apply(map(Put, given))
    state, _ = state.apply(missing_links(state))
    for ids in recalled:
        state, _ = state.apply(links_used_together(ids, state))
    for record in state.links.values():
        strengths = [link.strength for link in record.links]
        assert all(0.0 <= strength <= 1.0 for strength in strengths)
        assert strengths == sorted(strengths, reverse=True)


def spread_over(
    net: Net, seeds: Mapping[int, float], *, depth: int, limit: int
) -> list[Activated]:
    def links_of(node: int) -> list[Link]:
        targets = net.get(node, {})
        return [Link(target=t, strength=s, type=LinkType.KEYWORD) for t, s in targets.items()]

    return spread(seeds, Ways(links_of), depth=depth, limit=limit)


@settings(max_examples=times(30, hunting=750), deadline=None)
@given(NETS, SEEDS, st.integers(0, 4))
def test_activation_never_grows_along_a_path(
    net: Net, seeds: dict[int, float], depth: int
) -> None:
    for found in spread_over(net, seeds, depth=depth, limit=99):
        activation = seeds[found.path[0]]
        for here, there in zip(found.path, found.path[1:], strict=False):
            passed_on = activation * 0.5 * net[here][there]
            assert passed_on <= activation
            activation = passed_on
        assert found.path[-1] == found.memory_id
        assert abs(found.activation - activation) < 1e-12
        assert found.depth <= depth


@settings(max_examples=times(30, hunting=750), deadline=None)
@given(NETS, SEEDS, st.integers(0, 3))
def test_no_way_is_stronger_than_the_one_kept(
    net: Net, seeds: dict[int, float], depth: int
) -> None:
    best: dict[int, float] = {}

    def try_every_way(node: int, activation: float, left: int) -> None:
        best[node] = max(best.get(node, 0.0), activation)
        for target, strength in net.get(node, {}).items() if left else ():
            if activation * 0.5 * strength >= 0.1:
                try_every_way(target, activation * 0.5 * strength, left - 1)

    for node, activation in seeds.items():
        try_every_way(node, activation, depth)
    found = {e.memory_id: e.activation for e in spread_over(net, seeds, depth=depth, limit=99)}
    assert found == {node: a for node, a in best.items() if node not in seeds}


@settings(max_examples=times(10, hunting=200), deadline=None)
@given(memories(), st.lists(st.integers(1, 45), max_size=5), st.integers(0, 3))
def test_recall_changes_nothing(given: list[Memory], focus: list[int], depth: int) -> None:
    state, _ = MemoryState().apply(map(Put, given))
    house = AgentInfo(settings=AgentSettings(), focus=tuple(dict.fromkeys(focus)))
    state, _ = state.apply([*missing_links(state), Put(house)])
    before = digest(state)
    index = NetworkIndex.build(state)
    texts = {
        recall_text(keywords, relations, depth, state, index=index)
        for keywords in ([], ["拉面"])
        for relations in ([], ["下文"])
        for _ in range(2)
    }
    assert digest(state) == before
    assert len(texts) <= 4
    assert links_for(given[:1], state, index=index) == []


def digest(state: MemoryState) -> str:
    """Return a hash over every record that stands."""
    records = [*state.memories.items(), *state.links.items(), *state.agent_infos.items()]
    return sha256(repr(sorted(records, key=repr)).encode()).hexdigest()


@settings(max_examples=times(8, hunting=150), deadline=None)
@given(memories(), st.integers(1, 40))
def test_cycles_only_ever_weaken_a_network(given: list[Memory], cycles: int) -> None:
    state, _ = MemoryState().apply(map(Put, given))
    state, _ = state.apply(missing_links(state))
    for number in range(cycles):
        node = in_scan_order(state, made_before=99)[0]
        assert state.memory(node).trace.scan_count == number // len(given)
        before = connectedness(node, state)
        scanned = scanned_node(node, state)
        state, _ = state.apply(scanned.unchanged())
        assert connectedness(node, state) == scanned.connectedness <= before
