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

from bot.texts import Sentence, refusals, transfer
from memory.errors import InputRefused
from memory.model import Message
from memory.refusals import said_by_system
from memory.sentences import FilledSentence, Value

# Far above what people write, far below what would fill the memory of a small machine.
MOST_ENTRIES: Final = 200_000
LONGEST_TEXT: Final = 100_000
LONGEST_NAME: Final = 500

# Years in which a message can have been written; anything else is a number of another kind.
EARLIEST: Final = datetime(2000, 1, 1, tzinfo=UTC).timestamp()
LATEST: Final = datetime(2200, 1, 1, tzinfo=UTC).timestamp()


class ChatFlaw(Enum):
    """What is wrong with a file that was given as the export of a chat."""

    NO_CHAT = transfer.NO_CHAT
    ACCOUNT = transfer.ACCOUNT
    EMPTY = transfer.EMPTY
    TOO_MANY = transfer.TOO_MANY
    WRONG = transfer.WRONG
    UNDATED = transfer.NO_DATE
    TWICE = transfer.TWICE


class NotAChat(InputRefused):
    """A file is no usable export; ``place`` is the number of the wrong entry, from 1, or 0."""

    def __init__(self, flaw: ChatFlaw, place: int = 0) -> None:
        why = flaw.value
        super().__init__(FilledSentence(transfer.FLAW_AT, why=why, place=place) if place else why)
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


def read_whole_file(path: Path, largest: int, no_file: Sentence, too_large: InputRefused) -> bytes:
    """Return what is in a file that was named; raises :class:`InputRefused`."""
    try:
        # A pipe has no size and may have no end, and so has many a device.
        if path.exists() and not path.is_file():
            raise InputRefused(no_file, file=path)
        if path.stat().st_size > largest:
            raise too_large
        return path.read_bytes()
    except OSError as error:
        raise InputRefused(refusals.UNREADABLE, file=path, why=said_by_system(error)) from error


def read_recording(path: Path) -> list[Message]:
    """Return the messages of a recording, in the order of the file.

    Raises :class:`InputRefused` naming the file, the line and the mistake.
    """
    too_large = InputRefused(
        refusals.RECORDING_TOO_LARGE, file=path, limit=LARGEST_FILE // 1024**2
    )
    raw = read_whole_file(path, LARGEST_FILE, refusals.NO_FILE_TO_REPLAY, too_large)
    messages = list(
        _messages_of_telegram(path, raw)
        if path.suffix == ".json"
        else _messages_of_json_lines(path, raw)
    )
    if not messages:
        raise InputRefused(refusals.RECORDING_EMPTY, file=path)
    _refuse_repeats(path, messages)
    return messages


def _messages_of_json_lines(path: Path, raw: bytes) -> Iterator[Message]:
    for number, line in enumerate(raw.splitlines(), start=1):
        if line.strip():
            where = FilledSentence(refusals.LINE, file=path, line=number)
            yield _message(where, _json_object(where, line))


def _message(where: Value, fields: dict[str, Any]) -> Message:
    wrong = [
        key
        for key in ("id", "at", "speaker", "role", "text")
        if not isinstance(fields.get(key), str)
    ]
    if wrong:
        raise InputRefused(refusals.NO_TEXT, where=where, fields=", ".join(wrong))
    role = fields["role"]
    if not _is_role(role):
        raise InputRefused(refusals.NO_ROLE, where=where, role=repr(role))
    if not fields["id"]:
        raise InputRefused(refusals.EMPTY_ID, where=where)
    return Message(
        id=fields["id"],
        at=_checked_instant(where, fields["at"]),
        speaker=fields["speaker"],
        role=role,
        text=fields["text"],
    )


def _is_role(role: str) -> TypeGuard[Literal["user", "assistant"]]:
    return role in _ROLES


def _checked_instant(where: Value, given: str) -> datetime:
    try:
        at = datetime.fromisoformat(given)
    except ValueError as error:
        raise InputRefused(refusals.NO_INSTANT, where=where, given=repr(given)) from error
    if at.tzinfo is None:
        raise InputRefused(refusals.NO_ZONE, where=where, given=repr(given))
    return at


def _messages_of_telegram(path: Path, raw: bytes) -> Iterator[Message]:
    """Yield the messages of a chat export; what the other side wrote is the assistant's.

    In the export of a chat with a bot, the bot's messages carry its id ``user<id>``, and the id
    of the chat is the bot's too.
    """
    try:
        chat = read_chat(_json_object(path, raw))
    except NotAChat as error:
        raise InputRefused(refusals.AT, where=path, why=error) from error
    for entry in chat.entries:
        yield Message(
            id=f"telegram-{entry.id}",
            at=entry.at,
            speaker=entry.name,
            role="assistant" if entry.sender == chat.other else "user",
            text=entry.text,
        )


def _json_object(where: Value, raw: bytes) -> dict[str, Any]:
    try:
        read = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise InputRefused(refusals.NOT_JSON, where=where, why=error.msg) from error
    if not isinstance(read, dict):
        raise InputRefused(refusals.NO_OBJECT, where=where, kind=type(read).__name__)
    return read


def _refuse_repeats(path: Path, messages: list[Message]) -> None:
    seen: set[str] = set()
    for message in messages:
        if message.id in seen:
            raise InputRefused(refusals.ID_TWICE, file=path, id=repr(message.id))
        seen.add(message.id)
