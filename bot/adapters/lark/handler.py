"""Handling one Lark event: messages, button presses, groups and people to greet.

An event holds less than the conversation needs: not the sender's name, and not the text that a
message replies to. Both are asked of Lark before the message is received, since a reply to the bot
addresses it; in a time that leaves most of the three seconds Lark waits for a confirmation.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Any, Final, TypeAlias, assert_never

from bot.adapters.incoming import (
    HandlerServices,
    MessageReceiver,
    Receive,
    handle_or_set_aside,
    loggable_id,
)
from bot.adapters.lark.api import key_of
from bot.adapters.lark.cards import button_data
from bot.adapters.lark.directory import Directory
from bot.adapters.lark.reader import (
    AddedToGroup,
    LarkButtonPress,
    LarkMessage,
    LarkReader,
    PrivateChatOpened,
    RemovedFromGroup,
    event_id,
    short_name,
)
from bot.adapters.lark.settings import NAME
from bot.conversation.media import DOCUMENT, FILE_MESSAGE, FILE_NAME
from bot.conversation.messages import Incoming, Sender
from bot.desk.documents import Document, Text
from bot.identity import AccessLevel, Author
from bot.texts import Sentence, dialogue, say
from bot.texts import lark as texts
from memory.model import Language

CompletionStep: TypeAlias = Callable[[Incoming, LarkMessage], Awaitable[Incoming]]

LOOKUP_SECONDS: Final = 0.5
"""How long one lookup may take; there are at most four, and none after one that failed."""

QUOTED_CHARACTERS: Final = 4_000
"""The most characters of other people's words that come with a message."""


class MessageCompleter:
    """Adds to messages what their events do not hold."""

    def __init__(self, reader: LarkReader, directory: Directory) -> None:
        self._reader = reader
        self._directory = directory

    async def complete(self, message: LarkMessage) -> Incoming:
        """Return the message with its sender's name and with what it replies to or forwards."""
        for person, name in message.known_names:
            self._directory.record_name(person, name)
        incoming = message.incoming
        if message.parent:
            incoming = await self._try_step(self._add_replied_message, incoming, message)
        if message.is_bundle:
            incoming = await self._try_step(self._add_bundle, incoming, message)
        return await self._try_step(self._add_sender_name, incoming, message)

    async def _add_replied_message(self, incoming: Incoming, message: LarkMessage) -> Incoming:
        """Return a reply with the text it replies to; a reply to the bot is addressed to it."""
        found = await self._directory.fetch_messages(message.parent)
        if not found:
            return incoming
        # Fetched messages name the bot by its app, events by its open id.
        is_own = found[0]["sender"]["id"] in {self._reader.app_id, self._reader.open_id}
        # Everything in a thread replies to its root: everybody sees that, so it is not quoted.
        words = "" if message.starts_thread or incoming.quoted else self._text_of(found[0])
        return replace(
            incoming,
            addressed=incoming.addressed or is_own,
            quoted=incoming.quoted or words[:QUOTED_CHARACTERS],
            raw={**incoming.raw, **_replied_file(found[0], incoming)},
        )

    async def _add_bundle(self, incoming: Incoming, message: LarkMessage) -> Incoming:
        """Return a forwarded bundle with the messages in it, one line each with its speaker."""
        del message
        lines = []
        for each in await self._directory.fetch_messages(incoming.dedupe_key):
            if each["message_id"] != incoming.dedupe_key:
                person = str(each["sender"]["id"])
                name = self._directory.known_name(person) or short_name(person)
                lines.append(f"{name}：{self._text_of(each)}")
        return replace(incoming, quoted="\n".join(lines)[:QUOTED_CHARACTERS])

    async def _add_sender_name(self, incoming: Incoming, message: LarkMessage) -> Incoming:
        del message
        sender, chat = incoming.sender, incoming.conversation.chat
        name = await self._directory.fetch_name(sender.id, chat, private=incoming.private)
        return replace(incoming, sender=replace(sender, name=name)) if name else incoming

    def _text_of(self, fetched: dict[str, Any]) -> str:
        """Return what a fetched message says; empty for one that cannot be read."""
        try:
            return self._reader.message_text(fetched)
        except (KeyError, TypeError, ValueError, AttributeError):
            return ""

    async def _try_step(
        self, step: CompletionStep, incoming: Incoming, message: LarkMessage
    ) -> Incoming:
        """Return what a step makes of a message; the message as it is if the step fails."""
        return await self._directory.ask_or_default(
            LOOKUP_SECONDS, lambda: step(incoming, message), incoming
        )


def _replied_file(fetched: dict[str, Any], incoming: Incoming) -> dict[str, object]:
    """Return what is needed to download the file that a command replies to."""
    if fetched.get("msg_type") != "file" or not incoming.is_command:
        return {}
    try:
        content = json.loads(fetched["body"]["content"])
        key, name = str(content["file_key"]), str(content.get("file_name", ""))
    except (KeyError, TypeError, ValueError):
        return {}
    return {DOCUMENT: key, FILE_NAME: name, FILE_MESSAGE: str(fetched["message_id"])}


# Lark pushes an event that was not confirmed for hours; a greeting so late would be odd.
GREETING_WINDOW: Final = timedelta(minutes=10)
"""The age of an event from which on nobody is greeted for it."""

