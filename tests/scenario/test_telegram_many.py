"""Many chats at once: each in its order, none waiting for another."""

from pathlib import Path

import pytest

from bot import app
from tests.fakes.cost import times
from tests.fakes.telegram_crowd import crowd

pytestmark = pytest.mark.usefixtures("quick_time")


@pytest.mark.hunted
async def test_chats_keep_their_order_and_none_waits_for_the_one_that_hangs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "GRACE_SECONDS", 0.2)  # one answer never comes
    chats, messages = times(12, hunting=25), times(4, hunting=6)

    told = await crowd(tmp_path, chats=chats, messages=messages, stuck=True)

    assert told.missing == 0
    assert told.inversions == 0
