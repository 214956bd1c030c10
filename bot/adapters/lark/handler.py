"""What is done with one Lark event: complete messages, pair the owner, obey buttons, greet groups.

Asked for before a message is taken, since it decides whether she is asked; within a time that
leaves most of the three seconds, and without it if Lark does not tell.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final, TypeAlias, assert_never

from bot.adapters.incoming import WELCOME, Pairing, Receive, exceeds_known_rights
from bot.adapters.lark.cards import button_data
from bot.adapters.lark.directory import Directory
from bot.adapters.lark.places import key_of
from bot.adapters.lark.reader import (
    AddedToGroup,
    LarkButtonPress,
    LarkMessage,
    LarkReader,
    PrivateChatOpened,
    RemovedFromGroup,
    short_name,
)
from bot.adapters.lark.settings import NAME
from bot.conversation.media import DOCUMENT, FILE_MESSAGE, FILE_NAME
from bot.conversation.messages import ConversationKey, Incoming, Sender, read_command
from bot.desk.button_signing import ButtonSigner, button_id
from bot.desk.documents import Document, Presenter, Text
from bot.identity import Access, AccessLevel, Author
from bot.supervise import Supervisor
from bot.texts import Sentence, dialogue, say
from bot.texts import lark as texts
from memory.model import Language
from memory.ports import Clock

CompletionStep: TypeAlias = Callable[[Incoming, LarkMessage], Awaitable[Incoming]]

LOOKUP_SECONDS: Final = 0.5
"""So long one question may take; there are at most four, and none after one that failed."""

QUOTED_CHARACTERS: Final = 4_000
"""So many characters of other people's words come along."""


class MessageCompleter:
    """Complete messages with what Lark tells about them."""

    def __init__(self, reader: LarkReader, directory: Directory) -> None:
        self._reader = reader
        self._directory = directory

    async def complete(self, spoken: LarkMessage) -> Incoming:
        """Return the message with names, with what it quotes, and meant for her if it is."""
        for person, name in spoken.known_names:
            self._directory.record_name(person, name)
        incoming = spoken.incoming
        if spoken.parent:
            incoming = await self._try_step(self._add_replied_message, incoming, spoken)
        if spoken.is_bundle:
            incoming = await self._try_step(self._add_bundle, incoming, spoken)
        return await self._try_step(self._add_sender_name, incoming, spoken)

    async def _add_replied_message(self, incoming: Incoming, spoken: LarkMessage) -> Incoming:
        """Return an answer with the words it answers to; to hers, it is meant for her.

        The first message of a thread is an answer to the thread's root: everybody sees that, and
        it is quoted no more.
        """
        found = await self._directory.fetch_messages(spoken.parent)
        if not found:
            return incoming
        hers = found[0]["sender"]["id"] in {self._reader.app_id, self._reader.open_id}
        words = "" if spoken.starts_thread or incoming.quoted else self._text_of(found[0])
        return replace(
            incoming,
            addressed=incoming.addressed or hers,
            quoted=incoming.quoted or words[:QUOTED_CHARACTERS],
            raw={**incoming.raw, **_replied_file(found[0], incoming.text)},
        )

    async def _add_bundle(self, incoming: Incoming, spoken: LarkMessage) -> Incoming:
        """Return a bundle with the messages in it, a line each with its speaker."""
        del spoken
        lines = []
        for each in await self._directory.fetch_messages(incoming.dedupe_key):
            if each["message_id"] != incoming.dedupe_key:
                person = str(each["sender"]["id"])
                name = self._directory.known_name(person) or short_name(person)
                lines.append(f"{name}：{self._text_of(each)}")
        return replace(incoming, quoted="\n".join(lines)[:QUOTED_CHARACTERS])

    async def _add_sender_name(self, incoming: Incoming, spoken: LarkMessage) -> Incoming:
        del spoken
        sender, chat = incoming.sender, incoming.conversation.chat
        name = await self._directory.fetch_name(sender.id, chat, private=incoming.private)
        return replace(incoming, sender=replace(sender, name=name)) if name else incoming

    def _text_of(self, told: dict[str, Any]) -> str:
        """Return what a fetched message says; nothing for one that nobody can read."""
        try:
            return self._reader.message_text(told)
        except (KeyError, TypeError, ValueError, AttributeError):
            return ""

    async def _try_step(
        self, step: CompletionStep, incoming: Incoming, spoken: LarkMessage
    ) -> Incoming:
        """Return what a step makes of a message, the message as it is if it makes nothing."""
        return await self._directory.ask_or_default(
            LOOKUP_SECONDS, lambda: step(incoming, spoken), incoming
        )


