"""A stop by button and by word, an answer anew, and a stranger let in, on the real program."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.texts import Sentence, desk_link, dialogue
from bot.texts import say as in_words
from tests.fakes.lark_faults import refused
from tests.fakes.lark_platform import LarkPlatform
from tests.fakes.lark_program import on_lark
from tests.fakes.openai_answers import chunk, stall
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.telegram_program import on_telegram
from tests.fakes.telegram_server import ANN, TelegramServer
from tests.fakes.waiting import until

STRANGER = 777


def zh(sentence: Sentence, **values: Any) -> str:
    return in_words("zh", sentence, **values)


def press(server: TelegramServer, message: int, label: str, *, sender: int = ANN) -> None:
    """Press a button below a message of the bot's in the private chat of Ann."""
    (data,) = [
        each["callback_data"]
        for row in server.messages[ANN, message].keyboard
        for each in row
        if each["text"] == label
    ]
    person = {"id": sender, "is_bot": False, "first_name": "安"}
    shown = {"message_id": message, "date": 0, "chat": {"id": ANN, "type": "private"}}
    query = {"id": "q1", "from": person, "message": shown, "data": data, "chat_instance": "1"}
    server.push({"callback_query": query})


async def test_a_button_below_a_growing_answer_stops_it(tmp_path: Path) -> None:
    async with TelegramServer() as server, OpenAIServer(lambda asked: "[SKIP]") as model:
        model.next(stall(chunk("从前有座山，山里有座庙")))
        async with on_telegram(tmp_path, server, model=model) as she:
            server.says("讲个故事")
            await until(lambda: any("从前" in text for text in server.texts()))
            (key,) = server.messages
            press(server, key[1], zh(dialogue.STOP))
            answers = await she.answers(2)
            agent = await she.app.agents.get(f"tg-p-{ANN}")
            (window,) = agent.state.windows.values()

    cut = f"从前有座山，山里有座庙\n\n{zh(dialogue.STOPPED)}"
    assert set(answers) == {cut, zh(dialogue.DID_STOP)}
    assert server.messages[key].keyboard == []
    assert [line.text for line in window.lines] == ["讲个故事", cut]


async def test_the_word_stops_and_the_answer_is_given_anew(tmp_path: Path) -> None:
    story = "有一只小猫住在海边。"
    async with (
        TelegramServer() as server,
        OpenAIServer(lambda asked: story if asked.stream else "[SKIP]") as model,
    ):
        model.next(stall(chunk("从前有座山，山里有座庙")))
        async with on_telegram(tmp_path, server, model=model) as she:
            server.says("记住：我叫安。讲个故事")
            await until(lambda: server.made("sendChatAction"))
            await until(lambda: model.asked)
            server.says("停")
            await she.answers(2)
            server.says("再说一遍")
            answers = await she.answers(3)
            await (await she.app.agents.get(f"tg-p-{ANN}")).background.wait_until_idle()
            state = (await she.app.agents.get(f"tg-p-{ANN}")).state
            (window,) = state.windows.values()

    assert answers[-1] == story
    said = [line.text for line in window.lines]
    assert said == ["记住：我叫安。讲个故事", story]
    assert len([m for m in state.memories.values() if m.is_fact]) == 1


