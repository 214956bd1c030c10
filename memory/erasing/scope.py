"""What an erasure reaches: which memories and messages, and whatever repeats their words.

Of several people only one person's own words can be erased. Whose they are goes by the platform's
id, never by a name. A memory is theirs alone if every passage of it is. Of an episode in which
others speak too, their own lines go, with what 小祥 answered to them, and the rest is reworded.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from itertools import pairwise
from typing import Final, TypeAlias, assert_never

from memory.diary import in_order
from memory.model import Memory, Message, Passage, Tier
from memory.state import MemoryState
from memory.text.tokens import normalized

SHORTEST_NEEDLE: Final = 2
"""The fewest characters that are searched for; a shorter text would match almost everything."""

TextMatcher: TypeAlias = Callable[[str], bool]
"""Whether a text repeats what is erased."""


@dataclass(frozen=True, slots=True)
class Everything:
    """All an agent knows."""


@dataclass(frozen=True, slots=True)
class OneMemory:
    """One memory, the messages it rests on, and whatever repeats it."""

    memory_id: int


@dataclass(frozen=True, slots=True)
class TextMatch:
    """Whatever holds this text; ``sealed`` are the sealed memories that do, as a vault knows."""

    text: str
    sealed: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasedElsewhere:
    """What an erasure of another state found: to be found again in a former one.

    With ``rewrites``, others' words stay: memories and messages go by id alone, and what is left
    of a memory is reworded.
    """

    memories: tuple[int, ...]
    messages: tuple[str, ...]
    needles: tuple[str, ...]
    rewrites: bool = False


Target: TypeAlias = Everything | OneMemory | TextMatch | ErasedElsewhere


def texts_of(value: object) -> Iterator[str]:
    """Yield every text inside a record, however deep."""
    if isinstance(value, Enum):
        return
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from texts_of(each)
    elif is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            yield from texts_of(getattr(value, each.name))


def text_matcher(needles: Iterable[str]) -> TextMatcher:
    """Return what tells whether a text holds a needle, whatever the case, width and spacing."""
    sought = [each for each in map(comparable_text, needles) if len(each) >= SHORTEST_NEEDLE]

    def matches(text: str) -> bool:
        inside = comparable_text(text)
        return any(needle in inside for needle in sought)

    return matches


@dataclass(slots=True)
class ErasureScope:
    """What is to be erased: memories by id, messages by id, and whatever holds the needles.

    ``rewrites`` says that what is left of a memory has to be reworded without the lines that go.
    """

    needles: tuple[str, ...]
    matches: TextMatcher
    memories: set[int]
    messages: set[str]
    rewrites: bool = False

    @classmethod
    def of(
        cls, state: MemoryState, target: OneMemory | TextMatch | ErasedElsewhere
    ) -> "ErasureScope":
        """Return everything of ``state`` the target reaches.

        Raises :class:`memory.errors.UnknownMemory`.
        """
        # In this order: messages bring the answers to them, both bring memories that rest on them,
        # facts the lines that told them, and only then it shows which names nothing refers to.
        scope, near = cls._from_target(state, target)
        scope.messages |= {m.id for m in every_message(state) if scope.covers_message(m)}
        scope.messages |= set(answer_ids(state, scope.messages))
        scope.memories |= {m.id for m in state.memories.values() if scope.covers_memory(m, near)}
        scope.messages |= set(_lines_behind_facts(state, scope.memories))
        scope.memories |= set(orphaned_names(state, scope.memories, near))
        return scope

    @classmethod
    def _from_target(
        cls, state: MemoryState, target: OneMemory | TextMatch | ErasedElsewhere
    ) -> tuple["ErasureScope", tuple[str, ...]]:
        """Return what the target names outright, and the keywords near it."""
        match target:
            case TextMatch(words, sealed):
                sources = {each for m in sealed for each in state.memory(m).source_ids}
                return cls((words,), text_matcher((words,)), set(sealed), sources), ()
            case OneMemory(memory_id):
                memory = state.memory(memory_id)
                needles = tuple(wordings_of(memory, state))
                scope = cls(needles, text_matcher(needles), {memory.id}, set(memory.source_ids))
                return scope, memory.words.keywords
            case ErasedElsewhere(
                memories=ids, messages=messages, needles=needles, rewrites=rewrites
            ):
                there = {each for each in ids if each in state.memories}
                return cls(needles, text_matcher(needles), there, set(messages), rewrites), ()
            case never:
                assert_never(never)

    def covers_message(self, message: Message) -> bool:
        """Whether a message goes."""
        told = self.matches(message.text) or self.matches(message.quoted)
        return told or message.id in self.messages

    def covers_memory(self, memory: Memory, near: tuple[str, ...]) -> bool:
        """Whether a memory goes as a whole, and not only some lines of it.

        What rests on an erased message goes if it speaks of the same things.
        """
        if memory.sealed is not None:
            return memory.id in self.memories
        left = [p for p in memory.passages if not self.covers_line(p)]
        words = (memory.words, tuple(p.text for p in left))
        if any(self.matches(text) for text in texts_of(words)):
            return True
        if not self.messages & set(memory.source_ids):
            return False
        # One message may hold several facts; only those that share a keyword with the target go.
        speaks = comparable_text(" ".join(texts_of(memory.words)))
        return not memory.words.text or any(
            comparable_text(word) in speaks for word in near if word
        )

    def covers_line(self, passage: Passage) -> bool:
        """Whether a line of an episode goes."""
        own = bool(self.messages & set(passage.source_ids))
        return passage.verbatim and (own or self.matches(passage.text))


def _lines_behind_facts(state: MemoryState, gone: Iterable[int]) -> Iterator[str]:
    """Yield the messages that told the facts among ``gone``, in whatever words."""
    # The diary keeps them for ever: 它叫团子 would still tell what the erased fact said.
    for memory_id in gone:
        memory = state.memories[memory_id]
        if memory.is_fact and memory.sealed is None:
            yield from memory.source_ids


def wordings_of(memory: Memory, state: MemoryState) -> Iterator[str]:
    """Yield every wording of a memory: its own, its former ones, and the quotation.

    A sealed one shows a placeholder only, which would match every other sealed memory.
    """
    if memory.sealed is not None:
        return
    yield memory.words.text
    yield memory.origin.quote
    yield from (passage.text for passage in memory.passages)
    former = state.previous_texts.get(memory.id)
    if former:
        yield former.words.text
    corrected = state.corrections.get(memory.id)
    for entry in corrected.entries if corrected else ():
        yield from (entry.before, entry.after)


def orphaned_names(state: MemoryState, gone: set[int], near: tuple[str, ...]) -> Iterator[int]:
    """Yield the names among ``near`` that nothing which stays is linked to."""
    names = {comparable_text(word) for word in near}
    needed = {
        link.target
        for links in state.links.values()
        if links.source not in gone
        for link in links.links
    }
    for memory in state.memories.values():
        unneeded = memory.nature.tier is Tier.ENTITY and memory.id not in needed
        if unneeded and comparable_text(memory.words.text) in names:
            yield memory.id


def every_message(state: MemoryState) -> Iterator[Message]:
    """Yield every message that is kept as it was said."""
    for window in state.windows.values():
        yield from (*window.tail, *window.lines)
    for turn in state.turns.values():
        yield from turn.messages
    for task in state.tasks.values():
        yield from task.messages
    for line in state.diary.values():
        yield line.message


def answer_ids(state: MemoryState, messages: set[str]) -> Iterator[str]:
    """Yield the ids of what 小祥 answered directly to one of the messages."""
    for said, answer in _neighbouring_messages(state):
        if said.id in messages and said.role == "user" and answer.role == "assistant":
            yield answer.id
    for memory in state.memories.values():
        lines = [passage for passage in memory.passages if passage.verbatim]
        for line, after in pairwise(lines):
            if messages & set(line.source_ids) and after.role == "assistant":
                yield from after.source_ids


def _neighbouring_messages(state: MemoryState) -> Iterator[tuple[Message, Message]]:
    """Yield each message with the next one of its conversation, in working memory and diary."""
    for window in state.windows.values():
        yield from pairwise((*window.tail, *window.lines))
    last: dict[str, Message] = {}
    for line in in_order(state.diary.values()):
        before = last.get(line.conversation)
        if before is not None:
            yield before, line.message
        last[line.conversation] = line.message


def comparable_text(text: str) -> str:
    """Return a text as it is compared: case, width and spacing do not count."""
    return " ".join(normalized(text).split())


def scope_of_person(state: MemoryState, target: Target, person: str) -> ErasureScope:
    """Return what of the target rests on a person's own words.

    A memory that rests on others' words as well is left, but for their own lines in it. Raises
    :class:`memory.errors.UnknownMemory`.
    """
    # What an erasure found elsewhere was already limited to that person.
    if isinstance(target, ErasedElsewhere):
        return ErasureScope.of(state, target)
    needles = _needles_for_person(state, target, person)
    matches = _matches_any_text if isinstance(target, Everything) else text_matcher(needles)
    messages = {
        m.id
        for m in every_message(state)
        if m.speaker_id == person and (matches(m.text) or matches(m.quoted))
    }
    memories: set[int] = set()
    for memory in state.memories.values():
        chosen = target == OneMemory(memory.id)
        told = chosen or any(map(matches, _texts_of_memory(memory)))
        if told and rests_only_on(memory, person):
            memories.add(memory.id)
            messages |= set(memory.source_ids) if chosen or memory.is_fact else set()
        messages |= {
            each
            for passage in memory.passages
            if passage.speaker_id == person and passage.verbatim
            if chosen or matches(passage.text)
            for each in passage.source_ids
        }
    messages |= set(answer_ids(state, messages))
    memories |= {m.id for m in state.memories.values() if _is_emptied(m, messages)}
    near = tuple(word for each in memories for word in state.memories[each].words.keywords)
    memories |= set(orphaned_names(state, memories, near))
    # By ids alone from here on: others may have said the same words, and theirs stay.
    return ErasureScope(needles, _matches_no_text, memories, messages, rewrites=True)


def rests_only_on(memory: Memory, person: str) -> bool:
    """Whether a memory rests on one person's words alone: 小祥's answers to them do not count."""
    theirs = [p.speaker_id == person for p in memory.passages if p.role == "user"]
    return bool(theirs) and all(theirs)


def has_words_of(memory: Memory, person: str) -> bool:
    """Whether any of a memory is a person's own."""
    return any(passage.speaker_id == person for passage in memory.passages)


def _needles_for_person(
    state: MemoryState, target: Everything | OneMemory | TextMatch, person: str
) -> tuple[str, ...]:
    match target:
        case Everything():
            return ()
        case TextMatch(words):
            return (words,)
        case OneMemory(memory_id):
            memory = state.memory(memory_id)
            return tuple(wordings_of(memory, state)) if rests_only_on(memory, person) else ()


def _texts_of_memory(memory: Memory) -> tuple[str, ...]:
    return (*texts_of(memory.words), *(passage.text for passage in memory.passages))


def _is_emptied(memory: Memory, messages: set[str]) -> bool:
    """Whether nobody's line is left of an episode of which some went."""
    if memory.nature.tier is not Tier.EPISODE:
        return False
    lines = [p for p in memory.passages if p.verbatim and p.role == "user"]
    went = [p for p in lines if messages & set(p.source_ids)]
    return bool(went) and went == lines


def _matches_any_text(text: str) -> bool:
    return bool(text)


def _matches_no_text(text: str) -> bool:
    del text
    return False
