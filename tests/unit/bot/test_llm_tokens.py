"""The estimate is near enough at first, and nearer with every bill."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.llm.tokens import LARGEST_FACTOR, SMALLEST_FACTOR, TokenCounter
from prompts import ChatMessage

MESSAGES = st.lists(st.builds(ChatMessage, st.just("user"), st.text()), max_size=4)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("你好", 2),
        ("hello", 2),
        ("我喜欢 ramen", 5),
        ("🍜", 1),
        ("，。", 2),
        ("مرحبا", 2),
    ],
)
def test_a_text_costs_one_a_wide_character_and_a_third_of_one_otherwise(
    text: str, tokens: int
) -> None:
    assert TokenCounter().count(text) == tokens


def test_every_message_costs_four_more() -> None:
    messages = [ChatMessage("system", "你好"), ChatMessage("user", "")]

    assert TokenCounter().count_messages(messages) == 2 + 4 + 4


@given(st.text(), st.text())
def test_a_longer_text_never_costs_less(text: str, more: str) -> None:
    assert TokenCounter().count(text) <= TokenCounter().count(text + more)


@given(st.lists(st.tuples(MESSAGES, st.integers(-5, 10_000))))
def test_the_factor_stays_within_its_bounds(bills: list[tuple[list[ChatMessage], int]]) -> None:
    counter = TokenCounter()

    for messages, prompt_tokens in bills:
        counter.learn(messages, prompt_tokens)

    assert SMALLEST_FACTOR <= counter.factor <= LARGEST_FACTOR


def test_the_factor_follows_the_bills() -> None:
    counter = TokenCounter()
    messages = [ChatMessage("user", "字" * 96)]

    counter.learn(messages, 134)
    once = counter.factor
    for _ in range(30):
        counter.learn(messages, 134)

    assert once == pytest.approx(1.068)
    assert counter.factor == pytest.approx(1.34, abs=0.01)
    assert counter.count_messages(messages) in range(133, 136)


def test_a_text_and_a_prompt_cost_more_with_a_model_that_counts_more() -> None:
    counter = TokenCounter(1.5)

    assert counter.count("你好") == 3
    assert counter.count_messages([ChatMessage("user", "你好")]) == 9


def test_a_bill_that_says_nothing_teaches_nothing() -> None:
    counter = TokenCounter()

    counter.learn([ChatMessage("user", "你好")], 0)
    counter.learn([], 100)

    assert counter.factor == 1.0


def test_what_was_learnt_can_be_carried_over_and_a_spoilt_factor_is_mended() -> None:
    assert TokenCounter(1.34).factor == 1.34
    assert TokenCounter(99).factor == LARGEST_FACTOR
    assert TokenCounter(0).factor == SMALLEST_FACTOR
