"""What was announced for a day holds once that day is past, and ends what held till then."""

from datetime import datetime, timedelta

import pytest

from memory.changes import Put
from memory.judgement.news import plan_days_come
from memory.laws import disuse
from memory.learning.monitor import turn_question
from memory.model import Kind, Memory
from memory.offline import OFFLINE_NAME
from memory.offline.judgements import turn_operations
from memory.state import MemoryState
from memory.text.tokens import is_dense
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.judging import a_state, a_turn, learnt
from tests.fakes.life import told_day_by_day

LATER = NOON + timedelta(days=75)


def told(*lines: str) -> MemoryState:
    """Return what is known after these lines, five minutes one after another."""
    chinese = is_dense(lines[0])
    speaker = "主人" if chinese else "Ann"
    state = a_state(language="zh" if chinese else "en", partner=speaker)
    for number, line in enumerate(lines):
        at = NOON + timedelta(minutes=5 * number)
        known = [each.id for each in state.memories.values()]
        turn = a_turn(line, speaker=speaker, turn_id=f"t{number}", at=at, used=known)
        waiting, _ = state.apply([Put(turn)])
        answer = turn_operations(turn_question(turn, waiting).prompt)
        state = learnt(state, turn, answer, model=OFFLINE_NAME).state
    return state


def after(state: MemoryState, now: datetime = LATER) -> MemoryState:
    return state.apply(plan_days_come(state, now).changes)[0]


def known(state: MemoryState) -> list[Memory]:
    return [each for _, each in sorted(state.memories.items()) if each.is_living_fact]


def texts(state: MemoryState) -> list[str]:
    return [each.words.text for each in known(state)]


@pytest.mark.parametrize(
    ("before", "announced", "come"),
    [
        ("I work in the council", "I'm starting at Tesco on 1 April", "Ann started at Tesco on"),
        ("I work in the council", "I start at Tesco on 1 April", "Ann started at Tesco on"),
        ("I work in the council", "I'm joining Aldi next Monday", "Ann joined Aldi (2026-03-09)"),
        ("I live in Leeds", "I'm moving to York on 3 April", "Ann moved to York on 3 April"),
        ("I live in Leeds", "We're moving to York next month", "Ann: We moved to York (2026-04)"),
        ("我在规划局上班", "我4月8号去腾讯入职", "主人4月8号去腾讯入职了"),
        ("我在规划局上班", "我下个月去腾讯上班", "主人2026-04去腾讯上班了"),
        ("我在规划局上班", "我下周一要去阿里报到", "主人2026-03-09去阿里报到了"),
        ("我住在杭州", "我4月1号搬去苏州住", "主人4月1号搬去苏州住了"),
        ("我在一中读书", "我4月8号转学到二中", "主人4月8号转学到二中了"),
        ("我住在杭州", "我下个月就要搬到苏州了", "主人2026-04搬到苏州了"),
    ],
)
def test_what_was_announced_holds_once_its_day_is_past(
    before: str, announced: str, come: str
) -> None:
    state = told(before, announced)
    assert len(texts(state)) == len((before, announced))

    (held,) = known(after(state))

    assert held.words.text.startswith(come)
    assert held.nature.kind is Kind.IDENTITY
    assert not disuse.is_over(held, LATER)
    assert held.origin.quote == announced
    (old,) = (each for each in after(state).memories.values() if each.is_past)
    begun = held.lineage.valid_from
    assert begun is not None
    assert begun == old.lineage.valid_until
    assert NOON + timedelta(days=4) < begun <= LATER


@pytest.mark.parametrize(
    ("before", "other"),
    [
        ("I live in Leeds", "I'm going to York on 3 April"),
        ("I live in Leeds", "I might move to York on 3 April"),
        ("I work in the council", "I have an interview at Tesco on 1 April"),
        ("I work in the council", "my sister is starting at Tesco on 1 April"),
        ("我住在杭州", "我打算4月1号搬去苏州住"),
        ("我住在杭州", "我4月1号去苏州玩"),
        ("我在规划局上班", "我4月8号去腾讯面试"),
        ("我在规划局上班", "我妹妹4月8号去腾讯入职"),
        ("我住在杭州", "我明年3月搬去苏州"),
    ],
)
def test_what_is_no_change_of_ones_own_or_not_sure_ends_nothing(before: str, other: str) -> None:
    state = told(before, other)

    assert texts(after(state)) == texts(state)


@pytest.mark.parametrize(
    "lines",
    [
        ("我在规划局上班", "我4月8号去腾讯入职", "腾讯不去了"),
        ("I work in the council", "I'm starting at Tesco on 1 April", "I got a job at Aldi"),
        ("我住在杭州", "我4月1号搬去苏州住", "我搬到南京了"),
    ],
)
def test_what_was_called_off_or_changed_since_does_not_come(lines: tuple[str, ...]) -> None:
    state = told(*lines)

    assert texts(after(state)) == texts(state)


def test_before_its_day_nothing_is_over_and_afterwards_it_comes_once() -> None:
    state = told("I work in the council", "I'm starting at Tesco on 1 April")

    assert plan_days_come(state, NOON + timedelta(days=20)).changes == ()
    assert plan_days_come(after(state), LATER).changes == ()


@pytest.mark.parametrize(
    ("language", "before", "announced", "come"),
    [
        ("en", "I work in the council", "I'm starting at Tesco on 1 April", "started at Tesco"),
        ("zh", "我在规划局上班", "我4月8号去腾讯入职", "4月8号去腾讯入职了"),
    ],
)
async def test_a_night_lets_it_hold_before_its_day_is_over(
    language: str, before: str, announced: str, come: str
) -> None:
    clock = FakeClock()
    told_of = [{"day": day, "text": text} for day, text in enumerate((before, announced))]
    agent = await told_day_by_day({"lang": language, "told": told_of}, clock)
    clock.set(LATER)

    await agent.nightly()
    await agent.nightly()

    held = [each for each in agent.state.memories.values() if each.is_living_fact]
    assert [come in each.words.text for each in held] == [True]
    await agent.close()
