"""Hearing by webhook: one route, one secret, and 200 only for what is kept."""

import hmac
import json
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from bot.adapters.taking import Keeper, Take
from bot.adapters.webhook import Answer, Head, WebhookServer
from memory.errors import StoreError

SECRET_HEADER: Final = b"x-telegram-bot-api-secret-token"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    """Where Telegram pushes to, what it proves itself with, and where we listen for it."""

    url: str
    secret: str
    bind: str

    @property
    def path(self) -> str:
        """Return the one path there is."""
        return urlsplit(self.url).path or "/"


class TelegramGate:
    """Take what is pushed."""

    def __init__(self, hook: Hook, take: Take) -> None:
        self.keeper: Final = Keeper()
        self.path: Final = hook.path
        self._secret = hook.secret.encode()
        self._take = take

    def refusal(self, head: Head) -> HTTPStatus | None:
        """Send away whoever does not know the secret."""
        offered = head.value(SECRET_HEADER)
        is_telegram = offered is not None and hmac.compare_digest(offered, self._secret)
        return None if is_telegram else HTTPStatus.FORBIDDEN

    async def answer(self, head: Head, body: bytes) -> Answer:
        """Have the update taken; Telegram repeats what was not kept, and never what is broken."""
        del head
        try:
            await self.keeper.keep("an update", lambda: self._take(json.loads(body)))
        except (StoreError, TimeoutError):
            return Answer(HTTPStatus.SERVICE_UNAVAILABLE)
        return Answer(HTTPStatus.OK)


def webhook_server(hook: Hook, take: Take) -> WebhookServer:
    """Return the server Telegram pushes to."""
    return WebhookServer(hook.bind, TelegramGate(hook, take), setting="WEBHOOK_BIND")
