"""Handling one Lark event: messages, button presses, groups and people to greet.

An event holds less than the conversation needs: not the sender's name, and not the text that a
message replies to or forwards. What is known already is added at once, such as which messages are
the bot's own, since a reply to one addresses it. The rest is asked of Lark once the message is
durable, however long that takes: Lark waits three seconds for a confirmation.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Any, Final, TypeAlias, assert_never

from bot.adapters.incoming import (
    GREETING_WINDOW,
    HandlerServices,
    MessageReceiver,
    group_greeting,
    handle_or_set_aside,
    loggable_id,
)
from bot.adapters.lark import NAME
from bot.adapters.lark.api import key_of, stop_key
from bot.adapters.lark.cards import STOP_COMMAND, button_data
from bot.adapters.lark.content import picture_keys
from bot.adapters.lark.directory import Directory, ask_or_default
from bot.adapters.lark.reader import (
    AddedToGroup,
    LarkButtonPress,
    LarkMessage,
    LarkReader,
    MessageRecalled,
    PrivateChatOpened,
    RemovedFromGroup,
    event_id,
    short_name,
)
from bot.adapters.platform import RunningProgram
from bot.conversation.media import (
    CAPTION,
    DOCUMENT,
    FILE_MESSAGE,
    FILE_NAME,
    HERS,
    MORE_PHOTOS,
    PHOTO,
    QUOTED_OF,
)
from bot.conversation.messages import LATE, PATIENT, ConversationKey, Incoming, Sender
from bot.identity import AccessLevel, Author
from bot.texts import Sentence, say
from bot.texts import lark as texts
from memory.model import Language

IsOwn: TypeAlias = Callable[[ConversationKey, str], Awaitable[bool]]
"""Whether a message in a chat is the bot's own, as far as is known without asking Lark."""

PRESS_SECONDS: Final = 0.8
"""How long one lookup for a button press may take. There are at most three, and the press has to
be answered within three seconds."""

NAME_SECONDS_AT_MOST: Final = 2.0
"""How long an answer waits for the name of who asked."""

QUOTED_CHARACTERS: Final = 4_000
"""The most characters of other people's words that come with a message."""

# Keys of what is pending. They stand in the ledger's rows, so they may not change.
_PARENT: Final = "parent"
_STARTS_THREAD: Final = "starts_thread"
_BUNDLE: Final = "bundle"
_NAME: Final = "name"


