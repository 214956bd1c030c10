"""The vectors of passages: made in the background, compared when something is searched.

Everything here can be lost and made again: the truth is the state. While there are no vectors,
or the embedder is unavailable, search goes by words alone.
"""

import asyncio
from collections.abc import Container, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memory.changes import Change, Put
from memory.errors import StoreError
from memory.model import Deleted, Level, Memory, Merged, Tier
from memory.network.links import links_by_meaning
from memory.ports import Embedder
from memory.recall.meaning import NOTHING_NEAR, UNRELATED_COSINE, Near
from memory.state import MAX_LINKS, MemoryState, is_hidden
from memory.stores.sidecars import FloatVector, VectorFile, text_digest
from memory.writer import Fairness, StateWriter

# Unrelated sentences reach about 0.3 with current models; source document 001 merges from 0.75.
LINKED_FROM_COSINE: Final = 0.6
"""The cosine from which two memories are linked."""


def nearest_by_cosine(
    new: Sequence[int],
    ids: Sequence[int],
    vectors: NDArray[np.float32],
    *,
    near: float = LINKED_FROM_COSINE,
) -> Mapping[int, Mapping[int, float]]:
    """Return, for each of ``new``, its at most 32 nearest among ``ids`` and their cosines.

    ``vectors[i]`` belongs to ``ids[i]`` and need not have length 1; an id of ``new`` without a
    vector, or with one that is all zero, is near nobody. 10,000 vectors of 1,024 numbers take
    about 50 ms: call it in a thread.
    """
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    places = {memory_id: place for place, memory_id in enumerate(ids)}
    found: dict[int, dict[int, float]] = {}
    for memory_id in new:
        place = places.get(memory_id)
        if place is None:
            continue
        cosine = np.clip(unit @ unit[place], 0.0, 1.0)
        # Every memory is nearest to itself.
        cosine[place] = 0.0
        order = np.lexsort((np.asarray(ids), -cosine))[:MAX_LINKS]
        found[memory_id] = {ids[i]: float(cosine[i]) for i in order if cosine[i] >= near}
    return found


EMBEDDED_AT_ONCE: Final = 64
"""Texts in one call of the embedder."""

NEAREST_OFFERED: Final = 60
"""How many of the passages nearest to a question are offered to ranking."""

QUESTION_SECONDS: Final = 2.0
"""How long a search waits for the vector of its question; then it goes by words alone."""

QUESTIONS_KEPT: Final = 32
"""How many recent questions keep their vector."""

FIRST_EMBEDDER_RETRY_SECONDS: Final = 15.0

LONGEST_EMBEDDER_RETRY_SECONDS: Final = 600.0
"""How long an unavailable embedder is not asked: doubling from the first up to this."""


@dataclass(frozen=True, slots=True, eq=False)
class _Searchable:
    """The vectors that are searched, in the order of their texts, and of each text its row.

    ``vectors`` are as they were made, ``matrix`` is without what all have in ``common``. In that
    order, not in that in which they came to be made: what is added up in another order is another
    number, and of equals the first is offered. Made anew they are to give the same answers.
    """

    texts: Sequence[str]
    rows: Mapping[str, int]
    vectors: FloatVector
    common: FloatVector
    matrix: FloatVector

    @classmethod
    def of(cls, texts: Sequence[str], vectors: FloatVector) -> "_Searchable":
        """Return what is searched by vectors that lie in the order of their texts."""
        common = common_part(vectors)
        rows = {text: row for row, text in enumerate(texts)}
        return cls(texts, rows, vectors, common, _without(common, vectors.copy()))

    def joined(self, new: dict[str, FloatVector]) -> "_Searchable":
        """Return it with vectors of new texts; those of another length are dropped."""
        # The newest decides: an embedder may change its length under the same name.
        length = len(next(reversed(new.values())))
        fit = {text: vector for text, vector in new.items() if len(vector) == length}
        before = self if self.vectors.shape[1] == length else _searchable_of({}, length)
        texts = [*before.texts, *fit]
        vectors = np.concatenate([before.vectors, _matrix_of(fit, length)])
        order = sorted(range(len(texts)), key=texts.__getitem__)
        return self.of([texts[each] for each in order], _rows_of(vectors, order))

    def only(self, wanted: Container[str]) -> "_Searchable":
        """Return it without the texts that are not ``wanted``."""
        kept = [row for row, text in enumerate(self.texts) if text in wanted]
        if len(kept) == len(self.texts):
            return self
        return self.of([self.texts[row] for row in kept], _rows_of(self.vectors, kept))


def _searchable_of(vectors: Mapping[str, FloatVector], length: int = 0) -> _Searchable:
    texts = sorted(vectors)
    return _Searchable.of(texts, _matrix_of({text: vectors[text] for text in texts}, length))


