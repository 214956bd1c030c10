"""Every kind of block can be shown everywhere: as lines, in the terminal, and to a program."""

import re
from io import StringIO

import orjson
import pytest
from rich.console import Console

from bot.adapters.console.presenter import document_data, print_document, show_document
from bot.desk.answers import as_text, bar_text
from bot.desk.documents import (
    Bar,
    Bars,
    Block,
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

BLOCKS: dict[str, Block] = {
    "text": Text("你好 👋 [bold]不是标记[/]"),
    "title": Text("记忆", title=True),
    "table": Table(("id", "text"), ("编号", "内容"), (("#1", "花生过敏"), ("#2", "مرحبا"))),
    "facts": Facts((("tier", "层级", Term("事实", "fact")),)),
    "tree": Tree(Branch("想到", (Branch("#2 猫", (Branch("#3 拉面"),)), Branch("#4 面试")))),
    "bars": Bars((Bar(key="a", label="猫", share=0.4, value="40%", colour=Colour.YELLOW),)),
    "picture": Picture("<svg/>", "▁▂▃ 曲线"),
    "file": File(name="a.json", data=b"{}", alt="a.json 发不出来"),
    "buttons": Buttons((Button("撤销", "/undo ok-1"),)),
}
WORDS = {
    "text": "[bold]不是标记[/]",
    "title": "记忆",
    "table": "花生过敏",
    "facts": "事实",
    "tree": "拉面",
    "bars": "40%",
    "picture": "曲线",
    "file": "发不出来",
    "buttons": "/undo ok-1",
}


@pytest.mark.parametrize("kind", BLOCKS)
def test_a_block_says_the_same_as_lines_and_in_the_terminal(
    kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    print_document(Document((BLOCKS[kind],)))

    assert WORDS[kind] in as_text(BLOCKS[kind])
    assert WORDS[kind] in capsys.readouterr().out


def test_a_program_reads_every_block_under_its_own_name(
    capsys: pytest.CaptureFixture[str],
) -> None:
    document = Document(tuple(BLOCKS.values()))

    print_document(document, as_json=True)

    read = orjson.loads(capsys.readouterr().out)
    assert read == document_data(document)
    assert read["rows"][0] == {"id": "#1", "text": "花生过敏"}
    assert read["tier"] == "fact"
    assert read["links"] == [{"label": "#2 猫", "links": ["#3 拉面"]}, "#4 面试"]
    assert read["bars"][0]["colour"] == "yellow"
    assert read["picture"] == "<svg/>"
    assert read["buttons"] == [{"label": "撤销", "command": "/undo ok-1"}]


def test_paragraphs_are_joined_and_not_lost() -> None:
    assert document_data(Document((Text("一"), Text("二"))))["text"] == "一\n二"


@pytest.mark.parametrize(
    ("share", "full"), [(0.0, 0), (0.001, 1), (0.5, 5), (1.0, 10), (2.0, 10), (-1.0, 0)]
)
def test_a_bar_is_as_long_as_its_share_and_never_hides_what_is_there(
    share: float, full: int
) -> None:
    bar = bar_text(Bar(key="", label="", share=share, value=""))

    assert bar.count("█") == full
    assert len(bar) == 10


def test_no_text_from_anybody_commands_the_terminal() -> None:
    evil = "猫\x1b[2J\x1b]0;x\x07\x9b2J\r狗"
    document = Document(
        (
            Text(evil, title=True),
            Table(("a",), (evil,), ((evil,),)),
            Facts((("a", evil, evil),)),
            Tree(Branch(evil, (Branch(evil),))),
            Bars((Bar(key="a", label=evil, share=0.5, value=evil),)),
            Picture("<svg/>", evil),
            File(name=evil, data=b"", alt=evil),
            Buttons((Button(evil, evil),)),
        )
    )
    out = StringIO()

    show_document(document, Console(file=out, width=200, color_system=None))

    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", out.getvalue())
    assert "␛[2J" in out.getvalue()


def test_a_command_is_never_broken_in_two_however_narrow_the_terminal() -> None:
    command = "/memory set weights.I.lasting_preference 1.326 ok-5a7ccaf8"
    out = StringIO()

    show_document(
        Document((Buttons((Button("就这样", command),)),)),
        Console(file=out, width=40, color_system=None),
    )

    assert command in out.getvalue()
