"""The background of one agent: nothing is lost, nothing is done twice, nothing is made up."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import pytest
import pytest_asyncio

from memory import refusals
from memory.agent import AgentMemory
from memory.changes import Put, Task, Turn
from memory.errors import StoreError, StoreUnwritable
from memory.jobs.steps import AgentParts
from memory.learning.outcomes import LEAST_JUDGED, Judging, LearntNotice, judging
from memory.lifecycle.undo import last_step, plan_undo
from memory.model import AgentSettings, Tier
from memory.offline import OfflineModel
from memory.ports import (
    Invalid,
    LanguageModel,
    MemoryStore,
    Outcome,
    Refused,
    Replied,
    Truncated,
    Unavailable,
)
from prompts import Monitor, Prompt
from tests.builders import a_memory, a_message, a_stretch
from tests.fakes.clock import FakeClock
from tests.fakes.in_memory_store import InMemoryStore
from tests.fakes.model import Answer, ScriptedModel


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


TALK = (
    "我叫陈远航，今年三十一岁",
    "我对花生过敏，记住这个",
    "我住在北京，养了一只猫，叫团子",
    "记住：下周三有面试",
    "我搬到上海了",
    "我不喜欢咖啡了",
    "今天天气不错",
    "我妹妹叫小雨",
    "我妹妹怕打雷",
)

OPAQUE = "拉面救过我的命"
"""Something about themselves that no rule reads."""


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
    await agent.background.wait_until_idle()

    assert facts(agent) == ["主人喜欢拉面"]
    assert agent.state.receipts["t1"].outcome == "learnt"
    assert not agent.state.turns
    await agent.close()


async def test_an_unreadable_answer_takes_nothing_away_and_is_parked_after_one_retry() -> None:
    model = ScriptedModel(["我觉得挺好的", Truncated("[ADD] 主人")])
    agent = await opened(InMemoryStore(), FakeClock(), model)

    await agent.commit(a_turn(1, f"我喜欢拉面。{OPAQUE}。"))
    await agent.background.wait_until_idle()

    assert facts(agent) == ["主人喜欢拉面"]
    assert agent.state.memory(1).origin.model == "offline"
    assert agent.state.receipts["t1"].learnt == ("ADD #1",)
    assert agent.state.turns["t1"].attempts == 2
    assert agent.state.receipts["t1"].outcome == "parked"
    await agent.close()


async def test_a_parked_turn_does_not_hold_up_the_next_one() -> None:
    model = ScriptedModel(["?", "?", "[ADD] 拉面救过主人的命"])
    agent = await opened(InMemoryStore(), FakeClock(), model)

    await agent.commit(a_turn(1, f"我喜欢拉面。{OPAQUE}。"))
    await agent.commit(replace(a_turn(2, OPAQUE), at=FakeClock().tick(hours=1)))
    await agent.background.wait_until_idle()

    assert facts(agent) == ["主人喜欢拉面", "拉面救过主人的命"]
    await agent.close()


async def test_a_parked_turn_is_asked_about_once_more_every_night() -> None:
    clock = FakeClock()
    model = ScriptedModel(["?", "?", "?", "[ADD] 拉面救过主人的命"])
    agent = await opened(InMemoryStore(), clock, model)
    await agent.commit(a_turn(1, OPAQUE))
    await agent.background.wait_until_idle()

    await agent.nightly()
    await agent.nightly()
    assert len(model.asked) == 3
    assert facts(agent) == []

    clock.tick(days=1)
    await agent.nightly()
    assert facts(agent) == ["拉面救过主人的命"]
    assert agent.state.receipts["t1"].outcome == "learnt"
    await agent.close()


async def test_turns_nobody_can_judge_do_not_pile_up() -> None:
    clock = FakeClock()
    agent = await opened(InMemoryStore(), clock, ScriptedModel(["?"] * 200))
    for number in range(12):
        await agent.commit(replace(a_turn(number, OPAQUE), at=clock.tick(days=1)))
        await agent.background.wait_until_idle()
        await agent.nightly()

    assert sorted(agent.state.turns) == sorted(f"t{number}" for number in range(4, 12))
    assert {receipt.outcome for receipt in agent.state.receipts.values()} == {"parked"}
    await agent.close()


async def test_a_model_that_is_away_leaves_the_turn_waiting_over_a_restart() -> None:
    store, clock = InMemoryStore(), FakeClock()
    agent = await opened(store, clock, ScriptedModel([Unavailable("timeout")]))
    await agent.commit(a_turn(1, OPAQUE))
    await agent.background.wait_until_idle()
    assert agent.background.model_is_unavailable
    assert "t1" in agent.state.turns
    await agent.close()

    again = await opened(store, clock, ScriptedModel(["[ADD] 拉面救过主人的命"]))
    await again.background.wait_until_idle()

    assert facts(again) == ["拉面救过主人的命"]
    await again.close()


Kept: TypeAlias = list[tuple[object, ...]]


async def kept_of(model: LanguageModel | None) -> Kept:
    """Live through the talk, and return what is remembered of it."""
    clock = FakeClock()
    agent = await opened(InMemoryStore(), clock, model)
    for number, said in enumerate(TALK, start=1):
        await agent.commit(replace(a_turn(number, said), at=clock.tick(hours=1)))
        await agent.background.wait_until_idle()
    memories = agent.state.memories.values()
    kept: Kept = [(m.words, m.nature, m.standing, m.lineage, m.origin) for m in memories]
    await agent.close()
    return kept


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def kept_by_rule() -> Kept:
    return await kept_of(None)


@pytest.mark.parametrize(
    "answers",
    [
        ["[SKIP]"] * 9,
        ["{json: true}"] * 18,
        ["[ADD] 〔主语〕喜欢〔某物〕\n[BOOST:m99]"] * 18,
        ["[ADD] 主人"] * 18,
        ["[ADD"] * 18,
        [Truncated("[DELETE:m1")] * 18,
        [Refused()] * 18,
        [Invalid("empty")] * 18,
        [Unavailable("timeout")],
        ["[DELETE:m1]\n[DELETE:m2]"] * 18,
    ],
)
async def test_a_model_that_is_no_help_leaves_what_the_rules_alone_would_keep(
    answers: list[Answer], kept_by_rule: Kept
) -> None:
    assert len(kept_by_rule) >= 6
    assert await kept_of(ScriptedModel(answers)) == kept_by_rule


async def test_what_a_model_adds_stands_beside_what_the_rules_kept() -> None:
    model = ScriptedModel(["[ADD] 主人喜欢拉面\n[ADD] 拉面救过主人的命\n[BOOST:m99]"])
    agent = await opened(InMemoryStore(), FakeClock(), model)

    await agent.commit(a_turn(1, f"我喜欢拉面。{OPAQUE}。"))
    await agent.background.wait_until_idle()

    assert facts(agent) == ["主人喜欢拉面", "拉面救过主人的命"]
    assert agent.state.receipts["t1"].learnt == ("ADD #1", "ADD #2")
    assert [agent.state.memory(n).origin.model for n in (1, 2)] == ["offline", "scripted"]
    assert agent.state.memory(1).trace.mention_count == 0
    (asked,) = model.asked
    assert isinstance(asked, Monitor)
    assert asked.fresh == ("m1",)
    assert asked.memories[0].text == "主人喜欢拉面"
    await agent.close()


async def test_what_the_rules_took_seriously_may_be_called_a_joke_and_be_taken_back() -> None:
    model = ScriptedModel(["是开玩笑。\n[UNSAID:m1 reason=joke]"])
    agent = await opened(InMemoryStore(), FakeClock(), model)
    await agent.commit(a_turn(1, "我住在北京"))
    await agent.background.wait_until_idle()
    await agent.commit(replace(a_turn(2, "我现在住在上海哈哈哈"), at=FakeClock().tick(hours=1)))
    await agent.background.wait_until_idle()

    assert facts(agent) == ["主人住在北京"]
    assert not agent.state.memory(1).is_past
    assert agent.state.receipts["t2"].learnt == ("UPDATE #1 #2", "UNSAID #2 joke")
    newest = max(agent.state.undos)
    back, _ = agent.state.apply(agent.state.undos[newest].inverse)
    assert back.memory(1).is_past
    assert back.memory(2).is_active
    await agent.close()


async def called_unmeant(*lines: str, reason: str = "joke") -> tuple[list[str], list[str]]:
    """Return what the rules keep of some turns, and what a judge leaves who calls each a jest."""
    kept: list[list[str]] = []
    for answer in ("[SKIP]", f"[UNSAID:m1 reason={reason}]"):
        model, clock = ScriptedModel([answer] * 2 * len(lines)), FakeClock()
        agent = await opened(InMemoryStore(), clock, model)
        for number, said in enumerate(lines, start=1):
            await agent.commit(replace(a_turn(number, said), at=clock.tick(minutes=2)))
            await agent.background.wait_until_idle()
        kept.append(facts(agent))
        await agent.close()
    return kept[0], kept[1]


@pytest.mark.parametrize("reason", ["joke", "role_play", "quotation"])
@pytest.mark.parametrize(
    "said",
    [
        "我其实怀孕了，八周，还没跟别人说",
        "我不吃香菜，吃了就吐，真的",
        "我妈住院了，做了心脏支架，周五出院",
        "我对象叫陆川，在海关上班，哈哈挺无聊的工作",
        "我搬到绍兴了，租在一个老小区三楼",
        "my mum had a stent put in, she gets out friday",
        "im pregnant, eight weeks, nobody knows yet",
        "i moved to Larne, renting a wee flat over a chippy",
        "I am allergic to penicillin lol, since always",
    ],
)
async def test_what_is_told_in_earnest_is_not_lost_to_a_judge_who_calls_it_a_jest(
    said: str, reason: str
) -> None:
    by_rule, judged = await called_unmeant(f"{said}。{OPAQUE}" if "，" in said else said)

    assert by_rule
    assert judged == by_rule


async def test_a_model_is_asked_once_more_and_told_what_was_wrong() -> None:
    model = ScriptedModel(["[BOOST:m7]\n[ADD] 主人住在海边", "[ADD] 拉面救过主人的命"])
    agent = await opened(InMemoryStore(), FakeClock(), model)

    await agent.commit(a_turn(1, OPAQUE))
    await agent.background.wait_until_idle()

    first, second = (prompt.messages() for prompt in model.asked)
    assert second[:-1] == first[:-1]
    assert second[-1].content.startswith(first[-1].content.rstrip())
    assert "m7" in second[-1].content
    assert "m7" not in first[-1].content
    assert facts(agent) == ["拉面救过主人的命"]
    await agent.close()


@pytest.mark.parametrize("second", ["[SKIP]", "?", "[ADD] 主人是物理学教授"])
async def test_who_is_told_what_was_wrong_and_says_less_is_taken_at_the_first_word(
    second: str,
) -> None:
    model = ScriptedModel(["[ADD] 主人是退休的物理老师", second])
    agent = await opened(InMemoryStore(), FakeClock(), model)

    await agent.commit(a_turn(1, "退休教师一枚 教了一辈子物理"))
    await agent.background.wait_until_idle()

    assert len(model.asked) == 2
    assert facts(agent) == ["退休教师一枚 教了一辈子物理"]
    assert not agent.state.turns
    await agent.close()


async def asked_about(lines: Sequence[str], answer: str) -> tuple[int, list[str]]:
    """Return how often a model was asked about some turns, and what is known after them."""
    model, clock = ScriptedModel([answer] * (2 * len(lines))), FakeClock()
    agent = await opened(InMemoryStore(), clock, model)
    for number, said in enumerate(lines, start=1):
        await agent.commit(replace(a_turn(number, said), at=clock.tick(hours=1)))
        await agent.background.wait_until_idle()
    assert not agent.state.turns or answer == "?"
    known = facts(agent)
    await agent.close()
    return len(model.asked), known


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("你猜我今天吃了什么？", 0),
        ("在吗？", 0),
        ("谢谢你", 0),
        ("推荐一家川菜馆吧", 0),
        ("Please translate this into French.", 0),
        ("我对花生过敏，记住这个", 1),
        ("I am allergic to peanuts, please remember that.", 1),
        ("I am deaf in my left ear.", 1),
        ("I gave up smoking three years ago.", 1),
    ],
)
async def test_nobody_is_asked_about_what_the_rules_leave_nothing_of(said: str, kept: int) -> None:
    times, known = await asked_about([said], "[SKIP]")

    assert (times, len(known)) == (0, kept)


@pytest.mark.parametrize(
    "said",
    [
        OPAQUE,
        f"我喜欢拉面。{OPAQUE}。",
        "我们来演戏吧。我住在北京",
        "我家的门牌是 4471 号",
        f"帮我看看，{OPAQUE}",
    ],
)
async def test_a_model_is_asked_where_it_may_know_more_than_the_rules(said: str) -> None:
    times, _ = await asked_about([said], "[SKIP]")

    assert times == 1


@pytest.mark.parametrize("answer", ["[BOOST:m7]", "?", "[ADD] 〔主语〕喜欢〔某物〕"])
async def test_no_model_is_asked_more_than_thirteen_times_in_ten_turns(answer: str) -> None:
    """Whatever it answers, and with the cutting of what left the window."""
    times, known = await asked_about([OPAQUE] * 40, answer)

    assert 40 < times <= 40 * 1.3 + 1
    assert known == []


async def test_an_update_of_the_memory_of_the_example_is_read_as_new_where_it_was_said() -> None:
    """What a small model answered: form and handle of the example, words of the partner."""
    answer = (
        "Reasons: the husband teaches history, so the old note changes; the answer is correct.\n"
        "[UPDATE:m91 kind=fact topic=personal] The partner's husband met the mayor at a wedding"
        "\n[UPDATE:m92] The partner's husband teaches the harp\n[SKIP]"
    )
    times, known = await asked_about(["My husband met the mayor at a wedding."], answer)

    assert times == 1
    assert known == ["The partner's husband met the mayor at a wedding"]


async def test_nothing_but_refused_lines_twice_is_nothing_new() -> None:
    model = ScriptedModel(["[BOOST:m7]", "[BOOST:m7]"])
    agent = await opened(InMemoryStore(), FakeClock(), model)

    await agent.commit(a_turn(1, OPAQUE))
    await agent.background.wait_until_idle()

    assert facts(agent) == []
    assert agent.state.receipts["t1"].outcome == "nothing"
    assert not agent.state.turns
    await agent.close()


class ConstantModel(ScriptedModel):
    """Judges every turn alike, and cuts nothing."""

    def __init__(self, answer: str) -> None:
        super().__init__()
        self.answer = answer

    async def complete(self, prompt: Prompt) -> Outcome:
        if isinstance(prompt, Monitor):
            return Replied(self.answer, model=self.name)
        return Unavailable("timeout")


async def test_a_model_that_is_refused_more_often_than_not_is_told_of_once() -> None:
    heard: list[LearntNotice] = []
    model = ConstantModel("[BOOST:m7]")
    agent = await AgentMemory.open(
        InMemoryStore(),
        AgentParts(clock=FakeClock(), model=model, on_learnt=heard.append),
        choose_settings=lambda known: known or AgentSettings(),
    )

    async def talk(turns: range) -> list[Judging]:
        heard.clear()
        for number in turns:
            await agent.commit(a_turn(number, OPAQUE))
            await agent.background.wait_until_idle()
        return [each.doubted for each in heard if each.doubted]

    assert await talk(range(1, LEAST_JUDGED)) == []
    assert await talk(range(LEAST_JUDGED, 13)) == [Judging(0, LEAST_JUDGED, 0)]
    # Once it has gone well again, a new spell of refusals is worth a word.
    model.answer = "[SKIP]"
    assert await talk(range(13, 53)) == []
    assert not agent.state.agent_info.model_doubted
    model.answer = "[BOOST:m7]"
    assert await talk(range(53, 83)) == [Judging(24, 26, 0)]
    await agent.close()


async def test_in_a_group_nobody_is_told_of_a_model() -> None:
    model = ConstantModel("[BOOST:m7]")
    agent = await opened(InMemoryStore(), FakeClock(), model)

    for number in range(1, 13):
        await agent.commit(replace(a_turn(number, OPAQUE), private=False))
        await agent.background.wait_until_idle()

    assert judging(agent.state) == Judging(0, 12, 0)
    assert not agent.state.agent_info.model_doubted
    await agent.close()


async def test_what_was_said_is_cut_by_rule_while_the_model_is_away() -> None:
    agent = await opened(InMemoryStore(), FakeClock(), ScriptedModel([Unavailable("timeout")] * 2))

    agent.background.enqueue(
        a_stretch("我今天去面试了", "加油", "有点紧张", "没事的"), explicit=False
    )
    await agent.background.wait_until_idle()

    (best, *_) = await agent.search("面试")
    assert best.source_ids == ("1",)
    assert not agent.state.tasks
    await agent.close()


async def test_the_same_message_is_remembered_once() -> None:
    agent = await opened(InMemoryStore(), FakeClock())
    said = a_stretch("我家的猫叫团子", "好可爱")

    agent.background.enqueue([*said, *said], explicit=False)
    agent.background.enqueue(said, explicit=False)
    await agent.background.wait_until_idle()
    agent.background.enqueue(said, explicit=True)
    await agent.background.wait_until_idle()

    verbatim = [
        passage.source_ids
        for memory in agent.state.memories.values()
        for passage in memory.passages
        if passage.verbatim
    ]
    assert sorted(verbatim) == [("1",), ("2",)]
    await agent.close()


async def test_a_stretch_of_which_every_word_is_gone_is_no_work_any_more() -> None:
    agent = await opened(InMemoryStore(), FakeClock())
    task = Task(id="t", kind="segment", at=FakeClock().now(), lines=("erased",))

    await agent._writer.write_in_turn(lambda _: (Put(task),))
    agent.background.notify()
    await agent.background.wait_until_idle()

    assert not agent.state.tasks
    assert not agent.state.memories
    await agent.close()


async def test_explicit_messages_become_one_firm_fact_each() -> None:
    agent = await opened(InMemoryStore(), FakeClock())

    agent.background.enqueue(
        [a_message("1", "我对花生过敏"), a_message("2", "My sister is called Ann")], explicit=True
    )
    await agent.background.wait_until_idle()

    memories = [m for m in agent.state.memories.values() if m.nature.tier is Tier.FACT]
    assert [m.words.text for m in memories] == ["我对花生过敏", "My sister is called Ann"]
    assert {(m.trace.importance, m.origin.verified) for m in memories} == {(1.5, True)}
    await agent.close()


async def test_what_was_given_and_not_begun_is_durable_after_close() -> None:
    store, clock = InMemoryStore(), FakeClock()
    agent = await opened(store, clock)
    agent.background.enqueue(a_stretch("我家的猫叫团子", "好可爱"), explicit=False)
    await agent.close()

    again = await opened(store, clock)
    await again.background.wait_until_idle()

    assert (await again.search("团子"))[0].source_ids in {("1",), ("2",)}
    await again.close()


class FullDisk(InMemoryStore):
    """A store that refuses to write while ``full``."""

    full = False

    async def append(self, changes, state) -> None:  # type: ignore[no-untyped-def]
        if self.full:
            raise StoreUnwritable(refusals.DISK_REFUSES)
        await super().append(changes, state)


async def test_a_full_disk_is_told_and_loses_nothing() -> None:
    store = FullDisk()
    agent = await opened(store, FakeClock())
    store.full = True
    agent.background.enqueue(a_stretch("我家的猫叫团子", "好可爱"), explicit=False)

    with pytest.raises(StoreUnwritable):
        await agent.background.wait_until_idle()
    assert not agent.state.memories
    store.full = False
    await agent.background.wait_until_idle()

    assert await agent.search("团子")
    await agent.close()


async def test_committing_a_turn_twice_changes_nothing_the_second_time() -> None:
    agent = await opened(InMemoryStore(), FakeClock())
    await agent.commit(a_turn(1, "记住：我对花生过敏"))
    await agent.background.wait_until_idle()
    once = agent.state

    await agent.commit(a_turn(1, "记住：我对花生过敏"))
    await agent.background.wait_until_idle()

    assert agent.state is once
    assert facts(agent) == ["我对花生过敏"]
    await agent.close()


async def test_the_window_is_cut_to_thirty_messages_and_the_tail_becomes_episodes() -> None:
    agent = await opened(InMemoryStore(), FakeClock())

    for number in range(1, 34):
        await agent.commit(a_turn(number, f"第{number}件事", f"好，第{number}件"))
    await agent.background.wait_until_idle()

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
    await agent.background.wait_until_idle()

    assert not model.asked
    assert facts(agent) == []
    assert len(agent.window("c")) == 2
    await agent.close()


async def test_a_disk_that_refuses_a_pause_does_not_end_the_background() -> None:
    store = FullDisk()
    agent = await opened(store, FakeClock())
    agent.background.enqueue(a_stretch("我家的猫叫团子", "好可爱"), explicit=False)
    store.full = True
    with pytest.raises(StoreUnwritable):
        async with agent.background.paused():
            pytest.fail("what was queued is not durable yet")

    store.full = False
    await agent.background.wait_until_idle()

    assert len(agent.state.remembered_ids) == 2
    await agent.close()


async def test_whoever_is_cancelled_in_a_pause_leaves_the_background_at_work() -> None:
    agent = await opened(InMemoryStore(), FakeClock())

    async def pause() -> None:
        async with agent.background.paused():
            pytest.fail("it was cancelled before the pause began")

    pausing = asyncio.create_task(pause())
    await asyncio.sleep(0)
    pausing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await pausing
    agent.background.enqueue(a_stretch("我家的猫叫团子", "好可爱"), explicit=False)
    await agent.background.wait_until_idle()

    assert len(agent.state.remembered_ids) == 2
    await agent.close()


async def test_a_disk_that_refuses_at_the_end_does_not_keep_the_folder() -> None:
    store = FullDisk()
    agent = await opened(store, FakeClock())
    agent.background.enqueue(a_stretch("我家的猫叫团子", "好可爱"), explicit=False)
    store.full = True
    with pytest.raises(StoreUnwritable):
        await agent.close()

    with pytest.raises(StoreError, match="not open"):
        await store.fold()


async def test_whoever_waits_for_a_background_that_was_stopped_is_told_so() -> None:
    agent = await opened(InMemoryStore(), FakeClock())
    await agent.close()

    with pytest.raises(StoreError, match="stopped"):
        await agent.background.wait_until_idle()


async def test_opening_a_folder_that_cannot_be_written_leaves_it_free(tmp_path: Path) -> None:
    store = FullDisk()
    store.full = True
    with pytest.raises(StoreUnwritable):
        await opened(store, FakeClock())
    store.full = False

    agent = await opened(store, FakeClock())
    await agent.close()


LASTING, CHATTER = "主人对虾过敏", "桥头的修车铺亮着灯"


async def with_faded_facts(agent: AgentMemory) -> None:
    """Let the agent know two facts that nobody used for a month."""
    faded = [a_memory(1, LASTING), a_memory(2, CHATTER)]
    await agent.steer(lambda state, _: tuple(map(Put, faded)))


def past_reviews(agent: AgentMemory) -> dict[int, tuple[str, str, str]]:
    return {
        key: (one.decision, one.by, one.reason)
        for key, known in agent.state.corrections.items()
        for one in known.reviews[-1:]
    }


async def test_without_a_model_the_rules_review_and_one_undo_takes_it_back() -> None:
    clock = FakeClock()
    agent = await opened(InMemoryStore(), clock)
    await with_faded_facts(agent)
    clock.tick(days=40)

    await agent.nightly()

    assert facts(agent) == [LASTING]
    assert not agent.state.reviews
    assert past_reviews(agent) == {
        1: ("keep", "offline", "health"),
        2: ("delete", "offline", "unneeded"),
    }

    step = last_step(agent.state)
    assert step is not None
    await agent.steer(lambda state, _: plan_undo(state, step))
    assert facts(agent) == [LASTING, CHATTER]

    clock.tick(days=1)
    await agent.nightly()
    assert facts(agent) == [LASTING, CHATTER], "what the partner took back is not decided again"
    assert past_reviews(agent)[2] == ("keep", "offline", "confirmed")
    await agent.close()


async def test_a_model_that_is_away_is_waited_for_three_nights_and_then_the_rules_answer() -> None:
    clock = FakeClock()
    model = ScriptedModel([Unavailable("timeout")] * 20)
    agent = await opened(InMemoryStore(), clock, model)
    await with_faded_facts(agent)
    clock.tick(days=40)

    for _ in range(4):
        await agent.nightly()
        assert sorted(agent.state.reviews) == [1, 2]
        clock.tick(days=1)
    await agent.nightly()

    assert facts(agent) == [LASTING]
    assert past_reviews(agent)[1] == ("keep", "offline", "health")
    await agent.close()


async def test_a_model_s_verdict_stands_in_the_history_under_its_name() -> None:
    clock = FakeClock()
    agent = await opened(InMemoryStore(), clock, ScriptedModel(["它还有用。\n[KEEP]"] * 2))
    await with_faded_facts(agent)
    clock.tick(days=40)

    await agent.nightly()

    assert past_reviews(agent) == dict.fromkeys((1, 2), ("keep", "scripted", ""))
    await agent.close()


class BreaksOn(OfflineModel):
    """Rules that raise at one word."""

    async def complete(self, prompt: Prompt) -> Replied:
        if isinstance(prompt, Monitor) and any("毒" in line.text for line in prompt.turn):
            raise OverflowError("a private word")
        return await super().complete(prompt)


async def test_a_line_that_breaks_the_rules_keeps_no_other_from_being_learnt(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    store, clock = InMemoryStore(), FakeClock()
    monkeypatch.setattr("memory.jobs.turns.OfflineModel", BreaksOn)
    agent = await opened(store, clock)
    for number, said in enumerate(("我的毒药在哪", "我叫陈远航"), start=1):
        await agent.commit(a_turn(number, said))
        await agent.background.wait_until_idle()
    assert [each.words.text for each in agent.state.memories.values()] == ["主人叫陈远航"]
    assert "OverflowError" in caplog.text
    assert "private" not in caplog.text
    await agent.close()

    # The next start, with rules that read it, learns what was left.
    monkeypatch.undo()
    agent = await opened(store, clock)
    await agent.background.wait_until_idle()
    assert not agent.state.turns
    await agent.close()
