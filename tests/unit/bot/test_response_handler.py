from collections.abc import AsyncIterator, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from pathlib import Path

import pytest

from bot.conversation.delivery import (
    AnswerRefused,
    NotDelivered,
    RecordPiece,
    Target,
    Undeliverable,
)
from bot.conversation.ledger import (
    Duplicate,
    MessageState,
    Received,
    TurnAnswer,
    TurnEntry,
)
from bot.conversation.ledger.records import message_id
from bot.conversation.ledger.turns import Turns
from bot.conversation.messages import ConversationKey, Incoming
from bot.conversation.prompt_budget import TokenBudget
from bot.conversation.turn_ends import (
    ATTEMPTS,
    LONGEST_WAIT,
    OUTAGE_LIMIT,
    verdict_on,
)
from bot.texts import Sentence, say
from bot.texts import dialogue as texts
from memory import refusals
from memory.errors import StoreLocked, StoreUnwritable
from memory.learning.remember_requests import explicit_requests
from memory.model import AgentSettings, Language, Message
from memory.ports import (
    Invalid,
    Outcome,
    Piece,
    Refused,
    Replied,
    StartAgain,
    Streamed,
    TooLong,
    Truncated,
    Unavailable,
)
from memory.recall import Hit
from prompts import Prompt
from tests.fakes.agent import FakeAgent
from tests.fakes.chat import THINKING, FakeChat, FakeDelivery, Killed, Tripwire
from tests.fakes.clock import NOON
from tests.fakes.program_run import ANN, BEN, HOME, ProgramRun

GROUP = ConversationKey(platform="telegram", account="7", chat="-100")


async def program_after(program: ProgramRun, *texts_said: str) -> ProgramRun:
    """Open the program, say things one after the other, and let each be answered."""
    await program.open()
    for number, text in enumerate(texts_said, start=1):
        await program.receive(str(number), text)
        await program.lanes.wait_until_idle()
    return program


class Stream:
    """A model that streams exactly these events."""

    name = "stream"

    def __init__(self, *events: Streamed) -> None:
        self._events = events

    async def complete(self, prompt: Prompt) -> Outcome:
        raise NotImplementedError

    async def stream(self, prompt: Prompt) -> AsyncIterator[Streamed]:
        for event in self._events:
            yield event


async def test_a_message_is_answered_remembered_and_settled(tmp_path: Path) -> None:
    program = await program_after(ProgramRun(tmp_path), "你好")

    assert program.chat.finals() == ["你说：你好"]
    (turn,) = program.agent.turns.values()
    assert [line.text for line in turn.said] == ["你好"]
    assert turn.messages[-1].text == "你说：你好"
    assert (turn.said[0].speaker, turn.messages[-1].speaker) == ("主人", "小祥")
    assert program.agent.opened_as == "tg-p-42"
    assert await program.receive("1", "你好") == Duplicate(MessageState.DONE)
    await program.close()


async def test_the_prompt_holds_memories_the_window_and_last_what_was_said(
    tmp_path: Path,
) -> None:
    agent = FakeAgent(memories=("主人喜欢拉面", "主人怕黑"))
    program = await program_after(ProgramRun(tmp_path, agent=agent), "早", "我喜欢什么")

    prompt = program.echo.asked[-1]
    assert [line.text for line in prompt.window] == ["早", "你说：早", "我喜欢什么"]
    assert [memory.text for memory in prompt.memories] == ["主人喜欢拉面", "主人怕黑"]
    assert prompt.persona == "你是小祥。"
    assert str(prompt.now.tzinfo) == "Asia/Shanghai"
    assert [used.memory_id for used in list(agent.turns.values())[-1].used] == [1, 2]
    assert agent.asked == ["早", "我喜欢什么"]
    await program.close()


async def test_only_memories_that_reached_the_prompt_count_as_used(tmp_path: Path) -> None:
    agent = FakeAgent(memories=("短", "长" * 400))
    program = await program_after(
        ProgramRun(tmp_path, agent=agent, budget=TokenBudget(100, len)), "你好"
    )

    assert (
        len(agent.memories_for_prompt(await agent.search(""), budget_tokens=50, count=len).used)
        == 1
    )
    assert program.echo.asked[-1].memories == ()
    assert [turn.used for turn in agent.turns.values()] == [()]
    await program.close()


async def test_memories_take_no_more_room_than_the_settings_give_them(tmp_path: Path) -> None:
    agent = FakeAgent(settings=AgentSettings(injected_tokens=10), memories=("短", "长" * 50))
    program = await program_after(ProgramRun(tmp_path, agent=agent), "你好")

    assert [memory.text for memory in program.echo.asked[-1].memories] == ["短"]
    await program.close()


