"""Everything in PostgreSQL: she talks, remembers, erases, and moves there and back."""

import asyncio
from pathlib import Path

import pytest

from bot.cli import shell_parser
from bot.cli.move import run_move
from bot.data_folder import open_storage
from bot.sections import SecretStr
from bot.settings import Settings
from memory.agents import folder_of
from memory.errors import InputRefused, StoreLocked
from memory.stores.recovery import read_agent_state
from tests.fakes.erase_proof import Proof, erased_on_server
from tests.fakes.group_program import ANN, BEN, group_program


async def test_what_was_told_in_one_program_is_known_in_the_next(tmp_path: Path, url: str) -> None:
    async with group_program(tmp_path, database=url) as place:
        await place.say(ANN, "我喜欢拉面")
        await place.settled()
    async with group_program(tmp_path, database=url) as place:
        answer = await place.say(ANN, "我喜欢吃什么？")

    assert "拉面" in answer
    assert {each.name for each in tmp_path.iterdir()} <= {"clock.json", "desk.sock"}


async def test_a_second_program_is_refused(tmp_path: Path, url: str) -> None:
    async with group_program(tmp_path / "one", database=url):
        with pytest.raises(ExceptionGroup) as refused:
            async with asyncio.TaskGroup() as group:
                group.create_task(_begin(tmp_path / "other", url))

    assert refused.group_contains(StoreLocked)


async def _begin(data: Path, url: str) -> None:
    async with group_program(data, database=url):
        pytest.fail("two programs talk from one database")


async def test_what_is_erased_is_in_no_file_of_the_server(tmp_path: Path, url: str) -> None:
    before, after = await erased_on_server(Proof(tmp_path), url, many=4)

    assert len(before) > 1
    assert after == []


def move(source: object, target: object) -> int:
    return run_move(shell_parser().parse_args(["move", str(source), str(target)]))


async def told(data: Path, url: str = "") -> None:
    async with group_program(data, database=url) as place:
        for person, words in ((ANN, "我喜欢拉面"), (BEN, "我叫小本"), (ANN, "/backup")):
            await place.hear(person, words)
        await place.settled()


async def test_everything_moves_there_and_back_and_the_source_stays(
    tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    await told(here)
    before = {each: each.read_bytes() for each in sorted(here.rglob("*")) if each.is_file()}

    for _ in range(2):  # what is there already is only compared
        assert await asyncio.to_thread(move, here, url) == 0
    assert await asyncio.to_thread(move, url, there) == 0

    assert "3" not in capsys.readouterr().out.split()[0]
    assert before == {each: each.read_bytes() for each in before}
    for agent in ("tg-p-42", "tg-p-43"):
        states = [read_agent_state(folder_of(data, agent)) for data in (here, there)]
        assert states[0] == states[1]
        assert states[0].diary
    async with group_program(there) as place:
        assert "拉面" in await place.say(ANN, "我喜欢吃什么？")


async def test_nothing_is_moved_onto_something_else(tmp_path: Path, url: str) -> None:
    for name in ("one", "other"):
        await told(tmp_path / name)
    await asyncio.to_thread(move, tmp_path / "one", url)
    async with group_program(tmp_path / "other") as place:
        await place.say(ANN, "我也喜欢乌龙茶")
        await place.settled()

    with pytest.raises(InputRefused, match="tg-p-42"):
        await asyncio.to_thread(move, tmp_path / "other", url)
    with pytest.raises(InputRefused):
        await asyncio.to_thread(move, tmp_path / "one", tmp_path / "other")
    with pytest.raises(InputRefused):
        await asyncio.to_thread(move, tmp_path / "nowhere", url)


async def test_without_the_library_the_one_command_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "memory.stores.server", None)
    settings = Settings(data_dir=tmp_path, database_url=SecretStr("postgresql://h"))

    with pytest.raises(InputRefused, match="make platforms"):
        async with open_storage(settings):
            pass
