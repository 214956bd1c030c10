"""Whether what was said is news of what is held, and how sure that is.

A judge names the memory that a new line takes the place of. A weak one names whatever is of one
matter: a brother's move, a dream, a second cat. So the line itself is asked, too.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from memory.changes import Correction, Put
from memory.judgement.assertions import ParsedText
from memory.judgement.draft import Draft, Judgement, with_links_and_undo
from memory.judgement.marks import Sense
from memory.judgement.new_facts import covers_all
from memory.judgement.permission import Doubt, people_of
from memory.judgement.senses import is_jest, senses_in_sentence
from memory.judgement.slots import with_slots_settled
from memory.judgement.what_is_over import is_bought_home, told_as
from memory.laws.disuse import DUE
from memory.laws.law import with_number
from memory.lifecycle.consequences import corrections_with
from memory.model import Kind, Memory, Message, Topic
from memory.offline.claimed import PARTS, claimed, is_of_another
from memory.offline.statements import sentences_of
from memory.recall.slot_index import SPEAKER_LABELS, SlotIndex, claims_of
from memory.revision import Strategy, superseded
from memory.state import MemoryState
from memory.text.correction_forms import corrects, tells_of_change
from memory.text.late_pattern import LatePattern
from memory.text.matters import chance_of_ending
from memory.text.salience import end_ahead
from memory.text.slot_changes import is_ended_by
from memory.text.slot_cues import ClaimMode, Slot
from memory.text.slots import SlotClaim, slot_claims
from memory.text.tokens import is_dense


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

    It leaves out whom the memory is about, or tells where one sleeps and not what became of the
    home that was bought; or what was said can hardly be news of it, which a rule has decided.
    """
    no_news = not (by_rule or _may_be_news(held, text, said))
    claims = slot_claims(text.text, SPEAKER_LABELS | {held.origin.speaker})
    sleeps = any(is_bought_home(held.words.text, claim) for claim in claims)
    return no_news or sleeps or _leaves_out_who(held, text.text)


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


def plan_days_come(state: MemoryState, now: datetime) -> Judgement:
    """Return the changes by which what was announced for a day holds once that day is past.

    A move, a job, a school: "I'm starting at Tesco on 1 October" ends in October where one worked
    till then. What was called off is past already, and nothing is said to have come of it where
    the same matter has changed since.
    """
    draft = Draft(state=state, now=now)
    living = (each for each in state.memories.values() if each.is_living_fact)
    coming = [each for each in living if _ANNOUNCED.search(each.words.text)]
    for memory in sorted(coming, key=lambda each: (each.trace.created_at, each.id)):
        come = _as_come(memory, draft.state, now)
        if come is None:
            continue
        entry = Correction(at=now, reason="day", before=memory.words.text, after=come.words.text)
        history = corrections_with(entry, memory.id, draft.state)
        draft = draft.then(Put(come), Put(history), learnt=f"UPDATE #{memory.id}")
        draft = with_slots_settled(draft, memory.id, _lines_of(memory))
    return with_links_and_undo(draft, state, "review").judgement()


def _lines_of(memory: Memory) -> Sequence[Message]:
    """Return what a memory was learnt from, as far as it is quoted."""
    origin = memory.origin
    line = Message(
        id=next(iter(memory.source_ids), ""),
        at=origin.at,
        speaker=origin.speaker,
        role="user",
        text=origin.quote or memory.words.text,
        speaker_id=next(iter(people_of(memory)), ""),
    )
    return (line,)


def _as_come(memory: Memory, state: MemoryState, now: datetime) -> Memory | None:
    """Return a memory of what was to come as one of what is so now; None if it is none."""
    text, told = memory.words.text, memory.origin.at
    if _UNSURE.search(text):
        return None
    end = end_ahead(text, told, state.agent_info.settings.zone)
    if end is None or end > now:
        return None
    names = SPEAKER_LABELS | {memory.origin.speaker}
    come = _told_as_come(text)
    begun = _settled(come, names) - _settled(text, names)
    if not begun or _has_changed_since(memory, begun, state):
        return None
    nature = replace(memory.nature, kind=Kind.IDENTITY, topic=Topic.PERSONAL)
    trace = with_number(memory.trace, DUE, 0.0)
    lineage = replace(memory.lineage, valid_from=end)
    return replace(told_as(memory, come), nature=nature, trace=trace, lineage=lineage)


