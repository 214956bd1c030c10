"""The stories of source documents 001 and 003, lived by an agent: commit → background → memory.

The model is scripted; working memory, recall, the gate, revision, the night and undo are real.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from memory.agent import AgentMemory
from memory.jobs.steps import AgentParts
from memory.laws.contract import LawContext
from memory.lifecycle.undo import last_step, plan_undo
from memory.model import AgentSettings, Deleted, Kind, Language, Level, Memory, Merged, Mode
from memory.revision import Strategy, strategy_for
from prompts import Monitor, PromptMemory
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.in_memory_store import InMemoryStore
from tests.fakes.judging import a_turn
from tests.fakes.laws import quantities
from tests.fakes.model import ScriptedModel

PARTNER: dict[Language, str] = {"zh": "主人", "en": "the partner"}


class Life:
    """An agent's days: what is said, and what the scripted background answers."""

    def __init__(self, agent: AgentMemory, clock: FakeClock, model: ScriptedModel) -> None:
        self.agent = agent
        self.clock = clock
        self.model = model
        self._turns = 0

    async def hear(self, words: str, answer: str, *, reply: str = "嗯") -> None:
        """Let the partner say something, recalled for as the program does, and be judged."""
        self._turns += 1
        shown = await self.recalled(words)
        known = [key for key, m in sorted(self.agent.state.memories.items()) if m.is_active]
        used = [key for key in known if self.agent.state.memory(key).words.text in shown]
        self.model.answers.append(answer)
        turn = a_turn(
            words,
            used=used or known,
            turn_id=f"t{self._turns}",
            at=self.clock.now(),
            reply=reply,
            speaker=self.agent.settings.partner,
        )
        # What a model's operation does is the story here, so the rules have nothing to say in it.
        await self.agent.commit(replace(turn, learnt_by_rule=True))
        await self.agent.background.wait_until_idle()
        assert self.model.answers == [], "the background was not asked"

    async def recalled(self, query: str) -> dict[str, PromptMemory]:
        """Return what a prompt would show for a question, by its words, beside its window."""
        windows = self.agent.state.windows
        shown = {m.id for each in windows.values() for m in (*each.tail, *each.lines)}
        hits = await self.agent.search(query, skip=shown)
        injected = self.agent.memories_for_prompt(hits, budget_tokens=1200, count=len)
        return {shown.text: shown for shown in injected.shown}

    @property
    def memories(self) -> list[Memory]:
        return [memory for _, memory in sorted(self.agent.state.memories.items())]

    @property
    def current(self) -> list[str]:
        """The texts of what is active and not past."""
        return [m.words.text for m in self.memories if m.is_active and m.trace.negated_at is None]

    async def undo(self) -> None:
        """Take the last step back."""
        entry = last_step(self.agent.state)
        assert entry is not None
        await self.agent.steer(lambda state, _: plan_undo(state, entry))


@asynccontextmanager
async def a_life(language: Language) -> AsyncIterator[Life]:
    clock, model = FakeClock(NOON), ScriptedModel()
    agent = await AgentMemory.open(
        InMemoryStore(),
        AgentParts(clock=clock, model=model),
        choose_settings=lambda known: (
            known or AgentSettings(language=language, partner=PARTNER[language])
        ),
    )
    try:
        yield Life(agent, clock, model)
    finally:
        await agent.close()


# ---------------------------------------------------------------- source document 001


@pytest.mark.parametrize(
    ("language", "first", "known", "then", "now", "question"),
    [
        (
            "zh",
            "我喜欢喝咖啡",
            "主人喜欢喝咖啡",
            "我不喜欢喝咖啡了",
            "主人不喜欢喝咖啡了",
            "咖啡呢",
        ),
        (
            "en",
            "I like coffee",
            "The partner likes coffee",
            "I don't like coffee any more",
            "The partner doesn't like coffee any more",
            "coffee?",
        ),
    ],
)
async def test_coffee_liked_and_then_not(
    language: Language, first: str, known: str, then: str, now: str, question: str
) -> None:
    async with a_life(language) as life:
        await life.hear(first, f"[ADD kind=lasting_preference] {known}")
        life.clock.tick(days=1)
        await life.hear(then, f"[NEGATE:m1] {now}")

        old, new = life.memories
        settings = life.agent.settings
        context = LawContext(life.clock.now(), ZoneInfo(settings.time_zone))
        assert life.current == [now]
        assert old.trace.negated_at == life.clock.now()
        assert (
            quantities(old, context, settings).weight < quantities(new, context, settings).weight
        )
        shown = await life.recalled(question)
        assert {text: each.past for text, each in shown.items()} == {known: True, now: False}
        (entry,) = life.agent.state.corrections[old.id].entries
        assert (entry.reason, entry.before, entry.after) == ("negate", known, now)

        await life.undo()

        assert life.current == [known]


