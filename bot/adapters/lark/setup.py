"""Lark's part of ``xiaoxiang setup``: an app made by scanning a link, or by hand, and checked."""

import asyncio
from importlib import import_module
from typing import Any, Final

from bot.adapters.lark import LarkSettings
from bot.adapters.lark.doctor import (
    CALLBACKS,
    EVENTS,
    NEEDED_SCOPES,
    STREAMING_SCOPES,
    LarkFindings,
)
from bot.adapters.lark.sdk import load_sdk
from bot.adapters.platform import SetupQuestions
from bot.tasks import Done, attempt
from bot.texts import setup as texts

_CHECKS: Final = 10
"""How often a step of the console may be checked again before the wizard goes on."""


def ask_for_lark(questions: SetupQuestions) -> None:
    """Make or name an app, then check every scope and event until all is well or skipped."""
    way = questions.ask(texts.LARK).lower()
    if way not in {"s", "m"}:
        return
    questions.ask_for("LARK_DOMAIN", texts.LARK_DOMAIN)
    domain = questions.settings.section(LarkSettings).api_domain
    app = asyncio.run(_scan(questions, domain)) if way == "s" else _by_hand(questions, domain)
    if not app or not questions.put(app):
        return
    for _ in range(_CHECKS):
        own = questions.settings.section(LarkSettings)
        owned = "lark:" in questions.known("OWNER_IDS")
        good = questions.tell_findings(LarkFindings(own, questions.language).check(owned=owned))
        if good or not questions.confirm(texts.CHECK_AGAIN):
            return


def _by_hand(questions: SetupQuestions, domain: str) -> dict[str, str]:
    """Show every step in the console, and ask for the id and the secret."""
    scopes = " ".join(each[0] for each in (*NEEDED_SCOPES, STREAMING_SCOPES))
    events = " ".join((*EVENTS, *CALLBACKS))
    console = f"{domain}/app"
    questions.tell(texts.LARK_STEPS, console=console, scopes=scopes, events=events)
    app, secret = questions.ask(texts.APP_ID), questions.ask(texts.APP_SECRET, secret=True)
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
                texts.SCAN, url=str(link["url"]), minutes=int(link["expire_in"]) // 60
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
        questions.tell(texts.NOT_SCANNED, why=type(step.error).__name__)
        return {}
    made = step.value
    questions.tell(texts.SCANNED, app=str(made["client_id"]))
    owner = (made.get("user_info") or {}).get("open_id")
    if owner:
        questions.add_id("OWNER_IDS", f"lark:{owner}")
    return {"LARK_APP_ID": made["client_id"], "LARK_APP_SECRET": made["client_secret"]}
