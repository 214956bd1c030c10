"""The shape every type has in a JSON document: how its values are written and read back.

Shapes of plain values are listed; those of dataclasses, tuples and unions are derived from type
hints, so a record needs no serialisation code of its own. Reading is strict (but for what earlier
programs let in), and no complaint repeats a value: documents are private.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import UTC, date, datetime
from enum import Enum, IntEnum
from functools import lru_cache
from math import inf, isfinite
from sys import intern
from types import NoneType, UnionType
from typing import (
    Any,
    Final,
    Literal,
    NamedTuple,
    TypeAlias,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

JsonObject: TypeAlias = dict[str, Any]
"""An object as JSON has it: what one record becomes."""


class BadDocument(ValueError):
    """A document that cannot be read, or a value that no document can hold.

    ``path`` leads from the table to the field; ``reason`` never repeats the value.
    """

    def __init__(self, reason: str, path: tuple[str, ...] = ()) -> None:
        super().__init__(f"{'.'.join(path)} {reason}" if path else reason)
        self.reason = reason
        self.path = path

    def inside(self, name: str) -> "BadDocument":
        """Return the same complaint with its path one level longer, at the front."""
        return BadDocument(self.reason, (name, *self.path))


class Shape(NamedTuple):
    """How values of one type are written and read; both raise :class:`BadDocument`."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


def type_name(value: object) -> str:
    """Return the name of a value's type, for complaints, which never show the value."""
    return type(value).__name__


def unchanged_value(value: Any) -> Any:
    """Return the value itself, for what JSON can express as it is."""
    return value


def exact_type(kind: type[Any]) -> Shape:
    """Return the shape of whole numbers or truth values: themselves, and nothing else."""

    def read(value: Any) -> Any:
        # By class: isinstance would let True pass for the number 1.
        if value.__class__ is not kind:
            raise BadDocument(f"is not {kind.__name__} but {type_name(value)}")
        return value

    return Shape(unchanged_value, read)


_STRICT: Final = ContextVar("_STRICT", default=False)


@contextmanager
def strictly() -> Iterator[None]:
    """Read only what this program would write: what comes from elsewhere owes nothing to us."""
    before = _STRICT.set(True)
    try:
        yield
    finally:
        _STRICT.reset(before)


def _read_text(value: Any) -> str:
    """Return a text; the same text is one object, however often it stands in a store."""
    # Earlier programs took numbers and None from whoever embedded them: read as digits and as "".
    if value.__class__ is not str:
        if _STRICT.get() or (value is not None and value.__class__ is not int):
            raise BadDocument(f"is not str but {type_name(value)}")
        value = "" if value is None else str(value)
    return intern(value)


def _finite_number(value: Any) -> float:
    """Return a finite float; a whole number may be written without a point."""
    # First the usual case, which is nearly every number of a store.
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


# Most instants of a memory are one and the same.
@lru_cache(maxsize=1 << 14)
def _write_instant(at: datetime) -> str:
    if at.tzinfo is None:
        raise BadDocument("is an instant without a zone")
    try:
        return at.astimezone(UTC).isoformat().replace("+00:00", "Z")
    except OverflowError:
        raise BadDocument("is an instant outside the calendar") from None


# Nearer to an end of the calendar an instant has no date in some zone; earlier programs took it.
_FIRST_INSTANT: Final = datetime(1, 1, 3, tzinfo=UTC)
_LAST_INSTANT: Final = datetime(9999, 12, 29, tzinfo=UTC)


@lru_cache(maxsize=1 << 14)
def _parse_instant(text: str) -> datetime:
    try:
        at = datetime.fromisoformat(text)
        if at.tzinfo is not None:
            return min(max(at.astimezone(UTC), _FIRST_INSTANT), _LAST_INSTANT)
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
    str: Shape(unchanged_value, _read_text),
    int: exact_type(int),
    bool: exact_type(bool),
    float: Shape(_finite_number, _finite_number),
    datetime: Shape(_write_instant, _read_instant),
    date: Shape(date.isoformat, _read_date),
}
"""The types whose shape is given, not derived."""

TYPE_FIELD: Final = "is"
"""The field that tells the members of a closed union of dataclasses apart."""


