from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.changes import Change, DiaryLine, Drop, Put
from memory.model import Memory, Message, Passage, Tier
from memory.recall import DepthName, Hit, Reach, Recall
from memory.recall.passage_arrays import NOWHERE, PassageColumns, likeliest
from memory.recall.placement import KeptPassageIndex
from memory.recall.reading import pages_of
from memory.recall.scenes import TimeLines
from memory.state import MemoryState
from memory.stores.paging import Pager
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.cost import times
from tests.fakes.disks import PowerlessDisk
from tests.fakes.found import found_alike

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


@settings(max_examples=times(15, hunting=300))
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


@settings(max_examples=times(15, hunting=300))
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


@settings(max_examples=times(10, hunting=200))
@given(changes, texts)
def test_a_search_repeated_says_the_same_and_changes_nothing(
    steps: list[Change], query: str
) -> None:
    state, _ = MemoryState().apply(steps)
    recall = Recall()
    first = recall.search(query, state, now=LATER)
    assert recall.search(query, state, now=LATER) == first


@st.composite
def lives(draw: st.DrawFn) -> list[Change]:
    """Draw messages of two talks and memories cut from them, told and let go in any order."""
    made: list[Change] = []
    said: list[Message] = []
    for number in range(1, draw(st.integers(1, 14)) + 1):
        at = NOON - timedelta(minutes=draw(st.sampled_from([0, 1, 7, 45, 300, 2000])) * number)
        message = Message(
            id=f"m{number}",
            at=at,
            speaker=draw(st.sampled_from(["主人", "小祥"])),
            role=draw(st.sampled_from(["user", "assistant"])),
            text=draw(st.one_of(texts, st.just(""))),
            quoted=draw(st.sampled_from(["", "", "转发的拉面"])),
        )
        said.append(message)
        scene = draw(st.sampled_from([0, 0, 1, 2, 99]))
        talk = draw(st.sampled_from(["c", "d"]))
        made.append(Put(DiaryLine(message=message, conversation=talk, number=number, scene=scene)))
    for memory_id in (1, 2):
        held = draw(st.lists(st.sampled_from(said), max_size=5, unique_by=lambda each: each.id))
        verbatim = tuple(
            Passage(
                text=each.text,
                source_ids=(each.id,),
                at=each.at,
                speaker=each.speaker,
                role=each.role,
                verbatim=True,
            )
            for each in held
        )
        episode = a_memory(memory_id, draw(texts), at=NOON, tier=Tier.EPISODE)
        made.append(Put(replace(episode, passages=(*episode.passages, *verbatim))))
    gone = draw(st.lists(st.sampled_from([each.id for each in said]), max_size=3))
    made += [Drop(DiaryLine, each) for each in gone]
    return [*made, *draw(changes)]


@settings(max_examples=times(15, hunting=1000))
@given(lives(), lives(), texts)
def test_an_index_that_followed_a_life_finds_what_a_new_one_finds(
    before: list[Change], since: list[Change], query: str
) -> None:
    # Lines are edited, cut, let go of and told again; memories come before and after their lines.
    state, followed = MemoryState(), Recall()
    followed.build(state)
    for step in (*before, *since):
        state, _ = state.apply([step])
        followed.note([step])
    depths: tuple[DepthName, ...] = ("everyday", "deep")
    for depth in depths:
        found, fresh = (
            recall.search(query, state, now=LATER, k=60, reach=Reach(depth=depth))
            for recall in (followed, Recall())
        )
        assert found_alike(found, fresh)


def everything_found(recall: Recall, query: str, state: MemoryState) -> list[Hit]:
    reach = Reach(depth="deep")
    return recall.search(query, state, now=LATER, k=50, reach=reach)


def said_and_scored(hits: list[Hit]) -> list[tuple[float, str, str]]:
    """Return what was found, as far as the order in which numbers are added up leaves it."""
    return sorted((round(hit.score, 4), hit.quote, "".join(hit.source_ids[:1])) for hit in hits)


@settings(max_examples=times(6, hunting=100))
@given(lives(), lives(), texts)
def test_an_index_that_was_kept_finds_exactly_what_a_new_one_finds(
    before: list[Change], since: list[Change], query: str
) -> None:
    # What is kept is that of an index which followed changes, and slots of it are dead.
    state, kept = MemoryState(), Recall()
    kept.build(state)
    state, _ = state.apply(before)
    kept.note(before)
    reading = kept.reading(Recall.places(state), "here")
    opened, fresh = Recall(), Recall()
    opened.build(state, reading)
    fresh.build(state)
    assert everything_found(opened, query, state) == everything_found(fresh, query, state)

    # And both go on alike, as does one that was opened with what was kept before.
    after, _ = state.apply(since)
    late = Recall()
    late.build(after, reading)
    assert everything_found(late, query, after) == everything_found(Recall(), query, after)

    # One that was kept of just this state is opened by its columns, and goes on alike as well.
    placed, read_from = Recall(), replace(state, read_from="here")
    placed.build(read_from, reading)
    assert isinstance(placed._index, KeptPassageIndex)
    assert everything_found(placed, query, state) == everything_found(fresh, query, state)
    placed.note(since)
    opened.note(since)
    fresh.note(since)
    assert everything_found(opened, query, after) == everything_found(fresh, query, after)
    assert everything_found(placed, query, after) == everything_found(fresh, query, after)


