"""A law is one value: given to what wires the program, everything that shows a law knows it."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from benchmarks.lab.curves import left_alone
from benchmarks.lab.life import Life, candidates
from benchmarks.lab.world import a_year
from benchmarks.settings_page import EXAMPLE, example_with, law_parameters
from bot.cli import shell_parser
from bot.cli.memory import parse_memory_command
from bot.desk.documents import Bars, Picture
from bot.desk.parser import parse_arguments
from bot.settings import read_settings
from memory.api import open_memory
from memory.errors import InputRefused, StoreFromFuture
from memory.laws.law import number_of
from memory.laws.registry import LAWS, Laws
from memory.model import AgentSettings, Archived, Message
from memory.state import MemoryState
from memory.stores.exports import InvalidExport, export_bytes, read_export
from tests.builders import a_memory
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.toy_law import FRESH, LAWS_AND_TOY, TOY
from tests.fakes.two_chats import TERMINAL, Someone, two_chats

TOY_LAWS = Laws(LAWS_AND_TOY)


async def law_of(someone: Someone) -> str:
    return (await someone.state(TERMINAL)).agent_info.settings.law


async def living_by_toy(someone: Someone) -> int:
    """Let the terminal's agent remember something and live by the toy law; return its id."""
    await someone.says(TERMINAL, "记住：我对花生过敏")
    await someone.told(TERMINAL, "/memory law toy")
    await someone.presses(TERMINAL)
    assert await law_of(someone) == "toy"
    memories = (await someone.state(TERMINAL)).memories.values()
    return next(memory.id for memory in memories if "花生" in memory.words.text)


async def test_the_law_is_listed_previewed_chosen_and_left_again(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(NOON), laws=LAWS_AND_TOY) as someone:
        await someone.says(TERMINAL, "记住：我对花生过敏")
        assert "玩具（toy）" in await someone.told(TERMINAL, "/memory law")
        assert "toy（玩具）" in await someone.told(TERMINAL, "/help memory law")

        preview = await someone.told(TERMINAL, "/memory law 玩具")
        assert "玩具（toy）" in preview
        assert await law_of(someone) == "tiers"
        assert "玩具（toy）" in await someone.presses(TERMINAL)
        assert await law_of(someone) == "toy"

        await someone.told(TERMINAL, "/memory law tiers")
        await someone.presses(TERMINAL)
        assert await law_of(someone) == "tiers"
        await someone.told(TERMINAL, "/undo")
        await someone.presses(TERMINAL)
        assert await law_of(someone) == "toy"


async def test_every_page_shows_what_the_law_says(tmp_path: Path) -> None:
    clock = FakeClock(NOON)
    async with two_chats(tmp_path, clock, laws=LAWS_AND_TOY) as someone:
        memory_id = await living_by_toy(someone)
        clock.tick(days=23)

        assert "玩具（toy）" in await someone.told(TERMINAL, "/memory")
        shown = await someone.told(TERMINAL, f"/memory show #{memory_id}")
        assert "新鲜" in shown
        assert "0.406" in shown  # 13 days over, with a half-life of 10
        (bars,) = (
            b for b in someone.screens.documents[TERMINAL][-1].blocks if isinstance(b, Bars)
        )
        assert [bar.key for bar in bars.bars][-3:] == ["freshness", "salience", "retention"]
        assert bars.bars[-3].colour is bars.bars[-1].colour is not None

        await someone.told(TERMINAL, f"/memory curve #{memory_id}")
        drawn = someone.screens.documents[TERMINAL][-1].blocks
        assert any(isinstance(block, Picture) and "toy" in block.svg for block in drawn)
        assert f"#{memory_id}" in await someone.told(TERMINAL, "/memory fading")
        assert "0.41" in await someone.told(TERMINAL, "/memory health")
        assert f"#{memory_id}" in await someone.told(TERMINAL, "/memory list --fading")
        assert await someone.told(TERMINAL, "/memory metrics")
        assert "玩具（toy）" in await someone.told(TERMINAL, "/agents")

        compared = await someone.told(TERMINAL, f"/memory reinforce #{memory_id} manual")
        assert "新鲜 0.41" in compared
        assert "新鲜 1.00" in compared


async def test_cleanup_night_and_recall_follow_it(tmp_path: Path) -> None:
    clock = FakeClock(NOON)
    async with two_chats(tmp_path, clock, laws=LAWS_AND_TOY) as someone:
        memory_id = await living_by_toy(someone)
        agent = await someone.agent(TERMINAL)
        assert [hit.memory_id for hit in await agent.search("花生")][:1] == [memory_id]

        clock.tick(days=60)
        assert f"#{memory_id}" in await someone.told(TERMINAL, "/memory cleanup --dry-run")
        assert memory_id not in [hit.memory_id for hit in await agent.search("花生")]
        assert agent.state.memory(memory_id).is_active

        night = await agent.nightly()
        assert night.archived >= 1
        assert isinstance(agent.state.memory(memory_id).standing, Archived)

        await someone.told(TERMINAL, f"/memory restore #{memory_id}")
        assert (await agent.search("花生"))[0].memory_id == memory_id
        assert number_of(agent.state.memory(memory_id).trace, FRESH) == pytest.approx(60)


async def test_its_numbers_survive_a_restart_and_another_law(tmp_path: Path) -> None:
    clock = FakeClock(NOON)
    async with two_chats(tmp_path, clock, laws=LAWS_AND_TOY) as someone:
        memory_id = await living_by_toy(someone)
        clock.tick(days=5)
        await someone.told(TERMINAL, f"/memory reinforce #{memory_id} manual")
        await someone.told(TERMINAL, "/memory law ebbinghaus")
        await someone.presses(TERMINAL)
        clock.tick(days=5)
        await someone.told(TERMINAL, f"/memory reinforce #{memory_id} manual")
    async with two_chats(tmp_path, clock, laws=LAWS_AND_TOY) as someone:
        trace = (await someone.state(TERMINAL)).memory(memory_id).trace
        assert number_of(trace, FRESH) == pytest.approx(10)


