"""The arrays of a file: short ones are written together, long ones a stretch at a time."""

import numpy as np
import pytest

from memory.stores.parts import Parts, aligned_head, parts_in, shapes_of, stretches_of

SHORT, LONG, LONGEST = 3, 70_000, 2_500_000


def parts_of(*sizes: int) -> Parts:
    return {f"{place}": np.arange(size).astype(np.uint8) for place, size in enumerate(sizes)}


@pytest.mark.parametrize(
    ("sizes", "count"),
    [
        ((), 1),
        ((0,), 1),
        ((SHORT,) * 80, 1),
        ((SHORT, LONG, SHORT), 3),
        ((LONG, LONG), 5),
        ((LONGEST, SHORT), 5),
    ],
)
def test_all_of_it_is_written_in_few_stretches_and_read_again(
    sizes: tuple[int, ...], count: int
) -> None:
    parts, head = parts_of(*sizes), aligned_head(b"{}")
    written = [bytes(each) for each in stretches_of(parts, head)]
    body = b"".join(written).removeprefix(head)
    read = parts_in(shapes_of(parts), body)

    assert len(written) == count
    assert max(map(len, written)) <= 1 << 20
    assert len(body) % 8 == 0
    assert all(np.array_equal(read[name], part) for name, part in parts.items())