REMEMBERED_GREETINGS: Final = 1_000
"""How many greetings are remembered, so that a repeated event greets nobody twice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GreetingOptions:
    """The language of greetings, and up to which age a message is answered."""

    language: Language
    answer_within: timedelta


class LarkEventHandler:
    """Handle events one at a time; each call returns once nothing of it can be lost."""

    def __init__(
        self,
        reader: LarkReader,
        directory: Directory,
        receive: Receive,
        services: HandlerServices,
        options: GreetingOptions,
    ) -> None:
        self._reader = reader
        self._directory = directory
        self._receive = receive
        self._services = services
        self._options = options
        self._receiver = MessageReceiver(receive, services, self._is_admin)
        self._completer = MessageCompleter(reader, directory)
        self._order_lock = asyncio.Lock()
        self._greeted: dict[str, None] = {}

    async def handle(self, raw: Any) -> object:
        """Take one event; return the answer it wants, or None.

        Raises :class:`StoreError` if what was said could not be kept.
        """
        now = self._services.clock.now()
        return await handle_or_set_aside(
            f"lark event {loggable_id(event_id(raw))}",
            lambda: self._handle_event(raw),
            lambda: self._reader.read_sender(raw, now),
            self._receive,
        )

    async def _handle_event(self, raw: Any) -> object:
        event = self._reader.read(raw)
        match event:
            case None:
                pass
            case LarkMessage():
                # Lookups differ in length: without the lock a later message could overtake.
                async with self._order_lock:
                    await self._handle_message(event)
            case LarkButtonPress():
                return await self._handle_press(event)
            case AddedToGroup():
                self._greet_group(event)
            case RemovedFromGroup(chat=chat):
                self._directory.forget_chat(chat)
            case PrivateChatOpened():
                await self._greet_newcomer(event)
            case never:
                assert_never(never)
        return None

    async def _handle_message(self, message: LarkMessage) -> None:
        incoming = message.incoming
        self._directory.record_chat_kind(incoming.conversation.chat, private=incoming.private)
        if self._services.clock.now() - incoming.at <= self._options.answer_within:
            completed = await self._completer.complete(message)
            if not self._receiver.accept_pairing(completed):
                await self._receiver.receive_message(completed)
        elif not incoming.is_command:
            # Lark pushes for hours what was not confirmed. So late nobody waits for an answer, and
            # an old command may no longer be meant; what was said is still remembered.
            named = await self._completer.complete(message)
            await self._receive(replace(named, addressed=False))

    async def _handle_press(self, press: LarkButtonPress) -> object:
        """Receive a button's command; return the toast its presser sees."""
        services, data = self._services, button_data(press.value)
        now = services.clock.now()
        command = services.signer.verify(data, press.chat, now)
        if command is None:
            return _toast("warning", dialogue.NO_BUTTON)
        if self._is_stranger(press.sender, press.chat):
            return _toast("warning", texts.NOT_FOR_YOU)
        # A press does not say what kind of chat it comes from. Taking a group for a private chat
        # would show everybody what only one may see, so a press is refused rather than guessed.
        private = await self._ask(lambda: self._directory.is_private(press.chat), None)
        if private is None:
            return _toast("warning", texts.PRESS_AGAIN)
        thread = await self._ask(lambda: self._directory.fetch_thread(press.message), "")
        incoming = Incoming(
            dedupe_key="",
            conversation=self._reader.conversation(press.chat, thread),
            sender=self._sender(press.sender),
            at=now,
            text=command,
            private=private,
            reply_to=press.message,
        )
        await self._receiver.receive_press(incoming, data, partial(key_of, press.message))
        return _toast("info", texts.PRESSED)

    def _greet_group(self, added: AddedToGroup) -> None:
        """Greet a group once; one that is not allowed yet is told how it can be."""
        key = f"{added.chat} {added.at.timestamp()}"
        self._directory.record_chat_kind(added.chat, private=False)
        if key in self._greeted or self._services.clock.now() - added.at > GREETING_WINDOW:
            return
        self._greeted[key] = None
        if len(self._greeted) > REMEMBERED_GREETINGS:
            self._greeted.pop(next(iter(self._greeted)))
        language = self._options.language
        lines = [Text(say(language, texts.HELLO))]
        if self._is_stranger("", added.chat):
            hint = say(language, texts.NOT_ALLOWED_YET, chat=f"lark:{added.chat}")
            lines.append(Text(hint))
        # A stranger who adds the bot to a group cannot make it speak there.
        if not self._is_stranger(added.by, added.chat):
            conversation = self._reader.conversation(added.chat)
            self._services.start_showing(conversation, Document(tuple(lines)), reply_to="")

    async def _greet_newcomer(self, opened: PrivateChatOpened) -> None:
        """Show the help to whoever opens the private chat for the first time."""
        self._directory.record_chat_kind(opened.chat, private=True)
        if self._services.clock.now() - opened.at > GREETING_WINDOW:
            return
        await self._receive(
            Incoming(
                dedupe_key=f"entered_{opened.chat}",
                conversation=self._reader.conversation(opened.chat),
                sender=self._sender(opened.person),
                at=opened.at,
                text="/help",
            )
        )

    async def _is_admin(self, incoming: Incoming) -> bool:
        chat = incoming.conversation.chat
        admins = await self._ask(lambda: self._directory.fetch_admins(chat), frozenset())
        return incoming.sender.id in admins

    def _is_stranger(self, person: str, chat: str) -> bool:
        level = self._services.access.level_of(Author(NAME, person, chat))
        return level is AccessLevel.STRANGER

    def _sender(self, person: str) -> Sender:
        return Sender(id=person, name=self._directory.known_name(person) or short_name(person))

    async def _ask(self, ask: Callable[[], Awaitable[Any]], otherwise: object) -> Any:
        return await self._directory.ask_or_default(LOOKUP_SECONDS, ask, otherwise)


def _toast(kind: str, sentence: Sentence) -> dict[str, object]:
    """Return the words that whoever pressed a button sees for a moment."""
    chinese, english = say("zh", sentence), say("en", sentence)
    i18n = {"zh_cn": chinese, "en_us": english}
    return {"toast": {"type": kind, "content": chinese, "i18n": i18n}}
