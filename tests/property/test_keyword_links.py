"""Links by keywords are those that comparing every pair would give, found without doing so."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest

from memory.changes import Change, Drop, Links, Put
from memory.model import Archived, LinkType, Memory
from memory.network.index import LEAST_OVERLAP, NetworkIndex, jaccard
from memory.network.links import links_for, missing_links
from memory.state import MAX_LINKS, MemoryState
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.cost import share


class EveryPair(NetworkIndex):
    """Compares a memory with every other, and tells every overlap."""

    def __init__(self) -> None:
        super().__init__()
        self._noted: dict[int, Memory] = {}

    def note(self, changes: Iterable[Change]) -> None:
        noted = list(changes)
        super().note(noted)
        put = (each.record for each in noted if isinstance(each, Put))
        self._noted |= {each.id: each for each in put if isinstance(each, Memory)}

    def sharing_keywords(self, memory: Memory) -> Iterator[tuple[int, float]]:
        words = frozenset(memory.words.keywords)
        for other in (self._noted[each] for each in self.memory_ids):
            overlap = jaccard(words, frozenset(other.words.keywords))
            if other.id != memory.id and overlap >= LEAST_OVERLAP:
                yield other.id, overlap


def a_life(rng: Random, words: int) -> Iterator[list[Change]]:
    """Yield what happens: memories alike in many ways are made, change, go and lose links."""
    made: dict[int, Memory] = {}
    for number in range(1, 3 * MAX_LINKS):
        at = NOON + timedelta(hours=rng.choice((1, 12, 60)) * number)
        memory = a_memory(number, keywords=some(rng, words), at=at)
        turn = rng.choice(("", "", "t1", "t2"))
        made[number] = replace(memory, origin=replace(memory.origin, turn_id=turn))
        yield [Put(made[number])]
        if rng.random() < 0.1:
            other = rng.choice(list(made.values()))
            changed = replace(other, words=replace(other.words, keywords=some(rng, words)))
            gone = replace(other, standing=Archived(at=at))
            made[other.id] = rng.choice((changed, gone, made[other.id]))
            yield [Put(made[other.id])]
        if rng.random() < 0.05:
            yield [Drop(Memory, rng.choice(list(made)))]


def some(rng: Random, words: int) -> tuple[str, ...]:
    return tuple(rng.sample([f"词{n}" for n in range(words)], rng.randint(1, 4)))


def weakened(rng: Random, state: MemoryState) -> list[Change]:
    """Return link lists whose strengths have decayed, or that lost some of their links."""
    source = rng.choice(list(state.links))
    kinds = (LinkType.SEMANTIC, LinkType.CO_TURN, LinkType.TEMPORAL, LinkType.KEYWORD)
    links = [
        replace(link, strength=link.strength * rng.choice((1, 0.5)), type=rng.choice(kinds))
        for link in state.links_of(source)
        if rng.random() < 0.9
    ]
    links.sort(key=lambda link: -link.strength)
    return [Put(Links(source=source, links=tuple(links)))]


@pytest.mark.hunted
@pytest.mark.parametrize("words", share([4, 5, 6, 8, 12], of=4))
def test_repeated_talk_gets_the_links_that_comparing_all_of_it_gives(words: int) -> None:
    rng = Random(words)
    state, index, every = MemoryState(), NetworkIndex(), EveryPair()
    for happening in a_life(rng, words):
        new = [each.record for each in happening if isinstance(each, Put)]
        born = [m for m in new if isinstance(m, Memory) and m.id not in state.memories]
        links = links_for(born, state, index=index)
        assert links == links_for(born, state, index=every)
        changes = [*happening, *links]
        if state.links and rng.random() < 0.4:
            changes += weakened(rng, state)
        state, _ = state.apply(changes)
        index.note(changes)
        every.note(changes)

    assert missing_links(state, index=index) == missing_links(state, index=every)


def test_of_equal_overlaps_the_older_memory_takes_the_place_of_the_younger() -> None:
    alike = [
        a_memory(n, keywords=("拉面",), at=NOON + timedelta(days=3 * n))
        for n in range(1, MAX_LINKS + 9)
    ]
    oldest, rest = alike[0], alike[1:]
    state, index = MemoryState(), NetworkIndex()
    for memory in rest:
        changes = [Put(memory), *links_for([memory], state, index=index)]
        state, _ = state.apply(changes)
        index.note(changes)

    linked = [each.record for each in links_for([oldest], state, index=index)]

    assert {e.source for e in linked if isinstance(e, Links)} == {memory.id for memory in alike}
