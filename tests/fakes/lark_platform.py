"""Lark's open platform on 127.0.0.1: interface, long connection, webhook, and its rules.

::

    async with LarkPlatform() as platform:
        platform.say("你好")                             # privately, by ANN
        room = platform.group("读书会", ANN, bob)
        platform.say("@小祥 在吗", chat=room, mentions=[BOT])
        platform.next("reply", flooded(3))              # one fault
        platform.always("endpoint", hang)               # a lasting one, until told otherwise
        platform.advance(15)                            # what was not acknowledged comes again
        ... platform.url ... platform.shown(room) ... platform.calls
"""

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass
from json import JSONDecodeError, dumps, loads
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from tests.fakes import lark_events as events
from tests.fakes.faults import Fault
from tests.fakes.lark_app import HEARS_ALL, HEARS_NAMED, HEARS_PRIVATE, ROUTES, App
from tests.fakes.lark_cards import Cards
from tests.fakes.lark_faults import refusal
from tests.fakes.lark_messages import Asked, Interface
from tests.fakes.lark_pushes import Push, Pushes, Unanswered, Webhook
from tests.fakes.lark_rules import Refused, buttons_of, read_card, read_post
from tests.fakes.lark_world import (
    ANN,
    APP_ID,
    APP_SECRET,
    BOT,
    BOT_NAME,
    ENCRYPT_KEY,
    Chat,
    LarkClock,
    Message,
    Person,
    World,
)
from tests.fakes.platform_server import PlatformServer
from tests.fakes.waiting import until

BUNDLE_CONTENT = "Merged and Forwarded Message"
"""What Lark pushes as the content of messages that were forwarded together: no JSON."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A message as people see it now."""

    id: str
    sender: str
    text: str
    kind: str
    thread: str
    reply_to: str
    reactions: tuple[str, ...]
    streaming: bool
    buttons: tuple[str, ...]

    @property
    def by_bot(self) -> bool:
        return self.sender == BOT


