"""What the desk reaches beside the memory of an agent: the ledger."""

from bot.conversation.ledger import Ledger


class Premises:
    """The places outside an agent's folder that a command looks into."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def turn_shown_as(self, conversation: str, platform_id: str) -> str:
        """Return the turn that a message of hers answered, empty if that is not known."""
        return await self._ledger.turns.shown_as(conversation, platform_id)
