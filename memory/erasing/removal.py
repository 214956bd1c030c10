"""Carrying an erasure through every table: each record is dropped, cut, rewritten or left alone.

Beside the scope, which says what is erased, this says what that means for each kind of record.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from memory.changes import (
    Change,
    Corrections,
    DiaryLine,
    Drop,
    Links,
    PreviousText,
    Put,
    Receipt,
    Record,
    Task,
    Turn,
    Undo,
    Used,
    Window,
)
from memory.erasing.scope import ErasureScope, lines_by_id, retold_fact, texts_of
from memory.lifecycle.effects import purge_changes
from memory.model import Memory, Message, Passage, Tier
from memory.reminder import Intention, Reminder
from memory.state import MemoryState
from memory.text.tokens import keywords

GIST_KEYWORDS: Final = 6
"""How many keywords a rewritten episode keeps."""

PHRASE_KEYWORDS: Final = 3
"""How many of them make up its text and its phrase."""

# The date with which the text of an episode begins.
_HEADING: Final = re.compile(r"^\[[0-9 :-]{10,16}\] ")


def rewritten_episode(
    memory: Memory, left: tuple[Passage, ...], gone: set[str], lines: Mapping[str, Message]
) -> Memory:
    """Return an episode reworded from the lines ``left``: its date, and the words that carry them.

    The gist it had may tell of what is ``gone`` in other words, so nothing of it is kept. One that
    has no lines is told from those it rests on, as far as they are kept.
    """
    told = [p.text for p in left if p.verbatim and p.role == "user"]
    rests = (lines[each] for each in memory.source_ids if each in lines and each not in gone)
    said = "\n".join(told or [each.text for each in rests if each.role == "user"])
    telling = keywords(said, GIST_KEYWORDS)
    heading = _HEADING.match(memory.words.text)
    text = (heading[0] if heading else "") + ("、".join(telling[:PHRASE_KEYWORDS]) or "…")
    words = replace(
        memory.words,
        text=text,
        phrase=" ".join(telling[:PHRASE_KEYWORDS]) or "…",
        keywords=telling,
    )
    gist = tuple(_gist_without(p, text, gone) for p in left if not p.verbatim)
    said_so = tuple(p for p in left if p.verbatim)
    return replace(
        memory, words=words, passages=(*gist, *said_so), origin=replace(memory.origin, quote="")
    )


def _gist_without(gist: Passage, text: str, gone: set[str]) -> Passage:
    sources = tuple(each for each in gist.source_ids if each not in gone)
    return replace(gist, text=text, source_ids=sources)


def erasure_changes(state: MemoryState, scope: ErasureScope) -> Iterator[Change]:
    """Yield what becomes of every record: dropped, cut, or (nothing yielded) untouched."""
    # Without days of grace: what is erased is not merely hidden.
    yield from purge_changes(sorted(each for each in scope.memories if each in state.memories))
    lines = lines_by_id(state)
    for memory in state.memories.values():
        if memory.id in scope.memories:
            continue
        left = _memory_left(memory, scope, lines)
        yield from _change_to(memory, left)
        if left.words.text != memory.words.text and memory.id in state.corrections:
            yield Drop(Corrections, memory.id)
    yield from _table_changes(state, scope)
    yield from (
        Drop(Undo, undo.id) for undo in state.undos.values() if _would_restore(undo, scope)
    )
    focus = tuple(each for each in state.agent_info.focus if each not in scope.memories)
    settings = state.agent_info.settings
    topics = tuple(each for each in settings.unmentioned if not scope.matches(each))
    info = replace(state.agent_info, focus=focus)
    if topics != settings.unmentioned:
        info = replace(info, settings=replace(settings, unmentioned=topics))
    if info != state.agent_info:
        yield Put(info)


def _table_changes(state: MemoryState, scope: ErasureScope) -> Iterator[Change]:
    for line in state.diary.values():
        if scope.covers_message(line.message):
            yield Drop(DiaryLine, line.key)
    yield from _drops_of_what_is_due(state, scope)
    for name in (
        "links",
        "windows",
        "turns",
        "receipts",
        "tasks",
        "previous_texts",
        "corrections",
    ):
        for key, record in getattr(state, name).items():
            # Records of an erased memory were dropped with it; they have its id for a key.
            if key not in scope.memories:
                yield from _change_to(record, _record_left(record, scope))


def _drops_of_what_is_due(state: MemoryState, scope: ErasureScope) -> Iterator[Change]:
    """Yield the end of what would be said, where it rests on what is erased."""
    for reminder in state.reminders.values():
        if scope.messages & set(reminder.message_ids) or scope.matches(reminder.text):
            yield Drop(Reminder, reminder.id)
    for each in state.intentions.values():
        rests = scope.messages & set(each.message_ids) or scope.memories & set(each.memory_ids)
        if rests or scope.matches(each.text):
            yield Drop(Intention, each.id)


def _change_to(before: Record, after: Record | None) -> Iterator[Change]:
    if after is None:
        yield Drop(type(before), before.key)
    elif after != before:
        yield Put(after)


def _memory_left(memory: Memory, scope: ErasureScope, lines: Mapping[str, Message]) -> Memory:
    """Return a memory without the lines that go, told anew from those that stay.

    What is sealed is opened as a whole or not at all: nothing is cut out of it.
    """
    if memory.sealed is not None:
        return memory
    passages = tuple(p for p in memory.passages if not scope.covers_line(p))
    if memory.nature.tier is Tier.EPISODE and _is_cut(memory, passages, scope):
        return rewritten_episode(memory, passages, scope.messages, lines)
    if scope.whole_lines and memory.is_fact and not scope.rewrites:
        memory = retold_fact(memory, scope.messages, lines)
        passages = memory.passages
    origin = memory.origin
    if scope.matches(origin.quote) or (scope.messages & set(memory.source_ids) and origin.quote):
        origin = replace(origin, quote="")
    if passages == memory.passages and origin == memory.origin:
        return memory
    return replace(memory, passages=passages, origin=origin)


def _is_cut(memory: Memory, left: tuple[Passage, ...], scope: ErasureScope) -> bool:
    """Whether an episode loses lines, or its gist tells of what is erased."""
    if left != memory.passages:
        return True
    # A gist into which other people's words went as well is theirs too.
    told = scope.messages & set(memory.source_ids) or any(
        map(scope.matches, texts_of(memory.words))
    )
    return bool(told) and not scope.rewrites


def _record_left(record: Record, scope: ErasureScope) -> Record | None:
    """Return what is left of a record of any other table; None if it goes as a whole."""
    match record:
        case Links():
            left: Record | None = _links_left(record, scope)
        case Window():
            lines = tuple(m for m in record.lines if not scope.covers_message(m))
            tail = tuple(m for m in record.tail if not scope.covers_message(m))
            left = replace(record, lines=lines, tail=tail)
        case Turn():
            gone = any(scope.covers_message(m) for m in record.messages)
            left = None if gone else replace(record, used=_used_left(record.used, scope))
        case Receipt():
            left = _receipt_left(record, scope)
        case Task():
            left = _task_left(record, scope)
        case Corrections():
            kept = tuple(e for e in record.entries if not any(map(scope.matches, texts_of(e))))
            left = replace(record, entries=kept) if kept or record.reviews else None
        case PreviousText():
            # Ids of messages are texts of a record too, those its passages name.
            told = set(texts_of(record))
            left = None if scope.messages & told or any(map(scope.matches, told)) else record
        case _:
            left = record
    return left


def _links_left(record: Links, scope: ErasureScope) -> Links | None:
    kept = tuple(
        replace(link, relation="") if scope.matches(link.relation) else link
        for link in record.links
        if link.target not in scope.memories
    )
    return replace(record, links=kept) if kept else None


def _used_left(used: tuple[Used, ...], scope: ErasureScope) -> tuple[Used, ...]:
    """Return what a prompt held without what is erased; reasons may quote a word of it."""
    return tuple(
        replace(one, reasons=()) if any(map(scope.matches, one.reasons)) else one
        for one in used
        if one.memory_id not in scope.memories
        and (one.memory_id or not scope.messages & set(one.source_ids))
    )


def _receipt_left(record: Receipt, scope: ErasureScope) -> Receipt:
    used = _used_left(record.used, scope)
    # A label such as "UPDATE #3 #42" goes if it names any erased memory.
    gone = {f"#{each}" for each in scope.memories}
    learnt = tuple(each for each in record.learnt if not gone & set(each.split()))
    return replace(record, used=used, learnt=learnt)


def _task_left(record: Task, scope: ErasureScope) -> Task | None:
    messages = tuple(m for m in record.messages if not scope.covers_message(m))
    lines = tuple(each for each in record.lines if each not in scope.messages)
    ids = tuple(each for each in record.memory_ids if each not in scope.memories)
    left = replace(record, messages=messages, lines=lines, memory_ids=ids)
    return left if messages or lines or ids else None


def _would_restore(undo: Undo, scope: ErasureScope) -> bool:
    """Whether an entry would bring back something of what is erased."""
    # Dropped as a whole: undoing half of a step would leave a state that never was.
    about = {
        change.record.key if isinstance(change, Put) else change.key for change in undo.inverse
    }
    targets = {
        link.target
        for change in undo.inverse
        if isinstance(change, Put) and isinstance(change.record, Links)
        for link in change.record.links
    }
    if (about | targets) & scope.memories:
        return True
    told = [
        each for change in undo.inverse if isinstance(change, Put) for each in texts_of(change)
    ]
    return any(map(scope.matches, told)) or bool(scope.messages & set(told))


def names_untold(other: MemoryState, refused: set[int]) -> Iterator[int]:
    """Yield the names that only what may not come is linked to: nothing else tells them."""
    telling: dict[int, set[int]] = {}
    for links in other.links.values():
        for link in links.links:
            telling.setdefault(link.target, set()).add(links.source)
            telling.setdefault(links.source, set()).add(link.target)
    names = {m.id for m in other.memories.values() if m.nature.tier is Tier.ENTITY}
    for name in names - refused:
        about = telling.get(name, set()) - names
        if about and about <= refused:
            yield name
