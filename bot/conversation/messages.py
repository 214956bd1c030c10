"""An incoming message, the same for every platform, and the command its text may be.

The lowest module of the conversation: adapters make these values, everything else reads them.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal

from bot.identity import Author
from bot.texts import refusals
from memory.errors import InputRefused
from memory.model import AgentSettings, Message
from memory.text.tokens import segmented_words
from prompts import default_persona

CHINESE_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "memory": ("记忆",),
    "remember": ("记住",),
    "forget": ("忘掉", "忘记"),
    "why": ("为什么",),
    "undo": ("撤销",),
    "reset": ("重置", "重新开始"),
    "link": ("关联",),
    "unlink": ("解除关联",),
    "status": ("状态",),
    "agents": ("所有记忆",),
    "backup": ("备份",),
    "restore_backup": ("恢复备份",),
    "limits": ("用量",),
    "clock": ("时钟", "时间"),
    "stop": ("停", "停下"),
    "again": ("再说一遍", "重新回答"),
    "people": ("访客",),
    "page": ("页面", "网页"),
    "reminders": ("提醒",),
    "initiative": ("主动", "惦记"),
    "help": ("帮助",),
}
"""The Chinese names of the commands that are no verbs behind ``/memory``, by their Latin name.

They are declared here and nowhere else: a message is known for a command before the desk is
asked, and a platform's menu takes Latin names only.
"""

_LATIN_NAMES: Final = {
    chinese: latin for latin, names in CHINESE_NAMES.items() for chinese in names
}

# ``/memory@xiaoxiang_bot`` is how Telegram writes a command in a group. A name ends at white space
# or at the end, so that a path like /usr/bin is no command.
_LATIN: Final = re.compile(
    r"\s*[/／](?P<name>[A-Za-z][A-Za-z0-9_-]{0,31})(?:@\w+)?(?:\s+(?P<words>.*))?\s*", re.DOTALL
)

_KNOWN_CHINESE: Final = re.compile(
    # Longest first: no space need follow, so a name that begins a longer one would win.
    rf"\s*[/／](?P<name>{'|'.join(sorted(_LATIN_NAMES, key=len, reverse=True))})"
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
    ParsedCommand(name='remember', words='明天交房租')
    >>> read_command("/memory@xiaoxiang_bot list 3")
    ParsedCommand(name='memory', words='list 3')
    """
    for form in (_LATIN, _KNOWN_CHINESE, _CHINESE):
        found = form.fullmatch(text)
        if found:
            name = found["name"].lower().replace("-", "_")
            return ParsedCommand(_LATIN_NAMES.get(name, name), (found["words"] or "").strip())
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationKey:
    """One conversation: it has one lane and one window.

    ``account`` is the bot's own id on the platform; ``thread`` is empty outside topics.
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
    """Who wrote a message. Only ``id``, the platform's own, is trusted; anyone may take a name."""

    id: str
    name: str
    is_bot: bool = False


@dataclass(frozen=True, kw_only=True)
class Incoming:
    """One message as a platform handed it over.

    ``dedupe_key`` is the platform's own id of it, the same at every redelivery. ``addressed`` says
    whether it asks for an answer (always in private). ``quoted`` is text the sender showed but
    did not write. ``reply_to`` is the platform's id of the message it replies to. ``raw`` holds
    what :mod:`bot.conversation.recordings` needs of its files. ``sender_is_admin`` says that the
    platform names the sender among the group's admins; it is asked only for a command that
    depends on it, and no answer means no.
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

    # A lane looks at its waiting messages again and again: the text is parsed at the first look.
    # The value is kept in the instance's __dict__, so the dataclass is frozen but has no slots.
    @cached_property
    def command(self) -> ParsedCommand | None:
        """The command the text is, None for something said."""
        return read_command(self.text)

    @property
    def is_for_desk(self) -> bool:
        """Whether it is a command to her."""
        return self.is_command and self.addressed

    @property
    def is_command(self) -> bool:
        """Whether the text is a command for the desk rather than something said."""
        return self.command is not None

    @property
    def is_readable(self) -> bool:
        """Whether it says anything; if not, only who sent it and where is known."""
        return UNREADABLE not in self.raw

    @property
    def edits(self) -> str:
        """The dedupe key of the message that its author edited, and this is what it says now."""
        return str(self.raw.get(EDITS, ""))

    @property
    def pending(self) -> Mapping[str, Any]:
        """What its platform has yet to be asked about it, as the platform wrote it down."""
        found = self.raw.get(PENDING)
        return found if isinstance(found, dict) else {}

    def with_pending(self, pending: Mapping[str, Any]) -> "Incoming":
        """Return it with other things to be asked; none are left out of ``raw``."""
        raw = {key: value for key, value in self.raw.items() if key != PENDING}
        return replace(self, raw={**raw, PENDING: dict(pending)} if pending else raw)

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


ALBUM: Final = "album"
"""The key of ``Incoming.raw`` for the id that the pictures of one album share."""

EDITS: Final = "edits"
"""The key of ``Incoming.raw`` for the dedupe key of the message whose words these are by now."""

UNREADABLE: Final = "unreadable"
"""The key of ``Incoming.raw`` under which an event stands that could not be read, as it came."""

PENDING: Final = "pending"
"""The key of ``Incoming.raw`` under which stands what its platform has yet to be asked."""

PATIENT: Final = "patient"
"""A key of what is pending: without the answer the message says nothing, so it waits longer."""

LATE: Final = "late"
"""A key of ``Incoming.raw``: it was said to her, so long ago that nobody waits for an answer."""

PRESSED: Final = "pressed"
"""A key of ``Incoming.raw``: a button was pressed, and nobody wrote the command."""

TAKEN_BACK: Final = "recalled"
"""The key of ``Incoming.raw`` for the ledger's id of a message taken back, as a platform told."""

