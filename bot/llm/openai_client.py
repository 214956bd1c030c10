"""The connections to one server that speaks OpenAI's protocol: posts, event streams, errors.

Imported in a thread at the first call (:class:`bot.llm.provider.Provider`), as it loads an HTTP
library. The protocol needs no more than a key in a header, JSON, and events whose data is JSON;
:mod:`bot.llm.streams` reads what is in them.
"""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from typing import Final

import httpx

from bot.http_limits import (
    LARGEST_JSON,
    LARGEST_PARSED,
    PLAIN_ONLY,
    is_plain,
    limited_stream,
    parsed_bytes,
)
from bot.llm.failures import outcome_of_error_response, seconds_to_wait
from bot.llm.streams import ServerDocument
from memory.ports import Invalid, Outcome, Unavailable

CONNECT_SECONDS: Final = 5.0
WRITE_SECONDS: Final = 10.0
LARGEST_BODY: Final = 8 * 1024 * 1024  # bytes; some 30,000 streamed tokens
LARGEST_EVENT: Final = 1024 * 1024
"""The most bytes of one event of a stream; a server may put a whole answer into one."""
MOST_LINES: Final = 200_000
"""The most lines of a body: a body of nothing but line ends keeps the processor busy."""
_PIECE: Final = 8192
"""Bytes of a body that are looked at between two looks at everything else."""
_EVENT_STREAM: Final = "text/event-stream"
_EVENT_ENDS: Final = (b"\n\n", b"\n\r\n")
_LAST_EVENT: Final = "[DONE]"

# Of the HTTP library and of sockets, of broken JSON or UTF-8 (ValueError), and of JSON nested a
# thousand deep (RecursionError).
_EXPECTED_ERRORS: Final = (
    httpx.HTTPError,
    httpx.InvalidURL,
    OSError,
    ValueError,
    RecursionError,
)

log = logging.getLogger(__name__)


class OpenAIClient:
    """One client and its connections to one server."""

    def __init__(self, base_url: str, api_key: str, silence_seconds: float) -> None:
        self._base_url = base_url.rstrip("/")
        # The certificates that come with the library, and those of this machine: a server of
        # one's own may have one that only its owner signed.
        certificates = httpx.create_ssl_context(trust_env=False)
        certificates.load_default_certs()
        self._http = httpx.AsyncClient(
            transport=_BoundedTransport(verify=certificates),
            timeout=httpx.Timeout(
                connect=CONNECT_SECONDS,
                read=silence_seconds,
                write=WRITE_SECONDS,
                pool=CONNECT_SECONDS,
            ),
            follow_redirects=False,  # what the partner said goes where we were told, only there
            trust_env=False,
            headers={
                "Authorization": f"Bearer {api_key or 'none'}",
                "Accept": "application/json",
                "User-Agent": "xiaoxiang",
                # Uncompressed: what unpacks to gigabytes would pass the limit on bytes.
                **PLAIN_ONLY,
            },
        )

    async def documents(self, path: str, body: object) -> AsyncGenerator[ServerDocument | Outcome]:
        """Post ``body`` and yield the answer's documents, last an outcome if it went wrong."""
        try:
            async with self._http.stream("POST", self._base_url + path, json=body) as answer:
                if not answer.is_success:
                    yield await _refusal(answer)
                    return
                if "json" in answer.headers.get("content-type", ""):
                    yield ServerDocument(json.loads(await answer.aread()), whole=True)
                    return
                silent = True
                async for data in _event_data(answer.aiter_bytes()):
                    silent = False
                    yield ServerDocument(json.loads(data))
                if silent:  # a web page, or nothing at all
                    yield Invalid("not_an_answer")
        except _EXPECTED_ERRORS as error:
            outcome = outcome_of_error(error)
            log.warning("model call failed: %s, %s", type(error).__name__, outcome)
            yield outcome

    async def transcribe(self, model: str, name: str, voice: bytes) -> str | None:
        """Post a recording and return its words, None if that went wrong."""
        try:
            answer = await self._http.post(
                f"{self._base_url}/audio/transcriptions",
                data={"model": model, "response_format": "json"},
                files={"file": (name, voice)},
            )
            told = json.loads(answer.raise_for_status().content)
        except _EXPECTED_ERRORS as error:
            log.warning("transcription failed: %s", type(error).__name__)
            return None
        text: object = told.get("text") if isinstance(told, dict) else None
        return text.strip() or None if isinstance(text, str) else None

    async def slots(self) -> int | None:
        """Return how many calls the server takes at once; only llama.cpp is known to say so."""
        address = f"{self._base_url.removesuffix('/v1')}/props"
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                answer = await self._http.get(address)
            told = json.loads(answer.raise_for_status().content)
        except (*_EXPECTED_ERRORS, TimeoutError):
            return None
        slots = told.get("total_slots") if isinstance(told, dict) else None
        return slots if isinstance(slots, int) and slots > 0 else None

    async def close(self) -> None:
        """Close every connection."""
        await self._http.aclose()


