"""What was read in texts once is not read again, and never taken for that of other texts."""

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.recall.passage_arrays import TextColumns
from memory.recall.reading import READING, Reading, TextReader, completed, reader_of
from memory.text.bm25 import Bm25
from memory.text.postings import Postings
from memory.text.tokens import LONG_TEXT
from tests.fakes.cost import times

SAID = [
    "我家的猫叫团子",
    "What time is it?",
    "我家的猫叫团子",
    "",
    "😀 3 个 “Dune” \ud800 a\nb",
    "昨天去了",
]
texts = st.lists(st.sampled_from([*SAID, "团子 团子 团子", "yesterday I went"]), max_size=8)


def read(said: Sequence[str]) -> Reading:
    reader = reader_of(said, (), TextColumns())
    return reader.reading(np.arange(len(said)), said)


def names(postings: Postings) -> set[str]:
    return {postings.name(row) for row in range(len(postings.keys))}


def as_plain(reading: Reading) -> object:
    """Everything of a reading, comparable."""
    postings = [
        {
            token: each.packed[each.starts[row] : each.starts[row + 1]].tolist()
            for token, row in sorted((each.name(row), row) for row in range(len(each.keys)))
        }
        for each in (reading.words, reading.characters)
    ]
    lengths = (reading.words.lengths.tolist(), reading.characters.lengths.tolist())
    columns = {name: column.tolist() for name, column in reading.columns.items()}
    return b"", reading.digests.tolist(), postings, lengths, columns


@settings(max_examples=times(30, hunting=300))
@given(texts, texts)
def test_what_is_known_of_some_texts_gives_the_same_of_any_others(
    known: list[str], wanted: list[str]
) -> None:
    reader = reader_of(wanted, [read(known)], TextColumns())

    again = reader.reading(np.arange(len(wanted)), wanted)

    assert as_plain(again) == as_plain(read(wanted))


def test_what_is_known_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    known, parts = read(SAID), [read(SAID[:2]), read(SAID[2:])]
    asked: list[str] = []

    def refused(_: TextReader, text: str) -> int:
        asked.append(text)
        raise AssertionError(text)

    monkeypatch.setattr(TextReader, "add", refused)

    reader_of(SAID, [known], TextColumns())
    reader_of(SAID[::-1], [known], TextColumns())
    reader_of(SAID, parts, TextColumns())
    assert not asked

    with pytest.raises(AssertionError):
        reader_of(["neu"], [read([])], TextColumns())
    assert asked == ["neu"]


def test_what_is_not_wanted_leaves_no_word_behind() -> None:
    reader = reader_of(SAID, (), TextColumns())

    left = completed(reader, {SAID[1]: 1}, [SAID[1]])

    assert names(left.words) == names(read([SAID[1]]).words)
    assert not names(left.characters)


def test_a_text_that_follows_is_read_as_if_all_had_been_read_at_once() -> None:
    reader = reader_of(SAID, [read(SAID)], TextColumns())

    assert reader.add("团子又来了") == len(SAID)

    said = [*SAID, "团子又来了"]
    assert as_plain(reader.reading(np.arange(len(said)), said)) == as_plain(read(said))


def test_a_reading_is_of_its_texts_in_their_order_only() -> None:
    assert read(["ab", "c"]).is_of(["ab", "c"])
    assert not read(["ab", "c"]).is_of(["a", "bc"])
    assert not read(["a", "b"]).is_of(["b", "a"])


def test_postings_of_dead_slots_are_left_out_when_they_are_rearranged() -> None:
    words = Bm25()
    for found in (["a", "b"], ["b"], ["c", "b", "b"]):
        words.add(found)
    words.remove(0)

    left = words.postings(np.array([2, 1]))

    index = Bm25(left)
    assert index.slots_with("b")[0].tolist() == [0, 1]
    assert index.slots_with("b")[1].tolist() == [2.0, 1.0]
    assert names(left) == {"b", "c"}
    assert index.idf("a") == 0.0


# Who changes how a text is read raises READING in memory/recall/reading.py, or what was kept
# before is taken for what would be read now; then the digest here may be changed.
AS_READ = (5, "3361a74541de5fdd")


def test_a_text_is_read_as_what_is_kept_says() -> None:
    probes = [
        *SAID,
        "我昨天去北京面试了，3点，在“星巴克”。",
        "I've met Anna twice last week!",
        "长" * 30,
    ]
    found = blake2b(repr(as_plain(read(probes))).encode("utf-8", "surrogatepass"), digest_size=8)

    assert (READING, found.hexdigest()) == AS_READ
    assert LONG_TEXT == 10_000  # from there on columns tell of the beginning only
