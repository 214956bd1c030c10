"""What is shown of a memory: to people and programs as a view, to a model in a prompt.

The prompt of a reply holds as many memories as its tokens allow, others those to be judged.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from memory.changes import Used
from memory.laws import ebbinghaus, network, tiers, weights
from memory.laws.contract import HealthColour, LawContext
from memory.laws.law import Assessment
from memory.laws.registry import level_in_mind
from memory.model import (
    Active,
    Archived,
    Deleted,
    Kind,
    Level,
    Memory,
    Merged,
    Message,
    Nature,
    Origin,
    Sensitivity,
    Source,
    Standing,
    Tier,
    Topic,
    Trace,
    Words,
)
from memory.network.links import connectedness
from memory.recall import Hit
from memory.recall.newer import what_holds_now
from memory.recall.reading import line_passage
from memory.recall.said_around import (
    instant_found,
    line_learnt_from,
    lines_around,
    lines_said,
    told_as_before,
)
from memory.recall.telling import is_said_so, is_shown_text, sources_told
from memory.state import MemoryState
from prompts import PromptLine, PromptMemory
from prompts.rendering import one_line


class Amount(NamedTuple):
    """What one law counts of a memory: its quantity under the key that JSON uses."""

    law: str
    quantity: str
    value: float


@dataclass(frozen=True, kw_only=True)
class MemoryView:
    """One memory as it is seen at one instant, by people and by programs that embed the memory.

    ``past`` marks what no longer holds: it was negated or replaced, and is never told as current.
    """

    id: int
    text: str
    phrase: str
    keywords: tuple[str, ...]
    tier: Tier
    kind: Kind
    topic: Topic
    standing: Standing
    sensitivity: Sensitivity
    pinned: bool
    source_ids: tuple[str, ...]
    speaker: str
    quote: str
    verified: bool
    created_at: datetime
    past: bool
    _memory: Memory = field(repr=False)
    _state: MemoryState = field(repr=False, compare=False)
    _now: datetime = field(repr=False)

    # Worked out when first asked for: nobody waits for laws who reads words. Hence no slots.
    @cached_property
    def _context(self) -> LawContext:
        return law_context(self.id, self._state, self._now)

    @cached_property
    def _judged(self) -> Assessment:
        return self._state.rules.judge_recall(self._memory, self._context)

    @cached_property
    def amounts(self) -> tuple[Amount, ...]:
        """What each law counts, in the order of the program's laws."""
        state = self._state
        values = state.rules.amounts(self._memory, self._context, self._judged)
        return tuple(
            Amount(law.name, law.quantity.key, value)
            for law, value in zip(state.laws.each, values, strict=True)
        )

    @property
    def level(self) -> Level:
        """How much of it is left, or comes to mind where the law changes no words."""
        return level_in_mind(self._memory, self.retention, self._state.rules)

    @property
    def retention(self) -> float:
        """How much of it is left under the agent's own law, 0 to 1."""
        return self._judged.retention

    @property
    def colour(self) -> HealthColour:
        """How it is doing under the agent's own law."""
        return self._judged.colour

    @property
    def fading(self) -> bool:
        """Whether it is fading under the agent's law."""
        return self.colour is not HealthColour.GREEN

    @property
    def importance(self) -> float:
        """What the law ``tiers`` counts, ≥ 0; 0 where the program does not know that law."""
        return self.amount_of(tiers.LAW.name)

    @property
    def strength(self) -> int:
        """What the law ``ebbinghaus`` counts, 0 to 100."""
        return int(self.amount_of(ebbinghaus.LAW.name))

    @property
    def weight(self) -> float:
        """What the law ``weights`` counts, ``WEIGHT_MIN`` to ``WEIGHT_MAX``."""
        return self.amount_of(weights.LAW.name)

    @property
    def connectedness(self) -> float:
        """What the law ``network`` counts, ≥ 0."""
        return self.amount_of(network.LAW.name)

    def amount_of(self, law: str) -> float:
        """Return what the law of that name counts; 0 where the program does not know it."""
        return next((each.value for each in self.amounts if each.law == law), 0.0)


