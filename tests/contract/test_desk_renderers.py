"""The same command gives the same information on every platform and to a program."""

import re
from dataclasses import replace
from io import StringIO
from typing import Any

import orjson
import pytest
from rich.console import Console

from bot.adapters.console.presenter import document_data, show_document
from bot.adapters.lark.cards import document_cards
from bot.adapters.telegram.presenter import document_messages
from bot.desk.documents import (
    Bars,
    Block,
    Branch,
    Buttons,
    Document,
    Facts,
    File,
    Picture,
    Table,
    Text,
    Tree,
    display_text,
    document_from,
    raw_text,
    to_data,
)
from memory.changes import Links, Put, Receipt, Used
from memory.model import AgentSettings, Link, LinkType, Tier
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.desk import DeskSession
from tests.fakes.lark_rules import read_card

COMMANDS = (
    "/memory",
    "/memory list",
    "/memory search 花生",
    "/memory show #1",
    "/memory health",
    "/memory associations #1",
    "/memory review",
    "/memory metrics",
    "/memory export",
    "/memory curve #1",
    "/memory law weights",
    "/memory forget #2",
    "/undo",
    "/forget #1",
    "/why",
    "/help",
)


def facts(block: Block) -> list[str]:  # noqa: PLR0911 - a case a kind
    """Return every single thing a block tells people."""
    match block:
        case Text(text):
            return [text]
        case Table(rows=rows):
            return [display_text(cell) for row in rows for cell in row]
        case Facts(entries):
            return [text for _, name, value in entries for text in (name, display_text(value))]
        case Tree(root):
            return [branch.label for branch in walked(root)]
        case Bars(bars):
            return [text for bar in bars for text in (display_text(bar.label), bar.value)]
        case File(alt=alt):
            return [alt]
        case Picture() | Buttons():
            return []


def for_programs(block: Block) -> list[str]:  # noqa: C901, PLR0911 - a case a kind
    """Return every single thing a block tells programs."""
    match block:
        case Text(text):
            return text.splitlines()
        case Table(rows=rows):
            return [raw_text(cell) for row in rows for cell in row]
        case Facts(entries):
            return [raw_text(value) for _, _, value in entries]
        case Tree(root):
            return [branch.label for branch in walked(root)[1:]]
        case Bars(bars):
            return [text for bar in bars for text in (raw_text(bar.label), bar.value)]
        case Picture(svg):
            return [svg]
        case File(name=name, data=data):
            return [name, str(len(data))]
        case Buttons(buttons):
            return [text for button in buttons for text in (button.label, button.command)]


def walked(branch: Branch) -> list[Branch]:
    return [branch, *(each for below in branch.branches for each in walked(below))]


def strings(value: Any) -> str:
    if isinstance(value, dict):
        return "\n".join(strings(each) for each in value.values())
    if isinstance(value, list):
        return "\n".join(map(strings, value))
    return str(value)


def pressed_together(text: str) -> str:
    """Return a text without what a narrow screen may put between its letters."""
    return re.sub(r"[\s│├└─┌┐]+", "", text)


async def furnished(session: DeskSession) -> None:
    link = Link(target=2, strength=0.8, type=LinkType.KEYWORD, relation="因为")
    used = Used(memory_id=1, score=0.9, reasons=("word:花生",))
    records = [
        Put(a_memory(1, "我对花生过敏 <b>&amp;</b> *_`", keywords=("花生",))),
        Put(replace(a_memory(2, "猫叫团子 👋 مرحبا", tier=Tier.CORE))),
        Put(a_memory(3, "[2026-01-03] 聊了面试", tier=Tier.EPISODE)),
        Put(Links(source=1, links=(link, replace(link, target=99, relation="")))),
        Put(Links(source=2, links=(replace(link, target=3),))),
        Put(Receipt(turn_id="t", at=NOON, used=(used,), learnt=("ADD #2",))),
    ]
    await session.agent.steer(lambda state, index: records)


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("command", COMMANDS)
async def test_every_surface_tells_the_same(command: str, language: str) -> None:
    settings = AgentSettings(language="en" if language == "en" else "zh")
    async with DeskSession(settings=settings) as session:
        await furnished(session)
        if command == "/undo":
            await session.ask("/memory pin #1")
        document: Document = await session.ask(command)

    assert document_from(orjson.loads(orjson.dumps(to_data(document)))) == document
    out = StringIO()
    show_document(document, Console(file=out, width=100, color_system=None, highlight=False))
    terminal = pressed_together(out.getvalue())
    telegram = pressed_together("".join(page.text for page in document_messages(document)))
    lark = pressed_together("".join(map(read_card, document_cards(document, {}, {}))))
    program = strings(document_data(document))
    for block in document.blocks:
        for fact in map(pressed_together, facts(block)):
            assert fact in terminal, f"terminal: {fact}"
            assert fact in telegram, f"telegram: {fact}"
            assert fact in lark, f"lark: {fact}"
        for fact in for_programs(block):
            assert fact in program, f"program: {fact}"