class PassageVectors:
    """The vectors of one agent, all by one embedder.

    What goes over all of them is done in a thread: there may be a hundred thousand.
    """

    def __init__(
        self, writer: StateWriter, embedder: Embedder, file: VectorFile, fairness: Fairness
    ) -> None:
        self._writer = writer
        self._embedder = embedder
        self._file = file
        self._fairness = fairness
        self._known = _searchable_of({})
        self._questions: dict[str, FloatVector] = {}
        self._unavailable_until = 0.0
        self._reading, self._is_read = asyncio.Lock(), False
        self._lost: frozenset[str] = frozenset()
        self._notified = asyncio.Event()
        self._filled, self._tried = asyncio.Event(), asyncio.Event()

    def notify(self) -> None:
        """Say that there may be new passages."""
        self._filled.clear()
        self._tried.clear()
        self._notified.set()

    async def wait_until_filled(self) -> None:
        """Wait until every passage has its vector."""
        await self._filled.wait()

    async def wait_until_tried(self) -> None:
        """Wait until every passage has its vector, or embedder or disk refused one."""
        await self._tried.wait()

    async def run(self) -> None:
        """Make the vectors that are missing, whenever there are any, until cancelled."""
        wait = FIRST_EMBEDDER_RETRY_SECONDS
        await self._read_file()
        while True:
            self._notified.clear()
            wait = (
                FIRST_EMBEDDER_RETRY_SECONDS
                if await self._fill()
                else min(2 * wait, LONGEST_EMBEDDER_RETRY_SECONDS)
            )
            if not self._notified.is_set():
                self._tried.set()
            try:
                async with asyncio.timeout(None if self._filled.is_set() else wait):
                    await self._notified.wait()
            except TimeoutError:
                pass

    async def find_near(self, question: str) -> Near:
        """Return how near the passages are to a question; nothing is without its vector."""
        # Else the first question after a start would find others than the same one a moment later.
        await self._read_file()
        if not self._known.rows or not question.strip():
            return NOTHING_NEAR
        # Taken out and put in again at the end, so that the first of the dict is the least recent.
        vector = self._questions.pop(question, None)
        if vector is None:
            vector = await self._embed_question(question)
        known = self._known  # as it is now that the vector is there
        if vector is None or len(vector) != known.matrix.shape[1]:
            return NOTHING_NEAR
        self._questions[question] = vector
        if len(self._questions) > QUESTIONS_KEPT:
            del self._questions[next(iter(self._questions))]
        found = known.matrix @ _without(known.common, vector[None].copy())[0]
        best = np.argsort(-found, kind="stable")[:NEAREST_OFFERED].tolist()
        nearest = tuple(known.texts[i] for i in best if found[i] > UNRELATED_COSINE)
        return Near(known.rows, np.asarray(found, np.float32), nearest)

    async def prune(self) -> None:
        """Drop, from file and index, the vectors of texts no memory holds; raises StoreError."""
        await self._read_file()
        state = self._writer.state
        known = self._known
        self._known = await asyncio.to_thread(lambda: known.only(_texts_to_embed(state)))
        await asyncio.to_thread(self._write_file, self._known)

    def _write_file(self, known: _Searchable) -> None:
        digests = [text_digest(text) for text in known.texts]
        self._file.write(self._embedder.name, digests, known.vectors)

    async def _read_file(self) -> None:
        """Begin with the vectors of the file, once; what the disk refuses is made anew."""
        async with self._reading:
            if self._is_read:
                return
            self._known, self._lost = await asyncio.to_thread(
                self._read_vectors, self._writer.state
            )
            self._is_read = True

    def _read_vectors(self, state: MemoryState) -> tuple[_Searchable, frozenset[str]]:
        """Return what of the texts of a state has a vector in the file, and which have none."""
        read: dict[bytes, FloatVector] = {}
        with suppress(StoreError):
            # Keyed by the embedder's name: vectors of another model have another meaning.
            read = self._file.read(self._embedder.name)
        keys = {text: text_digest(text) for text in _texts_to_embed(state)}
        known = {text: read[key] for text, key in keys.items() if key in read}
        length = len(next(iter(known.values()))) if known else 0
        return _searchable_of(known, length), frozenset(keys.keys() - known.keys())

    async def _embed_question(self, question: str) -> FloatVector | None:
        """Return the vector of a question; None, without asking, after a recent failure."""
        now = asyncio.get_running_loop().time
        if now() < self._unavailable_until:
            return None
        made = None
        with suppress(TimeoutError):
            async with asyncio.timeout(QUESTION_SECONDS):
                made = await self._embedder.embed([question])
        if not made:
            self._unavailable_until = now() + FIRST_EMBEDDER_RETRY_SECONDS
            return None
        return _unit_vector(made[0])

    async def _fill(self) -> bool:
        """Make what is missing and store it; False if the embedder or the disk refuses."""
        state, known = self._writer.state, self._known
        missing, gone = await asyncio.to_thread(_missing_and_gone, state, known)
        for start in range(0, len(missing), EMBEDDED_AT_ONCE):
            part = missing[start : start + EMBEDDED_AT_ONCE]
            made = await self._embedder.embed(part)
            if made is None or len(made) != len(part):
                return False
            # It answers again, so questions may be asked at once.
            self._unavailable_until = 0.0
            new = {text: _unit_vector(vector) for text, vector in zip(part, made, strict=True)}
            if not await self._take(new):
                return False
        try:
            if missing or gone or not await asyncio.to_thread(self._file.exists):
                await self.prune()
            await self._note_meant(state.next_id)
        except StoreError:
            return False
        if not self._notified.is_set():
            self._filled.set()
        return True

    async def _take(self, new: dict[str, FloatVector]) -> bool:
        """Search by new vectors and link by them; False, and neither, if the disk refuses."""
        async with self._fairness.step():
            before = self._known
            self._known = await asyncio.to_thread(before.joined, new)
            try:
                await self._link(new)
            except StoreError:
                # Missing again, they are linked when they come the next time.
                self._known = before
                return False
        return True

    async def _link(self, new: dict[str, FloatVector]) -> None:
        """Link the memories whose gist has just got a vector to those near in meaning."""
        found = await asyncio.to_thread(
            _near_in_meaning, self._writer.state, self._known, new.keys(), self._lost
        )
        if found:
            await self._writer.write(lambda now: links_by_meaning(found, now))

    async def _note_meant(self, before: int) -> None:
        """Remember that every memory under this id was linked by meaning."""

        def plan(now: MemoryState) -> Sequence[Change]:
            info = now.agent_info
            return [Put(replace(info, meant_before=before))] if info.meant_before < before else ()

        await self._writer.write(plan)
        self._lost = frozenset()


