"""The background of one agent: nothing is lost, nothing is done twice, nothing is made up."""

from dataclasses import replace
from pathlib import Path

import pytest

from memory.agent import AgentMemory
from memory.changes import Turn
from memory.errors import StoreUnwritable
from memory.jobs.parts import AgentParts
from memory.model import AgentSettings, Tier
from memory.ports import LanguageModel, MemoryStore, Truncated, Unavailable
from tests.builders import a_message, a_stretch
from tests.fakes.clock import FakeClock
from tests.fakes.in_memory_store import InMemoryStore
from tests.fakes.model import ScriptedModel


async def opened(
    store: MemoryStore, clock: FakeClock, model: LanguageModel | None = None
) -> AgentMemory:
    return await AgentMemory.open(
        store,
        AgentParts(clock=clock, model=model),
        choose_settings=lambda known: known or AgentSettings(),
    )


def a_turn(number: int, said: str, reply: str = "嗯嗯") -> Turn:
    first, second = a_stretch(said, reply, first=10 * number)
    return Turn(id=f"t{number}", conversation="c", at=first.at, said=(first,), reply=second)


def facts(agent: AgentMemory) -> list[str]:
    return [
        memory.words.text
        for memory in agent.state.memories.values()
        if memory.nature.tier is Tier.FACT and memory.is_active
    ]


async def test_a_turn_is_judged_and_its_receipt_says_what_was_learnt() -> None:
    model = ScriptedModel(["她说了喜欢什么。\n[ADD kind=lasting_preference] 主人喜欢拉面"])
    agent = await opened(InMemoryStore(), FakeClock(), model)

    await agent.commit(a_turn(1, "我喜欢拉面"))
    await agent.worker.wait_until_idle()

    assert facts(agent) == ["主人喜欢拉面"]
    assert agent.state.receipts["t1"].outcome == "learnt"
    assert not agent.state.turns
    await agent.close()


async def test_an_unreadable_answer_changes_nothing_and_is_parked_after_three_attempts() -> None:
    model = ScriptedModel(["我觉得挺好的", "[ADD", Truncated("[ADD] 主人")])
    agent = await opened(InMemoryStore(), FakeClock(), model)

    await agent.commit(a_turn(1, "我喜欢拉面"))
    await agent.worker.wait_until_idle()

    assert facts(agent) == []
    assert agent.state.turns["t1"].attempts == 3
    assert agent.state.receipts["t1"].outcome == "parked"
    await agent.close()


async def test_a_parked_turn_does_not_hold_up_the_next_one() -> None:
    model = ScriptedModel(["?", "?", "?", "[ADD] 主人喜欢猫"])
    agent = await opened(InMemoryStore(), FakeClock(), model)

    await agent.commit(a_turn(1, "我喜欢拉面"))
    await agent.commit(replace(a_turn(2, "我喜欢猫"), at=FakeClock().tick(hours=1)))
    await agent.worker.wait_until_idle()

    assert facts(agent) == ["主人喜欢猫"]
    await agent.close()


async def test_a_parked_turn_is_asked_about_once_more_every_night() -> None:
    clock = FakeClock()
    model = ScriptedModel(["?", "?", "?", "?", "[ADD] 主人喜欢拉面"])
    agent = await opened(InMemoryStore(), clock, model)
    await agent.commit(a_turn(1, "我喜欢拉面"))
    await agent.worker.wait_until_idle()

    await agent.nightly()
    await agent.nightly()
    assert len(model.asked) == 4
    assert facts(agent) == []

    clock.tick(days=1)
    await agent.nightly()
    assert facts(agent) == ["主人喜欢拉面"]
    assert agent.state.receipts["t1"].outcome == "learnt"
    await agent.close()


async def test_turns_nobody_can_judge_do_not_pile_up() -> None:
    clock = FakeClock()
    agent = await opened(InMemoryStore(), clock, ScriptedModel(["?"] * 200))
    for number in range(12):
        await agent.commit(replace(a_turn(number, "我喜欢拉面"), at=clock.tick(days=1)))
        await agent.worker.wait_until_idle()
        await agent.nightly()

    assert sorted(agent.state.turns) == sorted(f"t{number}" for number in range(4, 12))
    assert {receipt.outcome for receipt in agent.state.receipts.values()} == {"parked"}
    await agent.close()


async def test_a_model_that_is_away_leaves_the_turn_waiting_over_a_restart() -> None:
    store, clock = InMemoryStore(), FakeClock()
    agent = await opened(store, clock, ScriptedModel([Unavailable("timeout")]))
    await agent.commit(a_turn(1, "我喜欢拉面"))
    await agent.worker.wait_until_idle()
    assert agent.worker.model_is_unavailable
    assert "t1" in agent.state.turns
    await agent.close()

    again = await opened(store, clock, ScriptedModel(["[ADD] 主人喜欢拉面"]))
    await again.worker.wait_until_idle()

    assert facts(again) == ["主人喜欢拉面"]
    await again.close()


