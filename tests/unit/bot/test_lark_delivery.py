"""An answer on its way to a Lark chat: a sign, words as they come, and the whole exactly once."""

import asyncio
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from bot.adapters.lark import delivery as deliveries
from bot.conversation.delivery import AnswerRefused, NotDelivered, Undeliverable
from bot.conversation.ledger import Accepted, Ledger
from bot.conversation.messages import ConversationKey, Incoming, Sender
from memory import refusals
from memory.errors import StoreUnwritable
from tests.fakes.clock import NOON
from tests.fakes.faults import Fault, page, reset
from tests.fakes.lark_faults import flooded, refused
from tests.fakes.lark_platform import Shown
from tests.fakes.lark_sender import Sender as LarkSender
from tests.fakes.lark_sender import sender
from tests.fakes.lark_world import APP_ID
from tests.fakes.ledger import finished
from tests.fakes.platforms import IDENTITIES
from tests.fakes.waiting import until

pytestmark = pytest.mark.usefixtures("quick_time")

LONG = "今天我们去了海边，看了很久的海，然后慢慢走回家，路上买了一点水果和花，心情很好。"
"""Long enough for a card."""


def texts(she: LarkSender, chat: str = "") -> list[str]:
    return she.platform.texts(chat)


def own(she: LarkSender, chat: str) -> list[Shown]:
    return [each for each in she.platform.shown(chat) if each.by_bot]


async def test_a_short_answer_is_one_plain_message() -> None:
    async with sender() as she:
        question = she.platform.say("在吗")
        delivery = she.delivery(question)
        await delivery.finish("在呢 👋")
        await delivery.stop_showing()

        (shown,) = own(she, she.platform.private())
    assert (shown.text, shown.kind, shown.reply_to) == ("在呢 👋", "text", "")
    assert she.placed == {0: shown.id}


async def test_in_a_group_the_question_is_answered_and_in_a_thread_every_part_of_it() -> None:
    async with sender() as she:
        room = she.platform.group("读书会", "ou_a0000000000000000000000000000001")
        question = she.platform.say("问", chat=room)
        await she.delivery(question, chat=room).finish("答")
        threaded = she.platform.say("问", chat=room, reply_to=question, in_thread=True)
        thread = she.platform.shown(room)[-1].thread
        she.placed.clear()
        answer = "长**文**" * 6_000
        await she.delivery(threaded, chat=room, thread=thread, turn="u").finish(answer)
        first, *rest = own(she, room)

    assert (first.reply_to, first.thread) == (question, "")
    assert len(rest) > 1
    assert {each.thread for each in rest} == {thread}
    assert "".join(each.text for each in rest) == answer


@pytest.mark.parametrize("code", [230071, 230072])
async def test_where_there_are_no_threads_the_answer_is_an_ordinary_reply(code: int) -> None:
    async with sender() as she:
        room = she.platform.group("群", "ou_a0000000000000000000000000000001")
        question = she.platform.say("问", chat=room)
        she.platform.next("reply", refused(code))
        await she.delivery(question, chat=room, thread="omt_1").finish("答")
        (shown,) = own(she, room)

    assert (shown.text, shown.reply_to) == ("答", question)


async def test_a_question_that_was_withdrawn_is_answered_all_the_same() -> None:
    async with sender() as she:
        room = she.platform.group("群", "ou_a0000000000000000000000000000001")
        question = she.platform.say("问", chat=room)
        she.platform.withdraw(question)
        await she.delivery(question, chat=room).finish("答")
        (shown,) = own(she, room)

    assert (shown.text, shown.reply_to) == ("答", "")


