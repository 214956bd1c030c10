"""CardKit: cards that are written to while they are read, as strictly as the platform has it."""

import json
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.lark_rules import CARD_BYTES, Refused, check_card, elements_of, walked
from tests.fakes.lark_world import LarkClock

STREAM_SECONDS = 600.0
"""Streaming ends by itself so long after it was switched on."""


@dataclass
class Card:
    """``written`` is every text an element was given, in order."""

    id: str
    document: dict[str, Any]
    opened: float | None
    sequence: int = 0
    message: str = ""
    expired: bool = False
    uuids: set[str] = field(default_factory=set)
    written: list[str] = field(default_factory=list)

    @property
    def streaming(self) -> bool:
        return self.opened is not None

    def element(self, name: str) -> dict[str, Any]:
        for each in walked(elements_of(self.document) or []):
            if each.get("element_id") == name:
                return each
        raise Refused(300313, f"ErrMsg: element {name} not found")


class Cards:
    """Every card entity. ``silent`` lets writes to a card whose time is over seem to succeed.

    ``refused`` counts those that did not.
    """

    def __init__(self, clock: LarkClock) -> None:
        self._clock = clock
        self.silent = False
        self.refused = 0
        self.all: dict[str, Card] = {}

    def create(self, identity: str, body: dict[str, Any]) -> Card:
        if body.get("type") != "card_json":
            raise Refused(300301, "ErrMsg: type must be card_json")
        document = _parsed(body.get("data"))
        if document.get("schema") != "2.0":
            raise Refused(300302, "ErrMsg: cardkit supports only schema 2.0")
        check_card(document)
        streaming = bool(document.get("config", {}).get("streaming_mode"))
        card = Card(identity, document, self._clock.now() if streaming else None)
        self.all[identity] = card
        return card

    def write(self, card_id: str, element: str, body: dict[str, Any]) -> None:
        """Set the whole text of an element."""
        card = self._counted(card_id, body)
        text = body.get("content")
        if not isinstance(text, str) or not text:
            raise Refused(300301, "ErrMsg: content is empty")
        target = card.element(element)
        if not card.streaming:
            if card.expired and self.silent:
                return
            self.refused += 1
            code = 200850 if card.expired else 300309
            raise Refused(code, "ErrMsg: streaming mode is closed")
        self._check_size({**card.document, "text": text})
        target["content"] = text
        card.written.append(text)

    def settle(self, card_id: str, body: dict[str, Any]) -> None:
        """Change the settings, the streaming mode above all."""
        card = self._counted(card_id, body)
        config = _parsed(body.get("settings")).get("config")
        if not isinstance(config, dict):
            raise Refused(300301, "ErrMsg: settings has no config")
        card.document.setdefault("config", {}).update(config)
        if "streaming_mode" in config:
            card.opened = self._clock.now() if config["streaming_mode"] else None
            card.expired = False

    def replace(self, card_id: str, body: dict[str, Any]) -> None:
        """Change the whole card."""
        card = self._counted(card_id, body)
        given = body.get("card") or {}
        if given.get("type") != "card_json":
            raise Refused(300301, "ErrMsg: card.type must be card_json")
        document = _parsed(given.get("data"))
        check_card(document)
        card.document = document
        streaming = document.get("config", {}).get("streaming_mode")
        card.opened = (card.opened or self._clock.now()) if streaming else None

    def find(self, card_id: str) -> Card:
        """Return a card as it is now: one whose time is over streams no more."""
        if card_id not in self.all:
            raise Refused(300307, "ErrMsg: card not found or expired")
        card = self.all[card_id]
        if card.opened is not None and self._clock.now() - card.opened >= STREAM_SECONDS:
            card.opened = None
            card.expired = True
        return card

    def _counted(self, card_id: str, body: dict[str, Any]) -> Card:
        card = self.find(card_id)
        sequence = body.get("sequence")
        if not isinstance(sequence, int) or not card.sequence < sequence < 2**31:
            raise Refused(300317, "ErrMsg: sequence number compare failed")
        card.sequence = sequence
        return card

    def _check_size(self, document: dict[str, Any]) -> None:
        if len(json.dumps(document, ensure_ascii=False).encode()) > CARD_BYTES:
            raise Refused(300305, "ErrMsg: card exceeds the size limit")


def _parsed(text: object) -> dict[str, Any]:
    try:
        document = json.loads(text) if isinstance(text, str) else None
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise Refused(300301, "ErrMsg: not the JSON of an object, as a string")
    return document
