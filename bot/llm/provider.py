"""One OpenAI-compatible server: OpenAI itself, a relay, or a model on this machine.

The ``openai`` package is imported at the first call, not at the start of the program.

What is known of servers by name was read in the documentation of each on 2026-11-22. A server that
refuses one of the fields is asked without it, so a preset may be out of date without doing harm.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlsplit

from bot.llm.failures import REJECTED
from bot.llm.pace import AnswerWait, ServerPace
from bot.llm.streams import AnswerReader, ServerDocument, closing, last_outcome, next_within
from bot.llm.tokens import TokenCounter
from bot.settings import ProviderName, Settings
from memory.errors import InputRefused
from memory.ports import Outcome, Piece, Replied, Streamed, Truncated
from prompts import OPERATIONS_SCHEMA, Compress, Prompt, Reply, Review, Summarize

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
        base_url = base_url or OPENAI_URL
        if not _is_address(base_url):
            raise InputRefused(f"the model's address {base_url!r} is not like https://host/v1")
        if not (api_key.isascii() and api_key.isprintable()) or " " in api_key:
            raise InputRefused("the model's key holds characters that no key has: copy it again")
        self._base_url = base_url
        self._api_key = api_key
        self._silence_seconds = silence_seconds
        # Said of a server, not of a model: whoever refused JSON once is never asked for it again.
        self.refuses_json = False
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


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        usable = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    return usable and parts.scheme in {"http", "https"} and url.isprintable() and " " not in url


Fields = Mapping[str, Any]


class Dials(NamedTuple):
    """How freely a model may speak, and how many tokens its answer may have."""

    temperature: float
    tokens: int


def dials_for(prompt: Prompt) -> Dials:
    """Return the dials of a purpose: talk is lively, judgements are sober.

    The lengths hold the longest honest answer several times; they only end a model that comes to
    no end by itself.
    """
    match prompt:
        case Reply():
            return Dials(0.7, 1_500)
        case Summarize():
            return Dials(0.2, 3_000)
        case Compress() | Review():
            return Dials(0.1, 800)
        case _:
            return Dials(0.1, 1_500)


FORMAT: Final = "response_format"
IN_JSON: Final[Fields] = {
    FORMAT: {
        "type": "json_schema",
        "json_schema": {"name": "operations", "schema": OPERATIONS_SCHEMA},
    }
}
"""Asks that the operations of a judgement come as JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestStyle:
    """What a request holds beside model and messages.

    ``thinking_off`` is what keeps a model from thinking aloud, or hides it. ``length_key`` is how
    the server calls the longest answer, empty if none is asked for; ``sampled``: whether it takes
    a temperature. ``extra`` is what the operator wants in every request, whatever comes of it.
    ``json_answers``: the server is asked to hold a model to JSON where it judges; whoever refuses
    that once is never asked for it again.
    """

    thinking_off: Fields = field(default_factory=dict)
    sampled: bool = False
    length_key: str = ""
    extra: Fields = field(default_factory=dict)
    json_answers: bool = False

    def optional_fields(self, prompt: Prompt) -> Iterator[Fields]:
        """Yield the parts of a request that a server may refuse, the likeliest to be last."""
        dials = dials_for(prompt)
        if self.thinking_off:
            yield self.thinking_off
        if self.length_key:
            yield {self.length_key: dials.tokens}
        if self.sampled:
            yield {"temperature": dials.temperature}
        if self.json_answers and prompt.in_json() is not None:
            yield IN_JSON


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A server known by name: where it is, what a model of it takes, and how it is asked."""

    url: str
    context_tokens: int
    style: RequestStyle = field(default_factory=RequestStyle)
    is_local: bool = False


_NOTHING: Final[Fields] = {}
_TEMPLATE_OFF: Final[Fields] = {"chat_template_kwargs": {"enable_thinking": False}}
_TYPE_OFF: Final[Fields] = {"thinking": {"type": "disabled"}}


def _style(thinking_off: Fields = _NOTHING, length_key: str = "max_tokens") -> RequestStyle:
    return RequestStyle(thinking_off=thinking_off, sampled=True, length_key=length_key)


PRESETS: Final[Mapping[ProviderName, Preset]] = {
    "deepseek": Preset(
        url="https://api.deepseek.com", context_tokens=64_000, style=_style(_TYPE_OFF)
    ),
    "qwen": Preset(
        url="https://dashscope.aliyuncs.com/compatible-mode/v1",
        context_tokens=32_000,
        style=_style({"enable_thinking": False}),
    ),
    "zhipu": Preset(
        url="https://open.bigmodel.cn/api/paas/v4",
        context_tokens=64_000,
        style=_style(_TYPE_OFF),
    ),
    # Its models of today fix the temperature themselves and refuse any other.
    "moonshot": Preset(
        url="https://api.moonshot.cn/v1",
        context_tokens=64_000,
        style=RequestStyle(thinking_off=_TYPE_OFF, length_key="max_completion_tokens"),
    ),
    "openai": Preset(
        url="https://api.openai.com/v1",
        context_tokens=64_000,
        style=_style(length_key="max_completion_tokens"),
    ),
    "openrouter": Preset(
        url="https://openrouter.ai/api/v1",
        context_tokens=32_000,
        style=_style({"reasoning": {"enabled": False, "exclude": True}}),
    ),
    # Without more memory it takes 4,096 tokens, and drops the beginning of what is longer.
    "ollama": Preset(
        url="http://127.0.0.1:11434/v1",
        context_tokens=4_096,
        style=_style({"reasoning_effort": "none"}),
        is_local=True,
    ),
    "lmstudio": Preset(
        url="http://127.0.0.1:1234/v1", context_tokens=4_096, style=_style(), is_local=True
    ),
    "llamacpp": Preset(
        url="http://127.0.0.1:8080/v1",
        context_tokens=4_096,
        style=_style(_TEMPLATE_OFF),
        is_local=True,
    ),
    "vllm": Preset(
        url="http://127.0.0.1:8000/v1",
        context_tokens=8_192,
        style=_style(_TEMPLATE_OFF),
        is_local=True,
    ),
}


DEFAULT_CONTEXT_TOKENS: Final = 16_000
"""What a model of a server without a preset is taken to have."""


def preset_for(settings: Settings) -> Preset:
    """Return how the language model is asked: by its preset, where the settings say no other."""
    known = PRESETS.get(settings.llm_provider) if settings.llm_provider else None
    preset = known or Preset(url="", context_tokens=DEFAULT_CONTEXT_TOKENS)
    return replace(
        preset,
        url=settings.llm_base_url or preset.url,
        context_tokens=settings.llm_context_tokens or preset.context_tokens,
        style=replace(preset.style, extra=settings.extra_body, json_answers=True),
    )


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
) -> AsyncGenerator[Piece | Outcome]:
    """Yield the text of a streamed answer as it comes, then exactly one outcome.

    The first word is waited for as long as the pace of the server says for a prompt of so many
    tokens; then only silence ends the stream. A thought is a word as well, though none is shown.
    """
    answer, wait = AnswerReader(), AnswerWait(pace, prompt_tokens)
    async with closing(documents):
        while document := await next_within(documents, wait.seconds_left):
            if not isinstance(document, ServerDocument):
                answer.fail(document)
                wait.learn_failure(document)
                break
            text = answer.take(document)
            wait.learn(answer.characters, whole=document.whole)
            if text:
                yield Piece(text)
            # From now on, not from when it came: what its reader did is not the server's doing.
            wait.go_on(BILL_SECONDS if answer.is_finished else None)
            if answer.characters > LONGEST_ANSWER and not answer.is_finished:
                answer.fail(Truncated(answer.text, at_limit=True))
                break
    if text := answer.take_rest():
        yield Piece(text)
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
        async with closing(answer_events(documents, self.name, self.pace, length)) as events:
            async for event in events:
                if isinstance(event, Replied):
                    self._learn_spelling(prompt, event.text)
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
                    # "Rejected" names no reason; it may be an option and it may be the prompt.
                    if document == REJECTED and way is not ways[-1]:
                        break
                    if isinstance(document, ServerDocument):
                        self._taken |= way.keys()
                        self._refused |= ways[0].keys() - way.keys()
                        self._provider.refuses_json |= FORMAT in self._refused
                    yield document
                else:
                    return

    def _learn_spelling(self, prompt: Prompt, answer: str) -> None:
        """Ask no more for JSON where the wish was taken and something else was written."""
        asked = self._style.json_answers and prompt.in_json() is not None
        if asked and FORMAT in self._taken and not answer.lstrip(" \n\t`json").startswith("{"):
            self._provider.refuses_json = True

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