async def test_the_embedded_memory_lives_by_it_with_its_parameter(tmp_path: Path) -> None:
    clock = FakeClock(NOON)
    quick = AgentSettings(law="toy", parameters=(("toy.halfLife", 5),))
    said = Message(id="1", at=NOON, speaker="主人", role="user", text="我对花生过敏")
    async with open_memory(tmp_path, settings=quick, clock=clock, laws=LAWS_AND_TOY) as mem:
        mem.remember([said], explicit=True)
        await mem.settled()
        (fact,) = mem.memories()
        assert fact.amounts[-1] == ("toy", "freshness", 1.0)
        assert len(fact.amounts) == len(LAWS_AND_TOY)

        clock.tick(days=15)
        assert mem.retention(fact.id) == pytest.approx(0.25)
        (found, *_) = await mem.search("花生")
        assert found.memory.fading
        assert "花生" in await mem.recall(["花生"], [])
        await mem.reinforce(fact.id, "manual")
        assert mem.retention(fact.id) == 1.0
        clock.tick(days=30)
        assert (await mem.nightly()).archived == 1
        assert not mem.memories()


async def test_a_program_without_it_refuses_what_lives_by_it(tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="'toy' is no law: tiers"):
        async with open_memory(tmp_path / "a", law="toy"):
            pass
    async with open_memory(tmp_path / "b", law="toy", laws=LAWS_AND_TOY):
        pass
    with pytest.raises(StoreFromFuture, match="'toy' is no law"):
        async with open_memory(tmp_path / "b"):
            pass
    async with open_memory(tmp_path / "b", law="tiers") as mem:
        assert mem.memories() == ()


@pytest.mark.parametrize(
    ("pairs", "complaint"),
    [
        ((("toy.halfLife", 0),), "toy.halfLife is 0, it must be 1 to 100"),
        ((("toy.colour", 1),), "toy.colour is no law parameter"),
        ((("toy.archiveBelow", 0.6),), "toy.archiveBelow is 0.6, it may not exceed"),
    ],
)
def test_its_parameters_are_checked_as_those_of_any_law(
    pairs: tuple[tuple[str, float], ...], complaint: str
) -> None:
    with pytest.raises(InputRefused, match=complaint):
        TOY_LAWS.check(AgentSettings(law="toy", parameters=pairs))


def test_an_export_is_read_by_whoever_knows_the_law() -> None:
    settings = AgentSettings(law="toy")
    state = MemoryState(laws=TOY_LAWS)
    toy = replace(state.agent_info, settings=settings)
    state = replace(state, agent_infos=state.agent_infos.set(toy.key, toy))
    data = export_bytes(state, "a", NOON)

    assert read_export(data, laws=TOY_LAWS).state.agent_info.settings.law == "toy"
    with pytest.raises(InvalidExport):
        read_export(data)


def test_the_settings_page_and_the_example_name_it_and_its_parameters() -> None:
    page = law_parameters("zh", LAWS_AND_TOY)

    assert "### `toy`" in page
    assert "| `toy.halfLife` | 10.0 | 1 到 100 | 半衰期（天） |" in page
    assert "- `toy.archiveBelow` ≤ `toy.fadingBelow`" in page
    example = EXAMPLE.read_text(encoding="utf-8")
    assert "network, disuse or toy." in example_with(example, LAWS_AND_TOY)
    assert example_with(example) == example


def test_the_shell_and_its_settings_take_it(tmp_path: Path) -> None:
    given = ["replay", "x", "--agent", "a", "--law", "toy"]
    assert shell_parser(TOY_LAWS).parse_args(given).law == "toy"
    with pytest.raises(SystemExit):
        shell_parser().parse_args(given)
    asked = ["law", "toy", "--agent", "a", "--data", str(tmp_path)]
    assert parse_memory_command(asked, TOY_LAWS).words.words.split()[-1] == "toy"
    for laws, read_as in ((TOY_LAWS, "law"), (Laws(), "name")):
        spec = parse_memory_command(asked, laws).spec
        assert parse_arguments(spec, "toy", "en").given.text(read_as) == "toy"

    chosen = read_settings(laws=TOY_LAWS, memory_law="toy", data_dir=tmp_path, env_file=None)
    assert chosen.agent_defaults().law == "toy"
    with pytest.raises(InputRefused, match="MEMORY_LAW: 'toy' is no law"):
        read_settings(memory_law="toy", data_dir=tmp_path, env_file=None)


def test_the_laboratory_lives_under_it_and_draws_its_curve() -> None:
    one = next(each for each in candidates(LAWS_AND_TOY) if each.law == "toy")
    year = Life(a_year(1)[:60], one, 1).live(90)

    assert [each.name for each in candidates(LAWS_AND_TOY)][-1] == "toy"
    assert year.samples[-1].active > 0
    points = dict(left_alone(30, laws=LAWS_AND_TOY)[TOY.name])
    assert points[10] == pytest.approx(0.5)


def test_it_changes_nothing_for_the_laws_beside_it() -> None:
    memory, settings = a_memory(), AgentSettings()
    with_toy, without = TOY_LAWS.rules(settings), Laws().rules(settings)
    later = NOON + timedelta(days=20)

    context = without.context(later)
    found = without.judge(memory, context)

    assert with_toy.context(later) == context
    assert with_toy.judge(memory, context) == found
    assert with_toy.amounts(memory, context, found)[: len(LAWS)] == without.amounts(
        memory, context, found
    )
