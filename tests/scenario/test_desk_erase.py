"""Erasing: what was planted is found nowhere, comes back from nowhere, and nobody else loses."""

import json
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from zlib import compress

import pytest

from bot.conversation.ledger import Ledger
from bot.conversation.messages import ConversationKey, Incoming, Sender
from bot.desk.services import HISTORY_FILE, DeskServices
from memory.agents import folder_of
from memory.changes import Links, Put, Receipt, Turn, Used, Window
from memory.erasing.erasure import plan_erasure
from memory.erasing.scope import Everything, OneMemory, TextMatch
from memory.model import Link, LinkType, Message, Passage, Tier
from memory.state import MemoryState
from memory.stores.codec import state_digest
from memory.stores.file_store import FileStore
from tests.builders import a_memory, a_message
from tests.fakes.clock import NOON
from tests.fakes.desk import DeskSession, commands, lines
from tests.fakes.platforms import IDENTITIES

HOME = ConversationKey(platform="console", account="local", chat="a")
CANARIES = [
    "我对琥珀花生过敏",
    "银杏巷十七号是我家",
    "I was born in Quixhampton",
    "團子的疫苗在週五",
    "مرحبا يا زهرة القمر",
    "紫藤👋密语",
]


def forms(text: str) -> list[bytes]:
    """Return the eight encodings in which a byte search looks for a text."""
    utf8 = text.encode()
    return [
        utf8,
        json.dumps(text)[1:-1].encode(),
        text.encode("utf-16-le"),
        text.encode("utf-16-be"),
        b64encode(utf8),
        compress(utf8),
        utf8.hex().encode(),
        text.replace('"', '\\"').encode(),
    ]


def found(folder: Path, texts: list[str]) -> list[str]:
    sought = {form: text for text in texts for form in forms(text)}
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return [
        f"{path.name}: {text}"
        for path in files
        for data in [path.read_bytes()]
        for form, text in sought.items()
        if form in data
    ]


def fingerprint(folder: Path) -> str:
    hashed = sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            hashed.update(path.name.encode() + path.read_bytes())
    return hashed.hexdigest()


@asynccontextmanager
async def office(data: Path) -> AsyncIterator[DeskSession]:
    ledger = await Ledger.open(data, IDENTITIES)
    await ledger.bindings.bind(HOME, "a")
    store = FileStore(folder_of(data, "a"))
    async with DeskSession(store=store, services=DeskServices(ledger, data)) as session:
        session.ledger = ledger  # type: ignore[attr-defined]
        yield session
    await ledger.close()


def heard(number: int, text: str) -> Message:
    return a_message(f"m{number}", text, at=NOON + timedelta(minutes=number))


async def live(session: DeskSession) -> None:
    """Let every canary stand in every place there is."""
    for number, text in enumerate(CANARIES):
        said = heard(number, text)
        await session.agent.commit(
            Turn(
                id=f"t{number}",
                conversation=str(HOME),
                at=said.at,
                said=(replace(said, text=f"记住：{text}"),),
                reply=a_message(f"t{number}-reply", f"好，{text}", at=said.at, role="assistant"),
                used=(Used(memory_id=1, score=1.0, reasons=(f"word:{text}",)),) if number else (),
            )
        )
    await session.agent.background.wait_until_idle()
    await session.ask("/memory pin #1")
    await session.ask(f"/memory edit #2 {CANARIES[1]}，二楼")
    episode = a_memory(0 + session.state.next_id, "聊了很多", tier=Tier.EPISODE)
    lines_ = tuple(
        Passage(text=text, source_ids=(f"m{n}",), at=NOON, speaker="主人", verbatim=True)
        for n, text in enumerate(CANARIES)
    )
    other = Passage(text="今天天气真好", source_ids=("o1",), at=NOON, verbatim=True)
    episode = replace(episode, passages=(*episode.passages, *lines_, other))
    await session.agent.steer(lambda state, index: [Put(episode)])


async def pending(session: DeskSession, text: str) -> None:
    await session.ledger.inbox.accept(  # type: ignore[attr-defined]
        Incoming(
            dedupe_key="p1",
            conversation=HOME,
            sender=Sender(id="local", name="a"),
            at=NOON,
            text=text,
            raw={"message": {"text": text}},
        ),
        NOON,
    )


