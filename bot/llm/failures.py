"""What a server's error means: a status and some words of it become an outcome.

A server's text may quote keys, addresses and private words, so nothing of it is kept: the outcome
carries one of our own reasons.

==================  ===============================================================
reason              meaning
==================  ===============================================================
``timeout``         nothing came in time
``connection``      no connection, or it broke
``overloaded``      too many requests for now (429, 503, 529)
``server_error``    the server failed (5xx, an error event inside a stream)
``quota``           the account has nothing left
``refused_key``     the key is wrong, or may not do this
``unknown_model``   the server has no such model
``unknown_address`` nothing answers at this address
``web_page``        a page answered: of a proxy, a portal, of who is at work on the server
``not_an_answer``   nothing came, or nothing that is an answer (``Invalid``)
``rejected``        the server will not take this very request (``Invalid``)
==================  ===============================================================
"""

import re
from collections.abc import Container, Mapping
from dataclasses import replace
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import Final, NamedTuple

from memory.ports import Invalid, Outcome, Refused, TooLong, Unavailable

REJECTED: Final = Invalid("rejected")
IN_STREAM: Final = 0  # the status of an error that came as an event, after a 200
# An error body can be as large as the request it quotes; what tells is at its beginning.
LONGEST_WORDS: Final = 4_000
LONGEST_LIST: Final = 10
_SEARCHED_KEYS: Final = (
    "error",
    "code",
    "type",
    "param",
    "message",
    "msg",
    "loc",
    "detail",
    "status",
)


class _Rule(NamedTuple):
    """An error of one of ``statuses`` whose words match ``pattern`` means ``outcome``."""

    statuses: Container[int]
    pattern: re.Pattern[str]
    outcome: Outcome


def _word_pattern(pattern: str = "") -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_ANY: Final = range(600)
_ERROR_STATUSES: Final = range(400, 600)
_REQUEST_ERRORS: Final = frozenset({IN_STREAM, 400, 404, 413, 422, 429})
_UNLESS_SERVER: Final = frozenset({IN_STREAM, *range(400, 500)})
# The wordings of OpenAI, Azure, DeepSeek, Moonshot, DashScope, Zhipu, Mistral, OpenRouter, vLLM,
# llama.cpp and Ollama. The first rule that fits holds, so words come before bare statuses: a
# used-up account is a 429 at some servers, and a filtered prompt a 400 like any bad request.
_RULES: Final = (
    _Rule(
        _UNLESS_SERVER,
        _word_pattern(
            r"content.?filter|data_inspection|moderation|content.?policy|敏感|不安全"
            r"|unsafe or sensitive"
        ),
        Refused(),
    ),
    _Rule(
        _UNLESS_SERVER,
        _word_pattern(
            r"insufficient.(quota|balance)|billing_|exceeded_current_quota|arrear|欠费|余额"
        ),
        Unavailable("quota"),
    ),
    _Rule({402}, _word_pattern(), Unavailable("quota")),
    _Rule({401, 403, 407}, _word_pattern(), Unavailable("refused_key")),
    _Rule({IN_STREAM}, _word_pattern(r"invalid.api.key|unauthorized"), Unavailable("refused_key")),
    _Rule(
        _REQUEST_ERRORS,
        _word_pattern(
            r"context.?(length|window|size)|maximum context|model token limit|too many tokens"
            r"|(prompt|input|messages?|request) (is |are )?too (long|large)"
            r"|input (length|token count)|max_tokens must be at least 1|exceeds? max length"
            r"|超长|过长|上下文"
        ),
        TooLong(),
    ),
    _Rule({413}, _word_pattern(), TooLong()),
    # llama.cpp says so with a 500 as well; of any other server's 500 no word can be trusted.
    _Rule(
        {500},
        _word_pattern(r"exceed_context_size_error|context size has been exceeded"),
        TooLong(),
    ),
    _Rule(
        {IN_STREAM, 429},
        _word_pattern(r"rate.?limit|too many requests|overloaded|\b(429|503|529)\b"),
        Unavailable("overloaded"),
    ),
    _Rule({429, 503, 529}, _word_pattern(), Unavailable("overloaded")),
    _Rule(
        {IN_STREAM, 400, 404},
        _word_pattern(
            r"model.{0,80}(not.(exist|found)|unknown|unavailable)|unknown model|模型不存在"
        ),
        Unavailable("unknown_model"),
    ),
    _Rule({404, 405, 410, *range(300, 400)}, _word_pattern(), Unavailable("unknown_address")),
    _Rule({408, 504}, _word_pattern(), Unavailable("timeout")),
    _Rule({409, 425}, _word_pattern(), Unavailable("overloaded")),
    _Rule(range(400, 500), _word_pattern(), REJECTED),
    _Rule(_ANY, _word_pattern(), Unavailable("server_error")),
)


def outcome_of_error_response(
    status: int, body: object, retry_after: float | None = None
) -> Outcome:
    """Return what the error ``body``, sent with HTTP ``status``, means.

    >>> outcome_of_error_response(429, {"code": "insufficient_quota"})
    Unavailable(reason='quota', retry_after=None)
    >>> outcome_of_error_response(400, {"message": "maximum context length is 8192 tokens"})
    TooLong()
    """
    words = _searchable_words(body)
    for rule in _RULES:
        if status in rule.statuses and rule.pattern.search(words):
            outcome = rule.outcome
            if isinstance(outcome, Unavailable) and retry_after is not None:
                return replace(outcome, retry_after=retry_after)
            return outcome
    return Unavailable("server_error")


def outcome_of_silence(headers: Mapping[str, str]) -> Outcome:
    """Return what an answer with status 200 means in which no word of a model was.

    >>> outcome_of_silence({"content-type": "text/html; charset=utf-8"})
    Unavailable(reason='web_page', retry_after=None)
    """
    if "html" in headers.get("content-type", "").lower():
        return Unavailable("web_page")
    return Invalid("not_an_answer")


def outcome_of_error_document(error: object) -> Outcome:
    """Return what an ``{"error": …}`` that came with status 200 means.

    Relays such as OpenRouter put the status they met into ``code``.
    """
    code = error.get("code") if isinstance(error, Mapping) else None
    status = code if isinstance(code, int) and code in _ERROR_STATUSES else IN_STREAM
    return outcome_of_error_response(status, error)


def seconds_to_wait(headers: Mapping[str, str]) -> float | None:
    """Return how long the server asks us to wait, in seconds ≥ 0, or None if it does not say.

    A date is taken relative to the server's own ``date``, so that our clock does not matter.
    """
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            wait = float(headers.get(name, "")) * unit
        except ValueError:
            continue
        return max(0.0, wait) if isfinite(wait) else None
    try:
        until = parsedate_to_datetime(headers["retry-after"])
        wait = (until - parsedate_to_datetime(headers["date"])).total_seconds()
    except (KeyError, ValueError, TypeError):
        return None
    return max(0.0, wait)


def _searchable_words(body: object, depth: int = 5) -> str:
    """Return the telling words of an error, only ever to be searched.

    Only known keys are followed. Some servers quote the whole request in their error: what the
    partner said must not decide anything.
    """
    if depth == 0:
        return ""
    if isinstance(body, Mapping):
        return " ".join(
            _searchable_words(body[key], depth - 1) for key in _SEARCHED_KEYS if key in body
        )
    if isinstance(body, list):
        return " ".join(_searchable_words(part, depth - 1) for part in body[:LONGEST_LIST])
    return str(body)[:LONGEST_WORDS]
