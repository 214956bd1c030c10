"""What has to come again, and what nobody can read: the same on every platform."""

import pytest

from bot.adapters.incoming import Acknowledger
from memory import refusals
from memory.errors import StoreUnwritable


async def test_what_is_kept_is_answered() -> None:
    keeper = Acknowledger()

    async def kept() -> str:
        return "an answer"

    assert await keeper.handle_or_skip("an event", kept) == "an answer"
    assert keeper.skipped == 0


@pytest.mark.parametrize(
    "error", [StoreUnwritable(refusals.DISK_REFUSES), TimeoutError()], ids=["full", "late"]
)
async def test_what_could_not_be_kept_comes_again(error: Exception) -> None:
    keeper = Acknowledger()

    async def failing() -> None:
        raise error

    with pytest.raises(type(error)):
        await keeper.handle_or_skip("an event", failing)
    assert keeper.skipped == 0


async def test_what_nobody_can_read_is_skipped() -> None:
    keeper = Acknowledger()

    async def unreadable() -> object:
        raise KeyError("message")

    assert await keeper.handle_or_skip("an event", unreadable) is None
    assert keeper.skipped == 1
