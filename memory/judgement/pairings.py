"""Whether what belongs together in what was said still does in what is learnt from it.

Every word may have been said, and yet a number counts another thing, a deed has another's time,
owner or place, a denial denies another word. A clause that tells of two things is looked at pair
by pair; where a pair is not plain, it is not held against what is learnt.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from memory.judgement.assertions import Assertion
from memory.judgement.lexicon import AUXILIARIES, EN_PERSONS, PERSON_ZH
from memory.judgement.marks import Sense
from memory.judgement.referents import keeps_owners, stands_in
from memory.judgement.sides import keeps_sides
from memory.judgement.subjects import Who
from memory.judgement.ties import keeps_ties
from memory.judgement.units import AGES, TIME_WORD, Unit, has_verb, lemma
from memory.text.dates import date_mentions
from memory.text.late_pattern import LatePattern


def keeps_together(said: Assertion, wanted: Assertion) -> bool:
    """Tell whether a claim leaves together what a clause it may rest on tells of together."""
    return (
        _keeps_counts(said, wanted)
        and _keeps_twice(said, wanted)
        and keeps_ties(said, wanted)
        and _keeps_times(said, wanted)
        and _keeps_dates(said, wanted)
        and keeps_owners(said, wanted)
        and _keeps_bearers(said, wanted)
        and keeps_sides(said, wanted)
        and _keeps_part(said, wanted)
        and _keeps_denials(said, wanted)
    )


def _keeps_counts(said: Assertion, wanted: Assertion) -> bool:
    """Tell whether numbers stay with what they count, and in their order."""
    numbers = iter(said.numbers)
    told_all = all(each in said.numbers for each in wanted.numbers)
    if told_all and not all(any(each == one for one in numbers) for each in wanted.numbers):
        return False
    told: dict[str, set[str]] = {}
    for found in _ARTICLE.finditer(said.folded):
        told.setdefault(lemma(found["what"]), set()).add("1")
    for one, other in zip(said.units, said.units[1:], strict=False):
        if one.kind == "number":
            told.setdefault(other.key, set()).add(one.key)
    for one, other in zip(wanted.units, wanted.units[1:], strict=False):
        if one.kind == "number" and one.key not in told.get(other.key, {one.key}):
            return False
    return True


_ARTICLE: Final = LatePattern(r"\b(?:an?|one) (?P<what>year|month|week|day|night|hour)\b")


def _keeps_twice(said: Assertion, wanted: Assertion) -> bool:
    """Tell whether what is named twice was: her dog bit my dog, and mine bit the vet."""
    words = [each.key for each in wanted.units if each.kind in {"word", "han"}]
    twice = {key for key in words if words.count(key) > 1}
    return all(sum(each.key == key for each in said.units) != 1 for key in twice)


class _Anchor(NamedTuple):
    """A time, an age or a place that a clause names beside what it tells."""

    kind: str
    key: str


_BARE_NUMBER: Final = LatePattern(r"\s*(?:$|,|and\b|but\b)")


def _with_anchors(claim: Assertion) -> Iterator[_Anchor | str]:
    """Yield the words of a clause in order, by key, with its times, ages and places as such."""
    place, units = 0, list(claim.units)
    while units:
        unit = units.pop(0)
        place = max(claim.folded.find(unit.text, place), 0) + len(unit.text)
        number = units[0] if units and units[0].kind == "number" else None
        if TIME_WORD.fullmatch(unit.text):
            yield _Anchor("time", unit.key)
        elif unit.text in {"周", "星期", "礼拜"} and number:
            yield _Anchor("weekday", units.pop(0).key)
        elif unit.kind == "number" and units and units[0].key in AGES:
            yield _Anchor("age", unit.key)
            units.pop(0)
        elif unit.kind == "number" and _BARE_NUMBER.match(claim.folded, place):
            yield _Anchor("age", unit.key)
        elif _AT.search(claim.folded[: place - len(unit.text)]):
            yield _Anchor("place", unit.key)
        elif unit.key not in _EMPTY:
            yield unit.key


_AT: Final = LatePattern(r"在$|\b(?:at|in|on) (?:the |my |an? )?$")

_EMPTY: Final = frozenset({"is", "have", "zh_go", "en_go", "go", "dure"})


def _pairs(claim: Assertion, kind: str) -> dict[str, set[str]]:
    """Return for each word of a clause the times, ages or places that it tells of it.

    An age stands behind whose it is; a time before what is done then where it comes first.
    """
    # A place is as good a word as any where times are looked at.
    named = (
        x.key if isinstance(x, _Anchor) and x.kind == "place" != kind else x
        for x in _with_anchors(claim)
    )
    read = [x for x in named if isinstance(x, str) or x.kind == kind]
    subject = {unit.key for unit in claim.units if unit.text in claim.subject.words}
    first = next((x for x in read if x not in subject), None)
    before = kind != "age" and isinstance(first, _Anchor)
    found: dict[str, set[str]] = {}
    anchor, last = "", ""
    for each in read:
        if isinstance(each, str):
            last = each
            if before and anchor:
                found.setdefault(each, set()).add(anchor)
        else:
            anchor = each.key
            if not before and last:
                found.setdefault(last, set()).add(anchor)
            last = ""
    return found


def _keeps_times(said: Assertion, wanted: Assertion) -> bool:
    """Tell whether a deed keeps its time and place, and each its age: 早上喝茶晚上喝咖啡."""
    anchors = {x for x in _with_anchors(said) if isinstance(x, _Anchor)}
    for kind in {each.kind for each in anchors}:
        named = {each.key for each in anchors if each.kind == kind}
        told = _pairs(said, kind) if len(named) > 1 else {}
        # 早上晚上都喝茶: where one of them stands alone, both may be meant.
        if set().union(*told.values()) != named:
            continue
        for word, when in _pairs(wanted, kind).items() if told else ():
            if word in told and (when & named) - told[word]:
                return False
    return True


def _keeps_dates(said: Assertion, wanted: Assertion) -> bool:
    """Tell whether what is told of the one day of a claim was not said of another day."""
    if len(wanted.days) != 1 or said.at is None or said.zone is None:
        return True
    text, written = said.folded, wanted.days[0][1].lower()
    named = [(x.start, x.end) for x in date_mentions(text, said.at, said.zone)]
    day = next((n for n, (start, end) in enumerate(named) if written in text[start:end]), None)
    if day is None or len(named) == 1:
        return True
    leads = not has_verb(text[: named[0][0]])
    borders = [start if leads else end for start, end in named]
    for unit in wanted.units:
        place = text.find(unit.text)
        if place < 0 or text.count(unit.text) > 1 or unit.key in _EMPTY:
            continue
        of = sum(place >= each for each in borders) - leads
        if of >= 0 and of != day:
            return False
    return True


def _keeps_bearers(said: Assertion, wanted: Assertion) -> bool:
    """Tell whether what is so of another, or only near a place, is told with whose or where it is.

    陪我妈看病 is no illness of one's own, nor is a man with asthma; 我点了面他点了饭 tells of two.
    """
    if "被" in wanted.folded or wanted.subject.who is Who.PRONOUN:
        return True
    for pattern in _OF_ANOTHER:
        for found in pattern.finditer(said.folded):
            start, end = found.span("what")
            rest = f"{said.folded[:start]} {said.folded[end:]}"
            only = (u for u in wanted.units if u.text in found["what"] and u.text not in rest)
            # A word may be cut to what stands elsewhere too: 端, of 后端 and of 前端.
            whole = found["what"] in wanted.folded and found["what"] not in rest
            if (whole or any(only)) and not stands_in(found["who"], wanted.folded):
                return False
    return True


_SOMEBODY_ZH: Final = (
    rf"{PERSON_ZH.pattern}|人|学生|姑娘|小伙子?|实习生|男人|女人|女孩|男孩|[男女]生|老人|演员|歌手|律师|护士"
    r"|中介|病人|客人|孩子"
)
_SOMEBODY_EN: Final = rf"(?:man|woman|guy|girl|boy|lady|person|one|pupil|{EN_PERSONS})s?"

_OF_ANOTHER: Final = (
    LatePattern(
        rf"\b(?P<who>{_SOMEBODY_EN}) (?:with|who (?:has|had|have)) (?P<what>.+)",
    ),
    LatePattern(
        rf"^the (?:\w+ )?(?P<who>{_SOMEBODY_EN}) (?:who |that )?(?:i|we) (?P<what>.+)",
    ),
    LatePattern(
        r"\b(?:got|had|made|let|helped|took|sent|drove|watched|saw) (?:my|our|the|his|her) "
        rf"(?:\w+ )?(?P<who>{EN_PERSONS}|cat|dog) (?P<what>\w.*)",
    ),
    LatePattern(r"^(?P<who>next door|upstairs|downstairs) (?P<what>.+)"),
    LatePattern(
        r"\b(?P<who>(?!(?:it|that|what|there|here|let|he|she|who|how|where|day|week|year|name|job"
        r"|age|favourite)\b)\w+?)['’]s (?P<what>(?:\w+ )?\w+)",
    ),
    LatePattern(
        r"\b(?P<who>next to|near|opposite|above|behind|beside) (?:the |an? |my )?(?P<what>\w+)",
    ),
    LatePattern(rf"(?<=[一-鿿]个)(?P<what>[\u4e00-\u9fff]{{2,8}})的(?P<who>{PERSON_ZH.pattern})"),
    LatePattern(
        rf"^[跟和]?我[^，。的]{{1,8}}的[^，。的]{{0,3}}?(?P<who>{_SOMEBODY_ZH})(?P<what>.+)"
    ),
    LatePattern(rf"(?P<what>{PERSON_ZH.pattern})的(?P<who>{PERSON_ZH.pattern})"),
    LatePattern(
        r"[陪带送接扶领帮替](?:着|了)?(?:我们?家?的?)?"
        rf"(?P<who>{PERSON_ZH.pattern}|孩子)(?P<what>[\u4e00-\u9fff]+)"
    ),
    LatePattern(
        r"(?P<did>[\u4e00-\u9fff]{1,2})(?<![的了是我在])[^，。]{1,10}?"
        rf"(?P<who>[他她它]们?|[小老][\u4e00-\u9fff]|{PERSON_ZH.pattern})(?P=did)(?P<what>.+)"
    ),
    LatePattern(
        r"^(?P<who>小偷|骗子|警察|保安|路人|司机|快递员?|外卖员|中介|城管|店员|服务员)(?P<what>.+)"
    ),
    LatePattern(
        r"(?P<what>[\u4e00-\u9fff]{2,4}?)(?P<who>旁边|对面|附近|隔壁|门口|楼[上下]|[前后外][面头]|边上)"
    ),
    LatePattern(
        rf"[看见陪找问约等接送][了着]?(?P<what>[\u4e00-\u9fff]{{2,6}})的(?P<who>{PERSON_ZH.pattern})"
    ),
    LatePattern(r"(?P<what>[\u4e00-\u9fff]{2,8})的(?P<who>人)$"),
    LatePattern(r"(?P<what>流浪|走失)(?P<who>[猫狗])"),
    LatePattern(r"(?P<who>离)(?P<what>[\u4e00-\u9fff]{2,4})"),
    LatePattern(r"(?P<who>[跟像和])(?P<what>[^，像]{2,12}?)(?:一样|似的|一般)"),
    LatePattern(
        r"(?<!\bi )(?<!\bwe )(?<!n['’]t )(?<!\byou )(?<!\bthey )(?<!ly )(?<!\balso )(?<!['’]d )"
        r"\b(?P<who>like) an? (?P<what>\w.*)"
    ),
)
"""What is told in these is so of ``who``, or where that says, and not of who tells of it.

