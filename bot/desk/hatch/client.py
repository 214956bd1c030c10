"""The side of the shell: it asks whichever running program keeps the agent."""

import asyncio
from base64 import b64encode
from pathlib import Path
from typing import Any, Final

from bot.desk.documents import Document
from bot.desk.hatch.frames import BadFrame, read_frame, to_frame
from bot.desk.hatch.papers import document_from
from bot.desk.hatch.places import SOCKET_NAMES, connect_socket
from bot.desk.hatch.server import PROTOCOL_VERSION, SocketRequest
from memory.errors import InputRefused, StoreLocked

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
