"""Formatting answers for Telegram: plain text with entities, in messages of legal length.

Entities instead of markup make a parse error at Telegram impossible. Every block of an answer is
formatted by itself. The library that reads Markdown drops what it takes for HTML and the like; a
block that would lose anything by it is formatted by the few rules of :func:`_simple_block`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, TypeAlias, assert_never

import telegramify_markdown
from telegram import MessageEntity
from telegramify_markdown import RenderConfig

from bot.adapters.markdown import (
    JOINT,
    SMALLEST_LIMIT,
    CodePart,
    MarkdownPart,
    ProsePart,
    TablePart,
    markdown_parts,
    split,
    utf16_units,
)
from bot.desk.answers import PHONE_COLUMNS
from bot.desk.documents import display_width
from memory.text.segmentation import has_visible_text

_EMPHASIS: Final = re.compile(r"\*{1,3}(?=\S)([^*\n]+?)\*{1,3}|~~([^~\n]+)~~|`+([^`\n]+)`+")
_LINK: Final = re.compile(r"!?\[([^\]\n]*)\]\((\S+?)\)")
_BREAK: Final = re.compile(r"<br\s*/?>", re.IGNORECASE)


def aligned_columns(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as lines whose columns align in a monospaced font."""
    # By display width and not by length: a Chinese character takes two columns.
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            cell + " " * (widest - display_width(cell))
            for cell, widest in zip(row, widths, strict=True)
        )
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def fits_phone(text: str) -> bool:
    """Whether a phone shows monospaced lines without breaking them."""
    return max(map(display_width, text.splitlines()), default=0) <= PHONE_COLUMNS


def table_text(table: TablePart) -> tuple[str, tuple[MessageEntity, ...]]:
    """Return a table as text: aligned if a phone has room for it, else row by row.

    Row by row, each cell follows the name of its column, and the first of them is bold.
    """
    head = [_plain_cell(each) for each in table.head]
    rows = [[_plain_cell(each) for each in row] for row in table.rows]
    aligned = aligned_columns([each for each in [head, *rows] if any(each)] or [[""]])
    if fits_phone(aligned):
        return aligned, (MessageEntity(MessageEntity.PRE, 0, utf16_units(aligned)),)
    text = ""
    entities = []
    for row in rows or [[""] * len(head)]:
        cells = [
            f"{name}：{cell}" if name else cell
            for name, cell in zip(head or ("",) * len(row), row, strict=True)
        ]
        text += "\n" if text else ""
        entities.append(
            MessageEntity(MessageEntity.BOLD, utf16_units(text), utf16_units(cells[0]))
        )
        text += "\n  ".join([cells[0], *filter(None, cells[1:])])
    return text, tuple(each for each in entities if each.length)


def _plain_cell(cell: str) -> str:
    """Return the words of a cell; of a link also its address."""
    text = _LINK.sub(lambda found: f"{found[1]} {found[2]}".strip(), cell)
    text = _EMPHASIS.sub(lambda found: next(filter(None, found.groups()), ""), text)
    return _BREAK.sub(" ", text).replace("\\|", "|").replace(JOINT, "").strip()


LIMIT: Final = 4096
"""UTF-16 units a message may have."""

ENTITIES: Final = 100
"""Entities a message may have; Telegram ignores those beyond."""

_SUPPORTED: Final = frozenset(
    {
        MessageEntity.BOLD,
        MessageEntity.ITALIC,
        MessageEntity.UNDERLINE,
        MessageEntity.STRIKETHROUGH,
        MessageEntity.SPOILER,
        MessageEntity.BLOCKQUOTE,
        MessageEntity.EXPANDABLE_BLOCKQUOTE,
        MessageEntity.CODE,
        MessageEntity.PRE,
        MessageEntity.TEXT_LINK,
    }
)
_ADDRESS: Final = re.compile(r"(?:https?|tg)://[^\s/].*|mailto:.+|tel:.+", re.ASCII)
_MARKUP: Final = frozenset("*_~`#>|-+=[]()!\\.:<&;$") | frozenset(" \t\r\n\v\f\u00a0\u3000")
"""What Markdown may use up; everything else must still be there after formatting."""


_STAR: Final = "\ufdd1"
"""A noncharacter that stands for a star meant as one."""

_RAW: Final = re.compile(r"\*\*|^ {0,3}#{1,6} ", re.MULTILINE)
_HEADING: Final = re.compile(r"^ {0,3}#{1,6}[ \t]+(?P<words>[^\n]*?)[ \t]*#*\n?$")
_BULLET: Final = re.compile(r"^([ \t]*)[-*+][ \t]+(?=\S)")
_INLINE: Final = re.compile(
    r"(?<!`)(?P<ticks>`+)(?!`)(?P<code>[^\n]*?[^`\n])(?P=ticks)(?!`)"
    r"|\*\*(?P<bold>[^*\n]+?)\*\*"
    r"|(?<![\w*])\*(?P<italic>[^\s*](?:[^*\n]*[^\s*])?)\*(?![\w*])"
    r"|\[(?P<label>[^\]\n]+)\]\((?P<url>https?://[^\s()]+)\)"
)


