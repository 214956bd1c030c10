"""A page: lines are found by id where they lie; what is not as it was written is not believed."""

from collections.abc import Generator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest

from memory.changes import DiaryLine
from memory.model import Message
from memory.recall.reading import said_at
from memory.record_table import RecordTable
from memory.stores.codec import encode, to_bytes
from memory.stores.disk import REAL_DISK
from memory.stores.pages import (
    DiaryPage,
    Entry,
    PagedDocuments,
    entry_of,
    is_page,
    numbers_of,
    open_page,
    write_page,
)
from memory.stores.parts import salvaged_documents
from memory.stores.shapes import BadDocument
from memory.stores.tables import decode_line
from tests.fakes.clock import NOON

T = TypeVar("T")


def finished(steps: Generator[None, None, T]) -> T:
    """Take every step and return what comes of it."""
    while True:
        try:
            next(steps)
        except StopIteration as ended:
            result: T = ended.value
            return result


def entries(first: int, count: int) -> list[Entry]:
    """Return lines in both languages; every fifth shows what somebody else said."""
    lines = [
        DiaryLine(
            message=Message(
                id=f"tg:{number}",
                at=NOON + timedelta(minutes=number),
                speaker="Ann",
                role="user",
                text=f"第{number}次去公园 walked {number} miles" if number % 7 else "",
                quoted="转发的拉面" if number % 5 == 0 else "",
            ),
            conversation="c",
            number=number,
        )
        for number in range(first, first + count)
    ]
    return [entry_of(to_bytes(encode(line))) for line in lines]


def a_page(folder: Path, lines: list[Entry]) -> DiaryPage:
    return finished(write_page(folder, REAL_DISK, lines, ()))


def test_every_line_is_found_and_nothing_else(tmp_path: Path) -> None:
    lines = entries(1, 50)

    page = a_page(tmp_path, lines)

    assert list(page.documents()) == [line.document for line in lines]
    assert page.keys() == [line.key for line in lines]
    assert [page.find(line.key) for line in lines] == [line.document for line in lines]
    assert page.find("tg:51") is None
    assert not page.may_hold("tg:51")
    assert (len(page), page.first, page.last) == (50, 1, 50)
    # The texts of lines in slots, by the line they stand in.
    texts = [(line.key, text) for line in lines for text in line.texts]
    assert page.reading.is_of([text for _, text in texts])
    assert [page.key_of(slot) for slot in range(len(texts))] == [key for key, _ in texts]
    assert page.slot_keys() == [key for key, _ in texts]


def test_a_page_is_for_its_owner_only_and_named_after_what_it_holds(tmp_path: Path) -> None:
    page = a_page(tmp_path, entries(3, 4))

    path = tmp_path / page.name
    assert path.stat().st_mode & 0o777 == 0o600
    assert is_page(page.name)
    assert numbers_of(page.name) == range(3, 7)
    assert a_page(tmp_path, entries(3, 4)).name == page.name
    assert a_page(tmp_path, entries(3, 5)).name != page.name
    # Compressed: no word stands there for grep to find, and no second time.
    assert "公园".encode() not in zlib_free(path)


def zlib_free(path: Path) -> bytes:
    """Return a page without the names of its tokens, which the index looks words up by."""
    page = open_page(path.parent, path.name, REAL_DISK)
    assert page is not None
    names = page.reading.words.names.tobytes()
    assert "公园".encode() in names
    return path.read_bytes().replace(names, b"")


def test_no_flipped_bit_and_no_cut_is_believed(tmp_path: Path) -> None:
    lines = entries(1, 40)
    name = a_page(tmp_path, lines).name
    path, chance = tmp_path / name, Random(1)
    data = path.read_bytes()
    known = {line.document for line in lines}
    for _ in range(60):
        place = chance.randrange(len(data))
        flipped = bytes((data[place] ^ 1 << chance.randrange(8),))
        path.write_bytes(data[:place] + flipped + data[place + 1 :])
        assert open_page(tmp_path, name, REAL_DISK) is None
        # What proves itself is a line as it was written, and few blocks are lost.
        assert set(salvaged_documents(REAL_DISK.map(path))) <= known
        path.write_bytes(data[:place])
        assert open_page(tmp_path, name, REAL_DISK) is None
    path.unlink()
    assert open_page(tmp_path, name, REAL_DISK) is None
    assert salvaged_documents(REAL_DISK.map(path)) == []


