"""The commands that find memories: list and search. They write nothing."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from bot.desk.command import PAGE_LENGTH, Call
from bot.desk.documents import Block, Button, Buttons, Cell, Document, Table, Term, Text
from bot.desk.reasons import reasons_term
from bot.desk.words import TIERS, standing_term, term
from bot.texts import desk
from memory.laws.law import is_fading, is_recallable
from memory.manager.health import standing_name
from memory.model import Memory, Mode, Tier
from memory.recall import Hit, Recall
from memory.views import law_context, view

SEARCH_LIMIT: Final = 10
LINE_LENGTH: Final = 80


def list_memories(call: Call) -> Document:
    """Show the memories a query of its mode may see, newest first; names only if asked."""
    wanted = sorted(
        (memory for memory in call.state.memories.values() if _passes_filters(call, memory)),
        key=lambda memory: (memory.trace.created_at, memory.id),
        reverse=True,
    )
    if not wanted:
        return nothing_yet(call)
    limit, page = call.given.number("limit", PAGE_LENGTH), max(call.given.number("page", 1), 1)
    pages = -(-len(wanted) // limit)
    page = min(page, pages)
    shown = wanted[(page - 1) * limit : page * limit]
    title = call.say(desk.LISTED, shown=len(shown), total=len(wanted))
    blocks: list[Block] = [Text(title, title=True), memory_table(call, shown)]
    if pages > 1:
        blocks.append(Text(call.say(desk.PAGE_OF, page=page, pages=pages)))
        blocks.append(_page_buttons(call, page, pages))
    return Document(tuple(blocks))


async def search(call: Call) -> Document:
    """Show what a conversation would recall, with the reasons."""
    query, limit = call.given.text("query"), call.given.number("limit", SEARCH_LIMIT)
    hits = await _search_hits(call, query, limit)
    if not hits:
        return nothing_found(call, query)
    rows = tuple(
        (
            f"#{hit.memory_id}",
            f"{hit.score:.3f}",
            call.date_time(_source_time(call.state.memory(hit.memory_id), hit.source_ids)),
            hit.quote,
            Term("", " ".join(hit.source_ids)),
            reasons_term(call, hit.reasons),
        )
        for hit in hits
    )
    names = (desk.ID, desk.SCORE, desk.SINCE, desk.TEXT, desk.SOURCES, desk.WHY)
    keys = ("id", "score", "at", "text", "source_ids", "reasons")
    return Document((Table(keys, tuple(map(call.say, names)), rows),))


def memory_table(call: Call, memories: Sequence[Memory]) -> Table:
    """Return memories as the rows of a list."""
    rows = tuple(_list_row(call, memory) for memory in memories)
    names = (desk.ID, desk.TIER, desk.SINCE, desk.TEXT, desk.RETENTION, desk.STANDING)
    keys = ("id", "tier", "created_at", "text", "retention", "standing")
    return Table(keys, tuple(map(call.say, names)), rows)


def nothing_yet(call: Call) -> Document:
    """Return that there is nothing to show."""
    return Document((Text(call.say(desk.NOTHING)),))


def nothing_found(call: Call, sought: str) -> Document:
    """Return that nothing fits what was sought."""
    return Document((Text(call.say(desk.NOTHING_FOUND, query=sought)),))


def brief(text: str, length: int = LINE_LENGTH) -> str:
    """Return a text cut to a line."""
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[: length - 1]}…"


def memory_line(call: Call, memory: Memory, length: int = LINE_LENGTH) -> str:
    """Return what a memory says on one line; what no longer holds is told as such."""
    line = brief(memory.words.text, length)
    return call.say(desk.BEFORE, text=line) if memory.is_past else line


async def _search_hits(call: Call, query: str, limit: int) -> list[Hit]:
    mode = mode_of(call)
    if call.agent is None:
        found = await asyncio.to_thread(
            Recall().search, query, call.state, now=call.now, k=limit, mode=mode
        )
    else:
        # What may not be seen here is passed over, so more is asked for than is shown.
        found = await call.agent.search(query, k=4 * limit, mode=mode)
    return [hit for hit in found if hit.memory_id in call.state.memories][:limit]


def mode_of(call: Call) -> Mode:
    """Return how far a search looks: what was given, else what the agent is set to."""
    return Mode(call.given.text("mode") or call.settings.mode)


def _passes_filters(call: Call, memory: Memory) -> bool:
    """Tell whether a memory passes every filter that was given."""
    tier = call.given.text("tier")
    of_tier = memory.nature.tier is Tier(tier) if tier else memory.nature.tier is not Tier.ENTITY
    pinned = memory.nature.pinned or not call.given.flag("pinned")
    return (
        of_tier and pinned and _is_weak_enough(call, memory) and _has_wanted_standing(call, memory)
    )


def _is_weak_enough(call: Call, memory: Memory) -> bool:
    context = law_context(memory.id, call.state, call.now)
    return not call.given.flag("fading") or is_fading(memory, context, call.settings)


def _has_wanted_standing(call: Call, memory: Memory) -> bool:
    """Tell whether it has the standing asked for, or may be seen in the mode asked for."""
    standing, mode = call.given.text("standing"), call.given.text("mode")
    if standing:
        return standing_name(memory.standing) == standing
    context = law_context(memory.id, call.state, call.now)
    return is_recallable(memory, context, Mode(mode or "review"), call.settings)


def _list_row(call: Call, memory: Memory) -> tuple[Cell, ...]:
    seen = view(memory, call.state, call.now)
    mark = " 📌" if memory.nature.pinned else ""
    return (
        f"#{seen.id}",
        term(call.language, TIERS, seen.tier),
        call.date_time(seen.created_at),
        memory_line(call, memory) + mark,
        f"{seen.retention:.2f}",
        standing_term(call.language, memory),
    )


def _page_buttons(call: Call, page: int, pages: int) -> Buttons:
    """Return the buttons that turn the page, with the filters that were given."""
    filters = "".join(
        f" --{name}" if value is True else f" --{name} {value}"
        for name, value in call.given.values.items()
        if name != "page" and value is not False
    )
    turns = [(desk.PREVIOUS_PAGE, page - 1), (desk.NEXT_PAGE, page + 1)]
    return Buttons(
        tuple(
            Button(call.say(label), f"/memory list{filters} --page {to}")
            for label, to in turns
            if 1 <= to <= pages
        )
    )


def _source_time(memory: Memory, source_ids: tuple[str, ...]) -> datetime:
    for passage in memory.passages:
        if passage.source_ids[:1] == source_ids[:1]:
            return passage.at
    return memory.origin.at
