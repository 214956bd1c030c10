"""The embedded surface: 小祥's memory for any program, with or without a model.

Other programs rely on it, so names and promises here stay stable (docs/decisions/embedding.md).
"""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args

from memory import refusals
from memory.agent import AgentMemory
from memory.agents import folder_of, open_agent
from memory.errors import InputRefused, StoreError
from memory.jobs.background import SteadyEmbedder, SteadyModel
from memory.jobs.steps import AgentParts
from memory.laws.law import Event, Law
from memory.laws.registry import LAWS, Laws, is_visible
from memory.laws.settings import UNNAMED
from memory.lifecycle.night import NightReport
from memory.model import AgentSettings, Message, Mode, ModeName, Role
from memory.ports import Clock, Embedder, LanguageModel, SystemClock
from memory.privacy.vault import Keys, UnsealFailure, Vault
from memory.recall import DepthName
from memory.recall.in_mind import assessment
from memory.sentences import FilledSentence, Sayable
from memory.stores.exports import LONGEST_STORED_TEXT
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
        self._is_closed = False

    def remember(self, messages: Sequence[Message], *, explicit: bool = False) -> None:
        """Take messages to remember; returns at once, and they are durable after ``settled``.

        They are cut into episodes and linked. ``explicit`` makes one firm fact of each instead,
        as "记住…" does. A message with a known id is ignored.

        Raises InputRefused, naming message and field, for one that cannot be kept (a wrong type,
        half a character, a date outside 1900 to 2199, more than a million characters); the others
        are taken all the same. Raises StoreError, and takes nothing, once the memory is closed.
        """
        if self._is_closed:
            raise StoreError(refusals.CLOSED)
        found = [(each, _flaw_of(each)) for each in _given_messages(messages)]
        good = [each for each, flaw in found if flaw is None]
        self._agent.background.enqueue(good, explicit=explicit)
        bad = [(n, each, flaw) for n, (each, flaw) in enumerate(found, 1) if flaw is not None]
        if bad:
            number, message, (name, why) = bad[0]
            shown = repr(getattr(message, "id", None))[:_SHOWN]
            raise InputRefused(
                refusals.BAD_MESSAGE, number=number, id=shown, field=name, why=why, count=len(bad)
            )

    def note_closed(self) -> None:
        """Take nothing more: the folder is being given back."""
        self._is_closed = True

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

    ``law`` and ``settings``, when given, hold from now on; else a new agent starts with ``tiers``,
    defaults and the first talk's language, a known one keeps its own. ``laws`` are those it may
    choose from; a folder whose agent lives by another is refused. Without a ``model`` everything
    works by rule. With an ``embedder`` passages are soon found and linked by meaning as well.

    With a ``key_file`` (see :class:`memory.privacy.vault.Keys`) secrets are kept sealed; without
    one they are refused. A key file that is missing seals and opens nothing, and nothing is lost.

    Raises StoreError if the folder cannot be used, InputRefused for a bad name, law or part.
    """
    _check_parts(clock=clock, model=model, embedder=embedder, settings=settings)
    now = clock or SystemClock()
    vault = Vault(Keys.read(Path(key_file), data=Path(folder)), agent) if key_file else None
    opened = await open_agent(
        folder_of(Path(folder), agent),
        AgentParts(
            clock=now,
            model=model and SteadyModel(model),
            embedder=embedder and SteadyEmbedder(embedder),
            vault=vault,
            laws=Laws(tuple(laws)),
            follows_language=settings is None,
        ),
        choose_settings=lambda known: _settings_to_use(known, law, settings),
    )
    memory = OpenMemory(opened, now)
    try:
        yield memory
    finally:
        memory.note_closed()
        await opened.close()


def _settings_to_use(
    known: AgentSettings | None, law: str | None, settings: AgentSettings | None
) -> AgentSettings:
    """Return what an agent lives by: what is asked for now, else what it has, else defaults."""
    chosen = settings or known or AgentSettings()
    # The default name is a Chinese one; a partner of that very name says so in no settings.
    if chosen.partner == UNNAMED["zh"]:
        chosen = replace(chosen, partner=UNNAMED[chosen.language])
    return chosen if law is None else replace(chosen, law=law)


_SHOWN: Final = 60
"""Characters of an id that a refusal shows."""

_FIRST_YEAR: Final = 1900
_LAST_YEAR: Final = 2199
_ROLES: Final = get_args(Role)
_MODALITIES: Final = ("text", "image", "audio")


def _given_messages(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Return what was given to remember; raises InputRefused for what is no list at all."""
    if isinstance(messages, str | bytes | Mapping) or not isinstance(messages, Iterable):
        raise InputRefused(refusals.NO_MESSAGES, given=type(messages).__name__)
    return tuple(messages)


def _flaw_of(message: object) -> tuple[str, Sayable] | None:
    """Return the field of a message that cannot be kept, and why; None if all is well."""
    if not isinstance(message, Message):
        return "message", _is_no("Message", message)
    for name in ("id", "speaker", "text", "quoted", "speaker_id"):
        if (why := _text_flaw(getattr(message, name))) is not None:
            return name, why
    if not message.id:
        return "id", refusals.NO_ID
    for name, choices in (("role", _ROLES), ("modality", _MODALITIES)):
        if getattr(message, name) not in choices:
            return name, FilledSentence(refusals.ONE_OF, choices=", ".join(choices))
    why = _date_flaw(message.at)
    return None if why is None else ("at", why)


def _text_flaw(text: object) -> Sayable | None:
    if not isinstance(text, str):
        return _is_no("str", text)
    if len(text) > LONGEST_STORED_TEXT:
        return FilledSentence(refusals.TOO_MUCH_TEXT, length=len(text), most=LONGEST_STORED_TEXT)
    try:
        text.encode()
    except UnicodeEncodeError:
        return refusals.HALF_CHARACTER
    return None


def _date_flaw(at: object) -> Sayable | None:
    if not isinstance(at, datetime):
        return _is_no("datetime", at)
    if at.utcoffset() is None:
        return refusals.NO_ZONE
    if not _FIRST_YEAR <= at.year <= _LAST_YEAR:
        return FilledSentence(
            refusals.FAR_DATE, year=str(at.year), first=str(_FIRST_YEAR), last=str(_LAST_YEAR)
        )
    return None


def _is_no(wanted: str, given: object) -> FilledSentence:
    return FilledSentence(refusals.BAD_TYPE, wanted=wanted, given=type(given).__name__)


def _check_parts(**parts: object) -> None:
    """Raise InputRefused for what cannot be what a memory is opened with."""
    for name, (kind, methods) in _PARTS.items():
        part = parts[name]
        fits = all(callable(getattr(part, each, None)) for each in methods)
        if part is not None and not (isinstance(part, kind) if not methods else fits):
            wanted = kind.__name__
            raise InputRefused(
                refusals.NO_PART, name=name, wanted=wanted, given=type(part).__name__
            )


_PARTS: Final[Mapping[str, tuple[type[Any], tuple[str, ...]]]] = {
    "clock": (Clock, ("now",)),
    "model": (LanguageModel, ("complete",)),
    "embedder": (Embedder, ("embed",)),
    "settings": (AgentSettings, ()),
}
"""What a memory is opened with, and the methods that each must have."""


def _mode_named(name: ModeName) -> Mode:
    try:
        return Mode(name)
    except ValueError as error:
        raise _none_of(name, get_args(ModeName)) from error


def _none_of(given: str, choices: tuple[str, ...]) -> InputRefused:
    return InputRefused(refusals.NONE_OF, given=repr(given), choices=", ".join(choices))
