"""A message that asked for a reminder and is edited: what she said of it is said anew, once."""

import time
from pathlib import Path

import pytest

from memory.reminder import Reminder
from tests.fakes.telegram_program import GROUP, OnTelegram, on_telegram
from tests.fakes.telegram_server import ANN, TelegramServer
from tests.fakes.waiting import until

pytestmark = pytest.mark.usefixtures("quick_time")


def edit(server: TelegramServer, number: int, text: str, chat: int | None = None) -> None:
    edited = int(time.time()) + 5
    server.says(text, kind="edited_message", message_id=number, edit_date=edited, chat=chat)


async def open_reminders(she: OnTelegram) -> list[Reminder]:
    states = [(await she.app.agents.get(each)).state for each in she.app.agents.known_ids()]
    return [one for state in states for one in state.reminders.values() if one.is_open]


@pytest.mark.parametrize(
    ("said", "then", "told"),
    [
        (
            "明天早上八点提醒我吃药",
            "明天早上九点提醒我吃药",
            ("你改了那句话，前面说好的那次不算了。\n好，明天", "09:00提醒你：吃药"),
        ),
        (
            "remind me tomorrow at 8 am to take my pills",
            "remind me tomorrow at 9 am to take my pills",
            ("You changed that message, so what I said of it before", "9:00"),
        ),
        (
            "明天早上八点提醒我吃药",
            "明天早上八点我去跑步",
            ("你改了那句话，说好的提醒不算了：吃药。", "吃药"),
        ),
        (
            "remind me tomorrow at 8 am to take my pills",
            "tomorrow at 8 am I go running",
            ("You changed that message, so its reminder no longer holds: take", "pills"),
        ),
        ("明天早上八点我吃药", "明天早上八点提醒我吃药", ("好，明天", "08:00提醒你：吃药")),
        (
            "明天早上八点提醒我吃药",
            "后天提醒我吃药",
            ("说好的提醒不算了：吃药。\n好，吃药。", "几点提醒你？"),
        ),
    ],
    ids=["hour-zh", "hour-en", "gone-zh", "gone-en", "now-asked", "asked-back"],
)
async def test_what_she_confirmed_is_said_anew_when_the_request_is_edited(
    tmp_path: Path, said: str, then: str, told: tuple[str, str]
) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        number = server.says(said)
        await she.answers(1)
        edit(server, number, then)
        answers = await she.answers(2)
        edit(server, number, then)
        await she.settled()
        again = server.texts(ANN)

    assert len(again) == len(answers) == 2
    assert all(each in answers[1] for each in told), answers


async def test_an_edit_that_changes_no_reminder_is_answered_by_nothing(tmp_path: Path) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        number = server.says("明天早上八点提醒我吃药")
        await she.answers(1)
        edit(server, number, "明天早上八点提醒我吃药！")
        await she.settled()
        plain = server.says("我喜欢爬山")
        await she.answers(2)
        edit(server, plain, "我喜欢爬山和游泳")
        await she.settled()
        texts = server.texts(ANN)
        left = await open_reminders(she)

    assert len(texts) == 2
    assert len(left) == 1


async def test_the_new_hour_can_be_taken_back_and_is_said_in_a_group_too(tmp_path: Path) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        number = server.says("小祥 明天早上八点提醒我吃药", chat=GROUP)
        await she.answers(1, GROUP)
        edit(server, number, "小祥 明天早上九点提醒我吃药", GROUP)
        told = (await she.answers(2, GROUP))[1]
        shown = list(server.messages.values())[-1]
        data = shown.keyboard[0][0]["callback_data"]
        person = {"id": ANN, "is_bot": False, "first_name": "a"}
        chat = {"id": GROUP, "type": "supergroup", "title": "g"}
        under = {"message_id": shown.id, "date": 1, "chat": chat}
        query = {"id": "q1", "from": person, "chat_instance": "1", "data": data}
        server.push({"callback_query": {**query, "message": under}})
        await until(lambda: server.made("answerCallbackQuery"))
        await she.answers(3, GROUP)
        left = await open_reminders(she)

    assert "09:00提醒你：吃药" in told
    assert left == []


async def test_what_a_group_said_to_one_another_makes_no_reminder_by_an_edit(
    tmp_path: Path,
) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        number = server.says("明天早上八点叫我起床啊", chat=GROUP)
        await she.settled()
        edit(server, number, "明天早上八点提醒我起床", GROUP)
        await she.settled()
        left, texts = await open_reminders(she), server.texts(GROUP)

    assert left == []
    assert texts == []