async def test_an_owner_lets_a_stranger_in_by_a_button(tmp_path: Path) -> None:
    async with TelegramServer() as server:
        async with on_telegram(tmp_path, server) as she:
            server.says("早")
            await she.answers(1)
            server.says("我有个秘密要告诉你", sender=STRANGER)
            server.says("在吗在吗", sender=STRANGER)
            await she.answers(2)
            (asked,) = [each for each in server.texts() if f"telegram:{STRANGER}" in each]
            number = next(n for (_, n), each in server.messages.items() if each.text == asked)
            refused = server.texts(STRANGER)
            press(server, number, zh(desk_link.LET_THEM_IN))
            shown = server.messages[ANN, number]
            await until(lambda: shown.text != asked)
            server.says("现在呢", sender=STRANGER)
            welcomed = await she.answers(3, STRANGER)
        async with on_telegram(tmp_path, server) as she:
            server.says("还在吗", sender=STRANGER)
            later = await she.answers(4, STRANGER)
        everything = b"".join(p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())

    assert asked == zh(desk_link.WANTS_IN, name=f"人{STRANGER}", person=f"telegram:{STRANGER}")
    assert refused == [zh(desk_link.STRANGER, person=f"telegram:{STRANGER}")]
    assert welcomed[1] == zh(desk_link.YOU_ARE_IN)
    assert len(later) == 4
    # The question is answered where it stood, and leaves no button behind.
    assert f"人{STRANGER}" in shown.text
    assert shown.keyboard == []
    assert not any("秘密" in text for text in server.texts())
    assert "我有个秘密要告诉你".encode() not in everything
    assert json.dumps("在吗在吗").encode() not in everything


@pytest.mark.parametrize(
    ("first", "second", "state"),
    [
        (desk_link.KEEP_THEM_OUT, desk_link.LET_THEM_IN, desk_link.PERSON_OUT),
        (desk_link.LET_THEM_IN, desk_link.KEEP_THEM_OUT, desk_link.PERSON_IN),
    ],
)
async def test_of_two_presses_at_once_the_first_counts_and_the_second_is_told_so(
    tmp_path: Path, first: Sentence, second: Sentence, state: Sentence
) -> None:
    async with TelegramServer() as server, on_telegram(tmp_path, server) as she:
        server.says("早")
        await she.answers(1)
        server.says("喂", sender=STRANGER)
        await she.answers(2)
        (number,) = [
            n for (chat, n), each in server.messages.items() if chat == ANN and each.keyboard
        ]
        question = server.messages[ANN, number]
        asked = question.text
        press(server, number, zh(first))
        press(server, number, zh(second))
        await until(lambda: question.text != asked)
        await until(lambda: len(server.made("answerCallbackQuery")) == 2)
        server.says("/people")
        answers = await she.answers(3)

    told = [each.get("text") or "" for each in server.made("answerCallbackQuery")]
    chosen = dialogue.CHOSEN_ALREADY
    assert sorted(told) == ["", f"{chosen.zh}\n{chosen.en}"]
    assert zh(state) in answers[-1]


async def test_a_stranger_who_is_kept_out_stays_out_and_nobody_is_asked_again(
    tmp_path: Path,
) -> None:
    async with TelegramServer() as server:
        async with on_telegram(tmp_path, server) as she:
            server.says("喂", sender=STRANGER)
            await until(lambda: server.texts(STRANGER))
            # Only now it is known where the owner can be told.
            server.says("早")
            await she.answers(2)
            number = next(
                n
                for (_, n), each in server.messages.items()
                if str(STRANGER) in each.text and each.chat == ANN
            )
            press(server, number, zh(desk_link.KEEP_THEM_OUT))
            shown = server.messages[ANN, number]
            await until(lambda: "想和我聊：" not in shown.text)
        async with on_telegram(tmp_path, server) as she:
            server.says("让我进来", sender=STRANGER)
            await until(lambda: len(server.texts(STRANGER)) == 2)
            server.says("/people")
            answers = await she.answers(3)

    assert not any("想和我聊：" in text for text in answers)
    assert shown.keyboard == []
    assert zh(desk_link.PERSON_OUT) in answers[-1]


async def test_the_word_stops_a_growing_card(tmp_path: Path) -> None:
    begun = "".join(f"第{n}天她走过第{n}座桥，" for n in range(1, 10))
    async with LarkPlatform() as platform, OpenAIServer(lambda asked: "[SKIP]") as model:
        model.next(stall(chunk(begun)))
        async with on_lark(tmp_path, platform, model=model) as she:
            platform.say("讲个故事")
            await until(lambda: any(each.streaming for each in platform.shown(platform.private())))
            platform.say("stop please")
            answers = await she.answers(2)

    assert any(zh(dialogue.STOPPED) in each and begun[:20] in each for each in answers)
    assert any(zh(dialogue.DID_STOP) in each for each in answers)


