"""The program put together by hand: the one place that names concrete classes."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from bot.adapters.platform import AloneIn
from bot.clock_watch import ClockWatch
from bot.conversation.delivery import AnswerSender
from bot.conversation.lanes import QUIET_SECONDS, Bell, ConversationPauses, Lanes, written_within
from bot.conversation.ledger.inbox import Bindings
from bot.conversation.ledger.ledger import MessageHistory
from bot.conversation.linking import Linking
from bot.conversation.media import MediaReader
from bot.conversation.messages import ConversationKey, Incoming, persona_of
from bot.conversation.prompt_budget import TokenBudget
from bot.conversation.reply_generator import ReplyGenerator
from bot.conversation.response_handler import ResponseHandler
from bot.data_folder import (
    DataFolder,
    Listeners,
    open_data_folder,
    open_storage,
    taking_part,
    workers_beside,
)
from bot.desk.desk import Desk
from bot.desk.documents import Adapters, document_sender
from bot.desk.page import PageDoor
from bot.desk.people import Doorkeeper
from bot.desk.services import DeskServices, desk_services
from bot.desk.undo import LearntQueue, NoticeSender
from bot.dispatch import (
    AccessGate,
    ClockQuestion,
    CommandRunner,
    Dispatcher,
    Intake,
    IntakeResult,
    LookUps,
    UrgentCommands,
)
from bot.dispatch.commands import ShellCommands, TakingBack, paused_agent
from bot.dispatch.workers import OnLook, Workers
from bot.health import Health, Watched
from bot.identity import Access, AccessLevel, PlatformId
from bot.initiative import ChangedReminders, OpeningWords, Reminding, noted_by_rule
from bot.models import Models
from bot.nights import Nights
from bot.settings import Settings
from bot.tasks import Jobs, Supervisor, under_way, watched
from bot.texts import dialogue, say
from bot.web import WebServer, page_address
from memory.agents import Agents
from memory.laws.law import Law
from memory.laws.registry import LAWS
from memory.ports import Clock, SystemClock
from prompts.rendering import template_environment

if TYPE_CHECKING:
    from bot.page import PageProgram

GRACE_SECONDS: Final = 4.0
"""How long what is under way may take to finish at the end.

A growing answer, and then each platform, take another second to stop.
"""

REPLY_SHARE: Final = 0.75
"""The part of the model's context a prompt may fill; the rest is for the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """What an adapter needs of the running program."""

    intake: Intake
    agents: Agents
    supervisor: Supervisor
    models: Models
    jobs: Jobs
    bindings: Bindings
    history: MessageHistory
    clock_watch: ClockWatch
    take_back: Callable[[ConversationKey, str], Awaitable[object]]
    health: Health
    reminding: Reminding
    settings: Settings
    nights: Nights
    workers: Workers
    alone_in: AloneIn
    page: "PageProgram | None" = None
    web: WebServer = field(default_factory=WebServer)

    @property
    def receive(self) -> Callable[[Incoming], Awaitable[IntakeResult]]:
        """What takes a message from a platform: :meth:`Intake.receive`."""
        return self.intake.receive


@dataclass(frozen=True, slots=True, kw_only=True)
class Foundation:
    """What every part of the program stands on."""

    settings: Settings
    adapters: Adapters
    access: Access
    folder: DataFolder
    clock: Clock
    clock_watch: ClockWatch
    supervisor: Supervisor
    pauses: ConversationPauses
    workers: Workers


@asynccontextmanager
async def running(  # noqa: PLR0913 - everything a program is started with, by name
    settings: Settings,
    adapters: Adapters,
    access: Access,
    *,
    offline: bool = False,
    clock: Clock | None = None,
    quiet_seconds: float = QUIET_SECONDS,
    laws: Sequence[Law[Any]] = LAWS,
    workers: bool = False,
) -> AsyncIterator[App]:
    """Run the program until the caller is done, then stop in reverse order, losing nothing.

    ``adapters`` are open already, by platform: the last answers go through them. A sender must be
    quiet for ``quiet_seconds``. With ``workers`` others may talk from the database.
    Raises :class:`memory.errors.StoreError`, as :class:`StoreLocked` beside another program.
    """
    time, learnt, changed = clock or SystemClock(), LearntQueue(), ChangedReminders()
    template_environment()  # a broken template stops the start, not a conversation
    async with (
        open_storage(settings) as storage,
        taking_part(storage, together=workers),
        open_data_folder(
            storage,
            time,
            access.identities,
            offline=offline,
            listeners=Listeners(learnt.put, changed.put),
            laws=laws,
        ) as folder,
    ):
        base = Foundation(
            settings=settings,
            adapters=adapters,
            access=access,
            folder=folder,
            clock=time,
            clock_watch=await asyncio.to_thread(ClockWatch, time, settings.data_dir),
            supervisor=(supervisor := Supervisor()),
            pauses=(pauses := ConversationPauses()),
            workers=workers_beside(storage, folder, supervisor, pauses, time, adapters),
        )
        async with watched(), _at_work(base, quiet_seconds, learnt, changed) as app:
            yield app


