"""Templates to HTML: everything is escaped, and no template reaches further than its values."""

import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from jinja2 import FileSystemLoader, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup, escape

from bot.desk import answers
from bot.desk.documents import Cell, Document, display_text
from bot.page.life import words_mark
from bot.texts import Sentence, page, say
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
