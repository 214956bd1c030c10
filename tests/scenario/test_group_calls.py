"""Called by mention or by name, she hears what was said and not the call."""

from pathlib import Path
from typing import Any

import pytest

from bot.app import App
from bot.conversation.messages import ConversationKey
from memory.agent import AgentMemory
from tests.fakes.lark_platform import LarkPlatform
from tests.fakes.lark_program import on_lark
from tests.fakes.lark_world import ANN as LARK_ANN
from tests.fakes.lark_world import APP_ID, BOT
from tests.fakes.telegram_program import GROUP, on_telegram
from tests.fakes.telegram_server import ANN, TelegramServer

pytestmark = pytest.mark.usefixtures("quick_time")

MENTION = "@xiaoxiang_bot"


def says(server: TelegramServer, text: str, **more: Any) -> None:
    """Let Ann write to the group on Telegram, mentions marked as Telegram marks them."""
    named = [{"type": "mention", "offset": text.find(MENTION), "length": len(MENTION)}]
    entities: dict[str, Any] = {"entities": named} if MENTION in text else {}
    server.says(text, chat=GROUP, **{**entities, **more})


async def known(app: App, place: ConversationKey) -> set[str]:
    """Return what is known in a group."""
    agent: AgentMemory = await app.agents.get(await app.bindings.agent_id(place, private=False))
    await agent.background.wait_until_idle()
    return {each.words.text for each in agent.state.memories.values()}


TELEGRAM_GROUP = ConversationKey(platform="telegram", account="4242", chat=str(GROUP))


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (f"{MENTION} 我住在奥斯陆", "住在奥斯陆"),
        (f"我住在奥斯陆 {MENTION}", "住在奥斯陆"),
        ("小祥，我住在奥斯陆", "住在奥斯陆"),
        (f"{MENTION} I live in Oslo", "lives in Oslo"),
        (f"{MENTION}, I hate mondays", "hates mondays"),
        ("I live in Oslo, Xiaoxiang", "lives in Oslo"),
        (f"{MENTION} my birthday is on May 3", "birthday is on May 3"),
    ],
)
async def test_what_is_said_to_her_in_a_telegram_group_is_kept_without_the_call(
    said: str, kept: str, tmp_path: Path
) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        says(server, said)
        await she.answers(1, GROUP)
        found = await known(she.app, TELEGRAM_GROUP)

    assert [each for each in found if kept in each], found
    assert not [each for each in found if "xiaoxiang" in each.lower() or "小祥" in each]


@pytest.mark.parametrize(
    ("said", "kept"),
    [("@小祥 我住在奥斯陆", "住在奥斯陆"), ("@小祥 I hate mondays", "hates mondays")],
)
async def test_what_is_said_to_her_in_a_lark_group_is_kept_without_the_call(
    said: str, kept: str, tmp_path: Path
) -> None:
    async with LarkPlatform() as platform:
        room = platform.group("读书会", LARK_ANN)
        async with on_lark(tmp_path, platform) as she:
            platform.say(said, chat=room, mentions=[BOT])
            await she.answers(1, room)
            place = ConversationKey(platform="lark", account=APP_ID, chat=room)
            found = await known(she.app, place)

    assert [each for each in found if kept in each], found
    assert not [each for each in found if "小祥" in each]


async def test_called_and_told_nothing_she_answers_in_the_language_of_the_chat(
    tmp_path: Path,
) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        says(server, MENTION)
        (answer,) = await she.answers(1, GROUP)

    assert not any("a" <= each <= "z" for each in answer.partition("\n")[0])


async def test_a_command_behind_her_mention_is_one(tmp_path: Path) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        says(server, f"{MENTION} /help")
        (answer,) = await she.answers(1, GROUP)

    assert "/help" in answer


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Xiaoxiang, I am allergic to nuts", ["is allergic to nuts"]),
        ("小祥，我对坚果过敏", ["对坚果过敏"]),
    ],
)
async def test_her_name_is_no_part_of_a_second_memory(
    said: str, kept: list[str], tmp_path: Path
) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        says(server, said)
        (answer,) = await she.answers(1, GROUP)
        says(server, said.replace("I am allergic to nuts", "I have a cat"))
        await she.answers(2, GROUP)
        found = await known(she.app, TELEGRAM_GROUP)

    facts = [each for each in found if "nuts" in each or "坚果" in each]
    assert len(facts) == len(kept)
    assert all(one in each for one, each in zip(kept, facts, strict=True))
    assert "meet you" not in answer


@pytest.mark.parametrize(
    "said", ["小祥瑞饭店不错", "我妹妹叫小祥", "My sister is called Xiaoxiang", "我昨天问了小祥"]
)
async def test_a_word_that_only_holds_her_name_is_no_call(said: str, tmp_path: Path) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        says(server, said)
        says(server, "小祥，在吗", sender=ANN)
        assert len(await she.answers(1, GROUP)) == 1
