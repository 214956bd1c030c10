"""What people do on Telegram on an ordinary bad day, as the model and the memory see it."""

import time
from pathlib import Path
from typing import Any

import pytest

from memory.model import Message
from tests.fakes.openai_answers import DONE, Asked, chunk, events
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.telegram_program import FRIEND, GROUP, OnTelegram, on_telegram
from tests.fakes.telegram_server import TelegramServer

QUIET = 0.3


def plain(asked: Asked) -> str:
    if asked.model == "eyes":
        return "有画面"
    return "好的呀" if "程序附注" in asked.prompt else "[SKIP]"


def turns(model: OpenAIServer) -> list[str]:
    """Return what was asked for answers, and not for what is to be kept."""
    return [each.prompt for each in model.asked if "程序附注" in each.prompt]


async def lines_of(she: OnTelegram, data: Path) -> list[Message]:
    """Return what her only memory holds of the talk, oldest first."""
    (folder,) = (data / "agents").iterdir()
    state = (await she.app.agents.get(folder.name)).state
    return [line for window in state.windows.values() for line in window.lines]


async def test_one_paste_is_one_turn(tmp_path: Path) -> None:
    pieces = ["甲" * 4096, "乙" * 4096, "丙" * 3808]
    async with (
        TelegramServer() as server,
        OpenAIServer(plain) as model,
        on_telegram(tmp_path, server, model=model, quiet_seconds=QUIET) as she,
    ):
        for piece in pieces:
            server.says(piece)
        answers = await she.answers(1)

    assert answers == ["好的呀"]
    (asked,) = turns(model)
    assert [asked.count(each) for each in "甲乙丙"] == [4096, 4096, 3808]


async def test_an_album_is_one_turn(tmp_path: Path) -> None:
    async with TelegramServer() as server, OpenAIServer(plain) as model:
        photos = []
        for number in range(10):
            server.files[f"p{number}"] = b"jpeg"
            size = {
                "file_id": f"p{number}",
                "file_unique_id": f"u{number}",
                "width": 9,
                "height": 9,
            }
            photos.append([size])
        async with on_telegram(
            tmp_path, server, model=model, quiet_seconds=QUIET, perceiving=True
        ) as she:
            for photo in photos:
                server.says(photo=photo, media_group_id="g1")
            answers = await she.answers(1)

    assert answers == ["好的呀"]
    assert turns(model)[0].count("有画面") == 10


async def test_a_night_of_messages_is_one_turn(tmp_path: Path) -> None:
    async with TelegramServer() as server, OpenAIServer(plain) as model:
        async with on_telegram(tmp_path, server, model=model) as before:
            server.says("在吗")
            await before.answers(1)
        for number in range(60):
            server.says(f"夜里第{number}句", date=int(time.time()) - 3 * 3600 + number)
        async with on_telegram(tmp_path, server, model=model, quiet_seconds=QUIET) as she:
            answers = await she.answers(2)

    assert len(answers) == 2
    assert all(f"夜里第{number}句" in turns(model)[-1] for number in range(60))


async def test_of_two_edits_within_a_second_the_last_is_kept(tmp_path: Path) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        number = server.says("我对花生过敏")
        await she.answers(1)
        for text in ("我对虾过敏", "我对芒果过敏"):
            server.says(text, kind="edited_message", message_id=number, edit_date=1_790_000_000)
        await she.settled()
        lines = [line.text for line in await lines_of(she, tmp_path) if line.role == "user"]
        server.says("我对什么过敏？")
        asked = (await she.answers(2))[-1]

    assert lines == ["我对芒果过敏"]
    assert "芒果" in asked
    assert not any(each in asked for each in ("花生", "虾"))


