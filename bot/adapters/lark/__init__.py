"""Lark and Feishu as a platform. Nothing outside this package imports the library."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import timedelta
from typing import Annotated, ClassVar, Final, Literal

from msgspec import Meta

from bot.adapters.platform import Finding, Platform, PlatformAdapter, SetupQuestions
from bot.identity import Access, PlatformIdentity
from bot.sections import Checks, SecretStr, checked_bind_address
from bot.settings import PlatformSettings, Settings
from bot.texts import desk_link, lark, say
from memory.errors import InputRefused
from memory.ports import SystemClock

NAME: Final = "lark"

_APP_ID: Final = re.compile(r"cli_[0-9A-Za-z]{4,64}", re.ASCII)

_DOMAINS: Final = {
    "feishu": "https://open.feishu.cn",
    "lark": "https://open.larksuite.com",
}

_LOOPBACK: Final = re.compile(r"http://(127\.0\.0\.1|localhost):[0-9]{1,5}", re.ASCII)
"""Besides the two, only an open platform on this machine itself, for trying things out."""

_WEBHOOK_PATH: Final = re.compile(r"/[A-Za-z0-9._~/-]{0,200}", re.ASCII)


def _checked_app_id(given: str) -> str:
    if given and not _APP_ID.fullmatch(given):
        raise InputRefused(lark.WRONG_APP_ID)
    return given


def _checked_domain(given: str) -> str:
    # The app's secret is sent there: no other address may be written by mistake.
    if given not in _DOMAINS and not _LOOPBACK.fullmatch(given):
        raise InputRefused(lark.WRONG_DOMAIN)
    return given


def _checked_webhook_path(given: str) -> str:
    if not _WEBHOOK_PATH.fullmatch(given):
        raise InputRefused(lark.WRONG_PATH)
    return given


class LarkSettings(PlatformSettings, frozen=True, kw_only=True):
    """What an operator may set for Lark."""

    lark_app_id: str = ""
    lark_app_secret: SecretStr = SecretStr("")
    lark_domain: str = "feishu"
    lark_mode: Literal["websocket", "webhook"] = "websocket"
    lark_encrypt_key: SecretStr = SecretStr("")
    lark_verification_token: SecretStr = SecretStr("")
    lark_webhook_path: str = "/lark"
    lark_webhook_bind: str = "127.0.0.1:8081"
    lark_streaming: bool = True
    lark_answer_within_minutes: Annotated[int, Meta(ge=1, le=10_080)] = 120

    bind_key: ClassVar[str] = "LARK_WEBHOOK_BIND"
    checks: ClassVar[Checks] = {
        "lark_app_id": _checked_app_id,
        "lark_domain": _checked_domain,
        "lark_webhook_path": _checked_webhook_path,
        "lark_webhook_bind": checked_bind_address,
    }
    needs: ClassVar[Mapping[str, str]] = dict.fromkeys(
        ("lark_encrypt_key", "lark_verification_token"), "lark_app_id"
    )

    @property
    def is_configured(self) -> bool:
        """Whether an app is configured."""
        return bool(self.lark_app_id)

    @property
    def api_domain(self) -> str:
        """Return where Lark's open interface is."""
        return _DOMAINS.get(self.lark_domain, self.lark_domain)

    def listens_at(self) -> str:
        """Return what the webhook answers; empty while the app connects by itself."""
        is_used = self.is_configured and self._has_webhook
        return f"{self.lark_webhook_bind}{self.lark_webhook_path}" if is_used else ""

    @property
    def _has_webhook(self) -> bool:
        return self.lark_mode == "webhook"

    def __post_init__(self) -> None:
        if bool(self.lark_app_id) != bool(self.lark_app_secret.get_secret_value()):
            raise InputRefused(lark.ID_WITH_SECRET)
        if not (self.is_configured and self._has_webhook):
            return
        # Without both, anybody who finds the address could write in anybody's name.
        guards = (self.lark_encrypt_key, self.lark_verification_token)
        if not all(each.get_secret_value() for each in guards):
            raise InputRefused(lark.WEBHOOK_GUARDS)


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
    from bot.adapters.lark.setup import LarkFindings

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
