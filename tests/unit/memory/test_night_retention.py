"""What the diary keeps is the partner's to say: a night lets the older words go."""

from dataclasses import replace
from datetime import timedelta

import pytest

from memory.changes import AgentInfo, DiaryLine, PreviousText, Put, Record, Window
from memory.diary import tail_is_due
from memory.lifecycle.night import plan_night
from memory.model import AgentSettings, Memory, Message, Passage, Tier
from memory.state import MemoryState
from tests.builders import a_memory, a_message
from tests.fakes.clock import NOON

OLD = replace(a_message("old", "团子是一只橘猫"), at=NOON - timedelta(days=20))
NEW = replace(a_message("new", "明天面试"), at=NOON - timedelta(days=3))

IDS = (OLD.id, NEW.id)


def a_quote(message: Message) -> Passage:
    return Passage(
        text=message.text,
        source_ids=(message.id,),
        at=message.at,
        speaker="主人",
        role="user",
        verbatim=True,
    )


def a_state(days: int | None) -> MemoryState:
    memory = a_memory(1, "主人养猫")
    quoted = [a_quote(OLD), a_quote(NEW)]
    memory = replace(memory, passages=(replace(memory.passages[0], source_ids=IDS), *quoted))
    lines = [DiaryLine(message=m, number=n) for n, m in enumerate((OLD, NEW), start=1)]
    text = PreviousText(memory_id=1, at=NOON, words=memory.words, passages=tuple(quoted))
    info = AgentInfo(settings=AgentSettings(diary_days=days))
    records: tuple[Record, ...] = (info, memory, text, *lines)
    return MemoryState().apply([Put(record) for record in records])[0]


def after_a_night(state: MemoryState) -> MemoryState:
    return state.apply(plan_night(state, NOON).changes)[0]


def quoted(memory: Memory) -> set[str]:
    return {each.text for each in memory.passages if each.verbatim}


@pytest.mark.parametrize(
    ("days", "left"),
    [
        (None, {"old", "new"}),
        (30, {"old", "new"}),
        (10**9, {"old", "new"}),
        (10, {"new"}),
        (0, {"new"}),
        (2, set()),
    ],
)
def test_a_night_lets_older_lines_go(days: int | None, left: set[str]) -> None:
    state = after_a_night(a_state(days))

    assert set(state.diary) == left


def test_memories_keep_their_gist_and_ids_and_no_quote() -> None:
    state = after_a_night(a_state(0))
    memory = state.memories[1]

    assert OLD.text not in quoted(memory)
    assert NEW.text in quoted(memory)
    assert (memory.words.text, memory.source_ids) == ("主人养猫", IDS)
    assert [each.text for each in state.previous_texts[1].passages] == [NEW.text]


def test_a_memory_of_quotes_only_is_still_found_by_its_gist() -> None:
    before = a_state(2)
    episode = replace(before.memories[1], passages=(a_quote(OLD),))
    episode = replace(episode, nature=replace(episode.nature, tier=Tier.EPISODE))
    before, _ = before.apply([Put(episode)])

    (passage,) = after_a_night(before).memories[1].passages
    assert (passage.text, passage.verbatim, passage.source_ids) == ("主人养猫", False, ("old",))


def test_an_old_line_leaves_the_window_for_its_tail_and_is_summarised() -> None:
    window = Window(conversation="c", lines=(OLD, NEW))
    state, _ = a_state(0).apply([Put(window)])

    left = after_a_night(state).windows["c"]

    assert (left.tail, left.lines) == ((OLD,), (NEW,))
    assert tail_is_due(left, NOON)


def test_a_window_older_than_what_is_kept_is_emptied() -> None:
    state, _ = a_state(2).apply([Put(Window(conversation="c", lines=(OLD, NEW)))])

    assert after_a_night(state).windows["c"] == Window(conversation="c", tail=(OLD, NEW))


def test_the_night_after_has_nothing_more_to_do() -> None:
    state = after_a_night(a_state(10))

    assert after_a_night(state).diary == state.diary
    assert after_a_night(state).memories == state.memories
