"""``xiaoxiang memory …``: looks beside a running program, and writes nothing."""

import asyncio
from argparse import Namespace
from datetime import datetime
from pathlib import Path

from bot.adapters.console.render import print_document
from bot.desk.documents import Document
from bot.desk.graph import draw, to_png
from bot.desk.look import Look
from bot.settings import read_settings
from memory.agents import read_state
from memory.clock import SystemClock
from memory.errors import InputRefused
from memory.model import Mode, Tier
from memory.state import MemoryState


def run_look(options: Namespace) -> int:
    """Show what one agent knows; an unknown agent or memory is refused by name."""
    data: Path = options.data or read_settings().data_dir
    state = asyncio.run(read_state(data, options.agent))
    if options.look == "graph":
        return _draw(state, options)
    print_document(_document(Look(state, _now(options)), options), as_json=options.json)
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


def _draw(state: MemoryState, options: Namespace) -> int:
    """Write the picture to a file, as its ending says."""
    out: Path = options.out
    if out.suffix not in {".svg", ".png"}:
        raise InputRefused(f"{out}: name a file that ends in .svg or .png")
    svg = draw(state, options.id, _now(options))
    try:
        out.write_bytes(to_png(svg) if out.suffix == ".png" else svg.encode())
    except OSError as error:
        raise InputRefused(f"cannot write {out}: {error.strerror}") from error
    return 0


def _now(options: Namespace) -> datetime:
    at: datetime | None = options.at
    return at or SystemClock().now()
