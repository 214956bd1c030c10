"""The timeline of a memory."""

from dataclasses import replace

import pytest

from bot.adapters.console.presenter import document_data
from bot.desk.documents import Bars
from memory.changes import Put, WeightChange, WeightLog
from memory.laws import disuse
from memory.laws.law import with_number
from memory.laws.settings import UNNAMED
from memory.model import AgentSettings, Kind, Language, Memory, Sensitivity
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.desk import DeskSession, add_samples, commands
from tests.fakes.desk import lines as text_of


async def test_the_timeline_tells_what_changed() -> None:
    async with DeskSession() as session:
        await add_samples(session)
        await session.ask("/memory forget #1")
        said = await session.says("/memory review")

        assert "改正" in said
        assert "放下" in said
        assert "聊过" in said


@pytest.mark.parametrize(
    ("language", "kept", "gone", "taken_back"),
    [
        ("zh", "留着 · 关系到健康 · 按规则", "放下 · 以后多半用不上 · 按规则", "主人撤回了"),
        ("en", "kept · it concerns health · by rule", "it will hardly be needed", "taken back"),
    ],
)
async def test_what_the_rules_decided_stands_in_the_history_with_its_reason(
    language: Language, kept: str, gone: str, taken_back: str
) -> None:
    async with DeskSession(settings=AgentSettings(language=language)) as session:
        faded = [a_memory(1, "主人对虾过敏"), a_memory(2, "桥头的修车铺亮着灯")]
        await session.agent.steer(lambda state, _: tuple(map(Put, faded)))
        session.clock.tick(days=40)
        await session.agent.nightly()

        said = await session.says("/memory review")
        assert kept in said
        assert gone in said
        assert kept in await session.says("/memory show #1")

        await session.press(await session.ask("/undo"))
        assert session.state.memory(2).is_active
        assert taken_back in await session.says("/memory review")


async def test_a_cleanup_says_what_it_will_think_over() -> None:
    async with DeskSession() as session:
        await session.agent.steer(lambda state, _: (Put(a_memory(1, "桥头的修车铺亮着灯")),))
        session.clock.tick(days=40)

        preview = await session.ask("/memory cleanup")
        assert "再想想 1 条还要不要留" in text_of(preview)

        done = await session.press(preview)
        await session.agent.background.wait_until_idle()
        assert "还有 1 条正在想要不要留" in text_of(done)
        assert not session.state.memory(1).is_active


@pytest.mark.parametrize(
    ("law", "days", "kept_by"),
    [
        ("ebbinghaus", 25, "/memory reinforce #1"),
        ("weights", 415, "/memory pin #1"),
        ("disuse", 3000, "/memory reinforce #1"),
    ],
)
async def test_health_says_what_may_be_missed_and_what_to_do(
    law: str, days: int, kept_by: str
) -> None:
    async with DeskSession(settings=AgentSettings(law=law)) as session:
        await session.ask("/remember 我对花生过敏")
        assert "没有要紧的事快要忘了" in await session.says("/memory health")
        session.clock.tick(days=days)
        shown = await session.ask("/memory health")
        assert "可能还用得着的：#1 “我对花生过敏”。" in text_of(shown)
        assert commands(shown)[:2] == [kept_by, "/memory forget #1"]
        await session.press(shown)
        assert "没有要紧的事快要忘了" in await session.says("/memory health")
        await session.press(await session.ask("/undo"))
        await session.press(shown, 1)

        assert not session.state.memory(1).is_active


@pytest.mark.parametrize(
    ("language", "wish", "nothing"),
    [
        ("zh", "主人最近想看看木头房子", "没有要紧的事快要忘了"),
        ("en", "my friend lately wants to see a barn", "Nothing that may matter"),
    ],
)
async def test_what_the_reviewer_will_keep_is_not_about_to_be_forgotten(
    language: Language, wish: str, nothing: str
) -> None:
    settings = AgentSettings(language=language, partner=UNNAMED[language])
    async with DeskSession(settings=settings) as session:
        name = {"zh": "主人叫李明", "en": "my friend's name is Lena"}[language]
        await session.agent.steer(lambda state, _: (Put(a_memory(7, name)),))
        session.clock.tick(days=25)
        assert nothing in await session.says("/memory health")
        await session.agent.steer(lambda state, _: (Put(a_memory(8, wish)),))
        session.clock.tick(days=25)
        shown = await session.ask("/memory health")
        assert f"#8 “{wish[:20]}" in text_of(shown)
        assert commands(shown)[:2] == ["/memory reinforce #8", "/memory forget #8"]
        await session.press(shown)

        assert nothing in await session.says("/memory health")


@pytest.mark.parametrize(
    ("language", "said"), [("zh", "另外还有 1 条"), ("en", "About to be forgotten though")]
)
async def test_only_what_is_salient_holds_and_is_not_over_may_be_missed(
    language: Language, said: str
) -> None:
    settings = AgentSettings(language=language, law="ebbinghaus")
    async with DeskSession(settings=settings) as session:
        await session.ask("/remember 我对花生过敏")
        await session.ask("/remember 我妈妈叫李梅")
        faint = a_memory(8, "今天有点累", kind=Kind.TEMPORARY)
        gone = a_memory(9, "我住在北京", kind=Kind.IDENTITY)
        past = replace(gone, lineage=replace(gone.lineage, valid_until=session.clock.now()))
        due = with_number(gone.trace, disuse.DUE, session.clock.now().timestamp() + 60)
        over = replace(gone, id=10, trace=due)
        await session.agent.steer(lambda state, _: tuple(map(Put, (faint, past, over))))
        session.clock.tick(days=25)
        health = await session.says("/memory health")

        assert said in health
        assert "#1 “" in health


