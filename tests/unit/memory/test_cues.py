import pytest

from memory.text import cues


@pytest.mark.parametrize("text", ["吃了吗", "吃了吗？", "Have you eaten?", "你呢～", "really? "])
def test_a_question_is_known_by_its_end(text: str) -> None:
    assert cues.is_question(text)


@pytest.mark.parametrize("text", ["吃了。", "I asked: why? Then I left.", ""])
def test_what_ends_otherwise_asks_nothing(text: str) -> None:
    assert not cues.is_question(text)


def test_time_words_of_both_languages_tell_time() -> None:
    assert cues.tells_time("we met last Friday")
    assert cues.tells_time("上周三见过")
    assert not cues.tells_time("I like tea")


def test_counts_are_numbers() -> None:
    assert cues.tells_number("两只猫")
    assert cues.tells_number("we have two cats")
    assert not cues.tells_number("我喜欢猫")


def test_what_a_question_wants_is_read_off_its_words() -> None:
    assert cues.asks_when("你什么时候去的")
    assert cues.asks_when("When did we meet?")
    assert cues.asks_how_many("你有几只猫")
    assert cues.asks_how_many("How many cats?")
    assert cues.asks_name("她叫什么名字")
    assert cues.asks_name("Where was it?")
    assert not cues.asks_when("你喜欢猫吗")


def test_names_and_titles_are_told_from_plain_words() -> None:
    assert cues.tells_name("we went to Lisbon")
    assert cues.tells_name("在看《三体》")
    assert not cues.tells_name("We went home")


def test_who_talks_of_themselves_and_of_what_happened() -> None:
    assert cues.tells_self("我搬家了")
    assert cues.tells_self("I've moved")
    assert not cues.tells_self("It is raining")
    assert cues.tells_past("去了医院，打了针，吃过药") == 1.0
    assert cues.tells_past("it is fine") == 0.0
