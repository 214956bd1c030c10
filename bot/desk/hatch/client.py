"""The side of the shell: it asks whichever running program keeps the agent."""

import asyncio
from base64 import b64encode
from pathlib import Path
from typing import Any, Final

from bot.desk.documents import Document
from bot.desk.hatch.frames import BadFrame, framed, read_frame
from bot.desk.hatch.papers import document_of
from bot.desk.hatch.places import NAMES, connected
from bot.desk.hatch.server import VERSION, Question
from memory.errors import InputRefused, StoreLocked

CONNECTING_SECONDS: Final = 2.0
ANSWER_SECONDS: Final = 120.0


async def asked(
    data: Path, question: Question, seconds: float = ANSWER_SECONDS
) -> Document | None:
    """Return what a running program answers; None if none runs that keeps the agent.

    Raises :class:`InputRefused` if it refuses, and :class:`StoreLocked` if it says nothing that
    can be read: it may have carried the command out, so nobody else does.
    """
    for name in NAMES:
        talking = await asyncio.to_thread(connected, data, name, CONNECTING_SECONDS)
        if talking is None:
            continue
        talking.setblocking(False)
        reader, writer = await asyncio.open_unix_connection(sock=talking)
        try:
            async with asyncio.timeout(seconds):
                writer.write(framed(_body(question)))
                await writer.drain()
            answer = await read_frame(reader, seconds)
        except (BadFrame, OSError, TimeoutError) as error:
            raise StoreLocked(
                "the running program does not answer: look there what became of it"
            ) from error
        finally:
            writer.close()
        document = _read(answer)
        if document is not None:
            return document
    return None


def _body(question: Question) -> dict[str, Any]:
    body = {
        "version": VERSION,
        "agent": question.agent_id,
        "name": question.name,
        "words": question.words,
    }
    if question.file is None:
        return body
    file = b64encode(question.file).decode("ascii")
    return {**body, "file_name": question.file_name, "file": file}


def _read(answer: dict[str, Any]) -> Document | None:
    match answer:
        case {"document": data}:
            return document_of(data)
        case {"refused": str(why)}:
            raise InputRefused(why)
        case {"elsewhere": True}:
            return None
        case _:
            raise StoreLocked("the running program could not do it; its log says why")
