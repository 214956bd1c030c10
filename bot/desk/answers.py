"""What the answers of many commands share.

Our words for values, one-line texts, confirmation and undo.
"""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Final, TypeVar

from bot.desk.command import Call
from bot.desk.documents import Block, Button, Buttons, Colour, Document, Term, Text
from bot.desk.parser import code_token
from bot.texts import Sentence, desk, desk_changes, say
from memory.laws.contract import HealthColour
from memory.laws.law import Event
from memory.lifecycle.undo import last_step
from memory.model import Kind, Language, Level, Memory, Sensitivity, Tier, Topic
from memory.views import standing_name

T = TypeVar("T")

TIERS: Final[Mapping[Tier, Sentence]] = {
    Tier.SYSTEM: desk.SYSTEM,
    Tier.CORE: desk.CORE,
    Tier.FACT: desk.FACT,
    Tier.EPISODE: desk.EPISODE,
    Tier.ENTITY: desk.ENTITY,
}

KINDS: Final[Mapping[Kind, Sentence]] = {
    Kind.IDENTITY: desk.IDENTITY,
    Kind.LASTING_PREFERENCE: desk.LASTING_PREFERENCE,
    Kind.PASSING_PREFERENCE: desk.PASSING_PREFERENCE,
    Kind.FACT: desk.PLAIN_FACT,
    Kind.SKILL: desk.SKILL,
    Kind.LESSON: desk.LESSON,
    Kind.TEMPORARY: desk.TEMPORARY,
}

TOPICS: Final[Mapping[Topic, Sentence]] = {
    Topic.PREFERENCE: desk.PREFERENCE,
    Topic.PERSONAL: desk.PERSONAL,
    Topic.MEMORY: desk.REMEMBERED,
    Topic.PROMISE: desk.PROMISE,
}

LEVELS: Final[Mapping[Level, Sentence]] = {
    Level.FULL: desk.FULL,
    Level.SUMMARY: desk.SUMMARY,
    Level.TAG: desk.TAG,
    Level.TRACE: desk.TRACE,
}

STANDINGS: Final[Mapping[str, Sentence]] = {
    "active": desk.ACTIVE,
    "archived": desk.ARCHIVED,
    "deleted": desk.DELETED,
    "merged": desk.MERGED,
}

SENSITIVITIES: Final[Mapping[Sensitivity, Sentence]] = {
    Sensitivity.PUBLIC: desk.PUBLIC,
    Sensitivity.ORDINARY: desk.ORDINARY,
    Sensitivity.SENSITIVE: desk.SENSITIVE,
    Sensitivity.SECRET: desk.SECRET,
}

BANDS: Final[Mapping[HealthColour, Sentence]] = {
    HealthColour.GREEN: desk.FIRM,
    HealthColour.YELLOW: desk.FADING,
    HealthColour.RED: desk.ALMOST_GONE,
}

COLOURS: Final[Mapping[HealthColour, Colour]] = {
    HealthColour.GREEN: Colour.GREEN,
    HealthColour.YELLOW: Colour.YELLOW,
    HealthColour.RED: Colour.RED,
}

EVENTS: Final[Mapping[Event, Sentence]] = {
    Event.MANUAL: desk.EVENT_MANUAL,
    Event.SUCCESS: desk.EVENT_SUCCESS,
    Event.FAILURE: desk.EVENT_FAILURE,
    Event.ACCESS: desk.EVENT_ACCESS,
}


def term(language: Language, names: Mapping[T, Sentence], value: T) -> Term:
    """Return one of our words for people in their language, and for programs as it is."""
    plain = value.name.lower() if isinstance(value, Level) else _plain(value)
    return Term(say(language, names[value]), plain)


def law_title(call: Call, name: str) -> str:
    """Return what people call a law of this program."""
    return call.state.laws.named(name).title.in_language(call.language)


def law_term(call: Call, name: str) -> Term:
    """Return a law for people by its title, and for programs by its name."""
    return Term(law_title(call, name), name)


def standing_term(language: Language, memory: Memory) -> Term:
    """Return the word for a memory's standing."""
    return term(language, STANDINGS, standing_name(memory.standing))


def yes_or_no(language: Language, *, so: bool) -> Term:
    """Return yes or no."""
    return Term(say(language, desk.YES if so else desk.NO), "yes" if so else "no")


def kilobytes(size: int) -> str:
    """Return how large a file of so many bytes is; what is not empty is not nothing.

    >>> kilobytes(3), kilobytes(1536)
    ('0.1 KB', '1.5 KB')
    """
    return f"{max(size / 1024, 0.1):.1f} KB"


def _plain(value: object) -> str:
    return str(getattr(value, "value", value))


LINE_LENGTH: Final = 80


def brief(text: str, length: int = LINE_LENGTH) -> str:
    """Return a text cut to a line."""
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[: length - 1]}…"


def memory_line(call: Call, memory: Memory, length: int = LINE_LENGTH) -> str:
    """Return what a memory says on one line; what no longer holds is told as such."""
    line = brief(memory.words.text, length)
    return call.say(desk.BEFORE, text=line) if memory.is_past else line


def nothing_yet(call: Call) -> Document:
    """Return that there is nothing to show."""
    return Document((Text(call.say(desk.NOTHING)),))


def one_sentence(call: Call, sentence: Sentence, /, **values: str | int) -> Document:
    """Return one sentence."""
    return Document((Text(call.say(sentence, **values)),))


def with_undo_button(call: Call, line: str, *more: Block) -> Document:
    """Return what was done, and the button that takes it back, if this step can be.

    What changed nothing leaves no step, and the button would take back another one.
    """
    blocks: list[Block] = [Text(line)] if line else []
    newest = last_step(call.writer.state)
    if newest is None or call.state.undos.get(newest.id) == newest:
        return Document((*blocks, *more))
    undo = Buttons((Button(call.say(desk_changes.UNDO), "/undo"),))
    return Document((*blocks, *more, undo))


def to_confirm(call: Call, blocks: tuple[Block, ...], command: str, code: str) -> Document:
    """Return a preview and the button that says: exactly this."""
    label = call.say(desk_changes.CONFIRM)
    stale = (Text(call.say(desk_changes.PREVIEW_CHANGED)),) if call.confirmed else ()
    return Document((*stale, *blocks, Buttons((Button(label, f"{command} {code_token(code)}"),))))


def confirmation_code(*parts: str) -> str:
    """Return the code that confirms exactly this and nothing else."""
    told = "\0".join(parts).encode("utf-8", "backslashreplace")
    return blake2b(told, digest_size=4).hexdigest()
