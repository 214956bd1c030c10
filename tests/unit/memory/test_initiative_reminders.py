"""Reminders as plans: nothing is written, and what follows is the same however late it comes."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from memory.changes import Put, Turn
from memory.erasing.erasure import plan_erasure
from memory.erasing.scope import TextMatch
from memory.initiative.finding import days_asked, plans_between
from memory.initiative.reminders import (
    due_reminder,
    next_at,
    next_times,
    plan_ended,
    plan_rung,
    plan_snoozed,
    promises_in_vain,
    silenced,
)
from memory.initiative.reminders_meant import moving_asked
from memory.initiative.requests import reminder_request, reminders_asked
from memory.initiative.steps import plan_reminding
from memory.lifecycle.undo import last_step, plan_undo
from memory.merging.arrival import arriving_reminders
from memory.model import AgentSettings, Message
from memory.offline.utterances import statements_in
from memory.reminder import Reminder
from memory.state import MemoryState
from memory.stores.codec import decode, encode
from memory.text.requests import asks_for_reminder
from memory.text.times import TimeSaid
from tests.builders import a_message
from tests.fakes.clock import FakeClock
from tests.fakes.cost import share
from tests.fakes.life import empty_memory, tell

AT = datetime(2026, 3, 4, 1, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAILY = "FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0"
ONCE = Reminder(
    id=1, text="交房租", first_at=AT, zone="Asia/Shanghai", made_at=AT - HOUR, message_ids=("m1",)
)
EACH_DAY = replace(ONCE, rule=DAILY)


def state_of(*reminders: Reminder) -> MemoryState:
    return MemoryState().apply([Put(each) for each in reminders])[0]


def test_a_reminder_stays_itself_on_disk() -> None:
    full = replace(EACH_DAY, rung_at=AT, snoozed_until=AT + HOUR, ended="done", ended_at=AT)

    assert decode(Reminder, encode(full)) == full
    assert decode(Reminder, encode(ONCE)) == ONCE


def test_one_of_several_missed_times_stands_for_all() -> None:
    due = due_reminder(EACH_DAY, AT + 10 * 24 * HOUR)

    assert due is not None
    assert (due.at, due.missed) == (AT + 10 * 24 * HOUR, 10)
    assert due_reminder(EACH_DAY, AT - HOUR) is None


def test_an_occurrence_has_one_id_and_each_has_another() -> None:
    first, again = due_reminder(EACH_DAY, AT), due_reminder(EACH_DAY, AT + HOUR)
    second = due_reminder(EACH_DAY, AT + 24 * HOUR)

    assert first is not None
    assert again is not None
    assert second is not None
    assert first.turn_id == again.turn_id != second.turn_id


def test_what_rang_is_over_and_what_recurs_goes_on() -> None:
    once, daily = state_of(ONCE), state_of(EACH_DAY)
    for state in (once, daily):
        due = due_reminder(state.reminders[1], AT)
        assert due is not None
        rung = state.apply(plan_rung(state, due, AT))[0]
        expected = {} if state is once else {1: AT + 24 * HOUR}
        assert next_times(rung) == expected


def test_undo_brings_an_ended_reminder_back() -> None:
    state = state_of(ONCE)
    ended = state.apply(plan_ended(state, [1], "stopped", AT))[0]
    step = last_step(ended)
    assert step is not None
    back = ended.apply(plan_undo(ended, step))[0]

    assert not ended.reminders[1].is_open
    assert back.reminders[1] == ONCE


def test_one_that_has_not_come_is_moved_and_one_that_rang_comes_once_more() -> None:
    early = state_of(ONCE)
    early = early.apply(plan_snoozed(early, 1, AT + HOUR, AT - HOUR))[0]
    late = state_of(replace(ONCE, rung_at=AT, ended="rung", ended_at=AT))
    late = late.apply(plan_snoozed(late, 1, AT + HOUR, AT))[0]

    assert next_at(early.reminders[1]) == next_at(late.reminders[1]) == AT + HOUR
    assert early.reminders[1].snoozed_until is None


def test_an_erasure_reaches_it_by_its_words_and_by_what_asked() -> None:
    state = state_of(ONCE, replace(ONCE, id=2, text="别的", message_ids=("m2",)))
    erasure = plan_erasure(state, TextMatch("房租"), AT, key_hex="00" * 16)

    assert erasure is not None
    assert set(state.apply(erasure.changes)[0].reminders) == {2}


def test_what_comes_from_elsewhere_is_counted_on_and_never_twice() -> None:
    here = state_of(ONCE)
    there = state_of(ONCE, replace(ONCE, id=7, text="交电费"))

    assert [(each.id, each.text) for each in arriving_reminders(here, there)] == [(2, "交电费")]


def test_what_a_backup_brings_back_does_not_ring_for_the_past() -> None:
    quiet = silenced(EACH_DAY, AT + 36 * HOUR)

    assert next_at(quiet) == AT + 48 * HOUR
    assert silenced(ONCE, AT + HOUR).ended == "rung"
    assert silenced(ONCE, AT - HOUR) == ONCE


def message(text: str, number: int, role: str = "user", *, person: str = "") -> Message:
    at = AT + timedelta(minutes=number)
    assert role in {"user", "assistant"}
    return Message(id=f"m{number}", at=at, speaker=person, role=role, text=text, speaker_id=person)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("提醒我周五买蛋糕", "早上九点"),
        ("提醒我周五买蛋糕", "几点都行，早上九点吧"),
        ("remind me to buy a cake on Friday", "any time, 9 am"),
        ("remind me to buy a cake on Friday", "whenever, let's say 9 am is fine"),
    ],
)
def test_whoever_leaves_the_hour_to_her_and_names_one_means_that_of_the_day(
    asked: str, answered: str
) -> None:
    zone = AgentSettings().zone
    before = (message(asked, 1), message("几点？", 2, "assistant"))

    (own,) = reminders_asked([message(answered, 3)], before, zone)
    assert isinstance(own.request.when, TimeSaid)
    at = own.request.when.at
    assert (at.weekday(), at.hour, at.minute) == (4, 9, 0)


ZONE = AgentSettings().zone


def after(*lines: str) -> MemoryState:
    """Return what is kept after lines of one talk, each of them answered by her."""
    state = MemoryState()
    before: list[Message] = []
    for number, text in enumerate(lines):
        said = message(text, 2 * number)
        turn = Turn(id=f"t{number}", conversation="c", at=said.at, said=(said,))
        state = state.apply(plan_reminding(turn, before, state, said.at))[0]
        before += [said, message("All right.", 2 * number + 1, "assistant")]
    return state


def hours(state: MemoryState) -> list[tuple[str, str]]:
    """Return each reminder that is to come, and when."""
    kept = [(each.text, next_at(each)) for each in state.reminders.values()]
    return [(text, f"{at.astimezone(ZONE):%a %H:%M}") for text, at in kept if at is not None]


@pytest.mark.parametrize(
    ("corrected", "hour"),
    [
        ("sorry, Saturday at 9 am", "Sat 09:00"),
        ("actually make it Saturday", "Sat 17:00"),
        ("no, 6pm", "Fri 18:00"),
        ("sorry, 6", "Fri 18:00"),
        ("make that 6", "Fri 18:00"),
        ("no wait, 5:30", "Fri 17:30"),
        ("actually 4", "Fri 16:00"),
        ("can you make it 6 instead?", "Fri 18:00"),
        ("remind me at 6 instead", "Fri 18:00"),
        ("push it back an hour", "Fri 18:00"),
        ("half an hour earlier please", "Fri 16:30"),
        ("make it half past four", "Fri 16:30"),
        ("a day later", "Sat 17:00"),
        ("not 5, 6", "Fri 18:00"),
        ("let's say 6", "Fri 18:00"),
        ("could you make that half past six please", "Fri 18:30"),
        ("postpone it to Saturday", "Sat 17:00"),
        ("typo: 6", "Fri 18:00"),
        ("不是五点，是六点", "Fri 18:00"),
        ("等等，六点", "Fri 18:00"),
        ("能不能改到六点", "Fri 18:00"),
        ("六点好了", "Fri 18:00"),
        ("不对，是周六早上九点", "Sat 09:00"),
        ("不对是六点", "Fri 18:00"),
        ("改成六点", "Fri 18:00"),
        ("改到周六吧", "Sat 17:00"),
        ("还是六点吧", "Fri 18:00"),
        ("推迟半小时", "Fri 17:30"),
        ("提前一小时", "Fri 16:00"),
        ("晚一个半小时再提醒我", "Fri 18:30"),
        ("改到六点提醒我", "Fri 18:00"),
    ],
)
def test_a_correction_moves_the_reminder_just_asked_for(corrected: str, hour: str) -> None:
    asked = "remind me on Friday at 5pm to call the bank"

    assert hours(after(asked, corrected)) == [("call the bank", hour)]
    assert hours(after(asked, "sorry, 3", corrected))[0][0] == "call the bank"


def test_a_move_is_of_what_was_set_some_lines_before_and_goes_on() -> None:
    asked = "今晚十点提醒我吃药"

    assert hours(after(asked, "好的谢谢", "改成十一点", "还是提前十分钟吧")) == [
        ("吃药", "Wed 22:50")
    ]
    assert hours(after(asked, "晚一点", "十一点")) == [("吃药", "Wed 23:00")]
    assert hours(after("每天早上八点提醒我吃药", "改成九点")) == [("吃药", "Thu 09:00")]
    assert hours(after("remind me in 10 minutes to look", "make it 20 minutes")) == [
        ("look", "Wed 09:22")
    ]


@pytest.mark.parametrize(
    ("said", "hour"),
    [
        ("move my tablets reminder to 9:45", "Wed 21:45"),
        ("can you change the reminder to take my tablets to 11?", "Wed 23:00"),
        ("push the tablets reminder back an hour", "Wed 23:00"),
        ("把tablets的提醒改到九点四十五", "Wed 21:45"),
        ("tablets的提醒推迟半小时", "Wed 22:30"),
        ("推迟tablets的提醒半小时", "Wed 22:30"),
        ("tablets改到十一点提醒我", "Wed 23:00"),
    ],
)
def test_a_reminder_is_moved_later_by_naming_it(said: str, hour: str) -> None:
    lines = (
        "remind me tonight at 10 to take my tablets",
        "remind me on Friday at 9 am to call mum",
    )

    assert hours(after(*lines, "I am off to bed at 11", said)) == [
        ("take my tablets", hour),
        ("call mum", "Fri 09:00"),
    ]


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("move the dentist reminder to Friday", 0),
        ("把跑步的提醒改到八点", 0),
        ("move my reminder to 8", 2),
        ("提醒改到八点", 2),
        ("push the mum reminder back", 1),
        ("推迟一下mum的提醒", 1),
    ],
)
def test_of_none_several_or_no_hour_nothing_is_moved_and_she_says_so(
    said: str, named: int
) -> None:
    lines = (
        "remind me tonight at 10 to take my tablets",
        "remind me on Friday at 9 am to call mum",
    )
    state = after(*lines, "I ate at 7")

    moving = moving_asked([message(said, 9)], (), state, conversation="c")
    assert moving is not None
    assert len(moving.meant) == named
    assert moving.only is None or moving.when(moving.only) is None
    assert hours(after(*lines, "I ate at 7", said)) == hours(state)


@pytest.mark.parametrize(
    "said",
    [
        "Saturday at 9 am",
        "sorry, thanks",
        "no, 2 eggs",
        "actually I'm 34",
        "make it 11 people",
        "an hour later I was asleep",
        "sorry for the late reply",
        "晚一点我要去跑步",
        "改天聊",
        "不是，我五点要去接孩子放学",
        "不对劲，我头晕",
        "会议推迟一小时",
        "我的闹钟改到七点了",
        "会议改到十点了，九点半提醒我",
        "把会议提前半小时",
    ],
)
def test_what_corrects_nothing_moves_no_reminder(said: str) -> None:
    assert hours(after("明天早上八点提醒我交房租", said))[:1] == [("交房租", "Thu 08:00")]


def test_what_was_told_between_keeps_its_own_hour() -> None:
    asked = "remind me tonight at 10 to take my tablets"
    state = after(asked, "I have got a dentist appointment at 3", "make that 4")

    assert hours(state) == [("take my tablets", "Wed 22:00")]


@pytest.mark.parametrize(
    ("said", "hour"),
    [
        ("remind me an hour before the match on Saturday at 3pm", "Sat 14:00"),
        ("the match is on Saturday at 3pm, remind me an hour before", "Sat 14:00"),
        ("remind me to leave half an hour before the train at 6:15 pm tomorrow", "Thu 17:45"),
        ("remind me the day before my exam on the 20th at 8am", "Thu 08:00"),
        ("remind me in half an hour before I forget", "Wed 09:30"),
        ("周六下午三点比赛，提前一小时提醒我", "Sat 14:00"),
        ("周六下午三点比赛前一小时提醒我", "Sat 14:00"),
        ("5月3号去大理，前一天晚上八点提醒我收拾行李", "Sat 20:00"),
        ("前两天我感冒了，明天八点提醒我吃药", "Thu 08:00"),
        ("考试前一天没睡好，周五九点提醒我补觉", "Fri 09:00"),
        ("半小时前我吃了药，十点再提醒我", "Wed 10:00"),
        ("会议提前半小时了，提醒我两点去", "Wed 14:00"),
    ],
)
def test_what_is_to_come_before_something_is_counted_back_from_it(said: str, hour: str) -> None:
    assert [at for _, at in hours(after(said))] == [hour]


@pytest.mark.parametrize(
    ("said", "missing", "answers", "hour"),
    [
        ("remind me an hour before the match on Saturday", "event", ["3pm"], "Sat 14:00"),
        ("can you remind me about the vet an hour before?", "event", ["Friday 3pm"], "Fri 14:00"),
        (
            "can you remind me the day before mum's birthday?",
            "event",
            ["the 23rd", "9 am"],
            "Sun 09:00",
        ),
        ("比赛前一小时提醒我", "event", ["周六下午三点"], "Sat 14:00"),
        ("提前十分钟提醒我开会", "event", ["明天上午十点的会"], "Thu 09:50"),
        ("妈妈生日前一天早上九点提醒我", "event", ["23号"], "Sun 09:00"),
        (
            "flight is 9am on Friday, remind me the night before at 8pm",
            "unread",
            ["Thursday at 8pm"],
            "Thu 20:00",
        ),
        ("remind me to ring mum tomorrow at 6", "half", ["pm"], "Thu 18:00"),
        ("remind me to ring mum tomorrow at 6", "half", ["afternoon"], "Thu 18:00"),
        ("remind me to ring mum tomorrow at 6", "half", ["morning, please"], "Thu 06:00"),
        ("提醒我明天六点交房租", "half", ["下午"], "Thu 18:00"),
        ("remind me to buy milk", "time", ["tomorrow morning", "at 9:30"], "Thu 09:30"),
        ("提醒我交房租", "time", ["后天", "下午", "三点"], "Fri 15:00"),
    ],
)
def test_a_bare_answer_to_what_she_asks_is_taken(
    said: str, missing: str, answers: list[str], hour: str
) -> None:
    asked = reminder_request(said, AT, ZONE)

    assert asked is not None
    assert asked.missing == missing
    assert [at for _, at in hours(after(said, *answers))] == [hour]
    assert hours(after(said, *answers[:-1])) == []


@pytest.mark.parametrize(
    "said", ["good afternoon", "I hate mornings", "今天好累啊", "what's the weather?"]
)
def test_what_answers_nothing_completes_no_request(said: str) -> None:
    for asked in ("remind me to ring mum tomorrow at 6", "提醒我明天交房租"):
        assert hours(after(asked, said)) == []


@pytest.mark.parametrize(
    "said",
    [
        "医院会提前一天提醒我",
        "老师提前一天提醒我带书",
        "她昨天发烧，幼儿园叫我去接，会开一半就跑了",
        "单位叫我明天加班",
        "they always remind me an hour before",
    ],
)
def test_who_else_reminds_ahead_is_told_of(said: str) -> None:
    assert reminder_request(said, AT, ZONE) is None


def test_in_a_group_only_who_was_asked_completes_a_request() -> None:
    zone = AgentSettings().zone
    before = (message("明天提醒我交房租", 1, person="a"), message("几点？", 2, "assistant"))

    (own,) = reminders_asked([message("早上八点", 3, person="a")], before, zone)
    assert own.request.missing is None
    assert own.message_ids == ("m1", "m3")
    assert reminders_asked([message("早上八点", 3, person="b")], before, zone) == ()


def test_what_is_quoted_or_pasted_asks_for_nothing() -> None:
    zone = AgentSettings().zone
    for text in ("他说“明天八点提醒我吃药”", "提醒我" * 300, 'she wrote "remind me at 5"'):
        assert reminder_request(text, AT, zone) is None


def test_of_counts_with_an_hour_and_tells_of_a_likeness_without() -> None:
    zone = AgentSettings().zone
    asked = reminder_request("every weekday at 8.45am remind me of the stand-up", AT, zone)

    assert asked is not None
    assert asked.what == "the stand-up"
    assert reminder_request("you remind me of my sister a lot, kind of", AT, zone) is None
    assert reminder_request("they remind me of home", AT, zone) is None
    assert reminder_request("提醒我", AT, zone) is None


@pytest.mark.parametrize(
    ("said", "what"),
    [
        ("wake me at 7 tomorrow", "time to get up"),
        ("明天早上七点叫醒我", "起床"),
        ("明早七点提醒我", ""),
    ],
)
def test_who_is_to_be_woken_is_told_to_get_up(said: str, what: str) -> None:
    asked = reminder_request(said, AT, AgentSettings().zone)

    assert asked is not None
    assert asked.what == what


@pytest.mark.parametrize(
    ("text", "matter"),
    [
        ("3秒后提醒我看 m-520", "看 m-520"),
        ("半小时后提醒我取件A1130", "取件A1130"),
        ("半小时后提醒我准备明天三点的会", "准备明天三点的会"),
        ("明天下午三点提醒我还他520块", "还他520块"),
        ("明天下午三点提醒我去1105房间", "去1105房间"),
        ("in half an hour remind me of the 3 pm meeting", "the 3 pm meeting"),
        ("remind me in 20 minutes to call Tom about Friday", "call Tom about Friday"),
    ],
)
def test_the_matter_keeps_its_own_numbers_and_days(text: str, matter: str) -> None:
    asked = reminder_request(text, AT, ZoneInfo("Asia/Shanghai"))
    assert asked is not None
    assert isinstance(asked.when, TimeSaid)
    assert asked.what == matter


def test_what_is_supposed_over_or_taken_back_asks_for_nothing() -> None:
    zone = AgentSettings().zone
    for text in (
        "if you remind me again at 9 I will scream",
        "要是你再提醒我喝水我就拉黑你",
        "i was about to ask you to remind me at 6 but i forgot",
        "remind me at 5pm to call mum, just kidding",
        "明天八点提醒我开会，开玩笑的",
        "明天八点提醒我开会，算了",
    ):
        assert reminder_request(text, AT, zone) is None, text
    for text in (
        "if you could remind me at 5pm to call mum that would be great",
        "如果你方便，明天八点提醒我开会",
        "remind me to forget it at 5pm",
        "明早七点提醒我别算了账就走",
    ):
        assert reminder_request(text, AT, zone) is not None, text


def test_a_time_that_was_not_understood_is_said_once_more_as_a_whole() -> None:
    zone = AgentSettings().zone
    before = (
        message("每天八点提醒我吃药，除了周日", 1, person="a"),
        message("哪天、几点？", 2, "assistant"),
    )

    (own,) = reminders_asked([message("每周一到周六早上八点", 3, person="a")], before, zone)
    assert isinstance(own.request.when, TimeSaid)
    assert (
        own.request.when.rule
        == "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA;BYHOUR=8;BYMINUTE=0;BYSECOND=0"
    )


HOURS = [
    ("Europe/Berlin", 2, 30),
    ("Europe/Berlin", 8, 0),
    ("America/New_York", 8, 0),
    ("America/New_York", 2, 30),
    ("Australia/Lord_Howe", 2, 30),
    ("Australia/Lord_Howe", 8, 0),
]


@pytest.mark.hunted
@pytest.mark.parametrize(("zone", "hour", "minute"), share(HOURS, of=6, first=4))
def test_over_a_year_every_day_has_it_once_at_its_hour_on_the_wall(
    zone: str, hour: int, minute: int
) -> None:
    there = ZoneInfo(zone)
    first = datetime(2026, 1, 1, hour, minute, tzinfo=there)
    rule = f"FREQ=DAILY;BYHOUR={hour};BYMINUTE={minute};BYSECOND=0"
    daily = replace(ONCE, first_at=first.astimezone(UTC), zone=zone, rule=rule)
    state = MemoryState().apply([Put(daily)])[0]
    rung: list[datetime] = []
    for _ in range(365):
        at = next_at(state.reminders[1])
        assert at is not None
        due = due_reminder(state.reminders[1], at)
        assert due is not None
        rung.append(due.at.astimezone(there))
        state = state.apply(plan_rung(state, due, at))[0]

    days = [each.date() for each in rung]
    assert days == [first.date() + timedelta(days=n) for n in range(365)]
    # What the clocks leave out comes as much later: on one day of the year, if on any.
    moved = [each for each in rung if (each.hour, each.minute) != (hour, minute)]
    assert len(moved) <= 1
    assert all(timedelta(0) < _past(each, hour, minute) <= timedelta(hours=1) for each in moved)


def _past(at: datetime, hour: int, minute: int) -> timedelta:
    return timedelta(hours=at.hour - hour, minutes=at.minute - minute)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("下周三（9月2号）下午三点体检，提醒我空腹", "体检（空腹）"),
        ("明天早上七点的火车，提醒我带身份证", "火车（带身份证）"),
        ("dentist on Friday at 3 pm, remind me to bring the card", "dentist (bring the card)"),
        ("I have an exam tomorrow at 9 am, remind me to bring a pen", "exam (bring a pen)"),
        ("我在开会，明天三点提醒我打电话", "打电话"),
        ("明天三点我有空，提醒我买菜", "买菜"),
        ("I have a meeting all day, remind me at 6 pm to call mum", "call mum"),
    ],
)
def test_what_is_at_the_hour_belongs_to_the_matter(text: str, what: str) -> None:
    said = datetime(2026, 8, 26, 10, tzinfo=ZoneInfo("Asia/Shanghai"))
    asked = reminder_request(text, said, ZoneInfo("Asia/Shanghai"))

    assert asked is not None
    assert asked.what == what


@pytest.mark.parametrize(
    "text",
    ["昨天你提醒我了吗", "昨天早上你提醒我吃药了吗？", "Did you remind me about the pills?"],
)
def test_whether_she_reminded_is_asked_and_sets_nothing(text: str) -> None:
    asked, back = a_message("1", "提醒我吃药"), a_message("2", "几点提醒你？", role="assistant")

    assert not reminders_asked([a_message("3", text)], [asked, back], ZoneInfo("Asia/Shanghai"))
    assert not asks_for_reminder(text)


@pytest.mark.parametrize(
    "said",
    [
        "叫我清清就行",
        "你叫我什么来着",
        "你叫我啥来着",
        "你可以叫我清清",
        "请叫我女王",
        "喊我阿宁就好",
        "从今天起叫我清清",
        "以后叫我阿宁",
        "朋友都喊我清清",
        "你提醒我吃药了吗",
        "你早上八点提醒我吃药了吗",
        "都提醒我什么了",
        "你会提醒我什么",
        "老板叫我去开会",
    ],
)
def test_a_name_and_a_question_are_no_requests(said: str) -> None:
    assert reminder_request(said, AT, AgentSettings().zone) is None


@pytest.mark.parametrize(
    ("said", "what", "missing"),
    [
        ("叫我起床", "起床", "time"),
        ("到时候叫我", "", "hour"),
        ("明天叫我去开会", "去开会", "hour"),
        ("明天七点叫我起床", "起床", None),
        ("明天九点提醒我问妈妈吃药了吗", "问妈妈吃药了吗", None),
        ("提醒我周三晚上给我妈打电话", "给我妈打电话", "hour"),
        ("周三晚上八点提醒我给我们组长发邮件", "给我们组长发邮件", None),
        ("明天九点提醒我帮我女儿报名", "帮我女儿报名", None),
        ("明天九点提醒我给我自己买束花", "给我自己买束花", None),
        ("明天九点帮我提醒我给小周寄快递", "给小周寄快递", None),
        ("明天九点提醒我请假", "请假", None),
        ("明天九点请提醒我再试一次", "再试一次", None),
        ("明天九点提醒我就诊", "就诊", None),
        ("明天九点提醒我在群里签到", "在群里签到", None),
        ("请提醒我在明天九点交房租", "交房租", None),
        ("能不能明天九点再提醒我吃药", "吃药", None),
        ("3月29号上午10点提醒我过生日", "过生日", None),
        ("明天九点提醒我过马路小心", "过马路小心", None),
    ],
)
def test_what_is_asked_keeps_every_word_of_the_matter(
    said: str, what: str, missing: str | None
) -> None:
    asked = reminder_request(said, AT, AgentSettings().zone)

    assert asked is not None
    assert (asked.what, asked.missing) == (what, missing)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("明天提醒我早上8点吃药", []),
        ("明天早上八点提醒我吃药", []),
        ("明早七点叫我起床", []),
        ("下周一三点半记得喊我去接孩子", []),
        ("remind me tonight at 10 to take my tablets", []),
        ("我血压高，所以每天早上八点提醒我吃药", ["主人血压高"]),
        ("晚上十点提醒我睡觉，我最近总熬夜", ["主人最近总熬夜"]),
        ("我每天早上八点吃药，提醒我一下", ["主人每天早上八点吃药"]),
        ("我对花生过敏，提醒我明天九点去医院", ["主人对花生过敏"]),
        ("周日晚上九点提醒我老公交物业费", []),
        ("下周三晚上八点提醒我婆婆吃药", []),
        ("周日晚上九点提醒大家交钱", []),
        ("明天早上八点提醒王磊带帐篷", []),
        ("我周日晚上九点要交物业费，提醒大家一下", ["主人周日晚上九点要交物业费"]),
    ],
)
def test_what_asks_to_be_reminded_is_no_fact_as_well(said: str, kept: list[str]) -> None:
    assert [each.text for each in statements_in(said, "主人", AT)] == kept


@pytest.mark.parametrize(
    ("known", "asked", "corrected"),
    [
        (
            "dinner with Priya on Friday at 8",
            "remind me tonight at 10 to take my tablets",
            "sorry, 11",
        ),
        ("周五下午三点看牙", "今晚十点提醒我吃药", "不对是十一点"),
        ("我住杭州", "今晚十点提醒我吃药", "不对，十一点"),
    ],
)
async def test_moving_a_reminder_puts_no_fact_right(
    known: str, asked: str, corrected: str
) -> None:
    agent = await empty_memory(FakeClock(AT), "en" if known.isascii() else "zh")
    await tell(agent, 1, known, AT)
    facts = [each.words.text for each in agent.state.memories.values() if each.is_fact]
    await tell(agent, 2, asked, AT)
    await tell(agent, 3, corrected, AT)

    assert [each.words.text for each in agent.state.memories.values() if each.is_fact] == facts
    assert [at[-5:] for _, at in hours(agent.state)] == ["23:00"]


@pytest.mark.parametrize(
    ("text", "first", "last", "only"),
    [
        ("what reminders have I got?", "2026-03-04", "9999-12-31", True),
        ("都提醒我什么了", "2026-03-04", "9999-12-31", True),
        ("do I have any reminders tomorrow?", "2026-03-05", "2026-03-05", True),
        ("what have I got on this week?", "2026-03-04", "2026-03-08", False),
        ("what are my plans for the weekend?", "2026-03-07", "2026-03-08", False),
        ("what's happening on Saturday?", "2026-03-07", "2026-03-07", False),
        ("what am I doing at the weekend?", "2026-03-07", "2026-03-08", False),
        ("这周有什么安排", "2026-03-04", "2026-03-08", False),
        ("明天我有什么事", "2026-03-05", "2026-03-05", False),
        ("12号有什么安排？", "2026-03-12", "2026-03-12", False),
    ],
)
def test_what_is_on_is_asked_of_days(text: str, first: str, last: str, *, only: bool) -> None:
    asked = days_asked(text, AT, ZONE)

    assert asked is not None
    assert (asked.first.isoformat(), asked.last.isoformat()) == (first, last)
    assert asked.only_reminders is only


@pytest.mark.parametrize(
    "text",
    [
        "what's on your mind?",
        "what's on Netflix this week?",
        "what did I have on yesterday?",
        "你明天有什么安排",
        "陈屿这周有什么安排",
        "明天有什么好吃的",
        "医生提醒我什么了",
        "我昨天做了什么",
        "有什么事吗",
    ],
)
def test_other_questions_ask_for_no_list(text: str) -> None:
    assert days_asked(text, AT, ZONE) is None


async def test_plans_whose_day_is_known_are_found_and_what_is_over_is_not() -> None:
    agent = await empty_memory(FakeClock(AT), "zh")
    told = (
        "周六上午十点我要上游泳课",
        "周五晚上跟小周吃饭",
        "我妈生日是3月8号",
        "昨天买了辆自行车",
        "周五我都去合唱团",
    )
    for number, line in enumerate(told):
        await tell(agent, number, line, AT)

    days = (date(2026, 3, 4), date(2026, 3, 8))
    found = [each.words.text for each in plans_between(agent.state, *days)]
    assert ["小周" in found[0], "游泳" in found[1], "生日" in found[2]] == [True] * 3
    assert len(found) == 3


@pytest.mark.parametrize(
    ("told", "asked", "found"),
    [
        ("我下个月要做手术，别忘了", "我下个月要做什么？", True),
        ("我下个月要做手术", "下个月有什么安排", True),
        ("I'm having knee surgery next month, don't forget", "What am I doing next month?", True),
        # Of a month nobody knows the week, and what was told of it before has gone by.
        ("我下个月要做手术", "我这周有什么安排", False),
        ("我下个月要做手术", "4月6号有什么安排", False),
        ("I'm having knee surgery next month", "what am I doing on 6 April?", False),
        ("上个月我做了手术", "我下个月要做什么？", False),
        ("I had knee surgery last month", "what am I doing next month?", False),
    ],
)
async def test_a_plan_of_a_month_is_of_that_month(told: str, asked: str, *, found: bool) -> None:
    agent = await empty_memory(FakeClock(AT), "en" if told.isascii() else "zh")
    await tell(agent, 1, told, AT)

    days = days_asked(asked, AT, ZONE)
    plans = plans_between(agent.state, days.first, days.last) if days else []
    assert bool(plans) is found


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("三小时后提醒我喂团子", "喂团子"),
        ("明天八点提醒我喂猫", "喂猫"),
        ("喂，明天八点提醒我喂奶", "喂奶"),
        ("明天八点提醒我，喂，交电费", "交电费"),
        ("喂喂，明天八点提醒我遛狗", "遛狗"),
        ("remind me at 8 am tomorrow to feed the cat", "feed the cat"),
    ],
)
def test_to_feed_somebody_is_no_call(text: str, what: str) -> None:
    (asked,) = reminders_asked([message(text, 3)], (), ZoneInfo("Asia/Shanghai"))

    assert asked.request.what == what


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("胃镜约在周四上午九点，周三晚上十点提醒我别让她吃东西", "别让她吃东西"),
        (
            "my scope is on thursday at 9am, remind me wednesday at 10pm not to eat",
            "not to eat",
        ),
        (
            "the scope is thursday at 9am so remind me at 10pm on wednesday not to eat",
            "not to eat",
        ),
    ],
)
def test_of_two_times_the_one_beside_the_request_is_meant(text: str, what: str) -> None:
    monday = datetime(2026, 1, 19, 20, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
    asked = reminder_request(text, monday, ZoneInfo("Asia/Shanghai"))

    assert asked is not None
    assert asked.what == what
    assert isinstance(asked.when, TimeSaid)
    assert f"{asked.when.at.astimezone(monday.tzinfo):%a %H}" == "Wed 22"


@pytest.mark.parametrize(
    "text",
    [
        "下午三点或周四上午九点提醒我",
        "三点或者四点提醒我吃药",
        "周三早上九点，周四晚上十点提醒我吃药",
    ],
)
def test_of_two_bare_times_she_asks_which(text: str) -> None:
    asked = reminder_request(text, AT, ZoneInfo("Asia/Shanghai"))

    assert asked is not None
    assert asked.missing == "several"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("明天早上六点半叫我起床行不", "起床"),
        ("明天早上六点半叫我起床好不", "起床"),
        ("明天早上九点提醒我问他行不行", "问他行不行"),
        ("will you wake me at 7 tomorrow", "time to get up"),
    ],
)
def test_who_asks_politely_asks_for_no_more(text: str, what: str) -> None:
    asked = reminder_request(text, AT, ZoneInfo("Asia/Shanghai"))

    assert asked is not None
    assert asked.what == what


@pytest.mark.parametrize(
    "text",
    ["will you really wake me", "are you gonna remind me?", "would you actually wake me up"],
)
def test_who_asks_whether_she_will_sets_nothing(text: str) -> None:
    assert reminder_request(text, AT, ZoneInfo("Asia/Shanghai")) is None


@pytest.mark.parametrize(
    ("said", "what"),
    [
        ("提醒大家周六早上六点半在木渎地铁站集合", "叫大家在木渎地铁站集合"),
        ("小祥，周六早上六点提醒大家带水", "叫大家带水"),
        ("明天下午三点提醒所有人交AA的钱", "叫所有人交AA的钱"),
        ("明晚8点叫一下大家开会", "叫大家开会"),
        ("周五晚上九点提醒王磊带帐篷", "叫王磊带帐篷"),
        ("提醒王磊明天八点带帐篷", "叫王磊带帐篷"),
        ("明早七点提醒Kevin交钱", "叫Kevin交钱"),
        ("九点提醒他带伞", "叫他带伞"),
        ("明晚八点你叫大家开会", "叫大家开会"),
        ("帮我提醒一下大家，周六早上七点半集合", "叫大家集合"),
        ("周日晚上九点提醒我老公交物业费", "叫老公交物业费"),
        ("下周三晚上八点提醒我婆婆吃药", "叫婆婆吃药"),
        ("明天早上七点你叫我老公起床呗", "叫老公起床"),
        ("remind everyone to bring water at 6am Saturday", "tell everyone to bring water"),
        ("Remind Tom to call mum tomorrow at 8 pm", "tell Tom to call mum"),
        ("Remind Tom at 8 pm to call mum", "tell Tom to call mum"),
        ("remind my husband to pay rent at 9pm Sunday", "tell your husband to pay rent"),
        ("please remind her to take her pills at 9 tomorrow", "tell her to take her pills"),
        # For who asks it is as it was.
        ("周六早上六点提醒我们出发", "出发"), ("明天八点提醒我妈妈生日", "妈妈生日"),
        ("明天八点提醒我吃药", "吃药"), ("明晚八点叫我起床", "起床"),
        ("remind me to call Tom at 8 pm", "call Tom"),
        ("please remind me at 8 pm to call my mum", "call my mum"),
    ],
)  # fmt: skip
def test_a_reminder_for_somebody_else_says_whom_to_tell(said: str, what: str) -> None:
    asked = reminder_request(said, AT, ZONE)

    assert asked is not None
    assert asked.what == what
    assert asked.missing is None


@pytest.mark.parametrize(
    "said",
    [
        "老师提醒大家明天八点到校", "我明天八点提醒大家", "物业通知大家明天早上八点停水",
        "周六晚上七点叫大家来吃饭", "明天八点通知大家开会",
        "别提醒大家明天八点开会了", "我昨天八点提醒大家了", "明天八点提醒房租交一下",
        "明天八点提醒时间到", "温馨提醒大家周六八点集合", "明天八点叫外卖",
        "我提醒过王磊八点带帐篷",
        "I need to remind Tom to call mum at 8", "Tom reminded everyone at 8",
        "I'll remind everyone to come at 8", "did you remind Tom to come at 8",
        "don't remind Tom to come at 8", "people remind Tom to eat at 8",
    ],
)  # fmt: skip
def test_who_tells_that_somebody_is_reminded_asks_for_nothing(said: str) -> None:
    assert reminder_request(said, AT, ZONE) is None


@pytest.mark.parametrize(
    ("reply", "vain"),
    [
        ("没问题，后天早上七点半我会提醒大家集合的。", True), ("到时候我提醒王磊带帐篷。", True),
        ("好的，我会提醒你浇花。", True), ("我到点会提醒所有人的。", True),
        ("I will remind everyone to bring water.", True), ("I'll remind Tom at eight.", True),
        ("I'll remind you at eight.", True),
        ("要我提醒大家吗？", False), ("我会提醒自己少说话。", False), ("我提醒过大家了。", False),
        ("我会提醒大家吗？", False), ("我不会提醒大家的。", False),
        ("Shall I remind everyone?", False), ("I will remind myself of it.", False),
    ],
)  # fmt: skip
def test_a_promise_to_remind_anybody_is_vain_while_none_waits(reply: str, *, vain: bool) -> None:
    assert promises_in_vain(reply, MemoryState()) is vain