@pytest.mark.parametrize(
    ("before", "after", "question", "now", "then"),
    [
        ("记住：我周四面试", "记住：我周五面试", "我哪天面试？", "周五", "周四"),
        (
            "Remember: the spare key is under the mat",
            "Remember: the spare key is in the shed",
            "Where is the spare key?",
            "shed",
            "mat",
        ),
    ],
    ids=["zh", "en"],
)
async def test_what_was_asked_to_be_kept_is_kept_as_it_reads_after_an_edit(
    tmp_path: Path, before: str, after: str, question: str, now: str, then: str
) -> None:
    async with TelegramServer() as server:
        async with on_telegram(tmp_path, server) as she:
            number = server.says(before)
            await she.answers(1)
            server.says(after, kind="edited_message", message_id=number, edit_date=1_790_000_000)
            await she.settled()
        async with on_telegram(tmp_path, server) as again:
            server.says(question)
            asked = (await again.answers(2))[-1]

    assert now in asked
    assert then not in asked


async def test_what_is_edited_before_it_is_answered_is_answered_as_it_reads(
    tmp_path: Path,
) -> None:
    async with TelegramServer() as server, OpenAIServer(plain) as model:
        number = server.says("我对花生过敏")
        server.says("另外，晚上吃什么", date=int(time.time()))
        server.says(
            "我对虾过敏", kind="edited_message", message_id=number, edit_date=1_790_000_000
        )
        async with on_telegram(tmp_path, server, model=model, quiet_seconds=QUIET) as she:
            await she.answers(1)
            await she.settled()
            lines = [line.text for line in await lines_of(she, tmp_path) if line.role == "user"]

    (asked,) = turns(model)
    assert "我对虾过敏" in asked
    assert "花生" not in asked
    assert lines == ["我对虾过敏", "另外，晚上吃什么"]


async def test_an_edit_of_what_a_group_told_her_changes_what_she_knows(tmp_path: Path) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        number = server.says("小祥 记住：团建在周四", chat=GROUP)
        await she.answers(1, GROUP)
        server.says(
            "小祥 记住：团建在周五",
            chat=GROUP,
            kind="edited_message",
            message_id=number,
            edit_date=1_790_000_000,
        )
        await she.settled()
        (folder,) = (tmp_path / "agents").iterdir()
        memories = (await she.app.agents.get(folder.name)).state.memories.values()

    told = [each.words.text for each in memories if each.is_living_fact]
    assert any("周五" in each for each in told)
    assert not any("周四" in each for each in told)


@pytest.mark.parametrize(
    "more",
    [
        {
            "text": "/weather@other_bot",
            "entities": [{"type": "bot_command", "offset": 0, "length": 18}],
        },
        {"text": "小祥子说今天放假"},
        {"text": "听说小祥子病了"},
        {
            "text": "小祥 你在吗",
            "forward_origin": {
                "type": "user",
                "date": 1,
                "sender_user": {"id": 5, "is_bot": False, "first_name": "x"},
            },
        },
    ],
    ids=["another bot's command", "小祥子 first", "小祥子 amid", "a forward"],
)
async def test_in_a_group_what_is_not_for_her_is_not_answered(
    tmp_path: Path, more: dict[str, Any]
) -> None:
    async with (
        TelegramServer() as server,
        OpenAIServer(plain) as model,
        on_telegram(tmp_path, server, model=model) as she,
    ):
        server.says(chat=GROUP, **more)
        server.says("小祥 你在吗", chat=GROUP)
        answers = await she.answers(1, GROUP)

    assert answers == ["好的呀"]
    assert len(turns(model)) == 1


@pytest.mark.parametrize("finish", ["length", "content_filter"])
async def test_what_came_of_an_answer_that_was_cut_stays(tmp_path: Path, finish: str) -> None:
    async with TelegramServer() as server, OpenAIServer(plain) as model:
        model.next(events(chunk("先说前半段，"), chunk("后面还有"), chunk(finish=finish), DONE))
        async with on_telegram(tmp_path, server, model=model) as she:
            server.says("讲讲西湖，我明天去杭州")
            answers = await she.answers(1)
            lines = await lines_of(she, tmp_path)

    assert answers[0].startswith("先说前半段，后面还有")
    assert len(answers[0]) > len("先说前半段，后面还有")
    assert len(turns(model)) == 1
    assert lines[0].text == "讲讲西湖，我明天去杭州"