TEXT_BYTES: Final = 200_000
"""The longest text of one message, in UTF-8; far beyond what anybody types."""


def cut_text(incoming: Incoming) -> Incoming:
    """Return the message with its texts cut to :data:`TEXT_BYTES`, as it is if they fit."""
    text, quoted = _cut(incoming.text), _cut(incoming.quoted)
    if (text, quoted) == (incoming.text, incoming.quoted):
        return incoming
    return replace(incoming, text=text, quoted=quoted)


def _cut(text: str) -> str:
    # A character takes one to four bytes; most messages need not be encoded to know that they fit.
    if len(text) * 4 <= TEXT_BYTES:
        return text
    encoded = text.encode("utf-8", "replace")
    return text if len(encoded) <= TEXT_BYTES else encoded[:TEXT_BYTES].decode("utf-8", "ignore")


def nobody_owns(_: Incoming) -> bool:
    """Take nobody for an owner."""
    return False


TALK_PAUSE: Final = timedelta(hours=3)
"""What was said longer ago is another talk."""


def of_this_talk(before: Sequence[Message], said: Sequence[Message]) -> tuple[Message, ...]:
    """Return what was said ``before`` without a long pause: a turn may be about that as well."""
    return tuple(each for each in before if said[0].at - each.at <= TALK_PAUSE)


def persona_of(file: Path | None) -> Callable[[AgentSettings], str]:
    """Return how she is described to the model, for an agent; her own file is read once.

    Raises :class:`InputRefused` if that file, PERSONA_FILE, cannot be read.
    """
    if file is None:
        return lambda agent: default_persona(agent.language)
    try:
        own = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputRefused(refusals.PERSONA_UNREADABLE, file=file) from error
    return lambda _: own


# A line that is nothing but the request: a verb of ending, with what may stand around it.
_STOP_LINE: Final = re.compile(
    r"(?:好了?|行了?|够了?|等等|等一下|喂|诶|嘿|ok|okay|hey|wait|please)*"
    r"(?:请|你|先|快|都|可以|can\s+you)*"
    r"(?:停|打住|住口|闭嘴|(?:别|不用|不要|不必)(?:再|往下|继续)*(?:说|讲|写|答|回答)|stop|enough)"
    r"(?:停|一下|下来|下|止|住|了|吧|啦|嘛|说|讲|写|回答|it|that|there|now|please|here|talking"
    r"|answering|writing)*",
    re.IGNORECASE,
)
_AGAIN_LINE: Final = re.compile(
    r"(?:请|你|那|麻烦|please|can\s+you)*"
    r"(?:再(?:说|讲|答|回答|来|写)[一1](?:遍|次)|重(?:新)?(?:说|讲|答|回答|写|生成)(?:[一1](?:遍|次|下))?"
    r"|换(?:个|一个|一种)(?:说法|答案|回答)"
    r"|(?:say|answer|write|try)(?:it|that|this)?(?:once)?again|regenerate)"
    r"(?:吧|好吗|可以吗|please)*",
    re.IGNORECASE,
)
_LONGEST_LINE: Final = 24
_AROUND: Final = re.compile(
    r"@?(?:小祥|xiaoxiang\w*)|@[A-Za-z0-9_]+|[\s，,。.！!？?～~…、：:]+", re.IGNORECASE
)


def asks_to_stop(text: str) -> bool:
    """Whether a line says nothing but that an answer should stop.

    >>> [asks_to_stop(line) for line in ("停", "小祥，停一下！", "Stop, please.", "停车场在哪")]
    [True, True, True, False]
    """
    return _is_only(_STOP_LINE, text)


def asks_again(text: str) -> bool:
    """Whether a line says nothing but that the last answer is wanted anew.

    >>> [asks_again(line) for line in ("再说一遍", "重新回答吧", "Say that again", "再说吧")]
    [True, True, True, False]
    """
    return _is_only(_AGAIN_LINE, text)


BOT_NAMES: Final = ("小祥", "xiaoxiang")

