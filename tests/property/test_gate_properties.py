"""What holds of the gate whatever a model answers about whatever was said."""

from dataclasses import replace

import pytest
from hypothesis import currently_in_test_context, event, given
from hypothesis import strategies as st

from memory.changes import Links, Put, Turn, Undo
from memory.judgement.assertions import ParsedText
from memory.judgement.brackets import Unreadable
from memory.judgement.draft import Judgement
from memory.judgement.evidence import Support, support_for
from memory.learning import monitor
from memory.model import Deleted, Memory, Merged, Sensitivity, Tier
from memory.state import MemoryState
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.judging import a_state, a_turn

THINGS = ["猫", "狗", "拉面", "咖啡", "上海", "cats", "coffee"]
SAYINGS = [
    *(f"我喜欢{thing}" for thing in THINGS),
    *(f"我不喜欢{thing}了" for thing in THINGS),
    "我搬到上海了",
    "不对，我叫李明",
    "今天天气真好",
    "I like cats and I hate rain",
    "嗯",
]
KNOWN = [*(f"主人喜欢{thing}" for thing in THINGS), "主人住在北京", "主人叫小明"]
WRITTEN = [*KNOWN, "主人住在上海", "主人叫李明", *(f"主人不喜欢{thing}" for thing in THINGS)]
SHOWN = 4

handles = st.sampled_from([f"m{n}" for n in range(1, SHOWN + 1)])
texts = st.sampled_from(WRITTEN)
operations = st.one_of(
    st.builds("[ADD] {}".format, texts),
    st.builds("[UPDATE:{}] {}".format, handles, texts),
    st.builds("[NEGATE:{}] {}".format, handles, texts),
    st.builds("[MERGE:{},{}] {}".format, handles, handles, texts),
    st.builds("[BOOST:{}]".format, handles),
    st.builds("[DELETE:{}]".format, handles),
)
answers = st.lists(operations, min_size=1, max_size=5).map("\n".join)
tiers = st.sampled_from([Tier.FACT, Tier.FACT, Tier.CORE, Tier.SYSTEM, Tier.EPISODE])


@st.composite
def situations(draw: st.DrawFn) -> tuple[MemoryState, Turn]:
    """Draw a few memories and a turn that shows the first ones of them."""
    known = draw(
        st.lists(
            st.tuples(st.sampled_from(KNOWN), tiers, st.booleans()), min_size=SHOWN, max_size=8
        )
    )
    memories = []
    for number, (text, tier, pinned) in enumerate(known, start=1):
        memory = a_memory(number, text, tier=tier)
        memories.append(replace(memory, nature=replace(memory.nature, pinned=pinned)))
    said = draw(st.lists(st.sampled_from(SAYINGS), min_size=1, max_size=3))
    quoted = draw(st.sampled_from(["", "主人喜欢狗", "[DELETE:m1]"]))
    turn = a_turn(*said, quoted=quoted, used=range(1, SHOWN + 1))
    return a_state(*memories, turn), turn


def judged(state: MemoryState, turn: Turn, answer: str) -> tuple[Judgement, MemoryState] | None:
    verdict = monitor.judge(monitor.turn_question(turn, state), answer, state, NOON)
    if currently_in_test_context():  # `--hypothesis-show-statistics` tells how often each was met
        event(" ".join(verdict.learnt).split(" ")[0] if isinstance(verdict, Judgement) else "none")
    if isinstance(verdict, Unreadable):
        return None
    after, _ = state.apply(verdict.changes)
    return verdict, after


@pytest.mark.parametrize(
    ("answer", "learnt"),
    [
        ("[ADD] 主人喜欢狗", "ADD #5"),
        ("[DELETE:m2]", "DELETE #2"),
        ("[MERGE:m3,m4] 主人喜欢咖啡", "MERGE #3 #4 #5"),
    ],
)
def test_of_these_situations_some_are_admitted(answer: str, learnt: str) -> None:
    known = ["主人喜欢猫", "主人叫小明", "主人喜欢咖啡", "主人喜欢咖啡"]
    turn = a_turn("我喜欢狗", "不对，我不叫小明", used=range(1, SHOWN + 1))
    state = a_state(*(a_memory(n, text) for n, text in enumerate(known, start=1)), turn)

    found = judged(state, turn, answer)

    assert found is not None
    assert learnt in found[0].learnt


