"""In a group everyone erases their own words, and whose words they are goes by id, not by name."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from shutil import copytree

import pytest
import pytest_asyncio

from bot.texts import desk_changes, desk_help, say, transfer
from memory.model import Tier
from tests.fakes.clock import FakeClock
from tests.fakes.desk import commands, lines
from tests.fakes.group_program import ANN, BEN, CEM, GroupProgram, group_program, in_group

GROUP = in_group()
AGENT = "tg-g-100"


async def told_by_three(place: GroupProgram) -> None:
    """Let three people tell something and go on talking; two of them are called the same."""
    await place.say(BEN, "记住：我对琥珀花生没兴趣", where=GROUP)
    await place.say(ANN, "记住：银杏巷十七号是我家", where=GROUP)
    await place.say(CEM, "记住：我最爱琥珀花生", where=GROUP)
    for number in range(20):
        await place.say(BEN, f"琥珀花生我不能碰{number}", where=GROUP)
        await place.say(CEM, f"紫藤开了{number}", where=GROUP)
    place.clock.tick(hours=7)
    await place.say(ANN, "早", where=GROUP)
    await place.settled()


@dataclass(frozen=True)
class Told:
    """A folder in which three people told their things, of which each test takes a copy."""

    folder: Path
    at: datetime


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    folder = tmp_path_factory.mktemp("told")
    async with group_program(folder) as place:
        await told_by_three(place)
    return Told(folder, place.clock.now())


@asynccontextmanager
async def after_three(told: Told, folder: Path) -> AsyncIterator[GroupProgram]:
    """Run the program on a copy of what three people told."""
    copytree(told.folder, folder, dirs_exist_ok=True)
    async with group_program(folder, clock=FakeClock(told.at)) as place:
        yield place


async def said_now(place: GroupProgram) -> list[str]:
    """Return everything anybody's words still stand in, as the memory holds it."""
    state = (await place.memory(AGENT)).state
    told = [line.text for w in state.windows.values() for line in (*w.tail, *w.lines)]
    for memory in state.memories.values():
        told += [memory.words.text, *memory.words.keywords, *(p.text for p in memory.passages)]
    return told


async def test_a_member_erases_what_rests_on_their_own_words_and_nothing_else(
    tmp_path: Path, told: Told
) -> None:
    async with after_three(told, tmp_path) as place:
        preview = lines(await place.order(BEN, "/forget 琥珀花生", where=GROUP))
        receipt = await place.forget(BEN, "琥珀花生", where=GROUP)
        standing = await said_now(place)

    assert say("zh", desk_changes.ONLY_YOURS) in preview
    assert "没兴趣" in preview
    assert "最爱" not in preview
    assert "0 处残留" in receipt
    assert not any("没兴趣" in each or "不能碰" in each for each in standing)
    assert "安（2）说：我最爱琥珀花生" in standing or "安说：我最爱琥珀花生" in standing
    assert "安说：银杏巷十七号是我家" in standing


async def test_all_of_a_members_words_go_and_a_namesake_keeps_theirs(
    tmp_path: Path, told: Told
) -> None:
    assert CEM.name == ANN.name
    async with after_three(told, tmp_path) as place:
        await place.forget(CEM, "all", where=GROUP)
        standing = await said_now(place)
        state = (await place.memory(AGENT)).state
        facts = [m.words.text for m in state.memories.values() if m.nature.tier is Tier.FACT]

    assert facts == ["Ben说：我对琥珀花生没兴趣", "安说：银杏巷十七号是我家"]
    assert not any("紫藤" in each or "最爱" in each for each in standing)
    assert any("不能碰" in each for each in standing)


async def test_an_episode_others_speak_in_is_told_anew_without_the_words_that_go(
    tmp_path: Path, told: Told
) -> None:
    async with after_three(told, tmp_path) as place:
        before = (await place.memory(AGENT)).state
        mixed = [
            m
            for m in before.memories.values()
            if {"telegram:42", "telegram:43"} < {p.speaker_id for p in m.passages if p.verbatim}
        ]
        episode = mixed[0]
        await place.forget(BEN, "all", where=GROUP)
        after = (await place.memory(AGENT)).state.memory(episode.id)

    left = [p.speaker_id for p in after.passages if p.verbatim]
    assert "telegram:43" not in left
    assert "telegram:42" in left
    assert after.words.text.startswith(episode.words.text[:18])
    assert "没兴趣" not in repr(after)
    assert "不能碰" not in repr(after)


async def test_one_memory_is_erased_by_whoever_said_it_and_by_an_admin(
    tmp_path: Path, told: Told
) -> None:
    async with after_three(told, tmp_path) as place:
        state = (await place.memory(AGENT)).state
        (ours,) = [
            m.id for m in state.memories.values() if m.words.text == "安说：银杏巷十七号是我家"
        ]

        refused = lines(await place.order(CEM, f"/forget #{ours}", where=GROUP))
        assert refused == say("zh", desk_changes.NOT_YOURS, id=ours)
        receipt = await place.forget(BEN, f"#{ours}", where=GROUP, admin=True)
        assert "0 处残留" in receipt
        assert ours not in (await place.memory(AGENT)).state.memories


