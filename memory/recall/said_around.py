"""What belongs to a memory that was found: the lines around, what a newer line ended, what holds.

An answer often stands beside the line that was found: the question has the words, the reply to it
what is asked for. Where nothing is left of what is asked for, a link may tell that it was known.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from memory.model import Level, Memory, Sensitivity, Source, Tier
from memory.network.walk import (
    Keywords,
    MayShow,
    forgotten_text,
    is_forgotten,
    searchable_text,
)
from memory.recall.query import asks_anything
from memory.recall.query_terms import leaves_unsaid, telling_terms, term_weights
from memory.recall.ranking import PAST_SHARE, Hit
from memory.state import MemoryState
from memory.text.bm25 import Bm25
from memory.text.slot_changes import is_ended_by
from memory.text.slots import slot_claims
from memory.text.tokens import is_question
from prompts import PromptLine
from prompts.rendering import one_line

LINES_AROUND: Final = 2
"""How many lines before and after a found one are handed on."""


def lines_said(hits: Sequence[Hit], zone: ZoneInfo) -> tuple[PromptLine, ...]:
    """Return the lines of the diary that were found, as they were said."""
    found = ((hit.line.message, hit.quote) for hit in hits if hit.line is not None)
    return tuple(
        PromptLine(said.role, said.speaker, said.at.astimezone(zone), one_line(quote))
        for said, quote in found
    )


def lines_around(memory: Memory, hits: Sequence[Hit], zone: ZoneInfo) -> tuple[PromptLine, ...]:
    """Return the lines an episode was found by and, while it is whole, two on either side.

    Of what was learnt it is the line it was learnt from.
    """
    if memory.nature.tier is not Tier.EPISODE:
        return line_learnt_from(memory, zone)
    if memory.words.level is not Level.FULL:
        return lines_said(hits, zone)
    whole = [passage for passage in memory.passages if passage.verbatim]
    quotes = {hit.quote for hit in hits}
    found = (place for place, passage in enumerate(whole) if passage.text in quotes)
    near = {at + step for at in found for step in range(-LINES_AROUND, LINES_AROUND + 1)}
    return tuple(
        PromptLine(each.role, each.speaker, each.at.astimezone(zone), one_line(each.text))
        for place, each in enumerate(whole)
        if place in near
    )


def line_learnt_from(memory: Memory, zone: ZoneInfo) -> tuple[PromptLine, ...]:
    """Return the line a fact rests on, as it was said, if a person said it."""
    said = memory.origin
    own = memory.is_fact and said.source in {Source.USER, Source.BACKGROUND} and said.quote
    return (PromptLine("user", said.speaker, said.at.astimezone(zone), said.quote),) if own else ()


def instant_found(memory: Memory, best: Hit) -> datetime:
    """Return the instant of the passage that was found, the memory's own without one."""
    if best.line is not None:
        return best.line.message.at
    for passage in memory.passages:
        if best.quote in passage.text and passage.source_ids[:1] == best.source_ids[:1]:
            return passage.at
    return memory.origin.at


_MOST_CHANGES: Final = 8
"""So many times something may have changed since: further on nobody looks."""


def what_holds_now(memory: Memory, state: MemoryState) -> Memory | None:
    """Return what took the place of a memory and holds, as far as that can be shown."""
    for _ in range(_MOST_CHANGES):
        newer = state.memories.get(memory.lineage.replaced_by or 0)
        if newer is None or newer.nature.sensitivity is Sensitivity.SECRET or not newer.is_active:
            return None
        if not newer.is_past:
            return newer
        memory = newer
    return None


MOST_READ: Final = 6
"""So many lines of the partner's are read for what they answer: one takes 0.2 to 0.9 ms."""


def told_as_before(hits: Sequence[Hit]) -> list[Hit]:
    """Return hits, best first, with what a newer line of the same person ended told as before.

    No model judged these lines: who says where they live, and later that they live elsewhere, says
    by the second that the first is over. What is over follows what holds.
    """
    said = [place for place, hit in enumerate(hits) if _is_own_line(hit)][:MOST_READ]
    claims = {place: slot_claims(hits[place].quote) for place in said} if len(said) > 1 else {}
    over = {
        old
        for old, older in claims.items()
        for new, newer in claims.items()
        if _is_later(hits[new], hits[old])
        and any(is_ended_by(was, now, hits[old].quote) for was in older for now in newer)
    }
    marked = [
        replace(hit, past=True, score=PAST_SHARE * hit.score) if place in over else hit
        for place, hit in enumerate(hits)
    ]
    return sorted(marked, key=lambda hit: -hit.score) if over else marked


def _is_own_line(hit: Hit) -> bool:
    """Whether a hit is what a person said themselves, and is taken to hold so far."""
    line = hit.line
    return line is not None and line.message.role == "user" and bool(hit.quote) and not hit.past


