"""What the shell asks of a running program, and whoever else comes to the socket."""

import asyncio
import os
import stat
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from shutil import which

import pytest

from bot.desk.control_socket import (
    LARGEST_REQUEST,
    MOST_CONNECTIONS,
    SOCKET_NAMES,
    SocketRequest,
    ask_running_program,
    bind_socket,
    connect_socket,
    read_frame,
    serve_control_socket,
    to_frame,
)
from bot.desk.documents import Document, Text, document_from
from bot.tasks import Supervisor
from memory import refusals
from memory.errors import InputRefused, StoreLocked, StoreUnwritable
from memory.sentences import Sentence
from tests.fakes.waiting import ended

PIN = SocketRequest(
    agent_id="a", name="memory", words="pin #1", file_name="a.json", file=b"\x00{}"
)


async def echo(question: SocketRequest) -> Document:
    if question.words == "refuse":
        raise InputRefused(Sentence(zh="不行", en="not that"))
    if question.words == "elsewhere":
        raise StoreLocked(refusals.DATABASE_OWNED)
    if question.words == "full":
        raise StoreUnwritable(refusals.DISK_REFUSES)
    if question.words == "fail":
        raise RuntimeError("a private thing")
    return Document((Text(f"{question.agent_id} {question.name} {question.words}"),))


@asynccontextmanager
async def control_socket(folder: Path) -> AsyncIterator[Path]:
    supervisor = Supervisor()
    async with serve_control_socket(folder, echo, supervisor):
        yield folder / SOCKET_NAMES[0]
    await supervisor.stop(1)


def question(words: str) -> SocketRequest:
    return SocketRequest(agent_id="a", name="memory", words=words)


async def test_a_question_goes_through_and_an_answer_comes_back(tmp_path: Path) -> None:
    heard: list[SocketRequest] = []

    async def answer(asked_for: SocketRequest) -> Document:
        heard.append(asked_for)
        return Document((Text("好"),))

    supervisor = Supervisor()
    async with serve_control_socket(tmp_path, answer, supervisor):
        assert await ask_running_program(tmp_path, PIN) == Document((Text("好"),))
    await supervisor.stop(1)

    assert heard == [PIN]
    assert await ask_running_program(tmp_path, PIN) is None
    assert list(tmp_path.iterdir()) == []


async def test_a_refusal_is_one_here_too_and_what_failed_tells_nothing(tmp_path: Path) -> None:
    async with control_socket(tmp_path):
        with pytest.raises(InputRefused, match="not that") as refused:
            await ask_running_program(tmp_path, question("refuse"))
        assert refused.value.in_language("zh") == "不行"
        with pytest.raises(InputRefused, match="the disk refuses"):
            await ask_running_program(tmp_path, question("full"))
        with pytest.raises(StoreLocked) as failed:
            await ask_running_program(tmp_path, question("fail"))
        assert "private" not in str(failed.value)
        assert await ask_running_program(tmp_path, question("elsewhere")) is None


async def test_it_is_for_its_owner_only(tmp_path: Path) -> None:
    async with control_socket(tmp_path) as path:
        assert stat.S_IMODE(path.lstat().st_mode) == 0o600


@pytest.mark.parametrize("before", ["a socket", "a link", "a file"])
async def test_what_stood_in_its_place_is_replaced_and_never_followed(
    tmp_path: Path, before: str
) -> None:
    path, elsewhere = tmp_path / SOCKET_NAMES[0], tmp_path / "elsewhere"
    if before == "a socket":
        left, _ = bind_socket(tmp_path)
        left.close()
    elif before == "a link":
        path.symlink_to(elsewhere)
    else:
        path.write_text("x")

    async with control_socket(tmp_path):
        assert await ask_running_program(tmp_path, PIN) is not None

    assert not elsewhere.exists()
    assert not path.exists()


async def test_a_link_to_a_socket_of_somebody_else_is_not_talked_to(tmp_path: Path) -> None:
    theirs, mine = tmp_path / "theirs", tmp_path / "mine"
    theirs.mkdir()
    mine.mkdir()
    async with control_socket(theirs) as path:
        (mine / SOCKET_NAMES[0]).symlink_to(path)

        assert connect_socket(mine, SOCKET_NAMES[0], 1.0) is None
        assert await ask_running_program(mine, PIN) is None


async def test_a_path_too_long_for_an_address_does_not_matter(tmp_path: Path) -> None:
    folder = tmp_path / ("很深的文件夹" * 5) / ("d" * 80)
    folder.mkdir(parents=True)

    async with control_socket(folder) as path:
        assert len(os.fsencode(path)) > 108
        assert await ask_running_program(folder, PIN) is not None


