"""Every sentence the program itself says.

In every language it speaks.

A sentence is a constant of the module of its area, both languages side by side, so that neither
can be missing::

    # bot/texts/shell.py
    NO_MODEL = Sentence(zh="还没有设置模型 {name}。", en="No model {name} is set.")

    # where it is said
    from bot.texts import doctor, say
    say(settings.language, doctor.NO_MODEL, name=name)

To add sentences, add constants; a new area is a new module here. The tests find every module,
check both languages, and compare each ``say`` with the placeholders of what it says.
"""

from dataclasses import dataclass
from string import Formatter
from typing import assert_never

from memory.model import Language

__all__ = ["Sentence", "say"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One thing the program says. ``{name}`` stands for a value given when it is said.

    Raises ValueError if the languages ask for different values, or for more than plain names.
    """

    zh: str
    en: str

    def __post_init__(self) -> None:
        if placeholders(self.zh) != placeholders(self.en):
            raise ValueError(f"the languages ask for different values: {self.zh!r}, {self.en!r}")

    @property
    def placeholders(self) -> frozenset[str]:
        """Return the names of the values it needs."""
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
        if spec or conversion or not name.isidentifier():
            raise ValueError(f"only plain names may stand in braces: {template!r}")
        names.add(name)
    return frozenset(names)


def say(language: Language, sentence: Sentence, /, **values: str | int) -> str:
    """Return the sentence in that language; raises KeyError for a value that is missing.

    Values are put in as they are: braces inside a value mean nothing.
    """
    match language:
        case "zh":
            template = sentence.zh
        case "en":
            template = sentence.en
        case never:
            assert_never(never)
    return template.format_map(values)
