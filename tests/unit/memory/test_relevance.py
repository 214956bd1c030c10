"""What speaks for a passage beyond its words: characters, weeks, neighbours that are near."""

from dataclasses import replace
from datetime import timedelta
from random import Random
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from memory.changes import Put
from memory.model import Archived, Memory, Passage, Tier
from memory.recall import Recall
from memory.recall.index import PassageIndex
from memory.recall.passage_arrays import PassageGroups
from memory.recall.query import parse_query
from memory.recall.relevance import SignsOfQuery, passage_signs, relevant_passages
from memory.recall.weights import SIGN_NAMES, fitted_weights
from memory.recall.word_scores import FoundTerm, FoundTerms, GroupBm25
from memory.state import MemoryState
from memory.text.bm25 import Bm25, idf, length_norm, saturation
from tests.builders import a_memory, a_stretch
from tests.fakes.clock import NOON

UTC = ZoneInfo("UTC")
LATER = NOON + timedelta(days=60)


def signs(question: str, *memories: Memory) -> dict[str, dict[str, float]]:
    """Return the signs of each passage a question reaches, by its text."""
    index = PassageIndex.of(memories, UTC)
    seen = passage_signs(parse_query(question, index, LATER), index)
    return {
        index.entry(slot).passage.text: dict(zip(SIGN_NAMES, row, strict=True))
        for slot, row in zip(seen.slots.tolist(), seen.signs.tolist(), strict=True)
    }


def an_exchange(*texts: str, pause: timedelta) -> Memory:
    """Return an episode of messages word for word, ``pause`` apart."""
    said = a_stretch(*texts)
    passages = tuple(
        Passage(
            text=m.text,
            source_ids=(m.id,),
            at=NOON + n * pause,
            speaker=m.speaker,
            role=m.role,
            verbatim=True,
        )
        for n, m in enumerate(said)
    )
    return replace(a_memory(1, "聊了聊", tier=Tier.EPISODE), passages=passages)


FILLERS = [a_memory(n, f"第{n}天在下雨", at=NOON + timedelta(days=n)) for n in range(10, 40)]


def test_a_character_two_words_share_speaks_for_a_passage() -> None:
    related = a_memory(1, "周六去河边晨跑，计划不变")
    other = a_memory(2, "周六去河边钓鱼，计划不变")
    found = signs("跑步的计划", related, other, *FILLERS)
    assert found["周六去河边晨跑，计划不变"]["own"] > found["周六去河边钓鱼，计划不变"]["own"]

    state = MemoryState().apply([Put(m) for m in (related, other, *FILLERS)])[0]
    first = Recall().search("跑步的计划", state, now=LATER)[0]
    assert first.memory_id == related.id


def test_a_character_alone_brings_nothing_up() -> None:
    assert signs("量子力学", a_memory(1, "我家的猫叫团子"), *FILLERS) == {}


def test_english_is_weighed_by_its_stems_just_as_chinese_by_its_characters() -> None:
    fillers = [a_memory(n, f"Day {n} was rainy") for n in range(10, 20)]
    found = signs("Which guitars", a_memory(1, "I bought a guitar"), *fillers)
    assert found["I bought a guitar"]["own"] == 1.0


def test_what_else_a_week_was_about_speaks_for_a_passage() -> None:
    told = a_memory(1, "看房的事", at=NOON)
    topical = a_memory(2, "中介带我看房，房租谈妥了", at=NOON + timedelta(days=1))
    far = a_memory(3, "看房的事情", at=NOON + timedelta(days=50))
    found = signs("看房和中介谈房租", told, topical, far, *FILLERS)
    assert found["看房的事"]["week"] > found["看房的事情"]["week"]


def test_the_longer_the_pause_the_less_a_neighbour_is_heard() -> None:
    heard = {
        minutes: signs(
            "团子多大了", an_exchange("团子多大了", "三岁", pause=timedelta(minutes=minutes))
        )["三岁"]["band"]
        for minutes in (1, 30, 120)
    }
    assert heard[1] > heard[30] > heard[120] > 0.0


