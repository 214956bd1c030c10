"""What is done with one update.

Pairing, buttons, new group ids, who leads a group, and what was said.
"""

import logging
from collections import OrderedDict
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final, Protocol, assert_never

from telegram import Update
from telegram.constants import ChatMemberStatus

from bot.adapters.calls import PlatformError
from bot.adapters.incoming import WELCOME, Pairing, Receive, exceeds_known_rights
from bot.adapters.telegram.api import BotApi, TelegramPlace, key_of, press_key, translated_errors
from bot.adapters.telegram.reader import GroupIdChange, TelegramButtonPress, TelegramReader
from bot.adapters.telegram.settings import NAME
from bot.conversation.messages import ConversationKey, Incoming, read_command
from bot.desk.button_signing import ButtonSigner, button_id
from bot.desk.documents import Presenter
from bot.identity import Access
from bot.supervise import Supervisor
from bot.texts import dialogue, say
from memory.ports import Clock

ADMIN_CACHED_FOR: Final = timedelta(minutes=5)
"""So long an answer holds; whoever leads no more can steer for that long at most."""

ADMINS_CACHED: Final = 1_000
"""So many answers are kept; the eldest is asked for again."""

ADMIN_STATUSES: Final = frozenset({ChatMemberStatus.OWNER, ChatMemberStatus.ADMINISTRATOR})


class GroupAdmins:
    """Say whether somebody leads a group. No answer means no, and is not remembered."""

    def __init__(self, bot: BotApi, clock: Clock) -> None:
        self._bot = bot
        self._clock = clock
        self._cached: OrderedDict[tuple[int, int], tuple[bool, datetime]] = OrderedDict()

    async def is_admin(self, chat: int, user: int) -> bool:
        """Whether Telegram names the user among the group's admins, as of some minutes ago."""
        now = self._clock.now()
        leads, until = self._cached.get((chat, user), (False, now))
        if until > now:
            return leads
        try:
            with translated_errors():
                member = await self._bot.get_chat_member(chat, user)
        except PlatformError:
            return False
        self._cached[chat, user] = (member.status in ADMIN_STATUSES, now + ADMIN_CACHED_FOR)
        self._cached.move_to_end((chat, user))
        if len(self._cached) > ADMINS_CACHED:
            self._cached.popitem(last=False)
        return member.status in ADMIN_STATUSES


START: Final = "start"

log = logging.getLogger(__name__)


class ChatBindings(Protocol):
    """Which agent remembers which conversation."""

    async def agent_id(self, conversation: ConversationKey, *, private: bool) -> str: ...

    async def bind(self, conversation: ConversationKey, agent_id: str) -> None: ...


class TelegramUpdateHandler:
    """Take updates one at a time; each returns once nothing of it can be lost."""

    def __init__(
        self,
        reader: TelegramReader,
        receive: Receive,
        bindings: ChatBindings,
        context: "TelegramHandlerContext",
    ) -> None:
        self._reader = reader
        self._receive = receive
        self._bindings = bindings
        self._context = context

    async def handle(self, raw: Any) -> None:
        """Raise :class:`memory.errors.StoreError` if what was said could not be kept."""
        read = self._reader.read(Update.de_json(raw, None))
        match read:
            case None:
                pass
            case Incoming():
                if not self._context.try_pairing(read):
                    await self._receive(
                        await self._context.with_admin_status(_start_as_help(read))
                    )
            case TelegramButtonPress():
                await self._handle_button_press(read)
            case GroupIdChange(old, new):
                await self._rebind_group(old, new)
            case never:
                assert_never(never)

    async def _handle_button_press(self, pressed: TelegramButtonPress) -> None:
        """Take a button's command as if it had been said, unless it was pressed before."""
        command = self._context.accept_press(pressed)
        if command is None:
            return
        said = await self._context.with_admin_status(
            Incoming(
                dedupe_key=press_key(pressed.chat, pressed.message, button_id(pressed.data)),
                conversation=self._conversation(pressed.chat, pressed.thread),
                sender=pressed.sender,
                at=self._context.clock.now(),
                text=command,
                private=TelegramPlace(pressed.chat).private,
                reply_to=key_of(pressed.chat, pressed.message),
            )
        )
        if exceeds_known_rights(said, self._context.access):
            # A button is obeyed once. Who may not give its command must not use it up.
            own = f"{button_id(pressed.data)}:{pressed.sender.id}"
            said = replace(said, dedupe_key=press_key(pressed.chat, pressed.message, own))
        await self._receive(said)

    async def _rebind_group(self, old: int, new: int) -> None:
        """Let the agent of a group follow it to its new id."""
        agent = await self._bindings.agent_id(self._conversation(old, None), private=False)
        await self._bindings.bind(self._conversation(new, None), agent)
        log.warning("telegram: group %d is now %d; ALLOWED_IDS needs the new id", old, new)

    def _conversation(self, chat: int, thread: int | None) -> ConversationKey:
        return ConversationKey(
            platform=NAME,
            account=str(self._reader.id),
            chat=str(chat),
            thread="" if thread is None else str(thread),
        )


def _start_as_help(incoming: Incoming) -> Incoming:
    """Return a message; what Telegram sends when a chat is opened asks for help."""
    command = read_command(incoming.text)
    if command is None or command.name != START:
        return incoming
    return replace(incoming, text="/help")


class TelegramHandlerContext:
    """What is done beside the conversation: pairing the owner, answering presses."""

    def __init__(
        self,
        bot: BotApi,
        signer: ButtonSigner,
        pairing: Pairing,
        access: Access,
        clock: Clock,
        presenter: Presenter,
    ) -> None:
        self.access: Final = access
        self.clock: Final = clock
        self._bot = bot
        self._signer = signer
        self._pairing = pairing
        self._presenter = presenter
        self._admins = GroupAdmins(bot, clock)
        self._tasks = Supervisor()

    def try_pairing(self, incoming: Incoming) -> bool:
        """Whether it was the code of the pairing, and not for the conversation."""
        if not self._pairing.accept_code(incoming, self.access):
            return False
        self._tasks.start(
            "telling the owner",
            self._presenter.present(incoming.conversation, WELCOME, reply_to=incoming.dedupe_key),
        )
        return True

    def accept_press(self, pressed: TelegramButtonPress) -> str | None:
        """Return the command of a button, and end the press; None for one that is not valid."""
        command = self._signer.verify(pressed.data, str(pressed.chat), self.clock.now())
        gone = f"{say('zh', dialogue.NO_BUTTON)}\n{say('en', dialogue.NO_BUTTON)}"
        said = None if command else gone
        self._tasks.start("ending a press", self._end_press(pressed.query_id, said))
        return command

    async def with_admin_status(self, incoming: Incoming) -> Incoming:
        """Return a message with whether its sender leads the group, if that matters to it."""
        if not exceeds_known_rights(incoming, self.access):
            return incoming
        chat, user = int(incoming.conversation.chat), int(incoming.sender.id)
        return replace(incoming, sender_is_admin=await self._admins.is_admin(chat, user))

    async def stop(self, grace: float) -> None:
        """Finish what is under way."""
        await self._tasks.stop(grace)

    async def _end_press(self, query_id: str, text: str | None) -> None:
        with translated_errors():
            await self._bot.answer_callback_query(query_id, text)
