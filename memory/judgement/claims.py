"""What a text claims, clause by clause, as far as it can be compared with what was said.

A claim is one clause with its words as *units* (a word, a number, a class of words that say the
same), the marks it stands under, and its subject. A unit covers nothing by meaning: it was said if
it, an inflection of it or a listed equivalent stands in the clause.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from itertools import islice
from typing import Final
from zoneinfo import ZoneInfo

from memory.judgement import wording
from memory.judgement.lexicon import AUXILIARIES, EN_PAST_FORMS, EN_VERBS, STATES, ZH_FREE
from memory.judgement.parsed import same_days
from memory.judgement.senses import Sense, asks, senses_in_sentence, senses_of
from memory.judgement.subjects import NOBODY, Subject, Who, is_person, subject_of
from memory.judgement.units import RELATED, ZH_EQUIVALENTS, Unit, has_verb, holds_word, units_of
from memory.text.calendars import Days
from memory.text.dates import date_mentions
from memory.text.numerals import numerals
from memory.text.tokens import is_dense, normalized

MOST_CLAIMS: Final = 120
"""So many clauses of one text are looked at; more is a document, not something somebody says."""

_SENTENCE_END: Final = re.compile(
    r"[。！？!?\n~～…]+|\.{2,}|(?<!\bmr)(?<!\bmrs)(?<!\bms)(?<!\bdr)(?<!\bst)\.(?=\s|$)",
    re.IGNORECASE,
)

_VERB_NEXT: Final = "|".join(sorted((EN_VERBS | EN_PAST_FORMS | AUXILIARIES) - {"'s", "'d"}))

_CLAUSE_END: Final = re.compile(
    r"[；;，]+|,(?![0-9]{3})|(?<=\s)[-—–]{1,3}(?=\s)|——+|[：:](?![0-9])"
    r"|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])"
    r"|并且|而且|(?<![忘退冷推失])却(?=[\u4e00-\u9fff])|(?<=[年月天岁]了)(?=[\u4e00-\u9fff]{3})|\b(?:but|because|although)\b"
    r"|\b(?:and|so)(?=\s+(?:i|my|we|he|she|they|his|her)\b)"
    rf"|\band(?=\s+(?:{_VERB_NEXT})\b)|\b(?=who\s+(?:\w+s|{_VERB_NEXT})\b)",
    re.IGNORECASE,
)

_DATE: Final = "\x00"
"""Stands where a date was taken out of a text."""

_IS_SAID: Final = re.compile(
    r"[是係系叫当當做为為属屬]|\b(?:am|is|are|was|were|be|been|being|im|turn(?:s|ed|ing)?|hes|shes|its|theyre|thats|whos"
    r"|as an?|becom\w+|became)\b"
    r"|['’](?:m|re|s)\b"
)

_HAVE_SAID: Final = re.compile(
    r"[有养養]|\bcan['’]?t sleep|[我俺咱](?:们|們)?(?:家|的|那|这|這)"
    r"|\b(?:have|has|had|having|ive|weve"
    r"|got|get|gets|getting|owns?|my|our|with|there['’]?s|there (?:is|are|was|were)|keeps?"
    r"|adopted|expecting|works?)\b|['’]ve\b"
)

_ENDS_AGE: Final = re.compile(
    r"\s*(?:了|啦|多|$|[,，]|and\b|still\b|now\b|years|歲|岁|on\b|in\b|next\b|this\b)"
)

_TO_COME: Final = re.compile(
    r"要|将|請|请|叫|以后|\b(?:will|going to|gonna|can['’]?t wait|call me|next|tomorrow|off to)\b"
    r"|['’]ll\b|\w+ing\b"
)


@dataclass(frozen=True, kw_only=True)
class Assertion:
    """One clause of a text, as it is compared. ``folded`` names the speaker 我 or "i"."""

    folded: str
    units: tuple[Unit, ...]
    senses: frozenset[Sense]
    subject: Subject
    stated: bool = True
    days: tuple[tuple[tuple[Days, ...], str], ...] = ()
    context: str = ""
    topic: Subject = NOBODY
    at: datetime | None = None
    zone: ZoneInfo | None = None
    bare: bool = field(default=False)

    @cached_property
    def keys(self) -> frozenset[str]:
        """Return what may cover a unit of another clause."""
        return frozenset(unit.key for unit in self.units)

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """Return its numbers, in order."""
        return tuple(unit.key for unit in self.units if unit.kind == "number")

    @cached_property
    def tenses(self) -> Mapping[str, frozenset[bool]]:
        """Return for each word of English whether it stands in its past form, or in another."""
        found: dict[str, set[bool]] = {}
        for unit in self.units:
            if unit.past is not None:
                found.setdefault(unit.key, set()).add(unit.past)
        return {key: frozenset(each) for key, each in found.items()}

    @cached_property
    def has_verb(self) -> bool:
        """Tell whether it has a verb of its own; 苹果 and "every Wednesday" have none."""
        return has_verb(self.folded)

    @cached_property
    def named_days(self) -> tuple[Days, ...]:
        """Return the days it names, seen from when it was said."""
        if self.at is None or self.zone is None:
            return ()
        text = _WEEKDAY.sub(r"on \1", _TOMORROW.sub("明天", self.folded))
        return tuple(
            days
            for each in date_mentions(text, self.at, self.zone)
            for days in same_days(each.days, text[each.start : each.end], relative=each.relative)
        )

    def covers(self, unit: Unit) -> bool:
        """Tell whether it says a unit of another claim."""
        if unit.key in self.keys or RELATED.get(unit.key, frozenset()) & self.keys:
            return True
        if unit.key == "1" and not unit.text.isdigit():
            return True  # 一只 and "one" before a noun are an article; see _keeps_pairs.
        if unit.kind == "class":
            return self._says_class(unit)
        if _MARKED & senses_of(unit.text) and senses_of(unit.text) <= self.senses:
            return True
        if unit.key == "人":
            # 我是丹东的 says 我是丹东人.
            return "人" in self.folded or bool(re.search(r"是[\u4e00-\u9fff]{2,6}的", self.folded))
        return unit.kind == "han" and holds_word(self.folded, unit.text) and not self._ends(unit)

    def _ends(self, unit: Unit) -> bool:
        """Tell whether a character only ends other words here: 考 in 备考 is not 考."""
        if len(unit.text) > 1:
            return False
        inside = [
            each.text for each in self.units if each.kind == "han" and unit.text in each.text
        ]
        if any(each in unit.run for each in inside):
            return False
        return len(inside) == self.folded.count(unit.text) and all(
            len(each) > 1 and each.endswith(unit.text) and each[0] not in ZH_FREE
            for each in inside
        )

    def _says_class(self, unit: Unit) -> bool:
        """Tell whether it says a class of words: by one of them, or by being what needs none."""
        words = ZH_EQUIVALENTS.get(unit.key) or _SAID_BY.get(unit.key)
        if words is not None and words.search(self.folded):
            return True
        if unit.key in _SAID_BY_SENSE:
            wished = unit.key == "en_wish" and _TO_COME.search(self.folded)
            return bool(wished) or _SAID_BY_SENSE[unit.key] in self.senses
        if unit.key in {"is", "have"}:
            return not self.has_verb
        if unit.key == "zh_money":
            return bool(self.numbers)
        if unit.key in _AGES:
            return any(_ENDS_AGE.match(self.folded, n.end) for n in numerals(self.folded))
        return not unit.text.isascii() and unit.text in self.folded


_MARKED: Final = frozenset({Sense.CONDITION, Sense.DOUBT, Sense.ALMOST, Sense.PAST})
"""Marks of which one word may stand for another: 如果 for 要是."""

_AGES: Final = frozenset({"zhc_age", "en_years", "enc_age"})

_CALLED: Final = re.compile(r"[叫是係名姓称]|\b(?:am|is|was|im|goes by)\b|['’][ms]\b")

_SAID_BY: Final[Mapping[str, re.Pattern[str]]] = {
    "is": _IS_SAID,
    "have": _HAVE_SAID,
    "zhc_name": _CALLED,
    "enc_name": _CALLED,
    "zhc_study": re.compile(r"[学學读讀念]"),
}

_SAID_BY_SENSE: Final[Mapping[str, Sense]] = {
    "en_wish": Sense.WISH,
    "en_doubt": Sense.DOUBT,
    "en_report": Sense.REPORT,
    "en_almost": Sense.ALMOST,
    "en_past": Sense.PAST,
}


_TOMORROW: Final = re.compile(r"明[兒儿]个?")
_WEEKDAY: Final = re.compile(
    r"(?<!on )(?<!next )(?<!last )(?<!this )\b((?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
)


def claims_of(
    text: str,
    names: wording.Names,
    at: datetime,
    zone: ZoneInfo,
    *,
    learnt: bool,
) -> tuple[Assertion, ...]:
    """Return the claims of a text; ``learnt`` if it is what a model would write down.

    Of a learnt text the dates are taken out and kept beside it: they are judged by the day they
    mean. ``names`` stand for the speaker.
    """
    days: list[tuple[tuple[Days, ...], str]] = []
    if learnt:
        text, days = _without_dates(text, at, zone)
    found: list[Assertion] = []
    for sentence, mark in islice(_sentences(text), MOST_CLAIMS):
        if len(found) >= MOST_CLAIMS:
            break
        found += _claims_of_sentence(sentence, mark, names, found, days, (at, zone))
    return tuple(found)


def _without_dates(
    text: str, at: datetime, zone: ZoneInfo
) -> tuple[str, list[tuple[tuple[Days, ...], str]]]:
    kept: list[str] = []
    days: list[tuple[tuple[Days, ...], str]] = []
    end = 0
    for each in date_mentions(text, at, zone):
        if each.start >= end:
            kept += [text[end : each.start], _DATE]
            written = text[each.start : each.end]
            days.append((tuple(same_days(each.days, written, relative=each.relative)), written))
            end = each.end
    return "".join((*kept, text[end:])), days


def _sentences(text: str) -> Iterator[tuple[str, str]]:
    start = 0
    for mark in _SENTENCE_END.finditer(text):
        if part := text[start : mark.start()].strip():
            yield part, mark[0]
        start = mark.end()
    if part := text[start:].strip():
        yield part, ""


def _claims_of_sentence(
    sentence: str,
    mark: str,
    names: wording.Names,
    before: Sequence[Assertion],
    days: list[tuple[tuple[Days, ...], str]],
    when: tuple[datetime, ZoneInfo],
) -> Iterator[Assertion]:
    folded = _without_aside(_with_speaker(normalized(sentence), names))
    parts = [each.strip() for each in _CLAUSE_END.split(folded) if each and each.strip()]
    if parts and _LEADS_CONDITION.match(parts[0]):
        parts = [*_AFTER_CONDITION.split(parts[0], maxsplit=1), *parts[1:]]
    parts = parts[:MOST_CLAIMS]
    if not parts:
        return
    senses = list(senses_in_sentence([each.replace(_DATE, "") for each in parts]))
    held: Assertion | None = None
    context = before[-1].folded if before else ""
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        named = [days.pop(0) for _ in range(part.count(_DATE)) if days]
        claim = _claim(part, senses[number], mark if last else "", tuple(named), when)
        if held is not None:
            if _continues(claim) or _is_predicate_of(claim, held):
                held = _joined(held, claim)
                continue
            yield held
            context = f"{context} {held.folded}"[-300:]
            subject, topic = _inherited(claim, held), held.subject
            claim = replace(claim, subject=subject, topic=topic, context=context)
        elif context:
            claim = replace(claim, context=context)
        held = claim
    if held is not None:
        yield held


_ASIDE: Final = re.compile(
    r"^((?:my|our|the|his|her) [\w' ]{2,20}), ([^,]{2,24}), (?=(?:is|are|was|were|has|will|can|still|just|now)\b)"
)

_NOT_BUT: Final = re.compile(
    r"\b(is|am|are|was|were) not ([\w ]{2,30}?),? but (?=(?:an?|the|in|at|from)\b)"
)

_JOB_IS: Final = re.compile(r"\bmy job is (?=(?:at|in|with|for|as)\b)")


def _without_aside(folded: str) -> str:
    """Return a folded sentence in its plain form: no aside, "not X but Y" as two, a job as work."""
    if not folded.isascii():
        return folded
    aside = _ASIDE.match(folded)
    if aside and not senses_of(aside[2]):
        folded = f"{aside[1]} {folded[aside.end() :]}"
    return _JOB_IS.sub("i work ", _NOT_BUT.sub(r"\1 not \2; \1 ", folded))


_LEADS_CONDITION: Final = re.compile(
    r"(?:if|unless|when|whenever|once|as long as)\b|如果|要是|假如|只要|除非|等|.{1,20}的话"
)

_AFTER_CONDITION: Final = re.compile(
    r"(?<=\w{2})\s+(?=(?:i|we)(?:['’](?:m|ll|d|re)| will| am| are)\b)"
    r"|(?<=[\u4e00-\u9fff]{3})(?=[我俺](?:们|們)?[就才])"
)


def _claim(
    part: str,
    senses: frozenset[Sense],
    mark: str,
    days: tuple[tuple[tuple[Days, ...], str], ...],
    when: tuple[datetime, ZoneInfo],
) -> Assertion:
    folded = part.replace(_DATE, " ").strip()
    return Assertion(
        folded=folded,
        units=tuple(units_of(folded)),
        senses=senses,
        subject=subject_of(folded),
        days=days,
        at=when[0],
        zone=when[1],
        stated=mark[:1] not in {"?", "？"} and not asks(folded),
    )


_BARE_LABELS: Final = frozenset({"partner", "user"})


def _with_speaker(folded: str, names: wording.Names) -> str:
    """Return folded text with the speaker told as 我 or "i", as they tell it themselves."""
    dense = is_dense(folded)
    folded = re.sub(r"\b(my|our) (\w+) (?:and|n|&) i\b", r"i with \1 \2", folded)
    stands = [name for name in names.folded if name in folded]
    # "my lab partner" is not the partner: a bare word stands for them only where a text begins.
    written = "|".join(
        rf"(?<!\w )(?<!['’]s ){name}" if name in _BARE_LABELS else re.escape(name)
        for name in stands
        # 安 in an English text is a name only where nothing Chinese stands around it.
        if name.isascii() or not dense
    )
    if written and not dense:
        # In one walk: what a name was replaced by is not looked at again.
        return re.sub(
            rf"(?<!\w)(?:{written})(?:(['’]s)|['’]?)(?!\w)",
            lambda m: "my" if m[1] else "i",
            folded,
        )
    for name in stands:
        if not name.isascii():
            # One character stands inside too many words: 安 only where it begins.
            folded = (
                folded.replace(name, "我") if len(name) > 1 else re.sub(f"^{name}", "我", folded)
            )
        elif dense:
            folded = re.sub(rf"(?<![a-z]){re.escape(name)}(?![a-z])", "我", folded)
    return folded


def _continues(claim: Assertion) -> bool:
    """Tell whether a clause only goes on with the one before: no verb, no subject of its own."""
    about = claim.subject
    if re.search(
        r"[吧呢吗嘛]$|[就才][\u4e00-\u9fff]{2}|^有|[\u4e00-\u9fff]了[\u4e00-\u9fff]{2}",
        claim.folded,
    ):
        return False
    if not claim.stated or about.who in {Who.SPEAKER, Who.PRONOUN} or about.person or about.own:
        return False
    if about.who is Who.OTHER and (claim.numbers or re.search(r"[了着的很]|[a-z]", claim.folded)):
        return False
    return (
        not claim.has_verb
        and Sense.NEGATIVE not in claim.senses
        and bool(claim.units or claim.days)
    )


def _is_predicate_of(claim: Assertion, held: Assertion) -> bool:
    """Tell whether a clause says what the thing of the speaker does that the one before names."""
    named = _OWN_THING.search(held.folded)
    return bool(named) and claim.subject.who is Who.NOBODY and not claim.senses


_OWN_THING: Final = re.compile(
    r"^[\u4e00-\u9fff]{0,3}[我俺](?:的|这|那|这个|那个)[\u4e00-\u9fff]{1,5}$"
)


def _joined(held: Assertion, more: Assertion) -> Assertion:
    return replace(
        held,
        folded=f"{held.folded}, {more.folded}",
        units=(*held.units, *more.units),
        senses=held.senses | more.senses,
        days=(*held.days, *more.days),
    )


INTRODUCES: Final = re.compile(
    r"(?:有|养了?|養了?)(?:一|[两二三四五0-9])?(?:[个個只位])(?P<zh>[\u4e00-\u9fff]{1,4})|\b(?:have|has|got"
    r"|['’]s got|there['’]?s) (?:a|an|one) (?:\w+ )?(?P<en>\w+)$"
)


_SPEAKS_LATER: Final = re.compile(
    r"(?<![把让叫给对跟和为被帮带问教劝逼])[我俺](?![的们家爸妈哥姐弟妹])"
)

_ACTED_ON: Final = re.compile(r"(?:把|将|让|逼)[我俺](?!妈|爸|哥|姐|弟|妹|家|的)")

_NOW: Final = re.compile(r"现在|如今|目前|只好|只能")

_ACTS: Final = re.compile(
    r"(?:已经|刚|又|就|现在|如今|目前|只好|只能|后来|昨天|今天)*(?:[买提换租养收领捡订入开骑](?:了|着)(?:[一两几])?"
    r"[辆个個只隻条條份台部套间張张把]|(?<=[在好能前今])[住窝睡租待]在)"
)


def _inherited(claim: Assertion, held: Assertion) -> Subject:
    """Return the subject of a clause that may leave it to the one before."""
    if claim.subject.who is not Who.NOBODY:
        return claim.subject
    # 还是改成周工吧 asks for something, whatever was spoken of before.
    if re.search(r"(?<!要不)改[成叫为].+吧$", claim.folded):
        return NOBODY
    if claim.folded.startswith("who "):
        return held.subject if _IS_SAID.search(held.folded) else Subject(Who.PRONOUN)
    # 现在没它我饭都吃不下 speaks of the speaker, though not from its first word.
    if _SPEAKS_LATER.search(claim.folded):
        return Subject(Who.SPEAKER)
    # "has a son and lives…", told of the speaker, goes on about the speaker.
    if held.subject.who in {Who.NOBODY, Who.SPEAKER} and re.search(r"\bhas\b", held.folded):
        return held.subject
    # 面试改到周五了 tells of an appointment, whoever rang before.
    if re.match(r"[\u4e00-\u9fff]{2,4}(?:改|推迟|推到|延期|延到|提前|取消|挪|定在)", claim.folded):
        return NOBODY
    # 房东把我撵了，现在住…: whoever is acted upon goes on.
    if _ACTED_ON.search(held.folded) and _NOW.match(claim.folded):
        return NOBODY
    # 车报废了，提了辆新的; 房东卖房，现在住…: no thing and nobody else does that.
    if not held.subject.person and _ACTS.match(claim.folded):
        return NOBODY
    # 我有个哥，当飞行员的: who was just brought in goes on.
    if found := INTRODUCES.search(held.folded):
        word = found["zh"] or found["en"]
        return Subject(Who.OTHER, (word,), own=True, person=True) if is_person(word) else NOBODY
    # 压力好大，失眠: of my state I go on to speak of myself.
    return Subject(Who.SPEAKER) if held.subject.head in STATES else held.subject
