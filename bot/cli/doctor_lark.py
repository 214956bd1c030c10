"""The doctor's look at Lark: every step of its console that may have been left out."""

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING

from bot.cli.findings import Finding, has_owner
from bot.settings import Settings
from bot.texts import Sentence, lark, say

if TYPE_CHECKING:
    from bot.adapters.lark.checkup import LarkCheck


def lark_findings(settings: Settings) -> Iterator[Finding]:
    """Check the app, its bot, its scopes, its events, the connection, and who owns her."""
    if not settings.has_lark:
        yield _lark_finding(settings, lark.NOT_SET, good=True)
        return
    from bot.adapters.lark.checkup import check_lark  # noqa: PLC0415 - only where configured

    found = asyncio.run(
        check_lark(
            settings.lark_app_id,
            settings.lark_app_secret.get_secret_value(),
            settings.lark_base,
            transport=settings.lark_mode,
            streaming=settings.lark_streaming,
        )
    )
    if found.failure == "TokenRefused":
        yield _lark_finding(settings, lark.SECRET_REFUSED, good=False)
    elif found.failure:
        yield _lark_finding(settings, lark.APP_AWAY, good=False, why=found.failure)
    elif not found.has_bot:
        yield _lark_finding(settings, lark.NO_BOT, good=False)
    else:
        yield _lark_finding(settings, lark.APP_GOOD, good=True, name=found.name)
        yield from _lark_bot_findings(settings, found)
        yield from _lark_scope_findings(settings, found)
        yield from _lark_event_findings(settings, found)


def _lark_bot_findings(settings: Settings, found: "LarkCheck") -> Iterator[Finding]:
    owned = has_owner(settings, "lark")
    yield _lark_finding(settings, lark.OWNER_KNOWN if owned else lark.OWNER_WANTED, good=owned)
    if found.is_published is False:
        yield _lark_finding(settings, lark.NOT_PUBLISHED, good=False)
    elif not found.is_enabled:
        yield _lark_finding(settings, lark.NOT_ENABLED, good=False)


def _lark_scope_findings(settings: Settings, found: "LarkCheck") -> Iterator[Finding]:
    if found.missing_scopes is None:
        yield _lark_finding(settings, lark.SCOPES_UNKNOWN, good=True)
        return
    if found.missing_scopes:
        yield _lark_finding(
            settings, lark.SCOPES_MISSING, good=False, scopes=" ".join(found.missing_scopes)
        )
    else:
        yield _lark_finding(settings, lark.SCOPES_GOOD, good=True)
    yield _lark_finding(
        settings, lark.LISTENS if found.reads_groups else lark.LISTENS_NOT, good=True
    )


def _lark_event_findings(settings: Settings, found: "LarkCheck") -> Iterator[Finding]:
    from bot.adapters.lark.checkup import CALLBACKS, EVENTS  # noqa: PLC0415

    if found.missing_events is None:
        listed = " ".join((*EVENTS, *CALLBACKS))
        yield _lark_finding(settings, lark.EVENTS_UNKNOWN, good=True, events=listed)
    elif found.missing_events:
        yield _lark_finding(
            settings, lark.EVENTS_MISSING, good=False, events=" ".join(found.missing_events)
        )
    else:
        yield _lark_finding(settings, lark.EVENTS_GOOD, good=True)
    if found.transport and found.transport != settings.lark_mode:
        here = settings.lark_mode
        yield _lark_finding(settings, lark.WAY_OTHER, good=False, there=found.transport, here=here)
    if found.can_connect is not None:
        sentence = lark.CONNECTS if found.can_connect else lark.CONNECTS_NOT
        yield _lark_finding(settings, sentence, good=found.can_connect)


def _lark_finding(settings: Settings, sentence: Sentence, *, good: bool, **values: str) -> Finding:
    return Finding(good=good, text=say(settings.language, sentence, **values))
