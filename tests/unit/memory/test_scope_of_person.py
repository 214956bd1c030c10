"""What rests on one person's words, and what an id may be shown to: nobody."""

from dataclasses import replace

import pytest

from memory.changes import Put, Window
from memory.erasing.erasure import plan_erasure
from memory.erasing.scope import (
    Everything,
    OneMemory,
    Target,
    TextMatch,
    has_words_of,
    rests_only_on,
)
from memory.model import Memory, Passage, Tier, only_speaker
from memory.state import MemoryState
from memory.stores.codec import decode, encode
from tests.builders import a_memory, a_message
from tests.fakes.clock import NOON

BEN, CEM = "telegram:43", "telegram:44"


def line(number: int, text: str, who: str, *, verbatim: bool = True) -> Passage:
    return Passage(
        text=text,
        source_ids=(f"m{number}",),
        at=NOON,
        role="user" if who else "assistant",
        verbatim=verbatim,
        speaker_id=who,
    )


def fact(number: int, text: str, who: str) -> Memory:
    said = replace(line(number, text, who, verbatim=False), role="user")
    return replace(a_memory(number, text), passages=(said,))


def episode(number: int, *lines: Passage) -> Memory:
    gist = Passage(
        text="[2026-03-04 20:00] 聊了琥珀",
        source_ids=tuple(i for each in lines for i in each.source_ids),
        at=NOON,
        speaker_id=only_speaker(p for p in lines if p.role == "user"),
    )
    made = a_memory(number, gist.text, tier=Tier.EPISODE)
    return replace(made, passages=(gist, *lines))


def after(target: Target, person: str, *records: Memory | Window) -> MemoryState:
    state, _ = MemoryState().apply([Put(each) for each in records])
    erasure = plan_erasure(state, target, NOON, key_hex="00" * 16, person=person)
    return state.apply(erasure.changes)[0] if erasure else state


@pytest.mark.parametrize("target", [Everything(), TextMatch("琥珀"), OneMemory(1)])
def test_only_what_is_theirs_goes(target: Target) -> None:
    mine, yours, nobodys = fact(1, "爱琥珀", BEN), fact(2, "恨琥珀", CEM), fact(3, "琥珀石", "")
    left = after(target, BEN, mine, yours, nobodys)
    assert set(left.memories) == {2, 3}
    assert left.memories[2] == yours


def test_an_unknown_person_owns_nothing() -> None:
    left = after(Everything(), "nobody", fact(1, "爱琥珀", BEN), fact(2, "琥珀石", ""))
    assert set(left.memories) == {1, 2}


def test_lines_of_an_episode_go_with_the_answer_and_the_rest_is_told_anew() -> None:
    whole = episode(
        1, line(1, "琥珀是我的", BEN), line(2, "知道了，琥珀", ""), line(3, "紫藤开花了", CEM)
    )
    left = after(TextMatch("琥珀"), BEN, whole).memories[1]

    assert [p.text for p in left.passages if p.verbatim] == ["紫藤开花了"]
    assert left.words.text.startswith("[2026-03-04 20:00] ")
    assert "琥珀" not in repr(left)
    assert left.source_ids == ("m3",)


def test_an_episode_of_one_person_goes_whole() -> None:
    whole = episode(1, line(1, "琥珀是我的", BEN), line(2, "知道了", ""))
    assert rests_only_on(whole, BEN)
    assert not after(Everything(), BEN, whole).memories


def test_an_episode_without_lines_stays_where_several_spoke() -> None:
    mixed = episode(1, line(1, "琥珀", BEN), line(2, "紫藤", CEM))
    short = replace(mixed, passages=mixed.passages[:1])
    assert not has_words_of(short, BEN)
    assert after(Everything(), BEN, short).memories[1] == short


def test_a_window_keeps_what_others_said() -> None:
    lines = tuple(
        replace(a_message(f"m{n}", "说到琥珀"), speaker_id=who) for n, who in enumerate((BEN, CEM))
    )
    left = after(TextMatch("琥珀"), BEN, Window(conversation="c", lines=lines))
    assert [m.speaker_id for m in left.windows["c"].lines] == [CEM]


def test_one_memory_of_several_loses_only_their_lines() -> None:
    whole = episode(1, line(1, "琥珀", BEN), line(2, "紫藤", CEM))
    left = after(OneMemory(1), BEN, whole, fact(2, "琥珀", BEN))
    assert [p.speaker_id for p in left.memories[1].passages if p.verbatim] == [CEM]
    assert 2 in left.memories


def test_a_document_written_before_there_were_ids_is_read() -> None:
    memory = fact(1, "爱琥珀", "")
    document = encode(memory)
    for passage in document["passages"]:
        del passage["speaker_id"]
    assert decode(Memory, document) == memory
    assert decode(Memory, encode(fact(1, "爱琥珀", BEN))) == fact(1, "爱琥珀", BEN)


def test_several_people_have_no_id_in_common() -> None:
    assert only_speaker(()) == ""
    assert only_speaker((line(1, "a", BEN), line(2, "b", BEN))) == BEN
    assert only_speaker((line(1, "a", BEN), line(2, "b", CEM))) == ""