@dataclass(frozen=True, slots=True)
class FormattedMessage:
    """One message: its text and its formatting. Offsets count UTF-16 units."""

    text: str
    entities: tuple[MessageEntity, ...] = ()


def formatted_messages(markdown: str) -> tuple[FormattedMessage, ...]:
    """Return Markdown as formatted messages; none if there is nothing to see."""
    return tuple(
        message
        for part in split(markdown, limit=LIMIT, measure=utf16_units)
        if has_visible_text(part.body)
        for message in _formatted_part(part.text)
    )


def plain_messages(text: str) -> tuple[FormattedMessage, ...]:
    """Return a text that is still growing as messages without formatting."""
    return tuple(FormattedMessage(part) for part in _message_texts(text))


def without_markup(text: str) -> str:
    """Return the characters of a text that cannot be markup."""
    return "".join(each for each in text if each not in _MARKUP)


def _message_texts(text: str) -> Iterator[str]:
    for part in split(text, limit=LIMIT, measure=utf16_units):
        if has_visible_text(part.body):
            yield part.text.strip("\r\n")


def _formatted_part(source: str) -> Iterator[FormattedMessage]:
    """Yield a part of an answer as one message, or as several if formatting made it too long."""
    message = _trimmed_message(*_joined(map(_formatted_block, _blocks(source))))
    if utf16_units(message.text) <= LIMIT:
        if has_visible_text(message.text):
            yield message
        return
    # An address, a bullet or the columns of a table may take more room than their Markdown did.
    room = max(utf16_units(source) // 2, SMALLEST_LIMIT)
    for part in split(source, limit=room, measure=utf16_units):
        if has_visible_text(part.body):
            yield from _formatted_part(part.text)


Formatted: TypeAlias = tuple[str, tuple[MessageEntity, ...]]
"""A text and its entities, not yet a message."""


def _blocks(markdown: str) -> Iterator[MarkdownPart]:
    """Yield the blocks of a text: what stands between empty lines, code, and tables."""
    for part in markdown_parts(markdown, JOINT):
        if not isinstance(part, ProsePart):
            yield part
            continue
        block = ""
        for piece in re.split(r"(\n[ \t]*\n\s*?(?=\S|$))", part.source):
            # What is indented goes on with what is above it: by itself it would be code.
            if block.endswith("\n") and block.strip() and piece.strip() and piece[0] not in " \t":
                yield ProsePart(block)
                block = ""
            block += piece
        if block:
            yield ProsePart(block)


def _formatted_block(block: MarkdownPart) -> Formatted:
    """Return a block with its formatting and the empty lines around it."""
    match block:
        case TablePart():
            text, entities = table_text(block)
            return f"\n{text}\n\n", tuple(_moved(each, 1, 0) for each in entities)
        case CodePart(source) | ProsePart(source):
            lead = source[: len(source) - len(source.lstrip("\n"))]
            tail = source[len(source.rstrip("\n")) :]
            body = source.strip("\n")
            if not body.strip():
                return source, ()
            text, entities = _by_library(body) or _simple_block(body)
            before = len(lead)
            moved = tuple(_moved(each, before, 0) for each in entities)
            return f"{lead}{text}{tail}", moved
        case never:
            assert_never(never)


def _by_library(source: str) -> Formatted | None:
    """Return a block as the library formats it; None if anything would be lost by that."""
    text, found = telegramify_markdown.convert(source, latex_escape=False, config=_render_config())
    message = _trimmed_message(text, _supported_entities(found))
    if not _is_faithful(source.replace(JOINT, ""), message) or _looks_raw(message):
        return None
    return message.text, message.entities


def _looks_raw(message: FormattedMessage) -> bool:
    """Whether markup that was meant to be read by a program is still there, outside code."""
    return bool(_RAW.search(_outside_code(message)))


def _outside_code(message: FormattedMessage) -> str:
    units = message.text.encode("utf-16-le", "surrogatepass")
    kept, last = b"", 0
    for each in sorted(message.entities, key=lambda entity: entity.offset):
        if each.type in {MessageEntity.CODE, MessageEntity.PRE}:
            kept += units[2 * last : 2 * each.offset]
            last = max(last, each.offset + each.length)
    return (kept + units[2 * last :]).decode("utf-16-le", "replace")


def _simple_block(source: str) -> Formatted:
    """Return a block with headings, emphasis, inline code and links; all else as typed."""
    text = ""
    entities: list[MessageEntity] = []
    for line in source.splitlines(keepends=True):
        start = utf16_units(text)
        heading = _HEADING.match(line)
        rest = heading["words"] if heading else _BULLET.sub("\\1• ", line)
        # Hidden from the rule for bold words, which it must not begin or end.
        rest = rest.replace("\\*", _STAR) if "`" not in rest else rest
        last = 0
        for found in _INLINE.finditer(rest):
            text += rest[last : found.start()]
            shown, entity = _inline_entity(found, utf16_units(text))
            text += shown
            entities.append(entity)
            last = found.end()
        text += rest[last:]
        if heading and (length := utf16_units(text) - start):
            entities.append(MessageEntity(MessageEntity.BOLD, start, length))
            text += "\n" if line.endswith("\n") else ""
    return text.replace(_STAR, "*"), tuple(entities)


def _inline_entity(found: re.Match[str], offset: int) -> tuple[str, MessageEntity]:
    match found.lastgroup:
        case "code":
            shown, kind, url = found["code"], MessageEntity.CODE, None
        case "bold":
            shown, kind, url = found["bold"], MessageEntity.BOLD, None
        case "italic":
            shown, kind, url = found["italic"], MessageEntity.ITALIC, None
        case _:
            shown, kind, url = found["label"], MessageEntity.TEXT_LINK, found["url"]
    return shown, MessageEntity(kind, offset, utf16_units(shown), url=url)


def _joined(blocks: Iterable[Formatted]) -> Formatted:
    """Return blocks one below the other, with at most one empty line between them."""
    text = ""
    entities: list[MessageEntity] = []
    for block, found in blocks:
        spare = len(block) - len(block.lstrip("\n"))
        wanted = 0 if not text else max(0, 2 - (len(text) - len(text.rstrip("\n"))))
        cut = max(0, spare - wanted)
        entities += [_moved(each, utf16_units(text) - cut, 0) for each in found]
        text += block[cut:]
    return text, tuple(entities)


def _moved(entity: MessageEntity, by: int, shorter: int) -> MessageEntity:
    return MessageEntity(
        entity.type,
        entity.offset + by,
        entity.length - shorter,
        url=entity.url,
        language=entity.language,
    )


def _render_config() -> RenderConfig:
    """Return how headings and lists look: as a person would type them, without decoration."""
    # Not the library's shared configuration, which other code in the process could change.
    config = RenderConfig.isolated()
    symbols = config.markdown_symbol
    symbols.heading_level_1 = symbols.heading_level_2 = ""
    symbols.heading_level_3 = symbols.heading_level_4 = ""
    symbols.unordered_list_item = "•"
    symbols.image = ""
    symbols.task_completed, symbols.task_uncompleted = "[x]", "[ ]"
    return config


def _supported_entities(
    found: Iterable[telegramify_markdown.MessageEntity],
) -> Iterator[MessageEntity]:
    for each in found:
        # Without its entity the address stands nowhere; _is_faithful notices that, and the message
        # is sent as it was written.
        is_dead_link = each.type == MessageEntity.TEXT_LINK and not _ADDRESS.fullmatch(
            each.url or ""
        )
        if each.type in _SUPPORTED and not is_dead_link:
            yield MessageEntity(
                each.type, each.offset, each.length, url=each.url, language=each.language
            )


def _trimmed_message(text: str, entities: Iterable[MessageEntity]) -> FormattedMessage:
    """Return the text without surrounding space, and the entities that cover visible text."""
    text, entities = _without_joints(text, entities)
    # Telegram trims messages, so offsets are counted from the first visible character.
    start = utf16_units(text) - utf16_units(text.lstrip())
    trimmed = text.strip()
    units = trimmed.encode("utf-16-le", "surrogatepass")
    kept = []
    for each in entities:
        begin = max(each.offset - start, 0)
        end = min(each.offset - start + each.length, len(units) // 2)
        covered = units[2 * begin : 2 * end].decode("utf-16-le", "replace")
        if end > begin and covered.strip():
            kept.append(
                MessageEntity(each.type, begin, end - begin, url=each.url, language=each.language)
            )
    return FormattedMessage(trimmed, tuple(kept[:ENTITIES]))


def _without_joints(
    text: str, entities: Iterable[MessageEntity]
) -> tuple[str, tuple[MessageEntity, ...]]:
    """Remove what only kept stars and punctuation apart."""
    if JOINT not in text:
        return text, tuple(entities)
    units = text.encode("utf-16-le", "surrogatepass")
    mark = JOINT.encode("utf-16-le")
    before = [0, *accumulate(units[at : at + 2] == mark for at in range(0, len(units), 2))]
    moved = tuple(
        _moved(
            each,
            -before[each.offset],
            before[min(each.offset + each.length, len(before) - 1)] - before[each.offset],
        )
        for each in entities
    )
    return text.replace(JOINT, ""), moved


def _is_faithful(source: str, message: FormattedMessage) -> bool:
    """Whether every character that is no markup is still there, in its order.

    An address counts where its link ends, a language where its code begins.
    """
    units = message.text.encode("utf-16-le", "surrogatepass")
    hidden: dict[int, str] = {}
    for each in message.entities:
        place = each.offset + (each.length if each.url else 0)
        hidden[place] = hidden.get(place, "") + (each.url or each.language or "")
    shown, last = "", 0
    for place in sorted(hidden):
        shown += units[2 * last : 2 * place].decode("utf-16-le", "replace") + hidden[place]
        last = place
    shown += units[2 * last :].decode("utf-16-le", "replace")
    # ``in`` advances the iterator to what it finds: this asks for a subsequence, in linear time.
    rest = iter(shown)
    return all(each in rest for each in without_markup(source))
