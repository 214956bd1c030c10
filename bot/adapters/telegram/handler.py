"""Handling one Telegram update: messages, button presses and groups that got a new id.

What an update says is the reader's business; what a message means is the program's. In between
lies what only Telegram can tell, such as who leads a group.
"""

import logging
from collections import OrderedDict
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final, assert_never

from telegram import Update
from telegram.constants import ChatMemberStatus

from bot.adapters.calls import PlatformError
from bot.adapters.incoming import HandlerServices, MessageReceiver
from bot.adapters.platform import RunningProgram
from bot.adapters.telegram.api import BotApi, TelegramPlace, key_of, press_key, translated_errors
from bot.adapters.telegram.reader import GroupIdChange, TelegramButtonPress, TelegramReader
from bot.conversation.messages import Incoming
from bot.texts import dialogue, say
from memory.ports import Clock

ADMIN_CACHED_FOR: Final = timedelta(minutes=5)
"""How long an answer about an admin holds: so long at most somebody dismissed can still steer."""

ADMINS_CACHED: Final = 1_000
"""So many answers are kept; the oldest is asked for again."""

ADMIN_STATUSES: Final = frozenset({ChatMemberStatus.OWNER, ChatMemberStatus.ADMINISTRATOR})

START: Final = "start"

log = logging.getLogger(__name__)


class GroupAdmins:
    """Who leads which group. No answer counts as no, and is not cached."""

    def __init__(self, bot: BotApi, clock: Clock) -> None:
        self._bot = bot
        self._clock = clock
        self._cached: OrderedDict[tuple[int, int], tuple[bool, datetime]] = OrderedDict()

    async def is_admin(self, chat: int, user: int) -> bool:
        """Whether Telegram names the user among the group's admins, as of some minutes ago."""
        now = self._clock.now()
        is_admin, until = self._cached.get((chat, user), (False, now))
        if until > now:
            return is_admin
        try:
            with translated_errors():
                member = await self._bot.get_chat_member(chat, user)
        except PlatformError:
            return False
        is_admin = member.status in ADMIN_STATUSES
        self._cached[chat, user] = (is_admin, now + ADMIN_CACHED_FOR)
        self._cached.move_to_end((chat, user))
        if len(self._cached) > ADMINS_CACHED:
            self._cached.popitem(last=False)
        return is_admin


class TelegramUpdateHandler:
    """Handle updates one at a time; each call returns once nothing of it can be lost."""

    def __init__(
        self,
        bot: BotApi,
        reader: TelegramReader,
        program: RunningProgram,
        services: HandlerServices,
    ) -> None:
        self._bot = bot
        self._reader = reader
        self._bindings = program.bindings
        self._services = services
        self._admins = GroupAdmins(bot, services.clock)
        self._receiver = MessageReceiver(program.receive, services, self._is_admin)

    async def handle(self, raw: Any) -> None:
        """Take one update; raises :class:`StoreError` if what was said could not be kept."""
        event = self._reader.read(Update.de_json(raw, None))
        match event:
            case None:
                pass
            case Incoming():
                # First: a link to the bot sends the code as the word behind ``/start``.
                if not self._receiver.accept_pairing(event):
                    await self._receiver.receive_message(_start_as_help(event))
            case TelegramButtonPress():
                await self._handle_button_press(event)
            case GroupIdChange(old, new):
                await self._rebind_group(old, new)
            case never:
                assert_never(never)

    async def _handle_button_press(self, press: TelegramButtonPress) -> None:
        services = self._services
        now = services.clock.now()
        command = services.signer.verify(press.data, str(press.chat), now)
        # The button shows a spinner until it is answered, so that does not wait for the command.
        services.tasks.start("ending a press", self._end_press(press.query_id, command))
        if command is None:
            return
        incoming = Incoming(
            dedupe_key="",
            conversation=self._reader.conversation(press.chat, press.thread),
            sender=press.sender,
            at=now,
            text=command,
            private=TelegramPlace(press.chat).private,
            reply_to=key_of(press.chat, press.message),
        )
        await self._receiver.receive_press(
            incoming, press.data, partial(press_key, press.chat, press.message)
        )

    async def _end_press(self, query_id: str, command: str | None) -> None:
        """End the press, with a word in both languages if the button is not valid."""
        gone = f"{say('zh', dialogue.NO_BUTTON)}\n{say('en', dialogue.NO_BUTTON)}"
        with translated_errors():
            await self._bot.answer_callback_query(query_id, gone if command is None else None)

    async def _rebind_group(self, old: int, new: int) -> None:
        """Let a group keep its memory under its new id."""
        agent = await self._bindings.agent_id(self._reader.conversation(old), private=False)
        await self._bindings.bind(self._reader.conversation(new), agent)
        log.warning("telegram: group %d is now %d; ALLOWED_IDS needs the new id", old, new)

    async def _is_admin(self, incoming: Incoming) -> bool:
        return await self._admins.is_admin(
            int(incoming.conversation.chat), int(incoming.sender.id)
        )


def _start_as_help(incoming: Incoming) -> Incoming:
    """Return a message; ``/start``, sent when somebody opens the chat, asks for help."""
    if incoming.command is None or incoming.command.name != START:
        return incoming
    return replace(incoming, text="/help")
