"""What becomes of a message: who may talk, the ledger, its lane, and who does the lane's work.

Two kinds of lanes look at one ledger: urgent commands have lanes of their own.
"""

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final, TypeAlias, assert_never

from bot.clock_watch import ClockWatch
from bot.conversation.growing import NotTheirs, as_command, stops_anothers, wants_again
from bot.conversation.lanes import Batch, Bell, Chatter, CommandBatch, Utterance
from bot.conversation.ledger import Acceptance, Accepted, Duplicate, Ledger, Received
from bot.conversation.ledger.salvage import DamageLog
from bot.conversation.messages import PATIENT, ConversationKey, Incoming, cut_text, without_call
from bot.conversation.response_handler import ResponseHandler
from bot.desk.documents import Adapters, Button, Buttons, Document, Text
from bot.desk.people import Doorkeeper
from bot.dispatch.commands import CommandRunner, commands_first
from bot.identity import Access, AccessLevel
from bot.tasks import Done, Supervisor, attempt
from bot.texts import desk, dialogue, say, shell
from memory.errors import StoreUnwritable
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
        door: Doorkeeper,
        *,
        language: Language = "zh",
    ) -> None:
        self._access = access
        self._platforms = platforms
        self._supervisor = supervisor
        self._door = door
        self._language = language

    def admit(self, incoming: Incoming) -> bool:
        """Whether the message may come in; a stranger who spoke to her is told why not, once."""
        self._access.note_chat(incoming.author)
        match self._access.level_of(incoming.author):
            case AccessLevel.OWNER if incoming.private and self._door.is_new_home(incoming):
                self._supervisor.start("noting an owner", self._door.note_owner(incoming))
                return True
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

    def leads(self, incoming: Incoming) -> bool:
        """Whether the sender may do there what concerns others."""
        return self._access.level_of(incoming.author) in {AccessLevel.OWNER, AccessLevel.ADMIN}

    def _is_new_stranger(self, incoming: Incoming) -> bool:
        return self._access.note_stranger(incoming.conversation.platform, incoming.sender.id)

    async def _turn_away(self, incoming: Incoming) -> None:
        owned = bool(self._access.owners(incoming.conversation.platform))
        await self._reply(incoming, self._door.refusal(incoming, owned=owned))
        await self._door.knock(incoming)

    def tell_of_cut(self, kept: Incoming) -> None:
        """Tell the partner that the end of a message was not read, in a task of its own."""
        if kept.addressed:
            line = say(self._language, dialogue.TEXT_CUT, count=len(kept.text))
            self._supervisor.start("telling of a cut text", self._reply(kept, line))

    def tell_of_unreadable(self, kept: Incoming) -> None:
        """Tell the partner that a message could not be read, in a task of its own."""
        if kept.addressed:
            line = say(self._language, dialogue.UNREADABLE)
            self._supervisor.start("telling of an unreadable message", self._reply(kept, line))

    def tell_of_full_disk(self, incoming: Incoming) -> None:
        """Tell the partner that nothing can be kept for now, in a task of its own."""
        if incoming.addressed:
            line = say(self._language, shell.NOT_WRITABLE)
            self._supervisor.start("telling of a full disk", self._reply(incoming, line))

    def tell_of_damage(self, incoming: Incoming, found: DamageLog) -> None:
        """Tell the owner what was found damaged, once, when they write in private."""
        owner = self._access.level_of(incoming.author) is AccessLevel.OWNER
        if found.untold and owner and incoming.private:
            found.untold = False
            line = say(self._language, shell.DAMAGE_FOUND)
            self._supervisor.start("telling of damage", self._reply(incoming, line))

    def shows(self, conversation: ConversationKey) -> bool:
        """Whether what is said in a conversation is seen there now."""
        return self._platforms[conversation.platform].shows(conversation)

    async def _reply(self, incoming: Incoming, line: str) -> None:
        presenter = self._platforms[incoming.conversation.platform].presenter
        await presenter.present(
            incoming.conversation, Document((Text(line),)), reply_to=incoming.dedupe_key
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
        verdicts = (
            Button(say(language, desk.CLOCK_RIGHT, year=now.year), "/clock right"),
            Button(say(language, desk.CLOCK_WRONG), "/clock wrong"),
        )
        asked = Document((Text(question), Buttons(verdicts, choice=True)))
        presenter = self._platforms[incoming.conversation.platform].presenter
        await presenter.present(incoming.conversation, asked, reply_to="")

    def may_forget(self) -> bool:
        """Check the clock; tell whether what cannot be taken back may follow from it."""
        return self._watch.check() is None


@dataclass(frozen=True, slots=True)
class NotAdmitted:
    """Not accepted and not kept: the sender is a stranger, or no person."""


IntakeResult: TypeAlias = Acceptance | NotAdmitted | NotTheirs


class Intake:
    """Take messages from the platforms: durable first, then into their lane."""

    def __init__(
        self,
        ledger: Ledger,
        lanes: Bell,
        urgent: Bell,
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
        changes nothing, but makes sure that somebody works on the first one. Of a text that is
        too long only the beginning is kept, and the partner is told; so are they of a message
        that could not be read, which is kept as it came.
        """
        if not self._gate.admit(incoming):
            return NotAdmitted()
        incoming = replace(incoming, text=without_call(incoming.text))
        if await stops_anothers(incoming, self._ledger.stops) and not self._gate.leads(incoming):
            return NotTheirs()
        incoming = await as_command(incoming, self._ledger.stops)
        incoming, whole = cut_text(incoming), incoming
        begin = partial(self._let_lane_begin, incoming.conversation)
        receipt = await self._accept(incoming, begin)
        match receipt:
            case Accepted() if not incoming.is_readable:
                self._gate.tell_of_unreadable(incoming)
            case Accepted():
                if incoming is not whole:
                    self._gate.tell_of_cut(incoming)
                self._clock_question.hear(incoming)
                self._gate.tell_of_damage(incoming, self._ledger.damage)
            case Duplicate():
                self._lanes.wake(incoming.conversation)
            case never:
                assert_never(never)
        if incoming.is_command:
            # Woken for every command: whether one is urgent is for the lane to find out.
            self._urgent.wake(incoming.conversation)
        return receipt

    def _let_lane_begin(self, conversation: ConversationKey, receipt: Acceptance) -> None:
        """Let a lane look into the ledger for a message, which the disk may not have yet.

        Looking for what to answer and waiting for the disk take about as long, so neither waits.
        Every step that can be seen is synced in the ledger first, and the message with it.
        """
        if isinstance(receipt, Accepted) and receipt.message.incoming.is_readable:
            self._lanes.notify_arrival(conversation)

    async def _accept(self, incoming: Incoming, seen: Callable[[Acceptance], None]) -> Acceptance:
        now = self._clock.now()
        try:
            return await self._ledger.inbox.accept(incoming, now, seen)
        except StoreUnwritable:
            # The platform will send the message again; without a word the partner would wait.
            if self._ledger.damage.note_unwritable(incoming.conversation, now):
                self._gate.tell_of_full_disk(incoming)
            raise

    async def wake_due(self, platforms: Collection[str]) -> int:
        """Wake every conversation in which something is due; return how many.

        At the start this is the recovery after a crash; later it takes up what failed.
        """
        found = await self._ledger.inbox.conversations_due(platforms, self._clock.now())
        owed = [each for each in found if self._gate.shows(each)]
        for conversation in owed:
            self._lanes.wake(conversation)
            self._urgent.wake(conversation)
        return len(owed)

    async def keep_waking_due(
        self, platforms: Collection[str], *, every_seconds: float = WAKE_SECONDS
    ) -> None:
        """Wake what is due, at once and again and again, and prune hourly, until cancelled."""
        # Pruned at the start too: a program that is restarted every half hour must not grow.
        pruned: datetime | None = None
        while True:
            await attempt("waking what is due", lambda: self.wake_due(platforms))
            now = self._clock.now()
            if (pruned is None or now - pruned >= PRUNE_EVERY) and await self.prune():
                pruned = now
            await asyncio.sleep(every_seconds)

    async def prune(self) -> bool:
        """Let the ledger go of what was settled long ago; False while the clock is doubted."""
        may = self._clock_question.may_forget()
        if may:
            await attempt("pruning", partial(self._ledger.inbox.prune, self._clock.now()))
        return may


ASK_TRIES: Final = 6
"""How often a platform is asked what a message lacks, over some eight minutes at the most."""

ADDRESSED_TRIES: Final = 2
"""The same for a message whose sender waits for an answer."""

FIRST_ASK_WAIT: Final = timedelta(seconds=15)
"""Doubled after every try; nothing is gained below the time in which the ledger is asked anew."""

_TRIES: Final = "tries"


class LookUps:
    """Ask platforms for what the events of messages did not hold.

    Only once the messages are acknowledged: a slow platform costs time in one conversation.
    """

    def __init__(self, ledger: Ledger, platforms: Adapters, clock: Clock) -> None:
        self._ledger = ledger
        self._platforms = platforms
        self._clock = clock

    async def complete(self, waiting: Sequence[Received]) -> Sequence[Received]:
        """Return waiting messages, completed, as far as the first that has to be asked again."""
        done: list[Received] = []
        for place, message in enumerate(waiting, 1):
            if not message.incoming.pending or message.interrupted:
                done.append(message)
                continue
            completed = await self._ask(message)
            if completed is None and done:
                # Those before it go first; it is asked about again, and that counts, afterwards.
                break
            if completed is None:
                completed = await self._note_failure(message, is_last=place == len(waiting))
            if completed.incoming.pending:
                await self._ledger.inbox.postpone(completed, self._next_try(completed))
                break
            done.append(completed)
        return tuple(done)

    async def _ask(self, message: Received) -> Received | None:
        incoming = message.incoming
        platform = self._platforms[message.conversation.platform]
        step = await attempt("asking what a message lacks", lambda: platform.complete(incoming))
        if isinstance(step, Done):
            return await self._ledger.inbox.replace_words(message, step.value)
        return None

    async def _note_failure(self, message: Received, *, is_last: bool) -> Received:
        """Return the message as it is asked about the next time, or given up on."""
        incoming = message.incoming
        tries = int(incoming.pending.get(_TRIES, 0)) + 1
        most = ASK_TRIES
        if PATIENT not in incoming.pending and incoming.addressed:
            most = ADDRESSED_TRIES
        elif PATIENT not in incoming.pending and not is_last:
            # Perhaps it asks for nothing, and others wait behind it.
            most = 1
        left = {**incoming.pending, _TRIES: tries} if tries < most else {}
        return await self._ledger.inbox.replace_words(message, incoming.with_pending(left))

    def _next_try(self, message: Received) -> datetime:
        doublings = int(message.incoming.pending[_TRIES]) - 1
        return self._clock.now() + FIRST_ASK_WAIT * (1 << doublings)


class Dispatcher:
    """Do the work of the lanes: answer what was said, listen to chatter, carry out commands."""

    def __init__(
        self,
        ledger: Ledger,
        handler: ResponseHandler,
        runner: CommandRunner,
        look_ups: LookUps,
        clock: Clock,
    ) -> None:
        self._ledger = ledger
        self._handler = handler
        self._runner = runner
        self._beside = runner.looks.beside
        self._look_ups = look_ups
        self._clock = clock

    async def resume(self, conversation: ConversationKey) -> Sequence[Received] | None:
        """Finish what is owed there; return what waits, None if nothing new may begin yet."""
        owed = await self._ledger.inbox.owed(conversation, self._clock.now())
        if not owed.turns:
            return await self._ours(owed.waiting)
        sent = await self._beside(conversation, self._handler.resume(owed.turns))
        return await self.waiting(conversation) if sent else None

    async def waiting(self, conversation: ConversationKey) -> Sequence[Received]:
        """Return what waits there and is due; urgent commands have a lane of their own."""
        owed = await self._ledger.inbox.owed(conversation, self._clock.now())
        return await self._ours(owed.waiting)

    async def _ours(self, found: Sequence[Received]) -> Sequence[Received]:
        ours = [message for message in found if not self._runner.is_urgent(message)]
        return await self._look_ups.complete(commands_first(ours))

    async def handle(self, batch: Batch) -> bool:
        """Do one batch; False if nothing new may begin before what it left is finished."""
        match batch:
            case Utterance(messages):
                return await self._answer(messages)
            case Chatter(messages):
                return await self._handler.listen(messages)
            case CommandBatch(message) if wants_again((message,)):
                return await self._answer((message,))
            case CommandBatch(message):
                return await self._runner.run(message)
            case never:
                assert_never(never)

    async def _answer(self, messages: Sequence[Received]) -> bool:
        return await self._beside(messages[0].conversation, self._handler.answer(messages))
