"""One Telegram bot put together: how it answers, how it receives, and its menu of commands.

Everything else in this package is one part of it; here is the order in which the parts start and
stop.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Never, Self

from telegram import (
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    BotCommandScopeChat,
    User,
)

from bot.adapters.calls import STOP_SECONDS, PlatformError, ReconnectBackoff, TokenRefused
from bot.adapters.incoming import DOCUMENT_BYTES, MEDIA_BYTES, HandlerServices, Pairing
from bot.adapters.platform import RunningProgram
from bot.adapters.telegram import NAME
from bot.adapters.telegram.api import (
    CALL_SECONDS,
    POLL_SECONDS,
    UPDATE_KINDS,
    BotApi,
    bot_api,
    link_to,
    translated_errors,
)
from bot.adapters.telegram.delivery import TelegramChannel
from bot.adapters.telegram.presenter import TelegramPresenter, button_signer, stop_keyboard
from bot.adapters.telegram.reader import TelegramReader
from bot.adapters.telegram.updates import (
    TelegramPolling,
    TelegramUpdateHandler,
    TelegramWebhookOptions,
    serve_webhook,
)
from bot.adapters.telegram.writer import TelegramMessageWriter
from bot.conversation.delivery import ChannelHealth
from bot.conversation.media import DOCUMENT, PHOTO, VOICE
from bot.conversation.messages import ConversationKey, Incoming
from bot.desk.desk import menu
from bot.identity import Access, AccessLevel
from bot.tasks import Done, Failed, LoopTimer, Supervisor, Timer, attempt
from bot.texts import desk_link, say
from bot.texts import telegram as texts
from memory.errors import RefusalError
from memory.model import Language
from memory.ports import Clock

MENU_LANGUAGES: Final[tuple[tuple[Language, str], ...]] = (("zh", ""), ("zh", "zh"), ("en", "en"))
"""The menu's language for each language code of an app; the empty code is every other app."""

LONGEST_DESCRIPTION: Final = 256
"""The most characters Telegram takes as the description of a command."""


async def set_menus(bot: BotApi, owners: Collection[int]) -> None:
    """Tell Telegram which commands to offer where: those that may be given there."""
    for scope, level, private in _menu_scopes(owners):
        for language, code in MENU_LANGUAGES:
            lines = menu(level, language, private=private)
            commands = [BotCommand(name, line[:LONGEST_DESCRIPTION]) for name, line in lines]
            with translated_errors():
                await bot.set_my_commands(commands, scope=scope, language_code=code or None)


def _menu_scopes(owners: Collection[int]) -> Iterator[tuple[BotCommandScope, AccessLevel, bool]]:
    yield BotCommandScopeAllPrivateChats(), AccessLevel.ALLOWED, True
    yield BotCommandScopeAllGroupChats(), AccessLevel.ALLOWED, False
    yield BotCommandScopeAllChatAdministrators(), AccessLevel.ADMIN, False
    for owner in owners:
        yield BotCommandScopeChat(owner), AccessLevel.OWNER, True


WEBHOOK_CHECK_SECONDS: Final = 240.0
"""How often Telegram is asked whether it still pushes here. Another program with this token, or a
call by hand, ends that without a word."""

log = logging.getLogger(__name__)


