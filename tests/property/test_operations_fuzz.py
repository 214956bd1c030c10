"""Hostile answers by the thousand: never an exception, never an effect on what was not shown."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.fuzz_gate import House
from memory.judgement.brackets import Malformed, Unreadable
from memory.judgement.operations import handles_of, parse_operations
from memory.learning.consolidation import parse_shorter
from memory.learning.reviewer import SearchRequest, parse_verdict
from tests.fakes.hostile import hostile_answers, near_misses


@given(st.text(max_size=400))
def test_any_text_is_read_or_refused(text: str) -> None:
    assert isinstance(parse_operations(text), Unreadable | tuple)
    assert isinstance(parse_operations(f"[ADD {text}] {text}"), Unreadable | tuple)
    assert isinstance(parse_shorter(text), Unreadable) or "TEXT" in text.upper()
    assert isinstance(parse_verdict(text), Unreadable | SearchRequest | str)


@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    assert isinstance(parse_operations(data.decode(errors="replace")), Unreadable | tuple)


@given(st.integers(0, 2**32), st.integers(1, 9))
def test_what_is_read_names_handles_in_ascii(seed: int, shown: int) -> None:
    answers = hostile_answers(random.Random(seed), shown)
    for _ in range(20):
        read = parse_operations(next(answers))
        if not isinstance(read, Unreadable):
            sound = (each for each in read if not isinstance(each, Malformed))
            handles = [handle for operation in sound for handle in handles_of(operation)]
            assert all(handle.isascii() and handle[1:].isdigit() for handle in handles)


@pytest.mark.parametrize("seed", range(2))
def test_a_thousand_hostile_answers_touch_nothing_they_may_not(seed: int) -> None:
    house = House(random.Random(seed), agents=8, memories=12)

    tally = house.besiege(1_000)

    assert tally.exceptions == tally.unseen == tally.strangers == 0
    assert tally.readable > 100
    assert tally.applied > 20


@pytest.mark.parametrize("seed", range(2))
def test_near_misses_never_delete_or_change(seed: int) -> None:
    rng = random.Random(seed)
    house = House(rng, agents=2, memories=6)
    answers = near_misses(rng, shown=4)

    assert all(house.is_refused(next(answers)) for _ in range(500))
