"""What the memory does for a question of ``benchmarks.lives``, whoever answers it.

The lines that hold an answer are those of the life that say its words; where several do, those
that share a telling word with the question, if any does. Where no line holds all of the answer one
line of each part is needed. A line stands in a prompt word for word, or as what was learnt from
it, if that says the words.
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, TypeAlias

from memory.offline import OfflineModel
from memory.ports import Streamed
from memory.recall import Hit
from memory.recall.query_terms import telling_terms
from memory.text.tokens import plainly_written
from prompts import Prompt, PromptMemory, Reply
from prompts.rendering import one_line
from tests.fakes.life import says

Row: TypeAlias = dict[str, Any]

_BORDERS: Final = (1, 5, 12)
"""Up to which place a hit is counted as found."""


class WatchedModel(OfflineModel):
    """The offline model, and the prompt it was asked last."""

    asked: Prompt | None = None

    async def stream(self, prompt: Prompt) -> AsyncIterator[Streamed]:
        self.asked = prompt
        async for piece in super().stream(prompt):
            yield piece


@dataclass(frozen=True, slots=True)
class ToldLine:
    """A line of a life: the id of its message, its words, and when it was told."""

    key: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Needed:
    """Lines one of which is needed, for words of which it says one."""

    lines: tuple[ToldLine, ...]
    words: tuple[str, ...]


def needed_for(row: Row, told: Sequence[ToldLine]) -> list[Needed]:
    """Return what an answer needs; nothing where it is told nowhere, or not in its words."""
    parts = [
        Needed(tuple(x for x in told if _says_one(x.text, words)), tuple(words))
        for words in row["must"]
    ]
    if not all(part.lines for part in parts):
        return []
    whole = tuple(x for x in told if all(x in part.lines for part in parts))
    asked = telling_terms(plainly_written(row["ask"]))
    return [Needed(_closest(whole or part.lines, asked), part.words) for part in parts]


def _closest(lines: tuple[ToldLine, ...], asked: frozenset[str]) -> tuple[ToldLine, ...]:
    close = tuple(x for x in lines if asked & telling_terms(plainly_written(x.text)))
    return close or lines


def _says_one(text: str, words: Sequence[str]) -> bool:
    plain = plainly_written(text)
    return any(says(plain, plainly_written(each)) for each in words)


def stands_in(prompt: Prompt | None, needed: Sequence[Needed]) -> bool:
    """Whether a model that reads a prompt has all that an answer needs before it."""
    if not isinstance(prompt, Reply):
        return False
    # The system message holds the persona and the rules.
    read = "\n".join(each.content for each in prompt.messages()[1:])
    return all(
        any(
            one_line(line.text) in read or any(_tells(m, line, each) for m in prompt.memories)
            for line in each.lines
        )
        for each in needed
    )


def _tells(memory: PromptMemory, line: ToldLine, needed: Needed) -> bool:
    shown = (memory, memory.instead) if memory.instead else (memory,)
    return any(
        each.when == line.at and _says_one(f"{each.text} {each.quote}", needed.words)
        for each in shown
    )


def rank_of(hits: Sequence[Hit], needed: Sequence[Needed]) -> int:
    """Return the place of the hit with which all that is needed is found; 0 if it is not."""
    places = [next((n for n, x in enumerate(hits, 1) if _finds(x, each)), 0) for each in needed]
    return max(places) if places and all(places) else 0


def _finds(hit: Hit, needed: Needed) -> bool:
    known = any(line.key in hit.source_ids for line in needed.lines)
    return known and _says_one(hit.quote, needed.words)


@dataclass(slots=True)
class AtHand:
    """What stood in the prompts of some questions, and at which place among their hits."""

    prompts: list[bool] = field(default_factory=list)
    ranks: list[int] = field(default_factory=list)

    def note(self, prompt: Prompt | None, hits: Sequence[Hit], needed: Sequence[Needed]) -> bool:
        """Count a question; returns whether the prompt had what its answer needs."""
        self.prompts.append(stands_in(prompt, needed))
        self.ranks.append(rank_of(hits, needed))
        return self.prompts[-1]

    def __str__(self) -> str:
        """Return the counts in one line."""
        near = ", ".join(
            f"{sum(0 < rank <= border for rank in self.ranks)} among the first {border}"
            for border in _BORDERS
        )
        return (
            f"the answer's line stands in {sum(self.prompts)} of {len(self.prompts)} prompts; "
            f"of the hits it is {near}"
        )
