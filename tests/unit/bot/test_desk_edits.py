"""The commands that change one memory."""

import pytest

from bot.desk.command import Call, ParsedArguments
from bot.desk.documents import Document
from bot.desk.undo import altered_blocks
from memory.changes import Put
from memory.model import Deleted, Language, Merged, Tier
from memory.state import MemoryState
from tests.builders import a_memory
from tests.fakes.desk import add_samples, lines, remember, session_with


async def test_what_is_added_is_kept_word_for_word_and_a_second_time_is_a_mention() -> None:
    async with session_with() as session:
        first = await session.says("/记住 我对花生过敏")
        second = await session.says("/memory add 我对花生过敏")

        (memory,) = session.state.memories.values()
        assert memory.words.text == "我对花生过敏"
        assert memory.origin.verified
        assert "#1" in first
        assert "#1" in second
        assert memory.trace.mention_count == 1


async def test_a_secret_is_not_written_down() -> None:
    async with session_with() as session:
        said = await session.says("/remember 我的银行卡密码是 834921")

        assert session.state.memories == MemoryState().memories
        assert "834921" not in said


async def test_a_correction_keeps_its_place_and_its_history() -> None:
    async with session_with() as session:
        await remember(session, "我住在北京")
        await session.ask("/记忆 改 #1 我住在上海")
        shown = await session.says("/memory show #1")

        memory = session.state.memory(1)
        assert memory.words.text == "我住在上海"
        assert [hit.memory_id for hit in await session.agent.search("上海")] == [1]
        assert "我住在北京" in shown
        assert "本来" in await session.says("/memory edit #1 我住在上海")


async def test_reinforcing_shows_before_and_after() -> None:
    async with session_with(law="ebbinghaus") as session:
        await remember(session, "我对花生过敏")
        session.clock.tick(hours=100)
        said = await session.says("/memory reinforce #1")

        assert "强度 55" in said
        assert "强度 100" in said


async def test_hiding_is_soft_and_restoring_brings_back() -> None:
    async with session_with() as session:
        await remember(session, "我对花生过敏")
        await session.ask("/memory forget #1")
        assert isinstance(session.state.memory(1).standing, Deleted)
        assert "花生" in await session.says("/memory list deleted")
        await session.ask("/memory restore #1")

        assert session.state.memory(1).is_active


async def test_merging_keeps_the_originals_and_refuses_what_cannot_be_merged() -> None:
    async with session_with() as session:
        await remember(session, "我每天喝咖啡", "我对花生过敏")
        refused = await session.says("/memory merge #1")
        await session.ask("/memory merge #1 #2 我每天喝咖啡，对花生过敏")

        assert "至少" in refused
        assert isinstance(session.state.memory(1).standing, Merged)
        assert session.state.memory(3).words.text == "我每天喝咖啡，对花生过敏"


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_what_is_not_there_is_said_in_the_language_of_the_agent(language: str) -> None:
    async with session_with(language=language) as session:
        said = await session.says("/memory pin #77")

        assert "#77" in said
        assert ("没有" in said) is (language == "zh")


@pytest.mark.parametrize(
    ("language", "said", "again"),
    [("zh", "定下了 #1", "已经定下"), ("en", "Laid down as #1", "already")],
)
async def test_what_is_laid_down_is_listed_once_and_undone(
    language: Language, said: str, again: str
) -> None:
    async with session_with(language=language) as session:
        assert said in await session.says("/memory system 大家都叫老板掌柜")
        assert again in await session.says("/memory system 大家都叫老板掌柜")
        await remember(session, "我住在北京")
        listed = await session.says("/记忆 设定")
        assert "大家都叫老板掌柜" in listed
        assert "北京" not in listed
        assert session.state.memory(1).nature.tier is Tier.SYSTEM
        for _ in range(2):
            await session.press(await session.ask("/undo"))

        assert 1 not in session.state.memories


async def test_a_secret_is_not_laid_down() -> None:
    async with session_with() as session:
        await session.says("/memory system 我的密码是 hunter2hunter2")

        assert not session.state.memories


DIFFERENT = [
    ("我叫林知夏", "我对花生过敏"),
    ("我女儿3岁", "我女儿5岁"),
    ("my name is Tam", "I am allergic to peanuts"),
    ("I live in Oslo", "I work in Oslo"),
]
SAME = [
    ("我喝咖啡", "我每天早上喝咖啡", "我每天早上喝咖啡"),
    ("I drink coffee", "I drink coffee in the morning", "I drink coffee in the morning"),
]


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
@pytest.mark.parametrize("language", ["zh", "en"])
async def test_facts_that_do_not_say_the_same_are_not_merged_without_a_word(
    language: str, one: str, other: str
) -> None:
    async with session_with(language=language) as session:
        await remember(session, one, other)
        refused = await session.says("/memory merge #1 #2")

        assert ("不是同一件事" if language == "zh" else "do not say the same") in refused
        assert session.state.memory(1).is_active
        assert session.state.memory(2).is_active