async def test_what_fills_the_context_is_given_to_memory_and_the_answer_is_sent(
    tmp_path: Path,
) -> None:
    program = await program_after(
        ProgramRun(tmp_path, budget=TokenBudget(1_000, len)), "早" * 300, "晚" * 300, "现在呢"
    )

    # What was said before and answered, the newest round of it last.
    (first, *_), replies = program.agent.turns.values(), len(program.chat.finals())
    assert program.agent.crowded[0] == (first.conversation, first.messages[-1].id)
    assert replies == 3
    await program.close()


async def test_what_there_is_room_for_stays_in_the_talk(tmp_path: Path) -> None:
    program = await program_after(ProgramRun(tmp_path), "早", "晚", "现在呢")

    assert program.agent.crowded == []
    await program.close()


async def test_what_memory_has_heard_already_is_in_the_prompt_once(tmp_path: Path) -> None:
    identity = message_id("telegram", "7", "1")
    heard = Message(id=identity, at=NOON, speaker="主人", role="user", text="你好")
    program = await program_after(
        ProgramRun(tmp_path, agent=FakeAgent(heard={identity: heard})), "你好"
    )

    assert [line.text for line in program.echo.asked[-1].window] == ["你好"]
    await program.close()


async def test_in_a_group_everyone_speaks_under_their_own_name(tmp_path: Path) -> None:
    program = await ProgramRun(tmp_path).open()
    await program.receive("1", "我是谁", conversation=GROUP, sender=BEN)
    await program.lanes.wait_until_idle()

    (turn,) = program.agent.turns.values()
    assert turn.said[0].speaker == "Ben"
    assert program.agent.opened_as == "tg-g-100"
    await program.close()


async def test_chatter_in_a_group_is_heard_and_not_answered(tmp_path: Path) -> None:
    program = await ProgramRun(tmp_path).open()
    await program.receive("1", "周末去哪", conversation=GROUP, sender=BEN, addressed=False)
    await program.receive("2", "爬山吧", conversation=GROUP, sender=ANN, addressed=False)
    await program.lanes.wait_until_idle()

    assert [line.text for line in program.agent.heard.values()] == ["周末去哪", "爬山吧"]
    assert program.chat.finals() == []
    assert program.echo.asked == []
    await program.close()


async def test_an_agent_that_does_not_listen_hears_nothing(tmp_path: Path) -> None:
    agent = FakeAgent(settings=AgentSettings(listening=False))
    program = await ProgramRun(tmp_path, agent=agent).open()
    await program.receive("1", "周末去哪", conversation=GROUP, sender=BEN, addressed=False)
    await program.lanes.wait_until_idle()

    assert agent.heard == {}
    assert (await program.ledger.inbox.owed(GROUP, program.clock.now())).waiting == ()
    await program.close()


async def test_what_is_said_to_her_in_private_and_not_answered_is_kept_as_a_turn_once(
    tmp_path: Path,
) -> None:
    agent = FakeAgent(settings=AgentSettings(listening=False))
    program = await ProgramRun(tmp_path, agent=agent).open()
    await program.receive("1", "记住我对花生过敏", addressed=False)
    await program.receive("2", "（回应了一个 👍）", addressed=False)
    await program.lanes.wait_until_idle()
    await program.receive("3", "你好")
    await program.lanes.wait_until_idle()

    assert agent.kept_unanswered() == ["记住我对花生过敏"]
    assert [line.text for line in agent.heard.values()] == ["（回应了一个 👍）"]
    assert program.echo.asked[-1].new == 1
    assert program.chat.finals() == ["你说：你好"]
    await program.close()


async def test_chatter_that_breaks_memory_is_let_go_and_a_full_disk_is_waited_for(
    tmp_path: Path,
) -> None:
    class Choosy(FakeAgent):
        def __init__(self) -> None:
            super().__init__()
            self.refusals: list[Exception] = [StoreUnwritable(refusals.DISK_REFUSES), ValueError()]

        async def listen(self, conversation: str, messages: Sequence[Message]) -> None:
            if self.refusals:
                raise self.refusals.pop(0)
            await super().listen(conversation, messages)

    program = await ProgramRun(tmp_path, agent=Choosy()).open()
    await program.receive("1", "毒", conversation=GROUP, sender=BEN, addressed=False)
    await program.lanes.wait_until_idle()
    assert len((await program.ledger.inbox.owed(GROUP, program.clock.now())).waiting) == 1
    await program.recover()
    await program.receive("2", "好", conversation=GROUP, sender=BEN, addressed=False)
    await program.lanes.wait_until_idle()

    assert [line.text for line in program.agent.heard.values()] == ["好"]
    await program.close()


