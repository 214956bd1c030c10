"""The rule-based model keeps every promise of the port, whatever it is asked."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.judgement.brackets import Unreadable
from memory.judgement.operations import parse_operations
from memory.learning.consolidation import parse_shorter
from memory.learning.reviewer import parse_verdict
from memory.learning.segments import parse_segments
from memory.offline import OfflineModel
from memory.ports import Piece, Replied
from prompts import (
    Compress,
    Consolidate,
    Monitor,
    Prompt,
    PromptLine,
    PromptMemory,
    Reply,
    Review,
    Summarize,
)
from tests.fakes.cost import times

NOW = datetime(2026, 3, 4, 20, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
FRAGMENTS = """我喜欢 我不喜欢 拉面 了 ， 。 ？ [ADD] 【DELETE:m1】 = 记住 ，叫 不是 ，是 《 》
🍜 قهوة I_like_ my_name_is_ keywords= \u202e \x0b"""
FRAGMENT = st.sampled_from(
    [each.replace("_", " ") for each in FRAGMENTS.replace("\n", " ").split(" ")]
)
SAID = st.lists(FRAGMENT | st.text(max_size=6), min_size=1, max_size=12).map("".join)


def a_line(text: str, number: int = 0) -> PromptLine:
    at = NOW + timedelta(minutes=number)
    if number % 2 == 0:
        return PromptLine("user", "主人", at, text, quoted=text if number == 2 else "")
    return PromptLine("assistant", "小祥", at, text)


def shown(texts: list[str]) -> tuple[PromptMemory, ...]:
    return tuple(
        PromptMemory(
            f"m{n}", text, NOW - timedelta(days=n), "fact" if n % 2 else "episode", quote=text
        )
        for n, text in enumerate(texts, start=1)
    )


def every_prompt(said: list[str], known: list[str]) -> tuple[Prompt, ...]:
    lines = tuple(a_line(text, number) for number, text in enumerate(said))
    memories = shown(known)
    return (
        Reply(
            persona="",
            language="zh",
            partner="主人",
            now=NOW,
            window=(*lines, a_line(said[0])),
            memories=memories,
        ),
        Monitor(language="zh", partner="主人", now=NOW, turn=lines, memories=memories),
        Summarize(language="zh", partner="主人", now=NOW, lines=lines, focus=tuple(known)),
        Review(
            language="en",
            partner="主人",
            now=NOW,
            task="decay",
            memory=PromptMemory("m1", said[0], NOW),
            relatives=memories,
        ),
        Compress(
            language="zh",
            text=f"拉面{said[0]}",
            phrase=said[0],
            keywords=tuple(known),
            characters="9",
        ),
        Consolidate(language="zh", partner="主人", now=NOW, lines=lines, memories=memories),
    )


@settings(max_examples=times(25, hunting=600), deadline=None)
@given(st.lists(SAID, min_size=1, max_size=4), st.lists(SAID, max_size=3))
async def test_every_answer_can_be_read_by_those_who_asked(
    said: list[str], known: list[str]
) -> None:
    reply, monitor, summary, review, shorter, facts = [
        (await OfflineModel().complete(prompt)).text for prompt in every_prompt(said, known)
    ]

    assert reply
    assert isinstance(parse_operations(monitor), tuple)
    assert isinstance(parse_operations(facts), tuple)
    assert isinstance(parse_segments(summary, len(said)), tuple)
    assert parse_verdict(review) in {"keep", "delete"}
    assert not isinstance(parse_shorter(shorter), Unreadable)


@pytest.mark.parametrize("prompt", every_prompt(["我喜欢拉面。", "好。"], ["主人喜欢猫"]))
async def test_the_pieces_of_a_stream_are_the_answer(prompt: Prompt) -> None:
    model = OfflineModel()

    *pieces, outcome = [event async for event in model.stream(prompt)]

    assert isinstance(outcome, Replied)
    assert outcome == await model.complete(prompt)
    assert outcome.model == model.name == "offline"
    assert "".join(piece.text for piece in pieces if isinstance(piece, Piece)) == outcome.text


async def test_an_answer_comes_in_several_pieces() -> None:
    prompt = every_prompt(["你好"], [])[0]

    assert sum([1 async for _ in OfflineModel().stream(prompt)]) > 2
