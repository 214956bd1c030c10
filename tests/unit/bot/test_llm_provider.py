"""The servers known by name, and what of a request they may refuse."""

import json
from collections.abc import Mapping
from typing import Any, get_args

import pytest
from aiohttp import web

from bot.cli.checks import NullTokenLedger
from bot.llm.presets import DEFAULT_CONTEXT_TOKENS, PRESETS, RequestStyle, preset_for
from bot.llm.provider import ChatCompletions, Provider
from bot.models import open_models
from bot.sections import checked_extra_body
from bot.settings import ProviderName, Settings, read_settings
from memory.errors import InputRefused
from memory.judgement.operations import parse_operations
from memory.ports import Replied, Unavailable
from prompts import Monitor, Prompt
from tests.fakes.clock import FakeClock
from tests.fakes.openai_answers import Asked, error, say
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.prompts import EVENING, TURN, reply_prompt


def settings_with(**given: object) -> Settings:
    return Settings(**{"llm_model": "m", **given})  # type: ignore[arg-type]


def test_every_name_has_a_preset() -> None:
    assert set(PRESETS) == set(get_args(ProviderName))
    for preset in PRESETS.values():
        Provider(preset.url)  # an address that can work


@pytest.mark.parametrize("name", PRESETS)
def test_what_is_set_goes_before_the_preset(name: ProviderName) -> None:
    known = preset_for(settings_with(llm_provider=name))
    other = preset_for(
        settings_with(
            llm_provider=name,
            llm_base_url="http://10.0.0.1/v1",
            llm_context_tokens=9_000,
            llm_extra_body='{"top_p": 0.5}',
        )
    )

    assert (known.url, known.context_tokens) == (PRESETS[name].url, PRESETS[name].context_tokens)
    assert (other.url, other.context_tokens) == ("http://10.0.0.1/v1", 9_000)
    assert other.style.extra == {"top_p": 0.5}
    assert other.style.thinking_off == known.style.thinking_off


def test_without_a_preset_nothing_but_the_bill_is_asked_for() -> None:
    preset = preset_for(settings_with())

    assert preset.context_tokens == DEFAULT_CONTEXT_TOKENS
    assert list(preset.style.optional_fields(reply_prompt())) == []


@pytest.mark.parametrize(
    "wrong",
    ["top_p=1", "[1]", "1", '{"model": "x"}', '{"messages": []}', "[" * 3_000, "x" * 5_000],
)
def test_fields_that_cannot_be_sent_are_refused(wrong: str) -> None:
    with pytest.raises(InputRefused, match=r"JSON|set here|characters"):
        checked_extra_body(wrong)


def test_a_provider_nobody_knows_is_refused_once_and_by_the_name_of_the_setting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LLM_PROVIDER", "olama")

    with pytest.raises(InputRefused) as refused:
        read_settings()

    assert str(refused.value).count("LLM_PROVIDER") == 1
    assert "'ollama'" in str(refused.value)
    assert "LITERAL" not in str(refused.value)


def test_a_provider_without_a_model_is_refused_by_name() -> None:
    with pytest.raises(InputRefused, match="LLM_PROVIDER is set but LLM_MODEL is not"):
        Settings(llm_provider="ollama")


async def test_a_field_the_server_refuses_is_left_out_and_the_others_stay() -> None:
    async def picky(request: object, asked: Asked) -> object:
        if "temperature" in asked.body:
            return await error(400, "Unsupported value: temperature")(request, asked)  # type: ignore[arg-type]
        return await say("好")(request, asked)  # type: ignore[arg-type]

    style = RequestStyle(
        thinking_off={"enable_thinking": False},
        sampled=True,
        length_key="max_tokens",
        extra={"top_p": 0.5},
    )
    async with OpenAIServer() as server:
        server.always(picky)  # type: ignore[arg-type]
        provider = Provider(server.base_url)
        model = ChatCompletions(provider, "big", style=style)
        outcomes = [await model.complete(reply_prompt()) for _ in range(2)]
        judge = Monitor(language="zh", partner="主人", now=EVENING, turn=TURN)
        outcomes.append(await model.complete(judge))
        await provider.close()
        sent = [asked.body for asked in server.asked]

    assert all(isinstance(each, Replied) for each in outcomes)
    assert len(sent) == 4
    assert ["temperature" in each for each in sent] == [True, False, False, False]
    for each in sent:
        assert each["enable_thinking"] is False
        assert each["top_p"] == 0.5
        assert each["max_tokens"] > 0
        json.dumps(each)


OPERATIONS = '{"reasons": "…", "operations": [{"op": "ADD", "text": "主人养猫"}]}'


