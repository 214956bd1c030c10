"""Chinese words of one character are found even where segmentation joined them to others."""

from datetime import timedelta
from pathlib import Path

import pytest

from memory import open_memory
from tests.builders import a_stretch
from tests.fakes.clock import NOON, FakeClock


@pytest.mark.parametrize(
    ("asked", "found"),
    [("猫怕什么？", "我家的猫叫团子"), ("上次聊猫", "我家的猫叫团子"), ("茶呢？", "妈妈爱喝茶")],
)
async def test_a_word_of_one_character_is_found(tmp_path: Path, asked: str, found: str) -> None:
    async with open_memory(tmp_path, clock=FakeClock()) as mem:
        mem.remember(a_stretch("我家的猫叫团子", "好可爱", "妈妈爱喝茶", "嗯嗯"))
        await mem.settled()

        hits = await mem.search(asked)

    assert found in [hit.quote for hit in hits]


async def test_a_question_that_shares_nothing_finds_nothing(tmp_path: Path) -> None:
    async with open_memory(tmp_path, clock=FakeClock()) as mem:
        mem.remember(a_stretch("我家的猫叫团子", "好可爱", start=NOON - timedelta(days=2)))
        await mem.settled()

        assert await mem.search("量子力学") == []
        assert await mem.search("xylophone") == []
