"""The doctor's look at Lark: every step of its console that may have been left out."""

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING

from bot.cli.findings import Finding, is_owned
from bot.settings import Settings
from bot.texts import Sentence, lark, say

if TYPE_CHECKING:
    from bot.adapters.lark.checkup import CheckUp


def lark_findings(settings: Settings) -> Iterator[Finding]:
    """Check the app, its bot, its scopes, its events, the connection, and who owns her."""
    if not settings.has_lark:
        yield _found(settings, lark.NOT_SET, good=True)
        return
    from bot.adapters.lark.checkup import checkup  # noqa: PLC0415 - only where configured

    found = asyncio.run(
        checkup(
            settings.lark_app_id,
            settings.lark_app_secret.get_secret_value(),
            settings.lark_base,
            way=settings.lark_mode,
            streaming=settings.lark_streaming,
        )
    )
    if found.trouble == "TokenRefused":
        yield _found(settings, lark.SECRET_REFUSED, good=False)
    elif found.trouble:
        yield _found(settings, lark.APP_AWAY, good=False, why=found.trouble)
    elif not found.has_bot:
        yield _found(settings, lark.NO_BOT, good=False)
    else:
        yield _found(settings, lark.APP_GOOD, good=True, name=found.name)
        yield from _bot(settings, found)
        yield from _scopes(settings, found)
        yield from _events(settings, found)


def _bot(settings: Settings, found: "CheckUp") -> Iterator[Finding]:
    owned = is_owned(settings, "lark")
    yield _found(settings, lark.OWNER_KNOWN if owned else lark.OWNER_WANTED, good=owned)
    if found.is_published is False:
        yield _found(settings, lark.NOT_PUBLISHED, good=False)
    elif not found.is_enabled:
        yield _found(settings, lark.NOT_ENABLED, good=False)


def _scopes(settings: Settings, found: "CheckUp") -> Iterator[Finding]:
    if found.scopes is None:
        yield _found(settings, lark.SCOPES_UNKNOWN, good=True)
        return
    if found.scopes:
        yield _found(settings, lark.SCOPES_MISSING, good=False, scopes=" ".join(found.scopes))
    else:
        yield _found(settings, lark.SCOPES_GOOD, good=True)
    yield _found(settings, lark.LISTENS if found.listens else lark.LISTENS_NOT, good=True)


def _events(settings: Settings, found: "CheckUp") -> Iterator[Finding]:
    from bot.adapters.lark.checkup import CALLBACKS, EVENTS  # noqa: PLC0415

    if found.events is None:
        listed = " ".join((*EVENTS, *CALLBACKS))
        yield _found(settings, lark.EVENTS_UNKNOWN, good=True, events=listed)
    elif found.events:
        yield _found(settings, lark.EVENTS_MISSING, good=False, events=" ".join(found.events))
    else:
        yield _found(settings, lark.EVENTS_GOOD, good=True)
    if found.way and found.way != settings.lark_mode:
        here = settings.lark_mode
        yield _found(settings, lark.WAY_OTHER, good=False, there=found.way, here=here)
    if found.connects is not None:
        sentence = lark.CONNECTS if found.connects else lark.CONNECTS_NOT
        yield _found(settings, sentence, good=found.connects)


def _found(settings: Settings, sentence: Sentence, *, good: bool, **values: str) -> Finding:
    return Finding(good=good, text=say(settings.language, sentence, **values))
