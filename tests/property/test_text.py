from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from memory.recall.query_terms import term_weights
from memory.text.bm25 import similarity
from memory.text.dates import absolute_dates, date_spans
from memory.text.tokens import keywords, normalized, tokens
from prompts.rendering import plain

SHANGHAI = ZoneInfo("Asia/Shanghai")
texts = st.text(
    st.one_of(
        st.characters(codec="utf-8"),
        st.sampled_from(list("明昨前后天上下周月年日三五13[]<|>ADD团子喜欢不 imt")),
    ),
    max_size=40,
)
START = datetime(1990, 1, 1, tzinfo=UTC)
instants = st.integers(0, 50_000 * 24).map(lambda hours: START + timedelta(hours=hours))
AWAY = {"大前天": -3, "前天": -2, "昨天": -1, "今天": 0, "明天": 1, "后天": 2, "大后天": 3}


def local(at: datetime) -> date:
    return at.astimezone(SHANGHAI).date()


@given(texts)
def test_tokens_never_fail_and_hold_no_space(text: str) -> None:
    assert all(token and not token.isspace() for token in tokens(text))


@given(texts)
def test_tokens_do_not_depend_on_the_form_a_text_comes_in(text: str) -> None:
    assert tokens(normalized(text)) == tokens(text)


@given(texts)
def test_keywords_stand_in_the_text(text: str) -> None:
    assert all(word in normalized(text) for word in keywords(text))


@given(texts)
def test_a_question_is_searched_by_what_an_index_can_hold(text: str) -> None:
    assert all(0.0 < weight <= 1.0 for weight in term_weights(text).values())
    assert set(term_weights(text)) <= set(tokens(text))


@given(texts)
def test_sanitising_twice_is_sanitising_once(text: str) -> None:
    assert plain(plain(text)) == plain(text)


@given(texts, texts)
def test_similarity_is_a_symmetric_share(a: str, b: str) -> None:
    assert 0.0 <= similarity(a, b) <= 1.0
    assert similarity(a, b) == similarity(b, a)
    assert similarity(a, a) == 1.0


@given(texts, instants)
def test_a_stretch_of_time_ends_after_it_starts(text: str, now: datetime) -> None:
    assert all(span.start < span.end for span in date_spans(text, now, SHANGHAI))


@given(texts, instants)
def test_writing_dates_out_only_ever_adds(text: str, at: datetime) -> None:
    written = iter(absolute_dates(text, at, SHANGHAI))
    assert all(character in written for character in text)


@given(st.sampled_from(sorted(AWAY)), instants)
def test_a_day_counted_from_today_is_right_across_month_and_year_ends(
    word: str, at: datetime
) -> None:
    day = local(at) + timedelta(days=AWAY[word])
    assert absolute_dates(f"{word}要面试", at, SHANGHAI) == f"{word}（{day.isoformat()}）要面试"


@given(st.integers(1, 99), st.sampled_from(["前", "后"]), instants)
def test_n_days_before_or_after_are_n_days(count: int, side: str, at: datetime) -> None:
    day = local(at) + timedelta(days=count if side == "后" else -count)
    text = f"{count}天{side}"
    assert absolute_dates(text, at, SHANGHAI) == f"{text}（{day.isoformat()}）"


@given(st.integers(0, 6), st.sampled_from([("上", -1), ("这", 0), ("下", 1)]), instants)
def test_a_weekday_of_a_named_week_lies_in_that_week(
    weekday: int, which: tuple[str, int], at: datetime
) -> None:
    word, offset = which
    text = f"{word}周{'一二三四五六日'[weekday]}"
    (span,) = date_spans(text, at, SHANGHAI)
    monday = local(at) - timedelta(days=local(at).weekday())
    assert span.start.date() == monday + timedelta(days=7 * offset + weekday)


@given(
    st.sampled_from([("上个月", -1), ("下个月", 1), ("last month", -1), ("next month", 1)]),
    instants,
)
def test_the_months_beside_are_whole_months(which: tuple[str, int], at: datetime) -> None:
    text, offset = which
    (span,) = date_spans(text, at, SHANGHAI)
    index = local(at).year * 12 + local(at).month - 1 + offset
    assert (span.start.year, span.start.month, span.start.day) == (index // 12, index % 12 + 1, 1)
    assert span.end.day == 1
