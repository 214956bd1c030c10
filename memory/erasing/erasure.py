"""The plan of an erasure: everything that has to go, and the tombstone by which it is known again.

A tombstone keeps no text: keyed digests of message ids, so that the same message is never learnt
again from an export or a backup, while the same words said later are (docs/decisions/storage.md).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain, islice
from typing import Final

from memory.changes import AgentInfo, Change, Drop, ErasedId, Put, RememberedId, Tombstone
from memory.erasing.removal import erasure_changes
from memory.erasing.scope import (
    SHORTEST_NEEDLE,
    ErasedElsewhere,
    ErasureScope,
    Everything,
    OneMemory,
    Target,
    TextMatch,
    answer_ids,
    comparable_text,
    every_message,
    is_emptied,
    lines_by_id,
    orphaned_names,
    rests_on_alone,
    rests_only_on,
    text_matcher,
    texts_of,
    wordings_of,
)
from memory.model import Memory, Tier
from memory.offline.vocabulary import content_words, is_question
from memory.offline.weighing import one_form
from memory.state import TABLES, MemoryState, id_digest, next_tombstone_id
from memory.text.requests import asks_to_let_go
from memory.text.tokens import tokens, words
from memory.writer import StateWriter


def named_target(state: MemoryState, what: str) -> str:
    """Return what /forget is to be given for a matter that was named in words; empty if nothing.

    Its own words if they were ever said, else the one fact that says all of them, else a name or
    the rarest word in it that was.
    """
    own = (m.text for m in every_message(state) if m.role == "user")
    texts = [each for each in own if not is_question(each) and asks_to_let_go(each) is None]
    told = [
        m for m in state.memories.values() if m.nature.tier is not Tier.ENTITY and not m.sealed
    ]
    texts += [m.words.text for m in told]
    if any(map(text_matcher((what,)), texts)):
        return what
    wanted = one_form(chain.from_iterable(map(tokens, content_words(what))))
    facts = [m for m in told if m.is_fact and wanted and wanted <= one_form(tokens(m.words.text))]
    if len(facts) == 1:
        return f"#{facts[0].id}"
    names = [m.words.text for m in state.memories.values() if m.nature.tier is Tier.ENTITY]
    named = [each for each in names if each in what] or list(content_words(what))
    forms = {token: word for text in texts for word in words(text) for token in tokens(word)}
    named += [forms[each] for word in named for each in tokens(word) if each in forms]
    times = {each: sum(map(text_matcher((each,)), texts)) for each in named}
    # The rarest says most of what is meant.
    found = [each for each in named if times[each] and len(each) >= SHORTEST_NEEDLE]
    return min(found, key=lambda each: times[each], default="")


def memory_is_erased(memory_id: int, state: MemoryState) -> bool:
    """Whether the memory that had this id here was erased: no backup brings it back."""
    return state.is_erased(memory_mark(memory_id))


def memory_mark(memory_id: int) -> str:
    """Return the id under which an erased memory is recorded among erased messages.

    Ids of memories are never given twice. The zero byte keeps the mark apart from ids of messages,
    which come from platforms.
    """
    return f"\0memory:{memory_id}"


def before_last_erasure(memories: Iterable[Memory], state: MemoryState) -> Iterator[int]:
    """Yield the ids of what is older than the last erasure here."""
    last = max((x.at for x in state.tombstones.values() if x.kind == "erasure"), default=None)
    yield from (m.id for m in memories if last is not None and m.trace.created_at <= last)


def name_mark(name: str) -> str:
    """Return the id under which a name or word that was erased is recorded, as its digest is."""
    return f"\0name:{comparable_text(name)}"


_NAME_LENGTHS: Final = (2, 3, 4)


def erased_words(other: MemoryState, state: MemoryState) -> frozenset[str]:
    """Return the names and words of another state that were erased here by name.

    What was said here again since is no longer erased.
    """
    if not state.erased_ids:
        return frozenset()
    told: set[str] = set()
    for memory in other.memories.values():
        told.update(_names_in(memory))
    for line in other.diary.values():
        told.update(_short_pieces(line.message.text))
    found = [each for each in told if state.is_erased(name_mark(each))]
    texts = [m.words.text for m in state.memories.values()] if found else []
    return frozenset(each for each in found if not any(map(text_matcher((each,)), texts)))


def _names_in(memory: Memory) -> Iterator[str]:
    if memory.nature.tier is Tier.ENTITY:
        yield memory.words.text
    for text in texts_of_memory(memory):
        yield from _short_pieces(text)


def _short_pieces(text: str) -> Iterator[str]:
    """Yield the words of a text, and where words are not written apart, what may be one."""
    yield from words(text)
    if not text.isascii():
        yield from (text[i : i + n] for n in _NAME_LENGTHS for i in range(len(text) - n + 1))


def erased_id_changes(
    message_ids: Iterable[str], state: MemoryState, key_hex: str
) -> list[Change]:
    """Return the changes that record messages as erased, under the agent's first key."""
    key = next(iter(state.erasure_keys), key_hex)
    changes: list[Change] = []
    for message_id in sorted(set(message_ids)):
        changes.append(Put(ErasedId(digest=id_digest(message_id, key))))
        if message_id in state.remembered_ids:
            changes.append(Drop(RememberedId, message_id))
    return changes


