"""The data folder of one program: its ledger, its models and its agents, opened in one way.

``run`` and ``chat`` hold it open while they talk, ``replay`` while it replays, and the shell's
commands while they change something.
"""

import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from bot.conversation.ledger import Ledger
from bot.identity import Identities
from bot.models import Models, offline_models, open_models
from bot.settings import Settings
from memory.agents import AgentResources, Agents, ignore_what_was_learnt
from memory.laws.law import Law
from memory.laws.registry import LAWS, Laws
from memory.learning.outcomes import LearntNotice
from memory.ports import Clock
from memory.privacy.vault import Keys

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DataFolder:
    """What is open of a data folder."""

    ledger: Ledger
    models: Models
    agents: Agents


@dataclass(frozen=True, slots=True)
class Listeners:
    """Who is told, at once, which agent learnt what, and whose reminders changed."""

    on_learnt: Callable[[str, LearntNotice], None] = ignore_what_was_learnt
    on_reminders: Callable[[str], None] = lambda _: None


NO_LISTENERS: Final = Listeners()


@asynccontextmanager
async def open_data_folder(
    settings: Settings,
    clock: Clock,
    identities: Identities,
    *,
    offline: bool = False,
    listeners: Listeners = NO_LISTENERS,
    laws: Sequence[Law[Any]] = LAWS,
) -> AsyncIterator[DataFolder]:
    """Open everything in the data folder; closed in reverse order.

    ``offline`` uses no model even if one is configured. ``listeners`` are told what happens in the
    agents, ``laws`` are those they may live by. Raises :class:`memory.errors.StoreError`,
    among it :class:`StoreLocked` if another program has an agent open once it is asked for.
    """
    async with AsyncExitStack() as closing:
        ledger = await Ledger.open(settings.data_dir, identities)
        closing.push_async_callback(ledger.close)
        # After the ledger, and closed before it: the models write down there what they cost.
        models = (
            offline_models() if offline else await open_models(settings, ledger.spending, clock)
        )
        closing.push_async_callback(models.close)
        resources = AgentResources(
            clock=clock,
            model=models.background,
            defaults=settings.agent_defaults(),
            keys=_read_keys(settings),
            embedder=models.embedder,
            on_learnt=listeners.on_learnt,
            on_reminders=listeners.on_reminders,
            on_damage=ledger.damage.note_agent,
            laws=Laws(tuple(laws)),
            backup_rule=settings.backup_rule,
        )
        agents = Agents(settings.data_dir, resources)
        closing.push_async_callback(agents.close)
        yield DataFolder(ledger, models, agents)


def _read_keys(settings: Settings) -> Keys | None:
    """Return the keys that seal secrets; a missing key file loses nothing and is logged."""
    keys = settings.memory_keys()
    if keys is not None and len(keys) == 0:
        logger.warning("MEMORY_KEY_FILE is not there: what is sealed stays shut until it is")
    return keys
