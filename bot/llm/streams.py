"""Reading a streamed answer: bounded waits, and JSON documents turned into text and one outcome.

Nothing a server sends is trusted: any JSON, cut anywhere, ends in an outcome.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, TypeVar, cast

from bot.llm.failures import outcome_of_error_document
from memory import ports

OPENING_TAG: Final = "<think>"

CLOSING_TAG: Final = "</think>"


class ThinkingFilter:
    """Removes the ``<think>`` block of a reasoning model, and leading blanks, from streamed text.

    Text is held back only while it may still turn out to be thinking, so that an answer without
    any is passed on at once.

    >>> thinking = ThinkingFilter()
    >>> [thinking.feed(text) for text in ("<thi", "nk>hm</th", "ink>  ", "你好", " <think>")]
    ['', '', '', '你好', ' <think>']
    """

    def __init__(self) -> None:
        self._held = ""
        self._inside = False
        self._thought = False
        self._over = False

    def feed(self, text: str) -> str:
        """Return what of ``text`` and of the text held back is certainly the answer."""
        if self._over:
            return text
        self._held += text
        if not self._inside:
            self._held = self._held.lstrip()
            self._inside = not self._thought and self._held.startswith(OPENING_TAG)
        if self._inside:
            self._drop_thought()
        if self._inside or self._may_be_thought:
            return ""
        self._over = True
        return self._held

    def finish(self) -> str:
        """Return the text held back, as nothing follows; an unfinished thought is dropped."""
        return "" if self._over or self._inside else self._held

    @property
    def _may_be_thought(self) -> bool:
        return not self._held or (not self._thought and OPENING_TAG.startswith(self._held))

    def _drop_thought(self) -> None:
        """Drop the thought; of an unfinished one keep what may be half of the closing tag."""
        _, closed, after = self._held.partition(CLOSING_TAG)
        self._inside = not closed
        self._thought = True
        self._held = after.lstrip() if closed else self._held[-len(CLOSING_TAG) :]


ASKS_TO_REPEAT: Final = re.compile(
    r"遍|\d次|[十百千万]次|重复|刷屏|复读|循环|念经|歌词"
    r"|repeat|times|again and again|over and over|lyric|chant|mantra",
    re.IGNORECASE,
)
"""Who says so may want the same many times."""

PATIENCE: Final = 20
"""So many times as much may then be repeated, and in code, which may hold rows of anything."""

_NO_LETTER: Final = re.compile(r"[\W_]+")
_SENTENCE_END: Final = re.compile(r"[^\w\n]*?[.!?。！？…~～\n][.!?。！？…~～\"'”’」』)）]*")
_KEY: Final = 8
_LOOKED_BACK: Final = 4_000
_LOOKED_AT_EVERY: Final = 40
_SHORTEST_TELLING: Final = 4
_HELD_FROM: Final = 16
_ENDLESS_LETTERS: Final = 120
_ENDLESS_SIGNS: Final = 400


class RepetitionFilter:
    """Holds back what a text only says again, and notices one that would never end.

    Small models fall into saying one sentence for ever. A laugh, a refrain or a list may repeat as
    well, so what was held back is passed on if something else follows. ``once`` is the text up to
    the end of the first telling, None while it may still come to an end.
    """

    def __init__(self, *, patient: bool = False) -> None:
        self.once: str | None = None
        self._patient = patient
        self._text = ""
        self._held = ""
        self._looked_at = 0

    def feed(self, text: str) -> str:
        """Return what of ``text`` and of the text held back is new."""
        self._text += text
        self._held += text
        if len(self._text) - self._looked_at >= _LOOKED_AT_EVERY:
            self._looked_at = len(self._text)
            patience = PATIENCE if self._patient or "```" in self._text else 1
            self.once = told_once(self._text, patience)
        tail = _letters(self._text[-_LOOKED_BACK // 10 :])
        return "" if _period_of(tail, _HELD_FROM, 3) else self.finish()

    def finish(self) -> str:
        """Return the text held back."""
        held, self._held = self._held, ""
        return held


def told_once(text: str, patience: int = 1) -> str | None:
    """Return a text up to the end of what it says again and again; None if it does not.

    >>> told_once("好呀！" + "吃火锅吧。" * 40)
    '好呀！吃火锅吧。'
    >>> told_once("早点睡！" * 3 + "哈" * 30)
    """
    tail = text[-_LOOKED_BACK * patience :]
    if period := _period_of(_letters(tail), _ENDLESS_LETTERS * patience, 5):
        start = _start_of_run(_letters(text), period)
        # A laugh of one letter is none.
        end = start + max(period, _SHORTEST_TELLING if period <= _SHORTEST_TELLING // 2 else 0)
        first, second = (_place_behind(text, count) for count in (end, end + period))
        over = _SENTENCE_END.match(text, first) or _SENTENCE_END.search(text, first, second)
        return text[: over.end() if over else first].rstrip()
    # Also of signs, pictures and empty lines.
    if period := _period_of(tail, _ENDLESS_SIGNS * patience, 6):
        return text[: _start_of_run(text, period) + period].rstrip()
    return None


def _letters(text: str) -> str:
    return _NO_LETTER.sub("", text).casefold()


def _period_of(text: str, least: int, copies: int) -> int:
    """Return the length of what a text ends with so many times, over at least so many letters."""
    found = text.rfind(text[-_KEY:], 0, -1) if len(text) >= least else -1
    period = len(text) - _KEY - found
    run = max(least, copies * period)
    if found < 0 or len(text) < run:
        return 0
    return period if text[-run:-period] == text[len(text) - run + period :] else 0


def _start_of_run(text: str, period: int) -> int:
    start = len(text) - period
    while start and text[start - 1] == text[start - 1 + period]:
        start -= 1
    return start


def _place_behind(text: str, letters: int) -> int:
    """Return the place in a text behind so many of its letters."""
    for place, character in enumerate(text):
        letters -= len(_letters(character))
        if letters <= 0:
            return place + 1
    return len(text)


TIMEOUT: Final = ports.Unavailable("timeout")

T = TypeVar("T")


async def next_within(events: AsyncIterator[T], seconds: float) -> T | ports.Unavailable | None:
    """Return the next event, ``Unavailable("timeout")`` after ``seconds``, or None at the end.

    A generator must not yield inside ``asyncio.timeout``: the limit would then strike whatever
    its consumer is doing. So each wait has its own.
    """
    try:
        async with asyncio.timeout(max(0.0, seconds)):
            return await anext(events, None)
    except TimeoutError:
        return TIMEOUT


@asynccontextmanager
async def closing(events: AsyncIterator[T]) -> AsyncGenerator[AsyncIterator[T]]:
    """Close ``events`` at the end of the block, so that an abandoned stream stops at once."""
    try:
        yield events
    finally:
        if isinstance(events, AsyncGenerator):
            await events.aclose()


async def last_outcome(events: AsyncIterator[ports.Streamed]) -> ports.Outcome:
    """Return the outcome a stream ends with; its pieces are dropped."""
    async with closing(events):
        async for event in events:
            if not isinstance(event, ports.Piece | ports.StartAgain):
                return event
    return ports.Truncated("")


# What compatible servers write as the finish reason, beyond the "stop" and "length" of OpenAI.
_WINDOW_FULL: Final = "model_context_window_exceeded"
"""How Zhipu says that prompt and answer together were too long."""

_LENGTH: Final = frozenset({"length", "max_tokens", "model_length", _WINDOW_FULL})

_ENDED_BADLY: Final[Mapping[str, ports.Outcome]] = {
    **dict.fromkeys(
        ("content_filter", "sensitive", "safety", "refusal", "recitation"), ports.Refused()
    ),
    **dict.fromkeys(
        ("error", "network_error", "insufficient_system_resource", "abort"),
        ports.Unavailable("server_error"),
    ),
}

_THOUGHT_FIELDS: Final = ("reasoning_content", "reasoning", "reasoning_details", "thinking")
"""Where servers put what a model thought, beside its answer: never shown, yet no silence."""

Json = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ServerDocument:
    """One JSON value a server sent; ``whole`` if it was the entire answer, not an event of it."""

    content: object
    whole: bool = False


class AnswerReader:
    """Reads the documents of one answer, one after another.

    A document is a chunk of a stream or a whole completion; the one has ``delta`` where the other
    has ``message``, and the rest is alike. What a reasoning model thought is dropped.
    """

    def __init__(self) -> None:
        self._shown: list[str] = []
        self._thinking = ThinkingFilter()
        self._finish = ""
        self._choices = 0
        self._characters = 0
        self._called = False
        self._failure: ports.Outcome | None = None
        self._usage = ports.Usage()

    @property
    def is_finished(self) -> bool:
        """Whether the server has said why it stopped; only the usage may follow."""
        return bool(self._finish) or self._failure is not None

    @property
    def characters(self) -> int:
        """How many characters came so far, also of what is never shown."""
        return self._characters

    @property
    def text(self) -> str:
        """Everything returned by :meth:`take` and :meth:`take_rest` so far."""
        return "".join(self._shown)

    def take(self, document: ServerDocument) -> str:
        """Read the next document and return the text it adds to the answer."""
        content = _as_mapping(document.content)
        # vLLM's whole document is the error.
        if error := content.get("error") or (content.get("object") == "error" and content):
            self._failure = outcome_of_error_document(error)
            return ""
        choice = _first_choice(content.get("choices"))
        # Moonshot tells the usage inside the last choice.
        told = content.get("usage") or (choice or {}).get("usage")
        self._usage = _usage_in(told) or self._usage
        if choice is None:
            return ""
        self._choices += 1
        message = _as_mapping(choice.get("delta")) or _as_mapping(choice.get("message"))
        self._finish = _lowercase_word(choice.get("finish_reason")) or self._finish
        if document.whole:
            self._finish = self._finish or "stop"  # some servers leave it out of a whole answer
        if (
            failure := ports.Refused()
            if message.get("refusal")
            else _ENDED_BADLY.get(self._finish)
        ):
            self._failure = failure
        said = _content_text(message.get("content"))
        calls = message.get("tool_calls") or message.get("function_call")
        self._called = self._called or bool(calls)
        unsaid = [calls, *(message.get(name) for name in _THOUGHT_FIELDS)]
        self._characters += len(said.strip()) + sum(len(str(each)) for each in unsaid if each)
        return self._add_shown(self._thinking.feed(said))

    def fail(self, failure: ports.Outcome) -> None:
        """Note why nothing more will come; after the finish reason it does not matter."""
        if not self.is_finished:
            self._failure = failure

    def take_rest(self) -> str:
        """Return the text held back until it was clear that nothing follows."""
        return self._add_shown(self._thinking.finish())

    def outcome(self, model: str) -> ports.Outcome:
        """Return how the answer ended, now that nothing more will come."""
        if self._failure is not None:
            return self._failure
        if self._finish in _LENGTH:
            no_room = self._finish == _WINDOW_FULL and not self.text
            return ports.TooLong() if no_room else ports.Truncated(self.text, at_limit=True)
        if not self._choices:
            return ports.Invalid("no_choices")
        if not self._finish:
            return ports.Truncated(self.text)
        if not self.text:
            return ports.Invalid(self._why_empty)
        return ports.Replied(self.text, model=model, usage=self._usage)

    @property
    def _why_empty(self) -> str:
        """Return why there is no text: nothing came, only thoughts did, or the call of a tool."""
        if self._called:
            return "tool_call"
        return "only_thoughts" if self._characters else "empty"

    def _add_shown(self, text: str) -> str:
        if text:
            self._shown.append(text)
        return text


def _as_mapping(value: object) -> Json:
    return cast(Json, value) if isinstance(value, dict) else {}


def _first_choice(choices: object) -> Json | None:
    """Return the one choice that was asked for, if there is one."""
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        return cast(Json, choices[0])
    return None


def _lowercase_word(value: object) -> str:
    return value.lower() if isinstance(value, str) else ""


def _content_text(content: object) -> str:
    """Return the text of a message's content: a string, or a list of typed parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = (_as_mapping(part).get("text") for part in parts)
    return "".join(text for text in texts if isinstance(text, str))


def _usage_in(value: object) -> ports.Usage | None:
    """Return what the call cost, if the server says so in numbers."""
    prompt, completion = (
        _as_mapping(value).get(name) for name in ("prompt_tokens", "completion_tokens")
    )
    if not isinstance(prompt, int) or not isinstance(completion, int):
        return None
    return ports.Usage(
        prompt_tokens=max(0, prompt),
        completion_tokens=max(0, completion),
        cached_tokens=_cached_in(_as_mapping(value), max(0, prompt)),
    )


def _cached_in(usage: Json, prompt_tokens: int) -> int | None:
    """Return how many tokens of the prompt came from the server's cache, if it says so.

    OpenAI, Zhipu, DashScope, OpenRouter and vLLM tell it in a part of their own; DeepSeek and
    Moonshot beside the other counts.
    """
    for told in (
        _as_mapping(usage.get("prompt_tokens_details")).get("cached_tokens"),
        usage.get("prompt_cache_hit_tokens"),
        usage.get("cached_tokens"),
    ):
        if isinstance(told, int) and not isinstance(told, bool):
            return min(max(0, told), prompt_tokens)
    return None