def _replied_file(told: dict[str, Any], said: str) -> dict[str, object]:
    """Return what is needed to fetch the file that a command answers to."""
    if told.get("msg_type") != "file" or read_command(said) is None:
        return {}
    try:
        content = json.loads(told["body"]["content"])
        key, name = str(content["file_key"]), str(content.get("file_name", ""))
    except (KeyError, TypeError, ValueError):
        return {}
    return {DOCUMENT: key, FILE_NAME: name, FILE_MESSAGE: str(told["message_id"])}


GREETING_WINDOW: Final = timedelta(minutes=10)
"""Nobody is greeted for what happened longer ago."""

REMEMBERED_GREETINGS: Final = 1_000
"""So many groups are kept in mind as greeted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LarkHandlerServices:
    """What taking needs of the rest of the adapter."""

    directory: Directory
    presenter: Presenter
    signer: ButtonSigner
    pairing: Pairing
    access: Access
    clock: Clock
    tasks: Supervisor
    language: Language
    answer_within: timedelta


class LarkEventHandler:
    """Take events one at a time; each returns once nothing of it can be lost."""

    def __init__(
        self, reader: LarkReader, receive: Receive, services: LarkHandlerServices
    ) -> None:
        self._reader = reader
        self._receive = receive
        self._services = services
        self._completer = MessageCompleter(reader, services.directory)
        self._order_lock = asyncio.Lock()
        self._greeted: dict[str, None] = {}

    async def handle(self, raw: Any) -> object:
        """Return the answer to an event that wants one.

        Raises :class:`memory.errors.StoreError` if what was said could not be kept.
        """
        read = self._reader.read(raw)
        match read:
            case None:
                pass
            case LarkMessage():
                async with self._order_lock:
                    await self._handle_message(read)
            case LarkButtonPress():
                return await self._handle_press(read)
            case AddedToGroup():
                self._greet_group(read)
            case RemovedFromGroup(chat=chat):
                self._services.directory.forget_chat(chat)
            case PrivateChatOpened():
                await self._greet_newcomer(read)
            case never:
                assert_never(never)
        return None

    async def _handle_message(self, spoken: LarkMessage) -> None:
        """Take what was said; long after it was said it is remembered, and not answered."""
        incoming = spoken.incoming
        self._services.directory.record_chat_kind(
            incoming.conversation.chat, private=incoming.private
        )
        if self._services.clock.now() - incoming.at > self._services.answer_within:
            if not incoming.is_command:
                named = await self._completer.complete(spoken)
                await self._receive(replace(named, addressed=False))
            return
        incoming = await self._completer.complete(spoken)
        if not self._try_pairing(incoming):
            await self._receive(await self._with_admin_rank(incoming))

    def _try_pairing(self, incoming: Incoming) -> bool:
        """Whether it was the code of the pairing, and not for the conversation."""
        if not self._services.pairing.accept_code(incoming, self._services.access):
            return False
        self._start_showing(incoming.conversation, WELCOME, reply_to=incoming.dedupe_key)
        return True

    async def _handle_press(self, pressed: LarkButtonPress) -> object:
        """Take a button's command as if it had been said, unless it was pressed before."""
        tools, data = self._services, button_data(pressed.value)
        command = tools.signer.verify(data, pressed.chat, tools.clock.now())
        if command is None:
            return _toast("warning", dialogue.NO_BUTTON)
        if self._is_stranger(pressed.sender, pressed.chat):
            return _toast("warning", texts.NOT_FOR_YOU)
        private = await self._ask_directory(lambda: tools.directory.is_private(pressed.chat), None)
        if private is None:
            return _toast("warning", texts.PRESS_AGAIN)
        thread = await self._ask_directory(
            lambda: tools.directory.fetch_thread(pressed.message), ""
        )
        said = await self._with_admin_rank(
            Incoming(
                dedupe_key=key_of(pressed.message, button_id(data)),
                conversation=self._reader.conversation(pressed.chat, thread),
                sender=self._sender(pressed.sender),
                at=tools.clock.now(),
                text=command,
                private=private,
                reply_to=pressed.message,
            )
        )
        if exceeds_known_rights(said, tools.access):
            # A button is obeyed once. Who may not give its command must not use it up.
            own = f"{button_id(data)}:{pressed.sender}"
            said = replace(said, dedupe_key=key_of(pressed.message, own))
        await self._receive(said)
        return _toast("info", texts.PRESSED)

    def _greet_group(self, invited: AddedToGroup) -> None:
        """Greet a group once, shortly; one that is not allowed hears how it can be."""
        tools = self._services
        key = f"{invited.chat} {invited.at.timestamp()}"
        tools.directory.record_chat_kind(invited.chat, private=False)
        if key in self._greeted or tools.clock.now() - invited.at > GREETING_WINDOW:
            return
        self._greeted[key] = None
        if len(self._greeted) > REMEMBERED_GREETINGS:
            self._greeted.pop(next(iter(self._greeted)))
        lines = [Text(say(tools.language, texts.HELLO))]
        if self._is_stranger("", invited.chat):
            hint = say(tools.language, texts.NOT_ALLOWED_YET, chat=f"lark:{invited.chat}")
            lines.append(Text(hint))
        if not self._is_stranger(invited.by, invited.chat):
            conversation = self._reader.conversation(invited.chat)
            self._start_showing(conversation, Document(tuple(lines)), reply_to="")

    async def _greet_newcomer(self, entered: PrivateChatOpened) -> None:
        """Let whoever opens the private chat for the first time be told what she can do."""
        self._services.directory.record_chat_kind(entered.chat, private=True)
        if self._services.clock.now() - entered.at > GREETING_WINDOW:
            return
        await self._receive(
            Incoming(
                dedupe_key=f"entered_{entered.chat}",
                conversation=self._reader.conversation(entered.chat),
                sender=self._sender(entered.person),
                at=entered.at,
                text="/help",
            )
        )

    async def _with_admin_rank(self, incoming: Incoming) -> Incoming:
        """Return a message with whether its sender leads the group, if that matters to it."""
        if not exceeds_known_rights(incoming, self._services.access):
            return incoming
        chat = incoming.conversation.chat
        nobody: frozenset[str] = frozenset()
        keepers = await self._ask_directory(
            lambda: self._services.directory.fetch_admins(chat), nobody
        )
        return replace(incoming, sender_is_admin=incoming.sender.id in keepers)

    def _is_stranger(self, person: str, chat: str) -> bool:
        level = self._services.access.level_of(Author(NAME, person, chat))
        return level is AccessLevel.STRANGER

    def _sender(self, person: str) -> Sender:
        return Sender(
            id=person, name=self._services.directory.known_name(person) or short_name(person)
        )

    def _start_showing(
        self, conversation: ConversationKey, document: Document, *, reply_to: str
    ) -> None:
        work = self._services.presenter.present(conversation, document, reply_to=reply_to)
        self._services.tasks.start("telling somebody", work)

    async def _ask_directory(self, ask: Callable[[], Awaitable[Any]], otherwise: object) -> Any:
        return await self._services.directory.ask_or_default(LOOKUP_SECONDS, ask, otherwise)


def _toast(kind: str, sentence: Sentence) -> dict[str, object]:
    """Return what somebody sees for a moment who pressed a button."""
    chinese, english = say("zh", sentence), say("en", sentence)
    i18n = {"zh_cn": chinese, "en_us": english}
    return {"toast": {"type": kind, "content": chinese, "i18n": i18n}}
