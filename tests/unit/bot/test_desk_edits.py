"""Steering a memory by hand, and taking every step back exactly."""

from dataclasses import replace

import pytest

from bot.identity import AccessLevel
from memory.changes import Put, Turn
from memory.model import AgentSettings, Deleted, Language, Merged, Sensitivity, Tier
from memory.state import MemoryState
from memory.stores.codec import state_digest
from tests.builders import a_memory, a_message, a_stretch
from tests.fakes.desk import FakeOffice, commands, lines


def office(**settings: object) -> FakeOffice:
    return FakeOffice(settings=replace(AgentSettings(), **settings))  # type: ignore[arg-type]


def without_undo(state: MemoryState) -> str:
    """Return the digest of everything an undo promises to restore."""
    return state_digest(
        replace(state, undos=MemoryState().undos, agent_infos=MemoryState().agent_infos)
    )


def law(house: FakeOffice) -> str:
    return house.agent.settings.law


async def told(house: FakeOffice, *texts: str) -> None:
    for text in texts:
        await house.ask(f"/remember {text}")


async def test_what_is_added_is_kept_word_for_word_and_a_second_time_is_a_mention() -> None:
    async with office() as house:
        first = await house.says("/记住 我对花生过敏")
        second = await house.says("/memory add 我对花生过敏")

        (memory,) = house.state.memories.values()
        assert memory.words.text == "我对花生过敏"
        assert memory.origin.verified
        assert "#1" in first
        assert "#1" in second
        assert memory.trace.mention_count == 1


async def test_a_secret_is_not_written_down() -> None:
    async with office() as house:
        said = await house.says("/remember 我的银行卡密码是 834921")

        assert house.state.memories == MemoryState().memories
        assert "834921" not in said


async def test_a_correction_keeps_its_place_and_its_history() -> None:
    async with office() as house:
        await told(house, "我住在北京")
        await house.ask("/记忆 改 #1 我住在上海")
        shown = await house.says("/memory show #1")

        memory = house.state.memory(1)
        assert memory.words.text == "我住在上海"
        assert [hit.memory_id for hit in await house.agent.search("上海")] == [1]
        assert "我住在北京" in shown
        assert "本来" in await house.says("/memory edit #1 我住在上海")


STEPS = {
    "remember": "/remember 我喜欢徒步",
    "edit": "/memory edit #1 我对花生和芒果过敏",
    "pin": "/memory pin #1",
    "sensitivity": "/memory sensitivity #1 1",
    "reinforce": "/memory reinforce #1 success",
    "hide": "/memory forget #1",
    "merge": "/memory merge #2 #3",
    "pause": "/memory pause",
    "mode": "/memory mode debug",
}


@pytest.mark.parametrize("step", STEPS)
async def test_every_step_is_shown_first_and_then_taken_back_exactly(step: str) -> None:
    async with office() as house:
        await told(house, "我对花生过敏", "我每天喝咖啡", "我天天喝咖啡")
        before, settings = without_undo(house.state), house.agent.settings
        await house.ask(STEPS[step])
        changed = without_undo(house.state), house.agent.settings

        preview = await house.ask("/undo")
        assert (without_undo(house.state), house.agent.settings) == changed
        done = lines(await house.press(preview))

        assert changed != (before, settings)
        assert (without_undo(house.state), house.agent.settings) == (before, settings)
        assert "撤销了" in done


async def test_undo_goes_back_step_by_step() -> None:
    async with office() as house:
        before = without_undo(house.state)
        await told(house, "我对花生过敏")
        await house.ask("/memory pin #1")
        await house.ask("/memory forget #1")
        for _ in range(3):
            await house.press(await house.ask("/undo"))

        assert without_undo(house.state) == before
        assert "没有" in await house.says("/undo")


async def test_undo_asks_when_something_touched_the_records_since() -> None:
    async with office() as house:
        await told(house, "我对花生过敏")
        await house.ask("/memory pin #1")
        touched = replace(house.state.memory(1), words=replace(house.state.memory(1).words))
        touched = replace(touched, trace=replace(touched.trace, access_count=9))
        await house.agent.steer(lambda state, index: [Put(touched)])

        preview = await house.ask("/undo")

        assert "⚠" in lines(preview)
        assert "#1" in lines(preview)


async def test_a_confirmation_holds_only_for_exactly_what_was_shown() -> None:
    async with office() as house:
        await told(house, "我对花生过敏", "我喜欢猫")
        preview = await house.ask("/undo")
        await house.ask("/memory pin #1")
        again = await house.press(preview)

        assert house.state.memory(1).nature.pinned
        assert commands(again) != commands(preview)
        assert "再看一遍" in lines(again)


async def test_another_law_is_previewed_and_holds_only_when_confirmed() -> None:
    async with office() as house:
        await told(house, "我对花生过敏")
        preview = await house.ask("/memory law ebbinghaus")
        assert law(house) == "tiers"
        await house.press(preview)
        assert law(house) == "ebbinghaus"
        await house.press(await house.ask("/undo"))

        assert law(house) == "tiers"


async def test_reinforcing_shows_before_and_after() -> None:
    async with office(law="ebbinghaus") as house:
        await told(house, "我对花生过敏")
        house.clock.tick(hours=100)
        said = await house.says("/memory reinforce #1")

        assert "强度 55" in said
        assert "强度 100" in said


