"""Finding the words of a reply: recall, prompt, model. Nothing is written here."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never
from zoneinfo import ZoneInfo

from bot.conversation.agents import Agent
from bot.conversation.budget import Room, fitted
from memory.changes import Used
from memory.model import Message
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
from memory.settings import AgentSettings, Language
from prompts import Line, Reply

RECALLED: Final = 12
"""How many passages are looked for; the injector shows those that fit."""

Show: TypeAlias = Callable[[str], Awaitable[None]]
Wordless: TypeAlias = Refused | Truncated | TooLong | Unavailable | Invalid


@dataclass(frozen=True, slots=True)
class Worded:
    """A whole reply, and the memories its prompt held."""

    text: str
    used: tuple[Used, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is to be answered, in which conversation, and what memory found for it."""

    conversation: str
    said: tuple[Message, ...]
    hits: tuple[Hit, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """Who answers: the model, the persona of an agent, and the room its prompts have.

    ``language`` is for the one thing left to say when an agent's memory cannot be opened.
    """

    model: LanguageModel
    persona: Callable[[AgentSettings], str]
    room: Room
    clock: Clock
    language: Language = "zh"

    async def word(
        self, agent: Agent, conversation: str, said: Sequence[Message], show: Show
    ) -> Worded | Wordless:
        """Return the reply to what was said, ``show`` being given the text so far as it grows.

        A prompt that is too long for the model is tried once more in half the room.
        """
        hits = await agent.search("\n".join(line.text for line in said), k=RECALLED)
        question = Question(conversation=conversation, said=tuple(said), hits=tuple(hits))
        worded = await self._asked(agent, question, self.room, show)
        if isinstance(worded, TooLong):
            worded = await self._asked(agent, question, self.room.halved(), show)
        return worded

    async def _asked(
        self, agent: Agent, question: Question, room: Room, show: Show
    ) -> Worded | Wordless:
        prompt, used = self._prompt(agent, question, room)
        outcome = await self._streamed(prompt, show)
        return Worded(outcome.text, used) if isinstance(outcome, Replied) else outcome

    def _prompt(
        self, agent: Agent, question: Question, room: Room
    ) -> tuple[Reply, tuple[Used, ...]]:
        """Return the prompt cut to the room, and the memories it shows after the cut."""
        settings = agent.settings
        zone = ZoneInfo(settings.time_zone)
        budget = min(settings.injected_tokens, room.tokens // 2)
        injected = agent.recalled(question.hits, budget_tokens=budget, count=room.count)
        answered = {message.id for message in question.said}
        before = [m for m in agent.window(question.conversation) if m.id not in answered]
        prompt = Reply(
            persona=self.persona(settings),
            language=settings.language,
            partner=settings.partner,
            now=self.clock.now().astimezone(zone),
            window=tuple(_line(m, zone) for m in (*before, *agent.discreet(question.said))),
            memories=injected.shown,
        )
        cut = fitted(prompt, said=len(question.said), room=room)
        shown = {injected.handles[memory.handle] for memory in cut.memories}
        return cut, tuple(used for used in injected.used if used.memory_id in shown)

    async def _streamed(self, prompt: Reply, show: Show) -> Outcome:
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


def _line(message: Message, zone: ZoneInfo) -> Line:
    return Line(
        role=message.role,
        speaker=message.speaker,
        at=message.at.astimezone(zone),
        text=message.text,
        quoted=message.quoted,
    )
