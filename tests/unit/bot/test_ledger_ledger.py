"""What the models cost, and which turn a message of hers shows."""

from datetime import date, timedelta
from pathlib import Path

from bot.conversation.ledger import TurnAnswer
from bot.conversation.ledger.inbox import TRACE_HORIZON
from tests.fakes.clock import NOON
from tests.fakes.ledger import HOME, accepted
from tests.fakes.postgres import OpenLedger


async def test_a_month_long_an_answer_is_known_by_its_message_and_then_no_more(
    tmp_path: Path,
    open_ledger: OpenLedger,
) -> None:
    ledger = await open_ledger(tmp_path)
    (message,) = await accepted(ledger, "42:1")
    turn = await ledger.turns.begin([message], NOON)
    await ledger.turns.record_piece(turn, 0, "42:2")
    await ledger.turns.record_piece(turn, 1, "card/om_3")
    turn = await ledger.turns.record_answer(turn, TurnAnswer("reply", "好吃", at=NOON))
    await ledger.turns.record_sent(turn)
    await ledger.turns.record_committed(turn)
    tracing = ledger.history

    await ledger.inbox.prune(NOON + TRACE_HORIZON)
    assert await tracing.turn_shown_as(str(HOME), "42:2") == turn.id
    assert await tracing.turn_shown_as(str(HOME), "om_3") == turn.id
    assert await tracing.turn_shown_as(str(HOME), "3") == ""
    assert await tracing.turn_shown_as("telegram/7/43/", "42:2") == ""
    assert await tracing.place_of_turn(turn.id) == (HOME, "42:1")

    await ledger.inbox.prune(NOON + TRACE_HORIZON + timedelta(seconds=1))
    assert await tracing.turn_shown_as(str(HOME), "42:2") == ""
    assert await tracing.place_of_turn(turn.id) is None
    await ledger.close()


async def test_what_was_spent_and_learnt_holds_over_restarts(
    tmp_path: Path, open_ledger: OpenLedger
) -> None:
    ledger = await open_ledger(tmp_path)
    day = date(2026, 3, 4)
    await ledger.spending.spend(day, 100)
    await ledger.spending.spend(day, 20)
    await ledger.spending.learn_factor("some-model", 1.25)
    await ledger.close()

    again = await open_ledger(tmp_path)

    assert await again.spending.spent(day) == 120
    assert await again.spending.spent(date(2026, 3, 5)) == 0
    assert await again.spending.factor("some-model") == 1.25
    assert await again.spending.factor("another") is None
    await again.close()
