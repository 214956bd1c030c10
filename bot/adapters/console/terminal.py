"""The terminal itself: lines typed or piped, files they name, text that cannot steer it."""

import asyncio
import sys
import threading
import unicodedata
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from bot.adapters.console import NAME
from bot.conversation.delivery import Channel
from bot.conversation.media import DOCUMENT, FILE_NAME
from bot.conversation.messages import ConversationKey, Incoming, ParsedCommand
from bot.conversation.reply_text import without_controls
from bot.desk.caller import LARGEST_UPLOAD
from bot.desk.desk import resolved
from bot.desk.documents import Presenter
from bot.desk.parser import named_file

_ALLOWED_CONTROLS = "\n\t"
_LAST_CONTROL = 0x9F


def harmless(text: str) -> str:
    r"""Return a text whose control characters are pictures of themselves: a terminal obeys none.

    >>> harmless("a\x1b[2Jb")
    'a␛[2Jb'
    """
    if text.isprintable():
        return text
    return "".join(map(_harmless_letter, text))


def _harmless_letter(letter: str) -> str:
    if without_controls(letter) != letter and ord(letter) > _LAST_CONTROL:
        # It would turn around what is written behind it.
        return "�"
    if letter in _ALLOWED_CONTROLS or unicodedata.category(letter) not in {"Cc", "Cs"}:
        return letter
    return chr(0x2400 + ord(letter)) if ord(letter) < ord(" ") else "�"


def command_file(command: ParsedCommand | None) -> dict[str, object]:
    """Return what is needed to read the file a command names; nothing if it names none."""
    named = named_file(resolved(command)) if command else ""
    path = Path(named).expanduser()
    return {DOCUMENT: str(path), FILE_NAME: path.name} if named else {}


def file_content(path: Path) -> bytes | None:
    """Return the content of a file; None if it cannot be read, is none, or is too large."""
    try:
        if not path.is_file() or path.stat().st_size > LARGEST_UPLOAD:
            return None
        return path.read_bytes()
    except OSError:
        return None


async def piped_lines() -> AsyncIterator[str]:
    """Yield the lines of standard input as they come.

    A daemon thread reads them: a read that blocks for ever must not keep the process alive.
    """
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[str | None] = asyncio.Queue()

    def read() -> None:
        for line in sys.stdin:
            loop.call_soon_threadsafe(lines.put_nowait, line.rstrip("\r\n"))
        loop.call_soon_threadsafe(lines.put_nowait, None)

    threading.Thread(target=read, name="stdin", daemon=True).start()
    while (line := await lines.get()) is not None:
        yield line


@dataclass(frozen=True, slots=True)
class ConsoleAdapter:
    """A terminal as a platform of the running program; who types hands in the lines."""

    channel: Channel
    presenter: Presenter
    chat: str

    @property
    def platform(self) -> str:
        """The name of the platform."""
        return NAME

    @property
    def health(self) -> None:
        """Nothing: a terminal that cannot be heard is gone, and the program with it."""

    async def fetch(self, incoming: Incoming) -> bytes | None:
        """Return the content of the file; None if it cannot be read or is too large."""
        return await asyncio.to_thread(file_content, Path(str(incoming.raw[DOCUMENT])))

    async def complete(self, incoming: Incoming) -> Incoming:
        """Return the message: nothing about it is ever left to be asked."""
        return incoming

    def link(self, conversation: ConversationKey, message: str) -> str:
        """Return nothing: what a terminal showed has no address."""
        del conversation, message
        return ""

    def shows(self, conversation: ConversationKey) -> bool:
        """Only the chat that is open: what is due in another waits until that is opened."""
        return conversation.chat == self.chat
