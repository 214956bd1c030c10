"""Two memories of one person become one: nothing is lost, doubled or mixed up."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.changes import (
    AgentInfo,
    Change,
    Corrections,
    Links,
    PendingReview,
    PreviousText,
    Put,
    Receipt,
    RememberedId,
    Task,
    Turn,
    Undo,
    Used,
    Window,
)
from memory.erasing.erasure import plan_erasure
from memory.erasing.scope import OneMemory
from memory.judgement.evidence import LABELS
from memory.judgement.wording import Names
from memory.lifecycle.undo import with_undo
from memory.merging.arrival import CannotReseal, VaultPair, copy_changes
from memory.merging.union import UnionPlan, are_contradictory, claim_of, plan_union
from memory.model import (
    AgentSettings,
    Kind,
    Lineage,
    Link,
    LinkType,
    Memory,
    Merged,
    Passage,
    Tier,
)
from memory.privacy.vault import Keys, UnsealFailure, Vault
from memory.state import MemoryState
from tests.builders import a_memory, a_message
from tests.fakes.clock import NOON

NO_VAULTS = VaultPair(previous=None, new=None)
LATER = NOON + timedelta(days=30)


def a_state(*records: object, partner: str = "主人", law: str = "tiers") -> MemoryState:
    settings = AgentSettings(partner=partner, law=law)
    changes: list[Change] = [Put(AgentInfo(settings=settings))]
    changes += [Put(each) for each in records]  # type: ignore[arg-type]
    return MemoryState().apply(changes)[0]


def united(
    state: MemoryState, other: MemoryState, **more: object
) -> tuple[MemoryState, UnionPlan]:
    vaults = more.get("vaults", NO_VAULTS)
    assert isinstance(vaults, VaultPair)
    union = plan_union(state, other, LATER, vaults=vaults, mark="link:1")
    after, _ = state.apply(union.changes)
    return after, union


def a_link(target: int, strength: float = 0.5, relation: str = "") -> Link:
    return Link(target=target, strength=strength, type=LinkType.KEYWORD, relation=relation)


def test_everything_about_a_memory_follows_it_to_its_new_id() -> None:
    elder = a_state(a_memory(1, "主人养了一条狗"), a_memory(2, "主人怕打雷"))
    cat = a_memory(1, "主人养了一只猫")
    older = replace(
        a_memory(2, "主人会弹吉他"),
        standing=Merged(NOON, 3),
        lineage=Lineage(replaced_by=3, merged_from=(1, 2)),
    )
    used = (Used(memory_id=1, score=0.5, path=(2, 1)),)
    turn = Turn(
        id="t1",
        conversation="lark/c/1/",
        at=NOON,
        said=(a_message("x1", "我弹琴"),),
        reply=a_message("x2", "好", speaker="小祥", role="assistant"),
        used=used,
    )
    younger = a_state(
        cat,
        older,
        a_memory(3, "主人会弹钢琴"),
        Links(source=1, links=(a_link(3, relation="弹给它听"), a_link(9))),
        PendingReview(memory_id=3, task="promotion", since=NOON),
        Corrections(memory_id=3, entries=()),
        PreviousText(memory_id=1, at=NOON, words=cat.words, passages=()),
        Task(id="consolidate-3", kind="consolidate", at=NOON, memory_ids=(3,)),
        Window(conversation="lark/c/1/", lines=(a_message("x1", "我弹琴"),)),
        turn,
        Receipt(turn_id="t1", at=NOON, used=used, learnt=("UPDATE #2 #3",)),
        RememberedId(message_id="x9"),
    )
    after, union = united(elder, younger)

    assert (union.came, union.known, union.id_shift) == (3, 0, 2)
    assert [after.memories[i].words.text for i in (1, 2)] == ["主人养了一条狗", "主人怕打雷"]
    assert after.memories[4].standing == Merged(NOON, 5)
    assert after.memories[4].lineage == Lineage(replaced_by=5, merged_from=(3, 4))
    assert after.links_of(3) == (a_link(5, relation="弹给它听"),)
    assert after.reviews[5].memory_id == 5
    assert after.previous_texts[3].words == cat.words
    assert 5 in after.corrections
    assert after.tasks["consolidate-5"].memory_ids == (5,)
    assert after.turns["t1"].used[0].path == (4, 3)
    assert after.receipts["t1"].learnt == ("UPDATE #4 #5",)
    assert after.windows["lark/c/1/"].lines[0].id == "x1"
    assert {"x9", "link:1"} <= set(after.remembered_ids)
    assert after.next_id == 6


def test_a_second_time_nothing_happens() -> None:
    younger = a_state(a_memory(1, "主人养了一只猫"))
    after, _ = united(a_state(), younger)

    assert plan_union(after, younger, LATER, vaults=NO_VAULTS, mark="link:1").changes == ()


def test_what_both_know_is_one_memory_mentioned_once_more_with_the_links_of_both() -> None:
    pinned = a_memory(1, "主人对花生过敏", at=NOON + timedelta(days=9))
    pinned = replace(
        pinned,
        nature=replace(pinned.nature, pinned=True),
        origin=replace(pinned.origin, verified=True),
    )
    elder = a_state(a_memory(1, "主人对花生过敏"), a_memory(2, "主人带着药"))
    younger = a_state(pinned, a_memory(2, "主人吃过一次亏"), Links(source=1, links=(a_link(2),)))
    after, union = united(elder, younger)
    one = after.memories[1]

    assert union.known == 1
    assert one.nature.pinned
    assert one.origin.verified
    assert one.trace.mention_count == 1
    assert after.memories[3].standing == Merged(LATER, 1)
    assert [link.target for link in after.links_of(1)] == [4]


@pytest.mark.parametrize("text", ["主人在银行上班", "my friend works at a bank"])
def test_what_ended_on_both_sides_is_one_memory_too(text: str) -> None:
    past = a_memory(1, text)
    past = replace(past, lineage=replace(past.lineage, valid_until=LATER))
    moment = replace(past.trace, created_at=NOON + timedelta(seconds=9))
    twin = replace(past, trace=moment)
    other_day = replace(past, trace=replace(moment, created_at=NOON - timedelta(days=9)))
    after, union = united(a_state(past), a_state(twin))
    apart, _ = united(a_state(past), a_state(other_day))

    assert union.known == 1
    assert after.memories[2].standing == Merged(LATER, 1)
    assert after.memories[1] == past
    assert apart.memories[2].is_active


@pytest.mark.parametrize(
    ("here", "there", "stands"),
    [
        ("主人住在北京", "主人搬到上海了", True),
        ("主人叫小明", "主人名叫小红", True),
        ("The partner lives in Paris", "the partner moved to Oslo", True),
        ("主人喜欢香菜", "主人不喜欢香菜", True),
        ("主人住在上海", "主人住在上海浦东", False),
        ("主人住在北京", "主人的妈妈住在上海", False),
        ("主人以前住在北京", "主人住在上海", False),
        ("主人想住在北京", "主人住在上海", False),
        ("主人工作很累", "主人在银行工作", False),
        ("主人喜欢猫", "主人喜欢狗", False),
        ("今天下雨", "主人住在上海", False),
    ],
)
def test_what_cannot_both_hold_is_known_by_rule(here: str, there: str, *, stands: bool) -> None:
    one, other = (claim_of(a_memory(1, text), Names.of(LABELS)) for text in (here, there))

    found = one is not None and other is not None and are_contradictory(one, other)
    assert found is stands


@pytest.mark.parametrize("kind", [Kind.FACT, Kind.LASTING_PREFERENCE])
@pytest.mark.parametrize("days", [-9, 9])
def test_of_a_contradiction_the_later_holds_whichever_side_it_is_from(
    kind: Kind, days: int
) -> None:
    elder = a_state(a_memory(1, "主人住在北京", kind=kind))
    younger = a_state(a_memory(1, "主人住在上海", kind=kind, at=NOON + timedelta(days=days)))
    after, union = united(elder, younger)
    old, new = (after.memories[i] for i in ((1, 2) if days > 0 else (2, 1)))

    assert [(a.words.text, b.words.text) for a, b in union.settled] == [
        (("主人住在北京", "主人住在上海") if days > 0 else ("主人住在上海", "主人住在北京"))
    ]
    assert old.is_past
    assert not new.is_past
    assert new.lineage.replaces == old.id
    assert after.corrections[new.id].entries[-1].reason == "link"


def test_the_same_name_is_one_entity_and_the_partner_keeps_the_older_name() -> None:
    def cat(number: int) -> Memory:
        return a_memory(number, "团子", tier=Tier.ENTITY)

    elder = a_state(cat(1), partner="小明", law="network")
    mine = replace(a_memory(1, "喜欢晒太阳"), origin=replace(a_memory().origin, speaker="安"))
    younger = a_state(
        replace(mine, passages=(Passage(text="x", source_ids=("1",), at=NOON, speaker="安"),)),
        cat(2),
        Links(source=1, links=(a_link(2, relation="晒太阳的猫"),)),
        partner="安",
    )
    after, union = united(elder, younger)

    assert union.came == 1
    assert len(after.memories) == 2
    assert after.links_of(2) == (a_link(1, relation="晒太阳的猫"),)
    assert after.memories[2].origin.speaker == "小明"
    assert after.memories[2].passages[0].speaker == "小明"
    assert after.agent_info.settings == elder.agent_info.settings


def test_what_was_erased_on_either_side_stays_erased() -> None:
    elder = a_state(a_memory(1, "主人对花生过敏"), a_memory(2, "主人怕打雷"))
    erasure = plan_erasure(elder, OneMemory(1), NOON, key_hex="ab" * 16)
    assert erasure is not None
    elder, _ = elder.apply(erasure.changes)
    younger = a_state(
        replace(a_memory(7, "主人对坚果过敏"), passages=a_memory(1).passages),
        a_memory(8, "主人养猫"),
        Links(source=8, links=(a_link(7),)),
        Window(conversation="c", lines=(a_message("s1", "花生"), a_message("s8", "猫"))),
    )
    gone = plan_erasure(younger, OneMemory(8), NOON, key_hex="cd" * 16)
    assert gone is not None
    younger, _ = younger.apply(gone.changes)
    after, union = united(elder, younger)

    assert union.erased == 1
    assert {m.words.text for m in after.memories.values()} == {"主人怕打雷"}
    assert [m.id for m in after.windows["c"].lines] == []
    assert len(after.tombstones) == 2
    assert not any(links.links for links in after.links.values())


def test_steps_of_the_older_memory_can_still_be_undone_and_those_of_the_younger_stay_there() -> (
    None
):
    elder = a_state(a_memory(1, "主人怕打雷"))
    pinned = replace(elder.memories[1], nature=replace(elder.memories[1].nature, pinned=True))
    elder, _ = elder.apply(with_undo(elder, (Put(pinned),), NOON, actor="partner", label="pin"))
    younger = a_state(a_memory(1, "主人养猫"))
    younger, _ = younger.apply(
        with_undo(younger, (Put(a_memory(2, "主人养狗")),), NOON, actor="partner", label="pin")
    )
    after, _ = united(elder, younger)

    assert after.undos == elder.undos


def the_vaults(tmp_path: Path) -> VaultPair:
    keys = Keys.create(tmp_path / "key", data=tmp_path / "data")
    return VaultPair(previous=Vault(keys, "b"), new=Vault(keys, "a"))


def test_a_secret_opens_in_its_new_place_only_and_masks_what_the_other_side_said_of_it(
    tmp_path: Path,
) -> None:
    vaults = the_vaults(tmp_path)
    assert vaults.previous is not None
    assert vaults.new is not None
    secret = vaults.previous.seal(a_memory(1, "主人的口令是小狗加妹妹的生日"), "zh")
    said = Window(conversation="c", lines=(a_message("1", "小狗加妹妹的生日，好记"),))
    after, union = united(a_state(a_memory(1, "主人怕打雷"), said), a_state(secret), vaults=vaults)
    plain = vaults.new.open(after.memories[2])

    assert union.sealed == 1
    assert isinstance(plain, Memory)
    assert plain.words.text == "主人的口令是小狗加妹妹的生日"
    assert vaults.previous.open(after.memories[2]) is UnsealFailure.TAMPERED
    assert "小狗" not in repr(after)


@pytest.mark.parametrize("missing", ["former", "new", "other"])
def test_a_secret_that_stays_shut_stops_everything(tmp_path: Path, missing: str) -> None:
    vaults = the_vaults(tmp_path)
    assert vaults.previous is not None
    secret = vaults.previous.seal(a_memory(1, "主人的密码是1234"), "zh")
    none = Vault(Keys(), "b")
    less = {
        "former": VaultPair(previous=none, new=vaults.new),
        "new": VaultPair(previous=vaults.previous, new=None),
        "other": VaultPair(previous=Vault(Keys([b"x" * 32]), "b"), new=vaults.new),
    }[missing]

    with pytest.raises(CannotReseal) as shut:
        united(a_state(), a_state(secret), vaults=less)
    with pytest.raises(CannotReseal):
        tuple(copy_changes(a_state(secret), less))

    assert shut.value.why is (
        UnsealFailure.OTHER_KEY if missing == "other" else UnsealFailure.NO_KEY
    )


TEXTS = [
    "主人喜欢猫",
    "主人不喜欢猫",
    "主人住在北京",
    "主人住在上海",
    "I like tea",
    "团子",
    "🍜",
    "مرحبا",
]


@st.composite
def states(draw: st.DrawFn) -> MemoryState:
    count = draw(st.integers(0, 6))
    records: list[object] = []
    for number in range(1, count + 1):
        tier = draw(st.sampled_from([Tier.FACT, Tier.EPISODE, Tier.ENTITY, Tier.CORE]))
        text, days = draw(st.sampled_from(TEXTS)), draw(st.integers(0, 3))
        records.append(a_memory(number, text, tier=tier, at=NOON + timedelta(days=days)))
        targets = draw(st.sets(st.integers(1, 8), max_size=4)) - {number}
        links = tuple(a_link(target, draw(st.sampled_from([0.1, 0.5]))) for target in targets)
        records.append(Links(source=number, links=links))
    names = draw(st.sets(st.sampled_from("abcd"), max_size=3))
    used = tuple(Used(memory_id=n, score=1.0) for n in range(1, count + 1))
    records += [Receipt(turn_id=name, at=NOON, used=used) for name in sorted(names)]
    focus = tuple(n for n in range(1, count + 1) if draw(st.booleans()))[:5]
    state = a_state(*records)
    return state.apply([Put(replace(state.agent_info, focus=focus))])[0]


@given(states(), states())
def test_nothing_is_lost_and_every_id_leads_somewhere(
    elder: MemoryState, younger: MemoryState
) -> None:
    after, union = united(elder, younger)

    def told(state: MemoryState) -> set[str]:
        lived = (m for m in state.memories.values() if m.nature.tier is not Tier.ENTITY)
        return {memory.words.text for memory in lived}

    assert told(after) == told(elder) | told(younger)
    assert set(elder.memories) <= set(after.memories)
    assert after.next_id <= elder.next_id + younger.next_id - 1
    assert set(after.receipts) == set(elder.receipts) | set(younger.receipts)
    assert all(each in after.memories for each in after.agent_info.focus)
    assert len(after.agent_info.focus) <= 5
    for receipt in after.receipts.values():
        if receipt.turn_id not in elder.receipts:
            assert {used.memory_id for used in receipt.used} <= set(after.memories)
    for links in after.links.values():
        assert links.source in after.memories
        assert all(link.target < after.next_id or link.target <= 8 for link in links.links)
    for memory in after.memories.values():
        if isinstance(memory.standing, Merged):
            assert memory.standing.into in after.memories
    assert all(isinstance(undo, Undo) for undo in after.undos.values())
    assert union.came + sum(
        memory.nature.tier is not Tier.ENTITY for memory in elder.memories.values()
    ) == sum(memory.nature.tier is not Tier.ENTITY for memory in after.memories.values())
