"""How recall tells a memory, and how it tells that one is gone (seed 002 §5.3 and §7.1)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from memory.model import Level, Memory
from memory.network.names import normalised_name
from memory.settings import Language

REMEMBERED: Final = "[记忆]"
ONCE_KNOWN: Final = "[曾记得]"
MAX_TEXT: Final = 600
MAX_QUOTE: Final = 200
MAX_QUOTES: Final = 3

_PAST: Final = {"zh": "以前：", "en": "Before: "}
_FORGOTTEN: Final = {
    "zh": "与“{known}”有关{relation}的事，已经想不起来了。",
    "en": "Something about “{known}”{relation} that no longer comes to mind.",
}
_RELATION: Final = {"zh": "（{}）", "en": " ({})"}


@dataclass(frozen=True, slots=True)
class Keywords:
    """What recall is asked for: words of any script; none match everything."""

    patterns: tuple[re.Pattern[str], ...]

    @classmethod
    def of(cls, words: Iterable[str]) -> "Keywords":
        """Return the keywords as they are looked for.

        A word in Latin letters is found at the beginning of words (``interview`` in "interviews",
        ``art`` not in "party"), every other one anywhere in the text.
        """
        plain = dict.fromkeys(filter(None, map(normalised_name, words)))
        return cls(tuple(map(_pattern, plain)))

    def count(self, text: str) -> int:
        """Return how many of the keywords occur in ``text``."""
        plain = normalised_name(text)
        return sum(1 for pattern in self.patterns if pattern.search(plain))

    def match(self, text: str) -> bool:
        """Whether any keyword occurs in ``text``, or none was asked for."""
        return not self.patterns or self.count(text) > 0


def searchable_text(memory: Memory) -> str:
    """Return all that is left of a memory to be matched, its verbatim messages included."""
    said = (p.text for p in memory.passages if p.verbatim and memory.words.level is Level.FULL)
    return "\n".join((memory.words.text, memory.words.phrase, *memory.words.keywords, *said))


def memory_text(memory: Memory, keywords: Keywords, language: Language) -> str:
    """Return what recall says of a memory: its text, and the words said that were asked for."""
    past = memory.trace.negated_at is not None or memory.lineage.replaced_by is not None
    text = (_PAST[language] if past else "") + _clipped(memory.words.text, MAX_TEXT)
    return "\n".join((f"{REMEMBERED} {text}", *_quotes(memory, keywords)))


def forgotten_text(source: Memory, relation: str, language: Language) -> str:
    """Return what recall says of a link of ``source`` whose target is forgotten."""
    known = _clipped(source.words.phrase or source.words.text, MAX_QUOTE)
    named = _RELATION[language].format(relation) if relation else ""
    return f"{ONCE_KNOWN} {_FORGOTTEN[language].format(known=known, relation=named)}"


def _quotes(memory: Memory, keywords: Keywords) -> Sequence[str]:
    if memory.words.level is not Level.FULL or not keywords.patterns:
        return ()
    said = (
        f"{passage.speaker}：{_clipped(passage.text, MAX_QUOTE)}"
        for passage in memory.passages
        if passage.verbatim
        and passage.text not in memory.words.text
        and keywords.match(passage.text)
    )
    return tuple(said)[:MAX_QUOTES]


def _pattern(word: str) -> re.Pattern[str]:
    latin = word[0].isascii() and word[0].isalnum()
    return re.compile(("(?<![a-z0-9])" if latin else "") + re.escape(word))


def _clipped(text: str, limit: int) -> str:
    """Return ``text`` on one line, so that no text can look like a separator, and cut to size."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
