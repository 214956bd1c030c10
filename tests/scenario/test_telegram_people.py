"""Who may do what on Telegram: pairing, menus, buttons; and what no log may say."""

import logging
import time
from pathlib import Path
from typing import Any

import pytest

from bot.desk.registry import SPECS
from bot.identity import PlatformId, owner_file
from bot.texts import desk_link, dialogue
from memory.ports import SystemClock
from tests.fakes.faults import page
from tests.fakes.platforms import IDENTITIES
from tests.fakes.telegram_faults import refused
from tests.fakes.telegram_program import FRIEND, GROUP, on_telegram, press_in
from tests.fakes.telegram_server import ANN, TOKEN, TelegramServer
from tests.fakes.timer import FakeTimer
from tests.fakes.waiting import until

pytestmark = pytest.mark.usefixtures("quick_time")


def press(server: TelegramServer, data: str, *, sender: int = ANN, message: int = 2) -> None:
    """Let somebody press a button under a message in their private chat."""
    press_in(server, data, chat=sender, sender=sender, message=message)


async def test_whoever_reads_the_code_on_the_server_becomes_the_owner(tmp_path: Path) -> None:
    async with TelegramServer() as server:
        async with on_telegram(tmp_path, server, owners="") as she:
            await until(lambda: len(she.announced) == 2)
            code = she.announced[1].rpartition("：")[2].strip()
            server.says("AAAAAAAA", sender=999)
            (told,) = await she.answers(1, 999)
            server.says(f"/start {code}")
            (answer,) = await she.answers(1)
            server.says("你好呀")
            await she.answers(2)
            server.says(f"/start {code}", sender=999)
            await she.settled()
        again = server.texts(999)

    assert "主人" in answer
    # Whoever writes first may be who set her up: they hear of the code, and not what it is.
    assert told == desk_link.NO_OWNER_YET.en
    assert code not in told
    assert len(again) == 1
    assert IDENTITIES.paired_owner(tmp_path, "telegram") == {PlatformId("telegram", str(ANN))}
    assert owner_file(tmp_path, "telegram").stat().st_mode & 0o777 == 0o600


async def test_guessing_makes_a_new_code_and_its_owner_has_the_menu_at_once(
    tmp_path: Path,
) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server, owners="") as she:
        await until(lambda: len(she.announced) == 2)
        code = she.announced[1].rpartition("：")[2].strip()
        for _ in range(10):
            server.says("AAAAAAA2", sender=999)
        server.says(code, sender=999)
        await until(lambda: len(she.announced) == 3)
        await she.settled()
        before = IDENTITIES.paired_owner(tmp_path, "telegram")
        server.says(she.announced[2].rpartition("：")[2].strip())
        await until(lambda: any(str(ANN) in each for each in server.commands))

    assert not before
    assert IDENTITIES.paired_owner(tmp_path, "telegram") == {PlatformId("telegram", str(ANN))}


async def test_the_menu_differs_for_owner_people_and_groups(tmp_path: Path) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server):
        await until(lambda: len(server.commands) == 12)

    offered = {name: {each["command"] for each in menu} for name, menu in server.commands.items()}
    said = {
        language: {
            each["command"]: each["description"]
            for each in server.commands[f"all_private_chats//{language}"]
        }
        for language in ("zh", "en")
    }
    everyone, admins = offered["all_group_chats//"], offered["all_chat_administrators//"]
    assert everyone < admins < offered["all_private_chats//"] < offered[f"chat/{ANN}/"]
    assert {"memory", "why", "help"} <= offered["all_group_chats//"]
    assert {"remember", "forget", "undo"} <= offered["all_private_chats//"]
    assert {"status", "limits"} <= offered[f"chat/{ANN}/"] - offered["all_private_chats//"]
    assert said["zh"]["forget"] == next(s.help.zh for s in SPECS if s.path == "forget")
    assert said["en"]["forget"] == next(s.help.en for s in SPECS if s.path == "forget")


async def test_a_button_is_obeyed_once_and_a_forged_one_never(tmp_path: Path) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        seal = she.adapter.presenter.signer
        data = seal.sign("/help", str(ANN), SystemClock().now())
        assert data is not None
        press(server, data)
        await she.answers(1)
        press(server, data)
        press(server, "x" * 40)
        press(server, data, sender=FRIEND)
        await she.settled()
        await until(lambda: len(server.made("answerCallbackQuery")) == 4)

    said = [str(each.get("text") or "") for each in server.made("answerCallbackQuery")]
    assert len(server.messages) == 1
    assert sorted(each.partition("\n")[0] for each in said) == sorted(
        ["", dialogue.BUTTON_USED.zh, dialogue.NO_BUTTON.zh, dialogue.NO_BUTTON.zh]
    )


