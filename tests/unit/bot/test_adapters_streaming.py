"""An answer that grows: whoever leaves waits a little for the change under way."""

import asyncio

from bot.adapters.streaming import StreamUpdater
from bot.supervise import Supervisor


async def test_leaving_waits_for_the_change_under_way_and_begins_no_other() -> None:
    begun, go = asyncio.Event(), asyncio.Event()
    shown: list[str] = []

    async def show() -> None:
        begun.set()
        await go.wait()
        shown.append("a change")

    growing = StreamUpdater(Supervisor(), show)
    growing.request_update()
    await begun.wait()
    asyncio.get_running_loop().call_soon(go.set)
    await growing.stop_soon()
    growing.request_update()
    await asyncio.sleep(0)

    assert shown == ["a change"]
