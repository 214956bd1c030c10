"""The names that sentences tell of people and animals."""

import pytest

from memory.text.names import (
    named_first,
    names_told,
    with_births,
    with_names_last,
    with_names_pointed_to,
)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("主人家猫叫团子", ("团子",)),
        ("我养了一只猫，叫团子", ("团子",)),
        ("我们家有两只猫，一只叫团子，一只叫年糕", ("团子", "年糕")),
        ("阿哲是主人的室友", ("阿哲",)),
        ("同事小林昨天辞职了", ("小林",)),
        ("my partner's dog Biscuit is sick", ("Biscuit",)),
        ("Jake is my roommate", ("Jake",)),
        ("her cat's name is Mochi", ("Mochi",)),
    ],
)
def test_what_somebody_is_called_is_a_name(text: str, names: tuple[str, ...]) -> None:
    assert names_told(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "我叫了外卖",
        "闹钟叫醒我",
        "那只猫叫了一晚上",
        "朋友叫我去吃饭",
        "今天是我生日",
        "隔壁是我同事",
        "我同事小心眼",
        "我老师小时候住这",
        "My boss is Japanese",
        "Today is my birthday",
        "She is my sister",
    ],
)
def test_what_only_looks_like_a_name_is_none(text: str) -> None:
    assert names_told(text) == ()


def test_a_clause_that_begins_with_a_name_says_whose_they_are() -> None:
    assert named_first("阿哲是我室友") == ("阿哲", "室友")
    assert named_first("他是我室友") is None
    assert named_first("隔壁是我同事") is None
    assert with_names_last("Hi, Jake is my roommate.") == "Hi, my roommate is called Jake."
    assert with_names_last("She is my sister.") == "She is my sister."


@pytest.mark.parametrize(
    ("said", "told", "meant"),
    [
        ("her name is Lucy", ["my girlfriend is a nurse"], "my girlfriend is called Lucy"),
        ("his name is Bran", ["we got a dog, a collie pup"], "my dog is called Bran"),
        ("她叫小雅", ["我女朋友是护士"], "我女朋友叫小雅"),
        ("它叫汤圆", ["我家养了只橘猫"], "我家橘猫叫汤圆"),
        ("Her name is Fay", ["My daughter was born yesterday!"], "my daughter is called Fay"),
        ("Her name is Fay", ["our baby girl was born"], "my baby girl is called Fay"),
        ("We named him Leo", ["my son was born last night"], "my son is called Leo"),
        ("Her name is Biscuit", ["We adopted a dog!"], "my dog is called Biscuit"),
        ("We named him Leo", ["my sister had her baby"], "We named him Leo"),
        ("her name is Lucy", ["my girlfriend met a girl"], "her name is Lucy"),
        ("her name is Lucy", ["my brother is a nurse"], "her name is Lucy"),
        ("她叫小雅", ["我交了个新朋友", "我妹妹在深圳"], "她叫小雅"),
    ],
)
def test_a_pronoun_names_whom_the_last_line_told_of(
    said: str, told: list[str], meant: str
) -> None:
    assert with_names_pointed_to(said, told) == meant


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("my teacher Mrs. O'Neill is kind", ("O'Neill",)),
        ("my neighbour is Mr Gill", ("Gill",)),
        ("I see my mum Sundays", ()),
        ("I teach my daughter Arabic", ()),
        ("my son James is five", ("James",)),
        ("大家的外号叫主人燕子", ()),
        ("书名叫红楼梦", ()),
        ("我家猫名字叫团子", ("团子",)),
    ],
)
def test_a_title_a_day_a_language_and_a_book_are_nobody(text: str, names: tuple[str, ...]) -> None:
    assert names_told(text) == names


def test_whose_child_it_is_says_the_sentence_before() -> None:
    assert with_births(["我当爸爸了！", "女儿叫小满"]) == ["我当爸爸了！", "我女儿叫小满"]
    assert with_births(["我表妹当妈了！", "女儿叫小满"]) == ["我表妹当妈了！", "女儿叫小满"]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("我们领养了一只猫！叫团子", "我们领养了一只猫，叫团子"),
        ("We adopted a cat, called Biscuit", "We adopted a cat called Biscuit"),
        ("我们领养了一只猫！叫个不停", ""),
        ("我们领养了一只猫！叫声好听", ""),
        ("我捡了只猫！叫得好惨", ""),
        ("I have a cat, called in sick", ""),
    ],
)
def test_the_name_behind_an_animal_is_told_with_it(said: str, meant: str) -> None:
    assert with_names_pointed_to(said) == (meant or said)
