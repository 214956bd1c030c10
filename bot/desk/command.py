"""What a command is: one declaration, from which help, menus, shell and errors are made."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

from bot.desk.caller import SHELL_CALLER, Caller, PendingUploads
from bot.desk.documents import Document
from bot.identity import AccessLevel
from bot.texts import Sentence, desk, say
from memory.agent import AgentMemory
from memory.errors import InputRefused
from memory.model import AgentSettings, Language, Memory
from memory.state import MemoryState

if TYPE_CHECKING:
    from bot.desk.services import DeskServices


class Policy(Enum):
    """Who may do it and where (DESIGN §9)."""

    LOOK = "look"
    STEER = "steer"
    ERASE = "erase"
    BIND = "bind"
    OPERATE = "operate"


def permits(policy: Policy, standing: AccessLevel, *, private: bool) -> bool:
    """Whether someone of that standing may do it there.

    In private everyone steers the memory that is theirs. In a group everyone who may talk looks
    and erases, the latter only their own words (:attr:`Call.whose`); its admins and owners steer.
    Which memory a chat has is decided in private alone. Only an owner operates the program, and
    only in private.
    """
    if standing not in {AccessLevel.OWNER, AccessLevel.ADMIN, AccessLevel.ALLOWED}:
        return False
    match policy:
        case Policy.LOOK | Policy.ERASE:
            return True
        case Policy.STEER:
            return private or standing in {AccessLevel.OWNER, AccessLevel.ADMIN}
        case Policy.BIND:
            return private
        case Policy.OPERATE:
            return private and standing is AccessLevel.OWNER


ArgumentKind: TypeAlias = Literal[
    "memory", "memories", "number", "choice", "words", "flag", "word", "file"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One thing a command is given.

    ``memory`` is an id such as #42, ``memories`` one or more, ``words`` the rest of the line as
    it is. ``choices`` are the values a choice may have, each with its other names.
    """

    name: str
    shown: Sentence
    kind: ArgumentKind
    required: bool = True
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Example(NamedTuple):
    """How a command is used, in either language."""

    zh: str
    en: str

    def in_language(self, language: Language) -> str:
        """Return it as it is written in that language."""
        return self.zh if language == "zh" else self.en


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """One command. ``parent`` is ``memory`` for what is said behind ``/memory``.

    ``also`` are words people try; they are understood and not advertised.
    """

    name: str
    parent: Literal["", "memory"] = "memory"
    chinese: tuple[str, ...]
    policy: Policy
    help: Sentence
    run: "Handler"
    arguments: tuple[Argument, ...] = ()
    options: tuple[Argument, ...] = ()
    examples: tuple[Example, ...] = ()
    also: tuple[str, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """Return every word it is understood by."""
        return frozenset({self.name, *self.chinese, *self.also})

    @property
    def path(self) -> str:
        """Return the whole Latin name, without the slash."""
        return f"{self.parent} {self.name}".strip()

    @property
    def only_looks(self) -> bool:
        """Whether it writes nothing."""
        return self.policy is Policy.LOOK

    def usage(self, language: Language) -> str:
        """Return how to write it, optional parts in brackets."""
        parts = [f"/{self.path}"]
        for one in self.arguments:
            shown = say(language, one.shown)
            parts.append(shown if one.required else f"[{shown}]")
        for one in self.options:
            value = "" if one.kind == "flag" else f" {say(language, one.shown)}"
            parts.append(f"[--{one.name}{value}]")
        return " ".join(parts)


Value: TypeAlias = int | str | bool | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ParsedArguments:
    """What a command was given, by the names of its arguments and options."""

    values: Mapping[str, Value] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """Return the words, or the choice, given under a name; nothing if none were."""
        found = self.values.get(name, "")
        return found if isinstance(found, str) else ""

    def number(self, name: str, default: int = 0) -> int:
        """Return the number given under a name."""
        found = self.values.get(name, default)
        return found if isinstance(found, int) else default

    def flag(self, name: str) -> bool:
        """Return whether a flag was given."""
        return self.values.get(name) is True

    def numbers(self, name: str) -> tuple[int, ...]:
        """Return the ids given under a name."""
        found = self.values.get(name, ())
        return found if isinstance(found, tuple) else ()


class CommandRefused(InputRefused):
    """The desk will not do it; the sentence says why and what to do, in the partner's language."""

    def __init__(self, language: Language, sentence: Sentence, **values: str | int) -> None:
        super().__init__(say(language, sentence, **values))


@dataclass(frozen=True, kw_only=True)
class Call:
    """A command as it is carried out: what was given, and everything it may look at.

    ``state`` holds only what the one who asks may see there. ``agent`` is None when the shell
    looks beside a running program. ``confirmed`` is the code that was given, if one was.
    ``whose`` names the one person whose words may be erased; empty where all may.
    """

    agent_id: str
    state: MemoryState
    now: datetime
    given: ParsedArguments
    specs: tuple[Spec, ...]
    private: bool = True
    confirmed: str = ""
    reply_to: str = ""
    conversation: str = ""
    agent: AgentMemory | None = None
    services: "DeskServices | None" = None
    caller: Caller = SHELL_CALLER
    uploads: PendingUploads = field(default_factory=PendingUploads)
    only_words_of: str = ""

    @property
    def settings(self) -> AgentSettings:
        """Return the settings of the agent."""
        return self.state.agent_info.settings

    @property
    def language(self) -> Language:
        """Return the language to answer in."""
        return self.settings.language

    @cached_property
    def zone(self) -> ZoneInfo:
        """Return the agent's time zone."""
        return ZoneInfo(self.settings.time_zone)

    @property
    def writer(self) -> AgentMemory:
        """Return the memory to change; refuses where it can only be looked at."""
        if self.agent is None:
            raise self.refusal(desk.ONLY_LOOKING)
        return self.agent

    def say(self, sentence: Sentence, /, **values: str | int) -> str:
        """Return a sentence in the agent's language."""
        return say(self.language, sentence, **values)

    def refusal(self, sentence: Sentence, /, **values: str | int) -> CommandRefused:
        """Return the error that says why not."""
        return CommandRefused(self.language, sentence, **values)

    def memory(self, name: str = "id") -> Memory:
        """Return the memory given under a name; raises :class:`UnknownMemory`."""
        return self.state.memory(self.given.number(name))

    def date_time(self, at: datetime) -> str:
        """Return an instant as the partner's clock shows it."""
        return f"{at.astimezone(self.zone):%Y-%m-%d %H:%M}"

    def date(self, at: datetime) -> str:
        """Return the day of an instant."""
        return f"{at.astimezone(self.zone):%Y-%m-%d}"


Handler: TypeAlias = Callable[[Call], Awaitable[Document]]


def in_a_thread(answer: Callable[[Call], Document]) -> Handler:
    """Return a handler that works beside the event loop: a look at 10,000 memories takes time."""

    async def handle(call: Call) -> Document:
        return await asyncio.to_thread(answer, call)

    return handle


PAGE_LENGTH: Final = 20
