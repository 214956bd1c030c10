"""What a command is: its declaration, what it was given, and what it may reach while it runs.

``/help``, menus, argument errors, the shell and the documentation are all made from :class:`Spec`,
so a new command needs no new help. The declarations themselves stand in :mod:`bot.desk.registry`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from difflib import get_close_matches
from enum import Enum
from functools import cached_property
from typing import Final, Literal, NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

from bot.desk.caller import SHELL_CALLER, Caller, PendingUploads
from bot.desk.documents import Block, Document, Facts, Table, Text
from bot.desk.services import DeskServices
from bot.identity import AccessLevel
from bot.texts import Sentence, desk, desk_help, say
from memory.agent import AgentMemory
from memory.errors import InputRefused
from memory.model import AgentSettings, Language, Memory
from memory.state import MemoryState


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
    they are understood but not advertised.
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

    def __init__(self, language: Language, sentence: Sentence, **values: str | int) -> None:
        super().__init__(say(language, sentence, **values))


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
        """Return the agent to change. Raises :class:`CommandRefused` where one can only look."""
        if self.agent is None:
            raise self.refusal(desk.ONLY_LOOKING)
        return self.agent

    def say(self, sentence: Sentence, /, **values: str | int) -> str:
        """Return a sentence in the agent's language."""
        return say(self.language, sentence, **values)

    def refusal(self, sentence: Sentence, /, **values: str | int) -> CommandRefused:
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


HEADINGS: Final[dict[Policy, Sentence]] = {
    Policy.ANSWER: desk_help.ANSWERING,
    Policy.LOOK: desk_help.LOOKING,
    Policy.STEER: desk_help.STEERING,
    Policy.ERASE: desk_help.ERASING,
    Policy.BIND: desk_help.BINDING,
    Policy.OPERATE: desk_help.OPERATING,
}


FIRST_STEPS: Final = (
    ("memory list", Example("/记忆 列表", "/memory list"), desk_help.FIRST_SEE),
    (
        "memory edit",
        Example("/记忆 改 #3 我住在上海", "/memory edit #3 I live in Bergen"),
        desk_help.FIRST_CORRECT,
    ),
    ("forget", Example("/忘掉 #3", "/forget #3"), desk_help.FIRST_ERASE),
    ("undo", Example("/撤销", "/undo"), desk_help.FIRST_UNDO),
)
"""What a newcomer needs first; shown as far as they may give these commands."""


async def show_help(call: Call) -> Document:
    """Show every command that the caller may give, or how one of them is used."""
    about = call.given.text("about").lstrip("/／").lower()
    if not about:
        return help_overview(call)
    found = spec_named(call.specs, about)
    if found is None:
        raise unknown_command(call, about)
    return help_page(call, found)


def help_overview(call: Call) -> Document:
    """Return all commands, grouped by what they may change."""
    blocks: list[Block] = [Text(call.say(desk_help.TITLE), title=True)]
    may = {spec.path for spec in call.specs}
    first = [(example, does) for path, example, does in FIRST_STEPS if path in may]
    steps = tuple((each.in_language(call.language), call.say(does)) for each, does in first)
    columns = (call.say(desk_help.FIRST), call.say(desk_help.DOES))
    blocks.append(Table(("command", "help"), columns, steps, name="first"))
    for policy, heading in HEADINGS.items():
        specs = [spec for spec in call.specs if spec.policy is policy]
        if specs:
            rows = tuple((_usage_line(call, spec), call.say(spec.help)) for spec in specs)
            columns = (call.say(heading), call.say(desk_help.DOES))
            blocks.append(Table(("command", "help"), columns, rows, name=policy.value))
    blocks.append(Text(call.say(desk_help.HINT)))
    return Document(tuple(blocks))


def help_page(call: Call, spec: Spec) -> Document:
    """Return the page of one command: usage, names, choices and examples."""
    names = " · ".join(_chinese_names(spec))
    examples = [example.in_language(call.language) for example in spec.examples]
    lines: list[Block] = [
        Text(spec.usage(call.language), title=True),
        Text(call.say(spec.help)),
        Text(call.say(desk_help.ALSO, names=names)),
    ]
    choices = [
        (option.name, option.name, " · ".join(_choice_names(call, option.choices)))
        for option in (*spec.arguments, *spec.options)
        if option.kind == "choice"
    ]
    if choices:
        lines.append(Facts(tuple(choices)))
    if examples:
        lines.append(Text(call.say(desk_help.EXAMPLE, examples="　".join(examples))))
    return Document(tuple(lines))


def spec_named(specs: Sequence[Spec], name: str) -> Spec | None:
    """Return the command of that name in either language, with or without its parent.

    A command of its own comes before a verb of that name: ``/forget`` is not ``/memory forget``.
    """
    for spec in sorted(specs, key=lambda spec: bool(spec.parent)):
        if name in {spec.path, spec.name, *spec.chinese, *_chinese_names(spec)}:
            return spec
    return None


def unknown_command(call: Call, name: str) -> InputRefused:
    """Return the error for an unknown command, with the names that may have been meant."""
    whole = {spec.name: f"/{spec.path}" for spec in call.specs}
    whole |= {
        each: written
        for spec in call.specs
        for each, written in zip(spec.chinese, _chinese_names(spec), strict=True)
    }
    # 0.6 is difflib's own default: below it, unrelated short names begin to match.
    near = [whole[each] for each in get_close_matches(name, whole, n=3, cutoff=0.6)]
    if near:
        names = "、".join(near) if call.language == "zh" else ", ".join(near)
        return call.refusal(desk_help.PERHAPS, name=name, names=names)
    return call.refusal(desk_help.UNKNOWN, name=name)


def _usage_line(call: Call, spec: Spec) -> str:
    """Return a command with its required arguments, and its Chinese name beside it in Chinese."""
    usage = spec.usage(call.language).split(" [")[0]
    if call.language != "zh":
        return usage
    return f"{usage}　{_chinese_names(spec)[0]}"


def _chinese_names(spec: Spec) -> list[str]:
    return [f"/记忆 {name}" if spec.parent else f"/{name}" for name in spec.chinese]


def _choice_names(call: Call, choices: dict[str, tuple[str, ...]] | object) -> list[str]:
    if not isinstance(choices, dict):
        return []
    return [
        f"{value}（{other[0]}）" if other and call.language == "zh" else value
        for value, other in choices.items()
    ]
