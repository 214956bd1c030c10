"""What an answer of Lark's open interface means, in errors of our own and never in its words."""

import json
import math
from typing import Any, Final

from bot.adapters.calls import (
    ChatUnavailable,
    PlatformError,
    PlatformUnreachable,
    RateLimited,
    RequestRejected,
    TokenRefused,
)
from bot.adapters.lark.sdk import SdkResponse

RATE_LIMIT_SECONDS: Final = 1.0
"""So long she waits where the platform does not say how long."""

_RATE_LIMIT_CODES: Final = frozenset({99991400, 11232, 230020})
_TOKEN_EXPIRED_CODES: Final = frozenset({99991663, 99991664, 99991671, 99991677})
_UNKNOWN_APP_CODES: Final = frozenset({10003, 10012, 10013, 10014, 10015, 99991543})
_CHAT_UNAVAILABLE_CODES: Final = frozenset({230002, 230013, 230018, 230035, 230038, 232009})
_WITHDRAWN_CODES: Final = frozenset({230011, 230050, 230110, 230111})
_BUSY_CODES: Final = frozenset({230049})
"""The same message is being sent this moment."""


class MessageWithdrawn(RequestRejected):
    """The message that is answered or changed is there no more."""


class TokenExpired(PlatformError):
    """The token is not taken any more, or never was."""


def raise_for_error(answer: SdkResponse) -> None:
    """Raise what an answer means, if it is a refusal; a file is none."""
    code = _error_code(answer)
    if answer.status == 429 or code in _RATE_LIMIT_CODES:  # noqa: PLR2004
        raise RateLimited(_retry_after_seconds(answer))
    if answer.status >= 500 or code in _BUSY_CODES:  # noqa: PLR2004
        raise PlatformUnreachable(f"status {answer.status}")
    if code in _TOKEN_EXPIRED_CODES:
        raise TokenExpired
    if code:
        raise _error_for_code(code)
    if answer.status >= 400:  # noqa: PLR2004
        # An error page that something in between made is no answer of Lark's.
        raise PlatformUnreachable(f"status {answer.status}")


def _error_for_code(code: int) -> PlatformError:
    said = f"code {code}"
    if code in _UNKNOWN_APP_CODES:
        return TokenRefused(said)
    if code in _CHAT_UNAVAILABLE_CODES:
        return ChatUnavailable(said)
    return (
        MessageWithdrawn(said, code=code)
        if code in _WITHDRAWN_CODES
        else RequestRejected(said, code=code)
    )


def _error_code(answer: SdkResponse) -> int:
    """Return the code of an answer; 0 for one that has none, as a file."""
    if not answer.content.startswith(b"{"):
        return 0
    try:
        code = parse_json_object(answer).get("code")
    except PlatformUnreachable:
        return 0
    return code if isinstance(code, int) else 0


def parse_json_object(answer: SdkResponse) -> dict[str, Any]:
    """Return the object an answer is; raises :class:`Away` for one that is none."""
    try:
        told = json.loads(answer.content)
    except (ValueError, RecursionError):
        raise PlatformUnreachable("an answer that is no JSON") from None
    if not isinstance(told, dict):
        raise PlatformUnreachable("an answer that is no object")
    return told


def _retry_after_seconds(answer: SdkResponse) -> float:
    """Return how long to wait, as far as the platform says."""
    for name in ("x-ogw-ratelimit-reset", "retry-after"):
        try:
            told = float(answer.headers.get(name, ""))
        except ValueError:
            continue
        if math.isfinite(told) and told > 0:
            return told
    return RATE_LIMIT_SECONDS