async def test_an_answer_that_starts_again_shows_only_the_second_attempt(tmp_path: Path) -> None:
    model = Stream(Piece("半句"), StartAgain(), Piece("整"), Piece("句"), Replied("整句"))
    program = await program_after(ProgramRun(tmp_path, model=model), "你好")

    assert program.chat.history == ["…", "半句", "", "整", "整句", "整句"]
    assert program.chat.finals() == ["整句"]
    await program.close()


FAILURES: dict[str, tuple[Outcome, str]] = {
    "away": (Unavailable("timeout"), texts.POSTPONED.zh),
    "no money": (Unavailable("quota"), texts.OWNERS_REASONS["quota"].zh),
    "daily limit": (Unavailable("budget"), texts.LIMIT_REACHED.zh),
    "no answer": (Invalid("html"), texts.POSTPONED.zh),
    "broken off": (Truncated("半句话就断"), texts.POSTPONED.zh),
}


@pytest.mark.parametrize(("outcome", "sentence"), FAILURES.values(), ids=FAILURES)
async def test_a_failing_model_costs_one_kind_sentence_and_keeps_what_was_said(
    tmp_path: Path, outcome: Outcome, sentence: str
) -> None:
    program = await program_after(ProgramRun(tmp_path, outcomes=[outcome]), "你好")

    assert program.chat.finals() == [sentence]
    assert program.chat.unfinished() == []
    assert program.agent.turns == {}
    assert program.agent.kept_unanswered() == ["你好"]
    await program.close()


@pytest.mark.parametrize("reason", texts.OWNERS_REASONS)
def test_only_an_owner_hears_what_is_wrong_with_the_model(reason: str) -> None:
    said = Received(
        id="1",
        incoming=Incoming(dedupe_key="1", conversation=HOME, sender=ANN, at=NOON, text="你好"),
    )
    to_owner = verdict_on(Unavailable(reason), [said], NOON, is_owner=lambda _: True)
    to_guest = verdict_on(Unavailable(reason), [said], NOON)

    assert to_owner.sentence == texts.OWNERS_REASONS[reason]
    assert to_guest.sentence == texts.POSTPONED
    assert to_owner.fate == to_guest.fate


async def test_a_stream_that_just_ends_is_no_answer(tmp_path: Path) -> None:
    program = await program_after(ProgramRun(tmp_path, model=Stream(Piece("半"))), "你好")

    assert program.chat.finals() == [texts.POSTPONED.zh]
    assert program.agent.turns == {}
    await program.close()


async def test_the_sentence_is_in_the_language_of_the_agent(tmp_path: Path) -> None:
    agent = FakeAgent(settings=AgentSettings(language="en"))
    program = await program_after(ProgramRun(tmp_path, agent=agent, outcomes=[Refused()]), "hello")

    assert program.chat.finals() == [say("en", texts.DECLINED)]
    await program.close()


async def test_a_postponed_message_is_answered_once_the_model_is_back(tmp_path: Path) -> None:
    program = await program_after(
        ProgramRun(tmp_path, outcomes=[Unavailable("overloaded")]), "你好"
    )

    program.clock.tick(minutes=1)
    await program.recover()

    assert program.chat.finals() == [texts.POSTPONED.zh, "你说：你好"]
    assert program.agent.kept_unanswered() == ["你好"]
    (turn,) = program.agent.turns.values()
    assert [line.text for line in turn.messages] == ["你说：你好"]
    await program.close()


async def test_a_server_that_asks_for_a_longer_wait_gets_it(tmp_path: Path) -> None:
    away = Unavailable("overloaded", retry_after=600)
    program = await program_after(ProgramRun(tmp_path, outcomes=[away]), "你好")

    program.clock.tick(seconds=599)
    await program.recover()
    assert len(program.echo.asked) == 1
    program.clock.tick(seconds=1)
    await program.recover()

    assert program.chat.finals()[-1] == "你说：你好"
    await program.close()


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize(
    ("ended", "sentence"),
    [
        (Truncated("从前有座山", at_limit=True), texts.CUT_AT_LIMIT),
        (Refused(), texts.CUT_BY_FILTER),
    ],
    ids=["limit", "filter"],
)
async def test_an_answer_that_was_cut_is_sent_and_remembered_with_the_offer_to_go_on(
    tmp_path: Path, ended: Outcome, sentence: Sentence, language: Language
) -> None:
    agent = FakeAgent(settings=AgentSettings(language=language))
    model = Stream(Piece("从前"), Piece("有座山"), ended)
    asked = "讲个故事" if language == "zh" else "tell me a story"
    program = await program_after(ProgramRun(tmp_path, agent=agent, model=model), asked)
    said = f"从前有座山\n\n{say(language, sentence)}"
    (turn,) = program.agent.turns.values()

    assert program.chat.finals() == [said]
    assert (turn.said[0].text, turn.messages[-1].text) == (asked, said)
    assert await program.receive("1", asked) == Duplicate(MessageState.DONE)
    await program.close()


