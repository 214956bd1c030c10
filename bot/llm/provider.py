"""One OpenAI-compatible server: OpenAI itself, a relay, or a model on this machine.

The ``openai`` package is imported at the first call, not at the start of the program.

A server that refuses an optional field of a request (:mod:`bot.llm.presets`) is asked without it.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from itertools import chain
from typing import TYPE_CHECKING, Final

from bot.llm.failures import REJECTED
from bot.llm.pace import AnswerWait, ServerPace
from bot.llm.presets import FORMAT, Fields, RequestStyle
from bot.llm.streams import (
    ASKS_TO_REPEAT,
    AnswerReader,
    RepetitionFilter,
    ServerDocument,
    closing,
    last_outcome,
    next_within,
)
from bot.llm.tokens import TokenCounter
from bot.sections import checked_model_address
from bot.texts import refusals
from memory.errors import InputRefused
from memory.ports import Outcome, Piece, Replied, Streamed, Truncated, Unavailable
from prompts import Prompt, Reply

if TYPE_CHECKING:
    from bot.llm.openai_client import OpenAIClient

OPENAI_URL: Final = "https://api.openai.com/v1"
SILENCE_SECONDS: Final = 3_600.0
"""Longer than any wait of :mod:`bot.llm.pace`, which ends a call that is silent."""


class Provider:
    """The one client of a server, shared by every model it serves.

    Without a ``base_url`` it is OpenAI itself; a server of one's own may need no ``api_key``.
    ``silence_seconds`` is how long the connection may be silent, whoever waits. Raises
    :class:`InputRefused` for an address or a key that can never work.
    """

    def __init__(
        self, base_url: str = "", api_key: str = "", *, silence_seconds: float = SILENCE_SECONDS
    ) -> None:
        base_url = checked_model_address(base_url or OPENAI_URL)
        if not (api_key.isascii() and api_key.isprintable()) or " " in api_key:
            raise InputRefused(refusals.MODEL_KEY)
        self._base_url = base_url
        self._api_key = api_key
        self._silence_seconds = silence_seconds
        # Said of a server, not of a model: whoever refused JSON once is never asked for it again.
        self.refuses_json = False
        self.on_json_refused: Callable[[], Awaitable[None]] | None = None
        self._client: OpenAIClient | None = None
        self._opening = asyncio.Lock()

    async def open(self) -> "OpenAIClient":
        """Return the client; the first time it is made in a thread, for half a second."""
        # Two first calls at once must not open two clients, of which one would never be closed.
        async with self._opening:
            if self._client is None:
                self._client = await asyncio.to_thread(self._connect)
            return self._client

    async def close(self) -> None:
        """Close every connection; a later call opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def documents(
        self, path: str, body: Mapping[str, object]
    ) -> AsyncGenerator[ServerDocument | Outcome]:
        """Post ``body`` and yield the answer's documents, last an outcome if it went wrong."""
        client = await self.open()
        async with aclosing(client.documents(path, body)) as documents:
            async for document in documents:
                yield document

    async def note_json_refused(self) -> None:
        """Note, once, that the server is not to be asked for JSON."""
        if not self.refuses_json:
            self.refuses_json = True
            if self.on_json_refused is not None:
                await self.on_json_refused()

    async def slots(self) -> int | None:
        """Return how many calls the server says it takes at once, None if it does not say."""
        client = await self.open()
        return await client.slots()

    async def transcribe(self, model: str, name: str, voice: bytes) -> str | None:
        """Return the words of a recording, or None if the server does not give them."""
        client = await self.open()
        return await client.transcribe(model, name, voice)

    def _connect(self) -> "OpenAIClient":
        from bot.llm.openai_client import OpenAIClient  # noqa: PLC0415 (half a second, spared until needed)

        return OpenAIClient(self._base_url, self._api_key, self._silence_seconds)


COMPLETIONS_PATH: Final = "/chat/completions"
# Without it a stream ends without a bill. Some servers refuse the option; see _request_variants.
WITH_USAGE: Final[Mapping[str, object]] = {"stream_options": {"include_usage": True}}
BILL_SECONDS: Final = 2.0
"""How long the usage may take to come after the last word: the reply is whole without it."""


LONGEST_ANSWER: Final = 60_000
"""Characters; a model that goes on after that comes to no end by itself."""


async def answer_events(
    documents: AsyncGenerator[ServerDocument | Outcome],
    model: str,
    pace: ServerPace,
    prompt_tokens: int,
    *,
    patient: bool = False,
) -> AsyncGenerator[Piece | Outcome]:
    """Yield the text of a streamed answer as it comes, then exactly one outcome.

    A text that says the same for ever is ended, unless somebody ``patient`` asked for that.
    The first word is waited for as long as the pace of the server says for a prompt of so many
    tokens; then only silence ends the stream. A thought is a word as well, though none is shown.
    """
    answer, wait = AnswerReader(), AnswerWait(pace, prompt_tokens)
    repeated = RepetitionFilter(patient=patient)
    async with closing(documents):
        while document := await next_within(documents, wait.seconds_left):
            if not isinstance(document, ServerDocument):
                answer.fail(document)
                wait.learn_failure(document)
                break
            text = answer.take(document)
            wait.learn(answer.characters, whole=document.whole)
            if text := repeated.feed(text):
                yield Piece(text)
            # From now on, not from when it came: what its reader did is not the server's doing.
            wait.go_on(BILL_SECONDS if answer.is_finished else None)
            if repeated.once is not None:
                break
            if answer.characters > LONGEST_ANSWER and not answer.is_finished:
                answer.fail(Truncated(answer.text, at_limit=True))
                break
    rest = repeated.feed(answer.take_rest()) + repeated.finish()
    if repeated.once is not None:
        yield Truncated(repeated.once, at_limit=True, endless=True)
        return
    if rest:
        yield Piece(rest)
    yield answer.outcome(model)


