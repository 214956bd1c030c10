"""Taking a memory along and bringing it back; hostile files are refused and change nothing."""

from collections.abc import Callable
from dataclasses import replace
from hashlib import blake2b
from io import StringIO
from pathlib import Path
from random import Random

import orjson
import pytest
from rich.console import Console

from bot.adapters.console.presenter import (
    ConsolePresenter,
    document_data,
    save_files,
    show_document,
)
from bot.conversation.messages import ConversationKey
from bot.desk.documents import Document, File, Text
from bot.desk.memory_export import as_markdown
from memory.changes import Links, Put
from memory.errors import InputRefused
from memory.merging.state_import import plan_import
from memory.model import AgentSettings, Language, Link, LinkType
from memory.state import MemoryState
from memory.stores.codec import state_digest
from memory.stores.exports import export_bytes, read_export
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.desk import DeskSession


async def lived() -> MemoryState:
    async with DeskSession() as session:
        for text in ("我对花生过敏", "I brew *coffee*", "猫叫团子 👋", "مرحبا"):
            await session.ask(f"/remember {text}")
        await session.ask("/memory pin #1")
        await session.ask("/memory edit #2 I brew tea")
        await session.press(await session.ask("/forget 团子"))
        return session.state


async def test_an_export_brought_into_an_empty_memory_is_equal_to_it() -> None:
    state = await lived()
    read = read_export(export_bytes(state, "a", NOON))
    plan = plan_import(MemoryState(), read.state, NOON)
    again, _ = MemoryState().apply(plan.changes)

    assert plan.whole
    assert state_digest(again) == state_digest(state)
    assert read.state.next_id == state.next_id
    assert (read.agent, read.at) == ("a", NOON)


async def test_a_memory_that_knows_things_takes_only_what_is_new_and_can_undo_it() -> None:
    state = await lived()
    own, _ = MemoryState().apply(
        [
            Put(a_memory(1, "住在北京")),
            Put(replace(state.memory(1), id=2)),
            Put(Links(source=1, links=(Link(target=2, strength=0.5, type=LinkType.KEYWORD),))),
        ]
    )
    plan = plan_import(own, state, NOON)
    after, _ = own.apply(plan.changes)

    assert plan.known == 1
    assert plan.new == len(state.memories) - 1
    assert after.memory(1) == own.memory(1)
    assert after.memory(2) == own.memory(2)
    texts = [memory.words.text for memory in after.memories.values()]
    assert sorted(texts) == sorted({"住在北京", *(m.words.text for m in state.memories.values())})
    (entry,) = after.undos.values()
    before, _ = after.apply(entry.inverse)
    assert state_digest(replace(before, undos=own.undos)) == state_digest(own)
    twice = plan_import(after, state, NOON)
    assert (twice.new, twice.changes) == (0, ())


async def test_what_was_erased_here_does_not_come_back_with_an_old_export() -> None:
    async with DeskSession() as session:
        await session.ask("/remember 我对花生过敏")
        await session.ask("/remember 我喜欢猫")
        old = read_export(export_bytes(session.state, "a", NOON)).state
        await session.press(await session.ask("/forget #1"))
        plan = plan_import(session.state, old, NOON)

        assert plan.refused == 1
        assert plan.new == 0


async def test_the_page_tells_everything_and_no_text_becomes_markup() -> None:
    page = as_markdown(await lived(), "a", NOON)

    for part in ("我对花生过敏", "I brew tea", "مرحبا", "钉住", "2026"):
        assert part in page, part
    assert "团子" not in page


