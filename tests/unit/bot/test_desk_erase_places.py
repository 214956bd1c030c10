"""``/forget`` has a name for every place that an erasure may count."""

from dataclasses import replace

import pytest

from bot.texts.transfer import PLACE_NAMES
from memory.changes import Put
from memory.model import Passage, Tier
from memory.state import TABLES
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.desk import lines, remember, session_with

OUTSIDE = {"messages", "cut", "ledger", "backups", "history", "files"}
NEVER_COUNTED = {"tombstones", "erased_ids"}
"""Tables that an erasure writes but takes nothing out of."""


def test_every_table_has_a_name_and_every_name_is_of_a_place() -> None:
    assert set(TABLES.values()) - NEVER_COUNTED <= PLACE_NAMES.keys()
    assert PLACE_NAMES.keys() - OUTSIDE <= set(TABLES.values())


@pytest.mark.parametrize("number", ["#" + "9" * 13, "#" + "9" * 5_000, "9" * 5_000])
async def test_a_number_longer_than_any_id_is_a_word_like_any_other(number: str) -> None:
    async with session_with() as session:
        await remember(session, "我喜欢下雨")

        assert "没有找到" in await session.says(f"/forget {number}")


async def test_the_receipt_counts_what_went_and_what_only_lost_words_apart() -> None:
    async with session_with() as session:
        await remember(session, "我对花生过敏", "我每天喝咖啡")
        one, other = (
            Passage(text=text, source_ids=(key,), at=NOON, speaker="主人", verbatim=True)
            for text, key in (("花生酱真香", "x1"), ("我们去了香山", "x2"))
        )
        episode = replace(a_memory(9, "聊了早饭和香山", tier=Tier.EPISODE), passages=(one, other))
        await session.agent.steer(lambda state, index: [Put(episode)])
        receipt = lines(await session.press(await session.ask("/forget 花生")))

        assert "抹去了 1 条" in receipt
        assert "记忆: 1" in receipt.splitlines()
        assert "留下、但少了些话的记忆: 1" in receipt.splitlines()
