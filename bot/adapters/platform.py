"""What a platform is: one value that settings, identities, ``run``, the doctor and the desk read.

A new platform is a package beside the others that exports such a value, and one line in
``bot/adapters/__init__.py``. Nothing else in the program names a platform.
"""

from collections.abc import Awaitable, Callable, Collection, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from bot.conversation.ledger.inbox import Bindings
from bot.conversation.ledger.ledger import MessageHistory
from bot.conversation.messages import ConversationKey, Incoming
from bot.desk.documents import DocumentPlatform
from bot.identity import Access, PlatformIdentity
from bot.settings import PlatformSettings, Settings
from bot.texts import Sentence


class RunningProgram(Protocol):
    """What an adapter needs of the running program."""

    @property
    def receive(self) -> Callable[[Incoming], Awaitable[object]]:
        """What takes a message; it raises :class:`StoreError` if that could not be kept."""

    @property
    def recall(self) -> Callable[[ConversationKey, str], Awaitable[object]]:
        """What takes back a message of a chat, by its key; raises as ``receive``."""

    @property
    def bindings(self) -> Bindings: ...

    @property
    def history(self) -> MessageHistory: ...


class PlatformAdapter(DocumentPlatform, AbstractAsyncContextManager["PlatformAdapter"], Protocol):
    """A platform at work: how it answers, and how it listens until cancelled."""

    async def serve(self, program: RunningProgram) -> object:
        """Listen until cancelled; raises :class:`XiaoxiangError` when that is over for good."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that the doctor checked, and what came of it."""

    good: bool
    text: str


BuildAdapter: TypeAlias = Callable[[Settings, Access, Callable[[str], object]], PlatformAdapter]
"""Makes the adapter from the settings; it tells the operator what matters through the last."""

CheckPlatform: TypeAlias = Callable[[Settings, Collection[str]], Iterator[Finding]]
"""Checks what is set up on the platform, where these people own the program."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform:
    """A platform as the program knows it.

    ``setup`` says what to write into the settings to
    use it. ``build`` and ``check`` import the platform's library when they are called, so that a
    platform that is not used costs nothing. All three are None for a platform that
    ``xiaoxiang run`` does not serve.
    """

    identity: PlatformIdentity
    settings: type[PlatformSettings] = PlatformSettings
    setup: Sentence | None = None
    build: BuildAdapter | None = None
    check: CheckPlatform | None = None

    @property
    def name(self) -> str:
        """The name in ids, in the ledger and in the log."""
        return self.identity.name
