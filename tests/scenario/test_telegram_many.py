"""Many chats at once: each in its order, none waiting for another."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot import app
from bot.conversation.ledger.inbox import Inbox
from tests.fakes.cost import times
from tests.fakes.telegram_crowd import crowd
from tests.fakes.telegram_program import FRIEND, on_telegram
from tests.fakes.telegram_server import ANN, TelegramServer
from tests.fakes.waiting import until

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


async def test_how_far_telegram_has_counted_is_known_before_the_disk_has_any_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk, accept = asyncio.Event(), Inbox.accept

    async def accept_slowly(inbox: Inbox, *given: Any) -> Any:
        await disk.wait()
        return await accept(inbox, *given)

    monkeypatch.setattr(Inbox, "accept", accept_slowly)
    async with TelegramServer() as server:
        server.says("一")
        last = server.says("二", sender=FRIEND)
        async with on_telegram(tmp_path, server) as she:
            await until(lambda: she.adapter._own.newest(ANN) == last)
            assert server.waiting == 2
            disk.set()
            await she.settled()
