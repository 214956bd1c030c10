"""What every adapter shares about messages that come in.

Each platform reads its own events; from there the way is the same: a pairing code makes its sender
the owner, a group command is completed with its sender's rank, a button is obeyed once, and what
could not be kept is left unacknowledged so that the platform sends it again.
"""

import hmac
import json
import os
import re
import secrets
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, replace
from datetime import timedelta
from hashlib import blake2b
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

from bot.conversation.growing import NotTheirs
from bot.conversation.ledger import Duplicate
from bot.conversation.messages import PRESSED, UNREADABLE, ConversationKey, Incoming
from bot.desk.caller import ButtonSigner, button_id, is_of_a_choice
from bot.desk.desk import needs_sender_rank
from bot.desk.documents import Document, Presenter, Text
from bot.identity import Access, AccessLevel, PlatformId, owner_file, pairing_code_file
from bot.tasks import Done, Failed, Supervisor, attempt
from bot.texts import Sentence, desk_link, refusals, say
from bot.texts import dialogue as texts
from memory.errors import StoreError, StoreUnwritable
from memory.model import Language
from memory.ports import Clock
from memory.refusals import said_by_system
from memory.stores.disk import own_as_folder

T = TypeVar("T")

MEDIA_BYTES: Final = 10 * 1024 * 1024
"""A larger picture or recording is not described or transcribed."""

DOCUMENT_BYTES: Final = 20 * 1024 * 1024
"""A larger file is not taken; it is also the most that Telegram hands to a bot."""

Receive: TypeAlias = Callable[[Incoming], Awaitable[object]]
"""Take a message into the program; raises :class:`StoreError` if it could not be kept."""

HandleEvent: TypeAlias = Callable[[Any], Awaitable[object]]
"""Keep one raw event and return the platform's answer to it; raises if it was not kept."""


class Acknowledger:
    """Decide what a platform has to send again. ``skipped`` counts events nobody can read."""

    def __init__(self) -> None:
        self.skipped = 0

    async def handle_or_skip(self, name: str, handle: Callable[[], Awaitable[T]]) -> T | None:
        """Return what ``handle`` returns, or None for an event that cannot be read.

        Raises :class:`StoreError` or :class:`TimeoutError`: the event was not kept and must not
        be acknowledged.
        """
        step = await attempt(f"taking {name}", handle)
        match step:
            case Done(value):
                return value
            case Failed(StoreError() | TimeoutError() as error):
                raise error
            case Failed():
                # Acknowledged all the same: sent again it would fail again, and block the rest.
                self.skipped += 1
                return None


UNREADABLE_CHARACTERS: Final = 65_536
"""Of an event that cannot be read so much is kept, as JSON."""

_NOT_IN_IDS: Final = re.compile(r"[^\w.:-]")


def unreadable_raw(event: Any) -> dict[str, object]:
    """Return an event that cannot be read as :attr:`Incoming.raw` keeps it."""
    words = json.dumps(event, ensure_ascii=False, default=repr)
    return {UNREADABLE: words[:UNREADABLE_CHARACTERS]}


def loggable_id(event_id: object) -> str:
    r"""Return an id from outside as the log may hold it.

    >>> loggable_id("om_1\nERROR"), loggable_id(None)
    ('om_1?ERROR', 'None')
    """
    return _NOT_IN_IDS.sub("?", str(event_id))[:64]


async def handle_or_set_aside(
    name: str,
    handle: Callable[[], Awaitable[object]],
    read_sender: Callable[[], Incoming | None],
    receive: Receive,
) -> object:
    """Return what handling an event returns; one that cannot be read is kept as it came.

    ``name`` is for the log. ``read_sender`` returns it as a message of whoever sent it, or None if
    not even that can be read: nobody could be told, and no erasure would find it, so such an
    event raises what handling it raised. Raises :class:`StoreError` and :class:`TimeoutError`:
    the event was not kept.
    """
    step = await attempt(name, handle)
    match step:
        case Done(value):
            return value
        case Failed(StoreError() | TimeoutError() as error):
            raise error
        case Failed(error):
            unreadable = read_sender()
            if unreadable is None:
                raise error
            await receive(unreadable)
            return None


ATTEMPTS: Final = 10
"""After so many wrong codes there is a new one; each new one stands twice as many."""

AHEAD: Final = 4
"""So many of the codes that follow are good as well."""

WELCOME: Final = Document((Text(say("zh", desk_link.PAIRED)), Text(say("en", desk_link.PAIRED))))
"""What the new owner is told, in both languages: nobody knows theirs yet."""

# Without I, L, O, 0 and 1, which people misread.
_LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"

_LENGTH: Final = 8


