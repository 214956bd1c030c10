"""Telegram as people use it: the real library against a Bot API server of our own."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.texts import dialogue
from bot.texts import say as in_words
from memory.model import Tier
from tests.fakes.openai_answers import DONE, chunk, events, say
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.telegram_program import FRIEND, GROUP, on_telegram
from tests.fakes.telegram_server import ANN, BOT, TelegramServer
from tests.fakes.waiting import until


async def test_what_is_told_is_answered_and_remembered_over_a_restart(tmp_path: Path) -> None:
    async with TelegramServer() as server:
        async with on_telegram(tmp_path, server) as she:
            server.says("记住：我对花生过敏")
            first = await she.answers(1)
        async with on_telegram(tmp_path, server) as she:
            server.says("我对什么过敏？")
            second = await she.answers(2)
            agent = await she.app.agents.get(f"tg-p-{ANN}")
            facts = [
                memory.words.text
                for memory in agent.state.memories.values()
                if memory.nature.tier is Tier.FACT
            ]

    assert len(first) == 1
    assert "花生" in second[1]
    assert facts == ["我对花生过敏"]


async def test_an_answer_is_written_into_one_message_and_ends_dressed(tmp_path: Path) -> None:
    async with TelegramServer() as server, OpenAIServer(lambda asked: "[SKIP]") as model:
        model.next(say("**好**的，看 `x`"))
        async with on_telegram(tmp_path, server, model=model) as she:
            server.says("你好")
            answers = await she.answers(1)
        (message,) = server.messages.values()

    assert answers == ["好的，看 x"]
    assert message.history[0] == "…"
    assert [entity["type"] for entity in message.entities] == ["bold", "code"]
    assert json.loads(message.params["link_preview_options"]) == {"is_disabled": True}
    assert "reply_parameters" not in message.params
    assert server.made("sendChatAction")


async def test_a_group_hears_an_answer_only_when_it_asks(tmp_path: Path) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        server.says("今天真热", sender=FRIEND, chat=GROUP)
        mention = {"type": "mention", "offset": 0, "length": len(BOT["username"]) + 1}
        asked = server.says(
            f"@{BOT['username']} 记住：我喜欢冰茶", sender=FRIEND, chat=GROUP, entities=[mention]
        )
        answers = await she.answers(1, GROUP)
        server.says("小祥，我刚才说了什么？", sender=FRIEND, chat=GROUP)
        answers = await she.answers(2, GROUP)
        agent = await she.app.agents.get(f"tg-g-{-GROUP}")
        heard = [line.text for window in agent.state.windows.values() for line in window.lines]
        first = next(iter(server.messages.values()))

    assert len(answers) == 2
    assert json.loads(first.params["reply_parameters"])["message_id"] == asked
    assert "今天真热" in heard


async def test_a_stranger_hears_one_polite_line_and_costs_nothing(tmp_path: Path) -> None:
    async with (
        TelegramServer() as server,
        OpenAIServer() as model,
        on_telegram(tmp_path, server, model=model) as she,
    ):
        for _ in range(3):
            server.says("在吗", sender=999)
        answers = await she.answers(1, 999)

    assert len(answers) == 1
    assert "telegram:999" in answers[0]
    assert not model.asked
    assert not (tmp_path / "agents").exists()


async def test_topics_of_a_forum_are_conversations_of_their_own(tmp_path: Path) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        topic: dict[str, Any] = {"message_thread_id": 7, "is_topic_message": True}
        server.says("小祥 你好", sender=FRIEND, chat=GROUP, **topic)
        await she.answers(1, GROUP)
        agent = await she.app.agents.get(f"tg-g-{-GROUP}")
        (message,) = server.messages.values()

    assert message.params["message_thread_id"] == "7"
    assert list(agent.state.windows) == [f"telegram/{BOT['id']}/{GROUP}/7"]


async def test_an_edited_message_corrects_and_is_not_answered_again(tmp_path: Path) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        number = server.says("我周五面试")
        await she.answers(1)
        server.says(
            "我周四面试", message_id=number, kind="edited_message", edit_date=1_790_000_000
        )
        server.says(
            "/memory list", message_id=number, kind="edited_message", edit_date=1_790_000_001
        )
        await she.settled()
        agent = await she.app.agents.get(f"tg-p-{ANN}")
        heard = [line.text for window in agent.state.windows.values() for line in window.lines]

    assert len(server.messages) == 1
    assert heard[0] == "我周四面试"
    assert not any("list" in line or "周五" in line for line in heard[:1])


@pytest.mark.parametrize(
    ("said", "edited", "again"),
    [
        ("我周五面试，怎么准备？", "我周四面试，怎么准备？", "再说一遍"),
        ("My exam is on Friday, any tips?", "My exam is on Thursday, any tips?", "say that again"),
    ],
)
async def test_edited_while_she_answers_it_is_answered_to_the_end_and_anew_only_if_asked(
    tmp_path: Path, said: str, edited: str, again: str
) -> None:
    async with TelegramServer() as server, OpenAIServer(lambda asked: "[SKIP]") as model:
        model.next(events(chunk("好的"), chunk("，加油"), chunk(finish="stop"), DONE, pause=0.5))
        async with on_telegram(tmp_path, server, model=model) as she:
            number = server.says(said)
            await until(lambda: any("好的" in text for text in server.texts()))
            server.says(edited, message_id=number, kind="edited_message", edit_date=1_790_000_000)
            first = await she.answers(1)
            model.personality = lambda asked: "好，周四" if asked.stream else "[SKIP]"
            server.says(again)
            both = await she.answers(2)

    asked = [each.body["messages"][-1]["content"] for each in model.asked if each.stream]
    assert first == ["好的，加油"]
    assert both == ["好的，加油", "好，周四"]
    assert said in asked[0]
    assert edited in asked[1]
    assert said not in asked[1]


async def test_bots_channels_and_anonymous_admins_are_never_answered(tmp_path: Path) -> None:
    group = {"date": 1, "chat": {"id": GROUP, "type": "group", "title": "g"}, "text": "小祥 你好"}
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        for number, is_bot in ((1087968824, True), (136817688, True), (777000, False), (5, True)):
            who: dict[str, Any] = {"id": number, "is_bot": is_bot, "first_name": "机器"}
            server.push({"message": {**group, "message_id": number, "from": who}})
        server.push(
            {
                "channel_post": {
                    "message_id": 1,
                    "date": 1,
                    "chat": {"id": -1, "type": "channel"},
                    "text": "小祥",
                }
            }
        )
        server.says("/help@other_bot", sender=FRIEND, chat=GROUP)
        await she.settled()

    assert not server.messages


async def test_a_malformed_update_stops_nobody(tmp_path: Path) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        server.push({"message": {"message_id": 1, "date": 1, "chat": {"id": 1}}})
        server.push({"message": "not even a message"})
        server.push({"some_future_kind": {"x": 1}})
        server.says("你好")
        await she.answers(1)

    assert server.waiting == 0


@pytest.mark.parametrize(
    "more",
    [{"photo": 5}, {"date": "x"}, {"entities": [5]}, {"reply_to_message": "x"}],
    ids=["photo", "date", "entities", "reply"],
)
async def test_a_message_that_cannot_be_read_is_said_so(
    tmp_path: Path, more: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        server.says("**花生**", **more)
        (answer,) = await she.answers(1)
        server.says("你好")
        await she.answers(2)

    assert answer == in_words("zh", dialogue.UNREADABLE)
    assert "telegram update 1000 failed" in caplog.text
    assert "花生" not in caplog.text


async def test_quick_messages_of_one_person_get_one_answer(tmp_path: Path) -> None:
    async with (
        TelegramServer() as server,
        on_telegram(tmp_path, server, quiet_seconds=0.3) as she,
    ):
        for words in ("我今天", "去了海边", "风好大"):
            server.says(words)
        answers = await she.answers(1)

    assert len(answers) == 1


async def test_a_long_answer_grows_over_several_messages_and_loses_nothing(tmp_path: Path) -> None:
    words = [f"第{number}句话说的是今天的天气很好。" for number in range(600)]
    async with TelegramServer() as server, OpenAIServer(lambda asked: "[SKIP]") as model:
        model.next(
            events(
                *[chunk("".join(words[at : at + 50])) for at in range(0, 600, 50)],
                chunk("", finish="stop"),
            )
        )
        async with on_telegram(tmp_path, server, model=model) as she:
            server.says("讲长一点")
            answers = await she.answers(2)

    assert "".join(answers) == "".join(words)
