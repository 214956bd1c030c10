"""Backups that are made by themselves: which of them stay, and their copies elsewhere."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import orjson
import pytest

from memory.agents import AgentResources, Agents
from memory.changes import Drop, Put
from memory.errors import StoreUnwritable
from memory.model import AgentSettings, Memory
from memory.state import MemoryState
from memory.stores.backups import Backup, BackupRule, Backups
from memory.stores.codec import state_digest
from memory.stores.exports import export_bytes
from tests.builders import a_memory
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.waiting import until

STATE = MemoryState().apply([Put(a_memory(1))])[0]


def without_anything(state: MemoryState) -> MemoryState | None:
    """Take everything away but what keeps the file."""
    return state.apply([Drop(Memory, 1)])[0] if 1 in state.memories else None


@pytest.fixture
async def clock() -> FakeClock:
    return FakeClock(NOON)


@pytest.fixture
async def agents(tmp_path: Path, clock: FakeClock) -> AsyncIterator[Agents]:
    rule = BackupRule(daily=3, weekly=2, monthly=2, copies=tmp_path / "elsewhere")
    resources = AgentResources(clock=clock, model=None, defaults=AgentSettings(), backup_rule=rule)
    found = Agents(tmp_path / "data", resources)
    yield found
    await found.close()


def test_a_year_of_nights_keeps_days_weeks_and_months() -> None:
    nights = [
        Backup(name=f"{NOON + timedelta(days=day):%Y%m%d}", at=NOON + timedelta(days=day),
               cause="night", size=1)
        for day in range(400)
    ]  # fmt: skip

    stay = sorted(BackupRule().kept_nights(nights), reverse=True)

    last = NOON + timedelta(days=399)
    assert stay[:7] == [f"{last - timedelta(days=back):%Y%m%d}" for back in range(7)]
    # The newest week lies within the seven days, and so may the newest month and week before it.
    assert 7 + 3 + 4 <= len(stay) <= 7 + 3 + 5
    assert stay[-1][:6] == f"{last - timedelta(days=31 * 5):%Y%m}"


def test_keeping_night_by_night_keeps_what_keeping_at_once_does(tmp_path: Path) -> None:
    rule = BackupRule(daily=2, weekly=2, monthly=2)
    backups = Backups(tmp_path, "a", rule=rule)
    for day in range(70):
        backups.write(STATE, NOON + timedelta(days=day), "night")

    found = backups.list_all()

    assert {each.name for each in found} == rule.kept_nights(found)
    assert {(NOON + timedelta(days=69) - each.at).days for each in found} >= {0, 1}
    assert 4 <= len(found) <= 6


def test_what_no_reader_would_take_is_no_backup_and_pushes_none_out(tmp_path: Path) -> None:
    backups = Backups(tmp_path, "a", rule=BackupRule(kept=1))
    backups.write(STATE, NOON, "hand")
    memory = a_memory(2)
    odd = replace(memory, words=replace(memory.words, text="\x1b[31m"))

    with pytest.raises(StoreUnwritable, match="control characters"):
        backups.write(STATE.apply([Put(odd)])[0], NOON + timedelta(days=1), "hand")

    assert [each.at for each in backups.list_all()] == [NOON]


@pytest.mark.parametrize("state", [STATE, MemoryState()])
def test_an_export_written_row_by_row_is_the_json_of_the_whole(state: MemoryState) -> None:
    data = export_bytes(state, "a", NOON, proven=True)

    assert orjson.dumps(orjson.loads(data), option=orjson.OPT_INDENT_2) == data


def test_nights_and_what_a_person_asked_for_do_not_push_each_other_out(tmp_path: Path) -> None:
    backups = Backups(tmp_path, "a", rule=BackupRule(kept=1, daily=1, weekly=0, monthly=0))

    for day in range(3):
        backups.write(STATE, NOON + timedelta(days=day), "hand")
        backups.write(STATE, NOON + timedelta(days=day), "night")

    assert sorted(each.cause for each in backups.list_all()) == ["hand", "night"]


async def test_a_night_is_backed_up_once_and_holds_what_she_knows(
    agents: Agents, clock: FakeClock
) -> None:
    agent = await agents.get("ann")
    await agent.steer(lambda *_: [Put(a_memory(1))])

    first = await agents.back_up("ann")
    again = await agents.back_up("ann")
    clock.tick(hours=24)
    second = await agents.back_up("ann")

    assert first is not None
    assert again is None
    assert second is not None
    held = Backups(first.parents[2], "ann").read(second.name)
    assert state_digest(held.state) == state_digest(agent.state)


async def test_who_holds_nothing_is_not_backed_up(agents: Agents) -> None:
    await agents.get("ann")

    assert await agents.back_up("ann") is None


async def test_the_copies_are_the_backups_and_go_with_them(
    agents: Agents, clock: FakeClock, tmp_path: Path
) -> None:
    await (await agents.get("ann")).steer(lambda *_: [Put(a_memory(1))])
    for _ in range(9):
        await agents.back_up("ann")
        clock.tick(hours=24)

    def files(folder: Path) -> dict[str, bytes]:
        return {each.name: each.read_bytes() for each in folder.iterdir()}

    there = tmp_path / "elsewhere" / "ann"
    assert files(there) == files(tmp_path / "data" / "backups" / "ann")
    assert all(each.stat().st_mode & 0o777 == 0o600 for each in there.iterdir())

    await agents.discard("ann")

    await until(lambda: not there.exists())


def test_what_is_erased_from_backups_is_erased_from_the_copies(tmp_path: Path) -> None:
    rule = BackupRule(copies=tmp_path / "elsewhere")
    backups = Backups(tmp_path, "a", rule=rule)
    two = STATE.apply([Put(a_memory(2))])[0]
    made = backups.write(two, NOON, "night")
    before = (rule.copies or tmp_path).joinpath("a", made.name).read_bytes()

    assert backups.clean(without_anything, carry_out=True) == 1

    after = (rule.copies or tmp_path).joinpath("a", made.name).read_bytes()
    assert after != before
    assert after == (backups.folder / made.name).read_bytes()
    assert set(backups.read(made.name).state.memories) == {2}


def test_a_disk_that_is_away_costs_no_backup_and_is_caught_up(tmp_path: Path) -> None:
    away = tmp_path / "elsewhere"
    away.write_text("no folder: nothing can be made in it")
    backups = Backups(tmp_path, "a", rule=BackupRule(copies=away))

    made = backups.write(STATE, NOON, "night")
    assert backups.mirror() is False
    away.unlink()

    assert backups.mirror() is True
    assert (away / "a" / made.name).read_bytes() == (backups.folder / made.name).read_bytes()
