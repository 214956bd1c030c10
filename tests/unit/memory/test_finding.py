"""What a night finds to bring up: days that memories tell, what fades, a year ago."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from memory.changes import DiaryLine, Put
from memory.initiative.finding import REVIEW_EVERY, plan_thoughts
from memory.initiative.intentions import next_beginning, planned
from memory.model import Deleted, DeletionPolicy, Kind, Memory, Message, Sensitivity
from memory.reminder import Intention
from memory.state import MemoryState
from tests.builders import a_memory, a_message

NOW = datetime(2026, 3, 3, 20, 0, tzinfo=UTC)
"""Four in the morning in Shanghai, a Wednesday."""

LONG_AGO = NOW - timedelta(days=25)


def a_state(
    memories: Iterable[Memory] = (), lines: Iterable[Message] = (), *, begins: str = "yes"
) -> MemoryState:
    info = MemoryState().agent_info
    settings = replace(info.settings, begins=begins)  # type: ignore[arg-type]
    diary = (DiaryLine(message=m, number=n) for n, m in enumerate(lines, start=1))
    return MemoryState().apply(
        [Put(replace(info, settings=settings)), *map(Put, memories), *map(Put, diary)]
    )[0]


def found(
    state: MemoryState, now: datetime = NOW, *, all_memories: bool = False
) -> list[Intention]:
    after, _ = state.apply(plan_thoughts(state, now, all_memories=all_memories))
    return list(after.intentions.values())


def test_a_birthday_a_memory_tells_is_kept_in_mind() -> None:
    memory = a_memory(1, "主人的妈妈的生日是3月9日", kind=Kind.IDENTITY, at=LONG_AGO)
    state = a_state([memory])

    (one,) = [each for each in found(state, all_memories=True) if each.kind == "day"]
    assert (one.what, one.memory_ids) == ("妈妈的生日", (1,))
    assert found(a_state([replace(memory)], begins="asked"), all_memories=True) == []


def test_a_plan_that_a_model_learnt_is_kept_once() -> None:
    memory = a_memory(1, "主人明天（2026-03-05）有个面试", at=NOW - timedelta(hours=3))
    once = a_state([memory])
    after, _ = once.apply(plan_thoughts(once, NOW))

    (one,) = after.intentions.values()
    assert (one.kind, one.about) == ("follow_up", "interview")
    assert not [c for c in plan_thoughts(after, NOW) if isinstance(c, Put)]


def test_what_fades_and_matters_is_asked_about_once_a_week() -> None:
    likes = [
        a_memory(n, f"主人最喜欢{each}", at=LONG_AGO) for n, each in enumerate(("爬山", "拉面"), 1)
    ]
    state = a_state(likes)
    after, _ = state.apply(plan_thoughts(state, NOW))
    (first,) = after.intentions.values()
    ended = replace(first, ended="said", ended_at=NOW, said_at=NOW)
    later, _ = after.apply([Put(ended)])

    assert first.kind == "review"
    assert "我最喜欢" in first.text
    assert found(later, NOW + REVIEW_EVERY - timedelta(hours=1)) == [ended]
    (_, second) = found(later, NOW + REVIEW_EVERY)
    assert second.memory_ids != first.memory_ids


def test_what_is_private_painful_past_or_hidden_is_not_asked_about() -> None:
    kept = a_memory(1, "主人最喜欢爬山", at=LONG_AGO)
    private = replace(kept, id=2, nature=replace(kept.nature, sensitivity=Sensitivity.SENSITIVE))
    painful = a_memory(3, "主人最喜欢的奶奶去世了", at=LONG_AGO)
    past = replace(kept, id=4, lineage=replace(kept.lineage, valid_until=NOW))
    hidden = replace(kept, id=5, standing=Deleted(NOW, DeletionPolicy.USER_DELETE))

    assert found(a_state([private, painful, past, hidden])) == []


def test_what_ended_since_is_not_said() -> None:
    memory = a_memory(1, "主人最喜欢爬山", at=LONG_AGO)
    state = a_state([memory])
    after, _ = state.apply(plan_thoughts(state, NOW))
    ended, _ = after.apply(
        [Put(replace(memory, lineage=replace(memory.lineage, valid_until=NOW)))]
    )

    assert next_beginning(after, NOW) is not None
    assert planned(ended, NOW) == ()
    assert next_beginning(ended, NOW) is None


def test_a_year_ago_today_comes_from_the_diary() -> None:
    then = datetime(2025, 3, 4, 6, 0, tzinfo=UTC)
    lines = [
        a_message("1", "嗯嗯", at=then),
        a_message("2", "今天第一次带着团子去了海边，它追着浪花跑了整整一个下午", at=then),
        a_message("3", "今天我和他分手了，在海边坐了整整一个下午，哭了很久很久", at=then),
        a_message("4", "你觉得明天会下雨吗？", at=then),
    ]
    (one,) = found(a_state(lines=lines))

    assert (one.about, one.message_ids) == ("year_ago", ("2",))
    assert one.at == datetime(2026, 3, 4, 4, 30, tzinfo=UTC)
    assert found(a_state(lines=lines), NOW + timedelta(days=2)) == []


def test_what_was_never_said_passes_and_a_yearly_day_comes_again() -> None:
    memory = a_memory(1, "主人的生日是3月9日", kind=Kind.IDENTITY, at=NOW - timedelta(hours=3))
    state = a_state([memory])
    after, _ = state.apply(plan_thoughts(state, NOW))
    later = found(after, NOW + timedelta(days=400))

    assert [(each.ended, each.day and each.day.year) for each in later] == [
        ("passed", 2026),
        ("", 2028),
    ]


def test_a_birthday_told_years_ago_is_kept_in_mind_as_it_comes_next() -> None:
    memory = a_memory(1, "主人的生日是3月4日", kind=Kind.IDENTITY, at=NOW - timedelta(days=900))

    (one,) = [e for e in found(a_state([memory]), all_memories=True) if e.kind == "day"]
    assert one.day is not None
    assert (one.day.year, one.at > NOW, one.until < NOW + timedelta(days=1)) == (2026, True, True)
