"""A document of the desk as cards that read well on a phone.

What is too much for one card, in bytes, elements or tables, goes on in the next.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from bot.adapters.lark.elements import Element, block_elements, button_elements, element_bytes
from bot.adapters.lark.formatting import RICH_BYTES, SUMMARY_CHARACTERS, Card
from bot.conversation.graphemes import has_visible_text
from bot.desk.documents import Block, Button, Document, Picture, Text
from bot.desk.plain import as_text

CARD_ELEMENTS: Final = 180
"""A card may have 200, each text and column of a button counted."""

CARD_TABLES: Final = 5
HEADING_CHARACTERS: Final = 60
"""A longer title stands in the card and not over it."""


def document_cards(
    document: Document, sealed: Mapping[Button, str], pictures: Mapping[Picture, str]
) -> tuple[Card, ...]:
    """Return the cards that show a document, its buttons on the last; none if it says nothing.

    ``sealed`` is what its buttons carry: one that is not there is spelled out. ``pictures`` are
    the keys of those that were uploaded: another is told in words.
    """
    title, blocks = _split_heading(document.blocks)
    elements = [element for block in blocks for element in block_elements(block, pictures)]
    elements += button_elements(blocks, sealed)
    stacks = list(_split_cards(elements)) or ([[]] if title else [])
    summary = _summary(title, document)
    return tuple(
        _card(stack, title if number == 0 else "", summary) for number, stack in enumerate(stacks)
    )


def plain_text(document: Document) -> str:
    """Return a document as text, for where cards are not taken."""
    return "\n\n".join(filter(None, map(as_text, document.blocks)))


def _split_heading(blocks: Sequence[Block]) -> tuple[str, Sequence[Block]]:
    """Return what stands over the card, and the rest."""
    match blocks:
        case [Text(text, title=True), *rest] if len(
            text
        ) <= HEADING_CHARACTERS and has_visible_text(text):
            return text, rest
        case _:
            return "", blocks


def _split_cards(elements: Sequence[Element]) -> Iterator[list[Element]]:
    """Yield elements card by card."""
    stack: list[Element] = []
    room, left, tables = RICH_BYTES, CARD_ELEMENTS, CARD_TABLES
    for element in elements:
        bytes_, count, table = (
            element_bytes(element),
            _element_count(element),
            int(element["tag"] == "table"),
        )
        if stack and (bytes_ > room or count > left or table > tables):
            yield stack
            stack, room, left, tables = [], RICH_BYTES, CARD_ELEMENTS, CARD_TABLES
        stack.append(element)
        room, left, tables = room - bytes_, left - count, tables - table
    if stack:
        yield stack


def _card(elements: Sequence[Element], title: str, summary: str) -> Card:
    over = {"title": {"tag": "plain_text", "content": title}, "template": "wathet"}
    return {
        "schema": "2.0",
        "config": {
            "update_multi": True,
            "streaming_mode": False,
            "summary": {"content": summary},
        },
        **({"header": over} if title else {}),
        "body": {"vertical_spacing": "medium", "elements": list(elements)},
    }


def _summary(title: str, document: Document) -> str:
    """Return what stands in the list of chats."""
    texts = (block.text for block in document.blocks if isinstance(block, Text))
    return " ".join((title or next(texts, "")).split())[:SUMMARY_CHARACTERS]


def _element_count(element: object) -> int:
    """Return how many elements there are in one, itself included."""
    if isinstance(element, dict):
        return ("tag" in element) + sum(map(_element_count, element.values()))
    return sum(map(_element_count, element)) if isinstance(element, list) else 0
