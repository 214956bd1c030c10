"""What our Lark platform refuses, it refuses with Lark's own codes."""

import asyncio
import json
from io import BytesIO
from typing import Any

import pytest

from tests.fakes.faults import page, reset
from tests.fakes.lark_faults import flooded
from tests.fakes.lark_platform import LarkPlatform
from tests.fakes.lark_sdk import Caller, lark
from tests.fakes.lark_world import ANN, APP_ID, BOT

IM = "/open-apis/im/v1"
KIT = "/open-apis/cardkit/v1/cards"
PNG = b"\x89PNG\r\n\x1a\n nobody's picture"


def body(kind: str, content: object, **more: object) -> dict[str, object]:
    return {"msg_type": kind, "content": json.dumps(content, ensure_ascii=False), **more}


def post(*rows: list[dict[str, str]]) -> dict[str, object]:
    return {"zh_cn": {"title": "", "content": list(rows)}}


def card(*elements: dict[str, object], **config: object) -> dict[str, object]:
    return {"schema": "2.0", "config": config, "body": {"elements": list(elements)}}


def entity(*elements: dict[str, object], **config: object) -> dict[str, str]:
    return {"type": "card_json", "data": json.dumps(card(*elements, **config))}


def words(text: str, name: str = "answer") -> dict[str, object]:
    return {"tag": "markdown", "element_id": name, "content": text}


def line() -> dict[str, object]:
    return {"tag": "hr"}


async def send(caller: Caller, given: dict[str, Any], to: str = ANN) -> dict[str, Any]:
    kind = "open_id" if to.startswith("ou_") else "chat_id"
    asked = {"receive_id": to, **given}
    return await caller.call("POST", f"{IM}/messages", asked, receive_id_type=kind)


async def sent(caller: Caller, given: dict[str, Any], to: str = ANN) -> str:
    return str((await send(caller, given, to))["data"]["message_id"])


@pytest.mark.parametrize(
    ("given", "code"),
    [
        pytest.param(body("text", {"text": "好" * 52_000}), 230025, id="a text over 150 KB"),
        pytest.param(body("text", {"text": "好" * 49_000}), 0, id="a text under 150 KB"),
        pytest.param(body("text", {"text": " "}), 230001, id="an empty text"),
        pytest.param(
            body("post", post([{"tag": "md", "text": "好" * 11_000}])), 230025, id="a long post"
        ),
        pytest.param(
            body("post", post([{"tag": "md", "text": '"' * 9_000}])), 230025, id="much to escape"
        ),
        pytest.param(body("post", post([{"tag": "md", "text": "**好**"}])), 0, id="a post"),
        pytest.param(body("post", post([{"tag": "bold"}])), 230001, id="an unknown tag"),
        pytest.param(body("post", {"content": []}), 230001, id="a post without a language"),
        pytest.param(body("interactive", card(words("好" * 11_000))), 230025, id="a long card"),
        pytest.param(body("interactive", {"schema": "2.0"}), 230099, id="an empty card"),
        pytest.param(
            body("interactive", card(*[line() for _ in range(201)])),
            230099,
            id="too many elements",
        ),
        pytest.param(
            body("interactive", card(words("a"), words("b"))), 230099, id="one name for two"
        ),
        pytest.param(body("image", {"image_key": "img_of_nobody"}), 230055, id="no such image"),
        pytest.param(body("song", {}), 230001, id="an unknown kind"),
        pytest.param(
            {"msg_type": "text", "content": {"text": "object"}}, 230001, id="content is no string"
        ),
        pytest.param(body("text", {"text": "好"}, uuid="u" * 51), 230001, id="a long uuid"),
    ],
)
async def test_a_message_is_taken_or_refused(
    caller: Caller, given: dict[str, Any], code: int
) -> None:
    assert (await send(caller, given))["code"] == code


async def test_a_chat_she_is_not_in_is_refused(platform: LarkPlatform, caller: Caller) -> None:
    room, gone = platform.group("读书会", ANN), platform.group("旧群", ANN)
    platform.expel(room)
    platform.dissolve(gone)
    text = body("text", {"text": "好"})

    assert (await send(caller, text, room))["code"] == 230002
    assert (await send(caller, text, gone))["code"] == 232009
    assert (await send(caller, text, "oc_nobody"))["code"] == 230001
    assert (await caller.call("GET", f"{IM}/chats/{room}"))["code"] == 232011


async def test_a_withdrawn_message_can_be_neither_answered_nor_changed(
    platform: LarkPlatform, caller: Caller
) -> None:
    asked = platform.say("忘了吧")
    platform.withdraw(asked)
    own = await sent(caller, body("text", {"text": "好"}))
    assert (await caller.call("DELETE", f"{IM}/messages/{own}"))["code"] == 0
    text = body("text", {"text": "好"})
    emoji = {"reaction_type": {"emoji_type": "OK"}}

    assert (await caller.call("POST", f"{IM}/messages/{asked}/reply", text))["code"] == 230011
    assert (await caller.call("PUT", f"{IM}/messages/{own}", text))["code"] == 230011
    answer = await caller.call("POST", f"{IM}/messages/{asked}/reactions", emoji)
    assert answer["code"] == 231003
    assert platform.shown(platform.private()) == []


