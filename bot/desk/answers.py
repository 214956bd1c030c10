"""What the answers of many commands share, so that they look and behave alike.

The names of stored values in both languages, texts cut to a line, tables of memories, pages,
previews that wait for a confirmation, and the undo button. Also every block as plain lines, with
tables that fit on a phone: what a platform falls back to where it cannot render one natively.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import blake2b
from typing import Final, TypeVar, assert_never

from bot.desk import documents
from bot.desk.command import PAGE_LENGTH, Call, past_the_last, sealed_word
from bot.desk.documents import Block, Button, Buttons, Colour, Document, Table, Term, Text
from bot.desk.parser import code_token
from bot.texts import Sentence, desk, desk_changes, say, transfer
from memory.changes import Change, PastReview
from memory.laws.contract import HealthColour
from memory.laws.law import Event
from memory.learning.reviewer import BY_RULE
from memory.lifecycle.undo import PARTNER, last_step
from memory.model import Kind, Language, Level, Memory, Message, Sensitivity, Tier, Topic
from memory.network.index import NetworkIndex
from memory.offline.reviews import reason_text
from memory.state import MemoryState
from memory.views import standing_name

T = TypeVar("T")

MOST_SHOWN: Final = 20
"""So many rows of each kind stand in a preview."""

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

DECISIONS: Final[Mapping[str, Sentence]] = {
    "promote": desk.DECISION_PROMOTE,
    "keep": desk.DECISION_KEEP,
    "delete": desk.DECISION_DELETE,
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
    """Return a stored value as a word for people, and as it is for programs."""
    # Level is an ordered enum of numbers; a program is told its name, like that of the others.
    plain = value.name.lower() if isinstance(value, Level) else _plain(value)
    return Term(say(language, names[value]), plain)


def law_title(call: Call, name: str) -> str:
    """Return what people call a law of this program."""
    return call.state.laws.named(name).title.in_language(call.language)


def law_term(call: Call, name: str) -> Term:
    """Return a law for people by its title, and for programs by its name."""
    return Term(law_title(call, name), name)


def standing_term(language: Language, memory: Memory) -> Term:
    """Return a memory's standing as a term."""
    return term(language, STANDINGS, standing_name(memory.standing))


def yes_or_no(language: Language, *, so: bool) -> Term:
    """Return yes or no as a term."""
    return Term(say(language, desk.YES if so else desk.NO), "yes" if so else "no")


def kilobytes(size: int) -> str:
    """Return a number of bytes in kilobytes; small files are never shown as 0.0.

    >>> kilobytes(3), kilobytes(1536)
    ('0.1 KB', '1.5 KB')
    """
    return f"{max(size / 1024, 0.1):.1f} KB"


def _plain(value: object) -> str:
    return str(getattr(value, "value", value))


LINE_LENGTH: Final = 80

# Shorter than a line: on a phone the id and a second column stand beside it.
PREVIEW_LENGTH: Final = 60


def brief(text: str, length: int = LINE_LENGTH) -> str:
    """Return a text on one line, cut to ``length`` characters."""
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[: length - 1]}…"


def memory_line(call: Call, memory: Memory, length: int = LINE_LENGTH) -> str:
    """Return what a memory says on one line; what no longer holds is marked as such."""
    line = brief(f"{memory.words.text} {sealed_word(call, memory)}".rstrip(), length)
    return call.say(desk.BEFORE, text=line) if memory.is_past else line


def review_text(call: Call, past: PastReview) -> str:
    """Return what a review decided, and why or by whom."""
    if past.by == PARTNER:
        return call.say(desk.DECIDED_BY_PARTNER)
    decided = call.say(DECISIONS[past.decision])
    reason = reason_text(past.reason, call.language) if past.reason else ""
    who = call.say(desk.DECIDED_BY_RULE) if past.by == BY_RULE else brief(past.by)
    return " · ".join(filter(None, (decided, reason, who)))


def preview_table(call: Call, memories: Sequence[Memory], *, name: str) -> Table:
    """Return memories as a table of ids and short texts; programs find it under ``name``."""
    rows = tuple((f"#{m.id}", memory_line(call, m, PREVIEW_LENGTH)) for m in memories)
    return Table(("id", "text"), (call.say(desk.ID), call.say(desk.TEXT)), rows, name=name)