async def test_a_button_for_ones_own_words_serves_nobody_else(tmp_path: Path, told: Told) -> None:
    async with after_three(told, tmp_path) as place:
        (button,) = commands(await place.order(BEN, "/forget 琥珀花生", where=GROUP))
        before = await said_now(place)
        again = await place.order(CEM, button, where=GROUP)

        assert await said_now(place) == before
        assert commands(again) not in ([], [button])


async def test_a_member_steers_nothing_and_an_admin_does(tmp_path: Path, told: Told) -> None:
    async with after_three(told, tmp_path) as place:
        refused = lines(await place.order(BEN, "/memory pin #1", where=GROUP))
        assert refused == say("zh", desk_help.NOT_ALLOWED)
        await place.order(BEN, "/memory pin #1", where=GROUP, admin=True)
        assert (await place.memory(AGENT)).state.memory(1).nature.pinned


async def test_what_a_member_said_and_nobody_answered_yet_goes_too(tmp_path: Path) -> None:
    async with group_program(tmp_path) as place:
        await place.hear(BEN, "琥珀花生是我的秘密", where=GROUP, addressed=False)
        await place.hear(CEM, "琥珀花生好吃", where=GROUP, addressed=False)
        await place.settled()
        await place.forget(BEN, "琥珀花生", where=GROUP)
        assert await said_now(place) == ["琥珀花生好吃"]


async def test_in_a_private_chat_nobodys_id_is_kept(tmp_path: Path) -> None:
    async with group_program(tmp_path) as place:
        await place.say(BEN, "记住：我对琥珀花生没兴趣")
        await place.settled()
        assert "telegram:43" not in repr((await place.memory("tg-p-43")).state)


async def test_a_members_words_leave_the_backups_too_and_nobody_elses_do(
    tmp_path: Path, told: Told
) -> None:
    async with after_three(told, tmp_path) as place:
        await place.order(ANN, "/backup all")
        (backup,) = (tmp_path / "backups" / AGENT).glob("*.json")
        assert "没兴趣" in backup.read_text("utf-8")
        preview = lines(await place.order(BEN, "/forget 琥珀花生", where=GROUP))
        await place.forget(BEN, "琥珀花生", where=GROUP)
        kept = backup.read_text("utf-8")

    assert "备份: 1" in preview
    assert "没兴趣" not in kept
    assert "不能碰" not in kept
    assert "我最爱琥珀花生" in kept
    assert "银杏巷十七号是我家" in kept


async def test_a_backup_nobody_can_read_goes_with_what_it_may_hold(
    tmp_path: Path, told: Told
) -> None:
    async with after_three(told, tmp_path) as place:
        await place.order(ANN, "/backup all")
        (backup,) = (tmp_path / "backups" / AGENT).glob("*.json")
        backup.write_bytes(backup.read_bytes()[:-9])
        receipt = await place.forget(ANN, "琥珀花生", where=GROUP)

    assert "0 处残留" in receipt
    assert not backup.exists()


@pytest.mark.parametrize(
    "order", ["Ben说的话", "ben 说过的一切", "everything by Ben", "all from ben"]
)
async def test_an_admin_erases_all_that_a_member_said_and_nothing_of_others(
    tmp_path: Path, told: Told, order: str
) -> None:
    async with after_three(told, tmp_path) as place:
        preview = lines(await place.order(ANN, f"/forget {order}", where=GROUP))
        receipt = await place.forget(ANN, order, where=GROUP)
        standing = await said_now(place)

    assert say("zh", transfer.ONLY_THEIRS) in preview
    assert "0 处残留" in receipt
    assert not any("没兴趣" in each or "不能碰" in each for each in standing)
    assert any("最爱" in each for each in standing)
    assert any("紫藤开了" in each for each in standing)
    assert any("银杏巷" in each for each in standing)


async def test_of_two_of_one_name_the_admin_erases_the_one_that_is_named(
    tmp_path: Path, told: Told
) -> None:
    async with after_three(told, tmp_path) as place:
        state = (await place.memory(AGENT)).state
        label = next(
            line.message.speaker
            for line in state.diary.values()
            if line.message.speaker_id.endswith(f":{CEM.id}")
        )
        await place.forget(ANN, f"{label}说的话", where=GROUP)
        standing = await said_now(place)

    assert not any("紫藤" in each or "最爱" in each for each in standing)
    assert any("银杏巷" in each for each in standing)


async def test_a_member_erases_nobody_else_by_name(tmp_path: Path, told: Told) -> None:
    async with after_three(told, tmp_path) as place:
        answer = lines(await place.order(BEN, "/forget 安说的话", where=GROUP))
        standing = await said_now(place)

    assert say("zh", desk_changes.NOTHING_OF_IT) in answer
    assert any("银杏巷" in each for each in standing)
    assert any("没兴趣" in each for each in standing)


async def test_who_erases_words_in_a_group_is_told_how_to_erase_a_member(
    tmp_path: Path, told: Told
) -> None:
    async with after_three(told, tmp_path) as place:
        preview = lines(await place.order(ANN, "/forget 琥珀花生", where=GROUP))

    assert say("zh", transfer.WORDS_ONLY, name="琥珀花生") in preview