async def _refusal(answer: httpx.Response) -> Outcome:
    """Return what an answer means that is no success; its words are only ever searched."""
    content = await answer.aread()
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        body = content.decode("utf-8", "replace")
    told = body.get("error", body) if isinstance(body, dict) else body
    outcome = outcome_of_error_response(answer.status_code, told, seconds_to_wait(answer.headers))
    log.warning("model call failed: status %d, %s", answer.status_code, outcome)
    return outcome


async def _event_data(parts: AsyncIterator[bytes]) -> AsyncGenerator[str]:
    """Yield the data of each event up to the last; what breaks off within an event is left out.

    Lines end as the standard of event streams says, with CR, LF or both. Names, ids and comments
    say nothing here.
    """
    data: list[str] = []
    lines, is_over = _Lines(), False
    async for part in parts:
        # To its very end, or the connection could not be used again.
        for line in () if is_over else lines.ended_by(part):
            name, _, value = line.decode().partition(":")
            if name == "data":
                data.append(value.removeprefix(" "))
            elif not name and not line and data:
                event, data = "\n".join(data), []
                is_over = event.startswith(_LAST_EVENT)
                if is_over:
                    break
                yield event
    if not is_over:
        # An event that breaks off is left out; a line that breaks off within a character tells
        # that more was to come.
        lines.begun.decode()


class _Lines:
    """Cuts a body into lines, whatever parts it comes in; no part is looked at twice."""

    def __init__(self) -> None:
        self._begun: list[bytes] = []
        self._after_return = False

    @property
    def begun(self) -> bytes:
        """The line that has not ended yet."""
        return b"".join(self._begun)

    def ended_by(self, part: bytes) -> Iterator[bytes]:
        """Yield the lines that end in a part, without their ends."""
        if self._after_return and part.startswith(b"\n"):
            part = part[1:]
        self._after_return = part.endswith(b"\r")
        for line in part.splitlines(keepends=True):
            self._begun.append(line.rstrip(b"\r\n"))
            if line.endswith((b"\r", b"\n")):
                whole, self._begun = b"".join(self._begun), []
                yield whole


def outcome_of_error(error: Exception) -> Outcome:
    """Return what an error of the HTTP library, of a socket or of a document means."""
    match error:
        case httpx.TimeoutException():
            return Unavailable("timeout")
        case ResponseTooLarge():
            return Invalid("too_large")
        case (
            httpx.HTTPError()
            | OSError()
            | UnicodeDecodeError(reason="unexpected end of data")  # it broke within a character
        ):
            return Unavailable("connection")
        case _:
            return Invalid("unreadable")


class ResponseTooLarge(httpx.RequestError):
    """The server sends more than any answer can be."""


class _BoundedTransport(httpx.AsyncHTTPTransport):
    """Fails any response that is longer than an answer can be, or packed, whoever reads it.

    Bodies are read whole in several places, so the limits lie below all of them.
    """

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await super().handle_async_request(request)
        # It was asked not to, and what unpacks to gigabytes would pass a limit on bytes.
        if not is_plain(response.headers):
            await response.aclose()
            raise httpx.DecodingError("an encoding that was not asked for", request=request)
        if isinstance(response.stream, httpx.AsyncByteStream):
            is_stream = _EVENT_STREAM in response.headers.get("content-type", "")
            response.stream = _BoundedResponse(response.stream, is_stream=is_stream)
        return response


class _BoundedResponse(httpx.AsyncByteStream):
    def __init__(self, stream: httpx.AsyncByteStream, *, is_stream: bool) -> None:
        self._stream = stream
        self._is_stream = is_stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        document = _DocumentSize(is_stream=self._is_stream)
        async for part in limited_stream(aiter(self._stream), LARGEST_BODY, _too_large):
            for start in range(0, len(part), _PIECE):
                piece = part[start : start + _PIECE]
                document.add(piece)
                if document.is_too_large:
                    raise _too_large()
                yield piece
                # What came at once is read without ever waiting, so others must be let in here.
                await asyncio.sleep(0)

    async def aclose(self) -> None:
        await self._stream.aclose()


class _DocumentSize:
    """What is known of the JSON document under way: the whole body, or one event of a stream.

    Each is parsed at once, whatever is in it.
    """

    def __init__(self, *, is_stream: bool) -> None:
        self._is_stream = is_stream
        self._end = b""
        self._bytes = 0
        self._parsed = 0
        self._lines = 0

    @property
    def is_too_large(self) -> bool:
        most = LARGEST_EVENT if self._is_stream else LARGEST_JSON
        return self._bytes > most or self._parsed > LARGEST_PARSED or self._lines > MOST_LINES

    def add(self, part: bytes) -> None:
        self._lines += part.count(b"\n")
        text = self._end + part
        if self._is_stream and (found := max(text.rfind(each) for each in _EVENT_ENDS)) >= 0:
            self._bytes = self._parsed = 0
            part = text[found:]
        self._bytes += len(part)
        self._parsed += parsed_bytes(part)
        self._end = text[-2:]


def _too_large() -> ResponseTooLarge:
    return ResponseTooLarge("the body is too large")