def lines_table(call: Call, said: Sequence[Message], *, name: str) -> Table:
    """Return lines of talk as a table of days and short texts."""
    rows = tuple((call.date(m.at), brief(m.text, PREVIEW_LENGTH)) for m in said)
    return Table(("when", "text"), (call.say(desk.WHEN), call.say(desk.TEXT)), rows, name=name)


def first_of(
    call: Call,
    found: Sequence[T],
    table: Callable[[Sequence[T]], Table],
    most: int = MOST_SHOWN,
) -> Iterator[Block]:
    """Yield a table of the first things that were found, and how many more there are."""
    if found:
        yield table(found[:most])
    if len(found) > most:
        yield Text(call.say(desk_changes.AND_MORE, count=len(found) - most))


def first_names(names: Sequence[str]) -> str:
    """Return the first of some names in one line, which says so if there are more."""
    return " · ".join([*names[:MOST_SHOWN], *(["…"] if len(names) > MOST_SHOWN else [])])


def nothing_yet(call: Call) -> Document:
    """Return the answer of a command that finds no memory at all."""
    return one_sentence(call, desk.NOTHING)


def one_sentence(call: Call, sentence: Sentence, /, **values: str | int) -> Document:
    """Return an answer of one sentence."""
    return Document((Text(call.say(sentence, **values)),))


