"""The quiet line that says what was learnt: once, after the answer, undone with one tap."""

from collections.abc import Callable
from pathlib import Path

import pytest
from aiohttp import web

from memory.changes import Put, Receipt
from memory.learning.outcomes import LEAST_JUDGED
from memory.model import Tier
from tests.fakes.clock import NOON
from tests.fakes.openai_answers import Asked
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.telegram_program import FRIEND, GROUP, OnTelegram, on_telegram
from tests.fakes.telegram_server import ANN, Message, TelegramServer
from tests.fakes.waiting import until

pytestmark = pytest.mark.usefixtures("quick_time")

NOTED = "记下了"


def notices(server: TelegramServer, chat: int = ANN) -> list[Message]:
    """Return the messages that make no sound."""
    return [
        each
        for each in server.messages.values()
        if each.chat == chat and each.params.get("disable_notification")
    ]


def press(server: TelegramServer, notice: Message) -> dict[str, object]:
    """Let ANN tap the button under a notice; returns the update, to be delivered again."""
    person = {"id": ANN, "is_bot": False, "first_name": "a"}
    under = {"message_id": notice.id, "date": 1, "chat": {"id": ANN, "type": "private"}}
    data = notice.keyboard[0][0]["callback_data"]
    query = {"id": f"q{data[:8]}", "from": person, "chat_instance": "1", "data": data}
    update: dict[str, object] = {"callback_query": {**query, "message": under}}
    server.push(update)
    return update


async def facts(she: OnTelegram, agent_id: str = f"tg-p-{ANN}") -> list[str]:
    agent = await she.app.agents.get(agent_id)
    await agent.background.wait_until_idle()
    known = agent.state.memories.values()
    return [m.words.text for m in known if m.nature.tier is Tier.FACT and m.is_active]


def judging(*operations: str) -> Callable[[Asked], str]:
    """Answer the background with operations, and the partner with a word."""

    def answer(asked: Asked) -> str:
        told = str(asked.messages)
        return "\n".join(operations) if "[ADD" in told and "[SKIP]" in told else "好的"

    return answer


async def test_what_was_learnt_is_said_quietly_and_taken_back_with_one_tap(tmp_path: Path) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server, notices=True) as she:
        server.says("我喜欢爬山")
        await until(lambda: notices(server))
        before = await facts(she)
        (notice,) = notices(server)
        said, labels = notice.text, [[each["text"] for each in row] for row in notice.keyboard]
        name = undone_name(notice)
        pressed = press(server, notice)
        await until(lambda: notice.text != said)
        after = await facts(she)
        server.push(pressed)
        server.says(f"/undo {name}")
        answers = await she.answers(3)

    assert said.startswith(NOTED)
    assert "爬山" in said
    assert labels == [["撤销"]]
    assert len(before) == 1
    assert after == []
    assert "撤销了" in notice.text
    assert not notice.keyboard
    assert "已经撤销过" in answers[2]


def undone_name(notice: Message) -> str:
    """Return the name of the step behind a notice's button."""
    return notice.keyboard[0][0]["callback_data"].rpartition("/undo ")[2]


async def test_the_notice_follows_the_answer_also_when_it_was_asked_for(tmp_path: Path) -> None:
    async with TelegramServer(latency=0.05) as server:
        async with on_telegram(tmp_path, server, notices=True) as she:
            server.says("记住：我住在青岛")
            await until(lambda: notices(server))
            await she.settled()
        async with on_telegram(tmp_path, server, notices=True) as she:
            server.says("在吗？")
            await she.answers(3)
            await facts(she)
        texts = server.texts()

    assert [text.startswith(NOTED) for text in texts] == [False, True, False]


async def test_a_notice_whose_answer_is_lost_on_the_way_is_not_sent_again(tmp_path: Path) -> None:
    async with TelegramServer() as server:

        async def taken_and_torn(request: web.Request) -> web.StreamResponse | None:
            params = dict(await request.post())
            if not params.get("disable_notification"):
                return None
            await server._send_message(params)
            if request.transport is not None:
                request.transport.abort()
            return web.Response()

        server.always("sendMessage", taken_and_torn)
        async with on_telegram(tmp_path, server, notices=True) as she:
            server.says("我喜欢爬山")
            await until(lambda: notices(server))
            server.says("在吗？")
            await she.answers(3)

    assert len(notices(server)) == 1


