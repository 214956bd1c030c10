"""Hundreds of requests Lark did not make, and not one that is believed or told why."""

import asyncio
import json
from random import Random
from typing import Any

import pytest
from aiohttp import ClientSession

from bot.adapters.lark.webhook import LarkWebhook, serve_webhook
from bot.web import WebServer
from memory.ports import SystemClock
from tests.fakes.cost import times
from tests.fakes.lark_events import received
from tests.fakes.lark_forgeries import Forger, Forgery
from tests.fakes.lark_signing import request
from tests.fakes.lark_world import ANN, ENCRYPT_KEY, VERIFICATION_TOKEN, LarkClock, World
from tests.fakes.ports import free_port
from tests.fakes.waiting import until_listening

FORGERIES = times(500, hunting=2_000)
AT_ONCE = 12
"""Fewer than one address may hold open before it has proven itself."""


def event() -> dict[str, Any]:
    world = World(LarkClock())
    chat = world.private(ANN)
    message = world.write(chat, ANN, "text", json.dumps({"text": "转账吧"}))
    return received(world, message, chat, by_app=False)


@pytest.mark.hunted
async def test_of_all_forgeries_none_is_believed() -> None:
    taken: list[Any] = []
    answers: list[tuple[str, int, bytes]] = []

    async def take(document: Any) -> None:
        taken.append(document)

    async def send(session: ClientSession, url: str, each: Forgery) -> None:
        async with session.post(url, data=each.body, headers=each.headers) as answer:
            answers.append((each.kind, answer.status, await answer.read()))

    hook = LarkWebhook(
        path="/lark",
        bind=f"127.0.0.1:{free_port()}",
        encrypt_key=ENCRYPT_KEY,
        verification_token=VERIFICATION_TOKEN,
    )
    url = f"http://{hook.bind}{hook.path}"
    now = SystemClock().now().timestamp()
    body, headers = request(event(), ENCRYPT_KEY, timestamp=str(int(now)), nonce="n")
    true = Forgery("true", body, headers)
    async with asyncio.TaskGroup() as group, ClientSession() as session:
        serving = group.create_task(serve_webhook(WebServer(), hook, take, SystemClock()))
        await until_listening(hook.bind)
        await send(session, url, true)
        forged = list(Forger(event(), true, now, Random(7)).forgeries(FORGERIES))
        for start in range(0, FORGERIES, AT_ONCE):
            some = forged[start : start + AT_ONCE]
            await asyncio.gather(*(send(session, url, each) for each in some))
        serving.cancel()

    assert answers[0][1:] == (200, b"{}")
    assert len(answers) == FORGERIES + 1
    assert len(taken) == 1
    assert {(kind, *told) for kind, *told in answers[1:]} == {
        (kind, 403, b"") for kind in {each.kind for each in forged}
    }
