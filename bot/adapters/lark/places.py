"""Where something is on Lark: chats, threads and messages, and the keys that name them.

A module of its own because five others need it and none of them needs another.
"""

from dataclasses import dataclass

from bot.conversation.messages import ConversationKey


@dataclass(frozen=True, slots=True)
class LarkPlace:
    """A chat, and the thread within it if there is one."""

    chat: str
    thread: str = ""


def place_of(conversation: ConversationKey) -> LarkPlace:
    """Return where a conversation is."""
    return LarkPlace(conversation.chat, conversation.thread)


def key_of(message: str, press: str = "") -> str:
    """Return the dedupe key of a message, or of a button press on it: the same every time.

    >>> key_of("om_1"), key_of("om_1", "Zx9")
    ('om_1', 'om_1:Zx9')
    """
    return f"{message}:{press}" if press else message


def message_of(key: str) -> str:
    """Return the message a key names, for a press the one with the button; empty if none.

    >>> message_of("om_1"), message_of("om_1:Zx9"), message_of("entered_oc_1")
    ('om_1', 'om_1', '')
    """
    named = key.partition(":")[0]
    return named if named.startswith("om_") else ""


def is_press(key: str) -> bool:
    """Whether a key names the press that used a button up, not one without the right to.

    >>> is_press("om_1:Zx9"), is_press("om_1:Zx9:ou_1"), is_press("om_1")
    (True, False, False)
    """
    return key.count(":") == 1
