"""The program on a network that is slow and loses answers, in a time that jumps over all waiting.

What is lost is the answer to a request that was carried out: the platform did it, and the program
cannot know.
"""

import asyncio
import re
import selectors
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, Final, Literal, TypeAlias

from aiohttp import web

from bot.adapters.lark.adapter import LarkAdapter, LarkOptions
from bot.adapters.lark.sdk import load_sdk
from bot.adapters.platform import PlatformAdapter
from bot.adapters.telegram.adapter import TelegramAdapter, TelegramOptions
from bot.app import App, running
from bot.identity import Access
from bot.sections import SecretStr
from bot.settings import Settings
from bot.tasks import attempt
from memory.ports import Clock
from tests.fakes.kills import MARK, marks
from tests.fakes.lark_platform import LarkPlatform
from tests.fakes.lark_world import ANN as LARK_ANN
from tests.fakes.lark_world import APP_ID, APP_SECRET, BOT
from tests.fakes.openai_answers import DONE, Asked, chunk, events, in_pieces, say
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.platform_server import AnswerRequest, PlatformServer
from tests.fakes.platforms import IDENTITIES
from tests.fakes.telegram_server import ANN, TOKEN, TelegramServer
from tests.fakes.waiting import IDLENESS, IdleLoop

Kind: TypeAlias = Literal["talk", "command", "document"]

KINDS: Final[tuple[Kind, ...]] = ("talk", "command", "document")

PLATFORMS: Final = ("telegram", "lark")

SAID: Final[dict[Kind, tuple[str, ...]]] = {
    "talk": ("m-1", "m-2", "m-3"),
    "command": ("/help",),
    "document": ("/memory export",),
}

BAD_SECONDS: Final = 300.0
"""How long the network is bad once somebody has written."""

LONGEST_RECOVERY: Final = 3 * 3600.0

UNTOUCHED: Final = frozenset({"getUpdates", "getMe", "endpoint", "info"})
"""What is asked before anybody has written, or all the time."""

PLACEHOLDER: Final = "…"


