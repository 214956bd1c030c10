import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from random import Random

import pytest

from bot.conversation.lanes import (
    BURST_CHARACTERS,
    BURST_MESSAGES,
    Batch,
    Chatter,
    CommandBatch,
    ConversationPauses,
    Lanes,
    Utterance,
    first_batch,
)
from bot.conversation.ledger import Received
from bot.conversation.messages import ALBUM, EDITS, ConversationKey, Incoming, Sender
from bot.tasks import LoopTimer, Supervisor
from tests.fakes.clock import NOON
from tests.fakes.waiting import ended, until

HOME = ConversationKey(platform="telegram", account="7", chat="42")


def said(
    text: str,
    *,
    sender: str = "安",
    addressed: bool = True,
    conversation: ConversationKey = HOME,
) -> Received:
    incoming = Incoming(
        dedupe_key=text,
        conversation=conversation,
        sender=Sender(id=sender, name=sender),
        at=NOON,
        text=text,
        addressed=addressed,
    )
    return Received(id=f"{conversation.chat}/{text}", incoming=incoming)


def texts_of(batch: Batch) -> list[str]:
    match batch:
        case Utterance(messages) | Chatter(messages):
            return [message.incoming.text for message in messages]
        case CommandBatch(message):
            return [message.incoming.text]


class FakeTimer:
    """Time stands still until told; who pauses waits for it."""

    def __init__(self) -> None:
        self._now = 0.0
        self._changed = asyncio.Event()
        self.paused = asyncio.Event()

    def now(self) -> float:
        return self._now

    async def sleep(self, seconds: float) -> None:
        await self.wait_for(asyncio.Event(), seconds)

    async def wait_for(self, stirred: asyncio.Event, seconds: float) -> bool:
        until = self._now + seconds
        while self._now < until and not stirred.is_set():
            self.paused.set()
            self._changed.clear()
            async with asyncio.TaskGroup() as tasks:
                waits = [tasks.create_task(each.wait()) for each in (stirred, self._changed)]
                await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
                for each in waits:
                    each.cancel()
        return stirred.is_set()

    async def advance(self, seconds: float) -> None:
        """Let time pass once somebody waits for it, and let what it wakes run."""
        await ended(self.paused.wait())
        self.paused.clear()
        self._now += seconds
        self._changed.set()
        for _ in range(20):
            await asyncio.sleep(0)


@dataclass
class Desk:
    """Work that only notes what it was given."""

    queue: dict[ConversationKey, list[Received]] = field(default_factory=dict)
    done: list[list[str]] = field(default_factory=list)
    busy: asyncio.Event | None = None
    blocked: bool = False
    resumed: int = 0
    jitter: Random | None = None

    def put(self, *messages: Received) -> None:
        for message in messages:
            self.queue.setdefault(message.conversation, []).append(message)

    async def resume(self, conversation: ConversationKey) -> Sequence[Received] | None:
        self.resumed += 1
        return None if self.blocked else await self.waiting(conversation)

    async def waiting(self, conversation: ConversationKey) -> Sequence[Received]:
        return tuple(self.queue.get(conversation, ()))

    async def handle(self, batch: Batch) -> bool:
        messages = (batch.message,) if isinstance(batch, CommandBatch) else batch.messages
        queue = self.queue[messages[0].conversation]
        for message in messages:
            queue.remove(message)
        if self.busy:
            await self.busy.wait()
        if self.jitter:
            await asyncio.sleep(self.jitter.random() / 1000)
        self.done.append([message.incoming.text for message in messages])
        return True


class Street:
    """Lanes with a fake timer."""

    def __init__(self, desk: Desk | None = None, *, quiet_seconds: float = 0.6) -> None:
        self.desk = desk or Desk()
        self.timer = FakeTimer()
        self.supervisor = Supervisor()
        self.pauses = ConversationPauses()
        self.lanes = Lanes(
            self.desk, self.supervisor, self.pauses, quiet_seconds=quiet_seconds, timer=self.timer
        )

    def hear(self, *messages: Received) -> None:
        for message in messages:
            self.desk.put(message)
            self.lanes.notify_arrival(message.conversation)


