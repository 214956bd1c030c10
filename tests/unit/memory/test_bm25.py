import math

import numpy as np
import pytest

from memory.text.bm25 import K1, Bm25, idf, length_norm, saturation
from memory.text.postings import HeldTokens, Postings


def an_index(*texts: str) -> Bm25:
    index = Bm25()
    for text in texts:
        index.add(text.split())
    return index


def test_a_token_is_found_where_it_stands_and_as_often() -> None:
    slots, times = an_index("a b a", "b", "a").slots_with("a")
    assert slots.tolist() == [0, 2]
    assert times.tolist() == [2.0, 1.0]


def test_a_token_that_stands_nowhere_is_found_nowhere() -> None:
    index = an_index("a")
    assert index.slots_with("z")[0].tolist() == []
    assert index.idf("z") == 0.0


def test_the_idf_is_robertsons_never_negative_one() -> None:
    index = an_index("a", "a", "b")
    assert index.idf("a") == pytest.approx(math.log(1 + 1.5 / 2.5))
    assert idf(10, 10) > 0.0
    assert index.idf("b") > index.idf("a")


def test_a_removed_slot_is_found_no_more_and_counts_no_more() -> None:
    index = an_index("a b", "a c", "a")
    assert index.idf("b") == pytest.approx(idf(3, 1))
    index.remove(0)
    assert index.slots_with("a")[0].tolist() == [1, 2]
    assert index.idf("b") == 0.0
    assert index.idf("a") == pytest.approx(idf(2, 2))
    assert index.dead_share == pytest.approx(1 / 3)
    assert index.alive.tolist() == [False, True, True]


def test_removing_twice_is_removing_once() -> None:
    index = an_index("a", "a")
    index.remove(0)
    index.remove(0)
    assert index.idf("a") == pytest.approx(idf(1, 1))


def test_a_new_text_makes_its_words_tell_less() -> None:
    index = an_index("a", "b")
    assert index.idf("a") == pytest.approx(idf(2, 1))
    index.add(["a"])
    assert index.idf("a") == pytest.approx(idf(3, 2))


def test_an_index_grows_past_its_first_size() -> None:
    index = an_index(*["a"] * 1500)
    assert len(index) == 1500
    assert len(index.slots_with("a")[0]) == 1500
    assert index.lengths.sum() == 1500


def test_a_count_saturates_below_k1_plus_one_and_long_texts_count_less() -> None:
    norms = length_norm(np.array([1.0, 3.0], np.float32))
    short, long = saturation(np.array([1.0, 1.0], np.float32), norms)
    assert 0.0 < long < short < K1 + 1.0
    assert saturation(np.array([15.0], np.float32), norms[:1])[0] < K1 + 1.0


def test_an_index_of_nothing_answers_with_nothing() -> None:
    index = Bm25()
    assert index.slots_with("a")[0].tolist() == []
    assert index.dead_share == 0.0


def kept(*texts: str) -> Postings:
    return an_index(*texts).postings(np.arange(len(texts)))


def said_in(index: Bm25, *slots: int) -> list[tuple[str, float]]:
    held = index.texts.of(np.array(slots, np.int64))
    words = (index.texts.token(key) for key in held.keys.tolist())
    return sorted(zip(words, held.times.tolist(), strict=True))


@pytest.mark.parametrize("asked_first", [True, False], ids=["kept in step", "made afterwards"])
def test_what_a_slot_says_is_told_whenever_it_was_added(*, asked_first: bool) -> None:
    index = Bm25(kept("a b a", "b 茶"))
    if asked_first:
        assert said_in(index, 0) == [("a", 2.0), ("b", 1.0)]
    index.add(["c", "b", *["many"] * 20])
    index.remove(1)

    expected = [("a", 2.0), ("b", 1.0), ("b", 1.0), ("c", 1.0), ("many", 15.0)]
    assert said_in(index, 2, 0) == expected
    assert said_in(index) == []
    assert set(index.texts.in_slot(2)) == {"c", "b", "many"}


def test_what_a_slot_says_is_told_of_more_slots_than_sixteen_bits_count() -> None:
    many = 70_000
    index = Bm25(kept(*(str(number % 7) for number in range(many))))

    for slot in (0, 65_535, 65_536, many - 1):
        assert said_in(index, slot) == [(str(slot % 7), 1.0)]


def test_postings_of_more_than_is_numbered_at_once_are_those_of_all_together() -> None:
    chance = np.random.default_rng(7)
    # Three hundred thousand tokens in a thousand texts, none of them twice in one.
    sizes = np.full(1_000, 300)
    tokens = np.concatenate([chance.choice(4_000, 300, replace=False) for _ in sizes])
    times = chance.integers(1, 15, len(tokens)).astype(np.uint8)
    names = chance.permutation(np.arange(10**6, 10**6 + 4_000)).astype(np.uint64)

    found = Postings.of(
        HeldTokens(names[tokens], times, sizes), np.ones(len(sizes), np.float32), str
    )

    assert found.keys.tolist() == sorted(names.tolist())
    text = np.repeat(np.arange(len(sizes)), sizes)
    row = np.argsort(np.argsort(names))[tokens]
    order = np.lexsort((text, row))
    assert found.held.tolist() == (row << 4 | times).tolist()
    assert found.packed.tolist() == (text << 4 | times)[order].tolist()
    assert np.diff(found.starts).tolist() == np.bincount(row).tolist()
