"""Messages are accepted once, wait in order and are let go of after two days."""

import asyncio
import os
import signal
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.conversation.ledger import Accepted, Duplicate, Ledger, MessageState, TryAgain, TurnAnswer
from bot.conversation.ledger.inbox import DEDUPE_HORIZON, Owed
from bot.conversation.ledger.tables import Connection
from bot.conversation.messages import EDITS, UNREADABLE, ConversationKey, Incoming, Sender
from memory.errors import StoreUnwritable
from tests.fakes.clock import NOON
from tests.fakes.ledger import HOME, accepted, finished, incoming
from tests.fakes.platforms import IDENTITIES
from tests.fakes.postgres import OpenLedger
from tests.fakes.processes import start
from tests.fakes.waiting import HANG_SECONDS


def all_bytes(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir())


async def test_a_message_is_accepted_once_and_comes_back_as_it_came(
    tmp_path: Path, open_ledger: OpenLedger
) -> None:
    ledger = await open_ledger(tmp_path)
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


async def test_what_was_accepted_is_there_after_the_process_died(
    tmp_path: Path, open_ledger: OpenLedger
) -> None:
    ledger = await open_ledger(tmp_path)
    (message,) = await accepted(ledger, "1")

    # A second connection sees only what is in the file: nothing was closed or flushed.
    witness = await open_ledger(tmp_path)

    assert (await witness.inbox.owed(HOME, NOON)).waiting == (message,)
    assert await witness.inbox.accept(incoming("1"), NOON) == Duplicate(MessageState.RECEIVED)
    await witness.close()
    await ledger.close()


async def test_one_id_means_one_message_per_account_and_platform(
    tmp_path: Path, open_ledger: OpenLedger
) -> None:
    ledger = await open_ledger(tmp_path)
    other_bot = ConversationKey(platform="telegram", account="8", chat="42")
    other_house = ConversationKey(platform="lark", account="7", chat="42")

    ids = set()
    for place in (HOME, other_bot, other_house):
        receipt = await ledger.inbox.accept(incoming("1", conversation=place), NOON)
        assert isinstance(receipt, Accepted)
        ids.add(receipt.message.id)

    assert len(ids) == 3
    await ledger.close()


async def test_messages_wait_in_the_order_they_came(
    tmp_path: Path, open_ledger: OpenLedger
) -> None:
    ledger = await open_ledger(tmp_path)
    await accepted(ledger, "b", "a", "c")

    waiting = (await ledger.inbox.owed(HOME, NOON)).waiting

    assert [message.incoming.dedupe_key for message in waiting] == ["b", "a", "c"]
    await ledger.close()


async def test_a_command_that_was_begun_comes_back_as_interrupted(
    tmp_path: Path, open_ledger: OpenLedger
) -> None:
    ledger = await open_ledger(tmp_path)
    (message,) = await accepted(ledger, "1")
    await ledger.inbox.begin_command(message)
    await ledger.close()

    again = await open_ledger(tmp_path)
    (found,) = (await again.inbox.owed(HOME, NOON)).waiting

    assert found.interrupted
    await again.inbox.settle([found])
    assert (await again.inbox.owed(HOME, NOON)).waiting == ()
    await again.close()


async def test_what_is_owed_is_found_by_platform_and_the_longest_waiting_first(
    tmp_path: Path,
    open_ledger: OpenLedger,
) -> None:
    ledger = await open_ledger(tmp_path)
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
    (message,) = (await ledger.inbox.owed(places[2], late)).waiting
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


async def test_of_a_settled_message_only_the_digest_of_its_id_is_kept(
    tmp_path: Path, open_ledger: OpenLedger
) -> None:
    ledger = await open_ledger(tmp_path)
    await finished(ledger, await accepted(ledger, "-1001234567890:17:0"))

    (row,) = await ledger._database.run(
        lambda connection: connection.execute("SELECT * FROM messages").fetchall()
    )

    kept = [value for value in row if isinstance(value, str) and value]
    assert sorted(kept)[:2] == [NOON.isoformat(timespec="microseconds"), "done"]
    assert [value.split(":")[0] for value in sorted(kept)[2:]] == ["telegram", "text", "turn"]
    await ledger.close()


def acknowledged_before_kill(folder: Path, first: int, acknowledgements: int) -> list[str]:
    """Run a process that accepts messages, kill it in the middle, return what it had told."""
    reading, writing = os.pipe()
    with os.fdopen(reading, encoding="utf-8") as heard:
        program = start(folder, first, stdout=writing, module="tests.fakes.accepting_ledger")
        os.close(writing)
        told = [heard.readline().strip() for _ in range(acknowledgements)]
        program.send_signal(signal.SIGKILL)
        assert program.wait(HANG_SECONDS) == -signal.SIGKILL
        return [*told, *heard.read().split("\n")[:-1]]


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


async def test_an_id_is_known_for_two_days_and_then_let_go(
    tmp_path: Path, open_ledger: OpenLedger
) -> None:
    ledger = await open_ledger(tmp_path)
    await finished(ledger, await accepted(ledger, "1"))

    assert await ledger.inbox.prune(NOON + DEDUPE_HORIZON) == 0
    assert await ledger.inbox.accept(incoming("1"), NOON) == Duplicate(MessageState.DONE)
    assert await ledger.inbox.prune(NOON + DEDUPE_HORIZON + timedelta(seconds=1)) == 1
    assert isinstance(await ledger.inbox.accept(incoming("1"), NOON), Accepted)
    await ledger.close()


