from dataclasses import replace
from datetime import datetime, timedelta
from math import inf
from random import Random

import pytest

from memory.changes import AgentInfo, Drop, Links, Put
from memory.model import (
    AgentSettings,
    Archived,
    Deleted,
    DeletionPolicy,
    Level,
    Link,
    LinkType,
    Memory,
    Message,
    Mode,
    Passage,
    Tier,
)
from memory.recall import Hit, Reach, Recall, ranking
from memory.state import MemoryState
from tests.builders import a_memory, a_message, a_stretch
from tests.fakes.clock import NOON

LATER = NOON + timedelta(hours=1)


def an_episode(memory_id: int, messages: list[Message], gist: str = "聊了聊") -> Memory:
    """Return an episode of messages: its gist, then each of them word for word."""
    ids = tuple(message.id for message in messages)
    at = messages[0].at
    verbatim = tuple(
        Passage(
            text=m.text, source_ids=(m.id,), at=m.at, speaker=m.speaker, role=m.role, verbatim=True
        )
        for m in messages
    )
    made = a_memory(memory_id, gist, tier=Tier.EPISODE, at=at)
    return replace(made, passages=(Passage(text=gist, source_ids=ids, at=at), *verbatim))


def a_state(*memories: Memory) -> MemoryState:
    return MemoryState().apply([Put(memory) for memory in memories])[0]


def search(state: MemoryState, query: str, *, now: datetime = LATER, k: int = 10) -> list[Hit]:
    return Recall().search(query, state, now=now, k=k)


def sources(hits: list[Hit]) -> list[str]:
    return [hit.source_ids[0] for hit in hits]


def test_the_memory_that_shares_the_words_comes_first() -> None:
    state = a_state(
        a_memory(1, "主人喜欢拉面"), a_memory(2, "主人的猫叫团子"), a_memory(3, "下雨了")
    )
    (first, *_) = search(state, "我的猫叫什么名字")
    assert first.memory_id == 2
    assert first.quote == "主人的猫叫团子"
    assert "word:猫" in first.reasons or "word:猫叫" in first.reasons


def test_english_is_found_by_another_form_of_the_word() -> None:
    state = a_state(a_memory(1, "I went swimming"), a_memory(2, "I cooked soup"))
    assert search(state, "do I swim?")[0].memory_id == 1


def test_what_shares_nothing_is_not_found() -> None:
    assert search(a_state(a_memory(1, "主人喜欢拉面")), "weather") == []
    assert search(a_state(a_memory(1)), "") == []
    assert search(MemoryState(), "拉面") == []


def test_a_hit_is_a_passage_and_names_its_message() -> None:
    told = a_stretch("周末去爬山了", "累不累？", "爬山太累，腿酸", "好好休息")
    hits = search(a_state(an_episode(1, told)), "爬山")
    assert sources(hits)[:2] in (["1", "3"], ["3", "1"])
    assert {hit.memory_id for hit in hits} == {1}


def test_k_counts_passages() -> None:
    told = a_stretch(*["爬山真好"] * 6)
    assert len(search(a_state(an_episode(1, told)), "爬山", k=4)) == 4
    assert search(a_state(an_episode(1, told)), "爬山", k=0) == []


def test_a_gist_ranks_behind_the_messages_it_repeats() -> None:
    told = a_stretch("周末去爬山了", "累不累？", "不累")
    hits = search(a_state(an_episode(1, told, "[2026-03-04] 聊了爬山")), "爬山")
    assert hits[0].source_ids == ("1",)
    assert hits[-1].source_ids == ("1", "2", "3") or len(hits[-1].source_ids) == 1


def test_an_answer_is_found_by_the_question_before_it() -> None:
    told = a_stretch("早", "主人的生日是哪一天？", "五月三号哦", "记住啦", "嗯", "晚安")
    hits = search(a_state(an_episode(1, told)), "生日")
    assert "3" in sources(hits)[:3]


def test_what_was_said_after_a_long_pause_is_no_neighbour() -> None:
    before = a_message("1", "你喜欢什么水果？", at=NOON - timedelta(hours=9))
    after = a_message("2", "今天好困", at=NOON)
    hits = search(a_state(an_episode(1, [before]), an_episode(2, [after])), "水果")
    assert sources(hits) == ["1"]


def test_neighbours_are_in_the_order_of_time_even_when_told_out_of_order() -> None:
    asked = a_message("q", "你的生日是哪天？", at=NOON)
    answered = a_message("a", "五月三号", at=NOON + timedelta(minutes=1))
    elsewhere = a_message("x", "好困", at=NOON + timedelta(days=2))
    late_first = a_state(
        an_episode(1, [elsewhere]), an_episode(2, [answered]), an_episode(3, [asked])
    )
    assert set(sources(search(late_first, "生日"))[:2]) == {"q", "a"}


