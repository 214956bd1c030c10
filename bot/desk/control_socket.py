"""The Unix socket through which the shell reaches the desk of a running program.

Its address, its frames, the server in the program and the client in the shell are in one module,
because they have to agree. The socket is in the data folder and only its owner may connect.

A frame is four bytes (the length of the JSON, big-endian) and then the JSON in UTF-8.
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
from bot.http_limits import LARGEST_PARSED, parsed_bytes
from bot.tasks import Done, Supervisor, attempt
from bot.texts import Worded, refusals
from memory.errors import InputRefused, RefusalError, StoreError, StoreLocked, XiaoxiangError
from memory.sentences import Sayable

SOCKET_NAMES: Final = ("desk.sock", "desk-2.sock", "desk-3.sock", "desk-4.sock")
"""The names a program tries. One that talks owns the folder; an older version did not."""

# sun_path has room for 108 bytes on Linux and 104 on macOS, and a zero at the end.
_ADDRESS_BYTES: Final = 90
"""The longest socket address that is used, in bytes."""

_HIDDEN_PREFIX: Final = ".desk-"

_CREDENTIALS: Final = struct.Struct("3i")


@contextmanager
def short_path(folder: Path) -> Iterator[Path]:
    """Yield a path to a folder that is short enough for a socket address inside it."""
    # mkdtemp adds eight characters to its prefix.
    longest = len(os.fsencode(folder / SOCKET_NAMES[-1])) + len(f"/{_HIDDEN_PREFIX}12345678")
    if longest <= _ADDRESS_BYTES:
        yield folder
        return
    # A data folder may lie deeper than an address is long. The kernel's own name of an open
    # folder is short, and names the same folder even if it is moved meanwhile.
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield Path(f"/proc/self/fd/{descriptor}")
    finally:
        os.close(descriptor)


def bind_socket(folder: Path) -> tuple[socket.socket, Path]:
    """Return a listening socket in a folder, and its path. Raises OSError if there can be none."""
    name = next((each for each in SOCKET_NAMES if not _is_alive(folder, each)), None)
    if name is None:
        raise OSError("too many programs run on this data folder")
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with short_path(folder) as near:
            # Bound inside a new folder of mode 0700 and then moved: at no moment may others
            # connect, and a rename replaces what a killed program or somebody else left under
            # the name, where bind would fail and a link would be followed.
            hidden = Path(tempfile.mkdtemp(prefix=_HIDDEN_PREFIX, dir=near))
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
    """Return a connection to a program of the same user; None if none listens under that name."""
    path = folder / name
    try:
        # lstat, not stat: a link laid here could lead to somebody else's socket.
        found = path.lstat()
        if not stat.S_ISSOCK(found.st_mode) or found.st_uid != os.getuid():
            return None
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    except OSError:
        return None
    connection.settimeout(seconds)
    try:
        with short_path(folder) as near:
            connection.connect(os.fspath(near / name))
        if is_same_user(connection):
            return connection
    except OSError:
        pass
    connection.close()
    return None


def is_same_user(connection: socket.socket) -> bool:
    """Return whether the same user is at the other end of a connection."""
    option = getattr(socket, "SO_PEERCRED", None)
    # macOS has no SO_PEERCRED; there the mode of the socket file alone keeps others out.
    if option is None:
        return True
    credentials = connection.getsockopt(socket.SOL_SOCKET, option, _CREDENTIALS.size)
    _, user, _ = _CREDENTIALS.unpack(credentials)
    return bool(user == os.getuid())


def _is_alive(folder: Path, name: str) -> bool:
    connection = connect_socket(folder, name, 1.0)
    if connection is None:
        return False
    connection.close()
    return True


# The largest upload takes 27 MB in base64. The answer of an export carries two such files, and the
# rest is room.
LARGEST_FRAME: Final = 96 * 1024 * 1024
"""The largest frame that is read, in bytes."""

LARGEST_REQUEST: Final = 28 * 1024 * 1024
"""The largest request that is read, in bytes: a command with the largest upload."""

_LENGTH_BYTES: Final = 4


class BadFrame(XiaoxiangError):
    """What arrived is not a frame, or arrived too slowly."""


class FrameTooLarge(BadFrame, RefusalError):
    """A frame is larger, or holds more, than any that is needed."""


def to_frame(body: dict[str, Any]) -> bytes:
    """Return an object as a frame."""
    content = orjson.dumps(body)
    return len(content).to_bytes(_LENGTH_BYTES) + content


async def read_frame(
    reader: asyncio.StreamReader, seconds: float, largest: int = LARGEST_FRAME
) -> dict[str, Any]:
    """Return the object in the next frame. Raises :class:`BadFrame`."""
    try:
        async with asyncio.timeout(seconds):
            length = int.from_bytes(await reader.readexactly(_LENGTH_BYTES))
            # No program of ours says so: it is a browser, or garbage, and gets no answer.
            if length > LARGEST_FRAME:
                raise BadFrame("the frame is too long")
            if length > largest:
                raise FrameTooLarge(refusals.FRAME_TOO_LARGE, length=length, most=largest)
            content = await reader.readexactly(length)
            # An upload is one long string: only a hostile frame has many values.
            if parsed_bytes(content) > LARGEST_PARSED:
                raise FrameTooLarge(refusals.TOO_MANY_VALUES)
            body = orjson.loads(content)
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
"""How many connections may be open at the same time; further ones are closed at once."""

REQUEST_SECONDS: Final = 10.0
"""How long a request may take to arrive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SocketRequest:
    """A command as it goes over the socket: its name, its words, and the file it names."""

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
    """Serve the shell while the block runs; without a socket, log that and go on."""
    try:
        listening, path = await asyncio.to_thread(bind_socket, data)
    except OSError as error:
        log.warning("no socket for the shell in the data folder: %s", error.strerror or error)
        yield
        return
    accept = _SocketServer(answer, supervisor).accept
    server = await asyncio.start_unix_server(accept, sock=listening)
    here = path.lstat().st_ino
    try:
        yield
    finally:
        server.close()
        # Only our own socket is removed: another program may have replaced it by now.
        with suppress(OSError):
            if path.lstat().st_ino == here:
                path.unlink()


