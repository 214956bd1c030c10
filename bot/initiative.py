"""She begins: what is due is said, once, at its hour; and what is asked of her is confirmed.

The agents' records say what is to be said and when. The ledger holds the next instants, so that
one wake-up serves all agents and none is opened before it has something to say. What is due is
written into the ledger as a turn that answers nobody, under an id made of the reminder and its
hour: killed anywhere, it is said exactly once.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Final, Never

from bot.clock_watch import ClockWatch
from bot.conversation.lanes import ConversationPauses
from bot.conversation.ledger import GiveUp, Ledger, TurnAnswer
from bot.conversation.ledger.wakes import Wake
from bot.conversation.messages import ConversationKey
from bot.conversation.reply_generator import GeneratedReply, TurnContext
from bot.desk.documents import Adapters, Button, Buttons, Document, Text, owed_json
from bot.desk.reminders import asked_back_text, kept_text, matter_text, ringing_text
from bot.tasks import Jobs, attempt
from bot.texts import reminders as texts
from bot.texts import say
from memory.agents import Agents
from memory.changes import Used
from memory.initiative.reminders import (
    DueReminder,
    due_reminder,
    ending_asked,
    next_times,
    plan_rung,
    token_of,
)
from memory.initiative.requests import AskedReminder, reminders_asked
from memory.model import Language, Message
from memory.ports import Clock
from memory.privacy.redaction import is_secret
from memory.state import MemoryState
from memory.text.times import TimeDoubt

WAKE_UP: Final = "due"
"""The name of the one wake-up."""

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

    ``wake_lane`` lets a conversation look into the ledger.
    """

    agents: Agents
    ledger: Ledger
    platforms: Adapters
    pauses: ConversationPauses
    clock: Clock
    clock_watch: ClockWatch
    jobs: Jobs
    wake_lane: Callable[[ConversationKey], object]
    looking: asyncio.Lock = field(default_factory=asyncio.Lock)

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
                    step = partial(self._ring, wake, now)
                    done = await attempt("reminding", step)
                    held = held or not getattr(done, "value", False)
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

    async def _plan(self, agent_id: str) -> None:
        known = agent_id in self.agents.known_ids()
        state = (await self.agents.get(agent_id)).state if known else None
        await self.ledger.wakes.plan(agent_id, next_times(state) if state else {})

    async def _ring(self, wake: Wake, now: datetime) -> bool:
        """Say one reminder; False if it has to wait a little."""
        if wake.agent_id not in self.agents.known_ids():
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
        places = await self.ledger.bindings.conversations(agent_id)
        running = [each for each in places if each.platform in self.platforms]
        own = next((e for e in running if str(e) == due.reminder.conversation), None)
        if own is not None and (not due.reminder.private or len(running) == 1):
            return own
        return max(running, key=lambda place: _last_line(place, state), default=None)


def _last_line(place: ConversationKey, state: MemoryState) -> float:
    """Return when somebody last wrote in a conversation, as a time stamp; 0 if never."""
    window = state.windows.get(str(place))
    lines = window.lines if window else ()
    return max((line.at.timestamp() for line in lines if line.role == "user"), default=0.0)


def _ringing(due: DueReminder, state: MemoryState, now: datetime) -> TurnAnswer:
    """Return what a due reminder says, with its buttons; it was brought by what was asked."""
    reminder, language = due.reminder, state.agent_info.settings.language
    text = ringing_text(due, language, now)
    buttons = tuple(
        Button(say(language, label), f"/reminders {verb} {reminder.id}")
        for label, verb in (
            (texts.DONE, "done"),
            (texts.LATER, "later"),
            (texts.TOMORROW, "tomorrow"),
        )
    )
    document = Document((Text(text), Buttons(buttons)))
    asked = Used(memory_id=0, score=1.0, source_ids=reminder.message_ids[:1])
    used = (asked,) if reminder.message_ids[:1] and reminder.message_ids[0] in state.diary else ()
    return TurnAnswer("reply", text, at=now, used=used, document=owed_json(document))


@dataclass(frozen=True, slots=True)
class NotedReminders:
    """What is said at once of the reminders that somebody asks for.

    ``beside``: they said something else as well, which is answered before.
    """

    reply: GeneratedReply
    beside: bool


OpenCount = Callable[[str], Awaitable[int]]

_HAN: Final = re.compile("[\u4e00-\u9fff]")
_LETTERS: Final = re.compile("[A-Za-z]{2}")
MOST_OFFERED: Final = 6
"""So many reminders are offered where it is not clear which one is meant."""

_BESIDE: Final = 60
"""So many characters beyond the matter and the time are something else that was said."""


def noted_reminders(context: TurnContext, now: datetime) -> NotedReminders | None:
    """Return what to say of what a turn asks to be reminded of; None if it asks nothing so."""
    if context.replaces:
        return None
    asked = reminders_asked(context.said, context.before, context.zone)
    if not asked:
        return _noted_ending(context)
    language = _language_of(asked[-1].message, context.settings.language)
    lines = [_line_for(each, language, now, context) for each in asked]
    text = "\n".join(lines)
    kept = any(each.request.missing is None for each in asked)
    document = Document((Text(text),))
    if kept:
        token = token_of(asked[-1].message.id)
        undo = Button(say(language, texts.TAKE_BACK), f"/reminders undo {token}")
        document = Document((Text(text), Buttons((undo,))))
    reply = GeneratedReply(text, (), document=owed_json(document))
    said = sum(len(message.text) for message in context.said)
    beside = said - sum(len(each.request.what) for each in asked) > _BESIDE
    return NotedReminders(reply, beside)


def _noted_ending(context: TurnContext) -> NotedReminders | None:
    """Return what to say where somebody wants to be reminded no more: ended, or asked which."""
    place = context.conversation
    asked = ending_asked(context.said, context.before, context.agent.state, conversation=place)
    if asked is None:
        return None
    language = _language_of(asked.message, context.settings.language)
    if asked.only is not None:
        text = say(language, texts.ENDED, what=matter_text(asked.only, language))
        again = f"/reminders again {asked.only.id}"
        buttons = [Button(say(language, texts.TAKE_BACK), again)]
    else:
        text = say(language, texts.WHICH_TO_END)
        offered = (asked.meant or asked.all_open)[:MOST_OFFERED]
        buttons = [Button(matter_text(e, language), f"/reminders end {e.id}") for e in offered]
    document = Document((Text(text), Buttons(tuple(buttons))))
    return NotedReminders(GeneratedReply(text, (), document=owed_json(document)), beside=False)


def _language_of(message: Message, usual: Language) -> Language:
    text = message.text
    if _HAN.search(text):
        return "zh"
    return "en" if _LETTERS.search(text) else usual


def _line_for(
    asked: AskedReminder, language: Language, now: datetime, context: TurnContext
) -> str:
    when, what = asked.request.when, asked.request.what
    if is_secret(asked.message.text):
        what = ""
    if isinstance(when, TimeDoubt):
        return asked_back_text(when.missing, what, language)
    return kept_text(when.at, when.rule, what, language, now.astimezone(context.zone))