def page_of(call: Call, items: Sequence[T], command: str) -> tuple[Sequence[T], tuple[Block, ...]]:
    """Return the items on the page that was asked for, and the button to the next page, if any."""
    page, limit = max(call.given.number("page", 1), 1), call.given.number("limit", PAGE_LENGTH)
    page = min(page, max(-(-len(items) // limit), 1))
    shown = items[(page - 1) * limit : page * limit]
    if page * limit >= len(items):
        return shown, past_the_last(call, len(items))
    further = Button(call.say(desk.NEXT_PAGE), f"{command} --page {page + 1}")
    return shown, (Buttons((further,)),)


def with_undo_button(call: Call, line: str, *more: Block) -> Document:
    """Return what was done, and the button that undoes it, if it can be undone."""
    blocks: list[Block] = [Text(line)] if line else []
    newest = last_step(call.writer.state)
    # What changed nothing left no step of its own: the button would undo an earlier one.
    if newest is None or call.state.undos.get(newest.id) == newest:
        return Document((*blocks, *more))
    undo = Buttons((Button(call.say(desk_changes.UNDO), "/undo"),))
    return Document((*blocks, *more, undo))


def to_confirm(
    call: Call, blocks: tuple[Block, ...], command: str, code: str, *, person: str = ""
) -> Document:
    """Return a preview and the button that confirms exactly what is shown, for that person."""
    button = Button(call.say(desk_changes.CONFIRM), f"{command} {code_token(code)}", person)
    return Document((*stale_note(call), *blocks, Buttons((button,))))


def stale_note(call: Call) -> tuple[Block, ...]:
    """Return the note above a preview whose confirmation no longer fits; else nothing."""
    return (Text(call.say(desk_changes.PREVIEW_CHANGED)),) if call.confirmed else ()


def confirmation_code(*parts: str) -> str:
    """Return the code that confirms exactly this preview and no other.

    It depends on what is shown, so that a confirmation given for one state of the memory does
    nothing to another. It is no secret: whoever may confirm may also see the preview.
    """
    # Joined with a character that no part holds, so that ("ab", "c") and ("a", "bc") differ.
    shown = "\0".join(parts).encode("utf-8", "backslashreplace")
    return blake2b(shown, digest_size=4).hexdigest()


async def apply_as_shown(
    call: Call, plan: Callable[[MemoryState, NetworkIndex], Sequence[Change]]
) -> None:
    """Apply a confirmed plan, which is empty if the memory is no longer as it was shown.

    Raises :class:`~bot.desk.command.CommandRefused` then: between the check of the code and the
    commit, a turn may have been learnt from.
    """
    if not await call.writer.steer(plan):
        raise call.refusal(desk_changes.PREVIEW_CHANGED)


BAR_WIDTH: Final = 10

LIGHTS: Final = {
    documents.Colour.GREEN: "🟢 ",
    documents.Colour.YELLOW: "🟡 ",
    documents.Colour.RED: "🔴 ",
    documents.Colour.PLAIN: "",
}


def document_text(document: documents.Document) -> str:
    """Return a document as plain lines, its blocks apart."""
    return "\n\n".join(filter(None, map(as_text, document.blocks)))


def as_text(block: documents.Block) -> str:
    """Return a block as lines that any platform can show, also in a proportional font."""
    match block:
        case documents.Text(text):
            return text
        case documents.Picture(alt=alt):
            return alt
        case documents.File(alt=alt, path=path):
            return f"📎 {path}" if path else alt
        case listed:
            return "\n".join(_lines_of(listed))


def _lines_of(
    block: documents.Table | documents.Facts | documents.Tree | documents.Bars | documents.Buttons,
) -> Iterator[str]:
    """Yield one line for each row, fact, branch, bar or button."""
    match block:
        case documents.Table(rows=rows):
            yield from (" · ".join(filter(None, map(documents.display_text, row))) for row in rows)
        case documents.Facts(entries):
            yield from (f"{name}: {documents.display_text(value)}" for _, name, value in entries)
        case documents.Tree(root):
            yield root.label
            yield from _tree_lines(root)
        case documents.Bars(bars):
            yield from map(_bar_line, bars)
        case documents.Buttons(buttons):
            yield from (f"▸ {button.label}: {button.command}" for button in buttons)
        case never:
            assert_never(never)


def bar_text(bar: documents.Bar, width: int = BAR_WIDTH) -> str:
    """Return a bar of ``width`` letters; anything above 0 fills at least one of them."""
    share = min(max(bar.share, 0.0), 1.0)
    filled = max(round(share * width), 1 if share > 0 else 0)
    return "█" * filled + "░" * (width - filled)


def _bar_line(bar: documents.Bar) -> str:
    label = f"{LIGHTS[bar.colour]}{documents.display_text(bar.label)}"
    return f"{label} {bar_text(bar)} {bar.value}".rstrip()


def _tree_lines(branch: documents.Branch, before: str = "") -> Iterator[str]:
    last = len(branch.branches) - 1
    for number, each in enumerate(branch.branches):
        yield f"{before}{'└' if number == last else '├'} {each.label}"
        yield from _tree_lines(each, before + ("  " if number == last else "│ "))


# Measured on a telephone 390 points wide; a wider table is wrapped and cannot be read.
PHONE_COLUMNS: Final = 38
"""How many columns of a monospaced font a phone shows in one line."""


@dataclass(frozen=True, slots=True)
class TableItem:
    """A row of a table as an item of a list: its first cell, its longest one, and the others."""

    first: str
    main: str
    rest: tuple[str, ...]


def table_items(table: documents.Table) -> tuple[TableItem, ...]:
    """Return the rows of a table as items; the main cell is the same column in each."""
    rows = [tuple(map(documents.display_text, row)) for row in table.rows]
    weight = [
        sum(documents.display_width(row[n]) for row in rows) for n in range(len(table.columns))
    ]
    main = max(range(1, len(weight)), key=weight.__getitem__, default=0)
    return tuple(
        TableItem(
            row[0],
            row[main] if main else "",
            tuple(
                named
                for n in range(1, len(row))
                if n != main and (named := _labelled_cell(table.columns[n], row[n]))
            ),
        )
        for row in rows
    )


def _labelled_cell(column: str, cell: str) -> str:
    """Return a cell as it stands without its column: a bare number needs the column's name."""
    return f"{column} {cell}" if cell.replace(".", "").isdigit() else cell


def age_text(call: Call, age: timedelta) -> str:
    """Return an age in the unit in which it is at least two: minutes, hours or days."""
    minutes = max(int(age.total_seconds() // 60), 1)
    if minutes < 2 * 60:
        return call.say(transfer.MINUTES, count=minutes)
    hours = minutes // 60
    if hours < 2 * 24:
        return call.say(transfer.HOURS, count=hours)
    return call.say(transfer.DAYS, count=hours // 24)


def how_together(one: Memory, other: Memory) -> Sentence:
    """Return how two memories came together: said so, cut from one stretch, or used so."""
    if not set(one.source_ids).isdisjoint(other.source_ids):
        return desk.LINK_CO_TURN
    if not one.origin.turn_id or one.origin.turn_id != other.origin.turn_id:
        return desk.LINK_USED_TOGETHER
    # All episodes of a stretch bear its id, and it may go over days.
    episodes = {one.nature.tier, other.nature.tier} == {Tier.EPISODE}
    return desk.LINK_ONE_STRETCH if episodes else desk.LINK_CO_TURN
