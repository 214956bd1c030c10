"""What becomes of a message: admitted or not, written down, and handed to its lane."""

from bot.dispatch.commands import CommandDesk, CommandRunner, UrgentCommands
from bot.dispatch.intake import (
    AccessGate,
    ClockQuestion,
    Dispatcher,
    Intake,
    IntakeResult,
    LookUps,
    NotAdmitted,
)

__all__ = [
    "AccessGate",
    "ClockQuestion",
    "CommandDesk",
    "CommandRunner",
    "Dispatcher",
    "Intake",
    "IntakeResult",
    "LookUps",
    "NotAdmitted",
    "UrgentCommands",
]
