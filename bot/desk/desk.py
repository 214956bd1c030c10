"""The desk: finds the command that is meant, sees who asks, and answers with a document."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final, Protocol, TypeVar

from immutables import Map

from bot.conversation.messages import read_command
from bot.desk.caller import Caller, PendingUploads
from bot.desk.command import Call, ParsedArguments, Policy, Spec, permits
from bot.desk.command_help import unknown_command
from bot.desk.documents import Document, Text
from bot.desk.parser import ParsedInput, find_command, parse_arguments
from bot.desk.registry import SPECS, specs_of
from bot.desk.services import DeskServices
from bot.identity import AccessLevel
from bot.texts import desk_help, say
from memory.agent import AgentMemory
from memory.changes import Change, Corrections, Links, PreviousText, Put, Undo, WeightLog
from memory.errors import InputRefused, UnknownMemory
from memory.model import Language, Memory, Sensitivity
from memory.ports import Clock
from memory.state import MemoryState

R = TypeVar("R", WeightLog, Corrections, PreviousText)


def visible_state(state: MemoryState, *, private: bool) -> MemoryState:
    """Return the part of a state that a command may show there, as if the rest were not."""
    hidden = {
        memory.id
        for memory in state.memories.values()
        if memory.nature.sensitivity > Sensitivity.ORDINARY
    }
    if private or not hidden:
        return state
    agent_info = state.agent_info
    focus = tuple(each for each in agent_info.focus if each not in hidden)
    return replace(
        state,
        memories=Map({k: m for k, m in state.memories.items() if k not in hidden}),
        links=Map(
            {k: _without_targets(e, hidden) for k, e in state.links.items() if k not in hidden}
        ),
        weight_logs=_without_keys(state.weight_logs, hidden),
        corrections=_without_keys(state.corrections, hidden),
        previous_texts=_without_keys(state.previous_texts, hidden),
        undos=Map({k: undo for k, undo in state.undos.items() if not _mentions(undo, hidden)}),
        agent_infos=Map({"household": replace(agent_info, focus=focus)}),
    )


def _without_keys(table: "Map[int, R]", hidden: set[int]) -> "Map[int, R]":
    return Map({key: record for key, record in table.items() if key not in hidden})


def _mentions(undo: Undo, hidden: set[int]) -> bool:
    """Whether an entry would show something of what may not be seen."""
    return any(_subject_of(change) in hidden for change in undo.inverse)


def _subject_of(change: Change) -> object:
    match change:
        case Put(Memory(id=memory_id)):
            return memory_id
        case Put(record):
            return record.key
        case _:
            return change.key


def _without_targets(links: Links, hidden: set[int]) -> Links:
    return replace(links, links=tuple(e for e in links.links if e.target not in hidden))


NOBODY: Final = "nobody"
"""The id of someone of whom no id is known: nothing is theirs."""


class Command(Protocol):
    """A command as it was given: its Latin name, and the words behind it."""

    @property
    def name(self) -> str: ...

    @property
    def words(self) -> str: ...


class CommandRequest(Protocol):
    """A command, who gave it, where, and the agent it is about."""

    @property
    def command(self) -> Command: ...

    @property
    def agent_id(self) -> str: ...

    @property
    def access_level(self) -> AccessLevel: ...

    @property
    def private(self) -> bool: ...

    @property
    def reply_to(self) -> str: ...

    @property
    def conversation(self) -> str: ...

    @property
    def caller(self) -> Caller: ...


class Desk:
    """Carry out the commands of DESIGN §10 for whoever may give them."""

    names: Final = frozenset(
        name for spec in SPECS for name in (spec.names if spec.parent else {spec.name})
    )

    def __init__(
        self,
        agents: Callable[[str], Awaitable[AgentMemory]],
        clock: Clock,
        services: DeskServices | None = None,
    ) -> None:
        self._agents = agents
        self._clock = clock
        self._services = services
        self._uploads = PendingUploads()

    def is_urgent(self, command: Command) -> bool:
        """Whether a command may not wait behind a reply: what erases, and may be begun anew."""
        spec, _ = find_command(SPECS, command.name, command.words)
        return spec is not None and spec.policy is Policy.ERASE

    async def answer(self, request: CommandRequest) -> Document:
        """Carry out one command and return what to answer; a refusal is an answer too."""
        agent = await self._agents(request.agent_id)
        try:
            return await self.carry_out(request, agent.state, agent)
        except UnknownMemory as error:
            line = say(agent.settings.language, desk_help.NO_SUCH, id=error.memory_id)
            return Document((Text(line),))
        except InputRefused as error:
            return Document((Text(str(error)),))

    async def carry_out(
        self, request: CommandRequest, state: MemoryState, agent: AgentMemory | None
    ) -> Document:
        """Carry out one command on a state; without ``agent`` it can only look.

        Raises :class:`InputRefused`, in the agent's language, for what cannot be done.
        """
        specs = specs_of(state.laws)
        allowed = permitted_commands(request.access_level, private=request.private, specs=specs)
        call = Call(
            agent_id=request.agent_id,
            state=visible_state(state, private=request.private),
            now=self._clock.now(),
            given=ParsedArguments(),
            specs=allowed,
            private=request.private,
            reply_to=request.reply_to,
            conversation=request.conversation,
            agent=agent,
            services=self._services,
            caller=request.caller,
            uploads=self._uploads,
            only_words_of=_only_words_of(request),
        )
        spec, words = find_command(specs, request.command.name, request.command.words)
        if spec is None:
            raise unknown_command(call, words.split()[0] if words else request.command.name)
        if spec not in allowed:
            raise call.refusal(desk_help.NOT_ALLOWED)
        reading = parse_arguments(spec, words, call.language)
        document = await spec.run(replace(call, given=reading.given, confirmed=reading.code))
        return replace(document, in_place=_continues_page(reading))


def _only_words_of(request: CommandRequest) -> str:
    """Return whose words alone an order may erase: in a group everyone's are their own."""
    if request.private or request.access_level in {AccessLevel.OWNER, AccessLevel.ADMIN}:
        return ""
    return request.caller.person or NOBODY


def needs_sender_rank(text: str) -> bool:
    """Whether it matters to a message that its sender may be an admin: a command that steers."""
    command = read_command(text)
    spec, _ = find_command(SPECS, command.name, command.words) if command else (None, "")
    return spec is not None and spec.policy in {Policy.STEER, Policy.ERASE}


def _continues_page(parsed: ParsedInput) -> bool:
    """Tell whether a command turns a page, confirms what was shown, or takes one step back."""
    return bool(parsed.code) or not parsed.given.values.keys().isdisjoint({"page", "step"})


def permitted_commands(
    standing: AccessLevel, *, private: bool, specs: Sequence[Spec] = SPECS
) -> tuple[Spec, ...]:
    """Return the commands someone of that standing may give there."""
    return tuple(spec for spec in specs if permits(spec.policy, standing, private=private))


def menu(
    standing: AccessLevel, language: Language, *, private: bool
) -> tuple[tuple[str, str], ...]:
    """Return what a platform's menu offers someone there: Latin names and one-line helps."""
    offered = permitted_commands(standing, private=private)
    return tuple((spec.name, say(language, spec.help)) for spec in offered if not spec.parent)
