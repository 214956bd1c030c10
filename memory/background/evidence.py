"""Whether someone really said what a model wants to write down, and who it was.

The rule of DESIGN §8 that no model can talk its way around: only what a person said in this turn,
in their own words, may become their fact. What was quoted, forwarded, shown in a picture, said by
小祥 or stands in an older memory is no evidence for anything.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

from memory.background.exactness import (
    dates_were_meant,
    links_were_said,
    numbers_were_said,
    without_dates,
)
from memory.background.lexicon import LOOSE, SINGLE_VALUED
from memory.background.ownership import (
    begins_with_stranger,
    is_by_speaker,
    is_time,
    names_nobody_new,
)
from memory.background.wording import (
    Clause,
    clauses,
    covers,
    is_class,
    statements,
    substance,
)
from memory.model import Message
from prompts.plain import plain

ENOUGH: Final = 0.6
"""The share of the terms of each clause of a text that must have been said."""

BARE: Final = 0.5
"""The share that is enough where the clause says nothing else: 苹果, asked for a favourite."""

QUOTE_CHARACTERS: Final = 200
LABELS: Final = frozenset(
    {"主人", "用户", "the partner", "the user", "my partner", "partner", "user", "伙伴"}
)
NumberedTerms: TypeAlias = set[tuple[int, str]]
"""Terms of a text, each with the number of its clause."""

_CUE: Final = re.compile(
    r"不|没|别|错|其实|应该是|更正|纠正|改成|改为|忘掉|忘了|忘记|删|戒|已经"
    r"|结束|取消|过去了|搞定|完了"
    r"|\b(?:not|no|never|wrong|incorrect|mistaken?|actually|forget|delete|remove|anymore"
    r"|correction|instead|stopped|quit|over|done|finished|cancell?ed)\b|n['’]t\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What was said in one turn (or one episode) and by whom; ``said`` holds people only.

    ``others`` are the other people known in the conversation: with any, it is a group.
    """

    turn_id: str
    conversation: str
    at: datetime
    zone: ZoneInfo
    partner: str
    said: tuple[Message, ...]
    others: frozenset[str] = frozenset()

    @property
    def speakers(self) -> tuple[str, ...]:
        """Return everyone who speaks in it, in order."""
        return tuple(dict.fromkeys(message.speaker for message in self.said))

    @property
    def shown_text(self) -> str:
        """Return everything that was shown and not said, as a model reads it."""
        return plain("\n".join(message.quoted for message in self.said if message.quoted))

    def by(self, speaker: str) -> tuple[Message, ...]:
        """Return what one person said."""
        return tuple(message for message in self.said if message.speaker == speaker)


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """Who said it, in which messages, and how much of it (0 to 1)."""

    speaker: str
    messages: tuple[Message, ...]
    share: float

    @property
    def quote(self) -> str:
        """Return the words it rests on, cut to ``QUOTE_CHARACTERS``."""
        return "\n".join(message.text for message in self.messages)[:QUOTE_CHARACTERS]


def support_for(text: str, evidence: Evidence, standing: str = "") -> Support | None:
    """Return who in the turn said ``text``, in whatever near words; None if nobody did.

    Of what a memory says already (``standing``), the new wording of it may keep what it will;
    something of it must still have been said now.
    """
    found = [_support_by(speaker, text, evidence, standing) for speaker in evidence.speakers]
    return max((each for each in found if each), key=lambda each: each.share, default=None)


def who_speaks_of(text: str, evidence: Evidence) -> str | None:
    """Return who in the turn speaks of the thing a memory's ``text`` is about, if anyone does."""
    labels = LABELS | {evidence.partner}
    for speaker in evidence.speakers:
        about = substance(text, labels | {speaker})
        said = [c for message in evidence.by(speaker) for c in clauses(message.text)]
        if any(is_same_subject(term, about) and covers(term, c) for term in about for c in said):
            return speaker
    return None


def takes_something_back(evidence: Evidence) -> bool:
    """Tell whether anyone in the turn denies, corrects or takes something back."""
    return any(_CUE.search(message.text) for message in evidence.said)


def is_same_subject(term: str, about: frozenset[str]) -> bool:
    """Tell whether sharing ``term`` means speaking of the same: 猫 does, liking something not."""
    if not is_class(term):
        return True
    return term.partition(":")[2] in SINGLE_VALUED or all(is_class(each) for each in about)


