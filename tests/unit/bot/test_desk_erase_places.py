"""``/forget`` has a name for every place that an erasure may count."""

from bot.desk.erase import PLACE_NAMES
from memory.state import TABLES

OUTSIDE = {"messages", "ledger", "backups", "history", "files"}
NEVER_COUNTED = {"tombstones", "erased_ids"}
"""Tables that an erasure writes but takes nothing out of."""


def test_every_table_has_a_name_and_every_name_is_of_a_place() -> None:
    assert set(TABLES.values()) - NEVER_COUNTED <= PLACE_NAMES.keys()
    assert PLACE_NAMES.keys() - OUTSIDE <= set(TABLES.values())
