"""The compressor: the same in fewer words, or not at all."""

from dataclasses import replace

import pytest

from memory.changes import Put
from memory.judgement.brackets import Unreadable
from memory.learning import consolidation
from memory.learning.consolidation import CompressionQuestion
from memory.model import Level, Memory, Passage, Sensitivity
from memory.state import MemoryState
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.judging import a_state

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
    "shorter", ["my", "my friend's", "my locker at the", "my locker at the gym is", "my locker and"]
)
def test_an_english_text_that_breaks_off_is_no_gist(shorter: str) -> None:
    state = a_state(a_memory(1, "my locker at the gym is number 88 and my friend's key is blue"))
    read = consolidation.compressed_memory(asked(state), f"[TEXT] {shorter}", state)
    assert read == Unreadable("the shorter text breaks off")


def test_an_english_gist_that_ends_is_taken() -> None:
    state = a_state(a_memory(1, "my locker at the gym is number 88 and my friend's key is blue"))
    read = consolidation.compressed_memory(asked(state), "[TEXT] locker at gym: 88", state)
    assert isinstance(read, Memory)
