"""What a text claims, clause by clause, as far as it can be compared with what was said.

A claim is one clause with its words as *units* (a word, a number, a class of words that say the
same), the marks it stands under, and its subject. A unit covers nothing by meaning: it was said if
it, an inflection of it or a listed equivalent stands in the clause.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import cached_property
from itertools import islice
from typing import Final
from zoneinfo import ZoneInfo

import rjieba

from memory.judgement import wording
from memory.judgement.lexicon import (
    EN_CLASSES,
    EN_FREE,
    EN_LEMMAS,
    EN_PAST_FORMS,
    EN_VERBS,
    EQUIVALENTS,
    ZH_CLASSES,
    ZH_FREE,
)
from memory.judgement.senses import Sense, senses_in_sentence
from memory.judgement.subjects import AUXILIARIES, NOBODY, Subject, Who, is_person, subject_of
from memory.text.calendars import Days
from memory.text.dates import date_mentions
from memory.text.numerals import numerals
from memory.text.tokens import is_dense, normalized, stems

MOST_CLAIMS: Final = 120
"""So many clauses of one text are looked at; more is a document, not something somebody says."""

_SENTENCE_END: Final = re.compile(
    r"[。！？!?\n~～…]+|\.{2,}|(?<!\bmr)(?<!\bmrs)(?<!\bms)(?<!\bdr)(?<!\bst)\.(?=\s|$)", re.IGNORECASE
)

_VERB_NEXT: Final = "|".join(sorted((EN_VERBS | EN_PAST_FORMS | AUXILIARIES) - {"'s", "'d"}))

_CLAUSE_END: Final = re.compile(
    r"[；;，]+|,(?![0-9]{3})|(?<=\s)[-—–]{1,3}(?=\s)|——+|[：:](?![0-9])|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])"
    r"|(?<=[\u4e00-\u9fff]{3})(?=[我俺](?:们|們)?[就才])|并且|而且|\b(?:but|because|although)\b|\b(?:and|so)(?=\s+(?:i|my|we|he|she|they|his|her)\b)"
    rf"|\band(?=\s+(?:{_VERB_NEXT})\b)|\bwho(?=\s+(?:\w+s|{_VERB_NEXT})\b)",
    re.IGNORECASE,
)

_DATE: Final = "\x00"
"""Stands where a date was taken out of a text."""

_HAN: Final = "\u3400-\u9fff"

_RUN: Final = re.compile(rf"(?P<han>[{_HAN}]+)|(?P<word>[^\W_{_HAN}]+(?:['’][a-z]+)*)")

def _alternatives(groups: Mapping[str, str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<{name}>{words})" for name, words in groups.items()))


# One expression a script: a clause is walked once, and the first match takes its words away.
_ZH_WORDS: Final = _alternatives(
    {
        "zhd_like": "讨厌|討厭|厌恶|厭惡|反感|受不了",
        **{name: words for name, words in EQUIVALENTS.items() if name in {"parents", "kg", "km"}},
        **{f"zhc_{name}": words for name, words in ZH_CLASSES.items()},
    }
)
_EN_WORDS: Final = _alternatives(
    {
        "end_like": r"\b(?:hat(?:e|es|ed|ing)|dislik(?:e|es|ed|ing)|detests?|can['’]?t (?:stand|bear))\b",
        **{name: words for name, words in EQUIVALENTS.items() if name[:2] != "zh"},
        **{f"enc_{name}": rf"\b(?:{words})\b" for name, words in EN_CLASSES.items()},
    }
)

# 讨厌 is the class of liking, denied: 我讨厌香菜 and 主人不喜欢香菜 say the same.
_AFFIRMED: Final = {"zhd_like": "zhc_like", "end_like": "en_like"}

_RELATED: Final[Mapping[str, frozenset[str]]] = {
    "enc_travel": frozenset({"go", "fli"}),
    "go": frozenset({"enc_travel"}),
    "zh_money": frozenset(),
}
"""Units that another may stand for, though not the other way round in general."""

_ZH_EQUIVALENTS: Final = {
    name: re.compile(words) for name, words in EQUIVALENTS.items() if name[:2] == "zh"
}

_IS: Final = "is"
_HAVE: Final = "have"

_IS_SAID: Final = re.compile(
    r"[是係系叫当當做为為属屬]|\b(?:am|is|are|was|were|be|been|being|im|hes|shes|its|theyre|thats|whos|as an?|becom\w+|became)\b"
    r"|['’](?:m|re|s)\b"
)

_HAVE_SAID: Final = re.compile(
    r"[有养養]|\bcan['’]?t sleep|[我俺咱](?:们|們)?(?:家|的|那|这|這)|\b(?:have|has|had|having|ive|weve|got|get|gets|getting|owns?|my|our|with|there['’]?s|there (?:is|are|was|were)|keeps?"
    r"|adopted|expecting|works?)\b|['’]ve\b"
)

_BE: Final = frozenset("is are was were am be been being".split())
_HAVING: Final = frozenset("have has had having got own owns owned".split())

_PARTICIPLE: Final = re.compile(r"\w+(?:ing|ed)$")

_ADVERB: Final = frozenset("not n't never always still also now just currently really very been".split())


_ENDS_AGE: Final = re.compile(r"\s*(?:了|啦|多|$|[,，]|and\b|still\b|now\b|years|歲|岁|on\b|in\b|next\b|this\b)")

_TO_COME: Final = re.compile(
    r"要|将|請|请|叫|以后|\b(?:will|going to|gonna|can['’]?t wait|call me|next|tomorrow|off to)\b|['’]ll\b|\w+ing\b"
)


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing a clause says: a word, a number, or a class of words that say the same."""

    text: str
    key: str
    kind: str
    past: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Claim:
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
        return _has_verb(self.folded)

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
        if unit.key in self.keys or _RELATED.get(unit.key, frozenset()) & self.keys:
            return True
        if unit.key == "1" and not unit.text.isdigit():
            return True  # 一只 and "one" before a noun are an article; see _keeps_pairs.
        match unit.kind:
            case "number":
                return False
            case "class":
                return self._says_class(unit)
            case "han":
                return _holds_word(self.folded, unit.text)
        return False

    def _says_class(self, unit: Unit) -> bool:
        """Tell whether it says a class of words: by one of them, or by being what needs none."""
        words = _ZH_EQUIVALENTS.get(unit.key)
        if words is not None and words.search(self.folded):
            return True
        match unit.key:
            case "is":
                return bool(_IS_SAID.search(self.folded)) or not self.has_verb
            case "have":
                return bool(_HAVE_SAID.search(self.folded)) or not self.has_verb
            case "zhc_name" | "enc_name":
                return bool(re.search(r"[叫是係名姓称]|\b(?:am|is|was|im|goes by)\b|['’][ms]\b", self.folded))
            case "zhc_age" | "en_years" | "enc_age":
                return any(_ENDS_AGE.match(self.folded, each.end) for each in numerals(self.folded))
            case "zhc_study":
                return bool(re.search(r"[学學读讀念]", self.folded))
            case "zh_money":
                return bool(self.numbers)
            case "en_wish":
                return Sense.WISH in self.senses or bool(_TO_COME.search(self.folded))
            case "en_doubt":
                return Sense.DOUBT in self.senses
            case "en_report":
                return Sense.REPORT in self.senses
            case "en_almost":
                return Sense.ALMOST in self.senses
            case "en_past":
                return Sense.PAST in self.senses
        return unit.text in self.folded if not unit.text.isascii() else False


