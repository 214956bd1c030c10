"""Lark put together: one app, how it answers, and how it listens."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import Final, Never, Protocol, Self

from bot.access import Access
from bot.adapters.calling import NAMES
from bot.adapters.calls import LoopTimer, Rejected, Timer, TokenRefused
from bot.adapters.lark.api import CALL_SECONDS, lark_api, route
from bot.adapters.lark.buttons import seal_of
from bot.adapters.lark.connection import Connection
from bot.adapters.lark.delivery import LarkChannel
from bot.adapters.lark.directory import Directory
from bot.adapters.lark.discovery import Endpoint, Turned, discovered
from bot.adapters.lark.line import Pace
from bot.adapters.lark.reading import Reader
from bot.adapters.lark.showing import LarkPresenter
from bot.adapters.lark.taking import Taker, Tools
from bot.adapters.lark.webhook import Hook, webhook_server
from bot.adapters.lark.writing import Pen
from bot.adapters.pairing import Pairing
from bot.adapters.patience import Patience
from bot.adapters.taking import Receive
from bot.conversation.channel import Health
from bot.conversation.messages import ConversationKey, Incoming, Platform
from bot.conversation.perceiving import DOCUMENT, FILE_MESSAGE, PHOTO, VOICE
from bot.supervise import Done, Stumbled, Supervisor, attempt
from bot.texts import Sentence, say
from bot.texts import lark as texts
from memory.errors import XiaoxiangError
from memory.ports import Clock
from memory.settings import Language

GRACE_SECONDS: Final = 1.0
"""So long an edit under way may take at the end."""

FILE_BYTES: Final = 10 * 1024 * 1024
"""A larger picture or recording is not looked at or listened to."""

DOCUMENT_BYTES: Final = 20 * 1024 * 1024
"""A larger file is not taken in."""


class AppRefused(XiaoxiangError):
    """Lark is over for this app; the text says what to do."""


class Program(Protocol):
    """What the adapter needs of the running program."""

    @property
    def receive(self) -> Receive: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to reach Lark at ``domain``, or with a ``hook`` be reached.

    Messages older than ``answer_within`` are remembered and not answered.
    """

    app_id: str
    app_secret: str
    domain: str
    data_dir: Path
    language: Language = "zh"
    hook: Hook | None = None
    streaming: bool = True
    answer_within: timedelta = timedelta(hours=2)
    pace: Pace = field(default_factory=Pace)
    call_seconds: float = CALL_SECONDS


class LarkAdapter:
    """One app. Enter it before the program runs, since its last answers go through it."""

    platform: Final[Platform] = "lark"

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
        self._announce = announce
        self._clock = clock
        self._timer = timer or LoopTimer()
        self._api = lark_api(
            options.app_id,
            options.app_secret,
            options.domain,
            seconds=options.call_seconds,
            timer=self._timer,
        )
        self._tasks = Supervisor()
        self._patience = Patience(self._timer, self.platform)
        pen = Pen(self._api, self._timer)
        self.channel: Final = LarkChannel(
            pen, self._tasks, clock, streaming=options.streaming, language=options.language
        )
        directory = Directory(self._api, self._timer)
        seal = seal_of(options.data_dir)
        self.presenter: Final = LarkPresenter(pen, seal, clock, directory.is_private)
        wanted = not access.owners(self.platform)
        self._tools = Tools(
            directory=directory,
            presenter=self.presenter,
            seal=seal,
            pairing=Pairing(options.data_dir, self.platform, wanted=wanted),
            access=access,
            clock=clock,
            tasks=self._tasks,
            language=options.language,
            answer_within=options.answer_within,
        )

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
        await self._tasks.stop(GRACE_SECONDS)
        await self._api.disconnect()

    async def fetch(self, incoming: Incoming) -> bytes | None:
        """Return the file of a message, from Lark itself, if it is not too large."""
        raw, message, limit = incoming.raw, incoming.dedupe_key, FILE_BYTES
        kind, file = ("image", raw[PHOTO]) if PHOTO in raw else ("file", raw.get(VOICE))
        if DOCUMENT in raw:
            kind, file = "file", raw[DOCUMENT]
            message, limit = str(raw.get(FILE_MESSAGE, message)), DOCUMENT_BYTES
        path = route("im", "v1", "messages", message, "resources", str(file))
        return await self._api.download(path, query={"type": kind}, limit=limit)

    def link(self, conversation: ConversationKey, message: str) -> str:
        """Return nothing: Lark has no address that opens one message."""
        del conversation, message
        return ""

    async def serve(self, program: Program) -> Never:
        """Hear until cancelled; raises :class:`AppRefused` when Lark refuses the app."""
        try:
            reader = await self._introduced()
            self._greet(reader.name)
            await self._hear(Taker(reader, program.receive, self._tools))
        except TokenRefused as error:
            raise self._over(texts.SECRET_REFUSED) from error

    async def _hear(self, taker: Taker) -> Never:
        if self._options.hook is not None:
            self._patience.well()
            await webhook_server(self._options.hook, taker.take, self._clock).run()
        pace = self._options.pace
        await Connection(self._discover, taker.take, self._timer, self._patience, pace).run()

    async def _discover(self) -> Endpoint:
        """Ask where to connect to; raises :class:`TokenRefused` if it is the secret's fault."""
        try:
            options = self._options
            return await discovered(self._api.wire, options.app_id, options.app_secret)
        except Turned:
            await self._api.identify()
            raise

    async def _introduced(self) -> Reader:
        """Return who she is on Lark; tried until Lark answers.

        Raises :class:`TokenRefused`, or :class:`AppRefused` for an app without a bot.
        """
        while True:
            step = await attempt("introducing", self._introduce)
            match step:
                case Done(reader):
                    return reader
                case Stumbled(TokenRefused() as error):
                    raise error
                case Stumbled(Rejected() as error):
                    raise self._over(texts.NO_BOT) from error
                case Stumbled(error):
                    await self._timer.sleep(self._patience.after(error))

    async def _introduce(self) -> Reader:
        told = await self._api.call("GET", route("bot", "v3", "info"))
        bot = told["bot"]
        return Reader(
            app_id=self._options.app_id,
            open_id=str(bot["open_id"]),
            name=str(bot.get("app_name") or NAMES[0]),
            language=self._options.language,
        )

    def _over(self, sentence: Sentence) -> AppRefused:
        return AppRefused(say(self._options.language, sentence))

    def _greet(self, name: str) -> None:
        language, code = self._options.language, self._tools.pairing.code
        self._announce(say(language, texts.LISTENING, name=name))
        if code:
            self._announce(say(language, texts.PAIRING, name=name, code=code))
