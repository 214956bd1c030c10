"""How alike two short texts are, to find near-duplicates of one fact in Chinese and English.

Made for facts of one sentence, not for long texts.
"""

import re
from typing import Final

from memory.text.tokens import STOP_CHARACTERS, STOP_WORDS, normalized, stems

# 主人 and 用户 name the same person in different memories, so they count for nothing.
_PARTNER: Final = frozenset(["主人", "用户", "对方", "本人", "咱们", "user", "partner"])
# The lookarounds leave out words in which the character denies nothing: 特别, 别人, 不错, 没关系.
_NEGATION: Final = re.compile(
    r"(?<![特分区类识级个差])别(?![人的墅致称扭处])|不(?![错仅但过断同管久止如])|没(?!关系)|无法|未曾?|从未|再也不|拒绝|戒"
    r"|\b(?:not|no|never|cannot|without|stopped|quit)\b|n['’]t\b"
)
_DISLIKE: Final = re.compile("讨厌|厌恶|反感|恨|hate|dislike|loathe|can['’]t stand")
_NUMBER: Final = re.compile(
    r"\d+(?:\.\d+)?|[一二两三四五六七八九十百千万]+(?=[个只岁年月日号点次块元米公])"
)
_LIKING: Final = re.compile(
    "(?:最|很|特别|非常|挺|超|真)?(?:喜欢|喜爱|热爱|钟爱|爱(?=[吃喝看听玩读]))"
    r"|\b(?:(?:really|very much|absolutely) )?(?:lik|lov|enjoy|ador)(?:es?|ed|ing|s)?\b"
)
_OPPOSED_SHARE: Final = 0.3
"""The share of their likeness that two opposed texts keep: one negated, or other numbers."""


def similarity(a: str, b: str) -> float:
    """Return how alike two texts are in what they say, 0..1; symmetric, 1 for equal texts.

    Dice over meaningful characters (Chinese) and stems (the rest), less what *each* says that
    the other does not: 我喜欢喝咖啡 and 主人喜欢咖啡 are close, 喜欢小猫 and 喜欢小狗 are not.
    Two texts are never close if only one is negated or if their numbers differ.
    """
    if normalized(a).split() == normalized(b).split():
        return 1.0
    left, right = _weighted_units(a), _weighted_units(b)
    if not left or not right:
        return 0.0
    sizes = sorted((sum(left.values()), sum(right.values())))
    shared = sum(min(left[unit], right[unit]) for unit in left.keys() & right.keys())
    dice = 2.0 * shared / sum(sizes)
    # Dice alone would call two texts close that differ in the one word that matters. What the
    # shorter one says beyond the longer one counts against it; one contained in it loses nothing.
    likeness = max(dice - (sizes[0] - shared) / sizes[0], 0.0)
    return likeness * (_OPPOSED_SHARE if _are_opposed(a, b) else 1.0)


def _are_opposed(a: str, b: str) -> bool:
    return _denies(a) != _denies(b) or _numbers(a) != _numbers(b)


def _denies(text: str) -> bool:
    """Tell whether a text is negative; two negations cancel (不讨厌)."""
    plain = normalized(text)
    return (len(_NEGATION.findall(plain)) + len(_DISLIKE.findall(plain))) % 2 == 1


def _numbers(text: str) -> frozenset[str]:
    return frozenset(_NUMBER.findall(normalized(text)))


def _weighted_units(text: str) -> dict[str, float]:
    """Return the units of a text and their weights; all ways of liking are one unit."""
    plain = _LIKING.sub(" ❤ ", normalized(text))
    found: dict[str, float] = {}
    for word in stems(plain):
        if word in STOP_WORDS or word in _PARTNER:
            continue
        for unit in [word] if word.isascii() else word:
            if unit not in STOP_CHARACTERS:
                # A stem weighs as much as the two characters of an average Chinese word.
                found[unit] = 2.0 if len(unit) > 1 else 1.0
    return found
