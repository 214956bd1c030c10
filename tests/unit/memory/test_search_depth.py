"""What comes to mind by itself, what has to be looked up, and what nobody finds any more."""

from dataclasses import replace
from datetime import timedelta

import pytest

from memory.changes import Change, DiaryLine, Drop, Put
from memory.diary import marks_after_purge
from memory.lifecycle.effects import at_level
from memory.model import (
    Archived,
    Deleted,
    DeletionPolicy,
    Level,
    Memory,
    Merged,
    Message,
    Passage,
    Tier,
)
from memory.recall import DepthName, Hit, Reach, Recall
from memory.state import MemoryState
from tests.builders import a_memory, a_message, a_stretch
from tests.fakes.clock import NOON

LATER = NOON + timedelta(hours=1)
SAID = a_stretch("我家的猫叫团子", "好可爱呀", "明天面试", "加油")
ENDED = Deleted(NOON, DeletionPolicy.AUTO_CLEANUP)
HIDDEN = Deleted(NOON, DeletionPolicy.USER_DELETE)


def an_episode(memory_id: int, messages: list[Message], gist: str = "聊了面试") -> Memory:
    ids, at = tuple(message.id for message in messages), messages[0].at
    verbatim = tuple(
        Passage(
            text=m.text, source_ids=(m.id,), at=m.at, speaker=m.speaker, role=m.role, verbatim=True
        )
        for m in messages
    )
    made = a_memory(memory_id, gist, tier=Tier.EPISODE, at=at)
    return replace(made, passages=(Passage(text=gist, source_ids=ids, at=at), *verbatim))


def lines(messages: list[Message], *, scene: int = 0, conversation: str = "") -> list[Change]:
    return [
        Put(DiaryLine(message=m, number=number, scene=scene, conversation=conversation))
        for number, m in enumerate(messages, start=1)
    ]


def the_state(*memories: Memory, scene: int = 1) -> MemoryState:
    return MemoryState().apply([*lines(SAID, scene=scene), *map(Put, memories)])[0]


def found(
    state: MemoryState,
    query: str = "团子",
    depth: DepthName = "deep",
    skip: frozenset[str] = frozenset(),
) -> list[Hit]:
    return Recall().search(query, state, now=LATER, reach=Reach(depth=depth, skip=skip))


def quotes(hits: list[Hit]) -> set[str]:
    return {hit.quote for hit in hits}


def test_what_was_said_just_now_comes_to_mind() -> None:
    best = found(the_state(scene=0), depth="everyday")[0]

    assert (best.quote, best.memory_id, best.looked_up) == ("我家的猫叫团子", 0, False)
    assert best.line is not None
    assert best.line.message == SAID[0]


def test_a_line_is_found_once_and_as_its_memorys() -> None:
    hits = found(the_state(an_episode(1, SAID)), depth="everyday")

    assert [hit.memory_id for hit in hits if hit.quote == SAID[0].text] == [1]


def test_what_is_to_be_skipped_is_not_quoted() -> None:
    hits = found(the_state(scene=0), depth="deep", skip=frozenset({"1"}))

    assert SAID[0].text not in quotes(hits)


@pytest.mark.parametrize(
    "memory",
    [
        replace(an_episode(1, SAID), standing=ENDED),
        replace(an_episode(1, SAID), standing=Archived(NOON)),
        at_level(an_episode(1, SAID), Level.SUMMARY),
        at_level(an_episode(1, SAID), Level.TRACE),
    ],
    ids=["ended", "archived", "summary", "trace"],
)
def test_what_a_law_took_from_a_memory_is_looked_up(memory: Memory) -> None:
    state = the_state(memory)

    assert SAID[0].text not in quotes(found(state, depth="everyday"))
    best = found(state)[0]
    assert (best.quote, best.memory_id, best.looked_up) == (SAID[0].text, 1, True)
    assert "deep:asked" in best.reasons


def test_what_nothing_is_left_of_but_its_lines_is_looked_up() -> None:
    best = found(the_state())[0]

    assert (best.quote, best.memory_id, best.looked_up) == (SAID[0].text, 0, True)


