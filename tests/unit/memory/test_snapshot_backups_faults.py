"""A backup is whole or not there, wherever the disk fails or the process dies."""

import errno
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Literal

import pytest

from bot.conversation.ledger import Ledger
from bot.desk.services import DeskServices
from memory.agents import folder_of
from memory.changes import DiaryLine, Put
from memory.errors import StoreError
from memory.lifecycle.effects import without_words_before
from memory.state import MemoryState
from memory.stores.backups import BackupRule, Backups
from memory.stores.codec import state_digest
from memory.stores.file_store import FileStore
from memory.stores.recovery import read_agent_state
from tests.builders import a_memory, a_message
from tests.fakes.clock import NOON
from tests.fakes.desk import DeskSession
from tests.fakes.disks import FaultyDisk, Killed
from tests.fakes.platforms import IDENTITIES

FULL = OSError(errno.ENOSPC, "full")
MOST = 60


def remembering(*texts: str) -> MemoryState:
    memories = [a_memory(number, text) for number, text in enumerate(texts, 1)]
    return MemoryState().apply(map(Put, memories))[0]


@pytest.mark.parametrize("fault", [lambda: FULL, Killed], ids=["full", "killed"])
def test_every_backup_that_is_listed_is_whole(
    tmp_path: Path, fault: Callable[[], BaseException]
) -> None:
    first, second = remembering("我喜欢猫"), remembering("我喜欢猫", "我喜欢茶")
    Backups(tmp_path, "a").write(first, NOON, "hand")
    failed = 0
    for number in range(1, MOST):
        backups = Backups(
            tmp_path, "a", rule=BackupRule(kept=3), disk=FaultyDisk(fail_at=number, fault=fault)
        )
        try:
            backups.write(second, NOON, "hand")
        except (StoreError, Killed):
            failed += 1
        sound = Backups(tmp_path, "a")
        held = [state_digest(sound.read(each.name).state) for each in sound.list_all()]
        assert held
        assert set(held) <= {state_digest(first), state_digest(second)}

    assert failed > 5
    assert len(Backups(tmp_path, "a", rule=BackupRule(kept=3)).list_all()) <= 4


@pytest.mark.parametrize("number", range(1, 40, 3))
async def test_a_restore_that_dies_left_everything_or_changed_everything(
    tmp_path: Path, number: int
) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    home = folder_of(tmp_path, "a")
    services = DeskServices(ledger, tmp_path, disk=FaultyDisk())
    async with DeskSession(store=FileStore(home), services=services) as session:
        await session.ask("/remember 我喜欢猫")
        await session.ask("/backup")
        then = state_digest(session.state)
        await session.ask("/remember 我喜欢茶")
        before = state_digest(session.state)
        preview = await session.ask("/restore_backup 1")
        services.disk = FaultyDisk(fail_at=number, fault=Killed)
        try:
            await session.press(preview)
        except Killed:
            assert state_digest(read_agent_state(home)) == before
        now = state_digest(read_agent_state(home))
    await ledger.close()
    kept = [
        state_digest(b.read(each.name).state)
        for b in [Backups(tmp_path, "a")]
        for each in b.list_all()
    ]
    assert now in {before, then}
    assert then in kept
    assert now == before or before in kept, "there is a way back"


OLD_WORDS = "团子是一只橘猫"
BEFORE = NOON - timedelta(days=30)


def saying(*texts: str) -> MemoryState:
    """Return a state with a line for each text, the first of them a year old."""
    lines = [
        DiaryLine(message=replace(a_message(f"m{n}", text), at=NOON), number=n)
        for n, text in enumerate(texts, start=1)
    ]
    year_old = replace(lines[0].message, at=NOON - timedelta(days=365))
    lines[0] = replace(lines[0], message=year_old)
    return remembering("我喜欢猫").apply(map(Put, lines))[0]


@pytest.mark.parametrize(
    ("fault", "when"), [(lambda: FULL, "before"), (Killed, "before"), (Killed, "after")]
)
def test_retention_cut_short_leaves_every_backup_whole_and_is_done_by_the_next_night(
    tmp_path: Path, fault: Callable[[], BaseException], when: Literal["before", "after"]
) -> None:
    full = saying(OLD_WORDS, "明天面试")
    short = without_words_before(full, BEFORE)
    assert short is not None
    whole = {state_digest(full), state_digest(short)}
    shorten = partial(without_words_before, before=BEFORE)
    for number in range(1, MOST):
        data = tmp_path / f"{number}"
        for days in (1, 2):
            Backups(data, "a").write(full, NOON - timedelta(days=days), "hand")
        disk = FaultyDisk(fail_at=number, fault=fault, when=when)
        try:
            Backups(data, "a", disk=disk).clean(shorten, carry_out=True, unread_before=BEFORE)
        except (StoreError, Killed):
            pass
        else:
            break
        sound = Backups(data, "a")
        held = [state_digest(sound.read(each.name).state) for each in sound.list_all()]
        assert len(held) == 2
        assert set(held) <= whole

        sound.clean(shorten, carry_out=True, unread_before=BEFORE)
        held = [state_digest(sound.read(each.name).state) for each in sound.list_all()]
        assert held == [state_digest(short)] * 2
        # Also in what the first attempt left half done.
        files = [file.read_bytes() for file in sound.folder.iterdir()]
        assert not any(OLD_WORDS.encode() in each for each in files)

    assert 10 < number < MOST - 1


def test_a_night_deletes_no_backup_it_cannot_read_before_its_words_are_too_old(
    tmp_path: Path,
) -> None:
    backups = Backups(tmp_path, "a")
    for days in (10, 50):
        made = backups.write(saying("早", "晚"), NOON - timedelta(days=days), "hand")
        (backups.folder / made.name).write_bytes(b"{damaged")
    shorten = partial(without_words_before, before=BEFORE)
    found = backups.clean(shorten, carry_out=True, unread_before=BEFORE)

    assert found == 1
    assert [each.at for each in backups.list_all()] == [NOON - timedelta(days=10)]
