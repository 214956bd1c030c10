"""The ledger: accepted once, answered once, sent once, whatever crashes in between."""

from bot.conversation.ledger.ledger import Ledger
from bot.conversation.ledger.records import (
    Acceptance,
    Accepted,
    Duplicate,
    Fate,
    GiveUp,
    MessageState,
    Received,
    SendState,
    TryAgain,
    TurnAnswer,
    TurnEntry,
)

__all__ = [
    "Acceptance",
    "Accepted",
    "Duplicate",
    "Fate",
    "GiveUp",
    "Ledger",
    "MessageState",
    "Received",
    "SendState",
    "TryAgain",
    "TurnAnswer",
    "TurnEntry",
]
