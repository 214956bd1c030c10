"""Documents as JSON, whole, so that both ends of the hatch show the same."""

from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, Final

from bot.desk.documents import (
    Bar,
    Bars,
    Branch,
    Button,
    Buttons,
    Colour,
    Document,
    Facts,
    File,
    Picture,
    Table,
    Term,
    Text,
    Tree,
)
from memory.errors import InputRefused

_KINDS: Final[Mapping[str, Any]] = {
    kind.__name__: kind
    for kind in (
        *(Bar, Bars, Branch, Button, Buttons, Colour, Document, Facts),
        *(File, Picture, Table, Term, Text, Tree),
    )
}
_KIND_KEY: Final = "is"


def to_data(value: object) -> Any:
    """Return a document, or anything in one, as JSON can say it."""
    if isinstance(value, Enum):
        return {_KIND_KEY: type(value).__name__, "value": value.value}
    if isinstance(value, bytes):
        return {_KIND_KEY: "bytes", "value": b64encode(value).decode("ascii")}
    if isinstance(value, tuple):
        return [to_data(each) for each in value]
    if is_dataclass(value):
        told = {each.name: to_data(getattr(value, each.name)) for each in fields(value)}
        return {_KIND_KEY: type(value).__name__, **told}
    return value


def document_from(data: object) -> Document:
    """Return the document in what :func:`to_data` made; raises :class:`InputRefused`."""
    try:
        document = _from_data(data)
    except (KeyError, TypeError, ValueError) as error:
        raise InputRefused("the running program answered what no document is") from error
    if not isinstance(document, Document):
        raise InputRefused("the running program answered what no document is")
    return document


def _from_data(data: Any) -> Any:
    if isinstance(data, list):
        return tuple(map(_from_data, data))
    if not isinstance(data, dict):
        return data
    if data[_KIND_KEY] == "bytes":
        return b64decode(data["value"], validate=True)
    return _KINDS[data[_KIND_KEY]](
        **{name: _from_data(value) for name, value in data.items() if name != _KIND_KEY}
    )
