"""An erasure begins at once: behind no reply that hangs, and beside no turn that tells of it."""

import asyncio
from pathlib import Path

import pytest

from bot import app
from bot.conversation.messages import ConversationKey
from bot.texts import desk_changes, say
from tests.fakes.desk import commands, lines
from tests.fakes.group_program import ANN, BEN, GroupProgram, chat_of, group_program, in_group
from tests.fakes.openai_answers import Asked, Behaviour, chunk, hang, stall
from tests.fakes.openai_answers import say as answer
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.waiting import unless_it_hangs, until

PLACES = [
    pytest.param(chat_of(ANN), "tg-p-42", id="in private"),
    pytest.param(in_group(), "tg-g-100", id="in a group"),
]
TOLD = "我对琥珀花生过敏"


async def stuck(
    place: GroupProgram, server: OpenAIServer, where: ConversationKey, text: str
) -> None:
    """Say something to a model that never answers, and wait until it is asked."""
    before = len(server.asked)
    await place.hear(ANN, text, where=where)
    await until(lambda: len(server.asked) > before)


@pytest.mark.parametrize(("where", "agent_id"), PLACES)
@pytest.mark.parametrize("behaviour", [hang(), stall(chunk("琥珀花"))], ids=["mute", "halfway"])
async def test_a_reply_that_hangs_for_ever_keeps_no_erasure_waiting(
    tmp_path: Path, where: ConversationKey, agent_id: str, behaviour: Behaviour
) -> None:
    async with OpenAIServer(lambda asked: "[SKIP]") as server:
        server.always(behaviour)
        async with group_program(tmp_path, model=server) as place:
            await stuck(place, server, where, TOLD)

            async with unless_it_hangs():
                receipt = await place.forget(ANN, "琥珀花生", where=where)

            assert "0 处残留" in receipt
            server.always(None)
            server.personality = lambda asked: "晚上好呀"
            await place.say(ANN, "晚上好", where=where)
            await place.settled()
            state = (await place.memory(agent_id)).state
            assert place.screen.unfinished() == [], "what had been shown of the reply is gone"
            assert not any("琥珀" in each for each in place.screen.finals(where)[-1:])
            told = [line.text for w in state.windows.values() for line in w.lines]
            assert told == ["晚上好", "晚上好呀"]
    assert not holding(tmp_path, "琥珀花生")


async def test_what_waits_in_a_topic_never_answered_before_is_found(tmp_path: Path) -> None:
    async with OpenAIServer(lambda asked: "[SKIP]") as server:
        server.always(hang())
        async with group_program(tmp_path, model=server) as place:
            await place.hear(ANN, TOLD, where=in_group("1"))
            receipt = await place.forget(ANN, "琥珀花生", where=in_group("2"))
            await place.answered()

            assert "收发账本: 1" in receipt
    assert not holding(tmp_path, "琥珀花生")


async def test_a_preview_stops_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "GRACE_SECONDS", 0.2)  # the reply never comes
    async with OpenAIServer(lambda asked: "[SKIP]") as server:
        server.always(hang())
        async with group_program(tmp_path, model=server) as place:
            await stuck(place, server, chat_of(ANN), TOLD)
            asked = len(server.asked)
            preview = lines(await place.order(ANN, "/forget 琥珀花生"))

            assert say("zh", desk_changes.IN_LEDGER) in preview
            await asyncio.sleep(0.05)
            assert len(server.asked) == asked, "the turn under way was not begun again"


async def test_a_turn_about_something_else_is_taken_on_afterwards(tmp_path: Path) -> None:
    def personality(asked: Asked) -> str:
        return "紫藤是花" if "紫藤" in asked.last else "[SKIP]"

    async with OpenAIServer(personality) as server, group_program(tmp_path, model=server) as place:
        server.next(answer("记下了"))
        await place.say(ANN, f"记住：{TOLD}")
        await place.settled()
        server.next(hang())
        await stuck(place, server, chat_of(ANN), "紫藤是什么？")

        receipt = await place.forget(ANN, "琥珀花生")
        await until(lambda: "紫藤是花" in place.screen.finals(chat_of(ANN)))
        await place.settled()

        assert "抹去了 1 条记忆" in receipt
        assert not any("琥珀" in each.prompt for each in server.asked[-1:])
        assert place.screen.unfinished() == []
    assert not holding(tmp_path, "琥珀花生")


