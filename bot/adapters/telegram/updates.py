"""Receiving updates, by polling or by webhook: each is durable before Telegram forgets it.

The library's own updater is not used. It confirms updates before any handler has run, so a crash
loses them; one 401 or 404, which a proxy can cause, ends it silently; and one update it cannot
parse makes it poll a thousand times a second.
"""

import asyncio
import hmac
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final, Never
from urllib.parse import urlsplit

from bot.adapters.calls import PlatformUnreachable, ReconnectBackoff
from bot.adapters.incoming import Acknowledger, HandleEvent
from bot.adapters.telegram.api import MARGIN_SECONDS, POLL_SECONDS, BotApi, translated_errors
from bot.adapters.webhook import RequestHead, WebhookResponse, WebhookServer
from bot.supervise import Done, Failed, attempt
from bot.timing import Timer
from memory.errors import StoreError

RECONNECT_AFTER_SECONDS: Final = 120.0
"""After so long without any answer the connections are replaced."""

HANDLING_SECONDS: Final = 30.0
"""How long keeping one update may take before the poll counts as failed."""

log = logging.getLogger(__name__)


class TelegramPolling:
    """Fetch updates for ever and have each one handled; cancel it to stop.

    ``handle`` returns once the update is durable.
    """

    def __init__(
        self,
        bot: BotApi,
        handle: HandleEvent,
        timer: Timer,
        backoff: ReconnectBackoff,
        *,
        poll_seconds: float = POLL_SECONDS,
        margin_seconds: float = MARGIN_SECONDS,
    ) -> None:
        self.acknowledger: Final = Acknowledger()
        self._backoff = backoff
        self._bot = bot
        self._handle_event = handle
        self._timer = timer
        self._poll_seconds = poll_seconds
        self._margin = margin_seconds
        self._offset: int | None = None
        self._last_success = timer.now()

    async def run(self) -> Never:
        """Poll until cancelled; raises :class:`TokenRefused` if the token is revoked."""
        while True:
            step = await attempt("polling", self._poll_once)
            match step:
                case Done():
                    self._last_success = self._timer.now()
                    self._backoff.record_success()
                case Failed(error):
                    await self._recover(error)

    async def _recover(self, error: Exception) -> None:
        await self._timer.sleep(self._backoff.record_failure(error))
        # A pooled connection can be half dead: it takes requests and never answers.
        if self._timer.now() - self._last_success >= RECONNECT_AFTER_SECONDS:
            log.warning("telegram: deaf for %.0f s, connecting anew", RECONNECT_AFTER_SECONDS)
            self._last_success = self._timer.now()
            await attempt("connecting anew", self._bot.reconnect)

    async def _poll_once(self) -> None:
        batch = await self._fetch_batch()
        before = self._offset
        for raw in batch:
            await self._process_update(raw)
        # Asked again with the same offset the same batch would come at once, again and again.
        if batch and self._offset == before:
            raise PlatformUnreachable("an answer without update ids")

    async def _fetch_batch(self) -> Sequence[Any]:
        try:
            # The library's timeouts are for each read: a server that sends a byte now and then
            # would never run into them.
            async with asyncio.timeout(self._poll_seconds + 2 * self._margin):
                with translated_errors():
                    return await self._bot.fetch_updates(
                        self._offset, self._poll_seconds, self._margin
                    )
        except TimeoutError as error:
            raise PlatformUnreachable("a poll without end") from error

    async def _process_update(self, raw: Any) -> None:
        """Have one update kept, then step over it; one that cannot be read is skipped."""
        await self.acknowledger.handle_or_skip("an update", lambda: self._handle_in_time(raw))
        number = raw.get("update_id") if isinstance(raw, dict) else None
        if isinstance(number, int):
            self._offset = number + 1

    async def _handle_in_time(self, raw: Any) -> None:
        async with asyncio.timeout(HANDLING_SECONDS):
            await self._handle_event(raw)


SECRET_HEADER: Final = b"x-telegram-bot-api-secret-token"


@dataclass(frozen=True, slots=True, kw_only=True)
class TelegramWebhookOptions:
    """The address Telegram pushes to, the secret that proves it, and where to listen."""

    url: str
    secret: str
    bind: str

    @property
    def path(self) -> str:
        """Return the path of the address, the only one that is answered."""
        return urlsplit(self.url).path or "/"


class TelegramWebhookHandler:
    """Handle what Telegram pushes."""

    def __init__(self, options: TelegramWebhookOptions, handle: HandleEvent) -> None:
        self.acknowledger: Final = Acknowledger()
        self.path: Final = options.path
        self._secret = options.secret.encode()
        self._handle_event = handle

    def refusal(self, head: RequestHead) -> HTTPStatus | None:
        """Refuse whoever does not know the secret, before reading what they send."""
        offered = head.header(SECRET_HEADER)
        # In constant time: the duration must not tell how much of a guess was right.
        is_telegram = offered is not None and hmac.compare_digest(offered, self._secret)
        return None if is_telegram else HTTPStatus.FORBIDDEN

    async def handle(self, head: RequestHead, body: bytes) -> WebhookResponse:
        """Have an update kept; 503 makes Telegram push it again, 200 for a broken one does not."""
        del head
        try:
            await self.acknowledger.handle_or_skip(
                "an update", lambda: self._handle_event(json.loads(body))
            )
        except (StoreError, TimeoutError):
            return WebhookResponse(HTTPStatus.SERVICE_UNAVAILABLE)
        return WebhookResponse(HTTPStatus.OK)


def webhook_server(options: TelegramWebhookOptions, handle: HandleEvent) -> WebhookServer:
    """Return the server Telegram pushes to."""
    return WebhookServer(
        options.bind, TelegramWebhookHandler(options, handle), setting="WEBHOOK_BIND"
    )
