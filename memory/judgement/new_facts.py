"""A new fact with everything it records about where it came from, and whether it is known already.

The two belong together: what is known already becomes a mention instead of a new fact, for a
model's answer and for what somebody asked outright to be remembered alike.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from memory.judgement.assertions import ParsedText
from memory.judgement.evidence import LABELS, Support
from memory.judgement.operations import MemoryDetails
from memory.judgement.permission import is_someone_elses
from memory.judgement.senses import tells_nothing
from memory.judgement.units import numerals
from memory.judgement.wording import Names, covers, is_class, substance
from memory.laws.law import Birth
from memory.model import (
    AgentSettings,
    Deleted,
    Kind,
    Level,
    Memory,
    Merged,
    Message,
    Nature,
    Origin,
    Passage,
    Sensitivity,
    Source,
    Tier,
    Topic,
    Words,
    only_speaker,
)
from memory.network.index import NetworkIndex, named_entities
from memory.network.links import Mentions, SpokenOf
from memory.privacy.redaction import is_secret, masked, sensitivity_of
from memory.state import MemoryState, still_holds
from memory.text.bm25 import is_turned_round, similarity
from memory.text.corrections import right_word
from memory.text.dates import absolute_dates, is_of_weekends
from memory.text.line_salience import most_salient_line
from memory.text.names import names_told
from memory.text.salience import Telling, due_at, most_salient
from memory.text.slot_changes import is_ended_by
from memory.text.slot_cues import Slot
from memory.text.slots import slot_claims
from memory.text.tokens import keywords, normalized, phrase_of
from prompts.rendering import one_line

_HABIT: Final = re.compile(
    r"每|通常|一般|经常|常常|总是|往往|除了(?:周|星期|礼拜)|(?<![这本下上])(?:周末|[周期拜][一二三四五六日天])(?:[我俺]们?)?都(?![去要会])"
    r"|\b(?:every|each|usually|often|always|normally)\b",
    re.IGNORECASE,
)
"""Words that make a habit of a day."""

LONGEST: Final = 300  # characters of a memory: it is a sentence, and more is a document

_TOPICS: Final = {
    Kind.IDENTITY: Topic.PERSONAL,
    Kind.LASTING_PREFERENCE: Topic.PREFERENCE,
    Kind.PASSING_PREFERENCE: Topic.PREFERENCE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Through whom and where something enters: what every new memory records."""

    source: Source
    conversation: str = ""
    turn_id: str = ""
    model: str = ""
    verified: bool = False


def with_absolute_dates(text: str, at: datetime, settings: AgentSettings) -> str:
    """Return a text said at ``at`` as it is kept: in one line, dates absolute but in a habit."""
    written = one_line(text)
    # 每周末 is any weekend: the date of the next one would make an event of a habit.
    if _HABIT.search(written) or is_of_weekends(written, settings.partner):
        return written
    return absolute_dates(written, at, settings.zone)


def birth_of(
    texts: Iterable[str], at: datetime, settings: AgentSettings, *, explicit: bool = False
) -> Birth:
    """Return how a fact of these texts begins: the salience of the most salient, and its day."""
    told = Telling(explicit=explicit, names=(settings.partner,))
    read = tuple(texts)
    ends = [due_at(text, at, settings.zone, told) for text in read]
    return Birth(
        at=at.astimezone(UTC),
        explicit=explicit,
        salience=most_salient(read, told).value,
        due=max(filter(None, ends), default=None),
    )


def birth_of_talk(messages: Iterable[Message], at: datetime) -> Birth:
    """Return how an episode of this talk begins: as salient as the firmest line of a person."""
    lines = ((each.text, each.at, each.role == "user") for each in messages)
    return Birth(at=at.astimezone(UTC), tier=Tier.EPISODE, salience=most_salient_line(lines).value)


def new_fact(
    memory_id: int,
    text: str,
    support: Support,
    details: MemoryDetails,
    *,
    provenance: Provenance,
    state: MemoryState,
) -> Memory:
    """Return a new fact: its text with absolute dates, and everything about where it is from.

    It is dated by when it was said, not by when it was judged.
    """
    settings = state.agent_info.settings
    said = support.messages[0]
    at = said.at.astimezone(UTC)
    written = with_absolute_dates(text, said.at, settings)
    kind = details.kind or Kind.FACT
    rule = sensitivity_of(text)
    passage = Passage(
        text=written,
        source_ids=tuple(message.id for message in support.messages),
        at=at,
        speaker=support.speaker,
        speaker_id=only_speaker(support.messages),
    )
    return Memory(
        id=memory_id,
        words=Words(text=written, phrase=phrase_of(text), keywords=_keywords_of(text, details)),
        nature=Nature(
            tier=Tier.FACT,
            kind=kind,
            topic=details.topic or _TOPICS.get(kind, Topic.MEMORY),
            # A model may find a text more private than the rules do, never less.
            sensitivity=max(rule, details.sensitivity or rule),
        ),
        trace=state.rules.new_trace(
            birth_of((written,), at, settings),
            confidence=0.7 if details.confidence is None else details.confidence,
        ),
        origin=_origin_of(support, provenance, at),
        passages=(passage,),
    )


