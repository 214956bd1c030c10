"""What one of several people may erase: what rests on their own words (DESIGN §9).

Whose words something is goes by the platform's id, never by a name. A memory is theirs alone if
every passage of it is. Of an episode in which others speak too, their own lines go, with what 小祥
answered to them, and the rest is told anew without them.
"""

from collections.abc import Iterable

from memory.manager.reach import (
    ErasedElsewhere,
    ErasureScope,
    Everything,
    OneMemory,
    Target,
    TextMatch,
    answer_ids,
    every_message,
    orphaned_names,
    text_matcher,
    texts_of,
    wordings_of,
)
from memory.model import Memory, Message, Tier
from memory.state import MemoryState


def scope_of_person(state: MemoryState, target: Target, person: str) -> ErasureScope:
    """Return what of the target rests on a person's own words; raises :class:`UnknownMemory`.

    One memory that rests on others' words as well is left, but for their own lines in it.
    """
    if isinstance(target, ErasedElsewhere):
        return ErasureScope.of(state, target)
    needles = _needles_for_person(state, target, person)
    tells = _matches_any_text if isinstance(target, Everything) else text_matcher(needles)
    messages = {
        m.id
        for m in every_message(state)
        if m.speaker_id == person and (tells(m.text) or tells(m.quoted))
    }
    memories: set[int] = set()
    for memory in state.memories.values():
        chosen = target == OneMemory(memory.id)
        if rests_only_on(memory, person) and (chosen or any(map(tells, _texts_of_memory(memory)))):
            memories.add(memory.id)
            messages |= set(memory.source_ids) if chosen else set()
        messages |= {
            each
            for passage in memory.passages
            if passage.speaker_id == person and passage.verbatim
            if chosen or tells(passage.text)
            for each in passage.source_ids
        }
    messages |= set(answer_ids(state, messages))
    memories |= {m.id for m in state.memories.values() if _is_emptied(m, messages)}
    near = tuple(word for each in memories for word in state.memories[each].words.keywords)
    memories |= set(orphaned_names(state, memories, near))
    return ErasureScope(needles, _matches_no_text, memories, messages, rewrites=True)


def rests_only_on(memory: Memory, person: str) -> bool:
    """Whether a memory rests on one person's words alone: 小祥's answers to them do not count."""
    theirs = [p.speaker_id == person for p in memory.passages if p.role == "user"]
    return bool(theirs) and all(theirs)


def people_of(memory: Memory) -> frozenset[str]:
    """Return the ids of those whose words a memory rests on, as far as they are known."""
    return frozenset(p.speaker_id for p in memory.passages if p.role == "user") - {""}


def is_someone_elses(memory: Memory, said: Iterable[Message]) -> bool:
    """Whether a memory is known to rest on others' words than of those who say this now.

    A name proves nothing here either: whoever takes one is nobody else by that.
    """
    theirs = people_of(memory)
    return bool(theirs) and not {each.speaker_id for each in said} - {""} <= theirs


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
