"""One lane per conversation: its work is done in order, and no conversation waits for another.

A lane holds no messages. The ledger is the queue; a lane is only the task that works it off. So a
crash loses nothing, no queue can overflow, and a restart needs no repair. A lane exists while
there is something to do and ends by itself.

Whoever has to be alone with a memory, an erasure or a join, asks :class:`ConversationPauses` to
let its conversations stand still. The lanes report there what they begin and end; neither side has
to know the other, so both can be built in any order.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from itertools import takewhile
from math import inf
from typing import Final, Protocol, TypeAlias

from bot.conversation.ledger import Received
from bot.conversation.messages import ALBUM, ConversationKey
from bot.tasks import LoopTimer, Supervisor, Timer
from memory.ports import Clock

# People split one thought over several messages. More than this is answered in parts, so that
# somebody who never pauses still gets answers, and one prompt stays within reason.
BURST_MESSAGES: Final = 12
BURST_CHARACTERS: Final = 4_000

# What came while the program was down is gathered up to here and answered as one: a reply to each
# of last night's messages would flood the chat.
LATE_MESSAGES: Final = 100
LATE_CHARACTERS: Final = 12_000

# Telegram's clients cut a paste at the most characters of one message, at the last gap before
# them. Whoever sent such a message did not end there.
PASTE_PIECE: Final = range(3_500, 4_096 + 1)
PASTE_CHARACTERS: Final = 40_000


@dataclass(frozen=True, slots=True)
class Utterance:
    """Messages of one sender in a row, to be answered as one; ``open`` while more may follow."""

    messages: tuple[Received, ...]
    open: bool = False


@dataclass(frozen=True, slots=True)
class Chatter:
    """Messages of a group that ask for no answer, by anyone: they are only heard."""

    messages: tuple[Received, ...]


@dataclass(frozen=True, slots=True)
class CommandBatch:
    """A command; it stands alone and is taken without waiting for silence."""

    message: Received


Batch: TypeAlias = Utterance | Chatter | CommandBatch


def first_batch(waiting: Sequence[Received], late_before: datetime | None = None) -> Batch:
    """Return what to take first of messages waiting in order; there must be at least one.

    An utterance begins with a message that asks for an answer. It goes on with whatever the same
    sender wrote next, addressed or not, up to 12 messages and 4,000 characters; a command or
    another person ends it. The pieces of one paste, up to 40,000 characters, and the pictures of
    one album stay together. If the first was written before ``late_before``, or tried in vain, up
    to 100 messages and 12,000 characters are one. An utterance is in the order of writing.
    """
    first = waiting[0]
    if first.incoming.is_command and first.incoming.addressed:
        return CommandBatch(first)
    if not first.incoming.addressed:
        return Chatter(tuple(takewhile(lambda each: not each.incoming.addressed, waiting)))
    late = first.attempts or (late_before is not None and first.incoming.at < late_before)
    most = (LATE_MESSAGES, LATE_CHARACTERS) if late else (BURST_MESSAGES, BURST_CHARACTERS)
    taken = _burst(waiting, *most)
    open_to_more = len(taken) == len(waiting) and (
        ALBUM in taken[-1].incoming.raw
        or _is_cut_off(taken[-1])
        or (len(taken) < most[0] and _count_characters(taken) < most[1])
    )
    in_order = sorted(taken, key=lambda message: message.incoming.at)
    return Utterance(tuple(in_order), open=open_to_more)


def _burst(waiting: Sequence[Received], most: int, characters: int) -> tuple[Received, ...]:
    sender = waiting[0].incoming.sender.id
    taken: list[Received] = []
    for message in waiting:
        # An edit says nothing more: it changes what was said before.
        other = message.incoming.is_command or message.incoming.edits
        if message.incoming.sender.id != sender or other:
            break
        # A first message that alone is too long is taken all the same: nothing else would take it.
        if taken and not _belongs_to(message, taken[-1]):
            if len(taken) >= most or _count_characters([*taken, message]) > characters:
                break
        elif _count_characters([*taken, message]) > PASTE_CHARACTERS and taken:
            break
        taken.append(message)
    return tuple(taken)


def _belongs_to(message: Received, last: Received) -> bool:
    """Whether a message is one thing with the last one: a paste cut in pieces, or an album."""
    album = message.incoming.raw.get(ALBUM)
    same_album = album is not None and album == last.incoming.raw.get(ALBUM)
    return same_album or _is_cut_off(last)


def _is_cut_off(message: Received) -> bool:
    return len(message.incoming.text) in PASTE_PIECE and not message.incoming.quoted


def _count_characters(messages: Sequence[Received]) -> int:
    return sum(len(message.incoming.text) for message in messages)


COMMAND_SECONDS: Final = 5.0
"""How long a command under way may take before it is stopped like a turn."""

PauseConversations: TypeAlias = Callable[
    [Collection[ConversationKey]], AbstractAsyncContextManager[None]
]
"""Lets conversations stand still for the length of a block."""


@asynccontextmanager
async def pause_nothing(conversations: Collection[ConversationKey]) -> AsyncIterator[None]:
    """Pause nothing: where there are no lanes, nothing is under way."""
    del conversations
    yield


@dataclass(slots=True)
class Activity:
    """Work under way in one conversation.

    ``task`` is what does it, None until it has begun. ``restart`` begins the work anew after a
    pause.
    """

    restart: Callable[[], object]
    task: asyncio.Task[object] | None = None
    runs_command: bool = False
    ended: asyncio.Event = field(default_factory=asyncio.Event)


class ConversationPauses:
    """Know what is under way in each conversation, and stop it for as long as somebody asks."""

    def __init__(self) -> None:
        self._activities: dict[ConversationKey, Activity] = {}
        # Counted, because two callers may pause one conversation; it goes on after the last.
        self._counts: Counter[ConversationKey] = Counter()
        self._restarts: dict[ConversationKey, Callable[[], object]] = {}

    def is_paused(self, conversation: ConversationKey) -> bool:
        """Whether nothing may begin there at the moment."""
        return self._counts[conversation] > 0

    def begin(self, conversation: ConversationKey, restart: Callable[[], object]) -> Activity:
        """Note that work begins in a conversation; there must be none under way."""
        activity = self._activities[conversation] = Activity(restart)
        return activity

    def end(self, conversation: ConversationKey) -> None:
        """Note that the work has ended."""
        activity = self._activities.pop(conversation)
        activity.task = None
        activity.ended.set()

    def restart_later(self, conversation: ConversationKey, restart: Callable[[], object]) -> None:
        """Call ``restart`` when the pause of that conversation is over."""
        self._restarts[conversation] = restart

    async def wait_until_quiet(self, conversation: ConversationKey) -> None:
        """Wait until nothing is under way in one conversation."""
        while activity := self._activities.get(conversation):
            await activity.ended.wait()

    @asynccontextmanager
    async def paused(self, conversations: Collection[ConversationKey]) -> AsyncIterator[None]:
        """Let nothing be under way in these conversations until the end of the block.

        A turn is stopped where it stands, as a crash would stop it, and taken on afterwards from
        what the ledger then holds of it. A command under way may finish, within five seconds.
        """
        self._counts.update(conversations)
        for each in conversations:
            if each in self._activities:
                self._restarts[each] = self._activities[each].restart
        try:
            await self._stop_running(conversations)
            yield
        finally:
            self._counts.subtract(conversations)
            for each in conversations:
                if not self._counts[each] and each in self._restarts:
                    self._restarts.pop(each)()

    async def _stop_running(self, conversations: Collection[ConversationKey]) -> None:
        """Stop whatever is under way there but the task that asks for it."""
        # A command that erases runs in a lane itself: it must not stop, or wait for, itself.
        mine = asyncio.current_task()
        found = [self._activities[each] for each in conversations if each in self._activities]
        others = [each for each in found if each.task is not mine]
        commands = {each.task for each in others if each.task and each.runs_command}
        if commands:
            await asyncio.wait(commands, timeout=COMMAND_SECONDS)
        running = {each.task for each in others if each.task and not each.task.done()}
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running)


QUIET_SECONDS: Final = 0.6
"""Whoever writes again within this time is still writing; other bots wait 0.6 to 2 s."""

RHYTHM_SECONDS: Final = 2.0
"""Whoever began again so soon after what is answered by now writes on at that pace."""

_ENDS_NOTED: Final = 1_000

LateBefore: TypeAlias = Callable[[], datetime | None]
"""Returns the instant before which a message is too old to be answered by itself, or None."""


def written_within(age: timedelta, clock: Clock) -> LateBefore:
    """Return what gathers messages that were written longer ago than ``age``."""
    return lambda: clock.now() - age


class Bell(Protocol):
    """Wakes the lane of a conversation, wherever it is; :class:`Lanes` do it here."""

    def notify_arrival(self, conversation: ConversationKey) -> None: ...
    def wake(self, conversation: ConversationKey) -> None: ...


class LaneWork(Protocol):
    """The work of a lane: what is owed, what waits, and how a batch is done."""

    async def resume(self, conversation: ConversationKey) -> Sequence[Received] | None:
        """Finish what earlier turns owe; return what :meth:`waiting` does then.

        None if nothing new may begin until later.
        """

    async def waiting(self, conversation: ConversationKey) -> Sequence[Received]:
        """Return the messages that wait, oldest first."""

    async def handle(self, batch: Batch) -> bool:
        """Do a batch, so that it waits no longer; False if nothing new may begin until later."""


@dataclass(slots=True)
class _Lane:
    """A lane; ``notified`` is set by whoever wants it to look into the ledger again."""

    activity: Activity
    notified: asyncio.Event = field(default_factory=asyncio.Event)
    last_arrival: float = -inf


class Lanes:
    """Start, notify and end lanes. Messages that come while a turn runs form the next one.

    ``pauses`` is told what begins and ends; without it the lanes are never paused.
    """

    def __init__(
        self,
        work: LaneWork,
        supervisor: Supervisor,
        pauses: ConversationPauses | None = None,
        *,
        quiet_seconds: float = QUIET_SECONDS,
        timer: Timer | None = None,
        late_before: LateBefore = lambda: None,
    ) -> None:
        self._work = work
        self._supervisor = supervisor
        self._pauses = pauses or ConversationPauses()
        self._quiet = quiet_seconds
        self._timer = timer or LoopTimer()
        self._late_before = late_before
        self._lanes: dict[ConversationKey, _Lane] = {}
        self._ended: dict[tuple[ConversationKey, str], float] = {}
        self._closing = False
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def open_count(self) -> int:
        """Return how many conversations have a lane at the moment."""
        return len(self._lanes)

    def notify_arrival(self, conversation: ConversationKey) -> None:
        """Tell the lane of a new message in the ledger; it is taken once its sender is quiet."""
        lane = self._notify_lane(conversation)
        if lane is not None:
            lane.last_arrival = self._timer.now()

    def wake(self, conversation: ConversationKey) -> None:
        """Let the lane look into the ledger: something is due in the conversation."""
        self._notify_lane(conversation)

    def close(self) -> None:
        """Begin nothing new; the supervisor decides how long what is running may go on."""
        self._closing = True
        for lane in self._lanes.values():
            lane.notified.set()

    async def wait_until_idle(self) -> None:
        """Wait until no conversation has anything left that can be done now."""
        await self._idle.wait()

    def _notify_lane(self, conversation: ConversationKey) -> _Lane | None:
        """Return the lane of a conversation, notified; None if none may begin now."""
        lane = self._lanes.get(conversation)
        if lane is None:
            wake = partial(self.wake, conversation)
            if self._pauses.is_paused(conversation):
                self._pauses.restart_later(conversation, wake)
                return None
            if self._closing:
                return None
            # Reported before its task has taken a step: a pause in between must not lose it.
            lane = self._lanes[conversation] = _Lane(self._pauses.begin(conversation, wake))
            self._idle.clear()
            self._supervisor.start(f"lane {conversation.platform}", self._run(conversation))
        lane.notified.set()
        return lane

    async def _run(self, conversation: ConversationKey) -> None:
        lane = self._lanes[conversation]
        lane.activity.task = asyncio.current_task()
        try:
            while lane.notified.is_set() and self._may_begin(conversation):
                lane.notified.clear()
                while self._may_begin(conversation) and await self._step(conversation, lane):
                    pass
        finally:
            # No await since the last look at ``notified``: whatever comes now starts a new lane.
            del self._lanes[conversation]
            self._pauses.end(conversation)
            if not self._lanes:
                self._idle.set()

    async def _step(self, conversation: ConversationKey, lane: _Lane) -> bool:
        """Do the next thing; False if there is none, or none that may begin."""
        # Before what is owed is looked for: who notifies later may have written what is owed.
        lane.notified.clear()
        waiting = await self._work.resume(conversation)
        batch = await self._next_batch(conversation, lane, waiting or ())
        if batch is None:
            return False
        lane.activity.runs_command = isinstance(batch, CommandBatch)
        more = await self._work.handle(batch)
        lane.activity.runs_command = False
        return more

    def _note_end(self, who: tuple[ConversationKey, str], at: float) -> None:
        """Note when somebody's last message came that is taken now; what is long ago goes."""
        if len(self._ended) >= _ENDS_NOTED:
            self._ended = {k: v for k, v in self._ended.items() if at - v <= RHYTHM_SECONDS}
        self._ended[who] = at

    def _may_begin(self, conversation: ConversationKey) -> bool:
        return not self._closing and not self._pauses.is_paused(conversation)

    async def _next_batch(
        self, conversation: ConversationKey, lane: _Lane, waiting: Sequence[Received]
    ) -> Batch | None:
        """Return the next batch once it is complete: closed by the next message, or by silence."""
        quiet, who = self._quiet, (conversation, waiting[0].incoming.sender.id if waiting else "")
        if (gap := lane.last_arrival - self._ended.get(who, -inf)) <= RHYTHM_SECONDS and quiet:
            quiet = max(quiet, 1.5 * gap)
        while waiting and not self._closing:
            batch = first_batch(waiting, self._late_before())
            # Silence counts from the last arrival: a lane that was busy since then need not wait.
            left = lane.last_arrival + quiet - self._timer.now()
            if left <= 0 or not (isinstance(batch, Utterance) and batch.open):
                self._note_end(who, lane.last_arrival)
                return batch
            await self._timer.wait_for(lane.notified, left)
            lane.notified.clear()
            waiting = await self._work.waiting(conversation)
        return None