@pytest.mark.parametrize(
    ("kind", "confidence", "strategy"),
    [
        (Kind.FACT, 0.9, Strategy.LATEST_WINS),
        (Kind.LASTING_PREFERENCE, 0.9, Strategy.VERSION_KEEP),
        (Kind.FACT, 0.4, Strategy.WEIGHT_BALANCE),
    ],
)
@pytest.mark.parametrize(
    ("language", "lived", "was", "moved", "is_now"),
    [
        ("zh", "我住在北京", "主人住在北京", "我搬到上海了", "主人住在上海"),
        (
            "en",
            "I live in Beijing",
            "The partner lives in Beijing",
            "I moved to Shanghai",
            "The partner lives in Shanghai",
        ),
    ],
)
async def test_moving_from_beijing_to_shanghai_under_each_strategy(  # noqa: PLR0917 - one story
    language: Language,
    lived: str,
    was: str,
    moved: str,
    is_now: str,
    kind: Kind,
    confidence: float,
    strategy: Strategy,
) -> None:
    async with a_life(language) as life:
        await life.hear(lived, f"[ADD kind={kind.value}] {was}")
        assert strategy_for(life.memories[0], confidence) is strategy
        life.clock.tick(days=400)
        await life.hear(moved, f"[UPDATE:m1 confidence={confidence}] {is_now}")

        old, new = life.memories
        assert (new.words.text, new.words.level) == (is_now, Level.FULL)
        shown = await life.recalled(moved)
        match strategy:
            case Strategy.LATEST_WINS:
                assert (old.is_active, old.is_past) == (True, True)
                assert (new.lineage.valid_from, old.lineage.valid_until) == (life.clock.now(),) * 2
                assert next(iter(shown)) == is_now
            case Strategy.VERSION_KEEP:
                assert (old.is_active, old.words.level) == (True, Level.TAG)
                assert life.agent.state.previous_texts[old.id].words.text == was
                assert list(shown) == [is_now]
            case Strategy.WEIGHT_BALANCE:
                assert life.current == [was, is_now]
                assert set(shown) == {was, is_now}


@pytest.mark.parametrize(
    ("language", "words", "memory", "habit"),
    [
        (
            "zh",
            "今天早上喝了咖啡",
            "主人今天早上喝了咖啡",
            "主人早上喝了咖啡（共 10 次，2026-03-04～2026-03-13）",
        ),
        (
            "en",
            "I drank coffee this morning",
            "The partner drank coffee this morning",
            "The partner drank coffee (10 times, 2026-03-04～2026-03-13)",
        ),
    ],
)
async def test_ten_mornings_of_coffee_become_one_memory_in_the_night(
    language: Language, words: str, memory: str, habit: str
) -> None:
    async with a_life(language) as life:
        for _ in range(10):
            await life.hear(words, f"[ADD] {memory}")
            life.clock.tick(days=1)
        assert len(life.current) == 10

        report = await life.agent.nightly()
        again = await life.agent.nightly()

        one = life.agent.state.memory(11)
        assert (report.merged, again.merged) == (1, 0)
        assert life.current == [one.words.text] == [habit]
        assert one.lineage.merged_from == tuple(range(1, 11))
        assert len(one.source_ids) == 10
        assert all(isinstance(m.standing, Merged) for m in life.memories[:10])

        await life.undo()

        assert len(life.current) == 10


