"""Finding what is due among very many agents, and waking no more often than needed."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.conversation.ledger import Ledger, TurnAnswer
from bot.conversation.messages import ConversationKey
from bot.initiative import ChangedReminders
from tests.fakes.platforms import IDENTITIES

AT = datetime(2026, 3, 4, 1, 0, tzinfo=UTC)
PLACE = ConversationKey(platform="telegram", account="7", chat="42")


async def test_the_ledger_tells_what_is_due_and_what_comes_next(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    await ledger.wakes.plan("a", {1: AT, 2: AT + timedelta(hours=2)})
    await ledger.wakes.plan("b", {1: AT + timedelta(hours=1)})

    due = await ledger.wakes.due(AT)
    coming = await ledger.wakes.next(AT)
    await ledger.wakes.plan("a", {})
    left = await ledger.wakes.due(AT + timedelta(days=1))
    await ledger.close()

    assert [(each.agent_id, each.item, each.at) for each in due] == [("a", 1, AT)]
    assert coming == AT + timedelta(hours=1)
    assert [(each.agent_id, each.item) for each in left] == [("b", 1)]


async def test_what_was_begun_under_an_id_is_never_begun_again(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    answer = TurnAnswer("reply", "⏰", at=AT)
    first = await ledger.wakes.begin("begun:1", PLACE, answer, private=True)
    again = await ledger.wakes.begin("begun:1", PLACE, answer, private=True)
    owed = await ledger.turns.unfinished(PLACE)
    await ledger.close()

    assert first is not None
    assert again is None
    assert [turn.id for turn in owed] == ["begun:1"]


async def test_an_agent_that_changes_often_is_looked_at_once() -> None:
    changed = ChangedReminders()
    for agent in ("a", "a", "b", "a"):
        changed.put(agent)

    assert [await changed.get(), await changed.get()] == ["a", "b"]
