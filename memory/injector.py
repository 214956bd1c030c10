"""Putting what was recalled into a prompt: as data, best first, within a budget of tokens."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from memory.changes import Used
from memory.model import Memory, Sensitivity
from memory.recall import Hit
from memory.state import MemoryState
from prompts import PromptMemory
from prompts.plain import one_line

_QUOTES_PER_MEMORY: Final = 3
_TOKENS_AROUND_A_MEMORY: Final = 12
"""Tokens a prompt adds to a memory: handle, date, tier and punctuation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptMemories:
    """The memories of one prompt, what its handles stand for, and the record of their use."""

    shown: tuple[PromptMemory, ...] = ()
    handles: dict[str, int] = field(default_factory=dict)
    used: tuple[Used, ...] = ()


def memories_within_budget(
    hits: Sequence[Hit],
    state: MemoryState,
    *,
    budget_tokens: int,
    zone: ZoneInfo,
    count: Callable[[str], int],
) -> PromptMemories:
    """Return as many of ``hits`` as fit into ``budget_tokens``, best first, as a prompt has them.

    The passages of one memory are shown together under one handle (``m1``, ``m2``…). What does
    not fit is left out, and a shorter one after it may still fit. What is sealed is never shown.
    ``count`` counts tokens.
    """
    shown: list[PromptMemory] = []
    used: list[Used] = []
    left = budget_tokens
    for group in _by_memory(hits):
        memory = state.memories.get(group[0].memory_id)
        if memory is None or memory.nature.sensitivity >= Sensitivity.SECRET:
            continue
        each = _shown_within(f"m{len(shown) + 1}", memory, group, left, zone=zone, count=count)
        if each is None:
            continue
        left -= _tokens_of(each, count)
        shown.append(each)
        used.append(_use_of(group))
    handles = {each.handle: record.memory_id for each, record in zip(shown, used, strict=True)}
    return PromptMemories(shown=tuple(shown), handles=handles, used=tuple(used))


def _by_memory(hits: Sequence[Hit]) -> list[list[Hit]]:
    """Group hits by memory, in the order of each memory's best hit."""
    groups: dict[int, list[Hit]] = {}
    for hit in hits:
        groups.setdefault(hit.memory_id, []).append(hit)
    return list(groups.values())


def _shown_within(
    handle: str,
    memory: Memory,
    group: Sequence[Hit],
    left: int,
    *,
    zone: ZoneInfo,
    count: Callable[[str], int],
) -> PromptMemory | None:
    """Return the memory with as many quotes as ``left`` tokens hold; None if not even one."""
    for quotes in range(min(len(group), _QUOTES_PER_MEMORY), 0, -1):
        each = _shown_memory(handle, memory, group[:quotes], zone)
        if _tokens_of(each, count) <= left:
            return each
    return None


def _shown_memory(
    handle: str, memory: Memory, group: Sequence[Hit], zone: ZoneInfo
) -> PromptMemory:
    text = one_line(memory.words.text)
    quotes = [quote for hit in group if (quote := one_line(hit.quote)) and quote != text]
    return PromptMemory(
        handle=handle,
        text=text,
        when=_instant_found(memory, group[0]).astimezone(zone),
        tier=memory.nature.tier.value,
        speaker=one_line(memory.origin.speaker),
        past=memory.is_past,
        quote=" … ".join(dict.fromkeys(quotes)),
        reason="→".join(f"#{step}" for step in group[0].path),
    )


def _instant_found(memory: Memory, best: Hit) -> datetime:
    """Return the instant of the passage that was found, the memory's own without one."""
    for passage in memory.passages:
        if passage.text == best.quote and passage.source_ids[:1] == best.source_ids[:1]:
            return passage.at
    return memory.origin.at


def _tokens_of(each: PromptMemory, count: Callable[[str], int]) -> int:
    return _TOKENS_AROUND_A_MEMORY + count(
        f"{each.speaker} {each.text} {each.quote} {each.reason}"
    )


def _use_of(group: Sequence[Hit]) -> Used:
    best = group[0]
    return Used(
        memory_id=best.memory_id,
        score=best.score,
        reasons=best.reasons,
        associated=bool(best.path),
        source_ids=tuple(dict.fromkeys(i for hit in group for i in hit.source_ids)),
        path=best.path,
    )
