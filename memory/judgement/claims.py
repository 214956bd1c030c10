"""What a text claims, clause by clause, as far as it can be compared with what was said.

A claim is one clause with its words as *units* (a word, a number, a class of words that say the
same), the marks it stands under, and its subject. A unit covers nothing by meaning: it was said if
it, an inflection of it or a listed equivalent stands in the clause.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from itertools import accumulate, islice
from typing import Final
from zoneinfo import ZoneInfo

from memory.judgement import wording
from memory.judgement.assertions import Assertion, same_days
from memory.judgement.carrying import after_sentence, inherited
from memory.judgement.lexicon import AUXILIARIES, EN_PAST_FORMS, EN_VERBS, PERSON_EN
from memory.judgement.marks import Sense
from memory.judgement.senses import asks, senses_in_sentence, senses_of
from memory.judgement.subjects import Who, subject_of
from memory.judgement.units import units_of
from memory.offline.groups import told_beside
from memory.text.calendars import Days
from memory.text.dates import date_mentions
from memory.text.late_pattern import LatePattern
from memory.text.names import APPOSED_EN
from memory.text.stretches import with_commas
from memory.text.tokens import is_dense

MOST_CLAIMS: Final = 120
"""So many clauses of one text are looked at; more is a document, not something somebody says."""

_LONGEST_KEPT: Final = 1_000
"""Characters: what is read of a longer text is not kept for the next who asks."""

_SENTENCE_END: Final = LatePattern(
    r"[。！？!?\n~～…]+|\.{2,}|(?<!\bmr)(?<!\bmrs)(?<!\bms)(?<!\bdr)(?<!\bst)\.(?=\s|$)",
    re.IGNORECASE,
)

_VERB_NEXT: Final = "|".join(sorted((EN_VERBS | EN_PAST_FORMS | AUXILIARIES) - {"'s", "'d"}))

_CLAUSE_END: Final = LatePattern(
    r"[；;，（(）)]+|,(?![0-9]{3})|(?<=\s)[-—–]{1,3}(?=\s)|——+|[：:](?![0-9])"
    r"|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])"
    r"|(?<=[的了])(?=[\u4e00-\u9fff]{1,3}倒是)|(?<=[\u4e00-\u9fff]{4})(?=[小大](?:女儿|儿子|闺女))|并且|而且|(?<![忘退冷推失])却(?=[\u4e00-\u9fff])|(?<=[年月天岁]了)(?=[\u4e00-\u9fff]{3})|\b(?:but|"
    r"because|although)\b"
    r"|\b(?:and|so)(?=\s+(?:i|i['’]m|im|my|we|he|she|they|his|hers?|theirs|mine)\b)"
    r"|\bso(?=\s+(?:no|now|you|it|its|it['’]s|that['’]?s|the|our|\w+['’]s?) \w)"
    r"|\band(?=\s+(?:(?:no|never)\s+\w|(?:my |our )?\w+['’]s an? ))"
    r"|(?<=\w)(?<!\bas)\s(?=if\s+(?:i|the|my|our|we|he|she|they|it)\b)"
    r"|[\u2600-\u27bf\U0001f300-\U0001faff]+|\[[\u4e00-\u9fff]{1,4}\]"
    rf"|\band(?=\s+(?:already |now |still |also )?(?:{_VERB_NEXT})(?:n['’]t)?\b)"
    rf"|\b(?=who\s+(?:\w+s|{_VERB_NEXT})\b)",
    re.IGNORECASE,
)

_DATE: Final = "\x00"
"""Stands where a date was taken out of a text."""


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
    read = _read_lately if len(text) <= _LONGEST_KEPT else _read
    return read(text, names, at, zone, learnt=learnt)


def _read(
    text: str, names: wording.Names, at: datetime, zone: ZoneInfo, *, learnt: bool
) -> tuple[Assertion, ...]:
    days: list[tuple[tuple[Days, ...], str]] = []
    if learnt:
        text, days = _without_dates(text, at, zone)
    found: list[Assertion] = []
    for sentence, mark in islice(sentences(text), MOST_CLAIMS):
        if len(found) >= MOST_CLAIMS:
            break
        found += _claims_of_sentence(sentence, mark, names, found, days, (at, zone))
    return tuple(found)


# A line is weighed against every wording that is offered for it, and again by the turns after it.
_read_lately: Final = lru_cache(maxsize=256)(_read)


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


def sentences(text: str) -> Iterator[tuple[str, str]]:
    """Yield the sentences of a text, each with the mark that ends it."""
    start = 0
    for mark in _SENTENCE_END.finditer(f"{text}\n"):
        if part := text[start : mark.start()].strip():
            yield part, mark[0]
        start = mark.end()


def _claims_of_sentence(
    sentence: str,
    mark: str,
    names: wording.Names,
    before: Sequence[Assertion],
    days: list[tuple[tuple[Days, ...], str]],
    when: tuple[datetime, ZoneInfo],
) -> Iterator[Assertion]:
    folded = _folded(sentence, names)
    parts = [each.strip() for each in _CLAUSE_END.split(folded) if each and each.strip()]
    apart = [_condition_apart(part) for part in parts[:MOST_CLAIMS]]
    parts = [each for part in apart for each in part][:MOST_CLAIMS]
    borders = accumulate(map(len, apart))
    followed = frozenset(end - 2 for end, part in zip(borders, apart, strict=True) if part[1:])
    if not parts:
        return
    dated = _with_dates(parts, [written for _, written in days])
    senses = list(senses_in_sentence(dated, followed))
    held: Assertion | None = None
    context = before[-1].folded if before else ""
    for number, part in enumerate(parts):
        ends = mark if number == len(parts) - 1 else ""
        named = [days.pop(0) for _ in range(part.count(_DATE)) if days]
        claim = _claim(parts[: number + 1], senses[number], ends, tuple(named), when)
        if held is not None:
            goes_on = _continues(claim) and not _is_like(claim, held)
            if goes_on or _is_predicate_of(claim, held):
                held = _joined(held, claim)
                continue
            yield held
            context = f"{context} {held.folded}"[-300:]
            subject, topic = inherited(claim, held), held.subject
            claim = replace(claim, subject=subject, topic=topic, context=context)
        elif before:
            claim = after_sentence(claim, before[-1])
        held = claim
    if held is not None:
        yield held


def _folded(sentence: str, names: wording.Names) -> str:
    """Return a sentence in its plain form, as it is cut into clauses."""
    plain = with_commas(_with_names_apart(told_beside(sentence)))
    return _without_aside(_with_speaker(plain, names))


def _with_dates(parts: Sequence[str], dates: Sequence[str]) -> list[str]:
    """Return clauses with their dates in them: "ago" tells of the past as much as "used to"."""
    left = iter(dates)
    return [re.sub(_DATE, lambda _: next(left, ""), part) for part in parts]


_OF_TRADE: Final = LatePattern(
    r"我的?(?:职业|本职(?:工作)?|工作)是(?:一[名个位])?(?=做|当|[\u4e00-\u9fff]{2,5}$)"
)
"""What one's trade is one is oneself."""

