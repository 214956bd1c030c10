"""How a fate is carried out on one memory: what is left, what is kept for 30 days, what goes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Final, Literal, TypeAlias, assert_never

from memory.changes import (
    AgentInfo,
    Change,
    Corrections,
    DiaryLine,
    Drop,
    Links,
    PendingReview,
    PreviousText,
    Put,
    Record,
    Task,
    Turn,
    Undo,
    WeightLog,
    Window,
)
from memory.diary import waiting_messages, without_unkept
from memory.laws.contract import GRACE, Archive, AskReview, CompressTo, Fate, Fates, SoftDelete
from memory.model import (
    ACTIVE,
    Archived,
    Deleted,
    DeletionPolicy,
    Level,
    Memory,
    Message,
    Passage,
    Tier,
    Words,
)
from memory.state import MemoryState
from memory.text.tokens import PHRASE_CHARACTERS, first_words


def at_level(memory: Memory, level: Level) -> Memory:
    """Return what is left of a memory at ``level``; a level never rises.

    Summary keeps the gist and loses the verbatim passages, tag keeps phrase and keywords, trace
    the phrase. The memory still knows every message it came from.
    """
    if level >= memory.words.level:
        return memory
    words = _words_at_level(memory.words, level)
    gist = " ".join((words.text, *words.keywords)) if level is Level.TAG else words.text
    return replace(memory, words=words, passages=_only_gist(memory, gist))


def as_former_version(memory: Memory) -> Memory:
    """Return a version that another one followed, lowered to its phrase and keywords.

    Its phrase is all it said: it is still told as past, and the first words of a long one are no
    sentence ("my friend's").
    """
    said = first_words(memory.words.text, FORMER_CHARACTERS)
    return at_level(replace(memory, words=replace(memory.words, phrase=said)), Level.TAG)


FORMER_CHARACTERS: Final = 120
"""So many characters are kept of what a former version said."""


def _words_at_level(words: Words, level: Level) -> Words:
    if level is Level.SUMMARY:
        return replace(words, level=level)
    phrase = words.phrase or words.text[:PHRASE_CHARACTERS]
    keywords = words.keywords if level is Level.TAG else ()
    return replace(words, text=phrase, phrase=phrase, keywords=keywords, level=level)


def _only_gist(memory: Memory, gist: str) -> tuple[Passage, ...]:
    """Return one passage that carries all message ids, dated like the first passage."""
    if not memory.passages:
        return ()
    first = next((p for p in memory.passages if not p.verbatim), memory.passages[0])
    passage = replace(first, text=gist, source_ids=memory.source_ids, verbatim=False)
    return (passage,)


SHORTEST_KEPT: Final = timedelta(days=14)
"""How long the diary keeps words where it keeps none: they have to be learnt first."""


def kept_since(now: datetime, days: int | None) -> datetime | None:
    """Return the instant before which words go where the diary keeps ``days``; None if none go."""
    if days is None:
        return None
    # A number of days may be larger than there are days behind us.
    kept = timedelta(days=min(days, now.toordinal() - 2)) if days else SHORTEST_KEPT
    return now - kept


_Quoting: TypeAlias = Memory | PreviousText


def expired_words(state: MemoryState, now: datetime) -> tuple[Change, ...]:
    """Return the changes that let go of what the diary no longer keeps, wherever it is quoted.

    Memories keep their gist and the ids of their messages. What a window still shows leaves it, to
    become an episode like all that leaves a window, whose quotes the next night lets go.
    """
    before = kept_since(now, state.agent_info.settings.diary_days)
    if before is None:
        return ()
    windows = (
        Put(_without_lines_before(window, before, state))
        for window in state.windows.values()
        if any(line.at < before for line in window.lines)
    )
    return (*words_before(state, before), *windows)


def without_words_before(former: MemoryState, before: datetime) -> MemoryState | None:
    """Return a former state without any word from ``before``; None if it holds none.

    No night will learn from what waits in it, so that goes as well.
    """
    changes = (*words_before(former, before), *_waiting_before(former, before))
    return former.apply(changes)[0] if changes else None


def words_before(state: MemoryState, before: datetime) -> Iterator[Change]:
    """Yield what takes every word from ``before`` out of diary, memories, texts and undo."""
    yield from (Drop(DiaryLine, k) for k, line in state.diary.items() if line.message.at < before)
    for kept in (*state.memories.values(), *state.previous_texts.values()):
        if (shorter := _unquoted_before(kept, before)) is not kept:
            yield Put(shorter)
    # As a whole: half a step undone would be a state that never was.
    for undo in state.undos.values():
        if any(_tells_before(each, before) for each in undo.inverse):
            yield Drop(Undo, undo.id)


def _tells_before(change: Change, before: datetime) -> bool:
    match change:
        case Put(DiaryLine(message=message)):
            return message.at < before
        case Put(Memory() | PreviousText() as kept):
            return _unquoted_before(kept, before) is not kept
        case Put(Window() as window):
            return any(line.at < before for line in (*window.tail, *window.lines))
        case _:
            return False


def _waiting_before(state: MemoryState, before: datetime) -> Iterator[Change]:
    """Yield what becomes of messages that wait in windows, tasks and turns."""
    for window in state.windows.values():
        tail, lines = _said_since(window.tail, before), _said_since(window.lines, before)
        if (tail, lines) != (window.tail, window.lines):
            yield Put(replace(window, tail=tail, lines=lines))
    for task in state.tasks.values():
        waiting = waiting_messages(task, state)
        young = {message.id for message in _said_since(waiting, before)}
        if len(young) < len(waiting):
            messages = tuple(message for message in task.messages if message.id in young)
            keys = tuple(key for key in task.lines if key in young)
            left = replace(task, messages=messages, lines=keys)
            yield Put(left) if young or task.memory_ids else Drop(Task, task.id)
    for turn in state.turns.values():
        if any(message.at < before for message in turn.messages):
            yield Drop(Turn, turn.id)


def _said_since(messages: tuple[Message, ...], before: datetime) -> tuple[Message, ...]:
    return tuple(message for message in messages if message.at >= before)


def _without_lines_before(window: Window, before: datetime, state: MemoryState) -> Window:
    """Return the window from the first line on that is young enough, the rest in its tail."""
    young = (number for number, line in enumerate(window.lines) if line.at >= before)
    first = next(young, len(window.lines))
    tail = without_unkept((*window.tail, *window.lines[:first]), state)
    return replace(window, lines=window.lines[first:], tail=tail)


def _unquoted_before(kept: _Quoting, before: datetime) -> _Quoting:
    """Return a memory, or its former text, without quotes from ``before``; the same without any.

    What is sealed is opened as a whole or not at all: nothing is cut out of it.
    """
    passages = _since(kept.passages, before)
    shorter = len(passages) < len(kept.passages)
    if isinstance(kept, PreviousText):
        return replace(kept, passages=passages) if shorter else kept
    if kept.origin.quote and kept.origin.at < before and kept.sealed is None:
        kept = replace(kept, origin=replace(kept.origin, quote=""))
    return _gist_and(_renamed_without(kept, passages), passages) if shorter else kept


def _renamed_without(memory: Memory, left: tuple[Passage, ...]) -> Memory:
    """Return an episode whose name is no piece of what it may not quote any more."""
    gone = (each.text for each in memory.passages if each.verbatim and each not in left)
    if memory.nature.tier is not Tier.EPISODE or not any(memory.words.phrase in g for g in gone):
        return memory
    named = "、".join(memory.words.keywords[:3]) or memory.words.text[:PHRASE_CHARACTERS]
    return replace(memory, words=replace(memory.words, phrase=named))


def _gist_and(memory: Memory, quotes: tuple[Passage, ...]) -> Memory:
    """Return a memory with these passages; one of them is a gist with the ids of all messages."""
    said = next((p for p in quotes if not p.verbatim), None)
    # The gist is what finds the memory where no quote is left.
    gist = _only_gist(memory, said.text if said else memory.words.text)
    return replace(memory, passages=(*gist, *(p for p in quotes if p is not said)))


def _since(passages: tuple[Passage, ...], before: datetime) -> tuple[Passage, ...]:
    return tuple(p for p in passages if not p.verbatim or p.at >= before)


_ABOUT_ONE_MEMORY: Final[tuple[type[Record], ...]] = (
    Memory,
    Links,
    PreviousText,
    WeightLog,
    Corrections,
    PendingReview,
)


def is_past_grace(memory: Memory, now: datetime) -> bool:
    """Whether a deleted memory has had its days of grace."""
    standing = memory.standing
    return isinstance(standing, Deleted) and now - standing.at >= GRACE


def purge_changes(memory_ids: Iterable[int]) -> list[Change]:
    """Return the drops of memories and of every record about them.

    Links of others to them stay: they mean "I once knew something about this"
    (``docs/decisions/law-network.md``).
    """
    return [Drop(table, memory_id) for memory_id in memory_ids for table in _ABOUT_ONE_MEMORY]


def taken_back(memory_ids: Iterable[int], state: MemoryState) -> list[Change]:
    """Return the drops of memories that were never meant, and of the links to them.

    What the partner took back is nothing that was once known.
    """
    gone = frozenset(memory_ids)
    left = (
        (each, tuple(link for link in each.links if link.target not in gone))
        for each in state.links.values()
        if each.source not in gone
    )
    puts = [Put(replace(each, links=links)) for each, links in left if links != each.links]
    return [*puts, *purge_changes(sorted(gone))]


def expired_texts(state: MemoryState, now: datetime) -> list[Change]:
    """Return the drops of previous texts past the days of grace."""
    return [
        Drop(PreviousText, each.memory_id)
        for each in state.previous_texts.values()
        if now - each.at >= GRACE
    ]


EffectKind: TypeAlias = Literal["compressed", "archived", "deleted"]


@dataclass(frozen=True, slots=True)
class FateEffect:
    """What becomes of one memory on one night."""

    before: Memory
    after: Memory

    @property
    def kind(self) -> EffectKind:
        """What it counts as: the gravest of what happens."""
        if isinstance(self.after.standing, Deleted):
            return "deleted"
        if self.after.standing is not self.before.standing:
            return "archived"
        return "compressed"

    @property
    def shortened(self) -> bool:
        """Whether the memory says less than before."""
        return self.after.words is not self.before.words


def wants_review(fates: Fates) -> bool:
    """Whether a law wants a review.

    The memory waits for the answer, and nothing else is done to it meanwhile
    (``docs/decisions/law-tiers.md``).
    """
    return any(isinstance(fate, AskReview) for fate in fates)


def fate_effect(memory: Memory, fates: Fates, now: datetime) -> FateEffect | None:
    """Return what carrying out ``fates`` makes of the memory, or None if it is so already."""
    after = memory
    for fate in fates:
        after = _after_fate(after, fate, now)
    # Identity, not equality: every step returns the same object where it changes nothing.
    return None if after is memory else FateEffect(memory, after)


def previous_text(memory: Memory, state: MemoryState, now: datetime) -> PreviousText:
    """Return the record that keeps what a memory says for 30 days before it is shortened.

    Of a memory that was shortened lately already, the fuller text stays.
    """
    known = state.previous_texts.get(memory.id)
    # Shortened twice within the days of grace, it comes back as it was before the first time.
    if known and now - known.at < GRACE:
        return replace(known, at=now)
    return PreviousText(memory_id=memory.id, at=now, words=memory.words, passages=memory.passages)


def _after_fate(memory: Memory, fate: Fate, now: datetime) -> Memory:
    match fate:
        case CompressTo(level):
            return at_level(memory, level)
        case Archive():
            return replace(memory, standing=Archived(now)) if memory.is_active else memory
        case SoftDelete():
            return replace(memory, standing=Deleted(now, DeletionPolicy.AUTO_CLEANUP))
        case AskReview():
            return memory
        case never:
            assert_never(never)


REVIEW_LABEL: Final = "review"
"""The label of the undo entry of a verdict, and of many that were given at once."""

_FADING: Final = attrgetter("law", "parameters", "user_factor")
"""The settings by which things fade."""


def let_go_since(state: MemoryState, entry: Undo) -> tuple[Memory, ...]:
    """Return what went or was shortened by rule since a step chose the law, as it was before.

    Empty for a step that changed nothing of how things fade. What another step of the partner's
    or of the background's took stays as that step left it, and so does what is told anew.
    """
    put = [change.record for change in entry.inverse if isinstance(change, Put)]
    chosen = [record.settings for record in put if isinstance(record, AgentInfo)]
    if all(_FADING(each) == _FADING(state.agent_info.settings) for each in chosen):
        return ()
    steps: dict[int, list[tuple[Undo, Memory]]] = {}
    # While an entry is there, every later one is: the oldest go first.
    for undo in (state.undos[key] for key in sorted(state.undos) if key > entry.id):
        for change in undo.inverse:
            if isinstance(change, Put) and isinstance(change.record, Memory):
                steps.setdefault(change.record.id, []).append((undo, change.record))
    told = {memory.words.text for memory in state.memories.values() if memory.is_active}
    found = []
    for memory in state.memories.values():
        before = _before_it_went(memory, state, entry.at, steps.get(memory.id, ()))
        if before != memory and (memory.is_active or before.words.text not in told):
            found.append(before)
    return tuple(found)


def _before_it_went(
    memory: Memory, state: MemoryState, since: datetime, steps: Sequence[tuple[Undo, Memory]]
) -> Memory:
    """Return a memory with the standing and the words that rules took from it since an instant."""
    laws = [was for undo, was in steps if undo.actor == "law"]
    by_hand = {u.at for u, _ in steps if u.actor != "law" and u.label != REVIEW_LABEL}
    match memory.standing:
        case Archived(at) | Deleted(at, DeletionPolicy.AUTO_CLEANUP):
            if at >= since and at not in by_hand:
                memory = replace(memory, standing=laws[0].standing if laws else ACTIVE)
        case _:
            pass
    former, edited = state.previous_texts.get(memory.id), memory.trace.updated_at
    if former is None or former.at < max(since, edited) or former.at in by_hand:
        return memory
    return replace(memory, words=former.words, passages=former.passages)
