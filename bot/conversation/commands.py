"""What a command looks like, and its Chinese names (DESIGN §10)."""

import re
from dataclasses import dataclass
from typing import Final

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
