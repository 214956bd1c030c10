"""Documents in a chat, and buttons nobody can forge."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.markdown import utf16_units
from bot.adapters.telegram.api import bot_api, press_key
from bot.adapters.telegram.formatting import LIMIT
from bot.adapters.telegram.presenter import (
    BUTTON_BYTES,
    TelegramPresenter,
    document_messages,
    is_too_long_for_button,
)
from bot.adapters.telegram.writer import CANDIDATES, TelegramMessageWriter
from bot.conversation.delivery import AnswerRefused, NotDelivered, Target
from bot.conversation.messages import ConversationKey
from bot.desk.caller import ButtonSigner
from bot.desk.documents import (
    Bar,
    Bars,
    Branch,
    Button,
    Buttons,
    Colour,
    Document,
    Facts,
    File,
    Picture,
    Table,
    Term,
    Text,
    Tree,
)
from tests.fakes.clock import FakeClock
from tests.fakes.faults import Fault, page, reset
from tests.fakes.telegram_faults import refused
from tests.fakes.telegram_server import ANN, TOKEN, TelegramServer
from tests.fakes.timer import FakeTimer
from tests.unit.bot.test_telegram_formatting import accepted

NOW = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
SEAL = ButtonSigner(b"k" * 32, limit=BUTTON_BYTES)


def test_every_kind_of_block_is_shown() -> None:
    document = Document(
        (
            Text("两条记忆", title=True),
            Table(("id", "text"), ("编号", "内容"), (("#1", "我对花生过敏"), ("#12", "tea"))),
            Facts((("tier", "层级", Term("事实", "fact")), ("kind", "类别", "技能"))),
            Tree(Branch("猫", (Branch("团子", (Branch("三花"),)), Branch("毛线")))),
            Bars((Bar(key="a", label="茶", share=0.5, value="50%", colour=Colour.GREEN),)),
            Picture("<svg/>", "一张图"),
            Buttons((Button("撤销", "/undo"), Button("长", "/memory show " + "长" * 20))),
        )
    )

    (page,) = document_messages(document)

    accepted(page)
    assert page.text.split("\n\n") == [
        "两条记忆",
        "编号  内容\n#1    我对花生过敏\n#12   tea",
        "层级：事实\n类别：技能",
        "猫\n├ 团子\n│ └ 三花\n└ 毛线",
        "🟢 茶  █████░░░░░  50%",
        "一张图",
        "长：/memory show " + "长" * 20,
    ]


def test_a_long_document_is_cut_between_lines_and_nothing_is_lost() -> None:
    rows = tuple((f"#{number}", f"记忆第{number}条" + "呀" * 30) for number in range(300))

    shown = document_messages(
        Document((Text("标题", title=True), Table(("a", "b"), ("甲", "乙"), rows)))
    )

    assert len(shown) > 1
    for each in shown:
        accepted(each)
        assert utf16_units(each.text) <= LIMIT
    for row in rows:
        assert any(row[1] in each.text for each in shown)


@given(st.text(max_size=40).filter(lambda text: not any("\ud800" <= c <= "\udfff" for c in text)))
def test_a_command_is_in_a_button_or_too_long_for_one(command: str) -> None:
    data = SEAL.sign(command, "7", NOW)

    assert (data is None) == is_too_long_for_button(command)
    assert len((data or "").encode()) <= 64


SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>'


@pytest.mark.parametrize(
    ("svg", "shown"),
    [
        pytest.param(SVG, ["[picture]", "标题"], id="a picture"),
        pytest.param("no picture", ["标题\n\n一张图"], id="in words where it cannot be drawn"),
    ],
)
async def test_a_picture_is_sent_as_one(svg: str, shown: list[str]) -> None:
    place = ConversationKey(platform="telegram", account="1", chat=str(ANN))
    document = Document((Text("标题", title=True), Picture(svg, "一张图")))
    async with TelegramServer() as server:
        bot = bot_api(TOKEN, server.api_base)
        presenter = TelegramPresenter(
            TelegramMessageWriter(bot, FakeTimer()), SEAL, FakeClock(NOW)
        )

        await presenter.present(place, document, reply_to="77:5")

        await bot.disconnect()

    assert server.texts() == shown


@pytest.mark.parametrize(
    ("fault", "shown"),
    [
        pytest.param(None, ["[file a.json]", "标题"], id="a file"),
        pytest.param(
            refused(413, "too large"), ["标题\n\n拿不到"], id="in words if it is refused"
        ),
    ],
)
async def test_a_file_is_sent_as_one(fault: Fault | None, shown: list[str]) -> None:
    place = ConversationKey(platform="telegram", account="1", chat=str(ANN))
    file = File(name="a.json", data="{小祥}".encode(), alt="拿不到")
    async with TelegramServer() as server:
        server.always("sendDocument", fault)
        bot = bot_api(TOKEN, server.api_base)
        presenter = TelegramPresenter(
            TelegramMessageWriter(bot, FakeTimer()), SEAL, FakeClock(NOW)
        )

        await presenter.present(place, Document((Text("标题", title=True), file)), reply_to="")

        await bot.disconnect()

    assert server.texts() == shown
    assert server.sent == ({} if fault else {"a.json": file.data})


def test_a_table_too_wide_for_a_phone_becomes_rows_of_text() -> None:
    columns = ("编号", "从", "内容", "保留")
    rows = (("#12", "2026-11-22 09:48", "每天早上喝手冲咖啡，配一片吐司", "0.33"),)
    (page,) = document_messages(
        Document((Table(("id", "at", "text", "retention"), columns, rows),))
    )

    assert page.text == "#12  每天早上喝手冲咖啡，配一片吐司\n   2026-11-22 09:48 · 保留 0.33"
    assert [entity.type for entity in page.entities] == ["bold"]


def test_bars_with_long_names_stand_below_them() -> None:
    bar = Bar(key="1", label="#1 每天早上喝手冲咖啡，配一片吐司", share=0.5, value="0.50")
    (page,) = document_messages(Document((Bars((bar,)),)))

    assert page.text == "#1 每天早上喝手冲咖啡，配一片吐司\n  █████░░░░░ 0.50"


class Desk:
    """Answers of commands on one server; ``placed`` survives the runs of the program."""

    def __init__(self, server: TelegramServer) -> None:
        self.server = server
        self.placed: dict[int, str] = {}
        self.question = server.says("/memory")
        self.begin()

    def begin(self) -> None:
        """Begin a run that knows nothing but what is durable."""
        self.bot = bot_api(TOKEN, self.server.api_base, seconds=0.5)
        writer = TelegramMessageWriter(self.bot, FakeTimer())
        self.presenter = TelegramPresenter(writer, SEAL, FakeClock(NOW))

    async def deliver(self, document: Document, reply_to: str = "") -> None:
        target = Target(
            turn_id="t",
            conversation=ConversationKey(platform="telegram", account="1", chat=str(ANN)),
            private=True,
            reply_to=reply_to or f"{ANN}:{self.question}",
            piece_ids=tuple(self.placed[each] for each in sorted(self.placed)),
        )
        await self.presenter.deliver(document, target, self.keep)

    async def keep(self, place: int, message: str) -> None:
        self.placed[place] = message


ANSWER = Document(
    (
        Text("三件事", title=True),
        File(name="a.json", data=b"{}", alt="拿不到"),
        Picture(SVG, "一张图"),
        Buttons((Button("下一页", "/memory list 2"),)),
    )
)


@asynccontextmanager
async def at_a_desk() -> AsyncIterator[Desk]:
    async with TelegramServer() as server:
        desk = Desk(server)
        try:
            yield desk
        finally:
            await desk.bot.disconnect()


async def test_the_answer_of_a_command_is_shown_once_however_often_it_is_delivered() -> None:
    async with at_a_desk() as desk:
        await desk.deliver(ANSWER)
        await desk.bot.disconnect()
        desk.begin()
        await desk.deliver(ANSWER)
        (last,) = [each for each in desk.server.messages.values() if each.text == "三件事"]

    assert desk.server.texts() == ["[file a.json]", "[picture]", "三件事"]
    assert [each["text"] for each in last.keyboard[0]] == ["下一页"]


async def test_the_answer_of_a_command_outlives_answers_that_are_lost() -> None:
    async with at_a_desk() as desk:
        for method in ("sendMessage", "sendDocument", "sendPhoto"):
            desk.server.after(method, reset)
        await desk.deliver(ANSWER)

    assert desk.server.texts() == ["[file a.json]", "[picture]", "三件事"]


async def test_a_file_that_was_lost_out_of_sight_is_there_once_in_the_end() -> None:
    async with at_a_desk() as desk:
        for person in range(200, 200 + 2 * CANDIDATES):
            desk.server.says("你好", sender=person)
        await desk.deliver(Document((File(name="a.json", data=b"{}", alt="拿不到"),)))
        assert desk.server.texts() == ["[file a.json]"]
        await desk.bot.disconnect()
        # As it was before the file's id was known; and what people wrote was not heard.
        desk.placed = {0: f"{ANN}:{desk.question}:?"}
        desk.begin()
        await desk.deliver(ANSWER)

    assert desk.server.texts() == ["[file a.json]", "[picture]", "三件事"]


async def test_a_failure_of_seconds_leaves_the_answer_of_a_command_owed() -> None:
    async with at_a_desk() as desk:
        desk.server.always("editMessageText", page(502))
        with pytest.raises(NotDelivered):
            await desk.deliver(ANSWER)
        desk.server.always("editMessageText", None)
        await desk.deliver(ANSWER)

    assert desk.server.texts() == ["[file a.json]", "[picture]", "三件事"]


async def test_what_cannot_be_sent_as_a_file_is_said_in_words_and_not_tried_again() -> None:
    async with at_a_desk() as desk:
        desk.server.always("sendDocument", refused(400, "Bad Request: no files here"))
        await desk.deliver(Document((*ANSWER.blocks, Picture("no picture", "画不出"))))
        await desk.deliver(Document((*ANSWER.blocks, Picture("no picture", "画不出"))))

    assert desk.server.texts() == ["[picture]", "三件事\n\n拿不到\n\n画不出"]
    assert len(desk.server.made("sendDocument")) == 1


async def test_a_file_that_is_too_large_is_said_in_words() -> None:
    async with at_a_desk() as desk:
        desk.server.always("sendDocument", refused(413, "Request Entity Too Large"))
        await desk.deliver(ANSWER)

    assert desk.server.texts() == ["[picture]", "三件事\n\n拿不到"]


async def test_a_page_that_is_turned_stays_in_its_message_at_every_attempt() -> None:
    async with at_a_desk() as desk:
        await desk.deliver(ANSWER)
        number = max(message for _, message in desk.server.messages)
        desk.placed.clear()
        turned = Document((Text("第二页"),), in_place=True)
        for _ in range(2):
            await desk.deliver(turned, press_key(ANN, number, "x"))

    assert desk.server.texts() == ["[file a.json]", "[picture]", "第二页"]
    assert not desk.placed


async def test_a_refused_page_leaves_it_to_plain_words() -> None:
    async with at_a_desk() as desk:
        desk.server.always("editMessageText", refused(400, "Bad Request: something new"))
        with pytest.raises(AnswerRefused):
            await desk.deliver(ANSWER)
