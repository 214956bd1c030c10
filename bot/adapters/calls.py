"""What every adapter shares about calling a platform over the network.

The errors a call can end in, the waiting a platform asks for, and the pauses before reconnecting.
The two platforms word these differently; their packages translate into the words used here.
An answer is shown while it grows by a task of its own: the model never waits for a platform. The
HTTP clients of the platforms read no more of an answer than can be one.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from typing import Any, ClassVar, Final, TypeVar

import httpx

from bot.conversation.delivery import (
    AnswerRefused,
    ChannelHealth,
    FailureReason,
    NotDelivered,
    Undeliverable,
)
from bot.http_limits import LARGEST_FILE, PLAIN_ONLY, is_plain, limited_stream
from bot.tasks import Done, Failed, Supervisor, Timer, attempt, wait_for_event
from memory.errors import StoreError, XiaoxiangError

T = TypeVar("T")

LONGEST_RATE_LIMIT_WAIT: Final = 60.0
"""Seconds a message waits for the platform's permission before the ledger keeps it for later."""

RETRY_PAUSES: Final = (0.5, 2.0)
"""The pauses, in seconds, before a call that failed is made again."""


class PlatformError(XiaoxiangError):
    """A call to a platform failed; ``reason`` is what status lines and the doctor say."""

    reason: ClassVar[FailureReason] = "internal"


class PlatformUnreachable(PlatformError):
    """The network or the platform's server fails; the same call may work later."""

    reason: ClassVar[FailureReason] = "unreachable"


class NeverSent(PlatformUnreachable):
    """No request reached the server whole: certainly nothing was done.

    After every other failure to get an answer it may have been done, or be done yet.
    """


class ConnectionConflict(PlatformError):
    """Another program receives with the same identity, or too many connections are open."""

    reason: ClassVar[FailureReason] = "conflict"


class RateLimited(PlatformError):
    """Too many calls; the platform accepts nothing for ``seconds``."""

    reason: ClassVar[FailureReason] = "rate_limited"

    def __init__(self, seconds: float) -> None:
        super().__init__(f"asked to wait {seconds:.0f} s")
        self.seconds = seconds


class TokenRefused(PlatformError):
    """The platform itself, and no proxy on the way, refuses the bot's credentials."""

    reason: ClassVar[FailureReason] = "token_refused"


class ChatUnavailable(PlatformError):
    """The chat does not exist, or the bot was blocked, removed, muted or may not write there."""

    reason: ClassVar[FailureReason] = "chat_unavailable"


class RequestRejected(PlatformError):
    """The call itself is wrong; the text is the platform's, ``code`` its number for the error."""

    reason: ClassVar[FailureReason] = "rejected"

    def __init__(self, text: str, *, code: int = 0) -> None:
        super().__init__(text)
        self.code = code


@contextmanager
def delivery_errors() -> Iterator[None]:
    """Turn what a platform's calls end in into what it means for a final answer."""
    try:
        yield
    except ChatUnavailable as error:
        raise Undeliverable("the chat does not take it") from error
    except RequestRejected as error:
        raise AnswerRefused("the platform refuses it") from error
    except PlatformError as error:
        # Not in doubt, whatever was shown: the next attempt edits the same messages.
        raise NotDelivered("the platform does not take it now") from error


class Retry(Enum):
    """When a call that failed is made again.

    ``NEVER``: it fails at once. ``IF_NOT_DONE``: after a rate limit, or where no request got out,
    since then the platform certainly did nothing. ``ALWAYS``: also after a failure that leaves
    open whether it worked.
    """

    NEVER = "never"
    IF_NOT_DONE = "if_not_done"
    ALWAYS = "always"


