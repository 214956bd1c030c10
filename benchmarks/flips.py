"""Flip bits in every file that holds what was said, and count what is noticed and what is lost.

    python -m benchmarks.flips --flips 1000

A folder is lived in and copied as a crash leaves it. For each case one bit of one file is flipped,
or with ``--bits 2`` two bits of one byte, and the program opens the folder: what it reads is
compared with the truth. Whatever was refused or lost, and a part of the rest, is then repaired by
``xiaoxiang repair --yes`` and talked with. The index and the vectors are made anew where they are
not as they were written; what is found then is compared as well. Exits with 1 if anything wrong
was read and nobody was told, if others are found by what was made anew, if more than one record
was lost, or if anything cannot be talked with afterwards.
"""

import argparse
import asyncio
import io
import logging
import sqlite3
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from random import Random
from shutil import copytree, rmtree
from tempfile import TemporaryDirectory

from bot.__main__ import main as program
from bot.conversation.ledger.database import Database
from bot.conversation.ledger.ledger import FILE_NAME
from bot.conversation.ledger.page_sums import LOG_SUFFIX, SUMS_SUFFIX
from memory import Message, open_memory
from memory.errors import StoreError
from memory.stores.codec import state_digest
from memory.stores.disk import REAL_DISK
from memory.stores.journal import JOURNAL_FILE
from memory.stores.pages import is_page
from memory.stores.recovery import restore
from memory.stores.sidecars import INDEX_FILE, VECTORS_FILE, IndexFile, VectorFile
from memory.stores.snapshot import ARCHIVE_FILE, MEMORY_FILE
from tests.fakes.clock import FakeClock
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.erase_proof import small_pages
from tests.fakes.program_run import ProgramRun

AGENT = "flipped"
SAID = 24
TALKED_WITH = 0.03
"""The share of folders that are repaired and talked with, beside all that lost something."""


async def live_in_memory(data: Path) -> Path:
    """Live for a while and return the agent's folder as a crash would leave it."""
    clock = FakeClock()
    folder, crashed = data / "agents" / AGENT, data / "crashed" / "agents" / AGENT
    async with open_memory(
        data, agent=AGENT, clock=clock, model=None, embedder=FakeEmbedder()
    ) as mem:
        for number in range(SAID):
            clock.tick(hours=1)
            said = Message(
                id=f"m{number}",
                at=clock.now(),
                speaker="Ann",
                role="user",
                text=f"记住：我第{number}次去了公园 {number}，喜欢喝茶 tea{number}",
            )
            mem.remember([said], explicit=number % 3 == 0)
            await mem.settled()
            if number == SAID // 2:
                await mem.nightly()
        copytree(folder, crashed)
    return crashed


async def live_in_ledger(data: Path) -> tuple[Path, Path]:
    """Return a ledger that was closed, and one as a crash leaves it, with its log."""
    program = await ProgramRun(data / "closed").open()
    for number in range(SAID):
        program.clock.tick(minutes=1)
        await program.receive(f"{number}", f"第{number}句话 🍜")
        if number % 2:
            await program.wait_until_idle()
    await program.database.checkpoint()
    for number in range(SAID, SAID + 9):
        await program.receive(f"{number}", f"第{number}句话")
    await program.wait_until_idle()
    copytree(data / "closed", data / "crashed")
    await program.close()
    return data / "closed", data / "crashed"


def flip(path: Path, chance: Random, bits: int) -> None:
    """Flip so many bits of one byte."""
    data = bytearray(path.read_bytes())
    place = chance.randrange(len(data))
    for bit in chance.sample(range(8), bits):
        data[place] ^= 1 << bit
    path.write_bytes(data)


async def try_memory(truth: str, chance: Random, folder: Path) -> str:
    """Open a flipped folder and say what became of it."""
    try:
        restored = await asyncio.to_thread(restore, folder, REAL_DISK)
    except StoreError:
        return await repaired("refused", folder.parent.parent, can_be_talked_with, folder)
    same, damage = state_digest(restored.state) == truth, restored.damage
    if same:
        outcome = "healed" if damage.healed else "noticed" if damage else "nothing read changed"
    else:
        outcome = f"noticed, {damage.lost} lost" if damage else "SILENTLY WRONG"
    if same and chance.random() > TALKED_WITH:
        return outcome
    return await repaired(outcome, folder.parent.parent, can_be_talked_with, folder)


