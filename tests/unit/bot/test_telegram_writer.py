"""The pace of all writes together: what Telegram takes is kept, and edits give way to sends."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from bot.adapters.calls import RateLimited
from bot.adapters.telegram.writer import (
    ALL_WRITES,
    GROUP_WRITES,
    KEPT_FOR_SENDS,
    WritePace,
)
from tests.fakes.timer import FakeTimer

GROUP, OTHER = -100, -200


def most_within(times: list[float], seconds: float) -> int:
    """Return the most of the instants that lie within any stretch of so many seconds."""
    return max((sum(0 <= t - start < seconds for t in times) for start in times), default=0)


async def writes(pace: WritePace, timer: FakeTimer, chats: list[int]) -> list[tuple[int, float]]:
    """Write once to each chat, all at the same time; return when each was let."""
    done: list[tuple[int, float]] = []

    async def one(chat: int) -> None:
        try:
            await pace.take(chat, gives_way=False)
        except RateLimited:
            return
        done.append((chat, timer.now()))

    await asyncio.gather(*map(one, chats))
    return done


async def test_a_group_gets_twenty_writes_a_minute_whatever_its_topics() -> None:
    timer = FakeTimer()
    done = await writes(WritePace(timer), timer, [GROUP] * 40)

    assert most_within([at for _, at in done], 60.0) == GROUP_WRITES


async def test_what_would_wait_for_more_than_a_minute_is_left_to_the_ledger() -> None:
    timer = FakeTimer()
    pace = WritePace(timer)
    for _ in range(GROUP_WRITES):
        await pace.take(GROUP, gives_way=False)
    with pytest.raises(RateLimited):
        await pace.take(GROUP, gives_way=False)


async def test_all_chats_together_get_thirty_calls_a_second() -> None:
    timer = FakeTimer()
    done = await writes(WritePace(timer), timer, [*range(1, 79)])

    assert len(done) == 78
    assert most_within([at for _, at in done], 1.0) == ALL_WRITES
    assert timer.now() - 1_000.0 < 4.0


async def test_one_busy_group_holds_up_no_other_chat() -> None:
    timer = FakeTimer()
    pace = WritePace(timer)
    for _ in range(GROUP_WRITES):
        await pace.take(GROUP, gives_way=False)
    await timer.sleep(1.1)
    await pace.take(OTHER, gives_way=False)
    await pace.take(7, gives_way=False)

    assert timer.slept == [1.1]


async def edits_until_refused(edit: Callable[[], Awaitable[None]]) -> int:
    count = 0
    while True:
        try:
            await edit()
        except RateLimited:
            return count
        count += 1


async def test_growing_answers_leave_room_for_what_is_sent() -> None:
    timer = FakeTimer()
    pace = WritePace(timer)
    edits = await edits_until_refused(lambda: pace.take(GROUP, gives_way=True))

    assert edits == GROUP_WRITES - KEPT_FOR_SENDS[GROUP_WRITES]
    for _ in range(KEPT_FOR_SENDS[GROUP_WRITES]):
        await pace.take(GROUP, gives_way=False)
    assert timer.slept == []


async def test_an_edit_lets_a_send_that_waits_go_first() -> None:
    timer = FakeTimer()
    pace = WritePace(timer)
    for _ in range(GROUP_WRITES):
        await pace.take(GROUP, gives_way=False)
    order: list[str] = []

    async def edit() -> None:
        assert await pace.room(GROUP, asyncio.Event())
        await pace.take(GROUP, gives_way=True)
        order.append("edit")

    await timer.sleep(30.0)

    async def send() -> None:
        await pace.take(GROUP, gives_way=False)
        order.append("send")

    await asyncio.gather(edit(), send(), send())

    assert order == ["send", "send", "edit"]


async def test_an_edit_that_waits_ends_with_its_answer() -> None:
    timer = FakeTimer()
    pace = WritePace(timer)
    for _ in range(GROUP_WRITES):
        await pace.take(GROUP, gives_way=False)
    stopped = asyncio.Event()
    stopped.set()

    assert not await pace.room(GROUP, stopped)
    assert timer.slept == []


async def test_typing_takes_nothing_of_a_groups_minute() -> None:
    pace = WritePace(timer := FakeTimer())
    for _ in range(GROUP_WRITES):
        await pace.take(GROUP, gives_way=True, is_message=False)
    await timer.sleep(2.0)
    for _ in range(GROUP_WRITES):
        await pace.take(GROUP, gives_way=False)

    assert timer.slept == [2.0]
