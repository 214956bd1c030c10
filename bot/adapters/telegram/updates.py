"""Telegram's updates: received by polling or by webhook, and handled one at a time.

Each is durable before Telegram forgets it. What an update says is the reader's business; what a
message means is the program's. In between lies what only Telegram can tell, such as who leads a
group.

The library's own updater is not used. It confirms updates before any handler has run, so a crash
loses them; one 401 or 404, which a proxy can cause, ends it silently; and one update it cannot
parse makes it poll a thousand times a second.
"""

import asyncio
import hmac
import json
import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from http import HTTPStatus
from typing import Any, Final, Never, assert_never
from urllib.parse import urlsplit

from telegram import Update
from telegram.constants import ChatMemberStatus

from bot.adapters.calls import PlatformError, PlatformUnreachable, ReconnectBackoff
from bot.adapters.incoming import (
    GREETING_WINDOW,
    Acknowledger,
    HandleEvent,
    HandlerServices,
    MessageReceiver,
    group_greeting,
    handle_or_set_aside,
    loggable_id,
    unreadable_raw,
)
from bot.adapters.platform import RunningProgram
from bot.adapters.telegram import NAME
from bot.adapters.telegram.api import (
    MARGIN_SECONDS,
    POLL_SECONDS,
    BotApi,
    TelegramPlace,
    key_of,
    press_key,
    translated_errors,
)
from bot.adapters.telegram.reader import (
    GroupIdChange,
    JoinedGroup,
    TelegramButtonPress,
    TelegramReader,
)
from bot.conversation.messages import Incoming, Sender
from bot.identity import AccessLevel, Author
from bot.tasks import Done, Failed, Timer, attempt
from bot.texts import Sentence, say
from bot.web import RequestHead, WebAnswer, WebServer
from memory.errors import StoreError
from memory.ports import Clock

RECONNECT_AFTER_SECONDS: Final = 120.0
"""After so long without any answer the connections are replaced."""

HANDLING_SECONDS: Final = 30.0
"""How long keeping one update may take before the poll counts as failed."""

log = logging.getLogger(__name__)


class TelegramPolling:
    """Fetch updates for ever and have each one handled; cancel it to stop.

    ``handle`` returns once the update is durable. ``note_heard`` is told of each as soon as it is
    there, while those before it may still wait for the disk.
    """

    def __init__(
        self,
        bot: BotApi,
        handle: HandleEvent,
        timer: Timer,
        backoff: ReconnectBackoff,
        *,
        poll_seconds: float = POLL_SECONDS,
        margin_seconds: float = MARGIN_SECONDS,
    ) -> None:
        self.acknowledger: Final = Acknowledger()
        self.note_heard: Callable[[Any], None] = lambda _: None
        self._backoff = backoff
        self._bot = bot
        self._handle_event = handle
        self._timer = timer
        self._poll_seconds = poll_seconds
        self._margin = margin_seconds
        self._offset: int | None = None
        self._last_success = timer.now()

    async def run(self) -> Never:
        """Poll until cancelled; raises :class:`TokenRefused` if the token is revoked."""
        while True:
            step = await attempt("polling", self._poll_once, told=PlatformError)
            match step:
                case Done():
                    self._last_success = self._timer.now()
                    self._backoff.record_success()
                case Failed(error):
                    await self._recover(error)

    async def _recover(self, error: Exception) -> None:
        await self._timer.sleep(self._backoff.record_failure(error))
        # A pooled connection can be half dead: it takes requests and never answers.
        if self._timer.now() - self._last_success >= RECONNECT_AFTER_SECONDS:
            log.warning("telegram: deaf for %.0f s, connecting anew", RECONNECT_AFTER_SECONDS)
            self._last_success = self._timer.now()
            await attempt("connecting anew", self._bot.reconnect)

    async def _poll_once(self) -> None:
        batch = await self._fetch_batch()
        before = self._offset
        for raw in batch:
            self.note_heard(raw)
        for raw in batch:
            await self._process_update(raw)
        # Asked again with the same offset the same batch would come at once, again and again.
        if batch and self._offset == before:
            raise PlatformUnreachable("an answer without update ids")

    async def _fetch_batch(self) -> Sequence[Any]:
        try:
            # The library's timeouts are for each read: a server that sends a byte now and then
            # would never run into them.
            async with asyncio.timeout(self._poll_seconds + 2 * self._margin):
                with translated_errors():
                    return await self._bot.fetch_updates(
                        self._offset, self._poll_seconds, self._margin
                    )
        except TimeoutError as error:
            raise PlatformUnreachable("a poll without end") from error

    async def _process_update(self, raw: Any) -> None:
        """Have one update kept, then step over it; one that cannot be read is skipped."""
        await self.acknowledger.handle_or_skip("an update", lambda: self._handle_in_time(raw))
        number = raw.get("update_id") if isinstance(raw, dict) else None
        if isinstance(number, int):
            self._offset = number + 1

    async def _handle_in_time(self, raw: Any) -> None:
        async with asyncio.timeout(HANDLING_SECONDS):
            await self._handle_event(raw)