_ASIDE: Final = LatePattern(
    r"^((?:my|our|the|his|her) [\w' ]{2,20}), ([^,]{2,24}), "
    r"(?=(?:is|are|was|were|has|will|can|still|just|now)\b)"
)

_PLAIN_FORMS: Final = (
    (r"(is|am|are|was|were) not (.{2,30}?),? but (?=(?:an?|the|in|at|from)\b)", r"\1 not \2; \1 "),
    # It goes on as "been 53": without a subject it is about whomever the rest was about.
    (r"not ([0-9]{1,4})(?:,? (?:sorry|oops|actually))?,? (?=[0-9]{1,4}\b)", r"not \1; been "),
    (r"anything but (?=\w)", "not "),
    (r"(?:the|my|our) plan is(?: to)? (?=[a-z]+ )(?!the|an?|on|that)", "i plan to "),
    (r"(\w+) is where ((?:my |our |the )?\w+) (is|are|lives?|works?)\b", r"\2 \3 in \1"),
    (r"i['’]?m the one (?:who|that) ", "i "),
    (r"my job is (?=(?:at|in|with|for|as)\b)", "i work "),
    (r"((?:every|all|any|no) \w+) but (?=\w+(?:$|[.,;]))", r"\1 except "),
)


def _without_aside(folded: str) -> str:
    """Return a sentence in its plain form: asides and "not X but Y" as two, a job as work."""
    if not folded.isascii():
        return _OF_TRADE.sub("我是", folded)
    aside = _ASIDE.match(folded)
    if aside and not senses_of(aside[2]):
        folded = f"{aside[1]} is {aside[2]}; {aside[1]} {folded[aside.end() :]}"
    for form, plain in _PLAIN_FORMS:
        folded = re.sub(rf"\b{form}", plain, folded)
    return folded


def _with_names_apart(sentence: str) -> str:
    return APPOSED_EN.sub(_named_twice, wording.plainly(sentence))