@pytest.mark.parametrize(
    ("language", "gone", "fading"),
    [("zh", "快要忘了的", "最先淡忘的"), ("en", "About to be forgotten", "Fading most")],
)
async def test_the_overview_calls_almost_gone_only_what_it_counts_so(
    language: Language, gone: str, fading: str
) -> None:
    settings = AgentSettings(law="ebbinghaus", language=language)
    async with DeskSession(settings=settings) as session:
        await session.ask("/remember 我对花生过敏")
        seen = set()
        for _ in range(30):
            session.clock.tick(days=2)
            document = await session.ask("/memory")
            (bars,) = (b for b in document.blocks if isinstance(b, Bars) and b.name == "health")
            red, yellow = ({bar.key: bar.value for bar in bars.bars}[k] for k in ("red", "yellow"))
            said = text_of(document)
            assert (gone in said) == (red != "0")
            assert (fading in said) == (red == "0" and yellow != "0")
            seen.add((gone in said, fading in said))
        assert seen >= {(False, False), (False, True)}


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("law", ["weights", "disuse"])
async def test_the_history_words_why_a_weight_changed_and_only_under_its_law(
    language: Language, law: str
) -> None:
    settings = AgentSettings(language=language, law=law)
    change = WeightChange(at=NOON, old=1.1, new=1.25, reason="mention", factors=())
    log = WeightLog(memory_id=1, entries=(change, replace(change, reason="compressed")))
    async with DeskSession(settings=settings) as session:
        await session.agent.steer(lambda state, _: (Put(a_memory(1)), Put(log)))
        said = await session.says("/memory review")

    assert ("1.100 → 1.250" in said) is (law == "weights")
    assert "(mention)" not in said
    if law == "weights":
        assert {"zh": "（又提起）", "en": "(mentioned again)"}[language] in said.replace(
            "(又提起)", "（又提起）"
        )


def sensitive(number: int, text: str) -> Memory:
    memory = a_memory(number, text)
    return replace(memory, nature=replace(memory.nature, sensitivity=Sensitivity.SENSITIVE))


@pytest.mark.parametrize("law", ["tiers", "network"])
@pytest.mark.parametrize(
    ("language", "stays", "why"),
    [("zh", "不会忘", "敏感的事"), ("en", "stays", "what is sensitive")],
)
async def test_what_its_law_lets_be_is_shown_as_what_stays(
    language: Language, stays: str, why: str, law: str
) -> None:
    async with DeskSession(settings=AgentSettings(language=language, law=law)) as session:
        fish = a_memory(2, "我喜欢金鱼")
        await session.agent.steer(lambda *_: [Put(sensitive(1, "我对虾过敏")), Put(fish)])
        session.clock.tick(days=100)
        listed = {
            row["id"]: row for row in document_data(await session.ask("/memory list"))["rows"]
        }
        shown = await session.ask("/memory show #1")
        health = await session.ask("/memory health")
        fading = text_of(await session.ask("/memory fading"))
        curve = text_of(await session.ask("/memory curve #1"))
        other = await session.ask("/memory show #2")

    (bar,) = [
        b
        for one in shown.blocks
        if isinstance(one, Bars)
        for b in one.bars
        if b.key == "retention"
    ]
    assert (bar.share, bar.value) == (1.0, stays)
    assert why in text_of(shown)
    assert why not in text_of(other)
    rows = [
        b
        for one in health.blocks
        if isinstance(one, Bars) and one.name == "memories"
        for b in one.bars
    ]
    assert [(b.key, b.value) for b in rows][1] == ("1", stays)
    assert rows[1].share == 1.0
    assert rows[0].share <= 0.5
    assert "虾" not in fading
    assert ("金鱼" in fading) == (law == "tiers")
    assert "█" in curve
    assert "▁" not in curve
    assert float(listed["#1"]["retention"]) <= 0.5, "programs read the number of the law"


@pytest.mark.parametrize("law", ["ebbinghaus", "weights", "disuse"])
async def test_what_a_law_puts_away_though_it_is_sensitive_has_its_number(law: str) -> None:
    async with DeskSession(settings=AgentSettings(language="en", law=law)) as session:
        await session.agent.steer(lambda *_: [Put(sensitive(1, "我对虾过敏"))])
        session.clock.tick(days=100)
        shown = await session.ask("/memory show #1")

    (bar,) = [
        b
        for one in shown.blocks
        if isinstance(one, Bars)
        for b in one.bars
        if b.key == "retention"
    ]
    assert bar.share < 1.0
    assert bar.value == f"{bar.share:.2f}"


async def test_what_is_pinned_stays_under_every_law() -> None:
    for law in ("tiers", "ebbinghaus", "weights", "network", "disuse"):
        async with DeskSession(settings=AgentSettings(language="en", law=law)) as session:
            await session.ask("/remember I love tea")
            await session.ask("/memory pin #1")
            session.clock.tick(days=1000)
            assert "stays" in await session.says("/memory list")
