"""The power is cut while the ledger keeps a turn: what its disk may have then, and what is read.

SQLite syncs its log at the end of a transaction that is to be synced. Of what was written to the
log since, a loss of power leaves any part, the last of it torn or zeroed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final, TypeAlias

from bot.conversation.ledger import Ledger, TurnAnswer, TurnEntry
from bot.conversation.ledger.database import Database
from bot.conversation.ledger.page_sums import LOG_SUFFIX
from bot.conversation.ledger.tables import Connection, T
from memory.changes import Used
from tests.fakes.clock import NOON
from tests.fakes.ledger import HOME, accepted, incoming
from tests.fakes.platforms import IDENTITIES

USED: Final = Used(memory_id=3, score=0.5, reasons=("word:拉面",), source_ids=("s",))
_FILE: Final = "ledger.sqlite3"
_FULL: Final = 2
"""What SQLite calls it when the log is synced at the end of a transaction."""

Held: TypeAlias = tuple[tuple[str, ...], tuple[TurnEntry, ...]]
"""What waits in the conversation, and the turns that owe something."""


@dataclass(frozen=True)
class Moment:
    """The ledger after a step: its files, the part of the log that was synced, what it holds.

    ``allowed`` is what it held from the last step that was synced up to this one.
    """

    step: str
    files: dict[str, bytes]
    synced: int
    allowed: tuple[Held, ...]

    def after_power_loss(self, chance: Random) -> dict[str, bytes]:
        """Return the files that one may find when the power is back."""
        log = self.files[_FILE + LOG_SUFFIX]
        kept = chance.choice([self.synced, chance.randint(self.synced, len(log))])
        zeros = chance.choice([0, len(log) - kept])
        return {**self.files, _FILE + LOG_SUFFIX: log[:kept] + bytes(zeros)}


class _Watched(Database):
    """A ledger's file of which is known how much of its log was synced."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.synced = 0

    async def run(self, work: Callable[[Connection], T], *, synced: bool = True) -> T:
        # Asked of SQLite itself, not of whoever hands the work in.
        told: list[int] = []

        def watched(connection: Connection) -> T:
            told.extend(connection.execute("PRAGMA synchronous").fetchone())
            return work(connection)

        before = self._log.stat().st_size
        done = await super().run(watched, synced=synced)
        after = self._log.stat().st_size
        if told == [_FULL] and after != before:
            self.synced = after
        return done

    async def _sync_log(self) -> None:
        before = self._log.stat().st_size
        await super()._sync_log()
        self.synced = max(self.synced, before)


async def held_by(ledger: Ledger) -> Held:
    """Return what a ledger holds of the conversation."""
    waiting = (await ledger.inbox.owed(HOME, NOON)).waiting
    return tuple(each.id for each in waiting), await ledger.turns.unfinished(HOME)


async def life_of_a_turn(folder: Path) -> list[Moment]:
    """Keep a turn step by step, as the program does; return every moment of it."""
    database = _Watched(folder / _FILE)
    ledger = await Ledger.open(folder, IDENTITIES, database)
    turns, moments = ledger.turns, list[Moment]()
    held: list[Held] = []

    async def note(step: str) -> None:
        synced, before = database.synced, moments[-1].synced if moments else -1
        if synced != before:
            held.clear()
        held.append(await held_by(ledger))
        files = {each.name: each.read_bytes() for each in folder.iterdir()}
        files.pop(f"{_FILE}-shm", None)
        moments.append(Moment(step, files, synced, tuple(held)))

    messages = await accepted(ledger, "1")
    await note("accepted")
    turn = await turns.begin(messages, NOON)
    await note("begun")
    answer = TurnAnswer("reply", "当然记得 🍜", at=NOON, used=(USED,))
    sending = await turns.record_answer(turn, answer, sending=True)
    await note("sending")
    await turns.record_piece(sending, 0, "m-1")
    await note("shown")
    await turns.record_sent(sending)
    await note("sent")
    await turns.record_committed(sending)
    await note("committed")
    await ledger.close()
    return moments


async def is_right_after(moment: Moment, chance: Random, folder: Path) -> bool:
    """Cut the power at a moment; return whether the ledger that opens is one it may be.

    It must hold what it held at some step since the last that was synced, and take the next
    message. That it calls a torn end of its log damaged is right: so may a flipped bit look.
    """
    for name, data in moment.after_power_loss(chance).items():
        (folder / name).write_bytes(data)
    ledger = await Ledger.open(folder, IDENTITIES)
    found = await held_by(ledger)
    await ledger.inbox.accept(incoming("2", "在吗"), NOON)
    waiting, _ = await held_by(ledger)
    await ledger.close()
    return found in moment.allowed and len(waiting) == len(found[0]) + 1