@pytest.mark.parametrize(
    ("outcome", "sentence"),
    [
        (Truncated("", at_limit=True), texts.GAVE_UP),
        (Refused(), texts.DECLINED),
        (TooLong(), texts.TOO_LONG),
    ],
    ids=["only thought", "refused", "too long"],
)
async def test_whatever_becomes_of_an_answer_what_was_said_is_remembered(
    tmp_path: Path, outcome: Outcome, sentence: Sentence
) -> None:
    program = await program_after(ProgramRun(tmp_path, outcomes=[outcome] * 2), "我对花生过敏")

    assert program.chat.finals() == [say("zh", sentence, said="我对花生过敏")]
    assert program.agent.kept_unanswered() == ["我对花生过敏"]
    assert await program.receive("1", "我对花生过敏") == Duplicate(MessageState.FAILED)
    await program.close()


async def test_it_is_not_tried_again_before_its_time(tmp_path: Path) -> None:
    program = await program_after(
        ProgramRun(tmp_path, outcomes=[Unavailable("overloaded")]), "你好"
    )

    await program.recover()

    assert len(program.echo.asked) == 1
    await program.close()


async def test_during_an_outage_the_partner_is_told_once_per_message(tmp_path: Path) -> None:
    away: list[Outcome] = [Unavailable("timeout")] * 5
    program = await program_after(ProgramRun(tmp_path, outcomes=away), "你好")
    for _ in range(4):
        program.clock.tick(hours=1)
        await program.recover()
    assert program.chat.finals() == [texts.POSTPONED.zh]
    assert program.chat.unfinished() == []

    await program.receive("2", "在吗")
    await program.lanes.wait_until_idle()

    assert program.chat.finals() == [texts.POSTPONED.zh, "你说：在吗"]
    (turn,) = program.agent.turns.values()
    assert program.agent.kept_unanswered() == ["你好"]
    assert [line.text for line in turn.said] == ["在吗"]
    await program.close()


async def test_waiting_doubles_and_stays_within_ten_minutes(tmp_path: Path) -> None:
    away: list[Outcome] = [Unavailable("timeout")] * 40
    program = await program_after(ProgramRun(tmp_path, outcomes=away), "你好")
    waits = []
    for _ in range(9):
        before = program.clock.now()
        while not await program.ledger.inbox.conversations_due(["telegram"], program.clock.now()):
            program.clock.tick(seconds=5)
        waits.append(program.clock.now() - before)
        await program.recover()

    assert [wait.total_seconds() for wait in waits[:4]] == [15, 30, 60, 120]
    assert waits[-1] == LONGEST_WAIT
    await program.close()


async def test_a_message_waits_a_day_for_the_model_and_is_then_remembered_unanswered(
    tmp_path: Path,
) -> None:
    away: list[Outcome] = [Unavailable("timeout")] * 40
    program = await program_after(ProgramRun(tmp_path, outcomes=away), "你好")
    for _ in range(3):
        program.clock.tick(minutes=30)
        await program.recover()
    program.clock.tick(seconds=OUTAGE_LIMIT.total_seconds())
    await program.recover()

    assert program.chat.finals() == [
        texts.POSTPONED.zh,
        say("zh", texts.EXPIRED, said="你好"),
    ]
    assert program.agent.kept_unanswered() == ["你好"]
    assert await program.receive("1", "你好") == Duplicate(MessageState.FAILED)
    await program.close()


async def test_a_message_nobody_can_answer_is_marked_and_the_next_one_is_answered(
    tmp_path: Path,
) -> None:
    poison: list[Outcome] = [Invalid("garbage")] * ATTEMPTS
    program = await program_after(ProgramRun(tmp_path, outcomes=poison), "毒")
    for _ in range(ATTEMPTS - 1):
        program.clock.tick(hours=1)
        await program.recover()
    await program.receive("2", "还好吗")
    await program.lanes.wait_until_idle()

    assert program.chat.finals() == [
        texts.POSTPONED.zh,
        say("zh", texts.GAVE_UP, said="毒"),
        "你说：还好吗",
    ]
    assert await program.receive("1", "毒") == Duplicate(MessageState.FAILED)
    (turn,) = program.agent.turns.values()
    assert [line.text for line in turn.said] == ["还好吗"]
    await program.close()


