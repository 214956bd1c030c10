"""What was said is in the prompt when it is asked for, however long ago in the talk."""

from pathlib import Path

import pytest

from tests.fakes.long_talk import WAYS, missed

AGES = (1, 2, 5, 16, 29, 30, 31, 46, 59, 60, 61, 62, 90, 91, 120)
"""Where the window ends, where its tail is cut, and in between; ``make remember`` tries all."""


@pytest.mark.parametrize("way", WAYS)
async def test_a_fact_is_in_the_prompt_however_long_ago_it_was_said(
    way: str, tmp_path: Path
) -> None:
    assert await missed(tmp_path / "agent", way, AGES) == []
