"""The journal: what was acknowledged is in it, what was not is not; damage is not believed."""

import errno
import logging
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.errors import StoreUnwritable
from memory.stores.codec import with_crc
from memory.stores.disk import Disk
from memory.stores.journal import JOURNAL_FILE, JournalLines, journal_line, read_journal
from memory.stores.journal_file import Journal
from tests.fakes.disks import FaultyDisk, ShortDisk, When, bad_sector, no_space

payloads = st.lists(st.binary(max_size=30).map(lambda raw: raw.replace(b"\n", b"")), max_size=5)


def journal_of(texts: list[bytes], first: int = 1) -> bytes:
    return b"".join(journal_line(number, text) for number, text in enumerate(texts, start=first))


def said(lines: JournalLines) -> dict[int, bytes]:
    return {n: next(lines.payloads(n, n)) for n in lines.by_sequence}


def opened(folder: Path, disk: Disk | None = None, last: int = 0) -> Journal:
    journal = Journal(folder, disk or Disk(), last)
    journal.open()
    return journal


def test_a_line_is_its_number_its_proof_its_length_and_what_it_says() -> None:
    assert journal_line(7, b'{"changes":[]}') == b'7 30cc209739524a4d 14 {"changes":[]}\n'


@given(texts=payloads, first=st.integers(1, 10**6))
def test_what_was_written_is_read(texts: list[bytes], first: int) -> None:
    lines = read_journal(journal_of(texts, first))

    assert said(lines) == dict(enumerate(texts, start=first))
    assert (lines.unfinished, lines.damaged) == (0, False)


@given(texts=payloads.filter(bool), data=st.data())
def test_a_journal_cut_anywhere_holds_the_whole_lines_before_the_cut_and_is_not_damaged(
    texts: list[bytes], data: st.DataObject
) -> None:
    whole = journal_of(texts)
    cut = data.draw(st.integers(0, len(whole)))
    lines = read_journal(whole[:cut])

    kept = whole[:cut].count(b"\n")
    assert said(lines) == dict(enumerate(texts[:kept], start=1))
    assert not lines.damaged
    assert lines.unfinished == cut - len(journal_of(texts[:kept]))


@given(texts=payloads.filter(bool), data=st.data())
def test_a_changed_byte_is_never_believed_and_costs_no_other_line(
    texts: list[bytes], data: st.DataObject
) -> None:
    whole = bytearray(journal_of(texts))
    place = data.draw(st.integers(0, len(whole) - 1))
    hurt = bytes(whole[:place]).count(b"\n") + 1
    change = data.draw(st.integers(1, 255))
    whole[place] ^= change

    lines = read_journal(bytes(whole))

    true = dict(enumerate(texts, start=1))
    assert said(lines).items() <= true.items()
    assert hurt not in lines.by_sequence or (lines.healed == {hurt} and change.bit_count() == 1)
    assert lines.damaged or lines.healed or hurt == len(texts)
    assert true.keys() - lines.by_sequence.keys() <= {hurt, hurt + 1}


@given(texts=payloads.filter(bool), first=st.integers(1, 10**6), data=st.data())
def test_a_flipped_bit_is_turned_back(texts: list[bytes], first: int, data: st.DataObject) -> None:
    whole = bytearray(journal_of(texts, first))
    whole[data.draw(st.integers(0, len(whole) - 1))] ^= 1 << data.draw(st.integers(0, 7))

    lines = read_journal(bytes(whole))

    # Of a line that stands alone nobody else knows the number.
    if len(texts) > 1 or lines.healed:
        assert said(lines) == dict(enumerate(texts, start=first))
        assert len(lines.healed) == 1
        assert not lines.damaged


@given(place=st.integers(0, 10**6), bit=st.integers(0, 7))
def test_a_flipped_bit_of_a_long_commit_is_found_by_its_crc(place: int, bit: int) -> None:
    long = with_crc(b'{"schema":1,"text":"%b"}' % (b"ramen " * 20_000))
    texts = [b"one", long, b"three"]
    whole = bytearray(journal_of(texts))
    whole[place % len(whole)] ^= 1 << bit

    lines = read_journal(bytes(whole))

    assert said(lines) == dict(enumerate(texts, start=1))
    assert len(lines.healed) == 1


def test_a_damaged_line_costs_only_itself_and_leaves_a_blank(tmp_path: Path) -> None:
    texts = [b"one", b"two", b"three", b"four"]
    hurt = journal_of(texts).replace(b"two", b"TWO")

    lines = read_journal(hurt)

    assert (lines.damaged, lines.lost, lines.last_reachable(0)) == (True, frozenset({2}), 4)
    (tmp_path / JOURNAL_FILE).write_bytes(hurt)
    opened(tmp_path, last=4).close()
    again = read_journal((tmp_path / JOURNAL_FILE).read_bytes())
    assert (again.damaged, again.lost, again.last_reachable(0)) == (False, frozenset(), 4)
    assert b'"changes":[]' in said(again)[2]