@pytest.mark.parametrize(
    "answer",
    ["\u200b\u200d\ufeff", "\x00\x1b[2J\u202e\u2066", "  \u3164\u2800 \n"],
    ids=["zero width", "controls", "blank letters"],
)
async def test_an_answer_of_nothing_to_see_is_no_answer(tmp_path: Path, answer: str) -> None:
    async with TelegramServer() as server, OpenAIServer(plain) as model:
        model.next(answer, answer, answer)
        async with on_telegram(tmp_path, server, model=model) as she:
            server.says("你好")
            answers = await she.answers(1)

    assert all(any(ch.isalnum() for ch in each) for each in answers)


async def test_controls_never_reach_a_chat(tmp_path: Path) -> None:
    async with TelegramServer() as server, OpenAIServer(plain) as model:
        model.next("好\x00的\x1b[31m呀\u202e反\u2066过来\x07")
        async with on_telegram(tmp_path, server, model=model) as she:
            server.says("你好")
            (answer,) = await she.answers(1)
        sent = [str(call.params.get("text", "")) for call in server.calls]

    assert "好" in answer
    assert not any(set(each) & set("\x00\x1b\x07\u202e\u2066") for each in sent)


async def test_two_of_one_name_are_told_apart(tmp_path: Path) -> None:
    async with (
        TelegramServer() as server,
        OpenAIServer(plain) as model,
        on_telegram(tmp_path, server, model=model) as she,
    ):
        for person, words in ((501, "我周五生日"), (502, "我讨厌香菜")):
            who: dict[str, Any] = {"id": person, "is_bot": False, "first_name": "小王"}
            more: dict[str, Any] = {"from": who}
            server.says(words, chat=GROUP, sender=person, **more)
        await she.settled()
        server.says("小祥 谁周五生日", chat=GROUP, sender=FRIEND)
        await she.answers(1, GROUP)
        lines = await lines_of(she, tmp_path)

    speakers = [line.speaker for line in lines if line.text in {"我周五生日", "我讨厌香菜"}]
    assert len(set(speakers)) == 2


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"contact": {"phone_number": "123", "first_name": "老张"}}, ["老张"]),
        (
            {
                "venue": {
                    "location": {"latitude": 1, "longitude": 1},
                    "title": "断桥",
                    "address": "西湖",
                }
            },
            ["断桥"],
        ),
        (
            {"document": {"file_id": "d", "file_unique_id": "d", "file_name": "合同.pdf"}},
            ["合同.pdf"],
        ),
        (
            {
                "poll": {
                    "id": "1",
                    "question": "去哪",
                    "options": [
                        {"text": "西湖", "voter_count": 0, "persistent_id": "1"},
                        {"text": "灵隐", "voter_count": 0, "persistent_id": "2"},
                    ],
                    "total_voter_count": 0,
                    "is_closed": False,
                    "is_anonymous": True,
                    "type": "regular",
                    "allows_multiple_answers": False,
                    "allows_revoting": False,
                    "members_only": False,
                }
            },
            ["去哪", "西湖", "灵隐"],
        ),
    ],
    ids=["contact", "venue", "file", "poll"],
)
async def test_what_is_no_text_reaches_the_model_as_text(
    tmp_path: Path, more: dict[str, Any], words: list[str]
) -> None:
    async with (
        TelegramServer() as server,
        OpenAIServer(plain) as model,
        on_telegram(tmp_path, server, model=model) as she,
    ):
        server.says(**more)
        await she.answers(1)

    assert all(word in turns(model)[0] for word in words)
