"""The only module that imports the ``openai`` package, which takes half a second.

Therefore :class:`bot.llm.provider.Provider` imports this module in a thread, at the first call. Of
the package we use the connection, the authorisation, the event stream and the errors. Its typed
answers are built without validation, so :mod:`bot.llm.streams` reads the plain documents.
"""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Final

import httpx2
import openai
from openai import AsyncOpenAI, AsyncStream

from bot.http_limits import (
    LARGEST_JSON,
    LARGEST_PARSED,
    PLAIN_ONLY,
    is_plain,
    limited_stream,
    parsed_bytes,
)
from bot.llm.failures import (
    IN_STREAM,
    outcome_of_error_response,
    outcome_of_silence,
    seconds_to_wait,
)
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
_PIECES: Final = 16
"""Bytes and pieces of a body that are looked at between two looks at everything else."""
_EVENT_STREAM: Final = "text/event-stream"
_EVENT_ENDS: Final = (b"\n\n", b"\n\r\n")

# Beside the package's own errors: those of its HTTP library that it lets through, of sockets, of
# broken JSON or UTF-8 (ValueError), and of JSON nested a thousand deep (RecursionError).
_EXPECTED_ERRORS: Final = (
    openai.OpenAIError,
    httpx2.HTTPError,
    httpx2.InvalidURL,
    OSError,
    ValueError,
    RecursionError,
)

log = logging.getLogger(__name__)


class OpenAIClient:
    """One client and its connections to one server."""

    def __init__(self, base_url: str, api_key: str, silence_seconds: float) -> None:
        timeout = httpx2.Timeout(
            connect=CONNECT_SECONDS,
            read=silence_seconds,
            write=WRITE_SECONDS,
            pool=CONNECT_SECONDS,
        )
        http = httpx2.AsyncClient(
            transport=_BoundedTransport(),
            timeout=timeout,
            follow_redirects=False,  # what the partner said goes where we were told, only there
            trust_env=False,
        )
        self._client = AsyncOpenAI(
            base_url=base_url,
            api_key=api_key or "none",  # with an empty one the SDK looks for others
            max_retries=0,  # :mod:`bot.llm.resilient` asks again, and knows the deadline
            timeout=timeout,
            http_client=http,
            # Uncompressed: a small body that unpacks to gigabytes would pass the limit on bytes.
            default_headers=PLAIN_ONLY,
        )
        # The SDK filled these from the environment, and would send them to any server.
        self._client.organization = self._client.project = None
        self._addresses: dict[str, str] = {}

    async def documents(self, path: str, body: object) -> AsyncGenerator[ServerDocument | Outcome]:
        """Post ``body`` and yield the answer's documents, last an outcome if it went wrong."""
        try:
            async with await self._post(path, body) as stream:
                if "json" in stream.response.headers.get("content-type", ""):
                    yield ServerDocument(json.loads(await stream.response.aread()), whole=True)
                    return
                silent = True
                async for content in stream:
                    silent = False
                    yield ServerDocument(content)
                if silent:
                    outcome = outcome_of_silence(stream.response.headers)
                    log.warning("model call failed: %s", outcome)
                    yield outcome
        except _EXPECTED_ERRORS as error:
            outcome = outcome_of_error(error)
            log.warning("model call failed: %s, %s", type(error).__name__, outcome)
            yield outcome

    async def transcribe(self, model: str, name: str, voice: bytes) -> str | None:
        """Post a recording and return its words, None if that went wrong."""
        try:
            words = await self._client.audio.transcriptions.create(
                model=model, file=(name, voice), response_format="json"
            )
        except _EXPECTED_ERRORS as error:
            log.warning("transcription failed: %s", type(error).__name__)
            return None
        text: object = words.text  # unvalidated, like every answer of the package
        return text.strip() or None if isinstance(text, str) else None

    async def slots(self) -> int | None:
        """Return how many calls the server takes at once; only llama.cpp is known to say so."""
        address = f"{str(self._client.base_url).rstrip('/').removesuffix('/v1')}/props"
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                told = await self._client.get(address, cast_to=object)
        except (*_EXPECTED_ERRORS, TimeoutError):
            return None
        slots = told.get("total_slots") if isinstance(told, dict) else None
        return slots if isinstance(slots, int) and slots > 0 else None

    async def close(self) -> None:
        """Close every connection."""
        await self._client.close()

    async def _post(self, path: str, body: object) -> AsyncStream[object]:
        return await self._client.post(
            self._address_of(path),
            cast_to=object,
            body=body,
            options={"security": {"bearer_auth": True}},
            stream=True,
            stream_cls=AsyncStream[object],
        )

    def _address_of(self, path: str) -> str:
        """Return the whole address of a path, as the package joins them at every call."""
        if path not in self._addresses:
            base = self._client.base_url
            joined = base.copy_with(raw_path=base.raw_path + path.lstrip("/").encode())
            self._addresses[path] = str(joined)
        return self._addresses[path]


def outcome_of_error(error: Exception) -> Outcome:
    """Return what an error of the ``openai`` package, or of the libraries below it, means."""
    match error:
        case openai.APIStatusError(status_code=status, body=body, response=response):
            return outcome_of_error_response(status, body, seconds_to_wait(response.headers))
        case openai.APITimeoutError() | httpx2.TimeoutException():
            return Unavailable("timeout")
        case ResponseTooLarge() | openai.APIConnectionError(__cause__=ResponseTooLarge()):
            return Invalid("too_large")
        case (
            openai.APIConnectionError()
            | httpx2.HTTPError()
            | OSError()
            | UnicodeDecodeError(reason="unexpected end of data")  # it broke within a character
        ):
            return Unavailable("connection")
        case openai.APIError(body=body):
            return outcome_of_error_response(IN_STREAM, body)
        case _:
            return Invalid("unreadable")


class ResponseTooLarge(httpx2.RequestError):
    """The server sends more than any answer can be."""


class _BoundedTransport(httpx2.AsyncHTTPTransport):
    """Fails any response that is longer than an answer can be, or packed, whoever reads it.

    The package reads error bodies whole by itself, so the limits must lie below it.
    """

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await super().handle_async_request(request)
        # It was asked not to, and what unpacks to gigabytes would pass a limit on bytes.
        if not is_plain(response.headers):
            await response.aclose()
            raise httpx2.DecodingError("an encoding that was not asked for", request=request)
        if isinstance(response.stream, httpx2.AsyncByteStream):
            is_stream = _EVENT_STREAM in response.headers.get("content-type", "")
            response.stream = _BoundedResponse(response.stream, is_stream=is_stream)
        return response


class _BoundedResponse(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, *, is_stream: bool) -> None:
        self._stream = stream
        self._is_stream = is_stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        document, pieces, seen = _DocumentSize(is_stream=self._is_stream), 0, 0
        async for part in limited_stream(aiter(self._stream), LARGEST_BODY, _too_large):
            for start in range(0, len(part), _PIECE):
                piece = part[start : start + _PIECE]
                document.add(piece)
                if document.is_too_large:
                    raise _too_large()
                yield piece
                pieces, seen = pieces + 1, seen + len(piece)
                if pieces == _PIECES or seen >= _PIECE:
                    # What came at once is read without ever waiting: others are let in here.
                    pieces = seen = 0
                    await asyncio.sleep(0)

    async def aclose(self) -> None:
        await self._stream.aclose()


class _DocumentSize:
    """What is known of the JSON document under way: the whole body, or one event of a stream.

    The package parses each by itself, whatever is in it.
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
