"""By which small word each word of a clause hangs on the rest: left Cork for Boston.

What hangs on "for", on "in" or on 从 may be left out, but no other word takes its place there;
what is only meant, offered or agreed to do is not told as done; and of two that are compared each
keeps its own measure.
"""

import re
from collections.abc import Iterator
from typing import Final

from memory.judgement.assertions import Assertion
from memory.judgement.units import TIME_WORD, Unit, has_verb, lemma
from memory.text.late_pattern import LatePattern


def keeps_ties(said: Assertion, wanted: Assertion) -> bool:
    """Tell whether each word of a claim hangs on the small word it hangs on in what was said."""
    return (
        _keeps_ways(said.folded, wanted.folded)
        and _keeps_prepositions(said, wanted)
        and _keeps_intents(said.folded, wanted)
        and _keeps_measures(said.folded, wanted.folded)
        and _keeps_choice(said.folded, wanted)
        and _keeps_halves(said, wanted)
        and _keeps_sequence(said.folded, wanted)
        and _keeps_particles(said.folded, wanted.folded)
    )


_WAY: Final = LatePattern(
    r"(?:(?P<from>\bfrom\b|[从從])|(?P<to>\b(?:to|into|in|at)\b|[到往去在]))\s*(?:the |my |a |an"
    r" )?(?P<place>[a-z]+|[\u4e00-\u9fff]{2})"
)


def _keeps_ways(said: str, wanted: str) -> bool:
    """Tell whether nobody who came from a place is told to have gone there, or to be there."""
    ways = {(each["place"], bool(each["from"])) for each in _WAY.finditer(said)}
    told = {(each["place"], bool(each["from"])) for each in _WAY.finditer(wanted)}
    return not any((place, not way) in ways and (place, way) not in ways for place, way in told)


_PREPOSITION: Final = LatePattern(
    r"\b(?:in|at|on|into|from|for|with|without|by|about|before|after|until|since"
    r"|instead of)\b"
    r"|(?<![现現正实實自存])在(?![乎意])|到(?![底处處])|(?<!以)往(?![年常])|[从從](?![来來小不没前])"
    r"|[给給替]|跟(?!头)|比(?![较較赛賽如例分方])|[对對](?![象面门門了啊呀的])"
)

_JOINS: Final = LatePattern(r"(?:(?:the|an?|my|our|of)\b|\s|[的个個家间間位只])*")

_ALIKE: Final = {
    each: group
    for group in ({"in", "at", "on", "into"}, {"在", "到", "往"}, {"给", "給", "替"})
    for each in group
} | {"從": "从", "對": "对"}


def _hung(claim: Assertion) -> Iterator[tuple[str, Unit]]:
    """Yield the words of a clause that hang on a preposition, each with it; the others with "".

    An answer stands behind her question, and hangs on whatever was asked.
    """
    end, last = 0, ""
    for unit in claim.units:
        start = claim.folded.find(unit.text, end)
        if start < 0:
            continue
        between = claim.folded[end:start]
        end = start + len(unit.text)
        if _PREPOSITION.fullmatch(unit.text):
            last = unit.text
            continue
        found = list(_PREPOSITION.finditer(between))
        if found:
            # Where a date was taken out, it is the date that hung on it.
            gap = between[found[-1].end() :].startswith("  " if unit.text.isascii() else " ")
            last = "" if gap else found[-1][0]
        elif not _JOINS.fullmatch(between) or (_is_deed(unit) and not between.endswith("的")):
            last = ""
        answers = not found and not unit.text.isascii() and _PAUSES.search(between) is not None
        yield _ANSWERS if answers else last, unit


_ANSWERS: Final = "?"
_PAUSES: Final = LatePattern(r"[\s,，]")


def _is_deed(unit: Unit) -> bool:
    return unit.key in _LINKS or (not unit.text.isascii() and has_verb(unit.text))


_LINKS: Final = frozenset({"is", "have"})


def _keeps_prepositions(said: Assertion, wanted: Assertion) -> bool:
    """Tell whether no word hangs on what another hung on: in Hull is not in Bath."""
    told: dict[str, set[str]] = {}
    hung: dict[str, set[str]] = {}
    for word, unit in _hung(said):
        told.setdefault(unit.key, set()).add(_group(word))
        hung.setdefault(_group(word), set()).add(unit.key)
    for word, unit in _hung(wanted):
        if unit.key in _LINKS or TIME_WORD.fullmatch(unit.text):
            continue
        group = _group(word)
        known = told.get(unit.key)
        if (
            word not in {"", _ANSWERS}
            and known
            and group in hung
            and not {group, _ANSWERS} & known
        ):
            return False
    return True


def _group(word: str) -> str:
    found = _ALIKE.get(word, word)
    return found if isinstance(found, str) else min(found)


_INTENT: Final = LatePattern(
    r"\b(?P<who>[\w'’]+)(?: not)? (?:(?:me|him|her|us|them|(?:my|his|her) \w+) )?"
    r"(?:\w+days? )?to (?P<did>[a-z]+)\b"
)

_COMES_TRUE_WORDS: Final = """
get got gets getting manage managed start started starting begin began begun continue come came
comes coming go goes went gone going have has had having learn learned learnt learning able love
loves like likes help helped helps here there back used happy proud glad happen happened use way
prefer prefers tend tends moved
"""

_COMES_TRUE: Final = frozenset(_COMES_TRUE_WORDS.split())
"""Whoever does these to do something does it."""


