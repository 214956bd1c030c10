"""Backups that are made by themselves: which of them stay, and their copies elsewhere."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from shutil import copytree, rmtree
from typing import get_args

import orjson
import pytest

from memory.agents import AgentResources, Agents
from memory.changes import Drop, Put
from memory.errors import StoreUnwritable
from memory.model import AgentSettings, Memory
from memory.state import MemoryState
from memory.stores.backups import COPIES_MARK, Backup, BackupCause, BackupRule, Backups
from memory.stores.codec import state_digest
from memory.stores.exports import LARGEST_EXPORT, export_bytes, read_export
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


def two_installations(among: Path) -> tuple[Backups, Backups]:
    """Return the backups of one agent each of two data folders, copied to one folder."""
    rule = BackupRule(copies=among / "elsewhere")
    return Backups(among / "one", "local", rule=rule), Backups(among / "two", "local", rule=rule)


def names_below(folder: Path) -> set[str]:
    return {each.name for each in folder.rglob("*-night.json")}


def test_two_installations_with_one_folder_keep_their_copies_apart(tmp_path: Path) -> None:
    one, two = two_installations(tmp_path)

    made = [
        each.write(STATE, NOON + timedelta(days=day, minutes=minutes), "night").name
        for day in range(3)
        for minutes, each in enumerate((one, two))
    ]

    assert names_below(tmp_path / "elsewhere") == set(made)
    # Whoever looks for the copies of a terminal finds them by its name.
    assert {each.name for each in (tmp_path / "elsewhere").iterdir()} == {"local", "local-2"}


def test_two_installations_at_one_instant_keep_their_copies_apart(tmp_path: Path) -> None:
    one, two = two_installations(tmp_path)
    one.write(STATE, NOON, "night")
    two.write(STATE.apply([Put(a_memory(2))])[0], NOON, "night")

    assert one.mirror()
    assert two.mirror()

    assert len([*(tmp_path / "elsewhere").rglob("*-night.json")]) == 2
    assert one.copies.place() != two.copies.place()


def test_what_one_installation_erases_or_discards_leaves_the_copies_of_the_other(
    tmp_path: Path,
) -> None:
    one, two = two_installations(tmp_path)
    kept = one.write(STATE.apply([Put(a_memory(2))])[0], NOON, "night").name
    two.write(STATE, NOON + timedelta(minutes=1), "night")
    place = one.copies.place()

    assert two.clean(without_anything, carry_out=True) == 1
    two.discard()

    assert names_below(tmp_path / "elsewhere") == {kept}
    assert place is not None
    assert (place / kept).read_bytes() == (one.folder / kept).read_bytes()
    one.discard()
    assert not names_below(tmp_path / "elsewhere")
    assert not one.folder.exists()


def test_a_data_folder_that_is_moved_or_brought_back_whole_keeps_its_place(tmp_path: Path) -> None:
    one, two = two_installations(tmp_path)
    first = one.write(STATE, NOON, "night").name
    two.write(STATE, NOON, "night")
    place = two.copies.place()
    (tmp_path / "two").rename(tmp_path / "moved")
    moved = Backups(tmp_path / "moved", "local", rule=BackupRule(copies=tmp_path / "elsewhere"))

    moved.write(STATE, NOON + timedelta(days=1), "night")

    assert moved.copies.place() == place
    assert one.copies.place() == tmp_path / "elsewhere" / "local"
    assert {each.name for each in (tmp_path / "elsewhere").iterdir()} == {"local", "local-2"}
    assert (tmp_path / "elsewhere" / "local" / first).exists()


def test_a_second_installation_from_a_copy_has_a_place_of_its_own_once_its_mark_is_gone(
    tmp_path: Path,
) -> None:
    one, two = two_installations(tmp_path)
    first = one.write(STATE, NOON, "night").name
    copytree(tmp_path / "one", tmp_path / "two")
    (two.folder / COPIES_MARK).unlink()

    second = two.write(STATE, NOON + timedelta(days=1), "night").name

    assert names_below(tmp_path / "elsewhere" / "local") == {first}
    assert names_below(tmp_path / "elsewhere" / "local-2") == {first, second}


def test_a_new_memory_after_a_loss_leaves_the_copies_of_the_lost_one(tmp_path: Path) -> None:
    one, two = two_installations(tmp_path)
    lost = one.write(STATE, NOON, "night").name
    rmtree(tmp_path / "one")

    two.write(STATE, NOON + timedelta(days=1), "night")

    held = tmp_path / "elsewhere" / "local" / lost
    assert read_export(held.read_bytes(), LARGEST_EXPORT, laws=None).state.memories


def test_copies_of_before_places_were_marked_are_pruned_and_erased_as_ever(
    tmp_path: Path,
) -> None:
    rule = BackupRule(daily=1, weekly=0, monthly=0, copies=tmp_path / "elsewhere")
    backups = Backups(tmp_path, "local", rule=rule)
    first = backups.write(STATE, NOON, "night").name
    place = tmp_path / "elsewhere" / "local"
    for each in (*place.iterdir(), *backups.folder.iterdir()):
        if not each.name.endswith("-night.json"):
            each.unlink()  # as it was

    assert backups.copies.place() == place
    second = backups.write(STATE, NOON + timedelta(days=1), "night").name

    assert first not in names_below(place)
    assert names_below(place) == {second}
    assert backups.clean(without_anything, carry_out=True) == 1
    assert not names_below(place)


def test_copies_of_another_installation_of_before_are_left(tmp_path: Path) -> None:
    one, two = two_installations(tmp_path)
    theirs = one.write(STATE, NOON, "night").name
    for each in (tmp_path / "elsewhere" / "local").iterdir():
        if not each.name.endswith("-night.json"):
            each.unlink()

    two.write(STATE, NOON + timedelta(minutes=1), "night")

    assert theirs in names_below(tmp_path / "elsewhere" / "local")


def test_copies_that_begin_anew_are_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    one, _ = two_installations(tmp_path)
    one.write(STATE, NOON, "night")
    assert not caplog.records
    assert not one.copies.are_away()
    rmtree(tmp_path / "elsewhere")  # its disk is not mounted any more

    assert one.copies.are_away()
    one.write(STATE, NOON + timedelta(days=1), "night")

    assert "begin anew" in caplog.text
    assert not one.copies.are_away()


def test_backups_of_the_future_push_none_of_the_present_out(tmp_path: Path) -> None:
    rule = BackupRule(kept=2, daily=3, weekly=0, monthly=0)
    backups = Backups(tmp_path, "a", rule=rule)
    ahead = NOON + timedelta(days=3000)
    for day in range(4):
        for cause in get_args(BackupCause):
            backups.write(STATE, ahead + timedelta(days=day), cause)

    for day in range(5):
        for cause in get_args(BackupCause):
            backups.write(STATE, NOON + timedelta(days=day), cause)

    found = [each for each in backups.list_all() if each.at < ahead]
    nights = [(each.at - NOON).days for each in found if each.cause == "night"]
    assert nights == [4, 3, 2]
    assert [(each.at - NOON).days for each in found if each.cause == "hand"] == [4, 3]
    # And what was written while the clock ran ahead is not lost either: it may be the truth.
    assert len([each for each in backups.list_all() if each.at >= ahead]) == 3 + 3 * 2


def test_a_night_is_due_by_the_newest_backup_that_is_not_of_the_future(tmp_path: Path) -> None:
    backups = Backups(tmp_path, "a")
    backups.write(STATE, NOON + timedelta(days=3000), "night")

    assert backups.is_night_due(NOON)
    backups.write(STATE, NOON, "night")

    assert not backups.is_night_due(NOON + timedelta(hours=1))
    assert backups.is_night_due(NOON + timedelta(hours=24))
