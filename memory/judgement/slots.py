"""What is told against what is known of the same matter: shown to the judge, and settled by rule.

A change of life shares no word with what it changes (我住在北京, 搬家了). So what is known in
the slots that were spoken of is shown to whoever judges, and a newer statement in a slot that
holds one value makes the older one past, whoever judged.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice
from typing import Final

from memory.changes import Put
from memory.judgement.assertions import ParsedText
from memory.judgement.draft import Draft, with_slot_successor
from memory.judgement.new_facts import covers_all
from memory.judgement.permission import addresses_a_model, is_someone_elses
from memory.judgement.what_is_over import (
    denials_put_right,
    is_bought_home,
    is_denied_by,
    is_found_again,
    with_rest_kept,
)
from memory.model import Memory, Message
from memory.recall.slot_index import SlotIndex, told_by
from memory.revision import Strategy, strategy_for
from memory.state import MemoryState
from memory.text import slots_en, slots_zh
from memory.text.correction_forms import CORRECTS, REGRET, corrects, says_anew
from memory.text.corrections import says_only_right, wrong_word
from memory.text.slot_changes import is_ended_by, names_no_illness, names_the_same, words_of_matter
from memory.text.slot_cues import (
    EVERY_WEEK,
    PERSONS_EN,
    PERSONS_ZH,
    REAL,
    SINGLE_VALUED,
    ClaimMode,
    Slot,
)
from memory.text.slots import SlotClaim
from memory.text.stretches import SENTENCE_END
from memory.text.word_forms import whole_places

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
        draft = _with_part_over(draft, twin, memory_id, said)
    for old in _so_of_the_dead(new, said, draft.state):
        draft = _with_part_over(draft, old, memory_id, said)
    index = draft.tools.slots or SlotIndex.build(draft.state)
    told = [claim for claim in index.claims(new) if claim.is_own or claim.mode in REAL]
    claims = [claim for claim in told if claim.firm and not is_found_again(claim, said)]
    claims += _elliptic_claims(new, said, index)
    # What it took the place of is what was wrong; nothing else is.
    corrected = None if new.lineage.replaces is not None else _slots_corrected(told, said)
    ended = _ended_by(new, claims, said, corrected=corrected, draft=draft, index=index)
    for old in (*ended, *_denied_by(new, said, ended, draft=draft, index=index)):
        if strategy_for(old, new.trace.confidence) is Strategy.WEIGHT_BALANCE:
            continue
        draft = _with_part_over(draft, old, memory_id, said)
    return _with_weekly(draft, memory_id)


def _with_part_over(draft: Draft, old: Memory, new_id: int, said: Sequence[Message]) -> Draft:
    """Return the draft with what the new memory ends of an old one told as past."""
    new = draft.state.memories[new_id]
    draft, over = with_rest_kept(draft, old, new.words.text, said)
    return with_slot_successor(draft, over, draft.state.memories[new_id])


def _denied_by(
    new: Memory,
    said: Sequence[Message],
    ended: Sequence[Memory],
    *,
    draft: Draft,
    index: SlotIndex,
) -> Iterator[Memory]:
    """Yield what was said before and is denied now, in a message that says how it is instead."""
    denying = [each.text for each in said if any(denials_put_right(each.text))]
    if not denying:
        return
    slots = {claim.slot for text in denying for claim in index.claims_in(text)}
    ids = {*index.in_slots(slots), *index.newest(_NEWEST), *draft.new}
    known = {each.id for each in ended}
    for old in _earlier(ids, new, said, draft.state):
        if old.id not in known and any(is_denied_by(t, old.words.text) for t in denying):
            yield old


def _with_weekly(draft: Draft, memory_id: int) -> Draft:
    """Return the draft in which another day for what was each week is each week, and no date."""
    new = draft.state.memories[memory_id]
    old = draft.state.memories.get(new.lineage.replaces or 0)
    if old is None or not EVERY_WEEK.search(old.words.text) or not _A_DATE.search(new.words.text):
        return draft
    words = replace(new.words, text=_A_DATE.sub("", new.words.text))
    nature = replace(new.nature, kind=old.nature.kind, topic=old.nature.topic)
    return draft.then(Put(replace(new, words=words, nature=nature)))


_A_DATE: Final = re.compile(r" ?[（(]\d{4}-\d\d-\d\d[）)]")

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


def _so_of_the_dead(new: Memory, said: Sequence[Message], state: MemoryState) -> list[Memory]:
    """Return what was told of somebody as so for now, who is told to have died: age, home, health.

    How they were called, and what they did, stays so.
    """
    died = _DIED.search(new.words.text)
    if died is None:
        return []
    who = re.escape(died["zh"] or died["en"])
    tells = re.compile(rf"(?:^|主人的?|家)(?:{who})(?:{_SO_FOR_NOW})|'s {who} (?:{_SO_FOR_NOW})")
    ids = [key for key, each in state.memories.items() if tells.search(each.words.text)]
    return list(_earlier(ids, new, said, state))


_DIED: Final = re.compile(
    rf"(?:^|主人的?|家)(?P<zh>{PERSONS_ZH})[^，。！我]{{0,40}}?(?:去世|过世|病逝|离世|逝世)"
    rf"|'s (?P<en>(?:\w+ )?(?:{PERSONS_EN}))(?: has| had| just| suddenly)* (?:died|passed away)\b",
    re.IGNORECASE,
)

_SO_FOR_NOW: Final = (
    r"(?:今年|现在|已经|都|快|还|也|一直|一个人|独自|目前|平时|最近)*(?:\d+岁|[一二三四五六七八九十]+岁"
    r"|(?:住)?在(?!世|\S*(?:去|过|离|逝)世)|住|身体|[患有得][^，]{0,8}[病症炎压]|每[天周月])"
    r"|(?:is (?:still |now |nearly |almost |very )*(?:\d|in\b|at\b|ill|well|poorly|frail|fit\b)"
    r"|(?:still |now )?(?:lives|works|stays|has|goes)\b)"
)


def _elliptic_claims(
    new: Memory, said: Sequence[Message], index: SlotIndex
) -> Iterator[SlotClaim]:
    """Yield what a message says of a change whose matter only its other words name: 改成周工."""
    for message in said:
        for claim in index.claims_in(message.text):
            if claim.slot is Slot.ANY and claim.is_own and claim.value in new.words.text:
                yield claim


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
        # What meets every week may meet on another day.
        weekly = [Slot.HABIT] if claim.slot is Slot.PLAN else []
        spoken = index.in_slots([*Slot] if parted else [claim.slot, *weekly])
        ids = index.newest(_NEWEST) if claim.slot is Slot.ANY else spoken
        ended = [
            old
            for old in _earlier({*ids, *draft.new}, new, said, draft.state)
            if any(is_ended_by(c, claim, told_by(old, draft.state)) for c in index.claims(old))
            and not is_bought_home(old.words.text, claim)
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
            and _last_told(old, new) <= new.trace.created_at
            and old.origin.speaker in {new.origin.speaker, ""}
            and not is_someone_elses(old, said)
            # Said in one breath they are two parts of one thing told, not a change.
            and not set(old.source_ids) & set(new.source_ids)
        ):
            yield old


def _last_told(old: Memory, new: Memory) -> datetime:
    """Return when a memory was told: for what is learnt of an old talk, when it was told last."""
    begun = old.trace.created_at
    # What is learnt long after it was said is kept from then on: see as_kept_from.
    late = new.trace.updated_at > new.trace.created_at
    return max((begun, *old.trace.mentions)) if late else begun


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
    told = {claim.slot for claim in claims if claim.is_own} - {Slot.ANY}
    if any(corrects(each.text) for each in said):
        return frozenset()
    return told if told and any(says_anew(each.text) for each in said) else None


def _may_mean(old: Memory, said: Sequence[Message], state: MemoryState) -> bool:
    """Tell whether a correction may mean a fact: it names nothing, or what the fact tells of."""
    whole = "\n".join(each.text for each in said)
    wrong = [named for each in said if (named := wrong_word(each.text))]
    if wrong and not any(whole_places(each, told_by(old, state)) for each in wrong):
        return False
    for sentence in SENTENCE_END.split(whole):
        # 说错了 alone names nothing, and "sorry, I meant the 24th" only what is right.
        if says_only_right(sentence):
            return True
        rest = _REGRET.sub(" ", CORRECTS.sub(" ", sentence))
        if re.search(r"\w", rest):
            told = words_of_matter(told_by(old, state))
            return not words_of_matter(rest) or bool(words_of_matter(whole) & told)
    return True


_REGRET: Final = re.compile(rf"{REGRET}|[啊哦哎呃嗯]|\boh\b", re.IGNORECASE)


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
            if (claim.slot in corrected if corrected else _may_mean(old, said, draft.state))
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
