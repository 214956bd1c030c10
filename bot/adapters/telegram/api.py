"""Telegram's Bot API as the rest of this package uses it.

The keys by which chats and messages are named, the bot's calls, the translation of the library's
errors into those of ``bot.adapters.calls``, a guard that keeps the token out of
logs, and what the doctor asks: who the bot is, what it may read, where updates go.
"""

import asyncio
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus
from typing import Any, Final

from telegram import Bot
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
    TimedOut,
)
from telegram.request import HTTPXRequest
from telegram.warnings import PTBDeprecationWarning

from bot.adapters import calls
from bot.adapters.calls import ANSWER_TIMEOUT, NEVER_SENT, PlatformError, bounded_client_options
from bot.adapters.platform import Finding
from bot.conversation.delivery import FailureReason
from bot.conversation.messages import ConversationKey
from bot.http_limits import may_be_parsed
from bot.texts import say
from bot.texts import telegram as texts
from memory.model import Language

SUPERGROUP: Final = "-100"
"""How the ids of supergroups and channels begin."""

PRESS: Final = "p"
"""First letter of the suffix of a key that names a button press. The suffix of an edit is a
number, that of a reaction begins with ``r``."""


@dataclass(frozen=True, slots=True)
class TelegramPlace:
    """A chat, and the topic within it if there is one."""

    chat: int
    thread: int | None = None

    @property
    def private(self) -> bool:
        """Whether it is a chat with one person; groups and channels have negative ids."""
        return self.chat > 0


def place_of(conversation: ConversationKey) -> TelegramPlace:
    """Return where a conversation is."""
    return TelegramPlace(
        int(conversation.chat), int(conversation.thread) if conversation.thread else None
    )


def key_of(chat: int, message: int, suffix: str = "") -> str:
    """Return the dedupe key of a message: the same for every delivery of it."""
    return f"{chat}:{message}{suffix and ':'}{suffix}"


def message_of(key: str) -> int | None:
    """Return the message a key names, None for a key that names none."""
    _, _, rest = key.partition(":")
    number, _, _ = rest.partition(":")
    return int(number) if number.isascii() and number.isdigit() else None


def press_key(chat: int, message: int, mark: str) -> str:
    """Return the dedupe key of a button press: the same for every delivery of it."""
    return key_of(chat, message, f"{PRESS}{mark}")


def pressed_message(key: str) -> int | None:
    """Return the message whose button was pressed, None for a key of anything else."""
    pressed = key.split(":", 2)[2:3]
    return message_of(key) if pressed and pressed[0].startswith(PRESS) else None


def placed_message(key: str) -> int:
    """Return the id of a message that shows an answer."""
    # Ledgers of earlier versions hold the number alone, without its chat.
    return int(key.rpartition(":")[2])


def link_to(conversation: ConversationKey, key: str) -> str:
    """Return the address of a message for members of its group; only supergroups have any."""
    number, chat = message_of(key), conversation.chat
    if number is None or not chat.startswith(SUPERGROUP):
        return ""
    thread = f"{conversation.thread}/" if conversation.thread else ""
    return f"https://t.me/c/{chat.removeprefix(SUPERGROUP)}/{thread}{number}"


POLL_SECONDS: Final = 25.0
"""How long Telegram may keep a poll open when there is nothing to deliver."""

MARGIN_SECONDS: Final = 10.0
"""How much longer than that the network may take."""
CALL_SECONDS: Final = 20.0
"""How long any other call may take, as long as none has been seen to take longer."""

# Named one by one: Telegram never sends reactions unless they are asked for.
UPDATE_KINDS: Final = [
    "message",
    "edited_message",
    "callback_query",
    "message_reaction",
    "my_chat_member",
]
"""The kinds of update the bot asks for; Telegram sends it no other."""

UPDATES_AT_ONCE: Final = 50
"""How many updates one answer may hold: the longest messages there are then fit what is parsed."""

_NOISY_LOGGERS: Final = ("httpx", "httpcore", "telegram")


class GroupMoved(calls.PlatformError):
    """The group has become a supergroup; ``chat`` is its new id."""

    def __init__(self, chat: int) -> None:
        super().__init__("the group has a new id")
        self.chat = chat


