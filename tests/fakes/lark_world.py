"""Who and what there is on the platform: people, chats, messages, reactions."""

import asyncio
import itertools
import json
import time
from dataclasses import dataclass, field
from typing import Any

APP_ID = "cli_a0123456789abcde"
APP_SECRET = "secret-of-nobody-0123456789abcdef"  # noqa: S105 - nobody's
ENCRYPT_KEY = "encrypt-key-of-nobody"
VERIFICATION_TOKEN = "verification-token-of-nobody"  # noqa: S105 - nobody's
TENANT = "tenant-of-nobody"
BOT = "ou_b0700000000000000000000000000000"
BOT_NAME = "小祥"
ANN = "ou_a0000000000000000000000000000001"


def _passed() -> float:
    """Return the present loop's seconds, which a slow machine does not use up."""
    try:
        return asyncio.get_running_loop().time()
    except RuntimeError:
        return time.monotonic()


class LarkClock:
    """The platform's time in seconds: that of the test's loop, and what the test added to it."""

    def __init__(self) -> None:
        self.added = 0.0
        self._started = time.time() - _passed()

    def now(self) -> float:
        return self._started + _passed() + self.added

    def milliseconds(self) -> str:
        return str(int(self.now() * 1000))


@dataclass(frozen=True, slots=True)
class Person:
    open_id: str
    name: str

    @property
    def ids(self) -> dict[str, str]:
        """As events name a person."""
        tail = self.open_id.removeprefix("ou_")
        return {"open_id": self.open_id, "union_id": f"on_{tail}", "user_id": tail[-8:]}


@dataclass
class Chat:
    """``people`` are open ids; ``mode`` is p2p, group or topic."""

    id: str
    mode: str
    name: str
    people: list[str]
    owner: str = ""
    managers: list[str] = field(default_factory=list)
    bot_inside: bool = True
    dissolved: bool = False
    external: bool = False

    @property
    def kind(self) -> str:
        """As events name it."""
        return "p2p" if self.mode == "p2p" else "group"


@dataclass
class Message:
    """``content`` is the JSON that was given; ``history`` every content there was.

    ``bundle`` are the messages that were forwarded together as this one.
    """

    id: str
    chat: str
    sender: str
    kind: str
    content: str
    made: str
    changed: str
    parent: str = ""
    root: str = ""
    thread: str = ""
    uuid: str = ""
    mentions: list[dict[str, Any]] = field(default_factory=list)
    withdrawn: bool = False
    edits: int = 0
    history: list[str] = field(default_factory=list)
    bundle: list[str] = field(default_factory=list)

    @property
    def by_bot(self) -> bool:
        return self.sender == BOT

    @property
    def document(self) -> dict[str, Any]:
        """The content; empty if that is no JSON."""
        try:
            document: dict[str, Any] = json.loads(self.content)
        except ValueError:
            return {}
        return document


@dataclass(frozen=True, slots=True)
class Reaction:
    id: str
    message: str
    who: str
    emoji: str


class World:
    """Everything there is; ids are unique and tell what they name."""

    def __init__(self, clock: LarkClock) -> None:
        self.clock = clock
        self.people: dict[str, Person] = {}
        self.chats: dict[str, Chat] = {}
        self.messages: dict[str, Message] = {}
        self.reactions: dict[str, Reaction] = {}
        self.files: dict[str, bytes] = {}
        self._numbers = itertools.count(1)
        self.person(ANN, "安安")

    def new(self, prefix: str) -> str:
        return f"{prefix}_{next(self._numbers):032x}"

    def person(self, open_id: str, name: str) -> Person:
        person = self.people[open_id] = Person(open_id, name)
        return person

    def private(self, open_id: str) -> Chat:
        """Return someone's private chat with the bot; there is one of each."""
        for chat in self.chats.values():
            if chat.mode == "p2p" and chat.people == [open_id]:
                return chat
        return self._kept(Chat(self.new("oc"), "p2p", "", [open_id]))

    def group(self, name: str, *people: str, mode: str = "group", owner: str = "") -> Chat:
        return self._kept(Chat(self.new("oc"), mode, name, list(people), owner or people[0]))

    def _kept(self, chat: Chat) -> Chat:
        self.chats[chat.id] = chat
        return chat

    def write(
        self,
        chat: Chat,
        sender: str,
        kind: str,
        content: str,
        *,
        reply_to: Message | None = None,
        in_thread: bool = False,
        uuid: str = "",
        mentions: list[dict[str, Any]] | None = None,
    ) -> Message:
        now = self.clock.milliseconds()
        message = Message(
            self.new("om"), chat.id, sender, kind, content, now, now, mentions=mentions or []
        )
        message.uuid = uuid
        message.history.append(content)
        if reply_to is not None:
            message.parent = reply_to.id
            message.root = reply_to.root or reply_to.id
            message.thread = self._thread(reply_to, begin=in_thread)
        elif chat.mode == "topic":
            message.thread = self.new("omt")
        self.messages[message.id] = message
        return message

    def _thread(self, reply_to: Message, *, begin: bool) -> str:
        """A reply to something in a thread stays in it; asked for, a reply begins one."""
        if begin and not reply_to.thread:
            root = self.messages.get(reply_to.root, reply_to)
            root.thread = reply_to.thread = root.thread or self.new("omt")
        return reply_to.thread

    def written(self, chat: str) -> list[Message]:
        return [each for each in self.messages.values() if each.chat == chat]