class MessageCompleter:
    """Adds to messages what their events do not hold."""

    def __init__(self, reader: LarkReader, directory: Directory, is_own: IsOwn) -> None:
        self._reader = reader
        self._directory = directory
        self._is_own = is_own

    async def mark(self, message: LarkMessage) -> Incoming:
        """Return the message with what is known, and with what has yet to be asked."""
        for person, name in message.known_names:
            self._directory.record_name(person, name)
        incoming, pending = message.incoming, dict[str, Any]()
        sender = incoming.sender
        if known := self._directory.known_name(sender.id):
            incoming = replace(incoming, sender=replace(sender, name=known))
        elif self._directory.may_tell_name(sender.id):
            pending[_NAME] = True
        if message.parent:
            is_own = await self._is_own(incoming.conversation, message.parent)
            incoming = replace(incoming, addressed=incoming.addressed or is_own)
            if not (is_own and message.starts_thread):
                pending |= {_PARENT: message.parent, _STARTS_THREAD: message.starts_thread}
        if message.is_bundle:
            pending |= {_BUNDLE: True, PATIENT: True}
        return incoming.with_pending(pending)

    async def complete(self, incoming: Incoming) -> Incoming:
        """Return a message with what was pending; raises :class:`PlatformError`."""
        pending, completed = incoming.pending, incoming.with_pending({})
        if parent := pending.get(_PARENT):
            found = await self._directory.fetch_messages(str(parent))
            completed = self._with_replied_message(
                completed, found, quotes=not pending.get(_STARTS_THREAD)
            )
        if pending.get(_BUNDLE):
            found = await self._directory.fetch_messages(incoming.dedupe_key)
            completed = self._with_bundle(completed, found)
        return await self._with_sender_name(completed) if pending.get(_NAME) else completed

    def _with_replied_message(
        self, incoming: Incoming, found: Sequence[dict[str, Any]], *, quotes: bool
    ) -> Incoming:
        """Return a reply with the text it replies to; a reply to the bot is addressed to it."""
        if not found:
            return incoming
        # Fetched messages name the bot by its app, events by its open id.
        is_own = _sender_of(found[0]) in {self._reader.app_id, self._reader.open_id}
        # Everything in a thread replies to its root: everybody sees that, so it is not quoted.
        words = self._quotable(found) if quotes and not incoming.quoted else ""
        author: dict[str, object] = {}
        if words and len(found) == 1 and (person := _sender_of(found[0])):
            name = self._directory.known_name(person) or short_name(person)
            author = {QUOTED_OF: [name, HERS if is_own else f"{NAME}:{person}"]}
        return replace(
            incoming,
            addressed=incoming.addressed or is_own,
            quoted=incoming.quoted or words[:QUOTED_CHARACTERS],
            raw={**incoming.raw, **_replied_file(found[0], incoming), **author},
        )

    def _with_bundle(self, incoming: Incoming, found: Sequence[dict[str, Any]]) -> Incoming:
        """Return a forwarded bundle with the messages in it, one line each with its speaker."""
        inside = [each for each in found if each.get("message_id") != incoming.dedupe_key]
        return replace(incoming, quoted=self._lines(inside)[:QUOTED_CHARACTERS])

    def _quotable(self, found: Sequence[dict[str, Any]]) -> str:
        """Return what a message that is replied to says; of a bundle, what is in it."""
        return self._lines(found[1:]) if len(found) > 1 else self._text_of(found[0])

    def _lines(self, found: Sequence[dict[str, Any]]) -> str:
        lines = []
        for each in found:
            person = _sender_of(each)
            name = self._directory.known_name(person) or short_name(person)
            lines.append(f"{name}：{self._text_of(each)}")
        return "\n".join(lines)

    async def _with_sender_name(self, incoming: Incoming) -> Incoming:
        sender, chat = incoming.sender, incoming.conversation.chat
        name = await ask_or_default(
            NAME_SECONDS_AT_MOST,
            lambda: self._directory.fetch_name(sender.id, chat, private=incoming.private),
            "",
        )
        return replace(incoming, sender=replace(sender, name=name)) if name else incoming

    def _text_of(self, fetched: dict[str, Any]) -> str:
        """Return what a fetched message says; empty for one that cannot be read."""
        try:
            return self._reader.message_text(fetched)
        except (KeyError, TypeError, ValueError, AttributeError):
            return ""


def _sender_of(fetched: dict[str, Any]) -> str:
    sender = fetched.get("sender")
    return str(sender.get("id") or "") if isinstance(sender, dict) else ""


