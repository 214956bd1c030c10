"""What the partner decides about memories by hand: plans only, each can be taken back."""

from dataclasses import replace
from datetime import datetime
from typing import Final

from memory.background.birth import phrase_of
from memory.background.writing import CORRECTIONS_KEPT
from memory.changes import Change, Correction, Corrections, Put
from memory.laws.events import Event, after_event
from memory.manager.happenings import plan_events
from memory.manager.undo import Actor, with_undo
from memory.model import Level, Memory, Passage, Sensitivity, only_speaker
from memory.settings import AgentSettings
from memory.state import MemoryState
from memory.text.tokens import keywords
from memory.working import emptied_window
from prompts.plain import one_line

PARTNER: Final[Actor] = "partner"


def plan_edit(state: MemoryState, memory_id: int, text: str, now: datetime) -> tuple[Change, ...]:
    """Return the changes that let a memory say ``text``, in its place, with its history.

    What the partner corrected is confirmed and counts as mentioned. Verbatim lines stay: they
    are what was said. Raises :class:`UnknownMemory`; the same words again change nothing.
    """
    memory = state.memory(memory_id)
    said = after_edit(memory, text, now, _settings(state))
    if said is None:
        return ()
    known = state.corrections.get(memory_id)
    before, after = memory.words.text, said.words.text
    entry = Correction(at=now, reason="edit", before=before, after=after)
    history = (*(known.entries if known else ()), entry)[-CORRECTIONS_KEPT:]
    changes = (Put(said), Put(Corrections(memory_id=memory_id, entries=history)))
    return with_undo(state, changes, now, actor=PARTNER, label="edit")


def after_edit(memory: Memory, text: str, now: datetime, settings: AgentSettings) -> Memory | None:
    """Return a memory as it says ``text`` from now on; None if it says so already."""
    written = one_line(text)
    if written == memory.words.text:
        return None
    return after_event(_with_text(memory, written, now), Event.MENTION, now, settings)


def plan_pin(
    state: MemoryState, memory_id: int, now: datetime, *, pinned: bool
) -> tuple[Change, ...]:
    """Return the changes that pin a memory, so that no law takes it, or let go of it again."""
    memory = state.memory(memory_id)
    if memory.nature.pinned is pinned:
        return ()
    after = replace(memory, nature=replace(memory.nature, pinned=pinned))
    label = "pin" if pinned else "unpin"
    return with_undo(state, (Put(after),), now, actor=PARTNER, label=label)


def plan_sensitivity(
    state: MemoryState, memory_id: int, grade: Sensitivity, now: datetime
) -> tuple[Change, ...]:
    """Return the changes that make a memory as private as ``grade``."""
    memory = state.memory(memory_id)
    if memory.nature.sensitivity is grade:
        return ()
    after = replace(memory, nature=replace(memory.nature, sensitivity=grade))
    return with_undo(state, (Put(after),), now, actor=PARTNER, label="sensitivity")


def plan_settings(
    state: MemoryState, settings: AgentSettings, now: datetime, label: str
) -> tuple[Change, ...]:
    """Return the changes that let an agent live by other settings from now on."""
    if settings == _settings(state):
        return ()
    change = Put(replace(state.agent_info, settings=settings))
    return with_undo(state, (change,), now, actor=PARTNER, label=label)


def plan_reset(state: MemoryState, conversation: str, now: datetime) -> tuple[Change, ...]:
    """Return the changes that let a conversation begin anew; what is remembered stays.

    What was said waits to be summarised, as what leaves the window always does.
    """
    window = state.windows.get(conversation)
    if window is None or not window.lines:
        return ()
    return with_undo(state, (Put(emptied_window(window)),), now, actor=PARTNER, label="reset")


def plan_reinforce(
    state: MemoryState, memory_id: int, event: Event, now: datetime
) -> tuple[Change, ...]:
    """Return the changes of an event the partner let happen to a memory."""
    state.memory(memory_id)
    changes = plan_events(state, [(memory_id, event)], now)
    return with_undo(state, changes, now, actor=PARTNER, label="reinforce")


def _with_text(memory: Memory, text: str, now: datetime) -> Memory:
    passages = tuple(p for p in memory.passages if p.verbatim)
    sources = tuple(i for p in memory.passages if not p.verbatim for i in p.source_ids)
    gist = Passage(
        text=text,
        source_ids=sources or memory.source_ids,
        at=memory.origin.at,
        speaker=memory.origin.speaker,
        speaker_id=only_speaker(p for p in memory.passages if not p.verbatim),
    )
    level = max(memory.words.level, Level.SUMMARY)
    words = replace(
        memory.words, text=text, phrase=phrase_of(text), keywords=keywords(text), level=level
    )
    return replace(
        memory,
        words=words,
        passages=(gist, *passages),
        origin=replace(memory.origin, verified=True),
        trace=replace(memory.trace, updated_at=now),
    )


def _settings(state: MemoryState) -> AgentSettings:
    return state.agent_info.settings
