"""What the texts of an index say, read once and kept: postings, columns and names.

To read a text (cut it into words, look for dates and names) takes a hundred times as long as to
find a place for it. What was read depends on nothing but the text, so it proves itself: it counts
for the very texts it was made of, and for no other, whatever happened in between.

In a group anyone can take another's display name: 安, and for another person 安（2）. Who is who
is known by the platform's id, which nobody is shown; so whoever comes second under a name is
numbered, in prompts, memories and pages. The number is that group's, for another is another agent.
Nothing holds it but the lines themselves: each bears the label of its author, and who was called
安（2） once is that as long as a line is left. A number that a line still names is nobody else's.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from itertools import chain
from typing import Any, Final, Protocol, TypeAlias
from unicodedata import normalize

import numpy as np
import numpy.typing as npt

from memory.changes import Change, DiaryLine, Drop, Put
from memory.model import AgentSettings, Level, Memory, Passage
from memory.recall.passage_arrays import TextColumns
from memory.record_table import PairMapping, RecordTable
from memory.state import MemoryState
from memory.text.bm25 import Bm25
from memory.text.postings import Postings, Slots
from memory.text.stretches import stretches
from memory.text.tokens import characters, tokens
from prompts.rendering import one_line

READING: Final = 5
"""Raise it when a text is read in another way: what was kept before is then read anew."""

Numbers: TypeAlias = Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Placement:
    """Where every passage of a state stands, and how it lies to the others.

    ``snapshot`` names the snapshots that hold just that state. Each slot is of a line (``row``, by
    the name ``keys``) or of a memory (``holder``); ``piece`` says which of its passages: what was
    said or shown, or by number.
    """

    snapshot: str
    numbers: Numbers
    names: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read in a sequence of texts.

    ``digests`` has 8 bytes of each text, by which it is known for just those texts.
    """

    digests: npt.NDArray[np.uint64]
    words: Postings
    characters: Postings
    columns: Numbers
    placement: Placement | None = None

    def is_of(self, texts: Sequence[str]) -> bool:
        """Whether it was read in just these texts, in that order."""
        return np.array_equal(self.digests, text_digests(texts))


class LinePage(Protocol):
    """A stretch of the diary in a file, with what was read in its lines, slot after slot."""

    @property
    def reading(self) -> Reading:
        """What was read in the texts of its lines."""

    def slot_keys(self) -> Sequence[str]:
        """Return what :meth:`key_of` says of every slot."""

    def key_of(self, slot: int) -> str:
        """Return the id of the message whose text stands in a slot, counted from 0."""

    def slots_of(self, key: str) -> range:
        """Return the slots in which the text of a message stands, none if it is not here."""


class LinePages(PairMapping[str, bytes], ABC):
    """The documents of a diary of which the older lines stand in pages, in their order."""

    __slots__ = ()

    @property
    @abstractmethod
    def pages(self) -> Sequence[LinePage]:
        """The pages, by their lines; every other line has a higher number."""

    @abstractmethod
    def beside(self, number: int, talk: str, *, back: bool) -> Iterator[str]:
        """Yield the keys of a talk's lines from a number on, or before it, the last first."""

    @abstractmethod
    def instants(self) -> Iterator[tuple[str, str]]:
        """Yield every key with the instant at which that line was said, as ISO 8601."""


def said_at(diary: Mapping[str, DiaryLine]) -> Iterator[tuple[str, datetime]]:
    """Yield the key of every line with the instant it was said at; pages are read in their order.

    Asked for one by one, a hundred thousand lines would take eight times as long and be kept.
    """
    lines: Iterable[DiaryLine] = diary.values()
    if isinstance(diary, RecordTable) and isinstance(diary.documents, LinePages):
        changes: Mapping[str, DiaryLine | None] = diary.changes
        for key, at in diary.documents.instants():
            if key not in changes:
                yield key, datetime.fromisoformat(at)
        lines = filter(None, changes.values())
    yield from ((line.key, line.message.at) for line in lines)


def pages_of(state: MemoryState) -> Sequence[LinePage]:
    """Return the pages on which the diary of a state rests."""
    documents = state.diary.documents if isinstance(state.diary, RecordTable) else None
    return documents.pages if isinstance(documents, LinePages) else ()


def slots_to_read(state: MemoryState) -> int:
    """Return how many slots, at least, are of lines that stand in no page."""
    return len(state.diary) - sum(len(page.reading.digests) for page in pages_of(state))