def _replied_file(fetched: dict[str, Any], incoming: Incoming) -> dict[str, object]:
    """Return what is needed to download the file a command, or picture a text, replies to."""
    try:
        content = json.loads(fetched["body"]["content"])
        message = str(fetched["message_id"])
        if fetched.get("msg_type") == "file" and incoming.is_command:
            key, name = str(content["file_key"]), str(content.get("file_name", ""))
            return {DOCUMENT: key, FILE_NAME: name, FILE_MESSAGE: message}
        plain = not incoming.is_command and incoming.modality == "text"
        if plain and (found := picture_keys(str(fetched.get("msg_type")), content)):
            more = {MORE_PHOTOS: ",".join(found[1:])} if found[1:] else {}
            return {PHOTO: found[0], CAPTION: incoming.text, FILE_MESSAGE: message, **more}
    except (KeyError, TypeError, ValueError, AttributeError):
        pass
    return {}


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
        program: RunningProgram,
        services: HandlerServices,
        options: GreetingOptions,
    ) -> None:
        self._reader = reader
        self._directory = directory
        self._receive = program.receive
        self._take_back = program.take_back
        self._services = services
        self._options = options
        self._receiver = MessageReceiver(program.receive, services, self._is_admin)
        self._completer = MessageCompleter(reader, directory, self._is_own)
        self._history = program.history
        self._order_lock = asyncio.Lock()
        self._greeted: dict[str, None] = {}

    async def complete(self, incoming: Incoming) -> Incoming:
        """Return a message with what was pending; raises :class:`PlatformError`."""
        return await self._completer.complete(incoming)

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
                # Marking differs in length: without the lock a later message could overtake.
                async with self._order_lock:
                    await self._handle_message(event)
            case LarkButtonPress():
                return await self._handle_press(event)
            case AddedToGroup():
                self._greet_group(event)
            case RemovedFromGroup(chat=chat):
                self._directory.forget_chat(chat)
            case MessageRecalled(chat=chat, message=key):
                # Behind the lock: the message itself may be on its way to the ledger.
                async with self._order_lock:
                    await self._take_back(self._reader.conversation(chat), key)
            case PrivateChatOpened():
                await self._greet_newcomer(event)
            case never:
                assert_never(never)
        return None

    async def _handle_message(self, message: LarkMessage) -> None:
        incoming = message.incoming
        self._directory.record_chat_kind(incoming.conversation.chat, private=incoming.private)
        if self._services.clock.now() - incoming.at <= self._options.answer_within:
            marked = await self._completer.mark(message)
            if not self._receiver.accept_pairing(marked):
                await self._receiver.receive_message(marked)
        elif not incoming.is_command:
            # Lark pushes for hours what was not confirmed. So late nobody waits for an answer, and
            # an old command may no longer be meant; what was said is still remembered.
            marked = await self._completer.mark(message)
            # Nor does it matter by now whether it replies to her.
            left = {key: value for key, value in marked.pending.items() if key != _PARENT}
            heard = marked.with_pending(left)
            raw = {**heard.raw, LATE: True} if heard.addressed else heard.raw
            await self._receive(replace(heard, addressed=False, raw=raw))

    async def _handle_press(self, press: LarkButtonPress) -> object:
        """Receive a button's command; return the toast its presser sees."""
        data, person = button_data(press.value), f"{NAME}:{press.sender}"
        command = self._receiver.button_command(data, press.chat, person)
        if isinstance(command, Sentence):
            return _toast("warning", command)
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
            at=self._services.clock.now(),
            text=command,
            private=private,
            reply_to=press.message,
        )
        # The card of an answer goes on as it is: what the command says is a message of its own.
        key = stop_key if command == STOP_COMMAND else key_of
        refused = await self._receiver.receive_press(incoming, data, partial(key, press.message))
        return _toast("info", refused or texts.PRESSED)

    def _greet_group(self, added: AddedToGroup) -> None:
        """Greet a group once; one that is not allowed yet is told how it can be."""
        key = f"{added.chat} {added.at.timestamp()}"
        self._directory.record_chat_kind(added.chat, private=False)
        if key in self._greeted or self._services.clock.now() - added.at > GREETING_WINDOW:
            return
        self._greeted[key] = None
        if len(self._greeted) > REMEMBERED_GREETINGS:
            self._greeted.pop(next(iter(self._greeted)))
        # A stranger who adds the bot to a group cannot make it speak there.
        if not self._is_stranger(added.by, added.chat):
            document = group_greeting(
                self._options.language,
                f"{NAME}:{added.chat}" if self._is_stranger("", added.chat) else "",
            )
            conversation = self._reader.conversation(added.chat)
            self._services.start_showing(conversation, document, reply_to="")

    async def _greet_newcomer(self, opened: PrivateChatOpened) -> None:
        """Show the help to whoever opens the private chat for the first time."""
        self._directory.record_chat_kind(opened.chat, private=True)
        # A stranger who only looked in has not asked for anything yet.
        stranger = self._is_stranger(opened.person, opened.chat)
        if stranger or self._services.clock.now() - opened.at > GREETING_WINDOW:
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

    async def _is_own(self, place: ConversationKey, message: str) -> bool:
        return bool(self._directory.own.get(message)) or await self._history.is_ours(
            place, message
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
        return await ask_or_default(PRESS_SECONDS, ask, otherwise)


def _toast(kind: str, sentence: Sentence) -> dict[str, object]:
    """Return the words that whoever pressed a button sees for a moment."""
    chinese, english = say("zh", sentence), say("en", sentence)
    i18n = {"zh_cn": chinese, "en_us": english}
    return {"toast": {"type": kind, "content": chinese, "i18n": i18n}}
