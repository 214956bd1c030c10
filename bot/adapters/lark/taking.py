"""What is done with one event: what was said, buttons, pairing, groups she comes to and leaves."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final, assert_never

from bot.access import Access, Standing
from bot.adapters.lark.buttons import data_of
from bot.adapters.lark.completing import LOOKUP_SECONDS, Completing
from bot.adapters.lark.directory import Directory
from bot.adapters.lark.places import key_of
from bot.adapters.lark.reading import Entered, Invited, Pressed, Reader, Removed, Spoken, short
from bot.adapters.pairing import WELCOME, Pairing
from bot.adapters.taking import Receive, may_only_try
from bot.conversation.messages import ConversationKey, Incoming, Sender
from bot.desk.documents import Document, Text
from bot.desk.presenting import Presenter
from bot.desk.seals import Seal, mark
from bot.supervise import Supervisor
from bot.texts import Sentence, commands, say
from bot.texts import lark as texts
from memory.ports import Clock
from memory.settings import Language

GREETING: Final = timedelta(minutes=10)
"""Nobody is greeted for what happened longer ago."""

GREETED: Final = 1_000
"""So many groups are kept in mind as greeted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What taking needs of the rest of the adapter."""

    directory: Directory
    presenter: Presenter
    seal: Seal
    pairing: Pairing
    access: Access
    clock: Clock
    tasks: Supervisor
    language: Language
    answer_within: timedelta


class Taker:
    """Take events one at a time; each returns once nothing of it can be lost."""

    def __init__(self, reader: Reader, receive: Receive, tools: Tools) -> None:
        self._reader = reader
        self._receive = receive
        self._tools = tools
        self._completing = Completing(reader, tools.directory)
        self._in_order = asyncio.Lock()
        self._greeted: dict[str, None] = {}

    async def take(self, raw: Any) -> object:
        """Return the answer to an event that wants one.

        Raises :class:`memory.errors.StoreError` if what was said could not be kept.
        """
        read = self._reader.read(raw)
        match read:
            case None:
                pass
            case Spoken():
                async with self._in_order:
                    await self._spoken(read)
            case Pressed():
                return await self._pressed(read)
            case Invited():
                self._invited(read)
            case Removed(chat=chat):
                self._tools.directory.forget(chat)
            case Entered():
                await self._entered(read)
            case never:
                assert_never(never)
        return None

    async def _spoken(self, spoken: Spoken) -> None:
        """Take what was said; long after it was said it is remembered, and not answered."""
        incoming = spoken.incoming
        self._tools.directory.met(incoming.conversation.chat, private=incoming.private)
        if self._tools.clock.now() - incoming.at > self._tools.answer_within:
            if not incoming.is_command:
                named = await self._completing.complete(spoken)
                await self._receive(replace(named, addressed=False))
            return
        incoming = await self._completing.complete(spoken)
        if not self._paired(incoming):
            await self._receive(await self._ranked(incoming))

    def _paired(self, incoming: Incoming) -> bool:
        """Whether it was the code of the pairing, and not for the conversation."""
        if not self._tools.pairing.makes_owner(incoming, self._tools.access):
            return False
        self._show(incoming.conversation, WELCOME, reply_to=incoming.dedupe_key)
        return True

    async def _pressed(self, pressed: Pressed) -> object:
        """Take a button's command as if it had been said, unless it was pressed before."""
        tools, data = self._tools, data_of(pressed.value)
        command = tools.seal.opened(data, pressed.chat, tools.clock.now())
        if command is None:
            return _toast("warning", commands.NO_BUTTON)
        if self._is_stranger(pressed.sender, pressed.chat):
            return _toast("warning", texts.NOT_FOR_YOU)
        private = await self._asked(lambda: tools.directory.is_private(pressed.chat), None)
        if private is None:
            return _toast("warning", texts.PRESS_AGAIN)
        thread = await self._asked(lambda: tools.directory.thread(pressed.message), "")
        said = await self._ranked(
            Incoming(
                dedupe_key=key_of(pressed.message, mark(data)),
                conversation=self._reader.conversation(pressed.chat, thread),
                sender=self._sender(pressed.sender),
                at=tools.clock.now(),
                text=command,
                private=private,
                reply_to=pressed.message,
            )
        )
        if may_only_try(said, tools.access):
            # A button is obeyed once. Who may not give its command must not use it up.
            own = f"{mark(data)}:{pressed.sender}"
            said = replace(said, dedupe_key=key_of(pressed.message, own))
        await self._receive(said)
        return _toast("info", texts.PRESSED)

    def _invited(self, invited: Invited) -> None:
        """Greet a group once, shortly; one that is not allowed hears how it can be."""
        tools = self._tools
        key = f"{invited.chat} {invited.at.timestamp()}"
        tools.directory.met(invited.chat, private=False)
        if key in self._greeted or tools.clock.now() - invited.at > GREETING:
            return
        self._greeted[key] = None
        if len(self._greeted) > GREETED:
            self._greeted.pop(next(iter(self._greeted)))
        lines = [Text(say(tools.language, texts.HELLO))]
        if self._is_stranger("", invited.chat):
            hint = say(tools.language, texts.NOT_ALLOWED_YET, chat=f"lark:{invited.chat}")
            lines.append(Text(hint))
        if not self._is_stranger(invited.by, invited.chat):
            conversation = self._reader.conversation(invited.chat)
            self._show(conversation, Document(tuple(lines)), reply_to="")

    async def _entered(self, entered: Entered) -> None:
        """Let whoever opens the private chat for the first time be told what she can do."""
        self._tools.directory.met(entered.chat, private=True)
        if self._tools.clock.now() - entered.at > GREETING:
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

    async def _ranked(self, incoming: Incoming) -> Incoming:
        """Return a message with whether its sender leads the group, if that matters to it."""
        if not may_only_try(incoming, self._tools.access):
            return incoming
        chat = incoming.conversation.chat
        nobody: frozenset[str] = frozenset()
        keepers = await self._asked(lambda: self._tools.directory.keepers(chat), nobody)
        return replace(incoming, sender_is_admin=incoming.sender.id in keepers)

    def _is_stranger(self, person: str, chat: str) -> bool:
        standing = self._tools.access.standing("lark", person, chat, is_bot=False)
        return standing is Standing.STRANGER

    def _sender(self, person: str) -> Sender:
        return Sender(id=person, name=self._tools.directory.known(person) or short(person))

    def _show(self, conversation: ConversationKey, document: Document, *, reply_to: str) -> None:
        work = self._tools.presenter.present(conversation, document, reply_to=reply_to)
        self._tools.tasks.start("telling somebody", work)

    async def _asked(self, ask: Callable[[], Awaitable[Any]], otherwise: object) -> Any:
        return await self._tools.directory.within(LOOKUP_SECONDS, ask, otherwise)


def _toast(kind: str, sentence: Sentence) -> dict[str, object]:
    """Return what somebody sees for a moment who pressed a button."""
    chinese, english = say("zh", sentence), say("en", sentence)
    i18n = {"zh_cn": chinese, "en_us": english}
    return {"toast": {"type": kind, "content": chinese, "i18n": i18n}}
