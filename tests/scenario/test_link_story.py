"""One person's two chats become one memory, by a code and two confirmations; and part again."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from bot.desk.documents import Facts, Table
from memory.agents import Agents, agent_ids
from memory.model import Memory
from memory.stores.codec import state_digest
from tests.fakes.clock import FakeClock
from tests.fakes.stolen_folder import found_under
from tests.fakes.two_chats import LARK, STRANGER, TELEGRAM, TERMINAL, Someone, two_chats

SECRET = "Hunter7788绿萝"  # noqa: S105 - nobody's


async def lived(ann: Someone) -> None:
    """Let something be known in both chats."""
    await ann.told(TELEGRAM, "/remember 我对花生过敏")
    await ann.told(TELEGRAM, "/remember 我住在北京")
    await ann.says(TELEGRAM, "我喜欢爬山")
    ann.clock.tick(days=3)
    await ann.told(LARK, "/remember 我对花生过敏")
    await ann.told(LARK, "/remember 我住在上海")
    await ann.told(LARK, "/remember 我养了一只猫")
    await ann.says(LARK, "我每天喝咖啡")
    for place in (TELEGRAM, LARK):
        await ann.agent(place)


async def a_code(ann: Someone, place: object = TELEGRAM) -> str:
    assert place in {TELEGRAM, LARK, TERMINAL}
    told = await ann.told(TELEGRAM if place is TELEGRAM else LARK, "/link")
    return told.split("：")[1].split()[0]


async def test_two_chats_of_one_person_share_one_memory(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock()) as ann:
        await lived(ann)
        brought = await ann.told(LARK, f"/关联 {(await a_code(ann)).lower()}")
        agreed = await ann.presses(LARK)
        preview = ann.screens.documents[TELEGRAM][-1]
        done = await ann.presses(TELEGRAM)
        told_there = ann.screens.finals(LARK)[-1]
        known = await ann.knows(LARK)
        one, other = await ann.agent(LARK), await ann.agent(TELEGRAM)
        both = {str(TELEGRAM), str(LARK)}
        windows = set(one.state.windows)
        answer = await ann.says(LARK, "我喜欢什么？")

    facts = {
        key: value for f in preview.blocks if isinstance(f, Facts) for key, _, value in f.entries
    }
    (table,) = (block for block in preview.blocks if isinstance(block, Table))
    assert "安 (42)" in brought
    assert "花生" not in brought
    assert "确认" in agreed
    assert facts["known"] == "1 条，各合成一条，记得更牢"
    assert "Ann (ou_ann)" in str(facts["there"])
    assert table.rows == (("我住在北京", "我住在上海"),)
    assert done.startswith("接好了")
    assert told_there.startswith("接好了")
    assert one is other
    assert {"我对花生过敏", "我住在上海", "我养了一只猫"} <= known
    # Told as past from now on, and not as what holds.
    assert [each.is_past for each in one.state.memories.values() if "北京" in each.words.text] == [
        True
    ]
    assert windows == both
    assert "爬山" in answer
    assert agent_ids(tmp_path) == ["tg-p-42"]
    assert not list((tmp_path / "agents").glob(".*"))


async def test_what_was_joined_is_there_after_a_restart_and_a_new_thread_belongs_to_it(
    tmp_path: Path,
) -> None:
    clock = FakeClock()
    async with two_chats(tmp_path, clock) as ann:
        await lived(ann)
        await ann.link(TELEGRAM, LARK)
        before = state_digest(await ann.state(TELEGRAM))
        await ann.app.agents.close_idle()
        await ann.app.nights.run("lark-p-" + "0" * 20)

    async with two_chats(tmp_path, clock) as ann:
        assert state_digest(await ann.state(LARK)) == before
        topic = replace(LARK, thread="omt_1")
        assert await ann.app.bindings.agent_id(topic, private=True) == "tg-p-42"
    assert agent_ids(tmp_path) == ["tg-p-42"]


async def test_the_younger_chat_may_ask_and_the_elder_memory_stays(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock()) as ann:
        await lived(ann)
        done = await ann.link(LARK, TELEGRAM)

        assert done.startswith("接好了")
        assert await ann.app.bindings.agent_id(LARK, private=True) == "tg-p-42"
    assert agent_ids(tmp_path) == ["tg-p-42"]


async def test_a_stolen_code_shows_nothing_and_joins_nothing(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock()) as ann:
        await lived(ann)
        await ann.told(STRANGER, "/remember 我对花生过敏")
        before = state_digest(await ann.state(TELEGRAM))
        code = await a_code(ann)
        shown = await ann.told(STRANGER, f"/link {code}")
        await ann.presses(STRANGER)
        asked = ann.screens.documents[TELEGRAM][-1]
        late = await ann.told(LARK, f"/link {code}")
        declined = await ann.presses(TELEGRAM, 1)
        again = await ann.told(STRANGER, f"/link {code}")

        assert "花生" not in shown
        assert "Eve (ou_eve)" in str(asked)
        assert "没有这个配对码" in late
        assert declined.startswith("好，不关联了")
        assert "不关联了" in ann.screens.finals(STRANGER)[-2]
        assert "没有这个配对码" in again
        assert state_digest(await ann.state(TELEGRAM)) == before
        assert (
            len({await ann.app.bindings.agent_id(p, private=True) for p in (TELEGRAM, STRANGER)})
            == 2
        )


async def test_codes_are_single_use_end_in_ten_minutes_and_cannot_be_guessed(
    tmp_path: Path,
) -> None:
    clock = FakeClock()
    async with two_chats(tmp_path, clock) as ann:
        await lived(ann)
        first = await a_code(ann)
        code = await a_code(ann)
        assert "没有这个配对码" in await ann.told(LARK, f"/link {first}")
        clock.tick(minutes=10)
        assert "没有这个配对码" in await ann.told(LARK, f"/link {code}")
        assert "这不是配对码" in await ann.told(LARK, "/link 你好")
        for number in range(3):
            assert "没有这个配对码" in await ann.told(LARK, f"/link AAAA-AAA{number + 2}")
        code = await a_code(ann)
        assert "错了太多次" in await ann.told(LARK, f"/link {code}")
        clock.tick(hours=1)
        code = await a_code(ann)
        assert "安 (42)" in await ann.told(LARK, f"/link {code}")
        assert "这个码就是这里发出的" in await ann.told(TELEGRAM, f"/link {await a_code(ann)}")
        await ann.link(TELEGRAM, LARK)
        assert "没有这个配对码" in await ann.told(STRANGER, f"/link {code}")
        assert "已经共用" in await ann.told(LARK, f"/link {await a_code(ann)}")
    assert found_under(tmp_path, code) == []
    assert found_under(tmp_path, code.replace("-", "")) == []


async def test_a_code_outlives_a_restart_and_the_right_confirmation_is_needed(
    tmp_path: Path,
) -> None:
    clock = FakeClock()
    async with two_chats(tmp_path, clock) as ann:
        await lived(ann)
        code = await a_code(ann)
    async with two_chats(tmp_path, clock) as ann:
        await ann.told(LARK, f"/link {code}")
        assert "接成一份记忆吗" in await ann.told(LARK, "/link ok-00000000")
        await ann.presses(LARK)
    async with two_chats(tmp_path, clock) as ann:
        shown = await ann.told(TELEGRAM, "/link")
        assert "是你本人吗" in shown
        await ann.told(LARK, "/remember 我喜欢下雨")
        assert "有了变化" in await ann.presses(TELEGRAM)
        assert (await ann.presses(TELEGRAM)).startswith("接好了")
        assert "我喜欢下雨" in await ann.knows(TELEGRAM)


@pytest.mark.parametrize("command", ["/link", "/关联 AAAA-AAAA", "/unlink"])
async def test_in_a_group_nothing_is_linked(tmp_path: Path, command: str) -> None:
    async with two_chats(tmp_path, FakeClock()) as ann:
        told = await ann.told(TELEGRAM, command, private=False)

    assert "私聊" in told


async def test_two_accounts_of_one_platform_are_two_people(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock()) as ann:
        await lived(ann)
        code = await a_code(ann, LARK)
        assert "多半是两个人" in await ann.told(STRANGER, f"/link {code}")
        await ann.link(TELEGRAM, LARK)
        code = await a_code(ann)
        assert "多半是两个人" in await ann.told(STRANGER, f"/link {code}")
        assert (await ann.link(TERMINAL, TELEGRAM)).startswith("接好了")
        assert len(await ann.app.bindings.chats("tg-p-42")) == 3
        assert "要让哪一个分出去" in await ann.told(TELEGRAM, "/unlink")


@pytest.mark.parametrize("elder_has_it", [True, False])
async def test_secrets_are_sealed_anew_and_without_the_key_nothing_is_joined(
    tmp_path: Path, *, elder_has_it: bool
) -> None:
    data, key, clock = tmp_path / "data", tmp_path / "key", FakeClock()
    place = TELEGRAM if elder_has_it else LARK
    async with two_chats(data, clock, key=key) as ann:
        await lived(ann)
        await ann.says(place, f"记住我的银行卡密码是{SECRET}")
    if not elder_has_it:
        key.rename(tmp_path / "away")
        async with two_chats(data, clock) as ann:
            code = await a_code(ann)
            await ann.told(LARK, f"/link {code}")
            assert "MEMORY_KEY_FILE" in await ann.presses(LARK)
        (tmp_path / "away").rename(key)
    async with two_chats(data, clock, key=key) as ann:
        assert (await ann.link(TELEGRAM, LARK)).startswith("接好了")
        agent = await ann.agent(LARK)
        (sealed,) = (m for m in agent.state.memories.values() if m.sealed)
        plain = agent.unsealed(sealed.id)

    assert isinstance(plain, Memory)
    assert SECRET in plain.words.text
    assert found_under(data, SECRET) == []


@pytest.mark.parametrize("way", [0, 1])
async def test_parting_leaves_the_memory_with_the_elder_chat(tmp_path: Path, way: int) -> None:
    data, key, clock = tmp_path / "data", tmp_path / "key", FakeClock()
    async with two_chats(data, clock, key=key) as ann:
        await lived(ann)
        await ann.says(LARK, f"记住我的银行卡密码是{SECRET}")
        await ann.link(TELEGRAM, LARK)
        kept = state_digest(await ann.state(TELEGRAM))
        asked = await ann.told(LARK, "/解除关联")
        done = await ann.presses(LARK, way)
        told = ann.screens.finals(TELEGRAM)[-1]
        after = state_digest(await ann.state(TELEGRAM))
        alone = await ann.agent(LARK)
        sealed = [alone.unsealed(m.id) for m in alone.state.memories.values() if m.sealed]
        await ann.told(LARK, "/remember 我喜欢下雪")
        elsewhere = await ann.knows(TELEGRAM)
        again = await ann.told(LARK, "/unlink")

    assert "安" not in asked
    assert done.startswith("分开了")
    assert told.startswith("分开了")
    assert after == kept
    assert "我喜欢下雪" not in elsewhere
    assert "没有和别的聊天共用" in again
    assert len(sealed) == way
    assert all(isinstance(each, Memory) and SECRET in each.words.text for each in sealed)
    assert bool(alone.state.memories.get(2)) is bool(way)
    assert found_under(data, SECRET) == []


async def test_after_parting_with_a_copy_joining_again_doubles_nothing(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock()) as ann:
        await lived(ann)
        await ann.link(TELEGRAM, LARK)
        known = await ann.knows(TELEGRAM)
        count = len((await ann.state(TELEGRAM)).memories)
        await ann.told(TELEGRAM, "/unlink")
        await ann.presses(TELEGRAM, 1)
        assert await ann.knows(LARK) == known
        await ann.link(LARK, TELEGRAM)

        assert await ann.knows(TELEGRAM) == known
        assert len((await ann.state(TELEGRAM)).memories) == count


async def test_what_is_said_while_chats_are_joined_is_answered_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unite = Agents.unite

    async with two_chats(tmp_path, FakeClock()) as ann:

        async def unite_slowly(self: Agents, elder: str, younger: str, *, mark: str) -> None:
            for number in range(5):
                await ann.writes(LARK, f"记住第{number}件事情是喂猫")
                await ann.writes(TELEGRAM, f"记住第{number + 5}件事情是喂猫")
            await unite(self, elder, younger, mark=mark)

        monkeypatch.setattr(Agents, "unite", unite_slowly)
        await lived(ann)
        done = await ann.link(TELEGRAM, LARK)
        known = await ann.knows(TELEGRAM)

        assert "接好了" in done or any("接好了" in each for each in ann.screens.finals(TELEGRAM))
        assert all(any(f"第{number}件" in text for text in known) for number in range(10))
        assert await ann.agent(LARK) is await ann.agent(TELEGRAM)
        assert sum("记住了" in each for each in ann.screens.finals(LARK)) >= 1


async def test_both_sides_may_bring_each_others_code_at_once(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock()) as ann:
        await lived(ann)
        one, other = await a_code(ann), await a_code(ann, LARK)
        await ann.writes(TELEGRAM, f"/link {other}")
        await ann.writes(LARK, f"/link {one}")
        await ann.settled()
        for _ in ("as guests", "as hosts"):
            confirms = [(place, ann.button(place)) for place in (TELEGRAM, LARK)]
            await asyncio.gather(*(ann.writes(place, said) for place, said in confirms))
            await ann.settled()

        assert await ann.agent(LARK) is await ann.agent(TELEGRAM)
        assert {"我养了一只猫", "我对花生过敏"} <= await ann.knows(LARK)
    assert agent_ids(tmp_path) == ["tg-p-42"]
