"""The set-up, answered by a script: what it writes, tries and says, with servers on loopback."""

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot.cli.setup import read_env
from tests.fakes import processes
from tests.fakes.lark_platform import LarkPlatform
from tests.fakes.lark_world import APP_ID, APP_SECRET
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.root import AS_ROOT
from tests.fakes.telegram_faults import refused
from tests.fakes.telegram_server import ANN, TOKEN, TelegramServer


async def set_up(home: Path, answers: str, **more: str) -> "tuple[str, Mapping[str, str]]":
    """Answer line by line; return what was said and what stands in the file afterwards."""
    env = {"XIAOXIANG_HOME": str(home), "HOME": str(home), **more}
    ran = await asyncio.to_thread(processes.run, "setup", said=answers, env=env)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout, read_env(home / ".env")


async def test_whoever_skips_everything_changes_nothing(tmp_path: Path) -> None:
    said, written = await set_up(tmp_path, "\n" * 20)

    assert written == {}
    assert "离线模式" in said
    assert "xiaoxiang chat" in said


async def test_language_zone_key_and_page_are_written_and_the_rest_stays(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("GROUP_LISTEN=false\nTIMEZONE=UTC\n")

    said, written = await set_up(
        tmp_path, "en\nMars/Base\nEurope/Berlin\n\n\n\ny\n127.0.0.1:8090\n"
    )

    key = tmp_path / ".xiaoxiang.key"
    assert written == {
        "GROUP_LISTEN": "false",
        "TIMEZONE": "Europe/Berlin",
        "LANGUAGE": "en",
        "MEMORY_KEY_FILE": str(key),
        "WEB_BIND": "127.0.0.1:8090",
    }
    assert "'Mars/Base' is no time zone" in said
    assert key.stat().st_mode & 0o777 == 0o600


async def test_a_provider_that_is_none_is_asked_for_again(tmp_path: Path) -> None:
    said, written = await set_up(tmp_path, "zh\n\ndepseek\n\n")

    assert "没有叫“depseek”的" in said
    assert "比如 deepseek" in said
    assert written == {"LANGUAGE": "zh"}


async def test_an_answer_again_changes_only_that_and_a_minus_takes_it_away(tmp_path: Path) -> None:
    await set_up(tmp_path, "en\nEurope/Berlin\n")

    _, written = await set_up(tmp_path, "\n-\n")

    assert written == {"LANGUAGE": "en"}


async def test_telegram_is_tried_and_who_writes_first_owns_her(tmp_path: Path) -> None:
    async with TelegramServer() as server:
        server.says("是我")
        said, written = await set_up(
            tmp_path, f"zh\n\n\n{TOKEN}\ny\n", TELEGRAM_API_BASE=server.api_base
        )

        assert "https://t.me/xiaoxiang_bot" in said
        assert TOKEN not in said
        assert written["TELEGRAM_BOT_TOKEN"] == TOKEN
        assert written["OWNER_IDS"] == f"telegram:{ANN}"
        assert server.confirmed == 0, "what was written is still to be answered"


async def test_somebody_else_who_writes_first_owns_nothing(tmp_path: Path) -> None:
    async with TelegramServer() as server:
        server.says("hi", sender=5)
        server.says("hello all", sender=5, chat=-1009)
        server.says("it is me")
        said, written = await set_up(
            tmp_path, f"en\n\n\n{TOKEN}\nn\ny\n", TELEGRAM_API_BASE=server.api_base
        )

    assert written["OWNER_IDS"] == f"telegram:{ANN}"
    assert "telegram:-1009" in said


async def test_a_wrong_token_is_named_and_nobody_is_waited_for(tmp_path: Path) -> None:
    async with TelegramServer() as server:
        server.always("getMe", refused(401, "Unauthorized"))
        said, written = await set_up(
            tmp_path, f"en\n\n\nnonsense\n{TOKEN}\n", TELEGRAM_API_BASE=server.api_base
        )

    assert "a token looks like 123456:ABC-" in said
    assert "TELEGRAM_BOT_TOKEN is not valid" in said
    assert "OWNER_IDS" not in written


async def test_a_model_is_tried_by_one_call(tmp_path: Path) -> None:
    async with OpenAIServer() as server:
        said, written = await set_up(tmp_path, f"en\n\n{server.base_url}\nsk-secret\nbig\n")

    assert (written["LLM_BASE_URL"], written["LLM_MODEL"]) == (server.base_url, "big")
    assert written["LLM_API_KEY"] == "sk-secret"
    assert "language model big" in said
    assert "sk-secret" not in said


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_lark_is_explained_step_by_step_and_its_scopes_are_checked(
    tmp_path: Path, language: str
) -> None:
    async with LarkPlatform() as platform:
        answers = f"{language}\n\n\n\nm\n{platform.url}\n{APP_ID}\n{APP_SECRET}\n\n"
        said, written = await set_up(tmp_path, answers)

    assert written["LARK_APP_ID"] == APP_ID
    assert APP_SECRET not in said
    assert "im:message:send_as_bot" in said
    assert ("飞书权限齐全" if language == "zh" else "every scope it needs") in said


async def test_an_app_is_made_by_opening_a_link(tmp_path: Path) -> None:
    asked: list[str] = []

    async def register(request: web.Request) -> web.Response:
        action = str((await request.post())["action"])
        asked.append(action)
        answers: dict[str, dict[str, object]] = {
            "init": {"supported_auth_methods": ["client_secret"]},
            "begin": {
                "device_code": "d",
                "interval": 0,
                "expires_in": 600,
                "verification_uri_complete": "https://accounts.invalid/make?code=1",
            },
            "poll": {
                "client_id": APP_ID,
                "client_secret": APP_SECRET,
                "user_info": {"open_id": "ou_ann"},
            },
        }
        pending = action == "poll" and asked.count("poll") == 1
        return web.json_response(
            {"error": "authorization_pending"} if pending else answers[action]
        )

    app = web.Application()
    app.router.add_post("/oauth/v1/app/registration", register)
    async with TestServer(app, host="127.0.0.1") as server:
        domain = str(server.make_url("")).rstrip("/")
        said, written = await set_up(tmp_path, f"en\n\n\n\ns\n{domain}\n\n")

    assert "https://accounts.invalid/make?code=1" in said
    assert (written["LARK_APP_ID"], written["LARK_APP_SECRET"]) == (APP_ID, APP_SECRET)
    assert written["OWNER_IDS"] == "lark:ou_ann"
    assert APP_SECRET not in said
    assert asked == ["init", "begin", "poll", "poll"]


@AS_ROOT
async def test_root_sets_up_a_service_that_can_read_its_settings_and_its_key(
    tmp_path: Path,
) -> None:
    service, home = 61234, tmp_path / "var"
    home.mkdir(mode=0o700)
    os.chown(home, service, service)

    for _ in range(2):
        _, written = await set_up(home, "zh\n\n\n\n\ny\n", HOME=str(tmp_path))
        assert written["MEMORY_KEY_FILE"] == str(home / ".xiaoxiang.key")
        for name in (".env", ".xiaoxiang.key"):
            assert (home / name).stat().st_uid == service
            assert (home / name).stat().st_mode & 0o777 == 0o600

    ran = await asyncio.to_thread(
        processes.run, "chat", said="我叫林晓\n", env={"XIAOXIANG_HOME": str(home)}
    )
    assert ran.returncode == 0, ran.stderr
    assert {path.stat().st_uid for path in home.rglob("*")} == {service}
