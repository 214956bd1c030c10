"""The nights: when they are woken, and what the owner has done with their backups."""

from datetime import datetime
from pathlib import Path

import pytest

from bot.app import App
from bot.nights import run_command
from tests.fakes.clock import FakeClock
from tests.fakes.two_chats import TELEGRAM, two_chats


def woken(app: App, agent_id: str) -> datetime:
    """Return when the next night of an agent is woken."""
    at = app.nights.jobs._scheduler.get_job(f"night {agent_id}").next_run_time
    assert isinstance(at, datetime)
    return at


async def test_the_night_follows_an_agent_into_another_time_zone(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock()) as ann:
        await ann.says(TELEGRAM, "我喜欢下雨")
        agent_id = await ann.app.bindings.agent_id(TELEGRAM, private=True)
        await ann.app.nights.catch_up(agent_id)
        await ann.settled()
        before = woken(ann.app, agent_id)
        await ann.told(TELEGRAM, "/memory settings 时区 America/New_York")
        await ann.presses(TELEGRAM)
        await ann.plans()
        after = woken(ann.app, agent_id)
        await ann.told(TELEGRAM, "/undo")
        await ann.presses(TELEGRAM)
        await ann.plans()

        assert before.hour == after.hour == 4
        assert str(before.tzinfo) == "Asia/Shanghai"
        assert str(after.tzinfo) == "America/New_York"
        assert str(woken(ann.app, agent_id).tzinfo) == "Asia/Shanghai"


async def test_an_agent_whose_nights_the_ledger_holds_is_not_woken_here(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock()) as ann:
        await ann.says(TELEGRAM, "我喜欢下雨")
        agent_id = await ann.app.bindings.agent_id(TELEGRAM, private=True)
        await ann.told(TELEGRAM, "/memory settings 时区 America/New_York")
        await ann.presses(TELEGRAM)
        await ann.plans()

        assert ann.app.nights.jobs._scheduler.get_job(f"night {agent_id}") is None


async def test_a_command_of_the_owners_gets_the_file_and_its_failure_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "a b.json"
    file.write_text("kept")

    assert await run_command("COPY", f"cp {file.parent}/'a b.json' ", str(tmp_path / "copy"))
    assert not await run_command("COPY", "cp", str(tmp_path / "none"), str(tmp_path / "there"))
    assert not await run_command("COPY", "no-such-program-here")

    assert (tmp_path / "copy").read_text() == "kept"
    assert "COPY failed: status 1" in caplog.text
    assert str(tmp_path) not in caplog.text
