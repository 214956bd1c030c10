"""The Unix socket through which the shell reaches the desk of a running program.

Address, frames, both ends.

The socket stands in the data folder, for its owner only. It is made in a folder of its own that
nobody else may enter and then moved to its place, so it is at no moment open to others, and what
stood there before, a socket that a killed program left or a link that somebody laid, is replaced
and never followed.

A frame is four bytes, the length of the JSON as a big-endian number, and then the JSON in UTF-8.
"""

import asyncio
import logging
import os
import socket
import stat
import struct
import tempfile
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import orjson

from bot.desk.documents import Document, document_from, to_data
from bot.supervise import Done, Supervisor, attempt
from memory.errors import InputRefused, StoreError, StoreLocked, XiaoxiangError

SOCKET_NAMES: Final = ("desk.sock", "desk-2.sock", "desk-3.sock", "desk-4.sock")
"""One for each program that runs on one data folder."""

_ADDRESS_BYTES: Final = 90
"""Bytes an address may have: the kernel has room for 104 to 108, and its end is ours."""

_CREDENTIALS: Final = struct.Struct("3i")


@contextmanager
def short_path(folder: Path) -> Iterator[Path]:
    """Yield a way to a folder that leaves room for a name, however long its path is."""
    if len(os.fsencode(folder / SOCKET_NAMES[-1])) <= _ADDRESS_BYTES - len("/.hatch-12345678"):
        yield folder
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield Path(f"/proc/self/fd/{descriptor}")
    finally:
        os.close(descriptor)


def bind_socket(folder: Path) -> tuple[socket.socket, Path]:
    """Return a socket that listens in a folder, and where; raises OSError if none can."""
    name = next((each for each in SOCKET_NAMES if not _is_alive(folder, each)), None)
    if name is None:
        raise OSError("too many programs run on this data folder")
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with short_path(folder) as near:
            hidden = Path(tempfile.mkdtemp(prefix=".hatch-", dir=near))  # mode 0700
            try:
                listening.bind(os.fspath(hidden / "s"))
                (hidden / "s").chmod(0o600)
                (hidden / "s").replace(near / name)
            finally:
                with suppress(FileNotFoundError):
                    (hidden / "s").unlink()
                hidden.rmdir()
    except OSError:
        listening.close()
        raise
    return listening, folder / name


def connect_socket(folder: Path, name: str, seconds: float) -> socket.socket | None:
    """Return a connection to a program of our own that listens there; None if none does."""
    path = folder / name
    try:
        found = path.lstat()
        if not stat.S_ISSOCK(found.st_mode) or found.st_uid != os.getuid():
            return None
        talking = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    except OSError:
        return None
    talking.settimeout(seconds)
    try:
        with short_path(folder) as near:
            talking.connect(os.fspath(near / name))
        if is_same_user(talking):
            return talking
    except OSError:
        pass
    talking.close()
    return None


def is_same_user(talking: socket.socket) -> bool:
    """Whether the same user is at the other end; where no kernel tells, the file's mode holds."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return True
    told = talking.getsockopt(socket.SOL_SOCKET, option, _CREDENTIALS.size)
    _, user, _ = _CREDENTIALS.unpack(told)
    return bool(user == os.getuid())


def _is_alive(folder: Path, name: str) -> bool:
    talking = connect_socket(folder, name, 1.0)
    if talking is None:
        return False
    talking.close()
    return True


LARGEST_FRAME: Final = 96 * 1024 * 1024
"""Bytes of a frame: an export of the largest size that is taken in, and some room."""

_LENGTH_BYTES: Final = 4


class BadFrame(XiaoxiangError):
    """What came through is no frame, or came too slowly."""


def to_frame(body: dict[str, Any]) -> bytes:
    """Return a frame."""
    told = orjson.dumps(body)
    return len(told).to_bytes(_LENGTH_BYTES) + told


async def read_frame(reader: asyncio.StreamReader, seconds: float) -> dict[str, Any]:
    """Return the object of the next frame; raises :class:`BadFrame`."""
    try:
        async with asyncio.timeout(seconds):
            length = int.from_bytes(await reader.readexactly(_LENGTH_BYTES))
            if length > LARGEST_FRAME:
                raise BadFrame("the frame is too long")
            body = orjson.loads(await reader.readexactly(length))
    except (TimeoutError, OSError, asyncio.IncompleteReadError) as error:
        raise BadFrame("no whole frame came") from error
    except orjson.JSONDecodeError as error:
        raise BadFrame("the frame holds no JSON") from error
    if not isinstance(body, dict):
        raise BadFrame("the frame holds no object")
    return body


log = logging.getLogger(__name__)

PROTOCOL_VERSION: Final = 1

MOST_CONNECTIONS: Final = 32
"""So many may be connected at the same time; whoever comes then is turned away."""

REQUEST_SECONDS: Final = 10.0
"""So long a question may take to come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SocketRequest:
    """A command as it came through: its name, its words, and a file if it was given one."""

    agent_id: str
    name: str
    words: str
    file_name: str = ""
    file: bytes | None = None


