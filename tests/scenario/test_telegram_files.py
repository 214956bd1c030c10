"""Taking everything along and bringing it back, on Telegram: real files, in and out."""

import json
from pathlib import Path
from typing import Any

from memory.agents import read_state
from memory.stores.codec import state_digest
from memory.stores.exports import read_export
from tests.fakes.telegram_program import FRIEND, GROUP, OnTelegram, on_telegram
from tests.fakes.telegram_server import ANN, TelegramServer
from tests.fakes.waiting import until


def document(name: str, identity: str = "f") -> dict[str, Any]:
    return {
        "document": {"file_id": identity, "file_unique_id": identity, "file_name": name},
    }


def press(server: TelegramServer, *, sender: int = ANN) -> None:
    """Press the first button under the last message in that chat."""
    message = max(
        (each for each in server.messages.values() if each.chat == sender), key=lambda m: m.id
    )
    rows = json.loads(message.params["reply_markup"])["inline_keyboard"]
    person = {"id": sender, "is_bot": False, "first_name": "Ann"}
    chat = {"id": sender, "type": "private", "first_name": "Ann"}
    query = {
        "id": "1",
        "from": person,
        "chat_instance": "1",
        "data": rows[0][0]["callback_data"],
        "message": {"message_id": message.id, "date": 1, "chat": chat},
    }
    server.push({"callback_query": query})


async def said(she: OnTelegram, server: TelegramServer, text: str, **more: Any) -> list[str]:
    """Write something and return the answers to it."""
    before = len(await she.answers(0, more.get("chat", more.get("sender", ANN))))
    server.says(text, **more)
    chat = more.get("chat", more.get("sender", ANN))
    return (await she.answers(before + 1, chat))[before:]


async def test_everything_goes_along_and_comes_back_to_another(tmp_path: Path) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        await said(she, server, "/remember 我对花生过敏")
        await said(she, server, "/memory export")
        await until(lambda: len(server.sent) == 2)
        page, data = sorted(server.sent, key=lambda name: name.endswith(".json"))
        (refused,) = await said(she, server, "/memory export", chat=GROUP, sender=FRIEND)
        assert len(server.sent) == 2
        assert "私聊" in refused
        server.files["f"] = server.sent[data]

        server.says("", caption="/memory import", sender=FRIEND, **document(data))
        (preview,) = await she.answers(1, FRIEND)
        press(server, sender=FRIEND)
        await until(lambda: any("导入了 1 条" in text for text in server.texts(FRIEND)))
        await she.settled()

    mine = await read_state(tmp_path, f"tg-p-{ANN}")
    theirs = await read_state(tmp_path, f"tg-p-{FRIEND}")
    assert "花生" in server.sent[page].decode()
    assert state_digest(read_export(server.sent[data]).state) == state_digest(mine)
    assert "新的：1" in preview
    assert [m.words.text for m in theirs.memories.values()] == ["我对花生过敏"]


async def test_a_file_is_also_taken_when_it_is_answered_to_and_no_path_of_the_server_is_read(
    tmp_path: Path,
) -> None:
    (tmp_path / "secret.json").write_text("{}")
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        server.files["f"] = b"{"
        (how,) = await said(she, server, f"/memory import {tmp_path}/secret.json")
        number = server.says("", **document("a.json"))
        await she.answers(2)
        answered = {
            "message_id": number,
            "date": 1,
            "chat": {"id": ANN, "type": "private", "first_name": "Ann"},
            **document("a.json"),
        }
        (broken,) = await said(she, server, "/memory import", reply_to_message=answered)
        gone = await said(she, server, "", caption="/memory 导入", **document("b", "other"))

    assert "把文件发给我" in how
    assert "不是 JSON" in broken
    assert "拿不到" in gone[-1]