def _support_by(speaker: str, text: str, evidence: Evidence, standing: str) -> Support | None:
    said = evidence.by(speaker)
    own = "\n".join((*(message.text for message in said), standing))
    if not (links_were_said(text, own) and dates_were_meant(text, said, standing, evidence.zone)):
        return None
    undated = without_dates(text, evidence.at, evidence.zone)
    labels = LABELS | {evidence.partner, speaker}
    if not (numbers_were_said(undated, own) and names_nobody_new(undated, own, labels)):
        return None
    wanted = _claimed_clauses(undated, labels, speaker)
    stated = [(m, c) for m in said for c in statements(m.text)]
    covered, supporting = _terms_said(wanted, stated, labels)
    kept = _terms_standing(wanted, clauses(standing, labels)) if covered else set()
    share = _least_share(wanted, covered, kept)
    covered |= kept
    if not covered or _was_only_shown(wanted, covered, evidence):
        return None
    said_terms = {term for _, term in covered}
    if any(begins_with_stranger(clause, said_terms, labels) for clause in wanted):
        return None
    terms = frozenset(term for clause in wanted for term in clause.terms)
    bare = any(_says_nothing_else(c, terms) for _, c in supporting)
    firm = _predicates_were_said(wanted, covered)
    if share < (BARE if bare else ENOUGH) or not (bare or firm):
        return None
    messages = tuple(dict.fromkeys(message for message, _ in supporting))
    return Support(speaker=speaker, messages=messages, share=share)


def _claimed_clauses(text: str, labels: frozenset[str], speaker: str) -> tuple[Clause, ...]:
    """Return the clauses of a text; what a speaker is called may be all it says: 主人是陈阳."""
    wanted = clauses(text, labels)
    if any(clause.terms for clause in wanted):
        return wanted
    return clauses(text, labels - {speaker})


def _terms_said(
    wanted: Sequence[Clause],
    stated: Sequence[tuple[Message, Clause]],
    labels: frozenset[str],
) -> tuple[NumberedTerms, list[tuple[Message, Clause]]]:
    """Return which terms of which clause were said, and by what."""
    covered: NumberedTerms = set()
    supporting: list[tuple[Message, Clause]] = []
    for message, clause in stated:
        shared = {
            (number, term)
            for number, each in enumerate(wanted)
            if clause.may_stand_for(each) and is_by_speaker(clause, each, labels)
            for term in each.terms
            if covers(term, clause)
        }
        if shared:
            covered |= shared
            supporting.append((message, clause))
    return covered, supporting


def _terms_standing(wanted: Sequence[Clause], standing: Sequence[Clause]) -> NumberedTerms:
    """Return which terms of which clause stand in the memory that is being put anew."""
    return {
        (number, term)
        for number, each in enumerate(wanted)
        for clause in standing
        if clause.may_stand_for(each)
        for term in each.terms
        if covers(term, clause)
    }


def _least_share(wanted: Sequence[Clause], covered: NumberedTerms, kept: NumberedTerms) -> float:
    """Return the share that was said of the clause of which least was said.

    What a clause keeps of the memory that is put anew does not count.
    """
    fresh = [
        [(number, term) for term in clause.terms if (number, term) not in kept]
        for number, clause in enumerate(wanted)
    ]
    shares = [sum(each in covered for each in terms) / len(terms) for terms in fresh if terms]
    return min(shares, default=0.0)


def _was_only_shown(wanted: Sequence[Clause], covered: NumberedTerms, evidence: Evidence) -> bool:
    """Tell whether the text brings something that stands in quoted or forwarded matter only."""
    shown = clauses(evidence.shown_text)
    return any(
        (number, term) not in covered and any(covers(term, each) for each in shown)
        for number, clause in enumerate(wanted)
        for term in clause.terms
    )


def _predicates_were_said(wanted: Sequence[Clause], covered: NumberedTerms) -> bool:
    """Tell whether what the text claims was said, not only what it claims it about."""
    return all(
        (number, term) in covered
        for number, clause in enumerate(wanted)
        for term in clause.terms
        if is_class(term) and term.partition(":")[2] not in LOOSE
    )


def _says_nothing_else(clause: Clause, terms: frozenset[str]) -> bool:
    """Tell whether a clause is a bare answer: all of it, but when, stands in the text."""
    telling = {term for term in clause.terms if not is_time(term)}
    return bool(telling) and telling <= terms
