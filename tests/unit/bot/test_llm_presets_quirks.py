"""The servers known by name: what each is asked for, and what its own ways become."""

import logging
from typing import Any

import pytest

from bot.llm.presets import PRESETS, preset_for
from bot.llm.provider import ChatCompletions, Provider
from bot.settings import ProviderName, Settings
from memory.ports import Replied
from tests.fakes.openai_answers import say
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.prompts import reply_prompt
from tests.fakes.provider_quirks import ANSWER, QUIRKS, THOUGHT, Quirk

ASKED: dict[ProviderName, dict[str, Any]] = {
    "deepseek": {"thinking": {"type": "disabled"}, "max_tokens": 1_500, "temperature": 0.7},
    "qwen": {"enable_thinking": False, "max_tokens": 1_500, "temperature": 0.7},
    "zhipu": {"thinking": {"type": "disabled"}, "max_tokens": 1_500, "temperature": 0.7},
    "moonshot": {"thinking": {"type": "disabled"}, "max_completion_tokens": 1_500},
    "openai": {"max_completion_tokens": 1_500, "temperature": 0.7},
    "openrouter": {
        "reasoning": {"enabled": False, "exclude": True},
        "max_tokens": 1_500,
        "temperature": 0.7,
    },
    "ollama": {"reasoning_effort": "none", "max_tokens": 1_500, "temperature": 0.7},
    "lmstudio": {"max_tokens": 1_500, "temperature": 0.7},
    "llamacpp": {
        "chat_template_kwargs": {"enable_thinking": False},
        "max_tokens": 1_500,
        "temperature": 0.7,
    },
    "vllm": {
        "chat_template_kwargs": {"enable_thinking": False},
        "max_tokens": 1_500,
        "temperature": 0.7,
    },
}
"""What a reply is asked for with, beside model, messages and the stream with its bill."""


def asked_as(name: ProviderName, server: OpenAIServer, provider: Provider) -> ChatCompletions:
    settings = Settings(llm_provider=name, llm_base_url=server.base_url, llm_model="big")
    return ChatCompletions(provider, "big", style=preset_for(settings).style)


@pytest.mark.parametrize("name", PRESETS)
async def test_each_server_is_asked_in_its_own_way(name: ProviderName) -> None:
    async with OpenAIServer() as server:
        provider = Provider(server.base_url)
        server.always(say(ANSWER))
        await asked_as(name, server, provider).complete(reply_prompt())
        await provider.close()

    (asked,) = server.asked
    same = {"model", "messages", "stream", "stream_options"}
    assert {key: value for key, value in asked.body.items() if key not in same} == ASKED[name]


@pytest.mark.parametrize("quirk", QUIRKS, ids=lambda each: f"{each.server}, {each.name}")
async def test_a_way_of_a_server_becomes_what_it_means(
    quirk: Quirk, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with OpenAIServer() as server:
        provider = Provider(server.base_url)
        server.always(quirk.behaviour)
        model = asked_as(quirk.server, server, provider)
        *pieces, outcome = [event async for event in model.stream(reply_prompt())]
        await provider.close()

    assert outcome == quirk.outcome
    assert THOUGHT not in repr(pieces) + caplog.text
    if isinstance(outcome, Replied):
        assert "".join(each.text for each in pieces) == ANSWER  # type: ignore[union-attr]


def test_every_server_has_its_ways_written_down() -> None:
    assert {each.server for each in QUIRKS} == set(PRESETS)