async def test_what_was_said_is_cut_by_rule_while_the_model_is_away() -> None:
    agent = await opened(InMemoryStore(), FakeClock(), ScriptedModel([Unavailable("timeout")] * 2))

    agent.worker.enqueue(a_stretch("我今天去面试了", "加油", "有点紧张", "没事的"), explicit=False)
    await agent.worker.wait_until_idle()

    (best, *_) = await agent.search("面试")
    assert best.source_ids == ("1",)
    assert not agent.state.tasks
    await agent.close()


async def test_the_same_message_is_remembered_once() -> None:
    agent = await opened(InMemoryStore(), FakeClock())
    said = a_stretch("我家的猫叫团子", "好可爱")

    agent.worker.enqueue([*said, *said], explicit=False)
    agent.worker.enqueue(said, explicit=False)
    await agent.worker.wait_until_idle()
    agent.worker.enqueue(said, explicit=True)
    await agent.worker.wait_until_idle()

    verbatim = [
        passage.source_ids
        for memory in agent.state.memories.values()
        for passage in memory.passages
        if passage.verbatim
    ]
    assert sorted(verbatim) == [("1",), ("2",)]
    await agent.close()


async def test_explicit_messages_become_one_firm_fact_each() -> None:
    agent = await opened(InMemoryStore(), FakeClock())

    agent.worker.enqueue(
        [a_message("1", "我对花生过敏"), a_message("2", "My sister is called Ann")], explicit=True
    )
    await agent.worker.wait_until_idle()

    memories = [m for m in agent.state.memories.values() if m.nature.tier is Tier.FACT]
    assert [m.words.text for m in memories] == ["我对花生过敏", "My sister is called Ann"]
    assert {(m.trace.importance, m.origin.verified) for m in memories} == {(1.5, True)}
    await agent.close()


async def test_what_was_given_and_not_begun_is_durable_after_close() -> None:
    store, clock = InMemoryStore(), FakeClock()
    agent = await opened(store, clock)
    agent.worker.enqueue(a_stretch("我家的猫叫团子", "好可爱"), explicit=False)
    await agent.close()

    again = await opened(store, clock)
    await again.worker.wait_until_idle()

    assert (await again.search("团子"))[0].source_ids in {("1",), ("2",)}
    await again.close()


class FullDisk(InMemoryStore):
    """A store that refuses to write while ``full``."""

    full = False

    async def append(self, changes, state) -> None:  # type: ignore[no-untyped-def]
        if self.full:
            raise StoreUnwritable("the disk is full")
        await super().append(changes, state)


async def test_a_full_disk_is_told_and_loses_nothing() -> None:
    store = FullDisk()
    agent = await opened(store, FakeClock())
    store.full = True
    agent.worker.enqueue(a_stretch("我家的猫叫团子", "好可爱"), explicit=False)

    with pytest.raises(StoreUnwritable):
        await agent.worker.wait_until_idle()
    assert not agent.state.memories
    store.full = False
    await agent.worker.wait_until_idle()

    assert await agent.search("团子")
    await agent.close()


async def test_committing_a_turn_twice_changes_nothing_the_second_time() -> None:
    agent = await opened(InMemoryStore(), FakeClock())
    await agent.commit(a_turn(1, "记住：我对花生过敏"))
    await agent.worker.wait_until_idle()
    once = agent.state

    await agent.commit(a_turn(1, "记住：我对花生过敏"))
    await agent.worker.wait_until_idle()

    assert agent.state is once
    assert facts(agent) == ["我对花生过敏"]
    await agent.close()


async def test_the_window_keeps_thirty_messages_and_the_tail_becomes_episodes() -> None:
    agent = await opened(InMemoryStore(), FakeClock())

    for number in range(1, 32):
        await agent.commit(a_turn(number, f"第{number}件事", f"好，第{number}件"))
    await agent.worker.wait_until_idle()

    window = agent.state.windows["c"]
    assert len(window.lines) == 30
    assert len(window.tail) < 30
    assert any(m.nature.tier is Tier.EPISODE for m in agent.state.memories.values())
    await agent.close()


async def test_paused_learning_keeps_the_talk_and_judges_nothing() -> None:
    model = ScriptedModel()
    agent = await AgentMemory.open(
        InMemoryStore(),
        AgentParts(clock=FakeClock(), model=model),
        choose_settings=lambda known: AgentSettings(learning=False),
    )

    await agent.commit(a_turn(1, "记住：我喜欢拉面"))
    await agent.worker.wait_until_idle()

    assert not model.asked
    assert facts(agent) == []
    assert len(agent.window("c")) == 2
    await agent.close()


async def test_opening_a_folder_that_cannot_be_written_leaves_it_free(tmp_path: Path) -> None:
    store = FullDisk()
    store.full = True
    with pytest.raises(StoreUnwritable):
        await opened(store, FakeClock())
    store.full = False

    agent = await opened(store, FakeClock())
    await agent.close()
