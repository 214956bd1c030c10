"""A memory that keeps turns and nothing else; it outlives the program it serves."""

from collections.abc import Callable, Collection, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from memory.changes import Put, Receipt, Turn, Used
from memory.diary import line_changes
from memory.model import AgentSettings, Message
from memory.recall import Hit
from memory.state import MemoryState
from memory.views import PromptMemories
from prompts import PromptMemory
from tests.fakes.chat import Tripwire
from tests.fakes.clock import NOON


@dataclass
class FakeAgent:
    """Knows ``memories`` by heart, in order, and shows those that fit."""

    settings: AgentSettings = field(default_factory=AgentSettings)
    memories: tuple[str, ...] = ()
    wire: Tripwire = field(default_factory=Tripwire)
    turns: dict[str, Turn] = field(default_factory=dict)
    unanswered: dict[str, Turn] = field(default_factory=dict)
    heard: dict[str, Message] = field(default_factory=dict)
    earlier: tuple[Message, ...] = ()
    commits: int = 0
    failures: list[Exception] = field(default_factory=list)
    opening_failures: list[Exception] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    crowded: list[tuple[str, str]] = field(default_factory=list)
    opened_as: str = ""

    state: MemoryState = field(default_factory=MemoryState)
    keeps_secrets: bool = False
    name: str = ""

    def redacted(
        self, messages: Sequence[Message], before: Sequence[Message] = ()
    ) -> tuple[Message, ...]:
        return tuple(messages)

    async def search(
        self,
        query: str,
        *,
        k: int = 12,
        skip: AbstractSet[str] = frozenset(),
        context: Sequence[Message] = (),
    ) -> list[Hit]:
        self.wire.step()
        self.asked.append(query)
        return [
            Hit(
                memory_id=number,
                score=1.0,
                relevance=1.0,
                activation=0.0,
                retention=1.0,
                source_ids=(f"s{number}",),
                quote=text,
            )
            for number, text in enumerate(self.memories[:k], start=1)
        ]

    def memories_for_prompt(
        self, hits: Sequence[Hit], *, budget_tokens: int, count: Callable[[str], int]
    ) -> PromptMemories:
        fitting = []
        for hit in hits:
            budget_tokens -= count(hit.quote)
            if budget_tokens >= 0:
                fitting.append(hit)
        return PromptMemories(
            shown=tuple(
                PromptMemory(handle=f"m{hit.memory_id}", text=hit.quote, when=NOON)
                for hit in fitting
            ),
            handles={f"m{hit.memory_id}": hit.memory_id for hit in fitting},
            used=tuple(Used(memory_id=hit.memory_id, score=hit.score) for hit in fitting),
        )

    async def kept_in_mind(
        self, query: str, hits: Sequence[Hit], *, skip: Collection[str] = (), private: bool = True
    ) -> tuple[PromptMemory, ...]:
        return ()

    async def called(self, name: str, person: str) -> str:
        return name

    async def name_of_partner(self) -> str:
        return self.name

    def window(self, conversation: str) -> tuple[Message, ...]:
        lines = [
            message
            for turn in (*self.unanswered.values(), *self.turns.values())
            if turn.conversation == conversation
            for message in turn.messages
        ]
        gone = {turn.replaces for turn in self.turns.values()}
        lines = [message for message in lines if message.id not in gone]
        return tuple([*self.earlier, *self.heard.values(), *lines][-30:])

    async def commit(self, turn: Turn) -> None:
        self.wire.step()
        if self.failures:
            raise self.failures.pop(0)
        if turn.id not in self.state.receipts:
            kept = self.turns if turn.reply or turn.edited else self.unanswered
            kept[turn.id] = turn
            self.commits += 1
            said = line_changes(turn.conversation, turn.messages, self.state)
            receipt = Put(Receipt(turn_id=turn.id, at=turn.at))
            self.state, _ = self.state.apply([*said, receipt])
        self.wire.step()

    def kept_unanswered(self) -> list[str]:
        """Return what was given as said while there was no reply to it."""
        return [line.text for turn in self.unanswered.values() for line in turn.said]

    async def make_room(self, conversation: str, last: str) -> None:
        self.wire.step()
        self.crowded.append((conversation, last))

    async def listen(self, conversation: str, messages: Sequence[Message]) -> None:
        self.wire.step()
        for message in messages:
            self.heard.setdefault(message.id, message)
