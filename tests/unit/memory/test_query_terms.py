import pytest

from memory.recall.query_terms import (
    EVERYDAY_SHARE,
    meaningful_characters,
    near_words,
    term_weights,
    without_everyday_words,
)
from memory.text.tokens import tokens


def test_words_that_only_frame_a_chinese_question_are_left_out() -> None:
    found = term_weights("主人具体提到了哪些水果")
    assert "水果" in found
    assert not {"具体", "提到", "哪些"} & set(found)


def test_a_bigram_across_two_words_counts_less_than_a_word() -> None:
    found = term_weights("喜欢拉面")
    assert found["拉面"] == 1.0
    assert found["欢拉"] < 0.5


def test_ignored_tokens_are_dropped_unless_nothing_else_is_left() -> None:
    assert set(term_weights("Anna and guitars", {"anna"})) == {"guitar"}
    assert set(term_weights("Anna", {"anna"})) == {"anna"}


def test_a_question_of_frame_words_alone_is_searched_by_them() -> None:
    assert "主要" in term_weights("主要内容")


def test_a_long_word_and_its_bigrams_share_their_weight() -> None:
    found = term_weights("垂头丧气")
    assert found["垂头丧气"] < 1.0
    assert found["丧气"] < 1.0
    assert term_weights("水果")["水果"] == 1.0


def test_the_characters_that_are_meant_leave_frame_and_stop_words_out() -> None:
    assert meaningful_characters("主人具体提到了哪些水果") == ["主", "人", "水", "果"]
    assert meaningful_characters("Which fruit?") == []


@pytest.mark.parametrize(
    ("everyday", "telling"), [("today", "guitar"), ("feelings", "dentist"), ("感觉", "吉他")]
)
def test_what_everybody_says_of_everything_counts_less_where_a_line_tells(
    everyday: str, telling: str
) -> None:
    terms = term_weights(f"{everyday} {telling}")
    (common,), (rare,) = set(tokens(everyday)) & set(terms), set(tokens(telling)) & set(terms)

    told = without_everyday_words(terms, 1.0)
    assert told[common] == EVERYDAY_SHARE * terms[common]
    assert told[rare] == terms[rare]
    assert told[common] < without_everyday_words(terms, 0.5)[common] < terms[common]
    assert without_everyday_words(terms, 0.0) == terms


def test_what_people_say_for_a_word_goes_both_ways_and_holds_no_word_itself() -> None:
    assert "job" in near_words("career")
    assert "career" in near_words("job")
    assert "妈妈" in near_words("母亲")
    assert "job" not in near_words("job")
    assert near_words("zebra") == near_words("斑马") == frozenset()


def test_a_face_counts_as_an_everyday_word_where_a_line_tells() -> None:
    told = without_everyday_words({"guitar": 1.0, "😂": 1.0, "🎸": 1.0}, told=1.0)
    assert told == {"guitar": 1.0, "😂": EVERYDAY_SHARE, "🎸": 1.0}
