"""How fast a server answers, as measured; how long it is waited for; and who is answered first.

A model on a processor may need minutes before its first word, a hosted one that is silent for a
minute is gone. So no call has a fixed end: the wait for the first word follows the length of the
prompt and the speed that was measured, and after it only silence ends a stream.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from bot.llm.streams import TIMEOUT, closing, last_outcome
from memory import ports
from prompts import Prompt

HOSTED_SECONDS: Final = 0.005
LOCAL_SECONDS: Final = 0.1
"""Seconds a token of the prompt takes to be read, assumed until it was measured."""

SHORTEST_WAIT: Final = 60.0
"""The least seconds a first word may take: a model has to be loaded, a thought to be thought."""

LONGEST_WAIT: Final = 900.0
"""The most seconds a first word may take, with a patience of 1."""

SILENCE_SECONDS: Final = 30.0
"""The least seconds of silence after the first word that end a stream."""

SLACK: Final = 4.0
"""So many times what was measured is still no failure."""

FORGETTING: Final = 0.2
"""How far a faster call moves the estimate down; a slower one moves it up at once."""


@dataclass(slots=True)
class ServerPace:
    """What was measured of one server, and the deadlines that follow.

    ``patience`` multiplies every deadline. ``assumed_seconds`` is what a token of the prompt takes
    to be read, until it was measured. Times are seconds of the loop's monotonic clock.
    """

    patience: float = 1.0
    assumed_seconds: float = HOSTED_SECONDS
    shortest_wait: float = SHORTEST_WAIT
    shortest_silence: float = SILENCE_SECONDS
    prompt_tokens: int = 0
    cached_tokens: int | None = None
    _per_token: float = 0.0
    _longest_gap: float = 0.0
    _per_piece: float = 0.0

    @property
    def seconds_per_prompt_token(self) -> float:
        """How long a token of the prompt takes to be read, 0 while that was not measured."""
        return self._per_token

    @property
    def pieces_per_second(self) -> float:
        """How many pieces of an answer come in a second, 0 while that was not measured."""
        return 1 / self._per_piece if self._per_piece else 0.0

    def first_word_seconds(self, prompt_tokens: int) -> float:
        """Return how long the first word of an answer is waited for."""
        per_token = self._per_token or self.assumed_seconds
        wait = max(self.shortest_wait, SLACK * per_token * prompt_tokens)
        return self.patience * min(wait, max(LONGEST_WAIT, self.shortest_wait))

    def silence_seconds(self) -> float:
        """Return how long a stream may be silent after its first word."""
        return self.patience * max(self.shortest_silence, 2 * SLACK * self._longest_gap)

    def learn_first_word(self, prompt_tokens: int, seconds: float) -> None:
        """Note how long the first word took after a prompt of so many tokens."""
        seen = seconds / max(prompt_tokens, 1)
        self._per_token = max(seen, self._per_token + FORGETTING * (seen - self._per_token))

    def learn_timeout(self, prompt_tokens: int) -> None:
        """Note that the first word did not come in time: the next one is waited for longer."""
        # Else a server that is only slower than was thought would never be heard at all.
        waited = self.first_word_seconds(prompt_tokens) / self.patience
        self._per_token = max(self._per_token, 2 * waited / SLACK / max(prompt_tokens, 1))

    def learn_gap(self, seconds: float) -> None:
        """Note the time between two pieces of an answer."""
        self._longest_gap = max(seconds, self._longest_gap * (1 - FORGETTING / 10))
        self._per_piece += FORGETTING * (seconds - self._per_piece)

    def learn_usage(self, usage: ports.Usage) -> None:
        """Count what the server says it had read before."""
        if usage.cached_tokens is not None:
            self.prompt_tokens += usage.prompt_tokens
            self.cached_tokens = (self.cached_tokens or 0) + usage.cached_tokens


class AnswerWait:
    """How long one answer is waited for by now, and what is learnt of the server meanwhile."""

    def __init__(
        self, pace: ServerPace, prompt_tokens: int, now: Callable[[], float] | None = None
    ) -> None:
        self._pace = pace
        self._prompt_tokens = prompt_tokens
        self._now = now or asyncio.get_running_loop().time
        self._since = self._now()
        self._until = self._since + pace.first_word_seconds(prompt_tokens)
        self._characters = 0
        self._grew = False

    @property
    def seconds_left(self) -> float:
        """How long the next document is waited for, in seconds."""
        return self._until - self._now()

    def learn(self, characters: int, *, whole: bool) -> None:
        """Note that so many characters came by now; ``whole``: in one document, not a stream."""
        # What brings nothing, however often it comes, is silence too.
        self._grew = characters > self._characters
        if self._grew and not whole:
            passed = self._now() - self._since
            if self._characters:
                self._pace.learn_gap(passed)
            else:
                self._pace.learn_first_word(self._prompt_tokens, passed)
        self._characters = characters

    def go_on(self, at_most: float | None) -> None:
        """Wait for what comes next from now on; ``at_most`` so many seconds, if it is given."""
        if self._grew:
            self._since = self._now()
            self._until = self._since + self._pace.silence_seconds()
        if at_most is not None:
            self._until = min(self._until, self._now() + at_most)

    def learn_failure(self, outcome: ports.Outcome) -> None:
        """Note why nothing more comes."""
        if outcome == TIMEOUT and not self._characters:
            self._pace.learn_timeout(self._prompt_tokens)


def is_local_address(url: str) -> bool:
    """Tell whether a server stands on this machine or in its own network.

    >>> is_local_address("http://127.0.0.1:11434/v1"), is_local_address("https://api.x.com/v1")
    (True, False)
    """
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_private
    except ValueError:
        return "." not in host or host.endswith((".local", ".lan", ".internal"))


MOST_PUT_OFF: Final = 3
"""So often one background call gives way; after that it is finished, so that it never starves."""


MOST_ASKED: Final = 3
"""So often a server is asked how many calls it takes; most never say."""


@dataclass(slots=True)
class Precedence:
    """Who is answered first by a server that does one thing at a time: the partner.

    ``ask_slots`` is asked how many calls the server takes at once, None if it does not say; a
    model may still be loading, so it is asked ``MOST_ASKED`` times. One that says several needs
    no precedence. A call of the background waits while somebody is answered, and one that has
    begun is given up for them and made anew afterwards; ``put_off`` counts these.
    """

    ask_slots: Callable[[], Awaitable[int | None]] | None = None
    slots: int | None = None
    put_off: int = 0
    _answering: int = 0
    _busy: int = 0
    _asked: int = 0
    _learning: asyncio.Lock = field(default_factory=asyncio.Lock)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_answering(self) -> bool:
        """Whether somebody is being answered, or waits for it."""
        return self._answering > 0

    @asynccontextmanager
    async def answering(self) -> AsyncIterator[None]:
        """Answer somebody: the background gives way, and a slot is waited for."""
        self._answering += 1
        self._tell()
        try:
            # A server that is busy with us may not answer anything else meanwhile.
            if not self._busy:
                await self.learn_slots()
            async with self._slot():
                yield
        finally:
            self._answering -= 1
            self._tell()

    @property
    def is_needed(self) -> bool:
        """Whether two calls stand in each other's way, as far as is known."""
        return self.slots is None or self.slots == 1

    async def learn_slots(self) -> None:
        """Ask the server how many calls it takes at once, until it said so."""
        async with self._learning:
            if self.ask_slots and self.slots is None and self._asked < MOST_ASKED:
                self._asked += 1
                self.slots = await self.ask_slots()

    @asynccontextmanager
    async def background(self, *, gives_way: bool) -> AsyncIterator[None]:
        """Do one call of the background, once nobody is being answered."""
        while gives_way and self.is_answering:
            await self._next_change()
        async with self._slot():
            yield

    async def somebody_talks(self) -> None:
        """Wait until somebody has to be answered."""
        while not self.is_answering:
            await self._next_change()

    @asynccontextmanager
    async def _slot(self) -> AsyncIterator[None]:
        while self.slots is not None and self._busy >= self.slots:
            await self._next_change()
        self._busy += 1
        try:
            yield
        finally:
            self._busy -= 1
            self._tell()

    def _tell(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def _next_change(self) -> None:
        await self._changed.wait()


class PartnerFirst:
    """The model that answers: while it does, the background of the same server gives way."""

    def __init__(self, model: ports.LanguageModel, precedence: Precedence) -> None:
        self.name = model.name
        self._model = model
        self._precedence = precedence

    async def complete(self, prompt: Prompt) -> ports.Outcome:
        """Return the whole answer or why there is none."""
        return await last_outcome(self.stream(prompt))

    async def stream(self, prompt: Prompt) -> AsyncGenerator[ports.Streamed]:
        """Yield what the model yields."""
        outcome: ports.Outcome = ports.Truncated("")
        async with (
            self._precedence.answering(),
            closing(self._model.stream(prompt)) as events,
        ):
            async for event in events:
                if not isinstance(event, ports.Piece | ports.StartAgain):
                    outcome = event
                    break
                yield event
        # After it: whoever reads no further than this must not hold the background up.
        yield outcome


class GivesWay:
    """The model of the background: given up and asked anew when somebody has to be answered."""

    def __init__(self, model: ports.LanguageModel, precedence: Precedence) -> None:
        self.name = model.name
        self._model = model
        self._precedence = precedence

    async def complete(self, prompt: Prompt) -> ports.Outcome:
        """Return the whole answer or why there is none."""
        await self._precedence.learn_slots()
        for times in range(MOST_PUT_OFF + 1):
            gives_way = times < MOST_PUT_OFF and self._precedence.is_needed
            async with self._precedence.background(gives_way=gives_way):
                outcome = await self._complete(prompt, gives_way=gives_way)
            if outcome is not None:
                return outcome
            self._precedence.put_off += 1
        raise AssertionError("the last call gives way to nobody")

    async def stream(self, prompt: Prompt) -> AsyncGenerator[ports.Streamed]:
        """Yield the whole answer at once, then the outcome: nobody watches the background."""
        outcome = await self.complete(prompt)
        if isinstance(outcome, ports.Replied):
            yield ports.Piece(outcome.text)
        yield outcome

    async def _complete(self, prompt: Prompt, *, gives_way: bool) -> ports.Outcome | None:
        """Return the outcome, or None if the call was given up for somebody."""
        if not gives_way:
            return await self._model.complete(prompt)
        loop = asyncio.get_running_loop()
        call = loop.create_task(self._model.complete(prompt))
        talk = loop.create_task(self._precedence.somebody_talks())
        try:
            await asyncio.wait({call, talk}, return_when=asyncio.FIRST_COMPLETED)
            return call.result() if call.done() else None
        finally:
            # Waited for: the slot is free only once the server was let go.
            call.cancel()
            talk.cancel()
            await asyncio.wait({call, talk})