async def test_what_is_erased_is_found_nowhere_and_the_rest_stays(tmp_path: Path) -> None:
    (tmp_path / HISTORY_FILE).write_text(
        f"\n# 2026-01-01\n+{CANARIES[0]}\n\n# 2026-01-02\n+你好\n", encoding="utf-8"
    )
    async with office(tmp_path) as session:
        await live(session)
        await pending(session, CANARIES[0])
        assert found(tmp_path, CANARIES[:1])

        preview = await session.ask(f"/忘掉 {CANARIES[0]}")
        assert all(text in lines(preview) for text in ("没有撤销", "收发账本", "#1"))
        assert found(tmp_path, CANARIES[:1]), "a preview erases nothing"
        receipt = lines(await session.press(preview))

        assert "0 处残留" in receipt
        assert found(tmp_path, CANARIES[:1]) == []
        for text in CANARIES[1:]:
            assert found(tmp_path, [text]), text
        assert "你好" in (tmp_path / HISTORY_FILE).read_text(encoding="utf-8")
    assert found(tmp_path, CANARIES[:1]) == []


async def test_forgetting_all_leaves_nothing_and_touches_no_neighbour(tmp_path: Path) -> None:
    async with DeskSession(store=FileStore(folder_of(tmp_path, "b"))) as neighbour:
        await neighbour.ask(f"/remember {CANARIES[0]}")
    before = fingerprint(folder_of(tmp_path, "b"))
    async with office(tmp_path) as session:
        await live(session)
        await session.press(await session.ask("/forget all"))

        assert set(session.state.memories) == set()
        assert found(folder_of(tmp_path, "a"), CANARIES) == []
        assert fingerprint(folder_of(tmp_path, "b")) == before
        assert "没有找到" in await session.says("/forget 全部")


async def test_old_text_is_not_learnt_again_and_the_same_words_said_anew_are(
    tmp_path: Path,
) -> None:
    async with office(tmp_path) as session:
        await live(session)
        await session.press(await session.ask("/forget all"))
        empty = state_digest(session.state)
        old = [heard(number, text) for number, text in enumerate(CANARIES)]

        await live_again(session, old)
        session.agent.background.enqueue(old, explicit=True)
        await session.agent.background.wait_until_idle()
        assert state_digest(session.state) == empty
        await session.ask(f"/remember {CANARIES[0]}")

        assert [m.words.text for m in session.state.memories.values()] == [CANARIES[0]]


async def live_again(session: DeskSession, old: list[Message]) -> None:
    for number, message in enumerate(old):
        reply = a_message(f"t{number}-reply", "好", at=message.at, role="assistant")
        turn = Turn(
            id=f"t{number}", conversation=str(HOME), at=message.at, said=(message,), reply=reply
        )
        await session.agent.commit(turn)
        await session.agent.listen(str(HOME), [message])


@pytest.mark.parametrize("number", range(len(CANARIES)))
async def test_one_memory_goes_with_its_messages_and_every_repetition(
    tmp_path: Path, number: int
) -> None:
    async with office(tmp_path) as session:
        await live(session)
        (target,) = [
            m.id
            for m in session.state.memories.values()
            if CANARIES[number] in m.words.text and m.nature.tier is Tier.FACT
        ]
        await session.press(await session.ask(f"/forget #{target}"))

        assert found(tmp_path, [CANARIES[number]]) == []
        stay = [text for text in CANARIES if text != CANARIES[number]]
        assert len({each.split(": ")[1] for each in found(tmp_path, stay)}) == len(stay)


async def test_an_erasure_cut_short_is_finished_when_the_agent_opens_again(
    tmp_path: Path,
) -> None:
    async with office(tmp_path) as session:
        await live(session)
        erasure = plan_erasure(session.state, TextMatch(CANARIES[0]), NOON, key_hex="ab" * 16)
        assert erasure is not None
        await session.agent.steer(lambda state, index: erasure.changes)
        assert found(tmp_path, CANARIES[:1]), "the journal holds it until it is scrubbed"
    async with office(tmp_path) as session:
        assert found(tmp_path, CANARIES[:1]) == []
        assert all(tombstone.scrubbed for tombstone in session.state.tombstones.values())


async def test_the_tombstone_holds_nothing_of_what_was_said(tmp_path: Path) -> None:
    async with office(tmp_path) as session:
        await live(session)
        ids = {m.id for w in session.state.windows.values() for m in w.lines}
        await session.press(await session.ask("/forget all"))
        told = repr((session.state.tombstones, session.state.erased_ids))

        assert not any(text in told for text in CANARIES)
        assert not any(f"'{each}'" in told for each in ids)
        assert len(session.state.erased_ids) >= len(ids)