def test_auto_looks_up_what_is_asked_about_and_says_so() -> None:
    state = the_state()

    assert found(state, "还记得团子吗", depth="auto")[0].quote == SAID[0].text
    assert any(
        r.startswith("deep:") for r in found(state, "还记得团子吗", depth="auto")[0].reasons
    )


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ("团子今天又吐了", "deep:nearer"),
        ("团子吃什么好？", ""),
        ("今天又加班了", ""),
        ("🐱", ""),
    ],
)
def test_what_is_told_of_something_let_go_brings_it_back(told: str, reason: str) -> None:
    kept = a_stretch("今天加班了", "辛苦啦", first=5)
    state = the_state().apply(lines(kept))[0]

    hits = found(state, told, depth="auto")

    assert (SAID[0].text in quotes(hits)) == bool(reason)
    assert {r for hit in hits for r in hit.reasons if r.startswith("deep:")} == {reason} - {""}


@pytest.mark.parametrize(
    ("told", "cue", "reason"),
    [
        ("We built a cedar kayak, with a paddle", "A kayak paddle of cedar?", "deep:nothing-near"),
        ("雪松木做了皮划艇，又给船桨刷漆", "皮划艇的船桨又要刷漆", "deep:nearer"),
    ],
)
def test_where_nothing_came_to_mind_what_has_a_cue_is_looked_up(
    told: str, cue: str, reason: str
) -> None:
    words = ("weather", "soup", "train", "bus", "office", "film", "gym", "tea")
    others = a_stretch(*(f"the {word} was fine" for word in words * 4), first=5)
    state = MemoryState().apply([*lines(a_stretch(told), scene=1), *lines(others, scene=2)])[0]

    best = found(state, cue, depth="auto")[0]
    assert (best.quote, best.looked_up, reason in best.reasons) == (told, True, True)
    assert not found(state, "Is paint right for algae?", depth="auto")


@pytest.mark.parametrize(
    ("asked", "looked_up"),
    [
        ("婚礼是哪天？", True),
        ("婚礼在哪里办？", True),
        ("婚礼预算多少？", False),
        ("春节是哪天？", False),
        ("婚礼真累人", False),
        ("办婚礼选哪家酒店合适？", False),
    ],
)
def test_who_asks_when_or_where_of_what_was_told_asks_the_diary(
    asked: str, *, looked_up: bool
) -> None:
    told = a_stretch("婚礼定在5月2号，在西湖边", "好呀")
    lately = a_stretch("18号领证啦！现在是陈太太了", "恭喜", first=5)
    state = MemoryState().apply([*lines(told, scene=1), *lines(lately)])[0]

    hits = [hit for hit in found(state, asked, depth="auto") if "deep:named" in hit.reasons]
    assert (told[0].text in quotes(hits)) is looked_up


@pytest.mark.parametrize(
    ("asked", "looked_up"),
    [
        ("When is the wedding?", True),
        ("Where will the wedding be?", True),
        ("When is Easter?", False),
        ("I dreamt of the wedding", False),
    ],
)
def test_it_does_so_in_english(asked: str, *, looked_up: bool) -> None:
    told = a_stretch("The wedding is on 2 May at a barn in Hay", "Lovely")
    lately = a_stretch("the tram was late", "oh no", first=5)
    state = MemoryState().apply([*lines(told, scene=1), *lines(lately)])[0]

    hits = [hit for hit in found(state, asked, depth="auto") if "deep:named" in hit.reasons]
    assert (told[0].text in quotes(hits)) is looked_up


def test_what_the_partner_hid_is_in_no_recall() -> None:
    hidden = replace(a_memory(2, "主人的猫叫团子"), standing=HIDDEN)
    hidden = replace(hidden, passages=(replace(hidden.passages[0], source_ids=("1",)),))
    state = the_state(an_episode(1, SAID), hidden)

    for depth in ("everyday", "deep", "auto"):
        assert SAID[0].text not in quotes(found(state, depth=depth))
    assert "明天面试" in quotes(found(state, "面试"))


def test_what_the_partner_hid_stays_hidden_after_the_purge() -> None:
    state = the_state(replace(an_episode(1, SAID), standing=HIDDEN))
    gone = [*marks_after_purge([state.memories[1]], state), Drop(Memory, 1)]

    assert not found(state.apply(gone)[0])


