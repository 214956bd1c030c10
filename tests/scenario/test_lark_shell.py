"""``xiaoxiang run`` and ``doctor`` with Lark, as an operator starts them."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.fakes.lark_platform import LarkPlatform
from tests.fakes.lark_program import hook
from tests.fakes.lark_world import ANN, APP_ID, APP_SECRET, ENCRYPT_KEY, VERIFICATION_TOKEN
from tests.fakes.waiting import unless_it_hangs, until, until_listening

LONGEST_STOP = 8.0
OWNER = {"OWNER_IDS": f"lark:{ANN}"}


@asynccontextmanager
async def started(
    data: Path, platform: LarkPlatform, command: str = "run", **more: str
) -> AsyncIterator[Process]:
    env = {
        "PATH": os.environ["PATH"],
        "PYTHONUTF8": "1",
        "LARK_APP_ID": APP_ID,
        "LARK_APP_SECRET": APP_SECRET,
        "LARK_DOMAIN": platform.url,
        **more,
    }
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


async def answered(platform: LarkPlatform, count: int) -> None:
    await until(lambda: len(platform.texts()) >= count)


@pytest.mark.parametrize("way", ["websocket", "webhook"])
async def test_run_answers_until_it_is_told_to_stop_and_then_stops_soon(
    tmp_path: Path, way: str
) -> None:
    where = hook()
    webhook = {
        "LARK_MODE": "webhook",
        "LARK_ENCRYPT_KEY": ENCRYPT_KEY,
        "LARK_VERIFICATION_TOKEN": VERIFICATION_TOKEN,
        "LARK_WEBHOOK_BIND": where.bind,
    }
    more = webhook if way == "webhook" else {}
    async with LarkPlatform() as platform, started(tmp_path, platform, **OWNER, **more) as process:
        assert process.stdout is not None
        async with unless_it_hangs():
            greeting = await process.stdout.readline()
        if way == "webhook":
            platform.push_to(f"http://{where.bind}{where.path}")
            await until_listening(where.bind)
        else:
            await platform.connected()
        platform.say("你好")
        await answered(platform, 1)
        platform.say("还在吗")
        process.send_signal(signal.SIGTERM)
        out, err = await ended(process)

    assert process.returncode == 0
    assert "小祥在飞书上了：小祥" in greeting.decode()
    assert APP_SECRET not in out + err


async def test_run_ends_with_what_to_do_when_the_secret_is_wrong(tmp_path: Path) -> None:
    wrong = {"LARK_APP_SECRET": "of-another-app", "LANGUAGE": "en"}
    async with LarkPlatform() as platform, started(tmp_path, platform, **wrong) as process:
        out, err = await ended(process)

    assert process.returncode == 1
    assert "LARK_APP_SECRET is wrong" in out
    assert wrong["LARK_APP_SECRET"] not in out + err


async def test_a_webhook_without_its_secrets_does_not_start(tmp_path: Path) -> None:
    async with (
        LarkPlatform() as platform,
        started(tmp_path, platform, LARK_MODE="webhook") as process,
    ):
        out, err = await ended(process)

    assert process.returncode == 1
    assert "LARK_ENCRYPT_KEY" in out + err
    assert APP_SECRET not in out + err
    assert not platform.calls


@pytest.mark.parametrize(
    ("env", "status", "said"),
    [
        pytest.param(OWNER, 0, "飞书权限齐全", id="well"),
        pytest.param({}, 1, "飞书上还没有主人", id="no owner"),
    ],
)
async def test_the_doctor_looks_at_lark(
    tmp_path: Path, env: dict[str, str], status: int, said: str
) -> None:
    async with LarkPlatform() as platform, started(tmp_path, platform, "doctor", **env) as process:
        out, err = await ended(process)

    assert process.returncode == status
    assert said in out
    assert APP_SECRET not in out + err