class _SocketServer:
    def __init__(self, answer: AnswerRequest, supervisor: Supervisor) -> None:
        self._answer = answer
        self._supervisor = supervisor
        self._connected = 0

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection, in a task that the supervisor owns."""
        self._supervisor.start("answering the shell", self._serve(reader, writer))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._connected += 1
        try:
            connection: socket.socket = writer.get_extra_info("socket")
            if self._connected <= MOST_CONNECTIONS and is_same_user(connection):
                writer.write(to_frame(await self._response_to_next(reader)))
                async with asyncio.timeout(REQUEST_SECONDS):
                    await writer.drain()
        except (BadFrame, OSError, TimeoutError):
            log.info("a connection to the control socket sent no readable request")
        finally:
            self._connected -= 1
            writer.close()

    async def _response_to_next(self, reader: asyncio.StreamReader) -> dict[str, Any]:
        try:
            frame = await read_frame(reader, REQUEST_SECONDS, LARGEST_REQUEST)
        except FrameTooLarge as error:
            log.warning("a request to the control socket was refused: %s", error)
            return _refused(error)
        request = _request_from(frame)
        step = await attempt("answering the shell", lambda: self._carry_out(request))
        return step.value if isinstance(step, Done) else {"failed": True}

    async def _carry_out(self, request: SocketRequest) -> dict[str, Any]:
        try:
            return {"document": to_data(await self._answer(request))}
        except StoreLocked:
            return {"elsewhere": True}
        except (InputRefused, StoreError) as error:
            return _refused(error)


def _refused(why: Sayable) -> dict[str, Any]:
    """Return a refusal in both languages: the shell knows which one its operator reads."""
    return {"refused": why.in_language("en"), "zh": why.in_language("zh")}


def _request_from(body: dict[str, Any]) -> SocketRequest:
    """Return the request in a frame. Raises :class:`BadFrame`."""
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
            raise BadFrame("the frame holds no request")


CONNECT_SECONDS: Final = 2.0

# Long enough for an erasure, which waits for the reply that is under way and rewrites every file.
ANSWER_SECONDS: Final = 120.0


async def ask_running_program(
    data: Path, request: SocketRequest, seconds: float = ANSWER_SECONDS
) -> Document | None:
    """Return what a running program answers; None if no running program has the agent.

    Raises :class:`InputRefused` if it refuses, and :class:`StoreLocked` if its answer cannot be
    read: it may have carried the command out, so the shell must not do it again.
    """
    frame = to_frame(_request_body(request))
    if len(frame) > LARGEST_REQUEST:
        raise InputRefused(refusals.TOO_MUCH_AT_ONCE, limit=LARGEST_REQUEST // 1024 // 1024)
    for name in SOCKET_NAMES:
        connection = await asyncio.to_thread(connect_socket, data, name, CONNECT_SECONDS)
        if connection is None:
            continue
        connection.setblocking(False)
        reader, writer = await asyncio.open_unix_connection(sock=connection)
        try:
            async with asyncio.timeout(seconds):
                writer.write(frame)
                await writer.drain()
            answer = await read_frame(reader, seconds)
        except (BadFrame, OSError, TimeoutError) as error:
            raise StoreLocked(refusals.NO_ANSWER) from error
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
        case {"refused": str(why), **rest}:
            # An older program says it in one language only.
            raise InputRefused(Worded(why, zh=str(rest.get("zh", why))))
        case {"elsewhere": True}:
            return None
        case _:
            raise StoreLocked(refusals.NOT_DONE)