_TOMORROW: Final = re.compile(r"明[兒儿]个?")

_WEEKDAY: Final = re.compile(r"(?<!on )(?<!next )(?<!last )(?<!this )\b((?:mon|tues|wednes|thurs|fri|satur|sun)day)\b")

_FIGURE: Final = re.compile(r"[0-9]|[一二三四五六七八九十]+[月号日號]")

_MONTH: Final = re.compile(r"[0-9一二三四五六七八九十]月|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", re.IGNORECASE)

_YEAR: Final = re.compile(r"[0-9]{4}")


def same_days(days: Days, written: str, *, relative: bool) -> Iterator[Days]:
    """Yield the days that a date may mean: a weekday of this week or the next, a day of any year."""
    yield days
    if relative or _YEAR.search(written):
        return
    shifts = (-1, 1)
    if _MONTH.search(written):
        for shift in shifts:
            first, last = (_in_year(each, each.year + shift) for each in days)
            yield Days(first, last)
    elif days.first == days.last and not _FIGURE.search(written):
        for shift in shifts:
            yield Days(*(each + timedelta(weeks=shift) for each in days))


def _in_year(day: date, year: int) -> date:
    leap = day.month == 2 and day.day == 29
    return day.replace(year=year, day=28) if leap else day.replace(year=year)


