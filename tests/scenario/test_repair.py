"""``xiaoxiang repair``: shows first, then brings back what proves itself, and nothing else."""

import asyncio
import sqlite3
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from shutil import copytree, rmtree

import pytest

from bot.__main__ import main
from bot.conversation.ledger import Ledger
from bot.conversation.ledger.database import Database
from bot.conversation.ledger.ledger import FILE_NAME
from bot.conversation.ledger.salvage import rebuild_ledger
from memory import Message, open_memory
from memory.errors import StoreDamaged
from memory.ports import SystemClock
from memory.stores.disk import FolderLock
from memory.stores.journal import JOURNAL_FILE, journal_line
from memory.stores.recovery import read_agent_state
from memory.stores.snapshot import ARCHIVE_FILE, MEMORY_FILE, PREVIOUS_SUFFIX
from tests.fakes.clock import NOON
from tests.fakes.platforms import IDENTITIES
from tests.fakes.program_run import HOME, ProgramRun

AGENT = "local"


@pytest.fixture(autouse=True)
def _away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in an empty folder: a .env of whoever runs the tests must not count."""
    monkeypatch.chdir(tmp_path)


async def told(data: Path, *texts: str) -> None:
    async with open_memory(data, agent=AGENT, clock=SystemClock(), model=None) as mem:
        mem.remember(
            [Message(id=text, at=NOON, speaker="Ann", role="user", text=text) for text in texts]
        )
        await mem.settled()


async def known(data: Path) -> str:
    async with open_memory(data, agent=AGENT, clock=SystemClock(), model=None) as mem:
        return "\n".join(memory.text for memory in mem.memories()) + "\n".join(
            hit.quote for hit in await mem.search("喜欢 hiking")
        )


def repaired(data: Path, *more: str) -> int:
    return main(["repair", "--data", str(data), *more])


def names(data: Path) -> set[str]:
    return {path.name for path in (data / "agents" / AGENT).iterdir()}


def contents(data: Path) -> dict[str, bytes]:
    files = (path for path in data.rglob("*") if path.is_file() and path.name != "lock")
    return {str(path): path.read_bytes() for path in files}


def test_a_folder_that_is_well_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    asyncio.run(told(data, "我喜欢爬山 hiking"))
    before = contents(data)

    assert repaired(data) == repaired(data, "--yes") == 0
    assert contents(data) == before
    assert "没有发现损坏" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("language", "ledger", "memory"),
    [("zh", "收发记录", "有文件坏了"), ("en", "the ledger", "has damaged files")],
)
def test_the_doctor_says_what_is_damaged_and_what_to_do(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    language: str,
    ledger: str,
    memory: str,
) -> None:
    monkeypatch.setenv("LANGUAGE", language)
    data = tmp_path / "data"
    asyncio.run(told(data, "我喜欢爬山 hiking"))
    asyncio.run(bound(data))
    order = ["doctor", "--data", str(data)]
    assert main(order) == 0
    capsys.readouterr()

    (data / FILE_NAME).write_bytes(b"\x07no ledger" * 999)
    assert main(order) == 1
    said = capsys.readouterr().out
    assert ledger in said
    assert memory not in said
    assert "xiaoxiang repair" in said

    (data / FILE_NAME).unlink()
    (data / "agents" / AGENT / MEMORY_FILE).write_bytes(b"\x07no memory" * 999)
    assert main(order) == 1
    said = capsys.readouterr().out
    assert memory in said
    assert "xiaoxiang repair" in said


def test_what_an_earlier_program_set_aside_comes_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It dropped everything after the damage; since then more was said under the same numbers."""
    data, folder = tmp_path / "data", tmp_path / "data" / "agents" / AGENT
    asyncio.run(told(data, "我养了一只猫 cat"))
    kept = copytree(folder, tmp_path / "kept")
    asyncio.run(told(data, "我喜欢爬山 hiking"))
    lines = (folder / JOURNAL_FILE).read_bytes()
    rmtree(folder)
    copytree(kept, folder)
    asyncio.run(told(data, "我搬到了杭州 Hangzhou"))
    (folder / f"{JOURNAL_FILE}.damaged-1").write_bytes(lines.replace(b'"', b"'", 1) + b"x\n")
    before = contents(data)

    assert repaired(data) == 1
    assert contents(data) == before
    assert "hiking" not in asyncio.run(known(data))

    assert repaired(data, "--yes") == 0
    after = asyncio.run(known(data))
    assert all(word in after for word in ("cat", "hiking", "Hangzhou"))
    assert "--yes" in capsys.readouterr().out
    assert f"{JOURNAL_FILE}.damaged-1.seen" in names(data)
    assert repaired(data) == 0