async def test_a_page_is_turned_in_its_place_and_a_refusal_takes_none(tmp_path: Path) -> None:
    group = -100500
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        said = ("记住：我喜欢爬山", "记住：我住在青岛", "/memory list --limit 1")
        for number, text in enumerate(said, start=1):
            server.says(text)
            await she.answers(number)
        listed = list(server.messages.values())[-1]
        newest = listed.text
        press(server, listed.keyboard[0][0]["callback_data"], message=listed.id)
        await until(lambda: listed.text != newest)
        server.says("/memory law weights", chat=group)
        await she.answers(1, group)
        preview = list(server.messages.values())[-1]
        shown = preview.text
        data = preview.keyboard[0][0]["callback_data"]
        press_in(server, data, chat=group, sender=FRIEND, message=preview.id)
        refusals = await she.answers(2, group)

    assert "青岛" in newest
    assert "爬山" in listed.text
    assert len(server.texts()) == 3
    assert refusals[0] == shown
    assert "主人" in refusals[1]


async def test_a_preview_in_a_group_is_for_whom_it_was_made_and_stays_theirs(
    tmp_path: Path,
) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        server.says("/remember 团子是只猫", sender=ANN, chat=GROUP)
        await she.answers(1, GROUP)
        server.says("/forget 团子", sender=ANN, chat=GROUP)
        shown = (await she.answers(2, GROUP))[1]
        preview = list(server.messages.values())[-1]
        data = preview.keyboard[0][0]["callback_data"]
        press_in(server, data, chat=GROUP, sender=FRIEND, message=preview.id)
        await until(lambda: server.made("answerCallbackQuery"))
        await she.settled()
        untouched = server.texts(GROUP)
        press_in(server, data, chat=GROUP, sender=ANN, message=preview.id)
        await until(lambda: preview.text != shown)
        await she.settled()

    told = dialogue.BUTTON_OF_ANOTHER
    assert server.made("answerCallbackQuery")[0]["text"] == f"{told.zh}\n{told.en}"
    assert len(untouched) == 2
    assert untouched[1] == shown
    assert not preview.keyboard
    assert "抹去了" in preview.text


async def test_the_token_is_in_no_log_whatever_happens(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        for name in list(logging.root.manager.loggerDict):
            caplog.set_level(logging.DEBUG, name)  # until the end of this test
        server.next("getUpdates", page(502), refused(500, f"no {TOKEN}"))
        server.next("sendMessage", refused(500, TOKEN))
        server.says("你好")
        await she.answers(1)

    assert caplog.records
    assert TOKEN not in caplog.text
    assert TOKEN.partition(":")[2] not in caplog.text


async def test_a_token_that_was_never_valid_is_no_reason_to_poll(tmp_path: Path) -> None:
    async with TelegramServer() as server:
        server.always("getMe", refused(401, "Unauthorized"))
        async with on_telegram(tmp_path, server, timer=FakeTimer()) as she:
            await until(lambda: she.adapter.health.state == "stopped")

    assert not server.made("getUpdates")


async def test_a_group_keeps_its_agent_when_it_becomes_a_supergroup(tmp_path: Path) -> None:
    old, new = -42, -100999
    allowed = f"telegram:{old},telegram:{new}"
    async with TelegramServer() as server, on_telegram(tmp_path, server, allowed=allowed) as she:
        server.says("小祥，记住：周五交房租", chat=old)
        await she.answers(1, old)
        server.says(chat=new, migrate_from_chat_id=old)
        server.says("小祥，什么时候交房租？", chat=new)
        await she.answers(1, new)
        heard = (await she.app.agents.get("tg-g-42")).state.windows
        lines = [line.text for window in heard.values() for line in window.lines]

    assert {"记住：周五交房租", "什么时候交房租？"} <= set(lines)
    assert not (tmp_path / "agents" / "tg-g-100999").exists()


def moved(chat: int, *, by: int, was: str = "left", now: str = "member") -> dict[str, Any]:
    she = {"id": 4242, "is_bot": True, "first_name": "小祥"}
    return {
        "my_chat_member": {
            "chat": {"id": chat, "type": "supergroup", "title": "一群人"},
            "from": {"id": by, "is_bot": False, "first_name": "x"},
            "date": int(time.time()),
            "old_chat_member": {"user": she, "status": was},
            "new_chat_member": {"user": she, "status": now},
        }
    }


async def test_added_to_a_group_she_tells_its_id_to_whoever_may_know(tmp_path: Path) -> None:
    other = -100777
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        server.push(moved(other, by=999))
        server.push(moved(other, by=ANN, was="member", now="left"))
        server.push(moved(other, by=ANN))
        (hello,) = await she.answers(1, other)
        server.push(moved(GROUP, by=ANN))
        (known,) = await she.answers(1, GROUP)

    assert f"telegram:{other}" in hello
    assert "telegram:" not in known