AnswerRequest = Callable[[SocketRequest], Awaitable[Document]]


@asynccontextmanager
async def serve_control_socket(
    data: Path, answer: AnswerRequest, supervisor: Supervisor
) -> AsyncIterator[None]:
    """Let the shell ask while the program runs; where no socket can be, say so and go on."""
    try:
        listening, path = await asyncio.to_thread(bind_socket, data)
    except OSError as error:
        log.warning("no socket for the shell in the data folder: %s", error.strerror or error)
        yield
        return
    hatch = _SocketServer(answer, supervisor)
    server = await asyncio.start_unix_server(hatch.accept, sock=listening)
    here = path.lstat().st_ino
    try:
        yield
    finally:
        server.close()
        with suppress(OSError):
            if path.lstat().st_ino == here:
                path.unlink()


class _SocketServer:
    def __init__(self, answer: AnswerRequest, supervisor: Supervisor) -> None:
        self._answer = answer
        self._supervisor = supervisor
        self._connected = 0

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection, in a task that somebody owns."""
        self._supervisor.start("answering the shell", self._serve(reader, writer))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._connected += 1
        try:
            talking: socket.socket = writer.get_extra_info("socket")
            if self._connected <= MOST_CONNECTIONS and is_same_user(talking):
                writer.write(to_frame(await self._response_to_next(reader)))
                async with asyncio.timeout(REQUEST_SECONDS):
                    await writer.drain()
        except (BadFrame, OSError, TimeoutError):
            log.info("somebody at the socket asked nothing that can be read")
        finally:
            self._connected -= 1
            writer.close()

    async def _response_to_next(self, reader: asyncio.StreamReader) -> dict[str, Any]:
        question = _request_from(await read_frame(reader, REQUEST_SECONDS))
        step = await attempt("answering the shell", lambda: self._carry_out(question))
        return step.value if isinstance(step, Done) else {"failed": True}

    async def _carry_out(self, request: SocketRequest) -> dict[str, Any]:
        try:
            return {"document": to_data(await self._answer(request))}
        except StoreLocked:
            return {"elsewhere": True}
        except (InputRefused, StoreError) as error:
            return {"refused": str(error)}


def _request_from(body: dict[str, Any]) -> SocketRequest:
    """Return what is asked; raises :class:`BadFrame`."""
    match body:
        case {
            "version": 1,
            "agent": str(agent_id),
            "name": str(name),
            "words": str(words),
            **rest,
        }:
            file, file_name = rest.get("file"), str(rest.get("file_name", ""))
            try:
                content = None if file is None else b64decode(str(file), validate=True)
            except NotBase64 as error:
                raise BadFrame("the file is not in base64") from error
            return SocketRequest(
                agent_id=agent_id, name=name, words=words, file_name=file_name, file=content
            )
        case _:
            raise BadFrame("that is no question")


CONNECT_SECONDS: Final = 2.0

ANSWER_SECONDS: Final = 120.0


async def ask_running_program(
    data: Path, request: SocketRequest, seconds: float = ANSWER_SECONDS
) -> Document | None:
    """Return what a running program answers; None if none runs that keeps the agent.

    Raises :class:`InputRefused` if it refuses, and :class:`StoreLocked` if it says nothing that
    can be read: it may have carried the command out, so nobody else does.
    """
    for name in SOCKET_NAMES:
        talking = await asyncio.to_thread(connect_socket, data, name, CONNECT_SECONDS)
        if talking is None:
            continue
        talking.setblocking(False)
        reader, writer = await asyncio.open_unix_connection(sock=talking)
        try:
            async with asyncio.timeout(seconds):
                writer.write(to_frame(_request_body(request)))
                await writer.drain()
            answer = await read_frame(reader, seconds)
        except (BadFrame, OSError, TimeoutError) as error:
            raise StoreLocked(
                "the running program does not answer: look there what became of it"
            ) from error
        finally:
            writer.close()
        document = _document_in(answer)
        if document is not None:
            return document
    return None


def _request_body(request: SocketRequest) -> dict[str, Any]:
    body = {
        "version": PROTOCOL_VERSION,
        "agent": request.agent_id,
        "name": request.name,
        "words": request.words,
    }
    if request.file is None:
        return body
    file = b64encode(request.file).decode("ascii")
    return {**body, "file_name": request.file_name, "file": file}


def _document_in(answer: dict[str, Any]) -> Document | None:
    match answer:
        case {"document": data}:
            return document_from(data)
        case {"refused": str(why)}:
            raise InputRefused(why)
        case {"elsewhere": True}:
            return None
        case _:
            raise StoreLocked("the running program could not do it; its log says why")
