"""What came from Lark, as the conversation takes it: pure, event in, value out.

Decided here: she is asked when she is mentioned, called by name or given a command, never by a
mention of everybody; text that is forwarded or on a card is *quoted*, since the sender did not
write it; whatever a bot writes, herself included, is none of her business.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeAlias

from bot.adapters.calling import is_called
from bot.adapters.lark import content
from bot.conversation.commands import read_command
from bot.conversation.messages import ConversationKey, Incoming, Sender
from memory.settings import Language

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """Somebody said something.

    ``parent`` is the message it answers to, and ``opens`` whether that is only the root of the
    thread it stands in; ``bundle`` says that what was forwarded has yet to be fetched. ``known``
    are the names of people by their open id, as the message itself tells them.
    """

    incoming: Incoming
    parent: str = ""
    opens: bool = False
    bundle: bool = False
    known: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pressed:
    """Somebody pressed a button under one of her messages."""

    value: object
    chat: str
    message: str
    sender: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Invited:
    """She was added to a group by somebody."""

    chat: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed:
    """She is no longer in a group, or there is no such group any more."""

    chat: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered:
    """Somebody who never talked with her opened the private chat."""

    chat: str
    person: str
    at: datetime


Read: TypeAlias = Spoken | Pressed | Invited | Removed | Entered | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Who she is on Lark, which is what decides whether a message is meant for her."""

    app_id: str
    open_id: str
    name: str
    language: Language = "zh"

    def read(self, document: dict[str, Any]) -> Read:
        """Return what an event says; None if it says nothing to her.

        Raises KeyError, TypeError or ValueError for one that nobody can read.
        """
        header, event = document["header"], document["event"]
        match header["event_type"]:
            case "im.message.receive_v1":
                return self._spoken(event)
            case "card.action.trigger":
                return _pressed(event)
            case "im.chat.member.bot.added_v1":
                return Invited(
                    chat=_id(event["chat_id"]),
                    by=_id(event["operator_id"]["open_id"]),
                    at=_instant(header["create_time"]),
                )
            case "im.chat.member.bot.deleted_v1" | "im.chat.disbanded_v1":
                return Removed(chat=_id(event["chat_id"]))
            case "im.chat.access_event.bot_p2p_chat_entered_v1":
                return _entered(header, event)
            case _:
                return None

    def _spoken(self, event: dict[str, Any]) -> Spoken | None:
        message, sender = event["message"], event["sender"]
        person = _id(sender["sender_id"]["open_id"])
        if sender["sender_type"] != "user" or person == self.open_id:
            return None
        names = self._names(message)
        said = content.Content(language=self.language, names=names).said(
            message["message_type"], message["content"]
        )
        if said is None:
            return None
        parent = str(message.get("parent_id") or "")
        opens = bool(message.get("thread_id")) and parent == message.get("root_id")
        private = message["chat_type"] == "p2p"
        incoming = Incoming(
            dedupe_key=_id(message["message_id"]),
            conversation=self.conversation(message["chat_id"], message.get("thread_id") or ""),
            sender=Sender(id=person, name=short(person)),
            at=_instant(message["create_time"]),
            text=said.text or self.name,
            private=private,
            addressed=private or "" in names.values() or _is_for_her(said.text, names.values()),
            quoted=said.quoted,
            modality=said.modality,
            reply_to="" if opens else parent,
            raw=dict(said.files),
        )
        return Spoken(
            incoming=incoming,
            parent=parent,
            opens=opens,
            bundle=said.bundle,
            known=_known(message),
        )

    def _names(self, message: dict[str, Any]) -> dict[str, str]:
        """Return whom a message mentions, by place; her own name is empty there."""
        mentioned = message.get("mentions") or []
        return {
            each["key"]: "" if _open_id(each) == self.open_id else str(each.get("name") or "…")
            for each in mentioned
            if each["key"] != "@_all"
        }

    def words(self, told: dict[str, Any]) -> str:
        """Return what a message says that was fetched; empty for what nobody can read."""
        names = {each["key"]: str(each.get("name") or "…") for each in told.get("mentions") or []}
        said = content.Content(language=self.language, names=names).said(
            str(told["msg_type"]), str(told["body"]["content"])
        )
        return "\n".join(filter(None, (said.text, said.quoted))) if said else ""

    def conversation(self, chat: str, thread: str = "") -> ConversationKey:
        """Return the conversation of a chat, or of a thread in it."""
        return ConversationKey(
            platform="lark", account=self.app_id, chat=_id(chat), thread=str(thread)
        )


def short(open_id: str) -> str:
    """Return what somebody is called whose name nobody tells.

    >>> short("ou_7dab8a3d3cdcc9da365777c7ad535d62")
    'ou…535d62'
    """
    return f"{open_id[:2]}…{open_id[-6:]}"


def _is_for_her(said: str, mentioned: Iterable[str]) -> bool:
    """Say whether a text calls her or is a command; one who is mentioned may have her name."""
    words = said
    for name in mentioned:
        words = words.replace(f"@{name}", "@@")
    return is_called(words) or read_command(said) is not None


def _pressed(event: dict[str, Any]) -> Pressed:
    where = event["context"]
    return Pressed(
        value=event["action"]["value"],
        chat=_id(where["open_chat_id"]),
        message=_id(where["open_message_id"]),
        sender=_id(event["operator"]["open_id"]),
    )


def _entered(header: dict[str, Any], event: dict[str, Any]) -> Entered | None:
    if event.get("last_message_id"):
        return None
    return Entered(
        chat=_id(event["chat_id"]),
        person=_id(event["operator_id"]["open_id"]),
        at=_instant(header["create_time"]),
    )


def _known(message: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    mentioned = message.get("mentions") or []
    return tuple(
        (_open_id(each), str(each["name"]))
        for each in mentioned
        if _open_id(each) and each.get("name")
    )


def _open_id(mention: dict[str, Any]) -> str:
    """Return who is mentioned; events hold every id of a person, fetched messages only one."""
    named = mention.get("id")
    return str((named.get("open_id") if isinstance(named, dict) else named) or "")


def _id(given: object) -> str:
    if not isinstance(given, str) or not given:
        raise ValueError("no id")
    return given


def _instant(milliseconds: object) -> datetime:
    """Return an instant of Lark's, in milliseconds; some old events have microseconds."""
    number = int(str(milliseconds))
    return _EPOCH + timedelta(milliseconds=number if number < 10**14 else number // 1000)
