"""The core of a clause: what is left of it once adverbs, days and the speaker are taken out."""

import pytest

from memory.offline.introductions import lasting
from memory.text.slot_core import core_of
from memory.text.slot_cues import ClaimMode, Slot, core_tables
from memory.text.slots import slot_claims


@pytest.mark.parametrize(
    ("language", "clause", "core", "is_change"),
    [
        ("zh", "我们全家上个月终于搬到首都了", "搬到首都了", True),
        ("zh", "我在成都都住了三年了", "在成都住了三年了", False),
        ("zh", "昨天（2026-03-03）确定关系了", "确定关系了", True),
        ("en", "I've finally moved to Cardiff for good", "I moved to Cardiff", True),
        ("en", "I can't stand olives", "I can not stand olives", False),
    ],
)
def test_what_may_stand_anywhere_is_taken_out(
    language: str, clause: str, core: str, *, is_change: bool
) -> None:
    found = core_of(clause, language)

    assert (found.text, found.is_change) == (core, is_change)


@pytest.mark.parametrize(
    ("text", "slot", "mode"),
    [
        ("后来举家迁到了赣州", Slot.HOME, ClaimMode.MOVED),
        ("从扬州撤了", Slot.HOME, ClaimMode.STOPPED),
        ("The council has since rehoused me in Luton", Slot.HOME, ClaimMode.MOVED),
        ("I no longer live in Derby", Slot.HOME, ClaimMode.STOPPED),
        ("I don't live in Derby", Slot.HOME, ClaimMode.UNREAL),
        ("I've been taken on at a foundry", Slot.WORK, ClaimMode.MOVED),
        ("Nadia and I are getting divorced", Slot.PARTNER, ClaimMode.STOPPED),
    ],
)
def test_a_slot_is_read_from_the_core(text: str, slot: Slot, mode: ClaimMode) -> None:
    assert [claim.mode for claim in slot_claims(text) if claim.slot is slot] == [mode]


def test_what_stands_deep_in_a_clause_neither_ends_nor_states_anything() -> None:
    claims = [claim for claim in slot_claims("听音乐能减轻烦躁感") if claim.slot is Slot.TASTE]

    assert all(claim.loose for claim in claims)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("我女儿上小学三年级", ["主人女儿上小学三年级"]),
        ("其实我乳糖不耐受", ["主人乳糖不耐受"]),
        ("I wear a hearing aid", ["主人 wears a hearing aid"]),
        ("My grandfather was a miner", ["主人's grandfather was a miner"]),
        ("今天我妈做了红烧肉", []),
        ("我会努力的", []),
        ("I love it when it rains", []),
        ("阅读理解帮我看下：我是独生女", []),
        ("translate this: I wear a hearing aid", []),
        ("我哪有什么女朋友", []),
    ],
)
def test_a_clause_with_a_subject_tells_what_lasts(text: str, told: list[str]) -> None:
    assert [statement.text for statement in lasting([text], "主人")] == told


@pytest.mark.parametrize(
    ("clause", "may_be"), [("今年32了", True), ("刚满三十岁", True), ("去爬山", False)]
)
def test_an_age_is_looked_for_where_a_number_stands(clause: str, *, may_be: bool) -> None:
    fitting = core_tables()["zh"].fitting(clause)
    assert any(cue.slot is Slot.AGE for cue in fitting) is may_be