async def test_texts_are_edited_twenty_times_and_cards_patched(
    platform: LarkPlatform, caller: Caller
) -> None:
    text = await sent(caller, body("text", {"text": "0"}))
    platform.world.messages[text].edits = 18
    codes = [
        (await caller.call("PUT", f"{IM}/messages/{text}", body("text", {"text": str(n)})))["code"]
        for n in (19, 20, 21)
    ]
    assert codes == [0, 0, 230072]
    shown = await sent(caller, body("interactive", card(words("旧"))))
    given = {"content": json.dumps(card(words("新")))}
    assert (await caller.call("PATCH", f"{IM}/messages/{shown}", given))["code"] == 0
    assert (await caller.call("PATCH", f"{IM}/messages/{text}", given))["code"] == 230001
    new = body("text", {"text": "x"})
    assert (await caller.call("PUT", f"{IM}/messages/{shown}", new))["code"] == 230054
    theirs = platform.say("我的")
    assert (await caller.call("PUT", f"{IM}/messages/{theirs}", new))["code"] == 230012
    assert platform.texts() == ["20", "新"]


async def test_a_reaction_is_hers_and_can_be_taken_back(
    platform: LarkPlatform, caller: Caller
) -> None:
    message = platform.say("看看")
    path = f"{IM}/messages/{message}/reactions"
    made = await caller.call("POST", path, {"reaction_type": {"emoji_type": "Typing"}})
    again = await caller.call("POST", path, {"reaction_type": {"emoji_type": "Typing"}})
    odd = await caller.call("POST", path, {"reaction_type": {"emoji_type": "typing"}})
    assert made["data"]["reaction_id"] == again["data"]["reaction_id"]
    assert odd["code"] == 231001
    one = f"{path}/{made['data']['reaction_id']}"
    assert (await caller.call("DELETE", one))["code"] == 0
    assert (await caller.call("DELETE", one))["code"] == 231011
    assert platform.shown(platform.private())[0].reactions == ()


async def test_tokens_expire_and_are_revoked(platform: LarkPlatform, caller: Caller) -> None:
    path = f"{IM}/chats/{platform.private()}"
    assert (await caller.call("GET", path))["code"] == 0
    platform.revoke()
    assert (await caller.call("GET", path))["code"] == 99991663
    await caller.renew()
    assert (await caller.call("GET", path))["code"] == 0
    platform.advance(7200)
    assert (await caller.call("GET", path))["code"] == 99991663
    caller._token = ""
    assert (await caller.call("GET", path))["code"] == 99991661


async def test_a_wrong_secret_is_told_from_a_wrong_app(caller: Caller) -> None:
    path = "/open-apis/auth/v3/tenant_access_token/internal"
    wrong = await caller.call("POST", path, {"app_id": APP_ID, "app_secret": "x"})
    nobody = await caller.call("POST", path, {"app_id": "cli_x", "app_secret": "x"})

    assert (wrong["code"], nobody["code"]) == (10014, 10003)


async def test_what_the_console_gave_and_what_it_did_not(
    platform: LarkPlatform, caller: Caller
) -> None:
    platform.app.scopes.discard("cardkit:card:write")
    assert (await caller.call("POST", KIT, entity(words("…"))))["code"] == 99991672
    scopes = (await caller.call("GET", "/open-apis/application/v6/scopes"))["data"]["scopes"]
    status = {each["scope_name"]: each["grant_status"] for each in scopes}
    assert (status["cardkit:card:write"], status["im:message"]) == (2, 1)
    path = f"/open-apis/application/v6/applications/{APP_ID}"
    app = (await caller.call("GET", path, lang="zh_cn"))["data"]["app"]
    assert app["event"]["subscription_type"] == "websocket"
    assert app["callback"]["subscribed_callbacks"] == ["card.action.trigger"]
    bot = (await caller.call("GET", "/open-apis/bot/v3/info"))["bot"]
    assert bot["open_id"] == BOT


async def test_who_is_in_a_room_and_who_leads_it(platform: LarkPlatform, caller: Caller) -> None:
    people = [platform.person(f"ou_{n}", f"人{n}") for n in range(5)]
    room = platform.group("读书会", *people, owner=people[1])
    platform.world.chats[room].managers.append(people[2])

    about = (await caller.call("GET", f"{IM}/chats/{room}"))["data"]
    assert (about["owner_id"], about["user_manager_id_list"]) == (people[1], [people[2]])
    first = (await caller.call("GET", f"{IM}/chats/{room}/members", page_size="3"))["data"]
    rest = (
        await caller.call(
            "GET", f"{IM}/chats/{room}/members", page_size="3", page_token=first["page_token"]
        )
    )["data"]
    assert [each["name"] for each in first["items"] + rest["items"]] == [
        f"人{n}" for n in range(5)
    ]
    assert (first["has_more"], rest["has_more"]) == (True, False)
    user = await caller.call("GET", "/open-apis/contact/v3/users/ou_3", user_id_type="open_id")
    assert user["data"]["user"]["name"] == "人3"
    platform.app.scopes.discard("contact:user.base:readonly")
    nobody = await caller.call("GET", "/open-apis/contact/v3/users/ou_3", user_id_type="open_id")
    assert "name" not in nobody["data"]["user"]


