"""What the partner seals, corrects and opens by hand: sealed at rest, and nowhere in the clear."""

import logging
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from memory.agents import AgentResources, Agents
from memory.changes import Put
from memory.model import AgentSettings, Memory, Sensitivity
from memory.offline import OfflineModel
from memory.ports import Replied
from memory.privacy.vault import Keys
from memory.stores.exports import export_bytes
from memory.stores.file_store import FileStore
from prompts import Prompt
from tests.fakes.chat import Killed
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.stolen_folder import found_in, found_under
from tests.fakes.two_chats import TELEGRAM, Someone, two_chats

SECRET = "Hunter7788绿萝"  # noqa: S105 - nobody's
OTHER = "Taxi4455琥珀"
QUIET = "我和小王分手了"
"""Nothing a rule would seal; the partner decides."""


@pytest.fixture
def prompts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return every prompt that is asked from now on."""
    asked: list[str] = []
    complete = OfflineModel.complete

    async def heard(self: OfflineModel, prompt: Prompt) -> Replied:
        asked.append(repr(prompt) + repr(prompt.messages()))
        return await complete(self, prompt)

    monkeypatch.setattr(OfflineModel, "complete", heard)
    return asked


async def sealed_in(ann: Someone) -> list[Memory]:
    agent = await ann.agent(TELEGRAM)
    plain = [agent.unsealed(m.id) for m in agent.state.memories.values() if m.sealed]
    return [each for each in plain if isinstance(each, Memory)]


@pytest.mark.parametrize("command", ["/remember", "/记忆 添加"])
async def test_a_secret_kept_by_hand_is_sealed_and_found_nowhere(
    tmp_path: Path, prompts: list[str], caplog: pytest.LogCaptureFixture, command: str
) -> None:
    caplog.set_level(logging.DEBUG)
    data, key = tmp_path / "data", tmp_path / "key"
    async with two_chats(data, FakeClock(), key=key) as ann:
        told = await ann.told(TELEGRAM, f"{command} 我的银行卡密码是{SECRET}")
        assert found_under(data, SECRET) == []
        again = await ann.told(TELEGRAM, f"{command} 我的银行卡密码是{SECRET}")
        await ann.says(TELEGRAM, f"对了，{SECRET}好记吗")
        (plain,) = await sealed_in(ann)
        shown = await ann.told(TELEGRAM, f"/memory show #{plain.id}")
        listed = await ann.told(TELEGRAM, "/memory list")
        await (await ann.agent(TELEGRAM)).nightly()
        undo = await ann.told(TELEGRAM, "/undo")
        state = await ann.state(TELEGRAM)

    assert told.startswith("🔒 锁好了")
    assert SECRET not in told + again + listed + undo
    assert "记得" in again
    assert SECRET in shown
    assert plain.words.text == f"我的银行卡密码是{SECRET}"
    assert prompts
    for text in (*prompts, caplog.text, export_bytes(state, "a", NOON).decode()):
        assert found_in(text.encode(), SECRET) == []
    assert found_under(data, SECRET) == []


@pytest.mark.parametrize(
    "command",
    [
        f"/remember 我的密码是{SECRET}",
        f"/memory edit #1 我的密码是{SECRET}",
        "/memory sensitivity #1 3",
    ],
)
async def test_without_a_key_it_is_refused_with_what_to_do_and_in_a_group_never(
    tmp_path: Path, command: str
) -> None:
    data, key = tmp_path / "data", tmp_path / "key"
    async with two_chats(data, FakeClock()) as ann:
        await ann.told(TELEGRAM, "/remember 我喜欢下雨")
        told = await ann.told(TELEGRAM, command)
        assert "MEMORY_KEY_FILE" in told
        assert await ann.knows(TELEGRAM) == {"我喜欢下雨"}
    assert found_under(data, SECRET) == []
    async with two_chats(data, FakeClock(), key=key) as ann:
        await ann.told(TELEGRAM, "/remember 我喜欢下雪", private=False)
        told = await ann.told(TELEGRAM, command, private=False)
        assert "只在私聊" in told
        assert await sealed_in(ann) == []
    assert found_under(data, SECRET) == []


async def test_an_edited_secret_leaves_no_trace_of_either_wording_and_can_be_undone(
    tmp_path: Path, prompts: list[str]
) -> None:
    data, key = tmp_path / "data", tmp_path / "key"
    async with two_chats(data, FakeClock(), key=key) as ann:
        await ann.told(TELEGRAM, "/remember 我喜欢下雨")
        await ann.told(TELEGRAM, f"/memory edit #1 我的密码是{SECRET}")
        assert [m.words.text for m in await sealed_in(ann)] == [f"我的密码是{SECRET}"]
        before = (await ann.state(TELEGRAM)).memories[1]
        told = await ann.told(TELEGRAM, f"/memory edit #1 我的密码是{OTHER}")
        assert [m.words.text for m in await sealed_in(ann)] == [f"我的密码是{OTHER}"]
        assert found_under(data, OTHER) == found_under(data, SECRET) == []
        preview = await ann.told(TELEGRAM, "/undo")
        await ann.presses(TELEGRAM)
        assert (await ann.state(TELEGRAM)).memories[1] == before
        assert [m.words.text for m in await sealed_in(ann)] == [f"我的密码是{SECRET}"]
        await ann.told(TELEGRAM, "/undo")
        await ann.presses(TELEGRAM)
        assert await ann.knows(TELEGRAM) == {"我喜欢下雨"}

    assert "🔒" in told
    assert SECRET not in told + preview
    assert all(found_in(each.encode(), SECRET) == [] for each in prompts)
    assert found_under(data, OTHER) == found_under(data, SECRET) == []


@pytest.mark.parametrize(
    "command",
    [
        f"/memory edit #2 {OTHER}",  # sealed before, and no rule takes the new words for a secret
        f"/memory edit #2 我的密码是{OTHER}",
        f"/memory edit #1 我的密码是{OTHER}",  # in the clear before
        f"/remember 我的密码是{OTHER}",
    ],
)
async def test_words_said_before_they_were_sealed_are_in_no_file_afterwards(
    tmp_path: Path, command: str
) -> None:
    data, key = tmp_path / "data", tmp_path / "key"
    async with two_chats(data, FakeClock(), key=key) as ann:
        await ann.told(TELEGRAM, "/remember 我喜欢下雨")
        await ann.told(TELEGRAM, f"/remember 我的密码是{SECRET}")
        await ann.told(TELEGRAM, f"/remember 有只猫叫{OTHER}")
        await ann.says(TELEGRAM, f"{OTHER}是个好名字")
        for number in range(3):
            await ann.says(TELEGRAM, f"第{number}件小事")
        await ann.told(TELEGRAM, "/backup")
        assert found_under(data, OTHER)
        told = await ann.told(TELEGRAM, command)
        assert found_under(data, OTHER) == []
        assert any(OTHER in each.words.text for each in await sealed_in(ann))
        open_ones = await ann.knows(TELEGRAM)

    assert "🔒" in told
    assert "有只猫叫***" in open_ones
    assert found_under(data, OTHER) == []


async def test_what_stays_shut_or_says_so_already_redacts_nothing(tmp_path: Path) -> None:
    data, key = tmp_path / "data", tmp_path / "key"
    async with two_chats(data, FakeClock(), key=key) as ann:
        await ann.told(TELEGRAM, f"/remember 我的密码是{SECRET}")
        before = (await ann.state(TELEGRAM)).tombstones
        again = await ann.told(TELEGRAM, f"/memory edit #1 我的密码是{SECRET}")
        assert (await ann.state(TELEGRAM)).tombstones == before
    assert "本来" in again
    Keys.create(other := tmp_path / "other", data=data)
    async with two_chats(data, FakeClock(), key=other) as ann:
        await ann.says(TELEGRAM, f"{OTHER}是个好名字")
        await ann.told(TELEGRAM, f"/memory edit #1 {OTHER}")
        assert any(
            OTHER in each.text for each in (await ann.agent(TELEGRAM)).window(str(TELEGRAM))
        )


async def test_an_edit_that_seals_costs_a_backup_nothing_but_the_clear_words(
    tmp_path: Path,
) -> None:
    data, key = tmp_path / "data", tmp_path / "key"
    async with two_chats(data, FakeClock(), key=key) as ann:
        await ann.told(TELEGRAM, f"/remember 有只猫叫{OTHER}")
        await ann.told(TELEGRAM, "/backup")
        await ann.told(TELEGRAM, f"/memory edit #1 我的密码是{OTHER}")
        assert found_under(data, OTHER) == []
        await ann.told(TELEGRAM, "/restore_backup 1")
        await ann.presses(TELEGRAM)
        assert [m.words.text for m in await sealed_in(ann)] == [f"有只猫叫{OTHER}"]


async def test_sealing_what_was_said_takes_its_words_out_of_everything(
    tmp_path: Path, prompts: list[str]
) -> None:
    data, key, clock = tmp_path / "data", tmp_path / "key", FakeClock()
    async with two_chats(data, clock, key=key) as ann:
        await ann.says(TELEGRAM, f"记住{QUIET}")
        await ann.says(TELEGRAM, f"是的，{QUIET}，别问了")
        for number in range(40):
            await ann.says(TELEGRAM, f"第{number}件小事")
        await ann.agent(TELEGRAM)
        (kept,) = [
            m for m in (await ann.state(TELEGRAM)).memories.values() if m.words.text == QUIET
        ]
        await ann.told(TELEGRAM, f"/memory pin #{kept.id}")
        assert found_under(data, QUIET)
        await ann.told(TELEGRAM, "/backup")
        asked = await ann.told(TELEGRAM, f"/memory sensitivity #{kept.id} 3")
        done = await ann.presses(TELEGRAM)
        assert found_under(data, QUIET) == []
        prompts.clear()
        hits = await (await ann.agent(TELEGRAM)).search("分手", k=50)
        answer = await ann.says(TELEGRAM, "我和小王怎么了？")
        await (await ann.agent(TELEGRAM)).nightly()
        (plain,) = await sealed_in(ann)
        nothing = await ann.told(TELEGRAM, "/undo")
        review = await ann.told(TELEGRAM, "/memory review")

    assert "没有撤销" in asked
    assert done.startswith("🔒")
    assert plain.words.text == QUIET
    assert plain.nature.sensitivity is Sensitivity.SECRET
    assert plain.id not in {hit.memory_id for hit in hits}
    assert QUIET not in answer + nothing + "".join(prompts)
    assert "锁起来" in review
    assert found_under(data, QUIET) == []


async def test_a_sealed_memory_opens_again_once_confirmed(tmp_path: Path) -> None:
    data, key = tmp_path / "data", tmp_path / "key"
    async with two_chats(data, FakeClock(), key=key) as ann:
        await ann.told(TELEGRAM, f"/remember 我的密码是{SECRET}")
        await ann.told(TELEGRAM, f"/remember {QUIET}")
        await ann.told(TELEGRAM, "/memory sensitivity #2 3")
        await ann.presses(TELEGRAM)
        asked = await ann.told(TELEGRAM, "/memory sensitivity #1 1")
        assert len(await sealed_in(ann)) == 2
        await ann.told(TELEGRAM, "/memory sensitivity #2 1")
        await ann.presses(TELEGRAM)
        assert QUIET in await ann.knows(TELEGRAM)
        hits = await (await ann.agent(TELEGRAM)).search("分手")
        await ann.told(TELEGRAM, "/undo")
        await ann.presses(TELEGRAM)
        assert len(await sealed_in(ann)) == 2

    assert "⚠" in asked
    assert 2 in {hit.memory_id for hit in hits}
    assert found_under(data, QUIET) == []


async def test_a_backup_made_while_it_was_open_does_not_keep_it_open(tmp_path: Path) -> None:
    data, key = tmp_path / "data", tmp_path / "key"
    async with two_chats(data, FakeClock(), key=key) as ann:
        await ann.told(TELEGRAM, "/remember 我喜欢下雨")
        await ann.told(TELEGRAM, f"/remember 我的密码是{SECRET}")
        await ann.told(TELEGRAM, "/memory sensitivity #2 2")
        await ann.presses(TELEGRAM)
        await ann.told(TELEGRAM, "/backup")
        await ann.told(TELEGRAM, "/undo")
        await ann.presses(TELEGRAM)
        (plain,) = await sealed_in(ann)
        assert SECRET in plain.words.text

    assert found_under(data, SECRET) == []


async def test_one_secret_is_erased_and_the_others_stay(tmp_path: Path) -> None:
    data, key = tmp_path / "data", tmp_path / "key"
    async with two_chats(data, FakeClock(), key=key) as ann:
        for text in (
            f"我的密码是{SECRET}",
            f"我的口令是{OTHER}",
            "我的身份证号是11010519491231002X",
        ):
            await ann.told(TELEGRAM, f"/remember {text}")
        shown = await ann.told(TELEGRAM, "/forget #1")
        done = await ann.presses(TELEGRAM)
        assert [m.id for m in await sealed_in(ann)] == [2, 3]
        await ann.told(TELEGRAM, f"/forget {OTHER}")
        await ann.presses(TELEGRAM)
        assert [m.id for m in await sealed_in(ann)] == [3]
        merged = await ann.told(TELEGRAM, "/memory merge #3 #3")

    assert "#2" not in shown
    assert "0 处残留" in done
    assert "不合并" in merged


@pytest.mark.parametrize("step", ["append", "scrub"])
async def test_a_sealing_that_is_cut_short_is_finished_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    data, key, clock = tmp_path / "data", tmp_path / "key", FakeClock()
    async with two_chats(data, clock, key=key) as ann:
        await ann.told(TELEGRAM, f"/remember {QUIET}")
        await ann.told(TELEGRAM, "/memory sensitivity #1 3")
        confirm = ann.button(TELEGRAM)

        async def dies(self: FileStore, *args: object) -> None:
            raise Killed

        with monkeypatch.context() as patched:
            patched.setattr(FileStore, step, dies)
            await ann.writes(TELEGRAM, confirm)
            agent = await ann.app.agents.get("tg-p-42")
            for _ in range(200):
                await ann.app.intake.wake_due(["telegram"])
                if step == "append" or 1 in {
                    m.id for m in agent.state.memories.values() if m.sealed
                }:
                    break
            patched.undo()
        folder = tmp_path / "copy"
        shutil.copytree(data, folder, ignore=shutil.ignore_patterns("*.sock"))
    assert found_under(folder, QUIET)
    async with two_chats(folder, clock, key=key) as ann:
        sealed = await sealed_in(ann)
        tombstones = (await ann.state(TELEGRAM)).tombstones.values()
        assert all(tombstone.scrubbed for tombstone in tombstones)

    if sealed:
        assert found_under(folder, QUIET) == []
    else:
        assert step == "append"


async def test_the_keys_are_needed_to_read_an_export_elsewhere(tmp_path: Path) -> None:
    data, key = tmp_path / "data", tmp_path / "key"
    async with two_chats(data, FakeClock(), key=key) as ann:
        await ann.told(TELEGRAM, f"/remember 我的密码是{SECRET}")
        memory = (await ann.state(TELEGRAM)).memories[1]
    keys = Keys.read(key, data=data)
    agents = Agents(
        tmp_path / "b",
        AgentResources(clock=FakeClock(), model=None, defaults=AgentSettings(), keys=keys),
    )
    other = await agents.get("b")
    await other.steer(lambda state, index: [Put(memory)])
    assert not isinstance(other.unsealed(1), Memory)
    await agents.close()


@pytest.mark.parametrize(
    ("said", "asked", "label", "note"),
    [
        (
            "我家Wi-Fi密码是Hunter7788，记住啊",
            "我家Wi-Fi密码是多少？",
            "Wi-Fi密码",
            "，已封存，",
        ),
        ("Remember my bank PIN is 447188", "What is my bank PIN?", "bank PIN", ", sealed; "),
    ],
)
async def test_what_is_sealed_is_found_by_its_kind_and_never_told(
    tmp_path: Path, prompts: list[str], said: str, asked: str, label: str, note: str
) -> None:
    async with two_chats(tmp_path / "data", FakeClock(), key=tmp_path / "key") as ann:
        if said.isascii():
            agent = await ann.agent(TELEGRAM)
            spoken = replace(agent.settings, language="en", partner="my friend")
            await agent.steer(
                lambda state, index: [Put(replace(state.agent_info, settings=spoken))]
            )
        await ann.says(TELEGRAM, said)
        (plain,) = await sealed_in(ann)
        prompts.clear()
        await ann.says(TELEGRAM, asked)
        listed = await ann.told(TELEGRAM, "/memory list")
        found = await ann.told(TELEGRAM, f"/memory search {label}")

    assert f"{label}{note}/memory show {plain.id}" in "".join(prompts)
    assert label in listed
    assert f"/memory show #{plain.id}" in found
    for secret in ("Hunter7788", "447188"):
        assert secret not in "".join((listed, found, *prompts))