async def test_a_button_on_a_growing_card_stops_it_and_the_card_ends_as_the_answer(
    tmp_path: Path,
) -> None:
    begun = "".join(f"第{n}天她走过第{n}座桥，" for n in range(1, 10))
    async with LarkPlatform() as platform, OpenAIServer(lambda asked: "[SKIP]") as model:
        model.next(stall(chunk(begun)))
        async with on_lark(tmp_path, platform, model=model) as she:
            platform.say("讲个故事")
            home = platform.private()
            await until(lambda: any(each.streaming for each in platform.shown(home)))
            (card,) = [each for each in platform.shown(home) if each.streaming]
            told = await platform.press(card.id, zh(dialogue.STOP))
            answers = await she.answers(2)
            (ended,) = [each for each in platform.shown(home) if each.id == card.id]
            (name,) = she.app.agents.known_ids()
            (window,) = (await she.app.agents.get(name)).state.windows.values()
            with pytest.raises(KeyError):
                platform.buttons(card.id)[zh(dialogue.STOP)]

    cut = f"{begun}\n\n{zh(dialogue.STOPPED)}"
    assert told["toast"]["type"] == "info"
    assert (ended.text, ended.streaming) == (cut, False)
    assert any(zh(dialogue.DID_STOP) in each for each in answers)
    assert [line.text for line in window.lines] == ["讲个故事", cut]


async def test_an_answer_that_nobody_stops_ends_without_a_button_and_a_late_press_harms_nothing(
    tmp_path: Path,
) -> None:
    story = "从前有座山，山里有座庙，庙里有个老和尚在讲故事，讲的是从前有座山。" * 2
    async with LarkPlatform() as platform, OpenAIServer(lambda asked: "[SKIP]") as model:
        model.next(stall(chunk(story)))
        async with on_lark(tmp_path, platform, model=model) as she:
            platform.say("讲个故事")
            home = platform.private()
            await until(lambda: any(each.streaming for each in platform.shown(home)))
            (card,) = [each for each in platform.shown(home) if each.streaming]
            value = platform.buttons(card.id)[zh(dialogue.STOP)]
            platform.say("停")
            await she.answers(2)
            await platform.press(card.id, value)
            answers = await she.answers(3)
            (ended,) = [each for each in platform.shown(home) if each.id == card.id]

    assert ended.text.startswith(story)
    assert zh(dialogue.NOTHING_TO_STOP) in answers[-1]


async def test_where_a_card_may_have_no_button_the_answer_grows_without_one(
    tmp_path: Path,
) -> None:
    begun = "".join(f"第{n}天她走过第{n}座桥，" for n in range(1, 10))
    async with LarkPlatform() as platform, OpenAIServer(lambda asked: "[SKIP]") as model:
        model.next(stall(chunk(begun)))
        platform.next("card", refused(300315))
        async with on_lark(tmp_path, platform, model=model) as she:
            platform.say("讲个故事")
            home = platform.private()
            await until(lambda: any(each.streaming for each in platform.shown(home)))
            (card,) = [each for each in platform.shown(home) if each.streaming]
            buttons = platform.buttons(card.id)
            platform.say("停")
            await she.answers(2)

    assert buttons == {}


async def test_on_lark_the_owner_is_asked_about_a_stranger_by_name(tmp_path: Path) -> None:
    guest = "ou_d00000000000000000000000000000007"
    async with LarkPlatform() as platform:
        platform.person(guest, "路人甲")
        async with on_lark(tmp_path, platform) as she:
            platform.say("早")
            await she.answers(1)
            platform.say("Hi there! Can we chat?", person=guest)
            answers = await she.answers(2)
            refused = await she.answers(1, platform.private(guest))

    assert f"路人甲（lark:{guest}）" in answers[-1]
    assert "Somebody" not in answers[-1]
    assert refused == [in_words("en", desk_link.STRANGER, person=f"lark:{guest}")]
