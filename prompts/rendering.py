"""Rendering templates, which are compiled once into a sandbox that reads no file afterwards."""

from datetime import datetime
from functools import lru_cache
from hashlib import blake2s
from importlib.resources import files
from typing import Final

from jinja2 import DictLoader, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from prompts.plain import one_line, plain

TEMPLATE_SUFFIX: Final = ".j2"
LANGUAGES: Final = ("zh", "en")
_WEEKDAYS: Final = {
    "zh": ("星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"),
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
}


# A sandbox although the templates are ours: what they show was written by others.
@lru_cache(maxsize=1)
def template_environment() -> ImmutableSandboxedEnvironment:
    """Return the one environment; the first call reads and compiles every template."""
    made = ImmutableSandboxedEnvironment(
        loader=DictLoader(template_sources()),
        undefined=StrictUndefined,  # a missing value is an error, not a gap nobody sees
        autoescape=False,  # plain text for a model, not HTML; values are framed as data
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        plain=plain,
        one_line=one_line,
        seal=_envelope_mark,
        day=_day,
        minute=_minute,
        weekday=_weekday,
    )
    for name in template_sources():
        made.get_template(name)
    return made


@lru_cache(maxsize=1)
def template_sources() -> dict[str, str]:
    """Return the text of every template by its name, ``zh/reply_material`` for example."""
    folder = files(__package__) / "templates"
    return {
        f"{language}/{entry.name.removesuffix(TEMPLATE_SUFFIX)}": entry.read_text(encoding="utf-8")
        for language in LANGUAGES
        for entry in (folder / language).iterdir()
        if entry.name.endswith(TEMPLATE_SUFFIX)
    }


def render(template: str, language: str, **values: object) -> str:
    """Render ``template`` in ``language`` with exactly ``values``; a missing one is an error.

    Any language but Chinese is served in English.
    """
    name = f"{'zh' if language.startswith('zh') else 'en'}/{template}"
    return template_environment().get_template(name).render(values).strip()


@lru_cache(maxsize=len(LANGUAGES))
def default_persona(language: str) -> str:
    """Return the persona of 小祥 in ``language``, used unless a partner wrote another one."""
    name = "zh" if language.startswith("zh") else "en"
    return (files(__package__) / "persona" / f"{name}.md").read_text(encoding="utf-8").strip()


def _envelope_mark(content: object) -> str:
    """Return a mark for the envelope around ``content``: foreign text cannot hold its own digest.

    The same content has the same mark, so that prompts are reproducible.
    """
    return blake2s(repr(content).encode("utf-8", "backslashreplace")).hexdigest()[:8]


def _day(at: datetime, now: datetime) -> str:
    return f"{at.astimezone(now.tzinfo):%Y-%m-%d}"


def _minute(at: datetime, now: datetime) -> str:
    return f"{at.astimezone(now.tzinfo):%Y-%m-%d %H:%M}"


def _weekday(at: datetime, language: str) -> str:
    return _WEEKDAYS[language][at.weekday()]
