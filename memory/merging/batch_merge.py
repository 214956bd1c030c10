"""Merging memories that say one thing: some by hand, and many alike ones by rule in the night.

As source document 001 merges batches: into the latest activated one, mentions summed, the
originals kept.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from memory import refusals
from memory.errors import InputRefused
from memory.judgement.draft import (
    NO_TOOLS,
    AgentTools,
    Draft,
    Judgement,
    with_links_and_undo,
    with_merge,
)
from memory.judgement.permission import people_of
from memory.judgement.wording import without_dates
from memory.model import AgentSettings, Memory, Sensitivity, Source, Tier
from memory.state import MemoryState
from memory.text.bm25 import similarity
from memory.text.tokens import is_dense, tokens

ALIKE_FROM: Final = 0.75
"""The similarity from which a batch of memories becomes one (source document 001)."""

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
    Only facts are grouped: episodes stay independent copies (source document 002 §5.2).
    """
    facts = sorted(
        (m for m in memories if m.is_fact and m.is_active),
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
        texts_with: dict[str, list[str]] = {}
        for text in texts:
            for word in words[text]:
                texts_with.setdefault(word, []).append(text)
        return cls(words=words, texts_with=texts_with)

    def candidates(self, text: str) -> Iterator[str]:
        """Yield the texts worth comparing: they share rare words, and the same figures."""
        own = self.words[text]
        # Whatever shares half of these words shares one of any half and one more: the rarest half,
        # which stands in the fewest texts.
        rarest = sorted(own, key=lambda word: (len(self.texts_with[word]), word))
        figures = set(_FIGURES.findall(text))
        seen = {text}
        for word in rarest[: len(rarest) // 2 + 1]:
            for other in self.texts_with[word][:MOST_SHARING]:
                theirs = self.words[other]
                if other in seen or len(own & theirs) < LEAST_SHARED * min(len(own), len(theirs)):
                    continue
                seen.add(other)
                # 3 and 5 cups are two facts, however alike the words around them.
                if figures == set(_FIGURES.findall(other)):
                    yield other


HABIT_FROM: Final = 3
"""So many alike memories are a habit; two may be two events."""

MOST_COMPARED: Final = 2_000
"""Of what somebody said, so many facts, the latest activated, are compared in one night."""

_EMPTY_BRACKETS: Final = re.compile(r"[（(]\s*[）)]")

_COUNTED: Final = re.compile(r"（共 (\d{1,9}) 次，[^（）]*）$| \((\d{1,9}) times, [^()]*\)$")
"""How a merged memory says of how many it was made."""

_GAP: Final = re.compile(r"(?<=[\u3400-\u9fff]) +(?=[\u3400-\u9fff])")


def plan_merge(
    memory_ids: Sequence[int],
    state: MemoryState,
    now: datetime,
    *,
    text: str = "",
    tools: AgentTools = NO_TOOLS,
) -> Judgement:
    """Return the changes that make one memory of several; ``text`` or a rule says what it says.

    Raises :class:`memory.errors.UnknownMemory`, and :class:`memory.errors.InputRefused` for less
    than two memories, for anything but active facts, and for facts of different people.
    """
    memories = [state.memory(memory_id) for memory_id in dict.fromkeys(memory_ids)]
    facts = all(m.is_fact and m.is_active for m in memories)
    if len(memories) < len("ab") or not facts:
        raise InputRefused(refusals.MERGES_TWO)
    if any(memory.nature.sensitivity >= Sensitivity.SECRET for memory in memories):
        raise InputRefused(refusals.MERGES_NO_SEALED)
    if len(set(map(_author_of, memories))) > 1:
        raise InputRefused(refusals.MERGES_ONE_PERSON)
    told = text or merged_text(memories, state.agent_info.settings)
    draft = with_merge(Draft(state=state, now=now, tools=tools), memories, told, Source.USER)
    return with_links_and_undo(draft, state, "merge").judgement()


def plan_batch_merge(
    state: MemoryState,
    now: datetime,
    *,
    least: int = HABIT_FROM,
    tools: AgentTools = NO_TOOLS,
) -> Judgement:
    """Return the changes that merge what was told at least ``least`` times alike (≥ 0.75).

    Dates are left aside: ten mornings of coffee are one habit. What is past, sealed or somebody
    else's stays apart, and so does a batch that holds something pinned.
    """
    settings = state.agent_info.settings
    draft = Draft(state=state, now=now, tools=tools)
    for group in _groups_by_author(state):
        for batch in similar_batches(
            group, ALIKE_FROM, text_of=lambda m: _text_without_dates(m, settings)
        ):
            if sum(map(_count_of, batch)) >= least and not any(m.nature.pinned for m in batch):
                told = merged_text(batch, settings)
                draft = with_merge(draft, batch, told, Source.BACKGROUND)
    return with_links_and_undo(draft, state, "merge").judgement()


def merged_text(memories: Sequence[Memory], settings: AgentSettings) -> str:
    """Return what several alike memories say, how often and from when to when.

    In the words of the latest activated one, without its dates.
    """
    base = max(memories, key=lambda m: (m.trace.activated_at, m.id))
    # The dates were left out to find them alike, so when it happened is told as one span.
    days = sorted(m.trace.created_at.astimezone(settings.zone).date() for m in memories)
    said = _text_without_dates(base, settings) or base.words.text
    times = sum(map(_count_of, memories))
    span = f"{days[0]}～{days[-1]}" if days[0] != days[-1] else str(days[0])
    if is_dense(said):
        return f"{said}（共 {times} 次，{span}）"
    return f"{said} ({times} times, {span})"


def _groups_by_author(state: MemoryState) -> list[list[Memory]]:
    """Return the facts that may be merged at all, by who said them."""
    by_speaker: dict[tuple[str, frozenset[str]], list[Memory]] = {}
    for _, memory in sorted(state.memories.items()):
        secret = memory.nature.sensitivity >= Sensitivity.SECRET
        if secret or memory.is_past:
            continue
        if memory.nature.tier is Tier.FACT and memory.is_active:
            by_speaker.setdefault(_author_of(memory), []).append(memory)
    return [
        sorted(said, key=lambda m: (m.trace.activated_at, m.id))[-MOST_COMPARED:]
        for said in by_speaker.values()
    ]


def _author_of(memory: Memory) -> tuple[str, frozenset[str]]:
    """Return who said it: several people may have one name."""
    return memory.origin.speaker, people_of(memory)


def _count_of(memory: Memory) -> int:
    """Return how many memories a memory was made of, by what it says; 1 for a plain one."""
    told = _COUNTED.search(memory.words.text) if memory.lineage.merged_from else None
    return int(told[1] or told[2]) if told else 1


def _text_without_dates(memory: Memory, settings: AgentSettings) -> str:
    text = memory.words.text
    if memory.lineage.merged_from:
        text = _COUNTED.sub("", text)
    bare = without_dates(text, memory.trace.created_at, settings.zone)
    return _GAP.sub("", " ".join(_EMPTY_BRACKETS.sub("", bare).split()))
