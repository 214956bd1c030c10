"""What she says arrives whole on Lark, in legal messages, and calls nobody."""

import json
import re
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.lark.formatting import (
    MARKDOWN_TABLES,
    RICH_BYTES,
    ZERO_WIDTH_SPACE,
    LarkPayload,
    answer_parts,
    answer_payload,
    message_kind,
    message_texts,
    send_uuid,
    sent_bytes,
)
from memory.text.segmentation import has_visible_text
from tests.fakes.cost import share
from tests.fakes.lark_rules import checked_content, elements_of, read_post
from tests.fakes.texts import PIECES, random_text

CALLS = (
    '<at user_id="all"></at>',
    '<at user_id="ou_1">Ann</at>',
    "<at id=all></at>",
    "<AT USER_ID='all'/>",
    "<at\nuser_id='all'>",
    "< at id=all>",
    "</ at>",
    "<person id='ou_1'></person>",
    "&lt;at user_id=all&gt;",
    "&#60;at id=all>",
    "&#x3C;at id=all>",
    "&ltat id=all>",
    "&LT; /at>",
    '```\n<at user_id="all"></at>\n```',
    "`<at id=all></at>`",
    "**<at id=all></at>**",
    "| <at id=all></at> | b |\n|---|---|\n| 1 | 2 |",
)
"""Whatever calls people in a text, a post or a card."""

CALLING = re.compile(r"(?:<|&lt;?|&#0*60;?|&#x0*3c;?)\s*/?\s*(?:at|person)\b", re.IGNORECASE)


def formatted(text: str) -> tuple[LarkPayload, ...]:
    """Return an answer as the messages that show it."""
    kind = message_kind(text)
    return tuple(answer_payload(kind, each) for each in message_texts(text, kind))


def told(found: LarkPayload) -> str:
    """Return what a message says, in Markdown."""
    document: dict[str, Any] = json.loads(found.content)
    if found.kind == "text":
        return str(document["text"])
    if found.kind == "post":
        return read_post(document)
    (element,) = elements_of(document) or []
    return str(element["content"])


def request(found: LarkPayload) -> dict[str, Any]:
    return {"msg_type": found.kind, "content": found.content, "uuid": "u" * 50}


def request_bytes(found: LarkPayload) -> int:
    """Return the size of a request that sends a message, as the SDK writes it."""
    return len(json.dumps(request(found), ensure_ascii=False).encode())


def is_whole(text: str, messages: tuple[LarkPayload, ...]) -> bool:
    """Whether every character is there, in its order; space and the lines of tables may change."""
    rest = iter("".join(told(each) for each in messages))
    return all(each in rest for each in words_of(text))


def words_of(text: str) -> str:
    """Return what a text says: without space, the lines of tables and what was put in between."""
    return re.sub("[\\s\u001c-\u001f|:\u200b\ufdd0-\ufdd2-]", "", text)


def is_legal(messages: tuple[LarkPayload, ...]) -> bool:
    """Whether Lark takes every message; raises what it says to one it does not take."""
    return all(checked_content(each.kind, request(each), request_bytes(each)) for each in messages)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("好的，明天见。", "text"),
        ("好~ 明天见~", "text"),
        ("5*3=15，a_b_c", "text"),
        ("第一行\n第二行", "text"),
        ("مرحبا 👋🏽", "text"),
        ("**记住**了", "post"),
        ("- 一\n- 二", "post"),
        ("看 [这里](https://example.com)", "post"),
        ("```py\n# no heading\n```", "post"),
        ("**好**~ 明天见~", "interactive"),
        ("# 标题\n内容", "interactive"),
        ("| 甲 | 乙 |\n|---|---|\n| 1 | 2 |", "interactive"),
    ],
)
def test_the_kind_of_a_message_follows_from_what_it_says(text: str, kind: str) -> None:
    assert message_kind(text) == kind
    (found,) = formatted(text)
    assert found.kind == kind
    assert told(found) == text


@pytest.mark.parametrize("around", ["{}", "## 标题\n{}", "**粗** {}", "说 {} 好"])
@pytest.mark.parametrize("call", CALLS)
def test_nobody_is_called_by_what_a_model_writes(call: str, around: str) -> None:
    text = around.format(call)
    messages = formatted(text)

    assert not any(CALLING.search(told(each)) for each in messages)
    assert words_of("".join(map(told, messages))) == words_of(text)