class RateLimits:
    """The waiting times a platform asks for, per chat: one busy chat delays no other."""

    def __init__(self, timer: Timer) -> None:
        self._timer = timer
        self._not_before: dict[str, float] = {}

    def block_chat(self, chat: str, seconds: float) -> None:
        """Write nothing to the chat for so long."""
        self._not_before[chat] = self._timer.now() + seconds

    def seconds_left(self, chat: str) -> float:
        """Return for how many seconds nothing may be written to the chat; 0 for none."""
        left = self._not_before.get(chat, 0.0) - self._timer.now()
        if left <= 0:
            self._not_before.pop(chat, None)
        return max(left, 0.0)

    async def call(self, chat: str, write: Callable[[], Awaitable[T]], retry: Retry) -> T:
        """Make a call that writes to a chat, and make it again as ``retry`` allows.

        Raises :class:`RateLimited` if the wait would be longer than ``LONGEST_RATE_LIMIT_WAIT``,
        and :class:`PlatformUnreachable` if the call keeps failing.
        """
        if retry is Retry.NEVER:
            return await write()
        pauses = iter(RETRY_PAUSES)
        until = self._timer.now() + LONGEST_RATE_LIMIT_WAIT
        while True:
            await self._wait_until_allowed(chat, until)
            try:
                return await write()
            except RateLimited as limited:
                self.block_chat(chat, limited.seconds)
            except PlatformUnreachable as error:
                pause = next(pauses, None)
                may_repeat = retry is Retry.ALWAYS or isinstance(error, NeverSent)
                if pause is None or not may_repeat:
                    raise
                await self._timer.sleep(pause)

    async def _wait_until_allowed(self, chat: str, until: float) -> None:
        wait = self.seconds_left(chat)
        if self._timer.now() + wait > until:
            raise RateLimited(wait)
        if wait:
            await self._timer.sleep(wait)


FIRST_RECONNECT_PAUSE: Final = 1.0

LONGEST_RECONNECT_PAUSE: Final = 15.0

CONFLICT_PAUSE: Final = 10.0
"""Seconds before receiving again; the other receiver may be this program's own predecessor,
about to end."""

TOKEN_GRACE_SECONDS: Final = 45.0
"""Refused by the platform itself for so long, a token counts as revoked."""

log = logging.getLogger(__name__)


class ReconnectBackoff:
    """Decide how long to wait after a failure to receive, and keep the channel's health."""

    def __init__(self, timer: Timer, platform: str) -> None:
        self._timer = timer
        self._platform = platform
        self._pause = FIRST_RECONNECT_PAUSE
        self._refused_since: float | None = None
        self.health = ChannelHealth("starting", timer.now())

    async def call_until_success(
        self,
        name: str,
        call: Callable[[], Awaitable[T]],
        *,
        final: tuple[type[PlatformError], ...] = (),
    ) -> T:
        """Return what ``call`` returns, made again after a pause until it works.

        Raises an error of the ``final`` types at once, and :class:`TokenRefused` when the token
        stays refused.
        """
        while True:
            step = await attempt(name, call, told=PlatformError)
            match step:
                case Done(value):
                    return value
                case Failed(error) if isinstance(error, final):
                    raise error
                case Failed(error):
                    await self._timer.sleep(self.record_failure(error))

    def record_success(self) -> None:
        """Note that receiving works."""
        self._pause = FIRST_RECONNECT_PAUSE
        self._refused_since = None
        if self.health.state != "well":
            # As loud as what it ends: whoever read that she hears nothing reads this too.
            again = logging.WARNING if self.health.state == "troubled" else logging.INFO
            log.log(again, "%s: hearing", self._platform)
            self.health = ChannelHealth("well", self._timer.now())

    def record_failure(self, error: Exception) -> float:
        """Return how many seconds to wait; raises :class:`TokenRefused` for a revoked token."""
        now = self._timer.now()
        reason = _failure_reason(error)
        # Only a change is logged: a night without network would else fill the log.
        if self.health.state != "troubled" or self.health.reason != reason:
            log.warning("%s: not hearing (%s)", self._platform, reason)
            self.health = ChannelHealth("troubled", now, reason)
        match error:
            case RateLimited(seconds=seconds):
                return seconds
            case ConnectionConflict():
                return CONFLICT_PAUSE
            case TokenRefused():
                return self._record_refusal(now, error)
            case _:
                pause, self._pause = self._pause, min(self._pause * 2, LONGEST_RECONNECT_PAUSE)
                return pause

    def _record_refusal(self, now: float, error: TokenRefused) -> float:
        # One refusal may be a fault that passes, and ending for it would leave the bot dead until
        # somebody starts it again. A revoked token must still end the program within a minute.
        if self._refused_since is None:
            self._refused_since = now
        if now - self._refused_since >= TOKEN_GRACE_SECONDS:
            self.health = ChannelHealth("stopped", now, error.reason)
            raise error
        return CONFLICT_PAUSE


