"""While a model is away: what needs none comes at once, and what was promised is kept, once."""

import contextlib
from datetime import datetime
from pathlib import Path

import pytest

from bot.conversation.ledger import Duplicate, MessageState
from bot.conversation.reply_generator import TurnContext
from bot.dispatch.commands import commands_first
from bot.initiative.noted import Noted
from bot.texts import dialogue as texts
from bot.texts import say
from memory.ports import Invalid, Outcome, Unavailable
from prompts import Prompt
from tests.fakes.agent import FakeAgent
from tests.fakes.chat import Killed
from tests.fakes.program_run import HOME, EchoModel, ProgramRun

AWAY = Unavailable("server_error")
BAD = Invalid("tool_call")


def reminded(context: TurnContext, _now: datetime) -> Noted | None:
    """Answer by rule what asks to be reminded."""
    asked = [line.text for line in context.said if "提醒" in line.text]
    return Noted("好，到时候提醒你。", beside="另外" in asked[0]) if asked else None


async def opened(folder: Path, *outcomes: Outcome) -> ProgramRun:
    return await ProgramRun(folder, outcomes=list(outcomes), by_rule=reminded).open()


async def said(program: ProgramRun, *lines: str) -> list[str]:
    """Say lines one after the other; return what she said to them."""
    before = len(program.chat.finals())
    for line in lines:
        await program.receive(line, line)
        await program.wait_until_idle()
    return program.chat.finals()[before:]


async def later(program: ProgramRun) -> list[str]:
    """Return what she says once it is time to try again."""
    before = len(program.chat.finals())
    program.clock.tick(hours=1)
    await program.recover()
    return program.chat.finals()[before:]


async def test_a_command_is_carried_out_at_once_while_lines_wait_for_the_model(
    tmp_path: Path,
) -> None:
    program = await opened(tmp_path, AWAY, AWAY, AWAY)
    heard = await said(program, "烦死了", "/memory list", "/memory health")

    assert heard == [texts.POSTPONED.zh, "memory: list", "memory: health"]
    assert await later(program) == ["你说：烦死了"]
    await program.close()


async def test_a_command_that_comes_while_a_line_is_tried_does_not_wait_for_the_next_try(
    tmp_path: Path,
) -> None:
    program = await opened(tmp_path, AWAY, AWAY)
    await program.receive("1", "烦死了")
    await program.receive("2", "/memory list")
    await program.wait_until_idle()

    assert program.chat.finals() == [texts.POSTPONED.zh, "memory: list"]
    await program.close()


async def test_a_command_still_comes_behind_what_nobody_tried_before_it(tmp_path: Path) -> None:
    program = await opened(tmp_path)
    await program.receive("1", "记住我怕狗")
    await program.receive("2", "/memory list")
    await program.wait_until_idle()

    assert program.chat.finals() == ["你说：记住我怕狗", "memory: list"]
    await program.close()


async def test_what_was_promised_an_answer_gets_one_though_rules_answer_a_later_line(
    tmp_path: Path,
) -> None:
    program = await opened(tmp_path, AWAY, AWAY, AWAY)
    heard = await said(program, "我对虾过敏", "你在吗", "明天八点提醒我吃药")

    assert heard == [texts.POSTPONED.zh, texts.POSTPONED_TOO.zh, "好，到时候提醒你。"]
    assert await later(program) == ["你说：你在吗"]
    told = [line.text for turn in program.agent.turns.values() for line in turn.messages]
    assert told.count("好，到时候提醒你。") == 1
    assert told.count("你说：你在吗") == 1
    assert await later(program) == []
    for line in ("我对虾过敏", "你在吗", "明天八点提醒我吃药"):
        assert await program.receive(line, line) == Duplicate(MessageState.DONE)
    await program.close()


async def test_a_crash_at_any_step_drops_and_doubles_neither_the_promise_nor_the_rule(
    tmp_path: Path,
) -> None:
    promised, asked = "我对虾过敏", "明天八点提醒我吃药"
    for step in range(1, 200):
        program = await opened(tmp_path / str(step), AWAY, AWAY)
        await said(program, promised)
        program.wire.at = program.wire.steps + step
        with contextlib.suppress(Killed):
            await program.receive(asked, asked)
            await program.lanes.wait_until_idle()
        crashed = program.wire.steps >= program.wire.at
        await program.database.close()

        again = ProgramRun(
            program.folder,
            chat=program.chat,
            agent=program.agent,
            clock=program.clock,
            by_rule=reminded,
        )
        await again.open()
        for line in (promised, asked):
            await again.receive(line, line)
        again.clock.tick(hours=1)
        await again.recover()

        heard = sorted(again.chat.finals())
        expected = sorted([texts.POSTPONED.zh, "好，到时候提醒你。", f"你说：{promised}"])
        assert heard == expected, f"step {step}"
        told = [line.text for turn in again.agent.turns.values() for line in turn.messages]
        assert sorted(told) == sorted([asked, "好，到时候提醒你。", f"你说：{promised}"])
        assert await again.ledger.turns.unfinished(HOME) == ()
        await again.close()
        if not crashed:
            break
    else:
        pytest.fail("it never came to its end")
    assert step > 20


