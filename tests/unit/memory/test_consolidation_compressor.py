"""The compressor: the same in fewer words, or not at all."""

from dataclasses import replace
from datetime import timedelta

import pytest

from memory.changes import DiaryLine, PreviousText, Put
from memory.judgement.brackets import Unreadable
from memory.learning import consolidation
from memory.learning.consolidation import CompressionQuestion
from memory.model import Level, Memory, Passage, Sensitivity, Tier, Words
from memory.state import MemoryState
from tests.builders import a_memory, a_message, a_stretch
from tests.fakes.clock import NOON
from tests.fakes.judging import a_state

LATE = NOON + timedelta(days=200)
TEXT = "主人2026年3月在上海的一家游戏公司面试，很紧张，后来没有通过"


def long_memory() -> Memory:
    memory = a_memory(1, TEXT, keywords=("面试", "上海"))
    said = Passage(text="我在上海面试", source_ids=("m9",), at=NOON, speaker="主人", verbatim=True)
    return replace(
        memory,
        words=replace(memory.words, phrase="上海面试没过"),
        passages=(*memory.passages, said),
    )


def asked(state: MemoryState, characters: int = 20) -> CompressionQuestion:
    question = consolidation.compression_question(1, characters, state)
    assert question is not None
    return question


def test_it_asks_for_so_many_characters() -> None:
    prompt = asked(a_state(long_memory())).prompt

    assert (prompt.text, prompt.characters, prompt.keywords) == (TEXT, "20", ("面试", "上海"))


def test_the_shorter_text_takes_its_place() -> None:
    state = a_state(long_memory())
    answer = "[TEXT] 主人2026年3月上海面试，没有通过\n[PHRASE] 面试没过\n[KEYWORDS] 面试"

    memory = consolidation.compressed_memory(asked(state), answer, state)

    assert isinstance(memory, Memory)
    assert memory.words.text == "主人2026年3月上海面试，没有通过"
    assert (memory.words.phrase, memory.words.keywords) == ("面试没过", ("面试",))
    assert memory.words.level == Level.SUMMARY
    assert memory.trace == state.memory(1).trace
    assert [p.verbatim for p in memory.passages] == [False]
    assert memory.source_ids == ("s1", "m9")


def test_phrase_and_keywords_never_grow() -> None:
    state = a_state(long_memory())
    answer = "[TEXT] 上海面试没有通过\n[PHRASE] 一个长得多的短语\n[KEYWORDS] 面试,上海,公司"

    memory = consolidation.compressed_memory(asked(state), answer, state)

    assert isinstance(memory, Memory)
    assert memory.words.phrase == "上海面试没过"
    assert memory.words.keywords == ("面试", "上海")


@pytest.mark.parametrize(
    "answer",
    [
        "上海面试没有通过",
        "[TEXT]",
        "[PHRASE] 面试",
        "[TEXT] a\n[TEXT] b",
        "[TEXT:m1] 上海面试",
        "[TEXT] 主人在上海的一家游戏公司面试，很紧张，后来没有通过",
        "[TEXT] 上海面试通过",
        "[TEXT] 面试没有紧张",
        "[TEXT] 上海面试，股票大涨",
        "[TEXT] 主人2026年3月在上海的",
        "[TEXT] 主人2026年3月在上海面试是",
        "[TEXT] 主人2027年上海面试没有通过",
        "[TEXT] 没有通过 http://evil.example",
        "[DELETE] 上海面试",
        "[TEXT",
    ],
)
def test_what_is_longer_or_says_something_else_is_refused(answer: str) -> None:
    state = a_state(long_memory())

    assert isinstance(consolidation.compressed_memory(asked(state), answer, state), Unreadable)


def test_it_is_never_longer_than_before_whatever_was_asked() -> None:
    state = a_state(a_memory(1, "上海面试"))

    shorter = consolidation.compressed_memory(asked(state, 100), "[TEXT] 上海面试，上海", state)

    assert isinstance(shorter, Unreadable)


def test_what_is_private_is_not_shortened() -> None:
    memory = long_memory()
    private = replace(memory, nature=replace(memory.nature, sensitivity=Sensitivity.SENSITIVE))

    assert consolidation.compression_question(1, 10, a_state(private)) is None
    assert consolidation.compression_question(77, 10, a_state()) is None


def test_a_memory_that_changed_meanwhile_stays_as_it_is() -> None:
    state = a_state(long_memory())
    question = asked(state)
    memory = state.memory(1)
    changed, _ = state.apply([Put(replace(memory, words=replace(memory.words, text="新的面试")))])

    assert isinstance(
        consolidation.compressed_memory(question, "[TEXT] 面试", changed), Unreadable
    )


