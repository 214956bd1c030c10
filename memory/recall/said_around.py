"""The lines a memory was found by and those around them, for rules that answer without a model.

An answer often stands beside the line that was found: the question has the words, the reply to it
what is asked for.
"""

from collections.abc import Sequence
from typing import Final
from zoneinfo import ZoneInfo

from memory.model import Level, Memory, Tier
from memory.recall.ranking import Hit
from prompts import PromptLine
from prompts.rendering import one_line

LINES_AROUND: Final = 2
"""How many lines before and after a found one are handed on."""


def lines_said(hits: Sequence[Hit], zone: ZoneInfo) -> tuple[PromptLine, ...]:
    """Return the lines of the diary that were found, as they were said."""
    found = ((hit.line.message, hit.quote) for hit in hits if hit.line is not None)
    return tuple(
        PromptLine(said.role, said.speaker, said.at.astimezone(zone), one_line(quote))
        for said, quote in found
    )


def lines_around(memory: Memory, hits: Sequence[Hit], zone: ZoneInfo) -> tuple[PromptLine, ...]:
    """Return the lines an episode was found by and, while it is whole, two on either side."""
    if memory.nature.tier is not Tier.EPISODE:
        return ()
    if memory.words.level is not Level.FULL:
        return lines_said(hits, zone)
    whole = [passage for passage in memory.passages if passage.verbatim]
    quotes = {hit.quote for hit in hits}
    found = [place for place, passage in enumerate(whole) if passage.text in quotes]
    return tuple(
        PromptLine(each.role, each.speaker, each.at.astimezone(zone), one_line(each.text))
        for place, each in enumerate(whole)
        if any(abs(place - at) <= LINES_AROUND for at in found)
    )
