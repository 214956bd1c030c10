"""Recall as plain text (source document 002 §7.1): the walk, its filters, what it has lost."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from memory.changes import AgentInfo, Links, Put
from memory.model import (
    AgentSettings,
    Archived,
    Deleted,
    DeletionPolicy,
    Language,
    Level,
    Link,
    LinkType,
    Memory,
    Merged,
    Passage,
    Sensitivity,
    Standing,
    Tier,
)
from memory.network.index import NetworkIndex
from memory.network.walk import MAX_CHARACTERS, recall_text
from memory.state import MemoryState
from tests.builders import a_memory
from tests.fakes.clock import NOON

Ways = Mapping[int, Sequence[tuple[int, float, str]]]


def a_net(
    *memories: Memory, ways: Ways, focus: tuple[int, ...] = (), language: Language = "zh"
) -> MemoryState:
    """Return a state of memories; links are ``{source: [(target, strength, relation)]}``."""
    house = AgentInfo(settings=AgentSettings(language=language), focus=focus)
    lists = [
        Links(
            source=source,
            links=tuple(
                Link(target=t, strength=s, relation=relation, type=LinkType.SEQUENCE)
                for t, s, relation in links
            ),
        )
        for source, links in ways.items()
    ]
    state, _ = MemoryState().apply([*map(Put, memories), *map(Put, lists), Put(house)])
    return state


def an_entity(memory_id: int, name: str) -> Memory:
    return a_memory(memory_id, name, tier=Tier.ENTITY)


MOTHER = an_entity(1, "妈妈")
CHAIN = (MOTHER, *(a_memory(n, f"第{n}件事") for n in (2, 3, 4)))
CHAIN_WAYS: Ways = {1: [(2, 0.9, "关于")], 2: [(3, 0.8, "下文")], 3: [(4, 0.7, "下文")]}


def test_memories_are_told_in_the_form_of_the_document() -> None:
    state = a_net(*CHAIN, ways=CHAIN_WAYS, focus=(1,))
    assert recall_text([], [], 2, state) == "[记忆] 第2件事\n---\n[记忆] 第3件事"


@pytest.mark.parametrize(("depth", "told"), [(0, 0), (1, 1), (2, 2), (3, 3), (9, 3)])
def test_the_walk_goes_no_further_than_the_depth(depth: int, told: int) -> None:
    state = a_net(*CHAIN, ways=CHAIN_WAYS, focus=(1,))
    assert recall_text([], [], depth, state).count("[记忆]") == told


def test_nearer_comes_first_and_then_the_stronger_link() -> None:
    ways = {1: [(2, 0.3, ""), (3, 0.6, "")], 3: [(4, 0.9, "")]}
    assert recall_text([], [], 2, a_net(*CHAIN, ways=ways, focus=(1,))) == (
        "[记忆] 第3件事\n---\n[记忆] 第2件事\n---\n[记忆] 第4件事"
    )


def test_of_equally_strong_links_the_named_come_first() -> None:
    ways = {1: [(2, 1.0, ""), (3, 1.0, "关于")]}
    assert recall_text([], [], 1, a_net(*CHAIN, ways=ways, focus=(1,))).startswith(
        "[记忆] 第3件事"
    )


def test_circles_end_and_nothing_is_told_twice() -> None:
    ways = {1: [(2, 0.5, "")], 2: [(3, 0.5, ""), (1, 0.5, "")], 3: [(2, 0.5, ""), (1, 0.5, "")]}
    text = recall_text([], [], 9, a_net(*CHAIN, ways=ways, focus=(1,)))
    assert text == "[记忆] 第2件事\n---\n[记忆] 第3件事"


def test_only_what_contains_a_keyword_is_told_but_the_walk_goes_through_the_rest() -> None:
    state = a_net(*CHAIN, ways=CHAIN_WAYS, focus=(1,))
    assert recall_text(["第3件", "不存在"], [], 3, state) == "[记忆] 第3件事"


@pytest.mark.parametrize(
    ("keyword", "found"),
    [
        ("拉面", True),
        ("ＲＡＭＥＮ", True),
        ("ram", True),
        ("amen", False),
        ("☕", True),
        ("أمي", True),
    ],
)
def test_keywords_are_found_in_text_phrase_and_keywords(keyword: str, found: bool) -> None:  # noqa: FBT001
    words = replace(a_memory().words, text="和أمي去吃Ramen", phrase="拉面", keywords=("☕咖啡",))
    state = a_net(MOTHER, replace(a_memory(2), words=words), ways={1: [(2, 1.0, "")]}, focus=(1,))
    assert bool(recall_text([keyword], [], 1, state)) is found


def test_only_what_is_reached_by_a_named_link_is_told() -> None:
    state = a_net(*CHAIN, ways=CHAIN_WAYS, focus=(1,))
    assert recall_text([], ["下文"], 2, state) == "[记忆] 第3件事"
    assert recall_text([], ["下文", "关于"], 2, state).count("[记忆]") == 2
    assert recall_text([], ["同事"], 2, state) == ""


def test_from_a_name_the_walk_reaches_all_that_hangs_on_it() -> None:
    hanging = Link(target=1, strength=0.5, type=LinkType.FOCUS, relation="关于")
    state = a_net(MOTHER, a_memory(2, "做了红烧肉"), ways={}, focus=(1,))
    state, _ = state.apply([Put(Links(source=2, links=(hanging,)))])
    assert recall_text([], ["关于"], 1, state) == "[记忆] 做了红烧肉"
    assert recall_text([], [], 1, state, index=NetworkIndex.build(state)) == "[记忆] 做了红烧肉"


def test_what_was_mentioned_last_is_walked_from_first() -> None:
    father = an_entity(5, "爸爸")
    ways: Ways = {1: [(2, 0.5, "")], 5: [(3, 0.5, "")]}
    text = recall_text([], [], 1, a_net(*CHAIN, father, ways=ways, focus=(1, 5)))
    assert text == "[记忆] 第3件事\n---\n[记忆] 第2件事"


def test_with_nothing_in_focus_it_starts_from_what_contains_the_keywords() -> None:
    state = a_net(a_memory(2, "面试很紧张"), a_memory(3, "喜欢拉面"), ways={})
    assert recall_text(["面试"], [], 2, state) == "[记忆] 面试很紧张"


def test_what_is_known_is_told_although_the_name_in_focus_leads_only_to_what_is_forgotten() -> (
    None
):
    bean, cat = an_entity(1, "豆豆"), a_memory(2, "主人养了一只猫叫豆豆")
    state = a_net(bean, cat, ways={1: [(9, 0.5, "涉及")]}, focus=(1,))

    told = recall_text(["豆豆"], [], 2, state)

    assert told.startswith("[记忆] 主人养了一只猫叫豆豆\n---\n[曾记得] ")


def test_what_contains_more_of_the_keywords_comes_first() -> None:
    state = a_net(a_memory(2, "面试通过了"), a_memory(3, "周五面试"), a_memory(4, "周五"), ways={})
    first = recall_text(["面试", "周五"], [], 2, state).split("\n---\n")[0]
    assert first == "[记忆] 周五面试"


def test_a_start_is_told_only_if_it_has_a_link_of_that_name() -> None:
    state = a_net(a_memory(2, "面试前"), a_memory(3, "面试后"), ways={2: [(3, 0.5, "下文")]})
    assert recall_text(["面试"], ["下文"], 0, state) == "[记忆] 面试前"
    assert recall_text(["面试"], ["下文"], 1, state) == "[记忆] 面试前\n---\n[记忆] 面试后"


def test_nothing_to_tell_is_an_empty_text() -> None:
    assert recall_text(["面试"], [], 2, MemoryState()) == ""
    assert recall_text([], [], 2, a_net(*CHAIN, ways=CHAIN_WAYS)) == ""


def test_a_link_to_something_forgotten_says_so_with_its_name_and_what_is_still_known() -> None:
    state = a_net(
        MOTHER,
        a_memory(2, "聊了面试"),
        ways={1: [(2, 1.0, "")], 2: [(99, 0.5, "下文")]},
        focus=(1,),
    )
    assert recall_text([], [], 2, state) == (
        "[记忆] 聊了面试\n---\n[曾记得] 与“聊了面试”有关（下文）的另一件事，已经想不起来了。"
    )
    assert "想不起来" not in recall_text([], [], 1, state)


def test_forgetting_is_told_in_the_agents_language() -> None:
    state = a_net(a_memory(2, "job talk"), ways={2: [(99, 0.5, "")]}, language="en")
    assert recall_text(["job"], [], 1, state).splitlines()[-1] == (
        "[曾记得] Something else about “job talk” that no longer comes to mind."
    )


def test_forgotten_things_of_one_source_and_name_are_one_and_at_most_five_are_told() -> None:
    same: Ways = {1: [(90 + n, 0.5, "关于") for n in range(4)]}
    assert recall_text([], [], 1, a_net(MOTHER, ways=same, focus=(1,))).count("[曾记得]") == 1
    many: Ways = {1: [(90 + n, 0.5, f"关系{n}") for n in range(9)]}
    assert recall_text([], [], 1, a_net(MOTHER, ways=many, focus=(1,))).count("[曾记得]") == 5


def test_filters_hold_for_what_is_forgotten_too() -> None:
    state = a_net(MOTHER, ways={1: [(99, 0.5, "关于")]}, focus=(1,))
    assert "[曾记得]" in recall_text(["妈妈"], ["关于"], 1, state)
    assert recall_text(["爸爸"], [], 1, state) == ""
    assert recall_text([], ["属于"], 1, state) == ""


@pytest.mark.parametrize(
    ("standing", "told"),
    [
        (Deleted(NOON, DeletionPolicy.AUTO_CLEANUP), "[曾记得]"),
        (Deleted(NOON, DeletionPolicy.USER_DELETE), ""),
        (Merged(NOON, into=5), ""),
        (Archived(NOON), ""),
    ],
    ids=["forgotten", "hidden by the partner", "merged", "archived"],
)
def test_only_what_a_law_forgot_is_spoken_of_as_once_known(standing: Standing, told: str) -> None:
    state = a_net(
        MOTHER, replace(a_memory(2), standing=standing), ways={1: [(2, 1.0, "")]}, focus=(1,)
    )
    text = recall_text([], [], 1, state)
    assert text.startswith(told)
    assert "拉面" not in text
    assert bool(text) is bool(told)


def test_secrets_and_what_lost_its_gist_are_not_told() -> None:
    secret = replace(
        a_memory(2), nature=replace(a_memory().nature, sensitivity=Sensitivity.SECRET)
    )
    faint = replace(a_memory(3), words=replace(a_memory().words, level=Level.TAG))
    ways: Ways = {1: [(2, 1.0, ""), (3, 1.0, "")]}
    assert recall_text([], [], 1, a_net(MOTHER, secret, faint, ways=ways, focus=(1,))) == ""


def test_the_caller_may_narrow_what_is_told() -> None:
    state = a_net(*CHAIN, ways=CHAIN_WAYS, focus=(1,))
    assert recall_text([], [], 2, state, may_show=lambda m: m.id == 3) == "[记忆] 第3件事"


def test_what_no_longer_holds_is_told_as_past() -> None:
    negated = replace(a_memory(2, "喜欢香菜"), trace=replace(a_memory().trace, negated_at=NOON))
    state = a_net(MOTHER, negated, ways={1: [(2, 1.0, "")]}, focus=(1,))
    assert recall_text([], [], 1, state) == "[记忆] 以前：喜欢香菜"


def test_the_words_asked_for_are_quoted_when_the_gist_lacks_them() -> None:
    said = Passage(
        text="妈妈做的\n红烧肉最好吃", source_ids=("7",), at=NOON, speaker="主人", verbatim=True
    )
    other = replace(said, text="嗯嗯")
    episode = replace(a_memory(2, "聊了吃的", tier=Tier.EPISODE), passages=(said, other))
    state = a_net(MOTHER, episode, ways={1: [(2, 1.0, "")]}, focus=(1,))
    assert recall_text(["红烧肉"], [], 1, state) == "[记忆] 聊了吃的\n主人：妈妈做的 红烧肉最好吃"
    assert recall_text([], [], 1, state) == "[记忆] 聊了吃的"
    gist_only = replace(episode, words=replace(episode.words, level=Level.SUMMARY))
    state, _ = state.apply([Put(gist_only)])
    assert recall_text(["红烧肉"], [], 1, state) == ""


def test_a_text_cannot_pass_for_a_separator() -> None:
    state = a_net(MOTHER, a_memory(2, "一\n---\n[记忆] 二"), ways={1: [(2, 1.0, "")]}, focus=(1,))
    assert recall_text([], [], 1, state) == "[记忆] 一 --- [记忆] 二"


def test_a_recall_is_never_longer_than_its_bound_and_keeps_the_nearest() -> None:
    crowd = [a_memory(n, f"{n}" + "很长" * 200) for n in range(2, 30)]
    ways: Ways = {1: [(n, 1.0 - n / 100, "") for n in range(2, 30)]}
    text = recall_text([], [], 1, a_net(MOTHER, *crowd, ways=ways, focus=(1,)))
    assert MAX_CHARACTERS / 2 < len(text) <= MAX_CHARACTERS
    assert text.startswith("[记忆] 2很长")


def test_one_endless_text_is_cut() -> None:
    state = a_net(MOTHER, a_memory(2, "长" * 9_000), ways={1: [(2, 1.0, "")]}, focus=(1,))
    assert recall_text([], [], 1, state).endswith("长…")