def test_one_flipped_bit_of_words_is_turned_back_and_more_leave_the_other_blocks(
    tmp_path: Path,
) -> None:
    lines = entries(1, 64)
    path = tmp_path / a_page(tmp_path, lines).name
    data = bytearray(path.read_bytes())
    assert salvaged_documents(memoryview(data)) == [line.document for line in lines]
    # The blocks lie behind the ids, which are the last thing that can be read.
    place = data.index(b'"tg:64"]') + 200
    data[place] ^= 4
    assert salvaged_documents(memoryview(data)) == [line.document for line in lines]
    data[place + 1] ^= 4

    left = salvaged_documents(memoryview(data))

    assert set(left) < {line.document for line in lines}
    assert len(left) == 48


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"{}\n",
        b"[]\n",
        b'{"parts":7}\n',
        b'{"parts":{"a":[]}}\n',
        # "<u4" with one bit flipped: numpy raises a SyntaxError.
        b'{"parts":{"a":[",u4",1]}}\n',
    ],
)
def test_nothing_is_salvaged_from_what_is_no_page(head: bytes) -> None:
    assert salvaged_documents(memoryview(head + b"words")) == []


def test_a_page_of_a_newer_program_is_refused_and_not_taken_for_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.stores.pages._SCHEMA", 2)
    name = finished(newer_page(tmp_path))
    monkeypatch.undo()

    with pytest.raises(BadDocument, match="schema 2"):
        open_page(tmp_path, name, REAL_DISK)


def newer_page(folder: Path) -> Generator[None, None, str]:
    page = yield from write_page(folder, REAL_DISK, entries(1, 2), ())
    return page.name


def test_pages_and_what_is_beside_them_are_one_mapping(tmp_path: Path) -> None:
    lines = entries(1, 9)
    pages = [a_page(tmp_path, lines[:4]), a_page(tmp_path, lines[4:7])]
    young = {line.key: line.document for line in lines[7:]}

    documents = PagedDocuments(pages, young)

    assert dict(documents.items()) == {line.key: line.document for line in lines}
    assert {key: documents[key] for key in documents} == dict(documents.items())
    assert len(documents) == 9
    assert documents.last == 7
    assert documents.may_hold("tg:7")
    assert not documents.may_hold("tg:8")
    assert [documents.page_for(number) for number in (1, 4, 5, 7, 8)] == [
        pages[0],
        pages[0],
        pages[1],
        pages[1],
        None,
    ]
    with pytest.raises(KeyError):
        documents["tg:10"]


def test_a_page_read_in_another_way_is_not_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = a_page(tmp_path, entries(1, 3)).name
    monkeypatch.setattr("memory.stores.pages.read_by", lambda: ("another",))

    page = open_page(tmp_path, name, REAL_DISK)

    assert page is not None
    assert not page.is_read_here
    assert PagedDocuments([page], {}).pages == ()
    assert page.find("tg:2") is not None


def test_when_lines_were_said_is_told_of_those_on_pages_and_of_those_since(tmp_path: Path) -> None:
    lines = entries(1, 40)
    young = {line.key: line.document for line in lines[30:]}
    read: list[bytes] = []

    def decoded(document: bytes) -> DiaryLine:
        read.append(document)
        return decode_line(document)

    table = RecordTable(PagedDocuments([a_page(tmp_path, lines[:30])], young), decoded).mutate()
    said_anew = replace(decode_line(lines[4].document), number=900)
    del table["tg:2"]
    del table["tg:35"]
    table["tg:5"] = said_anew
    table["tg:41"] = decode_line(entries(41, 1)[0].document)
    read.clear()

    told = dict(said_at(table.finish()))

    there = [number for number in range(1, 42) if number not in {2, 35}]
    assert told == {f"tg:{number}": NOON + timedelta(minutes=number) for number in there}
    assert not read
