"""Whether somebody really said what a model wants to write down, and who it was.

Only what a person said in this turn, in their own words, may become their fact. What was quoted,
forwarded, shown in a picture, said by 小祥 or stands in an older memory is evidence for nothing. A
model cannot argue with this: the check is lexical (docs/decisions/judgement.md).
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

from memory.judgement import wording
from memory.judgement.lexicon import EN_PERSONS, LOOSE, PERSONS, SINGLE_VALUED
from memory.judgement.parsed import ParsedMessage, ParsedText, clauses_together, dates_were_meant
from memory.model import Message
from memory.text.tokens import normalized
from prompts.plain import plain

_FIRST_PERSON: Final = re.compile(
    r"我|咱|俺|本人|私|僕|나는|저는|אני|أنا|\b(?:я|мне|мой|моя|ich|je|yo)\b"
    r"|\b(?:i|i['’]m|i['’]ve|i['’]ll|i['’]d|me|my|mine|myself|we|our|us)\b",
    re.IGNORECASE,
)

# Words that may come before the subject: 但是我妈 is still about my mother.
_FILLER: Final = (
    r"(?:然后|但是|但|而且|因为|所以|其实|不过|后来|昨天|今天|明天|前天|后天|最近|刚刚|刚才|对了|嗯|哈哈|听说"
    r"|and|but|so|well|then|yesterday|today|actually|also|oh|yeah)*\s*"
)

_COMPANY: Final = re.compile(r"我[们俩]?(?:和|跟|与|同|陪|带|给|帮|送|约)|\b(?i:i|we)\b")
"""The speaker acts, together with or for someone: 我和朋友 is about me, not about a friend."""

_OTHER_SUBJECT: Final = re.compile(
    rf"^{_FILLER}(?:(?:我|咱)?们?家?的?[^我，]{{0,4}}?(?P<zh>{PERSONS})"
    r"|(?P<pro>他们|她们|他|她|它)"
    rf"|(?:my|our|the|a|an)\s+(?:[\w'’]+\s+)?(?P<en>{EN_PERSONS})\b|(?P<enpro>he|she|they|it)\b)",
    re.IGNORECASE,
)

_PERSON: Final = re.compile(rf"{PERSONS}|\b(?:{EN_PERSONS})\b", re.IGNORECASE)

# Days and hours may stand before the subject of a sentence, and in a bare answer beside it.
_TIME: Final = re.compile(
    r"[今明昨后前大当][天日早晚年]|今晚|明早|早上|上午|中午|下午|傍晚|晚上|夜里|凌晨|周末|月底|年底"
    r"|[这本上下][个]?(?:周|星期|礼拜|月|年).?|(?:周|星期|礼拜)[一二三四五六日天末]|\S*[年月日号点]"
    r"|[年月日号点周]|today|tomorrow|yesterday|tonight|morn|afternoon|even|night|week|month|year"
    r"|next|last|late|now|(?:mon|tues|wednes|thurs|fri|satur|sun)day",
    re.IGNORECASE,
)

_PRONOUNS: Final = frozenset({"他们", "她们", "他", "她", "它", "he", "she", "they", "it"})

# 我 is excluded: 我觉得 and 我说 are the speaker's own words, 小王说 is what 小王 thinks.
_REPORTED: Final = re.compile(
    r"^(?P<who>[^我，,]{1,8}?)(?:说|告诉|认为|觉得|声称|提到)"
    r"|^(?P<en>(?!i\b)[\w'’]+(?: [\w'’]+)?)\s+(?:says|said|told|thinks|claims)\b",
    re.IGNORECASE,
)


def is_by_speaker(clause: wording.Clause, wanted: wording.Clause, names: wording.Names) -> bool:
    """Tell whether ``clause`` may stand for ``wanted``, a clause about whom ``names`` name.

    A clause whose subject is somebody else supports only a text that names them; a clause without
    any first person supports only what begins with what it begins with.
    """
    subject = _other_subject(clause)
    if subject is not None:
        return _is_named(subject, wanted, names)
    if _FIRST_PERSON.search(clause.text) or not _speaks_of_speaker(wanted, names):
        return True
    # No subject at all: Chinese leaves 我 out (住上海), but 小王喜欢猫 names its subject first.
    return not _begins_with_something_else(clause, wanted)


def is_time(term: str) -> bool:
    """Tell whether a term only says when: 明天, 周末, month."""
    return bool(_TIME.fullmatch(term))


def names_nobody_new(
    text: str, own: str, own_clauses: Iterable[wording.Clause], names: wording.Names
) -> bool:
    """Tell whether everybody whom ``text`` brings in was named: my mother in 我妈, too."""
    people = _PERSON.findall(wording.without_names(normalized(text), names))
    if not people:
        return True
    said, relations = normalized(own), wording.terms_of(own_clauses)
    return all(person in said or bool(wording.substance(person) & relations) for person in people)


def begins_with_stranger(
    wanted: wording.Clause, covered: Collection[str], names: wording.Names
) -> bool:
    """Tell whether a text begins with someone or something nobody spoke of: 小王 in 小王喜欢猫."""
    if _speaks_of_speaker(wanted, names) or not wanted.terms:
        return False
    return _has_a_stranger_first(wanted, covered)


def _other_subject(clause: wording.Clause) -> str | None:
    """Return who a clause is about if that is not the speaker: a person word or a name."""
    text = clause.folded
    # Before the subject: in 小王说我喜欢猫 the inner 我 is 小王, not the speaker.
    if reported := _REPORTED.match(text):
        return reported["who"] or reported["en"]
    found = _OTHER_SUBJECT.match(text)
    if found is None or _COMPANY.match(text[: found.end()]):
        return None
    return found["zh"] or found["en"] or found["pro"] or found["enpro"]


def _is_named(subject: str, wanted: wording.Clause, names: wording.Names) -> bool:
    """Tell whether the text names the subject: literally, or by another word for the relation.

    The names of the speaker do not count: 小祥's "my friend" is not a friend of theirs.
    """
    # A pronoun names nobody, so any text fits that is not about the speaker.
    if subject in _PRONOUNS:
        return not _speaks_of_speaker(wanted, names)
    named = re.escape(subject)
    if re.search(
        rf"\b{named}\b" if subject.isascii() else named,
        wording.without_names(wanted.folded, names),
    ):
        return True
    return any(
        wording.is_class(term) and term in wanted.about for term in wording.substance(subject)
    )


def _speaks_of_speaker(wanted: wording.Clause, names: wording.Names) -> bool:
    """Tell whether the text begins with the speaker, and not with someone of theirs."""
    name = next((each for each in names.folded if wording.begins_with(wanted.folded, each)), None)
    if name is None:
        return False
    # 主人的妈妈 begins with the speaker's name and is about somebody else.
    after = wanted.folded[len(name) :]
    return not re.match(rf"(?:的|家的?|['’]s\s+)\s*(?:{PERSONS}|{EN_PERSONS})", after)


def _begins_with_something_else(clause: wording.Clause, wanted: wording.Clause) -> bool:
    """Tell whether a clause begins with something the text leaves out: 小王 in 小王喜欢猫."""
    return _has_a_stranger_first(clause, wanted.about)


def _has_a_stranger_first(clause: wording.Clause, known: Collection[str]) -> bool:
    """Tell whether a word that is not ``known``, nor a time, comes before the first that is."""
    words = [term for term in clause.terms if not wording.is_class(term) and not is_time(term)]
    return bool(words) and words[0] not in known


ENOUGH: Final = 0.6
"""The share of the terms of each clause of a text that must have been said."""

BARE: Final = 0.5
"""The share that is enough where the clause says nothing else: 苹果, asked for a favourite."""

QUOTE_CHARACTERS: Final = 200
"""How much of the words it rests on a memory keeps."""

# What a model may call the person it writes about, whatever name the prompt gave it.
LABELS: Final = frozenset(
    {"主人", "用户", "the partner", "the user", "my partner", "partner", "user", "伙伴"}
)

NumberedTerms: TypeAlias = set[tuple[int, str]]
"""Terms of a text, each with the number of its clause."""

# Wide on purpose: it only lets a deletion be considered; what is deleted is judged by subject.
_CUE: Final = re.compile(
    r"不|没|别|错|其实|应该是|更正|纠正|改成|改为|忘掉|忘了|忘记|删|戒|已经"
    r"|结束|取消|过去了|搞定|完了"
    r"|\b(?:not|no|never|wrong|incorrect|mistaken?|actually|forget|delete|remove|anymore"
    r"|correction|instead|stopped|quit|over|done|finished|cancell?ed)\b|n['’]t\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """What was said in one turn (or one episode) and by whom; ``said`` holds people only.

    ``others`` are the other people known in the conversation: with any, it is a group.
    """

    turn_id: str
    conversation: str
    at: datetime
    zone: ZoneInfo
    partner: str
    said: tuple[ParsedMessage, ...]
    others: frozenset[str] = frozenset()

    @property
    def messages(self) -> tuple[Message, ...]:
        """Return what was said, message by message."""
        return tuple(each.message for each in self.said)

    @property
    def speakers(self) -> tuple[str, ...]:
        """Return everyone who speaks in it, in order."""
        return tuple(dict.fromkeys(each.message.speaker for each in self.said))

    @cached_property
    def names(self) -> Mapping[str, wording.Names]:
        """Return for each speaker what stands for them in a text about them."""
        return {each: wording.Names.of(LABELS | {self.partner, each}) for each in self.speakers}

    @cached_property
    def shown(self) -> tuple[wording.Clause, ...]:
        """Return the clauses of everything that was shown and not said, as a model reads it."""
        quoted = (each.message.quoted for each in self.said if each.message.quoted)
        return wording.clauses(plain("\n".join(quoted)))

    def by(self, speaker: str) -> tuple[ParsedMessage, ...]:
        """Return what one person said."""
        return tuple(each for each in self.said if each.message.speaker == speaker)


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


def support_for(
    text: ParsedText, evidence: Evidence, standing: ParsedText | None = None
) -> Support | None:
    """Return who in the turn said ``text``, in whatever near words; None if nobody did.

    Of what a memory says already (``standing``), the new wording of it may keep what it will;
    something of it must still have been said now.
    """
    former = standing or ParsedText("")
    found = [_support_by(speaker, text, evidence, former) for speaker in evidence.speakers]
    return max((each for each in found if each), key=lambda each: each.share, default=None)


def who_speaks_of(text: ParsedText, evidence: Evidence) -> str | None:
    """Return who in the turn speaks of the thing a memory's ``text`` is about, if anyone does."""
    for speaker in evidence.speakers:
        about = text.terms(evidence.names[speaker])
        said = [clause for each in evidence.by(speaker) for clause in each.clauses]
        if any(
            is_same_subject(term, about) and wording.covers(term, c)
            for term in about
            for c in said
        ):
            return speaker
    return None


