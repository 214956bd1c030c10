"""What an answer of Lark's open interface means, in errors of our own and never in its words."""

import json
import math
from typing import Any, Final

from bot.adapters.calls import Away, Flooded, Gone, Rejected, TokenRefused, Trouble
from bot.adapters.lark.sdk import Answer

FLOOD_SECONDS: Final = 1.0
"""So long she waits where the platform does not say how long."""

_TOO_MUCH: Final = frozenset({99991400, 11232, 230020})
_TOKEN_OVER: Final = frozenset({99991663, 99991664, 99991671, 99991677})
_UNKNOWN_APP: Final = frozenset({10003, 10012, 10013, 10014, 10015, 99991543})
_GONE: Final = frozenset({230002, 230013, 230018, 230035, 230038, 232009})
_WITHDRAWN: Final = frozenset({230011, 230050, 230110, 230111})
_BUSY: Final = frozenset({230049})
"""The same message is being sent this moment."""


class Withdrawn(Rejected):
    """The message that is answered or changed is there no more."""


class TokenOver(Trouble):
    """The token is not taken any more, or never was."""


def check(answer: Answer) -> None:
    """Raise what an answer means, if it is a refusal; a file is none."""
    code = _code(answer)
    if answer.status == 429 or code in _TOO_MUCH:  # noqa: PLR2004
        raise Flooded(_seconds(answer))
    if answer.status >= 500 or code in _BUSY:  # noqa: PLR2004
        raise Away(f"status {answer.status}")
    if code in _TOKEN_OVER:
        raise TokenOver
    if code:
        raise _refusal(code)
    if answer.status >= 400:  # noqa: PLR2004
        # An error page that something in between made is no answer of Lark's.
        raise Away(f"status {answer.status}")


def _refusal(code: int) -> Trouble:
    said = f"code {code}"
    if code in _UNKNOWN_APP:
        return TokenRefused(said)
    if code in _GONE:
        return Gone(said)
    return Withdrawn(said, code=code) if code in _WITHDRAWN else Rejected(said, code=code)


def _code(answer: Answer) -> int:
    """Return the code of an answer; 0 for one that has none, as a file."""
    if not answer.content.startswith(b"{"):
        return 0
    try:
        code = document_of(answer).get("code")
    except Away:
        return 0
    return code if isinstance(code, int) else 0


def document_of(answer: Answer) -> dict[str, Any]:
    """Return the object an answer is; raises :class:`Away` for one that is none."""
    try:
        told = json.loads(answer.content)
    except (ValueError, RecursionError):
        raise Away("an answer that is no JSON") from None
    if not isinstance(told, dict):
        raise Away("an answer that is no object")
    return told


def _seconds(answer: Answer) -> float:
    """Return how long to wait, as far as the platform says."""
    for name in ("x-ogw-ratelimit-reset", "retry-after"):
        try:
            told = float(answer.headers.get(name, ""))
        except ValueError:
            continue
        if math.isfinite(told) and told > 0:
            return told
    return FLOOD_SECONDS
