"""Consolidation: the end of an episode loses the talk, not what mattered in it."""

from dataclasses import replace
from datetime import timedelta

import pytest

from memory.changes import Drop, Put, Task
from memory.judgement.brackets import Unreadable
from memory.judgement.draft import Judgement
from memory.learning import consolidation, summarizer
from memory.learning.consolidation import BATCH_CHARACTERS, episode_batches
from memory.model import Memory, Message, Passage, Tier
from memory.state import MemoryState
from tests.builders import a_memory, a_message, a_stretch
from tests.fakes.clock import NOON
from tests.fakes.judging import a_state

NIGHT = NOON + timedelta(days=14)
TALK = a_stretch(
    "我叫李明，明天要去上海面试",
    "你真棒，我也喜欢上海",
    "我妈妈做的红烧肉最好吃",
    "馋了",
)


def with_episode(*talk: Message, facts: tuple[Memory, ...] = ()) -> MemoryState:
    messages = talk or tuple(TALK)
    task = Task(id="t", kind="segment", at=NOON, messages=messages, conversation="c")
    state, _ = a_state(*facts).apply([Put(task)])
    question = summarizer.stretch_question(messages, state, NOON, stretch="t", conversation="c")
    state, _ = state.apply(summarizer.episodes_by_rule(question, state, NOON).changes)
    return state


def episode(state: MemoryState) -> Memory:
    return next(m for m in state.memories.values() if m.nature.tier is Tier.EPISODE)


def consolidated(state: MemoryState, answer: str) -> MemoryState:
    asked = consolidation.episodes_question([episode(state).id], state, NIGHT)
    judged = consolidation.judge(asked, answer, state, NIGHT, model="m")
    assert isinstance(judged, Judgement), judged
    after, _ = state.apply(judged.changes)
    return after


def facts(state: MemoryState) -> list[Memory]:
    return [m for _, m in sorted(state.memories.items()) if m.nature.tier is Tier.FACT]


def test_it_shows_the_verbatim_and_the_nearest_facts() -> None:
    known = a_memory(1, "主人怕面试", keywords=("面试",))
    state = with_episode(facts=(known, a_memory(2, "主人有车", keywords=("车",))))

    prompt = consolidation.episodes_question([episode(state).id], state, NIGHT).prompt

    assert [line.text for line in prompt.lines] == [message.text for message in TALK]
    assert [memory.text for memory in prompt.memories] == ["主人怕面试"]


def test_what_lasts_is_kept_tied_to_the_episode_and_marked() -> None:
    state = with_episode()
    before = episode(state)

    after = consolidated(state, "[ADD kind=identity] 主人叫李明\n[ADD] 主人2026-03-05去上海面试")

    name, plan = facts(after)
    assert (name.words.text, plan.words.text) == ("主人叫李明", "主人2026-03-05去上海面试")
    assert name.trace.created_at == NOON
    assert name.origin.speaker == "主人"
    assert name.source_ids == ("1",)
    assert before.id in {link.target for link in after.links_of(name.id)}
    assert name.id in {link.target for link in after.links_of(before.id)}
    assert after.memory(before.id).lineage.consolidated_at == NIGHT


def test_what_is_kept_from_now_on_has_not_faded_already() -> None:
    (fact,) = facts(consolidated(with_episode(), "[ADD] 主人叫李明"))

    trace = fact.trace
    assert {trace.accessed_at, trace.reinforced_at, trace.importance_at} == {NIGHT}
    assert trace.activated_at == NOON


def test_nothing_lasting_still_marks_the_episode() -> None:
    state = with_episode()

    after = consolidated(state, "都是闲聊。\n[SKIP]")

    assert facts(after) == []
    assert episode(after).lineage.consolidated_at == NIGHT


def test_what_is_known_already_is_no_new_mention() -> None:
    state = with_episode(facts=(a_memory(1, "主人叫李明"),))

    after = consolidated(state, "[ADD] 主人叫李明")

    assert [fact.trace.mention_count for fact in facts(after)] == [0]


@pytest.mark.parametrize(
    ("said", "fact"),
    [("我喜欢爬山", "主人喜欢爬山"), ("I love hiking", "The partner loves hiking")],
)
def test_what_ended_after_the_talk_is_not_learnt_from_it_again(said: str, fact: str) -> None:
    before, talk = a_memory(1, fact), a_message("m", said)
    for ended_at, learnt in ((NOON + timedelta(days=20), 0), (NOON - timedelta(days=1), 1)):
        over = replace(before, lineage=replace(before.lineage, valid_until=ended_at))
        state = consolidated(with_episode(talk, facts=(over,)), f"[ADD] {fact}")
        assert len(facts(state)) == 1 + learnt


def test_neither_the_bot_nor_forwarded_matter_gives_facts() -> None:
    talk = [replace(TALK[0], quoted="主人欠我一万元"), *TALK[1:]]

    after = consolidated(with_episode(*talk), "[ADD] 主人喜欢上海\n[ADD] 主人欠我一万元")

    assert facts(after) == []


def test_only_additions_are_taken() -> None:
    state = with_episode(facts=(a_memory(1, "主人怕面试", keywords=("面试",)),))
    asked = consolidation.episodes_question([episode(state).id], state, NIGHT)

    for answer in ("[DELETE:m1]", "[BOOST:m1]", "[UPDATE:m1] 主人叫李明"):
        assert isinstance(consolidation.judge(asked, answer, state, NIGHT), Unreadable)


def test_the_unreadable_marks_nothing() -> None:
    state = with_episode()
    asked = consolidation.episodes_question([episode(state).id], state, NIGHT)

    assert isinstance(consolidation.judge(asked, "好的", state, NIGHT), Unreadable)


def test_of_an_erased_episode_nothing_is_kept() -> None:
    state = with_episode()
    asked = consolidation.episodes_question([episode(state).id], state, NIGHT)
    erased, _ = state.apply([Drop(Memory, episode(state).id)])

    judged = consolidation.judge(asked, "[ADD] 主人叫李明", erased, NIGHT)

    assert judged == Judgement(refused=("episodes gone",))


def test_in_a_group_the_fact_belongs_to_whoever_said_it() -> None:
    state = with_episode(
        a_message("1", "我叫李明", speaker="阿强"), a_message("2", "我喜欢猫", speaker="小美")
    )

    after = consolidated(state, "[ADD] 小美喜欢猫\n[ADD] 阿强喜欢猫")

    assert [(f.words.text, f.origin.speaker) for f in facts(after)] == [("小美喜欢猫", "小美")]


def test_batches_hold_what_one_call_can_read() -> None:
    long = Passage(text="话" * (BATCH_CHARACTERS // 2), source_ids=("x",), at=NOON, verbatim=True)
    episodes = [replace(a_memory(n, tier=Tier.EPISODE), passages=(long,)) for n in range(1, 6)]

    assert episode_batches([1, 2, 3, 4, 5, 99], a_state(*episodes)) == ((1, 2), (3, 4), (5,))


def test_an_episode_is_asked_about_once() -> None:
    state = consolidated(with_episode(), "[SKIP]")

    assert consolidation.episodes_question([episode(state).id], state, NIGHT).episodes == ()
