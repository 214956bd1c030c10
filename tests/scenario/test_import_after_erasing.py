"""An old export does not bring back what was erased, by its messages or by its name."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.__main__ import main
from memory.changes import AgentInfo, Drop, Links, Put, Record
from memory.merging.state_import import plan_import
from memory.model import AgentSettings, Language, Link, LinkType, Memory, Tier
from memory.state import MemoryState
from memory.stores.backups import Backups
from memory.stores.exports import export_bytes, read_export
from tests.builders import a_memory, a_stretch
from tests.fakes.clock import NOON
from tests.fakes.desk import DeskSession, lines, session_with

NAMES = [
    pytest.param("何苗", "我的同事何苗很爱笑", "我住在杭州", id="zh"),
    pytest.param("Aoife", "my colleague Aoife laughs a lot", "I live in Oslo", id="en"),
]


async def lived(session: DeskSession, name: str, said: str, other: str) -> MemoryState:
    """Talk, learn a name from it, and return the state as an old export holds it."""
    session.conversation = "here"
    await session.agent.listen("here", a_stretch(said, "嗯嗯"))
    await session.ask(f"/remember {other}")
    fact = a_memory(50, said)
    entity = a_memory(51, name, tier=Tier.ENTITY)
    link = Link(target=51, strength=0.5, type=LinkType.KEYWORD)
    records: list[Record] = [fact, entity, Links(source=50, links=(link,))]
    await session.agent.steer(lambda state, index: [Put(each) for each in records])
    old = read_export(export_bytes(session.state, "a", NOON)).state
    # No message here tells of this one: only the name does.
    return old.apply([Put(a_memory(52, f"{said}!", at=NOON))])[0]


@pytest.mark.parametrize(("name", "said", "other"), NAMES)
async def test_a_name_that_was_erased_does_not_come_back_with_an_old_export(
    name: str, said: str, other: str
) -> None:
    async with session_with() as session:
        old = await lived(session, name, said, other)
        await session.press(await session.ask(f"/forget {name}"))
        plan = plan_import(session.state, old, session.clock.now())
        after, _ = session.state.apply(plan.changes)

    assert name not in repr(list(after.memories.values()))
    assert name not in repr(list(after.diary.values()))
    assert plan.refused


async def test_a_name_without_anything_that_tells_it_does_not_come() -> None:
    async with session_with() as session:
        old = await lived(session, "何苗", "我的同事何苗很爱笑", "我住在杭州")
        old, _ = old.apply([Drop(Memory, 52)])
        await session.press(await session.ask("/forget #50"))
        plan = plan_import(session.state, old, session.clock.now())

    assert all(m.words.text != "何苗" for m in plan.coming)


async def test_what_is_said_again_later_is_new() -> None:
    async with session_with() as session:
        old = await lived(session, "何苗", "我的同事何苗很爱笑", "我住在杭州")
        await session.press(await session.ask("/forget 何苗"))
        await session.ask("/remember 何苗搬到隔壁了")
        plan = plan_import(session.state, old, session.clock.now())

    assert any("何苗" in m.words.text for m in plan.coming)


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_a_preview_names_what_comes_doubtful_things_first(language: Language) -> None:
    async with session_with(language=language) as session:
        await session.ask("/remember 我的旧地址是上海")
        old = export_bytes(session.state, "a", NOON)
        session.clock.tick(hours=1)
        await session.ask("/remember 我有一只猫叫团子")
        await session.press(await session.ask("/forget #1"))
        again = read_export(old).state
        loose = a_memory(7, "我喜欢喝手冲咖啡", at=NOON)
        again, _ = again.apply([Put(loose)])
        shown = lines(await session.ask("/memory import", file=export_bytes(again, "a", NOON)))

    assert "我喜欢喝手冲咖啡" in shown
    assert "主人" in shown
    assert "2026" in shown
    assert ("认不出来" if language == "zh" else "I cannot tell") in shown
    assert "上海" not in shown


def test_the_shell_names_what_would_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    memory = a_memory(7, "我喜欢喝手冲咖啡", at=NOON)
    state, _ = MemoryState().apply([Put(memory), Put(a_memory(8, "林栖", tier=Tier.ENTITY))])
    file = tmp_path / "old.json"
    file.write_bytes(export_bytes(state, "a", NOON))
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))

    assert main(["import", str(file), "--agent", "a"]) == 0
    shown = capsys.readouterr().out

    assert "我喜欢喝手冲咖啡" in shown
    assert "会导入 1 条" in shown
    assert "这些名字：林栖" in shown
    assert "主人" in shown
    assert f"{NOON:%Y-%m-%d}" in shown


def test_the_shell_backs_up_what_was_there_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))
    for number, text in enumerate(["我喜欢喝手冲咖啡", "我住在泉州"], start=1):
        state, _ = MemoryState().apply([Put(a_memory(number, text, at=NOON))])
        (tmp_path / "old.json").write_bytes(export_bytes(state, "other", NOON))
        assert main(["import", str(tmp_path / "old.json"), "--agent", "a", "--yes"]) == 0

    assert capsys.readouterr().out.count("/restore_backup 1") == 1
    (backup,) = Backups(tmp_path / "data", "a").list_all()
    assert backup.cause == "import"


def over(memory: Memory) -> Memory:
    return replace(memory, lineage=replace(memory.lineage, valid_until=NOON))


@pytest.mark.parametrize(
    ("language", "before"), [("zh", "以前：我在银行上班"), ("en", "before: 我在银行上班")]
)
def test_the_shell_says_what_has_ended_and_gives_the_days_of_the_agent(
    language: Language,
    before: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    late = NOON.replace(hour=20)  # the next day already where the program runs
    settings = AgentSettings(time_zone="America/Los_Angeles", language=language)
    known = AgentInfo(settings=settings)
    records = (known, over(a_memory(7, "我在银行上班", at=late)), a_memory(8, "我爱喝茶", at=late))
    state, _ = MemoryState().apply([Put(each) for each in records])
    file = tmp_path / "old.json"
    file.write_bytes(export_bytes(state, "a", NOON))
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("TIMEZONE", "Asia/Shanghai")
    monkeypatch.setenv("LANGUAGE", language)

    assert main(["import", str(file), "--agent", "a"]) == 0
    first = capsys.readouterr().out
    assert main(["import", str(file), "--agent", "a", "--yes"]) == 0
    more, _ = state.apply([Put(over(a_memory(9, "我在银行上班", at=late + timedelta(days=3))))])
    file.write_bytes(export_bytes(more, "b", NOON))
    capsys.readouterr()
    assert main(["import", str(file), "--agent", "a"]) == 0
    second = capsys.readouterr().out

    assert before in first
    assert f"{NOON:%Y-%m-%d}" in first
    assert f"{NOON + timedelta(days=1):%Y-%m-%d}" not in first
    assert before in second
    assert f"{NOON + timedelta(days=3):%Y-%m-%d}" in second


@pytest.mark.parametrize(
    ("language", "before"), [("zh", "以前：我在银行上班"), ("en", "before: 我在银行上班")]
)
async def test_a_preview_says_what_has_ended(language: Language, before: str) -> None:
    records = (over(a_memory(7, "我在银行上班")), a_memory(8, "我爱喝茶"))
    other, _ = MemoryState().apply([Put(each) for each in records])
    async with session_with(language=language) as session:
        await session.ask("/remember 我住在昆明")
        shown = lines(await session.ask("/memory import", file=export_bytes(other, "b", NOON)))

    assert before in shown
    assert shown.count(before.partition("我")[0]) == 1