async def hits_in(folder: Path) -> list[object]:
    """Return what a search of a folder finds, by words and by meaning."""
    async with open_memory(
        folder.parent.parent,
        agent=folder.name,
        clock=FakeClock(),
        model=None,
        embedder=FakeEmbedder(),
    ) as mem:
        # What was waiting for the background is done first, else it would be done meanwhile.
        await mem.settled()
        hits = await mem.search("公园 tea7")
        return [(hit.memory.id, round(hit.score, 9), hit.quote) for hit in hits]


def sidecar_as_read(folder: Path, file: str) -> dict[str, bytes] | None:
    """Return what is read out of the index or the vectors, None where that counts as absent."""
    if file == VECTORS_FILE:
        vectors = VectorFile(folder).read(FakeEmbedder().name)
        return {key.hex(): row.tobytes() for key, row in vectors.items()} or None
    reading = IndexFile(folder).read()
    if reading is None:
        return None
    # Written again it is the same bytes exactly if everything in it is the same.
    with TemporaryDirectory() as place:
        IndexFile(Path(place)).write(reading)
        return {file: (Path(place) / file).read_bytes()}


async def try_sidecar(
    file: str, truth: dict[str, bytes], hits: list[object], chance: Random, folder: Path
) -> str:
    """Read a flipped index or file of vectors, search, and say what became of it."""
    read = await asyncio.to_thread(sidecar_as_read, folder, file)
    if read is not None:
        return "nothing read changed" if read == truth else "SILENTLY WRONG"
    if chance.random() > TALKED_WITH:
        return "noticed"
    if await hits_in(folder) != hits:
        return "noticed, OTHERS FOUND"
    return await repaired("noticed", folder.parent.parent, can_be_talked_with, folder)


async def repaired(
    outcome: str, data: Path, is_usable: Callable[[Path], Awaitable[bool]], folder: Path
) -> str:
    """Repair a data folder as its owner would, and add to the outcome what is usable then."""
    said = io.StringIO()
    with redirect_stdout(said):
        status = await asyncio.to_thread(program, ["repair", "--yes", "--data", str(data)])
    if status or not await is_usable(folder):
        return f"{outcome}, UNUSABLE"
    return f"{outcome}, usable after repair"


async def can_be_talked_with(folder: Path) -> bool:
    """Whether an agent hears, remembers, finds and lives through a night."""
    clock = FakeClock()
    clock.tick(days=10)
    try:
        async with open_memory(
            folder.parent.parent, agent=folder.name, clock=clock, model=None
        ) as mem:
            said = Message(
                id="after", at=clock.now(), speaker="Ann", role="user", text="我搬到了杭州"
            )
            mem.remember([said])
            await mem.settled()
            found = await mem.search("杭州")
            await mem.nightly()
            return any("杭州" in hit.quote for hit in found)
    except (StoreError, LookupError, ValueError) as error:
        sys.stdout.write(f"  {type(error).__name__}: {error}\n")
        return False


async def can_be_answered_from(folder: Path) -> bool:
    """Whether a chat of a ledger is heard and answered, once each."""
    try:
        program = await ProgramRun(folder).open()
        try:
            await program.wait_until_idle()
            program.clock.tick(days=10)
            await program.receive("after", "还在吗")
            await program.wait_until_idle()
            return program.chat.finals().count("你说：还在吗") == 1
        finally:
            await program.close()
    except (StoreError, LookupError, ValueError) as error:
        sys.stdout.write(f"  {type(error).__name__}: {error}\n")
        return False


def ledger_rows(path: Path) -> list[object]:
    """Return everything the tables hold."""
    with sqlite3.connect(path) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        tables = sorted(name for (name,) in names)
        rows = [connection.execute(f"SELECT * FROM {name}").fetchall() for name in tables]  # noqa: S608 (names of our own tables)
        version = connection.execute("PRAGMA user_version").fetchone()
    connection.close()
    return [tables, rows, version]