_NAME: Final = r"(?:小祥|xiaoxiang(?![a-z0-9_]))"
_HELLO: Final = (
    r"(?:谢谢你?|多谢|辛苦了?|[你您]好|早安?|[早晚]上好|晚安|再见|拜拜|嗨|喂|哈喽"
    r"|thanks|thank you|hi|hello|hey|good (?:morning|evening|night)|bye|ok|okay|dear)"
)
# What makes another name of hers: the suffixes of nicknames and of kin, more Latin letters.
_CALLED: Final = re.compile(
    r"小祥(?![子儿哥姐弟妹叔姨婶嫂伯爷奶])|xiaoxiang(?![a-z0-9_]|['’]s\b)", re.IGNORECASE
)
_CALLED_LAST: Final = re.compile(
    rf"(?:^|[\s，,。.!！？?~～…:：、@]|{_HELLO}|[吗呢吧呀嘛啦])小祥$"
    r"|(?:^|[，,。.!！？?~～…:：、@] *|(?P<word>[\w'’]+) [ @]*)xiaoxiang$",
    re.IGNORECASE,
)
_TELLS_OF_HER: Final = re.compile(
    r"called|named?|is|was|are|ask(?:ed|ing)?|t[eo]ll?d?|about|with|by|of|for|from|and|like"
    r"|love|hate|know|me[et]t?|the|a|call|\w*['’]s"
)
# Set off from what follows, or by what only she can be told: 小祥你 is a call, 小祥的猫 is none.
_CALL_BEFORE: Final = re.compile(
    rf"(?P<hello>{_HELLO}?)[，,、\s]*{_NAME}"
    r"(?:[啊呀哦]?\s*[，,：:。.!！~～…—-]+\s*"
    r"|[啊呀]?(?=[你您请]|[帮给]我|在吗|在不在|我(?!们))|\s+(?=[一-鿿])(?![是的和跟与这那叫])"
    r"|\s+(?=(?:i|i['’]m|im|my|you|your|what|where|when|who|how|why|which|please|remember"
    r"|remind|tell|thanks|hi|hello|can|could|(?:will|would|are|do|did) (?:you|i|we))\b))",
    re.IGNORECASE,
)
_CALL_BEHIND: Final = re.compile(
    r"(?:[，,、：:]\s*|(?<=[?？!！.。~～…])\s*|(?<=[吗呢吧呀嘛啦])|(?<=[一-鿿])\s+)"
    rf"{_NAME}(?P<end>[\s?？!！.。~～…]*)$",
    re.IGNORECASE,
)


def is_called_by_name(text: str) -> bool:
    """Whether a text begins or ends with the bot's name, as a call and no part of another word.

    >>> is_called_by_name("你说呢，小祥？"), is_called_by_name("小祥瑞饭店不错")
    (True, False)
    """
    words = text.strip().strip("@,，.。!！?？~～…:： ").lower()
    if _CALLED.match(words):
        return words[0] != "小" or segmented_words(words[:12])[:1] == BOT_NAMES[:1]
    if _CALL_BEFORE.match(words):
        return True
    last = _CALLED_LAST.search(words[-2 * _LONGEST_LINE :])
    return last is not None and not _TELLS_OF_HER.fullmatch(last["word"] or "")


def without_call(text: str, mention: str = "") -> str:
    """Return what was said without her name, or a ``mention`` of her, by which she is called.

    A text that says nothing else stays as it is, and so does what would be a command without it.

    >>> without_call("小祥，我住在奥斯陆"), without_call("What is for dinner, Xiaoxiang?")
    ('我住在奥斯陆', 'What is for dinner?')
    >>> without_call("小祥的猫叫什么"), without_call("小祥")
    ('小祥的猫叫什么', '小祥')
    """
    words = text.strip()
    if mention:
        at = re.escape(mention)
        around = rf"^(?:{at}\b[，,：:\s]*)+|[，,\s]*{at}(?=[\s?？!！.。~～…]*$)"
        words = re.sub(around, "", words, flags=re.IGNORECASE)
        return words if re.search(r"\w", words) else ""
    if before := _CALL_BEFORE.match(words):
        hello, rest = before["hello"], words[before.end() :]
        words = (
            f"{hello}{', ' if hello.isascii() else '，'}{rest}" if hello and rest else hello + rest
        )
    head, tail = words[: -2 * _LONGEST_LINE], words[-2 * _LONGEST_LINE :]
    words = head + _CALL_BEHIND.sub(lambda found: found["end"].strip(), tail)
    said = words != text.strip() and re.search(r"\w", words) and read_command(words) is None
    return words if said else text


def _is_only(line: re.Pattern[str], text: str) -> bool:
    if len(text) > 2 * _LONGEST_LINE:
        return False
    words = _AROUND.sub("", text)
    return len(words) <= _LONGEST_LINE and line.fullmatch(words) is not None
