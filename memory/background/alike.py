"""Finding the memories that say much the same, among thousands (seed 001, batch merge)."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memory.model import Memory, Tier
from memory.text.similarity import similarity
from memory.text.tokens import tokens

ALIKE_FROM: Final = 0.75
"""The similarity from which a batch of memories becomes one (seed 001)."""

LEAST_SHARED: Final = 0.5
"""Texts that share less of the shorter one's tokens are not compared more closely."""

MOST_SHARING: Final = 100
"""Of the texts that share a word, so many of the newest are looked at."""

_FIGURES: Final = re.compile(r"[0-9]+")


def text_of(memory: Memory) -> str:
    """Return what a memory says."""
    return memory.words.text


def similar_batches(
    memories: Sequence[Memory],
    threshold: float = ALIKE_FROM,
    *,
    text_of: Callable[[Memory], str] = text_of,
) -> list[tuple[Memory, ...]]:
    """Return the groups of at least two memories that say much the same.

    Each group is everything as like its latest activated member as ``threshold``, newest first.
    Only facts are grouped: episodes stay independent copies (DESIGN §8).
    """
    facts = sorted(
        (m for m in memories if m.nature.tier in {Tier.FACT, Tier.CORE} and m.is_active),
        key=lambda m: (m.trace.activated_at, m.id),
        reverse=True,
    )
    saying: dict[str, list[Memory]] = {}
    for memory in facts:
        saying.setdefault(text_of(memory), []).append(memory)
    shelf = _TextIndex.of(list(saying))
    taken: set[str] = set()
    found: list[tuple[Memory, ...]] = []
    for text in saying:
        if text not in taken:
            near = [t for t in shelf.candidates(text) if t not in taken]
            alike = [t for t in near if similarity(text, t) >= threshold]
            taken.update((text, *alike))
            group = [m for each in (text, *alike) for m in saying[each]]
            group.sort(key=lambda m: (m.trace.activated_at, m.id), reverse=True)
            if len(group) > 1:
                found.append(tuple(group))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _TextIndex:
    """Different texts by their words, in a given order."""

    words: dict[str, frozenset[str]]
    texts_with: dict[str, list[str]]

    @classmethod
    def of(cls, texts: Sequence[str]) -> "_TextIndex":
        words = {text: frozenset(tokens(text)) for text in texts}
        having: dict[str, list[str]] = {}
        for text in texts:
            for word in words[text]:
                having.setdefault(word, []).append(text)
        return cls(words=words, having=having)

    def candidates(self, text: str) -> Iterator[str]:
        """Yield the texts worth comparing: they share rare words, and the same figures."""
        own = self.words[text]
        rarest = sorted(own, key=lambda word: (len(self.texts_with[word]), word))
        figures = set(_FIGURES.findall(text))
        seen = {text}
        for word in rarest[: len(rarest) // 2 + 1]:
            for other in self.texts_with[word][:MOST_SHARING]:
                theirs = self.words[other]
                if other in seen or len(own & theirs) < LEAST_SHARED * min(len(own), len(theirs)):
                    continue
                seen.add(other)
                if figures == set(_FIGURES.findall(other)):
                    yield other
