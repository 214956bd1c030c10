"""What is told against what is known of the same matter: shown to the judge, and settled by rule.

A change of life shares no word with what it changes (我住在北京, 搬家了). So what is known in
the slots that were spoken of is shown to whoever judges, and a newer statement in a slot that
holds one value makes the older one past, whoever judged.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from datetime import UTC, timedelta
from itertools import islice
from typing import Final

from memory.changes import Put
from memory.judgement.assertions import ParsedText
from memory.judgement.draft import Draft, with_slot_successor
from memory.judgement.marks import Sense
from memory.judgement.new_facts import covers_all
from memory.judgement.permission import Doubt, addresses_a_model, is_someone_elses
from memory.judgement.senses import is_jest, senses_in_sentence
from memory.model import Memory, Message
from memory.offline.claimed import PARTS, claimed, is_of_another
from memory.offline.statements import sentences_of
from memory.recall.slot_index import SPEAKER_LABELS, SlotIndex, claims_of, told_by
from memory.revision import Strategy, strategy_for, superseded
from memory.state import MemoryState
from memory.text import slots_en, slots_zh
from memory.text.matters import chance_of_ending
from memory.text.slot_changes import (
    corrects,
    is_ended_by,
    names_no_illness,
    names_the_same,
    tells_of_change,
)
from memory.text.slot_cues import SINGLE_VALUED, ClaimMode, Slot
from memory.text.slots import SlotClaim, says_anew, slot_claims

MOST_COMPARED: Final = 16
"""So many known facts are shown for being of the same matter, beside what recall brought."""

_MOST_READ: Final = 100
"""So many facts of a slot are looked at, the newest: what is past is not among them."""

_NEWEST: Final = 6
"""So many facts written last are shown: 不对 and 改到周三 speak of what was said just before."""

SOON: Final = timedelta(days=7)
"""For so long something may be corrected by words that do not name it."""

_OPEN: Final = timedelta(days=60)
"""For so long a change of day that names no event is about the plan told last."""


def facts_to_compare(
    said: Sequence[Message], state: MemoryState, index: SlotIndex | None = None
) -> Iterator[Memory]:
    """Yield what is known of the matters these messages speak of, the closest first.

    First what the same person said in the slots that were spoken of, then the few things of which
    one has one value at a time, whatever was said: a change may be told in words no list holds.
    """
    index = index or SlotIndex.build(state)
    claims = [claim for message in said for claim in index.claims_in(message.text)]
    spoken = {claim.slot for claim in claims}
    ids = [
        *_newest_first(_closest(claims, index, state)),
        *index.newest(_NEWEST),
        *index.newest_in(spoken & SINGLE_VALUED, _MOST_READ),
        *index.newest_in(SINGLE_VALUED, _MOST_READ),
        *index.newest_in(spoken, _MOST_READ),
    ]
    found = (state.memories.get(memory_id) for memory_id in dict.fromkeys(ids))
    own = (
        each
        for each in found
        if each and each.is_living_fact and _is_by(each, said) and not addresses_a_model(each)
    )
    yield from islice(own, MOST_COMPARED)


def with_slots_settled(draft: Draft, memory_id: int, said: Sequence[Message]) -> Draft:
    """Return the draft in which what the new memory ends is told as past.

    Where it is unsure, both stay as they are (source document 001, ``weight_balance``).
    """
    new = draft.state.memories[memory_id]
    if not new.is_living_fact:
        return draft
    for twin in _twins_of_what_is_over(new, draft.state):
        draft = with_slot_successor(draft, twin, draft.state.memories[memory_id])
    index = draft.tools.slots or SlotIndex.build(draft.state)
    own = [claim for claim in index.claims(new) if claim.is_own]
    claims = [claim for claim in own if claim.firm]
    claims += _elliptic_claims(new, said, index)
    # What it took the place of is what was wrong; nothing else is.
    corrected = None if new.lineage.replaces is not None else _slots_corrected(own, said)
    if not claims and corrected is None:
        return draft
    for old in _ended_by(new, claims, said, corrected=corrected, draft=draft, index=index):
        if strategy_for(old, new.trace.confidence) is Strategy.WEIGHT_BALANCE:
            continue
        draft = with_slot_successor(draft, old, draft.state.memories[memory_id])
    return draft


_NEAR_IDS: Final = 8
"""What was learnt of one message by rule and by a model was learnt at about one time."""


def _twins_of_what_is_over(new: Memory, state: MemoryState) -> Iterator[Memory]:
    """Yield what says, of the same message, what is over since ``new`` took its place."""
    old = state.memories.get(new.lineage.replaces or 0)
    if old is None or not old.is_past:
        return
    held = ParsedText(old.words.text)
    for near in range(old.id - _NEAR_IDS, old.id + _NEAR_IDS + 1):
        twin = state.memories.get(near)
        if twin is None or near in {old.id, new.id} or not twin.is_living_fact:
            continue
        if not set(twin.source_ids) & set(old.source_ids) - set(new.source_ids):
            continue
        text = ParsedText(twin.words.text)
        if covers_all(text, held) or covers_all(held, text):
            yield twin


def _elliptic_claims(
    new: Memory, said: Sequence[Message], index: SlotIndex
) -> Iterator[SlotClaim]:
    """Yield what a message says of a change whose matter only its other words name: 改成周工."""
    for message in said:
        for claim in index.claims_in(message.text):
            if claim.slot is Slot.ANY and claim.is_own and claim.value in new.words.text:
                yield claim


def is_same_matter(held: Memory, text: str, said: Sequence[Message], doubt: Doubt) -> bool:
    """Tell whether ``text`` may take the place of what is held though they share no word.

    They are of one slot; or, while nothing gives cause for doubt, what was said is likely to end
    it, or a change was told in words that name no slot at all.
    """
    partner = held.origin.speaker
    held_claims = claims_of(held, partner)
    told_claims = slot_claims(text, SPEAKER_LABELS | {partner})
    if any(_is_one_matter(old, new) for old in held_claims for new in told_claims):
        return True
    if not doubt and _chance_it_is_over(held, said) >= _ENDS:
        return True
    known = {claim.slot for claim in held_claims} - {Slot.ANY}
    told = {claim.slot for claim in told_claims}
    # That something is over names no slot: passed my test, 退了.
    if doubt or (known and told - {Slot.ANY, Slot.PLAN, Slot.THING}):
        return False
    return Slot.THING in told or any(tells_of_change(message.text) for message in said)


def with_doubt(
    beside: Draft, before: Draft, old_id: int, said: Sequence[Message], doubt: Doubt
) -> Draft:
    """Return the draft in which an old memory is doubted, if what is new may have ended it.

    A judge who is not to be doubted says so, and nothing else does: both stand, and are told
    together (source document 001, ``weight_balance``). ``before``: the draft without what is new.
    """
    new = set(beside.new) - set(before.new)
    old = beside.state.memories[old_id]
    open_to_it = old.is_living_fact and not old.nature.pinned and old.lineage.replaced_by is None
    if doubt or not open_to_it or len(new) != 1 or _chance_it_is_over(old, said) < _MAY_END:
        return beside
    at = max(each.at for each in said).astimezone(UTC)
    rules = beside.state.rules
    return beside.then(Put(superseded(old, new.pop(), Strategy.WEIGHT_BALANCE, at, rules)))


def _chance_it_is_over(held: Memory, said: Sequence[Message]) -> float:
    # What does somebody harm is not doubted because other words seem to end it.
    if any(claim.about == "allergy" for claim in claims_of(held, held.origin.speaker)):
        return 0.0
    return max((chance_of_ending(each.text, held.words.text) for each in said), default=0.0)


def stands_beside(
    held: Memory, text: ParsedText, said: Sequence[Message], *, by_rule: bool
) -> bool:
    """Tell whether ``text`` takes the place of nothing, though a judge says so.

    It leaves out whom the memory is about; or what was said can hardly be news of it, which a rule
    that read it has decided already.
    """
    no_news = not (by_rule or _may_be_news(held, text, said))
    return no_news or _leaves_out_who(held, text.text)


def _may_be_news(held: Memory, text: ParsedText, said: Sequence[Message]) -> bool:
    """Tell whether what was said may end what is held at all, whatever a judge makes of it.

    It puts something right, or says all that is held and more (``text``), or a rule reads a change
    in it, or it is likely enough. A weak model takes whatever is of one matter for news: a
    brother's move, a dream, a second cat.
    """
    if any(corrects(each.text) for each in said):
        return True
    names = SPEAKER_LABELS | {held.origin.speaker}
    told = [claim for each in said for claim in slot_claims(each.text, names)]
    known = claims_of(held, held.origin.speaker)
    if any(
        new.is_own and new.firm and is_ended_by(old, new, held.words.text)
        for old in known
        for new in told
    ):
        return True
    more = covers_all(text, ParsedText(held.words.text))
    return any(_is_likely_news(held, each.text, more=more) for each in said)


def _is_likely_news(held: Memory, text: str, *, more: bool) -> bool:
    """Tell whether a message may well end what is held: it is meant, and likely enough to.

    What is only told of others has to be likelier; what says all of it and ``more`` need not be.
    """
    if is_jest(text):
        return False
    meant = [
        is_of_another(clause, sentence)
        for sentence in filter(None, claimed(sentences_of(text)))
        for clause in _clauses_meant(sentence)
    ]
    least = _OTHERS_END if all(meant) else _MAY_END
    return bool(meant) and (more or chance_of_ending(text, held.words.text) >= least)


def _clauses_meant(sentence: str) -> Iterator[str]:
    """Yield the clauses of a sentence that are neither wished nor supposed nor nearly so."""
    clauses = [each for each in PARTS.split(sentence) if each.strip()]
    if clauses:
        for clause, senses in zip(clauses, senses_in_sentence(clauses), strict=True):
            if not senses & _NOT_MEANT:
                yield clause


_NOT_MEANT: Final = {Sense.WISH, Sense.CONDITION, Sense.DOUBT, Sense.FRAME, Sense.ALMOST}
_OTHERS_END: Final = 0.3
_ENDS: Final = 0.4
_MAY_END: Final = 0.07
"""How likely a line must end what a judge says it ends (docs/judgement.md)."""


_WHO: Final = frozenset({Slot.NAME, Slot.NICKNAME, Slot.AGE, Slot.BIRTHDAY})


def _leaves_out_who(held: Memory, text: str) -> bool:
    """Tell whether ``text`` says nothing of the name, age or birthday that the memory tells.

    A small model puts 安 is 31 in the place of my name is 安, for both speak of 安; the name would
    be past.
    """
    if corrects(text):  # 生日记错了，是五月十三: what is right stands without its slot
        return False
    names = SPEAKER_LABELS | {held.origin.speaker}
    told = {claim.slot for claim in slot_claims(text, names)}
    return any(c.is_own and c.slot in _WHO - told for c in claims_of(held, held.origin.speaker))


def _is_one_matter(old: SlotClaim, new: SlotClaim) -> bool:
    """Tell whether two claims are of one slot; an allergy and a birth are both health, and two."""
    apart = bool(old.about and new.about and old.about != new.about)
    return new.slot is old.slot is not Slot.ANY and not apart


def _closest(claims: Sequence[SlotClaim], index: SlotIndex, state: MemoryState) -> Iterator[int]:
    """Yield the facts of which a claim is a newer word."""
    for claim in claims:
        for memory_id in index.newest_in({claim.slot}, _MOST_READ):
            memory = state.memories.get(memory_id)
            if memory is not None and any(
                is_ended_by(old, claim, memory.words.text) for old in index.claims(memory)
            ):
                yield memory_id


def _ended_by(
    new: Memory,
    claims: Sequence[SlotClaim],
    said: Sequence[Message],
    *,
    corrected: AbstractSet[Slot] | None,
    draft: Draft,
    index: SlotIndex,
) -> list[Memory]:
    """Return the facts of the same person that what is new makes past."""
    found: dict[int, Memory] = {}
    for claim in claims:
        # Whoever is gone may have been told of in any slot: my boyfriend works at a bank.
        parted = claim.slot is Slot.PARTNER and claim.mode is ClaimMode.STOPPED
        spoken = index.in_slots([*Slot] if parted else [claim.slot])
        ids = index.newest(_NEWEST) if claim.slot is Slot.ANY else spoken
        ended = [
            old
            for old in _earlier({*ids, *draft.new}, new, said, draft.state)
            if any(is_ended_by(c, claim, told_by(old, draft.state)) for c in index.claims(old))
        ]
        found.update({old.id: old for old in _meant(claim, ended, new, draft.state)})
    if corrected is not None and not found:
        found.update({old.id: old for old in _just_said(new, said, corrected, draft, index)})
    return list(found.values())


def _earlier(
    ids: Iterable[int], new: Memory, said: Sequence[Message], state: MemoryState
) -> Iterator[Memory]:
    """Yield, newest first, the living facts of that person that were said before."""
    for memory_id in _newest_first(ids):
        old = state.memories.get(memory_id)
        if (
            old is not None
            and old.id != new.id
            and old.is_living_fact
            and old.trace.created_at <= new.trace.created_at
            and old.origin.speaker in {new.origin.speaker, ""}
            and not is_someone_elses(old, said)
            # Said in one breath they are two parts of one thing told, not a change.
            and not set(old.source_ids) & set(new.source_ids)
        ):
            yield old


def _meant(claim: SlotClaim, ended: list[Memory], new: Memory, state: MemoryState) -> list[Memory]:
    """Return the plans that are named or the one told last; no illness if it may be any of two."""
    if claim.slot is not Slot.PLAN:
        return [] if len(ended) > 1 and names_no_illness(claim) else ended
    named = [old for old in ended if names_the_same(claim, told_by(old, state))]
    recent = [old for old in ended if new.trace.created_at - old.trace.created_at <= _OPEN]
    return named or recent[:1]


def _slots_corrected(
    claims: Sequence[SlotClaim], said: Sequence[Message]
) -> AbstractSet[Slot] | None:
    """Return what a correction is about: whatever was said last if none; None if it is none.

    不对，是二十四号 names nothing; 不对，我在洛阳当护士 is about where one works, and not about
    what one eats, though that was said last.
    """
    if any(corrects(each.text) for each in said):
        return frozenset()
    told = {claim.slot for claim in claims} - {Slot.ANY}
    return told if told and any(says_anew(each.text) for each in said) else None


def _just_said(
    new: Memory,
    said: Sequence[Message],
    corrected: AbstractSet[Slot],
    draft: Draft,
    index: SlotIndex,
) -> list[Memory]:
    """Return the one fact just said that a correction without a name is about."""
    for old in _earlier(index.newest(_NEWEST), new, said, draft.state):
        if new.trace.created_at - old.trace.created_at > SOON:
            continue
        own = (claim for claim in index.claims(old) if claim.is_own)
        if any(
            _fits(claim, new.words.text)
            for claim in own
            if not corrected or claim.slot in corrected
        ):
            return [old]
    return []


_FIGURE: Final = re.compile(
    r"\d|[一二三四五六七八九十]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|\w+teen|\w+ty)\b"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|-(?:one|two|three|four|five|six|seven|eight|nine)",
    re.IGNORECASE,
)


_DATE: Final = re.compile(
    rf"{slots_zh.WORDS['DATE']}|\b(?:{slots_en.WORDS['DATE']})", re.IGNORECASE
)


def _fits(claim: SlotClaim, text: str) -> bool:
    """Tell whether a correction brings the sort of value the claim has: a figure for a figure."""
    # 年糕是主人的外甥 puts right who is called so, and nothing else.
    other = re.match(r"[一-鿿]{1,4}是.{1,6}的[一-鿿]{1,4}$", text) and claim.value not in text
    alike = all(bool(f.search(claim.value)) == bool(f.search(text)) for f in (_FIGURE, _DATE))
    return alike and not other


def _is_by(memory: Memory, said: Sequence[Message]) -> bool:
    speakers = {message.speaker for message in said} | {""}
    return memory.origin.speaker in speakers and not is_someone_elses(memory, said)


def _newest_first(ids: Iterable[int]) -> list[int]:
    return sorted(ids, reverse=True)
