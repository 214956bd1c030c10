"""The work of the lanes: turns and commands in their order, urgent commands beside them.

Two kinds of lanes look at one ledger: those of the conversations leave urgent commands alone, and
the lanes of urgent commands take nothing else.
"""

from collections.abc import Sequence
from typing import assert_never

from bot.conversation.lanes import Batch, Chatter, CommandBatch, Utterance
from bot.conversation.ledger import Ledger, Received
from bot.conversation.messages import ConversationKey
from bot.conversation.response_handler import ResponseHandler
from bot.dispatch.commands import CommandRunner
from memory.ports import Clock


class Dispatcher:
    """Do the work of the lanes: answer what was said, listen to chatter, carry out commands."""

    def __init__(
        self, ledger: Ledger, handler: ResponseHandler, runner: CommandRunner, clock: Clock
    ) -> None:
        self._ledger = ledger
        self._handler = handler
        self._runner = runner
        self._clock = clock

    async def resume(self, conversation: ConversationKey) -> bool:
        """Finish what is owed in the conversation; False if nothing new may begin yet."""
        return await self._handler.resume(conversation)

    async def waiting(self, conversation: ConversationKey) -> Sequence[Received]:
        """Return what waits there and is due; urgent commands have a lane of their own."""
        found = await self._ledger.inbox.waiting(conversation, self._clock.now())
        return tuple(message for message in found if not _is_urgent(message, self._runner))

    async def handle(self, batch: Batch) -> bool:
        """Do one batch; False if nothing new may begin before what it left is finished."""
        match batch:
            case Utterance(messages):
                return await self._handler.answer(messages)
            case Chatter(messages):
                return await self._handler.listen(messages)
            case CommandBatch(message):
                await self._runner.run(message)
                return True
            case never:
                assert_never(never)


class UrgentCommands:
    """The work of the lanes beside those of the conversations: commands that wait for no reply."""

    def __init__(self, ledger: Ledger, runner: CommandRunner) -> None:
        self._ledger = ledger
        self._runner = runner

    async def resume(self, conversation: ConversationKey) -> bool:
        """Owe nothing: a command that was cut short waits as it did before."""
        del conversation
        return True

    async def waiting(self, conversation: ConversationKey) -> Sequence[Received]:
        """Return the urgent commands of a conversation, oldest first."""
        found = await self._ledger.inbox.waiting_commands(conversation)
        return tuple(message for message in found if _is_urgent(message, self._runner))

    async def handle(self, batch: Batch) -> bool:
        """Carry out a command."""
        if isinstance(batch, CommandBatch):
            await self._runner.run(batch.message)
        return True


def _is_urgent(message: Received, runner: CommandRunner) -> bool:
    # Most of what waits was said to her, and no command at all.
    return message.incoming.is_command and runner.is_urgent(message)
