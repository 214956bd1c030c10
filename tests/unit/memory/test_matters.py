"""Which matters a line tells or asks about, and what is found by them."""

from datetime import timedelta

import numpy as np
import pytest

from memory.recall import Recall
from memory.text.matters import (
    LIKELY,
    MATTERS,
    ROWS,
    alike,
    chance_of_asking,
    chance_of_ending,
    chances,
    chances_of_ending,
    chances_of_telling,
    likely_matters,
    likeness,
    packed_matters,
    parts_of,
    rows_of,
)
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.judging import a_state


def told_of(text: str) -> str:
    return MATTERS[int(chances(text).argmax())]


@pytest.mark.parametrize(
    ("text", "matter"),
    [
        ("我而家住邊", "home"),
        ("finally got the keys, unpacking boxes in Leith", "home"),
        ("房東又說要漲，下個月開始一萬五", "rent"),
        ("who do I report to?", "colleague"),
        ("what do I ride", "vehicle"),
        ("医生说我血压又高了", "illness"),
        ("buried my gran on Friday, the wake was lovely", "death"),
        ("我家猫叫馒头", "pet"),
    ],
)
def test_a_matter_is_known_in_whatever_words_it_comes(text: str, matter: str) -> None:
    assert told_of(text) == matter
    assert float(chances(text).max()) >= LIKELY


@pytest.mark.parametrize(
    "text", ["你好呀", "今天好累", "哈哈哈", "what's the capital of France", "lol ok", "😀😀", ""]
)
def test_small_talk_is_of_no_matter(text: str) -> None:
    assert float(chances(text).max()) < LIKELY


@pytest.mark.parametrize(
    ("question", "line", "other"),
    [
        ("我現在在哪落腳", "搬到桥北那边了，楼下就是地铁口，吵", "今天吃了三碗面"),
        ("where am I based these days", "unpacking boxes in Leith", "my dog ate the sofa"),
        ("我一个月挣多少", "涨薪了！现在八千二", "儿子考上一中了"),
        ("do I still smoke?", "six weeks without a fag", "six weeks till the wedding"),
    ],
)
def test_a_line_that_shares_no_word_with_a_question_is_of_its_matter(
    question: str, line: str, other: str
) -> None:
    asked = likely_matters(question)

    assert likeness(line, asked) > 3 * likeness(other, asked)


def test_what_is_packed_in_one_number_says_the_same() -> None:
    texts = ["unpacking boxes in Leith", "我家猫叫馒头", "lol ok", ""]
    packed = np.array([packed_matters(each) for each in texts], np.uint64)
    asked = likely_matters("where am I based these days")

    expected = [likeness(each, asked) for each in texts]
    assert alike(packed, asked).tolist() == pytest.approx(expected, abs=0.01)
    assert alike(packed, {}).tolist() == [0.0] * len(texts)


@pytest.mark.parametrize(
    "text", ["", " ", "مرحبا كيف حالك", "שלום", "🏳️‍🌈", "\ud800", "我" * 20_000, "a " * 20_000]
)
def test_any_text_has_chances(text: str) -> None:
    found = chances(text)

    assert found.shape == (len(MATTERS),)
    assert np.isfinite(found).all()
    assert float(found.sum()) <= 1.001
    assert all(0 <= row < ROWS for row in rows_of(text).tolist())
    assert 0 <= packed_matters(text) < 1 << 64
    assert 0.0 < chance_of_asking(text) < 1.0
    assert 0.0 < chance_of_ending(text, "我家猫叫馒头") < 1.0
    assert 0.0 < chance_of_ending("我家猫叫馒头", text) < 1.0


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("我现在在哪落脚？", "终于拿到钥匙，搬进华侨城那套两居了"),
        ("how do I get about these days?", "ordered an Ather scooter. white, came today!"),
    ],
)
def test_a_question_finds_a_line_that_shares_no_word_with_it(question: str, answer: str) -> None:
    others = ["主人喜欢拉面", "昨天下雨了", "the match was cancelled", "哈哈哈哈"]
    told = [a_memory(number, text) for number, text in enumerate([*others, answer], start=1)]
    found = Recall().search(question, a_state(*told), now=NOON + timedelta(hours=1))

    assert found
    assert found[0].quote == answer


@pytest.mark.parametrize(
    ("held", "ends", "stands"),
    [
        (
            "I work at a bakery",
            "handed my notice in, I drive a tram now",
            "my brother drives a tram",
        ),
        ("我住在北京朝阳区", "钥匙交回去了，箱子都搬到浦东这边", "我弟搬到浦东去了"),
        (
            "I smoke a pack a day",
            "six weeks off the fags, not even a drag",
            "a film about smoking",
        ),
        ("我跟小厉处着呢", "我俩分了，东西都还给他了", "小厉今天加班"),
    ],
)
def test_what_ends_something_is_likelier_to_than_what_leaves_it_standing(
    held: str, ends: str, stands: str
) -> None:
    assert chance_of_ending(ends, held) > 0.35
    assert chance_of_ending(ends, held) > 2 * chance_of_ending(stands, held)


def test_what_is_packed_tells_about_as_well_what_ends_something() -> None:
    texts = ["handed my notice in, I drive a tram now", "我家猫叫馒头", "lol ok", ""]
    packed = np.array([packed_matters(each) for each in texts], np.uint64)

    found = chances_of_ending(packed, "I work at a bakery").tolist()

    assert found.index(max(found)) == 0
    assert found[0] == pytest.approx(chance_of_ending(texts[0], "I work at a bakery"), abs=0.35)
    assert all(0.0 < each < 1.0 for each in found)
    assert chances_of_ending(packed[:0], "我家猫叫馒头").tolist() == []


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("how I earn my living", "I earn my living with a van"),
        ("wetin be my business", "my business dey move small small"),
        ("我家还有鸟没", "我家还有两只鸟"),
        ("我英檢考幾分", "我英檢考了八百三"),
    ],
)
def test_a_question_is_told_from_a_statement(question: str, statement: str) -> None:
    assert chance_of_asking(question) > 0.5 > chance_of_asking(statement)


TOLD_ZH = ("我住在鼓楼旁边", "今天又下雨了", "终于搬完了，窗外就是黄浦江")
TOLD_EN = ("I live by the castle", "it rains again", "unpacking boxes in our new flat in Leith")


@pytest.mark.parametrize(
    ("question", "lines"),
    [("我现在在哪落脚", TOLD_ZH), ("where am I based these days", TOLD_EN)],
)
def test_of_two_lines_of_a_matter_the_later_is_likelier_told(
    question: str, lines: tuple[str, ...]
) -> None:
    found = chances_of_telling(question, lines)
    turned = chances_of_telling(question, lines[::-1])

    assert found.argmax() == len(lines) - 1
    assert found[-1] > turned[0]
    assert 0.0 < found.sum() < 1.0


@pytest.mark.parametrize("question", ["我现在在哪落脚", "where am I based these days"])
def test_of_what_was_never_told_no_line_is_likely(question: str) -> None:
    assert chances_of_telling(question, ()).size == 0
    assert chances_of_telling(question, ("今天又下雨了", "my tea is cold")).max() < 0.02


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("搬完了，累死 窗外是江", ["搬完了", "累死", "窗外是江"]),
        ("moved, at last. Leith it is", ["moved", "at last", "Leith it is"]),
        ("搬完了", []),
        ("", []),
    ],
)
def test_the_clauses_of_a_line(text: str, parts: list[str]) -> None:
    assert parts_of(text) == parts
