"""A Bot API server on 127.0.0.1: true offsets, conflicts, limits and edits, scripted faults.

::

    async with TelegramServer() as server:
        server.says("你好")                          # a private message of ANN's
        server.next("sendMessage", flooded(3))       # one fault
        server.always("getUpdates", status(502))     # a lasting one, until told otherwise
        ... server.api_base ... server.texts() ... server.calls
"""

import asyncio
import json
import re
import time
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, TypeAlias

from aiohttp import ClientSession, web

from tests.fakes.platform_server import PlatformServer
from tests.fakes.telegram_rules import BadRequest, check_call, check_keyboard, checked_text

TOKEN = "4242:TEST-token_of-nobody"  # noqa: S105 - nobody's
BOT: dict[str, Any] = {
    "id": 4242,
    "is_bot": True,
    "first_name": "小祥",
    "username": "xiaoxiang_bot",
}
ANN = 77
Params: TypeAlias = dict[str, Any]


@dataclass
class Call:
    method: str
    params: Params
    at: float


@dataclass
class Message:
    """A message of the bot's as people see it now; ``history`` is every text it had."""

    chat: int
    id: int
    text: str
    entities: list[dict[str, Any]]
    params: Params
    history: list[str] = field(default_factory=list)

    @property
    def keyboard(self) -> list[list[dict[str, str]]]:
        markup = json.loads(self.params.get("reply_markup") or "{}")
        rows: list[list[dict[str, str]]] = markup.get("inline_keyboard", [])
        return rows


RIGHTS = (
    "can_be_edited",
    "is_anonymous",
    "can_manage_chat",
    "can_delete_messages",
    "can_manage_video_chats",
    "can_restrict_members",
    "can_promote_members",
    "can_change_info",
    "can_invite_users",
    "can_post_stories",
    "can_edit_stories",
    "can_delete_stories",
)


