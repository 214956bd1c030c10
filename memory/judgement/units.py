"""The units of a clause: its words, its numbers, and the classes of words that say the same.

A number is one value in any writing: 5000, 5,000, 5k, 五千 and "five thousand".

A room of its own beside the claims that are made of them: how a text is cut into what can be
compared is one question, whether somebody said it another.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from memory.judgement.lexicon import (
    AUXILIARIES,
    EN_CLASSES,
    EN_FREE,
    EN_LEMMAS,
    EN_PAST_FORMS,
    EN_TIMELESS_FORMS,
    EN_VERBS,
    EQUIVALENTS,
    ZH_CLASSES,
    ZH_FREE,
)
from memory.text.late_pattern import LatePattern
from memory.text.tokens import segmented_words, stems, tagged_words

_ZH_DIGITS: Final = {
    **{each: value for value, each in enumerate("零一二三四五六七八九")},
    "〇": 0,
    "两": 2,
    "兩": 2,
    "俩": 2,
    "仨": 3,
    "壹": 1,
}

_ZH_SCALES: Final = {"十": 10, "百": 100, "千": 1000}

_ZH_LARGE: Final = {"万": 10_000, "萬": 10_000, "亿": 100_000_000, "億": 100_000_000}

_EN_SMALL_WORDS: Final = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen
"""

_EN_SMALL: Final = {each: value for value, each in enumerate(_EN_SMALL_WORDS.split())}

_EN_TENS_WORDS: Final = """
twenty thirty forty fifty sixty seventy eighty ninety
"""

_EN_TENS: Final = {each: 10 * value for value, each in enumerate(_EN_TENS_WORDS.split(), start=2)}

_EN_SCALES: Final = {"hundred": 100, "thousand": 1000, "million": 1_000_000}

_EN_ORDINALS: Final = {"first": 1, "third": 3, "fourth": 4, "fifth": 5, "twice": 2, "dozen": 12}

_EN_VALUES: Final = {**_EN_SMALL, **_EN_TENS, **_EN_ORDINALS}

_ENGLISH_NUMERALS: Final = "|".join([*_EN_VALUES, *_EN_SCALES])

# 一 in 一起 or 一直 counts nothing; 五一 is a holiday, but both sides are read alike.
_NUMBER: Final = LatePattern(
    r"(?P<figures>[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?)(?P<scale>\s?k(?![a-z0-9])|[万萬千百亿億])?"
    r"|(?P<zh>(?:一(?![起直定样般边些点下旦切再共向律同流味时個个])|四(?!川)|三(?!亚|明市|峡)|九(?!江|寨)|[零〇二五六七八十百千万萬亿億两兩俩仨壹])"
    r"[零〇一二三四五六七八九十百千万萬亿億]*)"
    rf"|\b(?P<en>(?:{_ENGLISH_NUMERALS})(?:(?:[\s-]|\sand\s)(?:{_ENGLISH_NUMERALS}))*)\b"
)


class Numeral(NamedTuple):
    """A number of a text: where it stands, and what it is worth, written plainly."""

    start: int
    end: int
    value: str


def numerals(folded: str) -> Iterator[Numeral]:
    """Yield every number of a folded text, in order.

    >>> [each.value for each in numerals("五千, 5k, 5,000, five thousand, 一米八三")]
    ['5000', '5000', '5000', '5000', '1', '83']
    """
    for found in _NUMBER.finditer(folded):
        yield Numeral(found.start(), found.end(), _plain(_value(found)))


def _value(found: re.Match[str]) -> float:
    if found["figures"]:
        value = float(found["figures"].replace(",", ""))
        scale = (found["scale"] or "").strip()
        return value * ({**_ZH_SCALES, **_ZH_LARGE, "k": 1000}[scale] if scale else 1)
    return _chinese_value(found["zh"]) if found["zh"] else _english(found["en"])


def _plain(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".")


