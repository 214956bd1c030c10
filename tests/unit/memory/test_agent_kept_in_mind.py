"""What goes into a prompt besides what was found: what was laid down, and what was once known."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.conversation.prompt_budget import TokenBudget
from bot.conversation.reply_generator import ReplyGenerator, TurnContext
from memory.agent import AgentMemory
from memory.changes import Change, DiaryLine, Drop, Links, Put
from memory.jobs.steps import AgentParts
from memory.lifecycle.partner_steps import plan_system
from memory.model import AgentSettings, Deleted, DeletionPolicy, Link, LinkType, Memory, Tier
from tests.builders import a_memory, a_message
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.in_memory_store import InMemoryStore
from tests.fakes.model import ScriptedModel

ASKED = "还记得我妈妈的生日是什么时候吗"
MOTHER = a_memory(1, "妈妈", tier=Tier.ENTITY)
BIRTHDAY = a_memory(2, "主人陪妈妈过了生日")
GONE = Link(target=99, strength=0.5, type=LinkType.FOCUS, relation="礼物")


def linked(*links: Link, source: int = 2) -> Put:
    return Put(Links(source=source, links=links))


async def say_nothing(_: str) -> None: ...


@pytest.fixture
async def agent() -> AsyncIterator[AgentMemory]:
    opened = await AgentMemory.open(
        InMemoryStore(),
        AgentParts(clock=FakeClock(NOON + timedelta(days=1)), model=None),
        choose_settings=lambda known: known or AgentSettings(),
    )
    yield opened
    await opened.close()


async def told(agent: AgentMemory, *changes: Change) -> None:
    await agent.steer(lambda state, _: changes)


async def texts(agent: AgentMemory, query: str = ASKED) -> list[str]:
    kept = await agent.kept_in_mind(query, await agent.search(query))
    assert not any(each.handle for each in kept)
    return [each.text for each in kept]


async def test_what_a_law_let_go_is_told_where_the_past_is_asked_about(
    agent: AgentMemory,
) -> None:
    await told(agent, Put(BIRTHDAY), linked(GONE))

    [text] = await texts(agent)
    assert text.startswith("[曾记得]")
    assert "礼物" in text
    assert await texts(agent, "今天给妈妈过生日") == []
    assert await texts(agent, "还记得团子吗") == []


async def test_a_name_that_is_linked_tells_it_too(agent: AgentMemory) -> None:
    about = Link(target=1, strength=1.0, type=LinkType.FOCUS)
    await told(agent, Put(MOTHER), Put(BIRTHDAY), linked(about), linked(GONE, source=1))

    [text] = await texts(agent)
    assert "与“妈妈”有关（礼物）" in text


async def test_what_the_diary_still_has_is_not_forgotten(agent: AgentMemory) -> None:
    line = DiaryLine(message=a_message("x", "送了一条围巾"), number=1, scene=99)
    await told(agent, Put(BIRTHDAY), linked(GONE), Put(line))
    assert await texts(agent) == []

    await told(agent, Drop(DiaryLine, "x"))
    assert len(await texts(agent)) == 1


async def test_what_the_partner_hid_is_not_told(agent: AgentMemory) -> None:
    hidden = replace(a_memory(99, "一条围巾"), standing=Deleted(NOON, DeletionPolicy.USER_DELETE))
    await told(agent, Put(BIRTHDAY), Put(hidden), linked(GONE))

    assert await texts(agent) == []


async def test_at_most_two_things_are_told(agent: AgentMemory) -> None:
    many = (replace(GONE, target=90 + n, relation=f"关系{n}") for n in range(5))
    await told(agent, Put(BIRTHDAY), linked(*many))

    assert len(await texts(agent)) == 2


async def lay_down(agent: AgentMemory, text: str) -> Memory:
    await agent.steer(lambda state, index: plan_system(state, text, "desk:1", NOON, index=index))
    return max(agent.state.memories.values(), key=lambda each: each.id)


async def test_what_an_owner_laid_down_is_always_there_until_it_is_taken_away(
    agent: AgentMemory,
) -> None:
    made = await lay_down(agent, "大家都叫老板掌柜")
    assert made.nature.tier is Tier.SYSTEM
    assert await texts(agent, "早上好") == ["大家都叫老板掌柜"]

    hidden = replace(made, standing=Deleted(NOON, DeletionPolicy.USER_DELETE))
    await told(agent, Put(hidden))
    assert await texts(agent, "早上好") == []


async def test_no_law_and_no_night_takes_it(agent: AgentMemory) -> None:
    await lay_down(agent, "大家都叫老板掌柜")
    for law in agent.state.laws.names:
        await agent.choose_law(law)
        await agent.nightly()

        assert await texts(agent, "早上好") == ["大家都叫老板掌柜"]


async def test_both_reach_the_model_and_found_ones_stand_once(agent: AgentMemory) -> None:
    await told(agent, Put(BIRTHDAY), linked(GONE))
    await lay_down(agent, "掌柜的生日是三月四日")
    model = ScriptedModel(["是三月四日"])
    generator = ReplyGenerator(
        model=model,
        persona=lambda _: "你是小祥。",
        budget=TokenBudget(100_000, len),
        clock=FakeClock(NOON),
    )
    context = TurnContext(
        agent=agent,
        settings=agent.settings,
        zone=ZoneInfo("Asia/Shanghai"),
        conversation="c",
        said=(a_message("9", ASKED),),
    )
    reply = await generator.generate(context, say_nothing)

    [prompt] = model.asked
    shown = str(prompt.messages())
    assert shown.count("掌柜的生日是三月四日") == 1
    assert "[曾记得] 与“主人陪妈妈过了生日”有关（礼物）" in shown
    assert "是三月四日" in str(reply)


async def test_who_the_partner_is_stands_in_every_private_prompt_while_it_comes_to_mind(
    agent: AgentMemory,
) -> None:
    hidden = replace(
        a_memory(4, "主人住在北京"),
        standing=Deleted(NOON, DeletionPolicy.USER_DELETE),
    )
    await told(agent, Put(a_memory(3, "主人对花生过敏")), Put(hidden))

    assert await texts(agent, "我去做饭了") == ["主人对花生过敏"]
    assert await agent.kept_in_mind("我去做饭了", (), private=False) == ()
    # What the search brought has its handle there, and stands once.
    assert await texts(agent, "花生") == []


@pytest.mark.parametrize(
    ("older", "newer", "question"),
    [
        ("我打算国庆去西藏", "西藏去不成了，单位不批假", "我国庆去哪？"),
        ("we're going to Greece in June", "Greece is off, can't afford it", "where in June?"),
    ],
)
async def test_what_was_said_later_of_a_thing_that_was_found_is_given_as_well(
    agent: AgentMemory, older: str, newer: str, question: str
) -> None:
    lines = [
        DiaryLine(message=a_message(str(n), text, at=NOON - timedelta(days=40 // n)), number=n)
        for n, text in enumerate((older, newer), start=1)
    ]
    await told(agent, *map(Put, lines))

    found = [hit.quote for hit in await agent.search(question)]
    assert found[0] == older
    # It may be found itself, as being of the same matter; then it stands once.
    assert sorted([*found, *await texts(agent, question)]) == sorted([older, newer])
    assert await texts(agent, newer) == []
    hits = await agent.search(question)
    assert await agent.kept_in_mind(question, hits, private=False) == ()


@pytest.mark.parametrize(
    ("older", "newer", "question"),
    [
        ("我养了一只橘猫叫团子", "团子这周寄放在外婆那儿", "我的猫在哪？"),
        (
            "I have a ginger cat, Biscuit",
            "Biscuit stays at grandma's this week",
            "where's my cat?",
        ),
    ],
)
async def test_of_what_names_a_thing_found_only_what_was_told_later_is_given(
    agent: AgentMemory, older: str, newer: str, question: str
) -> None:
    told_before = newer.replace("外婆", "老师").replace("grandma", "teacher")
    said = [told_before, older, newer, *(f"今天走了{n}公里 walked {n} km" for n in range(20))]
    lines = [
        DiaryLine(message=a_message(str(n), text, at=NOON - timedelta(days=40 - n)), number=n)
        for n, text in enumerate(said, start=1)
    ]
    hers = a_message("99", newer.replace("外婆", "小祥"), role="assistant")
    await told(agent, *map(Put, [*lines, DiaryLine(message=hers, number=99)]))
    hits = [hit for hit in await agent.search(question) if hit.quote == older]

    kept = [each.quote or each.text for each in await agent.kept_in_mind(question, hits)]

    assert hits
    assert newer in kept
    assert told_before not in kept
    assert not [each for each in kept if "小祥" in each]


NEAR = Link(target=99, strength=0.2, type=LinkType.TEMPORAL)


@pytest.mark.parametrize("near", [LinkType.TEMPORAL, LinkType.CO_TURN])
async def test_what_was_only_told_beside_it_is_not_spoken_of(
    agent: AgentMemory, near: LinkType
) -> None:
    await told(agent, Put(BIRTHDAY), linked(replace(NEAR, type=near)))
    assert await texts(agent) == []

    await told(agent, linked(replace(NEAR, type=LinkType.KEYWORD)))
    assert len(await texts(agent)) == 1


@pytest.mark.parametrize(
    ("fact", "asked"),
    [
        ("主人对青霉素过敏", "你还记得我对青霉素过敏吗"),
        ("主人的老公叫陈默", "还记得我老公叫什么来着"),
        ("The partner is allergic to penicillin", "Do you remember my penicillin allergy?"),
    ],
)
async def test_what_is_remembered_whole_is_told_beside_what_was_once_known_of_it(
    agent: AgentMemory, fact: str, asked: str
) -> None:
    await told(agent, Put(a_memory(2, fact)), linked(GONE))
    model = ScriptedModel(["好"])
    generator = ReplyGenerator(
        model=model,
        persona=lambda _: "你是小祥。",
        budget=TokenBudget(100_000, len),
        clock=FakeClock(NOON),
    )
    context = TurnContext(
        agent=agent,
        settings=agent.settings,
        zone=ZoneInfo("Asia/Shanghai"),
        conversation="c",
        said=(a_message("9", asked),),
    )
    await generator.generate(context, say_nothing)

    [prompt] = model.asked
    notes = [each for each in prompt.messages()[-1].content.splitlines() if fact in each]
    assert [each for each in notes if "[曾记得]" not in each]
