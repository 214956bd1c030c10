"""Reading Lark events: what each one says. Pure: event in, value out.

Decided here: the bot is asked when it is mentioned, called by name or given a command, but not by
a mention of everybody; text that is forwarded or on a card is *quoted*, since the sender did not
write it; whatever bots write, this one included, is ignored.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, Final, TypeAlias

from bot.adapters.incoming import is_called_by_name, unreadable_raw
from bot.adapters.lark import NAME, content
from bot.conversation.messages import (
    CHINESE_NAMES,
    ConversationKey,
    Incoming,
    Sender,
    read_command,
)
from memory.model import Language

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class LarkMessage:
    """Somebody wrote a message.

    ``parent`` is the message it replies to; ``starts_thread``: that is only the root of its
    thread. ``is_bundle``: what it forwards has yet to be fetched. ``known_names`` are pairs of
    open id and name that the event itself tells.
    """

    incoming: Incoming
    parent: str = ""
    starts_thread: bool = False
    is_bundle: bool = False
    known_names: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LarkButtonPress:
    """Somebody pressed a button on one of the bot's cards."""

    value: object
    chat: str
    message: str
    sender: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedToGroup:
    """Somebody added the bot to a group."""

    chat: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovedFromGroup:
    """The bot is no longer in a group, or the group no longer exists."""

    chat: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateChatOpened:
    """Somebody who never wrote to the bot opened the private chat."""

    chat: str
    person: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRecalled:
    """Whoever wrote a message, or who leads the chat, took it back."""

    chat: str
    message: str


