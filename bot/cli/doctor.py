"""``xiaoxiang doctor``: check what is set up, and say what to do about what is not."""

import asyncio
import os
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from bot.adapters.incoming import paired_owner
from bot.conversation.messages import Platform
from bot.identity import parsed_ids
from bot.llm.tokens import InMemoryTokenLedger
from bot.models import open_models
from bot.settings import Settings, read_settings
from bot.texts import Sentence, lark, say, telegram
from bot.texts import shell as texts
from memory.agents import agent_ids
from memory.clock import SystemClock
from memory.errors import InputRefused, StoreError
from memory.ports import Replied, Unavailable
from memory.stores.recovery import read_agent_state
from prompts import Compress

if TYPE_CHECKING:
    from bot.adapters.lark.doctor import LarkCheck


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked, and what came of it."""

    good: bool
    text: str


def has_owner(settings: Settings, platform: Platform) -> bool:
    """Say whether she has an owner on a platform, set or paired."""
    owners = parsed_ids(settings.owner_ids) | paired_owner(settings.data_dir, platform)
    return any(each.platform == platform for each in owners)


def lark_findings(settings: Settings) -> Iterator[Finding]:
    """Check the app, its bot, its scopes, its events, the connection, and who owns her."""
    if not settings.has_lark:
        yield _lark_finding(settings, lark.NOT_SET, good=True)
        return
    from bot.adapters.lark.doctor import check_lark  # noqa: PLC0415 - only where configured

    found = asyncio.run(
        check_lark(
            settings.lark_app_id,
            settings.lark_app_secret.get_secret_value(),
            settings.lark_base,
            transport=settings.lark_mode,
            streaming=settings.lark_streaming,
        )
    )
    if found.failure == "token_refused":
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
    from bot.adapters.lark.doctor import CALLBACKS, EVENTS  # noqa: PLC0415

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


class NullTokenLedger(InMemoryTokenLedger):
    """Keeps nothing: a doctor leaves no trace in the data folder."""

    async def factor(self, model: str) -> float | None:
        """Return that nothing was learnt about the model."""
        del model
        return None

    async def learn_factor(self, model: str, factor: float) -> None:
        """Learn nothing."""


def run_doctor(options: Namespace) -> int:
    """Print every finding; exit status 1 if something has to be mended."""
    overrides = {"data_dir": options.data} if options.data else {}
    settings = read_settings(**overrides)
    findings = [
        *_folder_findings(settings),
        *_agent_findings(settings),
        _key_finding(settings),
        asyncio.run(_model_finding(settings)),
        *asyncio.run(_embedder_findings(settings)),
        *_telegram_findings(settings),
        *lark_findings(settings),
    ]
    console = Console(highlight=False)
    for finding in findings:
        mark = Text("✓ ", style="green") if finding.good else Text("✗ ", style="red")
        console.print(mark + Text(finding.text), soft_wrap=True)
    return 0 if all(finding.good for finding in findings) else 1


def _folder_findings(settings: Settings) -> Iterator[Finding]:
    """Check that the data folder can be written, or made."""
    folder = settings.data_dir.absolute()
    nearest = next(place for place in (folder, *folder.parents) if place.exists())
    usable = nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)
    sentence = texts.FOLDER_GOOD if usable else texts.FOLDER_BAD
    yield Finding(usable, say(settings.language, sentence, folder=str(folder)))


def _agent_findings(settings: Settings) -> Iterator[Finding]:
    """Check that every agent's files can be read."""
    for name in agent_ids(settings.data_dir):
        yield _agent_finding(settings, settings.data_dir / "agents" / name)


def _agent_finding(settings: Settings, folder: Path) -> Finding:
    try:
        state = read_agent_state(folder)
    except StoreError as error:
        sentence = say(settings.language, texts.AGENT_BAD, agent=folder.name, why=str(error))
        return Finding(good=False, text=sentence)
    count = len(state.memories)
    return Finding(
        good=True, text=say(settings.language, texts.AGENT_GOOD, agent=folder.name, count=count)
    )


def _key_finding(settings: Settings) -> Finding:
    """Check the key that seals secrets; none is no fault."""
    file = str(settings.memory_key_file)
    try:
        keys = settings.memory_keys()
    except InputRefused as error:
        return Finding(good=False, text=say(settings.language, texts.KEY_BAD, why=str(error)))
    if keys is None:
        return Finding(good=True, text=say(settings.language, texts.NO_KEY))
    sentence = texts.KEY_GOOD if len(keys) else texts.KEY_AWAY
    return Finding(good=len(keys) > 0, text=say(settings.language, sentence, file=file))


async def _model_finding(settings: Settings) -> Finding:
    """Check that the model answers, with the smallest question there is."""
    if not settings.has_model:
        return Finding(good=True, text=say(settings.language, texts.NO_MODEL))
    models = await open_models(settings, NullTokenLedger(), SystemClock())
    try:
        question = Compress(
            language="en", text="ping", phrase="ping", keywords=("ping",), characters="4"
        )
        outcome = await models.reply.complete(question)
    finally:
        await models.close()
    name = settings.llm_model
    match outcome:
        case Replied():
            return Finding(good=True, text=say(settings.language, texts.MODEL_GOOD, name=name))
        case Unavailable(reason):
            why = reason
        case other:
            why = type(other).__name__.lower()
    return Finding(good=False, text=say(settings.language, texts.MODEL_BAD, name=name, why=why))


def _telegram_findings(settings: Settings) -> Iterator[Finding]:
    """Check the token, who owns her, what she sees in groups and where updates go."""
    if not settings.has_telegram:
        yield Finding(good=True, text=say(settings.language, telegram.NO_TOKEN))
        return
    from bot.adapters.telegram.doctor import check_telegram  # noqa: PLC0415 - only where configured

    token = settings.telegram_bot_token.get_secret_value()
    found = asyncio.run(check_telegram(token, settings.telegram_api_base))
    if found.failure:
        bad = telegram.TOKEN_REFUSED if found.token_refused else telegram.BOT_BAD
        text = say(settings.language, bad, why=found.failure)
        yield Finding(good=False, text=text)
        return
    yield Finding(good=True, text=say(settings.language, telegram.BOT_GOOD, name=found.name))
    owned = has_owner(settings, "telegram")
    owner = telegram.OWNER_KNOWN if owned else telegram.OWNER_WANTED
    yield Finding(good=owned, text=say(settings.language, owner))
    privacy = telegram.PRIVACY_OFF if found.reads_groups else telegram.PRIVACY_ON
    yield Finding(good=True, text=say(settings.language, privacy))
    if found.webhook and found.webhook != settings.telegram_webhook_url:
        text = say(settings.language, telegram.WEBHOOK_ELSEWHERE, url=found.webhook)
        yield Finding(good=True, text=text)


async def _embedder_findings(settings: Settings) -> list[Finding]:
    """Check that the embedder answers, if there is one."""
    models = await open_models(settings, NullTokenLedger(), SystemClock())
    try:
        if models.embedder is None:
            return []
        good = await models.embedder.embed(["ping"]) is not None
    finally:
        await models.close()
    sentence = texts.EMBEDDER_GOOD if good else texts.EMBEDDER_BAD
    return [Finding(good, say(settings.language, sentence, name=settings.embedding_model))]
