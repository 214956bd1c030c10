"""A language model behind the chat completions interface of any compatible server."""

from collections.abc import AsyncGenerator, Mapping
from itertools import chain
from typing import Final

from bot.llm.failures import REJECTED
from bot.llm.pace import AnswerWait, ServerPace
from bot.llm.provider import Provider, RequestStyle
from bot.llm.streams import (
    AnswerReader,
    ServerDocument,
    closing,
    last_outcome,
    next_within,
)
from bot.llm.tokens import TokenCounter
from memory.ports import Outcome, Piece, Replied, Streamed, Truncated
from prompts import Prompt

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
                    self.tokens.learn(messages, event.usage.prompt_tokens)
                    self.pace.learn_usage(event.usage)
                yield event

    async def _documents(self, prompt: Prompt) -> AsyncGenerator[ServerDocument | Outcome]:
        """Ask in the first way that the server accepts, and keep to that one from then on."""
        messages = [message._asdict() for message in prompt.messages()]
        body = {"model": self.name, "messages": messages, "stream": True, **self._style.extra}
        ways = self._request_variants(prompt)
        for way in ways:
            async with closing(
                self._provider.documents(COMPLETIONS_PATH, {**way, **body})
            ) as documents:
                async for document in documents:
                    # "Rejected" names no reason; it may be an option and it may be the prompt.
                    if document == REJECTED and way is not ways[-1]:
                        break
                    if isinstance(document, ServerDocument):
                        self._taken |= way.keys()
                        self._refused |= ways[0].keys() - way.keys()
                    yield document
                else:
                    return

    def _request_variants(self, prompt: Prompt) -> list[Mapping[str, object]]:
        """Return the optional fields to ask with: all, all but one, none; one way once known."""
        optional = [WITH_USAGE, *self._style.optional_fields(prompt)]
        wanted = [each for each in optional if not each.keys() & self._refused]
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
