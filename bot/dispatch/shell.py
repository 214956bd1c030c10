"""What the shell asks of a running program through the hatch, carried out as if in the chat."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path

from bot.conversation.commands import ParsedCommand
from bot.conversation.lanes import Lanes
from bot.conversation.ledger.bindings import Bindings
from bot.desk.asking import Caller, file_from_bytes
from bot.desk.desk import Desk
from bot.desk.documents import Document
from bot.desk.hatch.server import SocketRequest, serve_control_socket
from bot.desk.shell import ShellRequest
from bot.supervise import Supervisor
from memory.agents import Agents
from memory.errors import UnknownAgent


class ShellCommands:
    """Answer questions of whoever holds the machine; ``talk`` is what an erasure may stop."""

    def __init__(self, agents: Agents, desk: Desk, bindings: Bindings, lanes: Lanes) -> None:
        self._agents = agents
        self._desk = desk
        self._bindings = bindings
        self._lanes = lanes

    def control_socket(
        self, data: Path, supervisor: Supervisor
    ) -> AbstractAsyncContextManager[None]:
        """Return the hatch in the data folder, open while it is entered."""
        return serve_control_socket(data, self.answer, supervisor)

    async def answer(self, question: SocketRequest) -> Document:
        """Carry out a command; raises InputRefused, and StoreLocked if another has the agent."""
        agent_id = question.agent_id
        if agent_id not in self._agents.known_ids():
            raise UnknownAgent(f"no agent {agent_id!r} here")
        file = question.file
        order = ShellRequest(
            command=ParsedCommand(question.name, question.words),
            agent_id=agent_id,
            caller=Caller(
                paused=partial(self._paused, agent_id),
                file=None if file is None else file_from_bytes(question.file_name, file),
            ),
        )
        agent = await self._agents.get(agent_id)
        return await self._desk.carry_out(order, agent.state, agent)

    @asynccontextmanager
    async def _paused(self, agent_id: str) -> AsyncIterator[None]:
        places = await self._bindings.conversations(agent_id)
        async with self._lanes.paused(places):
            yield
