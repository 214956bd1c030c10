"""What a clause denies, word by word, as far as that is sure."""

from collections.abc import Mapping, Sequence
from typing import Final

from memory.judgement.assertions import Assertion
from memory.judgement.lexicon import AUXILIARIES
from memory.judgement.marks import Sense
from memory.judgement.units import Unit, has_verb
from memory.text.late_pattern import LatePattern


def keeps_denials(said: Assertion, wanted: Assertion) -> bool:
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
