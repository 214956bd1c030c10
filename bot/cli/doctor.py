"""``xiaoxiang doctor``: check what is set up, and say what to do about what is not."""

import asyncio
import os
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.text import Text

from bot.cli.doctor_lark import lark_findings
from bot.cli.findings import Finding, has_owner
from bot.llm.daily_limit import InMemoryTokenLedger
from bot.models import open_models
from bot.settings import Settings, read_settings
from bot.texts import doctor as texts
from bot.texts import say, telegram
from memory.agents import agent_ids
from memory.clock import SystemClock
from memory.errors import InputRefused, StoreError
from memory.ports import Replied, Unavailable
from memory.stores.reading import read_agent_state
from prompts import Compress


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
    from bot.adapters.telegram.checkup import check_telegram  # noqa: PLC0415 - only where configured

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
