"""What becomes of a message: from the platform's hand, through the door, to its lane."""

from bot.dispatch.dispatcher import Dispatcher
from bot.dispatch.intake import Door, Intake, Receipt, TurnedAway
from bot.dispatch.orders import Desk, Order, Orders, Presenter, Presenters, Urgent

__all__ = [
    "Desk",
    "Dispatcher",
    "Door",
    "Intake",
    "Order",
    "Orders",
    "Presenter",
    "Presenters",
    "Receipt",
    "TurnedAway",
    "Urgent",
]
