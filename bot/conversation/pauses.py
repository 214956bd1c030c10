"""Which conversations are at work, and how everybody else makes them stand still.

The lanes report here what they begin and end. Whoever has to be alone with a memory, an erasure or
a join, asks here for a pause. Neither side has to know the other, so both can be built in any
order.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from bot.conversation.messages import ConversationKey

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
