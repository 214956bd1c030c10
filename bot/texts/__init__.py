"""Every sentence the program itself says, in both languages it speaks.

A sentence is a constant in the module of its area, with both languages side by side, so that
neither can be missing::

    # bot/texts/shell.py
    NO_MODEL = Sentence(zh="还没有设置模型 {name}。", en="No model {name} is set.")

    # where it is said
    from bot.texts import say, shell
    say(settings.language, shell.NO_MODEL, name=name)

To add a sentence, add a constant; a new area is a new module here. The tests find every module,
check both languages, and compare each ``say`` with the placeholders of its sentence.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from string import Formatter
from typing import Final, assert_never

from memory.model import Language

__all__ = ["Sentence", "language_of", "retold", "say"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One thing the program says; ``{name}`` stands for a value that is given when it is said.

    Raises ValueError if the two languages have different placeholders, or other ones than names.
    """

    zh: str
    en: str

    def __post_init__(self) -> None:
        if placeholders(self.zh) != placeholders(self.en):
            raise ValueError(f"the languages ask for different values: {self.zh!r}, {self.en!r}")

    @property
    def placeholders(self) -> frozenset[str]:
        """Return the names of the values that the sentence needs."""
        return placeholders(self.zh)


def placeholders(template: str) -> frozenset[str]:
    """Return the names in braces; raises ValueError for anything but plain ``{name}``.

    >>> sorted(placeholders("{count} 条，最早 {when}"))
    ['count', 'when']
    """
    names = set()
    for _, name, spec, conversion in Formatter().parse(template):
        if name is None:
            continue
        # "{person.name}" would let a sentence reach into the objects it is given.
        if spec or conversion or not name.isidentifier():
            raise ValueError(f"only plain names may stand in braces: {template!r}")
        names.add(name)
    return frozenset(names)


def retold(language: Language, text: str, sentences: Iterable[Sentence]) -> str:
    """Return a text that one of the sentences says in English, in a language; else as it is.

    So what a part below this one refuses, and words for whoever reads the code, reaches the
    operator in theirs. What the sentence tells of is retold as well.
    """
    if language == "en":
        return text
    known = tuple(sentences)
    for sentence in known:
        if found := _pattern_of(sentence.en).fullmatch(text):
            values = {
                name: retold(language, each, known) for name, each in found.groupdict().items()
            }
            return say(language, sentence, **values)
    return text


@cache
def _pattern_of(template: str) -> re.Pattern[str]:
    parts = (
        re.escape(text) + (f"(?P<{name}>.+?)" if name else "")
        for text, name, _, _ in Formatter().parse(template)
    )
    return re.compile("".join(parts), re.DOTALL)


def say(language: Language, sentence: Sentence, /, **values: str | int) -> str:
    """Return a sentence in that language. Raises KeyError for a missing value.

    Values are inserted as they are: braces inside a value mean nothing.
    """
    match language:
        case "zh":
            template = sentence.zh
        case "en":
            template = sentence.en
        case never:
            assert_never(never)
    return template.format_map(values)


_HAN: Final = re.compile("[\u4e00-\u9fff]")
_LATIN_WORD: Final = re.compile("[A-Za-z]{2,}")
_AROUND_A_NAME: Final = " ，。！？,.!?~～…@\n"


def language_of(text: str, usual: Language, *, words: int = 1) -> Language:
    """Return the language of what somebody said; the usual one of what could be either.

    English is what has at least so many words and nothing Chinese.

    >>> [language_of(text, "zh", words=2) for text in ("what a day", "ok", "我在 Leeds")]
    ['en', 'zh', 'zh']
    """
    if _HAN.search(text):
        return usual if text.strip(_AROUND_A_NAME) == "小祥" else "zh"
    return "en" if len(_LATIN_WORD.findall(text)) >= words else usual