def _failure_reason(error: Exception) -> FailureReason:
    if isinstance(error, PlatformError):
        return error.reason
    return "storage" if isinstance(error, StoreError) else "internal"


STOP_SECONDS: Final = 1.0
"""How long a change under way may take once its turn, or the whole adapter, is stopped."""

SHOW_FAILURES: Final = 3
"""So many failures in a row end the showing."""

FAILURE_PAUSE: Final = 1.0
"""Seconds before more is shown after a failure; one more with each in a row."""


class StreamUpdater:
    """Call ``show`` again and again until it is stopped, or until the platform refuses it.

    After a rate limit it goes on when it may, after trouble on the way a little later; the third
    trouble in a row is enough.

    ``show`` shows the text so far and returns when more may be shown. ``changed`` is set when
    there is more, ``stopped`` when there will be none. A failure ends at most the
    showing: the final text does not depend on it.
    """

    def __init__(
        self, tasks: Supervisor, show: Callable[[], Awaitable[None]], *, muted: bool = False
    ) -> None:
        self.changed: Final = asyncio.Event()
        self.stopped: Final = asyncio.Event()
        self._tasks = tasks
        self._show = show
        self._muted = muted
        self._idle = asyncio.Event()
        self._idle.set()

    def start(self) -> None:
        """Begin to show, unless that is under way, stopped or has failed."""
        if self._idle.is_set() and not self.stopped.is_set() and not self._muted:
            self._idle.clear()
            self._tasks.start("showing an answer", self._run())

    def request_update(self) -> None:
        """Let ``show`` know that there is more."""
        self.changed.set()
        self.start()

    async def stop(self) -> None:
        """Stop showing, and wait for the change under way: it must not overwrite a later one."""
        self._signal_stop()
        await self._idle.wait()

    async def stop_soon(self) -> None:
        """Stop showing; a change under way gets ``STOP_SECONDS`` to end."""
        self._signal_stop()
        await wait_for_event(self._idle, STOP_SECONDS)

    def _signal_stop(self) -> None:
        self.stopped.set()
        # Else a ``show`` that waits for more text would wait for ever.
        self.changed.set()

    async def _run(self) -> None:
        failures = 0
        try:
            while not self.stopped.is_set() and failures < SHOW_FAILURES:
                self.changed.clear()
                try:
                    await self._show()
                    failures = 0
                except RateLimited as error:
                    # No failure: it was said when to go on.
                    await wait_for_event(self.stopped, max(error.seconds, FAILURE_PAUSE))
                except PlatformUnreachable:
                    failures += 1
                    await wait_for_event(self.stopped, FAILURE_PAUSE * failures)
        except PlatformError:
            pass
        finally:
            # For the rest of the turn: what fails like this is not worth more calls.
            self._muted = True
            self._idle.set()


NEVER_SENT: Final = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.WriteError,
    httpx.WriteTimeout,
)
"""After these the server has no whole request, and certainly did nothing."""

ANSWER_TIMEOUT: Final = httpx.ReadTimeout
"""The request was written, and its answer did not come in time."""


def bounded_client_options() -> dict[str, Any]:
    """Return options of an httpx client whose answers come plain and end at a limit."""
    # Hooks and not a transport of our own: with one, httpx would pass proxies over.
    return {"headers": PLAIN_ONLY, "event_hooks": {"response": [_limit_body]}}


async def _limit_body(response: httpx.Response) -> None:
    """Refuse an answer in an encoding, and have reading fail once it exceeds the limit."""
    # Asked before the body is read: httpx would unpack it without any limit.
    if not is_plain(response.headers):
        raise httpx.DecodingError("an encoding that was not asked for", request=response.request)
    if isinstance(response.stream, httpx.AsyncByteStream):
        response.stream = _LimitedStream(response.stream)


class _LimitedStream(httpx.AsyncByteStream):
    def __init__(self, stream: httpx.AsyncByteStream) -> None:
        self._stream = stream

    def __aiter__(self) -> AsyncIterator[bytes]:
        return limited_stream(
            aiter(self._stream), LARGEST_FILE, lambda: httpx.ReadError("the body is too large")
        )

    async def aclose(self) -> None:
        await self._stream.aclose()
