"""Setting an app up at Lark: made by scanning a link or by hand, and asked what it still lacks.

What the doctor asks changes nothing, and not a single message is taken.
"""

import asyncio
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, Literal, TypeAlias

from bot.adapters.calls import PlatformError, RequestRejected
from bot.adapters.lark import LarkSettings
from bot.adapters.lark.api import LarkApi, lark_api, route
from bot.adapters.lark.connection import discover_endpoint
from bot.adapters.lark.sdk import load_sdk
from bot.adapters.platform import Finding, SetupQuestions
from bot.conversation.delivery import FailureReason
from bot.tasks import Done, attempt
from bot.texts import Sentence, say, setup
from bot.texts import lark as texts
from memory.model import Language

CHECK_SECONDS: Final = 10.0

NEEDED_SCOPES: Final[tuple[tuple[str, ...], ...]] = (
    ("im:message.p2p_msg:readonly", "im:message.p2p_msg", "im:message"),
    ("im:message.group_at_msg:readonly", "im:message.group_at_msg", "im:message"),
    ("im:message:send_as_bot", "im:message"),
    ("im:message:readonly", "im:message"),
    ("im:message.reactions:write_only", "im:message"),
    ("im:chat:readonly", "im:chat"),
    ("im:resource",),
    ("contact:contact.base:readonly",),
    ("contact:user.base:readonly",),
)
"""What she cannot do without; of each line one scope is enough, the first one asks for least."""

STREAMING_SCOPES: Final = ("cardkit:card:write",)
LISTENING_SCOPES: Final = ("im:message.group_msg", "im:message.group_msg:readonly")
"""What she can do without: then she hears in groups only what mentions her."""

EVENTS: Final = (
    "im.message.receive_v1",
    "im.chat.member.bot.added_v1",
    "im.chat.member.bot.deleted_v1",
    "im.chat.access_event.bot_p2p_chat_entered_v1",
)
CALLBACKS: Final = ("card.action.trigger",)
_GRANTED: Final = 1
_ENABLED: Final = 2

