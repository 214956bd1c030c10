"""What people do on Lark on an ordinary bad day, as the model and the memory see it."""

from pathlib import Path
from typing import Any

import pytest

from tests.fakes import lark_events as events
from tests.fakes.lark_platform import LarkPlatform
from tests.fakes.lark_program import OnLark, on_lark
from tests.fakes.lark_world import ANN, BOT
from tests.fakes.openai_answers import Asked, chunk, stall
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.waiting import until

QUIET = 0.3


def plain(asked: Asked) -> str:
    if asked.model == "eyes":
        return f"第{sum(map(ord, str(asked.body['messages'])[-400:])) % 97}号画面"
    return "好的呀" if "程序附注" in asked.prompt else "[SKIP]"


def turns(model: OpenAIServer) -> list[str]:
    """Return what was asked for answers, and not for what is to be kept."""
    return [each.prompt for each in model.asked if "程序附注" in each.prompt]


async def state_of(she: OnLark, data: Path) -> Any:
    (folder,) = (data / "agents").iterdir()
    return (await she.app.agents.get(folder.name)).state


def pushed_in_another_order(platform: LarkPlatform, texts: list[str], order: list[int]) -> None:
    """Write messages a tenth of a second apart, which arrive in another order."""
    place = platform.world.private(ANN)
    written = []
    for text in texts:
        message = platform.world.write(place, ANN, "text", f'{{"text": "{text}"}}')
        platform.clock.added += 0.1
        written.append(message)
    for each in order:
        platform._tell(events.received(platform.world, written[each], place, by_app=False))


@pytest.mark.parametrize("order", [[2, 0, 1], [1, 2, 0], [0, 1, 2]], ids=str)
async def test_a_burst_is_read_in_the_order_it_was_written(
    tmp_path: Path, order: list[int]
) -> None:
    async with (
        LarkPlatform() as platform,
        OpenAIServer(plain) as model,
        on_lark(tmp_path, platform, model=model, quiet_seconds=QUIET) as she,
    ):
        pushed_in_another_order(platform, ["先去银行", "再去邮局", "最后回家"], order)
        answers = await she.answers(1)
        windows = (await state_of(she, tmp_path)).windows.values()
        lines = [line.text for window in windows for line in window.lines]

    assert [each.split("\n")[0] for each in answers] == ["好的呀"]
    (asked,) = turns(model)
    assert asked.index("银行") < asked.index("邮局") < asked.index("回家")
    assert lines == ["先去银行", "再去邮局", "最后回家", "好的呀"]


@pytest.mark.parametrize(("sent", "looked_at"), [(9, 9), (14, 12)])
async def test_every_picture_of_a_post_is_looked_at(
    tmp_path: Path, sent: int, looked_at: int
) -> None:
    async with LarkPlatform() as platform, OpenAIServer(plain) as model:
        keys = [platform.keep(f"picture {n}".encode(), "img") for n in range(sent)]
        pictures = [[{"tag": "img", "image_key": key}] for key in keys]
        rows = [[{"tag": "text", "text": "上周的照片"}], *pictures]
        async with on_lark(tmp_path, platform, model=model, perceiving=True) as she:
            platform.say(kind="post", content={"title": "", "content": rows})
            await she.answers(1)

    assert len(platform.made("resource")) == looked_at
    (asked,) = turns(model)
    assert asked.count("号画面") == looked_at
    assert ("还有 2 张图片没有看" in asked) == (sent > looked_at)


@pytest.mark.parametrize("kind", ["image", "post"])
async def test_a_question_that_replies_to_a_picture_looks_at_it(tmp_path: Path, kind: str) -> None:
    async with LarkPlatform() as platform, OpenAIServer(plain) as model:
        room = platform.group("读书会", ANN)
        picture: dict[str, Any] = {"tag": "img", "image_key": platform.keep(b"a cat", "img")}
        post: dict[str, Any] = {
            "title": "",
            "content": [[{"tag": "text", "text": "看"}], [picture]],
        }
        async with on_lark(
            tmp_path, platform, model=model, perceiving=True, allowed=f"lark:{room}"
        ) as she:
            shown = platform.say(kind=kind, content=post if kind == "post" else picture, chat=room)
            platform.say("@小祥 这是什么", chat=room, mentions=[BOT], reply_to=shown)
            await she.answers(1, room)

    assert "号画面" in turns(model)[-1]


