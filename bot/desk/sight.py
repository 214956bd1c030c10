"""What may be seen where: in a group nothing above sensitivity 1 exists at all (DESIGN §9)."""

from dataclasses import replace
from typing import TypeVar

from immutables import Map

from memory.changes import Change, Corrections, PreviousText, Links, Put, Undo, WeightLog
from memory.model import Memory, Sensitivity
from memory.state import MemoryState

R = TypeVar("R", WeightLog, Corrections, PreviousText)


def visible_state(state: MemoryState, *, private: bool) -> MemoryState:
    """Return the part of a state that a command may show there, as if the rest were not."""
    hidden = {
        memory.id
        for memory in state.memories.values()
        if memory.nature.sensitivity > Sensitivity.ORDINARY
    }
    if private or not hidden:
        return state
    agent_info = state.agent_info
    focus = tuple(each for each in agent_info.focus if each not in hidden)
    return replace(
        state,
        memories=Map({k: m for k, m in state.memories.items() if k not in hidden}),
        links=Map(
            {k: _without_targets(e, hidden) for k, e in state.links.items() if k not in hidden}
        ),
        weight_logs=_without_keys(state.weight_logs, hidden),
        corrections=_without_keys(state.corrections, hidden),
        former=_without_keys(state.previous_texts, hidden),
        undos=Map({k: undo for k, undo in state.undos.items() if not _mentions(undo, hidden)}),
        households=Map({"household": replace(agent_info, focus=focus)}),
    )


def _without_keys(table: "Map[int, R]", hidden: set[int]) -> "Map[int, R]":
    return Map({key: record for key, record in table.items() if key not in hidden})


def _mentions(undo: Undo, hidden: set[int]) -> bool:
    """Whether an entry would show something of what may not be seen."""
    return any(_subject_of(change) in hidden for change in undo.inverse)


def _subject_of(change: Change) -> object:
    match change:
        case Put(Memory(id=memory_id)):
            return memory_id
        case Put(record):
            return record.key
        case _:
            return change.key


def _without_targets(links: Links, hidden: set[int]) -> Links:
    return replace(links, links=tuple(e for e in links.links if e.target not in hidden))
