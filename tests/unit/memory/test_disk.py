"""Folders, their lock and their removal on a disk that may refuse any single call."""

import os
from pathlib import Path

import pytest

from memory.errors import StoreLocked, StoreUnwritable
from memory.stores.disk import (
    LOCK_FILE,
    REAL_DISK,
    REMOVAL_PREFIX,
    Disk,
    FolderLock,
    remove_folder,
    replace_file,
)
from tests.fakes.disks import FaultyDisk, HastyDisk, Killed, When, no_space
from tests.fakes.root import AS_ROOT


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


@AS_ROOT
def test_what_root_makes_belongs_to_whoever_owns_the_folder(tmp_path: Path) -> None:
    service, data = 61234, tmp_path / "home" / "data"
    data.parent.mkdir()
    os.chown(data.parent, service, service)

    REAL_DISK.make_folder(data / "agents")
    REAL_DISK.close(REAL_DISK.open(data / "agents" / "journal"))
    replace_file(REAL_DISK, data.parent / ".env", b"LANGUAGE=zh\n")
    replace_file(REAL_DISK, data.parent / ".env", b"LANGUAGE=en\n")

    made = [data, data / "agents", data / "agents" / "journal", data.parent / ".env"]
    assert {path.stat().st_uid for path in made} == {service}
    assert {path.stat().st_gid for path in made} == {service}
    assert (data.parent / ".env").stat().st_mode & 0o777 == 0o600


@AS_ROOT
def test_root_gives_away_no_file_that_stands_elsewhere_too(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("of root")
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    os.chown(theirs, 61234, 61234)
    os.link(tmp_path / "secret", theirs / "journal")
    (theirs / "other").write_text("of a third")
    os.chown(theirs / "other", 1234, 1234)

    REAL_DISK.close(REAL_DISK.open(theirs / "journal"))
    REAL_DISK.close(REAL_DISK.open(theirs / "other"))

    assert (tmp_path / "secret").stat().st_uid == 0
    assert (theirs / "other").stat().st_uid == 1234


def test_a_file_in_the_place_of_a_folder_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    (tmp_path / "data").chmod(0o644)
    with pytest.raises(FileExistsError):
        REAL_DISK.make_folder(tmp_path / "data")
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o644
