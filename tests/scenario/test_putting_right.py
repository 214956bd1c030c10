"""What she told or was just told is put right in words: she says what holds now, and it does."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory.initiative.consent import answer_said
from tests.builders import a_message
from tests.fakes.clock import FakeClock
from tests.fakes.two_chats import TELEGRAM, two_chats

MORNING = datetime(2026, 3, 3, 1, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("before", "right", "new", "old", "question"),
    [
        (
            ("记住：我的保險箱鑰匙在書桌第二個抽屜", "保險箱鑰匙在哪"),
            "不對，是第三個抽屜",
            "第三個抽屜",
            "第二個抽屜",
            "保險箱鑰匙在哪？",
        ),
        (
            ("我对青霉素过敏", "我对什么过敏？"),
            "不是青霉素，是头孢",
            "头孢",
            "青霉素",
            "我对什么过敏？",
        ),
        (("我妈六十七",), "你记错了，我妈六十八", "六十八", "六十七", "我妈多大？"),
        (
            ("我妈六十八，有糖尿病", "我爸今年七十", "我爸多大"),
            "不对，是七十一",
            "七十一",
            "今年七十（",
            "我爸多大",
        ),
        (
            ("my mum is 68 and has diabetes", "how old is my mum", "that's wrong"),
            "no, she is 69",
            "69",
            "68",
            "how old is my mum",
        ),
        (("手術排在9月15號",), "不對，手術是9月16號，我看錯了", "9月16號", "9月15號", ""),
        (
            ("I'm allergic to shellfish by the way", "what am I allergic to?"),
            "that's wrong, it's mussels only",
            "mussels only",
            "shellfish",
            "what am I allergic to?",
        ),
        (
            ("I earn 19 an hour", "how much do I earn?"),
            "that's wrong, it's 20 an hour",
            "20 an hour",
            "19 an hour",
            "how much do I earn?",
        ),
        (
            ("I bought a van, paid 4,500 for it",),
            "no wait, it was 4,200 for the van",
            "4,200",
            "4,500",
            "how much did I pay for the van?",
        ),
        (
            ("I got a bike, a second hand Trek, blue",),
            "actually my bike is green, not blue",
            "green",
            "Trek, blue",
            "what colour is my bike?",
        ),
        (("我17，高二",), "打错了是16，17是虚岁", "16岁", "17岁", "我多大了"),
        (("我妹妹17岁",), "打错了是16，17是虚岁", "16岁", "17岁", "我妹妹多大"),
        (
            ("I'm 17, in year 12",),
            "typo, it's 16, 17 is what they count in korea",
            "16",
            "17",
            "how old am I?",
        ),
        (("I'm 35",), "sorry, 34. 35 is my wife's age", "34", "is 35", "how old am I?"),
        (
            ("my sister lives in Leeds",),
            "sorry not Leeds, Lincoln",
            "Lincoln",
            "Leeds",
            "where does my sister live?",
        ),
        (("我妹妹住在南京",), "不好意思，不是南京，是南昌", "南昌", "南京", "我妹妹住哪"),
        (("我妹妹住在南京",), "抱歉不是南京，是南昌", "南昌", "南京", "我妹妹住哪"),
        (("我妹妹住在南京",), "不对，不是南京，是南昌", "南昌", "南京", "我妹妹住哪"),
        (
            ("my girlfriend is called Lucy",),
            "sorry, it's Lucie with ie",
            "Lucie",
            "Lucy",
            "what's my girlfriend's name?",
        ),
    ],
)
async def test_what_is_put_right_is_said_and_held(
    tmp_path: Path, before: tuple[str, ...], right: str, new: str, old: str, question: str
) -> None:
    clock = FakeClock(MORNING)
    async with two_chats(tmp_path, clock) as ann:
        for line in before:
            await ann.says(TELEGRAM, line)
            await ann.state(TELEGRAM)
        answer = await ann.says(TELEGRAM, right)
        memories = (await ann.state(TELEGRAM)).memories.values()
        known = {m.words.text for m in memories if m.is_living_fact}
        asked = await ann.says(TELEGRAM, question) if question else new
    clock.tick(days=1)
    async with two_chats(tmp_path, clock) as ann:
        again = await ann.says(TELEGRAM, question) if question else new
        begins = (await ann.state(TELEGRAM)).agent_info.settings.begins

    assert "改过来了" in answer or "put that right" in answer
    assert new in answer
    assert old not in answer
    assert any(new in each for each in known)
    assert not any(old in each for each in known)
    assert (new in asked, old in asked) == (True, False)
    assert (new in again, old in again) == (True, False)
    assert begins != "no"


@pytest.mark.parametrize(
    ("told", "line", "asked", "kept"),
    [
        (
            "I live in York and my sister lives in Leeds",
            "sorry not Leeds, Lincoln",
            ("where does my sister live?", "where do I live?"),
            ("Lincoln", "York"),
        ),
        (
            "我住杭州，我妹住苏州",
            "不对，不是苏州，是宿州",
            ("我妹住哪", "我住哪"),
            ("宿州", "杭州"),
        ),
    ],
)
async def test_what_was_told_beside_it_of_another_holds(
    tmp_path: Path, told: str, line: str, asked: tuple[str, str], kept: tuple[str, str]
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, told)
        await ann.state(TELEGRAM)
        await ann.says(TELEGRAM, line)
        known = await ann.knows(TELEGRAM)
        answers = [await ann.says(TELEGRAM, each) for each in asked]
    assert all(any(each in fact for fact in known) for each in kept)
    assert [each in answer for each, answer in zip(kept, answers, strict=True)] == [True, True]
    assert not any(wrong in answer for wrong in ("Leeds", "苏州") for answer in answers)


@pytest.mark.parametrize(
    ("before", "line"), [("今天天气真好", "不对，是三千整"), ("nice weather", "no wait, it's 300")]
)
async def test_where_nothing_fits_she_asks_of_what(tmp_path: Path, before: str, line: str) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, before)
        answer = await ann.says(TELEGRAM, line)
        known = await ann.knows(TELEGRAM)
    assert "是哪件事呢" in answer or "Of what?" in answer
    assert not known


async def test_the_wrong_word_finds_what_was_told_long_ago(tmp_path: Path) -> None:
    clock = FakeClock(MORNING)
    async with two_chats(tmp_path, clock) as ann:
        await ann.says(TELEGRAM, "I got a bike, a second hand Trek, blue")
        await ann.state(TELEGRAM)
    clock.tick(days=60)
    async with two_chats(tmp_path, clock) as ann:
        await ann.says(TELEGRAM, "nice weather today")
        answer = await ann.says(TELEGRAM, "actually my bike is green, not blue")
        asked = await ann.says(TELEGRAM, "what colour is my bike?")
    assert "a second hand Trek, green" in answer
    assert "green" in asked
    assert "Trek, blue" not in asked


@pytest.mark.parametrize("line", ["你说错了", "不对", "that's wrong", "you got that wrong"])
async def test_told_only_that_it_is_wrong_she_asks_what_is_right(
    tmp_path: Path, line: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, "我妈六十七")
        answer = await ann.says(TELEGRAM, line)
    assert "告诉我对的是什么" in answer or "Tell me what is right" in answer


@pytest.mark.parametrize(
    ("before", "line"),
    [
        ("我在学吉他", "不是吧，这么难"),
        ("I am at home", "sorry, I'm late"),
        ("I earn 19 an hour", "actually I think it's fine"),
        ("我妈六十七", "不对劲，我头有点晕"),
        ("我买了两个包子", "等等，我接个电话"),
        ("我妹妹住在南京", "不好意思，我不是故意的"),
        ("我妹妹17岁", "不好意思，17路车来了"),
        ("my sister is 17", "sorry, 17 people just walked in"),
    ],
)
async def test_what_only_begins_like_it_puts_nothing_right(
    tmp_path: Path, before: str, line: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, before)
        known = await ann.knows(TELEGRAM)
        answer = await ann.says(TELEGRAM, line)
        after = await ann.knows(TELEGRAM)
    assert "改过来了" not in answer
    assert "put that right" not in answer
    assert known <= after


@pytest.mark.parametrize(
    ("told", "line", "kept"),
    [
        (
            ("我姓周，叫周建国", "我儿子周磊在成都上大学", "我弟弟叫周建军"),
            "不对，是周建国，不是周",
            ("周建国", "周磊", "周建军"),
        ),
        (("my sister is called Anna",), "no, it's Amy, not Ann", ("Anna",)),
        (("my mum is 67 and my aunt is 67",), "that's wrong, it's 68", ("67",)),
    ],
)
async def test_of_no_whole_value_or_of_several_she_asks(
    tmp_path: Path, told: tuple[str, ...], line: str, kept: tuple[str, ...]
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        for each in told:
            await ann.says(TELEGRAM, each)
            await ann.state(TELEGRAM)
        known = await ann.knows(TELEGRAM)
        answer = await ann.says(TELEGRAM, line)
        after = await ann.knows(TELEGRAM)
    assert "是哪件事呢" in answer or "Of what?" in answer
    assert after == known
    assert all(any(name in each for each in after) for name in kept)


@pytest.mark.parametrize(
    ("told", "line", "now", "asked"),
    [
        ("college day is tuesday", "that's wrong, it's Thursday", "Thursday", "when is college?"),
        ("college day is tuesday", "no, not Tuesday, Thursday", "Thursday", "when is college?"),
        (
            "my boss is called Darren",
            "actually my boss isnt called Darren his name is Darran with an a",
            "boss is called Darran",
            "what's my boss called?",
        ),
        ("我老板叫李明", "我老板不叫李明，叫李鸣", "李鸣", "我老板叫什么"),
    ],
)
async def test_what_is_right_takes_the_place_of_its_kind(
    tmp_path: Path, told: str, line: str, now: str, asked: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, told)
        await ann.state(TELEGRAM)
        answer = await ann.says(TELEGRAM, line)
        known = await ann.knows(TELEGRAM)
        told_then = await ann.says(TELEGRAM, asked)
    assert "改过来了" in answer or "put that right" in answer
    assert now in answer
    assert any(now in each for each in known)
    assert now.rpartition(" ")[2] in told_then


@pytest.mark.parametrize(
    ("told", "edit", "asked", "now", "old"),
    [
        ("我今年五十了", "/记忆 改正 #1 我今年五十一了", "我今年几岁", "你今年五十一了", "五十了"),
        ("I am 50", "/memory edit #1 I am 51", "how old am I?", "you are 51", "50"),
        ("我家猫叫团子", "/记忆 改正 #1 我家猫叫圆子", "我家猫叫什么", "圆子", "团子"),
    ],
)
async def test_what_is_edited_is_the_answer(
    tmp_path: Path, told: str, edit: str, asked: str, now: str, old: str
) -> None:
    clock = FakeClock(MORNING)
    async with two_chats(tmp_path, clock) as ann:
        await ann.says(TELEGRAM, told)
        await ann.state(TELEGRAM)
        await ann.told(TELEGRAM, edit)
        at_once = await ann.says(TELEGRAM, asked)
    clock.tick(days=1)
    async with two_chats(tmp_path, clock) as ann:
        later = await ann.says(TELEGRAM, asked)
    for answer in (at_once, later):
        assert now in answer
        assert old not in answer


async def test_the_whole_name_is_the_name(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        assert "周建国" in await ann.says(TELEGRAM, "我姓周，叫周建国")
        assert "周建国" in await ann.says(TELEGRAM, "我叫什么")


async def test_the_right_day_is_nobodys_name(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        for line in ("I'm Jess, 19", "college day is tuesday", "that's wrong, it's Thursday"):
            await ann.says(TELEGRAM, line)
            await ann.state(TELEGRAM)
        known = await ann.knows(TELEGRAM)
    assert any("name is Jess" in each for each in known)
    assert not any("it's Thursday" in each for each in known)


async def test_what_is_over_is_told_first(tmp_path: Path) -> None:
    clock = FakeClock(MORNING)
    async with two_chats(tmp_path, clock) as ann:
        for line in (
            "I live with my nan and her dog biscuit",
            "my nans dog biscuit died this morning :(",
            "老何还欠我三百块钱",
            "老何昨天还钱了",
            "我儿子在成都上大学，学土木",
            "儿子不学土木了，转到计算机系了",
        ):
            await ann.says(TELEGRAM, line)
            await ann.state(TELEGRAM)
            clock.tick(minutes=5)
        home = await ann.says(TELEGRAM, "who do I live with now?")
        debt = await ann.says(TELEGRAM, "老何还欠我钱吗")
        studies = await ann.says(TELEGRAM, "我儿子学什么")
        memories = (await ann.state(TELEGRAM)).memories.values()
    assert "died" in home
    assert debt.index("还钱了") < debt.index("三百块")
    assert "计算机" in studies
    assert not any("学土木" in m.words.text for m in memories if m.is_living_fact)


async def test_it_can_be_undone(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, "我对青霉素过敏")
        before = await ann.knows(TELEGRAM)
        await ann.says(TELEGRAM, "不是青霉素，是头孢")
        await ann.state(TELEGRAM)
        for _ in range(2):
            # The rules heard the new value as well: a mention, a step of its own.
            await ann.told(TELEGRAM, "/undo")
            await ann.presses(TELEGRAM)
        assert await ann.knows(TELEGRAM) == before


@pytest.mark.parametrize(
    ("said", "choice"),
    [
        ("不對，手術是9月16號，我看錯了", None),
        ("no, it's the 16th", None),
        ("不用了", "no"),
        ("不行，太烦了", "no"),
        ("no, thanks", "no"),
    ],
)
def test_a_correction_declines_no_offer(said: str, choice: str | None) -> None:
    assert answer_said([a_message("m1", said)]) == choice
