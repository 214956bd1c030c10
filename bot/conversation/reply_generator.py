"""Generating a reply from an agent's memory: recall, prompt, model. Nothing is written here."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias, assert_never
from zoneinfo import ZoneInfo

from bot.conversation.budget import TokenBudget, fitted
from memory.changes import Turn, Used
from memory.model import AgentSettings, Language, Message, Mode
from memory.ports import (
    Clock,
    Invalid,
    LanguageModel,
    Outcome,
    Piece,
    Refused,
    Replied,
    StartAgain,
    TooLong,
    Truncated,
    Unavailable,
)
from memory.recall import Hit
from memory.views import PromptMemories
from prompts import PromptLine, Reply


class Agent(Protocol):
    """Reading is immediate and writes nothing; what was written is durable on return."""

    @property
    def settings(self) -> AgentSettings:
        """Return the settings as they stand."""

    @property
    def keeps_secrets(self) -> bool:
        """Return whether what is secret can be sealed; otherwise it is refused."""

    def redacted(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        """Return messages as a model may see them, without what is secret in them."""

    async def search(self, query: str, *, k: int = 12, mode: Mode = Mode.NORMAL) -> Sequence[Hit]:
        """Return the ``k`` passages that fit best, best first."""

    def memories_for_prompt(
        self, hits: Sequence[Hit], *, budget_tokens: int, count: Callable[[str], int]
    ) -> PromptMemories:
        """Return what of the hits goes into a prompt of that room."""

    def window(self, conversation: str) -> tuple[Message, ...]:
        """Return the last messages of a conversation, oldest first, at most 30."""

    async def commit(self, turn: Turn) -> None:
        """Keep a turn and what it explicitly asked to be remembered; idempotent by its id."""

    async def listen(self, conversation: str, messages: Sequence[Message]) -> None:
        """Keep what was said without an answer; idempotent by the ids of the messages."""


OpenAgent: TypeAlias = Callable[[str], Awaitable[Agent]]
"""Return the agent of that id, opened; raises :class:`memory.errors.StoreError`."""

SEARCHED_PASSAGES: Final = 12
"""How many passages are looked for; the injector shows those that fit."""

ShowText: TypeAlias = Callable[[str], Awaitable[None]]

NoReply: TypeAlias = Refused | Truncated | TooLong | Unavailable | Invalid


@dataclass(frozen=True, slots=True)
class GeneratedReply:
    """A whole reply, and the memories its prompt held."""

    text: str
    used: tuple[Used, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyRequest:
    """What is to be answered, in which conversation, and what memory found for it."""

    conversation: str
    said: tuple[Message, ...]
    hits: tuple[Hit, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyGenerator:
    """Who answers: the model, the persona of an agent, and the room its prompts have.

    ``language`` is for the one thing left to say when an agent's memory cannot be opened.
    """

    model: LanguageModel
    persona: Callable[[AgentSettings], str]
    budget: TokenBudget
    clock: Clock
    language: Language = "zh"

    async def generate(
        self, agent: Agent, conversation: str, said: Sequence[Message], show: ShowText
    ) -> GeneratedReply | NoReply:
        """Return the reply to what was said, ``show`` being given the text so far as it grows.

        A prompt that is too long for the model is tried once more in half the room.
        """
        hits = await agent.search("\n".join(line.text for line in said), k=SEARCHED_PASSAGES)
        question = ReplyRequest(conversation=conversation, said=tuple(said), hits=tuple(hits))
        worded = await self._ask_model(agent, question, self.budget, show)
        if isinstance(worded, TooLong):
            worded = await self._ask_model(agent, question, self.budget.halved(), show)
        return worded

    async def _ask_model(
        self, agent: Agent, request: ReplyRequest, room: TokenBudget, show: ShowText
    ) -> GeneratedReply | NoReply:
        prompt, used = self._build_prompt(agent, request, room)
        outcome = await self._stream_reply(prompt, show)
        return GeneratedReply(outcome.text, used) if isinstance(outcome, Replied) else outcome

    def _build_prompt(
        self, agent: Agent, request: ReplyRequest, room: TokenBudget
    ) -> tuple[Reply, tuple[Used, ...]]:
        """Return the prompt cut to the room, and the memories it shows after the cut."""
        settings = agent.settings
        zone = ZoneInfo(settings.time_zone)
        budget = min(settings.injected_tokens, room.tokens // 2)
        injected = agent.memories_for_prompt(request.hits, budget_tokens=budget, count=room.count)
        answered = {message.id for message in request.said}
        before = [m for m in agent.window(request.conversation) if m.id not in answered]
        prompt = Reply(
            persona=self.persona(settings),
            language=settings.language,
            partner=settings.partner,
            now=self.clock.now().astimezone(zone),
            window=tuple(_prompt_line(m, zone) for m in (*before, *agent.redacted(request.said))),
            memories=injected.shown,
        )
        cut = fitted(prompt, said=len(request.said), budget=room)
        shown = {injected.handles[memory.handle] for memory in cut.memories}
        return cut, tuple(used for used in injected.used if used.memory_id in shown)

    async def _stream_reply(self, prompt: Reply, show: ShowText) -> Outcome:
        text = ""
        async for event in self.model.stream(prompt):
            match event:
                case Piece(piece):
                    text += piece
                    await show(text)
                case StartAgain():
                    text = ""
                    await show(text)
                case Replied() | Refused() | Truncated() | TooLong() | Unavailable() | Invalid():
                    return event
                case never:
                    assert_never(never)
        return Invalid("the stream ended without an outcome")


def _prompt_line(message: Message, zone: ZoneInfo) -> PromptLine:
    return PromptLine(
        role=message.role,
        speaker=message.speaker,
        at=message.at.astimezone(zone),
        text=message.text,
        quoted=message.quoted,
    )
