"""The diary holds every message once, and no law touches it."""

from dataclasses import replace
from datetime import timedelta
from math import ceil
from zoneinfo import ZoneInfo

import pytest

from memory.agent import AgentMemory
from memory.changes import ELSEWHERE, DiaryLine, Drop, Put, Turn
from memory.diary import in_order, marks_after_purge, window_changes, window_lines
from memory.erasing.erasure import plan_erasure
from memory.erasing.scope import OneMemory, TextMatch
from memory.jobs.steps import AgentParts
from memory.merging.arrival import VaultPair
from memory.merging.state_import import plan_import
from memory.merging.union import plan_union
from memory.model import AgentSettings, Deleted, DeletionPolicy, Language, Memory, Passage, Tier
from memory.privacy.redaction import redaction_changes
from memory.privacy.sealing import earlier_redactions, memory_redactions
from memory.state import MemoryState
from memory.views import prompt_lines
from prompts import PromptMemory, Reply
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

    agent.background.enqueue(stretch, explicit=False)
    await agent.background.wait_until_idle()

    episode = episode_of(agent.state)
    assert {line.scene for line in agent.state.diary.values()} == {episode.id}
    assert texts(agent.state) == [message.text for message in stretch]
    await agent.close()


async def test_an_explicit_fact_is_the_scene_of_its_line() -> None:
    agent = await opened()

    agent.background.enqueue([a_message("1", "我家的猫叫团子")], explicit=True)
    await agent.background.wait_until_idle()

    (fact,) = (memory for memory in agent.state.memories.values() if memory.is_fact)
    assert agent.state.diary["1"].scene == fact.id
    await agent.close()


async def test_words_of_a_memory_and_its_lines_are_one_object() -> None:
    agent = await opened()

    agent.background.enqueue(a_stretch("我家的猫叫团子", "好可爱呀"), explicit=False)
    await agent.background.wait_until_idle()

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


def a_life() -> MemoryState:
    """Return a state whose first fact is purged; its line and the answer to it are left."""
    said = a_stretch("我对琥珀花生过敏", "我记下了：琥珀花生", "我也喜欢下雨天", "真好")
    lines = [
        DiaryLine(message=message, conversation="c", number=number, scene=7)
        for number, message in enumerate(said, start=1)
    ]
    fact = replace(a_memory(8, "主人喜欢下雨天"), passages=(a_passage("3"),))
    return MemoryState().apply([*map(Put, lines), Put(fact)])[0]


def a_passage(source: str) -> Passage:
    return Passage(text="主人喜欢下雨天", source_ids=(source,), at=NOON)


def erased(state: MemoryState, target: TextMatch | OneMemory, person: str = "") -> MemoryState:
    erasure = plan_erasure(state, target, NOON, key_hex="00" * 16, person=person)
    assert erasure is not None
    return state.apply(erasure.changes)[0]


def test_erasing_reaches_lines_that_no_memory_rests_on_any_more() -> None:
    after = erased(a_life(), TextMatch("琥珀花生"))

    assert texts(after) == ["我也喜欢下雨天", "真好"]
    assert after.is_erased("1")
    assert after.is_erased("2")


def test_erasing_a_fact_takes_the_line_that_told_it_and_what_was_answered() -> None:
    after = erased(a_life(), OneMemory(8))

    assert texts(after) == ["我对琥珀花生过敏", "我记下了：琥珀花生"]


def test_a_person_erases_their_own_lines_only() -> None:
    state = MemoryState()
    for number, who in enumerate(("p1", "p2"), start=1):
        message = replace(a_message(str(number), "我喜欢琥珀花生"), speaker_id=who)
        state, _ = state.apply([Put(DiaryLine(message=message, number=number))])

    after = erased(state, TextMatch("琥珀花生"), person="p1")

    assert [line.message.speaker_id for line in after.diary.values()] == ["p2"]


def test_a_secret_that_is_sealed_leaves_the_diary() -> None:
    fact = replace(a_memory(8, "主人对琥珀花生过敏"), passages=(a_passage("1"),))
    state, _ = a_life().apply([Put(fact)])

    after, _ = state.apply(list(memory_redactions(fact, state)))

    assert texts(after) == ["***", "***", "我也喜欢下雨天", "真好"]


def test_a_value_that_became_secret_is_masked_in_the_diary() -> None:
    after, _ = a_life().apply(list(redaction_changes(["琥珀花生"], a_life())))

    assert texts(after)[:2] == ["我对***过敏", "我记下了：***"]


def test_an_import_brings_the_lines_that_are_new_and_were_not_erased() -> None:
    other = a_life()
    here = erased(other, TextMatch("琥珀花生"))
    here, _ = here.apply([Drop(DiaryLine, "4")])

    after, _ = here.apply(plan_import(here, other, NOON).changes)

    assert texts(after) == ["我也喜欢下雨天", "真好"]
    assert after.diary["4"].scene == ELSEWHERE
    assert after.diary["4"].number > after.diary["3"].number


def test_two_diaries_become_one_under_the_new_ids() -> None:
    older = a_diary("a")
    older, _ = older.apply([Put(a_memory(3, "主人怕高"))])
    younger, _ = a_life().apply([Put(a_memory(7, "那天的事", tier=Tier.EPISODE))])
    vaults = VaultPair(previous=None, new=None)

    plan = plan_union(older, younger, NOON, vaults=vaults, mark="m")
    after, _ = older.apply(plan.changes)

    assert set(after.diary) == {"a", "1", "2", "3", "4"}
    assert after.diary["1"].scene == 7 + plan.id_shift
    assert after.memories[after.diary["1"].scene].words.text == "那天的事"


def test_what_a_later_line_shows_to_be_secret_leaves_the_diary() -> None:
    changes = list(earlier_redactions({"3": ["下雨天"]}, a_life(), NOON))

    after, _ = a_life().apply(changes)

    assert texts(after)[2] == "我也喜欢***"


@pytest.mark.parametrize("language", ["zh", "en"])
def test_two_prompts_in_a_row_begin_alike_so_that_a_server_need_not_read_twice(
    language: Language,
) -> None:
    """Of what stands before the memories at least 80 % is the same, in 85 % of 200 turns."""
    state, kept, before = MemoryState(), 0, ""
    for number in range(200):
        turn = a_turn(
            number, f"第{number}天，今天走到了河边，看见了{number}只白鹭", "真好，走得远吗？"
        )
        prompt = Reply(
            persona="你是小祥。",
            language=language,
            partner="主人",
            now=turn.at,
            window=prompt_lines((*window_lines("c", state), *turn.said), ZoneInfo("UTC")),
            memories=(PromptMemory("m1", f"主人第{number}天走到了河边", turn.at),),
        )
        *stable, _ = prompt.messages()
        words = "\n".join(each.content for each in stable)
        most = ceil(0.8 * len(words))
        kept += words[:most] == before[:most]
        before = words
        state, _ = state.apply(window_changes("c", turn.messages, state, ""))

    assert kept >= 0.85 * 200
