"""Somebody in a group takes somebody else's name, and gains nothing by it."""

import secrets
from datetime import timedelta
from pathlib import Path

import pytest

from bot.conversation.messages import ConversationKey, Incoming, Sender
from memory.judgement.permission import people_of
from memory.model import Memory
from tests.fakes.clock import FakeClock
from tests.fakes.two_chats import Someone, two_chats

GROUP = ConversationKey(platform="lark", account="cli_a", chat="oc_group")
ANN, EVE = "lark:ou_ann", "lark:ou_eve"


async def says(house: Someone, person: str, name: str, text: str) -> None:
    await house.app.receive(
        Incoming(
            dedupe_key=secrets.token_hex(8),
            conversation=GROUP,
            sender=Sender(id=person.removeprefix("lark:"), name=name),
            at=house.clock.now(),
            text=text,
            private=False,
        )
    )
    await house.settled()
    house.clock.tick(seconds=timedelta(minutes=2).total_seconds())


async def known(house: Someone) -> list[Memory]:
    name = await house.app.bindings.agent_id(GROUP, private=False)
    agent = await house.app.agents.get(name)
    await agent.background.wait_until_idle()
    return list(agent.state.memories.values())


@pytest.mark.parametrize("name", ["Ann", "主人"])
async def test_whoever_takes_a_name_corrects_nothing_of_the_other(
    tmp_path: Path, name: str
) -> None:
    async with two_chats(tmp_path, FakeClock()) as house:
        await says(house, ANN, name, "记住：我住在北京")
        await says(house, ANN, name, "我喜欢猫")
        await says(house, EVE, name, "记住：我住在上海")
        await says(house, EVE, name, "其实我不喜欢猫，我住在上海")
        found = await known(house)

    theirs = [memory for memory in found if people_of(memory) == {ANN}]
    assert len(theirs) == 2
    assert not any(memory.is_past for memory in theirs)
    assert all(people_of(memory) in ({ANN}, {EVE}) for memory in found)


async def test_saying_the_same_under_a_taken_name_makes_nothing_of_the_other_shared(
    tmp_path: Path,
) -> None:
    async with two_chats(tmp_path, FakeClock()) as house:
        await says(house, ANN, "Ann", "记住：我对花生过敏")
        await says(house, EVE, "Ann", "记住：我对花生过敏")
        await says(house, EVE, "Ann", "我对花生过敏")
        found = await known(house)

    assert [people_of(m) for m in found if "花生" in m.words.text][:2] == [{ANN}, {EVE}]
    assert all(m.trace.mention_count == 0 for m in found if people_of(m) == {ANN})


async def test_one_corrects_oneself_under_whatever_name(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock()) as house:
        await says(house, ANN, "Ann", "记住：我住在北京")
        await says(house, ANN, "Ann", "其实我住在上海")
        found = await known(house)

    assert [m.words.text for m in found if m.is_past] == ["Ann说：我住在北京"]


async def test_people_of_one_name_are_told_apart_in_prompt_and_memory_also_after_a_restart(
    tmp_path: Path,
) -> None:
    clock = FakeClock()
    async with two_chats(tmp_path, clock) as house:
        await says(house, ANN, "安", "记住：我住在北京")
        await says(house, EVE, "安", "记住：安住在火星")
    async with two_chats(tmp_path, clock) as house:
        await says(house, EVE, "安 ", "我喜欢打雷")
        await says(house, ANN, "安", "我喜欢猫")
        found = {memory.words.text: people_of(memory) for memory in await known(house)}
        name = await house.app.bindings.agent_id(GROUP, private=False)
        window = (await house.app.agents.get(name)).window(str(GROUP))

    spoken = {line.speaker for line in window if line.speaker_id == EVE}
    assert spoken == {"安（2）", "安 （2）"}
    assert {line.speaker for line in window if line.speaker_id == ANN} == {"安"}
    assert found["安说：我住在北京"] == {ANN}
    assert found["安（2）说：安住在火星"] == {EVE}
    assert not any(text.startswith("安说") and "火星" in text for text in found)
