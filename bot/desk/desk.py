"""The desk: finds the command that is meant, checks who gives it, and returns its answer.

It also decides what of a memory may be seen in a group. Chats, the shell and the control socket
all come in here, and every answer is a :class:`~bot.desk.documents.Document`.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final, TypeVar

from immutables import Map

from bot.conversation.ledger.erasure import ErasureRequest
from bot.conversation.messages import ParsedCommand, read_command
from bot.desk.caller import CommandRequest, PendingUploads
from bot.desk.command import (
    Call,
    ParsedArguments,
    Policy,
    Spec,
    language_there,
    permits,
)
from bot.desk.documents import Block, Buttons, Document, Text
from bot.desk.erase import KEY_BYTES, ErasurePlanner, no_changes
from bot.desk.help import unknown_command
from bot.desk.parser import ParsedInput, ResolvedCommand, parse_arguments, resolve
from bot.desk.registry import SPECS, specs_of
from bot.desk.services import DeskServices
from bot.identity import AccessLevel
from bot.texts import Sentence, desk_help, say
from memory.agent import AgentMemory
from memory.changes import (
    Change,
    Corrections,
    DiaryLine,
    Links,
    PreviousText,
    Put,
    Undo,
    WeightLog,
)
from memory.erasing.scope import message_taken_back, text_matcher
from memory.errors import InputRefused, UnknownMemory
from memory.model import Language, Memory, Sensitivity
from memory.ports import Clock
from memory.state import MemoryState

R = TypeVar("R", WeightLog, Corrections, PreviousText)


def visible_state(state: MemoryState, *, private: bool) -> MemoryState:
    """Return the part of a state that a command may show in such a chat.

    In a group, whatever is more than ordinarily sensitive is left out together with everything
    that mentions it, as if it did not exist: a gap would tell that there is something.
    """
    if private:
        return state
    hidden = {
        memory.id
        for memory in state.memories.values()
        if memory.nature.sensitivity > Sensitivity.ORDINARY
    }
    if not hidden:
        return state
    agent_info = state.agent_info
    focus = tuple(each for each in agent_info.focus if each not in hidden)
    return replace(
        state,
        memories=Map({k: m for k, m in state.memories.items() if k not in hidden}),
        diary=_without_lines_of(state, hidden),
        links=Map(
            {k: _without_targets(e, hidden) for k, e in state.links.items() if k not in hidden}
        ),
        weight_logs=_without_keys(state.weight_logs, hidden),
        corrections=_without_keys(state.corrections, hidden),
        previous_texts=_without_keys(state.previous_texts, hidden),
        undos=Map({k: undo for k, undo in state.undos.items() if not _mentions(undo, hidden)}),
        agent_infos=Map({"household": replace(agent_info, focus=focus)}),
    )


def _without_lines_of(state: MemoryState, hidden: set[int]) -> "Map[str, DiaryLine]":
    gone = {source for each in hidden for source in state.memories[each].source_ids}
    return Map({key: line for key, line in state.diary.items() if key not in gone})


def _without_keys(table: Mapping[int, R], hidden: set[int]) -> "Map[int, R]":
    return Map({key: record for key, record in table.items() if key not in hidden})


def _mentions(undo: Undo, hidden: set[int]) -> bool:
    """Return whether an undo entry would show something of a hidden memory."""
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
"""Stands for a caller without an id. No message has this id, so nothing is theirs to erase."""


class Desk:
    """Carries out the commands of :mod:`bot.desk.registry` for whoever may give them.

    Uploads that wait for a confirmation are kept here, because they outlive one command.
    """

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
        self.services: Final = services
        self._uploads = PendingUploads()

    def is_urgent(self, command: ParsedCommand) -> bool:
        """Return whether a command may not wait behind a reply, and may safely run twice."""
        return resolved(command).is_urgent

    def passes_answers(self, command: ParsedCommand) -> bool:
        """Return whether a command may be answered before a reply that is under way."""
        return resolved(command).passes_answers

    async def answer(self, request: CommandRequest) -> Document:
        """Carry out one command and return the answer; a refusal is an answer too."""
        agent = await self._agents(request.agent_id)
        language = language_there(agent.state, request.conversation, private=request.private)
        try:
            return await self.carry_out(request, agent.state, agent)
        except UnknownMemory as error:
            return Document((Text(say(language, desk_help.NO_SUCH, id=error.memory_id)),))
        except InputRefused as error:
            return Document((Text(error.in_language(language)),))

    async def forget_message(self, agent_id: str, message_id: str) -> None:
        """Erase a message that its platform took back, and what rests on it, for good."""
        agent = await self._agents(agent_id)
        await erase_message(agent, self.services, agent_id, message_id, self._clock.now())

    async def carry_out(
        self, request: CommandRequest, state: MemoryState, agent: AgentMemory | None
    ) -> Document:
        """Carry out one command on a state; without ``agent`` it can only look.

        Raises :class:`InputRefused`, in the agent's language, for what cannot be done, and
        :class:`UnknownMemory` for an id that is not there or may not be seen in this chat.
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
            services=self.services,
            caller=request.caller,
            uploads=self._uploads,
            only_words_of=_only_words_of(request),
            unsealed=request.unsealed,
        )
        command = resolved(request.command, specs)
        if command.spec is None:
            raise unknown_command(
                call, command.words.split()[0] if command.words else command.name
            )
        # Before the words are parsed: who may not give a command learns nothing about its use.
        if command.spec not in allowed:
            raise call.refusal(_why_not(command.spec.policy))
        parsed = parse_arguments(command.spec, command.words, call.language)
        document = await command.spec.run(replace(call, given=parsed.given, confirmed=parsed.code))
        if command.depends_on_rank:  # otherwise nobody knows whether an admin asked
            document = _with_usable_buttons(document, specs, allowed)
        return replace(document, in_place=document.in_place or _continues_page(parsed))


