"""On which of the clauses somebody said a claim rests, and what is missing if on none.

Content may be dropped from what was said and never added. Dropping must not turn the sense, and
words of several clauses are put together only if each of these is told whole.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from memory.judgement.assertions import FUTURE, Assertion
from memory.judgement.marks import Sense
from memory.judgement.pairings import keeps_together
from memory.judgement.referents import Spoken, is_about_same, names_before
from memory.judgement.retellings import is_deed
from memory.judgement.subjects import Who, is_person, subject_of
from memory.judgement.units import Unit, numerals
from memory.text.calendars import Days
from memory.text.late_pattern import LatePattern


@dataclass(frozen=True, slots=True)
class Unsaid:
    """That somebody did not say it; ``word`` is what was added, as far as it is one word.

    The word is private text: it may be told to the model, and is never stored.
    """

    word: str = ""


def grounds_of(wanted: Assertion, said: Sequence[Spoken]) -> tuple[Spoken, ...] | Unsaid:
    """Return the clauses a claim rests on, or what nobody said of it.

    Of what a memory says already any part may be kept, beside what was said.
    """
    near = (each for each in said if _touches(each.claim, wanted))
    able = [each for each in near if may_stand_for(each, wanted)]
    for each in able:
        if not _missing(wanted, [each]):
            return (each,)
    together = _together(wanted, able)
    if together:
        return together
    missing = _missing(wanted, said)
    return Unsaid(missing[0] if missing else "")


def said_outright(wanted: Sequence[Assertion], said: Sequence[Spoken]) -> tuple[Spoken, ...]:
    """Return the clauses of one message that are the whole of a text, word for word, if any are.

    ``wanted`` is the text with its dates in it. A clause without a subject of its own says of
    the speaker what it says of the one before it only if that is no other.
    """
    whole = "".join(map(_letters, wanted))
    meant = frozenset().union(*(each.senses for each in wanted))
    for first, start in enumerate(said):
        if not _leans_on_another(start.claim):
            run = _run_from(said[first:], whole, meant)
            if run:
                return run
    return ()


def _run_from(
    said: Sequence[Spoken], whole: str, meant: frozenset[Sense]
) -> tuple[Spoken, ...] | None:
    """Return the clauses, from the first on, that are ``whole`` word for word; None if not."""
    start = said[0]
    found = _OF_DOCTOR.match(start.claim.folded)
    lead = len(_NO_LETTERS.sub("", found[0])) if found else 0
    # 主人退租了 tells 退租了 with whom it is about.
    if start.claim.subject.who is Who.NOBODY and not lead:
        whole = _NAMED_SPEAKER.sub("", whole, count=1)
    allowed = meant | {Sense.REPORT} if found else meant
    run, written = [], ""
    for each in said:
        if each.message is not start.message or each.needed or not each.claim.senses <= allowed:
            break
        run.append(each)
        written += _letters(each.claim)[0 if written else lead :]
        if written == whole:
            return tuple(run) if any(map(_tells, run)) else ()
        if not whole.startswith(written):
            break
    return None


# What a doctor finds of the speaker, or does with their medicine, is the speaker's own news; what
# a doctor thinks or advises is not.
_OF_DOCTOR: Final = LatePattern(
    r"(?:(?:my|the) )?(?:doc|doctor|gp|dentist) says (?=i(?:['’]m| am| have|['’]ve got) (?!too\b))"
    r"|(?:医生|大夫)把"
)

_NAMED_SPEAKER: Final = LatePattern(r"^我(?=[\u4e00-\u9fff])")

_NO_LETTERS: Final = LatePattern(r"[\W_]+")


def _letters(claim: Assertion) -> str:
    letters = _NO_LETTERS.sub("", claim.folded)
    # 主人：四月六日 and "Partner: April 6" only say who said it.
    return "" if letters in {"我", "i"} else letters


def _tells(spoken: Spoken) -> bool:
    return bool(spoken.claim.named_days) or any(u.key not in LIGHT for u in spoken.claim.units)


def _leans_on_another(claim: Assertion) -> bool:
    return (
        claim.subject.who in {Who.OTHER, Who.PRONOUN}
        and subject_of(claim.folded).who is Who.NOBODY
    )


def _touches(said: Assertion, wanted: Assertion) -> bool:
    """Tell whether a clause says anything of a claim at all; most do not, and that is cheap."""
    return bool(wanted.days) or any(map(said.covers, wanted.units))


def may_stand_for(spoken: Spoken, wanted: Assertion) -> bool:
    """Tell whether what was said is meant as the claim is, and about the same."""
    said = spoken.claim
    return (
        _is_meant_alike(said, wanted)
        and _tells_same_time(said, wanted)
        and is_about_same(spoken, wanted)
        and keeps_together(said, wanted)
    )


_EQUAL: Final = frozenset({Sense.NEGATIVE, Sense.PAST})


def _is_meant_alike(said: Assertion, wanted: Assertion) -> bool:
    if said.senses & _EQUAL != wanted.senses & _EQUAL:
        return False
    if not said.senses <= wanted.senses:
        return False
    added = wanted.senses - said.senses
    return Sense.WISH not in added or bool(FUTURE.search(said.folded))


_HAS_PERFECT: Final = LatePattern(
    r"\b(?:have|has|been|ive|weve)\b|['’]ve\b|['’]s been\b|['’]d\b|\bhad (?:\w+ed|\w+en)\b"
)

_TO_COME: Final = LatePattern(
    r"(?:要|将|即将|准备|明天|后天|下周|下个?月|明年|\b(?:will|going to|gonna)\b)"
)

_DONE: Final = LatePattern(r"(?<=[\u4e00-\u9fff])(?:了|过)")


def _tells_same_time(said: Assertion, wanted: Assertion) -> bool:
    """Tell whether nothing that was is told as lasting, nor anything intended as done."""
    done = _DONE.search(wanted.folded) and not re.search(r"[了过完]", said.folded)
    if done and _TO_COME.search(said.folded):
        return False
    perfect = bool(_HAS_PERFECT.search(said.folded))
    for key, tenses in wanted.tenses.items():
        told = said.tenses.get(key)
        if told is None or key in _TIMELESS:
            continue
        lasts = perfect or Sense.PAST in wanted.senses or _moved(said, key)
        if told == {True} and tenses == {False} and not lasts:
            return False
        if told == {False} and tenses == {True} and not _WAS_DONE.search(said.folded):
            return False
    return True


_WAS_DONE: Final = LatePattern(
    r"\b(?:had to|managed to|got to|ended up|spent (?:\w+ ){1,4}?(?=\w+ing\b))\b"
)
"""Whoever had to cancel has cancelled."""

_TIMELESS: Final = frozenset(
    {
        "enc_name",
        "en_years",
        "enc_age",
        "enc_born",
        "en_about",
        "enc_wed",
        "enc_fear",
        "en_dead",
    }
)


def _moved(said: Assertion, key: str) -> bool:
    """Tell whether a past form says what holds since: who moved to a place lives there."""
    return key == "enc_live" and bool(re.search(r"\b(?:moved|relocated|settled)\b", said.folded))


def _missing(wanted: Assertion, used: Sequence[Spoken]) -> list[str]:
    """Return what of a claim none of these says, in the words of the claim."""
    about = {*wanted.subject.words, *names_before(used)}
    owners = set(_owners_before(used))
    units = [
        unit
        for unit in wanted.units
        if not any(each.claim.covers(unit) for each in used)
        and (
            unit.key in _FROM or not any(unit.text in word or word in unit.text for word in about)
        )
        and unit.text not in owners
    ]
    units = [
        each
        for each in units
        if not (each.key == "is" and is_deed(wanted, [each.claim for each in used]))
    ]
    # 明年春天 may be read as a date and 天.
    units = [unit for unit in units if not (wanted.days and unit.text == "天")]
    if len(used) == 1 and len(units) == 1 and _is_left_out(units[0], used[0]):
        units = []
    dates = [written for days, written in wanted.days if not _was_named(days, written, used)]
    bare = [
        next(iter(each.needed))
        for each in used
        if len(used) == 1 and each.needed and not (_said_keys(wanted, each) or wanted.days)
    ]
    return [*(unit.text for unit in units), *dates, *bare]


def _is_left_out(unit: Unit, spoken: Spoken) -> bool:
    """Tell whether a word is what a clause only points to, or goes on about without naming it.

    "I understand it", asked for Polish; 火锅店还在开，打算春天盘出去.
    """
    said, word = spoken.claim, unit.text
    if unit.kind == "number":
        return False
    if word in said.subject.words and word not in said.folded:
        return not said.subject.person
    before = [each for each in spoken.earlier if each.units][-_NEAR:]
    if any(_has_same_deed(each, said) and each.units[-1].text == word for each in before):
        return True
    found = _POINTS.search(said.folded)
    alike = [
        each
        for each in reversed(before)
        if found and is_person(word) == bool(found["who"] or found["who_zh"])
    ]
    named = (each.subject.head == word or each.units[-1].text == word for each in alike)
    return any(named)


def _has_same_deed(before: Assertion, said: Assertion) -> bool:
    """Tell whether a clause goes on about a deed of the one before: 再考一回编制，考不上就…."""
    did = before.units[0]
    return (
        did.kind == "han"
        and before.subject.who is not Who.OTHER
        and Sense.NEGATIVE not in before.senses
        and any(each.text[0] == did.text[0] and each.text != did.text for each in said.units)
    )


_NEAR: Final = 2
"""A pronoun behind a verb points no further back than so many clauses."""

_POINTS: Final = LatePattern(
    r"(?<=\w )(?:(?P<who>him|her|them)|(?P<what>it))\b"
    r"|(?<=[\u4e00-\u9fff])(?P<who_zh>[他她](?!们?的|们?家))|(?P<what_zh>它(?!的)|那玩意|那东西)"
)

_FROM: Final = frozenset({"zhc_from", "enc_from"})
"""老家河南，在东莞打工: what was not said of where one is from is not told of it."""

_HIS: Final = LatePattern(r"\b(?:his|her|their)\b")


def _owners_before(used: Sequence[Spoken]) -> Iterator[str]:
    """Yield who was named just before something is said to be his, hers or theirs."""
    for each in used:
        if _HIS.search(each.claim.folded):
            yield from (f"{claim.subject.head}'s" for claim in each.earlier[-1:])


def _said_keys(wanted: Assertion, spoken: Spoken) -> frozenset[str]:
    return frozenset(
        key for key in spoken.needed if key in wanted.keys or key in wanted.folded or key == ""
    )


_A_DAY: Final = timedelta(days=1)

_A_WEEK: Final = timedelta(days=7)


def _was_named(days: Sequence[Days], written: str, used: Sequence[Spoken]) -> bool:
    """Tell whether a date was named, or holds the day of speaking."""
    figures = [each.value for each in numerals(written.lower())]
    for claim in (each.claim for each in used):
        if claim.at is not None and claim.zone is not None:
            today = claim.at.astimezone(claim.zone).date()
            if not claim.named_days and days[0].first <= today <= days[0].last:
                return True
        # "Next week" said and a week from that day written is how a judge makes a week a date.
        if claim.at is not None and any(
            d.last - d.first == _A_WEEK - _A_DAY
            and days[0].first == days[0].last == claim.at.date() + _A_WEEK
            for d in claim.named_days
        ):
            return True
        if any(e.first <= d.first and d.last <= e.last for d in claim.named_days for e in days):
            return True
        # Not a date the rules can read (a 29th of February, 3月19): its figures will do.
        if figures and set(figures) <= set(claim.numbers):
            return True
    return False


def _together(wanted: Assertion, able: Sequence[Spoken]) -> tuple[Spoken, ...]:
    """Return clauses that say a claim together, each of them told whole; nothing if none do."""
    ranked = sorted(able, key=lambda each: len(_missing(wanted, [each])))
    used: list[Spoken] = []
    for each in ranked:
        if used and len(_missing(wanted, [*used, each])) >= len(_missing(wanted, used)):
            continue
        if each.message is not None and not _is_whole(each.claim, wanted):
            continue
        used.append(each)
        if not _missing(wanted, used):
            return tuple(used) if _are_apart(wanted, used) else ()
    return ()


LIGHT: Final = frozenset(
    {
        "is",
        "zh_school",
        "have",
        "zh_very",
        "zh_usual",
        "zh_go",
        "en_go",
        "zhc_name",
        "enc_name",
        "zhc_keep",
    }
)

# Days and hours may stand before the subject of a sentence, and in a bare answer beside it.
_TIME: Final = LatePattern(
    r"[今明昨后前大当][天日早晚年]|今晚|明早|早上|上午|中午|下午|傍晚|晚上|夜里|凌晨|周末|月底|年底"
    r"|[这本上下][个]?(?:周|星期|礼拜|月|年).?|(?:周|星期|礼拜)[一二三四五六日天末]|\S*[年月日号点]"
    r"|[年月日号点周]|today|tomorrow|yesterday|tonight|now|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|january|february|march|april|june|july|august|september|october|november|december"
    r"|太|真|好|回|小|real|哈+|呵+|lol|haha|finally|终于|一下|一下子|其实|really|actually|最近"
)


def _is_whole(said: Assertion, wanted: Assertion) -> bool:
    """Tell whether a claim tells all of a clause but light words and when."""
    dated = bool(wanted.days and said.named_days)
    return all(
        unit.key in LIGHT
        or _TIME.fullmatch(unit.text)
        or wanted.covers(unit)
        or _in_word(unit, wanted)
        or (dated and _OF_DATE.fullmatch(unit.text))
        for unit in said.units
    )


_OF_DATE: Final = LatePattern(r"[0-9一二三四五六七八九十]+|[年月日号號]")


def _in_word(unit: Unit, wanted: Assertion) -> bool:
    return any(unit.text in word for word in wanted.subject.words)


def _are_apart(wanted: Assertion, used: Sequence[Spoken]) -> bool:
    """Tell whether the words of each clause stand together: "hates Bob, loves Ann" mixes two."""
    order: list[int] = []
    for unit in wanted.units:
        owners = [
            n
            for n, each in enumerate(used)
            if each.message is not None and each.claim.covers(unit)
        ]
        if len(owners) == 1 and (not order or order[-1] != owners[0]):
            order.append(owners[0])
    inside = re.search(r"的|叫|\b(?:called|named|with)\b", wanted.folded)
    return len(order) == len(set(order)) or (bool(inside) and len(order) - len(set(order)) == 1)