async def test_everything_is_handed_over_to_its_own_partner_and_never_to_a_group() -> None:
    async with DeskSession() as session:
        await session.ask("/remember 我对花生过敏")
        document = await session.ask("/memory 导出")
        group = await session.ask("/memory export", private=False)
        state = session.state

    page, data = files(document)
    assert "花生" in page.data.decode()
    assert state_digest(read_export(data.data).state) == state_digest(state)
    assert not files(group)
    assert "私聊" in str(group)


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_a_terminal_puts_files_where_only_their_owner_reads_them(
    tmp_path: Path, language: Language
) -> None:
    async with DeskSession(settings=AgentSettings(language=language)) as session:
        await session.ask("/remember I love tea")
        document = save_files(await session.ask("/memory export"), tmp_path)

    (page, data) = document_data(document)["files"]
    assert Path(page["path"]).read_bytes() == files(document)[0].data
    assert Path(data["path"]).stat().st_mode & 0o777 == 0o600
    assert data["bytes"] == Path(data["path"]).stat().st_size
    shown = StringIO()
    show_document(document, Console(file=shown, width=400))
    assert data["path"] in shown.getvalue()


def test_a_file_is_not_written_through_a_link_somebody_left_there(tmp_path: Path) -> None:
    (tmp_path / "a.json").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(InputRefused):
        save_files(Document((File(name="a.json", data=b"{}", alt=""),)), tmp_path)

    assert not (tmp_path / "elsewhere").exists()


async def test_what_cannot_be_written_is_not_said_to_be_here(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "exports").write_text("no folder")
    beside = Text("你的全部记忆都在这里")
    file = File(name="a.json", data=b"{}", alt="xiaoxiang export --agent local --out 文件夹")
    place = ConversationKey(platform="console", account="local", chat="local")

    presenter = ConsolePresenter(lambda: None, tmp_path / "exports")
    await presenter.present(place, Document((beside, file)), reply_to="1")

    shown = capsys.readouterr().out
    assert "都在这里" not in shown
    assert "写不了" in shown
    assert "--out" in shown


def files(document: Document) -> list[File]:
    return [block for block in document.blocks if isinstance(block, File)]


@pytest.mark.parametrize("seed", range(200))
async def test_a_damaged_or_hostile_file_is_refused_with_a_reason(seed: int) -> None:
    state, _ = MemoryState().apply([Put(a_memory(1, "我对花生过敏"))])
    hostile = damaged(export_bytes(state, "a", NOON), Random(seed))

    with pytest.raises(InputRefused) as refused:
        read_export(hostile)

    assert str(refused.value)
    assert "花生" not in str(refused.value)


def damaged(data: bytes, chance: Random) -> bytes:
    """Return the file with one thing wrong; the checksum fits where the damage is deliberate."""
    kind = chance.randrange(6)
    if kind == 0:
        return data[: chance.randrange(len(data) - 1)]
    if kind == 1:
        place = data.index("花".encode()) + chance.randrange(3)
        return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
    if kind == 2:
        return chance.choice([b"[" * 100_000, b"{}", b"[]", b"null", b"\xff\xfe", b'{"format":1}'])
    body = orjson.loads(data)
    memory = body["tables"]["memories"][0]
    wrong: list[Callable[[], object]] = [
        lambda: body.update(schema=99),
        lambda: body.update(next_id=-1),
        lambda: body.update(next_id=[1]),
        lambda: body.update(tables=[1, 2]),
        lambda: body["tables"].update(passwords=[]),
        lambda: memory.update(id="../../etc/passwd"),
        lambda: memory.update(id=-5),
        lambda: memory.update(standing={"is": "immortal"}),
        lambda: memory["trace"].update(importance="NaN"),
        lambda: memory["trace"].update(created_at="2026-01-01T00:00:00"),
        lambda: body["tables"].update(links=[{"source": 1, "links": [{"target": 1}]}]),
        lambda: body["tables"].update(memories={"1": memory}),
    ]
    chance.choice(wrong)()
    body.pop("checksum")
    return signed(body)


def signed(body: dict[str, object]) -> bytes:
    told = orjson.dumps(body, option=orjson.OPT_SORT_KEYS)
    checksum = blake2b(told, digest_size=16).hexdigest()
    return orjson.dumps({**body, "checksum": checksum})
