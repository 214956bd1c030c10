"""The doctor's look at a model: whether it answers, how fast, and what to expect."""

from pathlib import Path

import pytest

from bot.cli.checks import NullTokenLedger, model_findings
from bot.models import open_models
from bot.settings import Settings
from memory.errors import InputRefused
from memory.model import Language
from tests.fakes.clock import FakeClock
from tests.fakes.openai_answers import DONE, Behaviour, Event, chunk, error, events, raw
from tests.fakes.openai_server import OpenAIServer


def settings_for(server: OpenAIServer, language: Language = "zh") -> Settings:
    return Settings(llm_base_url=server.base_url, llm_model="big", language=language)


def bill(**details: object) -> Event:
    usage = {"prompt_tokens": 250, "completion_tokens": 21, **details}
    return {"id": "c1", "choices": [], "usage": usage}


PIECES = [chunk("They "), chunk("walked "), chunk("home."), chunk(finish="stop")]


@pytest.mark.parametrize(
    ("language", "words"), [("zh", ("第一个字", "每秒")), ("en", ("first word", "a second"))]
)
@pytest.mark.parametrize("read", [2_500, 1])
async def test_it_measures_the_first_word_and_the_rate(
    language: Language, words: tuple[str, str], read: int
) -> None:
    async with OpenAIServer() as server:
        server.next(
            events(chunk(role="assistant"), *PIECES, bill(prompt_tokens=read), DONE, pause=0.03)
        )
        good, speed = await model_findings(settings_for(server, language))

    assert good.good
    assert speed.good
    assert all(word in speed.text for word in words)
    # A model beside us reads its prompt word by word: if one token takes so long, the 2,500 of a
    # talk take 75 seconds.
    assert ("LLM_CONTEXT_TOKENS" in speed.text) == (read == 1)
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("language", "words"), [("zh", "量不出"), ("en", "could not be measured")]
)
@pytest.mark.parametrize("pieces", [PIECES, [chunk("They walked home."), chunk(finish="stop")]])
async def test_what_came_all_at_once_is_not_measured(
    language: Language, words: str, pieces: list[Event]
) -> None:
    async with OpenAIServer() as server:
        server.next(events(chunk(role="assistant"), *pieces, bill(prompt_tokens=1), DONE))
        _, speed = await model_findings(settings_for(server, language))

    assert words in speed.text
    assert "–" not in speed.text
    assert "LLM_CONTEXT_TOKENS" not in speed.text


@pytest.mark.parametrize(
    "details",
    [{"prompt_tokens_details": {"cached_tokens": 192}}, {"prompt_cache_hit_tokens": 192}],
)
async def test_it_says_what_the_server_had_cached(details: dict[str, object]) -> None:
    async with OpenAIServer() as server:
        server.next(events(*PIECES, bill(**details), DONE))
        *_, cached = await model_findings(settings_for(server))

    assert "192" in cached.text
    assert "250" in cached.text


@pytest.mark.parametrize(
    ("behaviour", "reason", "advice"),
    [
        (error(401, "no such key"), "refused_key", "LLM_API_KEY"),
        (error(402, "Insufficient Balance"), "quota", "money"),
        (error(404, "no such model", "model_not_found"), "unknown_model", "LLM_MODEL"),
        (raw("<html>hello</html>", "text/html"), "web_page", "LLM_BASE_URL"),
        (error(400, "", "content_filter"), "refused", "filter"),
        (events(chunk(reasoning="so"), chunk(finish="stop"), DONE), "only_thoughts", "EXTRA_BODY"),
        (events(chunk(finish="stop"), DONE), "empty", "LLM_CONTEXT_TOKENS"),
    ],
)
async def test_a_model_that_does_not_answer_is_a_fault_with_its_reason_and_what_to_do(
    behaviour: Behaviour, reason: str, advice: str
) -> None:
    async with OpenAIServer() as server:
        server.always(behaviour)
        (bad,) = await model_findings(settings_for(server, "en"))
        (in_chinese,) = await model_findings(settings_for(server, "zh"))

    assert not bad.good
    assert f"({reason})" in bad.text
    assert advice in bad.text
    assert f"（{reason}）" in in_chinese.text


@pytest.fixture
def no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """Be where only the core is installed."""
    monkeypatch.setattr("bot.models.find_spec", lambda _: None)


@pytest.mark.usefixtures("no_library")
@pytest.mark.parametrize(("language", "words"), [("zh", "没有装"), ("en", "not installed")])
@pytest.mark.parametrize(
    "configured",
    [
        {"llm_api_key": "sk-1", "llm_model": "big"},
        {"transcription_model": "hears", "transcription_base_url": "http://127.0.0.1:1/v1"},
        {"embedding_model": "near"},
    ],
)
async def test_a_server_that_nothing_can_ask_is_refused_with_the_one_command(
    language: Language, words: str, configured: dict[str, str]
) -> None:
    settings = Settings(language=language, **configured)  # type: ignore[arg-type]

    (finding,) = await model_findings(settings)

    assert not finding.good
    assert words in finding.text
    assert "pip install 'xiaoxiang[model]'" in finding.text
    with pytest.raises(InputRefused, match="--offline"):
        await open_models(settings, NullTokenLedger(), FakeClock())


@pytest.mark.usefixtures("no_library")
async def test_who_asks_no_server_needs_no_library() -> None:
    settings = Settings(embedding_model="near", embedding_local=Path("/nowhere"))

    models = await open_models(settings, NullTokenLedger(), FakeClock())

    assert models.background is None
    await models.close()
