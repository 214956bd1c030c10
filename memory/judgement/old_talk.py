"""What became since of what an old talk tells: who judges late must not bring back what is over.

A talk is judged once more when its episode ends. What its own lines taught then is known, whole
or in parts; and what was ended, put right, hidden or taken in after it was said stays so.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from memory.judgement.assertions import ParsedText
from memory.judgement.draft import Draft
from memory.judgement.evidence import Evidence, Support, adds_nothing
from memory.judgement.new_facts import settled_at
from memory.judgement.wording import Names, is_class
from memory.model import Memory, Message
from memory.recall.reading import said_at
from memory.recall.slot_index import SPEAKER_LABELS, SlotIndex, lines_by_slot
from memory.state import MemoryState, is_hidden
from memory.text.slot_changes import is_ended_by
from memory.text.slot_core import relative_in
from memory.text.slot_cues import REAL, Slot
from memory.text.slots import SlotClaim, slot_claims

MOST_SAID_SINCE: Final = 2_000
"""So many lines at most are read that were said after an old talk.

A talk is taken up late where little was said since; after much more the facts told meanwhile are
still known, or are yet to be learnt and end then what they end.
"""


class TalkSince:
    """What people said after an old talk: read once, and only if anybody asks.

    A law may have let go both of what was told then and of what ended it. The diary still has
    both lines, and in it the later one counts.
    """

    def __init__(self) -> None:
        self._lines: list[Message] | None = None
        self._by_slot: dict[Slot, set[int]] = {}

    def said_by(
        self, speaker: str, slots: Collection[Slot], talk: Sequence[Message], state: MemoryState
    ) -> Iterator[Message]:
        """Yield what somebody said after ``talk`` that may speak of these slots."""
        if self._lines is None:
            self._lines = _lines_since(talk, state)
            named = ((each.text, (each.speaker,)) for each in self._lines)
            self._by_slot = dict(lines_by_slot(named))
        for place in sorted(set[int]().union(*(self._by_slot.get(each, ()) for each in slots))):
            if speaker in {self._lines[place].speaker, ""}:
                yield self._lines[place]


def _lines_since(talk: Sequence[Message], state: MemoryState) -> list[Message]:
    """Return what people said after the first of a talk, none of it if that is too much."""
    numbers = [state.diary[each.id].number for each in talk if each.id in state.diary]
    if not numbers or state.last_line - min(numbers) > MOST_SAID_SINCE:
        return []
    first = min(message.at for message in talk)
    later = (state.diary[key] for key, at in said_at(state.diary) if at > first)
    return [x.message for x in later if x.message.role == "user" and not x.hidden]


def is_settled_since(
    text: str, support: Support, evidence: Evidence, draft: Draft, since: TalkSince
) -> bool:
    """Tell whether what somebody said then was learnt from these lines, or is over since.

    ``since`` is what was said after all of the ``evidence``.
    """
    state, names = draft.state, evidence.names[support.speaker]
    if _is_put_away(support, state):
        return True
    heard = list(_texts_heard(support, state))
    if heard and adds_nothing(text, heard, names, evidence):
        return True
    over = _texts_settled(ParsedText(text), names, support, state)
    if any(adds_nothing(text, [each], names, evidence) for each in over):
        return True
    index = draft.tools.slots or SlotIndex.build(state)
    claims = index.claims_in(text, SPEAKER_LABELS | {support.speaker})
    told = _Told(text, claims, support.speaker, _told_at(support))
    lines = since.said_by(told.speaker, told.slots, evidence.messages, state)
    return told.is_ended_by_facts(index, state) or told.is_ended_by_lines(lines)


def is_over_by_now(memory: Memory, state: MemoryState, slots: SlotIndex | None = None) -> bool:
    """Tell whether something told later, known or only said, ends what a memory says.

    What a law had put away stood aside while its matter went on: nobody ended it then.
    """
    if not memory.is_fact or memory.sealed is not None:
        return False
    names = {*SPEAKER_LABELS, memory.origin.speaker, state.agent_info.settings.partner}
    claims = slot_claims(memory.words.text, names)
    told_at = max((memory.trace.created_at, *memory.trace.mentions))
    told = _Told(memory.words.text, claims, memory.origin.speaker, told_at)
    talk = [state.diary[each].message for each in memory.source_ids if each in state.diary]
    lines = TalkSince().said_by(told.speaker, told.slots, talk, state) if talk else iter(())
    facts = slots or SlotIndex.build(state)
    return told.is_ended_by_facts(facts, state) or told.is_ended_by_lines(lines)


def _is_put_away(support: Support, state: MemoryState) -> bool:
    """Tell whether the partner hid what rests on these lines, or it went after it was over."""
    lines = {message.id for message in support.messages}
    known = (state.diary.get(each) for each in lines)
    if any(line is not None and (line.hidden or line.past) for line in known):
        return True
    hidden = (memory for memory in state.memories.values() if is_hidden(memory))
    return any(not lines.isdisjoint(memory.source_ids) for memory in hidden)


def _texts_heard(support: Support, state: MemoryState) -> Iterator[str]:
    """Yield what was learnt from the same lines, whatever became of it, and its former words."""
    lines = {message.id for message in support.messages}
    for memory in _facts_of(support, state):
        if not lines.isdisjoint(memory.source_ids):
            known = state.corrections.get(memory.id)
            former = (each.before for each in (known.entries if known else ()))
            for text in (memory.words.text, *former):
                # "Mum's not in York, she lives in Hull" tells where mum lives.
                yield from dict.fromkeys((text, _THEY.sub(relative_in(text) or r"\g<0>", text)))


_THEY: Final = re.compile(
    r"(?<![^\s,，;；。.])(?:she|he)\b(?!['’])|(?<![^\s,，;；。])[她他](?!们)", re.IGNORECASE
)


def _texts_settled(
    text: ParsedText, names: Names, support: Support, state: MemoryState
) -> Iterator[str]:
    """Yield what was told as so and was ended, hidden, taken in or put right after that talk."""
    told_at = _told_at(support)
    # Comparing with all would take too long: something of it must be the same.
    words = [term for term in text.terms(names) if not is_class(term)]
    shared = re.compile("|".join(map(re.escape, [*words, text.text])), re.IGNORECASE).search
    for memory in _facts_of(support, state):
        known = state.corrections.get(memory.id)
        former = [each.before for each in (known.entries if known else ()) if each.at > told_at]
        if settled_at(memory, state) > told_at:
            former.append(memory.words.text)
        yield from filter(shared, former)


def _facts_of(support: Support, state: MemoryState) -> Iterator[Memory]:
    for memory in state.memories.values():
        own = memory.origin.speaker in {support.speaker, ""}
        if own and memory.is_fact and memory.sealed is None:
            yield memory


@dataclass(frozen=True, slots=True)
class _Told:
    """What somebody told at some time, as the slots of it are read."""

    text: str
    claims: Sequence[SlotClaim]
    speaker: str
    at: datetime

    @property
    def slots(self) -> set[Slot]:
        """The slots in which that may stand which ends it; none if it claims nothing."""
        slots = {claim.slot for claim in self.claims} - {Slot.ANY}
        return {*slots, Slot.THING} if slots else set()

    def is_ended_by_facts(self, index: SlotIndex, state: MemoryState) -> bool:
        """Tell whether something that was told later, and holds, ends it."""
        news = (state.memories[each] for each in index.in_slots(self.slots))
        return any(
            self._is_ended_by(claim)
            for memory in news
            if memory.origin.speaker in {self.speaker, ""} and memory.trace.created_at > self.at
            for claim in index.claims(memory)
        )

    def is_ended_by_lines(self, lines: Iterable[Message]) -> bool:
        """Tell whether a later line of the same person ends it, as it was said."""
        return any(
            self._is_ended_by(claim)
            for line in lines
            if line.at > self.at
            for claim in slot_claims(line.text, SPEAKER_LABELS | {line.speaker})
            if claim.mode in REAL
        )

    def _is_ended_by(self, claim: SlotClaim) -> bool:
        return any(is_ended_by(old, claim, self.text) for old in self.claims)


def _told_at(support: Support) -> datetime:
    return max(message.at for message in support.messages)