def test_dropping_a_memory_takes_its_characters_out() -> None:
    index = PassageIndex.of([a_memory(1, "晨跑"), a_memory(2, "钓鱼")], UTC)
    index.drop(1)
    assert index.characters.idf("跑") == 0.0
    assert index.columns.piece_count[:2].tolist() == [0.0, 2.0]


def test_a_passage_says_which_characters_brought_it_up() -> None:
    episode = an_exchange("画画有什么计划", "每天油画", pause=timedelta(minutes=1))
    state = MemoryState().apply([Put(m) for m in (episode, *FILLERS)])[0]
    hits = Recall().search("画画怎么安排", state, now=LATER)
    (found,) = [hit for hit in hits if hit.quote == "每天油画"]
    assert found.reasons == ("character:画", "beside:2026-03-04")


def test_what_people_say_for_a_word_is_found_behind_what_says_it() -> None:
    fillers = [a_memory(n, f"Day {n} was rainy") for n in range(10, 20)]
    hers, near = a_memory(1, "the manager was kind"), a_memory(2, "my boss has a dog")
    state = MemoryState().apply([Put(m) for m in (hers, near, *fillers)])[0]
    hits = Recall().search("Who is my boss?", state, now=LATER)
    assert [hit.memory_id for hit in hits] == [2, 1]
    assert "word:manag" in hits[1].reasons


SIZE = 60


def some_groups(chance: Random) -> PassageGroups:
    of = np.array([chance.randrange(7) for _ in range(SIZE)], np.int64)
    return PassageGroups(of, 7, length_norm(np.bincount(of, minlength=7).astype(np.float32)))


def some_texts(chance: Random, words: list[str]) -> Bm25:
    index = Bm25()
    for _ in range(SIZE):
        index.add(chance.choices(words, k=chance.randrange(1, 12)))
    for slot in chance.sample(range(SIZE), 5):
        index.remove(slot)
    return index


def test_terms_that_are_counted_together_score_as_one_after_the_other() -> None:
    chance = Random(15)
    for many in (0, 1, 2, 20):
        words = [f"w{number}" for number in range(many)]
        index = some_texts(chance, [*words, "else"])
        groups = some_groups(chance)
        terms = [FoundTerm(chance.random(), 1.0, index.parts_with(word)) for word in words]
        together = GroupBm25(groups)
        counts = together.add_terms(FoundTerms.of(terms, index))

        expected = np.zeros(7)
        for row, (word, term) in enumerate(zip(words, terms, strict=True)):
            said = np.zeros(7, np.float32)
            slots, times = index.slots_with(word)
            np.add.at(said, groups.group_of[slots], times)
            share = saturation(said, groups.length_norm)
            expected += term.weight * idf(7, int(np.count_nonzero(said))) * share
            assert counts[row].tolist() == said.tolist()
        np.testing.assert_allclose(together.score, expected, rtol=1e-5)


def test_the_first_slots_of_some_groups_are_told_group_after_group() -> None:
    chance = Random(16)
    groups = some_groups(chance)
    within = np.array([chance.random() < 0.7 for _ in range(SIZE)])
    wanted = np.array([5, 0, 3], np.int64)

    slots, places = groups.first_slots(wanted, within, 4, np.arange(SIZE))

    expected = [
        (slot, place)
        for place, group in enumerate(wanted.tolist())
        for slot in np.flatnonzero((groups.group_of == group) & within)[:4].tolist()
    ]
    assert list(zip(slots.tolist(), places.tolist(), strict=True)) == expected


