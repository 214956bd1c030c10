"""Waiting until a program owes nobody an answer."""

import asyncio
from collections.abc import Collection

from bot.dispatch.intake import Dispatcher
from tests.fakes.waiting import unless_it_hangs


async def until_nothing_is_owed(intake: Dispatcher, platforms: Collection[str]) -> None:
    """Wake what is due, and wait for it, until the ledger knows of nothing that is.

    Not by asking again and again while it is done: each time every lane would ask as well.
    """
    async with unless_it_hangs():
        while await intake.wake_due(platforms):
            await intake._urgent.wait_until_idle()
            await intake._lanes.wait_until_idle()
            await asyncio.sleep(0.001)  # what failed is due again only later
