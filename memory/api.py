"""The embedded surface: 小祥's memory for any program, with or without a model.

Other programs rely on it, so names and promises here stay stable (docs/decisions/embedding.md).
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from memory import refusals
from memory.agent import AgentMemory
from memory.agents import folder_of, open_agent
from memory.errors import InputRefused
from memory.jobs.steps import AgentParts
from memory.laws.law import Event, Law
from memory.laws.registry import LAWS, Laws, is_visible
from memory.lifecycle.night import NightReport
from memory.model import AgentSettings, Message, Mode, ModeName
from memory.ports import Clock, Embedder, LanguageModel, SystemClock
from memory.privacy.vault import Keys, UnsealFailure, Vault
from memory.recall import DepthName
from memory.recall.in_mind import assessment
from memory.views import MemoryView, found_memory, view

EventName: TypeAlias = Literal["access", "success", "failure", "manual", "association_hit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """A passage that was found: its memory as it is now, the words quoted, and the reasons.

    A line of the diary that no memory holds is seen as a memory of that one line with the id 0.
    ``source_ids`` are the ids of the messages the passage came from, best first, at most 8.
    """

    memory: MemoryView
    score: float
    source_ids: tuple[str, ...]
    quote: str
    reasons: tuple[str, ...]


class OpenMemory:
    """One agent's memory, open. Only ``remember``, ``reinforce`` and ``nightly`` write."""

    def __init__(self, agent: AgentMemory, clock: Clock) -> None:
        self._agent = agent
        self._clock = clock

    def remember(self, messages: Sequence[Message], *, explicit: bool = False) -> None:
        """Take messages to remember; returns at once, and they are durable after ``settled``.

        They are cut into episodes and linked. ``explicit`` makes one firm fact of each instead,
        as "记住…" does. A message with a known id is ignored.
        """
        self._agent.background.enqueue(messages, explicit=explicit)

    async def settled(self) -> None:
        """Wait until everything remembered is in place and can be found, by its meaning too.

        What waits for a model, or for an embedder that is away, is not waited for.
        """
        await self._agent.background.wait_until_idle(meant=True)

    async def search(
        self,
        query: str,
        *,
        k: int = 10,
        mode: ModeName = "normal",
        depth: DepthName = "auto",
        context: Sequence[Message | str] = (),
    ) -> list[Recalled]:
        """Return the at most ``k`` passages that fit best, best first; writes nothing.

        ``context`` is what was said just before, oldest first: messages, or lines of the partner.

        ``depth`` "everyday" finds what comes to mind, as the law allows; "deep" also looks up what
        the diary holds, and memories that are archived, ended or compressed; "auto" decides by
        rule, and says so among the reasons (``deep:…``); ``let-go:#id`` is what was let go and
        can be brought back.
        """
        if depth not in get_args(DepthName):
            raise _none_of(depth, get_args(DepthName))
        now = self._clock.now()
        said = [
            Message(id=f"context-{n}", at=now, speaker="", role="user", text=line)
            if isinstance(line, str)
            else line
            for n, line in enumerate(context)
        ]
        hits = await self._agent.search(
            query, k=k, mode=_mode_named(mode), depth=depth, context=said
        )
        state = self._agent.state
        return [
            Recalled(
                memory=view(found_memory(hit, state), state, now),
                score=hit.score,
                source_ids=hit.source_ids,
                quote=hit.quote,
                reasons=hit.reasons,
            )
            for hit in hits
        ]

    async def recall(
        self, keywords: Sequence[str], relations: Sequence[str], depth: int | None = None
    ) -> str:
        """Return what can be reached from the focus within ``depth`` links; writes nothing.

        Source document 002 §7.1. Without a ``depth``, ``network.default_search_depth`` holds.
        Memories begin with ``[记忆]`` and are separated by ``---``; ``[曾记得]`` stands where only
        the link is left. Raises InputRefused for a negative ``depth``.
        """
        if depth is not None and depth < 0:
            raise InputRefused(refusals.NEGATIVE_DEPTH, depth=depth)
        return await self._agent.recall(keywords, relations, depth)

    async def reinforce(self, memory_id: int, event: EventName) -> None:
        """Apply an event to a memory; raises UnknownMemory or InputRefused."""
        if event not in get_args(EventName):
            raise _none_of(event, get_args(EventName))
        await self._agent.reinforce(memory_id, Event(event))

    def retention(self, memory_id: int) -> float:
        """Return how much of a memory is retained now under the agent's law, 0 to 1."""
        state = self._agent.state
        return view(state.memory(memory_id), state, self._clock.now()).retention

    def unsealed(self, memory_id: int) -> MemoryView:
        """Return a sealed memory as its owner may see it, and nobody else.

        Raises UnknownMemory, and InputRefused if it cannot be opened, which loses nothing.
        """
        state = self._agent.state
        plain = self._agent.unsealed(memory_id)
        if isinstance(plain, UnsealFailure):
            raise InputRefused(refusals.STAYS_SEALED, id=memory_id, why=plain.value)
        return view(plain, state, self._clock.now())

    async def nightly(self) -> NightReport:
        """Settle, consolidate, review, archive and purge; idempotent, however late it comes."""
        return await self._agent.nightly()

    def memories(self, *, mode: ModeName = "normal") -> tuple[MemoryView, ...]:
        """Return every memory that a query of ``mode`` may see, by id, as they are now."""
        state, now, wanted = self._agent.state, self._clock.now(), _mode_named(mode)
        return tuple(
            view(memory, state, now)
            for _, memory in sorted(state.memories.items())
            if is_visible(memory, assessment(memory, state, now), wanted)
        )


