"""What belongs to a memory that was found: the lines around, what a newer line ended, what holds.

An answer often stands beside the line that was found: the question has the words, the reply to it
what is asked for. Where nothing is left of what is asked for, a link may tell that it was known.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

from memory.model import Level, LinkType, Memory, Source, Tier
from memory.network.walk import (
    Keywords,
    MayShow,
    forgotten_text,
    is_forgotten,
    searchable_text,
)
from memory.recall.in_mind import InMind
from memory.recall.index import IndexedPassage, PassageIndex
from memory.recall.matters_asked import needs_of
from memory.recall.newer import lines_after, lines_naming, lines_of_matter
from memory.recall.query import share_asked
from memory.recall.query_terms import asks_for_all, telling_terms, term_weights
from memory.recall.ranking import PAST_SHARE, Hit
from memory.state import MemoryState
from memory.text.bm25 import Bm25
from memory.text.late_pattern import LatePattern
from memory.text.matters import (
    ASKED,
    LIKELY,
    chance_of_ending,
    chances,
    is_of_one_matter,
    likely_matters,
)
from memory.text.slot_changes import is_ended_by
from memory.text.slot_cues import PERSONS_EN, PERSONS_ZH
from memory.text.slots import SlotClaim, slot_claims
from memory.text.tokens import as_mandarin, names_somebody, tokens
from prompts import PromptLine, PromptMemory
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
        if _is_later(hits[new], hits[old]) and _ends_all(hits[old], older, newer)
    }
    marked = [
        replace(hit, past=True, score=PAST_SHARE * hit.score) if place in over else hit
        for place, hit in enumerate(hits)
    ]
    return sorted(marked, key=lambda hit: -hit.score) if over else marked


def _ends_all(hit: Hit, told: Sequence[SlotClaim], newer: Sequence[SlotClaim]) -> bool:
    """Whether newer claims end what a hit tells: what was learnt, if all of its line is over."""
    ended = [any(is_ended_by(was, now, hit.quote) for now in newer) for was in told]
    return all(ended) and any(ended) if hit.memory_id else any(ended)


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


SAID_FIRST: Final = "first"
"""Why the first line of the partner's is among the memories of a prompt: it is asked for."""

SAID_SINCE: Final = "since"
"""Why such a line came up, as a prompt says it."""

OF_NEWS: Final = 800
"""So many characters a prompt shows of what was said since of a thing that was found."""

MOST_FOLLOWED: Final = 2
"""So many of the best hits are looked after: what was said later of the things they name?"""

_MOST_SINCE: Final = 4

_Told: TypeAlias = tuple[IndexedPassage, float, str]
"""A line that may be told as well, how much speaks for it, and what: a reason."""


def said_since(
    query: str, hits: Sequence[Hit], index: PassageIndex, state: MemoryState, in_mind: InMind
) -> list[Hit]:
    """Return what was likely said later of what is asked, or of what was found; at most nine.

    The question need not name it. What may have ended something is first.
    """
    shown = {hit.quote for hit in hits}

    def may_be_told(entry: IndexedPassage) -> bool:
        fresh = entry.text not in shown and not _is_over(entry, state)
        return fresh and in_mind.of_passage(entry) is not None

    own = [hit for hit in hits if hit.path == () and _is_partners(hit, state)][:MOST_FOLLOWED]
    found = [
        _hit_of(*each, in_mind) for each in _likely_told(query, own, index, state, may_be_told)
    ]
    if own:
        at = min(_instant(hit, state) for hit in own)
        known = {hit.memory_id or hit.source_ids for hit in hits}
        # "Greece is off" says nothing of June, by which one asks where one goes then.
        terms = {term for hit in own for term in telling_terms(hit.quote)}
        terms.discard(state.agent_info.settings.partner)
        named = (
            _hit_of(*each, "names", in_mind, alone=False)
            for each in lines_naming(terms, index)
            if may_be_told(each[0])
        )
        later = (x for x in named if _is_partners(x, state) and _instant(x, state) > at)
        new = (each for each in later if (each.memory_id or each.source_ids) not in known)
        found += islice(new, _MOST_SINCE)
    return list({each.quote: each for each in found}.values())


def _likely_told(
    query: str,
    own: Sequence[Hit],
    index: PassageIndex,
    state: MemoryState,
    may_be_told: Callable[[IndexedPassage], bool],
) -> Iterator[_Told]:
    """Yield lines of the partner's that are likely asked after.

    They may share no word with what was found: 手套上交了，以后踢左边锋 ended 我在校队守门.
    Of each of the best hits it is the line that is likeliest to have ended it, and of the matter
    that is asked about what was likely told last of it.
    """
    for hit in own:
        weighed = [
            (is_of_one_matter(each.text, hit.quote), chance, each)
            for each in lines_after(_instant(hit, state), hit.quote, index)
            if (chance := chance_of_ending(each.text, hit.quote)) >= MAY_END and may_be_told(each)
        ]
        # In a long life many a line seems to end whatever was told: one of its matter is likelier.
        for _, chance, entry in sorted(weighed, key=lambda each: each[:2])[-1:]:
            yield entry, chance, "ends"
    for entry, near in lines_of_matter(likely_matters(query, ASKED), index):
        if may_be_told(entry):
            yield entry, near, "matter"


