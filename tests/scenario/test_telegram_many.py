"""Many chats at once: each in its order, none waiting for another."""

from pathlib import Path

from tests.fakes.telegram_crowd import crowd


async def test_chats_keep_their_order_and_none_waits_for_the_one_that_hangs(
    tmp_path: Path,
) -> None:
    told = await crowd(tmp_path, chats=12, messages=4, stuck=True)

    assert told.missing == 0
    assert told.inversions == 0
