"""The side of the running program: it carries out what the shell asks, as if asked in the chat."""

import asyncio
import logging
import socket
from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bot.desk.documents import Document
from bot.desk.hatch.frames import BadFrame, read_frame, to_frame
from bot.desk.hatch.papers import to_data
from bot.desk.hatch.places import bind_socket, is_same_user
from bot.supervise import Done, Supervisor, attempt
from memory.errors import InputRefused, StoreError, StoreLocked

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
