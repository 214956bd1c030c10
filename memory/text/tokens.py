"""Cutting text into the units that search counts: words, stems and character bigrams.

Chinese is cut twice, because neither cut is right alone: words (rjieba) miss names such as 团子 in
我家猫叫团子, and bigrams miss words of one character and of more than two. English is lower-cased
and stemmed (Snowball). Every other script is kept word by word. Stop words are left out.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, Final

import Stemmer

from memory.text import segmentation
from memory.text.late_pattern import LatePattern
from memory.text.word_forms import (
    BASE_FORMS,
    CANTONESE,
    CANTONESE_CHARACTERS,
    CANTONESE_WORD,
    SIMPLIFIED,
    SURNAMES,
)
from prompts.rendering import one_line

_ENGLISH: Final = """
a about above after again against all also am an and any are aren't as at be because been before
being below between both but by can can't cannot could couldn't did didn't do does doesn't doing
don't down during each few for from further had hadn't has hasn't have haven't having he he'd
he'll he's her here here's hers herself him himself his how how's i i'd i'll i'm i've if in into is
isn't it it's its itself just let's me more most my myself no nor not of off on once only or other
our ours ourselves out over own same shall she she'd she'll she's should shouldn't so some such
than that that's the their theirs them themselves then there there's these they they'd they'll
they're they've this those through to too under until up us very was wasn't we we'd we'll we're
we've were weren't what what's when when's where where's which while who who's whom why why's will
with won't would wouldn't you you'd you'll you're you've your yours yourself yourselves
ok okay yeah yes oh hi hey hello wow um uh well really
"""

_CHINESE: Final = """
的 了 和 是 在 我 你 您 他 她 它 我们 你们 您们 他们 她们 它们 咱们 咱 自己 这 那 这个 那个
这些 那些 这样 那样 这么 那么 这里 那里 这儿 那儿 有 没有 没 不 也 都 就 还 又 很 太 更 最
再 才 只 吗 呢 吧 啊 呀 哦 嗯 哈 嘛 啦 哎 唉 噢 喔 呃 把 被 让 给 对 对于 关于 从 到 向 往
与 及 或 或者 而 而且 但 但是 因为 所以 如果 虽然 然后 以及 并 并且 之 其 其中 等 等等 着 过
地 得 会 能 可以 可 应该 要 想 上 下 里 中 什么 怎么 怎样 怎么样 如何 为什么 哪 哪个 哪些
哪里 哪儿 谁 多少 几 是否 一个 一些 一下 一 个 些 种 请 请问 好 好的 呗 哪位 啥 咋 吧 嘿 喂
时候 以 为 于 由 由于 则 即 将 已 已经 曾 曾经 正在 时 后 前
"""

STOP_WORDS: Final = frozenset((_ENGLISH + _CHINESE).split())
"""Left out of every index and every query; normalized, lower case."""

STOP_CHARACTERS: Final = frozenset(
    "的了和是在我你您他她它这那吗呢吧啊呀哦嗯嘛啦着过也都就还很与及或而"
)
"""Characters that make a bigram worthless: a word says the same better."""

_HAN: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_KANA_HANGUL: Final = "\u3040-\u30ff\uac00-\ud7af"

_EMOJI: Final = "\u2600-\u27bf\U0001f300-\U0001faff"

_RUN: Final = LatePattern(
    f"(?P<dense>[{_HAN}{_KANA_HANGUL}]+)"
    f"|(?P<word>[^\\W_{_HAN}{_KANA_HANGUL}]+(?:['’][^\\W\\d_{_HAN}{_KANA_HANGUL}]+)*)"
    f"|(?P<emoji>[{_EMOJI}])"
)

_ASCII_WORD: Final = LatePattern("[a-z0-9]+(?:'[a-z]+)*")
_DENSE: Final = LatePattern(f"[{_HAN}{_KANA_HANGUL}]")

# 吗 and 呢 make a question also without a mark, as people type in chats.
_QUESTION_END: Final = LatePattern(r"(?:[?？]|[吗呢][。.!！~～…]*)[\s\"”』」)）]*$")

_LONGEST_WORD: Final = 40  # a longer "word" is a key, a hash or noise; it is cut


def normalized(text: str) -> str:
    """Return ``text`` as it is compared: NFKC, lower case, traditional characters simplified."""
    # NFKC leaves ASCII as it is, and most English text is all ASCII.
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", text).lower().translate(_COMPARED)


LONG_TEXT: Final = 10_000
"""From so many characters on, a text is read in a thread, and what was found is kept a while."""


def tokens(text: str) -> list[str]:
    """Return the tokens by which ``text`` is found, in order and with repetitions."""
    if len(text) > LONG_TEXT:
        return list(_long_tokens(text))
    return _read_tokens(text)


def _read_tokens(text: str) -> list[str]:
    if text.isascii():  # several times as fast as to look for other scripts
        return list(filter(None, map(token_of_word, _ASCII_WORD.findall(text.lower()))))
    return [token for run in _RUN.finditer(_searched(text)) for token in _tokens_of_run(run)]


def _searched(text: str) -> str:
    """Return ``text`` as it is searched: as it is compared, and Cantonese as Mandarin."""
    if text.isascii():
        return text.lower()
    return as_mandarin(unicodedata.normalize("NFKC", text).lower())


def characters(text: str) -> list[str]:
    """Return the telling characters of ``text`` in scripts without spaces, in order.

    They carry meaning across words: 晨跑 and 跑步, 租房 and 看房 share one.
    """
    if text.isascii():
        return []
    return list(_long_characters(text)) if len(text) > LONG_TEXT else _read_characters(text)


def _read_characters(text: str) -> list[str]:
    dense = (run[0] for run in _RUN.finditer(_searched(text)) if run.lastgroup == "dense")
    return [character for run in dense for character in run if character not in STOP_CHARACTERS]


@lru_cache(maxsize=8)
def _long_tokens(text: str) -> tuple[str, ...]:
    return tuple(_read_tokens(text))


@lru_cache(maxsize=8)
def _long_characters(text: str) -> tuple[str, ...]:
    return tuple(_read_characters(text))


def read_ahead(text: str) -> None:
    """Find the tokens of a long text, so that nobody waits for them later; for a thread."""
    tokens(text)
    characters(text)


# A search asks it of all its terms, of which most were asked about before.
@lru_cache(maxsize=1 << 12)
def is_atomic(token: str) -> bool:
    """Tell whether no part of a token means anything by itself: a stem, not a Chinese word."""
    return _DENSE.match(token) is None


def keywords(text: str, limit: int = 8) -> tuple[str, ...]:
    """Return up to ``limit`` words that carry the meaning of ``text``, most telling first.

    For linking and for summaries by rule: whole words only, no bigrams, each once. A word counts
    more the oftener it occurs and the longer it is; equals stay in the order of the text.
    """
    counted: dict[str, float] = {}
    for word in words(text):
        # Length counts up to four: 拉面馆 tells more than 面, but a long English word not more.
        counted[word] = counted.get(word, 0.0) + min(len(word), 4)
    ranked = sorted(counted, key=lambda word: -counted[word])
    return tuple(ranked[: max(limit, 0)])


PHRASE_CHARACTERS: Final = 20


def phrase_of(text: str) -> str:
    """Return the short name of a text: its first words, cut at ``PHRASE_CHARACTERS``."""
    return first_words(one_line(text), PHRASE_CHARACTERS)


def first_words(line: str, most: int) -> str:
    """Return the words of a line that fit into ``most`` characters."""
    if len(line) <= most:
        return line
    cut = line[:most]
    whole = line[most] == " "
    return cut.rsplit(" ", 1)[0] if " " in cut and not whole else cut


def words(text: str) -> list[str]:
    """Return the meaningful words of ``text`` in order: unstemmed, no stop words, no bigrams.

    A Chinese word has at least two characters unless it stands alone in its run.
    """
    found: list[str] = []
    for run in _RUN.finditer(normalized(text)):
        if run.lastgroup == "dense":
            found += [word for word in segmented_words(run[0]) if _is_meaningful(word, run[0])]
        elif run.lastgroup == "word" and run[0] not in STOP_WORDS and not run[0].isdigit():
            found.append(run[0][:_LONGEST_WORD].removesuffix("'s").removesuffix("’s"))
    return [word for word in found if len(word) > 1 or not word.isascii()]


def stems(text: str) -> list[str]:
    """Return all words of ``text`` in order, segmented or stemmed, stop words included."""
    found: list[str] = []
    for run in _RUN.finditer(normalized(text)):
        if run.lastgroup == "dense":
            found += segmented_words(run[0])
        else:
            found.append(_stem(run[0][:_LONGEST_WORD].replace("’", "'")))
    return found


def is_dense(text: str) -> bool:
    """Tell whether ``text`` is written mostly without spaces (Chinese, Japanese, Korean)."""
    dense = sum(len(run[0]) for run in _RUN.finditer(text) if run.lastgroup == "dense")
    return 4 * dense > len(text)


def ends_as_question(text: str) -> bool:
    """Tell whether a text ends with a mark of a question; memory.offline.vocabulary knows more."""
    return _QUESTION_END.search(text) is not None


def _tokens_of_run(run: re.Match[str]) -> Iterator[str]:
    """Yield the tokens of a run of one script."""
    text = run[0]
    match run.lastgroup:
        case "dense":
            yield from _dense_tokens(text)
        case "word":
            if token := token_of_word(text):
                yield token
        case _:
            yield text


def _dense_tokens(text: str) -> Iterator[str]:
    """Yield bigrams, and the words that are no bigram: longer ones, and telling single ones."""
    for pair in pairwise(text):
        if not (pair[0] in STOP_CHARACTERS or pair[1] in STOP_CHARACTERS):
            yield pair[0] + pair[1]
    for word in segmented_words(text):
        if word not in STOP_WORDS and (len(word) != 1 or word not in STOP_CHARACTERS):
            yield word


def script_runs(text: str) -> Iterator[tuple[str, str]]:
    """Yield the runs of one script in ``text``, normalized, as (script, run).

    The script is ``dense`` (written without spaces), ``word`` or ``emoji``.
    """
    for run in _RUN.finditer(_searched(text)):
        yield run.lastgroup or "word", run[0]


def single_words(text: str) -> list[str]:
    """Return the telling words of one character in ``text``: 猫 in 猫怕什么.

    By the dictionary alone: the guesses of the segmenter would join them to their neighbours.
    """
    dense = (run for script, run in script_runs(text) if script == "dense")
    found = (word for run in dense for word in segmentation.cut(run, guess=False))
    return [word for word in found if len(word) == 1 and word not in STOP_CHARACTERS]


def segmented_words(text: str) -> tuple[str, ...]:
    """Return the words into which rjieba cuts a run of Chinese."""
    return segmentation.cut(text)


def tagged_words(text: str) -> list[tuple[str, str]]:
    """Return the words of a Chinese text, each with its part of speech as jieba names them."""
    return segmentation.tag(text)


def _is_meaningful(word: str, run: str) -> bool:
    return word not in STOP_WORDS and (
        len(word) > 1 or (word == run and word not in STOP_CHARACTERS)
    )


# Made at the first word: importing a module does nothing.
@cache
def _stemmer() -> Any:
    return Stemmer.Stemmer("english", 0)


@lru_cache(maxsize=1 << 14)
def _stem(word: str) -> str:
    """Return the Snowball stem of an English word, any other word as it is."""
    bare = word.removesuffix("'s").removesuffix("'")
    if not bare.isascii() or not bare.isalpha():
        return bare
    stem: str = _stemmer().stemWord(bare)
    return stem


def token_of_word(word: str) -> str:
    """Return what a word with spaces around it is found by: nothing if it is a stop word."""
    return _token_of_word(word[:_LONGEST_WORD])


# People use the same few thousand words; a bound keeps hostile text from filling the memory.
@lru_cache(maxsize=1 << 16)
def _token_of_word(word: str) -> str:
    plain = word.replace("’", "'")
    if _DRAWN_OUT.search(plain) and not _NUMERAL.fullmatch(plain):
        plain = _DRAWN_OUT.sub(r"\1", plain)
    if plain in STOP_WORDS:
        return ""
    bare = plain.removesuffix("'s")
    return _stem(BASE_FORMS.get(bare, plain))


_DRAWN_OUT: Final = LatePattern(r"([^\W\d_])\1\1+")
"""A letter that is written on and on: passedddd, sooo."""

_NUMERAL: Final = LatePattern("[ivxlcdm]+|w+")

# 著名 and 甚至 are words of simplified Chinese as well.
_COMPARED: Final = {k: v for k, v in SIMPLIFIED.items() if chr(k) not in "著甚夥"}


def as_mandarin(text: str) -> str:
    """Return ``text`` of the same length in simplified characters, Cantonese as Mandarin.

    >>> as_mandarin("佢邊度返工")
    '他哪里上班'
    """
    if text.isascii():
        return text
    return _short_in_mandarin(text) if len(text) <= _SHORT else _in_mandarin(text)


def _in_mandarin(text: str) -> str:
    simplified = text.translate(_COMPARED)
    return CANTONESE_WORD.sub(lambda word: CANTONESE[word[0]], simplified).translate(_MANDARIN)


_SHORT: Final = 1_000
# What a turn asks of a line, half a dozen rules ask, each by itself.
_short_in_mandarin: Final = lru_cache(maxsize=32)(_in_mandarin)


_MANDARIN: Final = str.maketrans(*CANTONESE_CHARACTERS)


def plainly_written(text: str) -> str:
    """Return ``text`` as rules read it, of the same length: simplified, and not in Cantonese.

    >>> plainly_written("而家我喺沙田住")
    '现在我在沙田住'
    """
    if text.isascii():
        return text
    simplified = text.translate(SIMPLIFIED)
    return CANTONESE_WORD.sub(lambda word: CANTONESE[word[0]], simplified).translate(_MANDARIN)


def names_somebody(text: str) -> list[str]:
    """Return the proper names in a text: 陈建国, 老吴, Sinead.

    >>> names_somebody("老吴送了我一条银项链")
    ['老吴']
    """
    named = [each for each in _PROPER_EN.findall(text) if each.lower() not in _NEVER_NAMES_EN]
    if not _DENSE.search(text):
        return named
    text = plainly_written(text)
    words = (word for word, tag in tagged_words(text) if tag.startswith("nr"))
    found = [*named, *NICKNAMED_ZH.findall(text), *filter(_NAMED_ZH.fullmatch, words)]
    return list(dict.fromkeys(found))


NICKNAMED_ZH: Final = LatePattern(
    r"(?<![一-鿿])[老小阿](?![板师家是说人时候心区的子孩姨公婆爸妈])[一-鿿]"
    r"|[一-鿿](?:姐|哥|叔|姨|太太|先生|阿姨)(?![姐哥妹夫])"
)

_NAMED_ZH: Final = LatePattern(
    f"[{SURNAMES}][一-鿿]{{1,2}}|[一-鿿]{{2}}|[一-鿿]{{1,2}}(?:太太|先生)"
)

_PROPER_EN: Final = LatePattern(r"(?<![\w'’])[A-Z][a-z]+(?=\b(?!['’](?:m|ve|d|ll)\b))")

_NEVER_NAMES_EN: Final = frozenset(
    re.findall(
        r"\w+",
        """
        i me my we our you your he she it they the a an this that these those there here what when
        where which whose who why how is are was were am do does did has have had can could will
        would should not no yes yeah ok and but so or if got get been going went moved just now
        today yesterday tonight last next first happy new old dad mam mum mom monday tuesday
        wednesday thursday friday saturday sunday january february march april may june july
        august september october november december still also any some all both more most
        """,
    )
)

COFFEES: Final = LatePattern(
    r"(?i)\b(?:flat white|latte|espresso|cappuccino|americano|mocha)\b|拿铁|卡布奇诺|摩卡"
)
