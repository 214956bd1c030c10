"""Which worker answers what: what is owed, claimed agent by agent, in the database itself.

A conversation is answered by whoever owns the lease of its agent. What is owed where nobody
living owns it is claimed, so many at a time; of two workers that claim at once each gets others
(``FOR UPDATE SKIP LOCKED``). Only a program that is one of several workers loads this.
"""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeVar

from bot.conversation.ledger.records import instant_text
from bot.conversation.ledger.wakes import NIGHT
from bot.conversation.messages import ConversationKey
from memory.stores.leases import Lease
from memory.stores.server import Server, Session
from memory.stores.table_disk import AGENTS

T = TypeVar("T")

_OWNER: Final = """
SELECT c.agent_id, l.worker, l.fence, l.worker IN (SELECT worker FROM living_workers)
FROM conversations c LEFT JOIN leases l ON l.folder = 'agents/' || c.agent_id
WHERE c.platform = %s AND c.account = %s AND c.chat = %s AND c.thread = %s
"""

_OWED: Final = """
SELECT DISTINCT c.agent_id AS agent FROM conversations c WHERE c.number IN (
  SELECT conversation FROM messages
  WHERE state IN ('received', 'in_turn') AND not_before <= %(now)s
  UNION ALL SELECT conversation FROM turns WHERE finished = 0
) AND c.platform = ANY (%(platforms)s) AND c.agent_id IS NOT NULL
UNION SELECT agent FROM wakes WHERE at <= %(now)s AND item != %(night)s
"""

_NIGHTS: Final = """
SELECT agent FROM wakes WHERE at <= %(now)s AND item = %(night)s
"""

_MAKE: Final = """
INSERT INTO leases (folder, worker, fence)
SELECT 'agents/' || owed.agent, 0, 0 FROM ({owed}) AS owed
WHERE NOT EXISTS (SELECT 1 FROM leases l WHERE l.folder = 'agents/' || owed.agent)
ON CONFLICT (folder) DO NOTHING
"""

# For so long after the server's start nobody's lease is claimed: its owner may still return.
_CLAIM: Final = """
UPDATE leases SET worker = %(worker)s, fence = leases.fence + 1
FROM (
  SELECT l.folder FROM leases l
  WHERE l.folder IN (SELECT 'agents/' || owed.agent FROM ({owed}) AS owed)
  AND l.worker != %(worker)s AND l.worker NOT IN (SELECT worker FROM living_workers)
  AND (l.worker = 0
    OR pg_postmaster_start_time() < clock_timestamp() - interval '3 s')
  LIMIT %(most)s FOR UPDATE OF l SKIP LOCKED
) AS free WHERE leases.folder = free.folder
RETURNING leases.folder, leases.fence
"""

_FIRST_NIGHT: Final = """
INSERT INTO wakes (agent, item, at) VALUES (%s, %s, %s) ON CONFLICT (agent, item) DO NOTHING
"""

_FIRST_NIGHTS: Final = """
INSERT INTO wakes (agent, item, at)
SELECT DISTINCT c.agent_id, %s::bigint, %s FROM conversations c WHERE c.agent_id IS NOT NULL
AND NOT EXISTS (SELECT 1 FROM wakes w WHERE w.agent = c.agent_id AND w.item = %s)
ON CONFLICT (agent, item) DO NOTHING
"""


def folder_of_lease(agent_id: str) -> str:
    """Return what the lease of an agent is called."""
    return f"{AGENTS}/{agent_id}"


def agent_of_lease(folder: str) -> str:
    """Return the agent of a lease.

    >>> agent_of_lease(folder_of_lease("tg-p-42"))
    'tg-p-42'
    """
    return folder.removeprefix(f"{AGENTS}/")


@dataclass(frozen=True, slots=True)
class Owner:
    """Who answers a conversation: its agent, and the living worker that owns it, 0 for nobody."""

    agent_id: str
    worker: int
    fence: int


