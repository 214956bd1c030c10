"""A deterministic life of an agent, commit by commit, for tests of what a store keeps of it."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from memory.changes import (
    AgentInfo,
    Change,
    DiaryLine,
    Drop,
    Links,
    PreviousText,
    Put,
    RememberedId,
    Undo,
)
from memory.model import AgentSettings, Archived, Link, LinkType, Memory, Message
from memory.state import MemoryState
from tests.builders import a_memory
from tests.fakes.clock import NOON

LIVING = 12
"""Memories that are written over and over, so that they move between the snapshots."""


def commit(number: int, state: MemoryState) -> tuple[list[Change], MemoryState]:
    """Return the changes of commit ``number`` (from 1) and the state after them.

    Each writes a memory, and by turns archives, brings back or drops another one; the household
    counts the commits, so a state says how many are in it.
    """
    at = NOON + timedelta(minutes=number)
    written = a_memory(1 + number % LIVING, f"主人第{number}次说起拉面 🍜 ramen", at=at)
    other = 1 + (number * 7) % LIVING
    changes: list[Change] = [Put(written), Put(RememberedId(message_id=f"m{number}"))]
    match number % 4:
        case 0:
            changes += [Drop(Memory, other), Drop(Links, other)]
        case 1:
            changes.append(Put(replace(a_memory(other, at=at), standing=Archived(at))))
        case 2:
            changes.append(
                Put(PreviousText(memory_id=other, at=at, words=written.words, passages=()))
            )
        case _:
            link = Link(target=other + 50, strength=0.5, type=LinkType.KEYWORD)
            changes.append(Put(Links(source=other, links=(link,))))
    changes += _talk(number, state, at)
    agent_info = AgentInfo(settings=AgentSettings(), counters=(("commits", float(number)),))
    changes.append(Put(agent_info))
    after, inverse = state.apply(changes)
    undo = Undo(id=number % 5, at=at, actor="law", label=f"{number}", inverse=inverse)
    return [*changes, Put(undo)], after.apply([Put(undo)])[0]


def _talk(number: int, state: MemoryState, at: datetime) -> Iterator[Change]:
    """Yield a line more, and what becomes of older ones, which may stand in a page by then."""
    text = f"第{number}句：今天吃了拉面 🍜 and said so {number}"
    said = Message(id=f"m{number}", at=at, speaker="Ann", role="user", text=text)
    yield Put(DiaryLine(message=said, conversation="c", number=state.last_line + 1))
    match number % 5:
        case 1 if (gone := f"m{number // 3}") in state.diary:
            yield Drop(DiaryLine, gone)
        case 2 if (cut := state.diary.get(f"m{number // 2}")) is not None:
            yield Put(replace(cut, scene=1 + number % LIVING))
        case 3 if (back := state.diary.get(f"m{number // 4}")) is not None:
            blotted = replace(back.message, text=f"[…] {number}")
            yield Put(replace(back, message=blotted))
        case _:
            pass


def life(commits: int) -> list[MemoryState]:
    """Return the states after no commit, one, two … up to that many."""
    states = [MemoryState()]
    for number in range(1, commits + 1):
        states.append(commit(number, states[-1])[1])
    return states


def commits_in(state: MemoryState) -> int:
    """Return how many commits a state says are in it."""
    return int(dict(state.agent_info.counters).get("commits", 0))
