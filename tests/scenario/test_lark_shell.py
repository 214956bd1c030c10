"""``xiaoxiang run`` and ``doctor`` with Lark, as an operator starts them."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.fakes.lark_platform import LarkPlatform
from tests.fakes.lark_program import hook
from tests.fakes.lark_world import ANN, APP_ID, APP_SECRET, ENCRYPT_KEY, VERIFICATION_TOKEN
from tests.fakes.processes import RunningProgram, running_program
from tests.fakes.waiting import until, until_listening

OWNER = {"OWNER_IDS": f"lark:{ANN}"}


@asynccontextmanager
async def started(
    data: Path,
    platform: LarkPlatform,
    env: Mapping[str, str],
    *,
    command: str = "run",
    whole: bool = False,
) -> AsyncIterator[RunningProgram]:
    app = {
        "LARK_APP_ID": APP_ID,
        "LARK_APP_SECRET": APP_SECRET,
        "LARK_DOMAIN": platform.url,
    }
    words = (command, "--data", data)
    async with running_program(*words, env={**app, **env}, whole=whole) as program:
        yield program


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
    whole = way == "websocket"
    async with (
        LarkPlatform() as platform,
        started(tmp_path, platform, OWNER | more, whole=whole) as process,
    ):
        await until(lambda: "\n" in process.out)
        if way == "webhook":
            platform.push_to(f"http://{where.bind}{where.path}")
            await until_listening(where.bind)
        else:
            await platform.connected()
        platform.say("你好")
        await answered(platform, 1)
        platform.say("还在吗")
        out, err = await process.stopped()

    assert process.returncode == 0
    assert out.startswith("小祥在飞书上了：小祥")
    assert APP_SECRET not in out + err


async def test_run_ends_with_what_to_do_when_the_secret_is_wrong(tmp_path: Path) -> None:
    wrong = {"LARK_APP_SECRET": "of-another-app", "LANGUAGE": "en"}
    async with LarkPlatform() as platform, started(tmp_path, platform, wrong) as process:
        out, err = await process.ended()

    assert process.returncode == 1
    assert "LARK_APP_SECRET is wrong" in out
    assert wrong["LARK_APP_SECRET"] not in out + err


async def test_a_webhook_without_its_secrets_does_not_start(tmp_path: Path) -> None:
    async with (
        LarkPlatform() as platform,
        started(tmp_path, platform, {"LARK_MODE": "webhook"}) as process,
    ):
        out, err = await process.ended()

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
    async with (
        LarkPlatform() as platform,
        started(tmp_path, platform, env, command="doctor") as process,
    ):
        out, err = await process.ended()

    assert process.returncode == status
    assert said in out
    assert APP_SECRET not in out + err