class BotApi(Bot):
    """The library's bot, and polling that returns updates before anything parses them."""

    async def fetch_updates(self, offset: int | None, seconds: float, margin: float) -> list[Any]:
        """Return the updates from ``offset`` on; Telegram forgets all those before.

        The server may keep the request open for ``seconds``, the network may add ``margin``.
        """
        # The library's own method parses all updates at once, and one that it cannot parse makes
        # it raise: every update behind that one would be stuck.
        found = await self._post(
            "getUpdates",
            {
                "offset": offset,
                "timeout": round(seconds),
                "allowed_updates": UPDATE_KINDS,
                "limit": UPDATES_AT_ONCE,
            },
            read_timeout=seconds + margin,
        )
        if not isinstance(found, list):
            raise calls.PlatformUnreachable("the answer to getUpdates is no list")
        return found

    async def reconnect(self) -> None:
        """Replace the connections that polling uses."""
        polling = self._request[0]
        await polling.shutdown()
        await polling.initialize()

    async def disconnect(self) -> None:
        """Close every connection."""
        for each in self._request:
            await each.shutdown()


def bot_api(token: str, api_base: str, *, seconds: float = CALL_SECONDS) -> BotApi:
    """Return the bot of a token; polling has connections of its own.

    A call may take ``seconds``, and longer where calls have been seen to take longer.
    """
    _silence_loggers(token)
    # The library warns that this will become a timedelta; ``translated_errors`` takes both.
    warnings.filterwarnings("ignore", ".*`retry_after`", PTBDeprecationWarning)
    return BotApi(
        token,
        base_url=f"{api_base}/bot",
        base_file_url=f"{api_base}/file/bot",
        request=_BoundedRequest(64, seconds),
        get_updates_request=_BoundedRequest(2, seconds),
    )


LONGEST_PATIENCE: Final = 120.0
"""Seconds after which an answer is not waited for, however slow the network has been."""


class Patience:
    """How many seconds an answer is waited for: more after every one that did not come in time.

    It falls again, a tenth with each answer, but never below what it began with.
    """

    def __init__(self, seconds: float) -> None:
        self._least = seconds
        self.seconds = seconds

    def note_timeout(self) -> None:
        """Wait twice as long from now on."""
        self.seconds = max(self._least, min(self.seconds * 2, LONGEST_PATIENCE))

    def note_answer(self) -> None:
        """Wait a little less long."""
        self.seconds = max(self._least, self.seconds * 0.9)


class _BoundedRequest(HTTPXRequest):
    """The library's connections, reading and parsing no more than can be an answer."""

    def __init__(self, connections: int, seconds: float) -> None:
        super().__init__(
            connection_pool_size=connections,
            pool_timeout=seconds,
            connect_timeout=seconds,
            read_timeout=seconds,
            write_timeout=seconds,
            httpx_kwargs=bounded_client_options(),
        )
        self._patience = Patience(seconds)

    async def do_request(self, *args: Any, **kwargs: Any) -> tuple[int, bytes]:
        """Make a request, with as much patience as the network has been seen to need."""
        # A poll says itself how long it may take.
        if not isinstance(kwargs.get("read_timeout"), float | int):
            kwargs["read_timeout"] = self._patience.seconds
        try:
            answer = await super().do_request(*args, **kwargs)
        except TimedOut as error:
            if isinstance(error.__cause__, ANSWER_TIMEOUT):
                self._patience.note_timeout()
            raise
        self._patience.note_answer()
        if answer[0] == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            # The library takes it for trouble on the way, which would be tried again.
            raise BadRequest("what was sent is too large")
        return answer

    @staticmethod
    def parse_json_payload(payload: bytes) -> Any:
        """Return the value of a JSON text; raises TelegramError."""
        if not may_be_parsed(payload):
            raise NetworkError("the answer is too large")
        try:
            return HTTPXRequest.parse_json_payload(payload)
        except RecursionError:
            raise NetworkError("the answer is nested too deep") from None


