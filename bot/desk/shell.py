"""A command given in the shell: whoever holds the machine is the owner."""

from dataclasses import dataclass

from bot.access import Standing
from bot.conversation.commands import Command
from bot.desk.asking import IN_THE_SHELL, Asking


@dataclass(frozen=True, slots=True)
class ShellOrder:
    """An order of the shell; it stands in no conversation."""

    command: Command
    agent_id: str
    standing: Standing = Standing.OWNER
    private: bool = True
    reply_to: str = ""
    conversation: str = ""
    asking: Asking = IN_THE_SHELL