async def test_two_programs_on_one_folder_are_both_reached(tmp_path: Path) -> None:
    async def other(asked_for: SocketRequest) -> Document:
        return Document((Text(f"other {asked_for.words}"),))

    supervisor = Supervisor()
    async with control_socket(tmp_path), serve_control_socket(tmp_path, other, supervisor):
        first = await ask_running_program(tmp_path, question("pin"))
        second = await ask_running_program(tmp_path, question("elsewhere"))
    await supervisor.stop(1)

    assert first == Document((Text("a memory pin"),))
    assert second == Document((Text("other elsewhere"),))


async def test_where_no_socket_can_be_the_program_runs_without_one(tmp_path: Path) -> None:
    async with AsyncExitStack() as running:
        for _ in SOCKET_NAMES:
            await running.enter_async_context(control_socket(tmp_path))

        async with control_socket(tmp_path):
            assert await ask_running_program(tmp_path, PIN) is not None

    assert list(tmp_path.iterdir()) == []


GARBAGE = {
    "nothing": b"",
    "half a length": b"\x00\x00",
    "half a frame": (100).to_bytes(4) + b"{",
    "no JSON": (4).to_bytes(4) + b"\xff\xfe\x00{",
    "no object": to_frame({})[:4][:3] + b"\x02[]",
    "too long": (2**32 - 1).to_bytes(4) + b"{" * 100,
    "no question": to_frame({"version": 1}),
    "another version": to_frame({"version": 9, "agent": "a", "name": "memory", "words": ""}),
    "no base64": to_frame({"version": 1, "agent": "a", "name": "m", "words": "", "file": "é"}),
    "wrong types": to_frame({"version": 1, "agent": 1, "name": [], "words": None}),
    "a web browser": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
}


@pytest.mark.parametrize("sent", GARBAGE.values(), ids=GARBAGE)
async def test_garbage_gets_no_answer_and_disturbs_nobody(tmp_path: Path, sent: bytes) -> None:
    async with control_socket(tmp_path) as path:
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write(sent)
        writer.write_eof()
        assert await ended(reader.read()) == b""
        writer.close()

        assert await ask_running_program(tmp_path, PIN) is not None


async def test_a_request_of_90_mb_is_refused_before_it_is_read(tmp_path: Path) -> None:
    async with control_socket(tmp_path) as path:
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write((90 * 1024 * 1024).to_bytes(4) + b"{")
        answer = await read_frame(reader, 5)
        writer.close()
        assert "94371840 bytes" in answer["refused"]

        large = replace(PIN, file=bytes(LARGEST_REQUEST), file_name="x")
        with pytest.raises(InputRefused, match="28 MB"):
            await ask_running_program(tmp_path, large)


async def test_clients_that_hang_keep_nobody_waiting(tmp_path: Path) -> None:
    async with control_socket(tmp_path) as path:
        hanging = [await asyncio.open_unix_connection(path) for _ in range(MOST_CONNECTIONS - 1)]

        assert await ended(ask_running_program(tmp_path, PIN)) is not None

        for _, writer in hanging:
            writer.close()


async def test_a_program_that_hangs_is_not_waited_for_and_nobody_does_it_twice(
    tmp_path: Path,
) -> None:
    hanging, _ = bind_socket(tmp_path)

    hanging.listen()
    with pytest.raises(StoreLocked):
        await ask_running_program(tmp_path, PIN, 0.05)

    hanging.close()


STRANGER = """
import socket, sys
talking = socket.socket(socket.AF_UNIX)
talking.connect(sys.argv[1])
talking.sendall(bytes.fromhex(sys.argv[2]))
sys.stdout.write(repr(talking.recv(100)))
"""
PYTHON = which("python3", path="/usr/bin:/usr/local/bin")


@pytest.mark.skipif(os.getuid() != 0 or not PYTHON, reason="only root can be somebody else")
async def test_another_user_is_not_heard_even_where_the_mode_would_let_them() -> None:
    told = to_frame({"version": 1, "agent": "a", "name": "memory", "words": "pin #1"}).hex()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        async with control_socket(folder) as path:
            path.chmod(0o666)
            stranger = await asyncio.create_subprocess_exec(
                *(str(PYTHON), "-c", STRANGER, str(path), told),
                user=65534,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
            out, error = await ended(stranger.communicate())

    assert out in {b"", b"b''"}, "nothing was answered"
    assert error == b"" or b"BrokenPipeError" in error or b"ConnectionResetError" in error


@pytest.mark.parametrize(
    "answer", [None, [], {}, {"is": "Document"}, {"is": "os"}, {"is": "bytes", "value": "é"}]
)
def test_what_is_no_document_is_not_taken_for_one(answer: object) -> None:
    with pytest.raises(InputRefused):
        document_from(answer)
