"""The doctor's look at a model: whether it answers, how fast, and what to expect."""

from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest

from bot.adapters import PLATFORMS
from bot.cli.checks import NullTokenLedger, copies_findings, model_findings, setting_findings
from bot.models import open_models
from bot.settings import Settings, read_settings
from memory.changes import Put
from memory.errors import InputRefused
from memory.model import Language
from memory.state import MemoryState
from memory.stores.backups import BackupRule, Backups
from memory.stores.disk import REAL_DISK
from tests.builders import a_memory
from tests.fakes.clock import NOON, FakeClock
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


ALONE = [
    ({"embedding_base_url": "http://127.0.0.1:1/v1"}, "EMBEDDING_BASE_URL", "EMBEDDING_MODEL"),
    ({"embedding_api_key": "sk-1"}, "EMBEDDING_API_KEY", "EMBEDDING_MODEL"),
    ({"transcription_api_key": "sk-1"}, "TRANSCRIPTION_API_KEY", "TRANSCRIPTION_MODEL"),
    ({"llm_api_key": "sk-1"}, "LLM_API_KEY", "LLM_MODEL"),
    ({"llm_background_model": "small"}, "LLM_BACKGROUND_MODEL", "LLM_MODEL"),
    ({"llm_fallback_model": "small"}, "LLM_FALLBACK_MODEL", "LLM_MODEL"),
    ({"web_address": "https://she.example"}, "WEB_ADDRESS", "WEB_BIND"),
    ({"telegram_webhook_secret": "short"}, "TELEGRAM_WEBHOOK_SECRET", "TELEGRAM_WEBHOOK_URL"),
    ({"lark_encrypt_key": "sk-1"}, "LARK_ENCRYPT_KEY", "LARK_APP_ID"),
    ({"lark_verification_token": "sk-1"}, "LARK_VERIFICATION_TOKEN", "LARK_APP_ID"),
]


def findings(tmp_path: Path, language: Language, **given: str) -> list[str]:
    places: dict[str, Any] = {
        "data_dir": str(tmp_path / "data"),
        "exports_dir": str(tmp_path / "exports"),
    }
    kinds = [each.settings for each in PLATFORMS]
    settings = read_settings(*kinds, env_file=None, **{**places, "language": language, **given})
    found = [*setting_findings(settings), *copies_findings(settings, REAL_DISK)]
    return [each.text for each in found if not each.good]


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize(("given", "key", "needs"), ALONE)
def test_a_setting_that_does_nothing_alone_is_named_with_the_one_it_needs(
    tmp_path: Path, language: Language, given: dict[str, str], key: str, needs: str
) -> None:
    (said,) = findings(tmp_path, language, **given)

    assert key in said
    assert needs in said
    assert "sk-1" not in said
    assert "short" not in said


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"llm_model": "big", "llm_api_key": "sk-1", "llm_fallback_model": "small"},
        {"embedding_model": "near", "embedding_base_url": "http://127.0.0.1:1/v1"},
        {"web_bind": "127.0.0.1:8090", "web_address": "https://she.example"},
        {
            "telegram_bot_token": "1:a",
            "telegram_webhook_url": "https://she.example/t",
            "telegram_webhook_secret": "a-secret-of-enough-letters",
        },
    ],
)
def test_settings_that_go_together_are_no_finding(tmp_path: Path, given: dict[str, str]) -> None:
    assert findings(tmp_path, "en", **given) == []


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("inside", [".", "agents", "exports"])
def test_exports_among_her_own_files_are_named(
    tmp_path: Path, language: Language, inside: str
) -> None:
    (said,) = findings(tmp_path, language, exports_dir=str(tmp_path / "data" / inside))

    assert "EXPORTS_DIR" in said


@pytest.mark.parametrize("beside", ["database", "."])
def test_exports_beside_her_files_are_no_finding(tmp_path: Path, beside: str) -> None:
    assert findings(tmp_path, "en", exports_dir=str(tmp_path / beside)) == []


@pytest.mark.parametrize(("language", "words"), [("zh", "没有挂上"), ("en", "not mounted")])
def test_copies_whose_disk_is_away_are_named(
    tmp_path: Path, language: Language, words: str
) -> None:
    data, copies = tmp_path / "data", tmp_path / "mount"
    copies.mkdir()
    backups = Backups(data, "local", rule=BackupRule(copies=copies))
    backups.write(MemoryState().apply([Put(a_memory(1))])[0], NOON, "night")
    there = findings(tmp_path, language, backup_copy_dir=str(copies))
    rmtree(copies)

    gone = findings(tmp_path, language, backup_copy_dir=str(copies))
    copies.mkdir()  # the place it is mounted at
    (away,) = findings(tmp_path, language, backup_copy_dir=str(copies))

    assert there == []
    assert len(gone) == 1
    assert words in away
    assert words in gone[0]
    assert "local" in away
