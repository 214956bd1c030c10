import asyncio
import os
import sqlite3
import subprocess
import sys
import threading
from datetime import date, timedelta
from pathlib import Path

import pytest

from bot.conversation.ledger import (
    Accepted,
    Duplicate,
    GiveUp,
    Ledger,
    MessageState,
    Received,
    SendState,
    TryAgain,
    TurnAnswer,
    TurnEntry,
)
from bot.conversation.ledger.database import MIGRATIONS, Database, migrate
from bot.conversation.ledger.inbox import DEDUPE_HORIZON, TRACE_HORIZON
from bot.conversation.ledger.ledger import FILE_NAME
from bot.conversation.messages import ConversationKey, Incoming, Sender
from memory.changes import Used
from memory.errors import StoreDamaged, StoreFromFuture, StoreLocked, StoreUnwritable
from tests.fakes.clock import NOON
from tests.fakes.platforms import IDENTITIES

HOME = ConversationKey(platform="telegram", account="7", chat="42")
ANN = Sender(id="42", name="安")


def incoming(
    key: str = "1",
    text: str = "我喜欢拉面",
    *,
    conversation: ConversationKey = HOME,
    sender: Sender = ANN,
) -> Incoming:
    return Incoming(dedupe_key=key, conversation=conversation, sender=sender, at=NOON, text=text)


async def accepted(ledger: Ledger, *keys: str) -> list[Received]:
    received = []
    for key in keys:
        receipt = await ledger.inbox.accept(incoming(key), NOON)
        assert isinstance(receipt, Accepted)
        received.append(receipt.message)
    return received


async def finished(ledger: Ledger, messages: list[Received]) -> TurnEntry:
    turn = await ledger.turns.begin(messages, NOON)
    turn = await ledger.turns.record_answer(turn, TurnAnswer("reply", "好吃", at=NOON))
    await ledger.turns.record_sending(turn)
    await ledger.turns.record_sent(turn)
    return await ledger.turns.record_committed(turn)


def all_bytes(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir())


def modes_in(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}


