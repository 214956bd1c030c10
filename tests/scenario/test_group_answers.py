"""In a group she tells everybody apart: whose words they are, and who asks of themselves."""

import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.conversation.messages import ConversationKey, Incoming, Sender
from bot.identity import Access, PlatformId
from tests.fakes import two_chats as chats
from tests.fakes.clock import FakeClock

GROUP = ConversationKey(platform="lark", account="cli_a", chat="oc_group")
TOPIC = ConversationKey(platform="lark", account="cli_a", chat="oc_group", thread="t1")


@dataclass
class Group:
    """A group in which everybody may talk; who comes second under a name is told apart."""

    house: chats.Someone

    async def says(
        self,
        who: str,
        name: str,
        text: str,
        *,
        place: ConversationKey = GROUP,
        quoted: str = "",
    ) -> str:
        """Let somebody write, and return what is answered."""
        before = len(self.house.screens.finals(place))
        await self.house.app.receive(
            Incoming(
                dedupe_key=secrets.token_hex(8),
                conversation=place,
                sender=Sender(id=who, name=name),
                at=self.house.clock.now(),
                text=text,
                quoted=quoted,
                private=False,
            )
        )
        await self.house.settled()
        agent = await self.house.app.agents.get(
            await self.house.app.bindings.agent_id(place, private=False)
        )
        await agent.background.wait_until_idle()
        self.house.clock.tick(seconds=120)
        return "\n".join(self.house.screens.finals(place)[before:])

    async def known(self) -> list[str]:
        """Return what is known in the group."""
        name = await self.house.app.bindings.agent_id(GROUP, private=False)
        agent = await self.house.app.agents.get(name)
        return [each.words.text for each in agent.state.memories.values()]


@pytest.fixture
async def talk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Group]:
    """Run her in a group of four."""
    members = {PlatformId("lark", each) for each in ("ann", "alex", "fox", "tom")}
    monkeypatch.setattr(
        chats, "Access", lambda people, allowed, ids: Access(people, allowed | members, ids)
    )
    async with chats.two_chats(tmp_path, FakeClock()) as house:
        yield Group(house)


@pytest.mark.parametrize(
    ("name", "said", "asked", "asked_of_self"),
    [
        (
            "Alex",
            "Remember that Tom owes me 50",
            ("who owes whom 50?", "Alex says: Tom owes Alex 50"),
            ("who owes me 50?", "Tom owes you 50"),
        ),
        (
            "阿力",
            "记住我的代号是赤狐",
            ("阿力的代号是什么？", "阿力说：阿力的代号是赤狐"),
            ("我的代号是什么？", "你的代号是赤狐"),
        ),
    ],
)
async def test_me_in_what_somebody_said_is_that_somebody(
    name: str, said: str, asked: tuple[str, str], asked_of_self: tuple[str, str], talk: Group
) -> None:
    await talk.says("alex", name, said)
    theirs = await talk.says("fox", "🦊", asked[0])
    mine = await talk.says("alex", name, asked_of_self[0])

    assert asked[1] in theirs
    assert asked_of_self[1] in mine


@pytest.mark.parametrize(
    ("name", "asked_and_told"),
    [
        (
            "Alex",
            [
                ("my name is Oscar", "what is my name?", "your name is Oscar", "Oscar"),
                ("I have a sister in Rome", "where is my sister?", "you have a sister", "Rome"),
                ("I live in Berlin", "where do I live?", "you live in Berlin", "Berlin"),
            ],
        ),
        (
            "安",
            [
                ("我叫阿强", "我叫什么？", "你叫阿强", "阿强"),
                ("我有个妹妹在罗马", "我妹妹在哪？", "你有个妹妹在罗马", "罗马"),
                ("我住在柏林", "我住在哪里？", "你住在柏林", "柏林"),
            ],
        ),
    ],
)
async def test_what_one_asks_of_oneself_is_told_of_nobody_else(
    name: str, asked_and_told: list[tuple[str, str, str, str]], talk: Group
) -> None:
    about_me = "what do you know about me?" if name == "Alex" else "你知道我什么？"
    for fact, *_ in asked_and_told:
        await talk.says("alex", name, fact)
    for _, asked, own, _ in asked_and_told:
        assert own in await talk.says("alex", name, asked)
    asked_of_self = [about_me, *(asked for _, asked, _, _ in asked_and_told)]
    theirs = [await talk.says("tom", name, each) for each in asked_of_self]
    mine = await talk.says("alex", name, about_me)

    assert not [x for x in theirs if any(value in x for _, _, _, value in asked_and_told)]
    assert all(own in mine for _, _, own, _ in asked_and_told)


@pytest.mark.parametrize(
    ("said", "asked", "told"),
    [
        ("Remember that Tom lives on Mars", "where do I live?", "🦊 says: Tom lives on Mars"),
        ("记住Tom住在火星", "我住在哪里？", "🦊说：Tom住在火星"),
    ],
)
async def test_what_others_said_of_who_asks_is_told_as_theirs(
    said: str, asked: str, told: str, talk: Group
) -> None:
    await talk.says("fox", "🦊", said)
    found = await talk.says("tom", "Tom", asked)

    assert told in found


@pytest.mark.parametrize(
    ("said", "asked", "wrong"),
    [
        ("the launch is on Monday", "when is the launch?", "You told"),
        ("发布会在周一", "发布会在哪天？", "你"),
    ],
)
async def test_what_was_said_in_another_topic_is_told_as_theirs(
    said: str, asked: str, wrong: str, talk: Group
) -> None:
    await talk.says("alex", "Alex", said, place=TOPIC)
    found = await talk.says("fox", "🦊", asked)

    assert "Alex" in found
    assert wrong not in found.partition("\n")[0]


@pytest.mark.parametrize(
    ("said", "request_", "kept"),
    [
        ("I will bring the cake", "Xiaoxiang, remember this", "Alex says: I will bring the cake"),
        ("我带蛋糕来", "小祥，记住这个", "Alex说：我带蛋糕来"),
    ],
)
async def test_asked_to_remember_this_she_keeps_the_message_it_replies_to_as_its_writers(
    said: str, request_: str, kept: str, talk: Group
) -> None:
    await talk.says("alex", "Alex", f"小祥，{said}")
    answer = await talk.says("tom", "Tom", request_, quoted=f"小祥，{said}")

    assert kept in await talk.known()
    assert kept in answer


@pytest.mark.parametrize(
    ("request_", "asks"),
    [("Xiaoxiang, remember this", "What shall I remember?"), ("小祥，记住这个", "记住什么")],
)
async def test_asked_to_remember_nothing_she_asks_what(
    request_: str, asks: str, talk: Group
) -> None:
    answer = await talk.says("tom", "Tom", request_)

    assert asks in answer
    assert await talk.known() == []
