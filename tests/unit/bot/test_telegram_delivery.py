"""An answer on its way to a chat: shown as it grows, delivered exactly once."""

import asyncio
from functools import partial

import pytest

from bot.adapters.calls import PlatformUnreachable
from bot.adapters.telegram.api import (
    LONGEST_PATIENCE,
    Patience,
    TelegramPlace,
    translated_errors,
)
from bot.adapters.telegram.delivery import PLACEHOLDER, TelegramChannel, TelegramDelivery
from bot.adapters.telegram.formatting import FormattedMessage
from bot.adapters.telegram.writer import (
    ALL_WRITES,
    CANDIDATES,
    KEPT_FOR_SENDS,
    MOST_CANDIDATES,
    TelegramMessageWriter,
)
from bot.conversation.delivery import NotDelivered, Target, Undeliverable
from bot.conversation.messages import ConversationKey
from memory import refusals
from memory.errors import StoreUnwritable
from tests.fakes.faults import Fault, late, page, reset
from tests.fakes.telegram_faults import flooded, refused
from tests.fakes.telegram_sender import Sender, another_run, sender
from tests.fakes.telegram_server import ANN
from tests.fakes.waiting import until

pytestmark = pytest.mark.usefixtures("quick_time")

GROUP = -100500


async def test_words_are_shown_while_they_come_and_edits_keep_their_distance() -> None:
    async with sender() as she:
        delivery = she.delivery()
        await delivery.show_thinking()
        await until(lambda: she.server.made("sendChatAction"))
        await delivery.show("今天")
        await until(lambda: she.server.texts() == ["今天"])
        for end in range(1, 10):
            await delivery.show("今天天气很好呀出去走走"[: 2 + end])
            await asyncio.sleep(0.01)
        await delivery.finish("今天天气很好呀出去走走")
        (message,) = she.server.messages.values()

    assert message.history == ["…", "今天", "今天天气很好呀出去走走"]


async def test_a_draft_shows_the_growing_answer_in_private_only() -> None:
    async with sender() as she:
        she.channel = TelegramChannel(
            TelegramMessageWriter(she.bot, she.timer), she.tasks, drafts=True
        )
        private, group = she.delivery(), she.delivery(GROUP)
        await private.show("今天")
        await until(lambda: she.server.made("sendMessageDraft"))
        assert not she.server.messages
        await private.finish("今天很好")
        she.placed.clear()
        await group.show("今天")
        await until(lambda: she.server.texts(GROUP) == ["今天"])
        await group.finish("今天很好")

    (draft,) = she.server.made("sendMessageDraft")
    assert draft["text"] == "今天"
    assert she.server.texts() == ["今天很好"]


async def test_an_id_is_durable_before_the_message_says_anything() -> None:
    async with sender() as she:
        seen: list[str] = []

        async def keep(place: int, message: str) -> None:
            seen.extend(she.server.texts())

        target = Target(
            turn_id="t",
            conversation=ConversationKey(platform="telegram", account="1", chat=str(ANN)),
            private=True,
            reply_to="",
        )
        await she.channel.delivery(target, keep).finish("答案")

    assert seen == ["…"]


async def test_a_message_placed_by_an_earlier_version_is_edited_too() -> None:
    async with sender() as she:
        await she.delivery().finish("旧的")
        ((_, number),) = she.server.messages
        assert she.placed == {0: f"{ANN}:{number}"}
        she.placed = {0: str(number)}
        await she.delivery().finish("答案")

    assert she.server.texts() == ["答案"]


async def test_a_second_attempt_edits_what_the_first_put_there() -> None:
    async with sender() as she:
        await she.delivery().finish("一样的答案")
        await she.delivery().finish("一样的答案")
        assert she.server.texts() == ["一样的答案"]

        await she.delivery().finish("长" * 5000)
        assert [len(text) for text in she.server.texts()] == [4096, 904]
        await she.delivery().finish("短")

    assert she.server.texts() == ["短"]


async def test_a_message_the_partner_deleted_is_written_again() -> None:
    async with sender() as she:
        await she.delivery().finish("旧")
        she.server.messages.clear()

        await she.delivery().finish("答案")

    assert she.server.texts() == ["答案"]


