"""The doctor and Lark: every step of the console that may have been left out is named."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.adapters import lark, read_all_settings
from bot.adapters.lark import LarkSettings
from bot.adapters.lark.sdk import load_sdk
from bot.adapters.lark.setup import (
    CALLBACKS,
    EVENTS,
    LISTENING_SCOPES,
    NEEDED_SCOPES,
    STREAMING_SCOPES,
)
from bot.adapters.platform import Finding
from bot.cli.upkeep import platform_findings
from bot.settings import Settings
from memory.errors import InputRefused
from tests.fakes.faults import page
from tests.fakes.lark_faults import refused
from tests.fakes.lark_platform import LarkPlatform
from tests.fakes.lark_world import ANN, APP_ID, APP_SECRET

WEBHOOK = {"lark_encrypt_key": "k" * 16, "lark_verification_token": "t" * 16}


def settings(platform: LarkPlatform, data: Path, **more: Any) -> Settings:
    given = {
        "lark_app_id": APP_ID,
        "lark_app_secret": APP_SECRET,
        "lark_domain": platform.url,
        "owner_ids": f"lark:{ANN}",
        "data_dir": data,
        **more,
    }
    return read_all_settings(env_file=None, **given)


def lark_findings(settings: Settings) -> list[Finding]:
    return list(platform_findings(settings, [lark.PLATFORM]))


async def told(platform: LarkPlatform, data: Path, **more: Any) -> tuple[list[str], list[str]]:
    """Return what the doctor finds good, and what it finds bad."""
    await load_sdk()
    found = await asyncio.to_thread(lark_findings, settings(platform, data, **more))
    return [each.text for each in found if each.good], [e.text for e in found if not e.good]


async def test_an_app_that_is_set_up_is_well(tmp_path: Path) -> None:
    async with LarkPlatform() as platform:
        good, bad = await told(platform, tmp_path)
        calls = {call.name for call in platform.calls}

    assert not bad
    assert any("小祥" in text for text in good)
    assert any("长连接可以" in text for text in good)
    assert calls == {"token", "bot", "granted", "about", "endpoint"}
    assert not any(APP_SECRET in text for text in good)


@pytest.mark.parametrize("missing", [*(each[0] for each in NEEDED_SCOPES), STREAMING_SCOPES[0]])
async def test_a_missing_scope_is_named(tmp_path: Path, missing: str) -> None:
    async with LarkPlatform() as platform:
        platform.app.scopes = {
            each
            for line in (*NEEDED_SCOPES, STREAMING_SCOPES)
            for each in line[:1]
            if each != missing
        } | {"application:application:self_manage"}
        good, (bad,) = await told(platform, tmp_path)

    assert f"缺权限：{missing}。" in bad
    assert any("im:message.group_msg" in text for text in good)


async def test_a_wider_scope_is_as_good(tmp_path: Path) -> None:
    async with LarkPlatform() as platform:
        needed = {each[-1] for each in NEEDED_SCOPES}
        platform.app.scopes = {*needed, *LISTENING_SCOPES, "application:application:self_manage"}
        _, bad = await told(platform, tmp_path, lark_streaming=False)

    assert not bad


@pytest.mark.parametrize("missing", [*EVENTS, *CALLBACKS])
async def test_a_missing_event_is_named(tmp_path: Path, missing: str) -> None:
    async with LarkPlatform() as platform:
        platform.app.events.discard(missing)
        _, (bad,) = await told(platform, tmp_path)

    assert f"没有订阅：{missing}。" in bad


async def test_an_app_that_may_not_ask_about_itself_is_told_what_to_look_at(
    tmp_path: Path,
) -> None:
    async with LarkPlatform() as platform:
        platform.app.scopes.discard("application:application:self_manage")
        good, bad = await told(platform, tmp_path)

    assert not bad
    assert any("card.action.trigger" in text for text in good)


def unpublished(platform: LarkPlatform) -> None:
    platform.app.published = False


def pushed_elsewhere(platform: LarkPlatform) -> None:
    platform.app.subscription = "webhook"


def botless(platform: LarkPlatform) -> None:
    platform.always("bot", refused(11205, "app do not have bot"))


def away(platform: LarkPlatform) -> None:
    platform.always("token", page(502))


def turned(platform: LarkPlatform) -> None:
    platform.always("endpoint", refused(403, status=200))


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (unpublished, "还没有发布"),
        (pushed_elsewhere, "LARK_MODE"),
        (botless, "还没有机器人"),
        (away, "没有正常应答"),
        (turned, "不给建长连接"),
    ],
)
async def test_what_is_wrong_is_said_with_what_to_do(
    tmp_path: Path, fault: Callable[[LarkPlatform], None], said: str
) -> None:
    async with LarkPlatform() as platform:
        fault(platform)
        _, bad = await told(platform, tmp_path)

    assert any(said in text for text in bad)


async def test_a_wrong_secret_and_a_missing_owner_are_said(tmp_path: Path) -> None:
    async with LarkPlatform() as platform:
        _, (wrong,) = await told(platform, tmp_path, lark_app_secret="no-such-secret")  # noqa: S106
        _, (lonely,) = await told(platform, tmp_path, owner_ids="", language="en")

    assert "LARK_APP_SECRET" in wrong
    assert "no-such-secret" not in wrong
    assert "OWNER_IDS" in lonely


async def test_with_a_webhook_nobody_asks_for_a_connection(tmp_path: Path) -> None:
    async with LarkPlatform() as platform:
        platform.app.subscription = "webhook"
        _, bad = await told(platform, tmp_path, lark_mode="webhook", **WEBHOOK)
        calls = {call.name for call in platform.calls}

    assert not bad
    assert "endpoint" not in calls


def test_without_lark_the_doctor_says_how_to_have_it(tmp_path: Path) -> None:
    (found,) = lark_findings(read_all_settings(env_file=None, data_dir=tmp_path))

    assert found.good
    assert "LARK_APP_ID" in found.text


@pytest.mark.parametrize(
    "wrong",
    [
        {"lark_app_id": APP_ID},
        {"lark_app_secret": "secret-of-mine"},
        {"lark_app_id": "123456:ABC", "lark_app_secret": "secret-of-mine"},
        {"lark_domain": "open.feishu.cn"},
        {"lark_domain": "http://example.com"},
        {"lark_domain": "http://127.0.0.1.example.com:80"},
        {"lark_mode": "polling"},
        {"lark_webhook_path": "lark"},
        {"lark_webhook_bind": "8081"},
        {"lark_answer_within_minutes": 0},
        {"lark_app_id": APP_ID, "lark_app_secret": "secret-of-mine", "lark_mode": "webhook"},
        {
            "lark_app_id": APP_ID,
            "lark_app_secret": "secret-of-mine",
            "lark_mode": "webhook",
            "lark_encrypt_key": "k",
        },
    ],
)
def test_a_wrong_setting_is_refused_by_its_name_and_without_its_secret(
    wrong: dict[str, Any],
) -> None:
    with pytest.raises(InputRefused, match="LARK_") as refusal:
        read_all_settings(env_file=None, **wrong)

    assert "secret-of-mine" not in str(refusal.value)


@pytest.mark.parametrize(
    ("domain", "base"),
    [
        ("feishu", "https://open.feishu.cn"),
        ("lark", "https://open.larksuite.com"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
    ],
)
def test_both_domains_are_known(domain: str, base: str) -> None:
    read = read_all_settings(env_file=None, lark_domain=domain)

    assert read.section(LarkSettings).api_domain == base
