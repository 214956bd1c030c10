import asyncio
from collections.abc import Callable
from pathlib import Path
from sqlite3 import Connection
from typing import TypeVar

import pytest

from bot.conversation.ledger import Accepted, Duplicate, Ledger, MessageState
from bot.conversation.ledger.database import Database
from bot.conversation.messages import (
    CHINESE_NAMES,
    ConversationKey,
    ParsedCommand,
    Sender,
    read_command,
)
from bot.desk.documents import Document
from bot.dispatch import ChatCommandRequest, Intake, NotAdmitted
from bot.identity import AccessLevel
from bot.texts import dialogue, say
from memory.errors import InputRefused, StoreUnwritable
from memory.model import AgentSettings
from tests.fakes.agent import FakeAgent
from tests.fakes.chat import Killed, Tripwire
from tests.fakes.house import ANN, BEN, HOME, House
from tests.fakes.platforms import IDENTITIES
from tests.fakes.waiting import ended, unless_it_hangs

T = TypeVar("T")

GROUP = ConversationKey(platform="telegram", account="7", chat="-100")
STRANGER = Sender(id="666", name="主人")


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("/memory", ParsedCommand("memory")),
        ("  /Memory list 3 ", ParsedCommand("memory", "list 3")),
        ("/memory@xiaoxiang_bot show 42", ParsedCommand("memory", "show 42")),
        ("/restore-backup latest", ParsedCommand("restore_backup", "latest")),
        ("/记忆 列表", ParsedCommand("memory", "列表")),
        ("／记忆", ParsedCommand("memory")),
        ("/记住明天交房租", ParsedCommand("remember", "明天交房租")),
        ("/记住：明天\n交房租", ParsedCommand("remember", "明天\n交房租")),
        ("/恢复备份", ParsedCommand("restore_backup")),
        ("/解除关联", ParsedCommand("unlink")),
        ("/唱歌 一首", ParsedCommand("唱歌", "一首")),
        ("/remember 两行\n都要", ParsedCommand("remember", "两行\n都要")),
    ],
)
def test_a_command_is_read_in_either_language(text: str, command: ParsedCommand) -> None:
    assert read_command(text) == command


@pytest.mark.parametrize(
    "text",
    ["", "/", "// 注释", "/usr/bin/python 报错了", "你好 /memory", "1/2", "/ memory", "/👋", "/1"],
)
def test_what_only_begins_like_a_command_is_something_said(text: str) -> None:
    assert read_command(text) is None


def test_every_chinese_name_is_read_whole() -> None:
    for chinese, latin in CHINESE_NAMES.items():
        assert read_command(f"/{chinese}") == ParsedCommand(latin)


async def test_a_command_reaches_the_desk_and_its_answer_the_chat(tmp_path: Path) -> None:
    house = await House(tmp_path).open()
    await house.hear("1", "/记忆 列表")
    await house.lanes.wait_until_idle()

    (order,) = house.desk.obeyed
    assert order.command == ParsedCommand("memory", "列表")
    assert order.access_level is AccessLevel.OWNER
    assert order.agent_id == "tg-p-42"
    assert house.chat.finals() == ["memory: 列表"]
    assert house.echo.asked == []
    assert house.agent.turns == {}
    assert await house.hear("1", "/记忆 列表") == Duplicate(MessageState.DONE)
    await house.close()


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_an_unknown_command_gets_a_kind_hint(tmp_path: Path, language: str) -> None:
    agent = FakeAgent(settings=AgentSettings(language="en" if language == "en" else "zh"))
    house = await House(tmp_path, agent=agent).open()
    await house.hear("1", "/dance")
    await house.lanes.wait_until_idle()

    assert house.chat.finals() == [
        say(agent.settings.language, dialogue.UNKNOWN_COMMAND, name="dance")
    ]
    assert house.desk.obeyed == []
    await house.close()


async def test_a_command_that_fails_says_so_without_details(tmp_path: Path) -> None:
    house = await House(tmp_path).open()
    house.desk.failures.append(InputRefused("secret path /x/y"))
    await house.hear("1", "/memory")
    await house.hear("2", "你好")
    await house.lanes.wait_until_idle()

    assert house.chat.finals() == [say("zh", dialogue.COMMAND_FAILED, name="memory"), "你说：你好"]
    await house.close()


