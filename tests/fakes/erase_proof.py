"""The proof that erasing means everywhere: people tell facts, go, and are looked for byte by byte.

Run as a program it is the victim of the kills: it takes the order to erase and dies of it.
"""

import asyncio
import logging
import sqlite3
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from bot.conversation.ledger.ledger import FILE_NAME
from bot.conversation.messages import Sender
from memory.agents import folder_of
from memory.privacy.redaction import is_secret
from memory.stores.backups import BACKUPS
from memory.stores.pages import is_page
from tests.fakes.canaries import everything_in, facts, fingerprint, forms, found, spoken
from tests.fakes.desk import commands
from tests.fakes.group_program import ANN, BEN, CEM, GroupProgram, chat_of, group_program
from tests.fakes.openai_answers import hang
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.processes import running_program
from tests.fakes.waiting import until

if TYPE_CHECKING:
    from memory.stores.server import Server

PEOPLE = (ANN, BEN, CEM)
LONGEST_LIFE = 0.12
"""So many seconds after its order was taken the victim dies at the latest."""


@contextmanager
def small_pages() -> Iterator[None]:
    """Let a few lines of a diary be enough for a page, as years of talk are otherwise."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("memory.stores.paging.PAGE_LINES", 4)
        yield


@dataclass
class Proof:
    """One data folder with people in it. ``planted`` is what each of them told."""

    folder: Path
    planted: dict[str, list[str]] = field(default_factory=dict)

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def agent(self, person: Sender) -> tuple[Path, Path]:
        """Return the folders that hold what somebody's private memory remembers."""
        name = f"tg-p-{person.id}"
        return folder_of(self.data, name), self.data / BACKUPS / name

    def traces(self, person: Sender) -> list[str]:
        """Return where anything somebody planted still stands: data, backups, logs."""
        return found(self.folder, self.planted[person.id])

    @asynccontextmanager
    async def logged(self) -> AsyncIterator[None]:
        """Write down everything any library logs meanwhile."""
        self.folder.mkdir(exist_ok=True)
        handler = logging.FileHandler(self.folder / "log", encoding="utf-8")
        root = logging.getLogger()
        level = root.level
        root.setLevel(logging.DEBUG)
        root.addHandler(handler)
        try:
            yield
        finally:
            root.removeHandler(handler)
            root.setLevel(level)
            handler.close()

    async def plant(
        self, place: GroupProgram, person: Sender, number: int, *, many: int = 20
    ) -> None:
        """Let somebody tell their facts: asked to be remembered, in passing, in disguise."""
        told = facts(number)[:many]
        self.planted[person.id] = told
        for each, fact in enumerate(told):
            text = spoken(fact, each)
            await place.say(person, f"记住：{text}" if each % 2 else f"今天说到{text}")
        await place.settled()

    async def spread(self, place: GroupProgram, person: Sender) -> None:
        """Let what was told get everywhere: backups, corrections, undo, set-aside files."""
        await place.order(person, "/memory edit #1 " + self.planted[person.id][0] + "，改过")
        await place.order(person, "/memory forget #2")
        await place.order(person, "/why")
        name = f"tg-p-{person.id}"
        known = (await place.memory(name)).state
        diary = "\n".join(line.message.text for line in known.diary.values())
        folder, _ = self.agent(person)
        (folder / "journal.damaged-1").write_text("\n".join(self.planted[person.id]))
        assert known.memories
        await (await place.memory(name))._writer.fold()
        assert any(is_page(each.name) for each in folder.iterdir()), "no page"
        told = [spoken(fact, each) for each, fact in enumerate(self.planted[person.id])]
        # What looks like a key, as some do in base64, is cut before it gets anywhere.
        kept = [text for text in told if not is_secret(f"记住：{text}")]
        assert len(kept) >= len(told) - 3
        assert all(text in diary for text in kept), "no diary"


async def erased_whole(proof: Proof, seed: int = 0) -> None:
    """Plant, spread and erase while a model hangs; raise AssertionError where anything is left."""
    server = OpenAIServer(lambda asked: "[SKIP]")
    async with AsyncExitStack() as stack:
        stack.enter_context(small_pages())
        await stack.enter_async_context(server)
        await stack.enter_async_context(proof.logged())
        place = await stack.enter_async_context(
            group_program(proof.data, model=server, meaning=True)
        )
        for number, person in enumerate(PEOPLE):
            await proof.plant(place, person, 10 * seed + number)
            await proof.spread(place, person)
        await place.order(ANN, "/backup all")
        await place.settled()
        assert proof.traces(ANN)
        server.always(hang())
        before = len(server.asked)
        await place.hear(ANN, f"再说一次：{proof.planted[ANN.id][3]}")
        await until(
            lambda: any("再说一次" in str(each.messages) for each in server.asked[before:])
        )
        for person in (ANN, BEN):
            others = fingerprint(*proof.agent(CEM))
            receipt = await place.forget(person, "all")
            assert "0 处残留" in receipt, receipt
            assert proof.traces(person) == []
            assert fingerprint(*proof.agent(CEM)) == others, "a neighbour's files changed"
        assert len({each.partition(": ")[2] for each in proof.traces(CEM)}) == 20
    assert proof.traces(ANN) + proof.traces(BEN) == []


