"""What the program says to people: sentences in both of its languages, and what stands in them.

A sentence is a constant with both languages side by side, so that neither can be missing. Those of
this package are in :mod:`memory.refusals`, those of ``bot`` in ``bot.texts``. Which language is
read is known where somebody reads; until then a sentence is carried along with its values.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePath
from string import Formatter
from typing import Protocol, TypeAlias, assert_never

from memory.model import Language


class Sayable(Protocol):
    """What can be put into words in either language."""

    def in_language(self, language: Language) -> str:
        """Return it in that language."""


Value: TypeAlias = str | float | PurePath | Sayable
"""What may stand in a sentence; what is sayable is said in the language of the sentence."""


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

    def in_language(self, language: Language) -> str:
        """Return a sentence that needs no values, in that language."""
        return say(language, self)


class FilledSentence:
    """A sentence with its values, for whichever language it will be read in."""

    def __init__(self, sentence: Sentence, /, **values: Value) -> None:
        self._sentence = sentence
        self._values = values

    def in_language(self, language: Language) -> str:
        """Return it in that language; raises KeyError for a missing value."""
        return say(language, self._sentence, **self._values)


class Listed:
    """Several things that are said one after another, with ``between`` between two."""

    def __init__(self, each: Iterable[Sayable], between: Value = "; ") -> None:
        self._each = tuple(each)
        self._between = between

    def in_language(self, language: Language) -> str:
        """Return all of them in that language."""
        between = str(_worded(self._between, language))
        return between.join(each.in_language(language) for each in self._each)


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


def say(language: Language, sentence: Sentence, /, **values: Value) -> str:
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
    return template.format_map({name: _worded(each, language) for name, each in values.items()})


def _worded(value: Value, language: Language) -> str | float | PurePath:
    return value if isinstance(value, (str, int, float, PurePath)) else value.in_language(language)