def test_an_agent_that_cannot_be_opened_is_talked_with_again(tmp_path: Path) -> None:
    data, folder = tmp_path / "data", tmp_path / "data" / "agents" / AGENT
    asyncio.run(told(data, "我养了一只猫 cat"))
    asyncio.run(told(data, "我喜欢爬山 hiking"))
    for file in (ARCHIVE_FILE, ARCHIVE_FILE + PREVIOUS_SUFFIX, JOURNAL_FILE):
        (folder / file).write_bytes(b"{}")
    (folder / (MEMORY_FILE + PREVIOUS_SUFFIX)).unlink()
    with pytest.raises(StoreDamaged):
        read_agent_state(folder)

    assert repaired(data) == 1
    assert repaired(data, "--yes") == 0

    after = asyncio.run(known(data))
    assert "cat" in after
    assert "hiking" in after
    assert repaired(data) == 0


async def told_of(data: Path, agent: str) -> None:
    async with open_memory(data, agent=agent, clock=SystemClock(), model=None) as mem:
        text = f"我喜欢爬山 {agent}"
        mem.remember([Message(id=text, at=NOON, speaker="Ann", role="user", text=text)])
        await mem.settled()


@pytest.mark.parametrize("text", [b"", b" ", b" " * 40, b"\0" * 4096, b"}}}", b"ab" + b" " * 19])
@pytest.mark.parametrize(
    ("more", "language"), [((JOURNAL_FILE,), "zh"), ((JOURNAL_FILE, ARCHIVE_FILE), "en")]
)
def test_files_with_nothing_in_them_are_begun_anew_and_hold_up_no_other_agent(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    text: bytes,
    more: tuple[str, ...],
    language: str,
) -> None:
    monkeypatch.setenv("LANGUAGE", language)
    data = tmp_path / "data"
    for agent in ("a", "b"):
        asyncio.run(told_of(data, agent))
    for name in (MEMORY_FILE, *more):
        for file in (name, name + PREVIOUS_SUFFIX):
            if (data / "agents" / "a" / file).is_file():
                (data / "agents" / "a" / file).write_bytes(text)
    (data / "agents" / "b" / MEMORY_FILE).write_bytes(b"garbage")
    before = contents(data)

    assert repaired(data) == 1
    assert contents(data) == before
    shown = capsys.readouterr().out
    assert ("没有一条记录读得出来" if language == "zh" else "no record can be read") in shown
    assert ("\nb：" if language == "zh" else "\nb:") in shown

    assert repaired(data, "--yes") == 0
    assert repaired(data) == 0
    asyncio.run(told_of(data, "a"))


@pytest.mark.parametrize(
    ("language", "nothing"), [("zh", "没有要找回的"), ("en", "nothing that is missing")]
)
def test_damage_that_healed_by_itself_leaves_nothing_to_bring_back(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    language: str,
    nothing: str,
) -> None:
    monkeypatch.setenv("LANGUAGE", language)
    data, folder = tmp_path / "data", tmp_path / "data" / "agents" / AGENT
    asyncio.run(told(data, "我喜欢爬山 hiking"))
    (folder / MEMORY_FILE).write_bytes(b"garbage" * 99)
    asyncio.run(known(data))

    assert repaired(data) == 1
    shown = capsys.readouterr().out
    assert nothing in shown
    assert "0" not in shown
    assert repaired(data, "--yes") == 0
    assert nothing in capsys.readouterr().out
    assert repaired(data) == 0


def test_an_agent_of_a_newer_program_holds_up_no_other_agent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    for agent in ("a", "b"):
        asyncio.run(told_of(data, agent))
    newer = data / "agents" / "a"
    for file in (MEMORY_FILE, ARCHIVE_FILE):
        (newer / file).unlink(missing_ok=True)
        (newer / (file + PREVIOUS_SUFFIX)).unlink(missing_ok=True)
    payload = b'{"schema":99,"next_id":1,"changes":[]}'
    (newer / JOURNAL_FILE).write_bytes(journal_line(1, payload))
    (data / "agents" / "b" / MEMORY_FILE).write_bytes(b"garbage" * 99)
    before = contents(newer)

    assert repaired(data, "--yes") == 1
    said = capsys.readouterr().out
    assert "记忆 a 读不出来" in said
    assert "先升级程序" in said
    assert "b：" in said
    assert contents(newer) == before


