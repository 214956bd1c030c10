"""What an erasure reaches: which memories and messages, and whatever repeats their words.

Where words are erased, what was learnt from an erased line goes with it, though it does not hold
them, unless a line that stays tells it too. Of one memory only its own lines go.

Of several people only one person's own words can be erased. Whose they are goes by the platform's
id, never by a name. A memory is theirs alone if every passage of it is. Of an episode in which
others speak too, their own lines go, with what 小祥 answered to them, and the rest is reworded.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from itertools import pairwise
from typing import Final, TypeAlias, assert_never

from memory.diary import in_order
from memory.model import Memory, Message, Passage, Tier
from memory.offline.utterances import statements_in
from memory.offline.vocabulary import content_words
from memory.state import MemoryState
from memory.text.bm25 import similarity
from memory.text.salience import STANDS
from memory.text.tokens import keywords, normalized, phrase_of

SHORTEST_REPEATED: Final = 8
"""The fewest characters of a message taken back by which its repetitions are known."""

SHORTEST_TOLD: Final = 5
"""The fewest characters of a fact by which an answer that repeats it is known."""

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
    of a memory is reworded. With ``whole_lines``, what rests on the messages alone goes as well.
    """

    memories: tuple[int, ...]
    messages: tuple[str, ...]
    needles: tuple[str, ...]
    rewrites: bool = False
    whole_lines: bool = False


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

    ``rewrites`` says that others' words stay, and ``whole_lines`` that what rests on the messages
    alone goes as well.
    """

    needles: tuple[str, ...]
    matches: TextMatcher
    memories: set[int]
    messages: set[str]
    rewrites: bool = False
    whole_lines: bool = False

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
        if scope.whole_lines:
            scope.add_what_rests_on_lines(state)
        else:
            emptied = (m for m in state.memories.values() if is_emptied(m, scope.messages))
            scope.memories |= {m.id for m in emptied if m.sealed is None}
        scope.memories |= set(orphaned_names(state, scope.memories, near))
        return scope

    def add_what_rests_on_lines(self, state: MemoryState) -> None:
        """Add what rests on the erased messages alone, and the names that only those say."""
        lines = lines_by_id(state)
        self.messages |= set(answer_ids(state, self.messages))
        for memory in state.memories.values():
            if memory.sealed is None and rests_on_alone(memory, self.messages, lines):
                self.memories.add(memory.id)
        self.messages |= set(_answers_that_tell(state, self.memories))
        gone = [comparable_text(m.text) for m in lines.values() if m.id in self.messages]
        staying = [comparable_text(m.text) for m in lines.values() if m.id not in self.messages]
        for memory in state.memories.values():
            if memory.nature.tier is not Tier.ENTITY:
                told = gone if memory.id in self.memories else staying
                told.append(comparable_text(memory.words.text))
        for memory in state.memories.values():
            name = comparable_text(memory.words.text)
            if memory.nature.tier is Tier.ENTITY and any(name in each for each in gone):
                self.memories |= set() if any(name in each for each in staying) else {memory.id}

    @classmethod
    def _from_target(
        cls, state: MemoryState, target: OneMemory | TextMatch | ErasedElsewhere
    ) -> tuple["ErasureScope", tuple[str, ...]]:
        """Return what the target names outright, and the keywords near it."""
        match target:
            case TextMatch(words, sealed):
                sources = {each for m in sealed for each in state.memory(m).source_ids}
                matches = text_matcher((words,))
                return cls((words,), matches, set(sealed), sources, whole_lines=True), ()
            case OneMemory(memory_id):
                memory = state.memory(memory_id)
                needles = tuple(wordings_of(memory, state))
                scope = cls(needles, text_matcher(needles), {memory.id}, set(memory.source_ids))
                return scope, memory.words.keywords
            case ErasedElsewhere(needles=needles):
                there = {each for each in target.memories if each in state.memories}
                matches, messages = text_matcher(needles), set(target.messages)
                scope = cls(needles, matches, there, messages, target.rewrites)
                scope.whole_lines = target.whole_lines
                return scope, ()
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
        if self.whole_lines and any(p.verbatim and p.role == "user" for p in left):
            # It is told anew from the lines that stay.
            return False
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


def lines_by_id(state: MemoryState) -> dict[str, Message]:
    """Return every message that is kept as it was said, by its id."""
    return {message.id: message for message in every_message(state)}


def rests_on_alone(memory: Memory, gone: set[str], lines: Mapping[str, Message]) -> bool:
    """Whether nothing that stays tells a memory: neither a line in it nor one it rests on."""
    left = [each for each in memory.source_ids if each not in gone]
    if len(left) == len(memory.source_ids):
        return False
    if not left or is_emptied(memory, gone):
        return True
    if memory.is_fact:
        return not retold_fact(memory, gone, lines).words.text
    told = any(each.verbatim and each.role == "user" for each in memory.passages)
    return not told and not any(each in lines for each in left)


def retold_fact(memory: Memory, gone: set[str], lines: Mapping[str, Message]) -> Memory:
    """Return a fact as the lines tell it that stay; without words if they tell none.

    It keeps its words if those lines say them.
    """
    if not gone & set(memory.source_ids):
        return memory
    staying = [lines[each] for each in memory.source_ids if each in lines and each not in gone]
    text, words = _told_by(staying, memory), memory.words
    if text != words.text:
        words = replace(words, text=text, phrase=phrase_of(text), keywords=keywords(text))
    passages = (
        replace(p, text=text, source_ids=tuple(each for each in p.source_ids if each not in gone))
        for p in memory.passages
    )
    return replace(memory, words=words, passages=tuple(p for p in passages if p.source_ids))


def without_subject(text: str, state: MemoryState) -> str:
    """Return what a fact says of the partner, whom it begins with: 老婆前年走了."""
    for name in (state.agent_info.settings.partner, *STANDS):
        if text.startswith(name):
            return text.removeprefix(name).lstrip("：: ")
    return text


def _told_by(lines: Sequence[Message], memory: Memory) -> str:
    """Return a fact in the words of the lines it still rests on; empty if they tell none.

    Of lines that are not kept any more nothing can be told: then it stays as it is.
    """
    told = memory.words.text
    said = {word for line in lines for word in content_words(line.text)}
    if not lines or set(content_words(told)) <= said.union(STANDS):
        return told
    subject = next((each for each in STANDS if told.startswith(each)), STANDS[0])
    read = (each for line in lines for each in statements_in(line.text, subject, line.at))
    return max((each.text for each in read), key=lambda each: similarity(each, told), default="")


def _answers_that_tell(state: MemoryState, gone: Iterable[int]) -> Iterator[str]:
    """Yield what 小祥 said in which a fact among ``gone`` is told: 我记得：老婆前年走了."""
    facts = [state.memories[each] for each in gone]
    told = [m.words.text for m in facts if m.is_fact and m.sealed is None]
    own = (without_subject(each, state) for each in told)
    matches = text_matcher(each for each in own if len(each) >= SHORTEST_TOLD)
    for message in every_message(state):
        if message.role == "assistant" and matches(message.text):
            yield message.id


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


def rests_only_on(memory: Memory, person: str) -> bool:
    """Whether a memory rests on one person's words alone: 小祥's answers to them do not count."""
    theirs = [p.speaker_id == person for p in memory.passages if p.role == "user"]
    return bool(theirs) and all(theirs)


def has_words_of(memory: Memory, person: str) -> bool:
    """Whether any of a memory is a person's own."""
    return any(passage.speaker_id == person for passage in memory.passages)


def is_emptied(memory: Memory, messages: set[str]) -> bool:
    """Whether nobody's line is left of an episode of which some went."""
    if memory.nature.tier is not Tier.EPISODE:
        return False
    lines = [p for p in memory.passages if p.verbatim and p.role == "user"]
    went = [p for p in lines if messages & set(p.source_ids)]
    return bool(went) and went == lines


def message_taken_back(state: MemoryState, message_id: str) -> ErasedElsewhere:
    """Return what goes with one message that was taken back: it, and what rests on it alone."""
    said = lines_by_id(state).get(message_id)
    words = said.text if said else ""
    alone = (m.id for m in state.memories.values() if set(m.source_ids) == {message_id})
    return ErasedElsewhere(
        memories=tuple(alone),
        messages=(message_id,),
        needles=(words,) if len(comparable_text(words)) >= SHORTEST_REPEATED else (),
        rewrites=True,
    )