def _settled(text: str, names: frozenset[str]) -> frozenset[Slot]:
    """Return of which of home, work and school a text says of its speaker how it is now."""
    own = (each for each in slot_claims(text, names) if each.is_own and each.firm)
    return frozenset(each.slot for each in own) & _SETTLED


_SETTLED: Final = frozenset({Slot.HOME, Slot.WORK, Slot.SCHOOL})


def _has_changed_since(memory: Memory, slots: frozenset[Slot], state: MemoryState) -> bool:
    """Tell whether the speaker told of another change in one of these slots afterwards."""
    index = SlotIndex.build(state)
    for other in map(state.memories.get, index.in_slots(slots)):
        if other is None or other.trace.created_at <= memory.trace.created_at:
            continue
        changes = (c for c in index.claims(other) if c.is_own and c.slot in slots)
        if other.is_living_fact and any(c.mode is not ClaimMode.HOLDS for c in changes):
            return True
    return False


_ANNOUNCED: Final = LatePattern(
    r"(?i)搬|迁|入职|报到|上班|工作|任职|转学|转到|调[到去]|上学|读|念"
    r"|\b(?:start|begin|join|mov|relocat|transfer)"
)
_UNSURE: Final = LatePattern(
    r"(?i)[，,;；。]|不|没|别|取消|如果|要是|可能|也许|打算|考虑|希望|[想吗?？]"
    r"|\b(?:not|never|if|may|might|maybe|hop\w+|plan\w*|want\w*|would|could|should)\b|n['’]t\b"
)

_PAST: Final = {
    "start": "started",
    "begin": "began",
    "join": "joined",
    "mov": "moved",
    "relocat": "relocated",
    "transfer": "transferred",
}

_TO_COME_EN: Final = LatePattern(
    r"(?i)(?<!\ba )(?<!\bthe )(?<!\bto )(?<!\btheir )(?:\b|(?=['’]))"
    r"(?:(?:is|am|are|will be|['’](?:s|m|re|ll be)) (?:(?:due|set|about|going) to )?"
    r"|(?:will|['’]ll|shall) )?(?P<verb>start|begin|join|mov|relocat|transfer)"
    r"(?:ing|ning|ring|es?|s)?\b"
)
_TO_COME_ZH: Final = LatePattern("就要|即将|马上|准备|将[会要于]?|[会要](?=[去到在搬入转调上开])")
_ON_THAT_DAY: Final = LatePattern(
    r"(?i)(?:下下?个?(?:月|周|星期|礼拜)[一二三四五六日天末]?|(?:周|星期|礼拜)[一二三四五六日天末]"
    r"|大?后天|明[天年早晚儿]|今[年晚]|[月年]底|(?:on )?(?:next|this|coming) \w+|tomorrow"
    r"|on \w+day)\s*[（(](?P<day>\d{4}-[^（()）]{2,24})[)）]"
)
"""下个月（2026-10）: once it is past only the date is told."""


def _told_as_come(text: str) -> str:
    """Return what is to come as it is told afterwards.

    >>> _told_as_come("Ann is starting at Tesco on 1 October")
    'Ann started at Tesco on 1 October'
    >>> _told_as_come("主人下个月（2026-10）要去腾讯上班")
    '主人2026-10去腾讯上班了'
    """
    if not is_dense(text):
        dated = _ON_THAT_DAY.sub(r"(\g<day>)", text)
        return _TO_COME_EN.sub(_in_past, dated, count=1)
    dated = _ON_THAT_DAY.sub(r"\g<day>", text)
    return re.sub("[了的]?$", "了", _TO_COME_ZH.sub("", dated), count=1)


def _in_past(found: re.Match[str]) -> str:
    """Return the verb of what was to come as it is told afterwards: started."""
    return " " * found[0].startswith(("'", "’")) + _PAST[found["verb"].lower()]