SECRET_HEADER: Final = b"x-telegram-bot-api-secret-token"


@dataclass(frozen=True, slots=True, kw_only=True)
class TelegramWebhookOptions:
    """The address Telegram pushes to, the secret that proves it, and where to listen."""

    url: str
    secret: str
    bind: str

    @property
    def path(self) -> str:
        """Return the path of the address, the only one that is answered."""
        return urlsplit(self.url).path or "/"


class TelegramWebhookHandler:
    """Handle what Telegram pushes."""

    def __init__(self, options: TelegramWebhookOptions, handle: HandleEvent) -> None:
        self.acknowledger: Final = Acknowledger()
        self.path: Final = options.path
        self.method: Final = "POST"
        self.proven_by_head: Final = True
        self._secret = options.secret.encode()
        self._handle_event = handle

    def refusal(self, head: RequestHead) -> HTTPStatus | None:
        """Refuse whoever does not know the secret, before reading what they send."""
        offered = head.header(SECRET_HEADER)
        # In constant time: the duration must not tell how much of a guess was right.
        is_telegram = offered is not None and hmac.compare_digest(offered, self._secret)
        return None if is_telegram else HTTPStatus.FORBIDDEN

    async def handle(self, head: RequestHead, body: bytes) -> WebAnswer:
        """Have an update kept; 503 makes Telegram push it again, 200 for a broken one does not."""
        del head
        try:
            await self.acknowledger.handle_or_skip(
                "an update", lambda: self._handle_event(json.loads(body))
            )
        except (StoreError, TimeoutError):
            return WebAnswer(HTTPStatus.SERVICE_UNAVAILABLE)
        return WebAnswer(HTTPStatus.OK)


async def serve_webhook(
    web: WebServer, options: TelegramWebhookOptions, handle: HandleEvent
) -> Never:
    """Take what Telegram pushes until cancelled; raises as :meth:`WebServer.serve`."""
    site = TelegramWebhookHandler(options, handle)
    await web.serve(options.bind, site, setting="WEBHOOK_BIND")


ADMIN_CACHED_FOR: Final = timedelta(minutes=5)
"""How long an answer about an admin holds: so long at most somebody dismissed can still steer."""

ADMINS_CACHED: Final = 1_000
"""So many answers are kept; the oldest is asked for again."""

ADMIN_STATUSES: Final = frozenset({ChatMemberStatus.OWNER, ChatMemberStatus.ADMINISTRATOR})

START: Final = "start"


class GroupAdmins:
    """Who leads which group. No answer counts as no, and is not cached."""

    def __init__(self, bot: BotApi, clock: Clock) -> None:
        self._bot = bot
        self._clock = clock
        self._cached: OrderedDict[tuple[int, int], tuple[bool, datetime]] = OrderedDict()

    async def is_admin(self, chat: int, user: int) -> bool:
        """Whether Telegram names the user among the group's admins, as of some minutes ago."""
        now = self._clock.now()
        is_admin, until = self._cached.get((chat, user), (False, now))
        if until > now:
            return is_admin
        try:
            with translated_errors():
                member = await self._bot.get_chat_member(chat, user)
        except PlatformError:
            return False
        is_admin = member.status in ADMIN_STATUSES
        self._cached[chat, user] = (is_admin, now + ADMIN_CACHED_FOR)
        self._cached.move_to_end((chat, user))
        if len(self._cached) > ADMINS_CACHED:
            self._cached.popitem(last=False)
        return is_admin


