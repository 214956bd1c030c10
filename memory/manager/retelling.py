"""Telling what is left of an episode when one of several people took their words out of it."""

import re
from dataclasses import replace
from typing import Final

from memory.model import Memory, Passage
from memory.text.tokens import keywords

TOLD: Final = 6
IN_SHORT: Final = 3

_HEADING: Final = re.compile(r"^\[[0-9 :-]{10,16}\] ")


def retold(memory: Memory, left: tuple[Passage, ...], gone: set[str]) -> Memory:
    """Return an episode told by the lines ``left``: its date, and the words that carry them.

    The gist it had may tell of what is ``gone`` in other words, so nothing of it is kept.
    """
    said = "\n".join(p.text for p in left if p.verbatim and p.role == "user")
    telling = keywords(said, TOLD)
    heading = _HEADING.match(memory.words.text)
    text = (heading[0] if heading else "") + ("、".join(telling[:IN_SHORT]) or "…")
    words = replace(
        memory.words, text=text, phrase=" ".join(telling[:IN_SHORT]) or "…", keywords=telling
    )
    gist = tuple(_without(p, text, gone) for p in left if not p.verbatim)
    lines = tuple(p for p in left if p.verbatim)
    return replace(
        memory, words=words, passages=(*gist, *lines), origin=replace(memory.origin, quote="")
    )


def _without(gist: Passage, text: str, gone: set[str]) -> Passage:
    sources = tuple(each for each in gist.source_ids if each not in gone)
    return replace(gist, text=text, source_ids=sources)
