"""What a platform is: one value that settings, identities, ``run``, the doctor and the desk read.

A new platform is a package beside the others that exports such a value, and one line in
``bot/adapters/__init__.py``. Nothing else in the program names a platform.
"""

import sys
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Protocol, TypeAlias

from bot.conversation.ledger.inbox import Bindings
from bot.conversation.ledger.ledger import MessageHistory
from bot.conversation.messages import ConversationKey, Incoming
from bot.desk.documents import DocumentPlatform
from bot.identity import Access, PlatformIdentity
from bot.settings import PlatformSettings, Settings, is_checkout
from bot.texts import Sentence, setup
from bot.web import WebServer
from memory.model import Language
from memory.sentences import FilledSentence, Value


def how_to_install(extra: str) -> str:
    """Return the one command that adds what an extra brings to this installation."""
    if is_checkout():
        return "make platforms"
    return f"{sys.executable} -m pip install 'xiaoxiang[{extra}]'"


class AloneIn(Protocol):
    """Does something, under a name, that only one program may do at a time.

    ``waiting`` is called while it is another one's turn.
    """

    async def __call__(
        self, name: str, work: Callable[[], Awaitable[object]], waiting: Callable[[], object]
    ) -> None: ...


def missing_library(library: str, extra: str) -> FilledSentence | None:
    """Return how to install a library that comes with an extra; None if it is there."""
    # What is imported may stand there without a spec, as parts of the Lark SDK do.
    if library in {"", *sys.modules} or find_spec(library) is not None:
        return None
    return FilledSentence(setup.EXTRA_MISSING, name=library, command=how_to_install(extra))


class RunningProgram(Protocol):
    """What an adapter needs of the running program."""

    @property
    def receive(self) -> Callable[[Incoming], Awaitable[object]]:
        """What takes a message; it raises :class:`StoreError` if that could not be kept."""

    @property
    def take_back(self) -> Callable[[ConversationKey, str], Awaitable[object]]:
        """What takes back a message of a chat, by its key; raises as ``receive``."""

    @property
    def web(self) -> WebServer:
        """What listens for a platform that pushes."""

    @property
    def alone_in(self) -> "AloneIn":
        """What does something, under a name, that only one program may do at a time."""

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


class SetupQuestions(Protocol):
    """How ``xiaoxiang setup`` asks; each method is explained at the dialogue itself."""

    @property
    def language(self) -> Language: ...

    @property
    def settings(self) -> Settings: ...

    def known(self, key: str) -> str: ...

    def tell(self, sentence: Sentence, **values: Value) -> None: ...

    def tell_findings(self, findings: Iterable[Finding]) -> bool: ...

    def ask(self, sentence: Sentence, *, secret: bool = False, **values: Value) -> str: ...

    def confirm(self, sentence: Sentence, **values: Value) -> bool: ...

    def ask_for(
        self, key: str, sentence: Sentence, *, secret: bool = False, **values: Value
    ) -> str: ...

    def put(self, values: dict[str, str]) -> bool: ...

    def add_id(self, key: str, identity: str) -> None: ...


BuildAdapter: TypeAlias = Callable[[Settings, Access, Callable[[str], object]], PlatformAdapter]
"""Makes the adapter from the settings; it tells the operator what matters through the last."""

CheckPlatform: TypeAlias = Callable[[Settings, Collection[str]], Iterator[Finding]]
"""Checks what is set up on the platform, where these people own the program."""


AskPlatform: TypeAlias = Callable[[SetupQuestions], None]
"""Asks for what the platform needs, tries it, and has it written down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform:
    """A platform as the program knows it.

    ``setup`` says what to write into the settings to use it. ``build``, ``check`` and ``ask``
    import the platform's library when they are called, so that a platform that is not used costs
    nothing. All four are None for a platform that ``xiaoxiang run`` does not serve. ``library`` is
    the name that library is imported by; it comes with the extra of the platform's name.
    """

    identity: PlatformIdentity
    settings: type[PlatformSettings] = PlatformSettings
    setup: Sentence | None = None
    build: BuildAdapter | None = None
    check: CheckPlatform | None = None
    ask: AskPlatform | None = None
    library: str = ""

    @property
    def name(self) -> str:
        """The name in ids, in the ledger and in the log."""
        return self.identity.name

    def missing_library(self) -> FilledSentence | None:
        """Return how to install what the platform needs and is not there; None if it is."""
        return missing_library(self.library, self.name)
