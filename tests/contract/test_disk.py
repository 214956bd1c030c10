"""What every disk promises the stores: files of a folder, and rows of a server alike."""

from collections.abc import Callable
from pathlib import Path

import pytest

from memory.stores.disk import REAL_DISK, Disk, replace_file, write_all

Reopen = Callable[[], Disk]
"""Return the disk; again, as after a restart."""


@pytest.fixture(params=["folder", "server"])
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Reopen:
    if request.param == "folder":
        return lambda: REAL_DISK
    open_disk: Callable[[Path], Disk] = request.getfixturevalue("open_disk")
    return lambda: open_disk(tmp_path)


@pytest.fixture
def home(reopen: Reopen, tmp_path: Path) -> Path:
    folder = tmp_path / "agents" / "ann"
    reopen().make_folder(folder)
    return folder


def test_what_was_synced_is_there_after_a_restart(reopen: Reopen, home: Path) -> None:
    disk = reopen()
    file = disk.open(home / "journal")
    for part in (b"one\n", b"", b"two\n"):
        write_all(disk, file, part)
        disk.sync(file)

    again = reopen()

    assert again.read(home / "journal") == b"one\ntwo\n" == bytes(again.map(home / "journal"))
    assert again.size(home / "journal") == 8
    disk.close(file)


def test_a_file_that_is_opened_again_goes_on_at_its_end(reopen: Reopen, home: Path) -> None:
    for text in (b"first ", b"second"):
        disk = reopen()
        file = disk.open(home / "journal")
        disk.write(file, text)
        disk.close(file)

    assert reopen().read(home / "journal") == b"first second"


@pytest.mark.parametrize("length", [0, 3, 4, 6, 8, 11])
def test_a_file_is_cut_wherever_asked(reopen: Reopen, home: Path, length: int) -> None:
    disk = reopen()
    file = disk.open(home / "journal")
    for text in (b"abcd", b"efgh", b"ijk"):
        disk.write(file, text)
        disk.sync(file)

    disk.truncate(file, length)
    disk.write(file, b"!")
    disk.sync(file)
    disk.close(file)

    assert disk.read(home / "journal") == b"abcdefghijk"[:length] + b"!"


def test_a_file_is_replaced_and_renamed_whole(reopen: Reopen, home: Path) -> None:
    disk = reopen()
    large = b"x" * 3_000_000
    replace_file(disk, home / "memory.json", b"old")
    replace_file(disk, home / "memory.json", large)
    disk.replace(home / "memory.json", home / "memory.json.bak")

    assert disk.read(home / "memory.json") is None
    assert disk.read(home / "memory.json.bak") == large
    assert disk.names(home) == {"memory.json.bak"}
    with pytest.raises(FileNotFoundError):
        disk.replace(home / "memory.json", home / "other")


def test_a_file_opened_empty_has_nothing_of_what_it_held(reopen: Reopen, home: Path) -> None:
    disk = reopen()
    replace_file(disk, home / "a", b"before")
    disk.close(disk.open(home / "a", empty=True))

    assert disk.read(home / "a") == b""


def test_a_folder_is_renamed_and_removed_with_all_it_holds(reopen: Reopen, home: Path) -> None:
    disk = reopen()
    for name in ("journal", "memory.json"):
        replace_file(disk, home / name, name.encode())
    away = home.with_name(".leaving-ann")

    disk.replace(home, away)

    assert not disk.is_folder(home)
    assert disk.is_folder(away)
    assert disk.names(home.parent) == {".leaving-ann"}
    assert disk.read(away / "journal") == b"journal"
    disk.remove(away)
    disk.remove(away)
    assert disk.names(home.parent) == frozenset()


def test_agents_are_known_by_name_and_no_name_is_taken_for_another(
    reopen: Reopen, home: Path
) -> None:
    disk = reopen()
    for agent in ("ann", "ann-2", "ann0"):
        disk.make_folder(home.with_name(agent))
        replace_file(disk, home.with_name(agent) / "journal", agent.encode())

    disk.remove(home)

    assert reopen().names(home.parent) == disk.names(home.parent) == {"ann-2", "ann0"}
    assert disk.read(home.with_name("ann-2") / "journal") == b"ann-2"


def test_a_lock_has_one_owner_until_it_is_closed(reopen: Reopen, home: Path) -> None:
    one, other = reopen(), reopen()
    lock = one.lock(home / "lock")

    with pytest.raises(BlockingIOError):
        other.lock(home / "lock")
    one.close(lock)
    other.close(other.lock(home / "lock"))


def test_what_is_outside_the_agents_stays_in_the_file_system(
    reopen: Reopen, tmp_path: Path
) -> None:
    disk = reopen()
    replace_file(disk, tmp_path / "clock.json", b"{}")
    disk.make_folder(tmp_path / "copies" / "ann")
    replace_file(disk, tmp_path / "copies" / "ann" / "night.json", b"[]")

    assert (tmp_path / "clock.json").read_bytes() == b"{}" == disk.read(tmp_path / "clock.json")
    assert disk.names(tmp_path / "copies" / "ann") == {"night.json"}
    assert disk.size(tmp_path / "clock.json") == 2
    disk.sweep(tmp_path / "copies" / "ann")
    disk.remove(tmp_path / "copies")
    assert not disk.is_folder(tmp_path / "copies")
