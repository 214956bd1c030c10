"""Lark and Feishu as a platform. Nothing outside this package imports the library."""

import re
from collections.abc import Callable, Collection, Iterator
from datetime import timedelta
from typing import Final

from bot.adapters.lark.settings import NAME, LarkSettings
from bot.adapters.platform import Finding, Platform, PlatformAdapter, SetupQuestions
from bot.identity import Access, PlatformIdentity
from bot.settings import Settings
from bot.texts import desk_link, lark, say
from memory.ports import SystemClock


def _build_adapter(
    settings: Settings, access: Access, announce: Callable[[str], object]
) -> PlatformAdapter:
    from bot.adapters.lark.adapter import LarkAdapter, LarkOptions
    from bot.adapters.lark.webhook import LarkWebhook

    own = settings.section(LarkSettings)
    webhook = LarkWebhook(
        path=own.lark_webhook_path,
        bind=own.lark_webhook_bind,
        encrypt_key=own.lark_encrypt_key.get_secret_value(),
        verification_token=own.lark_verification_token.get_secret_value(),
    )
    options = LarkOptions(
        app_id=own.lark_app_id,
        app_secret=own.lark_app_secret.get_secret_value(),
        domain=own.api_domain,
        data_dir=settings.data_dir,
        language=settings.language,
        zone=settings.agent_defaults().zone,
        webhook=webhook if own.lark_mode == "webhook" else None,
        streaming=own.lark_streaming,
        answer_within=timedelta(minutes=own.lark_answer_within_minutes),
    )
    return LarkAdapter(options, access, SystemClock(), announce=announce)


def _check_setup(settings: Settings, owners: Collection[str]) -> Iterator[Finding]:
    own = settings.section(LarkSettings)
    if not own.is_configured:
        yield Finding(good=True, text=say(settings.language, lark.NOT_SET))
        return
    from bot.adapters.lark.doctor import LarkFindings

    yield from LarkFindings(own, settings.language).check(owned=bool(owners))


def _ask(questions: SetupQuestions) -> None:
    from bot.adapters.lark.setup import ask_for_lark

    ask_for_lark(questions)


PLATFORM: Final = Platform(
    identity=PlatformIdentity(
        name=NAME,
        title=desk_link.LARK,
        agent_prefix="lark",
        id_pattern=re.compile(r"o[nuc]_[0-9A-Za-z]{1,64}", re.ASCII),
        id_example="lark:ou_…",
    ),
    settings=LarkSettings,
    setup=lark.SETUP,
    build=_build_adapter,
    check=_check_setup,
    ask=_ask,
    library="lark_oapi",
)