ReadEvent: TypeAlias = (
    LarkMessage
    | LarkButtonPress
    | AddedToGroup
    | RemovedFromGroup
    | PrivateChatOpened
    | MessageRecalled
    | None
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LarkReader:
    """Reads events for one app's bot, which decides whether a message addresses it."""

    app_id: str
    open_id: str
    name: str
    language: Language = "zh"
    zone: tzinfo = UTC

    def read(self, document: dict[str, Any]) -> ReadEvent:
        """Return what an event says; None if it says nothing.

        Raises KeyError, TypeError or ValueError for an event that cannot be read.
        """
        header, event = document["header"], document["event"]
        match header["event_type"]:
            case "im.message.receive_v1":
                return self._read_message(event)
            case "card.action.trigger":
                return _read_press(event)
            case "im.chat.member.bot.added_v1":
                return AddedToGroup(
                    chat=_checked_id(event["chat_id"]),
                    by=_checked_id(event["operator_id"]["open_id"]),
                    at=_instant(header["create_time"]),
                )
            case "im.chat.member.bot.deleted_v1" | "im.chat.disbanded_v1":
                return RemovedFromGroup(chat=_checked_id(event["chat_id"]))
            case _:
                return _read_rare(header, event)

    def read_sender(self, document: Any, now: datetime) -> Incoming | None:
        """Return an event that cannot be read as a message of its sender; None without one."""
        match document:
            case {
                "event": {
                    "message": {"message_id": str(key), "chat_id": str(chat)} as message,
                    "sender": {"sender_type": "user", "sender_id": {"open_id": str(person)}},
                }
            } if key and chat and person and person != self.open_id:
                private = message.get("chat_type") == "p2p"
                thread = message.get("thread_id")
                return Incoming(
                    dedupe_key=key,
                    conversation=self.conversation(
                        chat, thread if isinstance(thread, str) else ""
                    ),
                    sender=Sender(id=person, name=short_name(person)),
                    at=now,
                    text="",
                    private=private,
                    # A mention of her stands in what cannot be read, under whatever name.
                    addressed=private or self.open_id in json.dumps(message.get("mentions")),
                    raw=unreadable_raw(document),
                )
            case _:
                return None

    def _content(self, names: Mapping[str, str]) -> content.LarkContentReader:
        return content.LarkContentReader(language=self.language, names=names, zone=self.zone)

    def _read_message(self, event: dict[str, Any]) -> LarkMessage | None:
        message, sender = event["message"], event["sender"]
        person = _checked_id(sender["sender_id"]["open_id"])
        if sender["sender_type"] != "user" or person == self.open_id:
            return None
        names = self._mention_names(message)
        read = self._content(names).read(message["message_type"], message["content"])
        if read is None:
            return None
        parent = str(message.get("parent_id") or "")
        starts_thread = bool(message.get("thread_id")) and parent == message.get("root_id")
        private = message["chat_type"] == "p2p"
        incoming = Incoming(
            dedupe_key=_checked_id(message["message_id"]),
            conversation=self.conversation(message["chat_id"], message.get("thread_id") or ""),
            sender=Sender(id=person, name=short_name(person)),
            at=_instant(message["create_time"]),
            # Only the bot's mention, which was taken out of the text: that is calling its name.
            text=read.text or self.name,
            private=private,
            addressed=private or "" in names.values() or _is_addressed(read.text, names.values()),
            quoted=read.quoted,
            modality=read.modality,
            reply_to="" if starts_thread else parent,
            raw=dict(read.files),
        )
        return LarkMessage(
            incoming=incoming,
            parent=parent,
            starts_thread=starts_thread,
            is_bundle=read.is_bundle,
            known_names=_known_names(message),
        )

    def _mention_names(self, message: dict[str, Any]) -> dict[str, str]:
        """Return whom a message mentions, by the placeholder in its text; "" for the bot."""
        mentioned = message.get("mentions") or []
        return {
            each["key"]: "" if _open_id(each) == self.open_id else str(each.get("name") or "…")
            for each in mentioned
            if each["key"] != "@_all"
        }

    def message_text(self, fetched: dict[str, Any]) -> str:
        """Return what a fetched message says; empty if it says nothing. Raises as ``read``."""
        mentioned = fetched.get("mentions") or []
        names = {each["key"]: str(each.get("name") or "…") for each in mentioned}
        read = self._content(names).read(str(fetched["msg_type"]), str(fetched["body"]["content"]))
        return "\n".join(filter(None, (read.text, read.quoted))) if read else ""

    def conversation(self, chat: str, thread: str = "") -> ConversationKey:
        """Return the conversation of a chat, or of a thread in it."""
        return ConversationKey(
            platform=NAME, account=self.app_id, chat=_checked_id(chat), thread=str(thread)
        )


def event_id(document: Any) -> object:
    """Return the id by which the log names an event, its message's if it has one."""
    match document:
        case {"event": {"message": {"message_id": found}}} | {"header": {"event_id": found}}:
            return found
        case _:
            return None


def short_name(open_id: str) -> str:
    """Return what somebody is called whose name is not known.

    >>> short_name("ou_7dab8a3d3cdcc9da365777c7ad535d62")
    'ou…535d62'
    """
    return f"{open_id[:2]}…{open_id[-6:]}"


def _is_addressed(text: str, mentioned: Iterable[str]) -> bool:
    """Whether a text calls the bot by name or is a command."""
    words = text
    for name in mentioned:
        # A person who is mentioned may bear the bot's name; that is no call.
        words = words.replace(f"@{name}", "@@")
    command = read_command(text)
    # In a group a command that she does not know is another bot's, if she is not mentioned.
    return is_called_by_name(words) or (command is not None and command.name in CHINESE_NAMES)


def _read_press(event: dict[str, Any]) -> LarkButtonPress:
    where = event["context"]
    return LarkButtonPress(
        value=event["action"]["value"],
        chat=_checked_id(where["open_chat_id"]),
        message=_checked_id(where["open_message_id"]),
        sender=_checked_id(event["operator"]["open_id"]),
    )


def _read_rare(header: dict[str, Any], event: dict[str, Any]) -> ReadEvent:
    """Return what an event says that has little to say."""
    match header["event_type"]:
        case "im.message.recalled_v1":
            return MessageRecalled(
                chat=_checked_id(event["chat_id"]), message=_checked_id(event["message_id"])
            )
        case "im.chat.access_event.bot_p2p_chat_entered_v1":
            return _read_chat_opened(header, event)
        case _:
            return None


def _read_chat_opened(header: dict[str, Any], event: dict[str, Any]) -> PrivateChatOpened | None:
    # Lark tells of every time the chat is opened; only the first time there is no message yet.
    if event.get("last_message_id"):
        return None
    return PrivateChatOpened(
        chat=_checked_id(event["chat_id"]),
        person=_checked_id(event["operator_id"]["open_id"]),
        at=_instant(header["create_time"]),
    )


def _known_names(message: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    mentioned = message.get("mentions") or []
    return tuple(
        (_open_id(each), str(each["name"]))
        for each in mentioned
        if _open_id(each) and each.get("name")
    )


def _open_id(mention: dict[str, Any]) -> str:
    """Return the open id of who is mentioned; empty if it is not told."""
    # Events hold all ids of a person, fetched messages only one.
    named = mention.get("id")
    return str((named.get("open_id") if isinstance(named, dict) else named) or "")


def _checked_id(given: object) -> str:
    if not isinstance(given, str) or not given:
        raise ValueError("no id")
    return given


def _instant(milliseconds: object) -> datetime:
    """Return an instant that Lark gives in milliseconds."""
    number = int(str(milliseconds))
    # Some old kinds of event give microseconds; in milliseconds they would be in the year 50000.
    return _EPOCH + timedelta(milliseconds=number if number < 10**14 else number // 1000)
