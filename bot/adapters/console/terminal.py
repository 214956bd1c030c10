"""Talking in a terminal: a prompt with history for a person, plain lines for a pipe."""

import asyncio
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from bot.texts import say, shell
from memory.background.discretion import redacted_text
from memory.settings import Language

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession


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


async def typed_lines(history: Path, language: Language) -> AsyncIterator[str]:
    """Yield what a person types, until Ctrl-D or Ctrl-C; ``history`` remembers it, mode 0600."""
    session = _prompt_session(history, language)
    while True:
        try:
            with _above_the_prompt():
                yield await session.prompt_async()
        except (EOFError, KeyboardInterrupt):
            return


def _prompt_session(history: Path, language: Language) -> "PromptSession[str]":
    from prompt_toolkit import PromptSession  # noqa: PLC0415 - a pipe does not need it
    from prompt_toolkit.history import FileHistory  # noqa: PLC0415

    class DiscreetHistory(FileHistory):
        """Keeps what was typed without what is secret in it."""

        def store_string(self, string: str) -> None:
            super().store_string(redacted_text(string))

    history.touch(mode=0o600)
    return PromptSession(say(language, shell.YOU), history=DiscreetHistory(str(history)))


def _above_the_prompt() -> AbstractContextManager[None]:
    """Let what is printed meanwhile appear above the line being typed."""
    from prompt_toolkit.patch_stdout import patch_stdout  # noqa: PLC0415

    return patch_stdout(raw=True)