async def crashed_at(tmp_path: Path, step: int, line: str) -> tuple[House, bool, tuple[str, ...]]:
    """Die at one step of a command, start again, and return what was seen."""
    house = House(tmp_path / str(step), wire=Tripwire(at=step))
    acknowledged = False
    try:
        await house.open()
        await house.hear("1", line)
        acknowledged = True
        await house.settled()
    except Killed:
        pass
    crashed = house.wire.steps >= step
    await house.database.close()

    again = House(house.folder, chat=house.chat, agent=house.agent, desk=house.desk)
    await again.open()
    if not acknowledged:
        await again.hear("1", line)
    await again.recover()
    assert await again.ledger.inbox.waiting(HOME, again.clock.now()) == ()
    await again.close()
    return house, crashed, tuple(again.chat.finals())


async def test_a_command_cut_short_by_a_crash_is_not_run_twice(tmp_path: Path) -> None:
    outcomes = set()
    for step in range(1, 60):
        house, crashed, seen = await crashed_at(tmp_path, step, "/memory 列表")
        assert len(house.desk.obeyed) <= 1, f"step {step}"
        outcomes.add(seen)
        if not crashed:
            break
    answer = "memory: 列表"
    interrupted = say("zh", dialogue.COMMAND_INTERRUPTED, name="memory")
    assert outcomes == {(answer,), (interrupted,), (answer, interrupted)}


async def test_an_erasure_cut_short_by_a_crash_is_begun_anew_and_ends(tmp_path: Path) -> None:
    for step in range(1, 60):
        house, crashed, seen = await crashed_at(tmp_path, step, "/forget 全部")
        assert seen in {("forget: 全部",), ("forget: 全部", "forget: 全部")}, f"step {step}"
        assert [order.caller.resumed for order in house.desk.obeyed] in (
            [False],
            [True],
            [False, True],
        ), f"step {step}"
        if not crashed:
            break


async def test_an_order_can_let_the_other_conversations_of_its_agent_stand_still(
    tmp_path: Path,
) -> None:
    house = await House(tmp_path).open()
    places = [ConversationKey(platform="telegram", account="7", chat="42", thread=t) for t in "12"]
    still: list[bool] = []

    async def answer(request: ChatCommandRequest) -> Document:
        async with request.caller.paused():
            for place in places:
                await house.hear(f"talk-{place.thread}", "你好", conversation=place)
            await asyncio.sleep(0.01)
            still.append(house.chat.finals() == [])
        return Document(())

    house.desk.answer = answer  # type: ignore[method-assign]
    for place in places:
        await house.ledger.bindings.agent_id(place, private=True)
    await house.hear("1", "/memory", conversation=places[0])
    await house.settled()
    await house.recover()

    assert still == [True]
    assert sorted(house.chat.finals()) == ["", "你说：你好", "你说：你好"]
    await house.close()


async def test_commands_and_talk_keep_their_order(tmp_path: Path) -> None:
    house = await House(tmp_path).open()
    await asyncio.gather(*(house.hear(str(n), t) for n, t in enumerate(["一", "/memory", "二"])))
    await house.lanes.wait_until_idle()

    assert house.chat.finals() == ["你说：一", "memory: ", "你说：二"]
    await house.close()


async def test_many_chats_at_once_are_each_answered_in_order_and_once(tmp_path: Path) -> None:
    house = await House(tmp_path).open()
    places = [ConversationKey(platform="telegram", account="7", chat=str(n)) for n in range(10)]
    for number in range(5):
        for place in places:
            for _ in range(2):
                await house.hear(
                    f"{place.chat}:{number}", str(number), conversation=place, sender=ANN
                )
    await house.lanes.wait_until_idle()

    for place in places:
        said = [
            line.text
            for turn in house.agent.turns.values()
            if turn.conversation == str(place)
            for line in turn.said
        ]
        assert said == ["0", "1", "2", "3", "4"]
        answered = [turn for turn in house.agent.turns.values() if turn.conversation == str(place)]
        assert len(house.chat.finals(place)) == len(answered)
    await house.close()


async def test_a_stranger_hears_one_polite_line_and_costs_nothing(tmp_path: Path) -> None:
    house = await House(tmp_path).open()
    place = ConversationKey(platform="telegram", account="7", chat="666")
    receipts = [
        await house.hear(str(n), "你好", conversation=place, sender=STRANGER) for n in range(3)
    ]
    await house.supervisor.stop(1)

    assert receipts == [NotAdmitted()] * 3
    assert house.chat.finals() == [say("zh", dialogue.STRANGER, person="telegram:666")]
    assert house.echo.asked == []
    assert await house.ledger.inbox.conversations_due(["telegram"], house.clock.now()) == ()
    await house.close()


