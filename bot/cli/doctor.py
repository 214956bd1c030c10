"""``xiaoxiang doctor``: check what is set up, and say what to do about what is not."""

import asyncio
import os
from argparse import Namespace
from collections.abc import Collection, Iterator
from pathlib import Path

from rich.console import Console
from rich.text import Text

from bot.adapters import PLATFORMS, identities_of
from bot.adapters.platform import Finding, Platform
from bot.cli import settings_for
from bot.llm.tokens import InMemoryTokenLedger
from bot.models import Models, open_models
from bot.settings import Settings, open_env_file
from bot.texts import say
from bot.texts import shell as texts
from memory.agents import agent_ids
from memory.clock import SystemClock
from memory.errors import InputRefused, StoreError
from memory.ports import Embedder, Replied, Unavailable
from memory.stores.recovery import read_agent_state
from prompts import Compress


class NullTokenLedger(InMemoryTokenLedger):
    """Keeps nothing: the doctor writes nothing into the data folder."""

    async def factor(self, model: str) -> float | None:
        """Return that nothing was learnt about the model."""
        del model
        return None

    async def learn_factor(self, model: str, factor: float) -> None:
        """Learn nothing."""


def run_doctor(options: Namespace, platforms: Collection[Platform] = PLATFORMS) -> int:
    """Check everything that is set up; exit status 1 if something needs attention."""
    settings = settings_for(options, platforms)
    findings = [
        *_folder_findings(settings),
        *_env_findings(settings),
        *_agent_findings(settings),
        _key_finding(settings),
        *asyncio.run(_model_findings(settings)),
        *platform_findings(settings, platforms),
    ]
    console = Console(highlight=False)
    for finding in findings:
        mark = Text("✓ ", style="green") if finding.good else Text("✗ ", style="red")
        console.print(mark + Text(finding.text), soft_wrap=True)
    return 0 if all(finding.good for finding in findings) else 1


def platform_findings(settings: Settings, platforms: Collection[Platform]) -> Iterator[Finding]:
    """Check each platform that can be checked, with the people who own the program there."""
    identities = identities_of(platforms)
    owners = identities.owners(settings.owner_ids, settings.data_dir)
    for each in platforms:
        if each.check is not None:
            yield from each.check(
                settings, [owner.id for owner in owners if owner.platform == each.name]
            )


def _folder_findings(settings: Settings) -> Iterator[Finding]:
    """Check that the data folder can be written, or made."""
    folder = settings.data_dir.absolute()
    # The folder need not exist yet: then what counts is whether it could be made.
    nearest = next(place for place in (folder, *folder.parents) if place.exists())
    usable = nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)
    sentence = texts.FOLDER_GOOD if usable else texts.FOLDER_BAD
    yield Finding(usable, say(settings.language, sentence, folder=str(folder)))


def _env_findings(settings: Settings) -> Iterator[Finding]:
    """Check that nobody else can read the keys."""
    file = open_env_file()
    if file:
        yield Finding(good=False, text=say(settings.language, texts.ENV_OPEN, file=file))


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


async def _model_findings(settings: Settings) -> list[Finding]:
    """Check that the language model and the embedder answer, as far as there are any."""
    models = await open_models(settings, NullTokenLedger(), SystemClock())
    try:
        found = [await _reply_finding(settings, models)]
        if models.embedder is not None:
            found.append(await _embedder_finding(settings, models.embedder))
        return found
    finally:
        await models.close()


async def _reply_finding(settings: Settings, models: Models) -> Finding:
    if not settings.has_model:
        return Finding(good=True, text=say(settings.language, texts.NO_MODEL))
    # The smallest question there is: a check must cost next to nothing.
    question = Compress(
        language="en", text="ping", phrase="ping", keywords=("ping",), characters="4"
    )
    outcome = await models.reply.complete(question)
    name = settings.llm_model
    match outcome:
        case Replied():
            return Finding(good=True, text=say(settings.language, texts.MODEL_GOOD, name=name))
        case Unavailable(reason):
            why = reason
        case other:
            why = type(other).__name__.lower()
    return Finding(good=False, text=say(settings.language, texts.MODEL_BAD, name=name, why=why))


async def _embedder_finding(settings: Settings, embedder: Embedder) -> Finding:
    good = await embedder.embed(["ping"]) is not None
    sentence = texts.EMBEDDER_GOOD if good else texts.EMBEDDER_BAD
    return Finding(good, say(settings.language, sentence, name=settings.embedding_model))
