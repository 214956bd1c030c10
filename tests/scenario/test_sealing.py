"""A secret, from the partner's mouth into the vault: nowhere else is it ever written down."""

import asyncio
import logging
from base64 import b64encode
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from memory import open_memory, refusals
from memory.agent import AgentMemory
from memory.agents import AgentResources, Agents
from memory.api import OpenMemory
from memory.changes import Change, Turn
from memory.errors import InputRefused, StoreUnwritable
from memory.model import AgentSettings, Memory, Message, Sensitivity
from memory.offline import OfflineModel
from memory.ports import LanguageModel, Replied
from memory.privacy.sealing import plan_edit_sealed, plan_seal
from memory.privacy.vault import Keys, UnsealFailure
from memory.state import MemoryState
from memory.stores.file_store import FileStore
from prompts import Prompt
from tests.builders import a_message, a_stretch
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.stolen_folder import found_in, found_under, packed, spellings

SECRET = "Hunter7788绿萝"  # noqa: S105 - nobody's
ASKED = f"记住我的银行卡密码是{SECRET}"


class Listening(OfflineModel):
    """The model by rule, which keeps every prompt it was ever asked."""

    def __init__(self) -> None:
        super().__init__()
        self.prompts: list[str] = []

    async def complete(self, prompt: Prompt) -> Replied:
        self.prompts += [repr(prompt), repr(prompt.messages())]
        return await super().complete(prompt)


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    path = tmp_path / "keys" / "xiaoxiang.key"
    path.parent.mkdir()
    Keys.create(path, data=tmp_path / "data")
    return path


@asynccontextmanager
async def living(
    folder: Path, key_file: Path | None, model: LanguageModel | None = None
) -> AsyncIterator[AgentMemory]:
    keys = Keys.read(key_file, data=folder) if key_file else None
    agents = Agents(
        folder, AgentResources(clock=FakeClock(), model=model, defaults=AgentSettings(), keys=keys)
    )
    yield await agents.get("ann")
    await agents.close()


def a_turn_of(*texts: str, number: int = 1, reply: str = "好", private: bool = True) -> Turn:
    said = tuple(a_message(f"{number}-{place}", text) for place, text in enumerate(texts))
    answer = a_message(f"{number}-r", reply, speaker="小祥", role="assistant")
    return Turn(
        id=f"t{number}",
        conversation="telegram/7/42/",
        at=said[0].at,
        said=said,
        reply=answer,
        private=private,
    )


@pytest.mark.parametrize("name", list(spellings(SECRET)))
def test_the_burglar_finds_each_spelling(name: str) -> None:
    for shift in range(3):
        around = b64encode(b"abc"[:shift] + SECRET.encode() + b"xyz")
        assert "base64" in found_in(around, SECRET)
    for way in spellings(SECRET)[name]:
        data = packed(f"…{SECRET}…") if name == "gzip" else b"..." + way + b"..."
        assert name in found_in(data, SECRET)
    assert found_in(b"nothing of the kind", SECRET) == []


