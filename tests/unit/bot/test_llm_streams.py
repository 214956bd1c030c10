"""A streamed answer of any vendor becomes text without thoughts, and one outcome."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.llm.streams import (
    ASKS_TO_REPEAT,
    CLOSING_TAG,
    OPENING_TAG,
    AnswerReader,
    RepetitionFilter,
    ServerDocument,
    ThinkingFilter,
)
from memory.ports import Outcome, Refused, Replied, Truncated, Unavailable
from tests.fakes.json_values import JSON
from tests.fakes.openai_answers import chunk, completion

TEXT = st.text(alphabet="<>think/ 你好a\n", max_size=30)


def heard(*documents: ServerDocument) -> tuple[str, Outcome]:
    answer = AnswerReader()
    text = "".join(answer.take(document) for document in documents)
    text += answer.take_rest()
    return text, answer.outcome("big")


@given(st.lists(st.builds(ServerDocument, JSON, st.booleans()), max_size=4))
def test_no_json_at_all_breaks_the_reader(documents: list[ServerDocument]) -> None:
    text, outcome = heard(*documents)

    if isinstance(outcome, Replied):
        assert outcome.text == text != ""


def test_content_in_parts_is_joined_without_the_thoughts() -> None:
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "嗯"}]},
        {"type": "text", "text": "晴"},
        {"type": "text", "text": "天"},
    ]

    text, outcome = heard(ServerDocument(completion(parts), whole=True))

    assert text == "晴天"
    assert isinstance(outcome, Replied)


def test_a_refusal_is_remembered_through_later_chunks() -> None:
    _, outcome = heard(
        *map(ServerDocument, (chunk(refusal="no"), chunk(" "), chunk(finish="stop")))
    )

    assert outcome == Refused()


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("stop", Replied("半句", model="big")),
        ("end_turn", Replied("半句", model="big")),
        ("max_tokens", Truncated("半句", at_limit=True)),
        ("sensitive", Refused()),
        ("SAFETY", Refused()),
        ("network_error", Unavailable("server_error")),
        (None, Truncated("半句")),
    ],
)
def test_a_finish_reason_of_any_vendor_has_its_meaning(
    reason: str | None, expected: Outcome
) -> None:
    assert (
        heard(ServerDocument(chunk("半句")), ServerDocument(chunk(finish=reason)))[1] == expected
    )


def passed_on(*texts: str) -> str:
    thinking = ThinkingFilter()
    return "".join([*(thinking.feed(text) for text in texts), thinking.finish()])


@given(TEXT, TEXT, st.lists(st.integers(0, 70), max_size=4))
def test_thoughts_go_wherever_the_stream_is_cut(
    thought: str, answer: str, cuts: list[int]
) -> None:
    thought = thought.replace(CLOSING_TAG, "")
    whole = f" {OPENING_TAG}{thought}{CLOSING_TAG}\n\n{answer}"
    marks = [0, *sorted(min(cut, len(whole)) for cut in cuts), len(whole)]
    pieces = [whole[start:end] for start, end in pairwise(marks)]

    assert passed_on(*pieces) == answer.lstrip()


@given(TEXT)
def test_an_answer_without_thoughts_comes_whole(answer: str) -> None:
    if not answer.lstrip().startswith(OPENING_TAG):
        assert passed_on(*answer) == answer.lstrip()


@pytest.mark.parametrize("answer", ["<", "<th", "<b>x</b>", "思<think>x</think>"])
def test_what_only_looks_like_a_thought_stays(answer: str) -> None:
    assert passed_on(*answer) == answer


def test_an_unfinished_thought_is_no_answer() -> None:
    assert passed_on("<think>", "嗯") == ""


@pytest.mark.parametrize(
    ("told", "cached"),
    [
        ({"prompt_tokens_details": {"cached_tokens": 30}}, 30),
        ({"prompt_cache_hit_tokens": 20, "prompt_cache_miss_tokens": 20}, 20),
        ({"cached_tokens": 10}, 10),
        ({"prompt_tokens_details": {"cached_tokens": 999}}, 40),
        ({"prompt_tokens_details": None}, None),
        ({"cached_tokens": "many"}, None),
        ({}, None),
    ],
)
def test_what_the_server_had_read_before_is_understood_however_it_says_so(
    told: dict[str, object], cached: int | None
) -> None:
    reader = AnswerReader()
    usage = {"prompt_tokens": 40, "completion_tokens": 2, **told}
    reader.take(
        ServerDocument(
            {"choices": [{"message": {"content": "好"}, "finish_reason": "stop"}], "usage": usage},
            whole=True,
        )
    )

    outcome = reader.outcome("m")

    assert isinstance(outcome, Replied)
    assert outcome.usage.cached_tokens == cached


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", "thinking"])
def test_a_thought_is_heard_and_never_shown(field: str) -> None:
    reader = AnswerReader()
    shown = reader.take(ServerDocument({"choices": [{"delta": {field: "她在问天气"}}]}))

    assert shown == ""
    assert reader.characters > 0
    assert reader.text == ""


WEEK = "".join(f"周{day}：跑步 30 分钟\n" for day in "一二三四五六日")
MONTH = "".join(f"第{day}天：跑步 5 公里\n" for day in range(1, 31))


@pytest.mark.parametrize(
    ("text", "once"),
    [
        ("火锅好啊。" * 300, "火锅好啊。"),
        ("听起来不错，好啊。" + "火锅好啊。" * 300, "听起来不错，好啊。火锅好啊。"),
        ("Nice nice nice " * 300, "Nice"),
        ("我觉得很" + "好很" * 300, "我觉得很好很好"),
        ("你先歇一会儿，别急。\n\n" * 50, "你先歇一会儿，别急。"),
        ("哈" * 500, "哈哈哈哈"),
        ("好。" + "\n" * 3_000, "好。"),
        ("好" + "😂" * 3_000, "好😂"),
        ("我错了。" * 4_000, "我错了。"),
    ],
)
@pytest.mark.parametrize("piece", [1, 7, 10_000])
def test_what_is_said_without_end_is_noticed_and_told_once(
    text: str, once: str, piece: int
) -> None:
    repeated = RepetitionFilter()
    shown, read = "", 0
    while read < len(text) and repeated.once is None:
        shown += repeated.feed(text[read : read + piece])
        read += piece

    assert repeated.once == once
    assert read <= max(piece, 500)
    assert len(shown) <= max(piece, 500)


@pytest.mark.parametrize(
    "text",
    [
        "哈哈哈哈哈哈哈哈哈哈哈哈笑死我了",
        "hahahahahahahahahahaha that is funny",
        "早点睡！" * 3,
        "no " * 12 + "way",
        "❤" * 50,
        "—" * 100,
        WEEK,
        MONTH,
        "小星星亮晶晶，\n满天都是小星星。\n" * 4,
        "la " * 30,
        "| --- | --- | --- |\n" * 3,
        "".join(f"7 × {number} = {7 * number}\n" for number in range(1, 60)),
        f"```\n{'0' * 500}\n```",
    ],
)
@pytest.mark.parametrize("piece", [1, 7, 10_000])
def test_a_laugh_a_refrain_and_a_list_come_whole(text: str, piece: int) -> None:
    repeated = RepetitionFilter()
    shown = [repeated.feed(text[at : at + piece]) for at in range(0, len(text), piece)]

    assert "".join(shown) + repeated.finish() == text
    assert repeated.once is None


def test_who_asks_for_it_gets_a_hundred_times() -> None:
    assert ASKS_TO_REPEAT.search("把“我错了”写一百遍")
    repeated = RepetitionFilter(patient=True)

    assert repeated.feed("我错了。" * 100) + repeated.finish() == "我错了。" * 100
    assert repeated.once is None