class _JumpingSelector(selectors.DefaultSelector):
    """Waits no longer than it takes to see that nothing will come by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.jumped = 0.0
        self._hanging = IDLENESS.working

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is not None and timeout <= 0:
            return super().select(timeout)
        # What one end has sent on this machine, the other can read almost at once.
        for _ in range(3):
            if found := super().select(0.0002):
                return found
        while IDLENESS.working > self._hanging:
            if found := super().select(0.001):
                return found
        if timeout is None:
            return super().select(0.001)
        self.jumped += timeout
        return []


class JumpingLoop(IdleLoop):
    """An event loop whose time jumps to the next thing that is due when nothing else happens."""

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        asyncio.SelectorEventLoop.__init__(self, self._jumping)

    def time(self) -> float:
        return 1_000.0 + self._jumping.jumped


class _LoopClock(Clock):
    """The date of a loop whose time jumps."""

    def __init__(self) -> None:
        self._began = datetime.now(UTC)
        self._from = asyncio.get_running_loop().time()

    def now(self) -> datetime:
        passed = asyncio.get_running_loop().time() - self._from
        return self._began + timedelta(seconds=passed)


@dataclass
class Network:
    """Seconds that a request takes there and back, and the share of answers that are lost."""

    delay: float
    loss: float
    chance: Random
    is_bad: bool = False
    lost: int = 0

    async def carry(self, request: web.Request, answer: AnswerRequest) -> web.StreamResponse:
        """Let a request be answered; what has begun is done even if nobody waits any more."""

        async def later() -> web.StreamResponse:
            await asyncio.sleep(self.delay / 2)
            return await answer()

        found = await asyncio.shield(asyncio.ensure_future(later()))
        if self.chance.random() < self.loss:
            self.lost += 1
            # Half of them are torn down, the others never end.
            if self.chance.random() < 0.5 and request.transport is not None:
                request.transport.abort()
            else:
                await asyncio.sleep(3600)
        await asyncio.sleep(self.delay / 2)
        return found


class _Slowly(PlatformServer):
    network: Network

    async def _answer_unless_faulty(
        self, name: str, request: web.Request, answer: AnswerRequest
    ) -> web.StreamResponse:
        carry = super()._answer_unless_faulty
        if not self.network.is_bad or name in UNTOUCHED:
            return await carry(name, request, answer)
        return await self.network.carry(request, lambda: carry(name, request, answer))


class SlowTelegram(_Slowly, TelegramServer):
    """Telegram, slowly."""


class SlowLark(_Slowly, LarkPlatform):
    """Lark, slowly."""


@dataclass(frozen=True)
class Case:
    """One cell of the matrix."""

    platform: str
    kind: Kind
    delay: float
    loss: float
    seed: int = 1


@dataclass(frozen=True)
class Outcome:
    """What was seen in the end; ``missing`` and ``twice`` are what should have been seen once."""

    missing: tuple[str, ...] = ()
    twice: tuple[str, ...] = ()
    strays: int = 0
    lost_answers: int = 0
    seconds: float = 0.0

    @property
    def is_right(self) -> bool:
        return not (self.missing or self.twice or self.strays)


async def _muse(request: web.Request, asked: Asked) -> web.StreamResponse:
    """Answer in pieces, for some seconds; the marks come last."""
    told = marks(asked)
    if not asked.stream or told == "[SKIP]":
        return await say(told)(request, asked)
    pieces = in_pieces("想一想，" * 12 + told, 6)
    return await events(*pieces, chunk(finish="stop"), DONE, pause=1.0)(request, asked)


@dataclass
class _Stage:
    """A program on a platform: how somebody writes there, and what they see."""

    app: App
    adapter: PlatformAdapter
    say: Callable[[str], object]
    texts: Callable[[], list[str]]
    is_quiet: Callable[[], bool]


@asynccontextmanager
async def _stage(data: Path, name: str, network: Network) -> AsyncIterator[_Stage]:
    async with OpenAIServer() as model:
        model.always(_muse)
        settings = Settings(
            data_dir=data,
            llm_base_url=model.base_url,
            llm_model="marks",
            llm_api_key=SecretStr("sk-none"),
            capture_notice=False,
        )
        opened = _on_telegram if name == "telegram" else _on_lark
        async with opened(settings, network) as stage:
            yield stage


@asynccontextmanager
async def _on_telegram(settings: Settings, network: Network) -> AsyncIterator[_Stage]:
    server, clock = SlowTelegram(), _LoopClock()
    server.network = network
    async with server:
        access = Access(IDENTITIES.parsed_ids(f"telegram:{ANN}"), (), IDENTITIES)
        options = TelegramOptions(
            token=TOKEN, api_base=server.api_base, data_dir=settings.data_dir
        )
        adapter = TelegramAdapter(options, access, clock, announce=str)
        async with _served(settings, adapter, access, clock) as app:
            yield _Stage(app, adapter, server.says, server.texts, lambda: not server.waiting)


@asynccontextmanager
async def _on_lark(settings: Settings, network: Network) -> AsyncIterator[_Stage]:
    await load_sdk()
    platform, clock = SlowLark(), _LoopClock()
    platform.network = network
    platform.pushes.beat = 1.0
    async with platform:
        access = Access(IDENTITIES.parsed_ids(f"lark:{LARK_ANN}"), (), IDENTITIES)
        options = LarkOptions(
            app_id=APP_ID,
            app_secret=APP_SECRET,
            domain=platform.url,
            data_dir=settings.data_dir,
        )
        adapter = LarkAdapter(options, access, clock, announce=str)

        def texts() -> list[str]:
            shown = platform.shown(platform.private())
            return [each.text or f"[{each.kind}]" for each in shown if each.sender == BOT]

        async with _served(settings, adapter, access, clock) as app:
            yield _Stage(app, adapter, platform.say, texts, lambda: not platform.pushes.open)


@asynccontextmanager
async def _served(
    settings: Settings, adapter: Any, access: Access, clock: Clock
) -> AsyncIterator[App]:
    async with (
        adapter,
        running(settings, {adapter.platform: adapter}, access, clock=clock) as app,
        asyncio.TaskGroup() as group,
    ):
        serving = group.create_task(attempt("serving", lambda: adapter.serve(app)))
        while adapter.health.state != "well":
            await asyncio.sleep(0.1)
            # As the program does: a start that the jumping time overtook is made again.
            if serving.done():
                serving = group.create_task(attempt("serving", lambda: adapter.serve(app)))
        yield app
        serving.cancel()


async def _live(data: Path, case: Case, network: Network) -> list[str]:
    """Write, on a bad network and then on a good one; return what is seen in the end."""
    async with _stage(data, case.platform, network) as stage:
        network.is_bad = network.delay > 0 or network.loss > 0
        for text in SAID[case.kind]:
            stage.say(text)
            await asyncio.sleep(20.0)
        await asyncio.sleep(BAD_SECONDS if network.is_bad else 30.0)
        network.is_bad = False
        async with asyncio.timeout(LONGEST_RECOVERY):
            while not stage.is_quiet() or await stage.app.intake.wake_due([case.platform]):
                await asyncio.sleep(1.0)
        # What was on its way when the network got well again arrives.
        await asyncio.sleep(2 * network.delay + 60.0)
        return stage.texts()


_CHANGING: Final = re.compile(r"[0-9a-f]{4,}|\d+")


def _as_compared(text: str) -> str:
    """Return a text without the dates, sizes and marks in which two runs differ."""
    return _CHANGING.sub("#", text)


async def expected_texts(data: Path, platform: str, kind: Kind) -> Counter[str]:
    """Return what is seen on a network that loses nothing."""
    case = Case(platform, kind, 0.0, 0.0)
    seen = await _live(data, case, Network(0.0, 0.0, Random(0)))
    return Counter(map(_as_compared, seen))


async def outcome_of(data: Path, case: Case, expected: Counter[str]) -> Outcome:
    """Return what came of one cell; of talk each mark is expected once, else each message."""
    network = Network(case.delay, case.loss, Random(f"{case}"))
    loop = asyncio.get_running_loop()
    began = loop.time()
    seen = await _live(data, case, network)
    if case.kind == "talk":
        wanted = Counter(SAID["talk"])
        found = Counter(mark for text in seen for mark in MARK.findall(text))
    else:
        wanted, found = expected, Counter(map(_as_compared, seen))
        found.pop(PLACEHOLDER, None)
    return Outcome(
        missing=tuple((wanted - found).elements()),
        twice=tuple((found - wanted).elements()),
        strays=sum(text == PLACEHOLDER for text in seen),
        lost_answers=network.lost,
        seconds=loop.time() - began,
    )


def in_jumping_time(work: Callable[[], Awaitable[Any]]) -> Any:
    """Run something in a loop of its own whose time jumps."""

    async def done() -> Any:
        return await work()

    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return runner.run(done())