async def test_a_message_is_taken_once_its_sender_is_quiet() -> None:
    street = Street()
    street.hear(said("一"))

    await street.timer.advance(0.5)
    assert street.desk.done == []
    await street.timer.advance(0.1)
    await street.lanes.wait_until_idle()

    assert street.desk.done == [["一"]]


async def test_every_message_of_the_sender_begins_the_silence_anew() -> None:
    street = Street()
    street.hear(said("一"))
    await street.timer.advance(0.5)
    street.hear(said("二"))
    await street.timer.advance(0.5)
    assert street.desk.done == []

    await street.timer.advance(0.2)
    await street.lanes.wait_until_idle()

    assert street.desk.done == [["一", "二"]]


async def test_who_writes_on_at_a_pace_is_waited_for_at_that_pace_once() -> None:
    street = Street()
    street.hear(said("在吗"))
    await street.timer.advance(0.6)
    await street.lanes.wait_until_idle()
    for text in ("今天好累", "老板又骂人", "no dinner yet"):
        street.timer._now += 0.4 if text == "今天好累" else 0.0
        street.hear(said(text))
        await street.timer.advance(1)
    assert street.desk.done == [["在吗"]]

    await street.timer.advance(0.5)
    await street.lanes.wait_until_idle()

    assert street.desk.done == [["在吗"], ["今天好累", "老板又骂人", "no dinner yet"]]


@pytest.mark.parametrize("later", [said("好的"), said("嗯", sender="Ben")], ids=["slow", "other"])
async def test_who_answers_her_or_is_somebody_else_is_waited_for_no_longer(
    later: Received,
) -> None:
    street = Street()
    street.hear(said("在吗"))
    await street.timer.advance(0.6)
    await street.lanes.wait_until_idle()
    street.timer._now += 2.0 if later.incoming.sender.id == "安" else 0.2
    street.hear(later)
    await street.timer.advance(0.6)
    await street.lanes.wait_until_idle()

    assert street.desk.done == [["在吗"], [later.incoming.text]]


async def test_ten_messages_at_once_are_one_turn() -> None:
    street = Street()
    street.hear(*(said(text) for text in "一二三四五六七八九十"))
    await street.timer.advance(0.6)
    await street.lanes.wait_until_idle()

    assert [len(each) for each in street.desk.done] == [10]


async def test_another_person_ends_the_waiting_and_is_answered_after() -> None:
    street = Street()
    street.hear(said("一"), said("二", sender="Ben"))
    await street.timer.advance(1)
    await street.lanes.wait_until_idle()

    assert street.desk.done == [["一"], ["二"]]


async def test_a_command_waits_for_nobody() -> None:
    street = Street()
    street.hear(said("/status"))

    await street.lanes.wait_until_idle()

    assert street.desk.done == [["/status"]]
    assert street.timer.now() == 0


async def test_what_comes_while_an_answer_is_under_way_forms_the_next_turn() -> None:
    street = Street(Desk(busy=asyncio.Event()))
    street.hear(said("一"))
    await street.timer.advance(0.6)
    street.hear(said("二"), said("三"))
    street.timer._now += 5
    assert street.desk.busy is not None
    street.desk.busy.set()

    await street.lanes.wait_until_idle()

    assert street.desk.done == [["一"], ["二", "三"]]


async def test_who_has_been_quiet_for_long_is_not_waited_for() -> None:
    street = Street()
    street.desk.put(said("昨天的"))

    street.lanes.wake(HOME)
    await street.lanes.wait_until_idle()

    assert street.desk.done == [["昨天的"]]


