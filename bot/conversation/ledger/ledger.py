"""The ledger of one data folder: what was received, what is owed, what was sent."""

from pathlib import Path
from typing import Final

from bot.conversation.ledger.bindings import Bindings
from bot.conversation.ledger.database import Database
from bot.conversation.ledger.forgetting import LedgerErasure
from bot.conversation.ledger.inbox import Inbox
from bot.conversation.ledger.links import ChatLinks
from bot.conversation.ledger.spending import TokenSpending
from bot.conversation.ledger.tracing import MessageHistory
from bot.conversation.ledger.turns import Turns

FILE_NAME: Final = "ledger.sqlite3"


class Ledger:
    """Seven books in one file; what a book has written outlives the process."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.inbox = Inbox(database)
        self.turns = Turns(database)
        self.bindings = Bindings(database)
        self.links = ChatLinks(database)
        self.spending = TokenSpending(database)
        self.erasure = LedgerErasure(database)
        self.history = MessageHistory(database)

    @classmethod
    async def open(cls, data_dir: Path) -> "Ledger":
        """Open the ledger of a data folder, or begin one; raises :class:`StoreError`."""
        database = Database(data_dir / FILE_NAME)
        await database.open()
        return cls(database)

    async def checkpoint(self) -> None:
        """Let the file hold nothing of what has left it; raises :class:`StoreError`."""
        await self._database.checkpoint()

    async def close(self) -> None:
        """Finish what was begun and let the file go."""
        await self._database.close()
