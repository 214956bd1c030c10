"""In a Telegram group its admins steer: Telegram says who they are, and nobody's name does."""

from pathlib import Path
from typing import Any

import pytest

from bot.texts import desk_help, dialogue, say
from tests.fakes.faults import page
from tests.fakes.telegram_program import GROUP, OnTelegram, on_telegram, press_in
from tests.fakes.telegram_server import ANN, TelegramServer
from tests.fakes.waiting import until

LEADER, MEMBER, OTHER = 901, 902, 903
ANONYMOUS: dict[str, Any] = {"id": 1087968824, "is_bot": True, "first_name": "Group"}
REFUSED = say("zh", desk_help.NOT_ALLOWED)


async def ordered(she: OnTelegram, line: str, who: int, **more: Any) -> str:
    """Let somebody give a command in the group, and return what it answered last."""
    before = len(she.server.texts(GROUP))
    she.server.says(line, sender=who, chat=GROUP, **more)
    await until(lambda: len(she.server.texts(GROUP)) > before)
    await she.settled()
    return she.server.texts(GROUP)[-1]


async def told(she: OnTelegram) -> None:
    await ordered(she, "/remember 紫藤是花", ANN)


async def pinned(she: OnTelegram) -> bool:
    agent = await she.app.agents.get(f"tg-g-{str(GROUP).lstrip('-')}")
    return agent.state.memory(1).nature.pinned


async def test_an_admin_steers_and_a_member_does_not_and_telegram_is_asked_once(
    tmp_path: Path,
) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        server.admins[GROUP] = {LEADER}
        await told(she)

        assert await ordered(she, "/memory pin #1", MEMBER) == REFUSED
        assert not await pinned(she)
        assert await ordered(she, "/memory pin #1", LEADER) != REFUSED
        assert await pinned(she)
        await ordered(she, "/memory unpin #1", LEADER)
        await ordered(she, "/memory list", MEMBER)
        await ordered(she, "/memory pin #1", MEMBER)

        assert len(server.made("getChatMember")) == 2
        assert server.mistakes == []


async def test_who_cannot_be_asked_about_leads_nothing_and_is_asked_about_again(
    tmp_path: Path,
) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        server.admins[GROUP] = {LEADER}
        await told(she)
        server.next("getChatMember", page(502))

        assert await ordered(she, "/memory pin #1", LEADER) == REFUSED
        assert await ordered(she, "/memory pin #1", LEADER) != REFUSED


async def test_nobody_is_asked_about_for_what_everyone_may_do(tmp_path: Path) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        await told(she)
        await ordered(she, "/memory", MEMBER)
        await ordered(she, "/help", MEMBER)
        server.says("大家好", sender=MEMBER, chat=GROUP)
        server.says("/memory pin #1", sender=666, chat=-100999)
        await she.settled()

        assert server.made("getChatMember") == []


async def test_under_what_is_explained_are_only_buttons_of_whoever_asks(
    tmp_path: Path,
) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        server.admins[GROUP] = {LEADER}
        await told(she)
        shown = {}
        for who in (MEMBER, LEADER):
            before = len(server.texts(GROUP))
            server.says("/memory show #1", sender=who, chat=GROUP)
            await she.answers(before + 1, GROUP)
            last = [each for each in server.messages.values() if each.chat == GROUP][-1]
            data = [each["callback_data"] for row in last.keyboard for each in row]
            shown[who] = [each[24:] for each in data]

        assert shown[MEMBER] == ["/forget #1"]
        assert shown[LEADER] == ["/memory pin #1", "/memory forget #1", "/forget #1"]


async def test_an_anonymous_admin_is_nobody(tmp_path: Path) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        server.admins[GROUP] = {LEADER, ANONYMOUS["id"]}
        await told(she)
        before = server.texts(GROUP)
        group = {"id": GROUP, "type": "supergroup", "title": "一群人"}
        as_group: dict[str, Any] = {"from": ANONYMOUS, "sender_chat": group}
        server.says("/memory pin #1", chat=GROUP, **as_group)
        server.says("/forget all", chat=GROUP, **as_group)
        # Whoever Telegram puts into ``from``: what a chat says is said by no person.
        server.says("/memory pin #1", sender=LEADER, chat=GROUP, sender_chat=group)
        await until(lambda: not server.waiting)
        await she.settled()

        assert server.texts(GROUP) == before
        assert not await pinned(she)


@pytest.mark.parametrize(
    ("asked", "ended"),
    [
        ("@xiaoxiang_bot 明天早上八点提醒我浇花", "不再提醒：浇花"),
        ("@xiaoxiang_bot remind me tomorrow at 8 am to water the plants", "water the plants"),
    ],
)
@pytest.mark.parametrize("who", [MEMBER, LEADER])
async def test_a_button_of_anothers_reminder_tells_only_who_presses_it(
    tmp_path: Path, asked: str, ended: str, who: int
) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        server.admins[GROUP] = {LEADER}
        mention = {"type": "mention", "offset": 0, "length": len("@xiaoxiang_bot")}
        await ordered(she, asked, MEMBER, entities=[mention])
        shown = [each for each in server.messages.values() if each.keyboard][-1]
        data = shown.keyboard[0][0]["callback_data"]
        before = server.texts(GROUP)
        for _ in range(2):
            press_in(server, data, chat=GROUP, sender=OTHER, message=shown.id)
        await until(lambda: len(server.made("answerCallbackQuery")) == 2)
        await she.settled()
        assert server.texts(GROUP) == before
        press_in(server, data, chat=GROUP, sender=who, message=shown.id)
        answers = await she.answers(len(before) + 1, GROUP)

    told = dialogue.BUTTON_OF_ONE_AND_ADMINS
    words = [each.get("text") or "" for each in server.made("answerCallbackQuery")]
    assert sorted(words) == ["", *[f"{told.zh}\n{told.en}"] * 2]
    assert ended in answers[-1]


async def test_a_button_a_member_may_not_press_still_serves_the_admin(tmp_path: Path) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        server.admins[GROUP] = {LEADER}
        await told(she)
        await ordered(she, "/memory law weights", LEADER)
        shown = [each for each in server.messages.values() if each.keyboard][-1]
        data = shown.keyboard[0][0]["callback_data"]
        for who in (MEMBER, LEADER):
            await pressed(she, data, who, shown.id)

        agent = await she.app.agents.get(f"tg-g-{str(GROUP).lstrip('-')}")
        assert agent.settings.law == "weights"


async def pressed(she: OnTelegram, data: str, who: int, message: int) -> None:
    before = she.server.texts(GROUP)
    press(she.server, data, who, message)
    await until(lambda: she.server.texts(GROUP) != before)
    await she.settled()


def press(server: TelegramServer, data: str, sender: int, message: int) -> None:
    person = {"id": sender, "is_bot": False, "first_name": "a"}
    chat = {"id": GROUP, "type": "supergroup", "title": "一群人"}
    under = {"message_id": message, "date": 1, "chat": chat}
    query = {"id": f"q{sender}", "from": person, "chat_instance": "1", "data": data}
    server.push({"callback_query": {**query, "message": under}})