class TelegramServer(PlatformServer):
    """``messages`` is what the bot wrote, in order; ``confirmed`` counts updates let go of."""

    def __init__(self, *, latency: float = 0.0) -> None:
        super().__init__(latency=latency)
        self.messages: dict[tuple[int, int], Message] = {}
        self.deleted: list[Message] = []
        self.calls: list[Call] = []
        self.mistakes: list[str] = []
        self.files: dict[str, bytes] = {}
        self.sent: dict[str, bytes] = {}
        self.webhook: dict[str, str] = {}
        self.confirmed = 0
        self.admins: dict[int, set[int]] = {}
        self.commands: dict[str, list[dict[str, str]]] = {}
        self._updates: list[dict[str, Any]] = []
        self._next_update = 1000
        self._next_message = 1
        self._arrived = asyncio.Event()
        self._poller: asyncio.Event | None = None

    @property
    def api_base(self) -> str:
        return self.url

    def says(
        self,
        text: str = "",
        *,
        sender: int = ANN,
        chat: int | None = None,
        kind: str = "message",
        **more: Any,
    ) -> int:
        """Let someone write; returns the message's id."""
        number = more.pop("message_id", None) or self._new_message()
        place = chat if chat is not None else sender
        group = {"type": "supergroup", "title": "一群人"}
        message = {
            "message_id": number,
            "date": int(time.time()),
            "chat": {"id": place, **(group if place < 0 else {"type": "private"})},
            "from": {"id": sender, "is_bot": False, "first_name": f"人{sender}"},
            **({"text": text} if text else {}),
            **more,
        }
        self.push({kind: message})
        return int(number)

    def push(self, update: dict[str, Any]) -> int:
        """Queue any update; returns its id."""
        number = self._next_update
        self._next_update += 1
        self._updates.append({"update_id": number, **update})
        self._arrived.set()
        return number

    def texts(self, chat: int = ANN) -> list[str]:
        """Return what the bot's messages in a chat say now."""
        return [each.text for each in self.messages.values() if each.chat == chat]

    def made(self, method: str) -> list[Params]:
        return [call.params for call in self.calls if call.method == method]

    @property
    def waiting(self) -> int:
        return len(self._updates)

    async def deliver(self, path: str, secret: str | None) -> list[int]:
        """Push what waits to a webhook as Telegram does; returns the statuses it got."""
        statuses = []
        headers = {} if secret is None else {"X-Telegram-Bot-Api-Secret-Token": secret}
        async with ClientSession() as session:
            for update in list(self._updates):
                async with session.post(path, json=update, headers=headers) as answer:
                    statuses.append(answer.status)
                    if answer.status == 200:
                        self._updates.remove(update)
                        self.confirmed += 1
        return statuses

    async def deliver_until_taken(self, path: str, secret: str | None) -> None:
        """Push what waits, and push again whatever was not taken, as Telegram does."""
        while self._updates:
            await self.deliver(path, secret)
            await asyncio.sleep(0.02)

    def _add_routes(self, router: web.UrlDispatcher) -> None:
        router.add_post(f"/bot{TOKEN}/{{method}}", self._handle)
        router.add_get(f"/file/bot{TOKEN}/{{path:.+}}", self._download)

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await super().__aexit__(kind, error, trace)
        if kind is None:
            assert not self.mistakes, self.mistakes

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"]
        params: Params = dict(await request.post())
        self.calls.append(Call(method, params, time.monotonic()))
        try:
            check_call(method, params)
        except AssertionError as error:
            self.mistakes.append(str(error))
        return await self._answer_unless_faulty(
            method, request, lambda: self._answer(method, params)
        )

    async def _answer(self, method: str, params: Params) -> web.StreamResponse:
        try:
            result = await getattr(self, re.sub("([A-Z])", r"_\1", f"_{method}").lower())(params)
        except BadRequest as error:
            return refusal(400, f"Bad Request: {error}")
        except _Contested:
            return refusal(409, "Conflict: terminated by other getUpdates request")
        return web.json_response({"ok": True, "result": result})

    async def _get_me(self, params: Params) -> object:
        return {**BOT, "can_join_groups": True, "can_read_all_group_messages": False}

    async def _delete_webhook(self, params: Params) -> object:
        assert params.get("drop_pending_updates") != "true", "what waits must not be thrown away"
        self.webhook = {}
        return True

    async def _set_webhook(self, params: Params) -> object:
        self.webhook = params
        return True

    async def _get_webhook_info(self, params: Params) -> object:
        url = self.webhook.get("url", "")
        return {"url": url, "has_custom_certificate": False, "pending_update_count": 0}

    async def _get_updates(self, params: Params) -> object:
        if self.webhook:
            raise _Contested
        if self._poller is not None:
            self._poller.set()
            self._arrived.set()
        mine = self._poller = asyncio.Event()
        try:
            offset = int(params.get("offset") or 0)
            self.confirmed += sum(each["update_id"] < offset for each in self._updates)
            self._updates = [each for each in self._updates if each["update_id"] >= offset]
            await self._until_something(mine, float(params.get("timeout") or 0))
            if mine.is_set():
                raise _Contested
            return self._updates[: int(params.get("limit") or 100)]
        finally:
            if self._poller is mine:
                self._poller = None

    async def _until_something(self, ousted: asyncio.Event, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while not self._updates and not ousted.is_set() and (left := end - loop.time()) > 0:
            self._arrived.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._arrived.wait(), left)

    async def _send_message(self, params: Params) -> object:
        text, entities = checked_text(params)
        check_keyboard(params)
        message = Message(int(params["chat_id"]), self._new_message(), text, entities, params)
        message.history.append(text)
        self.messages[message.chat, message.id] = message
        return _shown(message)

    async def _send_photo(self, params: Params) -> object:
        picture = params["photo"].file.read()
        if not picture.startswith(b"\x89PNG"):
            raise BadRequest("IMAGE_PROCESS_FAILED")
        message = Message(int(params["chat_id"]), self._new_message(), "[picture]", [], params)
        self.messages[message.chat, message.id] = message
        return _shown(message)

    async def _send_document(self, params: Params) -> object:
        sent = params["document"]
        message = Message(
            int(params["chat_id"]), self._new_message(), f"[file {sent.filename}]", [], params
        )
        self.sent[sent.filename] = sent.file.read()
        self.messages[message.chat, message.id] = message
        return _shown(message)

    async def _send_message_draft(self, params: Params) -> object:
        checked_text(params)
        if int(params["chat_id"]) < 0:
            raise BadRequest("drafts are for private chats")
        if int(params["draft_id"]) == 0:
            raise BadRequest("DRAFT_ID_INVALID")
        return True

    async def _edit_message_text(self, params: Params) -> object:
        text, entities = checked_text(params)
        check_keyboard(params)
        message = self.messages.get((int(params["chat_id"]), int(params["message_id"])))
        if message is None:
            raise BadRequest("message to edit not found")
        if message.text.startswith(("[file ", "[picture]")):
            raise BadRequest("there is no text in the message to edit")
        kept = message.params.get("reply_markup") == params.get("reply_markup")
        if (message.text, message.entities) == (text, entities) and kept:
            raise BadRequest(
                "message is not modified: specified new message content and reply markup are "
                "exactly the same as a current content and reply markup of the message"
            )
        message.text, message.entities = text, entities
        message.params = {**message.params, "reply_markup": "", **params}
        message.history.append(text)
        return _shown(message)

    async def _edit_message_caption(self, params: Params) -> object:
        message = self.messages.get((int(params["chat_id"]), int(params["message_id"])))
        if message is None:
            raise BadRequest("message to edit not found")
        if not message.text.startswith("["):
            raise BadRequest("there is no caption in the message to edit")
        raise BadRequest("message is not modified: the caption is the same")

    async def _delete_message(self, params: Params) -> object:
        gone = self.messages.pop((int(params["chat_id"]), int(params["message_id"])), None)
        if gone is None:
            raise BadRequest("message to delete not found")
        self.deleted.append(gone)
        return True

    async def _get_chat_member(self, params: Params) -> object:
        """Name an administrator with every right there is, or a member."""
        chat, user = int(params["chat_id"]), int(params["user_id"])
        person = {"id": user, "is_bot": False, "first_name": f"人{user}"}
        if user not in self.admins.get(chat, set()):
            return {"status": "member", "user": person}
        return {"status": "administrator", "user": person, **dict.fromkeys(RIGHTS, True)}

    async def _send_chat_action(self, params: Params) -> object:
        return True

    async def _answer_callback_query(self, params: Params) -> object:
        return True

    async def _set_my_commands(self, params: Params) -> object:
        scope = json.loads(params.get("scope") or '{"type": "default"}')
        key = f"{scope['type']}/{scope.get('chat_id', '')}/{params.get('language_code', '')}"
        self.commands[key] = json.loads(params["commands"])
        return True

    async def _get_file(self, params: Params) -> object:
        if params["file_id"] not in self.files:
            raise BadRequest("wrong file_id or the file is temporarily unavailable")
        size = len(self.files[params["file_id"]])
        identity = params["file_id"]
        return {
            "file_id": identity,
            "file_unique_id": identity,
            "file_size": size,
            "file_path": f"f/{identity}",
        }

    async def _download(self, request: web.Request) -> web.StreamResponse:
        return web.Response(body=self.files[request.match_info["path"].removeprefix("f/")])

    def _new_message(self) -> int:
        self._next_message += 1
        return self._next_message


class _Contested(Exception):
    """Somebody else polls."""


def _shown(message: Message) -> dict[str, Any]:
    place = message.chat
    kind = {"type": "supergroup", "title": "g"} if place < 0 else {"type": "private"}
    return {
        "message_id": message.id,
        "date": int(time.time()),
        "chat": {"id": place, **kind},
        "from": BOT,
        "text": message.text,
    }


def refusal(status: int, description: str, **parameters: int) -> web.Response:
    """Return an error as the Bot API words it."""
    body = {"ok": False, "error_code": status, "description": description}
    return web.json_response(
        {**body, **({"parameters": parameters} if parameters else {})}, status=status
    )