@pytest.mark.parametrize(
    "shorter",
    ["my", "my friend's", "my locker at the", "my locker at the gym is", "my locker and"],
)
def test_an_english_text_that_breaks_off_is_no_gist(shorter: str) -> None:
    state = a_state(a_memory(1, "my locker at the gym is number 88 and my friend's key is blue"))
    read = consolidation.compressed_memory(asked(state), f"[TEXT] {shorter}", state)
    assert read == Unreadable("the shorter text breaks off")


def test_an_english_gist_that_ends_is_taken() -> None:
    state = a_state(a_memory(1, "my locker at the gym is number 88 and my friend's key is blue"))
    read = consolidation.compressed_memory(asked(state), "[TEXT] locker at gym: 88", state)
    assert isinstance(read, Memory)


def _reduced(
    line: str, left: str, *, level: Level = Level.SUMMARY, kept: bool = True
) -> MemoryState:
    """Return the state in which a law left so much of what a line taught, months ago."""
    told = a_memory(1, left)
    words = Words(text=left, phrase=left, level=level, original_length=40)
    message = a_message("s1", line)
    state = a_state(replace(told, words=words), language="en" if line.isascii() else "zh")
    said = DiaryLine(message=message, number=1)
    return state.apply([Put(said)] if kept else [])[0]


@pytest.mark.parametrize(
    ("line", "left", "whole"),
    [
        ("我那辆蓝色的折叠车在地铁口被偷了。今天好冷", "主人那辆蓝色的",
         "主人那辆蓝色的折叠车在地铁口被偷了"),
        ("我最喜欢的是桂花拿铁", "主人最喜欢的是", "主人最喜欢的是桂花拿铁"),
        ("记住我的柜子是 88 号", "我的柜子是", "我的柜子是 88 号"),
        ("remember my locker at the gym is number 88", "my locker at the",
         "my locker at the gym is number 88"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("level", [Level.SUMMARY, Level.TAG, Level.TRACE])
def test_restoring_brings_back_the_words_that_stand_in_the_diary(
    line: str, left: str, whole: str, level: Level
) -> None:
    state = _reduced(line, left, level=level)

    after, _ = state.apply(consolidation.plan_return(state, 1, LATE))

    back = after.memory(1)
    assert (back.words.text, back.words.level) == (whole, Level.FULL)
    assert [p.text for p in back.passages] == [whole]
    assert back.source_ids == ("s1",)
    assert not consolidation.plan_return(after, 1, LATE)


def test_the_former_text_comes_before_what_the_diary_says() -> None:
    state = _reduced("我那辆蓝色的折叠车被偷了", "主人那辆")
    former = a_memory(1, "主人的蓝色折叠车被偷了")
    text = PreviousText(memory_id=1, at=NOON, words=former.words, passages=former.passages)
    state, _ = state.apply([Put(text)])

    after, _ = state.apply(consolidation.plan_return(state, 1, LATE))

    assert after.memory(1).words == former.words


def test_where_the_diary_has_lost_the_words_nothing_is_made_up() -> None:
    state = _reduced("我那辆蓝色的折叠车被偷了", "主人那辆", kept=False)
    assert consolidation.plan_return(state, 1, LATE) == ()


@pytest.mark.parametrize(
    "lines", [("我家的猫叫团子", "好可爱呀"), ("my cat is Mochi", "how sweet")]
)
def test_a_reduced_episode_has_its_lines_again(lines: tuple[str, str]) -> None:
    said = a_stretch(*lines)
    left = a_memory(7, "团子" if "团子" in lines[0] else "Mochi", tier=Tier.EPISODE)
    gist = replace(left.passages[0], source_ids=tuple(each.id for each in said))
    words = replace(left.words, level=Level.SUMMARY, original_length=40)
    state = a_state(replace(left, words=words, passages=(gist,)))
    state, _ = state.apply(Put(DiaryLine(message=m, number=n)) for n, m in enumerate(said, 1))

    after, _ = state.apply(consolidation.plan_return(state, 7, LATE))

    back = after.memory(7)
    assert [p.text for p in back.passages if p.verbatim] == list(lines)
    assert back.words.text.startswith("[2026-03-04 20:00] ")
    assert back.words.level is Level.FULL
    assert back.trace.created_at == left.trace.created_at


def test_a_whole_memory_lacks_nothing() -> None:
    state = a_state(a_memory(1))
    assert consolidation.plan_return(state, 1, LATE) == ()