async def test_the_model_is_not_asked_again_for_what_a_rule_answers_beside_the_rest(
    tmp_path: Path,
) -> None:
    program = await opened(tmp_path, AWAY, AWAY, AWAY)
    heard = await said(program, "你在吗", "明天八点提醒我吃药，另外我好累")

    assert heard == [texts.POSTPONED.zh, "好，到时候提醒你。"]
    assert await later(program) == ["你说：你在吗"]
    await program.close()


async def test_once_the_model_is_back_all_that_waits_is_answered_together(tmp_path: Path) -> None:
    program = await opened(tmp_path, AWAY, AWAY)
    await said(program, "一", "二")

    assert await said(program, "三") == ["你说：三"]
    assert [line.text for line in program.echo.asked[-1].window[-3:]] == ["一", "二", "三"]
    assert await later(program) == []
    await program.close()


async def test_the_notice_is_said_in_full_once_and_again_in_the_next_outage(
    tmp_path: Path,
) -> None:
    program = await opened(tmp_path, *[AWAY] * 3)
    full, short = texts.POSTPONED.zh, texts.POSTPONED_TOO.zh

    assert await said(program, "一", "二", "三") == [full, short, short]
    assert await later(program) == ["你说：三"]
    program.echo.outcomes += [AWAY, AWAY]
    assert await said(program, "四", "五") == [full, short]
    await program.close()


async def test_another_reason_is_told_in_full(tmp_path: Path) -> None:
    program = await opened(tmp_path, AWAY, Unavailable("quota"), Unavailable("quota"))

    assert await said(program, "一", "二", "三") == [
        texts.POSTPONED.zh,
        texts.OWNERS_REASONS["quota"].zh,
        texts.POSTPONED_TOO.zh,
    ]
    await program.close()


async def test_a_line_that_no_try_answers_spoils_no_later_one(tmp_path: Path) -> None:
    program = await opened(tmp_path, BAD)
    assert await said(program, "晚安啦") == [texts.POSTPONED.zh]

    assert await said(program, "你在吗") == ["你说：你在吗", "你说：晚安啦"]
    await program.close()


async def test_what_is_given_up_is_given_up_alone(tmp_path: Path) -> None:
    program = await opened(tmp_path, BAD)
    await said(program, "晚安啦")
    program.echo.outcomes += [BAD, BAD]
    before = len(program.chat.finals())
    await later(program)
    await later(program)

    assert program.chat.finals()[before:] == [say("zh", texts.GAVE_UP, said="晚安啦")]
    assert await said(program, "你在吗") == ["你说：你在吗"]
    await program.close()


async def test_what_stands_in_memory_is_told_at_once_and_only_that(tmp_path: Path) -> None:
    agent = FakeAgent(memories=("主人对虾过敏",))
    outcomes: list[Outcome] = [AWAY] * 4
    program = await ProgramRun(tmp_path, agent=agent, outcomes=outcomes).open()
    heard = await said(program, "今天好累", "我对什么过敏？", "我妈叫什么？")

    assert heard[0] == texts.POSTPONED.zh
    assert heard[1].startswith("我记得：你对虾过敏")
    assert heard[2:] == [texts.POSTPONED_TOO.zh]
    assert await later(program) == ["你说：我妈叫什么？"]
    assert program.echo.asked[-1].window[-2].text == "今天好累"
    await program.close()


@pytest.mark.parametrize(
    ("line", "notice"),
    [
        ("what's my daughter called?", texts.POSTPONED.en),
        ("今天好累", texts.POSTPONED.zh),
        ("ok", texts.POSTPONED.zh),
        ("我在 Leeds City 上班", texts.POSTPONED.zh),
    ],
)
async def test_a_notice_is_in_the_language_of_the_talk(
    tmp_path: Path, line: str, notice: str
) -> None:
    program = await opened(tmp_path, AWAY)

    assert await said(program, line) == [notice]
    await program.close()


async def test_commands_pass_only_what_was_tried(tmp_path: Path) -> None:
    program = await opened(tmp_path, AWAY)
    await said(program, "一")
    messages = [program.message(line, line) for line in ("/memory", "/again", "二")]
    now = program.clock.now()
    for message in messages:
        await program.ledger.inbox.accept(message, now)
    waiting = (await program.ledger.inbox.owed(messages[0].conversation, now)).waiting

    ordered = [each.incoming.text for each in commands_first(waiting)]
    assert ordered == ["/memory", "一", "/again", "二"]
    await program.close()


