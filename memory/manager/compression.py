"""How a memory is reduced to a level without asking any model (DESIGN §6.3, §6.5)."""

from dataclasses import replace
from typing import Final

from memory.model import Level, Memory, Passage, Words

PHRASE_LENGTH: Final = 20


def at_level(memory: Memory, level: Level) -> Memory:
    """Return what is left of a memory at ``level``; a level never rises.

    Summary keeps the gist and loses the verbatim passages, tag keeps phrase and keywords, trace
    the phrase. The memory still knows every message it came from.
    """
    if level >= memory.words.level:
        return memory
    words = _words_at_level(memory.words, level)
    gist = " ".join((words.text, *words.keywords)) if level is Level.TAG else words.text
    return replace(memory, words=words, passages=_only_gist(memory, gist))


def _words_at_level(words: Words, level: Level) -> Words:
    if level is Level.SUMMARY:
        return replace(words, level=level)
    phrase = words.phrase or words.text[:PHRASE_LENGTH]
    keywords = words.keywords if level is Level.TAG else ()
    return replace(words, text=phrase, phrase=phrase, keywords=keywords, level=level)


def _only_gist(memory: Memory, gist: str) -> tuple[Passage, ...]:
    """Return one passage that carries all message ids, dated like the first passage."""
    if not memory.passages:
        return ()
    first = next((p for p in memory.passages if not p.verbatim), memory.passages[0])
    passage = replace(first, text=gist, source_ids=memory.source_ids, verbatim=False)
    return (passage,)
