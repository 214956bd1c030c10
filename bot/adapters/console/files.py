"""Files that a person at the terminal names in a command, by their path."""

import asyncio
from pathlib import Path

from bot.conversation.commands import ParsedCommand
from bot.conversation.messages import Incoming
from bot.conversation.perceiving import DOCUMENT, FILE_NAME
from bot.desk.reading import named_file
from bot.desk.registry import SPECS
from bot.desk.transfer.bring import LARGEST_UPLOAD


def command_file(command: ParsedCommand | None) -> dict[str, object]:
    """Return what is needed to read the file a command names; nothing if it names none."""
    named = named_file(SPECS, command.name, command.words) if command else ""
    path = Path(named).expanduser()
    return {DOCUMENT: str(path), FILE_NAME: path.name} if named else {}


async def fetch_file(incoming: Incoming) -> bytes | None:
    """Return the content of the file; None if it cannot be read or is too large."""
    return await asyncio.to_thread(file_content, Path(str(incoming.raw[DOCUMENT])))


def file_content(path: Path) -> bytes | None:
    """Return the content of a file; None if it cannot be read, is none, or is too large."""
    try:
        if not path.is_file() or path.stat().st_size > LARGEST_UPLOAD:
            return None
        return path.read_bytes()
    except OSError:
        return None