@contextmanager
def translated_errors() -> Iterator[None]:
    """Turn the library's errors into ours."""
    try:
        yield
    except RetryAfter as error:
        after = error.retry_after
        raise calls.RateLimited(
            after.total_seconds() if isinstance(after, timedelta) else after
        ) from error
    except ChatMigrated as error:
        raise GroupMoved(error.new_chat_id) from error
    except Conflict as error:
        raise calls.ConnectionConflict("another program polls with this token") from error
    except InvalidToken as error:
        # The library raises this for every 401 and 404. A cause means that the body was no JSON:
        # the error page of a proxy, and no answer of Telegram's.
        kind = calls.PlatformUnreachable if error.__cause__ is not None else calls.TokenRefused
        raise kind("the token is refused") from error
    except Forbidden as error:
        raise calls.ChatUnavailable(error.message) from error
    # The library counts this among network errors; repeated as one it would fail for ever.
    except BadRequest as error:
        raise _rejection(error.message) from error
    except TelegramError as error:
        never = isinstance(error.__cause__, NEVER_SENT)
        kind = calls.NeverSent if never else calls.PlatformUnreachable
        raise kind(type(error).__name__) from error


_PERMANENT_REFUSALS: Final = (
    "chat not found",
    "not enough rights",
    "chat_write_forbidden",
    "user is deactivat",
)


def _rejection(text: str) -> calls.PlatformError:
    lowered = text.lower()
    return (
        calls.ChatUnavailable(text)
        if any(word in lowered for word in _PERMANENT_REFUSALS)
        else calls.RequestRejected(text)
    )


class _TokenFilter(logging.Filter):
    """Remove the token from what a library logs, whatever level somebody sets.

    The address of every request holds the token, and the libraries log addresses.
    """

    def __init__(self, token: str) -> None:
        super().__init__()
        self._token = token

    def filter(self, record: logging.LogRecord) -> bool:
        text = record.getMessage()
        if self._token in text:
            record.msg, record.args = text.replace(self._token, "<token>"), ()
        return True


def _silence_loggers(token: str) -> None:
    """Keep the libraries quiet, and their records free of the token even if made to speak."""
    for name in _NOISY_LOGGERS:
        # Not even errors: they quote what the server answered, which is what people wrote.
        logging.getLogger(name).setLevel(logging.CRITICAL)
    # Filters, unlike levels, are not inherited: every logger below needs its own.
    names = [
        name
        for name in logging.root.manager.loggerDict
        if name.partition(".")[0] in _NOISY_LOGGERS
    ]
    for name in names:
        logger = logging.getLogger(name)
        if not any(isinstance(each, _TokenFilter) for each in logger.filters):
            logger.addFilter(_TokenFilter(token))


CHECK_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TelegramCheck:
    """What Telegram says; ``failure`` is why it says nothing, if that is so."""

    name: str = ""
    reads_groups: bool = False
    webhook: str = ""
    failure: FailureReason | None = None


async def check_telegram(token: str, api_base: str) -> TelegramCheck:
    """Ask, without changing anything and without taking a single message."""
    bot = bot_api(token, api_base, seconds=CHECK_SECONDS)
    try:
        with translated_errors():
            me = await bot.get_me()
            hook = await bot.get_webhook_info()
    except PlatformError as error:
        return TelegramCheck(failure=error.reason)
    finally:
        await bot.disconnect()
    return TelegramCheck(
        name=me.name,
        reads_groups=bool(me.can_read_all_group_messages),
        webhook=hook.url,
    )


def telegram_findings(
    token: str, api_base: str, webhook_url: str, language: Language, *, owned: bool
) -> Iterator[Finding]:
    """Check the token, who owns the program, what it sees in groups and where updates go."""
    found = asyncio.run(check_telegram(token, api_base))
    if found.failure:
        bad = texts.TOKEN_REFUSED if found.failure == "token_refused" else texts.BOT_BAD
        yield Finding(good=False, text=say(language, bad, why=found.failure))
        return
    yield Finding(good=True, text=say(language, texts.BOT_GOOD, name=found.name))
    owner = texts.OWNER_KNOWN if owned else texts.OWNER_WANTED
    yield Finding(good=owned, text=say(language, owner))
    privacy = texts.PRIVACY_OFF if found.reads_groups else texts.PRIVACY_ON
    yield Finding(good=True, text=say(language, privacy))
    # Good all the same: `run` takes the webhook over, and the operator may want that.
    if found.webhook and found.webhook != webhook_url:
        yield Finding(good=True, text=say(language, texts.WEBHOOK_ELSEWHERE, url=found.webhook))