async def test_what_was_said_in_one_breath_with_it_is_answered_for_itself(tmp_path: Path) -> None:
    async with OpenAIServer(lambda asked: "[SKIP]") as server:
        server.always(hang())
        async with group_program(tmp_path, model=server) as place:
            await stuck(place, server, chat_of(ANN), "先等等")
            await place.hear(ANN, "今天天气真好")
            await place.hear(ANN, TOLD)
            await place.forget(ANN, "先等等")
            await until(lambda: any("天气" in each.last for each in server.asked))
            # What is under way still hangs; what is asked when it was erased is answered.
            server.always(None)
            server.personality = lambda asked: "是呀" if "天气" in asked.last else "[SKIP]"
            await place.forget(ANN, "琥珀花生")
            await until(lambda: "是呀" in place.screen.finals(chat_of(ANN)))
            await place.settled()

            window = (await place.memory("tg-p-42")).window(str(chat_of(ANN)))
            assert [line.text for line in window] == ["今天天气真好", "是呀"]


async def test_everything_is_erased_in_the_middle_of_a_burst_and_what_comes_after_stays(
    tmp_path: Path,
) -> None:
    async with OpenAIServer(lambda asked: "[SKIP]") as server:
        server.always(hang())
        async with group_program(tmp_path, model=server) as place:
            group = in_group()
            await stuck(place, server, group, TOLD)
            for number in range(20):
                await place.hear(BEN, f"琥珀花生{number}", where=group, addressed=number % 2 == 0)
            (button,) = commands(await place.order(ANN, "/forget all", where=group))
            for number in range(20, 30):
                await place.hear(BEN, f"琥珀花生{number}", where=group, addressed=False)
            server.always(None)
            server.personality = lambda asked: "早" if "新的一天" in asked.last else "[SKIP]"
            await place.hear(ANN, button, where=group)
            await place.hear(BEN, "新的一天", where=group)
            await until(lambda: len(place.screen.documents) == 2)
            await until(lambda: "早" in place.screen.finals(group))
            await place.settled()

            state = (await place.memory("tg-g-100")).state
            told = [line.text for w in state.windows.values() for line in w.lines]
            assert told == ["新的一天", "早"]
    assert not holding(tmp_path, "琥珀花生")


SAID_SINCE = [
    pytest.param("我藏了私房钱在琥珀鞋盒里，记住", id="zh"),
    pytest.param("Remember that my savings are in the 琥珀 shoe box", id="en"),
]


@pytest.mark.parametrize("said", SAID_SINCE)
@pytest.mark.parametrize(
    ("where", "said_in", "agent_id"),
    [
        pytest.param(chat_of(ANN), chat_of(ANN), "tg-p-42", id="in private"),
        pytest.param(in_group(), in_group(), "tg-g-100", id="in a group"),
        pytest.param(chat_of(ANN), chat_of(BEN), "tg-p-42", id="in a linked chat"),
    ],
)
async def test_what_was_said_since_the_preview_and_waits_is_no_part_of_what_was_confirmed(
    tmp_path: Path, said: str, where: ConversationKey, said_in: ConversationKey, agent_id: str
) -> None:
    async with OpenAIServer(lambda asked: "好呀") as server:
        async with group_program(tmp_path, model=server) as place:
            await place.app.bindings.bind(said_in, agent_id)
            await place.order(ANN, "/remember 我对花生过敏", where=where)
            server.always(hang())
            (button,) = commands(await place.order(ANN, "/forget all", where=where))
            await stuck(place, server, said_in, said)
            server.always(None)

            again = await place.order(ANN, button, where=where)
            state = (await place.memory(agent_id)).state
            kept = [memory.words.text for memory in state.memories.values() if memory.is_fact]
            await until(lambda: "好呀" in place.screen.finals(said_in))
            await place.settled()
            assert holding(tmp_path, "琥珀"), "it was answered and is remembered"
            receipt = await place.forget(ANN, "all", where=where)

        assert say("zh", desk_changes.PREVIEW_CHANGED) in lines(again)
        assert commands(again) not in ([], [button])
        assert any("我对花生过敏" in text for text in kept)
        assert "0 处残留" in receipt
    assert not holding(tmp_path, "琥珀")


