"""What becomes of a message: from the platform's hand, through the door, to its lane."""

from bot.dispatch.commands import CommandDesk, CommandRunner
from bot.dispatch.dispatcher import Dispatcher, UrgentCommands
from bot.dispatch.intake import AccessGate, Intake, IntakeResult, NotAdmitted

__all__ = [
    "AccessGate",
    "CommandDesk",
    "CommandRunner",
    "Dispatcher",
    "Intake",
    "IntakeResult",
    "NotAdmitted",
    "UrgentCommands",
]