def view(memory: Memory, state: MemoryState, now: datetime) -> MemoryView:
    """Return ``memory`` of ``state`` as it is seen at ``now``; nothing is written."""
    return MemoryView(
        id=memory.id,
        text=memory.words.text,
        phrase=memory.words.phrase,
        keywords=memory.words.keywords,
        tier=memory.nature.tier,
        kind=memory.nature.kind,
        topic=memory.nature.topic,
        standing=memory.standing,
        sensitivity=memory.nature.sensitivity,
        pinned=memory.nature.pinned,
        source_ids=memory.source_ids,
        speaker=memory.origin.speaker,
        quote=memory.origin.quote,
        verified=memory.origin.verified,
        created_at=memory.trace.created_at,
        past=memory.is_past,
        _memory=memory,
        _state=state,
        _now=now,
    )


IN_DIARY: Final = "diary"
"""The tier under which a prompt shows a line that no memory holds."""


def found_memory(hit: Hit, state: MemoryState) -> Memory:
    """Return the memory of a hit; of a line that none holds, a memory of that line with id 0."""
    line = hit.line
    if hit.memory_id or line is None:
        return state.memory(hit.memory_id)
    message = line.message
    return Memory(
        id=0,
        words=Words(text=hit.quote),
        nature=Nature(tier=Tier.EPISODE),
        trace=Trace.starting_at(message.at),
        origin=Origin(
            source=Source.USER if message.role == "user" else Source.BACKGROUND,
            at=message.at,
            speaker=message.speaker,
            conversation=line.conversation,
        ),
        standing=Archived(message.at) if hit.looked_up else Active(),
        passages=(line_passage(line, hit.quote),),
    )


def law_context(memory_id: int, state: MemoryState, now: datetime) -> LawContext:
    """Return what the laws may see at ``now`` besides that memory of ``state``."""
    return state.rules.context(now, connectedness(memory_id, state))


_QUOTES_PER_MEMORY: Final = 3
_TOKENS_AROUND_A_MEMORY: Final = 12
"""Tokens a prompt adds to a memory: handle, date, tier and punctuation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptMemories:
    """The memories of one prompt, what its handles stand for, and the record of each one's use."""

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
    shown, used = list[PromptMemory](), list[Used]()
    handles: dict[str, int] = {}
    left = budget_tokens
    for group in _by_memory(told_as_before(hits)):
        # From the most quotes to one: what does not fit with all of them may fit with less.
        fitting = (
            (each, left - tokens)
            for quotes in range(min(len(group), _QUOTES_PER_MEMORY), 0, -1)
            if (each := _shown_hits(group[:quotes], state, zone))
            and (tokens := _tokens_of(each, count)) <= left
        )
        if (found := next(fitting, None)) is None:
            continue
        each, left = found
        # What was looked up has no handle: nothing can be done to what is not there any more.
        if group[0].memory_id and not group[0].looked_up:
            each = each._replace(handle=f"m{len(handles) + 1}")
            handles[each.handle] = group[0].memory_id
        shown.append(each)
        used.append(_use_of(group))
    return PromptMemories(shown=tuple(shown), handles=handles, used=tuple(used))


def _by_memory(hits: Sequence[Hit]) -> list[list[Hit]]:
    """Group hits by memory, in the order of each memory's best hit; a line alone stands alone."""
    groups: dict[int | tuple[str, ...], list[Hit]] = {}
    for hit in hits:
        groups.setdefault(hit.memory_id or hit.source_ids, []).append(hit)
    return list(groups.values())


def _shown_hits(group: Sequence[Hit], state: MemoryState, zone: ZoneInfo) -> PromptMemory | None:
    """Return hits of one memory, or one line, as a prompt has them; None if it may not show."""
    best = group[0]
    memory = state.memories.get(best.memory_id)
    if memory is not None and memory.nature.sensitivity < Sensitivity.SECRET:
        shown = _shown_memory(memory, group, zone)
        now = what_holds_now(memory, state)
        return shown._replace(instead=prompt_memory("", now, zone)) if now else shown
    # A hit may be older than the state: a memory can be purged or sealed, a line erased.
    if best.memory_id or best.line is None or best.line.key not in state.diary:
        return None
    message = best.line.message
    return PromptMemory(
        handle="",
        text=one_line(best.quote),
        when=message.at.astimezone(zone),
        tier=IN_DIARY,
        # Shown, not said: nobody's words.
        speaker=one_line(message.speaker) if best.quote in message.text else "",
        past=best.past,
        looked_up=best.looked_up,
        let_go=best.looked_up and best.line.scene > 0,
        said=lines_said(group, zone),
        own=True,
        sources=(best.line.key,),
        passed_on=best.quote not in message.text or is_shown_text(message.text),
    )