class Pairing:
    """A code that makes its sender the owner, once. ``code`` is empty when nobody is wanted.

    ``announce`` is told a new code, after too many guesses.
    """

    def __init__(
        self,
        data_dir: Path,
        platform: str,
        *,
        wanted: bool,
        announce: Callable[[str], object] = str,
    ) -> None:
        self._path = owner_file(data_dir, platform)
        self._announce = announce
        self._attempts = self._attempts_left = ATTEMPTS
        self._pairing_message = _pairing_message(self._path)
        # Several workers ask for one code, whichever of them hears it.
        shared = _read_quietly(pairing_code_file(data_dir, platform))
        self.code = (shared or new_pairing_code()) if wanted else ""

    def accept_code(self, incoming: Incoming, access: Access) -> bool:
        """Make whoever sent the code in private the owner; return whether it was the code.

        The code is stored nowhere. Raises :class:`StoreUnwritable`.
        """
        # Forwarded or quoted it was said by somebody else, to somebody else.
        alone = incoming.private and incoming.addressed and not incoming.quoted
        if not (alone and self._is_code(incoming.text)):
            return False
        self._save_owner(incoming)
        access.add_owner(PlatformId(incoming.conversation.platform, incoming.sender.id))
        return True

    def is_repeated(self, incoming: Incoming) -> bool:
        """Whether it is the message that made its sender the owner, delivered once more."""
        return incoming.dedupe_key == self._pairing_message

    def _is_code(self, text: str) -> bool:
        # Telegram's deep links send the code as ``/start CODE``.
        offered = text.strip().removeprefix("/start").strip().upper()
        # Only what looks like a code counts as a guess: ordinary talk must not end pairing.
        if not self.code or not _looks_like_code(offered):
            return False
        if (heard := _pairing_message(self._path)) != self._pairing_message:
            # Another worker heard it meanwhile.
            self.code, self._pairing_message = "", heard
            return False
        # Another worker, which was given too many wrong ones, may ask for a later one already.
        valid = accumulate(range(AHEAD), lambda code, _: following_code(code), initial=self.code)
        if any(hmac.compare_digest(offered.encode(), each.encode()) for each in valid):
            return True
        self._attempts_left -= 1
        if self._attempts_left == 0:
            # Ever longer, so that who goes on guessing cannot fill the screen.
            self._attempts *= 2
            self._attempts_left = self._attempts
            self.code = following_code(self.code)
            self._announce(self.code)
        return False

    def _save_owner(self, incoming: Incoming) -> None:
        """Keep the owner for every later start; raises :class:`StoreUnwritable`."""
        fresh = self._path.with_suffix(".new")
        kept = {"owner": incoming.sender.id, "message": incoming.dedupe_key}
        try:
            descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump(kept, file)
                file.flush()
                os.fsync(file.fileno())
            own_as_folder(fresh)
            # Renamed only once it is on disk: a crash leaves no owner or the whole one.
            fresh.replace(self._path)
        except OSError as error:
            raise StoreUnwritable(
                refusals.CANNOT_KEEP, file=self._path, why=said_by_system(error)
            ) from error
        self.code, self._pairing_message = "", incoming.dedupe_key


def new_pairing_code() -> str:
    """Return a code that nobody can guess."""
    return following_code(secrets.token_hex())


def following_code(code: str) -> str:
    """Return the code that takes the place of one, which whoever knows that one can tell."""
    while True:
        digest = blake2b(code.encode(), digest_size=_LENGTH * 2).digest()
        numbers = (int.from_bytes(digest[at : at + 2]) for at in range(0, len(digest), 2))
        code = "".join(_LETTERS[number % len(_LETTERS)] for number in numbers)
        if _looks_like_code(code):
            return code


def _looks_like_code(text: str) -> bool:
    """Whether a text may be a code: with letters and digits in it, unlike a word or a number."""
    digits = sum(character.isdigit() for character in text)
    return len(text) == _LENGTH and set(text) <= set(_LETTERS) and 0 < digits < _LENGTH


def _read_quietly(path: Path) -> str:
    """Return what stands in a file; nothing if it is not there or not text."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""


def _pairing_message(path: Path) -> str:
    """Return the key of the message that was the code, as the owner's file tells it."""
    try:
        document = json.loads(_read_quietly(path))
    except ValueError:
        return ""
    return str(document.get("message", "")) if isinstance(document, dict) else ""


# Platforms push an event that was not confirmed for hours; a greeting so late would be odd.
GREETING_WINDOW: Final = timedelta(minutes=10)
"""The age of an event from which on nobody is greeted for it."""