@pytest.mark.parametrize("first", [AWAY, BAD], ids=["away", "said nothing"])
@pytest.mark.parametrize("count", [3, 16, 130])
async def test_every_line_of_a_long_outage_is_acknowledged_and_nothing_is_due_before_its_time(
    tmp_path: Path, first: Outcome, count: int
) -> None:
    program = await opened(tmp_path, first, *[AWAY] * 1_000)
    lines = [f"第{number}句" for number in range(1, count)]
    heard = [await said(program, line) for line in lines]

    assert heard[0] == [texts.POSTPONED.zh]
    assert all(len(each) == 1 for each in heard)
    assert await program.ledger.inbox.conversations_due(["telegram"], program.clock.now()) == ()
    assert program.agent.kept_unanswered() == lines
    before = len(program.chat.finals())
    for _ in range(5):
        program.clock.tick(seconds=45)
        await program.recover()
        now = program.clock.now()
        assert await program.ledger.inbox.conversations_due(["telegram"], now) == ()
    assert program.chat.finals()[before:] == []
    assert await said(program, "/memory list") == ["memory: list"]
    await program.close()


async def test_a_line_is_tried_once_when_it_comes_while_a_model_is_away(tmp_path: Path) -> None:
    program = await opened(tmp_path, BAD, AWAY, AWAY, AWAY)
    await said(program, "一", "二", "三", "四")

    assert len(program.echo.asked) == 4
    await program.close()


async def test_what_waits_behind_a_line_that_no_try_answered_reaches_the_model_as_it_was_said(
    tmp_path: Path,
) -> None:
    program = await opened(tmp_path, BAD, AWAY, AWAY)
    await said(program, "一", "二", "三")

    assert await later(program) == ["你说：一", "你说：三"]
    shown = [[line.text for line in each.window] for each in program.echo.asked]
    assert shown[-2:] == [["一"], ["一", "你说：一", "二", "三"]]
    assert await later(program) == []
    await program.close()


async def test_only_the_line_that_no_try_answered_is_left_out_of_what_is_said_next(
    tmp_path: Path,
) -> None:
    program = await opened(tmp_path, BAD, AWAY)
    await said(program, "一", "二")

    assert await said(program, "三") == ["你说：三", "你说：一"]
    (first, *_) = (turn for turn in program.agent.turns.values() if turn.reply)
    assert [line.text for line in first.messages][-1] == "你说：三"
    assert await later(program) == []
    await program.close()


class TalkedInto(EchoModel):
    """A model that is away while somebody writes on."""

    program: ProgramRun

    async def complete(self, prompt: Prompt) -> Outcome:
        if len(self.asked) == 0:
            self.program.clock.tick(seconds=1)
            await self.program.receive("2", "在吗")
        return await super().complete(prompt)


@pytest.mark.parametrize("tries", [1, 2])
async def test_a_line_that_comes_while_another_is_tried_in_vain_does_not_wait_unheard(
    tmp_path: Path, tries: int
) -> None:
    program = ProgramRun(tmp_path)
    program.model = model = TalkedInto(program.wire, [AWAY] * tries)
    model.program = await program.open()
    await program.receive("1", "烦死了")
    await program.wait_until_idle()

    answered = ["你说：在吗"] if tries == 1 else [texts.POSTPONED_TOO.zh]
    assert program.chat.finals() == [texts.POSTPONED.zh, *answered]
    assert [line.text for line in model.asked[-1].window] == ["烦死了", "在吗"]
    assert await later(program) == (["你说：在吗"] if tries == 2 else [])
    await program.close()


async def test_rules_that_break_on_a_line_do_not_stop_the_talk(tmp_path: Path) -> None:
    def broken(context: TurnContext, _now: datetime) -> Noted | None:
        if context.said[-1].text == "二":
            raise RuntimeError("a mistake of ours")
        return None

    program = ProgramRun(tmp_path, outcomes=[AWAY], by_rule=broken)
    await program.open()

    heard = [await said(program, line) for line in ("一", "二", "三")]

    assert [bool(each) for each in heard] == [True, True, True]
    assert await program.ledger.turns.unfinished(HOME) == ()
    await program.close()


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("晚安啦，今天好累", "晚安啦，今天好累"),
        ("第一行\n\n第二行", "第一行 第二行"),
        ("i told you about him", "i told you about him"),
        ("好" * 60, "好" * 40 + "…"),
        ("我的密码是 hunter2xyz", "hunter2xyz"),
    ],
)
async def test_who_gives_a_line_up_says_which_and_no_secret(
    tmp_path: Path, line: str, meant: str
) -> None:
    program = await opened(tmp_path, BAD)
    await said(program, line)
    program.echo.outcomes += [BAD, BAD]
    await later(program)
    (given_up,) = await later(program)

    if "hunter2xyz" in line:
        assert meant not in given_up
    else:
        assert given_up in {say(each, texts.GAVE_UP, said=meant) for each in ("zh", "en")}
    await program.close()