async def test_a_mistake_of_ours_is_an_apology_and_no_wedge(tmp_path: Path) -> None:
    class Broken(FakeAgent):
        async def search(self, *args: object, **kwargs: object) -> list:  # type: ignore[type-arg]
            raise ZeroDivisionError

    program = await program_after(ProgramRun(tmp_path, agent=Broken()), "你好")
    for _ in range(ATTEMPTS):
        program.clock.tick(hours=1)
        await program.recover()

    assert program.chat.finals() == [
        texts.POSTPONED.zh,
        say("zh", texts.GAVE_UP, said="你好"),
    ]
    await program.close()


async def test_a_memory_that_cannot_be_opened_is_waited_for_like_the_model(
    tmp_path: Path,
) -> None:
    class Locked(FakeAgent):
        locked = True

        async def search(
            self,
            query: str,
            *,
            k: int = 12,
            skip: AbstractSet[str] = frozenset(),
            context: Sequence[Message] = (),
        ) -> list[Hit]:
            if self.locked:
                raise StoreLocked(refusals.DATABASE_OWNED)
            return await super().search(query, k=k, skip=skip, context=context)

    agent = Locked()
    program = await program_after(ProgramRun(tmp_path, agent=agent), "你好")
    for _ in range(ATTEMPTS + 2):
        program.clock.tick(hours=1)
        await program.recover()
    agent.locked = False
    program.clock.tick(hours=1)
    await program.recover()

    assert program.chat.finals() == [texts.POSTPONED.zh, "你说：你好"]
    await program.close()


async def test_a_prompt_too_long_is_tried_once_more_in_half_the_room(tmp_path: Path) -> None:
    agent = FakeAgent()
    program = await program_after(
        ProgramRun(tmp_path, agent=agent), *("长" * 600 for _ in range(8))
    )
    program.echo.outcomes.append(TooLong())
    await program.receive("9", "短")
    await program.lanes.wait_until_idle()

    first, second = program.echo.asked[-2:]
    assert len(second.window) < len(first.window)
    assert second.window[-1].text == "短"
    assert program.chat.finals()[-1] == "你说：短"
    await program.close()


async def test_what_never_fits_is_said_to_be_too_long(tmp_path: Path) -> None:
    program = await program_after(
        ProgramRun(tmp_path, outcomes=[TooLong(), TooLong()]), "长" * 100
    )

    assert program.chat.finals() == [texts.TOO_LONG.zh]
    assert len(program.echo.asked) == 2
    await program.close()


@pytest.mark.parametrize("text", ["记住我爱猫", "请帮我记下", "Please REMEMBER that"])
async def test_a_request_to_remember_is_kept_before_anything_is_shown(
    tmp_path: Path, text: str
) -> None:
    program = ProgramRun(tmp_path)
    kept_when_shown: list[int] = []
    program.chat.listeners.append(lambda _: kept_when_shown.append(program.agent.commits))
    await program_after(program, text)

    assert program.chat.finals() == [f"你说：{text}"]
    assert set(kept_when_shown) == {1}
    await program.close()


@pytest.mark.parametrize(
    "text",
    [
        "记住：我对花生过敏",
        "请帮我记下来 周三开会",
        "小祥，别忘了我的生日",
        "我对花生过敏，记好了",
        "务必不要忘记带伞",
        "please note that I moved",
        "do not forget my birthday",
        "don’t forget the milk",
        "I moved to Oslo. Remember that.",
        "keep in mind that I am vegan",
    ],
)
async def test_whatever_memory_takes_for_a_request_is_held_back(tmp_path: Path, text: str) -> None:
    said = Message(id="1", at=NOON, speaker="主人", role="user", text=text)
    program = ProgramRun(tmp_path)
    kept_when_shown: list[int] = []
    program.chat.listeners.append(lambda _: kept_when_shown.append(program.agent.commits))
    await program_after(program, text)

    assert explicit_requests([said])
    assert set(kept_when_shown) == {1}
    await program.close()


async def test_an_ordinary_answer_is_shown_while_it_grows(tmp_path: Path) -> None:
    program = ProgramRun(tmp_path)
    kept_when_shown: list[int] = []
    program.chat.listeners.append(lambda _: kept_when_shown.append(program.agent.commits))
    await program_after(program, "你好")

    assert program.chat.history == ["…", "你说", "你说：你好", "你说：你好"]
    assert set(kept_when_shown) == {0}
    await program.close()


