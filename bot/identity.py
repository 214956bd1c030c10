"""Who is who: ids of people and chats, what they may do, and which agent remembers a chat.

How ids look is the platforms' business. Each platform states it as a :class:`PlatformIdentity`;
:class:`Identities` answers for all of them, so that nothing here names a platform.
"""

import json
import re
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from bot.texts import Sentence, refusals
from memory.errors import InputRefused
from memory.stores.disk import REAL_DISK, replace_file

REMEMBERED_STRANGERS: Final = 1_000
"""How many strangers are remembered as told; the one met longest ago is told once more."""


class PlatformId(NamedTuple):
    """A person or a chat of a platform, as ``telegram:123`` or ``lark:ou_x``."""

    platform: str
    id: str


class Author(NamedTuple):
    """Who wrote something, and in which chat. ``is_admin``: whether they lead that chat."""

    platform: str
    sender: str
    chat: str
    is_bot: bool = False
    is_admin: bool = False


class AccessLevel(Enum):
    """What someone may do. ``ADMIN``: who leads the group something is said in."""

    OWNER = "owner"
    ADMIN = "admin"
    ALLOWED = "allowed"
    STRANGER = "stranger"
    MACHINE = "machine"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformIdentity:
    """How a platform names people and chats, and how it is called itself.

    ``name`` stands in ids and in the ledger, ``title`` in sentences.
    ``id_pattern`` matches a whole id that an operator may list; None where nobody is listed.
    ``id_example`` is one as it is written in the settings. ``shared_ids`` are ids behind which
    several people stand, each with who that is. ``export_prefix`` begins ids in the platform's
    own chat exports; empty if she reads none. ``agent_prefix`` begins the names of its agents.
    ``is_local`` is a terminal: whoever sits there owns the program, and its chats are named after
    their agents.
    """

    name: str
    title: Sentence
    agent_prefix: str = ""
    id_pattern: re.Pattern[str] | None = None
    id_example: str = ""
    shared_ids: Mapping[str, str] = field(default_factory=dict)
    export_prefix: str = ""
    is_local: bool = False


_AGENT_NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?")

_NUMBER: Final = re.compile(r"-?[0-9]{1,20}", re.ASCII)


