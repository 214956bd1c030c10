import pytest

from bot.adapters.markdown import Part, split, utf16_units
from memory.text.segmentation import code_blocks, has_visible_text, is_boundary

FAMILY = "👨‍👩‍👧‍👦"


def utf8_bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def bodies(text: str, limit: int) -> list[str]:
    return [part.body for part in split(text, limit=limit)]


def test_what_fits_stays_whole() -> None:
    assert split("你好", limit=8) == (Part("你好"),)


def test_nothing_has_no_parts() -> None:
    assert split("", limit=8) == ()


def test_a_limit_too_small_to_say_anything_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 8"):
        split("你好", limit=7)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("一二三四五\n\n六七八九\n十十十", "一二三四五\n\n"),
        ("一二三四五。六七\n八九十一二三", "一二三四五。六七\n"),
        ("一二三四五。六七八九十十十", "一二三四五。"),
        ("“一二三四五。”六七八九十", "“一二三四五。”"),
        ("one two. three four", "one two. "),
        ("one two three four", "one two "),
        ("一二三四五六七八九十十十", "一二三四五六七八九十"),
    ],
    ids=["paragraph", "line", "sentence", "quotation", "full stop", "word", "character"],
)
def test_a_part_ends_at_the_best_place_there_is(text: str, first: str) -> None:
    assert bodies(text, 10)[0] == first


def test_a_better_place_is_not_worth_half_a_part() -> None:
    assert bodies("好。一二三四五六七八九十", 10)[0] == "好。一二三四五六七八"


@pytest.mark.parametrize(
    "whole",
    [FAMILY, "👍🏽", "🇨🇳", "é", "❤️", "각", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "\r\n", "क्षि", "1️⃣"],
    ids=["family", "skin", "flag", "accent", "heart", "hangul", "england", "crlf", "hindi", "key"],
)
def test_what_is_seen_as_one_character_is_never_torn(whole: str) -> None:
    text = whole * 40

    cuts = [len("".join(bodies(text, 32)[:n])) for n in range(len(bodies(text, 32)))]

    assert len(cuts) > 1
    assert all(cut % len(whole) == 0 for cut in cuts)
    assert [place for place in range(len(text)) if is_boundary(text, place)] == list(
        range(0, len(text), len(whole))
    )


def test_a_single_character_over_the_limit_is_torn_rather_than_lost() -> None:
    stacked = "a" + "\u0301" * 50

    assert "".join(bodies(stacked, 10)) == stacked
    assert max(len(body) for body in bodies(stacked, 10)) == 10


def test_lengths_are_counted_as_the_platform_counts_them() -> None:
    text = "👋" * 10

    assert [len(part.body) for part in split(text, limit=8, measure=utf16_units)] == [4, 4, 2]
    assert [len(part.body) for part in split(text, limit=8, measure=utf8_bytes)] == [2] * 5


def test_a_code_block_is_closed_and_opened_again_with_its_language() -> None:
    code = "".join(f"line {n}\n" for n in range(20))
    text = f"看这段：\n```python\n{code}```\n就这样。"

    first, second, *_, last = split(text, limit=80)

    assert first.text.startswith("看这段：\n```python\nline 0\n")
    assert first.text.endswith("\n```")
    assert second.text.startswith("```python\nline ")
    assert last.text.endswith("```\n就这样。")
    assert all(part.body.endswith("\n") for part in (first, second))


def test_no_part_holds_an_empty_piece_of_a_code_block() -> None:
    text = "一二三四五六七八九十。\n" * 4 + "```py\nx = 1\n```\n" + "尾巴。\n" * 20
    for limit in range(40, 90):
        for part in split(text, limit=limit):
            for block in code_blocks(part.text):
                assert part.text[block.inside : block.closing].strip(), f"limit {limit}"


def test_a_block_nobody_closed_is_closed_at_every_border_but_the_last() -> None:
    text = "```\n" + "x = 1\n" * 30

    *before, last = split(text, limit=60)

    assert all(part.after == "```" for part in before)
    assert last.after == ""
    assert last.before == "```\n"


@pytest.mark.parametrize(
    "text",
    ["`` `not a block` ``\n", "``` inline ``` code\n", "    ```\n    indented\n    ```\n"],
    ids=["two backticks", "inline", "indented"],
)
def test_what_only_looks_like_a_fence_is_text(text: str) -> None:
    assert code_blocks(text) == ()


def test_another_kind_of_fence_does_not_close_a_block() -> None:
    (block,) = code_blocks("````\n```\n~~~\n````\nafter")

    assert block.marker == "````"
    assert block.end == len("````\n```\n~~~\n````\n")


def test_in_parts_of_white_space_there_is_nothing_to_see() -> None:
    parts = split("\n" * 30, limit=10)

    assert parts
    assert not any(has_visible_text(part.body) for part in parts)
