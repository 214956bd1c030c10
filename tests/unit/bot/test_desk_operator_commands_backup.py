"""Backups: made while she lives, verified, and brought back without what was erased since."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from shutil import rmtree

import pytest

from bot.adapters.console.presenter import document_data
from bot.conversation.ledger import Ledger
from bot.desk.documents import Document
from bot.desk.services import DeskServices
from memory.agents import folder_of
from memory.changes import Drop, Put
from memory.errors import StoreUnwritable
from memory.model import AgentSettings, Memory
from memory.stores.backups import BACKUPS, BackupRule, Backups
from memory.stores.codec import state_digest
from memory.stores.disk import Disk
from memory.stores.file_store import FileStore
from tests.builders import a_memory, a_message
from tests.fakes.clock import NOON
from tests.fakes.desk import DeskSession, commands
from tests.fakes.platforms import IDENTITIES


@asynccontextmanager
async def session_with_backups(
    data: Path, *, language: str = "zh", kept: int = 10
) -> AsyncIterator[DeskSession]:
    ledger = await Ledger.open(data, IDENTITIES)
    settings = AgentSettings(language="en" if language == "en" else "zh")
    services = DeskServices(ledger, data, backup_rule=BackupRule(kept=kept))
    store = FileStore(folder_of(data, "a"))
    async with DeskSession(settings=settings, store=store, services=services) as session:
        yield session
    await ledger.close()


def kept(data: Path) -> list[Path]:
    return sorted((data / BACKUPS / "a").iterdir())


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_going_back_restores_exactly_what_was_and_there_is_a_way_forth(
    tmp_path: Path, language: str
) -> None:
    async with session_with_backups(tmp_path, language=language) as session:
        await session.ask("/remember 我对花生过敏")
        await session.ask("/remember I love tea")
        await session.agent.listen("c", [a_message("m1", "你好")])
        then = state_digest(session.state)
        await session.ask("/backup")
        session.clock.tick(hours=3)
        await session.ask("/memory edit #2 I love coffee")
        await session.ask("/remember 猫叫团子")
        await session.ask("/memory law weights")
        after = state_digest(session.state)

        preview = await session.ask("/restore-backup 1")
        told = document_data(preview)
        assert state_digest(session.state) == after
        done = await session.press(preview)
        assert state_digest(session.state) == then
        back = await session.press(await session.ask("/恢复备份 1"))
        assert state_digest(session.state) == after

    assert any("团子" in row["text"] for row in told["gone"])
    assert [row["id"] for row in told["other"]] == ["#2"]
    assert str(done) != str(back)


async def test_what_was_erased_since_does_not_come_back(tmp_path: Path) -> None:
    async with session_with_backups(tmp_path) as session:
        await session.agent.listen(
            "c", [a_message("m1", "琥珀花生让我过敏"), a_message("m2", "嗯")]
        )
        await session.ask("/remember 我对琥珀花生过敏")
        await session.ask("/remember 我喜欢猫")
        await session.ask("/backup")
        saved = kept(tmp_path)[0].read_bytes()
        await session.press(await session.ask("/forget 琥珀花生"))
        await session.ask("/memory pin #2")
        kept(tmp_path)[0].write_bytes(saved)  # whatever erasing did to it, somebody kept a copy

        preview = await session.ask("/restore_backup 1")
        await session.press(preview)

        assert "1" in str(preview)
        assert "琥珀" not in str(preview)
        assert "琥珀" not in repr(session.state)
        assert any(m.words.text == "我喜欢猫" for m in session.state.memories.values())
    found = [path for path in tmp_path.rglob("*") if path.is_file() and BACKUPS not in path.parts]
    assert not any("琥珀花生".encode() in path.read_bytes() for path in found)


async def test_a_lost_folder_is_restored_whole_and_ids_go_on_being_counted(tmp_path: Path) -> None:
    async with session_with_backups(tmp_path) as session:
        for text in ("一只猫", "两只狗", "三条鱼"):
            await session.ask(f"/remember 我有{text}")
        await session.press(await session.ask("/forget #3"))
        await session.ask("/backup")
        then, counted = state_digest(session.state), session.state.next_id
    rmtree(folder_of(tmp_path, "a"))

    async with session_with_backups(tmp_path) as session:
        await session.press(await session.ask("/restore_backup 1"))

        assert state_digest(session.state) == then
        assert session.state.next_id == counted
    async with session_with_backups(tmp_path) as session:
        assert session.state.next_id == counted


async def test_a_confirmation_holds_for_exactly_what_was_shown(tmp_path: Path) -> None:
    async with session_with_backups(tmp_path) as session:
        await session.ask("/remember 我喜欢猫")
        await session.ask("/backup")
        await session.ask("/remember 我喜欢茶")
        preview = await session.ask("/restore_backup 1")
        await session.ask("/remember 我喜欢雨")
        before = state_digest(session.state)

        asked = await session.press(preview)

        assert state_digest(session.state) == before
        assert commands(asked) != commands(preview)
        assert len(kept(tmp_path)) == 1


async def test_only_so_many_are_kept_and_each_is_for_its_owner_only(tmp_path: Path) -> None:
    async with session_with_backups(tmp_path, kept=3) as session:
        for number in range(5):
            await session.ask(f"/remember 第{number}件事我记得")
            session.clock.tick(minutes=1)
            await session.ask("/backup")
        listed = document_data(await session.ask("/restore_backup"))["backups"]
        eldest = await session.ask("/restore_backup 3")
        await session.press(eldest)
        names = [path.name for path in kept(tmp_path)]

    assert len(listed) == 3
    assert len(names) == 4, "the one that was gone back to is not let go"
    assert (tmp_path / BACKUPS / "a").stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in kept(tmp_path)} == {0o600}


async def test_every_agent_is_backed_up_at_once(tmp_path: Path) -> None:
    async with session_with_backups(tmp_path) as session:
        await session.ask("/remember 我喜欢猫")
        told = document_data(await session.ask("/backup 全部"))

    assert [row["agent"] for row in told["agents"]] == ["a"]
    assert len(kept(tmp_path)) == 1


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"format":"xiaoxiang-export"}'])
async def test_a_damaged_backup_changes_nothing(tmp_path: Path, damage: bytes) -> None:
    async with session_with_backups(tmp_path) as session:
        await session.ask("/remember 我喜欢猫")
        await session.ask("/backup")
        kept(tmp_path)[0].write_bytes(damage)
        before = state_digest(session.state)

        said = await session.says("/restore_backup 1")

        assert state_digest(session.state) == before
        assert "读不出来" in said
        assert "没有第 7 份" in await session.says("/restore_backup 7")


class Forgetful(Disk):
    """Loses the last bytes of what it is given, without a word."""

    def write(self, descriptor: int, data: bytes | memoryview) -> int:
        super().write(descriptor, data[:-9] if len(data) > 9 else data)
        return len(data)


async def test_what_was_not_written_right_is_said_and_not_kept(tmp_path: Path) -> None:
    async with session_with_backups(tmp_path) as session:
        await session.ask("/remember 我喜欢猫")
        backups = Backups(tmp_path, "a", disk=Forgetful())

        with pytest.raises(StoreUnwritable):
            backups.write(session.state, NOON, "hand")

    assert kept(tmp_path) == []


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_the_last_backup_is_none_of_the_future(tmp_path: Path, language: str) -> None:
    def last(answer: Document) -> str:
        return next(line for line in str(document_data(answer)).split("}") if "'backup'" in line)

    async with session_with_backups(tmp_path, language=language) as session:
        await session.ask("/remember 我对花生过敏")
        session.clock.tick(days=3000)
        await session.ask("/backup")
        session.clock.tick(days=-3000)
        alone = last(await session.ask("/status"))
        await session.ask("/backup")
        both = last(await session.ask("/status"))

    assert "2034" not in alone
    assert "–" in alone
    assert "2026-03-04" in both


async def test_of_many_that_would_come_back_it_says_how_many_more_there_are(
    tmp_path: Path,
) -> None:
    async with session_with_backups(tmp_path, language="en") as session:
        await session.agent.steer(lambda *_: [Put(a_memory(n, f"tea {n}")) for n in range(1, 24)])
        await session.ask("/backup")
        await session.agent.steer(lambda *_: [Drop(Memory, n) for n in range(1, 24)])
        preview = document_data(await session.ask("/restore_backup 1"))

    assert len(preview["back"]) == 5
    assert "23" in preview["text"]
    assert "18 more" in preview["text"]


async def test_the_first_of_the_list_is_the_newest_and_none_of_the_future(tmp_path: Path) -> None:
    """Whoever imports is told to go back by ``/restore_backup 1``."""
    async with session_with_backups(tmp_path, language="en") as session:
        await session.ask("/remember I love tea")
        session.clock.tick(days=3000)
        await session.ask("/backup")
        session.clock.tick(days=-3000)
        await session.ask("/remember I love coffee")
        made = document_data(await session.ask("/backup"))
        listed = document_data(await session.ask("/restore_backup"))
        await session.ask("/remember I love milk")
        preview = document_data(await session.ask("/restore_backup 1"))

    assert [row["at"][:4] for row in made["backups"]] == ["2026", "2034"]
    assert listed["backups"] == made["backups"]
    assert "coffee" not in str(preview), "both know of that"
    assert "milk" in str(preview["gone"])