@pytest.mark.parametrize(("short", "long", "left"), SAME)
async def test_of_two_that_say_the_same_the_fuller_one_is_left(
    short: str, long: str, left: str
) -> None:
    async with session_with() as session:
        both = [Put(a_memory(1, long)), Put(a_memory(2, short))]
        await session.agent.steer(lambda state, index: both)
        await session.ask("/memory merge #1 #2")

        assert session.state.memory(3).words.text.startswith(left)


@pytest.mark.parametrize(
    "line",
    [
        "/memory list --limit 0",
        "/memory list --page 0",
        "/memory search 咖啡 --limit 0",
        "/memory recall 咖啡 --depth 0",
        "/memory health --limit 0",
        "/memory review --limit 0",
        "/memory diary --limit 0",
        "/reminders --limit 0",
    ],
)
async def test_no_rows_and_no_page_nought_are_refused(line: str) -> None:
    async with session_with() as session:
        await remember(session, "我每天喝咖啡")

        assert "不明白“0”" in await session.says(line)


@pytest.mark.parametrize(
    ("fact", "nonsense", "better"),
    [
        ("我住在杭州滨江", "晚安", "我住在上海"),
        ("I live in Oslo", "good night", "I live in Bergen"),
    ],
)
async def test_a_correction_that_shares_nothing_with_the_fact_is_asked_about(
    fact: str, nonsense: str, better: str
) -> None:
    async with session_with() as session:
        await remember(session, fact)
        asked = await session.ask(f"/memory edit #1 {nonsense}")
        unchanged = session.state.memory(1).words.text
        await session.ask(f"/memory edit #1 {better}")
        changed = session.state.memory(1).words.text
        await session.press(await session.ask(f"/memory edit #1 {nonsense}"))

        assert "不是一回事" in lines(asked)
        assert fact[-2:] in unchanged
        assert better[-2:] in changed
        assert nonsense in session.state.memory(1).words.text


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_what_is_so_already_is_said_to_be_so(language: str) -> None:
    async with session_with(language=language) as session:
        await remember(session, "我住在杭州")
        before = await session.says("/memory unpin #1")
        await session.ask("/memory pin #1")
        again = await session.says("/memory pin #1")

        assert ("没有钉着" if language == "zh" else "is not pinned") in before
        assert ("已经钉着" if language == "zh" else "already") in again


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_a_reminder_that_was_ended_is_not_ended_again(language: str) -> None:
    async with session_with(language=language) as session:
        asked = "明天上午十点 开会" if language == "zh" else "tomorrow at 10 am meeting"
        await session.ask(f"/reminders {asked}")
        await session.ask("/reminders end 1")

        again = await session.says("/reminders end 1")
        assert ("早就结束" if language == "zh" else "had ended already") in again


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_undo_says_what_changed_and_what_is_no_step(language: str) -> None:
    async with session_with(language=language) as session:
        await remember(session, "我住在杭州")
        await session.ask("/memory edit #1 我住在上海")
        preview = await session.ask("/undo")
        done = await session.press(preview)
        wrong = [await session.says(f"/undo {each}") for each in ("999", "abc")]

        assert "上海 → " in lines(preview)
        assert "上海 → " in lines(done)
        assert all(("这一步" if language == "zh" else "is no step") in each for each in wrong)


async def test_going_back_to_a_backup_says_what_differs() -> None:
    async with session_with() as session:
        await remember(session, "我住在杭州", "我每天喝咖啡")
        before = session.state
        await session.ask("/memory edit #1 我住在上海")
        await session.ask("/memory reinforce #2")
        altered = [before.memories[1], before.memories[2]]
        call = Call(
            agent_id="a",
            state=session.state,
            now=session.clock.now(),
            given=ParsedArguments(),
            specs=(),
            agent=session.agent,
        )
        shown = lines(Document(tuple(altered_blocks(call, altered))))

        assert "2 条" in shown
        assert "我住在上海 → 我住在杭州" in shown
        assert "1 条的话没有变" in shown


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_an_answer_further_back_than_any_is_not_explained_by_another(language: str) -> None:
    async with session_with(language=language) as session:
        await add_samples(session)
        told = await session.says("/why 99")

        assert ("最近 1 句" if language == "zh" else "my last 1 answers") in told