def takes_something_back(evidence: Evidence) -> bool:
    """Tell whether anyone in the turn denies, corrects or takes something back."""
    return any(_CUE.search(message.text) for message in evidence.messages)


def is_same_subject(term: str, about: frozenset[str]) -> bool:
    """Tell whether sharing ``term`` means speaking of the same: 猫 does, liking something not."""
    if not wording.is_class(term):
        return True
    return term.partition(":")[2] in SINGLE_VALUED or all(wording.is_class(each) for each in about)


def _support_by(
    speaker: str, text: ParsedText, evidence: Evidence, standing: ParsedText
) -> Support | None:
    said, names = evidence.by(speaker), evidence.names[speaker]
    # Links, dates, figures and people admit no near words; only then the shares are counted.
    own = "\n".join((*(each.message.text for each in said), standing.text))
    if not (wording.links_were_said(text.text, own) and dates_were_meant(text.text, said, own)):
        return None
    # A date is judged by the day it means; as a word, 明天 would have to stand in the memory.
    undated = text.rewritten(wording.without_dates(text.text, evidence.at, evidence.zone))
    own_clauses = clauses_together(*(each.clauses for each in said), standing.clauses())
    new_people = not names_nobody_new(undated.text, own, own_clauses, names)
    if new_people or not wording.numbers_were_said(undated.text, own):
        return None
    wanted = _claimed_clauses(undated, speaker, evidence)
    covered, supporting = _terms_said(wanted, said, names)
    kept = _terms_standing(wanted, standing.clauses(names)) if covered else set()
    share = _least_share(wanted, covered, kept)
    # Only now: what the memory says already is no part of the share that was said anew.
    covered |= kept
    if not covered or _was_only_shown(wanted, covered, evidence):
        return None
    said_terms = {term for _, term in covered}
    if any(begins_with_stranger(clause, said_terms, names) for clause in wanted):
        return None
    terms = wording.terms_of(wanted)
    # A bare answer (苹果) says neither who nor likes; 小祥's question said the rest.
    bare = any(_says_nothing_else(c, terms) for _, c in supporting)
    firm = _predicates_were_said(wanted, covered)
    if share < (BARE if bare else ENOUGH) or not (bare or firm):
        return None
    messages = tuple(dict.fromkeys(message for message, _ in supporting))
    return Support(speaker=speaker, messages=messages, share=share)