def test_what_the_partner_takes_back_is_found_again() -> None:
    episode, recall = an_episode(1, SAID), Recall()
    state = the_state(replace(episode, standing=HIDDEN))
    recall.build(state)
    assert not recall.search("团子", state, now=LATER)

    back = [Put(episode)]
    recall.note(back)

    assert recall.search("团子", state.apply(back)[0], now=LATER)[0].quote == SAID[0].text


def test_a_line_whose_fact_no_longer_holds_is_told_as_past() -> None:
    fact = replace(a_memory(2, "主人的猫叫团子"), passages=())
    passage = Passage(text="主人的猫叫团子", source_ids=("1",), at=NOON)
    negated = replace(
        fact, passages=(passage,), trace=replace(fact.trace, negated_at=NOON), standing=ENDED
    )

    (line,) = (hit for hit in found(the_state(negated)) if hit.quote == SAID[0].text)

    assert line.past


def test_a_batch_that_became_one_memory_is_not_told_twice() -> None:
    merged = replace(a_memory(2, "主人的猫叫团子"), standing=Merged(NOON, 1))
    state, _ = MemoryState().apply([Put(merged)])

    assert not found(state)


def test_an_index_in_step_finds_what_a_fresh_one_finds() -> None:
    recall, state = Recall(), MemoryState()
    recall.build(state)
    steps: list[list[Change]] = [
        lines(SAID),
        [*lines(SAID, scene=1), Put(an_episode(1, SAID))],
        [Put(at_level(an_episode(1, SAID), Level.SUMMARY))],
        [Put(replace(an_episode(1, SAID), standing=ENDED))],
        [Drop(Memory, 1)],
        [Drop(DiaryLine, "1")],
        [Put(DiaryLine(message=a_message("2", "***", role="assistant"), number=2, scene=1))],
    ]
    for changes in steps:
        state, _ = state.apply(changes)
        recall.note(changes)
        for query in ("团子", "面试", "可爱"):
            here = recall.search(query, state, now=LATER, k=20, reach=Reach(depth="deep"))
            fresh = Recall().search(query, state, now=LATER, k=20, reach=Reach(depth="deep"))
            assert [(h.quote, h.memory_id) for h in here] == [
                (h.quote, h.memory_id) for h in fresh
            ]


def test_what_was_learnt_from_a_line_already_is_found_as_that() -> None:
    fact = a_memory(2, "主人的猫叫团子")
    fact = replace(fact, passages=(replace(fact.passages[0], source_ids=("1",)),))

    hits = found(the_state(fact, scene=0), depth="everyday")

    assert [hit.memory_id for hit in hits if hit.quote == SAID[0].text] == [2]


@pytest.mark.parametrize(
    ("told", "asked_before", "answer", "query"),
    [
        ("小宇在双桥小学上学", "小宇在哪上学", "你说过小宇在双桥小学上学", "小宇在哪上学"),
        (
            "Callum works at a bakery",
            "where does Callum work?",
            "Callum works",
            "where does Callum work",
        ),
    ],
)
def test_what_she_said_and_what_was_asked_follow_what_was_told(
    told: str, asked_before: str, answer: str, query: str
) -> None:
    state = MemoryState().apply(lines(a_stretch(told, answer, asked_before, answer)))[0]

    best = found(state, query, depth="auto")[0]
    assert best.quote == told
    assert best.line is not None
    assert best.line.message.role == "user"


@pytest.mark.parametrize(
    ("told", "query"),
    [("我家的猫叫团子", "我家的猫叫什么"), ("our cat is called Mochi", "what's our cat called")],
)
def test_what_was_let_go_is_looked_up_for_who_asks_of_their_own(told: str, query: str) -> None:
    scene = replace(an_episode(1, a_stretch(told, "ok")), standing=ENDED)
    state = MemoryState().apply([*lines(a_stretch(told, "ok"), scene=1), Put(scene)])[0]

    assert told in quotes(found(state, query, depth="auto"))
    assert told not in quotes(found(state, query, depth="everyday"))
