"""Intentions as records: what reaches them, when they hold, and under which id they are said."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from memory.changes import AgentInfo, Change, DiaryLine, Put, Turn, Window
from memory.erasing.erasure import plan_erasure
from memory.erasing.scope import TextMatch
from memory.initiative.intentions import (
    ENDED_KEPT,
    Beginning,
    holds,
    hushed,
    is_private,
    manners_of,
    next_beginning,
    plan_passed,
    plan_said,
    plan_stopped,
    plan_turn,
    planned,
)
from memory.lifecycle.undo import last_step, plan_undo
from memory.merging.arrival import VaultPair, arriving_intentions, copy_changes
from memory.model import AgentSettings, Deleted, DeletionPolicy, Sensitivity
from memory.reminder import Intention
from memory.state import MemoryState
from memory.stores.codec import decode, encode
from tests.builders import a_memory, a_message

AT = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
"""Eight in the evening in Shanghai."""

DAY = timedelta(days=1)
LINE = a_message("m1", "明天下午三点我有个面试", at=AT - DAY)
ONE = Intention(
    id=1,
    kind="follow_up",
    about="interview",
    what="面试",
    text=LINE.text,
    at=AT,
    until=AT + DAY,
    told_at=AT - DAY,
    made_at=AT - DAY,
    day=date(2026, 3, 4),
    message_ids=("m1",),
)
RESTS = replace(ONE, id=2, text="我的生日是3月9日", message_ids=(), memory_ids=(1,))


def state_of(*changes: Intention | Change) -> MemoryState:
    allowed = Put(AgentInfo(settings=AgentSettings(begins="yes")))
    puts = [Put(each) if isinstance(each, Intention) else each for each in changes]
    return MemoryState().apply([allowed, Put(DiaryLine(message=LINE, number=1)), *puts])[0]


def said(state: MemoryState, text: str, at: datetime) -> MemoryState:
    """Return the state after a turn in which the partner says something."""
    reply = a_message("r", "嗯嗯", at=at, speaker="小祥", role="assistant")
    turn = Turn(id="t", conversation="c", at=at, said=(a_message("m9", text, at=at),), reply=reply)
    return state.apply(plan_turn(turn, (), state))[0]


def test_it_stays_itself_on_disk() -> None:
    full = replace(RESTS, yearly=True, moon=(8, 15), ended="said", ended_at=AT, said_at=AT)

    assert decode(Intention, encode(full)) == full
    assert decode(Intention, encode(ONE)) == ONE


def test_an_occurrence_has_one_id_for_ever() -> None:
    ids = {Beginning(ONE, at).turn_id for at in (AT, AT + DAY)}
    others = {Beginning(replace(ONE, at=AT + DAY), AT).turn_id, Beginning(RESTS, AT).turn_id}

    assert len(ids) == 1
    assert len(ids | others) == 3


def test_an_erasure_reaches_it_by_its_words_its_message_and_its_memory() -> None:
    memory = a_memory(1, "主人的生日是3月9日")
    state = state_of(ONE, RESTS, replace(ONE, id=3, text="别的", message_ids=()), Put(memory))
    by_words = plan_erasure(state, TextMatch("面试"), AT, key_hex="00" * 16)
    by_memory = plan_erasure(state, TextMatch("生日"), AT, key_hex="00" * 16)

    assert by_words is not None
    assert by_memory is not None
    assert set(state.apply(by_words.changes)[0].intentions) == {2, 3}
    assert set(state.apply(by_memory.changes)[0].intentions) == {1, 3}


def test_it_holds_only_while_all_it_rests_on_does() -> None:
    memory = a_memory(1, "主人的生日是3月9日")
    gone = replace(memory, standing=Deleted(AT, DeletionPolicy.USER_DELETE))
    past = replace(memory, lineage=replace(memory.lineage, valid_until=AT))
    same_words = replace(past, id=2, passages=(replace(past.passages[0], source_ids=("m1",)),))
    hidden = Put(DiaryLine(message=LINE, number=1, hidden=True))

    assert holds(RESTS, state_of(Put(memory)))
    assert not any(holds(RESTS, state_of(Put(each))) for each in (gone, past))
    assert not holds(RESTS, state_of())
    assert holds(ONE, state_of())
    assert not holds(ONE, state_of(hidden))
    assert not holds(ONE, state_of(Put(same_words)))


def test_what_comes_from_elsewhere_keeps_its_memory_and_comes_once() -> None:
    here, there = state_of(ONE), state_of(ONE, RESTS, replace(RESTS, id=3, memory_ids=(9,)))
    coming = list(arriving_intentions(here, there, {1: 41}.get))

    assert [(each.id, each.memory_ids) for each in coming] == [(2, (41,))]


def test_a_copy_has_none_and_a_backup_brings_nothing_of_the_past() -> None:
    copied = list(copy_changes(state_of(ONE), VaultPair(previous=None, new=None)))

    assert not any(isinstance(c, Put) and isinstance(c.record, Intention) for c in copied)
    assert hushed(ONE, AT + timedelta(minutes=1)).ended == "passed"
    assert hushed(ONE, AT - timedelta(minutes=1)) == ONE


def test_what_was_stopped_is_brought_back_by_undo() -> None:
    state = state_of(ONE)
    stopped = state.apply(plan_stopped(state, [1], "stopped", AT))[0]
    step = last_step(stopped)
    assert step is not None

    assert planned(stopped, AT) == ()
    assert stopped.apply(plan_undo(stopped, step))[0].intentions[1] == ONE


def test_what_was_said_is_noted_once_and_the_oldest_go() -> None:
    old = [
        replace(ONE, id=n, ended="said", ended_at=AT - DAY, said_at=AT - 9 * DAY)
        for n in range(2, ENDED_KEPT + 4)
    ]
    state = state_of(ONE, *old)
    begun = Beginning(ONE, AT)
    after = state.apply(plan_said(state, begun, AT))[0]

    assert after.intentions[1].said_at == AT
    assert plan_said(after, begun, AT + DAY) == ()
    assert len(after.intentions) == ENDED_KEPT + 1


def test_a_yearly_day_comes_again_also_by_the_moon() -> None:
    sun = replace(ONE, kind="day", about="own_birthday", yearly=True, day=date(2026, 3, 4))
    moon = replace(sun, day=date(2026, 9, 25), moon=(8, 15))
    days = []
    for one in (sun, moon):
        state = state_of(one)
        days.append(state.apply(plan_said(state, Beginning(one, AT), AT))[0].intentions[2].day)

    assert days == [date(2027, 3, 4), date(2027, 9, 15)]


def test_what_is_told_of_or_called_off_ends() -> None:
    state = state_of(ONE)

    assert said(state, "面试过了", AT).intentions[1].ended == "told"
    assert said(state, "面试取消了", AT - 20 * timedelta(hours=1)).intentions[1].ended == "told"
    assert said(state, "好担心面试", AT - 20 * timedelta(hours=1)).intentions[1].is_open
    assert said(state, "今天吃了拉面", AT).intentions[1].is_open


def test_what_was_moved_is_asked_on_the_new_day() -> None:
    after = said(state_of(ONE), "面试改到周五下午了", AT - 20 * timedelta(hours=1))

    assert [(each.ended, each.day) for each in after.intentions.values()] == [
        ("told", date(2026, 3, 4)),
        ("", date(2026, 3, 6)),
    ]


def test_a_secret_is_never_kept_in_it() -> None:
    state = state_of()

    assert not said(state, "明天考试，我的密码是 hunter2xyz", AT).intentions


def test_while_she_may_not_nothing_new_is_kept_but_what_is_told_of_still_ends() -> None:
    refused = Put(AgentInfo(settings=AgentSettings(begins="no")))
    state = state_of(ONE).apply([refused])[0]

    assert said(state, "明天有个考试", AT).intentions == state.intentions
    assert said(state, "面试过了", AT).intentions[1].ended == "told"
    assert next_beginning(state, AT) is None


def test_what_was_never_said_in_its_time_passes() -> None:
    state = state_of(ONE)
    after = state.apply(plan_passed(state, AT + DAY))[0]

    assert after.intentions[1].ended == "passed"
    assert list(plan_passed(after, AT + 2 * DAY)) == []


def test_a_clock_that_was_set_back_silences_nothing_for_long() -> None:
    future = replace(ONE, id=2, ended="said", ended_at=AT + 900 * DAY, said_at=AT + 900 * DAY)
    line = a_message("m2", "在吗", at=AT + 900 * DAY)
    state = state_of(ONE, future, Put(Window(conversation="c", lines=(line,))))
    manners = manners_of(state, AT)

    assert manners.said == [AT]
    assert manners.line_at == AT
    begun = next_beginning(state, AT)
    assert begun is None or begun.at <= AT + DAY


def test_words_about_health_are_private_and_a_plain_question_is_not() -> None:
    promise = replace(ONE, kind="promise", about="promise", text="我答应周五陪妈妈去做手术")
    graded = a_memory(1, "主人的生日是3月9日")
    graded = replace(graded, nature=replace(graded.nature, sensitivity=Sensitivity.SENSITIVE))

    assert is_private(promise, state_of())
    assert not is_private(replace(promise, text="我答应周五交报告"), state_of())
    assert not is_private(replace(ONE, about="health", text="我后天要做胃镜"), state_of())
    assert is_private(replace(ONE, text="我怀孕了，周五做产检"), state_of())
    assert is_private(RESTS, state_of(Put(graded)))
