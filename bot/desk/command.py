"""What a command is: its declaration, what it was given, and what it may reach while it runs.

``/help``, menus, argument errors, the shell and the documentation are all made from :class:`Spec`,
so a new command needs no new help. The declarations themselves stand in :mod:`bot.desk.registry`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from functools import cached_property
from typing import Final, Literal, NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

from bot.desk.caller import SHELL_CALLER, Caller, PendingUploads
from bot.desk.documents import Document, Text
from bot.desk.services import DeskServices
from bot.identity import AccessLevel
from bot.texts import Sentence, Worded, desk, desk_changes, language_spoken, say
from memory.agent import AgentMemory
from memory.errors import InputRefused
from memory.model import AgentSettings, Language, Memory, Merged, Message
from memory.privacy.redaction import WHY_SHUT, sealed_labels, secret_label
from memory.privacy.vault import UnsealFailure
from memory.sentences import Sayable
from memory.state import MemoryState, is_hidden


class Policy(Enum):
    """Who may give a command and where; :func:`permits` says it (``docs/decisions/walls.md``)."""

    LOOK = "look"
    STEER = "steer"
    ERASE = "erase"
    BIND = "bind"
    OPERATE = "operate"
    ANSWER = "answer"


def permits(policy: Policy, standing: AccessLevel, *, private: bool) -> bool:
    """Return whether someone with that access level may give such a command in such a chat.

    In private, everyone may change the memory that is theirs. In a group, everyone who may talk
    may look, erase their own words and stop an answer to them (:attr:`Call.only_words_of`);
    admins and owners may change it. Which memory a chat uses is decided in private only. Only an
    owner operates the program, and only in private.
    """
    if standing not in {AccessLevel.OWNER, AccessLevel.ADMIN, AccessLevel.ALLOWED}:
        return False
    match policy:
        case Policy.LOOK | Policy.ERASE | Policy.ANSWER:
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
    """One argument or option of a command; ``shown`` is what usage lines call it.

    Kinds: ``memory`` is an id such as #42, ``memories`` is one or more of them, ``word`` is one
    word, ``words`` and ``file`` are the rest of the line as it is. ``choices`` are the values of a
    choice, each with its other names; those of a flag are other names of the flag.
    """

    name: str
    shown: Sentence
    kind: ArgumentKind
    required: bool = True
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Example(NamedTuple):
    """One line that shows how a command is used, in both languages."""

    zh: str
    en: str

    def in_language(self, language: Language) -> str:
        """Return the example as it is written in that language."""
        return self.zh if language == "zh" else self.en


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """The declaration of one command.

    ``urgent``: it may not wait behind a reply, and may safely run twice.
    ``parent`` is ``memory`` for a verb behind ``/memory``, and empty for a command of its own.
    ``chinese`` are its Chinese names, the first one is shown. ``also`` are words that people try;
    they are understood but not advertised. ``steers``: under its answer are buttons that change
    memory, so in a group it matters who leads it. ``word_for_word``: nothing of it is ever
    confirmed, so what looks like a code at its end is one of its words.
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
    urgent: bool = False
    steers: bool = False
    word_for_word: bool = False

    @property
    def names(self) -> frozenset[str]:
        """Return every word by which the command is understood."""
        return frozenset({self.name, *self.chinese, *self.also})

    @property
    def path(self) -> str:
        """Return the whole Latin name without the slash, such as ``memory list``."""
        return f"{self.parent} {self.name}".strip()

    @property
    def only_looks(self) -> bool:
        """Return whether the command writes nothing."""
        return self.policy is Policy.LOOK

    @property
    def passes_answers(self) -> bool:
        """Return whether it may be answered before a reply under way, which it is not about."""
        return (self.only_looks and self.name != "why") or self.name in _OF_THE_PROGRAM

    def usage(self, language: Language) -> str:
        """Return how to write the command, with optional parts in brackets."""
        parts = [f"/{self.path}"]
        for one in self.arguments:
            shown = say(language, one.shown)
            parts.append(shown if one.required else f"[{shown}]")
        for one in self.options:
            value = "" if one.kind == "flag" else f" {say(language, one.shown)}"
            parts.append(f"[--{one.name}{value}]")
        return " ".join(parts)


_OF_THE_PROGRAM: Final = frozenset({"status", "agents", "limits"})
"""Commands that show how the program does, and change nothing."""

Value: TypeAlias = int | str | bool | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ParsedArguments:
    """The values a command was given, by the names of its arguments and options."""

    values: Mapping[str, Value] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """Return the words or the choice given under a name, or an empty text."""
        found = self.values.get(name, "")
        return found if isinstance(found, str) else ""

    def number(self, name: str, default: int = 0) -> int:
        """Return the number or the id given under a name, else the default."""
        found = self.values.get(name, default)
        return found if isinstance(found, int) else default

    def flag(self, name: str) -> bool:
        """Return whether a flag was given."""
        return self.values.get(name) is True

    def numbers(self, name: str) -> tuple[int, ...]:
        """Return the ids given under a name, each once."""
        found = self.values.get(name, ())
        return found if isinstance(found, tuple) else ()


class CommandRefused(InputRefused):
    """A command is refused; the text says why and what to do, in the partner's language."""

    def __init__(
        self, language: Language, sentence: Sentence, **values: str | int | Sayable
    ) -> None:
        super().__init__(Worded(say(language, sentence, **values)))


