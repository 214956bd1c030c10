"""Formatting answers for Telegram: plain text with entities, in messages of legal length.

Entities instead of markup make a parse error at Telegram impossible. The library that reads
Markdown drops what it takes for HTML and the like; a message that would lose anything by it is
sent as it was written.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import telegramify_markdown
from telegram import MessageEntity
from telegramify_markdown import RenderConfig

from bot.conversation.splitting import has_visible_text, split, utf16_units

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


@dataclass(frozen=True, slots=True)
class FormattedMessage:
    """One message: its text and its formatting. Offsets count UTF-16 units."""

    text: str
    entities: tuple[MessageEntity, ...] = ()


def formatted_messages(markdown: str) -> tuple[FormattedMessage, ...]:
    """Return Markdown as formatted messages; none if there is nothing to see."""
    return tuple(_formatted_message(part) for part in _message_texts(markdown))


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


def _formatted_message(source: str) -> FormattedMessage:
    text, found = telegramify_markdown.convert(source, latex_escape=False, config=_render_config())
    message = _trimmed_message(text, _supported_entities(found))
    # A link's address and a list's bullets may make the text longer than its Markdown was.
    if utf16_units(message.text) > LIMIT or not _is_faithful(source, message):
        return FormattedMessage(source)
    return message


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