def unfinished_erasures(state: MemoryState) -> list[Tombstone]:
    """Return the erasures whose files were not cleaned to the end, eldest first."""
    return sorted(
        (tombstone for tombstone in state.tombstones.values() if not tombstone.scrubbed),
        key=lambda s: s.id,
    )


MOST_SEARCHED: Final = 200
"""How many erased texts the files are searched for afterwards, to prove that they are gone."""

SHORTEST_UNMISTAKABLE: Final = 5
"""The fewest characters of a text that stands nowhere by accident."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """What an erasure takes away: the manifest, and the changes that carry it out.

    ``said`` is what the memories say. ``places`` counts by table what is dropped or loses
    something. ``needles`` are the words it goes by, and ``texts`` whole texts that must be found
    nowhere afterwards, 200 at most.
    """

    memories: tuple[int, ...]
    said: tuple[str, ...]
    messages: tuple[str, ...]
    places: Mapping[str, int]
    changes: tuple[Change, ...]
    needles: tuple[str, ...]
    texts: tuple[str, ...]


def plan_erasure(
    state: MemoryState, target: Target, now: datetime, *, key_hex: str, person: str = ""
) -> Erasure | None:
    """Return what erasing ``target`` takes away; None where there is nothing of the kind.

    Only what rests on the own words of ``person``, if one is named by their platform's id.
    ``key_hex`` is a random key for the digests of the tombstone, in hexadecimal digits. Raises
    :class:`memory.errors.UnknownMemory`.
    """
    scope, changes = _scope_and_changes(state, target, person)
    if not changes:
        return None
    # In a group others may say the word, and theirs stays.
    named = (target.text,) if isinstance(target, TextMatch) and not person else ()
    return _erasure_of(state, changes, scope, now, key_hex, named)


def former_state_without(
    former: MemoryState, target: Target, found: Erasure | None, *, person: str = ""
) -> MemoryState | None:
    """Return a former state without what an erasure takes away; None if it holds none of it.

    ``found`` is what the erasure found in the present state: the former one may tell it in words,
    or hold it under ids, that the target alone does not reach.
    """
    if isinstance(target, OneMemory) or (isinstance(target, TextMatch) and found and not person):
        target = ErasedElsewhere(
            memories=found.memories if found else (),
            messages=found.messages if found else (),
            needles=found.needles if found and not person else (),
            rewrites=bool(person),
            whole_lines=isinstance(target, TextMatch),
        )
    _, changes = _scope_and_changes(former, target, person)
    return former.apply(changes)[0] if changes else None


def _scope_and_changes(
    state: MemoryState, target: Target, person: str
) -> tuple[ErasureScope, list[Change]]:
    """Return how far an erasure reaches in a state, and what drops or cuts all of that."""
    if person:
        scope = _scope_of_person(state, target, person)
    elif isinstance(target, Everything):
        scope = ErasureScope(
            (), text_matcher(()), set(state.memories), set(_every_message_id(state))
        )
        return scope, _drops_of_everything(state)
    else:
        scope = ErasureScope.of(state, target)
    return scope, list(erasure_changes(state, scope))


def _scope_of_person(state: MemoryState, target: Target, person: str) -> ErasureScope:
    """Return what of the target rests on a person's own words.

    A memory that rests on others' words as well is left, but for their own lines in it. Raises
    :class:`memory.errors.UnknownMemory`.
    """
    # What an erasure found elsewhere was already limited to that person.
    if isinstance(target, ErasedElsewhere):
        return ErasureScope.of(state, target)
    needles = _needles_for_person(state, target, person)
    matches = bool if isinstance(target, Everything) else text_matcher(needles)
    messages = {
        m.id
        for m in every_message(state)
        if m.speaker_id == person and (matches(m.text) or matches(m.quoted))
    }
    memories: set[int] = set()
    for memory in state.memories.values():
        chosen = target == OneMemory(memory.id)
        told = chosen or any(map(matches, texts_of_memory(memory)))
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
    memories |= {m.id for m in state.memories.values() if is_emptied(m, messages)}
    if isinstance(target, TextMatch):
        lines = lines_by_id(state)
        theirs = (m for m in state.memories.values() if m.is_fact and rests_only_on(m, person))
        memories |= {m.id for m in theirs if rests_on_alone(m, messages, lines)}
    near = tuple(word for each in memories for word in state.memories[each].words.keywords)
    memories |= set(orphaned_names(state, memories, near))
    # By ids alone from here on: others may have said the same words, and theirs stay.
    words = isinstance(target, TextMatch)
    return ErasureScope(needles, _matches_no_text, memories, messages, True, words)


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


def texts_of_memory(memory: Memory) -> tuple[str, ...]:
    """Return what a memory says, and what it quotes."""
    return (*texts_of(memory.words), *(passage.text for passage in memory.passages))


def _matches_no_text(text: str) -> bool:
    del text
    return False


def _erasure_of(
    state: MemoryState,
    changes: list[Change],
    scope: ErasureScope,
    now: datetime,
    key_hex: str,
    named: tuple[str, ...],
) -> Erasure:
    memories = tuple(sorted(scope.memories))
    # Each record once, however often it is touched.
    touched = {
        (x.table, x.key) if isinstance(x, Drop) else (type(x.record), x.record.key)
        for x in changes
    }
    tables = ((TABLES[table], key) for table, key in touched)
    places = Counter(name for name, key in tables if key in getattr(state, name))
    after = state.apply(changes)[0]
    # From the state after it: only there it shows which messages nothing rests on any more.
    gone = (*scope.messages, *_unsupported_messages(state, after), *map(memory_mark, memories))
    gone += tuple(map(name_mark, named))
    tombstone = Tombstone(
        id=next_tombstone_id(state), at=now, key_hex=key_hex, count=len(memories)
    )
    return Erasure(
        memories=memories,
        said=tuple(state.memories[each].words.text for each in memories),
        messages=tuple(sorted(scope.messages)),
        places=dict(places),
        changes=(*changes, *erased_id_changes(gone, state, key_hex), Put(tombstone)),
        needles=scope.needles,
        texts=tuple(islice(_texts_gone(_erased_texts(state, scope), after), MOST_SEARCHED)),
    )


def _drops_of_everything(state: MemoryState) -> list[Change]:
    # What was erased before stays erased, and ids go on being counted: see made_before below.
    kept = {AgentInfo, Tombstone, ErasedId}
    drops: list[Change] = [
        Drop(kind, key)
        for kind, name in TABLES.items()
        if kind not in kept
        for key in sorted(getattr(state, name))
    ]
    settings = replace(state.agent_info.settings, unmentioned=())
    bare = AgentInfo(settings=settings, made_before=state.next_id)
    return [*drops, Put(bare)] if drops else []


def _unsupported_messages(state: MemoryState, after: MemoryState) -> set[str]:
    """Return the messages on which nothing rests any more, or whose own line is gone.

    They may have left the talk long ago. Recorded as erased, they let nothing bring back what
    rested on them: neither an old export nor a copy.
    """
    unused = _source_ids(state) - _source_ids(after)
    unlined = _source_ids(state, lines=True) - _source_ids(after, lines=True)
    return (unused | unlined) - {message.id for message in every_message(after)}


def _source_ids(state: MemoryState, *, lines: bool = False) -> set[str]:
    """Return the messages that memories rest on, or with ``lines`` hold word for word."""
    passages = (each for memory in state.memories.values() for each in memory.passages)
    return {i for each in passages if each.verbatim or not lines for i in each.source_ids}


def _erased_texts(state: MemoryState, scope: ErasureScope) -> Iterator[str]:
    """Yield the erased texts that are long enough not to stand somewhere by accident."""
    gone = [state.memories[each] for each in sorted(scope.memories)]
    told = [memory.words.text for memory in gone if memory.sealed is None]
    told += [each.text for each in every_message(state) if each.id in scope.messages]
    yield from (text for text in (*told, *scope.needles) if len(text) >= SHORTEST_UNMISTAKABLE)


def _texts_gone(texts: Iterable[str], after: MemoryState) -> Iterator[str]:
    """Yield the texts that nothing which stays repeats: others may have said the same."""
    tables = (getattr(after, name).values() for name in TABLES.values())
    staying = "\0".join(text for table in tables for each in table for text in texts_of(each))
    yield from (text for text in dict.fromkeys(texts) if text not in staying)


def _every_message_id(state: MemoryState) -> Iterator[str]:
    yield from state.remembered_ids
    yield from (message.id for message in every_message(state))
    for memory in state.memories.values():
        yield from memory.source_ids
    yield from state.turns
    yield from state.receipts


async def finish_scrubbing(writer: StateWriter) -> None:
    """Clean the files of what was erased, unless that is done, and record that it is."""
    # The note comes after the cleaning: cut between the two, the cleaning is only done again.
    tombstones = unfinished_erasures(writer.state)
    if tombstones:
        await writer.scrub()
        await writer.write(
            lambda _: [Put(replace(tombstone, scrubbed=True)) for tombstone in tombstones]
        )
