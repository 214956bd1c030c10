"""Merging: many memories that say one thing become one, and nothing is lost by it."""

from dataclasses import replace
from datetime import timedelta

import pytest

from memory.changes import Put
from memory.errors import InputRefused, UnknownMemory
from memory.judgement.draft import Judgement
from memory.merging.batch_merge import plan_batch_merge, plan_merge
from memory.model import Memory, Merged, Source, Tier
from memory.state import MemoryState
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.cost import at_most
from tests.fakes.judging import a_state

LATER = NOON + timedelta(days=30)


def mornings(count: int = 10) -> list[Memory]:
    return [
        a_memory(
            n + 1,
            f"主人今天（{(NOON + timedelta(days=n)).date()}）早上喝了咖啡",
            at=NOON + timedelta(days=n),
        )
        for n in range(count)
    ]


def done(state: MemoryState, judged: Judgement) -> MemoryState:
    after, _ = state.apply(judged.changes)
    return after


def active(state: MemoryState) -> list[str]:
    return [m.words.text for _, m in sorted(state.memories.items()) if m.is_active]


def test_ten_dated_mornings_of_coffee_become_one_habit() -> None:
    state = a_state(*mornings(), a_memory(20, "主人喜欢猫"))

    after = done(state, plan_batch_merge(state, LATER))

    assert active(after) == ["主人喜欢猫", "主人早上喝了咖啡（共 10 次，2026-03-04～2026-03-13）"]
    assert after.memory(21).lineage.merged_from == tuple(range(1, 11))
    assert all(after.memory(n).standing == Merged(LATER, 21) for n in range(1, 11))
    assert dict(after.agent_info.counters)["batch_merge_count"] == 1


def test_one_more_morning_joins_the_habit_and_is_counted() -> None:
    state = done(a_state(*mornings()), plan_batch_merge(a_state(*mornings()), LATER))
    again = replace(mornings(13)[12], id=30)
    state, _ = state.apply([Put(again)])

    after = done(state, plan_batch_merge(state, LATER))

    assert active(after) == ["主人早上喝了咖啡（共 11 次，2026-03-04～2026-03-16）"]
    assert after.memory(31).lineage.merged_from == (11, 30)
    assert plan_batch_merge(after, LATER) == Judgement()


def test_two_alike_are_left_alone_by_rule() -> None:
    state = a_state(*mornings(2))

    assert plan_batch_merge(state, LATER) == Judgement()


@pytest.mark.parametrize("what", ["pinned", "past", "other"])
def test_what_stands_apart_is_not_merged_by_rule(what: str) -> None:
    first, *rest = mornings(3)
    match what:
        case "pinned":
            first = replace(first, nature=replace(first.nature, pinned=True))
        case "past":
            first = replace(first, trace=replace(first.trace, negated_at=NOON))
        case _:
            first = replace(first, origin=replace(first.origin, speaker="小美"))

    assert plan_batch_merge(a_state(first, *rest), LATER) == Judgement()


def test_by_hand_two_are_enough_and_the_words_may_be_given() -> None:
    state = a_state(a_memory(1, "主人喜欢猫"), a_memory(2, "主人养猫"))

    after = done(state, plan_merge([1, 2], state, LATER, text="主人养猫，很喜欢"))

    assert active(after) == ["主人养猫，很喜欢"]
    assert after.memory(3).origin.source is Source.USER


def test_by_hand_in_english_the_rule_tells_it_in_english() -> None:
    state = a_state(a_memory(1, "I like cats"), a_memory(2, "I like cats"), language="en")

    after = done(state, plan_merge([1, 2], state, LATER))

    assert active(after) == ["I like cats (2 times, 2026-03-04)"]


def test_merging_can_be_taken_back() -> None:
    state = a_state(*mornings())
    after = done(state, plan_batch_merge(state, LATER))
    (undo,) = after.undos.values()

    back, _ = after.apply(undo.inverse)

    assert back.memories == state.memories
    assert back.links == state.links


@pytest.mark.parametrize("ids", [[1], [1, 1], [1, 2], [1, 3]])
def test_what_cannot_be_merged_is_refused(ids: list[int]) -> None:
    his = a_memory(3, "他喜欢猫")
    state = a_state(
        a_memory(1, "主人喜欢猫"),
        a_memory(2, "聊了猫", tier=Tier.EPISODE),
        replace(his, origin=replace(his.origin, speaker="小王")),
    )

    with pytest.raises(InputRefused):
        plan_merge(ids, state, LATER)


def test_an_unknown_memory_is_named() -> None:
    with pytest.raises(UnknownMemory, match="#9"):
        plan_merge([1, 9], a_state(a_memory(1)), LATER)


def test_thousands_of_facts_are_compared_in_a_moment() -> None:
    facts = [
        a_memory(n, f"主人第{n}次去{n * 7919 % 1000}号店买了{n * 31 % 977}号书")
        for n in range(1, 2001)
    ]
    alike = [replace(each, id=each.id + 3000) for each in mornings(3)]
    state = a_state(*facts, *alike)

    with at_most(20.0):
        merged = plan_batch_merge(state, LATER)

    assert len(merged.learnt) == 1