async def test_several_things_are_one_notice_and_what_is_private_is_not_spelled_out(
    tmp_path: Path,
) -> None:
    answer = judging("[ADD kind=fact] 主人养了一只猫", "[ADD sensitivity=2] 主人对花生过敏")
    async with (
        TelegramServer() as server,
        OpenAIServer(answer) as model,
        on_telegram(tmp_path, server, model=model, notices=True) as she,
    ):
        server.says("我养了一只猫，我对花生过敏")
        await until(lambda: notices(server))
        await she.settled()
        (notice,) = notices(server)

    assert "猫" in notice.text
    assert "花生" not in notice.text
    assert "私密" in notice.text


async def test_whoever_does_not_want_it_hears_nothing_and_a_group_never_does(
    tmp_path: Path,
) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server, notices=True) as she:
        server.says("/记忆 提示 关")
        await she.answers(1)
        server.says("我喜欢爬山")
        server.says("小祥，记住：我喜欢冰茶", sender=FRIEND, chat=GROUP)
        await she.answers(2)
        await she.answers(1, GROUP)
        learnt = [await facts(she), await facts(she, f"tg-g-{-GROUP}")]
        server.says("/memory notice on")
        await she.answers(3)
        server.says("我住在青岛")
        await until(lambda: notices(server))

    assert all(learnt)
    assert len(notices(server)) == 1
    assert not notices(server, GROUP)


async def test_a_step_that_was_touched_since_is_shown_first(tmp_path: Path) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server, notices=True) as she:
        server.says("我喜欢爬山")
        await until(lambda: notices(server))
        (notice,) = notices(server)
        server.says("/memory pin #1")
        await she.answers(3)
        press(server, notice)
        await until(lambda: "⚠" in notice.text)
        kept = await facts(she)
        press(server, notice)
        await until(lambda: "⚠" not in notice.text)
        gone = await facts(she)

    assert len(kept) == 1
    assert gone == []


async def test_she_can_be_set_to_be_silent_from_the_start(tmp_path: Path) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server, notices=False) as she:
        server.says("我喜欢爬山")
        await she.answers(1)
        learnt = await facts(she)
        await she.settled()

    assert learnt
    assert not notices(server)


@pytest.mark.parametrize(("owners", "told"), [(f"telegram:{ANN}", 1), (f"telegram:{FRIEND}", 0)])
async def test_the_owner_is_told_once_in_private_that_a_model_is_mostly_refused(
    tmp_path: Path, owners: str, told: int
) -> None:
    before = [
        Put(Receipt(turn_id=f"old{number}", at=NOON, outcome="nothing", judged="refused"))
        for number in range(LEAST_JUDGED)
    ]
    async with (
        TelegramServer() as server,
        OpenAIServer(judging("[BOOST:m7]")) as model,
        on_telegram(
            tmp_path, server, model=model, owners=owners, allowed=f"telegram:{ANN}"
        ) as she,
    ):
        agent = await she.app.agents.get(f"tg-p-{ANN}")
        await agent.steer(lambda _state, _index: before)
        for line, answers in (("今天好累", 1 + told), ("明天也是", 2 + told)):
            server.says(line)
            await she.answers(answers)
            await facts(she)
        await she.settled()
        warned = [each.text for each in notices(server)]

    assert len(warned) == told
    assert all("11" in text and "LLM_BACKGROUND_MODEL" in text for text in warned)


async def test_a_reminder_a_model_found_is_confirmed_and_taken_back_with_one_tap(
    tmp_path: Path,
) -> None:
    async with (
        TelegramServer() as server,
        OpenAIServer(judging("[REMIND] 交房租")) as model,
        on_telegram(tmp_path, server, model=model) as she,
    ):
        server.says("明天早上八点可别让我忘了交房租")
        await until(lambda: len(notices(server)) == 1)
        (notice,) = notices(server)
        agent = await she.app.agents.get(f"tg-p-{ANN}")
        kept, said = dict(agent.state.reminders), notice.text
        press(server, notice)
        await until(lambda: not agent.state.reminders)

    assert "08:00提醒你：交房租" in said
    assert kept[1].text == "交房租"
