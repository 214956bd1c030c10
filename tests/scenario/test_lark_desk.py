"""Commands on Lark: cards, and buttons that page and confirm on the card they are on."""

from pathlib import Path

from bot.texts import desk, dialogue, say
from tests.fakes.lark_platform import LarkPlatform, Shown
from tests.fakes.lark_program import BOB, OnLark, on_lark
from tests.fakes.lark_world import ANN
from tests.fakes.waiting import until


async def said(she: OnLark, *lines: str) -> None:
    for line in lines:
        before = len(she.answers_now())
        she.platform.say(line)
        await she.answers(before + 1)


async def asked(she: OnLark, command: str) -> Shown:
    await said(she, command)
    return she.answers_now()[-1]


async def pressed(she: OnLark, card: Shown, button: str, *, person: str = ANN) -> Shown:
    """Press a button and return what its card shows then."""
    before = card.text
    await she.platform.press(card.id, button, person)

    def now() -> Shown:
        (found,) = [each for each in she.answers_now() if each.id == card.id]
        return found

    await until(lambda: now().text != before)
    await she.settled()
    return now()


async def test_a_list_is_turned_over_on_its_own_card(tmp_path: Path) -> None:
    async with LarkPlatform() as platform, on_lark(tmp_path, platform) as she:
        await said(she, *(f"/remember 第{number}件小事是这样的" for number in range(22)))
        first = await asked(she, "/memory list")
        count = len(she.answers_now())
        second = await pressed(she, first, say("zh", desk.NEXT_PAGE))
        again = await pressed(she, second, say("zh", desk.PREVIOUS_PAGE))

        assert len(she.answers_now()) == count
    assert "第21件小事" in first.text
    assert "第0件小事" in second.text
    assert "第21件小事" not in second.text
    assert again.text == first.text


async def test_a_question_is_answered_on_its_card(tmp_path: Path) -> None:
    async with LarkPlatform() as platform, on_lark(tmp_path, platform) as she:
        await said(she, "/remember 我对花生过敏")
        question = await asked(she, "/forget #1")
        count = len(she.answers_now())
        done = await pressed(she, question, question.buttons[0])
        left = await asked(she, "/memory list")

    assert question.buttons
    assert "花生" in question.text
    assert done.buttons == ()
    assert "花生" not in left.text
    assert count == 2


async def test_a_button_works_once_and_a_forged_one_never(tmp_path: Path) -> None:
    async with LarkPlatform() as platform:
        platform.person(BOB, "小波")
        room = platform.group("读书会", ANN, BOB)
        async with on_lark(tmp_path, platform, allowed=f"lark:{room}") as she:
            platform.say("/remember 团子是只猫", chat=room)
            await she.answers(1, room)
            platform.say("/memory forget #1", chat=room)
            await she.answers(2, room)
            card = she.answers_now(room)[-1]
            value = platform.buttons(card.id)[card.buttons[0]]
            await platform.press(card.id, value, ANN)
            await until(lambda: she.answers_now(room)[-1].text != card.text)
            shown = [each.text for each in she.answers_now(room)]
            await platform.press(card.id, value, ANN)
            await platform.press(card.id, {"command": value["command"][:-1] + "x"}, ANN)
            await platform.press(card.id, value, ANN)
            await she.settled()

            assert [each.text for each in she.answers_now(room)] == shown


async def test_a_preview_in_a_group_is_for_whom_it_was_made_and_stays_theirs(
    tmp_path: Path,
) -> None:
    async with LarkPlatform() as platform:
        platform.person(BOB, "小波")
        room = platform.group("读书会", ANN, BOB)
        async with on_lark(tmp_path, platform, allowed=f"lark:{room}") as she:
            platform.say("/remember 团子是只猫", chat=room)
            await she.answers(1, room)
            platform.say("/forget 团子", chat=room)
            await she.answers(2, room)
            card = she.answers_now(room)[-1]
            value = platform.buttons(card.id)[card.buttons[0]]
            refused = await platform.press(card.id, value, BOB)
            await she.settled()
            untouched = [each.text for each in she.answers_now(room)]
            await platform.press(card.id, value, ANN)
            await until(lambda: she.answers_now(room)[-1].text != card.text)
            await she.settled()
            done = she.answers_now(room)[-1]

    told = dialogue.BUTTON_OF_ANOTHER
    assert refused is not None
    assert refused["toast"]["i18n"] == {"zh_cn": told.zh, "en_us": told.en}
    assert len(untouched) == 2
    assert untouched[1] == card.text
    assert "抹去了" in done.text
    assert done.buttons == ()


async def test_any_answer_of_hers_is_explained_when_it_is_replied_to(tmp_path: Path) -> None:
    async with LarkPlatform() as platform:
        async with on_lark(tmp_path, platform) as she:
            await said(she, "记住：我住在青岛", "记住：我养了一只叫团子的猫", "我住在哪里？")
            where = she.answers_now()[-1]
            await said(she, "我的猫叫什么？", "/why 2")
            back = she.answers_now()[-1]
            platform.say("/why", reply_to=where.id)
            await she.answers(6)
            why = she.answers_now()[-1]
        async with on_lark(tmp_path, platform) as she:
            platform.say("/为什么", reply_to=where.id)
            await she.answers(7)
            again = she.answers_now()[-1]

    assert "青岛" in where.text
    assert why.text == back.text == again.text


async def test_what_was_learnt_is_said_once_and_taken_back_on_its_card(tmp_path: Path) -> None:
    async with LarkPlatform() as platform, on_lark(tmp_path, platform, notices=True) as she:
        platform.say("我喜欢爬山")
        await she.answers(2)
        notice = she.answers_now()[-1]
        known = await asked(she, "/memory list")
        done = await pressed(she, notice, notice.buttons[0])
        left = await asked(she, "/memory list")

    assert notice.text.startswith("记下了")
    assert "爬山" in known.text
    assert "撤销了" in done.text
    assert "爬山" not in left.text