async def test_what_could_not_be_kept_is_never_claimed_to_be(tmp_path: Path) -> None:
    agent = FakeAgent(failures=[StoreUnwritable(refusals.DISK_REFUSES)])
    program = await program_after(ProgramRun(tmp_path, agent=agent), "记住我爱猫")

    assert program.chat.finals() == [texts.NOT_STORED.zh]
    program.clock.tick(minutes=1)
    await program.recover()
    assert program.chat.finals()[1:] == ["你说：记住我爱猫"]
    assert agent.commits == 1
    await program.close()


async def test_an_answer_that_was_sent_is_committed_later_if_memory_refuses_now(
    tmp_path: Path,
) -> None:
    agent = FakeAgent(failures=[StoreUnwritable(refusals.DISK_REFUSES)])
    program = await program_after(ProgramRun(tmp_path, agent=agent), "你好", "在吗")

    assert program.chat.finals() == ["你说：你好", "你说：在吗"]
    assert [turn.said[0].text for turn in agent.turns.values()] == ["你好", "在吗"]
    await program.close()


async def test_an_answer_that_cannot_be_delivered_now_is_delivered_later_and_first(
    tmp_path: Path,
) -> None:
    chat = FakeChat(failures=[NotDelivered(), NotDelivered()])
    program = await program_after(ProgramRun(tmp_path, chat=chat), "一", "二")
    assert chat.finals() == []

    await program.recover()

    assert chat.finals() == ["你说：一", "你说：二"]
    assert [turn.said[0].text for turn in program.agent.turns.values()] == ["一", "二"]
    await program.close()


async def test_a_delivery_is_told_what_an_earlier_attempt_left(tmp_path: Path) -> None:
    class Attentive(FakeChat):
        def delivery(self, target: Target, record_piece: RecordPiece) -> FakeDelivery:
            seen.append((target.in_doubt, target.piece_ids, target.tried_since))
            return super().delivery(target, record_piece)

    seen: list[tuple[bool, tuple[str, ...], datetime | None]] = []
    chat = Attentive(failures=[ValueError(), ValueError(), NotDelivered()])
    program = await program_after(ProgramRun(tmp_path, chat=chat), "一")
    answered = program.clock.now()
    program.clock.tick(minutes=5)
    await program.recover()
    await program.recover()

    assert seen == [(False, (), None), (True, ("1",), answered), (False, ("1",), answered)]
    assert chat.finals() == ["你说：一"]
    await program.close()


async def test_half_an_answer_is_taken_back_when_the_partner_was_told_already(
    tmp_path: Path,
) -> None:
    class Breaking(Stream):
        async def stream(self, prompt: Prompt) -> AsyncIterator[Streamed]:
            yield Piece("半句话就")
            yield Truncated("半句话就")

    program = await program_after(ProgramRun(tmp_path, model=Breaking()), "你好")
    program.clock.tick(hours=1)
    await program.recover()

    assert program.chat.finals() == [texts.POSTPONED.zh]
    assert program.chat.unfinished() == []
    await program.close()


async def test_an_answer_nobody_can_receive_is_let_go_and_still_remembered(
    tmp_path: Path,
) -> None:
    chat = FakeChat(failures=[Undeliverable()])
    program = await program_after(ProgramRun(tmp_path, chat=chat), "一", "二")

    assert chat.finals() == ["你说：二"]
    assert program.agent.commits == 2
    await program.close()


async def test_of_an_answer_that_cannot_be_delivered_for_a_day_a_line_says_so(
    tmp_path: Path,
) -> None:
    chat = FakeChat(failures=[NotDelivered(), NotDelivered()])
    program = await program_after(ProgramRun(tmp_path, chat=chat), "一")
    program.clock.tick(hours=25)
    await program.recover()
    assert not chat.finals()
    await program.recover()
    await program.receive("2", "二")
    await program.lanes.wait_until_idle()

    assert chat.finals() == [say("zh", texts.NEVER_DELIVERED), "你说：二"]
    await program.close()


async def test_after_two_days_even_that_line_is_let_go(tmp_path: Path) -> None:
    chat = FakeChat(failures=[NotDelivered(), NotDelivered()])
    program = await program_after(ProgramRun(tmp_path, chat=chat), "一")
    program.clock.tick(hours=49)
    await program.recover()
    await program.receive("2", "二")
    await program.lanes.wait_until_idle()

    assert chat.finals() == ["你说：二"]
    await program.close()


@pytest.mark.parametrize("failure", [AnswerRefused(), ValueError()], ids=["refused", "a fault"])
async def test_a_refused_answer_is_sent_in_plain_words(tmp_path: Path, failure: Exception) -> None:
    chat = FakeChat(failures=[failure])
    program = await program_after(ProgramRun(tmp_path, chat=chat), "一")

    assert chat.finals() == chat.plain == ["你说：一"]
    await program.close()


