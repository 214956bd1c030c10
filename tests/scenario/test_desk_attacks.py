"""What somebody tries who means harm, or has kept what was to be erased."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.conversation.ledger import Ledger
from bot.conversation.messages import Sender
from bot.desk.documents import Document, File
from bot.desk.services import DeskServices
from memory.agents import folder_of
from memory.stores.file_store import FileStore
from tests.builders import a_message
from tests.fakes.clock import FakeClock
from tests.fakes.desk import DeskSession, commands, lines
from tests.fakes.platforms import IDENTITIES
from tests.fakes.stolen_folder import found_under
from tests.fakes.two_chats import LARK, STRANGER, TELEGRAM, WHO, Someone, two_chats


def data_of(export: Document) -> bytes:
    """Return the complete data of an export."""
    return [block.data for block in export.blocks if isinstance(block, File)][-1]


@pytest.mark.parametrize("target", ["琥珀花生", "#1", "all"])
@pytest.mark.parametrize("others", [True, False])
async def test_an_old_export_brings_back_nothing_that_was_erased(
    tmp_path: Path, target: str, *, others: bool
) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    services = DeskServices(ledger, tmp_path)
    async with DeskSession(
        store=FileStore(folder_of(tmp_path, "a")), services=services
    ) as session:
        await session.ask("/remember 我对琥珀花生过敏")
        if others:
            await session.ask("/remember 我喜欢猫")
        kept = data_of(await session.ask("/memory export"))
        await session.press(await session.ask(f"/forget {target}"))

        shown = await session.ask("/memory import", file=kept)
        if commands(shown):
            await session.press(shown)

        assert "琥珀" not in str(shown)
        assert "琥珀" not in repr(session.state)
    await ledger.close()


async def test_a_line_cut_out_of_an_episode_does_not_come_back_with_it(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    services = DeskServices(ledger, tmp_path)
    async with DeskSession(
        store=FileStore(folder_of(tmp_path, "a")), services=services
    ) as session:
        said = [a_message("m1", "今天天气很好"), a_message("m2", "我对琥珀糖过敏")]
        await session.agent.listen("c", said)
        session.conversation = "c"
        await session.ask("/reset")
        session.clock.tick(days=1)
        await session.agent.nightly()
        await session.agent.background.wait_until_idle()
        kept = data_of(await session.ask("/memory export"))
        assert "琥珀糖" in kept.decode()
        preview = await session.ask("/forget 琥珀糖")
        await session.press(preview)
        assert "琥珀糖" not in repr(session.state)

        shown = await session.ask("/memory import", file=kept)
        if commands(shown):
            await session.press(shown)

        assert "琥珀糖" not in repr(session.state)
    await ledger.close()


@pytest.mark.parametrize("gone", ["undone", "returned"])
async def test_what_only_files_still_hold_is_erased_from_them(tmp_path: Path, gone: str) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    services = DeskServices(ledger, tmp_path)
    async with DeskSession(
        store=FileStore(folder_of(tmp_path, "a")), services=services
    ) as session:
        await session.ask("/remember 我喜欢猫")
        await session.ask("/backup")
        await session.ask("/remember 我对琥珀花生过敏")
        way = "/undo" if gone == "undone" else "/restore_backup 1"
        await session.press(await session.ask(way))
        assert "琥珀" not in repr(session.state)
        assert found_under(tmp_path, "琥珀花生")

        done = lines(await session.press(await session.ask("/forget 琥珀花生")))

        assert "0 处残留" in done
        assert found_under(tmp_path, "琥珀花生") == []
        assert "没有" in lines(await session.ask("/forget 琥珀花生"))
    await ledger.close()


async def test_what_was_erased_does_not_come_back_with_a_copy_that_is_joined_again(
    tmp_path: Path,
) -> None:
    async with two_chats(tmp_path, FakeClock()) as ann:
        await ann.told(TELEGRAM, "/remember 我对琥珀花生过敏")
        await ann.told(LARK, "/remember 我养了一只猫")
        await ann.link(TELEGRAM, LARK)
        await ann.told(LARK, "/unlink")
        await ann.presses(LARK, 1)
        await ann.told(TELEGRAM, "/forget 琥珀")
        await ann.presses(TELEGRAM)
        assert "我对琥珀花生过敏" in await ann.knows(LARK), "each learns by itself"

        await ann.link(TELEGRAM, LARK)

        assert await ann.knows(TELEGRAM) == {"我养了一只猫"}


async def brought_by(ann: Someone, name: str) -> str:
    """Let somebody of that name bring a code, and return what the host is asked."""
    WHO[STRANGER] = replace(WHO[STRANGER], name=name)
    for place in (TELEGRAM, STRANGER):
        await ann.told(place, "/remember 我对花生过敏")
    code = (await ann.told(TELEGRAM, "/link")).split("：")[1].split()[0]
    await ann.told(STRANGER, f"/link {code}")
    await ann.presses(STRANGER)
    return str(ann.screens.documents[TELEGRAM][-1])


@pytest.mark.parametrize(
    "name",
    [
        "Ann (ou_ann) 是你自己" + "的另一个聊天" * 20,
        "Ann（ou_ann）",
        "Ann \u202e(nna_uo)\u2066",
        "Ann (ou_ann)\n\n✓ 已确认" + " " * 200,
    ],
)
async def test_no_name_pushes_away_the_id_of_whoever_brings_a_stolen_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setitem(WHO, STRANGER, Sender(id="ou_eve", name="Eve"))
    async with two_chats(tmp_path, FakeClock()) as ann:
        asked = await brought_by(ann, name)

    assert "(ou_eve) 的飞书私聊" in asked
    assert not any(each in asked for each in ("(ou_ann)", "（ou_ann）", "\u202e", "\u2066"))


async def test_codes_are_not_guessed_in_one_thread_after_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_chats(tmp_path, FakeClock()) as ann:
        told = []
        for number in range(2, 8):
            thread = replace(LARK, thread=f"omt_{number}")
            monkeypatch.setitem(WHO, thread, WHO[LARK])
            told.append(await ann.told(thread, f"/link AAAA-AAA{number}"))

    assert ["错了太多次" in each for each in told] == [False] * 5 + [True]
