"""Scheme A of source document 002 §11.2.4: the least connected of a sample makes room."""

from dataclasses import replace
from random import Random

from memory.changes import AgentInfo, Links, Put
from memory.model import AgentSettings, Archived, Link, LinkType, Memory, Tier
from memory.network.cycle import nodes_over_capacity
from memory.state import MemoryState
from tests.builders import a_memory
from tests.fakes.clock import NOON

HUB = a_memory(1, "妈妈", tier=Tier.ENTITY)


def connected(strengths: dict[int, float], *, focus: tuple[int, ...] = ()) -> MemoryState:
    """Return a state whose memories hang on one name with these strengths."""
    lists = [
        Put(Links(source=n, links=(Link(target=1, strength=s, type=LinkType.KEYWORD),)))
        for n, s in strengths.items()
    ]
    house = AgentInfo(settings=AgentSettings(), focus=focus)
    memories = [Put(a_memory(n)) for n in strengths]
    state, _ = MemoryState().apply([Put(HUB), *memories, *lists, Put(house)])
    return state


def room(
    incoming: int,
    state: MemoryState,
    *,
    capacity: int,
    sample: int = 99,
    firm: tuple[int, ...] = (),
    seed: int = 0,
) -> list[int]:
    def may_go(memory: Memory) -> bool:
        return memory.id not in firm

    return nodes_over_capacity(
        incoming, state, Random(seed), capacity=capacity, sample=sample, may_go=may_go
    )


STATE = connected({2: 0.5, 3: 0.1, 4: 0.9, 5: 0.3})


def test_while_there_is_room_nobody_goes() -> None:
    assert room(1, STATE, capacity=5) == []


def test_the_least_connected_goes_first_and_as_many_as_come() -> None:
    assert room(1, STATE, capacity=4) == [3]
    assert room(2, STATE, capacity=4) == [3, 5]


def test_equally_connected_go_by_id() -> None:
    assert room(2, connected({5: 0.3, 3: 0.3, 4: 0.3}), capacity=3) == [3, 4]


def test_names_and_what_is_out_of_recall_take_no_place() -> None:
    put_away = replace(a_memory(6), standing=Archived(NOON))
    state, _ = STATE.apply([Put(put_away), Put(a_memory(7, "爸爸", tier=Tier.ENTITY))])
    assert room(1, state, capacity=5) == []


def test_what_is_in_focus_or_may_not_go_stays() -> None:
    state = connected({2: 0.5, 3: 0.1, 4: 0.9}, focus=(3,))
    assert room(1, state, capacity=3, firm=(2,)) == [4]


def test_if_nobody_may_go_the_capacity_is_exceeded() -> None:
    assert room(3, STATE, capacity=4, firm=(2, 3, 4, 5)) == []
    assert room(3, STATE, capacity=4, firm=(2, 3, 4)) == [5]


def test_a_sample_is_enough_to_choose_and_chance_decides_it() -> None:
    state = connected({n: n / 100 for n in range(2, 100)})
    chosen = {room(1, state, capacity=98, sample=4, seed=seed)[0] for seed in range(20)}
    assert len(chosen) > 5
    assert sum(chosen) / len(chosen) < 40
    again = [room(3, state, capacity=98, sample=4, seed=7) for _ in range(2)]
    assert again[0] == again[1]
    assert len(set(again[0])) == 3
