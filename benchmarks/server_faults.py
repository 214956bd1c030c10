"""Take the database away in every way we know while people write; what do they see?

    python -m benchmarks.server_faults [NAME …] [--seconds 12]

    crash       the server crashes and comes back
    away        it is gone for longer than anybody waits, and comes back
    failover    the primary crashes, its replica takes over (synchronous_commit = remote_apply)
    slow        a table is locked for longer than a statement may take
    pool        all connections of the worker are in use
    crowded     the server has no connection left, and those of the worker are cut
    full        the disk of the server is full, and then has room again (root: a small tmpfs)

Two people write every half a second, before, amid and after. The platform is played here: what is
not acknowledged is delivered again every 0.2 s, in order, as Telegram does it. Answers name the
messages they answer. Prints how many deliveries were refused, how long the longest pause from a
message to its answer was, and what was lost, answered twice or out of order.
"""

import argparse
import asyncio
import logging
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from bot.conversation.messages import Incoming, Sender
from memory.errors import StoreError
from memory.stores.server import POOL_SIZE, Server
from tests.fakes.group_program import ANN, BEN, GroupProgram, chat_of, group_program
from tests.fakes.kills import MARK, Verdict, marks
from tests.fakes.openai_answers import Asked, say
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.postgres_clusters import Cluster, both, small_disk, stopped_after
from tests.fakes.waiting import until

PEOPLE = (ANN, BEN)
EVERY = 0.5
"""Seconds from one message of a person to the next."""

AGAIN = 0.2
"""Seconds until what was not acknowledged is delivered once more."""

DISK_MEGABYTES = 260

Fault = Callable[["Place"], Awaitable[None]]


@dataclass
class Place:
    """A program over a server of its own, and who writes to it."""

    program: GroupProgram
    primary: Cluster
    replica: Cluster
    refused: int = 0
    sent: int = 0
    said_at: dict[str, float] = field(default_factory=dict)
    waits: dict[str, float] = field(default_factory=dict)

    @property
    def server(self) -> Server:
        server = self.program.app.workers.server  # type: ignore[attr-defined] # Fleet's
        assert isinstance(server, Server)
        return server

    async def write(self, who: Sender, until_then: asyncio.Event) -> None:
        """Write again and again, each message delivered until it is acknowledged."""
        while not until_then.is_set():
            self.sent += 1
            mark = f"m-{self.sent}"
            self.said_at[mark] = time.monotonic()
            while not await self._delivered(who, mark):
                self.refused += 1
                await asyncio.sleep(AGAIN)
            await asyncio.sleep(EVERY)

    async def _delivered(self, who: Sender, mark: str) -> bool:
        self.program.clock.tick(seconds=1)
        try:
            await self.program.app.intake.receive(
                Incoming(
                    dedupe_key=mark,
                    conversation=chat_of(who),
                    sender=who,
                    at=self.program.clock.now(),
                    text=mark,
                    private=True,
                    addressed=True,
                )
            )
        except StoreError:
            return False
        return True

    def told(self) -> list[list[str]]:
        """Return what each of them was answered, and note what is new."""
        chats = [self.program.screen.finals(chat_of(who)) for who in PEOPLE]
        for texts in chats:
            for mark in MARK.findall(" ".join(texts)):
                self.waits.setdefault(mark, time.monotonic() - self.said_at[mark])
        return chats


async def crash(place: Place) -> None:
    await asyncio.to_thread(place.primary.stop, "immediate")
    await asyncio.to_thread(place.primary.start)


async def away(place: Place) -> None:
    await asyncio.to_thread(place.primary.stop)
    await asyncio.sleep(30)
    await asyncio.to_thread(place.primary.start)


async def failover(place: Place) -> None:
    await asyncio.to_thread(place.primary.stop, "immediate")
    await asyncio.to_thread(place.replica.promote)


async def slow(place: Place) -> None:
    other = await psycopg.AsyncConnection.connect(place.primary.url)
    async with other:
        await other.execute("LOCK TABLE messages IN ACCESS EXCLUSIVE MODE")
        await asyncio.sleep(35)


async def pool(place: Place) -> None:
    held = []
    for _ in range(POOL_SIZE):
        with suppress(psycopg.OperationalError):
            held.append(await asyncio.to_thread(place.server._pool.getconn, 5.0))
    await asyncio.sleep(25)
    for each in held:
        place.server._pool.putconn(each)