async def test_pictures_and_files_go_there_and_back(
    platform: LarkPlatform, caller: Caller
) -> None:
    key = platform.keep(PNG, "img")
    message = platform.say(kind="image", content={"image_key": key})
    request = lark().BaseRequest.builder().http_method(lark().HttpMethod.GET)
    request = request.uri(f"{IM}/messages/{message}/resources/{key}")
    request = request.token_types({lark().AccessTokenType.TENANT})
    option = lark().RequestOption.builder().tenant_access_token(caller._token).build()
    answer = await caller._client.arequest(request.queries([("type", "image")]).build(), option)
    assert answer.raw.content == PNG

    sdk = lark().im.v1
    upload = sdk.CreateImageRequestBody.builder().image_type("message").image(BytesIO(PNG)).build()
    asked = sdk.CreateImageRequest.builder().request_body(upload).build()
    made = await caller._client.im.v1.image.acreate(asked, option)
    assert await sent(caller, body("image", {"image_key": made.data.image_key}))
    assert platform.world.files[made.data.image_key] == PNG


async def test_a_card_has_its_limits(platform: LarkPlatform, caller: Caller) -> None:
    made = await caller.call("POST", KIT, entity(words("…"), streaming_mode=True))
    identity = made["data"]["card_id"]
    content = {"type": "card", "data": {"card_id": identity}}
    await sent(caller, body("interactive", content))

    async def write(text: str, sequence: int, element: str = "answer") -> int:
        given = {"content": text, "sequence": sequence}
        path = f"{KIT}/{identity}/elements/{element}/content"
        return int((await caller.call("PUT", path, given))["code"])

    assert (await send(caller, body("interactive", content)))["code"] == 230099
    assert await write("好", 0) == 300317
    assert await write("好", 1, "nobody") == 300313
    assert await write("好" * 11_000, 2) == 300305
    assert platform.texts() == ["…"]
    old = entity(words("v1"))
    old["data"] = json.dumps({"elements": []})
    assert (await caller.call("POST", KIT, old))["code"] == 300302
    new = {"card": entity(words("整张换掉")), "sequence": 3}
    assert (await caller.call("PUT", f"{KIT}/{identity}", new))["code"] == 0
    assert platform.texts() == ["整张换掉"]


async def test_a_card_whose_time_is_over_may_say_nothing_about_it(
    platform: LarkPlatform, caller: Caller
) -> None:
    platform.cards.silent = True
    made = await caller.call("POST", KIT, entity(words("…"), streaming_mode=True))
    identity = made["data"]["card_id"]
    await sent(caller, body("interactive", {"type": "card", "data": {"card_id": identity}}))
    platform.advance(601)
    path = f"{KIT}/{identity}/elements/answer/content"

    assert (await caller.call("PUT", path, {"content": "好", "sequence": 1}))["code"] == 0
    assert platform.texts() == ["…"]


async def test_faults_come_once_or_until_told_otherwise(
    platform: LarkPlatform, caller: Caller
) -> None:
    text = body("text", {"text": "一次"}, uuid="once")
    platform.next("create", flooded(3), flooded(3, status=400))
    assert (await send(caller, text))["code"] == 99991400
    assert (await send(caller, text))["code"] == 99991400
    platform.always("create", page(502))
    for _ in range(3):
        with pytest.raises(json.JSONDecodeError):
            await send(caller, text)
    platform.always("create", None)
    platform.then("create", reset)
    with pytest.raises(Exception, match="disconnected"):
        await send(caller, text)
    assert (await send(caller, text))["code"] == 0
    assert platform.texts() == ["一次"]


async def test_what_was_forwarded_together_can_be_asked_for(
    platform: LarkPlatform, caller: Caller
) -> None:
    first, second = platform.say("第一句"), platform.say("第二句")
    whole = platform.say(kind="merge_forward", bundle=[first, second])

    items = (await caller.call("GET", f"{IM}/messages/{whole}"))["data"]["items"]
    assert [each["message_id"] for each in items] == [whole, first, second]
    assert {each["upper_message_id"] for each in items[1:]} == {whole}


async def test_a_chat_takes_only_so_many_messages_a_second(
    platform: LarkPlatform, caller: Caller
) -> None:
    platform.interface.each_second = 1
    room = platform.group("读书会", ANN)
    text = body("text", {"text": "好"})
    answers = await asyncio.gather(*(send(caller, text) for _ in range(8)))
    elsewhere = await send(caller, text, room)
    platform.advance(1)
    later = await send(caller, text)

    assert {answer["code"] for answer in answers} == {0, 230020}
    assert (elsewhere["code"], later["code"]) == (0, 0)
