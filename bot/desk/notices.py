"""The notice that says what was just learnt, with a button that undoes it.

It comes without being asked for, so it waits until the conversation is quiet, disturbs nobody, and
names nothing private.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Final, Never, Protocol

from bot.conversation.ledger.inbox import Bindings
from bot.conversation.messages import ConversationKey
from bot.desk.answers import brief
from bot.desk.documents import Adapters, Button, Buttons, Document, Text
from bot.supervise import Supervisor
from bot.texts import Sentence, desk_changes, say
from memory.changes import Drop, Put, Undo
from memory.learning.outcomes import LearntNotice
from memory.lifecycle.undo import step_name
from memory.model import Deleted, Language, Memory, Sensitivity, Tier
from memory.state import MemoryState

LONGEST: Final = 60


class HasState(Protocol):
    """An agent, as far as a notice needs one."""

    @property
    def state(self) -> MemoryState: ...


class LearntQueue:
    """What agents learnt, each with its id, until somebody notices it.

    Agents and notices need each other; this lies between, and is made before both.
    """

    def __init__(self) -> None:
        self._waiting: asyncio.Queue[tuple[str, LearntNotice]] = asyncio.Queue()

    def put(self, agent_id: str, learnt: LearntNotice) -> None:
        """Add what an agent learnt; returns at once."""
        self._waiting.put_nowait((agent_id, learnt))

    async def get(self) -> tuple[str, LearntNotice]:
        """Wait for the next one and take it out."""
        return await self._waiting.get()


class NoticeSender:
    """Sends a notice once the conversation is quiet: in private only, and only if it is wanted.

    Memory reports what it learnt exactly once, when that is durable. A failure after that loses
    the notice; it is never sent twice.
    """

    def __init__(
        self,
        agents: Callable[[str], Awaitable[HasState]],
        bindings: Bindings,
        platforms: Adapters,
        quiet: Callable[[ConversationKey], Awaitable[None]],
        supervisor: Supervisor,
    ) -> None:
        self._agents = agents
        self._bindings = bindings
        self._platforms = platforms
        self._quiet = quiet
        self._supervisor = supervisor

    async def follow(self, learnt: LearntQueue) -> Never:
        """Notice everything that is put into the queue, until cancelled."""
        while True:
            self.on_learnt(*await learnt.get())

    def on_learnt(self, agent_id: str, learnt: LearntNotice) -> None:
        """Send the notice of what an agent learnt, in a task of its own; returns at once."""
        if learnt.private:
            self._supervisor.start("noticing", self._send_notice(agent_id, learnt))

    async def _send_notice(self, agent_id: str, learnt: LearntNotice) -> None:
        # The report names the conversation as text, which holds no unambiguous separator; the
        # bindings have the key. None fits if the chat was unlinked meanwhile.
        places = await self._bindings.conversations(agent_id)
        place = next((each for each in places if str(each) == learnt.conversation), None)
        platform = self._platforms.get(place.platform) if place else None
        if place is None or platform is None:
            return
        await self._quiet(place)
        # Read only now: while the chat was busy the step may have been undone or erased.
        notice = notice_of(learnt.step, (await self._agents(agent_id)).state)
        if notice is not None:
            await platform.presenter.present(place, notice, reply_to="")


def notice_of(step: Undo, state: MemoryState) -> Document | None:
    """Return the notice of a step, or None if it taught nothing, was undone, or is not wanted.

    It is read from what undoing the step would restore, so that it says neither more nor less.
    """
    settings = state.agent_info.settings
    if not settings.notices or state.undos.get(step.id) != step:
        return None
    news = list(_news_lines(step, state, settings.language))
    if not news:
        return None
    if len(news) == 1:
        text = say(settings.language, desk_changes.NOTICE_ONE, what=news[0])
    else:
        items = (f"· {each}" for each in news)
        text = "\n".join((say(settings.language, desk_changes.NOTICE_SEVERAL), *items))
    undo = Button(say(settings.language, desk_changes.UNDO), f"/undo {step_name(step)}")
    return Document((Text(text), Buttons((undo,))), quiet=True)


def _news_lines(step: Undo, state: MemoryState, language: Language) -> Iterator[str]:
    """Yield what is new, in words: first what was learnt, then what no longer holds."""
    put = [change.record for change in step.inverse if isinstance(change, Put)]
    before = [record for record in put if isinstance(record, Memory)]
    made = [c.key for c in step.inverse if isinstance(c, Drop) and c.table is Memory]
    # An older memory that a new one replaces or contains is named beside the new one, not again.
    mentioned: set[int] = set()
    for new in (state.memories[int(key)] for key in sorted(made) if key in state.memories):
        if new.nature.tier is not Tier.ENTITY:
            mentioned |= {new.lineage.replaces or 0, *new.lineage.merged_from}
            yield _new_memory_text(new, state, language)
    for old in before:
        now = state.memories.get(old.id)
        if now is None or old.id in mentioned:
            continue
        if isinstance(now.standing, Deleted) and old.is_active:
            yield _notice_text(language, desk_changes.NOTICE_HIDDEN, text=old)
        elif now.is_past and not old.is_past:
            yield _notice_text(language, desk_changes.NOTICE_PAST, text=old)


def _new_memory_text(new: Memory, state: MemoryState, language: Language) -> str:
    """Return what a new memory says, and what it replaced."""
    old = state.memories.get(new.lineage.replaces or 0)
    if old is not None:
        negated = old.trace.negated_at is not None
        sentence = desk_changes.NOTICE_PAST_AND_NOW if negated else desk_changes.NOTICE_CHANGED
        return _notice_text(language, sentence, after=new, before=old)
    return _notice_text(
        language, desk_changes.NOTICE_MERGED if new.lineage.merged_from else None, text=new
    )


def _notice_text(language: Language, sentence: Sentence | None, **subjects: Memory) -> str:
    """Return a sentence about memories, or what they say; private words are not spelled out."""
    # A notice appears unasked, perhaps on a lock screen that others see.
    memories = list(subjects.values())
    if any(each.nature.sensitivity >= Sensitivity.SENSITIVE for each in memories):
        return say(language, desk_changes.NOTICE_PRIVATE, id=memories[0].id)
    texts = {name: brief(each.words.text, LONGEST) for name, each in subjects.items()}
    return say(language, sentence, **texts) if sentence else "".join(texts.values())
