"""``/forget`` has a name for every place that an erasure may count."""

import pytest

from bot.desk.erase import PLACE_NAMES
from memory.state import TABLES
from tests.fakes.desk import remember, session_with

OUTSIDE = {"messages", "ledger", "backups", "history", "files"}
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
