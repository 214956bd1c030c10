"""Who did what to whom: on which side of a deed those stand who are named beside it.

In both languages the doer stands before the deed and whom it is done to behind it, unless a word
turns it round. So nobody may change sides between what was said and what is learnt, whatever else
was left out; nor may a number pass over the deed that it belongs to.
"""

import re
from collections.abc import Iterator
from typing import Final

from memory.judgement.assertions import Assertion
from memory.judgement.lexicon import (
    ADVERBS,
    AUXILIARIES,
    EN_PAST_FORMS,
    EN_PERSONS,
    EN_VERBS,
    PERSON_EN,
    PERSON_ZH,
    STOPS,
)
from memory.judgement.referents import stands_in
from memory.judgement.subjects import Who
from memory.judgement.units import TIME_WORD, Unit, has_verb, lemma
from memory.text.late_pattern import LatePattern
from memory.text.tokens import tagged_words


def keeps_sides(said: Assertion, wanted: Assertion) -> bool:
    """Tell whether nobody and no number of a clause is told on the other side of a deed."""
    if _TURNED.search(said.folded) or _TURNED.search(wanted.folded):
        return _keeps_voice(said, wanted)
    return (
        not any(_has_weighed(said, wanted, word) for word in _WEIGHS)
        and all(_keeps_around(said, wanted, deed) for deed in _deeds(said, wanted))
        and not any(_is_said_of_them(said, wanted, unit) for unit in wanted.units)
        and not _is_bidden(said.folded, wanted)
        and not _is_of_other_topic(said.folded, wanted)
        and _keeps_doer(said, wanted)
        and _keeps_object(said.folded, wanted.folded)
    )


_TURNED: Final = LatePattern(
    r"被|让|\bby (?!(?:the way|then|now|far|myself|bus|train|car|bike|foot|heart|\w+ing)\b)"
    r"|\b(?:was|were|been|being|got|gets?|is|are) (?:\w+ )?\w+(?:ed|en|ght|ld|ten|ng)\b"
)
"""What turns a clause round: it is done to whom it names first."""


def _deeds(said: Assertion, wanted: Assertion) -> Iterator[tuple[int, int]]:
    """Yield where each deed of a claim stands in it, and where in what was said, once."""
    place = 0
    for unit in wanted.units:
        at = wanted.folded.find(unit.text, place)
        place = max(at, place)
        named = any(unit.text in word for word in wanted.subject.words)
        if at < 0 or named or unit.key in _NO_DEEDS or not _is_deed(unit):
            continue
        told = [each for each in said.units if each.key == unit.key]
        if len(told) == 1 and said.folded.count(told[0].text) == 1:
            yield at, said.folded.find(told[0].text)


_NO_DEEDS: Final = frozenset({"is", "have", "zhc_name", "enc_name"})


def _is_deed(unit: Unit) -> bool:
    if unit.kind == "number":
        return False
    return not unit.text.isascii() or has_verb(unit.text) or unit.text.endswith("s")


def _keeps_around(said: Assertion, wanted: Assertion, deed: tuple[int, int]) -> bool:
    """Tell whether whoever does a deed in a claim is not only whom it was done to."""
    now, then = deed
    before, behind = said.folded[:then], said.folded[then:]
    # A number that stood before a deed is not counted by it, where the deed has one of its own.
    for number in wanted.units:
        if number.kind == "number" and number.text in before and number.text not in behind:
            own = any(u.kind == "number" and u.text in behind for u in said.units)
            if own and wanted.folded.find(number.text) > now:
                return False
        if _is_of_another_deed(said, wanted, number, deed):
            return False
    subject = wanted.subject
    if subject.who is Who.OTHER:
        if not subject.person or now < wanted.folded.find(subject.head):
            return True
        return not stands_in(subject.head, behind) or stands_in(subject.head, before)
    if subject.who is Who.SPEAKER and _is_another_between(said.folded, then, wanted.folded):
        return False
    mine = not _SINCE.match(behind) and _I_DO.search(wanted.folded, 0, now)
    return not (mine and _TO_ME.match(behind) and not _I_DO.search(before))


