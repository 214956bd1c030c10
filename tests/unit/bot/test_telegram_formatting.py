"""What she says arrives whole, in legal messages, whatever it looks like."""

import json
from random import Random

import pytest
from telegram import MessageEntity

from bot.adapters.markdown import utf16_units
from bot.adapters.telegram.formatting import (
    LIMIT,
    FormattedMessage,
    formatted_messages,
    plain_messages,
    without_markup,
)
from memory.text.segmentation import has_visible_text
from tests.fakes.cost import times
from tests.fakes.telegram_rules import checked_text
from tests.fakes.texts import random_text


def told(message: FormattedMessage) -> str:
    """Return everything a reader can get at: the text, and what its links hide."""
    return message.text + "".join(each.url or each.language or "" for each in message.entities)


def accepted(message: FormattedMessage) -> None:
    entities = json.dumps([each.to_dict() for each in message.entities])
    checked_text({"text": message.text, "entities": entities})


@pytest.mark.hunted
@pytest.mark.parametrize("seed", range(times(100, hunting=3_000)))
def test_random_texts_are_accepted_and_nothing_of_them_is_lost(seed: int) -> None:
    text = random_text(Random(seed))

    messages = formatted_messages(text)

    for message in messages:
        accepted(message)
    lost = {
        each: count - sum(told(message).count(each) for message in messages)
        for each in set(without_markup(text))
        if (count := text.count(each)) and has_visible_text(each)
    }
    assert {each: count for each, count in lost.items() if count > 0} == {}


@pytest.mark.parametrize(
    ("markdown", "text", "kinds"),
    [
        pytest.param("**粗**和`码`", "粗和码", ["bold", "code"], id="inline"),
        pytest.param("# 标题\n正文", "标题\n正文", ["bold", "underline"], id="heading"),
        pytest.param("- 一\n- 二", "• 一\n• 二", [], id="list"),
        pytest.param("**没关", "**没关", [], id="broken markup stays"),
        pytest.param("List<int> x", "List<int> x", [], id="what looks like HTML stays"),
        pytest.param("a &amp; b", "a &amp; b", [], id="entities of HTML stay"),
        pytest.param("[看](http://a.b/c)", "看", ["text_link"], id="link"),
        pytest.param("[看](文件.md)", "[看](文件.md)", [], id="a dead link stays"),
        pytest.param("5. 甲\n7. 乙", "5. 甲\n7. 乙", [], id="numbers are not counted anew"),
        pytest.param("👨‍👩‍👧‍👦**家**", "👨‍👩‍👧‍👦家", ["bold"], id="emoji family"),
    ],
)
def test_markdown_becomes_entities(markdown: str, text: str, kinds: list[str]) -> None:
    (message,) = formatted_messages(markdown)

    assert message.text == text
    assert sorted(each.type for each in message.entities) == kinds


def test_offsets_count_as_telegram_does() -> None:
    (message,) = formatted_messages("👨‍👩‍👧‍👦**家**")

    (bold,) = message.entities
    assert (bold.type, bold.offset, bold.length) == (MessageEntity.BOLD, 11, 1)


def test_a_code_block_over_the_limit_is_code_in_every_message() -> None:
    code = "\n".join(f"line_{number} = {number}" for number in range(500))

    messages = formatted_messages(f"看：\n```python\n{code}\n```\n完")

    assert len(messages) > 1
    assert all(MessageEntity.PRE in [e.type for e in each.entities] for each in messages)
    assert all(utf16_units(each.text) <= LIMIT for each in messages)
    for line in code.split("\n"):
        assert any(line in each.text for each in messages)


@pytest.mark.parametrize("nothing", ["", " \n ", "\u200b\u2060"])
def test_what_cannot_be_seen_is_no_message(nothing: str) -> None:
    assert formatted_messages(nothing) == ()
    assert plain_messages(nothing) == ()
