"""Bringing memories in: shown first, confirmed as exactly that, taken in whole."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from bot.adapters.console.presenter import document_data
from bot.conversation.ledger import Ledger
from bot.conversation.messages import ConversationKey
from bot.desk.documents import Document
from bot.desk.services import DeskServices
from bot.identity import AccessLevel
from memory.agents import folder_of
from memory.changes import Drop, Links, Put
from memory.model import AgentSettings, Language, Link, LinkType, Memory, Sealed, Source, Tier
from memory.state import MemoryState
from memory.stores.backups import BACKUPS
from memory.stores.codec import state_digest
from memory.stores.exports import export_bytes
from memory.stores.file_store import FileStore
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.desk import DeskSession, commands
from tests.fakes.platforms import IDENTITIES

HOME = ConversationKey(platform="telegram", account="9", chat="42")


@asynccontextmanager
async def session_with_backups(
    data: Path, *, language: Language = "zh", law: str = "tiers"
) -> AsyncIterator[DeskSession]:
    ledger = await Ledger.open(data, IDENTITIES)
    async with DeskSession(
        settings=AgentSettings(language=language, law=law),
        store=FileStore(folder_of(data, "a")),
        services=DeskServices(ledger, data),
    ) as session:
        yield session
    await ledger.close()


async def lived(*said: str) -> MemoryState:
    async with DeskSession() as session:
        for text in said:
            await session.ask(f"/remember {text}")
        return session.state


def backups(data: Path) -> list[Path]:
    return sorted((data / BACKUPS / "a").glob("*.json"))


def texts(state: MemoryState) -> set[str]:
    return {memory.words.text for memory in state.memories.values() if memory.is_active}


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_an_export_comes_in_whole_and_equal(tmp_path: Path, language: Language) -> None:
    state = await lived("我对花生过敏", "I love tea 👋", "أحب القهوة")
    async with session_with_backups(tmp_path, language=language) as session:
        before = state_digest(session.state)
        preview = await session.ask("/memory import", file=export_bytes(state, "a", NOON))
        assert state_digest(session.state) == before
        done = await session.press(preview)

        assert state_digest(session.state) == state_digest(state)
        assert session.state.next_id == state.next_id
        again = await session.ask("/memory import", file=export_bytes(state, "a", NOON))
    assert document_data(preview)["new"] == "3"
    assert "3" in str(done)
    assert not commands(again), "there is nothing new in it"
    assert len(backups(tmp_path)) == 1


async def test_only_what_is_new_comes_to_one_that_remembers_and_undo_takes_it_back(
    tmp_path: Path,
) -> None:
    state = await lived("我对花生过敏", "我喜欢猫")
    async with session_with_backups(tmp_path) as session:
        await session.ask("/remember 我住在北京")
        own = session.state.memories
        preview = await session.ask("/memory 导入", file=export_bytes(state, "b", NOON))
        done = await session.press(preview)
        assert texts(session.state) == {"我对花生过敏", "我喜欢猫", "我住在北京"}
        assert "/undo" in commands(done)[0]

        await session.press(await session.ask("/undo"))

        assert session.state.memories == own


async def test_what_is_told_otherwise_here_is_shown_beside_it_and_both_stand(
    tmp_path: Path,
) -> None:
    ours, theirs = (
        replace(m, passages=(replace(m.passages[0], source_ids=("m1",)),))
        for m in (a_memory(1, "我住在上海"), a_memory(7, "我住在北京"))
    )
    other, _ = MemoryState().apply([Put(theirs)])
    async with session_with_backups(tmp_path) as session:
        await session.agent.steer(lambda state, index: [Put(ours)])
        preview = await session.ask("/memory import", file=export_bytes(other, "a", NOON))
        await session.press(preview)

        assert document_data(preview)["differing"] == [
            {"here": "我住在上海", "there": "我住在北京"}
        ]
        assert texts(session.state) == {"我住在上海", "我住在北京"}


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_a_preview_counts_what_it_lists_and_tells_the_names_apart(
    tmp_path: Path, language: Language
) -> None:
    facts = [Put(a_memory(number, f"I like tea {number}")) for number in range(1, 25)]
    names = [
        Put(a_memory(number, name, tier=Tier.ENTITY))
        for number, name in ((30, "林栖"), (31, "Momo"))
    ]
    other, _ = MemoryState().apply([*facts, *names])
    async with session_with_backups(tmp_path, language=language) as session:
        await session.agent.steer(lambda state, index: [facts[0], names[0]])
        preview = await session.ask("/memory import", file=export_bytes(other, "a", NOON))
        told = document_data(preview)
        done = await session.press(preview)

        assert (told["new"], told["known"]) == ("23", "1")
        assert len(told["coming"]) == 20
        assert "3" in str(told["text"]), "how many more there are"
        assert "Momo" in str(told["text"])
        assert "林栖" not in str(told["text"]), "that name is known"
        assert "23" in str(done)
        assert {"林栖", "Momo"} <= texts(session.state)


async def test_of_many_told_otherwise_it_says_how_many_more_there_are(tmp_path: Path) -> None:
    def told(number: int, text: str) -> Memory:
        memory = a_memory(number, text)
        source = (replace(memory.passages[0], source_ids=(f"m{number % 100}",)),)
        return replace(memory, passages=source)

    other, _ = MemoryState().apply([Put(told(100 + n, f"there {n}")) for n in range(1, 24)])
    async with session_with_backups(tmp_path, language="en") as session:
        await session.agent.steer(lambda *_: [Put(told(n, f"here {n}")) for n in range(1, 24)])
        preview = await session.ask("/memory import", file=export_bytes(other, "a", NOON))

    data = document_data(preview)
    assert data["conflicts"] == "23"
    assert len(data["differing"]) == 5
    assert "3 more" in data["text"], "of what comes"
    assert "18 more" in data["text"], "of what is different"


@pytest.mark.parametrize("agent", ["a", "b"])
async def test_what_is_sealed_for_another_does_not_come(tmp_path: Path, agent: str) -> None:
    sealed = replace(a_memory(1, ""), sealed=Sealed(key="k", version=1, box="AAAA"), passages=())
    other, _ = MemoryState().apply([Put(sealed), Put(a_memory(2, "我喜欢猫"))])
    async with session_with_backups(tmp_path) as session:
        preview = await session.ask("/memory import", file=export_bytes(other, agent, NOON))
        await session.press(preview)

        assert document_data(preview)["refused"] == ("0" if agent == "a" else "1")
        assert (1 in session.state.memories) is (agent == "a")


async def test_a_confirmation_holds_for_exactly_that_file_and_that_memory(tmp_path: Path) -> None:
    one, two = await lived("我喜欢猫"), await lived("我喜欢狗")
    async with session_with_backups(tmp_path) as session:
        await session.ask("/remember 我住在北京")
        preview = await session.ask("/memory import", file=export_bytes(one, "b", NOON))
        (confirm,) = commands(preview)
        await session.ask(confirm, file=export_bytes(two, "b", NOON))
        assert texts(session.state) == {"我住在北京"}
        await session.ask("/memory import", file=export_bytes(one, "b", NOON))
        await session.ask("/remember 我喜欢猫")
        await session.ask("/undo")
        before = session.state

        await session.ask(confirm.replace("ok-", "ok-0")[:-1])

        assert session.state == before
    assert not backups(tmp_path)


async def test_a_file_waits_an_hour_and_only_for_whoever_sent_it(tmp_path: Path) -> None:
    state = await lived("我喜欢猫")
    async with session_with_backups(tmp_path) as session:
        session.caller = replace(session.caller, person="telegram:1")
        preview = await session.ask("/memory import", file=export_bytes(state, "b", NOON))
        session.caller = replace(session.caller, person="telegram:2")
        assert "把文件发给我" in str(await session.press(preview))
        session.caller = replace(session.caller, person="telegram:1")
        session.clock.tick(minutes=61)
        assert "把文件发给我" in str(await session.press(preview))
        assert not session.state.memories


async def test_in_a_group_nobody_but_its_owner_imports_and_no_text_is_shown(
    tmp_path: Path,
) -> None:
    data = export_bytes(await lived("我对花生过敏"), "b", NOON)
    async with session_with_backups(tmp_path) as session:
        allowed = await session.ask(
            "/memory import", standing=AccessLevel.ALLOWED, private=False, file=data
        )
        owner = await session.ask("/memory import", private=False, file=data)

    assert not commands(allowed)
    assert "花生" not in str(owner)
    assert document_data(owner)["new"] == "1"


def entry(number: int, sender: str, text: Any, **more: Any) -> dict[str, Any]:
    return {
        "id": number,
        "type": "message",
        "date_unixtime": str(1767434400 + 60 * number),
        "from": {"user42": "Ann", "user77": "小明", "user9": "小祥"}[sender],
        "from_id": sender,
        "text": text,
        **more,
    }


def chat(*entries: dict[str, Any], kind: str = "personal_chat", other: int = 77) -> bytes:
    return orjson.dumps({"name": "小明", "type": kind, "id": other, "messages": list(entries)})


TALK = (
    entry(1, "user42", "我下周三要去面试"),
    entry(2, "user77", "加油！我最讨厌香菜"),
    entry(3, "user42", ["谢谢", {"type": "bold", "text": "你"}]),
    entry(4, "user42", "我在柏林长大", forwarded_from="X"),
)


async def taken(session: DeskSession, preview: Document) -> MemoryState:
    await session.press(preview)
    await session.agent.background.wait_until_idle()
    return session.state


async def test_a_telegram_chat_becomes_episodes_and_only_the_partners_words_are_theirs(
    tmp_path: Path,
) -> None:
    async with session_with_backups(tmp_path) as session:
        session.caller = replace(session.caller, person="telegram:42", place=HOME)
        preview = await session.ask("/memory import", file=chat(*TALK))
        state = await taken(session, preview)
        again = await session.ask("/memory import", file=chat(*TALK))

    assert document_data(preview)["you"] == "Ann"
    (episode,) = [m for m in state.memories.values() if m.nature.tier is Tier.EPISODE]
    assert episode.origin.source is Source.IMPORT
    assert episode.trace.created_at.isoformat() == "2026-01-03T10:01:00+00:00"
    lines = {p.text: (p.role, p.speaker) for p in episode.passages if p.verbatim}
    assert lines["我下周三要去面试"] == ("user", "Ann")
    assert lines["加油！我最讨厌香菜"] == ("assistant", "小明")
    assert lines["我在柏林长大"][1] == "", "forwarded is shown and not said"
    assert not commands(again)


async def test_whoever_cannot_be_told_is_asked_and_never_guessed(tmp_path: Path) -> None:
    async with session_with_backups(tmp_path) as session:
        question = await session.ask("/memory import", file=chat(*TALK))
        assert [row["id"] for row in document_data(question)["people"]] == ["user42", "user77"]
        assert not session.state.tasks
        wrong = await session.ask("/memory import --me user5", file=chat(*TALK))
        named = await session.press(question, 1)
        state = await taken(session, named)

    assert "user5" in str(wrong)
    assert document_data(named)["you"] == "小明"
    (episode,) = state.memories.values()
    roles = {p.text: p.role for p in episode.passages if p.verbatim}
    assert roles["加油！我最讨厌香菜"] == "user"
    assert roles["我下周三要去面试"] == "assistant"


async def test_of_several_of_one_name_the_ids_are_told(tmp_path: Path) -> None:
    both = (entry(1, "user42", "我住在柏林"), {**entry(2, "user77", "我住在杭州"), "from": "Ann"})
    async with session_with_backups(tmp_path) as session:
        refused = await session.ask("/memory import --me Ann", file=chat(*both))
        none = await session.ask("/memory import --me Bob", file=chat(*both))
        named = await session.ask("/memory import --me user77", file=chat(*both))

    assert "2 个人叫“Ann”" in str(refused)
    assert "user42, user77" in str(refused)
    assert "没有“Bob”" in str(none)
    assert document_data(named)["you"] == "Ann"


async def test_what_was_said_here_itself_does_not_come_twice(tmp_path: Path) -> None:
    both = (entry(1, "user42", "我下周三要去面试"), entry(2, "user9", "加油"))
    async with session_with_backups(tmp_path) as session:
        session.caller = replace(session.caller, person="telegram:42", place=HOME)
        await taken(session, await session.ask("/memory import", file=chat(*both, other=9)))
        other = chat(*both, entry(3, "user42", "新的一句"), kind="bot_chat", other=10)
        preview = await session.ask("/memory import", file=other)

    assert document_data(preview)["known"] == "2"
    assert document_data(preview)["new"] == "1"


@pytest.mark.parametrize("law", ["tiers", "ebbinghaus", "weights", "network"])
async def test_what_was_brought_in_from_long_ago_is_still_there_after_a_night(
    tmp_path: Path, law: str
) -> None:
    async with session_with_backups(tmp_path, law=law) as session:
        session.caller = replace(session.caller, person="telegram:42")
        session.clock.tick(days=300)
        state = await taken(session, await session.ask("/memory import", file=chat(*TALK)))
        (episode,) = [m for m in state.memories.values() if m.nature.tier is Tier.EPISODE]
        session.clock.tick(days=1)
        await session.agent.nightly()

        assert session.state.memory(episode.id).is_active


async def test_what_was_erased_does_not_come_back_with_the_chat(tmp_path: Path) -> None:
    async with session_with_backups(tmp_path) as session:
        session.caller = replace(session.caller, person="telegram:42")
        await taken(session, await session.ask("/memory import", file=chat(*TALK)))
        await session.press(await session.ask("/forget 全部"))
        again = await session.ask("/memory import", file=chat(*TALK))

        assert not commands(again)
        assert "4" in str(again)


async def test_what_is_brought_in_pushes_out_no_backup_that_was_asked_for(tmp_path: Path) -> None:
    async with session_with_backups(tmp_path) as session:
        await session.ask("/remember 我住在北京")
        await session.ask("/backup")
        for number in range(12):
            session.clock.tick(minutes=1)
            more = await lived(f"第{number}件要紧的事")
            await session.press(
                await session.ask("/memory import", file=export_bytes(more, "b", NOON))
            )

    names = [path.name for path in backups(tmp_path)]
    assert sum("hand" in name for name in names) == 1
    assert sum("import" in name for name in names) == 10


async def test_much_at_once_comes_in_and_the_backup_leads_back(tmp_path: Path) -> None:
    many = [Put(a_memory(number, f"第{number}件")) for number in range(1, 700)]
    state, _ = MemoryState().apply(many)
    async with session_with_backups(tmp_path) as session:
        await session.ask("/remember 我住在北京")
        preview = await session.ask("/memory import", file=export_bytes(state, "b", NOON))
        await session.press(preview)

        assert len(session.state.memories) == 700
        await session.press(await session.ask("/restore_backup 1"))
        assert texts(session.state) == {"我住在北京"}


async def test_an_id_that_meant_something_once_is_not_given_again(tmp_path: Path) -> None:
    link = Link(target=9, strength=0.5, type=LinkType.KEYWORD, relation="因为")
    state, _ = MemoryState().apply(
        [
            Put(a_memory(9, "忘了的事")),
            Put(a_memory(1, "我喜欢猫")),
            Put(Links(source=1, links=(link,))),
            Drop(Memory, 9),
        ]
    )
    async with session_with_backups(tmp_path) as session:
        await session.press(
            await session.ask("/memory import", file=export_bytes(state, "a", NOON))
        )
        assert session.state.next_id == 10
        assert session.state.links_of(1) == (link,)
        await session.ask("/remember 我住在北京")
        assert 9 not in session.state.memories
    async with session_with_backups(tmp_path) as session:
        assert session.state.next_id == 11