@pytest.mark.parametrize("method", ["sendMessage", "editMessageText"])
async def test_flood_control_is_waited_out_and_stops_nobody_else(method: str) -> None:
    async with sender() as she:
        she.server.next(method, flooded(17))
        first = she.delivery().finish("先")
        second = she.delivery(GROUP).finish("后")
        await first
        waited = list(she.timer.slept)
        she.placed.clear()
        await second

    assert waited == [17]
    assert she.timer.slept == waited
    assert she.server.texts() + she.server.texts(GROUP) == ["先", "后"]


async def test_a_penalty_longer_than_patience_goes_back_to_the_ledger() -> None:
    async with sender() as she:
        she.server.next("sendMessage", flooded(600))
        with pytest.raises(NotDelivered):
            await she.delivery().finish("答案")
        calls = len(she.server.calls)
        with pytest.raises(NotDelivered):
            await she.delivery().finish("答案")

    assert len(she.server.calls) == calls


@pytest.mark.parametrize("fault", [reset, page(502), refused(500)], ids=["reset", "502", "500"])
async def test_a_short_failure_is_tried_again_at_once_and_a_long_one_later(fault: Fault) -> None:
    async with sender() as she:
        she.server.next("editMessageText", fault, fault)
        await she.delivery().finish("答案")
        assert she.server.texts() == ["答案"]
        she.placed.clear()
        she.server.always("editMessageText", fault)
        with pytest.raises(NotDelivered):
            await she.delivery().finish("又一个")
        she.server.always("editMessageText", None)
        await she.delivery().finish("又一个")

    assert she.server.texts() == ["答案", "又一个"]


@pytest.mark.parametrize(
    "fault",
    [
        refused(403, "Forbidden: bot was blocked by the user"),
        refused(400, "Bad Request: chat not found"),
        refused(400, "Bad Request: not enough rights to send text messages to the chat"),
    ],
    ids=["blocked", "no chat", "muted"],
)
async def test_a_chat_that_takes_nothing_is_given_up(fault: Fault) -> None:
    async with sender() as she:
        she.server.always("sendMessage", fault)
        with pytest.raises(Undeliverable):
            await she.delivery().finish("答案")


async def test_an_answer_follows_a_group_to_its_new_id() -> None:
    async with sender() as she:
        moved = refused(400, "group chat was upgraded", migrate_to_chat_id=-100777)
        she.server.next("sendMessage", moved)
        await she.delivery(GROUP, "-100500:9").finish("答案")

    assert she.server.texts(-100777) == ["答案"]


async def test_what_was_shown_can_be_taken_back() -> None:
    async with sender() as she:
        delivery = she.delivery()
        await delivery.show("半句")
        await until(lambda: she.server.texts() == ["半句"])
        await delivery.withdraw()

    assert not she.server.messages


async def test_trouble_while_showing_only_mutes_the_show() -> None:
    async with sender() as she:
        she.server.next("sendChatAction", flooded(3))
        delivery = she.delivery()
        await delivery.show_thinking()
        await until(lambda: she.server.made("sendChatAction"))
        for word in ("一", "一二", "一二三"):
            await delivery.show(word)
            await asyncio.sleep(0.01)
        assert not she.server.messages
        await delivery.finish("一二三")

    assert she.server.texts() == ["一二三"]
    assert she.timer.slept == [3]


@pytest.mark.parametrize("room", [0, 1, 2], ids=["none", "for one note", "for two"])
async def test_what_cannot_be_kept_leaves_no_message(room: int) -> None:
    async with sender() as she:
        kept: list[str] = []

        async def full(place: int, message: str) -> None:
            if len(kept) >= room:
                raise StoreUnwritable(refusals.DISK_REFUSES)
            kept.append(message)

        target = Target(
            turn_id="t",
            conversation=ConversationKey(platform="telegram", account="1", chat=str(ANN)),
            private=True,
            reply_to="",
        )
        delivery = she.channel.delivery(target, full)
        for word in ("一", "一二", "一二三"):
            await delivery.show(word)
            await asyncio.sleep(0.02)
        if room < 2:
            with pytest.raises(StoreUnwritable):
                await delivery.finish("一二三")
        else:
            await delivery.finish("一二三")

    assert she.server.texts() == (["一二三"] if room == 2 else [])
    assert len(she.server.deleted) == (1 if room == 1 else 0)