@dataclass(frozen=True, kw_only=True)
class Call:
    """A command while it runs: what it was given, and everything it may reach.

    ``state`` holds only what the caller may see in this chat. ``agent`` is None when the shell
    looks at a memory that a running program owns. ``confirmed`` is the confirmation code that came
    with the command, or empty. ``only_words_of`` is the one person whose words may be erased, and
    empty where all may. ``unsealed`` is as in a request.
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
    services: DeskServices | None = None
    caller: Caller = SHELL_CALLER
    uploads: PendingUploads = field(default_factory=PendingUploads)
    only_words_of: str = ""
    unsealed: frozenset[int] | None = None

    def may_unseal(self, memory_id: int) -> bool:
        """Whether the words of a sealed memory may be shown here, if its key is there."""
        return self.private and (self.unsealed is None or memory_id in self.unsealed)

    @property
    def settings(self) -> AgentSettings:
        """Return the settings of the agent."""
        return self.state.agent_info.settings

    @cached_property
    def language(self) -> Language:
        """Return the language to answer in."""
        return language_there(self.state, self.conversation, private=self.private)

    @cached_property
    def zone(self) -> ZoneInfo:
        """Return the agent's time zone."""
        return ZoneInfo(self.settings.time_zone)

    @property
    def writer(self) -> AgentMemory:
        """Return the agent to change. Raises :class:`CommandRefused` where one can only look."""
        if self.agent is None:
            raise self.refusal(desk.ONLY_LOOKING)
        return self.agent

    def say(self, sentence: Sentence, /, **values: str | int | Sayable) -> str:
        """Return a sentence in the agent's language."""
        return say(self.language, sentence, **values)

    def refusal(self, sentence: Sentence, /, **values: str | int | Sayable) -> CommandRefused:
        """Return the error that says, in the agent's language, why not."""
        return CommandRefused(self.language, sentence, **values)

    def memory(self, name: str = "id") -> Memory:
        """Return the memory given under a name; raises :class:`UnknownMemory`."""
        return self.state.memory(self.given.number(name))

    def date_time(self, at: datetime) -> str:
        """Return an instant as the partner's clock shows it."""
        return f"{at.astimezone(self.zone):%Y-%m-%d %H:%M}"

    def date(self, at: datetime) -> str:
        """Return the day of an instant in the partner's time zone."""
        return f"{at.astimezone(self.zone):%Y-%m-%d}"


def language_there(state: MemoryState, conversation: str, *, private: bool) -> Language:
    """Return the language of commands: in a private chat the one last spoken there."""
    if not (private and conversation in state.windows):
        return state.agent_info.settings.language
    return last_spoken(state, lines=state.windows[conversation].lines)


def last_spoken(
    state: MemoryState, text: str = "", *, lines: Sequence[Message] | None = None
) -> Language:
    """Return the language of a text, else that of the partner's last line, else the memory's."""
    if lines is None:
        every = (line for window in state.windows.values() for line in window.lines)
        lines = sorted(every, key=lambda line: line.at)
    said = (line.text for line in reversed(lines) if line.role == "user")
    return language_spoken((text, *said), state.agent_info.settings.language)


def asker_of(call: Call) -> str:
    """Return who alone may press a button of an answer; in private nobody else can."""
    return "" if call.private else call.caller.person


def active_memory(call: Call) -> Memory:
    """Return the memory that is given, if it is not put away.

    Raises :class:`CommandRefused`, which says how to have it back, and :class:`UnknownMemory`.
    """
    memory = call.memory()
    if not memory.is_active and not isinstance(memory.standing, Merged):
        gone = desk_changes.IS_HIDDEN if is_hidden(memory) else desk_changes.LET_GO
        raise call.refusal(gone, id=memory.id)
    return memory


Handler: TypeAlias = Callable[[Call], Awaitable[Document]]


def in_a_thread(answer: Callable[[Call], Document]) -> Handler:
    """Return a handler that runs ``answer`` in a thread.

    For commands that read every memory: with 10,000 of them the event loop would be held up.
    """

    async def handle(call: Call) -> Document:
        return await asyncio.to_thread(answer, call)

    return handle


PAGE_LENGTH: Final = 20
"""How many rows a page has unless ``--limit`` says otherwise."""


def past_the_last(call: Call, count: int) -> tuple[Text, ...]:
    """Return a word that the page asked for is behind the last one of ``count`` things, if so."""
    asked, limit = call.given.number("page", 1), call.given.number("limit", PAGE_LENGTH)
    pages = max(-(-count // limit), 1)
    if asked <= pages:
        return ()
    return (Text(call.say(desk_changes.NO_SUCH_PAGE, asked=asked, pages=pages)),)


def sealed_word(call: Call, memory: Memory) -> str:
    """Return of what kind a sealed secret is, or why it stays shut, for its owner in private."""
    if memory.sealed is None or call.agent is None or not call.may_unseal(memory.id):
        return ""
    plain = call.agent.unsealed(memory.id)
    if isinstance(plain, UnsealFailure):
        return call.say(desk.STAYS_SHUT, why=WHY_SHUT[plain][call.language])
    if plain.words == memory.words:
        return ""  # what is opened says itself what it is
    return secret_label(plain.words.text, call.language)


def shut_facts(call: Call) -> Iterator[tuple[str, str, str]]:
    """Yield how many of the agent's sealed memories do not open now; nothing if all do."""
    agent, sealed = call.agent, [m.id for m in call.state.memories.values() if m.sealed]
    shut = [each for each in sealed if agent and isinstance(agent.unsealed(each), UnsealFailure)]
    if shut:
        said = call.say(desk.SHUT_COUNT, count=len(shut))
        yield "shut", call.say(desk.SHUT), said


def sealed_lines(call: Call, query: str) -> tuple[Text, ...]:
    """Return a line for every sealed memory of the kind that a search names, for its owner."""
    if call.agent is None or not call.private:
        return ()
    found = sealed_labels(query, call.state, call.agent.vault, call.language)
    return tuple(
        Text(call.say(desk_changes.SEALED_FOUND, id=key, what=label))
        for key, label in found.items()
        if call.may_unseal(key)
    )
