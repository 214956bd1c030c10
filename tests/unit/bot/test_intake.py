import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest

from bot.conversation.delivery import NotDelivered
from bot.conversation.ledger import Accepted, Duplicate, Ledger, MessageState
from bot.conversation.ledger.database import Database
from bot.conversation.ledger.erasure import ErasureRequest
from bot.conversation.ledger.tables import Connection
from bot.conversation.messages import (
    PATIENT,
    TEXT_BYTES,
    UNREADABLE,
    ConversationKey,
    Incoming,
    ParsedCommand,
    Sender,
)
from bot.desk.caller import CommandRequest
from bot.desk.documents import Document
from bot.dispatch import Intake, NotAdmitted
from bot.dispatch.intake import ADDRESSED_TRIES, ASK_TRIES
from bot.identity import AccessLevel
from bot.texts import desk_link, dialogue, say, shell
from memory import refusals
from memory.errors import InputRefused, StoreUnwritable
from memory.model import AgentSettings, Language
from memory.stores.recovery import StoreDamage
from tests.fakes.agent import FakeAgent
from tests.fakes.chat import Killed, Tripwire
from tests.fakes.cost import share
from tests.fakes.platforms import IDENTITIES
from tests.fakes.program_run import ANN, BEN, HOME, ProgramRun
from tests.fakes.waiting import HANG_SECONDS, ended, unless_it_hangs, until

T = TypeVar("T")

GROUP = ConversationKey(platform="telegram", account="7", chat="-100")
STRANGER = Sender(id="666", name="主人")
OWNER = Sender(id="42", name="Ann")


async def test_a_command_reaches_the_desk_and_its_answer_the_chat(tmp_path: Path) -> None:
    program = await ProgramRun(tmp_path).open()
    await program.receive("1", "/记忆 列表")
    await program.lanes.wait_until_idle()

    (order,) = program.desk.carried_out
    assert order.command == ParsedCommand("memory", "列表")
    assert order.access_level is AccessLevel.OWNER
    assert order.agent_id == "tg-p-42"
    assert program.chat.finals() == ["memory: 列表"]
    assert program.echo.asked == []
    assert program.agent.turns == {}
    assert await program.receive("1", "/记忆 列表") == Duplicate(MessageState.DONE)
    await program.close()


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_an_unknown_command_gets_a_kind_hint(tmp_path: Path, language: str) -> None:
    agent = FakeAgent(settings=AgentSettings(language="en" if language == "en" else "zh"))
    program = await ProgramRun(tmp_path, agent=agent).open()
    await program.receive("1", "/dance")
    await program.lanes.wait_until_idle()

    assert program.chat.finals() == [
        say(agent.settings.language, dialogue.UNKNOWN_COMMAND, name="dance")
    ]
    assert program.desk.carried_out == []
    await program.close()


async def test_a_command_that_fails_says_so_without_details(tmp_path: Path) -> None:
    program = await ProgramRun(tmp_path).open()
    program.desk.failures.append(InputRefused(refusals.SYMBOLIC_LINK, file="/x/y"))
    await program.receive("1", "/memory")
    await program.receive("2", "你好")
    await program.lanes.wait_until_idle()

    assert program.chat.finals() == [
        say("zh", dialogue.COMMAND_FAILED, name="memory"),
        "你说：你好",
    ]
    await program.close()


async def crashed_at(
    tmp_path: Path, step: int, line: str
) -> tuple[ProgramRun, bool, tuple[str, ...]]:
    """Die at one step of a command, start again, and return what was seen."""
    program = ProgramRun(tmp_path / str(step), wire=Tripwire(at=step))
    acknowledged = False
    try:
        await program.open()
        await program.receive("1", line)
        acknowledged = True
        await program.wait_until_idle()
    except Killed:
        pass
    crashed = program.wire.steps >= step
    await program.database.close()

    again = ProgramRun(program.folder, chat=program.chat, agent=program.agent, desk=program.desk)
    await again.open()
    if not acknowledged:
        await again.receive("1", line)
    await again.recover()
    assert (await again.ledger.inbox.owed(HOME, again.clock.now())).waiting == ()
    await again.close()
    return program, crashed, tuple(again.chat.finals())


