"""Whatever a platform or a model server answers, little memory is taken and nobody waits long."""

import tracemalloc
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib import import_module

import pytest
import pytest_asyncio

from bot.adapters.calls import PlatformError
from bot.adapters.lark.api import lark_api
from bot.adapters.lark.sdk import load_sdk
from bot.adapters.telegram.api import bot_api, translated_errors
from bot.llm.auxiliary_models import OpenAIEmbedder, OpenAITranscriber
from bot.llm.provider import ChatCompletions, Provider
from memory.ports import Replied
from tests.fakes.hostile_bodies import HOSTILE, MEGABYTE, serving_hostile
from tests.fakes.prompts import reply_prompt

MOST = 60 * MEGABYTE
SECONDS = 20.0


async def ask_telegram(url: str) -> bool:
    bot = bot_api("4242:TEST-token_of-nobody", url, seconds=SECONDS)
    try:
        await bot._request[0].initialize()
        with translated_errors():
            await bot.fetch_updates(None, 0, SECONDS)
    except PlatformError:
        return False
    finally:
        await bot.disconnect()
    return True


async def ask_lark(url: str) -> bool:
    async with lark_api("cli_a", "secret", url, seconds=SECONDS) as api:
        try:
            await api.call("GET", "/open-apis/bot/v3/info")
        except PlatformError:
            return False
    return True


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Provider]:
    provider = Provider(f"{url}/v1", "key")
    await provider.open()
    yield provider
    await provider.close()


async def ask_model(url: str) -> bool:
    async with opened(url) as provider:
        return isinstance(await ChatCompletions(provider, "m").complete(reply_prompt()), Replied)


async def ask_embedder(url: str) -> bool:
    async with opened(url) as provider:
        return await OpenAIEmbedder(provider, "m").embed(["x"]) is not None


async def ask_transcriber(url: str) -> bool:
    async with opened(url) as provider:
        return await OpenAITranscriber(provider, "m").transcribe("v.ogg", b"OggS") is not None


ASKERS: dict[str, Callable[[str], Awaitable[bool]]] = {
    "telegram": ask_telegram,
    "lark": ask_lark,
    "model": ask_model,
    "embedder": ask_embedder,
    "transcriber": ask_transcriber,
}


@pytest_asyncio.fixture(scope="module", loop_scope="module", autouse=True)
async def _imported() -> None:
    """Import before anything is measured: the packages take more than any answer may."""
    await load_sdk()
    import_module("bot.llm.openai_client")


@pytest.mark.parametrize("asker", ASKERS)
@pytest.mark.parametrize("body", HOSTILE)
async def test_a_hostile_answer_takes_little_memory(body: str, asker: str) -> None:
    async with serving_hostile(HOSTILE[body]) as url:
        tracemalloc.start()
        try:
            answered = await ASKERS[asker](url)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()

    assert not answered or body == "a wide text"
    assert peak <= MOST