def not_to_be_written(text: str, details: MemoryDetails, *, sealed: bool) -> str:
    """Return why a text is not written down, whoever said it; "" if it may be."""
    if len(text) > LONGEST:
        return "too long"
    right = right_word(text)
    if right is not None and right.is_slip and right.wrong and not right.about:
        # 不对 是温江 不是双流 puts right what was told, and tells nothing by itself.
        return "correction"
    if tells_nothing(text):
        return "nothing told"
    secret = details.sensitivity is Sensitivity.SECRET and not sealed
    return "secret" if secret or is_secret(text) else ""


def _origin_of(support: Support, provenance: Provenance, at: datetime) -> Origin:
    return Origin(
        source=provenance.source,
        at=at,
        speaker=support.speaker,
        conversation=provenance.conversation,
        turn_id=provenance.turn_id,
        model=provenance.model,
        quote=masked(support.quote),
        verified=provenance.verified,
        modalities=tuple(dict.fromkeys(message.modality for message in support.messages)),
    )


def as_kept_from(memory: Memory, now: datetime) -> Memory:
    """Return the memory as one that is kept only from ``now`` on, long after it was said.

    It still begins when it was said; but nothing of it may have faded before it was there.
    """
    # Laws count from these dates; days that passed before it was kept must not fade it.
    since = max(now.astimezone(UTC), memory.trace.created_at)
    trace = replace(
        memory.trace,
        updated_at=since,
        accessed_at=since,
        reinforced_at=since,
        importance_at=since,
    )
    return replace(memory, trace=trace)


def details_of_new_version(details: MemoryDetails, old: Memory) -> MemoryDetails:
    """Return the details of a new version: where the model says nothing, those of the old."""
    return MemoryDetails(
        kind=details.kind or old.nature.kind,
        topic=details.topic or old.nature.topic,
        confidence=details.confidence,
        sensitivity=max(details.sensitivity or old.nature.sensitivity, old.nature.sensitivity),
        keywords=details.keywords,
    )


def _keywords_of(text: str, details: MemoryDetails) -> tuple[str, ...]:
    """Return the model's keywords that really stand in the text, or the text's own.

    Predicates such as 喜欢 are left out: they would link everything to everything.
    """
    # A keyword that is not in the text would let association bring what was never said.
    stated = tuple(word for word in details.keywords if word.lower() in text.lower())
    found = tuple(word for word in stated or keywords(text) if word not in LABELS)
    return tuple(word for word in found if not all(map(is_class, substance(word)))) or found


SAME_FROM: Final = 0.85
"""The similarity from which two facts say the same."""

LEAST_REPEATED: Final = 0.6
"""The share of a known fact's terms that a shorter way of saying it must repeat."""

_LIGHT: Final = frozenset("吃喝看听玩读做打")
"""Verbs that add nothing to a liking: 喜欢拉面 and 喜欢吃拉面."""


def known_fact(
    text: ParsedText,
    speaker: str,
    state: MemoryState,
    *,
    said: Sequence[Message] = (),
    verified: bool = False,
) -> Memory | None:
    """Return the fact of that speaker that says what ``text`` says; the oldest that lives first.

    One that a law put away counts, and one that it reduced by all it said. Past facts do not
    count: what held once and holds again is news. What ended, was hidden or taken in only after it
    was ``said`` does: who judges late must not bring it back. In a group
    somebody of the same name is another: ``said`` are the messages that say it now, from whose
    day 明天 counts.
    ``verified`` looks only among what the partner asked for or confirmed.
    """
    settings = state.agent_info.settings
    names_of_speaker = LABELS | {speaker, settings.partner}
    names = Names.of(names_of_speaker)
    if said:
        text = text.rewritten(with_absolute_dates(text.text, said[0].at, settings))
    found = (
        memory
        for memory in _candidates(text, names, state, said)
        if memory.origin.speaker in {speaker, ""}
        and not is_someone_elses(memory, said)
        and (memory.origin.verified or not verified)
        and any(_is_told_by(text, each, names) for each in _told_in_full(memory, state))
        and not _ends_an_illness(text.text, memory, names_of_speaker)
    )
    return min(found, key=lambda memory: (not memory.is_living_fact, memory.id), default=None)


def _is_told_by(text: ParsedText, known: str, names: Names) -> bool:
    same = says_the_same(text, ParsedText(known), names)
    return same and not _answer_different_questions(text.text, known)


def _told_in_full(memory: Memory, state: MemoryState) -> Iterator[str]:
    """Yield what a fact says; of one that was reduced its former text, and what it rests on."""
    yield memory.words.text
    if memory.words.level < Level.FULL:
        former = state.previous_texts.get(memory.id)
        yield from filter(None, (former and former.words.text, memory.origin.quote))