def paged(pager: Pager, state: MemoryState) -> MemoryState:
    """Return the same state after a fold, with its older lines in pages."""
    turn = pager.turn(state.diary)
    while True:
        try:
            next(turn)
        except StopIteration as ended:
            pager.note(state.diary, ended.value)
            return pager.handed_over(state)


@settings(max_examples=times(6, hunting=100))
@given(lives(), lives(), texts, st.integers(1, 3))
def test_an_index_over_pages_finds_exactly_what_one_in_memory_finds(
    before: list[Change], since: list[Change], query: str, lines: int
) -> None:
    pager = Pager(Path("/a"), PowerlessDisk(), None, lines)
    state, _ = MemoryState().apply(before)
    folded = paged(pager, state)
    assert folded == state
    opened = Recall()
    opened.build(folded)
    assert everything_found(opened, query, folded) == everything_found(Recall(), query, state)

    # What is kept beside the pages holds no word of theirs, and opens the same index.
    reading = opened.reading(Recall.places(folded), "here")
    assert reading is not None
    in_pages = sum(len(page.reading.digests) for page in pages_of(folded))
    assert len(reading.digests) == len(opened._index or ()) - in_pages
    placed = Recall()
    placed.build(replace(folded, read_from="here"), reading)
    assert isinstance(placed._index, KeptPassageIndex)
    assert everything_found(placed, query, folded) == everything_found(Recall(), query, state)

    # Changes are followed; the next fold writes pages anew, and these say the same.
    after, _ = folded.apply(since)
    plain, _ = state.apply(since)
    placed.note(since)
    fresh = Recall()
    fresh.build(state)
    fresh.note(since)
    assert everything_found(placed, query, after) == everything_found(fresh, query, plain)
    again = paged(pager, after)
    assert again == plain

    # One in use lets go of the lines that moved, finds what it found, and goes on so.
    found = said_and_scored(everything_found(fresh, query, plain))
    for recall in (placed, fresh):
        recall.rest_on_pages(again)
        assert said_and_scored(everything_found(recall, query, again)) == found
    assert not pages_of(again) or isinstance(fresh._index, KeptPassageIndex)
    assert everything_found(Recall(), query, again) == everything_found(Recall(), query, plain)


@settings(max_examples=times(6, hunting=100))
@given(lives(), lives(), texts, st.integers(1, 3))
def test_an_index_made_page_by_page_finds_exactly_what_one_of_all_lines_finds(
    before: list[Change], since: list[Change], query: str, lines: int
) -> None:
    state, _ = MemoryState().apply(filter(_is_of_a_line, before))
    folded = paged(Pager(Path("/a"), PowerlessDisk(), None, lines), state)
    # Also where lines in pages are others by now, or went.
    for changes in ([], [*filter(_is_of_a_line, since)]):
        over_pages, _ = folded.apply(changes)
        plain, _ = state.apply(changes)
        recall = Recall()
        recall.build(over_pages)
        found = everything_found(recall, query, over_pages)
        assert found == everything_found(Recall(), query, plain)
        if pages_of(folded) and not changes:
            assert isinstance(recall._index, KeptPassageIndex)
        # It goes on as any other.
        after, _ = over_pages.apply(since)
        recall.note(since)
        fresh = Recall()
        fresh.build(plain)
        fresh.note(since)
        assert everything_found(recall, query, after) == everything_found(fresh, query, after)


def _is_of_a_line(change: Change) -> bool:
    return (type(change.record) if isinstance(change, Put) else change.table) is DiaryLine


@given(told=st.lists(st.tuples(st.integers(0, 8), st.booleans()), max_size=12), late=st.booleans())
def test_neighbours_follow_time_whatever_came_late_and_whatever_went(
    told: list[tuple[int, bool]], *, late: bool
) -> None:
    columns, slots = PassageColumns(), [*range(len(told))]
    columns.at[: len(told)] = [3600.0 * hour for hour, _ in told]
    columns.before[:], columns.after[:] = NOWHERE, NOWHERE
    lines = TimeLines(columns)
    for slot in slots:
        lines.link(slot, "c")
    if late:
        # As an index begins that was kept: its columns know the neighbours already.
        lines = TimeLines(columns)
        lines.begin_with({"c": np.array(slots, np.int64)})
    for slot in (slot for slot in slots if told[slot][1]):
        lines.unlink(slot, "c")

    left = sorted((s for s in slots if not told[s][1]), key=lambda s: (told[s][0], s))
    for first, second in pairwise(left):
        near = told[second][0] - told[first][0] <= 3
        assert columns.after[first] == (second if near else NOWHERE)
        assert columns.before[second] == (first if near else NOWHERE)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=40), st.integers(1, 12), st.randoms())
def test_the_likeliest_are_those_of_a_whole_order(
    much: list[int], most: int, chance: Random
) -> None:
    likely, places = np.array(much, np.float32), list(range(len(much)))
    chance.shuffle(places)
    order = np.array(places, np.int64)

    found = likeliest(likely, order, most)

    whole = sorted(range(len(much)), key=lambda place: (-much[place], places[place]))
    assert found.tolist() == whole[:most]
