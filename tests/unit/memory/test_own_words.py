"""A person's own words, joined with what the rules kept of them, tell each thing once."""

from dataclasses import replace

import pytest

from memory.offline import OFFLINE_NAME
from tests.builders import a_memory
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