class TextReader:
    """Reads texts into postings and columns, one slot after another.

    ``knew_all``: it began with what was read in just the texts it was made for.
    """

    def __init__(self, columns: TextColumns, known: Sequence[Reading] = ()) -> None:
        """Write into ``columns``; begin with what was read before."""
        self.columns = columns
        self.knew_all = False
        self.words = Bm25(*(each.words for each in known))
        self.characters = Bm25(*(each.characters for each in known))
        columns.reserve(max(len(self.words) - 1, 0))
        first = 0
        for each in known:
            end = first + len(each.digests)
            for name, column in each.columns.items():
                getattr(columns, name)[first:end] = column
            first = end

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
        return self.reading_by(slots, text_digests(texts))

    def reading_by(self, slots: Slots, digests: npt.NDArray[np.uint64]) -> Reading:
        """Return the same for texts of which only the digests are at hand."""
        return Reading(
            digests=digests,
            words=self.words.postings(slots),
            characters=self.characters.postings(slots),
            columns={name: getattr(self.columns, name)[slots] for name in vars(TextColumns())},
        )


def reader_of(texts: Sequence[str], known: Sequence[Reading], columns: TextColumns) -> TextReader:
    """Return a reader that has read these texts in their order; what is known is not read again.

    It goes on in ``columns``, which have a row for each text.
    """
    digests, fitting = text_digests(texts) if known else np.zeros(0, np.uint64), list[Reading]()
    for each in known:
        begin = sum(len(those.digests) for those in fitting)
        if not np.array_equal(digests[begin : begin + len(each.digests)], each.digests):
            break
        fitting.append(each)
    others, begin = known[len(fitting) :], sum(len(each.digests) for each in fitting)
    rest = texts[begin:]
    if others and rest:
        reader = TextReader(TextColumns(), others)
        every = np.concatenate([each.digests for each in others]).tolist()
        slot_of = dict(zip(every, range(len(every)), strict=True))
        slots = dict(zip(rest, map(slot_of.get, digests[begin:].tolist()), strict=True))
        fitting.append(completed(reader, slots, rest))
        rest = ()
    reader = TextReader(columns, fitting)
    for text in rest:
        reader.add(text)
    reader.knew_all = bool(known) and not others and not rest
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


def text_digests(texts: Sequence[str]) -> npt.NDArray[np.uint64]:
    """Return 8 bytes of each text, by which it is known."""
    found = b"".join(
        blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest() for text in texts
    )
    return np.frombuffer(found, "<u8")


def texts_of_line(said: str, shown: str) -> Iterator[str]:
    """Yield what the slots of a line hold, in their order: what was said, and what was shown."""
    for text in (said, shown):
        if text:
            yield from stretches(text)


def line_passage(line: DiaryLine, text: str) -> Passage:
    """Return a line, or what was shown in it, as a passage: nobody said what was only shown."""
    message = line.message
    return Passage(
        text=text,
        source_ids=(message.id,),
        at=message.at,
        speaker=message.speaker if text == message.text else "",
        role=message.role,
        verbatim=True,
        speaker_id=message.speaker_id,
    )


def rests_on_of(memory: Memory) -> int:
    """Return what tells whether a memory rests on the same messages as before."""
    return hash((memory.origin.conversation, memory.source_ids))


def indexed_passages(memory: Memory) -> Iterator[Passage]:
    """Yield what of a memory is indexed: verbatim only while nothing of it was compressed."""
    for passage in memory.passages:
        if passage.text and (not passage.verbatim or memory.words.level is Level.FULL):
            yield passage


def lines_first(changes: Iterable[Change]) -> list[Change]:
    """Return changes in the order the index needs: a memory finds its lines there already."""
    lines, rest = list[Change](), list[Change]()
    for change in changes:
        is_line = isinstance(change, Put) and isinstance(change.record, DiaryLine)
        (lines if is_line else rest).append(change)
    return [*lines, *rest]


_NUMBERED: Final = re.compile(
    r"(?P<name>.+?)(?:（(?P<number>[1-9][0-9]{0,3})）| \((?P<en>[1-9][0-9]{0,3})\))", re.DOTALL
)
_NUMBER: Final = re.compile(r"（(?P<zh>[1-9][0-9]{0,3})）| \((?P<en>[1-9][0-9]{0,3})\)")
_MEMBER: Final = re.compile(r"(?P<name>.+)(?:（成员）| \(member\))", re.DOTALL)
_NOT_A_NAME: Final = frozenset(
    {"小祥", "xiaoxiang", "程序", "程序附注", "note by the program", "system", "assistant"}
)
"""Names under which a person could be taken for her, or for a note of the program."""


def clean_name(name: str) -> str:
    r"""Return a display name on one line, without what would set it apart from what it names.

    >>> clean_name("Nl\nname"), clean_name("（程序附注：")
    ('Nl name', '程序附注')
    """
    told = one_line(name).strip("：:｜|>》」‹· ")
    if len(_OPENS.findall(told)) != len(_CLOSES.findall(told)):
        told = _CLOSES.sub("", _OPENS.sub("", told))
    return _GAP.sub("", " ".join(told.split()))