async def test_a_sign_stands_on_the_question_until_the_turn_ends() -> None:
    async with sender() as she:
        question = she.platform.say("在吗")

        def signs() -> tuple[str, ...]:
            return she.platform.shown(she.platform.private())[0].reactions

        delivery = she.delivery(question)
        await delivery.show_thinking()
        await delivery.show_thinking()
        await until(signs)
        assert signs() == ("Typing",)
        await delivery.finish("在")
        assert signs() == ("Typing",)
        await delivery.stop_showing()
        await until(lambda: not signs())
    assert len(she.platform.made("react")) == 1


async def test_the_sign_goes_also_when_delivering_fails_or_the_turn_is_stopped() -> None:
    async with sender() as she:
        question = she.platform.say("在吗")
        she.platform.always("create", page(502))
        delivery = she.delivery(question)
        await delivery.show_thinking()
        with pytest.raises(NotDelivered):
            await delivery.finish("在")
        await delivery.stop_showing()
        await until(lambda: not she.tasks.running)
        stopped = she.delivery(question)
        await stopped.show_thinking()
        await stopped.stop_showing()
        await until(lambda: not she.tasks.running)

        (asked,) = she.platform.shown(she.platform.private())
    assert len(she.platform.made("react")) == len(she.platform.made("unreact")) == 2
    assert asked.reactions == ()


async def test_the_sign_of_a_run_that_crashed_goes_with_the_answer() -> None:
    async with sender() as she:
        question = she.platform.say("在吗")
        await she.delivery(question).show_thinking()
        await until(lambda: she.platform.made("react"))
        await she.crash()
        assert she.platform.shown(she.platform.private())[0].reactions
        delivery = she.delivery(question)
        await delivery.finish("在")
        await delivery.stop_showing()
        await until(lambda: not she.platform.shown(she.platform.private())[0].reactions)