def _ends_an_illness(text: str, memory: Memory, names: Iterable[str]) -> bool:
    """Tell whether a text says that what a memory tells is over: 湿疹好了 shares all its words."""
    over = [each for each in slot_claims(text, names) if each.slot is Slot.HEALTH]
    held = memory.words.text
    return any(is_ended_by(old, new, held) for new in over for old in slot_claims(held, names))


def says_the_same(new: ParsedText, known: ParsedText, names: Names) -> bool:
    """Tell whether ``new`` adds nothing to ``known``: same polarity, same figures, no new term."""
    if _figures(new.text) != _figures(known.text) or _meanings(new) != _meanings(known):
        return False
    fresh, old = new.terms(names), known.clauses(names)
    added = {term for term in fresh if not any(covers(term, clause) for clause in old)}
    # Nearly the same words may differ by a light verb; fewer words must repeat most of the terms.
    if similarity(new.text, known.text) >= SAME_FROM:
        return added <= _LIGHT
    turned = is_turned_round(new.text, known.text)
    return (
        bool(fresh)
        and not (added or turned)
        and len(fresh) >= LEAST_REPEATED * len(known.terms(names))
    )


def _answer_different_questions(one: str, other: str) -> bool:
    """Tell whether two texts are of different slots: 叫我远航 does not repeat 我叫陈远航."""
    slots = [{claim.slot for claim in slot_claims(each, LABELS)} for each in (one, other)]
    return all(slots) and not slots[0] & slots[1]


def covers_all(new: ParsedText, known: ParsedText) -> bool:
    """Tell whether ``new`` still says all that ``known`` says, and denies none of it."""
    fresh = new.clauses()
    return _meanings(known) <= _meanings(new) and all(
        any(covers(term, clause) for clause in fresh) for term in known.terms()
    )


def _candidates(
    text: ParsedText, names: Names, state: MemoryState, said: Sequence[Message]
) -> Iterator[Memory]:
    """Yield the facts that share a word with the text; comparing all would take too long."""
    # The text itself as well: one made of predicates and names alone has no other word to share.
    words = [term for term in text.terms(names) if not is_class(term)]
    shared = re.compile("|".join(map(re.escape, [*words, text.text])), re.IGNORECASE).search
    for memory in state.memories.values():
        held = still_holds(memory) or _held_when(said, memory, state)
        if held and any(map(shared, _told_in_full(memory, state))):
            yield memory


def _held_when(said: Sequence[Message], memory: Memory, state: MemoryState) -> bool:
    """Tell whether a fact that is past or hidden by now still held when all of this was said."""
    if not said or not memory.is_fact or memory.sealed is not None:
        return False
    return max(each.at for each in said) < settled_at(memory, state)


def settled_at(memory: Memory, state: MemoryState) -> datetime:
    """Return when a fact was last ended, hidden or taken in; the beginning of time if it holds.

    What was taken in by another goes the way of that one: its end is their end.
    """
    at = [_BEGINNING]
    followed: set[int] = set()
    while memory.id not in followed:
        followed.add(memory.id)
        at += filter(None, (memory.lineage.valid_until, memory.trace.negated_at))
        match memory.standing:
            case Merged(merged_at, into):
                at.append(merged_at)
                memory = state.memories.get(into, memory)
            case Deleted(deleted_at, _):
                at.append(deleted_at)
            case _:
                pass
    return max(at)


_BEGINNING: Final = datetime.min.replace(tzinfo=UTC)


def _figures(text: str) -> frozenset[str]:
    """Return the numbers of a text by their values, but an 一 or "one" that only counts a noun."""
    folded = normalized(text)
    found = ((each.value, folded[each.start : each.end]) for each in numerals(folded))
    return frozenset(value for value, written in found if value != "1" or written.isdigit())


def _meanings(text: ParsedText) -> frozenset[tuple[bool, bool]]:
    return frozenset((clause.negative, clause.past) for clause in text.clauses() if clause.terms)


def names_spoken_of(
    new: Sequence[Memory], state: MemoryState, index: NetworkIndex
) -> tuple[tuple[Memory, ...], Mentions]:
    """Return the entities to be made for the names that new facts tell, and which speaks of which.

    A name that is known already is spoken of wherever it stands. Those who talk are no names:
    everything would hang on them; nor is a name made of what is private.
    """
    partner = state.agent_info.settings.partner
    told = {
        memory.id: {*names_told(memory.words.text), *index.entities_in(memory.words.text)}
        - {partner, memory.origin.speaker}
        for memory in new
        if memory.is_fact
        and memory.sealed is None
        and memory.nature.sensitivity is Sensitivity.PUBLIC
    }
    names = sorted({name for each in told.values() for name in each})
    if not names:
        return (), {}
    at = max(memory.trace.created_at for memory in new)
    named = named_entities(names, index, first_id=state.next_id, at=at)
    spoken_of = {
        memory_id: {named.ids[name]: SpokenOf() for name in each}
        for memory_id, each in told.items()
    }
    return named.new, spoken_of
