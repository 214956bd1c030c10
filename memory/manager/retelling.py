"""Telling what is left of an episode when one of several people took their words out of it."""

import re
from dataclasses import replace
from typing import Final

from memory.model import Memory, Passage
from memory.text.tokens import keywords

GIST_KEYWORDS: Final = 6
PHRASE_KEYWORDS: Final = 3

_HEADING: Final = re.compile(r"^\[[0-9 :-]{10,16}\] ")


def rewritten_episode(memory: Memory, left: tuple[Passage, ...], gone: set[str]) -> Memory:
    """Return an episode told by the lines ``left``: its date, and the words that carry them.

    The gist it had may tell of what is ``gone`` in other words, so nothing of it is kept.
    """
    said = "\n".join(p.text for p in left if p.verbatim and p.role == "user")
    telling = keywords(said, GIST_KEYWORDS)
    heading = _HEADING.match(memory.words.text)
    text = (heading[0] if heading else "") + ("、".join(telling[:PHRASE_KEYWORDS]) or "…")
    words = replace(
        memory.words,
        text=text,
        phrase=" ".join(telling[:PHRASE_KEYWORDS]) or "…",
        keywords=telling,
    )
    gist = tuple(_gist_without(p, text, gone) for p in left if not p.verbatim)
    lines = tuple(p for p in left if p.verbatim)
    return replace(
        memory, words=words, passages=(*gist, *lines), origin=replace(memory.origin, quote="")
    )


def _gist_without(gist: Passage, text: str, gone: set[str]) -> Passage:
    sources = tuple(each for each in gist.source_ids if each not in gone)
    return replace(gist, text=text, source_ids=sources)