@pytest.mark.parametrize(("language", "paused"), [("zh", "没有记"), ("en", "not keeping this")])
@pytest.mark.parametrize("command", ["/remember", "/memory add"])
async def test_in_a_pause_nothing_is_added(language: Language, paused: str, command: str) -> None:
    async with session_with(language=language) as session:
        await session.ask("/memory pause")
        refused = await session.ask(f"{command} 我对花生过敏")
        kept = dict(session.state.memories)
        await session.press(refused)
        await session.ask(f"{command} 我对花生过敏")

        assert paused in lines(refused)
        assert not kept
        assert len(session.state.memories) == 1


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("line", ["/memory pin #1", "/memory edit #1 我对花生和虾过敏"])
async def test_what_is_put_away_is_not_changed_but_can_be_had_back(
    language: Language, line: str
) -> None:
    async with session_with(language=language) as session:
        await remember(session, "我对花生过敏")
        await session.ask("/memory forget #1")
        before = session.state
        refused = await session.says(line)
        unchanged = session.state is before
        await session.ask("/memory restore #1")
        done = await session.says(line)

        assert "/memory restore #1" in refused
        assert unchanged
        assert "/memory restore" not in done


@pytest.mark.parametrize(
    "text", ["The order is ok-99887766", "@everyone I like ok-1a2b3c4d", "订单号是 ok-12345678"]
)
@pytest.mark.parametrize("command", ["/remember", "/memory add"])
async def test_what_looks_like_a_code_is_kept_word_for_word(command: str, text: str) -> None:
    async with session_with() as session:
        await session.ask(f"{command} {text}")
        (memory,) = session.state.memories.values()

    assert "ok-" in memory.words.text


async def test_what_shows_nothing_is_not_kept_and_turns_nothing_round() -> None:
    async with session_with() as session:
        refused = await session.says("/remember \u200b\u200b")
        await session.ask("/remember I want to \u202eliak \u200bot tnaw")
        (memory,) = session.state.memories.values()

        assert "还差：内容" in refused
        assert memory.words.text == "I want to liak ot tnaw"


@pytest.mark.parametrize("written", ["europe/london", "EUROPE/LONDON", "Europe/London"])
async def test_a_zone_is_known_in_any_case(written: str) -> None:
    async with session_with() as session:
        await session.press(await session.ask(f"/memory set time_zone {written}"))

        assert session.agent.settings.time_zone == "Europe/London"


@pytest.mark.parametrize(
    ("old", "new", "facts", "after", "stays"),
    [
        (
            "李明", "李鸣",
            ("主人的朋友李明住在广州", "主人和李明一起学画画"),
            ("主人的朋友李鸣住在广州", "主人和李鸣一起学画画"),
            ("主人的弟弟叫李明明", "主人喜欢拉面"),
        ),
        (
            "Kate", "Cate",
            ("my friend's sister is called Kate", "Kate's cat is 3"),
            ("my friend's sister is called Cate", "Cate's cat is 3"),
            ("my friend knows a Katelyn", "my friend likes ramen"),
        ),
    ],
)  # fmt: skip
async def test_a_name_put_right_is_put_right_in_every_fact_that_holds_it(
    old: str, new: str, facts: tuple[str, str], after: tuple[str, str], stays: tuple[str, str]
) -> None:
    language: Language = "en" if old.isascii() else "zh"
    async with session_with(language=language) as session:
        told = [
            a_memory(1, old, tier=Tier.ENTITY),
            *(a_memory(n, text) for n, text in enumerate((*facts, *stays), start=2)),
            a_memory(9, facts[0], tier=Tier.EPISODE),
        ]
        await session.agent.steer(lambda state, index: [Put(each) for each in told])
        asked = await session.ask(f"/memory edit #1 {new}")
        said = lines(await session.press(asked)) if "→" not in lines(asked) else lines(asked)

        texts = {n: each.words.text for n, each in session.state.memories.items()}
        assert [texts[n] for n in (1, 2, 3, 4, 5)] == [new, *after, *stays]
        assert texts[9] == facts[0]
        assert {hit.memory_id for hit in await session.agent.search(new)} >= {2, 3}
        assert "2" in said.rpartition("→")[2]
        assert facts[0] in await session.says("/memory show #2")

        await session.press(await session.ask("/undo"))
        back = {n: each.words.text for n, each in session.state.memories.items()}
        assert [back[n] for n in (1, 2, 3)] == [old, *facts]


@pytest.mark.parametrize(
    ("old", "text", "fact"),
    [
        ("小芳", "小芳是我妹妹", "主人的朋友小芳住在广州"),
        ("Kate", "Kate is my sister", "Kate's cat is 3"),
    ],
)
async def test_more_than_a_name_changes_no_fact(old: str, text: str, fact: str) -> None:
    async with session_with() as session:
        told = [a_memory(1, old, tier=Tier.ENTITY), a_memory(2, fact)]
        await session.agent.steer(lambda state, index: [Put(each) for each in told])
        await session.ask(f"/memory edit #1 {text}")

        assert session.state.memory(2).words.text == fact


async def test_a_fact_that_is_put_right_leaves_the_names_of_others() -> None:
    async with session_with() as session:
        await remember(session, "我朋友小芳住在广州", "我和小芳一起学画画")
        await session.ask("/memory edit #1 我朋友晓芳住在广州")

        assert "小芳" in session.state.memory(2).words.text
