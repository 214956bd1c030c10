"""What happened to the memory and what changed: one timeline, newest first."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final, NamedTuple

from bot.desk.command import PAGE, Call
from bot.desk.documents import Block, Button, Buttons, Cell, Document, Table, Term, Text
from bot.desk.look import brief, nothing_yet
from bot.texts import Sentence, desk
from memory.model import Archived, Deleted, DeletionPolicy, Memory, Merged, Source, Tier
from memory.state import MemoryState


class Happening(NamedTuple):
    """One entry of the timeline."""

    at: datetime
    what: str
    memory_id: int
    text: str


NAMES: Final[dict[str, Sentence]] = {
    "learnt": desk.H_LEARNT,
    "told": desk.H_TOLD,
    "lived": desk.H_LIVED,
    "imported": desk.H_IMPORTED,
    "corrected": desk.H_CORRECTED,
    "archived": desk.H_ARCHIVED,
    "hidden": desk.H_HIDDEN,
    "forgotten": desk.H_FORGOTTEN,
    "merged": desk.H_MERGED,
    "negated": desk.H_NEGATED,
    "weighed": desk.H_WEIGHED,
    "night": desk.H_NIGHT,
    "erased": desk.H_ERASED,
    "sealed": desk.H_SEALED,
}
_LET_GO: Final = {"erasure": "erased", "sealing": "sealed"}


def review(call: Call) -> Document:
    """Show what was learnt, corrected, put away and forgotten, and when."""
    found = sorted(_happenings(call), key=lambda one: (one.at, one.memory_id), reverse=True)
    if not found:
        return nothing_yet(call)
    page, limit = max(call.given.number("page", 1), 1), call.given.number("limit", PAGE)
    part = found[(page - 1) * limit : page * limit]
    rows = tuple(_row(call, one) for one in part)
    columns = tuple(map(call.say, (desk.WHEN, desk.HAPPENED, desk.ID, desk.TEXT)))
    blocks: list[Block] = [
        Text(call.say(desk.TIMELINE, count=len(found)), title=True),
        Table(("at", "what", "id", "text"), columns, rows, name="happenings"),
    ]
    if page * limit < len(found):
        further = Button(call.say(desk.NEXT_PAGE), f"/memory review --page {page + 1}")
        blocks.append(Buttons((further,)))
    return Document(tuple(blocks))


def _row(call: Call, one: Happening) -> tuple[Cell, ...]:
    known = f"#{one.memory_id}" if one.memory_id else ""
    return (call.day(one.at), Term(call.say(NAMES[one.what]), one.what), known, one.text)


def _happenings(call: Call) -> Iterator[Happening]:
    state = call.state
    for memory in state.memories.values():
        if memory.nature.tier is not Tier.ENTITY:
            yield from _of_memory(memory)
    for corrected in state.corrections.values():
        for entry in corrected.entries:
            text = f"{brief(entry.before, 40)} → {brief(entry.after, 40)}"
            yield Happening(entry.at, "corrected", corrected.memory_id, text)
    for log in state.weight_logs.values():
        for change in log.entries:
            text = f"{change.old:.3f} → {change.new:.3f} ({change.reason})"
            yield Happening(change.at, "weighed", log.memory_id, text)
    yield from _of_all(state)


def _of_all(state: MemoryState) -> Iterator[Happening]:
    if state.household.settled_at:
        yield Happening(state.household.settled_at, "night", 0, "")
    for tombstone in state.tombstones.values():
        yield Happening(tombstone.at, _LET_GO[tombstone.kind], 0, "")


def _of_memory(memory: Memory) -> Iterator[Happening]:
    text = brief(memory.words.text, 60)
    yield Happening(memory.trace.created_at, _began(memory), memory.id, text)
    if memory.trace.negated_at:
        yield Happening(memory.trace.negated_at, "negated", memory.id, text)
    match memory.standing:
        case Archived(at):
            yield Happening(at, "archived", memory.id, text)
        case Deleted(at, policy):
            by_partner = policy is DeletionPolicy.USER_DELETE
            yield Happening(at, "hidden" if by_partner else "forgotten", memory.id, text)
        case Merged(at, into):
            yield Happening(at, "merged", memory.id, f"{text} → #{into}")
        case _:
            pass


def _began(memory: Memory) -> str:
    if memory.nature.tier is Tier.EPISODE:
        return "lived"
    if memory.origin.source is Source.IMPORT:
        return "imported"
    return "told" if memory.origin.source is Source.USER else "learnt"
