"""What a form of the page says, and whether a browser of the partner's sent it from the page.

Nothing here knows of memories. A form is either of fields, or, where a file is brought, of parts.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qsl

from bot.desk.caller import LARGEST_UPLOAD
from bot.web import BODY_BYTES, RequestHead

FIELDS: Final = b"application/x-www-form-urlencoded"
PARTS: Final = b"multipart/form-data"

WITH_FILE: Final = "/import"
"""The one form that brings a file; it alone may be long."""

LONGEST_FORM: Final = LARGEST_UPLOAD + 64 * 1024
"""The largest file that is taken from a chat, and the fields beside it, in bytes."""

MOST_PARTS: Final = 8

_BOUNDARY: Final = re.compile(rb'boundary="?([A-Za-z0-9\'()+_,./:=? -]{1,70})"?')
_NAME: Final = re.compile(rb'; name="([a-z]{1,20})"')
_FILE: Final = re.compile(rb'; filename="([^"\r\n]{0,200})"')


@dataclass(frozen=True, slots=True)
class Form:
    """The fields of a form, and the file that came with it, if one did."""

    fields: Mapping[str, str] = field(default_factory=dict)
    file_name: str = ""
    file: bytes = b""


def refused_kind(head: RequestHead, path: bytes) -> HTTPStatus | None:
    """Refuse a form that is none of the page's, or that is long where only a file may be."""
    kind = (head.header(b"content-type") or b"").partition(b";")[0].strip().lower()
    with_file = path == WITH_FILE.encode()
    if kind != (PARTS if with_file else FIELDS):
        return HTTPStatus.UNSUPPORTED_MEDIA_TYPE
    length = head.header(b"content-length")
    if length is None or not length.isdigit():
        return HTTPStatus.LENGTH_REQUIRED
    if int(length[:18]) > (LONGEST_FORM if with_file else BODY_BYTES):
        return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    return None


def form_of(head: RequestHead, body: bytes) -> Form:
    """Return what a form says that was not refused by its head; nothing if it cannot be read."""
    kind = head.header(b"content-type") or b""
    if not kind.lower().startswith(PARTS):
        return Form(fields_of(body.decode("utf-8", "replace")))
    boundary = _BOUNDARY.search(kind)
    return _form_of_parts(body, boundary[1]) if boundary else Form()


def _form_of_parts(body: bytes, boundary: bytes) -> Form:
    """Return what the parts of RFC 7578 say, as browsers write them."""
    # Starlette's parser needs a package more, for everybody: the core has thirty, its most.
    fields: dict[str, str] = {}
    file_name, file = "", b""
    begin, *parts = (b"\r\n" + body).split(b"\r\n--" + boundary, MOST_PARTS)
    if begin or not parts or parts.pop().rstrip(b"\r\n") != b"--":
        return Form()
    for part in parts:
        about, _, content = part.partition(b"\r\n\r\n")
        name, named_file = _NAME.search(about), _FILE.search(about)
        if name is None or name[1].decode() in fields:
            return Form()
        if named_file is None:
            fields[name[1].decode()] = content.decode("utf-8", "replace")
        else:
            file_name, file = named_file[1].decode("utf-8", "replace"), content
    return Form(fields, file_name, file)


def is_foreign(head: RequestHead, origins: frozenset[str]) -> bool:
    """Whether another site had a browser send this."""
    fetched = [value for name, value in head.headers if name == b"sec-fetch-site"]
    said = [value.decode("latin-1") for name, value in head.headers if name == b"origin"]
    if len(fetched) > 1 or len(said) > 1 or not {*fetched} <= {b"same-origin", b"none"}:
        return True
    # With the referrer withheld a browser says "null"; then the form's own words decide.
    return not {*said} <= {*origins, "null"}


def fields_of(text: str) -> dict[str, str]:
    """Return the fields of a form or a query; of one given twice neither counts."""
    try:
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=40, encoding="utf-8")
    except ValueError:
        return {}
    names = [name for name, _ in pairs]
    return {name: value for name, value in pairs if names.count(name) == 1}
