"""What a state must be for a program to live with it; only one that came from elsewhere is asked.

Every field of it has the right type already (``memory.stores.codec``). What is checked here no
type says: that numbers and dates are such as a life has, and that records are about something.
"""

import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from functools import cache
from operator import attrgetter
from typing import Any, Final

from memory.model import Memory
from memory.state import MemoryState
from memory.stores.shapes import BadDocument

EARLIEST_DATE: Final = datetime(1900, 1, 1, tzinfo=UTC)
LATEST_DATE: Final = datetime(2200, 1, 1, tzinfo=UTC)
LARGEST_NUMBER: Final = 1e12
LONGEST_STORED_TEXT: Final = 1_000_000

_CONTROL_CHARACTERS: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_TABLES_BY_MEMORY: Final = ("links", "weight_logs", "corrections", "former", "reviews")


def checked_state(state: MemoryState) -> MemoryState:
    """Return the state; raises :class:`BadDocument` naming the table, never the value."""
    for table in _TABLES_BY_MEMORY:
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
    if _CONTROL_CHARACTERS.search(memory.words.text):
        raise BadDocument("holds control characters", ("memories", "words"))
    _check_values(memory, ("memories",))


def _check_values(record: object, path: tuple[str, ...]) -> None:
    """Look at every value inside a record, however deep."""
    left: list[Any] = [record]
    while left:
        value = left.pop()
        wrong = _FLAW_CHECKS.get(value.__class__)
        if wrong is None:
            left.extend(_parts_taker(value.__class__)(value))
        elif complaint := wrong(value):
            raise BadDocument(complaint, path)


@cache
def _parts_taker(kind: type[Any]) -> Callable[[Any], tuple[Any, ...]]:
    """Return what takes a value of that kind apart; most have no parts."""
    if kind is tuple:
        return tuple
    names = [each.name for each in fields(kind)] if is_dataclass(kind) else []
    if len(names) > 1:
        return attrgetter(*names)
    return lambda record: tuple(getattr(record, name) for name in names)


def _text_flaw(text: str) -> str:
    return "holds a text that is too long" if len(text) > LONGEST_STORED_TEXT else ""


def _number_flaw(number: float) -> str:
    measured = -LARGEST_NUMBER <= number <= LARGEST_NUMBER
    return "" if measured else "holds a number without measure"


def _date_flaw(at: datetime) -> str:
    return "" if EARLIEST_DATE <= at <= LATEST_DATE else "holds a date outside 1900 to 2200"


_FLAW_CHECKS: Final[dict[type[Any], Callable[[Any], str]]] = {
    str: _text_flaw,
    int: _number_flaw,
    float: _number_flaw,
    datetime: _date_flaw,
}
