"""Slices of the law ``network`` in a whole agent (source document 002 §11.2)."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from random import Random

from memory.agent import AgentMemory
from memory.changes import Change, Put
from memory.jobs.steps import AgentParts
from memory.lifecycle.partner_steps import plan_hide
from memory.model import AgentSettings, Memory, Message, Tier
from memory.ports import LanguageModel, MemoryStore
from memory.state import MemoryState
from memory.writer import Fairness
from tests.builders import a_stretch
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.in_memory_store import InMemoryStore
from tests.fakes.model import ScriptedModel
from tests.fakes.waiting import unless_it_hangs, until

NETWORK = AgentSettings(law="network")


async def opened(
    store: MemoryStore,
    settings: AgentSettings = NETWORK,
    model: LanguageModel | None = None,
    fairness: Fairness | None = None,
) -> AgentMemory:
    return await AgentMemory.open(
        store,
        AgentParts(
            clock=FakeClock(), model=model, fairness=fairness or Fairness(), random=Random(1)
        ),
        choose_settings=lambda _: settings,
    )


async def sliced(agent: AgentMemory) -> None:
    await until(lambda: not (agent.state.agent_info.slice_due))


def talk(number: int, *texts: str) -> list[Message]:
    start = NOON + timedelta(days=3 * number)
    return a_stretch(*texts, start=start, first=100 * number + 1)


async def remembered(agent: AgentMemory, number: int, *texts: str) -> None:
    agent.background.enqueue(talk(number, *texts), explicit=False)
    await agent.background.wait_until_idle()
    await sliced(agent)


def episodes(state: MemoryState) -> list[Memory]:
    found = [m for m in state.memories.values() if m.nature.tier is Tier.EPISODE]
    return sorted(found, key=lambda memory: memory.id)


async def test_a_slice_passes_over_what_is_new_and_wears_what_is_older() -> None:
    agent = await opened(InMemoryStore())

    await remembered(agent, 1, "我今天去海边看了日出", "真好")
    first = episodes(agent.state)[0]
    await remembered(agent, 2, "我在学做红烧肉", "好香")

    assert first.trace.scan_count == 0
    assert agent.state.memory(first.id).trace.scan_count == 1
    assert [e.trace.scan_count for e in episodes(agent.state)[1:]] == [0]
    await agent.close()


async def test_other_laws_have_no_slices() -> None:
    agent = await opened(InMemoryStore(), AgentSettings(law="tiers"))

    await remembered(agent, 1, "我今天去海边看了日出", "真好")
    await remembered(agent, 2, "我在学做红烧肉", "好香")

    assert {e.trace.scan_count for e in episodes(agent.state)} == {0}
    await agent.close()


async def test_what_is_hardly_linked_shrinks_and_its_former_text_is_kept() -> None:
    store = InMemoryStore()
    answers = [
        "[SEGMENT:1-2 phrase=海边 keywords=海边,日出] 主人一早坐了两个小时的车去海边看日出，值得",
        "[SEGMENT:1-2 phrase=红烧肉 keywords=红烧肉] 主人在学做红烧肉",
        "[TEXT] 主人去海边看日出\n[PHRASE] 海边\n[KEYWORDS] 海边,日出",
    ]
    agent = await opened(store, model=ScriptedModel(answers))

    await remembered(agent, 1, "我去海边看了日出", "真好")
    whole = episodes(agent.state)[0]
    await remembered(agent, 2, "我在学做红烧肉", "好香")
    shorter = agent.state.memory(whole.id)

    assert len(shorter.words.text) < len(whole.words.text)
    assert agent.state.previous_texts[whole.id].words == whole.words
    assert not any(passage.verbatim for passage in shorter.passages)
    assert shorter.trace.created_at == whole.trace.created_at
    await agent.close()


async def test_fifteen_retries_and_the_text_stays_as_it_is() -> None:
    model = ScriptedModel(
        [
            "[SEGMENT:1-2 phrase=海边 keywords=海边] 主人一大早去海边看日出，等了很久，很值得",
            "[SEGMENT:1-2 phrase=红烧肉 keywords=红烧肉] 主人在学做红烧肉",
            *["我不会压缩"] * 16,
        ]
    )
    agent = await opened(InMemoryStore(), model=model)

    await remembered(agent, 1, "我去海边看了日出", "真好")
    whole = episodes(agent.state)[0]
    await remembered(agent, 2, "我在学做红烧肉", "好香")

    assert agent.state.memory(whole.id).words == whole.words
    assert agent.state.memory(whole.id).trace.scan_count == 1
    assert model.answers == []
    await agent.close()


async def test_a_slice_that_ran_out_of_time_goes_on_by_itself() -> None:
    store = Slow()
    agent = await opened(store, AgentSettings(law="tiers"))
    for number in range(1, 9):
        await remembered(agent, number, f"第{number}天我去了{chr(0x4E00 + 99 * number)}山", "嗯")
    await agent.close()
    hasty = AgentSettings(law="network", parameters=(("network.time_slice", 12),))
    agent = await opened(store, hasty)

    agent.background.enqueue(talk(20, "今天在家休息", "好"), explicit=False)
    await until(lambda: agent.state.agent_info.slice_left > 0)
    first = [e.trace.scan_count for e in episodes(agent.state)[:8]]
    await sliced(agent)
    later = [e.trace.scan_count for e in episodes(agent.state)[:8]]

    assert 0 < sum(first) < 8
    assert later == [1] * 8
    assert agent.state.agent_info.slice_left == 0
    await agent.close()


async def test_what_is_left_of_a_slice_goes_on_after_a_restart() -> None:
    store = StopsAfter()
    agent = await opened(store, AgentSettings(law="tiers"))
    for number in range(1, 9):
        await remembered(agent, number, f"第{number}天我去了{chr(0x4E00 + 99 * number)}山", "嗯")
    waiting = replace(agent.state.agent_info, slice_due=True, slice_left=3, made_before=99)
    await agent.steer(lambda state, _: (Put(waiting),))
    await agent.close()

    again = await opened(store)
    again.background.notify()
    await sliced(again)

    assert sum(e.trace.scan_count for e in episodes(again.state)) == 3
    await again.close()


class Slow(InMemoryStore):
    """A store that takes five milliseconds to keep something."""

    async def append(self, changes: Sequence[Change], state: MemoryState) -> None:
        await asyncio.sleep(0.005)
        await super().append(changes, state)


class StopsAfter(InMemoryStore):
    """A store after which the program is gone once ``left`` commits were made."""

    left = 10**9

    async def append(self, changes: Sequence[Change], state: MemoryState) -> None:
        if self.left == 0:
            await asyncio.Event().wait()
        self.left -= 1
        await super().append(changes, state)


async def test_a_stop_in_the_middle_leaves_every_node_before_or_after() -> None:
    store = StopsAfter()
    agent = await opened(store, AgentSettings(law="tiers"))
    for number in range(1, 9):
        await remembered(agent, number, f"第{number}天我去了{chr(0x4E00 + 99 * number)}山", "嗯")
    await agent.close()
    agent = await opened(store)
    before = agent.state
    store.left = 4

    agent.background.enqueue(talk(20, "今天在家休息", "好"), explicit=False)
    while store.left:
        await asyncio.sleep(0.001)
    state = agent.state

    scanned = [e for e in episodes(state) if e.trace.scan_count == 1]
    assert scanned
    assert state.agent_info.slice_due
    for episode in episodes(before):
        links = state.links.get(episode.id)
        if episode.id in {e.id for e in scanned} or links is None:
            continue
        kept = {e.target: e.strength for e in before.links_of(episode.id)}
        assert all(e.strength >= kept.get(e.target, 0) for e in links.links)


async def test_the_agents_have_their_slices_one_after_another() -> None:
    fairness = Fairness()
    agents = [await opened(InMemoryStore(), fairness=fairness) for _ in range(4)]
    for agent in agents:
        agent.background.enqueue(talk(1, "我今天去海边看了日出", "真好"), explicit=False)
        agent.background.enqueue(talk(2, "我在学做红烧肉", "好香"), explicit=False)

    for agent in agents:
        await agent.background.wait_until_idle()
        await sliced(agent)

    assert all(not agent.state.agent_info.slice_due for agent in agents)
    for agent in agents:
        await agent.close()


async def test_a_fixed_capacity_makes_room_by_forgetting_the_least_connected() -> None:
    small = AgentSettings(
        law="network", parameters=(("network.scheme", "A"), ("network.capacity", 10))
    )
    agent = await opened(InMemoryStore(), small)
    async with unless_it_hangs():
        for number in range(1, 16):
            agent.background.enqueue(
                talk(number, f"我喜欢{chr(0x4E00 + 50 * number)}", "嗯"),
                explicit=False,
            )
            await agent.background.wait_until_idle()
            await agent.nightly()

    alive = [
        m
        for m in agent.state.memories.values()
        if m.is_active and m.nature.tier is not Tier.ENTITY
    ]
    assert len(alive) <= 11
    assert agent.state.next_id > max(m.id for m in agent.state.memories.values())
    await agent.close()


async def test_dangling_links_stay_when_a_node_goes() -> None:
    agent = await opened(InMemoryStore())
    agent.background.enqueue(talk(1, "我对花生过敏", "我对虾也过敏"), explicit=True)
    await agent.background.wait_until_idle()
    (one, *_) = [m for m in agent.state.memories.values() if m.nature.tier is Tier.FACT]
    links = agent.state.links.values()
    linked = [each for each in links if any(e.target == one.id for e in each.links)]

    await agent._writer.write(lambda state: plan_hide(state, one.id, FakeClock().now()))

    assert linked
    for each in linked:
        assert agent.state.links_of(each.source) == each.links
    await agent.close()
