"""The whole program with an embedding service: what means the same is found."""

from pathlib import Path

import pytest

from bot.app import running
from bot.cli.checks import NullTokenLedger
from bot.models import open_models
from bot.sections import SecretStr
from bot.settings import Settings
from memory.stores.sidecars import VECTORS_FILE, VectorFile
from tests.fakes.chat import FakeChat
from tests.fakes.clock import FakeClock
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.platforms import adapters_of, only_a_terminal
from tests.fakes.waiting import unless_it_hangs
from tests.scenario.test_whole_program import PLACE, Partner


def the_settings(data: Path, server: OpenAIServer, **more: object) -> Settings:
    return Settings(
        capture_notice=False,
        data_dir=data,
        embedding_base_url=server.base_url,
        embedding_model="vectors-1",
        **more,  # type: ignore[arg-type]
    )


async def test_vectors_come_from_the_service_and_an_outage_harms_nothing(tmp_path: Path) -> None:
    clock, chat = FakeClock(), FakeChat()
    platforms = adapters_of(chat, "console")
    async with OpenAIServer(lambda asked: "好的") as server:
        settings = the_settings(tmp_path, server)
        async with running(
            settings, platforms, only_a_terminal(), clock=clock, quiet_seconds=0.0
        ) as app:
            ann = Partner(app, chat, clock)
            await ann.say("记住：团子是三花猫")
            await ann.settled()
            agent = await app.agents.get("local")
            meaning = agent._vectors
            assert meaning is not None
            async with unless_it_hangs():
                await meaning.wait_until_filled()
            hits = await agent.search("团子是三花猫")
            stored = VectorFile(tmp_path / "agents" / "local").read("vectors-1")
    assert stored
    assert "cosine:1.00" in hits[0].reasons

    chat.screen.clear()
    settings = the_settings(tmp_path, server)  # nobody answers there any more
    async with running(
        settings, platforms, only_a_terminal(), clock=clock, quiet_seconds=0.0
    ) as app:
        agent = await app.agents.get("local")
        async with unless_it_hangs():
            window = {line.id for line in agent.window(str(PLACE))}
            found = await agent.search("三花猫", skip=window)
    assert found[0].quote == "团子是三花猫"
    assert (tmp_path / "agents" / "local" / VECTORS_FILE).exists()


@pytest.mark.parametrize(
    ("more", "sent"),
    [
        ({}, "Bearer sk-llm"),
        ({"embedding_api_key": SecretStr("sk-embed")}, "Bearer sk-embed"),
    ],
)
async def test_without_an_address_it_is_asked_where_the_model_is(
    tmp_path: Path, more: dict[str, SecretStr], sent: str
) -> None:
    async with OpenAIServer() as server:
        settings = Settings(
            data_dir=tmp_path,
            llm_base_url=server.base_url,
            llm_model="m",
            llm_api_key=SecretStr("sk-llm"),
            embedding_model="vectors-1",
            **more,  # type: ignore[arg-type]
        )
        models = await open_models(settings, NullTokenLedger(), FakeClock())
        assert models.embedder is not None
        assert await models.embedder.embed(["一"])
        await models.close()

    assert server.asked[0].headers["Authorization"] == sent


async def test_the_key_of_the_model_is_not_sent_elsewhere(tmp_path: Path) -> None:
    async with OpenAIServer() as server:
        settings = the_settings(
            tmp_path,
            server,
            llm_base_url="http://127.0.0.1:9",
            llm_model="m",
            llm_api_key=SecretStr("sk-llm"),
        )
        models = await open_models(settings, NullTokenLedger(), FakeClock())
        assert models.embedder is not None
        assert await models.embedder.embed(["一"])
        await models.close()

    assert "sk-llm" not in repr(server.asked[0].headers)
