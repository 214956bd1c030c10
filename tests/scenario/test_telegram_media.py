"""Pictures and voice: perceived when somebody can, named when nobody can."""

from pathlib import Path
from typing import Any

import pytest

from memory.changes import Window
from memory.offline.vocabulary import ZH
from tests.fakes.openai_answers import Asked
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.telegram_program import OnTelegram, on_telegram
from tests.fakes.telegram_server import ANN, TelegramServer

PHOTO: dict[str, Any] = {
    "photo": [
        {"file_id": name, "file_unique_id": name, "width": 9, "height": 9}
        for name in ("small", "large")
    ]
}
VOICE: dict[str, Any] = {"voice": {"file_id": "v", "file_unique_id": "v", "duration": 3}}


def looking(asked: Asked) -> str:
    if asked.model == "eyes":
        return "一只三花猫趴在窗台上" if "base64,bGFyZ2U=" in asked.prompt else "看不清"
    return "好的呀" if asked.messages[0]["role"] == "system" else "[SKIP]"


def blind(asked: Asked) -> str:
    return "" if asked.model == "eyes" else looking(asked)


async def lines(she: OnTelegram) -> list[Any]:
    agent = await she.app.agents.get(f"tg-p-{ANN}")
    windows: list[Window] = list(agent.state.windows.values())
    return [line for window in windows for line in window.lines if line.role == "user"]


async def test_a_picture_is_looked_at_and_quoted_not_said(tmp_path: Path) -> None:
    async with TelegramServer() as server, OpenAIServer(looking) as model:
        server.files = {"large": b"large", "small": b"small"}
        async with on_telegram(tmp_path, server, model=model, perceiving=True) as she:
            server.says(**PHOTO, caption="我的团子")
            await she.answers(1)
            (line,) = await lines(she)
        asked = [each.prompt for each in model.asked if each.model == "test-model"]

    assert (line.text, line.modality) == ("我的团子", "image")
    assert "三花猫" in line.quoted
    assert any("三花猫" in prompt for prompt in asked)


async def test_a_voice_note_is_what_was_said_in_it(tmp_path: Path) -> None:
    async with TelegramServer() as server, OpenAIServer(looking) as model:
        server.files = {"v": "我周四面试".encode()}
        async with on_telegram(tmp_path, server, model=model, perceiving=True) as she:
            server.says(**VOICE)
            await she.answers(1)
            (line,) = await lines(she)

    assert (line.text, line.modality, line.quoted) == ("我周四面试", "audio", "")


@pytest.mark.parametrize("what", [PHOTO, VOICE], ids=["picture", "voice"])
async def test_what_cannot_be_perceived_is_named_and_still_answered(
    tmp_path: Path, what: dict[str, Any]
) -> None:
    async with (
        TelegramServer() as server,
        OpenAIServer(blind) as model,
        on_telegram(tmp_path, server, model=model, perceiving=True) as she,
    ):
        server.says(**what)  # there is no such file
        await she.answers(1)
        server.files = {"large": b"x" * 11_000_000, "v": b"x" * 11_000_000}
        server.says(**what)  # too large
        await she.answers(2)
        server.files = {"large": b"large", "v": b""}
        server.says(**what)  # nobody can say what it is
        await she.answers(3)
        named = await lines(she)

    assert len(named) == 3
    assert all("还" in line.text and not line.quoted for line in named)


async def test_without_eyes_and_ears_no_file_is_fetched(tmp_path: Path) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        server.says(**PHOTO)
        await she.answers(1)
        server.says(**VOICE)
        await she.answers(2)
        named = await lines(she)

    assert not server.made("getFile")
    assert [line.modality for line in named] == ["image", "audio"]


async def test_without_any_model_she_says_what_she_cannot_open_and_what_it_was(
    tmp_path: Path,
) -> None:
    said: list[dict[str, Any]] = [
        {"text": "我妹妹叫林夏"},
        VOICE,
        {**PHOTO, "caption": "我家年糕今天的样子"},
        {"document": {"file_id": "d", "file_unique_id": "d", "file_name": "体检报告.pdf"}},
        {"location": {"latitude": 1.0, "longitude": 2.0}},
        {"text": "刚才我给你发了啥来着"},
        {"text": "我妹妹叫什么"},
    ]
    answers: list[str] = []
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        for number, more in enumerate(said, start=1):
            server.says(**more)
            answers = await she.answers(number)

    _, voice, picture, file, place, came, sister = answers
    kinds = {"sent_voice": voice, "sent_picture": picture}
    kinds |= {"sent_file": file, "sent_place": place}
    for kind, answer in kinds.items():
        assert answer in [each.replace("{name}", "主人") for each in ZH.openings[kind]]
    for each in ("一段语音", "一张图片", "体检报告.pdf", "一个位置"):
        assert each in came
    assert "说过" not in came
    assert "林夏" in sister