async def test_flood_control_without_end_goes_back_to_the_ledger() -> None:
    async with sender() as she:
        she.server.always("sendMessage", flooded(20))
        with pytest.raises(NotDelivered):
            await she.delivery().finish("答案")

    assert sum(she.timer.slept) <= 60


async def test_an_edit_under_way_never_overtakes_the_final_one() -> None:
    async with sender() as she:
        delivery = she.delivery()
        she.server.next("editMessageText", late(0.1))
        await delivery.show("半句")
        await until(lambda: she.server.made("editMessageText"))
        await delivery.finish("整句话")

    assert she.server.texts() == ["整句话"]


async def test_a_slow_answer_to_sending_leaves_one_message_and_never_a_second() -> None:
    async with sender(0.05) as she:
        she.server.after("sendMessage", late(0.12))
        delivery = she.delivery(reply_to=f"{ANN}:{she.server.says('在吗')}")
        await delivery.show("半句")
        await until(lambda: she.server.messages)
        await delivery.finish("整句话")

    assert len(she.server.made("sendMessage")) == 1
    assert she.server.texts() == ["整句话"]
    assert not she.server.deleted


async def test_answers_that_are_lost_leave_one_message_between_other_peoples() -> None:
    async with sender() as she:
        she.server.says("早")
        question = she.server.says("在吗")
        she.server.after("sendMessage", reset)
        she.server.says("?")
        await she.delivery(reply_to=f"{ANN}:{question}").finish("在")

    assert she.server.texts() == ["在"]
    assert len(she.server.made("sendMessage")) == 1


async def test_a_message_that_somebody_knows_of_is_never_taken_for_the_lost_one() -> None:
    async with sender() as she:
        question = she.server.says("在吗")
        place = TelegramPlace(ANN)
        await she.writer.send(place, FormattedMessage("通知"))
        she.server.after("sendMessage", reset)
        await she.delivery(reply_to=f"{ANN}:{question}").finish("在")

    assert she.server.texts() == ["通知", "在"]


async def test_a_doubt_outlives_the_attempt_and_is_settled_by_the_next() -> None:
    async with sender() as she:
        question = f"{ANN}:{she.server.says('在吗')}"
        she.server.after("sendMessage", reset)
        she.server.always("editMessageText", page(502))
        with pytest.raises(NotDelivered):
            await she.delivery(reply_to=question).finish("答案")
        she.server.after("sendMessage", None)
        she.server.always("editMessageText", None)
        await she.delivery(reply_to=question).finish("答案")

    assert she.server.texts() == ["答案"]
    assert len(she.server.made("sendMessage")) == 1


async def killed_amid_sending(she: Sender, delivery: TelegramDelivery, text: str) -> None:
    """Let a run of the program end where its message was sent and the answer did not come."""
    she.server.after("sendMessage", late(60))
    run = asyncio.ensure_future(delivery.finish(text))
    await until(
        lambda: any(each.text == PLACEHOLDER.text for each in she.server.messages.values())
    )
    run.cancel()
    await asyncio.gather(run, return_exceptions=True)
    she.server.after("sendMessage", None)


@pytest.mark.parametrize("chat", [ANN, GROUP])
async def test_the_next_run_edits_what_the_last_one_sent_without_learning_its_id(
    chat: int,
) -> None:
    async with sender() as she:
        question = f"{chat}:{she.server.says('在吗', chat=chat)}"
        await killed_amid_sending(she, she.delivery(chat, question), "答案")
        she.server.says("还在吗", chat=chat)
        async with another_run(she) as next_run:
            await next_run.delivery(chat, question).finish("答案")

    assert she.server.texts(chat) == ["答案"]


async def test_what_another_topic_shows_is_never_taken_for_the_lost_message() -> None:
    async with sender() as she:
        question = f"{GROUP}:{she.server.says('在吗', chat=GROUP)}"
        she.server.always("sendMessage", reset)
        with pytest.raises(NotDelivered):
            await she.delivery(GROUP, question).finish("答案")
        she.server.always("sendMessage", None)
        shown = await she.writer.send(TelegramPlace(GROUP, 5), FormattedMessage("别处的答案"))

        async def is_ours(conversation: ConversationKey, key: str) -> bool:
            return (conversation.chat, key) == (str(GROUP), f"{GROUP}:{shown}")

        async with another_run(she, is_ours) as next_run:
            await next_run.delivery(GROUP, question).finish("答案")

    assert she.server.texts(GROUP) == ["别处的答案", "答案"]