What something is only likened to it is not: he cooks like a chemist.
"""


_PART: Final = LatePattern(
    r"\b(?:deaf|blind|numb|lame|paraly[sz]ed|weak)(?:ness)? (?:in|on|down) "
    r"(?:my |the |one |both )*(?P<part>(?:left|right) \w+|\w+)"
)


def _keeps_part(said: Assertion, wanted: Assertion) -> bool:
    """Tell whether what ails a part is not told of the whole: deaf in one ear is not deaf."""
    part = _PART.search(said.folded)
    if part is None or part[0].split()[0] not in wanted.folded:
        return True
    return part["part"].split()[-1] in wanted.folded


def _keeps_denials(said: Assertion, wanted: Assertion) -> bool:
    """Tell whether nothing that was denied is told as so, nor the other way round.

    A clause that denies one thing of two has the same sense as one that denies the other:
    我不抽烟但喝酒 is not 主人不喝酒. Only what surely is denied, or surely is not, counts.
    """
    if _NOT_HATED.search(said.folded) and not _NOT_HATED.search(wanted.folded):
        return not _HATED.search(wanted.folded)
    if Sense.NEGATIVE not in said.senses & wanted.senses:
        return True
    # Who gave up giving up smoking still smokes: what was denied besides is not dropped.
    own = _DENIES_ITSELF.search(wanted.folded)
    if own and own[0] in said.folded and _NO.search(said.folded) and not _NO.search(wanted.folded):
        return False
    told = _denials_in(said.folded, said.units)
    meant = _denials_in(wanted.folded, wanted.units)
    return not any(told.get(key) is (not denied) for key, denied in meant.items())


_HATED: Final = LatePattern(r"讨厌|反感|恨|烦|\b(?:hate|dislike|loathe)")
_NOT_HATED: Final = LatePattern(
    r"不(?:是)?(?:再|怎么|那么|太)?(?:讨厌|反感|恨|烦)"
    r"|(?:n['’]t|\bnot|\bnever) (?:\w+ )?(?:hate|dislike|loathe|mind)"
)

_DENIES_ITSELF: Final = LatePattern(
    r"戒(?!指)|讨厌|反感|拒绝|\b(?:hates?|hated|dislikes?|refuse[sd]?|avoids?)\b"
)

_NO: Final = LatePattern(
    r"不(?!错|仅|但|只(?![吃喝抽])|止|断|久|同|得不|管|如|论|过|好意思|客气|由得|禁)|没(?!关系|问题|准)|[冇唔]|别(?!人|的|墅)"
    r"|(?:n['’]t|\bnot|\bnever|\bno)\b(?! (?:only|more|longer|doubt|problem|worries|any ?more)\b)"
)
"""What denies what stands behind it in a clause."""

_NO_RESULT: Final = LatePattern(r"[不没][了得到动起惯着来去完好行成过够上下]|[不没]$")
"""吃不了: whether what stands before it is denied is not sure."""

_GOES_ON: Final = LatePattern(
    r"但是?|却|可是|而(?!且)|也|又|还(?=[没不])|并且|(?<!不)只(?=[有吃喝抽要会养])"
    r"|(?<=不是)[^是不]+(?=是)|(?<=不在)[^在不]+(?=在)|\bbut\b|,(?= (?:from|in|at|to|with|by)\b)"
)
"""Where a clause goes on to say another thing, of which nothing before it is denied."""

_ANSWERED: Final = LatePattern("[\u4e00-\u9fff] [\u4e00-\u9fff]")


def _denials_in(folded: str, units: Sequence[Unit]) -> Mapping[str, bool]:
    """Return of each word, where that is sure, whether a clause denies it."""
    # 喝咖啡加糖 不加: an answer stands behind what was asked, and denies it as a whole.
    if not _NO.search(folded) or _ANSWERED.search(folded):
        return {}
    found: dict[str, set[bool | None]] = {}
    place = 0
    for unit in (each for each in units if each.key not in {"is", "have"}):
        place = max(folded.find(unit.text, place), 0)
        found.setdefault(unit.key.removeprefix("不"), set()).add(_is_denied(folded, place))
    return {
        key: True in each for key, each in found.items() if len(each) == 1 and None not in each
    }


def _is_denied(folded: str, place: int) -> bool | None:
    """Tell whether a clause denies the word at a place; None where nobody can be sure."""
    breaks = [0, *(each.end() for each in _GOES_ON.finditer(folded)), len(folded)]
    start = max(each for each in breaks if each <= place)
    part = folded[start : min((each for each in breaks if each > place), default=len(folded))]
    denials = list(_NO.finditer(part))
    if not denials:
        return False
    if len(denials) > 1 or _NO_RESULT.search(part):
        return None
    if denials[0].start() <= place - start:
        return True
    before, after = part[: denials[0].start()], part[denials[0].end() :]
    if denials[0][0].isascii():
        # "I like tea not coffee" says instead of what; behind a verb that helps it denies.
        last = before.split()[-1] if before.split() else "not"
        helps = last in AUXILIARIES or not last.isalpha() or last in {"i", "im"}
        return None if helps or denials[0][0] != "not" else False
    # 抽烟不喝酒: who tells of two deeds denies the second; 香菜不吃 tells of one.
    two = has_verb(before) and (has_verb(after) or (denials[0][0] == "没" and bool(after)))
    return False if two else None