async def test_a_command_cut_short_by_a_crash_is_not_run_twice(tmp_path: Path) -> None:
    outcomes = set()
    for step in range(1, 60):
        program, crashed, seen = await crashed_at(tmp_path, step, "/memory 列表")
        assert len(program.desk.carried_out) <= 1, f"step {step}"
        outcomes.add(seen)
        if not crashed:
            break
    answer = "memory: 列表"
    interrupted = say("zh", dialogue.COMMAND_INTERRUPTED, name="memory")
    # Once carried out it is reported, and only once.
    assert outcomes == {(answer,), (interrupted,)}


@pytest.mark.parametrize("joined", [False, True])
async def test_a_link_cut_short_by_a_crash_is_told_with_what_to_do(
    tmp_path: Path, *, joined: bool
) -> None:
    outcomes = set()
    for step in range(1, 60):
        folder = tmp_path / str(step)
        if joined:
            ledger = await Ledger.open(folder, IDENTITIES)
            agent = await ledger.bindings.agent_id(HOME, private=True)
            await ledger.bindings.bind(replace(HOME, platform="lark", chat="oc_1"), agent)
            await ledger.close()
        program, crashed, seen = await crashed_at(tmp_path, step, "/link ok-de03f1fa")
        assert len(program.desk.carried_out) <= 1, f"step {step}"
        outcomes.add(seen)
        if not crashed:
            break
    told = desk_link.LINK_INTERRUPTED_BUT_DONE if joined else desk_link.LINK_INTERRUPTED
    assert outcomes == {(say("zh", told),), ("link: ok-de03f1fa",)}


async def test_an_erasure_cut_short_by_a_crash_is_begun_anew_and_ends(tmp_path: Path) -> None:
    for step in range(1, 60):
        program, crashed, seen = await crashed_at(tmp_path, step, "/forget 全部")
        assert seen in {("forget: 全部",), ("forget: 全部", "forget: 全部")}, f"step {step}"
        assert [order.caller.resumed for order in program.desk.carried_out] in (
            [False],
            [True],
            [False, True],
        ), f"step {step}"
        if not crashed:
            break


async def test_an_order_can_let_the_other_conversations_of_its_agent_stand_still(
    tmp_path: Path,
) -> None:
    program = await ProgramRun(tmp_path).open()
    places = [ConversationKey(platform="telegram", account="7", chat="42", thread=t) for t in "12"]
    still: list[bool] = []

    async def answer(request: CommandRequest) -> Document:
        async with request.caller.paused():
            for place in places:
                await program.receive(f"talk-{place.thread}", "你好", conversation=place)
            await asyncio.sleep(0.01)
            still.append(program.chat.finals() == [])
        return Document(())

    program.desk.answer = answer  # type: ignore[method-assign]
    for place in places:
        await program.ledger.bindings.agent_id(place, private=True)
    await program.receive("1", "/memory", conversation=places[0])
    await program.wait_until_idle()
    await program.recover()

    assert still == [True]
    assert sorted(program.chat.finals()) == ["", "你说：你好", "你说：你好"]
    await program.close()


async def test_commands_and_talk_keep_their_order(tmp_path: Path) -> None:
    program = await ProgramRun(tmp_path).open()
    await asyncio.gather(
        *(program.receive(str(n), t) for n, t in enumerate(["一", "/memory", "二"]))
    )
    await program.lanes.wait_until_idle()

    assert program.chat.finals() == ["你说：一", "memory: ", "你说：二"]
    await program.close()


async def test_many_chats_at_once_are_each_answered_in_order_and_once(tmp_path: Path) -> None:
    program = await ProgramRun(tmp_path).open()
    places = [ConversationKey(platform="telegram", account="7", chat=str(n)) for n in range(10)]
    for number in range(5):
        for place in places:
            for _ in range(2):
                await program.receive(
                    f"{place.chat}:{number}", str(number), conversation=place, sender=ANN
                )
    await program.lanes.wait_until_idle()

    for place in places:
        said = [
            line.text
            for turn in program.agent.turns.values()
            if turn.conversation == str(place)
            for line in turn.said
        ]
        assert said == ["0", "1", "2", "3", "4"]
        answered = [
            turn for turn in program.agent.turns.values() if turn.conversation == str(place)
        ]
        assert len(program.chat.finals(place)) == len(answered)
    await program.close()


