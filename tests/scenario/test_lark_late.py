"""What Lark hands over hours late: nobody waits for an answer, and nothing of it is lost."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from memory.model import Tier
from memory.state import MemoryState
from tests.fakes.lark_platform import LarkPlatform
from tests.fakes.lark_program import BOB, OnLark, on_lark
from tests.fakes.lark_world import BOT

LATE_SECONDS = 3 * 3600.0


@asynccontextmanager
async def in_private(data: Path) -> AsyncIterator[OnLark]:
    async with LarkPlatform() as platform, on_lark(data, platform) as she:
        yield she


async def hear_late(she: OnLark, *texts: str, chat: str = "", **more: object) -> None:
    """Let what was written three hours ago arrive now."""
    for text in texts:
        she.platform.clock.added = -LATE_SECONDS
        she.platform.say(text, chat=chat, **more)  # type: ignore[arg-type]
        she.platform.clock.added = 0.0
        await she.settled()


async def state_of(she: OnLark) -> MemoryState:
    agents = [await she.app.agents.get(each) for each in she.app.agents.known_ids()]
    await agents[0].background.wait_until_idle()
    return agents[0].state


def facts_in(state: MemoryState) -> list[str]:
    return [m.words.text for m in state.memories.values() if m.nature.tier is Tier.FACT]


ASKED = {
    "zh": (
        ("我二姐秀兰搬到了长沙，记住", "秀兰搬到了长沙"),
        ("记住：我对花生过敏", "花生"),
        ("帮我记一下，车停在B2层", "B2"),
        ("别忘了我妈的生日是三月八号", "三月八号"),
        ("请你记得我不吃香菜", "香菜"),
        ("你要记住，门牌是七栋三单元", "七栋三单元"),
    ),
    "en": (
        ("Remember that my sister Ines lives in Porto", "Ines lives in Porto"),
        ("Please remember: I am allergic to peanuts", "peanuts"),
        ("Don't forget that I take the 7:40 bus", "7:40 bus"),
        ("Note that Otto hates phone calls", "Otto hates phone calls"),
        ("My mother's birthday is 8 March, remember that", "8 March"),
        ("Keep in mind that the car is on level B2", "B2"),
    ),
}


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_what_is_asked_hours_late_is_kept_and_not_answered(
    tmp_path: Path, language: str
) -> None:
    async with in_private(tmp_path) as she:
        await hear_late(she, *(text for text, _ in ASKED[language]))
        facts = facts_in(await state_of(she))
        answers = she.answers_now()

    assert [core for _, core in ASKED[language] if not any(core in each for each in facts)] == []
    assert answers == []


THEN: Sequence[tuple[str, str, tuple[str, ...]]] = (
    ("我二姐秀兰搬到了长沙，记住", "我回来了", ("长沙", "秀兰")),
    ("记住，老周不接电话", "今天好累啊", ("老周", "电话")),
    ("Note that Otto hates phone calls", "ok I am back", ("Otto", "phone")),
    ("Remember that my sister Ines lives in Porto", "I had soup for lunch", ("Ines", "Porto")),
)


@pytest.mark.parametrize(("late", "then", "absent"), THEN)
async def test_a_later_turn_is_no_answer_to_what_came_late(
    tmp_path: Path, late: str, then: str, absent: tuple[str, ...]
) -> None:
    async with in_private(tmp_path) as she:
        await hear_late(she, late)
        she.platform.say(then)
        (answer,) = await she.answers(1)

    assert not any(each in answer for each in absent), answer


@pytest.mark.parametrize(
    ("late", "asked", "known"),
    [
        ("我二姐秀兰搬到了长沙，记住", "秀兰住在哪儿？", "长沙"),
        ("Remember that my sister Ines lives in Porto", "Where does Ines live?", "Porto"),
    ],
)
async def test_what_came_late_is_known_to_whoever_asks(
    tmp_path: Path, late: str, asked: str, known: str
) -> None:
    async with in_private(tmp_path) as she:
        await hear_late(she, late)
        await state_of(she)
        she.platform.say(asked)
        (answer,) = await she.answers(1)

    assert known in answer
    assert "记下" not in answer
    assert "noting it down" not in answer


@pytest.mark.parametrize(
    ("late", "told"),
    [
        ("明天下午三点提醒我接二姐", "15:00提醒你：接二姐"),
        ("后天早上九点叫我交房租", "09:00提醒你：交房租"),
        ("每天早上八点提醒我吃药", "08:00提醒你：吃药"),
        ("Remind me tomorrow at 3 pm to pick up Ines", "pick up Ines"),
        ("remind me the day after tomorrow at 9 am to pay the rent", "pay the rent"),
        ("Every day at 8 am remind me to take my pills", "take my pills"),
    ],
)
async def test_a_reminder_for_a_time_to_come_is_set_and_said_once(
    tmp_path: Path, late: str, told: str
) -> None:
    async with in_private(tmp_path) as she:
        await hear_late(she, late)
        answers = [each.text for each in she.answers_now()]
        state = await state_of(she)
        she.platform.say("你好")
        await she.answers(2)
        after = await state_of(she)

    assert len(answers) == 1
    assert told in answers[0]
    assert len([each for each in state.reminders.values() if each.is_open]) == 1
    assert after.reminders == state.reminders


@pytest.mark.parametrize(
    ("late", "asks"),
    [("明天提醒我吃药", "几点"), ("Remind me tomorrow to take my pills", "what time")],
)
async def test_a_reminder_without_its_hour_is_asked_back(
    tmp_path: Path, late: str, asks: str
) -> None:
    async with in_private(tmp_path) as she:
        await hear_late(she, late)
        (answer,) = she.answers_now()
        state = await state_of(she)

    assert asks in answer.text
    assert not state.reminders


@pytest.mark.parametrize(
    "late", ["半小时后提醒我关煤气", "Remind me in half an hour to turn off the gas"]
)
async def test_a_reminder_whose_time_is_over_comes_at_once_and_is_promised_for_no_past_hour(
    tmp_path: Path, late: str
) -> None:
    async with in_private(tmp_path) as she:
        await hear_late(she, late)
        (answer,) = await she.answers(1)
        state = await state_of(she)

    assert "⏰" in answer
    assert len(state.reminders) == 1


@pytest.mark.parametrize(
    ("late", "secret", "told"),
    [
        ("记住我的银行卡密码是 739281", "739281", "没有钥匙"),
        ("Remember that my bank PIN is 7392", "7392", "I have no key"),
    ],
)
async def test_a_secret_that_cannot_be_sealed_is_refused_in_words(
    tmp_path: Path, late: str, secret: str, told: str
) -> None:
    async with in_private(tmp_path) as she:
        await hear_late(she, late)
        (answer,) = she.answers_now()
        state = await state_of(she)

    assert told in answer.text
    assert secret not in str(state)


@pytest.mark.parametrize(
    "late",
    [
        "明天下午三点我去接二姐",
        "你记得我妈的生日吗？",
        "我有什么提醒？",
        "I pick up Ines tomorrow at 3 pm",
        "Do you remember my mother's birthday?",
        "Which reminders do I have?",
    ],
)
async def test_what_asks_for_nothing_of_the_kind_is_only_heard(tmp_path: Path, late: str) -> None:
    async with in_private(tmp_path) as she:
        await hear_late(she, late)
        state = await state_of(she)
        answers = she.answers_now()

    assert answers == []
    assert not state.reminders
    assert any(line.message.text == late for line in state.diary.values())


async def test_in_a_group_only_what_was_said_to_her_is_asked_of_her(tmp_path: Path) -> None:
    async with LarkPlatform() as platform:
        platform.person(BOB, "小波")
        room = platform.group("读书会", BOB)
        async with on_lark(tmp_path, platform, allowed=f"lark:{room}") as she:
            await hear_late(she, "记住，周会改到周四", chat=room, person=BOB)
            await hear_late(she, "明早八点提醒我带投影仪", chat=room, person=BOB)
            heard = await state_of(she)
            to_her = {"chat": room, "person": BOB, "mentions": [BOT]}
            await hear_late(she, "@小祥 记住：我喜欢冰茶", **to_her)  # type: ignore[arg-type]
            asked = await state_of(she)
            answers = she.answers_now(room)

    assert not heard.reminders
    assert facts_in(heard) == []
    assert any("冰茶" in each for each in facts_in(asked))
    assert answers == []