async def test_what_was_sent_without_learning_its_id_can_be_taken_back() -> None:
    async with sender() as she:
        question = f"{ANN}:{she.server.says('在吗')}"
        await killed_amid_sending(she, she.delivery(reply_to=question), "答案")
        async with another_run(she) as next_run:
            await next_run.delivery(reply_to=question).withdraw()

    assert not she.server.messages


async def test_where_nothing_was_sent_nothing_is_looked_for() -> None:
    async with sender() as she:
        question = f"{ANN}:{she.server.says('在吗')}"
        she.server.always("sendMessage", flooded(600))
        with pytest.raises(NotDelivered):
            await she.delivery(reply_to=question).finish("答案")
        she.server.always("sendMessage", None)
        async with another_run(she) as next_run:
            await next_run.delivery(reply_to=question).finish("答案")

    assert [each["text"] for each in she.server.made("editMessageText")] == ["答案"]


async def test_a_lost_message_is_found_past_what_many_other_chats_wrote() -> None:
    async with sender() as she:
        question = f"{ANN}:{she.server.says('在吗')}"
        for other in range(200, 240):
            await she.writer.send(TelegramPlace(other), FormattedMessage("别人的"))
        await killed_amid_sending(she, she.delivery(reply_to=question), "答案")
        async with another_run(she) as next_run:
            await next_run.delivery(reply_to=question).finish("答案")

    assert she.server.texts() == ["答案"]


@pytest.mark.parametrize("heard", [True, False], ids=["heard", "not heard before it was sent"])
async def test_a_lost_message_is_found_past_what_other_people_wrote(*, heard: bool) -> None:
    async with sender() as she:
        question = f"{ANN}:{she.server.says('在吗')}"
        newest = [she.server.says("你好", sender=person) for person in range(200, 240)][-1]
        if heard:
            she.writer.own.note_any(239, newest)
        await killed_amid_sending(she, she.delivery(reply_to=question), "答案")
        async with another_run(she) as next_run:
            next_run.writer.own.note_any(299, she.server.says("你好", sender=299))
            await next_run.delivery(reply_to=question).finish("答案")

    assert she.server.texts() == ["答案"]


async def lost_behind_many(she: Sender) -> str:
    """Let a run die amid sending, long after the question, having heard nobody; return that."""
    question = f"{ANN}:{she.server.says('在吗')}"
    for person in range(200, 200 + 2 * CANDIDATES):
        she.server.says("你好", sender=person)
    await killed_amid_sending(she, she.delivery(reply_to=question), "答案")
    return question


async def test_a_lost_message_out_of_sight_is_deleted_once_the_answer_is_seen() -> None:
    async with sender() as she:
        question = await lost_behind_many(she)
        async with another_run(she) as next_run:
            await next_run.delivery(reply_to=question).finish("答案")

        assert she.server.texts() == ["答案"]
        assert [each.text for each in she.server.deleted] == [PLACEHOLDER.text]


async def test_a_lost_message_out_of_sight_is_deleted_by_whichever_run_comes_so_far() -> None:
    async with sender() as she:
        question = await lost_behind_many(she)
        # One run dies before it learns the id of the second, one before the first is deleted.
        async with another_run(she) as next_run:
            delivery = next_run.delivery(reply_to=question)
            she.server.after("sendMessage", late(60))
            run = asyncio.ensure_future(delivery.finish("答案"))
            await until(lambda: she.server.texts() == [PLACEHOLDER.text] * 2)
            run.cancel()
            await asyncio.gather(run, return_exceptions=True)
            she.server.after("sendMessage", None)
        async with another_run(she) as next_run:
            run = asyncio.ensure_future(next_run.delivery(reply_to=question).finish("答案"))
            await until(lambda: "答案" in she.server.texts())
            run.cancel()
            await asyncio.gather(run, return_exceptions=True)
        assert PLACEHOLDER.text in she.server.texts()
        async with another_run(she) as next_run:
            await next_run.delivery(reply_to=question).finish("答案")

    assert she.server.texts() == ["答案"]


