"""Stopping an answer, and having it anew: in order, beside crashes, in both languages."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.conversation.footnotes import cut_with_line
from bot.conversation.growing import NotTheirs, last_exchange
from bot.conversation.ledger import Accepted, Duplicate, MessageState
from bot.conversation.messages import PRESSED, ConversationKey, Sender, asks_again, asks_to_stop
from bot.dispatch.commands import ANSWERED_SOON
from bot.initiative.noted import Noted
from bot.texts import Sentence, dialogue, reminders, say
from memory.changes import Put
from memory.model import AgentSettings, Language, Message
from memory.ports import Outcome, Piece, Replied, Streamed
from prompts import Prompt, Reply
from tests.builders import a_memory
from tests.fakes.agent import FakeAgent
from tests.fakes.chat import FakeChat, Killed, Tripwire
from tests.fakes.clock import NOON
from tests.fakes.program_run import ANN, BEN, CUT, HOME, NOTHING, ProgramRun
from tests.fakes.waiting import ended, until

GROUP = ConversationKey(platform="telegram", account="7", chat="-100")


class SlowModel:
    """Says its pieces one after the other, each when it is let; ``closed`` counts ended calls."""

    name = "slow"

    def __init__(self, *pieces: str) -> None:
        self.pieces = pieces
        self.asked: list[Reply] = []
        self.more = asyncio.Semaphore(0)
        self.closed = 0

    async def complete(self, prompt: Prompt) -> Outcome:
        raise NotImplementedError

    async def stream(self, prompt: Prompt) -> AsyncIterator[Streamed]:
        assert isinstance(prompt, Reply)
        self.asked.append(prompt)
        try:
            for piece in self.pieces:
                await self.more.acquire()
                yield Piece(piece)
            await self.more.acquire()
            yield Replied("".join(self.pieces))
        finally:
            self.closed += 1


async def growing(tmp_path: Path, model: SlowModel, shown: str) -> ProgramRun:
    """Return a program in whose chat the answer to "讲个故事" has grown to ``shown``."""
    program = await ProgramRun(tmp_path, model=model).open()
    await program.receive("1", "讲个故事")
    await ended(until(lambda: len(model.asked) == 1))
    if shown:
        model.more.release()
        await ended(until(lambda: shown in program.chat.history))
    return program


@pytest.mark.parametrize(
    "line",
    ["停", "停！", "小祥，停一下", "停停停", "好了好了，停吧", "别说了", "不用再说了", "先停下来",
     "打住", "stop", "Stop it, please", "STOP!!", "ok stop", "@xiaoxiang_bot stop", "please stop"],
)  # fmt: skip
def test_a_line_that_only_says_stop_is_understood(line: str) -> None:
    assert asks_to_stop(line)


@pytest.mark.parametrize(
    "line",
    ["停车场在哪", "公交车停了吗", "别说谎", "雨停了", "我想停药", "bus stop", "stop by tomorrow",
     "non-stop", "", "小祥", "怎么让孩子停下来", "停电了怎么办", "我说够了"],
)  # fmt: skip
def test_talk_about_stopping_is_talk(line: str) -> None:
    assert not asks_to_stop(line)


@pytest.mark.parametrize(
    "line", ["再说一遍", "小祥，再说一遍吧", "重新回答", "请再答一次", "换个说法",
             "say that again", "Regenerate", "please try again"],
)  # fmt: skip
def test_a_line_that_only_asks_again_is_understood(line: str) -> None:
    assert asks_again(line)


@pytest.mark.parametrize(
    "line", ["再说吧", "再来一个", "他又说了一遍", "again", "重新装系统", "再说一遍你的名字",
             "see you again"],
)  # fmt: skip
def test_other_talk_is_not_asking_again(line: str) -> None:
    assert not asks_again(line)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("好，到时候我会提醒你的。", True),
        ("已经帮你设好明天的提醒了！", True),
        ("好，六点我叫你起床。", True),
        ("好，我每天八点叫你吃。", True),
        ("放心，我明天早上准时喊你出门！", True),
        ("好，六点我叫你起床？", False),
        ("要我明天早上提醒你带伞的话，说一声。", False),
        ("我明天下午两点半提醒你。", True),
        ("我那天早上会准时提醒你的。", True),
        ("我每天早上叫你的样子你还记得。", False),
        ("I'll wake you at seven, promise.", True),
        ("昨天六点我叫你的时候你还在睡。", False),
        ("你妈六点叫你起床，真准时。", False),
        ("我叫你小蔓好吗？", False),
        ("要我到时候提醒你吗？", False),
        ("那可得提醒你爸少喝点。", False),
    ],
)
async def test_a_reminder_that_a_model_promises_and_nobody_set_is_owned_up_to(
    tmp_path: Path, *, said: str, told: bool
) -> None:
    model = SlowModel(said)
    program = await growing(tmp_path, model, said)
    model.more.release()
    await ended(program.wait_until_idle())

    truth = say("zh", reminders.NO_REMINDER_SET)
    assert program.chat.finals() == [f"{said}\n\n{truth}" if told else said]
    await program.close()


@pytest.mark.parametrize("hangs_on", [False, True])
@pytest.mark.parametrize(
    ("asked", "said", "truth"),
    [
        ("把我说的都删掉", "好的，全部删除了，一条不留。", dialogue.NOTHING_ERASED),
        ("delete everything you know about me", "Done. I wiped it.", dialogue.NOTHING_ERASED),
        ("帮我把这条置顶", "已经置顶了。", dialogue.NOTHING_PINNED),
        ("把汤圆改成三花", "已经改好了。", dialogue.NOTHING_CHANGED),
        ("明天下午三点我要去打疫苗", "好的，我明天下午两点半提醒你。", reminders.NO_REMINDER_SET),
        ("帮我挂个号", "已经帮你挂好号了。", dialogue.NO_ERRAND_RUN),
        ("book a table", "Done! I've booked the table for you.", dialogue.NO_ERRAND_RUN),
        ("我把他微信删了", "删了就好。", None),
        ("我挂好号了", "你已经挂好号了。", None),
    ],
)
async def test_what_a_model_claims_and_did_not_do_is_owned_up_to_whatever_hangs_on_it(
    tmp_path: Path, *, asked: str, said: str, truth: Sentence | None, hangs_on: bool
) -> None:
    question = Noted("顺便问一句", beside=True, only_beside=True) if hangs_on else None
    program = ProgramRun(
        tmp_path, outcomes=[Replied(said)], by_rule=lambda _context, _now: question
    )
    await program.open()
    await program.receive("1", asked)
    await ended(program.wait_until_idle())

    lines = [said, *([say("en" if asked.isascii() else "zh", truth)] if truth else [])]
    shown = "\n\n".join([*lines, *(["顺便问一句"] if hangs_on else [])])
    (turn,) = program.agent.turns.values()
    assert turn.messages[-1].text == shown
    await program.close()


@pytest.mark.parametrize(
    ("fact", "asked", "said", "told"),
    [
        ("主人对青霉素过敏", "我对青霉素过敏吗", "你对青霉素不过敏，放心用。", "你对青霉素过敏"),
        ("my friend is allergic to penicillin", "can i take penicillin?",
         "Sure, penicillin is fine for you.", "you are allergic to penicillin"),
        ("主人对青霉素过敏", "我对青霉素过敏吗", "对，你对青霉素过敏。", ""),
    ],
)  # fmt: skip
@pytest.mark.parametrize("private", [True, False])
async def test_what_the_partner_told_stands_beside_a_reply_that_calls_it_harmless(
    tmp_path: Path, *, fact: str, asked: str, said: str, told: str, private: bool
) -> None:
    program = await ProgramRun(tmp_path, outcomes=[Replied(said)]).open()
    partner = "my friend" if fact.isascii() else "主人"
    program.agent.settings = replace(program.agent.settings, partner=partner)
    program.agent.state, _ = program.agent.state.apply([Put(a_memory(1, fact))])
    place = HOME if private else GROUP
    await program.receive("1", asked if private else f"小祥{asked}", conversation=place)
    await ended(program.wait_until_idle())

    language: Language = "en" if fact.isascii() else "zh"
    beside = say(language, dialogue.TOLD_OTHERWISE, told=told)
    (turn,) = program.agent.turns.values()
    assert turn.messages[-1].text == (f"{said}\n\n{beside}" if told and private else said)
    await program.close()


@pytest.mark.parametrize(
    ("facts", "asked", "said", "told"),
    [
        (["主人的弟弟叫小刚"], "我弟弟叫什么来着", "你弟弟叫小强呀。", "你弟弟叫小刚"),
        (["主人的猫叫团子"], "我家猫叫什么名字？", "它叫毛毛。", "你的猫叫团子"),
        (["my friend's brother is called Tom"], "what is my brother called?",
         "Your brother is called Jim.", "your brother is called Tom"),
        (["my friend has a cat named Mimi"], "What's my cat's name?", "Her name is Luna!",
         "you have a cat named Mimi"),
        # The same, not asked for, not told, or of several.
        (["主人的弟弟叫小刚"], "我弟弟叫什么来着", "你弟弟叫小刚呀。", ""),
        (["主人的弟弟叫刘小刚"], "我弟弟叫什么来着", "他叫小刚。", ""),
        (["主人的弟弟叫小刚"], "我弟弟叫我吃饭", "你弟弟叫你吃饭真好。", ""),
        (["主人的弟弟叫小刚"], "我弟弟叫什么来着", "你弟弟叫什么？我不记得了。", ""),
        (["主人的弟弟叫小刚"], "我弟弟叫什么来着", "你没说过他叫什么。", ""),
        (["主人的弟弟叫小刚", "主人有个弟弟叫小强"], "我弟弟叫什么", "你弟弟叫小强。", ""),
        (["主人的弟弟叫小刚", "主人有两个弟弟"], "我弟弟叫什么", "你弟弟叫小强。", ""),
        (["主人的弟弟叫小刚"], "我妹妹叫什么", "你妹妹叫小雨。", ""),
        (["主人的弟弟叫小刚"], "他弟弟叫什么", "他弟弟叫小强。", ""),
        (["主人喜欢弟弟"], "我弟弟叫什么", "你弟弟叫小强。", ""),
        (["my friend's brother is called Tom"], "what is my brother called?",
         "Tommy, of course: he is called Tommy.", ""),
        (["my friend's brother is called Tom"], "what is my brother called?",
         "I do not know what he is called.", ""),
        (["my friend's brother is called Tom"], "what is her brother called?",
         "He is called Jim.", ""),
    ],
)  # fmt: skip
@pytest.mark.parametrize("private", [True, False])
async def test_a_known_name_stands_beside_a_reply_that_gives_another(
    tmp_path: Path, *, facts: list[str], asked: str, said: str, told: str, private: bool
) -> None:
    program = await ProgramRun(tmp_path, outcomes=[Replied(said)]).open()
    partner = "my friend" if facts[0].isascii() else "主人"
    program.agent.settings = replace(program.agent.settings, partner=partner)
    for number, fact in enumerate(facts, 1):
        program.agent.state, _ = program.agent.state.apply([Put(a_memory(number, fact))])
    place = HOME if private else GROUP
    await program.receive("1", asked if private else f"小祥{asked}", conversation=place)
    await ended(program.wait_until_idle())

    language: Language = "en" if facts[0].isascii() else "zh"
    beside = say(language, dialogue.NAMED_OTHERWISE, told=told)
    (turn,) = program.agent.turns.values()
    assert turn.messages[-1].text == (f"{said}\n\n{beside}" if told and private else said)
    await program.close()


@pytest.mark.parametrize("word", ["停", "stop", "/stop", "/停", "停一下。"])
async def test_a_stop_keeps_what_came_and_marks_it_as_cut(tmp_path: Path, word: str) -> None:
    model = SlowModel("从前", "有座山")
    program = await growing(tmp_path, model, "从前")
    await program.receive("2", word)
    await ended(program.wait_until_idle())

    assert set(program.chat.finals()) == {f"从前\n\n{CUT}", "stopped"}
    assert program.chat.unfinished() == []
    (turn,) = program.agent.turns.values()
    assert [line.text for line in turn.said] == ["讲个故事"]
    assert turn.messages[-1].text == f"从前\n\n{CUT}"
    assert model.closed == 1
    assert await program.receive("2", word) == Duplicate(MessageState.DONE)
    await program.close()


async def test_a_stop_before_the_first_word_leaves_the_question_remembered(
    tmp_path: Path,
) -> None:
    model = SlowModel("从前")
    program = await growing(tmp_path, model, "")
    await program.receive("2", "停")
    await ended(program.wait_until_idle())

    assert set(program.chat.finals()) == {NOTHING, "stopped"}
    (turn,) = program.agent.turns.values()
    assert [line.text for line in turn.said] == ["讲个故事"]
    await program.close()


async def test_the_memories_of_a_stopped_answer_are_known(tmp_path: Path) -> None:
    model = SlowModel("从前", "有座山")
    program = ProgramRun(tmp_path, model=model, agent=FakeAgent(memories=("主人喜欢山",)))
    await program.open()
    await program.receive("1", "讲个故事")
    await ended(until(lambda: len(model.asked) == 1))
    await program.receive("2", "停")
    await ended(program.wait_until_idle())

    assert [[used.memory_id for used in t.used] for t in program.agent.turns.values()] == [[1]]
    await program.close()


async def test_what_waits_behind_a_stopped_answer_is_answered(tmp_path: Path) -> None:
    model = SlowModel("从前", "有座山")
    program = await growing(tmp_path, model, "从前")
    await program.receive("2", "明天下雨吗")
    await program.receive("3", "停")
    await ended(until(lambda: len(model.asked) == 2))
    for _ in range(3):
        model.more.release()
    await ended(program.wait_until_idle())

    assert set(program.chat.finals()) == {f"从前\n\n{CUT}", "stopped", "从前有座山"}
    assert model.asked[1].window[-1].text == "明天下雨吗"
    await program.close()


async def test_stop_where_nothing_is_answered_is_talk_and_the_command_says_so(
    tmp_path: Path,
) -> None:
    program = await ProgramRun(tmp_path).open()
    await program.receive("1", "停")
    await program.wait_until_idle()
    await program.receive("2", "/stop")
    await program.wait_until_idle()

    assert program.chat.finals() == ["你说：停", "nothing to stop"]
    await program.close()


async def test_in_a_group_the_word_of_another_stops_nothing(tmp_path: Path) -> None:
    model = SlowModel("从前", "有座山")
    program = await ProgramRun(tmp_path, model=model).open()
    await program.receive("1", "小祥讲个故事", conversation=GROUP, sender=ANN)
    await ended(until(lambda: len(model.asked) == 1))
    model.more.release()
    await program.receive("2", "/stop", conversation=GROUP, sender=BEN)
    await program.receive("3", "小祥，停", conversation=GROUP, sender=BEN)
    await ended(program.urgent.wait_until_idle())
    assert program.chat.finals() == ["nothing to stop"]

    await program.receive("4", "小祥，停", conversation=GROUP, sender=ANN)
    await ended(until(lambda: len(program.chat.finals()) == 3))
    assert set(program.chat.finals()) == {"nothing to stop", f"从前\n\n{CUT}", "stopped"}
    for _ in range(3):
        model.more.release()
    await ended(program.wait_until_idle())
    assert model.asked[1].window[-1].text == "停"
    await program.close()


async def test_in_a_group_who_waits_behind_another_takes_their_question_back(
    tmp_path: Path,
) -> None:
    model = SlowModel("从前", "有座山")
    program = await ProgramRun(tmp_path, model=model).open()
    await program.receive("1", "小祥讲个故事", conversation=GROUP, sender=ANN)
    await ended(until(lambda: len(model.asked) == 1))
    await program.receive("2", "小祥，带狗可以吗", conversation=GROUP, sender=BEN)
    await program.receive("3", "停", conversation=GROUP, sender=BEN)
    await ended(program.urgent.wait_until_idle())
    assert program.chat.finals() == ["stopped"]
    for _ in range(3):
        model.more.release()
    await ended(program.wait_until_idle())

    assert program.chat.finals() == ["stopped", "从前有座山"]
    assert len(model.asked) == 1
    await program.close()


async def test_a_press_of_another_stops_nothing_and_is_kept_by_nobody(tmp_path: Path) -> None:
    model = SlowModel("从前", "有座山")
    program = await ProgramRun(tmp_path, model=model).open()
    await program.receive("1", "小祥讲个故事", conversation=GROUP, sender=ANN)
    await ended(until(lambda: len(model.asked) == 1))
    model.more.release()

    async def press(key: str, sender: Sender) -> object:
        said = program.message(key, "/stop", conversation=GROUP, sender=sender)
        return await program.intake.receive(replace(said, raw={PRESSED: True}))

    assert await press("2", BEN) == NotTheirs()
    assert program.chat.finals() == []
    assert isinstance(await press("3", ANN), Accepted)
    await ended(until(lambda: len(program.chat.finals()) == 2))
    assert set(program.chat.finals()) == {f"从前\n\n{CUT}", "stopped"}
    assert isinstance(await press("4", BEN), Accepted)
    await ended(program.wait_until_idle())
    await program.close()


async def stopped_beside_a_kill(folder: Path, step: int) -> tuple[ProgramRun, bool]:
    """Say something, stop it, die at a step, start again with a model that would answer whole."""
    program = ProgramRun(folder / str(step), model=(slow := SlowModel("从前", "有座山")))
    program.wire = Tripwire(at=step)
    finished = True
    try:
        await program.open()
        await program.receive("1", "讲个故事")
        await ended(until(lambda: bool(slow.asked) or _dead(program)))
        slow.more.release()
        await ended(until(lambda: "从前" in program.chat.history or _dead(program)))
        await program.receive("2", "停")
        await until(
            lambda: _dead(program) or not (program.lanes.open_count + program.urgent.open_count)
        )
    except Killed:
        finished = False
    finished = finished and not _dead(program)
    if not finished:
        for task in list(program.supervisor._tasks):
            task.cancel()
    return program, finished


def _dead(program: ProgramRun) -> bool:
    wire = program.wire
    return wire.at is not None and wire.steps >= wire.at


async def test_beside_kills_a_turn_is_answered_or_stopped_and_never_both(tmp_path: Path) -> None:
    outcomes = set()
    for step in range(1, 200, 2):
        first, finished = await stopped_beside_a_kill(tmp_path, step)
        acknowledged = "从前" in first.chat.history
        second = ProgramRun(
            first.folder, chat=first.chat, agent=first.agent, clock=first.clock, wire=Tripwire()
        )
        if hasattr(first, "database"):
            await first.database.close()
        await second.open()
        # What the platform was not told to be received, it delivers again.
        await second.receive("1", "讲个故事")
        await second.recover()
        if acknowledged:
            await second.receive("2", "停")
        await ended(second.wait_until_idle())
        turns = [t for t in second.agent.turns.values() if t.said[0].text == "讲个故事"]
        assert len(turns) == 1, step
        answer = turns[0].messages[-1].text
        whole = answer == "你说：讲个故事"
        cut = answer in {f"从前\n\n{CUT}", NOTHING}
        assert whole != cut, (step, answer)
        finals = second.chat.finals()
        assert finals.count(answer) == 1, (step, finals)
        assert sum(each in {"你说：讲个故事", f"从前\n\n{CUT}", NOTHING} for each in finals) == 1
        # As ever, a "…" whose id was not recorded yet may stay.
        assert len(second.chat.unfinished()) <= 1, step
        outcomes.add((whole, answer))
        await second.close()
        if finished:
            break
    else:
        raise AssertionError("no run came to its end")
    assert {whole for whole, _ in outcomes} == {True, False}


@pytest.mark.parametrize(("word", "stops"), [("停", True), ("停车场在哪", False)])
async def test_in_a_group_the_bare_word_of_who_asked_stops(
    tmp_path: Path, *, word: str, stops: bool
) -> None:
    model = SlowModel("从前", "有座山")
    program = await ProgramRun(tmp_path, model=model).open()
    await program.receive("1", "小祥讲个故事", conversation=GROUP, sender=ANN)
    await ended(until(lambda: len(model.asked) == 1))
    model.more.release()
    await ended(until(lambda: "从前" in program.chat.history))
    # The same word of somebody else, said to nobody, is nothing to her.
    await program.receive("2", word, conversation=GROUP, sender=BEN, addressed=False)
    await program.receive("3", word, conversation=GROUP, sender=ANN, addressed=False)
    await ended(program.urgent.wait_until_idle())
    for _ in range(3):
        model.more.release()
    await ended(program.wait_until_idle())

    assert (f"从前\n\n{CUT}" in program.chat.finals()) == stops
    assert len(model.asked) == 1
    await program.close()


@pytest.mark.parametrize("word", ["/again", "再说一遍", "say that again"])
async def test_the_last_answer_is_given_anew_in_place_of_the_former(
    tmp_path: Path, word: str
) -> None:
    said: list[Outcome] = [Replied("嗨"), Replied("第一"), Replied("第二")]
    program = await ProgramRun(tmp_path, outcomes=said).open()
    for key, text in enumerate(("早", "讲个故事", word), start=1):
        await program.receive(str(key), text)
        await program.wait_until_idle()

    assert program.chat.finals() == ["嗨", "第一", "第二"]
    asked = program.echo.asked[-1]
    assert [line.text for line in asked.window] == ["早", "嗨", "讲个故事"]
    window = program.agent.window(str(HOME))
    assert [line.text for line in window] == ["早", "嗨", "讲个故事", "第二"]
    again = list(program.agent.turns.values())[-1]
    assert again.said == ()
    await program.close()


async def test_again_twice_and_going_on_talks_from_the_newest_answer(tmp_path: Path) -> None:
    said: list[Outcome] = [Replied(each) for each in ("第一", "第二", "第三", "好")]
    program = await ProgramRun(tmp_path, outcomes=said).open()
    for key, text in enumerate(("讲个故事", "再说一遍", "再说一遍", "然后呢"), start=1):
        await program.receive(str(key), text)
        await program.wait_until_idle()

    window = [line.text for line in program.echo.asked[-1].window]
    assert window == ["讲个故事", "第三", "然后呢"]
    await program.close()


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_again_without_an_answer_says_so(tmp_path: Path, language: str) -> None:
    agent = FakeAgent(settings=AgentSettings(language="en" if language == "en" else "zh"))
    program = await ProgramRun(tmp_path, agent=agent).open()
    await program.receive("1", "/again")
    await program.wait_until_idle()

    line = say(agent.settings.language, dialogue.NOTHING_TO_REPEAT)
    assert program.chat.finals() == [line]
    assert program.agent.turns == {}
    assert program.echo.asked == []
    await program.close()


def line(number: int, role: str, text: str, person: str = "") -> Message:
    return Message(
        id=str(number),
        at=NOON,
        speaker="安",
        role="assistant" if role == "a" else "user",
        text=text,
        speaker_id=person,
    )


def test_in_a_group_only_who_was_answered_has_it_again() -> None:
    window = [line(1, "u", "早", "t:1"), line(2, "u", "讲", "t:2"), line(3, "a", "好")]

    assert last_exchange(window, "t:2").said == (window[1],)
    assert last_exchange(window, "t:1").said == ()
    assert last_exchange(window).said == (window[0], window[1])


async def test_again_beside_kills_is_answered_once(tmp_path: Path) -> None:
    for step in range(1, 120, 3):
        folder = tmp_path / str(step)
        first = ProgramRun(folder, wire=Tripwire(), chat=FakeChat())
        await first.open()
        await first.receive("1", "讲个故事")
        await first.wait_until_idle()
        first.wire.at = first.wire.steps + step
        finished = True
        try:
            await first.receive("2", "再说一遍")
            await first.wait_until_idle()
        except Killed:
            finished = False
        finished = finished and not _dead(first)
        for task in list(first.supervisor._tasks):
            task.cancel()
        await first.database.close()
        second = ProgramRun(folder, chat=first.chat, agent=first.agent, clock=first.clock)
        await second.open()
        await second.receive("2", "再说一遍")
        await second.recover()
        window = second.agent.window(str(HOME))
        assert [each.text for each in window] == ["讲个故事", "你说：讲个故事"], step
        assert len(second.agent.turns) == 2, step
        assert second.chat.finals() == ["你说：讲个故事"] * 2, step
        await second.close()
        if finished:
            return
    raise AssertionError("no run came to its end")


async def test_the_accepted_word_is_durable_as_the_command(tmp_path: Path) -> None:
    program = await growing(tmp_path, SlowModel("从前"), "")
    receipt = await program.receive("2", "停")

    assert isinstance(receipt, Accepted)
    assert receipt.message.incoming.text == "/stop"
    await program.close()


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ("说完了", "说完了"),
        ("所以**注意", "所以**注意**"),
        ("所以**", "所以"),
        ("所以**注意。*", "所以**注意。**"),
        ("所以**注意**，再", "所以**注意**，再"),
        ("先用 `git sta", "先用 `git sta`"),
        ("```py\nx = 1", "```py\nx = 1\n```"),
        ("~~~~\nx **", "~~~~\nx **\n~~~~"),
        ("```py\nx = 1\n```", "```py\nx = 1\n```"),
    ],
)
def test_what_a_cut_left_open_is_closed_above_the_line_that_says_so(
    text: str, closed: str
) -> None:
    assert cut_with_line(text, "（没说完）") == f"{closed}\n\n（没说完）"


@pytest.mark.usefixtures("quick_time")
@pytest.mark.parametrize("shown", ["", "从前有座山，"])
@pytest.mark.parametrize("early", [False, True])
async def test_what_only_looks_is_answered_while_a_slow_model_thinks(
    tmp_path: Path, shown: str, *, early: bool
) -> None:
    model = SlowModel("从前有座山，")
    program = await growing(tmp_path, model, shown)
    if not early:
        await asyncio.sleep(ANSWERED_SOON + 0.5)
    await program.receive("2", "/memory 列表")
    await program.receive("3", "/记忆")
    await ended(until(lambda: {"memory: 列表", "memory: "} <= {*program.chat.finals()}))
    assert len(program.desk.carried_out) == 2
    await program.receive("4", "再来一个")
    for _ in range(4):
        model.more.release()
    await program.wait_until_idle()

    # Each was answered once, and what was said is one turn after the other.
    assert sorted(program.chat.finals()) == ["memory: ", "memory: 列表", *["从前有座山，"] * 2]
    assert [[line.text for line in each.said] for each in program.agent.turns.values()] == [
        ["讲个故事"],
        ["再来一个"],
    ]
    await program.close()


@pytest.mark.usefixtures("quick_time")
async def test_behind_what_changes_something_a_look_waits_for_it(tmp_path: Path) -> None:
    model = SlowModel("从前有座山，")
    program = await growing(tmp_path, model, "")
    await program.receive("2", "/link")
    await program.receive("3", "/memory")
    await asyncio.sleep(3 * ANSWERED_SOON)
    assert program.desk.carried_out == []
    for _ in range(2):
        model.more.release()
    await program.wait_until_idle()

    assert program.chat.finals() == ["从前有座山，", "link: ", "memory: "]
    await program.close()


@pytest.mark.usefixtures("quick_time")
async def test_a_look_that_a_pause_cuts_short_is_not_lost(tmp_path: Path) -> None:
    model = SlowModel("从前有座山，")
    program = await growing(tmp_path, model, "")
    program.desk.held = asyncio.Event()
    await asyncio.sleep(ANSWERED_SOON + 0.5)
    await program.receive("2", "/memory")
    await ended(until(lambda: program.desk.carried_out))
    async with program.pauses.paused([HOME]):
        assert model.closed == 1
    program.desk.held.set()
    for _ in range(2):
        model.more.release()
    await program.wait_until_idle()

    interrupted = say("zh", dialogue.COMMAND_INTERRUPTED, name="memory")
    assert sorted(program.chat.finals()) == sorted(["从前有座山，", interrupted])
    await program.close()
