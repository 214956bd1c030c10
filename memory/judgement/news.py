"""Whether what was said is news of what is held, and how sure that is.

A judge names the memory that a new line takes the place of. A weak one names whatever is of one
matter: a brother's move, a dream, a second cat. So the line itself is asked, too.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC
from typing import Final

from memory.changes import Put
from memory.judgement.assertions import ParsedText
from memory.judgement.draft import Draft
from memory.judgement.marks import Sense
from memory.judgement.new_facts import covers_all
from memory.judgement.permission import Doubt
from memory.judgement.senses import is_jest, senses_in_sentence
from memory.judgement.what_is_over import is_bought_home
from memory.model import Memory, Message
from memory.offline.claimed import PARTS, claimed, is_of_another
from memory.offline.statements import sentences_of
from memory.recall.slot_index import SPEAKER_LABELS, claims_of
from memory.revision import Strategy, superseded
from memory.text.correction_forms import corrects, tells_of_change
from memory.text.matters import chance_of_ending
from memory.text.slot_changes import is_ended_by
from memory.text.slot_cues import Slot
from memory.text.slots import SlotClaim, slot_claims


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
