"""All an agent remembers as a page to read: by tier, with its origin and what it brings up."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from bot.desk.words import TIERS, standing_term
from bot.texts import desk, say, transfer
from memory.model import Memory, Tier
from memory.state import MemoryState

LINKS: Final = 5


def as_markdown(state: MemoryState, agent: str, at: datetime) -> str:
    """Return everything an agent remembers as Markdown, eldest first within each tier."""
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
    """Return a text on one line, without what Markdown would take for its own."""
    line = " ".join(text.split())
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>#|" else letter for letter in line)
