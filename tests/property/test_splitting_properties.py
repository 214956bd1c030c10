"""Whatever is said arrives: whole, in order, within the limit, nothing torn."""

from hypothesis import example, given
from hypothesis import strategies as st

from bot.adapters.markdown import Measure, split, utf16_units
from memory.text.segmentation import code_blocks, is_boundary


def utf8_bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


MEASURES = st.sampled_from([len, utf16_units, utf8_bytes])
WORDS = ["我", "喜欢", "拉面。", "a", "word", "one.", "？", "，", "مرحبا", "שלום", "`", "*b*"]
WHOLES = ["👋", "👨\u200d👩\u200d👧\u200d👦", "👍🏽", "🇨🇳", "é", "❤️", "각", "क्षि", "𠀀", "\r\n"]
ATOMS = st.sampled_from([*WORDS, *WHOLES, " ", "\n", "\n\n"])
PROSE = st.lists(ATOMS, max_size=120).map("".join)
LINES = st.lists(
    st.sampled_from(["x = 1", "", "  print('你好')", "# 👨‍👩‍👧", "~~~", "a" * 40]), max_size=25
)
CODE = st.builds(
    lambda marker, info, lines: "\n".join(["", marker + info, *lines, marker, ""]),
    st.sampled_from(["```", "````"]),
    st.sampled_from(["", "python", "c++"]),
    LINES,
)
REPLIES = st.lists(PROSE | CODE, max_size=6).map("".join)


@given(st.text() | REPLIES, st.integers(8, 300), MEASURES)
@example("```\n" * 40, 8, len)
def test_the_parts_joined_are_the_text(text: str, limit: int, measure: Measure) -> None:
    parts = split(text, limit=limit, measure=measure)

    assert "".join(part.body for part in parts) == text
    assert all(part.body for part in parts)


@given(st.text() | REPLIES, st.integers(8, 300), MEASURES)
@example("```\n" * 40, 8, len)
def test_no_part_is_over_the_limit(text: str, limit: int, measure: Measure) -> None:
    for part in split(text, limit=limit, measure=measure):
        assert measure(part.text) <= limit


@given(PROSE, st.integers(40, 300))
def test_nothing_seen_as_one_character_is_torn(text: str, limit: int) -> None:
    place = 0
    for part in split(text, limit=limit, measure=utf16_units):
        assert is_boundary(text, place)
        place += len(part.body)


@given(REPLIES, st.integers(120, 400), MEASURES)
def test_no_part_but_the_last_leaves_a_code_block_open(
    text: str, limit: int, measure: Measure
) -> None:
    parts = split(text, limit=limit, measure=measure)

    for part in parts[:-1]:
        for block in code_blocks(part.text):
            assert part.text[block.closing :].lstrip().startswith(block.marker)


@given(REPLIES, st.integers(120, 400), MEASURES)
def test_code_stays_code_and_prose_stays_prose(text: str, limit: int, measure: Measure) -> None:
    def code_of(shown: str) -> str:
        return "".join(shown[block.inside : block.closing] for block in code_blocks(shown))

    def lines(code: str) -> list[str]:
        return [line for line in code.split("\n") if line.strip()]

    parts = split(text, limit=limit, measure=measure)
    shown = lines("\n".join(code_of(part.text) for part in parts))

    assert "".join(shown) == "".join(lines(code_of(text)))


@given(REPLIES, st.integers(8, 300), MEASURES)
def test_splitting_is_the_same_every_time(text: str, limit: int, measure: Measure) -> None:
    assert split(text, limit=limit, measure=measure) == split(text, limit=limit, measure=measure)