_GAP: Final = re.compile("(?<=[一-鿿]) (?=[一-鿿])")
_OPENS: Final = re.compile("[（(]")
_CLOSES: Final = re.compile("[）)]")


class NameIndex:
    """Numbers the people of one name. Call :meth:`note` after changes were applied."""

    def __init__(self) -> None:
        self._numbers: dict[str, dict[str, int]] = {}
        self._named: dict[str, int] = {}
        self._labels: dict[str, tuple[str, ...]] = {}

    @classmethod
    def build(cls, state: MemoryState) -> "NameIndex":
        """Return the index of a whole state; may run in a thread."""
        index = cls()
        for _, _, name, person in sorted(_namings_in(state)):
            index._add(name, person)
        if index._numbers:
            index._keep_named(state)
        return index

    def note(self, changes: Iterable[Change]) -> None:
        """Bring the index up to date after changes that were applied."""
        for change in changes:
            if isinstance(change, Drop) and change.table is DiaryLine:
                self._labels.clear()  # whose lines are erased has no former name
            if isinstance(change, Put) and isinstance(change.record, DiaryLine | Memory):
                for _, _, name, person in _namings(change.record):
                    self._add(name, person)

    def assign(self, name: str, person: str, agent: AgentSettings | None = None) -> str:
        """Return what the person of that id is called: by their name, numbered from 2 on.

        Whoever is new under the name has that number from now on. Whoever has her name, or the
        word for her partner, is told apart from these: 小祥（成员）.

        A name that looks numbered already is numbered all the same, so that nobody can take a
        number for their name.
        """
        english = agent is not None and agent.language == "en"
        name = clean_name(name) or clean_name(person)
        known = self._numbers.setdefault(_folded(name), {})
        number = known.setdefault(person, self._free(_folded(name)))
        taken = {*_NOT_A_NAME, _folded(agent.partner) if agent else ""}
        looks_labelled = _NUMBERED.fullmatch(name) or _MEMBER.fullmatch(name)
        if _folded(name) in taken:
            name = f"{name} (member)" if english else f"{name}（成员）"
        if number > 1 or looks_labelled:
            name = f"{name} ({number})" if english else f"{name}（{number}）"
        self._labels[person] = (*(x for x in self._labels.pop(person, ()) if x != name), name)
        return name

    def renamed(self) -> list[tuple[str, ...]]:
        """Return the names of each who had several, the last one last, who spoke last at last."""
        return [names for names in self._labels.values() if len(names) > 1]

    def _add(self, name: str, person: str) -> None:
        self._labels[person] = (*(x for x in self._labels.pop(person, ()) if x != name), name)
        found = _NUMBERED.fullmatch(name)
        number = int(found["number"] or found["en"]) if found else 0
        base = found["name"] if found else name
        if number != 1 and (member := _MEMBER.fullmatch(base)):
            base = member["name"]
        known = self._numbers.setdefault(_folded(base), {})
        if person not in known:
            # Without a number whoever came first was called, though their first lines may be gone.
            taken = (number or 1) in known.values()
            known[person] = self._free(_folded(base)) if taken else number or 1

    def _free(self, folded: str) -> int:
        """Return the next number under a name, which nobody there has or had."""
        had = self._numbers.get(folded, {}).values()
        return max([*had, self._named.get(folded, 0)], default=0) + 1

    def _keep_named(self, state: MemoryState) -> None:
        """Note the numbers that words name whose own lines were erased: 安（2）你带伞了吗."""
        for line in state.diary.values():
            text = line.message.text
            for found in _NUMBER.finditer(text):
                before, number = _folded(text[: found.start()]), int(found["zh"] or found["en"])
                for name in filter(before.endswith, self._numbers):
                    self._named[name] = max(self._named.get(name, 0), number)


def _folded(name: str) -> str:
    """Return a name as people read it: 管管 with a space behind is the same name."""
    return " ".join(normalize("NFKC", name).casefold().split())


def _namings_in(state: MemoryState) -> Iterator[tuple[datetime, str, str, str]]:
    records: Iterator[DiaryLine | Memory] = chain(state.diary.values(), state.memories.values())
    for record in records:
        yield from _namings(record)


def _namings(record: DiaryLine | Memory) -> Iterator[tuple[datetime, str, str, str]]:
    """Yield when, in which message, under which name and by whom something was said."""
    if isinstance(record, DiaryLine):
        said = record.message
        if said.role == "user" and said.speaker_id and said.speaker:
            yield said.at, said.id, said.speaker, said.speaker_id
        return
    # What the diary has let go may still be told in a memory.
    for line in record.passages:
        if line.role == "user" and line.speaker_id and line.speaker:
            yield line.at, "".join(line.source_ids[:1]), line.speaker, line.speaker_id