def _with_usable_buttons(
    document: Document, specs: Sequence[Spec], allowed: Sequence[Spec]
) -> Document:
    """Return an answer without the buttons that whoever asked may not press."""
    blocks: list[Block] = []
    for block in document.blocks:
        if not isinstance(block, Buttons):
            blocks.append(block)
            continue
        given = ((one, read_command(one.command)) for one in block.buttons)
        usable = tuple(one for one, line in given if line and resolve(specs, line).spec in allowed)
        if usable:
            blocks.append(Buttons(usable))
    return replace(document, blocks=tuple(blocks))


def _why_not(policy: Policy) -> Sentence:
    """Return why a command may not be given there by whoever gave it."""
    match policy:
        case Policy.BIND:
            return desk_help.IN_PRIVATE
        case Policy.OPERATE:
            return desk_help.ONLY_OWNER
        case _:
            return desk_help.NOT_ALLOWED


def resolved(command: ParsedCommand, specs: Sequence[Spec] = SPECS) -> ResolvedCommand:
    """Return which command of the desk is meant, and the words behind it."""
    return resolve(specs, command)


def _only_words_of(request: CommandRequest) -> str:
    """Return the one person whose words the command may erase; empty where it may erase all."""
    if request.private or request.access_level in {AccessLevel.OWNER, AccessLevel.ADMIN}:
        return ""
    return request.caller.person or NOBODY


def needs_sender_rank(command: ParsedCommand | None) -> bool:
    """Return whether a command is one that a group's admin may do more with.

    Only then is the platform asked for the sender's rank: the question costs a request.
    """
    return command is not None and resolved(command).depends_on_rank


def _continues_page(parsed: ParsedInput) -> bool:
    """Return whether the answer replaces what the pressed button stood under.

    That is so for turning a page, confirming a preview, undoing a named step, and for a question
    of hers that is answered: no button may stay that does nothing any more.
    """
    continuing = {"page", "step", "verdict"}
    return bool(parsed.code) or not parsed.given.values.keys().isdisjoint(continuing)


def permitted_commands(
    standing: AccessLevel, *, private: bool, specs: Sequence[Spec] = SPECS
) -> tuple[Spec, ...]:
    """Return the commands that someone with that access level may give in such a chat."""
    return tuple(spec for spec in specs if permits(spec.policy, standing, private=private))


def menu(
    standing: AccessLevel, language: Language, *, private: bool
) -> tuple[tuple[str, str], ...]:
    """Return the entries of a platform's menu: Latin names and their one-line help."""
    offered = permitted_commands(standing, private=private)
    return tuple((spec.name, say(language, spec.help)) for spec in offered if not spec.parent)


async def erase_message(
    agent: AgentMemory,
    services: DeskServices | None,
    agent_id: str,
    message_id: str,
    now: datetime,
) -> None:
    """Erase one message, her answer to it, and what rests on nothing else; nobody is asked.

    Repetitions of its words go as well, unless it is so short that others say the same.
    """
    async with agent.erasing() as erase:
        await agent.steer(no_changes)
        target = message_taken_back(agent.state, message_id)
        sought = ErasureRequest(agent_id=agent_id, matches=text_matcher(target.needles))
        planner = ErasurePlanner(
            target=target, sought=sought, key_hex=secrets.token_hex(KEY_BYTES)
        )
        erasure = await asyncio.to_thread(planner.plan, agent.state, now)
        if services is not None:
            await services.erase_outside(sought, planner.backup_plan(erasure))
        if erasure is not None:
            await erase(lambda state: found.changes if (found := planner.plan(state, now)) else ())
