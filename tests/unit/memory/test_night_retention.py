"""What the diary keeps is the partner's to say: a night lets the older words go."""

from dataclasses import replace
from datetime import timedelta

import pytest

from memory.changes import (
    AgentInfo,
    DiaryLine,
    PreviousText,
    Put,
    Record,
    Task,
    Turn,
    Undo,
    Window,
)
from memory.diary import tail_is_due
from memory.lifecycle.effects import without_words_before
from memory.lifecycle.night import plan_night
from memory.model import AgentSettings, Memory, Message, Passage, Tier
from memory.state import MemoryState
from memory.stores.exports import export_bytes
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


def with_a_quote(state: MemoryState, message: Message) -> MemoryState:
    memory = state.memories[1]
    origin = replace(memory.origin, quote=message.text, at=message.at)
    return state.apply([Put(replace(memory, origin=origin))])[0]


def test_the_quote_of_a_fact_goes_with_its_words() -> None:
    old, new = (with_a_quote(a_state(10), message) for message in (OLD, NEW))

    assert after_a_night(old).memories[1].origin.quote == ""
    assert after_a_night(new).memories[1].origin.quote == NEW.text


def test_no_step_can_be_undone_that_would_bring_words_back() -> None:
    before = a_state(10)
    records: tuple[Record, ...] = (before.diary["old"], before.memories[1], before.diary["new"])
    steps = [
        Undo(id=number, at=NOON, actor="partner", label="x", inverse=(Put(record),))
        for number, record in enumerate(records, start=1)
    ]
    before, _ = before.apply(map(Put, steps))

    assert set(after_a_night(before).undos) == {3}


def waiting(state: MemoryState) -> MemoryState:
    """Return the state with both messages in every place in which words wait."""
    reply = replace(OLD, id="reply", role="assistant")
    records: tuple[Record, ...] = (
        Window(conversation="c", lines=(NEW,), tail=(OLD,)),
        Window(conversation="d", lines=(OLD, NEW)),
        Task(id="both", kind="segment", at=NOON, messages=(OLD, NEW)),
        Task(id="one", kind="segment", at=NOON, messages=(OLD,)),
        Task(id="both-named", kind="segment", at=NOON, lines=IDS),
        Task(id="one-named", kind="segment", at=NOON, lines=(OLD.id,)),
        Turn(id="t", conversation="c", at=OLD.at, said=(OLD,), reply=reply),
        Turn(id="u", conversation="c", at=NEW.at, said=(NEW,), reply=replace(NEW, id="r")),
    )
    return with_a_quote(state, OLD).apply([Put(record) for record in records])[0]


def test_a_former_state_keeps_none_of_the_older_words_in_any_place() -> None:
    full = waiting(a_state(None))
    short = without_words_before(full, NOON - timedelta(days=10))

    assert short is not None
    assert OLD.text.encode() in export_bytes(full, "a", NOON)
    assert OLD.text.encode() not in export_bytes(short, "a", NOON)
    assert (set(short.diary), set(short.turns)) == ({"new"}, {"u"})
    assert set(short.tasks) == {"both", "both-named"}
    assert short.tasks["both-named"].lines == (NEW.id,)
    assert [each.lines for each in short.windows.values()] == [(NEW,), (NEW,)]
    assert NEW.text in quoted(short.memories[1])
    assert without_words_before(short, NOON - timedelta(days=10)) is None
