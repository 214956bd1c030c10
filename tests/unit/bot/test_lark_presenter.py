"""Documents of the desk in a Lark chat: whole, on legal cards, with buttons that work."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.adapters.lark.api import key_of
from bot.adapters.lark.cards import (
    CARD_TABLES,
    button_data,
    button_signer,
    button_value,
    document_cards,
)
from bot.adapters.lark.formatting import ZERO_WIDTH_SPACE
from bot.adapters.lark.placed_messages import LarkMessageWriter
from bot.adapters.lark.presenter import LarkPresenter
from bot.conversation.delivery import NotDelivered, Target
from bot.conversation.messages import ConversationKey
from bot.desk.caller import BUTTON_LIFE, button_id
from bot.desk.documents import (
    Bar,
    Bars,
    Block,
    Branch,
    Button,
    Buttons,
    Document,
    Facts,
    File,
    Picture,
    Table,
    Text,
    Tree,
)
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.cost import times
from tests.fakes.faults import Fault, page, reset
from tests.fakes.lark_faults import refused
from tests.fakes.lark_platform import LarkPlatform, Shown
from tests.fakes.lark_rules import buttons_of, check_card, read_card
from tests.fakes.lark_sender import Sender, sender
from tests.fakes.lark_world import ANN, APP_ID

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>'
CALL = "<at id=all></at>"
LIST = Document(
    (
        Text("三件事", title=True),
        Table(("id", "text"), ("编号", "内容"), (("#1", "对花生过敏"), ("#2", CALL))),
        Facts((("law", "规律", "*三层* [x](y)"),)),
        Buttons((Button("下一页", "/memory list 2"), Button("放下 #1", "/memory forget #1"))),
    )
)


class Showing:
    """A presenter on one platform."""

    def __init__(self, she: Sender, folder: Path) -> None:
        self.platform: LarkPlatform = she.platform
        self.seal = button_signer(folder)
        self.clock = FakeClock(NOON)
        self.private: bool | None = None
        pen = LarkMessageWriter(she.api, she.timer)
        self.presenter = LarkPresenter(pen, self.seal, self.clock, self.is_private)

    async def is_private(self, chat: str) -> bool | None:
        return self.private

    async def show(self, document: Document, *, chat: str = "", reply_to: str = "") -> list[Shown]:
        place = chat or self.platform.private()
        where = ConversationKey(platform="lark", account=APP_ID, chat=place)
        await self.presenter.present(where, document, reply_to=reply_to)
        return [each for each in self.platform.shown(place) if each.by_bot]

    async def deliver(self, document: Document, placed: dict[int, str]) -> list[Shown]:
        """Deliver the answer of a command; ``placed`` is what earlier attempts made durable."""

        async def keep(place: int, message: str) -> None:
            placed[place] = message

        chat = self.platform.private()
        target = Target(
            turn_id="t",
            conversation=ConversationKey(platform="lark", account=APP_ID, chat=chat),
            private=True,
            reply_to="",
            piece_ids=tuple(placed[each] for each in sorted(placed)),
        )
        await self.presenter.deliver(document, target, keep)
        return [each for each in self.platform.shown(chat) if each.by_bot]


async def test_the_answer_of_a_command_is_shown_once_however_often_it_is_delivered(
    tmp_path: Path,
) -> None:
    document = Document((*LIST.blocks, File(name="a.json", data=b"{}", alt="拿不到")))
    async with sender() as she:
        desk, placed = Showing(she, tmp_path), dict[int, str]()
        await desk.deliver(document, placed)
        desk.clock.tick(minutes=5)
        again = await desk.deliver(document, {})
        known = await desk.deliver(document, placed)

    assert (
        [each.kind for each in again] == [each.kind for each in known] == ["file", "interactive"]
    )
    assert len(she.platform.made("create")) == 4


async def test_answers_that_are_lost_show_the_answer_of_a_command_once(tmp_path: Path) -> None:
    async with sender() as she:
        desk, placed = Showing(she, tmp_path), dict[int, str]()
        she.platform.after("create", reset)
        with pytest.raises(NotDelivered):
            await desk.deliver(LIST, placed)
        she.platform.after("create", None)
        shown = await desk.deliver(LIST, placed)

    assert len(shown) == 1
    assert len(placed) == 1


async def test_a_refused_file_is_said_in_words_and_not_tried_again(tmp_path: Path) -> None:
    document = Document((Text("都在这里"), File(name="a.json", data=b"{}", alt="发不出来")))
    async with sender() as she:
        desk, placed = Showing(she, tmp_path), dict[int, str]()
        she.platform.always("upload_file", refused(99991672))
        await desk.deliver(document, placed)
        (told,) = await desk.deliver(document, placed)

    assert told.text == "都在这里\n发不出来"


async def test_a_document_is_a_card_that_says_all_of_it_as_typed(tmp_path: Path) -> None:
    async with sender() as she:
        (card,) = await Showing(she, tmp_path).show(LIST)

    assert card.kind == "interactive"
    assert card.text.startswith("三件事\n编号 内容\n#1 对花生过敏\n#2 <at id=all></at>\n")
    assert "**规律**：*三层* [x](y)" in card.text
    assert card.buttons == ("下一页", "放下 #1")


async def test_a_button_brings_its_command_back_to_its_own_chat_only(tmp_path: Path) -> None:
    async with sender() as she:
        desk = Showing(she, tmp_path)
        (card,) = await desk.show(LIST)
        chat = she.platform.private()
        carried = she.platform.buttons(card.id)

    data = button_data(carried["放下 #1"])
    assert desk.seal.verify(data, chat, NOON) == "/memory forget #1"
    assert desk.seal.verify(data, "oc_other", NOON) is None
    assert desk.seal.verify(data, chat, NOON + BUTTON_LIFE + timedelta(minutes=2)) is None
    assert button_signer(tmp_path).verify(data, chat, NOON) == "/memory forget #1"
    assert len({button_id(button_data(each)) for each in carried.values()}) == 2


@pytest.mark.parametrize("value", [None, "x", 7, [], {}, {"command": 7}, {"other": "x"}])
def test_a_button_that_carries_nothing_of_ours_says_nothing(value: object) -> None:
    assert button_data(value) == ""
    assert button_data(button_value("sealed")) == "sealed"


async def test_what_a_pressed_button_brings_takes_the_place_of_its_card(tmp_path: Path) -> None:
    async with sender() as she:
        desk = Showing(she, tmp_path)
        (first,) = await desk.show(LIST)
        shown = await desk.show(
            Document((Text("第二页"), Buttons((Button("上一页", "/memory list 1"),)))),
            reply_to=key_of(first.id, "mark"),
        )

    assert [(each.id, each.text) for each in shown] == [(first.id, "第二页\n[上一页]")]


@pytest.mark.parametrize("code", [230031, 230099, 230110])
async def test_a_card_that_cannot_be_replaced_is_answered(tmp_path: Path, code: int) -> None:
    async with sender() as she:
        desk = Showing(she, tmp_path)
        (first,) = await desk.show(LIST)
        she.platform.next("patch", refused(code))
        *_, second = await desk.show(
            Document((Text("第二页"),)), reply_to=key_of(first.id, "mark")
        )

    assert (second.text, second.reply_to) == ("第二页", first.id)


async def test_a_command_is_answered_where_it_was_given(tmp_path: Path) -> None:
    async with sender() as she:
        desk = Showing(she, tmp_path)
        room = she.platform.group("群", ANN)
        asked = she.platform.say("/memory", chat=room)
        (in_group,) = await desk.show(LIST, chat=room, reply_to=asked)
        desk.private = True
        (alone,) = await desk.show(LIST, reply_to=she.platform.say("/memory"))
        *_, greeting = await desk.show(LIST, chat=room, reply_to="entered_oc_1")

    assert [in_group.reply_to, alone.reply_to, greeting.reply_to] == [asked, "", ""]


async def test_a_picture_is_on_the_card_or_told_in_words(tmp_path: Path) -> None:
    drawn = Document((Text("看", title=True), Picture(SVG, "用字画的"), Text("完")))
    async with sender() as she:
        desk = Showing(she, tmp_path)
        (card,) = await desk.show(drawn)
        she.platform.always("upload_image", refused(99991672))
        *_, told = await desk.show(drawn)

    assert card.text == "看\n[图片]\n完"
    assert told.text == "看\n用字画的\n完"


async def test_a_file_is_handed_over_or_told_in_words(tmp_path: Path) -> None:
    export = Document((Text("都在这里"), File(name="a.json", data=b"{}", alt="发不出来")))
    async with sender() as she:
        desk = Showing(she, tmp_path)
        first = await desk.show(export)
        she.platform.always("upload_file", refused(99991672))
        *_, told = await desk.show(export)

    assert [each.text for each in first] == ["[file]", "都在这里"]
    assert told.text == "都在这里\n发不出来"


async def test_where_cards_are_not_taken_all_of_it_is_text(tmp_path: Path) -> None:
    async with sender() as she:
        she.platform.next("create", refused(230099))
        (told,) = await Showing(she, tmp_path).show(LIST)

    assert told.kind == "text"
    for fact in ("三件事", "对花生过敏", "*三层*", "/memory list 2", "/memory forget #1"):
        assert fact in told.text


@pytest.mark.parametrize("fault", [page(502), refused(230002)], ids=["away", "gone"])
async def test_what_fails_is_let_go(tmp_path: Path, fault: Fault) -> None:
    async with sender() as she:
        she.platform.always("create", fault)
        assert await Showing(she, tmp_path).show(LIST) == []


async def test_a_quiet_line_is_shown_once_or_not_at_all(tmp_path: Path) -> None:
    async with sender() as she:
        she.platform.next("create", page(502))
        shown = await Showing(she, tmp_path).show(Document((Text("记下了"),), quiet=True))

    assert shown == []
    assert len(she.platform.made("create")) == 1


def test_too_much_for_one_card_goes_on_in_the_next_and_the_buttons_are_on_the_last() -> None:
    rows = tuple((f"#{number}", f"第 {number} 件事 " + "很长" * 60) for number in range(400))
    table = Table(("id", "text"), ("编号", "内容"), rows)
    more = Button("更多", "/memory list 2")
    found = document_cards(
        Document((Text("全部", title=True), table, Buttons((more,)))), {more: "x"}, {}
    )

    assert len(found) > 4
    for card in found:
        check_card(card)
    told = "".join(map(read_card, found))
    assert all(text in told for row in rows for text in row)
    assert [bool(buttons_of(card)) for card in found] == [False] * (len(found) - 1) + [True]
    assert [("header" in card) for card in found] == [True] + [False] * (len(found) - 1)


def test_nobody_is_called_by_what_a_value_or_a_row_says() -> None:
    long = "很长" * 20
    table = Table(("a", "b"), ("甲", "乙"), ((CALL, long), ("2", CALL + long)))
    (card,) = document_cards(Document((table, Facts((("k", CALL, CALL),)))), {}, {})

    written = [each["content"] for each in card["body"]["elements"]]
    assert not any(re.search(r"(?:<|&#60;)/?at", each) for each in written)
    assert read_card(card).replace(ZERO_WIDTH_SPACE, "").count(CALL) == 4


def test_a_card_has_no_more_tables_than_lark_allows() -> None:
    table = Table(("a",), ("甲",), (("1",),))
    found = document_cards(Document((table,) * 12), {}, {})

    assert [sum(e["tag"] == "table" for e in card["body"]["elements"]) for card in found] == [
        CARD_TABLES,
        CARD_TABLES,
        2,
    ]


def test_a_row_a_value_and_a_label_too_long_for_lark_are_told_all_the_same() -> None:
    long = "长" * 30_000
    button = Button("按" * 150, "/memory")
    document = Document(
        (
            Table(("a", "b"), ("甲", "乙"), (("1", "2"), ("3", long))),
            Facts((("x", "名", long),)),
            Buttons((button, Button("远", "/far"))),
        )
    )
    found = document_cards(document, {button: "x"}, {})

    for card in found:
        check_card(card)
    told = "".join(map(read_card, found)).replace("\n", "")
    assert told.count("长") == 60_000
    assert "/far" in told
    assert button.label in told


words = st.text(max_size=30) | st.sampled_from((CALL, "# 题", "- 项", "1. 一", "a:OK:b"))
branches = st.recursive(
    st.builds(Branch, words), lambda below: st.builds(Branch, words, st.tuples(below, below))
)
blocks: st.SearchStrategy[Block] = st.one_of(
    st.builds(Text, words, st.booleans()),
    st.builds(
        lambda rows: Table(("a", "b"), ("甲", "乙"), tuple(rows)),
        st.lists(st.tuples(words, words), max_size=9),
    ),
    st.builds(lambda value: Facts((("k", "名", value), ("l", "又", value))), words),
    st.builds(Tree, branches),
    st.builds(
        lambda label, share: Bars((Bar(key="k", label=label, share=share, value="9"),)),
        words,
        st.floats(-1, 2),
    ),
    st.builds(lambda label: Buttons((Button(label or "好", f"/{label}"),)), words),
)


def told_by(block: Block) -> list[str]:  # noqa: PLR0911 - a case a kind
    match block:
        case Text(text):
            return [text]
        case Table(rows=rows):
            return [str(cell) for row in rows for cell in row]
        case Facts(entries):
            return [str(value) for _, _, value in entries]
        case Tree(root):
            return [root.label]
        case Bars(bars):
            return [str(bar.label) for bar in bars]
        case Buttons(buttons):
            return [button.command for button in buttons]
        case _:
            return []


def bare(text: str) -> str:
    return "".join(each for each in text if not each.isspace() and each.isprintable())


@settings(max_examples=times(30, hunting=300))
@given(st.lists(blocks, max_size=12))
def test_any_document_is_whole_on_legal_cards(given_blocks: list[Block]) -> None:
    document = Document(tuple(given_blocks))
    found = document_cards(document, {}, {})

    for card in found:
        check_card(card)
    told = bare("".join(map(read_card, found)))
    for block in document.blocks:
        for fact in told_by(block):
            assert bare(fact) in told
