"""What is over stays over, whatever is judged of an old talk, and only what changed is over."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from memory.changes import Put, Task
from memory.judgement.draft import Judgement
from memory.learning import consolidation, summarizer
from memory.model import Memory, Tier
from memory.offline import OfflineModel
from memory.ports import Outcome, Replied, Streamed
from memory.state import MemoryState
from prompts import Monitor, Prompt
from tests.builders import a_message
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.life import empty_memory, says, tell

Answer = str | Callable[[Monitor], str]
Line = tuple[int, str, Answer]


@dataclass
class ScriptedJudge:
    """Answers as it is told about the line that was said last."""

    name: str = "scripted"
    answer: Answer = "[SKIP]"
    rules: OfflineModel = field(default_factory=OfflineModel)

    async def complete(self, prompt: Prompt) -> Outcome:
        if not isinstance(prompt, Monitor):
            return await self.rules.complete(prompt)
        told = self.answer if isinstance(self.answer, str) else self.answer(prompt)
        return Replied(told, model=self.name)

    async def stream(self, prompt: Prompt) -> AsyncIterator[Streamed]:
        yield await self.complete(prompt)


def update(held: str, text: str) -> Callable[[Monitor], str]:
    """Return an UPDATE of the memory whose text holds these words."""

    def answer(prompt: Monitor) -> str:
        named = [m.handle for m in prompt.memories if held in m.text and not m.past]
        return f"[UPDATE:{named[0]}] {text}" if named else f"[ADD] {text}"

    return answer


async def _lived(lines: Sequence[Line]) -> MemoryState:
    clock, judge = FakeClock(), ScriptedJudge()
    agent = await empty_memory(clock, "en" if lines[0][1].isascii() else "zh", judge)
    for number, (day, text, answer) in enumerate(lines):
        at = NOON + timedelta(days=day, minutes=number)
        clock.set(at)
        judge.answer = answer
        hits = await agent.search(text)
        found = agent.memories_for_prompt(hits, budget_tokens=1_200, count=len)
        await tell(agent, number, text, at, used=found.used)
    state = agent.state
    await agent.close()
    return state


def _after(*lines: Line) -> MemoryState:
    return asyncio.run(_lived(lines))


def _recalled(state: MemoryState, lines: Sequence[Line], answer: str) -> MemoryState:
    """Return the state after the old talk of these lines was judged once more, two months on."""
    night = NOON + timedelta(days=lines[-1][0] + 60)
    for number, (day, text, _) in enumerate(lines):
        at = NOON + timedelta(days=day, minutes=number)
        talk = (
            a_message(f"s{number}", text, at=at),
            a_message(f"r{number}", "嗯", at=at, speaker="小祥", role="assistant"),
        )
        task = Task(id=f"t{number}", kind="segment", at=at, messages=talk, conversation="c")
        state, _ = state.apply([Put(task)])
        asked = summarizer.stretch_question(talk, state, at, stretch=task.id, conversation="c")
        state, _ = state.apply(summarizer.episodes_by_rule(asked, state, at).changes)
    episodes = [m.id for m in state.memories.values() if m.nature.tier is Tier.EPISODE]
    question = consolidation.episodes_question(episodes, state, night)
    by_rule = asyncio.run(OfflineModel().complete(question.prompt)).text
    for told, model in ((by_rule, "offline"), (answer, "scripted")):
        judged = consolidation.judge(
            question, told, state, night, model=model, last=model != "offline"
        )
        assert isinstance(judged, Judgement), judged
        state, _ = state.apply(judged.changes)
    return state


def _living(state: MemoryState) -> list[str]:
    return [m.words.text for m in _facts(state) if m.is_living_fact]


def _past(state: MemoryState) -> list[str]:
    return [m.words.text for m in _facts(state) if m.is_past and m.is_active]


def _facts(state: MemoryState) -> list[Memory]:
    return [m for _, m in sorted(state.memories.items()) if m.is_fact]


def _tells(texts: Sequence[str], *words: str) -> bool:
    return any(all(says(text, word) for word in words) for text in texts)


ALLERGY: tuple[Line, ...] = (
    (
        0,
        "我对青霉素过敏，小时候打针休克过一次",
        "[ADD] User is allergic to penicillin\n[ADD] 主人小时候因打针休克过一次",
    ),
    (17, "医生说我其实对青霉素不过敏", "[SKIP]"),
)
ALLERGY_EN: tuple[Line, ...] = (
    (
        0,
        "I'm allergic to penicillin, had a bad shock once as a kid",
        "[ADD] The user is allergic to penicillin\n[ADD] The user went into shock once as a kid",
    ),
    (17, "turns out I'm not allergic to penicillin after all", "[SKIP]"),
)


@pytest.mark.parametrize(
    ("lines", "again", "over"),
    [
        (ALLERGY, "[ADD] 主人对青霉素过敏", "主人对青霉素过敏"),
        (ALLERGY_EN, "[ADD] The partner is allergic to penicillin", "is allergic to penicillin"),
        (
            (
                (0, "我住在扬州，房子是租的", "[ADD] 主人住在扬州，房子是租的"),
                (9, "我搬到泰州了", "[ADD] 主人搬到泰州了"),
            ),
            "[ADD] 主人住在扬州",
            "主人住在扬州",
        ),
        (
            (
                (0, "my mum Carol lives in York, she has a bad hip", "[SKIP]"),
                (
                    10,
                    "got that wrong, mum doesn't live in York, she lives in Hull",
                    "[ADD] The user's mum lives in Hull",
                ),
            ),
            "[ADD] The partner's mum Carol lives in York",
            "Carol lives in York",
        ),
    ],
)
def test_an_old_talk_brings_nothing_back(lines: tuple[Line, ...], again: str, over: str) -> None:
    before = _after(*lines)
    assert not _tells(_living(before), over)

    after = _recalled(before, lines[:1], again)

    assert _living(after) == _living(before)


@pytest.mark.parametrize(
    ("line", "judged", "again"),
    [
        ("我最近在学尤克里里，每周上一次课", "主人最近在学尤克里里，每周上一次课",
         "主人最近在学尤克里里"),
        ("我不吃香菜，闻着就恶心", "主人不吃香菜，闻着就恶心", "主人不吃香菜"),
        (
            "我弟弟周航在读研，学的是材料，今年六月毕业",
            "主人的弟弟周航在读研，学材料，今年六月毕业",
            "主人的弟弟周航在读研",
        ),
        ("医院那边我辞职了，太累", "主人从医院辞职了", "医院那边主人辞职了"),
        (
            "I'm learning the ukulele, one lesson a week",
            "The user is learning the ukulele, one lesson a week",
            "The user is learning the ukulele",
        ),
    ],
)  # fmt: skip
def test_an_old_talk_doubles_nothing(line: str, judged: str, again: str) -> None:
    idle = "ok" if line.isascii() else "嗯"
    lines: tuple[Line, ...] = ((0, line, f"[ADD] {judged}"), (1, idle, "[SKIP]"))
    before = _after(*lines)

    after = _recalled(before, lines[:1], f"[ADD] {again}")

    assert _living(after) == _living(before)


def test_an_old_talk_that_put_something_right_doubles_nothing() -> None:
    lines: tuple[Line, ...] = (
        (0, "my mum Carol lives in York, she has diabetes and a bad hip", "[SKIP]"),
        (
            10,
            "got that wrong, mum doesn't live in York, she lives in Hull",
            update("York", "The user's mum Carol lives in Hull"),
        ),
    )
    before = _after(*lines)

    after = _recalled(
        before,
        lines,
        "[ADD] The partner's mum Carol lives in York\n[ADD] The user's mum lives in Hull",
    )

    assert _living(after) == _living(before)
    assert _tells(_living(after), "Hull")


def test_what_only_the_old_talk_told_is_still_learnt() -> None:
    lines: tuple[Line, ...] = (
        (0, "我养了一只猫叫豆包，楼下那家面馆的牛肉面我吃了十年", "[SKIP]"),
    )
    before = _after(*lines)

    after = _recalled(before, lines, "[ADD] 楼下那家面馆的牛肉面主人吃了十年")

    assert _tells(_living(after), "面馆")


@pytest.mark.parametrize("aimed", ["doesn't live", "lives in York"])
def test_an_update_of_what_this_line_told_changes_nothing_of_it(aimed: str) -> None:
    state = _after(
        (
            0,
            "my mum Carol lives in York, she has diabetes and a bad hip",
            "[ADD] The user's mum Carol lives in York, she has diabetes and a bad hip",
        ),
        (
            10,
            "mum doesn't live in York, she lives in Hull",
            update(aimed, "My friend's mum lives in Hull"),
        ),
    )
    living = _living(state)
    assert _tells(living, "Hull")
    assert not _tells(living, "Carol lives in York")
    assert _tells(living, "Carol", "has diabetes", "bad hip")
    assert _tells(_past(state), "Carol lives in York")
    assert not _tells(_past(state), "diabetes")
    assert not _tells(_past(state), "doesn't")


def test_an_update_of_what_this_line_told_is_the_same_told_better() -> None:
    state = _after((0, "我不吃香菜，闻着就恶心", update("香菜", "主人不吃香菜，闻着就恶心")))
    assert _living(state) == ["主人不吃香菜，闻着就恶心"]
    assert not _past(state)


def test_the_wrong_town_is_over_and_the_illness_is_not() -> None:
    state = _after(
        (
            0,
            "我妈妈叫李桂芳，住在扬州，她有高血压",
            "[ADD] 主人的妈妈叫李桂芳\n[ADD] 主人的妈妈住在扬州\n[ADD] 主人的妈妈有高血压",
        ),
        (0, "说错了，我妈不是住扬州，是住泰州，扬州是我外婆家", "[ADD] 主人的妈妈住在泰州"),
    )
    living = _living(state)
    assert not _tells(living, "住在扬州")
    assert _tells(living, "泰州")
    assert _tells(living, "李桂芳", "高血压")
    assert not _tells(_past(state), "高血压")


def test_a_correction_about_somebody_else_ends_nothing_of_oneself() -> None:
    state = _after(
        (0, "我不吃香菜", "[SKIP]"),
        (0, "医院那边我辞职了", "[SKIP]"),
        (1, "说错了，我妈不是住扬州，是住泰州", "[ADD] 主人的妈妈住在泰州"),
    )
    assert _tells(_living(state), "不吃香菜")
    assert _tells(_living(state), "辞职")


@pytest.mark.parametrize("lines", [ALLERGY, ALLERGY_EN])
def test_what_happened_once_is_not_former(lines: tuple[Line, ...]) -> None:
    state = _after(*lines)
    once = "休克过一次" if not lines[0][1].isascii() else "shock once as a kid"
    assert _tells(_living(state), once)
    assert not _tells(_past(state), once)


@pytest.mark.parametrize(
    ("first", "second", "held"),
    [
        ("我和我老婆去年在杭州买了房", "周末我住单位宿舍", "买了房"),
        (
            "my wife and I bought a house in Leeds last year",
            "during the week I live in the barracks",
            "bought a house",
        ),
    ],
)
def test_a_bought_home_is_not_over_because_of_where_one_sleeps(
    first: str, second: str, held: str
) -> None:
    told = "主人周末住单位宿舍" if not first.isascii() else "The user lives in the barracks"
    state = _after((0, first, "[SKIP]"), (20, second, update(held, told)))
    assert _tells(_living(state), held)


@pytest.mark.parametrize(
    "lines",
    [
        (
            (0, "我养了一只猫叫豆包", "[SKIP]"),
            (20, "今天豆包跑丢了，找了一下午，最后在楼下车库找到了", "[ADD] 豆包跑丢了"),
        ),
        (
            (0, "我养了一只猫叫豆包", "[SKIP]"),
            (20, "豆包跑丢了", "[ADD] 豆包跑丢了"),
            (22, "豆包找到了！在车库里", "[SKIP]"),
        ),
        (
            (0, "I have a dog called Biscuit", "[SKIP]"),
            (
                20,
                "Biscuit ran away this morning, we found him in the neighbour's shed",
                "[ADD] Biscuit ran away",
            ),
        ),
        (
            (0, "I have a dog called Biscuit", "[SKIP]"),
            (20, "Biscuit ran away this morning", "[ADD] Biscuit ran away"),
            (22, "we found him! Biscuit was in the shed", "[SKIP]"),
        ),
    ],
)
def test_what_is_lost_and_found_has_not_gone(lines: tuple[Line, ...]) -> None:
    living = _living(_after(*lines))
    assert _tells(living, "猫叫豆包") or _tells(living, "dog called Biscuit")
    assert not any(text.endswith(("跑丢了", "ran away")) for text in living)


@pytest.mark.parametrize(
    ("lines", "pet"),
    [
        (("我养了一只猫叫豆包", "豆包跑丢了", "豆包还没找到"), "养了一只猫"),
        (
            ("I have a dog called Biscuit", "Biscuit ran away", "still haven't found Biscuit"),
            "dog",
        ),
    ],
)
def test_what_is_lost_and_not_found_is_gone(lines: tuple[str, ...], pet: str) -> None:
    state = _after(*((day, text, "[SKIP]") for day, text in enumerate(lines)))
    assert not _tells(_living(state), pet)
