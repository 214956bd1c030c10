"""Where the long connection is: asked by ourselves, for the SDK blocks while it asks."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qs, urlsplit

from bot.adapters.calls import PlatformError, PlatformUnreachable, PollingConflict
from bot.adapters.lark.answers import parse_json_object
from bot.adapters.lark.sdk import SdkRequest, SdkTransport

ENDPOINT_PATH: Final = "/callback/ws/endpoint"
_BUSY_CODES: Final = frozenset({1, 1000040343})
_TOO_MANY_CONNECTIONS: Final = 1000040350


class EndpointRefused(PlatformError):
    """Lark does not open a connection to this app; the number says why."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where to connect to. The address holds a ticket: it is shown to nobody."""

    url: str


async def discover_endpoint(transport: SdkTransport, app_id: str, app_secret: str) -> Endpoint:
    """Ask where the long connection is.

    Raises :class:`Away`, :class:`Contested` if there are too many, or :class:`Turned`.
    """
    body = {"AppID": app_id, "AppSecret": app_secret}
    answer = await transport.send(SdkRequest(method="POST", path=ENDPOINT_PATH, body=body))
    told = parse_json_object(answer)
    code = told.get("code")
    if not isinstance(code, int) or code in _BUSY_CODES:
        raise PlatformUnreachable(f"status {answer.status}")
    if code == _TOO_MANY_CONNECTIONS:
        raise PollingConflict("too many connections")
    if code:
        raise EndpointRefused(f"code {code}")
    data = told.get("data")
    url = data.get("URL") if isinstance(data, dict) else None
    if not isinstance(url, str) or not _is_complete_url(url):
        raise PlatformUnreachable("an answer without an address")
    return Endpoint(url)


def _is_complete_url(url: str) -> bool:
    """Say whether an address is one the SDK can connect to."""
    parts = urlsplit(url)
    asked = parse_qs(parts.query)
    service = asked.get("service_id", [""])[0]
    return parts.scheme in {"ws", "wss"} and "device_id" in asked and service.isdecimal()