@asynccontextmanager
async def open_memory(  # noqa: PLR0913 - a stable surface: other programs call it so
    folder: Path | str,
    *,
    agent: str = "a",
    law: str | None = None,
    clock: Clock | None = None,
    model: LanguageModel | None = None,
    embedder: Embedder | None = None,
    settings: AgentSettings | None = None,
    key_file: Path | str | None = None,
    laws: Sequence[Law[Any]] = LAWS,
) -> AsyncIterator[OpenMemory]:
    """Open one agent's memory in a data folder, create it if it is new, and close it afterwards.

    ``law`` and ``settings``, when given, hold from now on; a new agent starts with ``tiers`` and
    the defaults, a known one keeps its own. ``laws`` are those it may choose from; a folder whose
    agent lives by another one is refused. Without a ``model`` everything works by rule. With an
    ``embedder`` passages are also found and linked by meaning, as soon as the background has made
    their vectors.

    With a ``key_file`` (see :class:`memory.privacy.vault.Keys`) secrets are kept sealed; without
    one they are refused. A key file that is missing seals and opens nothing, and nothing is lost.

    Raises :class:`memory.errors.StoreError` if the folder cannot be used, and InputRefused for a
    bad name or law.
    """
    now = clock or SystemClock()
    vault = Vault(Keys.read(Path(key_file), data=Path(folder)), agent) if key_file else None
    opened = await open_agent(
        folder_of(Path(folder), agent),
        AgentParts(clock=now, model=model, embedder=embedder, vault=vault, laws=Laws(tuple(laws))),
        choose_settings=lambda known: _settings_to_use(known, law, settings),
    )
    try:
        yield OpenMemory(opened, now)
    finally:
        await opened.close()


def _settings_to_use(
    known: AgentSettings | None, law: str | None, settings: AgentSettings | None
) -> AgentSettings:
    """Return what an agent lives by: what is asked for now, else what it has, else defaults."""
    chosen = settings or known or AgentSettings()
    return chosen if law is None else replace(chosen, law=law)


def _mode_named(name: ModeName) -> Mode:
    try:
        return Mode(name)
    except ValueError as error:
        raise _none_of(name, get_args(ModeName)) from error


def _none_of(given: str, choices: tuple[str, ...]) -> InputRefused:
    return InputRefused(refusals.NONE_OF, given=repr(given), choices=", ".join(choices))