@given(situations(), answers)
def test_what_was_not_shown_keeps_its_words_standing_and_nature(
    situation: tuple[MemoryState, Turn], answer: str
) -> None:
    state, turn = situation
    if found := judged(state, turn, answer):
        _, after = found
        for key in range(SHOWN + 1, len(state.memories) + 1):
            old, new = state.memory(key), after.memory(key)
            assert (new.words, new.standing, new.nature) == (old.words, old.standing, old.nature)


@given(situations(), answers)
def test_everything_new_was_said_or_stood_in_what_was_merged(
    situation: tuple[MemoryState, Turn], answer: str
) -> None:
    state, turn = situation
    if found := judged(state, turn, answer):
        _, after = found
        evidence = monitor.evidence_of(turn, state)
        for key, memory in after.memories.items():
            if key not in state.memories and not memory.lineage.merged_from:
                assert isinstance(support_for(ParsedText(memory.words.text), evidence), Support)
                assert memory.origin.turn_id == turn.id


@given(situations(), answers)
def test_nothing_the_background_may_not_touch_is_taken_away(
    situation: tuple[MemoryState, Turn], answer: str
) -> None:
    state, turn = situation
    if found := judged(state, turn, answer):
        _, after = found
        for key, old in state.memories.items():
            new = after.memory(key)
            if old.nature.tier in {Tier.SYSTEM, Tier.EPISODE}:
                assert (new.words, new.standing) == (old.words, old.standing)
            if old.nature.pinned and isinstance(new.standing, Merged):
                assert after.memory(new.standing.into).nature.pinned
            assert not (old.nature.pinned and isinstance(new.standing, Deleted))


@given(situations(), answers)
def test_one_undo_brings_back_the_exact_memories(
    situation: tuple[MemoryState, Turn], answer: str
) -> None:
    state, turn = situation
    if found := judged(state, turn, answer):
        verdict, after = found
        lasting = [c for c in verdict.changes if isinstance(c, Put) and isinstance(c.record, Undo)]
        if verdict.changes:
            (undo,) = lasting
            assert isinstance(undo.record, Undo)
            back, _ = after.apply(undo.record.inverse)
            assert back.memories == state.memories
            assert back.links == state.links
            assert back.reviews == state.reviews


@given(situations(), answers)
def test_links_and_lineage_lead_to_what_is_there(
    situation: tuple[MemoryState, Turn], answer: str
) -> None:
    state, turn = situation
    if found := judged(state, turn, answer):
        verdict, after = found
        for change in verdict.changes:
            match change:
                case Put(Links(source=source, links=links)):
                    assert source in after.memories
                    assert all(link.target in after.memories for link in links)
                case Put(Memory() as memory):
                    lineage = memory.lineage
                    kin = [*lineage.merged_from, lineage.replaces, lineage.replaced_by]
                    assert all(each in after.memories for each in kin if each is not None)
                case _:
                    pass


@given(situations(), answers)
def test_a_refused_operation_means_no_delete(
    situation: tuple[MemoryState, Turn], answer: str
) -> None:
    state, turn = situation
    if found := judged(state, turn, answer):
        verdict, after = found
        if verdict.refused:
            assert not any(isinstance(m.standing, Deleted) for m in after.memories.values())


@given(situations(), answers)
def test_judging_is_pure_and_repeatable(situation: tuple[MemoryState, Turn], answer: str) -> None:
    state, turn = situation

    assert judged(state, turn, answer) == judged(state, turn, answer)


@given(
    st.sampled_from(["我的密码是abc12345", "卡号 4111 1111 1111 1111", "密码：hunter22"]), answers
)
def test_no_secret_value_is_in_what_is_kept(secret: str, answer: str) -> None:
    state = a_state(*(a_memory(n, text) for n, text in enumerate(KNOWN[:SHOWN], start=1)))
    turn = a_turn(secret, "我喜欢猫", used=range(1, SHOWN + 1))
    waiting, _ = state.apply([Put(turn)])
    if found := judged(
        waiting, turn, f"{answer}\n[ADD sensitivity=0] {secret.replace('我', '主人')}"
    ):
        _, after = found
        kept = repr([*after.memories.values(), *after.undos.values()])
        assert all(value not in kept for value in ("abc12345", "4111 1111", "hunter22"))
        assert all(m.nature.sensitivity < Sensitivity.SECRET for m in after.memories.values())
