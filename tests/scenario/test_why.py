"""``/why`` on Telegram: as a reply to any answer of hers, and what pressing its buttons does."""

import json
from pathlib import Path
from typing import Any

import pytest

from memory.laws.law import Event
from memory.model import AgentSettings, Tier
from tests.fakes.desk import DeskSession
from tests.fakes.laws import after_event
from tests.fakes.telegram_program import FRIEND, GROUP, OnTelegram, on_telegram
from tests.fakes.telegram_server import ANN, BOT, Message, TelegramServer


def replied(message: Message) -> dict[str, Any]:
    """Return what makes a message a reply to one of hers."""
    kind = {"type": "supergroup", "title": "g"} if message.chat < 0 else {"type": "private"}
    shown = {"message_id": message.id, "date": 1, "chat": {"id": message.chat, **kind}}
    return {"reply_to_message": {**shown, "from": BOT, "text": message.text}}


async def say(she: OnTelegram, text: str, **more: Any) -> Message:
    """Say something and return the message of hers that answers it."""
    chat = more.get("chat", ANN)
    before = len(she.server.texts(chat))
    she.server.says(text, **more)
    await she.answers(before + 1, chat)
    return [each for each in she.server.messages.values() if each.chat == chat][-1]


async def test_any_answer_of_hers_is_explained_also_later_and_after_a_restart(
    tmp_path: Path,
) -> None:
    async with TelegramServer() as server:
        async with on_telegram(tmp_path, server) as she:
            await say(she, "记住：我住在青岛")
            await say(she, "记住：我养了一只叫团子的猫")
            where = await say(she, "我住在哪里？")
            cat = await say(she, "我的猫叫什么？")
            last = await say(she, "/why")
            back = await say(she, "/why 2")
            first = await say(she, "/why", **replied(where))
        async with on_telegram(tmp_path, server) as she:
            again = await say(she, "/为什么", **replied(where))
            other = await say(she, "/why", **replied(cat))
            unknown = await say(she, "/why", **replied(last))

    assert "青岛" in where.text
    assert "青岛" in first.text
    assert first.text == back.text == again.text
    assert other.text == last.text
    assert first.text != other.text
    assert "解释不了" in unknown.text


async def test_in_a_supergroup_the_words_it_rests_on_are_a_link_away(tmp_path: Path) -> None:
    place: dict[str, Any] = {"sender": ANN, "chat": GROUP}
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        told = await say(she, "小祥，记住：我喜欢冰茶", **place)
        asked = json.loads(told.params["reply_parameters"])["message_id"]
        answer = await say(she, "小祥，我喜欢喝什么？", **place)
        why = await say(she, "/why", **place, **replied(answer))
        show = await say(she, "/memory show #1", **place)
        await say(she, "记住：我喜欢爬山")
        private = await say(she, "/memory show #1")

    link = f"https://t.me/c/{str(GROUP).removeprefix('-100')}/{asked}"
    assert link in why.text
    assert link in show.text
    assert "爬山" in private.text
    assert "https" not in private.text


async def test_what_opened_a_topic_is_no_message_of_hers(tmp_path: Path) -> None:
    topic = {"message_thread_id": 7, "is_topic_message": True}
    opened = {
        "message_id": 7,
        "date": 1,
        "chat": {"id": GROUP, "type": "supergroup", "title": "g"},
        "from": {"id": FRIEND, "is_bot": False, "first_name": "b"},
        "forum_topic_created": {"name": "t", "icon_color": 7322096},
    }
    place: dict[str, Any] = {"sender": FRIEND, "chat": GROUP, **topic, "reply_to_message": opened}
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        await say(she, "小祥，你好", **place)
        why = await say(she, "/why", **place)

    assert "解释不了" not in why.text


async def test_the_buttons_say_right_wrong_forget_and_pin(tmp_path: Path) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        await say(she, "记住：我住在青岛")
        await say(she, "我住在哪里？")
        why = await say(she, "/why")
        data = [each["callback_data"] for row in why.keyboard for each in row]

    verbs = ["reinforce #1 success", "reinforce #1 failure", "forget #1", "pin #1"]
    assert [each.partition("/memory ")[2] for each in data] == verbs


@pytest.mark.parametrize("law", ["tiers", "ebbinghaus", "weights", "network"])
@pytest.mark.parametrize(
    ("event", "verb"), [(Event.SUCCESS, "success"), (Event.FAILURE, "failure")]
)
async def test_right_and_wrong_are_the_events_the_laws_know(
    law: Any, event: Event, verb: str
) -> None:
    settings = AgentSettings(law=law)
    async with DeskSession(settings=settings) as session:
        await session.ask("/remember 我喜欢爬山")
        before = session.state.memory(1)
        session.clock.tick(days=2)
        await session.ask(f"/memory reinforce #1 {event.value}")

        expected = after_event(before, event, session.clock.now(), settings)
        assert session.state.memory(1).trace == expected.trace
        assert session.state.memory(1).nature.tier is Tier.FACT
