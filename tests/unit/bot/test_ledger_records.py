"""What the ledger hands out comes back as it went in."""

from pathlib import Path

import pytest

from bot.conversation.ledger import Accepted
from tests.fakes.clock import NOON
from tests.fakes.ledger import HOME, accepted, incoming
from tests.fakes.postgres import OpenLedger


async def test_ids_in_memory_do_not_depend_on_the_ledger_file(
    tmp_path: Path, open_ledger: OpenLedger
) -> None:
    first = await open_ledger(tmp_path / "a")
    second = await open_ledger(tmp_path / "b")
    await accepted(second, "something else", "before")

    (one,), (other,) = await accepted(first, "5"), await accepted(second, "5")

    assert one.id == other.id
    await first.close()
    await second.close()


@pytest.mark.parametrize("text", ["\ud83d alone", "\udc00", "nul \x00 inside", "\u202e rtl", ""])
async def test_no_text_is_too_odd_to_keep(
    tmp_path: Path, open_ledger: OpenLedger, text: str
) -> None:
    ledger = await open_ledger(tmp_path)

    receipt = await ledger.inbox.accept(incoming("1", text), NOON)

    assert isinstance(receipt, Accepted)
    kept = receipt.message.incoming.text
    assert len(kept) == len(text)
    kept.encode()
    await ledger.close()


async def test_asking_about_a_conversation_nobody_met_writes_nothing(
    tmp_path: Path, open_ledger: OpenLedger
) -> None:
    ledger = await open_ledger(tmp_path)

    assert (await ledger.inbox.owed(HOME, NOON)).waiting == ()
    assert await ledger.inbox.waiting_commands(HOME) == ()
    assert await ledger.turns.unfinished(HOME) == ()
    assert await ledger.links.find_for(HOME, NOON) is None
    assert not await ledger.links.withdraw(HOME)
    (found,) = await ledger._database.run(
        lambda connection: connection.execute("SELECT COUNT(*) FROM conversations").fetchone()
    )
    assert found == 0
    await ledger.close()
