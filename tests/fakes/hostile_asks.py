"""Whoever asks a server and reads its answer, each in the product's own way."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from bot.adapters.calls import PlatformError
from bot.adapters.lark.api import lark_api
from bot.adapters.telegram.api import bot_api, translated_errors
from bot.llm.auxiliary_models import OpenAIEmbedder, OpenAITranscriber
from bot.llm.provider import ChatCompletions, Provider
from memory.ports import Replied
from tests.fakes.prompts import reply_prompt

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


async def hear_model(url: str) -> bool:
    async with opened(url) as provider:
        outcomes = [each async for each in ChatCompletions(provider, "m").stream(reply_prompt())]
    return isinstance(outcomes[-1], Replied)


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
    "streaming model": hear_model,
    "embedder": ask_embedder,
    "transcriber": ask_transcriber,
}
