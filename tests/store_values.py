"""Records of every kind, drawn at random from the type hints of the dataclasses themselves."""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from memory.changes import Change, Drop, Put, Record, Undo
from memory.model import Link, Message
from memory.state import TABLES

ZONES: Final = (UTC, timezone(timedelta(hours=8)), timezone(-timedelta(hours=3, minutes=30)))

texts = st.sampled_from(
    [
        "",
        "我喜欢拉面",
        "I like ramen",
        "周五去ramen店🍜",
        "🧑‍🚀",
        "مرحبا بك",
        "两行\n字\u2028\t\x00",
    ]
) | st.text(st.characters(exclude_categories=["Cs"]), max_size=8)

_PLAIN: Final[dict[Any, SearchStrategy[Any]]] = {
    str: texts,
    int: st.integers(-(2**53), 2**53),
    bool: st.booleans(),
    float: st.floats(allow_nan=False, allow_infinity=False),
    date: st.dates(),
    datetime: st.datetimes(
        datetime(1900, 1, 1),  # noqa: DTZ001
        datetime(2200, 1, 1),  # noqa: DTZ001
        timezones=st.sampled_from(ZONES),
    ),
}
_BOUNDED: Final[dict[tuple[type[Any], str], SearchStrategy[Any]]] = {
    (Message, "id"): st.text("abc123", min_size=1, max_size=4),
    (Link, "strength"): st.floats(0.0, 1.0),
}


def records(kind: type[Record]) -> SearchStrategy[Any]:
    """Return records of one kind, with every field drawn."""
    hint: Any = kind
    return _values(hint)


def changes() -> SearchStrategy[Change]:
    """Return changes of any table, but none that holds changes itself."""
    kinds = [kind for kind in TABLES if kind is not Undo]
    puts = st.sampled_from(kinds).flatmap(records).map(Put)
    drops = st.builds(Drop, st.sampled_from(kinds), st.integers(1, 9) | texts)
    return puts | drops


@cache
def _values(hint: Any) -> SearchStrategy[Any]:
    if hint in _PLAIN:
        return _PLAIN[hint]
    if hint == Change:
        return changes()
    if is_dataclass(hint) and isinstance(hint, type):
        hints = get_type_hints(hint)
        drawn = {
            f.name: _BOUNDED[hint, f.name]
            if (hint, f.name) in _BOUNDED
            else _values(hints[f.name])
            for f in fields(hint)
        }
        return st.builds(hint, **drawn)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return st.sampled_from(hint)
    return _composed(get_origin(hint), get_args(hint))


def _composed(origin: Any, arguments: tuple[Any, ...]) -> SearchStrategy[Any]:
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin is tuple and arguments[-1] is ...:
        return st.lists(_values(arguments[0]), max_size=2).map(tuple)
    if origin is tuple:
        return st.tuples(*map(_values, arguments))
    if origin in (Union, UnionType):
        return st.one_of([st.none() if a is NoneType else _values(a) for a in arguments])
    raise TypeError(origin)


def json_values() -> SearchStrategy[Any]:
    """Return anything JSON can say."""
    leaves = st.none() | st.booleans() | st.integers(-5, 5) | st.floats(-9, 9) | texts
    extend: Callable[[SearchStrategy[Any]], SearchStrategy[Any]] = lambda inner: (  # noqa: E731
        st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2)
    )
    return st.recursive(leaves, extend, max_leaves=4)
