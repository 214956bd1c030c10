"""``xiaoxiang memory list|show|search``: reads beside a running program, and writes nothing."""

import asyncio
from argparse import Namespace
from pathlib import Path

from bot.adapters.console.render import print_document
from bot.desk.documents import Document
from bot.desk.look import Look
from bot.settings import read_settings
from memory.agents import read_state
from memory.clock import SystemClock
from memory.model import Mode, Tier


def run_look(options: Namespace) -> int:
    """Show what one agent knows; an unknown agent or memory is refused by name."""
    data: Path = options.data or read_settings().data_dir
    state = asyncio.run(read_state(data, options.agent))
    print_document(_document(Look(state, SystemClock().now()), options), as_json=options.json)
    return 0


def _document(look: Look, options: Namespace) -> Document:
    match options.look:
        case "list":
            tier = Tier(options.tier) if options.tier else None
            return look.every(tier=tier, mode=Mode(options.mode), limit=options.limit)
        case "show":
            return look.one(options.id)
        case _:
            return look.search(options.query, mode=Mode(options.mode), limit=options.limit)
