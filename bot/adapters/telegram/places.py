"""Where something is on Telegram: chats, topics and messages, from and to their keys."""

from dataclasses import dataclass
from typing import Final

from bot.conversation.messages import ConversationKey

SUPERGROUP: Final = "-100"
"""How the ids of supergroups and channels begin."""

PRESS: Final = "p"
"""How the suffix of a key begins that names a press; an edit's is a number, a reaction's r."""


@dataclass(frozen=True, slots=True)
class TelegramPlace:
    """A chat, and the topic within it if there is one."""

    chat: int
    thread: int | None = None

    @property
    def private(self) -> bool:
        """Whether it is a chat with one person; groups and channels have negative ids."""
        return self.chat > 0


def place_of(conversation: ConversationKey) -> TelegramPlace:
    """Return where a conversation is."""
    return TelegramPlace(
        int(conversation.chat), int(conversation.thread) if conversation.thread else None
    )


def key_of(chat: int, message: int, suffix: str = "") -> str:
    """Return the key of a message: the same however often and by whatever way it comes."""
    return f"{chat}:{message}{suffix and ':'}{suffix}"


def message_of(key: str) -> int | None:
    """Return the message a key names, None for a key that names none."""
    _, _, rest = key.partition(":")
    number, _, _ = rest.partition(":")
    return int(number) if number.isascii() and number.isdigit() else None


def press_key(chat: int, message: int, mark: str) -> str:
    """Return the key of pressing a button under a message: the same however often it comes."""
    return key_of(chat, message, f"{PRESS}{mark}")


def pressed_message(key: str) -> int | None:
    """Return the message whose button was pressed, None for a key of anything else."""
    pressed = key.split(":", 2)[2:3]
    return message_of(key) if pressed and pressed[0].startswith(PRESS) else None


def placed_message(key: str) -> int:
    """Return the message that shows an answer; an older ledger holds its number alone."""
    return int(key.rpartition(":")[2])


def link_to(conversation: ConversationKey, key: str) -> str:
    """Return the address of a message for members of its group; only supergroups have any."""
    number, chat = message_of(key), conversation.chat
    if number is None or not chat.startswith(SUPERGROUP):
        return ""
    thread = f"{conversation.thread}/" if conversation.thread else ""
    return f"https://t.me/c/{chat.removeprefix(SUPERGROUP)}/{thread}{number}"
