"""What was found damaged in the data folder, and what could not be written, until it is told."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from bot.conversation.ledger.page_sums import PageDamage
from bot.conversation.messages import ConversationKey
from memory.stores.recovery import StoreDamage

TOLD_EVERY: Final = timedelta(hours=1)
"""How often a chat is told that nothing can be written."""


@dataclass(eq=False)
class DamageLog:
    """What the program found since it started; ``untold`` until the owner was told.

    ``agents`` are those whose files were damaged when they were opened. ``unwritable_at`` is when
    something was last refused by the disk.
    """

    agents: dict[str, StoreDamage] = field(default_factory=dict)
    ledger: PageDamage = field(default_factory=PageDamage)
    unwritable_at: datetime | None = None
    untold: bool = False
    _told: dict[ConversationKey, datetime] = field(default_factory=dict)

    def note_agent(self, agent_id: str, damage: StoreDamage) -> None:
        """Note what was wrong with the files of an agent."""
        self.agents[agent_id] = damage
        self.untold = True

    def note_ledger(self, damage: PageDamage) -> None:
        """Note what was wrong with the ledger."""
        self.ledger = damage
        self.untold |= bool(damage)

    def note_unwritable(self, place: ConversationKey, now: datetime) -> bool:
        """Note that a message could not be kept; whether its chat is to be told now."""
        self.unwritable_at = now
        told = self._told.get(place)
        if told is not None and now - told < TOLD_EVERY:
            return False
        self._told[place] = now
        return True
