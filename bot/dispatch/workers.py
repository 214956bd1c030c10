"""One program by itself, or one of several workers: what the rest of the program has to know.

:class:`Alone` is the program of a folder, and costs nothing. Several workers of one database are
:class:`bot.dispatch.fleet.Fleet`, which only they load.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bot.conversation.lanes import Bell, Lanes, LaneWork
from bot.dispatch.intake import Intake
from bot.identity import Access


@dataclass(frozen=True, slots=True)
class WorkerNumbers:
    """What one of several workers counts: its number, its agents, and what it does alone.

    ``agents`` it owns now; it ``took`` so many since it began, ``handed`` so many to a worker that
    asked for them and ``lost`` so many to one that thought it dead.
    """

    worker: int
    agents: int
    took: int
    handed: int
    lost: int
    alone_in: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OnLook:
    """What a worker does beside answering when it looks for what nobody does.

    ``look`` says what is due of the agents it owns, ``news`` reads what another worker may have
    written, and ``nights`` tells how many nights are under way.
    """

    look: Callable[[], Awaitable[object]]
    news: Callable[[], Awaitable[object]]
    nights: Callable[[], int]


class Workers(Protocol):
    """Who else talks with the same partners."""

    def follow(self, on_look: OnLook) -> None:
        """Do this at every look."""

    async def leave(self, agent_id: str) -> None:
        """Let go of an agent that was needed for its night only."""

    def bells(self, lanes: Lanes, urgent: Lanes) -> tuple[Bell, Bell]:
        """Return what wakes the lanes of conversations and of urgent commands."""

    def work(self, inner: LaneWork) -> LaneWork:
        """Return the work of lanes as far as it is this program's to do."""

    async def keep_waking(self, intake: Intake, platforms: Collection[str]) -> None:
        """Wake what is due, again and again, until cancelled."""

    async def alone_in(
        self, name: str, work: Callable[[], Awaitable[object]], waiting: Callable[[], object]
    ) -> None:
        """Do what only one program may do at a time, once it is this one's turn.

        Cut short if another takes over, and done again; ``waiting`` is called while that does it.
        """

    def sole(self, name: str) -> AbstractAsyncContextManager[bool]:
        """Return a block in which nobody else does this; it is told False if somebody does."""

    async def share_owners(self, access: Access, home: Path, *, tell: bool = False) -> None:
        """Let all of them know who paired, and this one know it; kept in each one's ``home``.

        ``tell`` lets the others read at once who may talk.
        """

    def numbers(self) -> WorkerNumbers | None:
        """Return what is counted; None for a program by itself."""

    def in_short(self) -> tuple[int, int] | None:
        """Return its number and how many agents it owns; None for a program by itself."""


class Alone:
    """A program by itself, in a folder or a database."""

    def follow(self, on_look: OnLook) -> None:
        """Do nothing: there is nobody to follow."""

    async def leave(self, agent_id: str) -> None:
        """Do nothing: nobody else wants it."""

    def bells(self, lanes: Lanes, urgent: Lanes) -> tuple[Bell, Bell]:
        """Return the lanes."""
        return lanes, urgent

    def work(self, inner: LaneWork) -> LaneWork:
        """Return the work: all of it is this program's."""
        return inner

    async def keep_waking(self, intake: Intake, platforms: Collection[str]) -> None:
        """Wake what is due, again and again, until cancelled."""
        await intake.keep_waking_due(platforms)

    async def alone_in(
        self, name: str, work: Callable[[], Awaitable[object]], waiting: Callable[[], object]
    ) -> None:
        """Do it: nobody else is there."""
        del name, waiting
        await work()

    @asynccontextmanager
    async def sole(self, name: str) -> AsyncIterator[bool]:
        """Do nothing: nobody else is there."""
        del name
        yield True

    async def share_owners(self, access: Access, home: Path, *, tell: bool = False) -> None:
        """Do nothing: nobody else is there."""

    def numbers(self) -> WorkerNumbers | None:
        """Return nothing: there is one program."""
        return None

    def in_short(self) -> tuple[int, int] | None:
        """Return nothing: there is one program."""
        return None