async def test_a_message_is_accepted_once_and_comes_back_as_it_came(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    said = Incoming(
        dedupe_key="99",
        conversation=ConversationKey(platform="lark", account="a", chat="oc_1", thread="t"),
        sender=Sender(id="ou_1", name="👩‍👩‍👧", is_bot=False),
        at=NOON,
        text="مرحبا 你好\n",
        private=False,
        quoted="转发",
        modality="image",
        reply_to="om_0",
        raw={"file": "x", "size": [1, 2]},
    )

    first = await ledger.inbox.accept(said, NOON)
    second = await ledger.inbox.accept(said, NOON)

    assert isinstance(first, Accepted)
    assert first.message.incoming == said
    assert second == Duplicate(MessageState.RECEIVED)
    await ledger.close()


async def test_what_was_accepted_is_there_after_the_process_died(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    (message,) = await accepted(ledger, "1")

    # A second connection sees only what is in the file: nothing was closed or flushed.
    witness = await Ledger.open(tmp_path, IDENTITIES)

    assert await witness.inbox.waiting(HOME, NOON) == (message,)
    assert await witness.inbox.accept(incoming("1"), NOON) == Duplicate(MessageState.RECEIVED)
    await witness.close()
    await ledger.close()


async def test_one_id_means_one_message_per_account_and_platform(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    other_bot = ConversationKey(platform="telegram", account="8", chat="42")
    other_house = ConversationKey(platform="lark", account="7", chat="42")

    ids = set()
    for place in (HOME, other_bot, other_house):
        receipt = await ledger.inbox.accept(incoming("1", conversation=place), NOON)
        assert isinstance(receipt, Accepted)
        ids.add(receipt.message.id)

    assert len(ids) == 3
    await ledger.close()


async def test_ids_in_memory_do_not_depend_on_the_ledger_file(tmp_path: Path) -> None:
    first = await Ledger.open(tmp_path / "a", IDENTITIES)
    second = await Ledger.open(tmp_path / "b", IDENTITIES)
    await accepted(second, "something else", "before")

    (one,), (other,) = await accepted(first, "5"), await accepted(second, "5")

    assert one.id == other.id
    await first.close()
    await second.close()


@pytest.mark.parametrize("text", ["\ud83d alone", "\udc00", "nul \x00 inside", "\u202e rtl", ""])
async def test_no_text_is_too_odd_to_keep(tmp_path: Path, text: str) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)

    receipt = await ledger.inbox.accept(incoming("1", text), NOON)

    assert isinstance(receipt, Accepted)
    kept = receipt.message.incoming.text
    assert len(kept) == len(text)
    kept.encode()
    await ledger.close()


async def test_messages_wait_in_the_order_they_came(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    await accepted(ledger, "b", "a", "c")

    waiting = await ledger.inbox.waiting(HOME, NOON)

    assert [message.incoming.dedupe_key for message in waiting] == ["b", "a", "c"]
    await ledger.close()


async def test_a_turn_takes_its_messages_out_of_the_waiting_ones(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    one, two, three = await accepted(ledger, "1", "2", "3")

    turn = await ledger.turns.begin([one, two], NOON)

    assert turn.messages == (one, two)
    assert turn.reply_to == "2"
    assert await ledger.inbox.waiting(HOME, NOON) == (three,)
    assert await ledger.inbox.accept(incoming("1"), NOON) == Duplicate(MessageState.IN_TURN)
    await ledger.close()


async def test_the_reply_and_what_it_used_survive_until_both_sent_and_committed(
    tmp_path: Path,
) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
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

    again = await Ledger.open(tmp_path, IDENTITIES)
    (found,) = await again.turns.unfinished(HOME)

    assert found.id == turn.id
    assert found.answer == answer
    assert found.piece_ids == ("m-1", "m-2")
    assert found.send is SendState.PLANNED
    await again.close()


async def test_a_turn_is_finished_when_it_is_sent_and_committed_in_either_order(
    tmp_path: Path,
) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
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


async def test_a_send_that_began_twice_is_in_doubt(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    turn = await ledger.turns.begin(await accepted(ledger, "1"), NOON)
    turn = await ledger.turns.record_answer(turn, TurnAnswer("reply", "好", at=NOON))

    first = await ledger.turns.record_sending(turn)
    second = await ledger.turns.record_sending(turn)
    third = await ledger.turns.record_not_sent(turn)

    assert [first.send, second.send, third.send] == [
        SendState.SENDING,
        SendState.IN_DOUBT,
        SendState.PLANNED,
    ]
    assert second.sends == 2
    await ledger.close()


async def test_messages_given_back_wait_their_time_and_a_new_one_ends_it(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    turn = await ledger.turns.begin(await accepted(ledger, "1"), NOON)
    later = NOON + timedelta(minutes=1)

    await ledger.turns.release(turn, TryAgain(later), None)

    assert await ledger.turns.unfinished(HOME) == ()
    assert await ledger.inbox.waiting(HOME, NOON) == ()
    (back,) = await ledger.inbox.waiting(HOME, later)
    assert (back.attempts, back.told) == (1, False)
    assert back.incoming.text == "我喜欢拉面"

    await accepted(ledger, "2")
    assert len(await ledger.inbox.waiting(HOME, NOON)) == 2
    await ledger.close()


async def test_another_attempt_is_another_turn(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    first = await ledger.turns.begin(await accepted(ledger, "1"), NOON)
    await ledger.turns.release(first, TryAgain(NOON), None)

    second = await ledger.turns.begin(await ledger.inbox.waiting(HOME, NOON), NOON)

    assert second.id != first.id
    await ledger.close()


async def test_an_apology_is_owed_although_its_messages_wait_again(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    turn = await ledger.turns.begin(await accepted(ledger, "1"), NOON)

    turn = await ledger.turns.release(
        turn, TryAgain(NOON), TurnAnswer("apology", "等等我", at=NOON)
    )

    (owed,) = await ledger.turns.unfinished(HOME)
    assert owed == turn
    assert owed.answer == TurnAnswer("apology", "等等我", at=NOON)
    assert not owed.owes_commit
    (back,) = await ledger.inbox.waiting(HOME, NOON)
    assert back.told
    await ledger.turns.record_sending(turn)
    await ledger.turns.record_sent(turn)
    assert await ledger.turns.unfinished(HOME) == ()
    await ledger.close()


async def test_a_message_given_up_is_marked_and_never_waits_again(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    turn = await ledger.turns.begin(await accepted(ledger, "1"), NOON)

    await ledger.turns.release(turn, GiveUp("invalid"), None)

    assert await ledger.inbox.waiting(HOME, NOON) == ()
    assert await ledger.inbox.accept(incoming("1"), NOON) == Duplicate(MessageState.FAILED)
    await ledger.close()


async def test_a_reply_taken_back_for_an_apology_is_no_reply_any_more(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    turn = await ledger.turns.begin(await accepted(ledger, "1"), NOON)
    turn = await ledger.turns.record_answer(turn, TurnAnswer("reply", "记住了", at=NOON))

    silent = await ledger.turns.release(turn, TryAgain(NOON), None)

    assert silent.answer is None
    assert await ledger.turns.unfinished(HOME) == ()
    await ledger.close()


async def test_a_command_that_was_begun_comes_back_as_interrupted(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    (message,) = await accepted(ledger, "1")
    await ledger.inbox.begin_command(message)
    await ledger.close()

    again = await Ledger.open(tmp_path, IDENTITIES)
    (found,) = await again.inbox.waiting(HOME, NOON)

    assert found.interrupted
    await again.inbox.settle([found])
    assert await again.inbox.waiting(HOME, NOON) == ()
    await again.close()


async def test_what_is_owed_is_found_by_platform_and_the_longest_waiting_first(
    tmp_path: Path,
) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    places = [
        ConversationKey(platform="telegram", account="7", chat="2"),
        ConversationKey(platform="lark", account="7", chat="1"),
        ConversationKey(platform="console", account="", chat="local"),
    ]
    for minute, place in enumerate(places):
        await ledger.inbox.accept(
            incoming("1", conversation=place), NOON + timedelta(minutes=minute)
        )
    late = NOON + timedelta(hours=1)

    assert await ledger.inbox.conversations_due(["lark", "telegram"], late) == tuple(places[:2])
    assert await ledger.inbox.conversations_due(["console"], late) == (places[2],)
    (message,) = await ledger.inbox.waiting(places[2], late)
    turn = await ledger.turns.begin([message], NOON)
    assert await ledger.inbox.conversations_due(["console"], late) == (places[2],)
    await ledger.turns.release(turn, TryAgain(late + timedelta(minutes=1)), None)
    assert await ledger.inbox.conversations_due(["console"], late) == ()
    await ledger.close()


async def test_settled_words_are_nowhere_in_the_files(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    receipt = await ledger.inbox.accept(incoming("1", "绝密的生日计划"), NOON)
    assert isinstance(receipt, Accepted)
    turn = await ledger.turns.begin([receipt.message], NOON)
    turn = await ledger.turns.record_answer(turn, TurnAnswer("reply", "我会保密的答复", at=NOON))
    await ledger.turns.record_sending(turn)
    await ledger.turns.record_sent(turn)
    await ledger.turns.record_committed(turn)

    await ledger.inbox.prune(NOON)

    everything = all_bytes(tmp_path)
    assert "绝密的生日计划".encode() not in everything
    assert "我会保密的答复".encode() not in everything
    await ledger.close()


async def test_of_a_settled_message_only_the_digest_of_its_id_is_kept(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    await finished(ledger, await accepted(ledger, "-1001234567890:17:0"))

    (row,) = await ledger._database.run(
        lambda connection: connection.execute("SELECT * FROM messages").fetchall()
    )

    kept = [value for value in row if isinstance(value, str) and value]
    assert sorted(kept)[:2] == [NOON.isoformat(timespec="microseconds"), "done"]
    assert [value.split(":")[0] for value in sorted(kept)[2:]] == ["telegram", "text", "turn"]
    await ledger.close()


ACCEPTING = """
import asyncio, sys
from itertools import count
from pathlib import Path
from bot.conversation.ledger import Ledger
from bot.conversation.messages import ConversationKey, Incoming, Sender
from tests.fakes.clock import NOON
from tests.fakes.platforms import IDENTITIES

async def main():
    ledger = await Ledger.open(Path(sys.argv[1]), IDENTITIES)
    home = ConversationKey(platform="telegram", account="7", chat="42")
    for number in count(int(sys.argv[2])):
        said = Incoming(
            dedupe_key=str(number), conversation=home, sender=Sender(id="42", name="安"),
            at=NOON, text="你好",
        )
        await ledger.inbox.accept(said, NOON)
        print(number, flush=True)

asyncio.run(main())
"""


def acknowledged_before_kill(folder: Path, first: int, acknowledgements: int) -> list[str]:
    """Run a process that accepts messages, kill it in the middle, return what it had told."""
    with subprocess.Popen(
        [sys.executable, "-c", ACCEPTING, str(folder), str(first)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
    ) as process:
        assert process.stdout is not None
        told = [process.stdout.readline().strip() for _ in range(acknowledgements)]
        process.kill()
        return [*told, *process.stdout.read().split("\n")[:-1]]


def test_what_was_acknowledged_is_there_after_kill_9(tmp_path: Path) -> None:
    told: list[str] = []
    for round_ in range(3):
        told += acknowledged_before_kill(tmp_path, 1_000 * round_, 5 + 7 * round_)

    async def kept() -> list[str]:
        ledger = await Ledger.open(tmp_path, IDENTITIES)
        found = await ledger._database.run(
            lambda connection: connection.execute("SELECT dedupe_key FROM messages").fetchall()
        )
        await ledger.close()
        return [key for (key,) in found]

    assert len(told) >= 5 + 12 + 19
    assert set(told) <= set(asyncio.run(kept()))


async def test_an_id_is_known_for_two_days_and_then_let_go(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    await finished(ledger, await accepted(ledger, "1"))

    assert await ledger.inbox.prune(NOON + DEDUPE_HORIZON) == 0
    assert await ledger.inbox.accept(incoming("1"), NOON) == Duplicate(MessageState.DONE)
    assert await ledger.inbox.prune(NOON + DEDUPE_HORIZON + timedelta(seconds=1)) == 1
    assert isinstance(await ledger.inbox.accept(incoming("1"), NOON), Accepted)
    await ledger.close()


async def test_a_month_long_an_answer_is_known_by_its_message_and_then_no_more(
    tmp_path: Path,
) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
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


async def test_pruning_never_takes_what_is_still_owed(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    one, two = await accepted(ledger, "1", "2")
    turn = await ledger.turns.begin([one], NOON)

    await ledger.inbox.prune(NOON + timedelta(days=400))

    assert await ledger.inbox.waiting(HOME, NOON) == (two,)
    assert await ledger.turns.unfinished(HOME) == (turn,)
    await ledger.close()


async def test_a_conversation_keeps_its_agent_until_it_is_bound_anew(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    other = ConversationKey(platform="lark", account="7", chat="oc_1")

    assert await ledger.bindings.agent_id(HOME, private=True) == "tg-p-42"
    await ledger.bindings.bind(other, "tg-p-42")
    await ledger.close()

    again = await Ledger.open(tmp_path, IDENTITIES)
    assert await again.bindings.agent_id(other, private=True) == "tg-p-42"
    assert set(await again.bindings.conversations("tg-p-42")) == {HOME, other}
    await again.close()


async def test_what_was_spent_and_learnt_holds_over_restarts(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    day = date(2026, 3, 4)
    await ledger.spending.spend(day, 100)
    await ledger.spending.spend(day, 20)
    await ledger.spending.learn_factor("some-model", 1.25)
    await ledger.close()

    again = await Ledger.open(tmp_path, IDENTITIES)

    assert await again.spending.spent(day) == 120
    assert await again.spending.spent(date(2026, 3, 5)) == 0
    assert await again.spending.factor("some-model") == 1.25
    assert await again.spending.factor("another") is None
    await again.close()


async def test_the_files_are_private(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        ledger = await Ledger.open(tmp_path / "new", IDENTITIES)
        await accepted(ledger, "1")
        modes = modes_in(tmp_path / "new")
    finally:
        os.umask(before)

    assert modes
    assert set(modes.values()) == {0o600}
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
    await ledger.close()


async def test_the_promised_settings_are_in_force(tmp_path: Path) -> None:
    database = Database(tmp_path / FILE_NAME)
    await database.open()

    def setting(name: str) -> object:
        assert database._connection is not None
        return database._connection.execute(f"PRAGMA {name}").fetchone()[0]

    found = await database._run_in_thread(
        lambda: [setting(n) for n in ("journal_mode", "synchronous", "secure_delete")]
    )
    assert found == ["wal", 2, 1]
    await database.close()


async def test_a_full_disk_accepts_nothing_and_everything_works_once_there_is_room(
    tmp_path: Path,
) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    await accepted(ledger, "1")
    database = ledger._database

    def limit(connection: sqlite3.Connection) -> None:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")

    await database.run(limit)
    with pytest.raises(StoreUnwritable):
        await ledger.inbox.accept(incoming("2", "长" * 50_000), NOON)

    assert [m.incoming.dedupe_key for m in await ledger.inbox.waiting(HOME, NOON)] == ["1"]
    assert isinstance(await ledger.inbox.accept(incoming("2", "长" * 50_000), NOON), Accepted)
    await ledger.close()


async def test_work_that_fails_half_way_leaves_nothing_behind(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)

    def half(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO spending VALUES ('2026-03-04', 7)")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await ledger._database.run(half)

    assert await ledger.spending.spent(date(2026, 3, 4)) == 0
    await ledger.close()


async def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(StoreUnwritable, match="ledger"):
        await Ledger.open(tmp_path / "file" / "data", IDENTITIES)


async def test_a_file_that_is_no_ledger_is_left_alone(tmp_path: Path) -> None:
    content = b"this is no database, it only lies in its place" * 50
    (tmp_path / FILE_NAME).write_bytes(content)

    with pytest.raises(StoreDamaged):
        await Ledger.open(tmp_path, IDENTITIES)

    assert (tmp_path / FILE_NAME).read_bytes() == content


async def test_a_ledger_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    await ledger.close()
    with sqlite3.connect(tmp_path / FILE_NAME) as raw:
        raw.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    raw.close()

    with pytest.raises(StoreFromFuture):
        await Ledger.open(tmp_path, IDENTITIES)


async def test_a_ledger_in_use_by_another_process_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.conversation.ledger.database.LOCK_SECONDS", 0.01)
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    other = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(StoreLocked):
        await accepted(ledger, "1")

    other.execute("ROLLBACK")
    other.close()
    assert len(await accepted(ledger, "1")) == 1
    await ledger.close()


def test_migrations_run_once_each_and_keep_what_was_there() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrate(connection)
    connection.execute("INSERT INTO spending VALUES ('2026-03-04', 7)")
    added = (*MIGRATIONS, "ALTER TABLE spending ADD COLUMN calls INTEGER NOT NULL DEFAULT 0;")

    migrate(connection, added)
    migrate(connection, added)

    assert connection.execute("SELECT * FROM spending").fetchall() == [("2026-03-04", 7, 0)]
    assert connection.execute("PRAGMA user_version").fetchone() == (len(added),)
    connection.close()


def test_a_migration_that_fails_leaves_the_version_before_it() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrate(connection)
    broken = (*MIGRATIONS, "DROP TABLE spending; CREATE TABLE spending (; ")

    with pytest.raises(sqlite3.OperationalError):
        migrate(connection, broken)

    assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
    assert connection.execute("SELECT count(*) FROM spending").fetchone() == (0,)
    connection.close()


async def test_work_that_was_begun_is_finished_although_its_caller_is_cancelled(
    tmp_path: Path,
) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    started = asyncio.Event()
    loop = asyncio.get_running_loop()

    def slow(connection: sqlite3.Connection) -> None:
        loop.call_soon_threadsafe(started.set)
        connection.execute("INSERT INTO spending VALUES ('2026-03-04', 7)")

    async with asyncio.TaskGroup() as tasks:
        task = tasks.create_task(ledger._database.run(slow))
        await started.wait()
        task.cancel()

    assert await ledger.spending.spent(date(2026, 3, 4)) == 7
    await ledger.close()


async def test_the_words_of_a_message_given_up_leave_the_ledger(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    accepted = await ledger.inbox.accept(incoming("1", "我的密码是Hunter7788"), NOON)
    assert isinstance(accepted, Accepted)
    turn = await ledger.turns.begin([accepted.message], NOON)

    await ledger.turns.release(turn, GiveUp("refused"), None)
    await ledger.close()

    assert not any(b"Hunter7788" in path.read_bytes() for path in tmp_path.iterdir())


async def test_what_was_handed_in_is_done_although_its_caller_is_cancelled(tmp_path: Path) -> None:
    database = Database(tmp_path / "ledger.sqlite3")
    await database.open()
    held = threading.Event()
    first = asyncio.create_task(database.run(lambda _: held.wait(5)))
    second = asyncio.create_task(
        database.run(lambda c: c.execute("INSERT INTO spending VALUES ('2026-03-04', 7)"))
    )
    await asyncio.sleep(0.01)
    second.cancel()
    await asyncio.sleep(0.01)
    held.set()
    await first
    found = await database.run(lambda c: c.execute("SELECT tokens FROM spending").fetchall())

    assert second.cancelled()
    assert found == [(7,)]
    await database.close()
