"""Who is who: ids of people and chats, what they may do, and which agent remembers a chat."""

import re
from collections import OrderedDict
from collections.abc import Collection
from enum import Enum
from hashlib import blake2b
from typing import Final, NamedTuple

from memory.errors import InputRefused

REMEMBERED_STRANGERS: Final = 1_000
"""So many strangers are kept in mind as told; the one met longest ago is told once more."""

_ID_PATTERNS: Final = {
    "telegram": re.compile(r"-?[1-9][0-9]{0,19}", re.ASCII),
    "lark": re.compile(r"o[nuc]_[0-9A-Za-z]{1,64}", re.ASCII),
}

_SHARED_IDS: Final = {
    ("telegram", "1087968824"): "every anonymous group admin",
    ("telegram", "136817688"): "everyone who writes as a channel",
    ("telegram", "777000"): "Telegram itself",
}


class PlatformId(NamedTuple):
    """A person or a chat of a platform, as ``telegram:123`` or ``lark:ou_x``."""

    platform: str
    id: str


class AccessLevel(Enum):
    """What someone may do. ``ADMIN``: who leads the group something is said in."""

    OWNER = "owner"
    ADMIN = "admin"
    ALLOWED = "allowed"
    STRANGER = "stranger"
    MACHINE = "machine"


def parsed_ids(listed: str) -> frozenset[PlatformId]:
    """Return the ids of a comma-separated list; raises :class:`InputRefused` naming what is wrong.

    >>> parsed_ids("telegram:123, lark:ou_x") == {("telegram", "123"), ("lark", "ou_x")}
    True
    """
    return frozenset(_parsed_id(entry.strip()) for entry in listed.split(",") if entry.strip())


def _parsed_id(entry: str) -> PlatformId:
    platform, _, number = entry.partition(":")
    form = _ID_PATTERNS.get(platform)
    if form is None or not form.fullmatch(number):
        raise InputRefused(
            f"{entry!r} is no id: write telegram:123456 or lark:ou_…; names cannot be trusted"
        )
    shared = _SHARED_IDS.get((platform, number))
    if shared:
        raise InputRefused(f"{entry!r} stands for {shared}, not for one person")
    return PlatformId(platform, number)


class Access:
    """Decide who may talk; whoever is not listed may not.

    An allowed chat lets in everyone who writes there. A terminal belongs to the owner.
    """

    def __init__(self, owners: Collection[PlatformId], allowed: Collection[PlatformId]) -> None:
        self._owners = set(owners)
        self._allowed = frozenset(allowed)
        self._strangers_told: OrderedDict[PlatformId, None] = OrderedDict()

    def level_of(
        self, platform: str, sender: str, chat: str, *, is_bot: bool, is_admin: bool = False
    ) -> AccessLevel:
        """Return what the sender may do in that chat, in which they may be an admin.

        An admin of a chat that is not allowed is as strange as everybody there.
        """
        person = PlatformId(platform, sender)
        if is_bot or (platform, sender) in _SHARED_IDS:
            return AccessLevel.MACHINE
        if platform == "console" or person in self._owners:
            return AccessLevel.OWNER
        if person in self._allowed or PlatformId(platform, chat) in self._allowed:
            return AccessLevel.ADMIN if is_admin else AccessLevel.ALLOWED
        return AccessLevel.STRANGER

    def owners(self, platform: str) -> frozenset[str]:
        """Return the ids of the owners on that platform."""
        return frozenset(each.id for each in self._owners if each.platform == platform)

    def add_owner(self, person: PlatformId) -> None:
        """Let somebody be an owner from now on."""
        self._owners.add(person)

    def note_stranger(self, platform: str, sender: str) -> bool:
        """Say whether this stranger still has to be told; only the first call says yes."""
        person = PlatformId(platform, sender)
        known = person in self._strangers_told
        self._strangers_told[person] = None
        self._strangers_told.move_to_end(person)
        if len(self._strangers_told) > REMEMBERED_STRANGERS:
            self._strangers_told.popitem(last=False)
        return not known


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
