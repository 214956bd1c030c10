"""Reminders moved, ended and brought back in ordinary words, in Chinese and English."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory.initiative.reminders import next_at
from memory.state import MemoryState
from tests.fakes.clock import FakeClock
from tests.fakes.two_chats import LARK, STRANGER, TELEGRAM, WHO, Someone, two_chats

MORNING = datetime(2026, 3, 4, 1, 0, tzinfo=UTC)
"""Nine in the morning in Shanghai, a Wednesday."""

MUM, MUM_EN = "明天早上九点提醒我给我妈打电话", "remind me tomorrow at 9 am to call my mum"
ZH = ("明天上午十点提醒我开会", "明天下午三点提醒我交房租", "后天下午两点提醒我家长会")
EN = (
    "remind me tomorrow at 10 am of the meeting",
    "remind me tomorrow at 3 pm to pay the rent",
    "remind me on Friday at 2 pm of the school evening",
)


def hours(state: MemoryState) -> dict[str, str]:
    """The clock time at which each open reminder comes next, by its matter."""
    zone = state.agent_info.settings.zone
    return {
        each.text: f"{(next_at(each) or each.first_at).astimezone(zone):%d %H:%M}"
        for each in state.reminders.values()
        if each.is_open
    }


async def says(ann: Someone, *lines: str) -> str:
    answer = ""
    for line in lines:
        answer = await ann.says(TELEGRAM, line)
    return answer


@pytest.mark.parametrize(
    ("lines", "matter", "hour"),
    [
        ((ZH[0], "再改到十一点"), "开会", "05 11:00"),
        (("/提醒 明天上午十点 开会", "改到十一点"), "开会", "05 11:00"),
        ((*ZH[:2], "把开会的改到十二点"), "开会", "05 12:00"),
        ((*ZH[:2], "把开会那个推迟到下午一点"), "开会", "05 13:00"),
        ((EN[0], "make it eleven"), "the meeting", "05 11:00"),
        (("/reminders tomorrow at 10 am meeting", "make it eleven"), "meeting", "05 11:00"),
        ((*EN[:2], "move the meeting one to noon"), "the meeting", "05 12:00"),
        ((*EN[:2], "push my rent one back to 5 pm"), "pay the rent", "05 17:00"),
        # By its name alone.
        ((*ZH[:2], "开会改到十一点"), "开会", "05 11:00"),
        ((*ZH[:2], "开会改到七点吧"), "开会", "05 07:00"),
        ((*ZH[:2], "交房租推迟一小时"), "交房租", "05 16:00"),
        ((*ZH[:2], "交房租提前半小时"), "交房租", "05 14:30"),
        ((*EN[:2], "make the meeting 11"), "the meeting", "05 11:00"),
        ((*EN[:2], "move the meeting to Friday"), "the meeting", "06 10:00"),
        ((*EN[:2], "push the meeting back an hour"), "the meeting", "05 11:00"),
        ((*EN[:2], "make the meeting an hour earlier"), "the meeting", "05 09:00"),
    ],
)
async def test_a_reminder_is_moved(
    tmp_path: Path, lines: tuple[str, ...], matter: str, hour: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await says(ann, *lines)

        assert hours(await ann.state(TELEGRAM))[matter] == hour


@pytest.mark.parametrize(
    ("lines", "line", "asks"),
    [
        (ZH, "不对，改成三点半", "要改哪一条"),
        (EN, "no, make it 3:30", "Which reminder shall I move"),
    ],
)
async def test_which_of_several_is_asked_once_the_list_was_looked_at(
    tmp_path: Path, lines: tuple[str, ...], line: str, asks: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await says(ann, *lines)
        before = hours(await ann.state(TELEGRAM))
        await says(ann, "都有哪些提醒" if lines is ZH else "which reminders are there")

        assert asks in await says(ann, line)
        assert hours(await ann.state(TELEGRAM)) == before


@pytest.mark.parametrize(
    ("before", "line"),
    [
        ((ZH[0], "晚饭约在七点"), "改到八点"),
        ((ZH[0],), "会议改到十一点了"),
        ((EN[0], "dinner is at seven"), "make it eight"),
        ((ZH[0], "今天天气不错"), "把空调改到二十六度"),
        ((EN[0],), "move the sofa one to the hall"),
    ],
)
async def test_what_is_of_something_else_moves_no_reminder(
    tmp_path: Path, before: tuple[str, ...], line: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await says(ann, *before)
        then = hours(await ann.state(TELEGRAM))
        await says(ann, line)

        assert hours(await ann.state(TELEGRAM)) == then


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        ((*ZH, "提醒都有哪些", "取消第一个"), {"交房租", "家长会"}),
        ((*ZH, "取消第二个提醒"), {"开会", "家长会"}),
        ((*ZH, "提醒都有哪些", "删掉最后一个"), {"开会", "交房租"}),
        ((*ZH, "取消所有提醒"), set()),
        ((*ZH, "不用提醒我家长会了"), {"开会", "交房租"}),
        (("周五晚上七点家长会，你提醒我一下", "不用提醒我家长会了"), set()),
        (
            (*EN, "which reminders are there", "cancel the first"),
            {"pay the rent", "the school evening"},
        ),
        ((*EN, "cancel the last reminder"), {"the meeting", "pay the rent"}),
        ((*EN, "cancel all reminders"), set()),
        ((*EN, "you needn't remind me of the rent"), {"the meeting", "the school evening"}),
        (("今天想去爬山", "取消第一个"), set()),
        ((ZH[1], ZH[0], "算了"), {"交房租"}),
        ((ZH[1], ZH[0], "刚才那个取消吧"), {"交房租"}),
        ((ZH[1], ZH[0], "今天好累", "算了"), {"开会", "交房租"}),
        ((ZH[1], "取消明天上午十点的提醒"), {"交房租"}),
        ((ZH[1], ZH[0], "开会的提醒不要了"), {"交房租"}),
        ((EN[1], EN[0], "never mind, forget that reminder"), {"pay the rent"}),
        ((EN[1], EN[0], "cancel that"), {"pay the rent"}),
        ((EN[1], EN[0], "what a day", "never mind"), {"the meeting", "pay the rent"}),
        ((*EN[:2], "what a day", "forget the meeting reminder"), {"pay the rent"}),
        # By its bare matter, where just one is of it.
        ((*ZH, "取消开会"), {"交房租", "家长会"}),
        ((*ZH, "会议取消吧"), {"交房租", "家长会"}),
        ((*ZH, "把家长会取消掉吧"), {"开会", "交房租"}),
        ((*ZH, "帮我取消明天的开会"), {"交房租", "家长会"}),
        ((*ZH, "今天好累", "房租那个取消吧"), {"开会", "家长会"}),
        ((*EN, "cancel the meeting"), {"pay the rent", "the school evening"}),
        (
            (*EN, "can you cancel tomorrow's meeting please"),
            {"pay the rent", "the school evening"},
        ),
        ((*EN, "what a day", "scrap the school evening"), {"the meeting", "pay the rent"}),
        # Whatever a relative is called in it.
        ((MUM, "给妈妈打电话那个取消吧"), set()),
        ((MUM, "给我妈妈打电话那条取消吧"), set()),
        ((MUM, "取消给老妈打电话"), set()),
        ((MUM, "给爸爸打电话那个取消吧"), {"给我妈打电话"}),
        ((MUM_EN, "cancel the call mom one"), set()),
        ((MUM_EN, "cancel the call dad one"), {"call my mum"}),
        # Of another day, of more than it, of none or told as news it is no such wish.
        ((*ZH, "取消后天的开会"), {"开会", "交房租", "家长会"}),
        ((*ZH, "会议取消了"), {"开会", "交房租", "家长会"}),
        ((*ZH, "取消健身房的会员"), {"开会", "交房租", "家长会"}),
        ((*ZH, "我取消开会了"), {"开会", "交房租", "家长会"}),
        ((*ZH, "他们取消家长会"), {"开会", "交房租", "家长会"}),
        ((*ZH, "要不要取消家长会"), {"开会", "交房租", "家长会"}),
        ((*EN, "the meeting is cancelled"), {"the meeting", "pay the rent", "the school evening"}),
        ((*EN, "cancel Friday's meeting"), {"the meeting", "pay the rent", "the school evening"}),
        (("明天上午十点提醒我取消会员", "取消会员"), {"取消会员"}),
        (("remind me tomorrow at 10 am to cancel Netflix", "cancel Netflix"), {"cancel Netflix"}),
        ((*EN, "cancel my school loan"), {"the meeting", "pay the rent", "the school evening"}),
        ((*EN, "I cancelled the meeting"), {"the meeting", "pay the rent", "the school evening"}),
        (("remind me tomorrow at 9 am to call the vet", "cancel the vet"), set()),
        (
            ("remind me tomorrow at 9 am to call off the party", "cancel the party"),
            {"call off the party"},
        ),
        (
            (*EN, "should I cancel the meeting?"),
            {"the meeting", "pay the rent", "the school evening"},
        ),
    ],
)
async def test_reminders_are_ended_in_words(
    tmp_path: Path, lines: tuple[str, ...], left: set[str]
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await says(ann, *lines)

        assert set(hours(await ann.state(TELEGRAM))) == left


@pytest.mark.parametrize(
    ("lines", "line", "asks", "count"),
    [
        ((ZH[0], "后天上午十点提醒我开会"), "取消开会", "哪一条", 2),
        (
            (EN[0], "remind me on Friday at 10 am of the meeting with Jo"),
            "cancel the meeting",
            "Which",
            2,
        ),
    ],
)
async def test_of_several_of_one_matter_it_is_asked_which(
    tmp_path: Path, lines: tuple[str, ...], line: str, asks: str, count: int
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await says(ann, *lines)

        assert asks in await says(ann, line)
        reminders = (await ann.state(TELEGRAM)).reminders.values()
        assert sum(each.is_open for each in reminders) == count


@pytest.mark.parametrize(
    ("lines", "line", "named"),
    [
        (ZH, "取消所有提醒", "开会；交房租；家长会"),
        (EN, "cancel all reminders", "the meeting; pay"),
    ],
)
async def test_all_are_named_when_all_are_ended_and_undo_brings_them_back(
    tmp_path: Path, lines: tuple[str, ...], line: str, named: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await says(ann, *lines)
        before = hours(await ann.state(TELEGRAM))

        assert named in await says(ann, line)
        await ann.presses(TELEGRAM)
        await ann.presses(TELEGRAM)
        assert hours(await ann.state(TELEGRAM)) == before


@pytest.mark.parametrize(
    ("lines", "matter"),
    [
        ((*ZH[:2], "不用提醒我开会了", "恢复开会的提醒"), "开会"),
        (
            (*EN[:2], "cancel the meeting reminder", "bring back the meeting reminder"),
            "the meeting",
        ),
    ],
)
async def test_an_ended_reminder_is_brought_back(
    tmp_path: Path, lines: tuple[str, ...], matter: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        answer = await says(ann, *lines)

        assert "10:00" in answer
        assert hours(await ann.state(TELEGRAM))[matter] == "05 10:00"


@pytest.mark.parametrize(
    ("asked", "matter"),
    [
        ("周五晚上七点家长会，你提醒我一下", "家长会"),
        ("帮我记一下明天下午三点要给车做保养，到时候叫我", "给车做保养"),
        ("明天上午九点提醒我记下水表", "记下水表"),
    ],
)
async def test_the_matter_is_kept_without_the_words_that_ask(
    tmp_path: Path, asked: str, matter: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await says(ann, asked)

        assert list(hours(await ann.state(TELEGRAM))) == [matter]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("昨天早上八点提醒我吃药", "已经过了"),
        ("2月30号上午九点提醒我交表", "没有“2月30号”这一天"),
        ("remind me yesterday at 8 am to take pills", "has passed"),
        ("remind me on February 30 at 9 am to file", "no such day as February 30"),
    ],
)
async def test_a_day_that_is_over_or_in_no_calendar_is_said_to_be_so(
    tmp_path: Path, asked: str, told: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        assert told in await says(ann, asked)
        assert hours(await ann.state(TELEGRAM)) == {}


@pytest.mark.parametrize(
    "asked", ["提醒都有哪些", "我的提醒都有什么", "which reminders are there"]
)
async def test_reminders_are_listed_however_it_is_asked(tmp_path: Path, asked: str) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        assert "开会" in await says(ann, ZH[0], asked)


@pytest.mark.parametrize(
    ("lines", "line", "told"),
    [
        (ZH, "会议改到周三", "什么也没有改"),
        (ZH, "把牙医改到周三", "什么也没有改"),
        (ZH, "取消牙医的提醒", "一条也没有结束"),
        (("今天好累",), "取消牙医的提醒", "什么也没有改"),
        (EN, "move the dentist to Wednesday", "nothing was changed"),
        (EN, "forget that reminder about the dentist", "None has ended yet"),
        (("what a day",), "forget the dentist reminder", "nothing was changed"),
    ],
)
async def test_what_names_no_reminder_changes_none_and_is_told_so(
    tmp_path: Path, lines: tuple[str, ...], line: str, told: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await says(ann, *lines)
        before = hours(await ann.state(TELEGRAM))

        assert told in await says(ann, line)
        assert hours(await ann.state(TELEGRAM)) == before


@pytest.mark.parametrize(
    ("asked", "line", "then", "told"),
    [
        ("提醒我后天早上交房租", "算了不用提醒了", "八点", "什么也没有记"),
        ("提醒我后天早上交房租", "算了不用提醒房租了", "八点", "什么也没有记"),
        ("提醒我后天早上交房租", "不用了", "八点", "什么也没有记"),
        ("remind me on Friday to pay the rent", "never mind", "at 8 am", "nothing is set"),
        ("remind me on Friday to pay the rent", "cancel that", "at 8 am", "nothing is set"),
    ],
)
async def test_a_request_she_asks_back_about_can_be_dropped(
    tmp_path: Path, asked: str, line: str, then: str, told: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await says(ann, ZH[0], asked)

        assert told in await says(ann, line)
        await says(ann, then)
        assert set(hours(await ann.state(TELEGRAM))) == {"开会"}


@pytest.mark.parametrize(
    ("lines", "hour"),
    [
        (("半小时后再提醒我",), "04 13:30"),
        (("过十分钟再提醒我",), "04 13:10"),
        (("好的", "半小时后再提醒我一次"), "04 13:30"),
        (("过会儿再说",), "04 13:30"),
        (("等会儿再提醒我",), "04 13:30"),
        (("明天再说",), "05 12:00"),
        (("in half an hour again",), "04 13:30"),
        (("remind me again in half an hour",), "04 13:30"),
        (("snooze it for ten minutes",), "04 13:10"),
        (("remind me again tomorrow",), "05 12:00"),
        (("remind me later",), "04 13:30"),
    ],
)
async def test_what_rang_comes_again_with_its_matter(
    tmp_path: Path, lines: tuple[str, ...], hour: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await says(ann, "remind me today at noon of the rent")
        await ann.looks_what_is_due(hours=4)
        answer = await says(ann, *lines)

        assert "the rent" in answer
        assert hours(await ann.state(TELEGRAM)) == {"the rent": hour}


@pytest.mark.parametrize(
    ("asked", "lists", "ends", "told", "matter"),
    [
        ("明天晚上八点提醒我交周报", "有什么提醒", "取消交周报的提醒", "只有要的人", "交周报"),
        ("明天晚上八点提醒我交周报", "有什么提醒", "取消Eve的提醒", "只有要的人", "交周报"),
        (
            "remind me tomorrow at 8 pm of the report",
            "what reminders are there?",
            "cancel Eve's reminder",
            "Only who asked for it",
            "the report",
        ),
        (
            "remind me tomorrow at 8 pm of the report",
            "what reminders are there?",
            "cancel the report reminder",
            "Only who asked for it",
            "the report",
        ),
    ],
)
async def test_in_a_group_all_are_seen_and_anothers_is_named_and_stays(
    tmp_path: Path, asked: str, lists: str, ends: str, told: str, matter: str
) -> None:
    group = replace(LARK, chat="oc_group")
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        WHO[group] = WHO[STRANGER]
        await ann.says(group, asked, private=False)
        WHO[group] = WHO[LARK]
        listed = await ann.says(group, lists, private=False)
        answer = await ann.says(group, ends, private=False)
        kept = hours(await ann.state(group))

    assert f"Eve: {matter}" in listed
    assert told in answer
    assert f"Eve: {matter}" in answer
    assert set(kept) == {matter}


@pytest.mark.parametrize(
    ("asked", "moves", "told", "matter"),
    [
        ("明天晚上八点提醒我交周报", "把交周报的提醒改到九点", "只有要的人", "交周报"),
        ("明天晚上八点提醒我交周报", "把交周报改到九点", "只有要的人", "交周报"),
        ("明天晚上八点提醒我交周报", "交周报的提醒推迟一小时", "只有要的人", "交周报"),
        (
            "remind me tomorrow at 8 pm of the report",
            "move the report reminder to 9 pm",
            "Only who asked for it",
            "the report",
        ),
        (
            "remind me tomorrow at 8 pm of the report",
            "push the report back an hour",
            "Only who asked for it",
            "the report",
        ),
    ],
)
async def test_in_a_group_anothers_is_not_moved_and_she_says_whose_it_is(
    tmp_path: Path, asked: str, moves: str, told: str, matter: str
) -> None:
    group = replace(LARK, chat="oc_group")
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        WHO[group] = WHO[STRANGER]
        await ann.says(group, asked, private=False)
        before = hours(await ann.state(group))
        WHO[group] = WHO[LARK]
        answer = await ann.says(group, moves, private=False)
        kept = hours(await ann.state(group))
        alone = await ann.says(LARK, moves)

    assert told in answer
    assert f"Eve: {matter}" in answer
    assert "结束" not in answer
    assert "ended" not in answer
    assert kept == before
    assert matter not in alone.replace(moves, "")


@pytest.mark.parametrize(
    ("lines", "moves", "hour"),
    [
        (
            ("明天晚上八点提醒我交周报", "明天晚上七点提醒我交周报"),
            "把交周报的提醒改到九点",
            "21:00",
        ),
        (
            (
                "remind me tomorrow at 8 pm of the report",
                "remind me tomorrow at 7 pm of the report",
            ),
            "move the report reminder to 9 pm",
            "21:00",
        ),
    ],
)
async def test_of_two_in_a_group_ones_own_is_moved(
    tmp_path: Path, lines: tuple[str, str], moves: str, hour: str
) -> None:
    group = replace(LARK, chat="oc_group")
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        WHO[group] = WHO[STRANGER]
        await ann.says(group, lines[0], private=False)
        WHO[group] = WHO[LARK]
        await ann.says(group, lines[1], private=False)
        answer = await ann.says(group, moves, private=False)
        state = await ann.state(group)
    zone = state.agent_info.settings.zone
    then = {
        each.speaker: f"{(next_at(each) or each.first_at).astimezone(zone):%H:%M}"
        for each in state.reminders.values()
    }

    assert hour in answer
    assert sorted(then.values()) == ["20:00", hour]


@pytest.mark.parametrize("said", ["取消王磊的提醒", "把王磊的提醒取消掉"])
async def test_of_whom_a_reminder_is_named_ends_it(tmp_path: Path, said: str) -> None:
    group = replace(LARK, chat="oc_group")
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        WHO[group] = WHO[LARK]
        await ann.says(group, "明天晚上八点提醒王磊带帐篷", private=False)
        answer = await ann.says(group, said, private=False)
        kept = hours(await ann.state(group))

    assert "带帐篷" in answer
    assert kept == {}