async def test_a_stranger_who_did_not_speak_to_her_hears_nothing(tmp_path: Path) -> None:
    house = await House(tmp_path).open()
    other = ConversationKey(platform="telegram", account="7", chat="-200")
    await house.hear("1", "大家好", conversation=other, sender=STRANGER, addressed=False)
    await house.supervisor.stop(1)

    assert house.chat.screen == {}
    await house.close()


async def test_a_bot_never_starts_a_turn(tmp_path: Path) -> None:
    house = await House(tmp_path).open()
    robot = Sender(id="42", name="安", is_bot=True)

    assert await house.hear("1", "你好", sender=robot) == NotAdmitted()
    assert house.lanes.open_count == 0
    await house.close()


async def test_in_a_group_one_persons_burst_is_one_turn_and_anothers_the_next(
    tmp_path: Path,
) -> None:
    house = await House(tmp_path).open()
    for key, text, sender in [("1", "一", ANN), ("2", "二", ANN), ("3", "三", BEN)]:
        message = house.message(key, text, conversation=GROUP, sender=sender)
        await house.ledger.inbox.accept(message, house.clock.now())
    await house.recover()

    said = [[line.text for line in turn.said] for turn in house.agent.turns.values()]
    assert said == [["一", "二"], ["三"]]
    speakers = [turn.said[0].speaker for turn in house.agent.turns.values()]
    assert speakers == ["安", "Ben"]
    await house.close()


async def test_what_could_not_be_kept_is_not_acknowledged(tmp_path: Path) -> None:
    house = await House(tmp_path).open()
    await house.hear("1", "你好")
    await house.lanes.wait_until_idle()
    await house.database.run(
        lambda c: c.execute(
            f"PRAGMA max_page_count = {c.execute('PRAGMA page_count').fetchone()[0]}"
        )
    )

    with pytest.raises(StoreUnwritable):
        await house.hear("2", "长" * 100_000)

    assert isinstance(await house.hear("2", "长" * 100_000), Accepted)
    await house.lanes.wait_until_idle()
    assert house.agent.commits == 2
    await house.close()


async def test_a_repeated_delivery_wakes_what_was_left_lying(tmp_path: Path) -> None:
    house = await House(tmp_path).open()
    incoming = house.message("1", "你好")
    await house.ledger.inbox.accept(incoming, house.clock.now())

    assert await house.intake.receive(incoming) == Duplicate(MessageState.RECEIVED)
    await house.lanes.wait_until_idle()

    assert len(house.chat.finals()) == 1
    await house.close()


class BrokenAtFirst(Database):
    """A ledger file that fails the first piece of work."""

    failed = False

    async def run(self, work: Callable[[Connection], T], *, synced: bool = True) -> T:
        if not self.failed:
            self.failed = True
            raise StoreUnwritable
        return await super().run(work, synced=synced)


async def test_reviving_goes_on_until_cancelled_and_survives_a_failure(tmp_path: Path) -> None:
    house = await House(tmp_path).open()
    answered = asyncio.Event()
    house.chat.listeners.append(lambda _: answered.set())
    await house.ledger.inbox.accept(house.message("1", "你好"), house.clock.now())
    broken = Ledger(BrokenAtFirst(house.database._path), IDENTITIES)
    intake = Intake(broken, house.lanes, house.urgent, house.door, house.clock)
    house.supervisor.start("reviving", intake.keep_waking_due(["telegram"], every_seconds=0.001))
    await ended(answered.wait())
    await house.lanes.wait_until_idle()

    assert house.chat.finals() == ["你说：你好"]
    assert house.supervisor.running >= 1
    await house.supervisor.stop(0)
    await broken.close()
    await house.close()


async def test_what_is_settled_for_long_is_let_go_while_the_program_runs(tmp_path: Path) -> None:
    house = await House(tmp_path).open()
    await house.hear("1", "你好")
    await house.lanes.wait_until_idle()
    house.clock.tick(days=3)
    house.supervisor.start(
        "reviving", house.intake.keep_waking_due(["telegram"], every_seconds=0.001)
    )
    async with unless_it_hangs():
        while not isinstance(await house.hear("1", "你好"), Accepted):
            await asyncio.sleep(0.001)

    await house.supervisor.stop(0)
    await house.close()