@pytest.mark.parametrize("said", SAID_SINCE)
@pytest.mark.parametrize(("where", "agent_id"), PLACES)
async def test_what_is_learnt_from_it_after_the_second_preview_needs_no_third(
    tmp_path: Path, said: str, where: ConversationKey, agent_id: str
) -> None:
    async with OpenAIServer(lambda asked: "好呀") as server:
        async with group_program(tmp_path, model=server) as place:
            await place.order(ANN, "/remember 我对花生过敏", where=where)
            server.always(hang())
            (button,) = commands(await place.order(ANN, "/forget all", where=where))
            await stuck(place, server, where, said)
            server.always(None)
            (anew,) = commands(await place.order(ANN, button, where=where))
            await until(lambda: "好呀" in place.screen.finals(where))
            await place.settled()
            state = (await place.memory(agent_id)).state
            learnt = [each.words.text for each in state.memories.values() if each.is_fact]

            receipt = lines(await place.order(ANN, anew, where=where))

        assert any("琥珀" in text for text in learnt)
        assert "0 处残留" in receipt
    assert not holding(tmp_path, "琥珀")
    assert not holding(tmp_path, "花生")


async def test_what_is_said_and_learnt_after_the_second_preview_does_need_a_third(
    tmp_path: Path,
) -> None:
    async with (
        OpenAIServer(lambda asked: "好呀") as server,
        group_program(tmp_path, model=server) as place,
    ):
        await place.order(ANN, "/remember 我对花生过敏")
        (button,) = commands(await place.order(ANN, "/forget all"))
        await place.say(ANN, "记住我在琥珀街上班")
        await place.settled()

        again = await place.order(ANN, button)
        assert say("zh", desk_changes.PREVIEW_CHANGED) in lines(again)
        assert "琥珀" in lines(again)
        # Nor does a memory that nobody said go unseen.
        await place.order(ANN, "/memory add 我有一辆琥珀色的车")
        assert say("zh", desk_changes.PREVIEW_CHANGED) in lines(
            await place.order(ANN, commands(again)[0])
        )


@pytest.mark.parametrize(
    ("known", "words", "said"),
    [
        ("我对花生过敏", "花生", "我藏了花生在琥珀鞋盒里"),
        ("I hate peanuts", "peanuts", "the peanuts are in the 琥珀 box"),
    ],
)
@pytest.mark.parametrize("by_number", [False, True])
async def test_a_line_with_the_words_said_since_their_preview_goes_only_once_it_was_shown(
    tmp_path: Path, known: str, words: str, said: str, *, by_number: bool
) -> None:
    async with OpenAIServer(lambda asked: "好呀") as server:
        async with group_program(tmp_path, model=server) as place:
            await place.order(ANN, f"/remember {known}")
            server.always(hang())
            target = "#1" if by_number else words
            (button,) = commands(await place.order(ANN, f"/forget {target}"))
            await stuck(place, server, chat_of(ANN), f"{known}。{said}")
            server.always(None)
            again = await place.order(ANN, button)
            await place.settled()
            assert holding(tmp_path, "琥珀"), "it was answered and is remembered"
            receipt = await place.forget(ANN, words)

        assert say("zh", desk_changes.PREVIEW_CHANGED) in lines(again)
        assert "0 处残留" in receipt
    assert not holding(tmp_path, words)


