"""Our own Lark platform keeps Lark's rules, and the real library talks with it."""

import asyncio
import json
import threading
from typing import Any

from tests.fakes.lark_app import HEARS_ALL
from tests.fakes.lark_faults import EXCEEDED_CONNECTIONS, refused
from tests.fakes.lark_platform import LarkPlatform
from tests.fakes.lark_sdk import Caller, button_answer, listening
from tests.fakes.lark_world import ANN, BOT
from tests.fakes.waiting import HANG_SECONDS, until

IM = "/open-apis/im/v1"
KIT = "/open-apis/cardkit/v1/cards"


def text(words: str, **more: object) -> dict[str, object]:
    return {"msg_type": "text", "content": json.dumps({"text": words}), **more}


def card(words: str, **config: object) -> dict[str, object]:
    element = {"tag": "markdown", "element_id": "answer", "content": words}
    document = {"schema": "2.0", "config": config, "body": {"elements": [element]}}
    return {"type": "card_json", "data": json.dumps(document)}


async def test_what_is_said_reaches_the_librarys_long_connection(platform: LarkPlatform) -> None:
    heard: list[Any] = []
    async with listening(platform, lambda name, event: heard.append(event)):
        await platform.connected()
        message = platform.say("你好 👋")
        await platform.settled()

    told = heard[0].event.message
    assert (told.message_id, told.chat_type) == (message, "p2p")
    assert json.loads(told.content) == {"text": "你好 👋"}
    assert heard[0].event.sender.sender_id.open_id == ANN


async def test_a_button_is_answered_through_the_acknowledgement(
    platform: LarkPlatform, caller: Caller
) -> None:
    button = {
        "tag": "button",
        "text": {"tag": "plain_text", "content": "下一页"},
        "value": {"p": 2},
    }
    content = json.dumps({"elements": [{"tag": "action", "actions": [button]}]})
    body = {"receive_id": ANN, "msg_type": "interactive", "content": content}
    sent = await caller.call("POST", f"{IM}/messages", body, receive_id_type="open_id")

    def hear(name: str, event: Any) -> Any:
        said = f"{event.event.action.value['p']} {event.event.operator.open_id}"
        return button_answer({"toast": {"type": "info", "content": said}})

    async with listening(platform, hear):
        await platform.connected()
        answer = await platform.press(sent["data"]["message_id"], "下一页")

    assert answer["toast"]["content"] == f"2 {ANN}"


async def test_a_message_is_created_answered_in_a_thread_and_seen(
    platform: LarkPlatform, caller: Caller
) -> None:
    room = platform.group("读书会", ANN)
    asked = platform.say("@小祥 在吗", chat=room, mentions=[BOT])
    path = f"{IM}/messages/{asked}/reply"
    reply = await caller.call("POST", path, text("在呀", reply_in_thread=True))
    await caller.call(
        "POST", f"{IM}/messages", text("散会", receive_id=room), receive_id_type="chat_id"
    )
    await caller.call(
        "POST", f"{IM}/messages/{asked}/reactions", {"reaction_type": {"emoji_type": "Typing"}}
    )

    question, answer, end = platform.shown(room)
    assert (question.text, question.reactions) == ("@小祥 在吗", ("Typing",))
    assert (answer.text, answer.reply_to, answer.by_bot) == ("在呀", asked, True)
    assert answer.thread == question.thread == reply["data"]["thread_id"] != ""
    assert (end.text, end.thread) == ("散会", "")


async def test_the_same_uuid_sends_once_an_hour(platform: LarkPlatform, caller: Caller) -> None:
    async def send() -> str:
        body = text("一次", receive_id=ANN, uuid="turn-1")
        sent = await caller.call("POST", f"{IM}/messages", body, receive_id_type="open_id")
        return str(sent["data"]["message_id"])

    first = await send()
    assert await send() == first
    platform.advance(3601)
    assert await send() != first
    assert platform.texts() == ["一次", "一次"]


async def test_a_card_streams_with_a_rising_sequence_for_ten_minutes(
    platform: LarkPlatform, caller: Caller
) -> None:
    made = await caller.call("POST", KIT, card("…", streaming_mode=True))
    path = f"{KIT}/{made['data']['card_id']}"
    content = json.dumps({"type": "card", "data": {"card_id": made["data"]["card_id"]}})
    body = {"receive_id": ANN, "msg_type": "interactive", "content": content}
    await caller.call("POST", f"{IM}/messages", body, receive_id_type="open_id")

    async def write(words: str, sequence: int) -> int:
        body = {"content": words, "sequence": sequence}
        answer = await caller.call("PUT", f"{path}/elements/answer/content", body)
        return int(answer["code"])

    assert await write("今天", 1) == 0
    assert await write("今天天气", 1) == 300317
    assert await write("今天天气", 2) == 0
    (shown,) = platform.shown(platform.private())
    assert (shown.text, shown.streaming) == ("今天天气", True)
    platform.advance(600)
    assert await write("今天天气好", 3) == 200850
    assert not platform.shown(platform.private())[0].streaming
    settings = json.dumps({"config": {"streaming_mode": False}})
    ended = await caller.call("PATCH", f"{path}/settings", {"settings": settings, "sequence": 4})
    assert ended["code"] == 0
    assert await write("今天天气好", 5) == 300309


