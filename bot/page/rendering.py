"""What goes to a browser, and what comes from one: templates to HTML, and forms.

Everything is escaped, and no template reaches further than its values. A form is either of fields,
or, where a file is brought, of parts; whether a browser of the partner's sent it from the page is
told here.
"""

import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache, partial
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl
from zoneinfo import ZoneInfo

from jinja2 import FileSystemLoader, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup, escape

from bot.desk import answers
from bot.desk.caller import LARGEST_UPLOAD
from bot.desk.documents import Cell, Document, display_text
from bot.page.life import words_mark
from bot.texts import Sentence, page, say
from bot.web import BODY_BYTES, RequestHead
from memory.laws.contract import HealthColour
from memory.model import Language, Level, Tier

_NUMBER: Final = re.compile(r"(?<![\w&#])#([0-9]{1,9})\b")

_NOT_MEMORIES: Final = frozenset({"reminders", "intentions"})
"""Tables whose numbers are not those of memories."""


@lru_cache(maxsize=1)
def page_templates() -> ImmutableSandboxedEnvironment:
    """Return the templates of the page."""
    folder = Path(__file__).parent / "templates"
    env = ImmutableSandboxedEnvironment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters |= {
        "kind": lambda block: type(block).__name__,
        "cell": _cell,
        "linked": linked,
        "data": _data_address,
        "percent": lambda share: f"{min(max(float(share), 0.0), 1.0):.0%}",
        "day": _day,
        "clock": _clock,
        "mark": words_mark,
    }
    env.globals["not_memories"] = _NOT_MEMORIES
    return env


def compile_templates() -> None:
    """Make every template ready to be used."""
    for name in page_templates().list_templates():
        page_templates().get_template(name)


@dataclass(frozen=True, slots=True)
class Page:
    """What a room answers: a template and its values, a place to go to, or data."""

    template: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    status: int = 200
    location: str = ""
    data: bytes | None = None
    name: str = ""


def go(location: str) -> Page:
    """Return the answer that sends the browser to another room."""
    return Page(location=location)


def answer(document: Document, status: int = 200) -> Page:
    """Return a document of the desk as a room of its own."""
    return Page("answer.html", {"document": document}, status)


def rendered(template: str, *, language: Language, version: str, **values: Any) -> bytes:
    """Return a template with its values in a language, as UTF-8."""
    common: Mapping[str, Any] = {
        "t": partial(label, language),
        "tier": partial(_named, language, answers.TIERS),
        "level": lambda name: _named(language, answers.LEVELS, Level[name.upper()]),
        "band": partial(_named, language, answers.BANDS),
        "bands": tuple(HealthColour),
        "tier_list": tuple(Tier),
        "language": language,
        "version": version,
        "visit": None,
        "partial": False,
    }
    text = page_templates().get_template(template).render({**common, **values})
    return text.encode("utf-8", "replace")


def label(language: Language, name: str, /, **values: str | int) -> str:
    """Return a short text of the page by its name."""
    return say(language, page.LABELS[name], **values)


def _named(language: Language, names: Mapping[Any, Sentence], value: Any) -> str:
    return say(language, names[value])


def linked(text: str) -> Markup:
    """Return a text escaped, in which #42 leads to that memory.

    >>> linked("<b> #7")
    Markup('&lt;b&gt; <a href="/memory/7">#7</a>')
    """
    parts = _NUMBER.split(str(text))
    found = [
        Markup('<a href="/memory/{0}">#{0}</a>').format(part) if n % 2 else escape(part)
        for n, part in enumerate(parts)
    ]
    return Markup().join(found)


def _cell(cell: Cell) -> str:
    return display_text(cell)


def _data_address(svg: str) -> str:
    """Return a picture as an address: as an image it can run nothing, whatever it holds."""
    return f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"


def _day(at: datetime, zone: ZoneInfo) -> str:
    return f"{at.astimezone(zone):%Y-%m-%d}"


def _clock(at: datetime, zone: ZoneInfo) -> str:
    return f"{at.astimezone(zone):%H:%M}"


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
