"""What the servers that stand in for a platform share: HTTP on 127.0.0.1, and scripted faults."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Self, TypeAlias

from aiohttp import web

from tests.fakes.faults import Fault

AnswerRequest: TypeAlias = Callable[[], Awaitable[web.StreamResponse]]


class PlatformServer(ABC):
    """Serves while it is entered. ``latency`` is the way there and back, in seconds.

    A platform adds its routes, and lets every request pass :meth:`_answer_unless_faulty` under the
    name by which tests script faults for it.
    """

    def __init__(self, *, latency: float = 0.0) -> None:
        self.latency = latency
        self._once: dict[str, list[Fault]] = {}
        self._lasting: dict[str, Fault] = {}
        self._answering: dict[str, Fault] = {}
        self._port = 0
        self._runner: web.AppRunner | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def next(self, name: str, *faults: Fault) -> None:
        """Let the next requests of that name meet these faults, one each."""
        self._once.setdefault(name, []).extend(faults)

    def always(self, name: str, fault: Fault | None) -> None:
        """Let every request of that name meet a fault from now on, or none any more."""
        if fault is None:
            self._lasting.pop(name, None)
        else:
            self._lasting[name] = fault

    def after(self, name: str, fault: Fault | None) -> None:
        """Let every request of that name be done and its answer meet a fault, or none any more."""
        if fault is None:
            self._answering.pop(name, None)
        else:
            self._answering[name] = fault

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        self._add_routes(app.router)
        self._runner = web.AppRunner(
            app, shutdown_timeout=0.2, access_log=None, handler_cancellation=True
        )
        await self._runner.setup()
        # Entered again it has its old port: a program that lost it finds it there.
        await web.TCPSite(self._runner, "127.0.0.1", self._port).start()
        self._port = self._runner.addresses[0][1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._runner is not None
        await self._runner.cleanup()

    @abstractmethod
    def _add_routes(self, router: web.UrlDispatcher) -> None:
        """Serve what the platform serves."""

    async def _answer_unless_faulty(
        self, name: str, request: web.Request, answer: AnswerRequest
    ) -> web.StreamResponse:
        script = self._once.get(name)
        fault = script.pop(0) if script else self._lasting.get(name)
        if fault is not None and (faulty := await fault(request)) is not None:
            return faulty
        await asyncio.sleep(self.latency / 2)
        found = await answer()
        spoilt = self._answering.get(name)
        if spoilt is not None and (faulty := await spoilt(request)) is not None:
            return faulty
        await asyncio.sleep(self.latency / 2)
        return found