async def crowded(place: Place) -> None:
    with ExitStack() as others:
        first = others.enter_context(psycopg.connect(place.primary.url, autocommit=True))
        first.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name LIKE 'xiaoxiang%'"
        )
        with suppress(psycopg.OperationalError):
            while True:
                others.enter_context(psycopg.connect(place.primary.url))
        await asyncio.sleep(10)


async def full(place: Place) -> None:
    filler = place.primary.folder / "filler"
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(1 << 16))
    await asyncio.sleep(10)
    filler.unlink()
    if not place.primary.runs:  # it could not write its log, and ended
        await asyncio.to_thread(place.primary.start)


FAULTS: dict[str, Fault] = {
    "crash": crash,
    "away": away,
    "failover": failover,
    "slow": slow,
    "pool": pool,
    "crowded": crowded,
    "full": full,
}


async def answer(request: object, asked: Asked) -> object:
    return await say(marks(asked))(request, asked)  # type: ignore[arg-type]


def clusters(folder: Path, name: str) -> tuple[Cluster, Cluster, str]:
    """Start what a fault needs; return the servers and the address of the database."""
    primary, replica = Cluster(folder / "primary"), Cluster(folder / "replica")
    primary.make()
    primary.configure(max_connections=40, max_wal_size="64MB", wal_level="replica")
    primary.start()
    if name != "failover":
        return primary, replica, primary.url
    replica.replicate(primary)
    replica.start()
    with psycopg.connect(primary.url, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
        connection.execute("ALTER SYSTEM SET synchronous_commit = remote_apply")
        connection.execute("SELECT pg_reload_conf()")
    return primary, replica, both(primary, replica)


async def lived(folder: Path, name: str, seconds: float) -> tuple[Place, Verdict]:
    """Live through one fault; return what came of it."""
    with ExitStack() as closing:
        if name == "full":
            closing.enter_context(small_disk(folder / "primary", DISK_MEGABYTES))
        primary, replica, url = await asyncio.to_thread(clusters, folder, name)
        closing.enter_context(stopped_after(primary, replica))
        async with OpenAIServer() as model:
            model.always(answer)  # type: ignore[arg-type]
            program = group_program(folder / "program", model=model, database=url, workers=True)
            async with program as opened:
                place = Place(opened, primary, replica)
                await _write_through(place, FAULTS[name], seconds)
    verdict = Verdict(place.sent, 0)
    verdict.judge(place.told())
    return place, verdict


async def _write_through(place: Place, fault: Fault, seconds: float) -> None:
    over = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        for who in PEOPLE:
            group.create_task(place.write(who, over))
        watching = group.create_task(_watch(place))
        await asyncio.sleep(seconds / 2)
        await fault(place)
        await asyncio.sleep(seconds)
        over.set()
        with suppress(TimeoutError):
            await until(lambda: len(place.waits) >= place.sent)
        watching.cancel()


async def _watch(place: Place) -> None:
    while True:
        place.told()
        await asyncio.sleep(0.02)


def said(name: str, place: Place, verdict: Verdict) -> str:
    return (
        f"{name}: {place.sent} messages, {place.refused} deliveries refused, longest pause "
        f"{max(place.waits.values(), default=0.0):.1f} s, {len(verdict.lost)} lost, "
        f"{len(verdict.doubled)} answered twice, {verdict.inversions} out of order"
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", choices=[[], *FAULTS], default=[])
    parser.add_argument("--seconds", type=float, default=12.0, help="of writing after a fault")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    bad = 0
    for name in options.names or FAULTS:
        if name == "full" and os.geteuid() != 0:
            print("full: not run, only root may make a small disk")
            continue
        folder = Path(tempfile.mkdtemp(prefix="xiaoxiang-faults-"))
        folder.chmod(0o755)  # the servers are another user's
        try:
            place, verdict = asyncio.run(lived(folder, name, options.seconds))
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        print(said(name, place, verdict), flush=True)
        bad += bool(verdict.lost or verdict.doubled or verdict.inversions)
    return min(bad, 1)


if __name__ == "__main__":
    sys.exit(main())