def test_a_date_in_the_question_prefers_what_was_said_then() -> None:
    old = an_episode(1, [a_message("old", "今天去爬山了", at=NOON - timedelta(days=30))])
    new = an_episode(2, [a_message("new", "今天去爬山了", at=NOON - timedelta(days=1))])
    state = a_state(old, new)
    assert sources(search(state, "昨天爬山了吗"))[0] == "new"
    assert sources(search(state, "上个月爬山了吗"))[0] == "old"


def test_a_date_alone_brings_back_that_day_and_says_so() -> None:
    state = a_state(an_episode(1, [a_message("1", "去爬山了", at=NOON - timedelta(days=1))]))
    hit, *_ = search(state, "昨天")
    assert hit.quote == "去爬山了"
    assert hit.reasons == ("date:昨天",)


@pytest.mark.parametrize(
    ("told", "line", "asked"),
    [
        ("去爬山了", "她儿子今年高考，想去爬山", "今年去爬山了吗？"),
        ("we went hiking", "her son goes hiking this year", "did we go hiking this year?"),
    ],
)
def test_a_year_is_a_reason_only_where_it_is_asked_about(told: str, line: str, asked: str) -> None:
    state = a_state(an_episode(1, [a_message("1", told, at=NOON - timedelta(days=1))]))
    for query, is_reason in ((line, False), (asked, True)):
        hit, *_ = search(state, query)
        assert any(each.startswith("date:") for each in hit.reasons) == is_reason


def test_the_speaker_a_question_names_is_preferred() -> None:
    anna = a_message("a", "I love hiking in the hills", speaker="Anna")
    ben = a_message("b", "I love hiking in the hills", speaker="Ben", at=NOON)
    state = a_state(an_episode(1, [anna]), an_episode(2, [ben]))
    for name, source in (("Anna", "a"), ("Ben", "b")):
        (first, *_) = search(state, f"Does {name} love hiking?")
        assert first.source_ids == (source,)
        assert f"speaker:{name}" in first.reasons


def test_a_name_within_another_word_names_nobody() -> None:
    jo = a_message("j", "we went hiking in Iceland", speaker="Jo")
    (hit,) = search(a_state(an_episode(1, [jo], "…")), "Did Johanna go hiking?")
    assert not any(reason.startswith("speaker:") for reason in hit.reasons)


def test_who_is_called_is_asked_and_not_asked_about() -> None:
    told = [a_message("1", "我喜欢爬山", speaker="小祥", role="assistant")]
    (hit, *_) = search(a_state(an_episode(1, told)), "小祥，你喜欢爬山吗")
    assert "speaker:小祥" not in hit.reasons
    (hit, *_) = search(a_state(an_episode(1, told)), "上次小祥说喜欢爬山吗")
    assert "speaker:小祥" in hit.reasons


def test_verbatim_words_are_found_only_while_the_memory_is_whole() -> None:
    whole = an_episode(1, a_stretch("周末去爬山了"), "聊了周末")
    reduced = replace(whole, words=replace(whole.words, level=Level.SUMMARY))
    assert search(a_state(whole), "爬山")
    assert search(a_state(reduced), "爬山") == []
    assert search(a_state(reduced), "周末")[0].source_ids == ("1",)


def test_modes_decide_what_may_be_recalled() -> None:
    archived = replace(a_memory(1), standing=Archived(NOON))
    deleted = replace(a_memory(2), standing=Deleted(NOON, DeletionPolicy.USER_DELETE))
    state, recall = a_state(archived, deleted), Recall()
    found = {
        mode: {
            hit.memory_id
            for hit in recall.search(
                "拉面", state, now=LATER, reach=Reach(mode=mode, depth="everyday")
            )
        }
        for mode in Mode
    }
    assert found == {Mode.NORMAL: set(), Mode.REVIEW: {1}, Mode.DEBUG: {1, 2}}


def linked(state: MemoryState, source: int, target: int, strength: float = 1.0) -> MemoryState:
    link = Link(target=target, strength=strength, type=LinkType.FOCUS)
    return state.apply([Put(Links(source=source, links=(link,)))])[0]