async def test_what_is_not_acknowledged_is_pushed_again(platform: LarkPlatform) -> None:
    heard: list[Any] = []

    def hear(name: str, event: Any) -> None:
        heard.append(event)
        if len(heard) < 3:
            raise ValueError("not kept")

    async with listening(platform, hear):
        await platform.connected()
        platform.say("再说一次")
        push = platform.pushes.open[0]
        for failures, seconds in ((1, 15), (2, 300)):
            await until(lambda n=failures: len(push.codes) >= n)  # type: ignore[misc]
            platform.advance(seconds)
        await platform.settled()

    assert push.codes == [500, 500, 200]
    assert {each.event.message.message_id for each in heard} == {heard[0].event.message.message_id}
    assert len({each.header.event_id for each in heard}) == 3


async def test_an_event_in_many_parts_is_put_together(platform: LarkPlatform) -> None:
    platform.pushes.parts = 5
    heard: list[Any] = []
    async with listening(platform, lambda name, event: heard.append(event)):
        await platform.connected()
        platform.say("很长的一段话 " * 2000)
        await platform.settled()

    assert json.loads(heard[0].event.message.content) == {"text": "很长的一段话 " * 2000}


async def test_whoever_is_late_is_pushed_to_five_times_and_then_given_up() -> None:
    async with LarkPlatform() as platform:
        platform.say("有人吗")
        push = platform.pushes.open[0]
        for attempt, seconds in enumerate((15, 300, 3600, 21600), 1):
            await until(lambda n=attempt: len(push.codes) == n)  # type: ignore[misc]
            platform.advance(seconds - 1)
            await asyncio.sleep(0.05)
            assert len(push.codes) == attempt
            platform.advance(1)
        await platform.settled()

    assert push.attempts == 5
    assert platform.pushes.lost == [push]


async def test_an_acknowledgement_after_three_seconds_counts_for_nothing(
    platform: LarkPlatform,
) -> None:
    go = threading.Event()
    async with listening(platform, lambda name, event: go.wait(HANG_SECONDS)):
        await platform.connected()
        platform.say("慢慢来")
        push = platform.pushes.open[0]
        await until(lambda: push.sent)
        platform.advance(3.1)
        await until(lambda: push.codes == [0])
        go.set()
        platform.advance(15)
        await platform.settled()

    assert push.codes == [0, 200]


async def test_a_silent_socket_hears_no_ping_and_pushes_nothing(platform: LarkPlatform) -> None:
    platform.app.ws_config["PingInterval"] = 0
    heard: list[Any] = []
    async with listening(platform, lambda name, event: heard.append(event)):
        await platform.connected()
        await until(lambda: platform.pushes.pings > 2)
        platform.pushes.silent = True
        platform.say("听得见吗")
        pings = platform.pushes.pings
        await asyncio.sleep(0.1)

    assert not heard
    assert platform.pushes.pings <= pings + 1


async def test_the_librarys_client_is_dead_after_one_refused_reconnect(
    platform: LarkPlatform,
) -> None:
    platform.app.ws_config |= {"ReconnectNonce": 0, "ReconnectInterval": 0}
    async with listening(platform, lambda name, event: None) as listener:
        await platform.connected()
        platform.next("endpoint", refused(EXCEEDED_CONNECTIONS, status=200))
        platform.cut()
        await until(lambda: len(platform.made("endpoint")) == 2)
        await asyncio.sleep(0.2)
        assert listener.client._conn is None
    assert len(platform.made("endpoint")) == 2


async def test_what_the_app_may_not_hear_is_not_pushed(platform: LarkPlatform) -> None:
    room = platform.group("读书会", ANN)
    platform.app.scopes.discard(HEARS_ALL)
    platform.say("大家好", chat=room)
    assert not platform.pushes.open
    platform.say("@小祥 你好", chat=room, mentions=[BOT])
    assert len(platform.pushes.open) == 1
    platform.expel(room)
    platform.say("@小祥 还在吗", chat=room, mentions=[BOT])
    assert len(platform.pushes.open) == 2
    platform.app.events.clear()
    platform.say("悄悄话")
    assert len(platform.pushes.open) == 2
