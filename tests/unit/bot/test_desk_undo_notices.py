"""What a notice says: exactly what undoing the step behind it would take back."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.desk.documents import Document
from bot.desk.undo import notice_of
from memory.changes import Change, Put, Turn, Undo, Used
from memory.judgement.draft import (
    Draft,
    with_deletion,
    with_links_and_undo,
    with_negation,
    with_replacement,
)
from memory.learning.outcomes import LearntNotice
from memory.learning.remember_requests import RememberRequest, plan_explicit_memories
from memory.lifecycle.partner_steps import plan_edit, plan_pin
from memory.lifecycle.undo import last_step
from memory.merging.batch_merge import plan_merge
from memory.model import AgentSettings, Language, Message, Sensitivity
from memory.reminder import Reminder
from memory.revision import Strategy
from memory.state import MemoryState
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.desk import DeskSession, commands, lines

OLD = a_memory(1, "主人住在北京")
NEW = a_memory(2, "主人住在上海")


def learnt(state: MemoryState, draft: Draft) -> Document | None:
    """Return the notice of what a draft, once finished, changed."""
    after, _ = state.apply(with_links_and_undo(draft, state, "monitor", None).changes)
    step = last_step(after)
    return notice_of(step, after) if step else None


def begun(*changes: Change, settings: AgentSettings | None = None) -> MemoryState:
    state, _ = MemoryState().apply([Put(OLD), *changes])
    agent_info = replace(state.agent_info, settings=settings or AgentSettings())
    return state.apply([Put(agent_info)])[0]


def told(document: Document | None) -> str:
    assert document is not None
    assert document.quiet
    return lines(document).partition("\n▸")[0]


def test_an_update_names_both_wordings() -> None:
    state = begun()
    draft = with_replacement(Draft(state=state, now=NOON), OLD, NEW, Strategy.LATEST_WINS)

    assert told(learnt(state, draft)) == "记下了：改成“你住在上海”（原来：你住在北京）"


def test_a_negation_says_what_is_past_and_what_holds() -> None:
    state = begun(settings=AgentSettings(language="en"))
    draft = with_negation(Draft(state=state, now=NOON), OLD, NEW)

    assert told(learnt(state, draft)) == "Noted: no longer “你住在北京”, now: 你住在上海"


def test_what_was_let_go_of_is_named() -> None:
    state = begun()

    assert told(learnt(state, with_deletion(Draft(state=state, now=NOON), OLD))) == (
        "记下了：放下“你住在北京”"
    )


def test_a_merge_is_one_thing() -> None:
    state = begun(Put(NEW))
    after, _ = state.apply(plan_merge([1, 2], state, NOON, text="主人住过北京和上海").changes)
    step = last_step(after)

    assert step is not None
    assert told(notice_of(step, after)) == "记下了：合成一条：你住过北京和上海"


@pytest.mark.parametrize("grade", [Sensitivity.SENSITIVE, Sensitivity.SECRET])
def test_what_is_private_is_never_spelled_out_not_even_what_it_replaces(
    grade: Sensitivity,
) -> None:
    hidden = replace(OLD, nature=replace(OLD.nature, sensitivity=grade))
    state = begun(Put(hidden))
    draft = with_replacement(Draft(state=state, now=NOON), hidden, NEW, Strategy.LATEST_WINS)

    said = told(learnt(state, draft))
    assert "北京" not in said
    assert "上海" not in said
    assert "#2" in said


def test_what_only_became_firmer_is_no_news() -> None:
    request = RememberRequest(
        "主人住在北京", Message(id="m", at=NOON, speaker="主人", role="user", text="x")
    )
    state, _ = MemoryState().apply(plan_explicit_memories([request], MemoryState(), NOON).changes)
    after, _ = state.apply(plan_explicit_memories([request], state, NOON).changes)
    step = last_step(after)

    assert step is not None
    assert notice_of(step, after) is None


def test_a_step_that_is_undone_already_is_not_told() -> None:
    state = begun()
    after, _ = state.apply(
        with_links_and_undo(
            with_negation(Draft(state=state, now=NOON), OLD, NEW), state, "m", None
        ).changes
    )
    step = last_step(after)
    assert step is not None
    gone = replace(after, undos=MemoryState().undos)

    assert notice_of(step, gone) is None


async def test_a_step_is_undone_by_its_name_and_only_once() -> None:
    heard: list[LearntNotice] = []
    async with DeskSession(on_learnt=heard.append) as session:
        await session.agent.commit(turn("t1", "记住：我喜欢爬山"))
        await session.agent.commit(turn("t1", "记住：我喜欢爬山"))
        await session.ask("/remember 我养了一只猫")
        assert len(heard) == 1
        (undo,) = commands(noticed(heard[0].step, session.state))

        assert "撤销了" in await session.says(undo)
        await session.agent.background.wait_until_idle()
        assert [m.words.text for m in session.state.memories.values()] == ["我养了一只猫"]
        assert "已经撤销过" in await session.says(undo)
        assert [m.words.text for m in session.state.memories.values()] == ["我养了一只猫"]


async def test_a_step_that_was_touched_is_shown_and_asked_about() -> None:
    heard: list[LearntNotice] = []
    async with DeskSession(on_learnt=heard.append) as session:
        await session.agent.commit(turn("t1", "记住：我喜欢爬山"))
        await session.agent.background.wait_until_idle()
        (undo,) = commands(noticed(heard[0].step, session.state))
        await session.agent.steer(lambda state, _: plan_edit(state, 1, "我喜欢登山", NOON))
        preview = await session.ask(undo)

        assert "⚠" in lines(preview)
        assert session.state.memory(1).words.text == "我喜欢登山"
        await session.agent.steer(lambda state, _: plan_pin(state, 1, NOON, pinned=True))
        again = await session.press(preview)
        assert "再看一遍" in lines(again)
        await session.press(again)
        assert not session.state.memories


def noticed(step: Undo | None, state: MemoryState) -> Document:
    assert step is not None
    notice = notice_of(step, state)
    assert notice is not None
    return notice


def turn(identity: str, text: str) -> Turn:
    said = Message(id=f"{identity}-m", at=NOON, speaker="主人", role="user", text=text)
    reply = Message(id=f"{identity}-r", at=NOON, speaker="小祥", role="assistant", text="好")
    return Turn(id=identity, conversation="c", at=NOON, said=(said,), reply=reply)


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("zh", "好，明天（2026-03-05 周四）08:00提醒你：交房租。"),
        ("en", "All right, I will remind you tomorrow (Thursday 2026-03-05) at 08:00: 交房租."),
    ],
)
def test_a_reminder_a_model_found_is_confirmed_even_where_notices_are_off(
    language: Language, line: str
) -> None:
    state = begun(settings=AgentSettings(language=language, notices=False))
    one = Reminder(
        id=1,
        text="交房租",
        first_at=datetime(2026, 3, 5, 0, 0, tzinfo=UTC),
        zone="Asia/Shanghai",
        made_at=NOON,
    )

    assert told(learnt(state, Draft(state=state, now=NOON).then(Put(one)))) == line


async def test_what_was_only_used_since_is_undone_at_once_and_keeps_newer_links() -> None:
    heard: list[LearntNotice] = []
    async with DeskSession(on_learnt=heard.append) as session:
        await session.agent.commit(turn("t0", "我住在上海"))
        await session.agent.commit(turn("t1", "我喜欢爬山"))
        await session.agent.background.wait_until_idle()
        (undo,) = commands(noticed(heard[-1].step, session.state))
        for number, line in enumerate(("我喜欢什么", "我妹妹叫林夏", "我养了一只猫")):
            await session.agent.commit(
                replace(
                    turn(f"u{number}", line),
                    used=(Used(memory_id=1, score=0.9), Used(memory_id=2, score=0.9)),
                )
            )
            await session.agent.background.wait_until_idle()
        hiking = next(m.id for m in session.state.memories.values() if "爬山" in m.words.text)
        others = {m.id for m in session.state.memories.values()} - {hiking}
        kept = {
            source: {x.target for x in each.links if x.target != hiking}
            for source, each in session.state.links.items()
            if source != hiking
        }
        said = await session.says(undo)

        assert "⚠" not in said
        assert "撤销了" in said
        assert set(session.state.memories) == others
        assert {
            source: {x.target for x in each.links if x.target != hiking}
            for source, each in session.state.links.items()
        } == {source: targets for source, targets in kept.items() if source in others}


@pytest.mark.parametrize(
    "later",
    ["我不喜欢爬山了，现在喜欢游泳", "/memory edit #1 我喜欢登山", "/memory forget #1"],
)
async def test_what_does_not_hold_any_more_has_nothing_to_undo(later: str) -> None:
    heard: list[LearntNotice] = []
    async with DeskSession(on_learnt=heard.append) as session:
        await session.agent.commit(turn("t1", "我喜欢爬山"))
        await session.agent.background.wait_until_idle()
        (undo,) = commands(noticed(heard[0].step, session.state))
        if later.startswith("/"):
            await session.press(await session.ask(later))
        else:
            await session.agent.commit(turn("t2", later))
            await session.agent.background.wait_until_idle()
        there = session.state.memories
        said = await session.says(undo)

        assert ("没有可撤销的了" in said) == (later != "/memory edit #1 我喜欢登山")
        # What was put otherwise by hand is asked about: it would be overwritten.
        assert ("⚠" in said) == (later == "/memory edit #1 我喜欢登山")
        assert session.state.memories == there


@pytest.mark.parametrize(
    ("language", "partner", "text", "said"),
    [
        ("zh", "主人", "主人叫贾一", "记下了：你叫贾一"),
        ("zh", "主人", "主人的女儿叫朵朵", "记下了：你的女儿叫朵朵"),
        ("zh", "主人", "我不喜欢吃辣", "记下了：你不喜欢吃辣"),
        ("zh", "主人", "小林是主人的室友", "记下了：小林是你的室友"),
        ("en", "my friend", "my friend lives in Leeds", "Noted: you live in Leeds"),
        (
            "en",
            "my friend",
            "my friend's cat is called Doudou",
            "Noted: your cat is called Doudou",
        ),
        ("en", "my friend", "I am allergic to nuts", "Noted: you are allergic to nuts"),
    ],
)
def test_a_notice_speaks_to_whom_it_is_said(
    language: Language, partner: str, text: str, said: str
) -> None:
    state = begun(settings=AgentSettings(language=language, partner=partner))
    new = replace(NEW, words=replace(NEW.words, text=text))

    assert told(learnt(state, Draft(state=state, now=NOON).then(Put(new)))) == said