@pytest.mark.parametrize("question", ["跑步的计划下雨", "what did the cat do on a rainy day"])
def test_words_counted_all_at_once_score_what_they_score_one_by_one(
    question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = an_exchange(
        "去跑步吗", "下雨了，计划不变", "the cat hid", "a rainy day", pause=timedelta(minutes=1)
    )
    index = PassageIndex.of([said, *FILLERS], UTC)
    query = parse_query(question, index, LATER)

    together = passage_signs(query, index)
    monkeypatch.setattr("memory.recall.word_scores._TOGETHER", 0)
    laid_out = passage_signs(query, index)
    monkeypatch.setattr("memory.recall.word_scores._LAID_OUT", 0)
    one_by_one = passage_signs(query, index)

    assert together.slots.tolist() == one_by_one.slots.tolist()
    assert np.count_nonzero(together.signs[:, SIGN_NAMES.index("covered")]) > 1
    np.testing.assert_allclose(together.signs, one_by_one.signs, atol=1e-5)
    np.testing.assert_array_equal(laid_out.signs, one_by_one.signs)


@pytest.mark.parametrize("question", ["跑步的计划下雨", "what did the cat do on a rainy day"])
def test_what_comes_to_mind_scores_as_if_all_slots_were_gone_through(
    question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    minute = timedelta(minutes=1)
    in_mind = an_exchange("去跑步吗", "计划不变", "the cat hid", "a rainy day", pause=minute)
    told = an_exchange(*4 * ["跑步计划", "下雨", "the rainy cat", "a day"], pause=minute)
    faded = replace(told, id=90, standing=Archived(LATER))
    index = PassageIndex.of([in_mind, faded, *FILLERS], UTC)
    query = parse_query(question, index, LATER)

    near = passage_signs(query, index, everyday=True)
    everywhere = np.ones(len(index), np.bool_)
    assert not index.layout.beside_everyday.all()
    monkeypatch.setattr(index, "_layout", replace(index.layout, beside_everyday=everywhere))
    all_of_it = passage_signs(query, index, everyday=True)

    assert near.slots.tolist() == all_of_it.slots.tolist()
    assert 0 < len(near.slots) < len(index)
    np.testing.assert_allclose(near.signs, all_of_it.signs, atol=1e-5)


@pytest.mark.parametrize(
    "question",
    ["周六去河边晨跑", "什么时候看房？", "跑步的计划 晨跑 第12天", "下雨", "说说看房，画画"],
)
def test_no_passage_is_more_relevant_than_its_words_and_its_groups_allow(question: str) -> None:
    said = an_exchange("周六去河边晨跑", "画画有什么计划", "看房的事", pause=timedelta(hours=3))
    fact = a_memory(2, "中介带我看房", at=NOON + timedelta(days=1))
    index = PassageIndex.of([said, fact, *FILLERS], UTC)
    seen = SignsOfQuery(parse_query(question, index, LATER), index)
    by_sign = fitted_weights(seen.query)

    found = relevant_passages(seen, fitted_weights)
    assert len(found.slots)
    every = np.arange(len(index))
    for slot, much in zip(found.slots.tolist(), found.relevance.tolist(), strict=True):
        assert much <= seen.most_relevance(by_sign, np.array([slot])) <= 1.01
        assert seen.most_relevance(by_sign, every, least=much) >= much
    best = float(found.relevance.max())
    assert seen.most_relevance(by_sign, every, least=2.0) < best


def test_a_question_at_both_depths_finds_of_each_what_it_finds_at_one() -> None:
    said = an_exchange("周六去河边晨跑", "画画有什么计划", "看房的事", pause=timedelta(minutes=1))
    faded = replace(a_memory(50, "看房的中介"), standing=Archived(LATER))
    index = PassageIndex.of([said, faded, *FILLERS], UTC)
    query = parse_query("看房的计划，下雨", index, LATER)
    both = SignsOfQuery(query, index, both=True)

    for everyday in (True, False):
        one = passage_signs(query, index, everyday=everyday)
        assert one.slots.tolist() == both.found(everyday=everyday).slots.tolist()
        np.testing.assert_array_equal(one.signs, both.found(everyday=everyday).signs)


def test_which_terms_of_a_question_some_slots_hold() -> None:
    index = PassageIndex.of(
        [a_memory(n, text) for n, text in enumerate(["red fox", "a fox", "a hen"], 1)], UTC
    )
    words = SignsOfQuery(parse_query("the red fox and an owl", index, LATER), index).words

    assert words.said_in([2, 0, 2]) == {0: {"red", "fox"}}
    assert words.said_in([1]) == {1: {"fox"}}
    assert words.said_in([]) == {}
