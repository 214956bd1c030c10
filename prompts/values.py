"""The six prompts. Each value knows its template; nothing here knows a model or a memory."""

from dataclasses import dataclass
from datetime import datetime
from itertools import groupby, takewhile
from typing import Literal, NamedTuple, TypeAlias

from prompts.rendering import render


class ChatMessage(NamedTuple):
    """One message as a chat-completion server takes it."""

    role: Literal["system", "user", "assistant"]
    content: str


class PromptLine(NamedTuple):
    """One thing that was said, as a prompt shows it. ``quoted`` was shown, not said."""

    role: Literal["user", "assistant"]
    speaker: str
    at: datetime
    text: str
    quoted: str = ""


class PromptMemory(NamedTuple):
    """One memory as a prompt shows it, by its handle (``m1``), valid in that prompt only.

    ``when`` is the instant it goes back to, in the agent's zone; ``past`` marks what no longer
    holds; ``quote`` are the words it rests on; ``reason`` says in a word why it came up.
    """

    handle: str
    text: str
    when: datetime
    tier: str = "fact"
    speaker: str = ""
    past: bool = False
    quote: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """Answer the partner. ``window`` ends with the line to answer; ``now`` is in their zone.

    ``persona`` is the text of the persona file; see :func:`prompts.rendering.default_persona`.
    """

    persona: str
    language: str
    partner: str
    now: datetime
    window: tuple[PromptLine, ...]
    memories: tuple[PromptMemory, ...] = ()

    def __post_init__(self) -> None:
        if not self.window:
            raise ValueError("a reply needs a line to answer")

    def messages(self) -> tuple[ChatMessage, ...]:
        """Render persona and rules, the window, and last what came to mind, then the new lines.

        What was remembered never enters the system message: it is data, not a rule. Neighbours
        of one role are joined, since many servers insist on turns.
        """
        reverse = takewhile(lambda line: line.role == "user", reversed(self.window))
        before = self.window[: len(self.window) - sum(1 for _ in reverse)]
        said = [ChatMessage(line.role, self._render_line(line)) for line in self.window]
        came_to_mind = ChatMessage("user", render("reply_material", self.language, p=self))
        said.insert(len(before), came_to_mind)
        rules = ChatMessage("system", render("reply_instructions", self.language, p=self))
        return (rules, *_with_joined_turns(said))

    def _render_line(self, line: PromptLine) -> str:
        return render("line", self.language, p=self, line=line)


@dataclass(frozen=True, slots=True, kw_only=True)
class Monitor:
    """Judge one finished turn: which memories to add, change, confirm or drop (DESIGN §8)."""

    language: str
    partner: str
    now: datetime
    turn: tuple[PromptLine, ...]
    memories: tuple[PromptMemory, ...] = ()

    def messages(self) -> tuple[ChatMessage, ...]:
        return _instructions_and_material("monitor", self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summarize:
    """Cut a stretch of conversation into meaningful segments (002 §9.2), lines counted from 1."""

    language: str
    partner: str
    now: datetime
    lines: tuple[PromptLine, ...]
    focus: tuple[str, ...] = ()

    def messages(self) -> tuple[ChatMessage, ...]:
        return _instructions_and_material("summarize", self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """Decide about one memory at a threshold (003); ``found`` holds earlier searches' answers."""

    language: str
    partner: str
    now: datetime
    task: Literal["promotion", "decay"]
    memory: PromptMemory
    relatives: tuple[PromptMemory, ...] = ()
    found: tuple[tuple[str, tuple[PromptMemory, ...]], ...] = ()
    last_round: bool = False

    def messages(self) -> tuple[ChatMessage, ...]:
        return _instructions_and_material("review", self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Compress:
    """Say the same in at most ``characters`` characters (002 §11.4)."""

    language: str
    text: str
    phrase: str
    keywords: tuple[str, ...]
    characters: str

    def messages(self) -> tuple[ChatMessage, ...]:
        return _instructions_and_material("compress", self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidate:
    """Find the lasting facts in episodes that are about to end (DESIGN §6.1)."""

    language: str
    partner: str
    now: datetime
    lines: tuple[PromptLine, ...]
    memories: tuple[PromptMemory, ...] = ()

    def messages(self) -> tuple[ChatMessage, ...]:
        return _instructions_and_material("consolidate", self)


Prompt: TypeAlias = Reply | Monitor | Summarize | Review | Compress | Consolidate


def _instructions_and_material(template: str, prompt: Prompt) -> tuple[ChatMessage, ...]:
    """Render a background prompt: the standing instructions, then the material to judge."""
    return (
        ChatMessage("system", render(f"{template}_instructions", prompt.language, p=prompt)),
        ChatMessage("user", render(f"{template}_material", prompt.language, p=prompt)),
    )


def _with_joined_turns(said: list[ChatMessage]) -> list[ChatMessage]:
    """Return the same words with neighbouring messages of one role joined into one."""
    return [
        ChatMessage(role, "\n".join(message.content for message in group))
        for role, group in groupby(said, key=lambda message: message.role)
    ]