def test_tags_are_shown_as_typed_and_code_can_be_copied() -> None:
    (prose,) = formatted("写成 <b>粗</b> 和 <font color=red>红</font>")
    (code,) = formatted("```html\n<div><b>粗</b></div>\n```")

    assert "<b" not in told(prose)
    assert "<font" not in told(prose)
    assert (
        told(prose).replace(ZERO_WIDTH_SPACE, "") == "写成 <b>粗</b> 和 <font color=red>红</font>"
    )
    assert told(code) == "```html\n<div><b>粗</b></div>\n```"


def test_pictures_and_dead_links_cannot_spoil_a_card() -> None:
    (found,) = formatted("# 看\n![图](https://example.com/x.png) [那里](没有地址)")

    assert "![" not in told(found)
    assert "](没" not in told(found)
    assert told(found).replace(ZERO_WIDTH_SPACE, "").endswith("[那里](没有地址)")


def test_a_card_has_no_more_tables_than_lark_allows() -> None:
    table = "| 甲 | 乙 |\n|---|---|\n| 1 | 2 |\n\n"
    (found,) = formatted(table * 6)

    # What is beyond is told in lines.
    lines = [*table.split("\n") * MARKDOWN_TABLES, *["- 甲 · 乙", "- 1 · 2"] * 2]
    assert list(filter(None, told(found).split("\n"))) == list(filter(None, lines))


@pytest.mark.parametrize("text", ["", " \n ", "\u200b", "\u200d\n\u3164"])
def test_what_nobody_can_see_is_no_message(text: str) -> None:
    assert formatted(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "长" * 200_000,
        "👨‍👩‍👧‍👦" * 9_000,
        '"\\' * 60_000,
        "**粗**" + "长文本，" * 20_000,
        "# 题\n" + "مرحبا بالعالم " * 9_000,
        "```py\n" + "print('<at id=all>')\n" * 4_000 + "```\n",
        "# 题\n" + "<&!]()" * 20_000,
        "\x01\x7f\u2028" * 20_000,
        "半个\ud83d字",
    ],
    ids=["zh", "family", "escapes", "bold", "rtl", "code", "parted", "control", "surrogate"],
)
def test_a_text_over_the_limits_arrives_whole_in_legal_messages(text: str) -> None:
    messages = formatted(text)

    assert is_legal(messages)
    assert is_whole(text.replace("\ud83d", "\ufffd"), messages)


@pytest.mark.hunted
@pytest.mark.parametrize("seed", share(range(60)))
def test_random_texts_arrive_whole(seed: int) -> None:
    text = random_text(Random(seed)) * (1 + seed % 7)
    messages = formatted(text)

    assert is_legal(messages)
    assert is_whole(text, messages)


@given(st.lists(st.sampled_from((*PIECES, *CALLS)) | st.text(max_size=20), max_size=30))
def test_any_text_arrives_whole_and_calls_nobody(pieces: list[str]) -> None:
    text = "".join(pieces)
    messages = formatted(text)

    assert is_legal(messages)
    assert bool(messages) == has_visible_text(text)
    assert is_whole(re.sub("[\ud800-\udfff]", "\ufffd", text) if messages else "", messages)
    assert not any(CALLING.search(told(each)) for each in messages)


@given(st.text(max_size=200))
def test_the_size_of_a_text_is_never_told_too_small(text: str) -> None:
    (found,) = formatted("好" + text)
    bare = request_bytes(found)
    (empty,) = formatted("好")

    assert bare - request_bytes(empty) <= sent_bytes(text) or found.kind != "text"


def test_a_part_within_a_code_block_is_a_whole_one_again() -> None:
    text = "说明\n```py\n" + "x = 1\n" * 8_000 + "```\n完"
    found = answer_parts(text, limit=RICH_BYTES)

    assert len(found) > 1
    assert all(part.text.count("```") % 2 == 0 for part in found)
    assert "".join(part.body for part in found) == text


def test_a_key_is_the_same_for_the_same_send_and_short_enough() -> None:
    assert send_uuid("turn", 0, "text") == send_uuid("turn", 0, "text")
    assert len({send_uuid("turn", n, k) for n in range(3) for k in ("text", "post")}) == 6
    assert len(send_uuid("长" * 500, 10**9)) <= 50


@pytest.mark.parametrize(
    "hostile", [" " * 100_000, "<" + " " * 100_000, "- " * 50_000, "|-" * 50_000]
)
def test_a_hostile_text_is_formatted_in_no_time(hostile: str) -> None:
    assert is_legal(formatted("好" + hostile + "\n# x"))
