"""Events as the platform words them: schema 2.0."""

from typing import Any

from tests.fakes.lark_world import (
    APP_ID,
    BOT,
    TENANT,
    VERIFICATION_TOKEN,
    Chat,
    Message,
    Person,
    World,
)


def event(
    world: World, kind: str, body: dict[str, Any], *, token: str = VERIFICATION_TOKEN
) -> dict[str, Any]:
    return {
        "schema": "2.0",
        "header": {
            "event_id": world.new("ev").removeprefix("ev_"),
            "token": token,
            "create_time": world.clock.milliseconds(),
            "event_type": kind,
            "tenant_key": TENANT,
            "app_id": APP_ID,
        },
        "event": body,
    }


def received(world: World, message: Message, chat: Chat, *, by_app: bool) -> dict[str, Any]:
    """``im.message.receive_v1``."""
    sender = world.people[message.sender]
    body = {
        "sender": {
            "sender_id": sender.ids,
            "sender_type": "app" if by_app else "user",
            "tenant_key": TENANT,
        },
        "message": {
            "message_id": message.id,
            **({"root_id": message.root} if message.root else {}),
            **({"parent_id": message.parent} if message.parent else {}),
            "create_time": message.made,
            "update_time": message.changed,
            "chat_id": chat.id,
            **({"thread_id": message.thread} if message.thread else {}),
            "chat_type": chat.kind,
            "message_type": message.kind,
            "content": message.content,
            **({"mentions": message.mentions} if message.mentions else {}),
            "user_agent": "Mozilla/5.0 Lark/7.50.6",
        },
    }
    return event(world, "im.message.receive_v1", body)


def mention(number: int, person: Person) -> dict[str, Any]:
    """One entry of a message's mentions; its text says ``@_user_<number>``."""
    return {
        "key": f"@_user_{number}",
        "id": person.ids,
        "name": person.name,
        "mentioned_type": "bot" if person.open_id == BOT else "user",
        "tenant_key": TENANT,
    }


def pressed(world: World, message: Message, person: Person, value: object) -> dict[str, Any]:
    """``card.action.trigger``."""
    body = {
        "operator": {**person.ids, "tenant_key": TENANT},
        "token": world.new("c"),
        "action": {"value": value, "tag": "button", "timezone": "Asia/Shanghai"},
        "host": "im_message",
        "context": {"open_message_id": message.id, "open_chat_id": message.chat},
    }
    return event(world, "card.action.trigger", body)


def bot_moved(world: World, chat: Chat, operator: Person, *, inside: bool) -> dict[str, Any]:
    body = {
        "chat_id": chat.id,
        "operator_id": operator.ids,
        "external": chat.external,
        "operator_tenant_key": TENANT,
        "name": chat.name,
        "i18n_names": {"zh_cn": chat.name, "en_us": chat.name},
    }
    kind = "added" if inside else "deleted"
    return event(world, f"im.chat.member.bot.{kind}_v1", body)


def dissolved(world: World, chat: Chat, operator: Person) -> dict[str, Any]:
    moved = bot_moved(world, chat, operator, inside=False)
    return event(world, "im.chat.disbanded_v1", moved["event"])


def recalled(world: World, message: Message) -> dict[str, Any]:
    body = {
        "message_id": message.id,
        "chat_id": message.chat,
        "recall_time": world.clock.milliseconds(),
        "recall_type": "message_owner",
    }
    return event(world, "im.message.recalled_v1", body)


def read(world: World, message: Message, person: Person) -> dict[str, Any]:
    body = {
        "reader": {
            "reader_id": person.ids,
            "read_time": world.clock.milliseconds(),
            "tenant_key": TENANT,
        },
        "message_id_list": [message.id],
    }
    return event(world, "im.message.message_read_v1", body)


def reacted(
    world: World, message: Message, person: Person, emoji: str, *, taken_back: bool = False
) -> dict[str, Any]:
    body = {
        "message_id": message.id,
        "reaction_type": {"emoji_type": emoji},
        "operator_type": "user",
        "user_id": person.ids,
        "action_time": world.clock.milliseconds(),
    }
    kind = "deleted" if taken_back else "created"
    return event(world, f"im.message.reaction.{kind}_v1", body)


def entered(world: World, chat: Chat, person: Person) -> dict[str, Any]:
    body = {
        "chat_id": chat.id,
        "operator_id": person.ids,
        "last_message_id": "",
        "last_message_create_time": "",
    }
    return event(world, "im.chat.access_event.bot_p2p_chat_entered_v1", body)
