"""What was looked up and used comes back; what was only shown does not."""

from dataclasses import replace
from datetime import timedelta

import pytest

from memory.changes import AgentInfo, Change, DiaryLine, Put, Turn, Used
from memory.jobs.turns import plan_commit
from memory.judgement.draft import NO_TOOLS
from memory.learning.monitor import turn_question
from memory.lifecycle.night import plan_night
from memory.model import (
    AgentSettings,
    Archived,
    Deleted,
    DeletionPolicy,
    Level,
    Memory,
    Passage,
    Tier,
)
from memory.offline.vocabulary import EN, ZH
from memory.state import MemoryState, can_be_looked_up
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


LAWS = ["tiers", "ebbinghaus", "weights", "network", "disuse"]
ALLERGY = [
    ("主人海鲜过敏", "哦对了我海鲜过敏 吃虾会喘",
     "我对什么过敏来着？", "我记得：你海鲜过敏（3月2日）。"),
    ("my friend is allergic to penicillin", "oh and im allergic to penicillin",
     "what am i allergic to?", "I remember: you are allergic to penicillin (on March 2)."),
]  # fmt: skip


def put_away(
    text: str, line: str, standing: Archived | Deleted, law: str, *more: Change
) -> MemoryState:
    """Return the state in which a law has put away one fact, which rests on the line ``1``."""
    partner = "主人" if not text.isascii() else "my friend"
    fact = a_memory(7, text)
    gist = replace(fact.passages[0], source_ids=("1",))
    said = DiaryLine(message=a_message("1", line), number=1, conversation="c")
    settings = AgentSettings(
        law=law, partner=partner, language="zh" if partner == "主人" else "en"
    )
    away = replace(fact, passages=(gist,), standing=standing)
    info = AgentInfo(settings=settings)
    return MemoryState().apply([Put(away), Put(said), Put(info), *more])[0]


def asked_of(question: str, reply: str) -> Turn:
    used = Used(memory_id=7, score=1.0, reasons=("deep:asked",), source_ids=("1",))
    ask = a_message("q", question, at=LATER)
    answer = a_message("r", reply, at=LATER, speaker="小祥", role="assistant")
    return Turn(id="t", conversation="c", at=LATER, said=(ask,), reply=answer, used=(used,))


@pytest.mark.parametrize(("text", "line", "question", "reply"), ALLERGY)
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(
    "standing", [Archived(NOON), Deleted(NOON, DeletionPolicy.AUTO_CLEANUP)], ids=["put", "ended"]
)
def test_what_was_looked_up_and_told_to_the_partner_is_active_again_under_every_law(
    text: str,
    line: str,
    question: str,
    reply: str,
    law: str,
    standing: Archived | Deleted,
) -> None:
    state = put_away(text, line, standing, law)

    told = after(state, asked_of(question, reply))
    silent = after(state, asked_of(question, "这件事我不记得了。"))

    assert told.memories[7].is_active
    assert told.memories[7].lineage.revived_at == LATER
    assert told.receipts["t"].learnt == ("REVIVE #7",)
    assert not silent.memories[7].is_active


MOVED = [
    ("主人住在大理", "我住在大理", "主人搬到昆明了", "我搬到昆明了",
     ("我以前住哪儿？", "你住在大理")),
    ("my friend lives in Dundee", "I live in Dundee", "my friend moved to Leith",
     "I moved to Leith", ("where did I use to live?", "you live in Dundee")),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "newer", "later", "asked_for"), MOVED)
@pytest.mark.parametrize("told_as", ["a fact", "a line"])
def test_what_something_later_ended_does_not_come_back_as_current(
    text: str, line: str, newer: str, later: str, asked_for: tuple[str, str], told_as: str
) -> None:
    at = NOON + timedelta(days=20)
    said = DiaryLine(message=a_message("2", later, at=at), number=2, conversation="c")
    more = (Put(said), Put(a_memory(8, newer, at=at))) if told_as == "a fact" else (Put(said),)

    state = after(put_away(text, line, Archived(NOON), "ebbinghaus", *more), asked_of(*asked_for))
    alone = after(put_away(text, line, Archived(NOON), "ebbinghaus"), asked_of(*asked_for))

    assert alone.memories[7].is_living_fact
    assert not state.memories[7].is_living_fact
    assert not state.memories[7].is_active or state.memories[7].is_past


