"""What was looked up and used comes back; what was only shown does not."""

from dataclasses import replace
from datetime import timedelta

import pytest

from memory.changes import AgentInfo, DiaryLine, Put, Turn, Used
from memory.jobs.turns import plan_commit
from memory.judgement.draft import NO_TOOLS
from memory.learning.monitor import turn_question
from memory.lifecycle.night import plan_night
from memory.model import (
    AgentSettings,
    Archived,
    Deleted,
    DeletionPolicy,
    Memory,
    Passage,
    Tier,
)
from memory.offline.vocabulary import EN, ZH
from memory.state import MemoryState
from tests.builders import a_memory, a_message, a_stretch
from tests.fakes.clock import NOON

SAID = a_stretch("我家的猫叫团子", "好可爱呀")
LATER = NOON + timedelta(days=60)


def a_past(*memories: Memory, law: str = "tiers", hidden: bool = False) -> MemoryState:
    lines = [
        DiaryLine(message=m, number=n, scene=7, conversation="c", hidden=hidden)
        for n, m in enumerate(SAID, start=1)
    ]
    settings = Put(AgentInfo(settings=AgentSettings(law=law)))
    # The high id stands for everything that is gone by now.
    high = a_memory(9, "主人怕高")
    return MemoryState().apply([*map(Put, lines), *map(Put, memories), Put(high), settings])[0]


def asked(reply: str, memory_id: int = 0, *, reasons: tuple[str, ...] = ("deep:asked",)) -> Turn:
    used = Used(memory_id=memory_id, score=1.0, reasons=reasons, source_ids=("1",))
    question = a_message("q", "还记得我家的猫叫什么吗", at=LATER)
    answer = a_message("r", reply, at=LATER, speaker="小祥", role="assistant")
    return Turn(id="t", conversation="c", at=LATER, said=(question,), reply=answer, used=(used,))


def after(state: MemoryState, turn: Turn) -> MemoryState:
    return state.apply(plan_commit(turn, state, now=LATER, tools=NO_TOOLS))[0]


def an_episode() -> Memory:
    lines = [
        Passage(text=m.text, source_ids=(m.id,), at=m.at, speaker=m.speaker, verbatim=True)
        for m in SAID
    ]
    made = a_memory(7, "[2026-03-04 20:00] 聊了猫", tier=Tier.EPISODE)
    return replace(
        made,
        passages=(*made.passages, *lines),
        lineage=replace(made.lineage, consolidated_at=NOON),
    )


def test_an_ended_episode_is_cut_anew_from_its_lines_under_its_own_id() -> None:
    state = after(a_past(), asked("你家的猫叫团子呀"))

    episode = state.memories[7]
    assert episode.is_active
    assert episode.nature.tier is Tier.EPISODE
    assert [p.text for p in episode.passages if p.verbatim] == ["我家的猫叫团子", "好可爱呀"]
    assert episode.trace.created_at == NOON
    assert episode.lineage.revived_at == LATER
    assert state.receipts["t"].learnt == ("REVIVE #7",)


def test_what_was_revived_has_its_days_again() -> None:
    state = after(a_past(), asked("你家的猫叫团子呀"))

    tonight = plan_night(state, LATER + timedelta(hours=8))
    in_time = plan_night(state, LATER + timedelta(days=16))

    assert 7 in state.apply(tonight.changes)[0].memories
    assert state.apply(tonight.changes)[0].memories[7].is_active
    assert not state.apply(in_time.changes)[0].memories[7].is_active


@pytest.mark.parametrize(
    "standing", [Archived(NOON), Deleted(NOON, DeletionPolicy.AUTO_CLEANUP)], ids=["put", "ended"]
)
def test_what_a_law_took_becomes_active(standing: Archived | Deleted) -> None:
    state = after(a_past(replace(an_episode(), standing=standing)), asked("团子呀，叫团子", 7))

    assert state.memories[7].is_active
    assert state.memories[7].lineage.revived_at == LATER
    assert state.memories[7].trace.mention_count == 1


@pytest.mark.parametrize("law", ["tiers", "ebbinghaus", "weights", "network"])
def test_every_law_counts_it_as_told_again(law: str) -> None:
    state = a_past(replace(an_episode(), standing=Archived(NOON)), law=law)
    rules, before = state.rules, state.memories[7]

    back = after(state, asked("团子呀，叫团子", 7)).memories[7]

    then = rules.judge(before, rules.context(LATER)).retention
    assert rules.judge(back, rules.context(LATER)).retention >= then
    assert back.trace.stability_hours >= before.trace.stability_hours
    assert back.trace.activated_at == LATER


@pytest.mark.parametrize(
    "turn",
    [
        asked("我不记得了"),
        asked("你家的猫叫什么来着"),
        asked("你家的猫叫团子呀", reasons=("word:猫",)),
    ],
    ids=["not said", "only the question", "came to mind"],
)
def test_what_the_reply_does_not_use_stays_where_it_is(turn: Turn) -> None:
    assert 7 not in after(a_past(), turn).memories


def test_what_the_partner_hid_does_not_come_back() -> None:
    assert 7 not in after(a_past(hidden=True), asked("你家的猫叫团子呀")).memories
    hidden = replace(an_episode(), standing=Deleted(NOON, DeletionPolicy.USER_DELETE))
    assert not after(a_past(hidden), asked("你家的猫叫团子呀", 7)).memories[7].is_active


def test_nothing_comes_back_while_learning_is_paused() -> None:
    state = a_past()
    paused = replace(state.agent_info, settings=AgentSettings(learning=False))

    assert 7 not in after(state.apply([Put(paused)])[0], asked("你家的猫叫团子呀")).memories


def test_what_stays_away_is_put_before_no_judge() -> None:
    state = a_past(replace(an_episode(), standing=Archived(NOON)))

    shown = turn_question(asked("我不记得了", 7), state).shown.values()

    assert 7 not in {memory.id for memory in shown}


def answered(state: MemoryState, words: str, text: str) -> MemoryState:
    """Return the state after her question whether to keep what she told, and an answer to it."""
    told = asked(f"你家的猫叫团子呀。{words}")
    told = replace(told, reply=replace(told.reply, id="t-reply")) if told.reply else told
    state = after(state, told)
    at = LATER + timedelta(minutes=1)
    yes = Turn(
        id="u",
        conversation="c",
        at=at,
        said=(a_message("q2", text, at=at),),
        reply=a_message("u-reply", "好", at=at, speaker="小祥", role="assistant"),
    )
    return after(state, yes)


@pytest.mark.parametrize(("words", "text"), [(ZH.let_go, "好"), (EN.let_go, "yes, please")])
@pytest.mark.parametrize("law", ["tiers", "ebbinghaus", "weights", "network", "disuse"])
def test_a_yes_to_her_question_keeps_what_had_been_let_go(words: str, text: str, law: str) -> None:
    brought_back = answered(a_past(law=law), words, "再说吧")
    kept = answered(a_past(law=law), words, text)

    assert brought_back.receipts["u"].learnt == ()
    assert kept.receipts["u"].learnt == ("REMEMBER #7",)
    assert kept.memories[7].is_active
    assert "remember" in {step.label for step in kept.undos.values()}


def test_a_yes_to_anything_else_keeps_nothing() -> None:
    assert answered(a_past(), "你吃过饭了没有？", "好").receipts["u"].learnt == ()
