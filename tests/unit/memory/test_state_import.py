"""Going back to a former state: exactly, but never past an erasure or a seal."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.changes import AgentInfo, DiaryLine, Drop, Put, RememberedId, Window
from memory.erasing.erasure import plan_erasure
from memory.erasing.scope import OneMemory
from memory.merging.state_import import plan_import, plan_rollback
from memory.model import (
    AgentSettings,
    Deleted,
    DeletionPolicy,
    Memory,
    Passage,
    Sealed,
    Tier,
    Words,
)
from memory.state import MemoryState
from memory.stores.codec import state_digest
from tests.builders import a_memory, a_message
from tests.fakes.clock import NOON

NAMES = ("琥珀花生", "手冲咖啡", "夜里的雨", "三花猫团子", "peanuts and tea")


def knowing(numbers: set[int]) -> MemoryState:
    """Return a state that remembers some things, each with the message it rests on."""
    records = [Put(a_memory(number, f"主人喜欢{NAMES[number - 1]}")) for number in sorted(numbers)]
    lines = tuple(a_message(f"s{n}", f"我喜欢{NAMES[n - 1]}") for n in sorted(numbers))
    seen = [Put(RememberedId(message_id=f"s{number}")) for number in sorted(numbers)]
    # The diary may know more than the window still shows.
    diary = [
        Put(DiaryLine(message=line, conversation="c", number=number, scene=number))
        for number, line in enumerate(lines, start=1)
    ]
    window = Put(Window(conversation="c", lines=lines[1:]))
    return MemoryState().apply([*records, *seen, *diary, window])[0]


def back(state: MemoryState, former: MemoryState) -> MemoryState:
    return state.apply(plan_rollback(state, former, NOON).changes)[0]


SOME = st.sets(st.integers(1, len(NAMES)), min_size=1)


@given(SOME, SOME)
def test_what_was_is_again_and_from_there_one_can_go_forth(now: set[int], was: set[int]) -> None:
    state, former = knowing(now), knowing(was)
    plan = plan_rollback(state, former, NOON)

    assert state_digest(back(state, former)) == state_digest(former)
    assert state_digest(back(back(state, former), state)) == state_digest(state)
    assert {m.id for m in plan.back} == was - now
    assert {m.id for m in plan.gone} == now - was
    assert back(state, former).next_id >= max(state.next_id, former.next_id)
    assert plan_rollback(state, state, NOON).changes == ()


@given(SOME, st.data())
def test_nothing_that_was_erased_since_comes_back_in_any_table(
    was: set[int], data: st.DataObject
) -> None:
    former = knowing(was)
    gone = data.draw(st.sampled_from(sorted(was)))
    erasure = plan_erasure(former, OneMemory(gone), NOON, key_hex="00" * 16)
    assert erasure is not None
    state, _ = former.apply(erasure.changes)

    then = back(state, former)

    assert NAMES[gone - 1] not in repr(then)
    assert plan_rollback(state, former, NOON).withheld == 1
    assert plan_import(state, former, NOON).refused == 1
    assert {m for m in was if m != gone} == set(then.memories)
    assert then.tombstones == state.tombstones


def test_what_was_sealed_since_stays_sealed_and_is_told_nowhere() -> None:
    former = knowing({1, 2})
    shut = replace(
        former.memory(1),
        words=Words(text="［已封存］", phrase="", keywords=()),
        sealed=Sealed(key="k", version=1, box="QUJD"),
        passages=(),
    )
    state, _ = former.apply([Put(shut), Put(Window(conversation="c"))])

    then = back(state, former)
    joining = plan_import(state, former, NOON)

    assert (joining.new, joining.refused) == (0, 1), "nor does it come in with an old export"
    assert then.memory(1) == shut
    assert NAMES[0] not in repr(then)
    assert then.memory(2) == former.memory(2)
    assert NAMES[1] in repr(then.windows)


def keeping(days: int | None, state: MemoryState) -> MemoryState:
    return state.apply([Put(AgentInfo(settings=AgentSettings(diary_days=days)))])[0]


def told_long_ago(state: MemoryState) -> MemoryState:
    """Return the state with its first line a year old."""
    line = state.diary["s1"]
    old = replace(line, message=replace(line.message, at=NOON - timedelta(days=365)))
    return state.apply([Put(old)])[0]


def test_going_back_brings_no_words_that_are_too_old_by_now_and_keeps_the_retention() -> None:
    state, former = keeping(30, knowing({2})), told_long_ago(keeping(None, knowing({1, 2})))
    plan = plan_rollback(state, former, NOON)
    after = state.apply(plan.changes)[0]

    assert plan.too_old == 1
    assert set(after.diary) == {"s2"}
    assert after.agent_info.settings.diary_days == 30
    assert {memory.id for memory in plan.back} == {1}


def test_going_back_from_keeping_all_brings_back_what_was_there() -> None:
    state, former = keeping(None, knowing({2})), told_long_ago(keeping(30, knowing({1, 2})))
    plan = plan_rollback(state, former, NOON)
    after = state.apply(plan.changes)[0]

    assert (plan.too_old, set(after.diary)) == (0, {"s1", "s2"})
    assert after.agent_info.settings.diary_days is None


def test_an_import_brings_no_words_that_are_too_old_either() -> None:
    export = told_long_ago(keeping(None, knowing({1, 2})))
    empty, knows = keeping(30, MemoryState()), keeping(30, knowing({3}))
    new, joined = (s.apply(plan_import(s, export, NOON).changes)[0] for s in (empty, knows))

    assert set(new.diary) == {"s2"}
    assert new.agent_info.settings.diary_days == 30
    assert set(joined.diary) == {"s2", "s3"}


def test_what_an_erasure_left_is_there_again_after_going_back_to_a_backup_made_since() -> None:
    """An episode loses its lines with a name that is erased; it is told anew from the rest."""
    name = replace(a_memory(1, "年糕", tier=Tier.ENTITY), passages=())
    gist = Passage(text="聊了银行", at=NOON, source_ids=("s2", "s5"))
    said = a_message("s2", "我在银行上班，养了年糕")
    told = Passage(text=said.text, at=NOON, source_ids=("s2",), verbatim=True, role="user")
    rest = Passage(text="香山红叶", at=NOON, source_ids=("s5",), verbatim=True, role="user")
    episode = replace(a_memory(2, "聊了银行", tier=Tier.EPISODE), passages=(gist, told, rest))
    line = DiaryLine(message=said, conversation="c", number=9, scene=2)
    known, _ = knowing({3}).apply([Put(name), Put(episode), Put(line)])
    plan = plan_erasure(known, OneMemory(1), NOON, key_hex="ab" * 16)
    assert plan is not None
    assert plan.messages == ("s2",)
    backup, _ = known.apply(plan.changes)
    later, _ = backup.apply([Drop(Memory, 2)])

    left = back(later, backup)

    assert "香山" in left.memories[2].words.text
    assert "银行" not in repr(left.memories[2])
    assert plan_rollback(later, backup, NOON).withheld == 0
    # A backup made before the erasure brings neither the name nor the lines back.
    before = back(later, known)
    assert 1 not in before.memories
    assert all("年糕" not in p.text for m in before.memories.values() for p in m.passages)


SAID = {
    "zh": ("主人在银行上班", "主人在花店上班"),
    "en": ("my friend works at a bank", "my friend works at a flower shop"),
}


def ended(memory: Memory) -> Memory:
    over = memory.trace.created_at + timedelta(days=60)
    return replace(memory, lineage=replace(memory.lineage, valid_until=over))


@pytest.mark.parametrize("language", SAID)
def test_what_was_lived_separately_in_the_same_words_does_not_come_twice(language: str) -> None:
    old, new = SAID[language]
    here = [ended(a_memory(1, old)), a_memory(2, new, at=NOON + timedelta(days=60))]
    # Learnt by another agent, some seconds later, from messages of its own.
    there = [
        replace(
            each,
            id=each.id + 7,
            trace=replace(each.trace, created_at=each.trace.created_at + timedelta(seconds=9)),
            passages=(replace(each.passages[0], source_ids=(f"x{each.id}",)),),
        )
        for each in here
    ]
    state, _ = MemoryState().apply([Put(each) for each in here])
    other, _ = MemoryState().apply([Put(each) for each in there])
    plan = plan_import(state, other, NOON)

    assert (plan.new, plan.known) == (0, 2)


@pytest.mark.parametrize("language", SAID)
def test_what_was_told_on_another_day_by_another_or_ended_here_only_comes(language: str) -> None:
    old, _ = SAID[language]
    here = a_memory(1, old)
    state, _ = MemoryState().apply([Put(here)])
    moment = replace(here.trace, created_at=NOON + timedelta(seconds=9))
    twin = replace(here, id=8, trace=moment)
    day = replace(twin, trace=replace(moment, created_at=NOON + timedelta(days=2)))
    whose = replace(twin, origin=replace(twin.origin, speaker="老王"))
    gone, _ = state.apply(
        [Put(replace(here, standing=Deleted(NOON, DeletionPolicy.AUTO_CLEANUP)))]
    )
    hidden, _ = state.apply(
        [Put(replace(here, standing=Deleted(NOON, DeletionPolicy.USER_DELETE)))]
    )

    def comes(held: MemoryState, memory: Memory) -> bool:
        return bool(plan_import(held, MemoryState().apply([Put(memory)])[0], NOON).new)

    assert comes(state, day)
    assert comes(state, whose)
    assert comes(state, ended(twin))
    assert comes(gone, twin)
    assert not comes(hidden, twin)
    assert not comes(state, twin)


@pytest.mark.parametrize(
    ("text", "other"), [("我爷爷的怀表丢了", "下雨了"), ("lost grandads watch", "it rains")]
)
def test_a_talk_that_was_lived_separately_does_not_come_twice(text: str, other: str) -> None:
    def lived(first: int, seconds: int, *said: str) -> MemoryState:
        at = NOON + timedelta(seconds=seconds)
        messages = [a_message(f"{first + n}", each, at=at) for n, each in enumerate(said)]
        hers = a_message(f"{first + 9}", f"{seconds}", role="assistant", at=at)
        told = [
            Passage(text=m.text, source_ids=(m.id,), at=at, role=m.role, verbatim=True)
            for m in (*messages, hers)
        ]
        episode = a_memory(first, "[2026-03-04 20:00] …", tier=Tier.EPISODE, at=at)
        records = [Put(replace(episode, passages=tuple(told)))]
        lines = [
            Put(DiaryLine(message=each, number=n, scene=first))
            for n, each in enumerate((*messages, hers), 1)
        ]
        return MemoryState().apply([*records, *lines])[0]

    state, same = lived(1, 0, text), lived(20, 9, text)
    after = state.apply(plan_import(state, same, NOON).changes)[0]
    told = [line.message.text for line in after.diary.values()]

    assert plan_import(state, same, NOON).known == 1
    assert sorted(told) == ["0", "9", text]
    assert plan_import(state, lived(20, 9, text, other), NOON).new == 1