async def test_a_secret_is_sealed_and_found_nowhere_else(
    tmp_path: Path, key_file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    data, model = tmp_path / "data", Listening()
    async with living(data, key_file, model) as agent:
        await agent.commit(a_turn_of("早", ASKED, reply=f"记住了：{SECRET}"))
        await agent.commit(a_turn_of("还有，我喜欢拉面", number=2))
        for number in range(3, 40):
            await agent.commit(a_turn_of(f"第{number}件事，我的密码是{SECRET}", number=number))
        await agent.background.wait_until_idle()
        hits = await agent.search(SECRET, k=50)
        (sealed,) = (m for m in agent.state.memories.values() if m.sealed)
        assert found_under(data, SECRET) == []  # also while everything is open
        await agent.nightly()
        recalled = await agent.recall(["密码"], [], 3)
        shown = agent.memories_for_prompt(hits, budget_tokens=10_000, count=len)
        receipt = agent.state.receipts["t1"]
        plain = agent.unsealed(sealed.id)

    assert sealed.nature.sensitivity is Sensitivity.SECRET
    assert receipt.learnt[0] == f"REMEMBER #{sealed.id}"
    assert isinstance(plain, Memory)
    assert plain.words.text == f"我的银行卡密码是{SECRET}"
    assert plain.origin.quote == ASKED
    assert sealed.id not in {hit.memory_id for hit in hits} | set(shown.handles.values())
    assert model.prompts
    for text in (*model.prompts, repr(hits), recalled, repr(shown), repr(receipt), caplog.text):
        assert found_in(text.encode(), SECRET) == []
    assert found_under(data, SECRET) == []


def sealing_of(agent: AgentMemory) -> Callable[[MemoryState, object], tuple[Change, ...]]:
    """Return the plan that seals the newest fact."""

    def plan(state: MemoryState, _: object) -> tuple[Change, ...]:
        assert agent.vault is not None
        newest = max(m.id for m in state.memories.values() if m.is_fact)
        return plan_seal(state, newest, NOON, agent.vault)

    return plan


async def test_a_seal_is_whole_however_soon_its_caller_is_cancelled(
    tmp_path: Path, key_file: Path
) -> None:
    data, words = tmp_path / "data", "我和小王分手了"
    async with living(data, key_file) as agent:
        await agent.commit(a_turn_of(f"记住：{words}"))
        await agent.background.wait_until_idle()
        sealing = asyncio.create_task(agent.steer(sealing_of(agent)))
        while not any(m.sealed for m in agent.state.memories.values()):
            await asyncio.sleep(0)
            if agent._writer._writing.locked():
                sealing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sealing
        await agent.background.wait_until_idle()
        await agent.make_room("", "")  # the next write waits until the seal is whole
        assert found_under(data, words) == []


async def refused(_: FileStore) -> None:
    """What a store without room answers when it is to clean its files."""
    raise StoreUnwritable(refusals.DISK_REFUSES)


async def test_the_night_cleans_what_the_disk_refused_to_clean_by_day(
    tmp_path: Path, key_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, words = tmp_path / "data", "我和小王分手了"

    async with living(data, key_file) as agent:
        await agent.commit(a_turn_of(f"记住：{words}"))
        await agent.background.wait_until_idle()
        with monkeypatch.context() as disk:
            disk.setattr(FileStore, "scrub", refused)
            with pytest.raises(StoreUnwritable):
                await agent.steer(sealing_of(agent))
        assert found_under(data, words)
        await agent.nightly()
        assert found_under(data, words) == []
        assert all(each.scrubbed for each in agent.state.tombstones.values())


async def test_a_request_cut_short_before_the_cleaning_is_cleaned_at_the_next_start(
    tmp_path: Path, key_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"

    async with living(data, key_file) as agent:
        await agent.commit(a_turn_of(f"有只猫叫{SECRET}"))
        await agent.background.wait_until_idle()
        with monkeypatch.context() as disk:
            disk.setattr(FileStore, "scrub", refused)
            with pytest.raises(StoreUnwritable):
                await agent.commit(a_turn_of(ASKED, number=2))
    assert found_under(data, SECRET)
    async with living(data, key_file):
        assert found_under(data, SECRET) == []


async def test_words_put_into_a_sealed_memory_leave_the_files_at_once(
    tmp_path: Path, key_file: Path
) -> None:
    data, name = tmp_path / "data", "Taxi4455琥珀"
    async with living(data, key_file) as agent:
        await agent.commit(a_turn_of(ASKED))
        await agent.commit(a_turn_of(f"有只猫叫{name}", number=2))
        await agent.background.wait_until_idle()
        (sealed,) = (m for m in agent.state.memories.values() if m.sealed)
        assert found_under(data, name)

        def plan(state: MemoryState, _: object) -> tuple[Change, ...]:
            assert agent.vault is not None
            changes = plan_edit_sealed(state, sealed.id, name, NOON, agent.vault)
            assert isinstance(changes, tuple)
            return changes

        await agent.steer(plan)
        assert found_under(data, name) == []

    assert found_under(data, name) == []


async def test_without_a_key_it_is_refused_and_not_kept_in_the_clear(tmp_path: Path) -> None:
    data = tmp_path / "data"
    async with living(data, None) as agent:
        await agent.commit(a_turn_of(ASKED, "我喜欢拉面"))
        await agent.background.wait_until_idle()
        learnt = [m.words.text for m in agent.state.memories.values()]

    assert not any(SECRET in text for text in learnt)
    assert found_under(data, SECRET) == []


async def test_what_is_said_in_a_group_is_never_sealed(tmp_path: Path, key_file: Path) -> None:
    data = tmp_path / "data"
    async with living(data, key_file) as agent:
        await agent.commit(a_turn_of(ASKED, private=False))
        await agent.listen("telegram/7/-1/", [a_message("9", f"我的密码是{SECRET}")])
        await agent.background.wait_until_idle()

        assert not any(m.sealed for m in agent.state.memories.values())
    assert found_under(data, SECRET) == []


@pytest.mark.parametrize(
    "texts",
    [
        ["Remember my password is correct horse battery staple"],
        ["请记住：身份证 11010519491231002X"],
        ["记住我的密码是小狗加妹妹的生日"],
        ["my api key: sk-abcdefghijklmnop1234, don't forget"],
        ["记住我的🔑密码是🐱🐱🐱"],
        ["记住我的银行卡密码是123456", "对，就是123456"],
    ],
)
async def test_secrets_of_every_sort_are_sealed_whole(
    tmp_path: Path, key_file: Path, texts: list[str]
) -> None:
    data = tmp_path / "data"
    async with living(data, key_file) as agent:
        await agent.commit(a_turn_of(*texts))
        await agent.background.wait_until_idle()
        (sealed,) = (m for m in agent.state.memories.values() if m.sealed)
        plain = agent.unsealed(sealed.id)

    assert isinstance(plain, Memory)
    assert found_under(data, plain.words.text) == []
    for part in ("horse", "11010519491231002X", "妹妹的生日", "sk-abc", "🐱🐱", "码是123456"):
        assert found_under(data, part) == [], part


@asynccontextmanager
async def embedded(folder: Path, key_file: Path | None) -> AsyncIterator[OpenMemory]:
    async with open_memory(folder, clock=FakeClock(), key_file=key_file) as mem:
        yield mem


def secrets_told() -> Sequence[Message]:
    return a_stretch(f"我的银行卡密码是{SECRET}", "好的", "我喜欢猫", f"{SECRET}？记下了")


async def test_an_embedding_program_can_seal_too(tmp_path: Path, key_file: Path) -> None:
    data = tmp_path / "data"
    async with embedded(data, key_file) as mem:
        mem.remember(secrets_told()[:1], explicit=True)
        mem.remember(secrets_told()[1:])
        await mem.settled()
        (sealed,) = (v for v in mem.memories() if v.sensitivity is Sensitivity.SECRET)
        found = await mem.search("银行卡密码是什么", k=50, mode="debug")

        assert mem.unsealed(sealed.id).text == f"我的银行卡密码是{SECRET}"
        assert sealed.text == "［已封存］"
        assert sealed.source_ids == ("1",)
        assert SECRET not in repr(found) + repr(mem.memories(mode="debug"))
        again = secrets_told()[:1]
        mem.remember(again, explicit=True)
        await mem.settled()
        assert len([v for v in mem.memories() if v.sensitivity is Sensitivity.SECRET]) == 1
    assert found_under(data, SECRET) == []


async def test_talk_that_is_remembered_keeps_no_secret(tmp_path: Path) -> None:
    data = tmp_path / "data"
    async with embedded(data, None) as mem:
        mem.remember(secrets_told())
        await mem.settled()
        await mem.nightly()

        assert (await mem.search("猫"))[0].source_ids == ("3",)
    assert found_under(data, SECRET) == []


async def test_a_missing_or_another_key_loses_nothing(tmp_path: Path, key_file: Path) -> None:
    data = tmp_path / "data"
    async with embedded(data, key_file) as mem:
        mem.remember(secrets_told()[:1], explicit=True)
        await mem.settled()
        (sealed,) = (v for v in mem.memories() if v.sensitivity is Sensitivity.SECRET)
    away = key_file.rename(key_file.with_name("away"))
    other = tmp_path / "other"
    Keys.create(other, data=data)
    for file, why in ((None, "no_key"), (key_file, "no_key"), (other, "other_key")):
        async with embedded(data, file) as mem:
            with pytest.raises(InputRefused, match=why):
                mem.unsealed(sealed.id)
            await mem.nightly()
    assert not key_file.exists()

    async with embedded(data, away) as mem:
        assert mem.unsealed(sealed.id).text == f"我的银行卡密码是{SECRET}"


async def test_the_same_secret_again_is_a_mention(tmp_path: Path, key_file: Path) -> None:
    async with living(tmp_path / "data", key_file) as agent:
        await agent.commit(a_turn_of(ASKED))
        await agent.commit(a_turn_of(ASKED, number=2))
        (sealed,) = (m for m in agent.state.memories.values() if m.sealed)

        assert sealed.trace.mention_count == 1
        assert not isinstance(agent.unsealed(sealed.id), UnsealFailure)


async def test_what_was_said_of_it_before_is_taken_back(tmp_path: Path, key_file: Path) -> None:
    data = tmp_path / "data"
    async with living(data, key_file) as agent:
        await agent.commit(a_turn_of(f"你看 {SECRET} 好记吗", "我喜欢拉面"))
        await agent.background.wait_until_idle()
        assert found_under(data, SECRET) != []

        await agent.commit(a_turn_of(ASKED, number=2))
        await agent.background.wait_until_idle()

        assert found_under(data, SECRET) == []
        assert "你看 *** 好记吗" in {line.text for line in agent.window("telegram/7/42/")}
        await agent.commit(a_turn_of(f"{SECRET} 对吧", number=3))
        assert found_under(data, SECRET) == []
