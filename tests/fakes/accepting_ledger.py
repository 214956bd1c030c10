"""A program that accepts messages without end and tells of each that is kept; it is killed."""

import asyncio
import sys
from itertools import count
from pathlib import Path

from bot.conversation.ledger import Ledger
from tests.fakes.clock import NOON
from tests.fakes.ledger import incoming
from tests.fakes.platforms import IDENTITIES


async def accept_for_ever(folder: Path, first: int) -> None:
    ledger = await Ledger.open(folder, IDENTITIES)
    for number in count(first):
        await ledger.inbox.accept(incoming(str(number)), NOON)
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(accept_for_ever(Path(sys.argv[1]), int(sys.argv[2])))