def _claimed_clauses(
    text: ParsedText, speaker: str, evidence: Evidence
) -> tuple[wording.Clause, ...]:
    """Return the clauses of a text; what a speaker is called may be all it says: 主人是陈阳."""
    # Names of the speaker are no terms: they stand in every text about them and prove nothing.
    wanted = text.clauses(evidence.names[speaker])
    if any(clause.terms for clause in wanted):
        return wanted
    return text.clauses(wording.Names.of((LABELS | {evidence.partner}) - {speaker}))


def _terms_said(
    wanted: Sequence[wording.Clause], said: Iterable[ParsedMessage], names: wording.Names
) -> tuple[NumberedTerms, list[tuple[Message, wording.Clause]]]:
    """Return which terms of which clause were said, and by what."""
    covered: NumberedTerms = set()
    supporting: list[tuple[Message, wording.Clause]] = []
    for parsed, clause in ((each, clause) for each in said for clause in each.statements):
        shared = {
            (number, term)
            for number, each in enumerate(wanted)
            if clause.may_stand_for(each) and is_by_speaker(clause, each, names)
            for term in each.terms
            if wording.covers(term, clause)
        }
        if shared:
            covered |= shared
            supporting.append((parsed.message, clause))
    return covered, supporting


def _terms_standing(
    wanted: Sequence[wording.Clause], standing: Sequence[wording.Clause]
) -> NumberedTerms:
    """Return which terms of which clause stand in the memory that is being put anew."""
    return {
        (number, term)
        for number, each in enumerate(wanted)
        for clause in standing
        if clause.may_stand_for(each)
        for term in each.terms
        if wording.covers(term, clause)
    }


