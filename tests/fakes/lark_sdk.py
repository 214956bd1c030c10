"""The real library against our own platform: its client, and its long connection on a thread."""

import asyncio
import json
import sys
import threading
import warnings
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from bot.adapters.lark.sdk import LarkSdk, import_sdk, prepare_sdk
from tests.fakes.lark_platform import LarkPlatform
from tests.fakes.lark_world import APP_ID, APP_SECRET
from tests.fakes.waiting import IdleLoop


def lark() -> Any:
    """Import all of the library once: it takes seconds, and makes itself an event loop at once."""
    return whole_sdk().whole


def whole_sdk() -> LarkSdk:
    """Return what the program uses of a library it does not know the version of."""
    return _imported()[0]


@cache
def _imported() -> tuple[LarkSdk, ModuleType]:
    """Return the library, and its module of button presses, which another name hides in it."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_import_apart).result()


def _import_apart() -> tuple[LarkSdk, ModuleType]:
    with warnings.catch_warnings(), modules_apart("lark_oapi"):
        warnings.simplefilter("ignore")
        sdk = prepare_sdk(import_sdk(known_version="0"))
        return sdk, import_module("lark_oapi.event.callback.model.p2_card_action_trigger")


@contextmanager
def modules_apart(package: str) -> Iterator[None]:
    """Import a package beside the program's own copy of it, which is left as it is."""
    kept = _take_modules(package)
    try:
        yield
    finally:
        _take_modules(package)
        sys.modules.update(kept)


def _take_modules(package: str) -> dict[str, ModuleType]:
    names = [name for name in sys.modules if name.split(".")[0] == package]
    return {name: sys.modules.pop(name) for name in names}


def button_answer(told: dict[str, Any]) -> Any:
    """Return the library's value for what a button is answered with."""
    presses: Any = _imported()[1]
    return presses.P2CardActionTriggerResponse(told)


class Caller:
    """Calls the platform through the library's client, with a token of its own."""

    def __init__(self, platform: LarkPlatform) -> None:
        sdk = lark()
        self._client = (
            sdk.Client.builder()
            .app_id(APP_ID)
            .app_secret(APP_SECRET)
            .domain(platform.url)
            .enable_set_token(True)
            .build()
        )
        self._token = ""

    async def renew(self) -> None:
        path = "/open-apis/auth/v3/tenant_access_token/internal"
        answer = await self.call("POST", path, {"app_id": APP_ID, "app_secret": APP_SECRET})
        self._token = answer["tenant_access_token"]

    async def call(
        self, method: str, path: str, body: object = None, **query: str
    ) -> dict[str, Any]:
        sdk = lark()
        build = sdk.BaseRequest.builder().http_method(sdk.HttpMethod[method]).uri(path)
        build = build.queries(list(query.items()))
        if self._token:
            build = build.token_types({sdk.AccessTokenType.TENANT})
        if body is not None:
            build = build.body(body)
        option = sdk.RequestOption.builder().tenant_access_token(self._token).build()
        answer = await self._client.arequest(build.build(), option)
        told: dict[str, Any] = json.loads(answer.raw.content)
        return told


@asynccontextmanager
async def calling(platform: LarkPlatform) -> AsyncIterator[Caller]:
    caller = Caller(platform)
    await caller.renew()
    yield caller


class Listener:
    """The library's long connection, which wants a thread and a loop of its own."""

    def __init__(self, client: Any) -> None:
        self.client = client
        # Of the kind whose time the fakes wait by: one they do not know of would be idle to them.
        self._loop = IdleLoop()
        self._loop.set_exception_handler(lambda *_: None)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    async def stop(self) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop)
        await asyncio.to_thread(self._thread.join, 3)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        lark().ws.client.loop = self._loop
        with suppress(RuntimeError):
            self.client.start()
        tasks = asyncio.all_tasks(self._loop)
        for task in tasks:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        self._loop.close()

    async def _stop(self) -> None:
        self.client._auto_reconnect = False
        if self.client._conn is not None:
            await self.client._conn.close()
        self._loop.stop()


@asynccontextmanager
async def listening(
    platform: LarkPlatform, hear: Callable[[str, Any], Any]
) -> AsyncIterator[Listener]:
    """Hold the library's long connection; ``hear(type, event)`` runs on its thread."""
    sdk = lark()
    builder = sdk.EventDispatcherHandler.builder("", "")
    for name in platform.app.events - {"card.action.trigger"}:
        register = getattr(builder, f"register_p2_{name.replace('.', '_')}")
        register(lambda event, name=name: hear(name, event))
    builder.register_p2_card_action_trigger(lambda event: hear("card.action.trigger", event))
    client = sdk.ws.Client(
        APP_ID,
        APP_SECRET,
        event_handler=builder.build(),
        domain=platform.url,
        log_level=sdk.LogLevel.CRITICAL,
    )
    listener = Listener(client)
    try:
        yield listener
    finally:
        await listener.stop()
