"""The desk: finds the command that is meant, sees who asks, and answers with a document."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final, Protocol

from bot.access import Standing
from bot.conversation.commands import read_command
from bot.desk.asking import Asking
from bot.desk.command import Call, Given, Policy, Spec, permits
from bot.desk.documents import Document, Text
from bot.desk.helping import unknown
from bot.desk.parcels import Parcels
from bot.desk.premises import Premises
from bot.desk.reading import Reading, find, read
from bot.desk.registry import SPECS
from bot.desk.sight import seen_in
from bot.texts import desk_help, say
from memory.agent import AgentMemory
from memory.errors import InputRefused, UnknownMemory
from memory.ports import Clock
from memory.settings import Language
from memory.state import MemoryState

__all__ = ["Desk", "Order", "weighs_rank"]

NOBODY: Final = "nobody"
"""The id of someone of whom no id is known: nothing is theirs."""


class Command(Protocol):
    """A command as it was given: its Latin name, and the words behind it."""

    @property
    def name(self) -> str: ...

    @property
    def words(self) -> str: ...


class Order(Protocol):
    """A command, who gave it, where, and the agent it is about."""

    @property
    def command(self) -> Command: ...

    @property
    def agent_id(self) -> str: ...

    @property
    def standing(self) -> Standing: ...

    @property
    def private(self) -> bool: ...

    @property
    def reply_to(self) -> str: ...

    @property
    def conversation(self) -> str: ...

    @property
    def asking(self) -> Asking: ...


class Desk:
    """Carry out the commands of DESIGN §10 for whoever may give them."""

    names: Final = frozenset(
        name for spec in SPECS for name in (spec.names if spec.parent else {spec.name})
    )

    def __init__(
        self,
        agents: Callable[[str], Awaitable[AgentMemory]],
        clock: Clock,
        premises: Premises | None = None,
    ) -> None:
        self._agents = agents
        self._clock = clock
        self._premises = premises
        self._parcels = Parcels()

    def hurries(self, command: Command) -> bool:
        """Whether a command may not wait behind a reply: what erases, and may be begun anew."""
        spec, _ = find(SPECS, command.name, command.words)
        return spec is not None and spec.policy is Policy.ERASE

    async def obey(self, order: Order) -> Document:
        """Carry out one command and return what to answer; a refusal is an answer too."""
        agent = await self._agents(order.agent_id)
        try:
            return await self.carry_out(order, agent.state, agent)
        except UnknownMemory as error:
            line = say(agent.settings.language, desk_help.NO_SUCH, id=error.memory_id)
            return Document((Text(line),))
        except InputRefused as error:
            return Document((Text(str(error)),))

    async def carry_out(
        self, order: Order, state: MemoryState, agent: AgentMemory | None
    ) -> Document:
        """Carry out one command on a state; without ``agent`` it can only look.

        Raises :class:`InputRefused`, in the agent's language, for what cannot be done.
        """
        allowed = permitted(order.standing, private=order.private)
        call = Call(
            agent_id=order.agent_id,
            state=seen_in(state, private=order.private),
            now=self._clock.now(),
            given=Given(),
            specs=allowed,
            private=order.private,
            reply_to=order.reply_to,
            conversation=order.conversation,
            agent=agent,
            premises=self._premises,
            asking=order.asking,
            parcels=self._parcels,
            whose=_whose(order),
        )
        spec, words = find(SPECS, order.command.name, order.command.words)
        if spec is None:
            raise unknown(call, words.split()[0] if words else order.command.name)
        if spec not in allowed:
            raise call.refusal(desk_help.NOT_ALLOWED)
        reading = read(spec, words, call.language)
        document = await spec.run(replace(call, given=reading.given, confirmed=reading.code))
        return replace(document, in_place=_goes_on(reading))


def _whose(order: Order) -> str:
    """Return whose words alone an order may erase: in a group everyone's are their own."""
    if order.private or order.standing in {Standing.OWNER, Standing.ADMIN}:
        return ""
    return order.asking.person or NOBODY


def weighs_rank(text: str) -> bool:
    """Whether it matters to a message that its sender may be an admin: a command that steers."""
    command = read_command(text)
    spec, _ = find(SPECS, command.name, command.words) if command else (None, "")
    return spec is not None and spec.policy in {Policy.STEER, Policy.ERASE}


def _goes_on(reading: Reading) -> bool:
    """Tell whether a command turns a page, confirms what was shown, or takes one step back."""
    return bool(reading.code) or not reading.given.values.keys().isdisjoint({"page", "step"})


def permitted(standing: Standing, *, private: bool) -> tuple[Spec, ...]:
    """Return the commands someone of that standing may give there."""
    return tuple(spec for spec in SPECS if permits(spec.policy, standing, private=private))


def menu(standing: Standing, language: Language, *, private: bool) -> tuple[tuple[str, str], ...]:
    """Return what a platform's menu offers someone there: Latin names and one-line helps."""
    offered = permitted(standing, private=private)
    return tuple((spec.name, say(language, spec.help)) for spec in offered if not spec.parent)
