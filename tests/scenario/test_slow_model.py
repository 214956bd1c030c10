"""A slow server with one slot: the partner goes first, and nothing of the background is lost."""

from pathlib import Path

import pytest

from tests.fakes.slow_model import OneSlot, is_background, talked

pytestmark = pytest.mark.usefixtures("quick_time")

BATCH_SECONDS = 0.1

LINES = [f"第{number}天，拉面又救了我一回。" for number in range(1, 7)]


async def test_who_writes_waits_only_for_the_batch_that_cannot_be_stopped(tmp_path: Path) -> None:
    slot = OneSlot(
        batches=5,
        batch_seconds=BATCH_SECONDS,
        answer=lambda asked: "[SKIP]" if is_background(asked) else "真好。",
    )

    waits = await talked(slot, tmp_path, LINES)

    behind = [each.for_slot for each in waits if each.behind_background]
    assert len(behind) == len(LINES) // 2
    assert max(behind) <= BATCH_SECONDS + 0.5
    assert sum(each.background and each.given_up for each in slot.calls) == len(behind)
    # Each call that gave way was made anew, and every turn was judged.
    assert sum(each.background and each.answered for each in slot.calls) == len(LINES)