async def test_what_changed_since_the_preview_has_to_be_previewed_again(tmp_path: Path) -> None:
    async with office(tmp_path) as session:
        await live(session)
        preview = await session.ask(f"/forget {CANARIES[0]}")
        await session.ask(f"/remember {CANARIES[0]}，还有腰果")
        again = await session.press(preview)

        assert session.state.memories.get(1) is not None
        assert commands(again) != commands(preview)


@pytest.mark.parametrize(
    ("told", "corrected"),
    [
        ("水管工欠我一个三明治", "水管工欠我一个大蛋糕和一瓶酒"),
        ("the plumber owes me a sandwich", "the plumber owes me a cake and a bottle of wine"),
    ],
)
async def test_a_confirmation_takes_only_the_words_that_were_shown(
    tmp_path: Path, told: str, corrected: str
) -> None:
    async with office(tmp_path) as session:
        await session.ask(f"/remember {told}")
        (number,) = session.state.memories
        preview = await session.ask(f"/forget #{number}")
        await session.ask(f"/memory edit #{number} {corrected}")
        again = await session.press(preview)
        kept = session.state.memories.get(number)
        await session.press(again)

        assert corrected in lines(again)
        assert kept is not None
        assert number not in session.state.memories


@pytest.mark.parametrize("words", ["猫", "  ", "主人", "#99"])
async def test_what_names_nothing_certain_is_refused(tmp_path: Path, words: str) -> None:
    async with office(tmp_path) as session:
        await live(session)
        before = state_digest(session.state)
        answer = await session.ask(f"/forget {words}")

        assert commands(answer) == []
        assert state_digest(session.state) == before


def test_links_receipts_and_focus_lose_only_what_is_erased() -> None:
    link = Link(target=1, strength=0.5, type=LinkType.KEYWORD)
    state, _ = MemoryState().apply(
        [
            Put(a_memory(1, "我对花生过敏")),
            Put(a_memory(2, "猫叫团子")),
            Put(Links(source=2, links=(link, replace(link, target=7)))),
            Put(
                Receipt(
                    turn_id="t",
                    at=NOON,
                    used=(Used(memory_id=1, score=1), Used(memory_id=2, score=1)),
                )
            ),
            Put(
                Window(
                    conversation="c",
                    lines=(a_message("s1", "我对花生过敏"), a_message("z", "你好")),
                )
            ),
        ]
    )
    erasure = plan_erasure(state, OneMemory(1), NOON, key_hex="00" * 16)
    assert erasure is not None
    after, _ = state.apply(erasure.changes)

    assert set(after.memories) == {2}
    assert [e.target for e in after.links_of(2)] == [7]
    assert [u.memory_id for u in after.receipts["t"].used] == [2]
    assert [m.id for m in after.windows["c"].lines] == ["z"]
    assert plan_erasure(MemoryState(), Everything(), NOON, key_hex="00" * 16) is None


@pytest.mark.parametrize(
    ("lines_said", "word", "gone", "stays"),
    [
        (
            ("我叫周桂芳", "我和老吴结婚了，我今年四十五岁", "我对青霉素过敏"),
            "老吴",
            ("四十五", "老吴"),
            "青霉素",
        ),
        (
            ("I'm 20, living with my girlfriend Aoife in Barrack Street", "I work at a bank"),
            "Aoife",
            ("Barrack", "Aoife", "am 20", "are 20", "is 20"),
            "bank",
        ),
    ],
    ids=["zh", "en"],
)
async def test_words_take_what_their_lines_told_and_the_preview_shows_it(
    tmp_path: Path, lines_said: tuple[str, ...], word: str, gone: tuple[str, ...], stays: str
) -> None:
    async with office(tmp_path) as session:
        for number, text in enumerate(lines_said):
            message = heard(number, text)
            turn = Turn(id=f"t{number}", conversation=str(HOME), at=message.at, said=(message,))
            await session.agent.commit(turn)
            await session.agent.background.wait_until_idle()
        await session.ask("/backup")
        learnt = [m.words.text for m in session.state.memories.values() if m.is_fact]
        preview = await session.ask(f"/forget {word}")
        shown = lines(preview)
        await session.press(preview)

        assert lines_said[1 if word == "老吴" else 0][:12] in shown
        told = [text for text in learnt if any(each in text for each in gone)]
        assert told
        assert all(text[:12] in shown for text in told)
        assert found(tmp_path, list(gone)) == []
        assert found(tmp_path, [stays])