@asynccontextmanager
async def _at_work(
    base: Foundation, quiet_seconds: float, learnt: LearntQueue, changed: ChangedReminders
) -> AsyncIterator[App]:
    """Build every part, each from those above it, and let them work until the caller is done."""
    ledger, agents, supervisor = base.folder.ledger, base.folder.agents, base.supervisor
    sole = partial(base.workers.sole, "linking")
    linking = Linking(ledger, agents, base.clock, base.pauses.paused, sole)
    await linking.resume()  # before anybody talks: a join cut short decides who remembers whom
    handler = _build_handler(base)
    desk = Desk(agents.get, base.clock, _build_services(base, linking, handler))
    lanes, urgent = _build_lanes(base, desk, handler, quiet_seconds)
    door = Doorkeeper(ledger.people, base.adapters, base.clock, language=base.settings.language)
    await door.load(base.access)
    intake = _build_intake(base, *(bells := base.workers.bells(lanes, urgent)), door)
    shell = ShellCommands(agents, desk, ledger.bindings, base.pauses.paused)
    jobs = Jobs(lambda: _tidy(base, linking, reminding))
    reminding = _build_reminding(base, jobs, bells[0])
    nights = _build_nights(base, jobs, reminding, _build_health(base), door)
    works = (
        base.workers.keep_waking(intake, tuple(base.adapters)),
        _build_notices(base).follow(learnt),
        reminding.follow(changed),
    )
    async with (
        under_way(works, (urgent.close, lanes.close), supervisor, jobs, GRACE_SECONDS),
        shell.control_socket(base.settings.data_dir, supervisor),
    ):
        yield App(
            intake=intake,
            agents=agents,
            supervisor=supervisor,
            models=base.folder.models,
            jobs=jobs,
            bindings=ledger.bindings,
            history=ledger.history,
            clock_watch=base.clock_watch,
            take_back=TakingBack(ledger, bells[1], base.clock).take_back,
            health=nights.health,
            reminding=reminding,
            settings=base.settings,
            nights=nights,
            workers=base.workers,
            alone_in=base.workers.alone_in,
            page=_build_page(base, desk),
        )


def _build_health(base: Foundation) -> Health:
    """Return what is told of this program to whoever watches it."""
    watched = Watched(
        ledger=base.folder.ledger,
        agents=base.folder.agents,
        platforms=base.adapters,
        calls=base.folder.models.calls,
        data=base.settings.data_dir,
        clock=base.clock,
        workers=base.workers,
    )
    return Health(watched)


def _build_reminding(base: Foundation, jobs: Jobs, lanes: Bell) -> Reminding:
    """Return what says what is due."""
    return Reminding(
        agents=base.folder.agents,
        ledger=base.folder.ledger,
        platforms=base.adapters,
        pauses=base.pauses,
        clock=base.clock,
        clock_watch=base.clock_watch,
        jobs=jobs,
        supervisor=base.supervisor,
        words=OpeningWords(
            base.clock, base.folder.models.background, persona_of(base.settings.persona_file)
        ),
        wake_lane=lanes.wake,
    )


def _build_nights(
    base: Foundation, jobs: Jobs, reminding: Reminding, health: Health, door: Doorkeeper
) -> Nights:
    """Return what lives through the nights; other workers may leave them to this one."""
    nights = Nights(
        agents=base.folder.agents,
        clock_watch=base.clock_watch,
        reminding=reminding,
        health=health,
        jobs=jobs,
        supervisor=base.supervisor,
        settings=base.settings,
        wakes=base.folder.ledger.wakes,
    )
    reminding.night = partial(nights.begin, leave=base.workers.leave)
    reminding.follow_zone = nights.follow_zone
    tell = partial(base.workers.share_owners, base.access, base.settings.data_dir, tell=True)
    base.access.on_new = lambda: base.supervisor.start("telling who may talk", tell())
    base.workers.follow(
        OnLook(
            look=reminding.look,
            news=partial(_read_news, base, door),
            nights=lambda: len(nights.under_way),
        )
    )
    return nights


async def _read_news(base: Foundation, door: Doorkeeper) -> None:
    """Know who may talk by what other workers heard."""
    await base.workers.share_owners(base.access, base.settings.data_dir)
    await door.load(base.access)


