"""The program put together by hand: the one place that names concrete classes."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any, Final

from bot.conversation.budget import TokenBudget
from bot.conversation.delivery import AnswerSender, Channel, PlatformInfo
from bot.conversation.lanes import QUIET_SECONDS, Lanes
from bot.conversation.ledger import Ledger
from bot.conversation.ledger.bindings import Bindings
from bot.conversation.linking import Linking
from bot.conversation.media import Fetch, MediaReader
from bot.conversation.messages import ConversationKey, Incoming, Platform
from bot.conversation.reply_generator import ReplyGenerator
from bot.conversation.response_handler import ResponseHandler
from bot.desk.desk import Desk
from bot.desk.documents import Document, Presenter
from bot.desk.notices import NoticeSender
from bot.desk.services import desk_services
from bot.dispatch import (
    AccessGate,
    CommandRunner,
    Dispatcher,
    Intake,
    IntakeResult,
    UrgentCommands,
)
from bot.dispatch.commands import ShellCommands
from bot.identity import Access
from bot.jobs import Jobs
from bot.models import Models, offline_models, open_models
from bot.settings import Settings
from bot.supervise import Supervisor, attempt
from memory.agents import Agents
from memory.clock import SystemClock
from memory.errors import InputRefused
from memory.laws.law import Law
from memory.laws.registry import LAWS
from memory.model import AgentSettings
from memory.ports import Clock
from memory.privacy.vault import Keys
from prompts.rendering import default_persona, template_environment

logger = logging.getLogger(__name__)

GRACE_SECONDS: Final = 6.0
"""So long what is under way may take to finish at the end; two more are left for the rest."""

REPLY_SHARE: Final = 0.75
"""The part of the model's context a prompt may fill; the rest is for the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Platforms:
    """The adapters that take part: how each answers, shows, and tells of itself."""

    channels: dict[Platform, Channel]
    presenters: dict[Platform, Presenter]
    files: dict[Platform, Fetch] = field(default_factory=dict)
    surfaces: dict[Platform, PlatformInfo] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProgramParts:
    """What the conversation stands on."""

    ledger: Ledger
    agents: Agents
    models: Models
    supervisor: Supervisor
    clock: Clock
    access: Access


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """What an adapter needs of the running program."""

    intake: Intake
    agents: Agents
    supervisor: Supervisor
    models: Models
    jobs: Jobs
    bindings: Bindings

    async def receive(self, incoming: Incoming) -> IntakeResult:
        """Take a message from a platform; see :meth:`Intake.receive`."""
        return await self.intake.receive(incoming)

    async def catch_up(self, agent_id: str) -> None:
        """Live through the nights an agent slept through, and be woken for the next ones."""
        agent = await self.agents.get(agent_id)

        async def night() -> None:
            await attempt("night", lambda: self._run_night(agent_id))

        self.jobs.wake_nightly(agent_id, agent.settings.time_zone, night)
        self.supervisor.start("catching up", night())

    async def _run_night(self, agent_id: str) -> None:
        if agent_id not in self.agents.known_ids():
            return  # it became part of another one
        agent = await self.agents.get(agent_id)
        await agent.nightly()


