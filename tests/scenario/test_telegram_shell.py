"""``xiaoxiang run`` and ``doctor`` with Telegram, as an operator starts them."""

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import ClientSession

from tests.fakes.canaries import facts
from tests.fakes.openai_answers import hang
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.ports import free_port
from tests.fakes.processes import RunningProgram, running_program
from tests.fakes.telegram_faults import refused
from tests.fakes.telegram_server import ANN, TOKEN, TelegramServer
from tests.fakes.waiting import until, until_listening

OWNER = {"OWNER_IDS": f"telegram:{ANN}"}


@asynccontextmanager
async def started(
    data: Path,
    server: TelegramServer | None,
    env: Mapping[str, str],
    *,
    command: str = "run",
) -> AsyncIterator[RunningProgram]:
    where = {"TELEGRAM_BOT_TOKEN": TOKEN, "TELEGRAM_API_BASE": server.api_base} if server else {}
    words = (command, "--data", data)
    async with running_program(*words, env={**where, **env}) as program:
        yield program


async def test_run_answers_until_it_is_told_to_stop_and_then_stops_soon(tmp_path: Path) -> None:
    async with (
        TelegramServer() as server,
        started(tmp_path, server, OWNER) as process,
    ):
        server.says("你好")
        await until(lambda: any(text != "…" for text in server.texts()))
        server.says("还在吗")
        out, err = await process.stopped()

    assert process.returncode == 0
    assert "@xiaoxiang_bot" in out
    assert TOKEN not in out + err


async def test_whoever_watches_sees_numbers_and_no_words(tmp_path: Path) -> None:
    bind = f"127.0.0.1:{free_port()}"
    canary = facts(3)[0]
    said: dict[str, tuple[int, str]] = {}
    async with (
        TelegramServer() as server,
        started(tmp_path, server, OWNER | {"HEALTH_BIND": bind}) as process,
        ClientSession() as session,
    ):
        server.says(f"记住：{canary}")
        await until(lambda: any(text != "…" for text in server.texts()))
        await until_listening(bind)
        for path in ("live", "ready", "metrics", "other"):
            async with session.get(f"http://{bind}/{path}") as answer:
                said[path] = (answer.status, await answer.text())
        await process.stopped()

    assert process.returncode == 0
    assert [status for status, _ in said.values()] == [200, 200, 200, 404]
    told = "".join(text for _, text in said.values())
    assert 'xiaoxiang_messages_received_total{platform="telegram"} 1.0' in told
    assert 'xiaoxiang_platform_up{platform="telegram"} 1.0' in told
    # What is measured may hold any figures, those of somebody's id as well.
    named = re.sub(r" [-+.\de]+$", "", told, flags=re.MULTILINE)
    assert not [word for word in (canary, "记住", str(ANN), TOKEN) if word in named]


async def test_health_is_told_nowhere_where_a_platform_pushes(tmp_path: Path) -> None:
    hook = {
        "TELEGRAM_WEBHOOK_URL": "https://example.com/hook",
        "TELEGRAM_WEBHOOK_SECRET": "s" * 32,
        "WEBHOOK_BIND": "127.0.0.1:8080",
        "HEALTH_BIND": "127.0.0.1:8080",
    }
    async with TelegramServer() as server, started(tmp_path, server, OWNER | hook) as process:
        _, err = await process.ended()

    assert "HEALTH_BIND 和 WEBHOOK_BIND 不能是同一个地址" in err


@pytest.mark.parametrize("second", ["run", "chat"])
async def test_a_second_program_on_the_same_folder_ends_and_nobody_is_answered_twice(
    tmp_path: Path, second: str
) -> None:
    async with TelegramServer() as server, started(tmp_path, server, OWNER) as first:
        server.says("你好")
        await until(lambda: any(text != "…" for text in server.texts()))
        heard = len(server.calls)
        async with started(tmp_path, server, OWNER, command=second) as other:
            out, err = await other.ended()
        methods = {call.method for call in server.calls[heard:]}
        server.says("Are you there?")
        await until(lambda: len([text for text in server.texts() if text != "…"]) >= 2)
        await first.stopped()

    assert other.returncode == 1
    assert str(tmp_path) in err
    assert "另一个程序" in err
    assert "in use by" not in err
    assert len(err.splitlines()) == 1
    assert out == ""
    assert len(server.texts()) == 2
    assert first.returncode == 0
    assert "deleteWebhook" not in methods


async def test_a_model_that_hangs_does_not_hold_up_the_end(tmp_path: Path) -> None:
    async with TelegramServer() as server, OpenAIServer() as model:
        model.always(hang())
        env = OWNER | {"LLM_BASE_URL": model.base_url, "LLM_MODEL": "m", "LLM_API_KEY": "sk-none"}
        async with started(tmp_path, server, env) as process:
            server.says("你好")
            await until(lambda: model.asked)
            await process.stopped()
        assert len(model.asked) == 1, "it did not wait until the model was given up"
        model.always(None)
        async with started(tmp_path, server, env) as process:
            await until(lambda: any("你好" in text for text in server.texts()))
            await process.stopped()

    assert process.returncode == 0


async def test_run_says_what_to_set_when_nothing_is(tmp_path: Path) -> None:
    async with started(tmp_path, None, {}) as process:
        _, err = await process.ended()

    assert process.returncode == 1
    assert "TELEGRAM_BOT_TOKEN" in err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("env", "status", "said"),
    [
        pytest.param(OWNER, 0, "隐私模式", id="well"),
        pytest.param({}, 1, "OWNER_IDS", id="no owner"),
    ],
)
async def test_the_doctor_looks_at_telegram(
    tmp_path: Path, env: dict[str, str], status: int, said: str
) -> None:
    async with (
        TelegramServer() as server,
        started(tmp_path, server, env, command="doctor") as process,
    ):
        out, err = await process.ended()

    assert process.returncode == status
    assert "@xiaoxiang_bot" in out
    assert said in out
    assert TOKEN not in out + err
    assert {call.method for call in server.calls} == {"getMe", "getWebhookInfo"}


async def test_the_doctor_says_that_a_token_is_revoked(tmp_path: Path) -> None:
    async with TelegramServer() as server:
        server.always("getMe", refused(401, "Unauthorized"))
        async with started(tmp_path, server, {}, command="doctor") as process:
            out, _ = await process.ended()

    assert process.returncode == 1
    assert "@BotFather" in out
    assert "TokenRefused" not in out
    assert "TELEGRAM_API_BASE" not in out
