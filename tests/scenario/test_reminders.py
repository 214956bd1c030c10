"""Reminders as a partner meets them: asked for, confirmed, said once at their hour, and ended."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.conversation.delivery import Undeliverable
from bot.conversation.ledger.wakes import Wakes
from bot.desk.documents import Buttons
from memory.changes import Put
from tests.fakes.clock import FakeClock
from tests.fakes.desk import lines
from tests.fakes.two_chats import LARK, TELEGRAM, WHO, Screens, Someone, two_chats
from tests.fakes.waiting import until

MORNING = datetime(2026, 3, 4, 1, 0, tzinfo=UTC)
"""Nine in the morning in Shanghai, a Wednesday."""


async def passes(ann: Someone, **time: float) -> list[str]:
    """Let time pass, and return what is said unasked."""
    before = len(ann.screens.finals(TELEGRAM))
    await ann.looks_what_is_due(**time)
    return ann.screens.finals(TELEGRAM)[before:]


@pytest.mark.parametrize(
    ("asked", "confirmed", "rings"),
    [
        ("半小时后提醒我关火", "今天（2026-03-04 周三）09:30", "⏰ 提醒：关火"),
        ("remind me in half an hour to call Ann", "today (Wednesday 2026-03-04) at 09:30", "Ann"),
    ],
)
async def test_a_reminder_is_confirmed_and_said_at_its_hour_once(
    tmp_path: Path, asked: str, confirmed: str, rings: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        assert confirmed in await ann.says(TELEGRAM, asked)
        early = await passes(ann, minutes=29)
        due = await passes(ann, minutes=1)
        later = await passes(ann, hours=5)

    assert early == []
    assert len(due) == 1
    assert rings in due[0]
    assert later == []


async def test_a_missing_hour_is_asked_and_the_answer_completes_the_request(
    tmp_path: Path,
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        assert "几点" in await ann.says(TELEGRAM, "明天提醒我交房租")
        answer = await ann.says(TELEGRAM, "早上八点")
        due = await passes(ann, hours=23)

    assert "2026-03-05 周四）08:00" in answer
    assert "交房租" in answer
    assert "交房租" in due[0]


async def test_the_button_takes_a_reminder_back(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, "半小时后提醒我关火")
        await ann.presses(TELEGRAM)
        assert await passes(ann, hours=1) == []


async def test_undo_takes_a_reminder_back(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, "半小时后提醒我关火")
        await ann.told(TELEGRAM, "/undo")
        await ann.presses(TELEGRAM)
        assert await passes(ann, hours=1) == []


async def test_what_was_due_while_nothing_ran_comes_once_and_says_that_it_is_late(
    tmp_path: Path,
) -> None:
    clock, screens = FakeClock(MORNING), Screens()
    async with two_chats(tmp_path, clock, screens=screens) as ann:
        await ann.says(TELEGRAM, "半小时后提醒我关火")
        await ann.says(TELEGRAM, "每小时提醒我喝水")
    clock.tick(hours=6)
    before = len(screens.finals(TELEGRAM))
    async with two_chats(tmp_path, clock, screens=screens) as ann:
        await ann.agent(TELEGRAM)
        await until(lambda: len(screens.finals(TELEGRAM)) >= before + 2)
        said = screens.finals(TELEGRAM)[before:]
        assert await passes(ann, minutes=1) == []

    assert len(said) == 2
    fire, water = sorted(said, key=lambda text: "喝水" in text)
    assert "关火" in fire
    assert "09:30" in fire
    assert "错过了 6 次" in water


@pytest.mark.parametrize(
    ("asked", "told", "promised"),
    [
        (
            "半小时后提醒我关煤气",
            "关煤气：你说的是今天（2026-03-04 周三）06:30，我现在才看到，已经过了，这就提醒你。",
            "好，今天",
        ),
        (
            "remind me in half an hour to turn off the gas",
            "turn off the gas: that was for today (Wednesday 2026-03-04) at 06:30, and I see",
            "I will remind you",
        ),
        ("每天早上六点半提醒我吃药", "这就提醒你。以后照旧：每天 06:30。", "好，每天"),
        (
            "remind me every day at 6:30 am to take my pills",
            "right away. From then on: every day at 06:30.",
            "I will remind you",
        ),
    ],
)
async def test_what_is_heard_after_its_hour_is_not_promised(
    tmp_path: Path, asked: str, told: str, promised: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.writes(TELEGRAM, asked, ago=timedelta(hours=3))
        await ann.settled()
        answer = ann.screens.finals(TELEGRAM)[0]
        rings = ann.screens.finals(TELEGRAM)[1:] or await passes(ann, minutes=1)

    assert told in answer
    assert promised not in answer
    assert len(rings) == 1
    assert "⏰" in rings[0]


async def test_what_is_heard_late_and_is_still_to_come_is_promised(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.writes(TELEGRAM, "四小时后提醒我关煤气", ago=timedelta(hours=3))
        await ann.settled()

        assert "好，今天（2026-03-04 周三）10:00提醒你" in ann.screens.finals(TELEGRAM)[0]


async def test_cut_between_saying_and_noting_it_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, screens = FakeClock(MORNING), Screens()
    async with two_chats(tmp_path, clock, screens=screens) as ann:
        await ann.says(TELEGRAM, "半小时后提醒我关火")
        await ann.plans()
        begin = Wakes.begin

        async def cut(*given: object, **named: object) -> object:
            await begin(*given, **named)  # type: ignore[arg-type]
            raise RuntimeError("killed")

        monkeypatch.setattr(Wakes, "begin", cut)
        clock.tick(minutes=30)
        await ann.app.reminding.look()
        monkeypatch.undo()
    async with two_chats(tmp_path, clock, screens=screens) as ann:
        await ann.agent(TELEGRAM)
        await ann.plans()
        await ann.app.reminding.look()
        await ann.settled()
        state = await ann.state(TELEGRAM)

    assert [text for text in screens.finals(TELEGRAM) if text.startswith("⏰")] == [
        "⏰ 提醒：关火"
    ]
    assert state.reminders[1].ended == "rung"


async def test_a_clock_set_back_repeats_nothing(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, "每天九点半提醒我吃药")
        assert len(await passes(ann, minutes=30)) == 1
        assert await passes(ann, hours=-1) == []
        assert await passes(ann, hours=1) == []
        assert len(await passes(ann, days=1)) == 1


async def test_later_and_done_are_buttons(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, "半小时后提醒我关火")
        await passes(ann, minutes=30)
        assert [ann.button(TELEGRAM, n) for n in range(3)] == [
            "/reminders done 1",
            "/reminders later 1",
            "/reminders tomorrow 1",
        ]
        asked = ann.screens.documents[TELEGRAM][-1].blocks[-1]
        await ann.presses(TELEGRAM, 1)
        put_off = ann.screens.documents[TELEGRAM][-1]
        # Done before it comes again: the card still offers it, in the place of what it said.
        assert ann.button(TELEGRAM) == "/reminders done 1"
        again = await passes(ann, minutes=30)
        await ann.told(TELEGRAM, "/reminders tomorrow 1")
        (reminder,) = (await ann.state(TELEGRAM)).reminders.values()
        await ann.told(TELEGRAM, "/提醒 结束 1")
        assert await passes(ann, days=2) == []

    assert isinstance(asked, Buttons)
    assert asked.choice
    assert put_off.in_place
    assert ["关火" in text for text in again] == [True]
    assert reminder.snoozed_until == datetime(2026, 3, 5, 2, 0, tzinfo=UTC)


async def test_the_list_names_the_next_time_and_a_change_moves_it(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, "每个工作日早上八点提醒我打卡")
        listed = await ann.told(TELEGRAM, "/reminders")
        moved = await ann.told(TELEGRAM, "/提醒 改 1 每周一晚上七点")
        made = await ann.told(TELEGRAM, "/提醒 后天下午三点 看牙医")
        refused = await ann.told(TELEGRAM, "/提醒 推迟 9 明天早上八点")

    assert "明天（2026-03-05 周四）08:00" in listed
    assert "每个工作日 08:00" in listed
    assert "每周的周一 19:00" in moved
    assert "看牙医" in made
    assert "15:00" in made
    assert "#9" in refused


async def test_a_reminder_comes_where_its_partner_last_wrote(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, "半小时后提醒我关火")
        await ann.link(TELEGRAM, LARK)
        ann.clock.tick(minutes=1)
        await ann.says(LARK, "我在这边了")
        await passes(ann, minutes=30)

    assert any("⏰" in text for text in ann.screens.finals(LARK))
    assert not any("⏰" in text for text in ann.screens.finals(TELEGRAM))


async def test_why_shows_the_words_that_asked(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, "半小时后提醒我关火")
        await passes(ann, minutes=30)
        assert "半小时后提醒我关火" in await ann.told(TELEGRAM, "/why")


async def test_erasing_the_words_erases_the_reminder(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, "半小时后提醒我去找薇薇")
        await ann.told(TELEGRAM, "/forget 薇薇")
        await ann.presses(TELEGRAM)
        assert not (await ann.state(TELEGRAM)).reminders
        assert await passes(ann, hours=1) == []


async def test_a_move_to_another_zone_is_asked_and_not_guessed(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, "每天早上八点提醒我吃药")
        agent = await ann.agent(TELEGRAM)
        info = agent.state.agent_info
        settings = replace(info.settings, time_zone="Europe/London")
        await agent.steer(lambda state, _: (Put(replace(info, settings=settings)),))
        kept = (await ann.state(TELEGRAM)).reminders[1]
        listed = await ann.told(TELEGRAM, "/reminders")
        await ann.told(TELEGRAM, "/reminders zone")
        moved = (await ann.state(TELEGRAM)).reminders[1]

    assert kept.zone == "Asia/Shanghai"
    assert "Europe/London" in listed
    assert moved.zone == "Europe/London"
    assert moved.first_at - kept.first_at == timedelta(hours=8)


async def test_a_blocked_chat_ends_in_peace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, "半小时后提醒我关火")

        async def blocked(*given: object, **named: object) -> None:
            raise Undeliverable("blocked")

        monkeypatch.setattr(ann.screens, "deliver", blocked)
        assert await passes(ann, minutes=30) == []
        assert (await ann.state(TELEGRAM)).reminders[1].ended == "rung"


async def test_a_group_is_reminded_there_and_of_whom(tmp_path: Path) -> None:
    group = replace(TELEGRAM, chat="-100")
    WHO[group] = WHO[TELEGRAM]
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        confirmed = await ann.says(group, "半小时后提醒我订位子", private=False)
        await ann.looks_what_is_due(minutes=30)
        blocks = ann.screens.documents[group][-1].blocks
        pressed = {
            (b.person, b.or_admins) for x in blocks if isinstance(x, Buttons) for b in x.buttons
        }

    assert pressed == {(f"telegram:{WHO[group].id}", True)}
    assert "订位子" in confirmed
    assert "⏰ 提醒安：订位子" in ann.screens.finals(group)[-1]
    assert not any("⏰" in text for text in ann.screens.finals(TELEGRAM))


@pytest.mark.parametrize(
    ("asked", "kept", "rings"),
    [
        ("半小时后提醒大家带水", "我在这里提醒大家：带水", "⏰ 提醒大家：带水"),
        ("半小时后提醒王磊带帐篷", "我在这里提醒王磊：带帐篷", "⏰ 提醒王磊：带帐篷"),
        ("半小时后提醒我老公交物业费", "提醒你：叫老公交物业费", "⏰ 提醒安：叫老公交物业费"),
        ("remind everyone to eat in half an hour", "remind everyone here", "everyone(：|: )eat"),
        ("remind Tom in half an hour to call mum", "remind Tom here", "Tom(：|: )call mum"),
    ],
)  # fmt: skip
async def test_in_a_group_whoever_it_is_for_is_reminded(
    tmp_path: Path, asked: str, kept: str, rings: str
) -> None:
    group = replace(TELEGRAM, chat="-100")
    WHO[group] = WHO[TELEGRAM]
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        assert kept in await ann.says(group, asked, private=False)
        await ann.looks_what_is_due(minutes=30)

    assert re.search(rings, ann.screens.finals(group)[-1])


@pytest.mark.parametrize(
    ("asked", "what"),
    [
        ("半小时后提醒大家带水", "叫大家带水"), ("半小时后提醒我老公交物业费", "叫老公交物业费"),
        ("半小时后提醒王磊带帐篷", "叫王磊带帐篷"),
        ("remind my husband to pay rent in half an hour", "tell your husband to pay rent"),
    ],
)  # fmt: skip
async def test_in_private_the_partner_is_reminded_to_tell_whoever_it_is_for(
    tmp_path: Path, asked: str, what: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        assert what in await ann.says(TELEGRAM, asked)
        await ann.looks_what_is_due(minutes=30)

    assert what in ann.screens.finals(TELEGRAM)[-1]


@pytest.mark.parametrize(
    ("asked", "ends", "told"),
    [
        ("每天早上八点提醒我吃药", "别再提醒我吃药了", "不再提醒：吃药"),
        ("remind me every day at 8 am to buy milk", "stop reminding me about milk", "buy milk"),
        ("每天早上八点提醒我交房租", "不用提醒我了", "不再提醒：交房租"),
    ],
)
async def test_a_reminder_is_ended_in_words_and_taken_back_by_a_button(
    tmp_path: Path, asked: str, ends: str, told: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, asked)
        assert told in await ann.says(TELEGRAM, ends)
        assert await passes(ann, days=1) == []
        await ann.told(TELEGRAM, "/reminders again 1")

        assert told.removeprefix("不再提醒：") in await ann.told(TELEGRAM, "/reminders")


async def test_where_several_may_be_meant_it_is_asked_and_nothing_ends(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, "每天早上八点提醒我吃药")
        await ann.says(TELEGRAM, "明天下午三点提醒我交房租")

        assert "哪一条" in await ann.says(TELEGRAM, "别再提醒我了")
        assert "哪一条" in await ann.says(TELEGRAM, "取消买菜的提醒")
        listed = await ann.told(TELEGRAM, "/reminders")
        assert "吃药" in listed
        assert "交房租" in listed


@pytest.mark.parametrize(
    "said", ["妈妈让我别再提醒她", "别忘了提醒大家", "他说：别再提醒我吃药了"]
)
async def test_what_is_told_of_ends_no_reminder(tmp_path: Path, said: str) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, "每天早上八点提醒我吃药")
        assert "不再提醒" not in await ann.says(TELEGRAM, said)

        assert "吃药" in await ann.told(TELEGRAM, "/reminders")


async def test_what_else_was_said_is_answered_above_the_confirmation(tmp_path: Path) -> None:
    talk = (
        "今天开了一整天的会，老板又临时加了三个需求，晚饭都没来得及吃，"
        "整个人快散架了，还下着大雨，路上堵了两个小时才到家"
    )
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, f"{talk}。半小时后提醒我关火")
        answer, *rest = lines(ann.screens.documents[TELEGRAM][-1]).splitlines()
        below = "\n".join(rest)
        said = (await ann.state(TELEGRAM)).windows[str(TELEGRAM)].lines[-1].text

    assert "关火" not in answer
    assert "09:30" in below
    assert "撤销" in below
    assert answer in said
    assert "09:30" in said


@pytest.mark.parametrize(
    ("asked", "moved", "confirmed"),
    [
        ("今晚十点提醒我吃药", "改成十一点", "今天（2026-03-04 周三）23:00"),
        ("今晚十点提醒我吃药", "推迟半小时", "22:30"),
        ("今晚十点提醒我吃药", "把吃药的提醒改到九点四十五", "21:45"),
        ("remind me tonight at 10 to take my tablets", "make that 11", "at 23:00"),
        ("remind me tonight at 10 to take my tablets", "sorry, 9:30", "at 21:30"),
    ],
)
async def test_a_reminder_is_moved_in_words_confirmed_and_moved_back_by_a_button(
    tmp_path: Path, asked: str, moved: str, confirmed: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, asked)
        answer = await ann.says(TELEGRAM, moved)
        listed = await ann.told(TELEGRAM, "/reminders")
        await ann.presses(TELEGRAM)
        back = await ann.told(TELEGRAM, "/reminders")

    assert confirmed in answer
    assert confirmed[-5:] in listed
    assert "#2" not in listed
    assert "22:00" in back


async def test_what_cannot_be_moved_is_said_to_stay_and_asked_back(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        none = await ann.says(TELEGRAM, "move my tablets reminder to 9:45")
        await ann.says(TELEGRAM, "remind me tonight at 10 to take my tablets")
        vague = await ann.says(TELEGRAM, "make it a bit later")
        moved = await ann.says(TELEGRAM, "11")
        other = await ann.says(TELEGRAM, "move the dentist reminder to Friday")

    assert "nothing was changed" in none
    assert "Nothing is moved yet" in vague
    assert "22:00" in vague
    assert "23:00" in moved
    assert "nothing was changed" in other


@pytest.mark.parametrize("later", ["推迟半小时", "半小时后再提醒我", "过半小时再提醒我吃药"])
async def test_one_that_rang_comes_once_more(tmp_path: Path, later: str) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, "半小时后提醒我吃药")
        await passes(ann, minutes=30)
        answer = await ann.says(TELEGRAM, later)
        early = await passes(ann, minutes=29)
        again = await passes(ann, minutes=1)

    assert "10:00" in answer
    assert early == []
    assert len(again) == 1
    assert "⏰" in again[0]


async def test_what_is_on_is_told_by_rule(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        none = await ann.says(TELEGRAM, "都提醒我什么了")
        await ann.says(TELEGRAM, "周五下午三点提醒我看牙")
        await ann.says(TELEGRAM, "每天晚上九点提醒我吃药")
        week = await ann.says(TELEGRAM, "这周有什么安排")
        tomorrow = await ann.says(TELEGRAM, "明天我有什么事")
        whole = await ann.says(TELEGRAM, "what reminders have I got?")

    assert "没有提醒" in none
    assert "看牙" in week
    assert "吃药" in week
    assert "看牙" not in tomorrow
    assert "2026-03-05 周四）21:00" in tomorrow
    assert "看牙" in whole
