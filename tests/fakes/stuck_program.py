"""The program with a thread that hangs, as one does that asks a name server without an end."""

import asyncio
import sys
import time
from typing import Any

from bot.__main__ import main
from bot.cli import run

serve = run._serve_adapter


async def stuck(adapter: Any, app: Any) -> None:
    asyncio.get_running_loop().run_in_executor(None, time.sleep, 3600)
    await serve(adapter, app)


if __name__ == "__main__":
    run._serve_adapter = stuck
    sys.exit(main(sys.argv[1:]))