async def test_an_answer_refused_in_plain_words_too_stays_owed_and_lets_others_pass(
    tmp_path: Path,
) -> None:
    chat = FakeChat(failures=[AnswerRefused(), AnswerRefused()])
    program = await program_after(ProgramRun(tmp_path, chat=chat), "一", "二")
    assert chat.finals() == ["你说：二"]
    await program.recover()
    assert chat.finals() == ["你说：二"]
    program.clock.tick(seconds=20)
    await program.recover()

    assert chat.finals() == ["你说：一", "你说：二"]
    await program.close()


async def test_the_answer_of_a_command_is_owed_like_talk_and_shown_once(tmp_path: Path) -> None:
    chat = FakeChat(failures=[NotDelivered(), NotDelivered()])
    program = await program_after(ProgramRun(tmp_path, chat=chat), "/memory 列表")
    assert not chat.finals()
    await program.close()
    program = ProgramRun(tmp_path, chat=chat, desk=program.desk, clock=program.clock)
    await program.open()
    await program.recover()
    assert not chat.finals()
    program.clock.tick(hours=3)
    await program.recover()
    await program.recover()

    assert chat.finals() == ["memory: 列表"]
    assert len(program.desk.carried_out) == 1
    await program.close()


async def test_an_answer_that_says_what_is_sealed_is_never_written_down(tmp_path: Path) -> None:
    chat = FakeChat(failures=[NotDelivered()])
    program = ProgramRun(tmp_path, chat=chat)
    program.desk.secret = True
    await program_after(program, "/memory 列表")
    assert not chat.finals()
    held = b"".join(path.read_bytes() for path in tmp_path.glob("ledger.sqlite3*"))
    assert "memory: 列表".encode() not in held
    await program.recover()

    assert chat.finals() == [say("zh", texts.COMMAND_DONE, name="memory")]
    await program.close()


async def test_a_platform_that_breaks_on_one_answer_does_not_wedge_the_chat(
    tmp_path: Path,
) -> None:
    chat = FakeChat(failures=[ValueError(), ValueError(), ValueError()])
    program = await program_after(ProgramRun(tmp_path, chat=chat), "一")
    for _ in range(2):
        await program.recover()
    await program.receive("2", "二")
    await program.lanes.wait_until_idle()

    assert chat.finals() == ["你说：二"]
    assert program.agent.commits == 2
    await program.close()


async def test_a_memory_that_never_takes_a_turn_is_given_up_after_a_day(tmp_path: Path) -> None:
    agent = FakeAgent(failures=[ValueError()] * 20)
    program = await program_after(ProgramRun(tmp_path, agent=agent), "一")
    program.clock.tick(hours=1)
    await program.recover()
    program.clock.tick(days=2)
    await program.recover()

    assert await program.ledger.turns.unfinished(HOME) == ()
    assert await program.receive("1", "一") == Duplicate(MessageState.FAILED)
    await program.close()


@pytest.mark.parametrize("said", ["你好", "记住我爱猫"], ids=["ordinary", "to be remembered"])
async def test_a_crash_at_any_step_loses_nothing_and_repeats_nothing(
    tmp_path: Path, said: str
) -> None:
    """One placeholder may be left: it was put just before its id could be written down."""
    crashes = 0
    for step in range(1, 200):
        program = ProgramRun(tmp_path / str(step), wire=Tripwire(at=step))
        acknowledged = False
        try:
            await program.open()
            await program.receive("1", said)
            acknowledged = True
            await program.lanes.wait_until_idle()
        except Killed:
            pass
        crashed = program.wire.steps >= step
        crashes += crashed
        await program.database.close()

        again = ProgramRun(
            program.folder,
            wire=Tripwire(),
            chat=program.chat,
            agent=program.agent,
            clock=program.clock,
        )
        await again.open()
        if not acknowledged:
            await again.receive("1", said)
        await again.recover()

        assert again.chat.finals() == [f"你说：{said}"], f"step {step}"
        assert again.chat.unfinished() in ([], [THINKING]), f"step {step}"
        assert again.agent.commits == 1, f"step {step}"
        assert await again.ledger.turns.unfinished(HOME) == ()
        assert await again.receive("1", said) == Duplicate(MessageState.DONE)
        await again.close()
        if not crashed:
            break
    else:
        pytest.fail("the turn never came to its end")
    assert crashes > 20