class Ownership:
    """What one of several workers asks and tells the others through the database."""

    def __init__(self, server: Server) -> None:
        """``server`` has joined, or will before anything is claimed."""
        self._server = server

    @property
    def worker(self) -> int:
        """Return the number of this worker."""
        return self._server.worker

    async def owner(self, conversation: ConversationKey) -> Owner:
        """Return who answers a conversation; nothing is known of a new one."""
        place = conversation
        values = (place.platform, place.account, place.chat, place.thread)
        found = await self._run(lambda session: session.execute(_OWNER, values).fetchone())
        agent, worker, fence, living = found or (None, 0, 0, False)
        return Owner(agent or "", worker if living else 0, fence or 0)

    async def keep(self, agent_id: str, first_night: datetime) -> Lease | None:
        """Own an agent; None if another worker does. Its first night is planned if none is."""
        folder = folder_of_lease(agent_id)
        lease = await asyncio.to_thread(self._server.leases.keep, folder)
        if lease is not None:
            values = (agent_id, NIGHT, instant_text(first_night))
            await self._run(lambda session: session.execute(_FIRST_NIGHT, values))
        return lease

    def keep_as(self, owner: Owner) -> Lease | None:
        """Own an agent that is ours by its row; None while a store of ours has lost it before."""
        return self._server.leases.keep_as(folder_of_lease(owner.agent_id), owner.fence)

    async def plan_first_nights(self, at: datetime) -> None:
        """Let every agent that has none planned have its night then."""
        values = (NIGHT, instant_text(at), NIGHT)
        await self._run(lambda session: session.execute(_FIRST_NIGHTS, values))

    async def keep_owed(
        self, platforms: Collection[str], now: datetime, most: int, nights: int
    ) -> frozenset[str]:
        """Own agents that owe something and that nobody has; return which.

        At most so many, and at most so many of which only the night is due.
        """
        values = {"now": instant_text(now), "platforms": [*platforms], "night": NIGHT}
        found = [*await self._claim(_OWED, values, most)]
        found += await self._claim(_NIGHTS, values, min(nights, most - len(found)))
        for folder, fence in found:
            self._server.leases.note_kept(folder, fence)
        return frozenset(agent_of_lease(folder) for folder, _ in found)

    async def _claim(self, owed: str, values: dict[str, Any], most: int) -> list[tuple[Any, ...]]:
        if most <= 0:
            return []
        given = values | {"worker": self.worker, "most": most}

        def work(session: Session) -> list[tuple[Any, ...]]:
            session.execute(_MAKE.format(owed=owed), given)
            return session.execute(_CLAIM.format(owed=owed), given).fetchall()

        return await self._run(work)

    async def let_go(self, agent_id: str) -> None:
        """Own an agent no more, once no store works in it."""
        await asyncio.to_thread(self._server.leases.let_go, folder_of_lease(agent_id))

    async def take(self, folder: str) -> bool:
        """Own something that is no agent; False while another worker does."""
        return await asyncio.to_thread(self._server.leases.keep, folder) is not None

    async def give_up(self, folder: str) -> None:
        """Own something that is no agent no more."""
        await asyncio.to_thread(self._server.leases.let_go, folder)

    async def lost(self) -> frozenset[str]:
        """Be alive, and return what we owned and another worker has by now."""
        return await asyncio.to_thread(self._server.leases.lost)

    def kept(self) -> frozenset[str]:
        """Return the agents that are owned."""
        return frozenset(map(agent_of_lease, self._server.leases.kept(f"{AGENTS}/")))

    async def tell(self, worker: int, kind: str, about: str = "") -> None:
        """Call a worker, 0 for all of them."""
        await self._run(lambda session: self._server.tell(session, worker, kind, about))

    async def _run(self, work: Callable[[Session], T]) -> T:
        return await asyncio.to_thread(self._server.run, work)
