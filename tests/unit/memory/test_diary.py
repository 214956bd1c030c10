"""The diary holds every message once, and no law touches it."""

from dataclasses import replace
from datetime import timedelta

from memory.agent import AgentMemory
from memory.changes import DiaryLine, Drop, Put, Turn
from memory.diary import in_order, marks_after_purge
from memory.jobs.parts import AgentParts
from memory.model import AgentSettings, Deleted, DeletionPolicy, Memory, Tier
from memory.state import MemoryState
from tests.builders import a_memory, a_message, a_stretch
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.in_memory_store import InMemoryStore


async def opened(settings: AgentSettings | None = None) -> AgentMemory:
    return await AgentMemory.open(
        InMemoryStore(),
        AgentParts(clock=FakeClock(), model=None),
        choose_settings=lambda known: settings or known or AgentSettings(),
    )


def a_turn(number: int, said: str, reply: str = "嗯嗯") -> Turn:
    first, second = a_stretch(said, reply, first=10 * number)
    return Turn(id=f"t{number}", conversation="c", at=first.at, said=(first,), reply=second)


def texts(state: MemoryState) -> list[str]:
    return [line.message.text for line in in_order(state.diary.values())]


def episode_of(state: MemoryState) -> Memory:
    (episode,) = (m for m in state.memories.values() if m.nature.tier is Tier.EPISODE)
    return episode


async def test_both_sides_of_a_turn_stand_in_the_diary_at_once() -> None:
    agent = await opened()

    await agent.commit(a_turn(1, "我周三面试", "祝顺利"))

    assert texts(agent.state) == ["我周三面试", "祝顺利"]
    assert [line.conversation for line in agent.state.diary.values()] == ["c", "c"]
    await agent.close()


async def test_what_was_heard_without_an_answer_stands_in_it() -> None:
    agent = await opened()

    await agent.listen("g", a_stretch("今天下雨"))
    await agent.listen("g", a_stretch("今天下雨"))

    assert texts(agent.state) == ["今天下雨"]
    await agent.close()


async def test_nothing_said_while_learning_is_paused_stands_in_it() -> None:
    agent = await opened(AgentSettings(learning=False))

    await agent.commit(a_turn(1, "我周三面试"))
    await agent.listen("c", [a_message("9", "还有一件事")])

    assert not agent.state.diary
    assert len(agent.window("c")) == 3
    await agent.close()


async def test_a_secret_stands_in_no_line() -> None:
    agent = await opened()

    await agent.commit(a_turn(1, "我的密码是 hunter2xyz"))

    assert all("hunter2xyz" not in text for text in texts(agent.state))
    await agent.close()


async def test_a_cut_stretch_says_of_its_lines_which_episode_it_became() -> None:
    agent = await opened()
    stretch = a_stretch("我家的猫叫团子", "好可爱呀", "明天面试", "加油")

    agent.worker.enqueue(stretch, explicit=False)
    await agent.worker.wait_until_idle()

    episode = episode_of(agent.state)
    assert {line.scene for line in agent.state.diary.values()} == {episode.id}
    assert texts(agent.state) == [message.text for message in stretch]
    await agent.close()


async def test_an_explicit_fact_is_the_scene_of_its_line() -> None:
    agent = await opened()

    agent.worker.enqueue([a_message("1", "我家的猫叫团子")], explicit=True)
    await agent.worker.wait_until_idle()

    (fact,) = agent.state.memories.values()
    assert agent.state.diary["1"].scene == fact.id
    await agent.close()


async def test_words_of_a_memory_and_its_lines_are_one_object() -> None:
    agent = await opened()

    agent.worker.enqueue(a_stretch("我家的猫叫团子", "好可爱呀"), explicit=False)
    await agent.worker.wait_until_idle()

    episode = episode_of(agent.state)
    (said, _) = (passage for passage in episode.passages if passage.verbatim)
    assert said.text is agent.state.diary["1"].message.text
    await agent.close()


def a_diary(*ids: str) -> MemoryState:
    lines = [
        DiaryLine(message=a_message(each, at=NOON + timedelta(minutes=n)), number=n)
        for n, each in enumerate(ids, start=1)
    ]
    return MemoryState().apply(map(Put, lines))[0]


def marked(memory: Memory) -> list[DiaryLine]:
    state, _ = a_diary("s1", "s2").apply([Put(memory)])
    after, _ = state.apply([*marks_after_purge([memory], state), Drop(Memory, memory.id)])
    return [line for _, line in sorted(after.diary.items())]


def test_what_the_partner_hid_stays_hidden_when_it_is_purged() -> None:
    hidden = replace(a_memory(1), standing=Deleted(NOON, DeletionPolicy.USER_DELETE))

    first, other = marked(hidden)

    assert first.hidden
    assert not other.hidden


def test_what_a_law_ended_leaves_its_lines_as_they_are() -> None:
    ended = replace(a_memory(1), standing=Deleted(NOON, DeletionPolicy.AUTO_CLEANUP))

    assert not any(line.hidden or line.past for line in marked(ended))


def test_what_no_longer_held_is_past_when_it_is_purged() -> None:
    known = a_memory(1)
    negated = replace(known, trace=replace(known.trace, negated_at=NOON))

    assert [line.past for line in marked(negated)] == [True, False]


def test_a_number_is_counted_on_from_tables_that_were_read() -> None:
    state = a_diary("a", "b")

    assert state.last_line == 2
    assert MemoryState(diary=state.diary).last_line == 2
