"""The shape of every type hint: how any frozen dataclass becomes a document and comes back."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from memory.stores.shapes import (
    PLAIN_SHAPES,
    BadDocument,
    Shape,
    enum_shape,
    fixed_tuple,
    one_of,
    optional_shape,
    scalar_union,
    tuple_of,
    type_name,
)

TYPE_FIELD: Final = "is"
"""The field that tells the members of a closed union of dataclasses apart."""


class ShapeRegistry:
    """The shapes of type hints, each worked out when it is first asked for.

    ``special`` holds the shapes of hints that cannot be read off their parts. ``tagged`` holds
    closed unions of dataclasses, whose documents say in the field ``is`` which member they are.
    """

    def __init__(
        self, *, special: Mapping[Any, Shape], tagged: Mapping[Any, Mapping[str, type[Any]]]
    ) -> None:
        self._known: dict[Any, Shape] = {**PLAIN_SHAPES, **special}
        for union, members in tagged.items():
            self._known[union] = self._tagged_union_shape(members)

    def shape_of(self, hint: Any) -> Shape:
        """Return the shape of a type hint; raises TypeError for one nobody foresaw."""
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
    """Let a field that holds its default object share it: most memories have no lineage."""
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
    """Return the function that reads one dataclass.

    It fills the slots directly, as the generated ``__init__`` of a frozen dataclass does by a
    detour that takes twice as long; opening a hundred thousand memories is made of little else.
    """
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
    """Return what gives the fields a document does not hold their defaults."""
    defaults = {f.name: _field_default(f) for f in fields(kind)}

    def fill(made: Any, document: Mapping[str, Any]) -> None:
        for name in sorted(defaults.keys() - document.keys()):
            if defaults[name] is MISSING:
                raise BadDocument("is missing", (name,))
            kind.__dict__[name].__set__(made, defaults[name])

    return fill


def _post_init_check(kind: type[Any]) -> Callable[[Any], None] | None:
    """Return what lets a class refuse its values, if it has a say in that."""
    post_init = getattr(kind, "__post_init__", None)
    if post_init is None:
        return None

    def check(made: Any) -> None:
        try:
            post_init(made)
        except ValueError:
            raise BadDocument(f"is not fit for a {kind.__name__}") from None

    return check
