"""Who may do what on Lark, what they send, and what no log may say."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from bot.texts import dialogue
from memory.changes import Window
from tests.fakes.faults import hang, late, page
from tests.fakes.lark_platform import LarkPlatform
from tests.fakes.lark_program import BOB, OnLark, hook, on_lark
from tests.fakes.lark_world import (
    ANN,
    APP_SECRET,
    BOT,
    ENCRYPT_KEY,
    VERIFICATION_TOKEN,
)
from tests.fakes.openai_answers import Asked
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.waiting import until

pytestmark = pytest.mark.usefixtures("quick_time")


def looking(asked: Asked) -> str:
    if asked.model == "eyes":
        return "一只三花猫趴在窗台上"
    return "好的呀" if asked.messages[0]["role"] == "system" else "[SKIP]"


async def lines(she: OnLark, data: Path) -> list[Any]:
    (folder,) = (data / "agents").iterdir()
    agent = await she.app.agents.get(folder.name)
    windows: list[Window] = list(agent.state.windows.values())
    return [line for window in windows for line in window.lines if line.role == "user"]


async def test_a_picture_is_looked_at_and_quoted_not_said(tmp_path: Path) -> None:
    async with LarkPlatform() as platform, OpenAIServer(looking) as model:
        key = platform.keep(b"a cat", "img")
        async with on_lark(tmp_path, platform, model=model, perceiving=True) as she:
            platform.say(kind="image", content={"image_key": key})
            await she.answers(1)
            (line,) = await lines(she, tmp_path)
        (asked,) = platform.made("resource")

    assert line.modality == "image"
    assert "三花猫" in line.quoted
    assert "三花猫" not in line.text
    assert asked.query["type"] == "image"


async def test_a_voice_message_is_what_was_said_in_it(tmp_path: Path) -> None:
    async with LarkPlatform() as platform, OpenAIServer(looking) as model:
        key = platform.keep("我周四面试".encode())
        async with on_lark(tmp_path, platform, model=model, perceiving=True) as she:
            platform.say(kind="audio", content={"file_key": key, "duration": 2000})
            await she.answers(1)
            (line,) = await lines(she, tmp_path)
        (asked,) = platform.made("resource")

    assert line.modality == "audio"
    assert "我周四面试" in line.text
    assert asked.query["type"] == "file"


@pytest.mark.parametrize("size", [10 * 1024 * 1024 + 1, None], ids=["too large", "withdrawn"])
async def test_a_file_that_cannot_be_had_is_named(tmp_path: Path, size: int | None) -> None:
    async with LarkPlatform() as platform, OpenAIServer(looking) as model:
        key = platform.keep(b"x" * size, "img") if size else "img_that_is_gone"
        async with on_lark(tmp_path, platform, model=model, perceiving=True) as she:
            platform.say(kind="image", content={"image_key": key})
            await she.answers(1)
            (line,) = await lines(she, tmp_path)

    assert "图片" in line.text
    assert line.quoted == ""
    assert "eyes" not in {each.model for each in model.asked}


async def test_rich_text_is_understood_with_who_is_mentioned(tmp_path: Path) -> None:
    async with LarkPlatform() as platform:
        platform.person(BOB, "小波")
        room = platform.group("读书会", ANN, BOB)
        row = [
            {"tag": "at", "user_id": "@_user_1", "user_name": "小祥"},
            {"tag": "text", "text": " 记住：我和 "},
            {"tag": "at", "user_id": "@_user_2", "user_name": "小波"},
            {"tag": "text", "text": " 周四去爬山"},
        ]
        async with on_lark(tmp_path, platform, allowed=f"lark:{room}") as she:
            platform.say(
                kind="post",
                content={"title": "", "content": [row]},
                chat=room,
                mentions=[BOT, BOB],
            )
            await she.answers(1, room)
            (line,) = await lines(she, tmp_path)

    assert line.text == "记住：我和 @小波 周四去爬山"
    assert line.speaker == "安安"


async def test_only_the_owner_and_admins_of_a_group_steer(tmp_path: Path) -> None:
    async with LarkPlatform() as platform:
        platform.person(BOB, "小波")
        room = platform.group("读书会", ANN, BOB, owner=BOB)
        member = platform.person("ou_c00000000000000000000000000000005", "小草")
        platform.world.chats[room].people.append(member)
        async with on_lark(tmp_path, platform, allowed=f"lark:{room}", owners="") as she:
            platform.say("/remember 紫藤是花", chat=room, person=BOB)
            before = len(await she.answers(1, room))
            said = []
            for person in (member, BOB):
                platform.say("/memory pin #1", chat=room, person=person)
                before += 1
                said.append((await she.answers(before, room))[-1])
            asked = len(platform.made("chat"))

    assert said[0] != said[1]
    assert "群" in said[0] or "主人" in said[0]
    assert asked == 1


@pytest.mark.parametrize(
    "asked",
    ["@小祥 明天早上八点提醒我浇花", "@小祥 remind me tomorrow at 8 am to water the plants"],
)
async def test_a_button_of_anothers_reminder_tells_only_who_presses_it(
    tmp_path: Path, asked: str
) -> None:
    async with LarkPlatform() as platform:
        platform.person(BOB, "小波")
        member = platform.person("ou_c00000000000000000000000000000005", "小草")
        room = platform.group("读书会", ANN, BOB, owner=ANN)
        platform.world.chats[room].people.append(member)
        async with on_lark(tmp_path, platform, allowed=f"lark:{room}", owners="") as she:
            platform.say(asked, chat=room, person=BOB, mentions=[BOT])
            await she.answers(1, room)
            card = she.answers_now(room)[-1]
            value = platform.buttons(card.id)[card.buttons[0]]
            told = [await platform.press(card.id, value, person=member) for _ in range(2)]
            await she.settled()
            after = she.answers_now(room)
            await platform.press(card.id, value, person=BOB)
            # Its own card says what came of it: the press was that of whose it is.
            await until(lambda: she.answers_now(room)[0].text != card.text)
            again = await platform.press(card.id, value, person=BOB)

    assert [each["toast"]["i18n"]["zh_cn"] for each in told] == [
        dialogue.BUTTON_OF_ONE_AND_ADMINS.zh
    ] * 2
    assert after == [card]
    assert again["toast"]["content"] == dialogue.BUTTON_USED.zh


async def test_a_button_a_member_may_not_press_stays_for_the_admin(tmp_path: Path) -> None:
    async with LarkPlatform() as platform:
        platform.person(BOB, "小波")
        room = platform.group("读书会", ANN, BOB, owner=ANN)
        async with on_lark(tmp_path, platform, allowed=f"lark:{room}", owners="") as she:
            platform.say("/remember 紫藤是花", chat=room)
            await she.answers(1, room)
            platform.say("/memory law weights", chat=room)
            await she.answers(2, room)
            card = she.answers_now(room)[-1]
            value = platform.buttons(card.id)[card.buttons[0]]
            await platform.press(card.id, value, person=BOB)
            refused = (await she.answers(3, room))[-1]
            untouched = she.answers_now(room)[1]
            await platform.press(card.id, value)
            await until(lambda: she.answers_now(room)[1].text != card.text)
            await she.settled()
            (folder,) = (tmp_path / "agents").iterdir()
            agent = await she.app.agents.get(folder.name)
            law = agent.settings.law

    assert untouched == card
    assert refused != card.text
    assert law == "weights"


async def test_a_platform_that_answers_no_question_loses_no_message(tmp_path: Path) -> None:
    async with LarkPlatform() as platform:
        platform.person(BOB, "小波")
        room = platform.group("读书会", ANN, BOB)
        async with on_lark(tmp_path, platform, allowed=f"lark:{room}") as she:
            for name in ("members", "user", "get"):
                platform.always(name, hang)
            first = platform.say("今天真热", chat=room)
            pushed = list(platform.pushes.open)
            platform.say("是啊", chat=room, person=BOB, reply_to=first)
            pushed += platform.pushes.open[1:]
            await until(lambda: not platform.pushes.open)
            for name in ("members", "user", "get"):
                platform.always(name, page(500))
            platform.say("@小祥 你好", chat=room, mentions=[BOT])
            await she.answers(1, room)

    assert [each.codes for each in pushed] == [[200], [200]]
    assert max(each.seconds[0] for each in pushed) < 2.5


async def test_no_log_holds_a_secret_or_what_was_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    private = "我的秘密是紫藤"
    with caplog.at_level(logging.DEBUG):
        async with LarkPlatform() as platform:
            for webhook in (None, hook()):
                async with on_lark(tmp_path, platform, webhook=webhook) as she:
                    platform.next("reply", page(502))
                    platform.say(private)
                    broken = {"event_type": "im.message.receive_v1", "token": VERIFICATION_TOKEN}
                    platform.pushes.push({"header": broken, "event": {"message": private}})
                    await she.answers(1)
                    platform.cut()
            tokens = list(platform.app.tokens)
    shown = caplog.text + "".join(capfd.readouterr())

    assert tokens
    for secret in (private, APP_SECRET, ENCRYPT_KEY, VERIFICATION_TOKEN, "ticket", *tokens):
        assert secret not in shown, secret


async def test_the_whole_of_an_event_is_what_the_platform_pushes(tmp_path: Path) -> None:
    """What has been kept is what was said, whatever characters it is made of."""
    odd = '👨‍👩‍👧‍👦 سلام\u200f — a\u0301 “引号” \\n <at user_id="all"></at> @_user_9'
    async with LarkPlatform() as platform, on_lark(tmp_path, platform) as she:
        platform.say(content={"text": odd})
        await she.answers(1)
        (line,) = await lines(she, tmp_path)
        answer = json.dumps(she.answers_now()[0].text)

    assert line.text == odd.replace("@_user_9", "@某人")
    assert "<at user_id" not in answer


async def test_slow_look_ups_leave_no_reply_to_her_unanswered(tmp_path: Path) -> None:
    async with LarkPlatform() as platform:
        platform.person(BOB, "小波")
        room = platform.group("读书会", ANN, BOB)
        async with on_lark(tmp_path, platform, allowed=f"lark:{room}") as she:
            platform.say("@小祥 你好", chat=room, mentions=[BOT])
            await she.answers(1, room)
            (hers,) = she.answers_now(room)
            for name in ("get", "user", "members"):
                platform.always(name, late(0.7))
            for count, person in enumerate((ANN, BOB), 2):
                platform.say("真的吗", person=person, chat=room, reply_to=hers.id)
                await she.answers(count, room)

    assert not platform.pushes.lost
