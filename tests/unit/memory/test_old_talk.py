"""An old talk that is judged once more revives nothing, whatever became of what it taught."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from memory.changes import Correction, Corrections, DiaryLine, Put, Task
from memory.judgement.assertions import ParsedText
from memory.judgement.draft import Judgement
from memory.judgement.new_facts import known_fact, settled_at
from memory.learning import consolidation, summarizer
from memory.model import Deleted, DeletionPolicy, Memory, Merged, Tier
from memory.offline import OfflineModel
from memory.state import MemoryState
from tests.builders import a_memory, a_message
from tests.fakes.clock import NOON
from tests.fakes.judging import a_state

DAY = timedelta(days=1)
NIGHT = NOON + 60 * DAY


def _heard(memory: Memory) -> Memory:
    """Return a memory as learnt from the one line of the talk."""
    return replace(memory, passages=(replace(memory.passages[0], source_ids=("1",)),))


def _ended(memory: Memory, at: datetime, by: int | None = None) -> Memory:
    return replace(memory, lineage=replace(memory.lineage, replaced_by=by, valid_until=at))


def _learnt_again(line: str, again: str, *records: Memory | Corrections) -> list[str]:
    """Return what is new after the talk of one line was judged by the rules and by a judge."""
    talk = (a_message("1", line), a_message("2", "嗯", speaker="小祥", role="assistant"))
    state = a_state(language="en" if line.isascii() else "zh")
    task = Task(id="t", kind="segment", at=NOON, messages=talk, conversation="c")
    state, _ = state.apply([*(Put(record) for record in records), Put(task)])
    asked = summarizer.stretch_question(talk, state, NOON, stretch="t", conversation="c")
    state, _ = state.apply(summarizer.episodes_by_rule(asked, state, NOON).changes)
    known = set(state.memories)
    after = _consolidated(state, again)
    return [m.words.text for key, m in after.memories.items() if key not in known and m.is_fact]


def _consolidated(state: MemoryState, again: str) -> MemoryState:
    episodes = [m.id for m in state.memories.values() if m.nature.tier is Tier.EPISODE]
    question = consolidation.episodes_question(episodes, state, NIGHT)
    by_rule = asyncio.run(OfflineModel().complete(question.prompt)).text
    for answer in (by_rule, again):
        judged = consolidation.judge(question, answer, state, NIGHT, last=answer is again)
        assert isinstance(judged, Judgement), judged
        state, _ = state.apply(judged.changes)
    return state


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("我养了一只叫煤球的狗", "主人养了一只叫煤球的狗"),
        ("I have a dog called Rex", "主人 has a dog called Rex"),
    ],
)
@pytest.mark.parametrize("policy", list(DeletionPolicy))
def test_what_was_deleted_since_is_not_learnt_again(
    line: str, text: str, policy: DeletionPolicy
) -> None:
    gone = replace(a_memory(1, text), standing=Deleted(NOON + DAY, policy))
    assert _learnt_again(line, f"[ADD] {text}")
    assert not _learnt_again(line, f"[ADD] {text}", gone)


@pytest.mark.parametrize(
    ("line", "text", "right"),
    [
        ("我住在扬州", "主人住在扬州", "主人住在泰州"),
        ("I live in York", "主人 lives in York", "主人 lives in Hull"),
    ],
)
def test_what_was_put_right_since_is_not_learnt_again(line: str, text: str, right: str) -> None:
    entry = Correction(at=NOON + DAY, reason="edit", before=text, after=right)
    history = Corrections(memory_id=1, entries=(entry,))
    assert not _learnt_again(line, f"[ADD] {text}", a_memory(1, right), history)


def test_of_lines_on_which_rests_what_the_partner_hid_nothing_is_learnt() -> None:
    hidden = Deleted(NOON + DAY, DeletionPolicy.USER_DELETE)
    gone = _heard(replace(a_memory(1, "主人在养狗"), standing=hidden))
    assert not _learnt_again("我养了一只叫煤球的狗", "[ADD] 主人养了一只叫煤球的狗", gone)


def test_of_a_line_that_is_marked_after_a_purge_nothing_is_learnt() -> None:
    line = "我养了一只叫煤球的狗"
    talk = (a_message("1", line),)
    task = Task(id="t", kind="segment", at=NOON, messages=talk, conversation="c")
    state, _ = a_state().apply([Put(task)])
    asked = summarizer.stretch_question(talk, state, NOON, stretch="t", conversation="c")
    state, _ = state.apply(summarizer.episodes_by_rule(asked, state, NOON).changes)
    state, _ = state.apply([Put(DiaryLine(message=talk[0], number=1, hidden=True))])

    after = _consolidated(state, "[ADD] 主人养了一只叫煤球的狗")

    assert not [m for m in after.memories.values() if m.is_fact]


def test_what_held_when_it_was_said_again_is_news() -> None:
    over = _ended(a_memory(1, "主人住在扬州", at=NOON - 9 * DAY), NOON - DAY)
    assert _learnt_again("我住在扬州", "[ADD] 主人住在扬州", over) == ["主人住在扬州"]


def test_what_was_merged_ends_with_what_it_was_merged_into() -> None:
    into = _ended(a_memory(2, "主人对青霉素过敏，从小就是"), NOON + 17 * DAY)
    first = replace(a_memory(1, "主人对青霉素过敏"), standing=Merged(NOON, into.id))
    state = a_state(first, into)
    said = [a_message("9", "我对青霉素过敏", at=NOON + DAY)]

    known = known_fact(ParsedText("主人对青霉素过敏"), "主人", state, said=said)

    assert settled_at(first, state) == NOON + 17 * DAY
    assert known == first
    late = [a_message("9", "我对青霉素过敏", at=NOON + 20 * DAY)]
    assert known_fact(ParsedText("主人对青霉素过敏"), "主人", state, said=late) is None


def test_merging_in_a_circle_comes_to_an_end() -> None:
    one = replace(a_memory(1), standing=Merged(NOON, 2))
    other = replace(a_memory(2), standing=Merged(NOON + DAY, 1))
    assert settled_at(one, a_state(one, other)) == NOON + DAY


def test_an_old_talk_does_not_end_what_was_told_again_after_it() -> None:
    told_twice = a_memory(1, "主人住在泰州", at=NOON - DAY)
    trace = replace(told_twice.trace, mentions=(NOON + DAY,), mention_count=1)
    known = replace(told_twice, trace=trace)
    task_line = "我搬到扬州了"
    talk = (a_message("1", task_line),)
    task = Task(id="t", kind="segment", at=NOON, messages=talk, conversation="c")
    state, _ = a_state(known).apply([Put(task)])
    asked = summarizer.stretch_question(talk, state, NOON, stretch="t", conversation="c")
    state, _ = state.apply(summarizer.episodes_by_rule(asked, state, NOON).changes)

    after = _consolidated(state, "[ADD] 主人搬到扬州了")

    assert not after.memory(1).is_past


def _later(key: str, text: str, days: int, **fields: Any) -> DiaryLine:
    message = a_message(key, text, at=NOON + days * DAY)
    return DiaryLine(message=message, conversation="c", number=int(key), **fields)


def _learnt_late(line: str, *later: DiaryLine) -> list[str]:
    """Return what is learnt of an old talk, of which and since which the diary alone tells."""
    talk = (a_message("1", line),)
    state = a_state(language="en" if line.isascii() else "zh")
    task = Task(id="t", kind="segment", at=NOON, messages=talk, conversation="c")
    state, _ = state.apply([Put(task), Put(DiaryLine(message=talk[0], number=1))])
    asked = summarizer.stretch_question(talk, state, NOON, stretch="t", conversation="c")
    state, _ = state.apply(summarizer.episodes_by_rule(asked, state, NOON).changes)
    state, _ = state.apply(map(Put, later))
    after = _consolidated(state, "[SKIP]")
    return [m.words.text for m in after.memories.values() if m.is_fact]


OVER_SINCE = [
    ("我在一家面包店上班 住在大理", "我辞职了 搬到昆明了 现在在一家幼儿园上班"),
    ("我在一家面包店上班", "我辞职了"),
    ("我住在大理", "我搬到昆明了"),
    ("I work at a bakery and I live in Dundee",
     "I quit my job, moved to Leith, I work at a nursery now"),
    ("I work at a bakery", "I quit my job"),
    ("I live in Dundee", "I moved to Leith"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "since"), OVER_SINCE)
def test_what_a_later_line_ended_is_not_learnt_again_though_no_memory_tells_of_it(
    line: str, since: str
) -> None:
    assert _learnt_late(line)
    assert not _learnt_late(line, _later("3", since, 90))


@pytest.mark.parametrize(
    ("line", "since", "fields"),
    [
        ("我住在大理", "我想搬到昆明", {}),
        ("我住在大理", "我姐姐搬到昆明了", {}),
        ("我住在大理", "我每天早上跑五公里", {}),
        ("我住在大理", "我搬到昆明了", {"hidden": True}),
        ("I live in Dundee", "I want to move to Leith", {}),
        ("I live in Dundee", "my sister moved to Leith", {}),
        ("I live in Dundee", "I run 5k every morning", {}),
        ("I live in Dundee", "I moved to Leith", {"hidden": True}),
    ],
)
def test_what_no_later_line_ended_is_learnt(
    line: str, since: str, fields: dict[str, bool]
) -> None:
    assert _learnt_late(line, _later("3", since, 90, **fields)) == _learnt_late(line)


@pytest.mark.parametrize(("line", "earlier"), OVER_SINCE)
def test_what_was_said_before_an_old_talk_ends_nothing_of_it(line: str, earlier: str) -> None:
    assert _learnt_late(line, _later("3", earlier, -90)) == _learnt_late(line)


def test_what_somebody_else_said_later_ends_nothing() -> None:
    other = _later("3", "我搬到昆明了", 90)
    other = replace(other, message=replace(other.message, speaker="阿强"))
    assert _learnt_late("我住在大理", other) == _learnt_late("我住在大理")
