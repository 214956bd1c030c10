"""What the platform's interface does with messages, reactions, files, chats and people."""

import json
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.lark_cards import Cards
from tests.fakes.lark_rules import (
    EDITS,
    EMOJI,
    PATCH_SECONDS,
    UUID_CHARACTERS,
    UUID_SECONDS,
    Refused,
    checked_content,
    wrong,
)
from tests.fakes.lark_world import APP_ID, BOT, TENANT, Chat, Message, Reaction, World

NAMES = "contact:user.base:readonly"
IMAGE_BYTES = 10 * 1024 * 1024
FILE_BYTES = 30 * 1024 * 1024


@dataclass
class Asked:
    """One call: path parameters, query and body together with when it came."""

    name: str
    path: dict[str, str]
    query: dict[str, str]
    body: dict[str, Any]
    at: float
    size: int = 0
    form: dict[str, Any] = field(default_factory=dict)


class Interface:
    """One method per route, named as the route is.

    ``each_second`` is how many messages a chat takes in a second: 5 on the platform, 0 is any.
    """

    def __init__(self, world: World, cards: Cards, scopes: set[str]) -> None:
        self._world = world
        self._scopes = scopes
        self._cards = cards
        self.each_second = 0
        self._given: dict[str, tuple[float, str]] = {}
        self._sent: dict[str, list[float]] = {}

    def create(self, asked: Asked) -> object:
        if (known := self._known(asked.body)) is not None:
            return self._told(known)
        kind = asked.query.get("receive_id_type")
        if kind == "open_id":
            if asked.body.get("receive_id") not in self._world.people:
                raise wrong("invalid open_id")
            chat = self._world.private(asked.body["receive_id"])
        elif kind == "chat_id":
            chat = self._chat(asked.body.get("receive_id", ""))
        else:
            raise wrong(f"receive_id_type {kind!r}")
        return self._told(self._written(chat, asked))

    def reply(self, asked: Asked) -> object:
        if (known := self._known(asked.body)) is not None:
            return self._told(known)
        target = self._message(asked)
        return self._told(self._written(self._chat(target.chat), asked, target))

    def patch(self, asked: Asked) -> object:
        message = self._own(asked)
        if message.kind != "interactive":
            raise wrong("only cards can be patched")
        if self._world.clock.now() - int(message.made) / 1000 > PATCH_SECONDS:
            raise Refused(230031, "The message exceeds the time limit of 14 days.")
        content = checked_content("interactive", asked.body, asked.size)
        config = json.loads(content).get("config", {})
        if not config.get("update_multi", json.loads(content).get("schema") == "2.0"):
            raise wrong("a card that is patched needs config.update_multi")
        self._change(message, content)
        return {}

    def update(self, asked: Asked) -> object:
        message = self._own(asked)
        kind = asked.body.get("msg_type", "")
        if kind not in {"text", "post"} or message.kind not in {"text", "post"}:
            raise Refused(230054, "This message type does not support the operation.")
        if message.edits >= EDITS:
            raise Refused(230072, "The message has reached the number of times it can be edited.")
        content = checked_content(kind, asked.body, asked.size)
        message.kind = kind
        message.edits += 1
        self._change(message, content)
        return self._told(message)

    def delete(self, asked: Asked) -> object:
        self._own(asked).withdrawn = True
        return {}

    def get(self, asked: Asked) -> object:
        message = self._world.messages.get(asked.path["message_id"])
        if message is None:
            raise wrong("invalid message_id")
        self._chat(message.chat)
        inside = [self._world.messages[each] for each in message.bundle]
        bundled = [{**self._told(each), "upper_message_id": message.id} for each in inside]
        return {"items": [self._told(message), *bundled]}

    def react(self, asked: Asked) -> object:
        message = self._message(asked, missing=231003)
        self._chat(message.chat)
        emoji = asked.body.get("reaction_type", {}).get("emoji_type")
        if emoji not in EMOJI:
            raise Refused(231001, "The reaction type is invalid.")
        for each in self._world.reactions.values():
            if (each.message, each.who, each.emoji) == (message.id, BOT, emoji):
                return _reaction(each)
        reaction = Reaction(self._world.new("rc"), message.id, BOT, emoji)
        self._world.reactions[reaction.id] = reaction
        return _reaction(reaction)

    def unreact(self, asked: Asked) -> object:
        reaction = self._world.reactions.get(asked.path["reaction_id"])
        if reaction is None or reaction.message != asked.path["message_id"]:
            raise Refused(231011, "The reaction does not exist.")
        if reaction.who != BOT:
            raise Refused(231007, "No authority to delete this reaction.")
        del self._world.reactions[reaction.id]
        return _reaction(reaction)

    def upload_image(self, asked: Asked) -> object:
        data = _file(asked, "image", IMAGE_BYTES)
        if not data.startswith((b"\x89PNG", b"\xff\xd8", b"GIF8", b"RIFF", b"BM")):
            raise Refused(234011, "Can't recognize the image format.")
        return {"image_key": self._kept("img", data)}

    def upload_file(self, asked: Asked) -> object:
        if asked.form.get("file_type") not in {
            "opus",
            "mp4",
            "pdf",
            "doc",
            "xls",
            "ppt",
            "stream",
        }:
            raise Refused(234001, "Invalid request param: file_type.")
        return {"file_key": self._kept("file", _file(asked, "file", FILE_BYTES))}

    def resource(self, asked: Asked) -> bytes:
        message = self._message(asked)
        key = asked.path["file_key"]
        if asked.query.get("type") not in {"image", "file"}:
            raise Refused(234001, "Invalid request param: type.")
        if f'"{key}"' not in message.content:
            raise Refused(234003, "The resource does not belong to the message.")
        if key not in self._world.files:
            raise Refused(234008, "The app is not the resource sender.")
        return self._world.files[key]

    def chat(self, asked: Asked) -> object:
        chat = self._chat(asked.path["chat_id"], out=232011)
        about = {"name": chat.name, "chat_mode": chat.mode, "tenant_key": TENANT}
        if chat.mode == "p2p":
            return {**about, "external": False, "chat_status": "normal"}
        return {
            **about,
            "owner_id": chat.owner,
            "owner_id_type": "open_id",
            "user_manager_id_list": chat.managers,
            "bot_manager_id_list": [],
            "chat_type": "private",
            "group_message_type": "chat",
            "external": chat.external,
            "user_count": str(len(chat.people)),
            "bot_count": "1",
            "chat_status": "normal",
        }

    def members(self, asked: Asked) -> object:
        chat = self._chat(asked.path["chat_id"], out=232011)
        size = int(asked.query.get("page_size", "20"))
        begin = int(asked.query.get("page_token") or 0)
        people = chat.people[begin : begin + size]
        more = begin + size < len(chat.people)
        return {
            "items": [
                {
                    "member_id_type": "open_id",
                    "member_id": each,
                    "name": self._world.people[each].name,
                    "tenant_key": TENANT,
                }
                for each in people
            ],
            "page_token": str(begin + size) if more else "",
            "has_more": more,
            "member_total": len(chat.people),
        }

    def user(self, asked: Asked) -> object:
        person = self._world.people.get(asked.path["user_id"])
        if person is None:
            raise Refused(99992351, "not a valid open_id")
        named = {"name": person.name} if NAMES in self._scopes else {}
        return {"user": {**named, **person.ids}}

    def card(self, asked: Asked) -> object:
        return {"card_id": self._cards.create(self._world.new("card"), asked.body).id}

    def card_write(self, asked: Asked) -> object:
        self._cards.write(asked.path["card_id"], asked.path["element_id"], asked.body)
        return {}

    def card_settings(self, asked: Asked) -> object:
        self._cards.settle(asked.path["card_id"], asked.body)
        return {}

    def card_replace(self, asked: Asked) -> object:
        self._cards.replace(asked.path["card_id"], asked.body)
        return {}

    def _known(self, body: dict[str, Any]) -> Message | None:
        """Return the message that was sent under this uuid within the hour."""
        uuid = body.get("uuid") or ""
        if len(uuid) > UUID_CHARACTERS:
            raise wrong("uuid is too long")
        at, message = self._given.get(uuid, (0.0, ""))
        fresh = uuid and self._world.clock.now() - at < UUID_SECONDS
        return self._world.messages[message] if fresh and message else None

    def _written(self, chat: Chat, asked: Asked, target: Message | None = None) -> Message:
        body = asked.body
        kind = body.get("msg_type", "")
        content = checked_content(kind, body, asked.size)
        self._check_rate(chat)
        given = json.loads(content)
        card = None
        if kind == "interactive" and given.get("type") == "card":
            card = self._cards.find(given.get("data", {}).get("card_id", ""))
            if card.message:
                raise Refused(230099, "Failed to create card content, ext=card was sent before")
        for key in ("image_key", "file_key"):
            if key in given and given[key] not in self._world.files:
                raise Refused(230055, f"The {key} is invalid.")
        uuid = body.get("uuid") or ""
        message = self._world.write(
            chat,
            BOT,
            kind,
            content,
            reply_to=target,
            in_thread=bool(body.get("reply_in_thread")),
            uuid=uuid,
        )
        if card is not None:
            card.message = message.id
        if uuid:
            self._given[uuid] = (self._world.clock.now(), message.id)
        return message

    def _check_rate(self, chat: Chat) -> None:
        now = self._world.clock.now()
        sent = [at for at in self._sent.get(chat.id, []) if now - at < 1]
        if self.each_second and len(sent) >= self.each_second:
            raise Refused(230020, "This operation triggers the frequency limit.")
        self._sent[chat.id] = [*sent, now]

    def _change(self, message: Message, content: str) -> None:
        message.content = content
        message.history.append(content)
        message.changed = self._world.clock.milliseconds()

    def _chat(self, identity: str, out: int = 230002) -> Chat:
        chat = self._world.chats.get(identity)
        if chat is None:
            raise wrong("invalid receive_id")
        if chat.dissolved:
            raise Refused(
                232009, "Your request specifies a chat which has already been dissolved."
            )
        if not chat.bot_inside:
            raise Refused(out, "The bot can not be outside the group.")
        return chat

    def _message(self, asked: Asked, missing: int = 230001) -> Message:
        message = self._world.messages.get(asked.path["message_id"])
        if message is None:
            raise Refused(missing, "The message can't be found: invalid message_id.")
        if message.withdrawn:
            raise Refused(missing if missing != 230001 else 230011, "The message was withdrawn.")
        return message

    def _own(self, asked: Asked) -> Message:
        message = self._message(asked)
        self._chat(message.chat)
        if not message.by_bot:
            raise Refused(230012, "Bot is NOT the sender of the message.")
        return message

    def _kept(self, prefix: str, data: bytes) -> str:
        key = self._world.new(prefix)
        self._world.files[key] = data
        return key

    def _told(self, message: Message) -> dict[str, Any]:
        sender = (
            {"id": APP_ID, "id_type": "app_id", "sender_type": "app", "tenant_key": TENANT}
            if message.by_bot
            else {
                "id": message.sender,
                "id_type": "open_id",
                "sender_type": "user",
                "tenant_key": TENANT,
            }
        )
        return {
            "message_id": message.id,
            **({"root_id": message.root} if message.root else {}),
            **({"parent_id": message.parent} if message.parent else {}),
            **({"thread_id": message.thread} if message.thread else {}),
            "msg_type": message.kind,
            "create_time": message.made,
            "update_time": message.changed,
            "deleted": message.withdrawn,
            "updated": len(message.history) > 1,
            "chat_id": message.chat,
            "sender": sender,
            "body": {"content": message.content},
            **({"mentions": _flat(message.mentions)} if message.mentions else {}),
        }


def _flat(mentions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The interface words a mention otherwise than an event does."""
    return [{**each, "id": each["id"]["open_id"], "id_type": "open_id"} for each in mentions]


def _reaction(reaction: Reaction) -> dict[str, Any]:
    return {
        "reaction_id": reaction.id,
        "operator": {"operator_id": APP_ID, "operator_type": "app"},
        "reaction_type": {"emoji_type": reaction.emoji},
    }


def _file(asked: Asked, name: str, limit: int) -> bytes:
    file = asked.form.get(name)
    if not isinstance(file, bytes) or not file:
        raise Refused(234001, f"Invalid request param: {name}.")
    if len(file) > limit:
        raise Refused(234006, "The file size exceed the max value.")
    return file
