"""What the texts of an index say, read once and kept: postings, and columns that tell of words.

To read a text (cut it into words, look for dates and names) takes a hundred times as long as to
find a place for it. What was read depends on nothing but the text, so it proves itself: it counts
for the very texts it was made of, and for no other, whatever happened in between.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from memory.recall.passage_arrays import TextColumns
from memory.text.bm25 import Bm25, Postings, Slots
from memory.text.tokens import characters, tokens

READING: Final = 1
"""Raise it when a text is read in another way: what was kept before is then read anew."""

_NOT_READ: Final = -1


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read in a sequence of texts.

    ``digests`` has 8 bytes of each text, ``proof`` stands for all of them in their order.
    """

    proof: bytes
    digests: npt.NDArray[np.uint64]
    words: Postings
    characters: Postings
    columns: Mapping[str, npt.NDArray[Any]]


def proof_of(texts: Sequence[str]) -> bytes:
    """Return the digest of a sequence of texts, 16 bytes."""
    # The lengths say where one ends. Lone surrogates have no UTF-8; a text with one still counts.
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    proof = blake2b(lengths.astype("<i8").tobytes(), digest_size=16)
    proof.update("".join(texts).encode("utf-8", "surrogatepass"))
    return proof.digest()


class TextReader:
    """Reads texts into postings and columns, one slot after another.

    ``knew_all``: it began with what was read in just the texts it was made for.
    """

    def __init__(self, columns: TextColumns, known: Reading | None = None) -> None:
        """Write into ``columns``; begin with what was read before."""
        self.columns = columns
        self.knew_all = False
        self.words = Bm25(known.words) if known else Bm25()
        self.characters = Bm25(known.characters) if known else Bm25()
        if known is not None:
            columns.reserve(len(known.digests))
            for name, column in known.columns.items():
                getattr(columns, name)[: len(column)] = column

    def add(self, text: str) -> int:
        """Read one more text and return its slot."""
        found, single = tokens(text), characters(text)
        slot = self.words.add(found)
        self.characters.add(single)
        self.columns.reserve(slot)
        self.columns.fill_from_text(slot, text, found, single)
        return slot

    def reading(self, slots: Slots, texts: Sequence[str]) -> Reading:
        """Return what was read in these slots, in that order; ``texts`` are what stands there."""
        return Reading(
            proof=proof_of(texts),
            digests=_digests(texts),
            words=self.words.postings().rearranged(slots),
            characters=self.characters.postings().rearranged(slots),
            columns={name: getattr(self.columns, name)[slots] for name in vars(TextColumns())},
        )


def reader_of(texts: Sequence[str], known: Reading | None, columns: TextColumns) -> TextReader:
    """Return a reader that has read these texts in their order; what is known is not read again.

    It goes on in ``columns``, which have a row for each text.
    """
    if known is None:
        reader = TextReader(columns)
        for text in texts:
            reader.add(text)
        return reader
    knew_all = known.proof == proof_of(texts)
    if not knew_all:
        slot_of = {digest: slot for slot, digest in enumerate(known.digests.tolist())}
        slots = {
            text: slot_of.get(digest)
            for text, digest in zip(texts, _digests(texts).tolist(), strict=True)
        }
        known = completed(TextReader(TextColumns(), known), slots, texts)
    reader = TextReader(columns, known)
    reader.knew_all = knew_all
    return reader


def completed(
    reader: TextReader, slots: Mapping[str, int | None], texts: Sequence[str]
) -> Reading:
    """Return what the texts say, in their order; those in no slot of the reader are read now."""
    places = dict(slots)
    for text in texts:
        if places.get(text) is None:
            places[text] = reader.add(text)
    return reader.reading(np.array([places[text] for text in texts], np.int64), texts)


def _digests(texts: Sequence[str]) -> npt.NDArray[np.uint64]:
    found = b"".join(
        blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest() for text in texts
    )
    return np.frombuffer(found, "<u8")
