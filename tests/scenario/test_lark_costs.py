"""Whoever does not use Lark does not pay for it."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

from tests.fakes.telegram_server import ANN, TOKEN, TelegramServer
from tests.fakes.waiting import until

PROGRAM = [sys.executable, "-X", "importtime", "-m", "bot"]
CLEAN = {"PATH": os.environ["PATH"], "PYTHONUTF8": "1"}


async def test_the_terminal_never_loads_the_library(tmp_path: Path) -> None:
    command = [*PROGRAM, "chat", "--offline", "--data", str(tmp_path)]
    process = await asyncio.create_subprocess_exec(
        *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=CLEAN
    )
    out, err = await process.communicate("你好\n".encode())

    assert out
    # The shell imports its commands by name, which `-X importtime` does not list; what they
    # import in turn it does.
    assert b"bot.adapters.console" in err
    assert b"lark_oapi" not in err


async def test_telegram_alone_never_loads_the_library(tmp_path: Path) -> None:
    command = [*PROGRAM, "run", "--data", str(tmp_path)]
    async with TelegramServer() as server:
        env = {"TELEGRAM_BOT_TOKEN": TOKEN, "TELEGRAM_API_BASE": server.api_base}
        env |= {**CLEAN, "OWNER_IDS": f"telegram:{ANN}"}
        process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=PIPE, env=env)
        reading = asyncio.gather(process.stdout.read(), process.stderr.read())  # type: ignore[union-attr]
        server.says("你好")
        await until(lambda: any(text != "…" for text in server.texts()))
        process.send_signal(signal.SIGTERM)
        _, err = await reading
        await process.wait()

    assert b"bot.adapters.telegram.adapter" in err
    assert b"lark_oapi" not in err
