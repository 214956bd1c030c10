"""What becomes of what is told again, reinforced, corrected or only shown, lived day by day."""

from datetime import timedelta

import pytest

from memory.changes import Change, Put, Turn
from memory.laws.law import Event
from memory.lifecycle.consequences import plan_events
from memory.model import AgentSettings, Language
from memory.views import view
from tests.builders import a_memory, a_message
from tests.fakes.clock import NOON
from tests.fakes.desk import DeskSession, commands, session_with

LONGEST = 200
TOLD_AGAIN_ON = 15
PLAIN = {
    "zh": ("山塘街的修鞋摊放着老歌", "桃花坞公园开了桂花"),
    "en": ("the cobbler on Mill Street plays old songs", "lilacs bloom in the park"),
}


async def hold(session: DeskSession, *changes: Change) -> None:
    await session.agent.steer(lambda state, _: changes)


async def happens(session: DeskSession, memory_id: int, event: Event) -> None:
    await session.agent.steer(
        lambda state, _: plan_events(state, [(memory_id, event)], session.clock.now())
    )


def retained(session: DeskSession) -> float:
    return view(session.state.memory(1), session.state, session.clock.now()).retention


async def sleep(session: DeskSession, nights: int) -> None:
    for _ in range(nights):
        session.clock.tick(days=1)
        await session.agent.nightly()


async def days_until_gone(session: DeskSession, memory_id: int) -> int:
    """Live on until a memory is gone, at most so long, and return how many days that took."""
    days = 0
    while session.state.memory(memory_id).is_active and days < LONGEST:
        await sleep(session, 1)
        days += 1
    return days


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_what_was_told_twice_outlives_what_was_told_once_on_the_later_day(
    language: Language,
) -> None:
    first, later = PLAIN[language]
    async with session_with(language=language) as session:
        await hold(session, Put(a_memory(1, first)))
        await sleep(session, TOLD_AGAIN_ON)
        await happens(session, 1, Event.MENTION)
        await hold(session, Put(a_memory(2, later, at=session.clock.now())))
        once = await days_until_gone(session, 2)

        assert 7 < once < LONGEST
        assert session.state.memory(1).is_active


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_the_button_of_what_fades_keeps_it_beyond_the_same_night(language: Language) -> None:
    plain, other = PLAIN[language]
    async with session_with(language=language) as session:
        await hold(session, Put(a_memory(1, plain)), Put(a_memory(2, other)))
        session.clock.tick(days=24)
        button = next(
            each for each in commands(await session.ask("/memory fading")) if "reinforce" in each
        )
        assert button == "/memory reinforce #1"
        await session.ask(button)
        await sleep(session, 1)

        assert session.state.memory(1).is_active
        assert not session.state.memory(2).is_active
        assert await days_until_gone(session, 1) > 7


@pytest.mark.parametrize("law", ["tiers", "ebbinghaus", "disuse", "weights", "network"])
async def test_what_was_corrected_is_never_firmer_for_it(law: str) -> None:
    async with DeskSession(settings=AgentSettings(law=law)) as session:
        await hold(session, Put(a_memory(1, "主人住在苏州")))
        session.clock.tick(days=2)
        for _ in range(8):
            for event in (Event.FAILURE, Event.NEGATE):
                before = retained(session)
                await happens(session, 1, event)

                assert retained(session) <= before


async def test_what_stood_in_one_prompt_is_not_tied_together_by_that() -> None:
    async with session_with() as session:
        await hold(session, Put(a_memory(1, "主人的猫叫团子")), Put(a_memory(2, "团子怕打雷")))
        links = session.state.links_of(1)
        for number in range(5):
            at = session.clock.tick(minutes=5)
            hits = await session.agent.search("团子怎么了")
            shown = session.agent.memories_for_prompt(hits, budget_tokens=500, count=len)
            assert {1, 2} <= {used.memory_id for used in shown.used}
            reply = a_message(f"r{number}", "嗯嗯", at=at, speaker="小祥", role="assistant")
            said = (a_message(f"s{number}", "团子怎么了", at=at),)
            turn = Turn(
                id=f"t{number}", conversation="c", at=at, said=said, reply=reply, used=shown.used
            )
            await session.agent.commit(turn)
        await session.agent.background.wait_until_idle()

        assert session.state.links_of(1) == links


async def test_under_network_what_never_had_a_link_fades_too() -> None:
    async with DeskSession(settings=AgentSettings(law="network")) as session:
        lone = a_memory(1, "主人在山塘街看见一只橘猫", at=NOON - timedelta(days=40))
        await hold(session, Put(lone))
        begun = retained(session)
        for day in range(10):
            session.clock.tick(days=1)
            talk = a_message(f"m{day}", f"第{day}天", at=session.clock.now())
            session.agent.background.enqueue([talk], explicit=False)
            await session.agent.background.wait_until_idle()

        scanned = session.state.memory(1).trace.scan_count
        assert scanned > 0
        assert retained(session) == pytest.approx(begun * 0.97**scanned)