@pytest.mark.parametrize(
    ("kind", "content", "words"),
    [
        (
            "todo",
            {
                "task_id": "t",
                "summary": {"title": "", "content": [[{"tag": "text", "text": "交季度报告"}]]},
                "due_time": "1790000000000",
            },
            ["交季度报告", "2026-09-21"],
        ),
        (
            "vote",
            {"topic": "周末去哪里", "options": ["西湖", "灵隐寺"]},
            ["周末去哪里", "西湖", "灵隐寺"],
        ),
        (
            "share_calendar_event",
            {"summary": "牙医", "start_time": "1790000000000", "end_time": "1790003600000"},
            ["牙医", "2026-09-21"],
        ),
        (
            "calendar",
            {"summary": "周会", "start_time": "1790000000000", "end_time": "1790003600000"},
            ["周会"],
        ),
        (
            "general_calendar",
            {"summary": "体检", "start_time": "1790000000000", "end_time": "1790003600000"},
            ["体检"],
        ),
        ("location", {"name": "断桥", "longitude": "1", "latitude": "1"}, ["断桥"]),
        ("file", {"file_key": "f", "file_name": "合同.pdf"}, ["合同.pdf"]),
    ],
    ids=["todo", "vote", "shared event", "calendar", "general calendar", "place", "file"],
)
async def test_what_is_no_text_reaches_the_model_as_text(
    tmp_path: Path, kind: str, content: dict[str, Any], words: list[str]
) -> None:
    async with (
        LarkPlatform() as platform,
        OpenAIServer(plain) as model,
        on_lark(tmp_path, platform, model=model) as she,
    ):
        platform.say(kind=kind, content=content)
        await she.answers(1)

    assert all(word in turns(model)[0] for word in words)


async def test_one_of_a_burst_is_taken_back_while_it_is_answered(tmp_path: Path) -> None:
    async with LarkPlatform() as platform, OpenAIServer(plain) as model:
        model.next(stall(chunk("嗯，" * 20)))
        async with on_lark(tmp_path, platform, model=model, quiet_seconds=QUIET) as she:
            platform.say("我明天去看牙")
            secret = platform.say("其实我很怕拔牙")
            await until(lambda: turns(model))
            platform.withdraw(secret)
            answers = await she.answers(1)
            state = await state_of(she, tmp_path)

    assert [each.split("\n")[0] for each in answers] == ["好的呀"]
    assert "拔牙" in turns(model)[0]
    assert "看牙" in turns(model)[-1]
    assert "拔牙" not in turns(model)[-1]
    assert not any("拔牙" in line.message.text for line in state.diary.values())


async def test_a_recall_that_was_pushed_while_she_was_away_is_obeyed(tmp_path: Path) -> None:
    async with LarkPlatform() as platform, OpenAIServer(plain) as model:
        async with on_lark(tmp_path, platform, model=model) as she:
            told = platform.say("我的门禁码贴在鞋柜里")
            await she.answers(1)
        platform.withdraw(told)
        async with on_lark(tmp_path, platform, model=model) as she:
            platform.advance(16)
            await platform.settled()
            await she.settled()
            state = await state_of(she, tmp_path)
            await until(lambda: not any("鞋柜" in m.words.text for m in state.memories.values()))
            state = await state_of(she, tmp_path)

    assert not any("鞋柜" in line.message.text for line in state.diary.values())


async def test_a_command_that_is_taken_back_before_its_turn_is_not_carried_out(
    tmp_path: Path,
) -> None:
    async with LarkPlatform() as platform, OpenAIServer(plain) as model:
        model.next(stall(chunk("从前")))
        async with on_lark(tmp_path, platform, model=model) as she:
            platform.say("讲个故事")
            await until(lambda: turns(model))
            order = platform.say("/remember 我住在三号楼")
            platform.withdraw(order)
            await she.answers(1)
            state = await state_of(she, tmp_path)

    assert not any("三号楼" in m.words.text for m in state.memories.values())