async def lived(data: Path) -> None:
    program = await ProgramRun(data).open()
    for number in range(40):
        await program.receive(f"{number}", f"第{number}句话")
        await program.wait_until_idle()
    await program.ledger.bindings.bind_chat(HOME, "tg-p-elsewhere")
    await program.close()


async def bound(data: Path) -> str:
    ledger = await Ledger.open(data, IDENTITIES)
    agent = await ledger.bindings.agent_id(HOME, private=True)
    await ledger.close()
    return agent


def test_a_broken_ledger_is_rebuilt_from_the_rows_that_can_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    asyncio.run(lived(data))
    file = data / FILE_NAME
    with sqlite3.connect(file) as connection:
        (page,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'owed_messages'"
        ).fetchone()
    connection.close()
    text = bytearray(file.read_bytes())
    text[(page - 1) * 4096 : page * 4096] = Random(1).randbytes(4096)
    file.write_bytes(text)
    with pytest.raises(StoreDamaged, match="repair"):
        asyncio.run(Database(file).open())

    assert repaired(data) == 1
    assert file.read_bytes() == text
    assert repaired(data, "--yes") == 0

    assert asyncio.run(bound(data)) == "tg-p-elsewhere"
    assert (data / f"{FILE_NAME}.damaged-1").is_file()
    assert "重建" in capsys.readouterr().out


def test_a_ledger_whose_own_words_cannot_be_read_is_refused_and_rebuilt(tmp_path: Path) -> None:
    """SQLite quotes them when it says what is wrong, in letters that are none."""
    data = tmp_path / "data"
    data.mkdir()
    asyncio.run(lived(data))
    file = data / FILE_NAME
    text = bytearray(file.read_bytes())
    text[text.index(b"CREATE TABLE conversations") + 9] = 0xA1
    file.write_bytes(text)
    (data / f"{FILE_NAME}.sums").unlink()
    with pytest.raises(StoreDamaged, match="repair"):
        asyncio.run(Database(file).open())

    assert repaired(data) == 1
    assert repaired(data, "--yes") == 0
    asyncio.run(Database(file).open())


async def planned_to_ring(data: Path) -> dict[int, datetime]:
    ledger = await Ledger.open(data, IDENTITIES)
    try:
        return {each.item: each.at for each in await ledger.wakes.due(NOON + timedelta(days=2))}
    finally:
        await ledger.close()


def test_what_is_to_ring_is_in_the_ledger_that_was_rebuilt(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    asyncio.run(lived(data))

    async def plan() -> None:
        ledger = await Ledger.open(data, IDENTITIES)
        await ledger.wakes.plan(AGENT, {7: NOON + timedelta(days=1)})
        await ledger.close()

    asyncio.run(plan())
    rows, _ = rebuild_ledger(data / FILE_NAME)

    assert rows
    assert asyncio.run(planned_to_ring(data)) == {7: NOON + timedelta(days=1)}


@pytest.mark.parametrize(
    ("language", "gone", "remedy"),
    [("zh", "收发记录", "放回去"), ("en", "the ledger", "put it back")],
)
def test_a_ledger_that_is_gone_is_told_with_what_to_do(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    language: str,
    gone: str,
    remedy: str,
) -> None:
    monkeypatch.setenv("LANGUAGE", language)
    data = tmp_path / "data"
    assert main(["doctor", "--data", str(data)]) == 0  # nothing was ever said here
    assert remedy not in capsys.readouterr().out
    asyncio.run(told(data, "我喜欢爬山 hiking"))
    asyncio.run(bound(data))
    (data / FILE_NAME).unlink()

    for order in ("doctor", "repair"):
        assert main([order, "--data", str(data)]) == (order == "doctor")
        said = capsys.readouterr().out
        assert gone in said
        assert remedy in said
        assert "/link" in said
    asyncio.run(bound(data))
    assert main(["doctor", "--data", str(data)]) == 0


async def test_a_ledger_begun_anew_is_no_damaged_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    await bound(data)
    (data / FILE_NAME).unlink()

    ledger = await Ledger.open(data, IDENTITIES)
    try:
        assert not ledger.damage.ledger.changed
    finally:
        await ledger.close()
    assert "begun anew" in caplog.text
    caplog.clear()

    await bound(data)
    assert not caplog.records


def test_what_runs_is_not_repaired(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lock = FolderLock.take(tmp_path / "data")
    assert repaired(tmp_path / "data", "--yes") == 1
    lock.release()
    assert "另一个程序正用着" in capsys.readouterr().err