def _is_of_another_deed(
    said: Assertion, wanted: Assertion, number: Unit, deed: tuple[int, int]
) -> bool:
    """Tell whether a number stood behind a number and a deed of its own: 瘦了八斤又胖回来三斤."""
    now, then = deed
    told, at = wanted.folded.find(number.text), said.folded.find(number.text)
    if number.kind != "number" or not (now < told and then < at):
        return False
    between = said.folded[then:at]
    others = [each for each in said.units if each.kind == "number" and each.text in between]
    return bool(others) and any(
        has_verb(each.text) and each.text in between[1:] and each.text not in wanted.folded
        for each in said.units
    )


def _is_another_between(said: str, place: int, wanted: str) -> bool:
    """Tell whether somebody else stands last before a deed: 我退休那年她出生的."""
    speaks = max((each.end() for each in _I_DO.finditer(said, 0, place)), default=0)
    return any(
        not (
            stands_in(each["kin"] or each[0], wanted)
            or (_PRONOUN.fullmatch(each[0]) and PERSON_ZH.search(wanted))
        )
        for each in _ANOTHER.finditer(said, speaks)
        if each.end() <= place and not each["led"]
        if not each["called"] or _is_called(each["called"], said)
    )


def _is_called(name: str, said: str) -> bool:
    """Tell whether two characters are a name: 小李 is one, 小吃 is none."""
    return (name, "nr") in tagged_words(said)


def _is_of_other_topic(said: str, wanted: Assertion) -> bool:
    """Tell whether what the speaker does with one thing is told of the next one in a row.

    鱼我不吃虾天天吃, "fish I don't eat prawns I love": a thing stands before what is told of it.
    """
    found = _TOPIC_FIRST.match(said) if wanted.subject.who is Who.SPEAKER else None
    topic = (found["zh"] or found["en"]) if found else ""
    if not found or not _is_topic(topic) or stands_in(topic.split()[-1], wanted.folded):
        return False
    # What stands between the speaker and the last word of the claim is told of the first.
    *deed, last = [unit.text for unit in wanted.units] or [""]
    told, named, behind = said[found.end() :].partition(last)
    goes_on = re.match(r" (?:i|we)\b" if topic.isascii() else r"的?[\u4e00-\u9fff]{2}", behind)
    return bool(named and goes_on) and all(stands_in(each, told) for each in deed)


def _is_topic(words: str) -> bool:
    """Tell whether words that stand before the speaker name a thing, and no time or mood."""
    if words.isascii():
        return not any(each in _NO_NOUN or _NO_TOPIC.fullmatch(each) for each in words.split())
    tags = [tag for _, tag in tagged_words(words)]
    return tags[0] in _OF_TOPIC and all(each in {*_OF_TOPIC, "uj"} for each in tags)


_OF_TOPIC: Final = frozenset({"n", "nz", "a"})

_NO_NOUN: Final = STOPS | ADVERBS | AUXILIARIES | EN_VERBS | EN_PAST_FORMS

_NO_TOPIC: Final = LatePattern(
    rf"\w+ly|{TIME_WORD.pattern}|{PERSON_EN.pattern}|yesterday|today|tonight|tomorrow|lol|omg|tbh"
    r"|yeah|yes|yep|yup|nope?|ok(?:ay)?|sorry|oh|well|wow|hey|hi|hello|anyways?|plus|thanks?|please"
    r"|cause|cos|coz|cuz|haha+|like|guess|wish|hope|think|things?|way|one|all"
)

_TOPIC_FIRST: Final = LatePattern(
    r"(?P<zh>[\u4e00-\u9fff]{1,5})[我俺](?![们家的])|(?P<en>[a-z]+(?: [a-z]+)?) (?:i|we) "
)


