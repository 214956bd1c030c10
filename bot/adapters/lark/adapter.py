"""Lark put together: one app, how it answers, and how it listens."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import Final, Never, Protocol, Self

from bot.adapters.calls import ReconnectBackoff, RequestRejected, TokenRefused
from bot.adapters.incoming import BOT_NAMES, Pairing, Receive
from bot.adapters.lark.api import CALL_SECONDS, lark_api, route
from bot.adapters.lark.cards import button_signer
from bot.adapters.lark.connection import (
    ConnectionTimeouts,
    Endpoint,
    EndpointRefused,
    LarkConnection,
    discover_endpoint,
)
from bot.adapters.lark.delivery import LarkChannel
from bot.adapters.lark.directory import Directory
from bot.adapters.lark.handler import LarkEventHandler, LarkHandlerServices
from bot.adapters.lark.presenter import LarkPresenter
from bot.adapters.lark.reader import LarkReader
from bot.adapters.lark.settings import NAME
from bot.adapters.lark.webhook import LarkWebhook, webhook_server
from bot.adapters.lark.writer import LarkMessageWriter
from bot.conversation.delivery import ChannelHealth
from bot.conversation.media import DOCUMENT, FILE_MESSAGE, PHOTO, VOICE
from bot.conversation.messages import ConversationKey, Incoming
from bot.identity import Access
from bot.supervise import Done, Failed, Supervisor, attempt
from bot.texts import Sentence, say
from bot.texts import lark as texts
from bot.timing import LoopTimer, Timer
from memory.errors import XiaoxiangError
from memory.model import Language
from memory.ports import Clock

GRACE_SECONDS: Final = 1.0
"""So long an edit under way may take at the end."""

FILE_BYTES: Final = 10 * 1024 * 1024
"""A larger picture or recording is not looked at or listened to."""

DOCUMENT_BYTES: Final = 20 * 1024 * 1024
"""A larger file is not taken in."""


class AppRefused(XiaoxiangError):
    """Lark is over for this app; the text says what to do."""


class LarkProgram(Protocol):
    """What the adapter needs of the running program."""

    @property
    def receive(self) -> Receive: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class LarkOptions:
    """How to reach Lark at ``domain``, or with a ``hook`` be reached.

    Messages older than ``answer_within`` are remembered and not answered.
    """

    app_id: str
    app_secret: str
    domain: str
    data_dir: Path
    language: Language = "zh"
    webhook: LarkWebhook | None = None
    streaming: bool = True
    answer_within: timedelta = timedelta(hours=2)
    timeouts: ConnectionTimeouts = field(default_factory=ConnectionTimeouts)
    call_seconds: float = CALL_SECONDS


class LarkAdapter:
    """One app. Enter it before the program runs, since its last answers go through it."""

    platform: Final = NAME

    def __init__(
        self,
        options: LarkOptions,
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
        self._backoff = ReconnectBackoff(self._timer, self.platform)
        pen = LarkMessageWriter(self._api, self._timer)
        self.channel: Final = LarkChannel(
            pen, self._tasks, clock, streaming=options.streaming, language=options.language
        )
        directory = Directory(self._api, self._timer)
        seal = button_signer(options.data_dir)
        self.presenter: Final = LarkPresenter(pen, seal, clock, directory.is_private)
        wanted = not access.owners(self.platform)
        self._services = LarkHandlerServices(
            directory=directory,
            presenter=self.presenter,
            signer=seal,
            pairing=Pairing(options.data_dir, self.platform, wanted=wanted),
            access=access,
            clock=clock,
            tasks=self._tasks,
            language=options.language,
            answer_within=options.answer_within,
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

    async def serve(self, program: LarkProgram) -> Never:
        """Hear until cancelled; raises :class:`AppRefused` when Lark refuses the app."""
        try:
            reader = await self._identify_bot()
            self._announce_start(reader.name)
            await self._listen(LarkEventHandler(reader, program.receive, self._services))
        except TokenRefused as error:
            raise self._app_refused(texts.SECRET_REFUSED) from error

    async def _listen(self, handler: LarkEventHandler) -> Never:
        if self._options.webhook is not None:
            self._backoff.record_success()
            await webhook_server(self._options.webhook, handler.handle, self._clock).run()
        pace = self._options.timeouts
        await LarkConnection(
            self._discover_endpoint, handler.handle, self._timer, self._backoff, pace
        ).run()

    async def _discover_endpoint(self) -> Endpoint:
        """Ask where to connect to; raises :class:`TokenRefused` if it is the secret's fault."""
        try:
            options = self._options
            return await discover_endpoint(self._api.transport, options.app_id, options.app_secret)
        except EndpointRefused:
            await self._api.verify_secret()
            raise

    async def _identify_bot(self) -> LarkReader:
        """Return who she is on Lark; tried until Lark answers.

        Raises :class:`TokenRefused`, or :class:`AppRefused` for an app without a bot.
        """
        while True:
            step = await attempt("introducing", self._fetch_identity)
            match step:
                case Done(reader):
                    return reader
                case Failed(TokenRefused() as error):
                    raise error
                case Failed(RequestRejected() as error):
                    raise self._app_refused(texts.NO_BOT) from error
                case Failed(error):
                    await self._timer.sleep(self._backoff.record_failure(error))

    async def _fetch_identity(self) -> LarkReader:
        told = await self._api.call("GET", route("bot", "v3", "info"))
        bot = told["bot"]
        return LarkReader(
            app_id=self._options.app_id,
            open_id=str(bot["open_id"]),
            name=str(bot.get("app_name") or BOT_NAMES[0]),
            language=self._options.language,
        )

    def _app_refused(self, sentence: Sentence) -> AppRefused:
        return AppRefused(say(self._options.language, sentence))

    def _announce_start(self, name: str) -> None:
        language, code = self._options.language, self._services.pairing.code
        self._announce(say(language, texts.LISTENING, name=name))
        if code:
            self._announce(say(language, texts.PAIRING, name=name, code=code))
