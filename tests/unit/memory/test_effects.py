"""What is left of a memory at each level, without asking any model."""

from dataclasses import replace
from datetime import timedelta

import pytest

from memory.changes import AgentInfo, PreviousText, Put, Record, Undo
from memory.lifecycle.effects import as_former_version, at_level, let_go_since
from memory.model import (
    AgentSettings,
    Archived,
    Deleted,
    DeletionPolicy,
    Level,
    Memory,
    Passage,
    Standing,
    Words,
)
from memory.state import MemoryState
from tests.builders import a_memory
from tests.fakes.clock import NOON


def an_episode() -> Memory:
    said = Passage(text="明天去面试", source_ids=("m1",), at=NOON, verbatim=True)
    gist = Passage(text="聊了面试", source_ids=("m1", "m2"), at=NOON, speaker="主人")
    words = Words(
        text="聊了面试",
        phrase="面试",
        keywords=("面试", "明天"),
        level=Level.FULL,
        original_length=40,
    )
    return replace(a_memory(), words=words, passages=(said, gist))


def test_a_summary_keeps_the_gist_and_every_message_id() -> None:
    left = at_level(an_episode(), Level.SUMMARY)

    assert left.words == replace(an_episode().words, level=Level.SUMMARY)
    (passage,) = left.passages
    assert (passage.text, passage.speaker, passage.verbatim) == ("聊了面试", "主人", False)
    assert left.source_ids == ("m1", "m2")


def test_a_tag_keeps_phrase_and_keywords_and_can_be_found_by_them() -> None:
    left = at_level(an_episode(), Level.TAG)

    assert (left.words.text, left.words.keywords) == ("面试", ("面试", "明天"))
    assert [p.text for p in left.passages] == ["面试 面试 明天"]
    assert left.words.original_length == 40


def test_a_trace_keeps_the_phrase_only() -> None:
    left = at_level(an_episode(), Level.TRACE)

    assert (left.words.text, left.words.phrase, left.words.keywords) == ("面试", "面试", ())
    assert [p.text for p in left.passages] == ["面试"]


def test_without_a_phrase_the_first_words_stand_in() -> None:
    memory = replace(a_memory(), words=Words(text="很长的一段话" * 9))

    assert at_level(memory, Level.TRACE).words.text == ("很长的一段话" * 9)[:20]


@pytest.mark.parametrize("level", [Level.SUMMARY, Level.FULL])
def test_a_level_never_rises_and_staying_changes_nothing(level: Level) -> None:
    left = at_level(an_episode(), Level.SUMMARY)

    assert at_level(left, level) is left


def test_only_verbatim_passages_become_a_gist_dated_like_the_first() -> None:
    said = Passage(text="明天去面试", source_ids=("m1",), at=NOON, verbatim=True)
    memory = replace(an_episode(), passages=(said,))

    (passage,) = at_level(memory, Level.SUMMARY).passages

    assert (passage.text, passage.at, passage.source_ids) == ("聊了面试", NOON, ("m1",))


def test_a_memory_that_rests_on_no_message_has_no_passage() -> None:
    assert at_level(replace(a_memory(), passages=()), Level.TAG).passages == ()


@pytest.mark.parametrize(
    "said",
    [
        "主人's favourite drink is oat flat white",
        "主人最喜欢的饮料是街角那家小店的海盐芝士桂花拿铁",
    ],
)
def test_a_former_version_is_told_as_a_sentence(said: str) -> None:
    words = Words(text=said, phrase=said[:20], keywords=("x",))

    former = as_former_version(replace(a_memory(), words=words))

    assert (former.words.text, former.words.level) == (said, Level.TAG)
    assert at_level(former, Level.TRACE).words.text == said


def test_of_a_very_long_former_version_the_first_words_are_kept() -> None:
    memory = replace(a_memory(), words=Words(text="很长的一段话" * 99))

    assert as_former_version(memory).words.text == ("很长的一段话" * 99)[:120]


MEMORY = a_memory(1)
LATER = NOON + timedelta(days=3)
CHOSEN = Undo(
    id=1,
    at=NOON,
    actor="partner",
    label="settings",
    inverse=(Put(AgentInfo(settings=AgentSettings(law="disuse"))),),
)


def under_another_law(*records: Record) -> MemoryState:
    chosen = AgentInfo(settings=AgentSettings(law="network"))
    return MemoryState().apply([Put(each) for each in (chosen, CHOSEN, *records)])[0]


def gone(standing: Standing) -> Memory:
    return replace(MEMORY, standing=standing)


def test_what_rules_took_and_cut_since_a_law_was_chosen_is_found_as_it_was() -> None:
    short = replace(MEMORY, words=Words(text="拉面", level=Level.TAG), passages=())
    full = PreviousText(memory_id=1, at=LATER, words=MEMORY.words, passages=MEMORY.passages)
    deleted = Deleted(LATER, DeletionPolicy.AUTO_CLEANUP)

    for record in (gone(deleted), gone(Archived(LATER))):
        assert let_go_since(under_another_law(record), CHOSEN) == (MEMORY,)
    assert let_go_since(under_another_law(short, full), CHOSEN) == (MEMORY,)
    both = (replace(short, standing=deleted), full)
    assert let_go_since(under_another_law(*both), CHOSEN) == (MEMORY,)


def test_what_was_put_away_before_by_a_law_is_put_away_again() -> None:
    away = gone(Archived(NOON - timedelta(days=3)))
    night = Undo(id=2, at=LATER, actor="law", label="night", inverse=(Put(away),))
    ended = gone(Deleted(LATER, DeletionPolicy.AUTO_CLEANUP))

    assert let_go_since(under_another_law(night, ended), CHOSEN) == (away,)


def test_what_no_rule_took_since_stays_gone() -> None:
    before = gone(Archived(NOON - timedelta(days=3)))
    hidden = gone(Deleted(LATER, DeletionPolicy.USER_DELETE))
    wrong = gone(Deleted(LATER, DeletionPolicy.AUTO_CLEANUP))
    learnt = Undo(id=2, at=LATER, actor="background", label="", inverse=(Put(MEMORY),))
    verdict = replace(learnt, label="review")
    again = a_memory(2, MEMORY.words.text)

    assert let_go_since(under_another_law(before), CHOSEN) == ()
    assert let_go_since(under_another_law(hidden), CHOSEN) == ()
    assert let_go_since(under_another_law(wrong, learnt), CHOSEN) == ()
    assert let_go_since(under_another_law(wrong, verdict), CHOSEN) == (MEMORY,)
    assert let_go_since(under_another_law(wrong, again), CHOSEN) == ()


def test_words_that_were_edited_since_they_were_cut_are_not_taken_back() -> None:
    edited = replace(MEMORY, words=Words(text="主人喜欢乌冬面"))
    edited = replace(edited, trace=replace(MEMORY.trace, updated_at=LATER + timedelta(days=1)))
    full = PreviousText(memory_id=1, at=LATER, words=MEMORY.words, passages=MEMORY.passages)

    assert let_go_since(under_another_law(edited, full), CHOSEN) == ()


def test_a_step_that_chose_no_law_brings_nothing_back() -> None:
    paused = AgentInfo(settings=AgentSettings(law="network", learning=False))
    step = replace(CHOSEN, inverse=(Put(paused),))
    went = gone(Archived(LATER))

    assert let_go_since(under_another_law(went), step) == ()
