"""What became since of what an old talk tells: who judges late must not bring back what is over.

A talk is judged once more when its episode ends. What its own lines taught then is known, whole
or in parts; and what was ended, put right, hidden or taken in after it was said stays so.
"""

import re
from collections.abc import Iterator
from typing import Final

from memory.judgement.assertions import ParsedText
from memory.judgement.draft import Draft
from memory.judgement.evidence import Evidence, Support, adds_nothing
from memory.judgement.new_facts import settled_at
from memory.judgement.wording import Names, is_class
from memory.model import Memory
from memory.recall.slot_index import SPEAKER_LABELS, SlotIndex
from memory.state import MemoryState, is_hidden
from memory.text.slot_changes import is_ended_by
from memory.text.slot_core import relative_in
from memory.text.slot_cues import Slot


def is_settled_since(text: str, support: Support, evidence: Evidence, draft: Draft) -> bool:
    """Tell whether what somebody said then was learnt from these lines, or is over since."""
    state, names = draft.state, evidence.names[support.speaker]
    if _is_put_away(support, state):
        return True
    heard = list(_texts_heard(support, state))
    if heard and adds_nothing(text, heard, names, evidence):
        return True
    over = _texts_settled(ParsedText(text), names, support, state)
    return any(adds_nothing(text, [each], names, evidence) for each in over) or _is_ended_since(
        text, support, state, draft.tools.slots or SlotIndex.build(state)
    )


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
    said_at = max(message.at for message in support.messages)
    # Comparing with all would take too long: something of it must be the same.
    words = [term for term in text.terms(names) if not is_class(term)]
    shared = re.compile("|".join(map(re.escape, [*words, text.text])), re.IGNORECASE).search
    for memory in _facts_of(support, state):
        known = state.corrections.get(memory.id)
        former = [each.before for each in (known.entries if known else ()) if each.at > said_at]
        if settled_at(memory, state) > said_at:
            former.append(memory.words.text)
        yield from filter(shared, former)


def _facts_of(support: Support, state: MemoryState) -> Iterator[Memory]:
    for memory in state.memories.values():
        own = memory.origin.speaker in {support.speaker, ""}
        if own and memory.is_fact and memory.sealed is None:
            yield memory


def _is_ended_since(text: str, support: Support, state: MemoryState, index: SlotIndex) -> bool:
    """Tell whether something that was told later, and holds, ends what was said then."""
    claims = index.claims_in(text, SPEAKER_LABELS | {support.speaker})
    slots = {claim.slot for claim in claims} - {Slot.ANY}
    if not slots:
        return False
    news = (state.memories[each] for each in index.in_slots({*slots, Slot.THING}))
    return any(
        is_ended_by(old, new, text)
        for memory in news
        if _is_told_later(memory, support)
        for new in index.claims(memory)
        for old in claims
    )


def _is_told_later(memory: Memory, support: Support) -> bool:
    own = memory.origin.speaker in {support.speaker, ""}
    return own and memory.trace.created_at > max(message.at for message in support.messages)
