"""She begins, as a partner lives through it: asked once, in her manners, and never a nuisance."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bot.conversation.delivery import Undeliverable
from bot.conversation.ledger.wakes import Wakes
from bot.conversation.messages import ConversationKey
from bot.initiative import Reminding
from bot.initiative.due import AT_ONCE
from memory.agents import Agents
from memory.ports import Outcome
from prompts import Prompt
from tests.fakes.clock import FakeClock
from tests.fakes.desk import lines
from tests.fakes.model import ScriptedModel
from tests.fakes.two_chats import LARK, TELEGRAM, WHO, Screens, Someone, two_chats
from tests.fakes.waiting import until

MORNING = datetime(2026, 3, 3, 1, 0, tzinfo=UTC)
"""Nine in the morning in Shanghai, a Tuesday."""

ZONE = ZoneInfo("Asia/Shanghai")


def wall(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 3, day, hour, minute, tzinfo=ZONE)


async def lives_until(
    ann: Someone, end: datetime, place: ConversationKey = TELEGRAM
) -> list[tuple[datetime, str]]:
    """Let time pass, waking when the program would, and return what is said unasked, and when."""
    said: list[tuple[datetime, str]] = []
    before = len(ann.screens.finals(place))
    while True:
        await ann.looks_what_is_due()
        new = ann.screens.finals(place)[before:]
        before += len(new)
        said += [(ann.clock.now().astimezone(ZONE), text) for text in new]
        if ann.clock.now() >= end:
            return said
        coming = await ann.app.reminding.ledger.wakes.next(ann.clock.now())
        then = min(end, coming or end)
        ann.clock.tick(seconds=max((then - ann.clock.now()).total_seconds(), 1.0))


async def is_allowed(ann: Someone) -> None:
    await ann.told(TELEGRAM, "/initiative on")


@pytest.mark.parametrize(
    ("said", "agrees", "asks"),
    [
        ("明天下午三点我有个面试，好紧张", "好", "今天的面试怎么样"),
        ("I have an interview tomorrow at 3 pm", "yes please", "How did the interview go today?"),
    ],
)
async def test_she_asks_once_whether_she_may_and_then_how_it_went(
    tmp_path: Path, said: str, agrees: str, asks: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        asked = await ann.says(TELEGRAM, said)
        agreed = await ann.says(TELEGRAM, agrees)
        again = await ann.says(TELEGRAM, "后天我还要考试")
        begun = await lives_until(ann, wall(5, 9))
        why = await ann.told(TELEGRAM, "/why")

    assert "主动找你吗" in asked or "may I write to you first" in asked
    assert "别主动找我" in agreed or "leave me alone" in agreed
    assert "主动找你吗" not in again
    assert [(at, asks in text) for at, text in begun] == [(wall(4, 20), True)]
    assert "2026-03-03" in why
    assert said in why


async def test_without_a_yes_she_keeps_it_in_mind_and_says_nothing(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, "明天下午三点我有个面试")
        await ann.says(TELEGRAM, "今天好累")
        begun = await lives_until(ann, wall(20, 9))
        state = await ann.state(TELEGRAM)

    assert begun == []
    assert state.agent_info.settings.begins == "asked"


async def test_a_no_in_words_is_a_no(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, "明天下午三点我有个面试")
        await ann.says(TELEGRAM, "不用了")
        state = await ann.state(TELEGRAM)

    assert state.agent_info.settings.begins == "no"


@pytest.mark.parametrize(
    ("stop", "again"),
    [("别打扰我", "你可以主动找我"), ("leave me alone", "you can text me first again")],
)
async def test_leave_me_alone_is_understood_and_taken_back(
    tmp_path: Path, stop: str, again: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await is_allowed(ann)
        await ann.says(TELEGRAM, "明天下午三点我有个面试")
        await ann.says(TELEGRAM, stop)
        silent = await lives_until(ann, wall(4, 21, 45))
        await ann.says(TELEGRAM, again)
        begun = await lives_until(ann, wall(5, 12))

    assert silent == []
    assert [at for at, _ in begun] == [wall(5, 9)]


async def test_the_button_below_it_takes_it_back(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await is_allowed(ann)
        await ann.says(TELEGRAM, "别主动找我了")
        await ann.presses(TELEGRAM)
        state = await ann.state(TELEGRAM)

    assert state.agent_info.settings.begins == "yes"


@pytest.mark.parametrize(
    "said",
    [
        "别提醒我了",
        "他让我别打扰他",
        "他说：别打扰我",
        "please leave me alone, he said to his dog",
    ],
)
async def test_what_is_meant_for_others_changes_nothing(tmp_path: Path, said: str) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await is_allowed(ann)
        await ann.says(TELEGRAM, said)
        state = await ann.state(TELEGRAM)

    assert state.agent_info.settings.begins == "yes"


async def test_what_was_told_or_called_off_is_not_asked(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await is_allowed(ann)
        await ann.says(TELEGRAM, "明天下午三点我有个面试")
        await ann.says(TELEGRAM, "后天有个考试")
        ann.clock.tick(hours=31)
        await ann.says(TELEGRAM, "面试过了，太好了")
        await ann.says(TELEGRAM, "考试取消了")
        begun = await lives_until(ann, wall(8, 12))

    assert begun == []


async def test_a_promise_is_recalled_before_it_is_due(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await is_allowed(ann)
        await ann.says(TELEGRAM, "我答应周五给妈妈打电话")
        ((at, text),) = await lives_until(ann, wall(7, 0))

    assert at == wall(5, 19, 30)
    assert "我答应周五给妈妈打电话" in text


async def test_a_birthday_comes_every_year(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await is_allowed(ann)
        await ann.told(TELEGRAM, "/initiative quiet off")
        await ann.says(TELEGRAM, "妈妈的生日是3月8日")
        first = await lives_until(ann, wall(9, 12))
        await ann.says(TELEGRAM, "谢谢你提起")
        second = await lives_until(ann, wall(9, 12) + timedelta(days=365))

    assert [at for at, _ in first] == [wall(8, 9, 30)]
    assert "妈妈的生日" in first[0][1]
    assert [at for at, _ in second] == [wall(8, 9, 30).replace(year=2027)]


async def test_what_is_private_is_not_put_on_a_lock_screen(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await is_allowed(ann)
        await ann.says(TELEGRAM, "我怀孕了，周五做产检")
        ((_, text),) = await lives_until(ann, wall(7, 21))
        shown = await ann.presses(TELEGRAM)

    assert "产检" not in text
    assert "怀孕" not in text
    assert "怀孕" in shown


async def test_what_was_erased_hidden_or_ended_is_never_brought_up(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await is_allowed(ann)
        await ann.says(TELEGRAM, "明天下午我和薇薇有个面试")
        await ann.says(TELEGRAM, "后天我有个考试")
        await ann.says(TELEGRAM, "我的生日是3月8号")
        await ann.told(TELEGRAM, "/forget 薇薇")
        await ann.presses(TELEGRAM)
        known = (await ann.state(TELEGRAM)).memories.values()
        exam = next(each.id for each in known if "考试" in each.words.text)
        await ann.told(TELEGRAM, f"/memory forget #{exam}")
        await ann.says(TELEGRAM, "我记错了，我的生日是6月12号")
        state = await ann.state(TELEGRAM)
        begun = await lives_until(ann, wall(10, 12))

    assert not any("薇薇" in each.text for each in state.intentions.values())
    assert not any("生日" in text or "考试" in text or "面试" in text for _, text in begun)


async def test_unanswered_she_comes_less_and_less_and_then_waits(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await is_allowed(ann)
        for day in (4, 5, 6, 7, 9, 11, 13, 15):
            await ann.says(TELEGRAM, f"3月{day}号我有个考试")
        begun = await lives_until(ann, wall(20, 12))
        await ann.says(TELEGRAM, "3月22号我要面试")
        later = await lives_until(ann, wall(24, 12))
        listed = await ann.told(TELEGRAM, "/initiative")

    days = [at.date() for at, _ in begun]
    assert len(days) == 4
    assert (days[2] - days[1]).days == 2
    assert (days[3] - days[2]).days >= 2
    assert [at for at, _ in later] == [wall(22, 20)]
    assert "一天最多两次" in listed


async def test_one_line_after_days_of_silence_without_reproach(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await is_allowed(ann)
        await ann.says(TELEGRAM, "今天天气真好")
        begun = await lives_until(ann, wall(31, 12))

    assert [at for at, _ in begun] == [wall(8, 19)]
    assert "不急" in begun[0][1]


async def is_asked_whether_it_still_holds(ann: Someone) -> str:
    """Let a memory fade for weeks, and return what is asked of it."""
    await is_allowed(ann)
    await ann.told(TELEGRAM, "/initiative quiet off")
    await ann.says(TELEGRAM, "记住我最喜欢爬山")
    agent = await ann.agent(TELEGRAM)
    agent_id = next(k for k, v in ann.app.agents._open.items() if v is agent)
    ann.clock.tick(days=40)
    await ann.app.reminding.look_ahead(agent_id)
    ((_, asked),) = await lives_until(ann, ann.clock.now() + timedelta(days=2))
    return asked


async def test_what_fades_is_asked_about_and_the_answer_counts(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        text = await is_asked_whether_it_still_holds(ann)
        buttons = [ann.button(TELEGRAM, n) for n in range(3)]
        over = await ann.says(TELEGRAM, "不是了")
        state = await ann.state(TELEGRAM)

    (asked,) = (each for each in state.intentions.values() if each.kind == "review")
    (memory_id,) = asked.memory_ids
    assert "最喜欢爬山" in text
    assert buttons == [
        f"/initiative so {asked.id}",
        f"/initiative over {asked.id}",
        f"/forget #{memory_id}",
    ]
    assert "以前" in over
    assert state.memories[memory_id].is_past
    assert asked.answered_at is not None


async def test_a_yes_to_what_fades_is_a_success_and_counts_once(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await is_asked_whether_it_still_holds(ann)
        before = (await ann.state(TELEGRAM)).memories[1].trace
        so = ann.button(TELEGRAM, 0)
        await ann.told(TELEGRAM, so)
        once = (await ann.state(TELEGRAM)).memories[1].trace
        await ann.told(TELEGRAM, so)
        twice = (await ann.state(TELEGRAM)).memories[1].trace

    assert once.reinforced_at > before.reinforced_at
    assert once.stability_hours > before.stability_hours
    assert twice == once


async def test_the_list_says_when_and_why_and_each_line_can_be_stopped(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await is_allowed(ann)
        await ann.says(TELEGRAM, "明天下午三点我有个面试")
        listed = await ann.told(TELEGRAM, "/initiative")
        stopped = await ann.told(TELEGRAM, "/主动 停 1")
        begun = await lives_until(ann, wall(6, 12))

    assert "明天（2026-03-04 周三）20:00" in listed
    assert "2026-03-03 说过：明天下午三点我有个面试" in listed
    assert "不提了" in stopped
    assert begun == []


async def test_a_kind_can_be_switched_off_and_hours_moved(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await is_allowed(ann)
        await ann.told(TELEGRAM, "/主动 后续 关")
        await ann.says(TELEGRAM, "明天下午三点我有个面试")
        silent = await lives_until(ann, wall(6, 12))
        await ann.told(TELEGRAM, "/initiative follow_up on")
        await ann.told(TELEGRAM, "/initiative quiet 19-11")
        await ann.says(TELEGRAM, "明天下午三点我有个考试")
        begun = await lives_until(ann, wall(8, 12))

    assert silent == []
    assert [at for at, _ in begun] == [wall(8, 11)]


@pytest.mark.parametrize(
    ("said", "told", "way"),
    [
        ("晚上七点到早上十一点别给我发消息", "19 点到 11 点不主动找你", "/主动 安静 19-11"),
        (
            "don't message me between 7 pm and 11 am please",
            "not write first between 19:00 and 11:00",
            "/initiative quiet 19-11",
        ),
    ],
)
async def test_quiet_hours_told_in_words_hold_and_are_taken_back(
    tmp_path: Path, said: str, told: str, way: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await is_allowed(ann)
        confirmed = await ann.says(TELEGRAM, said)
        await ann.says(TELEGRAM, "明天下午三点我有个考试")
        begun = await lives_until(ann, wall(8, 12))
        state = await ann.state(TELEGRAM)
        again = await ann.says(TELEGRAM, "他说晚上十点以后别给他发消息")
        back = await ann.told(TELEGRAM, "/initiative quiet 22-9")
        after = (await ann.state(TELEGRAM)).agent_info.settings

    assert told in confirmed
    assert way in confirmed
    assert "\n" not in confirmed
    assert state.agent_info.settings.quiet_hours == "19-11"
    assert not [
        m.words.text for m in state.memories.values() if m.is_fact and "考" not in m.words.text
    ]
    assert [at for at, _ in begun] == [wall(5, 11)]
    assert "不主动找你" not in again
    assert "22" in back
    assert after.quiet_hours == "22-9"


@pytest.mark.parametrize(
    ("interview", "agrees", "told"),
    [
        (
            "明天下午三点我有个面试，好紧张",
            "可以，但是晚上八点以后别给我发消息",
            "20 点到 9 点不打扰",
        ),
        (
            "I have an interview tomorrow at 3 pm",
            "yes, but don't message me after 8 pm",
            "never between 20:00 and 9:00",
        ),
    ],
)
async def test_a_yes_with_quiet_hours_is_both(
    tmp_path: Path, interview: str, agrees: str, told: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, interview)
        agreed = await ann.says(TELEGRAM, agrees)
        settings = (await ann.state(TELEGRAM)).agent_info.settings
        begun = await lives_until(ann, wall(5, 12))

    assert told in agreed
    assert (settings.begins, settings.quiet_hours) == ("yes", "20-9")
    # It would have come at eight in the evening.
    assert [at for at, _ in begun] == [wall(5, 9)]


async def test_never_in_a_group(tmp_path: Path) -> None:
    group = replace(TELEGRAM, chat="-100")
    WHO[group] = WHO[TELEGRAM]
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        said = await ann.says(group, "明天下午三点我有个面试", private=False)
        refused = await ann.told(group, "/initiative on", private=False)
        begun = await lives_until(ann, wall(8, 12), group)
        agent_id = await ann.app.bindings.agent_id(group, private=False)
        state = (await ann.app.agents.get(agent_id)).state

    assert "主动找你吗" not in said
    assert state.agent_info.settings.begins == ""
    assert not state.intentions
    assert "可以主动找我" not in refused
    assert begun == []


async def test_it_comes_where_its_partner_last_wrote(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await is_allowed(ann)
        await ann.says(TELEGRAM, "明天下午三点我有个面试")
        await ann.link(TELEGRAM, LARK)
        ann.clock.tick(minutes=1)
        await ann.says(LARK, "我在这边了")
        begun = await lives_until(ann, wall(5, 0), LARK)

    assert [at for at, _ in begun] == [wall(4, 20)]


async def test_cut_between_saying_and_noting_it_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, screens = FakeClock(MORNING), Screens()
    async with two_chats(tmp_path, clock, screens=screens) as ann:
        await is_allowed(ann)
        await ann.says(TELEGRAM, "明天下午三点我有个面试")
        await ann.looks_what_is_due()
        begin = Wakes.begin

        async def cut(*given: object, **named: object) -> object:
            await begin(*given, **named)  # type: ignore[arg-type]
            raise RuntimeError("killed")

        monkeypatch.setattr(Wakes, "begin", cut)
        clock.tick(hours=35)
        await ann.app.reminding.look()
        await until(lambda: not ann.app.reminding.beginning)
        monkeypatch.undo()
    async with two_chats(tmp_path, clock, screens=screens) as ann:
        await ann.agent(TELEGRAM)
        await lives_until(ann, wall(7, 0))
        state = await ann.state(TELEGRAM)

    asked = [text for text in screens.finals(TELEGRAM) if "面试怎么样" in text]
    assert len(asked) == 1
    assert state.intentions[1].ended == "said"


async def test_down_over_its_time_it_comes_late_or_not_at_all(tmp_path: Path) -> None:
    clock, screens = FakeClock(MORNING), Screens()
    async with two_chats(tmp_path, clock, screens=screens) as ann:
        await is_allowed(ann)
        await ann.told(TELEGRAM, "/initiative quiet off")
        await ann.says(TELEGRAM, "明天下午三点我有个面试")
        await ann.says(TELEGRAM, "3月12号我有个考试")
        await ann.looks_what_is_due()
    clock.tick(days=2)
    async with two_chats(tmp_path, clock, screens=screens) as ann:
        await ann.agent(TELEGRAM)
        late = await lives_until(ann, wall(6, 0))
    clock.tick(days=20)
    async with two_chats(tmp_path, clock, screens=screens) as ann:
        await ann.agent(TELEGRAM)
        stale = await lives_until(ann, clock.now() + timedelta(days=2))

    assert ["那天的面试" in text or "昨天的面试" in text for _, text in late] == [True]
    assert stale == []


async def test_a_clock_set_back_repeats_nothing(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await is_allowed(ann)
        await ann.says(TELEGRAM, "明天下午三点我有个面试")
        first = await lives_until(ann, wall(4, 21))
        ann.clock.tick(hours=-6)
        again = await lives_until(ann, wall(5, 12))

    assert len(first) == 1
    assert again == []


async def test_help_shows_it(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, "/help initiative")
        shown = lines(ann.screens.documents[TELEGRAM][-1])

    assert "/initiative" in shown


async def test_a_slow_model_holds_up_no_reminder(tmp_path: Path) -> None:
    class Slow(ScriptedModel):
        async def complete(self, prompt: Prompt) -> Outcome:
            await hold.wait()
            return await super().complete(prompt)

    hold = asyncio.Event()
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await is_allowed(ann)
        await ann.says(TELEGRAM, "明天下午三点我有个面试")
        await ann.says(TELEGRAM, "明天晚上八点提醒我关火")
        reminding = ann.app.reminding
        reminding.words = replace(reminding.words, model=Slow(["面试怎么样呀？"]))
        await ann.settled()
        before = len(ann.screens.finals(TELEGRAM))
        ann.clock.set(wall(4, 20))
        await reminding.look()
        await until(lambda: len(ann.screens.finals(TELEGRAM)) == before + 1)
        rang = ann.screens.finals(TELEGRAM)[-1]
        hold.set()
        begun = await lives_until(ann, wall(4, 21))

    assert "关火" in rang
    # What rang is a line of the talk: she waits for a pause after it.
    assert [at for at, text in begun if "面试" in text] == [wall(4, 20, 30)]


async def test_of_many_that_are_due_few_begin_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = most = 0

    async def opens(reminding: Reminding, agent_id: str) -> None:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        await asyncio.sleep(0.001)
        at_once -= 1

    async def plans(reminding: Reminding, agent_id: str) -> None:
        """Plan nothing: there is no such agent."""

    async def knows(agents: Agents, agent_id: str) -> bool:
        return True

    many = [str(number) for number in range(40)]
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        monkeypatch.setattr(Reminding, "_open", opens)
        monkeypatch.setattr(Reminding, "_plan", plans)
        monkeypatch.setattr(Agents, "knows", knows)
        for agent_id in many:
            ann.app.reminding._begin(agent_id)
        await until(lambda: not ann.app.reminding.beginning)
        monkeypatch.undo()

    assert most == AT_ONCE


async def test_whoever_blocked_her_is_left_in_peace_after_four(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await is_allowed(ann)
        for day in range(4, 24):
            await ann.says(TELEGRAM, f"3月{day}号我有个考试")
        tried = 0

        async def blocked(*given: object, **named: object) -> None:
            nonlocal tried
            tried += 1
            raise Undeliverable("blocked")

        monkeypatch.setattr(ann.screens, "deliver", blocked)
        begun = await lives_until(ann, wall(30, 12))

    assert begun == []
    assert tried == 4


async def test_an_erasure_is_no_pause(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await is_allowed(ann)
        await ann.says(TELEGRAM, "明天下午三点我有个面试")
        ann.clock.set(wall(4, 19, 55))
        await ann.says(TELEGRAM, "薇薇的生日是哪天？")
        await ann.told(TELEGRAM, "/forget 薇薇")
        await ann.presses(TELEGRAM)
        begun = await lives_until(ann, wall(4, 21))

    assert [at for at, _ in begun] == [wall(4, 20, 25)]


@pytest.mark.parametrize(
    ("told", "never", "asks"),
    [
        ("我朋友小李明天有个面试", "加油", "你跟我说过：“我朋友小李明天有个面试”。后来怎么样了？"),
        ("Tom has an exam tomorrow", "Good luck", "“Tom has an exam tomorrow” How did it go for"),
        ("我姐明天要做手术", "怎么病了", "有件你说过的事"),
        ("Tom has surgery tomorrow", "you are not well", "There is something you told me"),
    ],
)
async def test_what_is_somebody_elses_is_not_asked_of_the_partner_as_their_own(
    tmp_path: Path, told: str, never: str, asks: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await is_allowed(ann)
        answer = await ann.says(TELEGRAM, told)
        begun = await lives_until(ann, wall(5, 9))

    assert never not in answer
    assert [(at, asks in text) for at, text in begun] == [(wall(4, 20), True)]


@pytest.mark.parametrize(
    ("lines", "question", "day", "wish"),
    [
        (("我1990年3月5日出生", "下周五我爸生日"), "我生日是哪天", "3月5日", "生日快乐"),
        (("我叫林小满，1990年3月5日出生",), "我生日是哪天", "3月5日", "生日快乐"),
        (
            ("I was born on 5 March 1990", "my dad has his birthday next Friday"),
            "when is my birthday?",
            "5 March",
            "Happy birthday",
        ),
    ],
)
async def test_who_tells_when_they_were_born_is_asked_and_wished_as_of_their_birthday(
    tmp_path: Path, lines: tuple[str, ...], question: str, day: str, wish: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await is_allowed(ann)
        for line in lines:
            await ann.says(TELEGRAM, line)
        answer = await ann.says(TELEGRAM, question)
        begun = await lives_until(ann, wall(5, 12))

    assert day in answer
    assert "爸" not in answer
    assert "dad" not in answer
    assert [text.startswith(wish) for _, text in begun] == [True]


@pytest.mark.parametrize(
    ("told", "greets"),
    [('Friend said: "I have an exam on Sunday"', "hello"), ("小李说：“我周日有个考试”", "你好")],
)
async def test_what_was_refused_as_anothers_words_is_asked_after_by_nobody(
    tmp_path: Path, told: str, greets: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, told)
        ann.clock.tick(hours=145)
        answer = await ann.says(TELEGRAM, greets)

    assert "exam" not in answer
    assert "考试" not in answer