@pytest.mark.parametrize(
    ("known", "words", "other"),
    [
        ("我对花生过敏", "花生", "我在琥珀街上班"),
        ("I hate peanuts", "peanuts", "I work in 琥珀 street"),
    ],
)
async def test_what_else_was_said_since_keeps_no_erasure_of_words_waiting(
    tmp_path: Path, known: str, words: str, other: str
) -> None:
    async with (
        OpenAIServer(lambda asked: "好呀") as server,
        group_program(tmp_path, model=server) as place,
    ):
        await place.order(ANN, f"/remember {known}")
        server.always(hang())
        (button,) = commands(await place.order(ANN, f"/forget {words}"))
        await stuck(place, server, chat_of(ANN), other)
        server.always(None)
        receipt = lines(await place.order(ANN, button))
        await place.settled()

        assert "0 处残留" in receipt
        assert holding(tmp_path, "琥珀")


async def test_what_waited_before_the_preview_was_shown_in_it_and_needs_no_second_one(
    tmp_path: Path,
) -> None:
    async with OpenAIServer(lambda asked: "[SKIP]") as server:
        server.always(hang())
        async with group_program(tmp_path, model=server) as place:
            await stuck(place, server, chat_of(ANN), TOLD)
            receipt = await place.forget(ANN, "all")

        assert "0 处残留" in receipt
    assert not holding(tmp_path, "琥珀花生")


async def test_what_was_answered_and_is_not_learnt_yet_is_no_part_of_it_either(
    tmp_path: Path,
) -> None:
    async with (
        OpenAIServer(lambda asked: "好呀") as server,
        group_program(tmp_path, model=server) as place,
    ):
        await place.order(ANN, "/remember 我对花生过敏")
        (button,) = commands(await place.order(ANN, "/forget all"))
        server.next(answer("好呀"), hang())
        await place.say(ANN, "我昨天把私房钱藏在琥珀鞋盒里了")
        await until(lambda: len(server.asked) == 2)

        again = lines(await place.order(ANN, button))
        assert say("zh", desk_changes.PREVIEW_CHANGED) in again
        assert holding(tmp_path, "琥珀")


async def test_two_people_erase_at_once_in_two_topics_of_a_group(tmp_path: Path) -> None:
    async with (
        OpenAIServer(lambda asked: "[SKIP]") as server,
        group_program(tmp_path, model=server) as it,
    ):
        one, two = in_group("1"), in_group("2")
        await it.say(ANN, "记住：我对琥珀花生过敏", where=one)
        await it.say(ANN, "记住：银杏巷十七号是我家", where=two)
        await it.settled()
        (first,) = commands(await it.order(ANN, "/forget 琥珀花生", where=one))
        (second,) = commands(await it.order(ANN, "/forget 银杏巷", where=two))
        before = len(it.screen.documents)
        await asyncio.gather(it.hear(ANN, first, where=one), it.hear(ANN, second, where=two))
        await until(lambda: len(it.screen.documents) == before + 2)

        for _, receipt in it.screen.documents[before:]:
            assert "0 处残留" in lines(receipt)
        await it.settled()
    assert not holding(tmp_path, "琥珀花生")
    assert not holding(tmp_path, "银杏巷")


async def test_the_background_that_hangs_is_stopped_and_goes_on(tmp_path: Path) -> None:
    async with (
        OpenAIServer(lambda asked: "好") as server,
        group_program(tmp_path, model=server) as place,
    ):
        server.next(answer("嗯"), hang())
        await place.say(ANN, f"{TOLD}，琥珀花生差点要了我的命")
        await until(lambda: len(server.asked) == 2)
        night = asyncio.create_task((await place.memory("tg-p-42")).nightly())
        await asyncio.sleep(0.01)

        async with unless_it_hangs():
            await place.forget(ANN, "琥珀花生")
            await night

        state = (await place.memory("tg-p-42")).state
        assert not state.turns
    assert not holding(tmp_path, "琥珀花生")


def holding(data: Path, text: str) -> list[str]:
    sought = text.encode()
    return [str(p) for p in data.rglob("*") if p.is_file() and sought in p.read_bytes()]
