"""An erasure that the shell was told, and that was killed, is ended by the next start."""

from pathlib import Path

import pytest

from bot.adapters import identities_of
from bot.conversation.messages import read_command
from bot.data_folder import DataFolder, open_data_folder, open_storage
from bot.desk.caller import CommandRequest
from bot.desk.desk import Desk
from bot.desk.documents import Document
from bot.desk.services import desk_services, orders_noted
from bot.settings import Settings
from memory.stores.backups import Backups
from memory.stores.disk import REAL_DISK
from tests.fakes.clock import FakeClock
from tests.fakes.desk import commands

BACKUPS = 4


class Killed(BaseException):
    """Stands for ``kill -9``: nothing in the program runs after it but what unwinds."""


async def asks(folder: DataFolder, settings: Settings, clock: FakeClock, line: str) -> Document:
    services = desk_services(folder.ledger, settings)
    agent = await folder.agents.get("a")
    command = read_command(line)
    assert command is not None
    request = CommandRequest(command=command, agent_id="a")
    return await Desk(folder.agents.get, clock, services).carry_out(request, agent.state, agent)


def files_with(folder: Path, word: str) -> list[str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return [path.name for path in files if word.encode() in path.read_bytes()]


@pytest.mark.parametrize(
    ("kept", "erased", "word"),
    [
        ("我住在杭州", "我的同事何苗很爱笑", "何苗"),
        ("I live in Oslo", "my colleague Aoife laughs a lot", "Aoife"),
    ],
)
async def test_a_killed_erasure_is_ended_by_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: str, erased: str, word: str
) -> None:
    settings, clock = Settings(data_dir=tmp_path), FakeClock()
    async with (
        open_storage(settings) as storage,
        open_data_folder(storage, clock, identities_of(), offline=True) as folder,
    ):
        for text in (kept, erased):
            await asks(folder, settings, clock, f"/remember {text}")
        for _ in range(BACKUPS):
            clock.tick(hours=1)
            await asks(folder, settings, clock, "/backup")
        (confirming,) = commands(await asks(folder, settings, clock, f"/forget {word}"))
        put, written = Backups._put, 0

        def killed(self: Backups, *given: object) -> None:
            nonlocal written
            written += 1
            if written > BACKUPS // 2:
                raise Killed
            put(self, *given)  # type: ignore[arg-type]

        monkeypatch.setattr(Backups, "_put", killed)
        with pytest.raises(Killed):
            await asks(folder, settings, clock, confirming)
        monkeypatch.setattr(Backups, "_put", put)

    assert orders_noted(tmp_path, REAL_DISK)
    assert len(files_with(tmp_path / "backups", word)) == BACKUPS // 2
    async with (
        open_storage(settings) as storage,
        open_data_folder(storage, clock, identities_of(), offline=True) as folder,
    ):
        state = (await folder.agents.get("a")).state

    assert [m.words.text for m in state.memories.values() if m.is_fact] == [kept]
    assert files_with(tmp_path, word) == []
    assert not orders_noted(tmp_path, REAL_DISK)
