"""Reading the export of one chat that Telegram makes: ``result.json``."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Any, Final

from memory.errors import InputRefused

MOST_ENTRIES: Final = 200_000
LONGEST_TEXT: Final = 100_000
LONGEST_NAME: Final = 500
EARLIEST: Final = datetime(2000, 1, 1, tzinfo=UTC).timestamp()
LATEST: Final = datetime(2200, 1, 1, tzinfo=UTC).timestamp()


class ChatFlaw(Enum):
    """What is wrong with a file that was given as the export of a chat."""

    NO_CHAT = "this is not a Telegram chat export (no messages in it)"
    ACCOUNT = "this is a whole account: export one chat"
    EMPTY = "nobody wrote anything in it"
    TOO_MANY = "more than 200000 messages: export a part"
    WRONG = "this is no message as Telegram writes one"
    UNDATED = "no date_unixtime; export again with a newer Telegram"
    TWICE = "is there twice"


class NotAChat(InputRefused):
    """An export that is not taken; ``place`` is the number of the entry that is wrong, from 1."""

    def __init__(self, flaw: ChatFlaw, place: int = 0) -> None:
        super().__init__(f"{f'entry {place}: ' if place else ''}{flaw.value}")
        self.flaw = flaw
        self.place = place


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatEntry:
    """One message. ``sender`` is Telegram's id of whoever wrote it, like ``user7``."""

    id: int
    at: datetime
    sender: str
    name: str
    text: str
    forwarded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """One exported chat. ``other`` is the sender id that the other side of a private chat has."""

    name: str
    kind: str
    other: str
    entries: tuple[ChatEntry, ...]


def is_chat_export(body: dict[str, Any]) -> bool:
    """Whether an object looks like what Telegram exports."""
    return isinstance(body.get("messages"), list) or "chats" in body


def read_chat(body: dict[str, Any]) -> Chat:
    """Return the chat an object holds, whole; raises :class:`NotAChat`."""
    listed = body.get("messages")
    if not isinstance(listed, list):
        raise NotAChat(ChatFlaw.ACCOUNT if "chats" in body else ChatFlaw.NO_CHAT)
    if len(listed) > MOST_ENTRIES:
        raise NotAChat(ChatFlaw.TOO_MANY)
    entries = tuple(_entries(listed))
    if not entries:
        raise NotAChat(ChatFlaw.EMPTY)
    return Chat(
        name=str(body.get("name") or "")[:200],
        kind=str(body.get("type") or "")[:40],
        other=f"user{body.get('id', '')}"[:40],
        entries=entries,
    )


def _entries(listed: list[Any]) -> Iterator[ChatEntry]:
    seen: set[int] = set()
    for place, given in enumerate(listed, start=1):
        if not isinstance(given, dict):
            raise NotAChat(ChatFlaw.WRONG, place)
        if given.get("type") != "message":
            continue
        entry = _entry(given, place)
        if entry.id in seen:
            raise NotAChat(ChatFlaw.TWICE, place)
        seen.add(entry.id)
        if entry.text.strip():
            yield entry


def _entry(given: dict[str, Any], place: int) -> ChatEntry:
    number, sender, name = given.get("id"), given.get("from_id", ""), given.get("from")
    if number.__class__ is not int or not isinstance(sender, str):
        raise NotAChat(ChatFlaw.WRONG, place)
    if not (name is None or isinstance(name, str)):
        raise NotAChat(ChatFlaw.WRONG, place)
    text = _joined_text(given.get("text", ""), place)
    if len(text) > LONGEST_TEXT or len(sender) > LONGEST_NAME or len(name or "") > LONGEST_NAME:
        raise NotAChat(ChatFlaw.WRONG, place)
    return ChatEntry(
        id=number,
        at=_unix_instant(given.get("date_unixtime"), place),
        sender=sender,
        name=name or sender,
        text=text,
        forwarded="forwarded_from" in given,
    )


def _unix_instant(given: object, place: int) -> datetime:
    seconds = str(given)[:20]
    if not (seconds.isascii() and seconds.isdigit() and EARLIEST <= int(seconds) <= LATEST):
        raise NotAChat(ChatFlaw.UNDATED, place)
    return datetime.fromtimestamp(int(seconds), UTC)


def _joined_text(text: object, place: int) -> str:
    """Join Telegram's text: a string, or a list of strings and of objects with a text."""
    parts = text if isinstance(text, list) else [text]
    said = [part.get("text", "") if isinstance(part, dict) else part for part in parts]
    told = [part for part in said if isinstance(part, str)]
    if len(told) < len(said):
        raise NotAChat(ChatFlaw.WRONG, place)
    return "".join(told)
