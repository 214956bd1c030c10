"""A conversation that begins anew, and one that is taken up again: nothing lost, nothing twice."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.changes import Window
from memory.diary import (
    LARGEST_WINDOW,
    WINDOW_MESSAGES,
    emptied_window,
    resumed_window,
    window_after,
)
from tests.builders import a_stretch

COUNTS = st.integers(min_value=0, max_value=70)


def said(window: Window) -> list[str]:
    return [line.id for line in (*window.tail, *window.lines)]


@given(before=COUNTS, since=COUNTS)
def test_beginning_anew_and_taking_up_again_loses_nothing(before: int, since: int) -> None:
    everything = a_stretch(*(f"第{n}句" for n in range(before + since)))
    first = window_after(Window(conversation="c"), everything[:before])
    anew = window_after(emptied_window(first), everything[before:])
    again = resumed_window(anew, first)

    assert not emptied_window(first).lines
    assert said(anew) == said(again) == [each.id for each in everything]
    assert len(again.lines) <= LARGEST_WINDOW
    assert again == window_after(first, everything[before:])


def test_what_became_an_episode_meanwhile_is_not_taken_up_again() -> None:
    talk = a_stretch("早", "我在北京", "天气真好", "嗯")
    first = window_after(Window(conversation="c"), talk[:3])
    anew = replace(emptied_window(first), tail=tuple(talk[2:3]))
    again = resumed_window(window_after(anew, talk[3:]), first)

    assert [line.text for line in again.lines] == ["天气真好", "嗯"]
    assert not again.tail


def test_a_window_grows_to_46_and_is_cut_to_30_in_one_step() -> None:
    window, sizes = Window(conversation="c"), list[int]()
    talk = a_stretch(*(f"第{n}句" for n in range(200)))
    for start in range(0, len(talk), 2):
        window = window_after(window, talk[start : start + 2])
        sizes.append(len(window.lines))
        assert said(window) == [each.id for each in talk[: start + 2]]

    assert max(sizes) == LARGEST_WINDOW
    assert min(sizes[14:]) == WINDOW_MESSAGES
    cuts = sum(later < earlier for earlier, later in pairwise(sizes))
    assert cuts == pytest.approx(
        (200 - LARGEST_WINDOW) / (LARGEST_WINDOW + 2 - WINDOW_MESSAGES), abs=1
    )
