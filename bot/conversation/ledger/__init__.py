"""The ledger: each message is accepted, answered and sent once, whatever crashes in between.

One SQLite file per data folder. It holds words only while something is still owed for them; what
is remembered is in the agents' memories.
"""

from bot.conversation.ledger.ledger import Ledger
from bot.conversation.ledger.records import (
    SIGN_MAY_STAND,
    SIGN_PLACE,
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
    "SIGN_MAY_STAND",
    "SIGN_PLACE",
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
