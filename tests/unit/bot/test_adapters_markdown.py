"""Markdown as models write it is shown as it was meant, on both platforms."""

import re
from collections.abc import Callable

import pytest

from bot.adapters.markdown import JOINT, TablePart, markdown_parts, mended_markdown, utf16_units
from bot.adapters.telegram.formatting import formatted_messages
from tests.fakes.model_answers import (
    ODDITIES,
    RAW,
    TABLES,
    model_answers,
    prose_of,
    read_prose,
    shown_on_lark,
    shown_on_telegram,
    shows_raw,
    written_answers,
)

# All 300 of each: python -m benchmarks.markdown_answers
ANSWERS = model_answers(24)
WRITTEN = [*written_answers("zh"), *written_answers("en")]


@pytest.mark.parametrize("answers", [ANSWERS, WRITTEN[::5]], ids=["put together", "written"])
@pytest.mark.parametrize("show", [shown_on_telegram, shown_on_lark], ids=["telegram", "lark"])
def test_no_answer_shows_raw_markup(answers: list[str], show: Callable[[str], str]) -> None:
    assert [each for each in answers if shows_raw(show(each))] == []


def test_there_are_three_hundred_answers_that_were_written_by_hand() -> None:
    assert len(set(WRITTEN)) == 300


def test_the_answers_would_show_raw_markup_as_they_are() -> None:
    assert sum(bool(RAW.search(read_prose(each))) for each in ANSWERS) > len(ANSWERS) * 0.8


@pytest.mark.parametrize("odd", [*ODDITIES, *TABLES])
def test_one_odd_spot_leaves_the_rest_of_an_answer_formatted(odd: str) -> None:
    (message,) = formatted_messages(f"**先说好**\n\n{odd}\n\n**再说好**")

    bold = {
        message.text.encode("utf-16-le")[2 * e.offset : 2 * (e.offset + e.length)].decode(
            "utf-16-le"
        )
        for e in message.entities
        if e.type == "bold"
    }
    assert {"先说好", "再说好"} <= bold
    assert JOINT not in message.text


@pytest.mark.parametrize(
    ("markdown", "text", "bold"),
    [
        ("**注意：**后面", "注意：后面", "注意："),
        ("看**“重点”**吧", "看“重点”吧", "“重点”"),
        ("** 注意 **好", "注意 好", "注意"),
        ("1. 甲\n1. 乙\n1. **丙：**丁", "1. 甲\n1. 乙\n1. 丙：丁", "丙："),
        ("##标题\n正文", "标题\n正文", "标题"),
        ("😀**表情：**好", "😀表情：好", "表情："),
        ("2**10 和 3**2", "2**10 和 3**2", None),
        ("`a ** b` ** c", "a ** b ** c", None),
        ("#话题 好", "#话题 好", None),
    ],
)
def test_stars_and_headings_count_beside_chinese_punctuation(
    markdown: str, text: str, bold: str | None
) -> None:
    (message,) = formatted_messages(markdown)
    found = [each for each in message.entities if each.type == "bold"]

    assert message.text == text
    if bold is None:
        assert found == []
    else:
        (entity,) = found
        start = utf16_units(text[: text.index(bold)])
        assert (entity.offset, entity.length) == (start, utf16_units(bold))


def test_a_table_is_one_whatever_stands_around_it_and_however_ragged_it_is() -> None:
    mended = mended_markdown("看：\n| 甲 | 乙 |\n|---|---|---|\n| 1 |\n好", "")
    tables = [each for each in markdown_parts(mended, "") if isinstance(each, TablePart)]

    assert mended == "看：\n\n| 甲 | 乙 |  |\n| --- | --- | --- |\n| 1 |  |  |\n\n好"
    assert tables == [TablePart(("甲", "乙", ""), (("1", "", ""),), tables[0].written)]


def test_code_is_never_mended() -> None:
    code = "```\n**注意：**后\n##标题\na|b\n-|-\n```\n"

    assert mended_markdown(code, "x") == code
    assert mended_markdown("用 `**注意：**后` 好", "x") == "用 `**注意：**后` 好"


def test_a_table_that_makes_an_answer_too_long_takes_another_message() -> None:
    rows = "\n".join(f"| {number} | {'x' * (number % 20)} |" for number in range(250))
    messages = formatted_messages(f"| 号 | 值 |\n|---|---|\n{rows}")

    assert len(messages) > 1
    assert all(utf16_units(each.text) <= 4096 for each in messages)
    assert not any(RAW.search(prose_of(each)) for each in messages)
    shown = "\n".join(each.text for each in messages)
    assert all(re.search(rf"^{number}\b", shown, re.MULTILINE) for number in range(250))