async def test_a_full_burst_is_not_waited_for() -> None:
    street = Street()
    street.hear(*(said(str(n)) for n in range(BURST_MESSAGES)))

    await street.lanes.wait_until_idle()

    assert len(street.desk.done) == 1


async def test_a_lane_is_gone_when_there_is_nothing_left() -> None:
    street = Street(quiet_seconds=0)
    street.hear(said("一"))
    assert street.lanes.open_count == 1

    await street.lanes.wait_until_idle()

    assert street.lanes.open_count == 0
    await street.supervisor.stop(1)
    assert street.supervisor.running == 0


async def test_nothing_new_begins_while_something_is_owed() -> None:
    street = Street(Desk(blocked=True), quiet_seconds=0)
    street.hear(said("一"))
    await street.lanes.wait_until_idle()
    assert street.desk.done == []

    street.desk.blocked = False
    street.lanes.wake(HOME)
    await street.lanes.wait_until_idle()

    assert street.desk.done == [["一"]]


async def test_work_that_fails_ends_its_lane_and_the_next_wake_begins_anew() -> None:
    class Failing(Desk):
        async def resume(self, conversation: ConversationKey) -> Sequence[Received] | None:
            if self.resumed == 0:
                self.resumed += 1
                raise OSError
            return await self.waiting(conversation)

    street = Street(Failing(), quiet_seconds=0)
    street.hear(said("一"))
    await street.lanes.wait_until_idle()
    assert street.desk.done == []

    street.lanes.wake(HOME)
    await street.lanes.wait_until_idle()

    assert street.desk.done == [["一"]]


async def test_after_closing_nothing_begins_and_what_runs_may_end() -> None:
    street = Street(Desk(busy=asyncio.Event()), quiet_seconds=0)
    street.hear(said("一"))
    for _ in range(5):
        await asyncio.sleep(0)
    street.hear(said("二"))
    street.lanes.close()
    street.hear(said("三", conversation=ConversationKey(platform="lark", account="", chat="x")))
    assert street.desk.busy is not None
    street.desk.busy.set()
    await street.supervisor.stop(1)

    assert street.desk.done == [["一"]]
    assert street.lanes.open_count == 0


async def test_closing_ends_a_lane_that_waits_for_silence() -> None:
    street = Street()
    street.hear(said("一"))
    await ended(street.timer.paused.wait())

    street.lanes.close()
    await street.lanes.wait_until_idle()

    assert street.desk.done == []


async def test_a_cancelled_lane_leaves_its_messages_where_they_are() -> None:
    street = Street()
    street.hear(said("一"))
    await ended(street.timer.paused.wait())

    await street.supervisor.stop(0)

    assert street.desk.queue[HOME] == [said("一")]
    assert street.lanes.open_count == 0


async def test_a_hanging_conversation_holds_up_no_other() -> None:
    other = ConversationKey(platform="telegram", account="7", chat="43")
    never = asyncio.Event()

    class Hanging(Desk):
        async def handle(self, batch: Batch) -> bool:
            if not isinstance(batch, CommandBatch) and batch.messages[0].conversation == HOME:
                await never.wait()
            return await super().handle(batch)

    street = Street(Hanging(), quiet_seconds=0)
    street.hear(said("挂住"))
    street.hear(*(said(str(n), conversation=other) for n in range(20)))
    await until(lambda: street.lanes.open_count <= 1)

    assert street.lanes.open_count == 1
    await street.supervisor.stop(0)


async def test_a_hundred_conversations_keep_each_its_order() -> None:
    street = Street(Desk(jitter=Random(7)), quiet_seconds=0)
    places = [ConversationKey(platform="lark", account="a", chat=f"c{n}") for n in range(100)]
    for number in range(20):
        for place in places:
            street.hear(said(f"{place.chat}:{number:02}", conversation=place))
        await asyncio.sleep(0)
    await street.lanes.wait_until_idle()

    for place in places:
        mine = [
            text
            for batch in street.desk.done
            for text in batch
            if text.startswith(f"{place.chat}:")
        ]
        assert mine == [f"{place.chat}:{number:02}" for number in range(20)]


