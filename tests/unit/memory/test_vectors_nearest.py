"""Nearness in meaning from vectors."""

import numpy as np
import pytest

from memory.jobs.vectors import nearest_by_cosine
from memory.state import MAX_LINKS


def test_only_what_is_near_enough_is_found_with_its_cosine() -> None:
    vectors = np.array([[1, 0], [0.8, 0.6], [0.5, 0.866], [-1, 0]], dtype=np.float32)
    found = nearest_by_cosine([1], [1, 2, 3, 4], vectors)
    assert set(found[1]) == {2}
    assert found[1][2] == pytest.approx(0.8)


def test_the_length_of_a_vector_does_not_matter_and_no_cosine_exceeds_one() -> None:
    vectors = np.array([[3, 3.1, 7], [30, 31, 70], [0, 0, 0]], dtype=np.float32)
    found = nearest_by_cosine([1, 2, 3], [1, 2, 3], vectors)
    assert 0.999 < found[1][2] <= 1.0
    assert found[3] == {}


def test_a_memory_without_a_vector_is_near_nobody() -> None:
    assert nearest_by_cosine([9], [1], np.ones((1, 2), dtype=np.float32)) == {}


def test_only_the_nearest_are_kept_and_equal_ones_by_id() -> None:
    ids = [*range(50, 0, -1)]
    found = nearest_by_cosine([50], ids, np.ones((50, 3), dtype=np.float32))
    assert sorted(found[50]) == list(range(1, MAX_LINKS + 1))