class Identities:
    """What is known of ids on every platform of the program.

    Raises ValueError if two platforms have one name or one prefix.
    """

    def __init__(self, platforms: Iterable[PlatformIdentity]) -> None:
        listed = tuple(platforms)
        self._platforms = {each.name: each for each in listed}
        # Chats of two platforms may have one id: with one prefix they would share a memory.
        prefixes = [each.agent_prefix for each in listed if each.agent_prefix]
        if len(self._platforms) < len(listed) or len(set(prefixes)) < len(prefixes):
            raise ValueError("every platform needs a name and a prefix of its own")

    def title(self, platform: str) -> Sentence:
        """Return how a platform is called in a sentence; by its name if it is not known."""
        known = self._platforms.get(platform)
        # The ledger may hold chats of a platform that an older or newer version had.
        return known.title if known else Sentence(zh=platform, en=platform)

    def is_local(self, platform: str) -> bool:
        """Whether a platform is the machine's own terminal."""
        known = self._platforms.get(platform)
        return known is not None and known.is_local

    def is_shared(self, platform: str, identity: str) -> bool:
        """Whether several people stand behind an id, so that it says nothing about who writes."""
        known = self._platforms.get(platform)
        return known is not None and identity in known.shared_ids

    def exported_id(self, platform: str, identity: str) -> str:
        """Return the id somebody has in the platform's chat exports; empty if there are none."""
        known = self._platforms.get(platform)
        return f"{known.export_prefix}{identity}" if known and known.export_prefix else ""

    def parsed_ids(self, listed: str) -> frozenset[PlatformId]:
        """Return the ids of a comma-separated list; raises :class:`InputRefused` for a wrong one.

        ``telegram:123, lark:ou_x`` lists two people.
        """
        entries = (entry.strip() for entry in listed.split(","))
        return frozenset(self._parsed_id(entry) for entry in entries if entry)

    def paired_owner(self, data_dir: Path, platform: str) -> frozenset[PlatformId]:
        """Return the owner who paired on a platform, if anybody did."""
        try:
            document = json.loads(owner_file(data_dir, platform).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return frozenset()
        owner = document.get("owner") if isinstance(document, dict) else None
        try:
            # Whoever can write the file could name anybody: only what could be listed counts.
            return self.parsed_ids(f"{platform}:{owner}")
        except InputRefused:
            return frozenset()

    def owners(self, listed: str, data_dir: Path) -> frozenset[PlatformId]:
        """Return everyone who owns the program, listed by the operator or paired."""
        paired = (self.paired_owner(data_dir, platform) for platform in self._platforms)
        return self.parsed_ids(listed).union(*paired)

    def default_agent_id(self, platform: str, chat: str, *, private: bool) -> str:
        """Return the agent a chat has from the start: one for itself, private apart from group.

        ``-100123`` of Telegram, a group, has ``tg-g-100123``. Every thread of a chat has the
        agent of the chat.
        """
        known = self._platforms[platform]
        if known.is_local:
            return checked_agent_id(chat)
        kind = "p" if private else "g"
        if _NUMBER.fullmatch(chat):
            return f"{known.agent_prefix}-{kind}-{chat.lstrip('-')}"
        # Not the id itself: it may hold capitals, and some file systems do not tell them apart.
        digest = blake2b(chat.encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()
        return f"{known.agent_prefix}-{kind}-{digest}"

    def _parsed_id(self, entry: str) -> PlatformId:
        platform, _, identity = entry.partition(":")
        known = self._platforms.get(platform)
        if known is None or known.id_pattern is None or not known.id_pattern.fullmatch(identity):
            examples = (each.id_example for each in self._platforms.values())
            ways = " / ".join(filter(None, examples))
            raise InputRefused(refusals.NO_SUCH_ID, entry=entry, ways=ways)
        if identity in known.shared_ids:
            shared = known.shared_ids[identity]
            raise InputRefused(refusals.NOT_ONE_PERSON, entry=repr(entry), shared=shared)
        return PlatformId(platform, identity)


class Access:
    """Decide who may talk; whoever is not listed may not.

    An allowed chat lets in everyone who writes there. A terminal belongs to the owner.
    """

    def __init__(
        self,
        owners: Collection[PlatformId],
        allowed: Collection[PlatformId],
        identities: Identities,
    ) -> None:
        self._owners = set(owners)
        self._allowed = frozenset(allowed)
        self._guests: set[PlatformId] = set()
        self.identities: Final = identities
        self._strangers_told: OrderedDict[PlatformId, None] = OrderedDict()
        self._owners_chats: set[PlatformId] = set()
        self.on_new: Callable[[], object] = lambda: None
        """Called when there is one more who may talk, or an owner."""

    def level_of(self, author: Author) -> AccessLevel:
        """Return what the author may do in that chat.

        An admin of a chat that is not allowed is a stranger like everybody there.
        """
        person = PlatformId(author.platform, author.sender)
        # First, so that neither a bot nor a shared id can be an owner, even if one is listed.
        if author.is_bot or self.identities.is_shared(author.platform, author.sender):
            return AccessLevel.MACHINE
        if self.identities.is_local(author.platform) or person in self._owners:
            return AccessLevel.OWNER
        known = person in self._allowed or person in self._guests
        if known or PlatformId(author.platform, author.chat) in self._allowed:
            return AccessLevel.ADMIN if author.is_admin else AccessLevel.ALLOWED
        return AccessLevel.STRANGER

    def note_chat(self, author: Author) -> None:
        """Note that somebody wrote in a chat: whose a private chat is, only this tells."""
        if self.level_of(author) is AccessLevel.OWNER:
            self._owners_chats.add(PlatformId(author.platform, author.chat))

    def is_owners_chat(self, chat: PlatformId) -> bool:
        """Tell whether an owner wrote in a chat since the start."""
        return chat in self._owners_chats

    def owners(self, platform: str) -> frozenset[str]:
        """Return the ids of the owners on that platform."""
        return frozenset(each.id for each in self._owners if each.platform == platform)

    def add_owner(self, person: PlatformId) -> None:
        """Let somebody be an owner from now on."""
        if person not in self._owners:
            self._owners.add(person)
            self.on_new()

    def let_in(self, person: PlatformId) -> None:
        """Let somebody talk from now on, whom an owner let in."""
        if person not in self._guests:
            self._guests.add(person)
            self.on_new()

    def keep_out(self, person: PlatformId) -> None:
        """Let somebody talk no more whom an owner had let in; the settings' list stays."""
        self._guests.discard(person)

    def note_stranger(self, platform: str, sender: str) -> bool:
        """Say whether this stranger still has to be told; only the first call says yes."""
        person = PlatformId(platform, sender)
        known = person in self._strangers_told
        self._strangers_told[person] = None
        self._strangers_told.move_to_end(person)
        # Bounded: anybody can write to a bot, and a crowd must not fill the memory.
        if len(self._strangers_told) > REMEMBERED_STRANGERS:
            self._strangers_told.popitem(last=False)
        return not known


def checked_agent_id(name: str) -> str:
    """Return ``name`` if it may be an agent: safe as a folder on every file system.

    Raises :class:`InputRefused` otherwise.
    """
    if not _AGENT_NAME.fullmatch(name):
        raise InputRefused(refusals.BAD_AGENT_NAME, name=repr(name))
    return name


def owner_file(data_dir: Path, platform: str) -> Path:
    """Return where the owner who paired on a platform is kept."""
    return data_dir / f"{platform}.owner"


class SharedFiles(Protocol):
    """Small files that all workers of a database have in common. Blocks."""

    def share(self, name: str, content: bytes) -> bytes:
        """Return what all have under a name; this from now on if there was nothing yet."""

    def shared(self, name: str) -> bytes | None:
        """Return what all have under a name; None if nothing was shared."""

    def unshare(self, name: str) -> None:
        """Let nothing be shared under a name any more."""


def share_owner(files: SharedFiles, data_dir: Path, platform: str) -> None:
    """Let whoever paired with one of several workers be the owner at all of them; blocks."""
    path, code = owner_file(data_dir, platform), pairing_code_file(data_dir, platform)
    mine = REAL_DISK.read(path)
    common = files.share(path.name, mine) if mine else files.shared(path.name)
    if common is None:
        return
    if common != mine:
        replace_file(REAL_DISK, path, common)
    if code.exists():
        code.unlink()
        files.unshare(code.name)


def pairing_code_file(data_dir: Path, platform: str) -> Path:
    """Return where the code is kept that several workers of a database ask for."""
    return data_dir / f"{platform}.code"
