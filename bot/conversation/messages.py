"""What comes in, whatever the platform.

A message, its conversation and sender, and the command it may be.
"""

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal

from bot.identity import Author

CHINESE_NAMES: Final = {
    "记忆": "memory",
    "记住": "remember",
    "忘掉": "forget",
    "忘记": "forget",
    "为什么": "why",
    "撤销": "undo",
    "重置": "reset",
    "重新开始": "reset",
    "关联": "link",
    "解除关联": "unlink",
    "状态": "status",
    "所有记忆": "agents",
    "备份": "backup",
    "恢复备份": "restore_backup",
    "用量": "limits",
    "帮助": "help",
}
"""Chinese names are read from text, since a platform's menu takes Latin ones only."""

_LATIN: Final = re.compile(
    r"\s*[/／](?P<name>[A-Za-z][A-Za-z0-9_-]{0,31})(?:@\w+)?(?:\s+(?P<words>.*))?\s*", re.DOTALL
)

_KNOWN_CHINESE: Final = re.compile(
    rf"\s*[/／](?P<name>{'|'.join(sorted(CHINESE_NAMES, key=len, reverse=True))})"
    r"[\s：:，,]*(?P<words>.*)",
    re.DOTALL,
)

_CHINESE: Final = re.compile(
    r"\s*[/／](?P<name>[\u4e00-\u9fff]{1,16})(?:\s+(?P<words>.*))?\s*", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class ParsedCommand:
    """A command as it was given: its Latin name if it has one, and the words behind it."""

    name: str
    words: str = ""


def read_command(text: str) -> ParsedCommand | None:
    """Return the command a text is, or None for something said, ``/usr/bin`` for example.

    Known Chinese names need no space behind them, since Chinese has none.

    >>> read_command("/记住明天交房租")
    Command(name='remember', words='明天交房租')
    >>> read_command("/memory@xiaoxiang_bot list 3")
    Command(name='memory', words='list 3')
    """
    for form in (_LATIN, _KNOWN_CHINESE, _CHINESE):
        found = form.fullmatch(text)
        if found:
            name = found["name"].lower().replace("-", "_")
            return ParsedCommand(CHINESE_NAMES.get(name, name), (found["words"] or "").strip())
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationKey:
    """One lane and one window: (platform, account, chat, thread).

    ``platform`` is the name of a platform of the program.
    """

    platform: str
    account: str
    chat: str
    thread: str = ""

    def __str__(self) -> str:
        return f"{self.platform}/{self.account}/{self.chat}/{self.thread}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sender:
    """Who wrote it: ``id`` is the platform's numeric or open id, the only thing trusted."""

    id: str
    name: str
    is_bot: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """One message as a platform handed it over.

    ``dedupe_key`` is the platform's own id of it, stable over redelivery. ``addressed`` says
    whether it asks for an answer (always in private). ``quoted`` is text the sender showed but
    did not write. ``sender_is_admin`` says that the platform names the sender among those who
    lead the group; it is asked only for a command that depends on it, and no answer means no.
    """

    dedupe_key: str
    conversation: ConversationKey
    sender: Sender
    at: datetime
    text: str
    private: bool = True
    addressed: bool = True
    quoted: str = ""
    modality: Literal["text", "image", "audio"] = "text"
    reply_to: str = ""
    raw: dict[str, object] = field(default_factory=dict)
    sender_is_admin: bool = False

    @property
    def is_command(self) -> bool:
        """Whether the text is a command for the desk rather than something said."""
        return read_command(self.text) is not None

    @property
    def person(self) -> str:
        """Who wrote it: the platform and its id of them, which no name can imitate."""
        return f"{self.conversation.platform}:{self.sender.id}"

    @property
    def author(self) -> Author:
        """Who wrote it and where, as access is decided; nobody leads a private chat."""
        return Author(
            platform=self.conversation.platform,
            sender=self.sender.id,
            chat=self.conversation.chat,
            is_bot=self.sender.is_bot,
            is_admin=self.sender_is_admin and not self.private,
        )