class TelegramUpdateHandler:
    """Handle updates one at a time; each call returns once nothing of it can be lost."""

    def __init__(
        self,
        bot: BotApi,
        reader: TelegramReader,
        program: RunningProgram,
        services: HandlerServices,
    ) -> None:
        self._bot = bot
        self._reader = reader
        self._bindings = program.bindings
        self._receive = program.receive
        self._services = services
        self._admins = GroupAdmins(bot, services.clock)
        self._receiver = MessageReceiver(program.receive, services, self._is_admin)

    async def handle(self, raw: Any) -> None:
        """Take one update; raises :class:`StoreError` if what was said could not be kept."""
        now = self._services.clock.now()
        number = raw.get("update_id") if isinstance(raw, dict) else None
        await handle_or_set_aside(
            f"telegram update {loggable_id(number)}",
            lambda: self._handle_update(raw),
            lambda: read_sender(self._reader, raw, now),
            self._receive,
        )

    async def _handle_update(self, raw: Any) -> None:
        event = self._reader.read(Update.de_json(raw, None))
        match event:
            case None:
                pass
            case Incoming():
                # First: a link to the bot sends the code as the word behind ``/start``.
                if not self._receiver.accept_pairing(event):
                    await self._receiver.receive_message(_start_as_help(event))
            case TelegramButtonPress():
                await self._handle_button_press(event)
            case GroupIdChange(old, new):
                await self._rebind_group(old, new)
            case JoinedGroup():
                self._greet_group(event)
            case never:
                assert_never(never)

    async def _handle_button_press(self, press: TelegramButtonPress) -> None:
        chat, person = str(press.chat), f"{NAME}:{press.sender.id}"
        command = self._receiver.button_command(press.data, chat, person)
        if isinstance(command, Sentence):
            self._end_press(press.query_id, command)
            return
        incoming = Incoming(
            dedupe_key="",
            conversation=self._reader.conversation(press.chat, press.thread),
            sender=press.sender,
            at=self._services.clock.now(),
            text=command,
            private=TelegramPlace(press.chat).private,
            reply_to=key_of(press.chat, press.message),
        )
        refused = await self._receiver.receive_press(
            incoming, press.data, partial(press_key, press.chat, press.message)
        )
        # The button shows a spinner until it is answered, so that does not wait for the command.
        self._end_press(press.query_id, refused)

    def _end_press(self, query_id: str, sentence: Sentence | None) -> None:
        """End the press in a task of its own, with a word in both languages if it did nothing."""
        told = f"{say('zh', sentence)}\n{say('en', sentence)}" if sentence else None

        async def end() -> None:
            with translated_errors():
                await self._bot.answer_callback_query(query_id, told)

        self._services.tasks.start("ending a press", end())

    async def _rebind_group(self, old: int, new: int) -> None:
        """Let a group keep its memory under its new id."""
        agent = await self._bindings.agent_id(self._reader.conversation(old), private=False)
        await self._bindings.bind(self._reader.conversation(new), agent)
        log.warning("telegram: group %d is now %d; ALLOWED_IDS needs the new id", old, new)

    def _greet_group(self, joined: JoinedGroup) -> None:
        """Greet a group; one that is not allowed yet is told how it can be."""
        services, chat = self._services, str(joined.chat)
        late = services.clock.now() - joined.at > GREETING_WINDOW
        # A stranger who adds the bot to a group cannot make it speak there.
        if late or joined.by.is_bot or self._is_stranger(joined.by.id, chat):
            return
        refused = f"{NAME}:{chat}" if self._is_stranger("", chat) else ""
        document = group_greeting(self._reader.language, refused)
        services.start_showing(self._reader.conversation(joined.chat), document, reply_to="")

    def _is_stranger(self, person: str, chat: str) -> bool:
        level = self._services.access.level_of(Author(NAME, person, chat))
        return level is AccessLevel.STRANGER

    async def _is_admin(self, incoming: Incoming) -> bool:
        return await self._admins.is_admin(
            int(incoming.conversation.chat), int(incoming.sender.id)
        )


def _start_as_help(incoming: Incoming) -> Incoming:
    """Return a message; ``/start``, sent when somebody opens the chat, asks for help."""
    if incoming.command is None or incoming.command.name != START:
        return incoming
    return replace(incoming, text="/help")


def read_sender(reader: TelegramReader, raw: Any, now: datetime) -> Incoming | None:
    """Return an update that cannot be read as a message of its sender; None without one."""
    match raw:
        case {"message": dict(message)} | {"edited_message": dict(message)}:
            pass
        case _:
            return None
    match message:
        case {
            "message_id": int(number),
            "chat": {"id": int(chat)},
            "from": {"id": int(person), "is_bot": False} as sender,
        }:
            topic = message.get("message_thread_id") if message.get("is_topic_message") else 0
            return Incoming(
                dedupe_key=key_of(chat, number, f"u{raw.get('update_id')}"),
                conversation=reader.conversation(
                    chat, topic if isinstance(topic, int) and topic else None
                ),
                sender=Sender(id=str(person), name=str(sender.get("first_name") or person)),
                at=now,
                text="",
                private=chat > 0,
                addressed=chat > 0,
                raw=unreadable_raw(raw),
            )
        case _:
            return None
