"""The ledger against a plain model of it, over restarts and process deaths."""

import asyncio
import shutil
import tempfile
from collections.abc import Coroutine
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from bot.conversation.ledger import (
    Accepted,
    Duplicate,
    GiveUp,
    Ledger,
    Received,
    TryAgain,
    TurnAnswer,
    TurnEntry,
)
from bot.conversation.ledger.inbox import DEDUPE_HORIZON
from bot.conversation.messages import ConversationKey, Incoming, Sender
from tests.fakes.clock import NOON
from tests.fakes.cost import times
from tests.fakes.platforms import IDENTITIES

T = TypeVar("T")

PLACES = [ConversationKey(platform="lark", account="a", chat=f"oc_{n}") for n in range(2)]


@dataclass
class Kept:
    """What the model knows of one message."""

    place: ConversationKey
    order: int
    received_at: datetime
    state: str = "received"
    not_before: datetime | None = None
    attempts: int = 0
    told: bool = False


@dataclass
class Begun:
    """What the model knows of one unfinished turn."""

    entry: TurnEntry
    keys: list[str] = field(default_factory=list)
    reply: bool = False
    sent: bool = False
    committed: bool = False


class LedgerMachine(RuleBasedStateMachine):
    """Accept, answer, send, commit, fail, forget; and die at any time in between."""

    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.runner = asyncio.Runner()
        self.now = NOON
        self.kept: dict[str, Kept] = {}
        self.turns: list[Begun] = []
        self.texts = 0
        self.ledger = self.run(Ledger.open(self.folder, IDENTITIES))

    def teardown(self) -> None:
        if hasattr(self, "runner"):
            self.run(self.ledger.close())
            self.runner.close()
            shutil.rmtree(self.folder)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(work)

    def waiting(self, place: ConversationKey) -> tuple[Received, ...]:
        return self.run(self.ledger.inbox.owed(place, self.now)).waiting

    def expected(self, place: ConversationKey) -> list[str]:
        mine = sorted(
            (kept.order, key)
            for key, kept in self.kept.items()
            if kept.place == place and kept.state == "received"
        )
        if mine:
            first = self.kept[mine[0][1]].not_before
            if first is not None and first > self.now:
                return []
        return [key for _, key in mine]

    @rule(number=st.integers(0, 30), place=st.sampled_from(PLACES))
    def accept(self, number: int, place: ConversationKey) -> None:
        key = f"{place.chat}/{number}"
        said = Incoming(
            dedupe_key=key,
            conversation=place,
            sender=Sender(id="ou_1", name="安"),
            at=self.now,
            text=f"第{number}句",
        )

        receipt = self.run(self.ledger.inbox.accept(said, self.now))

        if key in self.kept:
            assert isinstance(receipt, Duplicate)
            assert receipt.state.value == self.kept[key].state
        else:
            assert isinstance(receipt, Accepted)
            assert receipt.message.incoming == said
            for other in self.kept.values():
                if other.place == place and other.state == "received":
                    other.not_before = None
            self.texts += 1
            self.kept[key] = Kept(place, self.texts, self.now)

    @rule(place=st.sampled_from(PLACES), count=st.integers(1, 3))
    def begin_turn(self, place: ConversationKey, count: int) -> None:
        messages = self.waiting(place)[:count]
        if messages:
            entry = self.run(self.ledger.turns.begin(messages, self.now))
            keys = [message.incoming.dedupe_key for message in messages]
            for key in keys:
                self.kept[key].state = "in_turn"
            self.turns.append(Begun(entry, keys))

    @rule(place=st.sampled_from(PLACES))
    def hear(self, place: ConversationKey) -> None:
        messages = self.waiting(place)[:1]
        self.run(self.ledger.inbox.settle(messages))
        for message in messages:
            self.kept[message.incoming.dedupe_key].state = "done"

    @precondition(lambda self: any(turn.entry.answer is None for turn in self.turns))
    @rule(data=st.data())
    def answer(self, data: st.DataObject) -> None:
        turn = data.draw(st.sampled_from([t for t in self.turns if t.entry.answer is None]))
        reply = TurnAnswer("reply", f"答{turn.entry.id}", at=self.now)
        turn.entry = self.run(self.ledger.turns.record_answer(turn.entry, reply))
        turn.reply = True
        for key in turn.keys:
            self.kept[key].state = "answered"

    @precondition(lambda self: any(turn.entry.answer is None for turn in self.turns))
    @rule(
        data=st.data(),
        wait=st.none() | st.integers(0, 100),
        apology=st.none() | st.just("抱歉"),
    )
    def fail(self, data: st.DataObject, wait: int | None, apology: str | None) -> None:
        turn = data.draw(st.sampled_from([t for t in self.turns if t.entry.answer is None]))
        until = self.now + timedelta(hours=wait or 0)
        fate = GiveUp("test") if wait is None else TryAgain(until)
        said = TurnAnswer("apology", apology, at=self.now) if apology else None
        turn.entry = self.run(self.ledger.turns.release(turn.entry, fate, said))
        for key in turn.keys:
            kept = self.kept[key]
            kept.state = "failed" if wait is None else "received"
            kept.not_before = None if wait is None else until
            kept.attempts += 1
            kept.told = kept.told or said is not None
        turn.keys = []
        if said is None:
            self.turns.remove(turn)

    @precondition(lambda self: any(turn.entry.answer and not turn.sent for turn in self.turns))
    @rule(data=st.data(), arrives=st.booleans())
    def send(self, data: st.DataObject, *, arrives: bool) -> None:
        turn = data.draw(st.sampled_from([t for t in self.turns if t.entry.answer and not t.sent]))
        turns = self.ledger.turns
        claimed = self.run(turns.record_sending(turn.entry))
        assert claimed is not None
        turn.entry = self.run((turns.record_sent if arrives else turns.record_not_sent)(claimed))
        turn.sent = arrives
        self.finish(turn)

    @precondition(lambda self: any(turn.reply and not turn.committed for turn in self.turns))
    @rule(data=st.data())
    def commit(self, data: st.DataObject) -> None:
        turn = data.draw(st.sampled_from([t for t in self.turns if t.reply and not t.committed]))
        turn.entry = self.run(self.ledger.turns.record_committed(turn.entry))
        turn.committed = True
        for key in turn.keys:
            self.kept[key].state = "committed"
        self.finish(turn)

    def finish(self, turn: Begun) -> None:
        if turn.sent and (turn.committed or not turn.reply):
            self.turns.remove(turn)
            for key in turn.keys:
                self.kept[key].state = "done"

    @rule(hours=st.integers(1, 60))
    def time_passes(self, hours: int) -> None:
        self.now += timedelta(hours=hours)

    @rule()
    def prune(self) -> None:
        self.run(self.ledger.inbox.prune(self.now))
        self.kept = {
            key: kept
            for key, kept in self.kept.items()
            if kept.state not in {"done", "failed"}
            or kept.received_at >= self.now - DEDUPE_HORIZON
        }

    @rule()
    def restart(self) -> None:
        self.run(self.ledger.close())
        self.ledger = self.run(Ledger.open(self.folder, IDENTITIES))

    @rule()
    def die(self) -> None:
        """Go on from a copy of the files as they are, as after ``kill -9``."""
        copy = Path(tempfile.mkdtemp())
        shutil.copytree(self.folder, copy, dirs_exist_ok=True)
        self.run(self.ledger.close())
        shutil.rmtree(self.folder)
        self.folder = copy
        self.ledger = self.run(Ledger.open(copy, IDENTITIES))

    @invariant()
    def exactly_the_right_messages_wait_in_order(self) -> None:
        if not hasattr(self, "ledger"):
            return
        for place in PLACES:
            found = self.waiting(place)
            assert [m.incoming.dedupe_key for m in found] == self.expected(place)
            for message in found:
                kept = self.kept[message.incoming.dedupe_key]
                assert (message.attempts, message.told) == (kept.attempts, kept.told)
                assert message.incoming.text == f"第{message.incoming.dedupe_key[5:]}句"

    @invariant()
    def exactly_the_right_turns_are_unfinished_in_order(self) -> None:
        if not hasattr(self, "ledger"):
            return
        for place in PLACES:
            found = self.run(self.ledger.turns.unfinished(place))
            mine = [turn.entry for turn in self.turns if turn.entry.conversation == place]
            assert [(e.id, e.answer, e.is_sent, e.owes_commit) for e in found] == [
                (e.id, e.answer, e.is_sent, e.owes_commit) for e in mine
            ]

    @invariant()
    def what_is_owed_is_found(self) -> None:
        if not hasattr(self, "ledger"):
            return
        found = set(self.run(self.ledger.inbox.conversations_due(["lark"], self.now)))
        for place in PLACES:
            owed = bool(self.expected(place)) or any(
                turn.entry.conversation == place for turn in self.turns
            )
            assert not owed or place in found


TestLedger = LedgerMachine.TestCase
TestLedger.settings = settings(
    max_examples=times(6, hunting=100), stateful_step_count=30, deadline=None
)
