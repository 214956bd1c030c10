"""A person's own words, joined with what the rules kept of them, tell each thing once."""

from dataclasses import replace
from datetime import timedelta

import pytest

from memory.model import Level
from memory.offline import OFFLINE_NAME
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.judging import a_state, a_turn, learnt


@pytest.mark.parametrize(
    ("line", "kept", "judged", "joined"),
    [
        (
            "我弟弟周航在读研，学的是材料，今年六月毕业",
            ["主人弟弟周航在读研，学的是材料"],
            "主人的弟弟周航是材料专业研究生",
            "主人弟弟周航在读研，学的是材料，今年六月毕业",
        ),
        (
            "我弟弟周航在读研，学的是材料，今年六月毕业",
            ["主人弟弟周航在读研", "主人弟弟学的是材料"],
            "主人的弟弟周航是材料专业研究生",
            "主人弟弟周航在读研，学的是材料，今年六月毕业",
        ),
        (
            "我闺蜜姓苏，叫苏苏，在银行上班",
            ["主人闺蜜姓苏，叫苏苏"],
            "主人的闺蜜苏苏是银行职员",
            "主人闺蜜姓苏，叫苏苏，在银行上班",
        ),
        (
            "my girl is Zoe, called Zo, she works in a bank, brilliant",
            ["Sam's girl is Zoe, called Zo"],
            "The user's girl Zoe is a bank clerk",
            "Sam's girl is Zoe, called Zo, she works in a bank, brilliant",
        ),
    ],
)
def test_what_is_joined_says_nothing_twice(
    line: str, kept: list[str], judged: str, joined: str
) -> None:
    turn = a_turn(line, speaker="Sam" if line.isascii() else "主人")
    speaker = turn.said[0].speaker
    known = []
    for number, text in enumerate(kept, start=1):
        memory = a_memory(number, text)
        by_rule = replace(memory.origin, turn_id=turn.id, model=OFFLINE_NAME, speaker=speaker)
        known.append(replace(memory, origin=by_rule))
    state = a_state(*known, language="en" if line.isascii() else "zh", partner=speaker)

    texts = learnt(state, turn, f"[ADD] {judged}").texts

    assert [each for each in texts if len(each) > len("苏苏") and each != "Zoe"] == [joined]


@pytest.mark.parametrize(
    ("left", "quote", "said", "answer"),
    [
        ("主人那辆蓝色的", "我那辆蓝色的折叠车在地铁口被偷了", "我那辆蓝色的折叠车在地铁口被偷了",
         "主人那辆蓝色的折叠车在地铁口被偷了"),
        ("my friend", "my locker at the gym is number 88", "my locker at the gym is number 88",
         "my friend's locker at the gym is number 88"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("level", [Level.SUMMARY, Level.TRACE])
def test_what_was_reduced_and_is_told_again_has_its_words_again(
    left: str, quote: str, said: str, answer: str, level: Level
) -> None:
    stump = a_memory(1, left, at=NOON - timedelta(days=90))
    words = replace(stump.words, level=level, original_length=40)
    stump = replace(stump, words=words, origin=replace(stump.origin, quote=quote))
    state = a_state(stump, language="en" if said.isascii() else "zh")

    after = learnt(state, a_turn(said), f"[ADD] {answer}").state

    facts = [each for each in after.memories.values() if each.is_fact]
    assert [each.id for each in facts] == [1]
    assert facts[0].words.level is Level.FULL
    assert ("折叠车" in facts[0].words.text) or ("88" in facts[0].words.text)
    assert facts[0].trace.mention_count == 1


@pytest.mark.parametrize(
    ("line", "kept", "copied", "left"),
    [
        ("moved to Larne, renting a wee flat", "Sam: moved to Larne",
         "moved to Larne, renting a wee flat", "Sam: moved to Larne, renting a wee flat"),
        ("im pregnant, eight weeks, nobody knows", "Sam is pregnant",
         "im pregnant, eight weeks, nobody knows", "Sam is pregnant, eight weeks, nobody knows"),
        ("不吃香菜，吃了就吐", "主人不吃香菜", "不吃香菜，吃了就吐", "主人不吃香菜，吃了就吐"),
        # It says itself whose it is.
        ("Our house is in Whitby, up by the abbey", "Sam: Our house is in Whitby",
         "Our house is in Whitby, up by the abbey", "Our house is in Whitby, up by the abbey"),
    ],
)  # fmt: skip
def test_a_line_that_is_copied_still_says_who_it_is_of(
    line: str, kept: str, copied: str, left: str
) -> None:
    turn = a_turn(line, speaker="Sam" if line.isascii() else "主人")
    speaker = turn.said[0].speaker
    memory = a_memory(1, kept)
    by_rule = replace(memory.origin, turn_id=turn.id, model=OFFLINE_NAME, speaker=speaker)
    known = replace(memory, origin=by_rule)
    state = a_state(known, language="en" if line.isascii() else "zh", partner=speaker)

    assert learnt(state, turn, f"[ADD kind=fact] {copied}").texts == [left]


@pytest.mark.parametrize(
    ("line", "copied"),
    [
        ("你猜我几岁", "你猜主人几岁"),
        ("我家阳台漏水咋整", "主人家阳台漏水咋整"),
        ("要是我中了五百万就买个岛", "要是主人中了五百万就买个岛"),
        ("好啦睡了 晚安", "好啦睡了 晚安"),
        ("烦死了", "主人烦死了"),
        ("ugh", "ugh"),
        ("night night x", "night night x"),
        ("guess what age i am", "guess what age Sam is"),
        ("if i won the lotto id buy an island", "if Sam won the lotto id buy an island"),
    ],
)
@pytest.mark.parametrize("operation", ["ADD kind=fact", "UPDATE:m1", "NEGATE:m1"])
def test_what_states_nothing_is_no_fact_however_it_is_copied(
    line: str, copied: str, operation: str
) -> None:
    speaker = "Sam" if line.isascii() else "主人"
    known = a_memory(1, "Sam has a dog" if line.isascii() else "主人有狗")
    state = a_state(known, language="en" if line.isascii() else "zh", partner=speaker)

    for text in (copied, line):
        turn = a_turn(line, speaker=speaker, used=[1])
        assert learnt(state, turn, f"[{operation}] {text}").texts == [known.words.text]
