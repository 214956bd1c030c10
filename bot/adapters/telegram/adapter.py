"""One Telegram bot put together.

How it answers, how it listens, and the menu of commands it offers.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Never, Protocol, Self

from telegram import (
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    BotCommandScopeChat,
    User,
)

from bot.adapters.calls import ReconnectBackoff, TokenRefused
from bot.adapters.incoming import Pairing, Receive
from bot.adapters.telegram.api import (
    MARGIN_SECONDS,
    POLL_SECONDS,
    UPDATE_KINDS,
    BotApi,
    bot_api,
    link_to,
    translated_errors,
)
from bot.adapters.telegram.delivery import TelegramChannel
from bot.adapters.telegram.handler import (
    ChatBindings,
    TelegramHandlerContext,
    TelegramUpdateHandler,
)
from bot.adapters.telegram.presenter import TelegramPresenter, button_signer
from bot.adapters.telegram.reader import TelegramReader
from bot.adapters.telegram.settings import NAME
from bot.adapters.telegram.updates import TelegramPolling, TelegramWebhookOptions, webhook_server
from bot.adapters.telegram.writer import TelegramMessageWriter
from bot.conversation.delivery import ChannelHealth
from bot.conversation.media import DOCUMENT, PHOTO, VOICE
from bot.conversation.messages import ConversationKey, Incoming
from bot.desk.desk import menu
from bot.identity import Access, AccessLevel
from bot.supervise import Done, Failed, Supervisor, attempt
from bot.texts import say
from bot.texts import telegram as texts
from bot.timing import LoopTimer, Timer
from memory.errors import XiaoxiangError
from memory.model import Language
from memory.ports import Clock

MENU_LANGUAGES: Final[tuple[tuple[Language, str], ...]] = (("zh", ""), ("zh", "zh"), ("en", "en"))
"""What each language of an app is shown; the first is for every other."""

LONGEST_DESCRIPTION: Final = 256
"""Characters of what is said of a command."""


async def set_menus(bot: BotApi, owners: Collection[int]) -> None:
    """Tell Telegram which commands to offer where: those that may be given there."""
    for scope, standing, private in _menu_scopes(owners):
        for language, code in MENU_LANGUAGES:
            lines = menu(standing, language, private=private)
            commands = [BotCommand(name, line[:LONGEST_DESCRIPTION]) for name, line in lines]
            with translated_errors():
                await bot.set_my_commands(commands, scope=scope, language_code=code or None)


def _menu_scopes(owners: Collection[int]) -> Iterator[tuple[BotCommandScope, AccessLevel, bool]]:
    yield BotCommandScopeAllPrivateChats(), AccessLevel.ALLOWED, True
    yield BotCommandScopeAllGroupChats(), AccessLevel.ALLOWED, False
    yield BotCommandScopeAllChatAdministrators(), AccessLevel.ADMIN, False
    for owner in owners:
        yield BotCommandScopeChat(owner), AccessLevel.OWNER, True


GRACE_SECONDS: Final = 1.0
"""So long an edit under way may take at the end."""

FILE_BYTES: Final = 10 * 1024 * 1024
"""A larger picture or recording is not looked at or listened to."""

DOCUMENT_BYTES: Final = 20 * 1024 * 1024
"""A larger file Telegram does not hand over."""


class TokenRevoked(XiaoxiangError):
    """Telegram is over for this token; the text says what to do."""


class TelegramProgram(Protocol):
    """What the adapter needs of the running program."""

    @property
    def receive(self) -> Receive: ...

    @property
    def bindings(self) -> ChatBindings: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class TelegramOptions:
    """How to reach Telegram, or be reached. ``call_seconds`` is the patience with one call."""

    token: str
    api_base: str
    data_dir: Path
    language: Language = "zh"
    webhook: TelegramWebhookOptions | None = None
    drafts: bool = False
    poll_seconds: float = POLL_SECONDS
    call_seconds: float = MARGIN_SECONDS


class TelegramAdapter:
    """One bot. Enter it before the program runs, since its last answers go through it."""

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
        self._access = access
        self._announce = announce
        self._timer = timer or LoopTimer()
        self._bot: BotApi = bot_api(options.token, options.api_base, seconds=options.call_seconds)
        self._tasks = Supervisor()
        self._backoff = ReconnectBackoff(self._timer, self.platform)
        pen = TelegramMessageWriter(self._bot, self._timer)
        seal = button_signer(options.data_dir)
        self.channel: Final = TelegramChannel(pen, self._tasks, drafts=options.drafts)
        self.presenter: Final = TelegramPresenter(pen, seal, clock)
        self._pairing = Pairing(
            options.data_dir, self.platform, wanted=not access.owners(self.platform)
        )
        self._context = TelegramHandlerContext(
            self._bot, seal, self._pairing, access, clock, self.presenter
        )

    @property
    def health(self) -> ChannelHealth:
        """Return how hearing goes."""
        return self._backoff.health

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._context.stop(GRACE_SECONDS)
        await self._tasks.stop(GRACE_SECONDS)
        await self._bot.disconnect()

    async def fetch(self, incoming: Incoming) -> bytes | None:
        """Return the file of a message, from Telegram itself, if it is not too large."""
        document = incoming.raw.get(DOCUMENT)
        identity = document or incoming.raw.get(PHOTO) or incoming.raw.get(VOICE)
        with translated_errors():
            file = await self._bot.get_file(str(identity))
            if (file.file_size or 0) > (DOCUMENT_BYTES if document else FILE_BYTES):
                return None
            return bytes(await file.download_as_bytearray())

    def link(self, conversation: ConversationKey, message: str) -> str:
        """Return the address of a message, where Telegram has one."""
        return link_to(conversation, message)

    async def serve(self, program: TelegramProgram) -> Never:
        """Hear until cancelled; raises :class:`TokenRevoked` when Telegram refuses the token."""
        try:
            me = await self._identify_bot()
            self._announce_listening(me)
            self._tasks.start("setting menus", self._set_menus())
            reader = TelegramReader(
                id=me.id, username=me.username or "", language=self._options.language
            )
            taker = TelegramUpdateHandler(reader, program.receive, program.bindings, self._context)
            await self._listen(taker)
        except TokenRefused as error:
            said = say(self._options.language, texts.TOKEN_REFUSED)
            raise TokenRevoked(said) from error

    async def _listen(self, handler: TelegramUpdateHandler) -> Never:
        if self._options.webhook is not None:
            self._backoff.record_success()
            await webhook_server(self._options.webhook, handler.handle).run()
        seconds = self._options.poll_seconds
        polling = TelegramPolling(
            self._bot, handler.handle, self._timer, self._backoff, poll_seconds=seconds
        )
        await polling.run()

    async def _identify_bot(self) -> User:
        """Return who the bot is, its webhook set or gone; tried until Telegram answers."""
        while True:
            step = await attempt("introducing", self._register_bot)
            match step:
                case Done(me):
                    return me
                case Failed(error):
                    await self._timer.sleep(self._backoff.record_failure(error))

    async def _register_bot(self) -> User:
        with translated_errors():
            me = await self._bot.get_me()
            hook = self._options.webhook
            if hook is None:
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
        owners = [int(each) for each in self._access.owners(NAME)]
        await set_menus(self._bot, owners)

    def _announce_listening(self, me: User) -> None:
        language = self._options.language
        self._announce(say(language, texts.LISTENING, name=me.name))
        if self._pairing.code:
            line = say(language, texts.PAIRING, name=me.name, code=self._pairing.code)
            self._announce(line)
