"""What can be asked of one agent's memory; nothing in here writes."""

from collections.abc import Callable, Sequence
from zoneinfo import ZoneInfo

from memory.background.blotting import known_secrets
from memory.background.discretion import redacted_messages, redacted_text
from memory.injector import PromptMemories, memories_within_budget
from memory.laws.law import is_recallable
from memory.laws.parameters import parameters
from memory.meaning import PassageVectors
from memory.model import Memory, Message, Mode
from memory.network.walk import is_everyday, recall_text
from memory.ports import Clock
from memory.recall import Hit
from memory.settings import AgentSettings
from memory.state import MemoryState
from memory.vault import UnsealFailure, Vault
from memory.views import law_context
from memory.writer import StateWriter


class MemoryReader:
    """Reads one agent's memory, as it is durable, at any moment."""

    def __init__(
        self,
        writer: StateWriter,
        clock: Clock,
        vault: Vault | None = None,
        vectors: PassageVectors | None = None,
    ) -> None:
        self._writer = writer
        self._clock = clock
        self._vault = vault
        self._vectors = vectors

    @property
    def state(self) -> MemoryState:
        """Return the last durable state: a value, safe to keep."""
        return self._writer.state

    @property
    def settings(self) -> AgentSettings:
        """Return the agent's settings."""
        return self.state.agent_info.settings

    @property
    def keeps_secrets(self) -> bool:
        """Return whether there is a key to seal with."""
        return self._vault is not None and self._vault.can_seal

    @property
    def vault(self) -> Vault | None:
        """Return what seals and opens secrets, for plans that do; None without any."""
        return self._vault

    def redacted(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        """Return messages as a model may see them: what is secret in them is blotted out."""
        return redacted_messages(messages, known_secrets(self.state, self._vault))

    def unsealed(self, memory_id: int) -> Memory | UnsealFailure:
        """Return a memory as it was before it was sealed, or why it stays shut.

        For its owner's eyes, in private: never for a prompt, an index, a log or a file. Raises
        :class:`memory.errors.UnknownMemory`.
        """
        memory = self.state.memory(memory_id)
        if self._vault is None:
            return memory if memory.sealed is None else UnsealFailure.NO_KEY
        return self._vault.open(memory)

    async def search(self, query: str, *, k: int = 12, mode: Mode = Mode.NORMAL) -> list[Hit]:
        """Return the at most ``k`` passages that fit best, best first.

        With an embedder they may be found by their meaning too.
        """
        recall = (await self._writer.indexes()).recall
        near = await self._vectors.find_near(redacted_text(query)) if self._vectors else {}
        return recall.search(query, self.state, now=self._clock.now(), k=k, mode=mode, near=near)

    async def recall(
        self, keywords: Sequence[str], relations: Sequence[str], depth: int | None = None
    ) -> str:
        """Return what comes to mind from the focus within ``depth`` hops, as text (002 §7.1).

        Without a ``depth`` it goes as far as ``network.default_search_depth`` says.
        """
        if depth is None:
            depth = parameters(self.settings).network.default_search_depth
        network = (await self._writer.indexes()).network
        state, now = self.state, self._clock.now()

        def shows(memory: Memory) -> bool:
            context = law_context(memory.id, state, now)
            return is_everyday(memory) and is_recallable(
                memory, context, Mode.NORMAL, state.agent_info.settings
            )

        return recall_text(keywords, relations, depth, state, index=network, may_show=shows)

    def memories_for_prompt(
        self, hits: Sequence[Hit], *, budget_tokens: int, count: Callable[[str], int]
    ) -> PromptMemories:
        """Return what of ``hits`` a prompt shows within a budget of tokens."""
        zone = ZoneInfo(self.settings.time_zone)
        return memories_within_budget(
            hits, self.state, budget_tokens=budget_tokens, zone=zone, count=count
        )

    def window(self, conversation: str) -> tuple[Message, ...]:
        """Return the working memory of a conversation, oldest first, at most 30 messages."""
        window = self.state.windows.get(conversation)
        return window.lines if window else ()