async def test_an_answer_in_two_messages_keeps_their_order_when_one_was_lost() -> None:
    async with sender() as she:
        question = await lost_behind_many(she)
        async with another_run(she) as next_run:
            await next_run.delivery(reply_to=question).finish("长" * 5000)

    assert [len(text) for text in she.server.texts()] == [4096, 904]


async def test_what_she_said_since_is_not_taken_for_what_was_lost() -> None:
    async with sender() as she:
        question = await lost_behind_many(she)
        async with another_run(she) as next_run:
            await next_run.delivery(reply_to=question).finish("答案")
            await next_run.writer.send(TelegramPlace(ANN), FormattedMessage("通知"))
        # Once it was looked for to the end, it is not looked for again.
        async with another_run(she) as next_run:
            await next_run.writer.send(TelegramPlace(ANN), FormattedMessage("又一句"))
            await next_run.delivery(reply_to=question).finish("答案")

    assert she.server.texts() == ["答案", "通知", "又一句"]


async def test_of_what_other_people_wrote_nothing_is_tried() -> None:
    async with sender() as she:
        question = await lost_behind_many(she)
        async with another_run(she) as next_run:
            for person, number in enumerate(range(3, 3 + 2 * CANDIDATES), 200):
                next_run.writer.own.note_any(person, number)
            await next_run.delivery(reply_to=question).finish("答案")

    assert she.server.texts() == ["答案"]
    assert [each["text"] for each in she.server.made("editMessageText")] == ["…", "答案"]
    assert not she.server.deleted


async def test_where_nothing_was_known_nothing_old_is_deleted() -> None:
    async with sender() as she:
        old = [
            await she.writer.send(TelegramPlace(ANN), FormattedMessage(f"{number}"))
            for number in range(3 * CANDIDATES)
        ]
        she.placed[0] = f"{ANN}:0:?"

        async def is_ours(conversation: ConversationKey, key: str) -> bool:
            return key in {f"{ANN}:{each}" for each in old[: 2 * CANDIDATES]}

        async with another_run(she, is_ours) as next_run:
            await next_run.delivery(reply_to="").finish("答案")

    assert she.server.texts() == [*map(str, range(3 * CANDIDATES)), "答案"]


async def test_what_is_taken_back_gives_way_to_nothing() -> None:
    async with sender() as she:
        delivery = she.delivery()
        await delivery.finish("答案")
        ((_, shown),) = she.server.messages
        for number in range(ALL_WRITES - KEPT_FOR_SENDS[ALL_WRITES]):
            await she.writer.edit(TelegramPlace(ANN), shown, FormattedMessage(f"{number}"))
        await delivery.withdraw()

    assert not she.server.messages


@pytest.mark.parametrize(("written", "tried"), [(0, CANDIDATES), (400, MOST_CANDIDATES)])
async def test_a_lost_message_is_not_looked_for_without_end(written: int, tried: int) -> None:
    place = ConversationKey(platform="telegram", account="1", chat=str(ANN))
    async with sender() as she:
        question = she.server.says("在吗")
        she.writer.own.note_any(ANN, question + written)

        found = await she.writer.find_sent(
            place, question, partial(she.writer.edit, text=PLACEHOLDER)
        )

    assert found is None
    assert len(she.server.made("editMessageText")) == tried


async def test_what_did_not_reach_the_server_is_sent_again() -> None:
    async with sender() as she:
        she.server.next("sendMessage", reset, page(504))
        await she.delivery().finish("答案")

    assert she.server.texts() == ["答案"]


async def test_patience_doubles_with_every_answer_that_is_late_and_falls_slowly() -> None:
    patience = Patience(10.0)
    patience.note_timeout()
    patience.note_timeout()
    assert patience.seconds == 40.0
    patience.note_answer()
    assert patience.seconds == pytest.approx(36.0)
    for _ in range(30):
        patience.note_timeout()
    assert patience.seconds == LONGEST_PATIENCE
    for _ in range(100):
        patience.note_answer()
    assert patience.seconds == 10.0


async def test_a_call_is_waited_for_longer_once_one_was_late() -> None:
    async with sender(0.05) as she:
        she.server.after("getMe", late(0.12))
        failures = 0
        for _ in range(4):
            try:
                with translated_errors():
                    await she.bot.get_me()
            except PlatformUnreachable:
                failures += 1

    assert failures == 2
