"""A command given in the shell: whoever holds the machine is the owner."""

from dataclasses import dataclass

from bot.access import AccessLevel
from bot.conversation.commands import ParsedCommand
from bot.desk.asking import SHELL_CALLER, Caller


@dataclass(frozen=True, slots=True)
class ShellRequest:
    """An order of the shell; it stands in no conversation."""

    command: ParsedCommand
    agent_id: str
    access_level: AccessLevel = AccessLevel.OWNER
    private: bool = True
    reply_to: str = ""
    conversation: str = ""
    caller: Caller = SHELL_CALLER