@pytest.mark.parametrize("harm", [b"", b"x", b"9 garbage\n"])
def test_lines_that_were_never_between_are_not_passed_over(harm: bytes) -> None:
    lines = read_journal(journal_line(1, b"one") + harm + journal_line(900, b"far"))

    assert lines.damaged
    assert lines.last_reachable(0) == 1


def test_a_lost_last_line_break_is_a_crash_and_a_changed_one_is_damage() -> None:
    whole = journal_of([b"one", b"two"])

    assert not read_journal(whole[:-1]).damaged
    assert read_journal(whole[:-1] + b"x").damaged
    assert read_journal(whole[:-1] + b"\x0b").healed == {2}


def test_a_repeated_stretch_is_damage_and_read_once() -> None:
    whole = journal_of([b"one", b"two", b"three"])

    lines = read_journal(whole + journal_line(2, b"two") + journal_line(3, b"three"))

    assert lines.damaged
    assert said(lines) == {1: b"one", 2: b"two", 3: b"three"}


def test_a_line_torn_out_is_damage_and_the_others_are_read() -> None:
    lines = read_journal(
        journal_line(1, b"one") + journal_line(3, b"three") + journal_line(4, b"four")
    )

    assert lines.damaged
    assert lines.last_reachable(0) == 1
    assert lines.last_reachable(2) == 4
    assert lines.first_contiguous(4) == 3
    assert lines.first_contiguous(9) == 10


@given(noise=st.binary(max_size=80))
def test_noise_is_never_a_commit(noise: bytes) -> None:
    assert read_journal(noise).by_sequence == {}


def test_what_was_appended_is_there_after_opening_again(tmp_path: Path) -> None:
    journal = opened(tmp_path)
    for text in (b"one", b"two"):
        journal.append(text)
    journal.close()

    again = opened(tmp_path, last=2)
    again.append(b"three")
    again.close()

    assert (tmp_path / JOURNAL_FILE).read_bytes() == journal_of([b"one", b"two", b"three"])


def test_a_disk_that_takes_a_few_bytes_at_a_time_gets_them_all(tmp_path: Path) -> None:
    journal = opened(tmp_path, ShortDisk())
    journal.append(b"a payload of more than seven bytes")
    journal.close()

    assert (tmp_path / JOURNAL_FILE).read_bytes() == journal_line(
        1, b"a payload of more than seven bytes"
    )


def test_a_disk_that_takes_nothing_is_one_that_refuses(tmp_path: Path) -> None:
    class Full(Disk):
        """Takes no byte and reports no error."""

        def write(self, descriptor: int, data: bytes | memoryview) -> int:
            return 0

    with pytest.raises(StoreUnwritable):
        opened(tmp_path, Full()).append(b"one")

    assert (tmp_path / JOURNAL_FILE).read_bytes() == b""