def _chinese_value(text: str) -> float:
    """Return the value of a Chinese numeral: by scales, or digit by digit (八三)."""
    if not any(each in _ZH_SCALES or each in _ZH_LARGE for each in text):
        return float("".join(str(_ZH_DIGITS[each]) for each in text[:40]))
    total = part = digit = 0
    scale = 1
    for each in text:
        if each in _ZH_DIGITS:
            digit = _ZH_DIGITS[each]
        elif each in _ZH_SCALES:
            scale = _ZH_SCALES[each]
            part += (digit or 1) * scale
            digit = 0
        else:
            scale = _ZH_LARGE[each]
            total, part, digit = (total + part + digit or 1) * scale, 0, 0
    # 一百八 is 180, 十八 is 18 and 三百零五 is 305.
    short = digit and scale > _ZH_SCALES["十"] and len(text) > 1 and text[-2] not in "零〇"
    return float(total + part + (digit * scale // 10 if short else digit))


def _english(text: str) -> float:
    total = part = 0
    for word in re.split(r"[\s-]+", text):
        if word == "hundred":
            part = (part or 1) * 100
        elif word in _EN_SCALES:
            total, part = total + (part or 1) * _EN_SCALES[word], 0
        else:
            part += _EN_VALUES.get(word, 0)
    return float(total + part)


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing a clause says: a word, a number, or a class of words that say the same.

    ``run`` is the unbroken Chinese it was cut from, for characters that were cut amiss.
    ``past`` tells of a word of English whether it stands in a past form; None of any other.
    """

    text: str
    key: str
    kind: str
    past: bool | None = None
    run: str = ""


_HAN: Final = "\u3400-\u9fff"

_RUN: Final = LatePattern(rf"(?P<han>[{_HAN}]+)|(?P<word>[^\W_{_HAN}]+(?:['’][a-z]+)*)")


def _alternatives(groups: Mapping[str, str]) -> LatePattern:
    return LatePattern("|".join(f"(?P<{name}>{words})" for name, words in groups.items()))


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
        "end_like": r"\b(?:hat(?:e|es|ed|ing)"
        r"|dislik(?:e|es|ed|ing)|detests?|can['’]?t (?:stand|bear))\b",
        **{name: words for name, words in EQUIVALENTS.items() if name[:2] != "zh"},
        **{f"enc_{name}": rf"\b(?:{words})\b" for name, words in EN_CLASSES.items()},
    }
)

# 讨厌 is the class of liking, denied: 我讨厌香菜 and 主人不喜欢香菜 say the same.
_AFFIRMED: Final = {"zhd_like": "zhc_like", "end_like": "en_like"}

AGES: Final = frozenset({"zhc_age", "en_years", "enc_age"})
"""The keys of words that make a number somebody's age."""

RELATED: Final[Mapping[str, frozenset[str]]] = {
    "enc_travel": frozenset({"go", "fli"}),
    "go": frozenset({"enc_travel"}),
    "zh_money": frozenset(),
}
"""Units that another may stand for, though not the other way round in general."""

ZH_EQUIVALENTS: Final = {
    name: LatePattern(words) for name, words in EQUIVALENTS.items() if name[:2] == "zh"
}

_ZH_EQUIVALENT: Final = _alternatives(
    {name: words for name, words in EQUIVALENTS.items() if name[:2] == "zh"}
)

_IS: Final = "is"
_HAVE: Final = "have"

_BE_WORDS: Final = """
is are was were am be been being
"""

_BE_WORDS0: Final = """
have has had having got own owns owned
"""

_BE: Final = frozenset(_BE_WORDS.split())
_HAVING: Final = frozenset(_BE_WORDS0.split())

_PARTICIPLE: Final = LatePattern(r"\w+(?:ing|ed)$")

_ADVERB_WORDS: Final = """
not n't never always still also now just currently really very been
"""

_ADVERB: Final = frozenset(_ADVERB_WORDS.split())


def units_of(folded: str) -> Iterator[Unit]:
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
        past = is_past(match[0].split()[0]) if name.startswith("en") else None
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
        yield from (
            each for each in _EN_WORDS.finditer(text) if each[0].isascii() or text.isascii()
        )


_LETTER: Final = LatePattern(r"[a-z$]")


def _blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _chinese(run: str) -> Iterator[Unit]:
    for cut in segmented_words(run):
        word = cut[1:] if _DEGREE.fullmatch(cut) or _LED.fullmatch(cut) else cut
        if word.endswith("人") and _is_place(word[:-1]):
            yield Unit(word[:-1], word[:-1], "han", run=run)
            word = "人"
        if word in {"是", "係", "当", "當"}:
            yield Unit(word, _IS, "class")
        elif word in {"有", "有个", "有個", "拥有"}:
            yield Unit(word, _HAVE, "class")
        elif word not in ZH_FREE and not all(each in ZH_FREE for each in word):
            parts = [word] if _same_word(word) or not all(map(_is_light, word)) else list(word)
            for each in parts:
                if each not in ZH_FREE:
                    same = _same_word(each)
                    yield Unit(each, same or each, "class" if same else "han", run=run)


def _is_place(word: str) -> bool:
    return len(word) > 1 and [tag for _, tag in tagged_words(word)] == ["ns"]


_DEGREE: Final = LatePattern(r"[好很太真挺蛮超][\u4e00-\u9fff]")

_LED: Final = LatePattern(
    r"[我俺](?!们|們)[\u4e00-\u9fff]{1,2}"
    r"|再(?=[考去来学买看试找开])[\u4e00-\u9fff]|先(?=[去学在做到买当干读来搬])[\u4e00-\u9fff]|边(?=[开做吃看走学])[\u4e00-\u9fff]"
)
"""我选 and 边开 are no words, though they are cut as such where no dictionary has them."""


def _same_word(word: str) -> str | None:
    found = _ZH_EQUIVALENT.fullmatch(word)
    return found.lastgroup if found else None


def _is_light(character: str) -> bool:
    return character in ZH_FREE or _same_word(character) is not None


def _latin(run: re.Match[str], text: str) -> Iterator[Unit]:
    word = run[0].removesuffix("'s").removesuffix("’s")
    if word == "am" and text[: run.start()].rstrip()[-1:].isdigit():
        return
    if word in _BE | _HAVING:
        after = next(
            (w for w in re.findall(r"[a-z']+", text[run.end() :][:60]) if w not in _ADVERB), ""
        )
        helps = (
            re.match(r"\s+(?:\w+ )?been\b", text[run.end() :]) is not None
            or bool(_PARTICIPLE.match(after))
            or after in EN_PAST_FORMS
            or after in {"to", "going"}
        )
        if not (helps and word != "own"):
            past = word in {"was", "were", "had"}
            yield Unit(run[0], _IS if word in _BE else _HAVE, "class", past)
        return
    if word in EN_FREE or run[0].replace("'", "").replace("’", "") in EN_FREE:
        return
    went_on = word.endswith("ing") and _WENT_ON.search(text, 0, run.start())
    yield Unit(run[0], lemma(word), "word", bool(went_on) or is_past(word))


_WENT_ON: Final = LatePattern(r"\b(?:was|were) (?:\w+ )?$")
"""Whoever was going does not go, unless it is said."""


def lemma(word: str) -> str:
    """Return what brings the forms of an English word together."""
    known = EN_LEMMAS.get(word, word)
    return (stems(EN_LEMMAS.get(known, known)) or [word])[0]


def is_past(word: str) -> bool | None:
    """Tell whether an English word stands in a past form; None where its present is the same."""
    if word in EN_TIMELESS_FORMS:
        return None
    return word in EN_PAST_FORMS or (word.endswith("ed") and len(word) > len("need"))


# Not 上, 到 or 完: they say what came of it, and 考 is not 考上.
_EMPTY: Final = frozenset("我的了着不没很就也都又还再在是个只")


def holds_word(folded: str, word: str) -> bool:
    """Tell whether a clause holds a Chinese word, or its characters near one another in order."""
    if word in folded:
        return True
    word = "".join(each for each in word if each not in _EMPTY) or word
    word = re.sub(r"(?<=[红绿蓝黄黑白紫灰粉橙])色", "", word)
    if word in folded:
        return True
    return len(word) > 1 and bool(re.search(".{0,4}?".join(map(re.escape, word)), folded))


def has_verb(folded: str) -> bool:
    """Tell whether a folded clause has a verb."""
    words = re.findall(r"[a-z]+(?:['’][a-z]+)?", folded)
    latin = any(
        word in EN_VERBS
        or word in EN_PAST_FORMS
        or word in AUXILIARIES
        or (word.endswith("ed") and len(word) > len("need"))
        or "'" in word.replace("'s", "")
        or "’" in word.replace("’s", "")
        for word in words
    )
    han = re.findall(rf"[{_HAN}]+", folded)
    return latin or any(tag.startswith("v") for run in han for _, tag in tagged_words(run))


TIME_WORD: Final = LatePattern(
    r"早[上晨]|清早|[上中下]午|傍晚|晚上|夜里|半夜|凌晨|白天|周末|平时|工作日|[春夏秋冬][天季]"
    r"|mornings?|afternoons?|evenings?|nights?|noon|days?|weeks?|weekends?|weekdays?|summers?|winters?"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
)
"""Words that say when, without a date."""
