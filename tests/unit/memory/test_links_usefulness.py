"""An association that helped grows: the link from the seed that brought the memory, +0.1."""

from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from memory.agent import AgentMemory
from memory.changes import Links, Put, Turn, Used
from memory.jobs.steps import AgentParts
from memory.model import AgentSettings, Link, LinkType
from memory.recall import Hit
from memory.state import MemoryState
from memory.views import memories_within_budget
from tests.builders import a_memory
from tests.fakes.clock import FakeClock
from tests.fakes.in_memory_store import InMemoryStore
from tests.fakes.judging import a_state, a_turn, learnt
from tests.fakes.model import ScriptedModel


def reminded(*path: int) -> tuple[MemoryState, Turn]:
    """Return a turn about 猫 in which the memory at the end of ``path`` came up by its links."""
    state = a_state(*(a_memory(n, text) for n, text in enumerate(("猫", "兽医", "疫苗"), start=1)))
    link = Link(target=2, strength=0.3, type=LinkType.CO_TURN)
    state, _ = state.apply([Put(Links(source=1, links=(link,)))])
    used = Used(memory_id=path[-1], score=0.4, associated=len(path) > 1, path=path)
    return state, replace(a_turn("猫怎么了"), used=(used,))


def strength(state: MemoryState, source: int, target: int) -> float:
    return next((link.strength for link in state.links_of(source) if link.target == target), 0.0)


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [((1, 2), 0.3, 0.4), ((1, 2, 3), 0.0, 0.1)],
    ids=["a neighbour", "two links away"],
)
def test_what_association_brought_and_was_used_is_linked_more_firmly_to_what_brought_it(
    path: tuple[int, ...], before: float, after: float
) -> None:
    state, turn = reminded(*path)

    verdict = learnt(state, turn, "[BOOST:m1]")

    assert strength(state, path[0], path[-1]) == pytest.approx(before)
    assert strength(verdict.state, path[0], path[-1]) == pytest.approx(after)
    assert verdict.judged.learnt == (f"BOOST #{path[-1]}",)


def test_undoing_the_boost_takes_the_link_back_too() -> None:
    state, turn = reminded(1, 2)
    after = learnt(state, turn, "[BOOST:m1]").state

    back, _ = after.apply(after.undos[max(after.undos)].inverse)

    assert strength(back, 1, 2) == pytest.approx(0.3)


@pytest.mark.parametrize("answer", ["[SKIP]", "[ADD] 主人喜欢狗"])
def test_what_was_brought_and_not_used_teaches_no_link(answer: str) -> None:
    state, turn = reminded(1, 2)

    assert strength(learnt(state, turn, answer).state, 1, 2) == pytest.approx(0.3)


def test_a_boost_of_what_was_found_by_its_words_teaches_no_link() -> None:
    state, turn = reminded(1, 2)
    turn = replace(turn, used=(Used(memory_id=2, score=1.0),))

    assert strength(learnt(state, turn, "[BOOST:m1]").state, 1, 2) == pytest.approx(0.3)


def test_a_refused_boost_teaches_no_link() -> None:
    state, turn = reminded(1, 2)
    (said,) = turn.said
    turn = replace(turn, said=(replace(said, quoted="请加强 m1"),))

    verdict = learnt(state, turn, "[BOOST:m1]")

    assert verdict.judged.refused == ("BOOST: not seen to be used",)
    assert strength(verdict.state, 1, 2) == pytest.approx(0.3)


def test_the_record_of_use_keeps_the_way_by_which_a_memory_came_up() -> None:
    state = a_state(a_memory(1, "猫"), a_memory(2, "兽医"))
    hit = Hit(
        memory_id=2,
        score=0.4,
        relevance=0.0,
        activation=0.4,
        retention=1.0,
        source_ids=("s2",),
        quote="兽医",
        path=(1, 2),
    )

    injected = memories_within_budget(
        [hit], state, budget_tokens=500, zone=ZoneInfo("UTC"), count=len
    )

    assert [used.path for used in injected.used] == [(1, 2)]


@pytest.mark.parametrize(
    ("reply", "there", "back"),
    [("主人的猫叫团子，疫苗本在抽屉里", 0.95, 0.05), ("它挺好的", 0.8, 0.0)],
    ids=["said both", "said neither"],
)
async def test_from_recall_to_the_firmer_link_through_a_whole_agent(
    reply: str, there: float, back: float
) -> None:
    """What a reply used together gains 0.05, what a model says helped 0.1 more.

    No model is asked what helped a reply that says no word of any memory.
    """
    model = ScriptedModel(["[BOOST:m2]"])
    agent = await AgentMemory.open(
        InMemoryStore(),
        AgentParts(clock=FakeClock(), model=model),
        choose_settings=lambda known: known or AgentSettings(),
    )
    known = [a_memory(1, "主人的猫叫团子"), a_memory(2, "疫苗本在抽屉里")]
    link = Link(target=2, strength=0.8, type=LinkType.CO_TURN)
    await agent.steer(lambda state, _: [*map(Put, known), Put(Links(source=1, links=(link,)))])

    hits = await agent.search("团子怎么了")
    injected = agent.memories_for_prompt(hits, budget_tokens=500, count=len)
    await agent.commit(replace(a_turn("团子怎么了", reply=reply), used=injected.used))
    await agent.background.wait_until_idle()
    state = agent.state
    await agent.close()

    assert [used.path for used in injected.used] == [(), (1, 2)]
    assert strength(state, 1, 2) == pytest.approx(there)
    assert strength(state, 2, 1) == pytest.approx(back)
