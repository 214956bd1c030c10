"""Where lines stand: looked up as they were kept, unless they came or went since."""

from memory.recall.scenes import LineSlots

KEPT = {"a": (0,), "b": (1, 2)}


def kept(key: str) -> tuple[int, ...]:
    return KEPT.get(key, ())


def test_a_line_stands_where_it_was_kept_until_it_goes_or_comes_anew() -> None:
    slots = LineSlots(kept)

    assert [slots.of(key) for key in "abc"] == [(0,), (1, 2), ()]
    assert (list(slots.since()), slots.left) == ([], [])

    assert slots.take("b") == (1, 2)
    slots.put("c", (3,))
    assert [slots.of(key) for key in "abc"] == [(0,), (), (3,)]
    assert (list(slots.since()), slots.left) == ([("c", (3,))], [1, 2])

    slots.put("b", (4,))
    assert slots.of("b") == (4,)
    assert [slots.take(key) for key in "bcd"] == [(4,), (3,), ()]
    assert [slots.of(key) for key in "abc"] == [(0,), (), ()]
    assert list(slots.since()) == []