class ChatCompletions:
    """One model of one server. Each call is one request; :mod:`bot.llm.resilient` asks again.

    A call ends when the server is silent for longer than its ``pace`` allows, whatever it does.
    The answer is always streamed, for ``complete`` too: so silence is noticed, and the two cannot
    disagree. A server that sends a whole answer instead is understood as well.
    """

    def __init__(
        self,
        provider: Provider,
        model: str,
        *,
        tokens: TokenCounter | None = None,
        pace: ServerPace | None = None,
        style: RequestStyle | None = None,
    ) -> None:
        self.name = model
        self.tokens = tokens or TokenCounter()
        self.pace = pace or ServerPace()
        self._provider = provider
        self._style = style or RequestStyle()
        # The names of optional fields the server has taken, and of those it does without.
        self._taken: set[str] = set()
        self._refused: set[str] = set()

    async def complete(self, prompt: Prompt) -> Outcome:
        """Return the whole answer or why there is none."""
        return await last_outcome(self.stream(prompt))

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Streamed]:
        """Yield the pieces of the answer as they come, then exactly one outcome."""
        messages = prompt.messages()
        length = self.tokens.count_messages(messages)
        documents = self._documents(prompt)
        said = prompt.window[-1:] if isinstance(prompt, Reply) else ()
        patient = any(ASKS_TO_REPEAT.search(line.text) for line in said)
        found = answer_events(documents, self.name, self.pace, length, patient=patient)
        async with closing(found) as events:
            async for event in events:
                if isinstance(event, Replied):
                    await self._learn_spelling(prompt, event.text)
                    self.tokens.learn(messages, event.usage.prompt_tokens)
                    self.pace.learn_usage(event.usage)
                yield event

    async def _documents(self, prompt: Prompt) -> AsyncGenerator[ServerDocument | Outcome]:
        """Ask in the first way that the server accepts, and keep to that one from then on."""
        body = {"model": self.name, "stream": True, **self._style.extra}
        ways = self._request_variants(prompt)
        for way in ways:
            async with closing(
                self._provider.documents(
                    COMPLETIONS_PATH, {**way, "messages": _messages_of(prompt, way), **body}
                )
            ) as documents:
                async for document in documents:
                    if way is not ways[-1] and self._may_be_an_option(document, way):
                        break
                    if isinstance(document, ServerDocument):
                        self._taken |= way.keys()
                        self._refused |= ways[0].keys() - way.keys()
                        if FORMAT in self._refused:
                            await self._provider.note_json_refused()
                    yield document
                else:
                    return

    def _may_be_an_option(self, document: ServerDocument | Outcome, way: Fields) -> bool:
        """Say whether the server may have failed at an option, not at the prompt or by itself.

        "Rejected" names no reason, so it may be either. llama-cpp-python's server breaks (500) at
        a ``response_format`` that it does not know.
        """
        if document == REJECTED:
            return True
        untried = FORMAT in way and FORMAT not in self._taken
        return untried and document == Unavailable("server_error")

    async def _learn_spelling(self, prompt: Prompt, answer: str) -> None:
        """Ask no more for JSON where the wish was taken and something else was written."""
        asked = self._style.json_answers and prompt.in_json() is not None
        if asked and FORMAT in self._taken and not answer.lstrip(" \n\t`json").startswith("{"):
            await self._provider.note_json_refused()

    def _request_variants(self, prompt: Prompt) -> list[Mapping[str, object]]:
        """Return the optional fields to ask with: all, all but one, none; one way once known."""
        optional = [WITH_USAGE, *self._style.optional_fields(prompt)]
        refused = self._refused | ({FORMAT} if self._provider.refuses_json else set())
        wanted = [each for each in optional if not each.keys() & refused]
        every = dict(chain.from_iterable(each.items() for each in wanted))
        if every.keys() <= self._taken:
            return [every]
        without_one = (
            {name: value for name, value in every.items() if name not in each}
            for each in reversed(wanted)
        )
        ways: list[Mapping[str, object]] = []
        for way in (every, *without_one, {}):
            if way not in ways:
                ways.append(way)
        return ways


def _messages_of(prompt: Prompt, way: Mapping[str, object]) -> list[dict[str, object]]:
    """Return the messages of a prompt, worded for JSON if that is asked for."""
    spelled = prompt.in_json() if FORMAT in way else None
    return [message._asdict() for message in (spelled or prompt).messages()]
