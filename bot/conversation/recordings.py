"""Reading recorded conversations: our own JSON Lines, or Telegram's export of one chat.

A file comes from outside and is not trusted: it is read whole or refused, with the place of the
first mistake.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import Any, Final, Literal, TypeGuard

import orjson

from memory.errors import InputRefused
from memory.model import Message

# Far above what people write, far below what would fill the memory of a small machine.
MOST_ENTRIES: Final = 200_000
LONGEST_TEXT: Final = 100_000
LONGEST_NAME: Final = 500

# Years in which a message can have been written; anything else is a number of another kind.
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
    """A file is no usable export; ``place`` is the number of the wrong entry, from 1, or 0."""

    def __init__(self, flaw: ChatFlaw, place: int = 0) -> None:
        super().__init__(f"{f'entry {place}: ' if place else ''}{flaw.value}")
        self.flaw = flaw
        self.place = place


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatEntry:
    """One message of an export. ``sender`` is Telegram's id of its writer, like ``user7``."""

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
    """Return the chat in a parsed export, complete; raises :class:`NotAChat`."""
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
    # ``isinstance`` would take true and false for numbers.
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
    pieces = [part.get("text", "") if isinstance(part, dict) else part for part in parts]
    texts = [piece for piece in pieces if isinstance(piece, str)]
    if len(texts) < len(pieces):
        raise NotAChat(ChatFlaw.WRONG, place)
    return "".join(texts)


LARGEST_FILE: Final = 512 * 1024 * 1024  # bytes; the file is read into memory at once

_ROLES: Final = ("user", "assistant")


def read_recording(path: Path) -> list[Message]:
    """Return the messages of a recording, in the order of the file.

    Raises :class:`InputRefused` naming the file, the line and the mistake.
    """
    try:
        # A pipe has no size and may have no end, and so has many a device.
        if path.exists() and not path.is_file():
            raise InputRefused(f"{path} is no file: folders, pipes and devices are not replayed")
        if path.stat().st_size > LARGEST_FILE:
            raise InputRefused(f"{path}: larger than {LARGEST_FILE // 1024 // 1024} MB; split it")
        raw = path.read_bytes()
    except OSError as error:
        raise InputRefused(f"cannot read {path}: {error.strerror}") from error
    messages = list(
        _messages_of_telegram(path, raw)
        if path.suffix == ".json"
        else _messages_of_json_lines(path, raw)
    )
    if not messages:
        raise InputRefused(f"{path} holds no message")
    _refuse_repeats(path, messages)
    return messages


def _messages_of_json_lines(path: Path, raw: bytes) -> Iterator[Message]:
    for number, line in enumerate(raw.splitlines(), start=1):
        if line.strip():
            yield _message(f"{path}, line {number}", _json_object(f"{path}, line {number}", line))


def _message(where: str, fields: dict[str, Any]) -> Message:
    wrong = [
        key
        for key in ("id", "at", "speaker", "role", "text")
        if not isinstance(fields.get(key), str)
    ]
    if wrong:
        raise InputRefused(f"{where}: {', '.join(wrong)} must be there and be text")
    role = fields["role"]
    if not _is_role(role):
        raise InputRefused(f"{where}: role is {role!r}, not user or assistant")
    if not fields["id"]:
        raise InputRefused(f"{where}: id is empty")
    return Message(
        id=fields["id"],
        at=_checked_instant(where, fields["at"]),
        speaker=fields["speaker"],
        role=role,
        text=fields["text"],
    )


def _is_role(role: str) -> TypeGuard[Literal["user", "assistant"]]:
    return role in _ROLES


def _checked_instant(where: str, given: str) -> datetime:
    try:
        at = datetime.fromisoformat(given)
    except ValueError as error:
        raise InputRefused(
            f"{where}: at is {given!r}; it must be like 2026-01-03T18:00:00+08:00"
        ) from error
    if at.tzinfo is None:
        raise InputRefused(f"{where}: at is {given!r}, without a zone; add one, like +08:00")
    return at


def _messages_of_telegram(path: Path, raw: bytes) -> Iterator[Message]:
    """Yield the messages of a chat export; what the other side wrote is the assistant's.

    In the export of a chat with a bot, the bot's messages carry its id ``user<id>``, and the id
    of the chat is the bot's too.
    """
    try:
        chat = read_chat(_json_object(str(path), raw))
    except NotAChat as error:
        raise InputRefused(f"{path}: {error}") from error
    for entry in chat.entries:
        yield Message(
            id=f"telegram-{entry.id}",
            at=entry.at,
            speaker=entry.name,
            role="assistant" if entry.sender == chat.other else "user",
            text=entry.text,
        )


def _json_object(where: str, raw: bytes) -> dict[str, Any]:
    try:
        read = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise InputRefused(f"{where}: this is not JSON ({error.msg})") from error
    if not isinstance(read, dict):
        raise InputRefused(f"{where}: an object is wanted, not {type(read).__name__}")
    return read


def _refuse_repeats(path: Path, messages: list[Message]) -> None:
    seen: set[str] = set()
    for message in messages:
        if message.id in seen:
            raise InputRefused(f"{path}: the id {message.id!r} is there twice; ids must be unique")
        seen.add(message.id)