def group_greeting(language: Language, refused_id: str) -> Document:
    """Return what is said in a group the bot was added to.

    ``refused_id`` is the id by which the group can be allowed, empty if it is.
    """
    lines = [Text(say(language, texts.HELLO))]
    if refused_id:
        lines.append(Text(say(language, texts.NOT_ALLOWED_YET, chat=refused_id)))
    return Document(tuple(lines))


async def nothing_to_do() -> None:
    """Do nothing: a platform without menus has nothing to change for its owner."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandlerServices:
    """What handling an event needs of the adapter around it; ``on_paired``: there is an owner."""

    presenter: Presenter
    signer: ButtonSigner
    pairing: Pairing
    access: Access
    clock: Clock
    tasks: Supervisor
    on_paired: Callable[[], Coroutine[Any, Any, object]] = nothing_to_do

    def start_showing(
        self, conversation: ConversationKey, document: Document, *, reply_to: str
    ) -> None:
        """Show a document in a task of its own: receiving must not wait for sending."""
        work = self.presenter.present(conversation, document, reply_to=reply_to)
        self.tasks.start("showing a document", work)


class MessageReceiver:
    """Hand messages and button presses to the program, with what it has to know about them.

    ``is_admin`` asks the platform whether a message's sender leads the group.
    """

    def __init__(
        self,
        receive: Receive,
        services: HandlerServices,
        is_admin: Callable[[Incoming], Awaitable[bool]],
    ) -> None:
        self._receive = receive
        self._services = services
        self._is_admin = is_admin

    async def receive_message(self, incoming: Incoming) -> None:
        """Hand a message over that is not the pairing code; raises :class:`StoreError`."""
        ranked, _ = await self._with_sender_rank(incoming)
        await self._receive(ranked)

    def accept_pairing(self, incoming: Incoming) -> bool:
        """Make the sender the owner if the message is the pairing code; return whether it was.

        To be asked once for each message, and first: a wrong code counts as a guess. The message
        that was the code is no talk either when it is delivered once more.
        """
        services = self._services
        if services.pairing.is_repeated(incoming):
            return True
        accepted = services.pairing.accept_code(incoming, services.access)
        if accepted:
            services.tasks.start("greeting the owner", services.on_paired())
            services.start_showing(incoming.conversation, WELCOME, reply_to=incoming.dedupe_key)
        return accepted

    def button_command(self, data: str, chat: str, person: str) -> str | Sentence:
        """Return the command of a button that somebody presses, or why it does nothing."""
        signer = self._services.signer
        command = signer.verify(data, chat, self._services.clock.now(), person)
        if command is None and signer.is_anothers(data, chat, person):
            return texts.BUTTON_OF_ANOTHER
        return texts.NO_BUTTON if command is None else command

    async def receive_press(
        self, incoming: Incoming, data: str, key_of: Callable[[str], str]
    ) -> Sentence | None:
        """Hand a button's command over as if it had been said; the ledger drops a second press.

        That is also a press on another button of the same choice.

        Return what to tell its presser if it does nothing. ``data`` is what the button carries;
        ``key_of`` makes a dedupe key of a mark for it.
        """
        mark = button_id(data)
        press = replace(incoming, dedupe_key=key_of(mark), raw={**incoming.raw, PRESSED: True})
        ranked, may_give_it = await self._with_sender_rank(press)
        chat, person = incoming.conversation.chat, incoming.person
        theirs = self._services.signer.is_theirs(data, chat, person)
        if theirs is False and not may_give_it:
            return texts.BUTTON_OF_ONE_AND_ADMINS
        if not (may_give_it or theirs):
            # A button is obeyed once. Who may not give its command must not use it up.
            ranked = replace(ranked, dedupe_key=key_of(f"{mark}:{incoming.sender.id}"))
        match await self._receive(ranked):
            case Duplicate():
                return texts.CHOSEN_ALREADY if is_of_a_choice(data) else texts.BUTTON_USED
            case NotTheirs():
                return texts.ONLY_WHO_ASKED
            case _:
                return None

    async def _with_sender_rank(self, incoming: Incoming) -> tuple[Incoming, bool]:
        """Return a message with its sender's rank, and whether that allows its command."""
        # Asked only where it decides: the question costs a call to the platform.
        if not _exceeds_known_rights(incoming, self._services.access):
            return incoming, True
        is_admin = await self._is_admin(incoming)
        return replace(incoming, sender_is_admin=is_admin), is_admin


def _exceeds_known_rights(incoming: Incoming, access: Access) -> bool:
    """Whether it is a group command that its sender may give only as an admin of the group."""
    if incoming.private or not incoming.addressed or not needs_sender_rank(incoming.command):
        return False
    return access.level_of(incoming.author) is AccessLevel.ALLOWED