@pytest.mark.parametrize(
    ("language", "first", "known", "again"),
    [
        ("zh", "我喜欢喝咖啡", "主人喜欢喝咖啡", "还是喜欢喝咖啡"),
        ("en", "I like coffee", "The partner likes coffee", "I still like coffee"),
    ],
)
async def test_three_statements_in_a_day_are_one_memory_and_frequent(
    language: Language, first: str, known: str, again: str
) -> None:
    async with a_life(language) as life:
        await life.hear(first, f"[ADD kind=lasting_preference] {known}")
        for _ in range(2):
            life.clock.tick(hours=3)
            await life.hear(again, f"[ADD] {known}")

        (memory,) = life.memories
        assert memory.trace.mention_count == 2
        assert memory.trace.created_at == NOON
        assert dict(life.agent.state.agent_info.counters)["frequent_reinforce_count"] == 1


# ---------------------------------------------------------------- source document 003


@pytest.mark.parametrize(
    ("language", "tense", "was", "relaxed", "is_now"),
    [
        ("zh", "我最近很紧张", "主人最近很紧张", "我现在很放松", "主人现在很放松"),
        ("en", "I'm so tense", "The partner is tense", "I feel relaxed", "The partner is relaxed"),
    ],
)
async def test_tense_ten_days_ago_and_relaxed_now_are_both_kept(
    language: Language, tense: str, was: str, relaxed: str, is_now: str
) -> None:
    async with a_life(language) as life:
        await life.hear(tense, f"[ADD kind=temporary] {was}")
        life.clock.tick(days=10)
        await life.hear(
            relaxed, f"十天前紧张，现在放松，只是时间变了。\n[ADD kind=temporary] {is_now}"
        )

        first, second = life.memories
        assert life.current == [was, is_now]
        assert (second.origin.at - first.origin.at).days == 10


@pytest.mark.parametrize(
    ("language", "likes", "known", "asks"),
    [
        ("zh", "我喜欢熊猫", "主人喜欢熊猫", "今天天气怎么样"),
        ("en", "I like cats", "The partner likes cats", "how is the weather today"),
    ],
)
async def test_cats_recalled_but_not_used_is_no_boost(
    language: Language, likes: str, known: str, asks: str
) -> None:
    async with a_life(language) as life:
        await life.hear(likes, f"[ADD] {known}")
        # A word of the memory stands in the reply: only a model can tell that it was not used.
        reply = "晴天，熊猫也喜欢 / cats like it too"
        await life.hear(asks, "想起了猫，聊的是天气。\n[SKIP]", reply=reply)

        asked = life.model.asked[-1]
        assert isinstance(asked, Monitor)
        assert [shown.text for shown in asked.memories] == [known]
        assert life.memories[0].trace.importance == 1.0
        assert life.agent.state.receipts["t2"].outcome == "nothing"


@pytest.mark.parametrize(
    ("language", "likes", "known", "asks"),
    [
        ("zh", "我喜欢猫", "主人喜欢猫", "我想养只猫"),
        ("en", "I like cats", "The partner likes cats", "shall I get a cat"),
    ],
)
async def test_cats_recalled_and_used_is_a_boost(
    language: Language, likes: str, known: str, asks: str
) -> None:
    async with a_life(language) as life:
        await life.hear(likes, f"[ADD] {known}")
        await life.hear(asks, "[BOOST:m1]", reply="你那么喜欢猫，养吧")

        assert life.memories[0].trace.importance == 1.3
        assert life.agent.state.receipts["t2"].learnt == ("BOOST #1",)


@pytest.mark.parametrize(
    ("language", "first", "wrong", "correction", "right"),
    [
        ("zh", "我养了猫", "主人养了猫", "不对，我养的不是猫，我养的是狗", "主人养的是狗"),
        (
            "en",
            "I have a cat",
            "The partner has a cat",
            "No, that's wrong: I don't have a cat, I have a dog",
            "The partner has a dog",
        ),
    ],
)
async def test_a_correction_deletes_the_wrong_and_adds_the_right(
    language: Language, first: str, wrong: str, correction: str, right: str
) -> None:
    async with a_life(language) as life:
        await life.hear(first, f"[ADD] {wrong}")
        life.clock.tick(days=1)
        await life.hear(correction, f"主人更正了。\n[DELETE:m1]\n[ADD] {right}")

        assert life.current == [right]
        assert isinstance(life.memories[0].standing, Deleted)
        assert wrong not in await life.recalled(correction)
        hidden = await life.agent.search(wrong, mode=Mode.DEBUG)
        assert 1 in {hit.memory_id for hit in hidden}

        await life.undo()

        assert life.current == [wrong]
