"""Which lines of a talk come to mind by themselves under disuse, and which are looked up."""

from dataclasses import replace
from datetime import timedelta

import pytest

from memory.changes import AgentInfo, DiaryLine, Put, Receipt, Used
from memory.judgement.new_facts import birth_of_talk
from memory.laws.law import Birth, Event
from memory.model import AgentSettings, Memory, Message, Mode, Passage, Tier
from memory.recall import DepthName, Reach, Recall
from memory.recall.in_mind import told_at
from memory.recall.placement import index_of
from memory.state import MemoryState
from tests.builders import a_memory, a_stretch
from tests.fakes.clock import NOON

TALKS = {
    "zh": ("你好呀，杭州", "我上周在杭州开了一家花店，花了三万块", "杭州呀，你真好"),
    "en": ("Hi, Hangzhou", "Last week I opened a flower shop in Hangzhou", "Hangzhou, wow you"),
}
ASKED = {"zh": "杭州", "en": "Hangzhou"}


def lived(language: str, law: str = "disuse") -> MemoryState:
    """Return one talk that became an episode."""
    said = [replace(each, role="user") for each in a_stretch(*TALKS[language])]
    settings = AgentSettings(law=law)
    state, _ = MemoryState().apply([Put(AgentInfo(settings=settings))])
    lines = [Put(DiaryLine(message=m, number=n, scene=1)) for n, m in enumerate(said, start=1)]
    return state.apply([*lines, Put(an_episode(state, said))])[0]


def an_episode(state: MemoryState, said: list[Message]) -> Memory:
    verbatim = tuple(
        Passage(
            text=m.text, source_ids=(m.id,), at=m.at, speaker=m.speaker, role=m.role, verbatim=True
        )
        for m in said
    )
    trace = state.rules.new_trace(birth_of_talk(said, said[0].at))
    gist = Passage(text="闲聊", source_ids=tuple(m.id for m in said), at=said[0].at)
    made = a_memory(1, "闲聊", tier=Tier.EPISODE, at=said[0].at)
    return replace(made, trace=trace, passages=(gist, *verbatim))


def found(
    state: MemoryState,
    language: str,
    days: int,
    depth: DepthName = "everyday",
    mode: Mode = Mode.NORMAL,
) -> set[str]:
    reach = Reach(depth=depth, mode=mode)
    now = NOON + timedelta(days=days)
    return {hit.quote for hit in Recall().search(ASKED[language], state, now=now, reach=reach)}


@pytest.mark.parametrize("language", TALKS)
def test_after_months_what_tells_of_a_life_comes_to_mind_and_what_was_idle_does_not(
    language: str,
) -> None:
    state = lived(language)
    idle, telling, _ = TALKS[language]

    assert found(state, language, 1) >= {idle, telling}
    assert telling in found(state, language, 120)
    assert idle not in found(state, language, 120)


@pytest.mark.parametrize("language", TALKS)
def test_what_no_longer_comes_to_mind_is_looked_up(language: str) -> None:
    state = lived(language)
    reach = Reach(depth="deep")
    hits = Recall().search(ASKED[language], state, now=NOON + timedelta(days=120), reach=reach)

    of = {hit.quote: hit for hit in hits}
    idle, telling, _ = TALKS[language]
    assert (of[idle].memory_id, of[idle].looked_up, of[telling].looked_up) == (1, True, False)
    assert of[idle].retention < of[telling].retention
    assert idle in found(state, language, 120, mode=Mode.REVIEW)


@pytest.mark.parametrize("language", TALKS)
def test_once_an_episode_was_used_its_lines_are_back(language: str) -> None:
    state = lived(language)
    at = NOON + timedelta(days=120)
    used = state.rules.after_event(state.memory(1), Event.SUCCESS, at)
    after, _ = state.apply([Put(used)])

    assert TALKS[language][0] in found(after, language, 121)


@pytest.mark.parametrize("language", TALKS)
def test_other_laws_know_no_lines(language: str) -> None:
    assert found(lived(language, "weights"), language, 30) >= set(TALKS[language])


def test_the_index_tells_how_a_line_was_told() -> None:
    index = index_of(lived("zh"))
    slots = {text: slot for slot, text in index.texts()}
    first, second, third = (told_at(slots[text], index) for text in TALKS["zh"])

    assert first.new == 1.0 > second.new > third.new
    assert first.early
    assert not second.answer


DISUSE = AgentSettings(law="disuse")


def told_about_a_cup(answers: int, score: float) -> MemoryState:
    """Return a fact whose R is between .45 and .6 on its day, and how well answers fitted."""
    state, _ = MemoryState().apply([Put(AgentInfo(settings=DISUSE))])
    memory = a_memory(1, "蓝色的杯子在柜子里 the blue cup is in the cupboard")
    trace = state.rules.new_trace(Birth(at=NOON, salience=0.2))
    used = (Used(memory_id=9, score=score, reasons=()),)
    receipts = [Receipt(turn_id=str(n), at=NOON, used=used) for n in range(answers)]
    return state.apply([Put(replace(memory, trace=trace)), *map(Put, receipts)])[0]


def found_after(state: MemoryState, asked: str, days: float, depth: DepthName) -> list[int]:
    hits = Recall().search(asked, state, now=NOON + timedelta(days=days), reach=Reach(depth=depth))
    return [hit.memory_id for hit in hits if not hit.looked_up]


@pytest.mark.parametrize("asked", ["蓝色的杯子", "the blue cup"])
@pytest.mark.parametrize(
    ("days", "answers", "score", "comes"),
    [
        (5, 0, 0.0, True),  # R ≥ 0.6: it comes anyway
        (12, 20, 0.41, True),  # fits better than most answers did
        (12, 20, 1.01, False),  # fits worse than what is usual
        (12, 19, 0.41, False),  # too few answers to know what is usual
        (300, 20, 0.41, False),  # R < 0.45
    ],
)
def test_a_strong_cue_brings_what_would_not_come_by_itself(
    asked: str, days: float, answers: int, score: float, *, comes: bool
) -> None:
    state = told_about_a_cup(answers, score)

    assert found_after(state, asked, days, "everyday") == [1] * comes


def test_a_strong_cue_is_known_to_no_law_without_two_borders() -> None:
    state = told_about_a_cup(20, 0.41)
    info = replace(state.agent_info, settings=AgentSettings(law="ebbinghaus"))
    state, _ = state.apply([Put(info)])

    assert found_after(state, "蓝色的杯子", 12, "everyday") == []
