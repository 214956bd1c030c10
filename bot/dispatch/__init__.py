"""What becomes of a message: from the platform's hand, through the door, to its lane."""

from bot.dispatch.dispatcher import Dispatcher
from bot.dispatch.intake import AccessGate, Intake, IntakeResult, NotAdmitted
from bot.dispatch.orders import ChatCommandRequest, CommandDesk, CommandRunner, UrgentCommands

__all__ = [
    "AccessGate",
    "ChatCommandRequest",
    "CommandDesk",
    "CommandRunner",
    "Dispatcher",
    "Intake",
    "IntakeResult",
    "NotAdmitted",
    "UrgentCommands",
]