def _hit_of(
    entry: IndexedPassage, chance: float, why: str, in_mind: InMind, *, alone: bool = True
) -> Hit:
    """Return a line as a hit, ``alone`` or as part of the memory that holds it."""
    standing = in_mind.of_passage(entry)
    return Hit(
        memory_id=0 if alone or standing is None else standing.memory_id,
        score=chance,
        relevance=chance,
        activation=0.0,
        retention=1.0,
        source_ids=entry.passage.source_ids[:1],
        quote=entry.text,
        reasons=(f"{why}:{chance:.2f}",),
        line=entry.line,
        looked_up=standing is not None and standing.looked_up,
    )


def _is_over(entry: IndexedPassage, state: MemoryState) -> bool:
    """Whether what a line tells is known to hold no more."""
    learnt = (state.memories.get(other) for other in entry.others)
    over = any(each.is_fact and each.is_past for each in learnt if each is not None)
    return over or (entry.line is not None and entry.line.past)


MAY_END: Final = 0.2
"""How likely a line must end another for both to be told together."""


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
            gone = is_forgotten(link.target, state) and not _in_diary(link.target, state)
            # Of what was only told on the same day nothing is known: not that it was of this.
            if gone and (link.relation or link.type not in {LinkType.CO_TURN, LinkType.TEMPORAL}):
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


def asks_of_ones_own(text: str, words: Bm25) -> bool:
    """Tell whether a line asks of what the partner may have told: of them, or of theirs.

    ``words`` are those of all that was said: a name that nobody said is of the wide world. Who
    wants advice, or knows of others what she thinks, asks nothing of their own past.
    """
    read = _LEADS_IN.sub("", as_mandarin(text[:_SHORT]))
    if len(text) > _SHORT or _ADVICE.search(read) or not may_ask(read):
        return False
    known = any(words.idf(term) > 0.0 for term in term_weights(text))
    if not known and max(chances(text)) < LIKELY:
        return False
    names = _names_en(read) if read.isascii() else names_somebody(read)
    return _OWN.search(read) is not None or any(
        all(words.idf(term) > 0.0 for term in tokens(name)) for name in names
    )


def leans(text: str) -> bool:
    """Tell whether a line says of whom or of what it is only together with the talk before it."""
    return _LEANS.search(as_mandarin(text)) is not None


_LEANS: Final = re.compile(
    r"(?<![吉其])[他她它](?!人)|[那这](?!个?[年月周星礼])|^还有|^(?:then|and|(?:what|how) about)\b"
    r"|\b(?:he|she|it|they|his|hers?|him|its|their|them|that|there|one|this|those|these)\b",
    re.IGNORECASE,
)


def may_ask(line: str) -> bool:
    """Tell whether a line may ask something, with or without a mark: am I single, 烟戒了没.

    So may a request that needs what is known: get me my usual drink.
    """
    read = as_mandarin(line)
    asks = share_asked(read) > 0.0 or _MAY_ASK.search(read) is not None or asks_for_all(read)
    return asks or bool(needs_of(read))


_MAY_ASK: Final = re.compile(
    r"^\W*am (?:i|we)\b|几|多[大重高]|好多钱|还是|(.)[不没]\1|[没不未]\W*$", re.IGNORECASE
)


def _names_en(text: str) -> Iterator[str]:
    """Yield the names that stand alone: Callum, and no Great Wall."""
    for name in names_somebody(_TITLE.sub("", text)):
        if re.search(rf"(?<=[a-z'’] ){name}\b|^{name}['’]s\b", text):
            yield name


_TITLE: Final = re.compile(r"\b[A-Z][a-z]+(?: [A-Z][a-z]+)+")

_SHORT: Final = 60  # characters: who asks in more of them tells why as well

_LEADS_IN: Final = re.compile(
    r"^[\s，,]*(?:那|对了|你(?:还)?(?:知道|晓得|清楚|记得)(?:不)?)+|\b(?:do|did) you know\b",
    re.IGNORECASE,
)
"""Who asks whether she knows where they live asks where they live."""

_OWN: Final = LatePattern(
    r"[我俺咱]|(?<![吉其])[他她它](?![们人])"
    r"|\b(?:my|mine|our|(?:am|was|do|did|have|had) (?:i|we)|he|she|his|hers?|him)\b"
    rf"|(?:{PERSONS_ZH})|\b(?:{PERSONS_EN}|daddy|mam|mammy|mummy)['’]s\b",
    re.IGNORECASE,
)
"""Whoever or whatever it is: of the one who asks, or known from what they told."""

_ADVICE: Final = re.compile(
    r"[你您]|怎么(?![样了回])|怎样|如何|该|可以|能不能|要不要|[适合]合|好[?？]?$"
    r"|\b(?:you|how (?:do|can|to)|what do i do if|why (?:is|are|do|does)|should|can i|need)\b",
    re.IGNORECASE,
)


def with_what_holds(facts: Sequence[PromptMemory], *, former: bool) -> list[PromptMemory]:
    """Return facts, each that is past with what took its place: first, unless ``former``."""
    told: dict[str, PromptMemory] = {}
    for each in facts:
        pair = (each, each.instead) if former else (each.instead, each)
        told.update({m.text: m for m in pair if m is not None and m.text not in told})
    return list(told.values())
