"""What is put right in a word or two, just after it was told, is known rightly from then on."""

import asyncio
from datetime import timedelta

import pytest

from memory.agent import AgentMemory
from memory.model import Memory
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.life import empty_memory, tell


async def _told(lines: tuple[str, ...]) -> AgentMemory:
    clock = FakeClock()
    agent = await empty_memory(clock, "en" if lines[0].isascii() else "zh")
    for number, line in enumerate(lines):
        at = NOON + timedelta(minutes=number)
        clock.set(at)
        await tell(agent, number, line, at)
    return agent


def _facts_after(*lines: str) -> list[Memory]:
    async def told() -> list[Memory]:
        agent = await _told(lines)
        facts = [each for each in agent.state.memories.values() if each.is_living_fact]
        await agent.close()
        return facts

    return asyncio.run(told())


@pytest.mark.parametrize(
    ("lines", "known"),
    [
        (("My exam is on the 23rd of March", "sorry, I meant the 24th"), "on the 24th of March"),
        (("my nan died on Friday. funeral's the 22nd", "sorry, 23rd"), "funeral's the 23rd"),
        (("dinner with Priya on Friday at 8", "make that 7:30"), "at 7:30"),
        (("rent's 850", "typo: 950"), "rent's 950"),
        (("My dinner is at the Ritz on Friday", "Sorry, I meant the Royal"), "at the Royal on"),
        (("We are staying at the Ritz in May", "I meant the Royal"), "at the Royal in May"),
        (("my daughter starts school next year", "I meant my niece"), "niece starts school"),
        (("I am 26", "typo: 27"), "is 27"),
        # What the wrong word is of is said as well, or the slip is laughed at.
        (
            (
                "Flying to Lisbon on the 14th of March",
                "sorry, I meant the 24th. the 14th is the dentist",
            ),
            "on the 24th of March",
        ),
        (
            (
                "Night porter at the Grand",
                "Sorry — I meant the Royal. The Grand is where my wife works.",
            ),
            "porter at the Royal",
        ),
        (
            ("my birthdays the 3rd of march", "sorry I meant the 13th of march lol fat fingers"),
            "13th",
        ),
        (
            (
                "my bday's the 2nd of feb",
                "lol no i told you wrong, its the 12th of feb, groundhog day is my brother",
            ),
            "bday's the 12th of feb",
        ),
        (("I live in Leeds", "sorry, York"), "lives in York"),
        (("my sister is called Jane", "oops, Jean"), "called Jean"),
        (("I have a cat called Biscuit", "oops, he's a dog"), "a dog called Biscuit"),
        (("我养了只猫叫可乐", "不对，是狗"), "养了只狗叫可乐"),
        (("我17，高二", "打错了是16，17是虚岁"), "主人16岁"),
        (("我生日是3月3号", "跟你说错了，是3月13号"), "生日是3月13号"),
        (("我下周三考试", "记错了，是周四，周三是体检"), "考试"),
        (("我下个月去大阪玩", "啊不，是京都"), "下个月（2026-04）去京都玩"),
        (("我下周三考试", "记错了，周四"), "下周四（2026-03-12）考试"),
        (("下周三下午要去看牙医，想想就怕", "不对，是周四"), "下周四（2026-03-12）下午要去看牙医"),
        (("我女儿明年上小学", "打错了，是后年", "我是说我侄女"), "侄女后年上小学"),
        (("我养了只猫叫咪咪", "说错了，是狗"), "狗叫咪咪"),
        (("我六月想考主管护师，已经报名了", "记错了，是五月考，不是六月"), "五月想考主管护师"),
        (("我六月想考主管护师，已经报名了", "主管护师是五月考，不是六月"), "五月想考主管护师"),
        (("我房租三千二", "不对 三千五"), "三千五"),
        (("我车牌尾号是502", "打错 是205"), "205"),
        (
            (
                "funeral's the 22nd",
                "off to Lisbon 9th to the 13th of April",
                "no, 10th to the 14th",
            ),
            "Lisbon 10th to the 14th of April",
        ),
    ],
)
def test_a_word_that_puts_right_takes_the_place_of_the_wrong_one(
    lines: tuple[str, ...], known: str
) -> None:
    told = [each.words.text for each in _facts_after(*lines)]
    assert any(known in each for each in told), told


@pytest.mark.parametrize(
    ("lines", "kept"),
    [
        (("funeral's the 22nd", "off to Lisbon 9th to the 13th of April", "no, 10th to the 14th"),
         "funeral's the 22nd"),
        (("started running again", "turns out it's not running, it's my shoes"), "running again"),
        (("started running again", "it's not running, it's my shoes"), "running again"),
        (("I live in Leeds", "sorry, Mum called"), "Leeds"),
        (("记住我六月考主管护师", "我妈是五月生日，不是六月"), "六月考主管护师"),
        (("I live in Leeds", "sorry, Mum"), "Leeds"),
        (("I have a cat called Biscuit", "sorry, Tuesday"), "a cat called Biscuit"),
        (("我养了只猫叫可乐", "不好意思，狗叫了"), "猫叫可乐"),
        (("I have 2 cats", "no, thanks"), "2 cats"),
        (("I have 2 cats", "wait, what"), "2 cats"),
        (("我生日是8月12号", "晚饭吃了酸菜鱼", "哦不对 是水煮鱼"), "8月12号"),
        (("我住在长沙", "我是说我喜欢长沙"), "住在长沙"),
        (("我养了两只猫", "我说的是真的"), "两只猫"),
    ],
)  # fmt: skip
def test_what_puts_nothing_right_changes_nothing(lines: tuple[str, ...], kept: str) -> None:
    told = [each.words.text for each in _facts_after(*lines)]
    assert any(kept in each for each in told), told


@pytest.mark.parametrize(
    ("lines", "day"),
    [
        (("dentist on Tuesday at half 3", "no wait, Wednesday"), "2026-03-04"),
        (("我下周三下午要面试", "打错了，是周四"), "2026-03-12"),
        (("My interview is on the 9th", "sorry, 10th"), "2026-03-10"),
    ],
)
def test_she_brings_up_nothing_by_the_wrong_day(lines: tuple[str, ...], day: str) -> None:
    async def told() -> list[str]:
        agent = await _told(lines)
        days = [str(each.day) for each in agent.state.intentions.values() if each.is_open]
        await agent.close()
        return days

    assert asyncio.run(told()) == [day]