async def erased_on_server(
    proof: Proof, url: str, seed: int = 0, *, many: int = 20
) -> tuple[list[str], list[str]]:
    """Plant and erase in a database; return the traces of who went, before and afterwards.

    Looked for in every file of every table and index, large values and samples of the planner
    among them.
    """
    from memory.stores.server import Server  # noqa: PLC0415

    async with group_program(proof.data, database=url) as place:
        for number, person in enumerate((ANN, CEM)):
            await proof.plant(place, person, 10 * seed + number, many=many)
            await place.order(person, "/memory edit #1 " + proof.planted[person.id][0] + "，改过")
            await place.order(person, "/memory forget #2")
        await place.order(ANN, "/backup all")
        await place.settled()
        server = await asyncio.to_thread(Server, url)
        try:
            before = await asyncio.to_thread(_in_the_servers_files, server, proof.planted[ANN.id])
            receipt = await place.forget(ANN, "all")
            assert "0 处残留" in receipt, receipt
            assert "WAL" in receipt, receipt
            after = await asyncio.to_thread(_in_the_servers_files, server, proof.planted[ANN.id])
            others = await asyncio.to_thread(_in_the_servers_files, server, proof.planted[CEM.id])
            assert others, "what a neighbour told is gone"
        finally:
            await asyncio.to_thread(server.close)
    return before, after


_FILES_OF_SCHEMA = """
WITH own AS (
  SELECT oid, reltoastrelid AS toast FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace
    OR relname IN ('pg_statistic', 'pg_largeobject')
), indexes AS (
  SELECT indexrelid AS oid FROM pg_index WHERE indrelid IN (SELECT toast FROM own)
), every AS (
  SELECT oid FROM own UNION SELECT toast FROM own UNION SELECT oid FROM indexes
)
SELECT c.oid::regclass::text, pg_read_binary_file(pg_relation_filepath(c.oid))
FROM pg_class c JOIN every USING (oid) WHERE pg_relation_filenode(c.oid) IS NOT NULL
"""


def _in_the_servers_files(server: "Server", texts: list[str]) -> list[str]:
    # What is only in the server's memory yet gets into its files; samples are taken.
    with server._connect() as session:
        session.execute("ANALYZE")
        session.execute("CHECKPOINT")
    sought = {form: text for text in texts for form in forms(text)}
    files = server.run(lambda connection: connection.execute(_FILES_OF_SCHEMA).fetchall())
    return [
        f"{name}: {text}"
        for name, data in files
        for form, text in sought.items()
        if form in b"\0".join(everything_in(data))
    ]


async def killed_in_the_middle(proof: Proof, chance: Random) -> str:
    """Kill the program while it erases; the next start has to end it.

    Returns how far the order had come: "received", "in_turn" or "done".
    """
    with small_pages():
        return await _killed_over_pages(proof, chance)


async def _killed_over_pages(proof: Proof, chance: Random) -> str:
    async with group_program(proof.data) as place:
        await proof.plant(place, ANN, 0)
        await proof.plant(place, CEM, 1)
        await place.order(ANN, "/backup all")
    assert any(is_page(each.name) for each in proof.agent(ANN)[0].iterdir()), "no page"
    others = fingerprint(*proof.agent(CEM))
    victim = "tests.fakes.erase_proof"
    async with running_program(proof.data, module=victim) as program:
        await until(lambda: program.out)
        await asyncio.sleep(chance.random() * LONGEST_LIFE)
        await program.killed()
        assert program.out == "taken\n"
    came_to = _state_of_the_order(proof.data)
    async with group_program(proof.data) as place:
        await place.answered()
    assert proof.traces(ANN) == []
    assert fingerprint(*proof.agent(CEM)) == others, "a neighbour's files changed"
    return came_to


def _state_of_the_order(data: Path) -> str:
    """Return how far the last message had come, read beside the dead program."""
    with closing(sqlite3.connect(data / FILE_NAME)) as ledger:
        (state,) = ledger.execute(
            "SELECT state FROM messages ORDER BY number DESC LIMIT 1"
        ).fetchone()
    return str(state)


async def _victim(data: Path) -> None:
    with small_pages():
        await _give_the_order(data)


async def _give_the_order(data: Path) -> None:
    async with group_program(data) as place:
        (button,) = commands(await place.order(ANN, "/forget all"))
        await place.hear(ANN, button, where=chat_of(ANN))
        sys.stdout.write("taken\n")
        sys.stdout.flush()
        await asyncio.sleep(60)


if __name__ == "__main__":
    asyncio.run(_victim(Path(sys.argv[1])))