def claims_of(
    text: str,
    names: wording.Names,
    at: datetime,
    zone: ZoneInfo,
    *,
    learnt: bool,
) -> tuple[Claim, ...]:
    """Return the claims of a text; ``learnt`` if it is what a model would write down.

    Of a learnt text the dates are taken out and kept beside it: they are judged by the day they
    mean. ``names`` stand for the speaker.
    """
    days: list[tuple[tuple[Days, ...], str]] = []
    if learnt:
        text, days = _without_dates(text, at, zone)
    found: list[Claim] = []
    for sentence, mark in islice(_sentences(text), MOST_CLAIMS):
        if len(found) >= MOST_CLAIMS:
            break
        read = list(_claims_of_sentence(sentence, mark, names, found, days))
        found += [replace(each, at=at, zone=zone) for each in read]
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
    before: Sequence[Claim],
    days: list[tuple[tuple[Days, ...], str]],
) -> Iterator[Claim]:
    folded = _with_speaker(normalized(sentence), names)
    parts = [each.strip() for each in _CLAUSE_END.split(folded) if each and each.strip()]
    if parts and _LEADS_CONDITION.match(parts[0]):
        parts = [*_AFTER_CONDITION.split(parts[0], maxsplit=1), *parts[1:]]
    parts = parts[:MOST_CLAIMS]
    if not parts:
        return
    senses = list(senses_in_sentence([each.replace(_DATE, "") for each in parts]))
    held: Claim | None = None
    context = before[-1].folded if before else ""
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        named = [days.pop(0) for _ in range(part.count(_DATE)) if days]
        claim = _claim(part, senses[number], mark if last else "")
        claim = replace(claim, days=tuple(named))
        if held is not None:
            if _continues(claim, held):
                held = _joined(held, claim)
                continue
            yield held
            context = f"{context} {held.folded}"[-300:]
            claim = replace(claim, subject=_inherited(claim, held), topic=held.subject)
        held = replace(claim, context=context)
    if held is not None:
        yield held


_LEADS_CONDITION: Final = re.compile(r"(?:if|unless|when|whenever|once|as long as)\b")

_AFTER_CONDITION: Final = re.compile(r"(?<=\w{2})\s+(?=(?:i|we)(?:['’](?:m|ll|d|re)| will| am| are)\b)")


def _claim(part: str, senses: frozenset[Sense], mark: str) -> Claim:
    folded = part.replace(_DATE, " ").strip()
    return Claim(
        folded=folded,
        units=tuple(_units(folded)),
        senses=senses,
        subject=subject_of(folded),
        stated=mark[:1] not in {"?", "？"} and not _ASKS.search(folded),
    )


_ASKS: Final = re.compile(
    r"[吗嗎么]$|(?P<a>[\u4e00-\u9fff])[不没沒](?P=a)|是否|^(?:什么|怎么|为什么|谁|哪|多少|几点)"
    r"|^(?:那)?[你您]?[\u4e00-\u9fff]{0,3}(?<![着在])呢$|(?:什么|怎么|为什么|谁|哪|多少|几).{0,6}呢$|要不要|该不该|能不能|会不会"
    r"|(?:什么|怎么|为什么|谁|哪里|哪儿|多少)(?:的|了|样|办)?$"
    r"|^(?:do|does|did|is|are|am|was|were|can|could|would|will|should|have|has)(?:n['’]t)?"
    r" (?:i|you|we|he|she|it|they|my|your|his|her|our|their|the|this|that|there|any\w*|some\w*|[0-9]+)\b"
    r"|^(?:what|who|where|when|why|how|which)(?:['’]?s| (?:is|are|do|does|did|was|were|will|would|can|could|should|about|come|many|much|long|old))\b"
)


