from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from memory.changes import Change, Drop, Put
from memory.model import Memory
from memory.recall import Recall
from memory.state import MemoryState
from tests.builders import a_memory
from tests.fakes.clock import NOON

LATER = NOON + timedelta(days=1)
words = st.sampled_from(["拉面", "团子", "爬山", "coffee", "昨天", "生日", "😀", "the"])
texts = st.lists(words, min_size=1, max_size=4).map(" ".join)
memories = st.builds(
    lambda number, text, hours: a_memory(number, text, at=NOON - timedelta(hours=hours)),
    st.integers(1, 8),
    texts,
    st.integers(0, 72),
)
changes = st.lists(
    st.one_of(memories.map(Put), st.integers(1, 8).map(lambda number: Drop(Memory, number))),
    max_size=20,
)


@settings(max_examples=60)
@given(changes, texts)
def test_an_index_that_followed_changes_finds_what_a_new_one_finds(
    steps: list[Change], query: str
) -> None:
    state, recall = MemoryState(), Recall()
    recall.build(state)
    for step in steps:
        state, _ = state.apply([step])
        recall.note([step])
    followed = recall.search(query, state, now=LATER, k=50)
    fresh = Recall().search(query, state, now=LATER, k=50)
    assert {hit.memory_id for hit in followed} == {hit.memory_id for hit in fresh}
    assert [round(hit.score, 4) for hit in followed] == [round(hit.score, 4) for hit in fresh]


@settings(max_examples=60)
@given(changes, texts, st.integers(1, 5))
def test_hits_are_few_enough_in_order_and_within_their_ranges(
    steps: list[Change], query: str, k: int
) -> None:
    state, _ = MemoryState().apply(steps)
    hits = Recall().search(query, state, now=LATER, k=k)
    assert len(hits) <= k
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert all(0.0 <= hit.relevance <= 1.0 and 0.0 <= hit.activation <= 1.0 for hit in hits)
    assert all(hit.reasons for hit in hits)


@settings(max_examples=40)
@given(changes, texts)
def test_a_search_repeated_says_the_same_and_changes_nothing(
    steps: list[Change], query: str
) -> None:
    state, _ = MemoryState().apply(steps)
    recall = Recall()
    first = recall.search(query, state, now=LATER)
    assert recall.search(query, state, now=LATER) == first
