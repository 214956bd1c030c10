"""Waiting until a program owes nobody an answer."""

import asyncio
from collections.abc import Collection

from bot.conversation.lanes import Lanes
from bot.dispatch.intake import Intake
from tests.fakes.waiting import unless_it_hangs


async def until_nothing_is_owed(intake: Intake, platforms: Collection[str]) -> None:
    """Wake what is due, and wait for it, until the ledger knows of nothing that is.

    Not by asking again and again while it is done: each time every lane would ask as well.
    """
    async with unless_it_hangs():
        while await intake.wake_due(platforms):
            for each in (intake._urgent, intake._lanes):
                if isinstance(each, Lanes):
                    await each.wait_until_idle()
            await asyncio.sleep(0.001)  # what failed is due again only later