class ShapeRegistry:
    """The shapes of type hints, each derived when it is first asked for.

    ``special`` holds the shapes of hints that cannot be derived from their parts. ``tagged``
    holds closed unions of dataclasses, whose documents say in the field ``is`` which member they
    are.
    """

    def __init__(
        self, *, special: Mapping[Any, Shape], tagged: Mapping[Any, Mapping[str, type[Any]]]
    ) -> None:
        self._known: dict[Any, Shape] = {**PLAIN_SHAPES, **special}
        for union, members in tagged.items():
            self._known[union] = self._tagged_union_shape(members)

    def shape_of(self, hint: Any) -> Shape:
        """Return the shape of a type hint; raises TypeError for a hint without one."""
        known = self._known.get(hint)
        if known is None:
            known = self._known[hint] = self._build_shape(hint)
        return known

    def _build_shape(self, hint: Any) -> Shape:
        origin, arguments = get_origin(hint), get_args(hint)
        if origin is Literal:
            return one_of({value: value for value in arguments})
        if origin is tuple and arguments[-1] is ...:
            return tuple_of(self.shape_of(arguments[0]))
        if origin is tuple:
            return fixed_tuple([self.shape_of(argument) for argument in arguments])
        if origin in (Union, UnionType):
            return self._union_shape([a for a in arguments if a is not NoneType], len(arguments))
        if is_dataclass(hint):
            return self._object_shape(hint)
        if isinstance(hint, type) and issubclass(hint, Enum):
            return enum_shape(hint)
        raise TypeError(f"no document shape is known for {hint!r}")

    def _union_shape(self, members: list[Any], count: int) -> Shape:
        """Return the shape of ``X | None``, or of a union of text, numbers and truth values."""
        if len(members) == 1:
            return optional_shape(self.shape_of(members[0]))
        if len(members) == count and set(members) <= {str, int, float, bool}:
            return scalar_union(frozenset(members))
        raise TypeError(f"no document shape is known for a union of {members!r}")

    def _tagged_union_shape(self, members: Mapping[str, type[Any]]) -> Shape:
        writers = {kind: (tag, self.shape_of(kind).write) for tag, kind in members.items()}
        readers = {tag: self.shape_of(kind).read for tag, kind in members.items()}

        def write(value: Any) -> dict[str, Any]:
            tag, write_member = writers[type(value)]
            return {TYPE_FIELD: tag, **write_member(value)}

        def read(document: Any) -> Any:
            rest = dict(document) if document.__class__ is dict else {}
            tag = rest.pop(TYPE_FIELD, None)
            if not isinstance(tag, str) or tag not in readers:
                raise BadDocument(f"is none of {', '.join(readers)}")
            return readers[tag](rest)

        return Shape(write, read)

    def _object_shape(self, kind: Any) -> Shape:
        hints = get_type_hints(kind)
        shapes = {
            f.name: _with_shared_default(f, self.shape_of(hints[f.name])) for f in fields(kind)
        }
        return Shape(_object_writer(shapes), _object_reader(kind, shapes))


def _field_default(field: "Field[Any]") -> Any:
    """Return the default of a field, or MISSING; values are frozen, so one serves everybody."""
    return field.default if field.default_factory is MISSING else field.default_factory()


def _with_shared_default(field: "Field[Any]", shape: Shape) -> Shape:
    """Return a shape that reads a document of the field's default as that very object."""
    # Most memories have no lineage: a hundred thousand of them share one object.
    default = _field_default(field)
    if not is_dataclass(default):
        return shape
    usual = shape.write(default)

    def read(document: Any) -> Any:
        return default if document == usual else shape.read(document)

    return Shape(shape.write, read)


def _object_writer(shapes: Mapping[str, Shape]) -> Callable[[Any], dict[str, Any]]:
    writers = [(name, shape.write) for name, shape in shapes.items()]

    def write(value: Any) -> dict[str, Any]:
        document = {}
        name = ""
        try:
            for name, write_field in writers:
                document[name] = write_field(getattr(value, name))
        except BadDocument as error:
            raise error.inside(name) from None
        return document

    return write


def _object_reader(kind: type[Any], shapes: Mapping[str, Shape]) -> Callable[[Any], Any]:
    """Return the function that reads one dataclass."""
    # It fills the slots directly, as the generated __init__ of a frozen dataclass does by a detour
    # that takes twice as long; opening a hundred thousand memories is made of little else.
    slots = {name: (shape.read, kind.__dict__[name].__set__) for name, shape in shapes.items()}
    size = len(slots)
    fill, check = _default_filler(kind), _post_init_check(kind)

    def read(document: Any) -> Any:
        if document.__class__ is not dict:
            raise BadDocument(f"is not an object but {type_name(document)}")
        made = object.__new__(kind)
        name = ""
        try:
            for name, value in document.items():
                read_field, put = slots[name]
                put(made, read_field(value))
        except BadDocument as error:
            raise error.inside(name) from None
        except KeyError:
            raise BadDocument("is not a field this program knows", (name,)) from None
        if len(document) < size:
            fill(made, document)
        if check:
            check(made)
        return made

    return read


def _default_filler(kind: type[Any]) -> Callable[[Any, Mapping[str, Any]], None]:
    """Return the function that sets the fields missing from a document to their defaults."""
    defaults = {f.name: _field_default(f) for f in fields(kind)}

    def fill(made: Any, document: Mapping[str, Any]) -> None:
        # Sorted: of two missing fields always the same one is named.
        for name in sorted(defaults.keys() - document.keys()):
            if defaults[name] is MISSING:
                raise BadDocument("is missing", (name,))
            kind.__dict__[name].__set__(made, defaults[name])

    return fill


def _post_init_check(kind: type[Any]) -> Callable[[Any], None] | None:
    """Return the function that lets a class refuse its values; None if it never does."""
    # object.__new__ skips __init__, which would have called it.
    post_init = getattr(kind, "__post_init__", None)
    if post_init is None:
        return None

    def check(made: Any) -> None:
        try:
            post_init(made)
        except ValueError:
            raise BadDocument(f"is not fit for a {kind.__name__}") from None

    return check
