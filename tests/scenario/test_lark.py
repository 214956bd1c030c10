"""Lark as people use it: the real library against an open platform of our own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.texts import dialogue
from bot.texts import say as in_words
from memory.model import Tier
from tests.fakes.lark_platform import LarkPlatform
from tests.fakes.lark_program import BOB, EVE, OnLark, hook, on_lark
from tests.fakes.lark_world import ANN, BOT
from tests.fakes.openai_answers import chunk, events, say
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.waiting import until

LONG = [f"第{number}句话说的是今天的天气很好。" for number in range(60)]


def heard(agent: object) -> list[str]:
    windows = agent.state.windows.values()  # type: ignore[attr-defined]
    return [f"{line.speaker}：{line.text}" for window in windows for line in window.lines]


@asynccontextmanager
async def in_a_room(
    data: Path, *, model: OpenAIServer | None = None
) -> AsyncIterator[tuple[OnLark, str]]:
    """Have her in a group of two people."""
    async with LarkPlatform() as platform:
        platform.person(BOB, "小波")
        room = platform.group("读书会", ANN, BOB)
        async with on_lark(data, platform, allowed=f"lark:{room}", model=model) as she:
            yield she, room


@pytest.mark.parametrize("way", ["websocket", "webhook"])
async def test_what_is_told_is_answered_and_remembered_over_a_restart(
    tmp_path: Path, way: str
) -> None:
    webhook = hook() if way == "webhook" else None
    async with LarkPlatform() as platform:
        async with on_lark(tmp_path, platform, webhook=webhook) as she:
            platform.say("记住：我对花生过敏")
            first = await she.answers(1)
        async with on_lark(tmp_path, platform, webhook=webhook) as she:
            platform.say("我对什么过敏？")
            second = await she.answers(2)
            (agent,) = [await she.app.agents.get(each.name) for each in folders(tmp_path)]
            facts = [
                memory.words.text
                for memory in agent.state.memories.values()
                if memory.nature.tier is Tier.FACT
            ]
        reactions = [each.reactions for each in platform.shown(platform.private())]

    assert len(first) == 1
    assert "花生" in second[1]
    assert facts == ["我对花生过敏"]
    assert set(reactions) == {()}


def folders(data: Path) -> list[Path]:
    return sorted((data / "agents").iterdir())


@pytest.mark.parametrize("streaming", [True, False])
async def test_an_answer_is_whole_whether_it_was_seen_to_grow_or_not(
    tmp_path: Path, *, streaming: bool
) -> None:
    async with LarkPlatform() as platform, OpenAIServer(lambda asked: "[SKIP]") as model:
        pieces = [chunk("".join(LONG[at : at + 10])) for at in range(0, 60, 10)]
        model.next(events(*pieces, chunk("", finish="stop")))
        async with on_lark(tmp_path, platform, model=model, streaming=streaming) as she:
            platform.say("讲长一点")
            answers = await she.answers(1)
        grew = platform.made("card")

    assert answers == ["".join(LONG)]
    assert bool(grew) is streaming


async def test_a_group_hears_an_answer_only_when_it_asks_and_knows_who_said_what(
    tmp_path: Path,
) -> None:
    async with in_a_room(tmp_path) as (she, room):
        platform = she.platform
        platform.say("今天真热", person=BOB, chat=room)
        asked = platform.say("@小祥 记住：我喜欢冰茶", person=BOB, chat=room, mentions=[BOT])
        platform.say("@所有人 开会", chat=room, content={"text": "@_all 开会"})
        await she.answers(1, room)
        platform.say("小祥，我刚才说了什么？", chat=room)
        answers = await she.answers(2, room)
        hers = [each for each in platform.shown(room) if each.by_bot]
        replied = platform.say("那再想想", person=BOB, chat=room, reply_to=hers[1].id)
        await she.answers(3, room)
        hers = [each for each in platform.shown(room) if each.by_bot]
        (agent,) = [await she.app.agents.get(each.name) for each in folders(tmp_path)]
        lines = heard(agent)

    assert len(answers) == 2
    assert [each.reply_to for each in hers] == [asked, hers[1].reply_to, replied]
    assert "小波：今天真热" in lines
    assert "小波：记住：我喜欢冰茶" in lines
    assert any(line.startswith("安安：@所有人 开会") for line in lines)


async def test_in_a_thread_she_answers_in_the_thread(tmp_path: Path) -> None:
    async with in_a_room(tmp_path) as (she, room):
        platform = she.platform
        root = platform.say("讨论一下旅行", chat=room)
        asked = platform.say(
            "@小祥 你好", chat=room, mentions=[BOT], reply_to=root, in_thread=True
        )
        await she.answers(1, room)
        platform.say("小祥 你好", chat=room)
        await she.answers(2, room)
        first, second = [each for each in platform.shown(room) if each.by_bot]
        (agent,) = [await she.app.agents.get(each.name) for each in folders(tmp_path)]
        threads = {key.rpartition("/")[2] for key in agent.state.windows}

    assert first.thread
    assert first.thread == platform.world.messages[asked].thread
    assert second.thread == ""
    assert threads == {"", first.thread}


async def test_what_is_said_in_private_does_not_reach_a_group(tmp_path: Path) -> None:
    async with in_a_room(tmp_path) as (she, room):
        she.platform.say("记住：我对花生过敏")
        await she.answers(1)
        she.platform.say("@小祥 我对什么过敏？", chat=room, mentions=[BOT])
        (answer,) = await she.answers(1, room)

    assert "花生" not in answer


async def test_a_stranger_hears_one_polite_line_and_costs_nothing(tmp_path: Path) -> None:
    async with LarkPlatform() as platform, OpenAIServer() as model:
        platform.person(EVE, "夏娃")
        async with on_lark(tmp_path, platform, model=model) as she:
            for _ in range(3):
                platform.say("在吗", person=EVE)
            answers = await she.answers(1, platform.private(EVE))

    assert len(answers) == 1
    assert f"lark:{EVE}" in answers[0]
    assert not model.asked
    assert not (tmp_path / "agents").exists()


async def test_two_bots_in_one_room_never_talk_with_each_other(tmp_path: Path) -> None:
    other = "ou_0ther000000000000000000000000004"
    async with in_a_room(tmp_path) as (she, room):
        platform = she.platform
        platform.person(other, "小祥二号")
        for _ in range(5):
            platform.say("@小祥 你好呀", person=other, chat=room, mentions=[BOT], by_app=True)
        platform.say("@小祥 你好", chat=room, mentions=[BOT])
        await she.answers(1, room)
        hers = [each for each in platform.shown(room) if each.by_bot]
        platform.say("你说得对", person=other, chat=room, reply_to=hers[0].id, by_app=True)
        await she.settled()
        answers = she.answers_now(room)

    assert len(answers) == 1


async def test_pushed_again_a_message_has_no_second_effect_even_after_a_restart(
    tmp_path: Path,
) -> None:
    async with LarkPlatform() as platform:
        async with on_lark(tmp_path, platform) as she:
            platform.say("你好")
            (push,) = platform.pushes.open
            await she.answers(1)
            for seconds in (15, 300, 3600):
                platform.advance(seconds)
                platform.pushes.push(push.document)
                await she.settled()
        async with on_lark(tmp_path, platform) as she:
            platform.advance(21_600)
            platform.pushes.push(push.document)
            await she.settled()
            answers = she.answers_now()

    assert len(answers) == 1


async def test_what_comes_hours_late_is_remembered_and_not_answered(tmp_path: Path) -> None:
    async with LarkPlatform() as platform, on_lark(tmp_path, platform) as she:
        platform.clock.added = -3 * 3600.0
        platform.say("我周五面试")
        (push,) = platform.pushes.open
        platform.clock.added = 0.0
        await she.settled()
        (agent,) = [await she.app.agents.get(each.name) for each in folders(tmp_path)]
        lines = heard(agent)
        answers = she.answers_now()

    assert push.accepted
    assert any("我周五面试" in line for line in lines)
    assert not answers


async def test_a_press_turns_the_page_where_it_stands_once_and_for_who_may(
    tmp_path: Path,
) -> None:
    async with LarkPlatform() as platform:
        platform.person(EVE, "夏娃")
        async with on_lark(tmp_path, platform) as she:
            for number in range(12):
                platform.say(f"/remember 第{number}件事：我有{number}个杯子")
                await she.answers(number + 1)
            platform.say("/memory list --limit 5")
            await she.answers(13)
            first = she.answers_now()[-1]
            label = first.buttons[-1]
            value = platform.buttons(first.id)[label]
            foreign = await platform.press(first.id, value, person=EVE)
            await she.settled()
            untouched = she.answers_now()[-1].text
            toast = await platform.press(first.id, value)
            await until(lambda: she.answers_now()[-1].text != first.text)
            await she.settled()
            second = she.answers_now()[-1]
            again = await platform.press(first.id, value)
            forged = await platform.press(first.id, {"command": "x" * 60})
            await she.settled()
            count, last = len(she.answers_now()), she.answers_now()[-1]

    assert toast["toast"]["type"] == again["toast"]["type"] == "info"
    assert again["toast"]["content"] == dialogue.BUTTON_USED.zh != toast["toast"]["content"]
    assert foreign["toast"]["type"] == forged["toast"]["type"] == "warning"
    assert untouched == first.text
    assert "1/3" in first.text.replace(" ", "")
    assert second.text != first.text
    assert (count, last) == (13, second)


async def test_whoever_reads_the_code_on_the_server_becomes_the_owner(tmp_path: Path) -> None:
    async with LarkPlatform() as platform:
        platform.person(EVE, "夏娃")
        async with on_lark(tmp_path, platform, owners="") as she:
            code = she.announced[1].rpartition("：")[2].strip()
            platform.say("AAAAAAAA", person=EVE)
            await she.answers(1, platform.private(EVE))
            said = platform.say(code)
            (answer,) = await she.answers(1)
            platform.again(said)
            await she.settled()
            platform.say("你好呀")
            await she.answers(2)
        async with on_lark(tmp_path, platform, owners="") as she:
            announced = she.announced

    assert "主人" in answer
    assert len(announced) == 2  # this run was given no owner; the shell reads the file


async def test_she_greets_a_group_once_and_goes_without_a_word(tmp_path: Path) -> None:
    async with LarkPlatform() as platform:
        room = platform.group("读书会", ANN, BOB)
        platform.person(BOB, "小波")
        async with on_lark(tmp_path, platform, allowed=f"lark:{BOB}") as she:
            platform.invite(room)
            (hello,) = await she.answers(1, room)
            platform.say("@小祥 在吗", person=BOB, chat=room, mentions=[BOT])
            await she.answers(2, room)
            platform.expel(room)
            await she.settled()
            platform.dissolve(room)
            await she.settled()
            platform.enter(EVE) if EVE in platform.world.people else platform.enter()
            (helped,) = await she.answers(1)

    assert f"lark:{room}" in hello
    assert "/help" in helped or "/memory" in helped


async def test_an_answer_to_a_group_she_was_sent_away_from_is_let_go(tmp_path: Path) -> None:
    async with LarkPlatform() as platform, OpenAIServer(lambda asked: "[SKIP]") as model:
        platform.person(BOB, "小波")
        room = platform.group("读书会", ANN, BOB)
        async with on_lark(tmp_path, platform, allowed=f"lark:{room}", model=model) as she:
            model.next(events(chunk("好"), chunk("的"), chunk("", finish="stop"), pause=0.3))
            platform.say("@小祥 在吗", chat=room, mentions=[BOT])
            await until(lambda: model.asked)
            platform.expel(room)
            await she.settled()
            tried = len(platform.made("reply"))
            await she.settled()
            platform.say("你好")
            await she.answers(1)

    assert tried >= 1
    assert len(platform.made("reply")) == tried
    assert not [each for each in platform.shown(room) if each.by_bot]


async def test_quick_messages_of_one_person_get_one_answer(tmp_path: Path) -> None:
    async with LarkPlatform() as platform, OpenAIServer(lambda asked: "[SKIP]") as model:
        model.next(say("好的"))
        async with on_lark(tmp_path, platform, model=model) as she:
            for words in ("我今天", "去了海边", "风好大"):
                platform.say(words)
            answers = await she.answers(1)

    assert 1 <= len(answers) <= 3


async def test_malformed_events_stop_nobody(tmp_path: Path) -> None:
    async with LarkPlatform() as platform, on_lark(tmp_path, platform) as she:
        header = {"event_id": "e", "event_type": "im.message.receive_v1", "create_time": "x"}
        for broken in (
            {"schema": "2.0", "header": header, "event": {}},
            {"schema": "2.0", "header": header, "event": {"message": "no", "sender": []}},
            {"schema": "1.0", "event": {"type": "old"}},
        ):
            platform.pushes.push({"header": header, **broken})
        await she.settled()
        platform.say("你好")
        await she.answers(1)

    assert not platform.pushes.lost


async def test_what_was_forwarded_together_reaches_the_model(tmp_path: Path) -> None:
    async with LarkPlatform() as platform, OpenAIServer(lambda asked: "[SKIP]") as model:
        platform.person(BOB, "小波")
        room = platform.group("读书会", ANN, BOB)
        model.next(say("看到了"))
        async with on_lark(tmp_path, platform, model=model) as she:
            await platform.connected()
            inside = platform.say("我对花生过敏", person=BOB, chat=room)
            platform.say(kind="merge_forward", bundle=[inside])
            answers = await she.answers(1)
        asked = str(model.asked[0])

    assert answers == ["看到了"]
    assert "我对花生过敏" in asked


async def test_what_cannot_be_read_is_said_so_once_and_costs_no_call(tmp_path: Path) -> None:
    async with (
        LarkPlatform() as platform,
        OpenAIServer(lambda asked: "[SKIP]") as model,
        on_lark(tmp_path, platform, model=model) as she,
    ):
        broken = platform.say(kind="text", content="a bare sentence")
        answers = await she.answers(1)
        platform.again(broken)
        await she.settled()
        again = she.answers_now()

    assert answers == [in_words("zh", dialogue.UNREADABLE)]
    assert len(again) == 1
    assert not model.asked
    assert not platform.pushes.lost


async def test_a_wrong_secret_ends_the_serving_with_what_to_do(tmp_path: Path) -> None:
    wrong = "a-secret-that-is-wrong"
    async with LarkPlatform() as platform, on_lark(tmp_path, platform, secret=wrong) as she:
        await until(lambda: she.over)

    assert "LARK_APP_SECRET" in str(getattr(she.over, "error", ""))
    assert wrong not in str(getattr(she.over, "error", ""))