async def answered(
    server: OpenAIServer, provider: Provider, prompt: Prompt, model: str = "big"
) -> list[Mapping[str, Any]]:
    """Ask twice and return the bodies that were sent for it."""
    asking = ChatCompletions(provider, model, style=RequestStyle(json_answers=True))
    before = len(server.asked)
    for _ in range(2):
        assert isinstance(await asking.complete(prompt), Replied)
    return [asked.body for asked in server.asked[before:]]


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_a_judgement_is_asked_for_as_json_and_a_reply_is_not(language: str) -> None:
    judge = Monitor(language=language, partner="主人", now=EVENING, turn=TURN)
    async with OpenAIServer(lambda _: OPERATIONS) as server:
        provider = Provider(server.base_url)
        judged = await answered(server, provider, judge)
        talked = await answered(server, provider, reply_prompt())
        await provider.close()

    assert [body["response_format"]["type"] for body in judged] == ["json_schema"] * 2
    assert not any("response_format" in body for body in talked)
    system, question, example, asked = (each["content"] for each in judged[0]["messages"])
    assert system == judge.messages()[0].content
    assert '"operations"' in question
    assert '"operations"' in asked
    assert len(json.loads(example)["operations"]) == 4
    assert parse_operations(example) == parse_operations(judge.messages()[2].content)


@pytest.mark.parametrize("status", [400, 500])  # llama-cpp-python's server breaks at it
async def test_a_server_that_refuses_json_is_never_asked_for_it_again(status: int) -> None:
    async def picky(request: web.Request, asked: Asked) -> web.StreamResponse:
        refused = error(status, "1 validation error: Input should be 'text' or 'json_object'")
        return await (refused if "response_format" in asked.body else say("[SKIP]"))(
            request, asked
        )

    judge = Monitor(language="zh", partner="主人", now=EVENING, turn=TURN)
    async with OpenAIServer() as server:
        server.always(picky)
        provider = Provider(server.base_url)
        first = await answered(server, provider, judge)
        other = await answered(server, provider, judge, model="small")
        await provider.close()

    assert ["response_format" in body for body in (*first, *other)] == [True, *[False] * 4]
    assert first[1]["messages"][1]["content"] == judge.messages()[1].content


async def test_a_server_that_is_down_is_asked_for_json_when_it_is_back() -> None:
    judge = Monitor(language="zh", partner="主人", now=EVENING, turn=TURN)
    async with OpenAIServer(lambda _: OPERATIONS) as server:
        provider = Provider(server.base_url)
        model = ChatCompletions(provider, "m", style=RequestStyle(json_answers=True))
        server.always(error(500, "Internal Server Error"))
        assert await model.complete(judge) == Unavailable("server_error")
        server.always(say(OPERATIONS))
        assert isinstance(await model.complete(judge), Replied)
        await provider.close()

    assert "response_format" in server.asked[-1].body


async def test_a_server_that_only_ignores_the_wish_for_json_is_asked_for_lines_from_then_on() -> (
    None
):
    judge = Monitor(language="zh", partner="主人", now=EVENING, turn=TURN)
    async with OpenAIServer(lambda _: "理由：无\n[SKIP]") as server:
        provider = Provider(server.base_url)
        sent = await answered(server, provider, judge)
        await provider.close()

    assert ["response_format" in body for body in sent] == [True, False]


def test_a_wrong_setting_is_told_with_its_key() -> None:
    with pytest.raises(InputRefused, match="LLM_EXTRA_BODY"):
        read_settings(llm_extra_body="nonsense")


async def test_a_refusal_of_json_is_known_after_a_restart_for_a_month() -> None:
    """Kept where the ledger keeps what else is known of a server, and asked anew in the end."""

    async def picky(request: web.Request, asked: Asked) -> web.StreamResponse:
        refused = error(400, "no json_schema here")
        return await (refused if "response_format" in asked.body else say("[SKIP]"))(
            request, asked
        )

    judge = Monitor(language="zh", partner="主人", now=EVENING, turn=TURN)
    usage, clock = RememberedUsage(), FakeClock()
    asked_for_json: list[int] = []
    async with OpenAIServer() as server:
        server.always(picky)
        settings = settings_with(llm_base_url=server.base_url)
        for _ in range(3):
            before = len(server.asked)
            models = await open_models(settings, usage, clock)
            assert models.background is not None
            assert isinstance(await models.background.complete(judge), Replied)
            await models.close()
            new = server.asked[before:]
            asked_for_json.append(sum("response_format" in each.body for each in new))
            clock.tick(days=20)

    assert asked_for_json == [1, 0, 1]


class RememberedUsage(NullTokenLedger):
    """Keeps what was learnt of a server, as the ledger does."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[str, float] = {}

    async def factor(self, model: str) -> float | None:
        return self.kept.get(model)

    async def learn_factor(self, model: str, factor: float) -> None:
        self.kept[model] = factor
