"""Showing a document of the desk in the terminal."""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

from bot.adapters.console.render import print_document
from bot.adapters.console.saving import saved
from bot.conversation.messages import ConversationKey
from bot.desk.documents import Document, Text
from memory.errors import InputRefused


class ConsolePresenter:
    """Print documents, their files put into a folder; ``answered`` is called after each."""

    def __init__(self, answered: Callable[[], None], folder: Path | None = None) -> None:
        self._answered = answered
        self._folder = folder or Path()

    async def present(
        self, conversation: ConversationKey, document: Document, *, reply_to: str
    ) -> None:
        """Show a document."""
        del conversation, reply_to  # a terminal has one place to show things
        try:
            document = await asyncio.to_thread(saved, document, self._folder)
        except InputRefused as error:
            document = Document((Text(str(error)), *document.blocks))
        print_document(document)
        if sys.stdout.isatty():
            sys.stdout.write("\n")
        self._answered()