def _with_speaker(folded: str, names: wording.Names) -> str:
    """Return folded text with the speaker told as 我 or "i", as they tell it themselves."""
    dense = is_dense(folded)
    folded = re.sub(r"\b(my|our) (\w+) (?:and|n|&) i\b", r"i with \1 \2", folded)
    stands = [name for name in names.folded if name in folded]
    latin = "|".join(re.escape(name) for name in stands if name.isascii())
    if latin and not dense:
        # In one walk: what a name was replaced by is not looked at again.
        return re.sub(rf"(?<!\w)(?:{latin})(?:(['’]s)|['’]?)(?!\w)", lambda m: "my" if m[1] else "i", folded)
    for name in stands:
        if not name.isascii():
            # One character stands inside too many words: 安 only where it begins.
            folded = folded.replace(name, "我") if len(name) > 1 else re.sub(f"^{name}", "我", folded)
        elif dense:
            folded = re.sub(rf"(?<![a-z]){re.escape(name)}(?![a-z])", "我", folded)
    return folded


def _continues(claim: Claim, held: Claim) -> bool:
    """Tell whether a clause only goes on with the one before: no verb, no subject of its own."""
    about = claim.subject
    if re.search(r"[吧呢吗嘛]$", claim.folded):
        return False
    if not claim.stated or about.who in {Who.SPEAKER, Who.PRONOUN} or about.person or about.own:
        return False
    if about.who is Who.OTHER and (claim.numbers or re.search(r"[了着的很]|[a-z]", claim.folded)):
        return False
    return not claim.has_verb and Sense.NEGATIVE not in claim.senses and bool(claim.units or claim.days)


def _joined(held: Claim, more: Claim) -> Claim:
    return replace(
        held,
        folded=f"{held.folded}, {more.folded}",
        units=(*held.units, *more.units),
        senses=held.senses | more.senses,
        days=(*held.days, *more.days),
    )


_INTRODUCES: Final = re.compile(
    r"(?:有|养了?|養了?)(?:一|[两二三四五0-9])?(?:[个個只位])(?P<zh>[\u4e00-\u9fff]{1,4})|\b(?:have|has|got|['’]s got|there['’]?s) (?:a|an|one) (?:\w+ )?(?P<en>\w+)$"
)


def _inherited(claim: Claim, held: Claim) -> Subject:
    """Return the subject of a clause that may leave it to the one before."""
    if claim.subject.who is not Who.NOBODY:
        return claim.subject
    # 我有个哥，当飞行员的: who was just brought in goes on.
    if found := _INTRODUCES.search(held.folded):
        word = found["zh"] or found["en"]
        return Subject(Who.OTHER, (word,), own=True, person=True) if is_person(word) else NOBODY
    # 压力好大，失眠: of my state I go on to speak of myself.
    return Subject(Who.SPEAKER) if held.subject.head in _STATES else held.subject


_STATES: Final = frozenset(
    "压力 心情 状态 身体 睡眠 工作 生活 肚子 头 胃 嗓子 眼睛 手 脚 腿 腰 牙 皮肤 記性 记性 视力 酒量 脾气".split()
)


