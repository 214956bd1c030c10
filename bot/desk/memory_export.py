"""``/memory export``: everything of one agent as two files, for its own partner and nobody else.

One file is a page to read (Markdown). The other is complete data (JSON, with a checksum) that
``/memory import`` takes in again. ``xiaoxiang export`` writes the same page.
"""

import asyncio
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from bot.desk.answers import TIERS, kilobytes, standing_term
from bot.desk.command import Call, Example, Policy, Spec
from bot.desk.documents import Document, File, Text
from bot.texts import Sentence, desk, say, transfer
from bot.texts import desk_help as h
from memory.merging.state_import import ImportPlan
from memory.model import Memory, Tier
from memory.state import MemoryState
from memory.stores.exports import export_bytes

# The page is for reading; the data has every link.
LINKS: Final = 5


def as_markdown(state: MemoryState, agent: str, at: datetime) -> str:
    """Return everything an agent remembers as Markdown, oldest first within each tier."""
    language = state.agent_info.settings.language
    zone = ZoneInfo(state.agent_info.settings.time_zone)
    made = f"{at.astimezone(zone):%Y-%m-%d %H:%M}"
    lines = [
        f"# {say(language, transfer.EXPORT_TITLE, agent=agent)}",
        "",
        say(language, transfer.EXPORTED_AT, at=made, count=len(state.memories)),
    ]
    for tier, name in TIERS.items():
        members = [m for m in state.memories.values() if m.nature.tier is tier]
        if members:
            lines += ["", f"## {say(language, name)}", ""]
            for memory in sorted(members, key=lambda m: (m.trace.created_at, m.id)):
                lines += _entry(memory, state, zone)
    return "\n".join(lines) + "\n"


def _entry(memory: Memory, state: MemoryState, zone: ZoneInfo) -> Iterator[str]:
    language = state.agent_info.settings.language
    text = say(language, transfer.SEALED) if memory.sealed else _one_line(memory.words.text)
    if memory.nature.tier is Tier.ENTITY:
        yield f"- **#{memory.id}** {text}"
        return
    since = f"{memory.trace.created_at.astimezone(zone):%Y-%m-%d %H:%M}"
    notes = [since, memory.origin.speaker]
    if not memory.is_active:
        notes.append(standing_term(language, memory).shown)
    if memory.nature.pinned:
        notes.append(say(language, desk.PINNED))
    yield f"- **#{memory.id}** {text} — {' · '.join(filter(None, notes))}"
    for passage in memory.passages:
        if passage.verbatim:
            day = f"{passage.at.astimezone(zone):%Y-%m-%d %H:%M}"
            yield f"  - {day} {passage.speaker}: {_one_line(passage.text)}"
    links = [link for link in state.links_of(memory.id) if link.target in state.memories][:LINKS]
    if links:
        named = " ".join(f"#{link.target}" for link in links)
        yield f"  - {say(language, transfer.BRINGS_UP)} {named}"


def _one_line(text: str) -> str:
    """Return a text on one line, with Markdown's own characters escaped."""
    line = " ".join(text.split())
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>#|" else letter for letter in line)


async def export(call: Call) -> Document:
    """Hand over everything that is remembered, as a page and as data. In private only."""
    # In a group the files would reach everybody, with what others said in it.
    if not call.private:
        raise call.refusal(transfer.ONLY_TO_ITS_OWN)
    files = await asyncio.to_thread(_files, call)
    title = call.say(transfer.TAKE_ALONG, count=len(call.state.memories))
    sealed = any(memory.sealed for memory in call.state.memories.values())
    notes = (Text(call.say(transfer.STAYS_SEALED)),) if sealed else ()
    return Document((Text(title, title=True), Text(call.say(transfer.KEEP_SAFE)), *notes, *files))


def _files(call: Call) -> tuple[File, ...]:
    stem = f"{call.agent_id}-{call.now.astimezone(call.zone):%Y%m%d-%H%M}"
    page = as_markdown(call.state, call.agent_id, call.now).encode("utf-8", "replace")
    data = export_bytes(call.state, call.agent_id, call.now)
    return _file(call, f"{stem}.md", page), _file(call, f"{stem}.json", data)


def _file(call: Call, name: str, data: bytes) -> File:
    size = kilobytes(len(data))
    alt = call.say(transfer.NOT_HANDED_OVER, file=name, size=size, agent=call.agent_id)
    return File(name=name, data=data, alt=alt)


def named_items(plan: ImportPlan) -> Iterator[tuple[str, Sentence | None, Sequence[Memory]]]:
    """Yield what comes, under a name and a line: what is doubtful first, then the rest."""
    doubtful = [m for m in plan.told if m.id in plan.doubtful]
    rest = [m for m in plan.told if m.id not in plan.doubtful]
    if doubtful:
        yield "doubtful", transfer.MAY_BE_GONE, doubtful
    if rest:
        yield "coming", None, rest


SPEC: Final = Spec(
    name="export",
    chinese=("导出", "带走"),
    policy=Policy.LOOK,
    help=h.EXPORT,
    run=export,
    examples=(Example("/记忆 导出", "/memory export"),),
)