async def test_the_timer_of_the_loop_waits_and_can_be_stirred() -> None:
    timer = LoopTimer()
    stirred = asyncio.Event()
    before = timer.now()
    await timer.wait_for(stirred, 0.01)
    assert timer.now() - before >= 0.009

    stirred.set()
    await timer.wait_for(stirred, 60)
    assert timer.now() - before < 30


def test_a_burst_is_what_one_sender_wrote_in_a_row() -> None:
    waiting = [said("一"), said("二"), said("三", sender="Ben"), said("四")]

    batch = first_batch(waiting)

    assert isinstance(batch, Utterance)
    assert texts_of(batch) == ["一", "二"]
    assert not batch.open


def test_what_the_sender_adds_without_a_mention_still_belongs_to_it() -> None:
    batch = first_batch([said("@小祥 帮我想想"), said("明天穿什么", addressed=False)])

    assert isinstance(batch, Utterance)
    assert texts_of(batch) == ["@小祥 帮我想想", "明天穿什么"]
    assert batch.open


def test_chatter_before_a_question_is_heard_first_by_whomever() -> None:
    waiting = [
        said("吃啥", addressed=False),
        said("火锅", sender="Ben", addressed=False),
        said("小祥你说呢"),
    ]

    assert first_batch(waiting) == Chatter((waiting[0], waiting[1]))


def test_a_command_ends_a_burst_and_stands_alone() -> None:
    waiting = [said("一"), said("/记忆"), said("二")]

    assert first_batch(waiting) == Utterance((waiting[0],))
    assert first_batch(waiting[1:]) == CommandBatch(waiting[1])


def test_an_edit_is_no_part_of_what_is_said_next() -> None:
    changed = said("一！", addressed=False)
    changed = replace(changed, incoming=replace(changed.incoming, raw={EDITS: "1"}))
    waiting = [said("一"), changed, said("二")]

    assert first_batch(waiting) == Utterance((waiting[0],))
    assert first_batch(waiting[1:]) == Chatter((changed,))


def test_a_command_to_somebody_else_is_chatter() -> None:
    overheard = said("/memory@other_bot", addressed=False)

    assert first_batch([overheard]) == Chatter((overheard,))


def test_a_burst_ends_at_eight_messages_and_at_four_thousand_characters() -> None:
    many = [said(str(n)) for n in range(BURST_MESSAGES + 1)]
    long = [said("a" * (BURST_CHARACTERS - 1)), said("b"), said("c")]
    huge = [said("x" * (BURST_CHARACTERS * 2)), said("y")]

    assert first_batch(many) == Utterance(tuple(many[:BURST_MESSAGES]))
    assert first_batch(long) == Utterance(tuple(long[:2]))
    assert first_batch(huge) == Utterance((huge[0],))


def test_what_came_while_she_was_away_is_gathered_into_one() -> None:
    many = [said(str(n)) for n in range(BURST_MESSAGES + 5)]
    after = many[0].incoming.at + timedelta(minutes=1)

    assert first_batch(many, after) == Utterance(tuple(many), open=True)
    assert first_batch(many, many[0].incoming.at) == first_batch(many)


def test_gathering_stops_at_another_person_a_command_and_what_is_new() -> None:
    late = [said("一"), said("二"), said("三", sender="Ben"), said("四")]
    after = late[0].incoming.at + timedelta(minutes=1)

    assert first_batch(late, after) == Utterance((late[0], late[1]))
    assert first_batch(late[:2], after) == Utterance((late[0], late[1]), open=True)
    assert first_batch([late[0], late[1], said("/记忆")], after) == Utterance((late[0], late[1]))
    assert first_batch([late[3]], after) == Utterance((late[3],), open=True)


