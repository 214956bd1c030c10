"""The shapes plain values have in a document, and how shapes are put together.

Reading is strict, and no complaint repeats a value: documents are private.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from enum import Enum, IntEnum
from functools import lru_cache
from math import inf, isfinite
from typing import Any, Final, NamedTuple, TypeAlias

JsonObject: TypeAlias = dict[str, Any]
"""An object as JSON has it: what one record becomes."""


class BadDocument(ValueError):
    """A document nothing can be read from, or a value no document can hold.

    ``path`` leads from the table to the field; ``reason`` never repeats the value.
    """

    def __init__(self, reason: str, path: tuple[str, ...] = ()) -> None:
        super().__init__(f"{'.'.join(path)} {reason}" if path else reason)
        self.reason = reason
        self.path = path

    def inside(self, name: str) -> "BadDocument":
        """Return the same complaint as seen from one level further out."""
        return BadDocument(self.reason, (name, *self.path))


class Shape(NamedTuple):
    """How values of one type are written and read; both raise :class:`BadDocument`."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


def type_name(value: object) -> str:
    """Return what sort of thing a value is, without the value."""
    return type(value).__name__


def unchanged_value(value: Any) -> Any:
    """Return the value: what JSON can say needs no writing."""
    return value


def exact_type(kind: type[Any]) -> Shape:
    """Return the shape of text, whole numbers or truth values: themselves, and nothing else."""

    def read(value: Any) -> Any:
        if value.__class__ is not kind:
            raise BadDocument(f"is not {kind.__name__} but {type_name(value)}")
        return value

    return Shape(unchanged_value, read)


def _finite_number(value: Any) -> float:
    """Return a finite float; a whole number may stand without a point."""
    if value.__class__ is float and -inf < value < inf:
        return value
    if value.__class__ is bool or not isinstance(value, (float, int)):
        raise BadDocument(f"is not a number but {type_name(value)}")
    if not isfinite(value):
        raise BadDocument("is not a finite number")
    return float(value)


def scalar_union(sorts: frozenset[type[Any]]) -> Shape:
    """Return the shape of a union of text, numbers and truth values."""

    def same(value: Any) -> Any:
        if value.__class__ not in sorts:
            raise BadDocument(f"is {type_name(value)}, which has no place there")
        return _finite_number(value) if value.__class__ is float else value

    return Shape(same, same)


def optional_shape(shape: Shape) -> Shape:
    """Return the shape of a value that may be None."""
    write, read = shape
    return Shape(
        lambda value: None if value is None else write(value),
        lambda document: None if document is None else read(document),
    )


def tuple_of(shape: Shape) -> Shape:
    """Return the shape of a tuple of any length."""
    write, read = shape

    def read_all(document: Any) -> tuple[Any, ...]:
        if document.__class__ is not list:
            raise BadDocument(f"is not an array but {type_name(document)}")
        return tuple([read(value) for value in document])

    return Shape(lambda values: [write(value) for value in values], read_all)


def fixed_tuple(shapes: Sequence[Shape]) -> Shape:
    """Return the shape of a tuple whose places have a shape each."""

    def write(values: Any) -> list[Any]:
        return [shape.write(value) for shape, value in zip(shapes, values, strict=True)]

    def read(document: Any) -> tuple[Any, ...]:
        if document.__class__ is not list or len(document) != len(shapes):
            raise BadDocument(f"is not an array of {len(shapes)}")
        return tuple([shape.read(value) for shape, value in zip(shapes, document, strict=True)])

    return Shape(write, read)


def one_of(members: Mapping[str, Any]) -> Shape:
    """Return the shape of a closed set of values, each written under its name."""
    names = {member: name for name, member in members.items()}

    def write(value: Any) -> str:
        if value not in names:
            raise BadDocument(f"is none of {', '.join(members)}")
        return names[value]

    def read(value: Any) -> Any:
        if value.__class__ is not str or value not in members:
            raise BadDocument(f"is none of {', '.join(members)}")
        return members[value]

    return Shape(write, read)


def enum_shape(kind: type[Enum]) -> Shape:
    """Return the shape of an enumeration: graded ones go by name, the others by value."""
    graded = issubclass(kind, IntEnum)
    return one_of({m.name.lower() if graded else m.value: m for m in kind})


@lru_cache(maxsize=1 << 14)  # most instants of a memory are one and the same
def _write_instant(at: datetime) -> str:
    if at.tzinfo is None:
        raise BadDocument("is an instant without a zone")
    try:
        return at.astimezone(UTC).isoformat().replace("+00:00", "Z")
    except OverflowError:
        raise BadDocument("is an instant outside the calendar") from None


@lru_cache(maxsize=1 << 14)
def _parse_instant(text: str) -> datetime:
    try:
        at = datetime.fromisoformat(text)
        if at.tzinfo is not None:
            return at.astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadDocument("is not an instant in ISO 8601") from None
    raise BadDocument("is an instant without a zone")


def _read_instant(text: Any) -> datetime:
    if text.__class__ is not str:
        raise BadDocument(f"is not an instant but {type_name(text)}")
    return _parse_instant(text)


def _read_date(text: Any) -> date:
    try:
        return date.fromisoformat(text)
    except (ValueError, TypeError):
        raise BadDocument("is not a date in ISO 8601") from None


PLAIN_SHAPES: Final[Mapping[type[Any], Shape]] = {
    str: exact_type(str),
    int: exact_type(int),
    bool: exact_type(bool),
    float: Shape(_finite_number, _finite_number),
    datetime: Shape(_write_instant, _read_instant),
    date: Shape(date.isoformat, _read_date),
}
"""The types whose shape depends on nothing else."""