def _named_twice(found: re.Match[str]) -> str:
    """Return "my mum is Rosa; my mum" for "my mum, Rosa,"; a friend goes on by name."""
    who, name = found["who"], found["name"]
    again = who if _ONLY_ONE.match(who) else f"{_OF_MINE.sub('', who)}{name}"
    return f"{who} is{name}; {again}" if name else who


_ONLY_ONE: Final = LatePattern(r"\W*(?:my|our)\b", re.IGNORECASE)
_OF_MINE: Final = LatePattern(r" of (?:mine|ours)$", re.IGNORECASE)


def _condition_apart(part: str) -> list[str]:
    if not _LEADS_CONDITION.match(part):
        return [part]
    return [each for each in _AFTER_CONDITION.split(part, maxsplit=1) if each]


_LEADS_CONDITION: Final = LatePattern(
    r"(?:if|unless|when|whenever|once|as long as)\b|如果|要是|假如|只要|除非|等|.{1,20}的话"
)

_AFTER_CONDITION: Final = LatePattern(
    r"(?<=\w{2})\s+(?=(?:i|we)(?:['’](?:m|ll|d|re)| will| am| are)\b)"
    r"|(?<=[\u4e00-\u9fff]{3})(?=[我俺](?:们|們)?[就才])"
)


def _claim(
    parts: list[str],
    senses: frozenset[Sense],
    mark: str,
    days: tuple[tuple[tuple[Days, ...], str], ...],
    when: tuple[datetime, ZoneInfo],
) -> Assertion:
    """Return the last of these clauses of a sentence, read."""
    *before, folded = (part.replace(_DATE, " ").strip() for part in parts[-2:])
    return Assertion(
        folded=folded,
        units=tuple(units_of(folded)),
        senses=senses,
        subject=subject_of(folded),
        days=days,
        at=when[0],
        zone=when[1],
        stated=not (mark[:1] in {"?", "？"} or asks(folded, *before) or _HAS_DIED.match(folded)),
    )


_HAS_DIED: Final = LatePattern(
    r"我(?:直接|当场|原地|都|人|真的|已经)*(?:去世|升天|暴毙|归西|没)了?[啊呀啦]*$"
    r"|i(?: (?:literally|just|actually|already))* died(?: (?:laughing|inside|of \w+)|$)"
)
"""Nobody tells of their own death but in a figure: 我直接原地去世."""


# "Me and my husband" and "my husband and me" tell of the speaker.
_WHO_JOINS: Final = rf"{PERSON_EN.pattern}|cat|dog"

_WITH_ME: Final = LatePattern(
    rf"\b(?P<one>(?:my|our|their) (?:{_WHO_JOINS})) (?:and|n|&) (?:i|me)\b"
    rf"|\b(?:me|i) (?:and|n|&) (?P<other>(?:my|our|their) (?:{_WHO_JOINS}))"
)

_CALLS_THEM: Final = LatePattern(r"\b(call(?:s|ed)?) them\b(?=\s\w)")
"""What their niece calls them is what she calls me."""

_BARE_LABELS: Final = frozenset({"partner", "user"})


def _with_speaker(folded: str, names: wording.Names) -> str:
    """Return folded text with the speaker told as 我 or "i", as they tell it themselves."""
    dense = is_dense(folded)
    folded = _WITH_ME.sub(lambda m: f"i with {m['one'] or m['other']}", folded)
    if names.folded:
        folded = _CALLS_THEM.sub(r"\1 me", folded)
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
        r"^(?:and )?then\b|[吧呢吗嘛]$|[就才][\u4e00-\u9fff]{2}|^(?:有|(?:现在|如今|目前)(?!在))"
        r"|[\u4e00-\u9fff]了[\u4e00-\u9fff]{2}",
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


def _is_like(claim: Assertion, held: Assertion) -> bool:
    """Tell whether a clause is built as the one before: 甲班我教，乙班小卡教."""
    last = claim.folded[-1:]
    return last not in _ENDS_MANY and last == held.folded[-1:] and last > "\u4e00"


_ENDS_MANY: Final = frozenset("了的吧呢啊呀着过人年岁天月号店里上")


def _is_predicate_of(claim: Assertion, held: Assertion) -> bool:
    """Tell whether a clause says what the thing of the speaker does that the one before names."""
    named = _OWN_THING.search(held.folded)
    return bool(named) and claim.subject.who is Who.NOBODY and not claim.senses


_OWN_THING: Final = LatePattern(
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