async def test_who_shall_stand_still_is_stopped_and_goes_on_afterwards() -> None:
    street = Street(Desk(busy=asyncio.Event()), quiet_seconds=0)
    other = ConversationKey(platform="telegram", account="7", chat="43")
    street.hear(said("一"), said("那边", conversation=other))
    await turned()
    async with street.pauses.paused([HOME]):
        assert street.lanes.open_count == 1, "only the other conversation is at work"
        street.hear(said("二"))
        street.lanes.wake(HOME)
        await turned()
        assert street.lanes.open_count == 1
        assert street.desk.busy is not None
        street.desk.busy.set()
        await turned()
        assert street.desk.done == [["那边"]]
    await street.lanes.wait_until_idle()

    assert street.desk.done == [["那边"], ["二"]], "what was stopped is for the ledger to resume"


async def test_who_was_at_rest_is_not_woken_by_standing_still() -> None:
    street = Street()
    async with street.pauses.paused([HOME]):
        pass
    await turned()
    assert street.desk.resumed == 0


async def test_one_who_stands_still_for_two_goes_on_when_both_are_done() -> None:
    street = Street(quiet_seconds=0)
    async with street.pauses.paused([HOME]):
        async with street.pauses.paused([HOME]):
            street.hear(said("一"))
        await turned()
        assert street.desk.done == []
    await street.lanes.wait_until_idle()
    assert street.desk.done == [["一"]]


async def test_a_command_under_way_is_finished_before_all_stands_still() -> None:
    street = Street(Desk(busy=asyncio.Event()), quiet_seconds=0)
    street.hear(said("/memory"), said("一"))
    await turned()
    assert street.desk.busy is not None
    asyncio.get_running_loop().call_later(0.01, street.desk.busy.set)
    async with street.pauses.paused([HOME]):
        assert street.desk.done == [["/memory"]]
    await street.lanes.wait_until_idle()
    assert street.desk.done == [["/memory"], ["一"]]


async def turned() -> None:
    """Let everything that can run do so."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_one_paste_is_one_turn() -> None:
    paste = [said("a" * 4096), said("b" * 4096), said("c" * 3408)]

    assert first_batch(paste[:2]) == Utterance(tuple(paste[:2]), open=True)
    assert first_batch(paste) == Utterance(tuple(paste))
    assert first_batch([*paste, said("另一句")]) == Utterance(tuple(paste))


def test_a_paste_without_end_is_answered_in_parts() -> None:
    pieces = [said(f"{number:04}" * 1024) for number in range(20)]
    taken = first_batch(pieces)

    assert isinstance(taken, Utterance)
    assert 1 < len(taken.messages) < 12


def test_an_album_is_one_turn_however_many_pictures_it_has() -> None:
    pictures = [said(f"图{number}") for number in range(BURST_MESSAGES)]
    album = [replace(e, incoming=replace(e.incoming, raw={ALBUM: "9"})) for e in pictures]

    assert first_batch(album) == Utterance(tuple(album), open=True)
    assert first_batch([*album, said("好看吗")]) == Utterance(tuple(album))
    assert first_batch(pictures) == Utterance(tuple(pictures))


def test_a_burst_is_in_the_order_of_writing() -> None:
    first, second = said("一"), said("二")
    later = replace(first, incoming=replace(first.incoming, at=NOON + timedelta(seconds=1)))

    assert first_batch([later, second]) == Utterance((second, later), open=True)


def test_a_late_backlog_is_one_turn_with_what_was_written_since() -> None:
    backlog = [said(str(number)) for number in range(20)]
    fresh = said("刚到")
    fresh = replace(fresh, incoming=replace(fresh.incoming, at=NOON + timedelta(hours=1)))
    after = NOON + timedelta(minutes=1)

    assert first_batch([*backlog, fresh], after) == Utterance((*backlog, fresh), open=True)
