"""``xiaoxiang run`` and ``doctor`` with Telegram, as an operator starts them."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.fakes.openai_answers import hang
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.telegram_faults import refused
from tests.fakes.telegram_server import ANN, TOKEN, TelegramServer
from tests.fakes.waiting import unless_it_hangs, until


@asynccontextmanager
async def started(
    data: Path, server: TelegramServer | None, command: str = "run", **more: str
) -> AsyncIterator[Process]:
    env = {"PATH": os.environ["PATH"], "PYTHONUTF8": "1", **more}
    if server is not None:
        env |= {"TELEGRAM_BOT_TOKEN": TOKEN, "TELEGRAM_API_BASE": server.api_base}
    program = [sys.executable, "-m", "bot", command, "--data", str(data)]
    process = await asyncio.create_subprocess_exec(*program, stdout=PIPE, stderr=PIPE, env=env)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def ended(process: Process) -> tuple[str, str]:
    async with unless_it_hangs():
        out, err = await process.communicate()
    return out.decode(), err.decode()


async def test_run_answers_until_it_is_told_to_stop_and_then_stops_soon(tmp_path: Path) -> None:
    async with (
        TelegramServer() as server,
        started(tmp_path, server, OWNER_IDS=f"telegram:{ANN}") as process,
    ):
        server.says("你好")
        await until(lambda: any(text != "…" for text in server.texts()))
        server.says("还在吗")
        process.send_signal(signal.SIGTERM)
        out, err = await ended(process)

    assert process.returncode == 0
    assert "@xiaoxiang_bot" in out
    assert TOKEN not in out + err


@pytest.mark.parametrize("second", ["run", "chat"])
async def test_a_second_program_on_the_same_folder_ends_and_nobody_is_answered_twice(
    tmp_path: Path, second: str
) -> None:
    owner = {"OWNER_IDS": f"telegram:{ANN}"}
    async with TelegramServer() as server, started(tmp_path, server, **owner) as first:
        server.says("你好")
        await until(lambda: any(text != "…" for text in server.texts()))
        heard = len(server.calls)
        async with started(tmp_path, server, second, **owner) as other:
            out, err = await ended(other)
        methods = {call.method for call in server.calls[heard:]}
        server.says("Are you there?")
        await until(lambda: len([text for text in server.texts() if text != "…"]) >= 2)
        first.send_signal(signal.SIGTERM)
        await ended(first)

    assert other.returncode == 1
    assert str(tmp_path) in err
    assert "another process" in err
    assert len(err.splitlines()) == 1
    assert out == ""
    assert len(server.texts()) == 2
    assert first.returncode == 0
    assert "deleteWebhook" not in methods


async def test_a_model_that_hangs_does_not_hold_up_the_end(tmp_path: Path) -> None:
    async with TelegramServer() as server, OpenAIServer() as model:
        model.always(hang())
        keys = {"LLM_BASE_URL": model.base_url, "LLM_MODEL": "m", "LLM_API_KEY": "sk-none"}
        owner = {"OWNER_IDS": f"telegram:{ANN}"}
        async with started(tmp_path, server, **keys, **owner) as process:
            server.says("你好")
            await until(lambda: model.asked)
            process.send_signal(signal.SIGTERM)
            await ended(process)
        assert len(model.asked) == 1, "it did not wait until the model was given up"
        model.always(None)
        async with started(tmp_path, server, **keys, **owner) as process:
            await until(lambda: any("你好" in text for text in server.texts()))
            process.send_signal(signal.SIGTERM)
            await ended(process)

    assert process.returncode == 0


async def test_run_says_what_to_set_when_nothing_is(tmp_path: Path) -> None:
    async with started(tmp_path, None) as process:
        _, err = await ended(process)

    assert process.returncode == 1
    assert "TELEGRAM_BOT_TOKEN" in err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("env", "status", "said"),
    [
        pytest.param({"OWNER_IDS": f"telegram:{ANN}"}, 0, "隐私模式", id="well"),
        pytest.param({}, 1, "OWNER_IDS", id="no owner"),
    ],
)
async def test_the_doctor_looks_at_telegram(
    tmp_path: Path, env: dict[str, str], status: int, said: str
) -> None:
    async with TelegramServer() as server, started(tmp_path, server, "doctor", **env) as process:
        out, err = await ended(process)

    assert process.returncode == status
    assert "@xiaoxiang_bot" in out
    assert said in out
    assert TOKEN not in out + err
    assert {call.method for call in server.calls} == {"getMe", "getWebhookInfo"}


async def test_the_doctor_says_that_a_token_is_revoked(tmp_path: Path) -> None:
    async with TelegramServer() as server:
        server.always("getMe", refused(401, "Unauthorized"))
        async with started(tmp_path, server, "doctor") as process:
            out, _ = await ended(process)

    assert process.returncode == 1
    assert "@BotFather" in out
    assert "TokenRefused" not in out
    assert "TELEGRAM_API_BASE" not in out