async def test_pruning_never_takes_what_is_still_owed(
    tmp_path: Path, open_ledger: OpenLedger
) -> None:
    ledger = await open_ledger(tmp_path)
    one, two = await accepted(ledger, "1", "2")
    turn = await ledger.turns.begin([one], NOON)

    await ledger.inbox.prune(NOON + timedelta(days=400))

    assert (await ledger.inbox.owed(HOME, NOON)).waiting == (two,)
    assert await ledger.turns.unfinished(HOME) == (turn,)
    await ledger.close()


async def test_a_full_disk_accepts_nothing_and_everything_works_once_there_is_room(
    tmp_path: Path,
) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    await accepted(ledger, "1")
    database = ledger._database

    def limit(connection: Connection) -> None:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")

    await database.run(limit)
    with pytest.raises(StoreUnwritable):
        await ledger.inbox.accept(incoming("2", "长" * 50_000), NOON)

    assert [m.incoming.dedupe_key for m in (await ledger.inbox.owed(HOME, NOON)).waiting] == ["1"]
    assert isinstance(await ledger.inbox.accept(incoming("2", "长" * 50_000), NOON), Accepted)
    await ledger.close()


async def test_an_edit_changes_the_words_of_what_still_waits_and_waits_behind_it(
    tmp_path: Path,
    open_ledger: OpenLedger,
) -> None:
    ledger = await open_ledger(tmp_path)
    await accepted(ledger, "1", "2")

    await ledger.inbox.accept(an_edit("1", "我喜欢米粉"), NOON)

    waiting = (await ledger.inbox.owed(HOME, NOON)).waiting
    assert [each.incoming.text for each in waiting] == ["我喜欢米粉", "我喜欢拉面", "我喜欢米粉"]
    # In memory it is the message that was edited, and not another one.
    assert [each.as_message("安").id for each in waiting] == [
        waiting[0].id,
        waiting[1].id,
        waiting[0].id,
    ]
    await ledger.close()


@pytest.mark.parametrize("kept", ["/forget all", "  ／忘记"])
async def test_an_edit_makes_nothing_else_of_a_command(
    tmp_path: Path, open_ledger: OpenLedger, kept: str
) -> None:
    ledger = await open_ledger(tmp_path)
    await ledger.inbox.accept(incoming("1", kept), NOON)

    await ledger.inbox.accept(an_edit("1", "算了"), NOON)

    waiting = (await ledger.inbox.owed(HOME, NOON)).waiting
    assert [each.incoming.text for each in waiting] == [kept, "算了"]
    await ledger.close()


async def test_an_edit_leaves_what_was_sent_with_a_file_and_what_was_answered(
    tmp_path: Path,
    open_ledger: OpenLedger,
) -> None:
    ledger = await open_ledger(tmp_path)
    with_file = replace(incoming("1", "看（图片）"), raw={"photo": "x"})
    await ledger.inbox.accept(with_file, NOON)
    (answered,) = await accepted(ledger, "2")
    await ledger.turns.begin([answered], NOON)

    for key in ("1", "2"):
        await ledger.inbox.accept(an_edit(key, "算了"), NOON)

    waiting = (await ledger.inbox.owed(HOME, NOON)).waiting
    assert [each.incoming.text for each in waiting] == ["看（图片）", "算了", "算了"]
    (turn,) = await ledger.turns.unfinished(HOME)
    assert [each.incoming.text for each in turn.messages] == ["我喜欢拉面"]
    await ledger.close()


def an_edit(key: str, text: str) -> Incoming:
    return replace(incoming(f"{key}:u1", text), addressed=False, raw={EDITS: key})


async def test_what_just_came_alone_is_owed_without_another_look(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    (message,) = await accepted(ledger, "1")
    begun = ledger._database.begun

    assert await ledger.inbox.owed(HOME, NOON) == Owed((), (message,))
    assert ledger._database.begun == begun
    assert await ledger.inbox.owed(HOME, NOON) == Owed((), (message,))
    assert ledger._database.begun == (begun or 0) + 1
    await ledger.close()


async def test_what_changed_since_is_looked_for(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    (message,) = await accepted(ledger, "1")
    await ledger.inbox.settle([message])
    assert await ledger.inbox.owed(HOME, NOON) == Owed((), ())

    first = await accepted(ledger, "2")
    second = await accepted(ledger, "3")
    assert await ledger.inbox.owed(HOME, NOON) == Owed((), (*first, *second))

    turn = await ledger.turns.begin([*first, *second], NOON)
    third = await accepted(ledger, "4")
    assert await ledger.inbox.owed(HOME, NOON) == Owed((turn,), tuple(third))
    await ledger.close()


async def test_what_could_not_be_read_is_not_owed(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    unreadable = replace(incoming("1"), raw={UNREADABLE: "…"})
    await ledger.inbox.accept(unreadable, NOON)
    assert await ledger.inbox.owed(HOME, NOON) == Owed((), ())
    await ledger.close()


async def test_what_came_elsewhere_is_not_owed_here(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    await ledger.inbox.accept(incoming("1", conversation=replace(HOME, chat="77")), NOON)
    assert await ledger.inbox.owed(HOME, NOON) == Owed((), ())
    await ledger.close()
