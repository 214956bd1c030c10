"""What happened to the memory and what changed: one timeline, newest first."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final, NamedTuple

from bot.desk.command import PAGE_LENGTH, Call
from bot.desk.documents import Block, Button, Buttons, Cell, Document, Table, Term, Text
from bot.desk.look import brief, nothing_yet
from bot.texts import Sentence, desk
from memory.model import Archived, Deleted, DeletionPolicy, Memory, Merged, Source, Tier
from memory.state import MemoryState


class TimelineEntry(NamedTuple):
    """One entry of the timeline."""

    at: datetime
    what: str
    memory_id: int
    text: str


ENTRY_NAMES: Final[dict[str, Sentence]] = {
    "learnt": desk.TIMELINE_LEARNT,
    "told": desk.TIMELINE_TOLD,
    "lived": desk.TIMELINE_TALKED,
    "imported": desk.TIMELINE_IMPORTED,
    "corrected": desk.TIMELINE_CORRECTED,
    "archived": desk.TIMELINE_ARCHIVED,
    "hidden": desk.TIMELINE_HIDDEN,
    "forgotten": desk.TIMELINE_FORGOTTEN,
    "merged": desk.TIMELINE_MERGED,
    "negated": desk.TIMELINE_NEGATED,
    "weighed": desk.TIMELINE_WEIGHT,
    "night": desk.TIMELINE_NIGHT,
    "erased": desk.TIMELINE_ERASED,
    "sealed": desk.TIMELINE_SEALED,
}
_TOMBSTONE_ENTRIES: Final = {"erasure": "erased", "sealing": "sealed"}


def review(call: Call) -> Document:
    """Show what was learnt, corrected, put away and forgotten, and when."""
    found = sorted(_timeline(call), key=lambda one: (one.at, one.memory_id), reverse=True)
    if not found:
        return nothing_yet(call)
    page, limit = max(call.given.number("page", 1), 1), call.given.number("limit", PAGE_LENGTH)
    part = found[(page - 1) * limit : page * limit]
    rows = tuple(_timeline_row(call, one) for one in part)
    columns = tuple(map(call.say, (desk.WHEN, desk.HAPPENED, desk.ID, desk.TEXT)))
    blocks: list[Block] = [
        Text(call.say(desk.TIMELINE, count=len(found)), title=True),
        Table(("at", "what", "id", "text"), columns, rows, name="happenings"),
    ]
    if page * limit < len(found):
        further = Button(call.say(desk.NEXT_PAGE), f"/memory review --page {page + 1}")
        blocks.append(Buttons((further,)))
    return Document(tuple(blocks))


def _timeline_row(call: Call, one: TimelineEntry) -> tuple[Cell, ...]:
    known = f"#{one.memory_id}" if one.memory_id else ""
    return (
        call.date_time(one.at),
        Term(call.say(ENTRY_NAMES[one.what]), one.what),
        known,
        one.text,
    )


def _timeline(call: Call) -> Iterator[TimelineEntry]:
    state = call.state
    for memory in state.memories.values():
        if memory.nature.tier is not Tier.ENTITY:
            yield from _memory_entries(memory)
    for corrected in state.corrections.values():
        for entry in corrected.entries:
            text = f"{brief(entry.before, 40)} → {brief(entry.after, 40)}"
            yield TimelineEntry(entry.at, "corrected", corrected.memory_id, text)
    for log in state.weight_logs.values():
        for change in log.entries:
            text = f"{change.old:.3f} → {change.new:.3f} ({change.reason})"
            yield TimelineEntry(change.at, "weighed", log.memory_id, text)
    yield from _agent_entries(state)


def _agent_entries(state: MemoryState) -> Iterator[TimelineEntry]:
    if state.agent_info.settled_at:
        yield TimelineEntry(state.agent_info.settled_at, "night", 0, "")
    for tombstone in state.tombstones.values():
        yield TimelineEntry(tombstone.at, _TOMBSTONE_ENTRIES[tombstone.kind], 0, "")


def _memory_entries(memory: Memory) -> Iterator[TimelineEntry]:
    text = brief(memory.words.text, 60)
    yield TimelineEntry(memory.trace.created_at, _origin_entry(memory), memory.id, text)
    if memory.trace.negated_at:
        yield TimelineEntry(memory.trace.negated_at, "negated", memory.id, text)
    match memory.standing:
        case Archived(at):
            yield TimelineEntry(at, "archived", memory.id, text)
        case Deleted(at, policy):
            by_partner = policy is DeletionPolicy.USER_DELETE
            yield TimelineEntry(at, "hidden" if by_partner else "forgotten", memory.id, text)
        case Merged(at, into):
            yield TimelineEntry(at, "merged", memory.id, f"{text} → #{into}")
        case _:
            pass


def _origin_entry(memory: Memory) -> str:
    if memory.nature.tier is Tier.EPISODE:
        return "lived"
    if memory.origin.source is Source.IMPORT:
        return "imported"
    return "told" if memory.origin.source is Source.USER else "learnt"
