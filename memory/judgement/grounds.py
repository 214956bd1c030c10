"""On which of the clauses somebody said a claim rests, and what is missing if on none.

Content may be dropped from what was said and never added. Dropping must not turn the sense, and
words of several clauses are put together only if each of these is told whole.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memory.judgement.claims import Claim, Unit, lemma
from memory.judgement.senses import Sense
from memory.judgement.subjects import Subject, Who
from memory.model import Message
from memory.text.calendars import Days
from memory.text.numerals import numerals


@dataclass(frozen=True, slots=True, eq=False)
class Spoken:
    """A clause that somebody said, in which message; none for what a memory says already.

    ``earlier`` are the clauses of the same speaker before it, for what a pronoun points to.
    ``needed`` must be part of what is learnt from it: the answer, where her question is half.
    """

    claim: Claim
    message: Message | None
    earlier: Sequence[Claim] = ()
    needed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Unsaid:
    """That somebody did not say it; ``word`` is what was added, as far as it is one word.

    The word is private text: it may be told to the model, and is never stored.
    """

    word: str = ""


def grounds_of(wanted: Claim, said: Sequence[Spoken]) -> tuple[Spoken, ...] | Unsaid:
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


def _touches(said: Claim, wanted: Claim) -> bool:
    """Tell whether a clause says anything of a claim at all; most do not, and that is cheap."""
    return bool(wanted.days) or any(map(said.covers, wanted.units))


def may_stand_for(spoken: Spoken, wanted: Claim) -> bool:
    """Tell whether what was said is meant as the claim is, and about the same."""
    said = spoken.claim
    return (
        _is_meant_alike(said, wanted)
        and _tells_same_time(said, wanted)
        and _is_about_same(spoken, wanted)
        and _keeps_pairs(said, wanted)
        and _keeps_owners(said, wanted)
    )


_EQUAL: Final = frozenset({Sense.NEGATIVE, Sense.PAST})

_FUTURE: Final = re.compile(
    r"要|将|請|请|叫|以后|\b(?:will|going to|gonna|can['’]?t wait|call me|next|tomorrow|off to)\b|['’]ll\b|\w+ing\b"
)


def _is_meant_alike(said: Claim, wanted: Claim) -> bool:
    if said.senses & _EQUAL != wanted.senses & _EQUAL:
        return False
    if not said.senses <= wanted.senses:
        return False
    added = wanted.senses - said.senses
    return Sense.WISH not in added or bool(_FUTURE.search(said.folded))


_HAS_PERFECT: Final = re.compile(r"\b(?:have|has|had|been|ive|weve)\b|['’]ve\b|['’]s been\b|['’]d\b")

_TO_COME: Final = re.compile(r"(?:要|将|即将|准备|明天|后天|下周|下个?月|明年|\b(?:will|going to|gonna)\b)")

_DONE: Final = re.compile(r"(?<=[\u4e00-\u9fff])(?:了|过)")


def _tells_same_time(said: Claim, wanted: Claim) -> bool:
    """Tell whether nothing that was is told as lasting, nor anything intended as done."""
    if _DONE.search(wanted.folded) and not re.search(r"[了过完]", said.folded):
        if _TO_COME.search(said.folded):
            return False
    perfect = bool(_HAS_PERFECT.search(said.folded))
    for key, tenses in wanted.tenses.items():
        told = said.tenses.get(key)
        if told is None or key in _TIMELESS:
            continue
        if told == {True} and tenses == {False} and not perfect and not _moved(said, key):
            return False
        if told == {False} and tenses == {True}:
            return False
    return True


_TIMELESS: Final = frozenset({"enc_name", "en_years", "enc_age", "have", "enc_born", "en_about", "enc_wed", "enc_fear"})


def _moved(said: Claim, key: str) -> bool:
    """Tell whether a past form says what holds since: who moved to a place lives there."""
    return key == "enc_live" and bool(re.search(r"\b(?:moved|relocated|settled)\b", said.folded))


def _is_about_same(spoken: Spoken, wanted: Claim) -> bool:
    said = spoken.claim
    subject, wished = said.subject, wanted.subject
    own = wished.who in {Who.SPEAKER, Who.NOBODY}
    match subject.who:
        case Who.SPEAKER:
            return own or (_names(said.folded, wished) and _is_linking(wanted))
        case Who.NOBODY:
            return own or _names(f"{said.context} {said.folded}", wished)
        case Who.PRONOUN:
            if wished.who is Who.PRONOUN or _refers_by_name(spoken, wanted):
                return True
            return wished.who is Who.OTHER and (
                _refers(spoken, wished)
                or (said.folded.startswith(("it", "this", "that", "这", "那")) and _names(said.folded, wished))
            )
        case Who.OTHER if wished.who is Who.OTHER:
            return _is_same_subject(subject, wished, said, wanted)
        case Who.OTHER:
            return own and _is_thing_of_speaker(subject, said, wanted)
    return False


_LINKS: Final = frozenset({"is", "have", "zhc_name", "enc_name", "zhc_age", "enc_age"})

_ROUND: Final = re.compile(r"被|[把将]|让|讓|\b(?:by|from|was|were|got)\b")


def _is_linking(wanted: Claim) -> bool:
    """Tell whether a claim only links two things, so that either may come first."""
    return any(unit.key in _LINKS for unit in wanted.units) or bool(_ROUND.search(wanted.folded))


def _names(text: str, subject: Subject) -> bool:
    return bool(subject.words) and all(_stands_in(word, text) for word in subject.words)


def _stands_in(word: str, text: str) -> bool:
    if not word.isascii():
        return word in text or any(word[:1] == each for each in _short_persons(text, word))
    wished = lemma(word)
    return any(lemma(each) == wished or _is_alike(each, word) for each in re.findall(r"[a-z0-9&]+", text))


_ALIKE: Final = (
    {"妈", "媽", "妈妈", "媽媽", "母亲", "母親", "老妈", "老媽", "妈咪", "娘"},
    {"爸", "爸爸", "父亲", "父親", "老爸", "爹"},
    {"老公", "丈夫", "先生"},
    {"老婆", "妻子", "太太", "媳妇", "媳婦"},
    {"男友", "男朋友"},
    {"女友", "女朋友"},
    {"哥", "哥哥", "大哥"},
    {"姐", "姐姐", "大姐"},
    {"弟", "弟弟"},
    {"妹", "妹妹"},
    {"孩子", "小孩", "娃"},
    {"mother", "mom", "mum", "mommy", "mama", "ma"},
    {"father", "dad", "daddy", "papa", "pa"},
    {"父母", "爸妈", "双亲", "爸媽"},
    {"kid", "kids", "child", "children"},
)


def _short_persons(text: str, word: str) -> Iterator[str]:
    for group in _ALIKE:
        if word in group:
            yield from (each[:1] for each in group if each in text and each[:1] == word[:1])
            if any(each in text for each in group):
                yield word[:1]


def _is_alike(one: str, other: str) -> bool:
    return any(one in group and other in group for group in _ALIKE)


def _is_same(one: str, other: str) -> bool:
    if one == other or _is_alike(one, other):
        return True
    if one.isascii() and other.isascii():
        return lemma(one) == lemma(other)
    return one in other or other in one


def _is_same_subject(subject: Subject, wished: Subject, said: Claim, wanted: Claim) -> bool:
    """Tell whether two named subjects are one: the same head, of the same owner."""
    if subject.theirs and wished.own and not wished.theirs:
        return False
    text = " ".join((wanted.folded, *wanted.subject.words))
    if not all(_stands_in(word, text) for word in subject.words):
        return False
    if not all(_stands_in(word, said.folded) or _stands_in(word, said.context) for word in wished.words):
        return False
    if not subject.person and not subject.own and _is_topic(said.topic, wished):
        return True
    if _is_same(subject.head, wished.head) or any(_is_same(subject.head, e) for e in wished.words[-2:]):
        return True
    return _is_linking(wanted) and not (subject.person and wished.person)


def _is_topic(topic: Subject, wished: Subject) -> bool:
    """Tell whether a clause about a thing goes on about somebody: 我男友话少."""
    if topic.who is Who.OTHER:
        return _is_same(topic.head, wished.head)
    return topic.who is Who.SPEAKER and wished.who is Who.SPEAKER


def _is_thing_of_speaker(subject: Subject, said: Claim, wanted: Claim) -> bool:
    """Tell whether what is said of a thing may be told of the speaker: 我的车被偷了."""
    if subject.person or subject.theirs:
        return False
    kept = all(_stands_in(word, wanted.folded) for word in subject.words)
    # 压力好大, 膝盖疼: without a word for whose it is, it is the speaker's.
    dense = not subject.head.isascii()
    return kept and (subject.own or dense or said.topic.who is Who.SPEAKER or _is_linking(wanted))


def _refers(spoken: Spoken, wished: Subject) -> bool:
    """Tell whether the pronoun of a clause points to the one the claim names."""
    for claim in reversed(spoken.earlier[-_MOST_BETWEEN:]):
        if _names(claim.folded, wished):
            about = claim.subject
            if about.who is not Who.OTHER or any(_is_same(about.head, e) for e in wished.words):
                return True
            return _is_linking(claim)
        if claim.subject.who is Who.OTHER and claim.subject.person:
            return False
    return False


_IS_CALLED: Final = re.compile(r"(?:叫|名字是|是|\b(?:called|named|is)\b|['’]s\b)\s*(?P<name>\w{1,12})$")


def _refers_by_name(spoken: Spoken, wanted: Claim) -> bool:
    """Tell whether a claim begins with a name that was given just before the pronoun."""
    return any(wanted.folded.startswith(name) for name in _names_before([spoken]))


def _names_before(used: Sequence[Spoken]) -> set[str]:
    """Return the names given just before clauses that are about "he" or "she"."""
    return {
        found["name"]
        for each in used
        if each.claim.subject.who is Who.PRONOUN
        for claim in each.earlier[-2:]
        if (found := _IS_CALLED.search(claim.folded))
    }


_MOST_BETWEEN: Final = 6
"""A pronoun points no further back than so many clauses."""

_NEGATOR: Final = re.compile(r"不|没|沒|别|未|冇|\b(?:not|never|no|without)\b|n['’]?t\b")


def _keeps_pairs(said: Claim, wanted: Claim) -> bool:
    """Tell whether numbers stay with what they count, and in their order."""
    numbers = iter(said.numbers)
    if all(each in said.numbers for each in wanted.numbers):
        if not all(any(each == one for one in numbers) for each in wanted.numbers):
            return False
    if not _keeps_ways(said.folded, wanted.folded):
        return False
    told = {b.key: a.key for a, b in zip(said.units, said.units[1:], strict=False) if a.kind == "number"}
    for one, other in zip(wanted.units, wanted.units[1:], strict=False):
        if one.kind == "number" and other.key in told and told[other.key] != one.key:
            return False
    return True


_WAY: Final = re.compile(
    r"(?:(?P<from>\bfrom\b|[从從])|(?P<to>\b(?:to|into)\b|[到往去]))\s*(?:the |my |a |an )?(?P<place>[a-z]+|[\u4e00-\u9fff]{2})"
)


def _keeps_ways(said: str, wanted: str) -> bool:
    """Tell whether nobody who came from a place is told to have gone there."""
    ways = {(each["place"], bool(each["from"])) for each in _WAY.finditer(said)}
    told = {(each["place"], bool(each["from"])) for each in _WAY.finditer(wanted)}
    return not any((place, not way) in ways and (place, way) not in ways for place, way in told)


_OWN: Final = re.compile(r"\bmy (?:\w+ )?(?P<en>[a-z]+)|我的?(?P<zh>[\u4e00-\u9fff]{1,2})")


def _keeps_owners(said: Claim, wanted: Claim) -> bool:
    """Tell whether nothing of somebody else's is told as the speaker's."""
    for found in _OWN.finditer(wanted.folded):
        thing = found["en"] or found["zh"]
        if re.search(rf"(?:\b(?:his|her|their)(?: \w+)? |[他她]们?的?){re.escape(thing)}", said.folded):
            if not re.search(rf"(?:\b(?:my|our)(?: \w+)? |[我俺咱]们?的?){re.escape(thing)}", said.folded):
                return False
    return True


def _missing(wanted: Claim, used: Sequence[Spoken]) -> list[str]:
    """Return what of a claim none of these says, in the words of the claim."""
    about = {*wanted.subject.words, *_names_before(used)}
    units = [
        unit.text
        for unit in wanted.units
        if not any(each.claim.covers(unit) for each in used)
        and not any(unit.text in word or word in unit.text for word in about)
    ]
    dates = [written for days, written in wanted.days if not _was_named(days, written, used)]
    bare = [
        next(iter(each.needed))
        for each in used
        if len(used) == 1 and each.needed and not (_said_keys(wanted, each) or wanted.days)
    ]
    return [*units, *dates, *bare]


def _said_keys(wanted: Claim, spoken: Spoken) -> frozenset[str]:
    return frozenset(
        key for key in spoken.needed if key in wanted.keys or key in wanted.folded or key == ""
    )


def _was_named(days: Sequence[Days], written: str, used: Sequence[Spoken]) -> bool:
    """Tell whether a date was named, or holds the day of speaking."""
    figures = [each.value for each in numerals(written.lower())]
    for claim in (each.claim for each in used):
        if claim.at is not None and claim.zone is not None:
            today = claim.at.astimezone(claim.zone).date()
            if days[0].first <= today <= days[0].last:
                return True
        if any(d.first <= e.last and e.first <= d.last for d in claim.named_days for e in days):
            return True
        # Not a date the rules can read (a 29th of February, 3月19): its figures will do.
        if figures and not claim.named_days and set(figures) <= set(claim.numbers):
            return True
    return False


def _together(wanted: Claim, able: Sequence[Spoken]) -> tuple[Spoken, ...]:
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


_LIGHT: Final = frozenset({"is", "zh_school", "have", "zh_very", "zh_usual", "zh_go", "en_go", "zhc_name", "enc_name", "zhc_keep"})

# Days and hours may stand before the subject of a sentence, and in a bare answer beside it.
_TIME: Final = re.compile(
    r"[今明昨后前大当][天日早晚年]|今晚|明早|早上|上午|中午|下午|傍晚|晚上|夜里|凌晨|周末|月底|年底"
    r"|[这本上下][个]?(?:周|星期|礼拜|月|年).?|(?:周|星期|礼拜)[一二三四五六日天末]|\S*[年月日号点]"
    r"|[年月日号点周]|today|tomorrow|yesterday|tonight|now|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|太|真|好|哈+|呵+|lol|haha|finally|终于|一下|一下子|其实|really|actually|最近"
)


def _is_whole(said: Claim, wanted: Claim) -> bool:
    """Tell whether a claim tells all of a clause but light words and when."""
    return all(
        unit.key in _LIGHT or _TIME.fullmatch(unit.text) or wanted.covers(unit) or _in_word(unit, wanted)
        for unit in said.units
    )


def _in_word(unit: Unit, wanted: Claim) -> bool:
    return any(unit.text in word for word in wanted.subject.words)


def _are_apart(wanted: Claim, used: Sequence[Spoken]) -> bool:
    """Tell whether the words of each clause stand together: "hates Bob, loves Ann" mixes two."""
    order: list[int] = []
    for unit in wanted.units:
        owners = [n for n, each in enumerate(used) if each.message is not None and each.claim.covers(unit)]
        if len(owners) == 1 and (not order or order[-1] != owners[0]):
            order.append(owners[0])
    inside = re.search(r"的|叫|\b(?:called|named|with)\b", wanted.folded)
    return len(order) == len(set(order)) or (bool(inside) and len(order) - len(set(order)) == 1)