EventTransport: TypeAlias = Literal["websocket", "webhook"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LarkCheck:
    """What Lark says. ``failure`` is the kind of failure if it says nothing at all.

    ``missing_scopes``, ``missing_events`` and ``transport``, which is how events come, are None
    where Lark does not tell this app. ``can_connect`` is None where nobody asked.
    """

    failure: FailureReason | None = None
    name: str = ""
    has_bot: bool = False
    is_enabled: bool = False
    missing_scopes: tuple[str, ...] | None = None
    reads_groups: bool = False
    is_published: bool | None = None
    missing_events: tuple[str, ...] | None = None
    transport: str | None = None
    can_connect: bool | None = None


async def check_lark(
    app_id: str, app_secret: str, domain: str, *, transport: EventTransport, streaming: bool
) -> LarkCheck:
    """Ask everything that can be asked with what the app has."""
    try:
        async with lark_api(app_id, app_secret, domain, seconds=CHECK_SECONDS) as api:
            await api.verify_secret()
            bot = await _fetch_bot(api)
            granted = await _fetch_granted_scopes(api)
            about = await _fetch_app(api, app_id)
            connects = None if transport == "webhook" else await _try_endpoint(api)
    except PlatformError as error:
        return LarkCheck(failure=error.reason)
    needed = (*NEEDED_SCOPES, STREAMING_SCOPES) if streaming else NEEDED_SCOPES
    return LarkCheck(
        name=str(bot.get("app_name") or ""),
        has_bot=bool(bot),
        is_enabled=bot.get("activate_status") == _ENABLED,
        missing_scopes=None if granted is None else tuple(_missing_scopes(needed, granted)),
        reads_groups=bool(granted and granted.intersection(LISTENING_SCOPES)),
        is_published=None if about is None else bool(about.get("online_version_id")),
        missing_events=None if about is None else _missing_events(about),
        transport=None if about is None else _subscription_type(about),
        can_connect=connects,
    )


async def _fetch_bot(api: LarkApi) -> dict[str, Any]:
    """Return who the bot is; nothing for an app without one."""
    try:
        return await api.fetch_bot()
    except RequestRejected:
        return {}


async def _fetch_granted_scopes(api: LarkApi) -> frozenset[str] | None:
    """Return the scopes the app has, None if Lark does not tell."""
    try:
        told = await api.call("GET", route("application", "v6", "scopes"))
    except RequestRejected:
        return None
    listed = told.get("scopes")
    return frozenset(
        str(each.get("scope_name"))
        for each in (listed if isinstance(listed, list) else [])
        if each.get("grant_status") == _GRANTED
    )


async def _fetch_app(api: LarkApi, app_id: str) -> dict[str, Any] | None:
    """Return what the developer console knows of the app, None if Lark does not tell."""
    path = route("application", "v6", "applications", app_id)
    try:
        app = (await api.call("GET", path, query={"lang": "zh_cn"})).get("app")
    except RequestRejected:
        return None
    return app if isinstance(app, dict) and isinstance(app.get("event"), dict) else None


async def _try_endpoint(api: LarkApi) -> bool:
    try:
        await discover_endpoint(api.transport)
    except PlatformError:
        return False
    return True


def _missing_scopes(
    needed: Collection[tuple[str, ...]], granted: Collection[str]
) -> Iterator[str]:
    return (each[0] for each in needed if not set(each) & set(granted))


def _missing_events(about: dict[str, Any]) -> tuple[str, ...]:
    """Return the events and callbacks that nobody subscribed to."""
    events = about["event"].get("subscribed_events") or []
    back = about.get("callback_info") or about.get("callback") or {}
    callbacks = back.get("subscribed_callbacks") or []
    heard = {str(each) for each in (*events, *callbacks)}
    return tuple(each for each in (*EVENTS, *CALLBACKS) if each not in heard)


def _subscription_type(about: dict[str, Any]) -> str:
    return str(about["event"].get("subscription_type") or "")


class LarkFindings:
    """Put into words what was found, in one language."""

    def __init__(self, own: LarkSettings, language: Language) -> None:
        self._own = own
        self._language = language

    def check(self, *, owned: bool) -> Iterator[Finding]:
        """Check the app, its bot, its scopes, its events, the connection, and who owns it."""
        own = self._own
        found = asyncio.run(
            check_lark(
                own.lark_app_id,
                own.lark_app_secret.get_secret_value(),
                own.api_domain,
                transport=own.lark_mode,
                streaming=own.lark_streaming,
            )
        )
        if found.failure == "token_refused":
            yield self._finding(texts.SECRET_REFUSED, good=False)
        elif found.failure:
            yield self._finding(texts.APP_AWAY, good=False, why=found.failure)
        elif not found.has_bot:
            yield self._finding(texts.NO_BOT, good=False)
        else:
            yield self._finding(texts.APP_GOOD, good=True, name=found.name)
            yield self._finding(texts.OWNER_KNOWN if owned else texts.OWNER_WANTED, good=owned)
            yield from self._bot_findings(found)
            yield from self._scope_findings(found)
            yield from self._event_findings(found)

    def _bot_findings(self, found: LarkCheck) -> Iterator[Finding]:
        if found.is_published is False:
            yield self._finding(texts.NOT_PUBLISHED, good=False)
        elif not found.is_enabled:
            yield self._finding(texts.NOT_ENABLED, good=False)

    def _scope_findings(self, found: LarkCheck) -> Iterator[Finding]:
        if found.missing_scopes is None:
            yield self._finding(texts.SCOPES_UNKNOWN, good=True)
            return
        if found.missing_scopes:
            scopes = " ".join(found.missing_scopes)
            yield self._finding(texts.SCOPES_MISSING, good=False, scopes=scopes)
        else:
            yield self._finding(texts.SCOPES_GOOD, good=True)
        yield self._finding(texts.LISTENS if found.reads_groups else texts.LISTENS_NOT, good=True)

    def _event_findings(self, found: LarkCheck) -> Iterator[Finding]:
        if found.missing_events is None:
            listed = " ".join((*EVENTS, *CALLBACKS))
            yield self._finding(texts.EVENTS_UNKNOWN, good=True, events=listed)
        elif found.missing_events:
            events = " ".join(found.missing_events)
            yield self._finding(texts.EVENTS_MISSING, good=False, events=events)
        else:
            yield self._finding(texts.EVENTS_GOOD, good=True)
        here = self._own.lark_mode
        if found.transport and found.transport != here:
            yield self._finding(texts.WAY_OTHER, good=False, there=found.transport, here=here)
        if found.can_connect is not None:
            sentence = texts.CONNECTS if found.can_connect else texts.CONNECTS_NOT
            yield self._finding(sentence, good=found.can_connect)

    def _finding(self, sentence: Sentence, *, good: bool, **values: str) -> Finding:
        return Finding(good=good, text=say(self._language, sentence, **values))


_CHECKS: Final = 10
"""How often a step of the console may be checked again before the wizard goes on."""


def ask_for_lark(questions: SetupQuestions) -> None:
    """Make or name an app, then check every scope and event until all is well or skipped."""
    way = questions.ask(setup.LARK).lower()
    if way not in {"s", "m"}:
        return
    questions.ask_for("LARK_DOMAIN", setup.LARK_DOMAIN)
    domain = questions.settings.section(LarkSettings).api_domain
    app = asyncio.run(_scan(questions, domain)) if way == "s" else _by_hand(questions, domain)
    if not app or not questions.put(app):
        return
    for _ in range(_CHECKS):
        own = questions.settings.section(LarkSettings)
        owned = "lark:" in questions.known("OWNER_IDS")
        good = questions.tell_findings(LarkFindings(own, questions.language).check(owned=owned))
        if good or not questions.confirm(setup.CHECK_AGAIN):
            return


def _by_hand(questions: SetupQuestions, domain: str) -> dict[str, str]:
    """Show every step in the console, and ask for the id and the secret."""
    scopes = " ".join(each[0] for each in (*NEEDED_SCOPES, STREAMING_SCOPES))
    events = " ".join((*EVENTS, *CALLBACKS))
    console = f"{domain}/app"
    questions.tell(setup.LARK_STEPS, console=console, scopes=scopes, events=events)
    app, secret = questions.ask(setup.APP_ID), questions.ask(setup.APP_SECRET, secret=True)
    return {"LARK_APP_ID": app, "LARK_APP_SECRET": secret} if app and secret else {}


async def _scan(questions: SetupQuestions, domain: str) -> dict[str, str]:
    """Have an app made by the person who opens a link; they own her there."""
    # Where accounts are, beside the open interface; a server of one's own has one address.
    accounts = domain.replace("//open.", "//accounts.")

    async def register() -> dict[str, Any]:
        await load_sdk()
        register_app = import_module("lark_oapi.scene.registration").aregister_app
        made: dict[str, Any] = await register_app(
            on_qr_code=lambda link: questions.tell(
                setup.SCAN, url=str(link["url"]), minutes=int(link["expire_in"]) // 60
            ),
            domain=accounts,
            lark_domain=accounts.replace("feishu.cn", "larksuite.com"),
            addons={
                "scopes": {"tenant": [each[0] for each in (*NEEDED_SCOPES, STREAMING_SCOPES)]},
                "events": {"items": {"tenant": list(EVENTS)}},
                "callbacks": {"items": list(CALLBACKS)},
            },
        )
        return made

    step = await attempt("making the app", register)
    if not isinstance(step, Done):
        questions.tell(setup.NOT_SCANNED, why=type(step.error).__name__)
        return {}
    made = step.value
    questions.tell(setup.SCANNED, app=str(made["client_id"]))
    owner = (made.get("user_info") or {}).get("open_id")
    if owner:
        questions.add_id("OWNER_IDS", f"lark:{owner}")
    return {"LARK_APP_ID": made["client_id"], "LARK_APP_SECRET": made["client_secret"]}