async def test_a_sign_on_a_turn_that_is_over_goes_at_the_next_start(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    async with sender() as she:
        question = she.platform.say("在吗")
        place = ConversationKey(platform="lark", account=APP_ID, chat=she.platform.private())
        said = Incoming(
            dedupe_key=question,
            conversation=place,
            sender=Sender(id="ou_1", name="安"),
            at=NOON,
            text="在吗",
        )
        receipt = await ledger.inbox.accept(said, NOON)
        assert isinstance(receipt, Accepted)
        turn = await finished(ledger, [receipt.message])
        delivery = she.delivery(question, placed=partial(ledger.turns.record_piece, turn))
        await delivery.show_thinking()
        await until(lambda: she.platform.made("react"))
        await she.crash()
        (left,) = await ledger.history.signs_left("lark")
        assert not left.piece_ids
        assert await ledger.history.signs_left("telegram") == ()

        def signs() -> tuple[str, ...]:
            return she.platform.shown(she.platform.private())[0].reactions

        she.platform.always("unreact", page(502))
        she.platform.always("react", page(502))
        await deliveries.take_signs_off(she.writer, ledger.history)
        assert signs()
        assert await ledger.history.signs_left("lark")
        she.platform.calm()
        await deliveries.take_signs_off(she.writer, ledger.history)
        assert not signs()
        assert await ledger.history.signs_left("lark") == ()
    await ledger.close()


async def test_a_sign_that_was_refused_is_not_looked_for_again() -> None:
    async with sender() as she:
        she.platform.always("react", refused(99991672))
        delivery = she.delivery(she.platform.say("在吗"))
        await delivery.show_thinking()
        await until(lambda: not she.tasks.running)
        await delivery.stop_showing()

    assert she.sign == ""
    assert len(she.platform.made("react")) == 1


async def test_a_sign_of_which_lark_did_not_tell_goes_as_well() -> None:
    async with sender() as she:
        she.platform.then("react", reset)
        delivery = she.delivery(she.platform.say("在吗"))
        await delivery.show_thinking()
        await delivery.finish("在")
        await delivery.stop_showing()
        await until(lambda: not she.tasks.running)

        (asked, _) = she.platform.shown(she.platform.private())
    assert asked.reactions == ()


@pytest.mark.parametrize(
    "fault", [refused(99991672), flooded(3), page(502)], ids=["scope", "flood", "502"]
)
async def test_an_answer_does_not_depend_on_its_sign(fault: Fault) -> None:
    async with sender() as she:
        she.platform.always("react", fault)
        delivery = she.delivery(she.platform.say("在吗"))
        await delivery.show_thinking()
        await delivery.finish("在")
        await delivery.stop_showing()

    assert texts(she) == ["在"]


@pytest.mark.parametrize("status", [429, 400])
async def test_flood_control_is_waited_out_and_stops_nobody_else(status: int) -> None:
    async with sender() as she:
        room = she.platform.group("群", "ou_a0000000000000000000000000000001")
        she.platform.next("create", flooded(17, status=status))
        await she.delivery().finish("先")
        waited = list(she.timer.slept)
        she.placed.clear()
        await she.delivery(she.platform.say("问", chat=room), chat=room, turn="u").finish("后")

    assert waited == [17]
    assert she.timer.slept == waited
    assert texts(she) + texts(she, room) == ["先", "后"]


@pytest.mark.parametrize(
    "fault", [reset, page(502), refused(230049)], ids=["reset", "502", "busy"]
)
async def test_a_short_failure_is_tried_again_at_once_and_a_long_one_later(fault: Fault) -> None:
    async with sender() as she:
        she.platform.next("create", fault, fault)
        await she.delivery().finish("答案")
        assert texts(she) == ["答案"]
        she.placed.clear()
        she.platform.always("create", fault)
        with pytest.raises(NotDelivered):
            await she.delivery(turn="u").finish("又一个")
        she.platform.always("create", None)
        await she.delivery(turn="u").finish("又一个")

    assert texts(she) == ["答案", "又一个"]


@pytest.mark.parametrize("part", [0, 1])
async def test_a_send_whose_answer_is_lost_is_not_made_twice(part: int) -> None:
    async with sender() as she:
        if part:
            she.platform.then("create", _answered, reset, reset, reset)
        else:
            she.platform.then("create", reset, reset, reset)
        answer = "**长**" * 9_000
        with pytest.raises(NotDelivered):
            await she.delivery().finish(answer)
        await she.crash()
        await she.delivery().finish(answer)

    assert "".join(texts(she)) == answer


async def _answered(request: object) -> None:
    return None


@pytest.mark.parametrize("code", [230002, 232009, 230035, 230013])
async def test_a_chat_that_takes_nothing_is_given_up(code: int) -> None:
    async with sender() as she:
        she.platform.always("create", refused(code))
        with pytest.raises(Undeliverable):
            await she.delivery().finish("答案")


async def test_markup_that_lark_does_not_like_is_sent_undressed() -> None:
    async with sender() as she:
        she.platform.next("create", refused(230099))
        await she.delivery().finish("# 标题\n内容")

    assert texts(she) == ["# 标题\n内容"]


@pytest.mark.parametrize("code", [230022, 230028])
@pytest.mark.parametrize("streaming", [False, True])
async def test_what_may_not_be_said_is_told_to_be_so(*, code: int, streaming: bool) -> None:
    async with sender(streaming=streaming) as she:
        delivery = she.delivery()
        await delivery.show(LONG)
        await until(lambda: texts(she) or not streaming)
        she.platform.next("card_replace", refused(code))
        she.platform.next("create", refused(code))
        await delivery.finish(LONG)

    assert texts(she) == ["（我想说的话，飞书没让发出来）"]


async def test_an_answer_that_is_not_taken_is_no_silent_success() -> None:
    async with sender() as she:
        she.platform.always("create", refused(230001))
        with pytest.raises(AnswerRefused):
            await she.delivery().finish("答案")


async def test_a_message_that_is_there_is_not_sent_again() -> None:
    async with sender() as she:
        await she.delivery().finish("一样的答案")
        she.platform.advance(4000)
        await she.crash()
        await she.delivery().finish("一样的答案")

    assert texts(she) == ["一样的答案"]


@pytest.mark.parametrize(
    ("minutes", "told"), [(50, "答案"), (60, "（这条也许你已经收到过）\n答案")]
)
async def test_what_lark_may_not_know_again_says_that_it_may_come_twice(
    minutes: int, told: str
) -> None:
    async with sender() as she:
        tried_since = NOON - timedelta(minutes=minutes)
        await she.delivery(tried_since=tried_since).finish("答案")
        await she.crash()
        await she.delivery(tried_since=tried_since).finish("答案")

    assert texts(she) == [told]


async def test_words_are_seen_to_grow_in_a_card_that_is_closed_at_the_end() -> None:
    async with sender(streaming=True) as she:
        delivery = she.delivery()
        await delivery.show(LONG[:20])
        await asyncio.sleep(0.05)
        assert not texts(she)
        await delivery.show(LONG[:41])
        await until(lambda: texts(she) == [LONG[:41]])
        assert own(she, she.platform.private())[0].streaming
        await delivery.finish(LONG)
        (shown,) = own(she, she.platform.private())
        (card,) = she.platform.cards.all.values()

    assert (shown.text, shown.streaming) == (LONG, False)
    assert card.document["config"]["summary"]["content"] == LONG[:60]
    assert she.placed == {0: f"{card.id}/{shown.id}"}


async def test_changes_keep_their_distance_and_their_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(deliveries, "GAP", 0.03)
    async with sender(streaming=True) as she:
        delivery = she.delivery()
        for end in range(40, 41 + 300):
            await delivery.show((LONG * 9)[:end])
            await asyncio.sleep(0.001)
        await delivery.finish(LONG * 9)
        (card,) = she.platform.cards.all.values()
        asked = [*she.platform.made("card_write"), *she.platform.made("card_replace")]
        closing = she.platform.made("card_settings")

    numbers = [each.body["sequence"] for each in [*asked, *closing]]
    assert numbers == sorted(set(numbers))
    assert 2 < len(card.written) < 30
    assert all((LONG * 9).startswith(each) for each in card.written)
    assert texts(she) == [LONG * 9]


async def test_an_answer_that_begins_again_ends_as_what_it_became() -> None:
    async with sender(streaming=True) as she:
        delivery = she.delivery()
        await delivery.show(LONG)
        await until(lambda: texts(she) == [LONG])
        await delivery.show("")
        await delivery.show("另一个")
        await delivery.finish("另一个回答")

    assert texts(she) == ["另一个回答"]


@pytest.mark.parametrize("route", ["card", "create"])
@pytest.mark.parametrize(
    "fault", [refused(99991672), page(502), flooded(5)], ids=["scope", "502", "flood"]
)
async def test_where_there_are_no_cards_the_answer_is_a_plain_message(
    route: str, fault: Fault
) -> None:
    async with sender(streaming=True) as she:
        she.platform.next(route, fault)
        delivery = she.delivery()
        await delivery.show(LONG)
        await until(lambda: she.platform.made(route))
        await delivery.show(LONG + "还有")
        await delivery.finish(LONG + "还有")

    assert texts(she) == [LONG + "还有"]


@pytest.mark.parametrize("code", [300309, 200850, 300311, 200740, 99991672])
async def test_a_card_that_takes_nothing_more_is_replaced_by_a_plain_message(code: int) -> None:
    async with sender(streaming=True) as she:
        delivery = she.delivery()
        await delivery.show(LONG)
        await until(lambda: texts(she) == [LONG])
        for route in ("card_write", "card_replace", "card_settings"):
            she.platform.always(route, refused(code))
        await delivery.finish(LONG + "完")
        (shown,) = own(she, she.platform.private())

    assert (shown.text, shown.kind) == (LONG + "完", "text")
    assert she.placed == {0: shown.id}


async def test_a_card_whose_time_is_over_still_gets_the_final_text() -> None:
    async with sender(streaming=True) as she:
        delivery = she.delivery()
        await delivery.show(LONG)
        await until(lambda: texts(she) == [LONG])
        she.platform.advance(700)
        await delivery.show(LONG + "还")
        await delivery.finish(LONG + "还有")
        (shown,) = own(she, she.platform.private())

    assert (shown.text, shown.streaming) == (LONG + "还有", False)


async def test_an_old_card_is_closed_and_another_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deliveries, "GAP", 0.001)
    async with sender(streaming=True) as she:
        room = she.platform.group("群", "ou_a0000000000000000000000000000001")
        delivery = she.delivery(she.platform.say("问", chat=room), chat=room)
        text = f"{LONG}\n```py\n"

        def last_says(said: str) -> bool:
            return said in "".join(each.text for each in own(she, room)[-1:])

        for minute in range(25):
            text += f"print({minute})  # 第 {minute} 分钟，说一句长一点的话\n"
            await delivery.show(text)
            await until(partial(last_says, f"# 第 {minute} 分钟"))
            she.platform.advance(60)
            await she.timer.sleep(60)
        text += "```\n完了。"
        growing = own(she, room)
        await delivery.finish(text)
        shown = own(she, room)

    assert len(growing) == 3
    assert [each.id for each in growing] == [each.id for each in shown]
    assert [each.streaming for each in growing] == [False, False, True]
    assert not any(each.streaming for each in shown)
    assert all(each.text.count("```") % 2 == 0 for each in shown)
    said = "\n".join(each.text for each in shown)
    assert [said.count(f"print({minute})") for minute in range(25)] == [1] * 25
    assert not any(
        call.name == "card_write" and not call.body["content"] for call in she.platform.calls
    )


