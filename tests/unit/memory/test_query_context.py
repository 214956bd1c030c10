"""The query is the moment: what was said before a line, and whether the line asks or tells."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from memory.changes import Put
from memory.model import Memory
from memory.recall import Recall
from memory.recall.index import PassageIndex
from memory.recall.query import (
    CONTEXT_DECAY,
    CONTEXT_TERMS,
    MOST_TERMS,
    TalkLine,
    parse_query,
    share_asked,
)
from memory.recall.query_terms import share_listed
from memory.recall.weights import SIGN_WEIGHTS, fitted_weights
from memory.state import MemoryState
from memory.text.stretches import stretches
from tests.builders import a_memory
from tests.fakes.clock import NOON

LATER = NOON + timedelta(days=60)
UTC = ZoneInfo("UTC")
FILLERS = [a_memory(n, f"第{n}天在下雨，it rained on day {n}") for n in range(10, 40)]


def index_of(*memories: Memory) -> PassageIndex:
    return PassageIndex.of(memories, UTC)


@pytest.mark.parametrize(
    ("before", "line", "wanted", "other"),
    [
        ("我在想吉他课的事", "那个太难了", "每周二学吉他", "周三去游泳"),
        ("I am thinking about the guitar", "That is hard", "Guitar every Tuesday", "I swim a lot"),
    ],
    ids=["zh", "en"],
)
def test_what_was_said_before_says_what_a_line_is_about(
    before: str, line: str, wanted: str, other: str
) -> None:
    memories = [a_memory(1, wanted), a_memory(2, other), *FILLERS]
    state = MemoryState().apply([Put(memory) for memory in memories])[0]
    alone = Recall().search(line, state, now=LATER)
    assert wanted not in [hit.quote for hit in alone if hit.relevance > 0]
    found = Recall().search(line, state, now=LATER, context=[TalkLine(before)])
    assert found[0].quote == wanted


def test_a_nearer_line_counts_more_and_the_assistants_less() -> None:
    index = index_of(a_memory(1, "guitar piano violin swimming"), *FILLERS)
    said = [TalkLine("guitar"), TalkLine("piano", assistant=True), TalkLine("violin")]
    terms = parse_query("swimming", index, LATER, said).terms
    assert terms["swim"] > terms["violin"] > terms["guitar"] > terms["piano"]


@pytest.mark.parametrize(("again", "once"), [("guitar", "piano"), ("长笛", "钢琴")])
def test_what_several_lines_say_counts_more_than_what_one_says(again: str, once: str) -> None:
    index = index_of(a_memory(1, f"{again} {once} swimming"), *FILLERS)
    said = [TalkLine(again), TalkLine(once), TalkLine(again, assistant=True)]
    query = parse_query("swimming", index, LATER, said)
    assert 1.0 > query.terms[again] > query.terms[once]
    assert all(
        query.pieces[one] > query.pieces[other]
        for one, other in zip(again, once, strict=False)
        if not one.isascii()
    )


def test_a_character_of_the_talk_counts_half_of_one_of_the_line() -> None:
    index = index_of(a_memory(1, "长笛和钢琴"), *FILLERS)

    asked = parse_query("钢琴", index, LATER)
    said = parse_query("那个太难了", index, LATER, [TalkLine("钢琴")])

    assert said.pieces["琴"] == pytest.approx(CONTEXT_DECAY / 2 * asked.pieces["琴"])


def test_a_long_line_and_a_long_talk_are_searched_by_their_most_telling_terms() -> None:
    words = [f"word{n}x" for n in range(300)]
    index = index_of(a_memory(1, " ".join(words)), *FILLERS)
    query = parse_query(" ".join(words[:150]), index, LATER, [TalkLine(" ".join(words[150:]))])
    assert len(query.terms) == MOST_TERMS + CONTEXT_TERMS


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("我的猫叫什么名字？", 1.0, 1.0),
        ("What is my cat called", 1.0, 1.0),
        ("今天带猫去打了针。", 0.0, 0.0),
        ("I took the cat to the vet.", 0.0, 0.0),
        ("今天带猫去打了针。它几岁了？", 0.2, 0.8),
        ("I took the cat to the vet. How old is she?", 0.2, 0.8),
        ("", 0.0, 0.0),
    ],
)
def test_how_much_of_a_line_asks_is_a_share(text: str, low: float, high: float) -> None:
    assert low <= share_asked(text) <= high


def test_weights_go_from_those_of_a_question_to_those_of_a_statement() -> None:
    index = index_of(*FILLERS)
    told = "I saw the vet with Anna about Bella's broken leg yesterday."
    asks, both, tells = (
        fitted_weights(parse_query(text, index, LATER))
        for text in ("How old is she?", f"{told} How old is she?", told)
    )
    for sign, weight in SIGN_WEIGHTS.items():
        assert asks[sign] == pytest.approx(weight.asked)
        assert tells[sign] == pytest.approx(weight.asked + weight.told)
        assert min(asks[sign], tells[sign]) <= both[sign] + 1e-9
        assert both[sign] <= max(asks[sign], tells[sign]) + 1e-9


def test_a_line_of_one_word_is_looked_for_like_an_answer_and_not_like_a_matter() -> None:
    index = index_of(*FILLERS)
    one, more = (parse_query(text, index, LATER) for text in ("It rains", "It rains and snows"))
    assert 1.0 > one.asking > more.asking > 0.0


@pytest.mark.parametrize(
    ("listed", "told"),
    [
        ("续租 房东 合同 押金 涨价 中介", "房东说续租要涨价，合同和押金都得重新找中介谈。"),
        (
            "lease landlord contract deposit raise agent",
            "The landlord wants a raise with the new lease, and the agent keeps our deposit.",
        ),
        ("lease 房东 contract 押金", "房东要我签新的 lease，押金也还没退。"),
    ],
    ids=["zh", "en", "mixed"],
)
def test_a_list_of_words_is_looked_for_and_a_sentence_of_them_is_told(
    listed: str, told: str
) -> None:
    index = index_of(*FILLERS)
    looked_for, said = (parse_query(text, index, LATER) for text in (listed, told))
    assert looked_for.asking == 1.0
    assert looked_for.broad > 0.5
    assert said.asking < 0.3


def test_a_sentence_of_a_language_without_stop_words_is_no_list() -> None:
    lines = [f"el gato de la casa {n} duerme en la cama" for n in range(60)]
    index = index_of(*(a_memory(n, line) for n, line in enumerate(lines, start=1)))
    assert share_listed("mañana viaja la abuela de Lucía en tren", index.words) < 0.2
    assert share_listed("abuela Lucía tren viaje", index.words) == 1.0


SENTENCE = {
    "zh": "第{}天我们一起去了湖边的那家小店，吃了面，然后走路回家。",
    "en": "On day {} we went to the small shop by the lake, ate noodles and walked back home. ",
}


@pytest.mark.parametrize("language", SENTENCE)
def test_a_long_message_is_cut_at_its_sentences_into_passages_of_one_size(language: str) -> None:
    text = "".join(SENTENCE[language].format(n) for n in range(40))
    pieces = stretches(text)
    assert "".join(pieces) == text
    assert len(pieces) > 5
    assert all(piece.rstrip()[-1] in "。." for piece in pieces)
    assert max(map(len, pieces)) < 2 * min(map(len, pieces))


@pytest.mark.parametrize(
    "text", ["x" * 3_000, "没有标点" * 500, "a b " * 900, "\n" * 500, "。" * 300]
)
def test_what_has_no_sentences_is_cut_all_the_same_and_nothing_is_lost(text: str) -> None:
    assert "".join(stretches(text)) == text


def test_a_short_message_stays_whole() -> None:
    assert stretches("今天下雨了。所以没去。") == ("今天下雨了。所以没去。",)