def _embeddable_memories(state: MemoryState) -> Iterator[Memory]:
    """Yield the memories to be searched by meaning: no names, and nothing sealed."""
    # An embedder is a service outside: what is secret must not reach it.
    for memory in state.memories.values():
        gone = isinstance(memory.standing, Deleted | Merged)
        if not gone and memory.sealed is None and memory.nature.tier is not Tier.ENTITY:
            yield memory


def _texts_to_embed(state: MemoryState) -> dict[str, None]:
    """Return the texts that need a vector, each once: of memories, then of the diary."""
    of_memories = {
        passage.text: None
        for memory in sorted(_embeddable_memories(state), key=lambda memory: memory.id)
        for passage in memory.passages
        if passage.text and (not passage.verbatim or memory.words.level is Level.FULL)
    }
    hidden = {
        source
        for memory in state.memories.values()
        if is_hidden(memory)
        for source in memory.source_ids
    }
    lines = (line for line in state.diary.values() if not line.hidden and line.key not in hidden)
    said = (text for line in lines for text in (line.message.text, line.message.quoted) if text)
    return of_memories | dict.fromkeys(said)


def _missing_and_gone(state: MemoryState, known: _Searchable) -> tuple[list[str], bool]:
    """Return the texts that have no vector yet, and whether there are vectors of others."""
    wanted = _texts_to_embed(state)
    missing = [text for text in wanted if text not in known.rows]
    return missing, len(known.texts) + len(missing) > len(wanted)


def _near_in_meaning(
    state: MemoryState, known: _Searchable, new: AbstractSet[str], lost: AbstractSet[str]
) -> Mapping[int, Mapping[int, float]]:
    """Return the memories near those whose gist is one of ``new``."""
    gists = {
        memory.id: text for memory in _embeddable_memories(state) if (text := memory.words.text)
    }
    # What was lost and is made anew had its links, of which some have faded since.
    linked, arrived = state.agent_info.meant_before, new - lost
    ids = [memory_id for memory_id, text in gists.items() if text in known.rows]
    made = [each for each in ids if gists[each] in (new if each >= linked else arrived)]
    if not made:
        return {}
    rows = _rows_of(known.vectors, [known.rows[gists[each]] for each in ids])
    return nearest_by_cosine(made, ids, _without(known.common, rows))


SETTLES_AT: Final = 5
"""With so many texts half of their mean is taken for what they have in common, with more more."""


def common_part(rows: FloatVector) -> FloatVector:
    """Return what the vectors of all texts have in common: their mean, held near 0 while few.

    Many models turn every text nearly the same way: the cosine of texts that have nothing to do
    with one another is .15 with one model and .76 with another. Without the common part it is
    about 0 with each, and one border fits all (Mu & Viswanath 2018, All-but-the-Top).
    """
    return np.asarray(rows.sum(axis=0) / (len(rows) + SETTLES_AT), np.float32)


def _without(common: FloatVector, rows: FloatVector) -> FloatVector:
    """Take the common part out of rows, in place, and return them with length 1; 0 stays 0."""
    rows -= common
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    np.divide(rows, lengths, out=rows, where=lengths > 0)
    return rows


def _matrix_of(vectors: Mapping[str, FloatVector], length: int) -> FloatVector:
    return np.array(list(vectors.values()), np.float32).reshape(len(vectors), length)


def _rows_of(vectors: FloatVector, rows: Sequence[int]) -> FloatVector:
    return vectors.take(np.array(rows, np.intp), axis=0)


def _unit_vector(vector: Sequence[float]) -> FloatVector:
    """Return a vector of length 1 in the same direction; one that is all zero stays so."""
    made = np.array(vector, np.float32)
    length = float(np.linalg.norm(made))
    return made / np.float32(length) if length > 0 else made