def test_what_words_do_not_reach_association_brings_with_its_path() -> None:
    state = linked(a_state(a_memory(1, "主人喜欢拉面"), a_memory(2, "外婆住在海边")), 1, 2)
    first, second = search(state, "拉面")
    assert (first.memory_id, first.path) == (1, ())
    assert (second.memory_id, second.path) == (2, (1, 2))
    assert second.relevance == 0.0
    assert second.activation == pytest.approx(0.5)
    assert "path:#1→#2" in second.reasons


@pytest.mark.parametrize("query", ["团子和拉面", "a cat and noodles", "猫, noodles, 下雨, rain"])
@pytest.mark.parametrize("k", [1, 3, 10])
def test_looking_no_further_than_needed_changes_no_hit(
    query: str, k: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = Random(k)
    words = ["团子", "拉面", "下雨", "公园", "cat", "noodles", "rain", "park"]
    state = a_state(
        *(
            a_memory(
                n,
                "，".join(chance.choices(words, k=3)),
                at=NOON - timedelta(days=chance.randrange(99)),
            )
            for n in range(1, 80)
        )
    )
    for source in range(1, 80, 3):
        state = linked(state, source, chance.randrange(1, 80))
    soon = search(state, query, k=k)
    monkeypatch.setattr(ranking.Ranking, "_most_by_links", lambda *_: inf)
    assert len(soon) == k
    assert soon == search(state, query, k=k)


def test_at_most_five_memories_come_by_association() -> None:
    state = a_state(
        a_memory(1, "主人喜欢拉面"), *(a_memory(n, f"第{n}件事") for n in range(2, 12))
    )
    links = tuple(Link(target=n, strength=1.0, type=LinkType.FOCUS) for n in range(2, 12))
    state, _ = state.apply([Put(Links(source=1, links=links))])
    assert sum(bool(hit.path) for hit in search(state, "拉面", k=20)) == 5


def test_association_leads_to_nothing_that_may_not_be_recalled() -> None:
    gone = replace(a_memory(2, "外婆住在海边"), standing=Archived(NOON))
    assert len(search(linked(a_state(a_memory(1), gone), 1, 2), "拉面")) == 1
    assert len(search(linked(a_state(a_memory(1)), 1, 9), "拉面")) == 1


def test_the_score_is_the_formula_of_the_design() -> None:
    (hit,) = search(a_state(a_memory(1)), "拉面")
    mixed = 0.6 * hit.relevance + 0.4 * hit.activation
    assert hit.score == pytest.approx(mixed * (0.8 + 0.2 * hit.retention))
    assert 0.0 < hit.relevance <= 1.0


def test_fading_shows_only_gently_in_the_order() -> None:
    fresh = a_memory(1, "主人今天路过一家卖面的小店")
    faded = a_memory(2, "主人最喜欢拉面", at=NOON - timedelta(days=60))
    hits = search(a_state(fresh, faded), "喜欢拉面吗")
    assert hits[0].memory_id == 2


def test_of_equals_the_newer_comes_first_and_then_the_lower_id() -> None:
    older = a_memory(1, "喜欢拉面", at=NOON - timedelta(hours=3))
    newer, twin = a_memory(2, "喜欢拉面"), a_memory(3, "喜欢拉面")
    assert [hit.memory_id for hit in search(a_state(older, twin, newer), "拉面")] == [2, 3, 1]


def test_at_most_eight_sources_are_named() -> None:
    told = a_stretch(*["嗯"] * 12)
    reduced = an_episode(1, told, "聊了爬山")
    reduced = replace(reduced, words=replace(reduced.words, level=Level.SUMMARY))
    assert len(search(a_state(reduced), "爬山")[0].source_ids) == 8


def test_the_index_follows_what_is_noted() -> None:
    state, recall = a_state(a_memory(1, "主人喜欢拉面")), Recall()
    recall.build(state)
    for changes, query, found in (
        ([Put(a_memory(2, "主人的猫叫团子"))], "团子", [2]),
        ([Put(a_memory(2, "主人的狗叫豆包"))], "团子", []),
        ([Drop(Memory, 1)], "拉面", []),
        ([Put(AgentInfo(settings=AgentSettings(time_zone="UTC")))], "豆包", [2]),
    ):
        state, _ = state.apply(changes)
        recall.note(changes)
        assert [hit.memory_id for hit in recall.search(query, state, now=LATER)] == found


def test_in_a_dialogue_the_last_line_counts_most() -> None:
    state = a_state(a_memory(1, "主人喜欢拉面"), a_memory(2, "主人的猫爱睡觉"))
    assert search(state, "我想吃拉面\n算了\n猫在干嘛")[0].memory_id == 2
    assert search(state, "猫在干嘛\n算了\n我想吃拉面")[0].memory_id == 1
