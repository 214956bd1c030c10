"""A turn keeps what is owed until it is both sent and committed."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.conversation.ledger import (
    Accepted,
    Duplicate,
    GiveUp,
    MessageState,
    SendState,
    TryAgain,
    TurnAnswer,
)
from bot.conversation.ledger.inbox import DEDUPE_HORIZON
from memory.changes import Used
from tests.fakes.clock import NOON
from tests.fakes.ledger import HOME, accepted, finished, incoming
from tests.fakes.postgres import OpenLedger


async def test_a_turn_takes_its_messages_out_of_the_waiting_ones(
    tmp_path: Path, open_ledger: OpenLedger
) -> None:
    ledger = await open_ledger(tmp_path)
    one, two, three = await accepted(ledger, "1", "2", "3")

    turn = await ledger.turns.begin([one, two], NOON)

    assert turn.messages == (one, two)
    assert turn.reply_to == "2"
    assert turn.agent_id == await ledger.bindings.agent_id(HOME, private=True)
    assert (await ledger.inbox.owed(HOME, NOON)).waiting == (three,)
    assert await ledger.inbox.accept(incoming("1"), NOON) == Duplicate(MessageState.IN_TURN)
    await ledger.close()


async def test_a_turn_replies_to_what_was_said_to_her_and_not_to_talk_behind_it(
    tmp_path: Path, open_ledger: OpenLedger
) -> None:
    ledger = await open_ledger(tmp_path)
    one, two, three = await accepted(ledger, "1", "2", "3")
    talk = replace(three, incoming=replace(three.incoming, addressed=False))

    turn = await ledger.turns.begin([one, two, talk], NOON)

    assert turn.reply_to == "2"
    await ledger.close()


async def test_the_reply_and_what_it_used_survive_until_both_sent_and_committed(
    tmp_path: Path,
    open_ledger: OpenLedger,
) -> None:
    ledger = await open_ledger(tmp_path)
    turn = await ledger.turns.begin(await accepted(ledger, "1"), NOON)
    answer = TurnAnswer(
        "reply",
        "当然记得 🍜",
        at=NOON,
        used=(
            Used(
                memory_id=3,
                score=0.5,
                reasons=("拉面",),
                associated=True,
                source_ids=("s",),
                path=(2, 3),
            ),
        ),
    )
    await ledger.turns.record_answer(turn, answer)
    await ledger.turns.record_piece(turn, 0, "m-1")
    await ledger.turns.record_piece(turn, 1, "m-2")
    await ledger.close()

    again = await open_ledger(tmp_path)
    (found,) = await again.turns.unfinished(HOME)

    assert found.id == turn.id
    assert found.answer == answer
    assert found.piece_ids == ("m-1", "m-2")
    assert found.send is SendState.PLANNED
    await again.close()


async def test_a_turn_is_finished_when_it_is_sent_and_committed_in_either_order(
    tmp_path: Path,
    open_ledger: OpenLedger,
) -> None:
    ledger = await open_ledger(tmp_path)
    one, two = await accepted(ledger, "1", "2")
    first = await ledger.turns.begin([one], NOON)
    await ledger.turns.record_answer(first, TurnAnswer("reply", "好", at=NOON))
    await ledger.turns.record_committed(first)
    assert len(await ledger.turns.unfinished(HOME)) == 1
    await ledger.turns.record_sending(first)
    await ledger.turns.record_sent(first)
    assert await ledger.turns.unfinished(HOME) == ()

    second = await ledger.turns.begin([two], NOON)
    await ledger.turns.record_answer(second, TurnAnswer("reply", "好", at=NOON))
    await ledger.turns.record_sending(second)
    await ledger.turns.record_sent(second)
    assert len(await ledger.turns.unfinished(HOME)) == 1
    await ledger.turns.record_committed(second)

    assert await ledger.turns.unfinished(HOME) == ()
    assert await ledger.inbox.accept(incoming("1"), NOON) == Duplicate(MessageState.DONE)
    await ledger.close()


async def test_whoever_read_a_turn_before_another_began_to_send_it_may_not(
    tmp_path: Path, open_ledger: OpenLedger
) -> None:
    ledger = await open_ledger(tmp_path)
    turn = await ledger.turns.begin(await accepted(ledger, "1"), NOON)
    turn = await ledger.turns.record_answer(turn, TurnAnswer("reply", "好", at=NOON))

    first = await ledger.turns.record_sending(turn)
    second = await ledger.turns.record_sending(turn)

    assert first is not None
    assert first.sends == turn.sends + 1
    assert second is None

    await ledger.turns.record_sent(first)
    await ledger.turns.record_committed(first)
    assert await ledger.turns.record_sending(first) is None


async def test_a_send_that_began_twice_is_in_doubt(
    tmp_path: Path, open_ledger: OpenLedger
) -> None:
    ledger = await open_ledger(tmp_path)
    turn = await ledger.turns.begin(await accepted(ledger, "1"), NOON)
    turn = await ledger.turns.record_answer(turn, TurnAnswer("reply", "好", at=NOON))

    first = await ledger.turns.record_sending(turn)
    assert first is not None
    second = await ledger.turns.record_sending(first)
    third = await ledger.turns.record_not_sent(turn)

    assert second is not None
    assert [first.send, second.send, third.send] == [
        SendState.SENDING,
        SendState.IN_DOUBT,
        SendState.PLANNED,
    ]
    assert second.sends == 2
    await ledger.close()


async def test_messages_given_back_wait_their_time_and_a_new_one_ends_it(
    tmp_path: Path, open_ledger: OpenLedger
) -> None:
    ledger = await open_ledger(tmp_path)
    turn = await ledger.turns.begin(await accepted(ledger, "1"), NOON)
    later = NOON + timedelta(minutes=1)

    await ledger.turns.release(turn, TryAgain(later), None)

    assert await ledger.turns.unfinished(HOME) == ()
    assert (await ledger.inbox.owed(HOME, NOON)).waiting == ()
    (back,) = (await ledger.inbox.owed(HOME, later)).waiting
    assert (back.attempts, back.told) == (1, False)
    assert back.incoming.text == "我喜欢拉面"

    await accepted(ledger, "2")
    assert len((await ledger.inbox.owed(HOME, NOON)).waiting) == 2
    await ledger.close()


async def test_another_attempt_is_another_turn(tmp_path: Path, open_ledger: OpenLedger) -> None:
    ledger = await open_ledger(tmp_path)
    first = await ledger.turns.begin(await accepted(ledger, "1"), NOON)
    await ledger.turns.release(first, TryAgain(NOON), None)

    second = await ledger.turns.begin((await ledger.inbox.owed(HOME, NOON)).waiting, NOON)

    assert second.id != first.id
    await ledger.close()


async def test_an_apology_is_owed_although_its_messages_wait_again(
    tmp_path: Path, open_ledger: OpenLedger
) -> None:
    ledger = await open_ledger(tmp_path)
    turn = await ledger.turns.begin(await accepted(ledger, "1"), NOON)

    turn = await ledger.turns.release(
        turn, TryAgain(NOON), TurnAnswer("apology", "等等我", at=NOON)
    )

    (owed,) = await ledger.turns.unfinished(HOME)
    assert owed == turn
    assert owed.answer == TurnAnswer("apology", "等等我", at=NOON)
    assert not owed.owes_commit
    (back,) = (await ledger.inbox.owed(HOME, NOON)).waiting
    assert back.told
    await ledger.turns.record_sending(turn)
    await ledger.turns.record_sent(turn)
    assert await ledger.turns.unfinished(HOME) == ()
    await ledger.close()


async def test_a_message_given_up_is_marked_and_never_waits_again(
    tmp_path: Path, open_ledger: OpenLedger
) -> None:
    ledger = await open_ledger(tmp_path)
    turn = await ledger.turns.begin(await accepted(ledger, "1"), NOON)

    await ledger.turns.release(turn, GiveUp("invalid"), None)

    assert (await ledger.inbox.owed(HOME, NOON)).waiting == ()
    assert await ledger.inbox.accept(incoming("1"), NOON) == Duplicate(MessageState.FAILED)
    await ledger.close()


async def test_a_reply_taken_back_for_an_apology_is_no_reply_any_more(
    tmp_path: Path, open_ledger: OpenLedger
) -> None:
    ledger = await open_ledger(tmp_path)
    turn = await ledger.turns.begin(await accepted(ledger, "1"), NOON)
    turn = await ledger.turns.record_answer(turn, TurnAnswer("reply", "记住了", at=NOON))

    silent = await ledger.turns.release(turn, TryAgain(NOON), None)

    assert silent.answer is None
    assert await ledger.turns.unfinished(HOME) == ()
    await ledger.close()


async def test_the_words_of_a_message_given_up_leave_the_ledger(
    tmp_path: Path, open_ledger: OpenLedger
) -> None:
    ledger = await open_ledger(tmp_path)
    accepted = await ledger.inbox.accept(incoming("1", "我的密码是Hunter7788"), NOON)
    assert isinstance(accepted, Accepted)
    turn = await ledger.turns.begin([accepted.message], NOON)

    await ledger.turns.release(turn, GiveUp("refused"), None)
    await ledger.close()

    assert not any(b"Hunter7788" in path.read_bytes() for path in tmp_path.iterdir())


@pytest.mark.parametrize("text", ["我喜欢拉面", "I like ramen 🍜", "أحب الرامن"])
async def test_a_message_that_comes_again_after_days_begins_a_turn_of_its_own(
    tmp_path: Path, open_ledger: OpenLedger, text: str
) -> None:
    ledger = await open_ledger(tmp_path)
    first = await finished(ledger, await accepted(ledger, "1"))
    days_later = NOON + DEDUPE_HORIZON + timedelta(days=1)
    assert await ledger.inbox.prune(days_later) == 1

    receipt = await ledger.inbox.accept(incoming("1", text), days_later)
    assert isinstance(receipt, Accepted)
    again = await finished(ledger, [receipt.message])

    assert again.id != first.id
    assert await ledger.turns.unfinished(HOME) == ()
    await ledger.close()
