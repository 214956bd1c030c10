"""Which agent remembers a chat, as long as nobody bound it to another one."""

import re
from hashlib import blake2b
from typing import Final

from memory.errors import InputRefused

LOCAL_AGENT: Final = "local"
"""The agent of the terminal, unless another is named."""

_AGENT_NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?")
_AGENT_PREFIXES: Final = {"telegram": "tg", "lark": "lark"}
_NUMBER: Final = re.compile(r"-?[0-9]{1,20}", re.ASCII)


def checked_agent_id(name: str) -> str:
    """Return ``name`` if it may be an agent: safe as a folder on every file system.

    Raises :class:`InputRefused` otherwise.
    """
    if not _AGENT_NAME.fullmatch(name):
        raise InputRefused(
            f"{name!r} cannot name an agent: use 1 to 64 of a-z, 0-9, - and _,"
            " with a letter or digit at both ends"
        )
    return name


def default_agent_id(platform: str, chat: str, *, private: bool) -> str:
    """Return the agent a chat has from the start: one for itself, private apart from group.

    A terminal's chat is named after its agent. Every thread of a chat has the agent of the chat.

    >>> default_agent_id("telegram", "-100123", private=False)
    'tg-g-100123'
    """
    if platform == "console":
        return checked_agent_id(chat)
    kind = "p" if private else "g"
    if _NUMBER.fullmatch(chat):
        return f"{_AGENT_PREFIXES[platform]}-{kind}-{chat.lstrip('-')}"
    digest = blake2b(chat.encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()
    return f"{_AGENT_PREFIXES[platform]}-{kind}-{digest}"