async def test_an_answer_over_the_limit_of_a_card_goes_on_in_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(deliveries, "GAP", 0.001)
    async with sender(streaming=True) as she:
        delivery = she.delivery()
        sentences = [f"第{number}句话，有点长，而且没有什么内容。" for number in range(2_000)]
        text = ""
        for number in range(0, 2_000, 100):
            text += "".join(sentences[number : number + 100])
            await delivery.show(text)
            await asyncio.sleep(0.01)
        await delivery.finish(text)
        shown = own(she, she.platform.private())

    assert len(shown) > 3
    assert "".join(each.text for each in shown) == text
    assert not any(each.streaming for each in shown)


async def test_an_answer_that_begins_again_after_a_card_was_closed_is_told_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(deliveries, "GAP", 0.001)
    async with sender(streaming=True) as she:
        delivery = she.delivery()
        await delivery.show(LONG * 3)
        await until(lambda: texts(she))
        she.platform.advance(550)
        await she.timer.sleep(550)
        await delivery.show(LONG * 4)
        await until(lambda: len(texts(she)) == 2)
        await delivery.show("换一种说法。")
        await delivery.finish("换一种说法。" * 3)

    assert texts(she) == ["换一种说法。" * 3]


async def test_what_was_shown_can_be_taken_back() -> None:
    async with sender(streaming=True) as she:
        delivery = she.delivery()
        await delivery.show(LONG)
        await until(lambda: texts(she))
        await delivery.withdraw()
        assert texts(she) == []
        await she.delivery(turn="u").withdraw()


async def test_a_message_whose_id_cannot_be_kept_is_sent_once_all_the_same() -> None:
    async with sender(streaming=True) as she:

        async def full(place: int, message: str) -> None:
            raise StoreUnwritable(refusals.DISK_REFUSES)

        delivery = she.delivery(placed=full)
        await delivery.show(LONG)
        await until(lambda: she.platform.made("card"))
        with pytest.raises(StoreUnwritable):
            await delivery.finish(LONG)
        await she.crash()
        await she.delivery().finish(LONG)

    assert texts(she) == [LONG]
