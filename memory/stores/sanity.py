"""What a state must be for a program to live with it; only one that came from elsewhere is asked.

Every field of it has the right type already (``memory.stores.codec``). What is checked here no
type says: that numbers and dates are such as a life has, and that records are about something.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import fields
from datetime import UTC, date, datetime
from functools import cache
from typing import Any, Final

from memory.model import Memory
from memory.state import MemoryState
from memory.stores.shapes import BadDocument

EARLIEST: Final = datetime(1900, 1, 1, tzinfo=UTC)
LATEST: Final = datetime(2200, 1, 1, tzinfo=UTC)
LARGEST_NUMBER: Final = 1e12
LONGEST_TEXT: Final = 1_000_000

_ABOUT_A_MEMORY: Final = ("links", "weight_logs", "corrections", "former", "reviews")


def checked(state: MemoryState) -> MemoryState:
    """Return the state; raises :class:`BadDocument` naming the table, never the value."""
    for table in _ABOUT_A_MEMORY:
        if any(key not in state.memories for key in getattr(state, table)):
            raise BadDocument("tells of a memory that is not there", (table,))
    for memory in state.memories.values():
        _check_memory(memory)
    for undo in state.undos.values():
        _check_values(undo, ("undos",))
    for name in ("windows", "turns", "tasks", "receipts", "former", "weight_logs", "links"):
        for record in getattr(state, name).values():
            _check_values(record, (name,))
    return state


def _check_memory(memory: Memory) -> None:
    if any(unicodedata.category(c) == "Cc" and c not in "\n\t\r" for c in memory.words.text):
        raise BadDocument("holds control characters", ("memories", "words"))
    _check_values(memory, ("memories",))


def _check_values(value: Any, path: tuple[str, ...]) -> None:
    """Look at every value inside a record, however deep."""
    for each in _leaves(value):
        if isinstance(each, str):
            if len(each) > LONGEST_TEXT:
                raise BadDocument("holds a text that is too long", path)
        elif isinstance(each, datetime):
            if not EARLIEST <= each <= LATEST:
                raise BadDocument("holds a date outside 1900 to 2200", path)
        elif not -LARGEST_NUMBER <= each <= LARGEST_NUMBER:
            raise BadDocument("holds a number without measure", path)


def _leaves(value: Any) -> Iterator[str | float | datetime]:
    kind = value.__class__
    if kind is str or kind is float or kind is int or kind is datetime:
        yield value
    elif kind is tuple:
        for each in value:
            yield from _leaves(each)
    elif kind is not date and hasattr(kind, "__dataclass_fields__"):
        for name in _names(kind):
            yield from _leaves(getattr(value, name))


@cache
def _names(kind: type[Any]) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind))