def _is_later(new: Hit, old: Hit) -> bool:
    if new.line is None or old.line is None:
        return False
    one, other = new.line.message, old.line.message
    who = (one.speaker_id, one.speaker) == (other.speaker_id, other.speaker)
    return who and one.at > other.at and old.quote in other.text and new.quote in one.text


SAID_SINCE: Final = "since"
"""Why such a line came up, as a prompt says it."""

OF_NEWS: Final = 600
"""So many characters a prompt shows of what was said since of a thing that was found."""

MOST_FOLLOWED: Final = 2
"""So many of the best hits are looked after: what was said later of the things they name?"""


def things_named(hits: Sequence[Hit], state: MemoryState) -> tuple[str, datetime | None]:
    """Return the telling words of the partner's best hits, and when the first was said.

    "Greece is off" says nothing of June, by which one asks where one goes then.
    """
    own = [hit for hit in hits if hit.path == () and _is_partners(hit, state)][:MOST_FOLLOWED]
    names = {state.agent_info.settings.partner}
    terms = dict.fromkeys(term for hit in own for term in sorted(telling_terms(hit.quote)))
    times = (_instant(hit, state) for hit in own)
    return " ".join(each for each in terms if each not in names), min(times, default=None)


def is_said_since(hit: Hit, at: datetime, state: MemoryState) -> bool:
    """Tell whether a hit is what the partner said after an instant, and holds as far as known."""
    return not hit.past and _is_partners(hit, state) and _instant(hit, state) > at


def _is_partners(hit: Hit, state: MemoryState) -> bool:
    if hit.line is not None:
        return hit.line.message.role == "user" and bool(hit.quote)
    memory = state.memories.get(hit.memory_id)
    return memory is not None and memory.is_fact


def _instant(hit: Hit, state: MemoryState) -> datetime:
    return hit.line.message.at if hit.line is not None else state.memories[hit.memory_id].origin.at


_MOST_ONCE_KNOWN: Final = 2
_LEAST_WEIGHT: Final = 0.6
"""Terms that count less join two words by chance."""


def once_known(
    query: str, hits: Sequence[Hit], state: MemoryState, may_show: MayShow
) -> list[tuple[Memory, str]]:
    """Return what was once known about what a question names, and no longer is: at most two.

    Each is a memory or name that is left, and a text that begins with ``[曾记得]``: a link leads
    from it to what a law let go, of which the diary has no word either.
    """
    words = [word for word, weight in term_weights(query).items() if weight >= _LEAST_WEIGHT]
    named = Keywords.of(word for word in words if len(word) > 1)
    if not named.patterns:
        return []
    found: dict[str, Memory] = {}
    for source in _named_sources(hits, state):
        memory = state.memories[source]
        speaks = memory.nature.tier is Tier.ENTITY or may_show(memory)
        if not speaks or not named.match(searchable_text(memory)):
            continue
        for link in state.links_of(source):
            if is_forgotten(link.target, state) and not _in_diary(link.target, state):
                language = state.agent_info.settings.language
                found.setdefault(forgotten_text(memory, link.relation, language), memory)
            if len(found) == _MOST_ONCE_KNOWN:
                break
    return [(memory, text) for text, memory in found.items()][:_MOST_ONCE_KNOWN]


def _named_sources(hits: Sequence[Hit], state: MemoryState) -> list[int]:
    """Return what is talked about, what was found, and the names that this leads to."""
    found = dict.fromkeys((*reversed(state.agent_info.focus), *(hit.memory_id for hit in hits)))
    names = (link.target for each in found for link in state.links_of(each))
    entities = (
        each
        for each in names
        if each in state.memories and state.memories[each].nature.tier is Tier.ENTITY
    )
    return [each for each in dict.fromkeys((*found, *entities)) if each in state.memories]


def _in_diary(memory_id: int, state: MemoryState) -> bool:
    """Whether the diary still has words from which that memory was made."""
    memory = state.memories.get(memory_id)
    if memory is not None and any(each in state.diary for each in memory.source_ids):
        return True
    return any(line.scene == memory_id for line in state.diary.values())


def asks_for_unsaid(text: str, words: Bm25, found: Iterable[str]) -> bool:
    """Tell whether a short question of the partner's own past names what nothing found says.

    Who wants advice, or knowledge of the world, asks nothing of their own past.
    """
    mine = _MINE.search(text) is not None and _ADVICE.search(text) is None
    asks = mine and len(text) <= _SHORT and (is_question(text) or asks_anything(text))
    return asks and leaves_unsaid(text, words, found)


_SHORT: Final = 60  # characters: who asks in more of them tells why as well

_MINE: Final = re.compile(r"[我俺咱]|\b(?:my|mine|am i|did i|do i|have i)\b", re.IGNORECASE)

_ADVICE: Final = re.compile(
    r"[你您]|怎么|怎样|如何|应该|可以|能不能|要不要"
    r"|\b(?:you|how (?:do|can|to)|should|can i|need)\b",
    re.IGNORECASE,
)
