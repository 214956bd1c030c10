"""Reading a recorded conversation: JSON Lines of our own, or Telegram's ``result.json``."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal, TypeGuard

import orjson

from bot.conversation.telegram_export import NotAChat, read_chat
from memory.errors import InputRefused
from memory.model import Message

LARGEST_FILE: Final = 512 * 1024 * 1024
_ROLES: Final = ("user", "assistant")


def read_recording(path: Path) -> list[Message]:
    """Return what was said, in the order of the file.

    Raises :class:`InputRefused` naming the file, the line and what is wrong with it; a recording
    is taken whole or not at all.
    """
    try:
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


def _message(where: str, said: dict[str, Any]) -> Message:
    wrong = [
        key
        for key in ("id", "at", "speaker", "role", "text")
        if not isinstance(said.get(key), str)
    ]
    if wrong:
        raise InputRefused(f"{where}: {', '.join(wrong)} must be there and be text")
    role = said["role"]
    if not _is_role(role):
        raise InputRefused(f"{where}: role is {role!r}, not user or assistant")
    if not said["id"]:
        raise InputRefused(f"{where}: id is empty")
    return Message(
        id=said["id"],
        at=_checked_instant(where, said["at"]),
        speaker=said["speaker"],
        role=role,
        text=said["text"],
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
    """Yield the messages of a chat export; whoever did not open the chat is the other side.

    In an export of a chat with a bot, the bot's lines carry its id ``user<id>`` and the chat's
    ``id`` is the bot's, so those are the assistant's.
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