def _least_share(
    wanted: Sequence[wording.Clause], covered: NumberedTerms, kept: NumberedTerms
) -> float:
    """Return the share that was said of the clause of which least was said.

    What a clause keeps of the memory that is put anew does not count.
    """
    # The least and not the mean: one invented clause must not hide behind three faithful ones.
    fresh = [
        [(number, term) for term in clause.terms if (number, term) not in kept]
        for number, clause in enumerate(wanted)
    ]
    shares = [sum(each in covered for each in terms) / len(terms) for terms in fresh if terms]
    return min(shares, default=0.0)


def _was_only_shown(
    wanted: Sequence[wording.Clause], covered: NumberedTerms, evidence: Evidence
) -> bool:
    """Tell whether the text brings something that stands in quoted or forwarded matter only."""
    return any(
        (number, term) not in covered
        and any(wording.covers(term, each) for each in evidence.shown)
        for number, clause in enumerate(wanted)
        for term in clause.terms
    )


def _predicates_were_said(wanted: Sequence[wording.Clause], covered: NumberedTerms) -> bool:
    """Tell whether what the text claims was said, not only what it claims it about."""
    return all(
        (number, term) in covered
        for number, clause in enumerate(wanted)
        for term in clause.terms
        if wording.is_class(term) and term.partition(":")[2] not in LOOSE
    )


def _says_nothing_else(clause: wording.Clause, terms: frozenset[str]) -> bool:
    """Tell whether a clause is a bare answer: all of it, but when, stands in the text."""
    telling = {term for term in clause.terms if not is_time(term)}
    return bool(telling) and telling <= terms
