"""What a server sends is read without trust: any JSON at all, cut anywhere."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.llm.failures import outcome_of_error_response, seconds_to_wait
from bot.llm.streams import CLOSING_TAG, OPENING_TAG, AnswerReader, ServerDocument, ThinkingFilter
from memory.ports import Invalid, Outcome, Refused, Replied, TooLong, Truncated, Unavailable
from tests.fakes.openai_answers import chunk, completion

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "choices",
                    "delta",
                    "message",
                    "content",
                    "error",
                    "code",
                    "usage",
                    "prompt_tokens",
                    "completion_tokens",
                    "finish_reason",
                    "text",
                    "refusal",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
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


@given(st.lists(JSON, max_size=3), JSON, st.sampled_from([400, 404, 422, 429, 500, 503]))
def test_no_complaint_at_all_breaks_the_reader(
    parts: list[object], body: object, status: int
) -> None:
    outcome = outcome_of_error_response(status, {"message": parts, "error": body})

    assert isinstance(outcome, Refused | TooLong | Unavailable | Invalid)


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


@pytest.mark.parametrize(
    ("status", "body", "expected"),
    [
        (400, {"message": "This model's maximum context length is 65536 tokens."}, TooLong()),
        (400, {"message": "Your request exceeded model token limit: 8192"}, TooLong()),
        (400, {"message": "the request exceeds the available context size"}, TooLong()),
        (400, {"message": "prompt is too long: 210000 tokens > 200000 maximum"}, TooLong()),
        (400, {"code": "1261", "message": "Prompt 超长"}, TooLong()),
        (400, {"message": "Range of input length should be [1, 6000]"}, TooLong()),
        (400, {"code": "data_inspection_failed", "message": "…"}, Refused()),
        (
            400,
            {"code": "1301", "message": "系统检测到输入内容可能包含不安全或敏感内容"},
            Refused(),
        ),
        (402, {"message": "Insufficient Balance"}, Unavailable("quota")),
        (429, {"type": "exceeded_current_quota_error"}, Unavailable("quota")),
        (429, {"message": "您的账户已欠费，请充值后重试。"}, Unavailable("quota")),
        (429, {"message": "Rate limit reached for requests"}, Unavailable("overloaded")),
        (429, {"message": "You exceeded your quota, retry in 30s"}, Unavailable("overloaded")),
        (400, {"message": "Model Not Exist"}, Unavailable("unknown_model")),
        (
            404,
            {"message": "model 'qwen9' not found, try pulling it"},
            Unavailable("unknown_model"),
        ),
        (404, {"detail": "Not Found"}, Unavailable("unknown_address")),
        (408, "", Unavailable("timeout")),
        (504, "<html>", Unavailable("timeout")),
        (529, {"type": "overloaded_error"}, Unavailable("overloaded")),
        (500, {"message": "context length"}, Unavailable("server_error")),
        (418, {}, Invalid("rejected")),
    ],
)
def test_a_complaint_of_any_vendor_has_its_meaning(
    status: int, body: object, expected: Outcome
) -> None:
    assert outcome_of_error_response(status, body) == expected


def test_what_the_partner_said_decides_nothing_when_a_server_quotes_it() -> None:
    body = {"detail": [{"msg": "bad value", "loc": ["body"], "input": "maximum context length"}]}

    assert outcome_of_error_response(422, body) == Invalid("rejected")


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({}, None),
        (
            {
                "retry-after": "Wed, 04 Mar 2026 12:00:30 GMT",
                "date": "Wed, 04 Mar 2026 12:00:00 GMT",
            },
            30.0,
        ),
        ({"retry-after": "Wed, 04 Mar 2026 12:00:30 GMT"}, None),
        ({"retry-after": "Wed, 04 Mar 2026 12:00:30 GMT", "date": "today"}, None),
    ],
)
def test_the_wait_a_server_asks_for_is_understood(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert seconds_to_wait(headers) == seconds


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