_PRONOUN: Final = LatePattern(r"[他她]们?|he|she|they")


def _is_said_of_them(said: Assertion, wanted: Assertion, unit: Unit) -> bool:
    """Tell whether what is told of the speaker stands behind somebody else in what was said."""
    text, again = said.folded, sum(each.key == unit.key for each in said.units) > 1
    if wanted.subject.who is not Who.SPEAKER or text.count(unit.text) != 1 or again:
        return False
    row, place = _IN_A_ROW.search(text), text.find(unit.text)
    if row and row.end("who") < place and not stands_in(row["who"], wanted.folded):
        return True
    return _is_another_between(text, place, wanted.folded)


_IN_A_ROW: Final = LatePattern(
    r"\bi (?P<did>[a-z]+) [^,.;]{1,40}? (?P<who>(?!i\b|who\b|that\b|it\b)[a-z]+) (?P=did)e?s\b"
)
"""I play piano my sister plays violin: who stands before a deed that is told again does it."""


def _is_bidden(said: str, wanted: Assertion) -> bool:
    """Tell whether somebody is told to do what they asked the speaker to do: 小叶请我做伴娘."""
    found = _BIDS_ME.search(said)
    if found is None or wanted.subject.who is not Who.OTHER or found[0][0] in wanted.folded:
        return False
    return found["did"] in wanted.folded


_BIDS_ME: Final = LatePattern(
    "[请請叫找喊求][我俺](?:们|們)?(?:去|来|來)?(?P<did>[\u4e00-\u9fff])"
)

_ANOTHER: Final = LatePattern(
    r"(?<![跟和与同及、给对陪带帮替把被让叫请送教借找像比问催等为的向连随当])"
    rf"(?:[他她]们?|{PERSON_ZH.pattern})(?![的家])|\b(?:he|she|they)\b"
    r"|(?<![跟和与同给对陪带替把被让叫请送教借找像比问催等为向连着是名])(?P<called>[小老阿][\u4e00-\u9fff])(?![的家])"
    r"|(?:\b(?P<led>with|for|to|of|from|by|at|like|and|than|on|in|over) )?"
    rf"\b(?:my|our|the) (?:(?!my|our)\w+ )?(?P<kin>{EN_PERSONS}) "
    r"(?=(?:is|was|has|had|does|did|will|can|\w{3,}(?:[^s]s|ed))\b)"
)

_I_DO: Final = LatePattern(
    rf"[我俺咱](?!们?[家的]|的?(?:{PERSON_ZH.pattern}))|\b(?:i|we)\b|\bi['’]\w+"
)

_SINCE: Final = LatePattern(r"[\u4e00-\u9fff]{0,3}[前后後天年月时時里上]|突然|忽然|其实|最近")
"""以前我练举重: what stands before me there only says when."""

_TO_ME: Final = LatePattern(
    rf"[\u4e00-\u9fff]{{1,2}}?[了过着给到]{{0,2}}[我俺](?!们|[不没也都就很会能最可真才]|的?(?:{PERSON_ZH.pattern}))"
    r"|\w+ (?:\w+ ){0,3}?(?:me|us)\b"
)


def _is_done_to_speaker(said: str, wanted: str) -> bool:
    """Tell whether somebody else did to the speaker what they are told to do: Ana beat me."""
    found = _DONE_TO_ME.search(said)
    if found is None or _I_DO.search(said):
        return False
    does = _I_DID.search(wanted)
    return does is not None and lemma(found["did"]) in {
        lemma(does["one"]),
        lemma(does["other"] or ""),
    }


_DONE_TO_ME: Final = LatePattern(
    r"\w (?!(?:to|for|with|from|by|of|like|than|and|at|on|let|near|about|behind)\b)"
    r"(?P<did>[a-z]+) (?:me|us)\b"
)

_I_DID: Final = LatePattern(r"\bi (?P<one>\w+)(?: (?P<other>\w+))?")


