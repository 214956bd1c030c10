"""A language model behind the chat completions interface of any compatible server."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from typing import Final

from bot.llm.failures import REJECTED
from bot.llm.provider import Provider
from bot.llm.streams import AnswerReader, ServerDocument, closing, last_outcome, next_within
from bot.llm.tokens import TokenCounter
from memory.ports import Outcome, Piece, Replied, Streamed
from prompts import ChatMessage, Prompt

COMPLETIONS_PATH: Final = "/chat/completions"
# Without it a stream ends without a bill. Some servers refuse the option; see _request_variants.
WITH_USAGE: Final[Mapping[str, object]] = {"stream_options": {"include_usage": True}}
DEADLINE_SECONDS: Final = 60.0
BILL_SECONDS: Final = 2.0
"""How long the usage may take to come after the last word: the reply is whole without it."""


async def answer_events(
    documents: AsyncGenerator[ServerDocument | Outcome], model: str, deadline_seconds: float
) -> AsyncGenerator[Piece | Outcome]:
    """Yield the text of a streamed answer as it comes, then exactly one outcome, in time."""
    answer = AnswerReader()
    now = asyncio.get_running_loop().time
    until = now() + deadline_seconds
    async with closing(documents):
        while document := await next_within(documents, until - now()):
            if not isinstance(document, ServerDocument):
                answer.fail(document)
                break
            if text := answer.take(document):
                yield Piece(text)
            if answer.is_finished:
                until = min(until, now() + BILL_SECONDS)
    if text := answer.take_rest():
        yield Piece(text)
    yield answer.outcome(model)


class ChatCompletions:
    """One model of one server. Each call is one request; :mod:`bot.llm.resilient` asks again.

    A call ends within ``deadline_seconds``, whatever the server does. The answer is always
    streamed, for ``complete`` too: so silence is noticed long before the deadline, and the two
    cannot disagree. A server that sends a whole answer instead is understood as well.
    """

    def __init__(
        self,
        provider: Provider,
        model: str,
        *,
        tokens: TokenCounter | None = None,
        deadline_seconds: float = DEADLINE_SECONDS,
    ) -> None:
        self.name = model
        self.tokens = tokens or TokenCounter()
        self._provider = provider
        self._deadline_seconds = deadline_seconds
        self._request_variants: tuple[Mapping[str, object], ...] = (WITH_USAGE, {})

    async def complete(self, prompt: Prompt) -> Outcome:
        """Return the whole answer or why there is none."""
        return await last_outcome(self.stream(prompt))

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Streamed]:
        """Yield the pieces of the answer as they come, then exactly one outcome."""
        messages = prompt.messages()
        documents = self._documents(messages)
        async with closing(answer_events(documents, self.name, self._deadline_seconds)) as events:
            async for event in events:
                if isinstance(event, Replied):
                    self.tokens.learn(messages, event.usage.prompt_tokens)
                yield event

    async def _documents(
        self, messages: tuple[ChatMessage, ...]
    ) -> AsyncGenerator[ServerDocument | Outcome]:
        """Ask in the first way that the server accepts, and keep to that one from then on."""
        ways = self._request_variants
        body = {
            "model": self.name,
            "messages": [message._asdict() for message in messages],
            "stream": True,
        }
        for way in ways:
            async with closing(
                self._provider.documents(COMPLETIONS_PATH, {**body, **way})
            ) as documents:
                async for document in documents:
                    # "Rejected" names no reason; it may be the option and it may be the prompt.
                    if document == REJECTED and way is not ways[-1]:
                        break
                    if isinstance(document, ServerDocument):
                        self._request_variants = (way,)
                    yield document
                else:
                    return
