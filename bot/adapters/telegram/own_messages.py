"""What is known of the ids of messages, by which one whose answer got lost is found."""

from collections import deque
from typing import Final

from bot.adapters.telegram.api import SUPERGROUP

OWN_KEPT: Final = 64
"""How many of the bot's newest messages are known of each chat."""


class OwnMessages:
    """The ids of the newest messages that are known to be the bot's, chat by chat.

    Telegram counts the messages of each supergroup apart, and those of all other chats together:
    what anybody writes tells how far it has come.
    """

    def __init__(self) -> None:
        self._ids: dict[int, deque[int]] = {}
        self._newest: dict[int, int] = {}

    def note(self, chat: int, message: int) -> None:
        """Note that a message is the bot's."""
        self._ids.setdefault(chat, deque(maxlen=OWN_KEPT)).append(message)
        self.note_any(chat, message)

    def note_any(self, chat: int, message: int) -> None:
        """Note that there is a message, whoever wrote it."""
        counted = chat if _is_supergroup(chat) else 0
        self._newest[counted] = max(message, self._newest.get(counted, 0))

    def holds(self, chat: int, message: int) -> bool:
        """Whether a message is known."""
        return message in self._ids.get(chat, ())

    def newest(self, chat: int) -> int:
        """Return the newest id among those that Telegram counts with the chat's; 0 for none."""
        return self._newest.get(chat if _is_supergroup(chat) else 0, 0)


def _is_supergroup(chat: int) -> bool:
    return str(chat).startswith(SUPERGROUP)
