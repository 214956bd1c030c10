"""Hearing by webhook: one route, one secret, and 200 only for what is kept."""

import hmac
import json
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from bot.adapters.taking import Acknowledger, HandleEvent
from bot.adapters.webhook import RequestHead, WebhookResponse, WebhookServer
from memory.errors import StoreError

SECRET_HEADER: Final = b"x-telegram-bot-api-secret-token"


@dataclass(frozen=True, slots=True, kw_only=True)
class TelegramWebhookOptions:
    """Where Telegram pushes to, what it proves itself with, and where we listen for it."""

    url: str
    secret: str
    bind: str

    @property
    def path(self) -> str:
        """Return the one path there is."""
        return urlsplit(self.url).path or "/"


class TelegramWebhookHandler:
    """Take what is pushed."""

    def __init__(self, options: TelegramWebhookOptions, handle: HandleEvent) -> None:
        self.acknowledger: Final = Acknowledger()
        self.path: Final = options.path
        self._secret = options.secret.encode()
        self._handle_event = handle

    def refusal(self, head: RequestHead) -> HTTPStatus | None:
        """Send away whoever does not know the secret."""
        offered = head.header(SECRET_HEADER)
        is_telegram = offered is not None and hmac.compare_digest(offered, self._secret)
        return None if is_telegram else HTTPStatus.FORBIDDEN

    async def handle(self, head: RequestHead, body: bytes) -> WebhookResponse:
        """Have the update taken; Telegram repeats what was not kept, and never what is broken."""
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