async def test_a_stranger_hears_one_polite_line_and_costs_nothing(tmp_path: Path) -> None:
    program = await ProgramRun(tmp_path).open()
    place = ConversationKey(platform="telegram", account="7", chat="666")
    receipts = [
        await program.receive(str(n), "你好", conversation=place, sender=STRANGER)
        for n in range(3)
    ]
    await program.supervisor.stop(1)

    assert receipts == [NotAdmitted()] * 3
    assert program.chat.finals() == [say("zh", desk_link.STRANGER, person="telegram:666")]
    assert program.echo.asked == []
    assert await program.ledger.inbox.conversations_due(["telegram"], program.clock.now()) == ()
    await program.close()


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("hello? can u help", "en"),
        ("你好", "zh"),
        ("hi 小祥", "zh"),
        ("/start", "zh"),
        ("🙂", "zh"),
        ("（发来一张图片，我还看不了）", "zh"),
    ],
)
async def test_a_stranger_is_answered_in_their_language(
    tmp_path: Path, *, said: str, language: Language
) -> None:
    program = await ProgramRun(tmp_path).open()
    place = ConversationKey(platform="telegram", account="7", chat="666")
    await program.receive("1", said, conversation=place, sender=STRANGER)
    await program.supervisor.stop(1)

    assert program.chat.finals() == [say(language, desk_link.STRANGER, person="telegram:666")]
    await program.close()


async def test_a_stranger_who_did_not_speak_to_her_hears_nothing(tmp_path: Path) -> None:
    program = await ProgramRun(tmp_path).open()
    other = ConversationKey(platform="telegram", account="7", chat="-200")
    await program.receive("1", "大家好", conversation=other, sender=STRANGER, addressed=False)
    await program.supervisor.stop(1)

    assert program.chat.screen == {}
    await program.close()


async def test_a_bot_never_starts_a_turn(tmp_path: Path) -> None:
    program = await ProgramRun(tmp_path).open()
    robot = Sender(id="42", name="安", is_bot=True)

    assert await program.receive("1", "你好", sender=robot) == NotAdmitted()
    assert program.lanes.open_count == 0
    await program.close()


async def test_in_a_group_one_persons_burst_is_one_turn_and_anothers_the_next(
    tmp_path: Path,
) -> None:
    program = await ProgramRun(tmp_path).open()
    for key, text, sender in [("1", "一", ANN), ("2", "二", ANN), ("3", "三", BEN)]:
        message = program.message(key, text, conversation=GROUP, sender=sender)
        await program.ledger.inbox.accept(message, program.clock.now())
    await program.recover()

    said = [[line.text for line in turn.said] for turn in program.agent.turns.values()]
    assert said == [["一", "二"], ["三"]]
    speakers = [turn.said[0].speaker for turn in program.agent.turns.values()]
    assert speakers == ["安", "Ben"]
    await program.close()


async def test_what_could_not_be_kept_is_not_acknowledged(tmp_path: Path) -> None:
    program = await ProgramRun(tmp_path).open()
    await program.receive("1", "你好")
    await program.lanes.wait_until_idle()
    await program.database.run(
        lambda c: c.execute(
            f"PRAGMA max_page_count = {c.execute('PRAGMA page_count').fetchone()[0]}"
        )
    )

    with pytest.raises(StoreUnwritable):
        await program.receive("2", "长" * 100_000)

    assert isinstance(await program.receive("2", "长" * 100_000), Accepted)
    await program.lanes.wait_until_idle()
    assert program.agent.commits == 2
    await program.close()


@pytest.mark.hunted
@pytest.mark.parametrize("sign", share(["🍜", "长", "\ud83c", "a"], of=2))
async def test_of_a_text_without_end_the_beginning_is_read_and_the_partner_told(
    sign: str, tmp_path: Path
) -> None:
    program = await ProgramRun(tmp_path).open()

    accepted = await program.receive("1", sign * (TEXT_BYTES + 1))
    again = await program.receive("1", sign * (TEXT_BYTES + 1))
    await program.wait_until_idle()

    assert isinstance(accepted, Accepted)
    kept = accepted.message.incoming.text
    assert TEXT_BYTES - 4 < len(kept.encode()) <= TEXT_BYTES
    assert isinstance(again, Duplicate)
    await until(lambda: len(program.chat.finals()) == 2)
    assert program.chat.finals().count(say("zh", dialogue.TEXT_CUT, count=len(kept))) == 1
    await program.close()


