"""Links on creation, rebuilt and learnt: source documents 000 §5 and §11.4, 002 §8.1."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from memory.changes import AgentInfo, Links, Put
from memory.model import (
    AgentSettings,
    Archived,
    Deleted,
    DeletionPolicy,
    Link,
    LinkType,
    Memory,
    Tier,
)
from memory.network.index import NetworkIndex, jaccard
from memory.network.links import (
    SpokenOf,
    connectedness,
    links_for,
    links_used_together,
    missing_links,
    useful_link,
)
from memory.state import MAX_LINKS, MemoryState
from tests.builders import a_memory
from tests.fakes.clock import NOON

DAYS = [NOON + timedelta(days=3 * n) for n in range(50)]


def with_turn(memory: Memory, turn_id: str) -> Memory:
    return replace(memory, origin=replace(memory.origin, turn_id=turn_id))


def an_episode(memory_id: int, turn_id: str = "t1", *, minutes: int = 0) -> Memory:
    at = NOON + timedelta(minutes=minutes)
    return with_turn(a_memory(memory_id, f"段{memory_id}", tier=Tier.EPISODE, at=at), turn_id)


def holding(*memories: Memory, links: Mapping[int, Sequence[Link]] | None = None) -> MemoryState:
    """Return a state with these memories and exactly these links."""
    lists = [Put(Links(source=s, links=tuple(e))) for s, e in (links or {}).items()]
    state, _ = MemoryState().apply([*map(Put, memories), *lists])
    return state


def grown(*batches: Sequence[Memory]) -> MemoryState:
    """Return the state after remembering batch after batch, linking each on creation."""
    state, index = MemoryState(), NetworkIndex()
    for batch in batches:
        changes = [*map(Put, batch), *links_for(batch, state, index=index)]
        state, _ = state.apply(changes)
        index.note(changes)
    return state


def seen(puts: Iterable[Put]) -> dict[tuple[int, int], tuple[LinkType, float, str]]:
    """Return planned links as ``{(source, target): (type, strength, relation)}``."""
    return {
        (put.record.source, link.target): (link.type, round(link.strength, 6), link.relation)
        for put in puts
        if isinstance(put.record, Links)
        for link in put.record.links
    }


def keyword(target: int, strength: float) -> Link:
    return Link(target=target, strength=strength, type=LinkType.KEYWORD)


def test_shared_keywords_link_both_ways_as_strongly_as_they_overlap() -> None:
    old = a_memory(1, keywords=("拉面", "晚饭", "札幌"), at=DAYS[0])
    new = a_memory(2, keywords=("拉面", "晚饭"), at=DAYS[1])
    expected = (LinkType.KEYWORD, 0.666667, "")
    assert seen(links_for([new], holding(old))) == {(1, 2): expected, (2, 1): expected}


@pytest.mark.parametrize(("others", "linked"), [(7, True), (8, False)])
def test_the_border_of_the_overlap_is_three_tenths_inclusive(*, others: int, linked: bool) -> None:
    shared = ("a", "b", "c")
    old = a_memory(1, keywords=shared, at=DAYS[0])
    new = a_memory(2, keywords=shared + tuple(f"x{n}" for n in range(others)), at=DAYS[1])
    assert bool(links_for([new], holding(old))) is linked


def test_keywords_are_compared_as_people_read_them() -> None:
    old = a_memory(1, keywords=("ＲＡＭＥＮ", "咖啡☕"), at=DAYS[0])
    new = a_memory(2, keywords=("ramen", "咖啡☕"), at=DAYS[1])
    assert seen(links_for([new], holding(old)))[2, 1] == (LinkType.KEYWORD, 1.0, "")


def test_memories_without_keywords_are_not_alike() -> None:
    assert links_for([a_memory(2, at=DAYS[1])], holding(a_memory(1, at=DAYS[0]))) == []


def test_one_turn_links_its_memories_by_half() -> None:
    one, two = (with_turn(a_memory(n), "turn-7") for n in (1, 2))
    apart = with_turn(a_memory(3, at=DAYS[3]), "turn-8")
    found = seen(links_for([two], holding(one, apart)))
    assert found == {(1, 2): (LinkType.CO_TURN, 0.5, ""), (2, 1): (LinkType.CO_TURN, 0.5, "")}


@pytest.mark.parametrize(("hours", "linked"), [(1, True), (24, True), (-24, True), (24.01, False)])
def test_a_day_links_by_a_fifth(*, hours: float, linked: bool) -> None:
    new = a_memory(2, at=NOON + timedelta(hours=hours))
    found = seen(links_for([new], holding(a_memory(1))))
    both = dict.fromkeys([(1, 2), (2, 1)], (LinkType.TEMPORAL, 0.2, ""))
    assert found == (both if linked else {})


def test_segments_of_one_stretch_know_what_came_before_and_after() -> None:
    stretch = [an_episode(n, minutes=n) for n in (1, 2, 3)]
    found = seen(links_for(stretch, MemoryState()))
    assert found[1, 2] == (LinkType.SEQUENCE, 0.5, "下文")
    assert found[2, 1] == (LinkType.SEQUENCE, 0.5, "上文")
    assert found[2, 3] == (LinkType.SEQUENCE, 0.5, "下文")
    assert found[1, 3] == (LinkType.CO_TURN, 0.5, "")


def test_an_english_agent_says_before_and_after() -> None:
    house = AgentInfo(settings=AgentSettings(language="en"))
    state, _ = MemoryState().apply([Put(house)])
    found = seen(links_for([an_episode(1), an_episode(2)], state))
    assert (found[1, 2][2], found[2, 1][2]) == ("after", "before")


def test_the_stretch_is_read_in_the_order_it_happened_not_the_order_given() -> None:
    stretch = [an_episode(n, minutes=-n) for n in (1, 2, 3)]
    assert seen(links_for(stretch, MemoryState())) == seen(links_for(stretch[::-1], MemoryState()))
    assert seen(links_for(stretch, MemoryState()))[3, 2][2] == "下文"


def test_two_stretches_remembered_at_once_are_not_neighbours() -> None:
    found = seen(links_for([an_episode(1, "a"), an_episode(2, "b", minutes=1)], MemoryState()))
    assert found[1, 2][0] is LinkType.TEMPORAL


def test_facts_of_one_turn_have_no_before_and_after() -> None:
    found = seen(links_for([with_turn(a_memory(n), "t") for n in (1, 2)], MemoryState()))
    assert found[1, 2][0] is LinkType.CO_TURN


def test_a_memory_hangs_on_each_name_it_speaks_of_as_strongly_as_it_does() -> None:
    names = [a_memory(n, name, tier=Tier.ENTITY) for n, name in ((1, "面试"), (2, "妈妈"))]
    found = seen(
        links_for(
            [a_memory(3)],
            holding(*names),
            focus={3: {1: SpokenOf("关于"), 2: SpokenOf(share=0.5)}},
        )
    )
    assert found == {
        (3, 1): (LinkType.FOCUS, 1.0, "关于"),
        (1, 3): (LinkType.FOCUS, 1.0, "关于"),
        (3, 2): (LinkType.FOCUS, 0.5, ""),
        (2, 3): (LinkType.FOCUS, 0.5, ""),
    }


def test_names_are_linked_by_being_talked_about_and_by_nothing_else() -> None:
    name = a_memory(1, "拉面", tier=Tier.ENTITY, keywords=("拉面",))
    assert links_for([a_memory(2, keywords=("拉面",))], holding(name)) == []
    assert links_for([name], holding(a_memory(2, keywords=("拉面",)))) == []


def test_nearness_in_meaning_links_as_strongly_as_it_is_near() -> None:
    old, new = a_memory(1, at=DAYS[0]), a_memory(2, at=DAYS[1])
    expected = (LinkType.SEMANTIC, 0.8, "")
    found = seen(links_for([new], holding(old), cosines={2: {1: 0.8}}))
    assert found == {(1, 2): expected, (2, 1): expected}


def test_a_pair_keeps_its_strongest_link() -> None:
    one = with_turn(a_memory(1, keywords=("a", "b")), "t")
    two = with_turn(a_memory(2, keywords=("a", "b")), "t")
    assert seen(links_for([one, two], MemoryState()))[1, 2] == (LinkType.KEYWORD, 1.0, "")


def test_equally_strong_reasons_are_told_in_a_fixed_order() -> None:
    one = replace(an_episode(1), words=replace(an_episode(1).words, keywords=("a",)))
    two = replace(an_episode(2), words=replace(an_episode(2).words, keywords=("a", "b")))
    assert seen(links_for([two, one], MemoryState()))[1, 2] == (LinkType.SEQUENCE, 0.5, "下文")


def test_a_stronger_reason_does_not_lose_the_name_of_a_weaker_one() -> None:
    episodes = [an_episode(n, minutes=n) for n in (1, 2)]
    alike = [replace(m, words=replace(m.words, keywords=("a",))) for m in episodes]
    assert seen(links_for(alike, MemoryState()))[1, 2] == (LinkType.KEYWORD, 1.0, "下文")


@pytest.mark.parametrize(
    "gone",
    [Archived(NOON), Deleted(NOON, DeletionPolicy.AUTO_CLEANUP)],
    ids=["archived", "deleted"],
)
def test_nothing_new_is_linked_to_what_is_out_of_recall(gone: Archived | Deleted) -> None:
    old = replace(a_memory(1, keywords=("a",)), standing=gone)
    assert links_for([a_memory(2, keywords=("a",))], holding(old)) == []


def test_asking_again_changes_nothing_and_later_nearness_only_adds() -> None:
    one, two = a_memory(1), a_memory(2)
    state = grown([one], [two])
    assert links_for([two], state) == []
    later = seen(links_for([two], state, cosines={2: {1: 0.9}}))
    assert later[1, 2] == (LinkType.SEMANTIC, 0.9, "")


def test_what_was_learnt_is_not_lost_to_a_fresh_link() -> None:
    one, two = a_memory(1), a_memory(2)
    state = holding(one, two, links={1: [keyword(2, 0.7)]})
    assert seen(links_for([two], state)) == {(2, 1): (LinkType.TEMPORAL, 0.2, "")}


def test_a_node_keeps_its_32_strongest_links_and_equal_ones_by_id() -> None:
    old = [a_memory(n, keywords=("a",), at=at) for n, at in enumerate(DAYS[:40], start=1)]
    close = a_memory(41, keywords=("a", "b"), at=DAYS[40])
    new = a_memory(42, keywords=("a", "b"), at=DAYS[41])
    puts = links_for([new], holding(*old, close))
    mine = next(p.record for p in puts if isinstance(p.record, Links) and p.record.source == 42)
    assert [link.target for link in mine.links] == [41, *range(1, MAX_LINKS)]


def test_a_full_list_makes_room_only_for_a_stronger_link() -> None:
    crowd = [a_memory(n, at=DAYS[n]) for n in range(2, 34)]
    full = {1: [keyword(n, 0.6) for n in range(2, 34)]}
    state = holding(a_memory(1, keywords=("a", "b"), at=DAYS[0]), *crowd, links=full)
    weaker = a_memory(40, keywords=("a",), at=DAYS[40])
    stronger = a_memory(40, keywords=("a", "b"), at=DAYS[40])
    assert (1, 40) not in seen(links_for([weaker], state))
    kept = seen(links_for([stronger], state))
    assert kept[1, 40] == (LinkType.KEYWORD, 1.0, "")
    assert (1, 33) not in kept


def test_on_a_busy_day_the_nearest_in_time_are_linked() -> None:
    day = [a_memory(n, at=NOON + timedelta(minutes=n)) for n in range(1, 101)]
    state = grown(*[[memory] for memory in day])
    near_the_middle = {link.target for link in state.links_of(50)}
    assert near_the_middle == {*range(34, 67)} - {50}
    assert [link.target for link in state.links_of(50)][:4] == [49, 51, 48, 52]


def test_of_many_at_one_instant_the_next_by_id_are_linked_in_whatever_order_they_came() -> None:
    crowd = [a_memory(n) for n in range(1, 91)]
    upwards = grown(*[[memory] for memory in crowd])
    inwards = grown(
        *[[crowd[n]] for pair in zip(range(45), range(89, 44, -1), strict=True) for n in pair]
    )
    assert upwards.links == inwards.links
    assert [link.target for link in upwards.links_of(40)] == list(range(39, 7, -1))


def test_a_name_keeps_the_newest_of_all_that_hangs_on_it() -> None:
    name = a_memory(1, "妈妈", tier=Tier.ENTITY)
    told = [a_memory(n, at=NOON + timedelta(days=2 * n)) for n in range(2, 52)]
    state, index = holding(name), NetworkIndex()
    for memory in told:
        changes = [
            Put(memory),
            *links_for([memory], state, index=index, focus={memory.id: {1: SpokenOf()}}),
        ]
        state, _ = state.apply(changes)
        index.note(changes)
    assert [link.target for link in state.links_of(1)] == list(range(51, 19, -1))
    assert index.focus_sources(1) == set(range(2, 52))


def test_what_has_a_named_relation_to_a_name_stays_before_what_only_came_up_beside_it() -> None:
    name = a_memory(1, "妈妈", tier=Tier.ENTITY)
    told = [a_memory(n, at=NOON + timedelta(days=2 * n)) for n in range(2, 52)]
    focus = {m.id: {1: SpokenOf("关于" if m.id == 2 else "")} for m in told}
    kept = seen(links_for(told, holding(name), focus=focus))
    assert kept[1, 2] == (LinkType.FOCUS, 1.0, "关于")
    assert (1, 51) in kept
    assert (1, 20) not in kept


def test_rebuilding_gives_what_growing_gave() -> None:
    memories = [
        with_turn(
            a_memory(n, keywords=(f"k{n % 3}", f"k{n % 5}"), at=NOON + timedelta(hours=5 * n)),
            f"t{n // 4}",
        )
        for n in range(1, 60)
    ]
    grown_links = grown(memories[30:], memories[:10], memories[10:30]).links
    bare = holding(*memories)
    rebuilt, _ = bare.apply(missing_links(bare))
    assert rebuilt.links == grown_links
    assert missing_links(rebuilt) == []


def test_rebuilding_keeps_what_only_the_moment_could_tell() -> None:
    one, two, name = a_memory(1), a_memory(2), a_memory(3, "妈妈", tier=Tier.ENTITY)
    hanging = Link(target=3, strength=0.4, type=LinkType.FOCUS, relation="关于")
    learnt, faded = keyword(2, 0.9), keyword(1, 0.02)
    state = holding(one, two, name, links={1: [learnt, hanging], 2: [faded]})
    assert seen(missing_links(state)) == {(2, 1): (LinkType.TEMPORAL, 0.2, "")}


def test_recalled_together_grows_a_link_both_ways_by_a_twentieth() -> None:
    state = holding(a_memory(1), a_memory(2), links={1: [keyword(2, 0.3)]})
    assert seen(links_used_together([1, 2], state)) == {
        (1, 2): (LinkType.KEYWORD, 0.35, ""),
        (2, 1): (LinkType.CO_TURN, 0.05, ""),
    }


def test_recalling_many_together_links_each_with_each() -> None:
    state = holding(*(a_memory(n) for n in (1, 2, 3)))
    assert set(seen(links_used_together([3, 1, 2, 1], state))) == {
        (a, b) for a in (1, 2, 3) for b in (1, 2, 3) if a != b
    }


def test_no_link_grows_beyond_one() -> None:
    state = holding(a_memory(1), a_memory(2), links={1: [keyword(2, 0.98)], 2: [keyword(1, 1.0)]})
    assert seen(links_used_together([1, 2], state)) == {(1, 2): (LinkType.KEYWORD, 1.0, "")}


def test_what_is_gone_learns_nothing() -> None:
    gone = replace(a_memory(2), standing=Deleted(NOON, DeletionPolicy.USER_DELETE))
    state = holding(a_memory(1), gone)
    assert links_used_together([1, 2, 99], state) == []
    assert useful_link(1, 2, state) == []


def test_an_association_that_helped_grows_by_a_tenth() -> None:
    state = holding(a_memory(1), a_memory(2), links={1: [keyword(2, 0.3)]})
    assert seen(useful_link(1, 2, state)) == {(1, 2): (LinkType.KEYWORD, 0.4, "")}
    assert seen(useful_link(2, 1, state)) == {(2, 1): (LinkType.CO_TURN, 0.1, "")}
    assert useful_link(1, 1, state) == []


def test_a_full_list_learns_no_link_weaker_than_all_it_has() -> None:
    crowd = [a_memory(n) for n in range(1, 35)]
    state = holding(*crowd, links={1: [keyword(n, 0.6) for n in range(2, 34)]})
    assert (1, 34) not in seen(links_used_together([1, 34], state))


def test_connectedness_is_the_sum_over_what_is_still_there() -> None:
    gone = replace(a_memory(3), standing=Deleted(NOON, DeletionPolicy.AUTO_CLEANUP))
    put_away = replace(a_memory(4), standing=Archived(NOON))
    links = {1: [keyword(2, 0.6), keyword(3, 0.5), keyword(4, 0.25), keyword(99, 0.5)]}
    state = holding(a_memory(1), a_memory(2), gone, put_away, links=links)
    assert connectedness(1, state) == pytest.approx(0.85)


def test_a_node_that_never_had_a_link_counts_as_half_and_one_that_lost_all_as_nothing() -> None:
    state = holding(a_memory(1), a_memory(2), links={2: []})
    assert (connectedness(1, state), connectedness(2, state)) == (0.5, 0)


def test_a_link_to_what_is_in_focus_counts_as_one() -> None:
    name = a_memory(2, "妈妈", tier=Tier.ENTITY)
    hanging = Link(target=2, strength=0.3, type=LinkType.FOCUS)
    state = holding(a_memory(1), name, links={1: [hanging]})
    assert connectedness(1, state) == 0.3
    focused, _ = state.apply([Put(AgentInfo(settings=AgentSettings(), focus=(2,)))])
    assert connectedness(1, focused) == 1.0


def test_the_overlap_of_keywords_is_the_share_of_what_is_common() -> None:
    assert jaccard({"a", "b"}, {"b", "c"}) == pytest.approx(1 / 3)
    assert jaccard(set(), {"a"}) == 0.0
    assert jaccard(set(), set()) == 0.0
