"""Vectors: made in the background, kept beside the memory, and never more than a help."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory import open_memory, refusals
from memory.api import OpenMemory
from memory.changes import DiaryLine, Drop
from memory.errors import StoreUnwritable
from memory.lifecycle.partner_steps import plan_hide
from memory.model import LinkType, Memory, Sensitivity
from memory.privacy.vault import Keys
from memory.recall.index import PassageIndex
from memory.recall.meaning import UNRELATED_COSINE, Near, moment_text, with_meaning
from memory.recall.relevance import RelevantPassages
from memory.stores.sidecars import (
    INDEX_FILE,
    VECTORS_FILE,
    FloatVector,
    VectorFile,
    text_digest,
)
from tests.builders import a_memory, a_stretch
from tests.fakes.clock import FakeClock
from tests.fakes.cost import times
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.waiting import unless_it_hangs

TALK = ("团子今天把沙发抓坏了", "哎呀", "下周要去应聘，好紧张", "加油")


@asynccontextmanager
async def remembering(
    folder: Path, embedder: FakeEmbedder | None, *said: str, key: Path | None = None
) -> AsyncIterator[OpenMemory]:
    async with open_memory(folder, clock=FakeClock(), embedder=embedder, key_file=key) as mem:
        mem.remember(a_stretch(*said))
        await mem.settled()
        await filled(mem)
        yield mem


async def filled(mem: OpenMemory) -> None:
    meaning = mem._agent._vectors
    if meaning is not None:
        meaning.notify()
        async with unless_it_hangs():
            await meaning.wait_until_filled()


def stored(folder: Path, name: str = "fake-1") -> dict[bytes, FloatVector]:
    return VectorFile(folder / "agents" / "a").read(name)


def texts_in(mem: OpenMemory) -> set[str]:
    memories = mem._agent.state.memories.values()
    return {p.text for m in memories for p in m.passages if p.text}


async def test_what_shares_no_word_is_found_by_its_meaning(tmp_path: Path) -> None:
    async with remembering(tmp_path / "plain", None, *TALK) as mem:
        assert not await mem.search("kitten")
    async with remembering(tmp_path / "meant", FakeEmbedder(), *TALK) as mem:
        best = (await mem.search("kitten"))[0]

    assert best.source_ids == ("1",)
    assert any(reason.startswith("cosine:0.") for reason in best.reasons)


async def test_search_works_while_the_embedder_is_away_and_better_when_it_is_back(
    tmp_path: Path,
) -> None:
    embedder = FakeEmbedder()
    embedder.failures = 100
    async with open_memory(tmp_path, clock=FakeClock(), embedder=embedder) as mem:
        mem.remember(a_stretch(*TALK))
        await mem.settled()
        assert (await mem.search("沙发"))[0].source_ids == ("1",)
        assert not await mem.search("kitten")

        embedder.failures = 0
        await filled(mem)

        assert (await mem.search("kitten"))[0].source_ids == ("1",)
        embedder.failures = 1
        assert (await mem.search("沙发 抓坏"))[0].source_ids == ("1",)


async def test_vectors_are_made_once_and_kept_over_a_restart(tmp_path: Path) -> None:
    async with remembering(tmp_path, FakeEmbedder(), *TALK) as mem:
        assert set(stored(tmp_path)) == {text_digest(text) for text in texts_in(mem)}
    again = FakeEmbedder()
    async with remembering(tmp_path, again) as mem:
        found = await mem.search("kitten")

    assert found[0].source_ids == ("1",)
    assert again.asked == ["kitten"]
    assert (tmp_path / "agents" / "a" / VECTORS_FILE).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("harm", ["gone", "cut", "flipped", "empty", "nonsense", "longer"])
async def test_a_lost_or_damaged_file_is_made_anew(tmp_path: Path, harm: str) -> None:
    path = tmp_path / "agents" / "a" / VECTORS_FILE
    async with remembering(tmp_path, FakeEmbedder(), *TALK):
        pass
    data = path.read_bytes()
    flipped = bytearray(data)
    flipped[-3] ^= 1
    harmed = {
        "cut": data[:-5],
        "flipped": bytes(flipped),
        "empty": b"",
        "nonsense": b"[1]\n" + data,
        "longer": data + b"\0\0\0\0",
    }
    if harm == "gone":
        path.unlink()
    else:
        path.write_bytes(harmed[harm])
    assert stored(tmp_path) == {}

    async with remembering(tmp_path, FakeEmbedder()) as mem:
        assert (await mem.search("kitten"))[0].source_ids == ("1",)
    assert path.read_bytes() == data


class LateEmbedder(FakeEmbedder):
    """Answers when everything else that was ready to run has run."""

    async def embed(self, texts: Sequence[str]) -> list[list[float]] | None:
        await asyncio.sleep(0.5)
        return await super().embed(texts)


async def found_in(mem: OpenMemory, *asked: str) -> list[list[tuple[int, str, float]]]:
    """Return what is found now, as far as it can be compared."""
    hits = [await mem.search(each) for each in asked]
    return [[(h.memory.id, h.quote, round(h.score, 6)) for h in each] for each in hits]


ASKED: Final = ("kitten 沙发", "应聘", "雨")


@pytest.mark.parametrize("lost", [VECTORS_FILE, INDEX_FILE, "nothing"])
async def test_who_waited_finds_the_same_after_a_start_whatever_was_lost(
    tmp_path: Path, lost: str
) -> None:
    async with open_memory(tmp_path, clock=FakeClock(), embedder=LateEmbedder()) as mem:
        mem.remember(a_stretch(*TALK))
        mem.remember(a_stretch("外面下雨了", "kitten 喵", first=60), explicit=True)
        await mem.settled()
        await filled(mem)
        found = await found_in(mem, *ASKED)
        assert found[0][0][2] > 0
    (tmp_path / "agents" / "a" / lost).unlink(missing_ok=True)

    async with open_memory(tmp_path, clock=FakeClock(), embedder=LateEmbedder()) as mem:
        await mem.settled()
        assert await found_in(mem, *ASKED) == found


async def test_the_first_question_after_a_start_is_answered_by_the_vectors_that_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with remembering(tmp_path, FakeEmbedder(), *TALK) as mem:
        found = await found_in(mem, *ASKED)
    read = VectorFile.read

    def read_slowly(file: VectorFile, embedder: str) -> dict[bytes, FloatVector]:
        # It is read in a thread, as a slow disk would: long enough that a search by words alone,
        # which takes milliseconds, would answer first if it did not wait. Nothing measures it.
        time.sleep(0.2)
        return read(file, embedder)

    monkeypatch.setattr(VectorFile, "read", read_slowly)
    async with open_memory(tmp_path, clock=FakeClock(), embedder=FakeEmbedder()) as mem:
        assert await found_in(mem, *ASKED) == found


async def test_vectors_that_are_made_anew_link_nothing_anew(tmp_path: Path) -> None:
    told = ["我家的猫怕打雷", "A kitten needs sleep", "下周应聘", "cat 喵喵", "下雨了 storm"]
    told += ("拉面 ramen 好吃", "团子 cat 很乖", "面试 interview")
    async with open_memory(tmp_path, clock=FakeClock(), embedder=FakeEmbedder()) as mem:
        for number, text in enumerate(told, start=1):
            mem.remember(a_stretch(text, first=number), explicit=True)
            await mem.settled()
            await filled(mem)
        links = mem._agent.state.links
    (tmp_path / "agents" / "a" / VECTORS_FILE).unlink()

    async with open_memory(tmp_path, clock=FakeClock(), embedder=FakeEmbedder()) as mem:
        await mem.settled()
        await filled(mem)
        assert mem._agent.state.links == links
        assert any(each.type is LinkType.SEMANTIC for each in mem._agent.state.links_of(1))

        # What is new is linked, also now.
        mem.remember(a_stretch("小猫 kitten", first=90), explicit=True)
        await mem.settled()
        assert mem._agent.state.links != links


async def test_a_file_that_cannot_be_read_ends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with remembering(tmp_path, FakeEmbedder(), *TALK):
        pass

    def refused(file: VectorFile, embedder: str) -> dict[bytes, FloatVector]:
        raise StoreUnwritable(refusals.DISK_REFUSES)

    monkeypatch.setattr(VectorFile, "read", refused)
    async with remembering(tmp_path, FakeEmbedder()) as mem:
        assert (await mem.search("kitten"))[0].source_ids == ("1",)


async def test_another_embedder_makes_its_own(tmp_path: Path) -> None:
    async with remembering(tmp_path, FakeEmbedder(), *TALK):
        pass
    other = FakeEmbedder("other", length=6)
    async with remembering(tmp_path, other) as mem:
        assert (await mem.search("kitten"))[0].source_ids == ("1",)

    assert stored(tmp_path) == {}
    assert {len(vector) for vector in stored(tmp_path, "other").values()} == {6}


async def test_what_is_hidden_or_sealed_has_no_vector_and_is_never_sent(tmp_path: Path) -> None:
    key, data, embedder = tmp_path / "key", tmp_path / "data", FakeEmbedder()
    Keys.create(key, data=data)
    async with remembering(data, embedder, *TALK, key=key) as mem:
        mem.remember(a_stretch("我的银行卡密码是Hunter7788", first=90)[:1], explicit=True)
        mem.remember(a_stretch("我家的猫怕打雷", first=95)[:1], explicit=True)
        await mem.settled()
        await filled(mem)
        await mem.search("我的银行卡密码是Hunter7788吗")
        fact = next(v for v in mem.memories() if v.text == "我家的猫怕打雷")
        sealed = next(v for v in mem.memories() if v.sensitivity is Sensitivity.SECRET)
        assert text_digest(fact.text) in stored(data)

        await mem._agent.steer(lambda state, _: plan_hide(state, fact.id, FakeClock().now()))
        await filled(mem)

        assert text_digest(fact.text) not in stored(data)
        assert text_digest(sealed.text) not in stored(data)
    assert not any("Hunter7788" in text for text in embedder.asked)


async def test_what_was_erased_has_no_vector_when_the_erasure_returns(tmp_path: Path) -> None:
    async with remembering(tmp_path, FakeEmbedder(), *TALK) as mem:
        gone = texts_in(mem)
        changes = [Drop(Memory, memory_id) for memory_id in mem._agent.state.memories]
        changes += [Drop(DiaryLine, key) for key in mem._agent.state.diary]

        async with mem._agent.erasing() as erase:
            await erase(lambda _: changes)

        assert not stored(tmp_path).keys() & {text_digest(text) for text in gone}
    async with remembering(tmp_path / "b", FakeEmbedder(), *TALK) as mem:
        await mem._agent._writer.scrub()

        assert stored(tmp_path / "b") == {}


async def test_memories_near_in_meaning_are_linked_both_ways_and_once(tmp_path: Path) -> None:
    async with remembering(tmp_path, FakeEmbedder()) as mem:
        mem.remember(a_stretch("我家的猫怕打雷", first=1)[:1], explicit=True)
        mem.remember(a_stretch("A kitten needs sleep", first=2)[:1], explicit=True)
        mem.remember(a_stretch("下周应聘", first=3)[:1], explicit=True)
        await mem.settled()
        await filled(mem)
        state = mem._agent.state
        cat, kitten, job = sorted(state.memories)
        semantic = {
            (source, link.target)
            for source in (cat, kitten, job)
            for link in state.links_of(source)
            if link.type is LinkType.SEMANTIC
        }
        await mem.reinforce(cat, "manual")
        await filled(mem)

        assert semantic == {(cat, kitten), (kitten, cat)}
        assert mem._agent.state.links == state.links


class LeaningEmbedder(FakeEmbedder):
    """Turns every text nearly the same way, as many models do: no cosine is below .7."""

    def vector(self, text: str) -> list[float]:
        first, *rest = super().vector(text)
        return [first, *rest[:-1], rest[-1] + 6.0]


async def test_what_all_texts_have_in_common_makes_none_of_them_near(tmp_path: Path) -> None:
    kept = ("我家的猫怕打雷", "A kitten needs sleep", "下周应聘", "下雨了", "午饭吃了拉面")
    async with remembering(tmp_path, LeaningEmbedder()) as mem:
        mem.remember(a_stretch(*kept), explicit=True)
        await mem.settled()
        await filled(mem)
        state = mem._agent.state
        semantic = {
            (source, link.target)
            for source in state.memories
            for link in state.links_of(source)
            if link.type is LinkType.SEMANTIC
        }
        best = (await mem.search("小猫 喵"))[0]

    cat, kitten, *_ = sorted(state.memories)
    assert semantic == {(cat, kitten), (kitten, cat)}
    assert best.memory.id in {cat, kitten}


LINES: Final = ("第一句话", "the second line", "第三句话", "the fourth line")


def near_to(cosines: dict[int, float]) -> Near:
    texts = [LINES[place] for place in cosines]
    ordered = sorted(cosines, key=lambda place: -cosines[place])
    return Near(
        rows={text: row for row, text in enumerate(texts)},
        cosines=np.array([*cosines.values()], np.float32),
        nearest=tuple(LINES[place] for place in ordered if cosines[place] > UNRELATED_COSINE),
    )


def found_together(words: dict[int, float], cosines: dict[int, float]) -> dict[int, float]:
    """Return the relevance of each line that words and meaning find together."""
    index = PassageIndex.of(
        [a_memory(n + 1, text) for n, text in enumerate(LINES)], ZoneInfo("UTC")
    )
    found = RelevantPassages(np.array([*words], np.int64), np.array([*words.values()], np.float32))
    after = with_meaning(found, near_to(cosines), index)
    return dict(zip(after.slots.tolist(), after.relevance.tolist(), strict=True))


@settings(max_examples=times(25, hunting=250))
@given(
    st.dictionaries(st.integers(0, 3), st.floats(0.01, 1.0), max_size=4),
    st.dictionaries(st.integers(0, 3), st.floats(-1.0, 1.0), max_size=4),
)
def test_meaning_brings_up_what_is_near_and_orders_what_words_found(
    words: dict[int, float], cosines: dict[int, float]
) -> None:
    together = found_together(words, cosines)

    related = {place for place, cosine in cosines.items() if cosine > UNRELATED_COSINE}
    assert set(together) == set(words) | related
    assert all(0.0 < relevance <= 1.0 for relevance in together.values())
    rises = {place: together[place] / by_words for place, by_words in words.items()}
    by_meaning = sorted(set(words) & set(cosines), key=lambda place: cosines[place])
    assert all(rises[far] <= rises[near] + 1e-6 for far, near in pairwise(by_meaning))


def test_without_vectors_words_decide_and_a_missing_one_counts_as_the_others_do() -> None:
    words = {0: 0.5, 1: 0.4, 2: 0.3}
    assert found_together(words, {}) == pytest.approx(words)
    together = found_together(words, {0: 0.2, 1: 0.8})
    assert together[1] / 0.4 > together[2] / 0.3 > together[0] / 0.5


def test_the_moment_is_the_line_and_the_last_few_before_it() -> None:
    assert moment_text("好", []) == "好"
    assert moment_text("Yes", ["one", "two", "three", "four"]) == "Yes\nfour\nthree\ntwo"


async def test_an_embedder_that_is_away_delays_one_search_and_not_every_one(
    tmp_path: Path,
) -> None:
    embedder = FakeEmbedder()
    async with remembering(tmp_path, embedder, *TALK) as mem:
        embedder.failures = 1
        assert not await mem.search("kitten")
        embedder.asked.clear()
        assert not await mem.search("kitten")
        assert embedder.asked == []

        mem.remember(a_stretch("团子又抓沙发了", first=50))
        await mem.settled()
        await filled(mem)

        assert await mem.search("kitten")