async def test_a_crash_during_an_apology_neither_loses_the_message_nor_the_answer(
    tmp_path: Path,
) -> None:
    for step in range(1, 200):
        program = ProgramRun(
            tmp_path / str(step), wire=Tripwire(at=step), outcomes=[Unavailable("timeout")]
        )
        try:
            await program.open()
            await program.receive("1", "你好")
            await program.lanes.wait_until_idle()
        except Killed:
            pass
        crashed = program.wire.steps >= step
        await program.database.close()

        again = ProgramRun(
            program.folder, chat=program.chat, agent=program.agent, clock=program.clock
        )
        await again.open()
        await again.receive("1", "你好")
        again.clock.tick(minutes=5)
        await again.recover()

        finals = again.chat.finals()
        assert finals[-1] == "你说：你好", f"step {step}"
        assert finals[:-1] in ([], [texts.POSTPONED.zh]), f"step {step}"
        (turn,) = again.agent.turns.values()
        said = [*again.agent.kept_unanswered(), *(line.text for line in turn.messages)]
        assert said == ["你好", "你说：你好"], f"step {step}"
        assert again.chat.unfinished() in ([], [THINKING])
        await again.close()
        if not crashed:
            break
    else:
        pytest.fail("the turn never came to its end")


HIDDEN = "hunter2xyz"

WITH_A_SECRET: dict[str, tuple[str, list[Outcome]]] = {
    "answered": (f"我的密码是 {HIDDEN}", []),
    "asked to be remembered": (f"记住我的密码是 {HIDDEN}", []),
    "given up": (f"我的密码是 {HIDDEN}", [Refused()]),
}


@pytest.mark.parametrize(("said", "outcomes"), WITH_A_SECRET.values(), ids=list(WITH_A_SECRET))
async def test_a_secret_is_in_no_file_of_the_ledger_after_its_turn(
    tmp_path: Path, said: str, outcomes: list[Outcome]
) -> None:
    """The program still runs here, so the write-ahead log is among the files."""
    program = await program_after(ProgramRun(tmp_path, outcomes=outcomes), said)

    assert len(program.chat.finals()) == 1
    assert not files_with(HIDDEN, tmp_path)
    await program.close()


async def test_a_secret_in_group_chatter_is_in_no_file_of_the_ledger(tmp_path: Path) -> None:
    program = await ProgramRun(tmp_path).open()

    await program.receive(
        "1", f"我的密码是 {HIDDEN}", conversation=GROUP, sender=BEN, addressed=False
    )
    await program.wait_until_idle()

    assert not files_with(HIDDEN, tmp_path)
    await program.close()


async def test_a_recorded_answer_is_sent_although_no_memory_can_be_opened(tmp_path: Path) -> None:
    chat = FakeChat(failures=[NotDelivered("away")])
    program = await program_after(ProgramRun(tmp_path, chat=chat), "你好")
    assert program.chat.finals() == []

    program.agent.opening_failures = [StoreLocked(refusals.DATABASE_OWNED)]
    await program.recover()

    assert program.chat.finals() == ["你说：你好"]
    await program.close()


def files_with(text: str, folder: Path) -> list[str]:
    """Return the names of the files that hold a text."""
    return [path.name for path in folder.iterdir() if text.encode() in path.read_bytes()]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("好\x00的\x1b[31m红\u202e反", "好的红反"),
        ("\u200b\u2060", None),
        ("\x00\x1b[2J", None),
    ],
)
async def test_what_steers_a_screen_is_cut_and_what_cannot_be_seen_is_no_answer(
    tmp_path: Path, written: str, shown: str | None
) -> None:
    chat = FakeChat()
    model = Stream(Piece(written), Replied(written, model="m"))
    program = await program_after(ProgramRun(tmp_path, chat=chat, model=model), "一")

    (told,) = chat.finals()
    assert told == shown if shown else told not in {written, ""}
    assert not any(set(each) & set("\x00\x1b\u202e") for each in chat.history)
    await program.close()


@pytest.mark.parametrize(
    ("said", "sending"),
    [
        ("你好", True),
        ("Hello", True),
        ("记住我喜欢茶", False),
        ("Remember that I like tea", False),
    ],
)
async def test_the_sending_of_an_answer_begins_in_the_step_that_records_it_or_after_memory_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, *, sending: bool
) -> None:
    seen: list[bool] = []
    record = Turns.record_answer

    async def recorded(
        turns: Turns, turn: TurnEntry, answer: TurnAnswer, *, sending: bool = False
    ) -> TurnEntry:
        seen.append(sending)
        return await record(turns, turn, answer, sending=sending)

    monkeypatch.setattr(Turns, "record_answer", recorded)
    program = await program_after(ProgramRun(tmp_path), said)

    assert seen == [sending]
    assert len(program.chat.finals()) == 1
    await program.close()