@asynccontextmanager
async def running(  # noqa: PLR0913 - everything a program is started with, by name
    settings: Settings,
    platforms: Platforms,
    *,
    offline: bool = False,
    clock: Clock | None = None,
    quiet_seconds: float = QUIET_SECONDS,
    access: Access | None = None,
    laws: Sequence[Law[Any]] = LAWS,
) -> AsyncIterator[App]:
    """Run the program until the caller is done, then stop in reverse order, losing nothing.

    Without ``access`` only a terminal may talk. ``laws`` are those an agent may live by.

    Raises :class:`memory.errors.StoreError` if the data folder cannot be used.
    """
    time = clock or SystemClock()
    template_environment()  # a broken template stops the start, not a conversation
    async with AsyncExitStack() as closing:
        ledger = await Ledger.open(settings.data_dir)
        closing.push_async_callback(ledger.close)
        models = (
            offline_models() if offline else await open_models(settings, ledger.spending, time)
        )
        closing.push_async_callback(models.close)
        agents = Agents(
            settings.data_dir,
            clock=time,
            model=models.background,
            defaults=settings.agent_defaults(),
            keys=_memory_keys(settings),
            embedder=models.embedder,
            laws=laws,
        )
        closing.push_async_callback(agents.close)
        supervisor = Supervisor()
        parts = ProgramParts(ledger, agents, models, supervisor, time, access or Access((), ()))
        linking = Linking(ledger, agents, time)
        await linking.resume()
        premises = desk_services(
            ledger, settings, platforms.surfaces, linking, partial(_show_in_chat, platforms)
        )
        desk = Desk(agents.get, time, premises)
        intake, lanes, urgent = _build_conversation(
            settings, platforms, parts, desk, quiet_seconds
        )
        linking.pause = lanes.paused
        agents.set_on_learnt(_build_notices(platforms, parts, lanes).on_learnt)
        jobs = Jobs(partial(_tidy, agents, linking))
        jobs.start()
        closing.callback(jobs.stop)
        closing.push_async_callback(supervisor.stop, GRACE_SECONDS)
        closing.callback(lanes.close)
        closing.callback(urgent.close)
        tasks = await closing.enter_async_context(asyncio.TaskGroup())
        reviving = tasks.create_task(intake.keep_waking_due(tuple(platforms.channels)))
        closing.callback(reviving.cancel)
        await closing.enter_async_context(
            ShellCommands(agents, desk, ledger.bindings, lanes).control_socket(
                settings.data_dir, supervisor
            )
        )
        yield App(
            intake=intake,
            agents=agents,
            supervisor=supervisor,
            models=models,
            jobs=jobs,
            bindings=ledger.bindings,
        )


async def _show_in_chat(platforms: Platforms, place: ConversationKey, document: Document) -> bool:
    """Show a document in a chat nobody asked from; False if its platform is not served here."""
    presenter = platforms.presenters.get(place.platform)
    if presenter is None:
        return False
    await presenter.present(place, document, reply_to="")
    return True


async def _tidy(agents: Agents, linking: Linking) -> None:
    await agents.close_idle()
    await linking.resume()


def _build_conversation(
    settings: Settings, platforms: Platforms, parts: ProgramParts, desk: Desk, quiet_seconds: float
) -> tuple[Intake, Lanes, Lanes]:
    """Put together the way of one message, from the platform's hand to its lane."""
    voice = ReplyGenerator(
        model=parts.models.reply,
        persona=persona_of(settings),
        budget=TokenBudget(
            int(settings.llm_context_tokens * REPLY_SHARE), parts.models.tokens.count
        ),
        clock=parts.clock,
        language=settings.language,
    )
    sending = AnswerSender(parts.ledger.turns, platforms.channels)
    senses = MediaReader(
        image_reader=parts.models.image_reader,
        transcriber=parts.models.transcriber,
        files=platforms.files,
        language=settings.language,
    )
    handler = ResponseHandler(parts.ledger, parts.agents.get, sending, voice, parts.clock, senses)
    orders = CommandRunner(
        parts.ledger, handler, parts.access, desk, platforms.presenters, platforms.files
    )
    gather_after = timedelta(minutes=settings.gather_after_minutes)
    lanes = Lanes(
        Dispatcher(parts.ledger, handler, orders, parts.clock),
        parts.supervisor,
        quiet_seconds=quiet_seconds,
        late_before=lambda: parts.clock.now() - gather_after,
    )
    orders.pause = lanes.paused
    urgent = Lanes(UrgentCommands(parts.ledger, orders), parts.supervisor)
    door = AccessGate(
        parts.access, platforms.presenters, parts.supervisor, language=settings.language
    )
    return Intake(parts.ledger, lanes, urgent, door, parts.clock), lanes, urgent


def _build_notices(platforms: Platforms, parts: ProgramParts, lanes: Lanes) -> NoticeSender:
    """Return who says what was just learnt, once nothing else is being said."""
    return NoticeSender(
        parts.agents.get,
        parts.ledger.bindings,
        platforms.presenters,
        lanes.wait_until_quiet,
        parts.supervisor,
    )


def _memory_keys(settings: Settings) -> Keys | None:
    """Return the keys that seal secrets; a key file that is away is said so and loses nothing."""
    keys = settings.memory_keys()
    if keys is not None and len(keys) == 0:
        logger.warning("MEMORY_KEY_FILE is not there: what is sealed stays shut until it is")
    return keys


def persona_of(settings: Settings) -> Callable[[AgentSettings], str]:
    """Return who she is for an agent: the partner's own file if there is one, read once."""
    if settings.persona_file is None:
        return lambda agent: default_persona(agent.language)
    try:
        own = settings.persona_file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputRefused(f"PERSONA_FILE {settings.persona_file} cannot be read") from error
    return lambda _: own
