"""A backup is whole or not there, wherever the disk fails or the process dies."""

import errno
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.conversation.ledger import Ledger
from bot.desk.services import DeskServices
from memory.agents import folder_of
from memory.changes import Put
from memory.errors import StoreError
from memory.state import MemoryState
from memory.stores.codec import state_digest
from memory.stores.file_store import FileStore
from memory.stores.recovery import read_agent_state
from memory.stores.snapshot import Backups
from tests.builders import a_memory
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
        backups = Backups(tmp_path, "a", kept=3, disk=FaultyDisk(fail_at=number, fault=fault))
        try:
            backups.write(second, NOON, "hand")
        except (StoreError, Killed):
            failed += 1
        sound = Backups(tmp_path, "a")
        held = [state_digest(sound.read(each.name).state) for each in sound.list_all()]
        assert held
        assert set(held) <= {state_digest(first), state_digest(second)}

    assert failed > 5
    assert len(Backups(tmp_path, "a", kept=3).list_all()) <= 4


class Doomed(DeskServices):
    """Its backups stand on a disk that fails."""

    disk: FaultyDisk

    def backups(self, agent_id: str) -> Backups:
        return Backups(self.data, agent_id, disk=self.disk)


@pytest.mark.parametrize("number", range(1, 40, 3))
async def test_a_restore_that_dies_left_everything_or_changed_everything(
    tmp_path: Path, number: int
) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    home = folder_of(tmp_path, "a")
    services = Doomed(ledger, tmp_path)
    services.disk = FaultyDisk()
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
