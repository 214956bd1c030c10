"""Showing a document of the desk in the terminal."""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

from bot.adapters.console.render import print_document
from bot.adapters.console.saving import save_files
from bot.conversation.messages import ConversationKey
from bot.desk.documents import Document, Text
from memory.errors import InputRefused


class ConsolePresenter:
    """Print documents, their files put into a folder; ``answered`` is called after each answer.

    Quiet ones are for a person who looks on: a program that reads gets one answer to each line.
    """

    def __init__(
        self, on_answered: Callable[[], None], folder: Path | None = None, *, asides: bool = True
    ) -> None:
        self._on_answered = on_answered
        self._folder = folder or Path()
        self._asides = asides

    async def present(
        self, conversation: ConversationKey, document: Document, *, reply_to: str
    ) -> None:
        """Show a document."""
        del conversation, reply_to  # a terminal has one place to show things
        if document.quiet:
            self._print_aside(document)
            return
        try:
            document = await asyncio.to_thread(save_files, document, self._folder)
        except InputRefused as error:
            document = Document((Text(str(error)), *document.blocks))
        _print_to_stdout(document)
        self._on_answered()

    def _print_aside(self, document: Document) -> None:
        """Show it at once: nothing else can begin to be shown in between."""
        if self._asides:
            _print_to_stdout(document)


def _print_to_stdout(document: Document) -> None:
    print_document(document)
    if sys.stdout.isatty():
        sys.stdout.write("\n")