async def test_a_disk_that_takes_nothing_is_told_in_the_chat_once_an_hour(tmp_path: Path) -> None:
    program = await ProgramRun(tmp_path).open()
    broken = Ledger(FullDisk(program.database._path), IDENTITIES)
    question = program.intake._clock_question
    intake = Intake(broken, program.lanes, program.urgent, program.gate, question, program.clock)
    told = say("zh", shell.NOT_WRITABLE)

    for number in range(3):
        with pytest.raises(StoreUnwritable):
            await intake.receive(program.message(str(number), "你好"))
    await until(lambda: program.chat.finals() == [told])
    program.clock.tick(hours=2)
    with pytest.raises(StoreUnwritable):
        await intake.receive(program.message("4", "你好"))
    await until(lambda: program.chat.finals() == [told, told])

    assert broken.damage.unwritable_at == program.clock.now()
    await broken.close()
    await program.close()


class FullDisk(Database):
    """A ledger on a disk that takes nothing."""

    async def run(self, work: Callable[[Connection], T], *, synced: bool = True) -> T:
        raise StoreUnwritable(refusals.DISK_REFUSES)


async def test_the_owner_is_told_once_of_damage_that_was_found(tmp_path: Path) -> None:
    program = await ProgramRun(tmp_path).open()
    program.ledger.damage.note_agent("tg-p-42", StoreDamage(lost=1))
    told = say("zh", shell.DAMAGE_FOUND)

    await program.receive("1", "你好", conversation=replace(HOME, chat="77"), sender=BEN)
    await program.receive("2", "你好", sender=OWNER)
    await program.receive("3", "在吗", sender=OWNER)
    await program.wait_until_idle()

    await until(lambda: told in program.chat.finals())
    assert program.chat.finals().count(told) == 1
    await program.close()


async def test_a_repeated_delivery_wakes_what_was_left_lying(tmp_path: Path) -> None:
    program = await ProgramRun(tmp_path).open()
    incoming = program.message("1", "你好")
    await program.ledger.inbox.accept(incoming, program.clock.now())

    assert await program.intake.receive(incoming) == Duplicate(MessageState.RECEIVED)
    await program.lanes.wait_until_idle()

    assert len(program.chat.finals()) == 1
    await program.close()