class TokenRevoked(RefusalError):
    """Telegram refuses this token for good; the text tells the operator what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TelegramOptions:
    """How to reach Telegram, or be reached. ``call_seconds`` is the time limit of a first call."""

    token: str
    api_base: str
    data_dir: Path
    language: Language = "zh"
    webhook: TelegramWebhookOptions | None = None
    drafts: bool = False
    poll_seconds: float = POLL_SECONDS
    call_seconds: float = CALL_SECONDS


class TelegramAdapter:
    """One bot. Enter it before the program runs: the program's last answers go through it."""

    platform: Final = NAME

    def __init__(
        self,
        options: TelegramOptions,
        access: Access,
        clock: Clock,
        *,
        announce: Callable[[str], object],
        timer: Timer | None = None,
    ) -> None:
        self._options = options
        self._announce = announce
        self._timer = timer or LoopTimer()
        self._bot: BotApi = bot_api(options.token, options.api_base, seconds=options.call_seconds)
        self._tasks = Supervisor()
        self._backoff = ReconnectBackoff(self._timer, self.platform)
        self._program: RunningProgram | None = None
        self._serving = asyncio.Event()
        writer = TelegramMessageWriter(self._bot, self._timer, self._is_ours)
        self._own = writer.own
        signer = button_signer(options.data_dir)
        self.channel: Final = TelegramChannel(
            writer,
            self._tasks,
            drafts=options.drafts,
            stop_keyboard=partial(stop_keyboard, signer, clock, options.language),
        )
        self.presenter: Final = TelegramPresenter(writer, signer, clock)
        wanted = not access.owners(self.platform)
        self._services = HandlerServices(
            presenter=self.presenter,
            signer=signer,
            pairing=Pairing(
                options.data_dir, self.platform, wanted=wanted, announce=self._announce_new_code
            ),
            access=access,
            clock=clock,
            tasks=self._tasks,
            on_paired=self._set_menus,
        )

    @property
    def health(self) -> ChannelHealth:
        """Return how receiving goes."""
        return self._backoff.health

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # Connections last: tasks that are still stopping may write through them.
        await self._tasks.stop(STOP_SECONDS)
        await self._bot.disconnect()

    async def fetch(self, incoming: Incoming) -> bytes | None:
        """Download the file of a message from Telegram; None if it is too large."""
        document = incoming.raw.get(DOCUMENT)
        identity = document or incoming.raw.get(PHOTO) or incoming.raw.get(VOICE)
        with translated_errors():
            file = await self._bot.get_file(str(identity))
            if (file.file_size or 0) > (DOCUMENT_BYTES if document else MEDIA_BYTES):
                return None
            return bytes(await file.download_as_bytearray())

    async def complete(self, incoming: Incoming) -> Incoming:
        """Return the message: nothing about it is ever left to be asked."""
        return incoming

    def link(self, conversation: ConversationKey, message: str) -> str:
        """Return the address of a message; empty where Telegram has none."""
        return link_to(conversation, message)

    def shows(self, conversation: ConversationKey) -> bool:
        """Every chat is there at once."""
        return conversation.platform == self.platform

    async def serve(self, program: RunningProgram) -> None:
        """Receive until cancelled; raises :class:`TokenRevoked` when the token is refused."""
        self._program = program
        self._serving.set()
        try:
            me = await self._backoff.call_until_success("introducing", self._register_bot)
            self._announce_listening(me)
            # In a task: receiving does not wait for a dozen calls that only dress the menu.
            self._tasks.start("setting menus", self._set_menus())
            reader = TelegramReader(
                id=me.id, username=me.username or "", language=self._options.language
            )
            handler = TelegramUpdateHandler(self._bot, reader, program, self._services)
            await self._listen(handler, program, str(me.id))
        except TokenRefused as error:
            raise TokenRevoked(texts.TOKEN_REFUSED) from error

    async def _listen(
        self, handler: TelegramUpdateHandler, program: RunningProgram, bot: str
    ) -> None:
        if self._options.webhook is not None:
            self._backoff.record_success()
            self._tasks.start("watching the webhook", self._watch_webhook(self._options.webhook))
            await serve_webhook(program.web, self._options.webhook, partial(self._hear, handler))
        seconds = self._options.poll_seconds
        polling = TelegramPolling(
            self._bot, handler.handle, self._timer, self._backoff, poll_seconds=seconds
        )
        polling.note_heard = self._note_heard
        await program.alone_in(f"{NAME} {bot}", polling.run, self._backoff.record_success)

    async def _hear(self, handler: TelegramUpdateHandler, raw: Any) -> None:
        """Handle an update, and note how far Telegram has counted."""
        self._note_heard(raw)
        await handler.handle(raw)

    def _note_heard(self, raw: Any) -> None:
        match raw:
            case {"message": {"chat": {"id": int(chat)}, "message_id": int(number)}}:
                self._own.note_any(chat, number)
            case _:
                pass

    async def _watch_webhook(self, hook: TelegramWebhookOptions) -> Never:
        """Ask every few minutes where Telegram pushes to, and put it right."""
        while True:
            await self._timer.sleep(WEBHOOK_CHECK_SECONDS)
            step = await attempt(
                "checking the webhook", partial(self._check_webhook, hook), told=PlatformError
            )
            match step:
                case Done():
                    self._backoff.record_success()
                case Failed(error):
                    # Shown as trouble; what was pushed meanwhile is taken all the same.
                    self._backoff.record_failure(error)

    async def _check_webhook(self, hook: TelegramWebhookOptions) -> None:
        with translated_errors():
            found = await self._bot.get_webhook_info()
        if found.url != hook.url:
            log.warning("telegram: the webhook was lost and is registered again")
            await self._register_bot()

    async def _register_bot(self) -> User:
        """Set or remove the webhook, and return who the bot is."""
        with translated_errors():
            me = await self._bot.get_me()
            hook = self._options.webhook
            if hook is None:
                # A webhook left from an earlier mode makes every poll a conflict. What waits at
                # Telegram was said to the bot and is still to be received.
                await self._bot.delete_webhook(drop_pending_updates=False)
            else:
                # One connection: what a person writes in a row comes in that order.
                await self._bot.set_webhook(
                    hook.url,
                    secret_token=hook.secret,
                    allowed_updates=UPDATE_KINDS,
                    max_connections=1,
                )
            return me

    async def _set_menus(self) -> None:
        owners = [int(each) for each in self._services.access.owners(NAME)]
        await set_menus(self._bot, owners)

    async def _is_ours(self, conversation: ConversationKey, key: str) -> bool:
        # What an earlier run left to be sent may be taken up a moment before anything is received.
        await self._serving.wait()
        return self._program is not None and await self._program.history.is_ours(conversation, key)

    def _announce_listening(self, me: User) -> None:
        language = self._options.language
        self._announce(say(language, texts.LISTENING, name=me.name))
        if code := self._services.pairing.code:
            self._announce(say(language, texts.PAIRING, name=me.name, code=code))

    def _announce_new_code(self, code: str) -> None:
        self._announce(say(self._options.language, desk_link.NEW_PAIRING_CODE, code=code))