def _units(folded: str) -> Iterator[Unit]:
    """Yield what a folded clause says, in order."""
    text, found = folded, []
    spans: list[tuple[int, Unit]] = []
    for each in numerals(text):
        # 一 and "one" before a noun count nothing.
        spans.append((each.start, Unit(text[each.start : each.end], each.value, "number")))
        found.append((each.start, each.end))
    text = _blanked(text, found)
    found = []
    for match in _class_words(text):
        name = _AFFIRMED.get(match.lastgroup or "", match.lastgroup or "")
        past = _is_past(match[0]) if name.startswith("en") else None
        spans.append((match.start(), Unit(match[0], name, "class", past)))
        found.append((match.start(), match.end()))
    text = _blanked(text, found)
    for run in _RUN.finditer(text):
        read = _chinese(run[0]) if run.lastgroup == "han" else _latin(run, folded)
        spans += [(run.start() + n, unit) for n, unit in enumerate(read)]
    spans.sort(key=lambda each: each[0])
    yield from (unit for _, unit in spans)


def _class_words(text: str) -> Iterator[re.Match[str]]:
    if not text.isascii():
        yield from _ZH_WORDS.finditer(text)
    if _LETTER.search(text):
        yield from (each for each in _EN_WORDS.finditer(text) if each[0].isascii() or text.isascii())


_LETTER: Final = re.compile(r"[a-z$]")


def _blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _chinese(run: str) -> Iterator[Unit]:
    for word in rjieba.cut(run):
        if _DEGREE.fullmatch(word):
            word = word[1:]
        if word in {"是", "係", "当", "當"}:
            yield Unit(word, _IS, "class")
        elif word in {"有", "有个", "有個", "拥有"}:
            yield Unit(word, _HAVE, "class")
        elif word not in ZH_FREE and not all(each in ZH_FREE for each in word):
            parts = [word] if _same_word(word) or not all(map(_is_light, word)) else list(word)
            for each in parts:
                if each not in ZH_FREE:
                    same = _same_word(each)
                    yield Unit(each, same or each, "class" if same else "han")


_DEGREE: Final = re.compile(r"[好很太真挺蛮超][\u4e00-\u9fff]")


def _same_word(word: str) -> str | None:
    return next((name for name, each in _ZH_EQUIVALENTS.items() if each.fullmatch(word)), None)


def _is_light(character: str) -> bool:
    return character in ZH_FREE or _same_word(character) is not None


def _latin(run: re.Match[str], text: str) -> Iterator[Unit]:
    word = run[0].removesuffix("'s").removesuffix("’s")
    if word == "am" and text[: run.start()].rstrip()[-1:].isdigit():
        return
    if word in _BE | _HAVING:
        after = next((w for w in re.findall(r"[a-z']+", text[run.end() :][:60]) if w not in _ADVERB), "")
        helps = bool(_PARTICIPLE.match(after)) or after in EN_PAST_FORMS or after in {"to", "going"}
        if not (helps and word != "own"):
            past = word in {"was", "were", "had"}
            yield Unit(run[0], _IS if word in _BE else _HAVE, "class", past)
        return
    if word in EN_FREE or run[0].replace("'", "").replace("’", "") in EN_FREE:
        return
    yield Unit(run[0], lemma(word), "word", _is_past(word))


def lemma(word: str) -> str:
    """Return what brings the forms of an English word together."""
    known = EN_LEMMAS.get(word, word)
    return (stems(EN_LEMMAS.get(known, known)) or [word])[0]


def _is_past(word: str) -> bool:
    return word in EN_PAST_FORMS or (word.endswith("ed") and len(word) > len("need"))


def _holds_word(folded: str, word: str) -> bool:
    """Tell whether a clause holds a Chinese word, or its characters near one another in order."""
    if word in folded:
        return True
    word = "".join(each for each in word if each not in ZH_FREE) or word
    if word in folded:
        return True
    if len(word) < 2:
        return False
    return bool(re.search(".{0,4}?".join(map(re.escape, word)), folded))


def _has_verb(folded: str) -> bool:
    words = re.findall(r"[a-z]+(?:['’][a-z]+)?", folded)
    latin = any(
        word in EN_VERBS or word in EN_PAST_FORMS or word in AUXILIARIES or (word.endswith("ed") and len(word) > len("need"))
        or "'" in word.replace("'s", "") or "’" in word.replace("’s", "")
        for word in words
    )
    han = re.findall(rf"[{_HAN}]+", folded)
    return latin or any(tag.startswith("v") for run in han for _, tag in rjieba.tag(run))
