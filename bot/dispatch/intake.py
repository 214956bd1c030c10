"""How a message comes in: who may talk, the ledger, and waking the lane that will answer."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Final, TypeAlias, assert_never

from bot.clock_watch import ClockWatch
from bot.conversation.lanes import Lanes
from bot.conversation.ledger import Acceptance, Accepted, Duplicate, Ledger
from bot.conversation.messages import Incoming
from bot.desk.documents import Adapters, Button, Buttons, Document, Text
from bot.identity import Access, AccessLevel
from bot.supervise import Supervisor, attempt
from bot.texts import desk, dialogue, say
from memory.model import AgentSettings, Language
from memory.ports import Clock

WAKE_SECONDS: Final = 15.0
"""How often the ledger is asked what is due."""

PRUNE_EVERY: Final = timedelta(hours=1)


class AccessGate:
    """Turn away whoever may not talk, with one polite line each."""

    def __init__(
        self,
        access: Access,
        platforms: Adapters,
        supervisor: Supervisor,
        *,
        language: Language = "zh",
    ) -> None:
        self._access = access
        self._platforms = platforms
        self._supervisor = supervisor
        self._language = language

    def admit(self, incoming: Incoming) -> bool:
        """Whether the message may come in; a stranger who spoke to her is told why not, once."""
        match self._access.level_of(incoming.author):
            case AccessLevel.OWNER | AccessLevel.ADMIN | AccessLevel.ALLOWED:
                return True
            case AccessLevel.MACHINE:
                return False
            case AccessLevel.STRANGER:
                if incoming.addressed and self._is_new_stranger(incoming):
                    self._supervisor.start("turning away", self._turn_away(incoming))
                return False
            case never:
                assert_never(never)

    def _is_new_stranger(self, incoming: Incoming) -> bool:
        return self._access.note_stranger(incoming.conversation.platform, incoming.sender.id)

    async def _turn_away(self, incoming: Incoming) -> None:
        line = Text(say(self._language, dialogue.STRANGER, person=incoming.person))
        presenter = self._platforms[incoming.conversation.platform].presenter
        await presenter.present(
            incoming.conversation, Document((line,)), reply_to=incoming.dedupe_key
        )


class ClockQuestion:
    """Hears what time platforms tell, and asks the owner about a date that is hard to believe."""

    def __init__(
        self,
        watch: ClockWatch,
        access: Access,
        platforms: Adapters,
        supervisor: Supervisor,
        clock: Clock,
        *,
        agent_defaults: AgentSettings,
    ) -> None:
        self._watch = watch
        self._access = access
        self._platforms = platforms
        self._supervisor = supervisor
        self._clock = clock
        self._agent_defaults = agent_defaults

    def hear(self, incoming: Incoming) -> None:
        """Compare the clock with a message that just came, and ask if its sender is the owner."""
        local = self._access.identities.is_local(incoming.conversation.platform)
        # A button press carries our own time, and so does whatever is typed into a terminal.
        if not (local or incoming.is_command):
            self._watch.compare(incoming.at)
        owner = self._access.level_of(incoming.author) is AccessLevel.OWNER
        if self._watch.wants_to_ask and owner and incoming.private:
            self._watch.note_asked()
            self._supervisor.start("asking about the clock", self._ask(incoming))

    async def _ask(self, incoming: Incoming) -> None:
        language = self._agent_defaults.language
        now = self._clock.now().astimezone(self._agent_defaults.zone)
        question = say(language, desk.CLOCK_QUESTION, now=f"{now:%Y-%m-%d %H:%M}", year=now.year)
        buttons = Buttons(
            (
                Button(say(language, desk.CLOCK_RIGHT, year=now.year), "/clock right"),
                Button(say(language, desk.CLOCK_WRONG), "/clock wrong"),
            )
        )
        presenter = self._platforms[incoming.conversation.platform].presenter
        await presenter.present(
            incoming.conversation, Document((Text(question), buttons)), reply_to=""
        )

    def may_forget(self) -> bool:
        """Check the clock; tell whether what cannot be taken back may follow from it."""
        return self._watch.check() is None


@dataclass(frozen=True, slots=True)
class NotAdmitted:
    """Not accepted and not kept: the sender is a stranger, or no person."""


IntakeResult: TypeAlias = Acceptance | NotAdmitted


class Intake:
    """Take messages from the platforms: durable first, then into their lane."""

    def __init__(
        self,
        ledger: Ledger,
        lanes: Lanes,
        urgent: Lanes,
        gate: AccessGate,
        clock_question: ClockQuestion,
        clock: Clock,
    ) -> None:
        self._ledger = ledger
        self._lanes = lanes
        self._urgent = urgent
        self._gate = gate
        self._clock_question = clock_question
        self._clock = clock

    async def receive(self, incoming: Incoming) -> IntakeResult:
        """Return once the message is durable; only then may the platform be told so.

        Raises :class:`memory.errors.StoreError` if it could not be kept. A repeated delivery
        changes nothing, but makes sure that somebody works on the first one.
        """
        if not self._gate.admit(incoming):
            return NotAdmitted()
        receipt = await self._ledger.inbox.accept(incoming, self._clock.now())
        match receipt:
            case Accepted():
                self._clock_question.hear(incoming)
                self._lanes.notify_arrival(incoming.conversation)
            case Duplicate():
                self._lanes.wake(incoming.conversation)
            case never:
                assert_never(never)
        if incoming.is_command:
            # Woken for every command: whether one is urgent is for the lane to find out.
            self._urgent.wake(incoming.conversation)
        return receipt

    async def wake_due(self, platforms: Collection[str]) -> int:
        """Wake every conversation in which something is due; return how many.

        At the start this is the recovery after a crash; later it takes up what could not be
        answered or sent when it was tried.
        """
        owed = await self._ledger.inbox.conversations_due(platforms, self._clock.now())
        for conversation in owed:
            self._lanes.wake(conversation)
            self._urgent.wake(conversation)
        return len(owed)

    async def keep_waking_due(
        self, platforms: Collection[str], *, every_seconds: float = WAKE_SECONDS
    ) -> None:
        """Wake what is due, at once and then again and again, until cancelled.

        Once an hour the ledger lets go of what was settled long ago.
        """
        # Pruned at the start too: a program that is restarted every half hour must not grow.
        pruned: datetime | None = None
        while True:
            await attempt("waking what is due", lambda: self.wake_due(platforms))
            now = self._clock.now()
            due = pruned is None or now - pruned >= PRUNE_EVERY
            if due and self._clock_question.may_forget():
                await attempt("pruning", partial(self._ledger.inbox.prune, now))
                pruned = now
            await asyncio.sleep(every_seconds)
