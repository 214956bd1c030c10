"""Formatting answers for Lark: as a text, a post or a card, each within its limit.

Small talk is a plain bubble; Markdown is a post, or a card where a post could not show it. What a
model writes must not mention people, nor become markup that swallows it: where Lark would read a
tag, a space of zero width breaks it.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import count
from typing import Any, Final, Literal, TypeAlias, assert_never

from bot.adapters.markdown import (
    CodePart,
    MarkdownPart,
    Part,
    ProsePart,
    TablePart,
    joined_parts,
    markdown_parts,
    mended_markdown,
    split,
)
from memory.text.segmentation import code_blocks, has_visible_text

MessageKind: TypeAlias = Literal["text", "post", "interactive", "file"]
Card: TypeAlias = dict[str, Any]

CardElement: TypeAlias = dict[str, Any]
"""One element of a card."""

TEXT_BYTES: Final = 149 * 1024
RICH_BYTES: Final = 28 * 1024
"""Bytes of an answer in one message. A request may have 150 KB for a text and 30 KB for a post or
a card; the rest is for what surrounds the answer."""

MARKDOWN_TABLES: Final = 4
"""Tables that one Markdown element of a card may have; further ones become lines of text."""

ANSWER_ELEMENT: Final = "answer"
"""The element of a card that holds an answer."""

SUMMARY_CHARACTERS: Final = 60
"""Characters of a card that the list of chats shows."""

# Breaks a tag without being seen. Removing the tag would change what the model said.
ZERO_WIDTH_SPACE: Final = "\u200b"

_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_MENTION_NAME: Final = r"(?:/\s*)?(?:at|person)\b"
_TAG: Final = re.compile(rf"<(?=[A-Za-z/!?]|\s+{_MENTION_NAME})", re.IGNORECASE)
_MENTION_TAG: Final = re.compile(rf"<(?=\s*{_MENTION_NAME})", re.IGNORECASE)
_MENTION_ENTITY: Final = re.compile(
    rf"&(?=(?:lt|#0*60|#x0*3c);?\s*{_MENTION_NAME})", re.IGNORECASE
)
_IMAGE: Final = re.compile(r"!(?=\[)")
_DEAD_LINK: Final = re.compile(r"(?<=\])(?=\((?!https?://))", re.IGNORECASE)
# The line under the head of a table.
_TABLE_RULE: Final = re.compile(
    r"^(?=[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+(?:\|[ \t]*)?$)", re.MULTILINE
)

_HEADING: Final = re.compile(r"^ {0,3}#{1,6}[ \t]+\S", re.MULTILINE)
_MARKUP: Final = re.compile(
    r"^ {0,3}(?:> |[-*+][ \t]+\S|\d{1,9}[.)][ \t]+\S|(?:-[ \t]*){3,}$|(?:\*[ \t]*){3,}$)"
    r"|\*\*\S|__\S|`[^`\n]+`|~~\S|\]\(https?://|(?<![\w*])\*[^\s*]",
    re.MULTILINE,
)
_TILDE: Final = re.compile(r"(?<!~)~(?!~)")


@dataclass(frozen=True, slots=True)
class LarkPayload:
    """One message: its kind, and its content as the JSON that is sent."""

    kind: MessageKind
    content: str


def message_texts(markdown: str, kind: MessageKind, cuts: tuple[int, ...] = ()) -> tuple[str, ...]:
    """Return an answer as texts for messages of one kind; none if there is nothing to see."""
    limit = TEXT_BYTES if kind == "text" else RICH_BYTES
    found = answer_parts(markdown, limit=limit, cuts=cuts)
    return tuple(part.text.strip("\r\n") for part in found if has_visible_text(part.body))


def answer_parts(
    markdown: str, *, limit: int = RICH_BYTES, cuts: tuple[int, ...] = ()
) -> tuple[Part, ...]:
    """Return an answer in parts of at most ``limit`` bytes, also cut at ``cuts``."""
    # Half of a surrogate pair cannot be encoded.
    text = _SURROGATES.sub("\ufffd", markdown)
    return split(text, limit=limit, measure=_weight, cuts=cuts)


def sent_bytes(text: str) -> int:
    r"""Return how many bytes a text takes at most in a request, as JSON within JSON.

    >>> sent_bytes("好"), sent_bytes('"'), sent_bytes("\n")
    (3, 4, 6)
    """
    return sum(map(_weight, text))


# How long each character becomes when it is escaped twice.
_BYTES: Final = {chr(code): 7 for code in range(32)} | {
    '"': 4,
    "\\": 4,
    "\t": 3,
    # These may be followed by a zero width space, which takes three bytes.
    "\n": 6,
    "<": 4,
    "&": 4,
    "!": 4,
    "]": 4,
    # Two stars may be followed by a zero width space, and what parts the cells of a table may be
    # written anew, with empty lines around it.
    "*": 3,
    "|": 9,
}


# Cached because splitting asks for single characters, thousands of times.
@lru_cache(maxsize=8192)
def _weight(characters: str) -> int:
    return sum(_BYTES.get(each) or len(each.encode("utf-8", "replace")) for each in characters)


def answer_card(text: str, *, streaming: bool, button: CardElement | None = None) -> Card:
    """Return the card that shows a part of an answer; ``streaming``: one that still grows.

    A ``button`` stands below the text.
    """
    config: dict[str, Any] = {"update_multi": True, "streaming_mode": streaming}
    if streaming:
        config["streaming_config"] = {
            "print_frequency_ms": {"default": 50},
            "print_step": {"default": 2},
            "print_strategy": "fast",
        }
    else:
        summary = " ".join(re.sub(r"[`*_#>|~]+", " ", text).split())
        config["summary"] = {"content": summary[:SUMMARY_CHARACTERS]}
    element = {"tag": "markdown", "element_id": ANSWER_ELEMENT, "content": safe_markdown(text)}
    below = [button] if button else []
    return {"schema": "2.0", "config": config, "body": {"elements": [element, *below]}}


def card_payload(card: Card) -> LarkPayload:
    """Return the message that shows a card."""
    return LarkPayload("interactive", compact_json(card))


def safe_markdown(markdown: str) -> str:
    """Return Markdown that mentions nobody, of which Lark drops nothing and shows none raw."""
    tables = count(1)
    return joined_parts(
        (part, _safe_part(part, next(tables) if isinstance(part, TablePart) else 0))
        for part in markdown_parts(markdown, ZERO_WIDTH_SPACE)
    )


def _safe_part(part: MarkdownPart, number: int) -> str:
    """Return a part of an answer; ``number`` counts its tables, from 1."""
    match part:
        case CodePart(source):
            # Only mentions are broken: people copy code, and invisible characters would break it.
            return without_mentions(source)
        case TablePart() if number > MARKDOWN_TABLES:
            return _safe_prose(_table_lines(part))
        case TablePart() | ProsePart():
            return _safe_prose(part.source)
        case never:
            assert_never(never)


def _table_lines(table: TablePart) -> str:
    """Return a table as lines of text, of which a card may have any number."""
    rows = [row for row in (table.head, *table.rows) if row]
    return "".join("- " + " · ".join(filter(None, row)) + "\n" for row in rows)


def safe_text(text: str) -> str:
    """Return plain text that mentions nobody and is shown as typed."""
    return _MENTION_ENTITY.sub(f"&{ZERO_WIDTH_SPACE}", _TAG.sub(f"<{ZERO_WIDTH_SPACE}", text))


def without_mentions(text: str) -> str:
    """Return text in which mentions are broken, and nothing else."""
    return _MENTION_ENTITY.sub(
        f"&{ZERO_WIDTH_SPACE}", _MENTION_TAG.sub(f"<{ZERO_WIDTH_SPACE}", text)
    )


def send_uuid(*parts: object) -> str:
    """Return the idempotency key of a send, made of what identifies it."""
    return blake2b(
        "\x1f".join(map(str, parts)).encode("utf-8", "replace"), digest_size=16
    ).hexdigest()


def compact_json(document: object) -> str:
    """Return a document as the JSON string that Lark expects within its JSON."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def message_kind(markdown: str) -> MessageKind:
    """Return the simplest kind of message that shows a text as it is meant."""
    pieces = tuple(_code_and_prose(mended_markdown(markdown, "")))
    prose = "".join(each for is_code, each in pieces if not is_code)
    # A post shows neither headings nor tables.
    if _HEADING.search(prose) or _TABLE_RULE.search(prose):
        return "interactive"
    if len(pieces) == 1 and not _MARKUP.search(prose):
        return "text"
    # A post underlines what stands between two tildes, and drops them.
    return "interactive" if len(_TILDE.findall(prose)) > 1 else "post"


def _code_and_prose(markdown: str) -> Iterator[tuple[bool, str]]:
    """Yield the pieces of a text in order, each with whether it is code."""
    last = 0
    for block in code_blocks(markdown):
        yield False, markdown[last : block.start]
        yield True, markdown[block.start : block.end]
        last = block.end
    yield False, markdown[last:]


def answer_payload(kind: MessageKind, text: str) -> LarkPayload:
    """Return the message of a kind that shows a part of an answer."""
    if kind == "interactive":
        return card_payload(answer_card(text, streaming=False))
    if kind == "post":
        paragraph = [{"tag": "md", "text": safe_markdown(text)}]
        return LarkPayload("post", compact_json({"zh_cn": {"content": [paragraph]}}))
    return LarkPayload("text", compact_json({"text": safe_text(text)}))


def _safe_prose(text: str) -> str:
    text = _IMAGE.sub(f"!{ZERO_WIDTH_SPACE}", safe_text(text))
    return _DEAD_LINK.sub(ZERO_WIDTH_SPACE, text)