class SlowDisk(Database):
    """A ledger on a disk that takes its time."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.written = threading.Event()

    def _sync(self) -> None:
        assert self.written.wait(HANG_SECONDS)
        super()._sync()


async def test_while_the_disk_is_waited_for_the_answer_is_looked_for_already(
    tmp_path: Path,
) -> None:
    program = await ProgramRun(tmp_path).open()
    disk = SlowDisk(program.database._path)
    slow, question = Ledger(disk, IDENTITIES), program.clock_question
    intake = Intake(slow, program.lanes, program.urgent, program.gate, question, program.clock)

    receiving = asyncio.ensure_future(intake.receive(program.message("1", "你好")))
    await until(lambda: len(program.chat.finals()) == 1)

    # What is seen was synced itself; the platform is told of nothing before its message was.
    assert not receiving.done()
    disk.written.set()
    assert isinstance(await receiving, Accepted)
    await slow.close()
    await program.close()


class BrokenAtFirst(Database):
    """A ledger file that fails the first piece of work."""

    failed = False

    async def run(self, work: Callable[[Connection], T], *, synced: bool = True) -> T:
        if not self.failed:
            self.failed = True
            raise StoreUnwritable(refusals.DISK_REFUSES)
        return await super().run(work, synced=synced)


async def test_reviving_goes_on_until_cancelled_and_survives_a_failure(tmp_path: Path) -> None:
    program = await ProgramRun(tmp_path).open()
    answered = asyncio.Event()
    program.chat.listeners.append(lambda _: answered.set())
    await program.ledger.inbox.accept(program.message("1", "你好"), program.clock.now())
    broken = Ledger(BrokenAtFirst(program.database._path), IDENTITIES)
    intake = Intake(
        broken,
        program.lanes,
        program.urgent,
        program.gate,
        program.clock_question,
        program.clock,
    )
    program.supervisor.start("reviving", intake.keep_waking_due(["telegram"], every_seconds=0.001))
    await ended(answered.wait())
    await program.lanes.wait_until_idle()

    assert program.chat.finals() == ["你说：你好"]
    assert program.supervisor.running >= 1
    await program.supervisor.stop(0)
    await broken.close()
    await program.close()


async def test_what_is_settled_for_long_is_let_go_while_the_program_runs(tmp_path: Path) -> None:
    program = await ProgramRun(tmp_path).open()
    await program.receive("1", "你好")
    await program.lanes.wait_until_idle()
    program.clock.tick(days=3)
    program.supervisor.start(
        "reviving", program.intake.keep_waking_due(["telegram"], every_seconds=0.001)
    )
    async with unless_it_hangs():
        while not isinstance(await program.receive("1", "你好"), Accepted):
            await asyncio.sleep(0.001)

    await program.supervisor.stop(0)
    await program.close()


def unreadable(program: ProgramRun, key: str = "1", **more: Any) -> Incoming:
    raw: dict[str, object] = {UNREADABLE: '{"content": "花生"}'}
    return replace(program.message(key, "", **more), raw=raw)


async def test_what_could_not_be_read_is_kept_counted_said_once_and_can_be_erased(
    tmp_path: Path,
) -> None:
    program = await ProgramRun(tmp_path).open()
    for _ in range(2):
        await program.intake.receive(unreadable(program))
    await program.receive("2", "在吗")
    await program.wait_until_idle()
    (traffic,) = await program.ledger.history.channels()
    sought = ErasureRequest(agent_id="tg-p-42", matches=lambda text: "花生" in text)
    found = [await program.ledger.erasure.erase(sought) for _ in range(2)]

    assert program.chat.finals() == [say("zh", dialogue.UNREADABLE), "你说：在吗"]
    assert (traffic.failed, traffic.waiting) == (1, 0)
    assert found == [1, 0]
    await program.close()


async def test_what_could_not_be_read_is_kept_for_a_month(tmp_path: Path) -> None:
    program = await ProgramRun(tmp_path).open()
    await program.intake.receive(unreadable(program))
    gone = []
    for days in (29, 2):
        program.clock.tick(days=days)
        gone.append(await program.ledger.inbox.prune(program.clock.now()))

    assert gone == [0, 1]
    await program.close()


async def test_what_nobody_said_to_her_or_a_stranger_sent_is_not_spoken_of(tmp_path: Path) -> None:
    program = await ProgramRun(tmp_path).open()
    await program.intake.receive(
        unreadable(program, "1", conversation=GROUP, sender=BEN, addressed=False)
    )
    stranger = unreadable(program, "2", sender=STRANGER, conversation=HOME)
    refused = await program.intake.receive(stranger)
    await program.supervisor.stop(1)

    assert refused == NotAdmitted()
    assert say("zh", dialogue.UNREADABLE) not in program.chat.finals()
    await program.close()


class Away:
    """A platform that answers what it is asked once it is back."""

    def __init__(self, **told: Any) -> None:
        self.told = told
        self.back = False
        self.asked = 0

    def __call__(self, incoming: Incoming) -> Incoming:
        self.asked += 1
        if not self.back:
            raise NotDelivered("away")
        return replace(incoming.with_pending({}), **self.told)


def lacking(program: ProgramRun, key: str, text: str, **more: Any) -> Incoming:
    patient = more.pop("patient", False)
    message = program.message(key, text, **more)
    return message.with_pending({"parent": "om_1"} | ({PATIENT: True} if patient else {}))


async def test_what_a_message_lacks_is_asked_again_and_nothing_overtakes_it(
    tmp_path: Path,
) -> None:
    program = await ProgramRun(tmp_path).open()
    program.adapters["telegram"].asked = away = Away(text="转发：花生")
    await program.intake.receive(lacking(program, "1", "转发", patient=True))
    await program.wait_until_idle()
    await program.recover()
    asked = away.asked
    program.clock.tick(seconds=15)
    away.back = True
    await program.recover()

    assert asked == 1
    assert away.asked == 2
    assert program.chat.finals() == ["你说：转发：花生"]
    await program.close()


async def test_what_turns_out_to_be_a_reply_to_her_is_answered(tmp_path: Path) -> None:
    program = await ProgramRun(tmp_path).open()
    program.adapters["telegram"].asked = away = Away(addressed=True)
    away.back = True
    message = lacking(program, "1", "真的吗", conversation=GROUP, sender=BEN, addressed=False)
    await program.intake.receive(message)
    await program.wait_until_idle()

    assert program.chat.finals() == ["你说：真的吗"]
    await program.close()


@pytest.mark.parametrize(("patient", "most"), [(False, ADDRESSED_TRIES), (True, ASK_TRIES)])
async def test_a_platform_that_stays_away_is_not_waited_for_for_ever(
    tmp_path: Path, most: int, *, patient: bool
) -> None:
    program = await ProgramRun(tmp_path).open()
    program.adapters["telegram"].asked = away = Away()
    await program.intake.receive(lacking(program, "1", "转发", patient=patient))
    await program.wait_until_idle()
    for _ in range(10):
        program.clock.tick(minutes=9)
        await program.recover()

    assert away.asked == most
    assert program.chat.finals() == ["你说：转发"]
    await program.close()


async def test_what_could_be_asked_before_is_not_held_up_by_what_could_not(tmp_path: Path) -> None:
    program = await ProgramRun(tmp_path).open()
    program.adapters["telegram"].asked = away = Away()
    await program.receive("1", "先说的")
    await program.intake.receive(lacking(program, "2", "转发"))
    await program.wait_until_idle()

    assert program.chat.finals() == ["你说：先说的"]
    assert away.asked >= 1
    await program.close()


async def test_nobody_waits_behind_what_perhaps_asks_for_nothing(tmp_path: Path) -> None:
    program = await ProgramRun(tmp_path).open()
    program.adapters["telegram"].asked = away = Away()
    where: dict[str, Any] = {"conversation": GROUP, "sender": BEN}
    await program.intake.receive(lacking(program, "1", "真的吗", addressed=False, **where))
    await program.wait_until_idle()
    await program.receive("2", "小祥在吗", **where)
    await program.wait_until_idle()

    assert away.asked == 2
    assert program.chat.finals() == ["你说：在吗"]
    await program.close()


def taken_back_or_dead(program: ProgramRun) -> bool:
    at = program.wire.at
    return not program.urgent.open_count or (at is not None and program.wire.steps >= at)


async def test_taking_back_beside_kills_is_carried_out_and_its_message_never_answered(
    tmp_path: Path,
) -> None:
    place = replace(HOME, thread="")
    for step in range(1, 60, 2):
        program = ProgramRun(tmp_path / str(step))
        await program.open()
        await program.receive("1", "早")
        await program.wait_until_idle()
        program.wire.at = program.wire.steps + step
        try:
            await program.taking_back.take_back(place, "1")
            await until(partial(taken_back_or_dead, program))
        except Killed:
            pass
        crashed = program.wire.steps >= program.wire.at
        await program.database.close()

        again = ProgramRun(
            program.folder, chat=program.chat, agent=program.agent, desk=program.desk
        )
        await again.open()
        await again.taking_back.take_back(place, "1")
        await again.recover()
        (told,) = {message for _, message in again.desk.forgotten}
        assert told.startswith("telegram:")
        assert (await again.ledger.inbox.owed(HOME, again.clock.now())).waiting == ()
        assert await again.receive("1", "早") == Duplicate(MessageState.DONE)
        await again.wait_until_idle()
        assert again.chat.finals() == ["你说：早"], step
        await again.close()
        if not crashed:
            return
    raise AssertionError("no run came to its end")


async def test_a_message_taken_back_before_it_came_is_not_taken(tmp_path: Path) -> None:
    program = await ProgramRun(tmp_path).open()
    await program.receive("1", "早")
    await program.wait_until_idle()
    await program.taking_back.take_back(HOME, "2")

    assert await program.receive("2", "这句不说了") == Duplicate(MessageState.DONE)
    await program.wait_until_idle()
    assert program.chat.finals() == ["你说：早"]
    await program.close()


async def test_an_order_to_forget_is_not_taken_from_a_chat(tmp_path: Path) -> None:
    program = await ProgramRun(tmp_path).open()
    await program.receive("1", "/recalled")
    await program.wait_until_idle()

    assert program.desk.forgotten == []
    assert program.chat.finals() == [say("zh", dialogue.UNKNOWN_COMMAND, name="recalled")]
    await program.close()