def _shown_memory(memory: Memory, group: Sequence[Hit], zone: ZoneInfo) -> PromptMemory:
    text = one_line(memory.words.text)
    quotes = [quote for hit in group if (quote := one_line(hit.quote)) and quote != text]
    return PromptMemory(
        handle="",
        text=text,
        when=instant_found(memory, group[0]).astimezone(zone),
        tier=memory.nature.tier.value,
        speaker=one_line(memory.origin.speaker),
        past=memory.is_past or group[0].past,
        quote=" … ".join(dict.fromkeys(quotes)),
        reason="→".join(f"#{step}" for step in group[0].path),
        looked_up=group[0].looked_up,
        let_go=not (memory.is_active or memory.is_past),
        said=lines_around(memory, group, zone),
        own=is_said_so(memory),
        sources=sources_told(memory),
    )


def _tokens_of(each: PromptMemory, count: Callable[[str], int]) -> int:
    instead = each.instead.text if each.instead else ""
    shown = f"{each.speaker} {each.text} {each.quote} {each.reason} {instead}"
    return _TOKENS_AROUND_A_MEMORY + count(shown)


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


MOST_JUDGED: Final = 24
"""More memories than this only distract a judge."""


def prompt_lines(said: Iterable[Message], zone: ZoneInfo) -> tuple[PromptLine, ...]:
    """Return messages as a prompt shows them; what was shown and not said stays apart."""
    return tuple(
        PromptLine(
            role=message.role,
            speaker=one_line(message.speaker),
            at=message.at.astimezone(zone),
            text=message.text,
            quoted=message.quoted,
        )
        for message in said
    )


def memories_by_handle(memories: Iterable[Memory]) -> dict[str, Memory]:
    """Return memories by the short names they have in one prompt; sealed ones are never shown."""
    # Short names instead of ids: an id that was never shown cannot be guessed into an operation.
    shown = [m for m in memories if m.nature.sensitivity < Sensitivity.SECRET][:MOST_JUDGED]
    return {f"m{n}": memory for n, memory in enumerate(shown, start=1)}


def prompt_memories(handles: Mapping[str, Memory], zone: ZoneInfo) -> tuple[PromptMemory, ...]:
    """Return memories as a prompt shows them, under their handles."""
    return tuple(prompt_memory(handle, memory, zone) for handle, memory in handles.items())


def prompt_memory(handle: str, memory: Memory, zone: ZoneInfo) -> PromptMemory:
    """Return one memory as a prompt shows it; the same words twice would say nothing."""
    text, origin = one_line(memory.words.text), memory.origin
    quote = one_line(origin.quote)
    return PromptMemory(
        handle=handle,
        text=text,
        when=origin.at.astimezone(zone),
        tier=memory.nature.tier.value,
        speaker=one_line(origin.speaker),
        past=memory.is_past,
        quote="" if quote == text else quote,
        said=line_learnt_from(memory, zone),
        own=is_said_so(memory),
        sources=sources_told(memory),
    )


def speakers_in(conversation: str, state: MemoryState, said: Sequence[Message]) -> frozenset[str]:
    """Return every person who speaks in the conversation as far as working memory reaches."""
    window = state.windows.get(conversation)
    recent = (*window.tail, *window.lines) if window else ()
    return frozenset(m.speaker for m in (*recent, *said) if m.role == "user")


def standing_name(standing: Standing) -> str:
    """Return the word for a standing: active, archived, deleted or merged."""
    match standing:
        case Active():
            return "active"
        case Archived():
            return "archived"
        case Deleted():
            return "deleted"
        case Merged():
            return "merged"