def _keeps_intents(said: str, wanted: Assertion) -> bool:
    """Tell whether nothing is told as done that was only meant, promised or asked to be done."""
    words = re.findall(r"[a-z]+", wanted.folded) if wanted.folded.isascii() else ()
    for found in _INTENT.finditer(said) if words else ():
        told = [n for n, each in enumerate(words) if lemma(each) == lemma(found["did"])]
        # In "moved to Leeds" no deed follows: a deed changes its form, or has its doer before it.
        done = [n for n in told if words[n] != found["did"] or words[n - 1] == "i"]
        kept = any(lemma(each) == lemma(found["who"]) for each in words)
        if done and not kept and found["who"] not in _COMES_TRUE:
            return False
    return True


_MEASURE: Final = LatePattern(r"\b(?P<how>\w+) than (?:my |the |an? )?(?P<whom>\w+)")


def _keeps_measures(said: str, wanted: str) -> bool:
    """Tell whether of two comparisons each keeps whom it compares with."""
    told = {(each["how"], each["whom"]) for each in _MEASURE.finditer(said)}
    if len(told) < len(("one", "other")):
        return True
    return all((each["how"], each["whom"]) in told for each in _MEASURE.finditer(wanted))


_PURPOSE: Final = LatePattern(
    r"\b(?P<en>instead of|rather than|unlike|without|than"
    r"|to (?P<did>(?!the|my|a|an|be|have)[a-z]+))\b"
    r"|(?P<zh>多过|胜过|而不是|好过)"
)


def _keeps_choice(said: str, wanted: Assertion) -> bool:
    """Tell whether nothing is told of a deed that stood behind another: sold A to keep B."""
    for found in _PURPOSE.finditer(said):
        kept = found["did"] or (found["zh"] or found["en"]).split()[0]
        if kept in wanted.folded or _has_word(wanted.folded, kept):
            continue
        before, behind = said[: found.start()], said[found.end() :]
        words = [each for each in wanted.units if each.key not in _LINKS]
        late = [each for each in words if each.text in behind and each.text not in before]
        if late and (len(late) == len(words) or any(each.text in before for each in words)):
            return False
    return True


def _has_word(folded: str, word: str) -> bool:
    return any(lemma(each) == lemma(word) for each in re.findall("[a-z]+", folded))


_PARTICLE: Final = LatePattern(
    r"\b(?P<did>(?!and|or|but|is|are|not|i)[a-z]+) "
    r"(?P<way>in|out|up|down|off|on|over|away|back)\b(?! (?:the|a|my))"
)


def _keeps_particles(said: str, wanted: str) -> bool:
    """Tell whether whoever moved out is not told to have moved in."""
    told: dict[str, set[str]] = {}
    for each in _PARTICLE.finditer(said):
        told.setdefault(lemma(each["did"]), set()).add(each["way"])
    return all(
        each["way"] in told.get(lemma(each["did"]), {each["way"]})
        for each in _PARTICLE.finditer(wanted)
    )


_AND: Final = LatePattern(
    r" (?:and|but|plus) |[,，、]|[又和](?=[\u4e00-\u9fff]{2})|(?<!不)而(?!且)"
)


def _keeps_halves(said: Assertion, wanted: Assertion) -> bool:
    """Tell whether nothing is put together of the halves of a clause that is two in one.

    In "an offer from Lidl and a rejection from Aldi" what leads the second half is its own; of the
    first only what leads it may be meant in both.
    """
    if _AND.search(wanted.folded) or _ANSWERED.search(said.folded):
        return True
    for joint in _AND.finditer(said.folded):
        first = [x for x in said.units if _stands(said.folded, x, 0, joint.start())]
        second = [x for x in said.units if _stands(said.folded, x, joint.end(), None)]
        if not second or not has_verb(said.folded[: joint.start()]):
            continue
        kept = [x.key in wanted.keys for x in first]
        taken = [x.key in wanted.keys for x in second]
        if not any(kept) or not any(taken):
            continue
        leads = kept.index(False) if False in kept else len(kept)
        if not taken[0] or any(kept[leads:]):
            return False
    return True


_ANSWERED: Final = LatePattern("[\u4e00-\u9fff] [\u4e00-\u9fff]|  ")


def _stands(folded: str, unit: Unit, start: int, end: int | None) -> bool:
    """Tell whether a word that tells more than how or when stands in one half of a clause only."""
    if unit.key in _IDLE or TIME_WORD.fullmatch(unit.text) or _WHEN.fullmatch(unit.text):
        return False
    return folded.count(unit.text) == 1 and unit.text in folded[start:end]


_IDLE: Final = _LINKS | {"zh_very", "zh_usual", "zh_all", "zh_go", "en_go", "en_usual"}

_WHEN: Final = LatePattern(r"[今明昨后前去][天日年晚早]|[上下这]?[个]?[周月年]|[0-9]+|[日号点]")


_SEQUENCE: Final = LatePattern(
    r"(?<=\w )(?:before|after|until)\b|(?<=[\u4e00-\u9fff])[之以][前后]"
)


def _keeps_sequence(said: str, wanted: Assertion) -> bool:
    """Tell whether what came first does not come last: told Jo before I told my husband."""
    then, now = _SEQUENCE.search(said), _SEQUENCE.search(wanted.folded)
    if not then or not now or then[0] != now[0]:
        return True
    for unit in wanted.units:
        if said.count(unit.text) == 1 and wanted.folded.count(unit.text) == 1:
            first = said.find(unit.text) < then.start()
            if first != (wanted.folded.find(unit.text) < now.start()):
                return False
    return True
