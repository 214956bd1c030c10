"""One agent's memory, as a turn needs it."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol, TypeAlias

from memory.changes import Turn
from memory.injector import PromptMemories
from memory.model import Message, Mode
from memory.recall import Hit
from memory.settings import AgentSettings


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
