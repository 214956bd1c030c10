"""What is due is said, once: a reminder at its hour, and what is hers when her manners allow.

The agents' records say what is to be said and when. The ledger holds the next instants, so that
one wake-up serves all agents and none is opened before it has something to say. What is due is
written into the ledger as a turn that answers nobody, under an id made of the reminder and its
hour: killed anywhere, it is said exactly once.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Final, Never

from bot.clock_watch import ClockWatch
from bot.conversation.lanes import ConversationPauses
from bot.conversation.ledger import GiveUp, Ledger, TurnAnswer
from bot.conversation.ledger.wakes import NIGHT, Wake
from bot.conversation.messages import ConversationKey
from bot.desk.command import last_spoken
from bot.desk.documents import Adapters, Buttons, Document, Text, owed_json
from bot.desk.reminders import button_of
from bot.initiative.opening import OpeningWords, due_beginning, is_kept, place_to_write
from bot.tasks import Done, Jobs, Supervisor, attempt
from bot.texts import reminders as texts
from bot.texts import say
from memory.agents import Agents
from memory.changes import Used
from memory.initiative.finding import plan_thoughts
from memory.initiative.intentions import next_beginning, plan_said
from memory.initiative.reminders import DueReminder, due_reminder, next_times, plan_rung
from memory.ports import Clock
from memory.state import MemoryState

WAKE_UP: Final = "due"
"""The name of the one wake-up."""

HERS: Final = 0
"""The item under which the ledger has what she would say next by herself: no reminder has it."""

AT_ONCE: Final = 4
"""With so many agents she begins at a time: after a long silence of the program many are due."""

TRY_AGAIN_SECONDS: Final = 15.0
"""How soon what could not be begun is tried again."""


class ChangedReminders:
    """The agents whose reminders may have changed, each once, until somebody looks.

    Agents and whoever wakes need each other; this lies between, and is made before both.
    """

    def __init__(self) -> None:
        self._waiting: asyncio.Queue[str] = asyncio.Queue()
        self._named: set[str] = set()

    def put(self, agent_id: str) -> None:
        """Note an agent; returns at once."""
        if agent_id not in self._named:
            self._named.add(agent_id)
            self._waiting.put_nowait(agent_id)

    async def get(self) -> str:
        """Wait for the next one and take it out."""
        agent_id = await self._waiting.get()
        self._named.discard(agent_id)
        return agent_id


@dataclass(slots=True, kw_only=True)
class Reminding:
    """Says what is due: looks when it is woken, and asks to be woken for what comes next.

    ``wake_lane`` lets a conversation look into the ledger; ``night`` begins the night of an agent,
    where the ledger holds that as well; ``follow_zone`` is told the time zone of an agent.
    """

    agents: Agents
    ledger: Ledger
    platforms: Adapters
    pauses: ConversationPauses
    clock: Clock
    clock_watch: ClockWatch
    jobs: Jobs
    supervisor: Supervisor
    words: OpeningWords
    wake_lane: Callable[[ConversationKey], object]
    night: Callable[[str], object] = lambda _: None
    follow_zone: Callable[[str, str], object] = lambda _agent, _zone: None
    looking: asyncio.Lock = field(default_factory=asyncio.Lock)
    beginning: set[str] = field(default_factory=set)
    few: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    async def follow(self, changed: ChangedReminders) -> Never:
        """Bring the ledger up to date with every agent that changes, until cancelled."""
        while True:
            agent_id = await changed.get()
            await attempt("planning what is due", partial(self._plan, agent_id))
            await attempt("looking what is due", self.look)

    async def look(self) -> None:
        """Say what is due, and be woken for the next; late or called twice, it does no harm."""
        async with self.looking:
            now = self.clock.now()
            held = False
            # A date that is hard to believe would let everything ring at once.
            if self.clock_watch.check() is None:
                for wake in await self.ledger.wakes.due(now):
                    if wake.item == HERS:
                        self._begin(wake.agent_id)
                        continue
                    if wake.item == NIGHT:
                        self.night(wake.agent_id)
                        continue
                    step = partial(self._ring, wake, now)
                    done = await attempt("reminding", step)
                    held = held or not (isinstance(done, Done) and done.value)
            else:
                held = True
            await self._arm(now, soon=held)

    async def _arm(self, now: datetime, *, soon: bool) -> None:
        coming = await self.ledger.wakes.next(now)
        waits = [] if coming is None else [(coming - now).total_seconds()]
        waits += [TRY_AGAIN_SECONDS] * soon
        if waits:
            self.jobs.wake_once(WAKE_UP, min(waits), self._woken)
        else:
            self.jobs.sleep_on(WAKE_UP)

    async def _woken(self) -> None:
        await attempt("looking what is due", self.look)

    async def look_ahead(self, agent_id: str) -> None:
        """Let an agent note, once a night, what there is to bring up."""
        agent, now = await self.agents.get(agent_id), self.clock.now()
        seen = agent.state
        # In a thread: it looks at every memory, and at a day of the diary.
        found = await asyncio.to_thread(plan_thoughts, seen, now)
        if not found:
            return
        await agent.steer(lambda state, _: found if state is seen else plan_thoughts(state, now))

    def _begin(self, agent_id: str) -> None:
        """Let her begin beside everything else: a model may word it, and take long."""
        if agent_id not in self.beginning:
            self.beginning.add(agent_id)
            self.supervisor.start("beginning", self._begun(agent_id))

    async def _begun(self, agent_id: str) -> None:
        try:
            async with self.few:
                if await self.agents.knows(agent_id):
                    await self._open(agent_id)
        finally:
            self.beginning.discard(agent_id)
        # Said, or to be said later: the ledger is told, and woken for what is next. What could
        # not be begun now is looked at by the tidying.
        await self._plan(agent_id)
        now = self.clock.now()
        held = any(each.item != HERS for each in await self.ledger.wakes.due(now))
        await self._arm(now, soon=held)

    async def _open(self, agent_id: str) -> None:
        """Say what is hers and due by now, once; nothing happens where it may not be said."""
        agent = await self.agents.get(agent_id)
        begun = due_beginning(agent.state, self.clock.now())
        places = await place_to_write(self.ledger, self.platforms, agent_id, agent.state)
        place = places.latest
        if begun is None or place is None or self.pauses.is_paused(place):
            return
        answer = await self.words.answer(begun.intention, agent.state)
        # The words took a while: what was stopped, told or written meanwhile decides.
        still = due_beginning(agent.state, self.clock.now())
        if still is None or still.intention != begun.intention:
            return
        turn = await self.ledger.wakes.begin(begun.turn_id, place, answer, private=True)
        if turn is not None and not is_kept(begun, agent.state):
            await self.ledger.turns.release(turn, GiveUp("ended"), None)
            return
        await agent.steer(lambda state, _: plan_said(state, begun, self.clock.now()))
        self.wake_lane(place)

    async def _plan(self, agent_id: str) -> None:
        times: dict[int, datetime] = {}
        if await self.agents.knows(agent_id):
            state = (await self.agents.get(agent_id)).state
            self.follow_zone(agent_id, state.agent_info.settings.time_zone)
            times = next_times(state)
            begun = next_beginning(state, self.clock.now())
            if begun is not None:
                times[HERS] = begun.at
        await self.ledger.wakes.plan(agent_id, times)

    async def _ring(self, wake: Wake, now: datetime) -> bool:
        """Say one reminder; False if it has to wait a little."""
        if not await self.agents.knows(wake.agent_id):
            await self.ledger.wakes.plan(wake.agent_id, {})
            return True
        agent = await self.agents.get(wake.agent_id)
        reminder = agent.state.reminders.get(wake.item)
        due = due_reminder(reminder, now) if reminder else None
        if due is None:
            await self._plan(wake.agent_id)
            return True
        place = await self._place_of(due, wake.agent_id, agent.state)
        if place is None or self.pauses.is_paused(place):
            return False
        answer = _ringing(due, agent.state, now)
        private = due.reminder.private
        turn = await self.ledger.wakes.begin(due.turn_id, place, answer, private=private)
        if turn is not None and agent.state.reminders.get(wake.item) != reminder:
            # Ended or erased in this very moment: it is not said.
            await self.ledger.turns.release(turn, GiveUp("ended"), None)
            return True
        await agent.steer(lambda state, _: plan_rung(state, due, now))
        await self._plan(wake.agent_id)
        self.wake_lane(place)
        return True

    async def _place_of(
        self, due: DueReminder, agent_id: str, state: MemoryState
    ) -> ConversationKey | None:
        """Return where to say it: in a group where it was asked, else where they last wrote."""
        named = due.reminder.conversation
        own = "" if due.reminder.private else named
        places = await place_to_write(self.ledger, self.platforms, agent_id, state)
        return places.named(own) or places.latest


def _ringing(due: DueReminder, state: MemoryState, now: datetime) -> TurnAnswer:
    """Return what a due reminder says, with its buttons; it was brought by what was asked."""
    reminder, language = due.reminder, last_spoken(state, due.reminder.text)
    text = texts.ringing_text(due, language, now)
    buttons = tuple(
        button_of(reminder, say(language, label), verb)
        for label, verb in (
            (texts.DONE, "done"),
            (texts.LATER, "later"),
            (texts.TOMORROW, "tomorrow"),
        )
    )
    document = Document((Text(text), Buttons(buttons, choice=True)))
    asked = Used(memory_id=0, score=1.0, source_ids=reminder.message_ids[:1])
    used = (asked,) if reminder.message_ids[:1] and reminder.message_ids[0] in state.diary else ()
    return TurnAnswer("reply", text, at=now, used=used, document=owed_json(document))