def _build_notices(base: Foundation) -> NoticeSender:
    """Return what says in private what was learnt, and warns an owner of a doubtful model."""
    return NoticeSender(
        base.folder.agents.get,
        base.folder.ledger.bindings,
        base.adapters,
        base.pauses.wait_until_quiet,
        base.supervisor,
        lambda place: base.access.is_owners_chat(PlatformId(place.platform, place.chat)),
    )


def _build_services(base: Foundation, linking: Linking, handler: ResponseHandler) -> DeskServices:
    """Return what commands may reach beside an agent's own memory."""
    ledger, pace = base.folder.ledger, base.folder.models.pace
    services = desk_services(ledger, base.settings, base.adapters, linking, base.clock_watch, pace)
    services.access, services.growing = base.access, handler.growing
    services.disk, services.worker = base.folder.disk, base.workers.in_short
    services.calls = base.folder.models.calls
    bind = base.settings.web_bind
    if bind:
        services.page = PageDoor(base.clock, page_address(bind, base.settings.web_address))
    return services


def _build_page(base: Foundation, desk: Desk) -> "PageProgram | None":
    """Return what the memory page is served from; None where it is not."""
    services = desk.services
    if services is None or services.page is None:
        return None
    from bot.page import PageProgram

    return PageProgram(
        agents=base.folder.agents,
        desk=desk,
        door=services.page,
        services=services,
        clock=base.clock,
        supervisor=base.supervisor,
        paused=partial(paused_agent, base.folder.ledger.bindings, base.pauses.paused),
        language=base.settings.language,
    )


def _build_intake(base: Foundation, lanes: Bell, urgent: Bell, door: Doorkeeper) -> Intake:
    """Return what takes messages in: the gate, and what compares their time with the clock."""
    platforms, supervisor, settings = base.adapters, base.supervisor, base.settings
    gate = AccessGate(base.access, platforms, supervisor, door, language=settings.language)
    question = ClockQuestion(
        base.clock_watch,
        base.access,
        platforms,
        supervisor,
        base.clock,
        agent_defaults=settings.agent_defaults(),
    )
    return Intake(base.folder.ledger, lanes, urgent, gate, question, base.clock)


def _build_lanes(
    base: Foundation, desk: Desk, handler: ResponseHandler, quiet_seconds: float
) -> tuple[Lanes, Lanes]:
    """Return the lanes of the conversations, and those of urgent commands beside them."""
    ledger = base.folder.ledger
    runner = CommandRunner(ledger, handler, base.access, desk, base.adapters, base.pauses.paused)
    gather_after = timedelta(minutes=base.settings.gather_after_minutes)
    look_ups = LookUps(ledger, base.adapters, base.clock)
    lanes = Lanes(
        base.workers.work(Dispatcher(ledger, handler, runner, look_ups, base.clock)),
        base.supervisor,
        base.pauses,
        quiet_seconds=quiet_seconds,
        late_before=written_within(gather_after, base.clock),
    )
    # Without the pauses: an erasure runs there and pauses the others.
    return lanes, Lanes(base.workers.work(UrgentCommands(ledger, runner)), base.supervisor)


def _build_handler(base: Foundation) -> ResponseHandler:
    """Return what answers, from the models to the platforms."""
    settings, models = base.settings, base.folder.models
    generator = ReplyGenerator(
        model=models.reply,
        persona=persona_of(settings.persona_file),
        budget=TokenBudget(int(models.context_tokens * REPLY_SHARE), models.tokens.count),
        clock=base.clock,
        language=settings.language,
        abilities=(*models.abilities, "reminders"),
        by_rule=noted_by_rule,
        turns=base.supervisor.turns,
        is_owner=lambda said: base.access.level_of(said.author) is AccessLevel.OWNER,
    )
    media = MediaReader(
        image_reader=models.image_reader,
        transcriber=models.transcriber,
        platforms=base.adapters,
        language=settings.language,
    )
    ledger = base.folder.ledger
    sender = AnswerSender(
        ledger.turns,
        base.adapters,
        document_sender(base.adapters),
        given_up=say(settings.language, dialogue.NEVER_DELIVERED),
    )
    return ResponseHandler(ledger, base.folder.agents.get, sender, generator, base.clock, media)


async def _tidy(base: Foundation, linking: Linking, reminding: Reminding) -> None:
    base.clock_watch.check()
    await base.folder.agents.close_idle()
    # A clock that was set, or a machine that slept, may have passed what is due.
    await reminding.look()
    # A join waits if another program had one of its agents open; that may be over by now.
    await linking.resume()
