"""Where nothing was acknowledged a folder opens as new; where something was, never."""

import logging
from collections.abc import Callable
from pathlib import Path

import pytest

from memory.errors import StoreDamaged, StoreUnwritable
from memory.state import MemoryState
from memory.stores.codec import Commit, encode_commit
from memory.stores.disk import LOCK_FILE, Disk
from memory.stores.file_store import FileStore
from memory.stores.folder import StoreFolder
from memory.stores.journal import JOURNAL_FILE, journal_line
from memory.stores.journal_file import BEGUN, BLANK
from memory.stores.recovery import read_agent_state, restore
from memory.stores.snapshot import ARCHIVE_FILE, MEMORY_FILE, PREVIOUS_SUFFIX
from tests.fakes.disks import FaultyDisk, HastyDisk, bad_sector
from tests.store_work import commit, commits_in, life

CHANGES, AFTER = commit(1, MemoryState())
FIRST = journal_line(1, encode_commit(Commit(CHANGES, AFTER.next_id)))
HALF = len(FIRST) // 2

HALF_MADE = {
    "zeros to the full length": {JOURNAL_FILE: FIRST[:HALF] + bytes(len(FIRST) - HALF)},
    "half a header and zeros": {JOURNAL_FILE: FIRST[:9] + bytes(len(FIRST) - 9)},
    "zeros only": {JOURNAL_FILE: bytes(len(FIRST))},
    "its first page lost": {JOURNAL_FILE: bytes(HALF) + FIRST[HALF:]},
    "cut short": {JOURNAL_FILE: FIRST[:HALF]},
    "garbage of one line": {JOURNAL_FILE: b"garbage\n"},
    "garbage of many lines": {JOURNAL_FILE: "乱码\ngarbage\n\n".encode() * 40},
    "an empty snapshot": {MEMORY_FILE: b""},
    "snapshots that are none": {MEMORY_FILE: b"{}", ARCHIVE_FILE + PREVIOUS_SUFFIX: bytes(80)},
    "unfinished files": {JOURNAL_FILE + ".tmp": FIRST[:HALF], MEMORY_FILE + ".tmp": b"{\n"},
    "everything at once": {
        JOURNAL_FILE: FIRST[:HALF],
        MEMORY_FILE: b"",
        ARCHIVE_FILE: b"",
        MEMORY_FILE + ".tmp": b"{\n",
        ARCHIVE_FILE + ".tmp": b"",
    },
}


