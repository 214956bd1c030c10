"""Showing a document of the desk in the terminal."""

import sys
from collections.abc import Callable

from bot.adapters.console.render import print_document
from bot.conversation.messages import ConversationKey
from bot.desk.documents import Document


class ConsolePresenter:
    """Print documents; ``answered`` is called after each."""

    def __init__(self, answered: Callable[[], None]) -> None:
        self._answered = answered

    async def present(
        self, conversation: ConversationKey, document: Document, *, reply_to: str
    ) -> None:
        """Show a document."""
        del conversation, reply_to  # a terminal has one place to show things
        print_document(document)
        if sys.stdout.isatty():
            sys.stdout.write("\n")
        self._answered()
