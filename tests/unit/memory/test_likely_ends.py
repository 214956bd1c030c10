"""What the partner told later, and is likely to have ended what was found, comes with it."""

from datetime import timedelta

import pytest

from memory.agent import AgentMemory
from memory.model import Language
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.life import empty_memory, tell

WEEK = timedelta(days=7)


async def told(*lines: str, language: Language) -> AgentMemory:
    """Return a memory to which the lines were told, a week apart; it stands a week later."""
    clock = FakeClock()
    agent = await empty_memory(clock, language)
    for number, text in enumerate(lines):
        at = NOON + number * WEEK
        clock.set(at)
        await tell(agent, number, text, at)
    clock.set(NOON + len(lines) * WEEK)
    return agent


async def shown(agent: AgentMemory, question: str) -> list[str]:
    hits = await agent.search(question)
    found = {hit.quote for hit in hits}
    brought = await agent.kept_in_mind(question, hits)
    await agent.close()
    return [each.text for each in brought if each.text not in found]


RENT = ("我跟人合租，一月一千一", "房东娘说啥都涨，从下个月起收一千三")
CLUB = ("I row at the club", "sold the oars, squash for me now")


@pytest.mark.parametrize(
    ("language", "question", "was", "now"),
    [("zh", "合租一月几百", *RENT), ("en", "what is my row at the club", *CLUB)],
)
async def test_a_line_that_shares_no_word_with_what_it_ended_is_brought(
    language: Language, question: str, was: str, now: str
) -> None:
    agent = await told(
        was, "今天下雨了" if language == "zh" else "it rains", now, language=language
    )

    assert now in await shown(agent, question)


async def test_what_is_over_itself_is_not_brought(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "memory.recall.said_around.chance_of_ending", lambda text, _: 0.9 * ("锤子" in text)
    )
    over = ("我用的手机是锤子", "我的锤子换成了一加")
    agent = await told("我喜欢吃面", *over, language="zh")
    (fact,) = (m for m in agent.state.memories.values() if "锤子" in m.words.text and m.is_past)
    assert fact.is_past

    assert over[0] not in await shown(agent, "我吃面吗")


HOME_ZH = ("我住在鼓楼旁边", "同事把茶水泼了", "钥匙交给新房东了，这边楼下就是黄浦江")
HOME_EN = ("I live by the castle", "a colleague spilt her tea", "unpacking boxes in Leith at last")


@pytest.mark.parametrize(
    ("language", "question", "lines"),
    [("zh", "我在哪落脚", HOME_ZH), ("en", "where am I based these days", HOME_EN)],
)
async def test_what_was_told_last_of_the_matter_asked_is_brought_though_no_word_is_shared(
    language: Language, question: str, lines: tuple[str, ...]
) -> None:
    agent = await told(*lines, language=language)
    hits = await agent.search(question, k=1)

    brought = await agent.kept_in_mind(question, hits)
    await agent.close()

    at_hand = [hit.quote for hit in hits] + [each.text for each in brought]
    assert lines[-1] in at_hand
    assert lines[1] not in at_hand


async def test_in_a_group_no_line_of_the_matter_is_brought() -> None:
    agent = await told(*HOME_ZH, language="zh")

    brought = await agent.kept_in_mind("我在哪落脚", (), private=False)
    await agent.close()

    assert HOME_ZH[-1] not in [each.text for each in brought]


async def test_what_the_talk_shows_already_is_not_brought() -> None:
    agent = await told(*HOME_ZH, language="zh")

    brought = await agent.kept_in_mind("我在哪落脚", (), skip={"s2"})
    await agent.close()

    assert HOME_ZH[-1] not in [each.text for each in brought]
