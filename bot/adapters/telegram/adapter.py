"""Telegram put together: one bot, how it answers, and how it listens."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Never, Protocol, Self

from telegram import User

from bot.access import Access
from bot.adapters.calls import LoopTimer, Timer, TokenRefused
from bot.adapters.pairing import Pairing
from bot.adapters.patience import Patience
from bot.adapters.taking import Receive
from bot.adapters.telegram.api import (
    KINDS,
    MARGIN_SECONDS,
    POLL_SECONDS,
    BotApi,
    bot_api,
    translated,
)
from bot.adapters.telegram.buttons import seal_of
from bot.adapters.telegram.delivery import TelegramChannel
from bot.adapters.telegram.menu import set_menus
from bot.adapters.telegram.places import link_to
from bot.adapters.telegram.polling import Polling
from bot.adapters.telegram.reading import Reader
from bot.adapters.telegram.showing import TelegramPresenter
from bot.adapters.telegram.taking import Bindings, Extras, Taker
from bot.adapters.telegram.webhook import Hook, webhook_server
from bot.adapters.telegram.writing import Pen
from bot.conversation.channel import Health
from bot.conversation.messages import ConversationKey, Incoming, Platform
from bot.conversation.perceiving import DOCUMENT, PHOTO, VOICE
from bot.supervise import Done, Stumbled, Supervisor, attempt
from bot.texts import say
from bot.texts import telegram as texts
from memory.errors import XiaoxiangError
from memory.ports import Clock
from memory.settings import Language

GRACE_SECONDS: Final = 1.0
"""So long an edit under way may take at the end."""

FILE_BYTES: Final = 10 * 1024 * 1024
"""A larger picture or recording is not looked at or listened to."""

DOCUMENT_BYTES: Final = 20 * 1024 * 1024
"""A larger file Telegram does not hand over."""


class TokenRevoked(XiaoxiangError):
    """Telegram is over for this token; the text says what to do."""


class Program(Protocol):
    """What the adapter needs of the running program."""

    @property
    def receive(self) -> Receive: ...

    @property
    def bindings(self) -> Bindings: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to reach Telegram, or be reached. ``call_seconds`` is the patience with one call."""

    token: str
    api_base: str
    data_dir: Path
    language: Language = "zh"
    hook: Hook | None = None
    drafts: bool = False
    poll_seconds: float = POLL_SECONDS
    call_seconds: float = MARGIN_SECONDS


class TelegramAdapter:
    """One bot. Enter it before the program runs, since its last answers go through it."""

    platform: Final[Platform] = "telegram"

    def __init__(
        self,
        options: Options,
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
        self._patience = Patience(self._timer, self.platform)
        pen = Pen(self._bot, self._timer)
        seal = seal_of(options.data_dir)
        self.channel: Final = TelegramChannel(pen, self._tasks, drafts=options.drafts)
        self.presenter: Final = TelegramPresenter(pen, seal, clock)
        self._pairing = Pairing(
            options.data_dir, self.platform, wanted=not access.owners(self.platform)
        )
        self._extras = Extras(self._bot, seal, self._pairing, access, clock, self.presenter)

    @property
    def health(self) -> Health:
        """Return how hearing goes."""
        return self._patience.health

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._extras.stop(GRACE_SECONDS)
        await self._tasks.stop(GRACE_SECONDS)
        await self._bot.disconnect()

    async def fetch(self, incoming: Incoming) -> bytes | None:
        """Return the file of a message, from Telegram itself, if it is not too large."""
        document = incoming.raw.get(DOCUMENT)
        identity = document or incoming.raw.get(PHOTO) or incoming.raw.get(VOICE)
        with translated():
            file = await self._bot.get_file(str(identity))
            if (file.file_size or 0) > (DOCUMENT_BYTES if document else FILE_BYTES):
                return None
            return bytes(await file.download_as_bytearray())

    def link(self, conversation: ConversationKey, message: str) -> str:
        """Return the address of a message, where Telegram has one."""
        return link_to(conversation, message)

    async def serve(self, program: Program) -> Never:
        """Hear until cancelled; raises :class:`TokenRevoked` when Telegram refuses the token."""
        try:
            me = await self._introduced()
            self._greet(me)
            self._tasks.start("setting menus", self._menus())
            reader = Reader(id=me.id, username=me.username or "", language=self._options.language)
            taker = Taker(reader, program.receive, program.bindings, self._extras)
            await self._hear(taker)
        except TokenRefused as error:
            said = say(self._options.language, texts.TOKEN_REFUSED)
            raise TokenRevoked(said) from error

    async def _hear(self, taker: Taker) -> Never:
        if self._options.hook is not None:
            self._patience.well()
            await webhook_server(self._options.hook, taker.take).run()
        seconds = self._options.poll_seconds
        polling = Polling(self._bot, taker.take, self._timer, self._patience, poll_seconds=seconds)
        await polling.run()

    async def _introduced(self) -> User:
        """Return who the bot is, its webhook set or gone; tried until Telegram answers."""
        while True:
            step = await attempt("introducing", self._introduce)
            match step:
                case Done(me):
                    return me
                case Stumbled(error):
                    await self._timer.sleep(self._patience.after(error))

    async def _introduce(self) -> User:
        with translated():
            me = await self._bot.get_me()
            hook = self._options.hook
            if hook is None:
                await self._bot.delete_webhook(drop_pending_updates=False)
            else:
                # One connection: what a person writes in a row comes in that order.
                await self._bot.set_webhook(
                    hook.url, secret_token=hook.secret, allowed_updates=KINDS, max_connections=1
                )
            return me

    async def _menus(self) -> None:
        owners = [int(each) for each in self._access.owners("telegram")]
        await set_menus(self._bot, owners)

    def _greet(self, me: User) -> None:
        language = self._options.language
        self._announce(say(language, texts.LISTENING, name=me.name))
        if self._pairing.code:
            line = say(language, texts.PAIRING, name=me.name, code=self._pairing.code)
            self._announce(line)