def test_what_was_reduced_comes_back_with_its_words() -> None:
    line = "我那辆蓝色的折叠车在地铁口被偷了"
    state = put_away("主人那辆蓝色的", line, Archived(NOON), "weights")
    words = replace(state.memories[7].words, level=Level.TRACE)
    state, _ = state.apply([Put(replace(state.memories[7], words=words))])

    back = after(state, asked_of("我的车怎么了", "你那辆蓝色的折叠车在地铁口被偷了")).memories[7]

    assert back.is_active
    assert (back.words.text, back.words.level) == (
        "主人那辆蓝色的折叠车在地铁口被偷了",
        Level.FULL,
    )


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
@pytest.mark.parametrize("law", LAWS)
def test_a_yes_to_her_question_keeps_what_had_been_let_go(words: str, text: str, law: str) -> None:
    brought_back = answered(a_past(law=law), words, "再说吧")
    kept = answered(a_past(law=law), words, text)

    assert brought_back.receipts["u"].learnt == ()
    assert kept.receipts["u"].learnt == ("REMEMBER #7",)
    assert kept.memories[7].is_active
    assert "remember" in {step.label for step in kept.undos.values()}


def test_a_yes_to_anything_else_keeps_nothing() -> None:
    assert answered(a_past(), "你吃过饭了没有？", "好").receipts["u"].learnt == ()


YES = [
    (ZH.let_go, "要"),
    (ZH.let_go, "要的"),
    (ZH.let_go, "好，留着吧"),
    (ZH.let_go, "留着"),
    (EN.let_go, "yes"),
    (EN.let_go, "yes, keep it"),
    (EN.let_go, "keep it please"),
    (EN.let_go, "please do"),
]
NO = [
    (ZH.let_go, "不用"),
    (ZH.let_go, "不用了"),
    (ZH.let_go, "不用留了"),
    (ZH.let_go, "算了"),
    (EN.let_go, "no"),
    (EN.let_go, "no thanks"),
    (EN.let_go, "no need"),
    (EN.let_go, "let it go"),
]


def retained(state: MemoryState, days: int) -> float:
    later = LATER + timedelta(days=days)
    return state.rules.judge(state.memories[7], state.rules.context(later)).retention


@pytest.mark.parametrize(("words", "text"), YES)
@pytest.mark.parametrize("law", LAWS)
def test_what_is_kept_by_a_yes_is_confirmed_and_fades_later(
    words: str, text: str, law: str
) -> None:
    other = answered(a_past(law=law), words, "晚上吃面")
    kept = answered(a_past(law=law), words, text)

    assert kept.receipts["u"].learnt == ("REMEMBER #7",)
    assert kept.memories[7].origin.verified
    assert not other.memories[7].origin.verified
    assert retained(kept, 3) >= retained(other, 3)
    if law in {"ebbinghaus", "disuse"}:
        assert retained(kept, 3) > retained(other, 3)


@pytest.mark.parametrize(("words", "text"), NO)
@pytest.mark.parametrize("law", LAWS)
def test_a_no_lets_what_was_brought_back_rest_again(words: str, text: str, law: str) -> None:
    state = a_past(law=law)
    rests = answered(state, words, text)
    away = answered(a_past(replace(an_episode(), standing=Archived(NOON)), law=law), words, text)

    for told in (rests, away):
        assert told.receipts["u"].learnt == ("REST #7",)
        assert not told.memories[7].is_active
        assert can_be_looked_up(told.memories[7])
        assert not told.memories[7].origin.verified
    assert {"remember"} & {step.label for step in rests.undos.values()}


@pytest.mark.parametrize("text", ["不用", "no"])
def test_a_no_to_anything_else_lets_nothing_rest(text: str) -> None:
    state = answered(a_past(), "你吃过饭了没有？", text)
    assert state.memories[7].is_active
    assert state.receipts["u"].learnt == ()
