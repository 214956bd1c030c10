"""Templates, compiled once at import into a sandbox that reads no file afterwards."""

from functools import lru_cache
from importlib.resources import files
from typing import Final

from jinja2 import DictLoader, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

SUFFIX: Final = ".j2"


@lru_cache(maxsize=1)
def environment() -> ImmutableSandboxedEnvironment:
    """Return the one environment; the first call reads and compiles every template."""
    folder = files("prompts") / "templates"
    sources = {
        entry.name.removesuffix(SUFFIX): entry.read_text(encoding="utf-8")
        for entry in folder.iterdir()
        if entry.name.endswith(SUFFIX)
    }
    made = ImmutableSandboxedEnvironment(
        loader=DictLoader(sources),
        undefined=StrictUndefined,
        autoescape=False,  # plain text for a model, not HTML; values are framed as data
        trim_blocks=True,
        lstrip_blocks=True,
    )
    for name in sources:
        made.get_template(name)
    return made


def render(template: str, prompt: object) -> str:
    """Render ``template`` with ``prompt`` as its only variable; an unknown field is an error."""
    return environment().get_template(template).render(p=prompt)
