"""One Lark app put together: how it answers and how it receives.

Everything else in this package is one part of it; here is the order in which the parts start and
stop.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, timedelta, tzinfo
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from bot.adapters.calls import (
    STOP_SECONDS,
    PlatformUnreachable,
    ReconnectBackoff,
    RequestRejected,
    TokenRefused,
)
from bot.adapters.incoming import DOCUMENT_BYTES, MEDIA_BYTES, HandlerServices, Pairing
from bot.adapters.lark import NAME
from bot.adapters.lark.api import CALL_SECONDS, lark_api, route
from bot.adapters.lark.cards import button_signer, stop_button
from bot.adapters.lark.connection import (
    ConnectionTimeouts,
    Endpoint,
    EndpointRefused,
    LarkConnection,
    discover_endpoint,
)
from bot.adapters.lark.delivery import LarkChannel, take_signs_off
from bot.adapters.lark.directory import OWN_SECONDS, Directory
from bot.adapters.lark.handler import GreetingOptions, LarkEventHandler
from bot.adapters.lark.placed_messages import LarkMessageWriter
from bot.adapters.lark.presenter import LarkPresenter
from bot.adapters.lark.reader import LarkReader
from bot.adapters.lark.webhook import LarkWebhook, serve_webhook
from bot.adapters.platform import RunningProgram
from bot.conversation.delivery import ChannelHealth
from bot.conversation.media import DOCUMENT, FILE_MESSAGE, PHOTO, VOICE
from bot.conversation.messages import BOT_NAMES, ConversationKey, Incoming
from bot.desk.caller import ButtonSigner
from bot.identity import Access
from bot.tasks import LoopTimer, Supervisor, Timer
from bot.texts import Sentence, desk_link, say
from bot.texts import lark as texts
from memory.errors import RefusalError
from memory.model import Language
from memory.ports import Clock


class AppRefused(RefusalError):
    """Lark refuses this app for good; the text tells the operator what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LarkOptions:
    """How to reach Lark at ``domain``, and how Lark reaches the bot if there is a ``webhook``.

    Messages older than ``answer_within`` are remembered and not answered.
    """

    app_id: str
    app_secret: str
    domain: str
    data_dir: Path
    language: Language = "zh"
    zone: tzinfo = UTC
    webhook: LarkWebhook | None = None
    streaming: bool = True
    answer_within: timedelta = timedelta(hours=2)
    timeouts: ConnectionTimeouts = field(default_factory=ConnectionTimeouts)
    call_seconds: float = CALL_SECONDS


class LarkAdapter:
    """One app. Enter it before the program runs: the program's last answers go through it."""

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
        self._directory = Directory(self._api, self._timer)
        self._handler: LarkEventHandler | None = None
        self._writer = writer = LarkMessageWriter(
            self._api,
            self._timer,
            lambda sent: self._directory.own.put(sent, value=True, seconds=OWN_SECONDS),
        )
        signer = button_signer(options.data_dir)
        self.channel: Final = self._open_channel(signer)
        self.presenter: Final = LarkPresenter(writer, signer, clock, self._directory.is_private)
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
        )

    def _open_channel(self, signer: ButtonSigner) -> LarkChannel:
        options = self._options
        return LarkChannel(
            self._writer,
            self._tasks,
            self._clock,
            streaming=options.streaming,
            language=options.language,
            stop_button=partial(stop_button, signer, self._clock, options.language),
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
        await self._api.disconnect()

    async def fetch(self, incoming: Incoming) -> bytes | None:
        """Download the file of a message from Lark; None if it is too large."""
        raw, limit = incoming.raw, MEDIA_BYTES
        # A file that is replied to is fetched from the message that holds it.
        message = str(raw.get(FILE_MESSAGE, incoming.dedupe_key))
        kind, file = ("image", raw[PHOTO]) if PHOTO in raw else ("file", raw.get(VOICE))
        if DOCUMENT in raw:
            kind, file, limit = "file", raw[DOCUMENT], DOCUMENT_BYTES
        path = route("im", "v1", "messages", message, "resources", str(file))
        return await self._api.download(path, query={"type": kind}, limit=limit)

    async def complete(self, incoming: Incoming) -> Incoming:
        """Return a message with what its event did not hold; raises :class:`PlatformError`."""
        if self._handler is None:
            raise PlatformUnreachable("the bot does not know yet who it is")
        return await self._handler.complete(incoming)

    def link(self, conversation: ConversationKey, message: str) -> str:
        """Return nothing: Lark has no address that opens one message."""
        del conversation, message
        return ""

    def shows(self, conversation: ConversationKey) -> bool:
        """Every chat is there at once."""
        return conversation.platform == self.platform

    async def serve(self, program: RunningProgram) -> None:
        """Receive until cancelled; raises :class:`AppRefused` when Lark refuses the app."""
        options = self._options
        greeting = GreetingOptions(language=options.language, answer_within=options.answer_within)
        try:
            reader = await self._identify_bot()
            self._announce_start(reader.name)
            self._tasks.start("taking signs off", take_signs_off(self._writer, program.history))
            self._handler = LarkEventHandler(
                reader, self._directory, program, self._services, greeting
            )
            await self._listen(self._handler, program)
        except TokenRefused as error:
            raise self._app_refused(texts.SECRET_REFUSED) from error

    async def _listen(self, handler: LarkEventHandler, program: RunningProgram) -> None:
        if self._options.webhook is not None:
            self._backoff.record_success()
            await serve_webhook(program.web, self._options.webhook, handler.handle, self._clock)
        timeouts = self._options.timeouts
        connection = LarkConnection(
            self._discover_endpoint, handler.handle, self._timer, self._backoff, timeouts
        )
        well = self._backoff.record_success
        await program.alone_in(f"{NAME} {self._options.app_id}", connection.run, well)

    async def _discover_endpoint(self) -> Endpoint:
        """Ask for the address to connect to; raises :class:`TokenRefused` for a wrong secret."""
        try:
            return await discover_endpoint(self._api.transport)
        except EndpointRefused:
            # Asking for a token tells whether the secret is at fault; only that ends the program.
            await self._api.verify_secret()
            raise

    async def _identify_bot(self) -> LarkReader:
        """Return the reader of the bot's events, once Lark has said who the bot is.

        Raises :class:`TokenRefused`, or :class:`AppRefused` for an app without a bot.
        """
        try:
            # At the start a refused secret is a typing error: there is no grace for it.
            return await self._backoff.call_until_success(
                "introducing", self._fetch_identity, final=(TokenRefused, RequestRejected)
            )
        except RequestRejected as error:
            raise self._app_refused(texts.NO_BOT) from error

    async def _fetch_identity(self) -> LarkReader:
        bot = await self._api.fetch_bot()
        return LarkReader(
            app_id=self._options.app_id,
            open_id=str(bot["open_id"]),
            name=str(bot.get("app_name") or BOT_NAMES[0]),
            language=self._options.language,
            zone=self._options.zone,
        )

    def _app_refused(self, sentence: Sentence) -> AppRefused:
        return AppRefused(sentence)

    def _announce_start(self, name: str) -> None:
        language, code = self._options.language, self._services.pairing.code
        self._announce(say(language, texts.LISTENING, name=name))
        if code:
            self._announce(say(language, texts.PAIRING, name=name, code=code))

    def _announce_new_code(self, code: str) -> None:
        self._announce(say(self._options.language, desk_link.NEW_PAIRING_CODE, code=code))