@pytest.fixture(params=["小祥-主人", "tg-p-2"])
def home(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    path = tmp_path / str(request.param)
    path.mkdir()
    return path


def opened(path: Path, disk: Disk | None = None) -> StoreFolder:
    """Open a folder and let go of it again, with everything in it as it is then."""
    folder = StoreFolder(path, disk or HastyDisk())
    folder.close()
    return folder


def lived(path: Path, commits: int) -> None:
    """Live on for some commits without ever folding, and end as a kill ends it."""
    folder = StoreFolder(path, HastyDisk())
    for _ in range(commits):
        changes, state = commit(commits_in(folder.state) + 1, folder.state)
        folder.append(Commit(changes, state.next_id), state)
    folder.close()


def folded(path: Path) -> None:
    folder = StoreFolder(path, HastyDisk())
    for _ in folder.fold():
        pass
    folder.close()


def content(path: Path) -> dict[str, bytes]:
    return {entry.name: entry.read_bytes() for entry in path.iterdir()}


def write(path: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        (path / name).write_bytes(data)


@pytest.mark.parametrize("files", HALF_MADE.values(), ids=HALF_MADE)
def test_a_folder_of_half_made_files_opens_as_new_keeps_them_and_says_so_once(
    home: Path, files: dict[str, bytes], caplog: pytest.LogCaptureFixture
) -> None:
    opened(home)
    write(home, files)

    with caplog.at_level(logging.INFO):
        assert opened(home).state == MemoryState()

    found = content(home)
    kept = {name: data for name, data in found.items() if ".half-made-" in name}
    assert sorted(kept.values()) == sorted(files.values())
    assert found.keys() - kept.keys() == {BLANK, JOURNAL_FILE}
    assert found[JOURNAL_FILE] == b""
    [said] = caplog.messages
    assert f"{home.name} opened as new: nothing was acknowledged in it" in said
    assert all(name in said for name in kept)
    assert "拉面" not in caplog.text


@pytest.mark.parametrize("files", HALF_MADE.values(), ids=HALF_MADE)
def test_after_a_half_made_beginning_life_goes_on_as_any_other(
    home: Path, files: dict[str, bytes], caplog: pytest.LogCaptureFixture
) -> None:
    opened(home)
    for _ in range(3):
        write(home, files)
        assert read_agent_state(home) == opened(home).state == MemoryState()
    with caplog.at_level(logging.INFO):
        caplog.clear()
        lived(home, 3)
        folder = StoreFolder(home, HastyDisk())
        for _ in folder.fold():
            pass
        folder.close()

    assert opened(home).state == read_agent_state(home) == life(3)[3]
    assert not opened(home).needs_fold
    assert caplog.messages == []


@pytest.mark.parametrize(
    "names", [set(), {LOCK_FILE}, {JOURNAL_FILE}, {LOCK_FILE, JOURNAL_FILE}, {LOCK_FILE, BLANK}]
)
def test_a_folder_that_was_only_just_made_is_new_and_nothing_is_said(
    home: Path, names: set[str], caplog: pytest.LogCaptureFixture
) -> None:
    write(home, dict.fromkeys(names, b""))

    assert opened(home).state == MemoryState()

    assert content(home).keys() == names | {JOURNAL_FILE, BLANK}
    assert caplog.messages == []


def test_a_first_line_that_an_earlier_program_left_cut_short_is_kept_aside(home: Path) -> None:
    write(home, {JOURNAL_FILE: FIRST[:HALF]})

    assert opened(home).state == MemoryState()

    assert (home / f"{JOURNAL_FILE}.half-made-1").read_bytes() == FIRST[:HALF]


def test_looking_at_half_made_files_shows_nothing_and_touches_nothing(home: Path) -> None:
    opened(home)
    write(home, HALF_MADE["everything at once"])
    before = content(home)

    assert read_agent_state(home) == MemoryState()

    assert content(home) == before


async def test_a_store_over_half_made_files_folds_scrubs_and_closes(home: Path) -> None:
    opened(home)
    write(home, HALF_MADE["everything at once"])
    store = FileStore(home, disk=HastyDisk())
    assert await store.load() == MemoryState()
    await store.fold()
    await store.append(CHANGES, AFTER)

    await store.scrub()
    await store.close()

    assert read_agent_state(home) == AFTER
    assert not [name for name in content(home) if ".half-made-" in name]


DAMAGE: dict[str, Callable[[bytes], bytes | None]] = {
    "gone": lambda data: None,
    "emptied": lambda data: b"",
    "cut in its first line": lambda data: data[:HALF],
    "cut in its first header": lambda data: data[:9],
    "cut before its first line break": lambda data: data[: data.index(b"\n")],
    "zeroed": lambda data: bytes(len(data)),
    "zeroed from the middle of its first line": lambda data: data[:HALF] + bytes(len(data) - HALF),
    "garbage": lambda data: b"garbage\n",
}


@pytest.mark.parametrize("commits", [1, 2, 9])
@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_life_whose_only_journal_is_destroyed_is_refused_each_time_and_left_as_it_is(
    home: Path, commits: int, damage: Callable[[bytes], bytes | None]
) -> None:
    lived(home, commits)
    hurt = damage((home / JOURNAL_FILE).read_bytes())
    (home / JOURNAL_FILE).unlink()
    if hurt is not None:
        write(home, {JOURNAL_FILE: hurt})
    before = content(home)

    for _ in range(2):
        with pytest.raises(StoreDamaged, match="restore a backup, or move the folder away"):
            opened(home)
        with pytest.raises(StoreDamaged):
            read_agent_state(home)

    assert content(home) == before


def test_a_life_begun_under_an_earlier_program_is_no_beginning_once_it_was_opened(
    home: Path,
) -> None:
    write(home, {JOURNAL_FILE: FIRST})
    assert opened(home).state == AFTER
    assert BEGUN in content(home)
    write(home, {JOURNAL_FILE: b""})

    with pytest.raises(StoreDamaged):
        opened(home)


def test_a_first_line_that_nobody_heard_of_is_kept_and_begins_the_life(home: Path) -> None:
    opened(home)
    write(home, {JOURNAL_FILE: FIRST})

    assert opened(home).state == AFTER

    assert content(home).keys() == {JOURNAL_FILE, BEGUN}


@pytest.mark.parametrize("left", ["a later line", "a snapshot"])
def test_what_can_be_read_speaks_louder_than_a_name(home: Path, left: str) -> None:
    folder = StoreFolder(home, HastyDisk())
    for number in (1, 2):
        changes, state = commit(number, folder.state)
        folder.append(Commit(changes, state.next_id), state)
    for _ in folder.fold():
        pass
    folder.close()
    second = (home / JOURNAL_FILE).read_bytes().splitlines(keepends=True)[1]
    (home / ARCHIVE_FILE).unlink()
    if left == "a later line":
        (home / MEMORY_FILE).unlink()
    write(home, {JOURNAL_FILE: second if left == "a later line" else b"", BLANK: b""})

    with pytest.raises(StoreDamaged):
        opened(home)


@pytest.mark.parametrize("call", ["replace", "sync_folder"])
def test_a_first_commit_that_cannot_be_marked_is_not_there_and_the_folder_is_blank_again(
    home: Path, call: str
) -> None:
    probe = FaultyDisk()
    StoreFolder(home, probe).append(Commit(CHANGES, AFTER.next_id), AFTER)
    (home / JOURNAL_FILE).unlink()
    (home / BEGUN).unlink()
    assert probe.calls[-4:] == ["replace", "sync_folder", "open", "write"]
    disk = FaultyDisk(len(probe.calls) - 2 - ["sync_folder", "replace"].index(call), bad_sector)
    folder = StoreFolder(home, disk)

    with pytest.raises(StoreUnwritable):
        folder.append(Commit(CHANGES, AFTER.next_id), AFTER)
    folder.close()

    assert disk.calls[disk.fail_at - 1] == call
    assert BLANK in content(home)
    assert restore(home, Disk()).state == MemoryState()
    assert opened(home).state == MemoryState()
    lived(home, 2)
    assert opened(home).state == life(2)[2]
    assert BLANK not in content(home)


CUTS = {"emptied": 0.0, "cut in the middle": 0.5, "cut in its last line": 0.95}


@pytest.mark.parametrize("share", CUTS.values(), ids=CUTS)
def test_a_journal_that_lost_its_end_is_told_kept_aside_and_told_once(
    home: Path, share: float, caplog: pytest.LogCaptureFixture
) -> None:
    lived(home, 3)
    folded(home)
    lived(home, 5)
    whole = (home / JOURNAL_FILE).read_bytes()
    cut = whole[: int(len(whole) * share)]
    (home / JOURNAL_FILE).write_bytes(cut)
    left = max(3, cut.count(b"\n"))

    assert restore(home, Disk()).damage.lost == 8 - left
    assert read_agent_state(home) == life(8)[left]
    with caplog.at_level(logging.INFO):
        assert opened(home).damage.lost == 8 - left

    assert f"{home.name}: {8 - left} commits cannot be read and are lost" in caplog.messages
    assert content(home)[f"{JOURNAL_FILE}.damaged-1"] == cut
    assert not opened(home).damage
    lived(home, 2)
    assert not opened(home).damage
    assert commits_in(opened(home).state) == left + 2


def test_an_emptied_journal_whose_commits_the_snapshots_hold_is_no_damage(home: Path) -> None:
    lived(home, 3)
    folded(home)
    (home / JOURNAL_FILE).write_bytes(b"")

    assert not restore(home, Disk()).damage
    assert opened(home).state == life(3)[3]


def test_a_torn_tail_that_was_never_acknowledged_is_no_damage(home: Path) -> None:
    lived(home, 4)
    with (home / JOURNAL_FILE).open("ab") as file:
        file.write(journal_line(5, b"a commit nobody heard of")[:-9])

    assert not opened(home).damage
    assert opened(home).state == life(4)[4]


@pytest.mark.parametrize("rest", [b"", bytes(90), b"\n9 0123456789abcdef\n", b"junk\n\n7 12"])
def test_what_a_loss_of_power_leaves_of_the_number_is_never_taken_for_damage(
    home: Path, rest: bytes
) -> None:
    lived(home, 3)
    (home / BEGUN).write_bytes(rest)

    assert not opened(home).damage
    lived(home, 1)
    assert opened(home).state == life(4)[4]


def test_a_journal_that_is_gone_tells_how_much_went_with_it(home: Path) -> None:
    lived(home, 3)
    folded(home)
    lived(home, 2)
    (home / JOURNAL_FILE).unlink()

    damage = opened(home).damage
    assert (damage.journal_missing, damage.lost) == (True, 2)
    assert not opened(home).damage