async def test_hiding_is_soft_and_restoring_brings_back() -> None:
    async with office() as house:
        await told(house, "我对花生过敏")
        await house.ask("/memory forget #1")
        assert isinstance(house.state.memory(1).standing, Deleted)
        assert "花生" in await house.says("/memory list deleted")
        await house.ask("/memory restore #1")

        assert house.state.memory(1).is_active


async def test_merging_keeps_the_originals_and_refuses_what_cannot_be_merged() -> None:
    async with office() as house:
        await told(house, "我每天喝咖啡", "我对花生过敏")
        refused = await house.says("/memory merge #1")
        await house.ask("/memory merge #1 #2 我每天喝咖啡，对花生过敏")

        assert "至少" in refused
        assert isinstance(house.state.memory(1).standing, Merged)
        assert house.state.memory(3).words.text == "我每天喝咖啡，对花生过敏"


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_what_is_not_there_is_said_in_the_language_of_the_agent(language: str) -> None:
    async with office(language=language) as house:
        said = await house.says("/memory pin #77")

        assert "#77" in said
        assert ("没有" in said) is (language == "zh")


async def test_in_a_group_only_the_owner_steers_and_nothing_private_exists() -> None:
    async with office() as house:
        secret = a_memory(1, "主人的体检报告")
        secret = replace(secret, nature=replace(secret.nature, sensitivity=Sensitivity.SENSITIVE))
        await house.agent.steer(lambda state, index: [Put(secret), Put(a_memory(2, "猫叫团子"))])
        allowed = AccessLevel.ALLOWED

        refused = await house.says("/memory forget #2", standing=allowed, private=False)
        listed = await house.says("/memory list debug", private=False)
        shown = await house.says("/memory show #1", private=False)
        found = await house.says("/memory search 体检报告", private=False)

        assert house.state.memory(2).is_active
        assert "主人" in refused
        assert "团子" in listed
        for said in (listed, shown, found):
            assert "体检" not in said.replace("“体检报告”", "")


async def test_in_a_group_the_owner_erases_and_undoes_without_showing_what_is_private() -> None:
    async with office() as house:
        report = a_memory(1, "团子的体检报告")
        report = replace(report, nature=replace(report.nature, sensitivity=Sensitivity.SENSITIVE))
        records = [report, a_memory(2, "猫叫团子"), a_memory(3, "喜欢徒步")]
        await house.agent.steer(lambda state, index: [Put(record) for record in records])
        await house.ask("/memory pin #1")

        undone = await house.says("/undo", private=False)
        preview = await house.ask("/forget 团子", private=False)
        command = commands(preview)[0]
        receipt = await house.says(command, private=False)

        assert "体检" not in undone + lines(preview) + receipt
        assert set(house.state.memories) == {3}


async def test_what_the_background_learnt_is_taken_back_exactly_too() -> None:
    async with office() as house:
        await told(house, "我对花生过敏")
        before = {name: getattr(house.state, name) for name in ("memories", "links")}
        said = a_message("m1", "我叫李明，我喜欢拉面")
        reply = a_message("m2", "你好", role="assistant")
        turn = Turn(id="t1", conversation="c", at=said.at, said=(said,), reply=reply)
        await house.agent.commit(turn)
        await house.agent.worker.wait_until_idle()
        learnt = len(house.state.memories)

        await house.press(await house.ask("/undo"))

        assert learnt > 1
        assert {name: getattr(house.state, name) for name in before} == before
        assert house.state.next_id > learnt


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_a_conversation_begins_anew_and_what_is_remembered_stays(language: Language) -> None:
    async with office(language=language) as house:
        house.conversation = "here"
        await told(house, "我对花生过敏")
        talk = a_stretch("早上好", "早", "今天去爬山", "真好")
        await house.agent.listen("here", talk)
        await house.agent.listen("there", a_stretch("在吗", first=9))
        before = {name: window.lines for name, window in house.state.windows.items()}

        answer = await house.ask("/reset")
        anew = house.agent.window("here")
        await house.agent.listen("here", a_stretch("我回来了", first=20))
        await house.press(await house.press(answer))

        assert "4" in lines(answer)
        assert "/forget" in lines(answer)
        assert not anew
        assert house.agent.window("there") == before["there"]
        assert house.agent.window("here") == (*before["here"], *a_stretch("我回来了", first=20))
        assert house.state.memory(1).is_active


async def test_what_was_said_before_a_new_beginning_becomes_a_memory() -> None:
    async with office() as house:
        house.conversation = "here"
        await house.agent.listen("here", a_stretch("我们去爬山吧", "好呀，去香山"))
        await house.ask("/重置")
        house.clock.tick(hours=7)
        await house.agent.worker.wait_until_idle()

        assert "没有正在聊" in await house.says("/重新开始")
        episodes = [m for m in house.state.memories.values() if m.nature.tier is Tier.EPISODE]
        assert "香山" in str(episodes)


async def test_there_is_nothing_to_begin_anew_outside_a_chat() -> None:
    async with office() as house:
        assert "聊天里" in await house.says("/reset")
