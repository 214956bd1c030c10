"""What a service manager is told, and how long a pipe waits."""

import asyncio
import socket
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from bot.adapters.console.presenter import write_private_file
from bot.app import App
from bot.cli.run import TerminalChat, _keep_telling_service, _serve_health
from bot.health import Health, Watched
from bot.settings import Settings
from bot.web import WebServer
from memory import refusals
from memory.errors import StoreUnwritable
from memory.ports import CommitTimes
from tests.fakes.clock import FakeClock
from tests.fakes.waiting import until


async def test_systemd_is_told_that_she_is_up_and_that_her_loop_turns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        monkeypatch.setenv("WATCHDOG_USEC", "30000")
        task = asyncio.create_task(_keep_telling_service())
        told: list[bytes] = []

        def heard_enough() -> bool:
            try:
                told.append(manager.recv(64))
            except BlockingIOError:
                return False
            return len(told) > 3

        await until(heard_enough)
        task.cancel()

    assert told == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1", b"WATCHDOG=1"]


async def test_an_address_that_is_taken_is_told_once_and_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        bind = f"127.0.0.1:{other.getsockname()[1]}"
        app = SimpleNamespace(health=Health(cast(Watched, None)), web=WebServer())

        await _serve_health(cast(App, app), bind)

    assert "HEALTH_BIND" in capsys.readouterr().out
    assert not caplog.records


async def test_where_no_service_manager_asks_nothing_is_kept_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)

    await _keep_telling_service()


def test_a_new_folder_of_exports_is_private_and_ignored_by_git(tmp_path: Path) -> None:
    file = write_private_file(tmp_path / "exports" / "a.json", b"{}")

    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert (file.parent / ".gitignore").read_text() == "*\n"


class FullDisk:
    """Stands for a running program whose memory takes nothing, while the ledger goes on owing."""

    def __init__(self) -> None:
        self.intake = self.agents = self
        self.commits = CommitTimes()

    async def wake_due(self, platforms: Sequence[str]) -> int:
        """Refuse one more commit of what is owed."""
        with pytest.raises(StoreUnwritable), self.commits.timed():
            raise StoreUnwritable(refusals.DISK_REFUSES)
        return len(platforms)


async def test_a_full_disk_ends_a_pipe_instead_of_being_tried_for_ever(tmp_path: Path) -> None:
    talk = TerminalChat(
        settings=Settings(data_dir=tmp_path), agent="local", offline=True, clock=FakeClock()
    )

    with pytest.raises(StoreUnwritable, match="free some disk space"):
        await talk._until_answered(cast(App, FullDisk()))