class LarkPlatform(PlatformServer):
    """``scopes`` and ``events`` are what the app was given and subscribed to."""

    def __init__(
        self, *, app_id: str = APP_ID, app_secret: str = APP_SECRET, latency: float = 0.0
    ) -> None:
        super().__init__(latency=latency)
        self.clock = LarkClock()
        self.world = World(self.clock)
        self.cards = Cards(self.clock)
        self.pushes = Pushes(self.clock)
        self.calls: list[Asked] = []
        self.app = App(self.world, app_id, app_secret)
        self.pushes.config = self.app.ws_config
        self.interface = Interface(self.world, self.cards, self.app.scopes)
        self._then: dict[str, list[Fault]] = {}
        self._pushing: asyncio.Task[None] | None = None
        self.world.people[BOT] = Person(BOT, BOT_NAME)

    # What people do.

    def person(self, open_id: str, name: str) -> str:
        return self.world.person(open_id, name).open_id

    def group(self, name: str, *people: str, mode: str = "group", owner: str = "") -> str:
        return self.world.group(name, *people, mode=mode, owner=owner).id

    def private(self, person: str = ANN) -> str:
        return self.world.private(person).id

    def say(
        self,
        text: str = "",
        *,
        person: str = ANN,
        chat: str = "",
        mentions: Iterable[str] = (),
        reply_to: str = "",
        in_thread: bool = False,
        kind: str = "text",
        content: dict[str, Any] | str | None = None,
        by_app: bool = False,
        bundle: Iterable[str] = (),
    ) -> str:
        """Let someone write; returns the message's id. ``@name`` names who is mentioned.

        A ``bundle`` of messages is forwarded together: kind ``merge_forward``. Content that is a
        text is pushed as it stands, no JSON.
        """
        named = [self.world.people[each] for each in mentions]
        for number, each in enumerate(named, 1):
            key = f"@_user_{number}"
            if f"@{each.name}" in text:
                text = text.replace(f"@{each.name}", key)
            elif content is None:
                text = f"{key} {text}"
        place = self.world.chats[chat] if chat else self.world.private(person)
        message = self.world.write(
            place,
            person,
            kind,
            _content_text(kind, text, content),
            reply_to=self.world.messages[reply_to] if reply_to else None,
            in_thread=in_thread,
            mentions=[events.mention(number, each) for number, each in enumerate(named, 1)],
        )
        message.bundle.extend(bundle)
        if self._hears(place, message):
            self._tell(events.received(self.world, message, place, by_app=by_app))
        return message.id

    def again(self, message: str) -> None:
        """Push a message that was pushed before once more, under another event id."""
        where = self.world.messages[message]
        place = self.world.chats[where.chat]
        self._tell(events.received(self.world, where, place, by_app=False))

    async def press(self, message: str, button: object, person: str = ANN) -> dict[str, Any]:
        """Let someone press a button, by what is written on it (or by its value).

        Returns what the program answered with; raises :class:`Unanswered` after 3 seconds.
        """
        where = self.world.messages[message]
        value = self.buttons(message)[button] if isinstance(button, str) else button
        document = events.pressed(self.world, where, self.world.people[person], value)
        push = self.pushes.push(document, again=False)
        await push.over.wait()
        if not push.accepted:
            raise Unanswered(push.codes)
        answer: dict[str, Any] = push.answer or {}
        if changed := answer.get("card"):
            self.interface._change(where, dumps(changed["data"], ensure_ascii=False))
        return answer

    def invite(self, chat: str, person: str = ANN) -> None:
        self.world.chats[chat].bot_inside = True
        self._tell(self._moved(chat, person, inside=True))

    def expel(self, chat: str, person: str = ANN) -> None:
        self.world.chats[chat].bot_inside = False
        self._tell(self._moved(chat, person, inside=False))

    def dissolve(self, chat: str, person: str = ANN) -> None:
        place = self.world.chats[chat]
        place.dissolved = True
        self._tell(events.dissolved(self.world, place, self.world.people[person]))

    def withdraw(self, message: str) -> None:
        where = self.world.messages[message]
        where.withdrawn = True
        self._tell(events.recalled(self.world, where))

    def read(self, message: str, person: str = ANN) -> None:
        where, reader = self.world.messages[message], self.world.people[person]
        self._tell(events.read(self.world, where, reader))

    def react(self, message: str, emoji: str = "THUMBSUP", person: str = ANN) -> None:
        where, who = self.world.messages[message], self.world.people[person]
        self._tell(events.reacted(self.world, where, who, emoji))

    def enter(self, person: str = ANN) -> None:
        """Let someone open the private chat."""
        chat = self.world.private(person)
        self._tell(events.entered(self.world, chat, self.world.people[person]))

    def keep(self, data: bytes, prefix: str = "file") -> str:
        """Have a file on the platform; returns its key for a message's content."""
        key = self.world.new(prefix)
        self.world.files[key] = data
        return key

    # What the test does.

    def then(self, name: str, *faults: Fault) -> None:
        """Do what was asked, but let the answer go wrong."""
        self._then.setdefault(name, []).extend(faults)

    def calm(self) -> None:
        """Let nothing go wrong any more."""
        for faults in (self._once, self._then, self._lasting):
            faults.clear()

    def advance(self, seconds: float) -> None:
        """Let time pass on the platform: for the ladder, for cards, tokens and uuids."""
        self.clock.added += seconds
        self.pushes.tick()

    def revoke(self) -> None:
        """Let no token that was given be good any more."""
        self.app.tokens.clear()

    def push_to(self, url: str, *others: str, key: str = ENCRYPT_KEY) -> None:
        """Push by webhook from now on, to each of the addresses in turn."""
        self.app.subscription, self.app.request_url = "webhook", url
        self.pushes.webhook = Webhook((url, *others), key)

    def cut(self) -> None:
        """Tear every long connection down."""
        for socket in list(self.pushes.sockets):
            socket.cut()

    async def settled(self) -> None:
        """Wait until everything that was pushed is acknowledged."""
        await until(lambda: not self.pushes.open)

    async def connected(self) -> None:
        await until(lambda: self.pushes.sockets)

    # What is to be seen.

    def shown(self, chat: str) -> list[Shown]:
        """Return what people see in a chat now, oldest first."""
        return [self._seen(each) for each in self.world.written(chat) if not each.withdrawn]

    def texts(self, chat: str = "") -> list[str]:
        """Return what the bot's messages in a chat say now."""
        return [each.text for each in self.shown(chat or self.private()) if each.by_bot]

    def made(self, name: str) -> list[Asked]:
        return [call for call in self.calls if call.name == name]

    def buttons(self, message: str) -> dict[str, Any]:
        """Return what each button of a message carries, by what is written on it."""
        where = self.world.messages[message]
        return buttons_of(self._document(where)) if where.kind == "interactive" else {}

    def _document(self, message: Message) -> dict[str, Any]:
        document = message.document
        if document.get("type") == "card":
            return self.cards.find(document["data"]["card_id"]).document
        return document

    def _seen(self, message: Message) -> Shown:
        document = message.document
        card = document.get("type") == "card" and message.kind == "interactive"
        return Shown(
            message.id,
            message.sender,
            self._text(message),
            message.kind,
            message.thread,
            message.parent,
            tuple(e.emoji for e in self.world.reactions.values() if e.message == message.id),
            bool(card) and self.cards.find(document["data"]["card_id"]).streaming,
            tuple(self.buttons(message.id)),
        )

    def _text(self, message: Message) -> str:
        document = self._document(message)
        match message.kind:
            case "text":
                text: str = document.get("text", message.content)
                for each in message.mentions:
                    text = text.replace(each["key"], f"@{each['name']}")
                return text
            case "post":
                return read_post(document)
            case "interactive":
                return read_card(document)
            case _:
                return f"[{message.kind}]"

    def _hears(self, chat: Chat, message: Message) -> bool:
        if not chat.bot_inside:
            return False
        if chat.mode == "p2p":
            return HEARS_PRIVATE in self.app.scopes
        named = any(each["id"]["open_id"] == BOT for each in message.mentions)
        return HEARS_ALL in self.app.scopes or (named and HEARS_NAMED in self.app.scopes)

    def _moved(self, chat: str, person: str, *, inside: bool) -> dict[str, Any]:
        place, who = self.world.chats[chat], self.world.people[person]
        return events.bot_moved(self.world, place, who, inside=inside)

    def _tell(self, document: dict[str, Any]) -> Push | None:
        if not self.app.published or document["header"]["event_type"] not in self.app.events:
            return None
        return self.pushes.push(document)

    # The server.

    def _add_routes(self, router: web.UrlDispatcher) -> None:
        for name, (method, path) in ROUTES.items():
            router.add_route(method, path, self._handler(name))

    async def __aenter__(self) -> Self:
        await super().__aenter__()
        self.app.ws_url = f"ws://127.0.0.1:{self._port}/ws"
        self._pushing = asyncio.create_task(self.pushes.run())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._pushing is not None
        failed = self._pushing.done()
        self._pushing.cancel()
        for socket in list(self.pushes.sockets):
            socket.cut()
        await super().__aexit__(kind, error, trace)
        if failed and kind is None:
            await self._pushing

    def _handler(self, name: str) -> Any:
        async def handle(request: web.Request) -> web.StreamResponse:
            asked = await _asked(name, request)
            self.calls.append(asked)
            return await self._answer_unless_faulty(
                name, request, lambda: self._answer_or_spoil(asked, request)
            )

        return handle

    async def _answer_or_spoil(self, asked: Asked, request: web.Request) -> web.StreamResponse:
        """Do what was asked; a scripted fault may still spoil the answer."""
        answer = await self._answer(asked, request)
        if self._then.get(asked.name):
            return await self._then[asked.name].pop(0)(request) or answer
        return answer

    async def _answer(self, asked: Asked, request: web.Request) -> web.StreamResponse:
        if asked.name == "ws":
            return await self.pushes.talk(request)
        try:
            self.app.check(asked.name, request.headers.get("Authorization", ""))
            if (own := getattr(self.app, asked.name, None)) is not None:
                return web.json_response(own(asked))
            result = getattr(self.interface, asked.name)(asked)
        except Refused as error:
            return refusal(error.code, error.words, status=error.status, headers=error.headers)
        if isinstance(result, bytes):
            return web.Response(body=result, content_type="application/octet-stream")
        return web.json_response({"code": 0, "msg": "success", "data": result})


def _content_text(kind: str, text: str, content: dict[str, Any] | str | None) -> str:
    if isinstance(content, str):
        return content
    if content is None and kind == "merge_forward":
        return BUNDLE_CONTENT
    return dumps({"text": text} if content is None else content, ensure_ascii=False)


async def _asked(name: str, request: web.Request) -> Asked:
    asked = Asked(name, dict(request.match_info), dict(request.query), {}, time.monotonic())
    if request.content_type.startswith("multipart/"):
        for key, value in (await request.post()).items():
            asked.form[key] = value.file.read() if isinstance(value, web.FileField) else value
    elif request.can_read_body:
        asked.size = len(await request.read())
        try:
            asked.body = loads(await request.text())
        except (JSONDecodeError, UnicodeDecodeError):
            asked.body = {}
    return asked
