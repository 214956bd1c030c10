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
    crowded_window,
    emptied_window,
    resumed_window,
    tail_is_due,
    window_after,
    without_tail,
)
from memory.state import MemoryState
from tests.builders import a_stretch

COUNTS = st.integers(min_value=0, max_value=70)


def said(window: Window) -> list[str]:
    return [line.id for line in (*window.tail, *window.lines)]


@given(before=COUNTS, since=COUNTS)
def test_beginning_anew_and_taking_up_again_loses_nothing(before: int, since: int) -> None:
    everything = a_stretch(*(f"第{n}句" for n in range(before + since)))
    first = window_after(Window(conversation="c"), everything[:before])
    anew = window_after(emptied_window(first, MemoryState()), everything[before:])
    again = resumed_window(anew, first)

    assert not emptied_window(first, MemoryState()).lines
    assert said(anew) == said(again) == [each.id for each in everything]
    assert len(again.lines) <= LARGEST_WINDOW
    assert again == window_after(first, everything[before:])


def test_what_became_an_episode_meanwhile_is_not_taken_up_again() -> None:
    talk = a_stretch("早", "我在北京", "天气真好", "嗯")
    first = window_after(Window(conversation="c"), talk[:3])
    anew = replace(emptied_window(first, MemoryState()), tail=tuple(talk[2:3]))
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


def test_what_the_model_has_no_room_for_is_due_at_once_and_only_that() -> None:
    talk = a_stretch("早", "我在北京", "天气真好", "嗯")
    window = window_after(Window(conversation="c"), talk)
    crowded = crowded_window(window, talk[1].id, MemoryState())
    cut = without_tail(crowded, crowded.tail)

    assert (crowded.tail, crowded.lines) == (tuple(talk[:2]), tuple(talk[2:]))
    assert tail_is_due(crowded, talk[-1].at)
    assert not tail_is_due(replace(crowded, due=False), talk[-1].at)
    assert (cut.tail, cut.due) == ((), False)
    # Said again, or of a line that is no longer there: nothing more leaves.
    assert crowded_window(crowded, talk[1].id, MemoryState()) is crowded


def test_what_is_crowded_out_while_a_tail_is_summarised_stays_due() -> None:
    talk = a_stretch("早", "我在北京", "天气真好", "嗯")
    first = crowded_window(window_after(Window(conversation="c"), talk), talk[0].id, MemoryState())
    more = crowded_window(first, talk[2].id, MemoryState())

    left = without_tail(more, first.tail)
    assert (left.tail, left.due) == (tuple(talk[1:3]), True)