async def try_ledger(truth: list[object], chance: Random, folder: Path) -> str:
    """Open a flipped ledger and say what became of it."""
    database = Database(folder / FILE_NAME)
    try:
        await database.open()
    except StoreError:
        return await repaired("refused", folder, can_be_answered_from, folder)
    damage = database.damage
    await database.close()
    same = ledger_rows(folder / FILE_NAME) == truth
    if same:
        outcome = "healed" if damage.healed else "noticed" if damage else "nothing read changed"
    else:
        outcome = "noticed, changed" if damage else "SILENTLY WRONG"
    if same and chance.random() > TALKED_WITH:
        return outcome
    return await repaired(outcome, folder, can_be_answered_from, folder)


async def count(
    lived: Path, file: str, options: argparse.Namespace, attempt: Callable[[Path], Awaitable[str]]
) -> Counter[str]:
    """Flip and open so often, and count the outcomes."""
    outcomes: Counter[str] = Counter()
    chance = Random(f"{file} {options.bits}")
    with TemporaryDirectory() as place:
        for _ in range(options.flips):
            folder = Path(place) / "agents" / AGENT
            copytree(lived, folder)
            flip(folder / file, chance, options.bits)
            outcomes[await attempt(folder)] += 1
            rmtree(folder)
    return outcomes


async def count_sidecar(
    lived: Path, file: str, options: argparse.Namespace, chance: Random
) -> Counter[str]:
    """Flip the index or the vectors so often; raises ValueError if the folder has none."""
    whole = sidecar_as_read(lived, file)
    with TemporaryDirectory() as place:
        folder = Path(place) / "agents" / AGENT
        copytree(lived, folder)
        hits = await hits_in(folder)
    if whole is None or not hits:
        raise ValueError(f"{file} was not written, or nothing is found by it")
    return await count(lived, file, options, partial(try_sidecar, file, whole, hits, chance))


async def main(options: argparse.Namespace) -> int:
    """Print a line per file and return the exit status."""
    logging.disable()
    bad = 0

    def wanted(file: str) -> bool:
        return not options.files or any(map(file.startswith, options.files))

    with TemporaryDirectory() as place:
        with small_pages():
            memory = await live_in_memory(Path(place) / "memory")
        truth = state_digest(restore(memory, REAL_DISK).state)
        closed, crashed = await live_in_ledger(Path(place) / "ledger")
        chance = Random(options.bits)
        pages = sorted(each.name for each in memory.iterdir() if is_page(each.name))
        for file in filter(wanted, (JOURNAL_FILE, MEMORY_FILE, ARCHIVE_FILE, *pages[:1])):
            tried = await count(memory, file, options, partial(try_memory, truth, chance))
            bad += shown(file, tried)
        for file in filter(wanted, (INDEX_FILE, VECTORS_FILE)):
            bad += shown(file, await count_sidecar(memory, file, options, chance))
        for lived, file in (
            (closed, FILE_NAME),
            (closed, FILE_NAME + SUMS_SUFFIX),
            (crashed, FILE_NAME),
            (crashed, FILE_NAME + LOG_SUFFIX),
        ):
            if not wanted(file):
                continue
            copied = Path(place) / "truth" / lived.name / file
            copytree(lived, copied)
            database = Database(copied / FILE_NAME)
            await database.open()
            await database.close()
            rows = ledger_rows(copied / FILE_NAME)
            name = f"{file} ({lived.name})"
            bad += shown(
                name, await count(lived, file, options, partial(try_ledger, rows, chance))
            )
    return min(bad, 1)


def shown(file: str, outcomes: Counter[str]) -> int:
    """Print the outcomes of a file and return how many of them are failures."""
    parts = ", ".join(f"{name} {number}" for name, number in outcomes.most_common())
    sys.stdout.write(f"{file}: {parts}\n")
    sys.stdout.flush()
    return sum(number for name, number in outcomes.items() if any(map(str.isupper, name.split())))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--flips", type=int, default=1000)
    parser.add_argument("--bits", type=int, default=1, choices=(1, 2))
    parser.add_argument("--files", nargs="*", help="only those whose names begin so")
    sys.exit(asyncio.run(main(parser.parse_args())))
