"""A server's error of any vendor becomes the outcome it means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.llm.failures import outcome_of_error_response, seconds_to_wait
from memory.ports import Invalid, Outcome, Refused, TooLong, Unavailable
from tests.fakes.json_values import JSON


@given(st.lists(JSON, max_size=3), JSON, st.sampled_from([400, 404, 422, 429, 500, 503]))
def test_no_complaint_at_all_breaks_the_reader(
    parts: list[object], body: object, status: int
) -> None:
    outcome = outcome_of_error_response(status, {"message": parts, "error": body})

    assert isinstance(outcome, Refused | TooLong | Unavailable | Invalid)


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