def _keeps_doer(said: Assertion, wanted: Assertion) -> bool:
    """Tell whether nobody is told to do what was done for or to them: 给我弟买了车."""
    head = wanted.subject.head
    if wanted.subject.who is Who.OTHER and wanted.subject.person and not head.isascii():
        done_for = re.search(
            rf"[给替为向帮](?:[我俺]们?家?的?)?{re.escape(head[:1])}", said.folded
        )
        if done_for and not _DONE_FOR.search(wanted.folded):
            rest = f"{said.folded[: done_for.start()]}{said.folded[done_for.end() :]}"
            return head[:1] in rest or said.folded.find(head[:1]) < 0
    if wanted.subject.who not in {Who.OTHER, Who.PRONOUN}:
        return not _is_done_to_speaker(said.folded, wanted.folded)
    told = re.sub(rf"^(?:我(?:们?家)?的?|my ){re.escape(said.subject.head)}", "", said.folded)
    return bool(_OF_SPEAKER.search(told)) or not _TO_SPEAKER.search(wanted.folded)


_DONE_FOR: Final = LatePattern("[给替为向帮]")
_OF_SPEAKER: Final = LatePattern(r"\b(?:i|me|us|we|my|our|mine)\b|[我俺咱]")
_TO_SPEAKER: Final = LatePattern(r"[a-z] (?:i|me)\b|(?<=.)我(?![的们家])")


_OBJECT: Final = LatePattern(
    r"(?:把|将(?=[\u4e00-\u9fff]{2,8}[给挪搬卖换送]))(?P<what>[\u4e00-\u9fff]{1,6}?)(?P<did>[挪搬卖换送移改弄摔借租][\u4e00-\u9fff]?)"
)


def _keeps_object(said: str, wanted: str) -> bool:
    """Tell whether what was moved or sold is named where that is told: 把仓库挪到金华."""
    found = _OBJECT.search(said)
    if found is None or found["did"][0] not in wanted:
        return True
    return stands_in(found["what"], wanted) or any(each in wanted for each in found["what"])


def _has_weighed(said: Assertion, wanted: Assertion, word: str) -> bool:
    """Tell whether what stood behind a word of comparing stands before it now."""
    before, compares, behind = said.folded.partition(word)
    now_before, still, _ = wanted.folded.partition(word)
    turned = (
        x.text in now_before and x.text in behind for x in wanted.units if x.text not in before
    )
    return bool(compares and still) and any(turned)


_WEIGHS: Final = (" than ", " over ", " instead of ", "胜过")


def _keeps_voice(said: Assertion, wanted: Assertion) -> bool:
    """Tell whether nobody who did something is told to have had it done to them, or by whom."""
    if "被" in wanted.folded and not _DONE_TO_ZH.search(said.folded):
        return False
    passive = _PASSIVE.search(said.folded)
    if passive and re.search(
        rf"(?<!was)(?<!were)(?<!been)(?<!got)(?<!is) {passive['did']}\b", wanted.folded
    ):
        return False
    by = _BY_WHOM.search(said.folded)
    if by and " by " not in wanted.folded and re.search(rf"\b{by['who']}\b", wanted.folded):
        return False
    for voice, other in (("被", "把"), ("把", "被")):
        turned = voice in wanted.folded and voice not in said.folded and other in said.folded
        if turned and said.subject.head == wanted.subject.head:
            return False
    return True


_PASSIVE: Final = LatePattern(
    r"\b(?:was|were|been|got) (?P<did>(?!married|engaged|divorced|born|moved)"
    r"(?:\w{3,}ed|sold|told|given|taken|left|bitten|hit|robbed|paid|taught|sent|shown|seen|caught))\b"
)

_DONE_TO_ZH: Final = LatePattern("[被让叫给遭挨受]|(?<=.)我(?!们|的|家)|把")

_BY_WHOM: Final = LatePattern(r"\bby (?:an? |the |my |our )?(?P<who>\w{3,})")
