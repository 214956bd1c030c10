"""Folders, their lock and their removal on a disk that may refuse any single call."""

from pathlib import Path

import pytest

from memory.errors import StoreLocked, StoreUnwritable
from memory.stores.disk import (
    LOCK_FILE,
    REMOVAL_PREFIX,
    Disk,
    FolderLock,
    remove_folder,
)
from tests.fakes.disks import FaultyDisk, HastyDisk, Killed, When, no_space


def filled(folder: Path) -> Path:
    (folder / "inner").mkdir(parents=True)
    (folder / "inner" / "words").write_text("主人的话", encoding="utf-8")
    return folder


def test_every_new_folder_is_made_durable_from_the_outside_in(tmp_path: Path) -> None:
    disk = FaultyDisk(inner=HastyDisk())
    disk.make_folder(tmp_path / "data" / "agents" / "a")

    assert disk.calls == ["sync_folder"] * 3
    disk.make_folder(tmp_path / "data" / "agents" / "a")
    assert len(disk.calls) == 3, "what is there is not made again"


@pytest.mark.parametrize(("number", "call"), [(1, "sync_folder"), (2, "sync_folder"), (3, "open")])
def test_a_folder_that_cannot_be_made_durable_is_not_owned(
    tmp_path: Path, number: int, call: str
) -> None:
    folder = tmp_path / "data" / "a"
    disk = FaultyDisk(number, no_space, inner=HastyDisk())

    with pytest.raises(StoreUnwritable, match="disk is full"):
        FolderLock.take(folder, disk)

    assert disk.calls[-1] == call
    FolderLock.take(folder).release()


def test_a_lock_whose_file_cannot_be_closed_is_free_all_the_same(tmp_path: Path) -> None:
    disk = FaultyDisk(inner=HastyDisk())
    lock = FolderLock.take(tmp_path, disk)
    with pytest.raises(StoreLocked):
        FolderLock.take(tmp_path)

    disk.fail_at, disk.fault = len(disk.calls) + 1, no_space
    lock.release()

    FolderLock.take(tmp_path).release()
    assert (tmp_path / LOCK_FILE).exists()


def test_a_removal_that_dies_leaves_no_half_folder_and_goes_on(tmp_path: Path) -> None:
    """The folder is whole under its own name, or not to be found under it at all."""
    moments: list[When] = ["before", "after"]
    for number in range(1, 4):
        for when in moments:
            folder = filled(tmp_path / f"agent-{number}-{when}")
            disk = FaultyDisk(number, Killed, when=when, inner=HastyDisk())
            with pytest.raises(Killed):
                remove_folder(folder, disk)
            whole = (folder / "inner" / "words").exists()
            assert whole or not folder.exists()

            remove_folder(folder)

            assert not folder.exists()
            assert not folder.with_name(f"{REMOVAL_PREFIX}{folder.name}").exists()


def test_a_disk_that_refuses_to_remove_is_said(tmp_path: Path) -> None:
    folder = filled(tmp_path / "a")

    with pytest.raises(StoreUnwritable, match="disk is full"):
        remove_folder(folder, FaultyDisk(2, no_space, inner=HastyDisk()))

    assert (folder / "inner" / "words").exists()


def test_a_link_to_a_folder_is_removed_and_not_followed(tmp_path: Path) -> None:
    folder = filled(tmp_path / "elsewhere")
    (tmp_path / "link").symlink_to(folder)

    Disk().remove(tmp_path / "link")
    Disk().remove(tmp_path / "nothing")

    assert (folder / "inner" / "words").exists()
    assert not (tmp_path / "link").is_symlink()