def test_an_unfinished_line_is_cut_on_opening_and_told_without_its_words(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    whole = journal_of([b"one", "主人的秘密".encode()])
    (tmp_path / JOURNAL_FILE).write_bytes(whole[:-3])

    with caplog.at_level(logging.WARNING):
        journal = opened(tmp_path, last=1)
    journal.append(b"other")
    journal.close()

    assert (tmp_path / JOURNAL_FILE).read_bytes() == journal_of([b"one", b"other"])
    assert "unfinished commit" in caplog.text
    assert "秘密" not in caplog.text


def test_a_line_that_was_never_acknowledged_is_cut_although_it_is_whole(tmp_path: Path) -> None:
    (tmp_path / JOURNAL_FILE).write_bytes(journal_of([b"one", b"two"]))

    opened(tmp_path, last=1).close()

    assert (tmp_path / JOURNAL_FILE).read_bytes() == journal_of([b"one"])


def test_trimming_keeps_the_lines_after_and_appending_goes_on(tmp_path: Path) -> None:
    journal = opened(tmp_path)
    for text in (b"one", b"two", b"three"):
        journal.append(text)

    journal.trim(2)
    journal.append(b"four")
    journal.trim(1)
    journal.close()

    assert (tmp_path / JOURNAL_FILE).read_bytes() == journal_of([b"three", b"four"], first=3)


def test_a_journal_can_be_trimmed_to_nothing(tmp_path: Path) -> None:
    journal = opened(tmp_path)
    journal.append(b"one")
    journal.trim(1)
    assert (tmp_path / JOURNAL_FILE).read_bytes() == b""
    journal.append(b"two")
    journal.close()

    assert (tmp_path / JOURNAL_FILE).read_bytes() == journal_of([b"two"], first=2)


@pytest.mark.parametrize("harm", [b"TWO", b"tw"], ids=["changed", "cut out"])
def test_trimming_a_damaged_journal_keeps_what_can_be_read(tmp_path: Path, harm: bytes) -> None:
    journal = opened(tmp_path)
    for text in (b"one", b"two", b"three", b"four"):
        journal.append(text)
    file = tmp_path / JOURNAL_FILE
    file.write_bytes(file.read_bytes().replace(b"two", harm))

    journal.trim(1)
    journal.append(b"five")
    journal.close()

    assert file.read_bytes() == journal_of([b"three", b"four", b"five"], first=3)


def test_trimming_a_long_journal_never_holds_all_of_it(tmp_path: Path) -> None:
    journal = opened(tmp_path)
    for _ in range(8):
        journal.append(b"x" * (1 << 20))

    tracemalloc.start()
    journal.trim(2)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    journal.append(b"last")
    journal.close()

    assert most < 3 << 20
    lines = read_journal((tmp_path / JOURNAL_FILE).read_bytes())
    assert [*lines.by_sequence] == [3, 4, 5, 6, 7, 8, 9]
    assert not lines.damaged


def calls_of_one_append(folder: Path) -> tuple[int, list[str]]:
    """Return how many calls come before an append, and the calls it makes."""
    disk = FaultyDisk()
    journal = opened(folder, disk)
    journal.append(b"one")
    before = len(disk.calls)
    journal.append(b"two")
    return before, disk.calls[before:]


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("fault", [no_space, bad_sector], ids=["ENOSPC", "EIO"])
@pytest.mark.parametrize("number", [1, 2], ids=["write", "sync"])
def test_an_append_that_failed_is_not_there_and_the_next_one_is(
    tmp_path: Path, number: int, fault: Callable[[], OSError], when: When
) -> None:
    (tmp_path / "probe").mkdir()
    before, calls = calls_of_one_append(tmp_path / "probe")
    assert calls == ["write", "sync", "write"]  # the last says how far the journal went
    disk = FaultyDisk(before + number, fault, when=when)
    journal = opened(tmp_path, disk)
    journal.append(b"one")

    with pytest.raises(StoreUnwritable):
        journal.append(b"lost")
    assert (tmp_path / JOURNAL_FILE).read_bytes() == journal_of([b"one"])
    journal.append(b"two")
    journal.close()

    assert (tmp_path / JOURNAL_FILE).read_bytes() == journal_of([b"one", b"two"])


def test_a_descriptor_that_failed_once_is_never_used_again(tmp_path: Path) -> None:
    (tmp_path / "probe").mkdir()
    before, _ = calls_of_one_append(tmp_path / "probe")
    disk = FaultyDisk(before + 2, bad_sector)
    journal = opened(tmp_path, disk)
    journal.append(b"one")

    with pytest.raises(StoreUnwritable):
        journal.append(b"lost")

    assert disk.calls[before + 2 :] == ["close", "read", "open", "truncate", "sync", "sync_folder"]


def test_while_the_disk_refuses_everything_nothing_is_added_and_afterwards_it_goes_on(
    tmp_path: Path,
) -> None:
    (tmp_path / "probe").mkdir()
    before, _ = calls_of_one_append(tmp_path / "probe")
    disk = FaultyDisk(before + 2, bad_sector, lasting=True)
    journal = opened(tmp_path, disk)
    journal.append(b"one")

    for _ in range(3):
        with pytest.raises(StoreUnwritable):
            journal.append(b"lost")
    disk.fail_at = 0
    journal.append(b"two")
    journal.close()

    assert (tmp_path / JOURNAL_FILE).read_bytes() == journal_of([b"one", b"two"])


def test_a_journal_that_lost_commits_under_our_hands_takes_no_more(tmp_path: Path) -> None:
    (tmp_path / "probe").mkdir()
    before, _ = calls_of_one_append(tmp_path / "probe")
    disk = FaultyDisk(before + 1, no_space)
    journal = opened(tmp_path, disk)
    journal.append(b"one")
    (tmp_path / JOURNAL_FILE).write_bytes(b"")

    for _ in range(2):
        with pytest.raises(StoreUnwritable):
            journal.append(b"two")


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOSPC, "the disk is full: free some space and try again"),
        (errno.EROFS, "the disk is read-only"),
        (errno.EACCES, "Permission denied"),
    ],
)
def test_a_refusal_says_what_to_do(tmp_path: Path, number: int, advice: str) -> None:
    disk = FaultyDisk(1, lambda: OSError(number, "Permission denied"))

    with pytest.raises(StoreUnwritable, match=advice):
        opened(tmp_path, disk)
