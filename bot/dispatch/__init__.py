"""What becomes of a message: from the platform's hand, through the door, to its lane."""

from bot.dispatch.dispatcher import Dispatcher
from bot.dispatch.intake import Door, Intake, Receipt, TurnedAway
from bot.dispatch.orders import Desk, Order, Orders, Urgent

__all__ = [
    "Desk",
    "Dispatcher",
    "Door",
    "Intake",
    "Order",
    "Orders",
    "Receipt",
    "TurnedAway",
    "Urgent",
]
